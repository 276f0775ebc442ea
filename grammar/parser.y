/* Tokens -> tree. Brackets are balanced by the time they come here, so the only mistakes left are
   ranges without an end and items outside of any form. */

%require "3.8"
%define api.pure full
%define api.prefix {sow_}
%define api.token.prefix {T_}
%define api.location.type {Span}
%define api.value.type union
%define parse.error custom
%define parse.lac full
%locations
%expect 0
%param { Reader *r }
%initial-action { @$ = (Span){r->file, 0, 0}; }

%code requires {
#include "token.h"

typedef VEC(Node *) Kids;
}

%code {
// How deep brackets are nested was limited before they come here: the stack never grows past this,
// and so the parser never asks the system for memory.
#define YYINITDEPTH (4 * NESTING_MAX + 100)
#define YYMAXDEPTH YYINITDEPTH

#define YYLLOC_DEFAULT(whole, parts, n)                                                            \
    ((whole) = (n) ? span_join(YYRHSLOC(parts, 1), YYRHSLOC(parts, n))                             \
                   : (Span){YYRHSLOC(parts, 0).file, YYRHSLOC(parts, 0).end,                       \
                            YYRHSLOC(parts, 0).end})

static int sow_lex(SOW_STYPE *value, Span *span, Reader *r);
static void sow_error(const Span *span, Reader *r, const char *message);
static Kids *append(Reader *r, Kids *kids, Node *kid);
static Node *atom(Reader *r, NodeKind kind, Span span, const char *text);
static Node *number(Reader *r, Span span, long n);
static Node *range(Reader *r, Span span, Node *from, Node *to);
static Node *list(Reader *r, NodeKind kind, Span span, const Kids *kids);
static Node *whole_file(Reader *r, const Kids *kids);
static Kids *top_form(Reader *r, Kids *kids, Node *form);
static Kids *outside(Reader *r, Kids *kids, Span span, bool told);
}

%token END 0 "the end of the file"
%token <const char *> NAME "a name" STRING "a text" KEY "a key"
%token <long> NUMBER "a number"
%token DOTS "`..`"
%token OPEN_LIST "`(`" CLOSE_LIST "`)`" OPEN_SET "`{`" CLOSE_SET "`}`"
%token FAULT "something faulty"

%nterm <Kids *> file items
%nterm <Node *> list set item operand

%%

script: file                     { r->parse.tree = whole_file(r, $1); }

file:
  %empty                         { $$ = append(r, NULL, NULL); }
| file list                      { $$ = top_form(r, $1, $2); }
| file NAME                      { $$ = outside(r, $1, @2, false); }
| file NUMBER                    { $$ = outside(r, $1, @2, false); }
| file STRING                    { $$ = outside(r, $1, @2, false); }
| file KEY                       { $$ = outside(r, $1, @2, false); }
| file DOTS                      { $$ = outside(r, $1, @2, false); }
| file set                       { $$ = outside(r, $1, @2, false); }
| file FAULT                     { $$ = outside(r, $1, @2, true); }
| file error                     { $$ = append(r, $1, node_new(r->arena, NODE_ERROR, @2)); }

list: "`(`" items "`)`"          { $$ = list(r, NODE_LIST, @$, $2); yyerrok; }
set:  "`{`" items "`}`"          { $$ = list(r, NODE_SET, @$, $2); yyerrok; }

items:
  %empty                         { $$ = append(r, NULL, NULL); }
| items item                     { $$ = append(r, $1, $2); }
| items error                    { $$ = append(r, $1, node_new(r->arena, NODE_ERROR, @2)); }

item:
  operand
| operand "`..`" operand         { $$ = range(r, @$, $1, $3); }
| set
| STRING                         { $$ = atom(r, NODE_STRING, @1, $1); }
| KEY                            { $$ = atom(r, NODE_KEY, @1, $1); }

operand:
  NAME                           { $$ = atom(r, NODE_NAME, @1, $1); }
| NUMBER                         { $$ = number(r, @1, $1); }
| list
| FAULT                          { $$ = node_new(r->arena, NODE_ERROR, @1); }

%%

static Kids *append(Reader *r, Kids *kids, Node *kid) {
    if (!kids) kids = arena_alloc(r->arena, sizeof *kids);
    if (kid) vec_push(r->arena, kids, kid);
    return kids;
}

static Node *atom(Reader *r, NodeKind kind, Span span, const char *text) {
    Node *n = node_new(r->arena, kind, span);
    n->text = text;
    return n;
}

static Node *number(Reader *r, Span span, long value) {
    Node *n = node_new(r->arena, NODE_NUMBER, span);
    n->number = value;
    return n;
}

static Node *range(Reader *r, Span span, Node *from, Node *to) {
    Node *ends[] = {from, to};
    return node_list(r->arena, NODE_RANGE, span, ends, 2);
}

static Node *list(Reader *r, NodeKind kind, Span span, const Kids *kids) {
    return node_list(r->arena, kind, span, kids->at, kids->n);
}

static Node *whole_file(Reader *r, const Kids *kids) {
    return list(r, NODE_SET, (Span){r->file, 0, r->source->size}, kids);
}

static Kids *top_form(Reader *r, Kids *kids, Node *form) {
    r->parse.loose = false;
    return append(r, kids, form);
}

// Items in a row outside of any form are one mistake: the first is reported. `told` says that this
// one was reported before.
static Kids *outside(Reader *r, Kids *kids, Span span, bool told) {
    if (!told && !r->parse.loose) {
        int report = diag_report(r->diags, E_OUTSIDE_FORM, span, quote_span(r, span));
        diag_mend(r->diags, report, "a script is made of forms like (game ...): is a ( missing?");
    }
    r->parse.loose = true;
    return append(r, kids, node_new(r->arena, NODE_ERROR, span));
}

static int sow_lex(SOW_STYPE *value, Span *span, Reader *r) {
    Token t = r->tokens.at[r->parse.next];
    if (t.kind != TOK_END) r->parse.next++;
    *span = t.span;
    switch ((TokenKind)t.kind) {
    case TOK_END: break;
    case TOK_NAME: value->T_NAME = t.text; return T_NAME;
    case TOK_NUMBER: value->T_NUMBER = t.number; return T_NUMBER;
    case TOK_STRING: value->T_STRING = t.text; return T_STRING;
    case TOK_KEY: value->T_KEY = t.text; return T_KEY;
    case TOK_DOTS: return T_DOTS;
    case TOK_OPEN_LIST: return T_OPEN_LIST;
    case TOK_CLOSE_LIST: return T_CLOSE_LIST;
    case TOK_OPEN_SET: return T_OPEN_SET;
    case TOK_CLOSE_SET: return T_CLOSE_SET;
    case TOK_FAULT: return T_FAULT;
    }
    return T_END;
}

// What the grammar would take, when that is little, or "an item".
static const char *expected(Reader *r, const yypcontext_t *context) {
    enum { FEW = 4 };
    yysymbol_kind_t kinds[FEW + 1];
    int n = yypcontext_expected_tokens(context, kinds, FEW + 1);
    if (n <= 0 || n > FEW) return "an item or a closing bracket";
    const char *text = NULL, *last = NULL; // "a name, a number" and "`(`", to be joined by "or"
    for (int i = 0; i < n; i++) {
        if (kinds[i] == YYSYMBOL_FAULT) continue;
        if (last) text = text ? arena_printf(r->arena, "%s, %s", text, last) : last;
        last = yysymbol_name(kinds[i]);
    }
    if (!last) return "an item";
    return text ? arena_printf(r->arena, "%s or %s", text, last) : last;
}

static int yyreport_syntax_error(const yypcontext_t *context, Reader *r) {
    Span span = *yypcontext_location(context);
    const char *found = span.end > span.start ? quote_span(r, span)
                                              : yysymbol_name(yypcontext_token(context));
    int report = diag_report(r->diags, E_UNEXPECTED, span, found, expected(r, context));
    diag_mend(r->diags, report,
              "a range has two ends, each a name, a number or a form: 1..5, a1..e1");
    return 0;
}

// Only a parser out of memory calls this.
static void sow_error(const Span *span, Reader *r, const char *message) {
    (void)span, (void)message;
    longjmp(*arena_oom(r->arena), 1);
}

void parse_tokens(Reader *r) {
    int status = sow_parse(r);
    if (status != 0 || !r->parse.tree)
        r->parse.tree = node_new(r->arena, NODE_ERROR, (Span){r->file, 0, 0});
}
