// For execute.c: runs a game that was compiled.
#ifndef OLDSOW_ATTACH_H
#define OLDSOW_ATTACH_H

#include "../vm/vm.h"
#include "step.h"

// As `execute`; then on by chance, unless `on` is NULL.
OldsowStatus native_run(Vm *vm, Cell *cells, int at, Onward *on);

#endif
