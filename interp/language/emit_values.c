// Code for expressions: everything that asks.

#include "emit.h"

#include <string.h>

enum { FAMILY_SIZE_MAX = 1 << 22 };

// ---- families ------------------------------------------------------------------------------------

// The lets of definitions within a list's expression: they name what its leaves use.
static void emit_hoisted(Compiler *c, const Node *n) {
    if (n->kind == NODE_LIST && n->ludeme == L_DO) {
        for (uint32_t i = 1; i + 1 < n->nkids; i++) emit_statement(c, n->kids[i]);
        emit_hoisted(c, n->kids[n->nkids - 1]);
        return;
    }
    bool family = n->kind == NODE_LIST && n->ludeme > L_UNKNOWN && n->ludeme < LUDEMES &&
                  ludemes[n->ludeme].form == FAMILY;
    bool inner = n->kind == NODE_SET || n->kind == NODE_RANGE || family ||
                 (n->kind == NODE_LIST && n->ludeme == L_SYMBOL) ||
                 (n->kind == NODE_LIST && n->ludeme == L_IF && is_listlike(n));
    for (uint32_t i = 0; inner && i < n->nkids; i++)
        if (is_listlike(n->kids[i])) emit_hoisted(c, n->kids[i]);
}

// Tells whether the leaves are just the ludeme's arguments in order, so that its family serves all its uses.
static bool leaves_are_arguments(const Node *n, const Leaves *leaves) {
    if (n->kind != NODE_LIST || n->ludeme == L_UNKNOWN || n->ludeme >= LUDEMES ||
        ludemes[n->ludeme].form != FAMILY)
        return false;
    if ((int)n->nkids - 1 != leaves->n || n->ludeme == L_WHOSE) return false;
    for (int i = 0; i < leaves->n; i++)
        if (leaves->at[i].node != n->kids[i + 1] || (leaves->at[i].node->type & T_LIST))
            return false;
    return true;
}

static void cannot_know(Compiler *c, const Node *n, const Leaves *leaves) {
    World *w = c->w;
    int d = report_at(w->diags, w->script, E_CONSTANT, n, "the parts of this");
    if (leaves->beyond && leaves->n == FAMILY_DIMS && !(leaves->beyond->type & T_LIST)) {
        const char *all = "";
        for (int i = 0; i < leaves->n; i++)
            all = arena_printf(c->arena, "%s%s, ", all, describe(w, leaves->at[i].node));
        diag_note(w->diags, d,
                  "it depends on %sand %s, which only play knows: three such values are the most",
                  all, describe(w, leaves->beyond));
        return;
    }
    diag_note(w->diags, d,
              "a region may depend on a few sites, players, directions or tracks that only play "
              "knows, not on a list");
}

// Works out the family for all values of the leaves; -1 after a report.
static int make_family(Compiler *c, const Node *n, Leaves *leaves) {
    World *w = c->w;
    Family f = {.dims = leaves->n,
                .missing = n->type & T_LIST      ? 0
                           : n->type == T_NUMBER ? 0
                                                 : UNSET};
    size_t size = 1;
    for (int i = 0; i < leaves->n; i++) {
        f.lows[i] = leaves->at[i].low;
        f.sizes[i] = leaves->at[i].size;
        size *= (size_t)leaves->at[i].size;
    }
    if (size > FAMILY_SIZE_MAX) {
        report_at(w->diags, w->script, E_TOO_LARGE, n, "this depends on too many things at once");
        return -1;
    }
    int16_t *values = arena_array(c->arena, size, sizeof *values);
    size_t errors = w->diags->errors;
    for (size_t i = 0; i < size; i++) {
        size_t rest = i;
        for (int k = leaves->n - 1; k >= 0; k--) {
            leaves->at[k].value = leaves->at[k].low + (int)(rest % (size_t)leaves->at[k].size);
            rest /= (size_t)leaves->at[k].size;
        }
        int value;
        if (world_spent(w, n)) return -1;
        if (!evaluate(w, n, leaves, &value)) {
            if (w->diags->errors == errors) cannot_know(c, n, leaves);
            return -1;
        }
        if (w->diags->errors > errors) return -1;
        values[i] = (int16_t)value;
    }
    f.values = values;
    vec_push(c->arena, &c->families, f);
    return (int)c->families.n - 1;
}

static void emit_family(Compiler *c, const Node *n) {
    World *w = c->w;
    Leaves leaves = {0};
    find_leaves(w, n, &leaves);
    if (leaves.too_many || leaves.n == 0) {
        cannot_know(c, n, &leaves);
        emit_push(c, n, 0);
        return;
    }
    emit_hoisted(c, n);
    for (int i = 0; i < leaves.n; i++) emit_value(c, leaves.at[i].node);
    bool shared = leaves_are_arguments(n, &leaves);
    int family = shared ? c->family_of[n->ludeme] - 1 : -1;
    if (family < 0) family = make_family(c, n, &leaves);
    if (family < 0)
        family = 0;
    else if (shared)
        c->family_of[n->ludeme] = family + 1;
    emit1(c, n, OP_FAMILY, family);
}

// ---- lists ---------------------------------------------------------------------------------------

// From tracks to their lists. Filled when all code is there: some tracks are made on the way.
static int table_of_track_lists(Compiler *c) {
    if (c->track_lists) return c->track_lists - 1;
    vec_push(c->arena, &c->tables, (Table){0});
    c->track_lists = (int)c->tables.n;
    return c->track_lists - 1;
}

static int table_of_opponents(Compiler *c) {
    static const int16_t others[] = {1, 0};
    if (c->opponents) return c->opponents - 1;
    vec_push(c->arena, &c->tables, (Table){0, 2, others});
    c->opponents = (int)c->tables.n;
    return c->opponents - 1;
}

void finish_track_lists(Compiler *c) {
    if (!c->track_lists) return;
    size_t n = c->w->tracks.n;
    int16_t *lists = arena_array(c->arena, n + 1, sizeof *lists);
    for (size_t i = 0; i < n; i++) lists[i] = (int16_t)c->w->tracks.at[i].list;
    c->tables.at[c->track_lists - 1] = (Table){0, (int)n, lists};
}

void emit_list(Compiler *c, const Node *n) {
    int value, cell = n->type == T_TRACK ? known_cell(c, n, true) : -1;
    if (cell >= 0) {
        emit_load(c, n, cell);
        return;
    }
    if (evaluate(c->w, n, NULL, &value)) {
        if (n->type == T_TRACK) value = value < 0 ? 0 : list_number(c->w, n, value);
        emit_push(c, n, value);
        return;
    }
    emit_value(c, n);
    if (n->type == T_TRACK) emit1(c, n, OP_MAP, table_of_track_lists(c));
}

int constant_list(Compiler *c, const Node *n, const char *what) {
    int value;
    if (evaluate(c->w, n, NULL, &value))
        return n->type & T_LIST ? value : world_list(c->w, &value, 1);
    int d = report_at(c->w->diags, c->w->script, E_CONSTANT, n, what);
    diag_mend(c->w->diags, d,
              "whose they are may be asked: (= (whose (piece-on SITE)) mover); one kind may depend "
              "on the play");
    return 0;
}

// The list itself, behind the names that a definition gives to its arguments: these are put into their cells here.
static const Node *behind_names(Compiler *c, const Node *n) {
    while (n->kind == NODE_LIST && n->ludeme == L_DO && n->nkids > 1 && !is_constant(c->w, n)) {
        for (uint32_t i = 1; i + 1 < n->nkids; i++) emit_statement(c, n->kids[i]);
        n = n->kids[n->nkids - 1];
    }
    return n;
}

Domain emit_domain(Compiler *c, const Node *n, bool scratch) {
    n = behind_names(c, n);
    Domain d = {.kind = DOMAIN_LIST};
    bool constant = is_constant(c->w, n);
    if (!constant && n->kind == NODE_RANGE && n->type == (T_LIST | T_NUMBER)) {
        d.kind = DOMAIN_RANGE;
        d.a = new_cell(c, scratch);
        d.b = new_cell(c, scratch);
        emit_value(c, n->kids[0]);
        emit_store(c, n, d.a);
        emit_value(c, n->kids[1]);
        emit_store(c, n, d.b);
        return d;
    }
    bool plain = !constant && n->kind == NODE_SET;
    for (uint32_t i = 0; plain && i < n->nkids; i++)
        plain = !is_listlike(n->kids[i]) || (n->type == (T_LIST | T_TRACK));
    if (plain) {
        d.kind = DOMAIN_CELLS;
        d.n = (int)n->nkids;
        d.skip_unset = n->type != (T_LIST | T_NUMBER) && n->type != (T_LIST | T_TRUTH);
        d.b = new_cell(c, scratch);
        // All cells first: they stand side by side, whatever the values need.
        d.a = new_row(c, d.n, scratch);
        for (uint32_t i = 0; i < n->nkids; i++) {
            emit_value(c, n->kids[i]);
            emit_store(c, n, d.a + (int)i);
        }
    } else {
        d.a = new_cell(c, scratch);
        d.b = new_cell(c, scratch);
        emit_list(c, n);
        emit_store(c, n, d.a);
    }
    emit_push(c, n, 0);
    emit_store(c, n, d.b);
    return d;
}

int emit_iterate(Compiler *c, const Node *n, const Domain *d, int cell, int *start) {
    *start = here(c);
    int exit = -1;
    switch (d->kind) {
    case DOMAIN_LIST:
    case DOMAIN_RANGE:
        emit(c, n, d->kind == DOMAIN_LIST ? OP_ITER_LIST : OP_ITER_RANGE);
        emit_cell(c, n, d->a);
        emit_cell(c, n, d->b);
        emit_cell(c, n, cell);
        emit_word(c, n, 0);
        exit = here(c) - 1;
        break;
    case DOMAIN_CELLS:
        emit(c, n, OP_ITER_CELLS);
        emit_cell(c, n, d->a);
        emit_word(c, n, d->n);
        emit_cell(c, n, d->b);
        emit_cell(c, n, cell);
        emit_word(c, n, 0);
        exit = here(c) - 1;
        if (d->skip_unset) {
            emit_load(c, n, cell);
            emit_push(c, n, UNSET);
            emit(c, n, OP_EQ);
            emit_back(c, n, OP_JNZ, *start);
        }
    }
    return exit;
}

// ---- counting pieces ---------------------------------------------------------------------------------

static void emit_place(Compiler *c, const Node *n) {
    if (n->type == T_SITE || n->type == T_UNSET)
        emit_value(c, n);
    else
        emit_list(c, n);
}

// {(man mover) (king mover)}: kinds that only play knows, no two of which can be the same.
static bool apart(const Compiler *c, const Node *of) {
    if (of->kind != NODE_SET) return false;
    for (uint32_t i = 0; i < of->nkids; i++) {
        const Node *kind = of->kids[i];
        if (kind->type != T_PIECE || kind->ludeme != L_SYMBOL) return false;
        const Symbol *s = &c->w->symbols.at[kind->ref];
        if (s->kind != SYMBOL_PIECE && s->kind != SYMBOL_PIECES) return false;
        for (uint32_t k = 0; k < i; k++)
            if (of->kids[k]->ref == kind->ref) return false;
    }
    return of->nkids > 0;
}

static void emit_kinds_there(Compiler *c, const Node *n, const Node *place, const Node *of) {
    bool site = place->type == T_SITE || place->type == T_UNSET, empty = n->ludeme == L_EMPTY;
    Patches out = {0};
    for (uint32_t i = 0; i < of->nkids; i++) {
        emit_place(c, place);
        emit_value(c, of->kids[i]);
        emit(c, n, !site ? OP_LCOUNT_KIND : empty ? OP_EMPTY_KIND : OP_COUNT_KIND);
        if (empty && site && i + 1 < of->nkids)
            vec_push(c->arena, &out, emit_jump(c, n, OP_JZK));
        else if (i > 0 && !(empty && site))
            emit(c, n, OP_ADD);
    }
    land_all(c, &out);
    if (n->ludeme == L_COUNT || (empty && site)) return;
    emit_push(c, n, 0);
    emit(c, n, empty ? OP_EQ : OP_GT);
}

static void emit_pieces_there(Compiler *c, const Node *n) {
    const Node *place = n->kids[1]->kind == NODE_KEY ? n->kids[3] : n->kids[1],
               *of = key_value(n, "of");
    const char *several = "several kinds of pieces";
    if (of && !is_constant(c->w, of) && apart(c, of)) {
        emit_kinds_there(c, n, place, of);
        return;
    }
    if (of && of->type != T_PIECE && constant_list(c, of, several) == c->all_pieces) of = NULL;
    bool site = place->type == T_SITE || place->type == T_UNSET;
    emit_place(c, place);
    bool empty = n->ludeme == L_EMPTY;
    if (!of && site && n->ludeme != L_COUNT) {
        emit(c, n, empty ? OP_EMPTY : OP_OCCUPIED);
        return;
    }
    if (!of) {
        emit(c, n, site ? OP_COUNT : OP_LCOUNT);
    } else if (of->type == T_PIECE) {
        emit_value(c, of);
        emit(c, n, site ? empty ? OP_EMPTY_KIND : OP_COUNT_KIND : OP_LCOUNT_KIND);
    } else {
        emit1(c, n, site ? empty ? OP_EMPTY_SET : OP_COUNT_SET : OP_LCOUNT_SET,
              constant_list(c, of, several));
    }
    if (n->ludeme == L_COUNT || (empty && of && site)) return;
    emit_push(c, n, 0);
    emit(c, n, empty ? OP_EQ : OP_GT);
}

// ---- calls -------------------------------------------------------------------------------------------------

static void emit_arguments(Compiler *c, const Node *n) {
    for (uint32_t i = 1; i < n->nkids; i++) emit_value(c, n->kids[i]);
}

static void emit_fold(Compiler *c, const Node *n, Opcode op) {
    emit_value(c, n->kids[1]);
    for (uint32_t i = 2; i < n->nkids; i++) {
        emit_value(c, n->kids[i]);
        emit(c, n, op);
    }
}

// (in v {a b (next c t)}) with a set that only play knows: compared one by one.
static void emit_in(Compiler *c, const Node *n) {
    Scope s = begin_scope(c);
    const Node *value = n->kids[1], *list = behind_names(c, n->kids[2]);
    bool plain = list->kind == NODE_SET && !is_constant(c->w, list);
    for (uint32_t i = 0; plain && i < list->nkids; i++)
        plain = !is_listlike(list->kids[i]) || list->type == (T_LIST | T_TRACK);
    if (list->kind == NODE_RANGE && list->type == (T_LIST | T_NUMBER)) {
        int cell = new_cell(c, true);
        emit_value(c, value);
        emit_store(c, n, cell);
        emit_load(c, n, cell);
        emit_value(c, list->kids[0]);
        emit(c, n, OP_GE);
        int out = emit_jump(c, n, OP_JZK);
        size_t known = c->known.n;
        emit_load(c, n, cell);
        emit_value(c, list->kids[1]);
        emit(c, n, OP_LE);
        land(c, out);
        forget(c, known);
        drop_scope(c, s);
        return;
    }
    if (!plain) {
        emit_value(c, value);
        emit_list(c, list);
        emit(c, n, OP_IN); // no cell was taken: what is kept of the parts stays known
        return;
    }
    Patches out = {0};
    int cell = new_cell(c, true);
    emit_value(c, value);
    emit_store(c, n, cell);
    if (value->type != T_NUMBER && value->type != T_TRUTH) { // what is unset is in no list
        emit_load(c, n, cell);
        emit_push(c, n, UNSET);
        emit(c, n, OP_NE);
        vec_push(c->arena, &out, emit_jump(c, n, OP_JZK));
    }
    size_t known = c->known.n;
    for (uint32_t i = 0; i < list->nkids; i++) {
        emit_load(c, n, cell);
        emit_value(c, list->kids[i]);
        emit(c, n, OP_EQ);
        if (i + 1 < list->nkids) vec_push(c->arena, &out, emit_jump(c, n, OP_JNZK));
    }
    land_all(c, &out);
    forget(c, known);
    drop_scope(c, s);
}

static void emit_call(Compiler *c, const Node *n) {
    switch ((int)n->ludeme) {
    case L_COUNT:
    case L_OCCUPIED:
    case L_EMPTY: emit_pieces_there(c, n); return;
    case L_PIECE_ON: {
        const Node *of = key_value(n, "of");
        emit_value(c, n->kids[next_plain(n, 0)]);
        emit1(c, n, OP_PIECE_ON,
              of ? constant_list(c, of, "several kinds of pieces") : c->all_pieces);
        return;
    }
    case L_PLAYING:
        emit_arguments(c, n);
        emit(c, n, OP_PLAYING);
        return;
    case L_NEXT_PLAYER:
        emit_arguments(c, n);
        emit(c, n, OP_NEXT_PLAYER);
        return;
    case L_TIMES_SEEN:
        emit(c, n, OP_SEEN);
        c->remembers = true;
        return;
    case L_UNSET:
        emit_arguments(c, n);
        emit_push(c, n, UNSET);
        emit(c, n, OP_EQ);
        return;
    case L_IN: emit_in(c, n); return;
    case L_SIZE:
        emit_list(c, n->kids[1]);
        emit(c, n, OP_SIZE);
        return;
    case L_NTH:
        emit_list(c, n->kids[2]);
        emit_value(c, n->kids[1]);
        emit(c, n, OP_NTH);
        return;
    case L_INDEX:
        emit_value(c, n->kids[1]);
        emit_list(c, n->kids[2]);
        emit(c, n, OP_INDEX);
        return;
    case L_NEXT:
        emit_arguments(c, n);
        emit(c, n, OP_NEXT);
        return;
    case L_AHEAD:
        emit_value(c, n->kids[1]);
        emit_value(c, n->kids[3]);
        emit_value(c, n->kids[2]);
        emit(c, n, OP_AHEAD);
        return;
    case L_ADD: emit_fold(c, n, OP_ADD); return;
    case L_MUL: emit_fold(c, n, OP_MUL); return;
    case L_MIN: emit_fold(c, n, OP_MIN); return;
    case L_MAX: emit_fold(c, n, OP_MAX); return;
    case L_SUB:
        emit_arguments(c, n);
        emit(c, n, n->nkids == 2 ? OP_NEG : OP_SUB);
        return;
    case L_DIV:
        emit_arguments(c, n);
        emit(c, n, OP_DIV);
        return;
    case L_MOD:
        emit_arguments(c, n);
        emit(c, n, OP_MOD);
        return;
    case L_ABS:
        emit_arguments(c, n);
        emit(c, n, OP_ABS);
        return;
    case L_EQ:
        emit_arguments(c, n);
        emit(c, n, OP_EQ);
        return;
    case L_NE:
        emit_arguments(c, n);
        emit(c, n, OP_NE);
        return;
    case L_LT:
        emit_arguments(c, n);
        emit(c, n, OP_LT);
        return;
    case L_LE:
        emit_arguments(c, n);
        emit(c, n, OP_LE);
        return;
    case L_GT:
        emit_arguments(c, n);
        emit(c, n, OP_GT);
        return;
    case L_GE:
        emit_arguments(c, n);
        emit(c, n, OP_GE);
        return;
    case L_NOT:
        emit_arguments(c, n);
        emit(c, n, OP_NOT);
        return;
    case L_AND: emit_junction(c, n, OP_JZK); return;
    case L_OR: emit_junction(c, n, OP_JNZK); return;
    default: emit_quantifier(c, n);
    }
}

static void emit_variable(Compiler *c, const Node *n) {
    const Var *v = &c->w->vars.at[c->w->symbols.at[n->ref].index];
    if (v->index_list < 0) {
        emit_load(c, n, v->cell);
        return;
    }
    const List l = c->w->lists.at[v->index_list];
    int index;
    if (evaluate(c->w, n->kids[1], NULL, &index)) {
        for (int i = 0; i < l.n; i++) {
            if (l.at[i] != index) continue;
            emit_load(c, n, v->cell + i);
            return;
        }
    }
    emit_value(c, n->kids[1]);
    emit(c, n, OP_LOADX);
    emit_word(c, n, v->index_list);
    emit_cell(c, n, v->cell);
}

static void emit_local(Compiler *c, const Node *n) {
    const Local *l = &c->w->expanded->locals.at[n->ref];
    if (l->stands)
        emit_value(c, l->stands);
    else if (l->cell >= 0)
        emit_load(c, n, l->cell);
    else if (l->alias)
        emit_value(c, l->alias);
    else
        emit_push(c, n, 0);
}

void emit_value(Compiler *c, const Node *n) {
    int truth = c->learning ? known_truth(c, n) : -1, cell = known_cell(c, n, false);
    if (truth >= 0) {
        emit_push(c, n, truth);
    } else if (cell >= 0) {
        emit_load(c, n, cell);
    } else {
        emit_value_anew(c, n);
        keep_if_asked_again(c, n);
    }
}

void emit_value_anew(Compiler *c, const Node *n) {
    int value;
    if (n->type == T_ERROR || evaluate(c->w, n, NULL, &value)) {
        emit_push(c, n, n->type == T_ERROR ? 0 : value);
        return;
    }
    if (n->kind == NODE_NAME) {
        if (n->ludeme == L_LOCAL)
            emit_local(c, n);
        else if (n->ludeme == L_SYMBOL && c->w->symbols.at[n->ref].kind == SYMBOL_VAR)
            emit_variable(c, n);
        else {
            if (n->ludeme == L_OPPONENT) emit_push(c, n, 1);
            emit_load(c, n, CELLS_OF_SYSTEM + CELL_MOVER);
            if (n->ludeme == L_OPPONENT) emit(c, n, OP_SUB);
        }
        return;
    }
    if (n->kind != NODE_LIST) {
        emit_family(c, n);
        return;
    }
    if (n->ludeme == L_SYMBOL) {
        if (c->w->symbols.at[n->ref].kind == SYMBOL_VAR)
            emit_variable(c, n);
        else
            emit_family(c, n);
        return;
    }
    switch ((int)n->ludeme) {
    case L_MOVER: emit_load(c, n, CELLS_OF_SYSTEM + CELL_MOVER); return;
    case L_OPPONENT:
        if (n->nkids == 2 && !sure_player(c, n->kids[1])) { // of nobody: nobody
            emit_value(c, n->kids[1]);
            emit1(c, n, OP_MAP, table_of_opponents(c));
            return;
        }
        emit_push(c, n, 1);
        if (n->nkids == 2)
            emit_value(c, n->kids[1]);
        else
            emit_load(c, n, CELLS_OF_SYSTEM + CELL_MOVER);
        emit(c, n, OP_SUB);
        return;
    case L_DO: {
        if (meant(c, n) != n) {
            emit_value(c, meant(c, n));
            return;
        }
        int place = c->place; // what is asked may be asked on some ways only
        bool learning = c->learning;
        c->learning = false;
        emit_block(c, n, 1, true);
        c->learning = learning;
        c->place = place;
        return;
    }
    case L_IF: {
        int place = c->place;
        Patches otherwise = {0};
        size_t known = c->known.n; // the test may be left in its middle
        emit_test(c, n, n->kids[1], false, &otherwise);
        if (asks_all(c, n->kids[1])) known = c->known.n;
        emit_cover(c, n->kids[2], OLDSOW_PLACE_DONE);
        learn_truth(c, n->kids[1], true);
        emit_value(c, n->kids[2]);
        forget(c, known);
        c->place = place;
        int done = emit_jump(c, n, OP_JMP);
        land_all(c, &otherwise);
        emit_cover(c, n->kids[3], OLDSOW_PLACE_DONE);
        learn_truth(c, n->kids[1], false);
        emit_value(c, n->kids[3]);
        forget(c, known);
        c->place = place;
        land(c, done);
        return;
    }
    case L_SOW: emit_sow(c, n); return;
    case L_WOULD: emit_would(c, n); return;
    case L_THROW: {
        Scope s = begin_scope(c);
        int cell = new_cell(c, false);
        emit_throw(c, n, &cell);
        emit_load(c, n, cell);
        end_scope(c, n, s);
        return;
    }
    default: break;
    }
    if (ludemes[n->ludeme].form == FAMILY) {
        // (reversed t) of a track that only play knows is the other of its pair; as a family over the declared ones.
        emit_family(c, n);
        return;
    }
    emit_call(c, n);
}
