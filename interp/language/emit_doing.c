// Code for statements: everything that changes the position or says where the play goes.

#include "emit.h"

#include <string.h>

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

// ---- pieces --------------------------------------------------------------------------------------------

static bool names_all(const Node *n) {
    return n->kind == NODE_NAME && n->ludeme != L_LOCAL && n->type == T_NOTHING;
}

static void emit_kind(Compiler *c, const Node *n, const Node *kind) {
    if (kind)
        emit_value(c, kind);
    else
        emit_push(c, n, 0);
}

// One site's pieces; the site is in a cell, or is the node's value.
static void emit_all_of(Compiler *c, const Node *n, const Node *kind, int from_cell,
                        const Node *from, int to_cell) {
    bool move = n->ludeme == L_MOVE, one = kind && kind->type == T_PIECE, set = kind && !one;
    if (one) emit_value(c, kind);
    if (from_cell >= 0)
        emit_load(c, n, from_cell);
    else
        emit_value(c, from);
    if (move) {
        if (to_cell >= 0)
            emit_load(c, n, to_cell);
        else
            emit_value(c, key_value(n, "to"));
    }
    if (set)
        emit1(c, n, move ? OP_MOVE_SET : OP_REMOVE_SET,
              constant_list(c, kind, "several kinds of pieces"));
    else if (one)
        emit(c, n, move ? OP_MOVE_KIND : OP_REMOVE_KIND);
    else
        emit(c, n, move ? OP_MOVE_ALL : OP_REMOVE_ALL);
}

static void emit_moving(Compiler *c, const Node *n) {
    uint32_t a = next_plain(n, 0), k = next_plain(n, a);
    const Node *amount = n->kids[a], *kind = k ? n->kids[k] : NULL;
    const Node *place = key_value(n, n->ludeme == L_PUT ? "on" : "from"), *to = key_value(n, "to");
    bool site = place->type == T_SITE || place->type == T_UNSET, all = names_all(amount);
    if (site && all) {
        emit_all_of(c, n, kind, -1, place, -1);
        return;
    }
    if (site) {
        emit_value(c, amount);
        emit_kind(c, n, kind);
        emit_value(c, place);
        if (to) emit_value(c, to);
        emit(c, n, n->ludeme == L_PUT ? OP_PUT : n->ludeme == L_MOVE ? OP_MOVE : OP_REMOVE);
        return;
    }
    Scope s = begin_scope(c); // each site of a region
    int cell = new_cell(c, true), target = -1;
    if (to) {
        target = new_cell(c, true);
        emit_value(c, to);
        emit_store(c, n, target);
    }
    Domain d = emit_domain(c, place, true);
    int start, exit = emit_iterate(c, n, &d, cell, &start);
    if (all) {
        emit_all_of(c, n, kind, cell, NULL, target);
    } else {
        emit_value(c, amount);
        emit_kind(c, n, kind);
        emit_load(c, n, cell);
        emit(c, n, OP_PUT);
    }
    emit_back(c, n, OP_JMP, start);
    land(c, exit);
    end_scope(c, n, s);
}

// ---- sowing ----------------------------------------------------------------------------------------------

static void emit_hook(Compiler *c, const Hook *h, int piece, int site) {
    if (!h->body) return;
    enter_frame(c, FRAME_SOW);
    int place = c->place;
    if (h->second) {
        c->w->expanded->locals.at[h->first->ref].cell = piece;
        c->w->expanded->locals.at[h->second->ref].cell = site;
        emit_statement(c, h->body);
    } else {
        c->w->expanded->locals.at[h->first->ref].cell = site;
        emit_value(c, h->body);
    }
    c->place = place;
    leave_frame(c);
}

// Stone by stone, with the script's own program at each drop.
static void emit_sow_slowly(Compiler *c, const Node *n, const Sow *s, int order) {
    bool decides = n->effect == EFFECT_DECIDES;
    Scope scope = begin_scope(c);
    int hands = c->hands, hand = hand_site(c, new_hand(c));
    int site = new_cell(c, !decides), piece = new_cell(c, !decides), track = -1;
    emit_value(c, s->site);
    emit_store(c, n, site);
    if (!is_constant(c->w, s->along)) {
        track = new_cell(c, !decides);
        emit_value(c, s->along);
        emit_store(c, n, track);
    }
    int first = -1;
    if (s->first) {
        first = new_cell(c, !decides);
        emit_value(c, s->first);
        emit_store(c, n, first);
    }
    emit_load(c, n, site);
    emit_push(c, n, hand);
    emit1(c, n, OP_MOVE_SET, order); // as the quick way does: kinds that have no turn stay
    int begin = -1;
    if (s->first) { // an empty handful stays where it is
        emit_push(c, n, hand);
        emit(c, n, OP_OCCUPIED);
        int nothing = emit_jump(c, n, OP_JZ);
        emit_load(c, n, first);
        emit_store(c, n, site);
        begin = emit_jump(c, n, OP_JMP);
        land(c, nothing);
    }
    int next = here(c);
    emit_push(c, n, hand);
    emit(c, n, OP_EMPTY);
    int done = emit_jump(c, n, OP_JNZ);
    emit_load(c, n, site);
    if (track >= 0)
        emit_load(c, n, track);
    else
        emit_value(c, s->along);
    emit(c, n, OP_NEXT);
    emit_store(c, n, site);
    if (begin >= 0) land(c, begin);
    emit_load(c, n, site);
    emit_push(c, n, UNSET);
    emit(c, n, OP_NE);
    int there = emit_jump(c, n, OP_JNZ);
    emit1(c, n, OP_RAISE, R_TRACK_END);
    land(c, there);
    if (s->skip.body) {
        emit_hook(c, &s->skip, -1, site);
        emit_back(c, n, OP_JNZ, next);
    }
    emit_push(c, n, hand);
    emit1(c, n, OP_PIECE_ON, order);
    emit_store(c, n, piece);
    emit_hook(c, &s->before, piece, site);
    emit_push(c, n, 1);
    emit_load(c, n, piece);
    emit_push(c, n, hand);
    emit_load(c, n, site);
    emit(c, n, OP_MOVE);
    emit_hook(c, &s->after, piece, site);
    emit_back(c, n, OP_JMP, next);
    land(c, done);
    emit_load(c, n, site);
    c->hands = hands;
    end_scope(c, n, scope);
}

void emit_sow(Compiler *c, const Node *n) {
    Sow s;
    read_sow((Node *)n, &s);
    int order = s.order ? constant_list(c, s.order, "the order of kinds") : c->all_pieces;
    if (s.before.body || s.after.body || s.skip.body || s.first) {
        emit_sow_slowly(c, n, &s, order);
        return;
    }
    emit_value(c, s.site);
    emit_value(c, s.along);
    emit1(c, n, OP_SOW, order);
}

// ---- loops and turns ------------------------------------------------------------------------------------------

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

static void emit_while(Compiler *c, const Node *n) {
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

static void emit_repeat(Compiler *c, const Node *n) {
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

static void emit_for(Compiler *c, const Node *n) {
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

static void emit_turns(Compiler *c, const Node *n) {
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

static void emit_turn_of(Compiler *c, const Node *n) {
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
static void emit_way_out(Compiler *c, const Node *n) {
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
