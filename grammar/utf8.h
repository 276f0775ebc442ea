// Just enough UTF-8: decoding, and how many columns of a terminal a character takes.
#ifndef OLDSOW_UTF8_H
#define OLDSOW_UTF8_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// Decodes the character at `s`, of which `size` bytes may be read. Gives its length, or 0 when the
// bytes are no UTF-8 (surrogates and needlessly long forms are none).
unsigned utf8_decode(const char *s, size_t size, uint32_t *code);

// 0 for combining marks, 2 for wide East Asian characters and emoji, else 1. The answer does not
// depend on the locale.
unsigned utf8_width(uint32_t code);

// Whether the character changes the direction of what follows it.
bool utf8_reorders(uint32_t code);
// Whether it cannot be seen: a control character, one without width, a mark of direction.
bool utf8_hidden(uint32_t code);
// The letter of ASCII that a letter of another script looks just like, or 0.
char utf8_double(uint32_t code);

#endif
