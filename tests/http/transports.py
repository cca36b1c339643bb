"""How servers are asked: what --transport auto does with those that speak the query API alone, and several servers in one report."""
import json
import os
import subprocess
import tempfile

import access
import stub

SECRET = stub.SECRET
# What is said of the way by which a server that speaks the query API alone was tried first.
WHY = {'only-query-404': 'answers 404 Not Found: 404 page not found', 'only-query-405': 'answers 405 Method Not Allowed',
       'only-query-501': 'answers 501 Not Implemented', 'only-query-html': 'answers with HTML, not ',
       'only-query-late': 'answers 404 Not Found: 404 page not found',
       'only-query-json': 'the answer is of another type, application/json'}
OTHER_WAY = 'hint: perhaps it does not speak this transport: --transport auto finds out what it speaks\n'
OTHERS = {'api/v1/read', 'api/v1/export'}


def add(t, case, folder):
    def falls_back(scenario):
        """The query API in the end, said once and with -v only; what was tried before is not asked for every window."""
        own = stub.Stub(t.stub.path)
        base = own.base(scenario)
        quiet, r = t.report_of('--prometheus', base), t.report_of('--prometheus', base, '-v')
        elsewhere = own.elsewhere(scenario)
        own.close()
        if quiet.code != 0 or r.code != 0 or quiet.err != t.file.err or quiet.report() != t.file.report() or r.out != quiet.out:
            return 'exit %d and %d, not the report of the file: %s' % (quiet.code, r.code, r.err)
        lines = [x for x in r.err.splitlines() if base in x]
        if len(lines) != 1 or not lines[0].startswith('gputab: read %s by query (remote read: %s' % (base, WHY[scenario])):
            return repr(r.err)
        return None if set(elsewhere) == OTHERS and len(elsewhere) <= 32 else repr(elsewhere)

    def stays(scenario, message, *transport):
        """An answer of which another transport would be no better: that is an error, and nothing else was tried."""
        own = stub.Stub(t.stub.path)
        base = own.base(scenario)
        r = t.report_of('--prometheus', base, *transport)
        asked, elsewhere = own.log(scenario), own.elsewhere(scenario)
        own.close()
        if r.code != 3 or r.err != 'gputab: %s: %s' % (base, message) or r.out:
            return 'exit %d: %s' % (r.code, r.err)
        return None if not asked and len(set(elsewhere)) == 1 else repr((len(asked), elsewhere))

    def another_cluster():
        """The case once more: the same names, another node of the bill and another card. The paths of its metrics and its bill."""
        paths = [os.path.join(folder, 'another-' + name) for name in ('metrics.om', 'billing.csv')]
        for path in paths:
            with open(os.path.join(case, os.path.basename(path).removeprefix('another-')), encoding='utf-8') as f:
                text = f.read().replace('i-0aaa0000000000001', 'i-0bbb0000000000002').replace('GPU-a0000001', 'GPU-b0000002')
            with open(path, 'w', encoding='utf-8') as f:
                f.write(text)
        return paths

    another_metrics, another_bill = another_cluster()

    def several(sources, *args, **environment):
        """24 h at 6.88 are 165.12, in each of two clusters. Each server lets in whom the other does not."""
        servers = stub.Stub(t.stub.path), stub.Stub(another_metrics)
        own = tempfile.mkdtemp(dir=folder)
        place = {'one': servers[0].base('bearer'), 'two': servers[1].base('basic'), 'file': another_metrics}
        with open(os.path.join(own, 'token'), 'w', encoding='utf-8') as f:
            f.write(SECRET)
        with open(os.path.join(own, 'gputab.yaml'), 'w', encoding='utf-8') as f:
            f.write('schema: gputab.settings/1\n' + sources % place)
        args = ['--config', os.path.join(own, 'gputab.yaml'), '--billing', another_bill] + [a % place for a in args]
        fault = None
        for where, total in ((), '330.24'), (('--where', 'cluster=eu-1'), '165.12'), (('--where', 'cluster=us'), '165.12'):
            r = t.report_of(*args, *where, **environment)
            rows = [(x['team'], x['total_cost']) for x in json.loads(r.out)['rows']] if r.out else None
            if r.code != 0 or r.err != t.file.err or rows != [('team-a', total)]:
                fault = fault or '%s: exit %d: %s %s' % (where, r.code, r.err, r.out)
        for s in servers:
            s.close()
        return fault

    def side_by_side():
        """A server that takes its time holds up nobody, and the names of both are their clusters'."""
        servers = stub.Stub(t.stub.path), stub.Stub(another_metrics)
        args = ['--prometheus', 'slow=' + servers[0].base('lingers'), '--prometheus', 'fast=' + servers[1].base('ok'),
                '--transport', 'query', '--billing', another_bill]
        own = ['--from', '2026-10-05', '--to', '2026-10-06', '--by', 'cluster']
        r, swapped = t.report_of(*args, own=own), t.report_of(*args[2:4], *args[:2], *args[4:], own=own)
        slow, fast = servers[0].log('lingers'), servers[1].log('ok')
        for s in servers:
            s.close()
        rows = [[(x['cluster'], x['total_cost']) for x in json.loads(x.out)['rows']] if x.out else None for x in (r, swapped)]
        if r.code or rows != [[('fast', '165.12'), ('slow', '165.12')]] * 2:
            return 'exit %d: %s %r' % (r.code, r.err, rows)
        return None if fast[len(fast) // 2 - 1]['at'] < slow[len(slow) // 2 - 1]['end'] - 0.3 else 'one after the other'

    def one_fails():
        """Its own address is in the message, whatever the other one does."""
        servers = stub.Stub(t.stub.path), stub.Stub(another_metrics)
        bad = servers[1].base('422')
        r = t.report_of('--prometheus', 'a=' + servers[0].base('ok'), '--prometheus', 'b=' + bad, '--transport', 'query')
        for s in servers:
            s.close()
        wanted = 'gputab: %s: answers 422 Unprocessable Content: execution: found duplicate series\n' % bad
        return None if r.code == 3 and r.err == wanted and not r.out else 'exit %d: %s' % (r.code, r.err)

    def no_numbers():
        """A third of the samples is NaN: counted alike from a file, by chunks and by the query API; the export cannot tell them from
        stale markers, and says nothing."""
        path = os.path.join(folder, 'nan.om')
        with open(t.stub.path, encoding='utf-8') as f, open(path, 'w', encoding='utf-8') as out:
            for n, line in enumerate(f):
                labels, *rest = line.rsplit(' ', 2)
                out.write('%s NaN %s' % (labels, rest[1]) if line.startswith('DCGM') and n % 3 == 0 else line)
        own = stub.Stub(path)
        file = t.report_of('--metrics', path)
        for base, way in (('read-ok', 'remote-read'), ('read-samples', 'remote-read'), ('ok', 'query'), ('export-ok', 'export')):
            r = t.report_of('--prometheus', own.base(base), '--transport', way)
            a, b = (json.loads(x.out) if x.out else {} for x in (file, r))
            if way == 'export':
                a['warnings'] = [w for w in a['warnings'] if w['code'] != 'W110']
                a['run_id'] = b['run_id']
            for x in a, b:
                x['metrics'] = [m['sha256'] for m in x['metrics']]
            if 'W110' not in file.err or r.code or a != b or (way != 'export' and r.err != file.err):
                return '%s: exit %d: %s' % (base, r.code, r.err)
        own.close()
        return None

    def annotations():
        """Asked for where a line of the rule needs them, and nowhere else."""
        own, path = stub.Stub(t.stub.path), os.path.join(folder, 'annotations.yaml')
        with open(path, 'w', encoding='utf-8') as f:
            f.write('schema: gputab.rule/1\nowners: [{pod_annotation: {name: owner}, team: "{value}"}]\n')
        asked = []
        for rule in ('rule.yaml', path):
            before = len(own.log('ok'))
            cmd = [rule if a == 'rule.yaml' else a for a in t.command('--prometheus', own.base('ok'), '--transport', 'query', '-q')]
            r = subprocess.run(cmd, cwd=t.folder, env=t.environment(), stdin=subprocess.DEVNULL, capture_output=True, check=False)
            queries = ' '.join(q['query'] for q in own.log('ok')[before:])
            asked.append((r.returncode, 'kube_pod_annotations' in queries, 'kube_namespace_annotations' in queries))
        own.close()
        return None if asked == [(0, False, False), (0, True, False)] else repr(asked)

    def a_month():
        """Raw samples have no limit of 11,000 points of a series; and a window of six hours has 361 a minute apart."""
        path, begin = os.path.join(folder, 'month.om'), 1790812800         # 2026-10-01
        labels = '{UUID="GPU-1",Hostname="n",modelName="Tesla T4",gpu="0",namespace="a",pod="p",container="c"}'
        with open(path, 'w', encoding='utf-8') as f:
            for name in 'DCGM_FI_DEV_FB_USED', 'DCGM_FI_DEV_FB_FREE':
                f.writelines('%s%s %d %d\n' % (name, labels, 7000 + at % 5, begin + 60 * at) for at in range(31 * 1440))
            f.write('# EOF\n')
        own = stub.Stub(path)
        a = t.report_of('--metrics', path, own=['--month', '2026-10'])
        b = t.report_of('--prometheus', own.base('points'), '--transport', 'query', own=['--month', '2026-10'])
        most = max(q.get('points', 0) for q in own.log('points'))
        own.close()
        good = b.code == a.code == 0 and b.report() == a.report() and most == 361
        return None if good else 'exit %d, %d points: %s' % (b.code, most, b.err)

    for scenario in WHY:
        t.add('auto: ' + scenario, falls_back, scenario)
    t.add('auto: 401', stays, '401', 'answers 401 Unauthorized: Unauthorized\n' + access.LOG_IN)
    t.add('auto: 503', stays, '503', 'answers 503 Service Unavailable: %s (6 attempts)\n' % stub.error('unavailable', 'starting').decode())
    for way in 'remote-read', 'export':
        t.add('%s: 405' % way, stays, 'only-query-405', 'answers 405 Method Not Allowed\n' + OTHER_WAY, '--transport', way)
    two, login = {'GPUTAB_PROM_US_USER': 'tina', 'GPUTAB_PROM_US_PASSWORD': SECRET}, {'GPUTAB_PROM_EU_1_TOKEN': SECRET}
    for test in (annotations, side_by_side, one_fails, no_numbers, a_month):
        t.add('transports: ' + test.__name__, test)
    t.add('several servers', several, '', '--prometheus', 'eu-1=%(one)s', '--prometheus', 'us=%(two)s', **two, **login)
    t.add('several servers of settings', several,
          'sources: [{name: eu-1, prometheus: "%(one)s", token_file: token}, {name: us, prometheus: "%(two)s"}]\n', **two,
          GPUTAB_PROM_TOKEN='wrong')
    t.add('a server and a file', several, 'sources: [{name: us, metrics: "%(file)s"}, {name: eu-1, prometheus: "%(one)s"}]\n', **login)
