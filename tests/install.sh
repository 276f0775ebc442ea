#!/bin/sh
# Installs into a folder of its own, builds examples/play.c with what pkg-config says of it, against the shared and
# the static library, plays a game with both, reads the header as C++, and takes everything away again.
#
#   OLDSOW=build/oldsow tests/install.sh
#
# Run from the root of the repository. Prints a line for each failure and a count at the end.

. tests/lib/checks.sh
build=$(realpath --relative-to=. "$(dirname "$OLDSOW")")

# does WHAT COMMAND...: the command must end well; what it prints is left in `out`.
does() {
    what=$1
    shift
    checks=$((checks + 1))
    "$@" >"$scratch/out" 2>&1 || fail "$what: status $?: $(head -n 5 "$scratch/out")"
}

says() { # WHAT PATTERN FILE
    checks=$((checks + 1))
    grep -q "$2" "$3" || fail "$1: no line '$2': $(tail -n 5 "$3")"
}

# A make of our own: not the one that runs this test, whose jobs and flags are none of ours.
our_make() {
    env -u MAKEFLAGS -u MFLAGS -u MAKELEVEL make BUILD="$build" "$@"
}

files_in() { # DIRECTORY: all that is no directory
    (cd "$1" && find . ! -type d | sort | tr '\n' ' ')
}

# ---- where a package would be made: PREFIX within DESTDIR ----

root=$scratch/root
wanted='./usr/bin/oldsow ./usr/include/oldsow.h ./usr/lib/liboldsow.a ./usr/lib/liboldsow.so '
wanted="$wanted./usr/lib/liboldsow.so.0 ./usr/lib/pkgconfig/oldsow.pc "
does 'install with DESTDIR' our_make PREFIX=/usr DESTDIR="$root" install
same 'installed with DESTDIR' "$wanted" "$(files_in "$root")"
same 'the prefix in oldsow.pc' 'prefix=/usr' "$(grep '^prefix=' "$root/usr/lib/pkgconfig/oldsow.pc")"
does 'uninstall with DESTDIR' our_make PREFIX=/usr DESTDIR="$root" uninstall
same 'left behind in DESTDIR' '' "$(files_in "$root")"

# ---- where it is used: PREFIX alone ----

prefix=$scratch/prefix
mkdir -p "$prefix/lib"
echo theirs >"$prefix/lib/another"
does install our_make PREFIX="$prefix" DESTDIR= install

version=$(sed -n 's/^#define OLDSOW_VERSION "\(.*\)"/\1/p' interp/oldsow.h)
same 'oldsow --version' "oldsow $version" "$("$prefix/bin/oldsow" --version)"
does 'the installed command' "$prefix/bin/oldsow" check games/laomuzhu.sow
same 'what it says of a good script' '' "$(cat "$scratch/out")"

export PKG_CONFIG_PATH="$prefix/lib/pkgconfig"
same 'pkg-config --modversion' "$version" "$(pkg-config --modversion oldsow)"
same 'pkg-config --cflags' "-I$prefix/include" "$(pkg-config --cflags oldsow | sed 's/ *$//')"

# A library built with the sanitizers needs them at the end too.
sanitizers=
grep -q __asan_init "$prefix/lib/liboldsow.a" && sanitizers='-fsanitize=address,undefined'
cc=${CC:-gcc}
warnings='-Wall -Wextra -Wpedantic -Werror'

# shellcheck disable=SC2046,SC2086 # flags are to be split
{
    does 'play.c, shared' $cc -std=c17 $warnings $sanitizers $(pkg-config --cflags oldsow) \
        -o "$scratch/shared" examples/play.c $(pkg-config --libs oldsow)
    does 'play.c, static' $cc -std=c17 $warnings $sanitizers $(pkg-config --cflags oldsow) \
        -o "$scratch/static" examples/play.c \
        -Wl,-Bstatic $(pkg-config --static --libs oldsow) -Wl,-Bdynamic
}

needs() { # PROGRAM: whether it needs the shared library
    if readelf -d "$1" | grep -q 'NEEDED.*liboldsow\.so\.0'; then echo yes; else echo no; fi
}
same 'shared needs liboldsow.so.0' yes "$(needs "$scratch/shared")"
same 'static needs liboldsow.so.0' no "$(needs "$scratch/static")"

play_shared() { LD_LIBRARY_PATH="$prefix/lib" "$scratch/shared" "$@"; }

does 'a game, shared' play_shared games/laomuzhu.sow
mv "$scratch/out" "$scratch/first"
says 'how it ended' '^South has won$' "$scratch/first"
does 'a game, static' "$scratch/static" games/laomuzhu.sow
same 'static against shared' "$(cat "$scratch/first")" "$(cat "$scratch/out")"

does 'a random game' play_shared games/len-doat.sow 7
mv "$scratch/out" "$scratch/first"
does 'the same again' play_shared games/len-doat.sow 7
same 'a game from the same seed' "$(cat "$scratch/first")" "$(cat "$scratch/out")"

echo '(game "Broken" (players One) (bord (line 3)))' >"$scratch/broken.sow"
play_shared "$scratch/broken.sow" >"$scratch/out" 2>&1
same 'status for a broken script' 1 $?
says 'a broken script' 'E0201' "$scratch/out"
play_shared >"$scratch/out" 2>&1
same 'status without a script' 2 $?

# ---- C++ ----

if command -v g++ >/dev/null; then
    cat >"$scratch/play.cc" <<'END'
#include <oldsow.h>
int main(int, char **argv) {
    OldsowReport *report = nullptr;
    OldsowGame *game = oldsow_load(argv[1], nullptr, &report);
    oldsow_report_free(report);
    if (!game) return 1;
    bool two = oldsow_players(game) == 2;
    oldsow_game_free(game);
    return two ? 0 : 1;
}
END
    # shellcheck disable=SC2046,SC2086
    does 'the header as C++' g++ -std=c++17 $warnings $sanitizers $(pkg-config --cflags oldsow) \
        -o "$scratch/cplusplus" "$scratch/play.cc" $(pkg-config --libs oldsow)
    LD_LIBRARY_PATH="$prefix/lib" does 'a program in C++' "$scratch/cplusplus" games/laomuzhu.sow
fi

# ---- and away again ----

does uninstall our_make PREFIX="$prefix" DESTDIR= uninstall
same 'left behind' './lib/another ' "$(files_in "$prefix")"

finish install
