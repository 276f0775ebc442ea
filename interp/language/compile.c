#include "compile.h"

#include "emit.h"
#include "pack.h"
#include "quick.h"
#include "verify.h"

#include <string.h>

enum { CODE_MAX = 1 << 21 };

void emit_word(Compiler *c, const Node *n, int word) {
    if (c->code.n >= CODE_MAX) return; // reported at the end
    vec_push(c->arena, &c->code, word);
    vec_push(c->arena, &c->origins, (Origin){n->span, n->via});
}

void emit(Compiler *c, const Node *n, Opcode op) { emit_word(c, n, (int)op); }

void emit1(Compiler *c, const Node *n, Opcode op, int a) {
    emit_word(c, n, (int)op);
    emit_word(c, n, a);
}

void emit_push(Compiler *c, const Node *n, int value) { emit1(c, n, OP_PUSH, value); }

void emit_cell(Compiler *c, const Node *n, int cell) {
    vec_push(c->arena, &c->cell_words, (int)c->code.n);
    emit_word(c, n, cell);
}

void emit_load(Compiler *c, const Node *n, int cell) {
    emit(c, n, OP_LOAD);
    emit_cell(c, n, cell);
}

void emit_store(Compiler *c, const Node *n, int cell) {
    emit(c, n, OP_STORE);
    emit_cell(c, n, cell);
}

int emit_cover(Compiler *c, const Node *n, OldsowPlaceKind kind) {
    int up = c->place;
    if (!c->counting || n->kind == NODE_ERROR) return up;
    vec_push(c->arena, &c->places, (CoverPlace){n->span, n->via, kind, up});
    c->place = (int)c->places.n - 1;
    emit1(c, n, OP_COVER, c->place);
    return up;
}

int here(const Compiler *c) { return (int)c->code.n; }

int emit_jump(Compiler *c, const Node *n, Opcode op) {
    emit1(c, n, op, 0);
    return here(c) - 1;
}

void land(Compiler *c, int jump) {
    if (jump < (int)c->code.n) c->code.at[jump] = here(c);
}

void land_all(Compiler *c, const Patches *jumps) {
    for (size_t i = 0; i < jumps->n; i++) land(c, jumps->at[i]);
}

void emit_back(Compiler *c, const Node *n, Opcode op, int target) { emit1(c, n, op, target); }

int new_cell(Compiler *c, bool scratch) {
    if (scratch || c->asking) {
        int cell = CELLS_OF_SCRATCH + c->scratch++;
        if (c->scratch > c->max_scratch) c->max_scratch = c->scratch;
        return cell;
    }
    int cell = CELLS_OF_LOCALS + c->top++;
    if (c->top > c->max_top) c->max_top = c->top;
    return cell;
}

// Who knows what a cell holds, as the translation to C does, knows it only of cells that no index reaches.
int new_row(Compiler *c, int n, bool scratch) {
    if (scratch || c->asking) {
        int row = CELLS_OF_ROWS + c->rows;
        c->rows += n;
        if (c->rows > c->max_rows) c->max_rows = c->rows;
        return row;
    }
    int row = new_cell(c, false);
    for (int i = 1; i < n; i++) (void)new_cell(c, false);
    return row;
}

Scope begin_scope(const Compiler *c) { return (Scope){c->top, c->scratch, c->rows}; }

void drop_scope(Compiler *c, Scope s) {
    c->top = s.top;
    c->scratch = s.scratch;
    c->rows = s.rows;
    forget_cells(c, s.scratch);
}

static void emit_zero(Compiler *c, const Node *n, int from, int to) {
    if (to <= from) return;
    emit(c, n, OP_ZERO);
    emit_cell(c, n, CELLS_OF_LOCALS + from);
    emit_word(c, n, to - from);
}

void end_scope(Compiler *c, const Node *n, Scope s) {
    emit_zero(c, n, s.top, c->top);
    drop_scope(c, s);
}

// Hands are sites that nobody sees: the stones of a sowing lie there while others are dropped.
int hand_site(const Compiler *c, int hand) { return (int)c->w->sites.n + hand; }

int new_hand(Compiler *c) {
    int hand = c->hands++;
    if (c->hands > c->max_hands) c->max_hands = c->hands;
    return hand;
}

Frame *enter_frame(Compiler *c, FrameKind kind) {
    Frame *f = arena_alloc(c->arena, sizeof *f);
    f->kind = kind;
    f->top = c->top;
    f->up = c->frame;
    c->frame = f;
    return f;
}

void leave_frame(Compiler *c) { c->frame = c->frame->up; }

// ---- layout ---------------------------------------------------------------------------------------------

typedef struct Layout {
    int vars, locals, system, scratch, rows; // where each begins
    int nstate, ncells;
} Layout;

static int final_cell(const Layout *l, int cell) {
    int i = cell & CELLS_MASK;
    switch (cell & ~CELLS_MASK) {
    case CELLS_OF_VARS: return l->vars + i;
    case CELLS_OF_LOCALS: return l->locals + i;
    case CELLS_OF_SYSTEM: return l->system + i;
    case CELLS_OF_ROWS: return l->rows + i;
    default: return l->scratch + i;
    }
}

static int count_var_cells(World *w) {
    int n = 0;
    for (size_t i = 0; i < w->vars.n; i++) n += w->vars.at[i].n;
    return n;
}

static Layout lay_out(Compiler *c, int nsites) {
    Layout l;
    l.vars = nsites * (int)c->w->pieces.n;
    l.locals = l.vars + count_var_cells(c->w);
    l.system = l.locals + c->max_top;
    l.nstate = l.system + SYSTEM_CELLS + (c->scores ? (int)c->w->players.n + 1 : 0);
    l.scratch = l.nstate;
    l.rows = l.scratch + c->max_scratch;
    l.ncells = l.rows + c->max_rows;
    return l;
}

static void place_cells(Compiler *c, const Layout *l) {
    for (size_t i = 0; i < c->cell_words.n; i++) {
        int at = c->cell_words.at[i];
        if (at < (int)c->code.n) c->code.at[at] = final_cell(l, c->code.at[at]);
    }
    for (size_t i = 0; i < c->alternatives.n; i++)
        for (int k = 0; k < c->alternatives.at[i].nvars; k++)
            c->alternatives.at[i].cells[k] = final_cell(l, c->alternatives.at[i].cells[k]);
    for (size_t i = 0; i < c->decisions.n; i++)
        if (c->decisions.at[i].clear_n)
            c->decisions.at[i].clear_base = final_cell(l, c->decisions.at[i].clear_base);
    for (size_t i = 0; i < c->throws.n; i++)
        for (int k = 0; k < c->throws.at[i].nvars; k++)
            c->throws.at[i].cells[k] = final_cell(l, c->throws.at[i].cells[k]);
}

static const Track *make_tracks(Compiler *c, int nsites) {
    World *w = c->w;
    Track *tracks = arena_array(c->arena, w->tracks.n + 1, sizeof *tracks);
    for (size_t t = 0; t < w->tracks.n; t++) {
        const TrackInfo info = w->tracks.at[t];
        const List l = w->lists.at[info.list];
        int16_t *next = arena_array(c->arena, (size_t)nsites, sizeof *next);
        for (int i = 0; i < nsites; i++) next[i] = UNSET;
        for (int i = 0; i < l.n; i++)
            next[l.at[i]] = i + 1 < l.n ? l.at[i + 1] : info.loop ? l.at[0] : UNSET;
        tracks[t] = (Track){next, info.list, info.loop};
    }
    return tracks;
}

static const char *const directions[DIRECTIONS] = {"north", "north-east", "east", "south-east",
                                                   "south", "south-west", "west", "north-west"};

static const char *const *track_names(Compiler *c) {
    const char **names = arena_array(c->arena, c->w->tracks.n + 1, sizeof *names);
    for (size_t i = 0; i < c->w->tracks.n; i++) names[i] = c->w->tracks.at[i].name;
    return names;
}

ValueType value_type_of(Type t) {
    switch ((int)t) {
    case T_TRUTH: return VALUE_TRUTH;
    case T_SITE: return VALUE_SITE;
    case T_PLAYER: return VALUE_PLAYER;
    case T_PIECE: return VALUE_PIECE;
    case T_WORD: return VALUE_WORD;
    case T_DIRECTION: return VALUE_DIRECTION;
    case T_TRACK: return VALUE_TRACK;
    default: return VALUE_NUMBER;
    }
}

static const Variable *make_variables(Compiler *c, const Layout *l) {
    Variable *all = arena_array(c->arena, c->w->vars.n + 1, sizeof *all);
    for (size_t i = 0; i < c->w->vars.n; i++) {
        const Var *v = &c->w->vars.at[i];
        all[i] = (Variable){v->name,
                            value_type_of(v->type),
                            value_type_of(v->index_type),
                            final_cell(l, v->cell),
                            v->n,
                            v->index_list,
                            (Cell)v->start};
    }
    return all;
}

static const Cell *initial_cells(Compiler *c, const Layout *l) {
    Cell *cells = arena_array(c->arena, (size_t)l->nstate, sizeof *cells);
    for (size_t i = 0; i < c->w->vars.n; i++) {
        const Var *v = &c->w->vars.at[i];
        for (int k = 0; k < v->n; k++) cells[l->vars + (v->cell & CELLS_MASK) + k] = (Cell)v->start;
    }
    return cells;
}

static void fill_program(Compiler *c, Program *p, const Layout *l) {
    World *w = c->w;
    Dice *dice = arena_array(c->arena, w->dice.n + 1, sizeof *dice);
    for (size_t i = 0; i < w->dice.n; i++) dice[i] = w->dice.at[i].dice;
    *p = (Program){
        .code = c->code.at,
        .origins = c->origins.at,
        .ncode = (int)c->code.n,
        .nsites = (int)w->sites.n,
        .npieces = (int)w->pieces.n,
        .nplayers = (int)w->players.n,
        .ntracks = (int)w->tracks.n,
        .nlists = (int)w->lists.n,
        .ntables = (int)c->tables.n,
        .nfamilies = (int)c->families.n,
        .nalternatives = (int)c->alternatives.n,
        .ndecisions = (int)c->decisions.n,
        .nthrows = (int)c->throws.n,
        .ndice = (int)w->dice.n,
        .nwords = (int)w->words.n,
        .ndirections = DIRECTIONS,
        .sites = w->sites.at,
        .pieces = w->pieces.at,
        .players = w->players.at,
        .words = w->words.at,
        .directions = directions,
        .track_names = track_names(c),
        .lists = w->lists.at,
        .tables = c->tables.at,
        .families = c->families.at,
        .tracks = make_tracks(c, (int)w->sites.n),
        .alternatives = c->alternatives.at,
        .decisions = c->decisions.at,
        .throws = c->throws.at,
        .dice = dice,
        .variables = make_variables(c, l),
        .nvariables = (int)w->vars.n,
        .system = l->system,
        .scores = c->scores ? l->system + SYSTEM_CELLS : -1,
        .nstate = l->nstate,
        .ncells = l->ncells,
        .npositions = l->locals,
        .initial = initial_cells(c, l),
        .play = c->play,
        .remembers = c->remembers,
        .conserved = w->conserved.at,
        .nconserved = (int)w->conserved.n,
        .places = c->places.at,
        .nplaces = (int)c->places.n,
        .rules_hash = expanded_hash(w->expanded),
    };
}

static bool within_budgets(Compiler *c, const Layout *l) {
    World *w = c->w;
    const char *what = NULL;
    if (c->code.n >= CODE_MAX)
        what = "code";
    else if (l->ncells > BUDGET_CELLS)
        what = arena_printf(c->arena,
                            "%d cells of state, of %d (sites times kinds of pieces, and variables)",
                            l->ncells, BUDGET_CELLS);
    else if (w->lists.n >= BUDGET_LISTS)
        what = "lists of sites";
    else if (c->decisions.n > CELL_MAX - 1 || c->throws.n > CELL_MAX - 1 ||
             c->alternatives.n > CELL_MAX)
        what = "decisions";
    if (!what) return true;
    report_at(w->diags, w->script, E_TOO_LARGE, w->expanded->play, what);
    return false;
}

static void number_vars(World *w) {
    int cell = 0;
    for (size_t i = 0; i < w->vars.n; i++) {
        w->vars.at[i].cell = CELLS_OF_VARS + cell;
        cell += w->vars.at[i].n;
    }
}

static bool uses(const Node *n, LudemeId id) {
    if (n->kind == NODE_LIST && n->ludeme == id) return true;
    for (uint32_t i = 0; i < n->nkids; i++)
        if (uses(n->kids[i], id)) return true;
    return false;
}

bool compile_program(World *w, bool places, bool to_play, Program *out) {
    Compiler c = {.w = w, .arena = w->arena, .counting = places, .place = -1};
    size_t errors = w->diags->errors;
    number_vars(w);
    int *kinds = arena_array(w->arena, w->pieces.n + 1, sizeof *kinds);
    for (size_t i = 0; i < w->pieces.n; i++) kinds[i] = (int)i;
    const Node *begin = w->expanded->start, *play = w->expanded->play;
    c.retires = (begin && uses(begin, L_RETIRE)) || uses(play, L_RETIRE);
    c.all_pieces = world_list(w, kinds, w->pieces.n);
    if (w->expanded->start) emit_block(&c, w->expanded->start, 1, false);
    c.play = here(&c);
    emit_block(&c, w->expanded->play, 1, false);
    emit(&c, w->expanded->play, OP_END);
    finish_track_lists(&c);
    for (int i = 0; i < c.max_hands; i++) // the sites named by hand_site
        world_site(w, "in hand", OLDSOW_HIDDEN, UNSET, UNSET);
    Layout l = lay_out(&c, (int)w->sites.n);
    if (w->diags->errors > errors || !within_budgets(&c, &l)) return false;
    place_cells(&c, &l);
    fill_program(&c, out, &l);
    int pc = 0;
    int *depths = arena_array(w->arena, (size_t)out->ncode + 1, sizeof *depths);
    const char *fault = verify_program(out, &pc, depths);
    if (!fault) {
        quicken(out, depths, to_play, w->arena);
        pack_plan(out, w->arena);
        return true;
    }
    if (fault == verify_no_memory) longjmp(*arena_oom(w->arena), 1);
    if (strcmp(fault, "the stack runs over") == 0) {
        const Origin *at = &out->origins[pc < out->ncode ? pc : 0];
        const Node deep = {.kind = NODE_LIST, .span = at->span, .via = at->via};
        int d = report_at(
            w->diags, w->script, E_TOO_LARGE, &deep,
            arena_printf(w->arena, "a value within values, more than %d deep", STACK_SIZE));
        diag_mend(w->diags, d, "name a part of it first: (let part ...)");
        return false;
    }
    diag_report(w->diags, E_INTERNAL, out->origins[pc < out->ncode ? pc : 0].span, fault);
    return false;
}
