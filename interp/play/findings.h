// What random games of all readings show about a script, as warnings.
//
// Owner: the tries are the caller's; warnings go to the report and are its own.
#ifndef OLDSOW_FINDINGS_H
#define OLDSOW_FINDINGS_H

#include "../game.h"
#include "trial.h"

// The games of one reading.
typedef struct Try {
    const char *label; // "the defaults", "the reading `x`"
    OldsowLoading how; // as the trial's game was loaded, but for the places
    Trial trial;
} Try;

typedef struct Findings {
    OldsowReport *report; // that of the script, from which the games were loaded (report_load)
    const Try *tries;
    size_t ntries;
    // Called with the record of each kind of failure; gives where it was saved, or NULL. NULL: nobody saves them. The
    // text is read before the next call.
    const char *(*save)(void *context, const char *code, Place place, const char *text,
                        size_t size);
    void *context;
} Findings;

// False if there was no memory; some of the warnings are there then.
bool findings_report(const Findings *f);

// ---- the places of all tries -----------------------------------------------------------------

// One part of the script, counted in one way, wherever it is put in place and in all tries.
typedef struct Spot {
    Span span;
    OldsowPlaceKind kind;
    uint64_t count;
    size_t ntries; // in so many it is part of the rules
    size_t first;  // its places are Spots.order[first] .. first + n - 1
    size_t n;
} Spot;

typedef struct SpotPlace {
    size_t trial;
    int place;
    size_t spot;
} SpotPlace;

typedef struct Spots {
    Spot *at; // by file, place in it, longest first, kind
    size_t n;
    SpotPlace *order;
    size_t **spot_of; // per try, per place of its game: its spot
    size_t ntries;
} Spots;

bool spots_gather(Spots *spots, const Try *tries, size_t ntries); // false: no memory
void spots_free(Spots *spots);

#endif
