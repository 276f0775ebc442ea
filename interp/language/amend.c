// Forms in which something is missing that can only be meant in one way: they are told of, and then read as meant.
//
// The syntax tree itself is changed, so that each is told once, however often the place is come by.

#include "expander.h"

#include "forms.h"
#include "misspelt.h"
#include "respell.h"
#include "swapped.h"
#include "usage.h"

#include <string.h>

enum { WRITTEN_MAX = 70 };

typedef struct Amender {
    Expander *x;
    Arena *arena; // of what is put into the syntax tree, which outlives this setting of the options
    const Node *form;
    const Expansion *via;
} Amender;

static const char *text_at(const Expander *x, uint32_t file) {
    return source_of(x->script->sources, (Span){file, 0, 0})->text;
}

static bool line_between(const Expander *x, const Node *a, const Node *b) {
    if (a->span.file != b->span.file || a->span.end > b->span.start) return true;
    const char *text = text_at(x, a->span.file);
    return memchr(text + a->span.end, '\n', b->span.start - a->span.end) != NULL;
}

// Whether both begin in the same column; of different lines, that is.
static bool in_column(const Expander *x, const Node *a, const Node *b) {
    if (a->span.file != b->span.file) return false;
    const Source *s = source_of(x->script->sources, a->span);
    return source_place(s, a->span.start).column == source_place(s, b->span.start).column;
}

static void replace_kids(const Amender *a, const Node *form, uint32_t at, uint32_t n, Node *by) {
    Nodes kids = {0};
    for (uint32_t i = 0; i < at; i++) vec_push(a->arena, &kids, form->kids[i]);
    if (by) vec_push(a->arena, &kids, by);
    for (uint32_t i = at + n; i < form->nkids; i++) vec_push(a->arena, &kids, form->kids[i]);
    ((Node *)form)->kids = kids.at;
    ((Node *)form)->nkids = (uint32_t)kids.n;
}

static int report(const Amender *a, DiagCode code, const Node *at, const char *one,
                  const char *two) {
    Node place = *at;
    place.via = a->via;
    return report_at(a->x->diags, a->x->script, code, &place, one, two);
}

// ---- two forms behind a key ----------------------------------------------------------------------

static bool ends(const Node *n) {
    const char *head = node_head(n);
    LudemeId id = head ? ludeme_find(head) : L_UNKNOWN;
    if (id == L_DO && n->nkids > 1) return ends(n->kids[n->nkids - 1]);
    if (id == L_IF && n->nkids == 5) return ends(n->kids[2]) && ends(n->kids[4]);
    return never_comes_back(id);
}

// Whether what stands at kid i says one of the names that the form makes.
static bool of_the_choice(const Node *form, uint32_t i) {
    for (uint32_t k = 1; k + 1 < form->nkids; k++)
        if (form->kids[k]->kind == NODE_NAME && is_key(form->kids[k + 1], "in") &&
            mentions(form->kids[i], form->kids[k]->text))
            return true;
    return false;
}

// The forms from kid i on that stand beside or below the one before, which belongs to a key.
static uint32_t beside(const Amender *a, uint32_t i) {
    const Node *form = a->form, *first = form->kids[i - 1];
    uint32_t n = 0;
    while (i + n < form->nkids && form->kids[i + n]->kind == NODE_LIST) {
        const Node *kid = form->kids[i + n], *before = form->kids[i + n - 1];
        bool below = n + 1 < form->nkids && !line_between(a->x, form->kids[i - 2], first) &&
                     in_column(a->x, first, kid);
        if (line_between(a->x, before, kid) && !below) break;
        n++;
    }
    return n;
}

// How many forms from kid i on were to be done together with the one before. What can tell is how the author laid them
// out, and what they are: nothing can belong behind a form that never comes back, and nothing can stand behind one but
// what belongs elsewhere.
static uint32_t belong_before(const Amender *a, uint32_t i, uint32_t body) {
    const Node *form = a->form;
    if (i >= form->nkids || ends(form->kids[i - 1])) return 0;
    uint32_t n = beside(a, i);
    for (uint32_t k = 0; k < n; k++) {
        if (of_the_choice(form, i + k)) return 0;
        bool last = next_plain(form, i + k) == 0;
        if (ends(form->kids[i + k]) && !last) return k + 1;
    }
    if (n == 0) return 0;
    uint32_t next = next_plain(form, i + n - 1);
    if (!next) return next_plain(form, body - 1) < i - 2 ? n : 0; // the rest stands before the key
    return line_between(a->x, form->kids[i + n - 1], form->kids[next]) ? n : 0;
}

static const char *together(const Amender *a, const char *how, uint32_t at, uint32_t n) {
    const Node *first = a->form->kids[at], *last = a->form->kids[at + n - 1];
    uint32_t from = first->span.start, size = last->span.end - from;
    const char *text = text_at(a->x, first->span.file) + from;
    if (size <= WRITTEN_MAX && !memchr(text, '\n', size))
        return how ? arena_printf(a->arena, "(%s %.*s)", how, (int)size, text)
                   : arena_printf(a->arena, "%.*s", (int)size, text);
    if (!how) return "...";
    const char *all = "";
    for (uint32_t i = at; i < at + n; i++)
        all = arena_printf(a->arena, "%s (%s ...)", all,
                           node_head(a->form->kids[i]) ? node_head(a->form->kids[i]) : "");
    return arena_printf(a->arena, "(%s%s)", how, all);
}

// The n forms from kid `at` on become (do ...).
static void put_together(const Amender *a, uint32_t at, uint32_t n) {
    const Node *first = a->form->kids[at], *last = a->form->kids[at + n - 1];
    Nodes kids = {0};
    vec_push(a->arena, &kids, node_name(a->arena, first->span, arena_intern_str(a->arena, "do")));
    for (uint32_t i = 0; i < n; i++) vec_push(a->arena, &kids, a->form->kids[at + i]);
    Span span = span_join(first->span, last->span);
    replace_kids(a, a->form, at, n, node_list(a->arena, NODE_LIST, span, kids.at, kids.n));
}

// Kid `at` belongs to `key`, and the n behind it were to.
static void join(const Amender *a, const Node *key, uint32_t at, uint32_t n, bool truth) {
    Expander *x = a->x;
    const Node *one = a->form->kids[at];
    int d = report(a, E_TWO_FORMS, a->form->kids[at + 1], key->text, NULL);
    diag_label(x->diags, d, one->span, "`%s:` takes only this", key->text);
    const char *names = "";
    if (a->form->kids[at - 1] != key)
        names = arena_printf(a->arena, "%s ", together(a, NULL, at - 1, 1));
    diag_mend(x->diags, d, "%s: %s%s", key->text, names,
              together(a, truth ? "and" : "do", at, n + 1));
    if (truth)
        replace_kids(a, a->form, at, n + 1, (Node *)one);
    else
        put_together(a, at, n + 1);
}

// `at-limit: () (draw)`: names are given to a definition's piece of program only. True: it was told, and they are taken away.
static bool names_before(const Amender *a, uint32_t key) {
    const Node *names = a->form->kids[key + 1], *what = a->form->kids[key + 2];
    if (names->kind != NODE_LIST || names->nkids > 0 || what->kind != NODE_LIST) return false;
    const char *called = a->form->kids[key]->text;
    int d = report(
        a, E_SHAPE, names,
        arena_printf(a->arena, "`%s:` takes one form here, and no ( ) before it", called), NULL);
    diag_mend(a->x->diags, d, "%s: %s", called, together(a, NULL, key + 2, 1));
    replace_kids(a, a->form, key + 1, 1, NULL);
    return true;
}

static void two_forms(const Amender *a, const char *key, uint32_t body) {
    for (uint32_t i = 1; i + 2 < a->form->nkids; i++) {
        if (!is_key(a->form->kids[i], key) || names_before(a, i)) continue;
        uint32_t n = belong_before(a, i + 2, body);
        if (n) join(a, a->form->kids[i], i + 1, n, false);
    }
}

// An `either` holds choices, and so all else behind its `else:` belongs to that.
static void two_forms_of_either(const Amender *a) {
    for (uint32_t i = 1; i + 2 < a->form->nkids; i++) {
        if (!is_key(a->form->kids[i], "else")) continue;
        uint32_t n = 0;
        while (i + 2 + n < a->form->nkids) {
            const Node *kid = a->form->kids[i + 2 + n];
            LudemeId id = node_head(kid) ? ludeme_find(node_head(kid)) : L_UNKNOWN;
            if (kid->kind != NODE_LIST || id == L_UNKNOWN || id == L_CHOOSE || id == L_IF ||
                id == L_DO)
                break;
            n++;
        }
        if (n) join(a, a->form->kids[i], i + 1, n, false);
    }
}

// (sow SITE ... after: (a b) FORM FORM): the site stands first.
static void two_forms_of_sow(const Amender *a) {
    if (a->form->nkids < 2 || a->form->kids[1]->kind == NODE_KEY) return;
    for (uint32_t i = 2; i + 3 < a->form->nkids; i++) {
        const Node *key = a->form->kids[i];
        bool truth = is_key(key, "skip");
        if (!truth && !is_key(key, "before") && !is_key(key, "after")) continue;
        const Node *names = a->form->kids[i + 1];
        if (names->kind != NODE_LIST || names->nkids != (truth ? 1 : 2)) continue;
        uint32_t n = 0;
        while (i + 3 + n < a->form->nkids && a->form->kids[i + 3 + n]->kind == NODE_LIST) n++;
        if (n) join(a, key, i + 2, n, truth);
    }
}

// ---- the cases of an `if` -------------------------------------------------------------------------

static Node *key_of(const Amender *a, const Node *like, const char *key) {
    Node *made = arena_alloc(a->arena, sizeof *made);
    *made = *like;
    made->kind = NODE_KEY;
    made->text = arena_intern_str(a->arena, key);
    return made;
}

static bool only_done(const Node *n) {
    const char *head = node_head(n);
    return is_statement(n) && strcmp(head, "if") != 0; // which may give a value
}

// (if TRUTH THEN ELSE): as in Lisp.
static void missing_else(const Amender *a) {
    const Node *form = a->form, *other = form->kids[3];
    for (uint32_t i = 1; i < form->nkids; i++)
        if (form->kids[i]->kind == NODE_KEY || form->kids[i]->kind == NODE_ERROR) return;
    int d = report(a, E_NO_ELSE, other, NULL, NULL);
    const char *head = node_head(other);
    if (head && other->nkids > 1 && (strcmp(head, "else") == 0 || strcmp(head, "otherwise") == 0)) {
        // (else THIS), as a form of its own
        const Amender inner = {a->x, a->arena, other, a->via};
        diag_mend(a->x->diags, d, "else: %s",
                  together(&inner, other->nkids > 2 ? "do" : NULL, 1, other->nkids - 1));
        if (other->nkids > 2) put_together(&inner, 1, other->nkids - 1);
        *form->kids[3] = *other->kids[1];
        replace_kids(a, form, 3, 0, key_of(a, other, "else"));
        return;
    }
    bool both = only_done(form->kids[2]) && only_done(other);
    diag_mend(a->x->diags, d, "else: %s%s", together(a, NULL, 3, 1),
              both ? ", or, if both are done when it holds, (when TRUTH STATEMENT...)" : "");
    replace_kids(a, form, 3, 0, key_of(a, other, "else"));
}

// (if TRUTH win mover): what is done lacks its brackets.
static bool loose_case(const Amender *a) {
    const Node *form = a->form, *word = form->nkids > 3 ? form->kids[2] : NULL;
    if (!word || word->kind != NODE_NAME) return false;
    LudemeId id = ludeme_find(word->text);
    uint32_t end = 3;
    while (end < form->nkids && form->kids[end]->kind != NODE_KEY) end++;
    if (id == L_UNKNOWN || ludemes[id].group != DOING || end == 3 ||
        named_there(a->arena, a->x->script, word->text, word->span))
        return false;
    for (uint32_t i = 1; i < end; i++)
        if (form->kids[i]->kind == NODE_ERROR) return false;
    int d = report(a, E_SHAPE, word,
                   arena_printf(a->arena, "`%s` is a ludeme and stands in ( )", word->text), NULL);
    diag_mend(a->x->diags, d, "write (%s)", together(a, NULL, 2, end - 2));
    Span span = span_join(word->span, form->kids[end - 1]->span);
    replace_kids(a, form, 2, end - 2,
                 node_list(a->arena, NODE_LIST, span, form->kids + 2, end - 2));
    return true;
}

static void cases(const Amender *a) {
    const Node *form = a->form;
    if (loose_case(a)) return;
    uint32_t key = 1;
    while (key < form->nkids && !is_key(form->kids[key], "else")) key++;
    if (key == form->nkids) {
        if (form->nkids == 4) missing_else(a);
        return;
    }
    for (uint32_t i = key + 1; i < form->nkids; i++)
        if (form->kids[i]->kind == NODE_KEY) return;
    if (key == 3 && form->nkids > 5 && form->kids[4]->kind == NODE_LIST)
        join(a, form->kids[3], 4, form->nkids - 5, false);
    if (key > 3 && form->nkids == key + 2 && form->kids[2]->kind == NODE_LIST) {
        int d = report(a, E_SHAPE, form->kids[3],
                       "an `if` takes one form for each case, and this is a second", NULL);
        diag_mend(a->x->diags, d, "%s", together(a, "do", 2, key - 2));
        put_together(a, 2, key - 2);
    }
    if (key != 2 || form->nkids != 5) return;
    Argument otherwise = {2, 2}, then = {4, 1};
    report_swapped(a->x->diags, a->x->script, form, otherwise, then,
                   "in an `if` what is done otherwise stands last");
    const Node *meant = exchanged(a->arena, form, otherwise, then);
    ((Node *)form)->kids = meant->kids;
}

// ---- `in:` left out ------------------------------------------------------------------------------

static bool can_be_list(const Node *n) {
    const char *head = node_head(n);
    LudemeId id = head ? ludeme_find(head) : L_UNKNOWN;
    if (n->kind == NODE_LIST) return id == L_UNKNOWN || ludemes[id].group != DOING;
    return n->kind == NODE_NAME || n->kind == NODE_SET || n->kind == NODE_RANGE;
}

static bool says_in(const Node *n) { return n->kind == NODE_NAME && strcmp(n->text, "in") == 0; }

// False: there is a name, and nothing that it could be one of.
static bool missing_in(const Amender *a, bool choice) {
    const Node *form = a->form;
    for (uint32_t i = 1; i + 1 < form->nkids && form->kids[i]->kind == NODE_NAME; i += 3) {
        const Node *list = form->kids[i + 1];
        if (is_key(list, "in")) continue;
        bool there = can_be_list(list);
        if (says_in(list) || (!there && !choice) || (!choice && (i > 1 || form->nkids < 4)))
            return true;
        int d = report(a, E_MISSING_KEY, there ? list : form->kids[i], node_head(form), "in");
        diag_mend(a->x->diags, d, "(%s %s in: %s ...)", node_head(form), form->kids[i]->text,
                  !there                    ? "LIST"
                  : list->kind == NODE_NAME ? list->text
                                            : together(a, NULL, i + 1, 1));
        if (!there) return false;
        replace_kids(a, form, i + 1, 0, key_of(a, form->kids[i], "in"));
    }
    return true;
}

bool amend_form(Expander *x, const Node *n, LudemeId id, const Expansion *via) {
    Amender a = {x, x->diags->arena, n, via};
    switch ((int)id) {
    case L_IF: cases(&a); break;
    case L_CHOOSE:
    case L_LOT: {
        if (!missing_in(&a, true)) return false;
        uint32_t body = 1;
        while (body + 1 < n->nkids && is_key(n->kids[body + 1], "in")) body += 3;
        two_forms(&a, "else", body);
        break;
    }
    case L_EITHER: two_forms_of_either(&a); break;
    case L_TURNS: two_forms(&a, "all-pass", 1); break;
    case L_REPEAT: two_forms(&a, "at-limit", 1); break;
    case L_WHILE: two_forms(&a, "at-limit", 2); break;
    case L_SOW: two_forms_of_sow(&a); break;
    default: return !takes_key(id, "in") || missing_in(&a, false);
    }
    return true;
}
