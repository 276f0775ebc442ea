// Sites on which anything lies, a bit each, in a variable that is brought up to date with each move and each sowing. What
// is asked of one site is then a bit of it, of several one comparison, and nothing is read from cells that
// have just been written.
#include "../oldsow.h"
#include "translator.h"

#include <inttypes.h>

enum {
    TAKEN_MAX = 63, // sites; one bit more is that of a site that is not there
    TAKEN_FEW = 4,  // so many are asked sooner by their cells, and moves need not mind them
};

// Sites before those that hold what is being sown: that is asked of its cells.
static int sites_shown(const Program *p) {
    int n = 0;
    while (n < p->nsites && p->sites[n].kind != OLDSOW_HIDDEN) n++;
    return n;
}

void taken_init(Translator *t) {
    const Program *p = t->p;
    int n = sites_shown(p), asks = 0;
    t->taken = -1;
    for (int pc = 0; pc < p->ncode; pc = next_pc(t, pc))
        asks += p->code[pc] == OP_OCCUPIED || p->code[pc] == OP_EMPTY;
    if (asks == 0 || n > TAKEN_MAX || p->npieces < 1 || p->npieces > SITE_KINDS_MAX) return;
    int16_t *sites = arena_array(t->arena, (size_t)n, sizeof *sites);
    for (int i = 0; i < n; i++) sites[i] = (int16_t)i;
    t->taken = watch(t, sites, n, (1u << p->npieces) - 1, 0);
    t->watches[t->taken].used = true;
}

// Of one kind of pieces a cell tells as much as a bit does, which must not be changed piece by piece.
bool taken_given_up(Translator *t) {
    int n = 0;
    for (uint64_t left = t->taken_asked; left; left &= left - 1) n++;
    bool vain = n <= TAKEN_FEW || (t->p->npieces == 1 && t->slow);
    if (t->taken < 0 || !vain) return false;
    t->watches[t->taken].used = false;
    t->taken = -1;
    return true;
}

bool taken_has(const Translator *t, Range sites) {
    return t->taken >= 0 && sites.low >= 0 && sites.high < t->watches[t->taken].n;
}

uint64_t taken_bit(const Translator *t) { return t->taken < 0 ? 0 : UINT64_C(1) << t->taken; }

static const char *name(Translator *t) { return phrase(t, "w%d", t->taken); }
static int last(const Translator *t) { return t->watches[t->taken].n - 1; }

// The sites of a range, as bits.
static uint64_t bits_of(const Translator *t, Range r) {
    uint64_t bits = 0;
    for (int s = 0; s <= last(t); s++)
        if (s >= r.low && s <= r.high) bits |= UINT64_C(1) << s;
    return bits;
}

// ---- asking --------------------------------------------------------------------------------------

// Whether that is a truth about one site, which may be one that is not there: that is neither taken nor empty.
const char *taken_text(Translator *t, const Value *site, bool empty) {
    if (t->taken < 0 || !range_within(site->range, UNSET, last(t))) return NULL;
    t->taken_asked |= bits_of(t, site->range);
    const char *bits = phrase(t, empty ? "~%s" : "%s", name(t));
    if (site->range.low < 0) return phrase(t, "(%s << 1 >> (%s + 1) & 1)", bits, site->text);
    return phrase(t, "(%s >> %s & 1)", bits, site->text);
}

// These of the sites, all of which are there: text, or NULL.
const char *taken_of(Translator *t, const int16_t *sites, int n) {
    uint64_t bits = 0;
    for (int i = 0; i < n; i++) {
        if (t->taken < 0 || sites[i] < 0 || sites[i] > last(t)) return NULL;
        bits |= UINT64_C(1) << sites[i];
    }
    t->taken_asked |= bits;
    return phrase(t, "(%s & UINT64_C(0x%" PRIx64 "))", name(t), bits);
}

void taken_note(Translator *t, int site) { t->taken_asked |= UINT64_C(1) << site; }

// ---- moving --------------------------------------------------------------------------------------

// What may stand before: whether that is a site whose bit somebody asks for.
static bool begin(Translator *t, const Value *site) {
    if (t->taken < 0 || !(bits_of(t, site->range) & t->taken_asked)) return false;
    if (site->range.high > last(t) && !range_single(site->range))
        say(t, "if (%s <= %d)", site->text, last(t));
    return true;
}

static void came(Translator *t, const Value *site) {
    if (begin(t, site)) say(t, "%s |= UINT64_C(1) << %s;", name(t), site->text);
}

void taken_left(Translator *t, const Value *site) {
    if (begin(t, site)) say(t, "%s &= ~(UINT64_C(1) << %s);", name(t), site->text);
}

void taken_changed(Translator *t, const Value *site) {
    if (!begin(t, site)) return;
    const char *sum = NULL;
    for (int k = 0; k < t->p->npieces; k++) {
        Value kind = {.text = phrase(t, "%d", k), .range = range_of(k, k)};
        const char *one = count_cell(t, site, &kind);
        sum = sum ? phrase(t, "%s + %s", sum, one) : one;
    }
    say(t, "%s = (%s & ~(UINT64_C(1) << %s)) | (uint64_t)(%s > 0) << %s;", name(t), name(t),
        site->text, sum, site->text);
}

static void moved(Translator *t, const Value *from, const Value *to) {
    uint64_t of = bits_of(t, from->range);
    bool known = from->range.high <= last(t) && to->range.high <= last(t) &&
                 (of & t->taken_asked) == of && (bits_of(t, to->range) & t->taken_asked);
    if (!known) {
        taken_left(t, from);
        taken_changed(t, to);
        return;
    }
    say(t, "{ uint64_t moved = %s >> %s & 1;", name(t), from->text); // perhaps to the same site
    say(t, "%s = (%s & ~(UINT64_C(1) << %s)) | moved << %s; }", name(t), name(t), from->text,
        to->text);
}

// After an instruction that moves pieces from and to these sites, n of them.
void taken_moved(Translator *t, const int32_t *w, const Value *sites, Range n) {
    bool all = w[0] == OP_REMOVE_SET && t->p->lists[w[1]].n == t->p->npieces;
    if (t->taken < 0) return;
    switch ((Opcode)w[0]) {
    case OP_PUT:
        if (n.low > 0)
            came(t, &sites[0]);
        else
            taken_changed(t, &sites[0]);
        return;
    case OP_REMOVE_ALL: taken_left(t, &sites[0]); return;
    case OP_REMOVE_SET:
        if (all)
            taken_left(t, &sites[0]);
        else
            taken_changed(t, &sites[0]);
        return;
    case OP_MOVE_ALL: moved(t, &sites[1], &sites[0]); return;
    case OP_MOVE:
        taken_changed(t, &sites[1]);
        if (n.low > 0)
            came(t, &sites[0]);
        else
            taken_changed(t, &sites[0]);
        return;
    case OP_MOVE_SET:
    case OP_MOVE_KIND:
        taken_changed(t, &sites[1]);
        taken_changed(t, &sites[0]);
        return;
    default: taken_changed(t, &sites[0]); return;
    }
}

// One piece has fallen.
void taken_fallen(Translator *t, const Value *site) { came(t, site); }

void taken_anew(Translator *t) {
    if (t->taken >= 0) say(t, "%s = watch_%d(c);", name(t), t->taken);
}

// So many were dropped along a lap.
void taken_sown(Translator *t, int lap, const char *row, const char *from, const char *n) {
    if (t->taken >= 0) say(t, "%s |= sown_%d[%s][%s][%s];", name(t), lap, row, from, n);
}

void write_sown(Translator *t, int number, int first, int last_track, int n) {
    if (t->taken < 0) return;
    const Program *p = t->p;
    int bits = last(t) < 16 ? 16 : last(t) < 32 ? 32 : 64;
    fprintf(t->out, "MAYBE_UNUSED static const uint%d_t sown_%d[][SITES][%d] = {\n", bits, number,
            n + 1);
    for (int track = first; track <= last_track; track++) {
        fputs("    {\n", t->out);
        for (int s = 0; s < p->nsites; s++) {
            uint64_t on = 0;
            fputs("    {", t->out);
            for (int k = 0, at = s; k <= n; k++) {
                fprintf(t->out, "0x%" PRIx64 ", ", on);
                if (at >= 0) at = p->tracks[track].next[at];
                if (at >= 0 && at <= last(t)) on |= UINT64_C(1) << at;
            }
            fputs("},\n", t->out);
        }
        fputs("    },\n", t->out);
    }
    fputs("};\n", t->out);
}
