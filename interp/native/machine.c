// ---- what every compiled game is made of ---------------------------------------------------------
//
// Sites, kinds, players, tracks and lists are small numbers; UNSET is one that is not there. A number that a rule
// works out is checked before it is used: by is_site and the like, with one comparison.

#include <string.h>

#ifdef __GNUC__
#define MAYBE_UNUSED __attribute__((unused))
#define RARE(x) __builtin_expect(!!(x), 0)
#else
#define MAYBE_UNUSED
#define RARE(x) (x)
#endif
#define HELPER MAYBE_UNUSED static inline

enum { UNSET = -1, CELL_MAX = 32767, CELL_MIN = -32767, LOOKS = 16, CANDIDATES = 100000 };
enum { WAITS_CHOICE, WAITS_CHANCE, IS_OVER, IS_FAULT };
enum { OVER_NOT, OVER_DECIDED, OVER_DRAWN, OVER_UNDECIDED };

typedef struct List {
    const int16_t *at;
    int n;
} List;

typedef struct Track {
    const int16_t *next;  // the next site along, or UNSET
    const int16_t *place; // of a site, from 0, or UNSET
    const int16_t *sites; // in order
    int n;
    bool loop;
} Track;

HELPER bool is_site(int32_t v) { return v >= 0 && v < SITES; }
HELPER bool is_kind(int32_t v) { return v >= 0 && v < KINDS; }
HELPER bool is_player(int32_t v) { return v >= 0 && v < PLAYERS; }
HELPER bool is_track(int32_t v) { return v >= 0 && v < TRACKS; }
HELPER bool is_list(int32_t v) { return v >= 0 && v < LISTS; }
HELPER bool fits_cell(int32_t v) { return v >= CELL_MIN && v <= CELL_MAX; }

HELPER bool add_numbers(int32_t a, int32_t b, int32_t *sum) {
    int64_t x = (int64_t)a + b;
    *sum = (int32_t)x;
    return x != *sum;
}
HELPER bool sub_numbers(int32_t a, int32_t b, int32_t *difference) {
    int64_t x = (int64_t)a - b;
    *difference = (int32_t)x;
    return x != *difference;
}
HELPER bool mul_numbers(int32_t a, int32_t b, int32_t *product) {
    int64_t x = (int64_t)a * b;
    *product = (int32_t)x;
    return x != *product;
}
HELPER int32_t divide(int32_t a, int32_t b) { // rounds down
    int32_t q = a / b;
    return a % b != 0 && (a < 0) != (b < 0) ? q - 1 : q;
}
HELPER int32_t modulo(int32_t a, int32_t b) { // has the sign of b
    if (b == -1) return 0;
    int32_t r = a % b;
    return r != 0 && (r < 0) != (b < 0) ? r + b : r;
}
HELPER int32_t min_of(int32_t a, int32_t b) { return a < b ? a : b; }
HELPER int32_t max_of(int32_t a, int32_t b) { return a > b ? a : b; }

// The position of v in a list, from 0, or -1.
HELPER int list_position(const List *list, int32_t v) {
    if (list->n == 0) return -1;
    uint32_t up = (uint32_t)v - (uint32_t)list->at[0];
    if (up < (uint32_t)list->n && list->at[up] == v) return (int)up;
    uint32_t down = 0u - up;
    if (down < (uint32_t)list->n && list->at[down] == v) return (int)down;
    for (int i = 0; i < list->n; i++)
        if (list->at[i] == v) return i;
    return -1;
}
HELPER int32_t list_nth(const List *list, int32_t i) {
    uint32_t at = (uint32_t)i - 1u;
    return at < (uint32_t)list->n ? list->at[at] : UNSET;
}

HELPER int32_t count_all(const int32_t *c, int32_t s) {
    if (!is_site(s)) return 0;
    int32_t n = c[s * KINDS];
    for (int k = 1; k < KINDS; k++) n += c[s * KINDS + k];
    return n;
}
HELPER int32_t count_kind(const int32_t *c, int32_t s, int32_t kind) {
    return is_site(s) && is_kind(kind) ? c[s * KINDS + kind] : 0;
}
HELPER int32_t count_set(const int32_t *c, int32_t s, const List *kinds) {
    int32_t n = 0;
    for (int i = 0; i < kinds->n; i++) n += count_kind(c, s, kinds->at[i]);
    return n;
}
HELPER int32_t is_empty(const int32_t *c, int32_t s) { return is_site(s) && count_all(c, s) == 0; }
HELPER int32_t empty_kind(const int32_t *c, int32_t s, int32_t kind) {
    return is_site(s) && count_kind(c, s, kind) == 0;
}
HELPER int32_t empty_set(const int32_t *c, int32_t s, const List *kinds) {
    return is_site(s) && count_set(c, s, kinds) == 0;
}
HELPER int32_t list_count(const int32_t *c, const List *sites) {
    int32_t n = 0;
    for (int i = 0; i < sites->n; i++) n += count_all(c, sites->at[i]);
    return n;
}
HELPER int32_t list_count_kind(const int32_t *c, const List *sites, int32_t kind) {
    int32_t n = 0;
    for (int i = 0; i < sites->n; i++) n += count_kind(c, sites->at[i], kind);
    return n;
}
HELPER int32_t list_count_set(const int32_t *c, const List *sites, const List *kinds) {
    int32_t n = 0;
    for (int i = 0; i < sites->n; i++) n += count_set(c, sites->at[i], kinds);
    return n;
}
HELPER int32_t piece_on(const int32_t *c, int32_t s, const List *kinds) {
    for (int i = 0; i < kinds->n; i++)
        if (count_kind(c, s, kinds->at[i]) > 0) return kinds->at[i];
    return UNSET;
}

HELPER int32_t track_next(const Track *tracks, int32_t s, int32_t t) {
    return is_site(s) && is_track(t) ? tracks[t].next[s] : UNSET;
}
HELPER int32_t track_ahead(const Track *tracks, int32_t s, int32_t t, int32_t n) {
    if (!is_site(s) || !is_track(t)) return UNSET;
    const Track *track = &tracks[t];
    int64_t to = track->place[s];
    if (to < 0) return UNSET;
    to += n;
    if (to >= 0 && to < track->n) return track->sites[to];
    if (!track->loop) return UNSET;
    to %= track->n;
    return track->sites[to < 0 ? to + track->n : to];
}

// Moving pieces: 0 or the fault. Nothing is changed if there is one, except where a sowing stops.
HELPER int put_pieces(int32_t *c, int32_t n, int32_t kind, int32_t s) {
    if (!is_site(s) || !is_kind(kind)) return R_UNSET;
    if (n < 0) return R_NEGATIVE;
    int32_t *here = &c[s * KINDS + kind];
    if (n > CELL_MAX - *here) return R_TOO_BIG;
    *here += n;
    return 0;
}
HELPER int remove_pieces(int32_t *c, int32_t n, int32_t kind, int32_t s) {
    if (!is_site(s) || !is_kind(kind)) return R_UNSET;
    if (n < 0) return R_NEGATIVE;
    int32_t *here = &c[s * KINDS + kind];
    if (n > *here) return R_TOO_FEW;
    *here -= n;
    return 0;
}
HELPER int move_pieces(int32_t *c, int32_t n, int32_t kind, int32_t from, int32_t to) {
    if (!is_site(from) || !is_site(to) || !is_kind(kind)) return R_UNSET;
    if (n < 0) return R_NEGATIVE;
    int32_t *here = &c[from * KINDS + kind], *there = &c[to * KINDS + kind];
    if (n > *here) return R_TOO_FEW;
    if (here == there) return 0;
    if (n > CELL_MAX - *there) return R_TOO_BIG;
    *here -= n;
    *there += n;
    return 0;
}
HELPER int remove_kind(int32_t *c, int32_t kind, int32_t s) {
    return remove_pieces(c, count_kind(c, s, kind), kind, s);
}
HELPER int move_kind(int32_t *c, int32_t kind, int32_t from, int32_t to) {
    return move_pieces(c, count_kind(c, from, kind), kind, from, to);
}
HELPER int remove_set(int32_t *c, const List *kinds, int32_t s) {
    if (!is_site(s)) return R_UNSET;
    for (int i = 0; i < kinds->n; i++)
        if (is_kind(kinds->at[i])) c[s * KINDS + kinds->at[i]] = 0;
    return 0;
}
HELPER int remove_all(int32_t *c, int32_t s) {
    if (!is_site(s)) return R_UNSET;
    for (int k = 0; k < KINDS; k++) c[s * KINDS + k] = 0;
    return 0;
}
HELPER int move_set(int32_t *c, const List *kinds, int32_t from, int32_t to) {
    if (!is_site(from) || !is_site(to)) return R_UNSET;
    if (from == to) return 0;
    int32_t *here = c + from * KINDS, *there = c + to * KINDS;
    for (int i = 0; i < kinds->n; i++)
        if (is_kind(kinds->at[i]) && here[kinds->at[i]] + there[kinds->at[i]] > CELL_MAX)
            return R_TOO_BIG;
    for (int i = 0; i < kinds->n; i++) {
        if (!is_kind(kinds->at[i])) continue;
        there[kinds->at[i]] += here[kinds->at[i]];
        here[kinds->at[i]] = 0;
    }
    return 0;
}
HELPER int move_all(int32_t *c, int32_t from, int32_t to) {
    if (!is_site(from) || !is_site(to)) return R_UNSET;
    if (from == to) return 0;
    int32_t *here = c + from * KINDS, *there = c + to * KINDS;
    for (int k = 0; k < KINDS; k++)
        if (here[k] + there[k] > CELL_MAX) return R_TOO_BIG;
    for (int k = 0; k < KINDS; k++) {
        there[k] += here[k];
        here[k] = 0;
    }
    return 0;
}
// Lifts what lies on *s of these kinds and drops it along the track, one by one; *s becomes the last site.
HELPER int sow_along(int32_t *c, const List *kinds, int32_t *s, const Track *tracks, int32_t t) {
    if (!is_site(*s) || !is_track(t)) return R_UNSET;
    const int16_t *next = tracks[t].next;
    int32_t hand[KINDS + 1];
    int32_t at = *s;
    for (int i = 0; i < kinds->n; i++) { // a kind stands in the list but once
        hand[i] = 0;
        if (!is_kind(kinds->at[i])) continue;
        hand[i] = c[at * KINDS + kinds->at[i]];
        c[at * KINDS + kinds->at[i]] = 0;
    }
    for (int i = 0; i < kinds->n; i++)
        for (int32_t left = hand[i]; left > 0; left--) {
            if (RARE(next[at] < 0)) return R_TRACK_END;
            at = next[at];
            int32_t *there = &c[at * KINDS + kinds->at[i]];
            if (RARE(*there == CELL_MAX)) return R_TOO_BIG;
            ++*there;
        }
    *s = at;
    return 0;
}

// The same for cells that are there, and numbers that are not negative.
HELPER int put_at(int32_t *here, int32_t n) {
    if (n > CELL_MAX - *here) return R_TOO_BIG;
    *here += n;
    return 0;
}
HELPER int remove_at(int32_t *here, int32_t n) {
    if (n > *here) return R_TOO_FEW;
    *here -= n;
    return 0;
}
HELPER int move_at(int32_t *from, int32_t *to, int32_t n) {
    if (n > *from) return R_TOO_FEW;
    if (from == to) return 0;
    if (n > CELL_MAX - *to) return R_TOO_BIG;
    *from -= n;
    *to += n;
    return 0;
}
HELPER int move_apart(int32_t *restrict from, int32_t *restrict to, int32_t n) {
    if (n > *from) return R_TOO_FEW;
    if (n > CELL_MAX - *to) return R_TOO_BIG;
    *from -= n;
    *to += n;
    return 0;
}
HELPER int move_whole(int32_t *from, int32_t *to) {
    if (from == to) return 0;
    if (*from > CELL_MAX - *to) return R_TOO_BIG;
    *to += *from;
    *from = 0;
    return 0;
}
// Sows one kind; c is that kind's cell on the first site.
HELPER int sow_one(int32_t *c, int32_t *s, const int16_t *next) {
    int32_t at = *s, left = c[at * KINDS];
    c[at * KINDS] = 0;
    for (; left > 0; left--) {
        if (RARE(next[at] < 0)) return R_TRACK_END;
        at = next[at];
        if (RARE(c[at * KINDS] == CELL_MAX)) return R_TOO_BIG;
        ++c[at * KINDS];
    }
    *s = at;
    return 0;
}

// ---- many sites at once: a bit each

HELPER int32_t ones(uint64_t bits) {
    bits -= bits >> 1 & UINT64_C(0x5555555555555555);
    bits = (bits & UINT64_C(0x3333333333333333)) + (bits >> 2 & UINT64_C(0x3333333333333333));
    bits = (bits + (bits >> 4)) & UINT64_C(0x0f0f0f0f0f0f0f0f);
    return (int32_t)(bits * UINT64_C(0x0101010101010101) >> 56);
}
HELPER int32_t ones_of_32(uint64_t all) {
    uint32_t bits = (uint32_t)all;
    bits -= bits >> 1 & 0x55555555u;
    bits = (bits & 0x33333333u) + (bits >> 2 & 0x33333333u);
    bits = (bits + (bits >> 4)) & 0x0f0f0f0fu;
    return (int32_t)(bits * 0x01010101u >> 24);
}
// How many ones a byte has.
#define ONES_2(n) n, n + 1, n + 1, n + 2
#define ONES_4(n) ONES_2(n), ONES_2(n + 1), ONES_2(n + 1), ONES_2(n + 2)
#define ONES_6(n) ONES_4(n), ONES_4(n + 1), ONES_4(n + 1), ONES_4(n + 2)
MAYBE_UNUSED static const uint8_t ones_in[256] = {ONES_6(0), ONES_6(1), ONES_6(1), ONES_6(2)};
// Of no more than 16 bits, sooner: what comes next waits for it.
HELPER int32_t ones_of_16(uint64_t bits) { return ones_in[bits & 255] + ones_in[bits >> 8]; }
HELPER int lowest(uint64_t bits) { // there is one
#ifdef __GNUC__
    return __builtin_ctzll(bits);
#else
    int n = 0;
    for (; !(bits & 1); bits >>= 1) n++;
    return n;
#endif
}
HELPER int nth_one(uint64_t bits, size_t i) { // from 0
    while (i-- > 0) bits &= bits - 1;
    return lowest(bits);
}
// Where the ones of a byte are, four bits for each, the first lowest: found without jumps, which nobody could foretell.
#define ONE(n, k) (((n) >> k & 1) * k##u)
#define FROM_7(n) ONE(n, 7)
#define FROM_6(n) (FROM_7(n) << ((n) >> 4 & 4) | ONE(n, 6))
#define FROM_5(n) (FROM_6(n) << ((n) >> 3 & 4) | ONE(n, 5))
#define FROM_4(n) (FROM_5(n) << ((n) >> 2 & 4) | ONE(n, 4))
#define FROM_3(n) (FROM_4(n) << ((n) >> 1 & 4) | ONE(n, 3))
#define FROM_2(n) (FROM_3(n) << ((n)&4) | ONE(n, 2))
#define FROM_1(n) (FROM_2(n) << ((n) << 1 & 4) | ONE(n, 1))
#define PLACES(n) FROM_1(n) << ((n) << 2 & 4)
#define PLACES_4(n) PLACES(n), PLACES((n) + 1), PLACES((n) + 2), PLACES((n) + 3)
#define PLACES_16(n) PLACES_4(n), PLACES_4((n) + 4), PLACES_4((n) + 8), PLACES_4((n) + 12)
#define PLACES_64(n) PLACES_16(n), PLACES_16((n) + 16), PLACES_16((n) + 32), PLACES_16((n) + 48)
MAYBE_UNUSED static const uint32_t places_in[256] = {PLACES_64(0), PLACES_64(64), PLACES_64(128),
                                                     PLACES_64(192)};
HELPER int nth_of_32(uint64_t all, size_t i) {
    uint32_t bits = (uint32_t)all;
    bits -= bits >> 1 & 0x55555555u;
    bits = (bits & 0x33333333u) + (bits >> 2 & 0x33333333u);
    bits = (bits + (bits >> 4)) & 0x0f0f0f0fu;
    bits *= 0x01010101u; // how many there are up to each byte
    uint32_t over = ((((uint32_t)i * 0x01010101u | 0x80808080u) - bits) & 0x80808080u) >> 7;
    uint32_t from = over * 0x01010101u >> 24 << 3; // the byte in which it is
    size_t left = i - (((uint64_t)bits << 8) >> from & 255);
    return (int)((places_in[all >> from & 255] >> 4 * left & 7) + from);
}
#ifdef __SSE2__
#include <emmintrin.h>
typedef __m128i Four; // four cells
HELPER Four four(int32_t a, int32_t b, int32_t c, int32_t d) { return _mm_set_epi32(d, c, b, a); }
HELPER Four four_up(const int32_t *c) { return _mm_loadu_si128((const __m128i *)c); }
HELPER Four four_down(const int32_t *c) { return _mm_shuffle_epi32(four_up(c - 3), 0x1b); }
HELPER Four four_second_up(const int32_t *c) { // every second cell
    return _mm_castps_si128(
        _mm_shuffle_ps(_mm_castsi128_ps(four_up(c)), _mm_castsi128_ps(four_up(c + 4)), 0x88));
}
HELPER Four four_second_down(const int32_t *c) {
    return _mm_shuffle_epi32(four_second_up(c - 6), 0x1b);
}
HELPER Four four_sums(Four a, Four b) { return _mm_add_epi32(a, b); }
// Which are above a number below 127: as bytes they are no more than that.
HELPER uint32_t sixteen_above(Four a, Four b, Four c, Four d, int above) {
    __m128i bytes = _mm_packs_epi16(_mm_packs_epi32(a, b), _mm_packs_epi32(c, d));
    return (uint32_t)_mm_movemask_epi8(_mm_cmpgt_epi8(bytes, _mm_set1_epi8((char)above)));
}
#endif

// ---- positions noted

HELPER uint64_t mixed(uint64_t x) {
    x ^= x >> 32;
    x *= UINT64_C(0xd6e8feb86659fd93);
    x ^= x >> 29;
    x *= UINT64_C(0x9fb21c651e98df25);
    return x ^ x >> 32;
}

// ---- players and the end

HELPER int32_t next_player(const int32_t *c, int32_t player) {
    int32_t q = player;
    for (int i = 1; i < PLAYERS; i++) {
        q = q + 1 == PLAYERS ? 0 : q + 1;
        if (!(c[RETIRED] >> q & 1)) return q;
    }
    return player;
}
HELPER void end_game(int32_t *c, int over, int winners, int losers) {
    c[WAITS_AT] = 0;
    c[OVER] = over;
    c[WINNERS] = winners;
    c[LOSERS] = losers;
}
HELPER void end_for(int32_t *c, int32_t player, bool won) {
    int one = 1 << player, others = EVERYBODY & ~one;
    end_game(c, OVER_DECIDED, won ? one : others, won ? others : one);
}
HELPER int end_won_by(int32_t *c, const List *list) {
    int winners = 0;
    for (int i = 0; i < list->n; i++) {
        if (!is_player(list->at[i])) return R_UNSET;
        winners |= 1 << list->at[i];
    }
    end_game(c, OVER_DECIDED, winners, EVERYBODY & ~winners);
    return 0;
}
HELPER int give_score(int32_t *c, int32_t n, int32_t player) {
    if (!is_player(player)) return R_UNSET;
    if (!fits_cell(n)) return R_TOO_BIG;
    c[SCORES + player] = n;
    c[SCORES + PLAYERS] |= 1 << player;
    return 0;
}
// The best score wins: the highest if order is 1, the lowest if it is -1.
HELPER void end_by_score(int32_t *c, int order) {
    int best = 0, first = 0;
    for (int q = 0; q < PLAYERS; q++) {
        if (!(c[SCORES + PLAYERS] >> q & 1)) continue;
        int better = best ? (c[SCORES + q] - c[SCORES + first]) * order : 1;
        if (better > 0) {
            best = 1 << q;
            first = q;
        } else if (better == 0) {
            best |= 1 << q;
        }
    }
    if (best == 0 || best == EVERYBODY)
        end_game(c, OVER_DRAWN, 0, 0);
    else
        end_game(c, OVER_DECIDED, best, EVERYBODY & ~best);
}

// ---- playing on by chance

HELPER size_t pick_any(StepRun *run, size_t n) {
    if (run->branching) {
        run->branching[n]++;
        run->choices_made++;
        run->candidates += n;
        if (n > run->most) run->most = n;
    }
    return oldsow_below(run->choices, (uint32_t)n);
}
HELPER size_t pick_by_weight(StepRun *run, size_t n) {
    uint64_t sum = 0;
    for (size_t i = 0; i < n; i++) sum += run->list[i].weight;
    uint32_t drawn = oldsow_below(run->throws, sum > UINT32_MAX ? UINT32_MAX : (uint32_t)sum);
    size_t i = 0;
    while (drawn >= run->list[i].weight) drawn -= run->list[i++].weight;
    return i;
}

// ---- candidates, and looking ahead

typedef struct Look {
    int then, end; // a decision has end < 0
    int at;
    uint32_t would;
    int32_t enough, endless, best;
    size_t base, next, last, noted;
} Look;

typedef struct Looks {
    int n;
    uint32_t woulds;
    size_t base; // the first candidate of the decision in hand
    int32_t answer;
    Look at[LOOKS];
} Looks;

MAYBE_UNUSED static int more_candidates(StepRun *run, size_t base) {
    if (run->n - base >= CANDIDATES) return R_CANDIDATES;
    return run->n < run->room || run->host->candidates(run, run->n + 1) ? 0 : R_MEMORY;
}
MAYBE_UNUSED static int look_push(StepRun *run, Looks *looks, const int32_t *c, Look look) {
    if (looks->n == LOOKS) return R_WOULD_DEPTH;
    if (!run->host->copies(run, (size_t)(looks->n + 1) * CELLS)) return R_MEMORY;
    memcpy(run->saved + (size_t)looks->n * CELLS, c, CELLS * sizeof *c);
    run->steps -= CELLS / 8 + 1;
    look.noted = run->host->noted(run);
    if (look.end >= 0) {
        if (looks->n == 0) run->host->open_anew(run);
        look.would = ++looks->woulds;
    } else {
        const Look *up = &looks->at[looks->n - 1];
        look.would = up->would;
        look.enough = up->enough;
        look.endless = up->endless;
    }
    looks->at[looks->n++] = look;
    return 0;
}
MAYBE_UNUSED static void look_restore(StepRun *run, int32_t *c, int look, size_t noted) {
    memcpy(c, run->saved + (size_t)look * CELLS, CELLS * sizeof *c);
    run->host->forget(run, noted);
}
static int take_candidate(int32_t *c, const StepCandidate *candidate);
MAYBE_UNUSED static int look_decide(StepRun *run, Looks *looks, int32_t *c, int at, int *to) {
    StepCandidate first = run->list[looks->base];
    if (run->n - looks->base > 1) {
        if (!REMEMBERS && run->host->opened(run, c, looks->at[looks->n - 1].would, at)) {
            run->n = looks->base;
            *to = -1;
            return 0;
        }
        int fault = look_push(run, looks, c,
                              (Look){.end = -1,
                                     .at = at,
                                     .base = looks->base,
                                     .next = looks->base + 1,
                                     .last = run->n,
                                     .best = INT32_MIN});
        if (fault) return fault;
        looks->base = run->n;
    }
    *to = take_candidate(c, &first);
    if (*to <= at) run->steps -= at - *to + 1;
    return 0;
}
// An answer: gives the place to go on. The answer is looks->answer there.
MAYBE_UNUSED static int look_answer(StepRun *run, Looks *looks, int32_t *c, int32_t value) {
    for (;;) {
        Look *look = &looks->at[looks->n - 1];
        if (look->end >= 0) {
            look_restore(run, c, looks->n - 1, look->noted);
            run->n = looks->base;
            looks->base = look->base;
            looks->n--;
            looks->answer = value == INT32_MIN ? 0 : value;
            return look->end;
        }
        if (value > look->best) look->best = value;
        if (value < look->enough && look->next < look->last) {
            look_restore(run, c, looks->n - 1, look->noted);
            run->n = looks->base = look->last;
            int to = take_candidate(c, &run->list[look->next++]);
            run->steps -= CELLS / 8 + 1;
            run->steps -= to > look->at ? to - look->at : look->at - to;
            return to;
        }
        value = look->best;
        run->n = looks->base = look->base;
        looks->n--;
    }
}
// A fault: the position on the table comes back.
MAYBE_UNUSED static int failed(StepRun *run, Looks *looks, int32_t *c, int fault, int at) {
    if (looks && looks->n > 0) {
        if (fault == R_STEPS) fault = R_WOULD_STEPS;
        if (fault == R_WOULD_STEPS || fault == R_WOULD_DEPTH) at = looks->at[0].at;
        look_restore(run, c, 0, looks->at[0].noted);
    }
    run->fault = fault;
    run->fault_at = at;
    run->n = 0;
    return IS_FAULT;
}
