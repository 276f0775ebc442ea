#include "respell.h"

#include <string.h>

#include "expand.h"
#include "foreign.h"
#include "misspelt.h"
#include "spelling.h"
#include "stdlib_data.h"

typedef VEC(const char *) Words;

// What a form that goes through a list takes beside what its signature says.
static const char *const binder_keys[] = {"where", "as", "else", "weight"};

static bool in_key(char c) { return (c >= 'a' && c <= 'z') || c == '-'; }

// Where the signature's next key begins, and how long it is; those in capitals stand for others. NULL: no more.
static const char *next_key(const char *at, size_t *size) {
    for (const char *colon = at; (colon = strchr(colon, ':')); colon++) {
        const char *from = colon;
        while (from > at && in_key(from[-1])) from--;
        *size = (size_t)(colon - from);
        if (*size) return from;
    }
    return NULL;
}

static bool takes(const char *signature, const char *key) {
    size_t size;
    for (const char *at = signature; (at = next_key(at, &size)); at += size)
        if (strncmp(at, key, size) == 0 && key[size] == '\0') return true;
    return false;
}

bool takes_key(LudemeId id, const char *key) {
    if (id == L_UNKNOWN) return false;
    if (takes(ludemes[id].signature, key)) return true;
    if (!takes(ludemes[id].signature, "in")) return false;
    for (size_t i = 0; i < sizeof binder_keys / sizeof *binder_keys; i++)
        if (strcmp(binder_keys[i], key) == 0) return true;
    return false;
}

static bool has_key(const Node *form, const char *key) {
    for (uint32_t i = 1; i < form->nkids; i++)
        if (form->kids[i]->kind == NODE_KEY && strcmp(form->kids[i]->text, key) == 0) return true;
    return false;
}

static void respell_key(Diags *d, const Script *script, const Node *form, Node *key, LudemeId id,
                        const Words *others, const Expansion *via) {
    const char *ours, *mend;
    if (foreign_key(node_head(form), key->text, &ours, &mend) && !(ours && has_key(form, ours))) {
        Node there = *key;
        there.via = via;
        int r = report_at(d, script, E_UNKNOWN_KEY, &there, node_head(form), key->text);
        if (ours)
            diag_mend(d, r, "it is called `%s:` here", ours);
        else
            diag_mend(d, r, "%s", mend);
        if (ours)
            key->text = arena_intern_str(d->arena, ours);
        else
            key->kind = NODE_ERROR;
        return;
    }
    Words known = {0};
    size_t size;
    for (const char *at = ludemes[id].signature; (at = next_key(at, &size)); at += size) {
        const char *own = arena_strndup(d->arena, at, size);
        vec_push(d->arena, &known, own);
    }
    for (size_t i = 0; i < sizeof binder_keys / sizeof *binder_keys; i++)
        if (takes_key(id, binder_keys[i])) vec_push(d->arena, &known, binder_keys[i]);
    for (size_t i = 0; others && i < others->n; i++) vec_push(d->arena, &known, others->at[i]);
    const char *near = nearest_name(key->text, known.at, known.n);
    if (!near || has_key(form, near)) return; // told by who reads the form
    Node at = *key;
    at.via = via;
    diag_meant(d, report_at(d, script, E_UNKNOWN_KEY, &at, node_head(form), key->text),
               "%s:", near);
    key->text = arena_intern_str(d->arena, near);
}

static bool names_in(const Node *form) {
    for (uint32_t i = 1; i + 1 < form->nkids; i++)
        if (form->kids[i]->kind == NODE_NAME && form->kids[i + 1]->kind == NODE_KEY &&
            strcmp(form->kids[i + 1]->text, "in") == 0)
            return true;
    return false;
}

// `(all square i: LIST ...)`: too short a key for the likely one to be told from others.
static bool is_in(const Node *form, uint32_t i, LudemeId id) {
    return takes_key(id, "in") && i == 2 && form->kids[1]->kind == NODE_NAME &&
           !has_key(form, "in") && strlen(form->kids[i]->text) < 3 &&
           one_slip(form->kids[i]->text, "in");
}

void respell_keys(Diags *d, const Script *script, const Node *form, LudemeId id,
                  const Expansion *via) {
    for (uint32_t i = 1; i < form->nkids; i++) {
        if (form->kids[i]->kind != NODE_KEY || takes_key(id, form->kids[i]->text)) continue;
        if (is_in(form, i, id)) {
            Node at = *form->kids[i];
            at.via = via;
            diag_meant(d, report_at(d, script, E_UNKNOWN_KEY, &at, node_head(form), at.text),
                       "in:");
            form->kids[i]->text = arena_intern_str(d->arena, "in");
            continue;
        }
        // `NAME in:` is of a form that goes through a list: which was meant is asked elsewhere.
        if (strcmp(form->kids[i]->text, "in") == 0 && names_in(form)) continue;
        respell_key(d, script, form, form->kids[i], id, NULL, via);
        if (form->kids[i]->kind != NODE_ERROR) continue;
        // Neither its value nor any other key is worth another word.
        if (i + 1 < form->nkids) *form->kids[i + 1] = *form->kids[i];
        return;
    }
}

LudemeId respell_binder(Diags *d, const Script *script, const Node *form, LudemeId id,
                        const Expansion *via) {
    Words known = {0};
    if (takes_key(id, "in") || !names_in(form)) return id;
    for (int i = 1; i < LUDEMES; i++)
        if (takes_key((LudemeId)i, "in")) vec_push(d->arena, &known, ludemes[i].name);
    Node head = *form->kids[0];
    const char *near = NULL;
    if (strcmp(head.text, "not") == 0) near = "none"; // not any
    if (!near) near = nearest_name(head.text, known.at, known.n);
    if (!near) return id;
    head.via = via;
    diag_meant(d, report_at(d, script, E_UNKNOWN_KEY, &head, head.text, "in"), "%s", near);
    form->kids[0]->text = arena_intern_str(d->arena, near);
    return ludeme_find(near);
}

LudemeId respell_either(Diags *d, const Script *script, const Node *form, LudemeId id,
                        const Expansion *via) {
    uint32_t i = 1;
    while (i < form->nkids &&
           !(node_head(form->kids[i]) && strcmp(node_head(form->kids[i]), "choose") == 0))
        i++;
    bool choices = id == L_CHOOSE && i == 1 && form->nkids > 2 && node_head(form->kids[2]) &&
                   strcmp(node_head(form->kids[2]), "choose") == 0;
    if ((id != L_OR && id != L_AND && !choices) || i == form->nkids) return id;
    Node head = *form->kids[0];
    head.via = via;
    int r = report_at(d, script, E_SHAPE, &head,
                      arena_printf(d->arena,
                                   choices ? "`%s` makes one choice, and does not offer several"
                                           : "`%s` is about truths, and decides between no choices",
                                   head.text));
    diag_label(d, r, form->kids[i]->kids[0]->span, "this is a choice");
    diag_mend(d, r, "what is offered together stands in (either (choose ...) (choose ...) ...)");
    form->kids[0]->text = arena_intern_str(d->arena, "either");
    return L_EITHER;
}

// ---- calls ---------------------------------------------------------------------------------------

const char *library_of(Arena *arena, const char *name) {
    const char *pattern = arena_printf(arena, "(define (%s", name);
    size_t n = strlen(pattern);
    for (unsigned i = 0; i < stdlib_count; i++)
        for (const char *p = strstr(stdlib_files[i].text, pattern); p; p = strstr(p + 1, pattern))
            if (p[n] == ' ' || p[n] == ')' || p[n] == '\n') return stdlib_files[i].name;
    return NULL;
}

bool is_something(const Script *script, const char *name) {
    for (const char *p = name; *p; p++)
        if (*p >= '0' && *p <= '9') return true;
    if (script_lost(script, name)) return true;
    for (size_t i = 0; i < script->items.n; i++)
        if (script->items.at[i].name == name) return true;
    const Item *players = script_find(script, L_PLAYERS_ARE, NULL);
    for (uint32_t i = 1; players && i < players->node->nkids; i++)
        if (players->node->kids[i]->kind == NODE_NAME && players->node->kids[i]->text == name)
            return true;
    return is_option_word(script, name);
}

// What the head of a form was meant for that names something for others to use; NULL: it seems to be no such form. `fresh`: the
// form's first argument is no name that is known there.
static const char *naming_form(Diags *d, const Script *script, const Node *call, bool fresh) {
    const char *name = call->kids[0]->text;
    Words known = {0};
    bool first = call->nkids > 2 && call->kids[1]->kind == NODE_NAME;
    if (names_in(call))
        for (int i = 1; i < LUDEMES; i++)
            if (takes_key((LudemeId)i, "in")) vec_push(d->arena, &known, ludemes[i].name);
    if (first && call->nkids == 3 && fresh && !is_something(script, call->kids[1]->text))
        vec_push(d->arena, &known, "let");
    if (first && script_find(script, L_DICE, call->kids[1]->text))
        vec_push(d->arena, &known, "throw");
    const char *near = nearest_name(name, known.at, known.n);
    return near && one_slip(name, near) ? near : NULL;
}

bool respell_call(Diags *d, const Script *script, const Node *call, bool fresh,
                  const Expansion *via) {
    Node head = *call->kids[0];
    const char *name = head.text;
    if (script_is_library(script, head.span.file) || diags_many(d) || is_something(script, name) ||
        library_of(d->arena, name))
        return false;
    if (misspelt_declaration(d, script, name, head.span)) return true;
    const char *near = naming_form(d, script, call, fresh);
    if (!near) return false;
    head.via = via;
    diag_meant(d, report_at(d, script, E_UNKNOWN_LUDEME, &head, name), "%s", near);
    call->kids[0]->text = arena_intern_str(d->arena, near);
    return true;
}

// ---- items ---------------------------------------------------------------------------------------

static void names_within(Arena *arena, const Node *n, Words *out) {
    if (n->kind == NODE_NAME) vec_push(arena, out, n->text);
    for (uint32_t i = n->kind == NODE_LIST; i < n->nkids; i++) names_within(arena, n->kids[i], out);
}

static bool one_of(const Words *words, const char *word) {
    for (size_t i = 0; i < words->n; i++)
        if (strcmp(words->at[i], word) == 0) return true;
    return false;
}

static void respell_item(Diags *d, const Script *script, const Item *item, Words *players) {
    bool per_player = item->kind == L_REGION || item->kind == L_TRACK || item->kind == L_LANE;
    loose_item_keys(d, script, item->node, item->kind);
    if (per_player) loose_item_parts(d, script, item->node);
    for (uint32_t i = 2; per_player && i + 1 < item->node->nkids; i++) {
        Node *kid = item->node->kids[i];
        if (kid->kind != NODE_NAME || !one_of(players, kid->text) ||
            item->node->kids[i + 1]->kind == NODE_KEY)
            continue;
        if (i == 2 || item->node->kids[2]->kind == NODE_KEY) put_colon(d, script, kid, NULL, i > 2);
    }
    for (uint32_t i = 1; i < item->node->nkids; i++) {
        Node *key = item->node->kids[i];
        if (key->kind != NODE_KEY || takes_key(item->kind, key->text)) continue;
        if (per_player && one_of(players, key->text)) continue;
        if (per_player && misspelt_declaration(d, script, key->text, key->span))
            vec_push(d->arena, players, key->text);
        else
            respell_key(d, script, item->node, key, item->kind, per_player ? players : NULL, NULL);
    }
}

// `{yes on}`: one of the two is yes or no, and the other nearly so.
static void respell_truths(Diags *d, Node *set) {
    for (uint32_t i = 0; set->nkids == 2 && i < 2; i++) {
        Node *odd = set->kids[i];
        const Node *other = set->kids[1 - i];
        int truth = node_truth(other);
        const char *meant = truth ? "no" : "yes";
        if (truth < 0 || odd->kind != NODE_NAME || node_truth(odd) >= 0 ||
            !one_slip(odd->text, meant))
            continue;
        int r = diag_report(d, E_UNKNOWN_NAME, odd->span, odd->text,
                            arena_printf(d->arena, " beside `%s`", other->text));
        diag_meant(d, r, "%s", meant);
        odd->text = arena_intern_str(d->arena, meant);
    }
}

void respell_items(Diags *d, const Script *script) {
    Words players = {0};
    const Item *who = script_find(script, L_PLAYERS_ARE, NULL);
    if (who) names_within(d->arena, who->node, &players);
    for (size_t i = 0; i < script->items.n; i++) {
        const Item *item = &script->items.at[i];
        if (!item->library && item->kind != L_READING && item->kind != L_DEFINE)
            respell_item(d, script, item, &players);
        bool words = item->kind == L_OPTION || item->kind == L_VAR;
        for (uint32_t k = 2; words && k < item->node->nkids; k++)
            if (item->node->kids[k]->kind == NODE_SET) respell_truths(d, item->node->kids[k]);
    }
}

// Whether it stands within something else at the top of a script.
static bool stands_within(LudemeId kind, bool variant) {
    switch (kind) {
    case L_GAME:
    case L_VARIANT:
    case L_DEFAULT:
    case L_HOLES:
    case L_SQUARES:
    case L_LINE:
    case L_RINGS:
    case L_GRAPH: return true;
    case L_REPLACE:
    case L_FIX: return !variant;
    default: return false;
    }
}

LudemeId respell_head(Diags *d, const Node *form, bool variant) {
    const char *head = node_head(form), *known[LUDEMES];
    size_t n = 0;
    for (int i = 1; i < LUDEMES; i++)
        if (ludemes[i].group == EQUIPMENT && !stands_within((LudemeId)i, variant))
            known[n++] = ludemes[i].name;
    int r = diag_report(d, E_UNKNOWN_LUDEME, form->kids[0]->span, head);
    const char *mend = foreign_mend(head, FOREIGN_ITEM), *plain = plain_spelling(d->arena, head);
    const char *near = NULL;
    for (size_t i = 0; i < n; i++)
        if (strcmp(known[i], plain) == 0) near = known[i];
    if (!near && mend) {
        diag_mend(d, r, "%s", mend);
        bool bare = form->nkids == 1 || form->kids[1]->kind == NODE_NAME;
        near = bare ? nearest_name(head, known, n) : NULL;
        // It is that item in all but its number: (player South North), (options NAME ...).
        bool same = near && (strcmp(near, "players") == 0 || strcmp(near, "option") == 0 ||
                             (strcmp(near, "store") == 0 && form->nkids == 1));
        if (!same) return L_UNKNOWN;
        form->kids[0]->text = arena_intern_str(d->arena, near);
        return ludeme_find(near);
    }
    if (!near) near = nearest_name(head, known, n);
    if (!near) {
        diag_note(
            d, r,
            "at the top of a script stand equipment, definitions, (start ...) and (play ...)");
        return L_UNKNOWN;
    }
    diag_meant(d, r, "%s", near);
    form->kids[0]->text = arena_intern_str(d->arena, near);
    return ludeme_find(near);
}
