#!/usr/bin/env python3
"""The queries of examples/sql name the columns that the dialects read, and know every type with GPUs.

    python3 sql.py ROOT      one line per fault, then "N passed, N failed"; exit 1 when there was a fault

Per query: that what it reads and what it gives are the columns of the dialect's table in src/source/, all of them and no others; that
amounts become decimals, and that none that is missing is summed with others; that the patterns for types with GPUs find each type of the
catalogue that such a bill can name. A query whose dialect is not in src/source/ is left out, and said so.
"""
import csv
import os
import re
import sys

DIALECTS = ('cur', 'focus', 'gcp')
# A row joined with one of its credits has these; a query gives the list of them instead.
LEFT_OUT = {'gcp': {'credits_name', 'credits_full_name', 'credits_id', 'credits_type', 'credits_amount'}}
PROVIDERS = {'cur': ('aws',), 'focus': ('aws', 'azure', 'gcp'), 'gcp': ('gcp',)}
AMOUNT = re.compile(r'\[(\w+)\] = \{"(\w+)"')
STRING = re.compile(r"'((?:[^']|'')*)'")


def read(path):
    with open(path, encoding='utf-8') as f:
        return f.read()


def dialect_columns(root, dialect):
    """Names in the order of the dialect's table; None when there is no such dialect."""
    path = os.path.join(root, 'src', 'source', dialect + '.c')
    if not os.path.exists(path):
        return None
    table = re.search(r'struct bill_column columns\[COLUMNS\] = \{(.*?)^\};', read(path), re.S | re.M)
    return [name for _, name in AMOUNT.findall(table.group(1))]


def uncommented(text):
    return re.sub(r'--[^\n]*', '', text)


def split_list(text):
    """Items between commas that are outside of brackets and strings."""
    items, depth, start = [], 0, 0
    for m in re.finditer(r"'(?:[^']|'')*'|[(\[]|[)\]]|,", text):
        depth += (m.group() in '([') - (m.group() in ')]')
        if m.group() == ',' and depth == 0:
            items.append(text[start:m.start()].strip())
            start = m.end()
    return items + [text[start:].strip()]


def name_of(item):
    return re.split(r'\s+AS\s+', item)[-1].split('.')[-1].strip()


def select_lists(text):
    """What the blocks `bill`, whole rows and sums give: three lists of names."""
    first = re.search(r'WITH bill AS \(\s*SELECT\s(.*?)\n    FROM ', text, re.S).group(1)
    whole, sums = text[text.rindex('\n)\nSELECT\n') + len('\n)\nSELECT\n'):].split('\nUNION ALL\nSELECT\n')
    return [[name_of(i) for i in split_list(part)] for part in (first, whole.split('\nFROM ')[0], sums.split('\nFROM ')[0])]


def macro_lists(text):
    """DuckDB's: columns that are read as text, and amounts."""
    return [STRING.findall(re.search(r'MACRO %s\(c\) AS c IN \((.*?)\);' % m, text, re.S).group(1)) for m in ('is_read', 'is_amount')]


def differ(what, names, known):
    for n in sorted(set(known) - set(names)):
        yield '%s lacks %s' % (what, n)
    for n in sorted(set(names) - set(known)):
        yield '%s has %s, which the dialect does not read' % (what, n)
    for n in sorted({n for n in names if names.count(n) > 1}):
        yield '%s has %s twice' % (what, n)


def column_faults(text, known):
    if 'MACRO is_read' in text:
        yield from differ('the query', sum(macro_lists(text), []), known)
        return
    lists = select_lists(text)
    for what, names in zip(('the first block', 'the list of whole rows', 'the list of sums'), lists):
        yield from differ(what, names, known)
    if lists[1] != lists[2]:
        yield 'whole rows and sums have their columns in another order'


def amounts(known):
    """By their names; the test of names above fails when a dialect gets an amount that these words miss."""
    return [n for n in known if re.search(r'(?i)cost$|cost_at_list|fee_for|_fee$|commitment_to_date|used_commitment', n)]


def amount_faults(text, known):
    for n in amounts(known):
        if 'MACRO is_read' in text:
            ok = n in macro_lists(text)[1]
        else:
            ok = (re.search(r'(?i)\b%s\b.{0,40}(decimal\(38, 12\)|number\(38, 12\)|bignumeric\), 12)' % n, text)
                  and re.search(r'(?i)\bsum\(%s\) AS %s\b' % (n, n), text))
        if not ok:
            yield '%s is not made a decimal and added up' % n


def group_faults(text, known):
    """Each amount has a part in GROUP BY that tells missing ones: itself, or its sign."""
    if 'MACRO is_read' in text:
        if not re.search(r'(sign\(COLUMNS\(c -> is_amount\(c\)\)\)|COLUMNS\(c -> is_amount\(c\)\) IS NULL) AS', text):
            yield 'sums do not tell missing amounts'
        return
    grouped = ' '.join(re.findall(r'\bGROUP BY\b(.*?)(?=\n\)|$)', text, re.S))
    for n in amounts(known):
        sign = re.search(r'\bsign\(%s\) AS (\w+)' % n, text)
        if not re.search(r'\b%s\b' % (sign.group(1) if sign else n + ' IS NULL'), grouped):
            yield '%s: sums do not tell missing amounts' % n


def spellings(provider, name):
    """How a bill writes a type."""
    yield {'aws': 'USE2-BoxUsage:%s', 'azure': '%s', 'gcp': '[{"key":"compute.googleapis.com/machine_spec","value":"%s"}]'}[provider] % name
    if provider == 'aws':
        yield '$1.00 per On Demand Linux %s Instance Hour' % name
    if provider == 'azure':
        yield name.replace('Standard_', '').replace('_', ' ')


def type_faults(text, dialect, root):
    patterns = [p for p in STRING.findall(text) if re.search(r'nvidia|\[\^a-z0-9\]\)\(', p)]
    with open(os.path.join(root, 'src', 'source', 'catalogue', 'instances.csv'), encoding='utf-8', newline='') as f:
        rows = [r for r in csv.DictReader(f) if r['provider'] in PROVIDERS[dialect] and r['gpu_count'] not in ('', '0')]
    for r in rows:
        for s in spellings(r['provider'], r['instance_type']):
            if not any(re.search(p, s.lower()) for p in patterns):
                yield 'no pattern finds "%s"' % s
    for s in ('USE2-BoxUsage:m5.large', 'USE1-EBS:VolumeUsage.gp3', 'Standard_D4s_v3', 'N2 Instance Core running in Americas'):
        if any(re.search(p, s.lower()) for p in patterns):
            yield 'a pattern finds "%s"' % s


def main(argv):
    if len(argv) != 2:
        print(__doc__, file=sys.stderr)
        return 2
    root, passed, failed = argv[1], 0, 0
    folder = os.path.join(root, 'examples', 'sql')
    for name in sorted(n for n in os.listdir(folder) if n.endswith('.sql')):
        dialect = name[:-len('.sql')].split('-')[-1]
        known = dialect_columns(root, dialect) if dialect in DIALECTS else None
        if known is None:
            print('note: %s is left out: there is no src/source/%s.c' % (name, dialect))
            continue
        known = [n for n in known if n not in LEFT_OUT.get(dialect, ())]
        text = uncommented(read(os.path.join(folder, name)))
        for faults in (column_faults(text, known), amount_faults(text, known), group_faults(text, known), type_faults(text, dialect, root)):
            faults = list(faults)
            for f in faults[:20]:
                print('%s: %s' % (name, f))
            passed, failed = passed + (not faults), failed + bool(faults)
    print('%d passed, %d failed' % (passed, failed))
    return 1 if failed or not passed else 0


if __name__ == '__main__':
    sys.exit(main(sys.argv))
