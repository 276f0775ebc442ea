// The proof in three passes: the tables, each instruction by itself, and the flow. The flow pass
// follows every path and notes at each instruction what holds there: the stack's depth, the WOULD
// it is in, the decision being prepared. Paths that meet must agree.
#include "verify.h"

#include "ask.h"

#include <stdlib.h>
#include <string.h>

typedef struct Here {
    int depth;
    int would;    // pc of the innermost WOULD, or -1
    int decision; // whose candidates are being found, or -1
} Here;

typedef struct Proof {
    const Program *p;
    Here *here;   // per code word; depth -1: no path has come here
    bool *starts; // per code word: an instruction starts here
    int *work;    // places still to follow
    int nwork;
    int *first_alt; // per decision: an alternative of it, or -1
    bool *several;  // per decision: it has more than one
    const char *wrong;
    int at;
} Proof;

static bool within(int v, int n) { return v >= 0 && v < n; }

// Notes what is wrong, the first time; true if it holds.
static bool hold(Proof *proof, bool holds, const char *wrong) {
    if (!holds && !proof->wrong) proof->wrong = wrong;
    return holds;
}

// -- cells

static bool readable(const Program *p, int base, int n) {
    return base >= 0 && n >= 0 && n <= p->ncells && base <= p->ncells - n;
}

// The SYSTEM cells have instructions of their own.
static bool writable(const Program *p, int base, int n) {
    return readable(p, base, n) && (base + n <= p->system || base >= p->system + SYSTEM_CELLS);
}

// -- tables

static const char *check_layout(const Program *p) {
    if (p->ncode <= 0 || !p->code) return "no code";
    if (p->nsites < 1 || p->npieces < 0) return "no sites";
    if (p->nplayers < 1 || p->nplayers > OLDSOW_MAX_PLAYERS) return "number of players";
    if (p->ncells > BUDGET_CELLS || p->nstate > p->ncells) return "number of cells";
    if (p->npieces > p->ncells || (p->npieces && p->nsites > p->npositions / p->npieces))
        return "positions hold fewer cells than the counts";
    if (p->npositions > p->system || p->system + SYSTEM_CELLS > p->nstate)
        return "system cells outside of the state";
    if (p->scores != -1 &&
        (p->scores < p->system + SYSTEM_CELLS || p->scores + p->nplayers >= p->nstate))
        return "scores outside of the state";
    if (p->nlists > BUDGET_LISTS) return "number of lists";
    if (!p->initial) return "no initial state";
    const Cell *system = p->initial + p->system;
    if (system[CELL_AT] != 0 || system[CELL_STATUS] != OVER_NOT || system[CELL_HISTORY] != 0 ||
        !is_player(p, system[CELL_MOVER]))
        return "system cells of the initial state";
    return NULL;
}

// A track's sites lead from one to the next in order, a loop's last to its first, and no others do.
static bool good_track(const Program *p, const Track *t) {
    if (!t->next || !is_list(p, t->list) || p->lists[t->list].n == 0) return false;
    const List *sites = &p->lists[t->list];
    for (int i = 0; i < sites->n; i++) {
        if (!is_site(p, sites->at[i])) return false;
        int after = i + 1 < sites->n ? sites->at[i + 1] : t->loop ? sites->at[0] : UNSET;
        if (t->next[sites->at[i]] != after) return false;
    }
    int going = 0;
    for (int s = 0; s < p->nsites; s++) going += t->next[s] != UNSET;
    return going == sites->n - !t->loop;
}

static const char *check_tracks(const Program *p) {
    if (p->ntracks % 2 != 0) return "a track without its reverse";
    for (int i = 0; i < p->ntracks; i++) {
        if (!good_track(p, &p->tracks[i])) return "a track whose sites do not follow each other";
    }
    for (int i = 0; i < p->ntracks; i += 2) {
        if (p->tracks[i].loop != p->tracks[i + 1].loop ||
            p->lists[p->tracks[i].list].n != p->lists[p->tracks[i + 1].list].n)
            return "a track and its reverse differ";
    }
    return NULL;
}

static const char *check_values(const Program *p) {
    for (int i = 0; i < p->nlists; i++)
        if (p->lists[i].n < 0 || p->lists[i].n > CELL_MAX || (p->lists[i].n && !p->lists[i].at))
            return "a list";
    for (int i = 0; i < p->ntables; i++)
        if (p->tables[i].n < 0 || (p->tables[i].n && !p->tables[i].values)) return "a table";
    for (int i = 0; i < p->nfamilies; i++) {
        const Family *f = &p->families[i];
        if (f->dims < 1 || f->dims > FAMILY_DIMS || !f->values) return "a family";
        for (int k = 0; k < f->dims; k++)
            if (f->sizes[k] < 1) return "a family";
    }
    return NULL;
}

static bool good_dice(const Dice *d) {
    if (d->nvalues < 1 || d->nvalues > CHOOSE_VARS || d->noutcomes < 1 || !d->outcomes ||
        !d->weights)
        return false;
    uint64_t total = 0;
    for (int i = 0; i < d->noutcomes; i++) total += d->weights[i];
    return total > 0 && total <= UINT32_MAX;
}

static bool good_vars(const Program *p, int nvars, const int *cells) {
    if (nvars < 0 || nvars > CHOOSE_VARS) return false;
    for (int i = 0; i < nvars; i++)
        if (!writable(p, cells[i], 1)) return false;
    return true;
}

static const char *check_decisions(const Program *p) {
    if (p->nalternatives > INT16_MAX || p->ndecisions >= CELL_MAX || p->nthrows >= CELL_MAX)
        return "too many decisions";
    for (int i = 0; i < p->ndice; i++)
        if (!good_dice(&p->dice[i])) return "dice";
    for (int i = 0; i < p->nthrows; i++) {
        const Throw *t = &p->throws[i];
        if (!within(t->dice, p->ndice) || t->nvars > p->dice[t->dice].nvalues ||
            !good_vars(p, t->nvars, t->cells))
            return "a throw";
    }
    for (int i = 0; i < p->nalternatives; i++)
        if (!good_vars(p, p->alternatives[i].nvars, p->alternatives[i].cells))
            return "an alternative";
    for (int i = 0; i < p->ndecisions; i++)
        if (!writable(p, p->decisions[i].clear_base, p->decisions[i].clear_n))
            return "a decision's clear range";
    return NULL;
}

static const char *check_tables(const Program *p) {
    const char *wrong = check_layout(p);
    if (!wrong) wrong = check_values(p);
    if (!wrong) wrong = check_tracks(p);
    if (!wrong) wrong = check_decisions(p);
    return wrong;
}

// -- each instruction by itself

static bool target_in(const Program *p, int pc) { return within(pc, p->ncode); }

static bool good_operands(const Program *p, const int32_t *w) {
    switch ((Opcode)w[0]) {
    case OP_LOAD: return readable(p, w[1], 1);
    case OP_STORE: return writable(p, w[1], 1);
    case OP_LOADX: return is_list(p, w[1]) && readable(p, w[2], p->lists[w[1]].n);
    case OP_STOREX: return is_list(p, w[1]) && writable(p, w[2], p->lists[w[1]].n);
    case OP_FILL:
    case OP_ZERO: return writable(p, w[1], w[2]);
    case OP_JMP:
    case OP_JZ:
    case OP_JNZ:
    case OP_JZK:
    case OP_JNZK: return target_in(p, w[1]);
    case OP_RAISE: return w[1] > 0 && w[1] < DIAG_CODES;
    case OP_COUNT_SET:
    case OP_EMPTY_SET:
    case OP_LCOUNT_SET:
    case OP_PIECE_ON:
    case OP_REMOVE_SET:
    case OP_MOVE_SET:
    case OP_SOW: return is_list(p, w[1]);
    case OP_MAP: return within(w[1], p->ntables);
    case OP_FAMILY: return within(w[1], p->nfamilies);
    case OP_ITER_LIST:
        return writable(p, w[1], 1) && writable(p, w[2], 1) && writable(p, w[3], 1) &&
               target_in(p, w[4]);
    case OP_ITER_RANGE:
        return writable(p, w[1], 1) && writable(p, w[2], 1) && writable(p, w[3], 1) &&
               target_in(p, w[4]);
    case OP_ITER_CELLS:
        return readable(p, w[1], w[2]) && writable(p, w[3], 1) && writable(p, w[4], 1) &&
               target_in(p, w[5]);
    case OP_CHOOSE:
    case OP_DECIDE: return within(w[1], p->ndecisions);
    case OP_CAND:
    case OP_LOT: return within(w[1], p->nalternatives);
    case OP_THROW: return within(w[1], p->nthrows);
    case OP_COVER: return within(w[1], p->nplaces);
    case OP_SCORE: return p->scores >= 0;
    case OP_BY_SCORE: return p->scores >= 0 && (w[1] == 1 || w[1] == -1);
    case OP_WOULD: return target_in(p, w[1]) && target_in(p, w[2]);
    default: return true;
    }
}

static bool scan(Proof *proof) {
    const Program *p = proof->p;
    for (int pc = 0; pc < p->ncode; pc += 1 + op_shapes[p->code[pc]].operands) {
        proof->at = pc;
        if (!hold(proof, within(p->code[pc], OPCODES), "no such opcode")) return false;
        if (!hold(proof, pc + op_shapes[p->code[pc]].operands < p->ncode, "operands cut off"))
            return false;
        if (!hold(proof, good_operands(p, p->code + pc), "an operand out of range")) return false;
        proof->starts[pc] = true;
    }
    return true;
}

// -- the flow

// A path comes to `pc`.
static bool flow(Proof *proof, int pc, Here here) {
    if (!hold(proof, within(pc, proof->p->ncode), "the code runs out")) return false;
    if (!hold(proof, proof->starts[pc], "a jump into an instruction")) return false;
    Here *known = &proof->here[pc];
    if (known->depth < 0) {
        *known = here;
        proof->work[proof->nwork++] = pc;
        return true;
    }
    return hold(proof, known->depth == here.depth, "two stack depths at one place") &&
           hold(proof, known->would == here.would, "a path into or out of a look-ahead") &&
           hold(proof, known->decision == here.decision, "a path into or out of a decision");
}

// The depth at which decisions of this place happen: with the statements around them.
static int statement_depth(const Proof *proof, Here here) {
    return here.would < 0 ? 0 : proof->here[here.would].depth;
}

static bool flow_candidate(Proof *proof, int alternative, Here here) {
    const Program *p = proof->p;
    if (!hold(proof, here.decision >= 0, "a candidate outside of a decision")) return false;
    const Alternative *alt = &p->alternatives[alternative];
    const Decision *d = &p->decisions[here.decision];
    int *first = &proof->first_alt[here.decision];
    if (*first < 0) *first = alternative;
    if (*first != alternative) proof->several[here.decision] = true;
    for (int k = 0; proof->several[here.decision] && k < 2; k++) {
        const Alternative *one = k ? alt : &p->alternatives[*first];
        for (int i = 0; i < one->nvars; i++)
            if (!hold(proof, within(one->cells[i] - d->clear_base, d->clear_n),
                      "a value of one of several alternatives outside of the clear range"))
                return false;
    }
    Here chosen = {statement_depth(proof, here), here.would, -1};
    return flow(proof, alt->target, chosen);
}

static bool flow_decision(Proof *proof, int pc, Here *here) {
    const Program *p = proof->p;
    int d = p->code[pc + 1];
    if (!hold(proof, here->depth == statement_depth(proof, *here), "a decision within a value"))
        return false;
    if (p->code[pc] == OP_CHOOSE) {
        if (!hold(proof, here->decision < 0, "a decision within a decision")) return false;
        if (!hold(proof, p->decisions[d].pc == pc, "a decision that is elsewhere")) return false;
        here->decision = d;
        return true;
    }
    if (!hold(proof, here->decision == d, "DECIDE without its CHOOSE")) return false;
    here->decision = -1;
    return true;
}

// Follows one instruction; true if all is well.
static bool step(Proof *proof, int pc) {
    const Program *p = proof->p;
    const int32_t *w = p->code + pc;
    Opcode op = (Opcode)w[0];
    Here here = proof->here[pc], after = here;
    int pops = op == OP_FAMILY ? p->families[w[1]].dims : op_shapes[op].pops;
    int floor = here.would < 0 ? 0 : proof->here[here.would].depth;
    if (!hold(proof, here.depth - pops >= floor, "the stack runs empty")) return false;
    after.depth = here.depth - pops + op_shapes[op].pushes;
    if (!hold(proof, after.depth <= STACK_SIZE, "the stack runs over")) return false;
    int next = pc + 1 + op_shapes[op].operands;
    switch (op) {
    case OP_JMP: return flow(proof, w[1], after);
    case OP_JZ:
    case OP_JNZ: return flow(proof, w[1], after) && flow(proof, next, after);
    case OP_JZK:
    case OP_JNZK: // the value stays on the jump only
        if (!flow(proof, w[1], after)) return false;
        after.depth--;
        return flow(proof, next, after);
    case OP_ITER_LIST:
    case OP_ITER_RANGE:
    case OP_ITER_CELLS:
        return flow(proof, w[op_shapes[op].operands], after) && flow(proof, next, after);
    case OP_CHOOSE:
    case OP_DECIDE: return flow_decision(proof, pc, &after) && flow(proof, next, after);
    case OP_CAND:
    case OP_LOT: return flow_candidate(proof, w[1], here) && flow(proof, next, after);
    case OP_THROW:
        return hold(proof, here.depth == statement_depth(proof, here) && here.decision < 0,
                    "a throw within a value or a decision") &&
               flow(proof, p->throws[w[1]].target, after);
    case OP_WOULD: {
        Here copy = {here.depth, pc, -1};
        return flow(proof, next, copy) && flow(proof, w[1], copy) && flow(proof, w[2], after);
    }
    case OP_VALUE:
        return hold(proof, here.would >= 0 && here.decision < 0, "an answer nobody asked for") &&
               hold(proof, here.depth == floor + 1, "an answer with values below it");
    case OP_WIN:
    case OP_WIN_LIST:
    case OP_LOSE:
    case OP_DRAW:
    case OP_BY_SCORE:
    case OP_END: return hold(proof, here.decision < 0, "the end of the game within a decision");
    case OP_RAISE: return true;
    default: return flow(proof, next, after);
    }
}

static void prove(Proof *proof) {
    proof->wrong = check_tables(proof->p);
    if (proof->wrong || !scan(proof)) return;
    proof->at = 0;
    if (!flow(proof, 0, (Here){0, -1, -1})) return;
    while (proof->nwork > 0) {
        proof->at = proof->work[--proof->nwork];
        if (!step(proof, proof->at)) return;
    }
    for (int d = 0; d < proof->p->ndecisions; d++) { // where a waiting state comes back to
        int pc = proof->p->decisions[d].pc;
        proof->at = within(pc, proof->p->ncode) ? pc : 0;
        bool there = within(pc, proof->p->ncode) && proof->starts[pc] &&
                     proof->p->code[pc] == OP_CHOOSE && proof->p->code[pc + 1] == d;
        if (!hold(proof, there, "a decision without its CHOOSE")) return;
    }
}

const char verify_no_memory[] = "no memory for the proof";

const char *verify_program(const Program *p, int *pc, int *depths) {
    size_t words = p->ncode > 0 ? (size_t)p->ncode : 1;
    size_t decisions = p->ndecisions > 0 ? (size_t)p->ndecisions : 1;
    Proof proof = {.p = p};
    proof.here = malloc(words * sizeof *proof.here);
    proof.starts = calloc(words, sizeof *proof.starts);
    proof.work = malloc(words * sizeof *proof.work); // each place is followed once
    proof.first_alt = malloc(decisions * sizeof *proof.first_alt);
    proof.several = calloc(decisions, sizeof *proof.several);
    if (proof.here && proof.starts && proof.work && proof.first_alt && proof.several) {
        for (size_t i = 0; i < words; i++) proof.here[i].depth = -1;
        for (size_t i = 0; i < decisions; i++) proof.first_alt[i] = -1;
        prove(&proof);
        for (int i = 0; depths && i < p->ncode; i++) depths[i] = proof.here[i].depth;
    } else {
        proof.wrong = verify_no_memory;
    }
    free(proof.here);
    free(proof.starts);
    free(proof.work);
    free(proof.first_alt);
    free(proof.several);
    *pc = proof.at;
    return proof.wrong;
}
