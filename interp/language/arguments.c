// What a definition takes, and what a use of it gives.

#include "expander.h"

#include "foreign.h"
#include "misspelt.h"

#include <string.h>

enum { PARAMETERS_MAX = 64 };

bool read_parameters(Expander *x, const Node *header, Parameters *out) {
    if (header->kind == NODE_NAME) return true;
    for (uint32_t i = 1; i < header->nkids; i++) {
        const Node *kid = header->kids[i];
        Parameter p = {0};
        if (kid->kind == NODE_NAME)
            p.name = kid->text;
        else if (kid->kind == NODE_KEY && i + 1 < header->nkids) {
            const Node *what = header->kids[++i];
            p.key = kid->text;
            if (what->kind == NODE_NAME)
                p.name = what->text;
            else if (what->kind == NODE_LIST)
                p.name = kid->text, p.program = what;
        }
        if (!p.name) {
            if (kid->kind != NODE_ERROR)
                diag_report(x->diags, E_NEED_NAME, kid->span, "define",
                            "parameters are `name`, `key: name` or `key: (name ...)`");
            return false;
        }
        if (out->n == PARAMETERS_MAX) {
            diag_report(x->diags, E_LIMIT, kid->span, "parameters of a definition", PARAMETERS_MAX);
            return false;
        }
        for (size_t k = 0; k < out->n; k++) {
            if (out->at[k].name != p.name) continue;
            diag_report(x->diags, E_TWICE, kid->span, p.name);
            return false;
        }
        vec_push(x->arena, out, p);
    }
    return true;
}

static Parameter *find_key(Parameters *ps, const char *key) {
    for (size_t i = 0; i < ps->n; i++)
        if (ps->at[i].key == key) return &ps->at[i];
    return NULL;
}

// Reads `key: value` at kid *i of a use or a (default ...); a program takes its names and a form.
static bool read_key(Expander *x, const Node *n, uint32_t *i, Parameters *ps, const char *what,
                     bool standard) {
    const Node *key = n->kids[*i];
    Parameter *p = find_key(ps, key->text);
    if (!p) {
        const Item *item = standard ? NULL : script_find(x->script, L_DEFINE, what);
        if (item && misspelt_key(x->diags, x->script, item, key->text, key->span)) return false;
        if (misspelt_declaration(x->diags, x->script, key->text, key->span)) return false;
        const char *known[64];
        size_t count = 0;
        for (size_t k = 0; k < ps->n && count < 64; k++)
            if (ps->at[k].key) known[count++] = ps->at[k].key;
        int d = report_at(x->diags, x->script, E_UNKNOWN_KEY, key, what, key->text);
        const char *near = nearest_name(key->text, known, count);
        bool plain = false; // is it one that stands without a key?
        const char *order = "";
        for (size_t k = 0; k < ps->n; k++) {
            if (ps->at[k].key) continue;
            plain |= ps->at[k].name == key->text;
            order = arena_printf(x->arena, "%s %s", order, ps->at[k].name);
        }
        if (plain)
            diag_mend(x->diags, d, "`%s` stands without a key, in order: (%s%s%s)", key->text, what,
                      order, count ? " ..." : "");
        else if (near)
            diag_meant(x->diags, d, "%s:", near);
        else if (count) {
            const char *list = "";
            for (size_t k = 0; k < count; k++)
                list = arena_printf(x->arena, "%s%s`%s:`", list, k ? ", " : "", known[k]);
            diag_mend(x->diags, d, "it takes %s", list);
        }
        return false;
    }
    if (p->argument && !(p->standard && !standard)) {
        report_at(x->diags, x->script, E_KEY_TWICE, key, key->text);
        return false;
    }
    if (*i + 1 >= n->nkids || n->kids[*i + 1]->kind == NODE_KEY) {
        report_at(x->diags, x->script, E_KEY_VALUE, key, key->text);
        return false;
    }
    p->names = NULL;
    if (p->program) {
        const Node *names = n->kids[*i + 1];
        if (names->kind == NODE_NAME &&
            p->program->nkids > 0) { // a program or definition by its name
            p->argument = n->kids[++*i];
            p->standard = standard;
            return true;
        }
        uint32_t wanted = p->program->nkids;
        bool shaped = names->kind == NODE_LIST && names->nkids == wanted;
        for (uint32_t k = 0; shaped && k < wanted; k++) shaped = names->kids[k]->kind == NODE_NAME;
        if (wanted == 0 && !(names->kind == NODE_LIST && names->nkids == 0)) {
            shaped = true; // the empty ( ) may be left out
        } else if (shaped && *i + 2 < n->nkids && n->kids[*i + 2]->kind != NODE_KEY) {
            p->names = names;
            (*i)++;
        } else {
            shaped = false;
        }
        if (!shaped) {
            if (names->kind != NODE_ERROR) {
                int d = report_at(
                    x->diags, x->script, E_SHAPE, names,
                    arena_printf(x->arena,
                                 "`%s:` takes a piece of program: %u name%s in ( ), then one form",
                                 key->text, wanted, wanted == 1 ? "" : "s"));
                diag_label(x->diags, d, p->program->span, "as declared here");
            }
            return false;
        }
    }
    p->argument = n->kids[++*i];
    p->standard = standard;
    return true;
}

bool read_body(Expander *x, const Node *define, Parameters *ps, uint32_t *body) {
    uint32_t i = 2;
    if (i + 1 < define->nkids && define->kids[i]->kind == NODE_STRING) i++;
    for (; i < define->nkids; i++) {
        const Node *kid = define->kids[i];
        const char *head = node_head(kid);
        if (!head || strcmp(head, "default") != 0) break;
        for (uint32_t k = 1; k < kid->nkids; k++) {
            if (kid->kids[k]->kind != NODE_KEY) {
                if (kid->kids[k]->kind != NODE_ERROR)
                    diag_report(x->diags, E_SHAPE, kid->kids[k]->span,
                                "(default key: value ...) names the argument each value is for");
                return false;
            }
            if (!read_key(x, kid, &k, ps,
                          define->kids[1]->kind == NODE_LIST ? node_head(define->kids[1])
                                                             : "define",
                          true))
                return false;
        }
    }
    *body = i;
    if (i >= define->nkids) {
        diag_report(x->diags, E_TOO_FEW, define->span, "define", "a body");
        return false;
    }
    return true;
}

static const char *takes(Expander *x, const Definition *d) {
    const Node *header = d->item->node->kids[1];
    const char *s = "";
    for (uint32_t i = 1; i < header->nkids; i++) {
        const Node *kid = header->kids[i];
        if (kid->kind == NODE_NAME)
            s = arena_printf(x->arena, "%s %s", s, kid->text);
        else if (kid->kind == NODE_KEY)
            s = arena_printf(x->arena, "%s %s:", s, kid->text), i++;
    }
    return arena_printf(x->arena, "(%s%s)", d->item->name, s);
}

// Whether the use has to give this behind its key, and does not.
static bool is_asked(const Parameter *p, const Node *use) {
    if (!p->key || p->argument) return false;
    for (uint32_t k = 1; k < use->nkids; k++)
        if (use->kids[k]->kind == NODE_KEY && use->kids[k]->text == p->key) return false;
    return true;
}

// And it is a value, or a form without names.
static bool lacks_key(const Parameter *p, const Node *use) {
    return is_asked(p, use) && !(p->program && p->program->nkids > 0);
}

// Whether kid i stands behind a key: alone, or as the form after the names of a program.
static bool behind_key(const Parameters *ps, const Node *use, uint32_t i) {
    const Node *before = use->kids[i - 1];
    if (before->kind == NODE_KEY) return true;
    if (i < 3 || use->kids[i - 2]->kind != NODE_KEY || before->kind != NODE_LIST) return false;
    for (size_t k = 0; k < ps->n; k++)
        if (ps->at[k].key == use->kids[i - 2]->text)
            return ps->at[k].program && ps->at[k].program->nkids == before->nkids;
    return false;
}

// The use with its keys: what stands plain beyond the places for it is given those that are lacking, in order. NULL: it has more
// of either.
static const char *keyed(Expander *x, const Parameters *ps, const Node *use) {
    size_t places = 0, at = 0, plain = 0;
    bool given = false;
    for (size_t i = 0; i < ps->n; i++) places += !ps->at[i].key;
    const char *text = arena_printf(x->arena, "(%s", node_head(use));
    for (uint32_t i = 1; i < use->nkids; i++) {
        const char *key = "";
        bool bare = use->kids[i]->kind != NODE_KEY && !behind_key(ps, use, i);
        if (bare && plain++ >= places) {
            while (at < ps->n && !lacks_key(&ps->at[at], use)) at++;
            if (at == ps->n) return NULL;
            given = true;
            key = arena_printf(x->arena, "%s: ", ps->at[at++].key);
        }
        text = arena_printf(x->arena, "%s %s%s", text, key, part_text(x->arena, x->script, use, i));
    }
    while (at < ps->n && !lacks_key(&ps->at[at], use)) at++;
    return at == ps->n && given ? arena_printf(x->arena, "%s)", text) : NULL;
}

// All the keys that the use lacks, to be put between `...:`.
static const char *lacking_keys(Expander *x, const Parameters *ps, const Node *use) {
    const char *text = NULL;
    for (size_t i = 0; i < ps->n; i++)
        if (is_asked(&ps->at[i], use))
            text =
                text ? arena_printf(x->arena, "%s:` and `%s", text, ps->at[i].key) : ps->at[i].key;
    return text;
}

static bool is_program(const Parameters *ps, const char *key) {
    for (size_t i = 0; i < ps->n; i++)
        if (ps->at[i].key == key) return ps->at[i].program != NULL;
    return false;
}

bool read_arguments(Expander *x, const Node *n, const Definition *d, Parameters *ps) {
    const char *name = d->item->name;
    size_t next = 0;
    const Node *behind = NULL; // the key before the argument
    for (uint32_t i = 1; i < n->nkids; i++) {
        const Node *kid = n->kids[i];
        if (kid->kind == NODE_ERROR) return false;
        if (kid->kind == NODE_KEY) {
            if (!read_key(x, n, &i, ps, name, false)) return false;
            behind = kid;
            continue;
        }
        while (next < ps->n && ps->at[next].key) next++;
        const char *whole = next == ps->n ? keyed(x, ps, n) : NULL;
        if (whole) {
            int r =
                report_at(x->diags, x->script, E_MISSING_KEY, kid, name, lacking_keys(x, ps, n));
            diag_label(x->diags, r, d->item->node->kids[1]->span, "defined here");
            diag_mend(x->diags, r, "write %s", whole);
            return false;
        }
        if (next == ps->n && behind && is_program(ps, behind->text)) {
            int r = report_at(x->diags, x->script, E_TWO_FORMS, kid, behind->text);
            diag_label(x->diags, r, n->kids[i - 1]->span, "`%s:` takes only this", behind->text);
            const Node *before = n->kids[i - 1];
            bool loose = before->kind == NODE_NAME && kid->kind == NODE_LIST &&
                         find_key(ps, behind->text)->program->nkids == 1 &&
                         !script_find(x->script, L_DEFINE, before->text);
            if (loose)
                diag_mend(x->diags, r, "the name that is given stands in ( ): %s: (%s) %s",
                          behind->text, before->text, short_text(x->arena, kid));
            else
                diag_mend(x->diags, r, "several things are one form: (do ...)");
            return false;
        }
        behind = NULL;
        if (next == ps->n) {
            int r = report_at(x->diags, x->script, E_TOO_MANY, kid, name, takes(x, d));
            diag_label(x->diags, r, d->item->node->kids[1]->span, "defined here");
            return false;
        }
        ps->at[next++].argument = kid;
    }
    for (size_t i = 0; i < ps->n; i++) {
        if (ps->at[i].argument) continue;
        int r;
        if (ps->at[i].key)
            r = report_at(x->diags, x->script, E_MISSING_KEY, n, name, lacking_keys(x, ps, n));
        else
            r = report_at(x->diags, x->script, E_TOO_FEW, n, name,
                          arena_printf(x->arena, "its argument `%s`", ps->at[i].name));
        diag_label(x->diags, r, d->item->node->kids[1]->span, "defined here");
        return false;
    }
    return true;
}
