// The machine's loop itself, for execute.c, which includes this once for each number of kinds of pieces that it is
// compiled for. Wanted: NAMED, which makes a name of its own of a function's; KINDS, that number.

static __attribute__((noinline)) Rounds NAMED(sow_on)(const Program *p, Cell *cells,
                                                      const int32_t *ip, long steps) {
    return sow_on((Sizes){(uint32_t)p->nsites, KINDS}, p, cells, ip, steps);
}

static __attribute__((noinline)) Rounds NAMED(sow_off)(const Program *p, Cell *cells,
                                                       const int32_t *ip, long steps) {
    return sow_off((Sizes){(uint32_t)p->nsites, KINDS}, p, cells, ip, steps);
}

KEEPERS(NAMED(keep_kind), NAMED(keep_all))

static __attribute__((noinline)) int32_t NAMED(sow_off_round)(const Program *p, Cell *cells,
                                                              const int32_t *ip, long steps) {
    return sow_off_round((Sizes){(uint32_t)p->nsites, KINDS}, p, cells, ip, steps);
}

PICKER(NAMED(pick_occupied), OCC)
PICKER(NAMED(pick_empty), FREE)
PICKER(NAMED(pick_more), MORE)

static OldsowStatus NAMED(execute)(Vm *vm, Cell *const cells, int start, Onward *const on) {
    static const void *const labels[QUICK_OPS] = {
#define QOP(name, kinds) [Q_##name] = &&at_##name,
#include "quick.def"
#undef QOP
    };
    const Program *const p = vm->program;
    const struct Quick *const quick = p->quick;
    const int32_t *const code = quick->code;
    const ptrdiff_t places = quick->ncopies > 1 ? p->ncode + 1 : 0;
    const int32_t *ip = code + (quick->place + places * mover_of(p, cells))[start];
    // Kept at hand: what is written to cells might change the program, for all the compiler knows.
    const Sizes z = {(uint32_t)p->nsites, KINDS};
    DiagCode fault = FINE;
    Run run; // the looks are left as they are: nothing reads past nlooks
    run.vm = vm;
    run.cells = cells;
    run.base = 0;
    long steps = vm->budget;
    run.nlooks = 0;
    run.woulds = 0;
    run.ngroups = 0;
    run.ngroups_most = on ? GROUPS_MOST : 0;
    run.noted = 0;
    run.keeper.how = quick->keeping;
    run.keeper.kept.known = 0;
    run.nmarks = 0;
    run.looking = NULL;
    vm->ncandidates = 0;
    GO;
    SET(COPY, B);
    ON(COPY2) {
        A = B;
        C = D;
        NEXT(COPY2);
    }

    ON(STORE) {
        NEED(fits_cell(B), R_TOO_BIG);
        A = B;
        NEXT(STORE);
    }
    ON(LOADX) {
        int at = list_position(&p->lists[ip[2]], D);
        vm->fault.value = D;
        NEED(at >= 0, R_INDEX);
        A = cells[ip[3] + at];
        NEXT(LOADX);
    }
    ON(STOREX) {
        int at = list_position(&p->lists[ip[1]], D);
        vm->fault.value = D;
        NEED(at >= 0, R_INDEX);
        NEED(fits_cell(C), R_TOO_BIG);
        cells[ip[2] + at] = C;
        NEXT(STOREX);
    }
    ON(LOADRUN) {
        int32_t i = cells[ip[5]];
        uint32_t at = (uint32_t)i - (uint32_t)ip[2];
        if (__builtin_expect(at >= (uint32_t)ip[3], 0)) {
            vm->fault.value = i;
            FAULT(R_INDEX);
        }
        A = cells[(uint32_t)ip[4] + at];
        NEXT(LOADRUN);
    }
    ON(STORERUN) {
        int32_t i = cells[ip[5]];
        uint32_t at = (uint32_t)i - (uint32_t)ip[1];
        if (__builtin_expect(at >= (uint32_t)ip[2], 0)) {
            vm->fault.value = i;
            FAULT(R_INDEX);
        }
        NEED(fits_cell(D), R_TOO_BIG);
        cells[(uint32_t)ip[3] + at] = D;
        NEXT(STORERUN);
    }
    ON(CHANGE) {
        uint32_t at = (uint32_t)cells[ip[5]] - (uint32_t)ip[1];
        Cell *of = cells + (uint32_t)ip[3] + at;
        if (__builtin_expect(at >= (uint32_t)ip[2] || !fits_cell(*of + ip[4]), 0)) JUMP(6);
        *of += ip[4];
        NEXT(CHANGE);
    }
    ON(FILL) {
        int32_t v = C;
        NEED(fits_cell(v), R_TOO_BIG);
        for (int i = 0; i < ip[2]; i++) cells[ip[1] + i] = v;
        steps -= ip[2];
        NEXT(FILL);
    }
    ON(ZERO) {
        zero(cells + ip[1], ip[2]);
        steps -= (uint32_t)ip[2] / 8;
        NEXT(ZERO);
    }
    ON(ZERO_FEW) {
        zero_few(cells + ip[1], ip[2]);
        NEXT(ZERO_FEW);
    }
    ON(ZERO_SOME) {
        zero_some(cells + ip[1], ip[2]);
        NEXT(ZERO_SOME);
    }

    CHECKED(ADD, __builtin_add_overflow);
    CHECKED(SUB, __builtin_sub_overflow);
    CHECKED(MUL, __builtin_mul_overflow);
    CHECKED_TO(ADDTO, __builtin_add_overflow);
    CHECKED_TO(SUBTO, __builtin_sub_overflow);

    ON(DIV) {
        NEED(C != 0, R_DIVIDE);
        NEED(C != -1 || B != INT32_MIN, R_TOO_BIG);
        A = divide(B, C);
        NEXT(DIV);
    }
    ON(MOD) {
        NEED(C != 0, R_DIVIDE);
        A = modulo(B, C);
        NEXT(MOD);
    }

    SET(MIN, B < C ? B : C);
    SET(MAX, B > C ? B : C);
    SET(EQ, B == C);
    SET(NE, B != C);
    SET(LT, B < C);
    SET(LE, B <= C);
    SET(NOT, !B);

    ON(NEG) {
        NEED(B != INT32_MIN, R_TOO_BIG);
        A = -B;
        NEXT(NEG);
    }
    ON(ABS) {
        NEED(B != INT32_MIN, R_TOO_BIG);
        A = B < 0 ? -B : B;
        NEXT(ABS);
    }

    ON(JMP) { JUMP(1); }
    ON(JMPB) {
        CHARGE(ip[2]);
        JUMP(1);
    }

    BRANCH(JZ, 2, A == 0);
    BRANCH(JNZ, 2, A != 0);
    BRANCH(JEQ, 3, A == B);
    BRANCH(JNE, 3, A != B);
    BRANCH(JLT, 3, A < B);
    BRANCH(JLE, 3, A <= B);
    BRANCH(JOCC, 2, PIECES(A) > 0);
    BRANCH(JNOCC, 2, PIECES(A) == 0);
    BRANCH(JEMPTY, 2, IS_EMPTY(A));
    BRANCH(JNEMPTY, 2, !IS_EMPTY(A));
    BRANCH(JKIND, 3, kind_on(z, cells, A, B) > 0);
    BRANCH(JNKIND, 3, kind_on(z, cells, A, B) == 0);
    BRANCH(JSET, 3, set_on(z, cells, A, &p->lists[ip[2]]) > 0);
    BRANCH(JNSET, 3, set_on(z, cells, A, &p->lists[ip[2]]) == 0);
    ON(JIN) {
        LIST_IN(B);
        steps -= p->lists[B].n / 8;
        if (list_position(&p->lists[B], A) >= 0) JUMP(3);
        NEXT(JIN);
    }
    ON(JNIN) {
        LIST_IN(B);
        steps -= p->lists[B].n / 8;
        if (list_position(&p->lists[B], A) < 0) JUMP(3);
        NEXT(JNIN);
    }
    BRANCH(JWITHIN, 4, (uint32_t)A - (uint32_t)ip[2] < (uint32_t)ip[3]);
    BRANCH(JNWITHIN, 4, (uint32_t)A - (uint32_t)ip[2] >= (uint32_t)ip[3]);
    BRANCH(JAMONG, 5, AMONG(A, ip[2], ip + 3));
    BRANCH(JNAMONG, 5, !AMONG(A, ip[2], ip + 3));
    ON(JSOME) {
        LIST_IN(A);
        steps -= p->lists[A].n;
        if (any_on(z, cells, &p->lists[A], quick->runs[A])) JUMP(2);
        NEXT(JSOME);
    }
    ON(JNONE) {
        LIST_IN(A);
        steps -= p->lists[A].n;
        if (!any_on(z, cells, &p->lists[A], quick->runs[A])) JUMP(2);
        NEXT(JNONE);
    }
    ON(JSOMERUN) {
        steps -= ip[3];
        if (any_of(cells + ip[1], ip[2])) JUMP(4);
        NEXT(JSOMERUN);
    }
    ON(JNONERUN) {
        steps -= ip[3];
        if (!any_of(cells + ip[1], ip[2])) JUMP(4);
        NEXT(JNONERUN);
    }
    ON(STEP) {
        int32_t s = track_next(p, B, C);
        A = s;
        if (s != UNSET) JUMP(4);
        NEXT(STEP);
    }
    ON(STEPAHEAD) {
        GET_AHEAD;
        if (A != UNSET) JUMP(5);
        NEXT(STEPAHEAD);
    }
    ON(STEPALONG) {
        const int32_t at = on_board(z, B) ? quick->along[ip[3] + B] : -1;
        const List *const sites = &p->lists[ip[4]];
        const uint32_t to = (uint32_t)at + (uint32_t)cells[ip[5]];
        if (at < 0 || to >= (uint32_t)sites->n) {
            A = UNSET;
            JUMP(6);
        }
        A = sites->at[to];
        NEXT(STEPALONG);
    }
    ON(JANSWER) {
        uint32_t at = (uint32_t)A - (uint32_t)ip[2], n = (uint32_t)ip[3];
        if (quick->answers[(uint32_t)ip[4] + (at < n ? at : n)]) JUMP(5);
        NEXT(JANSWER);
    }
    BRANCH(JALL, 3, sum(z, cells + ip[1]) == B);
    BRANCH(JNALL, 3, sum(z, cells + ip[1]) != B);
    BRANCH_BACK(TJZ, 2, A == 0);
    BRANCH_BACK(TJNZ, 2, A != 0);
    BRANCH_BACK(TJEQ, 3, A == B);
    BRANCH_BACK(TJNE, 3, A != B);
    BRANCH_BACK(TJOCC, 2, PIECES(A) > 0);
    BRANCH_BACK(TJNOCC, 2, PIECES(A) == 0);
    BRANCH_BACK(TJEMPTY, 2, IS_EMPTY(A));
    BRANCH_BACK(TJNEMPTY, 2, !IS_EMPTY(A));
    ON(TICK) {
        CHARGE(ip[1]);
        NEXT(TICK);
    }
    ON(RAISE) {
        if (ip[1] == R_ENDLESS && run.nlooks > 0 &&
            run.looks[run.nlooks - 1].endless != INT32_MIN) {
            int pc;
            AWAY(pc = look_answer(&run, run.looks[run.nlooks - 1].endless));
            RESUME(pc);
        }
        FAULT((DiagCode)ip[1]);
    }

#include "execute_pieces.h"
#include "execute_searches.h"
#include "execute_turns.h"

over:
    if (run.nlooks == 0) return stop(&run, steps, OLDSOW_OVER, 0);
    {
        int pc;
        AWAY(pc = look_ended(&run, BASE));
        NEED(steps >= 0, R_WOULD_STEPS);
        RESUME(pc);
    }

failed:
    if (fault == R_STEPS && (run.nlooks > 0 || run.looking)) fault = R_WOULD_STEPS;
    // It is the WOULD that asks for too much, wherever that shows.
    if (run.nlooks == 0 && run.looking) run.looks[0].at = quick->base[run.looking - code];
    vm->fault.pc = fault == R_WOULD_STEPS || fault == R_WOULD_DEPTH ? run.looks[0].at : BASE;
    look_abandon(&run);
    vm->fault.code = fault;
    return stop(&run, steps, OLDSOW_FAULT, 0);
}
