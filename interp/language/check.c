#include "check.h"

#include "eval.h"
#include "forms.h"
#include "stdlib_data.h"
#include "usage.h"

#include <string.h>

typedef enum Want { WANT_VALUE, WANT_DONE } Want;

static Type check(World *w, Node *n, Want want);
static void check_body(World *w, Node *n, uint32_t from, const char *who);

// ---- telling ----------------------------------------------------------------------------------

static const char *text_of(World *w, const Node *n) {
    switch (n->kind) {
    case NODE_NAME: return n->text;
    case NODE_NUMBER: return arena_printf(w->arena, "%ld", n->number);
    case NODE_STRING: return "\"...\"";
    case NODE_LIST:
        return node_head(n)
                   ? arena_printf(w->arena, "(%s%s)", node_head(n), n->nkids > 1 ? " ..." : "")
                   : "(...)";
    case NODE_SET: return "{...}";
    case NODE_RANGE:
        return arena_printf(w->arena, "%s..%s", text_of(w, n->kids[0]), text_of(w, n->kids[1]));
    default: return "this";
    }
}

const char *describe(World *w, const Node *n) {
    if (n->kind == NODE_STRING) return "a text in quotes";
    const char *what = type_name(n->type);
    if (n->kind == NODE_LIST && n->type == T_NOTHING) what = "gives no value";
    if (n->kind == NODE_LIST && n->type == T_NOTHING)
        return arena_printf(w->arena, "`%s`, which %s", text_of(w, n), what);
    return arena_printf(w->arena, "`%s`, %s", text_of(w, n), what);
}

static Type fail(Node *n) {
    n->type = T_ERROR;
    n->effect = EFFECT_NONE;
    return T_ERROR;
}

static Type shape(World *w, Node *n, const Node *at, const char *why) {
    if (at->kind != NODE_ERROR) report_at(w->diags, w->script, E_SHAPE, at, why);
    return fail(n);
}

bool type_fits(Type t, const char *wanted) {
    bool unset = t == T_UNSET;
    if (t == T_ERROR) return true;
    if (strcmp(wanted, "number") == 0) return t == T_NUMBER;
    if (strcmp(wanted, "truth") == 0) return t == T_TRUTH;
    if (strcmp(wanted, "site") == 0) return t == T_SITE || unset;
    if (strcmp(wanted, "player") == 0) return t == T_PLAYER || unset;
    if (strcmp(wanted, "piece") == 0) return t == T_PIECE || unset;
    if (strcmp(wanted, "pieces") == 0) return t == T_PIECE || t == (T_LIST | T_PIECE);
    if (strcmp(wanted, "track") == 0) return t == T_TRACK;
    if (strcmp(wanted, "direction") == 0) return t == T_DIRECTION || unset;
    if (strcmp(wanted, "region") == 0) return t == T_REGION || t == T_TRACK || t == T_LIST;
    if (strcmp(wanted, "place") == 0)
        return t == T_SITE || t == T_REGION || t == T_TRACK || t == T_LIST || unset;
    if (strcmp(wanted, "word") == 0) return t == T_WORD;
    if (strcmp(wanted, "list") == 0) return (t & T_LIST) || t == T_TRACK;
    if (strcmp(wanted, "value") == 0) return !(t & T_LIST) && t != T_NOTHING && t != T_DICE;
    return false;
}

static const char *wanted_text(const char *wanted) {
    static const char *const texts[][2] = {
        {"number", "a number"},       {"truth", "a truth"},
        {"site", "a site"},           {"player", "a player"},
        {"piece", "a kind of piece"}, {"pieces", "a kind of piece or several"},
        {"track", "a track"},         {"direction", "a direction"},
        {"region", "a region"},       {"place", "a site or region"},
        {"word", "a word"},           {"list", "a list"},
        {"value", "a value"},
    };
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        if (strcmp(texts[i][0], wanted) == 0) return texts[i][1];
    return wanted;
}

static bool fits(World *w, Node *n, const char *wanted, const char *who) {
    if (n->kind == NODE_ERROR) return false;
    if (type_fits(n->type, wanted)) return n->type != T_ERROR;
    int d = report_at(w->diags, w->script, E_TYPE, n, who, wanted_text(wanted), describe(w, n));
    if (strcmp(wanted, "track") == 0 && n->type == T_REGION)
        diag_mend(w->diags, d, "(path ...) or (loop ...) makes a track of a region");
    else if (strcmp(wanted, "truth") == 0 && n->type == T_NUMBER)
        diag_mend(w->diags, d, "compare it: (> %s 0)", text_of(w, n));
    else if (strcmp(wanted, "site") == 0 && n->type == T_REGION)
        diag_mend(w->diags, d,
                  "pick one: (nth 1 ...), or go through them with `for`, `any`, `choose`");
    fail(n);
    return false;
}

bool check_wanted(World *w, Node *n, const char *wanted, const char *who) {
    check_asking(w, n);
    return fits(w, n, wanted, who);
}

Type check_asking(World *w, Node *n) {
    Type t = check(w, n, WANT_VALUE);
    if (t == T_ERROR) return t;
    if (n->effect != EFFECT_NONE) {
        int d = report_at(w->diags, w->script, E_DOES, n, node_head(n) ? node_head(n) : "this");
        if (t != T_NOTHING)
            diag_mend(w->diags, d, "name its outcome first: (let x %s)", text_of(w, n));
        return fail(n);
    }
    if (t == T_NOTHING) {
        report_at(w->diags, w->script, E_NO_VALUE, n, node_head(n) ? node_head(n) : "this");
        return fail(n);
    }
    return t;
}

// ---- names --------------------------------------------------------------------------------------

// `k9` on a board with rows: columns a.., rows 1..
static bool looks_like_site(const char *name) {
    const char *p = name;
    while (*p >= 'a' && *p <= 'z') p++;
    if (p == name || p - name > 2 || *p < '0' || *p > '9') return false;
    while (*p >= '0' && *p <= '9') p++;
    return *p == '\0';
}

static void suggest(World *w, int d, const char *name, bool ludeme_wanted) {
    VEC(const char *) known = {0};
    for (size_t i = 0; i < w->symbols.n; i++) {
        const Symbol *s = &w->symbols.at[i];
        if (s->kind != SYMBOL_SITE || looks_like_site(name)) vec_push(w->arena, &known, s->name);
    }
    if (!ludeme_wanted)
        for (size_t i = 0; i < w->expanded->locals.n; i++)
            vec_push(w->arena, &known, w->expanded->locals.at[i].name);
    for (size_t i = 0; i < w->script->items.n; i++)
        if (w->script->items.at[i].name) vec_push(w->arena, &known, w->script->items.at[i].name);
    for (int i = 1; i < LUDEMES; i++)
        if (ludeme_wanted ? ludemes[i].group != EQUIPMENT : ludemes[i].group == ASKING)
            vec_push(w->arena, &known, ludemes[i].name);
    const char *near = nearest_name(name, known.at, known.n);
    if (near && strcmp(near, name) != 0) diag_mend(w->diags, d, "did you mean `%s`?", near);
}

// A definition of a library that is not in use.
static const char *library_of(World *w, const char *name) {
    const char *pattern = arena_printf(w->arena, "(define (%s", name);
    size_t n = strlen(pattern);
    for (unsigned i = 0; i < stdlib_count; i++)
        for (const char *p = strstr(stdlib_files[i].text, pattern); p; p = strstr(p + 1, pattern))
            if (p[n] == ' ' || p[n] == ')' || p[n] == '\n') return stdlib_files[i].name;
    return NULL;
}

static bool declared_later(const World *w, const char *name) {
    if (w->settled) return false;
    for (size_t i = 0; i < w->script->items.n; i++)
        if (w->script->items.at[i].name == name && w->script->items.at[i].kind != L_DEFINE)
            return true;
    return false;
}

static Type unknown_name(World *w, Node *n) {
    LudemeId id = ludeme_find(n->text);
    if (declared_later(w, n->text)) {
        report_at(w->diags, w->script, E_LATER, n, n->text);
    } else if (id != L_UNKNOWN && ludemes[id].group != EQUIPMENT) {
        int d = report_at(w->diags, w->script, E_SHAPE, n,
                          arena_printf(w->arena, "`%s` is a ludeme and stands in ( )", n->text));
        diag_mend(w->diags, d, "write (%s%s)", n->text, *ludemes[id].signature ? " ..." : "");
    } else if (looks_like_site(n->text) && w->rows) {
        int d = report_at(w->diags, w->script, E_UNKNOWN_SITE, n, n->text);
        const char *last =
            w->nboard
                ? w->sites.at[board_at(w, w->columns, 1) >= 0 ? board_at(w, w->columns, 1) : 0].name
                : "";
        diag_mend(w->diags, d, "its columns are a to %.*s, its rows 1 to %d",
                  (int)strcspn(last, "0123456789"), last, w->rows);
    } else {
        suggest(w, report_at(w->diags, w->script, E_UNKNOWN_NAME, n, n->text), n->text, false);
    }
    return fail(n);
}

static Type symbol_type(World *w, Node *n, const Symbol *s) {
    switch (s->kind) {
    case SYMBOL_PLAYER: return T_PLAYER;
    case SYMBOL_SITE: return T_SITE;
    case SYMBOL_WORD: return T_WORD;
    case SYMBOL_DIRECTION: return T_DIRECTION;
    case SYMBOL_LOST: return fail(n);
    case SYMBOL_DICE: return T_DICE;
    case SYMBOL_PIECE: return T_PIECE;
    case SYMBOL_PIECES: return T_LIST | T_PIECE;
    case SYMBOL_LIST: return T_LIST | s->type;
    case SYMBOL_VAR: {
        const Var *v = &w->vars.at[s->index];
        if (v->index_list < 0) return v->type;
        int d = report_at(w->diags, w->script, E_SHAPE, n,
                          arena_printf(w->arena, "`%s` is one per %s: say which", n->text,
                                       type_name(v->index_type) + 2));
        diag_mend(w->diags, d, "(%s ...)", n->text);
        return fail(n);
    }
    case SYMBOL_REGION:
    case SYMBOL_TRACK:
    case SYMBOL_STORE: break;
    }
    if (s->per_player && w->each < 0) {
        int d = report_at(w->diags, w->script, E_WHOSE, n, n->text);
        diag_mend(w->diags, d, "(%s mover), or another player", n->text);
        return fail(n);
    }
    return s->kind == SYMBOL_REGION ? T_REGION : s->kind == SYMBOL_TRACK ? T_TRACK : T_SITE;
}

static Type check_name(World *w, Node *n) {
    n->effect = EFFECT_NONE;
    if (n->ludeme == L_LOCAL) return n->type = w->expanded->locals.at[n->ref].type;
    int truth = node_truth(n);
    if (truth >= 0) {
        n->ludeme = truth ? L_YES : L_NO;
        return n->type = T_TRUTH;
    }
    if (n->ludeme == L_CHOSEN) {
        n->ref = world_word(w, n->text);
        return n->type = T_WORD;
    }
    int s = world_symbol(w, n->text);
    if (s >= 0) {
        usage_mark(w->script, n->text);
        n->ludeme = L_SYMBOL;
        n->ref = s;
        return n->type = (uint8_t)symbol_type(w, n, &w->symbols.at[s]);
    }
    LudemeId id = ludeme_find(n->text);
    if (id == L_UNSET) {
        n->ludeme = L_UNSET_VALUE;
        return n->type = T_UNSET;
    }
    if (id == L_MOVER || id == L_OPPONENT) {
        n->ludeme = (uint16_t)id;
        if (id == L_OPPONENT && w->players.n != 2)
            return shape(w, n, n, "`opponent` needs a game of two players");
        return n->type = T_PLAYER;
    }
    return unknown_name(w, n);
}

int word_set_of(const World *w, const Node *n) {
    if (n->type != T_WORD && n->type != (T_LIST | T_WORD)) return -1;
    if (n->ludeme == L_LOCAL) return w->expanded->locals.at[n->ref].words;
    if (n->ludeme != L_SYMBOL) return -1;
    const Symbol *s = &w->symbols.at[n->ref];
    return s->kind == SYMBOL_VAR ? w->vars.at[s->index].words : -1;
}

// A plain word that stands beside one of a known set must be of the set.
static bool word_possible(World *w, const Node *set, const Node *word) {
    int words = word_set_of(w, set);
    if (words < 0 || word->kind != NODE_NAME || word->ludeme != L_SYMBOL ||
        w->symbols.at[word->ref].kind != SYMBOL_WORD)
        return true;
    const WordSet ws = w->word_sets.at[words];
    const char *known[64];
    size_t n = 0;
    for (int i = 0; i < ws.n; i++) {
        if (ws.words[i] == w->symbols.at[word->ref].index) return true;
        if (n < 64) known[n++] = w->words.at[ws.words[i]];
    }
    int d = report_at(w->diags, w->script, E_WORD, word, text_of(w, set), word->text);
    const char *list = "";
    for (size_t i = 0; i < n; i++)
        list = arena_printf(w->arena, "%s%s%s", list, i ? ", " : "", known[i]);
    diag_mend(w->diags, d, "it is one of %s", list);
    return false;
}

// ---- calls ------------------------------------------------------------------------------------------

enum { SIG_MAX = 6, SIG_TEXT = 12 };
typedef struct Signature {
    char types[SIG_MAX][SIG_TEXT];
    int n, needed;
    bool rest;
    char keys[SIG_MAX][SIG_TEXT], key_types[SIG_MAX][SIG_TEXT];
    int nkeys;
} Signature;

static void read_signature(const char *text, Signature *s) {
    memset(s, 0, sizeof *s);
    bool optional = false;
    char key[SIG_TEXT] = "";
    while (*text) {
        size_t n = strcspn(text, " []:.");
        if (n == 0) {
            if (*text == '[')
                optional = true;
            else if (*text == ']')
                optional = false;
            else if (*text == '.')
                s->rest = true;
            text++;
            continue;
        }
        char word[SIG_TEXT] = "";
        memcpy(word, text, n < SIG_TEXT - 1 ? n : SIG_TEXT - 1);
        text += n;
        if (*text == ':') {
            memcpy(key, word, SIG_TEXT);
            text++;
        } else if (key[0]) {
            memcpy(s->keys[s->nkeys], key, SIG_TEXT);
            memcpy(s->key_types[s->nkeys++], word, SIG_TEXT);
            key[0] = '\0';
        } else {
            memcpy(s->types[s->n++], word, SIG_TEXT);
            if (!optional) s->needed = s->n;
        }
    }
}

static const char *usage(World *w, LudemeId id) {
    return arena_printf(w->arena, "(%s%s%s)", ludemes[id].name, *ludemes[id].signature ? " " : "",
                        ludemes[id].signature);
}

static bool check_key_argument(World *w, Node *n, uint32_t i, const Signature *sig,
                               const char *name) {
    Node *key = n->kids[i];
    for (uint32_t k = 1; k < i; k++) {
        if (n->kids[k]->kind == NODE_KEY && n->kids[k]->text == key->text) {
            report_at(w->diags, w->script, E_KEY_TWICE, key, key->text);
            return false;
        }
    }
    if (i + 1 >= n->nkids || n->kids[i + 1]->kind == NODE_KEY) {
        report_at(w->diags, w->script, E_KEY_VALUE, key, key->text);
        return false;
    }
    const char *known[SIG_MAX];
    for (int k = 0; k < sig->nkeys; k++) {
        if (strcmp(sig->keys[k], key->text) == 0)
            return check_wanted(w, n->kids[i + 1], sig->key_types[k],
                                arena_printf(w->arena, "%s %s:", name, key->text));
        known[k] = sig->keys[k];
    }
    int d = report_at(w->diags, w->script, E_UNKNOWN_KEY, key, name, key->text);
    const char *near = nearest_name(key->text, known, (size_t)sig->nkeys);
    if (near)
        diag_mend(w->diags, d, "did you mean `%s:`?", near);
    else
        diag_mend(w->diags, d, "%s", usage(w, ludeme_find(name)));
    return false;
}

static bool check_arguments(World *w, Node *n, LudemeId id) {
    Signature sig;
    const char *name = ludemes[id].name;
    read_signature(ludemes[id].signature, &sig);
    int at = 0;
    bool good = true;
    for (uint32_t i = 1; i < n->nkids; i++) {
        Node *kid = n->kids[i];
        if (kid->kind == NODE_KEY) {
            good &= check_key_argument(w, n, i, &sig, name);
            i++;
            continue;
        }
        int slot = at < sig.n ? at : sig.rest ? sig.n - 1 : -1;
        if (slot < 0) {
            int d = report_at(w->diags, w->script, E_TOO_MANY, kid, name, usage(w, id));
            (void)d;
            return false;
        }
        good &= check_wanted(w, kid, sig.types[slot], name);
        at++;
    }
    if (at < sig.needed) {
        const char *what =
            arena_printf(w->arena, "%s as its argument %d", wanted_text(sig.types[at]), at + 1);
        bool faulty = false;
        for (uint32_t i = 1; i < n->nkids; i++) faulty |= n->kids[i]->kind == NODE_ERROR;
        if (!faulty) {
            int d = report_at(w->diags, w->script, E_TOO_FEW, n, name, what);
            diag_mend(w->diags, d, "%s", usage(w, id));
        }
        return false;
    }
    return good;
}

static Type element_type(Type t) {
    return t == T_TRACK ? T_SITE : (Type)((unsigned)t & ~(unsigned)T_LIST);
}

static Type result_type(const Node *n, LudemeId id) {
    const char *r = ludemes[id].result;
    static const struct {
        const char *name;
        Type type;
    } names[] = {{"", T_NOTHING},      {"number", T_NUMBER}, {"truth", T_TRUTH},
                 {"site", T_SITE},     {"player", T_PLAYER}, {"piece", T_PIECE},
                 {"region", T_REGION}, {"track", T_TRACK}};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strcmp(names[i].name, r) == 0) return names[i].type;
    if (strcmp(r, "same") == 0) return n->kids[1]->type;
    return element_type(n->kids[n->nkids - 1]->type);
}

static bool comparable(Type a, Type b) {
    if (a == T_ERROR || b == T_ERROR || a == b) return true;
    bool settable = a != T_NUMBER && a != T_TRUTH && b != T_NUMBER && b != T_TRUTH;
    return settable && (a == T_UNSET || b == T_UNSET);
}

static Type check_call(World *w, Node *n, LudemeId id) {
    if (!check_arguments(w, n, id)) return fail(n);
    n->effect = ludemes[id].group == DOING ? EFFECT_DOES : EFFECT_NONE;
    Type a = n->nkids > 1 ? n->kids[1]->type : T_NOTHING,
         b = n->nkids > 2 ? n->kids[2]->type : T_NOTHING;
    switch ((int)id) {
    case L_EQ:
    case L_NE:
        if (!comparable(a, b)) {
            report_at(w->diags, w->script, E_COMPARE, n, describe(w, n->kids[1]),
                      describe(w, n->kids[2]));
            return fail(n);
        }
        if (!word_possible(w, n->kids[1], n->kids[2]) || !word_possible(w, n->kids[2], n->kids[1]))
            return fail(n);
        break;
    case L_IN:
    case L_INDEX:
        if (b != T_LIST && b != T_ERROR && !comparable(a, element_type(b))) {
            report_at(w->diags, w->script, E_COMPARE, n, describe(w, n->kids[1]),
                      arena_printf(w->arena, "an element of %s", describe(w, n->kids[2])));
            return fail(n);
        }
        if (n->kids[2]->kind == NODE_SET)
            for (uint32_t i = 0; i < n->kids[2]->nkids; i++)
                if (!word_possible(w, n->kids[1], n->kids[2]->kids[i])) return fail(n);
        break;
    case L_WHOSE:
        if (a != T_SITE && a != T_PIECE && a != T_ERROR)
            return fits(w, n->kids[1], "site", "whose") ? T_PLAYER : fail(n);
        break;
    case L_UNSET:
        if (a == T_NUMBER || a == T_TRUTH)
            return shape(w, n, n, "a number or truth is never unset");
        break;
    case L_FACING:
    case L_BEHIND:
    case L_AT:
    case L_STEP:
    case L_RAY:
    case L_ROW:
    case L_COLUMN:
    case L_HALF_TURN:
        if (w->rows == 0) {
            report_at(w->diags, w->script, E_NO_ROWS, n, ludemes[id].name);
            return fail(n);
        }
        break;
    default: break;
    }
    Type t = result_type(n, id);
    n->type = (uint8_t)t;
    if ((id == L_ROW || id == L_COLUMN) && is_constant(w, n->kids[1])) {
        int i;
        evaluate(w, n->kids[1], NULL, &i);
        int high = id == L_ROW ? w->rows : w->columns;
        if (i < 1 || i > high) {
            report_at(w->diags, w->script, E_SIZE, n->kids[1],
                      arena_printf(w->arena, "a %s of this board", ludemes[id].name), 1, high);
            return fail(n);
        }
    }
    return t;
}

// ---- sets and ranges -------------------------------------------------------------------------------------

static Type check_set(World *w, Node *n) {
    Type element = T_NOTHING;
    n->effect = EFFECT_NONE;
    bool faulty = false;
    for (uint32_t i = 0; i < n->nkids; i++) {
        Node *kid = n->kids[i];
        Type t = check_asking(w, kid);
        if (t == T_ERROR) {
            faulty = true;
            continue;
        }
        t = element_type(t) == T_TRACK || t == T_TRACK ? T_TRACK : element_type(t);
        if (element == T_NOTHING || element == T_UNSET) element = t;
        if (t == element || t == T_UNSET) continue;
        // A track among sites is meant as its sites.
        if (element == T_SITE && t == T_TRACK) continue;
        report_at(w->diags, w->script, E_SHAPE, kid,
                  arena_printf(w->arena, "a set holds things of one kind: %s stands beside %s",
                               describe(w, kid), describe(w, n->kids[0])));
        return fail(n);
    }
    if (faulty) return fail(n);
    return n->type = (uint8_t)(element == T_NOTHING ? T_LIST : T_LIST | element);
}

static Type check_range(World *w, Node *n) {
    Type a = check_asking(w, n->kids[0]), b = check_asking(w, n->kids[1]);
    n->effect = EFFECT_NONE;
    if (a == T_ERROR || b == T_ERROR) return fail(n);
    bool sites = a == T_SITE && b == T_SITE;
    if (!sites && !(a == T_NUMBER && b == T_NUMBER))
        return shape(
            w, n, n,
            arena_printf(w->arena,
                         "a run goes from site to site or from number to number, not from %s to %s",
                         describe(w, n->kids[0]), describe(w, n->kids[1])));
    n->type = sites ? T_REGION : T_LIST | T_NUMBER;
    int value;
    size_t errors = w->diags->errors;
    if (sites && !evaluate(w, n, NULL, &value))
        return shape(w, n, n, "the ends of a run of sites must be known before the game is played");
    return w->diags->errors > errors ? fail(n) : (Type)n->type;
}

// ---- forms -------------------------------------------------------------------------------------------------

static bool constant_local(World *w, Local *local, Node *value) {
    if (local->assigned || value->effect != EFFECT_NONE || value->type == T_ERROR) return false;
    bool copy = value->ludeme == L_LOCAL && value->kind == NODE_NAME &&
                !w->expanded->locals.at[value->ref].assigned;
    return copy || is_constant(w, value);
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
        vec_push(w->arena, &kids, leaf);
        vec_push(w->arena, &kids, copy);
    }
    let->kids = kids.at;
    let->nkids = (uint32_t)kids.n;
}

static Type check_let(World *w, Node *n) {
    if (n->nkids != 3 || n->kids[1]->kind != NODE_NAME) {
        for (uint32_t i = 0; i < n->nkids; i++)
            if (n->kids[i]->kind == NODE_ERROR) return fail(n);
        return shape(w, n, n, "(let NAME VALUE) takes a name and one value");
    }
    Node *name = n->kids[1], *value = n->kids[2];
    Type t = check(w, value, WANT_VALUE);
    if (t == T_NOTHING) {
        report_at(w->diags, w->script, E_NO_VALUE, value,
                  node_head(value) ? node_head(value) : "this");
        t = fail(value);
    } else if (t == T_UNSET || t == T_DICE) {
        return shape(w, n, value,
                     t == T_DICE
                         ? "dice are thrown: (throw ...)"
                         : "`unset` alone is of no kind: a name needs a value to start from");
    }
    Local *local = &w->expanded->locals.at[name->ref];
    local->type = (uint8_t)t;
    local->words = word_set_of(w, value);
    name->type = (uint8_t)t;
    n->effect = value->effect == EFFECT_DECIDES ? EFFECT_DECIDES : EFFECT_DOES;
    n->type = T_NOTHING;
    if (constant_local(w, local, value)) {
        local->alias = value;
    } else if (((t & T_LIST) || t == T_TRACK) && value->effect == EFFECT_NONE && !local->assigned) {
        int ref = name->ref;
        capture_leaves(w, n);
        w->expanded->locals.at[ref].alias = n->kids[2];
    }
    return T_NOTHING;
}

static Type check_set_form(World *w, Node *n, bool all) {
    const char *who = all ? "set-all" : "set";
    if (n->nkids != 3)
        return shape(w, n, n,
                     all ? "(set-all NAME VALUE) takes a variable and one value"
                         : "(set NAME VALUE) takes a name and one value");
    Node *target = n->kids[1], *value = n->kids[2];
    if (target->kind == NODE_ERROR) return fail(n);
    const char *name = target->kind == NODE_NAME ? target->text : node_head(target);
    Type t = T_ERROR;
    int words = -1;
    if (target->kind == NODE_NAME && target->ludeme == L_LOCAL) {
        t = w->expanded->locals.at[target->ref].type;
        target->type = (uint8_t)t;
        if ((t & T_LIST) && t != T_ERROR) {
            report_at(w->diags, w->script, E_NOT_SET, target, target->text, "it stands for a list");
            return fail(n);
        }
    } else {
        int s = name ? world_symbol(w, name) : -1;
        if (s >= 0 && w->symbols.at[s].kind == SYMBOL_LOST) return fail(n);
        if (s < 0 || w->symbols.at[s].kind != SYMBOL_VAR) {
            if (s >= 0)
                report_at(w->diags, w->script, E_NOT_SET, target, name, "it is no variable");
            else if (target->kind == NODE_NAME)
                unknown_name(w, target);
            else if (name)
                suggest(w, report_at(w->diags, w->script, E_UNKNOWN_NAME, target, name), name,
                        false);
            else
                shape(w, n, target, "(set NAME VALUE) or (set (NAME INDEX) VALUE) sets a variable");
            return fail(n);
        }
        const Var *v = &w->vars.at[w->symbols.at[s].index];
        target->ludeme = L_SYMBOL;
        target->ref = s;
        t = v->type;
        words = v->words;
        if (all) {
            if (target->kind != NODE_NAME || v->index_list < 0)
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
    Type given = check(w, value, WANT_VALUE);
    if (given == T_NOTHING) {
        report_at(w->diags, w->script, E_NO_VALUE, value,
                  node_head(value) ? node_head(value) : "this");
        given = fail(value);
    }
    if (!comparable(t, given)) {
        report_at(w->diags, w->script, E_TYPE, value, arena_printf(w->arena, "%s %s", who, name),
                  type_name(t), describe(w, value));
        return fail(n);
    }
    if (words >= 0 && !word_possible(w, target, value)) return fail(n);
    n->effect = value->effect == EFFECT_DECIDES ? EFFECT_DECIDES : EFFECT_DOES;
    return n->type = T_NOTHING;
}

static Type check_if(World *w, Node *n, Want want) {
    check_wanted(w, n->kids[1], "truth", "if");
    Type t = T_NOTHING;
    uint8_t effect = EFFECT_NONE;
    for (uint32_t i = 2; i < n->nkids; i++) {
        Type k = check(w, n->kids[i], want);
        if (n->kids[i]->effect > effect) effect = n->kids[i]->effect;
        if (i == 2 || t == T_ERROR || t == T_UNSET)
            t = k;
        else if (want == WANT_VALUE && !comparable(t, k)) {
            int d = report_at(
                w->diags, w->script, E_SHAPE, n->kids[i],
                arena_printf(w->arena,
                             "both cases of an `if` give the same kind of thing: this is %s",
                             describe(w, n->kids[i])));
            diag_label(w->diags, d, n->kids[2]->span, "%s", type_name(t));
            return fail(n);
        }
    }
    n->effect = effect;
    if (want == WANT_VALUE && n->nkids < 4)
        return shape(w, n, n, "an `if` that gives a value needs both cases");
    if (want == WANT_DONE) {
        if (effect == EFFECT_NONE && t != T_NOTHING && t != T_ERROR) return n->type = (uint8_t)t;
        t = T_NOTHING;
    }
    return n->type = (uint8_t)t;
}

static void check_statement(World *w, Node *n) {
    if (n->kind == NODE_ERROR) return;
    Type t = check(w, n, WANT_DONE);
    if (t == T_ERROR || t == T_NOTHING || n->effect != EFFECT_NONE) return;
    int d = report_at(w->diags, w->script, E_ONLY_ASKS, n, text_of(w, n));
    if (n->kind == NODE_NAME && ludeme_find(n->text) != L_UNKNOWN)
        diag_mend(w->diags, d, "write (%s)", n->text);
    fail(n);
}

static uint8_t effect_of_kids(const Node *n) {
    uint8_t effect = EFFECT_NONE;
    for (uint32_t i = 1; i < n->nkids; i++)
        if (n->kids[i]->effect > effect) effect = n->kids[i]->effect;
    return effect;
}

// Whether the statement never lets the next one be done.
static bool never_returns(const Node *n) {
    switch ((int)n->ludeme) {
    case L_AGAIN:
    case L_PASS:
    case L_LEAVE:
    case L_BREAK:
    case L_WIN:
    case L_LOSE:
    case L_DRAW:
    case L_HIGHEST_WINS:
    case L_LOWEST_WINS:
    case L_FAIL: return n->kind == NODE_LIST;
    default: return false;
    }
}

static void check_reached(World *w, Node *n, uint32_t i) {
    uint32_t next = next_plain(n, i);
    if (!never_returns(n->kids[i]) || !next || n->kids[next]->kind == NODE_ERROR) return;
    int d =
        report_at(w->diags, w->script, E_UNREACHABLE, n->kids[next],
                  arena_printf(w->arena, "(%s) before it never comes back", node_head(n->kids[i])));
    diag_label(w->diags, d, n->kids[i]->span, "here the play goes elsewhere");
}

// The plain kids from `from` on as statements; keys are the caller's.
static void check_body(World *w, Node *n, uint32_t from, const char *who) {
    bool any = false;
    for (uint32_t i = next_plain(n, from - 1); i; i = next_plain(n, i)) {
        any = true;
        check_statement(w, n->kids[i]);
        check_reached(w, n, i);
    }
    if (!any) report_at(w->diags, w->script, E_TOO_FEW, n, who, "at least one statement");
}

static Type check_do(World *w, Node *n, Want want) {
    Type t = T_NOTHING;
    for (uint32_t i = 1; i < n->nkids; i++) {
        Node *kid = n->kids[i];
        if (kid->kind == NODE_KEY) return shape(w, n, kid, "`do` takes statements only");
        bool last = i + 1 == n->nkids;
        if (last && want == WANT_VALUE)
            t = check(w, kid, WANT_VALUE);
        else if (last) {
            // As a statement of a definition's body a last value may be dropped if something is done before it.
            Type k = check(w, kid, WANT_DONE);
            if (kid->effect == EFFECT_NONE && k != T_NOTHING && k != T_ERROR &&
                effect_of_kids(n) == EFFECT_NONE)
                t = k;
            if (k == T_ERROR) t = T_ERROR;
        } else {
            check_statement(w, kid);
            check_reached(w, n, i);
        }
    }
    n->effect = EFFECT_NONE;
    for (uint32_t i = 1; i < n->nkids; i++) {
        const Node *kid = n->kids[i];
        bool asks = kid->ludeme == L_LET && kid->kind == NODE_LIST && kid->nkids > 2 &&
                    kid->kids[2]->effect == EFFECT_NONE;
        bool value = i + 1 == n->nkids && want == WANT_VALUE;
        uint8_t e = asks && (want == WANT_VALUE || value) ? EFFECT_NONE : kid->effect;
        if (e > n->effect) n->effect = e;
    }
    return n->type = (uint8_t)t;
}

static bool check_limits(World *w, Node *n, const char *who) {
    Node *limit = key_value(n, "limit"), *at_limit = key_value(n, "at-limit");
    if (limit && !check_wanted(w, limit, "number", arena_printf(w->arena, "%s limit:", who)))
        return false;
    if (at_limit) check_statement(w, at_limit);
    return true;
}

static bool known_keys(World *w, Node *n, const char *const *keys, size_t nkeys) {
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
                diag_mend(w->diags, d, "did you mean `%s:`?", near);
            else
                diag_mend(w->diags, d, "%s", usage(w, n->ludeme));
            return false;
        }
        i++;
    }
    return true;
}

static Type check_while(World *w, Node *n) {
    static const char *const keys[] = {"limit", "at-limit"};
    if (!known_keys(w, n, keys, 2)) return fail(n);
    uint32_t test = next_plain(n, 0);
    if (!test) return shape(w, n, n, "(while TRUTH STATEMENT...) needs a truth and what is done");
    check_wanted(w, n->kids[test], "truth", "while");
    check_limits(w, n, "while");
    uint32_t body = next_plain(n, test);
    if (!body) return shape(w, n, n, "(while TRUTH STATEMENT...) needs something to do");
    check_body(w, n, body, "while");
    n->effect = effect_of_kids(n) > EFFECT_DOES ? EFFECT_DECIDES : EFFECT_DOES;
    return n->type = T_NOTHING;
}

// Whether the loop's own statements can leave it: (break), the end of the game, (leave)...
static bool can_leave(const Node *n) {
    if (n->kind == NODE_LIST && n->type != T_ERROR && (never_returns(n))) return true;
    for (uint32_t i = 0; i < n->nkids; i++)
        if (can_leave(n->kids[i])) return true;
    return n->kind == NODE_ERROR;
}

static Type check_repeat(World *w, Node *n) {
    static const char *const keys[] = {"until", "limit", "at-limit"};
    if (!known_keys(w, n, keys, 3)) return fail(n);
    check_body(w, n, 1, "repeat");
    check_limits(w, n, "repeat");
    Node *until = key_value(n, "until");
    if (until) check_wanted(w, until, "truth", "repeat until:");
    n->effect = effect_of_kids(n) > EFFECT_DOES ? EFFECT_DECIDES : EFFECT_DOES;
    if (!until && !key_value(n, "limit") && n->effect < EFFECT_DECIDES && !can_leave(n))
        report_at(w->diags, w->script, E_NEVER_ASKS, n,
                  "this loop never ends: it asks nobody, and has neither `until:` nor `limit:` nor "
                  "(break)");
    return n->type = T_NOTHING;
}

static Type check_turns(World *w, Node *n) {
    static const char *const keys[] = {"from", "next", "all-pass"};
    if (!known_keys(w, n, keys, 3)) return fail(n);
    Node *from = key_value(n, "from"), *next = key_value(n, "next"),
         *all_pass = key_value(n, "all-pass");
    if (from) check_wanted(w, from, "player", "turns from:");
    check_body(w, n, 1, "turns");
    if (next) check_wanted(w, next, "player", "turns next:");
    if (all_pass) check_statement(w, all_pass);
    n->effect = effect_of_kids(n) > EFFECT_DOES ? EFFECT_DECIDES : EFFECT_DOES;
    if (n->effect < EFFECT_DECIDES && !can_leave(n))
        report_at(
            w->diags, w->script, E_NEVER_ASKS, n,
            "these turns never end: they ask nobody, and nothing ends the game or leaves them");
    return n->type = T_NOTHING;
}

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
            diag_mend(w->diags, d, "did you mean `%s:`?", near);
        return fail(n);
    }
    return shape(w, n, b->fault, b->why);
}

static void bind_element(World *w, Node *name, const Node *domain) {
    if (name->ludeme != L_LOCAL) return;
    Local *local = &w->expanded->locals.at[name->ref];
    local->type = (uint8_t)(domain->type == T_ERROR ? T_ERROR : element_type(domain->type));
    local->words = word_set_of(w, domain);
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
    return good;
}

static bool check_label(World *w, Node *label) {
    if (label->kind == NODE_NAME || label->kind == NODE_ERROR) return true;
    bool word = label->kind == NODE_STRING && label->text[0];
    for (const char *p = label->text; word && *p; p++)
        word = (*p >= 'a' && *p <= 'z') || (*p >= 'A' && *p <= 'Z') || (*p >= '0' && *p <= '9') ||
               *p == '-' || *p == '_' || *p == '+' || (unsigned char)*p >= 0x80;
    if (!word)
        report_at(w->diags, w->script, E_SHAPE, label,
                  "`as:` is one word, letters, digits and hyphens: it is written in records");
    return word;
}

static Type check_choose(World *w, Node *n, bool in_either) {
    Binder b;
    read_binder(n, &b);
    if (b.fault) return check_binder_shape(w, n, &b);
    int test = 0;
    for (int i = 0; i <= b.nvars; i++) {
        for (; test < b.ntests && b.after[test] == i; test++)
            check_wanted(w, b.tests[test], "truth", "choose where:");
        if (i < b.nvars) check_domain(w, b.names[i], b.domains[i], "choose");
    }
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
    check_body(w, n, b.body, "choose");
    n->effect = EFFECT_DECIDES;
    return n->type = T_NOTHING;
}

static Type check_either(World *w, Node *n) {
    static const char *const keys[] = {"else"};
    if (!known_keys(w, n, keys, 1)) return fail(n);
    uint32_t count = 0;
    for (uint32_t i = next_plain(n, 0); i; i = next_plain(n, i)) {
        Node *kid = n->kids[i];
        if (kid->kind == NODE_ERROR) return fail(n);
        const char *head = node_head(kid);
        if (head && strcmp(head, "do") == 0 && kid->nkids == 1) continue; // an option took it away
        if (!head || strcmp(head, "choose") != 0)
            return shape(w, n, kid, "`either` holds (choose ...) forms and an `else:`");
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

static Type check_for(World *w, Node *n) {
    Binder b;
    read_binder(n, &b);
    if (b.fault) return check_binder_shape(w, n, &b);
    if (b.nvars != 1 || b.label || b.otherwise || b.ntests)
        return shape(w, n, n, "(for NAME in: LIST STATEMENT...) goes through one list");
    check_domain(w, b.names[0], b.domains[0], "for");
    check_body(w, n, b.body, "for");
    n->effect = effect_of_kids(n) > EFFECT_DOES ? EFFECT_DECIDES : EFFECT_DOES;
    return n->type = T_NOTHING;
}

static Type check_quantifier(World *w, Node *n, LudemeId id) {
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
    check_domain(w, b.names[0], b.domains[0], who);
    bool number = id == L_SUM || id == L_MOST || id == L_LEAST;
    if (number && asked != 1)
        return shape(w, n, n,
                     arena_printf(w->arena, "(%s NAME in: LIST NUMBER) needs a number", who));
    for (int i = 0; i < b.ntests; i++)
        check_wanted(w, b.tests[i], "truth", arena_printf(w->arena, "%s where:", who));
    if (asked == 1) check_wanted(w, n->kids[b.body], number ? "number" : "truth", who);
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

static Type check_sow(World *w, Node *n) {
    Sow s;
    read_sow(n, &s);
    if (s.fault) return shape(w, n, s.fault, s.why);
    if (!s.site) {
        report_at(w->diags, w->script, E_TOO_FEW, n, "sow", "the site that is sown");
        return fail(n);
    }
    if (!s.along) {
        report_at(w->diags, w->script, E_MISSING_KEY, n, "sow", "along");
        return fail(n);
    }
    check_wanted(w, s.site, "site", "sow");
    check_wanted(w, s.along, "track", "sow along:");
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

static Type check_throw(World *w, Node *n) {
    if (n->nkids < 2) {
        report_at(w->diags, w->script, E_TOO_FEW, n, "throw", "the name of dice");
        return fail(n);
    }
    Node *dice = n->kids[1];
    if (dice->kind == NODE_ERROR) return fail(n);
    if (check(w, dice, WANT_VALUE) == T_ERROR) return fail(n);
    if (dice->type != T_DICE) {
        report_at(w->diags, w->script, E_TYPE, dice, "throw", "dice", describe(w, dice));
        return fail(n);
    }
    const WorldDice *d = &w->dice.at[w->symbols.at[dice->ref].index];
    int names = (int)n->nkids - 2;
    n->effect = EFFECT_DECIDES;
    if (names == 0 && !d->told) return n->type = T_NUMBER;
    if (names != d->dice.nvalues)
        return shape(w, n, n,
                     arena_printf(w->arena,
                                  "(throw %s ...) needs %d name%s, one for each value it gives",
                                  dice->text, d->dice.nvalues, d->dice.nvalues == 1 ? "" : "s"));
    for (int i = 0; i < names; i++) {
        Node *name = n->kids[i + 2];
        if (name->kind != NODE_NAME || name->ludeme != L_LOCAL)
            return shape(w, n, name, "a name for the die is needed here");
        w->expanded->locals.at[name->ref].type = T_NUMBER;
        name->type = T_NUMBER;
    }
    return n->type = T_NOTHING;
}

static Type check_would(World *w, Node *n) {
    static const char *const keys[] = {"then"};
    if (!known_keys(w, n, keys, 1)) return fail(n);
    Node *then = key_value(n, "then");
    if (!then) {
        int d = report_at(w->diags, w->script, E_MISSING_KEY, n, "would", "then");
        diag_mend(w->diags, d, "(would STATEMENT... then: what is asked afterwards)");
        return fail(n);
    }
    check_body(w, n, 1, "would");
    Type t = check_asking(w, then);
    if (t != T_TRUTH && t != T_NUMBER && t != T_ERROR && !fits(w, then, "truth", "would then:"))
        return fail(n);
    n->effect = EFFECT_NONE;
    return n->type = (uint8_t)t;
}

// put, remove, move: `number | all [PIECES] from: PLACE to: SITE`
static Type check_moving(World *w, Node *n, LudemeId id) {
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
            diag_mend(w->diags, d, "%s", usage(w, id));
        }
        return fail(n);
    }
    uint32_t amount = next_plain(n, 0), kind = amount ? next_plain(n, amount) : 0;
    if (!amount || (kind && next_plain(n, kind))) {
        int d = report_at(w->diags, w->script, E_SHAPE, n,
                          arena_printf(w->arena, "`%s` says how many%s, and of which kind of piece",
                                       who, id == L_PUT ? "" : " (a number or all)"));
        diag_mend(w->diags, d, "%s", usage(w, id));
        return fail(n);
    }
    bool all = id != L_PUT && n->kids[amount]->kind == NODE_NAME &&
               n->kids[amount]->ludeme != L_LOCAL && strcmp(n->kids[amount]->text, "all") == 0;
    if (all)
        n->kids[amount]->type = T_NOTHING;
    else
        check_wanted(w, n->kids[amount], "number", who);
    if (kind)
        check_wanted(w, n->kids[kind], all ? "pieces" : "piece", who);
    else if (!all && w->pieces.n != 1) {
        int d = report_at(w->diags, w->script, E_TOO_FEW, n, who, "the kind of piece");
        diag_mend(w->diags, d, "the game has several: (%s 1 KIND ...)", who);
        return fail(n);
    }
    bool many = id == L_PUT || all;
    check_wanted(w, place, many ? "place" : "site", arena_printf(w->arena, "%s %s:", who, key));
    if (to) check_wanted(w, to, "site", "move to:");
    n->effect = EFFECT_DOES;
    return n->type = T_NOTHING;
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
    case L_FOR: return check_for(w, n);
    case L_CHOOSE: return check_choose(w, n, false);
    case L_EITHER: return check_either(w, n);
    case L_THROW: return check_throw(w, n);
    case L_SOW: return check_sow(w, n);
    case L_WOULD: return check_would(w, n);
    case L_PUT:
    case L_REMOVE:
    case L_MOVE: return check_moving(w, n, id);
    case L_BREAK:
    case L_AGAIN:
    case L_PASS:
    case L_LEAVE:
    case L_FAIL:
        if (n->nkids > 1 && n->kids[1]->kind != NODE_ERROR) {
            report_at(w->diags, w->script, E_TOO_MANY, n->kids[1], ludemes[id].name, "nothing");
            return fail(n);
        }
        n->effect = EFFECT_DOES;
        return n->type = T_NOTHING;
    case L_WIN:
        if (n->nkids != 2) return shape(w, n, n, "(win PLAYER) says who won");
        check_asking(w, n->kids[1]);
        if (n->kids[1]->type != (T_LIST | T_PLAYER)) fits(w, n->kids[1], "player", "win");
        n->effect = EFFECT_DOES;
        return n->type = T_NOTHING;
    case L_MOVER: return n->type = T_PLAYER;
    case L_OPPONENT:
        if (w->players.n != 2) return shape(w, n, n, "`opponent` needs a game of two players");
        if (n->nkids > 2) return shape(w, n, n, "(opponent PLAYER) takes one player");
        if (n->nkids == 2) check_wanted(w, n->kids[1], "player", "opponent");
        return n->type = T_PLAYER;
    case L_TURN_OF: {
        uint32_t player = next_plain(n, 0);
        if (!player || n->kids[1]->kind == NODE_KEY)
            return shape(w, n, n, "(turn-of PLAYER STATEMENT...) takes a player and what is done");
        check_wanted(w, n->kids[1], "player", "turn-of");
        check_body(w, n, 2, "turn-of");
        n->effect = effect_of_kids(n) > EFFECT_DOES ? EFFECT_DECIDES : EFFECT_DOES;
        return n->type = T_NOTHING;
    }
    default: return check_quantifier(w, n, id);
    }
}

// ---- lists ------------------------------------------------------------------------------------------------

static Type check_symbol_list(World *w, Node *n, int symbol) {
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
        int d = report_at(w->diags, w->script, E_SHAPE, n,
                          arena_printf(w->arena, "`%s` takes no argument: it is there once", name));
        diag_mend(w->diags, d, "write %s without ( )", name);
        return fail(n);
    }
    Type index = var                        ? w->vars.at[s->index].index_type
                 : s->kind == SYMBOL_PIECES ? s->type
                                            : T_PLAYER;
    if (n->nkids != 2 || n->kids[1]->kind == NODE_KEY) {
        for (uint32_t i = 1; i < n->nkids; i++)
            if (n->kids[i]->kind == NODE_ERROR) return fail(n);
        return shape(w, n, n, arena_printf(w->arena, "(%s ...) takes %s", name, type_name(index)));
    }
    Type t = check_asking(w, n->kids[1]);
    if (t == T_ERROR) return fail(n);
    if (!comparable(t, index)) {
        report_at(w->diags, w->script, E_TYPE, n->kids[1], name, type_name(index),
                  describe(w, n->kids[1]));
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
    }
    switch (s->kind) {
    case SYMBOL_VAR: return n->type = (uint8_t)w->vars.at[s->index].type;
    case SYMBOL_REGION: return n->type = T_REGION;
    case SYMBOL_TRACK: return n->type = T_TRACK;
    case SYMBOL_STORE: return n->type = T_SITE;
    default: return n->type = T_PIECE;
    }
}

static Type unknown_ludeme(World *w, Node *n) {
    const char *name = n->kids[0]->text;
    if (declared_later(w, name)) {
        report_at(w->diags, w->script, E_LATER, n->kids[0], name);
        return fail(n);
    }
    int d = report_at(w->diags, w->script, E_UNKNOWN_LUDEME, n->kids[0], name);
    const char *library = library_of(w, name);
    if (library)
        diag_mend(w->diags, d, "it is in a library: add (use %s)", library);
    else
        suggest(w, d, name, true);
    return fail(n);
}

static Type check_list(World *w, Node *n, Want want) {
    if (n->nkids == 0 || n->kids[0]->kind == NODE_ERROR) return fail(n);
    Node *head = n->kids[0];
    if (head->kind != NODE_NAME) {
        report_at(w->diags, w->script, E_HEAD, n, arena_printf(w->arena, "`%s`", text_of(w, head)));
        return fail(n);
    }
    if (head->ludeme == L_LOCAL)
        return shape(w, n, n,
                     arena_printf(w->arena,
                                  "`%s` is a name for a value, not a ludeme: it stands without ( )",
                                  head->text));
    int s = world_symbol(w, head->text);
    LudemeId id = ludeme_find(head->text);
    bool shared_name = id == L_BOARD_IS || id == L_PLAYERS_ARE;
    if (s >= 0 && (id == L_UNKNOWN || id == L_STORE || id == L_HAND || id == L_OFF || shared_name))
        return check_symbol_list(w, n, s);
    if (id == L_UNKNOWN) return unknown_ludeme(w, n);
    if (id == L_STORE || id == L_HAND || id == L_OFF) {
        int d = report_at(w->diags, w->script, E_LACKS, n, ludemes[id].name);
        diag_mend(w->diags, d, "add (%s) to the equipment", ludemes[id].name);
        return fail(n);
    }
    n->ludeme = (uint16_t)id;
    if (ludemes[id].group == EQUIPMENT) {
        report_at(w->diags, w->script, E_NOT_HERE, head, head->text,
                  "it belongs at the top of the script");
        return fail(n);
    }
    return ludemes[id].form == FORM ? check_form(w, n, id, want) : check_call(w, n, id);
}

static Type check(World *w, Node *n, Want want) {
    switch (n->kind) {
    case NODE_NUMBER: return n->type = T_NUMBER;
    case NODE_NAME: return check_name(w, n);
    case NODE_SET: return check_set(w, n);
    case NODE_RANGE: return check_range(w, n);
    case NODE_LIST: return check_list(w, n, want);
    case NODE_STRING:
        return shape(w, n, n, "a text in quotes is for people: the rules cannot use it");
    case NODE_KEY:
        return shape(w, n, n, arena_printf(w->arena, "`%s:` is no argument here", n->text));
    case NODE_ERROR: return fail(n);
    }
    return fail(n);
}

void check_program(World *w, Node *body) {
    body->ludeme = L_DO;
    check_body(w, body, 1, "play");
    body->effect = effect_of_kids(body);
}
