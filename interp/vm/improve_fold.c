// Instructions on constants.
#include "improve.h"

#include "ask.h"

static bool fold_number(QuickOp op, int32_t a, int32_t b, int32_t *r) {
    switch (op) {
    case Q_ADD: return !__builtin_add_overflow(a, b, r);
    case Q_SUB: return !__builtin_sub_overflow(a, b, r);
    case Q_MUL: return !__builtin_mul_overflow(a, b, r);
    case Q_ADDTO: return !__builtin_add_overflow(a, b, r) && fits_cell(*r);
    case Q_SUBTO: return !__builtin_sub_overflow(a, b, r) && fits_cell(*r);
    case Q_MIN: *r = a < b ? a : b; return true;
    case Q_MAX: *r = a > b ? a : b; return true;
    case Q_EQ: *r = a == b; return true;
    case Q_NE: *r = a != b; return true;
    case Q_LT: *r = a < b; return true;
    case Q_LE: *r = a <= b; return true;
    default: return false;
    }
}

bool ins_fold(const Improver *im, const Ins *ins, const int32_t *v, int32_t *r) {
    const Program *p = im->p;
    switch (ins->op) {
    case Q_COPY: *r = v[0]; return true;
    case Q_STORE: *r = v[0]; return fits_cell(v[0]);
    case Q_NOT: *r = !v[0]; return true;
    case Q_NEG: return !__builtin_sub_overflow(0, v[0], r);
    case Q_ABS: return !__builtin_sub_overflow(0, v[0], r) && (*r = v[0] < 0 ? *r : v[0], true);
    case Q_MAP: *r = table_at(&p->tables[ins->w[1]], v[0]); return true;
    case Q_FAMILY1:
    case Q_FAMILY2:
    case Q_FAMILY3: *r = family_at(&p->families[ins->w[1]], v); return true;
    case Q_NEXT: *r = track_next(p, v[0], v[1]); return true;
    case Q_AHEAD: *r = track_ahead(p, v[0], v[1], v[2]); return true;
    case Q_SIZE: *r = is_list(p, v[0]) ? p->lists[v[0]].n : 0; return is_list(p, v[0]);
    case Q_INDEX:
    case Q_IN:
        if (!is_list(p, v[1])) return false;
        *r = list_position(&p->lists[v[1]], v[0]) + 1;
        if (ins->op == Q_IN) *r = *r > 0;
        return true;
    case Q_NTH: {
        if (!is_list(p, v[0])) return false;
        uint32_t at = (uint32_t)v[1] - 1u;
        *r = at < (uint32_t)p->lists[v[0]].n ? p->lists[v[0]].at[at] : UNSET;
        return true;
    }
    case Q_NEXT_PLAYER:
        *r = v[0] + 1 < p->nplayers ? v[0] + 1 : 0;
        return !im->retires && is_player(p, v[0]);
    case Q_PLAYING: *r = 1; return !im->retires && is_player(p, v[0]);
    default: return fold_number(ins->op, v[0], v[1], r);
    }
}

bool ins_folds(QuickOp op) {
    switch (op) {
    case Q_COPY:
    case Q_STORE:
    case Q_NOT:
    case Q_NEG:
    case Q_ABS:
    case Q_MAP:
    case Q_FAMILY1:
    case Q_FAMILY2:
    case Q_FAMILY3:
    case Q_NEXT:
    case Q_AHEAD:
    case Q_SIZE:
    case Q_INDEX:
    case Q_IN:
    case Q_NTH:
    case Q_NEXT_PLAYER:
    case Q_PLAYING:
    case Q_ADD:
    case Q_SUB:
    case Q_MUL:
    case Q_ADDTO:
    case Q_SUBTO:
    case Q_MIN:
    case Q_MAX:
    case Q_EQ:
    case Q_NE:
    case Q_LT:
    case Q_LE: return true;
    default: return false;
    }
}
