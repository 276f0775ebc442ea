#include "oldsow.h"

static uint64_t rotate(uint64_t x, int by) { return x << by | x >> (64 - by); }

static uint64_t split_mix(uint64_t *x) {
    uint64_t z = *x += 0x9e3779b97f4a7c15u;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return z ^ z >> 31;
}

// The seed is mixed before the stream is added, so that (seed, 1) and (seed + 1, 0) have nothing in
// common.
void oldsow_seed(OldsowRng *rng, uint64_t seed, uint64_t stream) {
    uint64_t x = seed;
    x = split_mix(&x) + stream;
    x = split_mix(&x);
    for (int i = 0; i < 4; i++) rng->s[i] = split_mix(&x);
}

static inline uint64_t next(OldsowRng *rng) {
    uint64_t *s = rng->s, result = rotate(s[1] * 5, 7) * 9, t = s[1] << 17;
    s[2] ^= s[0];
    s[3] ^= s[1];
    s[1] ^= s[2];
    s[0] ^= s[3];
    s[2] ^= t;
    s[3] = rotate(s[3], 45);
    return result;
}

uint64_t oldsow_random(OldsowRng *rng) { return next(rng); }

// Lemire 2019: the upper half of the product is uniform once the few low halves that would favour
// some numbers are thrown away.
uint32_t oldsow_below(OldsowRng *rng, uint32_t n) {
    uint64_t product = (next(rng) >> 32) * n;
    if ((uint32_t)product < n) {
        uint32_t unfair = (0u - n) % n;
        while ((uint32_t)product < unfair) product = (next(rng) >> 32) * n;
    }
    return (uint32_t)(product >> 32);
}
