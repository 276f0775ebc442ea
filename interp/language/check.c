// Which check is whose.

#include "checker.h"
#include "doubts.h"

#include "eval.h"
#include "foreign.h"
#include "forms.h"
#include "misspelt.h"
#include "usage.h"

#include <string.h>

bool check_wanted(World *w, Node *n, const char *wanted, const char *who) {
    check_asking(w, n);
    return fits(w, n, wanted, who);
}

// The form as the author knows it: a definition by its name.
static const char *name_of(const Node *n) {
    return n->text ? n->text : node_head(n) ? node_head(n) : "this";
}

// The innermost form from which the effect comes.
static const Node *doer(const Node *n) {
    for (uint32_t i = 0; i < n->nkids; i++)
        if (n->kids[i]->effect == n->effect && n->kids[i]->kind == NODE_LIST)
            return doer(n->kids[i]);
    return n;
}

bool statement_for_value(const Node *n) {
    const char *head = node_head(n);
    return head && (strcmp(head, "choose") == 0 || strcmp(head, "either") == 0);
}

// A statement where a value is wanted: told where the author used it, if it is a definition's.
Type no_value(World *w, Node *n) {
    Node use = *n;
    const char *name = name_of(n);
    for (const Expansion *via = n->via; via; via = via->up) {
        use.span = via->use;
        name = via->name;
    }
    use.via = NULL;
    // Of a definition it is one mistake, wherever it is used.
    const char *message = arena_printf(w->arena, "`%s` gives no value", name);
    if ((n->via || n->text) && told_elsewhere(w, E_NO_VALUE, message, &use)) return fail(n);
    int d = report_at(w->diags, w->script, E_NO_VALUE, &use, name);
    const Node *last = n->text && n->nkids ? n->kids[n->nkids - 1] : NULL;
    if (n->via)
        diag_label(w->diags, d, n->span, "the last thing it does");
    else if (last && last->via && last->kind == NODE_LIST)
        diag_label(w->diags, d, last->span, "the last thing it does");
    if (statement_for_value(n))
        diag_mend(w->diags, d,
                  "what is chosen has its name in the form itself, and what is done with it too: "
                  "(choose x in: LIST (set NAME x))");
    return fail(n);
}

Type check_asking(World *w, Node *n) {
    Type t = check(w, n, WANT_VALUE);
    if (t == T_ERROR) return t;
    if (n->effect != EFFECT_NONE) {
        int d = report_at(w->diags, w->script, E_DOES, n, name_of(n));
        const Node *culprit = doer(n);
        if (culprit != n && culprit->effect > EFFECT_NAMES)
            diag_label(w->diags, d, culprit->span, "%s",
                       culprit->effect == EFFECT_DECIDES ? "here it asks for a decision"
                                                         : "here it changes the position");
        if (n->text && script_is_library(w->script, n->span.file))
            diag_mend(w->diags, d,
                      "what is given to `%s:` only asks; what is to be done goes elsewhere",
                      n->text);
        else if (t != T_NOTHING && w->may_let)
            diag_mend(w->diags, d, "name its outcome first: (let x %s)", text_of(w, n));
        else
            diag_mend(w->diags, d,
                      "(would STATEMENT... then: TRUTH) asks what would be if it were done");
        return fail(n);
    }
    if (t == T_NOTHING) {
        no_value(w, n);
        return fail(n);
    }
    return t;
}

// ---- sets and ranges -------------------------------------------------------------------------------------

// A name that is written twice in the set.
static bool written_twice(World *w, const Node *n, uint32_t i) {
    const Node *kid = n->kids[i];
    if (kid->kind != NODE_NAME || kid->ludeme != L_SYMBOL) return false;
    for (uint32_t k = 0; k < i; k++) {
        const Node *other = n->kids[k];
        bool here = other->span.start >= n->span.start && kid->span.end <= n->span.end &&
                    other->span.start < kid->span.start && kid->span.file == n->span.file;
        if (!here || other->kind != NODE_NAME || other->ludeme != L_SYMBOL ||
            other->text != kid->text)
            continue;
        int d = report_at(w->diags, w->script, E_TWICE, kid, kid->text);
        diag_label(w->diags, d, other->span, "first here");
        return true;
    }
    return false;
}

static Type check_set(World *w, Node *n) {
    Type element = T_NOTHING;
    n->effect = EFFECT_NONE;
    bool faulty = false, ways = false; // a list of tracks is in it
    if (invented_words(w, n)) return fail(n);
    for (uint32_t i = 0; i < n->nkids; i++) {
        Node *kid = n->kids[i];
        Type t = check_asking(w, kid);
        if (t == T_ERROR) {
            faulty = true;
            continue;
        }
        if (n != w->table && written_twice(w, n, i)) return fail(n);
        ways = ways || t == (T_LIST | T_TRACK);
        t = element_type(t) == T_TRACK || t == T_TRACK ? T_TRACK : element_type(t);
        if (element == T_NOTHING || element == T_UNSET) element = t;
        if (t == element || t == T_UNSET) continue;
        // Tracks among sites are meant as their sites, whichever comes first.
        if (!ways && ((element == T_SITE && t == T_TRACK) || (element == T_TRACK && t == T_SITE))) {
            element = T_SITE;
            continue;
        }
        report_at(w->diags, w->script, E_SHAPE, kid,
                  arena_printf(w->arena, "a set holds things of one kind: %s stands beside %s",
                               describe(w, kid), describe(w, n->kids[0])));
        return fail(n);
    }
    if (faulty) return fail(n);
    return n->type = (uint8_t)(element == T_NOTHING ? T_LIST : T_LIST | element);
}

static bool is_digits(const World *w, const Node *n) {
    const char *text = source_of(w->script->sources, n->span)->text + n->span.start;
    return n->kind == NODE_NUMBER && ((*text >= '0' && *text <= '9') || *text == '-');
}

static Type check_range(World *w, Node *n) {
    Type a = check_asking(w, n->kids[0]);
    n->effect = EFFECT_NONE;
    // A1..E1: a habit, told once.
    const Node *end = n->kids[1];
    if (a == T_ERROR && end->kind == NODE_NAME && plain_spelling(w->arena, end->text) != end->text)
        return fail(n);
    Type b = check_asking(w, n->kids[1]);
    if (a == T_ERROR || b == T_ERROR) return fail(n);
    bool sites = a == T_SITE && b == T_SITE;
    if (!sites && !(a == T_NUMBER && b == T_NUMBER))
        return shape(
            w, n, n,
            arena_printf(w->arena,
                         "a run goes from site to site or from number to number, not from %s to %s",
                         describe(w, n->kids[0]), describe(w, n->kids[1])));
    n->type = sites ? T_REGION : T_LIST | T_NUMBER;
    const Node *from = n->kids[0];
    // Two numbers as they are written: what an option or a definition gives may well be too little.
    bool written = is_digits(w, from) && is_digits(w, end) && from->span.start == n->span.start &&
                   end->span.end == n->span.end;
    if (!sites && written && from->number > end->number) {
        int d = report_at(w->diags, w->script, E_SHAPE, n,
                          "a run of numbers goes up, and this one ends below where it begins");
        diag_mend(w->diags, d, "(reversed %s..%s)", short_text(w->arena, end),
                  short_text(w->arena, from));
        return fail(n);
    }
    int value;
    size_t errors = w->diags->errors;
    if (sites && !evaluate(w, n, NULL, &value))
        return shape(w, n, n, "the ends of a run of sites must be known before the game is played");
    return w->diags->errors > errors ? fail(n) : (Type)n->type;
}

// (hole is empty): what is asked of the first.
static const char *asked_of(const Node *n) {
    for (uint32_t i = 1; i < n->nkids; i++) {
        LudemeId id = n->kids[i]->kind == NODE_NAME ? ludeme_find(n->kids[i]->text) : L_UNKNOWN;
        if (id == L_EMPTY || id == L_OCCUPIED || id == L_UNSET || id == L_COUNT)
            return n->kids[i]->text;
    }
    return NULL;
}

// (a1 b1), (South North)
static bool all_names(const Node *n) {
    if (n->nkids < 2) return false;
    for (uint32_t i = 1; i < n->nkids; i++)
        if (n->kids[i]->kind != NODE_NAME || ludeme_find(n->kids[i]->text) != L_UNKNOWN)
            return false;
    return true;
}

static Type check_form(World *w, Node *n, LudemeId id, Want want) {
    switch ((int)id) {
    case L_LET: return check_let(w, n);
    case L_SET: return check_set_form(w, n, false);
    case L_SET_ALL: return check_set_form(w, n, true);
    case L_DO: return check_do(w, n, want);
    case L_IF: return check_if(w, n, want);
    case L_WHILE: return check_while(w, n);
    case L_REPEAT: return check_repeat(w, n);
    case L_TURNS: return check_turns(w, n);
    case L_FOR: return want == WANT_VALUE ? for_as_list(w, n) : check_for(w, n);
    case L_CHOOSE:
    case L_LOT: return check_choose(w, n, false);
    case L_EITHER: return check_either(w, n);
    case L_THROW: return check_throw(w, n);
    case L_SOW: return check_sow(w, n);
    case L_WOULD: return check_would(w, n);
    case L_PUT:
    case L_REMOVE:
    case L_MOVE: return check_moving(w, n, id);
    case L_BREAK:
    case L_AGAIN:
    case L_DONE:
    case L_PASS:
    case L_LEAVE:
    case L_FAIL:
        if (n->nkids > 1 && n->kids[1]->kind != NODE_ERROR) {
            int d =
                report_at(w->diags, w->script, E_TOO_MANY, n->kids[1], ludemes[id].name, "nothing");
            diag_mend(w->diags, d, "write (%s)", ludemes[id].name);
            return fail(n);
        }
        n->effect = id == L_BREAK ? EFFECT_NAMES : EFFECT_DOES;
        return n->type = T_NOTHING;
    case L_WIN:
        if (n->nkids == 3 && n->kids[1]->kind == NODE_KEY) {
            int d =
                report_at(w->diags, w->script, E_UNKNOWN_KEY, n->kids[1], "win", n->kids[1]->text);
            diag_mend(w->diags, d, "(if TRUTH (win PLAYER)) ends the game if it holds");
            return fail(n);
        }
        if (n->nkids > 2 && all_names(n)) {
            int d = report_at(w->diags, w->script, E_SHAPE, n, "(win PLAYER) says who won");
            diag_mend(w->diags, d, "several go into { }: (win {%s %s})", text_of(w, n->kids[1]),
                      text_of(w, n->kids[2]));
            return fail(n);
        }
        if (n->nkids != 2) return shape(w, n, n, "(win PLAYER) says who won");
        check_asking(w, n->kids[1]);
        if (n->kids[1]->type != (T_LIST | T_PLAYER) && !fits(w, n->kids[1], "player", "win"))
            return fail(n);
        n->effect = EFFECT_DOES;
        return n->type = T_NOTHING;
    case L_MOVER:
        if (n->nkids > 1) {
            int d = report_at(w->diags, w->script, E_TOO_MANY, n->kids[1], "mover", "nothing");
            mend_whose(w, d, n, n->kids[1], L_MOVER);
            return fail(n);
        }
        return n->type = T_PLAYER;
    case L_OPPONENT:
        if (w->players.n != 2) return no_opponent(w, n);
        if (n->nkids > 2) return shape(w, n, n, "(opponent PLAYER) takes one player");
        if (n->nkids == 2 && !check_wanted(w, n->kids[1], "player", "opponent")) return fail(n);
        return n->type = T_PLAYER;
    case L_TURN_OF: {
        uint32_t player = next_plain(n, 0);
        if (!player || n->kids[1]->kind == NODE_KEY)
            return shape(w, n, n, "(turn-of PLAYER STATEMENT...) takes a player and what is done");
        order_turn_of(w, n, player, next_plain(n, player));
        check_wanted(w, n->kids[1], "player", "turn-of");
        check_body(w, n, 2, "turn-of");
        n->effect = effect_of_kids(n) > EFFECT_DOES ? EFFECT_DECIDES : EFFECT_DOES;
        return n->type = T_NOTHING;
    }
    default: return check_quantifier(w, n, id);
    }
}

// ---- lists ------------------------------------------------------------------------------------------------

static bool lists_up(World *w, const char *name) {
    int s = world_symbol(w, arena_intern_str(w->arena, name));
    return s >= 0 &&
           (w->symbols.at[s].kind == SYMBOL_SITE || w->symbols.at[s].kind == SYMBOL_PLAYER ||
            w->symbols.at[s].kind == SYMBOL_DIRECTION);
}

// (n > 0), (n): brackets round a name.
// (inner mover), of a region or track that is there once.
static bool each_lacks(World *w, const Node *n, const char *name) {
    int s = world_symbol(w, name);
    SymbolKind kind = s >= 0 ? w->symbols.at[s].kind : SYMBOL_LOST;
    return (kind == SYMBOL_REGION || kind == SYMBOL_TRACK) && w->players.n > 1 &&
           check_asking(w, n->kids[1]) == T_PLAYER;
}

// (board (hand mover)): a list, and sites beside it.
static bool joins_lists(World *w, const Node *n, const char *name) {
    int s = world_symbol(w, arena_intern_str(w->arena, name));
    SymbolKind kind = s >= 0 ? w->symbols.at[s].kind : SYMBOL_LOST;
    bool list = kind == SYMBOL_REGION || kind == SYMBOL_TRACK || kind == SYMBOL_SITE ||
                (kind == SYMBOL_LIST && w->symbols.at[s].type == T_SITE);
    if (!list || n->nkids < 2 || n->kids[1]->kind == NODE_KEY) return false;
    Type t = foresee(w, n->kids[1]);
    return t == T_SITE || t == T_REGION || t == T_TRACK;
}

// (1 + a + b): one operator between all parts.
static bool mend_sum(World *w, int d, const Node *n) {
    if (n->nkids < 5 || n->nkids % 2 == 0 || !is_operator(n->kids[1])) return false;
    const char *sign = n->kids[1]->text, *parts = text_of(w, n->kids[0]);
    bool one = strcmp(sign, "+") == 0 || strcmp(sign, "*") == 0;
    for (uint32_t i = 1; i < n->nkids; i += 2) {
        if (n->kids[i]->kind != NODE_NAME || strcmp(n->kids[i]->text, sign) != 0) one = false;
        parts = arena_printf(w->arena, "%s %s", parts, text_of(w, n->kids[i + 1]));
    }
    if (one)
        diag_mend(w->diags, d, "the operator comes first: (%s %s)", sign, parts);
    else
        diag_mend(w->diags, d, "each operator comes first, in ( ) with its two: (%s %s (...))",
                  sign, text_of(w, n->kids[0]));
    return true;
}

static void mend_once(World *w, int d, const Node *n, const char *name, Want want) {
    if (n->nkids == 3 && want == WANT_DONE && strcmp(short_text(w->arena, n->kids[1]), "=") == 0)
        diag_mend(w->diags, d, "(set %s %s)", name, text_of(w, n->kids[2]));
    else if (n->nkids == 3 && is_operator(n->kids[1]))
        diag_mend(w->diags, d, "the operator comes first: (%s %s %s)",
                  strcmp(n->kids[1]->text, "%") == 0 ? "mod" : n->kids[1]->text, name,
                  text_of(w, n->kids[2]));
    else if (asked_of(n))
        diag_mend(w->diags, d, "what is asked comes first: (%s %s)", asked_of(n), name);
    else if (n->nkids == 3 && strcmp(name, "adjacent") == 0)
        diag_mend(w->diags, d,
                  "`adjacent` is a list of directions; whether one site is next to "
                  "another: (in %s (neighbours %s))",
                  text_of(w, n->kids[2]), text_of(w, n->kids[1]));
    else if (all_names(n) && lists_up(w, name))
        diag_mend(w->diags, d, "a list of things is written in { }: {%s %s%s}", name,
                  text_of(w, n->kids[1]), n->nkids > 2 ? " ..." : "");
    else if (joins_lists(w, n, name))
        diag_mend(w->diags, d, "lists are joined in { }: {%s %s%s}", name, text_of(w, n->kids[1]),
                  n->nkids > 2 ? " ..." : "");
    else if (n->nkids == 2 && each_lacks(w, n, name))
        diag_mend(w->diags, d,
                  "write %s without ( ), or give each his own: (... %s %s: ... %s: ...)", name,
                  name, w->players.at[0], w->players.at[1]);
    else if (n->nkids == 2 && script_find(w->script, L_PIECE, n->kids[0]->text))
        diag_mend(w->diags, d,
                  "write %s without ( ), or give each his own: (piece %s each: players)", name,
                  name);
    else if (n->nkids == 2 && script_find(w->script, L_VAR, n->kids[0]->text))
        diag_mend(w->diags, d, "write %s without ( ), or keep several: (var %s ... per: LIST)",
                  name, name);
    else
        diag_mend(w->diags, d, "write %s without ( )", name);
}

static Type check_symbol_list(World *w, Node *n, int symbol, Want want) {
    const Symbol *s = &w->symbols.at[symbol];
    const char *name = s->name;
    if (s->kind == SYMBOL_LOST) return fail(n);
    usage_mark(w->script, name);
    n->ludeme = L_SYMBOL;
    n->ref = symbol;
    n->effect = EFFECT_NONE;
    bool var = s->kind == SYMBOL_VAR;
    bool takes =
        (var && w->vars.at[s->index].index_list >= 0) || s->per_player || s->kind == SYMBOL_PIECES;
    if (!takes) {
        for (uint32_t i = 1; i < n->nkids; i++)
            if (n->kids[i]->kind == NODE_ERROR) return fail(n);
        const char *why = arena_printf(w->arena, "`%s` takes no argument: it is there once", name);
        if (n->nkids == 2 && misfit_again(w, &w->symbols.at[symbol], T_NOTHING, n)) return fail(n);
        int d = report_at(w->diags, w->script, E_SHAPE, n, why);
        note_misfit(w, &w->symbols.at[symbol], T_NOTHING, d);
        mend_once(w, d, n, name, want);
        return fail(n);
    }
    Type index = var                        ? w->vars.at[s->index].index_type
                 : s->kind == SYMBOL_PIECES ? s->type
                                            : T_PLAYER;
    if (n->nkids != 2 || n->kids[1]->kind == NODE_KEY) {
        for (uint32_t i = 1; i < n->nkids; i++)
            if (n->kids[i]->kind == NODE_ERROR) return fail(n);
        int d = report_at(w->diags, w->script, E_SHAPE, n,
                          arena_printf(w->arena, "(%s ...) takes %s", name, type_name(index)));
        if (n->nkids == 1 && index == T_PLAYER) diag_mend(w->diags, d, "(%s mover)", name);
        return fail(n);
    }
    Type t = check_asking(w, n->kids[1]);
    if (t == T_ERROR) return fail(n);
    if (!comparable(t, index)) {
        if (meant_otherwise(w, n->kids[1]) || told_of_argument(w, n->kids[1])) return fail(n);
        if (misfit_again(w, &w->symbols.at[symbol], t, n->kids[1])) return fail(n);
        int d = report_at(w->diags, w->script, E_TYPE, n->kids[1], name, type_name(index),
                          describe(w, n->kids[1]));
        note_misfit(w, &w->symbols.at[symbol], t, d);
        if (var) diag_label(w->diags, d, s->span, "there is one for each %s", type_name(index) + 2);
        if (n->kids[1]->kind == NODE_NAME && index == T_PLAYER && t == T_DIRECTION)
            respelt(w, d, n->kids[1]->text, false);
        if (t == (T_LIST | index) && index != T_WORD)
            diag_mend(w->diags, d, "for one after the other: (for x in: %s ...)",
                      text_of(w, n->kids[1]));
        return fail(n);
    }
    if (var && index != T_WORD) {
        int value;
        if (evaluate(w, n->kids[1], NULL, &value) && value != UNSET) {
            const List l = w->lists.at[w->vars.at[s->index].index_list];
            bool found = false;
            for (int i = 0; i < l.n; i++) found |= l.at[i] == value;
            if (!found)
                return shape(w, n, n->kids[1],
                             arena_printf(w->arena, "the variable `%s` has no place for `%s`", name,
                                          text_of(w, n->kids[1])));
        }
        doubt_place(w, n, name, w->vars.at[s->index].index_list);
    }
    switch (s->kind) {
    case SYMBOL_VAR: return n->type = (uint8_t)w->vars.at[s->index].type;
    case SYMBOL_REGION: return n->type = T_REGION;
    case SYMBOL_TRACK: return n->type = T_TRACK;
    case SYMBOL_STORE: return n->type = T_SITE;
    default: return n->type = T_PIECE;
    }
}

Type check_list(World *w, Node *n, Want want) {
    if (n->nkids == 0 || n->kids[0]->kind == NODE_ERROR) return fail(n);
    Node *head = n->kids[0];
    if (head->kind != NODE_NAME) {
        for (uint32_t i = 1; i < n->nkids; i++)
            if (n->kids[i]->kind == NODE_ERROR) return fail(n);
        int d = report_at(w->diags, w->script, E_HEAD, n,
                          arena_printf(w->arena, "`%s`", text_of(w, head)));
        const char *inner = node_head(head);
        LudemeId id = inner ? ludeme_find(inner) : L_UNKNOWN;
        if (head->kind == NODE_KEY)
            diag_mend(w->diags, d, "the name of a ludeme has no colon: (%s ...)", head->text);
        else if (n->nkids == 3 && is_operator(n->kids[1]))
            diag_mend(w->diags, d, "the operator comes first: (%s %s %s)", n->kids[1]->text,
                      text_of(w, head), text_of(w, n->kids[2]));
        else if (mend_sum(w, d, n))
            return fail(n);
        else if (n->nkids == 2 && head->kind == NODE_NUMBER)
            diag_mend(w->diags, d, "one of a list, counted from 1: (nth %ld %s)", head->number,
                      text_of(w, n->kids[1]));
        else if (n->nkids == 1)
            diag_mend(w->diags, d, "one pair of brackets is enough: %s", text_of(w, head));
        else if (id != L_UNKNOWN && ludemes[id].group == DOING)
            diag_mend(w->diags, d, "several statements go into (do %s ...)", text_of(w, head));
        else
            diag_mend(w->diags, d, "a list of things is written in { }: {%s ...}",
                      text_of(w, head));
        return fail(n);
    }
    if (head->ludeme == L_LOCAL) {
        for (uint32_t i = 1; i < n->nkids; i++)
            if (n->kids[i]->kind == NODE_ERROR) return fail(n);
        int d = report_at(
            w->diags, w->script, E_SHAPE, n,
            arena_printf(w->arena,
                         "`%s` is a name for a value, not a ludeme: it stands without ( )",
                         head->text));
        mend_once(w, d, n, head->text, want);
        return fail(n);
    }
    if (script_lost(w->script, head->text)) return fail(n);
    int s = world_symbol(w, head->text);
    LudemeId id = ludeme_find(head->text);
    bool shared_name = id == L_BOARD_IS || id == L_PLAYERS_ARE;
    if (s >= 0 && (id == L_UNKNOWN || id == L_STORE || id == L_HAND || id == L_OFF || shared_name))
        return check_symbol_list(w, n, s, want);
    for (uint32_t i = 1; i < n->nkids && id == L_UNKNOWN; i++)
        if (n->kids[i]->kind == NODE_ERROR) return fail(n);
    if (id == L_UNKNOWN) return unknown_ludeme(w, n);
    if (id == L_STORE || id == L_HAND || id == L_OFF) {
        int d = report_at(w->diags, w->script, E_LACKS, n, ludemes[id].name);
        diag_mend(w->diags, d, "add (%s) to the equipment", ludemes[id].name);
        return fail(n);
    }
    n->ludeme = (uint16_t)id;
    bool holds_statements = id == L_DO || id == L_WHILE || id == L_REPEAT || id == L_TURNS ||
                            id == L_TURN_OF || id == L_FOR || id == L_CHOOSE || id == L_LOT ||
                            id == L_EITHER || id == L_IF || id == L_WOULD;
    for (uint32_t i = 1; i < n->nkids && !holds_statements; i++)
        if (n->kids[i]->kind == NODE_ERROR) return fail(n);
    if (ludemes[id].group == EQUIPMENT) {
        int d = report_at(w->diags, w->script, E_NOT_HERE, head, head->text,
                          "it belongs at the top of the script");
        if (id == L_VAR && n->nkids > 1 && n->kids[1]->kind == NODE_NAME)
            diag_mend(w->diags, d, "a name that is needed here only: (let %s VALUE)",
                      n->kids[1]->text);
        return fail(n);
    }
    return ludemes[id].form == FORM ? check_form(w, n, id, want) : check_call(w, n, id);
}

Type check(World *w, Node *n, Want want) {
    switch (n->kind) {
    case NODE_NUMBER: return n->type = T_NUMBER;
    case NODE_NAME: return check_name(w, n);
    case NODE_SET: return check_set(w, n);
    case NODE_RANGE: return check_range(w, n);
    case NODE_LIST: {
        if (n->ref >= 0) return check_list(w, n, want);
        int use = -n->ref;
        n->ref = 0;
        return check_use(w, n, want, use);
    }
    case NODE_STRING: {
        const char *name = arena_intern_str(w->arena, n->text);
        bool known = world_symbol(w, name) >= 0 || is_option_word(w->script, name);
        int d = report_at(w->diags, w->script, E_SHAPE, n,
                          "a text in quotes is for people: the rules cannot use it");
        if (known) diag_mend(w->diags, d, "write %s without quotes", n->text);
        if (*n->text && n->text[strspn(n->text, "0123456789")] == '\0')
            diag_mend(w->diags, d, "a number stands without quotes: %s", n->text);
        return fail(n);
    }
    case NODE_KEY:
        return shape(w, n, n, arena_printf(w->arena, "`%s:` is no argument here", n->text));
    case NODE_ERROR: return fail(n);
    }
    return fail(n);
}

void check_heads(World *w, Node *n) {
    const char *head = node_head(n);
    if (head && n->kids[0]->ludeme != L_LOCAL && world_symbol(w, head) < 0) unknown_head(w, n);
    for (uint32_t i = 0; i < n->nkids; i++) check_heads(w, n->kids[i]);
}

void check_program(World *w, Node *body) {
    body->ludeme = L_DO;
    check_body(w, body, 1, body == w->expanded->start ? "start" : "play");
    body->effect = effect_of_kids(body);
}
