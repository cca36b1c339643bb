#!/bin/sh
# run-demo-prometheus.sh PYTHON GPUTAB: the demo's samples in a Prometheus of its own, and that its report is the one of the file.
set -u
exec "$1" -B "$(dirname "$0")/prometheus/equal.py" "$2" --demo
