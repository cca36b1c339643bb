#!/usr/bin/env python3
"""html.py GPUTAB DATA FOLDER: looks at HTML reports in headless Chromium.

Reports examples/month, made into DATA when it is not there, and a small report with a name that means harm; opens them as a telephone and
as desktops, in light and dark, tries sorting, folding, filtering and the keyboard, and leaves pictures and a print in FOLDER, to be looked at.
Nothing may be said on the console, nothing may be asked of the network, and no page may be wider than its window. The last line is
"N passed, N failed"."""
import os
import subprocess
import sys

from browser import Browser

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..")
MONTH = os.path.join(ROOT, "examples", "month")
SCREENS = [(390, "light"), (390, "dark"), (768, "light"), (1280, "light"), (1280, "dark"), (1600, "light")]
NASTY = "</title></table><script>window.harm = 1</script><img src=x onerror=\"harm = 2\">'&`\u202egpj"


class Count:
    def __init__(self):
        self.passed = self.failed = 0

    def check(self, what, good, more=""):
        self.passed, self.failed = self.passed + bool(good), self.failed + (not good)
        if not good:
            print("not ok: %s%s" % (what, ": %s" % (more,) if more != "" else ""))


# ---- reports ----

MORE_OF_THE_RULE = """
budgets:
  - {team: nlp, month: "20000"}
  - {team: search, month: "6000"}
  - {team: vision, month: "4000"}
gates: {coverage: "98%", max_unmapped: "0.4%", max_no_metrics: "1%", min_grade_a: "80%"}
"""


def month_report(gputab, data, path):
    """With a budget that is spent, and a gate that fails."""
    if not os.path.exists(os.path.join(data, "metrics.om.gz")):
        subprocess.run([sys.executable, "-B", os.path.join(MONTH, "make_month.py"), data], check=True)
    rule = path.replace(".html", ".yaml")
    with open(os.path.join(MONTH, "rule.yaml"), encoding="utf-8") as f, open(rule, "w", encoding="utf-8") as out:
        out.write(f.read() + MORE_OF_THE_RULE)
    run = subprocess.run([gputab, "report", "-q", "--draft", "--month", "2026-10", "--billing", os.path.join(data, "billing.csv.gz"), "--metrics",
                          os.path.join(data, "metrics.om.gz"), "--rule", rule, "-o", path], check=False)
    if run.returncode != 4:              # the gate failed, and the draft is written
        raise SystemExit("the month's report ends with %d" % run.returncode)


def nasty_report(gputab, folder, path):
    """The demo with a name in the place of a pod's."""
    demo = os.path.join(ROOT, "examples", "demo")
    with open(os.path.join(demo, "metrics.om"), encoding="utf-8") as f:
        text = f.read()
    pod = text.split('exported_pod="')[1].split('"')[0] if 'exported_pod="' in text else text.split('pod="')[1].split('"')[0]
    escaped = NASTY.replace("\\", "\\\\").replace('"', '\\"')
    metrics = os.path.join(folder, "nasty.om")
    with open(metrics, "w", encoding="utf-8") as f:
        f.write(text.replace('pod="%s"' % pod, 'pod="%s"' % escaped))
    subprocess.run([gputab, "report", "-q", "--month", "2024-09", "--billing", os.path.join(demo, "billing.csv"), "--metrics", metrics,
                    "--rule", os.path.join(demo, "rule.yaml"), "--by", "namespace,pod", "-o", path], check=True)


# ---- what the script does ----

TOTALS = """return [...document.querySelectorAll('#rows tbody.rows')[0].rows].map(r => Number(r.querySelector('td.total').dataset.v))"""
NAMES = """return [...document.querySelectorAll('#rows tbody.rows')[0].rows].map(r => r.cells[0].textContent)"""
HEAD = """[...document.querySelectorAll('#rows thead th')].find(h => h.dataset.k === arguments[0] || (!h.dataset.k && !arguments[0]))"""


def click_head(b, name):
    b.run(HEAD + ".querySelector('button').click()", name)
    return b.run("return " + HEAD + ".getAttribute('aria-sort')", name)


def try_sorting(count, b):
    by_cost = b.run(TOTALS)
    count.check("rows stand by cost", by_cost == sorted(by_cost, reverse=True) and len(by_cost) > 3, by_cost)
    count.check("a click on a number's head sorts it downwards", click_head(b, "total_cost") == "descending" and b.run(TOTALS) == by_cost)
    count.check("another one upwards", click_head(b, "total_cost") == "ascending" and b.run(TOTALS) == sorted(by_cost), b.run(TOTALS))
    count.check("a click on a text's head sorts it upwards", click_head(b, "") == "ascending" and b.run(NAMES) == sorted(b.run(NAMES)))
    click_head(b, "total_cost")
    last = b.run("return [...document.querySelectorAll('#rows tbody')].at(-1).textContent")
    count.check("the total stays at the end", last.strip().startswith("Total"), last)


def try_workloads(count, b):
    """Sorting moves a workload with its pods."""
    before = b.run("return document.querySelector('details.team table').tBodies.length")
    b.run("document.querySelector('details.team th[data-k=total_cost] button').click()")
    b.run("document.querySelector('details.team th[data-k=total_cost] button').click()")
    costs = b.run("""return [...document.querySelectorAll('details.team')[0].querySelectorAll('tbody.group')]
        .map(t => Number(t.rows[0].querySelector('td.total').dataset.v))""")
    count.check("workloads are sorted as wholes", costs == sorted(costs) and len(costs) > 2, costs)
    count.check("and none is lost", before == b.run("return document.querySelector('details.team table').tBodies.length"))


def try_folding(count, b):
    shown = "return [...document.querySelectorAll('tbody.fold')[0].rows].filter(r => !r.hidden).length"
    button = "document.querySelectorAll('tbody.fold')[0].querySelector('button')"
    count.check("lines are folded at first", b.run(shown) == 1 and b.run(f"return {button}.getAttribute('aria-expanded')") == "false")
    b.run(f"{button}.focus()")
    b.press("Enter")
    count.check("Enter opens them", b.run(shown) > 1 and b.run(f"return {button}.getAttribute('aria-expanded')") == "true", b.run(shown))
    b.press("Space")
    count.check("the space bar closes them", b.run(shown) == 1)
    b.run("document.querySelector('details.team summary').focus()")
    b.press("Enter")
    count.check("Enter opens a team", b.run("return document.querySelector('details.team').open"))
    b.press("Enter")


def filter_detail(b, text):
    b.run("""const i = document.querySelector('#detail input'); i.value = arguments[0]; i.dispatchEvent(new Event('input'))""", text)
    return b.run("""return {teams: [...document.querySelectorAll('details.team')].filter(d => !d.hidden).length,
        open: [...document.querySelectorAll('details.team')].filter(d => d.open).length,
        rows: [...document.querySelectorAll('#detail tbody:not(.sum) tr')].filter(r => r.checkVisibility()).length,
        said: document.querySelector('#detail output').textContent}""")


def try_filtering(count, b):
    whole = filter_detail(b, "")
    some = filter_detail(b, "chat-api")
    count.check("a filter leaves what matches, open", some["teams"] == 1 and some["open"] == 1 and some["rows"] > 1, some)
    count.check("and says how much", some["said"].endswith(" rows"), some)
    none = filter_detail(b, "no such name")
    count.check("or nothing", none["teams"] == 0 and none["said"] == "0 rows", none)
    count.check("without a filter all is back", filter_detail(b, "")["teams"] == whole["teams"] and not filter_detail(b, "")["open"])


def try_keyboard(count, b, path):
    b.open(path)
    b.press("Tab")
    count.check("the first stop of the keyboard leads to the table", b.run("return document.activeElement.className") == "skip")
    b.press("Enter")
    count.check("and there it goes", b.run("return location.hash") == "#rows")


def try_without_script(count, b, path):
    b.command("Emulation.setScriptExecutionDisabled", value=True)
    b.open(path)
    b.command("Emulation.setScriptExecutionDisabled", value=False)
    state = b.run("""return {buttons: document.querySelectorAll('button, input').length,
        hidden: [...document.querySelectorAll('tr')].filter(r => r.hidden).length,
        teams: document.querySelectorAll('details.team').length}""")
    count.check("without script there are no dead controls and nothing is hidden", state["buttons"] == 0 and state["hidden"] == 0
                and state["teams"] > 3, state)


# ---- how it looks ----

def look(count, b, path, folder, name):
    for width, scheme in SCREENS:
        b.screen(width, scheme)
        b.open(path)
        wide = b.run("return [document.documentElement.scrollWidth, innerWidth]")
        count.check("%s: at %d no wider than the window" % (name, width), wide[0] <= wide[1], wide)
        b.picture(os.path.join(folder, "%s-%d-%s.png" % (name, width, scheme)))
    b.screen(1280, "light")
    b.open(path)
    b.run("document.querySelectorAll('#detail .tools button')[0].click()")
    b.picture(os.path.join(folder, "%s-open.png" % name))
    b.command("Emulation.setEmulatedMedia", media="", features=[])
    b.open(path)
    b.print(os.path.join(folder, "%s.pdf" % name))
    with open(os.path.join(folder, "%s.pdf" % name), "rb") as f:
        count.check("%s: a print" % name, f.read(5) == b"%PDF-")
    b.screen(1280, "light")


def check_quiet(count, b, name):
    count.check("%s: nothing on the console" % name, not (said := b.errors()), said)
    count.check("%s: nothing from the network" % name, b.run("return performance.getEntriesByType('resource').length") == 0)


def check_month(count, b, path, folder):
    b.screen(1280)
    b.open(path)
    try_sorting(count, b)
    try_folding(count, b)
    try_filtering(count, b)
    try_workloads(count, b)
    try_keyboard(count, b, path)
    check_quiet(count, b, "month")
    try_without_script(count, b, path)
    look(count, b, path, folder, "month")
    check_quiet(count, b, "month")


def check_nasty(count, b, path, folder):
    look(count, b, path, folder, "nasty")
    check_quiet(count, b, "nasty")
    harmless = "return !window.harm && document.scripts.length === 1 && !document.images.length"
    there = "return document.body.textContent.includes(arguments[0])"
    count.check("no name became a script or an image", b.run(harmless))
    count.check("the name is on the page as it is", b.run(there, NASTY.replace("\u202e", "\ufffd")))


def main(gputab, data, folder):
    count = Count()
    os.makedirs(folder, exist_ok=True)
    month, nasty = os.path.join(folder, "month.html"), os.path.join(folder, "nasty.html")
    month_report(gputab, data, month)
    nasty_report(gputab, folder, nasty)
    b = Browser()
    try:
        check_month(count, b, month, folder)
        check_nasty(count, b, nasty, folder)
    finally:
        b.close()
    print("pictures are in %s" % folder)
    print("%d passed, %d failed" % (count.passed, count.failed))
    return 1 if count.failed or not count.passed else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
