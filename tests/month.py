"""month.py GPUTAB FOLDER: makes examples/month into FOLDER, reports it, and compares with what its generator says that it billed.

Amounts of nodes and purchase options are compared in full, what a table rounds to the cent with one cent to spare: its cells are rounded
together, so that they add up. The last line is "N passed, N failed"."""
import filecmp
import json
import os
import subprocess
import sys
from collections import defaultdict
from decimal import ROUND_HALF_UP, Decimal as D

MONTH = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "examples", "month")
CENT = D("0.01")
TOO_SMALL = D("0.000001")                # expected totals have ten decimals, and some of their prices more


class Count:
    def __init__(self):
        self.passed = self.failed = 0

    def check(self, what, got, want, spare=0):
        good = abs(got - want) <= spare if spare else got == want
        self.passed, self.failed = self.passed + good, self.failed + (not good)
        if not good:
            print("not ok: %s: got %s, want %s" % (what, got, want))


def make(folder):
    subprocess.run([sys.executable, "-B", os.path.join(MONTH, "make_month.py"), folder], check=True)


def read_expected(folder):
    out = defaultdict(dict)
    with open(os.path.join(folder, "expected-totals.txt"), encoding="utf-8") as lines:
        for line in lines:
            what, name, cost = line.rstrip("\n").split("\t")
            out[what][name] = D(cost)
    return out


def command(gputab, folder):
    return [gputab, "report", "-q", "--month", "2026-10", "--billing", os.path.join(folder, "billing.csv.gz"), "--metrics",
            os.path.join(folder, "metrics.om.gz"), "--rule", os.path.join(MONTH, "rule.yaml")]


def report(gputab, folder, by):
    run = subprocess.run(command(gputab, folder) + ["--by", by, "--format", "json"], check=True, stdout=subprocess.PIPE)
    return json.loads(run.stdout)


def check_teams(count, got, want):
    billed = want["billed"][""].quantize(CENT, ROUND_HALF_UP)
    count.check("billed", D(got["totals"]["billed"]), billed)
    count.check("allocated", D(got["totals"]["total_cost"]), billed)
    count.check("difference", D(got["totals"]["difference"]), D(0))
    count.check("final", got["bill"]["final"], True)
    costs = {row["team"]: D(row["gpu_cost"]) for row in got["rows"] if D(row["gpu_cost"])}
    count.check("who has a GPU cost", sorted(costs), sorted(want["gpu"]))
    for name, cost in want["gpu"].items():
        count.check("GPU cost of " + name, costs.get(name, D(0)), cost, CENT)
    groups = {g["group"]: D(g["cost"]) for g in got["bill"]["groups"]}
    for name, cost in want["group"].items():
        count.check("group " + name, groups.get(name), cost.quantize(CENT, ROUND_HALF_UP))
    count.check("warnings", [w["code"] for w in got["warnings"]], ["W201"])


def check_sums(count, got, key, want):
    sums = defaultdict(D)
    for row in got["rows"]:
        sums[row[key]] += D(row["total_exact"])
    count.check("names of " + key, sorted(sums), sorted(want))
    for name, cost in want.items():
        count.check("%s %s" % (key, name), sums[name], cost, TOO_SMALL)


def check_days(count, got):
    days = defaultdict(list)
    for row in got["rows"]:
        days[row["team"]].append(row["day"])
    count.check("the last day of vision", max(days["vision"]), "2026-10-15")
    count.check("the first day of perception", min(days["perception"]), "2026-10-16")


def check_readme(count, gputab, folder):
    """The tables in the READMEs are the ones that come out."""
    for path, options in ((os.path.join(MONTH, "README.md"), ["--bridge"]), (os.path.join(MONTH, "..", "..", "README.md"), [])):
        out = subprocess.run(command(gputab, folder) + options, env={**os.environ, "COLUMNS": "115"}, check=True, stdout=subprocess.PIPE)
        with open(path, encoding="utf-8") as text:
            shown = ["SHOWBACK" + t for t in text.read().split("```\nSHOWBACK")[1:]]
        count.check("the table of " + path, shown[0].split("```")[0].strip("\n") if shown else "", out.stdout.decode().strip("\n"))


def check_same(count, folder):
    again = os.path.join(folder, "again")
    make(again)
    for name in ("billing.csv.gz", "metrics.om.gz", "expected-totals.txt"):
        count.check("made twice: " + name, filecmp.cmp(os.path.join(folder, name), os.path.join(again, name), shallow=False), True)
        os.remove(os.path.join(again, name))
    os.rmdir(again)


def main(argv):
    gputab, folder = argv
    count = Count()
    make(folder)
    want = read_expected(folder)
    check_teams(count, report(gputab, folder, "team"), want)
    for key in ("node", "purchase"):
        check_sums(count, report(gputab, folder, key), key, want[key])
    check_days(count, report(gputab, folder, "team,day"))
    check_readme(count, gputab, folder)
    check_same(count, folder)
    print("%d passed, %d failed" % (count.passed, count.failed))
    return 1 if count.failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
