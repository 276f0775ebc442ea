#!/bin/sh
# Small programs whose outcome is known: what a value is and when it is taken, where the play goes. Each once went wrong.
#
#   OLDSOW=build/oldsow tests/semantics.sh

. tests/lib/checks.sh

pieces='(piece seed) (piece man each: players)'

# finds WANTED ITEMS BODY: plays one game in a small world and looks for the text in what is printed.
finds() {
    checks=$((checks + 1))
    printf '(game "t" (use sowing) (players South North) (board (holes rows: 2 columns: 5)) %s (store) (track ring (loop (row 1) (reversed (row 2))))
        (region half South: (row 1) North: (row 2)) %s (play %s))\n' "$pieces" "$2" "$3" >"$scratch/t.sow"
    "$OLDSOW" run "$scratch/t.sow" --random --seed 1 --max-plies 100 >"$scratch/out" 2>&1
    grep -F -q -e "$1" "$scratch/out" && return
    failures=$((failures + 1))
    printf 'FAIL wanted: %s\n' "$1"
    cat "$scratch/t.sow"
    tail -n 12 "$scratch/out"
}
scores() { finds "Score: South $1, North $2" "$3" "$4 (highest-wins)"; }

# Arguments are taken once, when the definition is used.
scores 0 5 '(var v) (define (f n) (set v 5) n)' '(let r (f v)) (score South r) (score North v)'
scores 3 4 '(define (f n) (set n (+ n 1)) n)' '(let x 3) (score South x) (score North (f 3))'
scores 4 34 '(var v start: 3) (define (more n) (change n by: 1) n)' '(score South (more 3)) (score North (+ (more v) (* 10 v)))'
scores 2 5 '(define (sel p) (half p))' '(let r (sel North)) (score South (how-many h in: r (in h {a2 b2}))) (score North (size r))'
# A truth that is compared keeps what it compares while the other is worked out.
scores 2 2 '(var v start: 3) (var u start: 4)' '(if (= (= (+ v 1) (+ u 0)) (= (+ v 3) (+ u 5))) (score South 1) else: (score South 2)) (if (= (< (* v 2) (* u 2)) (< (* v 9) (* u 2))) (score North 1) else: (score North 2))'
scores 4 8 '' '(let n 0) (for s in: (row 1) (for t in: (union (if (in s {a1}) {} else: {a1}) (if (= s e1) {} else: {(next s ring)})) (put 1 seed on: t)) (set n (+ n 1))) (score South (count a1)) (score North (count board))'
scores 3 9 '' '(for s in: (row 1) (for t in: (union (if (in s (half opponent)) {b2} else: {a1}) (if (= s e1) a1 else: (next s ring))) (put 1 seed on: t))) (score South (+ (count b1) (count c1) (count d1))) (score North (count board))'
# What is asked of all places of a way at once, for each number of the dice: with numbers that they show, and with others.
way='(dice die faces: 1..3) (var n number) (var found number) (track way (path a1..e1 (reversed (row 2))))
    (define (may s) (and (occupied s of: (man South))
        (if (unset (ahead s n way)) (= s (first t in: way (occupied t of: (man South))))
            else: (< (count (ahead s n way) of: (man North)) 2))))
    (start (put 1 (man South) on: a1) (put 2 (man South) on: c1) (put 1 (man South) on: e2)
        (put 2 (man North) on: d1) (put 1 (man North) on: e1))'
digits() { printf '(set found 0) (for k in: {%s} (set n k) (set found (+ (* found 10) %s)))' "$1" "$2"; }
scores 323 232 "$way" "$(digits '0 1 2' '(how-many s in: way where: (may s) yes)') (score South found) $(digits '3 4 5' '(how-many s in: way where: (may s) yes)') (score North found)"
scores 1113 10 "$way" "$(digits '0 1 2 3' '(index (first s in: way (may s)) way)') (score South found) (move 1 (man South) from: a1 to: b2) $(digits '1 9' '(if (any s in: (reversed way) (and (may s) (in s {a1 c1 e2}) (!= s e2))) 0 else: 1)') (score North found)"
scores 110 3 "$way" "$(digits '3 5 2' '(how-many s in: way where: (and (may s) (would (move 1 (man South) from: s to: (ahead s n way)) then: (= (count (ahead s n way) of: (man South)) 2))) yes)') (score South found) (set n 2) (set found 0) (for s in: way (if (may s) (set found (+ found 1)))) (score North found)"
# A let of a region keeps the mover it was made with.
scores 5 1 '' '(let r (half mover)) (turn-of North (score South (how-many h in: r (in h (row 1))))) (score North 1)'
# Sets of tracks hold the tracks, not their sites; a track made in play can be gone through.
scores 2 10 '' '(let n 0) (for t in: {ring (reversed ring)} (set n (+ n 1))) (score South n) (score North (size ring))'
scores 5 1 '(var who player start: North)' '(score South (size (loop (half who)))) (score North (if (unset (next a1 (loop (half who)))) 1 else: 0))'
# Tracks among sites are meant as their sites, whichever comes first.
scores 12 22 '(track way South: (path a1..e1) North: (path a2..e2))' '(score South (+ (size {ring a1 a1..a1}) (size {}))) (score North (+ (size {(way mover) (store mover)}) (size {(store mover) (way mover)}) (* 10 (how-many s in: {(way mover) a2} (= s a2)))))'
# A list that holds one thing twice has no other in its place.
scores 0 11 '(define two {a1..b1 a1})' '(choose s in: {c1} (put 1 seed on: s)) (score South (if (any s in: two (occupied s)) 1 else: 0)) (choose s in: {b1} (put 1 seed on: s)) (score North (+ (if (any s in: two (occupied s)) 1 else: 0) (* 10 (how-many s in: two (occupied s)))))'
scores 2 4 '(var left per: 1..4) (define (can n s) (and (> (left n) 0) (occupied s) (not (unset (ahead s n (path (row 1)))))))
    (start (put 2 seed on: a1))' '(set-all left 1) (while (any n in: {4 4 2 1} (any s in: (row 1) (can n s)))
    (choose n in: {4 4 2 1} s in: (row 1) where: (can n s) (change (left n) by: -1) (move 1 seed from: s to: (ahead s n (path (row 1))))))
    (score South (count (row 1))) (score North (+ (left 3) 3))'
# What is not there is left out of a region, and is no site.
scores 4 1 "" "(put 2 seed on: (nth 3 {a1 b1 a1})) (put 2 seed on: (nth 1 {a1 b1 a1})) (score South (count a1)) (score North (nth 2 {5 1 5}))"
scores 3 1 '(define (number s) (column-of s)) (var v number)' '(set v (number c1)) (score South v) (score North 1)'
scores 0 111 '(var v site)' '(score South (+ (row-of v) (column-of v) (index v board) (row-of (step a2 north)) (count v) (size (neighbours v)))) (score North (+ (if (unset (next v ring)) 1 else: 0) (if (unset (beyond v from: a1)) 10 else: 0) (if (in v board) 1000 else: 0) (if (= v (step a2 north)) 100 else: 0)))'
scores 3 0 '' '(let n 1) (score South (+ (size (reversed 2..4)) (sum k in: 1..(- n 1) 1))) (score North (sum k in: 1..(count a1) 1))'
scores 2 1 '' '(score South (size (union (neighbours a1) (next a1 (path b1..c1))))) (score North (if (unset (square unset)) 1 else: 0))'
scores 3 8 '(define (round s) (union (step s north) (step s north-east) (step s east) (step s south-east) (step s south)
    (step s south-west) (step s west) (step s north-west)))' '(score South (size (round a1))) (let n 3)
    (for s in: {c2} (set n (+ n (size (round s))))) (score North n)'
# A list in a definition is what it is in place, however many values it depends on; a step is no value of its own.
scores 4 3 '(define (ends a b c d) {a b c d})' '(let n 0) (let m 0) (for a in: {a1 b1} (for b in: {c1} (for c in: {d1} (for d in: {e1}
    (for s in: (ends a b c d) (if (= a a1) (set n (+ n 1)))) (if (in c1 (ends a b c d)) (set m (+ m 1))) (if (in a1 (ends a b c d)) (set m (+ m 1)))))))
    (score South n) (score North m)'
scores 2 1 '(define (apart s) (without (neighbours s) (step s north) (step s south) (step (step s west) west)))' '(let n 0) (let m 0)
    (for s in: {c1} (set n (+ n (size (apart s))))) (for s in: {a2} (set m (+ m (size (apart s)))))
    (score South n) (score North m)'
scores 4 0 '' '(let n 1) (for s in: {c1} (for t in: {b2} (let u s)
    (let r {(at column: (+ (column-of u) 1) row: (row-of u)) (at column: (- (column-of u) 1) row: (row-of u)) (step u north) t})
    (set u a1) (if (= u a1) (set n (size r))))) (score South n) (score North 0)'
scores 5 5 '' '(let r (union (half mover) (half mover))) (let n 0) (turn-of North (for s in: r (if (in s (half South)) (set n (+ n 1)))))
    (score South n) (score North (size r))'
# A `where:` of a `for` is asked when its round comes.
scores 4 2 '(var n)' '(for s in: (row 1) where: (!= s a1) (put 1 seed on: s)) (score South (count (row 1)))
    (for s in: (row 1) where: (occupied s) where: (< n 2) (set n (+ n 1)) (if (= n 5) (break))) (score North n)'
# A hook that has nothing to do changes nothing, more than once round and past what is passed over; for one kind of stones it leaves the
# others alone.
many='(start (put 23 seed on: a1))'
scores 32 23 "$many" '(sow a1 along: ring before: (stone site) (if (= stone (man South)) (draw))) (score South (+ (* 10 (count d1)) (count e1)))
    (score North (count board))'
scores 32 0 "$many" '(sow a1 along: ring skip: (site) (= site a1)) (score South (+ (* 10 (count e2)) (count d2))) (score North (count a1))'
scores 32 2 "$many" '(sow a1 along: ring skip: (site) (= site c1) before: (stone site) (if (in stone man) (draw)))
    (score South (+ (* 10 (count b1)) (count a2))) (score North (count a1))'
# Whether the site that is passed over is come by: it is where the sowing began, or before or behind its end.
for pieces in '(piece seed)' '(piece seed) (piece man each: players)'; do
    for n in '1 1 1' '9 1 1' '10 2 2' '19 3 3'; do
        set -- $n
        scores "$2" "$3" "(start (put $1 seed on: a1))" '(let end (sow a1 along: ring skip: (s) (= s a1))) (score South (count b1)) (score North (count end))'
    done
    for n in '7 0 1' '8 1 1' '9 1 1' '10 1 2'; do
        set -- $n
        scores "$2" "$3" "(start (put $1 seed on: c1))" '(let end (sow c1 along: ring skip: (s) (= s b1))) (score South (count a1)) (score North (count end))'
    done
    # A site that is full stops it there, with what was dropped before.
    finds 'in hand: 4' '(start (put 7 seed on: a1) (put 32767 seed on: e1))' '(sow a1 along: ring skip: (s) (= s a2)) (draw)'
done
pieces='(piece seed) (piece man each: players)'
for order in '{seed man} 3 d1 c1' '{man seed} 3 b1 d1'; do
    set -- ${order##*\}}
    scores "$1" 2 '(start (put 12 seed on: a1) (put 1 (man North) on: a1))' "(sow a1 along: ring order: ${order%%\}*}} before: (stone site)
        (if (in stone man) (put 1 seed on: site))) (score South (count $2)) (score North (count $3))"
done
# Several kinds may be those of a player whom only play knows.
scores 33 12 '(piece king each: players) (start (put 1 (man North) on: a1) (put 2 (king North) on: b1) (put 3 (man South) on: a1))' '
    (let n 0) (for p in: players (let own {(man p) (king p)})
        (change n by: (count board of: {(man p) (king p)}))
        (if (= p North) (change n by: (* 10 (+ (count a1 of: {(king p) (man p)}) (count b1 of: {(man p) (king p)}))))
            else: (change n by: (if (and (empty b1 of: {(man p) (king p)}) (occupied a1 of: {(man p) (king p)}) (empty (row 2) of: {(man p) (king p)})) -3 else: 100))))
    (score South n)
    (for p in: players where: (not (empty (next a1 (path a1)) of: {(man p) (king p)})) (change n by: (if (occupied board of: {(king p) (man p)}) -10 else: 0)))
    (score North (- n 1))'
# Numbers of kinds are not bound to the size of the board.
scores 1 0 '(piece tile each: 1..8)' '(for t in: 1..8 (put 1 (tile t) on: (nth t board))) (score South (count (nth 8 board) of: (tile 8))) (score North 0)'
# What all-pass does may end the turn; nothing begins anew.
scores 1 4 '(start (put 1 seed on: a1)) (var n)' '(turns all-pass: (do (set n (+ n 1)) (if (< n 4) (done) else: (leave))) (pass)) (score South (count a1)) (score North n)'
# When all have retired the turns are over, be it by a pass or at the end of a turn; `next:` goes on with whom it names.
scores 3 1 '(var n)' '(turns (set n (+ n 1)) (if (!= n 2) (retire mover))) (score South n) (score North (if (= mover North) 1 else: 0))'
scores 2 0 '(var n)' '(turns all-pass: (fail) (set n (+ n 1)) (retire mover) (if (= n 3) (pass))) (score South n) (score North 0)'
scores 5 0 '(var n)' '(turns next: North (set n (+ n 1)) (if (= n 5) (leave)) (retire mover)) (score South n) (score North 0)'
# The opponent of nobody is nobody.
scores 1 2 '(var who player)' '(let o (opponent who)) (score South (if (unset o) 1 else: 0)) (set who South) (score North (if (= (opponent who) North) (if (= (opponent mover) North) 2 else: 0) else: 0))'
finds 'R0906' '(var who player)' '(win (opponent who))'
# Nothing at all is a list of anything.
scores 2 1 '' '(put 1 seed on: a1) (for d in: (if (occupied a1) {north east} else: {}) (put 1 seed on: (step a1 d))) (for d in: (if (empty a1) {north} else: {}) (put 5 seed on: b2)) (for h in: (if (occupied a1) {} else: board) (put 5 seed on: h)) (for n in: (if (occupied a1) {} else: {1 2}) (put n seed on: e1)) (score South (count {a2 b1})) (score North (count {a1 b2 e1}))'
scores 1 3 '' '(let r (if (occupied a1) {a1} else: {})) (let w (if (empty a1) {} else: {North})) (score South (+ 1 (size r) (size w))) (score North (size (union {b1 b2 c1} (if (occupied a1) {a1} else: {}))))'
# A sowing gathers what its order names, hooks or not.
scores 1 3 '(start (put 2 seed on: a1) (put 1 (man South) on: a1))' '(let end (sow a1 along: ring order: seed before: (s q) (if (= q e2) (draw)))) (score South (count a1)) (score North (index end (row 1)))'
scores 1 3 '(start (put 3 seed on: (store South)))' '(let end (sow (store South) along: ring first: c1)) (score South (count c1)) (score North (count board))'
# A look-ahead tries every way and leaves nothing behind.
scores 3 0 '(start (put 1 seed on: a1) (put 3 seed on: b1))' '(score South (would (choose h in: {a1 b1} (move all from: h to: e1)) then: (count e1))) (score North (count e1))'
# Of three ways the second gives enough: the third, which gives more, is not tried.
scores 2 3 '(start (put 1 seed on: a1) (put 2 seed on: b1) (put 3 seed on: c1))' '(score South (would (choose h in: {a1 b1 c1} (move all from: h to: e1)) then: (count e1) enough: 2)) (score North (would (choose h in: {a1 b1 c1} (move all from: h to: e1)) then: (count e1) enough: 9))'
scores 1 0 '(define (spin) (repeat (put 1 seed on: a1) (remove 1 seed from: a1) until: (empty b2) limit: 9))
    (start (put 1 seed on: b2))' '(score South (if (would (choose h in: {c1 d1} (if (= h c1) (spin))) then: yes endless: no) 1 else: 0)) (score North (count a1))'
# What a look-ahead gives is what stands behind `then:`: a truth before another is in its place.
scores 1 2 '(start (put 1 seed on: a1))' '(score South (if (if (would (move all from: a1 to: b1) then: (empty a1)) (occupied a1) else: (empty a1)) 1 else: 2))
    (score North (if (if (would (move all from: a1 to: b1) then: (empty b1)) (occupied a1) else: (empty a1)) 1 else: 2))'
# A variable may be compared with an option, whatever the option's values are.
scores 3 6 '(option limit {2 3} default: 3) (option sure {yes no} default: yes) (var taken) (var flag truth)' '(set taken 3) (set flag yes)
    (score South (+ (if (= taken limit) 1 else: 0) (if (= limit taken) 1 else: 0) (if (= flag sure) 1 else: 0)))
    (score North (+ (if (!= taken limit) 1 else: 2) (if (!= limit taken) 1 else: 2) (if (in limit {taken 2}) 2 else: 0)))'
# A chain of names costs nothing.
chain='(let x0 1)'
i=1
while [ $i -le 60 ]; do
    chain="$chain (let x$i (min x$((i - 1)) x$((i - 1))))"
    i=$((i + 1))
done
scores 1 0 '' "$chain (score South x60) (score North 0)"
# What is the same for all candidates can change from turn to turn: two steps on, and two back.
scores 4 1 '(var n) (var back truth) (start (put 1 seed on: a1))' '(turns (choose a in: (row 1) b in: (row 1) where: (and (occupied a) (empty b) (if back (= (next b ring) a) else: (= (next a ring) b))) else: (leave) (move all from: a to: b) (change n by: 1)) (if (= n 2) (set back yes)) (if (= n 4) (leave)))
    (score South n) (score North (count a1))'
# A choice that asks nothing has all its candidates in each turn.
scores 3 0 '(var n)' '(turns (choose a in: (row 1) b in: (row 2) else: (leave) (change n by: 1)) (if (= n 3) (leave)))
    (score South n) (score North 0)'
# With a single kind a hook for that kind is done at each stone.
pieces='(piece seed)'
scores 3 3 '(start (put 3 seed on: a1))' '(sow a1 along: ring before: (stone h) (if (= stone seed) (put 1 seed on: e2)))
    (score South (count e2)) (score North (how-many h in: board where: (!= h e2) (= (count h) 1)))'
scores 3 0 '(var n) (start (put 3 seed on: a1))' '(sow a1 along: ring after: (stone h) (if (in stone pieces) (change n by: 1))) (score South n) (score North (count a1))'
pieces='(piece seed) (piece man each: players)'
# A loop that is broken off, and begun anew in the next round of one around it, is no next round of the first.
checks=$((checks + 1))
cat >"$scratch/t.sow" <<'END'
(game "t" (players South North East) (board (line 5)) (piece man each: players) (hand bar)
    (region own South: b1 North: d1 East: c1) (track way South: (path e1) North: (path a1) East: (path e1)) (track ring (loop e1))
    (dice pair faces: 0..2 count: 2 told: sorted) (var n)
    (define (rear) (first s in: (way mover) (> (count s of: (man mover)) 1)))
    (start (put 3 (man East) on: c1) (put 2 (man East) on: e1))
    (play (turns
        (throw pair first: a second: b)
        (for y in: 1..3 where: (>= a (count (ahead (bar mover) (* b 2) ring)))
            (for z in: (own mover) where: (and (= (whose (piece-on z)) mover) (= (rear) e1)) (change n by: y)))
        (choose z in: {a1 b1} (put 1 (man mover) on: z))
        (if (= mover East) (do (score East n) (highest-wins))))))
END
"$OLDSOW" run "$scratch/t.sow" --random --seed 1 >"$scratch/out" 2>&1
if ! grep -q '^Score: East 6$' "$scratch/out"; then
    failures=$((failures + 1))
    echo 'FAIL: a loop begun anew in the next round of another'
    tail -n 4 "$scratch/out"
fi
# What was worked out before a search was asked of what lay in the cells then: one that is not there is not empty.
scores 0 0 '(var v site) (var n) (start (put 1 (man South) on: board))' '(choose k in: 1..2 (set n 0))
    (let f (first y in: (row 1) (and (occupied (facing y)) (empty (at column: (column-of v) row: 2) of: (man North))))) (score South (index f board)) (score North 0)'
# Refused with a reason.
finds 'E0310' '' '(for h in: {a1} (sow h along: ring after: (s q) (break))) (draw)'
finds 'E0408' '(var n start: 50)' '(score South (size {n 3})) (highest-wins)'
finds 'three such values are the most' '(var v site) (var w site)' '(for s in: board (for t in: board (score South (size (union (neighbours s) {v w t})))))'
finds 'E0701' '' '(while yes (put 1 seed on: a1) (remove 1 seed from: a1))'
finds 'E0701' '' '(turns (pass))'

finish semantics
