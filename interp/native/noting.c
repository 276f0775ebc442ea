// Positions that are noted, and how often they were.
//
// The hash is worked out here, cell by cell with constants, and is that of the machine (buffers.h): a run may begin in one
// and go on in the other.
#include "../vm/buffers.h"
#include "translate.h"
#include "translator.h"

#include <inttypes.h>

enum { SPELT_HASH_MAX = 64, TERMS = 2 }; // cells; products in a line

static const char *seed(Translator *t) {
    if (t->player >= 0)
        return phrase(t, "UINT64_C(0x%" PRIx64 ")",
                      hash_seed(t->p->npositions, (uint16_t)t->player));
    return phrase(
        t, "UINT64_C(0x%" PRIx64 ") ^ ((uint64_t)(uint16_t)c[MOVER] + 1) * UINT64_C(0x%" PRIx64 ")",
        hash_seed(t->p->npositions, -1), HASH_MOVER);
}

// Into the variable `hash`; what of the position is in variables is read from there.
static void say_hash(Translator *t) {
    int n = t->p->npositions;
    if (n > SPELT_HASH_MAX) {
        say(t, "NOTED_CELLS;");
        say(t, "hash = run->host->hash(run, c);");
        return;
    }
    say(t, "hash = %s;", seed(t));
    for (int i = 0; i < n; i += TERMS) {
        const char *sum = "";
        for (int k = i; k < n && k < i + TERMS; k++)
            sum = phrase(t, "%s%s(uint32_t)%s * UINT64_C(0x%" PRIx64 ")", sum, k > i ? " + " : "",
                         cell_text(t, k), hash_key(k));
        say(t, "hash += %s;", sum);
        if ((i + TERMS) % HASH_KEYS == 0 && i + TERMS < n) say(t, "hash = mixed(hash);");
    }
    say(t, "hash = mixed(hash);");
}

static bool asks_at_once(const Translator *t, int remembers) {
    int next = next_pc(t, remembers);
    return t->p->code[next] == OP_SEEN && !t->spots[next].label;
}

void note_position(Translator *t) {
    settle_all(t);
    t->noted = next_pc(t, t->pc);
    say_hash(t);
    if (!asks_at_once(t, t->pc)) {
        attempt(t, "run->host->remember(run, c, hash)");
        return;
    }
    say(t, "AWAY(fault = run->host->remember_counting(run, c, hash));");
    say(t, "if (RARE(fault)) %s", fault_text(t, "fault"));
}

void seen(Translator *t) {
    settle_all(t);
    if (t->noted == t->pc && !t->spots[t->pc].label) {
        push_value(t, "run->times", range_of(1, INT32_MAX));
        return;
    }
    say_hash(t);
    say(t, "AWAY(%s = run->host->seen(run, hash));", slot_of(t, t->depth));
    push_value(t, slot_of(t, t->depth), range_of(0, INT32_MAX));
}
