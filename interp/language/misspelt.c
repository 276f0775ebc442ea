#include "misspelt.h"

#include <string.h>

#include "spelling.h"

enum { ALIKE_MAX = 100 }; // each is looked for in the whole script

struct Misspelt {
    Arena *arena;
    int alike;               // names that were looked for, all in all
    VEC(const char *) meant; // told of, by the names that were meant
};

// A name that is declared, and the form within which it would be used: NULL, all of the script.
typedef struct Declared {
    Node *name;
    const Node *scope;
    Item *item; // whose name it is, or NULL
    bool word;  // one that an option or a variable may be
} Declared;

typedef struct Search {
    Arena *arena;
    const Script *script;
    VEC(Declared) declared;
} Search;

struct Misspelt *misspelt_new(Arena *arena) {
    struct Misspelt *m = arena_alloc(arena, sizeof *m);
    m->arena = arena;
    return m;
}

static bool head_is(const Node *n, const char *head) {
    return n->kind == NODE_LIST && node_head(n) && strcmp(node_head(n), head) == 0;
}

static bool within(Span inner, Span outer) {
    return inner.file == outer.file && inner.start >= outer.start && inner.end <= outer.end;
}

static bool is_truth(const char *name) {
    return strcmp(name, "yes") == 0 || strcmp(name, "no") == 0;
}

static void declare(Search *s, Node *n, const Node *scope, Item *item) {
    if (n->kind == NODE_NAME && !is_truth(n->text))
        vec_push(s->arena, &s->declared, (Declared){n, scope, item, false});
}

static void declare_kids(Search *s, const Node *n, uint32_t from, const Node *scope) {
    for (uint32_t i = from; i < n->nkids; i++) {
        Node *kid = n->kids[i];
        if (kid->kind == NODE_LIST || kid->kind == NODE_SET)
            declare_kids(s, kid, 0, scope);
        else
            declare(s, kid, scope, NULL);
    }
}

// ---- names that forms make for themselves -----------------------------------------------------------

static bool only_names(const Node *n) {
    for (uint32_t i = 0; i < n->nkids; i++)
        if (n->kids[i]->kind != NODE_NAME) return false;
    return n->kind == NODE_LIST;
}

// What `n` names for its kid `k`.
static void gather_for_kid(Search *s, const Node *n, uint32_t k) {
    if (head_is(n, "define") && k > 1) declare_kids(s, n->kids[1], 1, n);
    // `key: (a b) FORM`: the parameters of a piece of program.
    if (k > 1 && n->kids[k - 2]->kind == NODE_KEY && only_names(n->kids[k - 1]))
        declare_kids(s, n->kids[k - 1], 0, n);
    for (uint32_t i = 0; i < k; i++) {
        const Node *kid = n->kids[i];
        if (head_is(kid, "let") && kid->nkids > 1) declare(s, kid->kids[1], n, NULL);
        if (head_is(kid, "throw")) declare_kids(s, kid, 2, n);
        if (i + 2 < k && is_key(n->kids[i + 1], "in")) declare(s, n->kids[i], n, NULL);
    }
}

static void gather_locals(Search *s, const Node *n, Span use) {
    for (uint32_t k = 0; k < n->nkids; k++) {
        if (!within(use, n->kids[k]->span)) continue;
        gather_for_kid(s, n, k);
        gather_locals(s, n->kids[k], use);
        return;
    }
}

// ---- names of items ------------------------------------------------------------------------------------

// Some may be within an (if OPTION ...).
static void gather_players(Search *s, const Node *n, uint32_t from) {
    for (uint32_t i = from; i < n->nkids; i++) {
        declare(s, n->kids[i], NULL, NULL);
        if (head_is(n->kids[i], "if")) gather_players(s, n->kids[i], 2);
    }
}

static void gather_item(Search *s, Item *item) {
    const Node *n = item->node;
    if (n->kind != NODE_LIST || n->nkids < 2) return;
    if (item->kind == L_PLAYERS_ARE) gather_players(s, n, 1);
    if (item->name && n->kids[1]->kind == NODE_LIST && n->kids[1]->nkids)
        declare(s, n->kids[1]->kids[0], NULL, item);
    else if (item->name && item->kind != L_READING)
        declare(s, n->kids[1], NULL, item);
    for (uint32_t i = 1; item->kind == L_DEFINE && i < n->kids[1]->nkids; i++)
        if (n->kids[1]->kids[i]->kind == NODE_KEY)
            vec_push(s->arena, &s->declared, (Declared){n->kids[1]->kids[i], NULL, NULL, false});
    size_t words = s->declared.n;
    for (uint32_t i = 2; (item->kind == L_OPTION || item->kind == L_VAR) && i < n->nkids; i++)
        if (n->kids[i]->kind == NODE_SET) declare_kids(s, n->kids[i], 0, NULL);
    for (size_t i = words; i < s->declared.n; i++) s->declared.at[i].word = true;
}

// ---- uses ----------------------------------------------------------------------------------------------

// `keys`: a key counts as well, as where it is the name of an option or of a player.
static size_t occurrences(const Node *n, const char *name, bool keys) {
    bool named = n->kind == NODE_NAME || (keys && n->kind == NODE_KEY);
    size_t count = named && strcmp(n->text, name) == 0;
    for (uint32_t i = 0; i < n->nkids; i++) count += occurrences(n->kids[i], name, keys);
    return count;
}

static bool keys_are_names(LudemeId kind) {
    return kind == L_READING || kind == L_REGION || kind == L_TRACK || kind == L_LANE;
}

static size_t used(const Script *script, const char *name, bool as_key) {
    size_t count = 0;
    for (size_t i = 0; i < script->items.n; i++) {
        const Item *item = &script->items.at[i];
        if (item->library) continue;
        count += occurrences(item->node, name, as_key || keys_are_names(item->kind));
    }
    return count;
}

static size_t uses(const Search *s, const Declared *d, const char *name) {
    return d->scope ? occurrences(d->scope, name, false)
                    : used(s->script, name, d->name->kind == NODE_KEY);
}

// Whether a key stands there: its span ends with the colon.
static bool is_key_at(const Script *script, Span use) {
    return use.end > use.start && source_of(script->sources, use)->text[use.end - 1] == ':';
}

// ---- which it is -----------------------------------------------------------------------------------------

static void report(const Search *s, Diags *d, const Declared *meant, const char *name, Span use,
                   const char *known_as) {
    Node *n = meant->name;
    bool more = uses(s, meant, name) > 1;
    int r =
        diag_report(d, E_UNKNOWN_NAME, n->span, name,
                    arena_printf(d->arena, "%s%s, and nothing uses `%s`, declared here",
                                 known_as ? " but as " : "", known_as ? known_as : "", n->text));
    diag_label(d, r, use, more ? "here, and elsewhere, it is `%s`" : "here it is `%s`", name);
    diag_meant(d, r, "%s", name);
    struct Misspelt *told = s->script->misspelt;
    const char *taken = arena_intern_str(told->arena, name);
    n->text = taken;
    if (meant->item && meant->item->kind == L_DEFINE) meant->item->name = taken;
    vec_push(told->arena, &told->meant, taken);
}

// Whether another name, which is used, may be what the unknown one was meant for: of so short ones many are alike.
static bool other_like_it(const Search *s, const char *name) {
    enum { SHORT = 2 };
    for (size_t i = 0; strlen(name) <= SHORT && i < s->declared.n; i++) {
        const Declared *it = &s->declared.at[i];
        if (it->scope && one_slip(name, it->name->text) && uses(s, it, it->name->text) > 1)
            return true;
    }
    return false;
}

// Is the mistake where `it` is declared, not where the name is used?
static bool misspelt(const Search *s, const Declared *it, const char *name) {
    const char *other = it->name->text;
    // Any letter is a slip away from any other.
    if (!it->scope && strlen(name) == 1 && strlen(other) == 1) return false;
    if (!one_slip(name, other) || s->script->misspelt->alike++ >= ALIKE_MAX ||
        uses(s, it, other) != 1)
        return false;
    size_t wanted = uses(s, it, name);
    if (wanted > 1) return true;
    // Names like n or hole are made again and again: the one that is also used elsewhere is spelt right.
    bool name_elsewhere = it->scope && used(s->script, name, false) > wanted,
         other_elsewhere = it->scope && used(s->script, other, false) > 1;
    if (name_elsewhere != other_elsewhere) return name_elsewhere;
    if (forms_of_a_word(name, other)) return false; // both are words: the declaration says which
    return !other_like_it(s, name) &&
           spelling_odds(s->arena, s->script, (Spelling){name, wanted}, (Spelling){other, 1}) > 0;
}

// What is looked at first: names that forms make, the innermost first; items and players; the words of options and variables.
typedef enum Sort { SORT_LOCAL, SORT_ITEM, SORT_WORD, SORTS } Sort;

static Sort sort_of(const Declared *it) {
    return it->scope ? SORT_LOCAL : it->word ? SORT_WORD : SORT_ITEM;
}

// The sorts that may be meant: those from `first` on, but `last`.
static const Declared *find_misspelt(const Search *s, const char *name, bool key, Sort first,
                                     Sort last) {
    for (Sort sort = first; sort < last; sort++)
        for (size_t i = s->declared.n; i-- > 0;) {
            const Declared *it = &s->declared.at[i];
            if (sort_of(it) != sort || (it->name->kind == NODE_KEY && !key)) continue;
            if (misspelt(s, it, name)) return it;
        }
    return NULL;
}

static bool told_already(const Script *script, const char *name) {
    for (size_t i = 0; i < script->misspelt->meant.n; i++)
        if (strcmp(script->misspelt->meant.at[i], name) == 0) return true;
    return false;
}

static void gather_all_locals(Search *s, Span use) {
    const Script *script = s->script;
    for (size_t i = 0; i < script->items.n; i++)
        if (within(use, script->items.at[i].node->span))
            gather_locals(s, script->items.at[i].node, use);
}

static void gather(Search *s, Span use) {
    const Script *script = s->script;
    for (size_t i = 0; i < script->items.n; i++)
        if (!script->items.at[i].library) gather_item(s, &script->items.at[i]);
    gather_all_locals(s, use);
}

bool misspelt_declaration(Diags *d, const Script *script, const char *name, Span use) {
    return misspelt_unless(d, script, name, use, NULL);
}

bool misspelt_unless(Diags *d, const Script *script, const char *name, Span use,
                     const char *known_as) {
    if (told_already(script, name)) return true;
    if (diags_many(d)) return false;
    Search s = {.arena = d->arena, .script = script};
    gather(&s, use);
    bool is_word = false, key = is_key_at(script, use);
    for (size_t i = 0; i < s.declared.n; i++) {
        const Declared *it = &s.declared.at[i];
        if ((it->name->kind == NODE_KEY && !key) || strcmp(it->name->text, name) != 0) continue;
        if (!it->word) return false;
        is_word = true;
    }
    const Declared *it = find_misspelt(&s, name, key, SORT_LOCAL, is_word ? SORT_WORD : SORTS);
    if (it) report(&s, d, it, name, use, known_as);
    return it != NULL;
}

bool misspelt_value(Diags *d, const Script *script, const char *name, Span use) {
    if (told_already(script, name)) return true;
    if (diags_many(d)) return false;
    Search s = {.arena = d->arena, .script = script};
    gather(&s, use);
    const Declared *it = find_misspelt(&s, name, false, SORT_WORD, SORTS);
    if (it) report(&s, d, it, name, use, NULL);
    return it != NULL;
}

// How many uses of the definition give that key.
static size_t given(const Node *n, const char *definition, const char *key) {
    size_t count = 0;
    bool use = head_is(n, definition);
    for (uint32_t i = 0; i < n->nkids; i++) {
        count += use && is_key(n->kids[i], key);
        count += given(n->kids[i], definition, key);
    }
    return count;
}

// The definition's own header is no use of it.
static size_t given_anywhere(const Script *script, const char *definition, const char *key) {
    size_t count = 0;
    for (size_t i = 0; i < script->items.n; i++) {
        const Item *item = &script->items.at[i];
        bool header = item->kind == L_DEFINE && item->name && strcmp(item->name, definition) == 0;
        for (uint32_t k = header ? 2 : 1; k < item->node->nkids; k++)
            count += given(item->node->kids[k], definition, key);
    }
    return count;
}

bool misspelt_key(Diags *d, const Script *script, const Item *definition, const char *key,
                  Span use) {
    Node *header = definition->node->kids[1];
    if (definition->library) return false;
    for (uint32_t i = 1; i + 1 < header->nkids; i++) {
        Node *other = header->kids[i];
        if (other->kind != NODE_KEY || !one_slip(key, other->text) ||
            script->misspelt->alike++ >= ALIKE_MAX)
            continue;
        if (given_anywhere(script, definition->name, other->text) > 0) continue;
        bool named = strcmp(header->kids[i + 1]->text ? header->kids[i + 1]->text : "", key) == 0;
        bool more = given_anywhere(script, definition->name, key) > 1;
        if (!named && !more) continue;
        int r = diag_report(
            d, E_UNKNOWN_NAME, other->span, arena_printf(d->arena, "%s:", key),
            arena_printf(d->arena, ", and nothing uses `%s:`, declared here", other->text));
        diag_label(d, r, use, more ? "here, and elsewhere, it is `%s:`" : "here it is `%s:`", key);
        diag_meant(d, r, "%s:", key);
        other->text = arena_intern_str(script->misspelt->arena, key);
        return true;
    }
    return false;
}

static bool declares(const Search *s, const char *name) {
    for (size_t i = 0; i < s->declared.n; i++)
        if (s->declared.at[i].name->kind == NODE_NAME &&
            strcmp(s->declared.at[i].name->text, name) == 0)
            return true;
    return false;
}

bool named_there(Arena *arena, const Script *script, const char *name, Span use) {
    Search s = {.arena = arena, .script = script};
    gather(&s, use);
    return declares(&s, name);
}

bool local_there(Arena *arena, const Script *script, const char *name, Span use) {
    Search s = {.arena = arena, .script = script};
    gather_all_locals(&s, use);
    return declares(&s, name);
}

bool is_option_word(const Script *script, const char *name) {
    for (size_t i = 0; i < script->items.n; i++) {
        const Item *item = &script->items.at[i];
        if (item->kind != L_OPTION && item->kind != L_VAR) continue;
        for (uint32_t k = 2; k < item->node->nkids; k++) {
            const Node *set = item->node->kids[k];
            for (uint32_t j = 0; set->kind == NODE_SET && j < set->nkids; j++)
                if (set->kids[j]->kind == NODE_NAME && set->kids[j]->text == name) return true;
        }
    }
    return false;
}
