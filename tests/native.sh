#!/bin/sh
# Compiled games from the command line: C files that stand alone, --native, the cache and what can be wrong with it.
#
#   OLDSOW=build/oldsow tests/native.sh
#
# Run from the root of the repository. With OLDSOW_EVERY=1 every script is compiled, else some.

. tests/lib/checks.sh
trap 'chmod -R u+w "$scratch"; rm -rf "$scratch"' EXIT
XDG_CACHE_HOME=$scratch/cache
export XDG_CACHE_HOME
unset CC

# refuses WORDS: --native fails with status 1 and these words, and nothing is counted.
refuses() {
    checks=$((checks + 1))
    "$OLDSOW" perft games/mawryngkneng.sow 2 --native >"$scratch/out" 2>"$scratch/err"
    status=$?
    [ $status -eq 1 ] || fail "$1: status $status"
    [ ! -s "$scratch/out" ] || fail "$1: counted all the same"
    grep -q -F -e "$1" "$scratch/err" || fail "no '$1' in: $(cat "$scratch/err")"
}

# ---- C files that stand alone

standalone() { # SCRIPT DEPTH
    "$OLDSOW" compile "$1" -o "$scratch/game.c" || fail "compile $1"
    for compiler in gcc clang; do
        command -v $compiler >/dev/null || continue
        checks=$((checks + 1))
        $compiler -std=c17 -O1 -Wall -Wextra -Werror -DOLDSOW_MAIN "$scratch/game.c" \
            -o "$scratch/game" 2>"$scratch/err" || fail "$compiler $1: $(head -n 3 "$scratch/err")"
        [ -x "$scratch/game" ] || continue
        same "$compiler $1" "$("$OLDSOW" perft "$1" "$2" 2>/dev/null)" "$("$scratch/game" perft "$2")"
        rm -f "$scratch/game"
    done
}
if [ -n "$OLDSOW_EVERY" ]; then
    for script in games/*.sow examples/*.sow; do standalone "$script" 3; done
else
    for script in games/laomuzhu games/len-doat examples/backgammon examples/oware; do
        standalone $script.sow 3
    done
fi

# The same game from the same seed, with a program that knows only oldsow.h.
same_game() { # SCRIPT
    "$OLDSOW" compile "$1" -o "$scratch/game.c"
    cc -std=c17 -O1 -Iinterp examples/play.c "$scratch/game.c" -o "$scratch/play" 2>"$scratch/err" ||
        fail "play.c: $(head -n 3 "$scratch/err")"
    "$scratch/play" whatever 7 | grep -E ' (plays|gets|has) |^position' >"$scratch/one"
    cc -std=c17 -O1 -Iinterp -DOLDSOW_MAIN "$scratch/game.c" -o "$scratch/game"
    same "position of $1" "$(sed -n 's/^position //p' "$scratch/one")" \
        "$("$scratch/game" 7 | sed -n 's/^position //p')"
    checks=$((checks + 1))
    [ -s "$scratch/one" ] || fail "play.c says nothing"
}
same_game games/njombwa.sow

# The program is used wrongly, or cannot write: it says so.
for wrong in 'perft' 'perft x' 'perft 3x' '7x' '-1' '7 8' 'perft 2 3' '99999999999999999999'; do
    # shellcheck disable=SC2086
    "$scratch/game" $wrong >"$scratch/out" 2>"$scratch/err"
    same "status of game $wrong" 2 $?
    same "usage of game $wrong" 1 "$(grep -c '^usage: ' "$scratch/err")"
done
if [ -c /dev/full ]; then
    "$scratch/game" 7 >/dev/full
    same 'status of a game that cannot be written' 1 $?
fi

checks=$((checks + 1))
"$OLDSOW" compile games/njombwa.sow -o "$scratch/none/game.c" 2>"$scratch/err" &&
    fail "compile into a folder that is not there"
grep -q 'No such file' "$scratch/err" || fail "compile: $(cat "$scratch/err")"

# ---- --native

for command in 'perft games/njombwa.sow 4' 'perft tests/cli/retiring.sow 8' 'perft tests/cli/many.sow 2' 'solve games/mawryngkneng.sow --reading free' \
    'simulate games/len-doat.sow -n 50 --jobs 2 --json' 'simulate tests/cli/lots.sow -n 50 --json'; do
    # shellcheck disable=SC2086
    same "$command" "$("$OLDSOW" $command | grep -v seconds)" \
        "$("$OLDSOW" $command --native | grep -v seconds)"
done

counts=$("$OLDSOW" perft games/mawryngkneng.sow 2)
native() { "$OLDSOW" perft games/mawryngkneng.sow 2 --native; }
rm -rf "$scratch/cache"
same 'a new cache' "$counts" "$(native)"
object=$(echo "$scratch"/cache/oldsow/*.so)
same 'left over' "$object" "$(echo "$scratch"/cache/oldsow/*)"
same 'from the cache, without a compiler' "$counts" "$(PATH=/nowhere native)"
size=$(wc -c <"$object")
head -c 100 "$object" >"$scratch/part"
cp "$scratch/part" "$object"
same 'half a file in the cache' "$counts" "$(native)"
same 'which is built again' "$size" "$(wc -c <"$object")"
: >"$object"
same 'an empty file in the cache' "$counts" "$(native)"

chmod g+w "$object"
refuses 'is not a file that only you can write to'
chmod g-w "$object"
mv "$object" "$scratch/elsewhere"
ln -s "$scratch/elsewhere" "$object"
same 'a link in the cache is replaced' "$counts" "$(native)"
chmod o+w "$scratch/cache/oldsow"
refuses 'is not a folder that only you can write to'
rm -rf "$scratch/cache"
CC=no-such-compiler
export CC
refuses 'there is no C compiler `no-such-compiler`'
CC=false
refuses '`false` could not build the game and did not say why'
unset CC
: >"$scratch/cache-file"
XDG_CACHE_HOME=$scratch/cache-file
refuses "no cache for compiled games: $scratch/cache-file"
if [ "$(id -u)" -ne 0 ]; then
    mkdir "$scratch/closed"
    chmod 500 "$scratch/closed"
    XDG_CACHE_HOME=$scratch/closed
    refuses 'no cache for compiled games'
fi

finish native
