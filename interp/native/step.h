// What a compiled game and whoever runs it share. This text stands at the head of every compiled
// game as well; it needs nothing but the C standard library.
#ifndef OLDSOW_STEP_H
#define OLDSOW_STEP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { STEP_VALUES = 6, STEP_VERSION = 4, STEP_BRANCHES = 1 << 16, STEP_ROOM = 64 };

// One thing that may be chosen: an alternative of the decision, with its values.
typedef struct StepCandidate {
    int16_t alternative;
    int16_t values[STEP_VALUES];
    uint16_t weight;
} StepCandidate;

typedef struct StepRun StepRun;

// What a compiled game asks of whoever runs it.
typedef struct StepHost {
    // Room for `n` candidates, or copies of so many cells in all. False when there is no memory.
    bool (*candidates)(StepRun *run, size_t n);
    bool (*copies)(StepRun *run, size_t cells);
    // The hash of the position, of games with so many cells that they do not work it out themselves.
    uint64_t (*hash)(const StepRun *run, const int32_t *cells);
    // Notes the position with that hash: 0 or the fault. The second tells in `times` how often it is noted now.
    int (*remember)(StepRun *run, int32_t *cells, uint64_t hash);
    int (*remember_counting)(StepRun *run, int32_t *cells, uint64_t hash);
    // How often it was noted.
    int32_t (*seen)(StepRun *run, uint64_t hash);
    size_t (*noted)(const StepRun *run);
    void (*forget)(StepRun *run, size_t noted); // all but the first `noted`
    // Whether the position was opened before at this place within this look-ahead; notes it.
    bool (*opened)(StepRun *run, const int32_t *cells, uint32_t would, int at);
    void (*open_anew)(StepRun *run);
} StepHost;

struct StepRun {
    StepCandidate *list; // `n` of them, room for `room`, which is STEP_ROOM at least
    size_t n, room;
    int32_t *saved; // copies of the cells, for look-aheads
    long steps;     // that may be taken up to the next decision; then, those left
    // Playing on: so many decisions and throws more are not told, but decided by chance. Then, those left. A decision
    // of STEP_BRANCHES candidates or more is told all the same.
    long plies, budget; // budget: steps for each of them
    struct OldsowRng *throws, *choices;
    uint64_t *
        branching; // NULL, or counts the choices that were not told by the number of their candidates; then
    uint64_t choices_made, candidates; // how many there were, the sum of their candidates,
    size_t most;                       // and the most that one had
    int fault, fault_at;
    int32_t fault_value, times;
    const StepHost *host;
    void *context; // the host's
};

// Runs from a place of the program to the next decision, throw, end or fault; gives an OldsowStatus. `at` is 0, the
// place of a decision whose candidates are to be found again, or the target of what was chosen.
typedef int Step(StepRun *run, int32_t *restrict cells, int at);

typedef struct StepPlugin {
    int version, cells;
    size_t run_size;
    uint64_t rules_hash;
    Step *step;
} StepPlugin;

#endif
