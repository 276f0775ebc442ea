#include <ctype.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "record_scan.h"
#include "words.h"

// A record being played.
typedef struct Player {
    Record *record;
    const OldsowGame *game;
    OldsowState *state;
    const Replay *how;
    Scanner scanner;
    Token label; // a player's label that nothing has followed yet; TOKEN_END: none
    uint64_t turn, plies;
    char drawn[OLDSOW_NAME_MAX]; // the throw drawn just before this decision, or ""
} Player;

// ---- texts ----------------------------------------------------------------------------------

typedef void Writer(const Player *p, FILE *out);

// What `write` writes, as a text of the record's arena.
static const char *text_of(const Player *p, Writer *write) {
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    if (!out) return "?";
    write(p, out);
    // A text that is not whole for want of memory is no worse than none.
    if (fclose(out) != 0 || !text) return "?";
    // If the arena jumps away here the text is lost; the process is about to end then.
    const char *kept = arena_strndup(p->record->arena, text, size);
    free(text);
    return kept;
}

static void write_result(const Player *p, FILE *out) { words_result(p->game, p->state, out); }

static void write_choices(const Player *p, FILE *out) {
    words_candidates(p->state, WORDS_CANDIDATES, out);
}

static const char *mover(const Player *p) {
    return oldsow_player_name(p->game, oldsow_mover(p->state));
}

static bool waits(const Player *p) {
    OldsowStatus status = oldsow_status(p->state);
    return status == OLDSOW_CHOICE || status == OLDSOW_CHANCE;
}

// Notes who moves and what there is to choose or throw.
static void note_position(Player *p, int d) {
    if (!waits(p)) return;
    Diags *diags = &p->record->diags;
    bool chance = oldsow_status(p->state) == OLDSOW_CHANCE;
    diag_note(diags, d, "%s %s; may be %s: %s", mover(p), chance ? "throws" : "moves",
              chance ? "thrown" : "chosen", text_of(p, write_choices));
    if (*p->drawn)
        diag_note(diags, d, "the throw before it, `%s:`, was drawn from the seed", p->drawn);
}

enum { NEAREST_OF = 1024 }; // candidates looked through for a name that was meant

// The candidate, or else the player, whose name is near to the one written.
static const char *meant_name(const Player *p, const char *name, bool players) {
    size_t n = waits(p) ? oldsow_candidates(p->state) : 0;
    if (n > NEAREST_OF) n = NEAREST_OF;
    size_t nplayers = players ? (size_t)oldsow_players(p->game) : 0;
    Arena *arena = p->record->arena;
    const char **known = arena_array(arena, n + nplayers + 1, sizeof *known);
    for (size_t i = 0; i < n; i++) {
        char buffer[OLDSOW_NAME_MAX];
        const char *candidate = oldsow_candidate(p->state, i, buffer);
        known[i] = arena_strndup(arena, candidate, strlen(candidate));
    }
    for (size_t i = 0; i < nplayers; i++) known[n + i] = oldsow_player_name(p->game, (int)i);
    return nearest_name(name, known, n + nplayers);
}

// ---- plies ----------------------------------------------------------------------------------

static ReplayEnd play(Player *p, size_t candidate) {
    if (p->how->ply) p->how->ply(p->how->context, p->state, candidate);
    oldsow_play(p->state, candidate);
    if (p->how->played) p->how->played(p->how->context, p->state);
    if (watch_stops(p->how->watch, ++p->plies)) return REPLAY_STOPPED;
    return oldsow_status(p->state) == OLDSOW_FAULT ? REPLAY_FAULT : REPLAY_PLAYED;
}

// Draws the throws that come before the next choice.
static ReplayEnd draw_throws(Player *p) {
    ReplayEnd end = REPLAY_PLAYED;
    while (end == REPLAY_PLAYED && oldsow_status(p->state) == OLDSOW_CHANCE && p->how->throws) {
        size_t outcome = oldsow_pick(p->state, p->how->throws);
        oldsow_candidate(p->state, outcome, p->drawn);
        end = play(p, outcome);
    }
    return end;
}

static ReplayEnd refuse_over(Player *p, Span span) {
    int d = diag_report(&p->record->diags, E_RECORD_OVER, span, text_of(p, write_result));
    diag_mend(&p->record->diags, d, "the result stands in a header: [Result \"%s\"]",
              text_of(p, write_result));
    return REPLAY_WRONG;
}

// Whether the player named by the last label is the one who moves now.
static ReplayEnd settle_label(Player *p) {
    if (p->label.kind == TOKEN_END) return REPLAY_PLAYED;
    Span span = p->label.span;
    p->label.kind = TOKEN_END;
    if (!waits(p)) return refuse_over(p, span);
    if (strcmp(p->label.name, mover(p)) == 0) return REPLAY_PLAYED;
    int d = diag_report(&p->record->diags, E_RECORD_LABEL, span, p->label.name, mover(p));
    note_position(p, d);
    return REPLAY_WRONG;
}

static bool is_player(const Player *p, const char *name) {
    for (int i = 0; i < oldsow_players(p->game); i++)
        if (strcmp(oldsow_player_name(p->game, i), name) == 0) return true;
    return false;
}

// ---- tokens ---------------------------------------------------------------------------------

static ReplayEnd play_throw(Player *p, size_t outcome) {
    ReplayEnd end = settle_label(p);
    if (end != REPLAY_PLAYED) return end;
    if (p->how->throws) (void)oldsow_pick(p->state, p->how->throws);
    p->drawn[0] = '\0';
    return play(p, outcome);
}

static ReplayEnd refuse_colon(Player *p, const Token *token) {
    Diags *diags = &p->record->diags;
    OldsowStatus status = oldsow_status(p->state);
    bool number = isdigit((unsigned char)token->name[0]) || token->name[0] == '-';
    int d;
    if (number && status == OLDSOW_CHANCE)
        d = diag_report(diags, E_RECORD_THROW, token->span, token->name);
    else if (number)
        d = diag_report(diags, E_RECORD_NO_THROW, token->span, token->name);
    else
        d = diag_report(diags, E_RECORD_WHO, token->span, token->name);
    note_position(p, d);
    const char *meant = meant_name(p, token->name, true);
    if (status == OLDSOW_CHOICE && oldsow_find(p->state, token->name) >= 0)
        diag_mend(diags, d, "a choice is written without a colon: `%s`", token->name);
    else if (meant)
        diag_mend(diags, d, "did you mean `%s%s`?", meant,
                  status == OLDSOW_CHANCE || is_player(p, meant) ? ":" : "");
    return REPLAY_WRONG;
}

static ReplayEnd take_colon(Player *p, const Token *token) {
    bool chance = oldsow_status(p->state) == OLDSOW_CHANCE;
    long outcome = chance && !token->cut ? oldsow_find(p->state, token->name) : -1;
    if (outcome >= 0) return play_throw(p, (size_t)outcome);
    if (!is_player(p, token->name))
        return waits(p) ? refuse_colon(p, token) : refuse_over(p, token->span);
    ReplayEnd end = settle_label(p);
    p->label = *token;
    return end;
}

static ReplayEnd refuse_missing_throw(Player *p, const Token *token) {
    Diags *diags = &p->record->diags;
    int d = diag_report(diags, E_RECORD_SEED, token->span, token->name);
    note_position(p, d);
    if (oldsow_find(p->state, token->name) >= 0)
        diag_mend(diags, d, "a throw is written with a colon: `%s:`", token->name);
    else
        diag_mend(diags, d,
                  "write the throw before it, or give a seed to draw it from: "
                  "[Seed \"1\"] among the headers, or --seed 1");
    return REPLAY_WRONG;
}

static ReplayEnd refuse_choice(Player *p, const Token *token) {
    Diags *diags = &p->record->diags;
    int d = diag_report(diags, E_RECORD_CHOICE, token->span, token->name);
    note_position(p, d);
    if (is_player(p, token->name)) {
        diag_mend(diags, d, "a player's label is written with a colon: `%s:`", token->name);
        return REPLAY_WRONG;
    }
    const char *meant = meant_name(p, token->name, false);
    char written[WORDS_NAME_MAX];
    if (meant) diag_mend(diags, d, "did you mean `%s`?", words_name(meant, written));
    return REPLAY_WRONG;
}

static ReplayEnd take_name(Player *p, const Token *token) {
    ReplayEnd end = draw_throws(p);
    if (end != REPLAY_PLAYED) return end;
    OldsowStatus status = oldsow_status(p->state);
    if (status == OLDSOW_OVER) return refuse_over(p, token->span);
    if (status == OLDSOW_CHANCE) return refuse_missing_throw(p, token);
    end = settle_label(p);
    if (end != REPLAY_PLAYED) return end;
    long candidate = token->cut ? -1 : oldsow_find(p->state, token->name);
    if (candidate < 0) return refuse_choice(p, token);
    p->drawn[0] = '\0';
    return play(p, (size_t)candidate);
}

static ReplayEnd take_turn(Player *p, const Token *token) {
    char *end;
    unsigned long long number =
        strtoull(token->name, &end, 10); // too big a number is too big a turn
    if (token->again && p->turn > 0 && number == p->turn) return REPLAY_PLAYED;
    if (number == p->turn + 1 && !token->cut) {
        p->turn++;
        return REPLAY_PLAYED;
    }
    diag_report(&p->record->diags, E_RECORD_TURN, token->span, token->name,
                (unsigned long long)p->turn + 1);
    return REPLAY_WRONG;
}

// ---- what the record claims -----------------------------------------------------------------

static ReplayEnd check_result(Player *p, Span span, const char *claim) {
    const char *result = text_of(p, write_result);
    if (strcmp(claim, "*") == 0) claim = "unfinished";
    if (strcmp(claim, result) == 0) return REPLAY_PLAYED;
    int d = diag_report(&p->record->diags, E_RECORD_RESULT, span, claim, result);
    note_position(p, d);
    return REPLAY_WRONG;
}

static ReplayEnd check_position(Player *p, const RecordHeader *header) {
    char hash[17];
    snprintf(hash, sizeof hash, "%016" PRIx64, oldsow_position_hash(p->state));
    if (strcmp(header->value, hash) == 0) return REPLAY_PLAYED;
    int d = diag_report(&p->record->diags, E_RECORD_POSITION, header->span, header->value, hash);
    diag_mend(&p->record->diags, d,
              "if the moves were changed on purpose, take the header Position out");
    return REPLAY_WRONG;
}

static ReplayEnd check_claims(Player *p, const Token *star) {
    if (p->how->trust) return REPLAY_PLAYED;
    const RecordHeader *result = record_find_header(p->record, "Result");
    const RecordHeader *position = record_find_header(p->record, "Position");
    ReplayEnd end = REPLAY_PLAYED;
    if (result) end = check_result(p, result->span, result->value);
    if (star && end == REPLAY_PLAYED) end = check_result(p, star->span, "*");
    if (position && end == REPLAY_PLAYED) end = check_position(p, position);
    return end;
}

static ReplayEnd finish(Player *p, const Token *star) {
    ReplayEnd end = check_claims(p, star);
    if (end == REPLAY_PLAYED && !star) end = draw_throws(p);
    return end == REPLAY_PLAYED ? settle_label(p) : end;
}

static ReplayEnd replay(Player *p) {
    if (oldsow_status(p->state) == OLDSOW_FAULT) return REPLAY_FAULT;
    for (;;) {
        Token token;
        scan_token(&p->scanner, &token);
        ReplayEnd end = REPLAY_PLAYED;
        switch (token.kind) {
        case TOKEN_END: return finish(p, NULL);
        case TOKEN_STAR: return finish(p, &token);
        case TOKEN_TURN: end = take_turn(p, &token); break;
        case TOKEN_COLON: end = take_colon(p, &token); break;
        case TOKEN_NAME: end = take_name(p, &token); break;
        }
        if (end != REPLAY_PLAYED) return end;
    }
}

ReplayEnd record_replay(Record *record, const OldsowGame *game, OldsowState *state,
                        const Replay *how) {
    if (!record_fine(record)) return REPLAY_WRONG;
    if (setjmp(*arena_oom(record->arena))) return REPLAY_NO_MEMORY;
    Player player = {.record = record,
                     .game = game,
                     .state = state,
                     .how = how,
                     .scanner = {.record = record, .at = record->moves}};
    return replay(&player);
}

// ---- which game the record is of ------------------------------------------------------------

static void check_rules(Record *r, const OldsowGame *game, const RecordHeader *header) {
    char hash[17];
    snprintf(hash, sizeof hash, "%016" PRIx64, oldsow_rules_hash(game));
    if (strcmp(header->value, hash) == 0) return;
    int d = diag_report(&r->diags, E_RECORD_RULES, header->span, header->value, hash);
    const char *reading = oldsow_reading(game);
    diag_note(&r->diags, d, "the script was loaded with %s%s%s",
              reading ? "the reading `" : "no reading", reading ? reading : "", reading ? "`" : "");
    diag_mend(&r->diags, d,
              "give the reading and options it was made with, or --force to play it all the same");
}

bool record_belongs(Record *record, const OldsowGame *game) {
    if (!record_fine(record)) return false;
    if (setjmp(*arena_oom(record->arena))) return false;
    const RecordHeader *rules = record_find_header(record, "Rules");
    const RecordHeader *title = record_find_header(record, "Game");
    // Equal rules are the same game, whatever it was called then.
    if (rules)
        check_rules(record, game, rules);
    else if (title && strcmp(title->value, oldsow_title(game)) != 0) {
        int d = diag_report(&record->diags, E_RECORD_GAME, title->span, title->value,
                            oldsow_title(game));
        diag_mend(&record->diags, d, "--force plays it all the same");
    }
    return record_fine(record);
}
