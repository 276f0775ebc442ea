// Part of the machine's loop, execute_as.h, which includes this where it stands: loops, and searches that are done at
// once.

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
            take_asked(q, one_asked(mask, quick->bytes, on), held, &p->decisions[decision], cells);
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
cands_aside : if (run.noted > 0) TRY(write_noted(&run));
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
