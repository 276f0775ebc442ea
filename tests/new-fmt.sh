#!/bin/sh
# `oldsow new` and `oldsow fmt`: the scripts to start from work, and a layout changes nothing but the layout.
#
#   OLDSOW=build/oldsow tests/new-fmt.sh
#
# Run from the root of the repository. Prints a line for each failure and a count at the end.

. tests/lib/checks.sh
cp -r games examples stdlib "$scratch" || exit 2
mkdir "$scratch/tests" && cp -r tests/golden tests/cli tests/backgammon "$scratch/tests" || exit 2
cd "$scratch" || exit 2

# ---- new

# It checks without a word, is laid out, and ends, however it is played.
works() { # SCRIPT
    runs 0 check "$1"
    silent out
    silent err
    runs 0 fmt --check "$1"
    seed=0
    while [ $seed -lt 20 ]; do
        seed=$((seed + 1))
        runs 0 run "$1" --random --seed $seed --max-plies 5000
        checks=$((checks + 1))
        grep -q -E ' after [0-9]+ pl(y|ies)$' out || fail "$last: it does not end: $(tail -n 2 out)"
    done
}

for kind in leaping puzzle race sowing; do
    runs 0 new long-$kind --like $kind
    says out "oldsow check long-$kind.sow"
    silent err
    says long-$kind.sow "(game \"Long $kind\""
    works long-$kind.sow
done
same 'kinds of scripts to start from' 4 "$(ls stdlib/templates/*.sow | wc -l | tr -d ' ')"
runs 0 solve long-puzzle.sow
says out 'solved in 8 moves'

cp long-race.sow before
runs 1 new long-race --like sowing
says err 'long-race.sow: is there already'
silent out
same_file 'a script that is there' before long-race.sow
runs 0 new sub.sow --like race
same 'no second ending' yes "$([ -f sub.sow ] && echo yes)"
runs 1 new no/such/folder/x --like race
runs 2 new x
says err '--like is missing: it is leaping, puzzle, race or sowing'
runs 2 new x --like sewing
says err 'did you mean `sowing`?'
runs 2 new 'a"b' --like race
runs 2 new '' --like race
runs 2 new folder/ --like race
same 'what failed left nothing behind' '' "$(ls | grep -E '^(x|a.b|folder)' | tr '\n' ' ')"
printf '(game "T" (use templates) (players A) (play (win A)))\n' >uses.sow
runs 1 check uses.sow

# ---- fmt: what a script means

# What a script is to the program: the tree as written, and the rules' hash and all else that is shown.
meaning() { # SCRIPT
    "$OLDSOW" ast "$1" 2>&1
    "$OLDSOW" show "$1" 2>&1
}

# Every script that is kept is laid out.
runs 0 fmt --check games/*.sow examples/*.sow stdlib/*.sow stdlib/templates/*.sow tests/backgammon/*.sow
same 'what is not laid out' '' "$(cat out)"

for script in games/*.sow examples/*.sow; do meaning "$script" >"$script.meaning"; done
for script in games/*.sow examples/*.sow stdlib/*.sow stdlib/templates/*.sow tests/golden/*.sow tests/cli/*.sow; do
    cp "$script" before
    checks=$((checks + 1))
    if "$OLDSOW" fmt "$script" >out 2>err; then
        cp "$script" once
        runs 0 fmt "$script"
        same_file "$script laid out twice" once "$script"
        # Nothing is lost: but for blanks they are the same. (No comment here stands between closing brackets.)
        same "$script: without blanks" "$(tr -d ' \t\r\n' <before)" "$(tr -d ' \t\r\n' <once)"
    else
        same_file "$script: has faults, and is left alone" before "$script"
        grep -q -E 'error' err || fail "fmt $script: refused without a word"
    fi
done
for script in games/*.sow examples/*.sow; do
    meaning "$script" >now
    same_file "$script: what it means" "$script.meaning" now
done
runs 0 fmt --check games/*.sow examples/*.sow stdlib/*.sow
silent out

# All on one line but for texts and comments, a script is laid out much as by hand.
one_line() {
    awk 'BEGIN { RS = "\001" } {
        while (match($0, /"([^"\\]|\\.)*"|\/\/[^\n]*\n|[ \t\n]+/)) {
            part = substr($0, RSTART, RLENGTH)
            printf "%s%s", substr($0, 1, RSTART - 1), part ~ /^["\/]/ ? part : " "
            $0 = substr($0, RSTART + RLENGTH)
        }
        printf "%s\n", $0
    }'
}
for script in games/*.sow; do
    one_line <"$script" >line.sow
    cp line.sow before
    "$OLDSOW" ast line.sow >tree 2>&1
    runs 0 fmt line.sow
    "$OLDSOW" ast line.sow >tree2 2>&1
    same_file "$script from one line" tree tree2
    cp line.sow once
    runs 0 fmt line.sow
    same_file "$script from one line, twice" once line.sow
    # Texts are as long as they are; all other lines fit.
    same "$script: long lines" 0 "$(grep -v '"' line.sow | grep -E '^ *\(.{100}' | wc -l | tr -d ' ')"
done

# ---- fmt: files and flags

printf '(game   "G"\n(players A)(play (win A)))\n' >loose.sow
cp loose.sow before
runs 1 fmt --check loose.sow long-race.sow
same 'what would change' loose.sow "$(cat out)"
same_file '--check' before loose.sow
"$OLDSOW" fmt - <loose.sow >out 2>err
printf '(game "G"\n  (players A)\n  (play (win A)))\n' >wanted
same_file 'standard input' wanted out
"$OLDSOW" fmt - --check <loose.sow >out 2>err
same 'standard input, --check' '1 <standard input>' "$? $(cat out)"
ln -s loose.sow link.sow
chmod 640 loose.sow
runs 0 fmt link.sow
silent out
same_file 'through a link' wanted loose.sow
same 'a link stays one' yes "$([ -L link.sow ] && echo yes)"
same 'the mode stays' '-rw-r-----' "$(ls -l loose.sow | cut -c 1-10)"
touch -t 200001010000 loose.sow
runs 0 fmt loose.sow
same 'what is laid out is not written' '' "$(find loose.sow -newer before)"

printf '(game "G" (players A) (play (win A))\n' >open.sow
cp open.sow before
cp before loose.sow
printf '(game   "G" (players A) (play (win A)))\n' >fine.sow
runs 1 fmt open.sow fine.sow
says err 'open.sow:1:1: error[E0106]'
same_file 'a script with faults' before open.sow
same 'the next one is laid out' '(game "G"' "$(head -n 1 fine.sow)"
runs 1 fmt no-such-file.sow
says err 'error[E0001]'
runs 1 fmt .
says err 'error[E0002]'
: >empty.sow
runs 1 fmt empty.sow
says err 'error[E0003]'
printf '(game "\377")\n' >bytes.sow
runs 1 fmt bytes.sow
says err 'error[E0006]'
runs 2 fmt

# Lines end as they did.
printf '(game "G"\r\n (players A) // one\r\n (play (win A)))\r\n' >windows.sow
runs 0 fmt windows.sow
printf '(game "G"\r\n  (players A)  // one\r\n  (play (win A)))\r\n' >wanted
same_file 'line ends' wanted windows.sow

finish new-fmt
