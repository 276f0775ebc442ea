// The verifier, by programs written by hand that it has to refuse.
#include "tests/unit/tiny.h"

static const char *refused(Tiny *t, const int32_t *words, size_t n) {
    int pc;
    tiny_load(t, words, n);
    const char *wrong = verify_program(&t->p, &pc, NULL);
    return wrong ? wrong : "it holds";
}

#define REFUSED(expected, ...) assert_string_equal(refused(t, WORDS(__VA_ARGS__)), expected)

static void test_refused_instructions(void **state) {
    Tiny *t = *state;
    REFUSED("no such opcode", OPCODES);
    REFUSED("no such opcode", -1);
    REFUSED("operands cut off", OP_PUSH);
    REFUSED("an operand out of range", OP_LOAD, TINY_CELLS, OP_POP, OP_END);
    REFUSED("an operand out of range", OP_LOAD, -1, OP_POP, OP_END);
    REFUSED("an operand out of range", OP_PUSH, 1, OP_STORE, SYSTEM + CELL_AT, OP_END);
    REFUSED("an operand out of range", OP_ZERO, SYSTEM - 1, 2, OP_END);
    REFUSED("an operand out of range", OP_ZERO, LOCAL, INT32_MAX, OP_END);
    REFUSED("an operand out of range", OP_PUSH, 0, OP_LOADX, HOLES, TINY_CELLS - 3, OP_POP, OP_END);
    REFUSED("an operand out of range", OP_PUSH, 0, OP_LOADX, TINY_LISTS, LOCAL, OP_POP, OP_END);
    REFUSED("an operand out of range", OP_JMP, 100);
    REFUSED("an operand out of range", OP_PUSH, 0, OP_MAP, 1, OP_POP, OP_END);
    REFUSED("an operand out of range", OP_CHOOSE, 7);
    REFUSED("an operand out of range", OP_BY_SCORE, 2);
    REFUSED("an operand out of range", OP_RAISE, DIAG_CODES);
    t->p.scores = -1;
    REFUSED("an operand out of range", OP_BY_SCORE, 1);
}

static void test_refused_flow(void **state) {
    Tiny *t = *state;
    REFUSED("it holds", OP_END);
    REFUSED("the code runs out", OP_PUSH, 1);
    REFUSED("a jump into an instruction", OP_JMP, 1, OP_END);
    REFUSED("the stack runs empty", OP_POP, OP_END);
    REFUSED("the stack runs empty", OP_PUSH, 1, OP_FAMILY, 0, OP_POP, OP_END);
    REFUSED("two stack depths at one place", AT(0), OP_PUSH, 1, OP_JMP, TO(0));
    REFUSED("two stack depths at one place", OP_PUSH, 1, OP_JZK, TO(0), AT(0), OP_END);
    int32_t deep[2 * STACK_SIZE + 3];
    for (int i = 0; i <= STACK_SIZE; i++) deep[2 * i] = OP_PUSH, deep[2 * i + 1] = 1;
    deep[2 * STACK_SIZE + 2] = OP_END;
    assert_string_equal(refused(t, deep, 2 * STACK_SIZE + 3), "the stack runs over");
    deep[2 * STACK_SIZE] = OP_END;
    assert_string_equal(refused(t, deep, 2 * STACK_SIZE + 1), "it holds");
}

static void test_refused_would(void **state) {
    Tiny *t = *state;
    REFUSED("an answer nobody asked for", OP_PUSH, 1, OP_VALUE);
    REFUSED("an answer with values below it", OP_WOULD, TO(0), TO(1), 9999, INT32_MIN, AT(0),
            OP_PUSH, 1, OP_PUSH, 2, OP_VALUE, AT(1), OP_END);
    REFUSED("the stack runs empty", OP_PUSH, 1, OP_WOULD, TO(0), TO(1), 9999, INT32_MIN, AT(0),
            OP_VALUE, AT(1), OP_END);
    REFUSED("a path into or out of a look-ahead", AT(2), OP_WOULD, TO(0), TO(1), 9999, INT32_MIN,
            OP_JMP, TO(2), AT(0), OP_PUSH, 1, OP_VALUE, AT(1), OP_POP, OP_END);
    REFUSED("it holds", OP_WOULD, TO(0), TO(1), 9999, INT32_MIN, AT(0), OP_PUSH, 1, OP_VALUE, AT(1),
            OP_POP, OP_END);
}

static void test_refused_decisions(void **state) {
    Tiny *t = *state;
    REFUSED("a candidate outside of a decision", OP_CAND, 0, AT(10), OP_END);
    REFUSED("DECIDE without its CHOOSE", OP_CHOOSE, 0, OP_DECIDE, 0, OP_DECIDE, 0, OP_END);
    REFUSED("a decision within a decision", OP_CHOOSE, 0, OP_CHOOSE, 1, OP_DECIDE, 0, OP_END);
    REFUSED("a decision within a value", OP_PUSH, 1, OP_CHOOSE, 0, OP_DECIDE, 0, OP_END);
    REFUSED("a throw within a value or a decision", OP_PUSH, 1, OP_THROW, 0, AT(20), OP_END);
    REFUSED("the end of the game within a decision", OP_CHOOSE, 0, OP_END);
    t->decisions[0].clear_base = LOCAL;
    t->decisions[0].clear_n = 1;
    REFUSED("a value of one of several alternatives outside of the clear range", OP_CHOOSE, 0,
            OP_CAND, 0, OP_CAND, 1, OP_DECIDE, 0, AT(10), AT(11), OP_END);
    t->decisions[0].clear_base = SYSTEM;
    REFUSED("a decision's clear range", OP_CHOOSE, 0, OP_DECIDE, 0, OP_END);
    t->decisions[0].clear_base = LOCAL;
    tiny_load(t, WORDS(OP_CHOOSE, 0, OP_DECIDE, 0, OP_END));
    t->decisions[0].pc = 2;
    int pc;
    assert_string_equal(verify_program(&t->p, &pc, NULL), "a decision that is elsewhere");
    tiny_load(t, WORDS(OP_END));
    t->p.ndecisions = 1;
    assert_string_equal(verify_program(&t->p, &pc, NULL), "a decision without its CHOOSE");
}

static void test_refused_tables(void **state) {
    Tiny *t = *state;
    const Program whole = t->p;
#define SPOILT(expected, change)                                                                   \
    t->p = whole;                                                                                  \
    change;                                                                                        \
    REFUSED(expected, OP_END)
    SPOILT("number of players", t->p.nplayers = OLDSOW_MAX_PLAYERS + 1);
    SPOILT("system cells outside of the state", t->p.system = TINY_STATE - 1);
    SPOILT("scores outside of the state", t->p.scores = TINY_STATE - 2);
    SPOILT("number of cells", t->p.ncells = BUDGET_CELLS + 1);
    SPOILT("positions hold fewer cells than the counts", t->p.npositions = 9);
    SPOILT("a track without its reverse", t->p.ntracks = 3);
    Track tracks[TINY_TRACKS];
    memcpy(tracks, tiny_tracks, sizeof tracks);
    tracks[ROW].loop = true;
    SPOILT("a track whose sites do not follow each other", t->p.tracks = tracks);
    tracks[ROW] = tracks[RING];
    SPOILT("a track and its reverse differ", t->p.tracks = tracks);
    const uint32_t heavy[] = {UINT32_MAX, 1, 0};
    Dice dice = tiny_dice[0];
    dice.weights = heavy;
    SPOILT("dice", t->p.dice = &dice);
    t->p = whole;
    t->initial[SYSTEM + CELL_AT] = 1;
    REFUSED("system cells of the initial state", OP_END);
    t->initial[SYSTEM + CELL_AT] = 0;
    t->alternatives[3].cells[0] = SYSTEM;
    REFUSED("an alternative", OP_END);
    t->alternatives[3].cells[0] = LOCAL;
    t->throws[0].nvars = 3;
    REFUSED("a throw", OP_END);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, tiny_setup, tiny_teardown)
int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(test_refused_instructions), TEST(test_refused_flow),   TEST(test_refused_would),
        TEST(test_refused_decisions),    TEST(test_refused_tables),
    };
    return cmocka_run_group_tests_name("verify", tests, NULL, NULL);
}
