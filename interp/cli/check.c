// oldsow check: says nothing if all is well.
#include "check_play.h"
#include "commands.h"
#include "explain.h"
#include "sarif.h"

#include "../game.h"

static const char help[] =
    "usage: oldsow check FILE... [--play N [--coverage] [--records DIR]] [FLAG...]\n"
    "\n"
    "Checks scripts. Prints nothing and exits with 0 when they are well; otherwise every fault is\n"
    "shown on standard error with its place and what was expected, and the exit status is 1.\n"
    "A script is checked under its defaults, under each of its readings, and with each value of\n"
    "each option, unless --reading or --set say which.\n"
    "\n"
    "With --play random games of the defaults and of each reading are played, and warnings tell\n"
    "where they fail and how that is seen again, what is never done, chosen or offered, which "
    "games\n"
    "never end and who never wins. If a play failed, other than by never ending, the exit status\n"
    "is 1. The same seed gives the same games. After Ctrl-C what was found so far is told. Where "
    "no\n"
    "game of a reading ends, in 100000 plies and ten games, the others are not played.\n"
    "\n"
    "  --play N           play N random games of each reading\n"
    "  --seed S           where the games come from (1)\n"
    "  --max-plies M      stop a game after so many plies, as one that never ends (10000; 0: "
    "never)\n"
    "  --coverage         print the script with how often each line was come by\n"
    "  --records DIR      write a record of each kind of failure to a file in DIR\n"
    "  --json             print what was found as JSON, on standard output\n"
    "  --sarif            print it as SARIF 2.1.0, for editors and code hosts\n"
    "  --reading NAME     check this reading only\n"
    "  --set OPTION=VALUE check with this value\n"
    "  --colour WHEN      auto, always or never\n"
    "\n"
    "example: oldsow check games/*.sow\n";

enum { MAX_PLIES = 10000 };

typedef struct Flags {
    bool sarif;
    CheckPlay play;
} Flags;

static const Flags unsaid = {.play.max_plies = MAX_PLIES};

static Flags *own(const Cli *cli) { return cli->own; }

static const Flag own_flags[] = {{"play", true},    {"max-plies", true}, {"coverage", false},
                                 {"records", true}, {"sarif", false},    {NULL, false}};

static int flag(Cli *cli, size_t i, const char *value) {
    bool fine = true;
    switch (i) {
    case 0: fine = cli_positive(cli, "--play", value, UINT32_MAX, &own(cli)->play.games); break;
    case 1:
        fine = cli_number(cli, "--max-plies", value, INT64_MAX, &own(cli)->play.max_plies);
        break;
    case 2: own(cli)->play.coverage = true; break;
    case 3: own(cli)->play.records = value; break;
    default: own(cli)->sarif = true; break;
    }
    return fine ? EXIT_FINE : EXIT_USAGE;
}

// Flags that do not go together.
static int misused(const Cli *cli) {
    if (cli->json && own(cli)->sarif)
        return cli_misuse(cli, "--json and --sarif exclude each other");
    if (own(cli)->play.coverage && own(cli)->sarif)
        return cli_misuse(cli, "--coverage and --sarif exclude each other");
    if (own(cli)->play.games) return EXIT_FINE;
    const char *alone = own(cli)->play.coverage                 ? "--coverage"
                        : own(cli)->play.records                ? "--records"
                        : own(cli)->play.max_plies != MAX_PLIES ? "--max-plies"
                        : cli->seeded                           ? "--seed"
                                                                : NULL;
    return alone ? cli_misuse(cli, "%s means something with --play only", alone) : EXIT_FINE;
}

static bool check(const Cli *cli, const char *path, OldsowReport **report) {
    if (!cli->reading && cli->nsettings == 0) return check_until(path, &cli_signal, report);
    OldsowLoading how = {
        .reading = cli->reading, .settings = cli->settings, .nsettings = cli->nsettings};
    OldsowGame *game = oldsow_load(path, &how, report);
    oldsow_game_free(game);
    return game != NULL;
}

static void set_place(json_t *o, const OldsowLabel *at) {
    json_object_set_new(o, "file", cli_json_text(at->file));
    json_object_set_new(o, "line", json_integer(at->line));
    json_object_set_new(o, "column", json_integer(at->column));
    json_object_set_new(o, "end_line", json_integer(at->end_line));
    json_object_set_new(o, "end_column", json_integer(at->end_column));
}

static json_t *labels_json(const OldsowReport *report, size_t i, size_t n) {
    json_t *list = json_array();
    for (size_t k = 0; k < n; k++) {
        OldsowLabel label = oldsow_report_label(report, i, k);
        json_t *o = json_object();
        set_place(o, &label);
        json_object_set_new(o, "text", cli_json_text(label.text));
        json_array_append_new(list, o);
    }
    return list;
}

static json_t *notes_json(const OldsowReport *report, size_t i, size_t n) {
    json_t *list = json_array();
    for (size_t k = 0; k < n; k++)
        json_array_append_new(list, cli_json_text(oldsow_report_note(report, i, k)));
    return list;
}

static json_t *message_json(const OldsowReport *report, size_t i) {
    OldsowMessage m = oldsow_report_get(report, i);
    json_t *o = json_object();
    if (m.code) json_object_set_new(o, "code", cli_json_text(m.code));
    json_object_set_new(o, "severity", json_string(m.error ? "error" : "warning"));
    if (m.file)
        set_place(o, &(OldsowLabel){m.file, m.line, m.column, m.end_line, m.end_column, NULL});
    json_object_set_new(o, "text", cli_json_text(m.text));
    if (m.mend) json_object_set_new(o, "mend", cli_json_text(m.mend));
    if (m.replacement) json_object_set_new(o, "replacement", cli_json_text(m.replacement));
    if (m.labels) json_object_set_new(o, "labels", labels_json(report, i, m.labels));
    if (m.notes) json_object_set_new(o, "notes", notes_json(report, i, m.notes));
    return o;
}

// `play` is what is said of random games, or NULL.
static json_t *file_json(const char *path, bool fine, const OldsowReport *report, json_t *play) {
    json_t *messages = json_array();
    for (size_t i = 0; report && i < oldsow_report_count(report); i++)
        json_array_append_new(messages, message_json(report, i));
    json_t *o = json_object();
    json_object_set_new(o, "file", cli_json_text(path));
    json_object_set_new(o, "ok", json_boolean(fine));
    json_object_set_new(o, "errors", json_integer((json_int_t)oldsow_report_errors(report)));
    json_object_set_new(o, "warnings", json_integer((json_int_t)oldsow_report_warnings(report)));
    json_object_set_new(o, "messages", messages);
    if (play) json_object_set_new(o, "play", play);
    return o;
}

// What becomes of the reports: one of the two formats for programs, or text for people.
typedef struct Found {
    json_t *files; // --json
    Sarif sarif;   // --sarif
    CodesTold told;
} Found;

static void tell(const Cli *cli, Found *found, const char *path, bool fine,
                 const OldsowReport *report, json_t *play) {
    if (cli->json)
        json_array_append_new(found->files, file_json(path, fine, report, play));
    else if (own(cli)->sarif)
        sarif_add(&found->sarif, path, report);
    else if (report)
        oldsow_report_print(report, stderr, cli->colour_err);
    codes_add_report(&found->told, report);
}

static json_t *found_json(Found *found) {
    json_t *root = json_object();
    json_object_set_new(root, "schema", json_string("oldsow-check-1"));
    json_object_set_new(root, "files", found->files);
    return root;
}

static int conclude(const Cli *cli, Found *found, int status) {
    if (!cli->json && !own(cli)->sarif) {
        codes_point(&found->told);
        return status;
    }
    json_t *root = cli->json ? found_json(found) : sarif_log(&found->sarif, status, !cli_signal);
    int printed = cli_json_print(cli, root);
    return printed == EXIT_FINE ? status : printed;
}

static int run(Cli *cli) {
    if (misused(cli) != EXIT_FINE) return EXIT_USAGE;
    Found found = {.files = cli->json ? json_array() : NULL};
    if (own(cli)->sarif) sarif_begin(&found.sarif);
    int status = EXIT_FINE;
    for (int i = 0; i < cli->nargs && !cli_signal; i++) {
        OldsowReport *report = NULL;
        bool fine = check(cli, cli->args[i], &report);
        if (!fine && status != EXIT_AT_FAULT)
            status = cli_asked_wrongly(cli, report) ? EXIT_USAGE : EXIT_AT_FAULT;
        if (!report && !fine) cli_no_memory(cli);
        if (cli_signal && !fine) { // what is wrong may be that it was not read to its end
            oldsow_report_free(report);
            break;
        }
        json_t *play = NULL;
        if (fine && own(cli)->play.games &&
            check_play(cli, &own(cli)->play, cli->args[i], report, cli->json ? &play : NULL) !=
                EXIT_FINE)
            status = EXIT_AT_FAULT;
        tell(cli, &found, cli->args[i], fine, report, play);
        oldsow_report_free(report);
    }
    return conclude(cli, &found, status);
}

const Command command_check = {
    .name = "check",
    .summary = "check scripts, and say nothing if they are well",
    .help = help,
    .takes = TAKES_FILE | TAKES_SEED | TAKES_JSON,
    .least = 1,
    .most = -1,
    .flags = own_flags,
    .own = &unsaid,
    .own_size = sizeof unsaid,
    .flag = flag,
    .run = run,
};
