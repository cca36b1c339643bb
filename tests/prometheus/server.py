"""A Prometheus server of one's own: an own data folder, a free port of the loopback device, stopped at the end.

    with tempfile.TemporaryDirectory() as folder:
        load(folder, 'metrics.om')                     what a file of OpenMetrics text holds, as blocks
        with Prometheus(folder) as p:
            p.url, p.query('up[1h]', time)

Needs prometheus and promtool (Debian: prometheus).
"""
import json
import os
import shutil
import signal
import socket
import subprocess
import time
import urllib.parse
import urllib.request

DAY = 86400
OPENER = urllib.request.build_opener(urllib.request.ProxyHandler({}))


def installed():
    return shutil.which('prometheus') and shutil.which('promtool')


def by_day(path):
    """Lines of samples by UTC day, in the order of the file."""
    days = {}
    with open(path, encoding='utf-8') as f:
        for line in f:
            if line.strip() and not line.startswith('#'):
                days.setdefault(int(float(line.split()[-1]) // DAY), []).append(line)
    return days


def load(folder, path):
    """A file a day, since promtool reads its input again for every block."""
    text = os.path.join(folder, 'day.om')
    for _, lines in sorted(by_day(path).items()):
        with open(text, 'w', encoding='utf-8') as f:
            f.writelines(lines)
            f.write('# EOF\n')
        p = subprocess.run(['promtool', 'tsdb', 'create-blocks-from', 'openmetrics', '--max-block-duration=24h', text,
                            os.path.join(folder, 'data')], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=300)
        if p.returncode != 0:
            raise RuntimeError('promtool: %s' % p.stdout.decode('utf-8', 'replace').strip())


def free_port():
    with socket.socket() as s:
        s.bind(('127.0.0.1', 0))
        return s.getsockname()[1]


class Prometheus:
    def __init__(self, folder, config='', options=('--storage.tsdb.retention.time=100y',)):
        """Without such a retention old samples are deleted at once."""
        self.folder, self.config, self.options = folder, config, list(options)

    def __enter__(self):
        for _ in range(3):                             # somebody else may take the port in between
            self.start(free_port())
            if self.wait():
                return self
            self.stop()
        with open(os.path.join(self.folder, 'log'), encoding='utf-8', errors='replace') as f:
            raise RuntimeError('prometheus does not start: %s' % f.read()[-1000:])

    def start(self, port):
        with open(os.path.join(self.folder, 'prometheus.yml'), 'w', encoding='utf-8') as f:
            f.write(self.config)
        self.url = 'http://127.0.0.1:%d' % port
        with open(os.path.join(self.folder, 'log'), 'w', encoding='utf-8') as log:
            self.process = subprocess.Popen(
                ['prometheus', '--config.file=' + os.path.join(self.folder, 'prometheus.yml'),
                 '--storage.tsdb.path=' + os.path.join(self.folder, 'data'), '--web.listen-address=127.0.0.1:%d' % port,
                 '--log.level=warn'] + self.options,
                stdin=subprocess.DEVNULL, stdout=log, stderr=log)

    def wait(self):
        for _ in range(300):
            if self.process.poll() is not None:
                return False
            try:
                with OPENER.open(self.url + '/-/ready', timeout=5) as r:
                    return r.status == 200
            except OSError:
                time.sleep(0.1)
        return False

    def get(self, name, data=None):
        with OPENER.open(self.url + '/api/v1/' + name, data, timeout=60) as r:
            return json.load(r)['data']

    def query(self, text, at):
        return self.get('query', urllib.parse.urlencode({'query': text, 'time': at}).encode())['result']

    def stop(self):
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGTERM)
        try:
            self.process.wait(30)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()

    def __exit__(self, *_):
        self.stop()
