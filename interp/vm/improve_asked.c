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

// The number of a ground with these sites: one that is there already and may be made wider, or a new one. -1: there
// is no room.
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

// What is written down so far.
typedef struct Draft {
    const Search *s;
    Sites grounds[ASKED_GROUNDS];
    int ground[ASKINGS]; // that each question is asked about, or -1
    int ways[ASKINGS];   // how many lead to it
    int number[ASKINGS], first;
    int8_t answer[ASKINGS]; // of those that are the same for all, if it is known here; else -1
} Draft;

enum {
    VARIANTS = 8, // of the questions of a search
    SMALL = 8,    // elements
};

static bool about_lists(const Search *s, const Asking *a) {
    for (int e = 0; e < s->n; e++)
        if (a->told[e] == OF_LIST) return true;
    return false;
}

static int next_question(const Draft *d, int i, bool yes) {
    int next = d->s->asking[i].next[yes];
    while (next >= 0 && next < ASKINGS && d->answer[next] >= 0)
        next = d->s->asking[next].next[d->answer[next]];
    return next < 0 ? NOT_FOUND : next;
}

static bool only_goes_on(const Draft *d, int i) {
    return d->ground[i] >= 0 && !about_lists(d->s, &d->s->asking[i]) &&
           next_question(d, i, false) == NOT_FOUND;
}

// The question that is asked together with question i, since every element for which the answer is yes comes to it, and
// it is about the same ground. -1: there is none.
static int asked_with(const Draft *d, int i) {
    int next = next_question(d, i, true);
    bool joins = next < ASKINGS && d->ways[next] == 1 && only_goes_on(d, i) &&
                 only_goes_on(d, next) && d->ground[i] == d->ground[next];
    return joins ? next : -1;
}

static int next_of(const Draft *d, int i, bool yes) {
    for (int with; (with = asked_with(d, i)) >= 0;) i = with;
    return next_question(d, i, yes);
}

// Numbers the questions so that each comes before those that it leads to; from the last down.
static void number_from(Draft *d, int i) {
    if (i >= ASKINGS || d->number[i] >= 0) return;
    d->number[i] = 0; // on the way; there are no circles
    for (int k = 0; k < 2; k++) number_from(d, next_of(d, i, k));
    d->number[i] = --d->first;
}

static size_t parts_of(const Draft *d, int ground) {
    Sites sites = d->grounds[ground];
    return (size_t)(sites.high - sites.low) / (2 * ASKED_BITS) + 1;
}

// Adds the elements that a ground's bits tell something of: those for which the answer is no; or yes, if some ask
// about lists.
static void spread(const Draft *d, int i, uint64_t *table) {
    const Asking *a = &d->s->asking[i];
    size_t each = 1 << ASKED_BITS;
    bool lie = about_lists(d->s, a) || a->turned;
    for (int e = 0; e < d->s->n; e++) {
        int n;
        const int16_t *at = sites_of(d->s, a, e, &n);
        for (int k = 0; k < n; k++) {
            size_t bit = (size_t)(at[k] - d->grounds[d->ground[i]].low);
            for (size_t v = 0; v < each; v++)
                if ((v >> bit % ASKED_BITS & 1) == lie)
                    table[bit / ASKED_BITS * each + v] |= UINT64_C(1) << e;
        }
    }
}

static uint64_t all_elements(const Search *s) { return ~UINT64_C(0) >> (ASKED_MOST - s->n); }

// Each element about which nothing is known asks only about the site of its place.
static bool is_straight(const Draft *d, int i) {
    const Asking *a = &d->s->asking[i];
    if (d->ground[i] < 0 || about_lists(d->s, a) || a->turned || asked_with(d, i) >= 0)
        return false;
    for (int e = 0; e < d->s->n; e++)
        if (a->told[e] == OF_SITE && a->of[e] != d->grounds[d->ground[i]].low + e) return false;
    return true;
}

void asked_owners(const Search *s, const Asking *a, AskedNode *to) {
    int low = CELL_MAX, high = CELL_MIN;
    for (int e = 0; e < s->n; e++) {
        if (a->told[e] != OF_VALUE) continue;
        if (a->of[e] < low) low = a->of[e];
        if (a->of[e] > high) high = a->of[e];
    }
    if (low > high) return;
    const size_t n = (size_t)(high - low) + 1;
    uint64_t *owners = arena_array(s->im->arena, n, sizeof *owners);
    memset(owners, 0, n * sizeof *owners);
    for (int e = 0; e < s->n; e++)
        if (a->told[e] == OF_VALUE) owners[a->of[e] - low] |= UINT64_C(1) << e;
    to->owners = owners;
    to->low = low;
    to->nowners = (int)n;
    to->b = to->a;
}

const void *asked_shared(Improver *im, const void *what, size_t size) {
    for (size_t i = 0; i < im->shared.n; i++) {
        const Shared *other = &im->shared.at[i];
        if (other->size == size && memcmp(other->at, what, size) == 0) return other->at;
    }
    void *at = arena_alloc(im->arena, size);
    memcpy(at, what, size);
    vec_push(im->arena, &im->shared, ((Shared){at, size}));
    return at;
}

const uint64_t *asked_spread(Improver *im, const uint64_t *table, size_t n) {
    return asked_shared(im, table, n * sizeof *table);
}

static void write_node(const Draft *d, int i, AskedNode *to) {
    const Search *s = d->s;
    const Asking *a = &s->asking[i];
    *to = (AskedNode){
        .ground = d->ground[i], .holds = a->holds, .a = a->a, .b = a->b, .asked = all_elements(s)};
    if (!a->grounded && !a->celled) to->a = to->b = q_constant(s->im->q, 0);
    int next[2];
    for (int k = 0; k < 2; k++) {
        next[k] = next_of(d, i, k);
        next[k] = next[k] == FOUND       ? ASKED_YES
                  : next[k] == NOT_FOUND ? ASKED_NO
                                         : d->number[next[k]] - d->first;
    }
    to->no = next[false];
    to->yes = next[true];
    to->turned = to->ground >= 0 && !about_lists(s, a);
    to->straight = is_straight(d, i);
    asked_owners(s, a, to);
    uint64_t room[ASKED_MOST / ASKED_BITS << ASKED_BITS], *table = NULL;
    if (to->ground >= 0) {
        to->parts = (int)parts_of(d, to->ground);
        memset(room, 0, sizeof room);
        table = room;
    }
    for (; i >= 0; i = to->turned ? asked_with(d, i) : -1) {
        if (table) spread(d, i, table);
        for (int e = 0; e < s->n; e++) {
            Told told = s->asking[i].told[e];
            if (told < OF_SITE && !(to->turned && told == TOLD_YES))
                to->asked &= ~(UINT64_C(1) << e);
            if (told == TOLD_YES && !to->turned) to->sure |= UINT64_C(1) << e;
        }
    }
    if (table) to->spread = asked_spread(s->im, table, (size_t)to->parts << (ASKED_BITS + 1));
}

static int first_question(const Draft *d) {
    int first = d->s->first;
    while (first < ASKINGS && d->answer[first] >= 0) {
        first = d->s->asking[first].next[d->answer[first]];
        if (first < 0) first = NOT_FOUND;
    }
    return first;
}

// How many questions lead to each, of those that are come to.
static void count_ways(Draft *d, int i) {
    if (i >= ASKINGS || d->ways[i]++ > 0) return;
    for (int k = 0; k < 2; k++) count_ways(d, next_question(d, i, k));
}

// A question that is the same for all elements, and is not answered yet; ASKINGS: there is none.
static int same_for_all(const Draft *d) {
    for (int i = 0; i < d->s->nasking; i++) {
        bool same = d->s->asking[i].celled && d->answer[i] < 0;
        for (int e = 0; e < d->s->n; e++)
            same &= d->s->asking[i].told[e] == OF_CELLS || d->s->asking[i].told[e] == NOT_ASKED;
        if (same && d->ways[i] > 0) return i;
    }
    return ASKINGS;
}

// A question about a few sites, or several that a candidate answers with yes: what each value of a byte of their bits
// tells.
static void write_few(const Search *s, Asked *q) {
    const unsigned each = 1 << ASKED_BITS;
    if (q->ngrounds != 1 || q->grounds[0].n > ASKED_FEW || q->grounds[0].stride > FOURS_STRIDE)
        return;
    for (int i = 0; i < q->nnodes; i++) {
        const AskedNode *node = &q->nodes[i];
        const int next = i + 1 < q->nnodes ? i + 1 : ASKED_YES;
        if (node->ground < 0 || node->no != ASKED_NO || node->yes != next) return;
        if (q->nnodes > 1 && !node->turned) return;
    }
    uint64_t *few = arena_array(s->im->arena, 2 * each * each, sizeof *few);
    q->both = q->nodes[0].turned;
    for (unsigned v = 0; v < 2 * each * each; v++) {
        const unsigned part = v / (each * each);
        few[v] = q->both || part < (unsigned)q->nodes[0].parts ? q->all : 0;
        for (int i = 0; i < q->nnodes; i++) {
            const AskedNode *node = &q->nodes[i];
            if (part >= (unsigned)node->parts) break;
            const uint64_t *table = node->spread + part * 2 * each;
            const uint64_t told = table[v % each] | table[each + v / each % each];
            few[v] &= ((node->turned ? ~told : told) & node->asked) | node->sure;
        }
    }
    q->few = few;
}

static bool write_questions(Draft *d, Asked *q) {
    const Search *s = d->s;
    q->ngrounds = 0;
    for (int i = 0; i < s->nasking; i++) {
        Sites sites = all_sites(s, &s->asking[i]);
        if (sites.high < 0 || d->ways[i] == 0) continue;
        d->ground[i] = ground_for(q, d->grounds, &s->asking[i].ground, sites);
        if (d->ground[i] < 0) return false;
    }
    for (int i = 0; i < s->nasking; i++)
        if (s->asking[i].row) return write_classes(s, d->answer, q);
    const bool few = q->ngrounds == 1 && d->grounds[0].high - d->grounds[0].low < ASKED_FEW;
    const Asked before = *q;
    if (!few && write_classes(s, d->answer, q)) return true;
    *q = before; // it may have laid out grounds of its own
    number_from(d, first_question(d));
    q->nnodes = ASKINGS - d->first;
    if (q->nnodes > ASKED_NODES) return false;
    if (q->nnodes == 0) { // all are candidates, or none
        uint64_t asked = first_question(d) == FOUND ? all_elements(s) : 0;
        q->nodes[q->nnodes++] =
            (AskedNode){.ground = -1, .holds = 2, .asked = asked, .yes = ASKED_YES, .no = ASKED_NO};
        return true;
    }
    for (int i = 0; i < s->nasking; i++)
        if (d->number[i] >= 0) write_node(d, i, &q->nodes[d->number[i] - d->first]);
    for (int i = 0; i < q->ngrounds; i++) {
        q->grounds[i].first += q->grounds[i].stride * d->grounds[i].low;
        q->grounds[i].n = d->grounds[i].high - d->grounds[i].low + 1;
    }
    write_few(s, q);
    return true;
}

// Questions that are the same for all come first, and then the others, for each of their answers: these can be joined.
static bool write_variants(const Search *s, const int8_t *answer, Asked *q, int *left) {
    Draft d = {.s = s, .first = ASKINGS};
    memcpy(d.answer, answer, sizeof d.answer);
    for (int i = 0; i < ASKINGS; i++) d.number[i] = d.ground[i] = -1;
    count_ways(&d, first_question(&d));
    int same = same_for_all(&d);
    if (same == ASKINGS || *left < 2) return write_questions(&d, q);
    *left -= 2;
    const Asking *a = &s->asking[same];
    q->nnodes = 1;
    q->nodes[0] = (AskedNode){.ground = -1, .holds = a->holds, .a = a->a, .b = a->b};
    Asked *next = arena_array(s->im->arena, 2, sizeof *next);
    next[0] = next[1] = *q;
    for (int k = 0; k < 2; k++) {
        d.answer[same] = (int8_t)k;
        if (!write_variants(s, d.answer, &next[k], left)) return false;
        q->next[k] = &next[k];
    }
    return true;
}

static bool write_asked(const Search *s, Asked *q) {
    int8_t answer[ASKINGS];
    int left = VARIANTS;
    const Alternative *a =
        s->end == END_CAND ? &s->im->p->alternatives[s->im->ins[s->end_at].w[0]] : NULL;
    size_t n = (size_t)s->n * ASKED_VALUES;
    int16_t values[(ASKED_MOST + 1) * ASKED_VALUES];
    memcpy(values, s->values, n * sizeof *values);
    memset(answer, -1, sizeof answer);
    *q = (Asked){.n = s->n, .held = s->held, .all = all_elements(s)};
    for (int k = 0; a && k < a->nvars; k++) q->cells[k] = a->cells[k];
    if (a && a->nvars == 1) {
        q->cells[1] = a->cells[0];
        q->held |= q->held << 1;
        for (int e = 0; e < s->n; e++) values[ASKED_VALUES * e + 1] = values[ASKED_VALUES * e];
    }
    q->values = asked_shared(s->im, values, n * sizeof *values);
    return write_variants(s, answer, q, &left);
}

// ---- searches ------------------------------------------------------------------------------------

// Begins to follow the search anew.
static bool follow_with(Search *s, const Ins *begin, int by, Cell value, int stop) {
    *s = (Search){.im = s->im,
                  .live = s->live,
                  .reached = s->reached,
                  .before = s->before,
                  .givens = s->givens,
                  .given = s->given,
                  .alone = s->alone,
                  .stay = s->stay,
                  .outer = begin,
                  .first = -1,
                  .by = by,
                  .by_value = value,
                  .wanted = -1,
                  .stop = stop,
                  .seen = s->seen,
                  .number = s->number + 1,
                  .fits = true};
    if (s->given)
        givens_search(s);
    else if (!s->alone)
        before_search(s);
    return search_follow(s);
}

// Follows it with all elements that come to a question which is the same for all going on from there: the last one
// that can be. The last attempt has left the questions it came to.
static bool follow_to_stop(Search *s, const Ins *begin, int by, Cell value) {
    int stops[ASKINGS], n = 0;
    for (int i = 1; i < s->nasking; i++)
        if (s->asking[i].celled) stops[n++] = s->asking[i].ins;
    while (n-- > 0)
        if (follow_with(s, begin, by, value, stops[n]) && s->nasking > 1) return true;
    return false;
}

// What the dice may show.
static bool thrown(const Program *p, int *low, int *n) {
    int high = CELL_MIN;
    *low = CELL_MAX;
    for (int i = 0; i < p->ndice; i++) {
        const Dice *d = &p->dice[i];
        for (int k = 0; k < d->noutcomes * d->nvalues; k++) {
            if (d->outcomes[k] < *low) *low = d->outcomes[k];
            if (d->outcomes[k] > high) high = d->outcomes[k];
        }
    }
    *n = high - *low + 1;
    return *low <= high && *n <= ASKED_BY;
}

// Follows the search, and for each value of a cell that dice were thrown into, if nothing can be known without that.
static bool write_by(Search *s, const Ins *begin, AskedBy *by) {
    Asked q;
    int low = 0, n = 1;
    *by = (AskedBy){.by = -1};
    if (!follow_with(s, begin, -1, 0, -1)) {
        by->by = s->wanted;
        if (by->by >= 0 && thrown(s->im->p, &low, &n)) {
            if (!follow_with(s, begin, by->by, low, -1) && !follow_to_stop(s, begin, by->by, low))
                return false;
        } else if (!follow_to_stop(s, begin, -1, 0)) {
            return false;
        }
    }
    const int stop = s->stop, end_at = s->end_at;
    const End end = s->end;
    by->low = low;
    by->n = n;
    by->first = (int)s->im->asked.n;
    // Somebody has to be asked, and one question of few elements, or of those that are not asked by fours, is as well
    // off with CANDS_...
    bool small = s->n <= SMALL || s->im->p->npieces > 2;
    if (s->nasking < (!s->inner && (small || end != END_CAND) ? 2 : 1)) return false;
    Uses uses = {.fits = true};
    for (int k = 0; k < n; k++) {
        if (k > 0 && !follow_with(s, begin, by->by, low + k, stop)) return false;
        before_note(s, &uses);
        if (s->end != end || s->end_at != end_at || !write_asked(s, &q)) return false;
        vec_push(s->im->arena, &s->im->asked, q);
    }
    if (by->by < 0) by->by = q_constant(s->im->q, 0);
    return before_settle(s, &uses);
}

void improve_asked(Improver *im, const Live *l) {
    Search *s = arena_alloc(im->arena, sizeof *s);
    Reached reached;
    ins_find_reached(&reached, im);
    Before before;
    before_find(&before, im, &reached);
    *s = (Search){.im = im, .live = l, .reached = &reached, .before = &before};
    s->givens = givens_find(s);
    s->seen = arena_array(im->arena, (size_t)im->most + 1, sizeof *s->seen);
    memset(s->seen, 0, ((size_t)im->most + 1) * sizeof *s->seen);
    keeping_begin(im);
    for (int i = 0, n = im->n; i < n; i++) {
        const Ins *ins = &im->ins[i];
        if (ins->gone || ins->op < Q_BEGIN_LIST || ins->op > Q_BEGIN_RUN_MORE) continue;
        enum { BEFORE, GIVEN, ALONE, MANNERS };
        const bool more = givens_any(s, i);
        for (int k = BEFORE; k < MANNERS; k++) {
            if (k == GIVEN && !more) continue;
            AskedBy by;
            const size_t asked = im->asked.n;
            const int grounds = im->keeping ? im->keeping->n : 0;
            const size_t kept = im->kept.n;
            s->given = k == GIVEN;
            s->alone = k == ALONE;
            if (write_by(s, ins, &by) && (k == ALONE || !more || before_uses(s)) &&
                ask_at_once(s, i, &by))
                break;
            im->asked.n = asked;
            if (im->keeping) im->keeping->n = grounds;
            im->kept.n = kept;
        }
    }
    keeping_settle(im);
    if (s->stay) improve_live(im);
}
