// oldsow check: says nothing if all is well.
#include "commands.h"
#include "explain.h"
#include "sarif.h"

static const char help[] =
    "usage: oldsow check FILE... [--json|--sarif] [--reading NAME] [--set OPTION=VALUE]...\n"
    "\n"
    "Checks scripts. Prints nothing and exits with 0 when they are well; otherwise every fault is\n"
    "shown on standard error with its place and what was expected, and the exit status is 1.\n"
    "A script is checked under its defaults, under each of its readings, and with each value of\n"
    "each option, unless --reading or --set say which.\n"
    "\n"
    "  --json             print what was found as JSON, on standard output\n"
    "  --sarif            print it as SARIF 2.1.0, for editors and code hosts\n"
    "  --reading NAME     check this reading only\n"
    "  --set OPTION=VALUE check with this value\n"
    "  --colour WHEN      auto, always or never\n"
    "\n"
    "example: oldsow check games/*.sow\n";

static bool check(const Cli *cli, const char *path, OldsowReport **report) {
    if (!cli->reading && cli->nsettings == 0) return oldsow_check(path, report);
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

static json_t *file_json(const char *path, bool fine, const OldsowReport *report) {
    json_t *messages = json_array();
    for (size_t i = 0; report && i < oldsow_report_count(report); i++)
        json_array_append_new(messages, message_json(report, i));
    json_t *o = json_object();
    json_object_set_new(o, "file", cli_json_text(path));
    json_object_set_new(o, "ok", json_boolean(fine));
    json_object_set_new(o, "messages", messages);
    return o;
}

static bool as_sarif;

static int flag(Cli *cli, size_t i, const char *value) {
    (void)cli, (void)i, (void)value;
    as_sarif = true;
    return EXIT_FINE;
}

// What becomes of the reports: one of the two formats for programs, or text for people.
typedef struct Found {
    json_t *files; // --json
    Sarif sarif;   // --sarif
    CodesTold told;
} Found;

static void tell(const Cli *cli, Found *found, const char *path, bool fine,
                 const OldsowReport *report) {
    if (cli->json)
        json_array_append_new(found->files, file_json(path, fine, report));
    else if (as_sarif)
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
    if (!cli->json && !as_sarif) {
        codes_point(&found->told);
        return status;
    }
    json_t *root = cli->json ? found_json(found) : sarif_log(&found->sarif, status, !cli_signal);
    int printed = cli_json_print(cli, root);
    return printed == EXIT_FINE ? status : printed;
}

static int run(Cli *cli) {
    if (cli->json && as_sarif) return cli_misuse(cli, "--json and --sarif exclude each other");
    Found found = {.files = cli->json ? json_array() : NULL};
    if (as_sarif) sarif_begin(&found.sarif);
    int status = EXIT_FINE;
    for (int i = 0; i < cli->nargs && !cli_signal; i++) {
        OldsowReport *report = NULL;
        bool fine = check(cli, cli->args[i], &report);
        if (!fine) status = EXIT_AT_FAULT;
        if (!report && !fine) cli_no_memory(cli);
        tell(cli, &found, cli->args[i], fine, report);
        oldsow_report_free(report);
    }
    return conclude(cli, &found, status);
}

const Command command_check = {
    .name = "check",
    .summary = "check scripts, and say nothing if they are well",
    .help = help,
    .takes = TAKES_FILE | TAKES_JSON,
    .least = 1,
    .most = -1,
    .flags = (const Flag[]){{"sarif", false}, {NULL, false}},
    .flag = flag,
    .run = run,
};
