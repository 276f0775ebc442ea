#include "histogram.h"

#include <assert.h>
#include <stdlib.h>

bool histogram_init(Histogram *h) {
    *h = (Histogram){.times = calloc(HISTOGRAM_SIZE, sizeof *h->times)};
    return h->times != NULL;
}

void histogram_free(Histogram *h) {
    free(h->times);
    *h = (Histogram){0};
}

uint64_t histogram_number(size_t step) {
    assert(step < HISTOGRAM_SIZE);
    if (step < HISTOGRAM_EXACT) return step;
    size_t power = (step - HISTOGRAM_EXACT) / HISTOGRAM_CUTS + HISTOGRAM_BITS;
    uint64_t cut = (step - HISTOGRAM_EXACT) % HISTOGRAM_CUTS + HISTOGRAM_CUTS;
    return cut << (power - HISTOGRAM_CUT_BITS);
}

bool histogram_add(Histogram *to, const Histogram *from) {
    bool fits = !__builtin_add_overflow(to->n, from->n, &to->n);
    fits &= !__builtin_add_overflow(to->sum, from->sum, &to->sum);
    // No count exceeds their sum, which has been added already.
    for (size_t i = 0; fits && i < HISTOGRAM_SIZE; i++) to->times[i] += from->times[i];
    return fits;
}

void histogram_move(Histogram *to, Histogram *from, size_t most) {
    for (size_t i = 0; i <= most; i++) {
        to->times[i] += from->times[i];
        from->times[i] = 0;
    }
    to->n += from->n;
    to->sum += from->sum;
    from->n = from->sum = 0;
}

uint64_t histogram_quantile(const Histogram *h, unsigned part, unsigned of) {
    assert(part > 0 && part <= of && of <= 1000);
    // The rank is n * part / of, rounded up, worked out so that it cannot overflow.
    uint64_t whole = h->n / of * part, rest = h->n % of * part, seen = 0;
    uint64_t rank = whole + rest / of + (rest % of != 0);
    for (size_t i = 0; rank > 0 && i < HISTOGRAM_SIZE; i++) {
        seen += h->times[i];
        if (seen >= rank) return histogram_number(i);
    }
    return 0;
}
