#include "text.h"

#include <string.h>

#include "../../grammar/utf8.h"

static int width(const char *text, size_t size) {
    int columns = 0;
    for (size_t i = 0; i < size;) {
        uint32_t code = 0;
        unsigned n = utf8_decode(text + i, size - i, &code);
        columns += n ? (int)utf8_width(code) : 1;
        i += n ? n : 1;
    }
    return columns;
}

static void put_word(Fold *fold, const char *word, size_t size) {
    int columns = width(word, size);
    if (fold->column > fold->indent && fold->column + 1 + columns > TEXT_WIDTH) fold_end(fold);
    if (fold->column == 0)
        fold->column = fprintf(fold->out, "%*s", fold->indent, "");
    else if (fold->column > fold->indent)
        fold->column += fprintf(fold->out, " ");
    fwrite(word, 1, size, fold->out);
    fold->column += columns;
}

void fold_word(Fold *fold, const char *word) { put_word(fold, word, strlen(word)); }

void fold_end(Fold *fold) {
    if (fold->column > 0) fputc('\n', fold->out);
    fold->column = 0;
}

static int newlines(const char *blanks, size_t size) {
    int n = 0;
    for (size_t i = 0; i < size; i++) n += blanks[i] == '\n';
    return n;
}

void text_fold(FILE *out, const char *text, int indent) {
    Fold fold = {.out = out, .indent = indent};
    bool any = false;
    while (*text) {
        size_t blanks = strspn(text, " \t\r\n");
        if (any && text[blanks] && newlines(text, blanks) > 1) {
            fold_end(&fold);
            fputc('\n', out);
        }
        text += blanks;
        size_t size = strcspn(text, " \t\r\n");
        if (size > 0) put_word(&fold, text, size);
        any = true;
        text += size;
    }
    fold_end(&fold);
}
