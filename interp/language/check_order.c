// Forms whose arguments have changed places: told once, and checked as they were meant.
//
// What a form will give is foreseen from its head, before it is checked, so that no report is made of what is only in the
// wrong place.

#include "checker.h"

#include "forms.h"
#include "swapped.h"

#include <string.h>

static Type foresee_name(const World *w, const Node *n) {
    if (n->ludeme == L_LOCAL) return w->expanded->locals.at[n->ref].type;
    if (node_truth(n) >= 0) return T_TRUTH;
    if (n->ludeme == L_CHOSEN) return T_WORD;
    int s = world_symbol(w, n->text);
    if (s < 0) {
        LudemeId id = ludeme_find(n->text);
        return id == L_MOVER || id == L_OPPONENT ? T_PLAYER : id == L_UNSET ? T_UNSET : T_ERROR;
    }
    const Symbol *symbol = &w->symbols.at[s];
    switch (symbol->kind) {
    case SYMBOL_PLAYER: return T_PLAYER;
    case SYMBOL_SITE: return T_SITE;
    case SYMBOL_WORD: return T_WORD;
    case SYMBOL_DIRECTION: return T_DIRECTION;
    case SYMBOL_PIECE: return T_PIECE;
    case SYMBOL_PIECES: return T_LIST | T_PIECE;
    case SYMBOL_VAR: return w->vars.at[symbol->index].type;
    case SYMBOL_REGION: return T_REGION;
    case SYMBOL_TRACK: return T_TRACK;
    case SYMBOL_STORE: return T_SITE;
    case SYMBOL_DICE: return T_DICE;
    case SYMBOL_LIST: return T_LIST | symbol->type;
    case SYMBOL_LOST: break;
    }
    return T_ERROR;
}

static Type foresee_list(const World *w, const Node *n) {
    const char *head = node_head(n);
    if (!head || n->kids[0]->ludeme == L_LOCAL) return T_ERROR;
    int s = world_symbol(w, n->kids[0]->text);
    if (s >= 0) {
        const Symbol *symbol = &w->symbols.at[s];
        return symbol->kind == SYMBOL_PIECES ? T_PIECE : foresee_name(w, n->kids[0]);
    }
    LudemeId id = ludeme_find(head);
    if (id == L_UNKNOWN) return T_ERROR;
    if (id == L_DO) return n->nkids > 1 ? foresee(w, n->kids[n->nkids - 1]) : T_NOTHING;
    if (id == L_IF) {
        Type t = n->nkids == 4 ? foresee(w, n->kids[2]) : T_NOTHING;
        return t == T_ERROR ? foresee(w, n->kids[n->nkids - 1]) : t;
    }
    if (id == L_WOULD) {
        const Node *then = key_value(n, "then");
        return then ? foresee(w, then) : T_ERROR;
    }
    const char *result = ludemes[id].result;
    if (strcmp(result, "same") == 0 && n->nkids > 1) return foresee(w, n->kids[1]);
    if (strcmp(result, "element") == 0 && n->nkids > 1) {
        const Node *list = id == L_FIRST ? key_value(n, "in") : n->kids[n->nkids - 1];
        Type t = list ? foresee(w, list) : T_ERROR;
        return t == T_LIST || t == T_ERROR ? T_ERROR : element_type(t);
    }
    return type_named(result);
}

Type foresee(const World *w, const Node *n) {
    switch (n->kind) {
    case NODE_NUMBER: return T_NUMBER;
    case NODE_NAME: return foresee_name(w, n);
    case NODE_LIST: return foresee_list(w, n);
    case NODE_SET:
    case NODE_RANGE: {
        Type t = n->nkids ? foresee(w, n->kids[0]) : T_NOTHING;
        return t == T_NOTHING ? T_LIST : t == T_ERROR ? T_ERROR : T_LIST | element_type(t);
    }
    default: return T_ERROR;
    }
}

static void exchange(Node **a, Node **b) {
    Node *t = *a;
    *a = *b;
    *b = t;
}

// Kids `a` and `b` of the form are told to have changed places, and are put back.
static void put_back(World *w, Node *n, uint32_t a, uint32_t b, const char *why) {
    report_swapped(w->diags, w->script, n, (Argument){a, 1}, (Argument){b, 1}, why);
    exchange(&n->kids[a], &n->kids[b]);
}

// Is it foreseen to be no truth, while the other is one?
static bool truth_after(const World *w, const Node *first, const Node *second) {
    Type t = foresee(w, first);
    return t != T_TRUTH && t != T_ERROR && foresee(w, second) == T_TRUTH;
}

void order_condition(World *w, Node *n, uint32_t test, uint32_t next) {
    if (!next || n->kids[test]->kind == NODE_ERROR) return;
    const char *name = node_head(n), *why = condition_order;
    if (truth_after(w, n->kids[test], n->kids[next])) {
        put_back(w, n, test, next, arena_printf(w->arena, "in `%s` %s", name, why));
        return;
    }
    // (when STATEMENT TRUTH STATEMENT...), which has become an `if` and a `do`.
    Node *body = n->kids[next];
    const char *head = node_head(body);
    bool several = head && strcmp(head, "do") == 0 && body->nkids > 2 && !body->text &&
                   body->span.start == n->span.start;
    if (!several || !truth_after(w, n->kids[test], body->kids[1])) return;
    Node **kids = arena_array(w->arena, body->nkids + 1, sizeof *kids);
    kids[0] = node_name(w->arena, (Span){n->span.file, n->span.start, n->span.start}, "when");
    kids[1] = n->kids[test];
    memcpy(kids + 2, body->kids + 1, (body->nkids - 1) * sizeof *kids);
    Node *when = node_list(w->arena, NODE_LIST, n->span, kids, body->nkids + 1);
    when->via = n->via;
    put_back(w, when, 1, 2, arena_printf(w->arena, "in `when` %s", why));
    exchange(&n->kids[test], &body->kids[1]);
}

void order_turn_of(World *w, Node *n, uint32_t player, uint32_t next) {
    if (!next || foresee(w, n->kids[player]) != T_NOTHING || foresee(w, n->kids[next]) != T_PLAYER)
        return;
    put_back(w, n, player, next, "`turn-of` takes a player, then what is done");
}

void order_value(World *w, Node *n, const char *plain, const char *key, const char *keyed) {
    if (n->nkids < 4 || n->kids[1]->kind == NODE_KEY) return;
    uint32_t i = 2;
    while (i + 1 < n->nkids &&
           !(n->kids[i]->kind == NODE_KEY && strcmp(n->kids[i]->text, key) == 0))
        i++;
    if (++i >= n->nkids) return;
    Type first = foresee(w, n->kids[1]), second = foresee(w, n->kids[i]);
    bool swapped = first != T_ERROR && second != T_ERROR && !type_fits(first, plain) &&
                   !type_fits(second, keyed) && type_fits(first, keyed) && type_fits(second, plain);
    if (swapped)
        put_back(w, n, 1, i,
                 arena_printf(w->arena, "`%s` takes %s, and after `%s:` %s", node_head(n),
                              wanted_text(plain), key, wanted_text(keyed)));
}

// A variable, one of its places, or a name.
static bool can_be_set(const World *w, const Node *n) {
    if (n->kind == NODE_NAME && n->ludeme == L_LOCAL)
        return !(w->expanded->locals.at[n->ref].type & T_LIST);
    const char *name = n->kind == NODE_NAME ? n->text : node_head(n);
    int s = name ? world_symbol(w, name) : -1;
    return s >= 0 && w->symbols.at[s].kind == SYMBOL_VAR;
}

void order_set(World *w, Node *n) {
    const Node *first = n->kids[1], *second = n->kids[2];
    Type t = foresee(w, first); // of a misspelt name nothing is known
    if (t <= T_NOTHING || first->ludeme == L_CHOSEN || can_be_set(w, first) ||
        !can_be_set(w, second) || !comparable(t, foresee(w, second)))
        return;
    put_back(w, n, 1, 2,
             arena_printf(w->arena, "`%s` takes what is set, then its value", node_head(n)));
}

static bool says_all(const Node *n) {
    return n->kind == NODE_NAME && n->ludeme != L_LOCAL && strcmp(n->text, "all") == 0;
}

void order_amount(World *w, Node *n, uint32_t amount, uint32_t kind) {
    if (!amount || !kind || says_all(n->kids[amount])) return;
    Type first = foresee(w, n->kids[amount]), second = foresee(w, n->kids[kind]);
    bool pieces = first == T_PIECE || first == (T_LIST | T_PIECE);
    if (!pieces || !(second == T_NUMBER || says_all(n->kids[kind]))) return;
    put_back(w, n, amount, kind,
             arena_printf(w->arena, "`%s` takes how many, then of which kind", node_head(n)));
}

// ---- uses of definitions -------------------------------------------------------------------------

enum { TRIES_MAX = 60, VALUES_MAX = 16 };

// Whether the key of a definition is one for a value, not for a piece of program.
static bool takes_value(const Node *header, const char *key) {
    for (uint32_t i = 1; i + 1 < header->nkids; i++)
        if (header->kids[i]->kind == NODE_KEY && header->kids[i]->text == key)
            return header->kids[i + 1]->kind == NODE_NAME;
    return false;
}

// The kids of a call that are values, in order: plain ones, and those of keys.
static size_t values_of(const Node *header, const Node *call, uint32_t *at) {
    size_t n = 0;
    for (uint32_t i = 1; i < call->nkids && n < VALUES_MAX; i++) {
        if (call->kids[i]->kind != NODE_KEY) {
            at[n++] = i;
            continue;
        }
        bool one = i + 2 >= call->nkids || call->kids[i + 2]->kind == NODE_KEY ||
                   takes_value(header, call->kids[i]->text);
        if (one && i + 1 < call->nkids) at[n++] = i + 1;
        i += one ? 1 : 2; // a piece of program has names and a form
    }
    return n;
}

// The parameter of the definition that takes that kid of a call; NULL if it is none.
static const char *parameter_of(const Node *header, const Node *call, uint32_t at) {
    bool keyed = call->kids[at - 1]->kind == NODE_KEY;
    uint32_t place = 0, plain = 0;
    for (uint32_t i = next_plain(call, 0); i && i <= at; i = next_plain(call, i)) place++;
    for (uint32_t i = 1; i < header->nkids; i++) {
        const Node *kid = header->kids[i];
        if (kid->kind == NODE_KEY) {
            bool same = keyed && kid->text == call->kids[at - 1]->text;
            if (same && i + 1 < header->nkids && header->kids[i + 1]->kind == NODE_NAME)
                return header->kids[i + 1]->text;
            i++;
        } else if (kid->kind == NODE_NAME && ++plain == place && !keyed) {
            return kid->text;
        }
    }
    return NULL;
}

static bool is_called(const Node *n, const char *name) {
    return n->kind == NODE_NAME && name && n->text == name;
}

// The type of what the use gives that parameter.
static Type type_given(const World *w, const Node *use, const char *name, const Node *given) {
    for (uint32_t i = 1; i < use->nkids; i++) {
        const Node *let = use->kids[i];
        const char *head = node_head(let);
        if (head && strcmp(head, "let") == 0 && let->nkids > 2 && let->kids[1]->text == name)
            return (Type)let->kids[2]->type;
    }
    return foresee(w, given);
}

// "a site as `hole`", "a number after `by:`"
static const char *in_words(World *w, Type t, const char *name, const Node *before) {
    return before->kind == NODE_KEY
               ? arena_printf(w->arena, "%s after `%s:`", type_name(t), before->text)
               : arena_printf(w->arena, "%s as `%s`", type_name(t), name);
}

// Reports that the two have changed places, if they are of two types: `use` is the use as it is meant.
static bool report_use(World *w, const Use *u, const Node *use, Argument a, Argument b) {
    Node call = *u->call;
    call.via = u->via;
    const char *first = parameter_of(u->header, u->call, a.at),
               *second = parameter_of(u->header, u->call, b.at);
    if (!first || !second) return false;
    Type s = type_given(w, use, first, call.kids[b.at]),
         t = type_given(w, use, second, call.kids[a.at]);
    if (s <= T_NOTHING || t <= T_NOTHING || comparable(s, t)) return false;
    const char *why = arena_printf(w->arena, "`%s` takes %s, then %s", node_head(&call),
                                   in_words(w, s, first, call.kids[a.at - 1]),
                                   in_words(w, t, second, call.kids[b.at - 1]));
    int d = report_swapped(w->diags, w->script, &call, a, b, why);
    diag_label(w->diags, d, u->header->span, "defined here");
    return true;
}

typedef VEC(Diag) Told;

static void take_back(World *w, size_t from, size_t errors, Told *out) {
    Diags *d = w->diags;
    for (size_t i = from; i < d->all.n; i++) vec_push(w->arena, out, d->all.at[i]);
    d->all.n = from;
    d->errors = errors;
}

static void tell_again(World *w, const Told *told, size_t errors) {
    for (size_t i = 0; i < told->n; i++) vec_push(w->diags->arena, &w->diags->all, told->at[i]);
    w->diags->errors = errors;
}

// Checks the use with the two exchanged, telling nothing. Gives it if nothing is wrong with it, else NULL.
static Node *try_exchanged(World *w, int use, Want want, Argument a, Argument b) {
    const Node *call = w->expanded->uses.at[use - 1].call;
    Diags *told = w->diags, unsaid;
    diags_init(&unsaid, w->arena);
    w->diags = &unsaid;
    // What was told is not among the reports of the try, nor does what the try tells stay.
    int lacking = w->lacking, whose = w->whose, awaited = w->awaited;
    w->lacking = w->whose = w->awaited = 0;
    w->trying = true;
    w->tries++;
    Node *n = expand_again(w->expanded, use, exchanged(w->arena, call, a, b), &unsaid);
    if (n) check(w, n, want);
    w->trying = false;
    w->lacking = lacking, w->whose = whose, w->awaited = awaited;
    w->diags = told;
    return n && unsaid.errors == 0 ? n : NULL;
}

// A name that is not known is no matter of order.
static bool names_unknown(const Diags *d, size_t from) {
    for (size_t i = from; i < d->all.n; i++) {
        DiagCode code = d->all.at[i].code;
        if (code == E_UNKNOWN_NAME || code == E_UNKNOWN_LUDEME || code == E_UNKNOWN_SITE ||
            code == E_BEYOND)
            return true;
    }
    return false;
}

Type check_use(World *w, Node *n, Want want, int use) {
    size_t from = w->diags->all.n, errors = w->diags->errors;
    int sure = w->sure;
    const Use u = w->expanded->uses.at[use - 1];
    Type t = u.within ? check_use(w, n, want, u.within) : check_list(w, n, want);
    size_t wrong = w->diags->errors - errors;
    if (!wrong || w->trying || diags_full(w->diags) || names_unknown(w->diags, from)) return t;
    uint32_t at[VALUES_MAX];
    size_t count = values_of(u.header, u.call, at);
    Told told = {0};
    take_back(w, from, errors, &told);
    for (size_t i = 0; i + 1 < count && w->tries < TRIES_MAX; i++) {
        Argument a = {at[i], 1}, b = {at[i + 1], 1};
        bool by_name = is_called(u.call->kids[a.at], parameter_of(u.header, u.call, b.at)) &&
                       is_called(u.call->kids[b.at], parameter_of(u.header, u.call, a.at));
        bool right = is_called(u.call->kids[a.at], parameter_of(u.header, u.call, a.at)) &&
                     is_called(u.call->kids[b.at], parameter_of(u.header, u.call, b.at));
        if (right) continue;
        // What is said of a use within this one, and borne out by the names there, goes before.
        if (!by_name && (size_t)(w->sure - sure) == wrong) break;
        Node *meant = try_exchanged(w, use, want, a, b);
        if (!meant || !report_use(w, &u, meant, a, b)) continue;
        w->sure = sure + by_name;
        *n = *meant;
        return (Type)n->type;
    }
    tell_again(w, &told, errors + wrong);
    return t;
}
