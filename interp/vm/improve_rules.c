// What each element of a class needs of kept grounds, as rules for many elements at once, or as tables: see asked.h.
#include "improve_kept.h"

#include "bits.h"

#include <string.h>

enum {
    FIRST_MANY = 2, // sites before one, at least
    RULE_COST = 7,  // what one takes, and a part of a table, by the processor's instructions
    PART_COST = 12,
};

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

// The elements that want nothing to lie before a site, by how far that is from their own place: elements[t]. `left`:
// what is wanted of each place; that is taken out.
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

// Rules for all elements that share places, and for those that are left one for each distance. Gives their number,
// and adds them if `adds`.
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
static void table_of(const Keep *k, const Wants *w, int ground, AskedClass *class) {
    const int parts = (k->order->n - 1) / (2 * ASKED_BITS) + 1;
    const size_t n = (size_t)parts << (ASKED_BITS + 1);
    uint64_t *table = arena_array(k->room, n, sizeof *table);
    for (unsigned b = 0; b < (unsigned)parts * 2 * ASKED_BITS && b < PLACES; b++)
        for (unsigned v = 0; v < 1 << ASKED_BITS; v++)
            table[(b / ASKED_BITS << ASKED_BITS) + v] |= w->by[!(v >> b % ASKED_BITS & 1)][b];
    class->ruled[class->nruled++] = (AskedRuled){ground, parts, asked_spread(k->s->im, table, n)};
}

bool is_needed(const Wants *w) {
    for (int b = 0; b < PLACES; b++)
        if (w->by[0][b] | w->by[1][b]) return true;
    return false;
}

void write_wants(Keep *k, const Wants *w, int ground, AskedClass *class, bool adds) {
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
        table_of(k, w, ground, class);
        return;
    }
    for (int wanted = 0; wanted < 2; wanted++) rules_of(k, w, ground, wanted, best[wanted], true);
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

// ---- what is written down -------------------------------------------------------------------------

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

void write_rules(Keep *k, AskedClass *to, unsigned kept) {
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
