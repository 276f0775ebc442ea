#include "words.h"

#include <ctype.h>
#include <string.h>

#include "playout.h"

// The players with that result: "South", "South and East", "South, East and West".
static int players_with(const OldsowGame *game, const OldsowState *state, OldsowResult result,
                        FILE *out) {
    int with[OLDSOW_MAX_PLAYERS], n = 0;
    for (int p = 0; p < oldsow_players(game) && n < OLDSOW_MAX_PLAYERS; p++)
        if (oldsow_result(state, p) == result) with[n++] = p;
    for (int i = 0; i < n; i++) {
        if (i > 0) fputs(i == n - 1 ? " and " : ", ", out);
        fputs(oldsow_player_name(game, with[i]), out);
    }
    return n;
}

void words_result(const OldsowGame *game, const OldsowState *state, FILE *out) {
    PlayoutEnd end = playout_end(game, state);
    if (end == PLAYOUT_WON) {
        int n = players_with(game, state, OLDSOW_WON, out);
        fputs(n == 1 ? " wins" : " win", out);
    } else if (end == PLAYOUT_LOST) {
        int n = players_with(game, state, OLDSOW_LOST, out);
        fputs(n == 1 ? " loses" : " lose", out);
    } else if (end == PLAYOUT_DRAWN) {
        fputs("draw", out);
    } else {
        fputs(playout_word(end), out);
    }
}

// Whether a record's reader would take the bare name for a turn number: digits and a dot.
static bool like_turn_number(const char *name) {
    const char *s = name;
    while (isdigit((unsigned char)*s)) s++;
    return s > name && *s == '.';
}

const char *words_name(const char *name, char *buffer) {
    bool bare = *name && strcmp(name, "*") != 0 && !strpbrk(name, " \t\r\n\f\v;{}[]\":") &&
                !strstr(name, "//") && !like_turn_number(name);
    char *to = buffer;
    if (!bare) *to++ = '"';
    for (size_t i = 0; name[i] && i < OLDSOW_NAME_MAX - 1; i++) {
        if (name[i] == '"' || (name[i] == '\\' && !bare)) *to++ = '\\';
        *to++ = name[i];
    }
    if (!bare) *to++ = '"';
    *to = '\0';
    return buffer;
}

void words_candidates(const OldsowState *state, size_t limit, FILE *out) {
    bool throw = oldsow_status(state) == OLDSOW_CHANCE;
    size_t n = oldsow_candidates(state);
    // "and 1 more" would take the room of the name itself.
    size_t shown = n <= limit + 1 ? n : limit;
    for (size_t i = 0; i < shown; i++) {
        char name[OLDSOW_NAME_MAX], written[WORDS_NAME_MAX];
        if (i > 0) fputs(", ", out);
        fputs(words_name(oldsow_candidate(state, i, name), written), out);
        if (throw) fputc(':', out);
    }
    if (shown < n) fprintf(out, " and %zu more", n - shown);
}
