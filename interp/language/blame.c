#include "blame.h"

#include <string.h>

typedef struct Blame {
    Diags *diags;
    const Script *script;
} Blame;

static bool in_word(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' ||
           c == '_' || (unsigned char)c >= 0x80;
}

// Does the word stand in the text, by itself?
static bool has_word(const char *text, size_t size, const char *word) {
    size_t n = strlen(word);
    for (size_t i = 0; n > 0 && i + n <= size; i++) {
        if (memcmp(text + i, word, n) != 0) continue;
        bool begins = i == 0 || !in_word(text[i - 1]);
        if (begins && (i + n == size || !in_word(text[i + n]))) return true;
    }
    return false;
}

// Does the message show the word: does it stand between `...` there?
static bool shows(const char *message, const char *word) {
    for (const char *open = message; (open = strchr(open, '`')) != NULL; open++) {
        const char *close = strchr(open + 1, '`');
        if (!close) return false;
        if (has_word(open + 1, (size_t)(close - open - 1), word)) return true;
        open = close;
    }
    return false;
}

static const char *text_of_span(const Blame *b, Span span) {
    return source_of(b->script->sources, span)->text + span.start;
}

static bool has_name(const Node *n, const char *name) {
    if ((n->kind == NODE_NAME || n->kind == NODE_KEY) && n->text == name) return true;
    for (uint32_t i = 0; i < n->nkids; i++)
        if (has_name(n->kids[i], name)) return true;
    return false;
}

// What is named in the item that is not there any more, and shown in the message.
static bool took_away(const Node *old, const Node *now, const char *message) {
    bool named = old->kind == NODE_NAME || old->kind == NODE_KEY;
    if (named && ludeme_find(old->text) == L_UNKNOWN && shows(message, old->text) &&
        !has_name(now, old->text))
        return true;
    for (uint32_t i = 0; i < old->nkids; i++)
        if (took_away(old->kids[i], now, message)) return true;
    return false;
}

static bool on_line(const Blame *b, Span span, const char *word) {
    const Source *source = source_of(b->script->sources, span);
    uint32_t size;
    const char *line = source_line(source, source_place(source, span.start).line, &size);
    return has_word(line, size, word);
}

// How sure it is that the mistake is what replaced the item; 0: it seems to have nothing to do with it.
static int has_to_do(const Blame *b, const Diag *d, const Replaced *r) {
    if (r->at.file >= d->span.file) return 0; // that is further from the author
    for (size_t i = 0; i < d->labels.n; i++) {
        Span at = d->labels.at[i].span;
        if (at.file == r->item->span.file && at.start >= r->item->span.start &&
            at.end <= r->item->span.end)
            return 5;
    }
    if (r->name && shows(d->message, r->name)) return 4;
    if (took_away(r->old, r->item, d->message)) return 3;
    if ((d->code == E_UNKNOWN_SITE || d->code == E_BEYOND) && r->kind == L_BOARD_IS) return 3;
    if (!r->name) return 0;
    if (has_word(text_of_span(b, d->span), d->span.end - d->span.start, r->name)) return 2;
    return on_line(b, d->span, r->name);
}

static const Replaced *blamed(const Blame *b, const Diag *d) {
    const Replaced *most = NULL;
    int how = 0;
    for (size_t i = 0; i < b->script->replaced.n; i++) {
        const Replaced *r = &b->script->replaced.at[i];
        int sure = has_to_do(b, d, r);
        if (sure > how) most = r, how = sure;
    }
    return most;
}

// The labels that are left when the message stands at what replaced the item: the place in the game first.
static void move_to(const Blame *b, Diag *d, const Replaced *r) {
    const DiagLabel *old = d->labels.at;
    size_t n = d->labels.n;
    memset(&d->labels, 0, sizeof d->labels);
    vec_push(b->diags->arena, &d->labels, (DiagLabel){d->span, "here, in the game that is varied"});
    for (size_t i = 0; i < n; i++)
        if (old[i].span.file != r->at.file) vec_push(b->diags->arena, &d->labels, old[i]);
    d->span = r->at;
    d->mend = "what replaces something is used as that was; replace what it does not fit, too";
    d->meant = NULL;
}

void blame_replaced(Diags *d, const Script *script) {
    Blame b = {d, script};
    size_t kept = 0;
    if (script->replaced.n == 0) return;
    VEC(const Replaced *) told = {0};
    VEC(size_t) where = {0};
    for (size_t i = 0; i < d->all.n; i++) {
        Diag *diag = &d->all.at[i];
        const Replaced *r =
            diag->placeless || diag->severity == SEVERITY_WARNING ? NULL : blamed(&b, diag);
        size_t k = 0;
        while (r && k < told.n && told.at[k] != r) k++;
        if (r && k < told.n) {
            diag_elsewhere(d, (int)where.at[k], diag->span);
            d->errors--;
            continue;
        }
        if (r) {
            move_to(&b, diag, r);
            vec_push(d->arena, &told, r);
            vec_push(d->arena, &where, kept);
        }
        d->all.at[kept++] = *diag;
    }
    d->all.n = kept;
}
