// Loops and turns, and whether they can end.

#include "checker.h"

#include "doubts.h"
#include "forms.h"

static bool check_limits(World *w, Node *n, const char *who) {
    Node *limit = key_value(n, "limit"), *at_limit = key_value(n, "at-limit");
    if (limit && !check_wanted(w, limit, "number", arena_printf(w->arena, "%s limit:", who)))
        return false;
    if (at_limit) check_statement(w, at_limit);
    return true;
}

// Whether the loop's own statements can leave it: (break), the end of the game, (leave)... `turns`: they are turns,
// which (retire ...) leads out of as well.
static bool can_leave(const Node *n, bool turns) {
    // The next turn is no way out of the turns.
    bool next_turn = n->ludeme == L_AGAIN || n->ludeme == L_PASS || n->ludeme == L_DONE;
    if (n->kind == NODE_LIST && n->type == T_ERROR) return true; // who knows what it was to be
    if (n->kind == NODE_LIST && never_returns(n) && !(turns && next_turn)) return true;
    if (n->kind == NODE_LIST && turns && n->ludeme == L_RETIRE) return true;
    for (uint32_t i = 0; i < n->nkids; i++)
        if (can_leave(n->kids[i], turns)) return true;
    return n->kind == NODE_ERROR;
}

Type check_while(World *w, Node *n) {
    static const char *const keys[] = {"limit", "at-limit"};
    if (!known_keys(w, n, keys, 2)) return fail(n);
    uint32_t test = next_plain(n, 0);
    if (!test) return shape(w, n, n, "(while TRUTH STATEMENT...) needs a truth and what is done");
    order_condition(w, n, test, next_plain(n, test));
    check_wanted(w, n->kids[test], "truth", "while");
    check_limits(w, n, "while");
    uint32_t body = next_plain(n, test);
    if (!body) return shape(w, n, n, "(while TRUTH STATEMENT...) needs something to do");
    check_body(w, n, body, "while");
    n->effect = effect_of_kids(n) > EFFECT_NAMES ? effect_of_kids(n) : EFFECT_NAMES;
    n->type = T_NOTHING;
    if (n->kids[test]->ludeme == L_YES && !key_value(n, "limit") && n->effect < EFFECT_DECIDES &&
        !can_leave(n, false))
        report_at(w->diags, w->script, E_NEVER_ASKS, n,
                  "this loop never ends: it asks nobody, its condition always holds, and nothing "
                  "leaves it");
    if (!can_leave(n, false)) doubt_loop(w, n, n->kids[test]);
    return T_NOTHING;
}

Type check_repeat(World *w, Node *n) {
    static const char *const keys[] = {"until", "limit", "at-limit"};
    if (!known_keys(w, n, keys, 3)) return fail(n);
    uint32_t first = next_plain(n, 0);
    if (first && n->kids[first]->kind == NODE_NUMBER) {
        int d = report_at(w->diags, w->script, E_SHAPE, n->kids[first],
                          "`repeat` is told by `until:` how long it goes on");
        diag_mend(w->diags, d, "so many rounds: (for n in: 1..%s STATEMENT...)",
                  text_of(w, n->kids[first]));
        return fail(n);
    }
    check_body(w, n, 1, "repeat");
    check_limits(w, n, "repeat");
    Node *until = key_value(n, "until");
    if (until) check_wanted(w, until, "truth", "repeat until:");
    n->effect = effect_of_kids(n) > EFFECT_NAMES ? effect_of_kids(n) : EFFECT_NAMES;
    n->type = T_NOTHING;
    if (!until && !key_value(n, "limit") && n->effect < EFFECT_DECIDES && !can_leave(n, false))
        report_at(w->diags, w->script, E_NEVER_ASKS, n,
                  "this loop never ends: it asks nobody, and has neither `until:` nor `limit:` nor "
                  "(break)");
    if (until && !can_leave(n, false)) doubt_loop(w, n, until);
    bool open = !until && !key_value(n, "limit");
    if (open && n->effect == EFFECT_DECIDES) doubt_rounds(w, n, can_leave(n, false));
    return n->type = T_NOTHING;
}

Type check_turns(World *w, Node *n) {
    static const char *const keys[] = {"from", "next", "all-pass"};
    if (!known_keys(w, n, keys, 3)) return fail(n);
    Node *from = key_value(n, "from"), *next = key_value(n, "next"),
         *all_pass = key_value(n, "all-pass");
    if (from) check_wanted(w, from, "player", "turns from:");
    check_body(w, n, 1, "turns");
    if (next) check_wanted(w, next, "player", "turns next:");
    if (all_pass) check_statement(w, all_pass);
    n->effect = effect_of_kids(n) > EFFECT_DOES ? EFFECT_DECIDES : EFFECT_DOES;
    n->type = T_NOTHING;
    if (n->effect < EFFECT_DECIDES && next_plain(n, 0) && !can_leave(n, true))
        report_at(
            w->diags, w->script, E_NEVER_ASKS, n,
            "these turns never end: they ask nobody, and nothing ends the game or leaves them");
    if (n->effect == EFFECT_DECIDES) doubt_rounds(w, n, can_leave(n, true));
    return n->type = T_NOTHING;
}
