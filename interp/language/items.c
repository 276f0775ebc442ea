// The items of a script: what each is called, which clash, which are none.

#include "foreign.h"
#include "item_order.h"
#include "respell.h"
#include "script_reader.h"
#include "spelling.h"
#include "usage.h"

#include <string.h>

// What stands in (board ...), and only there.
static bool is_shape(LudemeId kind) {
    return kind == L_HOLES || kind == L_SQUARES || kind == L_LINE || kind == L_RINGS ||
           kind == L_GRAPH || kind == L_DEFAULT;
}

// "name" in quotes is most often meant as the name.
static void lose_text(Reader *r, const Node *form) {
    if (form->nkids > 1 && form->kids[1]->kind == NODE_STRING)
        vec_push(r->arena, &r->script->lost, arena_intern_str(r->arena, form->kids[1]->text));
}

// The name of an item, when it has what a name has not; or NULL.
static Node *meant_name(LudemeId kind, const Node *form) {
    Node *n = form->nkids > 1 ? form->kids[1] : NULL;
    bool value = form->nkids > 2 && form->kids[2]->kind == NODE_NUMBER; // (var n: 3)
    if (n && n->kind == NODE_KEY && kind != L_READING && !value) return n;
    bool header = kind == L_VAR || kind == L_PIECE || kind == L_REGION || kind == L_TRACK ||
                  kind == L_LANE || kind == L_DICE || kind == L_OPTION;
    Node *name = n && n->kind == NODE_LIST && n->nkids ? n->kids[0] : NULL;
    return header && name && name->kind == NODE_NAME && ludeme_find(name->text) == L_UNKNOWN ? name
                                                                                             : NULL;
}

// (piece (man A) (man B)), (var (kept n) per: 1..5): the name stands with what it will be asked with.
static void mend_header(Diags *d, int r, LudemeId kind, const Node *form, const char *name) {
    const Node *more = form->nkids > 2 ? form->kids[2] : NULL;
    bool others = more && node_head(more) && strcmp(node_head(more), name) == 0;
    if (kind == L_PIECE && others)
        diag_mend(d, r, "a kind for each player: (piece %s each: players)", name);
    else
        diag_mend(d, r, "the name stands alone: (%s %s%s)", ludemes[kind].name, name,
                  more ? " ..." : "");
}

// Tells of it; where the name is known all the same, the form has it now.
static void need_name(Reader *r, LudemeId kind, Node *form) {
    const char *text =
        form->nkids > 1 && form->kids[1]->kind == NODE_STRING ? form->kids[1]->text : "";
    lose_text(r, form);
    int d = diag_report(r->diags, E_NEED_NAME, form->nkids > 1 ? form->kids[1]->span : form->span,
                        ludemes[kind].name,
                        arena_printf(r->arena, "(%s NAME ...)", ludemes[kind].name));
    if (form->nkids > 1 && form->kids[1]->kind == NODE_KEY && kind == L_READING &&
        script_find(r->script, L_OPTION, form->kids[1]->text))
        diag_mend(r->diags, d, "the reading's own name comes first: (reading NAME %s: ...)",
                  form->kids[1]->text);
    else if (form->nkids > 1 && form->kids[1]->kind == NODE_KEY)
        diag_mend(r->diags, d, "the name needs no colon: (%s %s ...)", ludemes[kind].name,
                  form->kids[1]->text);
    Node *meant = meant_name(kind, form);
    if (meant && meant != form->kids[1]) mend_header(r->diags, d, kind, form, meant->text);
    // Of a variable `per:` says of what there are several; of others nobody knows.
    if (meant && meant != form->kids[1] && kind != L_VAR)
        vec_push(r->arena, &r->script->lost, meant->text);
    else if (meant) {
        meant->kind = NODE_NAME;
        form->kids[1] = meant;
    }
    if (meant) return;
    char *name = arena_strndup(r->arena, text, strlen(text));
    for (char *p = name; *p; p++) {
        bool letter =
            (*p >= 'a' && *p <= 'z') || (*p >= 'A' && *p <= 'Z') || (unsigned char)*p >= 0x80;
        if (*p == ' ' && p > name)
            *p = '-';
        else if (!letter && (p == name || (*p != '-' && (*p < '0' || *p > '9'))))
            return;
    }
    if (*name)
        diag_mend(r->diags, d, "a name stands without quotes: (%s %s%s)", ludemes[kind].name, name,
                  form->nkids > 2 ? " ..." : "");
}

// (define (let x ...) ...): the name with what it takes is missing, and this is the first thing that is done.
static bool is_body(const Node *define) {
    const Node *first = define->kids[1];
    const char *head = node_head(first);
    LudemeId id = head ? ludeme_find(head) : L_UNKNOWN;
    bool parts = false;
    for (uint32_t i = 1; first->kind == NODE_LIST && i < first->nkids; i++)
        parts |= first->kids[i]->kind == NODE_LIST && first->kids[i - 1]->kind != NODE_KEY;
    return id != L_UNKNOWN && parts;
}

// The name an item is known by; NULL with a report if it should have one and has none.
static bool item_name(Reader *r, LudemeId kind, Node *form, const char **name) {
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
            else if (!is_body(form))
                *name = node_head(head);
            else
                r->script->nameless = true;
        }
        if (!*name)
            diag_report(r->diags, E_NEED_NAME, form->span, "define",
                        "(define (NAME PARAMETER...) BODY...)");
        return *name != NULL;
    default: break;
    }
    if (form->nkids > 1 && form->kids[1]->kind == NODE_NAME)
        *name = form->kids[1]->text;
    else if (form->nkids < 2 || form->kids[1]->kind != NODE_ERROR) {
        need_name(r, kind, form);
        if (form->nkids > 1 && form->kids[1]->kind == NODE_NAME) *name = form->kids[1]->text;
    }
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

// (define NAME p BODY), where the body asks for p: what it takes stands with its name in ( ).
static Node *with_header(Reader *r, Node *form) {
    uint32_t end = 1;
    while (end < form->nkids && form->kids[end]->kind == NODE_NAME) end++;
    if (end < 3 || end >= form->nkids || form->kids[end]->kind == NODE_KEY) return form;
    for (uint32_t i = 2; i < end; i++) {
        bool asked = false;
        for (uint32_t k = end; k < form->nkids; k++)
            asked |= mentions(form->kids[k], form->kids[i]->text);
        if (!asked || ludeme_find(form->kids[i]->text) != L_UNKNOWN) return form;
    }
    Span span = span_join(form->kids[1]->span, form->kids[end - 1]->span);
    int d = diag_report(r->diags, E_SHAPE, span,
                        "the name of a definition stands in ( ) with what it takes");
    const char *header = form->kids[1]->text;
    for (uint32_t i = 2; i < end; i++)
        header = arena_printf(r->arena, "%s %s", header, form->kids[i]->text);
    diag_mend(r->diags, d, "(define (%s) ...)", header);
    Node **kids = arena_array(r->arena, form->nkids, sizeof *kids);
    size_t n = 0;
    kids[n++] = form->kids[0];
    kids[n++] = node_list(r->arena, NODE_LIST, span, form->kids + 1, (size_t)end - 1);
    for (uint32_t i = end; i < form->nkids; i++) kids[n++] = form->kids[i];
    return node_list(r->arena, NODE_LIST, form->span, kids, n);
}

static void add_item(Reader *r, LudemeId kind, Node *form, bool library) {
    form = item_in_order(r->diags, r->script, kind, form);
    if (kind == L_DEFINE && !library) form = with_header(r, form);
    Item item = {.kind = kind, .node = form, .library = library};
    if (!item_name(r, kind, form, &item.name)) return;
    bool plain_store = kind == L_STORE || kind == L_HAND || kind == L_OFF;
    if (item.name && !plain_store && kind != L_READING) {
        LudemeId core = ludeme_find(item.name);
        bool word = strcmp(item.name, "yes") == 0 || strcmp(item.name, "no") == 0;
        if (core != L_UNKNOWN || word) {
            vec_push(r->arena, &r->script->lost, item.name);
            if (!library) vec_push(r->arena, &r->script->clashes, item.name);
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
        if (item.name && !library) vec_push(r->arena, &r->script->clashes, item.name);
        int d = diag_report(r->diags, E_TWICE, name_span(mine),
                            item.name ? item.name : ludemes[kind].name);
        diag_label(r->diags, d, name_span(theirs), "%s",
                   other->library ? "the library has one of this name" : "first here");
        if (form->span.file != theirs->span.file && !library && kind == L_OPTION &&
            other->kind == L_OPTION)
            diag_mend(r->diags, d,
                      "a variant settles it: (fix %s VALUE), or makes it another: (replace (option "
                      "%s ...))",
                      item.name, item.name);
        else if (form->span.file != theirs->span.file && !library)
            diag_mend(r->diags, d, "take another name, or in a variant (replace (%s ...))",
                      ludemes[kind].name);
        return;
    }
    vec_push(r->arena, &r->script->items, item);
}

// The item is not taken, but what it names shall be known as dealt with. What it names where its head is not even known
// may be anything in it.
static void lose(Reader *r, const Node *form) {
    if (form->nkids < 2) return;
    const Node *n = form->kids[1];
    const char *name = n->kind == NODE_NAME ? n->text : node_head(n);
    if (name && ludeme_find(name) == L_UNKNOWN) vec_push(r->arena, &r->script->lost, name);
}

static void lose_all(Reader *r, const Node *n) {
    if (n->kind == NODE_NAME && ludeme_find(n->text) == L_UNKNOWN)
        vec_push(r->arena, &r->script->lost, n->text);
    for (uint32_t i = 0; i < n->nkids; i++) lose_all(r, n->kids[i]);
}

void replace_item(Reader *r, const Node *form) {
    Node *inner = form->nkids == 2 ? form->kids[1] : NULL;
    if (inner && inner->kind == NODE_ERROR) return;
    const char *head = inner ? node_head(inner) : NULL;
    LudemeId kind = head ? ludeme_find(head) : L_UNKNOWN;
    if (head && kind == L_UNKNOWN) {
        kind = item_kind(r, inner, false);
        if (kind == L_UNKNOWN) return;
    }
    if (kind == L_UNKNOWN || ludemes[kind].group != EQUIPMENT) {
        lose_all(r, form);
        r->script->unknown_items = true;
        diag_report(r->diags, E_SHAPE, form->span,
                    "(replace ITEM) takes one item: a definition, a piece of equipment, (start "
                    "...) or (play ...)");
        return;
    }
    if (kind == L_DEFINE) inner = replacement_in_order(r->diags, r->script, inner);
    const char *name;
    if (!item_name(r, kind, inner, &name)) return;
    Item *old = script_find(r->script, kind, name);
    if (old && old->node->span.file == inner->span.file) {
        int d = diag_report(r->diags, E_TWICE, name_span(inner),
                            arena_printf(r->arena, "(replace (%s%s%s ...))", ludemes[kind].name,
                                         name ? " " : "", name ? name : ""));
        diag_label(r->diags, d, name_span(old->node), "first here");
        return;
    }
    if (old) {
        Replaced replaced = {kind, name, name_span(inner), old->node, inner};
        if (!name) replaced.at = inner->kids[0]->span; // board, players
        if (!old->library) vec_push(r->arena, &r->script->replaced, replaced);
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

void read_fix(Reader *r, const Node *form) {
    if (form->nkids != 3 || form->kids[1]->kind != NODE_NAME) {
        int d = diag_report(r->diags, E_SHAPE, form->span,
                            "(fix OPTION VALUE) takes an option's name and one value");
        if (form->nkids == 3 && form->kids[1]->kind == NODE_KEY)
            diag_mend(r->diags, d, "the name needs no colon: (fix %s %s)", form->kids[1]->text,
                      short_text(r->arena, form->kids[2]));
        return;
    }
    form = fix_in_order(r->diags, r->script, form);
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
    for (size_t i = 0; i < r->script->fixes.n; i++) {
        const Node *other = r->script->fixes.at[i].value;
        // A variant of a variant may settle an option anew.
        if (r->script->fixes.at[i].option != fix.option || other->span.file != form->span.file)
            continue;
        int d = diag_report(r->diags, E_TWICE, form->kids[1]->span,
                            arena_printf(r->arena, "(fix %s ...)", fix.option));
        diag_label(r->diags, d, other->span, "the first gives it this value");
        return;
    }
    vec_push(r->arena, &r->script->fixes, fix);
}

// Items that stand among the rules are told of there; their names are dealt with all the same.
static void lose_items_within(Reader *r, const Node *n) {
    for (uint32_t i = 1; i < n->nkids; i++) {
        const Node *kid = n->kids[i];
        const char *head = node_head(kid);
        LudemeId kind = head ? ludeme_find(head) : L_UNKNOWN;
        bool names = kind == L_DEFINE || kind == L_VAR || kind == L_PIECE || kind == L_REGION ||
                     kind == L_TRACK || kind == L_LANE || kind == L_DICE || kind == L_OPTION;
        if (names) lose(r, kid);
        lose_items_within(r, kid);
    }
}

// (define f (x) ...), (var n = 3): shapes of other languages.
static bool foreign_shape(Reader *r, LudemeId kind, const Node *form, const char *name) {
    const Node *second = form->nkids > 3 ? form->kids[2] : NULL;
    if (!second || form->kids[1]->kind != NODE_NAME) return false;
    int d;
    if (second->kind == NODE_NAME && strcmp(second->text, "=") == 0) {
        d = diag_report(r->diags, E_SHAPE, second->span,
                        arena_printf(r->arena, "`%s` needs no `=`", ludemes[kind].name));
        diag_mend(r->diags, d, kind == L_VAR ? "(%s %s start: %s)" : "(%s %s %s)",
                  ludemes[kind].name, name, short_text(r->arena, form->kids[3]));
    } else if (kind == L_DEFINE && second->kind == NODE_LIST && second->nkids) {
        for (uint32_t i = 0; i < second->nkids; i++)
            if (second->kids[i]->kind != NODE_NAME) return false;
        if (ludeme_find(node_head(second)) != L_UNKNOWN) return false;
        d = diag_report(r->diags, E_SHAPE, second->span,
                        "what a definition is given stands in one bracket with its name");
        diag_mend(r->diags, d, "(define (%s %s%s) ...)", name, node_head(second),
                  second->nkids > 1 ? " ..." : "");
    } else {
        return false;
    }
    lose(r, form);
    return true;
}

static void take_item(Reader *r, LudemeId kind, Node *form, bool library) {
    if (!library && (kind == L_DEFINE || kind == L_VAR || kind == L_REGION || kind == L_TRACK ||
                     kind == L_OPTION || kind == L_PIECE || kind == L_DICE)) {
        const char *name =
            form->nkids > 1 && form->kids[1]->kind == NODE_NAME ? form->kids[1]->text : NULL;
        if (name && foreign_shape(r, kind, form, name)) return;
    }
    if (!library && (kind == L_START || kind == L_PLAY || kind == L_DEFINE))
        lose_items_within(r, form);
    add_item(r, kind, form, library);
}

static void misplaced_item(Reader *r, LudemeId kind, const Node *form) {
    const char *head = node_head(form), *mend = foreign_mend(head, FOREIGN_ITEM);
    int d = diag_report(r->diags, E_NOT_HERE, form->kids[0]->span, head,
                        "it belongs in (start ...), (play ...) or a (define ...)");
    lose(r, form);
    if (mend)
        diag_mend(r->diags, d, "%s", mend);
    else if (kind == L_TURNS || kind == L_CHOOSE || kind == L_EITHER || kind == L_WHILE ||
             kind == L_REPEAT)
        diag_mend(r->diags, d, "it is a part of the rules: (play (%s ...))", head),
            r->script->unknown_items = true;
    else if (ludemes[kind].group == DOING)
        diag_mend(r->diags, d, "to be done before the first turn: (start (%s ...))", head);
}

// `(and)` among the items: a ludeme that asks, with nothing to be asked, for one that is like it.
static LudemeId meant_item(LudemeId kind, const Node *form) {
    for (int i = 1; i < LUDEMES && ludemes[kind].group == ASKING && form->nkids == 1; i++)
        if (ludemes[i].group == EQUIPMENT && one_slip(ludemes[kind].name, ludemes[i].name))
            return (LudemeId)i;
    return L_UNKNOWN;
}

LudemeId item_kind(Reader *r, const Node *form, bool variant) {
    LudemeId kind = ludeme_find(node_head(form));
    if (kind == L_UNKNOWN) kind = respell_head(r->diags, form, variant);
    if (kind == L_UNKNOWN) {
        lose_all(r, form);
        r->script->unknown_items = true;
    }
    return kind;
}

void read_item(Reader *r, const Node *form, uint32_t from, bool library) {
    if (form->kind == NODE_ERROR) return;
    const char *head = node_head(form);
    Node *first = form->kind == NODE_LIST && form->nkids ? form->kids[0] : NULL;
    if (first && first->kind == NODE_KEY && ludeme_find(first->text) != L_UNKNOWN) {
        int d = diag_report(r->diags, E_SHAPE, first->span,
                            arena_printf(r->arena, "`%s` needs no colon here", first->text));
        diag_mend(r->diags, d, "write (%s ...)", first->text);
        first->kind = NODE_NAME;
        head = first->text;
    }
    if (!head) {
        if (first && first->kind == NODE_ERROR) return;
        diag_report(r->diags, E_SHAPE, form->span,
                    "an item such as (board ...), (define ...) or (play ...) is expected here");
        lose_all(r, form);
        r->script->unknown_items = true;
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
        diag_report(r->diags, E_NOT_HERE, form->kids[0]->span, head,
                    kind == L_DEFAULT ? "it belongs in a (define ...)" : "a script holds one game");
        return;
    case L_HOLES:
    case L_SQUARES:
    case L_LINE:
    case L_RINGS:
    case L_GRAPH: {
        int d = diag_report(r->diags, E_NOT_HERE, form->kids[0]->span, head,
                            "it belongs in (board ...)");
        diag_mend(r->diags, d, "(board (%s ...))", head);
        r->script->unknown_items = true;
        return;
    }
    default: break;
    }
    LudemeId meant = meant_item(kind, form);
    if (meant != L_UNKNOWN) {
        diag_meant(r->diags,
                   diag_report(r->diags, E_NOT_HERE, form->kids[0]->span, head,
                               "it asks something, and here stand items"),
                   "%s", ludemes[meant].name);
        take_item(r, meant, (Node *)form, library);
    } else if (ludemes[kind].group != EQUIPMENT)
        misplaced_item(r, kind, form);
    else
        take_item(r, kind, (Node *)form, library);
}

// ---- items without brackets ------------------------------------------------------------------------------

// Does the kid begin an item, or something that can only be one?
static bool begins_item(const Node *n) {
    const char *head = n->kind == NODE_NAME || n->kind == NODE_KEY ? n->text : node_head(n);
    LudemeId kind = head ? ludeme_find(head) : L_UNKNOWN;
    return kind != L_UNKNOWN && ludemes[kind].group == EQUIPMENT && !is_shape(kind);
}

// Kids from `i` on that stand among the items without a bracket round them: one mistake. Gives the kid behind them.
static uint32_t read_loose(Reader *r, const Node *game, uint32_t i, uint32_t from, bool library) {
    Node *first = game->kids[i];
    VEC(Node *) run = {0};
    if (i == 1 && first->kind == NODE_NAME && !begins_item(first) &&
        game->kids[0]->kind == NODE_NAME && game->nkids > 2 && game->kids[2]->kind != NODE_NAME) {
        int d = diag_report(r->diags, E_SHAPE, first->span, "a title is a text in quotes");
        diag_mend(r->diags, d, "(%s \"%s\" ...)", game->kids[0]->text, first->text);
        first->kind = NODE_STRING;
        return 2;
    }
    bool item = begins_item(first);
    vec_push(r->arena, &run, first);
    for (i++; i < game->nkids && !begins_item(game->kids[i]); i++) {
        if (!item && game->kids[i]->kind == NODE_LIST) break;
        vec_push(r->arena, &run, game->kids[i]);
    }
    Node *form = node_list(r->arena, NODE_LIST, span_join(first->span, run.at[run.n - 1]->span),
                           run.at, run.n);
    if (!item) {
        int d =
            diag_report(r->diags, E_SHAPE, first->span,
                        "an item such as (board ...), (define ...) or (play ...) is expected here");
        diag_mend(r->diags, d, "everything but texts stands in brackets: (piece seed)");
    } else {
        int d =
            diag_report(r->diags, E_SHAPE, first->span,
                        arena_printf(r->arena, "`%s` is an item and stands in ( )", first->text));
        if (run.n > 1)
            diag_mend(r->diags, d, "write (%s %s%s)", first->text, short_text(r->arena, run.at[1]),
                      run.n > 2 ? " ..." : "");
    }
    const char *next = i < game->nkids ? node_head(game->kids[i]) : NULL;
    if (item && run.n == 1 && next && strcmp(next, first->text) == 0) return i; // once more
    if (item && first->kind == NODE_NAME) {
        read_item(r, form, from, library);
    } else {
        lose_all(r, form);
        r->script->unknown_items = true;
    }
    return i;
}

void read_items(Reader *r, const Node *form, uint32_t at, uint32_t from, bool library) {
    while (at < form->nkids) {
        const Node *kid = form->kids[at];
        bool loose = kid->kind == NODE_NAME || kid->kind == NODE_KEY || kid->kind == NODE_NUMBER;
        if (loose) {
            at = read_loose(r, form, at, from, library);
            continue;
        }
        if (kid->kind != NODE_STRING) read_item(r, kid, from, library);
        at++;
    }
}
