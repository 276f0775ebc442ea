// What the words of the language mean for the layout of scripts.
#ifndef OLDSOW_MANNERS_H
#define OLDSOW_MANNERS_H

#include "layout.h"

// Of the core, without its programs: what costs nothing to know.
LayoutWords layout_core(void);
// Of the core and of the libraries. The programs live in the arena.
LayoutWords layout_manners(Arena *arena);

#endif
