// Four sites at a time: a bit for each of which more than `floor` lie there, the first one's lowest. Nothing but
// cells is read: behind the last site, or variable, there are always others, BEHIND of them at least.
#ifndef OLDSOW_FOURS_H
#define OLDSOW_FOURS_H

#include "program.h"

#ifdef __SSE2__
#include <emmintrin.h>
#endif

// The pieces of a site that count: those of the first `each` kinds.
static inline Cell count_of(const Cell *cell, int each) {
    Cell n = cell[0];
    for (int k = 1; k < each; k++) n += cell[k];
    return n;
}

#ifdef __SSE2__
enum { FOURS_STRIDE = 2 }; // cells from site to site, at most
#else
enum { FOURS_STRIDE = 0 };
#endif

#ifdef __SSE2__
// `stride` cells from site to site: 1 or 2.
static inline __m128i more_of_four(const Cell *cell, int stride, int each, Cell floor) {
    const __m128i *at = (const __m128i *)(const void *)cell;
    __m128i n = _mm_loadu_si128(at);
    if (stride == 2) {
        __m128 low = _mm_castsi128_ps(n), high = _mm_castsi128_ps(_mm_loadu_si128(at + 1));
        n = _mm_castps_si128(_mm_shuffle_ps(low, high, _MM_SHUFFLE(2, 0, 2, 0)));
        if (each == 2)
            n = _mm_add_epi32(n,
                              _mm_castps_si128(_mm_shuffle_ps(low, high, _MM_SHUFFLE(3, 1, 3, 1))));
    }
    return _mm_cmpgt_epi32(n, _mm_set1_epi32(floor));
}
#endif

// `stride` cells from site to site.
static inline unsigned four(const Cell *cell, int stride, int each, Cell floor) {
#ifdef __SSE2__
    if (stride <= FOURS_STRIDE)
        return (unsigned)_mm_movemask_ps(_mm_castsi128_ps(more_of_four(cell, stride, each, floor)));
#endif
    unsigned bits = 0;
    for (unsigned i = 0; i < 4; i++, cell += stride)
        bits |= (unsigned)(count_of(cell, each) > floor) << i;
    return bits;
}

// The same for sixteen.
static inline unsigned sixteen(const Cell *cell, int stride, int each, Cell floor) {
#ifdef __SSE2__
    if (stride <= FOURS_STRIDE) {
        const int more = 4 * stride;
        return (unsigned)_mm_movemask_epi8(
            _mm_packs_epi16(_mm_packs_epi32(more_of_four(cell, stride, each, floor),
                                            more_of_four(cell + more, stride, each, floor)),
                            _mm_packs_epi32(more_of_four(cell + 2 * more, stride, each, floor),
                                            more_of_four(cell + 3 * more, stride, each, floor))));
    }
#endif
    unsigned bits = 0;
    for (unsigned i = 0; i < 16; i += 4, cell += 4 * stride)
        bits |= four(cell, stride, each, floor) << i;
    return bits;
}

// Cells side by side, sixteen at a time and n at least, of which each second one has a floor of its own.
static inline uint64_t more_of_pairs(const Cell *cell, int n, Cell even, Cell odd) {
    uint64_t bits = 0;
#ifdef __SSE2__
    const __m128i floor = _mm_set_epi32(odd, even, odd, even);
    for (int i = 0; i < n; i += 16, cell += 16) {
        const __m128i *at = (const __m128i *)(const void *)cell;
        const __m128i a = _mm_cmpgt_epi32(_mm_loadu_si128(at), floor),
                      b = _mm_cmpgt_epi32(_mm_loadu_si128(at + 1), floor),
                      c = _mm_cmpgt_epi32(_mm_loadu_si128(at + 2), floor),
                      d = _mm_cmpgt_epi32(_mm_loadu_si128(at + 3), floor);
        const __m128i all = _mm_packs_epi16(_mm_packs_epi32(a, b), _mm_packs_epi32(c, d));
        bits |= (uint64_t)(unsigned)_mm_movemask_epi8(all) << i;
    }
#else
    for (int i = 0; i < n; i++) bits |= (uint64_t)(cell[i] > (i % 2 ? odd : even)) << i;
#endif
    return bits;
}

enum {
    FEW = 8,    // sites that are asked one by one
    BEHIND = 15 // sites that are read behind the last one, at most
};

// The first of n sites from the i-th on where it is so, or is not if `contrary`; n or more: there is none.
static inline int32_t first_of(const Cell *cell, int stride, int each, Cell floor, bool contrary,
                               int32_t i, int32_t n) {
    cell += (ptrdiff_t)i * stride;
    // (What was just written to one cell is not at hand for four.)
    if (stride > FOURS_STRIDE || n <= FEW) {
        for (; i < n; i++, cell += stride)
            if ((count_of(cell, each) > floor) != contrary) break;
        return i;
    }
    for (; i < n; i += 4, cell += 4 * stride) {
        unsigned bits = four(cell, stride, each, floor) ^ (contrary ? 15u : 0u);
        if (bits) return i + __builtin_ctz(bits);
    }
    return i;
}

#endif
