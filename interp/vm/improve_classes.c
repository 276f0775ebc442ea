// What is asked of the elements of a search, by classes: for each way from the first question to an answer an element is
// found by what it asks for at sites, all of which can be looked up together, and by what is the same for all.
#include "improve_asked.h"

#include <string.h>

enum { CLASSES = 8, WAYS_DEEP = ASKINGS };

typedef struct Literal {
    int question;
    bool yes;
} Literal;

typedef struct Sides { // a ground as it is asked about
    Ground ground;
    int low, high; // sites
    int pair;      // the one that is asked together with it, or -1
    int number;    // among the grounds of the Asked
} Sides;

typedef struct Classes {
    const Search *s;
    const int8_t *answer; // of the questions that are the same for all, if it is known; else -1
    Asked *q;
    Arena *room;
    Sides sides[ASKED_GROUNDS];
    int nsides;
    int node[ASKINGS]; // of each question, or -1
    AskedClass classes[CLASSES];
    Needs needs;
    uint64_t (*tables)[ASKED_GROUNDS][ASKED_MOST / ASKED_BITS << ASKED_BITS]; // of each class
    int asked[CLASSES][ASKED_GROUNDS]; // needs that went into a table
    int nclasses;
    bool fits;
} Classes;

// ---- grounds -------------------------------------------------------------------------------------

bool grounds_alike(const Ground *a, const Ground *b) {
    return a->first == b->first && a->stride == b->stride && a->each == b->each &&
           a->floor == b->floor;
}

// The number of a ground among the sides, or of the first free place.
static int side_of(const Classes *c, const Ground *ground) {
    int i = 0;
    while (i < c->nsides && !grounds_alike(&c->sides[i].ground, ground)) i++;
    return i;
}

static void come_by(Classes *c, const Need *need) {
    const int i = side_of(c, &need->ground), site = need->site;
    if (i == ASKED_GROUNDS) {
        c->fits = false;
        return;
    }
    Sides *side = &c->sides[i];
    if (i == c->nsides) {
        c->nsides++;
        *side = (Sides){.ground = need->ground, .low = site, .high = site, .pair = -1};
    }
    if (site < side->low) side->low = site;
    if (site > side->high) side->high = site;
}

static int lesser(int a, int b) { return a < b ? a : b; }
static int greater(int a, int b) { return a > b ? a : b; }

static bool is_of_kind(const Ground *g) {
    return g->stride == 2 && g->each == 1 && (g->first == 0 || g->first == 1);
}

// Of two kinds of pieces, one question about each can be asked about the cells as they lie.
static void pair_up(Classes *c) {
    for (int i = 0; i < c->nsides; i++) {
        for (int k = i + 1; k < c->nsides && c->sides[i].pair < 0; k++) {
            Sides *a = &c->sides[i], *b = &c->sides[k];
            int low = lesser(a->low, b->low), high = greater(a->high, b->high);
            if (b->pair >= 0 || !is_of_kind(&a->ground) || !is_of_kind(&b->ground) ||
                a->ground.first == b->ground.first || 2 * (high - low + 1) > ASKED_MOST)
                continue;
            a->low = b->low = low;
            a->high = b->high = high;
            a->pair = k;
            b->pair = i;
        }
    }
}

static void write_grounds(Classes *c) {
    Asked *q = c->q;
    q->ngrounds = 0;
    pair_up(c);
    for (int i = 0; i < c->nsides; i++) {
        Sides *side = &c->sides[i];
        if (side->pair >= 0 && side->pair < i) {
            side->number = c->sides[side->pair].number;
            continue;
        }
        Ground *g = &q->grounds[q->ngrounds];
        side->number = q->ngrounds++;
        *g = side->ground;
        g->n = side->high - side->low + 1;
        c->fits &= g->n <= ASKED_MOST;
        if (side->pair < 0) {
            g->first += g->stride * side->low;
            continue;
        }
        const Ground *other = &c->sides[side->pair].ground, *even = g->first == 0 ? g : other;
        *g = (Ground){.first = 2 * side->low,
                      .n = 2 * g->n,
                      .stride = 1,
                      .each = 1,
                      .floor = even->floor,
                      .odd = even == g ? other->floor : g->floor,
                      .pairs = true};
    }
}

// The bit of the ground that tells of a site.
static int bit_of(const Sides *side, int site) {
    return side->pair < 0 ? site - side->low : 2 * (site - side->low) + side->ground.first;
}

// ---- classes -------------------------------------------------------------------------------------

static bool about_site(const Classes *c, Literal l, int e) {
    const Told told = c->s->asking[l.question].told[e];
    return told == OF_SITE || told == OF_LIST || told == OF_FIRST;
}

static int node_of(Classes *c, int question) {
    const Asking *a = &c->s->asking[question];
    if (c->node[question] >= 0) return c->node[question];
    if (c->q->nnodes == ASKED_NODES) {
        c->fits = false;
        return 0;
    }
    AskedNode *node = &c->q->nodes[c->q->nnodes];
    *node = (AskedNode){.ground = -1, .holds = a->holds, .a = a->a, .b = a->b};
    asked_owners(c->s, a, node);
    return c->node[question] = c->q->nnodes++;
}

// The class of those that are found under the same conditions, in which the element is not yet.
static int class_for(Classes *c, int e, const Literal *way, int n) {
    AskedClass class = {0};
    for (int i = 0; i < n; i++) {
        if (about_site(c, way[i], e)) continue;
        if (class.nconditions == ASKED_CONDITIONS) {
            c->fits = false;
            return -1;
        }
        class.conditions[class.nconditions++] =
            (AskedCondition){node_of(c, way[i].question), way[i].yes};
    }
    for (int i = 0; i < c->nclasses; i++) {
        const AskedClass *other = &c->classes[i];
        bool same = other->nconditions == class.nconditions && !(other->elements >> e & 1);
        for (int k = 0; k < class.nconditions && same; k++)
            same = other->conditions[k].node == class.conditions[k].node &&
                   other->conditions[k].yes == class.conditions[k].yes;
        if (same) return i;
    }
    if (c->nclasses == CLASSES) {
        c->fits = false;
        return -1;
    }
    c->classes[c->nclasses] = class;
    return c->nclasses++;
}

// The element is ruled out where a site is not as it has to be.
static void rule_out(Classes *c, int class, int e, int question, int site, bool wanted) {
    const Need need = {class, e, site, wanted, c->s->asking[question].ground};
    vec_push(c->room, &c->needs, need);
}

// Whether another answer on the way wants something to lie on one of the sites from a place of the row on.
static bool lies_later(const Classes *c, int e, const Asking *a, const Literal *way, int n) {
    for (int i = 0; i < n; i++) {
        const Asking *b = &c->s->asking[way[i].question];
        if (b->told[e] != OF_SITE || way[i].yes == b->turned ||
            !grounds_alike(&a->ground, &b->ground))
            continue;
        for (int k = a->of[e]; k < a->row->n; k++)
            if (a->row->at[k] == b->of[e]) return true;
    }
    return false;
}

// Nothing lies on the sites before the place; on the one there something does.
static void rule_out_first(Classes *c, int class, int e, Literal l, const Literal *way, int n) {
    const Asking *a = &c->s->asking[l.question];
    c->fits &= l.yes && (!a->later || lies_later(c, e, a, way, n));
    for (int k = 0; k < a->of[e] && c->fits; k++)
        rule_out(c, class, e, l.question, a->row->at[k], false);
    if (!a->later) rule_out(c, class, e, l.question, a->row->at[a->of[e]], true);
}

// What is asked is whether something lies on any of the sites: only that nothing does can be told of each.
static void rule_out_any(Classes *c, int class, int e, Literal l) {
    const Asking *a = &c->s->asking[l.question];
    const List *sites = &c->s->im->p->lists[a->of[e]];
    c->fits &= !l.yes && !a->turned;
    for (int k = 0; k < sites->n && c->fits; k++)
        rule_out(c, class, e, l.question, sites->at[k], false);
}

// Whether two answers on the way want the same of a site as it is and as it is not.
static bool contradicts(const Classes *c, int e, const Literal *way, int n) {
    for (int i = 0; i < n; i++) {
        const Asking *a = &c->s->asking[way[i].question];
        for (int k = 0; k < i && a->told[e] == OF_SITE; k++) {
            const Asking *b = &c->s->asking[way[k].question];
            if (b->told[e] == OF_SITE && a->of[e] == b->of[e] &&
                grounds_alike(&a->ground, &b->ground) &&
                (way[i].yes != a->turned) != (way[k].yes != b->turned))
                return true;
        }
    }
    return false;
}

static void found(Classes *c, int e, const Literal *way, int n) {
    if (contradicts(c, e, way, n)) return;
    const int class = class_for(c, e, way, n);
    if (class < 0) return;
    c->classes[class].elements |= UINT64_C(1) << e;
    for (int i = 0; i < n && c->fits; i++) {
        const Asking *a = &c->s->asking[way[i].question];
        if (a->told[e] == OF_FIRST)
            rule_out_first(c, class, e, way[i], way, n);
        else if (a->told[e] == OF_LIST)
            rule_out_any(c, class, e, way[i]);
        else if (a->told[e] == OF_SITE)
            rule_out(c, class, e, way[i].question, a->of[e], way[i].yes != a->turned);
    }
}

// The next question that an element is really asked, or how it ends.
static int really(const Classes *c, int e, int i) {
    while (i >= 0 && i < ASKINGS) {
        const Told told = c->s->asking[i].told[e];
        if (c->answer[i] >= 0)
            i = c->s->asking[i].next[c->answer[i]];
        else if (told == TOLD_NO || told == TOLD_YES)
            i = c->s->asking[i].next[told == TOLD_YES];
        else
            break;
    }
    return i < 0 ? NOT_FOUND : i;
}

static void go(Classes *c, int e, int i, Literal *way, int n) {
    i = really(c, e, i);
    if (i == FOUND) found(c, e, way, n);
    if (i >= ASKINGS) return;
    const Asking *a = &c->s->asking[i];
    c->fits &= a->told[e] >= OF_SITE && n < WAYS_DEEP;
    const int no = really(c, e, a->next[false]), yes = really(c, e, a->next[true]);
    for (int k = 0; k < 2 && c->fits; k++) {
        if (yes == no && k == 0) continue;
        way[n] = (Literal){i, k};
        go(c, e, k ? yes : no, way, n + (yes != no));
    }
}

// ---- what is written down ------------------------------------------------------------------------

// Whether each element is ruled out by the bit in its own place, and by no other.
static bool is_straight(const Classes *c, int class, int number) {
    const AskedClass *of = &c->classes[class];
    const unsigned each = 1 << ASKED_BITS;
    for (unsigned at = 0; at < ASKED_MOST / ASKED_BITS * each; at++) {
        uint64_t ruled = ~(uint64_t)(at % each) & (each - 1);
        ruled <<= at / each * ASKED_BITS;
        if ((c->tables[class][number][at] ^ ruled) & of->elements) return false;
    }
    return true;
}

static void write_class(Classes *c, int i) {
    AskedClass *class = &c->classes[i];
    for (int g = 0; g < c->q->ngrounds; g++) {
        if (c->asked[i][g] == 0) continue;
        const int parts = (c->q->grounds[g].n - 1) / (2 * ASKED_BITS) + 1;
        const size_t n = (size_t)parts << (ASKED_BITS + 1);
        class->ruled[class->nruled++] = (AskedRuled){
            .ground = g,
            .parts = parts,
            .spread = is_straight(c, i, g) ? NULL : asked_spread(c->s->im, c->tables[i][g], n),
        };
    }
}

// What rules out is laid out beside each other, and a table made for each ground and class.
static void write_tables(Classes *c) {
    for (size_t i = 0; i < c->needs.n && c->fits; i++) come_by(c, &c->needs.at[i]);
    if (c->fits) write_grounds(c);
    if (!c->fits) return;
    c->tables = arena_array(c->room, CLASSES, sizeof *c->tables);
    for (size_t i = 0; i < c->needs.n; i++) {
        const Need *need = &c->needs.at[i];
        const Sides *side = &c->sides[side_of(c, &need->ground)];
        const unsigned bit = (unsigned)bit_of(side, need->site);
        uint64_t *part = c->tables[need->class][side->number] + (bit / ASKED_BITS << ASKED_BITS);
        for (unsigned v = 0; v < 1 << ASKED_BITS; v++)
            if ((v >> bit % ASKED_BITS & 1) != need->wanted)
                part[v] |= UINT64_C(1) << need->element;
        c->asked[need->class][side->number]++;
    }
    for (int i = 0; i < c->nclasses; i++) write_class(c, i);
}

bool write_classes(const Search *s, const int8_t *answer, Asked *q) {
    Classes c = {
        .s = s, .answer = answer, .q = q, .room = arena_branch(s->im->arena), .fits = true};
    Literal way[WAYS_DEEP + 1];
    memset(c.node, -1, sizeof c.node);
    q->nnodes = 0;
    for (int e = 0; e < s->n && c.fits; e++) go(&c, e, s->first, way, 0);
    if (c.fits && !keep_needs(s, &c.needs, c.classes, c.nclasses, q)) write_tables(&c);
    arena_free(c.room);
    if (!c.fits) return false;
    const size_t n = (size_t)c.nclasses;
    AskedClass *classes = arena_array(s->im->arena, n + 1, sizeof *classes);
    memcpy(classes, c.classes, n * sizeof *classes);
    q->classes = classes;
    q->nclasses = c.nclasses;
    q->lone = !q->kept && c.nclasses == 1 && classes->nconditions == 0 && classes->nruled == 1 &&
              classes->ruled[0].spread;
    return true;
}
