#include "findings.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "../language/script.h"
#include "simulate.h"

enum {
    DECIDED_LEAST = 10, // games per player that somebody must win before it is told who never does
    ASKED_LEAST = 20,   // decisions before it is told that none leaves a choice
    MOVES_SHOWN = 1000, // bytes of a record that a note may have
};

// One run of findings_report.
typedef struct Telling {
    const Findings *f;
    Arena *arena;
    Diags *diags;
    const Script *script;
    Spots spots; // beyond the arena
} Telling;

// ---- words ---------------------------------------------------------------------------------------

static const char *number_of(Telling *t, uint64_t n, const char *one, const char *many) {
    return arena_printf(t->arena, "%" PRIu64 " %s", n, n == 1 ? one : many);
}

static const char *times(Telling *t, uint64_t n) { return number_of(t, n, "time", "times"); }

static const char *share(Telling *t, uint64_t n, uint64_t of) {
    return n == of ? arena_printf(t->arena, of == 1 ? "the only game" : "all %" PRIu64 " games", of)
                   : arena_printf(t->arena, "%" PRIu64 " of %" PRIu64 " games", n, of);
}

static const char *join(Telling *t, const char *before, const char *next) {
    return before ? arena_printf(t->arena, "%s, %s", before, next) : next;
}

// ---- failures ------------------------------------------------------------------------------------

static const Failure *find_failure(const Trial *trial, const Failure *like) {
    for (size_t i = 0; i < trial->nfailures; i++) {
        const Failure *f = &trial->failures[i];
        if (f->code == like->code && f->placed == like->placed && same_span(f->span, like->span))
            return f;
    }
    return NULL;
}

// The innermost loop of the form that the place is in, or `found`.
static const Node *loop_round(const Node *n, Span at, const Node *found) {
    if (n->span.file != at.file || n->span.start > at.start || n->span.end < at.end) return found;
    const char *head = node_head(n);
    bool loop = head && n->nkids > 1 && (strcmp(head, "while") == 0 || strcmp(head, "repeat") == 0);
    if (loop) found = n;
    for (uint32_t i = 0; i < n->nkids; i++) found = loop_round(n->kids[i], at, found);
    return found;
}

// Where the steps ran out is chance: what does not end is the loop around it. Failures of one loop become one.
static void tell_of_loops(const Script *script, const Trial *trial) {
    for (size_t i = 0; i < trial->nfailures; i++) {
        Failure *f = &trial->failures[i];
        const Node *loop = NULL;
        for (size_t k = 0; f->code == R_STEPS && f->placed && k < script->items.n; k++)
            loop = loop_round(script->items.at[k].node, f->span, loop);
        if (!loop) continue;
        f->span = loop->kids[0]->span;
        if (strcmp(node_head(loop), "while") == 0)
            f->span = span_join(f->span, loop->kids[1]->span);
        for (size_t k = 0; k < i && f->games; k++) {
            Failure *other = &trial->failures[k];
            if (other->games == 0 || find_failure(trial, f) != other) continue;
            uint64_t games = other->games + f->games;
            if (f->plies < other->plies) { // the shortest is told
                Failure longer = *other;
                *other = *f;
                *f = longer;
            }
            other->games = games;
            f->games = 0;
        }
    }
}

static int report_failure(Telling *t, const Failure *shortest, uint64_t games, uint64_t of) {
    const char *in = share(t, games, of);
    if (shortest->code == W_CONSERVED)
        return diag_report(t->diags, W_CONSERVED, shortest->span, in, shortest->before,
                           shortest->after);
    bool endless = shortest->code == R_ENDLESS || shortest->code == R_STEPS;
    DiagCode code = endless ? W_ENDLESS : W_FAILS;
    const char *number = diag_number(shortest->code), *text = shortest->text;
    if (strncmp(text, "endless: ", 9) == 0) text += 9; // the warning says so itself
    if (!shortest->placed) return diag_report_placeless(t->diags, code, in, text, number);
    return diag_report(t->diags, code, shortest->span, in, text, number);
}

// The moves of a record on one line: what follows its headers.
static char *moves_of(Telling *t, const char *record, size_t size) {
    const char *body = strstr(record, "\n\n");
    size_t n = body ? size - (size_t)(body + 2 - record) : 0, k = 0;
    char *line = arena_strndup(t->arena, body ? body + 2 : "", n);
    for (size_t i = 0; i < n; i++) { // line ends and indents become one blank
        bool blank = line[i] == '\n' || line[i] == ' ';
        if (!blank) line[k++] = line[i];
        if (blank && k > 0 && line[k - 1] != ' ') line[k++] = ' ';
    }
    // `*` says that the record stops before the game is over, and nothing here.
    while (k > 0 && (line[k - 1] == ' ' || line[k - 1] == '*')) k--;
    line[k] = '\0';
    return line;
}

static void note_moves(Telling *t, int d, const char *record, size_t size) {
    const char *moves = moves_of(t, record, size);
    if (!*moves)
        diag_note(t->diags, d, "it happens before the first decision");
    else if (strlen(moves) <= MOVES_SHOWN)
        diag_note(t->diags, d, "the shortest of these games: %s", moves);
}

static void note_command(Telling *t, int d, const Try *try, uint64_t number) {
    const char *flags = "";
    if (try->how.reading) flags = arena_printf(t->arena, " --reading %s", try->how.reading);
    for (size_t i = 0; i < try->how.nsettings; i++)
        flags = arena_printf(t->arena, "%s --set %s=%s", flags, try->how.settings[i].option,
                             try->how.settings[i].value);
    const char *file = source_of(&t->f->report->shared->sources, t->script->tree->span)->name;
    diag_note(t->diags, d, "oldsow run %s%s --random --seed %" PRIu64 " plays it", file, flags,
              simulate_seed(try->trial.seed, number));
}

// How to see it again: the game's moves, its seed, where its record is.
static void note_record(Telling *t, int d, const Try *try, const Failure *failure) {
    if (d < 0) return;
    const Findings *f = t->f;
    if (failure->record) note_moves(t, d, failure->record, failure->record_size);
    note_command(t, d, try, failure->number);
    if (!failure->record || !f->save) return;
    Place place = {0};
    if (failure->placed)
        place = source_place(source_of(&f->report->shared->sources, failure->span),
                             failure->span.start);
    const char *code = diag_number(failure->code);
    const char *path = f->save(f->context, code, place, failure->record, failure->record_size);
    if (path) diag_note(t->diags, d, "its record is in %s", path);
}

// Which readings have a share in it; said only if there are others.
static void note_labels(Telling *t, int d, const char *labels, size_t n, const char *what) {
    if (d >= 0 && n < t->f->ntries) diag_note(t->diags, d, "%s %s", what, labels);
}

static void tell_failure(Telling *t, size_t first, const Failure *failure) {
    const Findings *f = t->f;
    const Try *best_try = &f->tries[first];
    const Failure *best = failure;
    uint64_t games = 0, of = 0;
    const char *labels = NULL;
    size_t n = 0;
    for (size_t i = 0; i < f->ntries; i++) {
        const Trial *trial = &f->tries[i].trial;
        const Failure *here = find_failure(trial, failure);
        of += trial->games;
        if (!here) continue;
        if (i < first) return; // told already
        games += here->games;
        labels = join(t, labels, f->tries[i].label);
        n++;
        if (here->plies >= best->plies) continue;
        best = here;
        best_try = &f->tries[i];
    }
    int d = report_failure(t, best, games, of);
    note_labels(t, d, labels, n, "only under");
    note_record(t, d, best_try, best);
}

static void tell_failures(Telling *t) {
    for (size_t i = 0; i < t->f->ntries; i++)
        for (size_t k = 0; k < t->f->tries[i].trial.nfailures; k++)
            if (t->f->tries[i].trial.failures[k].games > 0)
                tell_failure(t, i, &t->f->tries[i].trial.failures[k]);
}

// ---- how games end -------------------------------------------------------------------------------

static void tell_unfinished(Telling *t) {
    const Findings *f = t->f;
    uint64_t games = 0, of = 0;
    const char *labels = NULL;
    size_t n = 0;
    for (size_t i = 0; i < f->ntries; i++) {
        const Trial *trial = &f->tries[i].trial;
        games += trial->ends[PLAYOUT_UNFINISHED];
        of += trial->games;
        if (trial->ends[PLAYOUT_UNFINISHED] == 0) continue;
        labels = join(t, labels,
                      arena_printf(t->arena, "%s (%" PRIu64 " of %" PRIu64 ")", f->tries[i].label,
                                   trial->ends[PLAYOUT_UNFINISHED], trial->games));
        n++;
    }
    const Item *play = script_find(t->script, L_PLAY, NULL);
    if (games == 0 || !play) return;
    int d =
        diag_report(t->diags, W_UNFINISHED, play->node->kids[0]->span,
                    arena_printf(t->arena, "%s %s", share(t, games, of), games == 1 ? "is" : "are"),
                    arena_printf(t->arena, "%" PRIu64, f->tries[0].trial.max_plies));
    note_labels(t, d, labels, n, "only under");
    for (size_t i = 0; d >= 0 && i < f->ntries; i++)
        if (f->tries[i].trial.given_up) {
            diag_note(t->diags, d,
                      "after %" PRIu64 " games of which none came to an end no more were played",
                      f->tries[i].trial.games);
            break;
        }
}

// Whether so many games were won by somebody that it means something if he never did.
static bool tells_who_wins(const Trial *trial) {
    uint64_t players = (uint64_t)oldsow_players(trial->game);
    return players > 1 && trial->ends[PLAYOUT_WON] >= DECIDED_LEAST * players;
}

static long player_named(const OldsowGame *game, const char *name) {
    for (int p = 0; p < oldsow_players(game); p++)
        if (strcmp(oldsow_player_name(game, p), name) == 0) return p;
    return -1;
}

static Span player_span(Telling *t, const char *name) {
    const Node *players = script_find(t->script, L_PLAYERS_ARE, NULL)->node;
    for (uint32_t i = 1; i < players->nkids; i++)
        if (players->kids[i]->text && strcmp(players->kids[i]->text, name) == 0)
            return players->kids[i]->span;
    return players->kids[0]->span;
}

static void tell_winner(Telling *t, size_t first, int player) {
    const Findings *f = t->f;
    const char *name = oldsow_player_name(f->tries[first].trial.game, player), *labels = NULL;
    uint64_t of = 0;
    size_t n = 0;
    for (size_t i = 0; i < f->ntries; i++) {
        const Trial *trial = &f->tries[i].trial;
        long p = player_named(trial->game, name);
        if (p < 0 || !tells_who_wins(trial)) continue;
        if (trial->wins[p] > 0) continue;
        if (i < first) return; // told already
        labels = join(t, labels, f->tries[i].label);
        of += trial->games;
        n++;
    }
    if (n == 0) return;
    int d = diag_report(t->diags, W_NEVER_WINS, player_span(t, name), name,
                        number_of(t, of, "game", "games"));
    note_labels(t, d, labels, n, "so under");
}

static void tell_winners(Telling *t) {
    for (size_t i = 0; i < t->f->ntries; i++)
        for (int p = 0; p < oldsow_players(t->f->tries[i].trial.game); p++) {
            const Trial *trial = &t->f->tries[i].trial;
            if (tells_who_wins(trial) && trial->wins[p] == 0) tell_winner(t, i, p);
        }
}

// ---- decisions without a choice ------------------------------------------------------------------

static bool own(const Telling *t, Span span) { return span.file == t->script->tree->span.file; }

static Span decision_span(const Trial *trial, int d) {
    const Program *p = &trial->game->program;
    return p->origins[p->decisions[d].pc].span;
}

// All that was asked at that place of the script. Sets *before if an earlier try or decision is of this place.
static Asked sum_asked(const Telling *t, size_t first, int decision, bool *before) {
    Span span = decision_span(&t->f->tries[first].trial, decision);
    Asked sum = {0};
    *before = false;
    for (size_t i = 0; i < t->f->ntries; i++) {
        const Trial *trial = &t->f->tries[i].trial;
        for (int d = 0; d < trial->game->program.ndecisions; d++) {
            if (!same_span(decision_span(trial, d), span)) continue;
            *before |= i < first || (i == first && d < decision);
            sum.times += trial->asked[d].times;
            sum.alone += trial->asked[d].alone;
            sum.named |= trial->asked[d].named;
        }
    }
    return sum;
}

static uint64_t failed_games(const Telling *t) {
    uint64_t games = 0;
    for (size_t i = 0; i < t->f->ntries; i++)
        games +=
            t->f->tries[i].trial.ends[PLAYOUT_FAULT] + t->f->tries[i].trial.ends[PLAYOUT_ENDLESS];
    return games;
}

static uint64_t all_games(const Telling *t) {
    uint64_t games = 0;
    for (size_t i = 0; i < t->f->ntries; i++) games += t->f->tries[i].trial.games;
    return games;
}

static void tell_choices(Telling *t) {
    for (size_t i = 0; i < t->f->ntries; i++) {
        const Trial *trial = &t->f->tries[i].trial;
        for (int d = 0; d < trial->game->program.ndecisions; d++) {
            Span span = decision_span(trial, d);
            if (!own(t, span)) continue;
            bool before;
            Asked sum = sum_asked(t, i, d, &before);
            if (before || !sum.named || sum.times < ASKED_LEAST || sum.alone < sum.times) continue;
            diag_report(t->diags, W_NO_CHOICE, span, number_of(t, all_games(t), "game", "games"),
                        times(t, sum.times));
        }
    }
}

// ---- what is never done --------------------------------------------------------------------------

// Whether it is told of the spot that play never came by it: what a (where: ...) was never asked for is told where its
// (choose ...) stands, and what is in a library, or a game that is varied, is not the author's.
static bool worth_telling(const Telling *t, const Spot *spot) {
    return spot->count == 0 && own(t, spot->span) && spot->kind != OLDSOW_PLACE_ASKED;
}

static const Spot *spot_of(const Telling *t, size_t trial, int place) {
    return &t->spots.at[t->spots.spot_of[trial][place]];
}

// Whether nothing is told of what leads to this place and was never come by itself.
static bool outermost(const Telling *t, size_t trial, int place) {
    const CoverPlace *places = t->f->tries[trial].trial.game->program.places;
    for (int up = places[place].up; up >= 0; up = places[up].up) {
        const Spot *spot = spot_of(t, trial, up);
        if (spot->count > 0) return true;
        if (worth_telling(t, spot)) return false;
        if (places[place].kind == OLDSOW_PLACE_HELD && up == places[place].up) return false;
    }
    return true;
}

static uint64_t asked_for(const Telling *t, const Spot *spot) {
    uint64_t n = 0;
    for (size_t i = 0; i < spot->n; i++) {
        const SpotPlace *p = &t->spots.order[spot->first + i];
        const Trial *trial = &t->f->tries[p->trial].trial;
        int up = trial->game->program.places[p->place].up;
        if (up >= 0) n += trial->counts[up];
    }
    return n;
}

static const char *never(OldsowPlaceKind kind) {
    switch (kind) {
    case OLDSOW_PLACE_CHOSEN: return "this is offered and never chosen";
    case OLDSOW_PLACE_ROUND: return "this loop never has a round";
    default: return "this is never done";
    }
}

static void tell_spot(Telling *t, const Spot *spot) {
    const char *labels = NULL, *in;
    uint64_t games = 0;
    size_t last = SIZE_MAX;
    for (size_t i = 0; i < spot->n; i++) {
        size_t k = t->spots.order[spot->first + i].trial;
        if (k == last) continue;
        last = k;
        labels = join(t, labels, t->f->tries[k].label);
        games += t->f->tries[k].trial.games;
    }
    in = number_of(t, games, "game", "games");
    int d = -1;
    switch (spot->kind) {
    case OLDSOW_PLACE_NO:
        d = diag_report(t->diags, W_NEVER_NO, spot->span, in, times(t, asked_for(t, spot)));
        break;
    case OLDSOW_PLACE_HELD:
        d = diag_report(t->diags, W_NEVER_HOLDS, spot->span, in, times(t, asked_for(t, spot)));
        break;
    case OLDSOW_PLACE_OFFERED: d = diag_report(t->diags, W_NEVER_OFFERED, spot->span, in); break;
    default: d = diag_report(t->diags, W_NEVER_DONE, spot->span, never(spot->kind), in); break;
    }
    if (spot->kind == OLDSOW_PLACE_CHOSEN)
        diag_note(t->diags, d, "it was offered %s", times(t, asked_for(t, spot)));
    if (spot->kind == OLDSOW_PLACE_ROUND)
        diag_note(t->diags, d, "it was come to %s", times(t, asked_for(t, spot)));
    note_labels(t, d, labels, spot->ntries, "it is in the rules only under");
}

static void tell_spots(Telling *t) {
    for (size_t i = 0; i < t->spots.n; i++) {
        const Spot *spot = &t->spots.at[i];
        if (!worth_telling(t, spot)) continue;
        bool tell = false;
        for (size_t k = 0; k < spot->n && !tell; k++) {
            const SpotPlace *p = &t->spots.order[spot->first + k];
            tell = outermost(t, p->trial, p->place);
        }
        if (tell) tell_spot(t, spot);
    }
}

// ---- all of it -----------------------------------------------------------------------------------

bool findings_report(const Findings *f) {
    Shared *s = f->report->shared;
    Telling t = {.f = f, .arena = s->arena, .diags = &s->diags, .script = s->script};
    for (size_t i = 0; i < f->ntries; i++) tell_of_loops(s->script, &f->tries[i].trial);
    if (!spots_gather(&t.spots, f->tries, f->ntries) || setjmp(*arena_oom(s->arena))) {
        spots_free(&t.spots);
        return false;
    }
    // Where every game fails, what else it does not come to is only a consequence.
    if (all_games(&t) > 0 && all_games(&t) == failed_games(&t)) {
        tell_failures(&t);
    } else if (all_games(&t) > 0) {
        tell_failures(&t);
        tell_unfinished(&t);
        tell_winners(&t);
        tell_choices(&t);
        tell_spots(&t);
    }
    diags_sort(t.diags);
    spots_free(&t.spots);
    return true;
}
