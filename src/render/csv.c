/* csv: the table as RFC 4180 with LF line ends, UTF-8 without BOM: a head, a line per row, no totals.
 * Two kinds of harm are kept from readers: text that a spreadsheet would run as a formula gets a leading ' (never a number, and not
 * with --csv-raw), and bytes that are no UTF-8 become U+FFFD. No number is ever grouped or localised. */
#include <string.h>

#include "gputab/base/utf8.h"
#include "gputab/render/formats.h"

/* As it is, but valid UTF-8. */
static void add_valid(struct buf *b, struct span s)
{
    const char *p = s.p, *end = s.n ? s.p + s.n : s.p;

    while (p != end) {
        const char *from = p;

        if (utf8_next(&p, end) == 0xfffd)
            buf_adds(b, "\xef\xbf\xbd");
        else
            buf_add(b, from, (size_t)(p - from));
    }
}

static void add_quoted(struct buf *b, const char *text)
{
    buf_addc(b, '"');
    for (const char *quote; (quote = strchr(text, '"')); text = quote + 1) {
        add_valid(b, (struct span){text, (size_t)(quote - text)});
        buf_adds(b, "\"\"");
    }
    add_valid(b, span_of(text));
    buf_addc(b, '"');
}

static void add_text(struct buf *b, const char *text, bool raw)
{
    struct buf guarded = {0};

    if (!raw && text[0] && strchr("=+-@\t\r", text[0]))
        buf_addc(&guarded, '\'');
    buf_adds(&guarded, text);
    if (strpbrk(text, ",\"\r\n"))
        add_quoted(b, buf_str(&guarded));
    else
        add_valid(b, buf_span(&guarded));
    buf_free(&guarded);
}

static void add_cell(struct buf *b, const struct column *column, const struct cell *cell, bool raw)
{
    if (cell->type == CELL_TEXT)
        add_text(b, cell->text, raw);
    else if (cell->type != CELL_NULL)
        render_add_number(b, column, cell);
}

/* "grade.A", a member of an object in JSON, is grade_A. */
static void add_head(struct buf *b, const struct table *t)
{
    for (size_t c = 0; c < t->columns.n; c++) {
        if (c)
            buf_addc(b, ',');
        for (const char *p = t->columns.v[c].name; *p; p++)
            buf_addc(b, *p == '.' ? '_' : *p);
    }
}

void render_csv(const struct report *r, const struct render_cfg *cfg, struct sink *out)
{
    const struct table *t = &r->table;
    struct buf *text = &out->text;

    add_head(text, t);
    buf_adds(text, r->draft ? ",draft\n" : "\n");             /* a draft must not pass for a report */
    for (size_t row = 0; row < t->n_rows; row++) {
        for (size_t c = 0; c < t->columns.n; c++) {
            if (c)
                buf_addc(text, ',');
            add_cell(text, &t->columns.v[c], table_cell(t, row, c), cfg->csv_raw);
        }
        buf_adds(text, r->draft ? ",DRAFT\n" : "\n");
        sink_relieve(out);
    }
}
