"""tests/bench/RESULTS.md: a section for each bench. A run replaces the sections of the benches that it ran and leaves the others."""
import os
import re

PATH = os.path.join(os.path.dirname(os.path.abspath(__file__)), 'RESULTS.md')
HEAD = '''# Results

Written by `make bench`; a section for each bench, with its date, since they are not always run together. Times are the shortest of
several runs, peaks the largest. "Bar" is what is asked of the figure before it, and whether it holds.
'''


class Section:
    def __init__(self, name, title):
        self.name, self.title, self.lines = name, title, []

    def say(self, text=''):
        self.lines.append(text)
        print(text, flush=True)

    def table(self, head, rows):
        """A table whose columns stand under each other in a terminal too."""
        widths = [max(len(str(r[i])) for r in [head] + rows) for i in range(len(head))]
        for k, row in enumerate([head] + rows):
            self.say('| ' + ' | '.join(str(c).ljust(w) for c, w in zip(row, widths)) + ' |')
            if k == 0:
                self.say('|' + '|'.join('-' * (w + 2) for w in widths) + '|')
        self.say()


def bar(holds):
    return 'yes' if holds else '**no**'


def read_sections():
    if not os.path.exists(PATH):
        return {}
    with open(PATH, encoding='utf-8') as f:
        parts = re.split(r'^## ([\w-]+)', f.read(), flags=re.M)
    return dict(zip(parts[1::2], parts[2::2]))


def write(sections, order):
    """`order`: the names of all benches; sections of others are kept behind them."""
    kept = read_sections()
    for s in sections:
        kept[s.name] = ': %s\n\n%s\n' % (s.title, '\n'.join(s.lines).strip())
    names = [n for n in order if n in kept] + [n for n in kept if n not in order]
    text = HEAD + ''.join('\n## %s%s' % (n, kept[n].rstrip('\n') + '\n') for n in names)
    with open(PATH, 'w', encoding='utf-8') as f:
        f.write(text)
