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

// The same, with those of two bytes at hand.
static inline unsigned ones_by(uint64_t mask, const ByteOnes *of) {
    if (mask < 1 << 16) return (unsigned)of[mask & 255].n + of[mask >> 8].n;
    if (mask < 1 << 24)
        return (unsigned)of[mask & 255].n + of[mask >> 8 & 255].n + of[mask >> 16].n;
    unsigned n = 0; // most often they are few
    for (; mask && n < 4; mask &= mask - 1) n++;
    return mask ? n + ones(mask) : n;
}

// The place of the bit with so many below it. Two bytes of bits are looked up in tables: no branch has to be foretold.
static inline int nth_one(uint64_t mask, const ByteOnes *of, unsigned nth) {
    if (mask < 1 << 16) {
        const ByteOnes *low = &of[mask & 255], *high = &of[mask >> 8];
        return nth < low->n ? low->nth[nth] : 8 + high->nth[nth - low->n];
    }
    for (; nth > 0; nth--) mask &= mask - 1;
    return __builtin_ctzll(mask);
}

#endif
