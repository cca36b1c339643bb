"""gputab behind a proxy: which requests go there, what it gets to see, and what is said when it refuses."""
import os

import proxy
import stub

SECRET = stub.SECRET
SLOTS = 4                                              # of requests at once


def plain(t):
    """Without TLS a proxy is asked for the whole address."""
    with proxy.Proxy() as p:
        failure = t.same('bearer', GPUTAB_PROM_TOKEN=SECRET, http_proxy=p.address(), https_proxy='http://127.0.0.1:1')
        asked = {(r['method'], r['target']) for r in p.log}
    return failure or (None if asked == {('POST', t.stub.base('bearer') + '/api/v1/query')} else repr(asked))


def excepted(t):
    with proxy.Proxy() as p:
        return t.same('ok', http_proxy=p.address(), no_proxy='example.com,127.0.0.1') or (repr(p.log) if p.log else None)


def chosen(t):
    """The setting comes before the environment's proxies and their exceptions."""
    with proxy.Proxy() as p:
        failure = t.same('ok', GPUTAB_PROM_PROXY=p.address(), http_proxy='http://127.0.0.1:1', no_proxy='*')
        return failure or (None if p.log else 'the proxy was not asked')


def logged_in(t):
    """%40 is an @ of the password."""
    with proxy.Proxy('pia:@' + SECRET) as p:
        return t.same('ok', http_proxy=p.address('pia:%40' + SECRET + '@')) or (None if p.log else 'the proxy was not asked')


def shut_out(t):
    """What comes back in base64 is 29 bytes long, so that it ends in a =, which gives nothing away."""
    with proxy.Proxy('pia:' + SECRET) as p:
        return t.fails(t.stub.base('ok'), 'answers 407 Proxy Authentication Required: proxy: not Basic ***=',
                       GPUTAB_PROM_PROXY=p.address('pia:wrong-' + SECRET + '@'))


def unreadable(t):
    why = 'the proxy\'s host name is not known, or its address cannot be read'
    return t.fails(t.stub.base('ok'), why, GPUTAB_PROM_PROXY='http://pia:%s@proxy:port' % SECRET)


def tunnelled(t, tls, ca):
    """The tunnel's request has no header of the server's own."""
    with proxy.Proxy('pia:' + SECRET) as p:
        r = t.run(tls.base('bearer'), https_proxy=p.address('pia:' + SECRET + '@'), GPUTAB_PROM_CA_FILE=ca, GPUTAB_PROM_TENANT='tenant-1',
                  GPUTAB_PROM_TOKEN=SECRET)
        seen = [r['headers'] for r in p.log]
        methods = {r['method'] for r in p.log}
    if r.code != 0 or r.report() != t.file.report():
        return 'exit %d: %s' % (r.code, r.err)
    if methods != {'CONNECT'} or any('authorization' in h or 'x-scope-orgid' in h for h in seen):
        return repr((methods, seen))
    return None


def refused(t, tls, ca, status, message, attempts):
    with proxy.Proxy('pia:' + SECRET if status == 407 else None, status) as p:
        login = 'pia:wrong-' + SECRET + '@' if status == 407 else ''
        failure = t.fails(tls.base('ok'), message, GPUTAB_PROM_CA_FILE=ca, https_proxy=p.address(login))
        return failure or (None if attempts <= len(p.log) <= SLOTS * attempts else '%d requests' % len(p.log))


def add(t, tls, folder):
    for test in (plain, excepted, chosen, logged_in, shut_out, unreadable):
        t.add('a proxy, ' + test.__name__.replace('_', ' '), test, t)
    if not tls:
        return
    ca = os.path.join(folder, 'ca.pem')
    t.add('a proxy, tunnelled', tunnelled, t, tls, ca)
    t.add('a tunnel refused', refused, t, tls, ca, 403, 'the proxy answers 403 Forbidden', 1)
    t.add('a tunnel refused for want of a password', refused, t, tls, ca, 407, 'the proxy answers 407 Proxy Authentication Required', 1)
    t.add('a tunnel that never comes', refused, t, tls, ca, 502, 'the proxy answers 502 Bad Gateway (6 attempts)', 6)
