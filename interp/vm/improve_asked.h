// Searches that are followed before play: what improve_follow.c finds out, and improve_asked.c writes down. Private
// to them.
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

// How a question is answered for an element: it is known, or depends on a site, on those of a list, on cells that are
// the same for all elements, or on whether such a cell holds a value that belongs to the element. Or on whether the
// first site of a list where something lies has a place in it; or that place or a later one.
typedef enum Told {
    NOT_ASKED,
    TOLD_NO,
    TOLD_YES,
    OF_SITE,
    OF_LIST,
    OF_CELLS,
    OF_VALUE,
    OF_FIRST
} Told;

// An instruction before the search: that only gives a value, or a loop that looks for the first element of a list.
enum { STEPS_MOST = 16, PASSED_MOST = 64 };
typedef struct Step {
    int ins, none; // of the loop: what is done if there is no such element; else -1
    int cell;      // what it gives
    bool used;     // as part of the search
} Step;

// Per instruction those that lead to it: from[first[i]] .. from[first[i + 1] - 1].
typedef struct Before {
    int *first, *from;
    int count; // instructions there were
} Before;

// What becomes of an element for which all answers are right: it is a candidate, it counts, or the code goes on with
// it, to come back for the next one or not.
typedef enum End { NO_END, END_CAND, END_COUNT, END_REST } End;

// A question, by the instruction that asks it.
typedef struct Asking {
    int ins;
    bool grounded, celled; // some elements ask about a site; about cells
    Ground ground;         // begins where site 0 would be
    bool turned;
    unsigned holds; // what it asks about cells a and b, as in AskedNode
    int a, b;
    int next
        [2]; // what comes after no and after yes: a place in `asking`, or one of the above; -1: nothing is answered so
    Told told[ASKED_MOST + 1];
    int16_t of[ASKED_MOST + 1]; // the site, the list, the value, the place
    const List *row;            // OF_FIRST: the list
    bool later;                 // or a later place
} Asking;

typedef struct Givens Givens;

typedef struct Search {
    Improver *im;
    const Live *live;
    const Reached *reached;
    const Before *before;
    bool alone;             // nothing that is worked out before becomes part of the search
    Step steps[STEPS_MOST]; // before it, the last one first
    int nsteps, aside;      // aside: where all is done as it is written
    const Givens *givens;
    bool given;       // the steps are what is given there: see improve_given.c
    bool stays, stay; // the steps are left where they are; those of any search so far
    int passed[PASSED_MOST],
        npassed;              // instructions of other searches between the steps and this one
    const Ins *outer, *inner; // heads of the loops; inner: NULL if there is none
    // A cell that is taken to hold a value: nothing in the search writes it. -1: none.
    int by;
    Cell by_value;
    int wanted;      // a cell of which one would have to know what it holds, or -1
    int stop;        // all elements that come there are found, or -1
    const Ins *cand; // the last that was found
    unsigned
        held; // a bit for each value of the candidates that lies in its cell already, the same for all
    End end;
    int end_at; // the instruction: that finds a candidate, counts, or goes on
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

// Where what is asked by a search is written down: for n values of a cell, from `low` on, one after the other.
enum { ASKED_BY = 12 }; // values, at most
typedef struct AskedBy {
    int first, by, low, n;
} AskedBy;

// ---- improve_asked.c
// Which elements each value belongs to, if some answers of the question depend on values.
void asked_owners(const Search *s, const Asking *a, AskedNode *to);
// A table like this one: many questions ask about the same sites in the same order, and it is best if one table is at
// hand for all.
const uint64_t *asked_spread(Improver *im, const uint64_t *table, size_t n);
// The same of whatever it is; it begins where an object may.
const void *asked_shared(Improver *im, const void *what, size_t size);

// ---- improve_classes.c
bool grounds_alike(const Ground *a, const Ground *b);
// What is asked, as classes of elements, into q; `answer` as in a Draft. False: there are too many, or some elements
// ask about lists.
bool write_classes(const Search *s, const int8_t *answer, Asked *q);

// ---- improve_kept.c
// An element is found only if a site of a ground, which begins where site 0 would be, is as it has to be.
typedef struct Need {
    int class, element, site;
    bool wanted; // something has to lie there
    Ground ground;
} Need;
typedef VEC(Need) Needs;
// Before all searches: whether grounds may be kept; and after them: those that count on each kind of pieces.
void keeping_begin(Improver *im);
void keeping_settle(Improver *im);
// Writes rules into the classes that ask grounds which are kept, and that into q. False: that cannot be.
bool keep_needs(const Search *s, const Needs *needs, AskedClass *classes, int n, Asked *q);

// ---- improve_before.c
void before_find(Before *b, const Improver *im, const Reached *r);
// The instructions before the search that come one after the other; other searches may be among them.
void before_search(Search *s);
// What becomes part of the search, for any of the values it is followed for, and the cells that it asks about.
enum { USES_MOST = 2 * ASKINGS * ASKED_BY };
typedef struct Uses {
    bool used[STEPS_MOST], fits;
    int cells[USES_MOST], n;
} Uses;
// Whether what becomes part of the search gives the cell: who writes it in a round changes what later rounds ask.
bool before_gives(const Search *s, int cell);
void before_note(const Search *s, Uses *u);
bool before_settle(Search *s, const Uses *u);
// The step that gives a cell, or -1; and if it is a loop, seen from another step, which becomes part of the search.
int before_step(const Search *s, int cell);
int before_first(Search *s, int cell, int from);
// Whether somebody asks for what becomes part of the search: an instruction, or some that come there or later.
bool before_reads_used(const Search *s, const Ins *ins);
bool before_is_wanted(const Search *s, int at);
bool before_fits(const Search *s);
// What is part of the search may stand where it does, and be done once more where the search is gone through as it is
// written: in the end nobody may ask for it where it stands. False: that cannot be.
bool before_may_stay(const Search *s);
int before_again(Search *s, int loop);
// Moves the head of the search, ins[i], to where what is part of it begins; gives its place.
int before_move(Search *s, int i);

// Whether there is any such.
bool before_uses(const Search *s);
// A loop that ends with the first element found, and gives UNSET if there is none: one that begins there.
bool before_is_first(const Search *s, int begin, Step *step);

// ---- improve_given.c
Givens *givens_find(const Search *s);
bool givens_any(const Search *s, int i); // before instruction i
void givens_search(Search *s);
int givens_aside(Search *s, int i);

// ---- improve_ends.c
// Puts one instruction in the place of the loop's head, ins[i]. False: that cannot be.
bool ask_at_once(Search *s, int i, const AskedBy *by);

// A cell that was written on a way: its value is known, or it is how many pieces lie on a site, or neither.
typedef struct Written {
    int cell;
    bool known, counts;
    Cell value; // or the site
    Ground ground;
} Written;

// What is known of the cells that were written on a way, and what was answered last on it.
typedef struct Way {
    Written cells[CELLS_MOST];
    int n;
    bool within; // the inner loop
    int question;
    bool yes;
    int since; // the first instruction after the answer, or -1
} Way;

// ---- improve_questions.c
// The place among the cells of the way, or -1.
int way_place(const Way *w, int cell);
void way_set(Search *s, Way *w, Written written);
// The value of a cell on this way; false: it is not known before play.
bool way_value(const Search *s, const Way *w, int cell, Cell *v);
// The way goes on to a question, or ends.
void way_lead(Search *s, const Way *w, int to);
// The question that an instruction asks; NULL: there are too many.
Asking *way_asking(Search *s, int ins);
// A branch: what it asks, of the element in hand. True in *contrary: it leads away where the answer is no.
void ask_branch(Search *s, const Way *w, Asking *a, const Ins *ins, bool *contrary);
// A head that asks something of the element it comes to.
void ask_head(Search *s, const Way *w, Asking *a, const Ins *head, Cell element);
// What a head of a loop asks of the sites of its list, as they are counted. False: it is something else.
bool head_ground(const Search *s, const Ins *head, Cell element, Ground *g);
// Whether an instruction gives how many pieces lie on a site that is known.
bool count_pieces(const Search *s, const Way *w, const Ins *ins, Written *count);

// ---- improve_follow.c
// Follows the search that begins with s->outer. False: it is none that can be asked at once.
bool search_follow(Search *s);
// Whether both are heads of one loop.
bool is_loop_of(const Ins *ins, const Ins *head);

#endif
