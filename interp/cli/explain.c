#include "explain.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "text.h"

bool is_code(const char *word) {
    return strchr("ERWerw", word[0]) && word[0] && isdigit((unsigned char)word[1]) &&
           word[1 + strspn(word + 1, "0123456789")] == '\0';
}

static bool same_code(const char *a, const char *b) {
    return toupper((unsigned char)*a) == *b && strcmp(a + 1, b + 1) == 0;
}

const Explanation *explanation_find(const char *code) {
    for (unsigned i = 0; i < explanation_count; i++)
        if (same_code(code, explanation_files[i].name)) return &explanation_files[i];
    return NULL;
}

const char *explanation_title(const Explanation *e, int *size) {
    const char *colon = strstr(e->text, ": ");
    const char *title = colon ? colon + 2 : e->text;
    *size = (int)strcspn(title, "\n");
    return title;
}

const char *explanation_body(const Explanation *e) {
    const char *body = e->text + strcspn(e->text, "\n");
    return body + strspn(body, "\n");
}

// ---- for people --------------------------------------------------------------------------------

static const char *next_line(const char *line) {
    line += strcspn(line, "\n");
    return *line ? line + 1 : line;
}

// The lines of a fenced block; gives what comes after its closing fence.
static const char *print_block(const char *line, FILE *out) {
    for (line = next_line(line); *line && strncmp(line, "```", 3) != 0; line = next_line(line)) {
        int size = (int)strcspn(line, "\n");
        fprintf(out, "%s%.*s\n", size ? "    " : "", size, line);
    }
    return next_line(line);
}

// One paragraph, folded. The text is the program's own, so what it takes is little.
static const char *print_paragraph(const char *text, FILE *out) {
    const char *end = strstr(text, "\n\n");
    size_t size = end ? (size_t)(end - text) : strlen(text);
    char *paragraph = malloc(size + 1);
    if (paragraph) {
        memcpy(paragraph, text, size);
        paragraph[size] = '\0';
        text_fold(out, paragraph, 0);
        free(paragraph);
    }
    return text + size;
}

void explanation_print(const Explanation *e, FILE *out, bool colour) {
    int size;
    const char *title = explanation_title(e, &size);
    const char *paint = e->name[0] == 'W' ? "\033[1;33m" : "\033[1;31m";
    if (colour)
        fprintf(out, "%s%s:\033[0m \033[1m%.*s\033[0m\n", paint, e->name, size, title);
    else
        fprintf(out, "%s: %.*s\n", e->name, size, title);
    for (const char *at = explanation_body(e); *at; at += strspn(at, "\n")) {
        fputc('\n', out);
        at = strncmp(at, "```", 3) == 0 ? print_block(at, out) : print_paragraph(at, out);
    }
}

static const struct Group {
    const char *prefix, *title;
} groups[] = {
    {"E00", "files"},
    {"E01", "text and brackets"},
    {"E02", "names"},
    {"E03", "the shape of a form"},
    {"E04", "what things are"},
    {"E05", "equipment"},
    {"E06", "definitions and files"},
    {"E07", "the rules"},
    {"E08", "records"},
    {"R", "faults of the play"},
    {"W", "warnings"},
};

static const char *group_of(const char *code) {
    for (size_t i = 0; i < sizeof groups / sizeof *groups; i++)
        if (strncmp(code, groups[i].prefix, strlen(groups[i].prefix)) == 0) return groups[i].title;
    return "others";
}

void explanations_list(FILE *out, bool colour) {
    const char *last = NULL;
    for (unsigned i = 0; i < explanation_count; i++) {
        const Explanation *e = &explanation_files[i];
        const char *group = group_of(e->name);
        if (group != last)
            fprintf(out, "%s%s%s%s:\n", last ? "\n" : "", colour ? "\033[1m" : "", group,
                    colour ? "\033[0m" : "");
        last = group;
        int size;
        const char *title = explanation_title(e, &size);
        fprintf(out, "  %s  %.*s\n", e->name, size, title);
    }
}

// ---- near ones ---------------------------------------------------------------------------------

static long number_of(const char *code) { return strtol(code + 1, NULL, 10); }

// Digits in other places count most, then how far the numbers lie apart.
static long distance(const char *a, const char *b) {
    long differ = 0;
    for (size_t i = 0; i < 5; i++) {
        bool same = a[i] == b[i] || (i == 0 && toupper((unsigned char)a[0]) == b[0]);
        differ += !same;
    }
    return differ * 10000 + labs(number_of(a) - number_of(b));
}

size_t codes_near(const char *code, const char *near[CODES_NEAR]) {
    size_t n = 0;
    long far[CODES_NEAR];
    if (strlen(code) != 5) return 0;
    for (unsigned i = 0; i < explanation_count; i++) {
        const char *name = explanation_files[i].name;
        long d = distance(code, name);
        if (d >= 20000) continue; // more than one character is another
        size_t at = n < CODES_NEAR ? n++ : CODES_NEAR;
        for (; at > 0 && far[at - 1] > d; at--)
            if (at < CODES_NEAR) far[at] = far[at - 1], near[at] = near[at - 1];
        if (at < CODES_NEAR) far[at] = d, near[at] = name;
    }
    return n;
}

// ---- where to read on --------------------------------------------------------------------------

void codes_add(CodesTold *told, const char *code) {
    if (!code || !explanation_find(code) || told->n == CODES_TOLD) return;
    for (size_t i = 0; i < told->n; i++)
        if (strcmp(told->at[i], code) == 0) return;
    snprintf(told->at[told->n++], sizeof *told->at, "%s", code);
}

void codes_add_report(CodesTold *told, const OldsowReport *report) {
    for (size_t i = 0; report && i < oldsow_report_count(report); i++)
        codes_add(told, oldsow_report_get(report, i).code);
}

void codes_point(const CodesTold *told) {
    if (told->n == 0 || !isatty(STDERR_FILENO)) return;
    fputs("for more: oldsow help", stderr);
    for (size_t i = 0; i < told->n; i++) fprintf(stderr, " %s", told->at[i]);
    fputc('\n', stderr);
}
