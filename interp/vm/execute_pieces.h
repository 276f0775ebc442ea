// Part of the machine's loop, execute_as.h, which includes this where it stands: what is asked of sites, lists,
// tables and tracks, and what moves pieces.

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
