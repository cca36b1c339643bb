#!/usr/bin/env python3
"""Reads a workbook's XML with nothing but the standard library, strictly: a part that is not well formed is an error.

    workbook.py FILE cells     each cell of each sheet on a line: where, formula, value
    workbook.py FILE frame     everything else, as XML with an element a line and sorted attributes

As a module: Workbook(path).sheets[name][(row, column)] is a Cell; rows and columns count from 1.
"""
import collections
import re
import sys
import zipfile
from xml.etree import ElementTree

MAIN = '{http://schemas.openxmlformats.org/spreadsheetml/2006/main}'
RELATION = '{http://schemas.openxmlformats.org/officeDocument/2006/relationships}'
ESCAPE = re.compile('_x([0-9a-fA-F]{4})_')

Cell = collections.namedtuple('Cell', 'value formula style')


def unescaped(text):
    """What a spreadsheet shows of a stored string."""
    return ESCAPE.sub(lambda m: chr(int(m.group(1), 16)), text)


def place(ref):
    letters, digits = re.fullmatch('([A-Z]+)([0-9]+)', ref).groups()
    column = 0
    for c in letters:
        column = column * 26 + ord(c) - 64
    return int(digits), column


def name_of(column):
    out = ''
    while column:
        column, rest = divmod(column - 1, 26)
        out = chr(65 + rest) + out
    return out


class Workbook:
    def __init__(self, path):
        with zipfile.ZipFile(path) as z:
            self.parts = {n: z.read(n) for n in z.namelist()}
            self.dates = {i.date_time for i in z.infolist()}
        self.trees = {n: ElementTree.fromstring(b) for n, b in self.parts.items()}
        self.texts = []
        if 'xl/sharedStrings.xml' in self.trees:
            self.texts = [self.text_of(si) for si in self.trees['xl/sharedStrings.xml']]
        self.sheets, self.files = {}, {}
        targets = {r.get('Id'): r.get('Target') for r in self.trees['xl/_rels/workbook.xml.rels']}
        for s in self.trees['xl/workbook.xml'].iter(MAIN + 'sheet'):
            self.files[s.get('name')] = 'xl/' + targets[s.get(RELATION + 'id')]
            self.sheets[s.get('name')] = dict(self.cells_of(self.trees[self.files[s.get('name')]]))

    @staticmethod
    def text_of(node):
        return unescaped(''.join(t.text or '' for t in node.iter(MAIN + 't')))

    def cells_of(self, sheet):
        for c in sheet.iter(MAIN + 'c'):
            formula, value, inline = c.find(MAIN + 'f'), c.find(MAIN + 'v'), c.find(MAIN + 'is')
            kind = c.get('t', 'n')
            if kind == 'inlineStr':
                v = self.text_of(inline)
            elif value is None:
                v = None
            elif kind == 's':
                v = self.texts[int(value.text)]
            elif kind == 'n':
                v = float(value.text)
            elif kind == 'b':
                v = float(value.text)
            else:
                v = value.text
            yield place(c.get('r')), Cell(v, None if formula is None else formula.text, c.get('s'))

    def table(self, name, head):
        """Rows of a sheet below the row whose number is `head`, as dicts by the texts of that row; up to the first row without a cell."""
        cells = self.sheets[name]
        heads = {c: v.value for (r, c), v in cells.items() if r == head and v.value}
        row, out = head + 1, []
        while any((row, c) in cells for c in heads):
            out.append({h: cells[row, c].value if (row, c) in cells else None for c, h in heads.items()})
            row += 1
        return out

    def find(self, name, text):
        """The row of the first cell with this text."""
        return min(r for (r, c), cell in self.sheets[name].items() if cell.value == text)


def number(v):
    return repr(int(v)) if v == int(v) and abs(v) < 1e15 else repr(v)


def print_cells(book):
    for name, cells in book.sheets.items():
        print('== ' + name)
        for (r, c), cell in sorted(cells.items()):
            if cell.value is None and cell.formula is None:
                continue
            value = number(cell.value) if isinstance(cell.value, float) else repr(cell.value)
            print('%s%d %s%s' % (name_of(c), r, '=%s -> ' % cell.formula if cell.formula else '', value))


def print_tree(node, depth, leave_out):
    tag = node.tag.rpartition('}')[2]
    text = (node.text or '').strip()
    attributes = ''.join(' %s="%s"' % (k.rpartition('}')[2], v) for k, v in sorted(node.items()))
    print('%s<%s%s>%s' % ('  ' * depth, tag, attributes, text))
    for child in node:
        if child.tag.rpartition('}')[2] not in leave_out:
            print_tree(child, depth + 1, leave_out)


def print_frame(book):
    for name in sorted(book.trees):
        if name.startswith('xl/theme') or name == 'xl/sharedStrings.xml':
            continue
        print('== ' + name)
        print_tree(book.trees[name], 0, ('sheetData',))


if __name__ == '__main__':
    {'cells': print_cells, 'frame': print_frame}[sys.argv[2]](Workbook(sys.argv[1]))
