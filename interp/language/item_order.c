#include "item_order.h"

#include "check.h"
#include "swapped.h"

#include <string.h>

// A word that an author would give a thing.
static bool names_type(const char *text) {
    static const char *const types[] = {"number", "truth", "site",     "player",
                                        "piece",  "track", "direction"};
    for (size_t i = 0; i < sizeof types / sizeof *types; i++)
        if (strcmp(types[i], text) == 0) return true;
    return false;
}

static bool free_name(const char *text) {
    return !names_type(text) && ludeme_find(text) == L_UNKNOWN && strcmp(text, "yes") != 0 &&
           strcmp(text, "no") != 0 && !looks_like_site(text);
}

static bool is_free_name(const Node *n) { return n->kind == NODE_NAME && free_name(n->text); }

static bool occurs(const Node *n, const char *name) {
    if (n->kind == NODE_NAME && n->text == name) return true;
    for (uint32_t i = 0; i < n->nkids; i++)
        if (occurs(n->kids[i], name)) return true;
    return false;
}

bool in_equipment(const Script *script, const char *name) {
    for (size_t i = 0; i < script->items.n; i++)
        if (script->items.at[i].name == name) return true;
    for (size_t i = 0; i < script->items.n; i++) {
        const Item *item = &script->items.at[i];
        bool rules = item->kind == L_DEFINE || item->kind == L_START || item->kind == L_PLAY;
        if (!rules && occurs(item->node, name)) return true;
    }
    return false;
}

// ---- definitions ---------------------------------------------------------------------------------

static bool parameters_like(const Node *header) {
    for (uint32_t i = 1; i < header->nkids; i++) {
        const Node *kid = header->kids[i];
        if (kid->kind == NODE_KEY) {
            if (++i == header->nkids) return false;
            kid = header->kids[i];
            for (uint32_t k = 0; kid->kind == NODE_LIST && k < kid->nkids; k++)
                if (kid->kids[k]->kind != NODE_NAME) return false;
            if (kid->kind == NODE_LIST) continue;
        }
        if (kid->kind != NODE_NAME) return false;
    }
    return true;
}

// Whether the form could be a definition's header: a name that is free, and parameters.
static bool header_like(const Node *n) {
    if (n->kind == NODE_NAME) return is_free_name(n);
    return n->kind == NODE_LIST && n->nkids && is_free_name(n->kids[0]) && parameters_like(n);
}

// Whether a header of that kind cannot be meant, so that what is like one must be it.
static bool no_header(const Script *script, const Node *n) {
    if (n->kind == NODE_ERROR) return false;
    if (!header_like(n)) return true;
    const char *name = n->kind == NODE_NAME ? n->text : n->kids[0]->text;
    for (size_t i = 0; i < script->items.n; i++) {
        const Item *item = &script->items.at[i];
        if (item->name == name && !item->library && item->kind != L_READING) return true;
    }
    return false;
}

static bool is_known(const Script *script, const Node *header) {
    const char *name = header->kind == NODE_NAME ? header->text : header->kids[0]->text;
    for (size_t i = 0; i < script->items.n; i++)
        if (script->items.at[i].name == name) return true;
    return false;
}

static const char define_order[] = "the name and its parameters stand before what they mean";

static Node *define_in_order(Diags *d, const Script *script, Node *form) {
    if (form->nkids < 3) return form;
    const Node *header = form->kids[1], *next = form->kids[2];
    bool value =
        header->kind == NODE_SET || header->kind == NODE_NUMBER || header->kind == NODE_RANGE;
    bool swapped = no_header(script, header) && header_like(next) && !is_known(script, next) &&
                   (next->kind == NODE_LIST || (value && !in_equipment(script, next->text)));
    if (header->kind == NODE_STRING) swapped = header_like(next) && form->nkids > 3;
    if (!swapped) return form;
    report_swapped(d, script, form, (Argument){1, 1}, (Argument){2, 1}, define_order);
    return exchanged(d->arena, form, (Argument){1, 1}, (Argument){2, 1});
}

Node *replacement_in_order(Diags *d, const Script *script, Node *form) {
    if (form->nkids < 3) return form;
    const Node *header = form->kids[1], *next = form->kids[2];
    const char *name = header->kind == NODE_NAME ? header->text : node_head(header),
               *other = next->kind == NODE_NAME ? next->text : node_head(next);
    bool swapped = other && !(name && script_find(script, L_DEFINE, name)) && header_like(next) &&
                   script_find(script, L_DEFINE, other);
    if (!swapped) return form;
    report_swapped(d, script, form, (Argument){1, 1}, (Argument){2, 1}, define_order);
    return exchanged(d->arena, form, (Argument){1, 1}, (Argument){2, 1});
}

const Node *fix_in_order(Diags *d, const Script *script, const Node *form) {
    const Node *first = form->kids[1], *second = form->kids[2];
    if (second->kind != NODE_NAME || script_find(script, L_OPTION, first->text) ||
        !script_find(script, L_OPTION, second->text))
        return form;
    Argument a = {1, 1}, b = {2, 1};
    report_swapped(d, script, form, a, b, "`fix` takes an option, then its value");
    return exchanged(d->arena, form, a, b);
}

bool header_misplaced(Diags *d, const Script *script, const char *name) {
    for (size_t i = 0; i < script->items.n; i++) {
        const Item *item = &script->items.at[i];
        const Node *form = item->node;
        if (item->kind != L_DEFINE || item->library || form->nkids < 3) continue;
        const Node *body = form->kids[2];
        const char *head = node_head(body);
        if (!head || strcmp(head, name) != 0 || !header_like(body)) continue;
        // What stands as the header is known besides: the library has it.
        bool taken = false;
        for (size_t k = 0; k < script->items.n; k++)
            taken |= script->items.at[k].library && script->items.at[k].name == item->name;
        if (!taken) continue;
        report_swapped(d, script, form, (Argument){1, 1}, (Argument){2, 1}, define_order);
        return true;
    }
    return false;
}

// ---- equipment -----------------------------------------------------------------------------------

static bool type_word(const Node *n) { return n->kind == NODE_NAME && names_type(n->text); }

// (region a1 corners e1): the first is a site, and the second nothing that is known.
static bool site_first(const Script *script, LudemeId kind, const Node *form) {
    bool sites = kind == L_REGION || kind == L_LANE || kind == L_TRACK;
    return sites && looks_like_site(form->kids[1]->text) && is_free_name(form->kids[2]) &&
           !in_equipment(script, form->kids[2]->text);
}

// The kid that is meant as the name, though something stands before it; 0 if there is none.
static uint32_t late_name(const Script *script, LudemeId kind, const Node *form) {
    const Node *first = form->kids[1];
    bool beside = kind == L_STORE || kind == L_HAND || kind == L_OFF;
    if (first->kind == NODE_NAME) {
        bool alone = form->nkids < 4 || form->kids[3]->kind != NODE_NAME;
        bool type = kind == L_VAR && type_word(first) && is_free_name(form->kids[2]) && alone;
        return type || site_first(script, kind, form) ? 2 : 0;
    }
    if (first->kind == NODE_ERROR) return 0;
    if (first->kind == NODE_STRING)
        return is_free_name(form->kids[2]) && !in_equipment(script, form->kids[2]->text) ? 2 : 0;
    if (beside && first->kind != NODE_KEY) return 0;
    if (first->kind != NODE_KEY) {
        const Node *second = form->kids[2];
        bool typed = kind == L_VAR && first->kind == NODE_SET && type_word(second);
        return typed || is_free_name(second) ? 2 : 0;
    }
    Argument all = argument_at(form, 1, true);
    for (uint32_t i = all.at + all.n; --i > all.at + 1;)
        if (is_free_name(form->kids[i])) return i;
    return 0;
}

Node *item_in_order(Diags *d, const Script *script, LudemeId kind, Node *form) {
    if (form->nkids < 3) return form;
    switch (kind) {
    case L_DEFINE: return define_in_order(d, script, form);
    case L_OPTION:
    case L_READING:
    case L_REGION:
    case L_TRACK:
    case L_LANE:
    case L_STORE:
    case L_HAND:
    case L_OFF:
    case L_PIECE:
    case L_DICE:
    case L_VAR: break;
    default: return form;
    }
    uint32_t name = late_name(script, kind, form);
    if (!name) return form;
    Argument a = {1, name - 1}, b = {name, 1};
    report_swapped(d, script, form, a, b,
                   arena_printf(d->arena, "in `%s` the name stands first", ludemes[kind].name));
    return exchanged(d->arena, form, a, b);
}
