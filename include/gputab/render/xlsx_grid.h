/* xlsx_grid: a table of the report as a sheet of rows: Detail, Buckets, and Rows, the keys that were asked for. */
#ifndef GPUTAB_RENDER_XLSX_GRID_H
#define GPUTAB_RENDER_XLSX_GRID_H

#include "gputab/render/xlsx_sheets.h"

struct grid_spec {
    const char *name, *title, *what;           /* sheet; title; "one row per pod and pool" */
    const struct report *part;
    const char *const *folds;      /* keys to give up, one after the other, when the rows are too many, and then the last ones;
                                    * NULL-terminated, or NULL */
    bool buckets_only;             /* rows of buckets alone, the largest of each first */
    bool teams_alone;              /* there are no cost centres: neither that column nor that a team is in none is shown */
    bool share;                    /* with each row's share of the bill */
    size_t most;                   /* rows of data that the sheet may have: xlsx_grid_most(), but in tests */
    const char *beside;            /* file that has all rows when some were given up; NULL: none has */
};

struct grid_place xlsx_grid(struct xlsx_book *b, const struct grid_spec *spec);
/* How many rows the sheet would have without any given up. */
size_t xlsx_grid_rows(const struct report *part, bool buckets_only);
/* Rows of data that a sheet holds: XLSX_ROWS_MOST without its heads. */
size_t xlsx_grid_most(void);

#endif
