#include "mutants.h"

#include <string.h>

#include "interp/game.h"

static bool same_lists(const Program *a, const Program *b) {
    if (a->nlists != b->nlists) return false;
    for (int i = 0; i < a->nlists; i++)
        if (a->lists[i].n != b->lists[i].n ||
            memcmp(a->lists[i].at, b->lists[i].at,
                   (size_t)a->lists[i].n * sizeof *a->lists[i].at) != 0)
            return false;
    return true;
}

static bool same_families(const Program *a, const Program *b) {
    if (a->nfamilies != b->nfamilies) return false;
    for (int i = 0; i < a->nfamilies; i++) {
        const Family *x = &a->families[i], *y = &b->families[i];
        size_t n = 1;
        if (x->dims != y->dims || x->missing != y->missing) return false;
        for (int d = 0; d < x->dims; d++) {
            if (x->lows[d] != y->lows[d] || x->sizes[d] != y->sizes[d]) return false;
            n *= (size_t)x->sizes[d];
        }
        if (memcmp(x->values, y->values, n * sizeof *x->values) != 0) return false;
    }
    return true;
}

static bool same_tables(const Program *a, const Program *b) {
    if (a->ntables != b->ntables || a->ntracks != b->ntracks) return false;
    for (int i = 0; i < a->ntables; i++) {
        const Table *x = &a->tables[i], *y = &b->tables[i];
        if (x->low != y->low || x->n != y->n ||
            memcmp(x->values, y->values, (size_t)x->n * sizeof *x->values) != 0)
            return false;
    }
    for (int i = 0; i < a->ntracks; i++)
        if (a->tracks[i].list != b->tracks[i].list || a->tracks[i].loop != b->tracks[i].loop)
            return false;
    return true;
}

static bool same_text(const char *a, const char *b) { return a == b || (a && b && !strcmp(a, b)); }

static bool same_decisions(const Program *a, const Program *b) {
    if (a->nalternatives != b->nalternatives || a->ndecisions != b->ndecisions ||
        a->nthrows != b->nthrows)
        return false;
    for (int i = 0; i < a->nalternatives; i++) {
        const Alternative *x = &a->alternatives[i], *y = &b->alternatives[i];
        if (x->nvars != y->nvars || x->target != y->target || !same_text(x->label, y->label))
            return false;
        for (int k = 0; k < x->nvars; k++)
            if (x->cells[k] != y->cells[k] || x->types[k] != y->types[k]) return false;
    }
    for (int i = 0; i < a->ndecisions; i++)
        if (a->decisions[i].pc != b->decisions[i].pc ||
            a->decisions[i].chance != b->decisions[i].chance)
            return false;
    for (int i = 0; i < a->nthrows; i++) {
        const Throw *x = &a->throws[i], *y = &b->throws[i];
        if (x->dice != y->dice || x->nvars != y->nvars || x->target != y->target) return false;
        for (int k = 0; k < x->nvars; k++)
            if (x->cells[k] != y->cells[k]) return false;
    }
    return true;
}

static bool same_dice(const Program *a, const Program *b) {
    if (a->ndice != b->ndice) return false;
    for (int i = 0; i < a->ndice; i++) {
        const Dice *x = &a->dice[i], *y = &b->dice[i];
        if (x->nvalues != y->nvalues || x->noutcomes != y->noutcomes || x->sorted != y->sorted)
            return false;
        size_t n = (size_t)x->noutcomes;
        if (memcmp(x->weights, y->weights, n * sizeof *x->weights) != 0 ||
            memcmp(x->outcomes, y->outcomes, n * (size_t)x->nvalues * sizeof *x->outcomes) != 0)
            return false;
    }
    return true;
}

static bool same_sites(const Program *a, const Program *b) {
    if (a->nsites != b->nsites || a->npieces != b->npieces || a->nplayers != b->nplayers)
        return false;
    for (int i = 0; i < a->nsites; i++) {
        const SiteInfo *x = &a->sites[i], *y = &b->sites[i];
        if (x->kind != y->kind || x->owner != y->owner || x->square != y->square ||
            x->column != y->column || x->row != y->row)
            return false;
    }
    return true;
}

static bool same_program(const Program *a, const Program *b) {
    return a->ncode == b->ncode && a->nstate == b->nstate && a->ncells == b->ncells &&
           memcmp(a->code, b->code, (size_t)a->ncode * sizeof *a->code) == 0 &&
           memcmp(a->initial, b->initial, (size_t)a->nstate * sizeof *a->initial) == 0 &&
           same_sites(a, b) && same_lists(a, b) && same_families(a, b) && same_tables(a, b) &&
           same_decisions(a, b) && same_dice(a, b);
}

static OldsowGame *load(const char *path, const char *text, size_t size, const OldsowLoading *how) {
    OldsowReport *report;
    OldsowGame *game = oldsow_load_text(path, text, size, how, &report);
    oldsow_report_free(report);
    return game;
}

static bool same_under(const char *path, const char *a, size_t na, const OldsowLoading *how_a,
                       const char *b, size_t nb, const OldsowLoading *how_b) {
    OldsowGame *x = load(path, a, na, how_a), *y = load(path, b, nb, how_b);
    bool same = x && y && same_program(&x->program, &y->program);
    oldsow_game_free(x);
    oldsow_game_free(y);
    return same;
}

bool same_meaning(const char *path, const char *a, size_t na, const char *b, size_t nb) {
    OldsowGame *x = load(path, a, na, NULL), *y = load(path, b, nb, NULL);
    bool same = x && y && same_program(&x->program, &y->program) &&
                oldsow_options(x) == oldsow_options(y) && oldsow_readings(x) == oldsow_readings(y);
    for (size_t i = 0; same && i < oldsow_readings(x); i++) {
        OldsowLoading p = {.reading = oldsow_reading_at(x, i)->name};
        OldsowLoading q = {.reading = oldsow_reading_at(y, i)->name};
        same = same_under(path, a, na, &p, b, nb, &q);
    }
    for (size_t i = 0; same && i < oldsow_options(x); i++) {
        const OldsowOption *o = oldsow_option(x, i), *u = oldsow_option(y, i);
        same = o->nvalues == u->nvalues;
        for (size_t k = 0; same && k < o->nvalues; k++) {
            OldsowSetting s = {o->name, o->values[k]}, t = {u->name, u->values[k]};
            OldsowLoading p = {.settings = &s, .nsettings = 1};
            OldsowLoading q = {.settings = &t, .nsettings = 1};
            same = same_under(path, a, na, &p, b, nb, &q);
        }
    }
    oldsow_game_free(x);
    oldsow_game_free(y);
    return same;
}
