#!/bin/sh
# run-sum.sh COMMAND...: runs commands that each end with "N passed, N failed", and sums them. One that does not say so, or whose exit
# code says otherwise, is a failure more.
set -u
passed=0 failed=0
out=$(mktemp) || exit 1
trap 'rm -f "$out"' EXIT

for command; do
    $command >"$out" 2>&1
    rc=$?
    line=$(grep -E '^[0-9]+ passed, [0-9]+ failed$' "$out" | tail -n 1)
    p=${line%% *} f=${line#*, }
    p=${p:-0} f=${f%% *}
    f=${f:-0}
    if [ -z "$line" ] || { [ "$rc" -ne 0 ] && [ "$f" -eq 0 ]; } || [ $((p + f)) -eq 0 ]; then
        f=$((f + 1))
    fi
    passed=$((passed + p)) failed=$((failed + f))
    if [ "$f" -ne 0 ]; then
        echo "failed: $command (exit $rc)"
        grep -v '^ok' "$out"
    fi
done
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
