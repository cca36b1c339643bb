#!/usr/bin/env python3
"""Workbooks in LibreOffice: check_look.py GPUTAB FOLDER

Makes reports of several shapes and, of each, opens the workbook in LibreOffice: it must open, every formula, calculated anew, must come to
the value that the file has beside it, and it must become a PDF. PDF and PNG are left in FOLDER for people to look at.
"""
import json
import os
import re
import shutil
import subprocess
import sys
import zipfile

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path.insert(0, os.path.join(ROOT, 'tests', 'xlsx'))

import workbook  # noqa: E402

# Formulas of any workbook are calculated when it is opened.
SETTINGS = '''<?xml version="1.0" encoding="UTF-8"?>
<oor:items xmlns:oor="http://openoffice.org/2001/registry" xmlns:xs="http://www.w3.org/2001/XMLSchema">
<item oor:path="/org.openoffice.Office.Calc/Formula/Load"><prop oor:name="OOXMLRecalcMode" oor:op="fuse"><value>0</value></prop></item>
</oor:items>
'''
PNG_DPI = '80'


def fresh(path):
    shutil.rmtree(path, ignore_errors=True)
    os.makedirs(path)
    return path


class Look:
    def __init__(self, gputab, folder):
        self.gputab, self.folder = os.path.abspath(gputab), fresh(os.path.abspath(folder))
        self.profile = os.path.join(self.folder, 'profile')
        os.makedirs(os.path.join(self.profile, 'user'))
        with open(os.path.join(self.profile, 'user', 'registrymodifications.xcu'), 'w', encoding='utf-8') as f:
            f.write(SETTINGS)
        self.passed = self.failed = 0

    def verdict(self, what, wrong):
        self.passed, self.failed = self.passed + (not wrong), self.failed + bool(wrong)
        for line in wrong[:5]:
            print('%s: %s' % (what, line))

    def office(self, path, to, out):
        """Converts; the path of what came out, or None."""
        os.makedirs(out, exist_ok=True)
        subprocess.run(['soffice', '-env:UserInstallation=file://' + self.profile, '--headless', '--convert-to', to, '--outdir', out, path],
                       stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, timeout=300)
        made = os.path.join(out, os.path.splitext(os.path.basename(path))[0] + '.' + to.partition(':')[0])
        return made if os.path.exists(made) else None

    def report(self, name, args, code=0):
        path = os.path.join(self.folder, name + '.xlsx')
        done = subprocess.run([self.gputab, 'report', '-q', '-o', path] + args, cwd=ROOT, timeout=300, stderr=subprocess.DEVNULL, check=False,
                              env=dict(os.environ, GPUTAB_CONFIG=''))
        self.verdict('%s: made' % name, [] if done.returncode == code else ['exit %d' % done.returncode])
        return path

    def calculated(self, path):
        made = self.office(path, 'xlsx:Calc MS Excel 2007 XML', os.path.join(self.folder, 'calculated'))
        return workbook.Workbook(made) if made else None

    def check(self, path):
        name = os.path.basename(path)
        again = self.calculated(path)
        self.verdict('%s: LibreOffice opens it' % name, [] if again else ['no'])
        if again:
            self.verdict(name, list(differences(workbook.Workbook(path), again)))
        pdf = self.office(path, 'pdf', self.folder)
        self.verdict('%s: as PDF' % name, [] if pdf else ['no'])
        if pdf:
            subprocess.run(['pdftoppm', '-r', PNG_DPI, '-png', pdf, pdf[:-len('.pdf')]], check=True, timeout=300)

    def check_that_it_calculates(self, path):
        """A false value beside a formula must be seen, else the comparison would say nothing."""
        bad = os.path.join(self.folder, 'false-value.xlsx')
        with zipfile.ZipFile(path) as z, zipfile.ZipFile(bad, 'w') as out:
            for n in z.namelist():
                data = z.read(n)
                if n == 'xl/worksheets/sheet1.xml':
                    data, n_changed = re.subn(rb'(<f>SUBTOTAL\([^<]*</f><v>)[^<]*', rb'\g<1>-77.5', data, count=1)
                    assert n_changed == 1
                out.writestr(n, data)
        again = self.calculated(bad)
        os.unlink(bad)
        wrong = list(differences(workbook.Workbook(path), again)) if again else ['it does not open']
        self.verdict('a false value is calculated anew', wrong)


def differences(want, got):
    """Cells of formulas whose values differ, and texts that do."""
    formulas = 0
    for name, cells in want.sheets.items():
        for place, cell in cells.items():
            other = got.sheets.get(name, {}).get(place)
            where = '%s!%s%d' % (name, workbook.name_of(place[1]), place[0])
            if cell.formula:
                formulas += 1
                if other is None or not isinstance(other.value, float) or abs(other.value - cell.value) > 1e-9 * max(1, abs(cell.value)):
                    yield '%s: =%s is %r here and %r there' % (where, cell.formula, cell.value, other and other.value)
            elif cell.value is not None and (other is None or other.value != cell.value):
                if not isinstance(cell.value, float) or other is None or not isinstance(other.value, float) \
                        or abs(other.value - cell.value) > 1e-9 * max(1, abs(cell.value)):
                    yield '%s: %r here and %r there' % (where, cell.value, other and other.value)
    if formulas < 20:
        yield 'only %d formulas' % formulas


def renamed(look, name, changes):
    """The inputs of a case with other names in its rule."""
    folder = fresh(os.path.join(look.folder, 'inputs'))
    source = os.path.join(ROOT, 'tests', 'cases', name)
    for file in ('billing.csv', 'metrics.om', 'rule.yaml', 'args'):
        with open(os.path.join(source, file), encoding='utf-8') as f:
            text = f.read()
        for a, b in changes.get(file, ()):
            assert a in text
            text = text.replace(a, b)
        with open(os.path.join(folder, file), 'w', encoding='utf-8') as f:
            f.write(text)
    with open(os.path.join(folder, 'args'), encoding='utf-8') as f:
        args = f.read().split()
    return ['--billing', folder + '/billing.csv', '--metrics', folder + '/metrics.om', '--rule', folder + '/rule.yaml'] + args


# What the rule of the month leaves out. nlp is over its budget, robotics has nothing else.
ALL_OF_IT = '''
idle: {policy: proportional}
budgets: [{team: nlp, month: "20000.00"}, {team: search, month: "90000.00"}, {team: robotics, month: "1000.00"}]
gates: {coverage: "95%", max_unmapped: "0.1%", max_no_metrics: "5%", min_grade_a: "80%"}
shared_costs: [{name: support, select: {column: "lineItem/ProductCode", equals: "AWSSupportBusiness"}, method: proportional}]
'''


def with_all_of_it(look, of_month):
    """Arguments with such a rule, and a report of the first days as that of the month before."""
    rule, before = os.path.join(look.folder, 'all.yaml'), os.path.join(look.folder, 'before.json')
    with open(os.path.join(ROOT, 'examples/month/rule.yaml'), encoding='utf-8') as f:
        text = f.read()
    with open(rule, 'w', encoding='utf-8') as f:
        f.write(text + ALL_OF_IT)
    of_rule = of_month[:-1] + [rule]
    subprocess.run([look.gputab, 'report', '-q', '-o', before, '--from', '2026-10-01', '--to', '2026-10-12'] + of_month, cwd=ROOT, check=True,
                   timeout=300, env=dict(os.environ, GPUTAB_CONFIG=''))
    with open(before, encoding='utf-8') as f:
        report = json.load(f)
    report['period'] = {'from': '2026-09-01T00:00:00Z', 'to': '2026-10-01T00:00:00Z', 'hours': 720}
    with open(before, 'w', encoding='utf-8') as f:
        json.dump(report, f)
    return of_rule + ['--previous', before]


def main(gputab, folder):
    look = Look(gputab, folder)
    month = fresh(os.path.join(look.folder, 'month'))
    subprocess.run([sys.executable, '-B', 'examples/month/make_month.py', month], cwd=ROOT, check=True, stdout=subprocess.DEVNULL)
    of_month = ['--billing', month + '/billing.csv.gz', '--metrics', month + '/metrics.om.gz', '--rule', 'examples/month/rule.yaml']
    demo = 'examples/demo'
    paths = [
        look.report('month', ['--month', '2026-10'] + of_month),
        look.report('all-of-it', ['--month', '2026-10', '--draft'] + with_all_of_it(look, of_month), code=4),
        look.report('two-months', ['--from', '2026-09-20', '--to', '2026-10-21', '--by', 'day,team'] + of_month),
        look.report('one-team', ['--month', '2026-10', '--where', 'team=search'] + of_month),
        look.report('demo', ['--month', '2024-09', '--billing', demo + '/billing.csv', '--metrics', demo + '/metrics.om',
                             '--rule', demo + '/rule.yaml']),
        look.report('names', renamed(look, '04-copies-300-percent', {'rule.yaml': [('team: team-a', 'team: "=2+5"'),
                                                                                   ('team: team-b', 'team: "_x0041_ <&>"')]})),
        look.report('yen', renamed(look, '04-copies-300-percent', {'billing.csv': [('USD', 'JPY')]})),
    ]
    for path in paths:
        look.check(path)
    look.check_that_it_calculates(paths[0])
    print('PDF and PNG to look at: %s' % look.folder)
    print('%d passed, %d failed' % (look.passed, look.failed))
    return 1 if look.failed else 0


if __name__ == '__main__':
    sys.exit(main(*sys.argv[1:]))
