#!/bin/sh
# options.sh GPUTAB PAGE: every option of --help stands in the manual, and the reverse. Exit 0 when both agree.
set -eu
gputab=$1 page=$2
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT

for command in report check rule; do "$gputab" "$command" --help; done | grep -E '^  (-[a-z], |    )--' | cut -c1-26 | grep -oE -- '--[a-z][a-z-]*' | sort -u >"$tmp/help"
# In mdoc an option with two dashes is "Fl -name"; those of main itself (--version) are no options of a command.
grep -E '^\.(It|Op|Fl) ' "$page" | grep -oE 'Fl -[a-z][a-z-]*' | sed 's/^Fl -/--/' | grep -v -- '^--version$' | sort -u >"$tmp/page"
# Codes of warnings that the sources give must be explained.
grep -ohE '"W[0-9]{3}"' "$(dirname "$0")"/../../src/*/*.c | tr -d '"' | sort -u >"$tmp/codes"
grep -oE '^\.It W[0-9]{3}' "$page" | cut -c5- | sort -u >"$tmp/explained"

rc=0
for line in $(comm -3 "$tmp/help" "$tmp/page"); do
    echo "not in both --help and $page: $line" >&2
    rc=1
done
for line in $(comm -23 "$tmp/codes" "$tmp/explained"); do
    echo "not explained in $page: $line" >&2
    rc=1
done
exit $rc
