// The public interface's loading and describing: oldsow.h up to `playing`.

#include "game.h"
#include "language/blame.h"
#include "language/check.h"
#include "language/compile.h"
#include "language/doubts.h"
#include "language/in_vain.h"
#include "language/options.h"
#include "language/script.h"
#include "language/usage.h"
#include "vm/pack.h"
#include "stdlib_data.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

enum { ARENA_BUDGET = 512 << 20 };

// ---- one loading -------------------------------------------------------------------------------------

static Shared *new_shared(void) {
    Arena *arena = arena_new(ARENA_BUDGET);
    if (!arena) return NULL;
    if (setjmp(*arena_oom(arena))) {
        arena_free(arena);
        return NULL;
    }
    Shared *s = arena_alloc(arena, sizeof *s);
    s->arena = arena;
    sources_init(&s->sources, arena);
    diags_init(&s->diags, arena);
    return s;
}

static void release(Shared *s) {
    if (atomic_fetch_sub(&s->users, 1) == 1) arena_free(s->arena);
}

static void describe_game(OldsowGame *game, Shared *s, Arena *arena, const World *w,
                          const Expanded *e, const OldsowLoading *how) {
    game->shared = s;
    game->title = e->script->title;
    game->doc = e->script->doc;
    game->reading = how && how->reading ? arena_intern_str(arena, how->reading) : NULL;
    game->options = public_options(arena, e);
    game->noptions = e->options.n;
    game->readings = public_readings(arena, e->script, &game->nreadings);
    game->written = e->script->tree;
    game->expanded = e;
    game->rows = w->rows;
    game->columns = w->columns;
    game->board_note = w->board_note;
}

// From a script to a program under one setting of the options, made in that arena; NULL if there are errors.
static OldsowGame *build(Shared *s, Arena *arena, const Script *script, const OldsowLoading *how,
                         bool to_play) {
    Expanded *e = expand_script(arena, script, &s->diags, how);
    World w;
    world_init(&w, arena, &s->diags, script, e);
    equip(&w);
    doubt_names(&w);
    // Without board or players nearly every line would be a fault.
    if (s->diags.errors && (w.nboard == 0 || w.players.n == 0)) {
        if (e->start) check_heads(&w, e->start);
        if (e->play) check_heads(&w, e->play);
        return NULL;
    }
    if (e->start) check_program(&w, e->start);
    if (e->play)
        check_program(&w, e->play);
    else if (!script->unknown_items && script->tree->nkids && script->tree->kids[0]->nkids) {
        int d = diag_report(&s->diags, E_LACKS, script->tree->kids[0]->kids[0]->span, "play");
        diag_mend(&s->diags, d, "the rules stand in (play ...)");
    }
    if (s->diags.errors) return NULL;
    doubt_program(&w);
    OldsowGame *game = arena_alloc(arena, sizeof *game);
    if (!compile_program(&w, how && how->places, to_play, &game->program)) return NULL;
    game->program.sources = &s->sources;
    describe_game(game, s, arena, &w, e, how);
    return game;
}

// Whether that setting has errors; nothing but what is told of it stays.
static void try_setting(Shared *s, const Script *script, const OldsowLoading *how) {
    Arena *arena = arena_branch(s->arena);
    build(s, arena, script, how, false);
    arena_free(arena);
}

// Once brackets or texts are not closed, what stands where is a guess; and what a missing file defines cannot be told.
static bool may_go_on(const Shared *s, const Script *script) {
    static const DiagCode wrecks[] = {E_OPEN_STRING,   E_BRACKET_KIND, E_BRACKET_OPEN,
                                      E_BRACKET_EXTRA, E_TOO_DEEP,     E_OPEN_COMMENT};
    for (size_t i = 0; i < s->diags.all.n; i++)
        for (size_t k = 0; k < sizeof wrecks / sizeof *wrecks; k++)
            if (s->diags.all.at[i].code == wrecks[k]) return false;
    return !script->broken && script->tree && script->title;
}

static OldsowReport *make_report(Shared *s, OldsowReport **report) {
    OldsowReport *r = arena_alloc(s->arena, sizeof *r);
    r->shared = s;
    atomic_fetch_add(&s->users, 1);
    *report = r;
    return r;
}

// The arena ran out: that is told, with what was found before.
static void tell_no_memory(Shared *s, const char *path) {
    enum { TELLING = 1 << 20 };
    if (setjmp(*arena_oom(s->arena))) { // the system has none either
        s->diags.errors++;
        return;
    }
    arena_extend(s->arena, TELLING);
    diag_report_placeless(&s->diags, E_NO_MEMORY, path);
    diags_sort(&s->diags);
}

static OldsowGame *load(const char *path, const char *text, size_t size, const OldsowLoading *how,
                        OldsowReport **report) {
    *report = NULL;
    Shared *s = new_shared();
    if (!s) return NULL;
    make_report(s, report);
    if (setjmp(*arena_oom(s->arena))) {
        tell_no_memory(s, path);
        return NULL;
    }
    const Script *script = script_read(s->arena, &s->sources, &s->diags, path, text, size);
    bool readable = may_go_on(s, script);
    if (readable) s->script = script;
    OldsowGame *game = readable ? build(s, s->arena, script, how, true) : NULL;
    if (game) set_in_vain(&s->diags, script);
    if (s->diags.errors) game = NULL;
    blame_replaced(&s->diags, script);
    diags_sort(&s->diags);
    if (game) atomic_fetch_add(&s->users, 1);
    return game;
}

OldsowGame *report_load(OldsowReport *report, const OldsowLoading *how) {
    Shared *s = report->shared;
    if (!s->script || setjmp(*arena_oom(s->arena))) return NULL;
    OldsowGame *game = build(s, s->arena, s->script, how, true);
    if (game) atomic_fetch_add(&s->users, 1);
    return game;
}

OldsowGame *oldsow_load(const char *path, const OldsowLoading *how, OldsowReport **report) {
    return load(path, NULL, 0, how, report);
}

OldsowGame *oldsow_load_text(const char *name, const char *text, size_t size,
                             const OldsowLoading *how, OldsowReport **report) {
    return load(name, text, size, how, report);
}

void oldsow_game_free(OldsowGame *game) {
    if (game) release(game->shared);
}

typedef const volatile sig_atomic_t *Stop; // NULL: nothing stops it

static bool stops(Stop stop) { return stop && *stop; }

// Whether a reading answers nothing otherwise than the defaults do: it only names them.
static bool keeps_defaults(const Script *script, const char *reading) {
    const Item *item = script_find(script, L_READING, reading);
    for (uint32_t i = 1; item && i < item->node->nkids; i++)
        if (item->node->kids[i]->kind == NODE_KEY) return false;
    return item != NULL;
}

// Every reading, and every value of every option on its own.
static void check_all(Shared *s, const Script *script, Stop stop) {
    size_t nreadings;
    try_setting(s, script, NULL);
    if (!s->diags.errors) set_in_vain(&s->diags, script);
    // A fault under the defaults is most often one under all: more of the same helps nobody.
    if (s->diags.errors || stops(stop)) return;
    const OldsowReading *readings = public_readings(s->arena, script, &nreadings);
    for (size_t i = 0; i < nreadings && !stops(stop); i++) {
        if (keeps_defaults(script, readings[i].name)) continue;
        OldsowLoading how = {.reading = readings[i].name};
        try_setting(s, script, &how);
    }
    if (s->diags.errors || stops(stop)) return;
    Diags probe;
    diags_init(&probe, s->arena);
    const Expanded *e = expand_script(s->arena, script, &probe, NULL);
    for (size_t i = 0; i < e->options.n; i++) {
        const Option *o = &e->options.at[i];
        for (size_t k = 0; k < o->nvalues; k++) {
            if (k == o->standard) continue;
            if (stops(stop)) return;
            OldsowSetting setting = {o->name, value_text(s->arena, o->values[k])};
            OldsowLoading how = {.settings = &setting, .nsettings = 1};
            try_setting(s, script, &how);
        }
    }
    if (stops(stop)) return;
    if (!s->diags.errors) doubt_readings(s->arena, script, &s->diags);
    if (!s->diags.errors) doubt_written(s->arena, script, &s->diags);
    if (!s->diags.errors) usage_report(script, &s->diags);
}

static bool check_script(const char *path, const char *text, size_t size, Stop stop,
                         OldsowReport **report) {
    *report = NULL;
    Shared *s = new_shared();
    if (!s) return false;
    make_report(s, report);
    if (setjmp(*arena_oom(s->arena))) {
        tell_no_memory(s, path);
        return false;
    }
    Script *script = script_read(s->arena, &s->sources, &s->diags, path, text, size);
    usage_new(s->arena, script);
    if (may_go_on(s, script)) {
        s->script = script;
        check_all(s, script, stop);
    }
    blame_replaced(&s->diags, script);
    diags_sort(&s->diags);
    return s->diags.errors == 0 && !stops(stop);
}

bool oldsow_check(const char *path, OldsowReport **report) {
    return check_script(path, NULL, 0, NULL, report);
}

bool check_until(const char *path, Stop stop, OldsowReport **report) {
    return check_script(path, NULL, 0, stop, report);
}

bool oldsow_check_text(const char *name, const char *text, size_t size, OldsowReport **report) {
    return check_script(name, text, size, NULL, report);
}

// ---- reports --------------------------------------------------------------------------------------------

size_t oldsow_report_count(const OldsowReport *report) {
    return report ? report->shared->diags.all.n : 0;
}

size_t oldsow_report_errors(const OldsowReport *report) {
    return report ? report->shared->diags.errors : 0;
}

size_t oldsow_report_warnings(const OldsowReport *report) {
    return report ? report->shared->diags.warnings : 0;
}

OldsowMessage oldsow_report_get(const OldsowReport *report, size_t i) {
    const Diag *d = &report->shared->diags.all.at[i];
    OldsowMessage m = {.code = diag_number(d->code),
                       .error = d->severity == SEVERITY_ERROR,
                       .text = d->message,
                       .mend = d->mend,
                       .replacement = diag_replacement(d, &report->shared->sources),
                       .labels = d->labels.n,
                       .notes = d->notes.n};
    if (d->placeless) return m;
    const Source *source = source_of(&report->shared->sources, d->span);
    Place from = source_place(source, d->span.start), to = source_place(source, d->span.end);
    m.file = source->name;
    m.line = from.line;
    m.column = from.column;
    m.end_line = to.line;
    m.end_column = to.column;
    return m;
}

OldsowLabel oldsow_report_label(const OldsowReport *report, size_t i, size_t label) {
    assert(label < report->shared->diags.all.at[i].labels.n);
    const DiagLabel *l = &report->shared->diags.all.at[i].labels.at[label];
    const Source *source = source_of(&report->shared->sources, l->span);
    Place from = source_place(source, l->span.start), to = source_place(source, l->span.end);
    return (OldsowLabel){source->name, from.line, from.column, to.line, to.column, l->text};
}

const char *oldsow_report_note(const OldsowReport *report, size_t i, size_t note) {
    assert(note < report->shared->diags.all.at[i].notes.n);
    return report->shared->diags.all.at[i].notes.at[note];
}

void oldsow_report_print(const OldsowReport *report, FILE *out, bool colour) {
    if (!report) {
        fputs("oldsow: out of memory\n", out);
        return;
    }
    const Diags *d = &report->shared->diags;
    if (d->errors && d->all.n == 0) fputs("oldsow: out of memory\n", out);
    diags_render(out, d, &report->shared->sources, colour);
}

void oldsow_report_free(OldsowReport *report) {
    if (report) release(report->shared);
}

// ---- what the script says ----------------------------------------------------------------------------------

const char *oldsow_title(const OldsowGame *game) { return game->title; }
const char *oldsow_doc(const OldsowGame *game) { return game->doc; }
const char *oldsow_reading(const OldsowGame *game) { return game->reading; }
int oldsow_players(const OldsowGame *game) { return game->program.nplayers; }
const char *oldsow_player_name(const OldsowGame *game, int player) {
    return game->program.players[player];
}
size_t oldsow_options(const OldsowGame *game) { return game->noptions; }
const OldsowOption *oldsow_option(const OldsowGame *game, size_t i) { return &game->options[i]; }
size_t oldsow_readings(const OldsowGame *game) { return game->nreadings; }
const OldsowReading *oldsow_reading_at(const OldsowGame *game, size_t i) {
    return &game->readings[i];
}
int oldsow_sites(const OldsowGame *game) { return game->program.nsites; }

OldsowSite oldsow_site(const OldsowGame *game, int site) {
    const SiteInfo *s = &game->program.sites[site];
    return (OldsowSite){s->name, s->kind, s->owner, s->square, s->column, s->row};
}

int oldsow_pieces(const OldsowGame *game) { return game->program.npieces; }
const char *oldsow_piece_name(const OldsowGame *game, int piece) {
    return game->program.pieces[piece];
}
uint64_t oldsow_rules_hash(const OldsowGame *game) { return game->program.rules_hash; }
size_t oldsow_state_bytes(const OldsowGame *game) { return game->program.packing->bytes; }

void oldsow_print_ast(const OldsowGame *game, FILE *out, bool expanded) {
    if (!expanded) {
        for (uint32_t i = 0; i < game->written->nkids; i++) {
            node_print(out, game->written->kids[i], 0);
            putc('\n', out);
        }
        return;
    }
    const Expanded *e = game->expanded;
    fprintf(out, "(game \"");
    for (const char *p = e->script->title; *p; p++) {
        if (*p == '"' || *p == '\\') putc('\\', out);
        if (*p == '\n')
            fputs("\\n", out);
        else
            putc(*p, out);
    }
    fputs("\"\n", out);
    for (size_t i = 0; i < e->equipment.n; i++) {
        fputs("  ", out);
        node_print(out, e->equipment.at[i].node, 2);
        putc('\n', out);
    }
    const Node *parts[2] = {e->start, e->play};
    for (int i = 0; i < 2; i++) {
        if (!parts[i]) continue;
        fputs(i ? "  (play" : "  (start", out);
        for (uint32_t k = 1; k < parts[i]->nkids; k++) {
            fputs("\n    ", out);
            node_print(out, parts[i]->kids[k], 4);
        }
        fputs(")", out);
        if (!i) putc('\n', out);
    }
    fputs(")\n", out);
}

// ---- places ---------------------------------------------------------------------------------------------------

size_t oldsow_places(const OldsowGame *game) { return (size_t)game->program.nplaces; }

OldsowPlace oldsow_place(const OldsowGame *game, size_t i) {
    const CoverPlace *c = &game->program.places[i];
    const Source *source = source_of(game->program.sources, c->span);
    Place from = source_place(source, c->span.start), to = source_place(source, c->span.end);
    return (OldsowPlace){c->kind,
                         source->name,
                         from.line,
                         from.column,
                         to.line,
                         to.column,
                         script_is_library(game->expanded->script, c->span.file),
                         c->up};
}

// ---- ludemes ---------------------------------------------------------------------------------------------------

#define GROUP_EQUIPMENT "equipment"
#define GROUP_DOING "doing"
#define GROUP_ASKING "asking"
static const OldsowLudeme public_ludemes[] = {
#define LUDEME(id, name, group, form, signature, result, doc, example)                             \
    {name, GROUP_##group, sizeof signature > 1 ? "(" name " " signature ")" : "(" name ")", doc,   \
     example},
#include "language/ludemes.def"
#undef LUDEME
};

size_t oldsow_ludemes(void) { return sizeof public_ludemes / sizeof *public_ludemes; }
const OldsowLudeme *oldsow_ludeme(size_t i) { return &public_ludemes[i]; }
size_t oldsow_libraries(void) { return stdlib_count; }
const char *oldsow_library_name(size_t i) { return stdlib_files[i].name; }
const char *oldsow_library_text(size_t i) { return stdlib_files[i].text; }
