// Code for truths: tests that jump, and what is asked of all elements of a list.

#include "emit.h"

enum { SHORT_SUM = 8 };

static bool is_list_of(const Node *n, LudemeId id) {
    return n->kind == NODE_LIST && n->ludeme == id;
}

static bool asks_each(const Node *n) {
    return is_list_of(n, L_ANY) || is_list_of(n, L_ALL) || is_list_of(n, L_NONE);
}

static void jump_out(Compiler *c, const Node *n, Opcode op, Patches *out) {
    vec_push(c->arena, out, emit_jump(c, n, op));
}

void land_at(Compiler *c, const Patches *jumps, int target) {
    for (size_t i = 0; i < jumps->n; i++)
        if (jumps->at[i] < (int)c->code.n) c->code.at[jumps->at[i]] = target;
}

// ---- each element ----------------------------------------------------------------------------------------

// A loop through the list, and in it what leads on to the element that decides. What it says is known stays so within
// the loop only.
typedef struct Round {
    Binder b;
    const Node *what; // asked last
    int element, start, exit;
    size_t known;
} Round;

// The loop's head, and its tests.
static Round emit_round(Compiler *c, const Node *n) {
    Round r;
    read_binder((Node *)n, &r.b);
    bool asked = r.b.body < n->nkids && n->kids[r.b.body]->kind != NODE_KEY;
    r.what = asked ? n->kids[r.b.body] : r.b.tests[0];
    if (!asked) r.b.ntests = 0;
    Local *local = &c->w->expanded->locals.at[r.b.names[0]->ref];
    r.element = new_cell(c, true);
    local->cell = r.element;
    local->stands = NULL;
    local->values = domain_of(c, r.b.domains[0]);
    r.known = c->known.n;
    Questions tests = {0};
    for (int i = 0; i < r.b.ntests; i++) vec_push(c->arena, &tests, r.b.tests[i]);
    bool number = n->ludeme == L_SUM || n->ludeme == L_MOST || n->ludeme == L_LEAST;
    if (!number && n->ludeme != L_ALL) vec_push(c->arena, &tests, r.what);
    Narrowed narrowed;
    bool narrow = find_narrowed(c, r.b.names[0], r.b.domains[0], &tests, &narrowed);
    double often = about_rounds(c, r.b.domains[0]);
    if (narrow && often > 2) often = 2;
    for (int i = 0; i < r.b.ntests; i++) {
        lift_out(c, r.b.tests[i], false, r.b.names, 1, often);
        often *= 0.5;
    }
    lift_out(c, r.what, false, r.b.names, 1, often);
    Domain d = narrow ? emit_narrowed(c, n, &narrowed) : emit_domain(c, r.b.domains[0], true);
    r.exit = emit_iterate(c, n, &d, r.element, &r.start);
    for (int i = 0; i < r.b.ntests; i++) {
        Patches back = {0};
        emit_test(c, n, r.b.tests[i], false, &back);
        land_at(c, &back, r.start);
        learn_truth(c, r.b.tests[i], true);
    }
    return r;
}

// What is asked of each element until one decides: from there it goes on, or out if the whole is `sense` then.
static void emit_each(Compiler *c, const Node *n, bool sense, Patches *out) {
    Scope scope = begin_scope(c);
    Asking asking = begin_asking(c, n);
    Round r = emit_round(c, n);
    Patches back = {0};
    emit_test(c, n, r.what, n->ludeme == L_ALL, &back);
    land_at(c, &back, r.start);
    if (sense == (n->ludeme == L_ANY)) {
        jump_out(c, n, OP_JMP, out);
        land(c, r.exit);
    } else {
        vec_push(c->arena, out, r.exit);
    }
    forget(c, r.known);
    end_asking(c, asking);
    drop_scope(c, scope);
}

// ---- tests -----------------------------------------------------------------------------------------------

// Whether all of the test is asked, whatever the answer: then what was worked out for it is known on both ways.
bool asks_all(const Compiler *c, const Node *test) {
    test = meant(c, test);
    while (is_list_of(test, L_NOT) && test->nkids == 2) test = meant(c, test->kids[1]);
    return !is_list_of(test, L_AND) && !is_list_of(test, L_OR) && !is_list_of(test, L_IF) &&
           !is_list_of(test, L_DO) && !asks_each(test);
}

static void emit_junction_test(Compiler *c, const Node *n, bool sense, Patches *out) {
    bool decides = n->ludeme == L_OR; // the truth of a part that settles the whole
    if (sense == decides) {
        for (uint32_t i = 1; i < n->nkids; i++) {
            emit_test(c, n, n->kids[i], decides, out);
            learn_truth(c, n->kids[i], !decides);
        }
        return;
    }
    Patches past = {0};
    size_t known = c->known.n;
    for (uint32_t i = 1; i < n->nkids; i++) {
        bool last = i + 1 == n->nkids;
        emit_test(c, n, n->kids[i], last ? sense : decides, last ? out : &past);
        if (i == 1 && asks_all(c, n->kids[1])) known = c->known.n;
        if (!last) learn_truth(c, n->kids[i], !decides);
    }
    land_all(c, &past);
    forget(c, known);
}

static void emit_if_test(Compiler *c, const Node *n, bool sense, Patches *out) {
    Patches otherwise = {0};
    size_t known = c->known.n; // the test may be left in its middle
    emit_test(c, n, n->kids[1], false, &otherwise);
    if (asks_all(c, n->kids[1])) known = c->known.n;
    learn_truth(c, n->kids[1], true);
    emit_test(c, n, n->kids[2], sense, out);
    forget(c, known);
    int done = emit_jump(c, n, OP_JMP);
    land_all(c, &otherwise);
    learn_truth(c, n->kids[1], false);
    emit_test(c, n, n->kids[3], sense, out);
    forget(c, known);
    land(c, done);
}

// Goes on if the test is not `sense`; jumps, if it is.
void emit_test(Compiler *c, const Node *n, const Node *test, bool sense, Patches *out) {
    int truth = known_truth(c, test);
    if (truth >= 0) {
        if (truth == (int)sense) jump_out(c, n, OP_JMP, out);
        return;
    }
    const Node *asked = c->learning ? meant(c, test) : test;
    if (is_list_of(asked, L_NOT) && asked->nkids == 2)
        emit_test(c, n, asked->kids[1], !sense, out);
    else if (is_list_of(asked, L_AND) || is_list_of(asked, L_OR))
        emit_junction_test(c, asked, sense, out);
    else if (is_list_of(asked, L_IF) && asked->nkids == 4 && !c->counting)
        emit_if_test(c, asked, sense, out);
    else if (asks_each(asked) && known_cell(c, asked, false) < 0)
        emit_each(c, asked, sense, out);
    else {
        emit_value(c, asked);
        jump_out(c, n, sense ? OP_JNZ : OP_JZ, out);
    }
}

// ---- the same as values ----------------------------------------------------------------------------------

void emit_junction(Compiler *c, const Node *n, Opcode keep) {
    Patches out = {0};
    size_t known = c->known.n;
    bool truth = keep == OP_JZK;
    uint32_t last = n->nkids - 1;
    // What holds anyway is not asked for.
    while (last > 1 && known_truth(c, n->kids[last]) == (int)truth) last--;
    for (uint32_t i = 1; i <= last; i++) {
        if (i < last && known_truth(c, n->kids[i]) == (int)truth) continue;
        emit_value(c, n->kids[i]);
        if (i < last) vec_push(c->arena, &out, emit_jump(c, n, keep));
        learn_truth(c, n->kids[i], truth);
    }
    land_all(c, &out);
    forget(c, known);
}

// The sum over a few elements that are known, without a loop.
static bool emit_short_sum(Compiler *c, const Node *n) {
    Binder b;
    read_binder((Node *)n, &b);
    int list;
    bool asked = b.body < n->nkids && n->kids[b.body]->kind != NODE_KEY;
    if (!asked || b.ntests || !c->learning || b.domains[0]->type == T_TRACK ||
        !evaluate(c->w, b.domains[0], NULL, &list))
        return false;
    const Node *what = n->kids[b.body];
    Local *local = &c->w->expanded->locals.at[b.names[0]->ref];
    const List elements = c->w->lists.at[list];
    local->stands = NULL;
    local->values = list + 1;
    if (elements.n > SHORT_SUM || !is_total(c, what) || size_of(c, what) > SHORT_SUM * 2)
        return false;
    int total = new_cell(c, true);
    emit_push(c, n, 0);
    emit_store(c, n, total);
    size_t known = c->known.n;
    local->constant = true;
    for (int i = 0; i < elements.n; i++) {
        local->value = elements.at[i];
        emit_value(c, what);
        emit_load(c, n, total);
        emit(c, n, OP_ADD);
        emit_store(c, n, total);
        forget(c, known);
    }
    local->constant = false;
    emit_load(c, n, total);
    return true;
}

static void emit_number(Compiler *c, const Node *n) {
    if (n->ludeme == L_SUM && emit_short_sum(c, n)) return;
    LudemeId id = (LudemeId)n->ludeme;
    bool extreme = id == L_MOST || id == L_LEAST;
    int total = new_cell(c, true), seen = extreme ? new_cell(c, true) : -1;
    emit_push(c, n, 0);
    emit_store(c, n, total);
    if (extreme) {
        emit_push(c, n, 0);
        emit_store(c, n, seen);
    }
    Round r = emit_round(c, n);
    emit_value(c, r.what);
    if (!extreme) {
        emit_load(c, n, total);
        emit(c, n, OP_ADD);
        emit_store(c, n, total);
    } else { // the first one counts as it is
        emit_load(c, n, seen);
        int first = emit_jump(c, n, OP_JZ);
        emit_load(c, n, total);
        emit(c, n, id == L_MOST ? OP_MAX : OP_MIN);
        land(c, first);
        emit_store(c, n, total);
        emit_push(c, n, 1);
        emit_store(c, n, seen);
    }
    emit_back(c, n, OP_JMP, r.start);
    land(c, r.exit);
    forget(c, r.known);
    emit_load(c, n, total);
}

// The element lies where it is found; there is nothing to do but to say so if none is.
static void emit_first(Compiler *c, const Node *n) {
    Round r = emit_round(c, n);
    Patches back = {0};
    emit_test(c, n, r.what, false, &back);
    land_at(c, &back, r.start);
    int done = emit_jump(c, n, OP_JMP);
    land(c, r.exit);
    forget(c, r.known);
    emit_push(c, n, n->type == T_NUMBER || n->type == T_TRUTH ? 0 : UNSET);
    emit_store(c, n, r.element);
    land(c, done);
    emit_load(c, n, r.element);
}

void emit_quantifier(Compiler *c, const Node *n) {
    Scope scope = begin_scope(c);
    Asking asking = begin_asking(c, n);
    if (asks_each(n)) {
        Patches no = {0};
        emit_each(c, n, false, &no);
        emit_push(c, n, 1);
        int done = emit_jump(c, n, OP_JMP);
        land_all(c, &no);
        emit_push(c, n, 0);
        land(c, done);
    } else if (n->ludeme == L_FIRST) {
        emit_first(c, n);
    } else {
        emit_number(c, n);
    }
    end_asking(c, asking);
    drop_scope(c, scope);
}
