// Runs a compiled game in place of the machine: execute calls native_run for games that have one.
#include "attach.h"

#include <limits.h>

#include "../vm/buffers.h"
#include "../vm/seen.h"

static Vm *vm_of(const StepRun *run) { return run->context; }

// A candidate is the same here and there; that is what lets the two share the list.
_Static_assert(sizeof(StepCandidate) == sizeof(Candidate) &&
                   offsetof(StepCandidate, alternative) == offsetof(Candidate, alt) &&
                   offsetof(StepCandidate, values) == offsetof(Candidate, values) &&
                   offsetof(StepCandidate, weight) == offsetof(Candidate, weight) &&
                   (int)STEP_VALUES == (int)CHOOSE_VARS && sizeof(Cell) == sizeof(int32_t),
               "candidates and cells of compiled games");

static bool more_candidates(StepRun *run, size_t n) {
    Vm *vm = vm_of(run);
    if (!candidates_reserve(vm, n)) return false;
    run->list = (StepCandidate *)(void *)vm->candidates;
    run->room = vm->candidates_cap;
    return true;
}

static bool more_copies(StepRun *run, size_t cells) {
    Vm *vm = vm_of(run);
    if (!saved_reserve(vm, cells)) return false;
    run->saved = vm->saved;
    return true;
}

static uint64_t hash(const StepRun *run, const int32_t *cells) {
    return hash_position(vm_of(run)->program, cells);
}

static int remember(StepRun *run, int32_t *cells, uint64_t position) {
    Vm *vm = vm_of(run);
    if (vm->history.n >= BUDGET_HISTORY) return R_HISTORY;
    run->times = history_add(&vm->history, position);
    if (run->times == 0) return R_MEMORY;
    int32_t *noted = &cells[vm->program->system + CELL_HISTORY];
    if (*noted < CELL_MAX) ++*noted;
    return 0;
}

static int remember_counting(StepRun *run, int32_t *cells, uint64_t position) {
    run->steps -= (long)(vm_of(run)->history.n / 4);
    return remember(run, cells, position);
}

static int32_t seen(StepRun *run, uint64_t position) {
    const Vm *vm = vm_of(run);
    run->steps -= (long)(vm->history.n / 4);
    return history_count(&vm->history, position);
}

static size_t noted(const StepRun *run) { return vm_of(run)->history.n; }
static void forget(StepRun *run, size_t n) { history_cut(&vm_of(run)->history, n); }
static void open_anew(StepRun *run) { seen_forget(&vm_of(run)->seen); }

static bool opened(StepRun *run, const int32_t *cells, uint32_t would, int at) {
    Vm *vm = vm_of(run);
    return seen_before(&vm->seen, cells, (size_t)vm->program->nstate, would, at);
}

static const StepHost host = {.candidates = more_candidates,
                              .copies = more_copies,
                              .hash = hash,
                              .remember = remember,
                              .remember_counting = remember_counting,
                              .seen = seen,
                              .noted = noted,
                              .forget = forget,
                              .opened = opened,
                              .open_anew = open_anew};

_Static_assert((int)ONWARD_BRANCHES == (int)STEP_BRANCHES, "room to count candidates");

OldsowStatus native_run(Vm *vm, Cell *cells, int at, Onward *on) {
    StepRun run;
    if (vm->candidates_cap < STEP_ROOM && !candidates_reserve(vm, STEP_ROOM)) {
        vm->fault = (Fault){.code = R_MEMORY, .pc = at};
        vm->ncandidates = 0;
        return vm->status = OLDSOW_FAULT;
    }
    run.list = (StepCandidate *)(void *)vm->candidates;
    run.room = vm->candidates_cap;
    run.saved = vm->saved;
    run.steps = run.budget = vm->budget;
    run.plies = 0;
    run.branching = NULL;
    if (on) {
        run.plies = on->plies < LONG_MAX ? (long)on->plies : LONG_MAX;
        run.throws = on->throws;
        run.choices = on->choices;
        run.branching = on->branching;
        run.choices_made = run.candidates = run.most = 0;
    }
    long plies = run.plies;
    run.host = &host;
    run.context = vm;
    OldsowStatus status = (OldsowStatus)vm->program->native(&run, cells, at);
    if (status == OLDSOW_FAULT)
        vm->fault = (Fault){(DiagCode)run.fault, run.fault_at, run.fault_value};
    vm->status = status;
    vm->ncandidates = run.n;
    vm->steps = run.steps;
    if (on) {
        on->played = (uint64_t)(plies - run.plies);
        if (run.branching) {
            on->choices_made = run.choices_made;
            on->candidates = run.candidates;
            on->most = run.most;
        }
    }
    return status;
}
