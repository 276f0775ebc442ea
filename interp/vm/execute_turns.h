// Part of the machine's loop, execute_as.h, which includes this where it stands: decisions and throws, players and
// the end, looking ahead, positions noted.

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
