"""How fast the answer of one window is read, on one core and without network. The window is one that the bench of the fleet kept."""
import json
import os
import re
import subprocess
import urllib.parse

import measure
import results

BAR = 500


def window(form):
    """From and to, in seconds, of a query with a range selector."""
    values = urllib.parse.parse_qs(form)
    length = re.search(r'\[(\d+)s\]$', values['query'][0])
    to = int(values['time'][0])
    return to - int(length[1]), to


def run(a):
    section = results.Section('tokenizer', 'an answer of the query API, without network')
    answer, form = (os.path.join(a.folder, 'answer.' + end) for end in ('json', 'form'))
    if not os.path.exists(answer):
        return section, ['tokenizer: there is no answer to read; run the bench of the fleet first']
    with open(form, encoding='ascii') as f:
        span = window(f.read())
    best = {}
    for _ in range(a.runs):
        p = subprocess.run([os.path.join(a.programs, 'tokenizer'), answer] + [str(t) for t in span], stdout=subprocess.PIPE, check=True,
                           env=measure.ENV, timeout=600)
        got = json.loads(p.stdout)
        best = {k: max(v, best.get(k, 0)) for k, v in got.items()}
    section.say('One window of %d hours: %.1f MB, %s samples; MB are 10^6 bytes, times are of one core.' % (
        (span[1] - span[0]) // 3600, best['bytes'] / 1e6, format(best['samples'], ',')))
    section.say()
    section.table(['what', 'MB/s', 'M samples/s', 'bar 500 MB/s'], [
        [what, '%.0f' % best[key], '%.1f' % (best[key] * best['samples'] / best['bytes']), results.bar(best[key] >= BAR)]
        for what, key in (('tokens alone (codec/json_in)', 'json_mb_s'), ('tokens made samples (source/prometheus_reply)', 'reply_mb_s'))])
    return section, []
