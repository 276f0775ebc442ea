#!/bin/sh
# examples/README.md lists every script of examples/, once, and each ludeme that a script is said to teach stands in it
# and has a page in `oldsow help`. Run from the root of the repository:
#
#   OLDSOW=build/oldsow tests/examples-list.sh
#
# Prints a line for each failure and a count at the end.

. tests/lib/checks.sh

for script in examples/*.sow; do
    same "$script is listed" 1 "$(grep -c "^| \[${script#examples/}\](" examples/README.md)"
done

# A script's forms and keys, one a line, without texts and comments.
words() { # SCRIPT
    awk '{ text = text $0 "\n" } END {
        gsub(/"([^"\\]|\\.)*"/, "", text)
        gsub(/\/\/[^\n]*/, "", text)
        while (match(text, /\([^][ \n(){}:]+|[^][ \n(){}:]+:/)) {
            word = substr(text, RSTART, RLENGTH)
            gsub(/[(:]/, "", word)
            print word
            text = substr(text, RSTART + RLENGTH)
        }
    }' "$1"
}

# The last column of the lists of games: `one`, `two`, ...
sed -n 's/^| \[\([^]]*\.sow\)\]([^)]*) |[^|]*| \(`[^|]*`\) |$/\1 \2/p' examples/README.md | tr -d '`,' >"$scratch/taught"
while read -r script taught; do
    words "examples/$script" >"$scratch/words"
    for word in $taught; do
        same "$script uses $word" yes "$(grep -q -x -F -e "$word" "$scratch/words" && echo yes)"
        same "help $word" 0 "$("$OLDSOW" help "$word" >"$scratch/help" 2>&1; echo $?)"
    done
done <"$scratch/taught"
same 'lists of games are read' yes "$([ "$(wc -l <"$scratch/taught")" -ge 20 ] && echo yes)"

finish examples-list
