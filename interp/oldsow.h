// Oldsow: load a rule script, play its game.
//
// Everything the command line does goes through this header and interp/play/. A game is immutable
// once loaded and may be shared by threads; a state belongs to one thread at a time. Functions
// that give a pointer to const give memory of the object they were asked about, valid as long as it is;
// what a function named *_load, *_start, *_clone gives belongs to the caller, who frees it.
#ifndef OLDSOW_H
#define OLDSOW_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#ifdef __cplusplus
extern "C" {
#endif

#ifdef __GNUC__
#pragma GCC visibility push(default) // what stands here is all that the library shows
#endif

#define OLDSOW_VERSION "0.1.0"
enum { OLDSOW_MAX_PLAYERS = 8, OLDSOW_NAME_MAX = 96 };

typedef struct OldsowGame OldsowGame;
typedef struct OldsowState OldsowState;
typedef struct OldsowReport OldsowReport;

// ---- loading -------------------------------------------------------------------------------

typedef struct OldsowSetting {
    const char *option, *value; // as in `--set option=value`
} OldsowSetting;

typedef struct OldsowLoading {
    const char *reading;           // NULL: the defaults of the options
    const OldsowSetting *settings; // laid over the reading
    size_t nsettings;
    bool places; // with places that can be counted: the same game, a little slower
} OldsowLoading;

// Loads a script. Gives NULL when it has errors; *report then tells them. *report is always set (it may
// hold warnings) unless memory ran out, and is the caller's to free. `how` may be NULL.
OldsowGame *oldsow_load(const char *path, const OldsowLoading *how, OldsowReport **report);
// The same for a text in memory; `name` is shown in messages and is where `use` and `of:` start from.
OldsowGame *oldsow_load_text(const char *name, const char *text, size_t size,
                             const OldsowLoading *how, OldsowReport **report);
// Checks a script under its defaults, under each of its readings, and with each value of each option. True if
// it has no error under any of them.
bool oldsow_check(const char *path, OldsowReport **report);
// The same for a text in memory; `name` as for oldsow_load_text.
bool oldsow_check_text(const char *name, const char *text, size_t size, OldsowReport **report);
void oldsow_game_free(OldsowGame *game);

typedef struct OldsowMessage {
    const char *code; // "E0203"; errors of the loading itself have no code
    bool error;       // else a warning
    const char *file; // NULL when it has no place
    unsigned line, column, end_line, end_column; // from 1; columns count characters
    const char *text, *mend;                     // mend may be NULL
    const char *replacement; // what to write in that place, where it is sure; else NULL
    size_t labels, notes;    // how many there are
} OldsowMessage;

// Another place that has to do with a message: the other bracket, where a name was declared.
typedef struct OldsowLabel {
    const char *file;
    unsigned line, column, end_line, end_column;
    const char *text;
} OldsowLabel;

size_t oldsow_report_count(const OldsowReport *report); // of messages: at most 2000 are kept
// How many were found, kept or not.
size_t oldsow_report_errors(const OldsowReport *report);
size_t oldsow_report_warnings(const OldsowReport *report);
OldsowMessage oldsow_report_get(const OldsowReport *report, size_t i);
OldsowLabel oldsow_report_label(const OldsowReport *report, size_t i, size_t label);
const char *oldsow_report_note(const OldsowReport *report, size_t i, size_t note);
void oldsow_report_print(const OldsowReport *report, FILE *out, bool colour);
void oldsow_report_free(OldsowReport *report);

// ---- what the script says ----------------------------------------------------------------------

typedef struct OldsowOption {
    const char *name, *doc;
    size_t nvalues;
    const char *const *values;
    const char *standard, *value; // its default; what it is in this game
} OldsowOption;

typedef struct OldsowReading {
    const char *name, *doc;
    size_t nsettings;
    const OldsowSetting *settings; // the options it fixes, the others keep their defaults
} OldsowReading;

// What a site is.
typedef enum OldsowSiteKind {
    OLDSOW_ON_BOARD,
    OLDSOW_LANE_STEP, // a step of a player's private way; `square` is the board site it lies on
    OLDSOW_BESIDE,    // a store, a hand, or off the board
    OLDSOW_HIDDEN,    // stones held while they are sown
} OldsowSiteKind;

typedef struct OldsowSite {
    const char *name;
    OldsowSiteKind kind;
    int owner;       // a player, or -1
    int square;      // of a lane step, else -1
    int column, row; // from 1 for board sites of a board with rows, else 0
} OldsowSite;

const char *oldsow_title(const OldsowGame *game);
const char *oldsow_doc(const OldsowGame *game);     // "" if it has none
const char *oldsow_reading(const OldsowGame *game); // NULL if none was asked for
int oldsow_players(const OldsowGame *game);
const char *oldsow_player_name(const OldsowGame *game, int player);
size_t oldsow_options(const OldsowGame *game);
const OldsowOption *oldsow_option(const OldsowGame *game, size_t i);
size_t oldsow_readings(const OldsowGame *game);
const OldsowReading *oldsow_reading_at(const OldsowGame *game, size_t i);
int oldsow_sites(const OldsowGame *game);
OldsowSite oldsow_site(const OldsowGame *game, int site);
int oldsow_pieces(const OldsowGame *game);
const char *oldsow_piece_name(const OldsowGame *game, int piece);
// A hash of the expanded rules: equal for scripts that differ in layout, comments and docs only.
uint64_t oldsow_rules_hash(const OldsowGame *game);
// The syntax tree as text, as written or expanded (options replaced, definitions in place).
void oldsow_print_ast(const OldsowGame *game, FILE *out, bool expanded);
size_t oldsow_state_bytes(const OldsowGame *game);

// ---- playing -----------------------------------------------------------------------------------

typedef enum OldsowStatus {
    OLDSOW_CHOICE, // a player decides
    OLDSOW_CHANCE, // a throw
    OLDSOW_OVER,
    OLDSOW_FAULT, // the script failed; see oldsow_fault
} OldsowStatus;

// A new game, played on to its first decision. NULL when there is no memory.
OldsowState *oldsow_start(const OldsowGame *game);
OldsowState *oldsow_clone(const OldsowState *state);
// dst becomes equal to src; both of one game. False when there is no memory (dst is then a fault).
bool oldsow_copy(OldsowState *dst, const OldsowState *src);
void oldsow_state_free(OldsowState *state);

OldsowStatus oldsow_status(const OldsowState *state);
int oldsow_mover(const OldsowState *state);
// What may be chosen or thrown: candidates 0 .. oldsow_candidates - 1, in the order of the script.
size_t oldsow_candidates(const OldsowState *state);
// The candidate's name as records write it, unique among the candidates; `buffer` takes OLDSOW_NAME_MAX bytes.
const char *oldsow_candidate(const OldsowState *state, size_t i, char *buffer);
// How many candidates in the sum of weights a throw's outcome stands for; 1 for choices.
uint32_t oldsow_weight(const OldsowState *state, size_t i);
// The candidate of that name, or -1. A throw of dice told sorted may be named in any order: 1-3 is 3-1.
long oldsow_find(const OldsowState *state, const char *name);
// Plays candidate i and goes on to the next decision. i must be below oldsow_candidates.
OldsowStatus oldsow_play(OldsowState *state, size_t i);
// dst becomes src after candidate i: oldsow_copy and oldsow_play in one, and faster.
OldsowStatus oldsow_play_from(OldsowState *dst, const OldsowState *src, size_t i);

int oldsow_count_on(const OldsowState *state, int site, int piece);
// The whole position as a flat vector: equal vectors are equal positions. Its size is oldsow_state_bytes. Valid
// until the next call with this state.
const void *oldsow_vector(const OldsowState *state);
// Of the vector (and of the positions noted, where a script remembers them): for search.
uint64_t oldsow_hash(const OldsowState *state);
// Of what a person calls the position: which pieces lie where, the variables, the mover, who has retired, the result, all by
// name. It does not change when a script or the compiler says the same in other words; records keep it.
uint64_t oldsow_position_hash(const OldsowState *state);
bool oldsow_remembers(
    const OldsowGame *game); // whether its rules depend on positions that came before

typedef enum OldsowResult {
    OLDSOW_UNDECIDED, // not over, or the rules ended without a word on this player
    OLDSOW_WON,
    OLDSOW_LOST,
    OLDSOW_DRAWN,
} OldsowResult;
OldsowResult oldsow_result(const OldsowState *state, int player);
// What (score ...) last gave the player; false if the script never gave one.
bool oldsow_score(const OldsowState *state, int player, int *score);
bool oldsow_playing(const OldsowState *state, int player); // has not retired

typedef struct OldsowFault {
    const char *code, *text; // "R0901" and its message, names filled in
    bool endless;            // a loop came to its limit, or nothing was decided for too long
    const char *file;
    unsigned line, column;
} OldsowFault;
OldsowFault oldsow_fault(const OldsowState *state);
// The fault with its script line, the ludemes that led there.
void oldsow_print_fault(const OldsowState *state, FILE *out, bool colour);
// Draws the position as text: the board by rows, then what lies beside it.
void oldsow_draw(const OldsowState *state, FILE *out);

// ---- places that play comes by -------------------------------------------------------------------

// What of a script is counted. Only games loaded with `places` have any.
typedef enum OldsowPlaceKind {
    OLDSOW_PLACE_DONE,    // a statement; a case of an (if ...) that is a value
    OLDSOW_PLACE_NO,      // an (if ...) without a second case whose test was no
    OLDSOW_PLACE_ROUND,   // a round of a loop
    OLDSOW_PLACE_ASKED,   // a part of a `where:`; how often it was asked
    OLDSOW_PLACE_HELD,    // the same; how often it held
    OLDSOW_PLACE_OFFERED, // a (choose ...) or (lot ...): candidates found
    OLDSOW_PLACE_CHOSEN,  // the same: chosen
} OldsowPlaceKind;

typedef struct OldsowPlace {
    OldsowPlaceKind kind;
    const char *file;
    unsigned line, column, end_line, end_column; // from 1
    bool library;                                // in the text of a library, not the author's
    long up; // a place that is come by whenever this one is, and before it; or -1
} OldsowPlace;

// One part of a script may be several places: wherever a definition is used, and for each kind.
size_t oldsow_places(const OldsowGame *game);
OldsowPlace oldsow_place(const OldsowGame *game, size_t i);
// oldsow_start for a state that counts: counts[i] grows by one whenever it comes by place i, in look-aheads (would ...)
// and searches for candidates too. `counts` has oldsow_places numbers, stays the caller's, and outlives the state.
// Clones of the state do not count.
OldsowState *oldsow_start_counting(const OldsowGame *game, uint64_t *counts);

// ---- chance ------------------------------------------------------------------------------------

// xoshiro256** (Blackman and Vigna 2018), seeded through splitmix64 from (seed, stream), so that game i of a run
// draws the same numbers whoever plays it.
typedef struct OldsowRng {
    uint64_t s[4];
} OldsowRng;
void oldsow_seed(OldsowRng *rng, uint64_t seed, uint64_t stream);
uint64_t oldsow_random(OldsowRng *rng);
uint32_t oldsow_below(OldsowRng *rng, uint32_t n); // uniform in [0, n), n > 0
// A candidate at random: uniform for choices, by weight for throws.
size_t oldsow_pick(const OldsowState *state, OldsowRng *rng);

// ---- ludemes, for help and the reference -------------------------------------------------------------

typedef struct OldsowLudeme {
    const char *name, *group; // group: "equipment", "doing", "asking", or a library's name
    const char *usage;        // "(next SITE TRACK)"
    const char *doc, *example;
} OldsowLudeme;
size_t oldsow_ludemes(void);
const OldsowLudeme *oldsow_ludeme(size_t i);
// The libraries' texts; their definitions carry their docs.
size_t oldsow_libraries(void);
const char *oldsow_library_name(size_t i);
const char *oldsow_library_text(size_t i);

#ifdef __GNUC__
#pragma GCC visibility pop
#endif

#ifdef __cplusplus
}
#endif

#endif
