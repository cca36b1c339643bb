#!/bin/sh
# run-http.sh PYTHON GPUTAB POST: the query API's transport against a stub server that misbehaves; ends with "N passed, N failed".
set -u
exec "$1" -B "$(dirname "$0")/http/run_http.py" "$2" "$3"
