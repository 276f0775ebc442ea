#include "look.h"

#include "act.h"
#include "buffers.h"
#include "seen.h"

#include <assert.h>
#include <string.h>

static size_t cells_size(const Program *p) { return (size_t)p->ncells * sizeof(Cell); }

Cell *saved_of(const Run *run, int look) {
    return run->vm->saved + (size_t)look * (size_t)run->vm->program->ncells;
}

DiagCode look_push(Run *run, Look look) {
    const Program *p = run->vm->program;
    if (run->nlooks == BUDGET_WOULD_DEPTH) return R_WOULD_DEPTH;
    if (!saved_reserve(run->vm, (size_t)(run->nlooks + 1) * (size_t)p->ncells)) return R_MEMORY;
    memcpy(saved_of(run, run->nlooks), run->cells, cells_size(p));
    run->steps -= p->ncells / 8 + 1;
    look.noted = run->vm->history.n;
    if (run->keeper.how) run->kept[run->nlooks] = run->keeper.kept;
    if (look.end >= 0) {
        if (run->nlooks == 0) seen_forget(&run->vm->seen);
        look.would = ++run->woulds;
    } else {
        look.would = run->looks[run->nlooks - 1].would;
        look.enough = run->looks[run->nlooks - 1].enough;
        look.endless = run->looks[run->nlooks - 1].endless;
    }
    run->looks[run->nlooks++] = look;
    return FINE;
}

static void look_restore(Run *run, const Look *look) {
    memcpy(run->cells, saved_of(run, (int)(look - run->looks)), cells_size(run->vm->program));
    history_cut(&run->vm->history, look->noted);
    if (run->keeper.how) run->keeper.kept = run->kept[look - run->looks];
}

int take_candidate(const Program *p, Cell *cells, const Candidate *c) {
    const Alternative *alt = &p->alternatives[c->alt];
    for (int i = 0; i < alt->nvars; i++) cells[alt->cells[i]] = c->values[i];
    return alt->target;
}

void clear_search(const Program *p, Cell *cells, const Decision *d, const Candidate *first) {
    for (int i = 0; i < d->clear_n; i++) cells[d->clear_base + i] = 0;
    // The values of several alternatives are all in the clear range: the verifier insists.
    const Alternative *alt = &p->alternatives[first->alt];
    for (int k = 0; k < alt->nvars; k++) cells[alt->cells[k]] = 0;
}

// A decision on a copy. Its first candidate is taken at once; the others follow when that one's
// answer is known. A single candidate needs no coming back.
DiagCode look_decide(Run *run, int at, int *pc) {
    Vm *vm = run->vm;
    Candidate first = vm->candidates[run->base];
    if (vm->ncandidates - run->base > 1) {
        // What a position gives does not depend on how it came about: each is opened once.
        const Program *p = vm->program;
        uint32_t would = run->looks[run->nlooks - 1].would;
        if (!p->remembers && seen_before(&vm->seen, run->cells, (size_t)p->nstate, would, at)) {
            vm->ncandidates = run->base;
            *pc = -1;
            return FINE;
        }
        DiagCode code = look_push(run, (Look){.end = -1,
                                              .at = at,
                                              .base = run->base,
                                              .next = run->base + 1,
                                              .last = vm->ncandidates,
                                              .best = INT32_MIN});
        if (code) return code;
        run->base = vm->ncandidates;
    }
    vm->ncandidates = run->base;
    *pc = take_candidate(vm->program, run->cells, &first);
    // Deciding again and again without a jump back is a loop all the same.
    if (*pc <= at) run->steps -= at - *pc + 1;
    return FINE;
}

// An answer. Either a decision has another candidate to try, or the answer goes further out, at
// last to the WOULD.
int look_answer(Run *run, int32_t value) {
    Vm *vm = run->vm;
    for (;;) {
        assert(run->nlooks > 0);
        Look *look = &run->looks[run->nlooks - 1];
        if (look->end >= 0) {
            look_restore(run, look);
            vm->ncandidates = run->base;
            run->base = look->base;
            run->nlooks--;
            *look->answer = value == INT32_MIN ? 0 : value; // no line of play came to an end
            return look->end;
        }
        if (value > look->best) look->best = value;
        if (value < look->enough && look->next < look->last) {
            look_restore(run, look);
            vm->ncandidates = run->base = look->last;
            int pc = take_candidate(vm->program, run->cells, &vm->candidates[look->next++]);
            run->steps -= vm->program->ncells / 8 + 1;
            run->steps -= pc > look->at ? pc - look->at : look->at - pc;
            return pc;
        }
        value = look->best;
        vm->ncandidates = run->base = look->base;
        run->nlooks--;
    }
}

int look_ended(Run *run, int at) {
    int k = run->nlooks - 1;
    while (run->looks[k].end < 0) k--;
    int pc = run->looks[k].then;
    if (pc <= at) run->steps -= at - pc + 1;
    return pc;
}

void look_abandon(Run *run) {
    look_undo(run);
    if (run->nlooks > 0) look_restore(run, &run->looks[0]);
}
