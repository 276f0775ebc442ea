// What is said to an author who wrote one kind of thing for another: how the one is made of the other.

#include "checker.h"

#include "forms.h"

#include <string.h>

static bool is(const char *a, const char *b) { return strcmp(a, b) == 0; }

static bool ends_in(const char *who, const char *key) {
    size_t n = strlen(who), m = strlen(key);
    return n >= m && strcmp(who + n - m, key) == 0;
}

// A number is wanted.
static void mend_number(World *w, int d, const Node *n, const char *who) {
    if (n->type == T_TRUTH)
        diag_mend(w->diags, d, "(if %s 1 else: 0) makes a number of a truth", text_of(w, n));
    else if (n->type == T_SITE && (is(who, "row") || is(who, "column")))
        diag_mend(w->diags, d, "(%s-of %s) is the number of its %s, (%s (%s-of %s)) all of it", who,
                  text_of(w, n), who, who, who, text_of(w, n));
    else if (n->kind != NODE_SET && (n->type == T_SITE || n->type == T_REGION))
        diag_mend(w->diags, d, "how many pieces lie there: (count %s)", text_of(w, n));
    else if (n->type & T_LIST)
        diag_mend(w->diags, d, "how many there are: (size %s)", text_of(w, n));
}

static void mend_truth(World *w, int d, const Node *n) {
    if (n->ludeme == L_CHOSEN && n->kind == NODE_NAME)
        diag_mend(w->diags, d, "ask which value the option has: (= %s %s)", text_of(w, n), n->text);
    else if (n->type == T_NUMBER)
        diag_mend(w->diags, d, "compare it: (> %s 0)", text_of(w, n));
    else if (n->type == T_SITE)
        diag_mend(w->diags, d, "ask something of it: (occupied %s), (unset %s)", text_of(w, n),
                  text_of(w, n));
    else if (n->type == T_REGION && n->kind != NODE_SET)
        diag_mend(w->diags, d, "ask something of it: (occupied %s), (any s in: %s ...)",
                  text_of(w, n), text_of(w, n));
    else if (!(n->type & T_LIST) && n->type != T_NOTHING && n->type != T_TRACK)
        diag_mend(w->diags, d, "whether it is there is (not (unset %s))", text_of(w, n));
}

static void mend_list(World *w, int d, const Node *n, const char *who) {
    bool element = n->kind == NODE_NAME && n->ludeme == L_LOCAL;
    if (!ends_in(who, "in:") && !ends_in(who, "per:")) return;
    if (element && n->type == T_SITE)
        diag_mend(w->diags, d,
                  "a set makes one list of the lists in it, and `%s` is one site of that; what is "
                  "asked of several lists is a definition: (or (filled (row 1)) (filled (row 2)))",
                  n->text);
    else if (n->type == T_NUMBER)
        diag_mend(w->diags, d, "1..%s are the numbers up to it", text_of(w, n));
}

// Whether it is the name of pieces of which each player has a kind.
static bool of_each_player(const World *w, const Node *n) {
    int s = n->kind == NODE_NAME && n->ludeme != L_LOCAL ? world_symbol(w, n->text) : -1;
    return s >= 0 && w->symbols.at[s].kind == SYMBOL_PIECES && w->symbols.at[s].type == T_PLAYER;
}

void mend_type(World *w, int d, const Node *n, const char *wanted, const char *who) {
    bool directions = n->type == (T_LIST | T_DIRECTION);
    if (is(wanted, "player") && is(who, "opponent") && n->type == T_DIRECTION)
        diag_mend(w->diags, d, "the way back is (opposite %s)", text_of(w, n));
    else if (strcmp(wanted, "track") == 0 && n->type == T_REGION)
        diag_mend(w->diags, d, "(path ...) or (loop ...) makes a track of a region");
    else if (n->kind == NODE_NUMBER && (is(wanted, "site") || is(wanted, "place")) && w->nboard > 0)
        diag_mend(w->diags, d, "sites have names: %s; of a list, (nth %ld LIST)",
                  w->sites.at[0].name, n->number > 0 ? n->number : 1);
    else if (n->type == T_DICE)
        diag_mend(w->diags, d, "throw it first: (let v (throw %s))", text_of(w, n));
    else if (n->kind == NODE_NAME && strcmp(wanted, "player") == 0 && n->type == T_DIRECTION)
        respelt(w, d, n->text, false); // south for South
    else if (n->kind == NODE_NAME && strcmp(wanted, "direction") == 0 && n->type == T_PLAYER)
        respelt(w, d, n->text, false);
    else if (n->kind == NODE_SET && n->type == (T_LIST | T_TRUTH) && is(wanted, "truth"))
        diag_mend(w->diags, d, "they stand one by one, without { }: (%s a b)", who);
    else if (n->kind == NODE_SET && n->type == (T_LIST | T_NUMBER) && is(wanted, "number"))
        diag_mend(w->diags, d, "they stand one by one, without { }: (%s a b)", who);
    else if (is(wanted, "value") && n->type == (T_LIST | T_PIECE) && is(who, "="))
        diag_mend(w->diags, d, "whether it is one of them: (in ... %s); one alone is (%s mover)",
                  text_of(w, n), text_of(w, n));
    else if (is(wanted, "value") && ((n->type & T_LIST) || n->type == T_TRACK) &&
             (is(who, "=") || is(who, "!=")))
        diag_mend(w->diags, d,
                  is(who, "=") ? "whether it is one of them: (in ... %s)"
                               : "whether it is none of them: (not (in ... %s))",
                  text_of(w, n));
    else if (n->type == T_PIECE && is(who, "count"))
        diag_mend(w->diags, d, "how many of that kind lie there: (count board of: %s)",
                  text_of(w, n));
    else if (is(wanted, "number"))
        mend_number(w, d, n, who);
    else if (is(wanted, "truth"))
        mend_truth(w, d, n);
    else if (is(wanted, "list"))
        mend_list(w, d, n, who);
    else if (directions && (is(wanted, "place") || is(wanted, "region")))
        diag_mend(w->diags, d, "a set joins lists of directions: {%s ...}", text_of(w, n));
    else if (is(wanted, "region") && n->type == T_SITE)
        diag_mend(w->diags, d, "one site is a region in { }: {%s}", text_of(w, n));
    else if (is(wanted, "piece") && n->type == (T_LIST | T_PIECE))
        diag_mend(w->diags, d,
                  of_each_player(w, n)
                      ? "each player has a kind of it: (%s mover), or another player's"
                      : "it is several kinds: take one, or (for kind in: %s ...)",
                  text_of(w, n));
    else if (strcmp(wanted, "site") == 0 && n->type == T_REGION)
        diag_mend(w->diags, d,
                  "pick one: (nth 1 ...), or go through them with `for`, `any`, `choose`");
}

// (for s in: LIST ...) where a list is wanted: lists are not made by going through others.
Type for_as_list(World *w, Node *n) {
    Binder b;
    read_binder(n, &b);
    const Node *last = n->kids[n->nkids - 1];
    bool filter = node_head(last) && is(node_head(last), "if");
    int d = report_at(w->diags, w->script, E_NO_VALUE, n, "for");
    if (filter || b.ntests)
        diag_mend(w->diags, d,
                  "give the whole list, and cut it where it is gone through: (choose s in: LIST "
                  "where: TRUTH ...), (any s in: LIST where: TRUTH ...)");
    else
        diag_mend(w->diags, d, "lists are joined in a set: {(ray s north) (ray s east)}");
    return fail(n);
}
