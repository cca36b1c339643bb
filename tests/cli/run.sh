#!/bin/sh
# run.sh [--update] GPUTAB [AREA/CASE...]: command line goldens.
#
# A case is a folder <area>/<case>/: `cmd` is a shell script, run by sh in a scratch copy of the folder with gputab in PATH
# and $DEMO and $CASES pointing to examples/demo and tests/cases. Compared are stdout and stderr, with stdout.exact or as
# shell globs line by line with stdout.glob, and the number in `exit`; what has no file must be empty or 0. --update writes
# the .exact files anew (not the .glob ones). EXEC_PREFIX='valgrind -q --error-exitcode=99' runs every gputab under it.
set -u
update=
[ "${1-}" != --update ] || { update=1; shift; }
[ $# -gt 0 ] || { echo 'usage: run.sh [--update] GPUTAB [AREA/CASE...]' >&2; exit 2; }
gputab=$(cd "$(dirname "$1")" && pwd)/$(basename "$1")
shift
here=$(cd "$(dirname "$0")" && pwd)
scratch=$(mktemp -d) || exit 1
trap 'rm -rf "$scratch"' EXIT
mkdir "$scratch/bin"
printf '#!/bin/sh\nexec %s "%s" "$@"\n' "${EXEC_PREFIX-}" "$gputab" >"$scratch/bin/gputab"
chmod +x "$scratch/bin/gputab"
DEMO=$here/../../examples/demo CASES=$here/../cases
export DEMO CASES
# The outcome may not depend on who runs it.
unset COLUMNS NO_COLOR LANG LC_ALL LC_CTYPE TERM || :
TZ=UTC PATH=$scratch/bin:$PATH GPUTAB_CONFIG=
export TZ PATH GPUTAB_CONFIG
passed=0 failed=0

globs_match() {
    exec 3<"$1" 4<"$2"
    while IFS= read -r pattern <&3; do
        IFS= read -r line <&4 || return 1
        case $line in
        $pattern) ;;
        *) printf 'pattern: %s\nline:    %s\n' "$pattern" "$line"; return 1 ;;
        esac
    done
    ! IFS= read -r line <&4
}

# same STREAM: compares what the case gave with what it wants.
same() {
    got=$scratch/$1
    if [ -e "$folder/$1.glob" ]; then
        globs_match "$folder/$1.glob" "$got"
    elif [ -n "$update" ]; then
        if [ -s "$got" ]; then cp "$got" "$folder/$1.exact"; else rm -f "$folder/$1.exact"; fi
    else
        want=$folder/$1.exact
        [ -e "$want" ] || want=/dev/null
        diff -u "$want" "$got"
    fi
}

one() {
    cp -R "$folder" "$scratch/work"
    (cd "$scratch/work" && rm -f stdout.* stderr.* exit)
    (cd "$scratch/work" && exec sh ./cmd) >"$scratch/stdout" 2>"$scratch/stderr" </dev/null
    rc=$?
    wanted=0
    [ ! -e "$folder/exit" ] || wanted=$(cat "$folder/exit")
    verdict=0
    if [ -n "$update" ]; then
        if [ "$rc" -eq 0 ]; then rm -f "$folder/exit"; else echo "$rc" >"$folder/exit"; fi
    elif [ "$rc" -ne "$wanted" ]; then
        echo "exit $rc, expected $wanted"
        verdict=1
    fi
    same stdout || verdict=1
    same stderr || verdict=1
    rm -rf "$scratch/work"
    return $verdict
}

[ $# -gt 0 ] || set -- $(cd "$here" && ls -d */*/ | sed 's|/$||')
for name; do
    folder=$here/$name
    if [ -e "$folder/cmd" ] && one >"$scratch/said" 2>&1; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        echo "failed: tests/cli/$name"
        head -n 30 "$scratch/said"
    fi
done
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ] && [ "$passed" -gt 0 ]
