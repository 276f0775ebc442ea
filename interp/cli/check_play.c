#include "check_play.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "../play/save.h"
#include "../play/simulate.h"
#include "coverage.h"

// The games of one script.
typedef struct Play {
    const Cli *cli;
    const CheckPlay *how;
    const char *path;
    OldsowReport *report;
    Try *tries;
    char (*labels)[OLDSOW_NAME_MAX];
    size_t ntries, most;
    uint64_t played;
    bool stopped;
    char *saved; // where the last record was saved
    int status;
} Play;

static void no_memory(Play *p) { p->status = cli_no_memory(p->cli); }

// ---- which games ---------------------------------------------------------------------------------

// A reading may be the defaults by another name.
static bool played_before(const Play *p, const OldsowGame *game) {
    for (size_t i = 0; i < p->ntries; i++)
        if (oldsow_rules_hash(p->tries[i].trial.game) == oldsow_rules_hash(game)) return true;
    return false;
}

static void add_records(Play *p, Try *try) {
    OldsowGame *plain = try->trial.nfailures ? report_load(p->report, &try->how) : NULL;
    if (plain) trial_records(&try->trial, plain);
    oldsow_game_free(plain);
}

static void play_game(Play *p, OldsowGame *game, const OldsowLoading *how, const char *label,
                      const Watch *watch) {
    size_t n = p->ntries++;
    Try *try = &p->tries[n];
    snprintf(p->labels[n], sizeof p->labels[n], "%s", label);
    *try = (Try){.label = p->labels[n], .how = *how};
    TrialEnd end = trial(&try->trial, game, p->cli->seeded ? p->cli->seed : 1, p->how->games,
                         p->how->max_plies, p->played, watch);
    p->played += try->trial.games;
    if (end == TRIAL_NO_MEMORY) no_memory(p);
    if (end == TRIAL_STOPPED) p->stopped = true;
    add_records(p, try);
}

static OldsowGame *load(Play *p, OldsowLoading how) {
    how.places = true;
    OldsowGame *game = report_load(p->report, &how);
    if (!game && p->status == EXIT_FINE) no_memory(p);
    return game;
}

static void play_reading(Play *p, const OldsowReading *reading, const Watch *watch) {
    OldsowLoading how = {.reading = reading->name};
    OldsowGame *game = load(p, how);
    if (!game) return;
    char label[OLDSOW_NAME_MAX];
    snprintf(label, sizeof label, "`%s`", reading->name);
    if (played_before(p, game))
        oldsow_game_free(game);
    else
        play_game(p, game, &how, label, watch);
}

static void play_all(Play *p) {
    const Cli *cli = p->cli;
    Progress progress;
    progress_start(&progress, "played", "games");
    Watch watch = cli_watch(&progress);
    OldsowLoading first = {
        .reading = cli->reading, .settings = cli->settings, .nsettings = cli->nsettings};
    OldsowGame *game = load(p, first);
    bool chosen = cli->reading || cli->nsettings;
    p->most = game ? 1 + (chosen ? 0 : oldsow_readings(game)) : 0;
    p->tries = calloc(p->most + 1, sizeof *p->tries);
    p->labels = calloc(p->most + 1, sizeof *p->labels);
    if (game && p->tries && p->labels) {
        play_game(p, game, &first, chosen ? "what was asked for" : "the defaults", &watch);
        for (size_t i = 0; i + 1 < p->most && !p->stopped && p->status == EXIT_FINE; i++)
            play_reading(p, oldsow_reading_at(game, i), &watch);
    } else if (p->status == EXIT_FINE) {
        oldsow_game_free(game);
        no_memory(p);
    }
    progress_clear(&progress);
}

// ---- records -------------------------------------------------------------------------------------

// "games/oware.sow" -> "oware".
static void script_name(const char *path, char *name, size_t size) {
    const char *slash = strrchr(path, '/');
    snprintf(name, size, "%s", slash ? slash + 1 : path);
    char *dot = strrchr(name, '.');
    if (dot && dot != name) *dot = '\0';
}

static const char *save(void *context, const char *code, Place place, const char *text,
                        size_t size) {
    Play *p = context;
    char name[256];
    script_name(p->path, name, sizeof name);
    size_t room = strlen(p->how->records) + sizeof name + 64;
    free(p->saved);
    p->saved = malloc(room);
    if (!p->saved) return NULL;
    snprintf(p->saved, room, "%s/%s-%s-%u-%u.record", p->how->records, name, code, place.line,
             place.column);
    int why = mkdir(p->how->records, 0777) == 0 || errno == EEXIST ? 0 : errno;
    if (!why) why = save_text(p->saved, text, size);
    if (!why) return p->saved;
    cli_complain(p->cli, "the record was not written: %s: %s", p->saved, strerror(why));
    p->status = EXIT_AT_FAULT;
    return NULL;
}

// ---- as JSON -------------------------------------------------------------------------------------

static json_t *failure_json(const Play *p, const Try *try, const Failure *f) {
    json_t *o = json_object();
    json_object_set_new(o, "code", json_string(diag_number(f->code)));
    if (f->placed) {
        const Source *source = source_of(&p->report->shared->sources, f->span);
        Place place = source_place(source, f->span.start);
        json_object_set_new(o, "file", cli_json_text(source->name));
        json_object_set_new(o, "line", json_integer(place.line));
        json_object_set_new(o, "column", json_integer(place.column));
    }
    json_object_set_new(o, "games", json_integer((json_int_t)f->games));
    json_object_set_new(o, "seed",
                        json_sprintf("%" PRIu64, simulate_seed(try->trial.seed, f->number)));
    json_object_set_new(o, "plies", json_integer((json_int_t)f->plies));
    if (f->record) json_object_set_new(o, "record", cli_json_text(f->record));
    return o;
}

static json_t *try_json(const Play *p, const Try *try) {
    const Trial *t = &try->trial;
    json_t *ends = json_object(), *wins = json_object(), *failures = json_array();
    for (int i = 0; i < PLAYOUT_STOPPED; i++)
        json_object_set_new(ends, playout_word((PlayoutEnd)i),
                            json_integer((json_int_t)t->ends[i]));
    for (int i = 0; i < oldsow_players(t->game); i++)
        json_object_set_new(wins, oldsow_player_name(t->game, i),
                            json_integer((json_int_t)t->wins[i]));
    for (size_t i = 0; i < t->nfailures; i++)
        json_array_append_new(failures, failure_json(p, try, &t->failures[i]));
    json_t *o = json_object();
    const char *reading = oldsow_reading(t->game);
    json_object_set_new(o, "reading", reading ? cli_json_text(reading) : json_null());
    json_object_set_new(o, "games", json_integer((json_int_t)t->games));
    json_object_set_new(o, "ends", ends);
    json_object_set_new(o, "wins", wins);
    json_object_set_new(o, "failures", failures);
    return o;
}

static json_t *play_json(const Play *p, const Findings *f) {
    json_t *readings = json_array(), *o = json_object();
    for (size_t i = 0; i < p->ntries; i++)
        json_array_append_new(readings, try_json(p, &p->tries[i]));
    // As text: JSON numbers are sure to hold 53 bits only.
    json_object_set_new(o, "seed",
                        json_sprintf("%" PRIu64, p->cli->seeded ? p->cli->seed : (uint64_t)1));
    json_object_set_new(o, "max_plies", json_integer((json_int_t)p->how->max_plies));
    json_object_set_new(o, "readings", readings);
    if (p->how->coverage) json_object_set_new(o, "places", coverage_json(f));
    return o;
}

// ---- all of it -----------------------------------------------------------------------------------

static bool failed(const Play *p) {
    for (size_t i = 0; i < p->ntries; i++)
        if (p->tries[i].trial.ends[PLAYOUT_FAULT]) return true;
    return false;
}

static void tell(Play *p, json_t **json) {
    Findings f = {.report = p->report,
                  .tries = p->tries,
                  .ntries = p->ntries,
                  .save = p->how->records ? save : NULL,
                  .context = p};
    bool fine = findings_report(&f);
    if (json)
        *json = play_json(p, &f);
    else if (p->how->coverage)
        fine &= coverage_print(&f, stdout, p->cli->nargs > 1, p->cli->colour_out);
    if (!fine) no_memory(p);
    if (failed(p)) p->status = EXIT_AT_FAULT;
    if (p->stopped) cli_complain(p->cli, "stopped after %" PRIu64 " games", p->played);
}

int check_play(const Cli *cli, const CheckPlay *how, const char *path, OldsowReport *report,
               json_t **json) {
    Play p = {.cli = cli, .how = how, .path = path, .report = report};
    play_all(&p);
    if (p.ntries > 0) tell(&p, json);
    for (size_t i = 0; i < p.ntries; i++) {
        OldsowGame *game = (OldsowGame *)p.tries[i].trial.game;
        trial_free(&p.tries[i].trial);
        oldsow_game_free(game);
    }
    free(p.tries);
    free(p.labels);
    free(p.saved);
    return p.status;
}
