#!/bin/sh
# options.sh GPUTAB PAGE COMMAND...: every option of the commands' --help stands in their manual, and the reverse; gputab(1) and `explain`
# explain every warning. Exit 0 when all agree.
set -eu
gputab=$1 page=$2
shift 2
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT

for command in "$@"; do "$gputab" "$command" --help; done | grep -E '^  (-[a-z], |    )--' | cut -c1-26 | grep -oE -- '--[a-z][a-z-]*' | sort -u >"$tmp/help"
# In mdoc an option with two dashes is "Fl -name"; those of main itself (--version) are no options of a command.
grep -E '^\.(It|Op|Fl) ' "$page" | grep -oE 'Fl -[a-z][a-z-]*' | sed 's/^Fl -/--/' | grep -v -- '^--version$' | sort -u >"$tmp/page"
# Codes of warnings that the sources give must be explained, by the manual and by the program in the same way.
grep -ohE '"W[0-9]{3}"' "$(dirname "$0")"/../../src/*/*.c | tr -d '"' | sort -u >"$tmp/codes"
grep -oE '^\.It W[0-9]{3}' "$(dirname "$page")/gputab.1" | cut -c5- | sort -u >"$tmp/explained"
"$gputab" explain --code all | grep -oE '^W[0-9]{3}' | sort -u >"$tmp/glossary"

rc=0
for line in $(comm -3 "$tmp/help" "$tmp/page"); do
    echo "not in both --help and $page: $line" >&2
    rc=1
done
for line in $(comm -23 "$tmp/codes" "$tmp/explained"); do
    echo "not explained in $page: $line" >&2
    rc=1
done
for line in $(comm -3 "$tmp/glossary" "$tmp/explained"); do
    echo "not in both gputab(1) and explain --code: $line" >&2
    rc=1
done
exit $rc
