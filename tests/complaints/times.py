"""Days and months: where they begin, and that they add up."""
import os
import subprocess
import tempfile
from fractions import Fraction

from answer import registry, same
from scene import ONLY_GPU, Scene

TESTS, answers = registry()


def two_days():
    s = Scene(48, ONLY_GPU)
    s.node('p5.4xlarge', '1.00').gpu('NVIDIA H100 80GB HBM3', 80).pod('ml', 'train-0', gib=40, since=60, until=47 * 60)
    return s


@answers('kubecost#816', 'kubecost#2364')
def the_machines_time_zone_changes_nothing(gputab):
    texts = [two_days().run(gputab, '--by', 'day,team', '--format', 'json', env={'TZ': tz}).stdout
             for tz in ('UTC', 'America/Los_Angeles', 'Asia/Kolkata', 'Pacific/Kiritimati')]
    same(len(set(texts)), 1)
    assert '"total_cost"' in texts[0]


@answers('kubecost#1398', 'kubecost#1950')
def the_zone_is_printed(gputab):
    done = two_days().run(gputab, '--by', 'day', '--format', 'plain')
    assert 'UTC' in done.stdout, done.stdout
    same(two_days().report(gputab)['period']['from'], '2026-10-05T00:00:00Z')


@answers('azure-cost-cli#130')
def a_period_has_as_many_days_as_were_asked_for(gputab):
    report = two_days().report(gputab, '--by', 'day')
    same(sorted({r['day'] for r in report['rows']}), ['2026-10-05', '2026-10-06'])
    same(report['period']['hours'], 48)


@answers('manageiq#17606')
def adjoining_periods_add_up_to_the_whole(gputab):
    # a charge of one row over 48 hours at 10.00 is cut anywhere, and the parts sum to it exactly
    s = two_days()
    n = s.nodes[0]
    n.price = None
    s.row(cost='10.00', ResourceId=n.id, ResourceType='instance', ChargeDescription='instance hours', ConsumedQuantity='48',
          ConsumedUnit='Hours', PricingQuantity='48', PricingUnit='Hours', SkuPriceDetails='{"InstanceType": "p5.4xlarge"}')
    borders = ['2026-10-05T00:00:00Z', '2026-10-05T07:13:11Z', '2026-10-06T00:00:00Z', '2026-10-06T19:00:00Z', '2026-10-07T00:00:00Z']
    total = Fraction(0)
    with tempfile.TemporaryDirectory() as folder:
        s.write(folder)
        for begin, end in zip(borders, borders[1:]):
            done = subprocess.run([os.path.abspath(gputab), 'report', '--billing', 'bill.csv', '--metrics', 'metrics.om', '--rule',
                                   'rule.yaml', '--from', begin, '--to', end, '--format', 'csv'], cwd=folder, capture_output=True,
                                  timeout=120, check=True, env=dict(os.environ, GPUTAB_CONFIG=''))
            lines = done.stdout.decode().splitlines()
            at = lines[0].split(',').index('total_exact')
            total += sum(Fraction(line.split(',')[at]) for line in lines[1:])
    same(total, Fraction(10))
