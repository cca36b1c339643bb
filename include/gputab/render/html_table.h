/* html_table: tables of figures: heads that can be sorted by, numbers that line up and carry what they stand for. */
#ifndef GPUTAB_RENDER_HTML_TABLE_H
#define GPUTAB_RENDER_HTML_TABLE_H

#include "gputab/render/html.h"

enum { HTML_KEYS = 16 };

struct html_table {
    struct html *h;
    const struct figure_set *s;    /* whose figures it shows */
    bool sparks;                   /* shares as bars, too */
    bool sums;                     /* rows are sums of lines: at least and at most say nothing of them */
    enum figure columns[FIGURES];
    size_t n_columns;
    size_t n_keys;                 /* columns of text before the figures */
};

/* caption: what the table shows, for who hears it; keys: heads of the columns of text. */
void html_table_begin(struct html_table *t, const char *caption, const char *const *keys, size_t n_keys);
void html_table_end(struct html_table *t);
/* A row: its start, its columns of text written by the caller, its figures. class: NULL for none. */
void html_row_begin(struct html_table *t, const char *class);
void html_row_end(struct html_table *t, const struct figures *f);
/* A row of which only the first column has text: a sum, or what was left out. */
void html_row_of(struct html_table *t, const char *class, const char *text, const struct figures *f);
/* A column of text: the first of a row is its head. scope: "row", "rowgroup", or NULL: no head. */
void html_row_key(struct html_table *t, const char *scope, const char *text);
void html_body(struct html_table *t, const char *class);     /* begins a <tbody>; NULL ends the last one */

/* Lines of a report under its own keys, in groups by the first one when it has several; `most` lines at most. */
void html_table_lines(struct html *h, const struct figure_set *s, const char *caption, size_t most);

#endif
