// The shapes of the base code's instructions, from opcodes.def.
#include "program.h"

const OpShape op_shapes[OPCODES] = {
#define OP(name, operands, pops, pushes) [OP_##name] = {operands, pops, pushes},
#include "opcodes.def"
#undef OP
};
