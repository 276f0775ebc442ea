// Code for what moves pieces: put, remove, move, sow.

#include "emit.h"

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

void emit_moving(Compiler *c, const Node *n) {
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
