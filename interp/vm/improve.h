// What the parts of the improvement of quick code share: improve.c and all improve_*.c. Private to them.
//
// The code is a set of instructions, each of which names the one after it, so that any may be changed,
// passed over or led elsewhere without moving the others. There is a copy of all of them for each player
// who may be the mover: within a copy the mover is a constant, and so is what is worked out from him.
// SET_MOVER leads from one copy to another. Nothing here changes what a program does, at which place it fails,
// or what a waiting position holds; scratch cells and slots may hold something else.
#ifndef OLDSOW_IMPROVE_H
#define OLDSOW_IMPROVE_H

#include "asked.h"
#include "quickener.h"

enum {
    INS_OPERANDS = 18,
    COPIES_MAX = 4,       // of the code: players of a game that has so many
    COPIED_WORDS = 40000, // base code that is longer is not copied
};

typedef struct Ins {
    QuickOp op;
    bool gone; // passed over: nothing is done here
    int copy;  // that it belongs to
    int base;  // pc of the base code
    int next;  // the instruction after it, or -1
    int w[INS_OPERANDS];
} Ins;

typedef struct Shared { // what several questions have alike
    const void *at;
    size_t size;
} Shared;

// An outcome of a throw, in a copy of the code: where the game goes on with it if it is played on by chance. It is
// known there what has been thrown.
typedef struct Outcome {
    int entry; // an instruction where nothing is done
    const Throw *thrown;
    int number;
    Thrown written;
} Outcome;

// Classes as they are written where elements have these needs: see improve_kept.c.
typedef struct KeptRules {
    const void *needs;
    AskedClass *classes;
    unsigned kept;
} KeptRules;

typedef struct Improver {
    const Program *p;
    Arena *arena;
    Quickener *q; // constants and slots are numbered there
    Ins *ins;     // ncopies times each, and then some more
    int each;     // instructions of a copy
    int n, ncopies, most;
    int *place;   // per copy and word of the base code: the instruction there, or -1
    bool *entry;  // per instruction: execution may come here from outside,
    bool *open;   // with any cells
    bool retires; // players may retire
    VEC(int16_t) columns;
    VEC(Asked) asked;
    VEC(Shared) shared;
    VEC(bool) answers; // see JANSWER
    Keeping *keeping;  // NULL: nothing is kept
    VEC(KeptOrder *) orders;
    VEC(Outcome) outcomes;
    VEC(KeptRules) kept; // what was written for needs that may come again
} Improver;

// Operands of an instruction: a letter each, as in quick.def.
extern const char *const quick_kinds[QUICK_OPS];

// Whether an operand of this kind is written, going round a loop or not.
static inline bool kind_is_written(char kind) { return kind == 'd' || kind == 'i' || kind == 'v'; }

// Whether the mover is the number of the copy.
static inline bool mover_is_known(const Improver *im) {
    return im->ncopies > 1 || im->p->nplayers == 1;
}
static inline int copy_of(const Improver *im, int i) { return im->ins[i].copy; }
// The place of the operand that says where a branch leads; -1: it does not. Loops have two, one after the other.
int ins_target(QuickOp op);
// The first instruction from `i` on that does something.
int ins_at(const Improver *im, int i);
// Where `one` stands among them, or -1.
static inline int place_among(const int *all, int n, int one) {
    for (int k = 0; k < n; k++)
        if (all[k] == one) return k;
    return -1;
}
// Calls `visit` for all instructions that may come after `i`, directly or by way of the machine.
typedef void InsVisit(void *context, int from, int to);
void ins_followers(const Improver *im, int i, InsVisit *visit, void *context);

// The instructions that may ever be come to: of each whether it is one, and all of them.
typedef struct Reached {
    bool *is;
    int *all, n;
} Reached;
void ins_find_reached(Reached *r, const Improver *im);
InsVisit ins_reach; // one more, `to`; the context is a Reached

// ---- improve_fold.c: instructions on constants
bool ins_folds(QuickOp op); // whether it can be such a one
// The result of one whose operands that are read hold `v`, in order. False: it is not known, or it is a fault.
bool ins_fold(const Improver *im, const Ins *ins, const int32_t *v, int32_t *r);
// ---- improve_flow.c: constants and copies in the place of cells, questions whose answer is known
// `copies`: a way on which more is known gets instructions of its own
void improve_flow(Improver *im, bool copies);
// ---- improve_live.c: what nobody asks for is not worked out
typedef struct Live {
    Improver *im;
    int count;           // of instructions
    int first, n, words; // cells first .. first + n - 1, a bit each
    uint64_t *at;        // per instruction: the cells that are read there or later
    uint64_t *after, *room;
    int *thens, nthens; // where look-aheads go on when the game ends in them
} Live;

bool live_find(Live *l, Improver *im); // false: too much work
// Whether somebody may read the cell after instruction i; there or after it.
bool live_is_wanted(const Live *l, int i, int cell);
bool live_is_read(const Live *l, int i, int cell);
// True if it does nothing but give a result, and cannot fail.
bool live_only_gives(const Improver *im, const Ins *ins);
void improve_live(Improver *im);
// ---- improve_rounds.c: short loops written out. `l` is what holds before.
void improve_rounds(Improver *im, const Live *l);
// ---- improve_throws.c: what comes after a throw, for each outcome
int outcomes_room(const Program *p); // instructions that are added in a copy, about
void improve_throws(Improver *im);
// What is written for each of them at once, and where the game goes on.
void improve_thrown(Improver *im);
static inline Cell outcome_value(const Improver *im, const Outcome *o, int k) {
    const Dice *dice = &im->p->dice[o->thrown->dice];
    return dice->outcomes[o->number * dice->nvalues + k];
}
// ---- improve_pairs.c: shorter forms, and two in one. `l` is what holds before.
void improve_pairs(Improver *im, const Live *l);
// ---- improve_sow.c: rounds of a sowing with hooks
void improve_sow(Improver *im);
// ---- improve_asked.c, improve_follow.c: searches at once. `l` is what holds before.
void improve_asked(Improver *im, const Live *l);
// ---- improve_again.c: searches that have just been made
void improve_again(Improver *im);
// ---- improve_ends.c: candidates that are left to DECIDE
void improve_noted(Improver *im);
// ---- improve_look.c: look-aheads that write little
void improve_look(Improver *im);
// ---- improve_fuse.c: several instructions in one
void improve_fuse(Improver *im);
// ---- improve_join.c: those that follow each other
void improve_join(Improver *im);
// ---- improve_clear.c: cells that are cleared
void improve_clear(Improver *im);

#endif
