// The longer explanations of messages: the pages of docs/errors/, as they were when the binary was built. Each begins
// with `# E0106: a title`; then come paragraphs and fenced blocks.
//
// Owner: nothing is kept; texts are those of the binary.
#ifndef OLDSOW_CLI_EXPLAIN_H
#define OLDSOW_CLI_EXPLAIN_H

#include <stdbool.h>
#include <stdio.h>

#include "../language/stdlib_data.h"
#include "../oldsow.h"

typedef StdlibFile Explanation; // its name is the code

// Whether a word can only be meant as a code: E, R or W in either case, then digits.
bool is_code(const char *word);
// The explanation of a code, in either case; NULL if there is none.
const Explanation *explanation_find(const char *code);
// What stands behind the code in the first line, `*size` bytes.
const char *explanation_title(const Explanation *e, int *size);
// The page without its first line.
const char *explanation_body(const Explanation *e);

// For people: the title, paragraphs folded, blocks indented.
void explanation_print(const Explanation *e, FILE *out, bool colour);
// A line for each code, in groups.
void explanations_list(FILE *out, bool colour);
// The codes that differ least from one that there is not. Gives how many were put into `near`.
enum { CODES_NEAR = 4 };
size_t codes_near(const char *code, const char *near[CODES_NEAR]);

// The codes of the messages that were shown, each once, to say where to read on.
enum { CODES_TOLD = 4 };
typedef struct CodesTold {
    char at[CODES_TOLD][8];
    size_t n;
} CodesTold;
void codes_add(CodesTold *told, const char *code); // NULL is no code
void codes_add_report(CodesTold *told, const OldsowReport *report);
// "for more: oldsow help E0106 E0201" on standard error, if that is a terminal.
void codes_point(const CodesTold *told);

#endif
