// (var ...).

#include "checker.h"
#include "equip.h"
#include "foreign.h"

#include "check.h"
#include "eval.h"
#include "forms.h"

#include <string.h>

static bool read_words(World *w, const Node *set, Var *v) {
    Ints words = {0};
    bool truths = set->nkids == 2;
    for (uint32_t i = 0; i < set->nkids; i++) {
        const Node *word = set->kids[i];
        if (word->kind == NODE_ERROR) return false;
        if (word->kind != NODE_NAME || word->ludeme == L_LOCAL) {
            wrong(w, word, "a variable's words are names: {red green}; a number needs no set");
            return false;
        }
        truths &= node_truth(word) >= 0;
    }
    if (truths) {
        v->type = T_TRUTH;
        return true;
    }
    for (uint32_t i = 0; i < set->nkids; i++) {
        const Node *word = set->kids[i];
        if (ludeme_find(word->text) != L_UNKNOWN) {
            report_at(w->diags, w->script, E_RESERVED, word, word->text);
            vec_push(w->arena, &w->reserved, word->text);
            return false;
        }
        int index = world_word(w, word->text);
        Symbol *s = world_add(w, word->text, SYMBOL_WORD, word);
        if (!s) return false;
        s->index = index;
        vec_push(w->arena, &words, index);
    }
    vec_push(w->arena, &w->word_sets, (WordSet){words.at, (int)words.n});
    v->type = T_WORD;
    v->words = (int)w->word_sets.n - 1;
    return true;
}

enum { VAR_TYPES = 7 };

static const struct {
    const char *name;
    Type type;
} types[VAR_TYPES] = {{"number", T_NUMBER},      {"truth", T_TRUTH}, {"site", T_SITE},
                      {"player", T_PLAYER},      {"piece", T_PIECE}, {"track", T_TRACK},
                      {"direction", T_DIRECTION}};

bool is_var_type(const Node *n) {
    for (size_t i = 0; i < VAR_TYPES && n->kind == NODE_NAME; i++)
        if (strcmp(types[i].name, n->text) == 0) return true;
    return false;
}

static bool read_var_type(World *w, const Node *n, Var *v) {
    const char *known[VAR_TYPES];
    if (n->kind == NODE_SET) return read_words(w, n, v);
    for (size_t i = 0; i < VAR_TYPES && n->kind == NODE_NAME; i++) {
        known[i] = types[i].name;
        if (strcmp(types[i].name, n->text) != 0) continue;
        v->type = types[i].type;
        return true;
    }
    if (n->kind == NODE_ERROR) return false;
    int d = report_at(w->diags, w->script, E_SHAPE, n,
                      "a variable is a number, truth, site, player, piece, track, direction or one "
                      "of {WORD ...}");
    const char *near = n->kind == NODE_NAME ? nearest_name(n->text, known, VAR_TYPES) : NULL;
    const char *ours, *mend;
    if (n->kind == NODE_NAME && foreign_key("var-kind", n->text, &ours, &mend)) {
        if (ours)
            diag_mend(w->diags, d, "it is called `%s` here", ours);
        else
            diag_mend(w->diags, d, "%s", mend);
        return false;
    }
    if (near)
        diag_meant(w->diags, d, "%s", near);
    else if (n->kind == NODE_NUMBER)
        diag_mend(w->diags, d, "its first value: start: %ld", n->number);
    return false;
}

static bool read_per(World *w, Node *per, Var *v) {
    Ints all = {0};
    const char *text = per->kind == NODE_NAME ? per->text : "";
    if (strcmp(text, "site") == 0) {
        v->index_list = w->sites_list;
        v->index_type = T_SITE;
    } else if (strcmp(text, "player") == 0) {
        v->index_list = w->players_list;
        v->index_type = T_PLAYER;
    } else if (strcmp(text, "piece") == 0) {
        for (size_t i = 0; i < w->pieces.n; i++) vec_push(w->arena, &all, (int)i);
        v->index_list = world_list(w, all.at, all.n);
        v->index_type = T_PIECE;
    } else {
        int list;
        if (!read_constant(w, per, "list", "var per:", &list)) return false;
        v->index_type = per->type == T_TRACK ? T_SITE : (Type)(per->type & ~T_LIST);
        if (list < 0) {
            report_at(w->diags, w->script, E_EMPTY_LIST, per, "what the variable is per");
            return false;
        }
        v->index_list = list_number(w, per, list);
    }
    v->n = w->lists.at[v->index_list].n;
    if (v->n > 0) return true;
    report_at(w->diags, w->script, E_EMPTY_LIST, per, "what the variable is per");
    return false;
}

// ---- no type ----------------------------------------------------------------------------------------

static bool gives_number(const Node *n) {
    const char *head = node_head(n);
    LudemeId id = head ? ludeme_find(head) : L_UNKNOWN;
    return n->kind == NODE_NUMBER || (id != L_UNKNOWN && strcmp(ludemes[id].result, "number") == 0);
}

// Does the form give the variable a number somewhere?
static bool counts_with(const Node *n, const char *name) {
    const char *head = node_head(n);
    bool sets =
        head && n->nkids > 2 &&
        (n->kids[1]->kind == NODE_NAME ? n->kids[1]->text == name : node_head(n->kids[1]) == name);
    if (sets && strcmp(head, "change") == 0) return true;
    if (sets && strcmp(head, "set") == 0 && gives_number(n->kids[2])) return true;
    for (uint32_t i = 0; i < n->nkids; i++)
        if (counts_with(n->kids[i], name)) return true;
    return false;
}

// The variable that the node names, if nothing says or shows of which type it is; else NULL.
static Var *untyped(World *w, const Node *n) {
    const char *name = n->kind == NODE_NAME ? n->text : node_head(n);
    int s = name && n->ludeme == L_SYMBOL ? world_symbol(w, name) : -1;
    if (s < 0 || w->symbols.at[s].kind != SYMBOL_VAR) return NULL;
    Var *v = &w->vars.at[w->symbols.at[s].index];
    for (size_t i = 0; v->untyped && i < w->script->items.n; i++)
        if (counts_with(w->script->items.at[i].node, name)) return NULL;
    return v->untyped ? v : NULL;
}

bool may_lack_type(World *w, const Node *n) {
    Var *v = untyped(w, n);
    if (!v) return false;
    int d = report_at(
        w->diags, w->script, E_SHAPE, v->untyped,
        arena_printf(w->arena, "`%s` is a number, as no type is said, and may be unset", v->name));
    diag_label(w->diags, d, n->span, "here it is asked whether it is there");
    diag_mend(w->diags, d, "(var %s site ...), or of another type", v->name);
    v->type = T_ERROR;
    v->untyped = NULL;
    return true;
}

bool lacks_type(World *w, const Node *n, Type wanted) {
    static const Type typed[] = {T_TRUTH, T_SITE, T_PLAYER, T_PIECE, T_TRACK, T_DIRECTION};
    bool possible = wanted == T_UNSET;
    for (size_t i = 0; i < sizeof typed / sizeof *typed; i++) possible |= typed[i] == wanted;
    Var *v = possible ? untyped(w, n) : NULL;
    if (!v) return false;
    if (wanted == T_UNSET) return may_lack_type(w, n);
    const char *name = v->name;
    const char *what = type_name(wanted);
    int d =
        report_at(w->diags, w->script, E_SHAPE, v->untyped,
                  arena_printf(w->arena, "`%s` is a number, as no type is said, and is used as %s",
                               name, what));
    diag_label(w->diags, d, n->span, "here it is %s", what);
    diag_mend(w->diags, d, "(var %s %s ...)", name,
              wanted == T_PIECE ? "piece" : what + strlen("a "));
    v->type = T_ERROR; // whatever it is used as
    v->untyped = NULL;
    return true;
}

void equip_var(World *w, const Item *item) {
    Node *form = item->node, *per = NULL, *start = NULL, *type = NULL;
    Var v = {.name = item->name, .type = T_NUMBER, .words = -1, .index_list = -1, .n = 1};
    for (uint32_t i = 2; i < form->nkids; i++) {
        Node *kid = form->kids[i];
        if (kid->kind == NODE_STRING) continue;
        if (kid->kind == NODE_ERROR) return;
        if (kid->kind == NODE_KEY && i + 1 < form->nkids) {
            Node **slot = strcmp(kid->text, "per") == 0     ? &per
                          : strcmp(kid->text, "start") == 0 ? &start
                                                            : NULL;
            if (!slot) {
                int d = report_at(w->diags, w->script, E_UNKNOWN_KEY, kid, "var", kid->text);
                diag_mend(w->diags, d, "a variable takes `per:` and `start:`");
                return;
            }
            *slot = form->kids[++i];
        } else if (type) {
            wrong(w, kid, "a variable is (var NAME [TYPE] [per: LIST] [start: VALUE])");
            return;
        } else {
            type = kid;
        }
    }
    if (type && !read_var_type(w, type, &v)) return;
    if (per && !read_per(w, per, &v)) return;
    if (!type && !start) v.untyped = form->kids[1];
    v.start = v.type == T_NUMBER || v.type == T_TRUTH ? 0 : UNSET;
    if (start) {
        check_asking(w, start);
        if (start->type == T_ERROR) return;
        bool unset = start->type == T_UNSET && v.type != T_NUMBER && v.type != T_TRUTH;
        if (!unset && start->type != v.type) {
            report_at(w->diags, w->script, E_TYPE, start,
                      arena_printf(w->arena, "var %s", item->name), type_name(v.type),
                      describe(w, start));
            return;
        }
        if (!evaluate(w, start, NULL, &v.start)) {
            report_at(w->diags, w->script, E_CONSTANT, start, "a variable's first value");
            return;
        }
    }
    Symbol *s = add_symbol(w, item, SYMBOL_VAR);
    if (!s) return;
    s->index = (int)w->vars.n;
    vec_push(w->arena, &w->vars, v);
}
