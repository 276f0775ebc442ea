#!/bin/sh
# The sowing games of examples/: in how many ways they begin, the small boards of Kalah solved, positions in which
# readings part, records that replay. Run from the root of the repository:
#
#   OLDSOW=build/oldsow tests/examples-sowing.sh
#
# The counts of Oware and Kalah are the known ones; those of the other games were found with programs that share no
# code with this project, which also played whole matches of each reading to the same end. Prints a line for each
# failure and a count at the end.

. tests/lib/checks.sh

# A game that begins with other statements: writes it to a file of that name.
position() { # NAME GAME STATEMENTS
    printf '(variant "%s" of: "%s/examples/%s.sow" (replace (start %s)))\n' "$1" "$PWD" "$2" "$3" >"$scratch/$1.sow"
}

# The last line that begins so, when a position's game has gone through some moves.
after() { # WANTED POSITION MOVES [OPTION...]
    wanted=$1 name=$2 moves=$3
    shift 3
    same "$name, $moves, $*" "$wanted" \
        "$(echo "$moves" | "$OLDSOW" run "$scratch/$name.sow" - --positions "$@" 2>&1 | grep "^${wanted%%[: ]*}" | tail -n 1)"
}

# Rules have no more lines than that; how they are counted is in tests/figures.sh.
eval "$(sed -n '/^rule_lines()/,/^}/p' tests/figures.sh)"
short() { # GAME LINES
    lines=$(rule_lines "examples/$1.sow")
    same "examples/$1.sow has at most $2 lines of rules" yes "$([ "$lines" -le "$2" ] && echo yes || echo "$lines")"
}

for game in oware kalah ayoayo congklak pallanguzhi hus togyz-kumalak bao tchuka-ruma; do
    same "check $game" '' "$("$OLDSOW" check "examples/$game.sow" 2>&1)"
    for record in examples/"$game"-[0-9]*.record; do
        same "run $record" '' "$("$OLDSOW" run "examples/$game.sow" "$record" 2>&1 >/dev/null)"
        same "$record tells how it ends" 2 "$(grep -c '^\[\(Result\|Position\) ' "$record")"
    done
done
short oware 30
short kalah 25

# ---- Oware: the readings part where all that North has would be taken

for reading in abapa no-slam awari; do
    perft '6 36 190 1014 5219 27332' examples/oware.sow --reading $reading
done
position slam oware '(put 3 seed on: a1) (put 1 seed on: f1) (put 1 seed on: f2)'
perft '2 2' "$scratch/slam.sow" --reading abapa
perft '1 1' "$scratch/slam.sow" --reading no-slam
perft '2 1' "$scratch/slam.sow" --reading awari
position hungry oware '(put 2 seed on: a1) (put 1 seed on: f1)'
perft '1 1' "$scratch/hungry.sow"
position starved oware '(put 2 seed on: a1)'
after 'South wins after 0 plies' starved '[Result "South wins"]'
position passed-over oware '(put 12 seed on: a1) (put 1 seed on: b1)'
after '1  . 3 1 1 1 1' passed-over a1

# ---- Kalah, and who wins on small boards: Irving, Donkers and Uiterwijk 2000, table of Kalah(m, n), here from memory
# and through others. A program that shares no code with this project found the same.

perft '6 35 185 942 4690 23233' examples/kalah.sow
perft '6 35 185 942 4685 23169' examples/kalah.sow --reading solved
perft '3 8 19 48 120 280 610 1283' examples/kalah.sow --set columns=3 --set seeds=3
while read -r columns values; do
    seeds=0
    for value in $values; do
        seeds=$((seeds + 1))
        found=$("$OLDSOW" solve examples/kalah.sow --reading solved --set columns="$columns" \
            --set seeds=$seeds 2>&1 | head -n 1)
        case $found in
        'South wins in '*) found=win ;;
        'North wins in '*) found=loss ;;
        'draw ('*) found=draw ;;
        esac
        same "Kalah($columns, $seeds)" "$value" "$found"
    done
done <<'END'
1 draw loss win loss win draw
2 win loss loss loss win win
3 draw win win
4 win
5 draw
END
# Depth first more of them are within reach: only who wins, not how fast.
while read -r columns seeds wanted; do
    same "Kalah($columns, $seeds) --any" "$wanted" "$("$OLDSOW" solve examples/kalah.sow --any \
        --reading solved --set columns="$columns" --set seeds="$seeds" 2>&1 | sed -n '1s/ (.*//; 1p')"
done <<'END'
1 2 North wins
2 1 South wins
3 1 draw
3 4 South wins
3 5 South wins
3 6 North wins
4 2 South wins
4 3 South wins
5 2 draw
END

# ---- Tchuka Ruma: the fewest moves with one to six seeds in each pit; `-` where it cannot be done

while read -r pits moves; do
    seeds=0
    for wanted in $moves; do
        seeds=$((seeds + 1))
        found=$("$OLDSOW" solve examples/tchuka-ruma.sow --set pits="$pits" --set seeds=$seeds 2>&1 | head -n 1)
        case $found in
        'solved in '*) found=${found#solved in } found=${found% move*} ;;
        'no solution ('*) found=- ;;
        esac
        same "tchuka ruma, $pits pits of $seeds" "$wanted" "$found"
    done
done <<'END'
2 - - - 2 4 -
4 - 6 - - - 8
6 - - - 16 18 -
END

# ---- the others

perft '6 28 132 624 2870 13041' examples/ayoayo.sow
perft '6 28 130 604 2779 12715' examples/ayoayo.sow --reading pratt
perft '7 36 227 1378 8065' examples/congklak.sow
perft '7 36 230 1406 8295' examples/congklak.sow --reading today
perft '7 41 218 1215 6370' examples/pallanguzhi.sow
perft '7 41 228 1263 6964' examples/pallanguzhi.sow --reading durai
perft '7 39 150 474 1359' examples/pallanguzhi.sow --set cow=mover --set after-capture=goes-on
perft '7 40 196 852 3890' examples/pallanguzhi.sow --set seeds=5 --set lift=last-hole --set cow=mover \
    --set after-capture=goes-on
perft '12 144 1244 11350' examples/hus.sow
perft '12 144 1250 11359' examples/hus.sow --set captures=both
perft '24 576' examples/hus.sow --reading nama
perft '18 324 4420' examples/hus.sow --reading damara
perft '9 73 613 5199' examples/togyz-kumalak.sow
perft '9 73 613 5199' examples/togyz-kumalak.sow --reading summary

perft '4 14 38 122 354 1083 4003' examples/bao.sow
perft '4 14 30 80 225 696 2812' examples/bao.sow --reading strict

# North's tuz is c1. The hole with the same number is g2, the one opposite c2; a tuz would give three balls.
position same-number togyz-kumalak '(set (tuz North) c1) (put 4 ball on: i1) (put 2 ball on: g2)'
after 'store-South: 0' same-number i1 --reading tournament
after 'store-South: 3' same-number i1 --reading summary
position facing togyz-kumalak '(set (tuz North) c1) (put 8 ball on: i1) (put 2 ball on: c2)'
after 'store-South: 3' facing i1 --reading tournament
after 'store-South: 0' facing i1 --reading summary

# How Ramadhan and Kijumbe began on 17 October 1994: A7L a5R in de Voogt 1995, page 151. North takes the seed on d2.
position bao-opening bao '(for p in: players (put 22 seed on: (hand p)) (put 6 seed on: (house p)))
    (put 2 seed on: {f2 g2 b3 c3})'
after '3  1 2 2 7 . . . .' bao-opening 'g2-left d3-left *'
after '2  . . . . 7 3 . .' bao-opening 'g2-left d3-left *'
# A lap that ends in one's own house: with six seeds there one may stop, with five it goes on.
position house-of-six bao '(for p in: players (put 1 seed on: (hand p))) (put 2 seed on: c2) (put 5 seed on: e2)
    (put 5 seed on: c3) (put 1 seed on: a3)'
after '2  1 1 4 1 6 . . .' house-of-six 'c2-right stop *'
after '1  . . . . . 1 1 1' house-of-six 'c2-right go-on *'
position house-of-five bao '(for p in: players (put 1 seed on: (hand p))) (put 2 seed on: c2) (put 4 seed on: e2)
    (put 5 seed on: c3) (put 1 seed on: a3)'
after '2  1 1 4 1 . 1 1 1' house-of-five 'c2-right *'
# Captives of a kimbi are sown from the head beside it, here the other way.
position kimbi bao '(put 1 seed on: b2) (put 2 seed on: d2) (put 1 seed on: h2) (put 1 seed on: b3) (put 1 seed on: h3)
    (put 9 seed on: h4)'
after '2  1 2 1 . . . . 1' kimbi 'd2-left *'
# The only hole holds sixteen: no capture, once round.
position sixteen bao '(put 1 seed on: a2) (put 16 seed on: d2) (put 1 seed on: a3) (put 9 seed on: h4)'
after '2  2 1 1 1 1 1 1 1' sixteen 'd2-left *'

finish examples-sowing
