#!/bin/sh
# run-demo.sh PYTHON GPUTAB: the main job on a public bill, then on the month of a small fleet, which is made first: each shows its
# command and its table. The last lines are the sums once more.
set -eu
python=$1 gputab=$2
demo=examples/demo month=examples/month made=build/month
cd "$(dirname "$0")/.."

show() {
    echo "\$ $*"
    echo
    "$@"
    echo
}

sums() { # NAME COMMAND...
    name=$1
    shift
    "$@" --format plain | sed -n "s|^billed .* difference 0\.00$|$name: &|p" | grep . ||
        { echo "$name: the table does not add up to the bill" >&2; exit 1; }
}

of_demo="$gputab report --month 2024-09 --billing $demo/billing.csv --metrics $demo/metrics.om --rule $demo/rule.yaml -q"
of_month="$gputab report --month 2026-10 --billing $made/billing.csv.gz --metrics $made/metrics.om.gz --rule $month/rule.yaml --bridge -q"

show $of_demo
mkdir -p $made
show "$python" -B $month/make_month.py $made
COLUMNS=${COLUMNS-115} && export COLUMNS
show $of_month
sums "$month" $of_month
sums "$demo" $of_demo
