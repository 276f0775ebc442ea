#!/bin/sh
# `oldsow check --sarif`: what is printed is SARIF 2.1.0, says the same as --json, and its fixes mend what they are for.
#
#   OLDSOW=build/oldsow tests/sarif.sh
#
# Run from the root of the repository; needs jq. The scripts are those of tests/golden.

. tests/lib/checks.sh
cp -r tests/golden "$scratch/golden" || exit 2
cd "$scratch/golden" || exit 2

check() { # STATUS FILE...: leaves what is printed in ../log
    wanted=$1
    shift
    checks=$((checks + 2))
    "$OLDSOW" check --sarif "$@" >../log 2>../err </dev/null
    found=$?
    [ $found -eq "$wanted" ] || fail "check --sarif $1: exit status $found"
    [ ! -s ../err ] || fail "check --sarif $1: something on standard error: $(head -n 3 ../err)"
    jq -r -f "$root/tests/sarif.jq" ../log >../faults 2>&1 || fail "check --sarif $1: $(head -n 3 ../faults)"
    [ ! -s ../faults ] || fail "check --sarif $1: $(sort ../faults | uniq -c | head -n 5)"
}

is() { # WHAT FILTER: that jq finds it true of the log
    checks=$((checks + 1))
    [ "$(jq "$2" ../log)" = true ] || fail "$1"
}

# ---- all mistakes of the golden tests at once

check 1 ./*.sow
is 'more than three hundred results' '.runs[0].results | length > 300'
is 'the exit status is told' '.runs[0].invocations[0] | .exitCode == 1 and .executionSuccessful'
is 'there are related places' '[.runs[0].results[].relatedLocations // empty] | length > 20'
is 'there are fixes' '[.runs[0].results[].fixes // empty] | length > 30'
is 'places in a library are named, and are in no file' \
    '[.runs[0].results[].relatedLocations[]?.logicalLocations[]?.fullyQualifiedName | test("^<.*>:")] | length > 0 and all'
cp ../log ../all

# The same messages as --json, at the same places, in the same order.
checks=$((checks + 1))
"$OLDSOW" check --json ./*.sow >../json 2>&1
jq -c '.files[].messages[] | [.code, .severity, .line, .column, .end_line, .end_column, (.replacement != null)]' \
    ../json >../in-json
jq -c '.runs[0].results[] | .locations[0].physicalLocation.region as $r | [.ruleId, .level, $r.startLine, $r.startColumn,
    $r.endLine, $r.endColumn, has("fixes")]' ../all >../in-sarif
cmp -s ../in-json ../in-sarif || fail "--json and --sarif differ: $(diff ../in-json ../in-sarif | head -n 4)"

# ---- each fix, put into the script, ends its message

put_in() { # FILE LINE COLUMN END TEXT
    awk -v line="$2" -v from="$3" -v to="$4" -v text="$5" \
        'NR == line { $0 = substr($0, 1, from - 1) text substr($0, to) } { print }' "$1"
}

jq -r '.runs[0].results[] | select(.fixes) | .ruleId as $code | .message.text as $text
    | .fixes[0].artifactChanges[0] | .replacements[0] as $r
    | [$code, .artifactLocation.uri, $r.deletedRegion.startLine, $r.deletedRegion.startColumn, $r.deletedRegion.endColumn,
       $r.insertedContent.text] | @tsv' ../all | sort -u >../fixes
while read -r code file line from to text; do
    checks=$((checks + 1))
    cp "$file" ../kept
    put_in ../kept "$line" "$from" "$to" "$text" >"$file"
    "$OLDSOW" check "$file" 2>&1 </dev/null | grep -q "^$(basename "$file"):$line:$from: error\[$code\]" &&
        fail "$file:$line: $code comes again with \`$text\`"
    cp ../kept "$file"
done <../fixes

# ---- names of files

mkdir 'a folder'
printf '(game "X" (players A B) (board (line 3)) (piece seed) (play (put 1 sead on: a1) (win A)))\n' >'a folder/f%é.sow'
check 1 'a folder/f%é.sow'
is 'what a reference may not hold is written %XX' \
    '.runs[0].results[0].locations[0].physicalLocation.artifactLocation.uri == "a%20folder/f%25%C3%A9.sow"'
check 1 "$PWD/a folder/f%é.sow"
is 'an absolute path is a file: reference' \
    '.runs[0].results[0].locations[0].physicalLocation.artifactLocation.uri | startswith("file:///")'
check 1 no-such.sow
is 'what has no place stands at its file' '.runs[0].results[0] | .ruleId == "E0001" and
    (.locations[0].physicalLocation | .artifactLocation.uri == "no-such.sow" and (has("region") | not))'
check 0 "$root"/games/*.sow
is 'nothing is found in the games' '.runs[0] | .results == [] and .tool.driver.rules == []'
checks=$((checks + 1))
"$OLDSOW" check --sarif --json "$root/games/laomuzhu.sow" >../log 2>&1
[ $? -eq 2 ] || fail 'check --sarif --json is no wrong usage'

finish sarif
