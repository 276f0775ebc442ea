// Trees printed, and read back.
#include "reading.h"

static bool same_tree(const Node *a, const Node *b) {
    if (a->kind != b->kind || a->nkids != b->nkids || a->number != b->number) return false;
    if (!a->text != !b->text || (a->text && strcmp(a->text, b->text) != 0)) return false;
    for (uint32_t i = 0; i < a->nkids; i++)
        if (!same_tree(a->kids[i], b->kids[i])) return false;
    return true;
}

static void prints_and_reads_back(const char *text) {
    Reading *first = read_text(text), *second = read_text(first->printed);
    assert_string_equal(first->shown, "");
    assert_string_equal(second->shown, "");
    assert_true(same_tree(first->tree, second->tree));
    assert_string_equal(first->printed, second->printed);
    for (const char *line = first->printed; *line;) {
        size_t size = strcspn(line, "\n");
        assert_in_range(size, 0, 100);
        line += size + (line[size] != '\0');
    }
    done(first);
    done(second);
}

static void test_round_trip(void **state) {
    (void)state;
    char *words = repeated("counter ", 3000);
    char text[4000];
    snprintf(text, sizeof text, "(put %s)", words);
    prints_and_reads_back(text);
    free(words);
    prints_and_reads_back(
        "(game \"Njombwa\" (players South North) (option columns {8 9 10} default: 8 \"holes in a"
        " row; \\\"eight\\\" is\\nusual\") (region outer South: (row 1) North: (reversed (row 4)))"
        " (play (turns (if (any hole in: (circuit mover) (> (count hole) 1)) (choose hole in:"
        " (circuit mover) where: (> (count hole) 1) (sow-and-capture hole)) else: (choose hole in:"
        " (circuit mover) where: (and (occupied hole) (empty (next hole (circuit mover)))) else:"
        " (pass) (sow-and-capture hole))) (if (none-left opponent) (win mover)))))");
    prints_and_reads_back(
        "(a (a-rather-long-name-for-a-form with: (arguments of all sorts) and: more-of-them"
        " again)..(another-rather-long-name-for-a-form with: (arguments of all sorts) and: more"
        "))");
    char deep[NESTING_MAX * 3] = "";
    for (int i = 0; i < 40; i++) strcat(deep, "(ab ");
    for (int i = 0; i < 40; i++) strcat(deep, ")");
    Reading *r = read_text(deep);
    assert_string_equal(r->shown, "");
    Reading *again = read_text(r->printed);
    assert_true(same_tree(r->tree, again->tree));
    done(r);
    done(again);
}

static void test_print_layout(void **state) {
    (void)state;
    reads_as("(define (sow-and-capture hole) (let end (relay-sow hole along: (circuit mover)))"
             " (if (in end (inner mover)) (capture-file (facing end))) where: (and (occupied hole)"
             " (empty (next hole))) do: x)",
             "(define (sow-and-capture hole)\n"
             "  (let end (relay-sow hole along: (circuit mover)))\n"
             "  (if (in end (inner mover)) (capture-file (facing end)))\n"
             "  where: (and (occupied hole) (empty (next hole)))\n"
             "  do: x)\n");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_round_trip),
        cmocka_unit_test(test_print_layout),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
