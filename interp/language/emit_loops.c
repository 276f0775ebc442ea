// Code for loops and turns, and for what leaves them.

#include "emit.h"

typedef struct Limit {
    int cell; // -1: none
    int over; // the jump taken when it is reached
} Limit;

static Limit emit_limit_start(Compiler *c, const Node *n, bool scratch) {
    Limit l = {-1, -1};
    if (!key_value(n, "limit")) return l;
    l.cell = new_cell(c, scratch);
    emit_push(c, n, 0);
    emit_store(c, n, l.cell);
    return l;
}

static void emit_limit_count(Compiler *c, const Node *n, Limit *l) {
    if (l->cell < 0) return;
    emit_load(c, n, l->cell);
    emit_value(c, key_value(n, "limit"));
    emit(c, n, OP_LT);
    l->over = emit_jump(c, n, OP_JZ);
    emit_load(c, n, l->cell);
    emit_push(c, n, 1);
    emit(c, n, OP_ADD);
    emit_store(c, n, l->cell);
}

// What is done at the limit; the loop is over after it.
static void emit_limit_reached(Compiler *c, const Node *n, const Limit *l) {
    if (l->cell < 0) return;
    int past = emit_jump(c, n, OP_JMP);
    land(c, l->over);
    const Node *then = key_value(n, "at-limit");
    int place = c->place;
    if (then)
        emit_statement(c, then);
    else
        emit1(c, n, OP_RAISE, R_ENDLESS);
    c->place = place;
    land(c, past);
}

void emit_while(Compiler *c, const Node *n) {
    bool scratch = n->effect < EFFECT_DECIDES;
    Scope s = begin_scope(c);
    Limit limit = emit_limit_start(c, n, scratch);
    Frame *f = enter_frame(c, FRAME_LOOP);
    uint32_t test = next_plain(n, 0);
    int start = here(c);
    Patches exit = {0};
    emit_test(c, n, n->kids[test], false, &exit);
    emit_limit_count(c, n, &limit);
    int place = emit_cover(c, n, OLDSOW_PLACE_ROUND);
    emit_block(c, n, next_plain(n, test), false);
    c->place = place;
    emit_back(c, n, OP_JMP, start);
    leave_frame(c);
    land_all(c, &exit);
    emit_limit_reached(c, n, &limit);
    land_all(c, &f->out);
    end_scope(c, n, s);
}

void emit_repeat(Compiler *c, const Node *n) {
    bool scratch = n->effect < EFFECT_DECIDES;
    const Node *until = key_value(n, "until");
    Scope s = begin_scope(c);
    Limit limit = emit_limit_start(c, n, scratch);
    Frame *f = enter_frame(c, FRAME_LOOP);
    int start = here(c);
    emit_limit_count(c, n, &limit);
    Scope round = begin_scope(c);
    int place = c->place;
    emit_sequence(c, n, 1, until, false);
    if (until) emit_value(c, until);
    c->place = place;
    end_scope(c, n, round);
    emit_back(c, n, until ? OP_JZ : OP_JMP, start);
    leave_frame(c);
    emit_limit_reached(c, n, &limit);
    land_all(c, &f->out);
    end_scope(c, n, s);
}

void emit_for(Compiler *c, const Node *n) {
    bool scratch = n->effect < EFFECT_DECIDES;
    Binder b;
    read_binder((Node *)n, &b);
    Scope s = begin_scope(c);
    int cell = new_cell(c, scratch);
    c->w->expanded->locals.at[b.names[0]->ref].cell = cell;
    Domain d = emit_domain(c, b.domains[0], scratch);
    Frame *f = enter_frame(c, FRAME_LOOP);
    int start, exit = emit_iterate(c, n, &d, cell, &start);
    for (int i = 0; i < b.ntests; i++) {
        emit_value(c, b.tests[i]);
        emit_back(c, n, OP_JZ, start);
    }
    int place = emit_cover(c, n, OLDSOW_PLACE_ROUND);
    emit_block(c, n, b.body, false);
    c->place = place;
    emit_back(c, n, OP_JMP, start);
    leave_frame(c);
    land(c, exit);
    land_all(c, &f->out);
    end_scope(c, n, s);
}

static void emit_set_mover(Compiler *c, const Node *n, const Node *player) {
    if (player)
        emit_value(c, player);
    else {
        emit_load(c, n, CELLS_OF_SYSTEM + CELL_MOVER);
        emit(c, n, OP_NEXT_PLAYER);
    }
    emit(c, n, OP_SET_MOVER);
}

// Whether as many have passed in a row as still play.
static void emit_all_pass(Compiler *c, const Node *n, int passes) {
    emit_load(c, n, passes);
    emit_push(c, n, 0);
    for (int p = 0; p < (int)c->w->players.n; p++) {
        emit_push(c, n, p);
        emit(c, n, OP_PLAYING);
        emit(c, n, OP_ADD);
    }
    emit(c, n, OP_GE);
    int go_on = emit_jump(c, n, OP_JZ);
    emit_push(c, n, 0);
    emit_store(c, n, passes);
    int place = c->place;
    emit_statement(c, key_value(n, "all-pass"));
    c->place = place;
    land(c, go_on);
}

void emit_turns(Compiler *c, const Node *n) {
    const Node *from = key_value(n, "from"), *next = key_value(n, "next"),
               *all_pass = key_value(n, "all-pass");
    Scope s = begin_scope(c);
    int passes = all_pass ? new_cell(c, false) : -1;
    if (from) emit_set_mover(c, n, from);
    Frame *f = enter_frame(c, FRAME_TURNS);
    int start = here(c), place = c->place;
    emit_block(c, n, 1, false);
    c->place = place;
    int done_at = here(c);
    if (passes >= 0) {
        emit_push(c, n, 0);
        emit_store(c, n, passes);
    }
    int up = here(c);
    if (!next && c->retires) { // the next is somebody who does not play only if nobody does
        emit_load(c, n, CELLS_OF_SYSTEM + CELL_MOVER);
        emit(c, n, OP_NEXT_PLAYER);
        emit(c, n, OP_PLAYING);
        vec_push(c->arena, &f->out, emit_jump(c, n, OP_JZ));
    }
    emit_set_mover(c, n, next);
    emit_back(c, n, OP_JMP, start);
    int pass_at = here(c);
    if (f->pass.n) {
        if (passes >= 0) {
            emit_load(c, n, passes);
            emit_push(c, n, 1);
            emit(c, n, OP_ADD);
            emit_store(c, n, passes);
            emit_all_pass(c, n, passes);
        }
        emit_back(c, n, OP_JMP, up);
    }
    int again_at = here(c);
    if (f->again.n) {
        if (passes >= 0) {
            emit_push(c, n, 0);
            emit_store(c, n, passes);
        }
        emit_back(c, n, OP_JMP, start);
    }
    leave_frame(c);
    // Only now: what `all-pass:` does may end the turn, too.
    land_at(c, &f->done, done_at);
    land_at(c, &f->pass, pass_at);
    land_at(c, &f->again, again_at);
    land_all(c, &f->out);
    end_scope(c, n, s);
}

void emit_turn_of(Compiler *c, const Node *n) {
    Scope s = begin_scope(c);
    int saved = new_cell(c, n->effect < EFFECT_DECIDES);
    emit_load(c, n, CELLS_OF_SYSTEM + CELL_MOVER);
    emit_store(c, n, saved);
    emit_set_mover(c, n, n->kids[1]);
    Frame *f = enter_frame(c, FRAME_TURN_OF);
    f->saved_mover = saved;
    int place = c->place;
    emit_block(c, n, 2, false);
    c->place = place;
    leave_frame(c);
    emit_load(c, n, saved);
    emit(c, n, OP_SET_MOVER);
    end_scope(c, n, s);
}

// (break), (again), (pass), (leave): out of everything up to the loop or turns that is meant.
void emit_way_out(Compiler *c, const Node *n) {
    FrameKind wanted = n->ludeme == L_BREAK ? FRAME_LOOP : FRAME_TURNS;
    Frame *f = c->frame;
    for (; f && f->kind != wanted && f->kind != FRAME_WOULD; f = f->up) {
        if (f->kind == FRAME_SOW) {
            report_at(c->w->diags, c->w->script, E_NOT_HERE, n, ludemes[n->ludeme].name,
                      "it would leave a sowing in the middle, with pieces in hand");
            return;
        }
        if (f->kind != FRAME_TURN_OF) continue;
        emit_load(c, n, f->saved_mover);
        emit(c, n, OP_SET_MOVER);
    }
    if (!f) {
        report_at(c->w->diags, c->w->script, E_NOT_HERE, n, ludemes[n->ludeme].name,
                  wanted == FRAME_LOOP ? "it stands in no (while ...), (repeat ...) or (for ...)"
                                       : "it stands in no (turns ...)");
        return;
    }
    if (f->kind != FRAME_WOULD && c->top > f->top) { // a look-ahead's copy is thrown away
        emit(c, n, OP_ZERO);
        emit_cell(c, n, CELLS_OF_LOCALS + f->top);
        emit_word(c, n, c->top - f->top);
    }
    Patches *to = f->kind == FRAME_WOULD ? &f->out
                  : n->ludeme == L_AGAIN ? &f->again
                  : n->ludeme == L_PASS  ? &f->pass
                  : n->ludeme == L_DONE  ? &f->done
                                         : &f->out;
    vec_push(c->arena, to, emit_jump(c, n, OP_JMP));
}
