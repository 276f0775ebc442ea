// Sites that are looked at all at once: which of them hold more than so many pieces of some kinds, as bits.
#include "translator.h"

#include <inttypes.h>
#include <string.h>

enum { SIXTEEN = 16, FOUR = 4, MOST_ABOVE = 126 }; // counts are compared as bytes

static bool same_watch(const Watch *w, const int16_t *sites, int n, uint32_t kinds, int above) {
    return w->n == n && w->kinds == kinds && w->above == above &&
           memcmp(w->sites, sites, (size_t)n * sizeof *sites) == 0;
}

int watch(Translator *t, const int16_t *sites, int n, uint32_t kinds, int above) {
    if (above < 0 || above > MOST_ABOVE) return -1;
    for (int i = 0; i < t->nwatches; i++)
        if (same_watch(&t->watches[i], sites, n, kinds, above)) return i;
    int16_t *own = arena_array(t->arena, (size_t)n, sizeof *own);
    memcpy(own, sites, (size_t)n * sizeof *sites);
    arena_grow(t->arena, (void **)&t->watches, &t->watches_cap, (size_t)t->nwatches + 1,
               sizeof *t->watches);
    t->watches[t->nwatches] = (Watch){.n = n, .sites = own, .kinds = kinds, .above = above};
    return t->nwatches++;
}

uint64_t all_bits(int n) { return n < 64 ? (UINT64_C(1) << n) - 1 : UINT64_MAX; }

// ---- when something is moved ----------------------------------------------------------------------

enum { KEPT_MIN = 24 }; // watches of so many sites are brought up to date, others asked again

// A program that does not sow moves a few pieces at a time. What is looked ahead to is put back with the pieces, but for
// look-aheads that try decisions.
bool moves_little(const Translator *t) {
    const Program *p = t->p;
    for (int pc = 0; pc < p->ncode; pc = next_pc(t, pc))
        if (p->code[pc] == OP_SOW || (t->woulds[pc] && t->woulds[pc]->tries)) return false;
    return true;
}

void keep_watches(Translator *t) {
    for (int i = 0; i < t->nwatches && i < 64 && t->moves_little; i++) {
        const Watch *w = &t->watches[i];
        bool keep = w->n >= KEPT_MIN || w->by_table;
        if (w->used && keep && i != t->taken) t->kept_up |= UINT64_C(1) << i;
    }
}

static uint64_t bits_of_site(const Watch *w, int32_t site) {
    uint64_t bits = 0;
    for (int i = 0; i < w->n; i++) bits |= (uint64_t)(w->sites[i] == site) << i;
    return bits;
}

static bool is_watched(const Watch *w, Range sites) {
    for (int i = 0; i < w->n; i++)
        if (w->sites[i] >= sites.low && w->sites[i] <= sites.high) return true;
    return false;
}

static const char *pieces_of(Translator *t, const Watch *w, const Value *site) {
    const char *sum = NULL;
    for (int k = 0; k < t->p->npieces; k++) {
        if (!(w->kinds >> k & 1)) continue;
        Value kind = {.text = phrase(t, "%d", k), .range = range_of(k, k)};
        const char *one = count_cell(t, site, &kind);
        sum = sum ? phrase(t, "%s + %s", sum, one) : one;
    }
    return sum;
}

// Pieces went from the site, or came to it.
static void touched(Translator *t, int number, const Value *site, bool came) {
    Watch *w = &t->watches[number];
    if (!is_watched(w, site->range)) return;
    if (!(t->kept_up >> number & 1) || !is_sites(t, site->range)) {
        t->asked &= ~(UINT64_C(1) << number);
        return;
    }
    bool known = range_single(site->range);
    w->looked_up |= !known;
    const char *bits = known
                           ? phrase(t, "UINT64_C(0x%" PRIx64 ")", bits_of_site(w, site->range.low))
                           : phrase(t, "bits_%d[%s]", number, site->text);
    const char *pieces = pieces_of(t, w, site);
    if (came)
        say(t, "w%d |= -(uint64_t)(%s > %d) & %s;", number, pieces, w->above, bits);
    else
        say(t, "w%d &= ~(-(uint64_t)(%s <= %d) & %s);", number, pieces, w->above, bits);
}

// The kinds that may be moved, a bit each. With their sites, on top of the stack, there is the kind, if it is not in the code.
static uint32_t kinds_moved(Translator *t, const int32_t *w, int sites) {
    bool set = operands((Opcode)w[0]) > 0, all = w[0] == OP_REMOVE_ALL || w[0] == OP_MOVE_ALL;
    Range r = set ? list_range(t, w[1]) : all ? any_cell : top_value(t, sites)->range;
    uint32_t kinds = 0;
    for (int k = 0; k < 32; k++) kinds |= (uint32_t)(k >= r.low && k <= r.high) << k;
    return kinds;
}

void moving_watched(Translator *t, const int32_t *w) {
    int n = w[0] >= OP_MOVE && w[0] <= OP_MOVE_KIND ? 2 : 1;
    Value sites[2];
    Range pieces = any_number;
    // Before a loop it may be the handful of a sowing with hooks, which is not only moved.
    bool more = w[0] == OP_SOW || t->spots[next_pc(t, t->pc)].back >= 0;
    if (more) t->asked &= taken_bit(t);
    if (!t->asked || w[0] == OP_SOW) {
        moving(t, w);
        return;
    }
    for (int i = n - 1; i >= 0; i--) in_slot(t, i);
    for (int i = 0; i < n; i++) sites[i] = *top_value(t, i);
    uint32_t kinds = kinds_moved(t, w, n);
    if (w[0] == OP_PUT || w[0] == OP_MOVE) pieces = top_value(t, w[0] == OP_PUT ? 2 : 3)->range;
    moving(t, w);
    if (!t->open || (t->hooked == t->pc && more)) return;
    t->slow |= more && w[0] == OP_MOVE_SET && !taken_has(t, sites[0].range);
    for (int k = n - 1; k >= 0; k--) { // first whence, then whither
        Range *r = &sites[k].range;    // only sites have come so far
        if (r->low < 0) r->low = 0;
        if (r->high >= t->p->nsites) r->high = t->p->nsites - 1;
        for (int i = 0; i < t->nwatches && i < 64; i++)
            if (t->asked >> i & 1 && i != t->taken && t->watches[i].kinds & kinds)
                touched(t, i, &sites[k], k == 0 && (n == 2 || w[0] == OP_PUT));
    }
    taken_moved(t, w, sites, pieces);
}

// ---- the functions -------------------------------------------------------------------------------

// What stands between the cells of up to four sites, if it is the same for all; else 0.
static int stride(const Translator *t, const int *cells, int n) {
    int by = n > 1 ? cells[1] - cells[0] : 1;
    bool even = by == 1 || by == -1 || by == 2 || by == -2;
    for (int i = 0; i < n; i++) even &= cells[i] >= 0 && cells[i] == cells[0] + i * by;
    int first = by > 0 ? cells[0] : cells[0] + 3 * by;
    int last = first + (by == 1 || by == -1 ? 3 : 7); // what a block reads
    return even && first >= 0 && last < t->p->ncells ? by : 0;
}

static void write_four(FILE *out, const Translator *t, const int *cells, int n) {
    static const char *const names[] = {"second_down", "down", "", "up", "second_up"};
    int by = stride(t, cells, n);
    if (by != 0) {
        fprintf(out, "four_%s(c + %d)", names[by + 2], cells[0]);
        return;
    }
    fputs("four(", out);
    for (int i = 0; i < FOUR; i++) {
        if (i < n && cells[i] >= 0)
            fprintf(out, "c[%d]", cells[i]);
        else
            fputs("0", out);
        fputs(i + 1 < FOUR ? ", " : ")", out);
    }
}

// Four sites from `from` on: their pieces of all the kinds.
static void write_sum(FILE *out, const Translator *t, const Watch *w, int from) {
    int n = w->n - from < FOUR ? w->n - from : FOUR, left = 0;
    if (n <= 0) {
        fputs("four(0, 0, 0, 0)", out);
        return;
    }
    for (int k = 0; k < t->p->npieces; k++) left += (w->kinds >> k & 1) != 0;
    for (int k = 0; k < t->p->npieces; k++) {
        if (!(w->kinds >> k & 1)) continue;
        int cells[FOUR];
        for (int i = 0; i < n; i++)
            cells[i] = w->sites[from + i] < 0 ? -1 : w->sites[from + i] * t->p->npieces + k;
        if (--left > 0) fputs("four_sums(", out);
        write_four(out, t, cells, n);
        if (left > 0) fputs(", ", out);
    }
    for (int k = 0, n_kinds = 0; k < t->p->npieces; k++)
        if (w->kinds >> k & 1 && n_kinds++ > 0) fputs(")", out);
}

static void write_at_once(FILE *out, const Translator *t, const Watch *w) {
    fputs("    uint64_t bits = 0;\n", out);
    for (int from = 0; from < w->n; from += SIXTEEN) {
        fputs("    bits |= (uint64_t)sixteen_above(", out);
        for (int k = 0; k < SIXTEEN; k += FOUR) {
            if (k > 0) fputs(",\n                                    ", out);
            write_sum(out, t, w, from + k);
        }
        fprintf(out, ", %d) << %d;\n", w->above, from);
    }
    fprintf(out, "    return bits & UINT64_C(0x%" PRIx64 ");\n", all_bits(w->n));
}

static void write_one_by_one(FILE *out, const Translator *t, const Watch *w) {
    fprintf(out, "    static const int16_t sites[%d] = {", w->n);
    for (int i = 0; i < w->n; i++) fprintf(out, "%s%d", i ? ", " : "", w->sites[i]);
    fputs("};\n    uint64_t bits = 0;\n", out);
    fprintf(out, "    for (int i = 0; i < %d; i++)\n        bits |= (uint64_t)(", w->n);
    const char *plus = "";
    for (int k = 0; k < t->p->npieces; k++) {
        if (!(w->kinds >> k & 1)) continue;
        fprintf(out, "%scount_kind(c, sites[i], %d)", plus, k);
        plus = " + ";
    }
    fprintf(out, " > %d) << i;\n    return bits;\n", w->above);
}

static void write_bits(FILE *out, const Translator *t, int number) {
    fprintf(out, "static const uint64_t bits_%d[SITES] = {\n", number);
    for (int s = 0; s < t->p->nsites; s++)
        fprintf(out, "    UINT64_C(0x%" PRIx64 "),\n", bits_of_site(&t->watches[number], s));
    fputs("};\n", out);
}

void write_watches(FILE *out, const Translator *t) {
    for (int i = 0; i < t->nwatches; i++) {
        const Watch *w = &t->watches[i];
        if (!w->used) continue;
        fputs("// Which of these sites hold more than so many, a bit each.\n", out);
        fprintf(out, "HELPER uint64_t watch_%d(const int32_t *c) {\n#ifdef __SSE2__\n", i);
        write_at_once(out, t, w);
        fputs("#else\n", out);
        write_one_by_one(out, t, w);
        fputs("#endif\n}\n", out);
        if (w->looked_up) write_bits(out, t, i);
    }
}
