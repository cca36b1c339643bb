#!/bin/sh
# run-property.sh PYTHON GPUTAB: every tests/property/*_property.py, called with the program; each ends with "N passed, N failed".
set -u
python=$1 gputab=$2
passed=0 failed=0
out=$(mktemp) || exit 1
trap 'rm -f "$out"' EXIT

for test in "$(dirname "$0")"/property/*_property.py; do
    [ -e "$test" ] || continue
    "$python" -B "$test" "$gputab" >"$out" 2>&1
    rc=$?
    line=$(grep -E '^[0-9]+ passed, [0-9]+ failed$' "$out" | tail -n 1)
    p=${line%% *} f=${line#*, }
    f=${f%% *}
    passed=$((passed + ${p:-0})) failed=$((failed + ${f:-0}))
    if [ -z "$line" ] || { [ "$rc" -ne 0 ] && [ "${f:-0}" -eq 0 ]; }; then
        failed=$((failed + 1))
    fi
    [ "$rc" -eq 0 ] && [ -n "$line" ] || cat "$out"
done
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
