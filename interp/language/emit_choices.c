// Code for decisions: the search for candidates, what is done with the one chosen, throws.

#include "emit.h"

// ---- tests where they cost least ---------------------------------------------------------------------------

// One part of a `where:`, asked once `after` names are filled.
typedef struct Part {
    const Node *test;
    int after;
} Part;
typedef VEC(Part) Parts;

// A definition's body whose lets only give arguments other names: they need no code.
static const Node *body_of(const Compiler *c, const Node *n) {
    if (c->learning) return meant(c, n);
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
    bool total = is_total(c, test);
    // What every part of an `or` asks is asked first, and once.
    if (c->learning && total && body->kind == NODE_LIST && body->ludeme == L_OR) {
        Questions implied = {0};
        find_implied(c, body, &implied);
        for (size_t i = 0; i < implied.n; i++) split_test(c, b, implied.at[i], after, out);
    }
    int needed = total ? names_needed(c, test, b->names, b->nvars) : after;
    vec_push(c->arena, out, (Part){test, needed < after ? needed : after});
}

// What is the same for all values of the names from the i-th on, and asked for many of them: as far in as it is asked
// without a test before it.
static void lift_ahead(Compiler *c, const Binder *b, const Parts *parts, int i) {
    double often = 1;
    bool tested = false;
    for (int k = i; k < b->nvars && !tested; k++) {
        if (k > i) lift_out(c, b->domains[k], true, b->names + i, b->nvars - i, often);
        often *= about_rounds(c, b->domains[k]);
        for (size_t j = 0; j < parts->n; j++) {
            if (parts->at[j].after != k + 1) continue;
            lift_out(c, parts->at[j].test, false, b->names + i, b->nvars - i, often);
            often *= 0.5;
            tested = true;
        }
    }
    if (!tested && b->weight) lift_out(c, b->weight, false, b->names + i, b->nvars - i, often);
}

// The loops over the names of one (choose ...), a candidate in the innermost. Gives the alternative's number, and in
// *offered the place at which a candidate is found.
static int emit_search(Compiler *c, const Node *n, const Binder *b, int *offered) {
    int place = c->place;
    Alternative a = {.label = b->label ? b->label->text : NULL, .nvars = b->nvars};
    for (int i = 0; i < b->nvars; i++) {
        a.cells[i] = new_cell(c, false);
        a.types[i] = value_type_of((Type)b->names[i]->type);
        Local *local = &c->w->expanded->locals.at[b->names[i]->ref];
        local->cell = a.cells[i];
        local->stands = NULL;
        local->values = domain_of(c, b->domains[i]);
    }
    vec_push(c->arena, &c->alternatives, a);
    int alternative = (int)c->alternatives.n - 1;

    Scope s = begin_scope(c);
    Asking asking = begin_asking(c, NULL);
    Patches none = {0};
    int starts[CHOOSE_VARS], exits[CHOOSE_VARS];
    Parts parts = {0};
    for (int i = 0; i < b->ntests; i++) add_question(c, b->tests[i]);
    for (int i = 0; i < b->nvars; i++) add_question(c, b->domains[i]);
    if (b->weight) add_question(c, b->weight);
    for (int i = 0; i < b->ntests; i++) split_test(c, b, b->tests[i], b->after[i], &parts);
    for (int i = 0; i <= b->nvars; i++) {
        for (size_t k = 0; k < parts.n; k++) {
            if (parts.at[k].after != i) continue;
            bool counted = !is_constant(c->w, parts.at[k].test);
            if (counted) emit_cover(c, parts.at[k].test, OLDSOW_PLACE_ASKED);
            Patches no = {0};
            emit_test(c, n, parts.at[k].test, false, &no);
            if (i > 0)
                land_at(c, &no, starts[i - 1]);
            else
                for (size_t j = 0; j < no.n; j++) vec_push(c->arena, &none, no.at[j]);
            learn_truth(c, parts.at[k].test, true);
            if (counted) emit_cover(c, parts.at[k].test, OLDSOW_PLACE_HELD);
        }
        if (i == b->nvars) break;
        Questions tests = {0};
        for (size_t k = 0; k < parts.n; k++)
            if (parts.at[k].after == i + 1) vec_push(c->arena, &tests, parts.at[k].test);
        Narrowed narrowed;
        bool narrow = find_narrowed(c, b->names[i], b->domains[i], &tests, &narrowed);
        lift_ahead(c, b, &parts, i);
        Domain d = narrow ? emit_narrowed(c, n, &narrowed) : emit_domain(c, b->domains[i], true);
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
    end_asking(c, asking);
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
