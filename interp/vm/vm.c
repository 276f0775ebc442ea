#include "vm.h"

#include "act.h"
#include "ask.h"
#include "buffers.h"
#include "look.h"
#include "seen.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

void vm_init(Vm *vm, const Program *program) {
    *vm = (Vm){.program = program, .status = OLDSOW_FAULT};
}

void vm_free(Vm *vm) {
    free(vm->candidates);
    free(vm->saved);
    free(vm->history.at);
    seen_free(&vm->seen);
    vm_init(vm, vm->program);
}

static DiagCode add_candidate(Run *run, int alternative, uint16_t weight) {
    Vm *vm = run->vm;
    if (vm->ncandidates - run->base >= BUDGET_CANDIDATES) return R_CANDIDATES;
    if (vm->ncandidates == vm->candidates_cap && !candidates_reserve(vm, vm->ncandidates + 1))
        return R_MEMORY;
    const Alternative *alt = &vm->program->alternatives[alternative];
    Candidate *c = &vm->candidates[vm->ncandidates++];
    *c = (Candidate){.alt = (int16_t)alternative, .weight = weight};
    for (int i = 0; i < alt->nvars; i++) c->values[i] = run->cells[alt->cells[i]];
    return FINE;
}

static DiagCode note_position(Run *run) {
    Vm *vm = run->vm;
    Cell *noted = &run->cells[vm->program->system + CELL_HISTORY];
    if (vm->history.n >= BUDGET_HISTORY) return R_HISTORY;
    if (!history_add(&vm->history, hash_position(vm->program, run->cells))) return R_MEMORY;
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

static OldsowStatus stop(Run *run, OldsowStatus status, size_t ncandidates) {
    run->vm->status = status;
    run->vm->ncandidates = ncandidates;
    run->vm->steps = run->steps;
    return status;
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

static int32_t list_count(const Program *p, const Cell *cells, const List *sites,
                          const List *kinds) {
    int32_t n = 0;
    for (int i = 0; i < sites->n; i++)
        n += kinds ? count_set(p, cells, sites->at[i], kinds) : count_all(p, cells, sites->at[i]);
    return n;
}

static int32_t list_count_kind(const Program *p, const Cell *cells, const List *sites,
                               int32_t kind) {
    int32_t n = 0;
    for (int i = 0; i < sites->n; i++) n += count_kind(p, cells, sites->at[i], kind);
    return n;
}

// The length of each instruction in code words.
enum {
#define OP(name, operands, pops, pushes) LEN_##name = 1 + (operands),
#include "opcodes.def"
#undef OP
};

// The loop. `ip` stays at the opcode until the instruction is done, so that a fault knows its
// place.
#define NEXT(name)                                                                                 \
    {                                                                                              \
        ip += LEN_##name;                                                                          \
        continue;                                                                                  \
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
#define JUMP(target)                                                                               \
    {                                                                                              \
        const int32_t *to = code + (target);                                                       \
        if (to <= ip) {                                                                            \
            run.steps -= ip - to + 1;                                                              \
            if (__builtin_expect(run.steps < 0, 0)) FAULT(R_STEPS);                                \
        }                                                                                          \
        ip = to;                                                                                   \
        continue;                                                                                  \
    }
#define CHECKED(name, builtin)                                                                     \
    case OP_##name: {                                                                              \
        int32_t result;                                                                            \
        NEED(!builtin(sp[-2], sp[-1], &result), R_TOO_BIG);                                        \
        sp--;                                                                                      \
        sp[-1] = result;                                                                           \
        NEXT(name);                                                                                \
    }
#define COMPARE(name, operator)                                                                    \
    case OP_##name:                                                                                \
        sp--;                                                                                      \
        sp[-1] = sp[-1] operator sp[0];                                                            \
        NEXT(name)

static OldsowStatus execute(Vm *vm, Cell *const cells, int start) {
    const Program *const p = vm->program;
    const int32_t *const code = p->code;
    const int32_t *ip = code + start;
    int32_t stack[STACK_SIZE];
    int32_t *sp = stack; // the next free place
    DiagCode fault = FINE;
    Run run; // the looks are left as they are: nothing reads past nlooks
    run.vm = vm;
    run.cells = cells;
    run.base = 0;
    run.steps = BUDGET_STEPS;
    run.nlooks = 0;
    run.woulds = 0;
    vm->ncandidates = 0;

    for (;;) {
        switch ((Opcode)*ip) {
        case OP_PUSH: *sp++ = ip[1]; NEXT(PUSH);
        case OP_POP: sp--; NEXT(POP);
        case OP_LOAD: *sp++ = cells[ip[1]]; NEXT(LOAD);
        case OP_STORE:
            NEED(fits_cell(sp[-1]), R_TOO_BIG);
            cells[ip[1]] = (Cell) * --sp;
            NEXT(STORE);
        case OP_LOADX: {
            int at = list_position(&p->lists[ip[1]], sp[-1]);
            vm->fault.value = sp[-1];
            NEED(at >= 0, R_INDEX);
            sp[-1] = cells[ip[2] + at];
            NEXT(LOADX);
        }
        case OP_STOREX: {
            int at = list_position(&p->lists[ip[1]], sp[-1]);
            vm->fault.value = sp[-1];
            NEED(at >= 0, R_INDEX);
            NEED(fits_cell(sp[-2]), R_TOO_BIG);
            cells[ip[2] + at] = (Cell)sp[-2];
            sp -= 2;
            NEXT(STOREX);
        }
        case OP_FILL:
            NEED(fits_cell(sp[-1]), R_TOO_BIG);
            sp--;
            for (int i = 0; i < ip[2]; i++) cells[ip[1] + i] = (Cell)*sp;
            run.steps -= ip[2];
            NEXT(FILL);
        case OP_ZERO:
            memset(cells + ip[1], 0, (size_t)ip[2] * sizeof *cells);
            run.steps -= ip[2] / 8;
            NEXT(ZERO);

            CHECKED(ADD, __builtin_add_overflow);
            CHECKED(SUB, __builtin_sub_overflow);
            CHECKED(MUL, __builtin_mul_overflow);
        case OP_DIV:
            NEED(sp[-1] != 0, R_DIVIDE);
            NEED(sp[-1] != -1 || sp[-2] != INT32_MIN, R_TOO_BIG);
            sp--;
            sp[-1] = divide(sp[-1], sp[0]);
            NEXT(DIV);
        case OP_MOD:
            NEED(sp[-1] != 0, R_DIVIDE);
            sp--;
            sp[-1] = modulo(sp[-1], sp[0]);
            NEXT(MOD);
        case OP_NEG:
            NEED(sp[-1] != INT32_MIN, R_TOO_BIG);
            sp[-1] = -sp[-1];
            NEXT(NEG);
        case OP_ABS:
            NEED(sp[-1] != INT32_MIN, R_TOO_BIG);
            if (sp[-1] < 0) sp[-1] = -sp[-1];
            NEXT(ABS);
        case OP_MIN:
            sp--;
            if (sp[0] < sp[-1]) sp[-1] = sp[0];
            NEXT(MIN);
        case OP_MAX:
            sp--;
            if (sp[0] > sp[-1]) sp[-1] = sp[0];
            NEXT(MAX);
            COMPARE(EQ, ==);
            COMPARE(NE, !=);
            COMPARE(LT, <);
            COMPARE(LE, <=);
            COMPARE(GT, >);
            COMPARE(GE, >=);
        case OP_NOT: sp[-1] = !sp[-1]; NEXT(NOT);

        case OP_JMP: JUMP(ip[1]);
        case OP_JZ:
            if (*--sp == 0) JUMP(ip[1]);
            NEXT(JZ);
        case OP_JNZ:
            if (*--sp != 0) JUMP(ip[1]);
            NEXT(JNZ);
        case OP_JZK:
            if (sp[-1] == 0) JUMP(ip[1]);
            sp--;
            NEXT(JZK);
        case OP_JNZK:
            if (sp[-1] != 0) JUMP(ip[1]);
            sp--;
            NEXT(JNZK);
        case OP_RAISE:
            if (ip[1] == R_ENDLESS && run.nlooks > 0 &&
                run.looks[run.nlooks - 1].endless != INT32_MIN) {
                ip = code + look_answer(&run, run.looks[run.nlooks - 1].endless, &sp);
                continue;
            }
            FAULT((DiagCode)ip[1]);

        case OP_COUNT: sp[-1] = count_all(p, cells, sp[-1]); NEXT(COUNT);
        case OP_COUNT_KIND:
            sp--;
            sp[-1] = count_kind(p, cells, sp[-1], sp[0]);
            NEXT(COUNT_KIND);
        case OP_COUNT_SET: sp[-1] = count_set(p, cells, sp[-1], &p->lists[ip[1]]); NEXT(COUNT_SET);
        case OP_OCCUPIED: sp[-1] = count_all(p, cells, sp[-1]) > 0; NEXT(OCCUPIED);
        case OP_EMPTY: sp[-1] = is_site(p, sp[-1]) && count_all(p, cells, sp[-1]) == 0; NEXT(EMPTY);
        case OP_EMPTY_KIND:
            sp--;
            sp[-1] = is_site(p, sp[-1]) && count_kind(p, cells, sp[-1], sp[0]) == 0;
            NEXT(EMPTY_KIND);
        case OP_EMPTY_SET:
            sp[-1] = is_site(p, sp[-1]) && count_set(p, cells, sp[-1], &p->lists[ip[1]]) == 0;
            NEXT(EMPTY_SET);
        case OP_LCOUNT:
            NEED(is_list(p, sp[-1]), R_UNSET);
            run.steps -= p->lists[sp[-1]].n;
            sp[-1] = list_count(p, cells, &p->lists[sp[-1]], NULL);
            NEXT(LCOUNT);
        case OP_LCOUNT_KIND:
            NEED(is_list(p, sp[-2]), R_UNSET);
            sp--;
            run.steps -= p->lists[sp[-1]].n;
            sp[-1] = list_count_kind(p, cells, &p->lists[sp[-1]], sp[0]);
            NEXT(LCOUNT_KIND);
        case OP_LCOUNT_SET:
            NEED(is_list(p, sp[-1]), R_UNSET);
            run.steps -= p->lists[sp[-1]].n * (p->lists[ip[1]].n + 1);
            sp[-1] = list_count(p, cells, &p->lists[sp[-1]], &p->lists[ip[1]]);
            NEXT(LCOUNT_SET);
        case OP_PIECE_ON: sp[-1] = piece_on(p, cells, sp[-1], &p->lists[ip[1]]); NEXT(PIECE_ON);
        case OP_MAP: sp[-1] = table_at(&p->tables[ip[1]], sp[-1]); NEXT(MAP);
        case OP_FAMILY: {
            const Family *family = &p->families[ip[1]];
            sp -= family->dims;
            *sp = family_at(family, sp);
            sp++;
            NEXT(FAMILY);
        }
        case OP_NEXT:
            sp--;
            sp[-1] = track_next(p, sp[-1], sp[0]);
            NEXT(NEXT);
        case OP_AHEAD:
            if (is_track(p, sp[-2])) run.steps -= p->lists[p->tracks[sp[-2]].list].n;
            sp -= 2;
            sp[-1] = track_ahead(p, sp[-1], sp[0], sp[1]);
            NEXT(AHEAD);
        case OP_NTH: {
            NEED(is_list(p, sp[-2]), R_UNSET);
            sp--;
            const List *list = &p->lists[sp[-1]];
            uint32_t at = (uint32_t)sp[0] - 1u;
            sp[-1] = at < (uint32_t)list->n ? list->at[at] : UNSET;
            NEXT(NTH);
        }
        case OP_INDEX:
            NEED(is_list(p, sp[-1]), R_UNSET);
            sp--;
            run.steps -= p->lists[sp[0]].n / 8;
            sp[-1] = list_position(&p->lists[sp[0]], sp[-1]) + 1;
            NEXT(INDEX);
        case OP_SIZE:
            NEED(is_list(p, sp[-1]), R_UNSET);
            sp[-1] = p->lists[sp[-1]].n;
            NEXT(SIZE);
        case OP_IN:
            NEED(is_list(p, sp[-1]), R_UNSET);
            sp--;
            run.steps -= p->lists[sp[0]].n / 8;
            sp[-1] = list_position(&p->lists[sp[0]], sp[-1]) >= 0;
            NEXT(IN);

        case OP_PUT:
            TRY(put_pieces(p, cells, sp[-3], sp[-2], sp[-1]));
            sp -= 3;
            NEXT(PUT);
        case OP_REMOVE:
            TRY(remove_pieces(p, cells, sp[-3], sp[-2], sp[-1]));
            sp -= 3;
            NEXT(REMOVE);
        case OP_REMOVE_ALL:
            TRY(remove_set(p, cells, NULL, sp[-1]));
            sp--;
            NEXT(REMOVE_ALL);
        case OP_REMOVE_SET:
            TRY(remove_set(p, cells, &p->lists[ip[1]], sp[-1]));
            sp--;
            NEXT(REMOVE_SET);
        case OP_REMOVE_KIND:
            TRY(remove_pieces(p, cells, count_kind(p, cells, sp[-1], sp[-2]), sp[-2], sp[-1]));
            sp -= 2;
            NEXT(REMOVE_KIND);
        case OP_MOVE:
            TRY(move_pieces(p, cells, sp[-4], sp[-3], sp[-2], sp[-1]));
            sp -= 4;
            NEXT(MOVE);
        case OP_MOVE_ALL:
            TRY(move_set(p, cells, NULL, sp[-2], sp[-1]));
            sp -= 2;
            NEXT(MOVE_ALL);
        case OP_MOVE_SET:
            TRY(move_set(p, cells, &p->lists[ip[1]], sp[-2], sp[-1]));
            sp -= 2;
            NEXT(MOVE_SET);
        case OP_MOVE_KIND:
            TRY(move_pieces(p, cells, count_kind(p, cells, sp[-2], sp[-3]), sp[-3], sp[-2],
                            sp[-1]));
            sp -= 3;
            NEXT(MOVE_KIND);
        case OP_SOW:
            sp--;
            TRY(sow_lifted(&run, &p->lists[ip[1]], &sp[-1], sp[0]));
            NEXT(SOW);

        case OP_ITER_LIST: {
            NEED(is_list(p, cells[ip[1]]), R_UNSET);
            const List *list = &p->lists[cells[ip[1]]];
            int i = cells[ip[2]];
            if ((uint32_t)i >= (uint32_t)list->n) JUMP(ip[4]);
            cells[ip[3]] = list->at[i];
            cells[ip[2]] = (Cell)(i + 1);
            NEXT(ITER_LIST);
        }
        case OP_ITER_RANGE: {
            Cell n = cells[ip[1]];
            if (n > cells[ip[2]]) JUMP(ip[4]);
            cells[ip[3]] = n;
            if (n < CELL_MAX)
                cells[ip[1]] = (Cell)(n + 1);
            else
                cells[ip[2]] =
                    CELL_MAX - 1; // no cell holds the number after: the end comes down instead
            NEXT(ITER_RANGE);
        }
        case OP_ITER_CELLS: {
            int i = cells[ip[3]];
            if ((uint32_t)i >= (uint32_t)ip[2]) JUMP(ip[5]);
            cells[ip[4]] = cells[ip[1] + i];
            cells[ip[3]] = (Cell)(i + 1);
            NEXT(ITER_CELLS);
        }

        case OP_CHOOSE: vm->ncandidates = run.base; NEXT(CHOOSE);
        case OP_CAND: TRY(add_candidate(&run, ip[1], 1)); NEXT(CAND);
        case OP_LOT:
            NEED(sp[-1] >= 0, R_NEGATIVE);
            NEED(sp[-1] <= CELL_MAX, R_TOO_BIG);
            sp--;
            if (*sp > 0) TRY(add_candidate(&run, ip[1], (uint16_t)*sp));
            NEXT(LOT);
        case OP_DECIDE: {
            size_t found = vm->ncandidates - run.base;
            if (found == 0) NEXT(DECIDE);
            clear_search(p, cells, &p->decisions[ip[1]], vm->candidates + run.base, found);
            if (run.nlooks == 0) {
                cells[p->system + CELL_AT] = (Cell)(ip[1] + 1);
                return stop(&run, p->decisions[ip[1]].chance ? OLDSOW_CHANCE : OLDSOW_CHOICE,
                            found);
            }
            NEED(!p->decisions[ip[1]].chance, R_WOULD_CHANCE);
            int pc;
            TRY(look_decide(&run, (int)(ip - code), sp, &pc));
            if (pc < 0) pc = look_answer(&run, INT32_MIN, &sp);
            NEED(run.steps >= 0, R_WOULD_STEPS);
            ip = code + pc;
            continue;
        }
        case OP_THROW:
            NEED(run.nlooks == 0, R_WOULD_CHANCE);
            cells[p->system + CELL_AT] = (Cell)(-ip[1] - 1);
            return stop(&run, OLDSOW_CHANCE, (size_t)p->dice[p->throws[ip[1]].dice].noutcomes);

        case OP_NEXT_PLAYER:
            NEED(is_player(p, sp[-1]), R_UNSET);
            sp[-1] = next_player(p, cells, sp[-1]);
            NEXT(NEXT_PLAYER);
        case OP_PLAYING:
            NEED(is_player(p, sp[-1]), R_UNSET);
            sp[-1] = !(cells[p->system + CELL_RETIRED] >> sp[-1] & 1);
            NEXT(PLAYING);
        case OP_RETIRE: {
            NEED(is_player(p, sp[-1]), R_UNSET);
            Cell *retired = &cells[p->system + CELL_RETIRED];
            *retired = (Cell)(*retired | 1 << *--sp);
            NEXT(RETIRE);
        }
        case OP_SET_MOVER:
            NEED(is_player(p, sp[-1]), R_UNSET);
            cells[p->system + CELL_MOVER] = (Cell) * --sp;
            NEXT(SET_MOVER);

        case OP_WIN:
        case OP_LOSE: {
            NEED(is_player(p, sp[-1]), R_UNSET);
            int one = 1 << sp[-1], others = ((1 << p->nplayers) - 1) & ~one;
            bool won = *ip == OP_WIN;
            end_game(p, cells, OVER_DECIDED, won ? one : others, won ? others : one);
            goto over;
        }
        case OP_WIN_LIST:
            NEED(is_list(p, sp[-1]), R_UNSET);
            TRY(end_won_by(p, cells, &p->lists[sp[-1]]));
            goto over;
        case OP_DRAW: end_game(p, cells, OVER_DRAWN, 0, 0); goto over;
        case OP_SCORE:
            TRY(score(p, cells, sp[-2], sp[-1]));
            sp -= 2;
            NEXT(SCORE);
        case OP_BY_SCORE: end_by_score(p, cells, ip[1]); goto over;
        case OP_END: end_game(p, cells, OVER_UNDECIDED, 0, 0); goto over;

        case OP_WOULD:
            TRY(look_push(&run, (Look){.then = ip[1],
                                       .end = ip[2],
                                       .enough = ip[3],
                                       .endless = ip[4],
                                       .sp = sp,
                                       .base = run.base}));
            run.base = vm->ncandidates;
            NEXT(WOULD);
        case OP_VALUE:
            ip = code + look_answer(&run, sp[-1], &sp);
            NEED(run.steps >= 0, R_WOULD_STEPS);
            continue;

        case OP_COVER:
            if (vm->counts) vm->counts[ip[1]]++;
            NEXT(COVER);
        case OP_REMEMBER: TRY(note_position(&run)); NEXT(REMEMBER);
        case OP_SEEN: *sp++ = seen_position(&run); NEXT(SEEN);

        case OPCODES: break;
        }
        abort(); // no such opcode: the program was not verified

    over:
        if (run.nlooks == 0) return stop(&run, OLDSOW_OVER, 0);
        ip = code + look_ended(&run, (int)(ip - code), &sp);
        if (run.steps < 0) FAULT(R_WOULD_STEPS);
    }

failed:
    if (fault == R_STEPS && run.nlooks > 0) fault = R_WOULD_STEPS;
    // It is the WOULD that asks for too much, wherever that shows.
    if (fault == R_WOULD_STEPS || fault == R_WOULD_DEPTH) ip = code + run.looks[0].at;
    look_abandon(&run);
    vm->fault.code = fault;
    vm->fault.pc = (int)(ip - code);
    return stop(&run, OLDSOW_FAULT, 0);
}

#undef NEXT
#undef FAULT
#undef TRY
#undef NEED
#undef JUMP
#undef CHECKED
#undef COMPARE

OldsowStatus vm_start(Vm *vm, Cell *cells) {
    history_cut(&vm->history, 0);
    return execute(vm, cells, 0);
}

OldsowStatus vm_choose(Vm *vm, Cell *cells, size_t i) { return vm_choose_from(vm, cells, vm, i); }

OldsowStatus vm_choose_from(Vm *vm, Cell *cells, const Vm *other, size_t i) {
    const Program *p = vm->program;
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
    return execute(vm, cells, pc);
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
    return execute(vm, cells, p->decisions[at - 1].pc);
}
