// Dice that are thrown, and the names of those that are told apart.

#include "checker.h"

#include "foreign.h"
#include "forms.h"

#include <string.h>

// The names that a faulty throw does not give, though others wait for them.
static void await_names(World *w, const Node *n, int needed) {
    int given = 0;
    for (uint32_t i = 2; i < n->nkids; i++)
        given += n->kids[i]->ludeme == L_LOCAL && ludeme_find(n->kids[i]->text) == L_UNKNOWN;
    if (needed > given) w->awaited += needed - given;
}

static uint32_t names_of_throw(const Node *n) {
    uint32_t count = 0;
    for (uint32_t i = 2; i < n->nkids; i++) count += n->kids[i]->kind != NODE_KEY;
    return count;
}

// The throw as it is to be written, with the names it has and others for those it lacks.
static const char *throw_with_keys(World *w, const Node *n, Node *const *names, int values) {
    static const char *const two[] = {"high", "low"}, *const more[] = {"a", "b", "c",
                                                                       "d", "e", "f"};
    const char *text = arena_printf(w->arena, "(throw %s", text_of(w, n->kids[1]));
    for (int i = 0; i < values; i++) {
        const char *key = values > 1 ? arena_printf(w->arena, "%s: ", dice_places[i]) : "";
        text = arena_printf(w->arena, "%s %s%s", text, key,
                            names[i]      ? text_of(w, names[i])
                            : values == 2 ? two[i]
                                          : more[i]);
    }
    return arena_printf(w->arena, "%s)", text);
}

// The names by the dice they are for; those without a key have the places that are left, and are `plain`.
static bool read_dice_names(World *w, const Node *n, Node **names, Node **plain) {
    for (uint32_t i = 2, next = 0; i < n->nkids; i++) {
        const Node *key = n->kids[i]->kind == NODE_KEY ? n->kids[i] : NULL;
        if (key && (i + 1 == n->nkids || n->kids[i + 1]->kind == NODE_KEY)) {
            report_at(w->diags, w->script, E_KEY_VALUE, key, key->text);
            return false;
        }
        while (!key && next < CHOOSE_VARS && key_value(n, dice_places[next])) next++;
        uint32_t place = key ? (uint32_t)dice_place(key->text) : next++;
        if (key && place == CHOOSE_VARS) {
            int d = report_at(w->diags, w->script, E_UNKNOWN_KEY, key, "throw", key->text);
            const char *near = nearest_name(key->text, dice_places, CHOOSE_VARS);
            if (near)
                diag_meant(w->diags, d, "%s:", near);
            else
                diag_mend(w->diags, d, "dice are named by `first:`, `second:` and so on");
            return false;
        }
        if (key && names[place]) {
            report_at(w->diags, w->script, E_KEY_TWICE, key, key->text);
            return false;
        }
        if (key) i++;
        if (place < CHOOSE_VARS) names[place] = n->kids[i];
        if (!key && place < CHOOSE_VARS) plain[place] = n->kids[i];
    }
    return true;
}

// Gives each die its name, and leaves the keys away. Where there are several, one without its key is told of.
static bool name_dice(World *w, Node *n, Node **names, Node **plain, int values) {
    const char *lacking = NULL;
    const Node *at = NULL;
    for (int i = 0; i < values; i++) {
        if (names[i] && !plain[i]) continue;
        lacking = lacking ? arena_printf(w->arena, "%s:` and `%s", lacking, dice_places[i])
                          : dice_places[i];
        if (!at) at = plain[i];
    }
    if (lacking && values > 1) {
        int d = report_at(w->diags, w->script, E_MISSING_KEY, at ? at : n, "throw", lacking);
        diag_mend(w->diags, d, "write %s", throw_with_keys(w, n, names, values));
    }
    for (int i = 0; i < values; i++) {
        if (!names[i]) return false;
        n->kids[i + 2] = names[i];
    }
    n->nkids = (uint32_t)values + 2;
    return true;
}

Type check_throw(World *w, Node *n) {
    if (n->nkids < 2 || n->kids[1]->kind == NODE_KEY) {
        report_at(w->diags, w->script, E_TOO_FEW, n, "throw", "the name of dice");
        return fail(n);
    }
    Node *dice = n->kids[1];
    if (dice->kind == NODE_ERROR) return fail(n);
    if (w->dice.n == 0 && dice->kind == NODE_NAME && dice->ludeme != L_LOCAL &&
        world_symbol(w, dice->text) < 0 && !w->script->unknown_items) {
        int d = report_at(w->diags, w->script, E_LACKS, dice, "dice");
        diag_mend(w->diags, d, "add (dice %s faces: 1..6) to the equipment", dice->text);
        return fail(n);
    }
    if (dice->kind == NODE_NAME && dice->ludeme != L_LOCAL && world_symbol(w, dice->text) < 0) {
        unknown_word(w, dice, dice->text);
        return fail(n);
    }
    if (check(w, dice, WANT_VALUE) == T_ERROR) return fail(n);
    if (dice->type != T_DICE) {
        report_at(w->diags, w->script, E_TYPE, dice, "throw", "dice", describe(w, dice));
        if (w->dice.n) await_names(w, n, w->dice.at[0].dice.nvalues);
        return fail(n);
    }
    const WorldDice *d = &w->dice.at[w->symbols.at[dice->ref].index];
    int names = (int)names_of_throw(n);
    n->effect = EFFECT_DECIDES;
    if (w->in_would)
        return shape(w, n, n,
                     "a look-ahead (`would`) cannot throw dice: no one knows how they fall");
    if (names == 0 && !d->told) return n->type = T_NUMBER;
    for (uint32_t i = 2; i < n->nkids; i++)
        if (n->kids[i]->ludeme == L_LOCAL) w->expanded->locals.at[n->kids[i]->ref].type = T_ERROR;
    Node *named[CHOOSE_VARS] = {0}, *plain[CHOOSE_VARS] = {0};
    if (!read_dice_names(w, n, named, plain)) return fail(n);
    if (names != d->dice.nvalues) {
        await_names(w, n, d->dice.nvalues);
        size_t before = w->diags->all.n;
        shape(w, n, n,
              arena_printf(w->arena, "(throw %s ...) needs %d name%s, one for each value it gives",
                           dice->text, d->dice.nvalues, d->dice.nvalues == 1 ? "" : "s"));
        if (w->diags->all.n > before)
            diag_mend(w->diags, (int)before, "%s", throw_with_keys(w, n, named, d->dice.nvalues));
        return fail(n);
    }
    if (!name_dice(w, n, named, plain, names)) return fail(n);
    for (int i = 0; i < names; i++) {
        Node *name = n->kids[i + 2];
        if (name->kind != NODE_NAME || name->ludeme != L_LOCAL)
            return shape(w, n, name, "a name for the die is needed here");
        w->expanded->locals.at[name->ref].type = T_NUMBER;
        name->type = T_NUMBER;
    }
    return n->type = T_NOTHING;
}
