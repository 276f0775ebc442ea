// Records: what is read, what is refused and how it is told, what is written.
#include "small_games.h"

#include <inttypes.h>
#include <sys/stat.h>
#include <unistd.h>

#include "interp/play/playout.h"
#include "interp/play/record.h"
#include "interp/play/save.h"

// ---- playing a text ------------------------------------------------------------------------------

typedef struct Played {
    OldsowGame *game;
    OldsowState *state;
    Record *record;
    ReplayEnd end;
    RecordMoves *moves;
    char *shown; // what record_print says
    OldsowRng throws;
} Played;

static char *show(const Record *record) {
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    record_print(record, out, false);
    fclose(out);
    return text;
}

static Played play_bytes(const char *script, const char *text, size_t size, bool trust) {
    Played p = {.game = load(script), .end = REPLAY_WRONG};
    p.state = oldsow_start(p.game);
    p.record = record_read_text("game.txt", text, size);
    p.moves = record_moves_new(p.game);
    uint64_t seed;
    bool seeded = record_seed(p.record, &seed);
    if (seeded) oldsow_seed(&p.throws, seed, 0);
    Replay how = {.throws = seeded ? &p.throws : NULL,
                  .trust = trust,
                  .ply = record_moves_ply,
                  .context = p.moves};
    if (trust || record_belongs(p.record, p.game))
        p.end = record_replay(p.record, p.game, p.state, &how);
    p.shown = show(p.record);
    return p;
}

static Played play(const char *script, const char *text) {
    return play_bytes(script, text, strlen(text), false);
}

static void done(Played *p) {
    free(p->shown);
    record_moves_free(p->moves);
    record_free(p->record);
    oldsow_state_free(p->state);
    oldsow_game_free(p->game);
}

static char *written(const Played *p) {
    RecordAbout about = {.from = p->record};
    about.seeded = record_seed(p->record, &about.seed);
    size_t size;
    char *text = record_text(p->game, p->state, p->moves, &about, &size);
    assert_non_null(text);
    assert_int_equal(strlen(text), size);
    return text;
}

static void assert_has(const char *text, const char *part) {
    if (strstr(text, part)) return;
    fail_msg("no `%s` in:\n%s", part, text);
}

static void plays(const char *script, const char *text) {
    Played p = play(script, text);
    if (p.end != REPLAY_PLAYED) fail_msg("%s\nis not played:\n%s", text, p.shown);
    assert_string_equal(p.shown, "");
    done(&p);
}

// ---- what is refused -----------------------------------------------------------------------------

typedef struct Case {
    const char *script, *text;
    const char *says[4]; // parts of what is told
} Case;

static const Case mistakes[] = {
    {nim,
     "take-9",
     {"game.txt:1:1: error[E0812]", "`take-9`",
      "South moves; may be chosen: take-1, take-2, take-3", "did you mean"}},
    {nim,
     "take-1\n  takke-2",
     {"game.txt:2:3: error[E0812]", "    2 |   takke-2\n      |   ^^^^^^^", "North moves",
      "did you mean `take-2`?"}},
    {nim, "South take-1", {"game.txt:1:1: error[E0812]", "with a colon: `South:`"}},
    {nim,
     "North: take-1",
     {"game.txt:1:1: error[E0816]", "not for North to move here, but for South"}},
    {nim, "take-1 South:", {"game.txt:1:8: error[E0816]"}},
    {nim, "West: take-1", {"game.txt:1:1: error[E0817]", "`West:` is neither"}},
    {nim, "Sout: take-1", {"error[E0817]", "did you mean `South:`?"}},
    {nim, "take-1: take-1", {"error[E0817]", "without a colon: `take-1`"}},
    {nim, "3: take-1", {"game.txt:1:1: error[E0814]", "`3:`"}},
    {nim, "1. take-1 3. take-1", {"game.txt:1:11: error[E0818]", "number 3", "number 2"}},
    {nim, "2. take-1", {"game.txt:1:1: error[E0818]"}},
    {nim, "1. take-1 3... take-1", {"error[E0818]"}},
    {nim, "99999999999999999999999. take-1", {"error[E0818]"}},
    {nim,
     "take-3 take-3 take-3 take-1 take-1",
     {"game.txt:1:29: error[E0819]", "North wins", "[Result \"North wins\"]"}},
    {nim, "take-3 take-3 take-3 take-1 South:", {"game.txt:1:29: error[E0819]"}},
    {nim, "take-3 take-3 take-3 take-1 3:", {"game.txt:1:29: error[E0819]"}},
    {nim,
     "take-3 take-3 take-3 take-1 *",
     {"game.txt:1:29: error[E0822]", "\"unfinished\"", "\"North wins\""}},
    {nim, "take-1 * take-1", {"game.txt:1:10: error[E0811]", "the record ends here"}},
    {nim, "take-1 * ; fine\n{ fine } x", {"game.txt:2:10: error[E0811]"}},
    {race,
     "enter",
     {"game.txt:1:1: error[E0815]", "South throws; may be thrown: 1:, 2:, 3:", "--seed"}},
    {race, "2 enter", {"game.txt:1:1: error[E0815]", "written with a colon: `2:`"}},
    {race, "4: enter", {"game.txt:1:1: error[E0813]", "`4:` cannot be thrown"}},
    {race, "1: 2:", {"game.txt:1:4: error[E0814]"}},
    {race, "1: stey", {"game.txt:1:4: error[E0812]", "enter, stay", "did you mean `stay`?"}},
    {race, "[Seed \"1\"]\nenter enters", {"game.txt:2:7: error[E0812]", "was drawn from the seed"}},
    {nim, "take-1 { never\nclosed", {"game.txt:1:8: error[E0803]"}},
    {nim, "take-1 } take-2", {"game.txt:1:8: error[E0810]"}},
    {nim, "take-1 : take-2", {"game.txt:1:8: error[E0810]"}},
    {nim, "take-1 \"take-2", {"game.txt:1:8: error[E0809]"}},
    {nim, "take-1 \001", {"game.txt:1:8: error[E0802]", "code 1"}},
    {nim, "take-1 \xC2\x9Bm", {"game.txt:1:8: error[E0802]", "code 155"}},
    {nim, "take-1 \xFF", {"game.txt:1:8: error[E0006]"}},
    {nim, "take-1 [Game \"x\"]", {"game.txt:1:8: error[E0805]"}},
    {nim, "[", {"game.txt:1:2: error[E0804]", "a name is missing"}},
    {nim, "[Game", {"game.txt:1:6: error[E0804]", "the value in quotes is missing"}},
    {nim, "[Game \"x", {"game.txt:1:9: error[E0804]", "no closing quote"}},
    {nim, "[Game \"x\"", {"game.txt:1:10: error[E0804]", "`]` is missing"}},
    {nim, "[Event \"x\"] [Event \"y\"]", {"game.txt:1:14: error[E0806]", "first here"}},
    {nim, "[Rulez \"x\"]", {"game.txt:1:2: error[E0807]", "did you mean `Rules`?"}},
    {nim, "[Seed \"-1\"]", {"game.txt:1:7: error[E0808]"}},
    {nim, "[Seed \"18446744073709551616\"]", {"error[E0808]"}},
    {nim, "[Options \"limit\"]", {"error[E0808]", "`limit`"}},
    {nim, "[Options \"limit=2 =3\"]", {"error[E0808]", "`=3`"}},
    {nim, "[Rules \"123\"]", {"error[E0808]"}},
    {nim, "[Position \"0123456789ABCDEF\"]", {"error[E0808]"}},
    {nim, "[Game \"Chess\"]", {"game.txt:1:7: error[E0820]", "Chess", "nim"}},
    {nim,
     "[Rules \"0123456789abcdef\"]",
     {"game.txt:1:8: error[E0821]", "0123456789abcdef", "--force"}},
    {nim, "[Result \"South wins\"] take-1", {"game.txt:1:9: error[E0822]", "\"unfinished\""}},
    {nim,
     "[Position \"0123456789abcdef\"] take-1",
     {"game.txt:1:11: error[E0823]", "0123456789abcdef"}},
    {nim, "", {"error[E0003]", "game.txt is empty"}},
    {nim, " \n\t\r\n", {"error[E0003]"}},
    {nim, "\xEF\xBB\xBF\n", {"error[E0003]"}},
};

static void mistakes_are_told(void **unused) {
    (void)unused;
    for (size_t i = 0; i < sizeof mistakes / sizeof *mistakes; i++) {
        const Case *c = &mistakes[i];
        Played p = play(c->script, c->text);
        if (p.end != REPLAY_WRONG) fail_msg("`%s` is played", c->text);
        assert_false(record_fine(p.record));
        for (size_t k = 0; k < 4 && c->says[k]; k++) assert_has(p.shown, c->says[k]);
        done(&p);
    }
}

static void nul_bytes_are_told(void **unused) {
    (void)unused;
    static const char text[] = "take-1 \0 take-2";
    Played p = play_bytes(nim, text, sizeof text - 1, false);
    assert_int_equal(p.end, REPLAY_WRONG);
    assert_has(p.shown, "game.txt:1:8: error[E0005]");
    done(&p);
}

static void all_that_is_wrong_with_the_text_is_told_at_once(void **unused) {
    (void)unused;
    Played p = play(nim, "[Seed \"x\"]\n[Bad\ntake-1 } \x07 { open");
    assert_has(p.shown, "1:7: error[E0808]");
    assert_has(p.shown, "2:5: error[E0804]");
    assert_has(p.shown, "3:8: error[E0810]");
    assert_has(p.shown, "3:10: error[E0802]");
    assert_has(p.shown, "3:12: error[E0803]");
    assert_has(p.shown, "5 errors");
    done(&p);
}

static void big_records_are_refused(void **unused) {
    (void)unused;
    size_t size = RECORD_MAX_BYTES;
    char *text = malloc(size + 1);
    assert_non_null(text);
    memset(text, ' ', size + 1);
    memcpy(text, "take-1", 6);
    Record *record = record_read_text("game.txt", text, size + 1);
    char *shown = show(record);
    assert_has(shown, "error[E0801]");
    free(shown);
    record_free(record);
    record = record_read_text("game.txt", text, size);
    assert_true(record_fine(record));
    record_free(record);
    // A token is as long as it likes; it only is no name then.
    memset(text, 'x', 100000);
    Played p = play_bytes(nim, text, 100000, false);
    assert_has(p.shown, "game.txt:1:1: error[E0812]");
    done(&p);
    free(text);
}

static void files_that_cannot_be_read_are_told(void **unused) {
    (void)unused;
    Record *record = record_read("no/such/file");
    char *shown = show(record);
    assert_has(shown, "error[E0001]");
    assert_has(shown, "no/such/file");
    free(shown);
    record_free(record);
    record = record_read(".");
    shown = show(record);
    assert_has(shown, "error[E0002]");
    free(shown);
    record_free(record);
}

// Whatever is cut off at the end or changed by a byte: no crash, and never a record that is half believed.
static void torn_records_do_no_harm(void **unused) {
    (void)unused;
    static const char whole[] =
        "\xEF\xBB\xBF[Game \"Race\"]\n[Seed \"5\"] ; c\n[Event \"a \\\"b\\\" \xC3\xA9\"]\n"
        "1. South: 1: enter { a\nb } 2. North: 2: stay // c\n1... *";
    char text[sizeof whole];
    for (size_t i = 0; i < sizeof whole; i++) {
        Played p = play_bytes(race, whole, i, false);
        assert_true(p.end == REPLAY_PLAYED || *p.shown);
        done(&p);
        for (int byte = 0; byte < 256; byte += i % 7 ? 37 : 5) {
            memcpy(text, whole, sizeof text);
            text[i] = (char)byte;
            p = play_bytes(race, text, sizeof text - 1, false);
            assert_true(p.end == REPLAY_PLAYED || *p.shown);
            done(&p);
        }
    }
}

// ---- what is accepted ----------------------------------------------------------------------------

static void people_write_as_they_like(void **unused) {
    (void)unused;
    plays(nim, "take-1");
    plays(nim, "*");
    plays(nim, "; nothing yet");
    plays(nim, "\xEF\xBB\xBFtake-1\r\ntake-2\r\n");
    plays(nim, "1. South: take-1 2. North: take-2");
    plays(nim, "1.take-1 2.take-2{c}South:take-3//c");
    plays(nim, "1. take-1 { well } 1... take-2 2. take-1");
    plays(nim, "South: South: \"take-1\" North:");
    plays(nim, "[Event \"x\"] [White \"A \\\"B\\\" C\"]\n{ c } [Result \"*\"] take-1 *");
    plays(nim, "[ Game \"The \\\"nim\\\" game\" ] ; c\ntake-1");
    plays(nim, "[Result \"North wins\"] take-3 take-3 take-3 take-1");
    plays(race, "3: enter 1: stay North: 2: enter");
    plays(race, "South:3:enter\nSouth:1:enter North:");
}

static uint64_t end_of(const char *script, const char *text) {
    Played p = play(script, text);
    if (p.end != REPLAY_PLAYED) fail_msg("%s\nis not played:\n%s", text, p.shown);
    uint64_t hash = oldsow_hash(p.state);
    done(&p);
    return hash;
}

static void throws_come_from_the_seed(void **unused) {
    (void)unused;
    // What is thrown with this seed, told by the record itself.
    Played p = play(race, "[Seed \"11\"] enter enter enter enter");
    char *text = written(&p);
    const char *moves = strstr(text, "\n\n") + 2;
    char first[4] = {0};
    const char *colon = strstr(moves, "South: ");
    assert_non_null(colon);
    memcpy(first, colon + 7, 2);
    uint64_t hash = oldsow_hash(p.state);
    done(&p);
    free(text);

    // The first throw written out as it is drawn anyway changes nothing.
    char same[64];
    snprintf(same, sizeof same, "[Seed \"11\"] %s enter enter enter enter", first);
    assert_int_equal(end_of(race, same), hash);
    // A record that ends with `*` ends there, one that does not throws on.
    p = play(race, "[Seed \"11\"] 1: enter *");
    assert_int_equal(oldsow_status(p.state), OLDSOW_CHANCE);
    done(&p);
    p = play(race, "[Seed \"11\"] 1: enter");
    assert_int_equal(oldsow_status(p.state), OLDSOW_CHOICE);
    done(&p);
}

static void trust_asks_for_nothing(void **unused) {
    (void)unused;
    static const char text[] = "[Game \"Chess\"] [Rules \"0123456789abcdef\"] [Result \"draw\"]"
                               "[Position \"0123456789abcdef\"] take-1 *";
    Played p = play_bytes(nim, text, sizeof text - 1, true);
    assert_int_equal(p.end, REPLAY_PLAYED);
    done(&p);
    p = play_bytes(nim, "take-9", 6, true);
    assert_int_equal(p.end, REPLAY_WRONG);
    done(&p);
}

static void a_failing_script_ends_the_replay(void **unused) {
    (void)unused;
    Played p = play(trap, "1 2 1 2 1");
    assert_int_equal(p.end, REPLAY_FAULT);
    assert_true(record_fine(p.record));
    char *text = written(&p);
    assert_has(text, "[Result \"endless\"]");
    assert_null(strstr(text, "Position"));
    Played again = play(trap, text);
    assert_int_equal(again.end, REPLAY_FAULT);
    done(&again);
    free(text);
    done(&p);
}

static void stop_at_once(void **unused) {
    (void)unused;
    volatile sig_atomic_t stop = 1;
    Watch watch = {.stop = &stop};
    OldsowGame *game = load(nim);
    OldsowState *state = oldsow_start(game);
    Record *record = record_read_text("game.txt", "take-1 take-1", 13);
    Replay how = {.watch = &watch};
    assert_int_equal(record_replay(record, game, state, &how), REPLAY_STOPPED);
    record_free(record);
    oldsow_state_free(state);
    oldsow_game_free(game);
}

// ---- round trips ---------------------------------------------------------------------------------

// Plays a random game, writes it, plays that, writes it again.
static void round_trip(const char *script, uint64_t seed, uint64_t plies) {
    OldsowGame *game = load(script);
    OldsowState *state = oldsow_start(game);
    RecordMoves *moves = record_moves_new(game);
    OldsowRng throws, choices;
    oldsow_seed(&throws, seed, 0);
    oldsow_seed(&choices, seed, 1);
    Playout how = {.throws = &throws,
                   .choices = &choices,
                   .max_plies = plies,
                   .ply = record_moves_ply,
                   .context = moves};
    playout(game, state, &how, NULL);
    RecordAbout about = {.seeded = true, .seed = seed};
    size_t size;
    char *text = record_text(game, state, moves, &about, &size);
    assert_non_null(text);

    Played p = play(script, text);
    if (p.end != REPLAY_PLAYED) fail_msg("%s\nis not played:\n%s", text, p.shown);
    assert_int_equal(oldsow_hash(p.state), oldsow_hash(state));
    char *again = written(&p);
    assert_string_equal(text, again);
    free(again);
    done(&p);
    free(text);
    record_moves_free(moves);
    oldsow_state_free(state);
    oldsow_game_free(game);
}

static void what_is_written_plays_the_same(void **unused) {
    (void)unused;
    for (uint64_t seed = 1; seed <= 20; seed++) {
        round_trip(nim, seed, 0);
        round_trip(race, seed, 0);
        round_trip(maze, seed, 200);
        for (uint64_t plies = 1; plies < 12; plies++) {
            round_trip(race, seed, plies);
            round_trip(round_and_round, seed, plies);
        }
    }
}

static void a_random_game_plays_without_its_throws(void **unused) {
    (void)unused;
    OldsowGame *game = load(race);
    OldsowState *state = oldsow_start(game);
    RecordMoves *moves = record_moves_new(game);
    OldsowRng throws, choices;
    oldsow_seed(&throws, 3, 0);
    oldsow_seed(&choices, 3, 1);
    Playout how = {
        .throws = &throws, .choices = &choices, .ply = record_moves_ply, .context = moves};
    playout(game, state, &how, NULL);
    size_t size;
    char *text = record_text(game, state, moves, &(RecordAbout){.seeded = true, .seed = 3}, &size);
    char *to = strstr(text, "\n\n") + 2;
    for (const char *from = to; (*to = *from);
         from++) // takes out each digit and colon before a blank
        if (from[0] >= '1' && from[0] <= '3' && from[1] == ':')
            from++;
        else
            to++;
    Played p = play(race, text);
    if (p.end != REPLAY_PLAYED) fail_msg("%s\nis not played:\n%s", text, p.shown);
    done(&p);
    free(text);
    record_moves_free(moves);
    oldsow_state_free(state);
    oldsow_game_free(game);
}

static void headers_are_written(void **unused) {
    (void)unused;
    OldsowSetting setting = {"limit", "2"};
    OldsowLoading how = {.settings = &setting, .nsettings = 1};
    OldsowReport *report = NULL;
    OldsowGame *game = oldsow_load_text("nim.sow", nim, strlen(nim), &how, &report);
    oldsow_report_free(report);
    assert_non_null(game);
    OldsowState *state = oldsow_start(game);
    RecordMoves *moves = record_moves_new(game);
    Record *from = record_read_text("a.txt", "[Event \"Tea\"] [Seed \"1\"] *", 26);
    size_t size;
    char *text = record_text(game, state, moves, &(RecordAbout){.from = from}, &size);
    char expected[512];
    snprintf(expected, sizeof expected,
             "[Game \"The \\\"nim\\\" game\"]\n[Event \"Tea\"]\n[Options \"limit=2\"]\n"
             "[Rules \"%016" PRIx64 "\"]\n[Result \"unfinished\"]\n[Position \"%016" PRIx64
             "\"]\n\n*\n",
             oldsow_rules_hash(game), oldsow_position_hash(state));
    assert_string_equal(text, expected);
    free(text);
    record_free(from);
    record_moves_free(moves);
    oldsow_state_free(state);
    oldsow_game_free(game);
    game = load_as(nim, "meek");
    state = oldsow_start(game);
    moves = record_moves_new(game);
    text = record_text(game, state, moves, &(RecordAbout){0}, &size);
    assert_has(text, "[Reading \"meek\"]\n[Rules");
    free(text);
    record_moves_free(moves);
    oldsow_state_free(state);
    oldsow_game_free(game);
}

static void settings_are_read(void **unused) {
    (void)unused;
    static const char text[] = "[Options \" limit=2  other=a=b \"] [Reading \"x\"] *";
    Record *record = record_read_text("a.txt", text, sizeof text - 1);
    size_t n;
    const OldsowSetting *settings = record_settings(record, &n);
    assert_int_equal(n, 2);
    assert_string_equal(settings[0].option, "limit");
    assert_string_equal(settings[0].value, "2");
    assert_string_equal(settings[1].option, "other");
    assert_string_equal(settings[1].value, "a=b");
    assert_string_equal(record_header(record, "Reading"), "x");
    assert_null(record_header(record, "Game"));
    uint64_t seed;
    assert_false(record_seed(record, &seed));
    record_free(record);
}

// ---- files ---------------------------------------------------------------------------------------

static void files_are_replaced_as_a_whole(void **unused) {
    (void)unused;
    char folder[] = "/tmp/oldsow-test-XXXXXX", path[64], link_path[64], text[16];
    assert_non_null(mkdtemp(folder));
    snprintf(path, sizeof path, "%s/game.txt", folder);
    snprintf(link_path, sizeof link_path, "%s/link", folder);
    assert_int_equal(save_text(path, "one", 3), 0);
    assert_int_equal(chmod(path, 0640), 0);
    assert_int_equal(symlink("game.txt", link_path), 0);
    assert_int_equal(save_text(link_path, "second", 6), 0);
    struct stat about;
    assert_int_equal(lstat(link_path, &about), 0);
    assert_true(S_ISLNK(about.st_mode));
    assert_int_equal(stat(path, &about), 0);
    assert_int_equal(about.st_mode & 0777, 0640);
    FILE *in = fopen(path, "r");
    assert_non_null(in);
    assert_non_null(fgets(text, sizeof text, in));
    fclose(in);
    assert_string_equal(text, "second");
    assert_int_not_equal(save_text(folder, "x", 1), 0);
    assert_int_not_equal(save_text("/no/such/folder/x", "x", 1), 0);
    assert_int_not_equal(save_text("/dev/full", "x", 1), 0);
    unlink(link_path);
    unlink(path);
    assert_int_equal(rmdir(folder), 0); // nothing else was left there
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(mistakes_are_told),
        cmocka_unit_test(nul_bytes_are_told),
        cmocka_unit_test(all_that_is_wrong_with_the_text_is_told_at_once),
        cmocka_unit_test(big_records_are_refused),
        cmocka_unit_test(files_that_cannot_be_read_are_told),
        cmocka_unit_test(torn_records_do_no_harm),
        cmocka_unit_test(people_write_as_they_like),
        cmocka_unit_test(throws_come_from_the_seed),
        cmocka_unit_test(trust_asks_for_nothing),
        cmocka_unit_test(a_failing_script_ends_the_replay),
        cmocka_unit_test(stop_at_once),
        cmocka_unit_test(what_is_written_plays_the_same),
        cmocka_unit_test(a_random_game_plays_without_its_throws),
        cmocka_unit_test(headers_are_written),
        cmocka_unit_test(settings_are_read),
        cmocka_unit_test(files_are_replaced_as_a_whole),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
