#!/bin/sh
# run-man.sh GPUTAB: the manual pages are sound mdoc and name the options, keys and warnings that the program has.
set -u
gputab=$1
here=$(dirname "$0")
passed=0 failed=0

try() {
    if "$@"; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        echo "failed: $*"
    fi
}

for page in "$here"/../man/*.[1-8]; do
    try mandoc -Tlint -Wwarning "$page"
done
try "$here/man/options.sh" "$gputab" "$here/../man/gputab.1" report check rule
try "$here/man/options.sh" "$gputab" "$here/../man/gputab-explain.1" explain
try "$here/man/options.sh" "$gputab" "$here/../man/gputab-rates.1" rates
try "$here/man/keys.sh" "$here/../man/gputab-billing-map.5" "$here/../src/source/bill_map.c"
try "$here/man/keys.sh" "$here/../man/gputab-price-list.5" "$here/../src/source/price_list.c"
try "$here/man/keys.sh" "$here/../man/gputab-settings.5" "$here"/../src/source/settings*.c
try "$here/man/members.sh" "$here/../man/gputab.1" "$here/../src/render/json.c" "$here/../src/render/json_notes.c"
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
