"""How servers are asked: what --transport auto does with those that speak the query API alone, and several servers in one report."""
import json
import os
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

    for scenario in WHY:
        t.add('auto: ' + scenario, falls_back, scenario)
    t.add('auto: 401', stays, '401', 'answers 401 Unauthorized: Unauthorized\n' + access.LOG_IN)
    t.add('auto: 503', stays, '503', 'answers 503 Service Unavailable: %s (6 attempts)\n' % stub.error('unavailable', 'starting').decode())
    for way in 'remote-read', 'export':
        t.add('%s: 405' % way, stays, 'only-query-405', 'answers 405 Method Not Allowed\n' + OTHER_WAY, '--transport', way)
    two, login = {'GPUTAB_PROM_US_USER': 'tina', 'GPUTAB_PROM_US_PASSWORD': SECRET}, {'GPUTAB_PROM_EU_1_TOKEN': SECRET}
    t.add('several servers', several, '', '--prometheus', 'eu-1=%(one)s', '--prometheus', 'us=%(two)s', **two, **login)
    t.add('several servers of settings', several,
          'sources: [{name: eu-1, prometheus: "%(one)s", token_file: token}, {name: us, prometheus: "%(two)s"}]\n', **two,
          GPUTAB_PROM_TOKEN='wrong')
    t.add('a server and a file', several, 'sources: [{name: us, metrics: "%(file)s"}, {name: eu-1, prometheus: "%(one)s"}]\n', **login)
