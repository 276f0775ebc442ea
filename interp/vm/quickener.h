// What the parts of the translation share: quicken.c, quick_flow.c, quick_entries.c. Private to them.
#ifndef OLDSOW_QUICKENER_H
#define OLDSOW_QUICKENER_H

#include "quick.h"

typedef enum Condition { // each is followed by its contrary
    IS_TRUE,             // a
    IS_FALSE,
    IS_EQ, // a b
    IS_NE,
    IS_LT,
    IS_GE,
    IS_LE,
    IS_GT,
    IS_OCC, // a: a site
    IS_NOCC,
    IS_EMPTY,
    IS_NEMPTY,
    IS_KIND, // a site, b kind
    IS_NKIND,
    IS_SET, // a site, b list of kinds (a number, not a cell)
    IS_NSET,
    IS_IN, // a value, b list
    IS_NIN,
    IS_VALUE, // no condition: the value of cell a
} Condition;

typedef struct Entry {
    Condition is;
    int a, b;
} Entry;

typedef struct Fixup {
    size_t word; // of the quick code, to hold the place of
    int target;  // this pc of the base code
} Fixup;

typedef struct Quickener {
    const Program *p;
    Arena *arena;
    const int *depths;
    bool *leads; // per base pc: a jump comes here
    int32_t *place;
    VEC(int32_t) code;
    VEC(int32_t) base;
    VEC(Fixup) fixups;
    VEC(Cell) constants;
    Entry stack[STACK_SIZE];
    int depth, slots;
    int pc;   // of the base instruction in hand
    int next; // of the one after it
    long
        result; // the word that says where the last instruction put its result; -1: not to be changed
    bool fits; // that result fits a cell whatever happens
} Quickener;

static inline Condition contrary(Condition is) { return (Condition)(is ^ 1); }

// Whether there is room for Quick.along.
enum { ALONG_MAX = 1 << 16 };
static inline bool goes_along(const Program *p) {
    return p->ntracks > 0 && p->ntracks <= ALONG_MAX / p->nsites;
}

// ---- quick_flow.c: where the base code leads -----------------------------------------------------

// The pc of the instruction after the one at `pc`.
int base_after(const Program *p, int pc);
// The operands of an instruction of the base code.
int base_operands(int op);
// Where a jump to `pc` really leads.
int base_follow(const Program *p, int pc);
// A jump to `pc` that leaves a truth on the stack. Follows it as long as what stands there only asks for that
// truth; true if the truth is used up on the way.
bool base_follow_truth(const Program *p, bool truth, int *pc);
bool base_iterates(int op);
// All places to which something jumps, goes on, or comes back, into q->leads.
void find_leaders(Quickener *q);

// A loop over a list whose first question is about the pieces on the element, and which goes on with the next
// one if the answer is no: one instruction does all that.
typedef struct Filter {
    QuickOp op;
    // What is asked for beside the element: the pc of the base instruction that says it, or -1. EACH_MORE: a
    // number. EACH_KIND: a kind of pieces, or if `family` is not -1 what that family says for it.
    int what, family;
    int next; // pc of the base code after the question
} Filter;

bool find_filter(const Quickener *q, int head, Filter *f);

// ---- quick_entries.c: code and values ------------------------------------------------------------

void q_put(Quickener *q, QuickOp op, int n, const int *operands);
#define PUT(op, ...)                                                                               \
    q_put(q, Q_##op, (int)(sizeof((int[]){__VA_ARGS__}) / sizeof(int)), (int[]){__VA_ARGS__})
void q_word(Quickener *q, int32_t w);
// A word that will hold the place of the quick code for `target`.
void q_target_word(Quickener *q, int target);
// The working cell of a slot of the stack; of a constant.
int q_slot(Quickener *q, int i);
enum { CONSTANTS = 1 << 24 };
int q_constant(Quickener *q, Cell value);
const Cell *q_constant_at(const Quickener *q, int cell); // NULL: no constant
void q_put_family(Quickener *q, int number, int d, int v);
// The truth of a condition as a value in cell d.
void q_put_truth(Quickener *q, const Entry *e, int d);
// Entry i, or all, into the slots they stand for.
void q_settle(Quickener *q, int i);
void q_settle_all(Quickener *q);
// Cells lo .. lo+n-1, or the pieces on sites, are about to be written: what stands for them is settled.
void q_spill(Quickener *q, int lo, int n);
void q_spill_pieces(Quickener *q);
void q_push(Quickener *q, Condition is, int a, int b);
Entry q_pop(Quickener *q);
int q_pop_cell(Quickener *q); // the cell of the topmost value, taken off
// `op` with `k` plain operands and the `n` topmost values: with a result, and without.
void q_compute(Quickener *q, QuickOp op, int k, const int *plain, int n, bool fits);
void q_act(Quickener *q, QuickOp op, int k, const int *plain, int n);
// The last instruction, if it gave the value on top and nothing has happened since; NULL otherwise.
int32_t *q_last_result(Quickener *q);
void q_take_back(Quickener *q); // that instruction

// ---- improve.c: what the translation makes, made better, into `quick`
// (not `well`: as it is).
void improve(Quickener *q, bool well, struct Quick *quick);

#endif
