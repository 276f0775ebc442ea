// (conserve PIECES...): of which kinds no game ever gains or loses any.

#include "equip.h"

void equip_conserve(World *w, const Item *item) {
    const Node *form = item->node;
    for (uint32_t i = 1; i < form->nkids; i++) {
        Node *kid = form->kids[i];
        int value;
        if (kid->kind == NODE_ERROR || kid->kind == NODE_STRING) continue;
        if (!read_constant(w, kid, "pieces", "conserve", &value)) continue;
        int list = kid->type & T_LIST ? value : world_list(w, &value, 1);
        vec_push(w->arena, &w->conserved, (Conserved){list, kid->span});
    }
    if (form->nkids < 2)
        report_at(w->diags, w->script, E_TOO_FEW, form, "conserve", "a kind of piece");
}
