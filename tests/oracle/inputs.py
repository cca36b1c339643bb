"""Reading: rule, catalogue, bill, node map and OpenMetrics text, as plain data with exact numbers."""
import csv
import datetime
import io
import json
import os
import re
from decimal import Context, Decimal, ROUND_HALF_EVEN
from fractions import Fraction as Q

MIB = 1 << 20
DAY = 86400000
EPOCH = datetime.datetime(1970, 1, 1)
WIDE = Context(prec=100)


# ---- time, durations, numbers -------------------------------------------------------------------------------------

def time_ms(text):
    """2026-10-05, 2026-10-05T10:00:00Z, 2026-10-05 10:00:00.000: milliseconds of UTC."""
    s = text.strip().replace(' ', 'T').rstrip('Z')
    s = s[:-6] if s.endswith('+00:00') else s
    return round((datetime.datetime.fromisoformat(s) - EPOCH).total_seconds() * 1000)


def time_text(ms):
    return (EPOCH + datetime.timedelta(milliseconds=ms)).strftime('%Y-%m-%dT%H:%M:%SZ')


def day_of(ms):
    return ms // DAY


def day_text(day):
    return time_text(day * DAY)[:10]


def duration_ms(text):
    unit = {'ms': 1, 's': 1000, 'm': 60000, 'h': 3600000, 'd': DAY}
    parts = re.findall(r'(\d+)(ms|s|m|h|d)', text)
    return sum(int(n) * unit[u] for n, u in parts)


def percent(text):
    text = str(text)
    return Q(text[:-1]) / 100 if text.endswith('%') else Q(text)


def money(text, warn=None):
    """An amount; more than 12 decimals are rounded half to even."""
    d = Decimal(text)
    if d.as_tuple().exponent < -12:
        cut = d.quantize(Decimal(1).scaleb(-12), ROUND_HALF_EVEN, WIDE)
        if warn is not None and cut != d:
            warn('W205')
        d = cut
    return Q(d)


# ---- the rule -----------------------------------------------------------------------------------------------------

def rule_tree(text):
    try:
        return json.loads(text)
    except ValueError:
        pass
    try:
        import yaml
    except ImportError:
        return small_yaml(text)
    return yaml.load(text, Loader=yaml.BaseLoader)


def small_yaml(text):
    """Only the shapes of the acceptance cases: top-level keys, flow values, lists of flow maps."""
    tree, key = {}, None
    for line in text.splitlines():
        line = re.sub(r'\s+#.*$', '', line)
        if not line.strip() or line.startswith('#'):
            continue
        if line.startswith('  - '):
            tree[key] = (tree[key] or []) + [flow(line[4:])]
            continue
        key, rest = line.split(':', 1)
        tree[key] = flow(rest) if rest.strip() else None
    return tree


def flow(text):
    tokens = re.findall(r'"[^"]*"|[{}\[\],]|:(?=\s)|[^\s{}\[\],":][^{}\[\],"]*?(?=:\s|[{}\[\],]|\s*$)', text)
    value, rest = flow_value([t.strip() for t in tokens])
    assert not rest, text
    return value


def flow_value(tokens):
    head, tokens = tokens[0], tokens[1:]
    if head == '{':
        out = {}
        while tokens[0] != '}':
            key = tokens[0].strip('"')
            out[key], tokens = flow_value(tokens[2:])
            tokens = tokens[1:] if tokens[0] == ',' else tokens
        return out, tokens[1:]
    if head == '[':
        out = []
        while tokens[0] != ']':
            value, tokens = flow_value(tokens)
            out.append(value)
            tokens = tokens[1:] if tokens[0] == ',' else tokens
        return out, tokens[1:]
    return (head[1:-1] if head.startswith('"') else head), tokens


class Rule:
    def __init__(self, text):
        tree = rule_tree(text)
        split, gpu = tree.get('split') or {}, tree.get('gpu') or {}
        self.name, self.version = tree.get('name', ''), tree.get('version', '')
        self.cost = tree.get('cost', 'effective')
        self.attached = tree.get('attached', 'separate')
        self.method = split.get('method')      # None: as billed where the bill tells, else reference
        self.vcpu_hour = Q(split.get('vcpu_hour', '0.031611'))
        self.gib_hour = Q(split.get('gib_hour', '0.004237'))
        self.gpu_hour = {k: Q(v) for k, v in (split.get('gpu_hour') or {}).items()}
        self.shares = {k: percent(v) for k, v in (split.get('shares') or {}).items()}
        self.exclusive = gpu.get('exclusive', 'held')
        self.denominator = gpu.get('denominator', 'capacity')
        self.mig_weight = gpu.get('mig_weight', 'memory')
        self.shared_fallback = gpu.get('shared_fallback', 'even')
        self.min_coverage = percent(gpu.get('min_coverage', '95%'))
        self.max_gap = duration_ms(gpu.get('max_gap', '5m'))
        self.interval = duration_ms(gpu['interval']) if 'interval' in gpu else None
        self.startup = duration_ms(gpu.get('startup', '10m'))
        self.basis = (tree.get('cpu_memory') or {}).get('basis', 'max')
        self.shared_costs = tree.get('shared_costs') or []
        self.idle = idle_of(tree.get('idle') or {})
        self.owners = [owner_line(o) for o in tree['owners']] if 'owners' in tree else None
        self.aliases = {t: [g] if isinstance(g, str) else g for t, g in (tree.get('aliases') or {}).items()}
        self.centre_of = {t: c['id'] for c in tree.get('cost_centres') or [] for t in c['teams']}


def listed(x):
    return [x] if isinstance(x, str) else x


def idle_of(tree):
    """The key idle with its defaults; `to` is fixed shares of one team."""
    shares = {tree['team']: Q(1)} if 'team' in tree else {t: percent(v) for t, v in (tree.get('shares') or {}).items()}
    owners = [dict(o, node=[o['node']] if isinstance(o['node'], str) else o['node']) for o in tree.get('owners') or []]
    return {'policy': tree.get('policy', 'separate'), 'scope': tree.get('scope', 'pool'), 'shares': shares, 'owners': owners,
            'moves': ['(idle)'] + list(tree.get('include') or [])}


def owner_line(o):
    """The line, with what it matches as a list of (key, names of labels or None, globs or None) in the order of the file."""
    line = dict(o, matchers=[])
    for key, wanted in o.items():
        if key in ('namespace', 'workload', 'node', 'node_pool'):
            line['matchers'].append((key, None, listed(wanted)))
        elif key.endswith(('_label', '_annotation')):
            line['matchers'].append((key, listed(wanted['name']), listed(wanted['value']) if 'value' in wanted else None))
    for k in ('from', 'until'):
        line[k] = time_ms(line[k]) if k in line else None
    return line


def glob_match(pattern, text):
    rx = ''.join('.*' if c == '*' else '.' if c == '?' else re.escape(c) for c in pattern)
    return re.fullmatch(rx, text, re.S) is not None


# ---- the catalogue ------------------------------------------------------------------------------------------------

class Catalogue:
    def __init__(self, folder):
        def rows(name):
            with open(os.path.join(folder, name), encoding='utf-8', newline='') as f:
                return list(csv.DictReader(f))
        self.models, self.canonical = {}, {}
        for r in rows('gpu_models.csv'):
            self.models[r['model']] = r
            for n in [r['model']] + r['names'].split(';'):
                self.canonical[n] = r['model']
        self.types = {r['instance_type']: r for r in rows('instances.csv')}
        self.profiles = {(r['model'], r['profile']): r for r in rows('mig_profiles.csv')}

    def model(self, name):
        return self.canonical.get(name, name)

    def price(self, model, rule):
        for name, p in rule.gpu_hour.items():
            if self.model(name) == model:
                return p
        return Q(self.models[model]['reference_usd_hour'])

    def type_model(self, type_):
        return self.types[type_]['gpu_model'] if type_ in self.types else None

    def type_count(self, type_):
        return Q(self.types[type_]['gpu_count']) if type_ in self.types else Q(0)

    def total_bytes(self, model, profile):
        mib = (self.models.get(model) or {}).get('total_mib')
        if not mib:
            return None
        return int(mib) * MIB * (self.mig_fraction(model, profile, 'memory') if profile else 1)

    def mig_fraction(self, model, profile, weight):
        """memory: slices of 8 (4 on 4-slice parts); compute: slices of 7 (4)."""
        p, m = self.profiles[(model, profile.split('+')[0])], self.models[model]
        return Q(int(p[weight + '_slices']), int(m[weight + '_slices']))


# ---- the bill -----------------------------------------------------------------------------------------------------

class BillRow:
    """One row: kind is instance, attached or the name of a group."""
    __slots__ = ('kind', 'resource', 'start', 'end', 'cost', 'hours', 'correction', 'region', 'purchase', 'type', 'cores', 'gib', 'part',
                 'shared')

    def __init__(self):
        self.shared = None      # the shared cost that selects it, where it is no node's
        self.part = None        # (piece, GPU model or None) where the row bills a piece of the machine


def read_bill(path, rule, warn):
    with open(path, 'rb') as f:
        text = f.read().decode('utf-8-sig')
    rows = list(csv.DictReader(io.StringIO(text)))
    rows = [r for r in rows if any((v or '').strip() for v in r.values() if isinstance(v, str))]
    if rows and 'line_item_line_item_type' in rows[0]:
        return [cur_row(r, warn) for r in rows], rows[0]['line_item_currency_code']
    currency = rows[0]['BillingCurrency'] if rows else 'USD'
    out = [focus_row(r, rule, warn) for r in rows]
    for row, r in zip(out, rows):
        row.shared = next((c['name'] for c in rule.shared_costs if is_selected(c['select'], (r.get(c['select']['column']) or '').strip())), None)
    return out, currency


def is_selected(select, value):
    if value == '':
        return False
    return glob_match(select['glob'], value) if 'glob' in select else value == select['equals']


def cell(row, name):
    v = (row.get(name) or '').strip()
    return '' if v in ('NULL', 'null', 'None') else v


COST_COLUMN = {'effective': 'EffectiveCost', 'billed': 'BilledCost', 'list': 'ListCost', 'net_effective': 'EffectiveCost'}
TIME_UNITS = {'hours', 'hour', 'hrs', 'hr', 'h', 'seconds', 'second', 'minutes', 'minute', 'days', 'day'}
HOUR_UNITS = {'hours', 'hour', 'hrs', 'hr', 'h'}
NOT_TIME = re.compile(r'transfer|licen[cs]e|storage|snapshot|volume', re.I)


def focus_row(r, rule, warn):
    row = BillRow()
    row.resource = last_token(cell(r, 'ResourceId'))
    row.start, row.end = time_ms(cell(r, 'ChargePeriodStart')), time_ms(cell(r, 'ChargePeriodEnd'))
    row.cost = money(cell(r, COST_COLUMN[rule.cost]) or '0', warn)
    row.correction = cell(r, 'ChargeClass') == 'Correction'
    row.region, row.purchase = cell(r, 'RegionId') or None, focus_purchase(r)
    details = json.loads(cell(r, 'SkuPriceDetails') or '{}')
    row.type = details.get('InstanceType')
    row.cores, row.gib = details.get('CoreCount'), details.get('MemorySize')
    row.kind, row.part = focus_kind(r, row), google_part(r)
    if row.kind == 'attached' and row.part and cell(r, 'PublisherName') == cell(r, 'ProviderName'):
        row.kind = 'instance'       # whatever units cores and memory are counted in
    host = row.part and row.part[0] != 'gpu'
    row.hours = None if row.correction or host else focus_hours(r)
    return row


GOOGLE_GPUS = {'H100 80GB': 'NVIDIA H100 80GB', 'A100 80GB': 'NVIDIA A100 80GB', 'A100': 'NVIDIA A100 40GB', 'L4': 'NVIDIA L4', 'T4': 'NVIDIA T4'}


def google_part(r):
    """The piece that a Google Cloud SKU bills, by its description."""
    text = cell(r, 'ChargeDescription')
    if 'Google' not in cell(r, 'ProviderName') or NOT_TIME.search(text):
        return None
    if ' GPU' in text:
        names = [n for n in GOOGLE_GPUS if re.search(r'\b%s\b' % n, text)]
        return 'gpu', GOOGLE_GPUS[max(names, key=len)] if names else None
    return ('cpu', None) if ' Core' in text else ('memory', None) if ' Ram' in text else None


def focus_kind(r, row):
    category = cell(r, 'ChargeCategory')
    if category != 'Usage':
        return {'Tax': 'tax', 'Credit': 'credit', 'Purchase': 'fee', 'Adjustment': 'refund'}[category]
    if cell(r, 'CommitmentDiscountStatus') == 'Unused':
        return 'unused_commitment'
    own = cell(r, 'PublisherName') == cell(r, 'ProviderName') and cell(r, 'ServiceCategory') == 'Compute'
    unit = (cell(r, 'PricingUnit') or cell(r, 'ConsumedUnit')).lower()
    in_time = unit in TIME_UNITS or (row.correction and not unit)
    other = NOT_TIME.search(cell(r, 'ChargeDescription') + ' ' + cell(r, 'SkuMeter'))
    return 'instance' if own and in_time and not other else 'attached'


def focus_hours(r):
    for quantity, unit in (('ConsumedQuantity', 'ConsumedUnit'), ('PricingQuantity', 'PricingUnit')):
        if cell(r, unit).lower() in HOUR_UNITS and cell(r, quantity):
            return Q(Decimal(cell(r, quantity)))
    return None


def focus_purchase(r):
    category, kind = cell(r, 'PricingCategory'), cell(r, 'CommitmentDiscountType').lower()
    if category == 'Dynamic':
        return 'spot'
    if category == 'Standard':
        return 'on_demand'
    if category == 'Committed':
        if 'saving' in kind:
            return 'savings_plan'
        return 'reserved' if 'reserv' in kind else 'committed'
    return 'unknown'


def cur_row(r, warn):
    """The little of an AWS usage report that one acceptance case needs."""
    row = BillRow()
    row.resource = last_token(cell(r, 'line_item_resource_id'))
    row.start, row.end = (time_ms(t) for t in cell(r, 'identity_time_interval').split('/'))
    row.cost, row.correction = money(cell(r, 'line_item_unblended_cost'), warn), False
    usage = cell(r, 'line_item_usage_type')
    row.region, row.type = cell(r, 'product_region') or None, cell(r, 'product_instance_type')
    row.purchase = 'spot' if 'SpotUsage' in usage else 'on_demand'
    row.cores = row.gib = None
    row.hours = Q(Decimal(cell(r, 'line_item_usage_amount')))
    instance = cell(r, 'line_item_line_item_type') == 'Usage' and re.search('BoxUsage|SpotUsage', usage)
    row.kind = 'instance' if instance else 'other_resources'
    return row


def last_token(text):
    """The id of a resource: what follows the last slash, but all of an Azure id."""
    whole = text.lower().rstrip('/').removeprefix('azure://')
    if whole.startswith('/subscriptions/'):
        return whole
    return text.rstrip('/').split('/')[-1].lower()


def read_nodes(path):
    """node -> [(resource, type, from, to)]"""
    nodes = {}
    if path:
        with open(path, encoding='utf-8', newline='') as f:
            for r in csv.DictReader(f):
                span = [time_ms(r[k]) if r.get(k) else None for k in ('from', 'to')]
                nodes.setdefault(r['node'], []).append((last_token(r['resource_id']), r.get('instance_type'), *span))
    return nodes


# ---- the samples --------------------------------------------------------------------------------------------------

class Series:
    __slots__ = ('name', 'labels', 'samples')

    def __init__(self, name, labels):
        self.name, self.labels, self.samples = name, labels, {}


LABEL = re.compile(r'([A-Za-z_]\w*)="((?:[^"\\]|\\.)*)"')
ESCAPE = {'n': '\n', '"': '"', '\\': '\\'}


def read_metrics(path):
    """[Series]; samples are sorted, NaN, infinite and negative values left out, the first of equal time stamps kept."""
    found = {}
    with open(path, encoding='utf-8') as f:
        for line in f:
            if line[0] == '#' or not line.strip():
                continue
            head, tail = split_sample(line)
            if head not in found:
                found[head] = Series(*split_head(head))
            value, stamp = number(tail[0]), stamp_ms(tail[1])
            if value is not None and value >= 0:
                found[head].samples.setdefault(stamp, value)
    for s in found.values():
        s.samples = sorted(s.samples.items())
    return merge_same(found.values())


def merge_same(series):
    """Two spellings of one label set are one series."""
    out = {}
    for s in series:
        key = (s.name, tuple(sorted(s.labels.items())))
        if key in out:
            first = dict(out[key].samples)
            out[key].samples = sorted({**dict(s.samples), **first}.items())
        else:
            out[key] = s
    return list(out.values())


def split_sample(line):
    i = line.rfind('}')
    if i < 0:
        head, *tail = line.split()
        return head, tail
    return line[:i + 1], line[i + 1:].split()


def split_head(head):
    name, _, rest = head.partition('{')
    labels = {k: re.sub(r'\\(.)', lambda m: ESCAPE.get(m.group(1), m.group(1)), v) for k, v in LABEL.findall(rest)}
    return name.strip(), {k: v for k, v in labels.items() if v != ''}


def number(text):
    try:
        return int(text)
    except ValueError:
        d = Decimal(text)
        return Q(d) if d.is_finite() else None


def stamp_ms(text):
    whole, _, part = text.partition('.')
    return int(whole) * 1000 + int((part + '000')[:3])
