// oldsow help: the subcommands and the words of the language.
#include <stdlib.h>
#include <string.h>

#include "../../grammar/diag.h"
#include "../language/foreign.h"
#include "commands.h"
#include "explain.h"
#include "lexicon.h"
#include "text.h"

static const char help[] =
    "usage: oldsow help [LUDEME|COMMAND|CODE]... [--json]\n"
    "       oldsow help codes\n"
    "\n"
    "Prints how a word of the language is used, what it does, and an example; or what a command\n"
    "does; or what the message of a code, like E0106, means, with a script that has the mistake "
    "and\n"
    "one that has not. Without a name it lists words and commands; `codes` lists the codes.\n"
    "\n"
    "  --json             print ludemes and codes as JSON\n"
    "  --colour WHEN      auto, always or never\n"
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

static void show_named(const Lexicon *lexicon, const char *name) {
    const Command *command = command_find(name);
    bool found = command != NULL;
    if (command) fputs(command->help, stdout);
    for (size_t i = 0; i < lexicon->words.n; i++) {
        if (strcmp(lexicon->words.at[i].name, name) != 0) continue;
        if (found) putchar('\n');
        show_ludeme(&lexicon->words.at[i]);
        found = true;
    }
}

// ---- what nobody knows -------------------------------------------------------------------------

static int unknown_code(const Cli *cli, const char *code) {
    const char *near[CODES_NEAR];
    char list[CODES_NEAR * 8] = "";
    size_t n = codes_near(code, near);
    for (size_t i = 0; i < n; i++) {
        size_t used = strlen(list);
        snprintf(list + used, sizeof list - used, "%s%s", i ? ", " : "", near[i]);
    }
    if (n > 0)
        cli_complain(cli, "no message has the code %s; near it are %s", code, list);
    else
        cli_complain(cli, "no message has the code %s; `oldsow help codes` lists them", code);
    return EXIT_USAGE;
}

// What it is called here, if it is a word of another language.
static const char *mend_for(const char *name) {
    const char *mend = foreign_mend(name, FOREIGN_HEAD);
    if (!mend) mend = foreign_mend(name, FOREIGN_ITEM);
    return mend ? mend : foreign_mend(name, FOREIGN_VALUE);
}

static int unknown(const Cli *cli, const Lexicon *lexicon, const char *name) {
    if (is_code(name)) return unknown_code(cli, name);
    const char *mend = mend_for(name);
    if (mend) {
        cli_complain(cli, "`%s` is no word of the language: %s", name, mend);
        return EXIT_USAGE;
    }
    size_t n = 0;
    const char **names = calloc(lexicon->words.n + 32, sizeof *names);
    if (!names) return cli_no_memory(cli);
    for (size_t i = 0; i < lexicon->words.n; i++) names[n++] = lexicon->words.at[i].name;
    for (size_t i = 0; commands[i]; i++)
        if (commands[i]->summary) names[n++] = commands[i]->name;
    names[n++] = "codes";
    const char *meant = nearest_name(name, names, n);
    if (meant)
        cli_complain(cli, "no ludeme and no command is named `%s`; did you mean `%s`?", name,
                     meant);
    else
        cli_complain(cli, "no ludeme and no command is named `%s`; `oldsow help` lists them", name);
    free(names);
    return EXIT_USAGE;
}

// ---- JSON --------------------------------------------------------------------------------------

static json_t *ludeme_json(const OldsowLudeme *l) {
    json_t *o = json_object();
    json_object_set_new(o, "name", cli_json_text(l->name));
    json_object_set_new(o, "group", cli_json_text(l->group));
    json_object_set_new(o, "library", json_boolean(is_library(l->group)));
    json_object_set_new(o, "usage", cli_json_text(l->usage));
    json_object_set_new(o, "doc", cli_json_text(l->doc));
    json_object_set_new(o, "example", cli_json_text(l->example ? l->example : ""));
    return o;
}

static json_t *code_json(const Explanation *e) {
    int size;
    const char *title = explanation_title(e, &size);
    json_t *o = json_object();
    json_object_set_new(o, "code", cli_json_text(e->name));
    json_object_set_new(o, "severity", json_string(e->name[0] == 'W' ? "warning" : "error"));
    json_object_set_new(o, "title", json_stringn(title, (size_t)size));
    json_object_set_new(o, "markdown", cli_json_text(explanation_body(e)));
    return o;
}

static bool asked_for(const Cli *cli, const char *name) {
    if (cli->nargs == 0) return true;
    for (int i = 0; i < cli->nargs; i++)
        if (strcmp(cli->args[i], name) == 0) return true;
    return false;
}

static bool asked_for_code(const Cli *cli, const Explanation *e) {
    if (cli->nargs == 0 || asked_for(cli, "codes")) return true;
    for (int i = 0; i < cli->nargs; i++)
        if (explanation_find(cli->args[i]) == e) return true;
    return false;
}

static int show_json(const Cli *cli, const Lexicon *lexicon) {
    json_t *words = json_array(), *codes = json_array();
    for (size_t i = 0; i < lexicon->words.n; i++)
        if (asked_for(cli, lexicon->words.at[i].name))
            json_array_append_new(words, ludeme_json(&lexicon->words.at[i]));
    for (unsigned i = 0; i < explanation_count; i++)
        if (asked_for_code(cli, &explanation_files[i]))
            json_array_append_new(codes, code_json(&explanation_files[i]));
    json_t *root = json_object();
    json_object_set_new(root, "schema", json_string("oldsow-help-1"));
    json_object_set_new(root, "ludemes", words);
    json_object_set_new(root, "codes", codes);
    return cli_json_print(cli, root);
}

// ------------------------------------------------------------------------------------------------

static bool known(const Cli *cli, const Lexicon *lexicon, const char *name) {
    if (strcmp(name, "codes") == 0 || explanation_find(name)) return true;
    if (!cli->json && command_find(name)) return true;
    for (size_t i = 0; i < lexicon->words.n; i++)
        if (strcmp(lexicon->words.at[i].name, name) == 0) return true;
    return false;
}

static void show(const Cli *cli, const Lexicon *lexicon, const char *name) {
    const Explanation *explanation = explanation_find(name);
    if (explanation)
        explanation_print(explanation, stdout, cli->colour_out);
    else if (strcmp(name, "codes") == 0)
        explanations_list(stdout, cli->colour_out);
    else
        show_named(lexicon, name);
}

static int answer(const Cli *cli, const Lexicon *lexicon) {
    for (int i = 0; i < cli->nargs; i++)
        if (!known(cli, lexicon, cli->args[i])) return unknown(cli, lexicon, cli->args[i]);
    if (cli->json) return show_json(cli, lexicon);
    if (cli->nargs == 0) return show_all(lexicon);
    for (int i = 0; i < cli->nargs; i++) {
        if (i > 0) putchar('\n');
        show(cli, lexicon, cli->args[i]);
    }
    return EXIT_FINE;
}

static int run(Cli *cli) {
    Lexicon *lexicon = lexicon_new();
    if (!lexicon) return cli_no_memory(cli);
    int status = answer(cli, lexicon);
    lexicon_free(lexicon);
    return status;
}

const Command command_help = {
    .name = "help",
    .summary = "explain a ludeme, a command or the code of a message, or list them",
    .help = help,
    .takes = TAKES_JSON,
    .most = -1,
    .run = run,
};
