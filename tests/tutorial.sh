#!/bin/sh
# Runs the tutorial: writes each ```sow and ```record block to the file that its fence names, runs the commands of
# each ```console block beside them, and compares what they print with what the tutorial shows.
#
#   OLDSOW=build/oldsow tests/tutorial.sh [--bless] [FILE]
#
# --bless writes what is printed into the tutorial instead; look at the difference before you keep it.

OLDSOW=$(realpath "${OLDSOW:-build/oldsow}")
bless=
[ "$1" = --bless ] && bless=yes && shift
tutorial=$(realpath "${1:-docs/tutorial.md}")
scratch=$(mktemp -d) || exit 2
trap 'rm -rf "$scratch"' EXIT
mkdir "$scratch/bin" "$scratch/work"
ln -s "$OLDSOW" "$scratch/bin/oldsow"
PATH=$scratch/bin:$PATH
export PATH
cd "$scratch/work" || exit 2

# Goes through the tutorial line by line; a console block is played as it is met, so that it sees the files as they
# stand at that point.
awk -v transcript="$scratch/transcript" -v printed="$scratch/printed" '
    function play(command,    line) {
        print "$ " command > transcript
        system(command " >" printed " 2>&1 </dev/null")
        while ((getline line < printed) > 0) print line > transcript
        close(printed)
    }
    /^```/ && kind != "" { kind = ""; if (file != "") close(file); file = "" }
    kind == "console" { if (/^\$ /) play(substr($0, 3)); next }
    file != "" { print > file }
    /^```[a-z]/ {
        kind = substr($1, 4)
        file = kind == "console" ? "" : $2
        if (file != "") printf "" > file
        if (kind == "console") print "```console" > transcript
        next
    }' "$tutorial"

# What the tutorial shows, block by block, as the transcript has it.
awk '/^```console/ { inside = 1; print; next }
     /^```/ { inside = 0 }
     inside' "$tutorial" >"$scratch/shown"

[ -s "$scratch/shown" ] || { echo "FAIL $tutorial shows no commands"; exit 1; }

# Hashes and places within a library change with every change of the library: any will do.
for text in shown transcript; do
    sed -E 's/[0-9a-f]{16}/0123456789abcdef/; s/(<stdlib[^>]*>):[0-9]+:[0-9]+/\1:1:1/' "$scratch/$text" \
        >"$scratch/$text.plain"
done

if [ "$bless" ]; then
    awk -v transcript="$scratch/transcript" '
        /^```console/ {
            print
            if (!begun) { getline line < transcript; begun = 1 }
            while ((getline line < transcript) > 0 && line != "```console") print line
            inside = 1
            next
        }
        /^```/ { inside = 0 }
        !inside' "$tutorial" >"$scratch/blessed" && cat "$scratch/blessed" >"$tutorial"
elif diff -u --label 'the tutorial' --label 'what is printed' "$scratch/shown.plain" "$scratch/transcript.plain"; then
    echo "tutorial: $(grep -c '^\$ ' "$scratch/shown") commands print what it shows"
else
    echo 'FAIL the tutorial shows something else than is printed'
    exit 1
fi
