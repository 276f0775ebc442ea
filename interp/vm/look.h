// Looking ahead: what WOULD needs to come back to, one on top of the other.
//
// Part of the machine: only execute.c, look.c and vm.c use it. Owner: the buffers are the Vm's.
#ifndef OLDSOW_LOOK_H
#define OLDSOW_LOOK_H

#include "asked.h"
#include "quick.h"
#include "vm.h"

// One thing to come back to: a WOULD, or a decision within one that is tried candidate by
// candidate. The cells of look number k are saved at k * ncells.
typedef struct Look {
    int then, end;     // of a WOULD; a decision has end < 0
    uint32_t would;    // the number of the WOULD it belongs to
    int32_t endless;   // the answer of a way that is endless; INT32_MIN: that is a fault
    int32_t enough;    // no answer is better than this: the other candidates need not be tried
    int at;            // its pc
    int32_t *answer;   // the working cell for it
    size_t base;       // first candidate of the decision that was being prepared or is tried here
    size_t next, last; // of a decision: its candidates still to try are next .. last-1
    size_t noted;
    int32_t best;
} Look;

// Candidates that are not written down: those of a search at once, when the game is played on by chance and DECIDE only
// wants one of them. They stand behind all that are written, in the order of the groups; if another is to be written
// behind them, they are written before.
enum {
    GROUPS_MOST = 8,
    GROUPS_BEHIND =
        BUDGET_CANDIDATES - GROUPS_MOST * ASKED_MOST // so many that are written, at most
};
typedef struct Group {
    const AskedHead *asked;
    uint64_t mask;
    const int32_t *at;          // the instruction
    size_t until;               // how many are noted, with this group's
    int16_t held[ASKED_VALUES]; // what its values' cells held
} Group;

// What a cell held before it was written in a look-ahead that does little; see improve_look.c.
typedef struct Mark {
    Cell *cell;
    Cell was;
} Mark;

typedef struct Run {
    Vm *vm;
    Cell *cells;
    size_t
        base; // first candidate of the decision in hand; those before belong to looks further out
    long steps;
    uint32_t woulds;           // begun so far
    int ngroups, ngroups_most; // none, at most, unless the game is played on by chance
    size_t noted;              // candidates in groups: none where a look-ahead is begun
    Group groups[GROUPS_MOST];
    int nlooks;
    Keeper keeper;
    int nmarks;
    const int32_t *looking; // the LOOK in hand, on top of all looks; or NULL
    Mark marks[MARKS_MOST];
    Look looks[BUDGET_WOULD_DEPTH];
    Kept kept[BUDGET_WOULD_DEPTH]; // what each has to come back to as well
} Run;

// The first free cells of the stack of copies, or the copy of look number `look`.
Cell *saved_of(const Run *run, int look);
// A new look with a copy of the cells, or the reason why not.
DiagCode look_push(Run *run, Look look);
// Puts a candidate's values into their cells; gives the place to go on.
int take_candidate(const Program *p, Cell *cells, const Candidate *c);
// Zeroes what only the search used, so that equal positions are equal vectors.
void clear_search(const Program *p, Cell *cells, const Decision *d, const Candidate *first);
// A decision on a copy. *pc is where to go on, or -1 if this position was opened before: then it
// answers nothing new (INT32_MIN).
DiagCode look_decide(Run *run, int at, int *pc);
// An answer: gives the place to go on.
int look_answer(Run *run, int32_t value);
// The game ends on a copy: on with the `then` of the WOULD it is in.
int look_ended(Run *run, int at);
// What was marked is put back.
static inline void look_undo(Run *run) {
    while (run->nmarks > 0) {
        const Mark *m = &run->marks[--run->nmarks];
        *m->cell = m->was;
    }
}
// After a fault on a copy: the position on the table comes back.
void look_abandon(Run *run);

#endif
