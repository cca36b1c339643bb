"""A proxy on a free port of the loopback device: tunnels by CONNECT, and passes on what is asked in full.

    with Proxy(login='user:password', tunnel_status=502) as p:
        p.address('user:password@')      its address
        p.log                            dicts with method, target and headers

Without the login it answers 407, and repeats what it was given instead; a status other than 200 is its answer to every CONNECT.
"""
import base64
import http.client
import json
import select
import socket
import threading
import urllib.parse
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer


class Handler(BaseHTTPRequestHandler):
    protocol_version = 'HTTP/1.1'
    timeout = 30

    def log_message(self, *_):
        pass

    def is_let_in(self):
        proxy, given = self.server.proxy, self.headers.get('Proxy-Authorization')
        proxy.log.append({'method': self.command, 'target': self.path, 'headers': {n.lower(): v for n, v in self.headers.items()}})
        if not proxy.login or given == 'Basic ' + base64.b64encode(proxy.login.encode()).decode():
            return True
        self.answer(407, json.dumps({'status': 'error', 'errorType': 'proxy', 'error': 'not ' + str(given)}).encode())
        return False

    def answer(self, status, body=b'', kind='application/json'):
        self.send_response(status)
        self.send_header('Content-Type', kind)
        self.send_header('Content-Length', str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def do_CONNECT(self):
        if not self.is_let_in():
            return
        if self.server.proxy.tunnel_status != 200:
            self.answer(self.server.proxy.tunnel_status)
            return
        host, _, port = self.path.rpartition(':')
        with socket.create_connection((host, int(port))) as far:
            self.wfile.write(b'HTTP/1.1 200 Tunnel\r\n\r\n')
            self.close_connection = True
            ends = {self.connection: far, far: self.connection}
            while True:
                for s in select.select(list(ends), [], [], 30)[0] or [None]:
                    data = s.recv(65536) if s else b''
                    if not data:
                        return
                    ends[s].sendall(data)

    def do_POST(self):
        body = self.rfile.read(int(self.headers['Content-Length']))
        if not self.is_let_in():
            return
        url = urllib.parse.urlsplit(self.path)
        far = http.client.HTTPConnection(url.netloc, timeout=30)
        far.request('POST', url.path, body, {n: v for n, v in self.headers.items() if not n.lower().startswith('proxy-')})
        r = far.getresponse()
        self.answer(r.status, r.read(), r.getheader('Content-Type'))
        far.close()


class Proxy:
    def __init__(self, login=None, tunnel_status=200):
        self.login, self.tunnel_status, self.log = login, tunnel_status, []
        self.server = ThreadingHTTPServer(('127.0.0.1', 0), Handler)
        self.server.proxy, self.server.daemon_threads = self, True
        self.server.handle_error = lambda *_: None
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def address(self, login=''):
        return 'http://%s127.0.0.1:%d' % (login, self.server.server_address[1])

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.server.shutdown()
        self.server.server_close()
