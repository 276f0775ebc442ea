#include "ast.h"

#include <assert.h>
#include <string.h>

#include "utf8.h"

enum { PRINT_WIDTH = 100, INDENT = 2 };

Node *node_new(Arena *a, NodeKind kind, Span span) {
    Node *n = arena_alloc(a, sizeof *n);
    n->kind = kind;
    n->span = span;
    return n;
}

Node *node_list(Arena *a, NodeKind kind, Span span, Node *const *kids, size_t n) {
    assert(kind == NODE_LIST || kind == NODE_SET || kind == NODE_RANGE);
    Node *node = node_new(a, kind, span);
    node->kids = arena_array(a, n, sizeof(Node *));
    if (n) memcpy(node->kids, kids, n * sizeof(Node *));
    node->nkids = (uint32_t)n;
    return node;
}

Node *node_name(Arena *a, Span span, const char *interned) {
    Node *n = node_new(a, NODE_NAME, span);
    n->text = interned;
    return n;
}

const char *node_head(const Node *n) {
    if (n->kind != NODE_LIST || n->nkids == 0 || n->kids[0]->kind != NODE_NAME) return NULL;
    return n->kids[0]->text;
}

bool is_key(const Node *n, const char *text) {
    return n->kind == NODE_KEY && strcmp(n->text, text) == 0;
}

// Where the printer writes, or with `out` NULL, how wide it would have become.
typedef struct Printer {
    FILE *out;
    size_t column;
} Printer;

static void write_text(Printer *p, const char *text) {
    if (p->out) fputs(text, p->out);
    size_t size = strlen(text);
    for (size_t i = 0; i < size;) {
        uint32_t code;
        unsigned n = utf8_decode(text + i, size - i, &code);
        p->column += n ? utf8_width(code) : 1;
        i += n ? n : 1;
    }
}

static void new_line(Printer *p, size_t indent) {
    fprintf(p->out, "\n%*s", (int)indent, "");
    p->column = indent;
}

static void write_string(Printer *p, const char *text) {
    write_text(p, "\"");
    for (; *text; text++) {
        // Runs of plain characters go out whole, so that their width is that of characters, not
        // bytes.
        size_t plain = strcspn(text, "\"\\\n");
        if (plain) {
            if (p->out) fwrite(text, 1, plain, p->out);
            for (size_t i = 0; i < plain;) {
                uint32_t code;
                unsigned n = utf8_decode(text + i, plain - i, &code);
                p->column += n ? utf8_width(code) : 1;
                i += n ? n : 1;
            }
            text += plain;
        }
        if (*text == '\0') break;
        write_text(p, *text == '\n' ? "\\n" : *text == '"' ? "\\\"" : "\\\\");
    }
    write_text(p, "\"");
}

// Writes the node on one line. Gives up, with false, as soon as the line gets wider than `limit`.
static bool write_flat(Printer *p, const Node *n, size_t limit) {
    char digits[24];
    switch (n->kind) {
    case NODE_NAME: write_text(p, n->text); break;
    case NODE_KEY:
        write_text(p, n->text);
        write_text(p, ":");
        break;
    case NODE_NUMBER:
        snprintf(digits, sizeof digits, "%ld", n->number);
        write_text(p, digits);
        break;
    case NODE_STRING: write_string(p, n->text); break;
    case NODE_RANGE:
        if (!write_flat(p, n->kids[0], limit)) return false;
        write_text(p, "..");
        return write_flat(p, n->kids[1], limit);
    case NODE_LIST:
    case NODE_SET:
        write_text(p, n->kind == NODE_LIST ? "(" : "{");
        for (uint32_t i = 0; i < n->nkids; i++) {
            if (i) write_text(p, " ");
            if (!write_flat(p, n->kids[i], limit)) return false;
        }
        write_text(p, n->kind == NODE_LIST ? ")" : "}");
        break;
    case NODE_ERROR: write_text(p, "/* a fault */"); break;
    }
    return p->column <= limit;
}

// Does the node fit on the line that has come to `column`, `closers` brackets after it included?
static bool fits(const Node *n, size_t column, size_t closers) {
    Printer measure = {NULL, column + closers};
    return write_flat(&measure, n, PRINT_WIDTH);
}

static void write_node(Printer *p, const Node *n, size_t indent, size_t closers);

// The kids of a list or set that does not fit on one line: as many atoms as do fit stay with the
// head, and so does a form right after it, as in `(define (name ...)` and `(if (condition)`. The
// next form and everything after it get lines of their own. A key stays with its value.
static void write_broken(Printer *p, const Node *n, size_t indent, size_t closers) {
    bool broken = false;
    size_t inner = indent + INDENT;
    write_text(p, n->kind == NODE_LIST ? "(" : "{");
    for (uint32_t i = 0; i < n->nkids; i++) {
        const Node *kid = n->kids[i];
        bool key = kid->kind == NODE_KEY && i + 1 < n->nkids && n->kids[i + 1]->kind != NODE_KEY;
        bool form = kid->kind == NODE_LIST || kid->kind == NODE_SET || kid->kind == NODE_RANGE;
        size_t after = i + 1 + key == n->nkids ? closers + 1 : 0;
        bool fit = fits(kid, p->column + 1, after);
        if (key) {
            Printer measure = {NULL, p->column + 1 + after};
            fit = write_flat(&measure, kid, PRINT_WIDTH) &&
                  fits(n->kids[i + 1], measure.column + 1, 0);
        }
        if (i > 0) {
            bool condition = i == 1 && i + 1 < n->nkids && n->kids[0]->kind == NODE_NAME;
            if (!fit || broken || (form && !condition)) {
                new_line(p, inner);
                broken = true;
            } else {
                write_text(p, " ");
            }
        }
        write_node(p, kid, p->column, key ? 0 : after);
        if (key) {
            write_text(p, " ");
            write_node(p, n->kids[++i], inner, after);
        }
    }
    write_text(p, n->kind == NODE_LIST ? ")" : "}");
}

// `indent` is the column of the line's first item; what is broken off is indented from there.
static void write_node(Printer *p, const Node *n, size_t indent, size_t closers) {
    if (fits(n, p->column, closers)) {
        write_flat(p, n, SIZE_MAX);
    } else if (n->kind == NODE_RANGE) {
        write_node(p, n->kids[0], indent, 2);
        write_text(p, "..");
        if (!fits(n->kids[1], p->column, closers)) new_line(p, indent + INDENT);
        write_node(p, n->kids[1], p->column, closers);
    } else if (n->kind == NODE_LIST || n->kind == NODE_SET) {
        write_broken(p, n, indent, closers);
    } else {
        write_flat(p, n, SIZE_MAX);
    }
}

void node_print(FILE *out, const Node *n, int indent) {
    assert(indent >= 0);
    Printer p = {out, (size_t)indent};
    fprintf(out, "%*s", indent, "");
    write_node(&p, n, (size_t)indent, 0);
    fputc('\n', out);
}
