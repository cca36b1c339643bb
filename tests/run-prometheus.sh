#!/bin/sh
# run-prometheus.sh PYTHON GPUTAB READ: a real Prometheus: the reports of files and of each exporter, of what it scrapes while things vanish,
# check, and the queries of explain; and a real VictoriaMetrics: the reports of files, and its limits.
set -u
here=$(dirname "$0")
exec "$here/run-sum.sh" "$1 -B $here/prometheus/equal.py $2" "$1 -B $here/prometheus/exporters.py $2" \
    "$1 -B $here/prometheus/live.py $2" "$1 -B $here/prometheus/queries.py $2" "$1 -B $here/prometheus/survey.py $2" "$1 -B $here/prometheus/ways.py $2 $3" \
    "$1 -B $here/prometheus/victoria.py $2"
