// The machine's loop: runs from a place of the base code to the next decision, throw, end or fault. Part of the machine:
// only vm.c uses it.
#ifndef OLDSOW_EXECUTE_H
#define OLDSOW_EXECUTE_H

#include "vm.h"

// With `on`, plays on from there: see vm_choose_on.
OldsowStatus execute(Vm *vm, Cell *cells, int start, Onward *on);

#endif
