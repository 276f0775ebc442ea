// Follows a search for each element, with the element's values as constants. What is worked out on the way must
// then be a constant too; what is asked is known, or is a question about what lies on a site, or about cells that
// are the same for all.
#include "improve_asked.h"

#include "ask.h"

enum { WORK_MOST = 50000 }; // instructions followed

static const Cell *constant(const Search *s, int cell) { return q_constant_at(s->im->q, cell); }

static bool is_head(const Ins *ins) {
    int t = ins->gone ? -1 : ins_target(ins->op);
    return t >= 0 && quick_kinds[ins->op][t + 1] == 't';
}

// ---- following -----------------------------------------------------------------------------------

static void follow(Search *s, Way w, int i);

static void answered(Search *s, const Way *w, const Asking *a, bool yes, int to) {
    Way on = *w;
    on.question = (int)(a - s->asking);
    on.yes = yes;
    on.since = to;
    if (s->fits) follow(s, on, to);
}

static void follow_branch(Search *s, const Way *w, int i) {
    const Ins *ins = &s->im->ins[i];
    bool contrary;
    Asking *a = way_asking(s, i);
    if (!a) return;
    way_lead(s, w, (int)(a - s->asking));
    ask_branch(s, w, a, ins, &contrary);
    Told told = a->told[s->n];
    int to = ins->w[ins_target(ins->op)];
    if (told != TOLD_NO) answered(s, w, a, true, contrary ? ins->next : to);
    if (told != TOLD_YES) answered(s, w, a, false, contrary ? to : ins->next);
}

// A round of a loop with an element, from its head on.
static void follow_round(Search *s, Way w, const Ins *head, Cell element) {
    Asking *a = NULL;
    way_set(s, &w, (Written){.cell = head->w[1]});
    way_set(s, &w, (Written){.cell = head->w[2], .known = true, .value = element});
    if (head->op != Q_ITER_LIST && head->op != Q_BEGIN_LIST) {
        a = way_asking(s, (int)(head - s->im->ins));
        if (!a) return;
        way_lead(s, &w, (int)(a - s->asking));
        ask_head(s, &w, a, head, element);
        a->next[false] = NOT_FOUND;
    }
    int to = head->w[ins_target(head->op)];
    if (!a)
        follow(s, w, to);
    else if (a->told[s->n] != TOLD_NO)
        answered(s, &w, a, true, to);
}

// What a loop that begins goes through, if it is known: a list, or numbers from `low` on.
typedef struct Domain {
    const List *list;
    int n, low;
} Domain;

static bool domain_of(const Search *s, const Way *w, const Ins *head, Domain *d) {
    Cell list, at;
    *d = (Domain){.n = head->w[0]};
    if (head->op >= Q_BEGIN_RUN_OCC && head->op <= Q_BEGIN_RUN_MORE) {
        d->low = head->w[9];
        return true;
    }
    if (head->op >= Q_BEGIN_LIST && head->op <= Q_BEGIN_MORE) {
        d->list = &s->im->p->lists[head->w[0]];
    } else {
        bool begins =
            head->op == Q_ITER_LIST || (head->op >= Q_EACH_OCC && head->op <= Q_EACH_KIND);
        if (!begins || !way_value(s, w, head->w[0], &list) || !way_value(s, w, head->w[1], &at) ||
            at != 0 || !is_list(s->im->p, list))
            return false;
        d->list = &s->im->p->lists[list];
    }
    d->n = d->list->n;
    return true;
}

static Cell element_of(const Domain *d, int i) { return d->list ? d->list->at[i] : d->low + i; }

bool is_loop_of(const Ins *ins, const Ins *head) {
    return head && ins->base == head->base && ins->copy == head->copy;
}

static bool leads_to_outer(const Search *s, const Ins *head) {
    const Ins *exit = &s->im->ins[ins_at(s->im, head->w[ins_target(head->op) + 1])];
    return is_head(exit) && is_loop_of(exit, s->outer);
}

static void begin_inner(Search *s, Way w, const Ins *head) {
    Domain d;
    s->inner = head;
    s->fits &= domain_of(s, &w, head, &d) && leads_to_outer(s, head);
    if (!s->fits) return;
    s->of = d.n;
    w.within = true;
    if (s->at < d.n) follow_round(s, w, head, element_of(&d, s->at));
}

static void come_again(Search *s, const Ins *head) {
    int i = 0, at = (int)(head - s->im->ins);
    while (i < s->nheads && s->heads[i] != at) i++;
    s->fits &= i < CELLS_MOST;
    if (s->fits && i == s->nheads) s->heads[s->nheads++] = at;
}

static void follow_head(Search *s, const Way *w, const Ins *head) {
    bool inner = is_loop_of(head, s->inner);
    if (!w->within && !is_loop_of(head, s->outer) && (inner || !s->inner)) {
        begin_inner(s, *w, head);
        return;
    }
    // The next round: this element is no candidate.
    s->fits &= is_loop_of(head, w->within ? s->inner : s->outer);
    if (w->within) s->fits &= leads_to_outer(s, head);
    come_again(s, head);
    way_lead(s, w, NOT_FOUND);
}

// All that is asked of the element was answered rightly.
static void end(Search *s, const Way *w, End kind, int at) {
    s->fits &= s->end == NO_END || (s->end == kind && s->end_at == at);
    s->end = kind;
    s->end_at = at;
    s->found = true;
    way_lead(s, w, FOUND);
}

// It is a candidate or counts, and the next round comes.
static void end_round(Search *s, const Way *w, End kind, const Ins *ins) {
    const int next = ins_at(s->im, ins->next);
    const Ins *again = &s->im->ins[next < 0 ? 0 : next], *head = s->inner ? s->inner : s->outer;
    s->fits &=
        next >= 0 && is_head(again) && is_loop_of(again, head) && w->within == (s->inner != NULL);
    if (!s->fits) return;
    come_again(s, again);
    end(s, w, kind, (int)(ins - s->im->ins));
}

static void find(Search *s, const Way *w, const Ins *cand) {
    const Alternative *a = &s->im->p->alternatives[cand->w[0]];
    s->fits &= a->nvars > 0 && a->nvars <= ASKED_VALUES;
    for (int k = 0; k < a->nvars && s->fits; k++) {
        Cell v = 0;
        const bool known = way_value(s, w, a->cells[k], &v);
        const bool held = !known && way_place(w, a->cells[k]) < 0; // is the same for all
        s->fits &= (known || held) && (!s->cand || (s->held >> k & 1) == held);
        if (held) s->held |= 1u << k;
        int16_t *to = &s->values[s->n * ASKED_VALUES + k];
        s->fits &= !s->found || *to == v;
        *to = (int16_t)v;
    }
    s->cand = cand;
    if (s->fits) end_round(s, w, END_CAND, cand);
}

// The code goes on with it.
static void end_there(Search *s, const Way *w, int at) {
    Cell v = 0;
    s->fits &= at >= 0 && !s->inner && way_value(s, w, s->outer->w[2], &v);
    s->values[s->n * ASKED_VALUES] = (int16_t)v;
    if (s->fits) end(s, w, END_REST, ins_at(s->im, at));
}

static bool adds_one(const Search *s, const Ins *ins) {
    const int d = ins->w[0];
    if (ins->op != Q_ADDTO || d == s->by || (d != ins->w[1] && d != ins->w[2])) return false;
    const Cell *one = constant(s, ins->w[1 + (d == ins->w[1])]);
    return one && *one == 1;
}

// Works out what an instruction gives, if it can be known or counts pieces. False: it does more than that.
static bool work_out(Search *s, Way *w, const Ins *ins) {
    const char *kinds = quick_kinds[ins->op];
    int32_t v[4], r;
    int n = 0, unknown = -1;
    bool known = ins_folds(ins->op);
    for (int o = 0; kinds[o] && known; o++) {
        if (kinds[o] != 'u' || way_value(s, w, ins->w[o], &v[n++])) continue;
        known = false;
        unknown = ins->w[o];
    }
    if (unknown >= 0 && way_place(w, unknown) < 0 && s->wanted < 0) s->wanted = unknown;
    known = known && ins_fold(s->im, ins, v, &r);
    if (!known && !live_only_gives(s->im, ins)) return false;
    Written written = {.cell = ins->w[0], .known = known, .value = known ? r : 0};
    if (!known) count_pieces(s, w, ins, &written);
    way_set(s, w, written);
    return true;
}

static void follow(Search *s, Way w, int i) {
    while (s->fits) {
        i = ins_at(s->im, i);
        s->fits &= i >= 0 && ++s->work < WORK_MOST;
        if (!s->fits) return;
        const Ins *ins = &s->im->ins[i];
        s->seen[i] = s->number;
        if (i == s->stop)
            end_there(s, &w, i);
        else if (is_head(ins))
            follow_head(s, &w, ins);
        else if (ins->op >= Q_CAND && ins->op <= Q_CAND2)
            find(s, &w, ins);
        else if (adds_one(s, ins))
            end_round(s, &w, END_COUNT, ins);
        else if (ins_target(ins->op) >= 0)
            follow_branch(s, &w, i);
        else if (!work_out(s, &w, ins))
            end_there(s, &w, w.since);
        else {
            i = ins->next;
            continue;
        }
        return;
    }
}

// ---- searches ------------------------------------------------------------------------------------

static void next_element(Search *s, Cell outer) {
    Way w = {.question = -1, .since = -1};
    s->found = false;
    s->of = 0;
    for (int i = 0; i < s->nasking; i++) s->asking[i].told[s->n] = NOT_ASKED;
    follow_round(s, w, s->outer, outer);
    s->fits &= s->n < ASKED_MOST || !s->found;
    s->n += s->found;
}

static bool is_written(const Search *s, int cell) {
    for (int i = 0; i < s->nwritten; i++)
        if (s->written[i] == cell) return true;
    return false;
}

// Values of the elements that are all one make a question that is the same for all.
static void settle_values(Search *s, Asking *a) {
    int one = -1;
    for (int e = 0; e < s->n; e++) {
        if (a->told[e] != OF_VALUE) continue;
        if (one >= 0 && a->of[e] != a->of[one]) return;
        one = e;
    }
    if (one < 0) return;
    a->b = q_constant(s->im->q, a->of[one]);
    for (int e = 0; e < s->n; e++)
        if (a->told[e] == OF_VALUE) a->told[e] = OF_CELLS;
}

// What a decision has to say is cleared where it waits, and means nothing where it does not.
static bool chosen(const Program *p, int cell) {
    for (int i = 0; i < p->nalternatives; i++)
        for (int k = 0; k < p->alternatives[i].nvars; k++)
            if (cell == p->alternatives[i].cells[k]) return true;
    return false;
}

// What is the same for all is so in each round; what the search leaves in cells nobody asks for, but for the element
// where the code goes on with it.
static bool keeps_to_itself(const Search *s) {
    int exit = s->outer->w[ins_target(s->outer->op) + 1];
    if (s->by >= 0 && is_written(s, s->by)) return false;
    for (int i = 0; i < s->nasking; i++) {
        const Asking *q = &s->asking[i];
        if (q->celled && (q->grounded || is_written(s, q->a) || is_written(s, q->b))) return false;
        if (q->celled && s->end == END_COUNT && s->im->ins[s->end_at].w[0] == q->a) return false;
        if (q->celled && s->end == END_COUNT && s->im->ins[s->end_at].w[0] == q->b) return false;
    }
    for (int k = 0; k < ASKED_VALUES && s->held >> k; k++)
        if (s->held >> k & 1 && is_written(s, s->im->p->alternatives[s->cand->w[0]].cells[k]))
            return false;
    for (int i = 0; i < s->nwritten; i++) {
        const int cell = s->written[i];
        if (!chosen(s->im->p, cell) && live_is_wanted(s->live, ins_at(s->im, exit), cell))
            return false;
        if (s->end == END_REST && cell != s->outer->w[1] && cell != s->outer->w[2] &&
            live_is_wanted(s->live, s->end_at, cell))
            return false;
    }
    return true;
}

// Whether each round is like the first.
static bool rounds_are_alike(const Search *s) {
    const Improver *im = s->im;
    int exit = ins_at(im, s->outer->w[ins_target(s->outer->op) + 1]);
    for (int i = 0; i < s->nheads; i++) {
        const Ins *head = &im->ins[s->heads[i]];
        int t = ins_target(head->op), round = ins_at(im, head->w[t]);
        if (s->seen[round] != s->number) return false;
        if (is_loop_of(head, s->outer) && ins_at(im, head->w[t + 1]) != exit) return false;
    }
    return true;
}

bool search_follow(Search *s) {
    Domain d;
    if (!domain_of(s, &(Way){0}, s->outer, &d)) return false;
    for (int i = 0; i < d.n && s->fits; i++) {
        s->at = 0;
        do {
            next_element(s, element_of(&d, i));
        } while (++s->at < s->of && s->fits);
    }
    if (!s->fits || s->end == NO_END || s->n == 0) return false;
    for (int i = 0; i < s->nasking; i++) settle_values(s, &s->asking[i]);
    return keeps_to_itself(s) && rounds_are_alike(s);
}
