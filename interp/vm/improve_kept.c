// Questions about grounds that are kept: see asked.h. What each element of a class needs becomes rules for many elements
// at once, if the sites' places are in an order that suits.
#include "improve_asked.h"

#include "bits.h"

#include <limits.h>
#include <string.h>

enum {
    PLACES = 64,
    FIRST_MANY = 2, // sites before one, at least
    RULES = 24,
    RULE_COST = 7, // what one takes, and a part of a table, by the processor's instructions
    PART_COST = 12,
};

// What is needed of one ground in one class: the elements that need a place to be so.
typedef struct Wants {
    uint64_t by[2][PLACES]; // bare; with something there
} Wants;

typedef enum RuleKind { FOR_ALL, BY_FIRST, BY_SITE, KINDS_OF_RULES } RuleKind;

typedef struct Keep {
    const Search *s;
    const Needs *needs;
    Arena *room;
    const KeptOrder *order;
    AskedRule rules[KINDS_OF_RULES][RULES];
    int n[KINDS_OF_RULES], cost; // of the class in hand; of all
    bool fits;
} Keep;

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

// ---- rules ---------------------------------------------------------------------------------------

static void add_rule(Keep *k, RuleKind kind, AskedRule rule) {
    if (k->n[kind] == RULES)
        k->fits = false;
    else
        k->rules[kind][k->n[kind]++] = rule;
}

static bool is_shared(uint64_t elements) { return (elements & (elements - 1)) != 0; }

// Which rules are for all: none, those of places that several elements share, or those of several places as well.
typedef enum Sharing { NOT_SHARED, BY_SEVERAL, OF_SEVERAL, SHARINGS } Sharing;

// The places where something is wanted.
static uint64_t places_of(const uint64_t *by) {
    uint64_t places = 0;
    for (int b = 0; b < PLACES; b++) places |= (uint64_t)(by[b] != 0) << b;
    return places;
}

static bool several_places(const uint64_t *by, uint64_t places, uint64_t elements) {
    int n = 0;
    for (; places && n < 2; places &= places - 1) n += by[__builtin_ctzll(places)] == elements;
    return n == 2;
}

// The elements that want nothing to lie before a site, by how far that is from their own place: elements[t]. `left`: what
// is wanted of each place; that is taken out.
static void take_first(uint64_t *left, uint64_t *elements) {
    uint64_t places[PLACES] = {0}, taken = 0;
    for (uint64_t rest = places_of(left); rest; rest &= rest - 1) {
        const int b = __builtin_ctzll(rest);
        for (uint64_t of = left[b]; of; of &= of - 1)
            places[__builtin_ctzll(of)] |= UINT64_C(1) << b;
    }
    for (int e = 0; e < PLACES; e++) {
        const uint64_t wants = places[e];
        if (wants < (1u << FIRST_MANY) - 1 || (wants & (wants + 1)) != 0) continue;
        elements[(__builtin_popcountll(wants) - e) & 63] |= UINT64_C(1) << e;
    }
    for (int t = 0; t < PLACES; t++) {
        if (!is_shared(elements[t])) elements[t] = 0;
        taken |= elements[t];
    }
    for (int b = 0; b < PLACES && taken; b++) left[b] &= ~taken;
}

// Adds rules, unless `adds` is false, one for each distance; gives their number.
static int rules_by(Keep *k, RuleKind kind, AskedRule like, const uint64_t *elements, bool adds) {
    int n = 0;
    for (int t = 0; t < PLACES; t++) {
        if (!elements[t]) continue;
        n++;
        like.turn = t;
        like.elements = elements[t];
        if (adds) add_rule(k, kind, like);
    }
    return n;
}

// Rules for all elements that share places, and for those that are left one for each distance. Gives their number, and adds
// them if `adds`.
static int rules_of(Keep *k, const Wants *w, int ground, bool wanted, Sharing sharing, bool adds) {
    uint64_t left[PLACES], first[PLACES] = {0}, turned[PLACES] = {0};
    AskedRule rule = {.ground = ground, .flip = ~UINT64_C(0)};
    memcpy(left, w->by[wanted], sizeof left);
    if (!wanted) take_first(left, first);
    int n = rules_by(k, BY_FIRST, rule, first, adds);
    if (!wanted) rule.flip = 0;
    const uint64_t places = places_of(left);
    for (uint64_t more = sharing ? places : 0; more; more &= more - 1) {
        const uint64_t elements = left[__builtin_ctzll(more)];
        if (elements == 0 || (!is_shared(elements) &&
                              (sharing < OF_SEVERAL || !several_places(left, more, elements))))
            continue;
        AskedRule all = rule;
        all.elements = elements;
        for (uint64_t rest = more; rest; rest &= rest - 1) {
            const int b = __builtin_ctzll(rest);
            if (left[b] != elements) continue;
            all.sites |= UINT64_C(1) << b;
            left[b] = 0;
        }
        if (adds) add_rule(k, FOR_ALL, all);
        n++;
    }
    for (uint64_t more = places; more; more &= more - 1) {
        const int b = __builtin_ctzll(more);
        for (uint64_t rest = left[b]; rest; rest &= rest - 1) {
            const int e = __builtin_ctzll(rest);
            turned[(b - e) & 63] |= UINT64_C(1) << e;
        }
    }
    return n + rules_by(k, BY_SITE, rule, turned, adds);
}

// A table for each part of the ground's bits.
static void table_of(const Keep *k, const Wants *w, int ground, AskedClass *class, bool adds) {
    const int parts = (k->order->n - 1) / (2 * ASKED_BITS) + 1;
    const size_t n = (size_t)parts << (ASKED_BITS + 1);
    if (!adds) return;
    uint64_t *table = arena_array(k->room, n, sizeof *table);
    for (unsigned b = 0; b < (unsigned)parts * 2 * ASKED_BITS && b < PLACES; b++)
        for (unsigned v = 0; v < 1 << ASKED_BITS; v++)
            table[(b / ASKED_BITS << ASKED_BITS) + v] |= w->by[!(v >> b % ASKED_BITS & 1)][b];
    class->ruled[class->nruled++] = (AskedRuled){ground, parts, asked_spread(k->s->im, table, n)};
}

static bool is_needed(const Wants *w) {
    for (int b = 0; b < PLACES; b++)
        if (w->by[0][b] | w->by[1][b]) return true;
    return false;
}

// What is needed of a ground in a class, in whatever way takes least.
static void write_wants(Keep *k, const Wants *w, int ground, AskedClass *class, bool adds) {
    int least = 0;
    Sharing best[2] = {NOT_SHARED, NOT_SHARED};
    if (!is_needed(w)) return;
    for (int wanted = 0; wanted < 2; wanted++) {
        int fewest = RULES + 1;
        for (Sharing sharing = NOT_SHARED; sharing < SHARINGS; sharing++) {
            const int n = rules_of(k, w, ground, wanted, sharing, false);
            if (n > fewest) continue;
            fewest = n;
            best[wanted] = sharing;
        }
        least += RULE_COST * fewest;
    }
    const int table = PART_COST * ((k->order->n - 1) / (2 * ASKED_BITS) + 2);
    k->cost += least < table ? least : table;
    if (!adds) return;
    if (table <= least && class->nruled < ASKED_GROUNDS) {
        table_of(k, w, ground, class, adds);
        return;
    }
    for (int wanted = 0; wanted < 2; wanted++) rules_of(k, w, ground, wanted, best[wanted], true);
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

// ---- rare rules ----------------------------------------------------------------------------------

enum {
    RARE = 2,      // elements of a rule, at most
    RARE_MANY = 3, // rules, at least
};

static bool is_rare(const AskedRule *r, int ground) {
    return r->ground == ground && r->flip == 0 && ones(r->elements) <= RARE;
}

// Rules for few elements each that want a site to be bare, of the ground that has most of them, come last: often all of
// those sites are.
static void guard_rare(Keep *k, AskedRules *rules) {
    AskedRule *each = k->rules[BY_SITE], rare[RULES];
    int most = RARE_MANY - 1, n = 0;
    for (int g = 0; g < KEPT_MOST; g++) {
        int many = 0;
        for (int i = 0; i < k->n[BY_SITE]; i++) many += is_rare(&each[i], g);
        if (many <= most) continue;
        most = many;
        rules->guarded = (uint8_t)g;
    }
    if (most < RARE_MANY) return;
    for (int i = 0; i < k->n[BY_SITE]; i++) {
        if (is_rare(&each[i], rules->guarded)) {
            for (uint64_t rest = each[i].elements; rest; rest &= rest - 1)
                rules->guard |= UINT64_C(1) << ((__builtin_ctzll(rest) + each[i].turn) & 63);
            rare[rules->nrare++] = each[i];
        } else {
            each[n++] = each[i];
        }
    }
    memcpy(each + n, rare, rules->nrare * sizeof *rare);
}

// ---- classes -------------------------------------------------------------------------------------

// False: there are more rules than usual, or others.
static bool write_usual(const Keep *k, AskedUsual *u) {
    const AskedRule *all = k->rules[FOR_ALL], *first = k->rules[BY_FIRST];
    if (k->n[FOR_ALL] > 2 || k->n[BY_FIRST] > 1 || k->n[BY_SITE] > 2) return false;
    for (int i = 0; i < k->n[FOR_ALL]; i++) {
        if (all[i].flip) return false;
        u->all[i] = (uint8_t)all[i].ground;
        u->all_sites[i] = all[i].sites;
        u->all_elements[i] = all[i].elements;
    }
    if (k->n[BY_FIRST] > 0) {
        u->first = (uint8_t)first->ground;
        u->first_turn = (uint8_t)first->turn;
        u->first_elements = first->elements;
    }
    for (int i = 0; i < k->n[BY_SITE]; i++) {
        const AskedRule *r = &k->rules[BY_SITE][i];
        if (r->flip ? u->wanted_elements : u->bare_elements) return false;
        *(r->flip ? &u->wanted : &u->bare) = (uint8_t)r->ground;
        *(r->flip ? &u->wanted_turn : &u->bare_turn) = (uint8_t)r->turn;
        *(r->flip ? &u->wanted_elements : &u->bare_elements) = r->elements;
    }
    return true;
}

static void write_rules(Keep *k, AskedClass *to, unsigned kept) {
    size_t n = 0;
    for (int kind = 0; kind < KINDS_OF_RULES; kind++) n += (size_t)k->n[kind];
    const size_t size = sizeof(AskedRules) + n * sizeof(AskedRule);
    AskedRules *rules = arena_alloc(k->room, size);
    rules->kept = kept;
    rules->elements = to->elements;
    guard_rare(k, rules);
    rules->is_usual = write_usual(k, &rules->usual);
    rules->nall = (uint8_t)k->n[FOR_ALL];
    rules->nfirst = (uint8_t)k->n[BY_FIRST];
    rules->neach = (uint8_t)(k->n[BY_SITE] - rules->nrare);
    AskedRule *at = rules->at;
    for (int kind = 0; kind < KINDS_OF_RULES; at += k->n[kind++])
        memcpy(at, k->rules[kind], (size_t)k->n[kind] * sizeof *at);
    to->rules = asked_shared(k->s->im, rules, size);
}

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
