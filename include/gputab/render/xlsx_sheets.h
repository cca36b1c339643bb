/* xlsx_sheets: the sheets of a workbook that stand for themselves; Teams and Charts have headers of their own. */
#ifndef GPUTAB_RENDER_XLSX_SHEETS_H
#define GPUTAB_RENDER_XLSX_SHEETS_H

#include "gputab/render/xlsx_charts.h"
#include "gputab/render/xlsx_teams.h"

#define XLSX_BILLED "$A$5"         /* of the sheet Summary: what was billed */

/* A sheet of rows: what Reconcile needs to know of it. */
struct grid_place {
    const char *name;              /* NULL: there is none */
    lxw_row_t first, last;         /* rows of data; first > last: none */
    lxw_col_t total, hours;        /* columns */
    size_t cells;                  /* amounts that were rounded to give the total */
    money total_cost, gpu_hours;
};

struct teams_place xlsx_summary(struct xlsx_book *b, const struct xlsx_lines *l, const struct xlsx_charts *c);
void xlsx_reconcile(struct xlsx_book *b, const struct xlsx_lines *l, const struct teams_place *summary, const struct grid_place *grids,
                    size_t n_grids);
void xlsx_rates(struct xlsx_book *b);                         /* nothing without rates */
void xlsx_method(struct xlsx_book *b);

#endif
