#include "tally.h"

bool tally_init(Tally *t) {
    *t = (Tally){0};
    if (histogram_init(&t->lengths) && histogram_init(&t->branching)) return true;
    tally_free(t);
    return false;
}

void tally_free(Tally *t) {
    histogram_free(&t->lengths);
    histogram_free(&t->branching);
}

static bool add(uint64_t *to, uint64_t n) { return !__builtin_add_overflow(*to, n, to); }

static bool add_wide(Wide *to, Wide n) { return !__builtin_add_overflow(*to, n, to); }

static void take_first(uint64_t *to, uint64_t game) {
    if (game && (!*to || game < *to)) *to = game;
}

bool tally_add(Tally *to, const Tally *from) {
    bool fits = add(&to->games, from->games);
    fits &= add(&to->plies, from->plies) && add(&to->throws, from->throws);
    for (int i = 0; i < PLAYOUT_ENDS; i++) fits &= add(&to->ends[i], from->ends[i]);
    for (int p = 0; p < OLDSOW_MAX_PLAYERS; p++) fits &= add(&to->wins[p], from->wins[p]);
    fits &= histogram_add(&to->lengths, &from->lengths);
    fits &= histogram_add(&to->branching, &from->branching);
    fits &= add_wide(&to->sum_bb, from->sum_bb) && add_wide(&to->sum_bd, from->sum_bd);
    fits &= add_wide(&to->sum_dd, from->sum_dd);
    take_first(&to->first_endless, from->first_endless);
    take_first(&to->first_fault, from->first_fault);
    return fits;
}
