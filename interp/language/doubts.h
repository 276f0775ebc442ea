// What is allowed and yet hardly meant: warnings that need the checked tree or the equipment.
//
// Told only of the author's own text, outside of definitions, and only while a script is checked (Script.usage).
#ifndef OLDSOW_DOUBTS_H
#define OLDSOW_DOUBTS_H

#include "world.h"

// A track as declared at `at`: whether it jumps at one place only.
void doubt_track(World *w, const Node *at, int track);
// A checked (sow ... along: TRACK): whether it can run off the end of a path that was to be a loop.
void doubt_sowing(World *w, const Node *along);
// A checked comparison: whether its answer never changes.
void doubt_comparison(World *w, const Node *n);
// The same by the least and greatest that both sides can be.
void doubt_bounds(World *w, const Node *n);
// What a name goes through: whether that is never anything.
void doubt_domain(World *w, const Node *name, const Node *domain);
// A checked (index ...): whether what is looked for can be there twice.
void doubt_index(World *w, const Node *n);
// A checked (without ...): whether it takes everything away. (whose SITE): whether that can be anybody's.
void doubt_without(World *w, const Node *n);
void doubt_whose(World *w, const Node *n);
// A checked (row ...) or (column ...) whose number a loop goes through: whether it leaves the board.
void doubt_row(World *w, const Node *n);
// A variable that is asked for by what a loop goes through: whether that leaves the list of its places.
void doubt_place(World *w, const Node *n, const char *name, int places);
// A call that gives a site: (at 9 1), off the board whatever happens. And one of which it is asked whether it is there.
void doubt_site(World *w, const Node *n);
void site_may_lack(World *w, const Node *n);
// A checked loop that nothing leaves: whether what its condition asks is the same each time.
void doubt_loop(World *w, const Node *n, const Node *condition);
// Checked turns, or a loop without a condition, in which somebody decides.
void doubt_rounds(World *w, const Node *n, bool can_end);
// The names of one expansion: whether they hide something.
void doubt_names(World *w);
// A checked (if ...): whether one of its later cases asks what was asked before.
void doubt_cases(World *w, const Node *n);
// The statement behind one that was checked.
void doubt_next(World *w, const Node *before, const Node *next);
// Readings that are alike, options that make no difference.
void doubt_readings(Arena *arena, const Script *script, Diags *diags);

// A region or track that is given to each player: values[p], counts[p] of them.
void doubt_per_player(World *w, const Item *item, Node *const *const *values, const size_t *counts);
// The sites of each player's own region, track or lane, written out for each: whether one is a little longer than the others.
void doubt_lengths(World *w, const Item *item, const int *lengths);
// `each:`, though it is the same list for everybody; `lists` for each player.
void doubt_each(World *w, const Item *item, const int *lists);
// The checked start and play, as a whole.
void doubt_program(World *w);
// The script as it is written: comparisons that stand backwards, arguments that seem to have changed places, values that nothing asks for.
void doubt_written(Arena *arena, const Script *script, Diags *diags);

#endif
