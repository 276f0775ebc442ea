// The words in which the machine's loop is written, execute.c; for it alone. They use its variables: code, ip, cells, p,
// quick, steps, run, fault.
#ifndef OLDSOW_LOOP_H
#define OLDSOW_LOOP_H

#include "fours.h"
#include "quick.h"

// The length of each instruction in code words.
enum {
#define QOP(name, kinds) LEN_##name = sizeof(kinds), // with the closing NUL for the opcode
#include "quick.def"
#undef QOP
};

// Every instruction ends with a jump to the next one's code, by the address of a label: each such jump
// has a history of its own by which processors foretell it. A GNU extension that gcc and clang have.
// The loop. `ip` stays at the opcode until the instruction is done, so that a fault knows its
// place.
#define ON(name) at_##name:
#define GO goto *labels[*ip]
#define NEXT(name)                                                                                 \
    {                                                                                              \
        ip += LEN_##name;                                                                          \
        GO;                                                                                        \
    }
#define FAULT(what)                                                                                \
    {                                                                                              \
        fault = (what);                                                                            \
        goto failed;                                                                               \
    }
#define TRY(expression)                                                                            \
    {                                                                                              \
        fault = (expression);                                                                      \
        if (__builtin_expect(fault != FINE, 0)) goto failed;                                       \
    }
#define NEED(condition, what)                                                                      \
    if (__builtin_expect(!(condition), 0)) FAULT(what)
#define JUMP(operand)                                                                              \
    {                                                                                              \
        ip += ip[operand];                                                                         \
        GO;                                                                                        \
    }
#define A cells[ip[1]]
#define B cells[ip[2]]
#define C cells[ip[3]]
#define D cells[ip[4]]
#define SET(name, value)                                                                           \
    ON(name) {                                                                                     \
        A = (value);                                                                               \
        NEXT(name);                                                                                \
    }
#define CHECKED(name, builtin)                                                                     \
    ON(name) {                                                                                     \
        int32_t result;                                                                            \
        NEED(!builtin(B, C, &result), R_TOO_BIG);                                                  \
        A = result;                                                                                \
        NEXT(name);                                                                                \
    }
#define CHECKED_TO(name, builtin)                                                                  \
    ON(name) {                                                                                     \
        int32_t result;                                                                            \
        NEED(!builtin(B, C, &result) && fits_cell(result), R_TOO_BIG);                             \
        A = result;                                                                                \
        NEXT(name);                                                                                \
    }
#define BRANCH(name, operand, condition)                                                           \
    ON(name) {                                                                                     \
        if (condition) JUMP(operand);                                                              \
        NEXT(name);                                                                                \
    }
#define BRANCH_BACK(name, operand, condition)                                                      \
    ON(name) {                                                                                     \
        CHARGE(ip[(operand) + 1]);                                                                 \
        if (condition) JUMP(operand);                                                              \
        NEXT(name);                                                                                \
    }
// Whether a value is one of 64 whose bits are in two words.
#define AMONG(v, low, words)                                                                       \
    ((uint32_t)(v) - (uint32_t)(low) < 64 &&                                                       \
     ((uint64_t)(uint32_t)(words)[1] << 32 | (uint32_t)(words)[0]) >>                              \
             ((uint32_t)(v) - (uint32_t)(low)) &                                                   \
         1)
// A candidate with few values; the machine's room for candidates is made elsewhere.
#define CAND_OF(name, others)                                                                      \
    ON(name) {                                                                                     \
        const size_t found = vm->ncandidates;                                                      \
        if (found == vm->candidates_cap || found - run.base >= BUDGET_CANDIDATES) {                \
            TRY(add_candidate(&run, ip[1], 1));                                                    \
            NEXT(name);                                                                            \
        }                                                                                          \
        Candidate *c = &vm->candidates[found];                                                     \
        c->alt = (int16_t)ip[1];                                                                   \
        c->values[0] = (int16_t)B;                                                                 \
        others;                                                                                    \
        c->weight = 1;                                                                             \
        vm->ncandidates = found + 1;                                                               \
        NEXT(name);                                                                                \
    }
// What only a verified program can have in its lists and tracks needs no check; what a value says does.
// All pieces on a site; the same in few steps where there is but one kind.
#define PIECES(s) (on_board(z, (s)) ? pieces_on(z, cells, (s)) : 0)
#define IS_EMPTY(s) (on_board(z, (s)) && pieces_on(z, cells, (s)) == 0)
#define IS_OCCUPIED(s) (PIECES(s) > 0)
#define LIST_IN(value) NEED(is_list(p, (value)), R_UNSET)
#define CHARGE(n)                                                                                  \
    {                                                                                              \
        steps -= (n);                                                                              \
        NEED(steps >= 0, R_STEPS);                                                                 \
    }
// What is done elsewhere counts in run.steps; here they are kept at hand.
#define AWAY(call)                                                                                 \
    {                                                                                              \
        run.steps = steps;                                                                         \
        call;                                                                                      \
        steps = run.steps;                                                                         \
    }
// The number of pieces of a kind, or of any, has changed on sites.
#define KEEP(kind, a, b)                                                                           \
    if (quick->keeping) NAMED(keep_kind)(p, &run.keeper, cells, kind, a, b)
#define KEEP_ALL(a, b)                                                                             \
    if (quick->keeping) NAMED(keep_all)(p, &run.keeper, cells, a, b)
// They are kept elsewhere: here too much is in hand.
#define KEEPERS(keep_kind_of, keep_all_of)                                                         \
    static __attribute__((noinline)) void keep_kind_of(                                            \
        const Program *p, Keeper *keeper, const Cell *cells, Cell kind, Cell a, Cell b) {          \
        (void)p;                                                                                   \
        keep_kind(keeper, cells, KINDS, kind, (uint32_t)a, (uint32_t)b);                           \
    }                                                                                              \
    static __attribute__((noinline)) void keep_all_of(const Program *p, Keeper *keeper,            \
                                                      const Cell *cells, Cell a, Cell b) {         \
        (void)p;                                                                                   \
        keep_all(keeper, cells, KINDS, (uint32_t)a, (uint32_t)b);                                  \
    }
// What a cell of pieces holds is noted; what is no such cell is left to the instruction that is to write there.
#define MARK_CELL(kind, s)                                                                         \
    if (on_board(z, (s)) && (uint32_t)(kind) < z.kinds) {                                          \
        Mark *const m = &run.marks[run.nmarks++];                                                  \
        m->cell = cells_on(z, cells, (s)) + (kind);                                                \
        m->was = *m->cell;                                                                         \
    }
#define GET(name, value)                                                                           \
    ON(name) {                                                                                     \
        value;                                                                                     \
        NEXT(name);                                                                                \
    }
// A site is worked out and written down, and asked about.
#define GET_ASK(name, value, operand, condition)                                                   \
    ON(name) {                                                                                     \
        value;                                                                                     \
        if (condition) JUMP(operand);                                                              \
        NEXT(name);                                                                                \
    }
#define GET_ASK_ALL(name, value, operand)                                                          \
    GET_ASK(name##OCC, value, operand, PIECES(A) > 0);                                             \
    GET_ASK(name##NOCC, value, operand, PIECES(A) == 0);                                           \
    GET_ASK(name##EMPTY, value, operand, IS_EMPTY(A));                                             \
    GET_ASK(name##NEMPTY, value, operand, !IS_EMPTY(A))
#define GET_NEXT A = track_next(p, B, C)
#define GET_AHEAD                                                                                  \
    if (quick->along) {                                                                            \
        A = ahead(p, quick->along, B, C, D);                                                       \
    } else {                                                                                       \
        if (is_track(p, C)) steps -= p->lists[p->tracks[C].list].n;                                \
        A = track_ahead(p, B, C, D);                                                               \
    }
#define GET_FAMILY1                                                                                \
    uint32_t at = (uint32_t)cells[ip[6]] - (uint32_t)ip[3];                                        \
    A = at < (uint32_t)ip[4] ? p->families[ip[2]].values[at] : ip[5]
#define EACH(name, condition)                                                                      \
    ON(name) {                                                                                     \
        LIST_IN(A);                                                                                \
        CHARGE(ip[6]);                                                                             \
        const int16_t *at = p->lists[A].at;                                                        \
        const int32_t n = p->lists[A].n, what = LEN_##name == 8 ? cells[ip[7]] : 0;                \
        (void)what;                                                                                \
        for (int32_t i = B; (uint32_t)i < (uint32_t)n; i++) {                                      \
            if (!(condition)) continue;                                                            \
            C = at[i];                                                                             \
            B = i + 1;                                                                             \
            JUMP(4);                                                                               \
        }                                                                                          \
        steps -= n;                                                                                \
        JUMP(5);                                                                                   \
    }
// Loops over lists that are known: nothing need be asked about their elements. A question about one kind of
// pieces is one about a cell, and the cells of a run of elements follow each other.
#define OCC(cell) (sum(z, (cell)) > 0)
#define FREE(cell) (sum(z, (cell)) == 0)
#define MORE(cell) (*(cell) > what)
#define OVER(name, from)                                                                           \
    ON(name) {                                                                                     \
        CHARGE(ip[6]);                                                                             \
        const List *list = &p->lists[ip[1]];                                                       \
        int32_t i = from;                                                                          \
        if ((uint32_t)i < (uint32_t)list->n) {                                                     \
            C = list->at[i];                                                                       \
            B = i + 1;                                                                             \
            JUMP(4);                                                                               \
        }                                                                                          \
        JUMP(5);                                                                                   \
    }
#define OVER_CELLS(name, from, condition)                                                          \
    ON(name) {                                                                                     \
        CHARGE(ip[6]);                                                                             \
        const int16_t *const column = quick->columns + ip[7];                                      \
        const int32_t n = p->lists[ip[1]].n, what = cells[ip[8]];                                  \
        (void)what;                                                                                \
        int32_t i = from;                                                                          \
        while ((uint32_t)i < (uint32_t)n && !condition(cells + column[i])) i++;                    \
        if ((uint32_t)i < (uint32_t)n) {                                                           \
            C = p->lists[ip[1]].at[i];                                                             \
            B = i + 1;                                                                             \
            JUMP(4);                                                                               \
        }                                                                                          \
        steps -= n;                                                                                \
        JUMP(5);                                                                                   \
    }
#define OVER_RUN(name, from, first)                                                                \
    ON(name) {                                                                                     \
        CHARGE(ip[6]);                                                                             \
        const int32_t n = ip[1], what = cells[ip[8]];                                              \
        (void)what;                                                                                \
        const int stride = KINDS == 1 ? 1 : ip[9];                                                 \
        (void)stride;                                                                              \
        const Cell *const cell = cells + ip[7];                                                    \
        const int32_t i = first(from);                                                             \
        if (i < n) {                                                                               \
            C = ip[10] + i;                                                                        \
            B = i + 1;                                                                             \
            JUMP(4);                                                                               \
        }                                                                                          \
        steps -= n;                                                                                \
        JUMP(5);                                                                                   \
    }
#define FIRST_OCC(i) first_of(cell, (int)KINDS, (int)KINDS, 0, false, i, n)
#define FIRST_FREE(i) first_of(cell, (int)KINDS, (int)KINDS, 0, true, i, n)
#define FIRST_MORE(i)                                                                              \
    (stride == 1   ? first_of(cell, 1, 1, what, false, i, n)                                       \
     : stride == 2 ? first_of(cell, 2, 1, what, false, i, n)                                       \
                   : first_of(cell, stride, 1, what, false, i, n))
#ifdef __clang__
#define UNROLLED _Pragma("unroll(5)")
#else
#define UNROLLED _Pragma("GCC unroll 5")
#endif
// Which element is chosen by chance, or -1: each one's number is written down, and the next one's over it if it is no
// candidate, so that no branch has to be foretold.
#define PICK(before, condition)                                                                    \
    {                                                                                              \
        uint8_t numbers[CANDS_MOST];                                                               \
        uint32_t many = 0;                                                                         \
        before;                                                                                    \
        UNROLLED for (int32_t i = 0; i < n; i++) {                                                 \
            numbers[many] = (uint8_t)i;                                                            \
            many += (uint32_t)(condition);                                                         \
        }                                                                                          \
        picked = many > 0 ? numbers[one_of(many, on)] : -1;                                        \
    }
// In a run that is done elsewhere: here too much is in hand for so small a loop.
#define PICKER(name, condition)                                                                    \
    static __attribute__((noinline)) int32_t name(                                                 \
        const Program *p, const Cell *cell, ptrdiff_t stride, Cell what, int32_t n, Onward *on) {  \
        const Sizes z = {(uint32_t)p->nsites, KINDS};                                              \
        int32_t picked;                                                                            \
        const Cell *here;                                                                          \
        (void)what, (void)z;                                                                       \
        PICK((void)0, (here = cell, cell += stride, condition(here)));                             \
        return picked;                                                                             \
    }
// All candidates are written down in the same way. When the game is played on by chance, and nothing else can be
// chosen, one is chosen at once.
#define CANDS(name, count, before, element, again, condition, passed, pick)                        \
    ON(name) {                                                                                     \
        const int32_t n = count;                                                                   \
        const size_t found = vm->ncandidates;                                                      \
        const int32_t decision = ip[LEN_##name - 2];                                               \
        if (steps < (n + 1L) * ip[5]) {                                                            \
            cells[ip[6]] = 0;                                                                      \
            JUMP(4);                                                                               \
        }                                                                                          \
        if (on && decision >= 0 && found == 0 && n <= CANDS_MOST && run.nlooks == 0 &&             \
            goes_on(on, CANDS_MOST)) {                                                             \
            int32_t picked;                                                                        \
            pick;                                                                                  \
            if (picked < 0) {                                                                      \
                steps -= ip[5] + (passed);                                                         \
                NEXT(name);                                                                        \
            }                                                                                      \
            clear_scratch(&p->decisions[decision], cells);                                         \
            on->played++;                                                                          \
            const int32_t i = picked;                                                              \
            B = (Cell)(again);                                                                     \
            steps = vm->budget;                                                                    \
            JUMP(LEN_##name - 1);                                                                  \
        }                                                                                          \
        if (vm->candidates_cap - found < (size_t)n ||                                              \
            found - run.base + (size_t)n > BUDGET_CANDIDATES) {                                    \
            cells[ip[6]] = 0;                                                                      \
            JUMP(4);                                                                               \
        }                                                                                          \
        Candidate *c = vm->candidates + found, *const first = c;                                   \
        const int16_t alt = (int16_t)ip[3];                                                        \
        before;                                                                                    \
        for (int32_t i = 0; i < n; i++) {                                                          \
            c->alt = alt;                                                                          \
            c->values[0] = (int16_t)(element);                                                     \
            c->weight = 1;                                                                         \
            c += (condition);                                                                      \
        }                                                                                          \
        if (c > first) B = c[-1].values[0];                                                        \
        vm->ncandidates = (size_t)(c - vm->candidates);                                            \
        steps -= (c - first + 1) * ip[5] + (passed);                                               \
        NEXT(name);                                                                                \
    }
#define LISTED const int16_t *const at = p->lists[ip[1]].at
#define CANDS_ALL(name)                                                                            \
    CANDS(name, p->lists[ip[1]].n, LISTED, at[i], p->lists[ip[1]].at[i], true, 0,                  \
          PICK((void)0, true))
// What is no list is left to the loop, as one that there is not enough time for.
#define EACH_OF const int16_t *const at = p->lists[A].at
#define CANDS_EACH(name, condition)                                                                \
    CANDS(name, is_list(p, A) ? p->lists[A].n : INT32_MAX, EACH_OF, at[i], p->lists[A].at[i],      \
          condition(at[i]), n, PICK(EACH_OF, condition(at[i])))
#define COLUMN                                                                                     \
    const int32_t what = cells[ip[8]];                                                             \
    (void)what;                                                                                    \
    const int16_t *const column = quick->columns + ip[7]
#define CANDS_CELLS(name, condition)                                                               \
    CANDS(name, p->lists[ip[1]].n, LISTED; COLUMN, at[i], p->lists[ip[1]].at[i],                   \
                                           condition(cells + column[i]), n,                        \
                                           PICK(COLUMN, condition(cells + column[i])))
#define CANDS_RUN(name, condition, picker)                                                         \
    CANDS(name, ip[1], const int32_t what = cells[ip[8]]; (void)what; const int32_t low = ip[10];  \
          const ptrdiff_t stride = ip[9]; const Cell *cell = cells + ip[7];                        \
          const Cell *here, low + i, ip[10] + i, (here = cell, cell += stride, condition(here)),   \
          n, picked = picker(p, cells + ip[7], ip[9], cells[ip[8]], n, on))
// Goes on at a place of the base code.
#define RESUME(pc)                                                                                 \
    {                                                                                              \
        ip = code + (quick->place + places * mover_of(p, cells))[pc];                              \
        GO;                                                                                        \
    }
#define BASE (quick->base[ip - code])

#endif
