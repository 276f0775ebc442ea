#include "generate.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "names.h"
#include "native_text.h"
#include "standalone.h"
#include "translate.h"

enum { ARENA_BYTES = 256 << 20 };

// What a header of ours says is in the file already.
static void write_without_own_headers(FILE *out, const char *text) {
    while (*text) {
        size_t n = strcspn(text, "\n");
        n += text[n] == '\n';
        if (strncmp(text, "#include \"", 10) != 0) fwrite(text, 1, n, out);
        text += n;
    }
}

void write_embedded(FILE *out, const char *name) {
    for (unsigned i = 0; i < native_count; i++)
        if (strcmp(native_files[i].name, name) == 0)
            write_without_own_headers(out, native_files[i].text);
}

static void write_values(FILE *out, const int16_t *at, int n) {
    for (int i = 0; i < n; i++) fprintf(out, "%s%d,", i % 20 == 0 ? "\n    " : " ", at[i]);
    if (n == 0) fputs("0", out); // an array of no elements is no C
}

static void write_array(FILE *out, const char *name, int number, const int16_t *at, int n) {
    fprintf(out, "static const int16_t %s_%d[] = {", name, number);
    write_values(out, at, n);
    fputs("};\n", out);
}

// ---- what the code goes by -----------------------------------------------------------------------

static void write_constants(FILE *out, const Program *p) {
    fprintf(out,
            "\n// ---- this game\n\nenum {\n    SITES = %d, KINDS = %d, PLAYERS = %d, TRACKS = %d, "
            "LISTS = %d,\n",
            p->nsites, p->npieces, p->nplayers, p->ntracks, p->nlists);
    fprintf(out,
            "    CELLS = %d, STATE = %d, POSITION = %d, // with and without what is used between "
            "decisions; counts and variables\n",
            p->ncells, p->nstate, p->npositions);
    fprintf(out,
            "    MOVER = %d, WAITS_AT = %d, OVER = %d, WINNERS = %d, LOSERS = %d, RETIRED = %d, "
            "NOTED = %d,\n",
            p->system + CELL_MOVER, p->system + CELL_AT, p->system + CELL_STATUS,
            p->system + CELL_WINNERS, p->system + CELL_LOSERS, p->system + CELL_RETIRED,
            p->system + CELL_HISTORY);
    fprintf(out, "    SCORES = %d, EVERYBODY = %d, REMEMBERS = %d,\n};\n",
            p->scores < 0 ? 0 : p->scores, (1 << p->nplayers) - 1, p->remembers);
    static const int faults[] = {R_NO_CHOICE, R_ENDLESS,     R_STEPS,       R_TOO_FEW,
                                 R_NEGATIVE,  R_UNSET,       R_INDEX,       R_TOO_BIG,
                                 R_DIVIDE,    R_TRACK_END,   R_CANDIDATES,  R_WOULD_CHANCE,
                                 R_MEMORY,    R_WOULD_DEPTH, R_WOULD_STEPS, R_HISTORY};
    fputs("enum {\n", out);
    for (size_t i = 0; i < sizeof faults / sizeof *faults; i++)
        fprintf(out, "    %s = %d,\n", fault_name(faults[i]), faults[i]);
    fputs("};\n\n", out);
}

static void write_lists(FILE *out, const Program *p) {
    fputs("\n// Lists of sites, kinds, players, numbers.\n", out);
    for (int i = 0; i < p->nlists; i++) write_array(out, "list", i, p->lists[i].at, p->lists[i].n);
    fputs("MAYBE_UNUSED static const List lists[] = {\n", out);
    for (int i = 0; i < p->nlists; i++) fprintf(out, "    {list_%d, %d},\n", i, p->lists[i].n);
    fputs(p->nlists ? "};\n" : "    {0, 0}};\n", out);
}

static bool write_tracks(FILE *out, const Program *p) {
    int16_t *place = malloc(((size_t)p->nsites + 1) * sizeof *place);
    if (!place) return false;
    for (int i = 0; i < p->ntracks; i++) {
        const Track *t = &p->tracks[i];
        const List *sites = &p->lists[t->list];
        for (int s = 0; s < p->nsites; s++) place[s] = UNSET;
        for (int k = 0; k < sites->n; k++) place[sites->at[k]] = (int16_t)k;
        fprintf(out, "\n// %s\n", p->track_names[i] ? p->track_names[i] : "a track");
        write_array(out, "next", i, t->next, p->nsites);
        write_array(out, "place", i, place, p->nsites);
    }
    free(place);
    fputs("MAYBE_UNUSED static const int16_t *const next_of[] = {", out);
    for (int i = 0; i < p->ntracks; i++) fprintf(out, "next_%d, ", i);
    fputs(p->ntracks ? "};\n" : "0};\n", out);
    fputs("MAYBE_UNUSED static const Track tracks[] = {\n", out);
    for (int i = 0; i < p->ntracks; i++)
        fprintf(out, "    {next_%d, place_%d, list_%d, %d, %s},\n", i, i, p->tracks[i].list,
                p->lists[p->tracks[i].list].n, p->tracks[i].loop ? "true" : "false");
    fputs(p->ntracks ? "};\n" : "    {0, 0, 0, 0, false}};\n", out);
    return true;
}

static void write_family(FILE *out, int number, const Family *f) {
    int n = 1;
    for (int i = 0; i < f->dims; i++) n *= f->sizes[i];
    bool plain = family_is_plain(f);
    if (!plain) write_array(out, "values", number, f->values, n);
    fprintf(out, "HELPER int32_t family_%d(", number);
    for (int i = 0; i < f->dims; i++) fprintf(out, "%sint32_t x%d", i ? ", " : "", i);
    fputs(") {\n", out);
    for (int i = 0; i < f->dims; i++)
        fprintf(out, "    uint32_t k%d = (uint32_t)x%d - (uint32_t)%d;\n", i, i, f->lows[i]);
    fputs("    return ", out);
    for (int i = 0; i < f->dims; i++) fprintf(out, "%sk%d < %du", i ? " && " : "", i, f->sizes[i]);
    if (plain) {
        fprintf(out, " ? (int32_t)k0 + %d : %d;\n}\n", f->values[0], f->missing);
        return;
    }
    fprintf(out, " ? values_%d[", number);
    for (int i = 0; i < f->dims; i++)
        fprintf(out, i + 1 < f->dims ? "%s%sk%d%s * %du + " : "%s%sk%d%s", i > 1 ? "" : "",
                i == 0 && f->dims == 3 ? "(" : "", i, i == 1 && f->dims == 3 ? ")" : "",
                i + 1 < f->dims ? f->sizes[i + 1] : 0);
    fprintf(out, "] : %d;\n}\n", f->missing);
}

static void write_table(FILE *out, int number, const Table *t) {
    write_array(out, "map", number, t->values, t->n);
    fprintf(out, "HELPER int32_t table_%d(int32_t x) {\n", number);
    fprintf(out, "    uint32_t k = (uint32_t)x - (uint32_t)%d;\n", t->low);
    fprintf(out, "    return k < %du ? map_%d[k] : UNSET;\n}\n", t->n, number);
}

static void write_alternatives(FILE *out, const Program *p) {
    fputs("\n// Puts the values of what was chosen where they go; gives the place to go on.\n"
          "static int take_candidate(int32_t *c, const StepCandidate *candidate) {\n"
          "    switch (candidate->alternative) {\n",
          out);
    for (int i = 0; i < p->nalternatives; i++) {
        const Alternative *a = &p->alternatives[i];
        fprintf(out, "    case %d:", i);
        for (int k = 0; k < a->nvars; k++)
            fprintf(out, " c[%d] = candidate->values[%d];", a->cells[k], k);
        fprintf(out, " return %d;\n", a->target);
    }
    fputs("    default: (void)c; return 0;\n    }\n}\n\n", out);
}

static const char *const macros =
    "#define FAULT(what, where) do { fault = (what); run->fault_at = (where); goto failed; } while "
    "(0)\n"
    "#define FAULT_IN(would, what, where) do { fault = (what); run->fault_at = (where); goto "
    "failed_##would; } while (0)\n"
    "#define STOP(what) do { status = (what); goto stop; } while (0)\n"
    "#define AWAY(action) do { run->n = n; run->steps = steps; action; n = run->n; steps = "
    "run->steps; list = run->list; } while (0)\n"
    "#define LOOK(action) do { TO_CELLS; AWAY(action); } while (0)\n"
    "#define MORE(failing) do { AWAY(fault = more_candidates(run, BASE)); if (fault) { failing } "
    "room = run->room < BASE + CANDIDATES ? run->room : BASE + CANDIDATES; } while (0)\n";

// The dice: outcomes, and how one is drawn; a throw_N gives its number as oldsow_pick does.
static void write_dice(FILE *out, int number, const Dice *d) {
    enum { LOTS_MAX = 1024 };
    write_array(out, "outcomes", number, d->outcomes, d->noutcomes * d->nvalues);
    uint32_t total = 0;
    bool equal = true;
    for (int i = 0; i < d->noutcomes; i++) {
        total += d->weights[i];
        equal &= d->weights[i] == d->weights[0];
    }
    fprintf(out, "MAYBE_UNUSED static const uint32_t weights_%d[] = {", number);
    for (int i = 0; i < d->noutcomes; i++) fprintf(out, "%" PRIu32 ", ", d->weights[i]);
    fputs("};\n", out);
    bool lots = !equal && total <= LOTS_MAX;
    if (lots) {
        fprintf(out, "static const uint16_t lots_%d[] = {", number);
        for (int i = 0; i < d->noutcomes; i++)
            for (uint32_t k = 0; k < d->weights[i]; k++) fprintf(out, "%d, ", i);
        fputs("};\n", out);
    }
    fprintf(out,
            "HELPER size_t throw_%d(StepRun *run) {\n    uint32_t drawn = "
            "oldsow_below(run->throws, %" PRIu32 ");\n",
            number, total);
    if (equal)
        fprintf(out, "    return drawn / %" PRIu32 ";\n}\n", d->weights[0]);
    else if (lots)
        fprintf(out, "    return lots_%d[drawn];\n}\n", number);
    else
        fprintf(out,
                "    size_t i = 0;\n    while (drawn >= weights_%d[i]) drawn -= "
                "weights_%d[i++];\n    return i;\n}\n",
                number, number);
}

static bool write_rules(FILE *out, Arena *arena, const Program *p, bool places) {
    write_embedded(out, "step");
    write_constants(out, p);
    write_embedded(out, "machine");
    if (places) {
        CNames names;
        c_names_init(&names, arena, p);
        c_names_write(&names, out, p);
    }
    write_lists(out, p);
    if (!write_tracks(out, p)) return false;
    fputs("\n// Values that depend on a few others.\n", out);
    for (int i = 0; i < p->ntables; i++) write_table(out, i, &p->tables[i]);
    for (int i = 0; i < p->nfamilies; i++) write_family(out, i, &p->families[i]);
    write_alternatives(out, p);
    for (int i = 0; i < p->ndice; i++) write_dice(out, i, &p->dice[i]);
    fputs(macros, out);
    fputs("\n// The rules: runs on from the place `at` to the next decision. The comments name the "
          "lines of the script.\n",
          out);
    translate(out, arena, p, places);
    return true;
}

bool compiled_write(FILE *out, const OldsowGame *game, CompiledAs as) {
    const Program *p = &game->program;
    Arena *arena = arena_new(ARENA_BYTES);
    if (!arena) return false;
    if (setjmp(*arena_oom(arena))) {
        arena_free(arena);
        return false;
    }
    bool fine = true;
    if (as == COMPILED_STANDALONE) {
        write_opening(out, game);
        fine = write_rules(out, arena, p, true);
        if (fine) write_closing(out, game);
    } else {
        fputs("#include <stddef.h>\n#include <stdint.h>\n\n"
              "typedef struct OldsowRng {\n    uint64_t s[4];\n} OldsowRng;\n"
              "static inline uint64_t oldsow_random(OldsowRng *rng);\n"
              "static inline uint32_t oldsow_below(OldsowRng *rng, uint32_t n);\n",
              out);
        write_embedded(out, "rng");
        fine = write_rules(out, arena, p, false);
        fprintf(
            out,
            "\n__attribute__((visibility(\"default\"))) extern const StepPlugin oldsow_plugin;\n"
            "const StepPlugin oldsow_plugin = {STEP_VERSION, CELLS, sizeof(StepRun), "
            "UINT64_C(0x%016" PRIx64 "), step};\n",
            p->rules_hash);
    }
    arena_free(arena);
    return fine;
}
