// What a script becomes: code and tables, immutable, with no trace of the language.
//
// Owner: everything here lives in one arena, the game's. The vm reads it; the compiler writes it;
// the verifier (verify.h) states what every program fulfils.
#ifndef OLDSOW_PROGRAM_H
#define OLDSOW_PROGRAM_H

#include "../../grammar/ast.h"
#include "../oldsow.h"

#include <stdbool.h>
#include <stdint.h>

// Cells hold 16 bits, and are kept so in the vectors of positions (state.h); the machine works with them
// in 32.
typedef int32_t Cell;
enum { UNSET = -1, CELL_MAX = 32767, CELL_MIN = -32767 };

// Budgets: no script can hang or exhaust the process.
enum {
    BUDGET_STEPS = 100000000,   // instructions between two decisions
    BUDGET_CANDIDATES = 100000, // of one decision
    BUDGET_CELLS = 30000,       // of a state
    BUDGET_LISTS = 32000,
    BUDGET_WOULD_DEPTH = 16, // look-aheads and decisions within look-aheads
    BUDGET_HISTORY = 1 << 20,
    STACK_SIZE = 64, // the verifier proves that no program needs more
};

typedef enum Opcode {
#define OP(name, operands, pops, pushes) OP_##name,
#include "opcodes.def"
#undef OP
    OPCODES
} Opcode;

// Per opcode: words behind it, values it takes from the stack and gives to it. (OP_FAMILY takes as many as it has
// dimensions.)
typedef struct OpShape {
    int operands, pops, pushes;
} OpShape;
extern const OpShape op_shapes[OPCODES];

// A list of values: a region's sites, the players, kinds of pieces, numbers.
typedef struct List {
    const int16_t *at;
    int n;
} List;

typedef struct Table { // MAP
    int low, n;
    const int16_t *values;
} Table;

// A value that depends on a few others with small domains, worked out beforehand: a player's
// region, the sites next to a site, the site beyond two. Dimension i counts sizes[i] values from
// lows[i]; the last runs fastest. If a given value is outside of its dimension the family's answer
// is `missing`.
enum { FAMILY_DIMS = 3 };
typedef struct Family {
    int dims, lows[FAMILY_DIMS], sizes[FAMILY_DIMS];
    int missing;
    const int16_t *values;
} Family;

// Tracks come in pairs: 2k as declared and 2k+1 the other way round.
typedef struct Track {
    const int16_t *next; // per site: the next one, or UNSET
    int list;            // its sites in order
    bool loop;
} Track;

// What the values of a candidate are, so that they can be named.
typedef enum ValueType {
    VALUE_NUMBER,
    VALUE_TRUTH,
    VALUE_SITE,
    VALUE_PLAYER,
    VALUE_PIECE,
    VALUE_WORD,
    VALUE_DIRECTION,
    VALUE_TRACK,
} ValueType;

enum { CHOOSE_VARS = 6 };
typedef struct Alternative {
    const char *label; // from `as:`, or NULL
    int nvars;
    int cells[CHOOSE_VARS];       // where the values go when the candidate is chosen
    ValueType types[CHOOSE_VARS]; // how they are named
    int target;                   // where the program goes on
} Alternative;

typedef struct Decision {
    int pc;      // of its CHOOSE
    bool chance; // a lot: chance decides, by the candidates' weights
    const char *doc;
    // Cells that only the search for candidates used: zero while the state waits. So are the value
    // cells of the candidates found; a decision of several alternatives, some of which may have
    // found none, has the value cells of all of them in its clear range (the verifier insists).
    int clear_base, clear_n;
} Decision;

typedef struct Throw {
    int dice;
    int nvars, cells[CHOOSE_VARS]; // where the values go
    int target;
} Throw;

typedef struct Dice {
    const char *name;
    int nvalues; // values an outcome has: 1 for a sum
    int noutcomes;
    bool sorted;             // the order in which the dice are named does not matter
    const int16_t *outcomes; // noutcomes * nvalues
    const uint32_t *weights;
} Dice;

// A script's variable: for drawing, for hashes of positions, for faults.
typedef struct Variable {
    const char *name;
    ValueType type, index_type;
    int cell, n; // n cells from there, one for each index
    int list;    // the indices, or -1
    Cell start;
} Variable;

typedef struct Origin { // of an instruction
    Span span;
    const Expansion *via;
} Origin;

// The cells of a state, in this order: counts[site][kind], variables, locals, the SYSTEM_CELLS, the
// scores. Cells from `nstate` to `ncells` are scratch: used only between decisions, no part of the
// position.
typedef enum SystemCell {
    CELL_MOVER,
    CELL_AT,      // 0: running or over; d+1: waits at decision d; -(t+1): waits at throw t
    CELL_STATUS,  // OVER_NOT, ...
    CELL_WINNERS, // a bit a player
    CELL_LOSERS,
    CELL_RETIRED,
    CELL_HISTORY, // positions noted so far; stays at CELL_MAX when there are more
    SYSTEM_CELLS
} SystemCell;
enum { OVER_NOT, OVER_DECIDED, OVER_DRAWN, OVER_UNDECIDED };

typedef struct SiteInfo {
    const char *name;
    OldsowSiteKind kind;
    int16_t owner, square, column, row;
} SiteInfo;

// What a place that COVER counts is; see OldsowPlaceKind.
typedef struct CoverPlace {
    Span span;
    const Expansion *via;
    OldsowPlaceKind kind;
    int up; // the place that is come by whenever this one is, and before it; or -1
} CoverPlace;

// Kinds of which there are as many, together, as there were when the first decision came.
typedef struct Conserved {
    int list;
    Span span;
} Conserved;

struct StepRun;

typedef struct Program {
    const int32_t *code;
    const Origin *origins; // one per code word
    int ncode;
    int nsites, npieces, nplayers, ntracks, nlists, ntables, nfamilies, nalternatives, ndecisions,
        nthrows, ndice, nwords, ndirections, nvariables;
    const SiteInfo *sites;
    const char *const *pieces, *const *players, *const *words, *const *directions,
                                                                   *const *track_names;
    const List *lists;
    const Table *tables;
    const Family *families;
    const Track *tracks;
    const Alternative *alternatives;
    const Decision *decisions;
    const Throw *throws;
    const Dice *dice;
    const Variable *variables;
    int system; // cell number of CELL_MOVER
    int scores; // cell number of player 0's score, or -1 if the script gives none. Cell scores +
                // nplayers holds a bit for each player who has one.
    int nstate, ncells; // cells of the position; with the scratch cells
    int npositions;     // cells 0 .. npositions-1 (counts and variables) and the mover are what
                        // REMEMBER compares
    const Cell
        *initial; // nstate cells: the state before the program's first instruction, at code 0
    bool remembers;
    const Conserved *conserved; // the machine does not look at them
    int nconserved;
    const CoverPlace *places; // what COVER counts; none in a program that is only to be played
    int nplaces;
    const struct Quick *quick;     // what the machine runs; see quick.h
    const struct Packing *packing; // how positions are kept; see pack.h
    int play;                      // pc at which `play` begins: what is before lays the game out
    // The program as machine code, or NULL; see Step in native/step.h.
    int (*native)(struct StepRun *run, Cell *restrict cells, int at);
    const Sources *sources; // for faults
    uint64_t rules_hash;
} Program;

#endif
