#include "standalone.h"

#include <inttypes.h>
#include <string.h>

// ---- texts as C ----------------------------------------------------------------------------------

static void write_text(FILE *out, const char *s) {
    if (!s) {
        fputs("NULL", out);
        return;
    }
    fputc('"', out);
    for (; *s; s++) {
        unsigned char c = (unsigned char)*s;
        if (c == '\n')
            fputs("\\n", out);
        else if (c == '"' || c == '\\' || c == '?') // no trigraphs
            fprintf(out, "\\%c", c);
        else if (c < ' ' || c >= 127)
            fprintf(out, "\\%03o", c);
        else
            fputc(c, out);
    }
    fputc('"', out);
}

static void write_names(FILE *out, const char *name, const char *const *names, int n) {
    fprintf(out, "MAYBE_UNUSED static const char *const %s[] = {", name);
    for (int i = 0; i < n; i++) {
        write_text(out, names[i]);
        fputs(", ", out);
    }
    fputs(n ? "};\n" : "NULL};\n", out);
}

// ---- the beginning -------------------------------------------------------------------------------

// The title in a comment of one line, which nothing in it can end.
static void write_title(FILE *out, const char *title) {
    fputs("// ", out);
    for (; *title; title++)
        fputc((unsigned char)*title < ' ' || *title == '\\' ? ' ' : *title, out);
    fputs("\n//\n", out);
}

void write_opening(FILE *out, const OldsowGame *game) {
    write_title(out, game->title);
    fprintf(
        out,
        "// Written by `oldsow compile`, version " OLDSOW_VERSION "; rules %016" PRIx64 ".\n"
        "//\n"
        "// The whole game in one file of standard C: cc -std=c17 -O2 -c game.c, and what is "
        "told in its first\n"
        "// part can be called. With -DOLDSOW_MAIN it is a program by itself: `./a.out 7` "
        "plays a random\n"
        "// game, `./a.out perft 5` counts.\n//\n"
        "// Otherwise than in the library: oldsow_check, oldsow_check_text and oldsow_print_ast "
        "are not there, since\n"
        "// there is no script. oldsow_load and oldsow_load_text give this game whatever they "
        "are asked for; it has no\n"
        "// options, readings, places or messages any more, and no ludemes or libraries are "
        "known. oldsow_vector,\n"
        "// oldsow_state_bytes and oldsow_hash give something else (positions are not packed), "
        "oldsow_position_hash the\n"
        "// same. oldsow_draw writes a line for each site on which something lies. Steps are "
        "charged more coarsely: an\n"
        "// endless game is found out a little sooner or later.\n\n",
        game->program.rules_hash);
    fputs("// ---- the interface, as of the library\n\n", out);
    write_embedded(out, "oldsow");
    fputs("\n// ---- chance\n\n", out);
    write_embedded(out, "rng");
    fputc('\n', out);
}

// ---- tables for the interface --------------------------------------------------------------------

static void write_sites(FILE *out, const Program *p) {
    fputs("\nstatic const OldsowSite sites[] = {\n", out);
    for (int i = 0; i < p->nsites; i++) {
        const SiteInfo *s = &p->sites[i];
        fputs("    {", out);
        write_text(out, s->name);
        fprintf(out, ", (OldsowSiteKind)%d, %d, %d, %d, %d},\n", (int)s->kind, s->owner, s->square,
                s->column, s->row);
    }
    fputs("};\n", out);
}

static void write_choices(FILE *out, const Program *p) {
    fputs("\nenum { A_NUMBER, A_TRUTH, A_SITE, A_PLAYER, A_PIECE, A_WORD, A_DIRECTION, A_TRACK };\n"
          "typedef struct Alternative {\n    const char *label;\n    int n, types[STEP_VALUES];\n"
          "} Alternative;\nstatic const Alternative alternatives[] = {\n",
          out);
    for (int i = 0; i < p->nalternatives; i++) {
        const Alternative *a = &p->alternatives[i];
        fputs("    {", out);
        write_text(out, a->label);
        fprintf(out, ", %d, {", a->nvars);
        for (int k = 0; k < a->nvars; k++) fprintf(out, "%d,", (int)a->types[k]);
        fputs(a->nvars ? "}},\n" : "0}},\n", out);
    }
    fputs(p->nalternatives ? "};\n" : "    {NULL, 0, {0}}};\n", out);
}

static void write_throws(FILE *out, const Program *p) {
    fputs(
        "\ntypedef struct Dice {\n    int values;\n    bool sorted;\n    const int16_t *outcomes;\n"
        "    const uint32_t *weights;\n} Dice;\n",
        out);
    fputs("static const Dice dice[] = {\n", out);
    for (int i = 0; i < p->ndice; i++)
        fprintf(out, "    {%d, %s, outcomes_%d, weights_%d},\n", p->dice[i].nvalues,
                p->dice[i].sorted ? "true" : "false", i, i);
    fputs(p->ndice ? "};\n" : "    {0, false, NULL, NULL}};\n", out);
    fputs("typedef struct Throw {\n    int dice, n, cells[STEP_VALUES], target;\n} Throw;\n"
          "static const Throw throws[] = {\n",
          out);
    for (int i = 0; i < p->nthrows; i++) {
        const Throw *t = &p->throws[i];
        fprintf(out, "    {%d, %d, {", t->dice, t->nvars);
        for (int k = 0; k < t->nvars; k++) fprintf(out, "%d,", t->cells[k]);
        fprintf(out, "%s}, %d},\n", t->nvars ? "" : "0", t->target);
    }
    fputs(p->nthrows ? "};\n" : "    {0, 0, {0}, 0}};\n", out);
}

static void write_variables(FILE *out, const Program *p) {
    fputs("\ntypedef struct Variable {\n    const char *name;\n    int type, index_type, cell, n, "
          "list, start;\n"
          "} Variable;\nstatic const Variable variables[] = {\n",
          out);
    for (int i = 0; i < p->nvariables; i++) {
        const Variable *v = &p->variables[i];
        fputs("    {", out);
        write_text(out, v->name);
        fprintf(out, ", %d, %d, %d, %d, %d, %d},\n", (int)v->type, (int)v->index_type, v->cell,
                v->n, v->list, v->start);
    }
    fputs(p->nvariables ? "};\n" : "    {NULL, 0, 0, 0, 0, 0, 0}};\n", out);
    fputs("static const int16_t initial[] = {", out);
    for (int i = 0; i < p->nstate; i++)
        fprintf(out, "%s%d,", i % 20 == 0 ? "\n    " : " ", (int)p->initial[i]);
    fputs("};\n", out);
}

// The place in the author's own files: that of the instruction, or where the library's ludeme that holds
// it was used.
static bool program_place(const Program *p, int pc, Span *span) {
    if (!p->sources || !p->origins) return false;
    *span = p->origins[pc].span;
    const Expansion *e = p->origins[pc].via;
    for (; e && source_of(p->sources, *span)->name[0] == '<'; e = e->up) *span = e->use;
    return span->file < p->sources->files.n;
}

static void write_lines(FILE *out, const Program *p) {
    fputs("\n// Where in the script a fault comes from: from this place of the program on.\n"
          "typedef struct Line {\n    int at;\n    unsigned file, line, column;\n} Line;\n"
          "static const Line lines[] = {\n",
          out);
    unsigned last_file = 0, last_line = 0, last_column = 0;
    for (int pc = 0; pc < p->ncode; pc++) {
        Span span;
        unsigned file = 0;
        Place place = {0};
        if (program_place(p, pc, &span)) {
            file = span.file;
            place = source_place(source_of(p->sources, span), span.start);
        }
        bool same = file == last_file && place.line == last_line && place.column == last_column;
        if (pc > 0 && same) continue;
        fprintf(out, "    {%d, %u, %u, %u},\n", pc, file, place.line, place.column);
        last_file = file, last_line = place.line, last_column = place.column;
    }
    fputs("};\nstatic const char *const script_files[] = {", out);
    for (size_t i = 0; p->sources && i < p->sources->files.n; i++) {
        write_text(out, p->sources->files.at[i].name);
        fputs(", ", out);
    }
    fputs("NULL};\n", out);
}

static void write_faults(FILE *out) {
    static const struct {
        const char *name, *number, *text;
    } all[] = {
#define DIAG(name, number, severity, message) {#name, number, message},
#include "../../grammar/diagnostics.def"
#undef DIAG
    };
    static const char *const named[] = {
        "R_NO_CHOICE",   "R_ENDLESS", "R_STEPS",       "R_TOO_FEW",     "R_NEGATIVE",   "R_UNSET",
        "R_INDEX",       "R_TOO_BIG", "R_DIVIDE",      "R_TRACK_END",   "R_CANDIDATES", "R_HISTORY",
        "R_WOULD_STEPS", "R_MEMORY",  "R_WOULD_DEPTH", "R_WOULD_CHANCE"};
    fputs("static const struct {\n    int fault;\n    const char *code, *text;\n} fault_texts[] = "
          "{\n",
          out);
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        for (size_t k = 0; k < sizeof named / sizeof *named; k++) {
            if (strcmp(all[i].name, named[k]) != 0) continue;
            fprintf(out, "    {%s, \"%s\", ", all[i].name, all[i].number);
            write_text(out, all[i].text);
            fputs("},\n", out);
        }
    fputs("};\n\n", out);
}

void write_closing(FILE *out, const OldsowGame *game) {
    const Program *p = &game->program;
    fputs("\n// ---- names\n\nstatic const char title[] = ", out);
    write_text(out, game->title);
    fputs(";\nstatic const char about[] = ", out);
    write_text(out, game->doc);
    fputs(";\nstatic const char *const reading = ", out);
    write_text(out, game->reading);
    fprintf(out,
            ";\nenum { WORDS = %d, DIRECTIONS = %d, VARIABLES = %d };\n#define RULES "
            "UINT64_C(0x%016" PRIx64 ")\n",
            p->nwords, p->ndirections, p->nvariables, p->rules_hash);
    write_names(out, "players", p->players, p->nplayers);
    write_names(out, "kinds", p->pieces, p->npieces);
    write_names(out, "words", p->words, p->nwords);
    write_names(out, "directions", p->directions, p->ndirections);
    write_names(out, "track_names", p->track_names, p->ntracks);
    write_sites(out, p);
    write_choices(out, p);
    write_throws(out, p);
    write_variables(out, p);
    write_lines(out, p);
    write_faults(out);
    write_embedded(out, "hosting");
    fputc('\n', out);
    write_embedded(out, "interface");
}
