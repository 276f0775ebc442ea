#!/bin/sh
# by_letter.sh LUDEMES.DEF: the cases of a switch over the first letter of a name, each asking the ludemes that begin
# with it. Every word of a script is looked for, several times.
sed -n 's/^LUDEME(\([A-Z0-9_]*\), "\(.\).*/\2 L_\1/p' "$1" | LC_ALL=C sort | awk '
    $1 != last { if (NR > 1) print "break;"; print "case \047" $1 "\047:"; last = $1 }
    { print "    if (strcmp(name, ludemes[" $2 "].name) == 0) return " $2 ";" }
    END { print "break;" }'
