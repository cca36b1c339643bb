"""Whose the cards are: who is billed for which part of them."""
from fractions import Fraction

from answer import adds_up, near, registry, row, rows, same
from scene import ONLY_GPU, Scene

TESTS, answers = registry()
H100, GIB = 'NVIDIA H100 80GB HBM3', 80


def card(price='1.00', replicas=1, rule=ONLY_GPU, hours=1, reserved=0, **node):
    s = Scene(hours, rule)
    return s, s.node('p5.4xlarge', price, replicas, **node).gpu(H100, GIB, reserved)


@answers('kubecost/docs#995', 'k8s-device-plugin#87', 'k8s-device-plugin#195')
def a_pod_that_requests_no_gpu_pays_for_what_it_holds(gputab):
    s, g = card()
    g.pod('ml', 'notebook-0', gib=20, request=0)
    report = s.report(gputab, '--by', 'namespace')
    same(row(report, namespace='ml')['total_cost'], '1.00')
    adds_up(report)


@answers('kubecost#1978', 'opencost#892', 'opencost#1266')
def idle_is_what_is_left_and_never_below_zero(gputab):
    # five pods on four replicas hold 20, 20, 10, 10 and 10 of 80 GiB: 10 GiB are idle, 0.125 of the price
    s, g = card('8.00', replicas=4)
    for i, gib in enumerate((20, 20, 10, 10, 10)):
        g.pod('ml', 'infer-%d' % i, gib=gib)
    report = s.report(gputab)
    same(row(report, team='ml')['total_cost'], '7.00')
    same(row(report, bucket='(idle)')['total_cost'], '1.00')


@answers('opencost#3828', 'HAMi#3073', 'opencost#3039', 'opencost#2111')
def four_pods_with_a_quarter_each_are_one_gpu(gputab):
    # each requests a GPU and holds 20 of 80 GiB of one card: 0.25 GPU-hours each, together one
    s, g = card('4.00', replicas=4)
    for name in 'abcd':
        g.pod('team-' + name, 'infer-0', gib=20)
    report = s.report(gputab)
    for name in 'abcd':
        same(row(report, team='team-' + name)['gpu_hours'], '0.250000')
        same(row(report, team='team-' + name)['total_cost'], '1.00')
    same(report['totals']['gpu_hours'], '1.000000')


@answers('opencost#3900')
def held_and_resident_differ_and_both_are_named(gputab):
    # a whole card at 2.50 of which 8.8 of 80 GiB are held (11 %): held 2.50 of it used 0.275, resident 0.275
    # (9,011 of 81,920 MiB of 2.50: 0.27499; 0.27 and 2.23 idle)
    for exclusive, cost in (('held', '2.50'), ('resident', '0.27')):
        s, g = card('2.50', rule=ONLY_GPU + 'gpu: {exclusive: %s}\n' % exclusive)
        g.pods.append(('ml', 'train-0', 9011, 0, 60))      # MiB
        s.pods[('ml', 'train-0')] = (g.node, 0, 60, 1)
        report = s.report(gputab)
        same(row(report, team='ml')['total_cost'], cost, exclusive)
        near(row(report, team='ml')['used_cost'], '0.275', '0.005')


@answers('opencost#2987')
def a_request_is_counted_once(gputab):
    s, g = card(hours=2)
    g.pod('ml', 'train-0', gib=40)
    same(row(s.report(gputab), team='ml')['requested_gpu_hours'], '2.000000')


@answers('opencost#1590')
def what_is_requested_and_not_running_is_seen(gputab):
    # a pod that waits for its image keeps a card from others: no memory, no cost, two requested hours
    s, g = card(hours=2)
    s.pods[('ml', 'waiting-0')] = (g.node, 0, 120, 1)
    report = s.report(gputab, '--by', 'namespace')
    mine = row(report, namespace='ml')
    same(mine['requested_gpu_hours'], '2.000000')
    same(row(report, bucket='(idle)')['gpu_cost'], '2.00')


@answers('koku#6163')
def models_of_one_node_are_divided_each_for_itself(gputab):
    # by reference prices 1 and 3 of one node at 8.00: 2.00 and 6.00; the L4 is idle, the H100 held
    s = Scene(1, 'split: {vcpu_hour: "0", gib_hour: "0", gpu_hour: {"NVIDIA L4": "1", "%s": "3"}}\n' % H100)
    n = s.node('acme.mixed', '8.00')
    n.capacity = {'cpu': 8, 'memory': 2 ** 36}
    n.gpu('NVIDIA L4', 23)
    n.gpu(H100, GIB).pod('ml', 'train-0', gib=40)
    report = s.report(gputab, '--by', 'team,gpu_model')
    same(sum(Fraction(r['gpu_cost']) for r in rows(report, bucket='(idle)')), Fraction('2.00'))
    same(sum(Fraction(r['gpu_cost']) for r in rows(report, team='ml')), Fraction('6.00'))


@answers('koku-metrics-operator#938')
def time_is_time_whatever_the_card_computes(gputab):
    # half-busy activity for an hour is an hour
    s, g = card()
    g.pod('ml', 'train-0', gib=40)
    for minute in range(60):
        s.sample('DCGM_FI_PROF_GR_ENGINE_ACTIVE', g.labels(('ml', 'train-0')), minute, 0.5)
    same(row(s.report(gputab), team='ml')['gpu_hours'], '1.000000')


@answers('dcgm-exporter#307')
def a_pod_that_the_exporter_does_not_show_still_pays(gputab):
    # two pods request a replica, the exporter labels only one: the card's 40 GiB are divided, and it is said
    s, g = card('8.00', replicas=2)
    g.pod('a', 'infer-0', gib=40)
    s.pods[('b', 'infer-0')] = (g.node, 0, 60, 1)
    report = s.report(gputab)
    same([row(report, team=t)['total_cost'] for t in 'ab'], ['2.00', '2.00'])
    assert any(w['code'] == 'W202' for w in report['warnings']), report['warnings']
