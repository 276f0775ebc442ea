// Items whose name, or whose header, has changed places with what follows it.
#ifndef OLDSOW_ITEM_ORDER_H
#define OLDSOW_ITEM_ORDER_H

#include "script.h"

// The item as it is meant: reports if two of its parts have changed places, and gives it with them put back; else the form itself.
Node *item_in_order(Diags *d, const Script *script, LudemeId kind, Node *form);
// The same for a definition that replaces another.
Node *replacement_in_order(Diags *d, const Script *script, Node *form);
// And for (fix VALUE OPTION).
const Node *fix_in_order(Diags *d, const Script *script, const Node *form);
// The ludeme is not known: is it the header of a definition that has changed places with its body, as in
// (define (claim-own from: side) (share-out))? Then that is reported, once for all its uses.
bool header_misplaced(Diags *d, const Script *script, const char *name);
// Whether the name stands anywhere among the equipment: as the name of an item, a word, a player, a point ...
bool in_equipment(const Script *script, const char *name);

#endif
