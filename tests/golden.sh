#!/bin/sh
# What Oldsow answers to mistakes, word for word.
#
#   OLDSOW=build/oldsow tests/golden.sh           compare with what is in tests/golden
#   OLDSOW=build/oldsow tests/golden.sh --bless   take what it says now for right; look at the changes with git diff
#
# For each NAME.sow in tests/golden, NAME.expected is the output of `oldsow check NAME.sow`, then a line with the exit
# status. A first line `// golden: run FILE --seed 1` says what else to run. A NAME.args holds the arguments of a test that
# has no script of its own.
#
# A line with the mark `// <--` is one where a message must point, and no other line may have one: a mistake gives one
# message, at its place. A script without marks is not held to that.

. tests/lib/checks.sh
bless=${1:-}
golden=$root/tests/golden

# The tests run in a copy, beside a few scripts that are made here: too long to be kept.
cp -r "$root/games" "$scratch/games" || exit 2
mkdir "$scratch/tests" && cp -r "$golden" "$scratch/tests/golden" || exit 2
cd "$scratch/tests/golden" || exit 2

awk 'BEGIN { printf "(game \"Too big\"\n"; for (i = 0; i < 30000; i++) print "  // a comment of forty characters, or so"; print ")" }' \
    >e0004-too-big.sow
awk 'BEGIN { print "(game \"Deep\" (play"; for (i = 0; i < 300; i++) printf "(do "; for (i = 0; i < 302; i++) printf ")"; print "" }' \
    >e0109-nested-deep.sow

run() { # ARGUMENTS: what it prints and its status, in $scratch/found
    # shellcheck disable=SC2086 # the arguments are words
    timeout 60 "$OLDSOW" $1 >"$scratch/found" 2>&1 </dev/null
    status=$?
    [ $status -le 2 ] || fail "$name: exit status $status"
    printf 'exit %d\n' $status >>"$scratch/found"
}

# Whether messages stand at the marked lines, and nowhere else.
marked() { # FILE
    grep -a -n '// <--' "$1" | cut -d: -f1 >"$scratch/marked"
    [ -s "$scratch/marked" ] || return 0
    checks=$((checks + 1))
    sed -n "s/^$1:\([0-9]*\):[0-9]*: [a-z]*\[.*/\1/p" "$scratch/found" | sort -n >"$scratch/told"
    cmp -s "$scratch/marked" "$scratch/told" && return 0
    fail "$name: messages are marked for lines $(paste -s -d ' ' "$scratch/marked"), and come for" \
        "$(paste -s -d ' ' "$scratch/told")"
    return 1
}

compare() {
    checks=$((checks + 1))
    if [ "$bless" = --bless ]; then
        cmp -s "$scratch/found" "$golden/$name.expected" && return
        echo "blessed $name"
        cp "$scratch/found" "$golden/$name.expected"
    elif [ ! -f "$name.expected" ]; then
        fail "$name: no $name.expected; look at the output, then make bless"
        cat "$scratch/found"
    elif ! cmp -s "$name.expected" "$scratch/found"; then
        fail "$name: expected (-) and found (+)"
        diff -u "$name.expected" "$scratch/found" | sed 1,2d
    fi
}

for file in *.sow; do
    name=${file%.sow}
    arguments=$(sed -n '1s,^// golden: ,,p' "$file" | sed "s,FILE,$file,")
    run "${arguments:-check $file}"
    marked "$file" && compare
done
for file in *.args; do
    name=${file%.args}
    run "$(cat "$file")"
    compare
done
for file in *.expected; do
    name=${file%.expected}
    [ ! -f "$file" ] || [ -f "$name.sow" ] || [ -f "$name.args" ] || fail "$file belongs to no script"
done

# Every code of the table has a test. Those that cannot come from a file, or come from a record, have theirs elsewhere.
checks=$((checks + 1))
exempt='E0007 E0799 R0915 R0912' # no memory; a fault of Oldsow itself; found before the game is played
cat "$golden"/*.expected >"$scratch/all" 2>/dev/null
for code in $(sed -n 's/^DIAG([A-Z0-9_]*, "\([A-Z0-9]*\)".*/\1/p' "$root/grammar/diagnostics.def"); do
    case " $exempt " in *" $code "*) continue ;; esac
    case $code in E08*) continue ;; esac
    grep -a -q "\[$code\]" "$scratch/all" || fail "no golden test brings out $code"
done

# The kinds of mistake: each has a test that brings out the code it is named after. At least eighty are promised.
checks=$((checks + 1))
kinds=$(wc -l <"$golden/kinds")
[ "$kinds" -ge 80 ] || fail "only $kinds kinds of mistake are listed in tests/golden/kinds"
[ -z "$(cut -f 1 "$golden/kinds" | sort | uniq -d)$(cut -f 2 "$golden/kinds" | sort | uniq -d)" ] ||
    fail "tests/golden/kinds names a test or a kind twice"
while IFS='	' read -r name kind; do
    code=$(printf '%s' "${name%%-*}" | tr erw ERW)
    grep -a -q "\[$code\]" "$golden/$name.expected" 2>/dev/null || fail "$kind: $name does not bring out $code"
done <"$golden/kinds"

echo "golden: $kinds kinds of mistake"
finish golden
