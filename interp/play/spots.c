#include <stdlib.h>

#include "findings.h"

// What is sorted: a place with what it is sorted by.
typedef struct Key {
    Span span;
    OldsowPlaceKind kind;
    SpotPlace place;
} Key;

static int compare(uint32_t a, uint32_t b) { return a < b ? -1 : a > b; }

static int by_span(const void *a, const void *b) {
    const Key *x = a, *y = b;
    int c = compare(x->span.file, y->span.file);
    if (!c) c = compare(x->span.start, y->span.start);
    if (!c) c = compare(y->span.end, x->span.end); // the longest first
    if (!c) c = compare(x->kind, y->kind);
    if (!c) c = compare((uint32_t)x->place.trial, (uint32_t)y->place.trial);
    return c ? c : compare((uint32_t)x->place.place, (uint32_t)y->place.place);
}

static bool same_spot(const Spot *s, const Key *k) {
    return s->kind == k->kind && same_span(s->span, k->span);
}

static Key *all_places(const Try *tries, size_t ntries, size_t *n) {
    *n = 0;
    for (size_t t = 0; t < ntries; t++) *n += oldsow_places(tries[t].trial.game);
    Key *keys = malloc((*n + 1) * sizeof *keys);
    size_t k = 0;
    for (size_t t = 0; keys && t < ntries; t++) {
        const Program *p = &tries[t].trial.game->program;
        for (int i = 0; i < p->nplaces; i++)
            keys[k++] =
                (Key){p->places[i].span, p->places[i].kind, {.trial = t, .place = i, .spot = 0}};
    }
    return keys;
}

static bool reserve(Spots *s, const Try *tries, size_t n) {
    s->at = malloc((n + 1) * sizeof *s->at);
    s->order = malloc((n + 1) * sizeof *s->order);
    s->spot_of = calloc(s->ntries + 1, sizeof *s->spot_of);
    if (!s->at || !s->order || !s->spot_of) return false;
    for (size_t t = 0; t < s->ntries; t++) {
        s->spot_of[t] = malloc((oldsow_places(tries[t].trial.game) + 1) * sizeof **s->spot_of);
        if (!s->spot_of[t]) return false;
    }
    return true;
}

static void add(Spots *s, const Try *tries, const Key *key, size_t at) {
    Spot *last = s->n ? &s->at[s->n - 1] : NULL;
    if (!last || !same_spot(last, key)) {
        last = &s->at[s->n++];
        *last = (Spot){.span = key->span, .kind = key->kind, .first = at};
    }
    size_t trial = key->place.trial;
    if (last->n == 0 || s->order[at - 1].trial != trial) last->ntries++;
    last->n++;
    last->count += tries[trial].trial.counts[key->place.place];
    s->order[at] = (SpotPlace){trial, key->place.place, s->n - 1};
    s->spot_of[trial][key->place.place] = s->n - 1;
}

bool spots_gather(Spots *s, const Try *tries, size_t ntries) {
    *s = (Spots){.ntries = ntries};
    size_t n;
    Key *keys = all_places(tries, ntries, &n);
    bool fine = keys && reserve(s, tries, n);
    if (fine) {
        qsort(keys, n, sizeof *keys, by_span);
        for (size_t i = 0; i < n; i++) add(s, tries, &keys[i], i);
    }
    free(keys);
    return fine;
}

void spots_free(Spots *s) {
    for (size_t t = 0; s->spot_of && t < s->ntries; t++) free(s->spot_of[t]);
    free(s->spot_of);
    free(s->order);
    free(s->at);
    *s = (Spots){0};
}
