// A hash of the expanded rules.

#include "expander.h"

#include <string.h>

static uint64_t mix(uint64_t h, const void *data, size_t n) {
    const unsigned char *p = data;
    for (size_t i = 0; i < n; i++) h = (h ^ p[i]) * 1099511628211u; // FNV-1a
    return h;
}

static uint64_t hash_node(uint64_t h, const Node *n) {
    unsigned char kind = (unsigned char)n->kind;
    h = mix(h, &kind, 1);
    if (n->kind == NODE_NUMBER) {
        int32_t number = (int32_t)n->number;
        h = mix(h, &number, sizeof number);
    } else if (n->text && n->kind != NODE_LIST) {
        h = mix(h, n->text, strlen(n->text) + 1);
        if (n->ludeme == L_LOCAL) h = mix(h, &n->ref, sizeof n->ref);
    }
    for (uint32_t i = 0; i < n->nkids; i++) {
        bool doc = n->kids[i]->kind == NODE_STRING && !(i && is_key(n->kids[i - 1], "as"));
        if (!doc) h = hash_node(h, n->kids[i]);
    }
    return mix(h, ")", 1);
}

uint64_t expanded_hash(const Expanded *e) {
    uint64_t h = 14695981039346656037u;
    for (size_t i = 0; i < e->equipment.n; i++) // what is conserved is no rule
        if (e->equipment.at[i].kind != L_CONSERVE) h = hash_node(h, e->equipment.at[i].node);
    if (e->start) h = hash_node(h, e->start);
    if (e->play) h = hash_node(h, e->play);
    return h;
}
