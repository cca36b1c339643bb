#!/bin/sh
# run-demo.sh GPUTAB: the main job on the demo's files: shows the command, its table, and the sums once more as the last line.
set -eu
gputab=$1
demo=examples/demo
cd "$(dirname "$0")/.."
set -- "$gputab" report --month 2024-09 --billing $demo/billing.csv --metrics $demo/metrics.om --rule $demo/rule.yaml -q
sums=$(mktemp -d)
trap 'rm -rf "$sums"' EXIT

echo "\$ $*"
echo
"$@" -o "$sums/demo.txt"
echo
grep -E '^billed .* difference 0\.00$' "$sums/demo.txt" || { echo 'the table does not add up to the bill' >&2; exit 1; }
