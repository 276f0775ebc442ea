// oldsow check: says nothing if all is well.
#include "commands.h"
#include "explain.h"

static const char help[] =
    "usage: oldsow check FILE... [--json] [--reading NAME] [--set OPTION=VALUE]...\n"
    "\n"
    "Checks scripts. Prints nothing and exits with 0 when they are well; otherwise every fault is\n"
    "shown on standard error with its place and what was expected, and the exit status is 1.\n"
    "A script is checked under its defaults, under each of its readings, and with each value of\n"
    "each option, unless --reading or --set say which.\n"
    "\n"
    "  --json             print what was found as JSON, on standard output\n"
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

static json_t *message_json(OldsowMessage m) {
    json_t *o = json_object();
    if (m.code) json_object_set_new(o, "code", cli_json_text(m.code));
    json_object_set_new(o, "severity", json_string(m.error ? "error" : "warning"));
    if (m.file) {
        json_object_set_new(o, "file", cli_json_text(m.file));
        json_object_set_new(o, "line", json_integer(m.line));
        json_object_set_new(o, "column", json_integer(m.column));
        json_object_set_new(o, "end_line", json_integer(m.end_line));
        json_object_set_new(o, "end_column", json_integer(m.end_column));
    }
    json_object_set_new(o, "text", cli_json_text(m.text));
    if (m.mend) json_object_set_new(o, "mend", cli_json_text(m.mend));
    return o;
}

static json_t *file_json(const char *path, bool fine, const OldsowReport *report) {
    json_t *messages = json_array();
    for (size_t i = 0; report && i < oldsow_report_count(report); i++)
        json_array_append_new(messages, message_json(oldsow_report_get(report, i)));
    json_t *o = json_object();
    json_object_set_new(o, "file", cli_json_text(path));
    json_object_set_new(o, "ok", json_boolean(fine));
    json_object_set_new(o, "messages", messages);
    return o;
}

static int run(Cli *cli) {
    json_t *files = cli->json ? json_array() : NULL;
    CodesTold told = {.n = 0};
    int status = EXIT_FINE;
    for (int i = 0; i < cli->nargs && !cli_signal; i++) {
        OldsowReport *report = NULL;
        bool fine = check(cli, cli->args[i], &report);
        if (!fine) status = EXIT_AT_FAULT;
        if (!report && !fine) cli_no_memory(cli);
        if (cli->json)
            json_array_append_new(files, file_json(cli->args[i], fine, report));
        else if (report)
            oldsow_report_print(report, stderr, cli->colour_err);
        codes_add_report(&told, report);
        oldsow_report_free(report);
    }
    if (!cli->json) {
        codes_point(&told);
        return status;
    }
    json_t *root = json_object();
    json_object_set_new(root, "schema", json_string("oldsow-check-1"));
    json_object_set_new(root, "files", files);
    int printed = cli_json_print(cli, root);
    return printed == EXIT_FINE ? status : printed;
}

const Command command_check = {
    .name = "check",
    .summary = "check scripts, and say nothing if they are well",
    .help = help,
    .takes = TAKES_FILE | TAKES_JSON,
    .least = 1,
    .most = -1,
    .run = run,
};
