"""Files that other programs read: what spreadsheets and scripts make of them."""
import csv
import io
import json
import re
import zipfile
from fractions import Fraction
from xml.etree import ElementTree

from answer import registry, row, same
from scene import ONLY_GPU, Scene

TESTS, answers = registry()
MAIN = '{http://schemas.openxmlformats.org/spreadsheetml/2006/main}'


def scene(rule=ONLY_GPU, namespaces=('ml',)):
    s = Scene(1, rule)
    g = s.node('p5.4xlarge', '1.00', 4).gpu('NVIDIA H100 80GB HBM3', 80)
    for n in namespaces:
        g.pod(n, '73928e03', gib=20)
    return s


def labelled(value):
    """A pod whose team is the value of a label: the one text that may begin with anything."""
    s = scene(ONLY_GPU + 'owners: [{pod_label: {name: team}, team: "{value}"}]\n')
    for minute in range(60):
        s.sample('kube_pod_labels', {'job': 'kube-state-metrics', 'instance': '10.0.9.9:8080', 'namespace': 'ml', 'pod': '73928e03',
                                     'uid': 'uid-ml-73928e03', 'label_team': value}, minute, 1)
    return s


@answers('kubecost#80', 'opencti#7365', 'hledger#238', 'hledger#1559')
def csv_is_utf8_without_a_mark_and_amounts_stand_alone(gputab):
    s = labelled('équipe')
    done = s.run(gputab, '-o', 'out.csv', files=('out.csv',))
    same(done.returncode, 0)
    text = done.files['out.csv']
    assert not text.startswith(b'\xef\xbb\xbf') and 'équipe'.encode() in text
    for cells in csv.DictReader(io.StringIO(text.decode())):
        Fraction(cells['total_cost'])          # a number, no sign of a currency


@answers('sqlpage#528')
def a_spreadsheet_that_needs_a_mark_gets_one_on_request(gputab):
    text = labelled('équipe').run(gputab, '-o', 'out.csv', '--csv-bom', files=('out.csv',)).files['out.csv']
    assert text.startswith(b'\xef\xbb\xbfteam,') and text.count(b'\xef\xbb\xbf') == 1, text[:20]


@answers('apama-log-analyzer#5', 'csvkit#301')
def spreadsheets_with_decimal_commas_get_them(gputab):
    plain = list(csv.reader(io.StringIO(scene().run(gputab, '--format', 'csv').stdout)))
    local = list(csv.reader(io.StringIO(scene().run(gputab, '--format', 'csv', '--csv-delimiter', ';', '--csv-decimal', ',').stdout),
                            delimiter=';'))
    same([[c.replace(',', '.') for c in line] for line in local], plain)
    same(local[1][4], '0,25')               # 20 of 80 GiB at 1.00 for an hour
    done = scene().run(gputab, '--format', 'csv', '--csv-decimal', ',')
    same(done.returncode, 2)
    assert 'parts the cells' in done.stderr, done.stderr


@answers('sqlpage#528')
def csv_for_a_spreadsheet_is_asked_for(gputab):
    # Excel knows UTF-8 by a mark, and in much of the world wants other signs between cells and in numbers
    s = labelled('\u00e9quipe')
    done = s.run(gputab, '-o', 'out.csv', '--csv-bom', '--csv-delimiter', ';', '--csv-decimal', ',', files=('out.csv',))
    same(done.returncode, 0)
    text = done.files['out.csv']
    assert text.startswith(b'\xef\xbb\xbf'), text[:40]
    cells = next(csv.DictReader(io.StringIO(text.decode('utf-8-sig')), delimiter=';'))
    same((cells['team'], cells['total_cost']), ('\u00e9quipe', '0,25'))


@answers('timetracker#318', 'posthog#54162', 'asvs#1.2.10', 'tableExport#230')
def texts_never_run_as_formulas_and_numbers_are_left_alone(gputab):
    for evil in ('=cmd', '+1', '-1', '@sum'):
        s = labelled(evil)
        s.row(cost='-0.40', ChargeClass='Correction', ResourceId=s.nodes[0].id, ResourceType='instance',
              ChargeDescription='instance hours', ConsumedUnit='Hours', PricingUnit='Hours', SkuPriceDetails='{"InstanceType": "p5.4xlarge"}')
        s.nodes[0].price = '0.10'
        cells = list(csv.DictReader(io.StringIO(s.run(gputab, '--format', 'csv').stdout)))
        teams = [c['team'] for c in cells if not c['bucket']]
        same(teams, ["'" + evil])
        same({c['total_cost'][0] for c in cells}, {'-'})           # -0.30 in all: a number stays a number
        raw = list(csv.DictReader(io.StringIO(s.run(gputab, '--format', 'csv', '--csv-raw').stdout)))
        same([c['team'] for c in raw if not c['bucket']], [evil])


@answers('bilig#28', 'orangelight#2695', 'archi#141')
def ids_stay_texts(gputab):
    s = scene(ONLY_GPU + 'owners: [{namespace: ml, team: ml}]\ncost_centres: [{id: "00042", name: Lab, teams: [ml]}]\n')
    report = s.report(gputab, '--by', 'cost_centre,pod')
    same(row(report, bucket=None)['cost_centre'], '00042')
    assert row(report, bucket=None)['pod'].endswith('73928e03')
    assert '00042' in s.run(gputab, '--by', 'cost_centre', '--format', 'csv').stdout


def workbook(gputab, s, *options):
    """{part: its XML as a tree} of the report as a workbook."""
    done = s.run(gputab, '-o', 'out.xlsx', *options, files=('out.xlsx',))
    same(done.returncode, 0, done.stderr)
    with zipfile.ZipFile(io.BytesIO(done.files['out.xlsx'])) as z:
        return {name: ElementTree.fromstring(z.read(name)) for name in z.namelist()}


def sheets(parts):
    return [parts[name] for name in sorted(parts) if name.startswith('xl/worksheets/sheet')]


def texts(parts):
    return [''.join(t.text or '' for t in item.iter(MAIN + 't')) for item in parts['xl/sharedStrings.xml']]


@answers('XlsxWriter#864', 'XlsxWriter#877', 'XlsxWriter#216', 'abap2xlsx#616')
def previews_that_calculate_nothing_show_the_totals(gputab):
    formulas = [c for sheet in sheets(workbook(gputab, scene())) for c in sheet.iter(MAIN + 'c') if c.find(MAIN + 'f') is not None]
    totals = {c.find(MAIN + 'v').text for c in formulas if c.find(MAIN + 'f').text.startswith('SUBTOTAL(9,')}
    assert len(formulas) > 20 and '1' in totals, totals                # an hour of one card at 1.00
    for c in formulas:
        assert c.find(MAIN + 'v') is not None and c.find(MAIN + 'v').text, c.find(MAIN + 'f').text
        float(c.find(MAIN + 'v').text)


@answers('SheetJS#870', 'PHP_XLSXWriter#78', 'openxlsx#65')
def sheet_names_are_within_the_rules_whatever_teams_are_called(gputab):
    for team in ('a-team-with-a-name-of-more-than-31-characters', "it's [a]: *?/\\", 'History', 'summary'):
        parts = workbook(gputab, labelled(team))
        names = [s.get('name') for s in parts['xl/workbook.xml'].iter(MAIN + 'sheet')]
        assert team in texts(parts), team
        same(len({n.lower() for n in names}), len(names))
        for n in names:
            assert 1 <= len(n) <= 31 and not set(n) & set('[]:*?/\\') and n[0] != "'" != n[-1] and n.lower() != 'history', n


@answers('ari#305')
def number_formats_are_of_the_bills_currency(gputab):
    s = scene()
    s.nodes[0].bill_row['BillingCurrency'] = 'EUR'
    parts = workbook(gputab, s)
    formats = [f.get('formatCode') for f in parts['xl/styles.xml'].iter(MAIN + 'numFmt')]
    codes = {c for f in formats for c in re.findall(r'\[\$([^]]*)\]', f)}
    same(codes, {'EUR'})
    assert not [f for f in formats if '$' in f.replace('[$EUR]', '')], formats
    assert 'Total EUR' in texts(parts) and not [t for t in texts(parts) if 'USD' in t]


@answers('timetracker#318', 'posthog#54162', 'bilig#28', 'archi#141')
def texts_of_a_workbook_are_texts(gputab):
    for value in ('=cmd', '+1', '-1', '@sum', '00042', '73928e03', '1e3'):
        parts = workbook(gputab, labelled(value))
        assert value in texts(parts), value
        for sheet in sheets(parts):
            for c in sheet.iter(MAIN + 'c'):
                f = c.find(MAIN + 'f')
                assert f is None or value not in ('=' + f.text, f.text), f.text


@answers('apama-log-analyzer#5', 'csvkit#301', 'azure-powershell#27735')
def numbers_are_the_same_in_every_locale(gputab):
    texts = {scene().run(gputab, '--format', 'csv', env={'LC_ALL': locale, 'LANG': locale}).stdout
             for locale in ('C', 'de_DE.UTF-8', 'fr_FR.UTF-8')}
    same(len(texts), 1)
    for cells in csv.DictReader(io.StringIO(texts.pop())):
        same([c for c in ('total_cost', 'total_exact', 'gpu_hours') if set(cells[c]) - set('-.0123456789')], [])


@answers('kubecost#665', 'kubecost#813', 'kubecost#2319', 'kubecost#2916')
def every_column_of_the_json_is_in_the_csv(gputab):
    r = scene().report(gputab)['rows'][0]
    names = next(csv.reader(io.StringIO(scene().run(gputab, '--format', 'csv').stdout)))
    wanted = []
    for name, value in r.items():
        wanted.extend('%s_%s' % (name, k) for k in value) if isinstance(value, dict) else wanted.append(name)
    same(names, wanted)


@answers('azure-cost-cli#55', 'azure-cli#30161')
def a_line_of_an_export_says_what_it_is_of(gputab):
    lines = [json.loads(line) for line in scene().run(gputab, '--format', 'jsonl').stdout.splitlines()]
    same({line['period']['from'] for line in lines}, {'2026-10-05T00:00:00Z'})
    same({line['currency'] for line in lines}, {'USD'})


@answers('opencost#3073')
def no_data_says_which_question_found_nothing(gputab):
    s = Scene(1)
    s.node('p5.4xlarge', '1.00')
    done = s.run(gputab)
    assert 'DCGM' in done.stderr or 'GPU' in done.stderr, done.stderr


@answers('kubecost#1526')
def a_header_that_has_changed_stops_the_run(gputab):
    s = scene()
    s.bill = lambda whole=s.bill: whole().replace('EffectiveCost', 'Effektive Kosten', 1)
    done = s.run(gputab)
    same(done.returncode, 3)
    assert 'EffectiveCost' in done.stderr, done.stderr
