#include "coverage.h"

#include <inttypes.h>

#include "../language/script.h"
#include "common.h"

// What is said of one line.
typedef struct Line {
    bool counted, missed;
    uint64_t count; // of what begins first
} Line;

// The files that are shown are the author's: the script's own, and those it uses or varies.
static bool told(const Findings *f, uint32_t file) {
    return !script_is_library(f->report->shared->script, file);
}

static const Source *source_at(const Findings *f, uint32_t file) {
    return &f->report->shared->sources.files.at[file];
}

static Line line_of(const Spots *spots, uint32_t file, const Source *source, uint32_t number) {
    Line line = {0};
    for (size_t i = 0; i < spots->n; i++) {
        const Spot *spot = &spots->at[i];
        if (spot->span.file != file || source_place(source, spot->span.start).line != number)
            continue;
        if (!line.counted) line.count = spot->count;
        line.counted = true;
        line.missed |= spot->count == 0;
    }
    return line;
}

static void print_file(const Source *source, const Spots *spots, uint32_t file, FILE *out,
                       bool colour) {
    for (uint32_t n = 1; n <= source->nlines; n++) {
        Line line = line_of(spots, file, source, n);
        uint32_t size;
        const char *text = source_line(source, n, &size);
        if (n == source->nlines && size == 0) break;
        const char *paint = colour && line.missed ? "\033[1;33m" : "",
                   *off = *paint ? "\033[0m" : "";
        if (line.counted)
            fprintf(out, "%s%12" PRIu64 " %c%s |", paint, line.count, line.missed ? '!' : ' ', off);
        else
            fprintf(out, "%14s |", "");
        if (size) fprintf(out, " %.*s", (int)size, text);
        fputc('\n', out);
    }
}

static bool comes_up(const Spots *spots, uint32_t file) {
    for (size_t i = 0; i < spots->n; i++)
        if (spots->at[i].span.file == file) return true;
    return false;
}

bool coverage_print(const Findings *f, FILE *out, bool named, bool colour) {
    Spots spots;
    if (!spots_gather(&spots, f->tries, f->ntries)) {
        spots_free(&spots);
        return false;
    }
    uint32_t own = f->report->shared->script->tree->span.file;
    uint32_t files = (uint32_t)f->report->shared->sources.files.n;
    if (named) fprintf(out, "%s:\n", source_at(f, own)->name);
    print_file(source_at(f, own), &spots, own, out, colour);
    for (uint32_t file = 0; file < files; file++) {
        if (file == own || !told(f, file) || !comes_up(&spots, file)) continue;
        fprintf(out, "%s:\n", source_at(f, file)->name);
        print_file(source_at(f, file), &spots, file, out, colour);
    }
    spots_free(&spots);
    return true;
}

static json_t *spot_json(const Source *source, const Spot *spot) {
    static const char *const kinds[] = {
        [OLDSOW_PLACE_DONE] = "done",     [OLDSOW_PLACE_NO] = "no",
        [OLDSOW_PLACE_ROUND] = "round",   [OLDSOW_PLACE_ASKED] = "asked",
        [OLDSOW_PLACE_HELD] = "held",     [OLDSOW_PLACE_OFFERED] = "offered",
        [OLDSOW_PLACE_CHOSEN] = "chosen",
    };
    Place from = source_place(source, spot->span.start), to = source_place(source, spot->span.end);
    json_t *o = json_object();
    json_object_set_new(o, "file", cli_json_text(source->name));
    json_object_set_new(o, "line", json_integer(from.line));
    json_object_set_new(o, "column", json_integer(from.column));
    json_object_set_new(o, "end_line", json_integer(to.line));
    json_object_set_new(o, "end_column", json_integer(to.column));
    json_object_set_new(o, "what", json_string(kinds[spot->kind]));
    json_object_set_new(o, "count", json_integer((json_int_t)spot->count));
    return o;
}

json_t *coverage_json(const Findings *f) {
    Spots spots;
    json_t *list = spots_gather(&spots, f->tries, f->ntries) ? json_array() : NULL;
    for (size_t i = 0; list && i < spots.n; i++)
        if (told(f, spots.at[i].span.file))
            json_array_append_new(list,
                                  spot_json(source_at(f, spots.at[i].span.file), &spots.at[i]));
    spots_free(&spots);
    return list;
}
