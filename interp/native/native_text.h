// The texts that become part of every compiled game, as they were when the binary was built; see
// stdlib/embed.sh.
#ifndef OLDSOW_NATIVE_TEXT_H
#define OLDSOW_NATIVE_TEXT_H

#include "../language/stdlib_data.h"

extern const StdlibFile native_files[];
extern const unsigned native_count;

#endif
