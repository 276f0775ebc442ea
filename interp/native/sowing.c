// Sowing along a loop, all cells at once: each takes a piece if it is fewer sites away than there are pieces. That is a
// few instructions on vectors, without a jump that nobody can foretell.
#include "../vm/ask.h"
#include "translate.h"
#include "translator.h"

enum { VECTOR = 4 }; // cells
enum {
    FAR = CELL_MAX,
    HERE = CELL_MAX + 1
}; // what is off the way is never reached; the site itself

static const List *way_of(const Translator *t, const Lap *lap) {
    return &t->p->lists[t->p->tracks[lap->first].list];
}

// The cells from the first to the last one, in whole vectors.
static int base_of(const Translator *t, const Lap *lap) {
    const List *sites = way_of(t, lap);
    int first = sites->at[0];
    for (int i = 0; i < sites->n; i++)
        if (sites->at[i] < first) first = sites->at[i];
    return (first * t->p->npieces + lap->kind) / VECTOR * VECTOR;
}

static int width_of(const Translator *t, const Lap *lap) {
    const List *sites = way_of(t, lap);
    int last = 0;
    for (int i = 0; i < sites->n; i++)
        if (sites->at[i] > last) last = sites->at[i];
    return ((last * t->p->npieces + lap->kind) / VECTOR + 1) * VECTOR - base_of(t, lap);
}

int lap_base(const Translator *t, int lap) { return base_of(t, &t->laps[lap]); }

static bool good_lap(const Translator *t, const Lap *lap) {
    const Program *p = t->p;
    const List *sites = way_of(t, lap);
    for (int k = lap->first; k <= lap->last; k++) { // loops over the same sites
        const List *way = &p->lists[p->tracks[k].list];
        if (!p->tracks[k].loop || way->n != sites->n) return false;
        for (int i = 0; i < way->n; i++)
            if (p->tracks[lap->first].next[way->at[i]] < 0) return false;
    }
    int width = width_of(t, lap);
    return sites->n > 1 && t->pieces >= LAP_PIECES_MIN * sites->n && width <= LAP_CELLS_MAX &&
           base_of(t, lap) + width <= p->ncells;
}

int lap_table(Translator *t, Range tracks, int kind, uint32_t lifted) {
    const Lap lap = {.first = tracks.low, .last = tracks.high, .kind = kind, .lifted = lifted};
    if (!t->few || tracks.low < 0 || tracks.high >= t->p->ntracks ||
        tracks.high - tracks.low >= LAP_TRACKS_MAX || !good_lap(t, &lap))
        return -1;
    for (int i = 0; i < t->nlaps; i++)
        if (t->laps[i].first == lap.first && t->laps[i].last == lap.last &&
            t->laps[i].kind == kind && t->laps[i].lifted == lifted)
            return i;
    arena_grow(t->arena, (void **)&t->laps, &t->laps_cap, (size_t)t->nlaps + 1, sizeof *t->laps);
    t->laps[t->nlaps] = lap;
    return t->nlaps++;
}

int lap_sites(const Translator *t, int lap) { return way_of(t, &t->laps[lap])->n; }

bool lap_has_all(const Translator *t, int track, Range sites) {
    if (!is_sites(t, sites)) return false;
    for (int s = sites.low; s <= sites.high; s++)
        if (t->p->tracks[track].next[s] < 0) return false;
    return true;
}

const char *lap_row(Translator *t, int lap, const Value *track) {
    const Lap *l = &t->laps[lap];
    if (l->first == l->last) return "0";
    return l->first ? phrase(t, "%s - %d", track->text, l->first) : track->text;
}

static int away(const Program *p, int from, int track, int to) {
    int n = p->lists[p->tracks[track].list].n;
    for (int k = 1; k < n; k++)
        if (track_ahead(p, from, track, k) == to) return k - 1;
    return FAR;
}

static void write_row(Translator *t, const Lap *lap, int track, int from, int width) {
    const Program *p = t->p;
    bool on = p->tracks[track].next[from] >= 0;
    for (int i = 0, base = base_of(t, lap); i < width; i++) {
        int to = (base + i) / p->npieces, kind = (base + i) % p->npieces, n = FAR;
        if (on && to < p->nsites && kind == lap->kind) n = away(p, from, track, to);
        if (on && to == from && lap->lifted >> kind & 1) n = HERE;
        fprintf(t->out, "%d, ", n);
    }
}

static void write_ends(Translator *t, int track, int from, int n) {
    bool on = t->p->tracks[track].next[from] >= 0;
    for (int k = 0; k <= n; k++)
        fprintf(t->out, "%d, ", on ? track_ahead(t->p, from, track, k) : UNSET);
}

static void write_tables(Translator *t, int number, const Lap *lap, int width, int n) {
    fprintf(
        t->out,
        "\n// How many sites lie between a site and that of a cell, along each track; and where "
        "so many pieces end.\n");
    for (int ends = 0; ends <= 1; ends++) {
        if (ends)
            fprintf(t->out, "static const int16_t end_%d[][SITES][%d] = {\n", number, n + 1);
        else
            fprintf(t->out, "static const int32_t away_%d[][SITES][%d] = {\n", number, width);
        for (int track = lap->first; track <= lap->last; track++) {
            fputs("    {\n", t->out);
            for (int from = 0; from < t->p->nsites; from++) {
                fputs("    {", t->out);
                if (ends)
                    write_ends(t, track, from, n);
                else
                    write_row(t, lap, track, from, width);
                fputs("},\n", t->out);
            }
            fputs("    },\n", t->out);
        }
        fputs("};\n", t->out);
    }
}

void write_lap(Translator *t, int number) {
    const Lap *lap = &t->laps[number];
    int width = width_of(t, lap);
    write_tables(t, number, lap, width, way_of(t, lap)->n);
    write_sown(t, number, lap->first, lap->last, way_of(t, lap)->n);
    for (int whole = 0; whole <= 1; whole++) {
        fprintf(t->out,
                "// %s fewer than there are sites.\n"
                "HELPER void %s_lap_%d(int32_t *c, int32_t from, int32_t track, int32_t n) {\n"
                "    const int32_t *away = away_%d[track][from];\n"
                "    int32_t *way = c + %d;\n",
                whole ? "Sows what lies on a site:" : "Drops n from a site on,",
                whole ? "sow" : "drop", number, number, base_of(t, lap));
        if (whole)
            fprintf(t->out,
                    "    for (int i = 0; i < %d; i++)\n"
                    "        way[i] = (way[i] & -(away[i] != %d)) + (away[i] < n);\n}\n",
                    width, HERE);
        else
            fprintf(t->out, "    for (int i = 0; i < %d; i++) way[i] += away[i] < n;\n}\n", width);
    }
}
