// Every ludeme is explained, and its example does what it says: those of the core (ludemes.def) and those of the
// libraries, whose docs end in `Example: ...`.
//
// An example is `STATEMENTS => TRUTH`, played in a small world of its own, or a whole (game ...) that its first
// player must win, or a (variant ...) of a game in games/. Of every choice and throw the first candidate is taken.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "interp/oldsow.h"

enum { SCRIPT_MAX = 1 << 16, PLIES_MAX = 100 };

// ---- text ----------------------------------------------------------------------------------------

typedef struct Text {
    char at[SCRIPT_MAX];
    size_t n;
} Text;

static void add(Text *text, const char *from, size_t size) {
    assert_true(text->n + size < SCRIPT_MAX);
    memcpy(text->at + text->n, from, size);
    text->n += size;
    text->at[text->n] = '\0';
}

static void add_str(Text *text, const char *s) { add(text, s, strlen(s)); }

static const char *skip_blanks(const char *s) {
    while (isspace((unsigned char)*s)) s++;
    return s;
}

static const char *skip_string(const char *s) {
    for (s++; *s && *s != '"'; s++)
        if (*s == '\\' && s[1]) s++;
    return *s ? s + 1 : s;
}

// Past the form, name or set that starts here.
static const char *skip_form(const char *s) {
    int depth = 0;
    while (*s) {
        if (*s == '"') {
            s = skip_string(s);
        } else {
            if (*s == '(' || *s == '{') depth++;
            if (*s == ')' || *s == '}') depth--;
            s++;
        }
        if (depth <= 0 && (*s == '\0' || isspace((unsigned char)*s) || s[-1] == ')')) break;
    }
    return s;
}

static bool starts(const char *s, const char *with) { return strncmp(s, with, strlen(with)) == 0; }

// ---- the world of the examples ---------------------------------------------------------------------

static const char world[] = "(game \"Example\"\n"
                            "  (players South North)\n"
                            "  (board (holes rows: 2 columns: 5))\n"
                            "  (track ring (loop a1..e1 e2..a2))\n"
                            "  (region side South: (row 1) North: (row 2))\n"
                            "  (store)\n"
                            "  (piece seed)\n"
                            "  (piece sow-of each: players)\n";

// Whether the form starting at `s` is an item that stands at the top of a script.
static bool is_equipment(const char *s) {
    if (*s != '(') return false;
    size_t n = strcspn(s + 1, " ()\n");
    for (size_t i = 0; i < oldsow_ludemes(); i++) {
        const OldsowLudeme *l = oldsow_ludeme(i);
        if (strcmp(l->group, "equipment") == 0 && strlen(l->name) == n &&
            strncmp(s + 1, l->name, n) == 0)
            return true;
    }
    return false;
}

// A script that South wins if the example holds; false if it has not the shape of one.
static bool build(const char *example, Text *script) {
    Text items = {.n = 0}, statements = {.n = 0};
    const char *s = skip_blanks(example);
    while (*s && !starts(s, "=>")) {
        const char *end = skip_form(s);
        Text *to = is_equipment(s) ? &items : &statements;
        add_str(to, "  ");
        add(to, s, (size_t)(end - s));
        add_str(to, "\n");
        s = skip_blanks(end);
    }
    if (!starts(s, "=>")) return false;
    const char *truth = skip_blanks(s + 2), *end = skip_form(truth);
    if (end == truth || *skip_blanks(end)) return false;

    add_str(script, world);
    add_str(script, "  (use");
    for (size_t i = 0; i < oldsow_libraries(); i++) {
        add_str(script, " ");
        add_str(script, oldsow_library_name(i));
    }
    add_str(script, ")\n");
    add(script, items.at, items.n);
    add_str(script, "  (play\n");
    add(script, statements.at, statements.n);
    add_str(script, "  (if ");
    add(script, truth, (size_t)(end - truth));
    add_str(script, " (win South)) (lose South)))\n");
    return true;
}

// ---- playing ---------------------------------------------------------------------------------------

// The first of every choice and throw. The caller frees the state.
static OldsowState *play_first(const OldsowGame *game) {
    OldsowState *state = oldsow_start(game);
    assert_non_null(state);
    for (int ply = 0; ply < PLIES_MAX; ply++) {
        OldsowStatus status = oldsow_status(state);
        if (status == OLDSOW_OVER || status == OLDSOW_FAULT) break;
        oldsow_play(state, 0);
    }
    return state;
}

static OldsowGame *load(const char *name, const char *script) {
    OldsowReport *report = NULL;
    OldsowGame *game = oldsow_load_text(name, script, strlen(script), NULL, &report);
    if (oldsow_report_count(report) > 0) oldsow_report_print(report, stderr, false);
    bool silent = oldsow_report_count(report) == 0;
    oldsow_report_free(report);
    if (silent) return game;
    oldsow_game_free(game);
    return NULL;
}

static bool won(const char *script) {
    OldsowGame *game = load("example.sow", script);
    if (!game) return false;
    OldsowState *state = play_first(game);
    bool good = oldsow_status(state) == OLDSOW_OVER && oldsow_result(state, 0) == OLDSOW_WON;
    if (oldsow_status(state) == OLDSOW_FAULT) oldsow_print_fault(state, stderr, false);
    oldsow_state_free(state);
    oldsow_game_free(game);
    return good;
}

// A variant starts from a game in games/, and gets to a decision.
static bool begins(const char *script) {
    OldsowGame *game = load("games/example.sow", script);
    if (!game) return false;
    OldsowState *state = oldsow_start(game);
    OldsowStatus status = oldsow_status(state);
    oldsow_state_free(state);
    oldsow_game_free(game);
    return status == OLDSOW_CHOICE || status == OLDSOW_CHANCE;
}

static bool holds(const char *what, const char *example) {
    Text script = {.n = 0};
    bool good;
    if (starts(example, "(game ")) {
        add_str(&script, example);
        good = won(script.at);
    } else if (starts(example, "(variant ")) {
        add_str(&script, example);
        good = begins(script.at);
    } else {
        good = build(example, &script) && won(script.at);
    }
    if (!good) print_error("the example of `%s` does not hold: %s\n%s\n", what, example, script.at);
    return good;
}

// ---- the core --------------------------------------------------------------------------------------

static void core_ludemes_are_explained(void **unused) {
    (void)unused;
    int lacking = 0;
    for (size_t i = 0; i < oldsow_ludemes(); i++) {
        const OldsowLudeme *l = oldsow_ludeme(i);
        size_t n = strlen(l->doc);
        bool usage = l->usage[0] == '(' && starts(l->usage + 1, l->name);
        bool sentence = n > 0 && isupper((unsigned char)l->doc[0]) && l->doc[n - 1] == '.';
        bool example = l->example && *l->example;
        // A doc may begin with the name of what it explains.
        if (n > 0 && l->doc[0] == '`') sentence = l->doc[n - 1] == '.';
        if (usage && sentence && example) continue;
        lacking++;
        print_error("`%s` lacks%s%s%s\n", l->name, usage ? "" : " its usage",
                    sentence ? "" : " a doc of whole sentences", example ? "" : " an example");
    }
    assert_int_equal(lacking, 0);
}

static void core_examples_hold(void **unused) {
    (void)unused;
    int wrong = 0;
    for (size_t i = 0; i < oldsow_ludemes(); i++) {
        const OldsowLudeme *l = oldsow_ludeme(i);
        if (l->example && *l->example && !holds(l->name, l->example)) wrong++;
    }
    assert_int_equal(wrong, 0);
}

// An example that never names its ludeme shows nothing.
static void core_examples_name_their_ludeme(void **unused) {
    (void)unused;
    int wrong = 0;
    for (size_t i = 0; i < oldsow_ludemes(); i++) {
        const OldsowLudeme *l = oldsow_ludeme(i);
        // What the world of the examples already has is shown by what is asked of it.
        static const char *const in_world[] = {"players", "board", "holes"};
        bool there = false;
        for (size_t k = 0; k < sizeof in_world / sizeof *in_world; k++)
            there |= strcmp(l->name, in_world[k]) == 0;
        if (there || !l->example || strstr(l->example, l->name)) continue;
        wrong++;
        print_error("the example of `%s` does not use it: %s\n", l->name, l->example);
    }
    assert_int_equal(wrong, 0);
}

// ---- the libraries -----------------------------------------------------------------------------------

// The text of the string at `s`, its escapes undone.
static void unquote(const char *s, Text *text) {
    for (s++; *s && *s != '"'; s++) {
        if (*s == '\\' && s[1]) s++;
        add(text, s, 1);
    }
}

typedef struct Definition {
    char name[64];
    Text doc; // empty if it has none
} Definition;

// The next definition at or after `s`; NULL when there is none.
static const char *next_definition(const char *s, Definition *d) {
    static const char head[] = "\n(define (";
    s = strstr(s, head);
    if (!s) return NULL;
    const char *header = s + strlen(head) - 1; // its opening bracket
    size_t n = strcspn(header + 1, " )\n");
    assert_true(n < sizeof d->name);
    memcpy(d->name, header + 1, n);
    d->name[n] = '\0';
    d->doc.n = 0;
    d->doc.at[0] = '\0';
    s = skip_blanks(skip_form(header));
    if (*s == '"') unquote(s, &d->doc);
    return s;
}

static void library_examples_hold(void **unused) {
    (void)unused;
    int wrong = 0, definitions = 0;
    assert_true(oldsow_libraries() > 0);
    for (size_t i = 0; i < oldsow_libraries(); i++) {
        static Definition d;
        const char *s = oldsow_library_text(i);
        while ((s = next_definition(s, &d))) {
            definitions++;
            char what[128];
            snprintf(what, sizeof what, "%s (%s)", d.name, oldsow_library_name(i));
            const char *example = strstr(d.doc.at, "Example:");
            if (d.doc.n == 0 || !example) {
                wrong++;
                print_error("`%s` has no %s\n", what, d.doc.n ? "example" : "doc");
            } else if (!strstr(example, d.name)) {
                wrong++;
                print_error("the example of `%s` does not use it\n", what);
            } else if (!holds(what, skip_blanks(example + strlen("Example:")))) {
                wrong++;
            }
        }
    }
    assert_true(definitions > 0);
    assert_int_equal(wrong, 0);
}

// A library can be used without the others.
static void libraries_stand_alone(void **unused) {
    (void)unused;
    for (size_t i = 0; i < oldsow_libraries(); i++) {
        Text script = {.n = 0};
        add_str(&script, world);
        add_str(&script, "  (use ");
        add_str(&script, oldsow_library_name(i));
        add_str(&script, ")\n  (play (win South)))\n");
        assert_true(won(script.at));
    }
}

// ---- before and during play ----------------------------------------------------------------------------

// What is known beforehand is worked out by the evaluator, the rest by the machine: both must say the same. Each
// script compares a call of constants with the same call of variables.

static void add_format(Text *text, const char *format, ...) {
    char line[512];
    va_list args;
    va_start(args, format);
    int n = vsnprintf(line, sizeof line, format, args);
    va_end(args);
    assert_true(n >= 0 && (size_t)n < sizeof line);
    add(text, line, (size_t)n);
}

static void numbers_agree(void **unused) {
    (void)unused;
    static const char *const ops[] = {"+", "-",  "*", "/",  "mod", "min", "max",
                                      "=", "!=", "<", "<=", ">",   ">="};
    static const int values[] = {-32767, -181, -7, -2, -1, 0, 1, 2, 5, 23, 180, 32767};
    enum { N = sizeof values / sizeof *values };
    for (size_t op = 0; op < sizeof ops / sizeof *ops; op++) {
        bool divides = strcmp(ops[op], "/") == 0 || strcmp(ops[op], "mod") == 0;
        Text script = {.n = 0};
        add_str(&script,
                "(game \"x\" (players A B) (board (line 1)) (piece seed) (var a) (var b)\n");
        add_str(&script, "  (play\n");
        for (int i = 0; i < N; i++) {
            add_format(&script, "    (set a %d)\n", values[i]);
            for (int k = 0; k < N; k++) {
                if (divides && values[k] == 0) continue;
                add_format(&script, "    (set b %d) (if (!= (%s a b) (%s %d %d)) (lose A))\n",
                           values[k], ops[op], ops[op], values[i], values[k]);
            }
        }
        add_str(&script, "    (win A)))\n");
        if (!won(script.at))
            fail_msg("`%s` says one thing before the game, another in it", ops[op]);
    }
}

// Whether two calls that give a value each, or (list) the same list, agree; South loses if they do not.
static void compare_calls(Text *script, bool list, const char *a, const char *b) {
    if (!list) {
        add_format(script, "    (if (!= %s %s) (lose South))\n", a, b);
        return;
    }
    add_format(script, "    (if (!= (size %s) (size %s)) (lose South))\n", a, b);
    add_format(script, "    (for i in: 1..9 (if (!= (nth i %s) (nth i %s)) (lose South)))\n", a, b);
}

// Calls of one or two sites, on a board of the sites named.
static void sites_agree(const char *board, const char *const *sites, size_t nsites, bool rows) {
    static const struct {
        const char *name, *second; // the key of the second site, or NULL
        bool list, rows;
    } calls[] = {
        {"facing", NULL, false, true},     {"behind", NULL, false, true},
        {"column-of", NULL, false, false}, {"row-of", NULL, false, false},
        {"square", NULL, false, false},    {"neighbours", NULL, true, false},
        {"beyond", "from", false, false},  {"between", "and", true, false},
    };
    for (size_t c = 0; c < sizeof calls / sizeof *calls; c++) {
        if (calls[c].rows && !rows) continue;
        Text script = {.n = 0};
        add_format(&script, "(game \"x\" (players South North) (board %s)\n", board);
        add_str(&script, "  (piece seed) (var from site) (var to site)\n  (play\n");
        for (size_t i = 0; i < nsites; i++) {
            for (size_t k = 0; k < (calls[c].second ? nsites : 1); k++) {
                char a[128], b[128];
                add_format(&script, "    (set from %s) (set to %s)\n", sites[i], sites[k]);
                const char *key = calls[c].second;
                if (key) {
                    snprintf(a, sizeof a, "(%s from %s: to)", calls[c].name, key);
                    snprintf(b, sizeof b, "(%s %s %s: %s)", calls[c].name, sites[i], key, sites[k]);
                } else {
                    snprintf(a, sizeof a, "(%s from)", calls[c].name);
                    snprintf(b, sizeof b, "(%s %s)", calls[c].name, sites[i]);
                }
                compare_calls(&script, calls[c].list, a, b);
            }
        }
        add_str(&script, "    (win South)))\n");
        if (!won(script.at))
            fail_msg("`%s` says one thing before the game, another in it, on %s", calls[c].name,
                     board);
    }
}

static void boards_agree(void **unused) {
    (void)unused;
    static const char *const holes[] = {"a1", "b1", "c1", "d1", "a2", "b2", "c2", "d2",
                                        "a3", "b3", "c3", "d3", "a4", "b4", "c4", "d4"};
    static const char *const cross[] = {"b1", "a2", "b2", "c2", "b3"};
    static const char *const rings[] = {"a1", "b1", "c1", "d1", "a2", "b2", "c2", "d2", "centre"};
    static const char *const points[] = {"p", "q", "r", "s", "t"};
    sites_agree("(holes rows: 4 columns: 4)", holes, 16, true);
    sites_agree("(squares rows: 4 columns: 4 links: adjacent)", holes, 16, true);
    sites_agree("(squares rows: 3 columns: 3 gaps: {a1 c1 a3 c3} links: diagonal)", cross, 5, true);
    sites_agree("(line 4)", holes, 4, true);
    sites_agree("(rings rings: 2 points: 4 centre: yes)", rings, 9, true);
    sites_agree("(graph points: {p q r s t} lines: {{p q r} {s q t} {p s}})", points, 5, false);
}

// Regions and tracks, made of the mover's things before the game and while it is played.
static void regions_agree(void **unused) {
    (void)unused;
    static const char *const calls[] = {
        "(row 1)",
        "(column 3)",
        "(reversed (side %s))",
        "(reversed a1..c1)",
        "(union (side %s) a1..c2)",
        "(union a1..c1)",
        "(without (side %s) a1 e2)",
        "(without a1..e1 b1)",
        "(both (side %s) (column 2))",
        "(both a1..a2 (side %s))",
        "(half-turn (side %s))",
        "(half-turn b1..c1)",
        "(path (side %s))",
        "(path e1..a1)",
        "(loop (side %s))",
        "(loop (reversed b1..d1))",
        "(ray b1 east)",
        "{(store %s) a1 b1}",
    };
    int wrong = 0;
    for (size_t i = 0; i < sizeof calls / sizeof *calls; i++) {
        Text script = {.n = 0};
        const char *slot = strstr(calls[i], "%s");
        add_str(&script, world);
        add_str(&script, "  (var who player)\n  (play\n");
        static const char *const names[] = {"South", "North"};
        for (int p = 0; p < (slot ? 2 : 1); p++) {
            char a[128], b[128];
            snprintf(a, sizeof a, "%s", calls[i]);
            snprintf(b, sizeof b, "%s", calls[i]);
            if (slot) {
                int before = (int)(slot - calls[i]);
                snprintf(a, sizeof a, "%.*swho%s", before, calls[i], slot + 2);
                snprintf(b, sizeof b, "%.*s%s%s", before, calls[i], names[p], slot + 2);
            }
            add_format(&script, "    (set who %s)\n", names[p]);
            compare_calls(&script, true, a, b);
            // A set of its elements, and an element of each place, are the same things still.
            add_format(&script, "    (for x in: %s (if (not (in x %s)) (lose South)))\n", a, b);
            add_format(&script,
                       "    (for x in: %s (if (!= (nth (index x %s) %s) x) (lose South)))\n", b, a,
                       a);
            add_format(&script, "    (if (= (size %s) 0) (lose South))\n", b);
        }
        add_str(&script, "    (win South)))\n");
        if (won(script.at)) continue;
        wrong++;
        print_error("%s says one thing before the game, another in it\n", calls[i]);
    }
    assert_int_equal(wrong, 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(core_ludemes_are_explained),
        cmocka_unit_test(core_examples_hold),
        cmocka_unit_test(core_examples_name_their_ludeme),
        cmocka_unit_test(library_examples_hold),
        cmocka_unit_test(libraries_stand_alone),
        cmocka_unit_test(numbers_agree),
        cmocka_unit_test(boards_agree),
        cmocka_unit_test(regions_agree),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
