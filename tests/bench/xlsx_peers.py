#!/usr/bin/env python3
"""The rows of a CSV as a sheet, by the libraries that people use for it: xlsx_peers.py WAY CSV OUT

Texts as strings, amounts as numbers with a format, a table over all rows or, where the way has none, a filter: what gputab's sheet has.
"""
import csv
import sys

MONEY = '#,##0.00'


def rows_of(path):
    """Heads, and rows whose numbers are floats."""
    with open(path, encoding='utf-8', newline='') as f:
        reader = csv.reader(f)
        heads = next(reader)
        first_number = heads.index('bucket') + 1
        yield heads
        for row in reader:
            yield row[:first_number] + [float(v) if v else None for v in row[first_number:]]


def xlsxwriter(source, out, constant_memory):
    import xlsxwriter as library

    book = library.Workbook(out, {'constant_memory': constant_memory, 'strings_to_numbers': False})
    sheet, money = book.add_worksheet('Detail'), book.add_format({'num_format': MONEY})
    n, width, heads = 0, 0, None
    for n, row in enumerate(rows_of(source)):
        heads, width = heads or row, len(row)
        for c, v in enumerate(row):
            if isinstance(v, float):
                sheet.write_number(n, c, v, money)
            elif v:
                sheet.write_string(n, c, v)
    if constant_memory:
        sheet.autofilter(0, 0, n, width - 1)
    else:
        sheet.add_table(0, 0, n, width - 1, {'columns': [{'header': h} for h in heads]})
    book.close()


def openpyxl(source, out, write_only):
    import openpyxl as library
    from openpyxl.cell import WriteOnlyCell
    from openpyxl.utils import get_column_letter

    book = library.Workbook(write_only=write_only)
    sheet = book.create_sheet('Detail') if write_only else book.active
    n, width = 0, 0
    for n, row in enumerate(rows_of(source), 1):
        width = len(row)
        if write_only:
            cells = []
            for v in row:
                cell = WriteOnlyCell(sheet, value=v)
                if isinstance(v, float):
                    cell.number_format = MONEY
                cells.append(cell)
            sheet.append(cells)
        else:
            for c, v in enumerate(row, 1):
                cell = sheet.cell(n, c, v)
                if isinstance(v, float):
                    cell.number_format = MONEY
    sheet.auto_filter.ref = 'A1:%s%d' % (get_column_letter(width), n)
    book.save(out)


WAYS = {
    'xlsxwriter': lambda source, out: xlsxwriter(source, out, False),
    'xlsxwriter-constant-memory': lambda source, out: xlsxwriter(source, out, True),
    'openpyxl': lambda source, out: openpyxl(source, out, False),
    'openpyxl-write-only': lambda source, out: openpyxl(source, out, True),
}

if __name__ == '__main__':
    WAYS[sys.argv[1]](sys.argv[2], sys.argv[3])
