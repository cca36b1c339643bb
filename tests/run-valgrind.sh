#!/bin/sh
# run-valgrind.sh GPUTAB: the demo in every format and a few runs that end early, under valgrind: no error, no leak.
set -u
gputab=$1
demo=$(cd "$(dirname "$0")/../examples/demo" && pwd)
tmp=$(mktemp -d) || exit 1
trap 'rm -rf "$tmp"' EXIT
passed=0 failed=0

# try WANTED_EXIT ARGUMENT...
try() {
    want=$1
    shift
    valgrind -q --leak-check=full --show-leak-kinds=definite,indirect,possible --errors-for-leak-kinds=definite,indirect,possible \
        --error-exitcode=99 --log-file="$tmp/valgrind" "$gputab" "$@" >/dev/null 2>"$tmp/err"
    rc=$?
    if [ "$rc" -eq "$want" ] && ! [ -s "$tmp/valgrind" ]; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        echo "gputab $*: exit $rc, expected $want"
        head -n 20 "$tmp/valgrind" "$tmp/err"
    fi
}

inputs="--month 2024-09 --billing $demo/billing.csv --metrics $demo/metrics.om"
for format in table plain csv json jsonl xlsx; do
    try 0 report $inputs --rule "$demo/rule.yaml" --format "$format"
done
try 0 report $inputs --rule "$demo/rule.yaml" --by day,pod --bridge -o "$tmp/a.json" -o "$tmp/b.csv"
try 2 report $inputs --by nonsense
printf 'schema: gputab.rule/1\ngpu: {denominater: capacity}\n' >"$tmp/rule.yaml"
try 2 report $inputs --rule "$tmp/rule.yaml"
head -c 20000 "$demo/billing.csv" >"$tmp/cut.csv"
try 3 report --month 2024-09 --billing "$tmp/cut.csv" --metrics "$demo/metrics.om"
try 3 report --month 2024-09 --billing "$demo/billing.csv" --metrics "$tmp/none.om"
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
