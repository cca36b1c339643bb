#!/bin/sh
# run.sh LOGS LAYER...: runs `make check-LAYER` one after the other, says a line about each, and sums their tests.
#
# A layer's output has a line "N passed, N failed". A layer without it, or whose exit code says otherwise than its count,
# is one failure more: nothing that breaks can look like nothing to do. Logs stay in the folder LOGS.
set -u
logs=$1
shift
mkdir -p "$logs" || exit 1
passed=0 failed=0

for layer; do
    log=$logs/$layer.log
    start=$(date +%s)
    ${MAKE:-make} ${JOBS-} -s --no-print-directory "check-$layer" >"$log" 2>&1
    rc=$?
    line=$(grep -E '^[0-9]+ passed, [0-9]+ failed$' "$log" | tail -n 1)
    p=${line%% *} f=${line#*, }
    p=${p:-0} f=${f%% *}
    f=${f:-0}
    if [ -z "$line" ] || { [ "$rc" -ne 0 ] && [ "$f" -eq 0 ]; } || { [ "$p" -eq 0 ] && [ "$f" -eq 0 ]; }; then
        f=$((f + 1))
    fi
    printf '%-10s %5d passed, %d failed  (%d s)\n' "$layer" "$p" "$f" $(($(date +%s) - start))
    grep -E '^(skipped|note):? ' "$log" | sed 's/^/           /'
    if [ "$f" -ne 0 ]; then
        grep -vE '^((ok|skipped|note):? |  cc )' "$log" | head -n 60 | sed 's/^/    /'
        echo "    all of it: $log"
    fi
    passed=$((passed + p)) failed=$((failed + f))
done
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
