// What lies where on a board: asked once, while the tables of a program are made.
//
// Sites are numbers of the world; those that are found are put behind what `out` has already, in the world's arena.
#ifndef OLDSOW_GEOMETRY_H
#define OLDSOW_GEOMETRY_H

#include "world.h"

typedef VEC(int) Ints;

bool contains(const Ints *v, int value);
// The square that a lane's step lies on; of any other site itself.
const SiteInfo *square_of(const World *w, int site);
// The site behind b as seen from a, its neighbour; UNSET if there is none.
int site_beyond(const World *w, int a, int b);
// Those one step away, along the board's links and the lines of a graph.
void site_neighbours(World *w, int site, Ints *out);
// Strictly between a and b on a row, column or diagonal without gaps, or on a line of a graph.
void sites_between(World *w, int a, int b, Ints *out);
// The steps of others' lanes on the square of this one.
void steps_sharing(World *w, int site, Ints *out);
// The steps of all lanes on a square.
void steps_on(World *w, int site, Ints *out);
// The site in the same column, in the row as far from the other edge; with `columns`, in the column as far from the other
// side, too. On lanes it is the squares that face each other. UNSET without rows.
int site_mirrored(const World *w, int site, bool columns);
// One row further from the middle; UNSET where there is none.
int site_behind(const World *w, int site);

#endif
