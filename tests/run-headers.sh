#!/bin/sh
# run-headers.sh FLAGS COMPILER...: every header compiles alone, with each compiler that is there.
set -u
flags=$1
shift
passed=0 failed=0
root=$(dirname "$0")/..

for cc; do
    if ! command -v "$cc" >/dev/null; then
        echo "skipped: headers with $cc (not installed)"
        continue
    fi
    for header in "$root"/include/gputab/*/*.h; do
        # Through a line of its own: as a main file a header may not say #pragma once, and unused statics would be told.
        if printf '#include "%s"\n' "${header#"$root"/include/}" | $cc $flags -Werror -fsyntax-only -x c -; then
            passed=$((passed + 1))
        else
            failed=$((failed + 1))
            echo "failed: $cc ${header#"$root"/}"
        fi
    done
done
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ] && [ "$passed" -gt 0 ]
