#!/bin/sh
# run-bad.sh PYTHON GPUTAB: damaged inputs and signals, a sample of each. All of it: tests/bad/mutate.py GPUTAB, tests/bad/interrupt.py
# GPUTAB --runs 2000; best with a program built by SANITIZE=address,undefined.
set -u
python=$1 gputab=$2
here=$(dirname "$0")/bad
passed=0 failed=0
out=$(mktemp) || exit 1
trap 'rm -f "$out"' EXIT

# run NAME ARGS...: runs a program of tests/bad, tells what failed, and adds its counts.
run() {
    "$python" -B "$here/$1" "$gputab" "$2" "$3" >"$out" 2>&1
    rc=$?
    line=$(grep -E '^[0-9]+ passed, [0-9]+ failed$' "$out" | tail -n 1)
    p=${line%% *} f=${line#*, }
    f=${f%% *}
    passed=$((passed + ${p:-0})) failed=$((failed + ${f:-0}))
    if [ -z "$line" ] || { [ "$rc" -ne 0 ] && [ "${f:-0}" -eq 0 ]; }; then
        failed=$((failed + 1))
    fi
    [ "$rc" -eq 0 ] && [ -n "$line" ] || cat "$out"
}

run mutate.py --every 15
run interrupt.py --runs 60
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ] && [ "$passed" -gt 0 ]
