// Searches that are followed before play: what improve_follow.c finds out, and improve_asked.c writes down. Private to them.
#ifndef OLDSOW_IMPROVE_ASKED_H
#define OLDSOW_IMPROVE_ASKED_H

#include "improve.h"

enum {
    CELLS_MOST = 24, // that a search writes; heads of loops that it comes to again
    ASKINGS = 12,    // questions of a search
    FOUND =
        ASKINGS, // what comes after an answer, if it is no question: the element is a candidate,
    NOT_FOUND,   // or is none
};

// How a question is answered for an element: it is known, or depends on a site, on those of a list, or on cells that are the
// same for all elements.
typedef enum Told { NOT_ASKED, TOLD_NO, TOLD_YES, OF_SITE, OF_LIST, OF_CELLS } Told;

// A question, by the instruction that asks it.
typedef struct Asking {
    int ins;
    bool grounded, celled; // some elements ask about a site; about cells
    Ground ground;         // begins where site 0 would be
    bool turned;
    int op, a, b; // the branch that compares cells
    int next
        [2]; // what comes after no and after yes: a place in `asking`, or one of the above; -1: nothing is answered so
    Told told[ASKED_MOST + 1];
    int16_t of[ASKED_MOST + 1]; // the site, or the list
} Asking;

typedef struct Search {
    Improver *im;
    const Live *live;
    const Ins *outer, *inner; // heads of the loops; inner: NULL if there is none
    const Ins *cand;          // finds the candidates
    Asking asking[ASKINGS];
    int nasking, first;
    int n; // elements; the one in hand is the next
    int16_t values[(ASKED_MOST + 1) * ASKED_VALUES];
    bool found; // the element in hand can be a candidate
    int at, of; // the place of its inner value, and how many there are
    int written[CELLS_MOST], nwritten;
    int heads[CELLS_MOST], nheads; // that are come to again
    int *seen, number;             // per instruction: the number of the search that came by last
    int work;                      // instructions followed
    bool fits;
} Search;

// ---- improve_follow.c
// Follows the search that begins with s->outer. False: it is none that can be asked at once.
bool search_follow(Search *s);

#endif
