// Game records: read, play again, write. The format is told in docs/records.md.
//
// Owner: a Record holds its text and all that was found wrong with it; record_free frees it. What a
// function gives as pointer to const belongs to the Record.
#ifndef OLDSOW_RECORD_H
#define OLDSOW_RECORD_H

#include "../oldsow.h"
#include "watch.h"

enum { RECORD_MAX_BYTES = 16 << 20 };

typedef struct Record Record;

// Reads a record; "-" is the standard input. NULL only when there is no memory: whatever else is
// wrong is told by record_print.
Record *record_read(const char *path);
Record *record_read_text(const char *name, const char *text, size_t size);
void record_free(Record *record);
// Nothing was found wrong so far, by reading or by playing.
bool record_fine(const Record *record);
// Shows what is wrong: place, source line, what was expected.
void record_print(const Record *record, FILE *out, bool colour);
// The codes of what is wrong, i from 0; NULL past the last.
const char *record_code(const Record *record, size_t i);

// ---- what the headers say --------------------------------------------------------------------

const char *record_header(const Record *record, const char *name); // NULL: there is none
// [Options "columns=9 castle=shared"]: settings laid over the reading's.
const OldsowSetting *record_settings(const Record *record, size_t *n);
bool record_seed(const Record *record, uint64_t *seed);
// Whether the script of that game, loaded in whatever way, has the options and values that the headers name, and the
// reading, if `reading`. If not, the record is no longer fine.
bool record_names(Record *record, const OldsowGame *game, bool reading);

// ---- playing ---------------------------------------------------------------------------------

// Whether the record was made for this game under these rules, as far as its headers tell. If not,
// the record is no longer fine.
bool record_belongs(Record *record, const OldsowGame *game);

typedef struct Replay {
    OldsowRng *throws; // for throws that the record leaves out; NULL: none may be left out
    bool trust;        // do not ask whether result and position are those that the headers tell
    // Called before each ply with the candidate it plays, and after it; NULL: nobody looks on.
    void (*ply)(void *context, const OldsowState *before, size_t candidate);
    void (*played)(void *context, const OldsowState *after);
    void *context;
    const Watch *watch; // may be NULL
} Replay;

typedef enum ReplayEnd {
    REPLAY_PLAYED, // to the end of the record; the game need not be over
    REPLAY_WRONG,  // the record has a mistake: record_print tells it
    REPLAY_FAULT,  // the script failed: oldsow_print_fault tells it
    REPLAY_STOPPED,
    REPLAY_NO_MEMORY,
} ReplayEnd;

// Plays the record from `state`, which stands at the start of a game. Where it ends, `state` is
// left, at a mistake too. A throw takes its numbers from `throws` whether the record tells its
// outcome or not, so that a throw which is left out comes out the same whatever is written
// elsewhere. Throws that are pending at the end are drawn too, unless the record ends with `*`.
ReplayEnd record_replay(Record *record, const OldsowGame *game, OldsowState *state,
                        const Replay *how);

// ---- writing ---------------------------------------------------------------------------------

// The moves of a game, collected as it is played. Freed by record_moves_free.
typedef struct RecordMoves RecordMoves;
RecordMoves *record_moves_new(const OldsowGame *game); // NULL: no memory
void record_moves_free(RecordMoves *moves);
// Must be told each ply before it is played. Fits Replay.ply and Playout.ply.
void record_moves_ply(void *moves, const OldsowState *before, size_t candidate);

typedef struct RecordAbout {
    bool seeded;
    uint64_t seed;
    const Record *from; // headers that mean nothing to Oldsow are taken over from here; may be NULL
} RecordAbout;

// The whole record as text, to be freed by the caller; NULL: no memory. `state` is where the moves
// led.
char *record_text(const OldsowGame *game, const OldsowState *state, RecordMoves *moves,
                  const RecordAbout *about, size_t *size);

#endif
