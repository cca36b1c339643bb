#!/usr/bin/env python3
"""Writes billing.csv.gz, metrics.om.gz and expected-totals.txt of the made month into a folder.

    python3 make_month.py FOLDER

The same bytes on every run. expected-totals.txt is no output of gputab: it adds up what the plan says, by the rule's words, without
reading the other two files. It has the cost of the GPU nodes (in all, by node and by purchase), the groups of the bill, and what of the
GPU piece each team and bucket gets. CPU and memory pieces are left to gputab."""
import os
import sys
from collections import defaultdict
from decimal import Decimal as D

sys.dont_write_bytecode = True

import bill as bills  # noqa: E402
import metrics  # noqa: E402
import plan  # noqa: E402

VCPU_HOUR, GIB_HOUR = D("0.031611"), D("0.004237")
GPU_HOUR = {"p5.48xlarge": D("5.0367"), "p5.4xlarge": D("5.0367"), "p4d.24xlarge": D("1.7552"), "g6e.12xlarge": D("1.47992")}
MIN_COVERAGE = D("0.95")


def gpu_share(node):
    gpus = node.gpus * GPU_HOUR[node.kind]
    return gpus / (gpus + node.vcpu * VCPU_HOUR + node.gib * GIB_HOUR)


def shares(node, used, here):
    """Who pays for a device at a sample: (name, pod) -> parts, out of a whole. A pod's name is None."""
    if not node.shared:
        return ({(None, here[0][0]): 1} if here else {("(idle)", None): 1}), 1
    # Where the exporter shows no reserved memory, used and free are all there is.
    whole = node.total - (0 if node.shows_reserved else node.reserved)
    if not here:                         # the driver's part shows only beside a pod's
        return {("(unattributed)", None): used, ("(idle)", None): whole - used}, whole
    if node.mode == "copies":
        own = {(None, pod): D(used) / len(here) for pod, _ in here}
    else:
        own = {(None, pod): D(memory) for pod, memory in here}
        own["(driver-reserved)", None] = D(node.reserved)
    own["(unattributed)", None] = used - sum(v for (_, pod), v in own.items() if pod)
    own["(idle)", None] = whole - sum(own.values())
    return own, whole


def device_hours(node, device):
    """hour -> (minutes seen, {name: minutes times share})."""
    hours = defaultdict(lambda: [0, defaultdict(D)])
    for minute, used, here in plan.readings(node, device):
        hour = hours[minute // plan.HOUR * plan.HOUR]
        own, whole = shares(node, used, here)
        hour[0] += plan.GPU_STEP
        for (name, pod), part in own.items():
            hour[1][name or plan.team_of(pod, minute)] += D(part) * plan.GPU_STEP / whole
    return hours


def add_device(out, node, device, piece, charges):
    """`piece` is the device's part of the node's cost."""
    hours = device_hours(node, device)
    for start in range(0, plan.END, plan.HOUR):
        billed, cost = bills.billed_minutes(node, start), charges.get((node.key, start))
        if not billed:
            continue
        seen, names = hours.get(start, (0, {}))
        observed = min(seen, billed)
        unseen = D(billed - observed) if observed < MIN_COVERAGE * billed else D(0)
        out["(no-metrics)"] += cost * piece * unseen / billed
        for name, minutes in names.items():
            out[name] += cost * piece * (1 - unseen / billed) * minutes / seen


def gpu_piece(nodes, charges):
    out = defaultdict(D)
    for node in nodes:
        piece = gpu_share(node) / node.gpus
        if node.mode == "mig":
            for gi, _, slices, _ in plan.MIG:
                add_device(out, node, gi, piece * slices / 8, charges)
            left = 8 - sum(m[2] for m in plan.MIG)
            out["(idle)"] += sum(c for (key, _), c in charges.items() if key == node.key) * piece * left / 8
        else:
            for device in plan.devices(node):
                add_device(out, node, device, piece, charges)
    return out


def purchase(node, start):
    """Of an hour with several options the larger part counts: on serve-2 that of the Savings Plan."""
    if node.buy == "reserved" and start < bills.RESERVED_FROM:
        return "on_demand"
    return "savings_plan" if node.buy.startswith("plan") else node.buy


def expected(nodes, bill):
    total = sum(bill.charges.values())
    yield "billed", "", total
    for what, key_of in (("node", lambda node, start: node.name), ("purchase", purchase)):
        sums = defaultdict(D)
        for (key, start), cost in bill.charges.items():
            sums[key_of(next(n for n in nodes if n.key == key), start)] += cost
        for name, cost in sorted(sums.items()):
            yield what, name, cost
    for name, cost in sorted(bill.groups.items()):
        yield "group", name, cost
    yield "invoiced", "", bill.invoiced
    for name, cost in sorted(gpu_piece(nodes, bill.charges).items()):
        yield "gpu", name, cost


def main():
    if len(sys.argv) != 2:
        sys.exit("usage: make_month.py FOLDER")
    folder = sys.argv[1]
    os.makedirs(folder, exist_ok=True)
    nodes = plan.make_plan()
    bill = bills.make_bill(nodes)
    bill.write(os.path.join(folder, "billing.csv.gz"))
    metrics.write(nodes, os.path.join(folder, "metrics.om.gz"))
    with open(os.path.join(folder, "expected-totals.txt"), "w", encoding="utf-8") as out:
        for what, name, cost in expected(nodes, bill):
            out.write("%s\t%s\t%.10f\n" % (what, name, cost))


if __name__ == "__main__":
    main()
