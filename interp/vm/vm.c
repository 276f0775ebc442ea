#include "vm.h"

#include "buffers.h"
#include "execute.h"
#include "look.h"
#include "quick.h"
#include "seen.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

size_t vm_cells(const Program *p) { return (size_t)p->quick->nwork; }

void vm_lay_out(const Program *p, Cell *cells) {
    const struct Quick *quick = p->quick;
    size_t constants = (size_t)(p->ncells + quick->slots);
    memset(cells, 0, vm_cells(p) * sizeof *cells);
    memcpy(cells, p->initial, (size_t)p->nstate * sizeof *cells);
    if (quick->nconstants)
        memcpy(cells + constants, quick->constants, (size_t)quick->nconstants * sizeof *cells);
}

void vm_init(Vm *vm, const Program *program) {
    *vm = (Vm){.program = program, .status = OLDSOW_FAULT, .budget = BUDGET_STEPS};
}

void vm_free(Vm *vm) {
    free(vm->candidates);
    free(vm->saved);
    free(vm->history.at);
    seen_free(&vm->seen);
    vm_init(vm, vm->program);
}

OldsowStatus vm_start(Vm *vm, Cell *cells) {
    history_cut(&vm->history, 0);
    return execute(vm, cells, 0, NULL);
}

// Puts what was chosen, or thrown, into its cells; gives the place to go on.
static int take(const Program *p, Cell *cells, const Vm *other, size_t i) {
    Cell *at = &cells[p->system + CELL_AT];
    assert(i < other->ncandidates);
    assert(*at != 0);
    int pc;
    if (*at > 0) {
        pc = take_candidate(p, cells, &other->candidates[i]);
    } else {
        const Throw *t = &p->throws[-*at - 1];
        const Dice *dice = &p->dice[t->dice];
        const int16_t *outcome = dice->outcomes + i * (size_t)dice->nvalues;
        for (int k = 0; k < t->nvars; k++) cells[t->cells[k]] = outcome[k];
        pc = t->target;
    }
    *at = 0;
    return pc;
}

OldsowStatus vm_choose(Vm *vm, Cell *cells, size_t i) { return vm_choose_from(vm, cells, vm, i); }

OldsowStatus vm_choose_on(Vm *vm, Cell *cells, size_t i, Onward *on) {
    const Program *p = vm->program;
    on->played = on->choices_made = on->candidates = on->most = 0;
    return execute(vm, cells, take(p, cells, vm, i), on);
}

OldsowStatus vm_choose_from(Vm *vm, Cell *cells, const Vm *other, size_t i) {
    return execute(vm, cells, take(vm->program, cells, other, i), NULL);
}

OldsowStatus vm_refresh(Vm *vm, Cell *cells) {
    const Program *p = vm->program;
    int at = cells[p->system + CELL_AT];
    vm->ncandidates = 0;
    if (at < 0) {
        vm->ncandidates = (size_t)p->dice[p->throws[-at - 1].dice].noutcomes;
        return vm->status = OLDSOW_CHANCE;
    }
    if (at == 0) {
        assert(cells[p->system + CELL_STATUS] != OVER_NOT);
        return vm->status = OLDSOW_OVER;
    }
    cells[p->system + CELL_AT] = 0;
    return execute(vm, cells, p->decisions[at - 1].pc, NULL);
}
