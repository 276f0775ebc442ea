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

    SET(COUNT, PIECES(B));
    SET(COUNT_KIND, kind_on(z, cells, B, C));
    SET(COUNT_SET, set_on(z, cells, C, &p->lists[ip[2]]));
    SET(OCCUPIED, PIECES(B) > 0);
    SET(EMPTY, IS_EMPTY(B));
    SET(EMPTY_KIND, on_board(z, B) && kind_on(z, cells, B, C) == 0);
    SET(EMPTY_SET, on_board(z, C) && set_on(z, cells, C, &p->lists[ip[2]]) == 0);

    ON(LCOUNT) {
        LIST_IN(B);
        steps -= p->lists[B].n;
        int32_t run_from = quick->runs[B], n = 0;
        if (run_from >= 0) {
            const Cell *here = cells + (uint32_t)run_from * z.kinds;
            for (uint32_t k = (uint32_t)p->lists[B].n * z.kinds; k > 0; k--) n += *here++;
        } else {
            n = all_on(z, cells, &p->lists[B]);
        }
        A = n;
        NEXT(LCOUNT);
    }
    ON(SOMERUN) {
        steps -= ip[4];
        A = any_of(cells + ip[2], ip[3]);
        NEXT(SOMERUN);
    }
    ON(LCOUNT_KIND) {
        LIST_IN(B);
        steps -= p->lists[B].n;
        const List *sites = &p->lists[B];
        int32_t n = 0;
        for (int i = 0; i < sites->n; i++) n += kind_on(z, cells, sites->at[i], C);
        A = n;
        NEXT(LCOUNT_KIND);
    }
    ON(LCOUNT_SET) {
        LIST_IN(C);
        steps -= p->lists[C].n * (p->lists[ip[2]].n + 1);
        const List *sites = &p->lists[C];
        int32_t n = 0;
        for (int i = 0; i < sites->n; i++) n += set_on(z, cells, sites->at[i], &p->lists[ip[2]]);
        A = n;
        NEXT(LCOUNT_SET);
    }

    SET(PIECE_ON, first_on(z, cells, C, &p->lists[ip[2]]));
    SET(PIECE_FIRST, first_of_all(z, cells, B));
    SET(PIECE_IS, kind_on(z, cells, C, ip[2]) > 0 ? ip[2] : UNSET);
    SET(MAP, table_at(&p->tables[ip[2]], C));

    GET(FAMILY1, GET_FAMILY1);
    SET(FAMILY2, family_at2(&p->families[ip[2]], C, D));

    ON(FAMILY3) {
        int32_t v[] = {C, D, cells[ip[5]]};
        A = family_at(&p->families[ip[2]], v);
        NEXT(FAMILY3);
    }

    GET(NEXT, GET_NEXT);
    GET(AHEAD, GET_AHEAD);
    GET_ASK_ALL(NEXT, GET_NEXT, 4);
    GET_ASK_ALL(TNEXT, GET_NEXT; CHARGE(ip[5]), 4);
    GET_ASK_ALL(AHEAD, GET_AHEAD, 5);
    GET_ASK_ALL(FAMILY1, GET_FAMILY1, 7);
    ON(NTH) {
        LIST_IN(B);
        const List *list = &p->lists[B];
        uint32_t at = (uint32_t)C - 1u;
        A = at < (uint32_t)list->n ? list->at[at] : UNSET;
        NEXT(NTH);
    }
    ON(INDEX) {
        LIST_IN(C);
        steps -= p->lists[C].n / 8;
        A = list_position(&p->lists[C], B) + 1;
        NEXT(INDEX);
    }
    ON(SIZE) {
        LIST_IN(B);
        A = p->lists[B].n;
        NEXT(SIZE);
    }
    ON(IN) {
        LIST_IN(C);
        steps -= p->lists[C].n / 8;
        A = list_position(&p->lists[C], B) >= 0;
        NEXT(IN);
    }

    SET(AMONG, AMONG(B, ip[3], ip + 4));

    ON(PUT) {
        TRY(put_some(z, cells, A, B, C));
        KEEP(B, C, C);
        NEXT(PUT);
    }
    ON(REMOVE) {
        TRY(remove_some(z, cells, A, B, C));
        KEEP(B, C, C);
        NEXT(REMOVE);
    }
    ON(REMOVE_ALL) {
        TRY(remove_set(p, cells, NULL, A));
        KEEP_ALL(A, A);
        NEXT(REMOVE_ALL);
    }
    ON(REMOVE_SET) {
        TRY(remove_set(p, cells, &p->lists[ip[1]], B));
        KEEP_ALL(B, B);
        NEXT(REMOVE_SET);
    }
    ON(REMOVE_KIND) {
        TRY(remove_some(z, cells, kind_on(z, cells, B, A), A, B));
        KEEP(A, B, B);
        NEXT(REMOVE_KIND);
    }
    ON(MOVE) {
        TRY(move_some(z, cells, A, B, C, D));
        KEEP(B, C, D);
        NEXT(MOVE);
    }
    ON(MOVE_ALL) {
        TRY(move_all(z, cells, A, B));
        KEEP_ALL(A, B);
        NEXT(MOVE_ALL);
    }
    ON(MOVE_SET) {
        TRY(move_set(p, cells, &p->lists[ip[1]], B, C));
        KEEP_ALL(B, C);
        NEXT(MOVE_SET);
    }
    ON(MOVE_KIND) {
        TRY(move_some(z, cells, kind_on(z, cells, B, A), A, B, C));
        KEEP(A, B, C);
        NEXT(MOVE_KIND);
    }
    ON(DROP) {
        int32_t kind = first_on(z, cells, C, &p->lists[ip[2]]);
        A = kind;
        TRY(move_some(z, cells, 1, kind, C, D));
        NEXT(DROP);
    }
    ON(SOW_ON) {
        const Rounds done = NAMED(sow_on)(p, cells, ip, steps);
        steps -= done.steps;
        ip += done.on ? done.on : LEN_SOW_ON;
        GO;
    }
    ON(SOW_OFF) {
        const int32_t n = NAMED(sow_off_round)(p, cells, ip, steps);
        if (n > 0) {
            steps -= n * ip[ROUND_COST];
            JUMP(ROUND_DONE);
        }
        if (KINDS > 1 && n < 0) NEXT(SOW_OFF);
        const Rounds done = NAMED(sow_off)(p, cells, ip, steps);
        steps -= done.steps;
        ip += done.on ? done.on : LEN_SOW_OFF;
        GO;
    }
    ON(SOW_KIND) {
        int32_t s = C;
        NEED(on_board(z, s) && is_track(p, D), R_UNSET);
        steps -= cells_on(z, cells, s)[ip[2]] + 1;
        TRY(sow_kind(z, cells, ip[2], &s, p->tracks[D].next));
        A = s;
        NEXT(SOW_KIND);
    }
    ON(SOW) {
        int32_t s = C;
        AWAY(fault = sow_lifted(&run, &p->lists[ip[2]], &s, D));
        TRY(fault);
        A = s;
        NEXT(SOW);
    }

    ON(ITER_LIST) {
        LIST_IN(A);
        CHARGE(ip[6]);
        const List *list = &p->lists[A];
        int32_t i = B;
        if ((uint32_t)i >= (uint32_t)list->n) JUMP(5);
        C = list->at[i];
        B = i + 1;
        JUMP(4);
    }

    EACH(EACH_OCC, PIECES(at[i]) > 0);
    EACH(EACH_EMPTY, IS_EMPTY(at[i]));
    EACH(EACH_KIND, kind_on(z, cells, at[i], what) > 0);
    EACH(EACH_MORE, PIECES(at[i]) > what);
    ON(EACH_OF_OCC) {
        GET_FAMILY1;
        LIST_IN(A);
        CHARGE(ip[11]);
        const int16_t *at_list = p->lists[A].at;
        const int32_t n = p->lists[A].n;
        for (int32_t i = 0; i < n; i++) {
            if (PIECES(at_list[i]) == 0) continue;
            cells[ip[8]] = at_list[i];
            cells[ip[7]] = i + 1;
            JUMP(9);
        }
        steps -= n;
        JUMP(10);
    }

    ON(ITER_RANGE) {
        CHARGE(ip[6]);
        int32_t n = A;
        if (n > B) JUMP(5);
        C = n;
        if (n < CELL_MAX)
            A = n + 1;
        else
            B = CELL_MAX - 1; // no cell holds the number after: the end comes down instead
        JUMP(4);
    }
    ON(ITER_CELLS) {
        CHARGE(ip[7]);
        int32_t i = C;
        if ((uint32_t)i >= (uint32_t)ip[2]) JUMP(6);
        D = cells[ip[1] + i];
        C = i + 1;
        JUMP(5);
    }

    OVER(OVER_LIST, B);
    OVER(BEGIN_LIST, 0);
    CANDS_ALL(CANDS_LIST);
    OVER_CELLS(OVER_OCC, B, OCC);
    OVER_RUN(OVER_RUN_OCC, B, FIRST_OCC);
    OVER_CELLS(OVER_EMPTY, B, FREE);
    OVER_RUN(OVER_RUN_EMPTY, B, FIRST_FREE);
    OVER_CELLS(OVER_MORE, B, MORE);
    OVER_RUN(OVER_RUN_MORE, B, FIRST_MORE);
    OVER_CELLS(BEGIN_OCC, 0, OCC);
    OVER_RUN(BEGIN_RUN_OCC, 0, FIRST_OCC);
    OVER_CELLS(BEGIN_EMPTY, 0, FREE);
    OVER_RUN(BEGIN_RUN_EMPTY, 0, FIRST_FREE);
    OVER_CELLS(BEGIN_MORE, 0, MORE);
    OVER_RUN(BEGIN_RUN_MORE, 0, FIRST_MORE);
    CANDS_EACH(CANDS_EACH_OCC, IS_OCCUPIED);
    CANDS_EACH(CANDS_EACH_EMPTY, IS_EMPTY);
    CANDS_CELLS(CANDS_OCC, OCC);
    CANDS_RUN(CANDS_RUN_OCC, OCC, NAMED(pick_occupied));
    CANDS_CELLS(CANDS_EMPTY, FREE);
    CANDS_RUN(CANDS_RUN_EMPTY, FREE, NAMED(pick_empty));
    CANDS_CELLS(CANDS_MORE, MORE);
    CANDS_RUN(CANDS_RUN_MORE, MORE, NAMED(pick_more));

    ON(CANDS_ASKED) {
        const AskedHead *const q = asked_by(quick->asked, cells, ip + 4);
        const int32_t decision = ip[ASKED_DECISION];
        if (!q || steps < (long)ip[3] * (2 * ASKED_MOST)) goto cands_aside;
        if (decision != ASKED_WRITTEN && run.ngroups < run.ngroups_most && run.nlooks == 0 &&
            vm->ncandidates <= GROUPS_BEHIND && goes_on(on, ASKED_MOST)) {
            const uint64_t mask = asked_all(q, cells, &run.keeper);
            steps -= ip[3] + q->n;
            if (mask == 0) NEXT(CANDS_ASKED);
            if (decision >= 0 && vm->ncandidates + run.noted == 0) { // nothing else can be chosen
                int16_t held[ASKED_VALUES];
                hold(q, cells, held);
                take_asked(q, one_asked(mask, quick->bytes, on), held, &p->decisions[decision],
                           cells);
                on->played++;
                steps = vm->budget;
                JUMP(ASKED_CHOSEN);
            }
            const unsigned n = ones_by(mask, quick->bytes);
            note_group(&run, q, mask, n, ip);
            steps -= (long)n * ip[3];
            NEXT(CANDS_ASKED);
        }
        if (run.noted > 0) TRY(write_noted(&run));
        const size_t found = vm->ncandidates, most = (size_t)q->n;
        if (found - run.base + most > BUDGET_CANDIDATES ||
            (vm->candidates_cap - found < most && !candidates_reserve(vm, found + most)))
            JUMP(2);
        vm->ncandidates += write_asked(q, asked_all(q, cells, &run.keeper), ip[ASKED_ALTERNATIVE],
                                       cells, vm->candidates + found);
        steps -= (long)(vm->ncandidates - found + 1) * ip[3] + q->n;
        NEXT(CANDS_ASKED);
    }
cands_aside:
    if (run.noted > 0) TRY(write_noted(&run));
    JUMP(2);
    ON(COUNT_ASKED) {
        const AskedHead *const q = asked_by(quick->asked, cells, ip + 4);
        if (!q || steps < (q->n + 1L) * ip[3] || A > CELL_MAX - q->n) JUMP(2);
        const int32_t n = (int32_t)ones(asked_all(q, cells, &run.keeper));
        A += n;
        steps -= (n + 1L) * ip[3] + q->n;
        NEXT(COUNT_ASKED);
    }
    ON(FIRST_ASKED) {
        const AskedHead *const q = asked_by(quick->asked, cells, ip + 6);
        if (!q || steps < q->n + ip[4]) JUMP(5);
        const uint64_t mask = asked_all(q, cells, &run.keeper);
        steps -= q->n + ip[4];
        if (mask == 0) NEXT(FIRST_ASKED);
        B = q->values[ASKED_VALUES * __builtin_ctzll(mask)];
        JUMP(3);
    }
    ON(EACH_ASKED) {
        const AskedHead *const q = asked_by(quick->asked, cells, ip + 6);
        Cell *const row = &A;
        row[2] = -1;
        if (!q || steps < q->n + ip[4]) JUMP(5);
        const uint64_t mask = asked_all(q, cells, &run.keeper), rest = mask & (mask - 1);
        steps -= q->n + ip[4];
        if (mask == 0) NEXT(EACH_ASKED);
        B = q->values[ASKED_VALUES * __builtin_ctzll(mask)];
        row[0] = (Cell)(uint32_t)rest;
        row[1] = (Cell)(uint32_t)(rest >> 32);
        row[2] = (Cell)(q - quick->asked);
        JUMP(3);
    }
    ON(NEXT_ASKED) {
        Cell *const row = &A;
        if (row[2] < 0) JUMP(5);
        const uint64_t mask = (uint64_t)(uint32_t)row[1] << 32 | (uint32_t)row[0];
        CHARGE(ip[4]);
        if (mask == 0) NEXT(NEXT_ASKED);
        B = quick->asked[row[2]].values[ASKED_VALUES * __builtin_ctzll(mask)];
        row[0] = (Cell)(uint32_t)(mask & (mask - 1));
        row[1] = (Cell)(uint32_t)((mask & (mask - 1)) >> 32);
        JUMP(3);
    }
    ON(CHOOSE) {
        vm->ncandidates = run.base;
        NEXT(CHOOSE);
    }
    ON(CAND) {
        TRY(add_candidate(&run, ip[1], 1));
        NEXT(CAND);
    }
    CAND_OF(CAND1, (void)0);
    CAND_OF(CAND2, c->values[1] = (int16_t)C);
    ON(LOT) {
        int32_t weight = B;
        NEED(weight >= 0, R_NEGATIVE);
        NEED(weight <= CELL_MAX, R_TOO_BIG);
        if (weight > 0) TRY(add_candidate(&run, ip[1], (uint16_t)weight));
        NEXT(LOT);
    }
    ON(DECIDE) {
        const size_t written = vm->ncandidates - run.base, found = written + run.noted;
        if (found == 0) NEXT(DECIDE);
        const Decision *decision = &p->decisions[ip[1]];
        if (run.nlooks == 0 && on && goes_on(on, found)) {
            const size_t nth =
                decision->chance ? by_weight(vm->candidates, found, on->throws) : one_of(found, on);
            on->played++;
            steps = vm->budget;
            vm->ncandidates = 0;
            if (nth >= written) {
                ip = take_noted(&run, decision, nth - written, quick->bytes);
                GO;
            }
            run.ngroups = 0;
            run.noted = 0;
            RESUME(take_written(p, vm->candidates + nth, decision, cells));
        }
        if (run.noted > 0) TRY(write_noted(&run));
        clear_search(p, cells, decision, vm->candidates + run.base);
        if (run.nlooks == 0) {
            cells[p->system + CELL_AT] = (Cell)(ip[1] + 1);
            return stop(&run, steps, decision->chance ? OLDSOW_CHANCE : OLDSOW_CHOICE, found);
        }
        NEED(!decision->chance, R_WOULD_CHANCE);
        int pc;
        AWAY(fault = look_decide(&run, BASE, &pc));
        TRY(fault);
        if (pc < 0) AWAY(pc = look_answer(&run, INT32_MIN));
        NEED(steps >= 0, R_WOULD_STEPS);
        RESUME(pc);
    }
    ON(THROW) {
        NEED(run.nlooks == 0, R_WOULD_CHANCE);
        if (on && goes_on(on, 0)) {
            const Throw *const t = &p->throws[ip[1]];
            const uint32_t fallen = fallen_by_chance(p, t, on);
            on->played++;
            steps = vm->budget;
            if (ip[2] < 0) {
                take_outcome(p, cells, t, fallen);
                RESUME(t->target);
            }
            const Thrown *const thrown = &quick->thrown[(uint32_t)ip[2] + fallen];
            for (int k = 0; k < thrown->n; k++) cells[thrown->cells[k]] = thrown->values[k];
            ip = code + thrown->place;
            GO;
        }
        cells[p->system + CELL_AT] = (Cell)(-ip[1] - 1);
        return stop(&run, steps, OLDSOW_CHANCE, (size_t)p->dice[p->throws[ip[1]].dice].noutcomes);
    }

    ON(NEXT_PLAYER) {
        NEED(is_player(p, B), R_UNSET);
        A = next_player(p, cells, B);
        NEXT(NEXT_PLAYER);
    }
    ON(PLAYING) {
        NEED(is_player(p, B), R_UNSET);
        A = !(cells[p->system + CELL_RETIRED] >> B & 1);
        NEXT(PLAYING);
    }
    ON(RETIRE) {
        NEED(is_player(p, A), R_UNSET);
        cells[p->system + CELL_RETIRED] |= 1 << A;
        NEXT(RETIRE);
    }
    ON(SET_MOVER) {
        NEED(is_player(p, A), R_UNSET);
        cells[p->system + CELL_MOVER] = A;
        ip += ip[2 + (places ? A : 0)];
        GO;
    }

    ON(WIN)
    ON(LOSE) {
        NEED(is_player(p, A), R_UNSET);
        int one = 1 << A, others = ((1 << p->nplayers) - 1) & ~one;
        bool won = *ip == Q_WIN;
        end_game(p, cells, OVER_DECIDED, won ? one : others, won ? others : one);
        goto over;
    }
    ON(WIN_LIST) {
        LIST_IN(A);
        TRY(end_won_by(p, cells, &p->lists[A]));
        goto over;
    }
    ON(DRAW) {
        end_game(p, cells, OVER_DRAWN, 0, 0);
        goto over;
    }
    ON(SCORE) {
        TRY(score(p, cells, A, B));
        NEXT(SCORE);
    }
    ON(BY_SCORE) {
        end_by_score(p, cells, ip[1]);
        goto over;
    }
    ON(END) {
        end_game(p, cells, OVER_UNDECIDED, 0, 0);
        goto over;
    }

    ON(WOULD) {
        Look look = {.then = ip[1],
                     .end = ip[2],
                     .enough = ip[3],
                     .endless = ip[4],
                     .answer = &cells[ip[5]],
                     .at = BASE,
                     .base = run.base};
        AWAY(fault = look_push(&run, look));
        TRY(fault);
        run.base = vm->ncandidates;
        NEXT(WOULD);
    }
    ON(VALUE) {
        int pc;
        AWAY(pc = look_answer(&run, A));
        NEED(steps >= 0, R_WOULD_STEPS);
        RESUME(pc);
    }
    ON(LOOK) {
        NEED(run.nlooks < BUDGET_WOULD_DEPTH, R_WOULD_DEPTH);
        steps -= ip[1];
        run.looking = ip;
        if (quick->keeping) run.kept[run.nlooks] = run.keeper.kept;
        NEXT(LOOK);
    }
    ON(MARK) {
        MARK_CELL(A, B);
        MARK_CELL(A, C);
        NEXT(MARK);
    }
    ON(UNDO) {
        const int32_t value = B;
        look_undo(&run);
        if (quick->keeping) run.keeper.kept = run.kept[run.nlooks];
        NEED(steps >= 0, R_WOULD_STEPS);
        run.looking = NULL;
        A = value == INT32_MIN ? 0 : value;
        NEXT(UNDO);
    }

    ON(REMEMBER) {
        int32_t times;
        TRY(note_position(vm, cells, &times));
        NEXT(REMEMBER);
    }
    ON(SEEN) {
        AWAY(A = seen_position(&run));
        NEXT(SEEN);
    }
    ON(NOTE) {
        int32_t times;
        TRY(note_position(vm, cells, &times));
        steps -= (long)(vm->history.n / 4);
        A = times;
        NEXT(NOTE);
    }
    ON(COVER) {
        if (vm->counts) vm->counts[ip[1]]++;
        NEXT(COVER);
    }

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
