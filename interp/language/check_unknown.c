// Names and ludemes that nothing makes: what was meant by them.

#include "checker.h"

#include "foreign.h"
#include "item_order.h"
#include "misspelt.h"
#include "respell.h"
#include "spelling.h"

#include <string.h>

typedef VEC(const char *) Names;

static Names known_names(World *w, const char *name, bool ludeme_wanted) {
    Names known = {0};
    for (size_t i = 0; i < w->symbols.n; i++) {
        const Symbol *s = &w->symbols.at[i];
        if (s->kind == SYMBOL_LOST) continue;
        if (s->kind != SYMBOL_SITE || looks_like_site(name)) vec_push(w->arena, &known, s->name);
    }
    if (!ludeme_wanted)
        for (size_t i = 0; i < w->expanded->locals.n; i++)
            vec_push(w->arena, &known, w->expanded->locals.at[i].name);
    for (size_t i = 0; i < w->script->items.n; i++)
        if (w->script->items.at[i].name) vec_push(w->arena, &known, w->script->items.at[i].name);
    for (int i = 1; i < LUDEMES; i++)
        if (ludeme_wanted ? ludemes[i].group != EQUIPMENT
                          : ludemes[i].group == ASKING && i != L_AND && i != L_OR && i != L_NOT)
            vec_push(w->arena, &known, ludemes[i].name);
    return known;
}

// The same name but for small and great letters, or for letters that look alike.
bool respelt(World *w, int d, const char *name, bool ludeme_wanted) {
    if (d < 0 || diags_many(w->diags)) return false;
    const char *plain = plain_spelling(w->arena, name);
    Names known = known_names(w, plain, ludeme_wanted);
    for (size_t i = 0; i < known.n; i++) {
        if (strcmp(known.at[i], name) == 0 || plain_spelling(w->arena, known.at[i]) != plain)
            continue;
        bool ascii = true;
        for (const char *p = name; *p; p++) ascii &= (unsigned char)*p < 0x80;
        if (!ascii)
            diag_note(w->diags, d,
                      "`%s` has letters of another script that look like those of `%s`", name,
                      known.at[i]);
        diag_meant(w->diags, d, "%s", known.at[i]);
        return true;
    }
    return false;
}

// `steps` is one letter more than `step`, and yet `steps-on` is what gives several. NULL: none is, or more than one.
static const char *plural_of(const Names *known, const char *name, const char *near) {
    size_t n = strlen(name);
    const char *found = NULL;
    if (n < 3 || name[n - 1] != 's' || strlen(near) != n - 1 || strncmp(name, near, n - 1) != 0)
        return NULL;
    for (size_t i = 0; i < known->n; i++) {
        if (strncmp(known->at[i], name, n) != 0 || known->at[i][n] != '-') continue;
        if (found && strcmp(found, known->at[i]) != 0) return NULL;
        found = known->at[i];
    }
    return found;
}

// `attackers`, where there is a piece `attacker`: another form of something that is declared.
static bool suggest_form(World *w, int d, const char *name) {
    if (d < 0 || diags_many(w->diags)) return false;
    for (size_t i = 0; i < w->symbols.n; i++) {
        const Symbol *s = &w->symbols.at[i];
        if (s->kind == SYMBOL_LOST || s->kind == SYMBOL_SITE || *s->name != *name ||
            !forms_of_a_word(s->name, name))
            continue;
        diag_meant(w->diags, d, "%s", s->name);
        return true;
    }
    return false;
}

static bool suggest(World *w, int d, const char *name, bool ludeme_wanted) {
    if (d < 0 || diags_many(w->diags)) return false;
    if (respelt(w, d, name, ludeme_wanted)) return true;
    Names known = known_names(w, name, ludeme_wanted);
    const char *near = nearest_name(name, known.at, known.n);
    if (!near || strcmp(near, name) == 0) return false;
    const char *longer = plural_of(&known, name, near);
    diag_meant(w->diags, d, "%s", longer ? longer : near);
    return true;
}

// A known name that is near to this one, or NULL.
static const char *likely(World *w, const char *name) {
    Names known = known_names(w, name, false);
    return nearest_name(name, known.at, known.n);
}

static bool declared_later(const World *w, const char *name) {
    if (w->settled) return false;
    for (size_t i = 0; i < w->script->items.n; i++)
        if (w->script->items.at[i].name == name && w->script->items.at[i].kind != L_DEFINE)
            return true;
    return false;
}

// A site that a gap takes away. If the script names sites of that gap more than once, it is the gap that is not as it was meant.
static bool told_of_gap(World *w, const Node *n) {
    const Node *gap = board_gap(w, n->text);
    if (!gap) return false;
    for (size_t i = 0; i < w->wrong_gaps.n; i++)
        if (w->wrong_gaps.at[i] == gap) return true;
    bool wrong = board_gap_named(w, gap) > 1;
    int d = report_at(w->diags, w->script, E_UNKNOWN_SITE, wrong ? gap : n, n->text);
    diag_label(w->diags, d, wrong ? n->span : gap->span,
               wrong ? "here, and elsewhere, it is named" : "there is a gap in the board");
    if (!wrong) return true;
    diag_mend(w->diags, d, "this takes away sites that the script names");
    vec_push(w->arena, &w->wrong_gaps, gap);
    return true;
}

// A name that is not even like one that could stand here.
void unknown_word(World *w, const Node *at, const char *name) {
    if (misspelt_declaration(w->diags, w->script, name, at->span)) return;
    int d = report_at(w->diags, w->script, E_UNKNOWN_NAME, at, name, " here");
    suggest(w, d, name, false);
}

// What stands before or after the name in the script, up to the next blank or bracket.
static const char *beside(const World *w, const Node *n, bool after) {
    static const char ends[] = " \t\n\r(){}\"";
    const char *text = source_of(w->script->sources, n->span)->text;
    const char *from = text + (after ? n->span.end : n->span.start);
    size_t size = 0;
    if (after) {
        from += strspn(from, " \t");
        size = strcspn(from, ends);
    } else {
        while (from > text && (from[-1] == ' ' || from[-1] == '\t')) from--;
        for (; from > text && !strchr(ends, from[-1]); from--) size++;
    }
    return arena_strndup(w->arena, from, size);
}

// Whether `where:` follows the name somewhere in its file: (choose to where: TRUTH ...) gives it nothing to be one of. The
// place that is asked about may be a later one.
static bool chosen_from_nothing(const World *w, const Node *n) {
    const char *text = source_of(w->script->sources, n->span)->text, *at = text;
    for (; (at = strstr(at, n->text)) != NULL; at++) {
        const char *after = at + strlen(n->text);
        size_t blanks = strspn(after, " \t");
        bool list = at >= text + 4 && strncmp(at - 4, "in: ", 4) == 0; // of what is chosen
        if (!list && at > text && strchr(" \t\n(", at[-1]) && blanks &&
            strncmp(after + blanks, "where:", 6) == 0)
            return true;
    }
    return false;
}

// `a1 to c1`; `to where: TRUTH`, of a choice.
static bool mend_by_neighbours(World *w, int d, const Node *n) {
    const char *before = beside(w, n, false), *after = beside(w, n, true);
    if (chosen_from_nothing(w, n))
        diag_mend(w->diags, d, "say what it is chosen from: %s in: LIST where: ...", n->text);
    else if (looks_like_site(before) && looks_like_site(after) && strcmp(n->text, "to") == 0)
        diag_mend(w->diags, d, "a run of sites has two dots: %s..%s", before, after);
    else
        return false;
    return true;
}

bool mend_colon(World *w, int d, const Node *n) {
    static const char *const keys[] = {"else", "where", "in",    "as",    "until", "limit",
                                       "from", "to",    "on",    "of",    "along", "by",
                                       "then", "order", "skip",  "after", "first", "at-limit",
                                       "each", "per",   "start", "before"};
    for (size_t i = 0; n->kind == NODE_NAME && i < sizeof keys / sizeof *keys; i++) {
        if (strcmp(keys[i], n->text) != 0) continue;
        diag_mend(w->diags, d, "write `%s:` with a colon", n->text);
        return true;
    }
    return false;
}

static bool is_known(World *w, const char *name) {
    if (*name >= '0' && *name <= '9') return name[strspn(name, "0123456789")] == '\0';
    const char *own = arena_intern_str(w->arena, name);
    for (size_t i = 0; i < w->expanded->locals.n; i++)
        if (w->expanded->locals.at[i].name == own) return true;
    return world_symbol(w, own) >= 0;
}

// n-1 and n-- are names, and meant as something else.
static bool mend_minus(World *w, int d, const char *name) {
    const char *dash = name + strcspn(name, "-"), *rest = dash;
    while (*rest == '-') rest++;
    const char *left = arena_strndup(w->arena, name, (size_t)(dash - name));
    if (rest == dash || dash == name || !is_known(w, left)) return false;
    if (!*rest && rest == dash + 2)
        diag_mend(w->diags, d, "to take from what it was: (change %s by: -1)", left);
    else if (*rest && is_known(w, rest) && !looks_like_site(rest))
        diag_mend(w->diags, d, "minus comes first, with blanks: (- %s %s)", left, rest);
    else
        return false;
    return true;
}

// Is it what an item, or a word, was meant to be called whose name cannot be had?
static bool like_a_clash(World *w, const char *name) {
    for (size_t i = 0; i < w->script->clashes.n; i++) {
        if (w->awaited == 0 || !one_slip(name, w->script->clashes.at[i])) continue;
        w->awaited--;
        return true;
    }
    for (size_t i = 0; i < w->reserved.n; i++)
        if (one_slip(name, w->reserved.at[i])) return true;
    return false;
}

// Or may it be that, or what a throw was to make, as it is like nothing that the author named?
static bool awaited(World *w, const char *name) {
    if (w->awaited == 0 || one_slip(name, "board") || one_slip(name, "players")) return false;
    for (size_t i = 0; i < w->expanded->locals.n; i++)
        if (one_slip(name, w->expanded->locals.at[i].name)) return false;
    for (size_t i = 0; i < w->script->items.n; i++)
        if (w->script->items.at[i].name && !w->script->items.at[i].library &&
            one_slip(name, w->script->items.at[i].name))
            return false;
    w->awaited--;
    return true;
}

// A name with a great letter, as only players have here, that is like none of theirs: who there is.
static bool meant_player(World *w, int d, const char *name) {
    if (d < 0 || *name < 'A' || *name > 'Z' || w->players.n == 0 || diags_many(w->diags))
        return false;
    Names known = known_names(w, name, false);
    const char *near = nearest_name(name, known.at, known.n);
    if (near && *near >= 'A' && *near <= 'Z') return false;
    const char *list = "";
    for (size_t i = 0; i < w->players.n; i++) {
        if (w->players.at[i][0] < 'A' || w->players.at[i][0] > 'Z') return false;
        list = arena_printf(w->arena, "%s%s`%s`", list,
                            i == 0                  ? ""
                            : i + 1 == w->players.n ? " and "
                                                    : ", ",
                            w->players.at[i]);
    }
    diag_mend(w->diags, d, w->players.n == 1 ? "the one player is %s" : "the players are %s", list);
    return true;
}

// How the script uses a name: how often, and as what.
typedef struct Uses {
    size_t n, pieces, of_players, set, lists;
} Uses;

static void gather_uses(const Node *n, const char *name, Uses *uses) {
    const char *head = node_head(n);
    if (head && strcmp(head, name) == 0) {
        uses->n++;
        uses->of_players += n->nkids == 2;
    }
    LudemeId id = head ? ludeme_find(head) : L_UNKNOWN;
    for (uint32_t i = head ? 1 : 0; i < n->nkids; i++) {
        const Node *kid = n->kids[i];
        bool here = kid->kind == NODE_NAME && strcmp(kid->text, name) == 0;
        const Node *key = i > 0 && n->kids[i - 1]->kind == NODE_KEY ? n->kids[i - 1] : NULL;
        uses->n += here;
        uses->pieces +=
            here && ((key && is_key(key, "of")) ||
                     (!key && i > 1 && (id == L_PUT || id == L_MOVE || id == L_REMOVE)));
        uses->lists += here && key && is_key(key, "in");
        uses->set += here && i == 1 && (id == L_SET || id == L_CHANGE);
        gather_uses(kid, name, uses);
    }
}

// What is used several times in the same way was to be declared. True if that was said.
static bool never_declared(World *w, int d, const char *name) {
    enum { SEVERAL = 3 };
    if (d < 0 || diags_many(w->diags)) return false;
    Uses uses = {0};
    for (size_t i = 0; i < w->script->items.n; i++)
        if (!w->script->items.at[i].library) gather_uses(w->script->items.at[i].node, name, &uses);
    if (uses.n < SEVERAL || !(uses.pieces || uses.set || uses.lists)) return false;
    Names known = known_names(w, name, false);
    const char *near = nearest_name(name, known.at, known.n);
    if (near && world_symbol(w, arena_intern_str(w->arena, near)) >= 0) return false;
    const char *item = uses.pieces ? "piece"
                       : uses.set  ? "var"
                                   : "region",
               *more = uses.pieces ? (uses.of_players ? " each: players" : "")
                       : uses.set  ? " ..."
                                   : " SITE...";
    diag_mend(w->diags, d, "nothing declares it: (%s %s%s) among the equipment", item, name, more);
    return true;
}

// In a game of one player, of which it was told that there is no opponent, a name as he has one: the other was left out.
static bool second_player(World *w, const Node *n) {
    if (w->players.n != 1 || *n->text < 'A' || *n->text > 'Z') return false;
    for (size_t i = 0; i < w->diags->all.n; i++) {
        const Diag *d = &w->diags->all.at[i];
        if (d->code != E_SHAPE || strncmp(d->message, "`opponent` needs", 16) != 0) continue;
        diag_label(w->diags, (int)i, n->span, "nor is there a player `%s`", n->text);
        return true;
    }
    return false;
}

// Had what makes the name a fault of its own?
static bool is_lost(const World *w, const char *name) {
    if (script_lost(w->script, name)) return true;
    for (size_t i = 0; i < w->expanded->lost.n; i++)
        if (w->expanded->lost.at[i] == name) return true;
    return false;
}

// The name was made before, within a form that has ended since.
static bool made_before(World *w, int d, const Node *n) {
    const Local *made = NULL;
    for (size_t i = 0; i < w->expanded->locals.n; i++) {
        const Local *l = &w->expanded->locals.at[i];
        bool before = l->span.file == n->span.file && l->span.end <= n->span.start;
        if (before && strcmp(l->name, n->text) == 0 && (!made || l->span.start > made->span.start))
            made = l;
    }
    if (!made) return false;
    diag_label(w->diags, d, made->span, "it is made here, and known only within that form");
    return true;
}

Type unknown_name(World *w, Node *n) {
    if (is_lost(w, n->text)) return fail(n);
    LudemeId id = ludeme_find(n->text);
    if (declared_later(w, n->text)) {
        if (script_find(w->script, L_VAR, n->text))
            report_at(w->diags, w->script, E_CONSTANT, n,
                      arena_printf(w->arena, "equipment (and `%s` is a variable)", n->text));
        else
            report_at(w->diags, w->script, E_LATER, n, n->text);
    } else if (misspelt_declaration(w->diags, w->script, n->text, n->span)) {
        return fail(n);
    } else if (like_a_clash(w, n->text)) {
        world_add(w, n->text, SYMBOL_LOST, n);
    } else if (foreign_mend(n->text, FOREIGN_VALUE) &&
               !(w->diags->errors && is_option_word(w->script, n->text))) {
        int d = report_at(w->diags, w->script, E_UNKNOWN_NAME, n, n->text, " here");
        if (!respelt(w, d, n->text, false))
            diag_mend(w->diags, d, "%s", foreign_mend(n->text, FOREIGN_VALUE));
    } else if (w->diags->errors && is_option_word(w->script, n->text)) {
        return fail(n); // with what it belongs to already told of, a word by itself is no news
    } else if (id != L_UNKNOWN && ludemes[id].group != EQUIPMENT) {
        int d = report_at(w->diags, w->script, E_SHAPE, n,
                          arena_printf(w->arena, "`%s` is a ludeme and stands in ( )", n->text));
        diag_mend(w->diags, d, "write (%s%s)", n->text, *ludemes[id].signature ? " ..." : "");
    } else if (told_of_gap(w, n)) {
        return fail(n);
    } else if (looks_like_site(n->text) && w->rows) {
        report_no_site(w, n, n->text);
    } else if (awaited(w, n->text)) {
        world_add(w, n->text, SYMBOL_LOST, n);
    } else {
        if (second_player(w, n)) return fail(n);
        int d = report_at(w->diags, w->script, E_UNKNOWN_NAME, n, n->text, " here");
        if (mend_by_neighbours(w, d, n) || mend_colon(w, d, n) || mend_minus(w, d, n->text))
            return fail(n);
        const char *dash = strchr(n->text, '-');
        const char *from = dash ? arena_intern(w->arena, n->text, (size_t)(dash - n->text)) : NULL;
        if (from && looks_like_site(from) && looks_like_site(dash + 1))
            diag_mend(w->diags, d, "a run of sites has two dots: %s..%s", from, dash + 1);
        else if (!suggest_form(w, d, n->text) && !never_declared(w, d, n->text) &&
                 !respelt(w, d, n->text, false) && !meant_player(w, d, n->text) &&
                 !suggest(w, d, n->text, false) && !made_before(w, d, n))
            diag_note(w->diags, d,
                      "sites, equipment and names made by let, for, choose are known; words "
                      "are declared by an (option ...) or a (var NAME {WORD ...})");
    }
    return fail(n);
}

// A name that means nothing at all; in a set the name of a ludeme does not either.
static bool means_nothing(World *w, const Node *n) {
    if (n->kind != NODE_NAME || n->ludeme == L_LOCAL || n->ludeme == L_CHOSEN) return false;
    if (node_truth(n) >= 0 || world_symbol(w, n->text) >= 0 || looks_like_site(n->text))
        return false;
    LudemeId id = ludeme_find(n->text);
    if (id == L_UNSET || id == L_MOVER || id == L_OPPONENT || declared_later(w, n->text))
        return false;
    return !(w->diags->errors && is_option_word(w->script, n->text));
}

bool invented_words(World *w, Node *set) {
    enum { TOLD = 4 };
    VEC(const Node *) unknown = {0};
    bool near = false, ways = false;
    for (uint32_t i = 0; i < set->nkids; i++)
        if (means_nothing(w, set->kids[i])) vec_push(w->arena, &unknown, set->kids[i]);
    if (unknown.n < 2) return false;
    for (size_t i = 0; i < unknown.n; i++) {
        const char *name = unknown.at[i]->text;
        near |= unknown.n == 2 && likely(w, name);
        ways |= strcmp(name, "up") == 0 || strcmp(name, "left") == 0;
    }
    if (near) return false;
    const char *rest = "";
    for (size_t i = 1; i < unknown.n; i++) {
        if (i == TOLD && unknown.n > TOLD + 1) {
            rest = arena_printf(w->arena, "%s and %zu more", rest, unknown.n - i);
            break;
        }
        rest = arena_printf(w->arena, "%s%s`%s`", rest,
                            i == 1               ? ""
                            : i + 1 == unknown.n ? " and "
                                                 : ", ",
                            unknown.at[i]->text);
    }
    int d =
        report_at(w->diags, w->script, E_UNKNOWN_NAME, unknown.at[0], unknown.at[0]->text,
                  arena_printf(w->arena, " here, nor %s %s", unknown.n > 2 ? "are" : "is", rest));
    const char *small = plain_spelling(w->arena, unknown.at[0]->text);
    if (looks_like_site(small) && w->rows)
        diag_mend(w->diags, d, "sites are written with a small letter: %s", small);
    else if (ways)
        diag_mend(w->diags, d, "the directions are north, north-east, east, ... north-west");
    else
        diag_mend(w->diags, d, "words of the game's own are declared: (var NAME {%s %s ...})",
                  unknown.at[0]->text, unknown.at[1]->text);
    return true;
}

// One more definition of a library that is not in use: told with the first, and the mend names all libraries.
static bool lacks_library(World *w, const Node *head) {
    enum { LABELS = 3 };
    bool kept = w->lacking && (size_t)w->lacking <= w->diags->all.n;
    const char *library = kept ? library_of(w->arena, head->text) : NULL;
    if (!library || foreign_mend(head->text, FOREIGN_HEAD)) return false;
    Diag *told = &w->diags->all.at[w->lacking - 1];
    const char *uses = told->mend ? strstr(told->mend, "(use ") : NULL;
    const char *end = uses ? strchr(uses, ')') : NULL;
    if (!end || told->mend[strlen(told->mend) - 1] != ')') return false;
    const char *named = strstr(uses, library);
    size_t n = strlen(library);
    if (!named || named[-1] != ' ' || (named[n] != ' ' && named[n] != ')'))
        diag_mend(w->diags, w->lacking - 1, "they are in libraries: add %.*s %s)",
                  (int)(end - uses), uses, library);
    const char *label = arena_printf(w->arena, "nor is `%s`", head->text);
    for (size_t i = 0; i < told->labels.n; i++)
        if (i == LABELS || strcmp(told->labels.at[i].text, label) == 0) return true;
    diag_label(w->diags, w->lacking - 1, head->span, "%s", label);
    return true;
}

void unknown_head(World *w, Node *n) {
    const char *head = n->kids[0]->text;
    if (n->ref < 0 || ludeme_find(head) != L_UNKNOWN || is_something(w->script, head)) return;
    for (uint32_t i = 1; i < n->nkids; i++)
        if (n->kids[i]->kind == NODE_ERROR) return;
    unknown_ludeme(w, n);
}

Type unknown_ludeme(World *w, Node *n) {
    const char *name = n->kids[0]->text;
    if (declared_later(w, name)) {
        report_at(w->diags, w->script, E_LATER, n->kids[0], name);
        return fail(n);
    }
    if (header_misplaced(w->diags, w->script, name)) return fail(n);
    if (misspelt_declaration(w->diags, w->script, name, n->kids[0]->span)) return fail(n);
    if (like_a_clash(w, name)) {
        world_add(w, name, SYMBOL_LOST, n);
        return fail(n);
    }
    if (lacks_library(w, n->kids[0])) return fail(n);
    if (w->script->nameless && !library_of(w->arena, name)) return fail(n);
    int d = report_at(w->diags, w->script, E_UNKNOWN_LUDEME, n->kids[0], name);
    if (script_find(w->script, L_OPTION, name)) {
        if (n->nkids == 2)
            diag_mend(w->diags, d, "it is an option; which value it has is asked: (= %s %s)", name,
                      text_of(w, n->kids[1]));
        else
            diag_mend(w->diags, d, "it is an option, and stands without ( ): %s", name);
        return fail(n);
    }
    if (d >= 0 && library_of(w->arena, name)) w->lacking = d + 1;
    const char *library = d < 0 ? NULL : library_of(w->arena, name),
               *mend = foreign_mend(name, FOREIGN_HEAD);
    if (library && mend)
        diag_mend(w->diags, d, "it is in the library %s: add (use %s); %s", library, library, mend);
    else if (library)
        diag_mend(w->diags, d, "it is in a library: add (use %s)", library);
    else if (!respelt(w, d, name, true) && mend)
        diag_mend(w->diags, d, "%s", mend);
    else if (!mend)
        suggest(w, d, name, true);
    return fail(n);
}
