// Shared by equip.c, orders.c, dice.c, vars.c and conserve.c. The way in from elsewhere is equip() in world.h.
#ifndef OLDSOW_EQUIP_H
#define OLDSOW_EQUIP_H

#include "world.h"

typedef VEC(int) Ints;

Symbol *add_symbol(World *w, const Item *item, SymbolKind kind);
void wrong(World *w, const Node *at, const char *why);
bool read_constant(World *w, Node *n, const char *wanted, const char *who, int *value);
void equip_region(World *w, const Item *item);
void equip_track(World *w, const Item *item);
void equip_lane(World *w, const Item *item);
void equip_dice(World *w, const Item *item);
void equip_var(World *w, const Item *item);
// Whether the name is one of a type of variables, whatever else is called so: in (var n number).
bool is_var_type(const Node *n);
void equip_conserve(World *w, const Item *item);

#endif
