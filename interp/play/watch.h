// How a long computation is told to stop and tells how far it is.
//
// Owner: nothing is owned; the watch and what it points to outlive the computation.
#ifndef OLDSOW_WATCH_H
#define OLDSOW_WATCH_H

#include <signal.h>
#include <stdbool.h>
#include <stdint.h>

enum { WATCH_EVERY = 4096 }; // looked at between two ticks: a power of two

typedef struct Watch {
    const volatile sig_atomic_t *stop;               // set by a signal handler; NULL: never stops
    void (*tick)(void *context, uint64_t looked_at); // NULL: nobody looks on
    void *context;
} Watch;

// Called for each thing looked at, with how many there were. True if the work is to stop now.
static inline bool watch_stops(const Watch *watch, uint64_t looked_at) {
    if (!watch) return false;
    if (watch->tick && looked_at % WATCH_EVERY == 0) watch->tick(watch->context, looked_at);
    return watch->stop && *watch->stop;
}

#endif
