"""Files that other programs read: what spreadsheets and scripts make of them."""
import csv
import io
import json
from fractions import Fraction

from answer import registry, row, same
from scene import ONLY_GPU, Scene

TESTS, answers = registry()


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
