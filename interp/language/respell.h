// A word that was told of as misspelt is taken for what was likely meant: what hangs on it is no fault of its own.
//
// The syntax tree itself is changed, so that it is told once, however often the place is come by.
#ifndef OLDSOW_RESPELL_H
#define OLDSOW_RESPELL_H

#include "script.h"

// An item whose head is none: what it likely is, L_UNKNOWN if nothing is near. `variant`: it stands in one.
LudemeId respell_head(Diags *d, const Node *form, bool variant);
// The keys of a form of the core that are none of its own but near to one.
void respell_keys(Diags *d, const Script *script, const Node *form, LudemeId id,
                  const Expansion *via);
// Whether the ludeme takes an argument of that key.
bool takes_key(LudemeId id, const char *key);
// `(or p in: ...)`: a ludeme that goes through no list, near to one that does. Gives what it is taken for.
LudemeId respell_binder(Diags *d, const Script *script, const Node *form, LudemeId id,
                        const Expansion *via);
// `(or (choose ...) ...)`: what only asks holds choices. Gives what it is taken for.
LudemeId respell_either(Diags *d, const Script *script, const Node *form, LudemeId id,
                        const Expansion *via);
// A call of what is nothing. True if it was told of: a definition may be misspelt where it is made, and is known as this now, or
// the head, of a form that makes names. `fresh`: what it begins with is no name that is known there.
bool respell_call(Diags *d, const Script *script, const Node *call, bool fresh,
                  const Expansion *via);
// The library, in use or not, that defines the name, or NULL.
const char *library_of(Arena *arena, const char *name);
// loose.c: keys of an item, and of the shape of a board, that lack their colon.
void put_colon(Diags *d, const Script *script, Node *key, const Expansion *via, bool told);
void loose_item_keys(Diags *d, const Script *script, const Node *form, LudemeId id);
// A ludeme among the parts of a region, track or lane that lacks its brackets: it has them then.
void loose_item_parts(Diags *d, const Script *script, const Node *form);
// The keys of all items of the author's; a key may also be the name of a player.
void respell_items(Diags *d, const Script *script);

// Whether the name is something, though nothing that is called: a site, a player, a word, what had a fault.
bool is_something(const Script *script, const char *name);

#endif
