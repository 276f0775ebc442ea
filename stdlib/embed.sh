#!/bin/sh
# embed.sh NAME FILE...: writes the files as C source, as NAME_files and NAME_count, for the binary
# to carry them: see interp/language/stdlib_data.h.
set -eu

name=$1
shift

echo '#include "interp/language/stdlib_data.h"'
n=0
for file in "$@"; do
    echo
    echo "static const unsigned char text_$n[] = {"
    od -An -v -tx1 "$file" | sed 's/ *\([0-9a-f][0-9a-f]\)/0x\1,/g'
    echo "0};"
    n=$((n + 1))
done

echo
echo "const StdlibFile ${name}_files[] = {"
n=0
for file in "$@"; do
    bare=$(basename "$file")
    echo "    {\"${bare%.*}\", (const char *)text_$n, sizeof text_$n - 1},"
    n=$((n + 1))
done
# An array of no elements is no C; the count does not include this one.
echo "    {0, 0, 0},"
echo "};"
echo "const unsigned ${name}_count = $n;"
