#!/bin/sh
# run-cases.sh PYTHON GPUTAB: the acceptance cases, each twice.
set -u
python=$1 gputab=$2
here=$(dirname "$0")/cases
passed=0 failed=0

for folder in "$here"/[0-9]*/; do
    name=$(basename "$folder")
    if out=$("$python" "$here/run_cases.py" "$gputab" "$name"); then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        echo "failed: $name"
        echo "$out" | grep -vE '^[0-9]+ passed|note:'
    fi
done
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ] && [ "$passed" -gt 0 ]
