#include "forms.h"

#include <string.h>

Node *key_value(const Node *n, const char *key) {
    for (uint32_t i = 1; i + 1 < n->nkids; i++)
        if (is_key(n->kids[i], key)) return n->kids[i + 1];
    return NULL;
}

const char *const dice_places[CHOOSE_VARS] = {"first",  "second", "third",
                                              "fourth", "fifth",  "sixth"};

int dice_place(const char *key) {
    int place = 0;
    while (place < CHOOSE_VARS && strcmp(dice_places[place], key) != 0) place++;
    return place;
}

uint32_t next_plain(const Node *n, uint32_t i) {
    i++;
    while (i < n->nkids && n->kids[i]->kind == NODE_KEY) i += 2; // a key and its value
    return i < n->nkids ? i : 0;
}

uint32_t count_plain(const Node *n) {
    uint32_t count = 0;
    for (uint32_t i = next_plain(n, 0); i; i = next_plain(n, i)) count++;
    return count;
}

static bool binder_fault(Binder *b, const Node *n, const char *why) {
    b->fault = n;
    b->why = why;
    return false;
}

static bool read_binder_key(Binder *b, const Node *n, uint32_t i) {
    Node *key = n->kids[i];
    if (i + 1 >= n->nkids || n->kids[i + 1]->kind == NODE_KEY)
        return binder_fault(b, key, "nothing follows this");
    Node *value = n->kids[i + 1];
    if (is_key(key, "where")) {
        if (b->ntests == BINDER_TESTS) return binder_fault(b, key, "too many `where:`");
        b->after[b->ntests] = b->nvars;
        b->tests[b->ntests++] = value;
        return true;
    }
    Node **slot = is_key(key, "as")       ? &b->label
                  : is_key(key, "else")   ? &b->otherwise
                  : is_key(key, "weight") ? &b->weight
                                          : NULL;
    if (!slot)
        return binder_fault(b, key, "it takes `in:` after a name, `where:`, `as:` and `else:`");
    if (*slot) return binder_fault(b, key, "this is given twice");
    *slot = value;
    return true;
}

void read_binder(Node *n, Binder *b) {
    memset(b, 0, sizeof *b);
    uint32_t i = 1;
    while (i < n->nkids) {
        Node *kid = n->kids[i];
        if (kid->kind == NODE_NAME && i + 1 < n->nkids && is_key(n->kids[i + 1], "in")) {
            if (i + 2 >= n->nkids) {
                binder_fault(b, n->kids[i + 1], "nothing follows this");
                return;
            }
            if (b->nvars == CHOOSE_VARS) {
                binder_fault(b, kid, "more names than one form may have (6)");
                return;
            }
            b->names[b->nvars] = kid;
            b->domains[b->nvars++] = n->kids[i + 2];
            i += 3;
        } else if (kid->kind == NODE_KEY) {
            if (!read_binder_key(b, n, i)) return;
            i += 2;
        } else {
            break;
        }
    }
    b->body = i;
    for (; i < n->nkids; i++) {
        if (n->kids[i]->kind != NODE_KEY) continue;
        if (!read_binder_key(b, n, i)) return;
        i++;
    }
}

static bool read_hook(Sow *s, Node *n, uint32_t *i, uint32_t names, Hook *hook) {
    Node *list = *i + 1 < n->nkids ? n->kids[*i + 1] : NULL;
    if (!list || list->kind != NODE_LIST || list->nkids != names || *i + 2 >= n->nkids ||
        n->kids[*i + 2]->kind == NODE_KEY) {
        s->fault = n->kids[*i];
        s->why = names == 1 ? "`skip:` is followed by (SITE), a name for the site, then a truth"
                            : "this is followed by (PIECE SITE), names for what is dropped and "
                              "where, then one statement";
        return false;
    }
    hook->first = list->kids[0];
    hook->second = names == 2 ? list->kids[1] : NULL;
    hook->body = n->kids[*i + 2];
    *i += 2;
    return true;
}

void read_sow(Node *n, Sow *s) {
    memset(s, 0, sizeof *s);
    for (uint32_t i = 1; i < n->nkids; i++) {
        Node *kid = n->kids[i];
        if (kid->kind != NODE_KEY) {
            if (s->site) {
                s->fault = kid;
                s->why = "it sows one site";
                return;
            }
            s->site = kid;
            continue;
        }
        if (is_key(kid, "before")) {
            if (!read_hook(s, n, &i, 2, &s->before)) return;
        } else if (is_key(kid, "after")) {
            if (!read_hook(s, n, &i, 2, &s->after)) return;
        } else if (is_key(kid, "skip")) {
            if (!read_hook(s, n, &i, 1, &s->skip)) return;
        } else if ((is_key(kid, "along") || is_key(kid, "order") || is_key(kid, "first")) &&
                   i + 1 < n->nkids) {
            Node **slot = is_key(kid, "along")   ? &s->along
                          : is_key(kid, "order") ? &s->order
                                                 : &s->first;
            *slot = n->kids[++i];
        } else {
            s->fault = kid;
            s->why = "it takes `along:`, `first:`, `order:`, `skip:`, `before:` and `after:`";
            return;
        }
    }
    if (does_nothing(s->before.body)) s->before.body = NULL;
    if (does_nothing(s->after.body)) s->after.body = NULL;
    if (s->skip.body && node_truth(s->skip.body) == 0) s->skip.body = NULL;
}

bool never_comes_back(LudemeId id) {
    switch ((int)id) {
    case L_AGAIN:
    case L_DONE:
    case L_PASS:
    case L_LEAVE:
    case L_BREAK:
    case L_WIN:
    case L_LOSE:
    case L_DRAW:
    case L_HIGHEST_WINS:
    case L_LOWEST_WINS:
    case L_FAIL: return true;
    default: return false;
    }
}

bool never_returns(const Node *n) {
    return n->kind == NODE_LIST && never_comes_back((LudemeId)n->ludeme);
}

bool does_nothing(const Node *n) {
    if (!n) return true;
    const char *head = node_head(n);
    if (!head) return false;
    if (strcmp(head, "let") == 0)
        return n->nkids == 3 && n->kids[2]->effect == EFFECT_NONE && n->kids[2]->kind != NODE_ERROR;
    if (strcmp(head, "do") != 0) return false;
    for (uint32_t i = 1; i < n->nkids; i++)
        if (!does_nothing(n->kids[i])) return false;
    return true;
}
