#include "parse.h"

#include "layout.h"
#include "token.h"

// A file that is no text holds nothing that could be read further.
static bool is_text(const Source *source, uint32_t file, Diags *diags) {
    uint32_t where;
    SourceFault fault = source_check(source, &where);
    if (fault == SOURCE_OK) return true;
    Span span = {file, where, where + 1};
    if (fault == SOURCE_NUL) {
        diag_report(diags, E_NUL_BYTE, span);
    } else {
        int report = diag_report(diags, E_NOT_UTF8, span);
        diag_mend(diags, report, "save the script as UTF-8");
    }
    return false;
}

Node *parse_source(Arena *arena, const Sources *sources, uint32_t file, Diags *diags) {
    return parse_laid_out(arena, sources, file, NULL, diags);
}

Node *parse_laid_out(Arena *arena, const Sources *sources, uint32_t file, const LayoutWords *words,
                     Diags *diags) {
    const Source *source = source_of(sources, (Span){.file = file});
    Reader r = {.arena = arena,
                .source = source,
                .file = file,
                .diags = diags,
                .words = words,
                .scan = {.line = 1}};
    if (!is_text(source, file, diags)) {
        Span all = {file, 0, source->size};
        Node *fault = node_new(arena, NODE_ERROR, all);
        return node_list(arena, NODE_SET, all, &fault, 1);
    }
    scan_tokens(&r);
    balance_tokens(&r);
    parse_tokens(&r);
    return r.parse.tree;
}
