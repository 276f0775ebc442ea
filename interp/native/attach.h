// For vm.c: runs a game that was compiled.
#ifndef OLDSOW_ATTACH_H
#define OLDSOW_ATTACH_H

#include "../vm/vm.h"
#include "step.h"

// As `execute` in vm.c.
OldsowStatus native_run(Vm *vm, Cell *cells, int at);

#endif
