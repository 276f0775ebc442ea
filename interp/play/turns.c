#include "turns.h"

#include <string.h>

#include "words.h"

enum { LINE = 80, INDENT = 4 };

void turns_init(Turns *turns, const OldsowGame *game, FILE *out, bool spread) {
    *turns = (Turns){.game = game, .out = out, .spread = spread, .mover = -1};
}

void turns_break(Turns *t) {
    if (t->column == 0) return;
    fputc('\n', t->out);
    t->bytes++;
    t->column = 0;
}

bool turns_begins(const Turns *t, const OldsowState *before) {
    if (t->number == 0) return true;
    if (oldsow_players(t->game) == 1) return !t->threw;
    return oldsow_mover(before) != t->mover;
}

// Writes `word` on the line, or on a new one where it does not fit.
static void write_word(Turns *t, const char *word) {
    size_t length = strlen(word);
    if (t->column > 0 && t->column + 1 + length > LINE) turns_break(t);
    size_t blanks = t->column > 0 ? 1 : t->indented ? INDENT : 0;
    fprintf(t->out, "%*s%s", (int)blanks, "", word);
    t->column += blanks + length;
    t->bytes += blanks + length;
}

static void begin_turn(Turns *t, int mover) {
    bool alone = oldsow_players(t->game) == 1;
    if (!alone || t->spread) turns_break(t);
    t->number++;
    t->mover = mover;
    t->indented = false;
    char number[32];
    snprintf(number, sizeof number, "%llu.", t->number);
    write_word(t, number);
    t->indented = !alone || t->spread;
    if (alone) return;
    const char *player = oldsow_player_name(t->game, mover);
    fprintf(t->out, " %s:", player);
    t->column += strlen(player) + 2;
    t->bytes += strlen(player) + 2;
}

void turns_ply(Turns *t, const OldsowState *before, size_t candidate) {
    if (turns_begins(t, before)) begin_turn(t, oldsow_mover(before));
    char name[OLDSOW_NAME_MAX], word[WORDS_NAME_MAX + 1];
    words_name(oldsow_candidate(before, candidate, name), word);
    t->threw = oldsow_status(before) == OLDSOW_CHANCE;
    if (t->threw) strcat(word, ":");
    write_word(t, word);
}
