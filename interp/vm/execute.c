#include "execute.h"

#include "../native/attach.h"
#include "act.h"
#include "ask.h"
#include "asked.h"
#include "bits.h"
#include "buffers.h"
#include "look.h"
#include "loop.h"
#include "pieces.h"
#include "rounds.h"

#include <string.h>

static inline DiagCode add_candidate(Run *run, int alternative, uint16_t weight) {
    Vm *vm = run->vm;
    if (vm->ncandidates - run->base >= BUDGET_CANDIDATES) return R_CANDIDATES;
    if (vm->ncandidates == vm->candidates_cap && !candidates_reserve(vm, vm->ncandidates + 1))
        return R_MEMORY;
    const Alternative *alt = &vm->program->alternatives[alternative];
    Candidate *c = &vm->candidates[vm->ncandidates++];
    *c = (Candidate){.alt = (int16_t)alternative, .weight = weight};
    if (alt->nvars > 0) c->values[0] = (int16_t)run->cells[alt->cells[0]];
    for (int i = 1; i < alt->nvars; i++) c->values[i] = (int16_t)run->cells[alt->cells[i]];
    return FINE;
}

static DiagCode note_position(Vm *vm, Cell *cells, int32_t *times) {
    Cell *noted = &cells[vm->program->system + CELL_HISTORY];
    if (vm->history.n >= BUDGET_HISTORY) return R_HISTORY;
    *times = history_add(&vm->history, hash_position(vm->program, cells));
    if (*times == 0) return R_MEMORY;
    if (*noted < CELL_MAX) *noted = (Cell)(*noted + 1);
    return FINE;
}

static int32_t seen_position(Run *run) {
    const Vm *vm = run->vm;
    run->steps -= (long)(vm->history.n / 4);
    return history_count(&vm->history, hash_position(vm->program, run->cells));
}

static DiagCode sow_lifted(Run *run, const List *kinds, int32_t *s, int32_t track) {
    const Program *p = run->vm->program;
    size_t used = (size_t)run->nlooks * (size_t)p->ncells;
    if (!saved_reserve(run->vm, used + (size_t)kinds->n + 1)) return R_MEMORY;
    run->steps -= count_set(p, run->cells, *s, kinds) + kinds->n;
    return sow(p, run->cells, kinds, s, track, saved_of(run, run->nlooks));
}

static OldsowStatus stop(Run *run, long steps, OldsowStatus status, size_t ncandidates) {
    run->vm->status = status;
    run->vm->ncandidates = ncandidates;
    run->vm->steps = steps;
    return status;
}

// ---- playing on by chance --------------------------------------------------------------------------

// Whether a decision with so many candidates is played here.
static inline bool goes_on(const Onward *on, size_t candidates) {
    return on->played < on->plies && (!on->branching || candidates < ONWARD_BRANCHES);
}

static size_t by_weight(const Candidate *c, size_t n, OldsowRng *throws) {
    uint64_t sum = 0;
    for (size_t i = 0; i < n; i++) sum += c[i].weight;
    uint32_t drawn = oldsow_below(throws, sum > UINT32_MAX ? UINT32_MAX : (uint32_t)sum);
    size_t i = 0;
    while (drawn >= c[i].weight) drawn -= c[i++].weight;
    return i;
}

static inline size_t one_of(size_t n, Onward *on) {
    if (on->branching) {
        on->branching[n]++;
        on->choices_made++;
        on->candidates += n;
        if (n > on->most) on->most = n;
    }
    return oldsow_below(on->choices, (uint32_t)n);
}

// Cells are cleared several at a time, the last ones with some that are cleared already.
static inline void zero_few(Cell *cell, int n) { // two to four
    memset(cell, 0, 2 * sizeof *cell);
    memset(cell + n - 2, 0, 2 * sizeof *cell);
}

static inline void zero_some(Cell *cell, int n) { // four to eight
    memset(cell, 0, 4 * sizeof *cell);
    memset(cell + n - 4, 0, 4 * sizeof *cell);
}

static inline void zero(Cell *cell, int n) {
    for (; n > 8; n -= 4, cell += 4) memset(cell, 0, 4 * sizeof *cell);
    if (n >= 4)
        zero_some(cell, n);
    else if (n >= 2)
        zero_few(cell, n);
    else if (n > 0)
        *cell = 0;
}

static inline void clear_scratch(const Decision *d, Cell *cells) {
    zero(cells + d->clear_base, d->clear_n);
}

// Takes one of the machine's candidates; gives the place to go on. What is to be clear then is cleared; the
// values of other alternatives are in that range as well.
static inline int take_written(const Program *p, const Candidate *c, const Decision *d,
                               Cell *cells) {
    clear_scratch(d, cells);
    return take_candidate(p, cells, c);
}

// What is asked where the operands are as these: asked cell low n. NULL: the cell has none of the values.
static inline const AskedHead *asked_by(const AskedHead *all, const Cell *cells,
                                        const int32_t *operands) {
    const uint32_t at = (uint32_t)cells[operands[1]] - (uint32_t)operands[2];
    return at < (uint32_t)operands[3] ? &all[(uint32_t)operands[0] + at] : NULL;
}

// The place of one of the bits by chance, the first candidate's being the lowest.
static inline int one_asked(uint64_t mask, const ByteOnes *of, Onward *on) {
    return nth_one(mask, of, (unsigned)one_of(ones_by(mask, of), on));
}

// What the cells of a candidate's values hold: some of its values lie there already.
static inline __attribute__((always_inline)) void hold(const AskedHead *q, const Cell *cells,
                                                       int16_t held[ASKED_VALUES]) {
    for (int k = 0; k < ASKED_VALUES; k++) held[k] = (int16_t)cells[q->cells[k]];
}

// Takes the candidate that is the element of this number.
static inline __attribute__((always_inline)) void
take_asked(const AskedHead *q, int element, const int16_t *held, const Decision *d, Cell *cells) {
    const int16_t *values = q->values + ASKED_VALUES * element;
    clear_scratch(d, cells);
    for (int k = 0; k < ASKED_VALUES; k++) // (if it has but one value: twice)
        cells[q->cells[k]] = q->held >> k & 1 ? held[k] : values[k];
}

static size_t write_group(const AskedHead *q, uint64_t mask, int alternative, const int16_t *held,
                          Candidate *c) {
    size_t n = 0;
    for (; mask; mask &= mask - 1, n++) {
        const int16_t *values = q->values + ASKED_VALUES * __builtin_ctzll(mask);
        c[n].alt = (int16_t)alternative;
        c[n].weight = 1;
        for (int k = 0; k < ASKED_VALUES; k++)
            c[n].values[k] = q->held >> k & 1 ? held[k] : values[k];
    }
    return n;
}

static size_t write_asked(const AskedHead *q, uint64_t mask, int alternative, const Cell *cells,
                          Candidate *c) {
    int16_t held[ASKED_VALUES];
    hold(q, cells, held);
    return write_group(q, mask, alternative, held, c);
}

// A group of n candidates of the instruction at `ip`.
static inline __attribute__((always_inline)) void
note_group(Run *run, const AskedHead *q, uint64_t mask, size_t n, const int32_t *ip) {
    Group *g = &run->groups[run->ngroups++];
    run->noted += n;
    g->asked = q;
    g->mask = mask;
    g->at = ip;
    g->until = run->noted;
    hold(q, run->cells, g->held);
}

// Takes the candidate with so many before it in the groups. Gives the place in the code to go on.
static inline __attribute__((always_inline)) const int32_t *
take_noted(Run *run, const Decision *d, size_t nth, const ByteOnes *of) {
    const Group *g = run->groups;
    size_t before = 0;
    for (; nth >= g->until; g++) before = g->until;
    take_asked(g->asked, nth_one(g->mask, of, (unsigned)(nth - before)), g->held, d, run->cells);
    run->ngroups = 0;
    run->noted = 0;
    return g->at + g->at[ASKED_CHOSEN];
}

// Writes down what is noted.
static DiagCode write_noted(Run *run) {
    Vm *vm = run->vm;
    if (!candidates_reserve(vm, vm->ncandidates + run->noted)) return R_MEMORY;
    for (const Group *g = run->groups; g < run->groups + run->ngroups; g++)
        vm->ncandidates += write_group(g->asked, g->mask, g->at[ASKED_ALTERNATIVE], g->held,
                                       vm->candidates + vm->ncandidates);
    run->ngroups = 0;
    run->noted = 0;
    return FINE;
}

// An outcome's number.
static inline uint32_t fallen_by_chance(const Program *p, const Throw *t, Onward *on) {
    const struct Quick *quick = p->quick;
    uint32_t drawn = oldsow_below(on->throws, quick->weights[t->dice]), i = 0;
    if (quick->fallen[t->dice]) return quick->fallen[t->dice][drawn];
    for (const uint32_t *weights = p->dice[t->dice].weights; drawn >= weights[i]; i++)
        drawn -= weights[i];
    return i;
}

static inline void take_outcome(const Program *p, Cell *cells, const Throw *t, uint32_t i) {
    const Dice *dice = &p->dice[t->dice];
    const int16_t *outcome = dice->outcomes + i * (uint32_t)dice->nvalues;
    for (int k = 0; k < t->nvars; k++) cells[t->cells[k]] = outcome[k];
}

static DiagCode score(const Program *p, Cell *cells, int32_t n, int32_t player) {
    if (!is_player(p, player)) return R_UNSET;
    if (!fits_cell(n)) return R_TOO_BIG;
    Cell *scored = &cells[p->scores + p->nplayers];
    cells[p->scores + player] = (Cell)n;
    *scored = (Cell)(*scored | 1 << player);
    return FINE;
}

static int32_t divide(int32_t a, int32_t b) {
    int32_t q = a / b;
    return a % b != 0 && (a < 0) != (b < 0) ? q - 1 : q;
}

static int32_t modulo(int32_t a, int32_t b) {
    if (b == -1) return 0; // INT32_MIN % -1 would trap
    int32_t r = a % b;
    return r != 0 && (r < 0) != (b < 0) ? r + b : r;
}

static inline Cell mover_of(const Program *p, const Cell *cells) {
    return cells[p->system + CELL_MOVER];
}

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wpedantic"

#define NAMED(name) name##_one
#define KINDS 1
#include "execute_as.h"
#undef NAMED
#undef KINDS
#define NAMED(name) name##_two
#define KINDS 2
#include "execute_as.h"
#undef NAMED
#undef KINDS
#define NAMED(name) name##_three
#define KINDS 3
#include "execute_as.h"
#undef NAMED
#undef KINDS
#define NAMED(name) name##_any
#define KINDS (uint32_t) p->npieces
#include "execute_as.h"

#pragma GCC diagnostic pop

OldsowStatus execute(Vm *vm, Cell *cells, int start, Onward *on) {
    if (vm->program->native) return native_run(vm, cells, start, on);
    switch (vm->program->npieces) {
    case 1: return execute_one(vm, cells, start, on);
    case 2: return execute_two(vm, cells, start, on);
    case 3: return execute_three(vm, cells, start, on);
    default: return execute_any(vm, cells, start, on);
    }
}
