#include "script.h"

#include "../../grammar/parse.h"
#include "item_order.h"
#include "manners.h"
#include "misspelt.h"
#include "respell.h"
#include "stdlib_data.h"

#include <errno.h>
#include <string.h>

typedef struct Reader {
    Arena *arena;
    Sources *sources;
    Diags *diags;
    Script *script;
    VEC(const char *) open; // files being read, to find a circle
} Reader;

static void read_items(Reader *r, const Node *form, uint32_t from, bool library);
static bool read_game(Reader *r, uint32_t file, bool outermost);

static Node *parse_script(Reader *r, uint32_t file) {
    LayoutWords words = layout_core();
    return parse_laid_out(r->arena, r->sources, file, &words, r->diags);
}

Item *script_find(const Script *script, LudemeId kind, const char *name) {
    for (size_t i = 0; i < script->items.n; i++) {
        Item *item = &script->items.at[i];
        if (item->kind == kind && item->name == name) return item;
    }
    return NULL;
}

bool script_is_library(const Script *script, uint32_t file) {
    return file < script->library_files.n && script->library_files.at[file] != NULL;
}

const char *item_doc(const Node *node) {
    for (uint32_t i = 1; i < node->nkids; i++)
        if (node->kids[i]->kind == NODE_STRING) return node->kids[i]->text;
    return "";
}

// Reports why a file could not be read; `at` is the form that asked for it, or NULL for the first file.
static void report_fault(Reader *r, SourceFault fault, const char *path, uint32_t file,
                         uint32_t where, const Node *at) {
    int e = errno;
    Span span = {file, where, where + 1};
    switch (fault) {
    case SOURCE_OK: return;
    case SOURCE_NUL: diag_report(r->diags, E_NUL_BYTE, span); return;
    case SOURCE_UTF8: diag_report(r->diags, E_NOT_UTF8, span); return;
    case SOURCE_UNREADABLE:
        if (at)
            diag_report(r->diags, E_UNREADABLE, at->span, path, strerror(e));
        else
            diag_report_placeless(r->diags, E_UNREADABLE, path, strerror(e));
        return;
    case SOURCE_DIRECTORY:
        if (at)
            diag_report(r->diags, E_DIRECTORY, at->span, path);
        else
            diag_report_placeless(r->diags, E_DIRECTORY, path);
        return;
    case SOURCE_EMPTY:
        if (at)
            diag_report(r->diags, E_EMPTY_FILE, at->span, path);
        else
            diag_report_placeless(r->diags, E_EMPTY_FILE, path);
        return;
    case SOURCE_TOO_BIG:
        if (at)
            diag_report(r->diags, E_TOO_BIG, at->span, path, SOURCE_MAX_BYTES);
        else
            diag_report_placeless(r->diags, E_TOO_BIG, path, SOURCE_MAX_BYTES);
        return;
    }
}

// A path named in file `from`: beside that file, unless it is absolute.
static const char *beside(Reader *r, uint32_t from, const char *path) {
    const char *base = r->sources->files.at[from].name;
    const char *slash = strrchr(base, '/');
    if (path[0] == '/' || !slash) return path;
    return arena_printf(r->arena, "%.*s/%s", (int)(slash - base), base, path);
}

static bool mark_used(Reader *r, const char *what) {
    for (size_t i = 0; i < r->script->uses.n; i++)
        if (r->script->uses.at[i] == what) return false;
    vec_push(r->arena, &r->script->uses, what);
    return true;
}

static void mark_file(Reader *r, uint32_t file, const char *library) {
    while (r->script->library_files.n <= file) vec_push(r->arena, &r->script->library_files, NULL);
    r->script->library_files.at[file] = library;
}

static bool enter_file(Reader *r, const char *path, const Node *at) {
    for (size_t i = 0; i < r->open.n; i++) {
        if (strcmp(r->open.at[i], path) == 0) {
            diag_report(r->diags, E_FILE_CYCLE, at->span, path);
            return false;
        }
    }
    vec_push(r->arena, &r->open, path);
    return true;
}

static void use_library(Reader *r, const Node *name) {
    const char *known[64];
    size_t n = 0;
    for (unsigned i = 0; i < stdlib_count; i++) {
        if (n < 64) known[n++] = stdlib_files[i].name;
        if (strcmp(stdlib_files[i].name, name->text) != 0) continue;
        if (!mark_used(r, name->text)) return;
        uint32_t file, where;
        const char *shown = arena_printf(r->arena, "<stdlib/%s.sow>", name->text);
        SourceFault fault = sources_add(r->sources, shown, stdlib_files[i].text,
                                        stdlib_files[i].size, &file, &where);
        if (fault != SOURCE_OK) {
            report_fault(r, fault, shown, file, where, name);
            return;
        }
        mark_file(r, file, name->text);
        Node *tree = parse_script(r, file);
        for (uint32_t k = 0; k < tree->nkids; k++) read_items(r, tree->kids[k], file, true);
        return;
    }
    r->script->broken = true;
    int d = diag_report(r->diags, E_UNKNOWN_LIBRARY, name->span, name->text);
    const char *near = nearest_name(name->text, known, n);
    if (near)
        diag_meant(r->diags, d, "%s", near);
    else if (n) {
        const char *list = "";
        for (size_t i = 0; i < n; i++)
            list = arena_printf(r->arena, "%s%s%s", list, i ? ", " : "", known[i]);
        diag_mend(r->diags, d, "the libraries are %s; a file is named in quotes", list);
    }
}

static void use_file(Reader *r, const Node *name, uint32_t from) {
    const char *path = arena_intern_str(r->arena, beside(r, from, name->text));
    if (!enter_file(r, path, name)) return;
    if (mark_used(r, path)) {
        uint32_t file = 0, where = 0;
        SourceFault fault = sources_read(r->sources, path, &file, &where);
        if (fault != SOURCE_OK) {
            r->script->broken = true;
            report_fault(r, fault, path, file, where, name);
        } else {
            mark_file(r, file, NULL);
            Node *tree = parse_script(r, file);
            for (uint32_t k = 0; k < tree->nkids; k++) read_items(r, tree->kids[k], file, false);
        }
    }
    r->open.n--;
}

static void read_use(Reader *r, const Node *form, uint32_t from) {
    if (form->nkids < 2)
        diag_report(r->diags, E_TOO_FEW, form->span, "use", "the name of a library");
    for (uint32_t i = 1; i < form->nkids; i++) {
        const Node *what = form->kids[i];
        if (what->kind == NODE_NAME)
            use_library(r, what);
        else if (what->kind == NODE_STRING)
            use_file(r, what, from);
        else if (what->kind != NODE_ERROR)
            diag_report(r->diags, E_NEED_NAME, what->span, "use",
                        "a library's name, or a file's in quotes");
    }
}

// The name an item is known by; NULL with a report if it should have one and has none.
// "name" in quotes is most often meant as the name.
static void lose_text(Reader *r, const Node *form) {
    if (form->nkids > 1 && form->kids[1]->kind == NODE_STRING)
        vec_push(r->arena, &r->script->lost, arena_intern_str(r->arena, form->kids[1]->text));
}

static bool item_name(Reader *r, LudemeId kind, const Node *form, const char **name) {
    *name = NULL;
    switch (kind) {
    case L_PLAYERS_ARE:
    case L_BOARD_IS:
    case L_CONSERVE:
    case L_START:
    case L_PLAY: return true;
    case L_STORE:
    case L_HAND:
    case L_OFF:
        *name = form->nkids > 1 && form->kids[1]->kind == NODE_NAME
                    ? form->kids[1]->text
                    : arena_intern_str(r->arena, ludemes[kind].name);
        return true;
    case L_DEFINE:
        if (form->nkids > 1) {
            const Node *head = form->kids[1];
            if (head->kind == NODE_ERROR) return false;
            if (head->kind == NODE_NAME)
                *name = head->text;
            else
                *name = node_head(head);
        }
        if (!*name)
            diag_report(r->diags, E_NEED_NAME, form->span, "define",
                        "(define (NAME PARAMETER...) BODY...)");
        return *name != NULL;
    default: break;
    }
    if (form->nkids > 1 && form->kids[1]->kind == NODE_NAME)
        *name = form->kids[1]->text;
    else if (form->nkids < 2 || form->kids[1]->kind != NODE_ERROR)
        lose_text(r, form),
            diag_report(r->diags, E_NEED_NAME, form->nkids > 1 ? form->kids[1]->span : form->span,
                        ludemes[kind].name,
                        arena_printf(r->arena, "(%s NAME ...)", ludemes[kind].name));
    return *name != NULL;
}

// Whether the two items cannot both be there. Readings have names of their own.
static bool clashes(const Item *a, const Item *b) {
    if (!a->name || !b->name) return a->kind == b->kind;
    if (a->library != b->library) return false; // a script's own name goes before a library's
    return a->name == b->name && (a->kind == L_READING) == (b->kind == L_READING);
}

static Span name_span(const Node *form) {
    if (form->nkids < 2) return form->span;
    const Node *n = form->kids[1];
    return n->kind == NODE_LIST && n->nkids ? n->kids[0]->span : n->span;
}

static void add_item(Reader *r, LudemeId kind, Node *form, bool library) {
    form = item_in_order(r->diags, r->script, kind, form);
    Item item = {.kind = kind, .node = form, .library = library};
    if (!item_name(r, kind, form, &item.name)) return;
    bool plain_store = kind == L_STORE || kind == L_HAND || kind == L_OFF;
    if (item.name && !plain_store) {
        LudemeId core = ludeme_find(item.name);
        bool word = strcmp(item.name, "yes") == 0 || strcmp(item.name, "no") == 0;
        if (core != L_UNKNOWN || word) {
            vec_push(r->arena, &r->script->lost, item.name);
            int d = diag_report(r->diags, E_RESERVED, name_span(form), item.name);
            if (core != L_UNKNOWN)
                diag_note(r->diags, d, "`oldsow help %s` tells what it does", item.name);
            return;
        }
    }
    for (size_t i = 0; i < r->script->items.n; i++) {
        const Item *other = &r->script->items.at[i];
        if (!clashes(&item, other)) continue;
        const Node *mine = form, *theirs = other->node;
        int d = diag_report(r->diags, E_TWICE, name_span(mine),
                            item.name ? item.name : ludemes[kind].name);
        diag_label(r->diags, d, name_span(theirs), "%s",
                   other->library ? "the library has one of this name" : "first here");
        if (form->span.file != theirs->span.file && !library)
            diag_mend(r->diags, d, "take another name, or in a variant (replace (%s ...))",
                      ludemes[kind].name);
        return;
    }
    vec_push(r->arena, &r->script->items, item);
}

static void replace_item(Reader *r, const Node *form) {
    Node *inner = form->nkids == 2 ? form->kids[1] : NULL;
    if (inner && inner->kind == NODE_ERROR) return;
    const char *head = inner ? node_head(inner) : NULL;
    LudemeId kind = head ? ludeme_find(head) : L_UNKNOWN;
    if (kind == L_UNKNOWN || ludemes[kind].group != EQUIPMENT) {
        diag_report(r->diags, E_SHAPE, form->span,
                    "(replace ITEM) takes one item: a definition, a piece of equipment, (start "
                    "...) or (play ...)");
        return;
    }
    const char *name;
    if (!item_name(r, kind, inner, &name)) return;
    Item *old = script_find(r->script, kind, name);
    if (old) {
        old->node = inner;
        old->library = false;
        return;
    }
    const char *known[256];
    size_t n = 0;
    for (size_t i = 0; i < r->script->items.n && n < 256; i++)
        if (r->script->items.at[i].kind == kind && r->script->items.at[i].name)
            known[n++] = r->script->items.at[i].name;
    int d =
        diag_report(r->diags, E_REPLACE_NONE, name_span(inner),
                    name ? arena_printf(r->arena, "%s `%s`",
                                        kind == L_DEFINE ? "definition" : ludemes[kind].name, name)
                         : arena_printf(r->arena, "(%s ...)", ludemes[kind].name));
    const char *near = name ? nearest_name(name, known, n) : NULL;
    if (near)
        diag_meant(r->diags, d, "%s", near);
    else
        diag_mend(r->diags, d, "to add it, write it without `replace`");
}

static void read_fix(Reader *r, const Node *form) {
    if (form->nkids != 3 || form->kids[1]->kind != NODE_NAME) {
        diag_report(r->diags, E_SHAPE, form->span,
                    "(fix OPTION VALUE) takes an option's name and one value");
        return;
    }
    Fix fix = {form->kids[1]->text, form->kids[2]};
    Item *option = script_find(r->script, L_OPTION, fix.option);
    if (!option) {
        const char *known[256];
        size_t n = 0;
        for (size_t i = 0; i < r->script->items.n && n < 256; i++)
            if (r->script->items.at[i].kind == L_OPTION) known[n++] = r->script->items.at[i].name;
        int d = diag_report(r->diags, E_UNKNOWN_OPTION, form->kids[1]->span, fix.option);
        const char *near = nearest_name(fix.option, known, n);
        if (near) diag_meant(r->diags, d, "%s", near);
        return;
    }
    vec_push(r->arena, &r->script->fixes, fix);
}

// The item is not taken, but its name shall be known as one that has been dealt with.
static void lose(Reader *r, const Node *form) {
    if (form->nkids < 2) return;
    const Node *n = form->kids[1];
    const char *name = n->kind == NODE_NAME ? n->text : node_head(n);
    if (name) vec_push(r->arena, &r->script->lost, name);
}

static LudemeId item_kind(Reader *r, const Node *form, bool variant) {
    LudemeId kind = ludeme_find(node_head(form));
    if (kind == L_UNKNOWN) kind = respell_head(r->diags, form, variant);
    if (kind == L_UNKNOWN) {
        lose(r, form);
        r->script->unknown_items = true;
    }
    return kind;
}

static void read_items(Reader *r, const Node *form, uint32_t from, bool library) {
    if (form->kind == NODE_ERROR) return;
    const char *head = node_head(form);
    if (!head) {
        if (form->kind == NODE_LIST && form->nkids && form->kids[0]->kind == NODE_ERROR) return;
        diag_report(r->diags, E_SHAPE, form->span,
                    "an item such as (board ...), (define ...) or (play ...) is expected here");
        return;
    }
    LudemeId kind = item_kind(r, form, false);
    switch (kind) {
    case L_UNKNOWN: return;
    case L_USE: read_use(r, form, from); return;
    case L_REPLACE:
    case L_FIX:
        diag_report(r->diags, E_NOT_HERE, form->kids[0]->span, head, "only a (variant ...) has it");
        return;
    case L_GAME:
    case L_VARIANT:
    case L_DEFAULT:
    case L_HOLES:
    case L_SQUARES:
    case L_LINE:
    case L_RINGS:
    case L_GRAPH:
        diag_report(r->diags, E_NOT_HERE, form->kids[0]->span, head,
                    kind == L_DEFAULT                     ? "it belongs in a (define ...)"
                    : kind == L_GAME || kind == L_VARIANT ? "a script holds one game"
                                                          : "it belongs in (board ...)");
        return;
    default: break;
    }
    if (ludemes[kind].group != EQUIPMENT) {
        diag_report(r->diags, E_NOT_HERE, form->kids[0]->span, head,
                    "it belongs in (start ...), (play ...) or a (define ...)");
        return;
    }
    add_item(r, kind, (Node *)form, library);
}

// The keys of `(variant "title" of: "file" ...)`.
static const Node *take_of(Reader *r, const Node *form, uint32_t *at) {
    const Node *odd = NULL;
    respell_keys(r->diags, r->script, form, L_VARIANT, NULL);
    for (uint32_t i = 1; i + 1 < form->nkids; i++) {
        const Node *key = form->kids[i], *value = form->kids[i + 1];
        if (key->kind == NODE_KEY && strcmp(key->text, "of") != 0) odd = key;
        if (key->kind != NODE_KEY || odd == key) continue;
        *at = i;
        if (value->kind == NODE_STRING) return value;
        diag_report(r->diags, E_SHAPE, value->span, "`of:` takes a file's name in quotes");
        return NULL;
    }
    if (odd)
        diag_mend(r->diags, diag_report(r->diags, E_UNKNOWN_KEY, odd->span, "variant", odd->text),
                  "it takes `of:`, the file of the game it starts from");
    else
        diag_report(r->diags, E_MISSING_KEY, form->kids[0]->span, "variant", "of");
    return NULL;
}

static bool read_variant(Reader *r, const Node *form, uint32_t file) {
    uint32_t of = 0;
    const Node *base = take_of(r, form, &of);
    if (!base) return false;
    const char *path = arena_intern_str(r->arena, beside(r, file, base->text));
    if (!enter_file(r, path, base)) return false;
    uint32_t other = 0, where = 0;
    SourceFault fault = sources_read(r->sources, path, &other, &where);
    bool read = false;
    if (fault != SOURCE_OK)
        report_fault(r, fault, path, other, where, base);
    else
        read = read_game(r, other, false);
    r->open.n--;
    if (!read) {
        r->script->broken = true;
        return false;
    }
    for (uint32_t i = 1; i < form->nkids; i++) {
        const Node *kid = form->kids[i];
        if (i == of || i == of + 1 || kid->kind == NODE_STRING || kid->kind == NODE_ERROR) continue;
        LudemeId kind = node_head(kid) ? item_kind(r, kid, true) : L_UNKNOWN;
        if (kind == L_UNKNOWN && node_head(kid)) continue;
        if (kind == L_REPLACE)
            replace_item(r, kid);
        else if (kind == L_FIX)
            read_fix(r, kid);
        else
            read_items(r, kid, file, false);
    }
    return true;
}

// Title and doc: the first two strings.
static void read_title(Reader *r, const Node *form) {
    const char *texts[3] = {NULL, NULL, NULL};
    int n = 0;
    for (uint32_t i = 1; i < form->nkids && n < 3; i++) {
        const Node *kid = form->kids[i];
        if (kid->kind == NODE_KEY)
            i++;
        else if (kid->kind == NODE_STRING)
            texts[n++] = kid->text;
        if (n == 3)
            diag_report(r->diags, E_SHAPE, kid->span,
                        "a game has a title and one text about it; this is a third");
    }
    bool faulty = false;
    for (uint32_t i = 1; i < form->nkids; i++) faulty |= form->kids[i]->kind == NODE_ERROR;
    if (!texts[0] && !faulty) {
        int d = diag_report(r->diags, E_TOO_FEW, form->kids[0]->span, node_head(form),
                            "a title in quotes");
        diag_mend(r->diags, d, "(%s \"My game\" ...)", node_head(form));
    }
    r->script->title = texts[0] ? texts[0] : "";
    if (texts[1] || !r->script->doc) r->script->doc = texts[1] ? texts[1] : "";
}

// Are brackets missing or too many? Then what is an item and what is not cannot be told.
static bool brackets_odd(const Reader *r, uint32_t file) {
    for (size_t i = 0; i < r->diags->all.n; i++) {
        const Diag *d = &r->diags->all.at[i];
        bool odd = d->code == E_BRACKET_OPEN || d->code == E_BRACKET_EXTRA;
        if (odd && d->span.file == file) return true;
    }
    return false;
}

static bool read_game(Reader *r, uint32_t file, bool outermost) {
    mark_file(r, file, NULL);
    Node *tree = parse_script(r, file);
    if (outermost) r->script->tree = tree;
    if (brackets_odd(r, file)) return false;
    const Node *game = NULL;
    for (uint32_t i = 0; i < tree->nkids; i++) {
        const Node *form = tree->kids[i];
        if (form->kind == NODE_ERROR) continue;
        const char *head = node_head(form);
        LudemeId kind = head ? ludeme_find(head) : L_UNKNOWN;
        if (kind != L_GAME && kind != L_VARIANT) {
            int d = diag_report(r->diags, E_NO_GAME, form->span, "this is something else");
            if (head) {
                const char *known[] = {"game", "variant"};
                const char *near = nearest_name(head, known, 2);
                if (near)
                    diag_meant(r->diags, d, "%s", near);
                else if (kind != L_UNKNOWN && ludemes[kind].group == EQUIPMENT)
                    diag_mend(r->diags, d,
                              "if it belongs to the game, a `)` before it is too many");
            }
            return false;
        }
        if (game) {
            int d = diag_report(r->diags, E_NO_GAME, form->kids[0]->span, "this is a second one");
            diag_label(r->diags, d, game->kids[0]->span, "the first");
            continue;
        }
        game = form;
    }
    if (!game) {
        if (!r->diags->errors)
            diag_report(r->diags, E_NO_GAME, (Span){file, 0, 0}, "there is none here");
        return false;
    }
    bool read = true;
    if (strcmp(node_head(game), "variant") == 0)
        read = read_variant(r, game, file);
    else
        for (uint32_t i = 1; i < game->nkids; i++)
            if (game->kids[i]->kind != NODE_STRING) read_items(r, game->kids[i], file, false);
    if (read) read_title(r, game);
    if (read && outermost) respell_items(r->diags, r->script);
    return read;
}

Script *script_read(Arena *arena, Sources *sources, Diags *diags, const char *path,
                    const char *text, size_t size) {
    Reader r = {.arena = arena, .sources = sources, .diags = diags};
    r.script = arena_alloc(arena, sizeof *r.script);
    r.script->sources = sources;
    r.script->misspelt = misspelt_new(arena);
    uint32_t file = 0, where = 0;
    SourceFault fault = text ? sources_add(sources, path, text, size, &file, &where)
                             : sources_read(sources, path, &file, &where);
    if (fault != SOURCE_OK) {
        report_fault(&r, fault, path, file, where, NULL);
        return r.script;
    }
    vec_push(arena, &r.open, path);
    read_game(&r, file, true);
    return r.script;
}
