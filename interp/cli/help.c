// oldsow help: the subcommands and the words of the language.
#include <stdlib.h>
#include <string.h>

#include "../../grammar/diag.h"
#include "commands.h"
#include "lexicon.h"
#include "text.h"

static const char help[] =
    "usage: oldsow help [LUDEME|COMMAND] [--json]\n"
    "\n"
    "Prints how a word of the language is used, what it does, and an example; or what a command\n"
    "does; or, without a name, the list of both.\n"
    "\n"
    "  --json             print the ludemes as JSON\n"
    "\n"
    "example: oldsow help choose\n";

static bool is_library(const char *group) {
    for (size_t i = 0; i < oldsow_libraries(); i++)
        if (strcmp(oldsow_library_name(i), group) == 0) return true;
    return false;
}

// Where the group that begins at word `first` ends.
static size_t group_end(const Lexicon *lexicon, size_t first) {
    size_t i = first;
    while (i < lexicon->words.n &&
           strcmp(lexicon->words.at[i].group, lexicon->words.at[first].group) == 0)
        i++;
    return i;
}

static int show_all(const Lexicon *lexicon) {
    commands_overview(stdout);
    for (size_t i = 0, end; i < lexicon->words.n; i = end) {
        const char *group = lexicon->words.at[i].group, *last = "";
        end = group_end(lexicon, i);
        printf(is_library(group) ? "\nlibrary %s:\n" : "\n%s:\n", group);
        Fold fold = {.out = stdout, .indent = 2};
        for (size_t k = i; k < end; k++) {
            // A ludeme with several forms is listed once.
            if (strcmp(lexicon->words.at[k].name, last) != 0)
                fold_word(&fold, lexicon->words.at[k].name);
            last = lexicon->words.at[k].name;
        }
        fold_end(&fold);
    }
    return EXIT_FINE;
}

static void show_ludeme(const OldsowLudeme *l) {
    text_fold(stdout, l->usage, 0);
    putchar('\n');
    text_fold(stdout, l->doc, 2);
    if (l->example && *l->example) {
        puts("\nexample:");
        text_fold(stdout, l->example, 2);
    }
    printf(is_library(l->group) ? "\nin the library %s: (use %s)\n" : "\namong the words of %s\n",
           l->group, l->group);
}

static bool show_named(const Lexicon *lexicon, const char *name) {
    bool found = false;
    const Command *command = command_find(name);
    if (command) {
        fputs(command->help, stdout);
        found = true;
    }
    for (size_t i = 0; i < lexicon->words.n; i++) {
        if (strcmp(lexicon->words.at[i].name, name) != 0) continue;
        if (found) putchar('\n');
        show_ludeme(&lexicon->words.at[i]);
        found = true;
    }
    return found;
}

static int unknown(const Cli *cli, const Lexicon *lexicon, const char *name) {
    size_t n = 0;
    const char **names = calloc(lexicon->words.n + 32, sizeof *names);
    if (!names) return cli_no_memory(cli);
    for (size_t i = 0; i < lexicon->words.n; i++) names[n++] = lexicon->words.at[i].name;
    for (size_t i = 0; commands[i]; i++)
        if (commands[i]->summary) names[n++] = commands[i]->name;
    const char *meant = nearest_name(name, names, n);
    if (meant)
        cli_complain(cli, "no ludeme and no command is named `%s`; did you mean `%s`?", name,
                     meant);
    else
        cli_complain(cli, "no ludeme and no command is named `%s`; `oldsow help` lists them", name);
    free(names);
    return EXIT_AT_FAULT;
}

static json_t *lexicon_json(const Lexicon *lexicon, const char *name) {
    json_t *list = json_array();
    for (size_t i = 0; i < lexicon->words.n; i++) {
        const OldsowLudeme *l = &lexicon->words.at[i];
        if (name && strcmp(l->name, name) != 0) continue;
        json_t *o = json_object();
        json_object_set_new(o, "name", cli_json_text(l->name));
        json_object_set_new(o, "group", cli_json_text(l->group));
        json_object_set_new(o, "library", json_boolean(is_library(l->group)));
        json_object_set_new(o, "usage", cli_json_text(l->usage));
        json_object_set_new(o, "doc", cli_json_text(l->doc));
        json_object_set_new(o, "example", cli_json_text(l->example ? l->example : ""));
        json_array_append_new(list, o);
    }
    json_t *root = json_object();
    json_object_set_new(root, "schema", json_string("oldsow-help-1"));
    json_object_set_new(root, "ludemes", list);
    return root;
}

static int answer(const Cli *cli, const Lexicon *lexicon, const char *name) {
    if (name && cli->json) {
        bool known = false;
        for (size_t i = 0; i < lexicon->words.n && !known; i++)
            known = strcmp(lexicon->words.at[i].name, name) == 0;
        if (!known) return unknown(cli, lexicon, name);
    }
    if (cli->json) return cli_json_print(cli, lexicon_json(lexicon, name));
    if (!name) return show_all(lexicon);
    return show_named(lexicon, name) ? EXIT_FINE : unknown(cli, lexicon, name);
}

static int run(Cli *cli) {
    Lexicon *lexicon = lexicon_new();
    if (!lexicon) return cli_no_memory(cli);
    int status = answer(cli, lexicon, cli->nargs > 0 ? cli->args[0] : NULL);
    lexicon_free(lexicon);
    return status;
}

const Command command_help = {
    .name = "help",
    .summary = "explain a ludeme or a command, or list them",
    .help = help,
    .takes = TAKES_JSON,
    .most = 1,
    .run = run,
};
