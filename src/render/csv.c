/* csv: the table as RFC 4180 with LF line ends: a head, a line per row, no totals. UTF-8 without byte order mark, commas and points, unless
 * the command line says otherwise (csv_cells.c). No number is ever grouped, or localised by the surroundings. */
#include "gputab/render/csv_cells.h"
#include "gputab/render/formats.h"

static void add_cell(struct buf *b, const struct csv_style *s, const struct column *column, const struct cell *cell)
{
    if (cell->type == CELL_TEXT)
        csv_text(b, s, cell->text);
    else if (cell->type != CELL_NULL)
        csv_money(b, s, cell->number, column->digits);
}

/* "grade.A", a member of an object in JSON, is grade_A. */
static void add_head(struct buf *b, const struct csv_style *s, const struct table *t)
{
    for (size_t c = 0; c < t->columns.n; c++) {
        if (c)
            buf_addc(b, s->delimiter);
        for (const char *p = t->columns.v[c].name; *p; p++)
            buf_addc(b, *p == '.' ? '_' : *p);
    }
}

static void end_line(struct buf *b, const struct csv_style *s, const char *last)
{
    if (last) {
        buf_addc(b, s->delimiter);
        buf_adds(b, last);
    }
    buf_addc(b, '\n');
}

void render_csv(const struct report *r, const struct render_cfg *cfg, struct sink *out)
{
    const struct csv_style style = csv_style_of(cfg);
    const struct table *t = &r->table;
    struct buf *text = &out->text;

    csv_begin(text, &style);
    add_head(text, &style, t);
    end_line(text, &style, r->draft ? "draft" : NULL);       /* a draft must not pass for a report */
    for (size_t row = 0; row < t->n_rows; row++) {
        const struct cell *cells = table_row(t, row);

        for (size_t c = 0; c < t->columns.n; c++) {
            if (c)
                buf_addc(text, style.delimiter);
            add_cell(text, &style, &t->columns.v[c], &cells[c]);
        }
        end_line(text, &style, r->draft ? "DRAFT" : NULL);
        sink_relieve(out);
    }
}
