#include "bare.h"

#include <string.h>

#include "misspelt.h"
#include "respell.h"

// A ludeme that asks something of something: it never stands by itself, as `all` does in (move all ...).
static bool asks_of(const char *name) {
    LudemeId id = ludeme_find(name);
    if (id == L_UNKNOWN || ludemes[id].group != ASKING || id == L_UNSET || id == L_ALL)
        return false;
    char first = ludemes[id].signature[0], letter = ludemes[id].name[0];
    return first != '\0' && first != '[' && letter >= 'a' && letter <= 'z';
}

typedef struct Use {
    Node *name;
    bool behind; // a key, whose own affair it may be: `told: each`, `may: empty`
} Use;

typedef VEC(Use) Uses;

typedef struct Bare {
    Arena *arena;
    const Script *script;
    Uses uses; // of names of ludemes that nothing else is called there
} Bare;

static bool known(const Bare *b, const Node *n) {
    for (size_t i = 0; i < b->script->items.n; i++)
        if (b->script->items.at[i].name == n->text) return true;
    return is_option_word(b->script, n->text) || named_there(b->arena, b->script, n->text, n->span);
}

static bool only_names(const Node *n) {
    for (uint32_t i = 0; i < n->nkids; i++)
        if (n->kids[i]->kind != NODE_NAME) return false;
    return n->kind == NODE_LIST;
}

// Does the form make names of its kids from this one on? `before: (piece site) ...` makes names, too.
static uint32_t names_from(const Node *n) {
    const char *head = node_head(n);
    if (head && strcmp(head, "throw") == 0) return 2;
    return UINT32_MAX;
}

static bool has_in(const Node *n) {
    for (uint32_t i = 1; i < n->nkids; i++)
        if (is_key(n->kids[i], "in")) return true;
    return false;
}

static void gather(Bare *b, const Node *n) {
    const char *head = node_head(n);
    // What goes through nothing is told of by itself, and what it names is not known.
    if (head && takes_key(ludeme_find(head), "in") && !has_in(n)) return;
    uint32_t made = names_from(n);
    for (uint32_t i = head ? 1 : 0; i < n->nkids; i++) {
        Node *kid = n->kids[i];
        bool behind = i > 0 && n->kids[i - 1]->kind == NODE_KEY;
        bool makes =
            i >= made || (i + 1 < n->nkids && is_key(n->kids[i + 1], "in")) ||
            (i == 1 && head && (strcmp(head, "let") == 0 || strcmp(head, "define") == 0)) ||
            (behind && only_names(kid) && i + 1 < n->nkids);
        if (makes) continue;
        if (kid->kind == NODE_NAME && asks_of(kid->text) && !known(b, kid))
            vec_push(b->arena, &b->uses, (Use){kid, behind});
        gather(b, kid);
    }
}

static bool is_set(const Node *n, const Node *name) {
    const char *head = node_head(n);
    if (head && n->nkids > 2 && n->kids[1] == name &&
        ((strcmp(head, "set") == 0 && n->nkids == 3) || strcmp(head, "change") == 0))
        return true;
    for (uint32_t i = 0; i < n->nkids; i++)
        if (is_set(n->kids[i], name)) return true;
    return false;
}

// Does anything follow it that it could ask of, had it its brackets?
static bool followed(const Node *n, const Node *name) {
    for (uint32_t i = 0; i < n->nkids; i++) {
        if (n->kids[i] == name) return i + 1 < n->nkids && n->kids[i + 1]->kind != NODE_KEY;
        if (followed(n->kids[i], name)) return true;
    }
    return false;
}

// Uses of one name in one item, of which `use` is the first.
static void tell(Bare *b, Diags *d, const Node *item, const Use *use) {
    const char *name = use->name->text;
    bool set = false, alone = false;
    VEC(Node *) same = {0};
    for (const Use *u = use; u < b->uses.at + b->uses.n; u++) {
        if (u->name->text != name || u->name->kind != NODE_NAME) continue;
        vec_push(b->arena, &same, u->name);
        set |= is_set(item, u->name);
        alone |= !u->behind && !followed(item, u->name);
    }
    if (misspelt_declaration(d, b->script, name, use->name->span)) return;
    // It may be a ludeme without its brackets, or a word that the form takes otherwise.
    enum { SURE = 3 };
    if (!set && (!alone || same.n < SURE)) return;
    int r = diag_report(d, E_UNKNOWN_NAME, use->name->span, name, " as a name");
    diag_mend(d, r, "give it a value first, (let %s VALUE); in ( ), as (%s ...), it is a ludeme",
              name, name);
    for (size_t k = 0; k < same.n; k++) {
        if (k > 0) diag_elsewhere(d, r, same.at[k]->span);
        same.at[k]->kind = NODE_ERROR;
    }
}

void bare_names(Diags *d, const Script *script) {
    for (size_t i = 0; i < script->items.n; i++) {
        const Item *item = &script->items.at[i];
        bool rules = item->kind == L_DEFINE || item->kind == L_START || item->kind == L_PLAY;
        if (item->library || !rules) continue;
        Bare b = {.arena = d->arena, .script = script};
        gather(&b, item->node);
        for (size_t k = 0; k < b.uses.n; k++)
            if (b.uses.at[k].name->kind == NODE_NAME) tell(&b, d, item->node, &b.uses.at[k]);
    }
}
