"""Servers that a settings file names: how it says to get in, further parameters, several of them, and metric families of its own."""
import json
import os
import tempfile
import urllib.parse

import access
import stub

SECRET, ACCOUNT = stub.SECRET, stub.ACCOUNT


def write(folder, text):
    name = os.path.join(tempfile.mkdtemp(dir=folder), 'gputab.yaml')      # tests run side by side
    with open(name, 'w', encoding='utf-8') as f:
        f.write('schema: gputab.settings/1\n' + text)
    return name


def parameters(t, folder):
    """Those that Thanos wants stand in every question, a list of them one by one. Remote read cannot send them, and is not tried."""
    server = stub.Stub(t.stub.path)
    try:
        name = write(folder, 'sources: [{prometheus: "%s", params: {dedup: "true", partial_response: "false", '
                             'max_source_resolution: 0s, "storeMatch[]": [\'{a="b"}\', c]}}]\n' % server.base('ok'))
        refused = t.report_of('--config', name, '--transport', 'remote-read')
        r = t.report_of('--config', name)
        others = set(server.elsewhere('ok'))
        asked = [urllib.parse.parse_qs(q['body'].decode()) for q in server.log('ok')]
    finally:
        server.close()
    if r.code != 0 or r.report() != t.file.report():
        return 'exit %d: %s' % (r.code, r.err)
    if others != {'api/v1/export'}:
        return repr(others)
    if refused.code != 2 or refused.err != 'gputab: %s: params cannot be sent by remote read\nhint: they go with the transports query and export\n' % server.base('ok'):
        return 'exit %d: %s' % (refused.code, refused.err)
    wanted = {'dedup': ['true'], 'partial_response': ['false'], 'max_source_resolution': ['0s'], 'storeMatch[]': ['{a="b"}', 'c']}
    good = all({k: v for k, v in q.items() if k not in ('query', 'time')} == wanted for q in asked)
    return None if asked and good else repr(asked[:1])


def two_servers(t, folder):
    """One of them has nothing: the rows are those of the other, and both are named."""
    empty = os.path.join(tempfile.mkdtemp(dir=folder), 'empty.om')
    with open(empty, 'w', encoding='utf-8') as f:
        f.write('# EOF\n')
    server, other = stub.Stub(t.stub.path), stub.Stub(empty)
    try:
        r = t.report_of('--config', write(folder, 'sources:\n  - {name: a, prometheus: "%s"}\n  - {name: b, prometheus: "%s"}\n'
                                          % (server.base('ok'), other.base('ok'))), '--transport', 'query')
        named = [server.base('ok'), other.base('ok')]
    finally:
        server.close()
        other.close()
    if r.code != 0:
        return 'exit %d: %s' % (r.code, r.err)
    got, wanted = json.loads(r.out), json.loads(t.file.out)
    if got['rows'] != wanted['rows'] or [m['source'] for m in got['metrics']] != named:
        return repr((got['rows'], got['metrics']))
    return None


def add(t, folder):
    base = t.stub.base

    def settings(scenario, **keys):
        own = tempfile.mkdtemp(dir=folder)      # tests run side by side
        name = os.path.join(own, 'gputab.yaml')
        for key in [k for k in keys if k.endswith('_file')]:
            with open(os.path.join(own, key), 'w', encoding='utf-8') as f:
                f.write(keys[key] + '\n' if keys[key] else '')
            keys[key] = key                     # in the folder of the settings
        with open(name, 'w', encoding='utf-8') as f:
            f.write('schema: gputab.settings/1\nsources:\n  - prometheus: %s\n    transport: query\n' % base(scenario))
            f.writelines('    %s: %s\n' % item for item in keys.items())
        return name

    def same(scenario, keys, **environment):
        r = t.report_of('--config', settings(scenario, **keys), **environment)
        if r.code != 0 or r.err != t.file.err:
            return 'exit %d: %s' % (r.code, r.err)
        return None if r.report() == (of_file(keys['name']) if 'name' in keys else t.file).report() else 'not the report of the file'

    def of_file(name):
        return t.report_of('--config', write(folder, 'sources: [{name: %s, metrics: "%s"}]\n' % (name, os.path.abspath(t.stub.path))))

    def fails(scenario, keys, message, code, **environment):
        name = settings(scenario, **keys)
        r = t.report_of('--config', name, **environment)
        good = r.code == code and r.err.replace(os.path.dirname(name), 'FOLDER') == message and not r.out
        return None if good else 'exit %d: %s' % (r.code, r.err)

    unauthorized = 'gputab: %s: answers 401 Unauthorized\n%s' % (base('bearer'), access.LOG_IN)
    t.add('settings: a token', same, 'bearer', dict(token_file=SECRET))
    t.add('settings: a token before that of the environment', same, 'bearer', dict(token_file=SECRET), GPUTAB_PROM_TOKEN='wrong')
    t.add('settings: a token before that of its name', same, 'bearer', dict(name='eu', token_file=SECRET), GPUTAB_PROM_EU_TOKEN='wrong',
          GPUTAB_PROM_USER='tina')
    t.add('settings: none, and one of its name', same, 'bearer', dict(name='eu'), GPUTAB_PROM_EU_TOKEN=SECRET, GPUTAB_PROM_TOKEN='wrong')
    t.add('settings: none, and one in the environment', same, 'bearer', {}, GPUTAB_PROM_TOKEN=SECRET)
    t.add('settings: another way in, and nothing of the environment', fails, 'bearer', dict(user='tina'), unauthorized, 3,
          GPUTAB_PROM_TOKEN=SECRET)
    t.add('settings: user and password', same, 'basic', dict(user='tina', password_file=SECRET))
    t.add('settings: headers', same, 'bearer', dict(headers_file='Authorization: Bearer ' + SECRET))
    t.add('settings: the tenant', same, 'bearer', dict(token_file=SECRET, tenant='tenant-1'))
    t.add('settings: the tenant, and a token in the environment', same, 'bearer', dict(tenant='tenant-1'), GPUTAB_PROM_TOKEN=SECRET,
          GPUTAB_PROM_TENANT='tenant-2')
    t.add('settings: a signature, and a token in the environment', same, 'signed', dict(sigv4_region=ACCOUNT['region']),
          GPUTAB_PROM_TOKEN='wrong', AWS_ACCESS_KEY_ID=ACCOUNT['key'], AWS_SECRET_ACCESS_KEY=SECRET, AWS_SESSION_TOKEN=ACCOUNT['session'])
    t.add('settings: another tenant', fails, 'bearer', dict(token_file=SECRET, tenant='tenant-2'), unauthorized, 3)
    t.add('settings: an empty token file', fails, 'ok', dict(token_file=''),
          'gputab: token_file: the file "FOLDER/token_file" is empty\n', 2)
    t.add('settings: own families', own_families, t, folder)
    t.add('settings: parameters', parameters, t, folder)
    t.add('settings: two servers', two_servers, t, folder)


RENAMED = {'DCGM_FI_DEV_FB_': 'odd_', 'UUID=': 'card=', 'exported_namespace=': 'tenant=', 'exported_pod=': 'workload=',
           'exported_container=': 'part='}
LABELS = '{uuid: card, namespace: tenant, pod: workload, container: part}'


def own_families(t, folder):
    """The case by an exporter of other names, which only the settings know: the same report, from a file and from a server."""
    with open(t.stub.path, encoding='utf-8') as f:
        text = f.read()
    for old, new in RENAMED.items():
        text = text.replace(old, new)
    own = tempfile.mkdtemp(dir=folder)
    with open(os.path.join(own, 'metrics.om'), 'w', encoding='utf-8') as f:
        f.write(text)
    odd = stub.Stub(os.path.join(own, 'metrics.om'))
    try:
        for source in ('metrics: metrics.om', 'transport: query, prometheus: ' + odd.base('ok')):
            with open(os.path.join(own, 'gputab.yaml'), 'w', encoding='utf-8') as f:
                f.write('schema: gputab.settings/1\nsources: [{%s}]\nfamilies:\n' % source)
                for meaning in ('used', 'free', 'total', 'reserved'):
                    f.write('  - {name: odd_%s, unit: mib, meaning: %s, labels: %s}\n' % (meaning.upper(), meaning, LABELS))
            r = t.report_of('--config', os.path.join(own, 'gputab.yaml'))
            if r.code != 0 or r.err != t.file.err or r.report() != t.file.report():
                return '%s: exit %d, not the report of the case: %s' % (source, r.code, r.err)
    finally:
        odd.close()
    return None
