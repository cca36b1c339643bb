#!/bin/sh
# members.sh PAGE SOURCE...: every member that the renderers of JSON write stands in the manual page. Exit 0 when it does.
set -eu
page=$1
shift
names=$(grep -ohE '(json_out_key|json_text_member|mark)\(&?j, "[a-z][a-z0-9_]*"' "$@" | sed 's/^[^"]*"//; s/"$//' | sort -u)
[ -n "$names" ] || { echo "no members in $*" >&2; exit 1; }
words=$(sed -n '/^\.Ss Members of JSON/,/^\.Ss Columns/p' "$page" | tr -cs 'a-z0-9_' '\n')
rc=0
for name in $names; do
    printf '%s\n' "$words" | grep -qx "$name" || { echo "not among the members in $page: $name" >&2; rc=1; }
done
exit $rc
