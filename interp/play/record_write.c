#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "record_scan.h"
#include "turns.h"
#include "words.h"

// Owner: `text` is the stream's buffer until it is closed.
struct RecordMoves {
    char *text;
    size_t size;
    FILE *out;
    Turns turns;
};

RecordMoves *record_moves_new(const OldsowGame *game) {
    RecordMoves *moves = calloc(1, sizeof *moves);
    if (!moves) return NULL;
    moves->out = open_memstream(&moves->text, &moves->size);
    if (!moves->out) {
        free(moves);
        return NULL;
    }
    turns_init(&moves->turns, game, moves->out, false);
    return moves;
}

void record_moves_free(RecordMoves *moves) {
    if (!moves) return;
    fclose(moves->out);
    free(moves->text);
    free(moves);
}

void record_moves_ply(void *moves, const OldsowState *before, size_t candidate) {
    turns_ply(&((RecordMoves *)moves)->turns, before, candidate);
}

// ---- headers --------------------------------------------------------------------------------

static void write_header(FILE *out, const char *name, const char *value) {
    fprintf(out, "[%s \"", name);
    for (const char *s = value; *s; s++) {
        if (*s == '"' || *s == '\\') fputc('\\', out);
        if (*s == '\n')
            fputs("\\n", out);
        else
            fputc(*s, out);
    }
    fputs("\"]\n", out);
}

static void write_hash(FILE *out, const char *name, uint64_t hash) {
    fprintf(out, "[%s \"%016" PRIx64 "\"]\n", name, hash);
}

// What the option is if nothing but the reading settles it.
static const char *read_value(const OldsowGame *game, const OldsowOption *option) {
    const char *reading = oldsow_reading(game);
    for (size_t i = 0; reading && i < oldsow_readings(game); i++) {
        const OldsowReading *r = oldsow_reading_at(game, i);
        if (strcmp(r->name, reading) != 0) continue;
        for (size_t k = 0; k < r->nsettings; k++)
            if (strcmp(r->settings[k].option, option->name) == 0) return r->settings[k].value;
    }
    return option->standard;
}

static void write_options(FILE *out, const OldsowGame *game) {
    bool any = false;
    for (size_t i = 0; i < oldsow_options(game); i++) {
        const OldsowOption *option = oldsow_option(game, i);
        if (strcmp(option->value, read_value(game, option)) == 0) continue;
        fprintf(out, "%s%s=%s", any ? " " : "[Options \"", option->name, option->value);
        any = true;
    }
    if (any) fputs("\"]\n", out);
}

static void write_headers(FILE *out, const OldsowGame *game, const OldsowState *state,
                          const RecordAbout *about) {
    write_header(out, "Game", oldsow_title(game));
    const Record *from = about->from;
    for (size_t i = 0; from && i < from->headers.n; i++)
        if (!record_knows_header(from->headers.at[i].name))
            write_header(out, from->headers.at[i].name, from->headers.at[i].value);
    if (oldsow_reading(game)) write_header(out, "Reading", oldsow_reading(game));
    write_options(out, game);
    if (about->seeded) fprintf(out, "[Seed \"%" PRIu64 "\"]\n", about->seed);
    write_hash(out, "Rules", oldsow_rules_hash(game));
    fputs("[Result \"", out);
    words_result(game, state, out);
    fputs("\"]\n", out);
    // A script that failed left its position half made.
    if (oldsow_status(state) != OLDSOW_FAULT)
        write_hash(out, "Position", oldsow_position_hash(state));
}

// ---- the whole ------------------------------------------------------------------------------

static bool waits(const OldsowState *state) {
    return oldsow_status(state) == OLDSOW_CHOICE || oldsow_status(state) == OLDSOW_CHANCE;
}

// The headers and the empty line after them; NULL: no memory.
static char *header_text(const OldsowGame *game, const OldsowState *state, const RecordAbout *about,
                         size_t *size) {
    char *text = NULL;
    FILE *out = open_memstream(&text, size);
    if (!out) return NULL;
    write_headers(out, game, state, about);
    bool whole = fputc('\n', out) != EOF;
    if (fclose(out) == 0 && whole) return text;
    free(text);
    return NULL;
}

char *record_text(const OldsowGame *game, const OldsowState *state, RecordMoves *moves,
                  const RecordAbout *about, size_t *size) {
    if (fflush(moves->out) != 0 || moves->size != moves->turns.bytes) return NULL;
    char *headers = header_text(game, state, about, size);
    if (!headers) return NULL;
    const char *end = moves->turns.column > 0 ? waits(state) ? "\n*\n" : "\n"
                      : waits(state)          ? "*\n"
                                              : "";
    char *text = realloc(headers, *size + moves->size + strlen(end) + 1);
    if (!text) {
        free(headers);
        return NULL;
    }
    memcpy(text + *size, moves->text, moves->size);
    *size += moves->size;
    strcpy(text + *size, end);
    *size += strlen(end);
    return text;
}
