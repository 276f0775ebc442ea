// Look-ahead that does little, as it is run after improvement, beside the same as it is written.
#include "tests/unit/tiny.h"

#define OPEN OP_WOULD, TO(0), TO(1), 9999, INT32_MIN
#define MOVE_ONE(from, to) OP_PUSH, 1, OP_PUSH, SEED, OP_PUSH, from, OP_PUSH, to, OP_MOVE

// What is left of a run. Scratch cells are nobody's business.
typedef struct Left {
    OldsowStatus status;
    Fault fault;
    Cell cells[TINY_STATE];
} Left;

static Left run(Tiny *t, const struct Quick *quick, long budget) {
    t->p.quick = quick;
    vm_lay_out(&t->p, t->cells);
    t->vm.budget = budget;
    Left left = {.status = vm_start(&t->vm, t->cells)};
    if (left.status == OLDSOW_FAULT) left.fault = t->vm.fault;
    memcpy(left.cells, t->cells, sizeof left.cells);
    return left;
}

static int times(const Tiny *t, int op) {
    static const char *const kinds[QUICK_OPS] = {
#define QOP(name, kinds) [Q_##name] = (kinds),
#include "interp/vm/quick.def"
#undef QOP
    };
    int n = 0;
    for (int i = 0; i < t->p.quick->ncode; i += 1 + (int)strlen(kinds[t->p.quick->code[i]]))
        n += t->p.quick->code[i] == op;
    return n;
}

// Runs code both ways, whatever time there is: all comes out alike. Gives what is left with time enough. There are two copies
// of the code, one for each mover: `looks` of each are such as do little, `woulds` are not.
static Left both(Tiny *t, int looks, int woulds, const int32_t *words, size_t n) {
    enum { BUDGET_MOST = 160 };
    int pc, depths[CODE_MAX];
    tiny_load(t, words, n);
    const char *wrong = tiny_ready(&t->p, &t->arena, &pc);
    if (wrong) fail_msg("not verified at %d: %s", pc, wrong);
    assert_int_equal(times(t, Q_LOOK), looks * TINY_PLAYERS);
    assert_int_equal(times(t, Q_WOULD), woulds * TINY_PLAYERS);
    const struct Quick *well = t->p.quick;
    assert_null(verify_program(&t->p, &pc, depths));
    quicken(&t->p, depths, false, t->arena);
    const struct Quick *plain = t->p.quick;
    for (long budget = 0; budget <= BUDGET_MOST; budget++) {
        const Left a = run(t, plain, budget), b = run(t, well, budget);
        assert_int_equal(b.status, a.status);
        assert_int_equal(b.fault.code, a.fault.code);
        assert_int_equal(b.fault.pc, a.fault.pc);
        assert_memory_equal(b.cells, a.cells, sizeof a.cells);
    }
    const Left a = run(t, plain, BUDGET_STEPS), b = run(t, well, BUDGET_STEPS);
    assert_int_equal(b.status, a.status);
    assert_int_equal(b.fault.code, a.fault.code);
    assert_int_equal(b.fault.pc, a.fault.pc);
    assert_memory_equal(b.cells, a.cells, sizeof a.cells);
    return b;
}
#define BOTH(looks, woulds, ...) both(t, looks, woulds, WORDS(__VA_ARGS__))

static void lay(Tiny *t, int site, int seeds) { t->initial[site * TINY_KINDS + SEED] = seeds; }

static void test_pieces_come_back(void **state) {
    Tiny *t = *state;
    lay(t, A, 2);
    lay(t, B, 3);
    // One cell is written three times.
    Left left = BOTH(1, 0, OPEN, MOVE_ONE(A, B), MOVE_ONE(B, C), OP_PUSH, 4, OP_PUSH, GOLD, OP_PUSH,
                     B, OP_PUT, OP_PUSH, SEED, OP_PUSH, B, OP_REMOVE_KIND, AT(0), OP_PUSH, B,
                     OP_COUNT, OP_VALUE, AT(1), OP_STORE, VAR, OP_END);
    assert_int_equal(left.status, OLDSOW_OVER);
    assert_int_equal(left.cells[VAR], 4);
    assert_int_equal(left.cells[B * TINY_KINDS + SEED], 3);
    assert_int_equal(left.cells[B * TINY_KINDS + GOLD], 0);
    assert_int_equal(left.cells[C * TINY_KINDS + SEED], 0);
}

// The answer is asked about at once, and a value lies below it.
static void test_answer(void **state) {
    Tiny *t = *state;
    lay(t, A, 1);
    for (int b = 0; b <= 1; b++) {
        lay(t, B, b);
        Left left =
            BOTH(1, 0, OP_PUSH, 40, OPEN, MOVE_ONE(A, C), AT(0), OP_PUSH, B, OP_COUNT, OP_JZ, TO(3),
                 OP_PUSH, 1, OP_JMP, TO(4), AT(3), OP_PUSH, 0, AT(4), OP_VALUE, AT(1), OP_JZ, TO(2),
                 OP_PUSH, 2, OP_ADD, AT(2), OP_STORE, VAR, OP_END);
        assert_int_equal(left.cells[VAR], b ? 42 : 40);
    }
}

static void test_faults(void **state) {
    Tiny *t = *state;
    lay(t, A, 1);
    // The second man is not there: the first is back where he was.
    Left left = BOTH(1, 0, OPEN, MOVE_ONE(A, B), MOVE_ONE(A, C), AT(0), OP_PUSH, B, OP_COUNT,
                     OP_VALUE, AT(1), OP_POP, OP_END);
    assert_int_equal(left.status, OLDSOW_FAULT);
    assert_int_equal(left.fault.code, R_TOO_FEW);
    assert_int_equal(left.cells[A * TINY_KINDS + SEED], 1);
    assert_int_equal(left.cells[B * TINY_KINDS + SEED], 0);
    // Nor is the place that the last one goes to.
    left =
        BOTH(1, 0, OPEN, MOVE_ONE(A, B), OP_PUSH, 1, OP_PUSH, SEED, OP_PUSH, B, OP_PUSH, D, OP_PUSH,
             ROW, OP_NEXT, OP_MOVE, AT(0), OP_PUSH, B, OP_COUNT, OP_VALUE, AT(1), OP_POP, OP_END);
    assert_int_equal(left.fault.code, R_UNSET);
    assert_int_equal(left.cells[A * TINY_KINDS + SEED], 1);
    // A loop on the copy that never ends is the look-ahead's fault.
    left = BOTH(1, 0, OPEN, MOVE_ONE(A, B), AT(2), OP_PUSH, A, OP_COUNT, OP_JZ, TO(2), AT(0),
                OP_PUSH, 1, OP_VALUE, AT(1), OP_POP, OP_END);
    assert_int_equal(left.fault.code, R_WOULD_STEPS);
    assert_int_equal(left.fault.pc, 0);
    assert_int_equal(left.cells[A * TINY_KINDS + SEED], 1);
}

// One that does little, within one that looks ahead itself: each brings back what is its own.
static void test_within(void **state) {
    Tiny *t = *state;
    lay(t, A, 2);
    Left left = BOTH(1, 1, OPEN, MOVE_ONE(A, B), OP_WOULD, TO(2), TO(3), 9999, INT32_MIN,
                     MOVE_ONE(A, B), AT(2), OP_PUSH, B, OP_COUNT, OP_VALUE, AT(3), OP_PUSH, 10,
                     OP_MUL, OP_PUSH, B, OP_COUNT, OP_ADD, OP_STORE, VAR + 1, AT(0), OP_LOAD,
                     VAR + 1, OP_VALUE, AT(1), OP_STORE, VAR, OP_END);
    assert_int_equal(left.cells[VAR], 21);
    assert_int_equal(left.cells[VAR + 1], 0);
    assert_int_equal(left.cells[A * TINY_KINDS + SEED], 2);
    // A fault in the inner one.
    left = BOTH(1, 1, OPEN, MOVE_ONE(A, B), OP_WOULD, TO(2), TO(3), 9999, INT32_MIN, MOVE_ONE(A, B),
                MOVE_ONE(A, B), AT(2), OP_PUSH, B, OP_COUNT, OP_VALUE, AT(3), OP_STORE, VAR + 1,
                AT(0), OP_LOAD, VAR + 1, OP_VALUE, AT(1), OP_STORE, VAR, OP_END);
    assert_int_equal(left.fault.code, R_TOO_FEW);
    assert_int_equal(left.cells[A * TINY_KINDS + SEED], 2);
    assert_int_equal(left.cells[B * TINY_KINDS + SEED], 0);
}

// What does more is looked into as before.
static void test_more(void **state) {
    Tiny *t = *state;
    lay(t, A, 2);
    Left left;
    // A variable.
    left = BOTH(0, 1, OPEN, OP_PUSH, 5, OP_STORE, VAR + 1, AT(0), OP_LOAD, VAR + 1, OP_VALUE, AT(1),
                OP_LOAD, VAR + 1, OP_ADD, OP_STORE, VAR, OP_END);
    assert_int_equal(left.cells[VAR], 5);
    // A scratch cell that is read afterwards; and one that is not.
    left = BOTH(0, 1, OP_PUSH, A, OP_COUNT, OP_STORE, SCRATCH, OPEN, MOVE_ONE(A, B), OP_PUSH, A,
                OP_COUNT, OP_STORE, SCRATCH, AT(0), OP_LOAD, SCRATCH, OP_VALUE, AT(1), OP_LOAD,
                SCRATCH, OP_PUSH, 10, OP_MUL, OP_ADD, OP_STORE, VAR, OP_END);
    assert_int_equal(left.cells[VAR], 21);
    left = BOTH(1, 0, OPEN, MOVE_ONE(A, B), OP_PUSH, A, OP_COUNT, OP_STORE, SCRATCH, OP_LOAD,
                SCRATCH, OP_JZ, TO(0), MOVE_ONE(A, B), AT(0), OP_PUSH, B, OP_COUNT, OP_VALUE, AT(1),
                OP_STORE, VAR, OP_END);
    assert_int_equal(left.cells[VAR], 2);
    // The end of the game, that of a loop, and more moves than are noted.
    left = BOTH(0, 1, OPEN, OP_PUSH, A, OP_COUNT, OP_JZ, TO(0), OP_DRAW, AT(0), OP_LOAD,
                SYSTEM + CELL_STATUS, OP_VALUE, AT(1), OP_STORE, VAR, OP_END);
    assert_int_equal(left.cells[VAR], OVER_DRAWN);
    assert_int_equal(left.cells[SYSTEM + CELL_STATUS], OVER_UNDECIDED);
    left = BOTH(0, 1, OPEN, AT(2), MOVE_ONE(A, B), OP_PUSH, A, OP_COUNT, OP_JNZ, TO(2), AT(0),
                OP_PUSH, B, OP_COUNT, OP_VALUE, AT(1), OP_STORE, VAR, OP_END);
    assert_int_equal(left.cells[VAR], 2);
    left = BOTH(0, 1, OPEN, MOVE_ONE(A, B), MOVE_ONE(B, A), MOVE_ONE(A, B), MOVE_ONE(B, A),
                MOVE_ONE(A, B), MOVE_ONE(B, A), MOVE_ONE(A, B), MOVE_ONE(B, A), MOVE_ONE(A, B),
                AT(0), OP_PUSH, B, OP_COUNT, OP_VALUE, AT(1), OP_STORE, VAR, OP_END);
    assert_int_equal(left.cells[VAR], 1);
    assert_int_equal(left.cells[A * TINY_KINDS + SEED], 2);
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, tiny_setup, tiny_teardown)

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(test_pieces_come_back), TEST(test_answer), TEST(test_faults),
        TEST(test_within),           TEST(test_more),
    };
    return cmocka_run_group_tests_name("look", tests, NULL, NULL);
}
