#include "pack.h"

#include "vm.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

enum { CELL_BITS = 16, START_STEPS = 100000 };

static CellRange range(Cell low, Cell high) {
    unsigned bits = 0;
    while ((high - low) >> bits) bits++;
    return (CellRange){low, bits};
}

static void set(CellRange *ranges, int from, int n, CellRange r) {
    for (int i = 0; i < n; i++) ranges[from + i] = r;
}

static CellRange range_of(const Program *p, ValueType type) {
    switch (type) {
    case VALUE_NUMBER: break;
    case VALUE_TRUTH: return range(UNSET, 1);
    case VALUE_SITE: return range(UNSET, p->nsites - 1);
    case VALUE_PLAYER: return range(UNSET, p->nplayers - 1);
    case VALUE_PIECE: return range(UNSET, p->npieces - 1);
    case VALUE_WORD: return range(UNSET, p->nwords - 1);
    case VALUE_DIRECTION: return range(UNSET, p->ndirections - 1);
    case VALUE_TRACK: return range(UNSET, p->ntracks - 1);
    }
    return (CellRange){CELL_MIN - 1, CELL_BITS};
}

// True if pieces come from nowhere only in the part before `play`, and nobody decides there.
static bool lays_out_first(const Program *p) {
    for (int pc = 0; pc < p->ncode; pc += 1 + op_shapes[p->code[pc]].operands) {
        int op = p->code[pc];
        bool decides = op == OP_CHOOSE || op == OP_THROW;
        if (op == OP_PUT ? pc >= p->play : decides && pc < p->play) return false;
    }
    return true;
}

// Adds up the pieces of each kind where the first decision is, or the game's end. False if it is not reached.
static bool count_pieces(const Program *p, Cell *cells, long *totals) {
    Vm vm;
    vm_init(&vm, p);
    vm.budget = START_STEPS;
    vm_lay_out(p, cells);
    bool ok = vm_start(&vm, cells) != OLDSOW_FAULT;
    vm_free(&vm);
    for (int s = 0; s < p->nsites; s++)
        for (int k = 0; k < p->npieces; k++) totals[k] += cells[s * p->npieces + k];
    return ok;
}

static void bound_counts(const Program *p, CellRange *ranges, Arena *arena) {
    long *totals = arena_array(arena, (size_t)p->npieces + 1, sizeof *totals);
    Cell *cells = arena_array(arena, vm_cells(p), sizeof *cells);
    bool known = lays_out_first(p) && count_pieces(p, cells, totals);
    for (int s = 0; s < p->nsites; s++)
        for (int k = 0; k < p->npieces; k++)
            ranges[s * p->npieces + k] =
                range(0, known && totals[k] < CELL_MAX ? (Cell)totals[k] : CELL_MAX);
}

static void bound_system(const Program *p, CellRange *ranges) {
    CellRange players = range(0, (1 << p->nplayers) - 1);
    CellRange *system = ranges + p->system;
    system[CELL_MOVER] = range(0, p->nplayers - 1);
    system[CELL_AT] = range(-p->nthrows, p->ndecisions);
    system[CELL_STATUS] = range(0, OVER_UNDECIDED);
    system[CELL_WINNERS] = system[CELL_LOSERS] = system[CELL_RETIRED] = players;
    system[CELL_HISTORY] = range(0, p->remembers ? CELL_MAX : 0);
    if (p->scores >= 0) ranges[p->scores + p->nplayers] = players;
}

void pack_plan(Program *p, Arena *arena) {
    CellRange *ranges = arena_array(arena, (size_t)p->nstate, sizeof *ranges);
    set(ranges, 0, p->nstate, (CellRange){CELL_MIN - 1, CELL_BITS});
    bound_counts(p, ranges, arena);
    for (int i = 0; i < p->nvariables; i++) {
        const Variable *v = &p->variables[i];
        set(ranges, v->cell, v->n, range_of(p, v->type));
    }
    bound_system(p, ranges);
    size_t bits = 0;
    for (int i = 0; i < p->nstate; i++) bits += ranges[i].bits;
    struct Packing *packing = arena_alloc(arena, sizeof *packing);
    *packing = (struct Packing){ranges, (bits + 7) / 8};
    p->packing = packing;
}

void pack(const Program *p, const Cell *cells, unsigned char *bytes) {
    const CellRange *ranges = p->packing->ranges;
    uint64_t waiting = 0; // the bits that do not fill a byte yet
    unsigned n = 0;
    for (int i = 0; i < p->nstate; i++) {
        uint32_t value = (uint32_t)(cells[i] - ranges[i].low);
        assert(value >> ranges[i].bits == 0);
        waiting |= (uint64_t)value << n;
        for (n += ranges[i].bits; n >= 8; n -= 8) {
            *bytes++ = (unsigned char)waiting;
            waiting >>= 8;
        }
    }
    if (n > 0) *bytes = (unsigned char)waiting;
}
