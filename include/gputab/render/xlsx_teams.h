/* xlsx_teams: the lines of teams and cost centres as rows of a sheet, for the sheets Summary and Teams, and the latter whole. */
#ifndef GPUTAB_RENDER_XLSX_TEAMS_H
#define GPUTAB_RENDER_XLSX_TEAMS_H

#include "gputab/render/xlsx_lines.h"
#include "gputab/render/xlsx_sheet.h"

enum teams_detail { TEAMS_SHORT, TEAMS_FULL };

/* Where it stands, for charts, checks and print. */
struct teams_place {
    lxw_row_t head, total;         /* rows */
    lxw_col_t amount;              /* column of the totals */
    lxw_col_t columns;
};

/* From a row on: heads, lines, the sum. `billed`: the cell that shares are of, "$A$5" or "Summary!$A$5". */
struct teams_place xlsx_teams_rows(struct xlsx_sheet *s, const struct xlsx_lines *l, enum teams_detail detail, lxw_row_t row,
                                   const char *billed);

/* The same before anything is written. */
struct teams_place xlsx_teams_place(const struct xlsx_lines *l, enum teams_detail detail, lxw_row_t row);

/* The sheet Teams. */
struct teams_place xlsx_teams(struct xlsx_book *b, const struct xlsx_lines *l, const char *billed);

#endif
