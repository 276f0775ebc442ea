// A search in two loops, one in the other, whose tests ask nothing of play but whether each of a few sites holds more
// than so many pieces, and a few truths: these are the bits of a number, and which pairs of elements pass is looked up
// in a table by it.
//
// The tests are gone over as those of one loop are (lanes.h), twice: for the elements of the outer loop, to learn which
// lists the inner one goes through, and then for all pairs. What is asked is there a table itself: for each
// number the pairs for which it holds.
#include "lanes.h"
#include "translator.h"

#include <inttypes.h>
#include <string.h>

enum { PAIRS_MIN = 7, PAIRS_MAX = 64, NUMBERS = 1 << NUMBER_BITS };

// ---- bits by tables ------------------------------------------------------------------------------

static uint64_t by_number(Bits b, int number) { return b.each ? b.each[number] : b.known; }

Bits bits_by_table(Survey *s, Bits a, Bits b, bool both) {
    uint64_t *each = arena_array(s->t->arena, NUMBERS, sizeof *each);
    bool same = true;
    for (int i = 0; i < NUMBERS; i++) {
        uint64_t x = by_number(a, i), y = by_number(b, i);
        each[i] = both ? x & y : x | y;
        same &= each[i] == each[0];
    }
    return same ? known_bits(each[0]) : (Bits){.each = each};
}

Bits others_by_table(Survey *s, Bits a) {
    uint64_t *each = arena_array(s->t->arena, NUMBERS, sizeof *each);
    for (int i = 0; i < NUMBERS; i++) each[i] = ~a.each[i] & all_bits(s->list->n);
    return (Bits){.each = each};
}

// Sites are the lowest bits of the number, cells the highest, as it is not known yet how many sites there will be.
static int bit_of_site(Survey *s, int16_t site) {
    Asked *a = s->asked;
    int i = 0;
    while (i < a->nsites && a->sites[i] != site) i++;
    if (i == a->nsites) {
        if (a->nsites + a->ncells == NUMBER_BITS) return -1;
        a->sites[a->nsites++] = site;
    }
    return i;
}

Bits above_by_table(Survey *s, const int16_t *sites, uint32_t kinds, int least) {
    Asked *a = s->asked;
    if (a->nsites == 0) a->kinds = kinds, a->above = least;
    s->fine &= a->kinds == kinds && a->above == least;
    uint64_t *each = arena_array(s->t->arena, NUMBERS, sizeof *each);
    for (int i = 0; i < s->list->n && s->fine; i++) {
        if (sites[i] < 0) continue;
        int bit = bit_of_site(s, sites[i]);
        s->fine &= bit >= 0;
        for (int k = 0; k < NUMBERS && s->fine; k++) each[k] |= (uint64_t)(k >> bit & 1) << i;
    }
    return (Bits){.each = each};
}

// The truth of what is the same for all.
Bits cell_by_table(Survey *s, const Lanes *v) {
    Asked *a = s->asked;
    int i = 0;
    while (i < a->ncells && strcmp(a->cells[i], v->text) != 0) i++;
    if (i == a->ncells) {
        s->fine &= a->nsites + a->ncells < NUMBER_BITS;
        if (!s->fine) return known_bits(0);
        a->cells[a->ncells++] = v->text;
    }
    uint64_t *each = arena_array(s->t->arena, NUMBERS, sizeof *each);
    for (int k = 0; k < NUMBERS; k++)
        each[k] = k >> (NUMBER_BITS - 1 - i) & 1 ? all_bits(s->list->n) : 0;
    return (Bits){.each = each};
}

// ---- loops within --------------------------------------------------------------------------------

static void put_in_cell(Survey *s, int cell, const int16_t *each) {
    s->fine &= s->nstored < STORED_MAX;
    if (s->fine) {
        s->stored[s->nstored].cell = cell;
        s->stored[s->nstored++].lanes = (Lanes){.kind = LANES_KNOWN, .each = each};
    }
}

// A loop over lists of one element at most: its second round ends it.
static void loop_once(Survey *s, int pc, const int16_t *lists) {
    const int32_t *w = s->t->p->code + pc;
    int n = s->list->n;
    int16_t *each = arena_array(s->t->arena, (size_t)n, sizeof *each);
    uint64_t some = 0;
    for (int i = 0; i < n && s->fine; i++) {
        const List *list = &s->t->p->lists[lists[i]];
        s->fine &= list->n <= 1;
        each[i] = list->n > 0 ? list->at[0] : UNSET;
        some |= (uint64_t)(list->n > 0) << i;
    }
    s->fine &= s->asked->nonce < STORED_MAX;
    if (!s->fine) return;
    s->asked->once[s->asked->nonce++] = pc;
    survey_wait(s, w[4], both(s, s->going.bits, known_bits(~some & all_bits(n))));
    s->going = group_of(both(s, s->going.bits, known_bits(some)));
    put_in_cell(s, w[3], each);
}

bool loop_within(Survey *s, int pc) {
    const int32_t *w = s->t->p->code + pc;
    Lanes lists = lanes_in_cell(s, w[1]), from = lanes_in_cell(s, w[2]);
    int n = s->list->n;
    s->fine &= s->depth == 0 && from.kind == LANES_SAME && from.same == 0 &&
               (lists.kind == LANES_KNOWN || lists.kind == LANES_SAME);
    if (!s->fine) return false;
    int16_t *each = arena_array(s->t->arena, (size_t)n, sizeof *each);
    for (int i = 0; i < n && s->fine; i++) {
        each[i] = lists.kind == LANES_SAME ? (int16_t)lists.same : lists.each[i];
        s->fine &= each[i] >= 0 && each[i] < s->t->p->nlists;
    }
    if (!s->fine) return false;
    if (pc != s->asked->inner) {
        loop_once(s, pc, each);
        return true;
    }
    s->asked->lists = each;
    if (s->asked->second) put_in_cell(s, w[3], s->asked->second);
    return s->asked->second != NULL;
}

int round_again(const Survey *s, int pc) {
    for (int i = 0; i < s->asked->nonce; i++)
        if (s->asked->once[i] == pc) return round_again(s, s->t->p->code[pc + 4]);
    return pc == s->asked->inner ? s->mask->head : pc;
}

// ---- the search ----------------------------------------------------------------------------------

// The loop in which candidates are found, and which is all that is in the outer one; or -1.
static int inner_loop(const Translator *t, const Mask *m) {
    const int32_t *code = t->p->code;
    int inner = -1, offers = 0;
    for (int pc = next_pc(t, m->head); pc <= m->back; pc = next_pc(t, pc)) {
        if (inner < 0 && t->spots[pc].back >= 0) inner = pc;
        offers += code[pc] == OP_CAND && inner >= 0 && pc < t->spots[inner].back;
    }
    if (inner < 0 || offers != 1 || code[inner] != OP_ITER_LIST) return -1;
    int exit = code[inner + 4];
    return code[exit] == OP_JMP && code[exit + 1] == m->head ? inner : -1;
}

// What the loops leave in these cells is cleared, whether there are candidates or not.
static bool cleared(Translator *t, const Mask *m, int cell) {
    const int32_t *code = t->p->code, exit = code[m->head + 4];
    if (code[exit] != OP_DECIDE) return false;
    const int32_t *w = code + next_pc(t, exit);
    return w[0] == OP_ZERO && w[1] <= cell && cell < w[1] + w[2];
}

static bool two_cells(const Alternative *a, int outer, int inner) {
    if (a->nvars != 2) return false;
    return (a->cells[0] == outer && a->cells[1] == inner) ||
           (a->cells[1] == outer && a->cells[0] == inner);
}

static bool over_pairs(Survey *s, const List *outer, List *pairs) {
    int16_t *first = arena_array(s->t->arena, PAIRS_MAX, sizeof *first),
            *second = arena_array(s->t->arena, PAIRS_MAX, sizeof *second);
    int n = 0;
    for (int i = 0; i < outer->n; i++) {
        const List *inner = &s->t->p->lists[s->asked->lists[i]];
        for (int k = 0; k < inner->n; k++) {
            if (n == PAIRS_MAX) return false;
            first[n] = outer->at[i];
            second[n++] = inner->at[k];
        }
    }
    *pairs = (List){.at = first, .n = n};
    s->asked->second = second;
    return n >= PAIRS_MIN;
}

static PairTable *table_at(Translator *t, int head) {
    int player = t->nvariants > 1 ? t->player : 0;
    for (int i = 0; i < t->npair_tables; i++)
        if (t->pair_tables[i].head == head && t->pair_tables[i].player == player)
            return &t->pair_tables[i];
    arena_grow(t->arena, (void **)&t->pair_tables, &t->pair_tables_cap, (size_t)t->npair_tables + 1,
               sizeof *t->pair_tables);
    t->pair_tables[t->npair_tables] =
        (PairTable){.number = t->npair_tables, .head = head, .player = player};
    return &t->pair_tables[t->npair_tables++];
}

// The table, without the bits of a number that no site has; and what it is asked with.
static void finish(Survey *s, const List *pairs, Bits found) {
    Translator *t = s->t;
    Mask *m = s->mask;
    const Asked *a = s->asked;
    const Alternative *alternative = &t->p->alternatives[m->alternative];
    PairTable *table = table_at(t, m->head);
    table->pairs = pairs->n;
    table->answers = 1 << (a->nsites + a->ncells);
    table->bits = arena_array(t->arena, (size_t)table->answers, sizeof *table->bits);
    for (int i = 0; i < table->answers; i++) {
        int number = i & ((1 << a->nsites) - 1);
        for (int k = 0; k < a->ncells; k++)
            number |= (i >> (a->nsites + k) & 1) << (NUMBER_BITS - 1 - k);
        table->bits[i] = by_number(found, number);
    }
    for (int i = 0; i < 2; i++) {
        table->values[i] = alternative->cells[i] == s->elem ? pairs->at : a->second;
        m->ranges[i] = values_range(table->values[i], pairs->n);
        m->values[i] = phrase(t, "pairs_%d_%d", table->number, i);
    }
    m->elements = pairs;
    m->watches[0] = watch(t, a->sites, a->nsites, a->kinds, a->above);
    t->watches[m->watches[0]].by_table = true;
    const char *number = phrase(t, "w%d", m->watches[0]);
    for (int k = 0; k < a->ncells; k++)
        number = phrase(t, "%s | (uint64_t)(%s != 0) << %d", number, a->cells[k], a->nsites + k);
    m->watches[1] = -1;
    m->lines[1] = phrase(t, "m0 = %s;", number);
    m->bits = phrase(t, "pairs_%d[m0]", table->number);
    m->count = phrase(t, "passing_%d[m0]", table->number);
    m->nlines = m->uses = 2;
    if (t->nmasks == 0) t->nmasks = 1;
    m->only = true;
}

// Only where a watch is brought up to date with each move: it would be asked anew for one look at the table.
bool pairs_of(Translator *t, int pc, int number, Mask *m) {
    const List *outer = &t->p->lists[number];
    if (!t->moves_little || outer->n > NUMBER_BITS) return false;
    *m = (Mask){.head = pc, .back = t->spots[pc].back, .list = number, .cut = -1};
    Asked asked = {.inner = inner_loop(t, m)};
    if (asked.inner < 0) return false;
    Survey s = {.t = t,
                .mask = m,
                .list = outer,
                .elem = t->p->code[pc + 3],
                .going = group_of(known_bits(all_bits(outer->n))),
                .asked = &asked,
                .fine = true};
    survey(&s);
    List *pairs = arena_alloc(t->arena, sizeof *pairs);
    if (!s.fine || !asked.lists || !over_pairs(&s, outer, pairs)) return false;
    Asked again = {.inner = asked.inner, .second = asked.second};
    s = (Survey){.t = t,
                 .mask = m,
                 .list = pairs,
                 .elem = s.elem,
                 .going = group_of(known_bits(all_bits(pairs->n))),
                 .asked = &again,
                 .fine = true};
    m->cut = -1;
    Bits found = survey(&s);
    int second = t->p->code[asked.inner + 3];
    bool whole = s.fine && m->cut >= 0 && found.each && again.nsites > 0 && s.nwaiting == 0 &&
                 t->contexts[t->context].parent < 0 && may_be_counted(t, m, pairs->n) &&
                 cleared(t, m, s.elem) && cleared(t, m, second) &&
                 two_cells(&t->p->alternatives[m->alternative], s.elem, second);
    for (int i = 0; i < s.nstored && whole; i++)
        whole = s.stored[i].cell == second || !may_be_read(t, t->p->code[pc + 4], s.stored[i].cell);
    if (whole) finish(&s, pairs, found);
    return whole;
}

static void write_values(FILE *out, const PairTable *table, int i) {
    fprintf(out, "MAYBE_UNUSED static const int16_t pairs_%d_%d[] = {", table->number, i);
    for (int k = 0; k < table->pairs; k++) fprintf(out, "%s%d", k ? ", " : "", table->values[i][k]);
    fputs("};\n", out);
}

// The bits, or how many they are.
static void write_answers(FILE *out, const PairTable *table, bool count) {
    for (int k = 0; k < table->answers; k++) {
        int n = 0;
        for (uint64_t bits = table->bits[k]; bits; bits &= bits - 1) n++;
        fputs(k % 8 ? " " : "    ", out);
        if (count)
            fprintf(out, "%d", n);
        else
            fprintf(out, "0x%" PRIx64, table->bits[k]);
        fputs(k % 8 == 7 || k + 1 == table->answers ? ",\n" : ",", out);
    }
}

void write_pairs(FILE *out, const Translator *t) {
    for (int i = 0; i < t->npair_tables; i++) {
        const PairTable *table = &t->pair_tables[i];
        int bits = table->pairs <= 16 ? 16 : table->pairs <= 32 ? 32 : 64;
        fputs("// Pairs, and which of them pass, a bit each.\n", out);
        for (int k = 0; k < 2; k++) write_values(out, table, k);
        fprintf(out, "MAYBE_UNUSED static const uint%d_t pairs_%d[] = {\n", bits, i);
        write_answers(out, table, false);
        fprintf(out, "};\nMAYBE_UNUSED static const uint8_t passing_%d[] = {\n", i);
        write_answers(out, table, true);
        fputs("};\n", out);
    }
}
