"""A proxy that writes down what a client asks a server, so that the same can be asked again by something that only fetches.

    with Proxy('http://127.0.0.1:9090', folder) as p:
        ... p.url ...
    p.requests          [(path, headers, file of the body, bytes of the answer)], those that were answered with 200
    p.most              how many were on their way at once
    p.bytes             of the answers
"""
import http.client
import os
import threading
import urllib.parse
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

KEPT = ('content-type', 'content-encoding', 'x-prometheus-remote-read-version', 'accept', 'accept-encoding')
PIECE = 1 << 18


class Handler(BaseHTTPRequestHandler):
    protocol_version = 'HTTP/1.1'

    def do_POST(self):
        body = self.rfile.read(int(self.headers.get('Content-Length', 0)))
        headers = {k: v for k, v in self.headers.items() if k.lower() in KEPT}
        proxy = self.server.proxy
        number = proxy.begin()
        try:
            n, status = self.forward('POST', body, headers)
        finally:
            proxy.end()
        if status == 200:
            proxy.keep(number, self.path, headers, body, n)

    def do_GET(self):
        self.forward('GET', None, {k: v for k, v in self.headers.items() if k.lower() in KEPT})

    def forward(self, method, body, headers):
        upstream = http.client.HTTPConnection(self.server.proxy.host, timeout=600)
        try:
            upstream.request(method, self.path, body, headers)
            r = upstream.getresponse()
            self.send_response(r.status)
            for name in ('Content-Type', 'Content-Encoding'):
                if r.headers[name]:
                    self.send_header(name, r.headers[name])
            self.send_header('Transfer-Encoding', 'chunked')
            self.end_headers()
            total = 0
            while piece := r.read1(PIECE):
                self.wfile.write(b'%x\r\n%s\r\n' % (len(piece), piece))
                total += len(piece)
            self.wfile.write(b'0\r\n\r\n')
            return total, r.status
        finally:
            upstream.close()

    def log_message(self, *args):
        pass


class Proxy:
    def __init__(self, base, folder):
        self.host, self.folder = urllib.parse.urlsplit(base).netloc, folder
        self.found, self.bytes, self.asked, self.busy, self.most = {}, 0, 0, 0, 0
        self.lock = threading.Lock()

    def begin(self):
        with self.lock:
            self.asked += 1
            self.busy += 1
            self.most = max(self.most, self.busy)
            return self.asked

    def end(self):
        with self.lock:
            self.busy -= 1

    def keep(self, number, path, headers, body, n):
        name = os.path.join(self.folder, 'request-%d' % number)
        with open(name, 'wb') as f:
            f.write(body)
        with self.lock:
            self.found[number] = (path, headers, name, n)
            self.bytes += n

    @property
    def requests(self):
        return [self.found[k] for k in sorted(self.found)]

    def __enter__(self):
        os.makedirs(self.folder, exist_ok=True)
        self.server = ThreadingHTTPServer(('127.0.0.1', 0), Handler)
        self.server.daemon_threads, self.server.proxy = True, self
        threading.Thread(target=self.server.serve_forever, daemon=True).start()
        self.url = 'http://127.0.0.1:%d' % self.server.server_port
        return self

    def __exit__(self, *_):
        self.server.shutdown()
        self.server.server_close()


def curl_config(requests, base):
    """What `curl --parallel --config` fetches, and throws away."""
    parts = []
    for path, headers, name, _ in requests:
        lines = ['url = "%s%s"' % (base, path), 'data-binary = "@%s"' % name, 'output = "/dev/null"', 'silent', 'show-error', 'fail',
                 'header = "Expect:"']
        lines += ['header = "%s: %s"' % item for item in headers.items()]
        parts.append('\n'.join(lines))
    return '\nnext\n'.join(parts) + '\n'
