// The equipment of one game, resolved: sites, lists of sites, tracks, pieces, variables, and the names for them.
//
// Built by equip.c from the expanded script, read by the checker, the evaluator and the compiler, and in the
// end copied into the Program. Owner: the arena.
#ifndef OLDSOW_WORLD_H
#define OLDSOW_WORLD_H

#include "../vm/program.h"
#include "expand.h"

enum { WORLD_SITES_MAX = 2000, WORLD_PIECES_MAX = 256, BOARD_SIDE_MAX = 100, BOARD_LINE_MAX = 600 };
enum { WORLD_GATHERED_MAX = 4000000 };

// What a value is. A list's type is its elements' type with T_LIST.
typedef enum Type {
    T_ERROR,   // not checked, or reported already: fits everywhere
    T_NOTHING, // a statement
    T_NUMBER,
    T_TRUTH,
    T_SITE,
    T_PLAYER,
    T_PIECE,
    T_WORD,
    T_DIRECTION,
    T_TRACK,
    T_UNSET, // the value `unset`, which is of no type
    T_DICE,
    T_LIST = 0x40,
    T_REGION = T_LIST | T_SITE,
} Type;

// What a form does beyond giving a value: nothing; it names values or gives names new ones (and asks, if the names are
// its own); it changes the position; it asks for a decision or throws.
enum { EFFECT_NONE, EFFECT_NAMES, EFFECT_DOES, EFFECT_DECIDES };

typedef enum SymbolKind {
    SYMBOL_PLAYER,
    SYMBOL_SITE,
    SYMBOL_REGION, // values: list numbers
    SYMBOL_TRACK,  // values: track numbers
    SYMBOL_STORE,  // values: sites
    SYMBOL_PIECE,  // values[0]: the kind
    SYMBOL_PIECES, // values[0]: the first kind; `list` is the list of them, low the first index
    SYMBOL_LIST,   // values[0]: a list, of type `type`
    SYMBOL_DICE,
    SYMBOL_VAR,
    SYMBOL_WORD,
    SYMBOL_DIRECTION,
    SYMBOL_LOST, // its item has a fault: whatever is said of it is right
} SymbolKind;

typedef struct Symbol {
    const char *name;
    SymbolKind kind;
    bool per_player;
    int index; // of the dice, variable, word, ...
    int values[OLDSOW_MAX_PLAYERS];
    int list, low;
    Type type;          // of SYMBOL_LIST's elements, of SYMBOL_PIECES' index (T_PLAYER or T_NUMBER)
    Span span;          // where it is declared
    const char *misfit; // what was told of a use that does not fit it, or NULL
    DiagCode misfit_code;
    Type misfit_type;
} Symbol;

typedef struct Var {
    const char *name;
    Type type;
    int words;      // word set, or -1
    int index_list; // per: the list of indices, or -1
    Type index_type;
    int n;    // places
    int cell; // the first of them
    int start;
    const Node *untyped; // its name where it is declared, if neither type nor first value is said
} Var;

typedef struct WordSet {
    const int *words;
    int n;
} WordSet;

typedef struct WorldDice {
    Dice dice;
    bool told; // each die gets a name
} WorldDice;

typedef struct TrackInfo {
    const char *name;
    int list;
    bool loop;
} TrackInfo;

typedef struct World {
    Arena *arena;
    Diags *diags;
    const Script *script;
    Expanded *expanded;
    VEC(Symbol) symbols;
    int *symbol_table; // open addressing by the name's address; index + 1
    size_t symbol_slots;
    VEC(SiteInfo) sites;
    VEC(const char *) players;
    VEC(const char *) pieces;
    VEC(int) piece_owner;
    VEC(const char *) words;
    VEC(WordSet) word_sets;
    VEC(Var) vars;
    VEC(WorldDice) dice;
    VEC(TrackInfo) tracks; // even: as declared; odd: reversed
    VEC(Conserved) conserved;
    int declared_tracks; // those below can be kept in variables
    VEC(List) lists;
    int *list_table; // open addressing by content; index + 1
    size_t list_slots;
    size_t gathered; // elements of all lists worked out so far: see world_spent
    bool spent;      // they are too many: told once
    // the board
    int nboard; // its sites are 0 .. nboard-1
    // Of each square the first step of a lane on it, of each step the next on the same square, or UNSET; as far as there
    // were so many sites. See step_on() in eval.c.
    int *first_step, *next_step;
    size_t stepped;
    int rows, columns;
    const int16_t *at; // [row-1][column-1] -> site or UNSET
    VEC(List)
    lines;          // of a graph or rings: sites in line; rings close (first site again at the end)
    uint16_t links; // bit d: neighbours in direction d
    const char *board_note;
    const char
        *turned;      // what was told of a site that would be there with rows for columns, or NULL
    const Node *gaps; // as written, or NULL
    VEC(const Node *) wrong_gaps; // those told of
    int board_list, players_list, sites_list;
    bool settled;  // all equipment is there: sites are final but for hidden hands
    bool in_would; // while checking: within the statements of a look-ahead
    const Node
        *table;  // while checking: the list of an `nth`, in which a thing may well stand twice
    bool trying; // while checking: to see whether anything is wrong, with nothing told of it
    int tries;   // how often that was done
    int sure;    // reports of arguments that have changed places by their names
    int lacking; // what was told of a definition whose library is not in use, from 1
    int whose;   // what was told within an item of a name that is one per player, from 1
    int awaited; // while checking: names that faulty throws and items were to make, and did not
    VEC(const char *)
    reserved;     // words of variables that belong to the language: others may be meant
    bool may_let; // while checking: the form stands where a (let ...) could be put before it
    // evaluation: see eval.h
    int each; // the player of an `each:`, or -1
} World;

enum { DIRECTIONS = 8 }; // north, then clockwise

void world_init(World *w, Arena *arena, Diags *diags, const Script *script, Expanded *expanded);
// Adds a name; NULL with a report if it is taken.
Symbol *world_add(World *w, const char *name, SymbolKind kind, const Node *where);
int world_symbol(const World *w, const char *name);    // index or -1
int world_list(World *w, const int *values, size_t n); // the list of that content, made if need be
// Whether more lists have been worked out than a game may need; tells so at `where` the first time.
bool world_spent(World *w, const Node *where);
int world_word(World *w, const char *name); // the word's number, made if need be
int world_site(World *w, const char *name, OldsowSiteKind kind, int owner, int square);
int world_track(World *w, const char *name, int list, bool loop); // a pair; gives the even one

// Whether it is a list, or a track, which will do for one.
static inline bool is_listlike(const Node *n) { return (n->type & T_LIST) || n->type == T_TRACK; }
// The number of the list that the value of such a node stands for; it must be there.
static inline int list_number(const World *w, const Node *n, int value) {
    return n->type == T_TRACK ? w->tracks.at[value].list : value;
}

const char *type_name(Type t); // "a number", "a list of sites"

// equip.c: builds all equipment of the script.
void equip(World *w);
// boards.c: (board ...).
void build_board(World *w, const Node *form);
// Adds a site, named at `where`, in a square if it has a column and a row; gives its number.
int board_add_site(World *w, const char *name, int column, int row, const Node *where);
void board_add_line(World *w, const int *sites, size_t n);
// graphs.c: (graph points: GIVEN lines: LINES); either may be NULL, and is reported then.
void build_graph(World *w, const Node *form, const Node *given, const Node *lines);
// Sites of a board with rows by column and row, from 1; UNSET if there is none.
int board_at(const World *w, int column, int row);
// Whether the range's ends are names with one stem and a number each: s1..s63.
bool numbered_run(const Node *range, long *from, long *to);
// The element of `gaps:` that takes the site of that name away, or NULL; how often the script names one of its sites.
const Node *board_gap(const World *w, const char *name);
size_t board_gap_named(const World *w, const Node *gap);
// Reports a name that looks like that of a site and is none. Of the row or column just beyond the board only that is told, once for
// all its sites: the board is declared too small.
int report_no_site(World *w, const Node *at, const char *name);
// Reports the number of a row, or else column, that the board does not have.
int report_no_line(World *w, const Node *at, bool row, int number);
int board_step(const World *w, int site, int direction);

#endif
