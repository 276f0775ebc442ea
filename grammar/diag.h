// Diagnostics are data: collected in a list, shown by one renderer.
//
// Owner: a Diags and all its texts live in the arena it was made with. A diagnostic has a stable
// code from diagnostics.def, a primary span, labels on related places, notes, and where
// possible a mend. Passes report here and go on; nobody unwinds.
#ifndef OLDSOW_DIAG_H
#define OLDSOW_DIAG_H

#include "arena.h"
#include "source.h"

#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>

typedef enum DiagCode {
#define DIAG(name, number, severity, message) name,
#include "diagnostics.def"
#undef DIAG
    DIAG_CODES
} DiagCode;

typedef enum Severity { SEVERITY_ERROR, SEVERITY_WARNING } Severity;

typedef struct DiagLabel {
    Span span;
    const char *text;
} DiagLabel;

typedef struct Diag {
    DiagCode code;
    Severity severity;
    Span span;      // the author's own place; span.end == span.start is one position
    bool placeless; // no place: an unreadable file, say; then `message` names the file
    const char *message;
    VEC(DiagLabel) labels; // related places: a definition, the other bracket
    VEC(const char *) notes;
    VEC(Span) more;    // further places of the same: a name that is not known, say
    const char *mend;  // what to write instead, in words; or NULL
    const char *meant; // what was likely meant by the word at `span`; or NULL
} Diag;

typedef struct Diags {
    Arena *arena;
    VEC(Diag) all;
    size_t errors, warnings;
    size_t limit; // further errors are counted, not kept (0: DIAG_DEFAULT_LIMIT)
} Diags;

enum {
    DIAG_DEFAULT_LIMIT = 2000, // kept: programs that read them get them all
    DIAG_SHOWN = 100,          // shown to people
};

void diags_init(Diags *d, Arena *arena);
// Reports; the message is the code's format from diagnostics.def with the arguments. Two reports of
// one code with one span and one message are one; so are those of what is not known wherever it
// stands: the first place in the text is the primary one, the next are labels, then they are counted. Gives the diagnostic's index for diag_label and
// its kin, or -1 when it was not kept (a repetition, or past the limit): they then do nothing.
int diag_report(Diags *d, DiagCode code, Span span, ...);
int diag_vreport(Diags *d, DiagCode code, Span span, va_list args);
// The same mistake at another place, whatever would be said there.
void diag_elsewhere(Diags *d, int i, Span span);
int diag_report_placeless(Diags *d, DiagCode code, ...);
void diag_label(Diags *d, int i, Span span, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
void diag_note(Diags *d, int i, const char *format, ...) __attribute__((format(printf, 3, 4)));
void diag_mend(Diags *d, int i, const char *format, ...) __attribute__((format(printf, 3, 4)));
// The mend of a word that is likely misspelt: "did you mean `...`?".
void diag_meant(Diags *d, int i, const char *format, ...) __attribute__((format(printf, 3, 4)));
// Would a further report only be counted? Then its texts need not be made.
bool diags_full(const Diags *d);
// Are there more than people are shown? Then nobody needs guesses that take long.
bool diags_many(const Diags *d);

// Compares two pointers to diagnostics of one list, for qsort: which is shown first.
int diags_compare(const void *a, const void *b);
// Puts all in the order in which they are shown; their numbers are no longer those that were given out.
void diags_sort(Diags *d);

const char *diag_number(DiagCode code); // "E0102"

// ---- diag_show.c ----

// Shows one diagnostic: `name:line:column: error[E0102]: message`, the source line with a caret
// span, the labels' lines, notes and the mend. Tabs are shown as one column of blanks of equal
// width, wide characters get as many columns as a terminal gives them, very long lines are cut
// round the caret.
void diag_render(FILE *out, const Diag *diag, const Sources *sources, bool colour);
// The first DIAG_SHOWN in order of file and place, then "N errors" if there is more than one. Needs no memory.
void diags_render(FILE *out, const Diags *d, const Sources *sources, bool colour);

// ---- nearest.c ----

// The known name nearest to `name` by edit distance, if near enough to be meant, else NULL.
const char *nearest_name(const char *name, const char *const *known, size_t count);

// In how many places two names differ: letters left out, put in, replaced, or changed round with the next.
size_t name_distance(const char *a, const char *b);

// What to put in the place of the span, where that is sure: what was meant, if nothing but the
// misspelt word stands there. NULL otherwise.
const char *diag_replacement(const Diag *diag, const Sources *sources);

#endif
