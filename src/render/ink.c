/* ink: the one place that knows escape sequences, box characters and display widths.
 * A style is switched off again after every piece of text, so that a line cut anywhere leaves no colour behind. It has no idea of tables
 * or reports. */
#include "gputab/render/ink.h"

#include <string.h>

#include "gputab/base/span.h"
#include "gputab/base/utf8.h"

enum { PHRASE_GAP = 3, PHRASE_INDENT = 2 };

/* SGR codes; NULL: none. Only the eight basic colours: they follow the user's own scheme. */
static const char *const codes[INK_STYLES] = {
    [INK_BOLD] = "1", [INK_DIM] = "2", [INK_LABEL] = "1;7", [INK_GOOD] = "32", [INK_WARN] = "33",
    [INK_BUCKET] = "36", [INK_BAR] = "36",
};

/* A screen that does not show UTF-8 would show several characters for one, and take some of them for orders. */
static void add_character(const struct ink *k, struct buf *b, const char *from, size_t n, uint32_t c)
{
    if (c == 0xfffd && !k->drawing)
        buf_addc(b, '?');
    else if (c < 0x80 || !k->ascii)
        buf_add(b, from, n);
    else
        buf_addf(b, c > 0xffff ? "\\U%08x" : "\\u%04x", (unsigned)c);
}

/* Printable, and without drawing also without U+FFFD. */
static void make_printable(const struct ink *k, struct buf *b, const char *text)
{
    struct buf raw = {0};
    const char *p, *end;

    utf8_add_printable(&raw, span_of(text));
    for (p = buf_str(&raw), end = p + raw.n; p != end;) {
        const char *from = p;
        uint32_t c = utf8_next(&p, end);

        add_character(k, b, from, (size_t)(p - from), c);
    }
    buf_free(&raw);
}

/* Text that is printable already. */
static void add_clean(struct ink *k, enum ink_style style, struct span text)
{
    const char *code = k->colour ? codes[style] : NULL;

    if (!text.n)
        return;
    if (code)
        buf_addf(&k->out->text, "\033[%sm", code);
    buf_add_span(&k->out->text, text);
    if (code)
        buf_adds(&k->out->text, "\033[0m");
    k->column += utf8_width(text);
}

void ink_add(struct ink *k, enum ink_style style, const char *text)
{
    struct buf b = {0};

    make_printable(k, &b, text);
    add_clean(k, style, buf_span(&b));
    buf_free(&b);
}

void ink_line(struct ink *k)
{
    struct buf *text = &k->out->text;

    while (text->n && text->p[text->n - 1] == ' ')
        text->p[--text->n] = '\0';
    buf_addc(text, '\n');
    k->column = 0;
    sink_relieve(k->out);
}

void ink_pad(struct ink *k, size_t column)
{
    if (column <= k->column)
        return;
    buf_fill(&k->out->text, ' ', column - k->column);
    k->column = column;
}

void ink_rule(struct ink *k, size_t width)
{
    struct buf b = {0};

    for (size_t i = 0; i < width; i++)
        buf_adds(&b, k->drawing ? "\xe2\x94\x80" : "-");
    add_clean(k, INK_DIM, buf_span(&b));
    ink_line(k);
    buf_free(&b);
}

size_t ink_width(const struct ink *k, const char *text)
{
    struct buf b = {0};
    size_t n;

    make_printable(k, &b, text);
    n = utf8_width(buf_span(&b));
    buf_free(&b);
    return n;
}

/* The longest beginning of s that is at most `width` columns wide. */
static struct span head_of(struct span s, size_t width)
{
    const char *p = s.p, *end = s.p + s.n, *next = p;

    while (p < end) {
        utf8_next(&next, end);
        if (utf8_width((struct span){s.p, (size_t)(next - s.p)}) > width)
            break;
        p = next;
    }
    return (struct span){s.p, (size_t)(p - s.p)};
}

/* The shortest cut from the front that leaves at most `width` columns. */
static struct span tail_of(struct span s, size_t width)
{
    const char *p = s.p, *end = s.p + s.n;

    while (p < end && utf8_width((struct span){p, (size_t)(end - p)}) > width)
        utf8_next(&p, end);
    return (struct span){p, (size_t)(end - p)};
}

/* Names tell themselves apart at both ends (namespace in front, hash behind): the middle is what can go. */
static void add_cut(struct ink *k, enum ink_style style, struct span text, size_t width)
{
    const char *mark = k->drawing ? "\xe2\x80\xa6" : "..";
    size_t mark_width = k->drawing ? 1 : 2;
    struct buf b = {0};
    struct span head, tail;

    if (width > mark_width) {
        head = head_of(text, (width - mark_width + 1) / 2);
        tail = tail_of(text, width - mark_width - utf8_width(head));
        buf_add_span(&b, head);
        buf_adds(&b, mark);
        buf_add_span(&b, tail);
    } else {
        buf_add_span(&b, head_of(text, width));
    }
    add_clean(k, style, buf_span(&b));
    buf_free(&b);
}

void ink_left(struct ink *k, enum ink_style style, const char *text, size_t width)
{
    size_t end = k->column + width;
    struct buf b = {0};

    make_printable(k, &b, text);
    if (utf8_width(buf_span(&b)) > width)
        add_cut(k, style, buf_span(&b), width);
    else
        add_clean(k, style, buf_span(&b));
    ink_pad(k, end);
    buf_free(&b);
}

void ink_right(struct ink *k, enum ink_style style, const char *text, size_t width)
{
    size_t n = ink_width(k, text);

    ink_pad(k, k->column + (n < width ? width - n : 0));
    ink_add(k, style, text);
}

/* One word, broken where it alone is longer than a line. */
static void add_word(struct ink *k, enum ink_style style, struct span word, size_t indent)
{
    while (word.n) {
        size_t room = k->width > k->column ? k->width - k->column : 0;
        struct span head = head_of(word, room);

        if (!head.n && k->column <= indent)                  /* not even one character fits on a fresh line */
            head = word;
        add_clean(k, style, head);
        word.p += head.n;
        word.n -= head.n;
        if (word.n) {
            ink_line(k);
            ink_pad(k, indent);
        }
    }
}

/* What has come together for the line at hand goes out under one style. */
static void end_run(struct ink *k, enum ink_style style, struct buf *run)
{
    add_clean(k, style, buf_span(run));
    buf_clear(run);
}

static void add_words(struct ink *k, enum ink_style style, const char *text, size_t indent)
{
    struct buf clean = {0}, run = {0};
    const char *p;
    bool first = true;

    make_printable(k, &clean, text);
    for (p = buf_str(&clean); *p; p += *p == ' ') {
        struct span word = {p, strcspn(p, " ")};
        size_t column = k->column + utf8_width(buf_span(&run)), width = utf8_width(word);

        p += word.n;
        if (!first && column + 1 + width > k->width && column > indent) {
            end_run(k, style, &run);
            ink_line(k);
            ink_pad(k, indent);
            column = k->column;
        } else if (!first) {
            buf_addc(&run, ' ');
            column++;
        }
        first = false;
        if (column + width <= k->width) {
            buf_add_span(&run, word);
            continue;
        }
        end_run(k, style, &run);
        add_word(k, style, word, indent);
    }
    end_run(k, style, &run);
    buf_free(&run);
    buf_free(&clean);
}

void ink_words(struct ink *k, enum ink_style style, const char *text, size_t indent)
{
    add_words(k, style, text, indent);
    ink_line(k);
}

void ink_phrase(struct ink *k, enum ink_style style, const char *text)
{
    size_t n = ink_width(k, text);
    size_t gap = k->column > PHRASE_INDENT ? PHRASE_GAP : 0;

    if (gap && k->column + gap + n > k->width) {
        ink_line(k);
        ink_pad(k, PHRASE_INDENT);
        gap = 0;
    }
    ink_pad(k, k->column + gap);
    if (k->column + n > k->width)
        add_words(k, style, text, PHRASE_INDENT);
    else
        ink_add(k, style, text);
}
