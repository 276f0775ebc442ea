// Letters that look like others, and characters that cannot be seen.
#include <string.h>

#include "stray.h"
#include "utf8.h"

static const char *name_of_hidden(uint32_t code) {
    switch (code) {
    case 0x00AD: return ", a soft hyphen,";
    case 0x200B: return ", a blank without width,";
    case 0x200C:
    case 0x200D: return ", a joiner,";
    case 0x200E:
    case 0x200F: return ", a mark of direction,";
    case 0xFEFF: return ", a byte order mark,";
    default: return utf8_reorders(code) ? ", which turns the direction of the text," : "";
    }
}

void scan_hidden(Reader *r, Span span, uint32_t code) {
    Scan *s = &r->scan;
    bool more = s->stray.what && strcmp(s->stray.what, "hidden") == 0 && s->stray.line == s->line;
    s->stray.what = "hidden";
    s->stray.line = s->line;
    if (more) return;
    bool control = code < 0x20 || (code >= 0x7F && code < 0xA0);
    const char *what =
        arena_printf(r->arena, "the %s character U+%04X%s", control ? "control" : "invisible",
                     (unsigned)code, name_of_hidden(code));
    int report = diag_report(r->diags, E_STRAY_CHARACTER, span, what);
    diag_mend(r->diags, report, "take it away: type anew what stands around it");
}

// The word, with letters that look like those of ASCII beside it replaced by them, and told of.
const char *scan_plain_letters(Reader *r, Span span, size_t size) {
    const char *text = text_at(r, span);
    const char *as_written = arena_intern(r->arena, text, size);
    bool ascii = true;
    for (size_t i = 0; i < size; i++) ascii &= (unsigned char)text[i] < 0x80;
    if (ascii) return as_written;
    char *plain = arena_alloc(r->arena, size + 1);
    size_t n = 0;
    bool mixed = false;
    for (size_t from = 0; from < size;) {
        size_t to = from, doubles = 0;
        bool letters = false;
        Span first = {0};
        uint32_t first_code = 0;
        for (; to < size && (to == from || text[to] != '-');) {
            uint32_t code;
            unsigned bytes = utf8_decode(text + to, size - to, &code);
            if (bytes == 0) return as_written;
            letters |= (text[to] >= 'a' && text[to] <= 'z') || (text[to] >= 'A' && text[to] <= 'Z');
            if (utf8_double(code) && doubles++ == 0) {
                uint32_t at = span.start + (uint32_t)to;
                first = (Span){r->file, at, at + bytes};
                first_code = code;
            }
            to += bytes;
        }
        bool replace = letters && doubles > 0;
        for (size_t i = from; i < to;) {
            uint32_t code;
            unsigned bytes = utf8_decode(text + i, size - i, &code);
            char letter = replace ? utf8_double(code) : '\0';
            if (letter)
                plain[n++] = letter;
            else
                memcpy(plain + n, text + i, bytes), n += bytes;
            i += bytes;
        }
        if (replace && !r->scan.stray.mixed) {
            int report = diag_report(r->diags, E_STRAY_CHARACTER, span,
                                     arena_printf(r->arena, "the letter U+%04X in `%s`",
                                                  (unsigned)first_code, as_written));
            diag_label(r->diags, report, first, "this looks like %c, and is not",
                       utf8_double(first_code));
            diag_mend(r->diags, report, "type it anew, with a plain %c", utf8_double(first_code));
            r->scan.stray.mixed = true;
        }
        mixed |= replace;
        from = to;
    }
    return mixed ? arena_intern(r->arena, plain, n) : as_written;
}
