// Where the base code leads: jumps that only lead to other jumps, loops that begin with a question, the places where
// a stretch of code begins.
#include "quickener.h"

int base_operands(int op) { return op_shapes[op].operands; }

int base_after(const Program *p, int pc) { return pc + 1 + op_shapes[p->code[pc]].operands; }

// ---- where jumps really lead ---------------------------------------------------------------------

enum { HOPS = 16 };

int base_follow(const Program *p, int pc) {
    for (int i = 0; i < HOPS && p->code[pc] == OP_JMP; i++) pc = p->code[pc + 1];
    return pc;
}

// A jump to `pc` that leaves a truth on the stack. Follows it as long as what stands there only asks for that
// truth; true if the truth is used up on the way.
bool base_follow_truth(const Program *p, bool truth, int *pc) {
    for (int i = 0; i < HOPS; i++) {
        int at = base_follow(p, *pc);
        switch ((Opcode)p->code[at]) {
        case OP_JZ: *pc = base_follow(p, truth ? base_after(p, at) : p->code[at + 1]); return true;
        case OP_JNZ: *pc = base_follow(p, truth ? p->code[at + 1] : base_after(p, at)); return true;
        case OP_JZK:
        case OP_JNZK:
            if (truth != (p->code[at] == OP_JNZK)) {
                *pc = base_follow(p, base_after(p, at));
                return true;
            }
            *pc = p->code[at + 1];
            break;
        default: *pc = at; return false;
        }
    }
    return false;
}

bool base_iterates(int op) {
    return op == OP_ITER_LIST || op == OP_ITER_RANGE || op == OP_ITER_CELLS;
}

static bool plain_at(const Quickener *q, int pc, Opcode op) {
    return pc < q->p->ncode && !q->leads[pc] && q->p->code[pc] == (int32_t)op;
}

static bool more_than_none(const Quickener *q, int at) {
    return plain_at(q, at, OP_PUSH) && q->p->code[at + 1] == 0 && plain_at(q, at + 2, OP_GT);
}

// `at`: what follows the element on the stack. Gives where the answer is asked for, or -1.
static int find_question(const Quickener *q, int head, int at, Filter *f) {
    const int32_t *code = q->p->code;
    *f = (Filter){.what = -1, .family = -1};
    if (plain_at(q, at, OP_EMPTY) || plain_at(q, at, OP_OCCUPIED)) {
        f->op = code[at] == OP_EMPTY ? Q_EACH_EMPTY : Q_EACH_OCC;
        return at + 1;
    }
    if (plain_at(q, at, OP_COUNT)) {
        f->op = Q_EACH_MORE;
        f->what = at + 1;
        return plain_at(q, at + 1, OP_PUSH) && plain_at(q, at + 3, OP_GT) ? at + 4 : -1;
    }
    // A kind that is the same for all elements.
    bool same =
        plain_at(q, at, OP_PUSH) || (plain_at(q, at, OP_LOAD) && code[at + 1] != code[head + 2] &&
                                     code[at + 1] != code[head + 3]);
    if (!same) return -1;
    f->op = Q_EACH_KIND;
    f->what = at;
    at += 2;
    if (plain_at(q, at, OP_FAMILY) && q->p->families[code[at + 1]].dims == 1) {
        f->family = code[at + 1];
        at += 2;
    }
    return plain_at(q, at, OP_COUNT_KIND) && more_than_none(q, at + 1) ? at + 4 : -1;
}

bool find_filter(const Quickener *q, int head, Filter *f) {
    const int32_t *code = q->p->code;
    int at = head + 1 + op_shapes[OP_ITER_LIST].operands;
    if (code[head] != OP_ITER_LIST || !plain_at(q, at, OP_LOAD) || code[at + 1] != code[head + 3])
        return false;
    at = find_question(q, head, at + 2, f);
    if (at < 0 || !plain_at(q, at, OP_JZ) || base_follow(q->p, code[at + 1]) != head) return false;
    f->next = at + 2;
    return true;
}

// All places to which something jumps, goes on, or comes back.
void find_leaders(Quickener *q) {
    const Program *p = q->p;
    for (int pc = 0; pc < p->ncode; pc = base_after(p, pc)) {
        const int32_t *w = p->code + pc;
        if (q->depths[pc] < 0) continue;
        int target = -1;
        switch ((Opcode)w[0]) {
        case OP_JMP:
        case OP_JZ:
        case OP_JNZ: target = base_follow(p, w[1]); break;
        case OP_JZK:
        case OP_JNZK:
            target = w[1];
            (void)base_follow_truth(p, w[0] == OP_JNZK, &target);
            break;
        case OP_ITER_LIST:
        case OP_ITER_RANGE:
        case OP_ITER_CELLS: target = base_follow(p, w[op_shapes[w[0]].operands]); break;
        case OP_WOULD:
            q->leads[w[1]] = true;
            target = w[2];
            break;
        default: break;
        }
        if (target >= 0) q->leads[target] = true;
    }
    q->leads[0] = true;
    for (int i = 0; i < p->nalternatives; i++) q->leads[p->alternatives[i].target] = true;
    for (int i = 0; i < p->nthrows; i++) q->leads[p->throws[i].target] = true;
    for (int i = 0; i < p->ndecisions; i++) q->leads[p->decisions[i].pc] = true;
    // A round begins after the loop's head, or after the question that belongs to it.
    for (int pc = 0; pc < p->ncode; pc = base_after(p, pc)) {
        Filter f;
        if (q->depths[pc] < 0 || !base_iterates(p->code[pc])) continue;
        q->leads[find_filter(q, pc, &f) ? f.next : base_after(p, pc)] = true;
    }
}
