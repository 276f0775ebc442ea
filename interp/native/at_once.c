// Questions about the elements of a short list, all asked without a jump: whether there is one for which a test holds.
// Which one it would be is hard to foretell, and costs more than to ask about all of them.
#include "translate.h"
#include "translator.h"

#include <string.h>

enum { AT_ONCE_ROUNDS = 16, AT_ONCE_TESTS = 3, AT_ONCE_TEXT = 120 };

// What a test, or several of which all must hold, says of one element.
typedef struct Once {
    const char *text; // NULL: it holds
    const char *many; // if it is whether this number, not negative, is above 0
    int taken;        // if it is whether anything lies on this site, from 1 on; or 0
    bool never;
} Once;

// Gives a value and does nothing else.
bool only_asks(Opcode op) {
    return op == OP_PUSH || op == OP_LOAD || (op >= OP_ADD && op <= OP_NOT) ||
           (op >= OP_COUNT && op <= OP_IN);
}

// The round is tests that lead to the next one where they fail, the last of them at its end.
static bool is_search(const Translator *t, int head, int back) {
    const int32_t *code = t->p->code;
    int tests = 0;
    for (int pc = next_pc(t, head); pc <= back; pc = next_pc(t, pc)) {
        bool test = code[pc] == OP_JZ || code[pc] == OP_JNZ;
        if (!visited(t, pc) || t->spots[pc].label) return false;
        if (test ? code[pc + 1] != head : !only_asks((Opcode)code[pc])) return false;
        tests += test;
    }
    return tests > 0 && tests <= AT_ONCE_TESTS && t->spots[back].depth == t->spots[head].depth + 1;
}

static const char *as_truth(Translator *t, const Value *v, bool truth) {
    if (!truth) return phrase(t, "(!%s)", v->text);
    return range_within(v->range, 0, 1) ? v->text : phrase(t, "(%s != 0)", v->text);
}

// Goes over the tests of a round. False if they do more than ask.
static bool ask_one(Translator *t, int head, int back, Once *asked) {
    const int32_t *code = t->p->code;
    int depth = t->depth, before = t->said;
    *asked = (Once){0};
    for (int pc = next_pc(t, head); pc <= back && !asked->never; pc = next_pc(t, pc)) {
        t->pc = pc;
        if (code[pc] != OP_JZ && code[pc] != OP_JNZ) {
            instruction(t, code + pc);
            if (t->said != before || !t->open) return false;
            continue;
        }
        Value v = pop_value(t);
        bool truth = code[pc] == OP_JZ;
        if (range_single(v.range)) {
            asked->never = (v.range.low != 0) != truth;
            continue;
        }
        const char *text = as_truth(t, &v, truth);
        asked->many = truth && !asked->text ? v.many : NULL;
        asked->taken = truth && !asked->text ? v.taken : 0;
        asked->text = asked->text ? phrase(t, "(%s & %s)", asked->text, text) : text;
        if (strlen(asked->text) > AT_ONCE_TEXT) return false;
    }
    t->depth = depth;
    return true;
}

bool asked_at_once(Translator *t, int head, int rounds) {
    const int32_t *w = t->p->code + head;
    int back = t->spots[head].back, found = next_pc(t, back), depth = t->depth;
    if (w[0] != OP_ITER_LIST || rounds > AT_ONCE_ROUNDS || !is_search(t, head, back)) return false;
    if (may_be_read(t, found, w[2]) || may_be_read(t, found, w[3])) return false;
    if (may_be_read(t, w[4], w[2]) || may_be_read(t, w[4], w[3])) return false;
    settle_all(t);
    const List *list = &t->p->lists[cell_range(t, w[1]).low];
    Range before[SCALARS_MAX];
    Value stack[STACK_SIZE];
    memcpy(before, t->cells, sizeof before);
    memcpy(stack, t->stack, sizeof stack);
    const char *any = NULL, *many = NULL;
    bool fine = true, sure = false, all_many = true;
    int was = t->pc, count = 0, ntaken = 0;
    int16_t taken[AT_ONCE_ROUNDS];
    for (int k = 0; fine && !sure && k < rounds; k++) {
        Once one;
        know_cell(t, w[3], range_of(list->at[k], list->at[k]));
        know_cell(t, w[2], range_of(k + 1, k + 1));
        fine = ask_one(t, head, back, &one);
        if (!fine || one.never) continue;
        sure = !one.text;
        if (sure) continue;
        if (one.taken > 0) taken[ntaken++] = (int16_t)(one.taken - 1);
        all_many &= one.many != NULL;
        if (all_many) many = many ? phrase(t, "%s | %s", many, one.many) : one.many;
        any = any ? phrase(t, "%s | %s", any, one.text) : one.text;
        count++;
    }
    t->pc = was;
    t->open = true;
    t->depth = depth;
    memcpy(t->cells, before, sizeof before);
    memcpy(t->stack, stack, sizeof stack);
    if (!fine) return false;
    know_cell(t, w[3], list_range(t, cell_range(t, w[1]).low));
    know_cell(t, w[2], range_of(0, rounds));
    t->pc = head;
    if (count > 1 && ntaken == count) any = taken_of(t, taken, ntaken);
    if (!sure && any)
        say(t, all_many && count > 1 ? "if ((%s) == 0) goto %s;" : "if (!(%s)) goto %s;",
            all_many && count > 1 ? many : any, jump_to(t, w[4]));
    if (!sure && !any) say(t, "goto %s;", jump_to(t, w[4])), t->open = false;
    return true;
}
