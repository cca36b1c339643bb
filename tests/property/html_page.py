"""An HTML report taken apart by Python's own parser: elements with their texts, tables with their numbers."""
import html.parser
from decimal import Decimal

VOID = {'meta', 'link', 'br', 'img', 'input', 'hr'}


class Element:
    def __init__(self, tag, attributes, up):
        self.tag, self.attributes, self.up, self.children = tag, dict(attributes), up, []

    def text(self):
        return ''.join(c if isinstance(c, str) else c.text() for c in self.children)

    def all(self, tag=None, cls=None):
        for c in self.children:
            if isinstance(c, Element):
                if tag in (None, c.tag) and (cls is None or cls in c.classes()):
                    yield c
                yield from c.all(tag, cls)

    def classes(self):
        return (self.attributes.get('class') or '').split()


class Page(html.parser.HTMLParser):
    """root, and faults: what is not well formed."""

    def __init__(self, text):
        super().__init__(convert_charrefs=True)
        self.root = self.at = Element('', (), None)
        self.faults = []
        self.feed(text)
        self.close()
        if self.at is not self.root:
            self.faults.append('<%s> is never closed' % self.at.tag)

    def handle_starttag(self, tag, attributes):
        if len({n for n, _ in attributes}) != len(attributes):
            self.faults.append('<%s> has an attribute twice' % tag)
        e = Element(tag, attributes, self.at)
        self.at.children.append(e)
        if tag not in VOID:
            self.at = e

    def handle_startendtag(self, tag, attributes):
        self.at.children.append(Element(tag, attributes, self.at))

    def handle_endtag(self, tag):
        if self.at.tag != tag:
            self.faults.append('</%s> where <%s> is open' % (tag, self.at.tag))
        else:
            self.at = self.at.up

    def handle_data(self, data):
        self.at.children.append(data)

    def by_id(self, name):
        return next((e for e in self.root.all() if e.attributes.get('id') == name), None)


class Row:
    """keys: texts of the columns of text; numbers: {name of the column in JSON: Decimal}."""

    def __init__(self, row, names):
        cells = [c for c in row.children if isinstance(c, Element)]
        self.kind = (row.classes() or ['line'])[0]
        self.keys = [c.text() for c in cells if 'n' not in c.classes()]
        numbers = [c for c in cells if 'n' in c.classes()]
        if len(numbers) != len(names):
            raise ValueError('a row has %d numbers under %d heads' % (len(numbers), len(names)))
        self.numbers = {n: Decimal(c.attributes['data-v']) for n, c in zip(names, numbers) if 'data-v' in c.attributes}

    def number(self, name):
        return self.numbers.get(name, Decimal(0))


def table_rows(table):
    """[(class of the body, [Row])]"""
    names = [h.attributes['data-k'] for h in table.all('th') if 'data-k' in h.attributes]
    return [((b.classes() or [''])[0], [Row(r, names) for r in b.all('tr')]) for b in table.all('tbody')]


def lines_of(table):
    """Rows that are lines of the report, or the sum of lines that found no room; not heads and sums of others."""
    return [r for kind, rows in table_rows(table) for r in rows if r.kind in ('line', 'pod', 'rest')]


def sum_of(rows, name):
    return sum((r.number(name) for r in rows), Decimal(0))
