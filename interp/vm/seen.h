// The positions a look-ahead has opened, so that it opens none twice. Exact: whole vectors are compared.
//
// Owner: the Vm. It forgets when it would take too much memory, or has none: then positions are
// opened again, which costs time and changes no answer.
#ifndef OLDSOW_SEEN_H
#define OLDSOW_SEEN_H

#include "vm.h"

enum { SEEN_BYTES_MAX = 64 << 20 };

void seen_free(Seen *s);
void seen_forget(Seen *s);
// Whether the position was noted before, at this place of the program and within this WOULD; notes it.
bool seen_before(Seen *s, const Cell *cells, size_t n, uint32_t would, int at);

#endif
