#!/bin/sh
# simulate and merge: what comes out depends on neither threads nor parts, agrees with the records of its games, and
# what does not belong together or is no result is refused.
#
#   OLDSOW=build/oldsow tests/simulate.sh
#
# Run from the root of the repository. Prints a line for each failure and a count at the end.

. tests/lib/checks.sh
cp tests/cli/*.sow "$scratch" || exit 2
ln -s "$root/games" "$root/examples" "$scratch"
cd "$scratch" || exit 2

# A number at the top of a result, which has it on a line of its own.
value() { # NAME FILE
    sed -n "s/^  \"$1\": \"\\{0,1\\}\\([0-9.]*\\)\"\\{0,1\\},\$/\\1/p" "$2"
}

# All of a result but the time it took.
timeless() { grep -v '^  "seconds": ' "$1"; }

same_result() { # WHAT FILE FILE
    checks=$((checks + 1))
    timeless "$2" >a
    timeless "$3" >b
    [ -s a ] && cmp -s a b || fail "$1: $(diff a b | head -n 5)"
}

# ---- usage

misused() { # TEXT ARGUMENT...
    text=$1
    shift
    runs 2 "$@"
    silent out
    says err "$text"
}

misused 'a file is missing' simulate
misused '-n wants a value' simulate nim.sow -n
misused '-n wants a whole number from 1 to 1000000000' simulate nim.sow -n 1000000001
misused '-n wants a whole number from 1 to' simulate nim.sow -n 0
misused '-n wants a whole number' simulate nim.sow --games x
misused '--jobs wants a whole number from 1 to' simulate nim.sow --jobs 0
misused '--jobs wants a whole number' simulate nim.sow --jobs 1025
misused '--max-plies wants a whole number' simulate nim.sow --max-plies -1
for shard in 0/4 5/4 1 1/ /4 1/0 01/4 1/4x 1/1000001 -1/4 ' 1/4'; do
    misused '--shard wants a part' simulate nim.sow --shard "$shard"
done
misused 'unknown flag -x' simulate nim.sow -x
misused 'a file is missing' merge
for command in simulate merge; do
    runs 0 $command --help
    says out "usage: oldsow $command"
    says out 'example: oldsow'
    runs 0 --help
    says out "  $command "
done

# ---- threads and parts do not matter

for script in 'games/laomuzhu.sow --reading informant' 'games/len-doat.sow' \
    'games/mawryngkneng.sow --reading free' 'games/njombwa.sow' 'nim.sow --set limit=2'; do
    # shellcheck disable=SC2086 # the words are to be split
    for jobs in 1 2 3; do
        runs 0 simulate $script -n 60 --seed 11 --max-plies 400 --jobs $jobs --json
        silent err
        cp out "jobs-$jobs.json"
        runs 0 simulate $script -n 60 --seed 11 --max-plies 400 --jobs $jobs
        cp out "jobs-$jobs.txt"
    done
    same_result "$script, 1 and 2 jobs" jobs-1.json jobs-2.json
    same_result "$script, 1 and 3 jobs" jobs-1.json jobs-3.json
    same "$script, as text" "$(cat jobs-1.txt)" "$(cat jobs-3.txt)"
    for part in 1 2 3 4 5 6 7; do
        # shellcheck disable=SC2086
        runs 0 simulate $script -n 60 --seed 11 --max-plies 400 --shard $part/7 --json
        cp out "part-$part.json"
    done
    runs 0 merge part-5.json part-2.json part-7.json part-1.json part-3.json part-6.json part-4.json --json
    cp out merged.json
    same_result "$script, merged" jobs-1.json merged.json
    runs 0 merge part-*.json
    same "$script, merged, as text" "$(cat jobs-1.txt)" "$(cat out)"
    runs 0 merge merged.json --json
    same_result "$script, merged once more" jobs-1.json out
done
runs 0 simulate nim.sow -n 60 --json
cp out other.json
checks=$((checks + 1))
runs 0 simulate nim.sow -n 60 --seed 1 --json
timeless other.json | grep -v seed >a
timeless out | grep -v seed >b
cmp -s a b && fail 'another seed, the same games'

# More parts than games: some are empty.
for part in 1 2 3 4 5; do
    runs 0 simulate nim.sow -n 2 --shard $part/5 --json
    cp out "few-$part.json"
done
runs 0 simulate nim.sow -n 2 --json
cp out few.json
runs 0 merge few-*.json --json
same_result 'more parts than games' few.json out

# A lot is a throw, also in a loop that is one instruction; a game whose record is written draws the same.
mkdir lots
runs 0 simulate lots.sow -n 20 --json
says out '  "throws": 380,'
cp out lots.json
runs 0 simulate lots.sow -n 20 --records lots --json
same_result 'lots, with records' lots.json out

# ---- what JSON holds

for name in schema game reading options rules players seed of max_plies shard ranges games plies throws seconds wins \
    won draws lost undecided unfinished endless faults shares length branching first_endless first_fault; do
    says jobs-1.json "  \"$name\": "
done

# ---- the counts are those of the games' records

runs 0 simulate race.sow -n 40 --seed 3 --max-plies 24 --records games-of-race --json
cp out race.json
same 'records' 40 "$(ls games-of-race | wc -l)"
plies=0
throws=0
for record in games-of-race/*.record; do
    runs 0 run race.sow "$record" --json
    plies=$((plies + $(grep -c '"player":' out)))
    throws=$((throws + $(grep -c '"throw":' out)))
done
same 'plies of the records' "$(value plies race.json)" $plies
same 'throws of the records' "$(value throws race.json)" $throws
same 'South wins' "$(sed -n 's/^    "South": \([0-9]*\),$/\1/p' race.json)" \
    "$(cat games-of-race/* | grep -c 'Result "South wins"')"
same 'unfinished' "$(value unfinished race.json)" "$(cat games-of-race/* | grep -c 'Result "unfinished"')"
checks=$((checks + 1))
[ "$(value unfinished race.json)" -gt 0 ] && [ "$(value won race.json)" -gt 0 ] || fail 'the race shows too little'
seed=$(sed -n 's/^\[Seed "\(.*\)"\]/\1/p' games-of-race/game-17.record)
runs 0 run race.sow --random --seed "$seed" --max-plies 24 --record again.record
same 'a game by its own seed' "$(cat games-of-race/game-17.record)" "$(cat again.record)"
runs 0 simulate race.sow -n 40 --seed 3 --max-plies 24 --records games-of-parts --shard 1/2
runs 0 simulate race.sow -n 40 --seed 3 --max-plies 24 --records games-of-parts --shard 2/2 --jobs 1
checks=$((checks + 1))
diff -r games-of-race games-of-parts >a || fail "records of parts: $(head -n 3 a)"
checks=$((checks + 1))
(umask 027 && "$OLDSOW" simulate nim.sow -n 20 --jobs 4 --records private >out)
[ -z "$(find private ! -perm 640 -name '*.record')" ] || fail "records do not follow the umask: $(ls -l private | head -n 3)"

# ---- games that end otherwise

runs 0 simulate trap.sow -n 5
says out 'endless                  5  100.0 %'
says out '; the first: game 1, --seed '
seed=$(sed -n 's/.*--seed \([0-9]*\)$/\1/p' out)
runs 1 run trap.sow --random --seed "$seed"
says out 'endless after'
cat >fails.sow <<'EOF'
(game "Fails" (players A B) (board (line 1)) (piece seed)
  (play (turns (choose n in: 1..9
    (if (= n 9) (remove 1 seed from: a1))
    (if (= n 8) (win mover))))))
EOF
runs 1 simulate fails.sow -n 40 --seed 2 --records failed --json
cp out fails.json
says out '"code": "R0904"'
says err 'games the script failed; the first is game'
says err 'fails.sow:3:'
says err '[Result "fault"]'
sed -n '/^Its record:/,$p' err | sed 1d >fault.record
first=$(sed -n 's/.* the first is game \([0-9]*\):/\1/p' err)
same 'the record of the fault' "$(cat "failed/game-$(printf %02d "$first").record")" "$(cat fault.record)"
same 'the first fault' "$(grep -l 'Result "fault"' failed/* | head -n 1)" "failed/game-$(printf %02d "$first").record"
runs 1 run fails.sow fault.record
says err 'error[R0904]'
for part in 1 2 3; do
    runs 1 simulate fails.sow -n 40 --seed 2 --shard $part/3 --json
    cp out "fails-$part.json"
done
runs 1 merge fails-3.json fails-1.json fails-2.json --json
says err "the first is game $first:"
says err 'fails.sow:3:'
says err '[Result "fault"]'
same_result 'merged, with faults' fails.json out

# ---- what merge refuses

runs 0 simulate nim.sow -n 60 --seed 1 --shard 1/3 --json
cp out nim-1.json
runs 0 simulate nim.sow -n 60 --seed 1 --shard 3/3 --json
cp out nim-3.json
runs 1 merge nim-1.json nim-3.json
silent out
says err 'games 21 to 40 are missing (shard 2/3)'
runs 1 merge nim-1.json
says err 'games 21 to 60 are missing (shards 2 to 3 of 3)'
runs 0 merge nim-1.json nim-3.json --partial
says out '40 random games of 60, seed 1'
says err 'games 21 to 40 are missing (shard 2/3)'
runs 0 merge nim-1.json nim-3.json --partial --json
cp out partial.json
runs 1 merge partial.json
silent out
says err 'games 21 to 40 are missing'
runs 1 merge nim-1.json nim-3.json nim-1.json
says err 'games 1 to 20 are in nim-1.json already'
runs 1 merge partial.json nim-3.json
says err 'nim-3.json: games 41 to 60 are in partial.json already'

apart() { # WHAT ARGUMENT...: a part of another run
    what=$1
    shift
    runs 0 simulate "$@" --shard 2/3 --json
    cp out apart.json
    runs 1 merge nim-1.json apart.json
    silent out
    says err "apart.json is of another run than nim-1.json: $what"
}
apart '`game` is "Ten" there and "Race" here' race.sow -n 60 --seed 1
apart '`options` is {"limit":"3"} there and {"limit":"2"} here' nim.sow -n 60 --seed 1 --set limit=2
apart '`reading` is null there and "meek" here' nim.sow -n 60 --seed 1 --reading meek
apart '`seed` is "1" there and "2" here' nim.sow -n 60 --seed 2
apart '`of` is 60 there and 61 here' nim.sow -n 61 --seed 1
apart '`max_plies` is 100000 there and 5 here' nim.sow -n 60 --seed 1 --max-plies 5
sed 's/(win mover)/(lose mover)/' nim.sow >misere.sow
apart '`rules` is "' misere.sow -n 60 --seed 1

# ---- what is no result

runs 1 merge no-such-file.json
says err 'no-such-file.json: No such file'
runs 1 merge .
silent out
says err '.: Is a directory'
runs 0 simulate race.sow -n 30 --seed 1 --max-plies 20 --json
cp out good.json
size=$(wc -c <good.json)
for part in 0 1 2 3 5 8 13; do
    head -c $((size * part / 14)) good.json >torn.json
    runs 1 merge torn.json
    silent out
    says err 'torn.json:'
    says err ': no JSON: '
done
for text in '{}' '[]' '[1, 2]' '{"schema": 3}' '{"schema": "oldsow-run-1"}' '{"schema": "oldsow-simulate-1"}' \
    '{"schema": "oldsow-simulate-1", "schema": "oldsow-simulate-1"}'; do
    printf '%s\n' "$text" >odd.json
    runs 1 merge odd.json
    silent out
    says err 'odd.json:'
done
head -c 100000 /dev/zero | tr '\0' '[' >deep.json
runs 1 merge deep.json
says err 'deep.json:'

# bent WHAT SED-COMMAND: the result with one thing changed is refused, for that thing.
bent() {
    sed "$2" good.json >bent.json
    checks=$((checks + 1))
    ! cmp -s good.json bent.json || fail "sed $2 changes nothing"
    runs 1 merge bent.json
    silent out
    says err "bent.json: $1"
}
runs 0 merge good.json
bent '`games` is to be a whole number' 's/^  "games": [0-9]*/  "games": "30"/'
bent '`games` is to be a whole number from 0 to 30' 's/^  "games": [0-9]*/  "games": -1/'
bent '`games` is to be a whole number from 0 to 30' 's/^  "games": [0-9]*/  "games": 31/'
bent 'the ends of the games do not add up' 's/^  "draws": 0/  "draws": 1/'
bent '`plies` is to be a whole number from 0 to 9007199254740991' 's/^  "plies": [0-9]*/  "plies": 9007199254740992/'
bent '`plies` are not as many as throws and decisions' 's/^  "plies": [0-9]*/  "plies": 100000/'
bent '`seed` is to be a whole number, as text' 's/^  "seed": "1"/  "seed": "18446744073709551616"/'
bent '`seed` is to be a text' 's/^  "seed": "1"/  "seed": 1/'
bent '`rules` is to be a hash' 's/^  "rules": "./  "rules": "X/'
bent '`of` is to be a whole number from 1' 's/^  "of": 30/  "of": 0/'
bent '`of` is to be a whole number from 1 to 1000000000' 's/^  "of": 30/  "of": 1e9/'
bent '`shard` is to be null or a text' 's/^  "shard": null/  "shard": "3\/2"/'
bent '`options` is to be an object' 's/^  "options": {}/  "options": []/'
bent '`players[1]` is named twice' 's/^    "North"$/    "South"/'
bent '`wins.South` is to be a whole number' 's/^    "South": [0-9]*,/    "South": 1000,/'
bent '`wins.South` is missing' 's/^    "South": [0-9]*,/    "East": 1,/'
bent '`branching.times.2` is to be a whole number' 's/^      "2": [0-9]*/      "2": 0/'
bent '`branching.times.02` is no number' 's/^      "2": /      "02": /'
bent '`branching.n` is not what' 's/^      "2": [0-9]*/      "2": 1/'
bent '`branching.sum` is not what' 's/^      "2": /      "3": /'
bent '`branching.sum_bb` is to be a whole number, as text' 's/"sum_bb": "[0-9]*"/"sum_bb": "340282366920938463463374607431768211456"/'
bent '`first_fault` does not agree' 's/^  "first_fault": null/  "first_fault": {"game": 1}/'
bent '`first_endless` is missing' 's/^  "first_endless": null/  "first": null/'
bent '`seconds` is to be a number' 's/^  "seconds": [0-9.]*/  "seconds": "1"/'
bent '`ranges[0][1]` is to be a whole number from 1 to 30' 's/^      30$/      31/'
bent '`ranges` do not hold as many games' 's/^      30$/      29/'
bent '`ranges[0]` is to be a list of two numbers' 's/^      30$/      30, 31/'

# ---- output that cannot be written

for command in 'simulate nim.sow' 'simulate nim.sow --json' 'merge good.json'; do
    checks=$((checks + 2))
    # shellcheck disable=SC2086 # the words are to be split
    {
        "$OLDSOW" $command >/dev/full 2>err && fail "$command, disk full: status 0"
        grep -q 'standard output' err || fail "$command, disk full: $(cat err)"
    }
done
runs 1 simulate nim.sow --records no-such-folder/within
silent out
says err 'no records can be written: no-such-folder/within: No such file'
runs 1 simulate nim.sow --records nim.sow
says err 'no records can be written: nim.sow: Not a directory'
mkdir -p blocked/game-0002.record
runs 1 simulate nim.sow -n 1000 --jobs 1 --records blocked
says err 'stopped: a record was not written: blocked/game-0002.record: Is a directory'
says out '2 random games of 1000'
same 'nothing is left beside it' 'game-0001.record game-0002.record' "$(ls blocked | paste -s -d ' ')"

# ---- Ctrl-C

# What was done is the beginning of the run.
interrupted simulate games/laomuzhu.sow -n 1000000000 --seed 5 --max-plies 60 --jobs 2 --json
says err 'stopped after'
cp out stopped.json
done=$(value games stopped.json)
checks=$((checks + 1))
[ "$done" -gt 0 ] || fail 'nothing was done when it was interrupted'
runs 0 simulate games/laomuzhu.sow -n "$done" --seed 5 --max-plies 60 --json
timeless stopped.json | grep -v '^  "of": ' >a
timeless out | grep -v '^  "of": ' >b
checks=$((checks + 1))
cmp -s a b || fail "interrupted: $(diff a b | head -n 5)"
runs 1 merge stopped.json
says err "games $((done + 1)) to 1000000000 are missing"
runs 0 merge stopped.json --partial
interrupted simulate round.sow -n 10 --max-plies 0 --jobs 2
says out '0 random games of 10'

# ---- as an array of GNU parallel

if command -v parallel >/dev/null; then
    checks=$((checks + 1))
    mkdir array
    # The command is to be split by the shell that parallel starts.
    HOME=$scratch parallel --will-cite --jobs 3 \
        "$OLDSOW simulate games/len-doat.sow -n 90 --seed 6 --jobs 1 --shard {}/10 --json > array/part-{}.json" \
        ::: 1 2 3 4 5 6 7 8 9 10 2>err || fail "GNU parallel: $(head -n 5 err)"
    runs 0 simulate games/len-doat.sow -n 90 --seed 6 --json
    cp out whole.json
    runs 0 merge array/part-*.json --json
    same_result 'an array under GNU parallel' whole.json out
else
    echo 'simulate: GNU parallel is not installed; the array was not run'
fi

finish simulate
