// The compiler's own: shared by compile.c and the files emit_*.c.
//
// Cells have no final numbers before all code is there. While compiling, a cell is named by its kind and its
// number within it; every code word that holds one is noted and rewritten at the end.
#ifndef OLDSOW_EMIT_H
#define OLDSOW_EMIT_H

#include "check.h"
#include "eval.h"
#include "forms.h"
#include "world.h"

enum {
    CELLS_OF_VARS = 1 << 20,
    CELLS_OF_LOCALS = 2 << 20,
    CELLS_OF_SYSTEM = 3 << 20,
    CELLS_OF_SCRATCH = 4 << 20,
    CELLS_OF_ROWS = 5 << 20,
    CELLS_MASK = (1 << 20) - 1,
};

typedef VEC(int) Patches; // code offsets that wait for a target

typedef enum FrameKind { FRAME_LOOP, FRAME_TURNS, FRAME_TURN_OF, FRAME_WOULD, FRAME_SOW } FrameKind;

// What a (break), (again), (pass), (leave) may have to go through.
typedef struct Frame Frame;
struct Frame {
    FrameKind kind;
    int top;         // locals in use when it began: those above are zeroed on the way out
    int saved_mover; // FRAME_TURN_OF: the cell that holds the mover from before
    Patches out;     // loops, turns: to their end; look-ahead: to its `then`
    Patches again, pass, done;
    Frame *up;
};

// Something that is known while questions are asked: the value of an expression, which lies in a cell, or a truth.
typedef struct Known {
    const Node *node;
    bool list; // the list of a track's sites
    int cell;  // or -1: it is a truth
    int truth;
} Known;

typedef struct Compiler {
    World *w;
    Arena *arena;
    VEC(int32_t) code;
    VEC(Origin) origins;
    Patches cell_words;       // code offsets of words that name cells
    int top, max_top;         // locals: part of the position
    int scratch, max_scratch; // between decisions only
    int rows, max_rows;       // scratch that is reached by an index: nothing else ever lies there
    int asking;               // within an expression: all cells are scratch
    int hands, max_hands;     // sowings within sowings
    Frame *frame;
    VEC(Known) known; // see emit_known.c
    size_t known_from;
    bool learning;
    VEC(const Node *) roots; // the questions, whole
    size_t roots_from;
    int narrowing; // questions asked in emit_narrow.c
    VEC(Table) tables;
    VEC(Family) families;
    VEC(Alternative) alternatives;
    VEC(Decision) decisions;
    VEC(Throw) throws;
    int family_of[LUDEMES]; // a family that takes just the ludeme's arguments, +1
    int track_lists;        // the table from tracks to their lists, +1
    int opponents;          // the table from players to their opponents, +1
    int all_pieces;         // the list of all kinds
    bool scores, remembers;
    bool retires;  // somewhere in the program
    int play;      // pc
    bool counting; // with COVER at places that play comes by
    int place;     // the last of them that is come by on every way to here, or -1
    VEC(CoverPlace) places;
} Compiler;

// compile.c
void emit(Compiler *c, const Node *n, Opcode op);
void emit1(Compiler *c, const Node *n, Opcode op, int a);
void emit_push(Compiler *c, const Node *n, int value);
void emit_load(Compiler *c, const Node *n, int cell);
void emit_store(Compiler *c, const Node *n, int cell);
void emit_word(Compiler *c, const Node *n, int word);
void emit_cell(Compiler *c, const Node *n, int cell);
int emit_jump(Compiler *c, const Node *n, Opcode op); // gives what `land` takes
void land(Compiler *c, int jump);                     // the jump leads here
void land_all(Compiler *c, const Patches *jumps);
void emit_back(Compiler *c, const Node *n, Opcode op, int target);
int here(const Compiler *c);
// A place that is counted, if places are wanted. Gives the one before it (Compiler.place), which who leaves the part of
// the program that only this one leads to puts back.
int emit_cover(Compiler *c, const Node *n, OldsowPlaceKind kind);
ValueType value_type_of(Type t);
int new_cell(Compiler *c, bool scratch);
int new_row(Compiler *c, int n, bool scratch); // n cells side by side, to be reached by an index
// Everything made since: `end_scope` zeroes the locals and gives the cells back.
typedef struct Scope {
    int top, scratch, rows;
} Scope;
Scope begin_scope(const Compiler *c);
void end_scope(Compiler *c, const Node *n, Scope s);
void drop_scope(Compiler *c, Scope s); // without zeroing
int new_hand(Compiler *c);
int hand_site(const Compiler *c, int hand);

// emit_values.c
void emit_value(Compiler *c, const Node *n);
void emit_list(Compiler *c, const Node *n); // a list's number, of a track's sites too
void finish_track_lists(Compiler *c);
int constant_list(Compiler *c, const Node *n, const char *what); // of kinds of pieces
// Goes through a list: the loop's cells, and the code before the loop.
typedef struct Domain {
    enum { DOMAIN_LIST, DOMAIN_RANGE, DOMAIN_CELLS } kind;
    int a, b, n;
    bool skip_unset;
} Domain;
Domain emit_domain(Compiler *c, const Node *n, bool scratch);
// One round of it: gives the jump to land at the end; *start is where the next round begins.
int emit_iterate(Compiler *c, const Node *n, const Domain *d, int cell, int *start);

void emit_value_anew(Compiler *c, const Node *n); // whatever is known

// emit_tests.c
void emit_test(Compiler *c, const Node *n, const Node *test, bool sense, Patches *out);
bool asks_all(const Compiler *c, const Node *test);
void emit_junction(Compiler *c, const Node *n, Opcode keep);
void emit_quantifier(Compiler *c, const Node *n);
void land_at(Compiler *c, const Patches *jumps, int target);

// emit_known.c
typedef struct Asking {
    bool learning;
    size_t known, known_from, roots, roots_from;
} Asking;
Asking begin_asking(Compiler *c, const Node *n);
void add_question(Compiler *c, const Node *n);
void end_asking(Compiler *c, Asking a);
int size_of(const Compiler *c, const Node *n);       // nodes, about
const Node *meant(const Compiler *c, const Node *n); // what a name, or a (do ...), stands for
bool is_total(const Compiler *c, const Node *n);
bool sure_player(const Compiler *c, const Node *n);          // one who is there for certain
int known_cell(const Compiler *c, const Node *n, bool list); // or -1
int known_truth(Compiler *c, const Node *n);                 // or -1
void learn_truth(Compiler *c, const Node *n, bool truth);
void forget(Compiler *c, size_t n); // all but the first n
void forget_cells(Compiler *c, int scratch);
// Before a loop through values for these names, the parts of n that are the same in all rounds.
void lift_out(Compiler *c, const Node *n, bool list, Node *const *names, int nnames, double often);
int names_needed(const Compiler *c, const Node *n, Node *const *names, int nnames);
double about_rounds(Compiler *c, const Node *domain);
int domain_of(Compiler *c, const Node *domain);
typedef VEC(const Node *) Questions;
void find_implied(Compiler *c, const Node *n, Questions *out);
// emit_narrow.c
typedef struct Narrowed {
    Leaves leaves;
    int family, list; // the family, or -1 and the list
    unsigned decided; // the tests that all of it fulfils, by bits
    bool whole;
} Narrowed;
bool find_narrowed(Compiler *c, const Node *name, const Node *domain, const Questions *tests,
                   Narrowed *out);
Domain emit_narrowed(Compiler *c, const Node *n, const Narrowed *narrowed);

void keep_if_asked_again(Compiler *c, const Node *n);

// emit_doing.c
void emit_statement(Compiler *c, const Node *n);
void emit_block(Compiler *c, const Node *n, uint32_t from, bool value);
// The statements without opening a scope; `after` is asked (or decided) behind them in the same scope, or NULL.
void emit_sequence(Compiler *c, const Node *n, uint32_t from, const Node *after, bool value);
bool needs_no_code(const Compiler *c, const Node *let);
void emit_would(Compiler *c, const Node *n);
Frame *enter_frame(Compiler *c, FrameKind kind);
void leave_frame(Compiler *c);

// emit_moving.c
void emit_moving(Compiler *c, const Node *n);
void emit_sow(Compiler *c, const Node *n);
// emit_loops.c
void emit_while(Compiler *c, const Node *n);
void emit_repeat(Compiler *c, const Node *n);
void emit_for(Compiler *c, const Node *n);
void emit_turns(Compiler *c, const Node *n);
void emit_turn_of(Compiler *c, const Node *n);
void emit_way_out(Compiler *c, const Node *n);
// emit_choices.c
void emit_choose(Compiler *c, const Node *n);
void emit_either(Compiler *c, const Node *n);
void emit_throw(Compiler *c, const Node *n, const int *cells);

#endif
