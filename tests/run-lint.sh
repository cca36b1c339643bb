#!/bin/sh
# run-lint.sh FLAGS SOURCE...: the static analysis that is installed; clang-tidy is preferred, since it needs no build.
# Left out: the wish for memcpy_s and its kin, which glibc has not, and uninitialised va_lists, which clang 14 sees in every vsnprintf.
set -u
flags=$1
shift
checks=-clang-analyzer-security.insecureAPI.DeprecatedOrUnsafeBufferHandling,-clang-analyzer-valist.Uninitialized
if command -v clang-tidy >/dev/null; then
    printf '%s\n' "$@" | xargs -P "$(nproc)" -I '{}' clang-tidy --quiet --checks="$checks" --warnings-as-errors='*' '{}' -- $flags 2>/dev/null
elif command -v scan-build >/dev/null; then
    scan-build --status-bugs -o build/scan "${MAKE:-make}" CPPFLAGS=-DGPUTAB_SCAN build/gputab
else
    echo 'neither clang-tidy nor scan-build is installed: nothing looked at' >&2
    exit 1
fi
