#!/bin/sh
# The documentation: scripts in it are sound, commands in it print what they are said to print, and the reference
# names every ludeme.
#
#   OLDSOW=build/oldsow tests/docs.sh [--bless] [FILE...]
#
# Run from the root of the repository. A block ```sow [NAME] is a whole script; it must pass the check in silence,
# and is there under its name for what follows; ```sow-mistake NAME is there unchecked. A block ```sow-fragment items or
# ```sow-fragment play is put into a game made for it, ```sow-fragment none is left alone. The commands of a ```console
# block are run in a folder that holds games/, examples/ and the named scripts. --bless writes what they print into the
# page instead; look at the difference before you keep it.

. tests/lib/checks.sh
as_command
bless=
[ "$1" = --bless ] && bless=yes && shift
[ $# -gt 0 ] || set -- README.md docs/language.md docs/exercises.md docs/json.md docs/cluster.md

# ---- blocks ----

# The game that fragments are parts of: `items` at its top, `play` in its rules. Between lies what the fragments of
# one page declare for each other.
fragment_game() { # ITEMS-FILE PLAY-FILE
    echo '(game "Fragment" (use sowing racing leaping rounds)'
    echo '(players South North) (board (holes rows: 2 columns: 5))'
    echo '(region side South: (row 1) North: (row 2)) (track ring (loop a1..e1 e2..a2))'
    echo '(store) (piece seed) (piece man each: players)'
    echo '(dice die faces: 1..6) (dice pair faces: 1..2 count: 2 told: each)'
    echo '(define (pass-on) (draw))'
    cat "$1"
    echo '(play (choose as: "begin" (put 1 seed on: (store South)))'
    cat "$2"
    echo '))'
}

# Writes the blocks of a page to files 001.KIND, 002.KIND, ..., the first line of each being its line number, its fence's
# words behind it.
split_page() { # PAGE DIRECTORY
    awk -v to="$2" '
        /^```/ && file != "" { close(file); file = ""; next }
        /^```[a-z]/ { file = sprintf("%s/%03d.%s", to, ++n, substr($1, 4)); print NR, $2 > file; next }
        file != "" { print > file }' "$1"
}

checked() { # FILE WHERE [silent]
    checks=$((checks + 1))
    if ! "$OLDSOW" check "$1" >"$scratch/out" 2>&1; then
        fail "$2: $(head -n 8 "$scratch/out")"
    elif [ "$3" ] && [ -s "$scratch/out" ]; then
        fail "$2: not silent: $(head -n 8 "$scratch/out")"
    fi
}

play_console() { # BLOCK: what its commands print, as the page would show it
    grep '^\$ ' "$1" | while read -r _ command; do
        printf '$ %s\n' "$command"
        (eval "$command") 2>&1 </dev/null
    done
}

page() { # PAGE
    blocks=$scratch/blocks
    work=$scratch/work
    rm -rf "$blocks" "$work"
    mkdir "$blocks" "$work"
    ln -s "$root/games" "$root/examples" "$work"
    split_page "$1" "$blocks"
    : >"$scratch/none"
    cat "$blocks"/*.sow-fragment 2>/dev/null | awk '/^[0-9]+ items$/ { items = 1; next }
        /^[0-9]+ play$/ { items = 0; next } items' >"$scratch/items"
    for block in "$blocks"/*; do
        [ -e "$block" ] || continue
        read -r line words <"$block"
        where=$1:$line
        sed -i 1d "$block"
        case $block in
        *.sow-mistake) cp "$block" "$work/$words" ;;
        *.sow)
            file=${words:-$(basename "$block")}
            cp "$block" "$work/$file"
            checked "$work/$file" "$where" silent
            ;;
        *.sow-fragment)
            case $words in
            items) fragment_game "$scratch/items" "$scratch/none" >"$work/fragment.sow" ;;
            play) fragment_game "$scratch/items" "$block" >"$work/fragment.sow" ;;
            none) continue ;;
            *) fail "$where: a fragment is of \`items\`, \`play\` or \`none\`" && continue ;;
            esac
            checked "$work/fragment.sow" "$where" ''
            ;;
        *.console)
            checks=$((checks + 1))
            (cd "$work" && play_console "$block") >"$scratch/printed"
            if [ "$bless" ]; then
                cp "$scratch/printed" "$block"
            elif ! diff -u --label "$where" --label printed "$block" "$scratch/printed"; then
                fail "$where: something else is printed"
            fi
            ;;
        esac
    done
    if [ "$bless" ]; then
        awk -v from="$blocks" '
            /^```/ && inside { inside = 0; if (console) printf "%s", text; console = 0 }
            /^```[a-z]/ {
                inside = 1
                print
                file = sprintf("%s/%03d.%s", from, ++n, substr($1, 4))
                if ($1 == "```console") {
                    console = 1
                    text = ""
                    while ((getline row < file) > 0) text = text row "\n"
                }
                next
            }
            !console' "$1" >"$scratch/blessed" && cat "$scratch/blessed" >"$1"
    fi
}

for file in "$@"; do page "$file"; done

# ---- the reference ----

checks=$((checks + 2))
"$OLDSOW" reference >"$scratch/reference.md" || fail 'oldsow reference'
build=$(realpath --relative-to=. "$(dirname "$OLDSOW")")
env -u MAKEFLAGS -u MFLAGS -u MAKELEVEL make BUILD="$build" docs >"$scratch/out" 2>&1 ||
    fail "make docs: $(head -n 5 "$scratch/out")"
cmp -s "$scratch/reference.md" "$build/docs/reference.md" || fail 'make docs writes another reference'

checks=$((checks + 1))
"$OLDSOW" help --json >"$scratch/help.json" || fail 'oldsow help --json'

named() { # NAME: is there a heading for it, and does help know it?
    checks=$((checks + 2))
    awk -v name="$1" 'index($0, "### `(" name ")") == 1 || index($0, "### `(" name " ") == 1 { found = 1 }
        END { exit !found }' "$scratch/reference.md" || fail "the reference does not name \`$1\`"
    grep -q -F "\"name\": \"$1\"" "$scratch/help.json" || fail "oldsow help does not know \`$1\`"
}

sed -n 's/^LUDEME([A-Z_]*, "\([^"]*\)".*/\1/p' interp/language/ludemes.def >"$scratch/names"
sed -n 's/^(define (\([^ )]*\).*/\1/p' stdlib/*.sow >>"$scratch/names"
while read -r name; do named "$name"; done <"$scratch/names"

# What docs/language.md says of libraries and limits is so.
for library in stdlib/*.sow; do
    checks=$((checks + 1))
    grep -q "^| \`$(basename "$library" .sow)\` |" docs/language.md || fail "docs/language.md: no $library"
done

limit() { # NAME FILE: the number that it stands for must be in the table at the end
    checks=$((checks + 1))
    number=$(sed -n "s/.*\<$1 = \([0-9]*\).*/\1/p" "$2" | sed ':a; s/\([0-9]\)\([0-9]\{3\}\)\($\|,\)/\1,\2\3/; ta')
    sed -n '/^| what | at most |/,$p' docs/language.md | grep -q -F -w -e "$number" ||
        fail "docs/language.md: $1 is $number"
}
for name in STEPS CANDIDATES CELLS WOULD_DEPTH; do limit BUDGET_$name interp/vm/program.h; done
for name in NODES DEPTH; do limit EXPANSION_${name}_MAX interp/language/expand.h; done
for name in WORLD_SITES BOARD_SIDE BOARD_LINE; do limit ${name}_MAX interp/language/world.h; done
for name in NESTING NUMBER; do limit ${name}_MAX grammar/ast.h; done

# Every kind of JSON that is printed is told in docs/json.md.
for schema in $(grep -o -h '"oldsow-[a-z]*-[0-9]*"' interp/cli/*.[ch] | tr -d '"' | sort -u); do
    checks=$((checks + 1))
    grep -q -F "\`$schema\`" docs/json.md || fail "docs/json.md: no $schema"
done

# Links between the pages lead somewhere.
for file in README.md docs/*.md examples/README.md; do
    [ -e "$file" ] || continue
    grep -o ']([^)]*)' "$file" | sed 's/^](//; s/[#)].*//' | grep -v : >"$scratch/links"
    while read -r link; do
        checks=$((checks + 1))
        [ -e "$(dirname "$file")/$link" ] || fail "$file: nothing is at $link"
    done <"$scratch/links"
done

finish docs
