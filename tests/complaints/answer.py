"""The mark of a test: which issues it answers; and what tests look at."""
from fractions import Fraction


def registry():
    tests = []

    def answers(*names):
        def mark(test):
            test.answers = names
            tests.append(test)
            return test
        return mark
    return tests, answers


def rows(report, **keys):
    return [r for r in report['rows'] if all(r.get(k) == v for k, v in keys.items())]


def row(report, **keys):
    found = rows(report, **keys)
    assert len(found) == 1, '%d rows are %s' % (len(found), keys)
    return found[0]


def same(got, wanted, what=''):
    assert got == wanted, '%s: got %s, wanted %s' % (what, got, wanted)


def near(got, wanted, off='0.000001', what=''):
    assert abs(Fraction(got) - Fraction(wanted)) <= Fraction(off), '%s: got %s, wanted %s' % (what, got, wanted)


def adds_up(report):
    """The rows sum to the totals, the pieces of a row to the row, and the whole to the bill."""
    for r in report['rows']:
        same(sum(Fraction(r[p]) for p in ('gpu_cost', 'cpu_cost', 'memory_cost')), Fraction(r['total_cost']), 'pieces of a row')
    for column in ('gpu_cost', 'cpu_cost', 'memory_cost', 'total_cost'):
        same(sum(Fraction(r[column]) for r in report['rows']), Fraction(report['totals'][column]), column)
    if not report.get('filtered'):
        same(Fraction(report['totals']['total_cost']), Fraction(report['totals']['billed']), 'the bill')
    same(Fraction(report['totals']['difference']), 0, 'difference')
