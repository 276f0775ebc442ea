// What instructions do to a position, where they can fail or are too long for the loop.
//
// Functions that give a DiagCode give FINE or the fault, and change nothing when they fault (but
// `sow`, which stops where it fails: the position shows how far it came).
#ifndef OLDSOW_ACT_H
#define OLDSOW_ACT_H

#include "program.h"

#define FINE ((DiagCode)0)

DiagCode put_pieces(const Program *p, Cell *cells, int32_t n, int32_t kind, int32_t s);
DiagCode remove_pieces(const Program *p, Cell *cells, int32_t n, int32_t kind, int32_t s);
DiagCode move_pieces(const Program *p, Cell *cells, int32_t n, int32_t kind, int32_t from,
                     int32_t to);
// All pieces of the kinds; kinds NULL stands for every kind.
DiagCode remove_set(const Program *p, Cell *cells, const List *kinds, int32_t s);
DiagCode move_set(const Program *p, Cell *cells, const List *kinds, int32_t from, int32_t to);
// Lifts what lies on s of these kinds (other kinds stay) and drops it along the track. `hand` has
// room for kinds->n cells. *s becomes the last site.
DiagCode sow(const Program *p, Cell *cells, const List *kinds, int32_t *s, int32_t track,
             Cell *hand);

// The end of the game, as the SYSTEM cells tell it.
void end_game(const Program *p, Cell *cells, int over, int winners, int losers);
// Everybody in the list wins; R_UNSET if one is no player.
DiagCode end_won_by(const Program *p, Cell *cells, const List *list);
// The best score wins: the highest if order is 1, the lowest if it is -1. A player without a score
// has lost if anybody has one.
void end_by_score(const Program *p, Cell *cells, int order);

#endif
