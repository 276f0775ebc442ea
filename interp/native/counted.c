// Candidates that are only counted.
//
// Where a search finds elements of lists and nothing else, and has them as bits, they are only written down when somebody wants
// to see them. They come in parts: one for each round of the loops around, which are written out. Other values of
// theirs are the same for all of a part, and are kept beside its bits.
#include "step.h"
#include "translator.h"

static Counted *in_hand(const Translator *t) { return &t->counted[for_mover(t, t->finding)]; }

static const char *bits_of(Translator *t, int part) {
    return phrase(t, "q%d_%d", t->finding, part);
}

// Which part the place in hand finds, of how many.
static int part_here(const Translator *t, int *parts) {
    int part = 0;
    *parts = 1;
    for (int k = t->context; t->contexts[k].parent >= 0; k = t->contexts[k].parent) {
        part += t->contexts[k].round * *parts;
        *parts *= t->contexts[k].rounds;
        if (*parts > PARTS_MAX) break;
    }
    return part;
}

bool offers_once(const Translator *t) {
    int offers = 0;
    for (int pc = next_pc(t, t->searched); t->p->code[pc] != OP_DECIDE; pc = next_pc(t, pc))
        offers += t->p->code[pc] == OP_CAND || t->p->code[pc] == OP_LOT;
    return offers == 1;
}

bool may_be_counted(const Translator *t, const Mask *m, int elements) {
    int parts = 0;
    if (!t->alone[m->alternative] || in_hand(t)->listed || in_loop(t)) return false;
    part_here(t, &parts);
    if (parts > PARTS_MAX || parts * elements > STEP_ROOM)
        return false; // which is sure to be there
    return offers_once(t);
}

void begin_counting(Translator *t, int decision) {
    t->finding = decision;
    Counted *c = in_hand(t);
    c->found = 0;
    begin_marking(t, decision);
    for (int k = 0; k < PARTS_MAX; k++) // perhaps the search does not come by its loop
        if (c->known >> k & 1) say(t, "%s = 0, %sn = 0;", bits_of(t, k), bits_of(t, k));
}

void count_candidates(Translator *t, const Mask *m, const char *bits) {
    const Alternative *a = &t->p->alternatives[m->alternative];
    Counted *c = in_hand(t);
    int parts, part = part_here(t, &parts);
    const char *name = bits_of(t, part);
    refuse_marks(t);
    t->changed |= !(c->known >> part & 1);
    c->known |= 1u << part;
    c->found |= 1u << part;
    c->looked_up |= m->count != NULL;
    if (m->elements->n > c->elements) c->elements = m->elements->n;
    say(t, "%s = %s;", name, bits);
    say(t, "%sn = (size_t)%s;", name, m->count ? m->count : ones_text(t, bits, m->elements->n));
    say(t, parts == 1 ? "n = %sn;" : "n += %sn;", name);
    for (int i = 0; i < a->nvars; i++) {
        c->values[part][i] = m->values[i];
        if (!m->values[i]) say(t, "%sv%d = %s;", name, i, cell_text(t, a->cells[i]));
        note_values(t, m->alternative, i, m->values[i] ? m->ranges[i] : cell_range(t, a->cells[i]));
    }
    t->offered[for_mover(t, m->alternative)] = true;
}

// Found elsewhere in the search: then all are.
void candidate_listed(Translator *t) {
    Counted *c = in_hand(t);
    if (t->spots[t->pc].would >= 0 || !c->known) return;
    c->known = 0;
    c->listed = t->changed = true;
}

bool counted_anew(Translator *t) {
    bool any = false;
    for (int i = 0; i < t->p->ndecisions * VARIANTS_MAX; i++) {
        any |= t->counted[i].listed;
        t->counted[i].listed = false;
    }
    return any;
}

bool are_counted(const Translator *t) { return in_hand(t)->found != 0; }

void list_counted(Translator *t, int alternative) {
    const Counted *c = in_hand(t);
    say(t, "size_t k = 0;");
    for (int part = 0; part < PARTS_MAX; part++) {
        if (!(c->found >> part & 1)) continue;
        const char *name = bits_of(t, part);
        say(t, "for (; %s; %s &= %s - 1, k++) {", name, name, name);
        for (int i = 0; i < t->p->alternatives[alternative].nvars; i++)
            if (c->values[part][i])
                say(t, "list[k].values[%d] = %s[lowest(%s)];", i, c->values[part][i], name);
            else
                say(t, "list[k].values[%d] = (int16_t)%sv%d;", i, name, i);
        say(t, "}");
    }
}

// The value of this part: an array in which the element is looked up, or what was kept.
static const char *value_text(Translator *t, const Counted *c, int part, int i) {
    return c->values[part][i] ? c->values[part][i] : phrase(t, "%sv%d", bits_of(t, part), i);
}

// In which part the picked one is nobody can foretell, so that there is no jump.
void take_counted(Translator *t, int alternative) {
    const Alternative *a = &t->p->alternatives[alternative];
    const Counted *c = in_hand(t);
    int first = 0;
    while (!(c->found >> first & 1)) first++;
    say(t, "{");
    say(t, "uint64_t bits = %s, over = 0;", bits_of(t, first));
    say(t, "size_t before = 0, next = %sn;", bits_of(t, first));
    say(t, "(void)over, (void)before, (void)next;"); // of a single part
    for (int i = 0; i < a->nvars; i++)
        say(t, c->values[first][i] ? "const int16_t *from%d = %s;" : "int32_t value%d = %s;", i,
            value_text(t, c, first, i));
    for (int part = first + 1; part < PARTS_MAX; part++) {
        if (!(c->found >> part & 1)) continue;
        const char *name = bits_of(t, part);
        say(t, "over = -(uint64_t)(pick >= next);");
        say(t, "bits ^= (bits ^ %s) & over, before += (next - before) & over, next += %sn;", name,
            name);
        for (int i = 0; i < a->nvars; i++)
            if (!c->values[part][i])
                say(t, "value%d ^= (value%d ^ %sv%d) & (int32_t)over;", i, i, name, i);
    }
    // Half of what nth_of_32 does was done when they were counted.
    bool without_jump = !c->looked_up && c->elements > 16 && c->elements <= 32;
    say(t, "pick = (size_t)%s(bits, pick - before);", without_jump ? "nth_of_32" : "nth_one");
    for (int i = 0; i < a->nvars; i++)
        say(t, c->values[first][i] ? "%s = from%d[pick];" : "%s = value%d;",
            cell_text(t, a->cells[i]), i);
    say(t, "}");
}

void declare_counted(Translator *t) {
    for (int d = 0; d < t->p->ndecisions; d++)
        for (int part = 0; part < PARTS_MAX; part++) {
            const Counted *c = &t->counted[d * VARIANTS_MAX];
            if (!((c[0].known | c[1].known) >> part & 1)) continue;
            t->finding = d;
            const char *name = bits_of(t, part);
            say(t, "uint64_t %s = 0; (void)%s;", name, name);
            say(t, "size_t %sn = 0; (void)%sn;", name, name);
            for (int i = 0; i < COUNTED_VALUES; i++)
                say(t, "int32_t %sv%d = 0; (void)%sv%d;", name, i, name, i);
        }
}
