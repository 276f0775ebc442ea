// The inside of translate.c and its rooms: flow.c (where code leads), facts.c (what is known of values),
// contexts.c (players to move, loops that are written out), stack.c (the stack as C expressions); and the instructions:
// reckoning.c, asking.c, moving.c, sowing.c, decisions.c, counted.c, marked.c, control.c.
//
// The translation goes over the code again and again, writing nothing, until what is known at each label holds
// (facts.c); only then the text is written. With one or two players everything is written once for each
// player to move, so that what depends on the mover is a constant there: a variant.
#ifndef OLDSOW_TRANSLATOR_H
#define OLDSOW_TRANSLATOR_H

#include "../../grammar/arena.h"
#include "../vm/program.h"
#include "names.h"

enum {
    SCALARS_MAX = 400, // cells that become C variables
    VARIANTS_MAX = 2,
    VARIANT_CODE_MAX = 20000,   // longer programs are written once
    LABELS_MAX = 1 << 22,       // label facts kept in all, in ranges
    UNROLLED_MAX = 64,          // rounds of a loop that is written out, and
    UNROLLED_WORDS_MAX = 500,   // code words that come of it
    UNROLLED_SEARCH_MAX = 5000, // the same for loops that search for candidates
    QUIET_MAX = 64,     // innermost loops of at most so many rounds are charged at their end
    SITE_KINDS_MAX = 4, // kinds on a site that are spelt one by one
    AHEAD_TRACKS_MAX = 8,
    MASK_LINES_MAX = 64,
    MASK_LOADED_MAX = 16,
    SPELT_MAX = 16,     // counts that are added up one by one
    LAP_CELLS_MAX = 32, // cells that are sown at once
    LAP_TRACKS_MAX = 4,
    LAP_PIECES_MIN = 3, // pieces for each site of the way: smaller handfuls are dropped one by one
    PARTS_MAX = 4,      // of candidates that are counted
    COUNTED_VALUES = 2, // of each of them
    AT_ONCE_FEW = 6,    // elements of a list that are asked about one by one, though all at once
};

typedef struct Range {
    int32_t low, high;
} Range;

typedef struct Spot { // what holds at a code word
    int depth;        // -1: nothing comes here
    int would;        // pc of the innermost look-ahead, or -1
    int back;         // the last place that jumps back here, or -1
    int first, last;  // place that jumps here; last -1: none does
    bool searches;    // for a decision's candidates
    bool label;       // something jumps here
    bool entry;       // a run may begin or go on here
    bool answer;      // an answer of a look-ahead that tries decisions arrives here
} Spot;

// In which the code is gone over: for a player to move, and there for a round of a loop that is written out round by
// round. A context of its own has the code words `head` to `back`, those of the loop.
typedef struct Context {
    int player; // the mover, -1: any
    int parent; // context around the loop, or -1
    int head, back, exit, round, rounds;
    int weight; // how often its code is written
    bool
        masked; // the loop is gone through for the elements that pass its first tests: one round stands for all
    int given; // the truth of what was asked before the loop, or -1: nothing was
    int next;  // that of the next round, -1: not there yet
    struct Facts **labels,
        **outside; // per code word from head on; outside: where a look-ahead begins
} Context;

typedef struct Run {
    int base, n;
} Run;

// What a look-ahead changes, and has to put back.
typedef struct Would {
    int up;     // pc of the look-ahead around it, or -1
    bool tries; // decisions: all cells are kept by the host, candidate by candidate
    bool moves, ends, notes, turns, scores;
    bool faults; // somewhere in it the play may fail
    bool *scalars, *cells;
    Run *runs; // of cells that are no variables
    int nruns;
    size_t runs_cap;
} Would;

typedef struct Facts { // what is known at a label
    bool known, jumped;
    int grown;      // how often
    uint64_t asked; // as in Translator
    Range *cells, *slots;
} Facts;

typedef struct Value {
    const char *text;
    Range range;
    bool reads;       // depends on cells or variables
    int taken;        // it tells whether anything lies on this site, from 1 on; 0: it does not
    const char *some; // it is a number of pieces: text that is 0 where there are none; or NULL
    const char *many; // it tells whether this number, which is not negative, is above 0; or NULL
    int copy;         // the scalar it is a copy of, or -1
    int compared;     // it tells whether this scalar `op` `with`, or -1
    Opcode op;
    int32_t with;
} Value;

typedef struct
    Ahead { // a table of the sites `low` .. `high` steps ahead along the tracks `first` .. `last`
    int first, last, low, high;
} Ahead;

// Sites of which it is asked all at once which hold more than so many pieces of some kinds.
typedef struct Watch {
    int n, above;
    const int16_t *sites; // or UNSET
    uint32_t kinds;
    bool used;
    bool by_table;  // its bits are what a table is asked with
    bool looked_up; // which bits a site has
} Watch;

// A loop over a list whose first tests are made for all elements at once.
typedef struct Mask {
    int head, back, list;
    int cut;   // from here on each element is gone through that passed
    bool only; // what is left is a candidate, the only kind in its search
    int alternative;
    int sum, step;        // what is left adds `step` to this cell, or -1
    const char *count;    // how many pass, or NULL: that has to be counted
    const List *elements; // of the candidates, if there is nothing else: the list's, or pairs
    const char *values[COUNTED_VALUES]; // and arrays with their values,
    Range ranges[COUNTED_VALUES];       // which are these
    const char *bits,
        *lines
            [MASK_LINES_MAX]; // those that pass, and what is to be worked out before: the first `uses`
    int watches[MASK_LINES_MAX]; // per line: the watch asked, or -1
    int nlines, uses;
    int loaded[MASK_LOADED_MAX], nloaded; // cells that the tests take to stay as they are
    int taken;                            // so many of them before the rest
} Mask;

// Candidates of a decision that are bits of numbers.
typedef struct Counted {
    unsigned known, found; // parts, a bit each: ever, and in the search in hand
    bool listed;           // not all of them are bits
    bool looked_up;        // a table tells how many there are
    int elements;          // so many bits at most
    const char *values[PARTS_MAX][COUNTED_VALUES]; // arrays; NULL: the same for all of a part
} Counted;

// Candidates of a decision that are marked (marked.c): the number that each round finds, if it does.
enum { MARKS_MOST = 8 };
typedef struct Marked {
    bool used, refused;
    bool has[MARKS_MOST];
    int number[MARKS_MOST];
} Marked;

// Which pairs of elements of two loops pass, for each number (pairs.c).
typedef struct PairTable {
    int number, head, player;
    int pairs, answers;
    uint64_t *bits;
    const int16_t *values[2]; // of the candidates
} PairTable;

typedef struct Lap { // tables to sow a kind along one of these tracks
    int first, last, kind;
    uint32_t lifted; // kinds that leave the site
} Lap;

// What is stored in a cell that is reached by an index, anywhere in the program.
typedef struct Row {
    bool only_stored; // nothing else is done to it
    bool known;       // what has been stored so far
    Range range;
    int grown;
} Row;

typedef struct Translator {
    FILE *out; // NULL while it is being found out what holds
    Arena *arena;
    const Program *p;
    CNames called;      // only where places are told
    bool places, looks; // looks: some look-ahead tries decisions
    bool retires;
    Spot *spots;
    Would **woulds;
    int nscalars;
    int *scalar_of; // per cell, or -1
    Row *rows;      // per cell
    int scalar_cell[SCALARS_MAX];
    const char *names[SCALARS_MAX];
    bool kept
        [SCALARS_MAX]; // besides those of the position: is read from its cell when a run begins or goes on
    Context *contexts; // the first nvariants are the players'
    int ncontexts, nvariants;
    size_t contexts_cap;
    int context, player;          // in hand; the player is the context's
    Range (*chosen)[CHOOSE_VARS]; // per alternative and variant: values it was offered with
    bool *offered;
    int *alternatives; // room for those of one decision
    bool *
        alone; // per alternative: its decision offers nothing else, and is none within a look-ahead
    int noted; // pc after the REMEMBER that came last
    int searched,
        found;    // pc of the CHOOSE that came last, and places since then that offer something
    bool changed; // this pass has learnt something
    Range cells[SCALARS_MAX];
    Value stack[STACK_SIZE];
    int depth, pc, slots;
    bool open;   // the place in hand can be come by
    int said;    // lines, written or not
    int *rounds; // per pc of a loop: the most it was found to have, if they were known
    bool *quiet; // per pc: the loop is charged at its end
    int longest; // list
    Ahead *aheads;
    int naheads;
    size_t aheads_cap;
    Watch *watches;
    int nwatches;
    size_t watches_cap;
    uint64_t asked; // watches, a bit each, whose answers still hold
    PairTable *pair_tables;
    int npair_tables;
    size_t pair_tables_cap;
    int taken;            // the watch that tells where anything lies (taken.c), or -1
    uint64_t taken_asked; // sites of it that somebody asks for
    bool slow;            // some handful is sown piece by piece
    int hooked;           // pc of the handful that hooks.c saw to last
    bool moves_little;    // it neither sows nor looks ahead
    uint64_t kept_up;     // watches that are brought up to date when something is moved
    int nmasks;           // variables for masks
    bool *masked;         // per pc: a loop with a mask of its own
    Counted *counted;     // per decision and variant
    Marked *marked;       // as well
    int finding;          // the decision whose search was begun last
    Lap *laps;
    int nlaps;
    size_t laps_cap;
    int32_t *most_put; // per pc of a PUT: the most it puts
    bool few;          // never more pieces than a cell can hold, all in all:
    int pieces;        // so many at most
    unsigned line;     // of the last place noted
} Translator;

// flow.c
int operands(Opcode op);
int next_pc(const Translator *t, int pc);
bool visited(const Translator *t, int pc);
void find_flow(Translator *t);

// contexts.c
void contexts_init(Translator *t);
void enter(Translator *t, int context);
// In which context a jump from that one to *pc comes out; *pc becomes the loop's exit after its last round.
int lands(Translator *t, int context, int *pc);
// Whether the loop that begins here is to be written out, for the current facts; gives its rounds or 0.
int rounds_written(Translator *t, int pc);
int first_round(Translator *t, int pc, int rounds, int given);
int next_round(Translator *t, int context);
// A variable that is yes or no throughout a loop that searches for candidates, and on which it branches; or -1. With each of
// the two answers the loop is another one.
int asked_before(const Translator *t, int head);

int masked_round(Translator *t, int pc);
int list_of_loop(Translator *t, int pc);

// watches.c
uint64_t all_bits(int n);
int watch(Translator *t, const int16_t *sites, int n, uint32_t kinds,
          int above); // its number, or -1
bool moves_little(const Translator *t);
void keep_watches(Translator *t);
void moving_watched(Translator *t, const int32_t *w); // moves, and brings watches up to date
void write_watches(FILE *out, const Translator *t);

// taken.c
void taken_init(Translator *t);
bool taken_given_up(Translator *t); // if it costs more than it is worth
bool taken_has(const Translator *t, Range sites);
uint64_t taken_bit(const Translator *t);
const char *taken_text(Translator *t, const Value *site, bool empty);
const char *taken_of(Translator *t, const int16_t *sites, int n);
void taken_note(Translator *t, int site);
void taken_left(Translator *t, const Value *site);
void taken_changed(Translator *t, const Value *site);
void taken_fallen(Translator *t, const Value *site);
void taken_moved(Translator *t, const int32_t *w, const Value *sites, Range n);
void taken_anew(Translator *t);
void taken_sown(Translator *t, int lap, const char *row, const char *from, const char *n);
void write_sown(Translator *t, int lap, int first, int last, int n);

// masks.c
// Whether the loop over the list that begins here is to be gone through so.
bool mask_of(Translator *t, int pc, int list, Mask *m);
void say_mask(Translator *t, const Mask *m, const char *to);
const char *ones_text(Translator *t, const char *bits,
                      int n); // how many ones there are among n bits

// pairs.c
bool pairs_of(Translator *t, int pc, int list, Mask *m);
void write_pairs(FILE *out, const Translator *t);

// facts.c
void row_stored(Translator *t, int cell, Range range);
Range row_range(const Translator *t, int base, int n);
extern const Range any_number, any_cell, a_truth, a_count;
Range range_of(int32_t low, int32_t high);
Range range_join(Range a, Range b);
bool range_within(Range r, int32_t low, int32_t high);
bool range_single(Range r);
Range list_range(const Translator *t, int list);
Range values_range(const int16_t *values, int n);
// What is known now holds at the label too; *_as: with this for the cells and the slots.
void arrive(Translator *t, int pc);
void arrive_as(Translator *t, int context, int pc, const Range *cells, const Range *slots);
Facts *label_at(Translator *t, int context, int pc);
void facts_keep(Translator *t, Facts *at);
Facts *outside_of(Translator *t, int context, int would);
// Once the value is known to be true, or false: the new range of the scalar it compares. False if that cannot be.
bool refine(const Translator *t, const Value *v, bool truth, Range *range);

// paths.c
bool may_write(const Translator *t, int pc, int cell);
// Whether it may matter, from this place on, what the cell holds.
bool may_be_read(Translator *t, int from, int cell);
// Whether all the pieces of the game would fit a cell: none comes to them after the first decision.
bool find_if_few(Translator *t);

// sowing.c
// Number of the tables to sow that kind along one of these tracks, or -1: they are no loops over the same sites, or long.
int lap_table(Translator *t, Range tracks, int kind, uint32_t lifted);
int lap_sites(const Translator *t, int lap);
bool lap_has_all(const Translator *t, int track, Range sites);
int lap_base(const Translator *t, int lap); // the first cell in its tables
const char *lap_row(Translator *t, int lap, const Value *track);
void write_lap(Translator *t, int number);

// hooks.c
// Lifts a handful that is sown with hooks, and drops all of it that the hooks have nothing to do with. False if this is no
// place for that.
bool sow_past_hooks(Translator *t);

// translate.c
void instruction(Translator *t, const int32_t *w);

// at_once.c
bool only_asks(Opcode op); // gives a value and does nothing else
// Writes a loop of so many rounds that only looks for an element as one question, if it can be that.
bool asked_at_once(Translator *t, int head, int rounds);

// stack.c
void say(Translator *t, const char *format, ...) __attribute__((format(printf, 2, 3)));
const char *phrase(Translator *t, const char *format, ...) __attribute__((format(printf, 2, 3)));
void push_value(Translator *t, const char *text, Range range);
void push_number(Translator *t, int32_t k);
Value pop_value(Translator *t);
Value *top_value(Translator *t, int below);
void settle(Translator *t);
void settle_all(Translator *t);
// The value on top, spelt so that it may stand more than once.
const char *in_slot(Translator *t, int below);
const char *slot_of(Translator *t, int depth);
const char *cell_text(Translator *t, int cell);
void push_cell(Translator *t, int cell);
Range cell_range(const Translator *t, int cell);
void set_cell(Translator *t, int cell, const char *text, Range range);
void know_cell(Translator *t, int cell, Range range);
void fault_if(Translator *t, const char *test, int code);
void fault(Translator *t, int code);
const char *fault_text(Translator *t, const char *what);
void attempt(Translator *t, const char *action); // a call that gives 0 or the fault
// Faults unless the value, `below` the top one, is a list, a player, fits a cell.
bool need_list(Translator *t, int below);
bool need_player(Translator *t, int below);
bool need_site(Translator *t, int below);
bool need_kind(Translator *t, int below);
bool need_fit(Translator *t, int below);
const char *label_text(Translator *t, int context, int pc);
// Arrives at the label by a jump, and gives its text.
const char *jump_to(Translator *t, int pc);
bool is_sites(const Translator *t, Range r);
bool is_kinds(const Translator *t, Range r);
const char *kind_text(Translator *t, const Value *kind);
// The text of the cell with this number of pieces: both must be there.
const char *count_cell(Translator *t, const Value *site, const Value *kind);

// noting.c
void note_position(Translator *t);
void seen(Translator *t);

// control.c
void leave(Translator *t, int to); // jumps
// Of a look-ahead that puts everything back by itself.
void would_declare(Translator *t, int at);
void would_restore(Translator *t, int at, uint64_t watches); // with these watches' answers

// decisions.c
// One more candidate; `counts`, if not NULL, tells whether it is one.
void offer_one(Translator *t, int alternative, const char *weight, const char *counts);
// Whether the place in hand is within a loop, begun after the last CHOOSE, that is not written out.
bool in_loop(const Translator *t);
int for_mover(const Translator *t, int number);
// The value i of the alternative can be these, too.
void note_values(Translator *t, int alternative, int i, Range r);
void lot(Translator *t, int alternative);
void decide(Translator *t, int decision);
void throw_dice(Translator *t, int number);

// counted.c
// Whether candidates of the search in hand are found at one place of the code.
bool offers_once(const Translator *t);
// Whether the loop with this mask, behind which there is nothing but a candidate, finds candidates that need only be counted.
bool may_be_counted(const Translator *t, const Mask *m, int elements);
void begin_counting(Translator *t, int decision);
void count_candidates(Translator *t, const Mask *m, const char *bits);
void candidate_listed(Translator *t);
// Now that more is known it may turn out otherwise which are listed; false if none are where others are counted.
bool counted_anew(Translator *t);
// Of the decision in hand.
bool are_counted(const Translator *t);
void list_counted(Translator *t, int alternative);
void take_counted(Translator *t, int alternative);
void declare_counted(Translator *t);

// marked.c
// A candidate of the decision in hand, offered if `taken` (or NULL: surely) is 1. False: it has to be written down.
bool mark_one(Translator *t, int alternative, const char *taken);
void refuse_marks(Translator *t);
void begin_marking(Translator *t, int decision);
bool are_marked(const Translator *t, int decision);
void count_marked(Translator *t, int decision);
void list_marked(Translator *t, int decision);
void take_marked(Translator *t, int decision, int alternative);
void declare_marked(Translator *t);

// reckoning.c, asking.c, moving.c, control.c
void reckoning(Translator *t, const int32_t *w);
Opcode mirrored(Opcode op); // the comparison that says the same with both sides exchanged
void asking(Translator *t, const int32_t *w);
void moving(Translator *t, const int32_t *w);
void playing(Translator *t, const int32_t *w);
void control(Translator *t, const int32_t *w);

#endif
