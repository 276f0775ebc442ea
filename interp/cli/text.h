// Text for people: folded to the width of a page.
//
// Owner: nothing is kept.
#ifndef OLDSOW_CLI_TEXT_H
#define OLDSOW_CLI_TEXT_H

#include <stdbool.h>
#include <stdio.h>

enum { TEXT_WIDTH = 80 };

// Prints a text folded at TEXT_WIDTH, each line after `indent` blanks. Blanks and line ends in the
// text count as one blank, an empty line begins a paragraph. The last line is ended. Nothing for an
// empty text.
void text_fold(FILE *out, const char *text, int indent);
// Words after each other, folded in the same way. `column` is where the line stands already.
typedef struct Fold {
    FILE *out;
    int indent, column;
} Fold;
void fold_word(Fold *fold, const char *word);
void fold_end(Fold *fold);

#endif
