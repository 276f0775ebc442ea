// Moving pieces, players, and the end.
#include "translate.h"
#include "translator.h"

// ---- pieces --------------------------------------------------------------------------------------

// The arguments' texts, each after a comma.
static const char *arguments(Translator *t, int n) {
    const char *s = "";
    for (int i = 0; i < n; i++) s = phrase(t, "%s, %s", s, t->stack[t->depth - n + i].text);
    return s;
}

static void acted(Translator *t, const char *name, const char *first, int n) {
    const char *call = phrase(t, "%s(c%s%s)", name, first, arguments(t, n));
    t->depth -= n;
    settle(t);
    attempt(t, call);
}

// The cell of a kind on a site, both of which are there.
static const char *cell_of(Translator *t, const Value *site, int kind) {
    Value k = {.text = phrase(t, "%d", kind), .range = range_of(kind, kind)};
    return count_cell(t, site, &k);
}

static bool known_kind(const Translator *t, const Value *kind) {
    return range_single(kind->range) && is_kinds(t, kind->range);
}

static void need_count(Translator *t, const Value *n) {
    if (n->range.low < 0) fault_if(t, phrase(t, "%s < 0", n->text), R_NEGATIVE);
}

static void put_or_remove(Translator *t, bool put) {
    if (!need_site(t, 0) || !need_kind(t, 1)) return;
    Value s = pop_value(t), k = pop_value(t), n = pop_value(t);
    settle(t);
    need_count(t, &n);
    if (put && n.range.high > t->most_put[t->pc]) t->most_put[t->pc] = n.range.high;
    if (put && t->few && range_single(n.range)) {
        say(t, "%s += %s;", count_cell(t, &s, &k), n.text);
        return;
    }
    attempt(t,
            phrase(t, "%s(&%s, %s)", put ? "put_at" : "remove_at", count_cell(t, &s, &k), n.text));
}

static bool apart(Range a, Range b) { return a.high < b.low || b.high < a.low; }

// What would be too many for a cell is found out; where there are never so many nothing is asked.
static void need_room_for(Translator *t, const char *here, const char *more) {
    if (!t->few) fault_if(t, phrase(t, "%s + %s > CELL_MAX", here, more), R_TOO_BIG);
}

static void move_some(Translator *t) {
    if (!need_site(t, 0) || !need_site(t, 1) || !need_kind(t, 2)) return;
    Value b = pop_value(t), a = pop_value(t), k = pop_value(t), n = pop_value(t);
    settle(t);
    need_count(t, &n);
    bool once = range_single(n.range) || n.copy >= 0;
    if (t->few && once && apart(a.range, b.range)) {
        const char *from = count_cell(t, &a, &k), *to = count_cell(t, &b, &k);
        fault_if(t, phrase(t, "%s < %s", from, n.text), R_TOO_FEW);
        say(t, "%s -= %s, %s += %s;", from, n.text, to, n.text);
        return;
    }
    attempt(t, phrase(t, "%s(&%s, &%s, %s)", apart(a.range, b.range) ? "move_apart" : "move_at",
                      count_cell(t, &a, &k), count_cell(t, &b, &k), n.text));
}

// kinds: the set whose pieces go, NULL for all. The stack holds the site on top.
static bool remove_whole(Translator *t, const int16_t *kinds, int n) {
    if (n > SPELT_MAX || !need_site(t, 0)) return !t->open;
    if (n > 1) in_slot(t, 0);
    Value s = pop_value(t);
    settle(t);
    for (int i = 0; i < n; i++) say(t, "%s = 0;", cell_of(t, &s, kinds ? kinds[i] : i));
    return true;
}

// The same for two sites; a site stays as it is when it is moved to itself.
static bool move_whole(Translator *t, const int16_t *kinds, int n) {
    if (n > SITE_KINDS_MAX || !need_site(t, 0) || !need_site(t, 1)) return !t->open;
    if (n > 1) in_slot(t, 0), in_slot(t, 1);
    Value b = pop_value(t), a = pop_value(t);
    settle(t);
    if (n == 1 && !t->few) {
        int kind = kinds ? kinds[0] : 0;
        attempt(t, phrase(t, "move_whole(&%s, &%s)", cell_of(t, &a, kind), cell_of(t, &b, kind)));
        return true;
    }
    if (range_single(a.range) && range_single(b.range) && a.range.low == b.range.low) return true;
    if (t->few) { // to the same site too: what is lifted comes back
        for (int i = 0; i < n; i++) {
            int kind = kinds ? kinds[i] : i;
            const char *from = cell_of(t, &a, kind), *to = cell_of(t, &b, kind);
            say(t, "{ int32_t moved = %s; %s = 0; %s += moved; }", from, from, to);
        }
        return true;
    }
    bool same = !apart(a.range, b.range);
    if (same) say(t, "if (%s != %s) {", a.text, b.text);
    for (int i = 0; i < n; i++) {
        int kind = kinds ? kinds[i] : i;
        need_room_for(t, cell_of(t, &a, kind), cell_of(t, &b, kind));
    }
    for (int i = 0; i < n; i++) {
        int kind = kinds ? kinds[i] : i;
        say(t, "%s += %s, %s = 0;", cell_of(t, &b, kind), cell_of(t, &a, kind),
            cell_of(t, &a, kind));
    }
    if (same) say(t, "}");
    return true;
}

static bool real_kinds(const Translator *t, int list) {
    return t->p->lists[list].n > 0 && is_kinds(t, list_range(t, list));
}

// One kind, along a track that is known, from a site that is there.
static void sow_kind(Translator *t, int kind, int track) {
    Value *s = top_value(t, 0);
    Value k = {.text = phrase(t, "%d", kind), .range = range_of(kind, kind)};
    say(t, "steps -= %s + 1;", count_cell(t, s, &k));
    const char *one_by_one = phrase(t, "sow_one(c + %d, &%s, next_%d)", kind, s->text, track);
    bool all = lap_has_all(t, track, s->range);
    int lap = all ? lap_table(t, range_of(track, track), kind, 1u << kind) : -1;
    if (lap < 0) {
        attempt(t, one_by_one);
        taken_anew(t);
        t->slow = true;
        return;
    }
    say(t, "lifted_0 = %s;", count_cell(t, s, &k));
    say(t, "if (RARE(lifted_0 >= %d)) {", lap_sites(t, lap));
    say(t, "%s;", one_by_one);
    taken_anew(t);
    say(t, "} else {");
    say(t, "sow_lap_%d(c, %s, 0, lifted_0);", lap, s->text);
    taken_changed(t, s);
    taken_sown(t, lap, "0", s->text, "lifted_0");
    say(t, "%s = end_%d[0][%s][lifted_0];", s->text, lap, s->text);
    say(t, "}");
}

static void sow(Translator *t, int kinds) {
    settle_all(t);
    Value track = pop_value(t), *s = top_value(t, 0);
    if (range_single(track.range) && track.range.low >= 0 && is_sites(t, s->range) &&
        t->p->lists[kinds].n == 1 && real_kinds(t, kinds)) {
        Range all = range_join(s->range, list_range(t, t->p->tracks[track.range.low].list));
        sow_kind(t, t->p->lists[kinds].at[0], track.range.low);
        s->range = all;
    } else {
        say(t, "steps -= count_set(c, %s, &lists[%d]) + %d;", s->text, kinds, t->p->lists[kinds].n);
        attempt(t,
                phrase(t, "sow_along(c, &lists[%d], &%s, tracks, %s)", kinds, s->text, track.text));
        taken_anew(t);
        t->slow = true;
        s->range = range_of(0, t->p->nsites - 1);
    }
    s->copy = s->compared = -1;
}

void moving(Translator *t, const int32_t *w) {
    const char *list = operands((Opcode)w[0]) ? phrase(t, ", &lists[%d]", w[1]) : "";
    const List *set = operands((Opcode)w[0]) ? &t->p->lists[w[1]] : NULL;
    int16_t kind;
    switch ((Opcode)w[0]) {
    case OP_PUT: put_or_remove(t, true); return;
    case OP_REMOVE: put_or_remove(t, false); return;
    case OP_REMOVE_ALL:
        if (!remove_whole(t, NULL, t->p->npieces)) acted(t, "remove_all", "", 1);
        return;
    case OP_REMOVE_SET:
        if (!real_kinds(t, w[1]) || !remove_whole(t, set->at, set->n))
            acted(t, "remove_set", list, 1);
        return;
    case OP_REMOVE_KIND:
        kind = (int16_t)top_value(t, 1)->range.low;
        if (!known_kind(t, top_value(t, 1)) || !remove_whole(t, &kind, 1))
            acted(t, "remove_kind", "", 2);
        else
            pop_value(t);
        return;
    case OP_MOVE: move_some(t); return;
    case OP_MOVE_ALL:
        if (!move_whole(t, NULL, t->p->npieces)) acted(t, "move_all", "", 2);
        return;
    case OP_MOVE_SET:
        if (sow_past_hooks(t)) return;
        if (!real_kinds(t, w[1]) || !move_whole(t, set->at, set->n)) acted(t, "move_set", list, 2);
        return;
    case OP_MOVE_KIND:
        kind = (int16_t)top_value(t, 2)->range.low;
        if (!known_kind(t, top_value(t, 2)) || !move_whole(t, &kind, 1))
            acted(t, "move_kind", "", 3);
        else
            pop_value(t);
        return;
    case OP_SOW: sow(t, w[1]); return;
    default: return;
    }
}

// ---- players and the end -------------------------------------------------------------------------

// The game is over; on a copy the look-ahead works out its answer.
static void over(Translator *t) {
    int would = t->spots[t->pc].would;
    t->depth = would < 0 ? 0 : t->spots[would].depth;
    if (would < 0)
        say(t, "n = 0;"), say(t, "STOP(IS_OVER);");
    else // decisions within the look-ahead stay to be tried: the answer goes to the innermost
        leave(t, t->p->code[would + 1]);
    t->open = false;
}

static void set_mover(Translator *t) {
    if (!need_player(t, 0)) return;
    int next = next_pc(t, t->pc);
    Value q = pop_value(t);
    settle_all(t);
    say(t, "c[MOVER] = %s;", q.text);
    if (t->nvariants == 1) return;
    int was = t->context;
    Range before = q.copy >= 0 ? t->cells[q.copy] : q.range;
    for (int player = q.range.low; player <= q.range.high; player++) {
        enter(t, player);
        if (q.copy >= 0) t->cells[q.copy] = range_of(player, player);
        const char *label = jump_to(t, next);
        if (player < q.range.high)
            say(t, "if (%s == %d) goto %s;", q.text, player, label);
        else
            say(t, "goto %s;", label);
    }
    if (q.copy >= 0) t->cells[q.copy] = before;
    enter(t, was);
    t->open = false;
}

static void next_player(Translator *t) {
    if (!need_player(t, 0)) return;
    Value q = pop_value(t);
    if (!t->retires && range_single(q.range))
        push_number(t, (q.range.low + 1) % t->p->nplayers);
    else
        push_value(t, phrase(t, "next_player(c, %s)", q.text), range_of(0, t->p->nplayers - 1));
}

void playing(Translator *t, const int32_t *w) {
    switch ((Opcode)w[0]) {
    case OP_NEXT_PLAYER: next_player(t); return;
    case OP_PLAYING: {
        if (!need_player(t, 0)) return;
        Value q = pop_value(t);
        if (t->retires)
            push_value(t, phrase(t, "(!(c[RETIRED] >> %s & 1))", q.text), a_truth);
        else
            push_number(t, 1);
        return;
    }
    case OP_RETIRE: {
        if (!need_player(t, 0)) return;
        Value q = pop_value(t);
        settle(t);
        say(t, "c[RETIRED] |= 1 << %s;", q.text);
        return;
    }
    case OP_SET_MOVER: set_mover(t); return;
    case OP_WIN:
    case OP_LOSE:
        if (!need_player(t, 0)) return;
        say(t, "end_for(c, %s, %s);", pop_value(t).text, w[0] == OP_WIN ? "true" : "false");
        over(t);
        return;
    case OP_WIN_LIST:
        if (!need_list(t, 0)) return;
        attempt(t, phrase(t, "end_won_by(c, &lists[%s])", pop_value(t).text));
        over(t);
        return;
    case OP_DRAW:
        say(t, "end_game(c, OVER_DRAWN, 0, 0);");
        over(t);
        return;
    case OP_SCORE: acted(t, "give_score", "", 2); return;
    case OP_BY_SCORE:
        say(t, "end_by_score(c, %d);", w[1]);
        over(t);
        return;
    case OP_END:
        say(t, "end_game(c, OVER_UNDECIDED, 0, 0);");
        over(t);
        return;
    default: return;
    }
}
