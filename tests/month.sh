#!/bin/sh
# month.sh PYTHON GPUTAB: examples/month, made anew and compared with its generator's own totals. The last line is "N passed, N failed".
set -u
folder=$(mktemp -d) || exit 1
trap 'rm -rf "$folder"' EXIT
"$1" -B "$(dirname "$0")/month.py" "$2" "$folder"
