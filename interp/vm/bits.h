// Numbers as sets of bits.
#ifndef OLDSOW_BITS_H
#define OLDSOW_BITS_H

#include <stdint.h>

// Per byte: how many ones it has, and the place of the one with so many below it.
typedef struct ByteOnes {
    uint8_t n;
    uint8_t nth[8];
} ByteOnes;
enum { BYTES = 256 };

static inline void bytes_fill(ByteOnes *of) {
    for (unsigned byte = 0; byte < BYTES; byte++) {
        of[byte] = (ByteOnes){0};
        for (unsigned k = 0; k < 8; k++)
            if (byte >> k & 1) of[byte].nth[of[byte].n++] = (uint8_t)k;
    }
}

static inline unsigned ones(uint64_t mask) { // without -march the built-in one is a call
    mask -= mask >> 1 & UINT64_C(0x5555555555555555);
    mask = (mask & UINT64_C(0x3333333333333333)) + (mask >> 2 & UINT64_C(0x3333333333333333));
    return (unsigned)(((mask + (mask >> 4)) & UINT64_C(0x0f0f0f0f0f0f0f0f)) *
                          UINT64_C(0x0101010101010101) >>
                      56);
}

#endif
