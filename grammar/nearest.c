// Names that were perhaps meant.
#include "diag.h"

#include <assert.h>
#include <string.h>

enum { NAME_LENGTH_MAX = 64 }; // longer names are nobody's slip of the pen

static size_t least(size_t a, size_t b) { return a < b ? a : b; }

// Edit distance where two neighbouring letters changed round count as one edit.
static size_t edit_distance(const char *a, size_t na, const char *b, size_t nb) {
    assert(na <= NAME_LENGTH_MAX && nb <= NAME_LENGTH_MAX);
    size_t rows[3][NAME_LENGTH_MAX + 1];
    size_t *before = rows[0], *last = rows[1], *row = rows[2];
    for (size_t j = 0; j <= nb; j++) last[j] = j;
    for (size_t i = 1; i <= na; i++) {
        row[0] = i;
        for (size_t j = 1; j <= nb; j++) {
            size_t change = last[j - 1] + (a[i - 1] != b[j - 1]);
            row[j] = least(change, least(last[j], row[j - 1]) + 1);
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
                row[j] = least(row[j], before[j - 2] + 1);
        }
        size_t *spare = before;
        before = last, last = row, row = spare;
    }
    return last[nb];
}

const char *nearest_name(const char *name, const char *const *known, size_t count) {
    size_t length = strlen(name);
    if (length < 2 || length > NAME_LENGTH_MAX) return NULL;
    size_t best = (length + 1) / 3 + 1; // one more than what is near enough
    if (length <= 3) best = 2;
    const char *nearest = NULL;
    for (size_t i = 0; i < count; i++) {
        size_t n = strlen(known[i]);
        size_t gap = n > length ? n - length : length - n;
        if (n < 2 || n > NAME_LENGTH_MAX || gap >= best) continue;
        size_t distance = edit_distance(name, length, known[i], n);
        // Two letters, the first among them, make another word of a short one: rules, holes.
        if (distance > 1 && length <= 5 && known[i][0] != name[0]) continue;
        if (distance < best) {
            best = distance;
            nearest = known[i];
        }
    }
    return nearest;
}

size_t name_distance(const char *a, const char *b) {
    size_t n = strlen(a), m = strlen(b);
    if (n > NAME_LENGTH_MAX || m > NAME_LENGTH_MAX) return strcmp(a, b) ? NAME_LENGTH_MAX : 0;
    return edit_distance(a, n, b, m);
}

// The span may be that of a whole form, or of the use of a definition in which the word stands.
const char *diag_replacement(const Diag *diag, const Sources *sources) {
    char word[NAME_LENGTH_MAX + 2];
    size_t size = diag->span.end - diag->span.start;
    if (!diag->meant || diag->placeless || size >= sizeof word) return NULL;
    memcpy(word, source_of(sources, diag->span)->text + diag->span.start, size);
    word[size] = '\0';
    if (strcspn(word, " \t\r\n(){}\"") < size) return NULL;
    return nearest_name(word, &diag->meant, 1);
}
