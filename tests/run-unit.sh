#!/bin/sh
# run-unit.sh PROGRAM...: runs programs of libcheck and sums their tests. One that ends without a summary is a failure.
set -u
passed=0 failed=0
out=$(mktemp) || exit 1
trap 'rm -f "$out"' EXIT

for program; do
    "$program" >"$out" 2>&1
    rc=$?
    set -- $(sed -n 's/^[0-9]*%: Checks: \([0-9]*\), Failures: \([0-9]*\), Errors: \([0-9]*\)$/\1 \2 \3/p' "$out")
    checks=${1:-0} bad=$((${2:-0} + ${3:-0}))
    passed=$((passed + checks - bad))
    if [ "$bad" -eq 0 ] && { [ "$rc" -ne 0 ] || [ "$checks" -eq 0 ]; }; then
        bad=1
        echo "$program: exit $rc, $checks tests counted"
    fi
    failed=$((failed + bad))
    [ "$bad" -eq 0 ] || cat "$out"
done
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
