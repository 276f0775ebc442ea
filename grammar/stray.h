// What the rooms share that tell of characters which mean nothing: stray.c, stray_texts.c,
// stray_letters.c, foreign_lines.c.
#ifndef OLDSOW_STRAY_H
#define OLDSOW_STRAY_H

#include "scan.h"

// The last token, if it ends where the span begins and is of that kind.
Token *touching(Reader *r, Span span, TokenKind kind);
// The bracket that is open before token `before`, or NULL. It is not looked for without end.
Token *innermost(Reader *r, size_t before);
// The name right before the bracket that is open here, as in `remove(1`, or NULL.
Token *called(Reader *r, bool with_blank);

// What is written there.
const char *written(Reader *r, Span span);

// Reports, unless it is more of what was reported: `what` tells which is the same. Gives the report, or -1.
int stray(Reader *r, Span span, const char *what, const char *mend);
// The rest of the line is in the same language.
void stray_line(Reader *r, Span span, const char *what, const char *mend);
// A quote before a name or a list, as in Lisp, or one that is never closed on its line.
void scan_lone_quote(Reader *r, Span span);

#endif
