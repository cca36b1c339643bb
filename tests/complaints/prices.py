"""What a node costs, and how much of that is its GPUs."""
import os
import tempfile
from decimal import Decimal
from fractions import Fraction

from answer import adds_up, near, registry, row, same
from scene import ONLY_GPU, Scene

TESTS, answers = registry()
BY_CAPACITY = 'acme.gpu1'              # a type that no catalogue knows: cores and memory as the cluster says


def lone_node(price, prices='', kind=BY_CAPACITY, cores=4, memory_bytes=16454709248, model='Tesla T4', hours=1):
    s = Scene(hours, 'split: {%s}\n' % prices)
    n = s.node(kind, price)
    n.capacity = {'cpu': cores, 'memory': memory_bytes}
    n.gpu(model, total_gib=15).pod('ml', 'train-0', gib=10)
    return s


def pieces(report):
    return [report['totals'][p] for p in ('cpu_cost', 'memory_cost', 'gpu_cost')]


def exact_total(report):
    return sum(Fraction(r['total_exact']) for r in report['rows'])


@answers('opencost#2657', 'kubecost#1143', 'opencost#73', 'kubecost/cost-analyzer#3')
def the_gpu_is_a_part_of_the_nodes_price_and_not_on_top(gputab):
    # g5.2xlarge at 1.35296 an hour: CPU, memory and GPU together are that, and each has its part
    report = lone_node('1.35296', kind='g5.2xlarge', model='NVIDIA A10G').report(gputab)
    same(exact_total(report), Fraction('1.35296'))
    assert all(Fraction(p) > 0 for p in pieces(report)), pieces(report)
    adds_up(report)


def pieces_of_an_hour(gputab, price, prices):
    """To five decimals: of a node that costs a thousand times as much."""
    report = lone_node(str(Decimal(price) * 1000), prices).report(gputab)
    adds_up(report)
    return [Fraction(p) / 1000 for p in pieces(report)]


@answers('opencost#2901')
def custom_prices_are_a_ratio_with_the_gpu_in_it(gputab):
    # 4 vCPU x 1.25 : 15.324615 GiB x 0.5 : 1 GPU x 0.95 of 0.526: per unit .048302, .019321, .036709 (the sum was 7.5 % over)
    cpu, memory, gpu = pieces_of_an_hour(gputab, '0.526', 'vcpu_hour: "1.25", gib_hour: "0.5", gpu_hour: {"Tesla T4": "0.95"}')
    near(cpu / 4, '0.048302')
    near(memory / Fraction('15.324615478515625'), '0.019321')
    near(gpu, '0.036709', '0.00001')
    same(cpu + memory + gpu, Fraction('0.526'))


@answers('opencost#2862')
def base_prices_scale_to_the_nodes_price(gputab):
    cpu, memory, gpu = pieces_of_an_hour(gputab, '0.526', 'vcpu_hour: "0.021811", gib_hour: "0.002923", gpu_hour: {"Tesla T4": "0.95"}')
    near(cpu / 4, '0.010603', '0.000003')
    near(memory / Fraction('15.324615478515625'), '0.001421', '0.000001')
    near(gpu, '0.461814', '0.00001')


@answers('opencost#2029', 'kubecost#2418')
def prices_that_make_up_the_node_are_its_pieces(gputab):
    # 4 x 1 + 15.325 x 2 + 1 x 3 = 37.65: at that price CPU is 4.00, memory 30.65, the GPU 3.00
    s = lone_node('37.65', 'vcpu_hour: "1", gib_hour: "2", gpu_hour: {"Tesla T4": "3"}', memory_bytes=16455093453)
    same(pieces(s.report(gputab)), ['4.00', '30.65', '3.00'])


@answers('opencost#3160', 'opencost#3781')
def the_rules_prices_count_on_gpu_nodes_as_they_are_written(gputab):
    # 0.95 a GPU-hour beside 4 x 0.01 and 15.324615 x 0.001: 0.95 of 1.005325 is 94.4968 % of a node, not a 730th of it
    s = lone_node('100', 'vcpu_hour: "0.01", gib_hour: "0.001", gpu_hour: {"Tesla T4": "0.95"}')
    same(s.report(gputab)['totals']['gpu_cost'], '94.50')
    # and another price gives another piece: 9.50 of 9.555325 is 99.4210 %
    s = lone_node('100', 'vcpu_hour: "0.01", gib_hour: "0.001", gpu_hour: {"Tesla T4": "9.50"}')
    same(s.report(gputab)['totals']['gpu_cost'], '99.42')


@answers('kubecost#2069')
def memory_is_told_in_bytes_and_priced_in_gib(gputab):
    # 89,635,078,963 bytes are 83.4792 GiB: at 0.004237 that is 0.353701 beside 12 x 0.031611 = 0.379332 and a GPU at 2.93
    s = lone_node('3.663033', 'vcpu_hour: "0.031611", gib_hour: "0.004237", gpu_hour: {"Tesla T4": "2.93"}', cores=12,
                  memory_bytes=89635078963)
    same(pieces(s.report(gputab)), ['0.38', '0.35', '2.93'])


@answers('kubecost#2010')
def a_node_without_a_price_is_said_and_drops_nobody(gputab):
    # the bill's row says what it cost; only how to split an unknown model must be told, by name, with the line to write
    s = lone_node('5', model='ACME Thrust 9000')
    done = s.run(gputab)
    same(done.returncode, 2)
    assert 'ACME Thrust 9000' in done.stderr and 'gpu_hour' in done.stderr, done.stderr
    s = lone_node('5', 'gpu_hour: {"ACME Thrust 9000": "2"}', model='ACME Thrust 9000')
    s.node('g5.2xlarge', '1').gpu('NVIDIA A10G', 23).pod('ml', 'other-0', gib=5)
    report = s.report(gputab, '--by', 'node')
    same([row(report, node=n, bucket=None) is not None for n in ('node-1', 'node-2')], [True, True])
    same(report['totals']['billed'], '6.00')


@answers('opencost#2215', 'opencost#3444', 'opencost#1938')
def known_gpu_types_are_never_free(gputab):
    for kind in ('a2-ultragpu-1g', 'g2-standard-4', 'a3-highgpu-8g', 'Standard_NC8as_T4_v3', 'Standard NC8as T4 v3'):
        s = Scene(1)
        s.node(kind, '10')             # in the bill, and in no metric: the catalogue knows its GPUs
        report = s.report(gputab, '--by', 'reason')
        assert Fraction(report['totals']['gpu_cost']) > 0, kind
        same(report['totals']['total_cost'], '10.00')


@answers('opencost#723', 'opencost#2523')
def all_gpus_of_a_node_count_once(gputab):
    # 8 GPUs at 0.793521 an hour, held for 57 of 60 minutes: 8 x 0.793521 x 57/60 = 6.0307596, the rest idle
    s = Scene(1, ONLY_GPU)
    n = s.node('p5.48xlarge', '6.348168')
    for i in range(8):
        n.gpu('NVIDIA H100 80GB HBM3', 80).pod('ml', 'train-%d' % i, gib=40, until=57)
    report = s.report(gputab)
    same(row(report, team='ml')['total_cost'], '6.03')
    same(row(report, team='ml')['total_exact'], '6.030759600000')
    same(row(report, team='ml')['gpu_hours'], '7.600000')
    adds_up(report)


@answers('opencost#1726')
def an_empty_price_is_an_error_where_it_stands(gputab):
    done = lone_node('1', 'gpu_hour: {"Tesla T4": ""}').run(gputab)
    same(done.returncode, 2)
    assert 'rule.yaml:2:' in done.stderr, done.stderr


@answers('opencost#2243', 'kubecost#2922')
def an_hour_that_costs_much_more_than_the_others_stays(gputab):
    # a spot price that jumps from 0.0067 to 3.456 is what was billed: no outlier is dropped
    s = Scene(2, ONLY_GPU)
    n = s.node('g4dn.xlarge', '0.0067')
    n.gpu('Tesla T4', 15).pod('ml', 'train-0', gib=10)
    s.row(cost='3.456', ResourceId=n.id, ResourceType='instance', ChargeDescription='instance hours', ConsumedQuantity='1',
          ConsumedUnit='Hours', PricingQuantity='1', PricingUnit='Hours', ChargePeriodStart='2026-10-05T01:00:00Z',
          SkuPriceDetails='{"InstanceType": "g4dn.xlarge"}')
    report = s.report(gputab)
    same(sum(Fraction(r['total_exact']) for r in report['rows']), 2 * Fraction('0.0067') + Fraction('3.456'))


@answers('kubecost#1389')
def a_node_without_gpus_is_no_part_of_gpu_cost(gputab):
    s = lone_node('2')
    s.node('m5.xlarge', '3')
    report = s.report(gputab)
    same(report['totals']['billed'], '2.00')
    same([g['cost'] for g in report['bill']['groups'] if g['group'] == 'other_resources'], ['3.00'])


@answers('opencost#287')
def a_node_that_no_bill_has_is_charged_by_a_price_list(gputab):
    # 2.50 an hour, whole card held for two hours
    s = Scene(2, ONLY_GPU)
    s.node('acme', None).gpu('Tesla T4', 15).pod('ml', 'train-0', gib=10)
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, 'prices.yaml')
        with open(path, 'w', encoding='utf-8') as f:
            f.write('schema: gputab.price-list/1\ncurrency: USD\nnodes: [{node: "node-*", hour: "2.50"}]\n')
        report = s.report(gputab, '--price-list', path)
    same(row(report, team='ml')['total_cost'], '5.00')
