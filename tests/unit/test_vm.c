// The machine, by programs written by hand.
#include "tests/unit/tiny.h"

// Loads, verifies, starts.
static OldsowStatus begin(Tiny *t, const int32_t *words, size_t n) {
    int pc;
    tiny_load(t, words, n);
    const char *wrong = tiny_ready(&t->p, &t->arena, &pc);
    if (wrong) fail_msg("not verified at %d: %s", pc, wrong);
    vm_lay_out(&t->p, t->cells);
    return vm_start(&t->vm, t->cells);
}

// Runs code that leaves one value; gives the value.
static int value_of(Tiny *t, const int32_t *words, size_t n) {
    int32_t all[CODE_MAX];
    memcpy(all, words, n * sizeof *words);
    memcpy(all + n, (int32_t[]){OP_STORE, VAR, OP_END}, 3 * sizeof *all);
    assert_int_equal(begin(t, all, n + 3), OLDSOW_OVER);
    return t->cells[VAR];
}

// Runs code that must fail; gives the fault.
static DiagCode fault_of(Tiny *t, const int32_t *words, size_t n) {
    int32_t all[CODE_MAX];
    memcpy(all, words, n * sizeof *words);
    all[n] = OP_END;
    assert_int_equal(begin(t, all, n + 1), OLDSOW_FAULT);
    assert_int_equal(t->vm.ncandidates, 0);
    return t->vm.fault.code;
}

#define VALUE(expected, ...) assert_int_equal(value_of(t, WORDS(__VA_ARGS__)), expected)
#define FAULT(expected, ...) assert_int_equal(fault_of(t, WORDS(__VA_ARGS__)), expected)

static int on(const Tiny *t, int site, int kind) { return t->cells[site * TINY_KINDS + kind]; }

static void lay(Tiny *t, int site, int seeds, int golds) {
    t->initial[site * TINY_KINDS + SEED] = (Cell)seeds;
    t->initial[site * TINY_KINDS + GOLD] = (Cell)golds;
}

// ---- values -------------------------------------------------------------------------------------

static void test_arithmetic(void **state) {
    Tiny *t = *state;
    VALUE(7, OP_PUSH, 3, OP_PUSH, 4, OP_ADD);
    VALUE(-1, OP_PUSH, 3, OP_PUSH, 4, OP_SUB);
    VALUE(12, OP_PUSH, 3, OP_PUSH, 4, OP_MUL);
    VALUE(3, OP_PUSH, 7, OP_PUSH, 2, OP_DIV);
    VALUE(-4, OP_PUSH, -7, OP_PUSH, 2, OP_DIV);
    VALUE(-4, OP_PUSH, 7, OP_PUSH, -2, OP_DIV);
    VALUE(3, OP_PUSH, -7, OP_PUSH, -2, OP_DIV);
    VALUE(1, OP_PUSH, 7, OP_PUSH, 2, OP_MOD);
    VALUE(1, OP_PUSH, -7, OP_PUSH, 2, OP_MOD);
    VALUE(-1, OP_PUSH, 7, OP_PUSH, -2, OP_MOD);
    VALUE(0, OP_PUSH, INT32_MIN, OP_PUSH, -1, OP_MOD);
    VALUE(-5, OP_PUSH, 5, OP_NEG);
    VALUE(5, OP_PUSH, -5, OP_ABS);
    VALUE(5, OP_PUSH, 5, OP_ABS);
    VALUE(3, OP_PUSH, 3, OP_PUSH, 4, OP_MIN);
    VALUE(4, OP_PUSH, 3, OP_PUSH, 4, OP_MAX);
    FAULT(R_DIVIDE, OP_PUSH, 1, OP_PUSH, 0, OP_DIV, OP_POP);
    FAULT(R_DIVIDE, OP_PUSH, 1, OP_PUSH, 0, OP_MOD, OP_POP);
    FAULT(R_TOO_BIG, OP_PUSH, INT32_MAX, OP_PUSH, 1, OP_ADD, OP_POP);
    FAULT(R_TOO_BIG, OP_PUSH, INT32_MIN, OP_PUSH, 1, OP_SUB, OP_POP);
    FAULT(R_TOO_BIG, OP_PUSH, 65536, OP_PUSH, 65536, OP_MUL, OP_POP);
    FAULT(R_TOO_BIG, OP_PUSH, INT32_MIN, OP_PUSH, -1, OP_DIV, OP_POP);
    FAULT(R_TOO_BIG, OP_PUSH, INT32_MIN, OP_NEG, OP_POP);
    FAULT(R_TOO_BIG, OP_PUSH, INT32_MIN, OP_ABS, OP_POP);
}

static void test_comparison(void **state) {
    Tiny *t = *state;
    static const struct {
        int op, less, equal, more;
    } table[] = {{OP_EQ, 0, 1, 0}, {OP_NE, 1, 0, 1}, {OP_LT, 1, 0, 0},
                 {OP_LE, 1, 1, 0}, {OP_GT, 0, 0, 1}, {OP_GE, 0, 1, 1}};
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        VALUE(table[i].less, OP_PUSH, 1, OP_PUSH, 2, table[i].op);
        VALUE(table[i].equal, OP_PUSH, 2, OP_PUSH, 2, table[i].op);
        VALUE(table[i].more, OP_PUSH, 3, OP_PUSH, 2, table[i].op);
    }
    VALUE(1, OP_PUSH, 0, OP_NOT);
    VALUE(0, OP_PUSH, 2, OP_NOT);
}

static void test_cells(void **state) {
    Tiny *t = *state;
    VALUE(9, OP_PUSH, 9, OP_STORE, LOCAL, OP_LOAD, LOCAL);
    VALUE(4, OP_PUSH, 4, OP_PUSH, 9, OP_STOREX, NUMBERS, LOCAL, OP_LOAD, LOCAL + 2);
    VALUE(6, OP_PUSH, 6, OP_STORE, LOCAL + 3, OP_PUSH, D, OP_LOADX, HOLES, LOCAL);
    VALUE(6, OP_PUSH, 6, OP_STORE, LOCAL + 3, OP_PUSH, A, OP_LOADX, BACKWARDS, LOCAL);
    FAULT(R_INDEX, OP_PUSH, 4, OP_LOADX, NUMBERS, LOCAL, OP_POP);
    FAULT(R_INDEX, OP_PUSH, 1, OP_PUSH, -1, OP_STOREX, HOLES, LOCAL);
    FAULT(R_INDEX, OP_PUSH, 0, OP_LOADX, NOTHING, LOCAL, OP_POP);
    FAULT(R_TOO_BIG, OP_PUSH, 32768, OP_STORE, LOCAL);
    FAULT(R_TOO_BIG, OP_PUSH, -32768, OP_STORE, LOCAL);
    FAULT(R_TOO_BIG, OP_PUSH, 32768, OP_PUSH, 5, OP_STOREX, NUMBERS, LOCAL);
    FAULT(R_TOO_BIG, OP_PUSH, 32768, OP_FILL, LOCAL, 2);
    begin(t, WORDS(OP_PUSH, 3, OP_FILL, LOCAL, 4, OP_ZERO, LOCAL + 1, 2, OP_END));
    Cell expected[] = {3, 0, 0, 3, 0};
    assert_memory_equal(t->cells + LOCAL, expected, sizeof expected);
}

static void test_jumps(void **state) {
    Tiny *t = *state;
    VALUE(2, OP_PUSH, 2, OP_JMP, TO(0), OP_POP, OP_PUSH, 3, AT(0));
    VALUE(1, OP_PUSH, 0, OP_JZ, TO(0), OP_PUSH, 2, OP_JMP, TO(1), AT(0), OP_PUSH, 1, AT(1));
    VALUE(2, OP_PUSH, 5, OP_JZ, TO(0), OP_PUSH, 2, OP_JMP, TO(1), AT(0), OP_PUSH, 1, AT(1));
    VALUE(2, OP_PUSH, 0, OP_JNZ, TO(0), OP_PUSH, 2, OP_JMP, TO(1), AT(0), OP_PUSH, 1, AT(1));
    VALUE(0, OP_PUSH, 0, OP_JZK, TO(0), OP_PUSH, 6, AT(0)); // 0 and ...
    VALUE(6, OP_PUSH, 4, OP_JZK, TO(0), OP_PUSH, 6, AT(0));
    VALUE(4, OP_PUSH, 4, OP_JNZK, TO(0), OP_PUSH, 6, AT(0)); // 4 or ...
    VALUE(6, OP_PUSH, 0, OP_JNZK, TO(0), OP_PUSH, 6, AT(0));
    FAULT(R_NO_CHOICE, OP_PUSH, 1, OP_POP, OP_RAISE, R_NO_CHOICE);
    assert_int_equal(t->vm.fault.pc, 3);
}

// Where ways meet that differ in what is known.
static void test_ways(void **state) {
    Tiny *t = *state;
    enum { X = SCRATCH, Y, COUNTED };
    lay(t, B, 1, 0);
    lay(t, C, 0, 2);
    for (int flag = 0; flag < 3; flag++) {
        // From A, or from nowhere, on as far as something lies there, on a track that is not known beforehand.
        t->initial[VAR + 1] = (Cell)flag;
        t->initial[VAR + 2] = ROW;
        VALUE(flag ? 9 : 30 + C, OP_LOAD, VAR + 1, OP_JZ, TO(0), OP_PUSH, UNSET, OP_STORE, X,
              OP_JMP, TO(1), AT(0), OP_PUSH, A, OP_STORE, X, AT(1), OP_LOAD, X, OP_STORE, Y,
              OP_PUSH, 0, OP_STORE, COUNTED, AT(2), OP_LOAD, COUNTED, OP_PUSH, 1, OP_ADD, OP_STORE,
              COUNTED, OP_LOAD, Y, OP_LOAD, VAR + 2, OP_NEXT, OP_OCCUPIED, OP_JZ, TO(3), OP_LOAD, Y,
              OP_LOAD, VAR + 2, OP_NEXT, OP_STORE, Y, OP_JMP, TO(2), AT(3), OP_LOAD, COUNTED,
              OP_PUSH, 10, OP_MUL, OP_LOAD, Y, OP_ADD);
    }
    // Two cells are the same at first, and then two others: the one that is left first stays as it was.
    t->initial[VAR + 1] = A;
    VALUE(10 * C + A, OP_LOAD, VAR + 1, OP_STORE, X, OP_LOAD, X, OP_STORE, Y, AT(0), OP_LOAD, Y,
          OP_STORE, COUNTED, OP_LOAD, Y, OP_PUSH, RING, OP_NEXT, OP_OCCUPIED, OP_JZ, TO(1), OP_LOAD,
          Y, OP_PUSH, RING, OP_NEXT, OP_STORE, Y, OP_JMP, TO(0), AT(1), OP_LOAD, COUNTED, OP_PUSH,
          10, OP_MUL, OP_LOAD, X, OP_ADD);
}

// One of two or three numbers, which are a set where they lie close together.
static void test_one_of_several(void **state) {
    Tiny *t = *state;
    static const int sets[][3] = {{2, 3, 4},   {3, 2, 3},    {0, 63, 1},         {64, 0, 5},
                                  {-7, 1, -9}, {5, 40, -20}, {32767, -3, -32767}};
    for (size_t i = 0; i < sizeof sets / sizeof *sets; i++) {
        const int *k = sets[i];
        for (int n = 0; n < 12; n++) {
            const int v = n < 9 ? k[n % 3] + n / 3 - 1 : 32 * (n - 10);
            if (v > CELL_MAX || v < CELL_MIN) continue;
            t->initial[VAR + 1] = (Cell)v;
            VALUE(v == k[0] || v == k[1], OP_LOAD, VAR + 1, OP_PUSH, k[0], OP_EQ, OP_JNZ, TO(0),
                  OP_LOAD, VAR + 1, OP_PUSH, k[1], OP_EQ, OP_JZ, TO(1), AT(0), OP_PUSH, 1, OP_JMP,
                  TO(2), AT(1), OP_PUSH, 0, AT(2));
            VALUE(v == k[0] || v == k[1] || v == k[2], OP_LOAD, VAR + 1, OP_PUSH, k[0], OP_EQ,
                  OP_JNZ, TO(0), OP_LOAD, VAR + 1, OP_PUSH, k[1], OP_EQ, OP_JNZ, TO(0), OP_LOAD,
                  VAR + 1, OP_PUSH, k[2], OP_EQ, OP_JNZ, TO(0), OP_PUSH, 0, OP_JMP, TO(1), AT(0),
                  OP_PUSH, 1, AT(1));
        }
    }
}

static void test_budget(void **state) {
    Tiny *t = *state;
    FAULT(R_STEPS, AT(0), OP_JMP, TO(0));
    FAULT(R_STEPS, AT(0), OP_PUSH, 1, OP_JNZ, TO(0));
    // A loop in which little code does much work comes to an end as soon.
    FAULT(R_STEPS, AT(0), OP_PUSH, HOLES, OP_LCOUNT, OP_POP, OP_JMP, TO(0));
    // Copies cost steps too.
    FAULT(R_STEPS, AT(0), OP_PUSH, 1, OP_WOULD, TO(1), TO(2), 9999, INT32_MIN, OP_END, AT(1),
          OP_PUSH, 1, OP_VALUE, AT(2), OP_POP, OP_POP, OP_JMP, TO(0));
    // The end of the game within a look-ahead's own answer leads back to that answer.
    FAULT(R_WOULD_STEPS, OP_WOULD, TO(1), TO(2), 9999, INT32_MIN, AT(1), OP_DRAW, OP_PUSH, 1,
          OP_VALUE, AT(2), OP_POP);
}

static void test_counts(void **state) {
    Tiny *t = *state;
    lay(t, A, 2, 1);
    lay(t, C, 0, 4);
    VALUE(3, OP_PUSH, A, OP_COUNT);
    VALUE(0, OP_PUSH, UNSET, OP_COUNT);
    VALUE(0, OP_PUSH, TINY_SITES, OP_COUNT);
    VALUE(2, OP_PUSH, A, OP_PUSH, SEED, OP_COUNT_KIND);
    VALUE(0, OP_PUSH, A, OP_PUSH, UNSET, OP_COUNT_KIND);
    VALUE(0, OP_PUSH, UNSET, OP_PUSH, SEED, OP_COUNT_KIND);
    VALUE(1, OP_PUSH, A, OP_COUNT_SET, JUST_GOLD);
    VALUE(1, OP_PUSH, C, OP_OCCUPIED);
    VALUE(0, OP_PUSH, B, OP_OCCUPIED);
    VALUE(0, OP_PUSH, UNSET, OP_OCCUPIED);
    VALUE(1, OP_PUSH, B, OP_EMPTY);
    VALUE(0, OP_PUSH, C, OP_EMPTY);
    VALUE(0, OP_PUSH, UNSET, OP_EMPTY);
    VALUE(1, OP_PUSH, C, OP_PUSH, SEED, OP_EMPTY_KIND);
    VALUE(0, OP_PUSH, C, OP_PUSH, GOLD, OP_EMPTY_KIND);
    VALUE(0, OP_PUSH, UNSET, OP_PUSH, GOLD, OP_EMPTY_KIND);
    VALUE(0, OP_PUSH, C, OP_EMPTY_SET, JUST_GOLD);
    VALUE(1, OP_PUSH, B, OP_EMPTY_SET, JUST_GOLD);
    VALUE(7, OP_PUSH, HOLES, OP_LCOUNT);
    VALUE(0, OP_PUSH, NOTHING, OP_LCOUNT);
    VALUE(2, OP_PUSH, HOLES, OP_PUSH, SEED, OP_LCOUNT_KIND);
    VALUE(5, OP_PUSH, HOLES, OP_LCOUNT_SET, JUST_GOLD);
    VALUE(SEED, OP_PUSH, A, OP_PIECE_ON, KINDS);
    VALUE(GOLD, OP_PUSH, A, OP_PIECE_ON, GOLD_FIRST);
    VALUE(UNSET, OP_PUSH, B, OP_PIECE_ON, KINDS);
    FAULT(R_UNSET, OP_PUSH, UNSET, OP_LCOUNT, OP_POP);
    FAULT(R_UNSET, OP_PUSH, TINY_LISTS, OP_LCOUNT, OP_POP);
}

static void test_tables_and_tracks(void **state) {
    Tiny *t = *state;
    VALUE(7, OP_PUSH, UNSET, OP_MAP, 0);
    VALUE(8, OP_PUSH, 0, OP_MAP, 0);
    VALUE(UNSET, OP_PUSH, 2, OP_MAP, 0);
    VALUE(UNSET, OP_PUSH, INT32_MIN, OP_MAP, 0);
    VALUE(6, OP_PUSH, 1, OP_PUSH, 12, OP_FAMILY, 0);
    VALUE(2, OP_PUSH, 0, OP_PUSH, 11, OP_FAMILY, 0);
    VALUE(-5, OP_PUSH, 0, OP_PUSH, 13, OP_FAMILY, 0);
    VALUE(-5, OP_PUSH, UNSET, OP_PUSH, 11, OP_FAMILY, 0);
    VALUE(A, OP_PUSH, D, OP_PUSH, RING, OP_NEXT);
    VALUE(UNSET, OP_PUSH, D, OP_PUSH, ROW, OP_NEXT);
    VALUE(UNSET, OP_PUSH, UNSET, OP_PUSH, ROW, OP_NEXT);
    VALUE(UNSET, OP_PUSH, D, OP_PUSH, UNSET, OP_NEXT);
    VALUE(C, OP_PUSH, A, OP_PUSH, ROW, OP_PUSH, 2, OP_AHEAD);
    VALUE(UNSET, OP_PUSH, A, OP_PUSH, ROW, OP_PUSH, 4, OP_AHEAD);
    VALUE(A, OP_PUSH, C, OP_PUSH, ROW, OP_PUSH, -2, OP_AHEAD);
    VALUE(D, OP_PUSH, D, OP_PUSH, ROW, OP_PUSH, 0, OP_AHEAD);
    VALUE(UNSET, OP_PUSH, STORE, OP_PUSH, ROW, OP_PUSH, 0, OP_AHEAD);
    VALUE(B, OP_PUSH, A, OP_PUSH, RING, OP_PUSH, 2000000001, OP_AHEAD);
    VALUE(A, OP_PUSH, A, OP_PUSH, RING, OP_PUSH, INT32_MIN, OP_AHEAD);
    VALUE(D, OP_PUSH, A, OP_PUSH, RING, OP_PUSH, -5, OP_AHEAD);
    VALUE(5, OP_PUSH, NUMBERS, OP_PUSH, 1, OP_NTH);
    VALUE(9, OP_PUSH, NUMBERS, OP_PUSH, 3, OP_NTH);
    VALUE(UNSET, OP_PUSH, NUMBERS, OP_PUSH, 0, OP_NTH);
    VALUE(UNSET, OP_PUSH, NUMBERS, OP_PUSH, 4, OP_NTH);
    VALUE(3, OP_PUSH, 9, OP_PUSH, NUMBERS, OP_INDEX);
    VALUE(0, OP_PUSH, 6, OP_PUSH, NUMBERS, OP_INDEX);
    VALUE(2, OP_PUSH, C, OP_PUSH, BACKWARDS, OP_INDEX);
    VALUE(3, OP_PUSH, NUMBERS, OP_SIZE);
    VALUE(1, OP_PUSH, 3, OP_PUSH, NUMBERS, OP_IN);
    VALUE(0, OP_PUSH, 4, OP_PUSH, NUMBERS, OP_IN);
    FAULT(R_UNSET, OP_PUSH, 4, OP_PUSH, UNSET, OP_IN, OP_POP);
    FAULT(R_UNSET, OP_PUSH, UNSET, OP_SIZE, OP_POP);
}

// ---- pieces -------------------------------------------------------------------------------------

static void test_pieces(void **state) {
    Tiny *t = *state;
    lay(t, A, 3, 2);
    begin(t,
          WORDS(OP_PUSH, 2, OP_PUSH, GOLD, OP_PUSH, B, OP_PUT, OP_PUSH, 1, OP_PUSH, SEED, OP_PUSH,
                A, OP_REMOVE, OP_PUSH, 1, OP_PUSH, SEED, OP_PUSH, A, OP_PUSH, C, OP_MOVE, OP_END));
    assert_int_equal(on(t, B, GOLD), 2);
    assert_int_equal(on(t, A, SEED), 1);
    assert_int_equal(on(t, C, SEED), 1);
    assert_int_equal(on(t, A, GOLD), 2);
    begin(t, WORDS(OP_PUSH, A, OP_PUSH, D, OP_MOVE_ALL, OP_PUSH, D, OP_PUSH, D, OP_MOVE_ALL,
                   OP_PUSH, D, OP_PUSH, C, OP_MOVE_SET, JUST_GOLD, OP_END));
    assert_int_equal(on(t, A, SEED) + on(t, A, GOLD), 0);
    assert_int_equal(on(t, D, SEED), 3);
    assert_int_equal(on(t, D, GOLD), 0);
    assert_int_equal(on(t, C, GOLD), 2);
    begin(t, WORDS(OP_PUSH, SEED, OP_PUSH, A, OP_PUSH, B, OP_MOVE_KIND, OP_PUSH, GOLD, OP_PUSH, A,
                   OP_REMOVE_KIND, OP_END));
    assert_int_equal(on(t, A, SEED) + on(t, A, GOLD), 0);
    assert_int_equal(on(t, B, SEED), 3);
    lay(t, B, 32766, 0); // from a site to itself there is always room
    begin(t, WORDS(OP_PUSH, 2, OP_PUSH, SEED, OP_PUSH, B, OP_PUSH, B, OP_MOVE, OP_END));
    assert_int_equal(t->vm.status, OLDSOW_OVER);
    assert_int_equal(on(t, B, SEED), 32766);
    begin(t, WORDS(OP_PUSH, A, OP_REMOVE_SET, JUST_GOLD, OP_END));
    assert_int_equal(on(t, A, SEED), 3);
    assert_int_equal(on(t, A, GOLD), 0);
    begin(t, WORDS(OP_PUSH, A, OP_REMOVE_ALL, OP_END));
    assert_int_equal(on(t, A, SEED) + on(t, A, GOLD), 0);
}

static void test_piece_faults(void **state) {
    Tiny *t = *state;
    lay(t, A, 3, 0);
    lay(t, B, 32766, 0);
    FAULT(R_TOO_FEW, OP_PUSH, 4, OP_PUSH, SEED, OP_PUSH, A, OP_REMOVE);
    assert_int_equal(on(t, A, SEED), 3); // the position is as it was
    FAULT(R_TOO_FEW, OP_PUSH, 1, OP_PUSH, GOLD, OP_PUSH, A, OP_PUSH, C, OP_MOVE);
    FAULT(R_NEGATIVE, OP_PUSH, -1, OP_PUSH, SEED, OP_PUSH, A, OP_PUT);
    FAULT(R_NEGATIVE, OP_PUSH, -1, OP_PUSH, SEED, OP_PUSH, A, OP_REMOVE);
    FAULT(R_NEGATIVE, OP_PUSH, -1, OP_PUSH, SEED, OP_PUSH, A, OP_PUSH, C, OP_MOVE);
    FAULT(R_UNSET, OP_PUSH, 1, OP_PUSH, SEED, OP_PUSH, UNSET, OP_PUT);
    FAULT(R_UNSET, OP_PUSH, 1, OP_PUSH, UNSET, OP_PUSH, A, OP_PUT);
    FAULT(R_UNSET, OP_PUSH, 1, OP_PUSH, SEED, OP_PUSH, A, OP_PUSH, UNSET, OP_MOVE);
    FAULT(R_UNSET, OP_PUSH, UNSET, OP_PUSH, A, OP_MOVE_ALL);
    FAULT(R_UNSET, OP_PUSH, UNSET, OP_REMOVE_ALL);
    FAULT(R_TOO_BIG, OP_PUSH, 2, OP_PUSH, SEED, OP_PUSH, B, OP_PUT);
    FAULT(R_TOO_BIG, OP_PUSH, INT32_MAX, OP_PUSH, SEED, OP_PUSH, B, OP_PUT);
    FAULT(R_TOO_BIG, OP_PUSH, 2, OP_PUSH, SEED, OP_PUSH, A, OP_PUSH, B, OP_MOVE);
    FAULT(R_TOO_BIG, OP_PUSH, A, OP_PUSH, B, OP_MOVE_ALL);
    assert_int_equal(on(t, A, SEED), 3);
    FAULT(R_TOO_BIG, OP_PUSH, A, OP_PUSH, B, OP_MOVE_SET, KINDS);
}

static void test_sow(void **state) {
    Tiny *t = *state;
    lay(t, B, 4, 1); // gold to c, seeds to d, a, b, c: a lap comes back to b
    VALUE(C, OP_PUSH, B, OP_PUSH, RING, OP_SOW, GOLD_FIRST);
    assert_int_equal(on(t, C, GOLD), 1);
    assert_int_equal(on(t, C, SEED), 1);
    assert_int_equal(on(t, D, SEED), 1);
    assert_int_equal(on(t, A, SEED), 1);
    assert_int_equal(on(t, B, SEED), 1);
    assert_int_equal(on(t, B, GOLD), 0);
    VALUE(C, OP_PUSH, B, OP_PUSH, RING, OP_SOW, JUST_GOLD); // the seeds stay
    assert_int_equal(on(t, B, SEED), 4);
    VALUE(A, OP_PUSH, A, OP_PUSH, RING, OP_SOW, KINDS);   // nothing to sow
    VALUE(B, OP_PUSH, B, OP_PUSH, RING, OP_SOW, NOTHING); // no kinds to sow
    FAULT(R_TRACK_END, OP_PUSH, B, OP_PUSH, ROW, OP_SOW, KINDS, OP_POP);
    assert_int_equal(on(t, D, SEED), 1); // it shows how far it came
    FAULT(R_UNSET, OP_PUSH, UNSET, OP_PUSH, ROW, OP_SOW, KINDS, OP_POP);
    FAULT(R_UNSET, OP_PUSH, B, OP_PUSH, UNSET, OP_SOW, KINDS, OP_POP);
}

// ---- loops --------------------------------------------------------------------------------------

static void test_loops(void **state) {
    Tiny *t = *state;
    // The sum of the values seen, in the order 10 * sum + value: the order shows.
    VALUE(539, OP_PUSH, NUMBERS, OP_STORE, LOCAL, OP_ZERO, LOCAL + 1, 1, AT(0), OP_ITER_LIST, LOCAL,
          LOCAL + 1, LOCAL + 2, TO(1), OP_LOAD, LOCAL + 3, OP_PUSH, 10, OP_MUL, OP_LOAD, LOCAL + 2,
          OP_ADD, OP_STORE, LOCAL + 3, OP_JMP, TO(0), AT(1), OP_LOAD, LOCAL + 3);
    VALUE(345, OP_PUSH, 3, OP_STORE, LOCAL, OP_PUSH, 5, OP_STORE, LOCAL + 1, AT(0), OP_ITER_RANGE,
          LOCAL, LOCAL + 1, LOCAL + 2, TO(1), OP_LOAD, LOCAL + 3, OP_PUSH, 10, OP_MUL, OP_LOAD,
          LOCAL + 2, OP_ADD, OP_STORE, LOCAL + 3, OP_JMP, TO(0), AT(1), OP_LOAD, LOCAL + 3);
    VALUE(2, OP_PUSH, 32766, OP_STORE, LOCAL, OP_PUSH, 32767, OP_STORE, LOCAL + 1, AT(0),
          OP_ITER_RANGE, LOCAL, LOCAL + 1, LOCAL + 2, TO(1), OP_LOAD, LOCAL + 3, OP_PUSH, 1, OP_ADD,
          OP_STORE, LOCAL + 3, OP_JMP, TO(0), AT(1), OP_LOAD, LOCAL + 3);
    VALUE(47, OP_PUSH, 4, OP_STORE, VAR + 1, OP_PUSH, 7, OP_STORE, VAR + 2, AT(0), OP_ITER_CELLS,
          VAR + 1, 2, LOCAL + 1, LOCAL + 2, TO(1), OP_LOAD, LOCAL + 3, OP_PUSH, 10, OP_MUL, OP_LOAD,
          LOCAL + 2, OP_ADD, OP_STORE, LOCAL + 3, OP_JMP, TO(0), AT(1), OP_LOAD, LOCAL + 3);
    FAULT(R_UNSET, OP_PUSH, UNSET, OP_STORE, LOCAL, AT(0), OP_ITER_LIST, LOCAL, LOCAL + 1,
          LOCAL + 2, TO(1), OP_JMP, TO(0), AT(1));
}

// ---- decisions ----------------------------------------------------------------------------------

// Alternative 0: an occupied hole; it goes to the store, and the next choice is asked for. Nothing
// left: end.
static const int32_t empty_a_hole[] = {
    AT(9),       OP_CHOOSE, 0,         OP_PUSH, HOLES,   OP_STORE,
    LOCAL + 5,   OP_ZERO,   LOCAL + 6, 1,       AT(0),   OP_ITER_LIST,
    LOCAL + 5,   LOCAL + 6, LOCAL,     TO(1),   OP_LOAD, LOCAL,
    OP_OCCUPIED, OP_JZ,     TO(0),     OP_CAND, 0,       OP_JMP,
    TO(0),       AT(1),     OP_DECIDE, 0,       OP_PUSH, NORTH,
    OP_WIN,      AT(10),    OP_LOAD,   LOCAL,   OP_PUSH, STORE,
    OP_MOVE_ALL, OP_ZERO,   LOCAL,     1,       OP_JMP,  TO(9)};
enum { EMPTY_A_HOLE = sizeof empty_a_hole / sizeof *empty_a_hole };

static void test_choose(void **state) {
    Tiny *t = *state;
    lay(t, B, 1, 0);
    lay(t, D, 2, 0);
    assert_int_equal(begin(t, empty_a_hole, EMPTY_A_HOLE), OLDSOW_CHOICE);
    assert_int_equal(t->vm.ncandidates, 2);
    assert_int_equal(t->vm.candidates[0].values[0], B);
    assert_int_equal(t->vm.candidates[1].values[0], D);
    assert_int_equal(t->cells[SYSTEM + CELL_AT], 1);
    for (int i = 0; i < 8; i++) assert_int_equal(t->cells[LOCAL + i], 0);

    Cell before[sizeof t->cells / sizeof *t->cells];
    memcpy(before, t->cells, sizeof before);
    assert_int_equal(vm_refresh(&t->vm, t->cells), OLDSOW_CHOICE); // the same once more
    assert_memory_equal(before, t->cells, sizeof before);
    assert_int_equal(t->vm.ncandidates, 2);

    Vm other; // from another machine's candidates
    vm_init(&other, &t->p);
    assert_int_equal(vm_choose_from(&other, before, &t->vm, 0), OLDSOW_CHOICE);
    assert_int_equal(other.ncandidates, 1);
    assert_int_equal(other.candidates[0].values[0], D);
    assert_int_equal(t->vm.ncandidates, 2);
    vm_free(&other);

    assert_int_equal(vm_choose(&t->vm, t->cells, 1), OLDSOW_CHOICE);
    assert_int_equal(on(t, STORE, SEED), 2);
    assert_int_equal(t->vm.ncandidates, 1);
    assert_int_equal(vm_choose(&t->vm, t->cells, 0), OLDSOW_OVER);
    assert_int_equal(on(t, STORE, SEED), 3);
    assert_int_equal(t->vm.ncandidates, 0);
    assert_int_equal(t->cells[SYSTEM + CELL_AT], 0);
    assert_int_equal(t->cells[SYSTEM + CELL_WINNERS], 1 << NORTH);
    assert_int_equal(t->cells[SYSTEM + CELL_LOSERS], 1 << SOUTH);
    assert_int_equal(vm_refresh(&t->vm, t->cells), OLDSOW_OVER);
}

static void test_choose_forgets(void **state) {
    Tiny *t = *state;
    begin(t, WORDS(OP_CHOOSE, 0, OP_CAND, 0, OP_CAND, 1, OP_DECIDE, 0, OP_END, AT(10), OP_CHOOSE, 1,
                   OP_CAND, 2, OP_DECIDE, 1, OP_END, AT(11), AT(12), OP_END));
    assert_int_equal(t->vm.ncandidates, 2);
    assert_int_equal(vm_choose(&t->vm, t->cells, 0), OLDSOW_CHOICE);
    assert_int_equal(t->vm.ncandidates, 1);
    assert_int_equal(t->vm.candidates[0].alt, 2);
    assert_int_equal(t->cells[SYSTEM + CELL_AT], 2);
}

static void test_throw(void **state) {
    Tiny *t = *state;
    const int32_t words[] = {OP_THROW, 0,       AT(20),  OP_LOAD, VAR,      OP_PUSH, 10,
                             OP_MUL,   OP_LOAD, VAR + 1, OP_ADD,  OP_STORE, VAR + 2, OP_END};
    assert_int_equal(begin(t, words, sizeof words / sizeof *words), OLDSOW_CHANCE);
    assert_int_equal(t->vm.ncandidates, 3);
    assert_int_equal(t->cells[SYSTEM + CELL_AT], -1);
    t->vm.ncandidates = 0;
    assert_int_equal(vm_refresh(&t->vm, t->cells), OLDSOW_CHANCE);
    assert_int_equal(t->vm.ncandidates, 3);
    assert_int_equal(vm_choose(&t->vm, t->cells, 1), OLDSOW_OVER);
    assert_int_equal(t->cells[VAR + 2], 12);
}

static void test_too_many_candidates(void **state) {
    Tiny *t = *state;
    FAULT(R_CANDIDATES, OP_CHOOSE, 0, AT(0), OP_CAND, 0, OP_JMP, TO(0), AT(10));
}

// ---- players, the end ---------------------------------------------------------------------------

static void test_players(void **state) {
    Tiny *t = *state;
    VALUE(NORTH, OP_PUSH, SOUTH, OP_NEXT_PLAYER);
    VALUE(SOUTH, OP_PUSH, NORTH, OP_NEXT_PLAYER);
    VALUE(SOUTH, OP_PUSH, NORTH, OP_RETIRE, OP_PUSH, SOUTH, OP_NEXT_PLAYER);
    VALUE(0, OP_PUSH, NORTH, OP_RETIRE, OP_PUSH, NORTH, OP_PLAYING);
    VALUE(1, OP_PUSH, NORTH, OP_RETIRE, OP_PUSH, SOUTH, OP_PLAYING);
    VALUE(NORTH, OP_PUSH, NORTH, OP_SET_MOVER, OP_LOAD, SYSTEM + CELL_MOVER);
    FAULT(R_UNSET, OP_PUSH, UNSET, OP_NEXT_PLAYER, OP_POP);
    FAULT(R_UNSET, OP_PUSH, TINY_PLAYERS, OP_SET_MOVER);
    FAULT(R_UNSET, OP_PUSH, UNSET, OP_RETIRE);
    FAULT(R_UNSET, OP_PUSH, UNSET, OP_PLAYING, OP_POP);
}

static void ends(Tiny *t, int status, int winners, int losers) {
    assert_int_equal(t->vm.status, OLDSOW_OVER);
    assert_int_equal(t->cells[SYSTEM + CELL_STATUS], status);
    assert_int_equal(t->cells[SYSTEM + CELL_WINNERS], winners);
    assert_int_equal(t->cells[SYSTEM + CELL_LOSERS], losers);
}

static void test_ends(void **state) {
    Tiny *t = *state;
    begin(t, WORDS(OP_PUSH, SOUTH, OP_WIN));
    ends(t, OVER_DECIDED, 1, 2);
    begin(t, WORDS(OP_PUSH, SOUTH, OP_LOSE));
    ends(t, OVER_DECIDED, 2, 1);
    begin(t, WORDS(OP_PUSH, PLAYERS, OP_WIN_LIST));
    ends(t, OVER_DECIDED, 3, 0);
    begin(t, WORDS(OP_DRAW));
    ends(t, OVER_DRAWN, 0, 0);
    begin(t, WORDS(OP_END));
    ends(t, OVER_UNDECIDED, 0, 0);
    FAULT(R_UNSET, OP_PUSH, UNSET, OP_WIN);
    FAULT(R_UNSET, OP_PUSH, UNSET, OP_LOSE);
    FAULT(R_UNSET, OP_PUSH, NUMBERS, OP_WIN_LIST);
}

static void test_scores(void **state) {
    Tiny *t = *state;
#define SCORES_OF(a, b, order)                                                                     \
    begin(t, WORDS(OP_PUSH, a, OP_PUSH, SOUTH, OP_SCORE, OP_PUSH, b, OP_PUSH, NORTH, OP_SCORE,     \
                   OP_BY_SCORE, order))
    SCORES_OF(3, 4, 1);
    ends(t, OVER_DECIDED, 2, 1);
    assert_int_equal(t->cells[SCORES], 3);
    assert_int_equal(t->cells[SCORES + 1], 4);
    assert_int_equal(t->cells[SCORES + 2], 3);
    SCORES_OF(3, 4, -1);
    ends(t, OVER_DECIDED, 1, 2);
    SCORES_OF(4, 4, 1);
    ends(t, OVER_DRAWN, 0, 0);
    begin(t, WORDS(OP_BY_SCORE, 1));
    ends(t, OVER_DRAWN, 0, 0);
    begin(t, WORDS(OP_PUSH, -2, OP_PUSH, NORTH, OP_SCORE, OP_BY_SCORE, 1));
    ends(t, OVER_DECIDED, 2, 1); // whoever never got a score has lost
    FAULT(R_TOO_BIG, OP_PUSH, 40000, OP_PUSH, NORTH, OP_SCORE);
    FAULT(R_UNSET, OP_PUSH, 4, OP_PUSH, UNSET, OP_SCORE);
}

// ---- looking ahead ------------------------------------------------------------------------------

static void test_would(void **state) {
    Tiny *t = *state;
    lay(t, A, 2, 0);
    // On the copy the store holds 2; afterwards everything is as it was, and a value below stays in
    // place.
    VALUE(102, OP_PUSH, 100, OP_WOULD, TO(0), TO(1), 9999, INT32_MIN, OP_PUSH, A, OP_PUSH, STORE,
          OP_MOVE_ALL, OP_JMP, TO(0), AT(0), OP_PUSH, STORE, OP_COUNT, OP_VALUE, AT(1), OP_ADD);
    assert_int_equal(on(t, A, SEED), 2);
    // The end of the game on the copy leads to `then`, where it shows, and is forgotten.
    VALUE(1 << NORTH, OP_WOULD, TO(0), TO(1), 9999, INT32_MIN, OP_PUSH, NORTH, OP_WIN, AT(0),
          OP_LOAD, SYSTEM + CELL_WINNERS, OP_VALUE, AT(1));
    ends(t, OVER_UNDECIDED, 0, 0);
    // One within the other: the inner sees what the outer did.
    VALUE(35, OP_WOULD, TO(0), TO(1), 9999, INT32_MIN, OP_PUSH, 3, OP_STORE, VAR + 1, OP_WOULD,
          TO(2), TO(3), 9999, INT32_MIN, OP_PUSH, 5, OP_STORE, VAR + 2, OP_END, AT(2), OP_LOAD,
          VAR + 1, OP_PUSH, 10, OP_MUL, OP_LOAD, VAR + 2, OP_ADD, OP_VALUE, AT(3), OP_LOAD, VAR + 2,
          OP_ADD, OP_STORE, VAR + 3, OP_JMP, TO(0), AT(0), OP_LOAD, VAR + 3, OP_VALUE, AT(1));
    FAULT(R_WOULD_CHANCE, OP_WOULD, TO(0), TO(1), 9999, INT32_MIN, OP_THROW, 0, AT(20), OP_END,
          AT(0), OP_PUSH, 1, OP_VALUE, AT(1), OP_POP);
    FAULT(R_TOO_FEW, OP_WOULD, TO(0), TO(1), 9999, INT32_MIN, OP_PUSH, 7, OP_STORE, VAR, OP_PUSH, 3,
          OP_PUSH, SEED, OP_PUSH, A, OP_REMOVE, AT(0), OP_PUSH, 1, OP_VALUE, AT(1), OP_POP);
    // The position that is left is the one on the table.
    assert_int_equal(t->cells[VAR], 0); // a fault shows the copy
}

// A decision on the copy: holes with their numbers of pieces; the best answer counts.
static void test_would_choice(void **state) {
    Tiny *t = *state;
    lay(t, A, 2, 0);
    lay(t, C, 5, 0);
    lay(t, D, 3, 0);
#define EACH_HOLE(decision, alternative, local)                                                    \
    OP_CHOOSE, decision, OP_PUSH, HOLES, OP_STORE, LOCAL + 5, OP_ZERO, LOCAL + 6, 1,               \
        AT(2 + 2 * (decision)), OP_ITER_LIST, LOCAL + 5, LOCAL + 6, local, TO(3 + 2 * (decision)), \
        OP_CAND, alternative, OP_JMP, TO(2 + 2 * (decision)), AT(3 + 2 * (decision)), OP_DECIDE,   \
        decision
    VALUE(5, OP_WOULD, TO(0), TO(1), 9999, INT32_MIN, EACH_HOLE(0, 0, LOCAL), OP_END, AT(10),
          OP_LOAD, LOCAL, OP_PUSH, STORE, OP_MOVE_ALL, AT(0), OP_PUSH, STORE, OP_COUNT, OP_VALUE,
          AT(1));
    assert_int_equal(on(t, C, SEED), 5);
    assert_int_equal(t->vm.ncandidates, 0);
    // Two decisions one after the other: the best way is 5 and 3.
    VALUE(8, OP_WOULD, TO(0), TO(1), 9999, INT32_MIN, EACH_HOLE(0, 0, LOCAL), OP_END, AT(10),
          OP_LOAD, LOCAL, OP_PUSH, STORE, OP_MOVE_ALL, EACH_HOLE(1, 1, LOCAL + 1), OP_END, AT(11),
          OP_LOAD, LOCAL + 1, OP_PUSH, STORE, OP_MOVE_ALL, AT(0), OP_PUSH, STORE, OP_COUNT,
          OP_VALUE, AT(1));
    // The game ends in the midst of trying: the answer is that of `then`, and the other candidates follow.
    VALUE(5, OP_WOULD, TO(0), TO(1), 9999, INT32_MIN, EACH_HOLE(0, 0, LOCAL), OP_END, AT(10),
          OP_LOAD, LOCAL, OP_PUSH, STORE, OP_MOVE_ALL, OP_PUSH, NORTH, OP_WIN, AT(0), OP_PUSH,
          STORE, OP_COUNT, OP_VALUE, AT(1));
    // No candidates: it goes on below.
    VALUE(6, OP_WOULD, TO(0), TO(1), 9999, INT32_MIN, OP_CHOOSE, 0, OP_DECIDE, 0, OP_JMP, TO(0),
          AT(0), OP_PUSH, 6, OP_VALUE, AT(1));
}

// A filter that looks ahead through decisions of its own, while the outer candidates are being
// found: those stay.
static void test_would_in_filter(void **state) {
    Tiny *t = *state;
    lay(t, A, 2, 0);
    lay(t, C, 5, 0);
    lay(t, D, 3, 0);
    // Outer: holes from which, emptied first, some second hole brings the store to at least 7: c
    // (5+3) and d (3+5) and a (2+5). With a threshold of 8 a is out.
    assert_int_equal(
        begin(t, WORDS(OP_CHOOSE, 0, OP_PUSH, HOLES, OP_STORE, SCRATCH, OP_ZERO, SCRATCH + 1, 1,
                       AT(0), OP_ITER_LIST, SCRATCH, SCRATCH + 1, LOCAL, TO(1), OP_WOULD, TO(8),
                       TO(9), 9999, INT32_MIN, OP_LOAD, LOCAL, OP_PUSH, STORE, OP_MOVE_ALL,
                       EACH_HOLE(1, 1, LOCAL + 1), OP_END, AT(11), OP_LOAD, LOCAL + 1, OP_PUSH,
                       STORE, OP_MOVE_ALL, AT(8), OP_PUSH, STORE, OP_COUNT, OP_PUSH, 8, OP_GE,
                       OP_VALUE, AT(9), OP_JZ, TO(0), OP_CAND, 0, OP_JMP, TO(0), AT(1), OP_DECIDE,
                       0, OP_END, AT(10), OP_END)),
        OLDSOW_CHOICE);
    assert_int_equal(t->vm.ncandidates, 2);
    assert_int_equal(t->vm.candidates[0].values[0], C);
    assert_int_equal(t->vm.candidates[0].alt, 0);
    assert_int_equal(t->vm.candidates[1].values[0], D);
    assert_int_equal(on(t, STORE, SEED), 0);
    assert_int_equal(t->cells[SYSTEM + CELL_AT], 1);
}

static void test_would_depth(void **state) {
    Tiny *t = *state;
    // A decision that is asked again and again on the copy goes deeper each time...
    FAULT(R_WOULD_DEPTH, OP_WOULD, TO(0), TO(1), 9999, INT32_MIN, AT(10), AT(11), OP_LOAD, VAR,
          OP_PUSH, 1, OP_ADD, OP_STORE, VAR, OP_CHOOSE, 0, OP_CAND, 0, OP_CAND, 1, OP_DECIDE, 0,
          AT(0), OP_PUSH, 1, OP_VALUE, AT(1), OP_POP);
    // ... unless nothing has changed: a position is opened once, and no way comes to an end.
    VALUE(0, OP_WOULD, TO(0), TO(1), 9999, INT32_MIN, AT(10), AT(11), OP_CHOOSE, 0, OP_CAND, 0,
          OP_CAND, 1, OP_DECIDE, 0, AT(0), OP_PUSH, 1, OP_VALUE, AT(1));
    // One with a single candidate does not, but comes to an end all the same.
    FAULT(R_WOULD_STEPS, OP_WOULD, TO(0), TO(1), 9999, INT32_MIN, AT(10), AT(11), OP_CHOOSE, 0,
          OP_CAND, 0, OP_DECIDE, 0, AT(0), OP_PUSH, 1, OP_VALUE, AT(1), OP_POP);
}

// ---- positions seen -----------------------------------------------------------------------------

static void test_history(void **state) {
    Tiny *t = *state;
    t->p.remembers = true;
    VALUE(0, OP_SEEN);
    VALUE(2, OP_REMEMBER, OP_PUSH, 1, OP_STORE, VAR, OP_REMEMBER, OP_ZERO, VAR, 1, OP_REMEMBER,
          OP_SEEN);
    assert_int_equal(t->vm.history.n, 3);
    assert_int_equal(t->cells[SYSTEM + CELL_HISTORY], 3);
    VALUE(0, OP_REMEMBER, OP_PUSH, NORTH, OP_SET_MOVER, OP_SEEN); // another mover, another position
    VALUE(1, OP_REMEMBER, OP_PUSH, 7, OP_STORE, LOCAL, OP_SEEN);  // locals do not count
    // What a look-ahead notes is undone with it.
    VALUE(1, OP_REMEMBER, OP_WOULD, TO(0), TO(1), 9999, INT32_MIN, OP_REMEMBER, OP_END, AT(0),
          OP_SEEN, OP_VALUE, AT(1), OP_POP, OP_SEEN);
    assert_int_equal(t->vm.history.n, 1);
    assert_int_equal(t->cells[SYSTEM + CELL_HISTORY], 1);
    VALUE(2, OP_REMEMBER, OP_WOULD, TO(0), TO(1), 9999, INT32_MIN, OP_REMEMBER, OP_END, AT(0),
          OP_SEEN, OP_VALUE, AT(1));
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, tiny_setup, tiny_teardown)
int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(test_arithmetic),
        TEST(test_comparison),
        TEST(test_cells),
        TEST(test_jumps),
        TEST(test_ways),
        TEST(test_one_of_several),
        TEST(test_budget),
        TEST(test_counts),
        TEST(test_tables_and_tracks),
        TEST(test_pieces),
        TEST(test_piece_faults),
        TEST(test_sow),
        TEST(test_loops),
        TEST(test_choose),
        TEST(test_choose_forgets),
        TEST(test_throw),
        TEST(test_too_many_candidates),
        TEST(test_players),
        TEST(test_ends),
        TEST(test_scores),
        TEST(test_would),
        TEST(test_would_choice),
        TEST(test_would_in_filter),
        TEST(test_would_depth),
        TEST(test_history),
    };
    return cmocka_run_group_tests_name("vm", tests, NULL, NULL);
}
