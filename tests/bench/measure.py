"""What a program costs: wall time, CPU time and peak memory of a child; CPU time of a server meanwhile; and on which machine that was."""
import datetime
import os
import platform
import resource
import subprocess
import threading
import time

TICK = os.sysconf('SC_CLK_TCK')
ENV = {k: v for k, v in os.environ.items() if not k.startswith('GPUTAB_') and not k.lower().endswith('_proxy')}
ENV['GPUTAB_CONFIG'] = ''                # no settings


# A child's peak counts from before it became another program, so that it is at least the runner's own, which must stay small.
FLOOR_MIB = 40


class Cost:
    """Seconds, and MiB."""

    def __init__(self, wall, cpu, peak, server=0.0, text=''):
        self.wall, self.cpu, self.peak, self.server, self.text = wall, cpu, peak, server, text


def cpu_of(pid):
    with open('/proc/%d/stat' % pid, encoding='ascii') as f:
        parts = f.read().rpartition(')')[2].split()
    return (int(parts[11]) + int(parts[12])) / TICK


def run(args, server=None, cwd=None, timeout=1800, out=subprocess.DEVNULL, stdin=subprocess.DEVNULL):
    """The cost of a command that must succeed; its standard error is in text. `server` is the process that it talks to."""
    if resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024 > FLOOR_MIB:
        raise RuntimeError('the runner itself needs more than %d MiB: peaks would say nothing' % FLOOR_MIB)
    before = cpu_of(server) if server else 0.0
    start = time.monotonic()
    p = subprocess.Popen(args, cwd=cwd, env=ENV, stdin=stdin, stdout=out, stderr=subprocess.PIPE)
    watch = threading.Timer(timeout, p.kill)
    watch.start()
    try:
        text = p.stderr.read().decode('utf-8', 'replace')
        _, status, usage = os.wait4(p.pid, 0)
    finally:
        watch.cancel()
        p.stderr.close()
    wall = time.monotonic() - start
    p.returncode = os.waitstatus_to_exitcode(status)
    if p.returncode != 0:
        raise RuntimeError('%s: exit %d: %s' % (' '.join(args[:2]), p.returncode, text.strip()[-500:]))
    return Cost(wall, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024, cpu_of(server) - before if server else 0.0, text)


def best(costs):
    """Others use the machine too: the shortest times of several runs, and their largest peak."""
    return Cost(min(c.wall for c in costs), min(c.cpu for c in costs), max(c.peak for c in costs), min(c.server for c in costs))


def first_line(args):
    p = subprocess.run(args, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, env=ENV, timeout=60)
    return p.stdout.decode().splitlines()[0].strip()


def commit():
    """The commit that is measured, with + for changes on top; nothing outside a repository."""
    try:
        text = first_line(['git', '-C', os.path.dirname(os.path.abspath(__file__)), 'describe', '--always', '--exclude=*', '--dirty=+'])
    except (OSError, IndexError):
        return ''
    return '' if text.startswith('fatal') else ' at ' + text


def from_proc(path, key):
    with open(path, encoding='utf-8') as f:
        return next((line.split(':', 1)[1].strip() for line in f if line.startswith(key)), 'unknown')


def machine():
    return '%s, %d cores, %d GiB, Linux %s' % (from_proc('/proc/cpuinfo', 'model name'), os.cpu_count(),
                                              round(int(from_proc('/proc/meminfo', 'MemTotal').split()[0]) / 2**20), platform.release())


def stamp():
    load = os.getloadavg()
    return '%s, load average %.1f (1 min), %.1f (15 min)' % (datetime.datetime.now(datetime.timezone.utc).strftime('%Y-%m-%d %H:%M UTC'),
                                                            load[0], load[2])
