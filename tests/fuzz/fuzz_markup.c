/* fuzz_markup: no text can leave its place in a page. What is written has no character that ends an attribute or begins a tag or an
 * entity of its own, is UTF-8 without control characters, and says, read back, what the text says; a cut one is no wider than asked. */
#include "fuzz.h"
#include "gputab/base/utf8.h"
#include "gputab/render/markup.h"

static const struct { const char *escape; char c; } escapes[] = {
    {"&amp;", '&'}, {"&lt;", '<'}, {"&gt;", '>'}, {"&quot;", '"'}, {"&#39;", '\''}, {"&#96;", '`'},
};
enum { ESCAPES = sizeof escapes / sizeof escapes[0] };

/* One character of a page as a reader sees it. */
static uint32_t read_character(const char **p, const char *end)
{
    if (**p != '&')
        return utf8_next(p, end);
    for (int i = 0; i < ESCAPES; i++) {
        size_t n = strlen(escapes[i].escape);

        if ((size_t)(end - *p) >= n && memcmp(*p, escapes[i].escape, n) == 0) {
            *p += n;
            return (uint32_t)(unsigned char)escapes[i].c;
        }
    }
    FUZZ_CHECK(!"an ampersand of an entity that markup does not write");
    return 0;
}

static void check_safe(const struct buf *b)
{
    for (size_t i = 0; i < b->n; i++) {
        unsigned char c = (unsigned char)b->p[i];

        FUZZ_CHECK(c >= 0x20 && c != 0x7f && !strchr("<>\"'`", c));
    }
}

/* Each character of the text is there, or U+FFFD or a blank in its place. */
static void check_same(struct span text, const struct buf *b)
{
    const char *p = text.p, *end = p + text.n, *q = buf_str(b), *q_end = q + b->n;

    while (p < end) {
        uint32_t want = utf8_next(&p, end), got;

        FUZZ_CHECK(q < q_end);
        got = read_character(&q, q_end);
        FUZZ_CHECK(got == want || got == 0xfffd || (got == ' ' && (want == '\t' || want == '\n' || want == '\r')));
        FUZZ_CHECK(got != 0xfffd || want == 0xfffd || want < 0x20 || want >= 0x7f);
    }
    FUZZ_CHECK(q == q_end);
}

/* Columns of what a reader sees. */
static size_t seen_width(const struct buf *b)
{
    const char *p = buf_str(b), *end = p + b->n;
    struct buf seen = {0};
    size_t width;

    while (p < end) {
        const char *from = p;
        uint32_t c = read_character(&p, end);

        if (*from == '&')
            buf_addc(&seen, (char)c);
        else
            buf_add(&seen, from, (size_t)(p - from));
    }
    width = utf8_width(buf_span(&seen));
    buf_free(&seen);
    return width;
}

static void check_cut(const char *text, size_t width)
{
    struct buf b = {0};

    markup_add_cut(&b, text, width);
    check_safe(&b);
    FUZZ_CHECK(seen_width(&b) <= width + utf8_width(span_of("\xe2\x80\xa6")) - 1);
    buf_free(&b);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct span text = {(const char *)data, size};
    struct buf b = {0}, whole = {0};

    markup_span(&b, text);
    check_safe(&b);
    check_same(text, &b);
    buf_add_span(&whole, text);
    for (size_t width = 4; width <= 24; width += 10)
        check_cut(buf_str(&whole), width);
    buf_free(&b);
    buf_free(&whole);
    return 0;
}
