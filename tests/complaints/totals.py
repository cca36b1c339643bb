"""Totals that hold: one number, parts that sum, nothing hidden and nothing lost."""
import csv
import io
import json
import os
import subprocess
from fractions import Fraction

from answer import adds_up, registry, row, rows, same
from scene import ONLY_GPU, Scene

TESTS, answers = registry()


def fleet(rule='', hours=2):
    """Two nodes: one shared by two namespaces, one whose card is empty half of the time."""
    s = Scene(hours, rule)
    shared = s.node('p5.4xlarge', '6.88', 4).gpu('NVIDIA H100 80GB HBM3', 80, 1)
    shared.pod('nlp', 'infer-0', gib=30).pod('vision', 'infer-0', gib=20)
    s.node('g5.2xlarge', '1.35296').gpu('NVIDIA A10G', 23).pod('nlp', 'train-0', gib=9, until=hours * 30)
    return s


@answers('kubecost#4854', 'kubecost#2402', 'kubecost#1521', 'clawmetry#5080', 'opencost#2901')
def every_format_and_every_key_has_one_total(gputab):
    # 2 x (6.88 + 1.35296) = 16.46592
    for by in ('team', 'namespace,pod', 'node', 'day,gpu_model', 'grade,reason'):
        report = fleet().report(gputab, '--by', by)
        adds_up(report)
        same(report['totals']['total_cost'], '16.47', by)
        done = fleet().run(gputab, '--by', by, '--format', 'csv')
        same(sum(Fraction(r['total_cost']) for r in csv.DictReader(io.StringIO(done.stdout))), Fraction('16.47'), by)
    assert '16.47' in fleet().run(gputab, '--format', 'plain').stdout


@answers('opencost#2092')
def a_report_says_whether_its_bill_is_final(gputab):
    same(fleet().report(gputab)['bill']['final'], True)
    s = fleet()
    for n in s.nodes:
        n.bill_row['InvoiceIssuerName'] = 'AWS'
    done = s.run(gputab, '--format', 'plain')
    assert 'difference' in done.stdout and '0.00' in done.stdout


@answers('opencost#1124')
def filters_come_after_everything_is_divided(gputab):
    whole = fleet().report(gputab, '--by', 'team')
    shown = fleet().report(gputab, '--by', 'team', '--where', 'team=nlp')
    same(shown['rows'], rows(whole, team='nlp'))
    same(shown['totals']['billed'], whole['totals']['billed'])
    same(shown['filtered'], True)


@answers('kubecost#1965', 'opencost#3393')
def what_is_missing_is_a_bucket_of_its_own_and_nothing_is_negative(gputab):
    # no samples in the second hour of a node: not "negative idle" but (no-metrics)
    s = Scene(2, ONLY_GPU)
    n = s.node('p5.4xlarge', '6.88')
    n.gpu('NVIDIA H100 80GB HBM3', 80).pod('nlp', 'train-0', gib=10)
    n.until = 60
    report = s.report(gputab)
    same(row(report, bucket='(no-metrics)')['total_cost'], '6.88')
    same(row(report, team='nlp')['total_cost'], '6.88')
    assert all(Fraction(r['total_cost']) >= 0 for r in report['rows'])


@answers('infrastructure#2847', 'opencost#3018', 'opencost#2682')
def gaps_in_the_metrics_are_told_with_their_money(gputab):
    s = Scene(2, ONLY_GPU)
    n = s.node('p5.4xlarge', '6.88')
    n.gpu('NVIDIA H100 80GB HBM3', 80).pod('nlp', 'train-0', gib=10)
    n.until = 60
    report = s.report(gputab, '--by', 'reason')
    same(report['coverage'], '0.5000')
    assert rows(report, bucket='(no-metrics)'), report['rows']


@answers('ccusage#1636')
def history_is_what_was_billed_then(gputab):
    # the price doubles in the second hour; each hour keeps its own
    s = Scene(2, ONLY_GPU)
    n = s.node('p5.4xlarge', '6.88')
    n.gpu('NVIDIA H100 80GB HBM3', 80).pod('a', 'x-0', gib=10, until=60).pod('b', 'x-0', gib=10, since=60)
    n.price = None
    for hour, cost in ((0, '5'), (1, '10')):
        s.row(cost=cost, ResourceId=n.id, ResourceType='instance', ChargeDescription='instance hours', ConsumedQuantity='1',
              ConsumedUnit='Hours', PricingQuantity='1', PricingUnit='Hours', ChargePeriodStart='2026-10-05T%02d:00:00Z' % hour,
              ChargePeriodEnd='2026-10-05T%02d:00:00Z' % (hour + 1), SkuPriceDetails='{"InstanceType": "p5.4xlarge"}')
    report = s.report(gputab)
    same([row(report, team=t)['total_cost'] for t in 'ab'], ['5.00', '10.00'])


@answers('opencost#822', 'opencost#2410')
def a_currency_is_that_of_the_bill_and_never_a_label(gputab):
    s = fleet()
    for n in s.nodes:
        n.bill_row['BillingCurrency'] = 'EUR'
    same(s.report(gputab)['currency'], 'EUR')
    s = fleet()
    s.nodes[0].bill_row['BillingCurrency'] = 'EUR'             # and two currencies do not add up
    done = s.run(gputab)
    same(done.returncode, 3)
    assert 'EUR' in done.stderr and 'USD' in done.stderr, done.stderr


@answers('useautumn#3407', 'gumroad#5468', 'dinerojs#144')
def cents_are_neither_lost_nor_given_to_the_first(gputab):
    # 0.10 for three equal residents and as much idle: 0.025 each; four cells, ten cents: 3, 3, 2, 2 by the order of the rows
    s = Scene(1, ONLY_GPU)
    g = s.node('p5.4xlarge', '0.10', 4).gpu('NVIDIA H100 80GB HBM3', 80)
    for t in 'abc':
        g.pod(t, 'x-0', gib=20)
    report = s.report(gputab)
    same([r['total_cost'] for r in report['rows']], ['0.03', '0.03', '0.02', '0.02'])
    adds_up(report)


@answers('opencost#2698', 'opencost#3587')
def labels_with_points_and_slashes_are_found(gputab):
    s = fleet('owners: [{pod_label: {name: "app.kubernetes.io/team"}, team: "{value}"}]\n')
    for (namespace, name), (n, since, until, _) in s.pods.items():
        for minute in range(since, until):
            s.sample('kube_pod_labels', {'job': 'kube-state-metrics', 'instance': '10.0.9.9:8080', 'namespace': namespace, 'pod': name,
                                         'uid': 'uid-%s-%s' % (namespace, name), 'label_app_kubernetes_io_team': 'squad-' + namespace},
                     minute, 1)
    same({r['team'] for r in s.report(gputab)['rows'] if not r['bucket']}, {'squad-nlp', 'squad-vision'})


@answers('opencost#152', 'opencost#1412', 'opencost#803', 'kubecost#288', 'kubecost#1048')
def what_belongs_to_nobody_can_be_opened(gputab):
    rule = 'owners: [{namespace: nlp, team: nlp}]\n'
    whole = fleet(rule).report(gputab)
    opened = fleet(rule).report(gputab, '--by', 'team,namespace,pod', '--where', 'team=(unmapped)')
    same(row(whole, bucket='(unmapped)')['total_exact'],
         ['%s' % r['total_exact'] for r in opened['rows']][0])
    same([(r['namespace'], r['pod']) for r in opened['rows']], [('vision', 'infer-0')])
    by_namespace = fleet(rule).report(gputab, '--by', 'namespace')
    same(row(by_namespace, namespace='vision')['total_exact'], row(whole, bucket='(unmapped)')['total_exact'])


@answers('infracost#816', 'infracost#615')
def json_and_csv_have_the_same_rows(gputab):
    report = fleet().report(gputab, '--by', 'team,gpu_model')
    lines = list(csv.DictReader(io.StringIO(fleet().run(gputab, '--by', 'team,gpu_model', '--format', 'csv').stdout)))
    same(len(lines), len(report['rows']))
    for line, r in zip(lines, report['rows']):
        for column in ('team', 'gpu_model', 'gpu_hours', 'total_cost', 'total_exact'):
            same(line[column], r[column] or '', column)
    same([json.loads(t)['total_exact'] for t in fleet().run(gputab, '--by', 'team,gpu_model', '--format', 'jsonl').stdout.splitlines()
          if 'total_exact' in t], [r['total_exact'] for r in report['rows']])


@answers('opencost#1409')
def what_is_in_a_shared_cost_is_listed(gputab):
    # 6.00 of support beside two teams at 3.00 and 1.00 of a node at 8.00 with 4.00 idle: 4.50 and 1.50 more
    s = Scene(1, ONLY_GPU + 'shared_costs: [{name: support, select: {column: ServiceName, equals: "AWS Support"}, method: proportional}]\n')
    s.node('p5.4xlarge', '8.00', 4).gpu('NVIDIA H100 80GB HBM3', 80).pod('nlp', 'a-0', gib=30).pod('cv', 'b-0', gib=10)
    s.row(cost='6.00', ServiceName='AWS Support', ChargeDescription='support', ServiceCategory='Other')
    report = s.report(gputab)
    same([(c['name'], c['cost']) for c in report['shared_costs']], [('support', '6.00')])
    same([row(report, team=t)['shared_cost'] for t in ('nlp', 'cv')], ['4.50', '1.50'])
    same([row(report, team=t)['total_cost'] for t in ('nlp', 'cv')], ['7.50', '2.50'])
    same(report['totals']['billed'], '14.00')
    adds_up(report)


@answers('opencost#883')
def idle_that_finds_no_weight_stays(gputab):
    # nobody was there: there is no team to spread 6.88 over
    for policy in ('proportional', 'even'):
        s = Scene(1, ONLY_GPU + 'idle: {policy: %s}\n' % policy)
        s.node('p5.4xlarge', '6.88').gpu('NVIDIA H100 80GB HBM3', 80)
        same(row(s.report(gputab), bucket='(idle)')['total_cost'], '6.88', policy)


@answers('koku#4200', 'koku#5238')
def no_policy_changes_a_total(gputab):
    # and a negative charge stays one
    policies = ('policy: separate', 'policy: proportional, scope: all', 'policy: even, scope: cluster',
                'policy: fixed, shares: {nlp: "25%", cv: "75%"}', 'policy: to, team: platform, include: ["(driver-reserved)"]')
    for policy in policies:
        for price in ('6.88', '-6.88'):
            s = fleet('idle: {%s}\n' % policy)
            s.nodes[0].price = price
            report = s.report(gputab)
            adds_up(report)
            same(exact(report), 2 * (Fraction(price) + Fraction('1.35296')), policy)


def exact(report):
    return sum(Fraction(r['total_exact']) for r in report['rows'])


@answers('opencost#2153', 'opencost#2352')
def every_word_of_a_report_is_defined(gputab):
    report = fleet().report(gputab)
    columns = [c for c in report['rows'][0] if c not in ('team', 'bucket', 'grade')]
    for option, names in (('--column', columns), ('--code', [w['code'] for w in report['warnings']])):
        for name in names:
            done = subprocess.run([os.path.abspath(gputab), 'explain', option, name], capture_output=True, timeout=60, check=False,
                                  env={**os.environ, 'GPUTAB_CONFIG': ''})
            same(done.returncode, 0, name)
            assert name in done.stdout.decode() and 'meaning' in done.stdout.decode(), done.stdout


@answers('kubecost#1736', 'kubecost#1622', 'azure-docs#41138')
def a_budget_is_a_figure_of_the_report_and_an_exit_code(gputab):
    # 744 hours of October give 74.40 of which an hour is 0.10; nlp costs 0.75
    s = Scene(1, ONLY_GPU + 'budgets: [{team: nlp, month: "74.40"}, {team: cv, month: "744.00"}]\n')
    s.node('p5.4xlarge', '2.00', 4).gpu('NVIDIA H100 80GB HBM3', 80).pod('nlp', 'a-0', gib=30).pod('cv', 'b-0', gib=10)
    budgets = {b['team']: b for b in s.report(gputab)['budgets']}
    same([budgets['nlp'][k] for k in ('budget', 'cost')], ['0.10', '0.75'])
    same([budgets['cv'][k] for k in ('budget', 'cost')], ['1.00', '0.25'])
    done = s.run(gputab, '--fail-on', 'budget>100%', '-o', 'out.json', files=('out.json',))
    same(done.returncode, 5)
    assert done.files['out.json'] and 'nlp' in done.stderr and '"cv"' not in done.stderr, done.stderr


@answers('azure-cost-cli#55', 'azure-cli#30161')
def rows_say_of_which_day_and_place_they_are(gputab):
    done = fleet().run(gputab, '--by', 'day,region,team', '--format', 'csv')
    cells = next(csv.DictReader(io.StringIO(done.stdout)))
    same((cells['day'], cells['region']), ('2026-10-05', 'us-east-1'))
