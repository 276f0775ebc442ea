#include "foreign.h"

#include <ctype.h>
#include <string.h>

#include "../../grammar/utf8.h"

static const struct {
    const char *word;
    ForeignPlace place;
    const char *mend;
} words[] = {
#define FOREIGN(word, place, mend) {word, FOREIGN_##place, mend},
#define FOREIGN_KEY(ludeme, key, ours, mend)
#include "foreign.def"
#undef FOREIGN
#undef FOREIGN_KEY
};

static const struct {
    const char *ludeme, *key, *ours, *mend;
} keys[] = {
#define FOREIGN(word, place, mend)
#define FOREIGN_KEY(ludeme, key, ours, mend) {ludeme, key, ours, mend},
#include "foreign.def"
#undef FOREIGN
#undef FOREIGN_KEY
};

// "currentPlayer", "CURRENT_PLAYER" and "current-player" are one word.
static bool same_word(const char *a, const char *b) {
    while (*a || *b) {
        while (*a == '-' || *a == '_') a++;
        while (*b == '-' || *b == '_') b++;
        if (tolower((unsigned char)*a) != tolower((unsigned char)*b)) return false;
        if (*a) a++, b++;
    }
    return true;
}

const char *foreign_mend(const char *word, ForeignPlace place) {
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (words[i].place == place && same_word(words[i].word, word)) return words[i].mend;
    return NULL;
}

bool foreign_key(const char *ludeme, const char *key, const char **ours, const char **mend) {
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
        if (strcmp(keys[i].ludeme, ludeme) != 0 || !same_word(keys[i].key, key)) continue;
        *ours = keys[i].ours;
        *mend = keys[i].mend;
        return true;
    }
    return false;
}

const char *plain_spelling(Arena *arena, const char *name) {
    size_t size = strlen(name), n = 0;
    char *plain = arena_alloc(arena, size + 1);
    for (size_t i = 0; i < size;) {
        uint32_t code;
        unsigned bytes = utf8_decode(name + i, size - i, &code);
        char letter = bytes ? utf8_double(code) : '\0';
        if (bytes <= 1 || letter)
            plain[n++] = (char)tolower(letter ? letter : (unsigned char)name[i]);
        else
            memcpy(plain + n, name + i, bytes), n += bytes;
        i += bytes ? bytes : 1;
    }
    return arena_intern(arena, plain, n);
}

// ---- forms ---------------------------------------------------------------------------------------

bool is_operator(const Node *n) {
    static const char *const all[] = {"=", "!=", "<",   "<=", ">",   ">=", "+",
                                      "-", "*",  "and", "or", "mod", "/",  "%"};
    for (size_t i = 0; n->kind == NODE_NAME && i < sizeof all / sizeof *all; i++)
        if (strcmp(n->text, all[i]) == 0) return true;
    return false;
}

const char *short_text(Arena *arena, const Node *n) {
    switch (n->kind) {
    case NODE_NAME: return n->text;
    case NODE_NUMBER: return arena_printf(arena, "%ld", n->number);
    case NODE_STRING: return "\"...\"";
    case NODE_LIST:
        if (n->text) return arena_printf(arena, "(%s ...)", n->text);
        return node_head(n)
                   ? arena_printf(arena, "(%s%s)", node_head(n), n->nkids > 1 ? " ..." : "")
                   : "(...)";
    case NODE_SET: return "{...}";
    case NODE_KEY: return arena_printf(arena, "%s:", n->text);
    case NODE_RANGE:
        return arena_printf(arena, "%s..%s", short_text(arena, n->kids[0]),
                            short_text(arena, n->kids[1]));
    default: return "...";
    }
}

// Whether what stands in the form belongs to it directly, so that an operator in it is about its two neighbours, and
// not about the form and what follows.
static bool holds_parts(const char *head) {
    LudemeId id = ludeme_find(head);
    if (id == L_UNKNOWN || ludemes[id].form == FORM) return true;
    return id == L_NOT || id == L_AND || id == L_OR || id == L_ADD || id == L_SUB || id == L_MUL ||
           id == L_MIN || id == L_MAX;
}

// Is kid i a statement of the form, rather than what it asks first?
static bool among_statements(const char *head, uint32_t i) {
    switch ((int)ludeme_find(head)) {
    case L_DO:
    case L_TURNS:
    case L_REPEAT:
    case L_TURN_OF:
    case L_START:
    case L_PLAY: return true;
    case L_WHEN:
    case L_WHILE:
    case L_FOR:
    case L_CHOOSE:
    case L_LOT: return i > 4;
    default: return false;
    }
}

uint32_t find_infix(Arena *arena, const Node *n, const char **mend) {
    const char *head = node_head(n);
    if (!head) return 0;
    bool ours = ludeme_find(head) != L_UNKNOWN;
    for (uint32_t i = 1; i < n->nkids; i++)
        if (n->kids[i]->kind == NODE_ERROR) return 0;
    // (times-seen >= 3), (mover = South): what the sign is about is a ludeme that takes nothing.
    LudemeId id = ludeme_find(head);
    if (ours && n->nkids == 3 && is_operator(n->kids[1]) && !is_operator(n->kids[0]) &&
        ludemes[id].group == ASKING && n->kids[2]->kind != NODE_KEY &&
        (ludemes[id].signature[0] == '\0' || ludemes[id].signature[0] == '[')) {
        bool name = id == L_MOVER || id == L_OPPONENT;
        *mend = arena_printf(arena, "the operator comes first: (%s %s%s%s %s)", n->kids[1]->text,
                             name ? "" : "(", head, name ? "" : ")", short_text(arena, n->kids[2]));
        return 1;
    }
    if (!holds_parts(head)) return 0;
    for (uint32_t i = ours ? 2 : 1; i + 1 < n->nkids; i++) {
        const Node *sign = n->kids[i], *left = n->kids[i - 1], *right = n->kids[i + 1];
        if (!is_operator(sign) || left->kind == NODE_KEY || right->kind == NODE_KEY) continue;
        if (i == 1 && n->nkids == 3) return 0; // (n > 0): told by what n is
        const char *word = strcmp(sign->text, "%") == 0 ? "mod" : sign->text;
        bool equals = strcmp(sign->text, "=") == 0;
        bool gives = equals && i == 2 && (strcmp(head, "let") == 0 || strcmp(head, "set") == 0);
        if (gives || (equals && among_statements(head, i)))
            *mend = arena_printf(arena, "(%s %s %s)", gives ? head : "set", short_text(arena, left),
                                 short_text(arena, right));
        else
            *mend = arena_printf(arena, "the operator comes first: (%s %s %s)", word,
                                 short_text(arena, left), short_text(arena, right));
        return i;
    }
    return 0;
}

// ---- brackets behind a name ------------------------------------------------------------------------

static void mend_call(Diags *diags, Node *name, Node *list) {
    int d = diag_report(
        diags, E_SHAPE, name->span,
        arena_printf(diags->arena, "`%s` stands before its bracket, not in it", name->text));
    diag_mend(diags, d, "the bracket comes first: (%s%s%s)", name->text, list->nkids ? " " : "",
              list->nkids == 1 ? short_text(diags->arena, list->kids[0])
              : list->nkids    ? "..."
                               : "");
    name->kind = list->kind = NODE_ERROR;
    name->nkids = list->nkids = 0;
}

void mend_calls(Diags *diags, Node *form) {
    for (uint32_t i = 1; i + 1 < form->nkids && form->kind == NODE_LIST; i++) {
        Node *name = form->kids[i], *list = form->kids[i + 1];
        if (name->kind != NODE_NAME || list->kind != NODE_LIST) continue;
        if (name->span.end != list->span.start || ludeme_find(name->text) == L_UNKNOWN) continue;
        mend_call(diags, name, list);
    }
    for (uint32_t i = 0; i < form->nkids; i++) mend_calls(diags, form->kids[i]);
}

// ---- files that are no scripts ----------------------------------------------------------------------

static size_t skip_blanks(const char *text, size_t size, size_t at) {
    while (at < size && isspace((unsigned char)text[at])) at++;
    return at;
}

static bool begins(const char *text, size_t size, const char *with) {
    size_t n = strlen(with);
    for (size_t i = 0; i < n; i++)
        if (i >= size || tolower((unsigned char)text[i]) != with[i]) return false;
    return true;
}

// How many brackets of the text begin as an item of a script does.
static int count_items(const char *text, size_t size) {
    int count = 0;
    for (size_t i = 0; i + 1 < size; i++) {
        if (text[i] != '(') continue;
        size_t at = skip_blanks(text, size, i + 1), n = at;
        while (n < size && (isalnum((unsigned char)text[n]) || text[n] == '-')) n++;
        char word[24] = "";
        if (n == at || n - at >= sizeof word) continue;
        memcpy(word, text + at, n - at);
        LudemeId id = ludeme_find(word);
        if (id == L_GAME || id == L_VARIANT) return 100;
        count += id != L_UNKNOWN && ludemes[id].group == EQUIPMENT;
    }
    return count;
}

const char *foreign_file(const char *text, size_t size, const char **mend) {
    static const char plain_text[] = "save the script as plain text, as UTF-8";
    static const char *const programs[] = {"#include", "#!/",   "import ",  "from ",   "def ",
                                           "class ",   "<?php", "function", "package "};
    size_t at = begins(text, size, "\xEF\xBB\xBF") ? 3 : 0;
    at = skip_blanks(text, size, at);
    text += at;
    size -= at;
    *mend = plain_text;
    if (size == 0 || *text == '(' || *text == '/') return NULL;
    if (begins(text, size, "{\\rtf")) return "this file is in Rich Text Format";
    if (begins(text, size, "<!doctype") || begins(text, size, "<html") ||
        begins(text, size, "<?xml") || begins(text, size, "<svg"))
        return "this file is in HTML or XML";
    if (begins(text, size, "%pdf")) return "this file is in PDF";
    size_t second = skip_blanks(text, size, 1);
    char next = second < size ? text[second] : '\0';
    if (*text == '[' && isalpha((unsigned char)next)) {
        *mend = "a record is played by its script: oldsow run SCRIPT RECORD";
        return "this file is a record of a game";
    }
    bool fenced = *text == '#' || *text == '`';
    for (size_t i = 0; fenced && i + 4 < size; i++) {
        if (memcmp(text + i, "\n```", 4) != 0 && !(i == 0 && memcmp(text, "```", 3) == 0)) continue;
        *mend = "the script stands in a file of its own, without the text round it";
        return "this file is text for people";
    }
    if (count_items(text, size) > 1) return NULL;
    *mend = "a script begins (game \"Title\" ...); `oldsow new` writes one to start from";
    if ((*text == '{' || *text == '[') && (next == '"' || next == '{' || next == '['))
        return "this file is in JSON";
    for (size_t i = 0; i < sizeof programs / sizeof *programs; i++)
        if (begins(text, size, programs[i])) return "this file is a program in another language";
    // Prose: a first word that is none of a script's, and several lines or a sentence of it.
    size_t n = 0, blanks = 0;
    while (n < size && (isalnum((unsigned char)text[n]) || (unsigned char)text[n] >= 0x80)) n++;
    for (size_t i = 0; i < size && text[i] != '\n'; i++) blanks += text[i] == ' ';
    char word[24] = "";
    if (n < sizeof word) memcpy(word, text, n);
    static const char *const ours[] = {"game", "variant"};
    bool heading = (*text == '#' || *text == '*' || *text == '-' || *text == '=') && blanks;
    bool sentence = n > 0 && blanks > 2 && ludeme_find(word) == L_UNKNOWN;
    if ((!heading && !sentence) || (word[0] && nearest_name(word, ours, 2))) return NULL;
    return "this file is text for people";
}
