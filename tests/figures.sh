#!/bin/sh
# The figures that the four games must show: perft and solver counts for every reading, facts about boards and
# openings, random games, records, sizes of scripts. The counts were worked out by programs that share no code with
# Oldsow. Run from the root of the repository:
#
#   OLDSOW=build/oldsow GAMES=1000 tests/figures.sh
#
# GAMES is how many random games of each reading are played (20 if it is not set). Prints a line for each
# failure and a count at the end.

. tests/lib/checks.sh
GAMES=${GAMES:-20}

# perft FIGURES FILE [OPTION...]: the counts for depths 1, 2, ...
perft() {
    wanted=$1 file=$2
    shift 2
    depth=$(echo $wanted | wc -w)
    found=$("$OLDSOW" perft "$file" "$depth" "$@" 2>&1)
    status=$?
    counts=$(printf '%s\n' "$found" | awk '$1 == NR && NF == 2 { printf "%s%s", sep, $2; sep = " " }')
    if [ $status -ne 0 ] || [ "$counts" = '' ]; then
        checks=$((checks + 1))
        fail "perft $file $*: status $status: $(printf '%s\n' "$found" | head -n 3)"
    else
        same "perft $file $*" "$wanted" "$counts"
    fi
}

# solve FIRST-WORDS FILE [OPTION...]
solve() {
    wanted=$1 file=$2
    shift 2
    found=$("$OLDSOW" solve "$file" "$@" 2>&1 | head -n 1)
    checks=$((checks + 1))
    case $found in
    "$wanted" | "$wanted"[!0-9a-z]*) ;;
    *) fail "solve $file $*: wanted '$wanted', found '$found'" ;;
    esac
}

# holds WHAT BASE TRUTH [OPTION...]: asks something of the position in which a game begins.
holds() {
    what=$1 base=$2 truth=$3
    shift 3
    winner=$(sed -n 's/^  (players \([A-Za-z]*\).*/\1/p' "$base")
    printf '(variant "asked" of: "%s/%s" (replace (play (if %s (win %s) else: (lose %s)))))\n' \
        "$PWD" "$base" "$truth" "$winner" "$winner" >"$scratch/asked.sow"
    found=$("$OLDSOW" run "$scratch/asked.sow" "$@" 2>&1)
    checks=$((checks + 1))
    case $found in
    *"$winner wins"*) ;;
    *) fail "$what: $(printf '%s\n' "$found" | head -n 5)" ;;
    esac
}

# clean FILE...: check says nothing.
clean() {
    for file in "$@"; do
        found=$("$OLDSOW" check "$file" 2>&1)
        same "check $file: status" 0 $?
        same "check $file: output" '' "$found"
    done
}

# random FILE [OPTION...]: games come to an end, or are reported as endless; nothing hangs.
random() {
    file=$1
    shift
    ended=0 endless=0 unfinished=0 seed=1
    while [ "$seed" -le "$GAMES" ]; do
        timeout 20 "$OLDSOW" run "$file" "$@" --random --seed "$seed" --max-plies 5000 \
            >"$scratch/out" 2>&1
        status=$?
        if grep -q -i 'endless' "$scratch/out"; then
            endless=$((endless + 1))
        elif grep -q -i 'unfinished\|max-plies' "$scratch/out"; then
            unfinished=$((unfinished + 1))
        elif [ $status -eq 0 ] && grep -q ' wins$\| wins[^a-z]\|draw\| lose' "$scratch/out"; then
            ended=$((ended + 1))
        else
            fail "random $file $* --seed $seed: status $status: $(tail -n 3 "$scratch/out")"
        fi
        seed=$((seed + 1))
    done
    checks=$((checks + 1))
    printf '%s: %d games, %d ended, %d unfinished, %d endless\n' "$file $*" "$GAMES" $ended $unfinished $endless
}

# Lines without comments, docs, options, readings and blanks: equipment and rules.
rule_lines() {
    awk '
    { text = text $0 "\n" }
    END {
        n = length(text)
        for (i = 1; i <= n; i++) {
            c = substr(text, i, 1)
            if (c == "/" && substr(text, i + 1, 1) == "/") {
                while (i <= n && substr(text, i, 1) != "\n") i++
                c = "\n"
            } else if (c == "\"") {
                label = out ~ /as:[ \n]*$/
                for (i++; i <= n && substr(text, i, 1) != "\""; i++)
                    if (substr(text, i, 1) == "\\") i++
                c = label ? "_" : ""
            } else if (c == "(") {
                depth++
                if (!skipping && substr(text, i + 1, 8) ~ /^(option|reading)[ \n]?/) skipping = depth
            }
            if (!skipping) out = out c
            if (c == ")") {
                if (skipping == depth) skipping = 0
                depth--
            }
        }
        count = split(out, line, "\n")
        for (i = 1; i <= count; i++) if (line[i] ~ /[^ \t]/) lines++
        print lines + 0
    }' "$1"
}

short() { # FILE LINES
    checks=$((checks + 1))
    lines=$(rule_lines "$1")
    [ "$lines" -le "$2" ] || fail "$1 has $lines lines of rules, more than $2"
}

# ---- Laomuzhu

perft '5 25 250 500 3536' games/laomuzhu.sow
perft '5 25 250 500 3536' games/laomuzhu.sow --reading summary
perft '5 25 250 500 3360' games/laomuzhu.sow --reading informant
perft '5 25 250 500 3524' games/laomuzhu.sow --set laogu-sown=first

# ---- Njombwa

perft '7 47 229 1070 3635' games/njombwa.sow
opening='(all p in: players (and
    (all h in: (outer p) (= (count h) (if (= (mod (index h (outer p)) 2) 0) 2 else: 0)))
    (all h in: (inner p) (= (count h) (if (in (index h (inner p)) {1 3 5}) 2 else: 0)))))'
holds 'opening of Njombwa' games/njombwa.sow "$opening"
perft '8 63 374 2179 9366' games/njombwa.sow --set columns=9
perft '9 79 544 3649 19025' games/njombwa.sow --set columns=10
for columns in 8 9 10; do
    holds "counters of Njombwa on $columns columns" games/njombwa.sow \
        '(all p in: players (= (count (circuit p)) (- (* 2 columns) 2)))' --set columns=$columns
done

# ---- Len Doat

perft '6 36 176 794 3490' games/len-doat.sow
perft '6 36 176 794 3490' games/len-doat.sow --reading summary
perft '6 26 116 488 2076' games/len-doat.sow --reading low-1839
perft '6 36 176 794 3478 14884' games/len-doat.sow --set entering=first
perft '6 26 116 486 2056 8546' games/len-doat.sow --reading low-1839 --set entering=first
# A castle's number: how many steps of the way, up to it, lie on South's own three rows.
number() {
    printf '(how-many s in: (way South) (and (<= (row-of (square s)) 3)
        (<= (index s (way South)) (index (first t in: (way South) (= (square t) %s)) (way South)))))' "$1"
}
holds 'castles of Len Doat' games/len-doat.sow \
    "(and (= (size (way South)) 53) (= (size (way North)) 53) (= (size castles) 8)
        (= $(number j3) 6) (= $(number a3) 15) (= $(number a1) 17) (= $(number j1) 26)
        (all c in: castles (in c {j3 a3 a1 j1 j4 a4 a6 j6})))"

# ---- Mawryngkneng

perft '2 4 6 10 16' games/mawryngkneng.sow
perft '2 4 6 10 16' games/mawryngkneng.sow --reading summary
perft '2 2 2 4 6' games/mawryngkneng.sow --reading das-gupta
perft '2 6 14 40 100 292 772 2268 6216' games/mawryngkneng.sow --reading free
perft '2 4 2 0' games/mawryngkneng.sow --set forward-only=yes
perft '2 4 6 8 12 14 16 10 6 6 6 4 2 2 2' games/mawryngkneng.sow --reading free --set forward-only=yes
solve 'no solution' games/mawryngkneng.sow
solve 'no solution' games/mawryngkneng.sow --reading summary
solve 'solved in 23 moves' games/mawryngkneng.sow --reading das-gupta
solve 'solved in 15 moves' games/mawryngkneng.sow --reading free
for reading in das-gupta free; do
    "$OLDSOW" solve games/mawryngkneng.sow --reading $reading >"$scratch/solution" 2>&1
    sed 1d "$scratch/solution" >"$scratch/solution.record"
    found=$("$OLDSOW" run games/mawryngkneng.sow "$scratch/solution.record" --reading $reading 2>&1)
    checks=$((checks + 1))
    case $found in
    *'Solver wins'*) ;;
    *) fail "the solution of $reading does not play: $(printf '%s\n' "$found" | tail -n 3)" ;;
    esac
done

# ---- the records in examples/: each plays to its end, or its mistake is explained

explains() { # RECORD SCRIPT
    checks=$((checks + 1))
    "$OLDSOW" run "$2" "$1" >"$scratch/out" 2>&1 && fail "run $2 $1: no mistake was found"
    grep -q "^$1:[0-9]*:[0-9]*: error" "$scratch/out" && grep -q 'moves; may be chosen: [a-z0-9]' "$scratch/out" ||
        fail "run $2 $1 does not explain the mistake: $(tail -n 5 "$scratch/out")"
}

for script in games/*.sow; do
    name=$(basename "$script" .sow)
    ended=0 mistaken=0
    for record in examples/"$name"-*.record; do
        case $record in
        *-mistake.record)
            explains "$record" "$script"
            mistaken=$((mistaken + 1))
            ;;
        *)
            checks=$((checks + 1))
            found=$("$OLDSOW" run "$script" "$record" 2>&1) && ended=$((ended + 1)) ||
                fail "run $script $record: $(printf '%s\n' "$found" | tail -n 5)"
            case $found in *' wins after '*) ;; *) fail "run $script $record: nobody wins" ;; esac
            ;;
        esac
    done
    [ $ended -gt 0 ] && [ $mistaken -gt 0 ] || fail "$name lacks a record in examples/"
done

# ---- every script and its size

variants=$(grep -l '^(variant' $(grep -l '"../games/' examples/*.sow))
clean games/*.sow $variants
short games/laomuzhu.sow 60
short games/njombwa.sow 40
short games/len-doat.sow 50
short games/mawryngkneng.sow 35
for file in $variants; do short "$file" 14; done

# ---- every option, and random games

for file in games/*.sow; do
    awk '$1 == "(option" { gsub(/[{}()]/, " "); name = $2
        for (i = 3; $i != "default:"; i++) print name "=" $i }' "$file" >"$scratch/settings"
    while read -r setting; do
        found=$("$OLDSOW" perft "$file" 3 --set "$setting" 2>&1)
        same "perft $file 3 --set $setting: status" 0 $?
        case $found in *error*) fail "perft $file 3 --set $setting: $found" ;; esac
    done <"$scratch/settings"
    random "$file"
    for reading in $(sed -n 's/^  (reading \([a-z0-9-]*\).*/\1/p' "$file"); do
        random "$file" --reading "$reading"
    done
done
for file in $variants; do random "$file"; done

finish figures
