// Statements: set, if, do.

#include "checker.h"

#include "doubts.h"
#include "forms.h"
#include "usage.h"

#include <stdlib.h>
#include <string.h>

// (set mover ...), (set (count a1) 3): what the language keeps itself is changed in other ways.
static void not_set(World *w, const Node *target, LudemeId core) {
    int d = report_at(w->diags, w->script, E_NOT_SET, target, ludemes[core].name,
                      "it belongs to the language");
    switch ((int)core) {
    case L_MOVER:
        diag_mend(w->diags, d,
                  "(turns next: PLAYER ...) says who is up next, (again) keeps the turn, (turn-of "
                  "PLAYER ...) does something with another as the mover");
        return;
    case L_COUNT:
    case L_OCCUPIED:
    case L_EMPTY:
    case L_PIECE_ON:
        diag_mend(
            w->diags, d,
            "pieces come and go: (put 1 PIECE on: SITE), (remove 1 from: SITE), (move 1 from: "
            "SITE to: SITE)");
        return;
    default: diag_mend(w->diags, d, "what the rules keep in mind is a (var NAME ...)");
    }
}

// (set left count end): the brackets of what asks are forgotten.
static bool value_without_brackets(World *w, Node *n) {
    const Node *asks = n->nkids == 4 ? n->kids[2] : NULL;
    if (!asks || asks->kind != NODE_NAME || asks->ludeme == L_LOCAL) return false;
    LudemeId id = ludeme_find(asks->text);
    bool question = id != L_UNKNOWN && ludemes[id].group == ASKING && ludemes[id].form != FORM &&
                    ludemes[id].signature[0] != '\0' && ludemes[id].signature[0] != '[';
    if (!question || n->kids[1]->kind == NODE_ERROR || n->kids[3]->kind == NODE_ERROR) return false;
    int d = report_at(w->diags, w->script, E_SHAPE, asks,
                      arena_printf(w->arena, "`%s` is a ludeme and stands in ( )", asks->text));
    diag_mend(w->diags, d, "(set %s (%s %s))", text_of(w, n->kids[1]), asks->text,
              text_of(w, n->kids[3]));
    return true;
}

// (set kept 0) of a variable of which there are several.
static bool set_without_index(World *w, Node *n) {
    const Node *target = n->kids[1];
    if (target->kind != NODE_NAME || target->ludeme == L_LOCAL) return false;
    int s = world_symbol(w, target->text);
    if (s < 0 || w->symbols.at[s].kind != SYMBOL_VAR) return false;
    const Var *v = &w->vars.at[w->symbols.at[s].index];
    if (v->index_list < 0) return false;
    int d = report_at(w->diags, w->script, E_SHAPE, target,
                      arena_printf(w->arena, "`%s` is one per %s: say which", target->text,
                                   type_name(v->index_type) + 2));
    const char *which = v->index_type == T_PLAYER ? "mover" : "...";
    const Node *set = n->kids[0];
    bool change = source_of(w->script->sources, set->span)->text[set->span.start] == 'c';
    if (change && n->kids[2]->nkids == 3)
        diag_mend(w->diags, d, "(change (%s %s) by: %s)", target->text, which,
                  text_of(w, n->kids[2]->kids[2]));
    else
        diag_mend(w->diags, d, "(set (%s ...) %s), or of all of them (set-all %s %s)", target->text,
                  text_of(w, n->kids[2]), target->text, text_of(w, n->kids[2]));
    usage_set(w->script, target->text);
    return true;
}

// A name that can be given another value.
static bool settable(const World *w, const Node *n) {
    if (n->kind != NODE_NAME || n->ludeme == L_CHOSEN) return false;
    if (n->ludeme == L_LOCAL) {
        const Local *l = &w->expanded->locals.at[n->ref];
        return !l->bound && !l->thrown;
    }
    int s = world_symbol(w, n->text);
    return s >= 0 && w->symbols.at[s].kind == SYMBOL_VAR;
}

// (set NAME VALUE), of a name that a choice, a loop or a throw gives its value.
static bool comes_of_itself(World *w, const Node *n) {
    const Node *target = n->kids[1], *value = n->kids[2];
    const Local *l = &w->expanded->locals.at[target->ref];
    if (!l->bound && !l->thrown) return false;
    const char *name = target->text;
    int d = report_at(w->diags, w->script, E_NOT_SET, target, name,
                      l->chosen   ? "it is what was chosen"
                      : l->thrown ? "it is what was thrown"
                                  : "the form that names it gives it its values");
    diag_label(w->diags, d, l->span, "`%s` is named here", name);
    const Node *of = value->kind == NODE_LIST && value->nkids ? value->kids[0] : value;
    int var = of->kind == NODE_NAME ? world_symbol(w, of->text) : -1;
    if (settable(w, value) || (var >= 0 && w->symbols.at[var].kind == SYMBOL_VAR))
        diag_mend(w->diags, d, "what is set stands first: (set %s %s)", text_of(w, value), name);
    else
        diag_mend(w->diags, d, "what is to change has a name of its own: (let NAME %s)", name);
    return true;
}

// What gets a value, and is not known: a name that is made here, most likely.
static void mend_let(World *w, const Node *target) {
    for (size_t i = w->diags->all.n; i-- > 0;) {
        Diag *d = &w->diags->all.at[i];
        if (d->code != E_UNKNOWN_NAME || d->span.file != target->span.file ||
            d->span.start != target->span.start)
            continue;
        if (d->mend || d->meant) return;
        d->notes.n = 0;
        diag_mend(w->diags, (int)i,
                  "for what follows here: (let %s VALUE); to keep it longer: (var %s ...) among "
                  "the equipment",
                  target->text, target->text);
        return;
    }
}

Type check_set_form(World *w, Node *n, bool all) {
    const char *who = all ? "set-all" : "set";
    if (!all && value_without_brackets(w, n)) return fail(n);
    if (n->nkids == 4 && !all && n->kids[1]->kind == NODE_NAME && n->kids[2]->kind != NODE_ERROR &&
        n->kids[3]->kind != NODE_ERROR && script_find(w->script, L_VAR, n->kids[1]->text)) {
        int d = report_at(w->diags, w->script, E_SHAPE, n,
                          "(set NAME VALUE) takes a name and one value");
        diag_mend(w->diags, d, "(set (%s %s) %s)", n->kids[1]->text, text_of(w, n->kids[2]),
                  text_of(w, n->kids[3]));
        return fail(n);
    }
    if (n->nkids != 3)
        return shape(w, n, n,
                     all ? "(set-all NAME VALUE) takes a variable and one value"
                         : "(set NAME VALUE) takes a name and one value");
    order_set(w, n);
    Node *target = n->kids[1], *value = n->kids[2];
    if (target->kind == NODE_ERROR || (!all && set_without_index(w, n))) return fail(n);
    const char *name = target->kind == NODE_NAME ? target->text : node_head(target);
    if (target->ludeme == L_CHOSEN) {
        name = w->expanded->options.at[target->ref].name;
        report_at(w->diags, w->script, E_NOT_SET, target, name,
                  "it is an option, and options are settled before the game");
        return fail(n);
    }
    Type t = T_ERROR;
    int words = -1;
    if (target->kind == NODE_NAME && target->ludeme == L_LOCAL) {
        t = w->expanded->locals.at[target->ref].type;
        target->type = (uint8_t)t;
        if ((t & T_LIST) && t != T_ERROR) {
            report_at(w->diags, w->script, E_NOT_SET, target, target->text, "it stands for a list");
            return fail(n);
        }
        if (comes_of_itself(w, n)) return fail(n);
    } else {
        int s = name ? world_symbol(w, name) : -1;
        if (s >= 0 && w->symbols.at[s].kind == SYMBOL_LOST) return fail(n);
        if (s < 0 || w->symbols.at[s].kind != SYMBOL_VAR) {
            LudemeId core = name ? ludeme_find(name) : L_UNKNOWN;
            if (s < 0 && core != L_UNKNOWN)
                not_set(w, target, core);
            else if (s >= 0)
                report_at(w->diags, w->script, E_NOT_SET, target, name, "it is no variable");
            else if (target->kind == NODE_NAME) {
                unknown_name(w, target);
                mend_let(w, target);
            } else if (name)
                unknown_word(w, target, name);
            else
                shape(w, n, target, "(set NAME VALUE) or (set (NAME INDEX) VALUE) sets a variable");
            return fail(n);
        }
        const Var *v = &w->vars.at[w->symbols.at[s].index];
        usage_set(w->script, name);
        target->ludeme = L_SYMBOL;
        target->ref = s;
        t = v->type;
        words = v->words;
        if (all) {
            Symbol *symbol = &w->symbols.at[s];
            if (target->kind == NODE_NAME && v->index_list < 0) {
                if (misfit_again(w, symbol, T_NOTHING, target)) return fail(n);
                int d = report_at(w->diags, w->script, E_SHAPE, target,
                                  "(set-all NAME VALUE) takes the name of a `per:` variable");
                diag_mend(w->diags, d, "(set %s %s), or keep several: (var %s ... per: LIST)", name,
                          text_of(w, value), name);
                note_misfit(w, symbol, T_NOTHING, d);
                return fail(n);
            }
            if (target->kind != NODE_NAME)
                return shape(w, n, target,
                             "(set-all NAME VALUE) takes the name of a `per:` variable");
        } else {
            bool marked = usage_marked(w->script, name); // to be set is not to be used
            Type known = check(w, target, WANT_VALUE);
            usage_restore(w->script, name, marked);
            if (known == T_ERROR) return fail(n);
        }
        target->type = (uint8_t)t;
    }
    Type given = statement_for_value(value) ? T_NOTHING : check(w, value, WANT_VALUE);
    if (given == T_NOTHING) {
        no_value(w, value);
        given = fail(value);
    }
    if (!comparable(t, given)) {
        if (lacks_type(w, target, given)) return fail(n);
        int d =
            report_at(w->diags, w->script, E_TYPE, value,
                      arena_printf(w->arena, "%s %s", who, name), type_name(t), describe(w, value));
        Local *local = target->ludeme == L_LOCAL ? &w->expanded->locals.at[target->ref] : NULL;
        if (local && local->let) { // which of the two was meant is not known
            diag_label(w->diags, d, local->span, "`%s` is %s from here", name, type_name(t));
            local->type = T_ERROR;
        }
        return fail(n);
    }
    if (words >= 0 && !word_possible(w, target, value)) return fail(n);
    if (is_made_track(w, value)) return made_track(w, n, value, name);
    uint8_t least = target->ludeme == L_LOCAL ? EFFECT_NAMES : EFFECT_DOES;
    n->effect = value->effect > least ? value->effect : least;
    return n->type = T_NOTHING;
}

// { (remove ...) (set ...) }: braces round statements, as in C.
static bool braces(World *w, Node *n) {
    if (n->kind != NODE_SET) return false;
    for (uint32_t i = 0; i < n->nkids; i++) {
        const char *head = node_head(n->kids[i]);
        LudemeId id = head ? ludeme_find(head) : L_UNKNOWN;
        if (n->kids[i]->kind != NODE_ERROR && (id == L_UNKNOWN || ludemes[id].group != DOING))
            continue;
        if (n->kids[i]->kind != NODE_ERROR) {
            int d = report_at(w->diags, w->script, E_SHAPE, n,
                              "{ } holds values, and these are statements");
            diag_mend(w->diags, d, "(do STATEMENT...) makes one of several");
        }
        fail(n);
        return true;
    }
    return false;
}

// A case of an `if` that does something in the other: what it only asks is lost.
static bool case_is_done(World *w, Node *kid) {
    bool value = kid->type != T_ERROR && kid->type != T_NOTHING && kid->effect == EFFECT_NONE;
    if (!value) return true;
    report_at(w->diags, w->script, E_ONLY_ASKS, kid, text_of(w, kid));
    return false;
}

Type check_if(World *w, Node *n, Want want) {
    order_condition(w, n, 1, 2);
    bool settles = check_wanted(w, n->kids[1], "truth", "if");
    Type t = T_NOTHING;
    uint8_t effect = EFFECT_NONE;
    for (uint32_t i = 2; i < n->nkids; i++) {
        if (braces(w, n->kids[i])) {
            t = T_ERROR;
            continue;
        }
        Type k = check(w, n->kids[i], want);
        if (n->kids[i]->effect > effect) effect = n->kids[i]->effect;
        bool empty = t == T_LIST && (k & T_LIST); // nothing at all is a list of anything
        if (i == 2 || t == T_ERROR || t == T_UNSET || empty)
            t = k;
        else if (k == T_LIST && (t & T_LIST))
            continue;
        else if (want == WANT_VALUE && settles && !comparable(t, k)) {
            int d = report_at(
                w->diags, w->script, E_SHAPE, n->kids[i],
                arena_printf(w->arena,
                             "both cases of an `if` give the same kind of thing: this is %s",
                             describe(w, n->kids[i])));
            diag_label(w->diags, d, n->kids[2]->span, "%s", type_name(t));
            bool sites = (t == T_SITE || k == T_SITE) &&
                         (t == T_LIST || k == T_LIST || t == T_REGION || k == T_REGION);
            if (sites)
                diag_mend(w->diags, d, "one site is a list in { }: {%s}",
                          text_of(w, k == T_SITE ? n->kids[i] : n->kids[2]));
            return fail(n);
        }
    }
    doubt_cases(w, n);
    n->effect = effect;
    if (want == WANT_VALUE && n->nkids < 4) {
        int d = report_at(w->diags, w->script, E_SHAPE, n,
                          "an `if` that gives a value needs both cases");
        diag_mend(w->diags, d, "(if TRUTH THIS else: OTHERWISE)");
        return fail(n);
    }
    if (want == WANT_VALUE && !settles) return fail(n); // it may be an option that would decide
    if (want == WANT_DONE) {
        for (uint32_t i = 2; i < n->nkids && effect > EFFECT_NONE && !n->via; i++)
            if (!case_is_done(w, n->kids[i])) return fail(n);
        if (effect == EFFECT_NONE && t != T_NOTHING && t != T_ERROR) return n->type = (uint8_t)t;
        t = T_NOTHING;
    }
    return n->type = (uint8_t)t;
}

void check_statement(World *w, Node *n) {
    if (n->kind == NODE_ERROR || braces(w, n)) return;
    bool may_let = w->may_let;
    w->may_let = true;
    Type t = check(w, n, WANT_DONE);
    // (= x 3) as a statement, of what is not known
    if (t == T_ERROR && node_head(n) && strcmp(node_head(n), "=") == 0 && n->nkids == 3 &&
        n->kids[1]->kind == NODE_NAME)
        mend_let(w, n->kids[1]);
    w->may_let = may_let;
    if (t == T_ERROR || t == T_NOTHING || n->effect != EFFECT_NONE) return;
    int d = report_at(w->diags, w->script, E_ONLY_ASKS, n, text_of(w, n));
    bool sum = n->kind == NODE_LIST && (n->ludeme == L_ADD || n->ludeme == L_SUB) && n->nkids == 3;
    const Node *summed = sum ? n->kids[1] : NULL;
    if (summed && summed->kind == NODE_NAME &&
        (summed->ludeme == L_LOCAL || script_find(w->script, L_VAR, summed->text))) {
        const char *by = text_of(w, n->kids[2]);
        if (n->ludeme == L_SUB)
            by = arena_printf(w->arena, n->kids[2]->kind == NODE_NUMBER ? "-%s" : "(- 0 %s)", by);
        diag_mend(w->diags, d, "to change it: (change %s by: %s)", summed->text, by);
    }
    if (t == T_TRUTH && !(n->kind == NODE_LIST && n->ludeme == L_EQ))
        diag_mend(w->diags, d, "a condition stands in `where: %s` of a choice, or in (if %s ...)",
                  text_of(w, n), text_of(w, n));
    if (n->kind == NODE_LIST && n->ludeme == L_EQ && n->kids[1]->kind == NODE_NAME)
        diag_mend(w->diags, d, "to give it that value: (set %s %s)", n->kids[1]->text,
                  text_of(w, n->kids[2]));
    if (n->kind == NODE_NAME && ludeme_find(n->text) != L_UNKNOWN)
        diag_mend(w->diags, d, "write (%s)", n->text);
    fail(n);
}

uint8_t effect_of_kids(const Node *n) {
    uint8_t effect = EFFECT_NONE;
    for (uint32_t i = 1; i < n->nkids; i++)
        if (n->kids[i]->effect > effect) effect = n->kids[i]->effect;
    return effect;
}

// Where the play goes on from a statement that never returns.
static const char *where_it_goes(const Node *n) {
    switch ((int)n->ludeme) {
    case L_AGAIN:
    case L_DONE:
    case L_PASS: return "here the turn is over";
    case L_LEAVE: return "here the play leaves the turns";
    case L_BREAK: return "here the play leaves the loop";
    case L_FAIL: return "here the play fails";
    default: return "here the game is over";
    }
}

static void check_reached(World *w, Node *n, uint32_t i) {
    uint32_t next = next_plain(n, i);
    if (next && n->kids[next]->kind != NODE_ERROR) doubt_next(w, n->kids[i], n->kids[next]);
    if (n->kids[i]->settled || !never_returns(n->kids[i]) || n->kids[i]->type == T_ERROR || !next ||
        n->kids[next]->kind == NODE_ERROR)
        return;
    // What stands before it may be what it is done under: `if moves > 4:`, say.
    if (i > 0 && n->kids[i - 1]->kind == NODE_ERROR) return;
    int d = report_at(w->diags, w->script, E_UNREACHABLE, n->kids[next],
                      arena_printf(w->arena, "`%s` stands before it", text_of(w, n->kids[i])));
    diag_label(w->diags, d, n->kids[i]->span, "%s", where_it_goes(n->kids[i]));
}

// Something loose among statements right beside what is at fault is a part of it: n += 1.
static bool beside_fault(const Node *n, uint32_t i) {
    const Node *kid = n->kids[i], *left = n->kids[i - 1];
    const Node *right = i + 1 < n->nkids ? n->kids[i + 1] : NULL;
    if (kid->kind != NODE_NAME && kid->kind != NODE_NUMBER) return false;
    return (left->kind == NODE_ERROR && left->span.end + 1 >= kid->span.start) ||
           (right && right->kind == NODE_ERROR && kid->span.end + 1 >= right->span.start);
}

// The plain kids from `from` on as statements; keys are the caller's.
void check_body(World *w, Node *n, uint32_t from, const char *who) {
    bool any = false;
    for (uint32_t i = 1; i < n->nkids; i++) any |= n->kids[i]->kind == NODE_ERROR;
    for (uint32_t i = next_plain(n, from - 1); i; i = next_plain(n, i)) {
        any = true;
        if (beside_fault(n, i)) continue;
        check_statement(w, n->kids[i]);
        check_reached(w, n, i);
    }
    if (!any) report_at(w->diags, w->script, E_TOO_FEW, n, who, "at least one statement");
}

typedef VEC(int) Made;

static void gather_made(World *w, const Node *n, Made *out) {
    bool let = n->kind == NODE_LIST && n->ludeme == L_LET && n->nkids > 1;
    if (let) vec_push(w->arena, out, n->kids[1]->ref);
    for (uint32_t i = 0; i < n->nkids; i++) gather_made(w, n->kids[i], out);
}

// Locals are numbered as they are made, and so these stand in rising order nearly always.
static int by_number(const void *a, const void *b) {
    int x = *(const int *)a, y = *(const int *)b;
    return (x > y) - (x < y);
}

static bool sets_within(const Node *n, const Made *made) {
    bool set = n->kind == NODE_LIST && n->ludeme == L_SET && n->nkids > 1;
    if (set && n->kids[1]->ludeme == L_LOCAL &&
        !(made->n && bsearch(&n->kids[1]->ref, made->at, made->n, sizeof(int), by_number)))
        return false;
    for (uint32_t i = 0; i < n->nkids; i++)
        if (!sets_within(n->kids[i], made)) return false;
    return true;
}

// Whether every name that is set within n is made within it.
static bool sets_only(World *w, const Node *n) {
    Made made = {0};
    gather_made(w, n, &made);
    if (made.n) qsort(made.at, made.n, sizeof(int), by_number);
    return sets_within(n, &made);
}

Type check_do(World *w, Node *n, Want want) {
    Type t = T_NOTHING;
    for (uint32_t i = 1; i < n->nkids; i++) {
        Node *kid = n->kids[i];
        if (kid->kind == NODE_KEY) return shape(w, n, kid, "`do` takes statements only");
        bool last = i + 1 == n->nkids;
        if (beside_fault(n, i)) continue;
        if (last && want == WANT_VALUE)
            t = check(w, kid, WANT_VALUE);
        else if (last) {
            // As a statement of a definition's body a last value may be dropped if something is done before it.
            Type k = check(w, kid, WANT_DONE);
            if (kid->effect == EFFECT_NONE && k != T_NOTHING && k != T_ERROR &&
                effect_of_kids(n) <= EFFECT_NAMES)
                t = k;
            if (k == T_ERROR) t = T_ERROR;
        } else {
            check_statement(w, kid);
            check_reached(w, n, i);
        }
    }
    n->effect = effect_of_kids(n);
    if (n->effect == EFFECT_NAMES && sets_only(w, n)) n->effect = EFFECT_NONE;
    return n->type = (uint8_t)t;
}

bool known_keys(World *w, Node *n, const char *const *keys, size_t nkeys) {
    for (uint32_t i = 1; i < n->nkids; i++) {
        const Node *kid = n->kids[i];
        if (kid->kind != NODE_KEY) continue;
        bool known = false;
        for (size_t k = 0; k < nkeys; k++) known |= strcmp(keys[k], kid->text) == 0;
        for (uint32_t k = 1; known && k < i; k++) {
            if (n->kids[k]->kind == NODE_KEY && n->kids[k]->text == kid->text) {
                report_at(w->diags, w->script, E_KEY_TWICE, kid, kid->text);
                return false;
            }
        }
        if (known && (i + 1 >= n->nkids || n->kids[i + 1]->kind == NODE_KEY)) {
            report_at(w->diags, w->script, E_KEY_VALUE, kid, kid->text);
            return false;
        }
        if (!known) {
            int d = report_at(w->diags, w->script, E_UNKNOWN_KEY, kid, node_head(n), kid->text);
            const char *near = nearest_name(kid->text, keys, nkeys);
            if (near)
                diag_meant(w->diags, d, "%s:", near);
            else
                diag_mend(w->diags, d, "%s", usage(w, n->ludeme));
            return false;
        }
        i++;
    }
    return true;
}
