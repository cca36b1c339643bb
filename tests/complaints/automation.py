"""What scripts and cron rely on: exit codes, whole files, clean streams, steady memory."""
import json

from answer import registry, same
from scene import ONLY_GPU, Scene

TESTS, answers = registry()


def scene():
    s = Scene(1, ONLY_GPU)
    s.node('p5.4xlarge', '1.00').gpu('NVIDIA H100 80GB HBM3', 80).pod('ml', 'train-0', gib=40)
    return s


@answers('kubecost#2233', 'kubecost#2752', 'db-sync#8', 'autorestic#400', 'strix#631')
def a_run_that_fails_says_so_and_leaves_no_file(gputab):
    s = scene()
    s.bill = lambda whole=s.bill: whole()[:-40]            # cut in its last row
    done = s.run(gputab, '-o', 'out.csv', '-o', 'out.json', files=('out.csv', 'out.json'))
    same(done.returncode, 3)
    same(done.files, {'out.csv': None, 'out.json': None})
    assert done.stderr.startswith('gputab: bill.csv:'), done.stderr


@answers('terraform#23542')
def failing_and_finding_are_two_exit_codes(gputab):
    same(scene().run(gputab).returncode, 0)
    s = scene()
    s.rule = 'nonsense: 1\n'
    same(s.run(gputab).returncode, 2)


@answers('openclaw#88602')
def standard_output_holds_the_result_alone(gputab):
    done = scene().run(gputab, '--format', 'json', '-v')
    json.loads(done.stdout)
    assert 'read bill.csv' in done.stderr


@answers('stackit-cli#893')
def no_rows_are_an_empty_list(gputab):
    s = scene()
    report = s.report(gputab, '--where', 'team=nobody')
    same(report['rows'], [])
