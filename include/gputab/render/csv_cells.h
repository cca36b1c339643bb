/* csv_cells: cells of CSV, in the form that the command line asks for. */
#ifndef GPUTAB_RENDER_CSV_CELLS_H
#define GPUTAB_RENDER_CSV_CELLS_H

#include "gputab/render/render.h"

struct csv_style {
    char delimiter, decimal;
    bool bom;                      /* the text begins with a byte order mark */
    bool raw;                      /* text that a spreadsheet would run stays as it is */
};

struct csv_style csv_style_of(const struct render_cfg *cfg);
extern const struct csv_style csv_style_plain;               /* RFC 4180 for programs: text as it is */

void csv_begin(struct buf *b, const struct csv_style *s);
void csv_text(struct buf *b, const struct csv_style *s, const char *text);
void csv_money(struct buf *b, const struct csv_style *s, money number, int digits);

#endif
