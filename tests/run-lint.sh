#!/bin/sh
# run-lint.sh FLAGS SOURCE...: the static analysis that is installed; clang-tidy is preferred, since it needs no build.
set -u
flags=$1
shift
if command -v clang-tidy >/dev/null; then
    exec clang-tidy --quiet --warnings-as-errors='*' "$@" -- $flags
elif command -v scan-build >/dev/null; then
    exec scan-build --status-bugs -o build/scan "${MAKE:-make}" -B CC="${CC:-cc}" CPPFLAGS=-DGPUTAB_SCAN build/gputab
fi
echo 'neither clang-tidy nor scan-build is installed: nothing looked at' >&2
exit 1
