// Types, names, arity, effects: everything that can be known of a form before it runs.
//
// Annotates each node: type, effect, ludeme, ref (a local's, symbol's or option's number). Faulty nodes get
// T_ERROR, about which everything else keeps silent.
#ifndef OLDSOW_CHECK_H
#define OLDSOW_CHECK_H

#include "world.h"

// An expression that only asks. Gives its type.
Type check_asking(World *w, Node *n);
// The same where a type is wanted: `who` is the ludeme that wants it. False after a report.
bool check_wanted(World *w, Node *n, const char *wanted, const char *who);
// The statements of (start ...) and (play ...).
void check_program(World *w, Node *body);
// Without a board, or players: what can be told of the body all the same, which is the heads that are no ludemes.
void check_heads(World *w, Node *body);
// What the node is, for messages: "`x`, a site", "this".
const char *describe(World *w, const Node *n);
// Whether type t will do where a signature asks for `wanted` ("site", "place", ...).
bool type_fits(Type t, const char *wanted);
// `k9`, as on a board with rows: columns a.., rows 1..
bool looks_like_site(const char *name);
int word_set_of(const World *w, const Node *n);

#endif
