#!/bin/sh
# The games of leaping, placing and sliding in examples/: they begin in as many ways as published counts, or
# counts by hand-written programs, say; the solver finds what is known; their records replay. Run from the root of
# the repository:
#
#   OLDSOW=build/oldsow tests/examples-leaping.sh
#
# Prints a line for each failure and a count at the end.

. tests/lib/checks.sh

solve() { # FIRST-LINE FILE [OPTION...], without the number of positions
    wanted=$1 file=$2
    shift 2
    same "solve $file $*" "$wanted" "$("$OLDSOW" solve "$file" "$@" 2>&1 | sed -n '1s/ (.*//; 1p')"
}

# What a record comes to, its last line but one: the result, or what may be chosen.
ends() { # LINE FILE RECORD [OPTION...]
    wanted=$1 file=$2 record=$3
    shift 3
    same "run $file $record $*" "$wanted" \
        "$("$OLDSOW" run "$file" "$record" "$@" 2>&1 | awk '{ last = now; now = $0 } END { print last }')"
}

# A game that begins in another position: (replace (start ...)).
from() { # NAME FILE STATEMENT...
    variant=$scratch/$1.sow
    base=$PWD/$2
    shift 2
    printf '(variant "from here" of: "%s" (replace (start %s)))\n' "$base" "$*" >"$variant"
}

# Rules have no more lines than that; how they are counted is in tests/figures.sh.
eval "$(sed -n '/^rule_lines()/,/^}/p' tests/figures.sh)"
for limit in tic-tac-toe:15 hanoi:15 peg-solitaire:15 backgammon:80; do
    game=${limit%:*} lines=$(rule_lines "examples/${limit%:*}.sow")
    same "examples/$game.sow has at most ${limit#*:} lines of rules" yes \
        "$([ "$lines" -le "${limit#*:}" ] && echo yes || echo "$lines")"
done

cd examples || exit 2
same 'check' '' "$("$OLDSOW" check tic-tac-toe.sow hanoi.sow peg-solitaire.sow konane.sow mu-torere.sow \
    reversi.sow fox-and-geese.sow nine-mens-morris.sow halma-small.sow hex.sow dou-shou-qi.sow 2>&1)"
cd .. || exit 2

# ---- Tic-tac-toe: 255168 games in all; drawn

perft '9 72 504 3024 15120 54720 148176 200448 127872' examples/tic-tac-toe.sow
solve 'draw' examples/tic-tac-toe.sow
ends 'draw after 9 plies' examples/tic-tac-toe.sow examples/tic-tac-toe-1.record

# ---- The Tower of Hanoi: 2^n - 1 moves (Lucas)

perft '2 6 16 46' examples/hanoi.sow
for moves in 3:7 4:15 5:31 6:63 7:127; do
    solve "solved in ${moves#*:} moves" examples/hanoi.sow --set discs=${moves%:*}
done
ends 'Solver wins after 31 plies' examples/hanoi.sow examples/hanoi-1.record

# ---- Peg solitaire

perft '4 12 60 400 2960 24600' examples/peg-solitaire.sow
solve 'solved in 31 moves' examples/peg-solitaire.sow --any
ends 'Solver wins after 31 plies' examples/peg-solitaire.sow examples/peg-solitaire-1.record

# The same on a triangle of fifteen holes, its inmost one empty: thirteen jumps that leave one peg, in 1550 ways.
# The choice is put another way, that of the script being slow for so many games.
cat >"$scratch/triangle.sow" <<EOF
(variant "On a triangle" of: "$PWD/examples/peg-solitaire.sow"
  (fix last-peg anywhere)
  (replace (board (graph points: {h1 h2 h3 h4 h5 h6 h7 h8 h9 h10 h11 h12 h13 h14 h15}
    lines: {{h4 h5 h6} {h7 h8 h9 h10} {h11 h12 h13 h14 h15} {h1 h2 h4 h7 h11} {h3 h5 h8 h12} {h6 h9 h13}
            {h1 h3 h6 h10 h15} {h2 h5 h9 h14} {h4 h8 h13}})))
  (replace (start (put 1 peg on: (without board h5))))
  (replace (play
    (turns
      (choose from in: board where: (occupied from)
              over in: (neighbours from) where: (and (occupied over) (empty (beyond over from: from)))
        else: (lose mover)
        (jump from to: (beyond over from: from)))
      (if (= (count board) 1) (win mover))))))
EOF
same 'triangle' '13 1550' "$("$OLDSOW" perft "$scratch/triangle.sow" 13 2>&1 | tail -n 1)"

# ---- Konane. Norvig 2021: White wins on four rows; Black on five.

perft '4 12 28 156 668 4192' examples/konane.sow
perft '18 60 116 524' examples/konane.sow --reading anywhere
perft '4 12 16 52 120 376' examples/konane.sow --set side=4
perft '5 12 20 88 328 1560' examples/konane.sow --set side=5
solve 'White wins in 6 plies' examples/konane.sow --set side=4
solve 'White wins' examples/konane.sow --set side=4 --any
solve 'Black wins' examples/konane.sow --set side=5 --any
ends 'White wins after 6 plies' examples/konane.sow examples/konane-1.record

# ---- Mu Torere: 1180 positions, drawn; with no rule for the putahi the first move wins

perft '2 2 2 6 8 12 28 34' examples/mu-torere.sow
perft '2 2 2 6 8 12 34 34' examples/mu-torere.sow --reading opening
perft '2 2 2 8 8 12 34 34' examples/mu-torere.sow --reading best
perft '4 2 2 8 8 12 34 34' examples/mu-torere.sow --set to-putahi=free
same 'solve mu-torere' 'draw (1180 positions looked at)' \
    "$("$OLDSOW" solve examples/mu-torere.sow | head -n 1)"
solve 'draw' examples/mu-torere.sow --reading opening
solve 'White wins in 4 plies' examples/mu-torere.sow --reading best
solve 'Black wins in 1 ply' examples/mu-torere.sow --set to-putahi=free
ends 'White wins after 14 plies' examples/mu-torere.sow examples/mu-torere-1.record

# ---- Reversi: Bik 2009; four rows are won by White; six by 20 to 16, in the game that Feinstein found

perft '4 12 56 244 1396 8200' examples/reversi.sow
perft '4 12 24 24 96' examples/reversi.sow --reading reversi
perft '4 12 44 128 436 1296 3784' examples/reversi.sow --set side=4
perft '4 12 56 244 1364 7604' examples/reversi.sow --set side=6
solve 'White wins in 11 plies' examples/reversi.sow --set side=4
ends 'White wins after 32 plies' examples/reversi.sow examples/reversi-1.record
same 'score of reversi-1.record' 'Score: Black 16, White 20' \
    "$("$OLDSOW" run examples/reversi.sow examples/reversi-1.record | grep Score)"

# ---- Fox and Geese

perft '5 63 300 4743 23860' examples/fox-and-geese.sow
perft '5 73 340 5268' examples/fox-and-geese.sow --set geese=17 --set geese-step=not-back
perft '3 19 55 370 1064' examples/fox-and-geese.sow --set geese=15 --set geese-step=forward --set leap=must \
    --set diagonals=no
perft '14 64 1080 3714' examples/fox-and-geese.sow --set geese=17 --set leap=must --set first-up=flock
ends 'Flock wins after 54 plies' examples/fox-and-geese.sow examples/fox-and-geese-1.record

# ---- Nine Men's Morris: the second and third position have mills, captures, a player who flies

perft '24 552 12144 255024' examples/nine-mens-morris.sow
from mills examples/nine-mens-morris.sow '(put 1 (man White) on: {a7 d7 b6 d6 g4 f4 c3})' \
    '(put 1 (man Black) on: {a1 d1 g1 d2 e3})'
perft '11 53 544 3071 28166' "$scratch/mills.sow"
from flying examples/nine-mens-morris.sow '(put 1 (man White) on: {a7 d7 b6})' \
    '(put 1 (man Black) on: {a1 d1 d2 e3})'
perft '51 333 14739' "$scratch/flying.sow"
ends 'White wins after 71 plies' examples/nine-mens-morris.sow examples/nine-mens-morris-1.record

# ---- Halma: hops in a chain

perft '16 256 5720 116493' examples/halma-small.sow
perft '9 81 1010 11931' examples/halma-small.sow --set side=4 --set men=3
perft '9 81 1080 13826' examples/halma-small.sow --set side=5 --set men=3
perft '24 576 18264' examples/halma-small.sow --reading chessboard
ends 'South wins after 16 plies' examples/halma-small.sow examples/halma-small-1.record

# ---- Hex: whoever begins wins, and whoever may swap does. On three rows all games are counted.

perft '121 14520' examples/hex.sow
perft '9 72 504 3024 15120 54720 146880 207360 120960' examples/hex.sow --set side=3
perft '9 81 576' examples/hex.sow --set side=3 --set swap=yes
solve 'Red wins in 5 plies' examples/hex.sow --set side=3
solve 'Blue wins in 10 plies' examples/hex.sow --set side=3 --set swap=yes
ends 'Blue wins after 6 plies' examples/hex.sow examples/hex-1.record

# ---- Dou Shou Qi: the position has leaps over a rat, beasts in traps, a rat beside an elephant

perft '24 576 12240 260099' examples/dou-shou-qi.sow
beasts() { # NAME LION TIGER
    from "$1" examples/dou-shou-qi.sow '(put 1 (rat South) on: c5)' '(put 1 (elephant South) on: d5)' \
        "(put 1 (lion South) on: $2)" "(put 1 (tiger South) on: $3)" '(put 1 (cat South) on: d7)' \
        '(put 1 (wolf South) on: b1)' '(put 1 (elephant North) on: d6)' '(put 1 (rat North) on: d4)' \
        '(put 1 (lion North) on: c1)' '(put 1 (dog North) on: a7)' '(put 1 (cat North) on: b7)'
}
beasts meeting b3 a4
perft '17 209 3077 38055' "$scratch/meeting.sow"
perft '18 218 3317 40497' "$scratch/meeting.sow" --set elephant-takes-rat=yes
perft '16 199 2788 35156' "$scratch/meeting.sow" --set trapped=stronger
perft '16 200 2810 35371' "$scratch/meeting.sow" --set tiger-leaps=never
beasts tiger-below a4 b3
perft '17 209 3074 38025' "$scratch/tiger-below.sow" --set tiger-leaps=lengthwise
perft '16 198 2774 34848' "$scratch/tiger-below.sow" --set tiger-leaps=never
ends 'South wins after 17 plies' examples/dou-shou-qi.sow examples/dou-shou-qi-1.record

finish examples-leaping
