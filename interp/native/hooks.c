// Sowing with hooks: a loop in the code, a piece a round (emit_sow_slowly in the language). For a kind whose rounds only note
// something that the next round notes anew, all rounds but the last come to the same as dropping the pieces.
#include "translate.h"
#include "translator.h"

#include <string.h>

enum { PATH_MAX_WORDS = 60, NOTED_MAX = 8 };

// The parts of the loop.
typedef struct Hooked {
    int head, done; // where a round begins, and what comes after the last
    int hand, site, piece, order;
    int track; // cell of the track, or -1: it is the number `along`
    int along;
    bool skips; // one site gets nothing:
    int skip;   // its cell, or -1: it is the number `skipped`
    int skipped;
    int hook; // where the piece is known
    int rounds_words;
} Hooked;

typedef struct Reader {
    const int32_t *code;
    int at;
} Reader;

static bool takes(Reader *r, int op) {
    if (r->code[r->at] != op) return false;
    r->at += 1 + op_shapes[op].operands;
    return true;
}

static bool takes_with(Reader *r, int op, int32_t operand) {
    return r->code[r->at + 1] == operand && takes(r, op);
}

// A cell, or a number; the cell becomes -1.
static bool takes_value(Reader *r, int *cell, int *number) {
    int32_t operand = r->code[r->at + 1];
    if (takes(r, OP_LOAD)) return *cell = operand, true;
    *cell = -1, *number = operand;
    return takes(r, OP_PUSH);
}

static bool takes_skip(Reader *r, Hooked *h) {
    if (r->code[r->at] == OP_PUSH && r->code[r->at + 1] == h->hand) return true; // there is none
    h->skips = true;
    if (!takes_with(r, OP_LOAD, h->site) || !takes_value(r, &h->skip, &h->skipped)) return false;
    return takes(r, OP_EQ) && takes_with(r, OP_JNZ, h->head);
}

static bool read_loop(const Translator *t, int lift, Hooked *h) {
    const int32_t *code = t->p->code;
    Reader r = {code, next_pc(t, lift)};
    h->head = r.at;
    h->order = code[lift + 1];
    if (t->spots[h->head].back < 0) return false;
    h->hand = code[r.at + 1];
    if (!takes(&r, OP_PUSH) || !takes(&r, OP_EMPTY)) return false;
    h->done = code[r.at + 1];
    if (!takes(&r, OP_JNZ)) return false;
    h->site = code[r.at + 1];
    if (!takes(&r, OP_LOAD) || !takes_value(&r, &h->track, &h->along)) return false;
    if (!takes(&r, OP_NEXT) || !takes_with(&r, OP_STORE, h->site)) return false;
    if (!takes_with(&r, OP_LOAD, h->site) || !takes_with(&r, OP_PUSH, UNSET)) return false;
    if (!takes(&r, OP_NE) || !takes(&r, OP_JNZ) || !takes(&r, OP_RAISE)) return false;
    if (!takes_skip(&r, h) || !takes_with(&r, OP_PUSH, h->hand)) return false;
    if (!takes_with(&r, OP_PIECE_ON, h->order)) return false;
    h->piece = code[r.at + 1];
    if (!takes(&r, OP_STORE)) return false;
    h->hook = r.at;
    h->rounds_words = t->spots[h->head].back - h->head + 1;
    return t->scalar_of[h->site] >= 0 && t->scalar_of[h->piece] >= 0;
}

static Value value_of(Translator *t, int cell, int number) {
    if (cell >= 0)
        push_cell(t, cell);
    else
        push_number(t, number);
    return pop_value(t);
}

static Value numbered(Translator *t, int number) { return value_of(t, -1, number); }

static const char *in_hand(Translator *t, const Hooked *h, int kind) {
    Value s = numbered(t, h->hand), k = numbered(t, kind);
    return count_cell(t, &s, &k);
}

// ---- the way of one kind through a round -----------------------------------------------------------

typedef struct Round {
    const Hooked *h;
    bool write;           // else it is only found out whether it goes
    int noted[NOTED_MAX]; // cells, in the order in which they are noted
    int nnoted, known, moved;
    bool
        elsewhere; // asks what lies on other sites than that of the piece, or what lies there after it fell
    bool before; // is written before the pieces are moved
} Round;

static bool noted_before(const Round *r, int cell) {
    for (int i = 0; i < r->known; i++)
        if (r->noted[i] == cell) return true;
    return false;
}

// Noted in this round, but further on: what is read is of the round before.
static bool noted_later(const Round *r, int cell) {
    for (int i = r->known; i < r->nnoted; i++)
        if (r->noted[i] == cell) return true;
    return false;
}

static bool note(Translator *t, Round *r, int cell, int base) {
    const Hooked *h = r->h;
    if (r->write) {
        instruction(t, t->p->code + t->pc);
        return true;
    }
    Value v = *top_value(t, 0);
    if (t->depth != base + 1 || t->scalar_of[cell] < 0 ||
        !range_within(v.range, CELL_MIN, CELL_MAX))
        return false;
    if (cell == h->site || cell == h->piece || cell == h->track || cell == h->skip) return false;
    pop_value(t);
    know_cell(t, cell, v.range);
    if (noted_before(r, cell)) return true;
    if (r->nnoted == r->known) { // the first time that the round is gone through
        if (r->nnoted == NOTED_MAX) return false;
        r->noted[r->nnoted++] = cell;
    }
    r->known++;
    return true;
}

static bool move_one(Translator *t, Round *r, int kind) {
    const Value *n = top_value(t, 3), *k = top_value(t, 2), *from = top_value(t, 1),
                *to = top_value(t, 0);
    if (!range_single(n->range) || n->range.low != 1 || !range_single(k->range) ||
        k->range.low != kind || !range_single(from->range) || from->range.low != r->h->hand ||
        to->copy != t->scalar_of[r->h->site])
        return false;
    r->moved++;
    t->depth -= 4;
    if (!r->write || r->before) return true;
    Value site = value_of(t, r->h->site, 0), what = numbered(t, kind);
    say(t, "%s = 0, %s += 1;", in_hand(t, r->h, kind), count_cell(t, &site, &what));
    taken_fallen(t, &site);
    return true;
}

// Whether the instruction counts pieces elsewhere than on the site, or those that are there when one has fallen.
static bool looks_elsewhere(Translator *t, const Round *r, Opcode op) {
    if (op < OP_COUNT || op > OP_PIECE_ON) return false;
    if (r->moved || (op >= OP_LCOUNT && op <= OP_LCOUNT_SET)) return true;
    int below = op == OP_COUNT_KIND || op == OP_EMPTY_KIND;
    return top_value(t, below)->copy != t->scalar_of[r->h->site];
}

// From where the piece is known to the end of the round; false if the way is not known, or if there is more on it than
// noting and one piece dropped.
static bool go_through(Translator *t, Round *r, int kind) {
    const int32_t *code = t->p->code;
    int base = t->depth, said = t->said, pc = r->h->hook;
    r->known = r->moved = 0;
    for (int words = 0; words < PATH_MAX_WORDS; words++) {
        int next = next_pc(t, pc);
        t->pc = pc;
        switch ((Opcode)code[pc]) {
        case OP_JMP:
            if (code[pc + 1] == r->h->head) return r->moved == 1 && t->depth == base;
            next = code[pc + 1];
            break;
        case OP_JZ:
        case OP_JNZ: {
            Value v = pop_value(t);
            if (!range_single(v.range)) return false;
            if ((v.range.low != 0) == (code[pc] == OP_JNZ)) next = code[pc + 1];
            break;
        }
        case OP_STORE:
            if (!note(t, r, code[pc + 1], base)) return false;
            break;
        case OP_MOVE:
            if (!move_one(t, r, kind)) return false;
            break;
        case OP_LOAD:
            if (!r->write && noted_later(r, code[pc + 1])) return false;
            instruction(t, code + pc);
            break;
        default:
            if (!only_asks((Opcode)code[pc])) return false;
            r->elsewhere |= looks_elsewhere(t, r, (Opcode)code[pc]);
            instruction(t, code + pc);
            if (!r->write && t->said != said) return false;
            break;
        }
        if (next <= pc || !t->open) return false;
        pc = next;
    }
    return false;
}

// ---- the handful -----------------------------------------------------------------------------------

// Sites on which a piece may fall.
static Range on_way(const Translator *t, Range tracks) {
    return list_range(t, t->p->tracks[tracks.low].list);
}

typedef struct Before {
    Range cells[SCALARS_MAX];
    Value stack[STACK_SIZE];
    int depth, pc;
} Before;

static void remember_now(const Translator *t, Before *b) {
    memcpy(b->cells, t->cells, sizeof b->cells);
    memcpy(b->stack, t->stack, sizeof b->stack);
    b->depth = t->depth;
    b->pc = t->pc;
}

static void back_to(Translator *t, const Before *b) {
    memcpy(t->cells, b->cells, sizeof b->cells);
    memcpy(t->stack, b->stack, sizeof b->stack);
    t->depth = b->depth;
    t->pc = b->pc;
    t->open = true;
}

// Goes through the round of a kind twice: what it notes is known the second time. Leaves all as it was.
static bool inert(Translator *t, const Hooked *h, int kind, Range way, bool *elsewhere) {
    Before before;
    Round r = {.h = h};
    remember_now(t, &before);
    bool fine = true;
    for (int k = 0; fine && k < 2; k++) {
        know_cell(t, h->piece, range_of(kind, kind));
        know_cell(t, h->site, way);
        fine = go_through(t, &r, kind);
        back_to(t, &before);
    }
    *elsewhere = r.elsewhere;
    return fine;
}

// The first kind of the order whose rounds are that simple; *place is where it stands.
static int simple_kind(Translator *t, const Hooked *h, Range way, int *place, bool *elsewhere) {
    const List *order = &t->p->lists[h->order];
    for (*place = 0; *place < order->n; ++*place) {
        int kind = order->at[*place];
        if (kind >= 0 && kind < t->p->npieces && inert(t, h, kind, way, elsewhere)) return kind;
    }
    return -1;
}

static void write_last(Translator *t, const Hooked *h, int kind, const Value *track, Range way) {
    Round last = {.h = h, .write = true};
    const char *next = range_single(track->range) ? phrase(t, "next_%d", track->range.low)
                                                  : phrase(t, "next_of[%s]", track->text);
    set_cell(t, h->site, phrase(t, "%s[%s]", next, cell_text(t, h->site)), way);
    set_cell(t, h->piece, phrase(t, "%d", kind), range_of(kind, kind));
    go_through(t, &last, kind);
}

typedef struct Handful { // lifted, of which `n` are of the kind that is simple
    const Hooked *h;
    int kind, place, lap;
    const char *n, *others, *row; // others: NULL if there is but one kind
    const char *test;             // whether it may fall at once, as far as the kind goes
    Value track;
    Range way, from;
} Handful;

static void read_handful(Translator *t, Handful *f) {
    const Hooked *h = f->h;
    const List *order = &t->p->lists[h->order];
    f->row = lap_row(t, f->lap, &f->track);
    f->n = phrase(t, "lifted_%d", f->place);
    for (int i = 0; i < order->n; i++) {
        const char *one = phrase(t, "lifted_%d", i);
        if (i != f->place) f->others = f->others ? phrase(t, "%s | %s", f->others, one) : one;
    }
    f->test = phrase(t, "%s > 0 && %s < %d", f->n, f->n, lap_sites(t, f->lap));
    if (!h->skips) return;
    Value skip = value_of(t, h->skip, h->skipped); // they must come no further than to there
    f->test = phrase(t, "%s && %s <= away_%d[%s][lifted_from][%s * KINDS - %d]", f->test, f->n,
                     f->lap, f->row, skip.text, lap_base(t, f->lap) - f->kind);
}

static void site_left(Translator *t, const Handful *f) {
    Value from = {.text = "lifted_from", .range = f->from};
    if (t->p->lists[f->h->order].n == t->p->npieces)
        taken_left(t, &from);
    else
        taken_changed(t, &from);
}

static void leave_site(Translator *t, const Handful *f) {
    const List *order = &t->p->lists[f->h->order];
    for (int i = 0; i < order->n; i++)
        say(t, "c[lifted_from * KINDS + %d] -= lifted_%d;", order->at[i], i);
    site_left(t, f);
}

// Nothing else was lifted, and the hooks ask of no other site than that of the piece: on the last one lies, before that piece
// falls, what lay there at the beginning.
static void write_whole(Translator *t, const Handful *f) {
    Before before;
    remember_now(t, &before);
    Round last = {.h = f->h, .write = true, .before = true};
    say(t, "if (%s%s) { // all at once", f->test,
        f->others ? phrase(t, " && (%s) == 0", f->others) : "");
    say(t, "steps -= %s * %d;", f->n, f->h->rounds_words);
    set_cell(t, f->h->site, phrase(t, "end_%d[%s][lifted_from][%s]", f->lap, f->row, f->n), f->way);
    set_cell(t, f->h->piece, phrase(t, "%d", f->kind), range_of(f->kind, f->kind));
    go_through(t, &last, f->kind);
    t->pc = before.pc;
    say(t, "sow_lap_%d(c, lifted_from, %s, %s);", f->lap, f->row, f->n);
    site_left(t, f);
    taken_sown(t, f->lap, f->row, "lifted_from", f->n);
    say(t, "goto %s;", jump_to(t, f->h->done));
    say(t, "}");
    back_to(t, &before);
}

// All of the kind but the last fall at once; the loop sees to the others.
static void write_most(Translator *t, const Handful *f) {
    const Hooked *h = f->h;
    const List *order = &t->p->lists[h->order];
    const char *test = f->test;
    for (int i = 0; i < f->place; i++) test = phrase(t, "%s && lifted_%d == 0", test, i);
    Before before;
    remember_now(t, &before);
    say(t, "if (%s) { // all but the last at once", test);
    say(t, "steps -= %s * %d;", f->n, h->rounds_words);
    say(t, "drop_lap_%d(c, lifted_from, %s, %s - 1);", f->lap, f->row, f->n);
    taken_sown(t, f->lap, f->row, "lifted_from", phrase(t, "%s - 1", f->n));
    set_cell(t, h->site, phrase(t, "end_%d[%s][lifted_from][%s - 1]", f->lap, f->row, f->n),
             f->way);
    leave_site(t, f);
    say(t, "%s = 1;", in_hand(t, h, f->kind));
    write_last(t, h, f->kind, &f->track, f->way);
    t->pc = before.pc;
    if (order->n == t->p->npieces)
        say(t, f->others ? "if ((%s) == 0) goto %s;" : "%sgoto %s;", f->others ? f->others : "",
            jump_to(t, h->done));
    say(t, "} else {");
    leave_site(t, f);
    say(t, "}");
    for (int i = 0; i < t->nscalars; i++)
        before.cells[i] = range_join(before.cells[i], t->cells[i]);
    back_to(t, &before);
}

bool sow_past_hooks(Translator *t) {
    Hooked h = {0};
    const Program *p = t->p;
    if (!t->few || !read_loop(t, t->pc, &h)) return false;
    if (!need_site(t, 0) || !need_site(t, 1)) return true;
    const List *order = &p->lists[h.order];
    Value to = *top_value(t, 0), from = *top_value(t, 1), track = value_of(t, h.track, h.along);
    if (order->n == 0 || order->n > SITE_KINDS_MAX || !is_kinds(t, list_range(t, h.order)) ||
        !range_single(to.range) || to.range.low != h.hand || from.copy < 0 ||
        from.copy != t->scalar_of[h.site] || t->depth != t->spots[h.head].depth + 2)
        return false;
    if (track.range.low < 0 || track.range.high >= p->ntracks) return false;
    for (int k = track.range.low; k <= track.range.high; k++)
        if (!lap_has_all(t, k, from.range)) return false;
    Range way = on_way(t, track.range);
    if (h.skips) {
        Value skip = value_of(t, h.skip, h.skipped);
        if (!is_sites(t, skip.range) || !lap_has_all(t, track.range.low, skip.range)) return false;
    }
    if (h.hand >= way.low && h.hand <= way.high) return false;
    bool elsewhere = false;
    Handful f = {.h = &h, .track = track, .way = way, .from = from.range};
    f.kind = simple_kind(t, &h, way, &f.place, &elsewhere);
    uint32_t lifted = 0;
    for (int i = 0; i < order->n; i++) lifted |= 1u << order->at[i];
    f.lap = f.kind < 0 ? -1 : lap_table(t, track.range, f.kind, lifted);
    if (f.lap < 0) return false;
    t->depth -= 2;
    t->asked &= taken_bit(t); // pieces come to all the sites
    t->hooked = t->pc;
    settle_all(t);
    say(t, "lifted_from = %s;", from.text);
    for (int i = 0; i < order->n; i++) {
        Value k = numbered(t, order->at[i]);
        say(t, "lifted_%d = %s;", i, count_cell(t, &from, &k));
    }
    read_handful(t, &f);
    if (!elsewhere) write_whole(t, &f);
    for (int i = 0; i < order->n; i++) // there was nothing in it
        say(t, "%s = lifted_%d;", in_hand(t, &h, order->at[i]), i);
    if (elsewhere || f.others)
        write_most(t, &f);
    else
        leave_site(t, &f);
    return true;
}
