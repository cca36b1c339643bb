/* xlsx_sheet: one sheet of a workbook: cells, columns that become as wide as what is in them, heads that stay, and how it prints.
 * Cells are written from top to bottom. Texts are always strings: no name becomes a formula, a date or a link. */
#ifndef GPUTAB_RENDER_XLSX_SHEET_H
#define GPUTAB_RENDER_XLSX_SHEET_H

#include "gputab/render/xlsx_book.h"

enum {
    XLSX_COLUMNS_MOST = 48,
    XLSX_ROWS_MOST = 1048576,      /* of a sheet, with its heads */
    XLSX_TABLE_MOST = 100000       /* rows of a table of Excel's; more are written in constant memory, which has none */
};

struct xlsx_sheet {
    struct xlsx_book *book;
    lxw_worksheet *sheet;
    const char *name;
    double widths[XLSX_COLUMNS_MOST];          /* in characters, of what was written so far */
    lxw_col_t columns;
    bool has_sums;                 /* between the rows, so that spreadsheets would find fault with their ranges; texts are in column 0
                                    * alone */
};

/* name: within Excel's rules, constant. */
struct xlsx_sheet xlsx_sheet_new(struct xlsx_book *b, const char *name, uint32_t tab);
/* Rows 0 to head stay on the screen and are printed on each page, and `keep` columns stay at the left; -1: none. */
void xlsx_sheet_end(struct xlsx_sheet *s, int head, lxw_col_t keep);

void xlsx_text(struct xlsx_sheet *s, lxw_row_t row, lxw_col_t column, enum xlsx_face face, const char *text);
/* A word in a column of numbers. */
void xlsx_text_right(struct xlsx_sheet *s, lxw_row_t row, lxw_col_t column, enum xlsx_face face, const char *text);
void xlsx_blank(struct xlsx_sheet *s, lxw_row_t row, lxw_col_t column, enum xlsx_face face);
/* What no number of 15 digits holds fails for money, and loses decimals else. */
void xlsx_number(struct xlsx_sheet *s, lxw_row_t row, lxw_col_t column, enum xlsx_face face, enum xlsx_number number, money value);
void xlsx_count(struct xlsx_sheet *s, lxw_row_t row, lxw_col_t column, enum xlsx_face face, int64_t n);
void xlsx_date(struct xlsx_sheet *s, lxw_row_t row, lxw_col_t column, enum xlsx_face face, enum xlsx_number number, time_ms t);
/* A formula and what it comes to. */
void xlsx_formula(struct xlsx_sheet *s, lxw_row_t row, lxw_col_t column, enum xlsx_face face, enum xlsx_number number, money value,
                  const char *formula, ...) GPUTAB_PRINTF(7, 8);
/* SUBTOTAL over [first, last] of the column: sums that a filter narrows, and that other such sums leave out. */
void xlsx_subtotal(struct xlsx_sheet *s, lxw_row_t row, lxw_col_t column, enum xlsx_face face, enum xlsx_number number, lxw_row_t first,
                   lxw_row_t last, money value);
/* A TRUE or FALSE by formula. The library keeps no truth values of formulas: a 1 that shows as TRUE stands in until it is calculated. */
void xlsx_check(struct xlsx_sheet *s, lxw_row_t row, lxw_col_t column, bool value, const char *formula, ...) GPUTAB_PRINTF(5, 6);

void xlsx_title(struct xlsx_sheet *s, const char *title, const char *subtitle);      /* rows 0 and 1 */
/* A head with the currency's code in place of each $. */
void xlsx_add_head(struct buf *b, const char *head, const char *currency);
void xlsx_height(struct xlsx_sheet *s, lxw_row_t row, double points);
void xlsx_wide(struct xlsx_sheet *s, lxw_col_t column, double characters);           /* at least */
const char *xlsx_column(lxw_col_t column, char name[8]);     /* "AB" */

/* "2026-10-05 to 2026-10-12 UTC", with times unless both are midnights. */
void xlsx_add_instants(struct buf *b, struct timespan period);
/* "October 2026", or "2026-10-05 to 2026-10-12": what the titles say of the period. */
void xlsx_add_period(struct buf *b, struct timespan period);

#endif
