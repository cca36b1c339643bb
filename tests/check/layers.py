#!/usr/bin/env python3
"""The house stands as drawn.

    python3 layers.py ROOT      one line per fault, then "N passed, N failed"; exit 1 when there was a fault

Tests: per layer, that its files include only layers below it; that headers include each other without a cycle; that
everything but cli leaves printing and exiting to it; that core asks neither clock, locale, environment nor files; and that ARCHITECTURE.md
names every module of src/ once, and none that is gone.
"""
import os
import re
import sys

MAY_USE = {
    'base': {'base'},
    'value': {'value', 'base'},
    'codec': {'codec', 'base'},
    'source': {'source', 'codec', 'value', 'base'},
    'core': {'core', 'value', 'base'},
    'render': {'render', 'codec', 'value', 'base'},
    'cli': {'cli', 'render', 'core', 'source', 'codec', 'value', 'base'},
}
INCLUDE = re.compile(r'^[ \t]*#[ \t]*include[ \t]*([<"])([^>"]+)[>"]', re.M)
STRING = re.compile(r'"(?:\\.|[^"\\\n])*"|/\*.*?\*/|//[^\n]*|\'(?:\\.|[^\'\\\n])*\'', re.S)
SAYS = re.compile(r'\b(?:exit|_exit|printf|vprintf|puts|putchar|perror|stdout|stderr)\b(?=\s*[(,;)])')
ASKS = re.compile(r'\b(?:fopen|open|read|write|getenv|time|gettimeofday|clock_gettime|localtime|localtime_r|gmtime|setlocale|'
                  r'strcoll|rand|random)\s*\(')
# An allocation that fails cannot be told upwards: base/xalloc ends the program, and says so in its header.
ENDS = {'src/base/xalloc.c'}


def read(path):
    with open(path, encoding='utf-8') as f:
        return f.read()


def files_of(root):
    for top in ('src', 'include/gputab'):
        for folder, _, names in os.walk(os.path.join(root, top)):
            for n in sorted(names):
                if n.endswith(('.c', '.h')):
                    yield os.path.relpath(os.path.join(folder, n), root)


def layer_of(path):
    parts = path.split('/')
    return parts[1] if parts[0] == 'src' else parts[2]


def included(text):
    """Names below gputab/; the generated headers are nobody's."""
    return [name for _, name in INCLUDE.findall(text) if name.startswith('gputab/')]


def layer_faults(layer, texts):
    for path, text in texts.items():
        if layer_of(path) != layer:
            continue
        for name in included(text):
            if name.split('/')[1] not in MAY_USE[layer]:
                yield '%s includes %s: %s may use %s only' % (path, name, layer, ', '.join(sorted(MAY_USE[layer])))
        for kind, name in INCLUDE.findall(text):
            if kind == '"' and not name.startswith('gputab') and not os.path.basename(name).endswith('_data.h'):
                yield '%s includes "%s": includes begin with gputab/' % (path, name)


def cycle_faults(texts):
    below = {p[len('include/'):]: included(t) for p, t in texts.items() if p.startswith('include/')}
    state = {}

    def visit(name, way):
        if state.get(name) == 'done' or name not in below:
            return
        if name in way:
            yield 'headers include each other: ' + ' > '.join(way[way.index(name):] + [name])
            return
        for n in below[name]:
            yield from visit(n, way + [name])
        state[name] = 'done'

    for name in sorted(below):
        yield from visit(name, [])


def word_faults(texts, pattern, layers, what):
    for path, text in texts.items():
        if layer_of(path) not in layers or path in ENDS or not path.startswith('src/'):
            continue
        for m in pattern.finditer(STRING.sub(' ', text)):
            yield '%s: %s: %s' % (path, m.group(0).strip('( '), what)


def map_faults(root, texts):
    """Modules stand in ARCHITECTURE.md as `name`, under a heading that begins with their folder."""
    page = os.path.join(root, 'ARCHITECTURE.md')
    if not os.path.exists(page):
        yield 'ARCHITECTURE.md is missing'
        return
    told, layer = [], None
    for line in read(page).splitlines():
        heading = re.match(r'#+ .*`?src/(\w+)', line)
        if line.startswith('#'):
            layer = heading.group(1) if heading else None
        row = re.match(r'\| ((?:`\w+`(?:, )?)+) \|', line)
        if layer and row:
            told += [(layer, n) for n in re.findall(r'`(\w+)`', row.group(1))]
    there = {(layer_of(p), os.path.splitext(os.path.basename(p))[0]) for p in texts if p.startswith('src/')}
    for layer, name in sorted(there - set(told)):
        yield 'ARCHITECTURE.md does not name src/%s/%s.c' % (layer, name)
    for layer, name in sorted({t for t in told if told.count(t) > 1}):
        yield 'ARCHITECTURE.md names src/%s/%s.c twice' % (layer, name)
    for layer, name in sorted(set(told) - there):
        yield 'ARCHITECTURE.md names src/%s/%s.c, which is not there' % (layer, name)


def main(argv):
    if len(argv) != 2:
        print(__doc__, file=sys.stderr)
        return 2
    texts = {p: read(os.path.join(argv[1], p)) for p in files_of(argv[1])}
    strange = sorted({layer_of(p) for p in texts} - set(MAY_USE))
    tests = [[('%s is no layer' % s) for s in strange]]
    tests += [list(layer_faults(layer, texts)) for layer in MAY_USE]
    tests.append(list(cycle_faults(texts)))
    tests.append(list(word_faults(texts, SAYS, set(MAY_USE) - {'cli'}, 'only cli prints and ends the program')))
    tests.append(list(word_faults(texts, ASKS, {'core', 'value'}, 'core and value ask neither clock, locale, environment nor files')))
    tests.append(list(map_faults(argv[1], texts)))
    for faults in tests:
        for f in faults[:20]:
            print(f)
    failed = sum(1 for f in tests if f)
    print('%d passed, %d failed' % (len(tests) - failed, failed))
    return 1 if failed or not texts else 0


if __name__ == '__main__':
    sys.exit(main(sys.argv))
