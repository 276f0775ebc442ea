// Numbers as sets of bits.
#ifndef OLDSOW_BITS_H
#define OLDSOW_BITS_H

#include <stdint.h>

enum { NTH_SIZE = 256 * 8 };
#define EACH_BYTE UINT64_C(0x0101010101010101)

// How many ones each byte has, and all those below it. (Without -march what is built in is a call.)
static inline uint64_t ones_upto(uint64_t mask) {
    mask -= mask >> 1 & UINT64_C(0x5555555555555555);
    mask = (mask & UINT64_C(0x3333333333333333)) + (mask >> 2 & UINT64_C(0x3333333333333333));
    return ((mask + (mask >> 4)) & UINT64_C(0x0f0f0f0f0f0f0f0f)) * EACH_BYTE;
}

static inline unsigned ones(uint64_t upto) { return (unsigned)(upto >> 56); }

// The place of the one that has `n` below it. No branch has to be foretold: the bytes that end before it are counted, and in
// its byte a table knows the place.
static inline int nth_one(uint64_t mask, uint64_t upto, uint64_t n, const uint8_t *nth) {
    const uint64_t high = EACH_BYTE << 7, before = ((n * EACH_BYTE | high) - upto) & high;
    const unsigned place = (unsigned)((before >> 7) * EACH_BYTE >> 53) & ~7u;
    const uint64_t left = n - (upto << 8 >> place & 255);
    return (int)(place + nth[(mask >> place & 255) * 8 + left]);
}

// Per byte and number: the place of the one with so many below it.
static inline void nth_fill(uint8_t *nth) {
    for (unsigned byte = 0; byte < 256; byte++) {
        unsigned n = 0;
        for (unsigned k = 0; k < 8; k++) nth[byte * 8 + k] = 0;
        for (unsigned k = 0; k < 8; k++)
            if (byte >> k & 1) nth[byte * 8 + n++] = (uint8_t)k;
    }
}

#endif
