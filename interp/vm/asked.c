#include "asked.h"

#include "fours.h"
#include "quick.h"

// ---- grounds -------------------------------------------------------------------------------------

static inline uint64_t more_on(const Ground *g, const Cell *cell, int stride, int each) {
    uint64_t bits = 0;
    int i = 0;
    for (; g->n - i > FEW; i += 16, cell += 16 * stride)
        bits |= (uint64_t)sixteen(cell, stride, each, g->floor) << i;
    for (; i < g->n; i += 4, cell += 4 * stride)
        bits |= (uint64_t)four(cell, stride, each, g->floor) << i;
    return bits;
}

static inline uint64_t ground(const Ground *g, const Cell *cells) {
    const Cell *cell = cells + g->first;
    if (g->pairs) return more_of_pairs(cell, g->n, g->floor, g->odd);
    if (g->stride == 1) return more_on(g, cell, 1, 1);
    if (g->stride == 2) return g->each == 1 ? more_on(g, cell, 2, 1) : more_on(g, cell, 2, 2);
    return more_on(g, cell, g->stride, g->each);
}

// ---- questions -----------------------------------------------------------------------------------

static inline bool same_for_all(const AskedNode *node, const Cell *cells) {
    const Cell a = cells[node->a], b = cells[node->b];
    return node->holds >> ((a > b) - (a < b) + 1) & 1;
}

static inline uint64_t spread(const uint64_t *table, int parts, uint64_t bits) {
    const uint64_t part = (1 << ASKED_BITS) - 1;
    uint64_t elements = 0;
    for (int k = parts; k > 0; k--, bits >>= 2 * ASKED_BITS, table += 2 << ASKED_BITS)
        elements |= table[bits & part] | table[part + 1 + (bits >> ASKED_BITS & part)];
    return elements;
}

static inline uint64_t answers(const AskedNode *node, uint64_t bits) {
    if (!node->straight) {
        bits = spread(node->spread, node->parts, bits);
        if (node->turned) bits = ~bits;
    }
    return (bits & node->asked) | node->sure;
}

static inline uint64_t owners(const AskedNode *node, const Cell *cells) {
    const uint32_t at = (uint32_t)cells[node->a] - (uint32_t)node->low;
    return at < (uint32_t)node->nowners ? node->owners[at] : 0;
}

// Of a question that is not about sites.
static inline uint64_t answers_of_cells(const AskedNode *node, const Cell *cells) {
    if (node->owners) return (owners(node, cells) & node->asked) | node->sure;
    return (same_for_all(node, cells) ? node->asked : 0) | node->sure;
}

static __attribute__((noinline)) uint64_t ask_in_turn(const Asked *q, const Cell *cells) {
    uint64_t come[ASKED_ENDS] = {q->all}, grounds[ASKED_GROUNDS];
    unsigned seen = 0; // grounds: most elements come to the first question only
    for (int i = 0; i < q->nnodes; i++) {
        const AskedNode *node = &q->nodes[i];
        const int g = node->ground;
        if (come[i] == 0) continue;
        if (g >= 0 && !(seen >> g & 1)) {
            seen |= 1u << g;
            grounds[g] = ground(&q->grounds[g], cells);
        }
        const uint64_t yes = g >= 0 ? answers(node, grounds[g]) : answers_of_cells(node, cells);
        come[node->yes] |= come[i] & yes;
        come[node->no] |= come[i] & ~yes;
    }
    return come[ASKED_YES];
}

static bool condition_fails(const Asked *q, const AskedCondition *c, const Cell *cells,
                            uint64_t *elements) {
    const AskedNode *node = &q->nodes[c->node];
    if (!node->owners) return same_for_all(node, cells) != c->yes;
    *elements &= c->yes ? owners(node, cells) : ~owners(node, cells);
    return *elements == 0;
}

static uint64_t ask_class(const Asked *q, const AskedClass *c, const uint64_t *grounds,
                          const Cell *cells) {
    uint64_t elements = c->elements;
    for (int i = 0; i < c->nconditions; i++)
        if (condition_fails(q, &c->conditions[i], cells, &elements)) return 0;
    for (int i = 0; i < c->nruled; i++) {
        const AskedRuled *r = &c->ruled[i];
        elements &=
            r->spread ? ~spread(r->spread, r->parts, grounds[r->ground]) : grounds[r->ground];
    }
    return elements;
}

static __attribute__((noinline)) uint64_t ask_classes(const Asked *q, const Cell *cells) {
    const AskedClass *c = q->classes;
    if (q->lone) {
        const AskedRuled *r = c->ruled;
        return c->elements & ~spread(r->spread, r->parts, ground(q->grounds, cells));
    }
    uint64_t grounds[ASKED_GROUNDS], found = 0;
    for (int i = 0; i < q->ngrounds; i++) grounds[i] = ground(&q->grounds[i], cells);
    for (int i = 0; i < q->nclasses; i++) found |= ask_class(q, c + i, grounds, cells);
    return found;
}

// ---- grounds that are kept ------------------------------------------------------------------------

static __attribute__((noinline)) void learn(Keeper *keeper, unsigned grounds, const Cell *cells) {
    const int kinds = keeper->how->kinds;
    keeper->kept.known |= grounds;
    for (; grounds; grounds &= grounds - 1) {
        const int i = __builtin_ctz(grounds);
        const KeptGround *g = &keeper->how->grounds[i];
        uint64_t bits = 0;
        for (int k = 0; k < g->order->n; k++) {
            const Cell *here = cells + g->order->sites[k] * kinds;
            const Cell n = g->kind >= 0 ? here[g->kind] : count_of(here, kinds);
            bits |= (uint64_t)(n > g->floor) << k;
        }
        keeper->kept.bits[i] = bits;
    }
}

static inline uint64_t in_a_circle(uint64_t bits, int turn) {
    return bits >> turn | bits << (-turn & 63);
}

static inline uint64_t by_site(const AskedRule *r, uint64_t bits) {
    return (in_a_circle(bits, r->turn) ^ r->flip) & r->elements;
}

static inline uint64_t by_all(const AskedRule *r, uint64_t bits) {
    return (bits ^ r->flip) & r->sites ? r->elements : 0;
}

static inline uint64_t by_first(const AskedRule *r, uint64_t bits) {
    return by_site(r, bits ^ (bits - 1)); // all up to the first
}

static uint64_t left_by_rules(const AskedRules *rules, const uint64_t *bits) {
    uint64_t out = 0;
    const AskedRule *r = rules->at;
    for (int i = rules->nall; i > 0; i--, r++) out |= by_all(r, bits[r->ground]);
    for (int i = rules->nfirst; i > 0; i--, r++) out |= by_first(r, bits[r->ground]);
    for (int i = rules->neach; i > 0; i--, r++) out |= by_site(r, bits[r->ground]);
    if (rules->guard & bits[rules->guarded])
        for (int i = rules->nrare; i > 0; i--, r++) out |= by_site(r, bits[r->ground]);
    return rules->elements & ~out;
}

static inline uint64_t left_by_usual(const AskedUsual *u, uint64_t elements, const uint64_t *bits) {
    const uint64_t first = bits[u->first];
    uint64_t out = in_a_circle(bits[u->bare], u->bare_turn) & u->bare_elements;
    out |= ~in_a_circle(bits[u->wanted], u->wanted_turn) & u->wanted_elements;
    out |= ~in_a_circle(first ^ (first - 1), u->first_turn) & u->first_elements;
    for (int i = 0; i < 2; i++) out |= bits[u->all[i]] & u->all_sites[i] ? u->all_elements[i] : 0;
    return elements & ~out;
}

static uint64_t ask_kept_class(const Asked *q, const AskedClass *c, const Kept *kept,
                               const Cell *cells) {
    uint64_t elements = left_by_rules(c->rules, kept->bits);
    if (elements == 0) return 0;
    for (int i = 0; i < c->nconditions; i++)
        if (condition_fails(q, &c->conditions[i], cells, &elements)) return 0;
    for (int i = 0; i < c->nruled; i++) {
        const AskedRuled *t = &c->ruled[i];
        elements &= ~spread(t->spread, t->parts, kept->bits[t->ground]);
    }
    return elements;
}

static __attribute__((noinline)) uint64_t ask_kept(const Asked *q, const Cell *cells,
                                                   Keeper *keeper) {
    const unsigned unknown = q->kept & ~keeper->kept.known;
    if (unknown) learn(keeper, unknown, cells);
    uint64_t found = 0;
    for (int i = 0; i < q->nclasses; i++)
        found |= ask_kept_class(q, &q->classes[i], &keeper->kept, cells);
    return found;
}

// ---- all of them ---------------------------------------------------------------------------------

uint64_t asked_any(const AskedHead *q, const Cell *cells, Keeper *keeper) {
    while (q->next) {
        const Cell a = cells[q->a], b = cells[q->b];
        q = &q->next[q->holds >> ((a > b) - (a < b) + 1) & 1];
    }
    const AskedRules *rules = q->rules;
    if (rules) {
        const unsigned unknown = rules->kept & ~keeper->kept.known;
        if (__builtin_expect(unknown, 0)) learn(keeper, unknown, cells);
        const uint64_t *bits = keeper->kept.bits;
        return rules->is_usual ? left_by_usual(&rules->usual, rules->elements, bits)
                               : left_by_rules(rules, bits);
    }
    const Asked *whole = q->whole;
    if (whole->kept) return ask_kept(whole, cells, keeper);
    if (whole->few) return asked_few(q, cells);
    return whole->classes ? ask_classes(whole, cells) : ask_in_turn(whole, cells);
}

static void head_of_two(AskedHead *head, const Asked *whole, Arena *arena) {
    const AskedNode *node = &whole->nodes[0];
    AskedHead *next = arena_array(arena, 2, sizeof *next);
    for (int k = 0; k < 2; k++) asked_head(&next[k], whole->next[k], arena);
    head->next = next;
    head->a = node->a;
    head->b = node->b;
    head->holds = (uint8_t)node->holds;
}

void asked_head(AskedHead *head, const Asked *whole, Arena *arena) {
    const AskedClass *c = whole->kept && whole->nclasses == 1 ? whole->classes : NULL;
    *head = (AskedHead){.rules = c && c->nconditions + c->nruled == 0 ? c->rules : NULL,
                        .whole = whole,
                        .few = whole->few,
                        .first = whole->grounds[0].first,
                        .floor = whole->grounds[0].floor,
                        .stride = (uint8_t)whole->grounds[0].stride,
                        .each = (uint8_t)whole->grounds[0].each,
                        .both = whole->both,
                        .held = (uint8_t)whole->held,
                        .n = (int16_t)whole->n,
                        .values = whole->values};
    for (int k = 0; k < ASKED_VALUES; k++) head->cells[k] = whole->cells[k];
    if (whole->next[0]) head_of_two(head, whole, arena);
}
