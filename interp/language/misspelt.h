// A name that is not known may be right, and the one that was meant misspelt where it is declared.
#ifndef OLDSOW_MISSPELT_H
#define OLDSOW_MISSPELT_H

#include "script.h"

// Is there a name like this one that the author declares and nothing uses, while this one is used more than once, or is made of
// words that the docs know? Then that is the mistake: it is reported at the declaration, once for all uses. `use` is where the
// unknown name stands: names that a form makes for itself (parameters, let, for, choose ...) are looked for in its item.
bool misspelt_declaration(Diags *d, const Script *script, const char *name, Span use);
// Is it a word that an option or a variable of the script may be?
bool is_option_word(const Script *script, const char *name);

#endif
