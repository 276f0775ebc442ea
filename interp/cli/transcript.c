#include "transcript.h"

#include <stdlib.h>

static size_t cells(const OldsowGame *game) {
    return (size_t)oldsow_sites(game) * (size_t)oldsow_pieces(game);
}

bool transcript_init(Transcript *t, const OldsowGame *game, FILE *out, bool every) {
    *t = (Transcript){.game = game, .out = out, .every = every};
    turns_init(&t->turns, game, out, true);
    t->drawn = calloc(cells(game) + 1, sizeof *t->drawn);
    return t->drawn != NULL;
}

void transcript_free(Transcript *t) {
    free(t->drawn);
    t->drawn = NULL;
}

// Whether the pieces lie as they did when the position was drawn last.
static bool drawn_already(const Transcript *t, const OldsowState *state) {
    size_t i = 0;
    for (int site = 0; site < oldsow_sites(t->game); site++)
        for (int piece = 0; piece < oldsow_pieces(t->game); piece++)
            if (oldsow_count_on(state, site, piece) != t->drawn[i++]) return false;
    return true;
}

void transcript_draw(Transcript *t, const OldsowState *state) {
    turns_break(&t->turns);
    if (t->any && drawn_already(t, state)) return;
    fputc('\n', t->out);
    oldsow_draw(state, t->out);
    fputc('\n', t->out);
    size_t i = 0;
    for (int site = 0; site < oldsow_sites(t->game); site++)
        for (int piece = 0; piece < oldsow_pieces(t->game); piece++)
            t->drawn[i++] = oldsow_count_on(state, site, piece);
    t->any = true;
}

// Much has changed when a third of all pieces lie elsewhere than when the position was drawn last,
// and more than a piece or two.
static bool changed_much(const Transcript *t, const OldsowState *state) {
    long come = 0, gone = 0, all = 0;
    size_t i = 0;
    for (int site = 0; site < oldsow_sites(t->game); site++)
        for (int piece = 0; piece < oldsow_pieces(t->game); piece++) {
            int now = oldsow_count_on(state, site, piece), then = t->drawn[i++];
            all += now;
            if (now > then) come += now - then;
            if (now < then) gone += then - now;
        }
    long moved = come > gone ? come : gone;
    return moved > 2 && 3 * moved >= all;
}

void transcript_ply(Transcript *t, const OldsowState *before, size_t candidate) {
    // A turn is not torn apart: the position is looked at between two of them.
    if (!t->every && turns_begins(&t->turns, before) && changed_much(t, before))
        transcript_draw(t, before);
    turns_ply(&t->turns, before, candidate);
}

void transcript_played(Transcript *t, const OldsowState *after) {
    if (t->every) transcript_draw(t, after);
}
