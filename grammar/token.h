// Tokens, and the three steps from text to tree: scan, balance, parse.
//
// Private to grammar/. Owner: all of it lives in the arena that parse_source was given.
#ifndef OLDSOW_TOKEN_H
#define OLDSOW_TOKEN_H

#include "ast.h"

typedef enum TokenKind {
    TOK_END, // of the file
    TOK_NAME,
    TOK_NUMBER,
    TOK_STRING,
    TOK_KEY,
    TOK_DOTS, // ..
    TOK_OPEN_LIST,
    TOK_CLOSE_LIST,
    TOK_OPEN_SET,
    TOK_CLOSE_SET,
    TOK_FAULT, // something already reported; it becomes a NODE_ERROR
} TokenKind;

typedef struct Token {
    Span span;
    uint8_t kind;    // TokenKind
    bool first;      // is it the first token of its line?
    uint16_t column; // columns before it on its line, as far as they can be counted here
    uint16_t indent; // columns before the first token of its line
    union {
        const char *text; // NAME, KEY (interned), STRING (decoded)
        long number;      // NUMBER
    };
} Token;

typedef VEC(Token) Tokens;

// Where the scanner stands, and what it has to remember.
typedef struct Scan {
    uint32_t at;      // offset of what is scanned next
    uint32_t counted; // offset up to which lines and columns are counted
    uint32_t line, column;
    uint16_t indent;
    bool line_begun;        // has the line a token yet?
    size_t line_first;      // the last token that began a line
    bool token_counting;    // is what is to be counted next a token, not blanks or a comment?
    unsigned quotes_at_end; // texts found to be unclosed only at the end of the file
    bool cut_short;         // an unclosed comment took the rest: missing closers are no news
    struct {
        const char *what; // the kind of stray character reported last
        uint32_t line;    // where one was last seen
        uint32_t rest;    // a line of which all is told already, as in another language
        uint32_t foreign; // that line, if its words are no words of this language
        bool mixed;       // letters of two scripts in one word were told of
    } stray;
    bool torn; // something invisible came right behind the last name
} Scan;

// What the parser has to remember.
typedef struct Parse {
    size_t next; // token to hand out
    bool loose;  // was the last top-level item one outside of any form?
    Node *tree;  // the result
} Parse;

typedef struct Reader {
    Arena *arena;
    const Source *source;
    uint32_t file;
    Diags *diags;
    const struct LayoutWords *words; // how its forms are laid out; may be NULL
    Tokens tokens;                   // the last one is TOK_END
    VEC(Span) comments;              // in order; no tokens, and for the layout only
    Scan scan;
    Parse parse;
} Reader;

// lexer.l: fills r->tokens.
void scan_tokens(Reader *r);
// brackets.c: makes r->tokens such that every opener has its closer, nothing else closes, and no
// more than NESTING_MAX are open.
void balance_tokens(Reader *r);
// parser.y: builds r->parse.tree from balanced tokens.
void parse_tokens(Reader *r);

// The text of a span as a message shows it: in backticks, on one line, cut if long.
const char *quote_span(Reader *r, Span span);

#endif
