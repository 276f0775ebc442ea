// Follows a search for each element, with the element's values as constants. What is worked out on the way must
// then be a constant too; what is asked is known, or is a question about what lies on a site, or about cells that
// are the same for all.
#include "improve_asked.h"

#include "ask.h"

enum { WORK_MOST = 50000 }; // instructions followed

// What is known of the cells that were written on a way, and what was answered last on it.
typedef struct Way {
    int cells[CELLS_MOST];
    Cell values[CELLS_MOST];
    bool known[CELLS_MOST];
    int n;
    bool within; // the inner loop
    int question;
    bool yes;
} Way;

static const Cell *constant(const Search *s, int cell) { return q_constant_at(s->im->q, cell); }

static bool is_head(const Ins *ins) {
    int t = ins->gone ? -1 : ins_target(ins->op);
    return t >= 0 && quick_kinds[ins->op][t + 1] == 't';
}

// ---- ways ----------------------------------------------------------------------------------------

static int place_of(const Way *w, int cell) {
    for (int i = 0; i < w->n; i++)
        if (w->cells[i] == cell) return i;
    return -1;
}

static void set(Search *s, Way *w, int cell, const Cell *value) {
    int i = place_of(w, cell);
    if (i < 0 && w->n == CELLS_MOST) {
        s->fits = false;
        return;
    }
    if (i < 0) i = w->n++;
    w->cells[i] = cell;
    w->known[i] = value != NULL;
    if (value) w->values[i] = *value;
    i = 0;
    while (i < s->nwritten && s->written[i] != cell) i++;
    if (i == CELLS_MOST)
        s->fits = false;
    else if (i == s->nwritten)
        s->written[s->nwritten++] = cell;
}

// The value of a cell on this way; false: it is not known before play.
static bool value(const Search *s, const Way *w, int cell, Cell *v) {
    const Cell *k = constant(s, cell);
    int i = k ? -1 : place_of(w, cell);
    if (!k && (i < 0 || !w->known[i])) return false;
    *v = k ? *k : w->values[i];
    return true;
}

// A cell to compare, the same for all elements: one that nothing in the search writes. -1: there is none.
static int same_for_all(const Search *s, const Way *w, int cell) {
    Cell v;
    if (value(s, w, cell, &v)) return q_constant(s->im->q, v);
    return place_of(w, cell) < 0 ? cell : -1;
}

// ---- questions -----------------------------------------------------------------------------------

// The way goes on to a question, or ends.
static void lead(Search *s, const Way *w, int to) {
    int *next = w->question < 0 ? &s->first : &s->asking[w->question].next[w->yes];
    s->fits &= *next < 0 || *next == to;
    *next = to;
}

static Asking *asking(Search *s, int ins) {
    int i = 0;
    while (i < s->nasking && s->asking[i].ins != ins) i++;
    if (i == ASKINGS) {
        s->fits = false;
        return NULL;
    }
    if (i == s->nasking) s->asking[s->nasking++] = (Asking){.ins = ins, .next = {-1, -1}};
    return &s->asking[i];
}

static void tell(Search *s, Asking *a, Told told, int of) {
    int e = s->n;
    s->fits &= a->told[e] == NOT_ASKED || (a->told[e] == told && a->of[e] == of);
    a->told[e] = told;
    a->of[e] = (int16_t)of;
}

// About the pieces on a site, or on those of a list.
static void ask_ground(Search *s, Asking *a, Told told, int of, Ground ground, bool turned) {
    const Program *p = s->im->p;
    if (told == OF_LIST && is_list(p, of) && p->lists[of].n < 2) {
        told = OF_SITE;
        of = p->lists[of].n == 1 ? p->lists[of].at[0] : UNSET;
    }
    if (told == OF_LIST ? !is_list(p, of) : !is_site(p, of)) {
        s->fits &= told == OF_SITE;
        tell(s, a, TOLD_NO, 0);
        return;
    }
    for (int i = 0; told == OF_LIST && i < p->lists[of].n; i++)
        s->fits &= is_site(p, p->lists[of].at[i]);
    if (a->grounded)
        s->fits &= a->turned == turned && a->ground.first == ground.first &&
                   a->ground.stride == ground.stride && a->ground.each == ground.each &&
                   a->ground.floor == ground.floor;
    a->grounded = true;
    a->ground = ground;
    a->turned = turned;
    tell(s, a, told, of);
}

static Ground all_pieces(const Search *s) {
    int kinds = s->im->p->npieces;
    return (Ground){.stride = kinds, .each = kinds};
}

static Ground of_kind(const Search *s, Cell kind) {
    return (Ground){.first = kind, .stride = s->im->p->npieces, .each = 1};
}

// About cells that are the same for all elements.
static void ask_cells(Search *s, const Way *w, Asking *a, const Ins *ins) {
    int from = same_for_all(s, w, ins->w[0]), to = from;
    if (ins->op != Q_JZ && ins->op != Q_JNZ) to = same_for_all(s, w, ins->w[1]);
    if (from < 0 || to < 0) {
        s->fits = false;
        return;
    }
    s->fits &= !a->celled || (a->a == from && a->b == to);
    a->celled = true;
    a->op = (int)ins->op;
    a->a = from;
    a->b = to;
    tell(s, a, OF_CELLS, 0);
}

static bool compared(QuickOp op, Cell a, Cell b) {
    switch (op) {
    case Q_JZ: return a == 0;
    case Q_JNZ: return a != 0;
    case Q_JEQ: return a == b;
    case Q_JNE: return a != b;
    case Q_JLT: return a < b;
    default: return a <= b;
    }
}

// A branch: what it asks, of the element in hand. True in *contrary: it leads away where the answer is no.
static void ask_branch(Search *s, const Way *w, Asking *a, const Ins *ins, bool *contrary) {
    const Program *p = s->im->p;
    Cell v = 0, k = 0;
    bool known = value(s, w, ins->w[0], &v);
    *contrary = false;
    switch (ins->op) {
    case Q_JZ:
    case Q_JNZ:
    case Q_JEQ:
    case Q_JNE:
    case Q_JLT:
    case Q_JLE:
        if (ins->op == Q_JZ || ins->op == Q_JNZ || value(s, w, ins->w[1], &k))
            known &= true;
        else
            known = false;
        if (known)
            tell(s, a, compared(ins->op, v, k) ? TOLD_YES : TOLD_NO, 0);
        else
            ask_cells(s, w, a, ins);
        return;
    case Q_JWITHIN:
    case Q_JNWITHIN:
        *contrary = ins->op == Q_JNWITHIN;
        tell(s, a, v >= ins->w[1] && v < ins->w[1] + ins->w[2] ? TOLD_YES : TOLD_NO, 0);
        break;
    case Q_JAMONG:
    case Q_JNAMONG:
        *contrary = ins->op == Q_JNAMONG;
        k = v - ins->w[1];
        tell(s, a,
             k >= 0 && k < 64 && (uint32_t)ins->w[2 + k / 32] >> k % 32 & 1 ? TOLD_YES : TOLD_NO,
             0);
        break;
    case Q_JIN:
    case Q_JNIN:
        *contrary = ins->op == Q_JNIN;
        known &= value(s, w, ins->w[1], &k) && is_list(p, k);
        if (known) tell(s, a, list_position(&p->lists[k], v) >= 0 ? TOLD_YES : TOLD_NO, 0);
        break;
    case Q_JOCC:
    case Q_JNOCC:
        *contrary = ins->op == Q_JNOCC;
        if (known) ask_ground(s, a, OF_SITE, v, all_pieces(s), false);
        break;
    case Q_JEMPTY:
    case Q_JNEMPTY:
        *contrary = ins->op == Q_JNEMPTY;
        if (known) ask_ground(s, a, OF_SITE, v, all_pieces(s), true);
        break;
    case Q_JKIND:
    case Q_JNKIND:
        *contrary = ins->op == Q_JNKIND;
        known &= value(s, w, ins->w[1], &k) && is_kind(p, k);
        if (known) ask_ground(s, a, OF_SITE, v, of_kind(s, k), false);
        break;
    case Q_JSOME:
    case Q_JNONE:
        *contrary = ins->op == Q_JNONE;
        if (known) ask_ground(s, a, OF_LIST, v, all_pieces(s), false);
        break;
    default: known = false;
    }
    s->fits &= known;
}

// Cells that belong to a loop's elements, of which each is asked whether it holds more than a number.
static bool more_ground(const Search *s, const Ins *head, Cell element, Ground *g) {
    const Cell *floor = constant(s, head->w[7]);
    if (!floor) return false;
    *g = (Ground){.stride = 1, .each = 1, .floor = *floor};
    if (head->op == Q_BEGIN_RUN_MORE) {
        g->stride = head->w[8];
        g->first = head->w[6] - g->stride * head->w[9];
        return true;
    }
    const List *list = &s->im->p->lists[head->w[0]];
    int i = 0;
    while (i < list->n && list->at[i] != element) i++;
    const int16_t *column = &s->im->columns.at[head->w[6]];
    if (list->n > 1) g->stride = (column[1] - column[0]) / (list->at[1] - list->at[0]);
    g->first = column[i] - g->stride * element;
    return true;
}

// A head that asks something of the element it comes to.
static void ask_head(Search *s, const Way *w, Asking *a, const Ins *head, Cell element) {
    Cell k = 0;
    Ground g;
    switch (head->op) {
    case Q_EACH_OCC:
    case Q_BEGIN_OCC:
    case Q_BEGIN_RUN_OCC: ask_ground(s, a, OF_SITE, element, all_pieces(s), false); break;
    case Q_EACH_EMPTY:
    case Q_BEGIN_EMPTY:
    case Q_BEGIN_RUN_EMPTY: ask_ground(s, a, OF_SITE, element, all_pieces(s), true); break;
    case Q_BEGIN_MORE:
    case Q_BEGIN_RUN_MORE:
        if (more_ground(s, head, element, &g))
            ask_ground(s, a, OF_SITE, element, g, false);
        else
            s->fits = false;
        break;
    case Q_EACH_KIND:
        if (value(s, w, head->w[6], &k) && is_kind(s->im->p, k))
            ask_ground(s, a, OF_SITE, element, of_kind(s, k), false);
        else
            s->fits = false;
        break;
    default: s->fits = false;
    }
}

// ---- following -----------------------------------------------------------------------------------

static void follow(Search *s, Way w, int i);

static void answered(Search *s, const Way *w, const Asking *a, bool yes, int to) {
    Way on = *w;
    on.question = (int)(a - s->asking);
    on.yes = yes;
    if (s->fits) follow(s, on, to);
}

static void follow_branch(Search *s, const Way *w, int i) {
    const Ins *ins = &s->im->ins[i];
    bool contrary;
    Asking *a = asking(s, i);
    if (!a) return;
    lead(s, w, (int)(a - s->asking));
    ask_branch(s, w, a, ins, &contrary);
    Told told = a->told[s->n];
    int to = ins->w[ins_target(ins->op)];
    if (told != TOLD_NO) answered(s, w, a, true, contrary ? ins->next : to);
    if (told != TOLD_YES) answered(s, w, a, false, contrary ? to : ins->next);
}

// A round of a loop with an element, from its head on.
static void follow_round(Search *s, Way w, const Ins *head, Cell element) {
    Asking *a = NULL;
    set(s, &w, head->w[1], NULL);
    set(s, &w, head->w[2], &element);
    if (head->op != Q_ITER_LIST && head->op != Q_BEGIN_LIST) {
        a = asking(s, (int)(head - s->im->ins));
        if (!a) return;
        lead(s, &w, (int)(a - s->asking));
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
        if (!begins || !value(s, w, head->w[0], &list) || !value(s, w, head->w[1], &at) ||
            at != 0 || !is_list(s->im->p, list))
            return false;
        d->list = &s->im->p->lists[list];
    }
    d->n = d->list->n;
    return true;
}

static Cell element_of(const Domain *d, int i) { return d->list ? d->list->at[i] : d->low + i; }

static bool is_loop_of(const Ins *ins, const Ins *head) {
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
    lead(s, w, NOT_FOUND);
}

static void find(Search *s, const Way *w, const Ins *cand) {
    const Alternative *a = &s->im->p->alternatives[cand->w[0]];
    const int next = ins_at(s->im, cand->next);
    const Ins *again = &s->im->ins[next < 0 ? 0 : next], *head = s->inner ? s->inner : s->outer;
    s->fits &= next >= 0 && (!s->cand || s->cand == cand) && a->nvars <= ASKED_VALUES &&
               is_head(again) && is_loop_of(again, head) && w->within == (s->inner != NULL);
    if (!s->fits) return;
    s->cand = cand;
    for (int k = 0; k < a->nvars && s->fits; k++) {
        Cell v;
        s->fits &= value(s, w, a->cells[k], &v);
        int16_t *to = &s->values[s->n * ASKED_VALUES + k];
        s->fits &= !s->found || *to == v;
        *to = (int16_t)v;
    }
    s->found = true;
    come_again(s, again);
    lead(s, w, FOUND);
}

static void work_out(Search *s, Way *w, const Ins *ins) {
    const char *kinds = quick_kinds[ins->op];
    int32_t v[4], r;
    int n = 0;
    bool known = ins_folds(ins->op);
    for (int o = 0; kinds[o] && known; o++)
        if (kinds[o] == 'u') known &= value(s, w, ins->w[o], &v[n++]);
    known = known && ins_fold(s->im, ins, v, &r);
    set(s, w, ins->w[0], known ? &r : NULL);
}

static void follow(Search *s, Way w, int i) {
    while (s->fits) {
        i = ins_at(s->im, i);
        s->fits &= i >= 0 && ++s->work < WORK_MOST;
        if (!s->fits) return;
        const Ins *ins = &s->im->ins[i];
        s->seen[i] = s->number;
        if (is_head(ins)) {
            follow_head(s, &w, ins);
            return;
        }
        if (ins->op >= Q_CAND && ins->op <= Q_CAND2) {
            find(s, &w, ins);
            return;
        }
        if (ins_target(ins->op) >= 0) {
            follow_branch(s, &w, i);
            return;
        }
        s->fits &= live_only_gives(s->im, ins);
        if (s->fits) work_out(s, &w, ins);
        i = ins->next;
    }
}

// ---- searches ------------------------------------------------------------------------------------

static void next_element(Search *s, Cell outer) {
    Way w = {.question = -1};
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

// What is the same for all is so in each round; what the search leaves in cells nobody asks for.
static bool keeps_to_itself(const Search *s) {
    const Alternative *a = &s->im->p->alternatives[s->cand->w[0]];
    int exit = s->outer->w[ins_target(s->outer->op) + 1];
    for (int i = 0; i < s->nasking; i++) {
        const Asking *q = &s->asking[i];
        if (q->celled && (q->grounded || is_written(s, q->a) || is_written(s, q->b))) return false;
    }
    for (int i = 0; i < s->nwritten; i++) {
        bool chosen = false;
        for (int k = 0; k < a->nvars; k++) chosen |= s->written[i] == a->cells[k];
        if (!chosen && live_is_wanted(s->live, ins_at(s->im, exit), s->written[i])) return false;
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
    return s->fits && s->cand && s->n > 0 && keeps_to_itself(s) && rounds_are_alike(s);
}
