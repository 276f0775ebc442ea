#include "estimate.h"

#include <math.h>

static const double Z = 1.959963984540054; // of the normal distribution, for 95 %

Estimate estimate_share(uint64_t k, uint64_t n) {
    double count = (double)n, share = (double)k / count, zz = Z * Z / count;
    double centre = (share + zz / 2) / (1 + zz);
    double reach = Z * sqrt(share * (1 - share) / count + zz / count / 4) / (1 + zz);
    double low = centre - reach, high = centre + reach;
    return (Estimate){share, k == 0 || low < 0 ? 0 : low, k == n || high > 1 ? 1 : high};
}

static Estimate around(double value, double variance) {
    double reach = variance > 0 ? Z * sqrt(variance) : 0; // rounding can make it negative
    return (Estimate){value, value - reach, value + reach};
}

Estimate estimate_mean(const Histogram *h) {
    double n = (double)h->n, mean = (double)h->sum / n, squares = 0;
    for (size_t i = 0; i < HISTOGRAM_SIZE; i++) {
        if (!h->times[i]) continue;
        double apart = (double)histogram_number(i) - mean;
        squares += (double)h->times[i] * apart * apart;
    }
    return around(mean, h->n > 1 ? squares / (n - 1) / n : 0);
}

Estimate estimate_branching(const Tally *t) {
    double games = (double)t->games, decisions = (double)t->branching.n;
    double mean = (double)t->branching.sum / decisions;
    double squares =
        (double)t->sum_bb - 2 * mean * (double)t->sum_bd + mean * mean * (double)t->sum_dd;
    double factor = t->games > 1 ? games / (games - 1) : 0;
    return around(mean, factor * squares / (decisions * decisions));
}
