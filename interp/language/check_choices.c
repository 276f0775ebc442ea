// Forms that go through lists, decide, sow, move pieces.

#include "checker.h"

#include "doubts.h"
#include "eval.h"
#include "forms.h"
#include "usage.h"

#include <string.h>

static Type check_binder_shape(World *w, Node *n, const Binder *b) {
    if (!b->fault) return T_NOTHING;
    if (b->fault->kind == NODE_ERROR) return fail(n);
    if (b->fault->kind == NODE_KEY) {
        static const char *const keys[] = {"in", "where", "as", "else"};
        int d = report_at(
            w->diags, w->script, E_SHAPE, b->fault,
            arena_printf(w->arena, "`%s:` does not fit here: %s", b->fault->text, b->why));
        const char *near = nearest_name(b->fault->text, keys, 4);
        if (near && strcmp(near, b->fault->text) != 0)
            diag_meant(w->diags, d, "%s:", near);
        else if (strcmp(b->fault->text, "and") == 0 || strcmp(b->fault->text, "or") == 0)
            diag_mend(w->diags, d, "it stands in front of both: where: (%s ... ...)",
                      b->fault->text);
        return fail(n);
    }
    return shape(w, n, b->fault, b->why);
}

static void bind_element(World *w, Node *name, const Node *domain) {
    if (name->ludeme != L_LOCAL) return;
    Local *local = &w->expanded->locals.at[name->ref];
    local->type = (uint8_t)(domain->type == T_ERROR ? T_ERROR : element_type(domain->type));
    local->words = word_set_of(w, domain);
    local->domain = domain;
    name->type = local->type;
}

static bool check_domain(World *w, Node *name, Node *domain, const char *who) {
    bool good = check_wanted(w, domain, "list", arena_printf(w->arena, "%s in:", who));
    if (good && domain->type == T_LIST) {
        report_at(w->diags, w->script, E_EMPTY_LIST, domain, "this set");
        good = false;
        fail(domain);
    }
    bind_element(w, name, domain);
    if (good) doubt_domain(w, name, domain);
    return good;
}

static void mend_label(World *w, const Node *label, int d) {
    if (label->kind != NODE_STRING || !label->text[0]) return;
    char *word = arena_strndup(w->arena, label->text, strlen(label->text));
    for (char *p = word; *p; p++) {
        if (*p == ' ') *p = '-';
        bool fine = (*p >= 'a' && *p <= 'z') || (*p >= 'A' && *p <= 'Z') ||
                    (*p >= '0' && *p <= '9') || *p == '-' || (unsigned char)*p >= 0x80;
        if (!fine) return;
    }
    diag_mend(w->diags, d, "as: \"%s\"", word);
}

static bool check_label(World *w, Node *label) {
    if (label->kind == NODE_NAME || label->kind == NODE_ERROR) return true;
    bool word = label->kind == NODE_STRING && label->text[0];
    for (const char *p = label->text; word && *p; p++)
        word = (*p >= 'a' && *p <= 'z') || (*p >= 'A' && *p <= 'Z') || (*p >= '0' && *p <= '9') ||
               *p == '-' || *p == '_' || *p == '+' || (unsigned char)*p >= 0x80;
    if (!word)
        mend_label(w, label,
                   report_at(w->diags, w->script, E_SHAPE, label,
                             "`as:` is one word, letters, digits and hyphens: it is "
                             "written in records"));
    return word;
}

Type check_choose(World *w, Node *n, bool in_either) {
    Binder b;
    read_binder(n, &b);
    if (b.fault) return check_binder_shape(w, n, &b);
    bool lot = n->ludeme == L_LOT;
    const char *who = lot ? "lot" : "choose";
    if (b.weight && !lot)
        return shape(w, n, b.weight, "a choice has no `weight:`; a (lot ...) has");
    if (lot && w->in_would)
        return shape(w, n, n, "a look-ahead (`would`) cannot draw lots: no one knows what comes");
    if (lot && b.nvars == 0)
        return shape(w, n, n, "a lot is drawn from a list: (lot NAME in: LIST ...)");
    int test = 0;
    bool may_let = w->may_let;
    w->may_let = false;
    for (int i = 0; i <= b.nvars; i++) {
        for (; test < b.ntests && b.after[test] == i; test++)
            check_wanted(w, b.tests[test], "truth", arena_printf(w->arena, "%s where:", who));
        if (i < b.nvars) check_domain(w, b.names[i], b.domains[i], who);
    }
    if (b.weight) check_wanted(w, b.weight, "number", "lot weight:");
    w->may_let = may_let;
    if (b.label) check_label(w, b.label);
    if (b.nvars == 0 && !b.label) {
        int d = report_at(w->diags, w->script, E_MISSING_KEY, n, "choose", "as");
        diag_mend(w->diags, d,
                  "a choice without names is one candidate; records call it by its label: (choose "
                  "as: \"stop\" ...), or name what is chosen: (choose x in: ...)");
        return fail(n);
    }
    if (b.otherwise) {
        if (in_either)
            return shape(
                w, n, b.otherwise,
                "inside `either` a choice has no `else:` of its own: it belongs to the `either`");
        check_statement(w, b.otherwise);
    }
    // A candidate that is only a label may do nothing: "stay", "pass on".
    if (b.nvars > 0 || next_plain(n, b.body - 1)) check_body(w, n, b.body, who);
    n->effect = EFFECT_DECIDES;
    return n->type = T_NOTHING;
}

Type check_either(World *w, Node *n) {
    static const char *const keys[] = {"else"};
    if (!known_keys(w, n, keys, 1)) return fail(n);
    uint32_t count = 0;
    for (uint32_t i = next_plain(n, 0); i; i = next_plain(n, i)) {
        Node *kid = n->kids[i];
        if (kid->kind == NODE_ERROR) return fail(n);
        const char *head = node_head(kid);
        if (head && strcmp(head, "do") == 0 && kid->nkids == 1) continue; // an option took it away
        if (!head || strcmp(head, "choose") != 0) {
            int d = report_at(w->diags, w->script, E_SHAPE, kid,
                              "`either` holds (choose ...) forms and an `else:`");
            if (!key_value(n, "else") && !next_plain(n, i))
                diag_mend(w->diags, d,
                          "what is done when nothing can be chosen: else: %s; what may be chosen "
                          "has a label: (choose as: \"this\" %s)",
                          text_of(w, kid), text_of(w, kid));
            else
                diag_mend(w->diags, d, "what may be chosen has a label: (choose as: \"this\" %s)",
                          text_of(w, kid));
            return fail(n);
        }
        kid->ludeme = L_CHOOSE;
        check_choose(w, kid, true);
        count++;
    }
    if (!count) return shape(w, n, n, "`either` needs at least one (choose ...)");
    Node *otherwise = key_value(n, "else");
    if (otherwise) check_statement(w, otherwise);
    n->effect = EFFECT_DECIDES;
    return n->type = T_NOTHING;
}

Type check_for(World *w, Node *n) {
    Binder b;
    read_binder(n, &b);
    if (b.fault) return check_binder_shape(w, n, &b);
    if (b.nvars != 1 || b.label || b.otherwise)
        return shape(w, n, n,
                     "(for NAME in: LIST [where: TRUTH] STATEMENT...) goes through one list");
    check_domain(w, b.names[0], b.domains[0], "for");
    bool may_let = w->may_let;
    w->may_let = false;
    for (int i = 0; i < b.ntests; i++) check_wanted(w, b.tests[i], "truth", "for where:");
    w->may_let = may_let;
    check_body(w, n, b.body, "for");
    n->effect = effect_of_kids(n) > EFFECT_NAMES ? effect_of_kids(n) : EFFECT_NAMES;
    return n->type = T_NOTHING;
}

Type check_quantifier(World *w, Node *n, LudemeId id) {
    Binder b;
    const char *who = ludemes[id].name;
    read_binder(n, &b);
    if (b.fault) return check_binder_shape(w, n, &b);
    bool one = b.nvars == 1 && !b.label && !b.otherwise;
    // (any x in: L where: T) and (any x in: L T) say the same.
    uint32_t asked =
        n->nkids - b.body -
        (b.ntests && b.tests[b.ntests - 1] == n->kids[n->nkids - 1] && b.body < n->nkids ? 2 : 0);
    if (!one || (asked != 1 && !(asked == 0 && b.ntests == 1)))
        return shape(
            w, n, n,
            arena_printf(w->arena, "(%s NAME in: LIST %s) goes through one list and asks one thing",
                         who, id == L_SUM || id == L_MOST || id == L_LEAST ? "NUMBER" : "TRUTH"));
    bool may_let = w->may_let;
    w->may_let = false;
    check_domain(w, b.names[0], b.domains[0], who);
    bool number = id == L_SUM || id == L_MOST || id == L_LEAST;
    if (number && asked != 1)
        return shape(w, n, n,
                     arena_printf(w->arena, "(%s NAME in: LIST NUMBER) needs a number", who));
    for (int i = 0; i < b.ntests; i++)
        check_wanted(w, b.tests[i], "truth", arena_printf(w->arena, "%s where:", who));
    if (asked == 1) check_wanted(w, n->kids[b.body], number ? "number" : "truth", who);
    w->may_let = may_let;
    n->effect = EFFECT_NONE;
    Type t = id == L_FIRST                ? element_type(b.domains[0]->type)
             : number || id == L_HOW_MANY ? T_NUMBER
                                          : T_TRUTH;
    if (b.domains[0]->type == T_ERROR && id == L_FIRST) t = T_ERROR;
    return n->type = (uint8_t)t;
}

static bool check_hook(World *w, Node *n, Hook *h, bool truth) {
    if (!h->body) return true;
    Node *names[2] = {h->first, h->second};
    for (int i = 0; i < 2; i++) {
        if (!names[i]) continue;
        if (names[i]->kind != NODE_NAME || names[i]->ludeme != L_LOCAL) return false;
        Type t = h->second && i == 0 ? T_PIECE : T_SITE;
        w->expanded->locals.at[names[i]->ref].type = (uint8_t)t;
        names[i]->type = (uint8_t)t;
    }
    if (truth)
        check_wanted(w, h->body, "truth", "sow skip:");
    else
        check_statement(w, h->body);
    (void)n;
    return true;
}

// before: (site) STATEMENT, before: STATEMENT
static void mend_hook(World *w, int d, const Node *key, const Node *given) {
    bool one = given && given->kind == NODE_LIST && given->nkids == 1 &&
               given->kids[0]->kind == NODE_NAME && ludeme_find(given->kids[0]->text) == L_UNKNOWN;
    if (one)
        diag_mend(w->diags, d, "two names: %s: (piece %s) STATEMENT", key->text,
                  given->kids[0]->text);
    else
        diag_mend(w->diags, d, "%s: (piece site) %s", key->text,
                  given && given->kind == NODE_LIST ? text_of(w, given) : "STATEMENT");
}

static void mend_sow(World *w, int d, const Node *n, const Sow *s) {
    const Node *key = s->fault;
    const Node *given = NULL;
    for (uint32_t i = 1; i + 1 < n->nkids; i++)
        if (n->kids[i] == key) given = n->kids[i + 1];
    if (mend_colon(w, d, key)) return;
    if (key->kind != NODE_KEY && !key_value(n, "along"))
        diag_mend(w->diags, d, "(sow %s along: %s ...)", text_of(w, s->site), text_of(w, key));
    else if (key->kind == NODE_KEY && strcmp(key->text, "skip") == 0 && given)
        diag_mend(w->diags, d, "skip: (site) (= site %s)",
                  given->kind == NODE_NAME ? given->text : "...");
    else if (key->kind == NODE_KEY && (!strcmp(key->text, "after") || !strcmp(key->text, "before")))
        mend_hook(w, d, key, given);
}

Type check_sow(World *w, Node *n) {
    Sow s;
    static const char *const keys[] = {"along", "first", "order", "skip", "before", "after"};
    if (!known_keys(w, n, keys, 6)) return fail(n);
    order_value(w, n, "site", "along", "track");
    read_sow(n, &s);
    if (s.fault) {
        size_t before = w->diags->all.n;
        shape(w, n, s.fault, s.why);
        if (w->diags->all.n > before) mend_sow(w, (int)before, n, &s);
        return fail(n);
    }
    if (!s.site) {
        report_at(w->diags, w->script, E_TOO_FEW, n, "sow", "the site that is sown");
        return fail(n);
    }
    if (!s.along) {
        int d = report_at(w->diags, w->script, E_MISSING_KEY, n, "sow", "along");
        diag_mend(w->diags, d, "(sow %s along: TRACK ...)", text_of(w, s.site));
        return fail(n);
    }
    check_wanted(w, s.site, "site", "sow");
    if (check_wanted(w, s.along, "track", "sow along:")) doubt_sowing(w, s.along);
    if (s.first) check_wanted(w, s.first, "site", "sow first:");
    if (s.order && check_wanted(w, s.order, "pieces", "sow order:") && !is_constant(w, s.order)) {
        report_at(w->diags, w->script, E_CONSTANT, s.order, "the order of kinds");
        return fail(n);
    }
    if (!check_hook(w, n, &s.skip, true) || !check_hook(w, n, &s.before, false) ||
        !check_hook(w, n, &s.after, false))
        return fail(n);
    read_sow(n, &s); // the checked hooks may do nothing
    uint8_t effect = EFFECT_DOES;
    if (s.before.body && s.before.body->effect > effect) effect = s.before.body->effect;
    if (s.after.body && s.after.body->effect > effect) effect = s.after.body->effect;
    n->effect = effect;
    return n->type = T_SITE;
}

Type check_would(World *w, Node *n) {
    static const char *const keys[] = {"then", "endless", "enough"};
    if (!known_keys(w, n, keys, 3)) return fail(n);
    Node *endless = key_value(n, "endless"), *enough = key_value(n, "enough");
    Node *then = key_value(n, "then");
    if (!then) {
        int d = report_at(w->diags, w->script, E_MISSING_KEY, n, "would", "then");
        diag_mend(w->diags, d, "(would STATEMENT... then: what is asked afterwards)");
        return fail(n);
    }
    bool in_would = w->in_would;
    w->in_would = true;
    check_body(w, n, 1, "would");
    w->in_would = in_would;
    Type t = check_asking(w, then);
    if (t != T_TRUTH && t != T_NUMBER && t != T_ERROR && !fits(w, then, "truth", "would then:"))
        return fail(n);
    const char *wanted = t == T_NUMBER ? "number" : "truth";
    if (endless && check_wanted(w, endless, wanted, "would endless:") && !is_constant(w, endless)) {
        report_at(w->diags, w->script, E_CONSTANT, endless, "the answer of what is endless");
        return fail(n);
    }
    if (enough && t == T_TRUTH)
        return shape(w, n, enough, "`enough:` is for numbers: of truths one yes is enough");
    if (enough && check_wanted(w, enough, "number", "would enough:") && !is_constant(w, enough)) {
        report_at(w->diags, w->script, E_CONSTANT, enough, "what is enough");
        return fail(n);
    }
    n->effect = EFFECT_NONE;
    return n->type = (uint8_t)t;
}

// A place that stands where it is not known as one: (put 1 seed a1), (move a1 to: b1).
static void mend_moving(World *w, int d, const Node *n, LudemeId id, const char *key) {
    uint32_t last = 0;
    for (uint32_t i = next_plain(n, 0); i; i = next_plain(n, i)) last = i;
    const Node *at = last ? n->kids[last] : NULL;
    int s = key && at && at->kind == NODE_NAME ? world_symbol(w, at->text) : -1;
    SymbolKind kind = s >= 0 ? w->symbols.at[s].kind : SYMBOL_LOST;
    bool local = at && at->kind == NODE_NAME && at->ludeme == L_LOCAL &&
                 w->expanded->locals.at[at->ref].type == T_SITE;
    if (!local && kind != SYMBOL_SITE && kind != SYMBOL_REGION) {
        diag_mend(w->diags, d, "%s", usage(w, id));
        return;
    }
    bool both = id == L_MOVE && last == 2 && !key_value(n, "to");
    if (both) {
        diag_mend(w->diags, d, "(move all from: %s to: %s)", text_of(w, n->kids[1]),
                  text_of(w, at));
        return;
    }
    const char *text = arena_printf(w->arena, "(%s", ludemes[id].name);
    if (last == 1) text = arena_printf(w->arena, "%s %s", text, id == L_PUT ? "1 PIECE" : "all");
    bool kind_only = id == L_PUT && last == 2 && foresee(w, n->kids[1]) == T_PIECE;
    if (kind_only) text = arena_printf(w->arena, "%s 1", text);
    for (uint32_t i = 1; i < n->nkids; i++)
        text = arena_printf(w->arena, "%s %s%s", text,
                            i == last ? arena_printf(w->arena, "%s: ", key) : "",
                            text_of(w, n->kids[i]));
    diag_mend(w->diags, d, "%s)", text);
}

static void check_amount(World *w, Node *n, const char *who) {
    if (n->kind == NODE_NAME && n->ludeme != L_LOCAL && strcmp(n->text, "all") == 0) {
        int d = report_at(w->diags, w->script, E_SHAPE, n,
                          "`put` brings new pieces, of which there is no end: it needs a number");
        diag_mend(w->diags, d, "those that are there are moved: (move all from: SITE to: SITE)");
        fail(n);
        return;
    }
    if (check_asking(w, n) == T_PIECE) {
        int d = report_at(w->diags, w->script, E_TYPE, n, who, "a number", describe(w, n));
        diag_mend(w->diags, d, "how many of them comes first: (%s 1 %s ...)", who, text_of(w, n));
        fail(n);
        return;
    }
    if (!fits(w, n, "number", who)) return;
    if (n->kind != NODE_NUMBER || n->ludeme == L_CHOSEN || n->number >= 0) return;
    int d = report_at(w->diags, w->script, E_SIZE, n, "a number of pieces", 0, NUMBER_MAX);
    if (strcmp(who, "put") == 0)
        diag_mend(w->diags, d, "to take some away: (remove %ld ... from: ...)", -n->number);
    fail(n);
}

// put, remove, move: `number | all [PIECES] from: PLACE to: SITE`
Type check_moving(World *w, Node *n, LudemeId id) {
    static const char *const put_keys[] = {"on"}, *const remove_keys[] = {"from"},
                             *const move_keys[] = {"from", "to"};
    const char *who = ludemes[id].name;
    if (id == L_PUT      ? !known_keys(w, n, put_keys, 1)
        : id == L_REMOVE ? !known_keys(w, n, remove_keys, 1)
                         : !known_keys(w, n, move_keys, 2))
        return fail(n);
    const char *key = id == L_PUT ? "on" : "from";
    Node *place = key_value(n, key), *to = key_value(n, "to");
    if (!place || (id == L_MOVE && !to)) {
        bool faulty = false;
        for (uint32_t i = 1; i < n->nkids; i++) faulty |= n->kids[i]->kind == NODE_ERROR;
        if (!faulty) {
            int d = report_at(w->diags, w->script, E_MISSING_KEY, n, who, place ? "to" : key);
            mend_moving(w, d, n, id, place ? NULL : key);
        }
        return fail(n);
    }
    uint32_t amount = next_plain(n, 0), kind = amount ? next_plain(n, amount) : 0;
    order_amount(w, n, amount, kind);
    uint32_t more = kind ? next_plain(n, kind) : 0;
    // (remove all from: a1 b1)
    if (kind > 2 && !more && n->kids[kind - 2]->kind == NODE_KEY &&
        foresee(w, n->kids[kind]) == T_SITE)
        more = kind;
    if (more && n->kids[more]->kind != NODE_ERROR && n->kids[more - 2]->kind == NODE_KEY) {
        // on: a1 b1
        const char *of = n->kids[more - 2]->text;
        int d = report_at(w->diags, w->script, E_SHAPE, n->kids[more],
                          arena_printf(w->arena, "`%s:` takes one value", of));
        if (id != L_MOVE || strcmp(of, "from") == 0)
            diag_mend(w->diags, d, "several sites go into { }: %s: {%s %s}", of,
                      text_of(w, n->kids[more - 1]), text_of(w, n->kids[more]));
        return fail(n);
    }
    if (!amount || more) {
        int d = report_at(w->diags, w->script, E_SHAPE, n,
                          arena_printf(w->arena, "`%s` says how many%s, and of which kind of piece",
                                       who, id == L_PUT ? "" : " (a number or all)"));
        const Node *piece = kind ? n->kids[kind] : NULL, *whose = more ? n->kids[more] : NULL;
        if (whose && piece->kind == NODE_NAME && script_find(w->script, L_PIECE, piece->text) &&
            foresee(w, whose) == T_PLAYER)
            diag_mend(w->diags, d, "a player's kind stands in ( ): (%s %s)", piece->text,
                      text_of(w, whose));
        else
            diag_mend(w->diags, d, "%s", usage(w, id));
        return fail(n);
    }
    bool all = id != L_PUT && n->kids[amount]->kind == NODE_NAME &&
               n->kids[amount]->ludeme != L_LOCAL && strcmp(n->kids[amount]->text, "all") == 0;
    if (all)
        n->kids[amount]->type = T_NOTHING;
    else
        check_amount(w, n->kids[amount], who);
    if (n->kids[amount]->type == T_ERROR) return fail(n);
    if (kind)
        check_wanted(w, n->kids[kind], all ? "pieces" : "piece", who);
    else if (!all && n->kids[amount]->type == T_ERROR)
        return fail(n); // `all` misspelt, or a kind of piece
    else if (!all && w->pieces.n != 1) {
        int d = report_at(w->diags, w->script, E_TOO_FEW, n, who, "the kind of piece");
        diag_mend(w->diags, d, "the game has several: (%s 1 KIND ...)", who);
        return fail(n);
    } else if (id == L_PUT) { // the only kind there is
        for (size_t i = 0; i < w->script->items.n; i++)
            if (w->script->items.at[i].kind == L_PIECE)
                usage_mark(w->script, w->script->items.at[i].name);
    }
    bool many = id == L_PUT || all;
    check_wanted(w, place, many ? "place" : "site", arena_printf(w->arena, "%s %s:", who, key));
    if (to) check_wanted(w, to, "site", "move to:");
    n->effect = EFFECT_DOES;
    return n->type = T_NOTHING;
}
