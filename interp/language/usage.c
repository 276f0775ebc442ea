#include "usage.h"

typedef struct Let {
    const char *name;
    Span span;
    bool used;
} Let;

struct Usage {
    Arena *arena;
    bool *items; // by number of the script's items
    VEC(Let) lets;
};

Usage *usage_new(Arena *arena, Script *script) {
    Usage *u = arena_alloc(arena, sizeof *u);
    u->arena = arena;
    u->items = arena_array(arena, script->items.n + 1, sizeof *u->items);
    script->usage = u;
    return u;
}

// Readings may share a name with something else and are no use of it.
static long find_item(const Script *script, const char *name) {
    long library = -1;
    for (size_t i = 0; i < script->items.n; i++) {
        const Item *item = &script->items.at[i];
        if (item->name != name || item->kind == L_READING) continue;
        if (!item->library) return (long)i;
        library = (long)i;
    }
    return library;
}

void usage_mark(const Script *script, const char *name) { usage_restore(script, name, true); }

bool usage_marked(const Script *script, const char *name) {
    long i = script->usage ? find_item(script, name) : -1;
    return i >= 0 && script->usage->items[i];
}

void usage_restore(const Script *script, const char *name, bool marked) {
    long i = script->usage ? find_item(script, name) : -1;
    if (i >= 0) script->usage->items[i] = marked;
}

void usage_lets(const Script *script, const Expanded *e) {
    Usage *u = script->usage;
    for (size_t i = 0; u && i < e->locals.n; i++) {
        const Local *l = &e->locals.at[i];
        if (!l->let || script_is_library(script, l->span.file)) continue;
        size_t k = 0;
        while (k < u->lets.n && !(u->lets.at[k].span.file == l->span.file &&
                                  u->lets.at[k].span.start == l->span.start))
            k++;
        if (k == u->lets.n) vec_push(u->arena, &u->lets, (Let){l->name, l->span, false});
        u->lets.at[k].used |= l->read;
    }
}

static Span name_span(const Node *form) {
    const Node *n = form->nkids > 1 ? form->kids[1] : form;
    return n->kind == NODE_LIST && n->nkids ? n->kids[0]->span : n->span;
}

void usage_report(const Script *script, Diags *diags) {
    const Usage *u = script->usage;
    for (size_t i = 0; u && i < script->items.n; i++) {
        const Item *item = &script->items.at[i];
        bool theirs =
            item->node->span.file != script->tree->span.file; // of the game that is varied
        if (u->items[i] || theirs || item->library || !item->name || item->kind == L_READING)
            continue;
        Span span = name_span(item->node);
        if (item->kind == L_DEFINE)
            diag_report(diags, W_UNUSED, span, item->name);
        else if (item->kind == L_OPTION)
            diag_report(diags, W_UNUSED_OPTION, span, item->name);
        else
            diag_report(diags, W_UNUSED_EQUIPMENT, span, ludemes[item->kind].name, item->name);
    }
    for (size_t i = 0; u && i < u->lets.n; i++)
        if (!u->lets.at[i].used)
            diag_report(diags, W_UNUSED_NAME, u->lets.at[i].span, u->lets.at[i].name);
}
