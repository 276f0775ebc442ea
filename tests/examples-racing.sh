#!/bin/sh
# The racing games of examples/: their records replay, they begin in so many ways, and in positions of
# tests/backgammon/ just those moves are offered that were worked out by hand. Run from the root of the repository:
#
#   OLDSOW=build/oldsow tests/examples-racing.sh
#
# Prints a line for each failure and a count at the end.

. tests/lib/checks.sh
export LC_ALL=C

# What may be chosen after the record on standard input, in alphabetical order: `-` if a throw is next, or the result.
offered() { # FILE [OPTION...]
    offering=$1
    shift
    "$OLDSOW" run "$offering" - --json "$@" 2>&1 | awk '
        $1 == "\"status\":" { status = $2 }
        $1 == "\"result\":" && result == "" { result = $0; gsub(/.*: "|",?$/, "", result) }
        $1 == "]," { listing = 0 }
        listing { # into its place among those before
            gsub(/[ ",]/, "")
            for (i = ++n; i > 1 && name[i - 1] "" > $0 ""; i--) name[i] = name[i - 1]
            name[i] = $0
        }
        $1 == "\"candidates\":" && status == "\"choice\"," { listing = 1 }
        / error/ { print }
        END {
            if (status == "\"chance\",") print "-"
            if (status == "\"over\",") print result
            for (i = 1; i <= n; i++) printf "%s%s", (i > 1 ? " " : ""), name[i]
        }'
}

clean() { # FILE...
    same "check $*" '' "$("$OLDSOW" check "$@" 2>&1)"
}

# A record replays to the result and position of its headers.
replays() { # SCRIPT RECORD...
    script=$1
    shift
    for record in "$@"; do
        found=$("$OLDSOW" run "$script" "$record" 2>&1 >/dev/null)
        same "run $script $record: status" 0 $?
        same "run $script $record" '' "$found"
        same "$record tells how it ends" 2 "$(grep -c '^\[\(Result\|Position\) ' "$record")"
    done
}

# ---- Backgammon

clean examples/backgammon.sow tests/backgammon/*.sow
perft '36 416 3254' examples/backgammon.sow
perft '36 846 8676' examples/backgammon.sow --reading plain
replays examples/backgammon.sow examples/backgammon-*.record

while IFS='|' read -r position moves wanted; do
    case $position in '#'* | '') continue ;; esac
    end='*'
    case $wanted in *wins*) end= ;; esac
    position=${position% }
    same "$position,$moves" "${wanted# }" "$(echo "$moves$end" | offered "tests/backgammon/$position.sow")"
done <tests/backgammon/plays.txt

# ---- The Game of the Goose: 21 throws a ply, less the games that Red wins with 5-4 and then ten, unless Blue threw
# 5-4 too

clean examples/goose.sow
perft '21 441 9261 193641' examples/goose.sow
replays examples/goose.sow examples/goose-*.record

# ---- Pachisi

# from_start SCRIPT PUTS RECORD [OPTION...]: what is offered in a game that begins otherwise.
from_start() {
    printf '(variant "Begun otherwise" of: "%s/%s" (replace (start %s)))\n' "$PWD" "$1" "$2" >"$scratch/begun.sow"
    record=$3
    shift 3
    echo "$record" | offered "$scratch/begun.sow" "$@"
}

clean examples/pachisi.sow
perft '7 49 307 1795' examples/pachisi.sow
replays examples/pachisi.sow examples/pachisi-*.record

# South has a man on the last step and one two steps before; all of North's are home.
last_steps='(put 4 (man North) on: (off North)) (put 2 (man South) on: (off South))
    (put 1 (man South) on: {(nth 83 (way South)) (nth 81 (way South))})'
same 'pachisi, no step to go' '2-j6+' "$(from_start examples/pachisi.sow "$last_steps" '2: *')"
same 'pachisi, 3 takes a man off' '3-j6+' "$(from_start examples/pachisi.sow "$last_steps" '3: *')"
same 'pachisi, 10 helps whoever is stuck' '10-j8+' "$(from_start examples/pachisi.sow "$last_steps" '10: 4: *')"
same 'pachisi, both men off' 'South and North win' \
    "$(from_start examples/pachisi.sow "$last_steps" '10: 3: 3-j6+ 10-j8+')"

# ---- The Royal Game of Ur

clean examples/royal-game-of-ur.sow
perft '5 9 29 68 208 583' examples/royal-game-of-ur.sow
perft '4 4 16 19 76 116' examples/royal-game-of-ur.sow --reading masters
perft '4 4 16 16 64 112' examples/royal-game-of-ur.sow --reading murray
replays examples/royal-game-of-ur.sow examples/royal-game-of-ur-*.record

finish examples-racing
