#include "usage.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

typedef struct Let {
    const char *name;
    Span span;
    bool chosen, assigned, used;
} Let;

// A name that a definition used by nothing asks for.
typedef struct Mention {
    const char *name;
    size_t by; // the definition's number among the items
} Mention;

struct Usage {
    Arena *arena;
    bool *items; // by number of the script's items
    bool *set;   // the same: variables that something sets
    VEC(Let) lets;
    VEC(Suspicion) suspicions;
    VEC(Mention) mentions; // by name, then by number
};

Usage *usage_new(Arena *arena, Script *script) {
    Usage *u = arena_alloc(arena, sizeof *u);
    u->arena = arena;
    u->items = arena_array(arena, script->items.n + 1, sizeof *u->items);
    u->set = arena_array(arena, script->items.n + 1, sizeof *u->set);
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

void usage_set(const Script *script, const char *name) {
    long i = script->usage ? find_item(script, name) : -1;
    if (i >= 0) script->usage->set[i] = true;
}

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
        if ((!l->let && !l->chosen) || script_is_library(script, l->span.file)) continue;
        size_t k = 0;
        while (k < u->lets.n && !(u->lets.at[k].span.file == l->span.file &&
                                  u->lets.at[k].span.start == l->span.start))
            k++;
        if (k == u->lets.n) vec_push(u->arena, &u->lets, (Let){.name = l->name, .span = l->span});
        u->lets.at[k].chosen |= l->chosen;
        u->lets.at[k].assigned |= l->assigned;
        u->lets.at[k].used |= l->read;
    }
}

static const char *kept(const Usage *u, const char *text) {
    return text ? arena_strndup(u->arena, text, strlen(text)) : NULL;
}

void usage_suspect(const Script *script, Suspicion s, bool holds) {
    Usage *u = script->usage;
    if (!u || script_is_library(script, s.span.file)) return;
    for (size_t i = 0; i < u->suspicions.n; i++) {
        Suspicion *other = &u->suspicions.at[i];
        if (other->code != s.code || other->span.file != s.span.file ||
            other->span.start != s.span.start || other->span.end != s.span.end)
            continue;
        other->refuted |= !holds;
        return;
    }
    for (size_t i = 0; holds && i < sizeof s.words / sizeof *s.words; i++)
        s.words[i] = kept(u, s.words[i]);
    s.label = kept(u, s.label);
    s.note = kept(u, s.note);
    s.mend = kept(u, s.mend);
    s.refuted = !holds;
    vec_push(u->arena, &u->suspicions, s);
}

// The place where a new name hides that of a variable, or of anything else; NULL: there is none.
static Suspicion *hiding(const Usage *u, const char *name) {
    for (size_t i = 0; i < u->suspicions.n; i++) {
        Suspicion *s = &u->suspicions.at[i];
        if (s->code == W_HIDES && !s->refuted && strcmp(s->words[0], name) == 0) return s;
    }
    return NULL;
}

static void report_suspicions(const Usage *u, Diags *diags) {
    for (size_t i = 0; i < u->suspicions.n; i++) {
        const Suspicion *s = &u->suspicions.at[i];
        if (s->refuted) continue;
        int d = diag_report(diags, s->code, s->span, s->words[0], s->words[1], s->words[2]);
        if (s->label) diag_label(diags, d, s->other, "%s", s->label);
        if (s->note) diag_note(diags, d, "%s", s->note);
        if (s->mend) diag_mend(diags, d, "%s", s->mend);
    }
}

static void report_name(const Usage *u, const Let *l, Diags *diags) {
    if (l->used) return;
    const Suspicion *hides = hiding(u, l->name);
    if (hides && hides->mend && hides->span.start == l->span.start) return;
    if (l->chosen) {
        diag_report(diags, W_ALL_THE_SAME, l->span, l->name);
        return;
    }
    int d = diag_report(diags, W_UNUSED_NAME, l->span, l->name);
    if (l->assigned) diag_note(diags, d, "it is set, and nothing asks for it");
}

static Span name_span(const Node *form) {
    const Node *n = form->nkids > 1 ? form->kids[1] : form;
    return n->kind == NODE_LIST && n->nkids ? n->kids[0]->span : n->span;
}

static void report_variable(const Usage *u, const Script *script, size_t i, Diags *diags) {
    const Item *item = &script->items.at[i];
    Span span = name_span(item->node);
    Suspicion *hides = u->set[i] ? NULL : hiding(u, item->name);
    if (hides) { // (let v ...) for (set v ...)
        hides->mend =
            arena_printf(u->arena, "nothing sets the %s; (set %s ...) would, and makes no new name",
                         ludemes[item->kind].name, item->name);
    } else if (u->items[i] && !u->set[i]) {
        int d = diag_report(diags, W_NEVER_SET, span, item->name);
        diag_mend(diags, d, "(set %s ...) where it changes; what never does is a (define %s VALUE)",
                  item->name, item->name);
    } else if (u->set[i] && !u->items[i]) {
        diag_report(diags, W_NEVER_READ, span, item->name);
    } else if (!u->items[i]) {
        diag_report(diags, W_UNUSED_EQUIPMENT, span, ludemes[item->kind].name, item->name);
    }
}

bool mentions(const Node *n, const char *name) {
    if (n->kind == NODE_NAME && n->text == name) return true;
    for (uint32_t i = 0; i < n->nkids; i++)
        if (mentions(n->kids[i], name)) return true;
    return false;
}

// Given to others as a piece of program: then it takes what they give.
static bool given_by_name(const Node *n, const char *name) {
    for (uint32_t i = 0; i < n->nkids; i++) {
        const Node *kid = n->kids[i];
        if (i && kid->kind == NODE_NAME && kid->text == name && n->kids[i - 1]->kind == NODE_KEY)
            return true;
        if (given_by_name(kid, name)) return true;
    }
    return false;
}

static void report_parameters(const Script *script, const Item *item, Diags *diags) {
    const Node *game = script->tree->nkids ? script->tree->kids[0] : NULL;
    // What a variant replaces takes what the other took.
    if (!game || !node_head(game) || strcmp(node_head(game), "game") != 0) return;
    for (size_t i = 0; i < script->items.n; i++)
        if (given_by_name(script->items.at[i].node, item->name)) return;
    const Node *define = item->node, *header = define->kids[1];
    for (uint32_t i = 1; header->kind == NODE_LIST && i < header->nkids; i++) {
        const Node *name = header->kids[i];
        if (name->kind == NODE_KEY && i + 1 < header->nkids && header->kids[++i]->kind == NODE_NAME)
            name = header->kids[i];
        bool used = name->kind == NODE_ERROR;
        for (uint32_t k = 2; !used && k < define->nkids; k++)
            used = mentions(define->kids[k], name->text);
        if (!used) diag_report(diags, W_PARAMETER, name->span, item->name, name->text);
    }
}

// A library is used if one of its definitions is.
static void report_library(const Usage *u, const Script *script, const Node *name, Diags *diags) {
    bool known = false;
    for (size_t i = 0; i < script->items.n; i++) {
        const Item *item = &script->items.at[i];
        if (!item->library || item->node->span.file >= script->library_files.n) continue;
        const char *library = script->library_files.at[item->node->span.file];
        if (!library || strcmp(library, name->text) != 0) continue;
        if (u->items[i]) return;
        known = true;
    }
    if (known) diag_report(diags, W_LIBRARY, name->span, name->text);
}

static void report_libraries(const Usage *u, const Script *script, Diags *diags) {
    const Node *game = script->tree->nkids ? script->tree->kids[0] : NULL;
    for (uint32_t i = 0; game && i < game->nkids; i++) {
        const Node *use = game->kids[i];
        const char *head = node_head(use);
        for (uint32_t k = 1; head && strcmp(head, "use") == 0 && k < use->nkids; k++)
            if (use->kids[k]->kind == NODE_NAME) report_library(u, script, use->kids[k], diags);
    }
}

static void gather_mentions(Usage *u, const Node *n, size_t by) {
    if (n->kind == NODE_NAME) vec_push(u->arena, &u->mentions, (Mention){n->text, by});
    for (uint32_t i = 0; i < n->nkids; i++) gather_mentions(u, n->kids[i], by);
}

// Names are interned: any order will do in which equal ones stand together.
static int by_name_and_number(const void *a, const void *b) {
    const Mention *x = a, *y = b;
    if (x->name != y->name) return (uintptr_t)x->name < (uintptr_t)y->name ? -1 : 1;
    return (x->by > y->by) - (x->by < y->by);
}

static void find_mentions(Usage *u, const Script *script) {
    for (size_t i = 0; i < script->items.n; i++) {
        const Item *item = &script->items.at[i];
        if (item->kind != L_DEFINE || u->items[i] || item->library) continue;
        for (uint32_t k = 2; k < item->node->nkids; k++) gather_mentions(u, item->node->kids[k], i);
    }
    if (u->mentions.n)
        qsort(u->mentions.at, u->mentions.n, sizeof *u->mentions.at, by_name_and_number);
}

// The definition, used by nothing, that asks for item i: what only it uses is not missed otherwise.
static const Item *unused_user(const Usage *u, const Script *script, size_t i) {
    Mention least = {script->items.at[i].name, 0};
    size_t low = 0, high = u->mentions.n;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (by_name_and_number(&u->mentions.at[middle], &least) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    for (; low < u->mentions.n && u->mentions.at[low].name == least.name; low++)
        if (u->mentions.at[low].by != i) return &script->items.at[u->mentions.at[low].by];
    return NULL;
}

// Is the item only missed because a definition is, which is told of?
static bool missed_with(const Usage *u, const Script *script, size_t i) {
    const Item *item = &script->items.at[i];
    bool missed = item->kind == L_VAR ? !u->items[i] || !u->set[i] : !u->items[i];
    const Item *user = missed ? unused_user(u, script, i) : NULL;
    return user && user->node->span.file == script->tree->span.file;
}

// Two cases are the same, and one thing is used nowhere: it may belong in one of them. Gives the report, or -1.
static int case_for(const Diags *diags) {
    int found = -1;
    for (size_t i = 0; i < diags->all.n; i++) {
        if (diags->all.at[i].code != W_CASES_ALIKE || diags->all.at[i].notes.n) continue;
        if (found >= 0) return -1;
        found = (int)i;
    }
    return found;
}

static void report_unused(const Item *item, Diags *diags) {
    int alike = item->kind == L_OPTION ? -1 : case_for(diags);
    if (alike >= 0) {
        diag_note(diags, alike, "the %s `%s` is never used",
                  item->kind == L_DEFINE ? "definition" : ludemes[item->kind].name, item->name);
        return;
    }
    Span span = name_span(item->node);
    if (item->kind == L_DEFINE)
        diag_report(diags, W_UNUSED, span, item->name);
    else if (item->kind == L_OPTION)
        diag_report(diags, W_UNUSED_OPTION, span, item->name);
    else
        diag_report(diags, W_UNUSED_EQUIPMENT, span, ludemes[item->kind].name, item->name);
}

void usage_report(const Script *script, Diags *diags) {
    Usage *u = script->usage;
    if (u) find_mentions(u, script);
    for (size_t i = 0; u && i < script->items.n; i++) {
        const Item *item = &script->items.at[i];
        bool theirs =
            item->node->span.file != script->tree->span.file; // of the game that is varied
        if (theirs || item->library || !item->name || missed_with(u, script, i)) continue;
        if (item->kind == L_VAR) {
            report_variable(u, script, i, diags);
            continue;
        }
        if (item->kind == L_DEFINE && u->items[i]) report_parameters(script, item, diags);
        if (!u->items[i] && item->kind != L_READING) report_unused(item, diags);
    }
    if (u && script->tree) report_libraries(u, script, diags);
    for (size_t i = 0; u && i < u->lets.n; i++) report_name(u, &u->lets.at[i], diags);
    if (u) report_suspicions(u, diags);
}
