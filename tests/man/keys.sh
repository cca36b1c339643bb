#!/bin/sh
# keys.sh PAGE TABLE...: every key in the tables of a schema stands in its manual page. Exit 0 when it does.
set -eu
page=$1
shift
keys=$(grep -ohE '^ +\{ "[a-z][a-z0-9_]*", (yaml_read|settings_read|read_|LABEL)' "$@" | sed 's/^[^"]*"//; s/".*//' | sort -u)
[ -n "$keys" ] || { echo "no keys in $*" >&2; exit 1; }
rc=0
for key in $keys; do
    grep -qE "^\.(It )?(.* )?Ic (.* )?$key( |$)" "$page" || { echo "not in $page: $key" >&2; rc=1; }
done
exit $rc
