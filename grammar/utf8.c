#include "utf8.h"

unsigned utf8_decode(const char *s, size_t size, uint32_t *code) {
    static const uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
    if (size == 0) return 0;
    unsigned char lead = (unsigned char)s[0];
    if (lead < 0x80) {
        *code = lead;
        return 1;
    }
    unsigned n = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : 2;
    if (lead < 0xC2 || lead > 0xF4 || n > size) return 0;
    uint32_t c = lead & (0x7Fu >> n);
    for (unsigned i = 1; i < n; i++) {
        unsigned char next = (unsigned char)s[i];
        if ((next & 0xC0) != 0x80) return 0;
        c = c << 6 | (next & 0x3Fu);
    }
    if (c < least[n] || c > 0x10FFFF || (c >= 0xD800 && c <= 0xDFFF)) return 0;
    *code = c;
    return n;
}

typedef struct Block {
    uint32_t first, last;
    unsigned char width;
} Block;

// The blocks that matter in practice, in order; every other character takes one column.
static const Block blocks[] = {
    {0x0300, 0x036F, 0},   // combining diacritics
    {0x0483, 0x0489, 0},   // combining Cyrillic
    {0x0591, 0x05BD, 0},   // Hebrew points
    {0x0610, 0x061A, 0},   // Arabic marks
    {0x064B, 0x065F, 0},   //
    {0x093C, 0x093C, 0},   // Devanagari nukta
    {0x0941, 0x0948, 0},   // and vowel signs
    {0x094D, 0x094D, 0},   //
    {0x0E31, 0x0E31, 0},   // Thai vowels and tones
    {0x0E34, 0x0E3A, 0},   //
    {0x0E47, 0x0E4E, 0},   //
    {0x1100, 0x115F, 2},   // Hangul leading consonants
    {0x1160, 0x11FF, 0},   // Hangul vowels join them
    {0x1AB0, 0x1AFF, 0},   // combining, extended
    {0x1DC0, 0x1DFF, 0},   // combining, supplement
    {0x200B, 0x200F, 0},   // zero-width blanks and joiners
    {0x202A, 0x202E, 0},   // direction marks
    {0x2060, 0x2064, 0},   //
    {0x20D0, 0x20FF, 0},   // combining for symbols
    {0x231A, 0x231B, 2},   // watch, hourglass
    {0x23E9, 0x23EC, 2},   //
    {0x2614, 0x2615, 2},   //
    {0x2648, 0x2653, 2},   // zodiac
    {0x26AA, 0x26AB, 2},   // circles
    {0x2753, 0x2757, 2},   //
    {0x2795, 0x2797, 2},   //
    {0x2B1B, 0x2B1C, 2},   // squares
    {0x2B50, 0x2B50, 2},   // star
    {0x2E80, 0x303E, 2},   // CJK radicals, signs and punctuation
    {0x3041, 0x3098, 2},   // Hiragana
    {0x3099, 0x309A, 0},   // and its combining marks
    {0x309B, 0x33FF, 2},   // Katakana, Bopomofo, enclosed CJK
    {0x3400, 0x4DBF, 2},   // CJK extension A
    {0x4E00, 0x9FFF, 2},   // CJK
    {0xA000, 0xA4CF, 2},   // Yi
    {0xA960, 0xA97F, 2},   // Hangul, extended
    {0xAC00, 0xD7A3, 2},   // Hangul syllables
    {0xF900, 0xFAFF, 2},   // CJK compatibility
    {0xFE00, 0xFE0F, 0},   // variation selectors
    {0xFE20, 0xFE2F, 0},   // combining half marks
    {0xFE30, 0xFE6F, 2},   // CJK compatibility forms
    {0xFEFF, 0xFEFF, 0},   // byte order mark
    {0xFF00, 0xFF60, 2},   // full-width forms
    {0xFFE0, 0xFFE6, 2},   //
    {0x16FE0, 0x18CFF, 2}, // Tangut, Khitan
    {0x1B000, 0x1B2FF, 2}, // Kana, supplement
    {0x1F000, 0x1F0FF, 2}, // tiles and cards
    {0x1F18E, 0x1F18E, 2}, //
    {0x1F191, 0x1F19A, 2}, //
    {0x1F1E6, 0x1F3FA, 2}, // emoji
    {0x1F3FB, 0x1F3FF, 0}, // skin tones join the emoji before them
    {0x1F400, 0x1F64F, 2}, //
    {0x1F680, 0x1F6FF, 2}, //
    {0x1F7E0, 0x1F7EB, 2}, //
    {0x1F900, 0x1FAFF, 2}, //
    {0x20000, 0x3FFFD, 2}, // CJK extensions B and on
    {0xE0100, 0xE01EF, 0}, // variation selectors, supplement
};

unsigned utf8_width(uint32_t code) {
    if (code < blocks[0].first) return 1;
    for (size_t i = 0; i < sizeof blocks / sizeof *blocks; i++) {
        if (code < blocks[i].first) return 1;
        if (code <= blocks[i].last) return blocks[i].width;
    }
    return 1;
}

bool utf8_reorders(uint32_t code) {
    return (code >= 0x202A && code <= 0x202E) || (code >= 0x2066 && code <= 0x2069);
}

bool utf8_hidden(uint32_t code) {
    static const uint32_t ranges[][2] = {
        {0x00, 0x1F},     {0x7F, 0x9F},     {0xAD, 0xAD},     {0x061C, 0x061C}, {0x115F, 0x1160},
        {0x17B4, 0x17B5}, {0x180E, 0x180E}, {0x200B, 0x200F}, {0x2028, 0x202E}, {0x2060, 0x206F},
        {0x3164, 0x3164}, {0xFEFF, 0xFEFF}, {0xFFA0, 0xFFA0}, {0xFFF9, 0xFFFB}, {0xE0000, 0xE00FF},
    };
    for (size_t i = 0; i < sizeof ranges / sizeof *ranges; i++)
        if (code >= ranges[i][0] && code <= ranges[i][1]) return true;
    return false;
}

char utf8_double(uint32_t code) {
    static const struct {
        uint32_t code;
        char letter;
    } doubles[] = {
        // Greek
        {0x391, 'A'},
        {0x392, 'B'},
        {0x395, 'E'},
        {0x396, 'Z'},
        {0x397, 'H'},
        {0x399, 'I'},
        {0x39A, 'K'},
        {0x39C, 'M'},
        {0x39D, 'N'},
        {0x39F, 'O'},
        {0x3A1, 'P'},
        {0x3A4, 'T'},
        {0x3A5, 'Y'},
        {0x3A7, 'X'},
        {0x3BF, 'o'},
        {0x3C1, 'p'},
        {0x3BD, 'v'},
        // Cyrillic
        {0x405, 'S'},
        {0x406, 'I'},
        {0x408, 'J'},
        {0x410, 'A'},
        {0x412, 'B'},
        {0x415, 'E'},
        {0x41A, 'K'},
        {0x41C, 'M'},
        {0x41D, 'H'},
        {0x41E, 'O'},
        {0x420, 'P'},
        {0x421, 'C'},
        {0x422, 'T'},
        {0x425, 'X'},
        {0x430, 'a'},
        {0x435, 'e'},
        {0x43E, 'o'},
        {0x440, 'p'},
        {0x441, 'c'},
        {0x443, 'y'},
        {0x445, 'x'},
        {0x455, 's'},
        {0x456, 'i'},
        {0x458, 'j'},
        {0x501, 'd'},
        {0x51B, 'q'},
        {0x51D, 'w'},
        {0x4BB, 'h'},
    };
    for (size_t i = 0; i < sizeof doubles / sizeof *doubles; i++)
        if (doubles[i].code == code) return doubles[i].letter;
    return '\0';
}
