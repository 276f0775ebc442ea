// Questions about grounds that are kept: see asked.h. What each element of a class needs becomes rules for many elements
// at once (improve_rules.c), if the sites' places are in an order that suits.
#include "improve_kept.h"

#include <limits.h>
#include <string.h>

// ---- what is kept ----------------------------------------------------------------------------------

// Whether an instruction that moves no pieces writes to the cells that hold them: the base code may.
static bool writes_pieces(const Improver *im, const Ins *ins) {
    const char *kinds = quick_kinds[ins->op];
    const int pieces = im->p->nsites * im->p->npieces;
    switch (ins->op) {
    case Q_FILL:
    case Q_ZERO: return ins->w[0] < pieces;
    case Q_STOREX: return ins->w[1] < pieces;
    case Q_STORERUN: return ins->w[2] < pieces;
    default: break;
    }
    for (int o = 0; kinds[o]; o++)
        if (kind_is_written(kinds[o]) && ins->w[o] < pieces) return true;
    return false;
}

// Whether pieces come to sites and leave them a few at a time: where they are sown it changes too much at once.
static bool moves_few(const Improver *im) {
    for (int i = 0; i < im->n; i++) {
        const Ins *ins = &im->ins[i];
        if (!ins->gone && (ins->op == Q_DROP || (ins->op >= Q_SOW_ON && ins->op <= Q_SOW) ||
                           writes_pieces(im, ins)))
            return false;
    }
    return true;
}

void keeping_begin(Improver *im) {
    if (!moves_few(im)) return;
    im->keeping = arena_alloc(im->arena, sizeof *im->keeping);
    im->keeping->kinds = im->p->npieces;
}

static const KeptBy *kept_by(const Improver *im, int kind) {
    const Keeping *keeping = im->keeping;
    KeptBy *by = arena_array(im->arena, (size_t)keeping->n + 1, sizeof *by);
    for (int i = 0, n = 0; i < keeping->n; i++) {
        const KeptGround *g = &keeping->grounds[i];
        if (g->kind == kind) by[n++] = (KeptBy){g->order->place, g->floor, i};
    }
    return by;
}

void keeping_settle(Improver *im) {
    Keeping *keeping = im->keeping;
    if (keeping && keeping->n == 0) im->keeping = keeping = NULL;
    if (!keeping) return;
    const KeptBy **by = arena_array(im->arena, (size_t)im->p->npieces + 1, sizeof *by);
    for (int k = 0; k < im->p->npieces; k++) by[k] = kept_by(im, k);
    keeping->by = by;
    keeping->by_all = kept_by(im, -1);
}

// ---- orders --------------------------------------------------------------------------------------

static bool take_place(const Improver *im, KeptOrder *order, int site) {
    if (site < 0 || site >= im->p->nsites || order->n == KEPT_SITES) return false;
    if (order->place[site] == KEPT_SITES) {
        order->place[site] = (uint8_t)order->n;
        order->sites[order->n++] = (int16_t)site;
    }
    return true;
}

// A new one, in which all that is needed has its place as well. NULL: there are too many sites.
static KeptOrder *order_of(const Keep *k, const int16_t *sites, int n) {
    const Improver *im = k->s->im;
    KeptOrder *order = arena_alloc(k->room, sizeof *order);
    order->place = arena_array(k->room, (size_t)im->p->nsites + 1, 1);
    memset(order->place, KEPT_SITES, (size_t)im->p->nsites);
    for (int i = 0; i < n; i++)
        if (!take_place(im, order, sites[i])) return NULL;
    order->begun = order->n;
    return order->n == n ? order : NULL; // every site once
}

// The one that began so, if there is one.
static KeptOrder *order_known(const Improver *im, const KeptOrder *like) {
    for (size_t i = 0; i < im->orders.n; i++) {
        KeptOrder *order = im->orders.at[i];
        if (order->begun == like->begun &&
            memcmp(order->sites, like->sites, (size_t)like->begun * sizeof *like->sites) == 0)
            return order;
    }
    return NULL;
}

static void copy_order(const Improver *im, KeptOrder *to, const KeptOrder *from) {
    uint8_t *place = to->place;
    *to = *from;
    to->place = place;
    memcpy(place, from->place, (size_t)im->p->nsites);
}

// The same as it is by now, with places for all that is needed.
static bool widen(const Keep *k, KeptOrder *order) {
    const KeptOrder *known = order_known(k->s->im, order);
    if (known) copy_order(k->s->im, order, known);
    for (size_t i = 0; i < k->needs->n; i++)
        if (!take_place(k->s->im, order, k->needs->at[i].site)) return false;
    return true;
}

// The order stays, with the places it has now.
static KeptOrder *settle(Improver *im, const KeptOrder *order) {
    KeptOrder *known = order_known(im, order);
    if (!known) {
        known = arena_alloc(im->arena, sizeof *known);
        known->place = arena_array(im->arena, (size_t)im->p->nsites + 1, 1);
        vec_push(im->arena, &im->orders, known);
    }
    copy_order(im, known, order);
    return known;
}

// ---- grounds -------------------------------------------------------------------------------------

// Whether a ground is about pieces on sites, and not about cells of a variable.
static bool about_pieces(const Program *p, const Need *need, int *kind) {
    const Ground *g = &need->ground;
    *kind = g->each == 1 ? g->first : -1;
    if (g->stride != p->npieces || g->first < 0 || need->site < 0 || need->site >= p->nsites)
        return false;
    return g->each == 1 ? g->first < p->npieces : g->each == p->npieces && g->first == 0;
}

// The number of the kept ground, or of the next one that there is no room or need for yet.
static int kept_number(const Keep *k, int kind, Cell floor) {
    const Keeping *keeping = k->s->im->keeping;
    const KeptOrder *order = order_known(k->s->im, k->order);
    int i = 0;
    for (; i < keeping->n; i++) {
        const KeptGround *g = &keeping->grounds[i];
        if (g->kind == kind && g->floor == floor && g->order == order) break;
    }
    return i;
}

typedef struct Grounds {
    Ground of[KEPT_MOST];
    int kind[KEPT_MOST], n;
} Grounds;

static int ground_among(const Grounds *g, const Ground *one) {
    int i = 0;
    while (i < g->n && !grounds_alike(&g->of[i], one)) i++;
    return i;
}

static bool find_grounds(const Search *s, const Needs *needs, Grounds *g) {
    *g = (Grounds){0};
    for (size_t i = 0; i < needs->n; i++) {
        int kind;
        if (!about_pieces(s->im->p, &needs->at[i], &kind)) return false;
        const int at = ground_among(g, &needs->at[i].ground);
        if (at == KEPT_MOST) return false;
        if (at < g->n) continue;
        g->of[g->n] = needs->at[i].ground;
        g->kind[g->n++] = kind;
    }
    return g->n > 0;
}

// ---- classes -------------------------------------------------------------------------------------

// `adds`: the grounds are kept from now on.
static void write_class(Keep *k, const Grounds *g, int class, AskedClass *to, Asked *q, bool adds) {
    unsigned kept = 0;
    Wants *wants = arena_array(k->room, (size_t)g->n, sizeof *wants);
    for (size_t i = 0; i < k->needs->n; i++) {
        const Need *need = &k->needs->at[i];
        if (need->class != class) continue;
        Wants *w = &wants[ground_among(g, &need->ground)];
        w->by[need->wanted][k->order->place[need->site]] |= UINT64_C(1) << need->element;
    }
    memset(k->n, 0, sizeof k->n);
    for (int i = 0; i < g->n; i++) {
        const int number = kept_number(k, g->kind[i], g->of[i].floor);
        if (adds && is_needed(&wants[i])) kept |= 1u << number;
        write_wants(k, &wants[i], number, to, adds);
    }
    if (!adds) return;
    q->kept |= kept;
    write_rules(k, to, kept);
}

enum {
    NEW_COST = 30,  // of a ground that is not kept yet
    GOOD_COST = 50, // of a class: no other order is tried
    ORDERS = 8,
};

// What the classes take in this order, or -1: there is no room for their grounds.
static int cost_of(Keep *k, const Grounds *g, AskedClass *classes, int n, Asked *q) {
    const int kept = k->s->im->keeping->n;
    int new = 0;
    for (int i = 0; i < g->n; i++) new += kept_number(k, g->kind[i], g->of[i].floor) == kept;
    if (kept + new > KEPT_MOST) return -1;
    k->cost = new *NEW_COST;
    for (int i = 0; i < n; i++) write_class(k, g, i, &classes[i], q, false);
    return k->cost;
}

// The orders to try: that of the search, those of tracks, that of the numbers.
static int orders_of(const Keep *k, KeptOrder **orders) {
    const Program *p = k->s->im->p;
    const Ins *head = k->s->outer;
    const List *first = NULL;
    int n = 0;
    if (head->op >= Q_BEGIN_LIST && head->op <= Q_BEGIN_MORE) {
        first = &p->lists[head->w[0]];
        orders[n++] = order_of(k, first->at, first->n);
    }
    for (int t = 0; t < p->ntracks && n < ORDERS - 1; t++) {
        const List *list = &p->lists[p->tracks[t].list];
        if (list != first) orders[n++] = order_of(k, list->at, list->n);
    }
    int16_t *all = arena_array(k->room, (size_t)p->nsites + 1, sizeof *all);
    for (int i = 0; i < p->nsites; i++) all[i] = (int16_t)i;
    orders[n++] = order_of(k, all, p->nsites);
    return n;
}

static void write_all(Keep *k, const Grounds *g, AskedClass *classes, int n, Asked *q) {
    Improver *im = k->s->im;
    k->order = settle(im, k->order);
    for (int i = 0; i < g->n; i++)
        if (kept_number(k, g->kind[i], g->of[i].floor) == im->keeping->n)
            im->keeping->grounds[im->keeping->n++] =
                (KeptGround){g->kind[i], g->of[i].floor, k->order};
    for (int i = 0; i < n; i++) write_class(k, g, i, &classes[i], q, true);
}

// What does not fit leaves nothing in the classes.
static bool undo_unless(bool fits, AskedClass *classes, int n, Asked *q) {
    if (fits && q->kept) return true;
    for (int i = 0; i < n; i++) {
        classes[i].rules = NULL;
        classes[i].nruled = 0;
    }
    q->kept = 0;
    return false;
}

// All that the rules depend on, in few words; the same needs are at the same place.
static const void *needs_as_words(const Keep *k, const Grounds *g, const AskedClass *classes,
                                  int n) {
    const size_t most = k->needs->n + 2 * (size_t)g->n + 2 * (size_t)n + 1;
    uint32_t *words = arena_array(k->room, most, sizeof *words), *to = words;
    *to++ = (uint32_t)g->n << 8 | (uint32_t)n;
    for (int i = 0; i < g->n; i++) {
        *to++ = (uint32_t)g->kind[i];
        *to++ = (uint32_t)g->of[i].floor;
    }
    for (int i = 0; i < n; i++) {
        *to++ = (uint32_t)classes[i].elements;
        *to++ = (uint32_t)(classes[i].elements >> 32);
    }
    for (size_t i = 0; i < k->needs->n; i++) {
        const Need *need = &k->needs->at[i];
        *to++ = (uint32_t)need->site << 16 | (uint32_t)need->element << 8 |
                (uint32_t)need->class << 4 | (uint32_t)need->wanted << 3 |
                (uint32_t)ground_among(g, &need->ground);
    }
    return asked_shared(k->s->im, words, most * sizeof *words);
}

static bool take_known(const Improver *im, const void *needs, AskedClass *classes, int n,
                       Asked *q) {
    for (size_t i = 0; i < im->kept.n; i++) {
        const KeptRules *known = &im->kept.at[i];
        if (known->needs != needs) continue;
        for (int c = 0; c < n; c++) {
            classes[c].rules = known->classes[c].rules;
            classes[c].nruled = known->classes[c].nruled;
            memcpy(classes[c].ruled, known->classes[c].ruled, sizeof classes[c].ruled);
        }
        q->kept = known->kept;
        return true;
    }
    return false;
}

static void note_known(Improver *im, const void *needs, const AskedClass *classes, int n,
                       const Asked *q) {
    AskedClass *known = arena_array(im->arena, (size_t)n, sizeof *known);
    memcpy(known, classes, (size_t)n * sizeof *known);
    vec_push(im->arena, &im->kept, ((KeptRules){needs, known, q->kept}));
}

static bool find_rules(Keep *k, const Grounds *g, AskedClass *classes, int n, Asked *q) {
    KeptOrder *orders[ORDERS], *best = NULL;
    const int norders = orders_of(k, orders);
    int least = INT_MAX;
    for (int i = 0; i < norders && least > GOOD_COST * n; i++) {
        if (!orders[i] || !widen(k, orders[i])) continue;
        k->order = orders[i];
        const int cost = cost_of(k, g, classes, n, q);
        if (cost < 0 || cost >= least) continue;
        least = cost;
        best = orders[i];
    }
    k->order = best;
    if (best) write_all(k, g, classes, n, q);
    return best && undo_unless(k->fits, classes, n, q);
}

bool keep_needs(const Search *s, const Needs *needs, AskedClass *classes, int n, Asked *q) {
    Grounds g;
    q->kept = 0;
    if (!s->im->keeping || !find_grounds(s, needs, &g)) return false;
    Keep k = {.s = s, .needs = needs, .room = arena_branch(s->im->arena), .fits = true};
    const void *words = needs_as_words(&k, &g, classes, n);
    bool found = take_known(s->im, words, classes, n, q);
    if (!found) {
        found = find_rules(&k, &g, classes, n, q);
        if (found) note_known(s->im, words, classes, n, q);
    }
    arena_free(k.room);
    return found;
}
