#!/usr/bin/env python3
"""Published worked examples, and those of the requirements, as small clusters that the program bills.

Each test names the vector (V1 to V16) that it answers and says how the figures come about; published values in brackets differ where their
authors rounded. named.py has those that other layers answer or that gputab does not compute: a vector in none of the three is a failure.

    vectors.py GPUTAB [NAME...]
"""
import os
import sys
import traceback

HERE = os.path.dirname(os.path.abspath(__file__))
TESTS_DIR = os.path.dirname(HERE)
sys.path[:0] = [HERE, os.path.join(TESTS_DIR, 'complaints')]

import named
from answer import adds_up, near, registry, row, same
from scene import ONLY_GPU, Scene

TESTS, answers = registry()
H100, A100, V100, L4 = 'NVIDIA H100 80GB HBM3', 'NVIDIA A100-SXM4-40GB', 'Tesla V100-SXM2-16GB', 'NVIDIA L4'
COMPUTE = ONLY_GPU + 'gpu: {mig_weight: compute}\n'
KSM = {'job': 'kube-state-metrics', 'instance': '10.0.9.9:8080'}


def exact(report, **keys):
    return row(report, **keys)['total_exact']


def asks(s, namespace, name, cores, gib):
    """Requests of a pod for CPU and memory."""
    n, since, until, _ = s.pods[(namespace, name)]
    who = dict(KSM, namespace=namespace, pod=name, uid='uid-%s-%s' % (namespace, name), node=n.name, container='main')
    for minute in range(since, until):
        s.sample('kube_pod_container_resource_requests', dict(who, resource='cpu', unit='core'), minute, cores)
        s.sample('kube_pod_container_resource_requests', dict(who, resource='memory', unit='byte'), minute, gib << 30)


def uses(s, n, namespace, name, tenths_of_cores, gib):
    """What a pod uses, all the time; the counter has tenths of a core."""
    who = {'job': 'kubelet', 'instance': n.name + ':10250', 'namespace': namespace, 'pod': name, 'container': 'main', 'node': n.name}
    for minute in range(-1, n.minutes + 1):
        s.sample('container_cpu_usage_seconds_total', who, minute, (minute + 1) * 6 * tenths_of_cores)
        s.sample('container_memory_working_set_bytes', who, minute, gib << 30)


def slice_of(s, g, number, profile, gib, pod=None, since=0, until=0):
    """A MIG instance, there all the time, with a pod for a while."""
    for minute in range(g.node.minutes):
        here = pod if pod and since <= minute < until else None
        labels = dict(g.labels(here), GPU_I_ID=number, GPU_I_PROFILE=profile)
        s.sample('DCGM_FI_DEV_FB_USED', labels, minute, gib * 512 if here else 0)
        s.sample('DCGM_FI_DEV_FB_FREE', labels, minute, gib * 512 if here else gib * 1024)
    if pod:
        s.pods[pod] = (g.node, since, until, 0)


# ---- published ----

@answers('V1')
def eight_gpus_by_the_weights_of_aws(gputab):
    # p3.16xlarge at 10: 64 x 0.9 + 488 x 0.1 + 8 x 9 = 178.4 units of 0.0560538. vCPUs asked for or used 16 + 18 + 16 + 16 = 66 of 64: each
    # gets its part of 66; memory 100, 140, 100, 100 of 488, so that 48 GiB x 0.00560538 are idle and go by memory; GPUs 1, 3, 2, 2.
    # P1: 16/66 x 64 x 0.0504484 + 1 x 0.5044843 + 100 x 0.00560538 = 1.847737, and 100/440 of the idle 0.269058 = 0.061150. The documents'
    # rounded totals add up to 9.99; ours to 10.00.
    s = Scene(1, 'split: {method: aws-scad}\nidle: {policy: proportional}\n')
    n = s.node('p3.16xlarge', '10.00')
    for i, cards in enumerate((1, 3, 2, 2), 1):
        for _ in range(cards):
            n.gpu(V100, 16).pod('p%d' % i, 'work-0', gib=8, request=cards)
        asks(s, 'p%d' % i, 'work-0', 16, 100)
    uses(s, n, 'p2', 'work-0', 180, 140)
    separate = Scene(1, 'split: {method: aws-scad}\n')
    separate.nodes, separate.pods, separate.series = s.nodes, s.pods, s.series
    report = separate.report(gputab)
    for team, cost in (('p1', '1.847737'), ('p2', '3.178761'), ('p3', '2.352222'), ('p4', '2.352222')):
        near(exact(report, team=team), cost, what='split of ' + team)
    near(exact(report, bucket='(idle)'), '0.269058', what='48 GiB')
    report = s.report(gputab)
    for team, cost in (('p1', '1.908887'), ('p2', '3.264370'), ('p3', '2.413371'), ('p4', '2.413371')):
        near(exact(report, team=team), cost, what='total of ' + team)
    same(report['totals']['total_cost'], '10.00')
    adds_up(report)


@answers('V2')
def cpu_and_memory_by_the_weights_of_aws(gputab):
    # m5.xlarge: 4 vCPUs x 0.9 + 16 x 0.1 = 5.2 units for 1 USD. Here a GPU of 5.2 units stands beside them, and the node costs 2: the GPU
    # is 1, vCPUs and memory together 1 as published. 1 + 1.9 + 1 + 1 vCPUs of 4, 4 + 6 + 2 + 2 GiB of 16. The documents' cents, .23 .40
    # .19 .19, add up to 1.01; namespaces to .42 + .59 = 1.01.
    s = Scene(1, 'split: {vcpu_hour: "0.9", gib_hour: "0.1", gpu_hour: {"%s": "5.2"}}\nidle: {policy: proportional}\n'
              'owners: [{namespace: [p1, p2], team: ns-a}, {namespace: [p3, p4], team: ns-b}, {namespace: gpu, team: gpu}]\n' % L4)
    n = s.node('test.box', '2.00', capacity={'cpu': 4, 'memory': 16 << 30})
    n.gpu(L4, 24).pod('gpu', 'holder-0', gib=10)
    for i, gib in enumerate((4, 3, 2, 2), 1):
        s.pods[('p%d' % i, 'work-0')] = (n, 0, 60, 0)
        asks(s, 'p%d' % i, 'work-0', 1, gib)
    uses(s, n, 'p2', 'work-0', 19, 6)
    report = s.report(gputab, '--by', 'namespace')
    for ns, cost in (('p1', '0.229199'), ('p2', '0.400314'), ('p3', '0.185243'), ('p4', '0.185243'), ('gpu', '1')):
        near(exact(report, namespace=ns), cost, what=ns)
    same(report['totals']['total_cost'], '2.00')
    adds_up(report)
    report = s.report(gputab)
    near(exact(report, team='ns-a'), '0.629513', what='.229199 + .400314')
    near(exact(report, team='ns-b'), '0.370487', what='.185243 + .185243')


@answers('V7')
def idle_by_node_by_cluster_and_separate(gputab):
    # two nodes of six cards at 1 each: four cards are held on one, one on the other. 7 are idle. By pool, of which each node is one, 6 / 4 =
    # 1.50 for each of four and 6 for the fifth; over the cluster 12 / 5 = 2.40 for each.
    costs = {}
    for name, idle in (('node', '{policy: proportional, scope: pool}'), ('cluster', '{policy: proportional, scope: cluster}'),
                       ('separate', '{policy: separate}')):
        s = Scene(1, ONLY_GPU + 'idle: %s\n' % idle)
        for model, gib, held in ((H100, 80, ('w1', 'w2', 'w3', 'w4')), (L4, 24, ('w5',))):
            n = s.node('test.box', '6.00')
            for card in range(6):
                g = n.gpu(model, gib)
                if card < len(held):
                    g.pod(held[card], 'work-0', gib=4)
        costs[name] = s.report(gputab)
    for w in ('w1', 'w2', 'w3', 'w4', 'w5'):
        same(row(costs['node'], team=w)['total_cost'], '6.00' if w == 'w5' else '1.50', w + ' by node')
        same(row(costs['cluster'], team=w)['total_cost'], '2.40', w + ' by cluster')
        same(row(costs['separate'], team=w)['total_cost'], '1.00', w)
    same(row(costs['separate'], bucket='(idle)')['total_cost'], '7.00')


def koku(price, pods, rule=COMPUTE):
    """A day of an A100 in three instances of 4, 1 and 2 compute slices: pods are (profile, hours), the rest of the day is nobody's."""
    s = Scene(24, rule)
    n = s.node('test.box', None)
    s.row(ResourceId=n.id, ResourceType='instance', ChargeDescription='instance hours', ConsumedQuantity='24', ConsumedUnit='Hours',
          PricingQuantity='24', PricingUnit='Hours', cost=price)
    g = n.gpu(A100, 40)
    g.samples = lambda: ()
    for i, (profile, gib) in enumerate((('4g.20gb', 20), ('1g.5gb', 5), ('2g.10gb', 10))):
        hours = pods.get(profile, 0)
        slice_of(s, g, i + 1, profile, gib, ('t-' + profile[:2], 'work-0') if hours else None, 0, hours * 60)
    return s


@answers('V9')
def slices_of_a_card_for_some_hours(gputab):
    # 3 an hour over 7 slices: 2 h x 4, 6 h x 1 and 2 h x 2 slices are 8, 6 and 4 slice-hours x 3/7 = 3.428571, 2.571429, 1.714286 (doc: 1.72),
    # together 7.714286 (doc: 7.72); 150 slice-hours are nobody's: 64.285714. Together 72.
    report = koku('72.00', {'4g.20gb': 2, '1g.5gb': 6, '2g.10gb': 2}).report(gputab)
    for team, cost in (('t-4g', '3.428571'), ('t-1g', '2.571429'), ('t-2g', '1.714286')):
        near(exact(report, team=team), cost, what=team)
    near(exact(report, bucket='(idle)'), '64.285714', what='150 slice-hours')
    same(report['totals']['total_cost'], '72.00')
    adds_up(report)


@answers('V10')
def slices_and_what_nobody_holds(gputab):
    # 70 a day, 4 of 7 slices all day: 40, and 30 of nobody. 1000 for 30 days is 33.333333 a day: 8, 6 and 4 slice-hours of 168 are 1.587302,
    # 1.190476, 0.793651, and 29.761905 is nobody's; by 8/18, 6/18, 4/18 of it more 13.227513, 9.920635, 6.613757: 14.814815 and so on.
    # 1000 over 8, 6 and 4 slice-hours alone: 444.444, 333.333, 222.222; the cent left over goes to the largest remainder: 444.45.
    report = koku('70.00', {'4g.20gb': 24}).report(gputab)
    same((row(report, team='t-4g')['total_cost'], row(report, bucket='(idle)')['total_cost']), ('40.00', '30.00'))
    held = {'4g.20gb': 2, '1g.5gb': 6, '2g.10gb': 2}
    report = koku('33.333333333333', held).report(gputab)
    for team, cost in (('t-4g', '1.587302'), ('t-1g', '1.190476'), ('t-2g', '0.793651')):
        near(exact(report, team=team), cost, what=team)
    near(exact(report, bucket='(idle)'), '29.761905')
    report = koku('33.333333333333', held, COMPUTE + 'idle: {policy: proportional}\n').report(gputab)
    for team, own, more in (('t-4g', 1.587302, 13.227513), ('t-1g', 1.190476, 9.920635), ('t-2g', .793651, 6.613757)):
        near(exact(report, team=team), own + more, '0.000002', team + ' with what was nobody\'s')
    report = koku('1000.00', held, COMPUTE + 'idle: {policy: proportional}\n').report(gputab)
    same([row(report, team=t)['total_cost'] for t in ('t-4g', 't-1g', 't-2g')], ['444.45', '333.33', '222.22'])


@answers('V14')
def repeated_series_of_a_card_count_once(gputab):
    # dcgm#725: 10056 MiB twice are 10056, not 20112, for an hour: 9.820313 GiB-hours together, and a warning
    s = Scene(1, ONLY_GPU)
    g = s.node('p5.4xlarge', '1.00', replicas=3).gpu(H100, 80)
    g.copies = True
    for i, mib in enumerate((10056, 0, 0)):                # copies show the sum to everybody
        g.pods.append(('ml', 'infer-%d' % i, mib, 0, 60))
        s.pods[('ml', 'infer-%d' % i)] = (g.node, 0, 60, 1)
    report = s.report(gputab)
    near(row(report, team='ml')['vram_gib_hours'], 10056 / 1024, '0.000002')
    assert [w['count'] for w in report['warnings'] if w['code'] == 'W201'] == [1], report['warnings']
    adds_up(report)


@answers('V15')
def four_replicas_of_a_card_are_one_card(gputab):
    # 1 an hour, four pods that ask for one replica each and hold 20 of 80 GiB: 0.25 each, and not 4.00 or 0, however the replicas are called
    for resource in ('nvidia_com_gpu', 'nvidia_com_gpu_shared'):
        s = Scene(1, ONLY_GPU)
        g = s.node('p5.4xlarge', '1.00', replicas=4).gpu(H100, 80)
        for pod in 'abcd':
            g.pod('t-' + pod, 'infer-0', gib=20, request=0)
            who = dict(KSM, namespace='t-' + pod, pod='infer-0', uid='uid-t-%s-infer-0' % pod, node=g.node.name, container='main')
            for minute in range(60):
                s.sample('kube_pod_container_resource_requests', dict(who, resource=resource, unit='integer'), minute, 1)
        report = s.report(gputab)
        same([row(report, team='t-' + pod)['total_cost'] for pod in 'abcd'], ['0.25'] * 4, resource)
        same(report['totals']['total_cost'], '1.00')


@answers('V16')
def a_pod_that_comes_back_does_not_pay_for_the_time_between(gputab):
    # opencost#991: on a card from 12:00 to 17:00 and from 19:00 to 22:00 are 300 + 180 minutes, 8 h and not 10; 16 of 24 h are nobody's
    s = Scene(24, ONLY_GPU)
    g = s.node('p5.4xlarge', '1.00').gpu(H100, 80)
    g.pod('ml', 'a-0', gib=40, since=12 * 60, until=17 * 60).pod('ml', 'a-0', gib=40, since=19 * 60, until=22 * 60)
    report = s.report(gputab)
    same(row(report, team='ml')['gpu_hours'], '8.000000')
    same(row(report, team='ml')['resident_hours'], '8.000000')
    same(row(report, team='ml')['total_cost'], '8.00')
    same(row(report, bucket='(idle)')['total_cost'], '16.00')


# ---- of the requirements ----

@answers()
def thirty_twenty_and_ten_of_eighty_gib(gputab):
    # 6.88 an hour, 1 GiB is the driver's: 6.88 x 30/80 = 2.58, 1.72, 0.86, the driver 0.086, idle 1.634; among residents 3.44, 2.29, 1.15
    for denominator, costs in (('capacity', ['2.58', '1.72', '0.86']), ('residents', ['3.44', '2.29', '1.15'])):
        s = Scene(1, ONLY_GPU + 'gpu: {denominator: %s}\n' % denominator)
        g = s.node('p5.4xlarge', '6.88', replicas=4).gpu(H100, 80, 1)
        for name, gib in (('a', 30), ('b', 20), ('c', 10)):
            g.pod(name, 'p-0', gib=gib)
        report = s.report(gputab)
        same([row(report, team=t)['total_cost'] for t in 'abc'], costs, denominator)
        adds_up(report)
        if denominator == 'capacity':
            same((exact(report, bucket='(driver-reserved)'), exact(report, bucket='(idle)')), ('0.086000000000', '1.634000000000'))


@answers()
def a_whole_card_for_a_day_and_what_it_did_not_hold(gputab):
    # 24 x 6.88 = 165.12, of which 8 of 79 GiB (1 is the driver's) 16.72 and the rest 148.40
    s = Scene(24, ONLY_GPU)
    s.node('p5.4xlarge', '6.88').gpu(H100, 80, 1).pod('ml', 'notebook-0', gib=8)
    r = row(s.report(gputab), team='ml')
    same((r['total_cost'], r['used_cost'], r['unheld_cost']), ('165.12', '16.72', '148.40'))


@answers()
def a_fourth_of_a_card_for_a_month(gputab):
    # 2g.20gb has 2 of 8 memory slices: 730 h x 6.88 / 4 = 1,255.60
    s = Scene(730, ONLY_GPU)
    g = s.node('p5.4xlarge', '6.88').gpu(H100, 80)
    g.samples = lambda: ()
    slice_of(s, g, 1, '2g.20gb', 20, ('ml', 'infer-0'), 0, 730 * 60)
    report = s.report(gputab)
    same(row(report, team='ml')['total_cost'], '1255.60')
    same(row(report, team='ml')['gpu_hours'], '182.500000')
    adds_up(report)


def residual(price, rest=''):
    """A node whose 3 vCPUs and 2 GiB are 5 of 22 on demand."""
    s = Scene(1, 'split: {method: residual, vcpu_hour: "1", gib_hour: "1", on_demand_hour: [{instance_type: test.box, price: "22"}]}\n')
    n = s.node('test.box', price, capacity={'cpu': 3, 'memory': 2 << 30}, bill_row={'PricingCategory': rest} if rest else {})
    n.gpu(H100, 80).pod('ml', 'train-0', gib=40)
    return s


@answers()
def what_is_left_for_the_gpus(gputab):
    # 22 - 5 = 17 of 22: 77.27 %; spot at 14.00: 14 x 17 / 22 = 10.82
    report = residual('22.00').report(gputab)
    same((report['split']['gpu_share'], report['totals']['gpu_cost']), ('0.7727', '17.00'))
    report = residual('14.00', 'Dynamic').report(gputab)
    same((report['split']['gpu_share'], report['totals']['gpu_cost']), ('0.7727', '10.82'))


@answers()
def eight_h100_by_the_weights_of_aws(gputab):
    # p5.48xlarge: 192 x 0.9 + 2048 x 0.1 + 8 x 9 = 449.6; 71.55 x 72 / 449.6 = 11.458
    s = Scene(1, 'split: {method: aws-scad}\n')
    n = s.node('p5.48xlarge', '71.55')
    for _ in range(8):
        n.gpu(H100, 80).pod('ml', 'train-0', gib=40, request=8)
    report = s.report(gputab)
    same(report['totals']['gpu_cost'], '11.46')
    same(report['totals']['total_cost'], '71.55')


# ---- running ----

def unanswered():
    """Vectors that nothing answers, and tests elsewhere that are not there."""
    answered = [v for t in TESTS for v in t.answers] + list(named.ELSEWHERE) + list(named.NOT_OURS)
    for v in named.ALL:
        if answered.count(v) != 1:
            yield '%s: %d answers' % (v, answered.count(v))
    for v in sorted(set(answered) - set(named.ALL)):
        yield '%s: is no vector' % v
    for v, (path, test) in named.ELSEWHERE.items():
        with open(os.path.join(TESTS_DIR, path), encoding='utf-8') as f:
            text = f.read()
        if '/* %s' % v not in text or 'START_TEST(%s)' % test not in text or 'tcase_add_test' not in text:
            yield '%s: tests/%s has no test %s of that name' % (v, path, test)


def main(argv):
    gputab, names = argv[1], argv[2:]
    tests = [t for t in TESTS if not names or t.__name__ in names or set(t.answers) & set(names)]
    faults = [] if names else list(unanswered())
    passed = int(not names and not faults)
    for fault in faults:
        print('FAIL %s' % fault)
    for test in tests:
        try:
            test(gputab)
            passed += 1
        except Exception:                  # one test must not hide the others
            faults.append(test.__name__)
            print('FAIL %s %s' % (test.__name__, ' '.join(test.answers)))
            traceback.print_exc(file=sys.stdout)
    print('%d passed, %d failed' % (passed, len(faults)))
    return 1 if faults else 0


if __name__ == '__main__':
    sys.exit(main(sys.argv))
