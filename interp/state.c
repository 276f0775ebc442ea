// Positions of a game, as the public interface shows them.
#include "state.h"

#include "vm/buffers.h"
#include "vm/pack.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

static OldsowState *state_new(const OldsowGame *game) {
    size_t cells = vm_cells(&game->program) * sizeof(Cell);
    OldsowState *state = malloc(sizeof *state + cells + oldsow_state_bytes(game));
    if (!state) return NULL;
    state->game = game;
    state->vector = (unsigned char *)(state->cells + vm_cells(&game->program));
    vm_lay_out(&game->program, state->cells);
    vm_init(&state->vm, &game->program);
    return state;
}

static size_t position_bytes(const Program *p) { return (size_t)p->nstate * sizeof(Cell); }

static Cell system_cell(const OldsowState *state, int which) {
    return state->cells[state->game->program.system + which];
}

static OldsowStatus out_of_memory(OldsowState *state) {
    state->vm.fault = (Fault){.code = R_MEMORY, .pc = 0};
    state->vm.ncandidates = 0;
    return state->vm.status = OLDSOW_FAULT;
}

OldsowState *oldsow_start(const OldsowGame *game) { return oldsow_start_counting(game, NULL); }

OldsowState *oldsow_start_counting(const OldsowGame *game, uint64_t *counts) {
    OldsowState *state = state_new(game);
    if (!state) return NULL;
    state->vm.counts = counts;
    vm_start(&state->vm, state->cells);
    return state;
}

OldsowState *oldsow_clone(const OldsowState *src) {
    OldsowState *state = state_new(src->game);
    if (state && !oldsow_copy(state, src)) {
        oldsow_state_free(state);
        return NULL;
    }
    return state;
}

// The cells of the position and what the program remembers; the scratch cells are nobody's between
// decisions.
static bool copy_position(OldsowState *dst, const OldsowState *src) {
    assert(dst->game == src->game);
    memcpy(dst->cells, src->cells, position_bytes(&src->game->program));
    return !src->game->program.remembers || history_copy(&dst->vm.history, &src->vm.history);
}

// Chance by a script's own lot: its outcomes are candidates with weights.
static bool is_lot(const OldsowState *state) {
    return state->vm.status == OLDSOW_CHANCE && system_cell(state, CELL_AT) > 0;
}

// Candidates are copied too: that is cheaper than to find them again.
bool oldsow_copy(OldsowState *dst, const OldsowState *src) {
    if (dst == src) return true;
    const Vm *from = &src->vm;
    Vm *to = &dst->vm;
    bool choice = from->status == OLDSOW_CHOICE || is_lot(src);
    if (!copy_position(dst, src) || (choice && !candidates_reserve(to, from->ncandidates))) {
        out_of_memory(dst);
        return false;
    }
    if (choice)
        memcpy(to->candidates, from->candidates, from->ncandidates * sizeof *to->candidates);
    to->ncandidates = from->ncandidates;
    to->status = from->status;
    to->fault = from->fault;
    to->steps = from->steps;
    return true;
}

void oldsow_state_free(OldsowState *state) {
    if (!state) return;
    vm_free(&state->vm);
    free(state);
}

OldsowStatus oldsow_status(const OldsowState *state) { return state->vm.status; }

int oldsow_mover(const OldsowState *state) { return system_cell(state, CELL_MOVER); }

size_t oldsow_candidates(const OldsowState *state) { return state->vm.ncandidates; }

OldsowStatus oldsow_play(OldsowState *state, size_t i) {
    return vm_choose(&state->vm, state->cells, i);
}

OldsowStatus state_play_on(OldsowState *state, size_t i, Onward *on) {
    return vm_choose_on(&state->vm, state->cells, i, on);
}

OldsowStatus oldsow_play_from(OldsowState *dst, const OldsowState *src, size_t i) {
    if (dst == src) return oldsow_play(dst, i);
    if (!copy_position(dst, src)) return out_of_memory(dst);
    return vm_choose_from(&dst->vm, dst->cells, &src->vm, i);
}

// ---- names of candidates -----------------------------------------------------------------------

// Names of candidates leave room for what tells equal ones apart, `#` and a number.
enum { STEM_MAX = OLDSOW_NAME_MAX - 8 };

typedef struct Text {
    char *at;
    size_t n, max; // bytes without the closing NUL
} Text;

// Adds a text, cut where it no longer fits, never within a character.
static void add(Text *t, const char *s) {
    size_t n = strlen(s), room = t->max - t->n;
    if (n > room) {
        n = room;
        while (n > 0 && ((unsigned char)s[n] & 0xc0) == 0x80) n--;
    }
    memcpy(t->at + t->n, s, n);
    t->n += n;
    t->at[t->n] = '\0';
}

static void add_number(Text *t, long n) {
    char digits[24];
    snprintf(digits, sizeof digits, "%ld", n);
    add(t, digits);
}

static const char *name_in(const char *const *names, int n, int i) {
    if (i == UNSET) return "unset";
    return i >= 0 && i < n && names[i] ? names[i] : "?";
}

static void add_value(Text *t, const Program *p, ValueType type, Cell value) {
    switch (type) {
    case VALUE_NUMBER: add_number(t, value); return;
    case VALUE_TRUTH: add(t, value == UNSET ? "unset" : value ? "yes" : "no"); return;
    case VALUE_SITE:
        if (value >= 0 && value < p->nsites)
            add(t, p->sites[value].name);
        else
            add(t, value == UNSET ? "unset" : "?");
        return;
    case VALUE_PLAYER: add(t, name_in(p->players, p->nplayers, value)); return;
    case VALUE_PIECE: add(t, name_in(p->pieces, p->npieces, value)); return;
    case VALUE_WORD: add(t, name_in(p->words, p->nwords, value)); return;
    case VALUE_DIRECTION: add(t, name_in(p->directions, p->ndirections, value)); return;
    case VALUE_TRACK: add(t, name_in(p->track_names, p->ntracks, value)); return;
    }
}

void state_variable_text(const OldsowState *state, int variable, char *text, size_t size) {
    const Program *p = &state->game->program;
    const Variable *var = &p->variables[variable];
    Text t = {text, 0, size - 1};
    text[0] = '\0';
    for (int i = 0; i < var->n; i++) {
        Cell value = state->cells[var->cell + i];
        if (value == var->start) continue;
        if (t.n) add(&t, ", ");
        bool flag = var->type == VALUE_TRUTH && var->list >= 0 && value;
        if (var->list >= 0) add_value(&t, p, var->index_type, p->lists[var->list].at[i]);
        if (flag) continue;
        if (var->list >= 0) add(&t, " ");
        add_value(&t, p, var->type, value);
    }
}

static void name_choice(const Program *p, const Candidate *c, Text *t) {
    const Alternative *alt = &p->alternatives[c->alt];
    if (alt->label) add(t, alt->label);
    for (int i = 0; i < alt->nvars; i++) {
        if (i > 0 || alt->label) add(t, "-");
        add_value(t, p, alt->types[i], c->values[i]);
    }
    if (t->n == 0) add(t, "go");
}

static const Dice *dice_in_hand(const OldsowState *state) {
    const Program *p = &state->game->program;
    return &p->dice[p->throws[-system_cell(state, CELL_AT) - 1].dice];
}

// The candidate's name without regard to the others.
static size_t stem(const OldsowState *state, size_t i, char *buffer) {
    const Program *p = &state->game->program;
    Text t = {buffer, 0, STEM_MAX - 1};
    buffer[0] = '\0';
    if (state->vm.status == OLDSOW_CHOICE || is_lot(state)) {
        name_choice(p, &state->vm.candidates[i], &t);
    } else {
        const Dice *dice = dice_in_hand(state);
        for (int k = 0; k < dice->nvalues; k++) {
            if (k > 0) add(&t, "-");
            add_number(&t, dice->outcomes[i * (size_t)dice->nvalues + (size_t)k]);
        }
    }
    return t.n;
}

// True if candidates i and j are sure to have different names, without writing them down.
static bool sure_to_differ(const OldsowState *state, size_t i, size_t j) {
    if (state->vm.status != OLDSOW_CHOICE) return false;
    const Candidate *a = &state->vm.candidates[i], *b = &state->vm.candidates[j];
    if (a->alt != b->alt) return false;
    const Alternative *alt = &state->game->program.alternatives[a->alt];
    return alt->nvars == 1 && alt->types[0] <= VALUE_PIECE && a->values[0] != b->values[0] &&
           (!alt->label || strlen(alt->label) < STEM_MAX / 2);
}

const char *oldsow_candidate(const OldsowState *state, size_t i, char *buffer) {
    assert(i < state->vm.ncandidates);
    char other[OLDSOW_NAME_MAX];
    size_t n = stem(state, i, buffer), same = 1;
    for (size_t j = 0; j < i; j++) {
        if (sure_to_differ(state, i, j)) continue;
        if (stem(state, j, other) == n && memcmp(buffer, other, n) == 0) same++;
    }
    if (same > 1) snprintf(buffer + n, OLDSOW_NAME_MAX - n, "#%zu", same);
    return buffer;
}

// "b1#2" is the second candidate with the stem "b1": gives 2 and the stem's length. 0 if the name
// has no such end.
static size_t number_at_end(const char *name, size_t *length) {
    const char *hash = strrchr(name, '#');
    if (!hash || hash[1] < '1' || hash[1] > '9') return 0;
    char *end;
    unsigned long n = strtoul(hash + 1, &end, 10);
    if (*end || end - hash > 7 || n < 2) return 0;
    *length = (size_t)(hash - name);
    return n;
}

// A throw of sorted dice named in any order: 1-3 is 3-1. Gives the outcome or -1.
static long find_sorted(const OldsowState *state, const char *name) {
    const Program *p = &state->game->program;
    int at = state->cells[p->system + CELL_AT];
    if (state->vm.status != OLDSOW_CHANCE || at >= 0) return -1;
    const Dice *dice = &p->dice[p->throws[-at - 1].dice];
    long values[CHOOSE_VARS];
    if (!dice->sorted || dice->nvalues > CHOOSE_VARS) return -1;
    for (int i = 0; i < dice->nvalues; i++) {
        char *end;
        long v = strtol(name, &end, 10);
        if (end == name || *end != (i + 1 < dice->nvalues ? '-' : '\0')) return -1;
        name = end + 1;
        int k = i;
        for (; k > 0 && values[k - 1] < v; k--) values[k] = values[k - 1];
        values[k] = v;
    }
    for (int i = 0; i < dice->noutcomes; i++) {
        int k = 0;
        while (k < dice->nvalues && dice->outcomes[i * dice->nvalues + k] == values[k]) k++;
        if (k == dice->nvalues) return i;
    }
    return -1;
}

long oldsow_find(const OldsowState *state, const char *name) {
    char buffer[OLDSOW_NAME_MAX];
    size_t length = strlen(name), cut = 0, wanted = number_at_end(name, &cut), seen = 0;
    for (size_t i = 0; i < state->vm.ncandidates; i++) {
        size_t n = stem(state, i, buffer);
        if (n == length && memcmp(name, buffer, n) == 0) return (long)i;
        if (wanted && n == cut && memcmp(name, buffer, n) == 0 && ++seen == wanted) return (long)i;
    }
    return find_sorted(state, name);
}

// ---- chance ------------------------------------------------------------------------------------

uint32_t oldsow_weight(const OldsowState *state, size_t i) {
    assert(i < state->vm.ncandidates);
    if (state->vm.status == OLDSOW_CHOICE || is_lot(state)) return state->vm.candidates[i].weight;
    return state->vm.status == OLDSOW_CHANCE ? dice_in_hand(state)->weights[i] : 1;
}

size_t oldsow_pick(const OldsowState *state, OldsowRng *rng) {
    assert(state->vm.ncandidates > 0);
    if (state->vm.status != OLDSOW_CHANCE)
        return oldsow_below(rng, (uint32_t)state->vm.ncandidates);
    if (is_lot(state)) {
        const Candidate *c = state->vm.candidates;
        uint64_t sum = 0;
        for (size_t k = 0; k < state->vm.ncandidates; k++) sum += c[k].weight;
        uint32_t drawn = oldsow_below(rng, sum > UINT32_MAX ? UINT32_MAX : (uint32_t)sum);
        size_t k = 0;
        while (drawn >= c[k].weight) drawn -= c[k++].weight;
        return k;
    }
    const Dice *dice = dice_in_hand(state);
    uint32_t total = 0; // the verifier keeps it within 32 bits
    for (int i = 0; i < dice->noutcomes; i++) total += dice->weights[i];
    uint32_t drawn = oldsow_below(rng, total);
    size_t i = 0;
    while (drawn >= dice->weights[i]) drawn -= dice->weights[i++];
    return i;
}

// ---- what the position is -------------------------------------------------------------------

int oldsow_count_on(const OldsowState *state, int site, int piece) {
    const Program *p = &state->game->program;
    if (site < 0 || site >= p->nsites || piece < 0 || piece >= p->npieces) return 0;
    return state->cells[site * p->npieces + piece];
}

const void *oldsow_vector(const OldsowState *state) {
    pack(&state->game->program, state->cells, state->vector);
    return state->vector;
}

// Where the rules remember positions, what has been noted belongs to the position and is hashed
// with the vector.
uint64_t oldsow_hash(const OldsowState *state) {
    const Program *p = &state->game->program;
    uint64_t noted = p->remembers ? history_hash(&state->vm.history) : 0;
    return hash_cells(state->cells, (size_t)p->nstate, noted);
}

static uint64_t mix_bytes(uint64_t h, const void *data, size_t n) {
    const unsigned char *p = data;
    for (size_t i = 0; i < n; i++) h = (h ^ p[i]) * 1099511628211u; // FNV-1a
    return h;
}

static uint64_t mix_text(uint64_t h, const char *s) { return mix_bytes(h, s, strlen(s) + 1); }

static const uint64_t FNV_START = 14695981039346656037u;

// Sums of hashes: the order in which a script names its sites and variables does not count.
uint64_t oldsow_position_hash(const OldsowState *state) {
    const Program *p = &state->game->program;
    uint64_t sum = 0;
    for (int s = 0; s < p->nsites; s++) {
        for (int k = 0; k < p->npieces; k++) {
            int16_t n = (int16_t)state->cells[s * p->npieces + k];
            if (n == 0) continue;
            uint64_t h = mix_text(mix_text(FNV_START, p->sites[s].name), p->pieces[k]);
            h = mix_bytes(h, &p->sites[s].owner, sizeof p->sites[s].owner);
            sum += mix_bytes(h, &n, sizeof n);
        }
    }
    for (int v = 0; v < p->nvariables; v++) {
        const Variable *var = &p->variables[v];
        for (int i = 0; i < var->n; i++) {
            if (state->cells[var->cell + i] == var->start) continue;
            char name[OLDSOW_NAME_MAX] = "";
            Text t = {name, 0, sizeof name - 1};
            add(&t, var->name);
            add(&t, " ");
            if (var->list >= 0) add_value(&t, p, var->index_type, p->lists[var->list].at[i]);
            add(&t, "=");
            add_value(&t, p, var->type, state->cells[var->cell + i]);
            sum += mix_text(FNV_START, name);
        }
    }
    static const int shown[] = {CELL_MOVER, CELL_STATUS, CELL_WINNERS, CELL_LOSERS, CELL_RETIRED};
    uint64_t h = mix_bytes(FNV_START, &sum, sizeof sum);
    for (size_t i = 0; i < sizeof shown / sizeof *shown; i++) {
        int16_t cell = (int16_t)system_cell(state, shown[i]);
        h = mix_bytes(h, &cell, sizeof cell);
    }
    return h;
}

bool oldsow_remembers(const OldsowGame *game) { return game->program.remembers; }

OldsowResult oldsow_result(const OldsowState *state, int player) {
    assert(player >= 0 && player < state->game->program.nplayers);
    switch (system_cell(state, CELL_STATUS)) {
    case OVER_DRAWN: return OLDSOW_DRAWN;
    case OVER_DECIDED:
        if (system_cell(state, CELL_WINNERS) >> player & 1) return OLDSOW_WON;
        if (system_cell(state, CELL_LOSERS) >> player & 1) return OLDSOW_LOST;
        return OLDSOW_UNDECIDED;
    default: return OLDSOW_UNDECIDED;
    }
}

bool oldsow_score(const OldsowState *state, int player, int *score) {
    const Program *p = &state->game->program;
    assert(player >= 0 && player < p->nplayers);
    if (p->scores < 0 || !(state->cells[p->scores + p->nplayers] >> player & 1)) return false;
    *score = state->cells[p->scores + player];
    return true;
}

bool oldsow_playing(const OldsowState *state, int player) {
    return !(system_cell(state, CELL_RETIRED) >> player & 1);
}

// ---- faults ------------------------------------------------------------------------------------

static const char *const messages[DIAG_CODES] = {
#define DIAG(name, number, severity, message) [name] = (message),
#include "../grammar/diagnostics.def"
#undef DIAG
};

// The innermost place in the author's own files: that of the instruction, or where the library's ludeme that
// holds it was used.
bool state_fault_place(const OldsowState *state, Span *span) {
    const Program *p = &state->game->program;
    if (!p->sources || !p->origins) return false;
    const Origin *origin = &p->origins[state->vm.fault.pc];
    *span = origin->span;
    const Expansion *e = origin->via;
    for (; e && span->file < p->sources->files.n && source_of(p->sources, *span)->name[0] == '<';
         e = e->up)
        *span = e->use;
    return span->file < p->sources->files.n;
}

OldsowFault oldsow_fault(const OldsowState *state) {
    assert(state->vm.status == OLDSOW_FAULT);
    DiagCode code = state->vm.fault.code;
    OldsowFault fault = {.code = diag_number(code),
                         .text = messages[code],
                         .endless = code == R_ENDLESS || code == R_STEPS};
    Span span;
    if (state_fault_place(state, &span)) {
        const Source *source = source_of(state->game->program.sources, span);
        Place place = source_place(source, span.start);
        fault.file = source->name;
        fault.line = place.line;
        fault.column = place.column;
    }
    return fault;
}

enum { CHAIN_SHOWN = 12 };

// Which variable, and which index it has no place for.
static void note_index(Diags *diags, int i, const Program *p, const Fault *fault) {
    const int32_t *code = p->code + fault->pc;
    char name[OLDSOW_NAME_MAX] = "";
    Text t = {name, 0, sizeof name - 1};
    for (int v = 0; v < p->nvariables; v++) {
        const Variable *var = &p->variables[v];
        if (var->cell != code[2]) continue;
        add_value(&t, p, var->index_type, (Cell)fault->value);
        diag_note(diags, i, "`%s` has no place for `%s`", var->name, name);
    }
}

// "in `relay-sow`, <stdlib/sowing.sow>:12:5" for each ludeme on the way in, from the outermost.
static void note_chain(Diags *diags, int i, const Program *p, const Origin *origin) {
    const Expansion *chain[CHAIN_SHOWN];
    size_t n = 0, depth = 0;
    for (const Expansion *e = origin->via; e; e = e->up, depth++)
        if (n < CHAIN_SHOWN) chain[n++] = e;
    if (depth > n) diag_note(diags, i, "(%zu more ludemes in between)", depth - n);
    while (n-- > 0) {
        Span inside = n > 0 ? chain[n - 1]->use : origin->span;
        const Source *source = source_of(p->sources, inside);
        Place place = source_place(source, inside.start);
        diag_note(diags, i, "in `%s`, %s:%u:%u", chain[n]->name, source->name, place.line,
                  place.column);
    }
}

static void print_in(Arena *arena, const OldsowState *state, FILE *out, bool colour) {
    const Program *p = &state->game->program;
    const Fault *fault = &state->vm.fault;
    Diags diags = {0};
    diags_init(&diags, arena);
    Span span;
    int i;
    if (state_fault_place(state, &span)) {
        i = diag_report(&diags, fault->code, span);
        if (fault->code == R_INDEX) note_index(&diags, i, p, fault);
        note_chain(&diags, i, p, &p->origins[fault->pc]);
    } else {
        i = diag_report_placeless(&diags, fault->code);
    }
    if (i >= 0) diag_render(out, &diags.all.at[i], p->sources, colour);
}

void oldsow_print_fault(const OldsowState *state, FILE *out, bool colour) {
    assert(state->vm.status == OLDSOW_FAULT);
    DiagCode code = state->vm.fault.code;
    Arena *arena = arena_new(1 << 20);
    if (!arena || setjmp(*arena_oom(arena)))
        fprintf(out, "error[%s]: %s\n", diag_number(code), messages[code]);
    else
        print_in(arena, state, out, colour);
    arena_free(arena);
}
