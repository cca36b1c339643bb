"""The plan as a bill: an AWS Cost and Usage Report with the legacy header, hourly, and the sums that it must give.

On-demand prices are those of us-east-1. What a commitment or a spot hour costs is made: plausible, and chosen to be added up by hand.
Amounts are decimal throughout."""
import csv
import gzip
import io
from collections import defaultdict
from datetime import datetime, timezone
from decimal import ROUND_HALF_UP, Decimal

import plan

D = Decimal
ON_DEMAND = {"p5.48xlarge": D("55.04"), "p5.4xlarge": D("6.88"), "p4d.24xlarge": D("21.957642"), "g6e.12xlarge": D("10.49264")}
PLAN_RATE = {"p5.48xlarge": D("34.1248"), "g6e.12xlarge": D("6.5054368")}       # 62 % of on demand
COMMITMENT = D("45")                     # of the Savings Plan, an hour
RESERVED_FROM = 2 * plan.DAY             # the p4d is on demand until the 3rd
UPFRONT, RECURRING = D("4900.00"), D("6.1303")      # of the reservation: for this month, and an hour
RESERVED_HOURS = (plan.END - RESERVED_FROM) // plan.HOUR
RESERVED_RATE = (UPFRONT / RESERVED_HOURS + RECURRING).quantize(D("1e-10"))
PLAN_ARN = "arn:aws:savingsplans::000111222333:savingsplan/11111111-2222-4333-8444-555555555555"
RESERVATION_ARN = "arn:aws:ec2:us-east-1:000111222333:reserved-instances/66666666-7777-4888-8999-000000000000"

COLUMNS = [
    "identity/LineItemId", "identity/TimeInterval", "bill/InvoiceId", "bill/BillingEntity", "bill/BillType", "bill/PayerAccountId",
    "bill/BillingPeriodStartDate", "bill/BillingPeriodEndDate", "lineItem/UsageAccountId", "lineItem/LineItemType",
    "lineItem/UsageStartDate", "lineItem/UsageEndDate", "lineItem/ProductCode", "lineItem/UsageType", "lineItem/Operation",
    "lineItem/AvailabilityZone", "lineItem/ResourceId", "lineItem/UsageAmount", "lineItem/CurrencyCode", "lineItem/UnblendedRate",
    "lineItem/UnblendedCost", "lineItem/LineItemDescription", "product/instanceType", "product/regionCode", "product/vcpu",
    "product/memory", "pricing/publicOnDemandCost", "pricing/term", "pricing/unit", "reservation/EffectiveCost",
    "reservation/ReservationARN", "reservation/UnusedAmortizedUpfrontFeeForBillingPeriod", "reservation/UnusedRecurringFee",
    "savingsPlan/SavingsPlanARN", "savingsPlan/SavingsPlanEffectiveCost", "savingsPlan/TotalCommitmentToDate", "savingsPlan/UsedCommitment",
    "splitLineItem/ParentResourceId", "splitLineItem/SplitCost", "resourceTags/user:Name",
]


def stamp(minute):
    return datetime.fromtimestamp(plan.START + 60 * minute, timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")


MONTH = {"bill/InvoiceId": "2026100417", "bill/BillingEntity": "AWS", "bill/BillType": "Anniversary", "bill/PayerAccountId": "000111222333",
         "bill/BillingPeriodStartDate": stamp(0), "bill/BillingPeriodEndDate": stamp(plan.END), "lineItem/UsageAccountId": "000444555666",
         "lineItem/CurrencyCode": "USD", "lineItem/ProductCode": "AmazonEC2"}


class Bill:
    """Rows, and beside each the amortised cost that it stands for: of a node's charge (node key, hour) or of a group."""

    def __init__(self):
        self.rows, self.charges, self.groups, self.invoiced = [], defaultdict(D), defaultdict(D), D(0)

    def row(self, start, end, kind, cost, to, amortised, **cells):
        """`to` is a group's name, or a node's key; underscores in the cells' names stand for slashes."""
        row = {**MONTH, "lineItem/LineItemType": kind, "lineItem/UsageStartDate": stamp(start), "lineItem/UsageEndDate": stamp(end),
               "identity/TimeInterval": "%s/%s" % (stamp(start), stamp(end)), "lineItem/UnblendedCost": cost}
        row.update({name.replace("_", "/", 1): value for name, value in cells.items()})
        row["identity/LineItemId"] = plan.digest("line", str(len(self.rows)))[:26]
        self.rows.append(row)
        if isinstance(to, tuple):
            self.charges[to] += amortised
        else:
            self.groups[to] += amortised
        if to != "excluded":
            self.invoiced += D(cost)

    def write(self, path):
        text = io.StringIO(newline="")
        out = csv.DictWriter(text, COLUMNS, restval="", lineterminator="\n")
        out.writeheader()
        out.writerows(sorted(self.rows, key=lambda r: (r["lineItem/UsageStartDate"], r["identity/LineItemId"])))
        with open(path, "wb") as raw, gzip.GzipFile(filename="", fileobj=raw, mode="wb", compresslevel=6, mtime=0) as zipped:
            zipped.write(text.getvalue().encode())


def money(x):
    return x.quantize(D("1e-10"), ROUND_HALF_UP)


# ---- instance time ----

def billed_minutes(node, start):
    return sum(max(0, min(b, start + plan.HOUR) - max(a, start)) for a, b in node.billed)


def box(node, hours, meter="BoxUsage"):
    return {"lineItem_UsageType": meter + ":" + node.kind, "lineItem_Operation": "RunInstances", "lineItem_ResourceId": node.id,
            "lineItem_AvailabilityZone": "us-east-1b", "lineItem_UsageAmount": "%.10f" % hours, "product_instanceType": node.kind,
            "product_regionCode": "us-east-1", "product_vcpu": str(node.vcpu), "product_memory": "%d GiB" % node.gib, "pricing_unit": "Hrs",
            "pricing_publicOnDemandCost": money(hours * ON_DEMAND[node.kind]), "resourceTags_user:Name": node.name}


def on_demand(bill, node, start, hours):
    rate = ON_DEMAND[node.kind]
    cost = money(rate * hours)
    bill.row(start, start + plan.HOUR, "Usage", cost, (node.key, start), cost, **box(node, hours), pricing_term="OnDemand",
             lineItem_UnblendedRate=rate, lineItem_LineItemDescription="$%s per On Demand Linux %s Instance Hour" % (rate, node.kind))


def reserved(bill, node, start, hours):
    if start < RESERVED_FROM:
        on_demand(bill, node, start, hours)
        return
    bill.row(start, start + plan.HOUR, "DiscountedUsage", D(0), (node.key, start), RESERVED_RATE, **box(node, hours),
             pricing_term="Reserved", reservation_EffectiveCost=RESERVED_RATE, reservation_ReservationARN=RESERVATION_ARN,
             lineItem_LineItemDescription="Linux/UNIX (Amazon VPC), %s reserved instance applied" % node.kind)


def covered(bill, node, start, hours, effective):
    """A row at the on-demand price, one that takes it back, and the effective cost in a column of the first."""
    cost = money(ON_DEMAND[node.kind] * hours)
    bill.row(start, start + plan.HOUR, "SavingsPlanCoveredUsage", cost, (node.key, start), effective, **box(node, hours),
             savingsPlan_SavingsPlanARN=PLAN_ARN, savingsPlan_SavingsPlanEffectiveCost=effective, pricing_term="OnDemand")
    bill.row(start, start + plan.HOUR, "SavingsPlanNegation", -cost, (node.key, start), D(0), **box(node, hours),
             savingsPlan_SavingsPlanARN=PLAN_ARN, lineItem_LineItemDescription="SavingsPlanNegation used by AccountId : 000444555666")


def spot(bill, node, start, hours):
    """The price changes every six hours. Spot rows have no product columns but the region."""
    rate = D("8.1000") + D(plan.wave(14000, "spot", str(start // 360))) / 10000
    cost = money(rate * hours)
    cells = box(node, hours, "SpotUsage")
    for name in ("product_instanceType", "product_vcpu", "product_memory"):
        del cells[name]
    cells["lineItem_Operation"] = "RunInstances:SV007"
    bill.row(start, start + plan.HOUR, "Usage", cost, (node.key, start), cost, **cells, lineItem_UnblendedRate=rate, pricing_term="Spot",
             lineItem_LineItemDescription="%s Linux/UNIX Spot Instance-hour in US East (Virginia) in VPC Zone #2" % node.kind)


def plan_hour(bill, nodes, start):
    """The Savings Plan pays the training node first, then the first serving node, then as much of the second as is left."""
    left = COMMITMENT
    for node in nodes:
        hours = D(billed_minutes(node, start)) / 60
        effective = min(left, PLAN_RATE[node.kind] * hours)
        if effective <= 0:
            if hours:
                on_demand(bill, node, start, hours)
            continue
        part = hours if effective == PLAN_RATE[node.kind] * hours else money(effective / PLAN_RATE[node.kind])
        covered(bill, node, start, part, effective)
        left -= effective
        if part < hours:
            on_demand(bill, node, start, hours - part)
    bill.row(start, start + plan.HOUR, "SavingsPlanRecurringFee", COMMITMENT, "unused_commitment", left,
             lineItem_ProductCode="ComputeSavingsPlans", lineItem_UsageType="ComputeSP:1yrNoUpfront", lineItem_ResourceId=PLAN_ARN,
             lineItem_UsageAmount="1",
             savingsPlan_SavingsPlanARN=PLAN_ARN, savingsPlan_TotalCommitmentToDate=COMMITMENT,
             savingsPlan_UsedCommitment=COMMITMENT - left, lineItem_LineItemDescription="1 year No Upfront Compute Savings Plan")


# ---- everything else ----

def attached(bill, node, start):
    """Data transfer is on the instance's id and is no instance time."""
    gb = D(plan.wave(400, "transfer", node.key, str(start))) / 100
    cost = money(gb * D("0.01"))
    bill.row(start, start + plan.HOUR, "Usage", cost, "attached", cost, lineItem_UsageType="DataTransfer-Regional-Bytes",
             lineItem_Operation="InterZone-Out", lineItem_ResourceId=node.id, lineItem_UsageAmount=gb, pricing_unit="GB",
             pricing_publicOnDemandCost=cost, product_regionCode="us-east-1", lineItem_UnblendedRate="0.01")


def others(bill, start):
    """An hour of what is no GPU node."""
    for name, kind, rate in (("system-1", "m6i.2xlarge", "0.384"), ("system-2", "m6i.2xlarge", "0.384")):
        bill.row(start, start + plan.HOUR, "Usage", D(rate), "other_resources", D(rate), lineItem_UsageType="BoxUsage:" + kind,
                 lineItem_Operation="RunInstances", lineItem_ResourceId="i-0" + plan.digest("instance", name)[:16],
                 lineItem_UsageAmount="1", product_instanceType=kind, product_regionCode="us-east-1", product_vcpu="8",
                 product_memory="32 GiB", pricing_unit="Hrs",
                 pricing_publicOnDemandCost=rate, pricing_term="OnDemand", lineItem_UnblendedRate=rate)
    bill.row(start, start + plan.HOUR, "Usage", D("0.10"), "other_resources", D("0.10"), lineItem_ProductCode="AmazonEKS",
             lineItem_UsageType="USE1-AmazonEKS-Hours:perCluster", lineItem_Operation="CreateOperation", lineItem_UsageAmount="1",
             lineItem_ResourceId="arn:aws:eks:us-east-1:000444555666:cluster/gpu", pricing_unit="Hours", pricing_publicOnDemandCost="0.10")
    for name, gib in (("train", 4000), ("batch", 2000), ("serve-1", 500), ("serve-2", 500)):
        cost = money(D(gib) * D("0.08") / 744)
        bill.row(start, start + plan.HOUR, "Usage", cost, "other_resources", cost, lineItem_UsageType="EBS:VolumeUsage.gp3",
                 lineItem_Operation="CreateVolume-Gp3", lineItem_ResourceId="vol-0" + plan.digest("volume", name)[:16],
                 lineItem_UsageAmount=money(D(gib) / 744), pricing_unit="GB-Mo", pricing_publicOnDemandCost=cost)


def split_row(bill, node, start, pod, cost):
    """Split cost allocation repeats a part of an instance's cost for a pod: not money of its own."""
    bill.row(start, start + plan.HOUR, "Usage", cost, "excluded", cost, lineItem_UsageType="USE1-EKS-EC2-vCPU-Hours",
             lineItem_Operation="EKSPod-EC2", lineItem_ResourceId="arn:aws:eks:us-east-1:000444555666:pod/gpu/" + pod,
             lineItem_UsageAmount="6", splitLineItem_ParentResourceId=node.id, splitLineItem_SplitCost=cost)


def once(bill, nodes):
    """Rows of the whole month."""
    bill.row(RESERVED_FROM, RESERVED_FROM + 1, "Fee", UPFRONT, "fee", D(0), lineItem_UsageType="HeavyUsage:p4d.24xlarge",
             lineItem_Operation="RunInstances", reservation_ReservationARN=RESERVATION_ARN, lineItem_UsageAmount="1",
             lineItem_LineItemDescription="Sign up charge for subscription")
    bill.row(0, plan.END, "RIFee", RECURRING * RESERVED_HOURS, "unused_commitment", D(0), lineItem_UsageType="HeavyUsage:p4d.24xlarge",
             lineItem_Operation="RunInstances", lineItem_UsageAmount=RESERVED_HOURS, reservation_ReservationARN=RESERVATION_ARN,
             reservation_UnusedAmortizedUpfrontFeeForBillingPeriod="0", reservation_UnusedRecurringFee="0",
             lineItem_LineItemDescription="USD 6.1303 hourly fee per Linux/UNIX (Amazon VPC), p4d.24xlarge instance")
    for kind, group, code, what, cost in (
            ("Fee", "fee", "AWSSupportBusiness", "AWS Support (Business)", "3120.40"), ("Tax", "tax", "AmazonEC2", "Sales tax", "1893.22"),
            ("Tax", "tax", "AmazonEKS", "Sales tax", "4.61"), ("Credit", "credit", "AmazonEC2", "Migration programme credit", "-1500.00"),
            ("Refund", "refund", "AmazonS3", "Refund of request charges", "-12.40"),
            ("Usage", "other_resources", "AmazonS3", "Storage of data sets and checkpoints", "684.13"),
            ("Usage", "other_resources", "AmazonCloudWatch", "Metrics and logs", "91.77")):
        bill.row(0, plan.END, kind, D(cost), group, D(cost), lineItem_ProductCode=code, lineItem_LineItemDescription=what,
                 lineItem_UsageType=code + "-" + kind, lineItem_UsageAmount="1", pricing_publicOnDemandCost=cost if kind == "Usage" else "")
    serving = next(n for n in nodes if n.key == "serve-1")
    for hour, pod in ((200, "chat-api"), (201, "chat-api"), (201, "embed")):
        split_row(bill, serving, hour * plan.HOUR, pod, D("0.4216"))


def make_bill(nodes):
    bill = Bill()
    kinds = {"on_demand": on_demand, "reserved": reserved, "spot": spot}
    planned = [n for n in nodes if n.buy in ("plan", "plan_rest")]
    for start in range(0, plan.END, plan.HOUR):
        for node in nodes:
            minutes = billed_minutes(node, start)
            if minutes and node.buy in kinds:
                kinds[node.buy](bill, node, start, (D(minutes) / 60).quantize(D("1e-10")))
            if minutes and node.key in ("train", "serve-1", "serve-2"):
                attached(bill, node, start)
        plan_hour(bill, planned, start)
        others(bill, start)
    once(bill, nodes)
    return bill
