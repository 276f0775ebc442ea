#!/bin/sh
# The command line: flags, exit statuses, what goes to which stream, what happens when output cannot be written.
#
#   OLDSOW=build/oldsow tests/cli.sh
#
# Run from the root of the repository. Prints a line for each failure and a count at the end.

. tests/lib/checks.sh
cp tests/cli/*.sow "$scratch" || exit 2
cd "$scratch" || exit 2
escape=$(printf '\033')

# Whether `out` is JSON of that schema, as far as the tools at hand can tell.
json() { # SCHEMA
    says out "\"schema\": \"$1\""
    checks=$((checks + 1))
    if command -v python3 >/dev/null; then
        python3 -m json.tool <out >/dev/null 2>json.err || fail "$last: no JSON: $(cat json.err)"
    elif command -v jq >/dev/null; then
        jq . <out >/dev/null 2>json.err || fail "$last: no JSON: $(cat json.err)"
    elif command -v node >/dev/null; then
        node -e 'JSON.parse(require("fs").readFileSync(0))' <out 2>json.err || fail "$last: no JSON"
    fi
}

# ---- wrong usage

misused() { # TEXT ARGUMENT...
    text=$1
    shift
    runs 2 "$@"
    silent out
    says err "$text"
}

misused 'usage: oldsow COMMAND'
misused 'no command `chekc`; did you mean `check`?' chekc
misused 'no command `frobnicate`' frobnicate
misused 'no command `format`; did you mean `fmt`?' format
misused '--json is no command' --json check
misused 'unknown flag --radnom; did you mean --random?' run --radnom nim.sow
misused 'unknown flag --frobnicate' run nim.sow --frobnicate
misused 'unknown flag -x' run -x nim.sow
misused '--re may be --record or another flag' run nim.sow --re x
misused '--reading wants a value' run nim.sow --reading
misused '--random=3 takes no value' run nim.sow --random=3
misused '--set wants option=value' run nim.sow --set limit
misused '--set wants option=value' run nim.sow --set =3
misused '--seed wants a whole number' run nim.sow --seed x
misused '--seed wants a whole number' run nim.sow --seed -1
misused '--seed wants a whole number' run nim.sow --seed 18446744073709551616
misused '--max-plies wants a whole number' run nim.sow --max-plies 1.5
misused '--colour is auto, always or never' run nim.sow --colour mauve
misused 'a file is missing' check
misused 'a file is missing' run --random
misused 'DEPTH is missing after `nim.sow`' perft nim.sow
# What the script does not have is wrong usage too, unless the script itself is at fault.
for command in check show solve 'check --play 2' 'run --random' 'simulate -n 2'; do
    # shellcheck disable=SC2086 # a command and its flags
    runs 2 $command nim.sow --reading nobodys
    says err 'no reading is called `nobodys`'
    # shellcheck disable=SC2086
    runs 2 $command nim.sow --set nothing=3
    says err 'no option is called `nothing`'
done
printf '(game "Faulty")\n' >faulty.sow
runs 1 check faulty.sow --reading nobodys
misused '(= (mod x 2) 0) asks whether x is even' help even
misused '`z` is one argument too many' run nim.sow y z
misused 'DEPTH wants a whole number' perft nim.sow three
misused 'DEPTH wants a whole number' perft nim.sow 1000000
misused 'the file stands before the depth: perft nim.sow 2' perft 2 nim.sow
misused 'DEPTH wants a whole number from 1 to' perft nim.sow 0
misused '--limit wants a whole number from 1 to' solve nim.sow --limit 0
misused 'unknown flag --seed' show nim.sow --seed 1

# ---- help

for command in check show run perft solve ast help version; do
    runs 0 $command --help
    silent err
    says out "usage: oldsow"
    [ $command = version ] || says out 'example: oldsow'
    cp out help.txt
    runs 0 help $command
    same "help $command" "$(cat help.txt)" "$(cat out)"
    runs 0 $command nim.sow -h
    checks=$((checks + 1))
    [ "$(awk '{ if (length > n) n = length } END { print n }' help.txt)" -le 100 ] ||
        fail "$command --help is too wide"
    runs 0 --help
    says out "  $command "
done
runs 0 --version
says out 'oldsow 0.'
cp out version.txt
runs 0 version
same version "$(cat version.txt)" "$(cat out)"
runs 0 help
says out 'choose'
silent err
runs 0 help draw
says out '(draw)'
runs 0 help choose
says out '(choose '
says out 'example:'
runs 2 help chose
silent out
says err 'did you mean `choose`?'
runs 0 help relay-sow
says out '(relay-sow hole along: way [order: kinds]'
says out '(use sowing)'
runs 2 help relay-saw --json
silent out
says err 'did you mean `relay-sow`?'
runs 0 help --json
json oldsow-help-1
says out '"code": "E0106"'
runs 0 help e0106
says out 'E0106: '
cp out help.txt
runs 0 help E0106 choose
says out "$(head -n 1 help.txt)"
says out '(choose '
runs 0 help E0106 --colour always
says out "$escape[1;31mE0106:"
runs 0 help E0106 --json
json oldsow-help-1
says out '"severity": "error"'
checks=$((checks + 1))
! grep -q '"usage"' out || fail 'help E0106 --json: ludemes nobody asked for'
runs 0 help codes
says out '  E0106  '
runs 2 help E0196
silent out
says err 'near it are E0106'
runs 2 help E9999
says err '`oldsow help codes` lists them'
runs 0 reference
says out '# Ludemes'
says out '`(choose '
says out '## Library: sowing'

# ---- check

runs 0 check nim.sow race.sow
silent out
silent err
runs 1 check nim.sow broken.sow
silent out
says err 'broken.sow:5:'
says err 'sead'
says err 'broken.sow:9:'
runs 0 check nim.sow --json
json oldsow-check-1
says out '"ok": true'
silent err
runs 1 check --json nim.sow broken.sow no-such-file.sow
json oldsow-check-1
says out '"ok": false'
says out '"line": 5'
silent err
runs 0 check nim.sow --reading meek --set limit=3

# ---- check --play

# Where no game ends it is not waited for all of them; readings may be named like ludemes.
cat >to-and-fro.sow <<'EOF'
(game "To and fro"
  (players South North)
  (board (line 4))
  (piece stone)
  (option stones {1 2} default: 1 "How many there are.")
  (reading lane stones: 2 "Of the lane.")
  (start (put stones stone on: a1))
  (play
    (turns
      (choose from in: board where: (occupied from) to in: board where: (!= from to)
        (move 1 from: from to: to)))))
EOF
runs 0 check to-and-fro.sow
runs 0 check to-and-fro.sow --play 30
says err 'all 20 games are not over after 10000 plies'
says err 'after 10 games of which none came to an end no more were played'
runs 0 check to-and-fro.sow --play 30 --max-plies 50
says err 'all 60 games are not over after 50 plies'
runs 0 check to-and-fro.sow --reading lane

runs 0 check nim.sow --play 40
silent out
silent err
cat >leaky.sow <<'EOF'
(game "Leaky"
  (players South North)
  (option limit {3 2} default: 3 "how many")
  (reading few limit: 2 "two")
  (board (line 4))
  (piece stone)
  (conserve stone)
  (start (put 3 stone on: board))
  (play
    (turns
      (choose hole in: board n in: 1..limit where: (occupied hole) else: (lose mover)
        (remove n stone from: hole)
        (if (> n 9) (draw))))))
EOF
runs 1 check leaky.sow --play 40 --records failures
silent out
says err 'leaky.sow:7:13: warning[W0105]'
says err 'leaky.sow:12:9: warning[W0101]'
says err '(R0904)'
says err 'leaky.sow:13:21: warning[W0106]: this is never done, in 80 games'
# The record of each failure leads there again, and so does the seed that is told.
runs 1 run leaky.sow failures/leaky-R0904-12-9.record
says err 'leaky.sow:12:9: error[R0904]'
runs 0 run leaky.sow failures/leaky-W0105-7-13.record
says out '; may be chosen'
"$OLDSOW" check leaky.sow --play 40 >out 2>err
# shellcheck disable=SC2046 # the arguments are words
runs 1 $(sed -n '/W0101/,$ s/^note: oldsow \(run .*\) plays it$/\1/p' err | head -n 1)
says err 'leaky.sow:12:9: error[R0904]'
cp err first
"$OLDSOW" check leaky.sow --play 40 2>one
"$OLDSOW" check leaky.sow --play 40 --seed 1 2>two
"$OLDSOW" check leaky.sow --play 40 --seed 2 2>three
same 'check --play: the same seed, the same games' "$(cat one)" "$(cat two)"
checks=$((checks + 1))
! cmp -s one three || fail 'check --play: another seed, the same games'
runs 1 check leaky.sow --play 40 --reading few
says err 'this is never done, in 40 games'
runs 1 check leaky.sow --play 10 --json --coverage
json oldsow-check-1
says out '"code": "W0105"'
says out '"reading": "few"'
says out '"fault":'
says out '"what": "done"'
silent err
runs 1 check leaky.sow --play 10 --coverage
says out '          20   |   (start (put 3 stone on: board))'
says out ' ! |         (if (> n 9) (draw))))))'
same 'check --coverage: the lines of the script' "$(cat leaky.sow)" "$(cut -c 18- out)"
runs 0 check trap.sow --play 5
says err 'warning[W0102]'
runs 0 check round.sow --play 2 --max-plies 3
says err 'W0103'
printf '(define (fill hole)\n  (put 1 seed on: hole))\n' >parts.sow
printf '(game "Filling"\n  (use sowing "parts.sow")\n  (players A B) (board (line 2)) (piece seed) (track way (path board))\n  (play\n    (fill a1)\n    (relay-sow a1 along: way)\n    (win A)))\n' >filling.sow
runs 0 check filling.sow --play 10 --coverage
same 'check --coverage: files that are used, libraries excepted' \
    'parts.sow: 10 | (put 1 seed on: hole))' \
    "$(grep -e 'parts.sow:' -e '(put' out | tr -s ' \n' ' ' | sed 's/ $//')"
same 'check --coverage: lines' 10 "$(wc -l <out)"
misused '--coverage means something with --play only' check nim.sow --coverage
misused '--records means something with --play only' check nim.sow --records x
misused '--seed means something with --play only' check nim.sow --seed 3
misused '--play wants a whole number from 1 to' check nim.sow --play 0
misused '--play wants a whole number' check nim.sow --play many
misused '--coverage and --sarif exclude each other' check nim.sow --play 1 --coverage --sarif
: >in-the-way
runs 1 check leaky.sow --play 40 --records in-the-way
says err 'the record was not written: in-the-way/leaky-'

# ---- what is wrong with scripts and flags

runs 2 check nim.sow --reading meak
says err 'meek'
runs 2 check nim.sow --set limmit=3
says err 'limit'
runs 2 check nim.sow --set limit=7
runs 1 check no-such-file.sow
says err 'no-such-file.sow'
runs 1 check .
: >empty.sow
runs 1 check empty.sow
printf '(game \0' >nul.sow
runs 1 check nul.sow
printf '(game "\377"' >latin.sow
runs 1 check latin.sow

# ---- flags stand anywhere, colour

runs 0 perft --set limit=2 nim.sow 3 --reading meek
cp out before.txt
runs 0 perft nim.sow 3 --set=limit=2
same 'flags anywhere' "$(cat before.txt)" "$(cat out)"
runs 0 perft --set limit=3 --set limit=2 -- nim.sow 3
same 'the last --set counts' "$(cat before.txt)" "$(cat out)"
cp nim.sow ./--odd.sow
runs 0 perft -- --odd.sow 1
same 'after --' '1 3' "$(cat out)"
runs 1 check broken.sow --color always
says err "$escape["
runs 1 check broken.sow --colour=never
checks=$((checks + 1))
! grep -q "$escape" err || fail 'colour though it is off'
runs 1 check broken.sow
checks=$((checks + 1))
! grep -q "$escape" err || fail 'colour though it is no terminal'
runs 0 show nim.sow --colour always
says out "$escape[1m"

# Where to read on is said to people only: to a terminal, and once.
if command -v script >/dev/null; then
    echo take-9 >wrong.txt
    for command in 'check broken.sow broken.sow' 'perft broken.sow 1' 'run nim.sow wrong.txt'; do
        checks=$((checks + 1))
        TERM=dumb script -q -e -c "$OLDSOW $command" /dev/null >out 2>&1 </dev/null
        [ "$(grep -c 'for more: oldsow help E0' out)" -eq 1 ] ||
            fail "$command: the terminal is not told where to read on: $(tail -n 3 out)"
    done
    checks=$((checks + 1))
    script -q -e -c "$OLDSOW check --json broken.sow" /dev/null >out 2>&1 </dev/null
    ! grep -q 'for more' out || fail 'check --json: more than JSON'
fi
runs 1 check broken.sow
checks=$((checks + 1))
! grep -q 'for more' err || fail 'a file is told where to read on'

# ---- show, ast

runs 0 show nim.sow
says out 'Ten seeds lie in a hole'
says out 'South, North'
says out 'limit = 3* | 2'
says out 'meek: limit=2'
runs 0 show nim.sow --reading meek
says out 'limit = 3* | [2]'
says out 'meek (shown here)'
runs 0 show nim.sow --json
json oldsow-show-1
runs 0 ast nim.sow
says out '(option limit'
cp out again.sow
runs 0 check again.sow
runs 0 ast nim.sow --expanded
runs 1 ast broken.sow
silent out

# ---- perft

runs 0 perft nim.sow 4
same 'perft' '1 3,2 9,3 27,4 76' "$(paste -s -d , out)"
runs 0 perft nim.sow 4 --json
json oldsow-perft-1
runs 1 perft trap.sow 5
same 'perft of a trap' '1 2,2 4,3 8,4 0,5 0' "$(paste -s -d , out)"
says err 'in 8 shorter sequences the script failed (8 of them endless)'
says err 'trap.sow:9:'

# ---- run

runs 0 run nim.sow
says out 'South moves; may be chosen: take-1, take-2, take-3'
printf 'take-3 take-3 take-3 take-1\n' >whole.txt
runs 0 run nim.sow whole.txt
says out '1. South: take-3'
says out 'North wins after 4 plies'
silent err
checks=$((checks + 1))
"$OLDSOW" run nim.sow - <whole.txt >out 2>err || fail 'a record from standard input'
says out 'North wins after 4 plies'
printf '1. South: take-3\n2. North: take-4\n' >wrong.txt
runs 1 run nim.sow wrong.txt
says out '1. South: take-3'
says err 'wrong.txt:2:11: error[E0812]'
says err 'North moves; may be chosen: take-1, take-2, take-3'
runs 1 run nim.sow no-such-record
silent out
says err 'no-such-record'
runs 1 run nim.sow .
says err 'directory'
runs 1 run nim.sow /dev/null
says err 'is empty'
runs 1 run broken.sow whole.txt
silent out
runs 0 run race.sow
says out 'South throws; may be thrown: 1:, 2:, 3:'
says out '--seed N'
runs 0 run race.sow --seed 1
says out 'South moves; may be chosen: enter, stay'
printf 'enter\n' >enter.txt
runs 1 run race.sow enter.txt
says err 'error[E0815]'
runs 0 run race.sow enter.txt --seed 1
runs 1 run trap.sow --random --seed 1
says err 'endless'
says err 'The position then:'
says out 'endless after 3 plies'
runs 0 run nim.sow whole.txt --json
json oldsow-run-1
says out '"result": "North wins"'
runs 0 run nim.sow whole.txt --positions
same 'positions drawn' 5 "$(grep -c '^$' out | awk '{ print int($1 / 2) }')"

# ---- random games and records

runs 0 run race.sow --random --seed 7 --record game.txt
cp out first.txt
runs 0 run race.sow --random --seed 7 --record game2.txt
same 'the same seed' "$(cat first.txt game.txt)" "$(cat out game2.txt)"
runs 0 run race.sow game.txt --record game3.txt
same 'played again' "$(cat game.txt)" "$(cat game3.txt)"
same 'the same transcript' "$(cat first.txt)" "$(cat out)"
runs 0 run race.sow game.txt --record -
same 'on standard output' "$(cat game.txt)" "$(cat out)"
runs 0 run race.sow --random
says out 'seed '
runs 0 run round.sow --random --seed 1 --max-plies 20 --record cut.txt
says out 'unfinished after 20 plies'
runs 0 run round.sow cut.txt
says out 'South moves; may be chosen:'
runs 0 run round.sow cut.txt --random --max-plies 30
says out 'unfinished after 30 plies'
runs 0 run round.sow cut.txt --random --max-plies 10
says out 'unfinished after 20 plies'

runs 0 run nim.sow --reading meek --random --seed 2 --record meek.txt
says out 'reading meek'
runs 0 run nim.sow meek.txt
says out 'reading meek'
runs 0 run nim.sow --set limit=2 --random --seed 2 --record set.txt
runs 0 run nim.sow set.txt
runs 1 run nim.sow set.txt --set limit=3
says err 'the record was made with limit=2; --set limit=3 counts'
rules=$(sed -n 's/^\[Rules "\(.*\)"\]/\1/p' set.txt)
says err "$rules"
checks=$((checks + 1))
[ "$(grep -o '[0-9a-f]\{16\}' err | sort -u | wc -l)" -eq 2 ] || fail 'both hashes are to be named'
silent out
runs 0 run nim.sow set.txt --set limit=3 --force
sed 's/^\[Reading.*/[Reading "moik"]/' meek.txt >moik.txt
runs 1 run nim.sow moik.txt
says err 'moik'
sed 's/^\[Rules.*/[Rules "0123456789abcdef"]/' meek.txt >rules.txt
runs 1 run nim.sow rules.txt
says err 'rules.txt:'
says err '0123456789abcdef'

# ---- solve

runs 0 solve nim.sow
says out 'South wins in 5 plies'
sed 1d out >best.txt
runs 0 run nim.sow best.txt
says out 'South wins after 5 plies'
runs 0 solve nim.sow --record best2.txt
same 'solve --record' "$(sed 1d best.txt)" "$(cat best2.txt)"
runs 0 solve nim.sow --json
json oldsow-solve-1
runs 0 solve round.sow
says out 'draw (18 positions looked at)'
sed 1d out >draw.txt
runs 0 run round.sow draw.txt
runs 1 solve nim.sow --limit 5
silent out
says err 'gave up after 5 positions looked at; --limit N allows more, and --any only for who wins'
runs 1 solve nim.sow --limit 5 --any
says err 'allows more'
[ "$(grep -c 'who wins' err)" = 0 ] || fail 'solve --any names --any'
# Of a game that fails the beginning and the end are shown; where every game fails nothing else is said of them.
cat >long.sow <<'EOF'
(game "Long" (players A B) (board (line 3)) (piece s) (var n) (start (put 1 s on: a1))
  (play
    (turns
      (choose c in: 1..2 (change n by: c))
      (if (> n 3000) (move all from: a1 to: (step c1 east)))
      (if (> n 4000) (win mover)))))
EOF
runs 1 simulate long.sow --games 3
says err '; --records DIR and --json have them all ...'
[ "$(grep -c . err)" -lt 60 ] || fail "a failing game is shown with $(grep -c . err) lines"
runs 1 check --play 3 long.sow
says err 'warning[W0101]'
[ "$(grep -c 'warning\[W01' err)" = 1 ] || fail "more is said of games that all fail"
runs 1 solve race.sow
says err 'without chance'
runs 1 solve trap.sow
says err 'trap.sow:9:'

# ---- output that cannot be written

unwritten() { # WHAT STATUS-FILE: the status, and a word about it
    checks=$((checks + 1))
    [ "$(cat "$2")" = 1 ] || fail "$1: status $(cat "$2") instead of 1"
    last=$1
    says err 'standard output'
}

for command in 'perft nim.sow 3' 'show nim.sow' 'help' 'run nim.sow' 'run nim.sow --json' 'version' \
    'check nim.sow --json' 'ast nim.sow' 'solve nim.sow' 'run --help'; do
    # shellcheck disable=SC2086 # the words are to be split
    {
        "$OLDSOW" $command >/dev/full 2>err
        echo $? >status
        unwritten "oldsow $command, disk full" status
        "$OLDSOW" $command >&- 2>err
        echo $? >status
        unwritten "oldsow $command, closed" status
    }
    # shellcheck disable=SC2086
    {
        sleep 0.1
        "$OLDSOW" $command 2>err
        echo $? >status
    } | true
    unwritten "oldsow $command, broken pipe" status
done

{
    timeout 20 "$OLDSOW" run round.sow --random --seed 1 --max-plies 0 2>err
    echo $? >status
} | head -n 1 >/dev/null
unwritten 'a game without end whose reader leaves' status

runs 1 run nim.sow --random --seed 1 --record no-such-folder/game.txt
says err 'no-such-folder/game.txt'
runs 1 run nim.sow --random --seed 1 --record /dev/full
says err '/dev/full'
runs 1 run nim.sow --random --seed 1 --record .
mkdir folder
echo old >folder/game.txt
checks=$((checks + 1))
(
    ulimit -f 0
    "$OLDSOW" run nim.sow --random --seed 1 --record folder/game.txt 2>&1 | cat >/dev/null
)
same 'the old record stays when a new one cannot be written' old "$(cat folder/game.txt)"
same 'nothing is left beside it' game.txt "$(ls folder)"
runs 1 run nim.sow wrong.txt --record folder/game.txt
same 'a record with a mistake is not written' old "$(cat folder/game.txt)"
runs 1 run trap.sow --random --seed 1 --record folder/trap.txt
says folder/trap.txt '[Result "endless"]'
runs 1 run trap.sow folder/trap.txt

# ---- no memory

# Half a million names in each of fourteen files.
yes 'a' | head -n 500000 | tr '\n' ' ' >names.txt
{
    echo '(game "Large" (players A B) @'
    for i in 0 1 2 3 4 5 6 7 8 9 10 11 12 13; do
        { echo "(define (a$i)"; cat names.txt; echo ')'; } >large$i.sow
        echo "  (use \"large$i.sow\")"
    done
    echo '  (board (squares rows: 2 columns: 2)) (play (draw)))'
} >large.sow
runs 1 check large.sow
says err 'error[E0007]: out of memory: large.sow'
says err 'large.sow:1:29: error[E0101]'
runs 1 check --json large.sow
says out '"code": "E0007"'
runs 1 run large.sow
says err 'error[E0007]: out of memory: large.sow'
rm large*.sow names.txt

# Wherever it runs out, that is what is told, and nothing else. (What is built with a sanitizer takes more to begin with.)
if (ulimit -v 1000000 && "$OLDSOW" version) >/dev/null 2>&1; then
    for kilobytes in $(seq 5000 100 9000); do
        (ulimit -v "$kilobytes" && "$OLDSOW" version) >/dev/null 2>&1 || continue
        (ulimit -v "$kilobytes" && "$OLDSOW" show "$root/examples/backgammon.sow") >out 2>err && continue
        checks=$((checks + 1))
        grep -v 'out of memory' err && fail "show with $kilobytes KiB: another message"
    done
fi

# ---- Ctrl-C

interrupted perft round.sow 40
says out '4 4096'
says err 'stopped while counting'
interrupted run round.sow --random --seed 1 --max-plies 0 --record stopped.txt
says out 'stopped after'
runs 0 run round.sow stopped.txt --json

mkfifo nobody-writes
for signal in INT TERM; do
    checks=$((checks + 1))
    "$OLDSOW" check nobody-writes >out 2>err &
    process=$!
    sleep 0.3
    kill -$signal $process
    wait $process
    found=$?
    [ $found -ge 128 ] || fail "check of a pipe, SIG$signal: status $found"
    silent out
    silent err
done
# Very many values of options: stopped between two of them, and checked without holding them all.
awk 'BEGIN {
    print "(game \"Many\" (players A B) (board (line 3)) (piece seed)"
    for (i = 0; i < 90; i++) printf "(option o%d {0 1 2 3 4 5} default: 0)\n", i
    print "(play"
    for (i = 0; i < 90; i++) printf "(if (= o%d 1) (put 1 seed on: a1) else: (put 2 seed on: a1))\n", i
    for (i = 0; i < 400; i++) print "(put (+ 1 (count a1)) seed on: a1)"
    print "(win A)))"
}' >many.sow
runs 0 check many.sow
interrupted check many.sow many.sow many.sow many.sow many.sow many.sow many.sow many.sow

# ---- very many mistakes, on one very long line

awk 'BEGIN {
    printf "(game \"Long\" (players A B) (board (line 3)) (piece seed) (play (turns"
    for (i = 0; i < 40000; i++) printf " (foo%d a1)", i
    print ")))"
}' >long.sow
checks=$((checks + 1))
timeout 20 "$OLDSOW" check long.sow >out 2>err # half a second, once more than a minute
same 'the status' 1 $?
same 'messages for people' 100 "$(grep -c 'E0201' err)"
same 'their number' '40000 errors; the first 100 are shown, `oldsow check --json FILE` gives more' "$(grep 'errors;' err)"
same 'the longest line is cut' yes "$(awk 'length > 130 { n++ } END { print n ? n : "yes" }' err)"
timeout 20 "$OLDSOW" check --json long.sow >out
same 'messages for programs' 2000 "$(grep -c '"code"' out)"
says out '"errors": 40000'
says out '"warnings": 0'
timeout 20 "$OLDSOW" check --sarif long.sow >out
says out '"errors": 40000'

# ---- headers of a record that name what the script does not have

printf '[Reading "fre"]\n[Options "limit=9 limt=2"]\n\n1. take-1\n' >headers.txt
runs 1 run nim.sow headers.txt
says err 'headers.txt:1:10: error[E0207]: no reading is called `fre`'
says err 'headers.txt:2:11: error[E0206]: `9` is no value of the option `limit`'
says err 'headers.txt:2:19: error[E0205]: no option is called `limt`'
says err 'did you mean `limit`?'

# ---- line ends of old

printf '(game "Old" // by CR\r (players A B)\r (bord (line 3)))\r' >old.sow
runs 1 check old.sow
says err 'old.sow:3:3: error'
printf '(game "Old" (players A B) (board (line 3)) (play (win A)))\r' >old.sow
runs 1 fmt --check old.sow
runs 0 fmt old.sow
runs 0 fmt --check old.sow
same 'and of new' 0 "$(tr -dc '\r' <old.sow | wc -c)"

# ---- the page about records

checks=$((checks + 1))
(cd "$root" && OLDSOW=$OLDSOW tests/tutorial.sh docs/records.md) >out 2>&1 ||
    fail "docs/records.md: $(cat out)"

finish cli
