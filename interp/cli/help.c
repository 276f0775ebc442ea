// oldsow help: the subcommands and the words of the language.
#include <stdlib.h>
#include <string.h>

#include "../../grammar/diag.h"
#include "commands.h"
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

static void show_group(const char *group, size_t first) {
    printf("\n%s:\n", group);
    Fold fold = {.out = stdout, .indent = 2};
    const char *last = "";
    for (size_t i = first; i < oldsow_ludemes(); i++) {
        const OldsowLudeme *l = oldsow_ludeme(i);
        // A ludeme with several forms stands there once.
        if (strcmp(l->group, group) != 0 || strcmp(l->name, last) == 0) continue;
        fold_word(&fold, l->name);
        last = l->name;
    }
    fold_end(&fold);
}

static bool group_is_new(size_t i) {
    for (size_t k = 0; k < i; k++)
        if (strcmp(oldsow_ludeme(k)->group, oldsow_ludeme(i)->group) == 0) return false;
    return true;
}

static int show_all(void) {
    commands_overview(stdout);
    for (size_t i = 0; i < oldsow_ludemes(); i++)
        if (group_is_new(i)) show_group(oldsow_ludeme(i)->group, i);
    return EXIT_FINE;
}

static void show_ludeme(const OldsowLudeme *l) {
    printf("%s\n\n", l->usage);
    text_fold(stdout, l->doc, 2);
    if (l->example && *l->example) {
        puts("\nexample:");
        printf("  %s\n", l->example);
    }
    printf("\n(%s)\n", l->group);
}

static bool show_named(const char *name) {
    bool found = false;
    const Command *command = command_find(name);
    if (command) {
        fputs(command->help, stdout);
        found = true;
    }
    for (size_t i = 0; i < oldsow_ludemes(); i++) {
        if (strcmp(oldsow_ludeme(i)->name, name) != 0) continue;
        if (found) putchar('\n');
        show_ludeme(oldsow_ludeme(i));
        found = true;
    }
    return found;
}

static int unknown(const Cli *cli, const char *name) {
    size_t n = 0;
    const char **names = calloc(oldsow_ludemes() + 32, sizeof *names);
    if (!names) return cli_no_memory(cli);
    for (size_t i = 0; i < oldsow_ludemes(); i++) names[n++] = oldsow_ludeme(i)->name;
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

static json_t *ludemes_json(const char *name) {
    json_t *list = json_array();
    for (size_t i = 0; i < oldsow_ludemes(); i++) {
        const OldsowLudeme *l = oldsow_ludeme(i);
        if (name && strcmp(l->name, name) != 0) continue;
        json_t *o = json_object();
        json_object_set_new(o, "name", cli_json_text(l->name));
        json_object_set_new(o, "group", cli_json_text(l->group));
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

static int run(Cli *cli) {
    const char *name = cli->nargs > 0 ? cli->args[0] : NULL;
    if (cli->json) return cli_json_print(cli, ludemes_json(name));
    if (!name) return show_all();
    return show_named(name) ? EXIT_FINE : unknown(cli, name);
}

const Command command_help = {
    .name = "help",
    .summary = "explain a ludeme or a command, or list them",
    .help = help,
    .takes = TAKES_JSON,
    .most = 1,
    .run = run,
};
