// A tiny game to assemble programs for: two players, four holes in a row, a store, two kinds of
// pieces.
//
// Programs are written as words; AT(n) names the place where it stands, TO(n) is that place.
#ifndef OLDSOW_TEST_TINY_H
#define OLDSOW_TEST_TINY_H

#include "interp/vm/pack.h"
#include "interp/vm/quick.h"
#include "interp/vm/verify.h"
#include "interp/vm/vm.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { LABEL_AT = 1 << 28, LABEL_TO = 1 << 27, LABELS = 32 };
#define AT(n) (LABEL_AT + (n))
#define TO(n) (LABEL_TO + (n))
#define WORDS(...) (const int32_t[]){__VA_ARGS__}, (sizeof(const int32_t[]){__VA_ARGS__} / 4)

enum { A, B, C, D, STORE, TINY_SITES };
enum { SEED, GOLD, TINY_KINDS };
enum { SOUTH, NORTH, TINY_PLAYERS };
enum { HOLES, KINDS, PLAYERS, NUMBERS, JUST_GOLD, BACKWARDS, NOTHING, GOLD_FIRST, TINY_LISTS };
enum { RING, RING_BACK, ROW, ROW_BACK, TINY_TRACKS };
// Cells: counts 0..9, variables 10..15, locals 16..23, system 24..30, scores 31..33, scratch 34..49
enum {
    VAR = 10,
    LOCAL = 16,
    SYSTEM = 24,
    SCORES = 31,
    SCRATCH = 34,
    TINY_STATE = 34,
    TINY_CELLS = 50
};
enum { CODE_MAX = 256, TINY_DECISIONS = 6 };

static const int16_t tiny_holes[] = {A, B, C, D}, tiny_kinds[] = {SEED, GOLD},
                     tiny_players[] = {SOUTH, NORTH}, tiny_numbers[] = {5, 3, 9},
                     tiny_gold[] = {GOLD}, tiny_backwards[] = {D, C, B, A},
                     tiny_gold_first[] = {GOLD, SEED};
static const List tiny_lists[TINY_LISTS] = {
    [HOLES] = {tiny_holes, 4},     [KINDS] = {tiny_kinds, 2},
    [PLAYERS] = {tiny_players, 2}, [NUMBERS] = {tiny_numbers, 3},
    [JUST_GOLD] = {tiny_gold, 1},  [BACKWARDS] = {tiny_backwards, 4},
    [NOTHING] = {NULL, 0},         [GOLD_FIRST] = {tiny_gold_first, 2},
};
static const int16_t tiny_ring[] = {B, C, D, A, UNSET}, tiny_ring_back[] = {D, A, B, C, UNSET},
                     tiny_row[] = {B, C, D, UNSET, UNSET},
                     tiny_row_back[] = {UNSET, A, B, C, UNSET};
static const Track tiny_tracks[TINY_TRACKS] = {
    [RING] = {tiny_ring, HOLES, true},
    [RING_BACK] = {tiny_ring_back, BACKWARDS, true},
    [ROW] = {tiny_row, HOLES, false},
    [ROW_BACK] = {tiny_row_back, BACKWARDS, false},
};
static const SiteInfo tiny_sites[TINY_SITES] = {
    {"a1", OLDSOW_ON_BOARD, -1, -1, 1, 1},       {"b1", OLDSOW_ON_BOARD, -1, -1, 2, 1},
    {"c1", OLDSOW_ON_BOARD, -1, -1, 3, 1},       {"d1", OLDSOW_ON_BOARD, -1, -1, 4, 1},
    {"store-South", OLDSOW_BESIDE, 0, -1, 0, 0},
};
static const char *const tiny_piece_names[] = {"seed", "gold"};
static const char *const tiny_player_names[] = {"South", "North"};
static const char *const tiny_words[] = {"left", "right"};
static const char *const tiny_track_names[] = {"ring", "ring-back", "row", "row-back"};
static const int16_t tiny_table[] = {7, 8, UNSET}, tiny_family[] = {1, 2, 3, 4, 5, 6};
static const Table tiny_tables[] = {{-1, 3, tiny_table}};
static const Family tiny_families[] = {{2, {0, 10}, {2, 3}, -5, tiny_family}};
static const int16_t tiny_outcomes[] = {1, 1, 1, 2, 2, 2};
static const uint32_t tiny_weights[] = {1, 2, 1};
static const Dice tiny_dice[] = {{"coins", 2, 3, false, tiny_outcomes, tiny_weights}};

// What a test may change before it loads code.
typedef struct Tiny {
    Program p;
    int32_t code[CODE_MAX];
    Alternative alternatives[8];
    Decision decisions[TINY_DECISIONS];
    Throw throws[1];
    Cell initial[TINY_STATE];
    Origin origins[CODE_MAX];
    Vm vm;
    Cell cells[TINY_CELLS + STACK_SIZE + CODE_MAX]; // with slots and constants
    Arena *arena;
} Tiny;

// Eight alternatives with a site each in local 0, 1, 2, 3, 0, ... Alternative n goes on at AT(10 +
// n), and the throw, with values to variables 0 and 1, at AT(20).
static inline void tiny_init(Tiny *t) {
    memset(t, 0, sizeof *t);
    for (int i = 0; i < 8; i++)
        t->alternatives[i] = (Alternative){NULL, 1, {LOCAL + i % 4}, {VALUE_SITE}, 0};
    t->throws[0] = (Throw){0, 2, {VAR, VAR + 1}, 0};
    t->p = (Program){
        .nsites = TINY_SITES,
        .npieces = TINY_KINDS,
        .nplayers = TINY_PLAYERS,
        .ntracks = TINY_TRACKS,
        .nlists = TINY_LISTS,
        .ntables = 1,
        .nfamilies = 1,
        .nalternatives = 8,
        .ndecisions = 0,
        .nthrows = 1,
        .ndice = 1,
        .nwords = 2,
        .sites = tiny_sites,
        .pieces = tiny_piece_names,
        .players = tiny_player_names,
        .words = tiny_words,
        .track_names = tiny_track_names,
        .lists = tiny_lists,
        .tables = tiny_tables,
        .families = tiny_families,
        .tracks = tiny_tracks,
        .alternatives = t->alternatives,
        .decisions = t->decisions,
        .throws = t->throws,
        .dice = tiny_dice,
        .system = SYSTEM,
        .scores = SCORES,
        .nstate = TINY_STATE,
        .ncells = TINY_CELLS,
        .npositions = LOCAL,
        .initial = t->initial,
        .code = t->code,
        .origins = t->origins,
    };
    vm_init(&t->vm, &t->p);
}

static inline void tiny_resolve(int *word, const int *places) {
    if (*word >= LABEL_TO && *word < LABEL_TO + LABELS) *word = places[*word - LABEL_TO];
}

// Puts the words into the program and finds the labels, alternatives' targets and decisions'
// places. A decision whose clear range is not set clears all locals.
// Verifies what was loaded and makes it ready to run. NULL, or what is wrong.
static inline const char *tiny_ready(Program *p, Arena **arena, int *pc) {
    static int depths[CODE_MAX];
    const char *wrong = verify_program(p, pc, depths);
    arena_free(*arena);
    *arena = arena_new(1 << 20);
    assert_non_null(*arena);
    if (wrong) return wrong;
    quicken(p, depths, true, *arena);
    pack_plan(p, *arena);
    return wrong;
}

static inline void tiny_load(Tiny *t, const int32_t *words, size_t n) {
    static const int operands[] = {
#define OP(name, noperands, pops, pushes) noperands,
#include "interp/vm/opcodes.def"
#undef OP
    };
    int places[LABELS] = {0};
    t->p.ncode = t->p.ndecisions = 0;
    for (size_t i = 0; i < n; i++) {
        if (words[i] >= LABEL_AT && words[i] < LABEL_AT + LABELS)
            places[words[i] - LABEL_AT] = t->p.ncode;
        else
            t->code[t->p.ncode++] = words[i];
    }
    for (int i = 0; i < t->p.ncode; i++) tiny_resolve(&t->code[i], places);
    for (int i = 0; i < 8; i++) t->alternatives[i].target = places[10 + i];
    t->throws[0].target = places[20];
    for (int pc = 0; pc < t->p.ncode;) {
        int op = t->code[pc];
        if (op < 0 || op >= OPCODES) break;
        if (op == OP_CHOOSE && pc + 1 < t->p.ncode && t->code[pc + 1] < TINY_DECISIONS) {
            int d = t->code[pc + 1];
            t->decisions[d].pc = pc;
            if (t->decisions[d].clear_n == 0)
                t->decisions[d].clear_base = LOCAL, t->decisions[d].clear_n = 8;
            if (d >= t->p.ndecisions) t->p.ndecisions = d + 1;
        }
        pc += 1 + operands[op];
    }
}

// What cmocka does before and after a test: its state is a Tiny.
static inline int tiny_setup(void **state) {
    Tiny *t = malloc(sizeof *t);
    if (!t) return -1;
    tiny_init(t);
    *state = t;
    return 0;
}

static inline int tiny_teardown(void **state) {
    Tiny *t = *state;
    vm_free(&t->vm);
    arena_free(t->arena);
    free(t);
    return 0;
}

#endif
