// A name that is not known may be right, and the one that was meant misspelt where it is declared.
#ifndef OLDSOW_MISSPELT_H
#define OLDSOW_MISSPELT_H

#include "script.h"

struct Misspelt *misspelt_new(Arena *arena);
// Is there a name like this one that the author declares and nothing uses, while this one is used more than once, or is the
// likelier of the two spellings? Then that is the mistake: it is reported at the declaration, once for all uses, and the
// declaration is taken for one of this name. `use` is where the unknown name stands: names that a form makes for
// itself (parameters, let, for, choose ...) are looked for where they would be known to it.
bool misspelt_declaration(Diags *d, const Script *script, const char *name, Span use);
// The same for a name that does not fit as what it is known as, NULL for nothing.
bool misspelt_unless(Diags *d, const Script *script, const char *name, Span use,
                     const char *known_as);
// The same for what is no value of an option, though it may be known as something else.
bool misspelt_value(Diags *d, const Script *script, const char *name, Span use);
// The same for a key that the definition does not have.
bool misspelt_key(Diags *d, const Script *script, const Item *definition, const char *key,
                  Span use);
// Does a form or an item make that name, so that it is known where `use` is?
bool named_there(Arena *arena, const Script *script, const char *name, Span use);
// The same of names that are made within an item: by a let, a choice, as a parameter.
bool local_there(Arena *arena, const Script *script, const char *name, Span use);
// Is it a word that an option or a variable of the script may be?
bool is_option_word(const Script *script, const char *name);

#endif
