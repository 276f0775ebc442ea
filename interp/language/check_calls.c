// Ludemes whose signature in ludemes.def is the whole truth about their arguments.

#include "checker.h"

#include "doubts.h"
#include "eval.h"
#include "fixed_first.h"
#include "foreign.h"
#include "forms.h"
#include "swapped.h"

#include <string.h>

enum { SIG_MAX = 6, SIG_TEXT = 12 };
typedef struct Signature {
    char types[SIG_MAX][SIG_TEXT];
    int n, needed;
    bool rest;
    char keys[SIG_MAX][SIG_TEXT], key_types[SIG_MAX][SIG_TEXT];
    bool must[SIG_MAX]; // the key may not be left out
    int nkeys;
} Signature;

static void read_signature(const char *text, Signature *s) {
    memset(s, 0, sizeof *s);
    bool optional = false;
    char key[SIG_TEXT] = "";
    while (*text) {
        size_t n = strcspn(text, " []:.");
        if (n == 0) {
            if (*text == '[')
                optional = true;
            else if (*text == ']')
                optional = false;
            else if (*text == '.')
                s->rest = true;
            text++;
            continue;
        }
        char word[SIG_TEXT] = "";
        memcpy(word, text, n < SIG_TEXT - 1 ? n : SIG_TEXT - 1);
        text += n;
        if (*text == ':') {
            memcpy(key, word, SIG_TEXT);
            text++;
        } else if (key[0]) {
            memcpy(s->keys[s->nkeys], key, SIG_TEXT);
            s->must[s->nkeys] = !optional;
            memcpy(s->key_types[s->nkeys++], word, SIG_TEXT);
            key[0] = '\0';
        } else {
            memcpy(s->types[s->n++], word, SIG_TEXT);
            if (!optional) s->needed = s->n;
        }
    }
}

const char *usage(World *w, LudemeId id) {
    return arena_printf(w->arena, "(%s%s%s)", ludemes[id].name, *ludemes[id].signature ? " " : "",
                        ludemes[id].signature);
}

// Whether a key that may not be left out is.
static bool lacks_key(const Node *n, const Signature *sig, int k) {
    for (uint32_t i = 1; i < n->nkids; i++)
        if (n->kids[i]->kind == NODE_KEY && strcmp(n->kids[i]->text, sig->keys[k]) == 0)
            return false;
    return sig->must[k];
}

// All of them, to be put between `...:`; NULL if there are none.
static const char *lacking_keys(World *w, const Node *n, const Signature *sig) {
    const char *text = NULL;
    for (int k = 0; k < sig->nkeys; k++)
        if (lacks_key(n, sig, k))
            text = text ? arena_printf(w->arena, "%s:` and `%s", text, sig->keys[k])
                        : arena_printf(w->arena, "%s", sig->keys[k]);
    return text;
}

static bool check_key_argument(World *w, Node *n, uint32_t i, const Signature *sig,
                               const char *name) {
    Node *key = n->kids[i];
    for (uint32_t k = 1; k < i; k++) {
        if (n->kids[k]->kind == NODE_KEY && n->kids[k]->text == key->text) {
            report_at(w->diags, w->script, E_KEY_TWICE, key, key->text);
            return false;
        }
    }
    if (i + 1 >= n->nkids || n->kids[i + 1]->kind == NODE_KEY) {
        report_at(w->diags, w->script, E_KEY_VALUE, key, key->text);
        return false;
    }
    const char *known[SIG_MAX];
    for (int k = 0; k < sig->nkeys; k++) {
        if (strcmp(sig->keys[k], key->text) == 0)
            return check_wanted(w, n->kids[i + 1], sig->key_types[k],
                                arena_printf(w->arena, "%s %s:", name, key->text));
        known[k] = sig->keys[k];
    }
    int d = report_at(w->diags, w->script, E_UNKNOWN_KEY, key, name, key->text);
    const char *near = nearest_name(key->text, known, (size_t)sig->nkeys),
               *lacking = lacking_keys(w, n, sig);
    if (near)
        diag_meant(w->diags, d, "%s:", near);
    else if (lacking)
        diag_mend(w->diags, d, "it takes `%s:`", lacking);
    else
        diag_mend(w->diags, d, "%s", usage(w, ludeme_find(name)));
    return false;
}

static const char *slot_type(const Signature *sig, int i) {
    return sig->types[i < sig->n ? i : sig->n - 1];
}

static const char *order_text(World *w, const Signature *sig, LudemeId id) {
    const char *text = arena_printf(w->arena, "`%s` takes ", ludemes[id].name);
    for (int i = 0; i < sig->n; i++)
        text =
            arena_printf(w->arena, "%s%s%s", text, i ? ", then " : "", wanted_text(sig->types[i]));
    return text;
}

static uint32_t kid_number(const Node *n, const Node *kid) {
    uint32_t i = 1;
    while (n->kids[i] != kid) i++;
    return i;
}

// The arguments against the signature. One that does not fit is told of once, and with it another if both have changed places:
// then they are put back.
static bool arguments_fit(World *w, Node *form, Node **given, int n, const Signature *sig,
                          LudemeId id) {
    int wrong = 0;
    while (wrong < n && type_fits((Type)given[wrong]->type, slot_type(sig, wrong))) wrong++;
    if (wrong == n) return true;
    for (int other = 0; other < n; other++) {
        bool swapped = other != wrong &&
                       type_fits((Type)given[wrong]->type, slot_type(sig, other)) &&
                       type_fits((Type)given[other]->type, slot_type(sig, wrong));
        if (!swapped) continue;
        Argument a = {kid_number(form, given[wrong]), 1}, b = {kid_number(form, given[other]), 1};
        report_swapped(w->diags, w->script, form, a.at < b.at ? a : b, a.at < b.at ? b : a,
                       order_text(w, sig, id));
        Node *moved = given[wrong];
        form->kids[a.at] = given[wrong] = given[other];
        form->kids[b.at] = given[other] = moved;
        return arguments_fit(w, form, given, n, sig, id);
    }
    bool good = true;
    bool ways = given[wrong]->type == (T_LIST | T_DIRECTION); // one message for all of them
    for (int i = wrong; i < n && (good || !ways); i++)
        good &= fits(w, given[i], slot_type(sig, i), ludemes[id].name);
    return good;
}

static bool is_place(Type t) { return t == T_SITE || t == T_REGION || t == T_TRACK; }

// (mover man): what is of each player stands first.
void mend_whose(World *w, int d, const Node *n, const Node *kid, LudemeId id) {
    int s = kid->kind == NODE_NAME ? world_symbol(w, kid->text) : -1;
    const Symbol *of = s >= 0 ? &w->symbols.at[s] : NULL;
    bool each = of && (of->per_player || (of->kind == SYMBOL_PIECES && of->type == T_PLAYER) ||
                       (of->kind == SYMBOL_VAR && w->vars.at[of->index].index_type == T_PLAYER &&
                        w->vars.at[of->index].index_list >= 0));
    if (each && n->nkids == 2 && (id == L_MOVER || type_named(ludemes[id].result) == T_PLAYER))
        diag_mend(w->diags, d, "(%s %s)", kid->text, ludemes[id].name);
    else
        diag_mend(w->diags, d, id == L_MOVER ? "write %s" : "write (%s)", ludemes[id].name);
}

// How fixed a number is as it will be written: of two that are compared the more fixed one stands second.
static int fixedness(const Node *n) {
    return n->kind != NODE_NUMBER ? 0 : n->ludeme == L_CHOSEN ? 1 : 2;
}

// (< 1 k), or (> k 1) that says the same.
static const char *comparison(World *w, LudemeId id, const Node *a, const Node *b) {
    bool turn = fixedness(a) > fixedness(b);
    return arena_printf(w->arena, "(%s %s %s)", ludemes[turn ? turned(id) : id].name,
                        text_of(w, turn ? b : a), text_of(w, turn ? a : b));
}

static void mend_too_many(World *w, int d, const Node *n, uint32_t i, LudemeId id) {
    const Node *kid = n->kids[i];
    const char *name = ludemes[id].name;
    bool order = id == L_LT || id == L_LE || id == L_GT || id == L_GE || id == L_EQ || id == L_NE;
    if (is_operator(kid))
        diag_mend(w->diags, d, "`%s` stands in front of both: (%s (%s ...) ...)", kid->text,
                  kid->text, name);
    else if (order && n->nkids == 4)
        diag_mend(w->diags, d, "two at a time: (and %s %s)",
                  comparison(w, id, n->kids[1], n->kids[2]), comparison(w, id, n->kids[2], kid));
    else if (mend_colon(w, d, kid))
        return;
    else if (id == L_IN)
        diag_mend(w->diags, d, "a list is written in { }: (in %s {%s %s})", text_of(w, n->kids[1]),
                  text_of(w, n->kids[2]), text_of(w, kid));
    else if (strstr(ludemes[id].signature, "of: pieces") && kid->kind == NODE_NAME &&
             script_find(w->script, L_PIECE, kid->text))
        diag_mend(w->diags, d, "of one kind: (%s %s of: %s)", name, text_of(w, n->kids[1]),
                  kid->text);
    else if (strstr(ludemes[id].signature, "of: pieces") && kid->kind == NODE_LIST &&
             node_head(kid) && script_find(w->script, L_PIECE, node_head(kid)))
        diag_mend(w->diags, d, "of one kind: (%s %s of: %s)", name, text_of(w, n->kids[1]),
                  text_of(w, kid));
    else if (!*ludemes[id].signature)
        mend_whose(w, d, n, kid, id);
    else if (is_place(foresee(w, kid)) && n->nkids > 2 && is_place(foresee(w, n->kids[1])) &&
             (strncmp(ludemes[id].signature, "place", 5) == 0 ||
              strncmp(ludemes[id].signature, "region", 6) == 0))
        diag_mend(w->diags, d, "several sites go into { }: (%s {%s %s})", name,
                  text_of(w, n->kids[1]), text_of(w, kid));
    else if (id == L_NOT)
        diag_mend(w->diags, d,
                  "that none of them holds: (not (or %s %s)); that not all do: (not (and %s %s))",
                  text_of(w, n->kids[1]), text_of(w, kid), text_of(w, n->kids[1]), text_of(w, kid));
}

// ---- keys that may not be left out ---------------------------------------------------------------

// The form with its keys: what stands plain is given the places in order, and the keys that are lacking then.
static const char *keyed(World *w, const Node *n, const Signature *sig, LudemeId id) {
    const char *text = arena_printf(w->arena, "(%s", ludemes[id].name);
    int plain = 0, k = 0;
    for (uint32_t i = 1; i < n->nkids; i++) {
        const Node *kid = n->kids[i];
        const char *key = "";
        if (kid->kind != NODE_KEY && n->kids[i - 1]->kind != NODE_KEY && plain++ >= sig->n) {
            while (k < sig->nkeys && !lacks_key(n, sig, k)) k++;
            if (k == sig->nkeys) return usage(w, id);
            key = arena_printf(w->arena, "%s: ", sig->keys[k++]);
        }
        text = arena_printf(w->arena, "%s %s%s", text, key, part_text(w->arena, w->script, n, i));
    }
    return arena_printf(w->arena, "%s)", text);
}

// Tells which keys are lacking, if any are: at what stands there without one, or the whole form.
static bool key_lacking(World *w, const Node *n, const Node *at, const Signature *sig,
                        LudemeId id) {
    const char *lacking = lacking_keys(w, n, sig);
    if (!lacking) return false;
    Node there = standing_in(n, at);
    int d = report_at(w->diags, w->script, E_MISSING_KEY, lies_within(n, &there) ? &there : n,
                      ludemes[id].name, lacking);
    // What is leapt over stood behind what it is seen from, while neither had a key.
    if (id == L_BEYOND && count_plain(n) == 2 && n->nkids == 3)
        diag_mend(w->diags, d, "write (beyond %s from: %s)", part_text(w->arena, w->script, n, 2),
                  part_text(w->arena, w->script, n, 1));
    else if (at != n)
        diag_mend(w->diags, d, "write %s", keyed(w, n, sig, id));
    else
        diag_mend(w->diags, d, "%s", usage(w, id));
    return true;
}

// What the keys name stands behind the plain arguments, in the order of the signature: so it is evaluated.
static void keys_away(World *w, Node *n, LudemeId id) {
    Signature sig;
    read_signature(ludemes[id].signature, &sig);
    Node **kids = arena_array(w->arena, n->nkids, sizeof *kids);
    uint32_t at = 0;
    kids[at++] = n->kids[0];
    for (uint32_t i = next_plain(n, 0); i; i = next_plain(n, i)) kids[at++] = n->kids[i];
    for (int k = 0; k < sig.nkeys; k++) kids[at++] = key_value(n, sig.keys[k]);
    n->kids = kids;
    n->nkids = at;
}

// (in x a or b), (= x a or b): a word between values, as people say it.
static bool joined(World *w, const Node *n, LudemeId id, int takes) {
    uint32_t at = 0;
    for (uint32_t i = 2; i + 1 < n->nkids; i++) {
        const char *word = n->kids[i]->kind == NODE_NAME ? n->kids[i]->text : "";
        bool joins = n->kids[i]->ludeme != L_LOCAL && n->kids[i + 1]->kind != NODE_KEY &&
                     n->kids[i - 1]->kind != NODE_KEY &&
                     (strcmp(word, "and") == 0 || strcmp(word, "or") == 0);
        if (n->kids[i]->kind == NODE_ERROR) return false;
        if (joins && at == 0) at = i;
    }
    if (at == 0 || script_is_library(w->script, n->span.file)) return false;
    const Node *word = n->kids[at], *before = n->kids[at - 1], *next = n->kids[at + 1];
    int d = report_at(w->diags, w->script, E_SHAPE, word,
                      arena_printf(w->arena, "`%s` cannot stand between things", word->text));
    const char *name = ludemes[id].name;
    if (id == L_EQ && n->nkids == 5 && strcmp(word->text, "or") == 0 && at == 3)
        diag_mend(w->diags, d, "(in %s {%s %s})", text_of(w, n->kids[1]), text_of(w, before),
                  text_of(w, next));
    else if (n->nkids == 4 && takes == 2 && at == 2)
        diag_mend(w->diags, d, "they stand one behind the other: (%s %s %s)", name,
                  text_of(w, before), text_of(w, next));
    else
        diag_mend(w->diags, d, "it stands in front of both: (%s (%s ...) ...)", word->text, name);
    return true;
}

// (count x in: LIST TRUTH): what goes through a list has words of its own. What stands in it is not looked at: its name would
// be unknown.
static bool loop_of_no_loop(World *w, const Node *n, LudemeId id) {
    if (n->nkids < 4 || n->kids[1]->kind != NODE_NAME || n->kids[2]->kind != NODE_KEY ||
        strcmp(n->kids[2]->text, "in") != 0)
        return false;
    const char *name = n->kids[1]->text, *list = text_of(w, n->kids[3]);
    int d = report_at(w->diags, w->script, E_UNKNOWN_KEY, n->kids[2], ludemes[id].name, "in");
    if (id == L_COUNT && n->nkids > 4)
        diag_mend(w->diags, d, "how many there are: (how-many %s in: %s %s)", name, list,
                  text_of(w, n->kids[4]));
    else if (id == L_COUNT)
        diag_mend(w->diags, d, "(count %s) counts the pieces there, (size %s) the sites", list,
                  list);
    else if (id == L_MAX || id == L_MIN)
        diag_mend(w->diags, d, "the %s number: (%s %s in: %s %s)",
                  id == L_MAX ? "largest" : "smallest", id == L_MAX ? "most" : "least", name, list,
                  n->nkids > 4 ? text_of(w, n->kids[4]) : "NUMBER");
    else
        diag_mend(w->diags, d,
                  "any, all, none, how-many, sum, most, least and first go through a list");
    return true;
}

// (nth (+ 1 n list)): what was told of does not fit there as it belongs to the form around, from which it is missing.
static bool moved_bracket(World *w, const Node *n, bool one_missing) {
    const Node *last = n->kids[n->nkids - 1];
    if (!one_missing || last->kind != NODE_LIST || last->nkids < 3 || w->diags->all.n == 0)
        return false;
    const Node *moved = last->kids[last->nkids - 1];
    Diag *told = &w->diags->all.at[w->diags->all.n - 1];
    if (told->span.file != moved->span.file || told->span.start != moved->span.start ||
        told->span.end != moved->span.end)
        return false;
    diag_mend(w->diags, (int)w->diags->all.n - 1, "it belongs to `%s`: (%s %s %s)", node_head(n),
              node_head(n), text_of(w, last), text_of(w, moved));
    return true;
}

// (= x (or 1 3)): one of several, as people say it.
static bool one_of_several(World *w, Node *n, LudemeId id) {
    if ((id != L_EQ && id != L_NE && id != L_IN) || n->nkids != 3) return false;
    Node *several = n->kids[2], *one = n->kids[1];
    const char *head = node_head(several);
    if (!head || strcmp(head, "or") != 0 || several->nkids < 3) return false;
    // Of no truths; whatever they are made of is told of by itself.
    Type t = foresee(w, several->kids[1]);
    if (t == T_ERROR || t == T_TRUTH || t == T_NOTHING) return false;
    int d = report_at(w->diags, w->script, E_SHAPE, several->kids[0],
                      "`or` asks whether one of several truths holds; these are values");
    const char *list = "";
    for (uint32_t i = 1; i < several->nkids; i++)
        list =
            arena_printf(w->arena, "%s%s%s", list, i > 1 ? " " : "", text_of(w, several->kids[i]));
    diag_mend(w->diags, d, id == L_NE ? "(not (in %s {%s}))" : "(in %s {%s})", text_of(w, one),
              list);
    return true;
}

static bool check_arguments(World *w, Node *n, LudemeId id) {
    Signature sig;
    const char *name = ludemes[id].name;
    read_signature(ludemes[id].signature, &sig);
    if (loop_of_no_loop(w, n, id) || one_of_several(w, n, id)) return false;
    for (int k = 0; k < sig.nkeys && sig.n > 0; k++)
        order_value(w, n, sig.types[0], sig.keys[k], sig.key_types[k]);
    int at = 0;
    bool good = true;
    Node *given[SIG_MAX];
    if (joined(w, n, id, sig.n)) return false;
    for (uint32_t i = 1; i < n->nkids; i++) {
        Node *kid = n->kids[i];
        if (kid->kind == NODE_KEY) {
            good &= check_key_argument(w, n, i, &sig, name);
            i++;
            continue;
        }
        int slot = at < sig.n ? at : sig.rest ? sig.n - 1 : -1;
        if (slot < 0) {
            // What came before may be a part of it: (not joined other), where `joined` needs its brackets.
            if (!good && n->kids[i - 1]->type == T_ERROR) return false;
            if (key_lacking(w, n, kid, &sig, id)) return false;
            int d = report_at(w->diags, w->script, E_TOO_MANY, kid, name, usage(w, id));
            mend_too_many(w, d, n, i, id);
            return false;
        }
        good &= check_asking(w, kid) != T_ERROR;
        if (at < SIG_MAX)
            given[at] = kid;
        else
            good = fits(w, kid, sig.types[slot], name) && good;
        at++;
    }
    if (at >= sig.needed && good && key_lacking(w, n, n, &sig, id)) return false;
    if (at >= sig.needed)
        return good && arguments_fit(w, n, given, at < SIG_MAX ? at : SIG_MAX, &sig, id);
    if (at < sig.needed) {
        // Which one is missing? The first that does not fit stands for the next.
        int gap = 0;
        while (gap < at && type_fits((Type)given[gap]->type, slot_type(&sig, gap))) gap++;
        const char *what = sig.needed == 1 ? wanted_text(sig.types[gap])
                                           : arena_printf(w->arena, "%s as its argument %d",
                                                          wanted_text(sig.types[gap]), gap + 1);
        bool faulty = false;
        for (uint32_t i = 1; i < n->nkids; i++) faulty |= n->kids[i]->kind == NODE_ERROR;
        faulty |= !good && moved_bracket(w, n, at + 1 == sig.needed);
        if (!faulty) {
            int d = report_at(w->diags, w->script, E_TOO_FEW, n, name, what);
            if (id == L_SCORE && at == 1 && gap == 1)
                diag_mend(
                    w->diags, d,
                    "(score PLAYER n) gives points at the end; what is counted in play is kept "
                    "in a (var points per: players)");
            else
                diag_mend(w->diags, d, "%s", usage(w, id));
        }
        return false;
    }
    return good;
}

Type element_type(Type t) {
    return t == T_TRACK ? T_SITE : (Type)((unsigned)t & ~(unsigned)T_LIST);
}

Type type_named(const char *name) {
    static const struct {
        const char *name;
        Type type;
    } names[] = {{"", T_NOTHING},      {"number", T_NUMBER}, {"truth", T_TRUTH},
                 {"site", T_SITE},     {"player", T_PLAYER}, {"piece", T_PIECE},
                 {"region", T_REGION}, {"track", T_TRACK}};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strcmp(names[i].name, name) == 0) return names[i].type;
    return T_ERROR;
}

static Type result_type(const Node *n, LudemeId id) {
    const char *r = ludemes[id].result;
    Type named = type_named(r);
    if (named != T_ERROR) return named;
    if (strcmp(r, "same") == 0) {
        Type t = (Type)n->kids[1]->type;
        return id == L_FACING && t == T_TRACK ? T_REGION : t;
    }
    return element_type(n->kids[n->nkids - 1]->type);
}

bool comparable(Type a, Type b) {
    if (a == T_ERROR || b == T_ERROR || a == b) return true;
    bool settable = a != T_NUMBER && a != T_TRUTH && b != T_NUMBER && b != T_TRUTH;
    return settable && (a == T_UNSET || b == T_UNSET);
}

static const char *told(World *w, const Node *n) {
    return arena_printf(w->arena, "`%s` is %s", text_of(w, n), type_name((Type)n->type));
}

// Plain arguments before keys, for whoever comes next: written, they may stand in any order.
static void keys_last(World *w, Node *n) {
    uint32_t first = 1, at = 1;
    while (first < n->nkids && n->kids[first]->kind != NODE_KEY) first++;
    if (!next_plain(n, first + 1)) return;
    Node **kids = arena_array(w->arena, n->nkids, sizeof *kids);
    kids[0] = n->kids[0];
    for (uint32_t i = next_plain(n, 0); i; i = next_plain(n, i)) kids[at++] = n->kids[i];
    for (uint32_t i = first; i + 1 < n->nkids; i++) {
        if (n->kids[i]->kind != NODE_KEY) continue;
        kids[at++] = n->kids[i++];
        kids[at++] = n->kids[i];
    }
    n->kids = kids;
}

// A number as the author wrote it here, and no option's.
static bool literal(const Node *n) { return n->kind == NODE_NUMBER && n->ludeme != L_CHOSEN; }

static bool number_possible(World *w, Node *n, LudemeId id) {
    if ((id == L_DIV || id == L_MOD) && literal(n->kids[2]) && n->kids[2]->number == 0) {
        report_at(w->diags, w->script, E_BY_NOUGHT, n->kids[2]);
        return false;
    }
    if (id != L_NTH || !literal(n->kids[1])) return true;
    int list, high = NUMBER_MAX;
    const Node *of = n->kids[2];
    if (!n->via && (of->type & T_LIST) && of->type != T_ERROR && is_constant(w, of) &&
        evaluate(w, of, NULL, &list) && list >= 0)
        high = w->lists.at[list].n;
    if (n->kids[1]->number >= 1 && n->kids[1]->number <= high) return true;
    if (high < 1) return true; // of an empty list
    int d = report_at(w->diags, w->script, E_SIZE, n->kids[1], "a place in this list", 1, high);
    if (n->kids[1]->number == 0) diag_mend(w->diags, d, "places are counted from 1: (nth 1 LIST)");
    return false;
}

Type check_call(World *w, Node *n, LudemeId id) {
    if (id == L_NTH && n->nkids > 2) w->table = n->kids[2];
    if (!check_arguments(w, n, id)) return fail(n);
    if (ludemes[id].form == FAMILY)
        keys_away(w, n, id);
    else
        keys_last(w, n);
    if (!number_possible(w, n, id)) return fail(n);
    n->effect = ludemes[id].group == DOING ? EFFECT_DOES : EFFECT_NONE;
    Type a = n->nkids > 1 ? n->kids[1]->type : T_NOTHING,
         b = n->nkids > 2 ? n->kids[2]->type : T_NOTHING;
    switch ((int)id) {
    case L_EQ:
    case L_NE:
        if (!comparable(a, b)) {
            if (meant_otherwise(w, n->kids[1]) || meant_otherwise(w, n->kids[2]) ||
                lacks_type(w, n->kids[1], b) || lacks_type(w, n->kids[2], a))
                return fail(n);
            // south for South
            const Node *word = a == T_DIRECTION && b == T_PLAYER   ? n->kids[1]
                               : a == T_PLAYER && b == T_DIRECTION ? n->kids[2]
                                                                   : NULL;
            bool name = word && word->kind == NODE_NAME;
            int d = report_at(w->diags, w->script, E_COMPARE, name ? word : n, told(w, n->kids[1]),
                              told(w, n->kids[2]));
            if (name) respelt(w, d, word->text, false);
            if (a == T_NUMBER && b == T_TRUTH && n->kids[2]->kind == NODE_NAME)
                diag_mend(w->diags, d, "compare it with a number: (> %s 0)",
                          text_of(w, n->kids[1]));
            return fail(n);
        }
        if (!word_possible(w, n->kids[1], n->kids[2]) || !word_possible(w, n->kids[2], n->kids[1]))
            return fail(n);
        break;
    case L_IN:
    case L_INDEX:
        if (b != T_LIST && b != T_ERROR && !comparable(a, element_type(b))) {
            report_at(w->diags, w->script, E_COMPARE, n, told(w, n->kids[1]),
                      arena_printf(w->arena, "each element of `%s` is %s", text_of(w, n->kids[2]),
                                   type_name(element_type(b))));
            return fail(n);
        }
        if (n->kids[2]->kind == NODE_SET)
            for (uint32_t i = 0; i < n->kids[2]->nkids; i++)
                if (!word_possible(w, n->kids[1], n->kids[2]->kids[i])) return fail(n);
        break;
    case L_WHOSE:
        if (a != T_SITE && a != T_PIECE && a != T_ERROR)
            return fits(w, n->kids[1], "site", "whose") ? (n->type = T_PLAYER) : fail(n);
        break;
    case L_UNSET:
        if (a == T_NUMBER && may_lack_type(w, n->kids[1])) return fail(n);
        if (a == T_NUMBER || a == T_TRUTH)
            return shape(w, n, n, "a number or truth is never unset");
        break;
    case L_FACING:
    case L_BEHIND:
    case L_AT:
    case L_STEP:
    case L_RAY:
    case L_ROW:
    case L_COLUMN:
    case L_HALF_TURN:
    case L_QUARTER_TURN:
        if (w->rows == 0) {
            report_at(w->diags, w->script, E_NO_ROWS, n, ludemes[id].name);
            return fail(n);
        }
        if (id == L_QUARTER_TURN && w->rows != w->columns)
            return shape(w, n, n, "a quarter turn needs a board that is as wide as high");
        break;
    default: break;
    }
    if (id == L_EQ || id == L_NE || id == L_LT || id == L_LE || id == L_GT || id == L_GE)
        doubt_comparison(w, n);
    if (id == L_INDEX) doubt_index(w, n);
    Type t = result_type(n, id);
    n->type = (uint8_t)t;
    if ((id == L_ROW || id == L_COLUMN) && is_constant(w, n->kids[1])) {
        int i;
        evaluate(w, n->kids[1], NULL, &i);
        int high = id == L_ROW ? w->rows : w->columns;
        if (i < 1 || i > high) {
            report_no_line(w, n->kids[1], id == L_ROW, i);
            return fail(n);
        }
    }
    if (id == L_ROW || id == L_COLUMN) doubt_row(w, n);
    if (id == L_WITHOUT) doubt_without(w, n);
    if (id == L_WHOSE) doubt_whose(w, n);
    if (t == T_SITE) doubt_site(w, n);
    if (id == L_UNSET) site_may_lack(w, n->kids[1]);
    return t;
}
