#!/bin/sh
# run-demo.sh GPUTAB: the main job on the demo's files: shows the command, its table, and the sums once more as the last line.
set -eu
gputab=$1
demo=examples/demo
cd "$(dirname "$0")/.."
set -- "$gputab" report --month 2024-09 --billing $demo/billing.csv --metrics $demo/metrics.om --rule $demo/rule.yaml -q

echo "\$ $*"
echo
"$@"
echo
"$@" --format plain | grep -E '^billed .* difference 0\.00$' || { echo 'the table does not add up to the bill' >&2; exit 1; }
