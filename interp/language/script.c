#include "../../grammar/parse.h"
#include "bare.h"
#include "fixed_first.h"
#include "foreign.h"
#include "item_order.h"
#include "manners.h"
#include "misspelt.h"
#include "respell.h"
#include "script_reader.h"
#include "stdlib_data.h"

#include <dirent.h>
#include <errno.h>
#include <string.h>

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

const char *brief_text(Arena *arena, const Script *script, const Node *n) {
    enum { LONG = 40 };
    size_t size = n->span.end - n->span.start;
    const char *text = source_of(script->sources, n->span)->text + n->span.start;
    if (size <= LONG && !memchr(text, '\n', size))
        return arena_printf(arena, "%.*s", (int)size, text);
    return node_head(n) ? arena_printf(arena, "(%s ...)", node_head(n)) : "...";
}

bool script_lost(const Script *script, const char *name) {
    for (size_t i = 0; i < script->lost.n; i++)
        if (script->lost.at[i] == name) return true;
    return false;
}

bool script_is_library(const Script *script, uint32_t file) {
    return file < script->library_files.n && script->library_files.at[file] != NULL;
}

const char *item_doc(const Node *node) {
    for (uint32_t i = 1; i < node->nkids; i++)
        if (node->kids[i]->kind == NODE_STRING) return node->kids[i]->text;
    return "";
}

// A script in the folder of the one that is not there, with a name like it; or NULL.
static const char *near_file(Arena *arena, const char *path) {
    const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
    size_t folder = (size_t)(name - path);
    DIR *dir = opendir(folder ? arena_strndup(arena, path, folder) : ".");
    if (!dir) return NULL;
    enum { FILES_MAX = 1000 };
    VEC(const char *) known = {0};
    for (struct dirent *entry; known.n < FILES_MAX && (entry = readdir(dir));) {
        size_t n = strlen(entry->d_name);
        if (n > 4 && strcmp(entry->d_name + n - 4, ".sow") == 0) {
            const char *kept = arena_strndup(arena, entry->d_name, n);
            vec_push(arena, &known, kept);
        }
    }
    closedir(dir);
    return nearest_name(name, known.at, known.n);
}

// Reports why a file could not be read; `at` is the form that asked for it, or NULL for the first file.
static void report_fault(Reader *r, SourceFault fault, const char *path, uint32_t file,
                         uint32_t where, const Node *at) {
    int e = errno, d;
    const char *near;
    Span span = {file, where, where + 1};
    switch (fault) {
    case SOURCE_OK: return;
    case SOURCE_NUL: diag_report(r->diags, E_NUL_BYTE, span); return;
    case SOURCE_UTF8: diag_report(r->diags, E_NOT_UTF8, span); return;
    case SOURCE_UNREADABLE:
        if (at)
            d = diag_report(r->diags, E_UNREADABLE, at->span, path, strerror(e));
        else
            d = diag_report_placeless(r->diags, E_UNREADABLE, path, strerror(e));
        near = e == ENOENT ? near_file(r->arena, path) : NULL;
        if (near) diag_mend(r->diags, d, "there is a `%s`: is that meant?", near);
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
        read_items(r, tree, 0, file, true);
        return;
    }
    int d = diag_report(r->diags, E_UNKNOWN_LIBRARY, name->span, name->text);
    const char *near = nearest_name(name->text, known, n);
    if (near) { // what else is wrong is told as well
        Node meant = *name;
        meant.text = arena_intern_str(r->arena, near);
        diag_meant(r->diags, d, "%s", near);
        use_library(r, &meant);
        return;
    }
    r->script->broken = true;
    if (n) {
        const char *list = "";
        for (size_t i = 0; i < n; i++)
            list = arena_printf(r->arena, "%s%s%s", list, i ? ", " : "", known[i]);
        diag_mend(r->diags, d, "the libraries are %s; a file is named in quotes", list);
    }
}

// (use "sowing"): the library, most likely.
static void mend_file_name(Reader *r, const char *name) {
    size_t n = strlen(name);
    if (n > 4 && strcmp(name + n - 4, ".sow") == 0) n -= 4;
    for (unsigned i = 0; i < stdlib_count; i++) {
        const char *library = stdlib_files[i].name;
        if (strlen(library) != n || memcmp(library, name, n) != 0) continue;
        diag_mend(r->diags, (int)r->diags->all.n - 1,
                  "the library goes by its name alone, without quotes: (use %s)", library);
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
            mend_file_name(r, name->text);
        } else {
            mark_file(r, file, NULL);
            Node *tree = parse_script(r, file);
            read_items(r, tree, 0, file, false);
        }
    }
    r->open.n--;
}

void read_use(Reader *r, const Node *form, uint32_t from) {
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
        // of: base.sow: told where the name ends and means nothing any more.
        for (size_t k = 0; k < r->diags->all.n; k++)
            if (r->diags->all.at[k].span.file == value->span.file &&
                r->diags->all.at[k].span.start == value->span.end)
                return NULL;
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
            read_item(r, kid, file, false);
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
    if (!texts[0] && !faulty && !r->script->unknown_items) {
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
    const Source *source = source_of(r->sources, (Span){.file = file});
    const char *mend, *what = foreign_file(source->text, source->size, &mend);
    if (what) {
        uint32_t size;
        const char *line = source_line(source, 1, &size);
        int d = diag_report(r->diags, E_NO_GAME,
                            (Span){file, (uint32_t)(line - source->text), size}, what);
        diag_mend(r->diags, d, "%s", mend);
        return false;
    }
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
            if (i > 0 && tree->kids[i - 1]->kind == NODE_ERROR && r->diags->errors) return false;
            int d = diag_report(r->diags, E_NO_GAME, head ? form->kids[0]->span : form->span,
                                "this is something else");
            if (head) {
                const char *known[] = {"game", "variant"};
                const char *near = nearest_name(head, known, 2);
                if (near)
                    diag_meant(r->diags, d, "%s", near);
                else if (kind != L_UNKNOWN && ludemes[kind].group == EQUIPMENT)
                    diag_mend(r->diags, d,
                              game ? "if it belongs to the game, a `)` before it is too many"
                                   : "(game \"Title\" ITEM...) stands round all the items");
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
        read_items(r, game, 1, file, false);
    for (size_t i = 0; i < r->script->items.n; i++)
        if (!r->script->items.at[i].library) mend_calls(r->diags, r->script->items.at[i].node);
    if (read) read_title(r, game);
    if (read && outermost) respell_items(r->diags, r->script);
    if (read && outermost) bare_names(r->diags, r->script);
    if (read && outermost) fixed_first(r->diags, r->script);
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
