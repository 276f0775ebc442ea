#!/bin/sh
# The explanations of messages in docs/errors: there is one for each code, its wrong example is answered with exactly this
# code, and its right one with nothing.
#
#   OLDSOW=build/oldsow tests/explain.sh [CODE...]
#
# Run from the root of the repository. A page is `# CODE: title`, then prose, then a line that begins with `Wrong` and one
# that begins with `Right`. Blocks ```sow NAME and ```record NAME are files. The commands of the ```console blocks between
# `Wrong` and `Right` must give one message, of this code; those behind `Right` none, and exit with 0. Where no command
# stands it is `oldsow check wrong.sow` or `oldsow check right.sow`. A page without examples tells why in a paragraph that
# begins with `No example:`.

. tests/lib/checks.sh
as_command

# Writes the files of a page, and its commands to `wrong` and `right`.
unpack() { # PAGE
    awk '
        /^```/ && inside { if (file) close(file); inside = 0; file = ""; next }
        /^```/ { inside = 1; kind = substr($1, 4); file = kind == "console" ? "" : $2; next }
        inside && kind == "console" && /^\$ / { print substr($0, 3) > part; next }
        inside && file { print > file; next }
        inside { next }
        /^Wrong/ { part = "wrong" }
        /^Right/ { part = "right" }
        /^No example:/ { print > "untested" }' "$1"
    [ -s wrong ] || [ ! -s wrong.sow ] || echo 'oldsow check wrong.sow' >wrong
    [ -s right ] || [ ! -s right.sow ] || echo 'oldsow check right.sow' >right
}

messages() { # FILE: the codes told in it
    grep -a -o -E '(error|warning)\[[EWR][0-9]+\]' "$1" | sed 's/.*\[//; s/\]//' | paste -s -d ' '
}

page() { # CODE
    code=$1
    page=$root/docs/errors/$code.md
    mkdir "$scratch/$code" && cd "$scratch/$code" || exit 2
    unpack "$page"
    checks=$((checks + 2))
    case $(head -n 1 "$page") in
    "# $code: "[a-z\`\(]*[!.]) ;;
    *) fail "$code: the first line is to be \"# $code: title\", in lower case and without a full stop" ;;
    esac
    [ "$(awk '{ if (length > n) n = length } END { print n }' "$page")" -le 120 ] || fail "$code: too wide"
    if [ -s untested ]; then
        cd "$root" || exit 2
        return
    fi
    checks=$((checks + 3))
    [ -s wrong ] || fail "$code: no wrong example"
    [ -s right ] || fail "$code: no right example"
    timeout 60 sh wrong >said 2>&1 </dev/null
    [ "$(messages said)" = "$code" ] || fail "$code: the wrong example is told '$(messages said)': $(head -n 12 said)"
    if ! timeout 60 sh -e right >said 2>&1 </dev/null; then
        fail "$code: the right example: $(head -n 12 said)"
    elif [ -n "$(messages said)" ]; then
        fail "$code: the right example is told: $(head -n 12 said)"
    fi
    "$OLDSOW" help "$code" >help.txt 2>&1 || fail "oldsow help $code: $(cat help.txt)"
    # All of the page is shown, if not in the same lines.
    checks=$((checks + 1))
    sed '/^```/d; s/^# //' "$page" | tr -s ' \n' '\n\n' >page.words
    tr -s ' \n' '\n\n' <help.txt | cmp -s - page.words || fail "oldsow help $code: something else than the page"
    cd "$root" || exit 2
}

known=$(sed -n 's/^DIAG([A-Z0-9_]*, "\([A-Z0-9]*\)".*/\1/p' grammar/diagnostics.def)
for code in ${*:-$known}; do
    checks=$((checks + 1))
    if [ -f "docs/errors/$code.md" ]; then
        page "$code"
    else
        fail "$code: there is no docs/errors/$code.md; docs/internals.md tells what belongs in it"
    fi
done

if [ $# -eq 0 ]; then
    "$OLDSOW" help codes >"$scratch/codes" || fail 'oldsow help codes'
    "$OLDSOW" reference >"$scratch/reference" || fail 'oldsow reference'
    for file in docs/errors/*.md; do
        checks=$((checks + 3))
        code=$(basename "$file" .md)
        echo "$known" | grep -q -x "$code" || fail "$file: no message has this code"
        title=$(sed -n "1s/^# $code: //p" "$file")
        grep -q -x -F "  $code  $title" "$scratch/codes" || fail "oldsow help codes: no $code"
        grep -q -x -F "## $code: $title" "$scratch/reference" || fail "oldsow reference: no $code"
    done
fi

finish explain
