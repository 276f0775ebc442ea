// A record as its reader sees it: headers, then tokens. Private to record_*.c.
//
// Owner: the Record and all it points to live in its arena. A Scanner is a place in a Record.
#ifndef OLDSOW_RECORD_SCAN_H
#define OLDSOW_RECORD_SCAN_H

#include "../../grammar/diag.h"
#include "record.h"

typedef struct RecordHeader {
    const char *name, *value; // value with its escapes resolved
    Span name_span, span;     // span: of the value, with its quotes
} RecordHeader;

struct Record {
    Arena *arena;
    Sources sources; // one file; none if it could not be read
    Diags diags;
    VEC(RecordHeader) headers;
    VEC(OldsowSetting) settings;
    VEC(Span) setting_spans; // where each is written
    uint32_t moves;          // offset of the text after the headers
};

typedef enum TokenKind {
    TOKEN_END,
    TOKEN_NAME,  // a candidate
    TOKEN_COLON, // a throw or a player's label: name without the colon
    TOKEN_TURN,  // a turn number: name is its digits
    TOKEN_STAR,
} TokenKind;

enum { TOKEN_NAME_MAX = 256 };

typedef struct Token {
    TokenKind kind;
    Span span;
    bool cut;   // the name was longer than `name` holds: nothing in a game has such a name
    bool again; // of a turn number: written with three dots, for a turn that goes on
    char name[TOKEN_NAME_MAX];
} Token;

typedef struct Scanner {
    Record *record;
    uint32_t at;
    bool reports; // faults of the text are reported; they are when it is read, and need not be
                  // again when it is played
} Scanner;

const Source *record_source(const Record *record);
// Reads the headers at the start of the text and reports what is wrong with them.
void scan_headers(Scanner *scanner);
// The next token; faults of the text are passed over.
void scan_token(Scanner *scanner, Token *token);
// Whether a header of that name means something to Oldsow.
bool record_knows_header(const char *name);
const RecordHeader *record_find_header(const Record *record, const char *name);

#endif
