# What the test scripts share: read in with `. tests/lib/checks.sh`, from the root of the repository.
#
# $OLDSOW is the command, $root the repository, $scratch a folder that is taken away at the end. Each check is counted;
# one that fails says so in a line. `finish NAME` at the end prints the count, and fails if anything did.

OLDSOW=$(realpath "${OLDSOW:-build/oldsow}")
root=$PWD
scratch=$(mktemp -d) || exit 2
trap 'rm -rf "$scratch"' EXIT
checks=0
failures=0

fail() {
    failures=$((failures + 1))
    printf 'FAIL %s\n' "$*"
}

same() { # WHAT WANTED FOUND
    checks=$((checks + 1))
    [ "$2" = "$3" ] || fail "$1: wanted '$2', found '$3'"
}

same_file() { # WHAT WANTED FOUND
    checks=$((checks + 1))
    cmp -s "$2" "$3" || fail "$1: $(diff "$2" "$3" | head -n 6)"
}

# Commands of pages are run as they stand there.
as_command() {
    mkdir "$scratch/bin" && ln -s "$OLDSOW" "$scratch/bin/oldsow" || exit 2
    PATH=$scratch/bin:$PATH
    export PATH
}

# runs STATUS COMMAND...: the exit status; what it prints is left in `out` and `err`.
runs() {
    wanted=$1
    shift
    checks=$((checks + 1))
    "$OLDSOW" "$@" >out 2>err </dev/null
    found=$?
    [ $found -eq "$wanted" ] || fail "oldsow $*: status $found instead of $wanted: $(head -n 3 err)"
    last="oldsow $*"
}

silent() { # STREAM
    checks=$((checks + 1))
    [ ! -s "$1" ] || fail "$last: $1 should be empty: $(head -n 3 "$1")"
}

says() { # STREAM TEXT
    checks=$((checks + 1))
    grep -q -F -e "$2" "$1" || fail "$last: no '$2' in $1: $(head -n 5 "$1")"
}

interrupted() { # ARGUMENT...: status 130 after Ctrl-C
    checks=$((checks + 1))
    "$OLDSOW" "$@" >out 2>err </dev/null &
    process=$!
    sleep 0.5
    kill -INT $process
    wait $process
    found=$?
    last="oldsow $*, interrupted"
    [ $found -eq 130 ] || fail "$last: status $found instead of 130: $(head -n 3 err)"
}

perft() { # FIGURES FILE [OPTION...]
    wanted=$1 file=$2
    shift 2
    depth=$(echo $wanted | wc -w)
    same "perft $file $*" "$wanted" \
        "$("$OLDSOW" perft "$file" "$depth" "$@" 2>&1 | awk '{ printf "%s%s", sep, $NF; sep = " " }')"
}

finish() { # NAME
    if [ "$failures" -eq 0 ]; then
        echo "$1: all $checks checks hold"
    else
        echo "$1: $failures of $checks checks failed"
        exit 1
    fi
}
