// (dice ...): the outcomes of a throw and how often each comes.

#include "equip.h"

#include "check.h"
#include "eval.h"
#include "forms.h"

#include <string.h>

enum { DICE_MAX = 8, OUTCOMES_MAX = 20000, COMBINATIONS_MAX = 2000000, FACES_MAX = 200 };

typedef enum Told { TOLD_SUM, TOLD_EACH, TOLD_SORTED } Told;

typedef struct Outcomes {
    VEC(int16_t) values;
    VEC(uint32_t) weights;
    int width;
    int *of_sum; // by sum - CELL_MIN: the outcome's number + 1; NULL for dice told apart
} Outcomes;

static void add_outcome(World *w, Outcomes *o, const int *values, uint32_t weight) {
    if (o->of_sum) {
        int *at = &o->of_sum[values[0] - CELL_MIN];
        if (*at) {
            o->weights.at[*at - 1] += weight;
            return;
        }
        *at = (int)o->weights.n + 1;
    }
    for (size_t i = 0; !o->of_sum && i < o->weights.n; i++) {
        bool same = true;
        for (int k = 0; same && k < o->width; k++)
            same = o->values.at[i * (size_t)o->width + (size_t)k] == values[k];
        if (!same) continue;
        o->weights.at[i] += weight;
        return;
    }
    for (int k = 0; k < o->width; k++) vec_push(w->arena, &o->values, (int16_t)values[k]);
    vec_push(w->arena, &o->weights, weight);
}

// Goes through all combinations of faces like a counter.
static void throw_all(World *w, List faces, const uint32_t *weights, int count, Told told,
                      Outcomes *o) {
    int face[DICE_MAX] = {0};
    o->width = told == TOLD_SUM ? 1 : count;
    if (told == TOLD_SUM)
        o->of_sum = arena_array(w->arena, (size_t)(CELL_MAX - CELL_MIN + 1), sizeof(int));
    for (;;) {
        int values[DICE_MAX] = {0}, sum = 0;
        uint32_t weight = 1;
        for (int i = 0; i < count; i++) {
            values[i] = faces.at[face[i]];
            sum += values[i];
            weight *= weights[face[i]];
        }
        if (told == TOLD_SORTED)
            for (int i = 0; i < count; i++)
                for (int k = i + 1; k < count; k++)
                    if (values[k] > values[i]) {
                        int v = values[i];
                        values[i] = values[k];
                        values[k] = v;
                    }
        if (sum > CELL_MAX || sum < CELL_MIN) return; // reported by the caller
        if (told == TOLD_SUM) values[0] = sum;
        add_outcome(w, o, values, weight);
        int i = count - 1;
        while (i >= 0 && ++face[i] == faces.n) face[i--] = 0;
        if (i < 0) return;
    }
}

// Outcomes in rising order, whatever order the faces were given in.
static void sort_outcomes(Outcomes *o) {
    size_t width = (size_t)o->width;
    for (size_t i = 1; i < o->weights.n; i++)
        for (size_t k = i; k > 0; k--) {
            int16_t *a = &o->values.at[(k - 1) * width], *b = &o->values.at[k * width];
            int order = 0;
            for (size_t v = 0; v < width && order == 0; v++) order = (a[v] > b[v]) - (a[v] < b[v]);
            if (order <= 0) break;
            for (size_t v = 0; v < width; v++) {
                int16_t t = a[v];
                a[v] = b[v];
                b[v] = t;
            }
            uint32_t t = o->weights.at[k - 1];
            o->weights.at[k - 1] = o->weights.at[k];
            o->weights.at[k] = t;
        }
}

static bool read_weights(World *w, Node *form, List faces, int count, uint32_t *weights) {
    Node *given = key_value(form, "weights");
    for (int i = 0; i < faces.n; i++) weights[i] = 1;
    if (!given) return true;
    int list;
    if (!read_constant(w, given, "list", "dice weights:", &list)) return false;
    List l = w->lists.at[list];
    uint64_t sum = 0, all = 1;
    if (given->type != (T_LIST | T_NUMBER) || l.n != faces.n) {
        wrong(w, given,
              arena_printf(w->arena, "`weights:` has a number for each of the %d faces", faces.n));
        return false;
    }
    for (int i = 0; i < l.n; i++) {
        if (l.at[i] < 1) {
            wrong(w, given, "a weight is 1 or more");
            return false;
        }
        weights[i] = (uint32_t)l.at[i];
        sum += weights[i];
    }
    for (int i = 0; i < count && all <= UINT32_MAX; i++) all *= sum;
    if (all <= UINT32_MAX) return true;
    wrong(w, given, "the weights are too large to be multiplied");
    return false;
}

// `reads:` gives each sum, from the least to the greatest, the number it counts as.
static bool read_outcomes(World *w, const Node *form, Outcomes *o, Told how) {
    Node *reads = key_value(form, "reads");
    int list;
    if (!reads) return true;
    if (how != TOLD_SUM) {
        wrong(w, reads, "`reads:` is for sums, not for dice told apart");
        return false;
    }
    if (!read_constant(w, reads, "list", "dice reads:", &list)) return false;
    List l = w->lists.at[list];
    if (reads->type != (T_LIST | T_NUMBER) || (size_t)l.n != o->weights.n) {
        wrong(
            w, reads,
            arena_printf(w->arena, "`reads:` has a number for each of the %zu sums", o->weights.n));
        return false;
    }
    Outcomes renamed = {.width = 1};
    for (int i = 0; i < l.n; i++) add_outcome(w, &renamed, &(int){l.at[i]}, o->weights.at[i]);
    sort_outcomes(&renamed);
    *o = renamed;
    return true;
}

void equip_dice(World *w, const Item *item) {
    static const char *const keys[] = {"faces", "count", "weights", "told", "reads"};
    Node *form = item->node;
    for (uint32_t i = 2; i < form->nkids; i++) {
        const Node *kid = form->kids[i];
        bool known = false;
        for (int k = 0; k < 5 && kid->kind == NODE_KEY; k++)
            known |= strcmp(keys[k], kid->text) == 0;
        if (kid->kind == NODE_STRING) continue;
        if (!known || i + 1 >= form->nkids) {
            if (kid->kind == NODE_KEY) {
                int d = report_at(w->diags, w->script, E_UNKNOWN_KEY, kid, "dice", kid->text);
                const char *near = nearest_name(kid->text, keys, 5);
                if (near) diag_meant(w->diags, d, "%s:", near);
            } else {
                wrong(w, kid,
                      "dice are (dice NAME faces: LIST [count: N] [weights: {...}] [told: sum | "
                      "each | sorted])");
            }
            return;
        }
        i++;
    }
    Node *faces = key_value(form, "faces"), *count = key_value(form, "count"),
         *told = key_value(form, "told");
    int list, n = 1;
    if (!faces) {
        report_at(w->diags, w->script, E_MISSING_KEY, form, "dice", "faces");
        return;
    }
    if (faces->kind == NODE_NUMBER) {
        int d = report_at(w->diags, w->script, E_TYPE, faces, "dice faces:", "a list", "a number");
        diag_mend(w->diags, d, "its faces are a list: faces: 1..%ld", faces->number);
        return;
    }
    if (!read_constant(w, faces, "list", "dice faces:", &list)) return;
    if (count && !read_constant(w, count, "number", "dice count:", &n)) return;
    List l = w->lists.at[list];
    if (faces->type != (T_LIST | T_NUMBER) || l.n == 0) {
        wrong(w, faces, "`faces:` takes numbers: 1..6, or {0 1 1 2}");
        return;
    }
    if (l.n > FACES_MAX) {
        report_at(w->diags, w->script, E_LIMIT, faces, "faces of a die", FACES_MAX);
        return;
    }
    if (n < 1 || n > DICE_MAX) {
        report_at(w->diags, w->script, E_SIZE, count ? count : form, "`count`", 1, DICE_MAX);
        return;
    }
    Told how = TOLD_SUM;
    if (told) {
        const char *text = told->kind == NODE_NAME ? told->text : "";
        how = strcmp(text, "each") == 0     ? TOLD_EACH
              : strcmp(text, "sorted") == 0 ? TOLD_SORTED
                                            : TOLD_SUM;
        if (how == TOLD_SUM && strcmp(text, "sum") != 0) {
            wrong(w, told, "`told:` is sum, each or sorted");
            return;
        }
    }
    if (how != TOLD_SUM && n > CHOOSE_VARS) {
        report_at(w->diags, w->script, E_SIZE, count, "`count` of dice told apart", 1, CHOOSE_VARS);
        return;
    }
    double combinations = 1;
    for (int i = 0; i < n; i++) combinations *= l.n;
    if (combinations > (how == TOLD_SUM ? COMBINATIONS_MAX : OUTCOMES_MAX)) {
        report_at(w->diags, w->script, E_LIMIT, form, "outcomes of a throw",
                  how == TOLD_SUM ? COMBINATIONS_MAX : OUTCOMES_MAX);
        return;
    }
    for (int i = 0; i < l.n; i++) {
        if (l.at[i] * n <= CELL_MAX && l.at[i] * n >= CELL_MIN) continue;
        report_at(w->diags, w->script, E_SIZE, faces, "what the dice give together", CELL_MIN,
                  CELL_MAX);
        return;
    }
    uint32_t *weights = arena_array(w->arena, (size_t)l.n, sizeof *weights);
    if (!read_weights(w, form, l, n, weights)) return;
    Outcomes o = {0};
    throw_all(w, l, weights, n, how, &o);
    if (o.weights.n > OUTCOMES_MAX) {
        report_at(w->diags, w->script, E_LIMIT, form, "outcomes of a throw", OUTCOMES_MAX);
        return;
    }
    sort_outcomes(&o);
    if (!read_outcomes(w, form, &o, how)) return;
    Symbol *s = add_symbol(w, item, SYMBOL_DICE);
    if (!s) return;
    s->index = (int)w->dice.n;
    WorldDice d = {.told = how != TOLD_SUM};
    d.dice = (Dice){.name = item->name,
                    .nvalues = o.width,
                    .noutcomes = (int)o.weights.n,
                    .sorted = how == TOLD_SORTED,
                    .outcomes = o.values.at,
                    .weights = o.weights.at};
    vec_push(w->arena, &w->dice, d);
}
