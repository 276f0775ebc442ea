#include "options.h"

#include "foreign.h"
#include "misspelt.h"
#include "spelling.h"

#include <string.h>

enum { OPTIONS_MAX = 100, OPTION_VALUES_MAX = 200, ALL_VALUES_MAX = 600, READINGS_MAX = 100 };

const char *value_text(Arena *arena, const Node *value) {
    return value->kind == NODE_NUMBER ? arena_printf(arena, "%ld", value->number) : value->text;
}

static bool is_value(const Node *n) { return n->kind == NODE_NUMBER || n->kind == NODE_NAME; }

static bool same_value(const Node *a, const Node *b) {
    if (a->kind != b->kind) return false;
    return a->kind == NODE_NUMBER ? a->number == b->number : a->text == b->text;
}

static long find_value(const Option *o, const Node *value) {
    for (size_t i = 0; i < o->nvalues; i++)
        if (same_value(o->values[i], value)) return (long)i;
    return -1;
}

const char *suggest_value(Diags *d, int report, const Option *o, const char *text) {
    const char *known[64] = {0}, *near, *list = "";
    size_t n = 0;
    for (size_t i = 0; i < o->nvalues && n < 64; i++)
        known[n++] = value_text(d->arena, o->values[i]);
    // Two numbers that look alike have little to do with each other.
    bool number = text[0] == '-' || (text[0] >= '0' && text[0] <= '9');
    near = number ? NULL : nearest_name(text, known, n);
    if (near) {
        diag_meant(d, report, "%s", near);
        return near;
    }
    for (size_t i = 0; i < n; i++)
        list =
            arena_printf(d->arena, "%s%s%s", list, i ? (i + 1 == n ? " or " : ", ") : "", known[i]);
    if (n < o->nvalues) list = arena_printf(d->arena, "%s, ...", list);
    diag_mend(d, report, "it is %s", list);
    return NULL;
}

// {true false}: two words like any others, where a truth is meant.
static bool foreign_truths(Diags *d, const Node *values) {
    if (values->nkids != 2) return false;
    int found = 0;
    for (uint32_t i = 0; i < 2; i++) {
        const Node *v = values->kids[i];
        if (v->kind != NODE_NAME) return false;
        const char *plain = plain_spelling(d->arena, v->text);
        bool ours = strcmp(v->text, "yes") == 0 || strcmp(v->text, "no") == 0;
        found += !ours && (strcmp(plain, "true") == 0 || strcmp(plain, "false") == 0 ||
                           strcmp(plain, "yes") == 0 || strcmp(plain, "no") == 0);
    }
    if (found < 2) return false;
    int r = diag_report(d, E_SHAPE, values->span,
                        "an option that is a truth has the values yes and no");
    diag_mend(d, r, "{yes no}");
    return true;
}

// Reads (option NAME {values} default: VALUE "evidence").
static bool read_option(Diags *d, const Script *script, const Node *form, Option *o) {
    const Node *values = NULL, *standard = NULL;
    bool faulty = false;
    for (uint32_t i = 2; i < form->nkids; i++) {
        const Node *kid = form->kids[i];
        if (kid->kind == NODE_ERROR)
            faulty = true;
        else if (kid->kind == NODE_SET && !values)
            values = kid;
        else if (kid->kind == NODE_KEY && strcmp(kid->text, "default") == 0 && i + 1 < form->nkids)
            standard = form->kids[++i];
        else if (kid->kind == NODE_KEY) {
            int r = diag_report(d, E_UNKNOWN_KEY, kid->span, "option", kid->text);
            diag_mend(d, r, "an option has `default:`");
            return false;
        } else if (kid->kind != NODE_STRING) {
            int r =
                diag_report(d, E_SHAPE, kid->span,
                            "an option is (option NAME {VALUE ...} default: VALUE \"evidence\")");
            if (!values && (is_value(kid) || kid->kind == NODE_RANGE))
                diag_mend(d, r, "its values stand in { }: (option %s {%s ...} default: ...)",
                          o->name,
                          short_text(d->arena, kid->kind == NODE_RANGE ? kid->kids[0] : kid));
            else if (!values && kid->kind == NODE_LIST && kid->nkids > 1 && is_value(kid->kids[0]))
                diag_mend(d, r, "its values stand in { }: (option %s {%s %s%s} default: ...)",
                          o->name, short_text(d->arena, kid->kids[0]),
                          short_text(d->arena, kid->kids[1]), kid->nkids > 2 ? " ..." : "");
            else if (values && !standard && is_value(kid))
                diag_mend(d, r, "the value that holds by itself has its key: default: %s",
                          short_text(d->arena, kid));
            return false;
        }
    }
    if (faulty) return false;
    if (!values || values->nkids == 0) {
        diag_report(d, E_TOO_FEW, form->span, "option", "its values in { }");
        return false;
    }
    if (values->nkids > OPTION_VALUES_MAX) {
        diag_report(d, E_LIMIT, values->kids[OPTION_VALUES_MAX]->span, "values of an option",
                    OPTION_VALUES_MAX);
        return false;
    }
    if (foreign_truths(d, values)) return false;
    for (uint32_t i = 0; i < values->nkids; i++) {
        const Node *v = values->kids[i];
        if (v->kind == NODE_ERROR) return false;
        if (!is_value(v)) {
            int r = diag_report(d, E_SHAPE, v->span,
                                "an option's value is a number, a word, or yes or no");
            if (v->kind == NODE_STRING)
                diag_mend(d, r, "a word stands without quotes: %s", v->text);
            else if (v->kind == NODE_RANGE)
                diag_mend(d, r, "each value is written out: {3 4 5}");
            return false;
        }
        for (uint32_t k = 0; k < i; k++)
            if (same_value(values->kids[k], v)) {
                diag_report(d, E_TWICE, v->span, value_text(d->arena, v));
                return false;
            }
    }
    o->item = form;
    o->values = (const Node *const *)values->kids;
    o->nvalues = values->nkids;
    if (!standard) {
        diag_report(d, E_MISSING_KEY, form->span, "option", "default");
        return true;
    }
    long at = find_value(o, standard);
    if (at < 0) {
        if (standard->kind == NODE_ERROR) return true;
        if (!is_value(standard)) {
            int r = diag_report(d, E_SHAPE, standard->span,
                                "`default:` takes one of the option's values");
            if (standard->kind == NODE_STRING && standard->text[0])
                diag_mend(d, r, "write %s without quotes", standard->text);
            return true;
        }
        const char *text = value_text(d->arena, standard);
        if (misspelt_value(d, script, text, standard->span)) {
            at = find_value(o, standard);
            o->standard = o->chosen = at < 0 ? 0 : (size_t)at;
            return true;
        }
        suggest_value(d, diag_report(d, E_UNKNOWN_VALUE, standard->span, text, o->name), o, text);
        return true;
    }
    o->standard = o->chosen = (size_t)at;
    return true;
}

static Option *find_option(Expanded *e, const char *name) {
    for (size_t i = 0; i < e->options.n; i++)
        if (strcmp(e->options.at[i].name, name) == 0) return &e->options.at[i];
    return NULL;
}

static void suggest_option(Expanded *e, Diags *d, int report, const char *name) {
    const char *known[256] = {0}, *list = "";
    size_t n = 0;
    for (size_t i = 0; i < e->options.n && n < 256; i++) known[n++] = e->options.at[i].name;
    const char *near = nearest_name(name, known, n);
    if (near) {
        diag_meant(d, report, "%s", near);
        return;
    }
    for (size_t i = 0; i < n; i++)
        list = arena_printf(d->arena, "%s%s%s", list, i ? ", " : "", known[i]);
    if (n)
        diag_mend(d, report, "the options are %s", list);
    else
        diag_mend(d, report, "the script has no options");
}

static void fix_option(Expanded *e, Diags *d, const char *name, const Node *at, const Node *value) {
    Option *o = find_option(e, name);
    if (!o) {
        for (size_t i = 0; i < e->lost.n; i++)
            if (strcmp(e->lost.at[i], name) == 0) return;
        if (script_lost(e->script, name)) return;
        for (size_t i = 0; i < e->script->clashes.n; i++) // an option that cannot be called so
            if (one_slip(name, e->script->clashes.at[i])) return;
        if (!misspelt_declaration(d, e->script, name, at->span))
            suggest_option(e, d, diag_report(d, E_UNKNOWN_OPTION, at->span, name), name);
        return;
    }
    long i = find_value(o, value);
    if (i >= 0) {
        o->chosen = (size_t)i;
        return;
    }
    if (value->kind == NODE_ERROR) return;
    const char *text = is_value(value) ? value_text(d->arena, value) : "this";
    if (misspelt_value(d, e->script, text, value->span)) return;
    suggest_value(d, diag_report(d, E_UNKNOWN_VALUE, value->span, text, o->name), o, text);
}

// Every reading is looked at; only the one asked for is applied.
static void read_reading(Expanded *e, Diags *d, const Node *form, bool apply) {
    for (uint32_t i = 2; i < form->nkids; i++)
        if (form->kids[i]->kind == NODE_ERROR) return;
    for (uint32_t i = 2; i < form->nkids; i++) {
        const Node *kid = form->kids[i];
        if (kid->kind == NODE_STRING || kid->kind == NODE_ERROR) continue;
        if (kid->kind != NODE_KEY || i + 1 >= form->nkids) {
            int r = diag_report(d, E_SHAPE, kid->span,
                                "a reading is (reading NAME OPTION: VALUE ... \"doc\")");
            if (kid->kind == NODE_NAME && find_option(e, kid->text) && i + 1 < form->nkids &&
                is_value(form->kids[i + 1]))
                diag_mend(d, r, "an option's name has a colon here: %s: %s", kid->text,
                          value_text(d->arena, form->kids[i + 1]));
            return;
        }
        Option *o = find_option(e, kid->text);
        size_t chosen = o ? o->chosen : 0;
        fix_option(e, d, kid->text, kid, form->kids[++i]);
        if (o && !apply) o->chosen = chosen;
    }
}

static void apply_reading(Expanded *e, const Script *script, Diags *d, const char *name) {
    bool found = false;
    const char *known[256] = {0}, *list = "";
    size_t n = 0;
    for (size_t i = 0; i < script->items.n; i++) {
        const Item *item = &script->items.at[i];
        if (item->kind != L_READING) continue;
        bool apply = name && strcmp(item->name, name) == 0;
        found |= apply;
        if (n < 256) known[n++] = item->name;
        read_reading(e, d, item->node, apply);
    }
    if (!name || found) return;
    int r = diag_report_placeless(d, E_UNKNOWN_READING, name);
    const char *near = nearest_name(name, known, n);
    for (size_t i = 0; i < n; i++)
        list = arena_printf(d->arena, "%s%s%s", list, i ? ", " : "", known[i]);
    if (near)
        diag_meant(d, r, "%s", near);
    else if (n)
        diag_mend(d, r, "the readings are %s", list);
    else
        diag_mend(d, r, "the script has no readings");
}

static void apply_setting(Expanded *e, Diags *d, const OldsowSetting *s) {
    Option *o = find_option(e, s->option);
    if (!o) {
        suggest_option(e, d, diag_report_placeless(d, E_UNKNOWN_OPTION, s->option), s->option);
        return;
    }
    for (size_t i = 0; i < o->nvalues; i++) {
        if (strcmp(value_text(d->arena, o->values[i]), s->value) == 0) {
            o->chosen = i;
            return;
        }
    }
    suggest_value(d, diag_report_placeless(d, E_UNKNOWN_VALUE, s->value, o->name), o, s->value);
}

// Each reading and each value is checked on its own: there may not be any number of them.
static bool too_many(const Script *script, Diags *diags) {
    int options = 0, readings = 0;
    size_t values = 0;
    for (size_t i = 0; i < script->items.n; i++) {
        const Item *item = &script->items.at[i];
        if (item->kind == L_READING) readings++;
        if (item->kind == L_OPTION) options++;
        for (uint32_t k = 2; item->kind == L_OPTION && k < item->node->nkids; k++)
            if (item->node->kids[k]->kind == NODE_SET) values += item->node->kids[k]->nkids;
        const char *what = options > OPTIONS_MAX     ? "options"
                           : readings > READINGS_MAX ? "readings"
                           : values > ALL_VALUES_MAX ? "values of all options together"
                                                     : NULL;
        if (!what) continue;
        diag_report(diags, E_LIMIT, item->node->span, what,
                    options > OPTIONS_MAX     ? OPTIONS_MAX
                    : readings > READINGS_MAX ? READINGS_MAX
                                              : ALL_VALUES_MAX);
        return true;
    }
    return false;
}

// Neither its name nor its values, in whatever brackets they stand, are unknown.
static void lose_option(Expanded *out, const Item *item) {
    vec_push(out->arena, &out->lost, item->name);
    for (uint32_t i = 2; i < item->node->nkids; i++) {
        const Node *values = item->node->kids[i];
        if (values->kind == NODE_NAME) vec_push(out->arena, &out->lost, values->text);
        for (uint32_t k = 0; values->kind == NODE_LIST && k < values->nkids; k++)
            if (values->kids[k]->kind == NODE_NAME)
                vec_push(out->arena, &out->lost, values->kids[k]->text);
    }
}

void settle_options(Expanded *out, const Script *script, Diags *diags, const OldsowLoading *how) {
    if (too_many(script, diags)) {
        for (size_t i = 0; i < script->items.n; i++)
            if (script->items.at[i].kind == L_OPTION)
                vec_push(out->arena, &out->lost, script->items.at[i].name);
        return;
    }
    for (size_t i = 0; i < script->items.n; i++) {
        const Item *item = &script->items.at[i];
        Option o = {.name = item->name};
        if (item->kind != L_OPTION) continue;
        if (read_option(diags, script, item->node, &o))
            vec_push(out->arena, &out->options, o);
        else
            lose_option(out, item);
    }
    for (size_t i = 0; i < script->fixes.n; i++) {
        const Fix *fix = &script->fixes.at[i];
        fix_option(out, diags, fix->option, fix->value, fix->value);
        Option *o = find_option(out, fix->option);
        if (o) o->standard = o->chosen; // for the variant this is the default
    }
    apply_reading(out, script, diags, how ? how->reading : NULL);
    for (size_t i = 0; how && i < how->nsettings; i++) apply_setting(out, diags, &how->settings[i]);
}

const OldsowOption *public_options(Arena *arena, const Expanded *e) {
    OldsowOption *all = arena_array(arena, e->options.n + 1, sizeof *all);
    for (size_t i = 0; i < e->options.n; i++) {
        const Option *o = &e->options.at[i];
        const char **values = arena_array(arena, o->nvalues, sizeof *values);
        for (size_t k = 0; k < o->nvalues; k++) values[k] = value_text(arena, o->values[k]);
        all[i] = (OldsowOption){o->name, item_doc(o->item),   o->nvalues,
                                values,  values[o->standard], values[o->chosen]};
    }
    return all;
}

const OldsowReading *public_readings(Arena *arena, const Script *script, size_t *count) {
    VEC(OldsowReading) all = {0};
    for (size_t i = 0; i < script->items.n; i++) {
        const Item *item = &script->items.at[i];
        if (item->kind != L_READING) continue;
        VEC(OldsowSetting) settings = {0};
        const Node *form = item->node;
        for (uint32_t k = 2; k + 1 < form->nkids; k++)
            if (form->kids[k]->kind == NODE_KEY && is_value(form->kids[k + 1])) {
                vec_push(
                    arena, &settings,
                    (OldsowSetting){form->kids[k]->text, value_text(arena, form->kids[k + 1])});
                k++;
            }
        vec_push(arena, &all, (OldsowReading){item->name, item_doc(form), settings.n, settings.at});
    }
    *count = all.n;
    return all.at;
}
