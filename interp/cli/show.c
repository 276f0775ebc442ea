// oldsow show: what a script defines.
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "commands.h"
#include "text.h"

static const char help[] =
    "usage: oldsow show FILE [--json] [--reading NAME] [--set OPTION=VALUE]...\n"
    "\n"
    "Prints what a script defines: its documentation, players, board, pieces, the position in\n"
    "which a game begins, the options with their values and the evidence, and the readings. The\n"
    "default of an option is marked with `*`; if another value is in force it is in brackets.\n"
    "\n"
    "  --json             print it as JSON\n"
    "  --reading NAME     show the game under this reading\n"
    "  --set OPTION=VALUE show it with this value\n"
    "  --colour WHEN      auto, always or never\n"
    "\n"
    "example: oldsow show games/len-doat.sow --reading low-1839\n";

// ---- for people -----------------------------------------------------------------------------

enum { LABEL = 10 }; // columns of the left edge

static void heading(const Cli *cli, const char *text) {
    if (cli->colour_out)
        printf("\n\033[1m%s\033[0m\n", text);
    else
        printf("\n%s\n", text);
}

static Fold row(const char *label) {
    Fold fold = {.out = stdout, .indent = LABEL};
    fold.column = printf("%-*s", LABEL, label);
    return fold;
}

static void show_title(const Cli *cli, const OldsowGame *game) {
    printf(cli->colour_out ? "\033[1m%s\033[0m\n" : "%s\n", oldsow_title(game));
    if (!*oldsow_doc(game)) return;
    putchar('\n');
    text_fold(stdout, oldsow_doc(game), 0);
}

// Joined with commas; the list must outlive the call only.
static void show_names(const char *label, const char *(*name)(const OldsowGame *, int),
                       const OldsowGame *game, int n) {
    Fold fold = row(label);
    for (int i = 0; i < n; i++) {
        char word[512];
        snprintf(word, sizeof word, "%s%s", name(game, i), i < n - 1 ? "," : "");
        fold_word(&fold, word);
    }
    fold_end(&fold);
}

static void show_sites(const OldsowGame *game) {
    int on_board = 0, steps = 0, columns = 0, rows = 0;
    for (int i = 0; i < oldsow_sites(game); i++) {
        OldsowSite site = oldsow_site(game, i);
        on_board += site.kind == OLDSOW_ON_BOARD;
        steps += site.kind == OLDSOW_LANE_STEP;
        if (site.column > columns) columns = site.column;
        if (site.row > rows) rows = site.row;
    }
    printf("%-*s%d site%s", LABEL, "Board", on_board, on_board == 1 ? "" : "s");
    if (rows > 0)
        printf(", %d row%s by %d column%s", rows, rows == 1 ? "" : "s", columns,
               columns == 1 ? "" : "s");
    if (steps > 0) printf(", ways of %d steps in all", steps);
    putchar('\n');
}

static void show_option(const OldsowOption *option) {
    Fold fold = {.out = stdout, .indent = 4};
    fold.column = printf("  %s =", option->name);
    for (size_t i = 0; i < option->nvalues; i++) {
        const char *value = option->values[i];
        bool standard = strcmp(value, option->standard) == 0;
        bool other = strcmp(value, option->value) == 0 && !standard;
        char word[256];
        snprintf(word, sizeof word, other ? "[%s]%s" : "%s%s", value, standard ? "*" : "");
        if (i > 0) fold_word(&fold, "|");
        fold_word(&fold, word);
    }
    fold_end(&fold);
    if (option->doc) text_fold(stdout, option->doc, 6);
}

static void show_reading(const OldsowGame *game, const OldsowReading *reading) {
    const char *asked = oldsow_reading(game);
    Fold fold = {.out = stdout, .indent = 4};
    fold.column = printf("  %s%s", reading->name,
                         asked && strcmp(asked, reading->name) == 0 ? " (shown here):" : ":");
    for (size_t i = 0; i < reading->nsettings; i++) {
        char word[512];
        snprintf(word, sizeof word, "%s=%s", reading->settings[i].option,
                 reading->settings[i].value);
        fold_word(&fold, word);
    }
    if (reading->nsettings == 0) fold_word(&fold, "the defaults");
    fold_end(&fold);
    if (reading->doc) text_fold(stdout, reading->doc, 6);
}

static void show(const Cli *cli, const OldsowGame *game, const OldsowState *start) {
    show_title(cli, game);
    putchar('\n');
    show_names("Players", oldsow_player_name, game, oldsow_players(game));
    show_sites(game);
    show_names("Pieces", oldsow_piece_name, game, oldsow_pieces(game));
    printf("%-*s%zu bytes\n", LABEL, "State", oldsow_state_bytes(game));
    printf("%-*s%016" PRIx64 "\n", LABEL, "Rules", oldsow_rules_hash(game));
    heading(cli, "A game begins with");
    oldsow_draw(start, stdout);
    if (oldsow_options(game) > 0) heading(cli, "Options (* the default)");
    for (size_t i = 0; i < oldsow_options(game); i++) show_option(oldsow_option(game, i));
    if (oldsow_readings(game) > 0) heading(cli, "Readings");
    for (size_t i = 0; i < oldsow_readings(game); i++)
        show_reading(game, oldsow_reading_at(game, i));
}

// ---- as JSON --------------------------------------------------------------------------------

static json_t *names_json(const char *(*name)(const OldsowGame *, int), const OldsowGame *game,
                          int n) {
    json_t *list = json_array();
    for (int i = 0; i < n; i++) json_array_append_new(list, cli_json_text(name(game, i)));
    return list;
}

static json_t *site_json(const OldsowGame *game, const OldsowState *start, int i) {
    static const char *const kinds[] = {[OLDSOW_ON_BOARD] = "board",
                                        [OLDSOW_LANE_STEP] = "step",
                                        [OLDSOW_BESIDE] = "beside",
                                        [OLDSOW_HIDDEN] = "hidden"};
    OldsowSite site = oldsow_site(game, i);
    json_t *o = json_object();
    json_object_set_new(o, "name", cli_json_text(site.name));
    json_object_set_new(o, "kind", json_string(kinds[site.kind]));
    if (site.owner >= 0)
        json_object_set_new(o, "owner", cli_json_text(oldsow_player_name(game, site.owner)));
    if (site.square >= 0)
        json_object_set_new(o, "square", cli_json_text(oldsow_site(game, site.square).name));
    if (site.row > 0) {
        json_object_set_new(o, "column", json_integer(site.column));
        json_object_set_new(o, "row", json_integer(site.row));
    }
    json_t *holds = json_object();
    for (int k = 0; k < oldsow_pieces(game); k++)
        if (oldsow_count_on(start, i, k) != 0)
            json_object_set_new(holds, oldsow_piece_name(game, k),
                                json_integer(oldsow_count_on(start, i, k)));
    json_object_set_new(o, "holds", holds);
    return o;
}

static json_t *option_json(const OldsowOption *option) {
    json_t *values = json_array();
    for (size_t i = 0; i < option->nvalues; i++)
        json_array_append_new(values, cli_json_text(option->values[i]));
    json_t *o = json_object();
    json_object_set_new(o, "name", cli_json_text(option->name));
    json_object_set_new(o, "values", values);
    json_object_set_new(o, "default", cli_json_text(option->standard));
    json_object_set_new(o, "value", cli_json_text(option->value));
    json_object_set_new(o, "evidence", cli_json_text(option->doc ? option->doc : ""));
    return o;
}

static json_t *reading_json(const OldsowReading *reading) {
    json_t *settings = json_object();
    for (size_t i = 0; i < reading->nsettings; i++)
        json_object_set_new(settings, reading->settings[i].option,
                            cli_json_text(reading->settings[i].value));
    json_t *o = json_object();
    json_object_set_new(o, "name", cli_json_text(reading->name));
    json_object_set_new(o, "settings", settings);
    json_object_set_new(o, "doc", cli_json_text(reading->doc ? reading->doc : ""));
    return o;
}

static json_t *game_json(const OldsowGame *game, const OldsowState *start) {
    json_t *sites = json_array(), *options = json_array(), *readings = json_array();
    for (int i = 0; i < oldsow_sites(game); i++)
        json_array_append_new(sites, site_json(game, start, i));
    for (size_t i = 0; i < oldsow_options(game); i++)
        json_array_append_new(options, option_json(oldsow_option(game, i)));
    for (size_t i = 0; i < oldsow_readings(game); i++)
        json_array_append_new(readings, reading_json(oldsow_reading_at(game, i)));
    json_t *o = json_object();
    json_object_set_new(o, "schema", json_string("oldsow-show-1"));
    json_object_set_new(o, "title", cli_json_text(oldsow_title(game)));
    json_object_set_new(o, "doc", cli_json_text(oldsow_doc(game)));
    const char *reading = oldsow_reading(game);
    json_object_set_new(o, "reading", reading ? cli_json_text(reading) : json_null());
    json_object_set_new(o, "players", names_json(oldsow_player_name, game, oldsow_players(game)));
    json_object_set_new(o, "pieces", names_json(oldsow_piece_name, game, oldsow_pieces(game)));
    json_object_set_new(o, "sites", sites);
    json_object_set_new(o, "options", options);
    json_object_set_new(o, "readings", readings);
    json_object_set_new(o, "state_bytes", json_integer((json_int_t)oldsow_state_bytes(game)));
    json_object_set_new(o, "rules", cli_json_hash(oldsow_rules_hash(game)));
    return o;
}

static int run(Cli *cli) {
    OldsowGame *game = cli_load(cli, cli->args[0]);
    if (!game) return EXIT_AT_FAULT;
    OldsowState *start = cli_start(cli, game);
    int status = start ? EXIT_FINE : EXIT_AT_FAULT;
    if (start && cli->json)
        status = cli_json_print(cli, game_json(game, start));
    else if (start)
        show(cli, game, start);
    if (start && oldsow_status(start) == OLDSOW_FAULT) {
        cli_print_fault(cli, start);
        status = EXIT_AT_FAULT;
    }
    oldsow_state_free(start);
    oldsow_game_free(game);
    return status;
}

const Command command_show = {
    .name = "show",
    .summary = "print what a script defines: players, board, pieces, options, readings",
    .help = help,
    .takes = TAKES_FILE | TAKES_JSON,
    .least = 1,
    .most = 1,
    .run = run,
};
