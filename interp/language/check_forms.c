// Statements: let, set, if, do, loops, turns.

#include "checker.h"

#include "doubts.h"
#include "eval.h"
#include "forms.h"
#include "usage.h"

#include <stdlib.h>
#include <string.h>

static bool constant_local(World *w, Local *local, Node *value) {
    if (local->assigned || value->effect != EFFECT_NONE || value->type == T_ERROR) return false;
    bool copy = value->ludeme == L_LOCAL && value->kind == NODE_NAME &&
                !w->expanded->locals.at[value->ref].assigned;
    return copy || is_constant(w, value);
}

// What says the same as `value` within n says `name` instead.
static void replace_asked(Node *n, const Node *value, const Node *name) {
    if (n != value && same_asked(n, value)) {
        Span span = n->span;
        *n = *name;
        n->span = span;
        return;
    }
    for (uint32_t i = 0; i < n->nkids; i++) replace_asked(n->kids[i], value, name);
}

// A region worked out from what may change (the mover, a variable) is a name for what it is now: those
// values are put into locals of their own before it, and the name stands for the region made of them.
static void capture_leaves(World *w, Node *let) {
    Leaves leaves = {0};
    Node *value = let->kids[2];
    find_leaves(w, value, &leaves);
    if (leaves.too_many || leaves.n == 0) return;
    VEC(Node *) kids = {0};
    for (uint32_t i = 0; i < let->nkids; i++) vec_push(w->arena, &kids, let->kids[i]);
    for (int i = 0; i < leaves.n; i++) {
        Node *leaf = (Node *)leaves.at[i].node;
        if (leaf->ludeme == L_LOCAL && leaf->kind == NODE_NAME &&
            !w->expanded->locals.at[leaf->ref].assigned)
            continue;
        Node *copy = arena_alloc(w->arena, sizeof *copy);
        *copy = *leaf;
        vec_push(
            w->arena, &w->expanded->locals,
            (Local){
                .name = "now", .span = leaf->span, .words = -1, .type = leaf->type, .cell = -1});
        leaf->kind = NODE_NAME;
        leaf->text = "now";
        leaf->ludeme = L_LOCAL;
        leaf->ref = (int)w->expanded->locals.n - 1;
        leaf->nkids = 0;
        replace_asked(value, copy, leaf);
        vec_push(w->arena, &kids, leaf);
        vec_push(w->arena, &kids, copy);
    }
    let->kids = kids.at;
    let->nkids = (uint32_t)kids.n;
}

// Whether the value may be a track that is made in the rules. What depends on a variable is worked out beforehand for
// all tracks that are declared, and for no others.
static bool is_made_track(const World *w, const Node *n) {
    if (n->type != T_TRACK) return false;
    if (n->kind == NODE_NAME && n->ludeme == L_LOCAL) {
        const Local *l = &w->expanded->locals.at[n->ref];
        return !l->assigned && l->given && is_made_track(w, l->given);
    }
    if (n->kind != NODE_LIST || n->nkids < 2) return false;
    switch ((int)n->ludeme) {
    case L_LOOP:
    case L_PATH: return true;
    case L_IF:
        return n->nkids == 4 && (is_made_track(w, n->kids[2]) || is_made_track(w, n->kids[3]));
    case L_REVERSED:
    case L_DO: return is_made_track(w, n->kids[n->nkids - 1]);
    default: return false;
    }
}

static Type made_track(World *w, Node *n, const Node *value, const char *name) {
    int d = report_at(w->diags, w->script, E_NOT_SET, value, name,
                      "it keeps tracks that are declared, and this one is made here");
    diag_mend(w->diags, d,
              "give it a name among the equipment: (track NAME ...), or one for each "
              "player, (track NAME each: ...)");
    return fail(n);
}

Type check_let(World *w, Node *n) {
    if (n->nkids != 3 || n->kids[1]->kind != NODE_NAME) {
        for (uint32_t i = 0; i < n->nkids; i++)
            if (n->kids[i]->kind == NODE_ERROR) return fail(n);
        return shape(w, n, n, "(let NAME VALUE) takes a name and one value");
    }
    Node *name = n->kids[1], *value = n->kids[2];
    Type t = statement_for_value(value) ? T_NOTHING : check(w, value, WANT_VALUE);
    if (t == T_NOTHING) {
        no_value(w, value);
        t = fail(value);
    } else if (t == T_UNSET || t == T_DICE) {
        int d = report_at(w->diags, w->script, E_SHAPE, value,
                          t == T_DICE
                              ? "dice are thrown: (throw ...)"
                              : "`unset` alone is of no kind: a name needs a value to start from");
        if (t == T_UNSET)
            diag_mend(w->diags, d,
                      "a variable may start with none: (var %s site) among the equipment, then "
                      "(set %s unset) here",
                      name->text, name->text);
        return fail(n);
    }
    Local *local = &w->expanded->locals.at[name->ref];
    local->type = (uint8_t)t;
    local->words = word_set_of(w, value);
    name->type = (uint8_t)t;
    if (local->assigned && is_made_track(w, value)) return made_track(w, n, value, name->text);
    local->given = value;
    n->effect = value->effect > EFFECT_NAMES ? value->effect : EFFECT_NAMES;
    n->type = T_NOTHING;
    if (constant_local(w, local, value)) {
        // The name of a name is a name for the same thing.
        const Node *same = value->kind == NODE_NAME && value->ludeme == L_LOCAL
                               ? w->expanded->locals.at[value->ref].alias
                               : NULL;
        local->constant = evaluate(w, value, NULL, &local->value);
        local->alias = same && same->kind == NODE_NAME && same->ludeme == L_LOCAL ? same : value;
    } else if (((t & T_LIST) || t == T_TRACK) && value->effect == EFFECT_NONE && !local->assigned) {
        int ref = name->ref;
        capture_leaves(w, n);
        w->expanded->locals.at[ref].alias = n->kids[2];
    }
    return T_NOTHING;
}

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

static bool never_returns(const Node *n) {
    return n->kind == NODE_LIST && never_comes_back((LudemeId)n->ludeme);
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

static bool check_limits(World *w, Node *n, const char *who) {
    Node *limit = key_value(n, "limit"), *at_limit = key_value(n, "at-limit");
    if (limit && !check_wanted(w, limit, "number", arena_printf(w->arena, "%s limit:", who)))
        return false;
    if (at_limit) check_statement(w, at_limit);
    return true;
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
