"""How gputab gets in, or does not: tokens, passwords, headers, certificates, and addresses that hold what they should not."""
import hashlib
import json
import os
import shutil
import ssl
import subprocess

import sigv4
import stub

SECRET = stub.SECRET
LOG_IN = 'hint: credentials come from GPUTAB_PROM_TOKEN_FILE, or GPUTAB_PROM_USER and GPUTAB_PROM_PASSWORD_FILE, see gputab(1)\n'


def with_file(t, folder, variable, text, test):
    path = os.path.join(folder, variable)
    with open(path, 'w', encoding='utf-8') as f:
        f.write(text)
    return test(path)


def add_access(t, folder):
    base = t.stub.base
    t.add('a token from the environment', t.same, 'bearer', GPUTAB_PROM_TOKEN=SECRET)
    t.add('a token from a file', with_file, t, folder, 'token', SECRET + '\n', lambda p: t.same('bearer', GPUTAB_PROM_TOKEN_FILE=p))
    t.add('user and password', t.same, 'basic', GPUTAB_PROM_USER='tina', GPUTAB_PROM_PASSWORD=SECRET)
    t.add('a password from a file', with_file, t, folder, 'password', SECRET + '\r\n',
          lambda p: t.same('basic', GPUTAB_PROM_USER='tina', GPUTAB_PROM_PASSWORD_FILE=p))
    t.add('headers', with_file, t, folder, 'headers', '# who\n\nX-Scope-OrgID: tenant-1\nAuthorization: Bearer %s\n' % SECRET,
          lambda p: t.same('bearer', GPUTAB_PROM_HEADERS_FILE=p))
    t.add('another tenant', with_file, t, folder, 'tenant', 'X-Scope-OrgID: tenant-2\n',
          lambda p: t.fails(base('bearer'), 'answers 401 Unauthorized', LOG_IN, GPUTAB_PROM_TOKEN=SECRET, GPUTAB_PROM_HEADERS_FILE=p))
    t.add('a bad header', with_file, t, folder, 'bad', 'X-A: 1\nno header\n',
          lambda p: t.fails(base('ok'), '%s:2: GPUTAB_PROM_HEADERS_FILE: this line is not of the form Name: value' % p, code=2,
                            GPUTAB_PROM_HEADERS_FILE=p))
    t.add('the wrong token', t.fails, base('bearer'), 'answers 401 Unauthorized', LOG_IN, GPUTAB_PROM_TOKEN='wrong')
    t.add('a token that comes back', t.fails, base('parrot'), 'answers 400 Bad Request: bad_data: cannot read the header Bearer ***',
          GPUTAB_PROM_TOKEN=SECRET)
    t.add('a password that comes back', t.fails, base('parrot'), 'answers 400 Bad Request: bad_data: cannot read the header Basic ***',
          GPUTAB_PROM_USER='tina', GPUTAB_PROM_PASSWORD=SECRET)
    t.add('two ways in', t.fails, base('ok'), 'both GPUTAB_PROM_TOKEN and GPUTAB_PROM_TOKEN_FILE are set', code=2,
          GPUTAB_PROM_TOKEN=SECRET, GPUTAB_PROM_TOKEN_FILE='/dev/null')
    t.add('token and password', t.fails, base('ok'), 'both GPUTAB_PROM_TOKEN and GPUTAB_PROM_USER are set: which one counts?', code=2,
          GPUTAB_PROM_TOKEN=SECRET, GPUTAB_PROM_USER='tina')
    t.add('an empty token file', t.fails, base('ok'), 'GPUTAB_PROM_TOKEN_FILE: the file "/dev/null" is empty', code=2,
          GPUTAB_PROM_TOKEN_FILE='/dev/null')
    t.add('a token with a line end', t.fails, base('ok'), 'GPUTAB_PROM_TOKEN holds a line end or another control character', code=2,
          GPUTAB_PROM_TOKEN=SECRET + '\nX: y')
    t.add('no CA file', t.fails, base('ok'), 'GPUTAB_PROM_CA_FILE: "/none" cannot be read: No such file or directory', code=3, place='',
          GPUTAB_PROM_CA_FILE='/none')


def add_signature(t, folder):
    base, account = t.stub.base, stub.ACCOUNT
    region = {'GPUTAB_PROM_SIGV4_REGION': account['region']}
    key = {'AWS_ACCESS_KEY_ID': account['key'], 'AWS_SECRET_ACCESS_KEY': account['secret'], 'AWS_SESSION_TOKEN': account['session']}
    denied = 'hint: the credentials are good for something else; a tenant\'s header can stand in GPUTAB_PROM_HEADERS_FILE\n'
    own = {'GPUTAB_PROM_SIGV4_KEY_ID': account['key'], 'GPUTAB_PROM_SIGV4_SESSION': account['session']}

    def example():
        """The checker against an example that AWS publishes (get-vanilla)."""
        request = '\n'.join(('GET', '/', '', 'host:example.amazonaws.com', 'x-amz-date:20150830T123600Z', '', 'host;x-amz-date',
                             hashlib.sha256(b'').hexdigest()))
        got = sigv4.signature('wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY', '20150830', 'us-east-1', 'service', '20150830T123600Z', request)
        return None if got == '5fa00fa31553b73ebf1942676e86291e8372ff2a2260956d9b8aae1d763fbf31' else got

    def refused(why, **environment):
        got = json.loads(t.post(base('echo'), b'', **environment)[3])['refusal']
        return t.fails(base('signed'), 'answers 403 Forbidden', denied, **environment) if got == why else got

    t.add('a signature', t.same, 'signed', **region, **key)
    t.add('a signature, also of further headers', with_file, t, folder, 'signed', 'X-Scope-OrgID: 7\nA-First:  two  blanks\n',
          lambda p: t.same('signed', GPUTAB_PROM_HEADERS_FILE=p, **region, **key))
    t.add('a signature by a secret in a file', with_file, t, folder, 'secret', account['secret'] + '\n',
          lambda p: t.same('signed', GPUTAB_PROM_SIGV4_SECRET_FILE=p, AWS_ACCESS_KEY_ID='another', **region, **own))
    t.add('the signature of the example', example)
    for name, variable, value, why in (('secret', 'AWS_SECRET_ACCESS_KEY', 'wrong', 'the signature does not match'),
                                       ('session', 'AWS_SESSION_TOKEN', '', 'not the token of the session'),
                                       ('key', 'AWS_ACCESS_KEY_ID', 'AKIDOTHER', 'unknown key'),
                                       ('region', 'GPUTAB_PROM_SIGV4_REGION', 'us-east-1', 'signed for aps of us-east-1')):
        t.add('a signature of another %s' % name, refused, why, **{**region, **key, variable: value})
    t.add('no signature', refused, 'no signature', **key)


def add_requests(t):
    account = stub.ACCOUNT
    signed = {'GPUTAB_PROM_SIGV4_REGION': account['region'], 'AWS_ACCESS_KEY_ID': account['key'],
              'AWS_SECRET_ACCESS_KEY': account['secret'], 'AWS_SESSION_TOKEN': account['session']}

    def arrives(body, accept, *headers):
        head, result, why, answer = t.post(t.stub.base('echo'), body, *headers, accept=accept, **signed)
        got = json.loads(answer)
        sent = {'content-type': 'application/x-protobuf', 'accept': accept or '*/*', 'content-length': str(len(body)),
                **{h.split(': ')[0].lower(): h.split(': ')[1] for h in headers}}
        names = [n for n, _ in got['headers']]
        if head != '200 application/x-echo; version=1' or result != ('0', '200', 'application/x-echo; version=1') or why:
            return repr((head, result, why))
        if got['bytes'] != len(body) or got['hash'] != hashlib.sha256(body).hexdigest() or got['refusal']:
            return repr(got)
        return None if not sent.items() - dict(got['headers']).items() and len(names) == len(set(names)) else repr(got['headers'])

    def of_server(server, **wanted):
        """What lets into one server of several, and that nothing else goes there."""
        environment = {'GPUTAB_PROM_TOKEN': 'for-all', 'GPUTAB_PROM_TENANT': 'all|both', 'GPUTAB_PROM_EU_1_USER': 'tina',
                       'GPUTAB_PROM_EU_1_PASSWORD': SECRET, 'GPUTAB_PROM_US_TENANT': 'us'}
        got = dict(json.loads(t.post(t.stub.base('echo'), b'', server=server, **environment)[3])['headers'])
        got = {n: got.get(n) for n in ('authorization', 'x-scope-orgid')}
        return None if got == {'authorization': wanted['login'], 'x-scope-orgid': wanted['tenant']} else repr(got)

    t.add('a server without a name', of_server, '', login='Bearer for-all', tenant='all|both')
    t.add('a server with a login', of_server, 'eu-1', login='Basic dGluYTpodW50ZXIyLXZlcnktc2VjcmV0', tenant='all|both')
    t.add('a server with a tenant', of_server, 'us', login='Bearer for-all', tenant='us')
    t.add('a body of all bytes, signed', arrives, bytes(range(256)) * 1024, 'application/x-streamed', 'Content-Encoding: snappy', 'A: 1')
    t.add('a body of 3 MiB of NULs, signed', arrives, bytes(3 << 20), '')
    t.add('an empty body, signed', arrives, b'', 'text/plain')


def add_urls(t):
    secret_url = 'http://tina:%s@127.0.0.1:1' % SECRET
    t.add('a password in the URL', t.fails, secret_url, 'there is a password in the URL, where other users of the machine can see it',
          'hint: a password comes from the environment or a file, see gputab(1)\n', code=2)
    t.add('no URL', t.fails, 'prometheus:9090', '"prometheus:9090" is no URL of http or https',
          'hint: such as http://prometheus.example:9090\n', code=2)
    t.add('no URL with a secret', t.fails, 'ftp://tina:%s@x' % SECRET, 'the address of the server is no URL of http or https',
          'hint: such as http://prometheus.example:9090\n', code=2)
    t.add('a URL with a query', t.fails, t.stub.base('ok') + '?a=1', 'the URL has a query or fragment; it must be that of the server alone',
          code=2)


def make_certificate(folder, name, *more, by=None):
    """Of an authority of the test, or its own."""
    cert, key = os.path.join(folder, name + '.pem'), os.path.join(folder, name + '.key')
    if by:
        more += ('-CA', by[0], '-CAkey', by[1])
    subprocess.run(['openssl', 'req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '2',
                    '-subj', '/CN=' + name, '-keyout', key, '-out', cert] + list(more), check=True, stdout=subprocess.DEVNULL,
                   stderr=subprocess.DEVNULL)
    return cert, key


def tls_context(server, clients=None, version=ssl.TLSVersion.TLSv1_3):
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(*server)
    context.minimum_version = context.maximum_version = version
    if clients:
        context.load_verify_locations(clients[0])
        context.verify_mode = ssl.CERT_REQUIRED
    return context


def add_tls(t, folder):
    if not shutil.which('openssl'):
        print('skipped: TLS (openssl is not installed)')
        return ()
    authority = make_certificate(folder, 'ca')
    server = make_certificate(folder, 'server', '-addext', 'subjectAltName=IP:127.0.0.1', by=authority)
    elsewhere = make_certificate(folder, 'elsewhere', '-addext', 'subjectAltName=IP:127.0.0.2', by=authority)
    client, stranger = make_certificate(folder, 'client', by=authority), make_certificate(folder, 'stranger')
    tls = stub.Stub(t.stub.path, tls_context(server))
    closed = stub.Stub(t.stub.path, tls_context(server, authority))
    wary = stub.Stub(t.stub.path, tls_context(server, authority))
    wary_12 = stub.Stub(t.stub.path, tls_context(server, authority, ssl.TLSVersion.TLSv1_2))
    moved = stub.Stub(t.stub.path, tls_context(elsewhere))
    both = os.path.join(folder, 'both.pem')
    with open(both, 'wb') as f:
        for part in client:
            with open(part, 'rb') as p:
                f.write(p.read())

    def trusted(s, **environment):
        r = t.run(s.base('ok'), GPUTAB_PROM_CA_FILE=authority[0], **environment)
        return None if r.code == 0 and r.report() == t.file.report() else 'exit %d: %s' % (r.code, r.err)

    def shut_out(s, **environment):
        """Said at once: that is no connection which asking again would mend."""
        r = t.run(s.base('ok'), GPUTAB_PROM_CA_FILE=authority[0], **environment)
        good = r.code == 3 and r.err.startswith('gputab: %s: no TLS connection: ' % s.base('ok')) and 'attempts' not in r.err
        return None if good and not s.log('ok') else 'exit %d: %s' % (r.code, r.err)

    def distrusted(s, **environment):
        r = t.run(s.base('ok'), **environment)
        hint = 'hint: GPUTAB_PROM_CA_FILE names the certificates of the authorities to trust\n'
        return None if r.code == 3 and 'certificate' in r.err and r.err.endswith('\n' + hint) else 'exit %d: %s' % (r.code, r.err)

    def unexpected():
        """TLS is spoken to a server that does not."""
        base = t.stub.base('ok').replace('http:', 'https:')
        r = t.run(base)
        return None if r.code == 3 and r.err.startswith('gputab: %s: no TLS connection: ' % base) else 'exit %d: %s' % (r.code, r.err)

    t.add('TLS with an own authority', trusted, tls)
    t.add('TLS with a client certificate', trusted, closed, GPUTAB_PROM_CERT_FILE=client[0], GPUTAB_PROM_KEY_FILE=client[1])
    t.add('TLS with a client certificate and its key in one file', trusted, closed, GPUTAB_PROM_CERT_FILE=both)
    for s, version in ((wary, '1.3'), (wary_12, '1.2')):
        t.add('TLS %s without the client certificate' % version, shut_out, s)
        t.add('TLS %s with the client certificate of a stranger' % version, shut_out, s, GPUTAB_PROM_CERT_FILE=stranger[0],
              GPUTAB_PROM_KEY_FILE=stranger[1])
    t.add('TLS with a certificate that nobody vouches for', distrusted, tls)
    t.add('TLS with the certificate of another host', distrusted, moved, GPUTAB_PROM_CA_FILE=authority[0])
    t.add('TLS where there is none', unexpected)
    return tls, closed, wary, wary_12, moved
