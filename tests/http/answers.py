"""Remote read and VictoriaMetrics' export of a server that misbehaves: the file's report, or an exact message."""
import os

import exported
import stub

SECRET = stub.SECRET
PARTS = 'a line of an export without a metric, or with other numbers of values and of timestamps (line 1, column %d)'
NOT_READ = 'the answer cannot be read: '
FRAME = NOT_READ + 'frame at byte %d: %s'
HINT = 'hint: --prometheus takes the part of the address before /api/v1/query\n'
OTHER = 'hint: --transport auto takes another one\n'

# Scenarios that give the file's report, and how many requests more than an undisturbed run they take (None: not asked).
SAME = {'read-ok': 0, 'read-tiny': 0, 'read-odd': 0, 'read-overlapping': 0, 'read-stale': 0, 'read-samples': 0,
        'read-slow': 0, 'read-reset-once': 1, 'read-cut-once': 1, 'read-cut-short-once': 1, 'read-429-once': 1, 'read-503-once': 1,
        'read-samples-cut-once': 1, 'read-limit': None,
        'export-ok': 0, 'export-rows': 0, 'export-odd': 0, 'export-nulls': 0, 'export-slow': 0, 'export-cut-once': 1,
        'export-reset-once': 1, 'export-429-once': 1, 'export-limit': None, 'export-late-limit': None, 'export-timeout': None}

# Scenarios that fail: the message behind the server's address, and a hint.
FAILS = {
    'read-crc': (FRAME % (0, 'its checksum is wrong'), ''),
    'read-length': (FRAME % (0, 'it is longer than 64 MiB'), ''),
    'read-too-long': (FRAME % (0, 'it is longer than 64 MiB'), ''),
    'read-nonsense': (FRAME % (0, 'no message of remote read'), ''),
    'read-stranger': (NOT_READ + 'a series that was not asked for', ''),
    'read-chunk': (NOT_READ + 'a chunk of samples is damaged', ''),
    'read-one-frame': (FRAME % (0, 'its checksum is wrong'), ''),
    'read-many-samples': (NOT_READ + 'a series has more than 4194304 samples in one answer', ''),
    'read-bomb': (FRAME % (0, 'its checksum is wrong'), ''),
    'read-many-labels': (NOT_READ + 'the names in labels are longer than 512 MiB together', ''),
    'read-xor2': ('frame at byte 0: a chunk in encoding 4, which is not XOR (1)', OTHER),
    'export-lengths': (NOT_READ + PARTS % len(exported.one('[1,2]', '[1791158460000]').rstrip()), ''),
    'export-two': (NOT_READ + "'{' where the end should be (line 1, column %d)" % (len(exported.one('[1]', '[1791158460000]')) + 1), ''),
    'export-html': ('answers with HTML, not lines of JSON',
                    'hint: a login page or another service answers here; give the server\'s own address\n'),
    'export-text': ('the query failed: disk \ufffd on fire', ''),
    'export-time': (NOT_READ + 'a timestamp is no number of milliseconds (line 1, column %d)' %
                    ((exported.one('[1]', '["!').index('"!') + 1)), ''),
    'export-value': (NOT_READ + 'a sample\'s value is no number (line 1, column %d)' % (exported.one('[!', '').index('!') + 1), ''),
    'export-hex': (NOT_READ + 'a sample\'s value is no number (line 1, column %d)' % (exported.one('[!', '').index('!') + 1), ''),
    'export-nameless': (NOT_READ + 'a series without the name of its metric (line 1, column 41)', ''),
    'export-stranger': (NOT_READ + 'a series that was not asked for (line 1, column 56)', ''),
    'export-no-metric': (NOT_READ + PARTS % 29, ''),
    'export-endless': (NOT_READ + 'a line of an export has more than 4194304 samples (line 1, column 8388632)', ''),
}
# And these by how they begin.
BREAK_OFF = {'read-cut': 'the answer breaks off after ', 'export-cut': 'the answer breaks off after ',
             'read-samples-nonsense': NOT_READ, 'read-snappy-bomb': NOT_READ}

# How much of an answer without an end is taken at most, in MiB; memory also with sanitizers.
MOST_SENT = {'read-many-samples': 96, 'read-one-frame': 160, 'read-many-labels': 640, 'export-endless': 48}
MEMORY_MIB = 1400


def way(scenario):
    return {'read': 'remote-read', 'export': 'export'}[scenario.partition('-')[0]]


def count(t, scenario):
    """The questions of an undisturbed run."""
    own = stub.Stub(t.stub.path)
    t.report_of('--prometheus', own.base(scenario), '--transport', way(scenario))
    own.close()
    return len(own.questions(scenario))


def add(t, folder):
    undisturbed = {way(scenario): count(t, scenario) for scenario in ('read-ok', 'export-ok')}

    def same(scenario, more):
        base = t.stub.base(scenario)
        r = t.report_of('--prometheus', base, '--transport', way(scenario))
        if r.code != 0 or r.report() != t.file.report() or r.err != t.file.err:
            return 'exit %d, not the report of the file: %s' % (r.code, r.err)
        n, plain = len(t.stub.questions(scenario)), undisturbed[way(scenario)]
        if more is not None and n != plain + more:
            return '%d requests, expected %d' % (n, plain + more)
        return None if n > plain or more is not None else 'nothing was asked again'

    def fails(scenario, message, hint):
        base = t.stub.base(scenario)
        r = t.report_of('--prometheus', base, '--transport', way(scenario))
        wanted = 'gputab: %s: %s\n%s' % (base, message, hint)
        if r.code != 3 or r.err != wanted or r.out:
            return 'exit %d\n  got:    %r\n  wanted: %r' % (r.code, r.err, wanted)
        sent = max([0] + [q.get('sent', 0) for q in t.stub.questions(scenario)]) / (1 << 20)
        if scenario in MOST_SENT and not 0 < sent < MOST_SENT[scenario] or r.mib > MEMORY_MIB:
            return '%.1f MiB sent, %.1f MiB needed' % (sent, r.mib)
        return None

    def breaks_off(scenario, begin):
        base = t.stub.base(scenario)
        r = t.report_of('--prometheus', base, '--transport', way(scenario))
        lines = r.err.splitlines()
        good = r.code == 3 and len(lines) == 1 and lines[0].startswith('gputab: %s: %s' % (base, begin))
        if begin != NOT_READ:
            good = good and lines[0].endswith(' (6 attempts)')
        return None if good and r.mib < MEMORY_MIB else 'exit %d, %.0f MiB: %s' % (r.code, r.mib, r.err)

    def another_encoding(scenario):
        """Chunks in an encoding of tomorrow, sooner or later: the query API brings the rest, and what was read stays."""
        own = stub.Stub(t.stub.path)
        base = own.base(scenario)
        r = t.report_of('--prometheus', base, '-v')
        said = [x for x in r.err.splitlines() if base in x]
        own.close()
        if r.code != 0 or r.report() != t.file.report() or len(said) != 1:
            return 'exit %d, not the report of the file: %s' % (r.code, r.err)
        good = said[0].startswith('gputab: read %s by query (remote read: frame at byte 0: a chunk in encoding 4' % base)
        read, asked = len(own.questions(scenario)), len(own.log(scenario))
        first = 1 if scenario == 'read-xor2' else 5
        good = good and asked and first <= read < undisturbed['remote-read'] / 2
        return None if good else '%r, %d and %d questions' % (said, read, asked)

    def gone(scenario):
        """A way that has brought good answers is not left for another one: what it refuses now is missing."""
        base = t.stub.base(scenario)
        r = t.report_of('--prometheus', base)
        wanted = 'gputab: %s: answers 404 Not Found: no such page\n%s' % (base, HINT)
        return None if r.code == 3 and r.err == wanted and not r.out and not t.stub.log(scenario) else 'exit %d: %s' % (r.code, r.err)

    def asks():
        """For chunks, or else for samples; windows of a day adjoin in one lane, none of their samples twice."""
        t.report_of('--prometheus', t.stub.base('read-odd'), '--transport', 'remote-read')
        q = [x for x in t.stub.questions('read-odd') if 'DCGM_FI_DEV_FB_USED' in x['names']][-3:]
        h = q[0]['headers']
        day = 1791158400000                            # 2026-10-05; max_gap is an hour here
        times = [(x['start'], x['end']) for x in q]
        if times != [(day - 3601000 + 1, day), (day + 1, day + 86400000), (day + 86400000 + 1, day + 90000000)]:
            return repr(times)
        wanted = {'Content-Encoding': 'snappy', 'Content-Type': 'application/x-protobuf', 'X-Prometheus-Remote-Read-Version': '0.1.0',
                  'Accept-Encoding': 'identity'}
        good = all(x['accepted'] == [1, 0] for x in q) and all(h.get(k) == v for k, v in wanted.items())
        return None if good else repr(q[0])

    def elsewhere():
        """A redirect to another server, which hears nothing of it."""
        other = stub.Stub(t.stub.path)
        base = t.stub.base('read-redirects/%d' % other.server.server_address[1])
        r = t.report_of('--prometheus', base, '--transport', 'remote-read', GPUTAB_PROM_TOKEN=SECRET)
        heard = (other.logs, other.asked, other.others)
        wanted = 'gputab: %s: redirects to %s/api/v1/read, which is not followed\n' % (base, other.base('read-ok'))
        wanted += 'hint: if that is the server you mean, give its address\n'
        other.close()
        return None if r.code == 3 and r.err == wanted and not any(heard) else 'exit %d: %s %r' % (r.code, r.err, heard)

    def tenant():
        """Mimir by remote read: who asks, and for whom."""
        with open(os.path.join(folder, 'read.yaml'), 'w', encoding='utf-8') as f:
            f.write('schema: gputab.settings/1\nsources: [{prometheus: "%s", transport: remote-read, tenant: tenant-1}]\n'
                    % t.stub.base('read-login'))
        r = t.report_of('--config', os.path.join(folder, 'read.yaml'), GPUTAB_PROM_TOKEN=SECRET)
        return None if r.code == 0 and r.report() == t.file.report() else 'exit %d: %s' % (r.code, r.err)

    def parameters():
        """Further parameters stand in every question to the export."""
        own = stub.Stub(t.stub.path)
        with open(os.path.join(folder, 'export.yaml'), 'w', encoding='utf-8') as f:
            f.write('schema: gputab.settings/1\nsources: [{prometheus: "%s", transport: export, params: {extra_label: [a=b, c=d]}}]\n'
                    % own.base('export-ok'))
        r = t.report_of('--config', os.path.join(folder, 'export.yaml'))
        own.close()
        good = all(q['params'] == {'extra_label': ['a=b', 'c=d']} for q in own.questions('export-ok'))
        return None if r.code == 0 and r.report() == t.file.report() and good else 'exit %d: %s' % (r.code, r.err)

    def victoria():
        """What refuses remote read and speaks the export is asked in this way by itself; a limit at once is no reason to go on."""
        own = stub.Stub(t.stub.path)
        fault = None
        for scenario in 'export-ok', 'export-limit':
            base = own.base(scenario)
            r = t.report_of('--prometheus', base, '-v')
            said = [x for x in r.err.splitlines() if base in x]
            if r.code != 0 or r.report() != t.file.report() or own.log(scenario):
                fault = 'exit %d, %d questions of the query API: %s' % (r.code, len(own.log(scenario)), r.err)
            elif not said[0].startswith('gputab: read %s by export (remote read: answers 404 Not Found: 404 page not found)' % base):
                fault = repr(said)
        own.close()
        return fault

    for scenario, more in SAME.items():
        t.add(scenario, same, scenario, more)
    for scenario, (message, hint) in FAILS.items():
        t.add(scenario, fails, scenario, message, hint)
    for scenario, begin in BREAK_OFF.items():
        t.add(scenario, breaks_off, scenario, begin)
    for scenario in 'read-xor2', 'read-xor2-later':
        t.add('auto: ' + scenario, another_encoding, scenario)
    for scenario in 'read-gone', 'export-gone':
        t.add('auto: ' + scenario, gone, scenario)
    for test in (asks, elsewhere, tenant, parameters, victoria):
        t.add('answers: ' + test.__name__, test)
