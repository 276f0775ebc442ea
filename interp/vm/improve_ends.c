// What comes of a search at once: one instruction in the place of its loop, for each of the ways in which it can end.
#include "improve_asked.h"

enum { REGION_MOST = 200, ROW = 3 }; // instructions of a loop; cells of what is kept of it

// The loop itself, in another place: it is gone through where there is not enough room or time.
static int aside(Improver *im, int i) {
    im->ins[im->n] = im->ins[i];
    return im->n++;
}

// Puts the search where it begins, which is given, and what is as it is written aside: s->aside.
static int begin_at(Search *s, int i) {
    s->aside = -1;
    const int at = s->stays || s->given ? i : before_move(s, i);
    if (s->aside < 0) s->aside = s->given ? givens_aside(s, i) : aside(s->im, i);
    if (s->stays) s->aside = before_again(s, s->aside);
    return at;
}

// ---- where it goes on, to come back or not -------------------------------------------------------

typedef struct Region {
    const Improver *im;
    Search *s;
    int at[REGION_MOST], n; // instructions that are come to
    bool back[REGION_MOST]; // that lead back to a head of the loop
    int heads[CELLS_MOST], nheads;
    bool changes, fits;
} Region;

static int place_in(const Region *r, int i) { return place_among(r->at, r->n, i); }

static void come_to(void *context, int from, int to) {
    Region *r = context;
    const Improver *im = r->s->im;
    (void)from;
    to = ins_at(im, to);
    if (to < 0) return;
    const Ins *ins = &im->ins[to];
    const int t = ins_target(ins->op);
    if (t >= 0 && quick_kinds[ins->op][t + 1] == 't' && is_loop_of(ins, r->s->outer)) {
        if (ins->op >= Q_BEGIN_LIST) return; // no next round: it is gone through anew
        int i = 0;
        while (i < r->nheads && r->heads[i] != to) i++;
        if (i == CELLS_MOST)
            r->fits = false;
        else if (i == r->nheads)
            r->heads[r->nheads++] = to;
    } else if (place_in(r, to) < 0) {
        r->fits &= r->n < REGION_MOST;
        if (r->fits) r->at[r->n++] = to;
    }
}

// A look-ahead leaves everything as it was: what comes next is where it ends.
static void followers(const Improver *im, int i, InsVisit *visit, void *context) {
    const Ins *ins = &im->ins[i];
    if (ins->op == Q_WOULD)
        visit(context, i, im->place[ins->copy * (im->p->ncode + 1) + ins->w[1]]);
    else
        ins_followers(im, i, visit, context);
}

static void lead_back(void *context, int from, int to) {
    Region *r = context;
    const int f = place_in(r, from), t = place_in(r, ins_at(r->s->im, to));
    bool back = t >= 0 && r->back[t];
    for (int i = 0; i < r->nheads; i++) back |= r->heads[i] == ins_at(r->s->im, to);
    if (!back || r->back[f]) return;
    r->back[f] = r->changes = true;
}

// All that is come to from where an element is found until the next is looked for.
static void find_region(Region *r) {
    const Improver *im = r->s->im;
    come_to(r, -1, r->s->end_at);
    for (int k = 0; k < r->n && r->fits; k++) followers(im, r->at[k], come_to, r);
    do {
        r->changes = false;
        for (int k = 0; k < r->n && r->fits; k++) followers(im, r->at[k], lead_back, r);
    } while (r->changes && r->fits);
}

static bool is_asked(const Search *s, int cell) {
    if (cell == s->by || cell == s->outer->w[1] || cell == s->outer->w[2]) return true;
    if (cell < s->im->p->nsites * s->im->p->npieces || before_gives(s, cell)) return true;
    for (int i = 0; i < s->nasking; i++)
        if (s->asking[i].celled && (s->asking[i].a == cell || s->asking[i].b == cell)) return true;
    return false;
}

// Whether an instruction between two rounds changes nothing that is asked, and does not ask which round it is.
static bool leaves_all(const Search *s, const Ins *ins) {
    const char *kinds = quick_kinds[ins->op];
    switch (ins->op) {
    case Q_ADD:
    case Q_SUB:
    case Q_MUL:
    case Q_ADDTO:
    case Q_SUBTO:
    case Q_STORE:
    case Q_TICK:
    case Q_CAND:
    case Q_CAND1:
    case Q_CAND2:
    case Q_LOT:
    case Q_WOULD: break;
    default:
        if (ins_target(ins->op) < 0 && !live_only_gives(s->im, ins)) return false;
    }
    for (int o = 0; kinds[o]; o++) {
        if (kinds[o] == 'n' || kinds[o] == 't' || kinds[o] == 's') continue;
        if (ins->w[o] == s->outer->w[1]) return false;
        if (kinds[o] != 'u' && is_asked(s, ins->w[o])) return false;
    }
    return true;
}

// Who leaves the loop does not ask which round it was.
static void come_out(void *context, int from, int to) {
    Region *r = context;
    const int t = ins_at(r->s->im, to), k = place_in(r, t);
    (void)from;
    for (int i = 0; i < r->nheads; i++)
        if (r->heads[i] == t) return;
    if (t >= 0 && (k < 0 || !r->back[k]))
        r->fits &= !live_is_wanted(r->s->live, t, r->s->outer->w[1]) && !before_is_wanted(r->s, t);
}

// Nobody comes into a round but from the heads that are known, and each leads into the same round and out at the same
// place.
static bool heads_fit(const Region *r) {
    const Search *s = r->s;
    const Improver *im = s->im;
    const int t = ins_target(s->outer->op), exit = ins_at(im, s->outer->w[t + 1]);
    for (int i = 0; i < im->n; i++) {
        const Ins *head = &im->ins[i];
        const int ht = head->gone ? -1 : ins_target(head->op);
        if (!s->reached->is[i] || head == s->outer || ht < 0 ||
            quick_kinds[head->op][ht + 1] != 't' || !is_loop_of(head, s->outer))
            continue;
        bool within = false;
        for (int k = 0; k < r->nheads; k++) within |= r->heads[k] == i;
        for (int k = 0; k < s->nheads; k++) within |= s->heads[k] == i;
        if (!within || head->op >= Q_BEGIN_LIST) return false;
        if (ins_at(im, head->w[ht + 1]) != exit || s->seen[ins_at(im, head->w[ht])] != s->number)
            return false;
    }
    return true;
}

static bool rest_fits(Region *r) {
    const Search *s = r->s;
    for (int k = 0; k < r->n; k++) {
        if (!r->back[k]) continue;
        const Ins *ins = &s->im->ins[r->at[k]];
        if (!leaves_all(s, ins) || before_reads_used(s, ins)) return false;
        if (ins->op == Q_WOULD && before_is_wanted(s, ins_at(s->im, ins->next))) return false;
        followers(s->im, r->at[k], come_out, r);
    }
    return r->fits && heads_fit(r) &&
           s->im->n + (r->nheads + 1) * (2 * STEPS_MOST + 1) <= s->im->most;
}

static bool go_on_with(Search *s, int i, const AskedBy *by) {
    Improver *im = s->im;
    Region r = {.im = im, .s = s, .fits = true};
    find_region(&r);
    if (!r.fits) return false;
    const Ins begin = im->ins[i];
    const int t = ins_target(begin.op);
    const bool again = r.n > 0 && r.back[0];
    if (again ? !rest_fits(&r) : live_is_wanted(s->live, s->end_at, begin.w[1])) return false;
    if (!again && before_is_wanted(s, s->end_at)) return false;
    const int at = begin_at(s, i), loop = s->aside, row = im->p->ncells + im->q->slots;
    im->ins[at] = (Ins){.op = again ? Q_EACH_ASKED : Q_FIRST_ASKED,
                        .copy = begin.copy,
                        .base = begin.base,
                        .next = begin.w[t + 1],
                        .w = {again ? row : begin.w[2], begin.w[2], s->end_at, begin.w[t + 2], loop,
                              by->first, by->by, by->low, by->n}};
    if (!again) return true;
    im->q->slots += ROW;
    for (int k = 0; k < r.nheads; k++) {
        const int other = s->given ? givens_aside(s, r.heads[k]) : aside(im, r.heads[k]);
        im->ins[r.heads[k]] = (Ins){.op = Q_NEXT_ASKED,
                                    .copy = begin.copy,
                                    .base = begin.base,
                                    .next = begin.w[t + 1],
                                    .w = {row, begin.w[2], s->end_at, begin.w[t + 2], other}};
    }
    return true;
}

// ---- candidates and counts -----------------------------------------------------------------------

static void find_all(Search *s, int i, const AskedBy *by) {
    Improver *im = s->im;
    const Ins begin = im->ins[i];
    const int t = ins_target(begin.op), alternative = im->ins[s->end_at].w[0];
    const Ins *decide = &im->ins[ins_at(im, begin.w[t + 1])];
    bool at_once = !decide->gone && decide->op == Q_DECIDE &&
                   !im->p->decisions[decide->w[0]].chance; // a lot is drawn from the throws
    const int target = im->p->alternatives[alternative].target;
    const int at = begin_at(s, i), loop = s->aside;
    const int chosen = im->place[begin.copy * (im->p->ncode + 1) + target];
    im->ins[at] = (Ins){.op = Q_CANDS_ASKED,
                        .copy = begin.copy,
                        .base = begin.base,
                        .next = begin.w[t + 1],
                        .w = {alternative, loop, begin.w[t + 2], by->first, by->by, by->low, by->n,
                              at_once ? decide->w[0] : ASKED_WRITTEN, chosen}};
}

static void count_all(Search *s, int i, const AskedBy *by) {
    Improver *im = s->im;
    const Ins begin = im->ins[i];
    const int t = ins_target(begin.op), at = begin_at(s, i), loop = s->aside;
    im->ins[at] = (Ins){
        .op = Q_COUNT_ASKED,
        .copy = begin.copy,
        .base = begin.base,
        .next = begin.w[t + 1],
        .w = {im->ins[s->end_at].w[0], loop, begin.w[t + 2], by->first, by->by, by->low, by->n}};
}

bool ask_at_once(Search *s, int i, const AskedBy *by) {
    const int exit = s->outer->w[ins_target(s->outer->op) + 1];
    if (s->im->n == s->im->most) return false;
    s->stays = !s->given &&
               (s->npassed > 0 || !before_fits(s) || before_is_wanted(s, ins_at(s->im, exit)));
    if (s->given && s->im->n + 2 * STEPS_MOST + 1 > s->im->most) return false;
    if (s->stays && (s->end == END_REST || !before_may_stay(s))) return false;
    s->stay |= s->stays || s->given;
    switch (s->end) {
    case END_CAND: find_all(s, i, by); return true;
    case END_COUNT: count_all(s, i, by); return true;
    default: return go_on_with(s, i, by);
    }
}

// ---- candidates that need not be written down ----------------------------------------------------

// Whether an instruction may come between a search and DECIDE if the search's candidates are not written down until
// then: none writes any down, but other searches (which see to it if they cannot do without), and none stops or looks
// ahead.
static bool may_come_between(const Ins *ins) {
    return ins->op < Q_CHOOSE && (ins->op < Q_CANDS_LIST || ins->op > Q_CANDS_EACH_EMPTY);
}

static void come_between(void *context, int from, int to) {
    Region *r = context;
    const Improver *im = r->im;
    (void)from;
    to = ins_at(im, to);
    if (to < 0) return;
    const Ins *ins = &im->ins[to];
    if (ins->op == Q_DECIDE) {
        r->fits &= !im->p->decisions[ins->w[0]].chance; // those of a lot have weights
    } else if (place_in(r, to) < 0) {
        r->fits &= r->n < REGION_MOST && may_come_between(ins);
        if (r->fits) r->at[r->n++] = to;
    }
}

void improve_noted(Improver *im) {
    for (int i = 0; i < im->n; i++) {
        Ins *ins = &im->ins[i];
        if (ins->gone || ins->op != Q_CANDS_ASKED || ins->w[ASKED_DECISION - 1] != ASKED_WRITTEN)
            continue;
        Region r = {.im = im, .fits = true};
        come_between(&r, i, ins->next);
        for (int k = 0; k < r.n && r.fits; k++) {
            const Ins *between = &im->ins[r.at[k]];
            if (between->op == Q_CANDS_ASKED)
                come_between(&r, r.at[k], between->next);
            else
                ins_followers(im, r.at[k], come_between, &r);
        }
        if (r.fits) ins->w[ASKED_DECISION - 1] = ASKED_NOTED;
    }
}
