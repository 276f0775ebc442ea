// Code for statements: everything that changes the position or says where the play goes.

#include "emit.h"

// ---- sequences -------------------------------------------------------------------------------------

static bool rest_decides(const Node *n, uint32_t i, const Node *after) {
    if (after && after->effect == EFFECT_DECIDES) return true;
    for (; i < n->nkids; i++)
        if (n->kids[i]->effect == EFFECT_DECIDES) return true;
    return false;
}

// Whether the let only gives another name to something that is known, or never changes.
bool needs_no_code(const Compiler *c, const Node *let) {
    if (let->nkids != 3 || let->kids[1]->ludeme != L_LOCAL) return false;
    const Local *l = &c->w->expanded->locals.at[let->kids[1]->ref];
    bool copy = l->alias && l->alias->ludeme == L_LOCAL && l->alias->kind == NODE_NAME &&
                !(l->type & T_LIST) && l->type != T_TRACK;
    return l->alias && (copy || is_constant(c->w, l->alias));
}

static void emit_sequence_into(Compiler *c, const Node *n, uint32_t from, const Node *after,
                               bool value, int cell);

// The value of an `if` goes into the cell from either side, that of a `do` from its last part.
static void emit_into(Compiler *c, const Node *n, const Node *value, int cell) {
    bool form = value->kind == NODE_LIST && !c->counting && !c->learning &&
                value->type != T_ERROR && !is_constant(c->w, value);
    if (form && value->ludeme == L_DO) {
        Scope s = begin_scope(c);
        emit_sequence_into(c, value, 1, NULL, true, cell);
        end_scope(c, value, s);
    } else if (form && value->ludeme == L_IF && value->nkids == 4) {
        Patches otherwise = {0};
        emit_test(c, value, value->kids[1], false, &otherwise);
        emit_into(c, n, value->kids[2], cell);
        int done = emit_jump(c, value, OP_JMP);
        land_all(c, &otherwise);
        emit_into(c, n, value->kids[3], cell);
        land(c, done);
    } else {
        emit_value(c, value);
        emit_store(c, n, cell);
    }
}

// What a let names lives in the position only if a decision can come while it is known.
static void emit_let(Compiler *c, const Node *n, bool scratch) {
    World *w = c->w;
    const Node *name = n->kids[1], *value = n->kids[2];
    if (name->kind != NODE_NAME || name->ludeme != L_LOCAL) return;
    if (w->expanded->locals.at[name->ref].stands) return;
    for (uint32_t i = 3; i + 1 < n->nkids; i += 2) { // what the region depends on, as it is now
        int cell = new_cell(c, scratch);
        emit_value(c, n->kids[i + 1]);
        emit_store(c, n, cell);
        w->expanded->locals.at[n->kids[i]->ref].cell = cell;
    }
    if (needs_no_code(c, n)) return;
    int cell = new_cell(c, scratch);
    if (value->kind == NODE_LIST && value->ludeme == L_THROW)
        emit_throw(c, value, &cell);
    else
        emit_into(c, n, value, cell);
    w->expanded->locals.at[name->ref].cell = cell;
}

static void emit_throw_named(Compiler *c, const Node *n) {
    int cells[CHOOSE_VARS];
    for (uint32_t i = 2; i < n->nkids && i - 2 < CHOOSE_VARS; i++) {
        cells[i - 2] = new_cell(c, false);
        c->w->expanded->locals.at[n->kids[i]->ref].cell = cells[i - 2];
    }
    emit_throw(c, n, cells);
}

static void emit_sequence_into(Compiler *c, const Node *n, uint32_t from, const Node *after,
                               bool value, int cell) {
    for (uint32_t i = next_plain(n, from - 1); i; i = next_plain(n, i)) {
        const Node *kid = n->kids[i];
        bool last = !next_plain(n, i);
        if (kid->kind == NODE_LIST && kid->ludeme == L_LET)
            emit_let(c, kid, !rest_decides(n, i + 1, after));
        else if (kid->kind == NODE_LIST && kid->ludeme == L_THROW && kid->nkids > 2)
            emit_throw_named(c, kid);
        else if (last && value && cell >= 0)
            emit_into(c, n, kid, cell);
        else if (last && value)
            emit_value(c, kid);
        else
            emit_statement(c, kid);
    }
}

void emit_sequence(Compiler *c, const Node *n, uint32_t from, const Node *after, bool value) {
    emit_sequence_into(c, n, from, after, value, -1);
}

void emit_block(Compiler *c, const Node *n, uint32_t from, bool value) {
    Scope s = begin_scope(c);
    emit_sequence(c, n, from, NULL, value);
    end_scope(c, n, s);
}

static void emit_look(Compiler *c, const Node *n) {
    Scope s = begin_scope(c);
    int asking = c->asking;
    c->asking = 0; // decisions on the copy need cells of the position
    // What is known of the position is not known of the copy.
    const size_t known_from = c->known_from;
    const bool learning = c->learning;
    c->known_from = c->known.n;
    c->learning = false;
    emit(c, n, OP_WOULD);
    const Node *then = key_value(n, "then");
    emit_word(c, n, 0);
    emit_word(c, n, 0);
    const Node *endless = key_value(n, "endless"), *enough = key_value(n, "enough");
    int answer = 0, most = INT32_MAX;
    if (enough) evaluate(c->w, enough, NULL, &most);
    emit_word(c, n, then->type == T_TRUTH ? 1 : most);
    if (endless) evaluate(c->w, endless, NULL, &answer);
    emit_word(c, n, endless ? answer : INT32_MIN);
    int words = here(c) - 4, place = c->place;
    Frame *f = enter_frame(c, FRAME_WOULD);
    emit_sequence(c, n, 1, then, false);
    leave_frame(c);
    c->place = place; // the end of the game leads to `then:` as well
    land(c, words);
    land_all(c, &f->out);
    emit_value(c, then);
    emit(c, n, OP_VALUE);
    land(c, words + 1);
    c->asking = asking;
    forget(c, c->known_from);
    c->known_from = known_from;
    c->learning = learning;
    drop_scope(c, s);
}

// The loop that is all that the statements do, after some names; or NULL.
static const Node *only_loop(Compiler *c, const Node *n, Questions *lets) {
    for (;;) {
        if (n->kind != NODE_LIST) return NULL;
        if (n->ludeme == L_WHILE) return n;
        if (n->ludeme != L_DO || n->nkids < 2) return NULL;
        for (uint32_t i = 1; i + 1 < n->nkids; i++) {
            if (n->kids[i]->ludeme != L_LET || n->kids[i]->effect > EFFECT_NAMES) return NULL;
            vec_push(c->arena, lets, n->kids[i]);
        }
        n = n->kids[n->nkids - 1];
    }
}

// A look-ahead at a loop that has no first round asks about the position as it is: no copy is made.
void emit_would(Compiler *c, const Node *n) {
    uint32_t first = next_plain(n, 0);
    Questions lets = {0};
    const Node *loop = first && !next_plain(n, first) ? only_loop(c, n->kids[first], &lets) : NULL;
    if (!loop || c->counting) {
        emit_look(c, n);
        return;
    }
    Scope s = begin_scope(c);
    size_t known = c->known.n;
    c->asking++;
    for (size_t i = 0; i < lets.n; i++) emit_let(c, lets.at[i], true);
    Patches none = {0};
    emit_test(c, loop, loop->kids[next_plain(loop, 0)], false, &none);
    c->asking--;
    forget(c, known);
    drop_scope(c, s);
    emit_look(c, n);
    int done = emit_jump(c, n, OP_JMP);
    land_all(c, &none);
    emit_value_anew(c, key_value(n, "then"));
    forget(c, known);
    land(c, done);
}

// ---- statements ---------------------------------------------------------------------------------------------------

static void emit_set(Compiler *c, const Node *n) {
    const Node *target = n->kids[1];
    if (target->ludeme == L_LOCAL) {
        emit_into(c, n, n->kids[2], c->w->expanded->locals.at[target->ref].cell);
        return;
    }
    emit_value(c, n->kids[2]);
    const Var *v = &c->w->vars.at[c->w->symbols.at[target->ref].index];
    if (v->index_list < 0) {
        emit_store(c, n, v->cell);
    } else if (n->ludeme == L_SET_ALL) {
        emit(c, n, OP_FILL);
        emit_cell(c, n, v->cell);
        emit_word(c, n, v->n);
    } else {
        emit_value(c, target->kids[1]);
        emit(c, n, OP_STOREX);
        emit_word(c, n, v->index_list);
        emit_cell(c, n, v->cell);
    }
}

static void emit_if(Compiler *c, const Node *n) {
    int place = c->place;
    Patches otherwise = {0};
    emit_test(c, n, n->kids[1], false, &otherwise);
    emit_statement(c, n->kids[2]);
    c->place = place;
    if (n->nkids < 4 && !c->counting) {
        land_all(c, &otherwise);
        return;
    }
    int done = emit_jump(c, n, OP_JMP);
    land_all(c, &otherwise);
    if (n->nkids < 4)
        emit_cover(c, n->kids[1], OLDSOW_PLACE_NO);
    else
        emit_statement(c, n->kids[3]);
    c->place = place;
    land(c, done);
}

void emit_statement(Compiler *c, const Node *n) {
    if (n->kind != NODE_LIST || n->type == T_ERROR) return;
    if (n->ludeme != L_LET) emit_cover(c, n, OLDSOW_PLACE_DONE);
    switch ((int)n->ludeme) {
    case L_LET: { // of a definition within a list's expression
        emit_let(c, n, c->asking > 0);
        return;
    }
    case L_DO: emit_block(c, n, 1, false); return;
    case L_IF: emit_if(c, n); return;
    case L_SET:
    case L_SET_ALL: emit_set(c, n); return;
    case L_PUT:
    case L_REMOVE:
    case L_MOVE: emit_moving(c, n); return;
    case L_WHILE: emit_while(c, n); return;
    case L_REPEAT: emit_repeat(c, n); return;
    case L_FOR: emit_for(c, n); return;
    case L_TURNS: emit_turns(c, n); return;
    case L_TURN_OF: emit_turn_of(c, n); return;
    case L_BREAK:
    case L_AGAIN:
    case L_DONE:
    case L_PASS:
    case L_LEAVE: emit_way_out(c, n); return;
    case L_CHOOSE:
    case L_LOT: emit_choose(c, n); return;
    case L_EITHER: emit_either(c, n); return;
    case L_FAIL: emit1(c, n, OP_RAISE, R_ENDLESS); return;
    case L_RETIRE:
        emit_value(c, n->kids[1]);
        emit(c, n, OP_RETIRE);
        return;
    case L_LOSE:
        emit_value(c, n->kids[1]);
        emit(c, n, OP_LOSE);
        return;
    case L_WIN:
        if (n->kids[1]->type & T_LIST)
            emit_list(c, n->kids[1]);
        else
            emit_value(c, n->kids[1]);
        emit(c, n, n->kids[1]->type & T_LIST ? OP_WIN_LIST : OP_WIN);
        return;
    case L_DRAW: emit(c, n, OP_DRAW); return;
    case L_SCORE:
        emit_value(c, n->kids[2]);
        emit_value(c, n->kids[1]);
        emit(c, n, OP_SCORE);
        c->scores = true;
        return;
    case L_HIGHEST_WINS:
    case L_LOWEST_WINS:
        emit1(c, n, OP_BY_SCORE, n->ludeme == L_HIGHEST_WINS ? 1 : -1);
        c->scores = true;
        return;
    case L_REMEMBER:
        emit(c, n, OP_REMEMBER);
        c->remembers = true;
        return;
    default: // a value nobody wants
        emit_value(c, n);
        emit(c, n, OP_POP);
    }
}
