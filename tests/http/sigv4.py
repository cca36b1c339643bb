"""AWS Signature Version 4, checked as a service of AWS does, after AWS's own description of it and with nothing but hashes.

    refusal(method, target, headers, body, account)     None, or why the request is not let in

Headers are pairs in the order of the wire. An account is a dict: key, secret, region, service, and session where the key is temporary.
"""
import calendar
import hashlib
import hmac
import re
import time
import urllib.parse

SCHEME = re.compile(r'^AWS4-HMAC-SHA256 Credential=([^/]+)/(\d{8})/([^/]+)/([^/]+)/aws4_request, ?SignedHeaders=([a-z0-9;-]+), ?'
                    r'Signature=([0-9a-f]{64})$')
SKEW_S = 300


def canonical_headers(headers, signed):
    lines = []
    for name in signed:
        values = [re.sub(' +', ' ', v.strip()) for n, v in headers if n.lower() == name]
        if not values:
            return None
        lines.append('%s:%s\n' % (name, ','.join(values)))
    return ''.join(lines)


def canonical_query(query):
    pairs = urllib.parse.parse_qsl(query, keep_blank_values=True)
    encoded = sorted((urllib.parse.quote(k, safe='-_.~'), urllib.parse.quote(v, safe='-_.~')) for k, v in pairs)
    return '&'.join('%s=%s' % pair for pair in encoded)


def mac(key, text):
    return hmac.new(key, text.encode(), hashlib.sha256).digest()


def signature(secret, day, region, service, date, request):
    key = ('AWS4' + secret).encode()
    for part in (day, region, service, 'aws4_request'):
        key = mac(key, part)
    scope = '/'.join((day, region, service, 'aws4_request'))
    text = '\n'.join(('AWS4-HMAC-SHA256', date, scope, hashlib.sha256(request.encode()).hexdigest()))
    return mac(key, text).hex()


def refusal(method, target, headers, body, account):
    one = {n.lower(): v for n, v in headers}
    m = SCHEME.match(one.get('authorization', ''))
    if not m:
        return 'no signature'
    key, day, region, service, signed, given = m.groups()
    date, signed = one.get('x-amz-date', ''), signed.split(';')
    if key != account['key']:
        return 'unknown key'
    if (region, service) != (account['region'], account['service']):
        return 'signed for %s of %s' % (service, region)
    if not re.match(r'^\d{8}T\d{6}Z$', date) or date[:8] != day:
        return 'the dates differ'
    if abs(calendar.timegm(time.strptime(date, '%Y%m%dT%H%M%SZ')) - time.time()) > SKEW_S:
        return 'the date is not now'
    must = {'host'} | {n for n in one if n.startswith('x-amz-') or n == 'content-type'}
    if signed != sorted(signed) or not must <= set(signed):
        return 'not signed: %s' % ' '.join(sorted(must - set(signed)))
    if account.get('session') != one.get('x-amz-security-token'):
        return 'not the token of the session'
    lines = canonical_headers(headers, signed)
    if lines is None:
        return 'a signed header is missing'
    path, _, query = target.partition('?')
    request = '\n'.join((method, urllib.parse.quote(path, safe='/-_.~'), canonical_query(query), lines, ';'.join(signed),
                         hashlib.sha256(body).hexdigest()))
    if not hmac.compare_digest(signature(account['secret'], day, region, service, date, request), given):
        return 'the signature does not match'
    return None
