#!/bin/sh
# deps.sh build|demo|check|look|look-html|bench|bench-bill|bench-xlsx: installs what building, testing or measuring needs, and nothing when all of it works already.
#
# Every need is tried, not looked up by package name, so that a library from elsewhere counts too. What is missing comes from
# Debian's packages, without recommended ones; a service that one of them starts is stopped. Without apt-get the list is shown instead.
set -eu
cc=${CC:-cc} pkg_config=${PKG_CONFIG:-pkg-config} python=${PYTHON:-python3}
missing='' why=''

# need PACKAGES REASON COMMAND...
need() {
    packages=$1 reason=$2
    shift 2
    "$@" >/dev/null 2>&1 && return
    missing="$missing $packages"
    why="$why  $packages: $reason
"
}

compiles() { printf '#include <%s>\nint main(void) { return 0; }\n' "$1" | $cc -x c -o /dev/null - $2; }
library() { "$pkg_config" --exists "$1" && $cc -x c -E -o /dev/null - <"$empty" $("$pkg_config" --cflags "$1"); }
works() { "$@" </dev/null; }

empty=/dev/null
compiler=gcc
case $cc in *clang*) compiler=clang ;; esac

case ${1-} in
build)
    need "$compiler libc6-dev" 'compiler and C library' compiles stdio.h ''
    need pkg-config 'finds the libraries' works "$pkg_config" --version
    need libjansson-dev 'JSON in cells of a bill' library jansson
    need libyaml-dev 'rule files' library yaml-0.1
    need zlib1g-dev 'bills and metrics in .gz' library zlib
    case ${ISAL-}-$(uname -m) in
    no-*) ;;
    *-x86_64 | *-aarch64) need libisal-dev 'bills in .gz faster than by zlib (ISAL=no does without)' library libisal ;;
    esac
    need libzstd-dev 'bills and metrics in .zst' library libzstd
    need libssl-dev 'SHA-256 of the inputs' library libcrypto
    need libcurl4-openssl-dev 'metrics from a server' library libcurl
    need libxlsxwriter-dev 'reports as workbooks' library xlsxwriter
    ;;
demo)
    need python3 'makes the month of the demo' works "$python" -c 'import gzip, json, random'
    ;;
check)
    need check 'runs the unit tests' library check
    need libgmp-dev 'bignum oracle of the money tests' compiles gmp.h -lgmp
    need libcsv-dev 'reference for the CSV reader' compiles csv.h -lcsv
    need python3 'acceptance cases and the slow allocator' works "$python" -c 'import json, fractions'
    need python3-yaml 'rule files in the slow allocator' works "$python" -c 'import yaml'
    need openssl 'certificates of the TLS tests' openssl version
    need prometheus 'the server that the query API is tested with' eval 'prometheus --version && promtool --version'
    need victoria-metrics 'the server that its export is tested with' works victoria-metrics -version
    need util-linux 'a terminal of its own for the program (setsid)' works setsid --version
    need mandoc 'checks the manual pages' command -v mandoc
    need 'valgrind libc6-dbg' 'looks for leaks' works valgrind -q true
    ;;
look)
    need python3 'makes the month of the demo, and compares' works "$python" -c 'import gzip, json, xml.etree'
    need libreoffice-calc 'opens the workbooks' command -v soffice
    need poppler-utils 'makes pictures of their pages' command -v pdftoppm
    need fonts-crosextra-carlito 'letters as wide as those of Calibri' eval 'fc-list | grep -qi carlito'
    ;;
look-html)
    need python3 'makes the month, drives the browser' works "$python" -c 'import gzip, json, random'
    need 'chromium chromium-driver' 'the browser, and how it is driven' eval 'chromium --version && chromedriver --version'
    ;;
bench)
    need python3 'runs and measures' works "$python" -c 'import json, resource'
    need prometheus 'the server that is loaded with a fleet' eval 'prometheus --version && promtool --version'
    case $(uname -m) in
    x86_64 | aarch64) need isal 'unpacks .gz, to compare with' works igzip --version ;;
    esac
    need zstd 'packs and unpacks .zst, to compare with' works zstd --version
    need 'zip unzip' 'the same for .zip' eval 'zip -v && unzip -v'
    need curl 'fetches the same answers, to compare with' curl --version
    ;;
bench-bill)
    need python3 'runs and measures' works "$python" -c 'import json, resource'
    need libcsv-dev 'a reader to compare with' compiles csv.h -lcsv
    need mawk 'another one' works mawk 'BEGIN {}'
    need miller 'another one' mlr --version
    need csvkit 'another one' csvcut --version
    need zstd 'packs the made bills and unpacks them' zstd --version
    need isal 'unpacks them faster' command -v igzip
    need util-linux 'keeps a program on one core (taskset)' taskset --version
    ;;
bench-xlsx)
    need python3 'runs and measures' works "$python" -c 'import json, resource'
    need python3-xlsxwriter 'writes the same rows, to compare with' works "$python" -c 'import xlsxwriter'
    need python3-openpyxl 'another one' works "$python" -c 'import openpyxl'
    ;;
*)
    echo 'usage: deps.sh build|demo|check|look|look-html|bench|bench-bill|bench-xlsx' >&2
    exit 2
    ;;
esac

[ -n "$missing" ] || exit 0
echo "missing for $1:"
printf '%s' "$why"
install="apt-get install -y --no-install-recommends$missing"
if ! command -v apt-get >/dev/null; then
    echo "no apt-get here: please install the like of these packages, then run make again" >&2
    exit 1
fi
as_root=
if [ "$(id -u)" -ne 0 ]; then
    if ! command -v sudo >/dev/null; then
        echo "neither root nor sudo: please run as root: $install" >&2
        exit 1
    fi
    as_root=sudo
fi

# Services of the packages above that are running.
running() {
    for service in prometheus prometheus-node-exporter victoria-metrics; do
        if service "$service" status >/dev/null 2>&1; then echo "$service"; fi
    done
}
before=$(running)
echo "running: ${as_root:+$as_root }$install"
log=$(mktemp)
trap 'rm -f "$log"' EXIT
# Without fresh lists the packages may still be there; the installation decides.
$as_root apt-get update >"$log" 2>&1 || { echo 'apt-get update failed, trying with the lists at hand' >&2; tail -n 3 "$log" >&2; }
if ! $as_root env DEBIAN_FRONTEND=noninteractive $install >"$log" 2>&1; then
    tail -n 20 "$log" >&2
    exit 1
fi
for service in $(running); do
    case " $(echo $before) " in
    *" $service "*) ;;                                 # it was there before
    *)
        echo "stopping and disabling the service $service, which came with its package"
        $as_root service "$service" stop
        $as_root update-rc.d "$service" disable
        ;;
    esac
done
