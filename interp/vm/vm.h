// The machine: runs a program from one decision to the next.
//
// A state is a vector of vm_cells cells, the first nstate of which are the position. vm_start and vm_choose run
// until a decision, a throw, the end, or a fault. Candidates are kept in the Vm and can always be
// found again from the cells (vm_refresh). Owner: the Vm owns its buffers; the cells are the
// caller's.
//
// Look-ahead. `WOULD then end enough` saves the cells and runs on from the next instruction on the copy. A
// VALUE ends that run: the cells come back, the value is pushed, the run goes on at `end`. If the
// game ends on the copy (WIN, DRAW, BY_SCORE, END ...) the copy's run goes on at `then`, which
// works out the answer from the position at the end. A decision on the copy is tried with every
// candidate in turn and the greatest answer is taken (for truths: is there a way); a decision
// without candidates goes on as usual. A THROW is R_WOULD_CHANCE. Steps count against the same
// budget as everything between two decisions.
//
// Steps are code words: what a jump back leads through again is charged when it is taken, as are
// copies and searches through lists by their length. Code that only goes forward is bounded by the
// program, so that nothing has to be counted at each instruction.
//
// A fault leaves the cells as they were when it happened, on the copy if it happened in a
// look-ahead. The game's end keeps all cells and sets the SYSTEM cells. While the vm waits at a
// decision, the value cells of its alternatives and its clear range are zero.
#ifndef OLDSOW_VM_H
#define OLDSOW_VM_H

#include "program.h"

typedef struct Fault {
    DiagCode code; // 0 (no fault) is never R_something: check Vm.status
    int pc;
    int32_t value; // R_INDEX: the index that has no place
} Fault;

// Candidate i of a choice: alternatives[alt] with its values.
typedef struct Candidate {
    int16_t alt;
    int16_t values[CHOOSE_VARS];
    uint16_t weight; // of a lot's candidate; else 1
} Candidate;

// A position noted by REMEMBER: its hash, and the one noted last before it in the same row, numbered from 1; 0: it
// is the first there; how often it was noted up to there.
typedef struct Noted {
    uint64_t hash;
    uint32_t before, times;
} Noted;

// Positions noted, oldest first, in so many rows by the last bits of their hashes: it is most often asked
// whether there is another like this one.
enum { HISTORY_ROWS = 256 };
typedef struct History {
    Noted *at;
    uint32_t last[HISTORY_ROWS]; // noted last in each row
    size_t n, cap;
    uint64_t sum; // of the hashes: tells histories apart whatever their order
} History;

// Positions opened within the look-ahead in hand; see seen.h.
typedef struct Seen {
    struct SeenSlot *slots;
    size_t nslots, used;
    Cell *copies;
    size_t copies_cap;
    uint32_t generation;
} Seen;

typedef struct Vm {
    const Program *program;
    OldsowStatus status;
    Fault fault;
    Candidate *candidates;
    size_t ncandidates, candidates_cap;
    Cell *saved; // a stack of copies for look-ahead
    size_t saved_cap;
    History history;
    Seen seen;
    long budget;      // steps between two decisions: BUDGET_STEPS unless somebody changes it
    long steps;       // left until R_STEPS
    uint64_t *counts; // how often COVER came by each place; NULL: nobody counts. The caller's.
} Vm;

// Playing on by chance, with nobody looking on.
typedef struct Onward {
    OldsowRng *throws, *choices;
    uint64_t plies;      // at most so many after the one that was chosen
    uint64_t *branching; // NULL, or counts the choices by the number of their candidates
    // What came of it: so many of `plies` were played. If `branching` counts: how many choices it has counted, the sum
    // of their candidates, and the most one of them had.
    uint64_t played, choices_made, candidates;
    size_t most;
} Onward;
enum { ONWARD_BRANCHES = 1 << 16 }; // room in `branching`

// How many working cells there are, and what they are before vm_start: the program's initial state, zeros,
// constants.
size_t vm_cells(const Program *program);
void vm_lay_out(const Program *program, Cell *cells);
void vm_init(Vm *vm, const Program *program);
void vm_free(Vm *vm);
// Runs from the program's first instruction; cells must be as vm_lay_out leaves them.
OldsowStatus vm_start(Vm *vm, Cell *cells);
// Goes on with candidate i (of a choice) or outcome i (of a throw).
OldsowStatus vm_choose(Vm *vm, Cell *cells, size_t i);
// The same, and plays on from there. It stops where the next
// ply would be one too many, and wherever it likes.
OldsowStatus vm_choose_on(Vm *vm, Cell *cells, size_t i, Onward *on);
// The same from another machine's candidates: `cells` holds that machine's position already.
OldsowStatus vm_choose_from(Vm *vm, Cell *cells, const Vm *other, size_t i);
// Finds status and candidates of a position that waits or is over.
OldsowStatus vm_refresh(Vm *vm, Cell *cells);

#endif
