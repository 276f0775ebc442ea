#include "sarif.h"

#include <stdlib.h>
#include <string.h>

#include "common.h"
#include "explain.h"

#define SCHEMA                                                                                     \
    "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"

static json_t *message(const char *text) {
    json_t *o = json_object();
    json_object_set_new(o, "text", cli_json_text(text));
    return o;
}

// ---- rules -------------------------------------------------------------------------------------

static const char *level(bool error) { return error ? "error" : "warning"; }

// Without the marks of the page, as `oldsow help` prints it.
static json_t *plain_json(const Explanation *e) {
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    if (!out) return NULL;
    explanation_print(e, out, false);
    json_t *o = fclose(out) == 0 ? cli_json_text(text) : NULL;
    free(text);
    return o;
}

static json_t *rule_json(const Explanation *e) {
    int size;
    const char *title = explanation_title(e, &size);
    json_t *o = json_object(), *brief = json_object(), *help = json_object(), *how = json_object();
    json_object_set_new(brief, "text", json_stringn(title, (size_t)size));
    json_object_set_new(help, "text", plain_json(e));
    json_object_set_new(help, "markdown", cli_json_text(explanation_body(e)));
    json_object_set_new(how, "level", json_string(level(e->name[0] != 'W')));
    json_object_set_new(o, "id", json_string(e->name));
    json_object_set_new(o, "shortDescription", brief);
    json_object_set_new(o, "help", help);
    json_object_set_new(o, "defaultConfiguration", how);
    return o;
}

// The number of a code's rule in the list, where it is put the first time; -1 if nothing explains it.
static long rule_of(Sarif *sarif, const char *code) {
    size_t n = json_array_size(sarif->rules);
    for (size_t i = 0; i < n; i++) {
        const json_t *id = json_object_get(json_array_get(sarif->rules, i), "id");
        if (strcmp(json_string_value(id), code) == 0) return (long)i;
    }
    const Explanation *e = explanation_find(code);
    if (!e) return -1;
    json_array_append_new(sarif->rules, rule_json(e));
    return (long)n;
}

// ---- places ------------------------------------------------------------------------------------

// A path as a reference of RFC 3986: what it does not leave unreserved becomes %XX.
static json_t *uri_json(const char *path) {
    static const char plain[] =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~/";
    char *uri = malloc(3 * strlen(path) + sizeof "file://");
    if (!uri) return NULL;
    size_t n = (size_t)sprintf(uri, "%s", path[0] == '/' ? "file://" : "");
    for (; *path; path++) {
        if (strchr(plain, *path))
            uri[n++] = *path;
        else
            n += (size_t)sprintf(uri + n, "%%%02X", (unsigned)(unsigned char)*path);
    }
    json_t *value = json_stringn(uri, n);
    free(uri);
    return value;
}

static json_t *artifact_json(const char *path) {
    json_t *o = json_object();
    json_object_set_new(o, "uri", uri_json(path));
    return o;
}

static json_t *region_json(const OldsowLabel *at) {
    json_t *o = json_object();
    json_object_set_new(o, "startLine", json_integer(at->line));
    json_object_set_new(o, "startColumn", json_integer(at->column));
    json_object_set_new(o, "endLine", json_integer(at->end_line));
    json_object_set_new(o, "endColumn", json_integer(at->end_column));
    return o;
}

// A library's text is in no file: it has a name only.
static bool is_library(const char *file) { return file[0] == '<'; }

static json_t *location_json(const OldsowLabel *at) {
    json_t *o = json_object();
    if (is_library(at->file)) {
        json_t *name = json_object();
        json_object_set_new(name, "fullyQualifiedName",
                            json_sprintf("%s:%u:%u", at->file, at->line, at->column));
        json_t *list = json_array();
        json_array_append_new(list, name);
        json_object_set_new(o, "logicalLocations", list);
    } else {
        json_t *place = json_object();
        json_object_set_new(place, "artifactLocation", artifact_json(at->file));
        if (at->line > 0) json_object_set_new(place, "region", region_json(at));
        json_object_set_new(o, "physicalLocation", place);
    }
    if (at->text) json_object_set_new(o, "message", message(at->text));
    return o;
}

// ---- results -----------------------------------------------------------------------------------

// The message with its notes and its mend, each on a line.
static json_t *words_json(const OldsowReport *report, size_t i, OldsowMessage m) {
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    if (!out) return NULL;
    fputs(m.text, out);
    for (size_t k = 0; k < m.notes; k++)
        fprintf(out, "\nnote: %s", oldsow_report_note(report, i, k));
    if (m.mend) fprintf(out, "\nhelp: %s", m.mend);
    json_t *o = fclose(out) == 0 ? message(text) : NULL;
    free(text);
    return o;
}

static json_t *fixes_json(OldsowMessage m, const OldsowLabel *at) {
    json_t *replacement = json_object(), *replacements = json_array();
    json_object_set_new(replacement, "deletedRegion", region_json(at));
    json_object_set_new(replacement, "insertedContent", message(m.replacement));
    json_array_append_new(replacements, replacement);
    json_t *change = json_object(), *changes = json_array();
    json_object_set_new(change, "artifactLocation", artifact_json(at->file));
    json_object_set_new(change, "replacements", replacements);
    json_array_append_new(changes, change);
    json_t *fix = json_object(), *fixes = json_array();
    json_object_set_new(fix, "description", message(m.mend));
    json_object_set_new(fix, "artifactChanges", changes);
    json_array_append_new(fixes, fix);
    return fixes;
}

static json_t *related_json(const OldsowReport *report, size_t i, size_t n) {
    json_t *list = json_array();
    for (size_t k = 0; k < n; k++) {
        OldsowLabel label = oldsow_report_label(report, i, k);
        json_t *o = location_json(&label);
        json_object_set_new(o, "id", json_integer((json_int_t)k + 1));
        json_array_append_new(list, o);
    }
    return list;
}

static json_t *result_json(Sarif *sarif, const char *path, const OldsowReport *report, size_t i) {
    OldsowMessage m = oldsow_report_get(report, i);
    OldsowLabel at = {.file = path};
    if (m.file) at = (OldsowLabel){m.file, m.line, m.column, m.end_line, m.end_column, NULL};
    json_t *o = json_object(), *locations = json_array();
    if (m.code) {
        json_object_set_new(o, "ruleId", json_string(m.code));
        long rule = rule_of(sarif, m.code);
        if (rule >= 0) json_object_set_new(o, "ruleIndex", json_integer(rule));
    }
    json_object_set_new(o, "level", json_string(level(m.error)));
    json_object_set_new(o, "message", words_json(report, i, m));
    json_array_append_new(locations, location_json(&at));
    json_object_set_new(o, "locations", locations);
    if (m.labels > 0) json_object_set_new(o, "relatedLocations", related_json(report, i, m.labels));
    if (m.replacement && !is_library(at.file)) json_object_set_new(o, "fixes", fixes_json(m, &at));
    return o;
}

// ---- the log -----------------------------------------------------------------------------------

void sarif_begin(Sarif *sarif) { *sarif = (Sarif){.rules = json_array(), .results = json_array()}; }

void sarif_add(Sarif *sarif, const char *path, const OldsowReport *report) {
    for (size_t i = 0; report && i < oldsow_report_count(report); i++)
        json_array_append_new(sarif->results, result_json(sarif, path, report, i));
    sarif->errors += oldsow_report_errors(report);
    sarif->warnings += oldsow_report_warnings(report);
}

static json_t *tool_json(Sarif *sarif) {
    json_t *driver = json_object(), *tool = json_object();
    json_object_set_new(driver, "name", json_string("Oldsow"));
    json_object_set_new(driver, "semanticVersion", json_string(OLDSOW_VERSION));
    json_object_set_new(driver, "rules", sarif->rules);
    json_object_set_new(tool, "driver", driver);
    return tool;
}

json_t *sarif_log(Sarif *sarif, int status, bool complete) {
    json_t *invocation = json_object(), *invocations = json_array();
    json_object_set_new(invocation, "executionSuccessful", json_boolean(complete));
    json_object_set_new(invocation, "exitCode", json_integer(status));
    json_array_append_new(invocations, invocation);
    json_t *run = json_object(), *runs = json_array();
    json_object_set_new(run, "tool", tool_json(sarif));
    json_object_set_new(run, "invocations", invocations);
    json_object_set_new(run, "properties",
                        json_pack("{s:I, s:I}", "errors", (json_int_t)sarif->errors, "warnings",
                                  (json_int_t)sarif->warnings));
    json_object_set_new(run, "columnKind", json_string("unicodeCodePoints"));
    json_object_set_new(run, "results", sarif->results);
    json_array_append_new(runs, run);
    json_t *log = json_object();
    json_object_set_new(log, "$schema", json_string(SCHEMA));
    json_object_set_new(log, "version", json_string("2.1.0"));
    json_object_set_new(log, "runs", runs);
    *sarif = (Sarif){0};
    return log;
}
