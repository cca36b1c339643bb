"""What is drawn on a terminal while a server answers: at each width, and nothing of it at the end, whatever the end is.

A terminal of its own, with a size, a foreground and an echo, and behind it a screen that knows as much as the program may use.
"""
import fcntl
import os
import pty
import re
import select
import signal
import struct
import subprocess
import tempfile
import termios
import time

MAX_SECONDS = 120
MARGIN = 3                                             # columns that stay free, two of them for a ^C
STYLE = re.compile(r'\x1b\[[0-9;]*m')

# By width of the terminal: cells of the bar in ASCII, and the parts behind it; worked out in tests/unit/progress_test.c.
PERCENT, WINDOWS, RATE, LEFT = r' +(\d+) %', r' +(\d+) windows?', r' +(\S+(?: k)?) samples/s', r'(?:  +\d+:\d\d left)?'
LINES = {160: (40, PERCENT + WINDOWS + RATE + LEFT), 100: (37, PERCENT + WINDOWS + RATE + LEFT), 80: (17, PERCENT + WINDOWS + RATE + LEFT),
         60: (10, PERCENT + RATE + LEFT), 40: (0, PERCENT + LEFT), 20: (0, PERCENT)}


class Screen:
    """Rows of text. It knows printable characters, CR, LF and 'erase to the end of the row'; anything else is a fault."""
    def __init__(self, width):
        self.width, self.rows, self.column, self.furthest = width, [''], 0, 0

    def feed(self, text):
        for piece in re.findall(r'\x1b\[K|[^\x1b]', STYLE.sub('', text)):
            if piece == '\x1b[K':
                self.rows[-1] = self.rows[-1][:self.column]
            elif piece == '\r':
                self.column = 0
            elif piece == '\n':
                self.rows.append('')
            else:
                self.put(piece)
        return self

    def put(self, c):
        assert c.isprintable(), repr(c)
        if self.column == self.width:
            self.rows.append('')
            self.column = 0
        row = self.rows[-1].ljust(self.column)
        self.rows[-1] = row[:self.column] + c + row[self.column + 1:]
        self.column += 1
        self.furthest = max(self.furthest, self.column)


class Terminal:
    """gputab in the foreground of a terminal that is its stdin and stderr, and where files are counted that it leaves."""
    def __init__(self, t, scenario, width, *more, through=(), **environment):
        self.master, slave = pty.openpty()
        self.resize(width)
        self.folder, self.raw = tempfile.TemporaryDirectory(), b''
        env = {'TERM': 'xterm', 'LC_ALL': 'C', 'TMPDIR': self.folder.name, **environment}
        cmd = ['setsid', '--ctty', *through, *t.command('--prometheus', t.stub.base(scenario), '--transport', 'query'), *more]
        self.out = tempfile.TemporaryFile()
        self.p = subprocess.Popen(cmd, cwd=t.folder, stdin=slave, stdout=self.out, stderr=slave,
                                  env={k: v for k, v in {**t.environment(), **env}.items() if v is not None})
        os.close(slave)
        self.ends = time.monotonic() + MAX_SECONDS

    def resize(self, width):
        fcntl.ioctl(self.master, termios.TIOCSWINSZ, struct.pack('HHHH', 24, width, 0, 0))

    def read(self):
        """More of what is written; b'': the end."""
        if not select.select([self.master], [], [], max(0, self.ends - time.monotonic()))[0]:
            self.p.kill()
            raise RuntimeError('it does not end')
        try:
            data = os.read(self.master, 65536)
        except OSError:                                # how Linux says that nobody has it open any more
            data = b''
        self.raw += data
        return data

    def until(self, text):
        while text not in self.raw and self.read():
            pass
        return self

    def end(self):
        """(exit code, text)"""
        while self.read():
            pass
        code = self.p.wait(MAX_SECONDS)
        os.close(self.master)
        self.left = os.listdir(self.folder.name)
        self.folder.cleanup()
        return code, self.raw.decode()

    def output(self):
        with self.out as f:
            f.seek(0)
            return f.read().decode()


def frames(text):
    """The lines that were drawn one over the other."""
    return [f[:-len('\x1b[K')] for f in STYLE.sub('', text).split('\r') if f.startswith('metrics')]


def wrong_frame(frame, width, cells, parts, done='#', rest='.', ends=('[', ']')):
    bar = '  (%s%s*%s*%s)' % (re.escape(ends[0]), done, re.escape(rest), re.escape(ends[1])) if cells else '()'
    m = re.fullmatch('metrics' + bar + parts, frame)
    if not m or len(frame) > width - MARGIN:
        return True
    wanted = [cells * (int(m[2]) + i) // 100 for i in (0, 1)]
    return cells and (len(m[1]) != cells + len(ends[0] + ends[1]) or m[1].count(done) not in wanted)


def drawn(t, width, cells, parts):
    """A run takes two seconds: 84 answers, two at a time, of 50 ms each."""
    x = Terminal(t, 'sleepy', width)
    code, text = x.end()
    lines, screen = frames(text), Screen(width).feed(text)
    bad = [f for f in lines if wrong_frame(f, width, cells, parts)]
    percents = [int(re.search(r'(\d+) %', f)[1]) for f in lines]
    if code != 0 or bad or '\x1b[0' in text or t.plain(x.output()) != t.file.report():
        return 'exit %d, not as it must be: %r' % (code, bad or text)
    if len(set(lines)) < 5 or percents != sorted(percents) or percents[0] > 50 or percents[-1] < 80:
        return 'drawn: %r' % lines
    if width > 20 and not any(f.endswith(' left') for f in lines):
        return 'the time left is not told: %r' % lines
    return None if screen.rows == [''] and screen.column == 0 else 'left over: %r' % screen.rows


def in_utf8(t):
    x = Terminal(t, 'sleepy', 80, LC_ALL='C.UTF-8')
    text = x.end()[1]
    bad = [f for f in frames(text) if wrong_frame(f, 80, 19, LINES[80][1], '\u2501', '\u2500', ('', ''))]
    if bad or len(frames(text)) < 5 or '\x1b[36m\u2501' not in text or Screen(80).feed(text).rows != ['']:
        return repr(bad or text)
    return None


def without_colour(t):
    text = Terminal(t, 'sleepy', 80, LC_ALL='C.UTF-8', NO_COLOR='1').end()[1]
    good = [f for f in frames(text) if not wrong_frame(f, 80, *LINES[80])]
    return None if good and good == frames(text) and not STYLE.search(text) else repr(text)


def resized(t):
    """The bar follows: no line after the next is longer than the terminal is now."""
    x = Terminal(t, 'sleepy', 100).until(b'metrics')
    x.resize(60)
    lines = frames(x.end()[1])
    bad = [f for f in lines[3:] if wrong_frame(f, 60, *LINES[60])]
    return repr(bad or lines) if bad or len(lines) < 5 else None


def silent(t, *more, **environment):
    code, text = Terminal(t, 'sleepy', 80, *more, **environment).end()
    return 'exit %d: %r' % (code, text) if code != 0 or text else None


def in_background(t):
    """A shell with jobs puts it there."""
    return silent(t, through=('sh', '-mc', '"$@" & wait $!', 'sh'))


def in_a_moment(t):
    """What is over in 300 ms does not flash."""
    begin = time.monotonic()
    x = Terminal(t, 'sleepy', 80)
    x.until(b'metrics')
    waited = time.monotonic() - begin
    x.end()
    return None if waited >= 0.3 else 'after %.3f s' % waited


def piped(t):
    """stdin and stdout are no reason to draw."""
    master, slave = pty.openpty()
    cmd = t.command('--prometheus', t.stub.base('sleepy'), '--transport', 'query', '-o', '/dev/null/x.json')
    p = subprocess.run(cmd, cwd=t.folder, stdin=slave, stdout=slave, stderr=subprocess.PIPE, env={**t.environment(), 'TERM': 'xterm'},
                       timeout=MAX_SECONDS)
    os.close(slave)
    os.close(master)
    wanted = b'gputab: /dev/null/x.json: '
    return None if p.returncode and p.stderr.startswith(wanted) and b'\r' not in p.stderr else 'exit %d: %r' % (p.returncode, p.stderr)


def then(t, scenario, wanted_code, *wanted_rows):
    """A message has lines of its own."""
    code, text = Terminal(t, scenario, 160).end()
    rows = Screen(160).feed(text).rows
    if not frames(text) or code != wanted_code or rows != [r.replace('URL', t.stub.base(scenario)) for r in wanted_rows] + ['']:
        return 'exit %d: %r' % (code, text)
    return None


def interrupted(t, width, how, wanted_code):
    """The row is erased with the ^C in it."""
    with tempfile.TemporaryDirectory() as folder:
        x = Terminal(t, 'sleepy', width, '-o', os.path.join(folder, 'x.csv'))
        x.until(b' left' if width > 20 else b' %')
        how(x)
        code, text = x.end()
        left = os.listdir(folder) + x.left
    screen = Screen(width).feed(text)
    said = ''.join(screen.rows)
    if code != wanted_code or left or said != 'gputab: interrupted: no file was written' or screen.rows[-1] or x.output():
        return 'exit %d, files %r, rows %r, text %r' % (code, left, screen.rows, text)
    return None if how is not typed or '^C' in text else 'no echo, so that nothing was tested'


def typed(x):
    os.write(x.master, b'\x03')


def add(t):
    for width, (cells, parts) in LINES.items():
        t.add('drawn at %d' % width, drawn, t, width, cells, parts)
    t.add('drawn in UTF-8', in_utf8, t)
    t.add('drawn without colour', without_colour, t)
    t.add('drawn and resized', resized, t)
    t.add('not drawn with -q', silent, t, '-q')
    t.add('not drawn on a dumb terminal', silent, t, TERM='dumb')
    t.add('not drawn on an unknown terminal', silent, t, TERM=None)
    t.add('not drawn in the background', in_background, t)
    t.add('not drawn into a pipe', piped, t)
    t.add('not drawn in a moment', in_a_moment, t)
    t.add('drawn, then an error', then, t, 'sleepy-then-400', 3, 'gputab: URL: answers 400 Bad Request: bad_data: enough')
    t.add('drawn, then a warning', then, t, 'sleepy-warns', 0, 'gputab: warning W115 (1x): the server calls an answer incomplete: late',
          'hint: samples may be missing from the report')
    for width in (80, 20):
        t.add('drawn at %d, then Ctrl-C' % width, interrupted, t, width, typed, 130)
    t.add('drawn, then SIGTERM', interrupted, t, 80, lambda x: x.p.send_signal(signal.SIGTERM), 143)
