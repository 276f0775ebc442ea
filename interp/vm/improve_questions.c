// What a search asks of an element, with what is known on the way to the question.
#include "improve_asked.h"

#include "ask.h"

static const Cell *constant(const Search *s, int cell) { return q_constant_at(s->im->q, cell); }

// ---- ways ----------------------------------------------------------------------------------------

int way_place(const Way *w, int cell) {
    for (int i = 0; i < w->n; i++)
        if (w->cells[i].cell == cell) return i;
    return -1;
}

void way_set(Search *s, Way *w, Written written) {
    const int cell = written.cell;
    int i = way_place(w, cell);
    if ((i < 0 && w->n == CELLS_MOST) || cell == s->by) {
        s->fits = false;
        return;
    }
    w->cells[i < 0 ? w->n++ : i] = written;
    i = 0;
    while (i < s->nwritten && s->written[i] != cell) i++;
    if (i == CELLS_MOST)
        s->fits = false;
    else if (i == s->nwritten)
        s->written[s->nwritten++] = cell;
}

bool way_value(const Search *s, const Way *w, int cell, Cell *v) {
    const Cell *k = cell == s->by ? &s->by_value : constant(s, cell);
    int i = k ? -1 : way_place(w, cell);
    if (!k && (i < 0 || !w->cells[i].known)) return false;
    *v = k ? *k : w->cells[i].value;
    return true;
}

// A cell to compare, the same for all elements: one that nothing in the search writes. -1: there is none.
static int same_for_all(const Search *s, const Way *w, int cell) {
    Cell v;
    if (way_value(s, w, cell, &v)) return q_constant(s->im->q, v);
    return way_place(w, cell) < 0 ? cell : -1;
}

// ---- questions -----------------------------------------------------------------------------------

void way_lead(Search *s, const Way *w, int to) {
    int *next = w->question < 0 ? &s->first : &s->asking[w->question].next[w->yes];
    s->fits &= *next < 0 || *next == to;
    *next = to;
}

Asking *way_asking(Search *s, int ins) {
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

enum { AS_LESS = 1, AS_EQUAL = 2, AS_GREATER = 4 };

// What a branch asks of two cells, or of one and 0.
static unsigned asked_holds(QuickOp op) {
    switch (op) {
    case Q_JZ:
    case Q_JEQ: return AS_EQUAL;
    case Q_JNZ:
    case Q_JNE: return AS_LESS | AS_GREATER;
    case Q_JLT: return AS_LESS;
    default: return AS_LESS | AS_EQUAL;
    }
}

// About cells that are the same for all elements.
static void ask_cells(Search *s, const Way *w, Asking *a, const Ins *ins) {
    const bool one = ins->op == Q_JZ || ins->op == Q_JNZ;
    const int from = same_for_all(s, w, ins->w[0]);
    const int to = one ? q_constant(s->im->q, 0) : same_for_all(s, w, ins->w[1]);
    if (from < 0 || to < 0) {
        s->fits = false;
        return;
    }
    s->fits &= !a->celled || (a->a == from && a->b == to);
    a->celled = true;
    a->holds = asked_holds(ins->op);
    a->a = from;
    a->b = to;
    tell(s, a, OF_CELLS, 0);
}

// Whether a cell that is the same for all holds a value that is the element's own.
static bool ask_value(Search *s, const Way *w, Asking *a, const Ins *ins, bool *contrary) {
    Cell v, k;
    const bool first = way_value(s, w, ins->w[0], &v), second = way_value(s, w, ins->w[1], &k);
    const int cell = ins->w[first];
    if ((ins->op != Q_JEQ && ins->op != Q_JNE) || first == second || way_place(w, cell) >= 0)
        return false;
    *contrary = ins->op == Q_JNE;
    s->fits &= !a->celled || (a->a == cell && a->b < 0);
    a->celled = true;
    a->holds = AS_EQUAL;
    a->a = cell;
    a->b = -1;
    tell(s, a, OF_VALUE, first ? v : k);
    return true;
}

static const Written *counted(const Way *w, int cell) {
    int i = way_place(w, cell);
    return i >= 0 && w->cells[i].counts ? &w->cells[i] : NULL;
}

// Whether more pieces than a number lie on a site, or not.
static bool ask_counted(Search *s, const Way *w, Asking *a, const Ins *ins) {
    const bool one = ins->op == Q_JZ || ins->op == Q_JNZ,
               equal = ins->op == Q_JEQ || ins->op == Q_JNE;
    const Written *count = counted(w, ins->w[0]);
    const bool first = count != NULL;
    if (!count && !one) count = counted(w, ins->w[1]);
    Cell k = 0;
    if (!count || (!one && !way_value(s, w, ins->w[first], &k)) || (equal && k != 0)) return false;
    bool fewer = ins->op == Q_JZ || ins->op == Q_JEQ;
    if (ins->op == Q_JLT || ins->op == Q_JLE) {
        fewer = first;
        if ((ins->op == Q_JLT) == first) k--;
    }
    Ground ground = count->ground;
    ground.floor = k;
    ask_ground(s, a, OF_SITE, count->value, ground, fewer);
    return true;
}

// About the first site of a list where something lies: whether it is in its place `at`, or there or `later`.
static void ask_first(Search *s, Asking *a, const Ins *head, int at, bool later) {
    const List *row = &s->im->p->lists[head->w[0]];
    Ground g;
    s->fits &= head_ground(s, head, row->at[0], &g) && (!a->row || a->row == row);
    s->fits &= !a->grounded && !a->celled;
    a->row = row;
    a->later = later;
    a->ground = g;
    tell(s, a, OF_FIRST, at);
}

// How many elements of the list come before those that are in the other, if these are all that come then. -1: they
// are not.
static int before_those_in(const List *list, const List *in) {
    int n = 0;
    while (n < list->n && list_position(in, list->at[n]) < 0) n++;
    for (int i = n; i < list->n; i++)
        if (list_position(in, list->at[i]) < 0) return -1;
    return n;
}

static bool is_over_list(const Ins *head) {
    return head->op == Q_BEGIN_MORE || head->op == Q_BEGIN_OCC;
}

// Whether the first one is in a list.
static bool ask_first_in(Search *s, Asking *a, const Ins *in, int step) {
    const Cell *list = constant(s, in->w[2]);
    const int k = before_first(s, in->w[1], step + 1);
    if (k < 0 || !list || !is_list(s->im->p, *list)) return false;
    const Ins *head = &s->im->ins[s->steps[k].ins];
    if (!is_over_list(head)) return false;
    const int n = before_those_in(&s->im->p->lists[head->w[0]], &s->im->p->lists[*list]);
    if (n < 0) return false;
    ask_first(s, a, head, n, true);
    return true;
}

// What a cell held before the search, if that is known: what the search or a step before it writes there is something else.
static bool value_before(const Search *s, const Way *w, int cell, Cell *v) {
    return way_place(w, cell) < 0 && (cell != s->by || before_step(s, cell) < 0) &&
           way_value(s, w, cell, v);
}

// About what was worked out before the search.
static bool ask_before(Search *s, const Way *w, Asking *a, const Ins *ins, bool *contrary) {
    Cell v, k;
    if (s->alone) return false;
    if (ins->op == Q_JEQ || ins->op == Q_JNE) {
        const bool second = way_value(s, w, ins->w[0], &v);
        const int cell = ins->w[second];
        if (!second && !way_value(s, w, ins->w[1], &v)) return false;
        const int step = way_place(w, cell) < 0 ? before_first(s, cell, 0) : -1;
        if (step < 0 || !is_over_list(&s->im->ins[s->steps[step].ins])) return false;
        const Ins *head = &s->im->ins[s->steps[step].ins];
        const int at = list_position(&s->im->p->lists[head->w[0]], v);
        *contrary = ins->op == Q_JNE;
        if (at < 0)
            tell(s, a, TOLD_NO, 0);
        else
            ask_first(s, a, head, at, false);
        return true;
    }
    if ((ins->op != Q_JZ && ins->op != Q_JNZ) || way_place(w, ins->w[0]) >= 0) return false;
    const int step = before_step(s, ins->w[0]);
    if (step < 0 || s->steps[step].none >= 0) return false;
    const Ins *def = &s->im->ins[s->steps[step].ins];
    switch (def->op) {
    case Q_EMPTY:
    case Q_OCCUPIED:
        if (!value_before(s, w, def->w[1], &v) || !is_site(s->im->p, v)) return false;
        ask_ground(s, a, OF_SITE, v, all_pieces(s), def->op == Q_EMPTY);
        break;
    case Q_EMPTY_KIND:
        if (!value_before(s, w, def->w[1], &v) || !is_site(s->im->p, v) ||
            !value_before(s, w, def->w[2], &k) || !is_kind(s->im->p, k))
            return false;
        ask_ground(s, a, OF_SITE, v, of_kind(s, k), true);
        break;
    case Q_IN:
        if (!ask_first_in(s, a, def, step)) return false;
        break;
    default: return false;
    }
    s->steps[step].used = true;
    *contrary = ins->op == Q_JZ;
    return true;
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

void ask_branch(Search *s, const Way *w, Asking *a, const Ins *ins, bool *contrary) {
    const Program *p = s->im->p;
    Cell v = 0, k = 0;
    bool known = way_value(s, w, ins->w[0], &v);
    *contrary = false;
    switch (ins->op) {
    case Q_JZ:
    case Q_JNZ:
    case Q_JEQ:
    case Q_JNE:
    case Q_JLT:
    case Q_JLE:
        if (ins->op == Q_JZ || ins->op == Q_JNZ || way_value(s, w, ins->w[1], &k))
            known &= true;
        else
            known = false;
        if (known)
            tell(s, a, compared(ins->op, v, k) ? TOLD_YES : TOLD_NO, 0);
        else if (!ask_counted(s, w, a, ins) && !ask_before(s, w, a, ins, contrary) &&
                 !ask_value(s, w, a, ins, contrary))
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
        known &= way_value(s, w, ins->w[1], &k) && is_list(p, k);
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
        known &= way_value(s, w, ins->w[1], &k) && is_kind(p, k);
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
    int other = 1; // a list may hold one thing several times
    while (other < list->n && list->at[other] == list->at[0]) other++;
    if (other < list->n) g->stride = (column[other] - column[0]) / (list->at[other] - list->at[0]);
    g->first = column[i] - g->stride * element;
    return true;
}

void ask_head(Search *s, const Way *w, Asking *a, const Ins *head, Cell element) {
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
        if (way_value(s, w, head->w[6], &k) && is_kind(s->im->p, k))
            ask_ground(s, a, OF_SITE, element, of_kind(s, k), false);
        else
            s->fits = false;
        break;
    default: s->fits = false;
    }
}

bool head_ground(const Search *s, const Ins *head, Cell element, Ground *g) {
    *g = all_pieces(s);
    if (head->op == Q_BEGIN_OCC || head->op == Q_BEGIN_RUN_OCC) return true;
    return (head->op == Q_BEGIN_MORE || head->op == Q_BEGIN_RUN_MORE) &&
           more_ground(s, head, element, g);
}

// ---- counts -------------------------------------------------------------------------------------

bool count_pieces(const Search *s, const Way *w, const Ins *ins, Written *count) {
    Cell kind;
    if (ins->op == Q_COUNT)
        count->ground = all_pieces(s);
    else if (ins->op == Q_COUNT_KIND && way_value(s, w, ins->w[2], &kind) &&
             is_kind(s->im->p, kind))
        count->ground = of_kind(s, kind);
    else
        return false;
    if (!way_value(s, w, ins->w[1], &count->value)) return false;
    count->counts = is_site(s->im->p, count->value);
    count->known = !count->counts;
    if (count->known) count->value = 0;
    return true;
}
