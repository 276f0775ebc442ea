// What names mean; how things are told to people.

#include "checker.h"

#include "foreign.h"
#include "misspelt.h"
#include "usage.h"

#include <string.h>

// A short form as the author wrote it; NULL if it is long, or not written there.
static const char *written(World *w, const Node *n) {
    enum { SHORT = 24 };
    const char *head = n->kind == NODE_LIST && !n->text ? node_head(n) : NULL;
    size_t size = n->span.end - n->span.start;
    if (!head || size > SHORT) return NULL;
    const char *text = source_of(w->script->sources, n->span)->text + n->span.start;
    bool there = *text == '(' && strncmp(text + 1, head, strlen(head)) == 0 &&
                 text[size - 1] == ')' && !memchr(text, '\n', size);
    return there ? arena_strndup(w->arena, text, size) : NULL;
}

// The value of an option stands where its name does.
const char *text_of(World *w, const Node *n) {
    const char *short_one = written(w, n);
    if (short_one) return short_one;
    if (n->ludeme != L_CHOSEN || (n->kind != NODE_NAME && n->kind != NODE_NUMBER))
        return short_text(w->arena, n);
    return arena_strndup(w->arena, source_of(w->script->sources, n->span)->text + n->span.start,
                         n->span.end - n->span.start);
}

const char *describe(World *w, const Node *n) {
    if (n->kind == NODE_STRING) return "a text in quotes";
    const char *what = type_name(n->type);
    if (n->kind == NODE_LIST && n->type == T_NOTHING) what = "gives no value";
    if (n->kind == NODE_LIST && n->type == T_NOTHING)
        return arena_printf(w->arena, "`%s`, which %s", text_of(w, n), what);
    return arena_printf(w->arena, "`%s`, %s", text_of(w, n), what);
}

Type fail(Node *n) {
    n->type = T_ERROR;
    n->effect = EFFECT_NONE;
    return T_ERROR;
}

Type shape(World *w, Node *n, const Node *at, const char *why) {
    for (uint32_t i = 0; i < n->nkids; i++)
        if (n->kids[i]->kind == NODE_ERROR) return fail(n); // told already
    if (at->kind != NODE_ERROR) report_at(w->diags, w->script, E_SHAPE, at, why);
    return fail(n);
}

bool told_elsewhere(World *w, DiagCode code, const char *message, const Node *n) {
    Node use = *n; // what a library says is told where the author used it
    for (const Expansion *via = n->via; via && script_is_library(w->script, use.span.file);
         via = via->up)
        use.span = via->use;
    for (size_t i = 0; i < w->diags->all.n; i++) {
        const Diag *d = &w->diags->all.at[i];
        if (d->code != code || strcmp(d->message, message) != 0) continue;
        diag_elsewhere(w->diags, (int)i, use.span);
        return true;
    }
    return false;
}

Type no_opponent(World *w, Node *n) {
    const char *why = "`opponent` needs a game of two players";
    // That of two players one is not there was told, where he is named.
    for (size_t i = 0; i < w->diags->all.n && w->players.n == 1; i++) {
        const Diag *d = &w->diags->all.at[i];
        if (d->code != E_UNKNOWN_NAME || !d->mend || strncmp(d->mend, "the one player", 14) != 0)
            continue;
        if (d->labels.n == 0) diag_label(w->diags, (int)i, n->span, "nor is there an opponent");
        return fail(n);
    }
    if (told_elsewhere(w, E_SHAPE, why, n)) return fail(n);
    return shape(w, n, n, why);
}

bool misfit_again(World *w, const Symbol *s, Type given, const Node *n) {
    enum { LABELLED = 3 };
    if (!s->misfit || s->misfit_type != given) return false;
    for (size_t i = 0; i < w->diags->all.n; i++) {
        const Diag *d = &w->diags->all.at[i];
        if (d->code != s->misfit_code || strcmp(d->message, s->misfit) != 0) continue;
        // What was told is about that place only, and stays there.
        bool there = d->span.file == n->span.file && d->span.start == n->span.start;
        for (size_t k = 0; k < d->labels.n; k++)
            there |= d->labels.at[k].span.file == n->span.file &&
                     d->labels.at[k].span.start == n->span.start;
        if (!there && d->labels.n < LABELLED) diag_label(w->diags, (int)i, n->span, "here too");
        return true;
    }
    return false;
}

void note_misfit(World *w, Symbol *s, Type given, int d) {
    if (d < 0) return;
    s->misfit = w->diags->all.at[d].message;
    s->misfit_code = w->diags->all.at[d].code;
    s->misfit_type = given;
}

bool type_fits(Type t, const char *wanted) {
    bool unset = t == T_UNSET;
    if (t == T_ERROR) return true;
    if (strcmp(wanted, "number") == 0) return t == T_NUMBER;
    if (strcmp(wanted, "truth") == 0) return t == T_TRUTH;
    if (strcmp(wanted, "site") == 0) return t == T_SITE || unset;
    if (strcmp(wanted, "player") == 0) return t == T_PLAYER || unset;
    if (strcmp(wanted, "piece") == 0) return t == T_PIECE || unset;
    if (strcmp(wanted, "pieces") == 0) return t == T_PIECE || t == (T_LIST | T_PIECE);
    if (strcmp(wanted, "track") == 0) return t == T_TRACK;
    if (strcmp(wanted, "direction") == 0) return t == T_DIRECTION || unset;
    if (strcmp(wanted, "region") == 0) return t == T_REGION || t == T_TRACK || t == T_LIST;
    if (strcmp(wanted, "place") == 0)
        return t == T_SITE || t == T_REGION || t == T_TRACK || t == T_LIST || unset;
    if (strcmp(wanted, "word") == 0) return t == T_WORD;
    if (strcmp(wanted, "list") == 0) return (t & T_LIST) || t == T_TRACK;
    if (strcmp(wanted, "value") == 0) return !(t & T_LIST) && t != T_NOTHING && t != T_DICE;
    return false;
}

const char *wanted_text(const char *wanted) {
    static const char *const texts[][2] = {
        {"number", "a number"},       {"truth", "a truth"},
        {"site", "a site"},           {"player", "a player"},
        {"piece", "a kind of piece"}, {"pieces", "a kind of piece or several"},
        {"track", "a track"},         {"direction", "a direction"},
        {"region", "a region"},       {"place", "a site or region"},
        {"word", "a word"},           {"list", "a list"},
        {"value", "a value"},
    };
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        if (strcmp(texts[i][0], wanted) == 0) return texts[i][1];
    return wanted;
}

// A name that nobody declared, a direction's say, where a name of the author's was meant that is misspelt where it is made.
bool meant_otherwise(World *w, const Node *n) {
    if (n->kind != NODE_NAME || n->ludeme != L_SYMBOL) return false;
    const Symbol *s = &w->symbols.at[n->ref];
    bool given = s->kind == SYMBOL_DIRECTION || s->kind == SYMBOL_LIST;
    return given &&
           misspelt_unless(w->diags, w->script, n->text, n->span, type_name((Type)n->type));
}

static Type type_called(const char *wanted) {
    static const Type types[] = {T_TRUTH, T_SITE, T_PLAYER, T_PIECE, T_TRACK, T_DIRECTION};
    for (size_t i = 0; i < sizeof types / sizeof *types; i++)
        if (type_fits(types[i], wanted)) return types[i];
    return T_ERROR;
}

// Handed to a definition that uses it several times: it was told of at the first of them.
bool told_of_argument(const World *w, const Node *n) {
    for (size_t i = w->diags->all.n; n->ludeme != L_LOCAL && i-- > 0;) {
        const Diag *d = &w->diags->all.at[i];
        if (d->code == E_TYPE && same_span(d->span, n->span)) return true;
    }
    return false;
}

bool fits(World *w, Node *n, const char *wanted, const char *who) {
    if (n->kind == NODE_ERROR) return false;
    if (type_fits(n->type, wanted)) return n->type != T_ERROR;
    if (w->diags->errors && !diags_full(w->diags) && told_of_argument(w, n)) return fail(n), false;
    if (meant_otherwise(w, n) || lacks_type(w, n, type_called(wanted))) return fail(n), false;
    // Kinds of pieces of which there was to be one.
    Symbol *kinds = n->kind == NODE_NAME && n->ludeme == L_SYMBOL ? &w->symbols.at[n->ref] : NULL;
    if (kinds && kinds->kind != SYMBOL_PIECES) kinds = NULL;
    if (kinds && misfit_again(w, kinds, (Type)n->type, n)) return fail(n), false;
    int d = report_at(w->diags, w->script, E_TYPE, n, who, wanted_text(wanted), describe(w, n));
    mend_type(w, d, n, wanted, who);
    if (kinds) note_misfit(w, kinds, (Type)n->type, d);
    fail(n);
    return false;
}

bool looks_like_site(const char *name) {
    const char *p = name;
    while (*p >= 'a' && *p <= 'z') p++;
    if (p == name || p - name > 2 || *p < '0' || *p > '9') return false;
    while (*p >= '0' && *p <= '9') p++;
    return *p == '\0';
}

static Type symbol_type(World *w, Node *n, const Symbol *s) {
    switch (s->kind) {
    case SYMBOL_PLAYER: return T_PLAYER;
    case SYMBOL_SITE: return T_SITE;
    case SYMBOL_WORD: return T_WORD;
    case SYMBOL_DIRECTION: return T_DIRECTION;
    case SYMBOL_LOST: return fail(n);
    case SYMBOL_DICE: return T_DICE;
    case SYMBOL_PIECE: return T_PIECE;
    case SYMBOL_PIECES: return T_LIST | T_PIECE;
    case SYMBOL_LIST: return T_LIST | s->type;
    case SYMBOL_VAR: {
        const Var *v = &w->vars.at[s->index];
        if (v->index_list < 0) return v->type;
        int d = report_at(w->diags, w->script, E_SHAPE, n,
                          arena_printf(w->arena, "`%s` is one per %s: say which", n->text,
                                       type_name(v->index_type) + 2));
        diag_mend(w->diags, d, "(%s ...)", n->text);
        return fail(n);
    }
    case SYMBOL_REGION:
    case SYMBOL_TRACK:
    case SYMBOL_STORE: break;
    }
    if (s->per_player && w->each < 0) {
        if (w->whose) { // once for an item
            diag_label(w->diags, w->whose - 1, n->span, "so is `%s`", n->text);
            return fail(n);
        }
        // (= capturs inner): of an option that is misspelt, a value.
        if (w->diags->errors && is_option_word(w->script, n->text)) return fail(n);
        int d = report_at(w->diags, w->script, E_WHOSE, n, n->text);
        if (w->settled)
            diag_mend(w->diags, d, "(%s mover), or another player", n->text);
        else
            diag_mend(w->diags, d, "(%s %s), or that of each player by `each:` in front of it all",
                      n->text, w->players.at[0]);
        if (!w->settled) w->whose = d + 1;
        return fail(n);
    }
    return s->kind == SYMBOL_REGION ? T_REGION : s->kind == SYMBOL_TRACK ? T_TRACK : T_SITE;
}

Type check_name(World *w, Node *n) {
    n->effect = EFFECT_NONE;
    if (n->ludeme == L_LOCAL) return n->type = w->expanded->locals.at[n->ref].type;
    int truth = node_truth(n);
    if (truth >= 0) {
        n->ludeme = truth ? L_YES : L_NO;
        return n->type = T_TRUTH;
    }
    if (n->ludeme == L_CHOSEN) {
        n->ref = world_word(w, n->text);
        return n->type = T_WORD;
    }
    int s = world_symbol(w, n->text);
    if (s >= 0) {
        usage_mark(w->script, n->text);
        n->ludeme = L_SYMBOL;
        n->ref = s;
        return n->type = (uint8_t)symbol_type(w, n, &w->symbols.at[s]);
    }
    LudemeId id = ludeme_find(n->text);
    if (id == L_UNSET) {
        n->ludeme = L_UNSET_VALUE;
        return n->type = T_UNSET;
    }
    if (id == L_MOVER || id == L_OPPONENT) {
        n->ludeme = (uint16_t)id;
        if (id == L_OPPONENT && w->players.n != 2) return no_opponent(w, n);
        return n->type = T_PLAYER;
    }
    return unknown_name(w, n);
}

int word_set_of(const World *w, const Node *n) {
    if (n->type != T_WORD && n->type != (T_LIST | T_WORD)) return -1;
    if (n->ludeme == L_LOCAL) return w->expanded->locals.at[n->ref].words;
    if (n->ludeme != L_SYMBOL) return -1;
    const Symbol *s = &w->symbols.at[n->ref];
    return s->kind == SYMBOL_VAR ? w->vars.at[s->index].words : -1;
}

// A plain word that stands beside one of a known set must be of the set.
bool word_possible(World *w, const Node *set, const Node *word) {
    int words = word_set_of(w, set);
    if (words < 0 || word->kind != NODE_NAME || word->ludeme != L_SYMBOL ||
        w->symbols.at[word->ref].kind != SYMBOL_WORD)
        return true;
    const WordSet ws = w->word_sets.at[words];
    const char *known[64];
    size_t n = 0;
    for (int i = 0; i < ws.n; i++) {
        if (ws.words[i] == w->symbols.at[word->ref].index) return true;
        if (n < 64) known[n++] = w->words.at[ws.words[i]];
    }
    int d = report_at(w->diags, w->script, E_WORD, word, text_of(w, set), word->text);
    const char *list = "";
    for (size_t i = 0; i < n; i++)
        list = arena_printf(w->arena, "%s%s%s", list, i ? ", " : "", known[i]);
    diag_mend(w->diags, d, "it is one of %s", list);
    return false;
}
