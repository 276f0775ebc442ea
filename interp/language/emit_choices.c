// Code for decisions: the search for candidates, what is done with the one chosen, throws.

#include "emit.h"

// ---- tests where they cost least ---------------------------------------------------------------------------

// One part of a `where:`, asked once `after` names are filled.
typedef struct Part {
    const Node *test;
    int after;
} Part;
typedef VEC(Part) Parts;

// How many of the names must be filled before n can be asked.
static int names_needed(const World *w, const Node *n, const Binder *b) {
    int needed = 0;
    if (n->kind == NODE_NAME && n->ludeme == L_LOCAL) {
        const Node *alias = w->expanded->locals.at[n->ref].alias;
        if (alias) needed = names_needed(w, alias, b);
        for (int i = 0; i < b->nvars; i++)
            if (b->names[i]->ref == n->ref) needed = i + 1;
    }
    for (uint32_t i = 0; i < n->nkids; i++) {
        int k = names_needed(w, n->kids[i], b);
        if (k > needed) needed = k;
    }
    return needed;
}

// Whether the variable has a place for all that the name goes through.
static bool index_fits(World *w, const Node *n, const Binder *b) {
    const Var *v = &w->vars.at[w->symbols.at[n->ref].index];
    if (n->nkids != 2) return v->index_list < 0;
    const Node *index = n->kids[1];
    while (index->kind == NODE_NAME && index->ludeme == L_LOCAL &&
           w->expanded->locals.at[index->ref].alias)
        index = w->expanded->locals.at[index->ref].alias;
    int from = -1;
    for (int i = 0; i < b->nvars; i++)
        if (index->kind == NODE_NAME && index->ludeme == L_LOCAL && b->names[i]->ref == index->ref)
            from = i;
    int domain;
    if (from < 0 || !evaluate(w, b->domains[from], NULL, &domain)) return false;
    if (domain < 0) return false;
    if (b->domains[from]->type == T_TRACK) domain = w->tracks.at[domain].list;
    const List values = w->lists.at[domain], places = w->lists.at[v->index_list];
    for (int i = 0; i < values.n; i++) {
        int k = 0;
        while (k < places.n && places.at[k] != values.at[i]) k++;
        if (k == places.n) return false;
    }
    return true;
}

// Whether asking can never be a fault of the play: then it may be asked sooner than it is written.
static bool total(World *w, const Node *n, const Binder *b) {
    bool list = n->kind == NODE_LIST;
    // A track or player that is kept in a variable may not be set.
    if (n->kind == NODE_NAME && n->ludeme == L_SYMBOL && w->symbols.at[n->ref].kind == SYMBOL_VAR &&
        (n->type == T_TRACK || n->type == T_PLAYER))
        return false;
    if (list && (n->ludeme == L_PLAYING || n->ludeme == L_NEXT_PLAYER || n->ludeme == L_DIV ||
                 n->ludeme == L_MOD || n->ludeme == L_WOULD || n->ludeme == L_WHILE ||
                 n->ludeme == L_REPEAT || n->ludeme == L_ADD || n->ludeme == L_SUB ||
                 n->ludeme == L_MUL || n->ludeme == L_SUM))
        return false;
    if (list && n->ludeme == L_SYMBOL && w->symbols.at[n->ref].kind == SYMBOL_VAR &&
        !index_fits(w, n, b))
        return false;
    for (uint32_t i = 0; i < n->nkids; i++)
        if (!total(w, n->kids[i], b)) return false;
    return true;
}

// A definition's body whose lets only give arguments other names: they need no code.
static const Node *body_of(const Compiler *c, const Node *n) {
    if (n->kind != NODE_LIST || n->ludeme != L_DO || n->nkids < 2) return n;
    for (uint32_t i = 1; i + 1 < n->nkids; i++)
        if (n->kids[i]->ludeme != L_LET || !needs_no_code(c, n->kids[i])) return n;
    return body_of(c, n->kids[n->nkids - 1]);
}

static void split_test(Compiler *c, const Binder *b, const Node *test, int after, Parts *out) {
    const Node *body = body_of(c, test);
    if (body->kind == NODE_LIST && body->ludeme == L_AND) {
        for (uint32_t i = 1; i < body->nkids; i++) split_test(c, b, body->kids[i], after, out);
        return;
    }
    int needed = total(c->w, test, b) ? names_needed(c->w, test, b) : after;
    vec_push(c->arena, out, (Part){test, needed < after ? needed : after});
}

// The loops over the names of one (choose ...), a candidate in the innermost. Gives the alternative's number, and in
// *offered the place at which a candidate is found.
static int emit_search(Compiler *c, const Node *n, const Binder *b, int *offered) {
    int place = c->place;
    Alternative a = {.label = b->label ? b->label->text : NULL, .nvars = b->nvars};
    for (int i = 0; i < b->nvars; i++) {
        a.cells[i] = new_cell(c, false);
        a.types[i] = value_type_of((Type)b->names[i]->type);
        c->w->expanded->locals.at[b->names[i]->ref].cell = a.cells[i];
    }
    vec_push(c->arena, &c->alternatives, a);
    int alternative = (int)c->alternatives.n - 1;

    Scope s = begin_scope(c);
    Patches none = {0};
    int starts[CHOOSE_VARS], exits[CHOOSE_VARS];
    Parts parts = {0};
    for (int i = 0; i < b->ntests; i++) split_test(c, b, b->tests[i], b->after[i], &parts);
    for (int i = 0; i <= b->nvars; i++) {
        for (size_t k = 0; k < parts.n; k++) {
            if (parts.at[k].after != i) continue;
            bool counted = !is_constant(c->w, parts.at[k].test);
            if (counted) emit_cover(c, parts.at[k].test, OLDSOW_PLACE_ASKED);
            emit_value(c, parts.at[k].test);
            if (i == 0)
                vec_push(c->arena, &none, emit_jump(c, n, OP_JZ));
            else
                emit_back(c, n, OP_JZ, starts[i - 1]);
            if (counted) emit_cover(c, parts.at[k].test, OLDSOW_PLACE_HELD);
        }
        if (i == b->nvars) break;
        Domain d = emit_domain(c, b->domains[i], true);
        exits[i] = emit_iterate(c, n, &d, a.cells[i], &starts[i]);
    }
    if (b->weight) emit_value(c, b->weight);
    emit_cover(c, n, OLDSOW_PLACE_OFFERED);
    emit1(c, n, b->weight ? OP_LOT : OP_CAND, alternative);
    for (int i = b->nvars - 1; i >= 0; i--) {
        emit_back(c, n, OP_JMP, starts[i]);
        land(c, exits[i]);
    }
    land_all(c, &none);
    drop_scope(c, s);
    *offered = c->place;
    c->place = place;
    return alternative;
}

static int new_decision(Compiler *c, const Node *n) {
    vec_push(c->arena, &c->decisions, (Decision){.pc = here(c), .chance = n->ludeme == L_LOT});
    return (int)c->decisions.n - 1;
}

// Names of candidates that were looked at must not stay in the position: the machine clears them when it waits, and
// this does where there was nothing to wait for.
static void emit_forget(Compiler *c, const Node *n, int decision, Scope s) {
    if (c->top <= s.top) return;
    c->decisions.at[decision].clear_base = CELLS_OF_LOCALS + s.top;
    c->decisions.at[decision].clear_n = c->top - s.top;
    emit(c, n, OP_ZERO);
    emit_cell(c, n, CELLS_OF_LOCALS + s.top);
    emit_word(c, n, c->top - s.top);
}

static void emit_otherwise(Compiler *c, const Node *n, const Node *otherwise) {
    if (otherwise)
        emit_statement(c, otherwise);
    else
        emit1(c, n, OP_RAISE, R_NO_CHOICE);
}

void emit_choose(Compiler *c, const Node *n) {
    Binder b;
    read_binder((Node *)n, &b);
    Scope s = begin_scope(c);
    int decision = new_decision(c, n);
    emit1(c, n, OP_CHOOSE, decision);
    int offered, place = c->place, alternative = emit_search(c, n, &b, &offered);
    emit1(c, n, OP_DECIDE, decision);
    emit_forget(c, n, decision, s);
    emit_otherwise(c, n, b.otherwise);
    int done = emit_jump(c, n, OP_JMP);
    c->alternatives.at[alternative].target = here(c);
    c->place = offered;
    emit_cover(c, n, OLDSOW_PLACE_CHOSEN);
    emit_sequence(c, n, b.body, NULL, false);
    c->place = place;
    land(c, done);
    end_scope(c, n, s);
}

void emit_either(Compiler *c, const Node *n) {
    VEC(Binder) parts = {0};
    Patches alternatives = {0}, offers = {0}, done = {0};
    Scope s = begin_scope(c);
    int offered, place = c->place;
    int decision = new_decision(c, n);
    emit1(c, n, OP_CHOOSE, decision);
    for (uint32_t i = next_plain(n, 0); i; i = next_plain(n, i)) {
        if (n->kids[i]->ludeme != L_CHOOSE) continue; // an option took it away
        Binder b;
        read_binder(n->kids[i], &b);
        vec_push(c->arena, &parts, b);
        vec_push(c->arena, &alternatives, emit_search(c, n->kids[i], &b, &offered));
        vec_push(c->arena, &offers, offered);
    }
    emit1(c, n, OP_DECIDE, decision);
    emit_forget(c, n, decision, s);
    emit_otherwise(c, n, key_value(n, "else"));
    c->place = place;
    vec_push(c->arena, &done, emit_jump(c, n, OP_JMP));
    size_t part = 0;
    for (uint32_t i = next_plain(n, 0); i; i = next_plain(n, i)) {
        if (n->kids[i]->ludeme != L_CHOOSE) continue;
        c->alternatives.at[alternatives.at[part]].target = here(c);
        Scope inner = begin_scope(c);
        c->place = offers.at[part];
        emit_cover(c, n->kids[i], OLDSOW_PLACE_CHOSEN);
        emit_sequence(c, n->kids[i], parts.at[part].body, NULL, false);
        c->place = place;
        end_scope(c, n, inner);
        vec_push(c->arena, &done, emit_jump(c, n, OP_JMP));
        part++;
    }
    land_all(c, &done);
    end_scope(c, n, s);
}

void emit_throw(Compiler *c, const Node *n, const int *cells) {
    int dice = c->w->symbols.at[n->kids[1]->ref].index;
    Throw t = {.dice = dice, .nvars = c->w->dice.at[dice].dice.nvalues};
    for (int i = 0; i < t.nvars; i++) t.cells[i] = cells[i];
    vec_push(c->arena, &c->throws, t);
    emit1(c, n, OP_THROW, (int)c->throws.n - 1);
    c->throws.at[c->throws.n - 1].target = here(c);
}
