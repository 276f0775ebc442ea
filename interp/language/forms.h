// The shapes of forms that the signatures of ludemes.def cannot tell: read here once, for the checker and the compiler.
#ifndef OLDSOW_FORMS_H
#define OLDSOW_FORMS_H

#include "world.h"

enum { BINDER_TESTS = 12 };

// (choose a in: A where: T b in: B ... as: "x" else: S BODY...), (for v in: A BODY...), (any v in: A TEST)
typedef struct Binder {
    int nvars;
    Node *names[CHOOSE_VARS], *domains[CHOOSE_VARS];
    int ntests;
    int after[BINDER_TESTS]; // the test is asked once so many names are filled
    Node *tests[BINDER_TESTS];
    Node *label, *otherwise, *weight; // as:, else:, a lot's weight:
    uint32_t body;                    // the first kid of the body
    const Node *fault;                // a kid that does not fit, or NULL
    const char *why;
} Binder;

void read_binder(Node *n, Binder *b);

// The value of `key:` among the kids, or NULL.
Node *key_value(const Node *n, const char *key);
// What a throw calls its dice: `first:` is at 0. CHOOSE_VARS: no such key.
extern const char *const dice_places[CHOOSE_VARS];
int dice_place(const char *key);
// Kids that are neither the head nor a key or its value: `i` goes from one to the next. Start with 0; 0 is the end.
uint32_t next_plain(const Node *n, uint32_t i);
uint32_t count_plain(const Node *n);

// (sow SITE along: T ... before: (a b) S after: (a b) S skip: (s) C)
typedef struct Hook {
    Node *first, *second; // names; second NULL for skip
    Node *body;           // NULL: there is none
} Hook;

typedef struct Sow {
    Node *site, *along, *first, *order;
    Hook before, after, skip;
    const Node *fault;
    const char *why;
} Sow;

void read_sow(Node *n, Sow *s);
// Whether such a form never lets the next one be done.
bool never_comes_back(LudemeId id);
// The same of a node.
bool never_returns(const Node *n);
// Whether a statement does nothing at all.
bool does_nothing(const Node *n);

#endif
