// Searches through what is known before play become questions to all elements at once: see asked.h.
#include "improve_asked.h"

#include <string.h>

typedef struct Sites {
    int low, high;
} Sites;

static void widen(Sites *to, int site) {
    if (site < to->low) to->low = site;
    if (site > to->high) to->high = site;
}

// The n sites that an element asks about.
static const int16_t *sites_of(const Search *s, const Asking *a, int element, int *n) {
    bool list = a->told[element] == OF_LIST;
    *n = list ? s->im->p->lists[a->of[element]].n : a->told[element] == OF_SITE;
    return list ? s->im->p->lists[a->of[element]].at : &a->of[element];
}

static Sites all_sites(const Search *s, const Asking *a) {
    Sites all = {s->im->p->nsites, -1};
    for (int e = 0; e < s->n; e++) {
        int n;
        const int16_t *at = sites_of(s, a, e, &n);
        for (int i = 0; i < n; i++) widen(&all, at[i]);
    }
    return all;
}

// The number of a ground with these sites: one that is there already and may be made wider, or a new one. -1: there is no
// room.
static int ground_for(Asked *q, Sites *grounds, const Ground *like, Sites sites) {
    for (int i = 0; i < q->ngrounds; i++) {
        const Ground *g = &q->grounds[i];
        Sites both = grounds[i];
        widen(&both, sites.low);
        widen(&both, sites.high);
        if (g->first != like->first || g->stride != like->stride || g->each != like->each ||
            g->floor != like->floor || both.high - both.low >= ASKED_MOST)
            continue;
        grounds[i] = both;
        return i;
    }
    if (q->ngrounds == ASKED_GROUNDS || sites.high - sites.low >= ASKED_MOST) return -1;
    q->grounds[q->ngrounds] = *like;
    grounds[q->ngrounds] = sites;
    return q->ngrounds++;
}

static const uint64_t *spread_over(const Search *s, const Asking *a, Sites sites) {
    size_t parts = ((size_t)(sites.high - sites.low) / (2 * ASKED_BITS) + 1) * 2;
    size_t each = 1 << ASKED_BITS;
    uint64_t *table = arena_array(s->im->arena, parts * each, sizeof *table);
    memset(table, 0, parts * each * sizeof *table);
    for (int e = 0; e < s->n; e++) {
        int n;
        const int16_t *at = sites_of(s, a, e, &n);
        for (int i = 0; i < n; i++) {
            size_t bit = (size_t)(at[i] - sites.low);
            for (size_t v = 0; v < each; v++)
                if (v >> bit % ASKED_BITS & 1)
                    table[bit / ASKED_BITS * each + v] |= UINT64_C(1) << e;
        }
    }
    return table;
}

// Numbers the questions so that each comes before those that it leads to; from the last down.
static void number_from(const Search *s, int i, int *number, int *last) {
    if (i < 0 || i >= ASKED_NODES || number[i] >= 0) return;
    number[i] = 0; // on the way; there are no circles
    for (int k = 0; k < 2; k++) number_from(s, s->asking[i].next[k], number, last);
    number[i] = --*last;
}

static void write_node(const Search *s, const Asking *a, const int *number, int first,
                       AskedNode *to) {
    *to = (AskedNode){.ground = -1, .turned = a->turned, .op = a->op, .a = a->a, .b = a->b};
    if (!a->grounded && !a->celled) to->a = to->b = q_constant(s->im->q, 0);
    for (int e = 0; e < s->n; e++) {
        if (a->told[e] >= OF_SITE) to->asked |= UINT64_C(1) << e;
        if (a->told[e] == TOLD_YES) to->sure |= UINT64_C(1) << e;
    }
    int next[2];
    for (int k = 0; k < 2; k++) {
        next[k] = a->next[k] < 0 ? ASKED_NO : a->next[k];
        if (next[k] < ASKED_NODES) next[k] = number[next[k]] - first;
    }
    to->no = next[false];
    to->yes = next[true];
}

static bool write_asked(const Search *s, Asked *q) {
    Sites grounds[ASKED_GROUNDS];
    int number[ASKED_NODES], first = ASKED_NODES, ground[ASKED_NODES];
    const Alternative *a = &s->im->p->alternatives[s->cand->w[0]];
    *q = (Asked){.n = s->n, .nvalues = a->nvars};
    for (int k = 0; k < a->nvars; k++) q->cells[k] = a->cells[k];
    for (int i = 0; i < ASKED_NODES; i++) number[i] = ground[i] = -1;
    number_from(s, s->first, number, &first);
    q->nnodes = ASKED_NODES - first;
    for (int i = 0; i < s->nasking; i++) {
        Sites sites = all_sites(s, &s->asking[i]);
        if (number[i] < 0 || sites.high < 0) continue;
        ground[i] = ground_for(q, grounds, &s->asking[i].ground, sites);
        if (ground[i] < 0) return false;
    }
    for (int i = 0; i < s->nasking; i++) {
        if (number[i] < 0) continue;
        AskedNode *node = &q->nodes[number[i] - first];
        write_node(s, &s->asking[i], number, first, node);
        node->ground = ground[i];
        if (ground[i] >= 0) node->spread = spread_over(s, &s->asking[i], grounds[ground[i]]);
    }
    for (int i = 0; i < q->ngrounds; i++) {
        q->grounds[i].first += q->grounds[i].stride * grounds[i].low;
        q->grounds[i].n = grounds[i].high - grounds[i].low + 1;
    }
    size_t n = (size_t)s->n * ASKED_VALUES;
    int16_t *values = arena_array(s->im->arena, n, sizeof *values);
    memcpy(values, s->values, n * sizeof *values);
    q->values = values;
    return true;
}

static void search_at_once(Improver *im, const Live *l, Search *s, int i) {
    Ins *begin = &im->ins[i];
    *s = (Search){.im = im,
                  .live = l,
                  .outer = begin,
                  .first = -1,
                  .seen = s->seen,
                  .number = s->number + 1,
                  .fits = true};
    Asked q;
    if (im->n == im->most || !search_follow(s)) return;
    // What asks only one question of a list's elements is as well off with CANDS_..., and somebody has to be asked.
    if (s->nasking < (s->inner ? 1 : 2) || !write_asked(s, &q)) return;
    int loop = im->n++, t = ins_target(begin->op);
    im->ins[loop] = *begin;
    vec_push(im->arena, &im->asked, q);
    const Ins *decide = &im->ins[ins_at(im, begin->w[t + 1])];
    bool at_once = !decide->gone && decide->op == Q_DECIDE &&
                   !im->p->decisions[decide->w[0]].chance; // a lot is drawn from the throws
    int target = im->p->alternatives[s->cand->w[0]].target;
    int chosen = im->place[begin->copy * (im->p->ncode + 1) + target];
    *begin = (Ins){.op = Q_CANDS_ASKED,
                   .copy = begin->copy,
                   .base = begin->base,
                   .next = begin->w[t + 1],
                   .w = {s->cand->w[0], loop, begin->w[t + 2], (int)im->asked.n - 1,
                         at_once ? decide->w[0] : -1, at_once ? chosen : loop}};
}

void improve_asked(Improver *im, const Live *l) {
    Search *s = arena_alloc(im->arena, sizeof *s);
    s->number = 0;
    s->seen = arena_array(im->arena, (size_t)im->most + 1, sizeof *s->seen);
    memset(s->seen, 0, ((size_t)im->most + 1) * sizeof *s->seen);
    for (int i = 0, n = im->n; i < n; i++) {
        const Ins *ins = &im->ins[i];
        if (!ins->gone && ins->op >= Q_BEGIN_LIST && ins->op <= Q_BEGIN_RUN_MORE)
            search_at_once(im, l, s, i);
    }
}
