#!/bin/sh
# run-cases.sh PYTHON GPUTAB: the acceptance cases, each twice, without those that need what is not built yet.
# A skipped case is tried all the same: when it agrees, a note says that it can leave the list.
set -u
python=$1 gputab=$2
here=$(dirname "$0")/cases
passed=0 failed=0

not_built() {
    case $1 in
    17-*) echo 'idle: policy: proportional' ;;
    esac
}

for folder in "$here"/[0-9]*/; do
    name=$(basename "$folder")
    why=$(not_built "$name")
    if [ -n "$why" ]; then
        echo "skipped: $name ($why is not built)"
        "$python" "$here/run_cases.py" "$gputab" "$name" >/dev/null 2>&1 && echo "note: $name agrees now and can leave the list in $0"
    elif out=$("$python" "$here/run_cases.py" "$gputab" "$name"); then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        echo "failed: $name"
        echo "$out" | grep -vE '^[0-9]+ passed|note:'
    fi
done
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ] && [ "$passed" -gt 0 ]
