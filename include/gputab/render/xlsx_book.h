/* xlsx_book: a workbook of libxlsxwriter on its way into a sink, and the one palette of all its sheets.
 * It is made in a nameless file, since the library wants a file, and is handed on whole or not at all. The first error stays with the
 * book: who writes cells need not look. */
#ifndef GPUTAB_RENDER_XLSX_BOOK_H
#define GPUTAB_RENDER_XLSX_BOOK_H

#include <stdbool.h>
#include <xlsxwriter.h>

#include "gputab/base/buf.h"
#include "gputab/base/err.h"
#include "gputab/base/sink.h"
#include "gputab/value/report.h"

/* What a cell looks like ... */
enum xlsx_face {
    FACE_PLAIN, FACE_BUCKET,       /* a row's cells: of a team; of money that no team pays, muted */
    FACE_INDENT, FACE_INDENT_BUCKET,       /* the first cell of a row below a group */
    FACE_CELL, FACE_CELL_BUCKET,   /* where rows are many, and have empty cells: without lines between */
    FACE_GROUP,                    /* a cost centre with its sums */
    FACE_TOTAL,
    FACE_HEAD, FACE_HEAD_RIGHT,
    FACE_TITLE, FACE_SUBTITLE, FACE_SECTION, FACE_NOTE, FACE_NOTE_BAD,
    FACE_WRAP,                     /* text of several lines */
    FACE_CODE,                     /* what a machine reads: hashes, commands */
    FACE_OVER,                     /* text that reaches over the cells at its right */
    FACE_QUESTION,                 /* the same, as a head of it */
    FACE_LINE,                     /* a line of a file, blanks and all */
    FACE_BAND, FACE_BAND_RIGHT,    /* the strip that says what this is: SHOWBACK */
    FACE_ALARM, FACE_ALARM_RIGHT,  /* the same for what must not pass for a report: DRAFT */
    FACE_TILE_LABEL, FACE_TILE,
    FACE_CHECK,                    /* TRUE or FALSE */
    FACES
};
/* ... and how its number is written. */
enum xlsx_number {
    NUMBER_NONE,
    NUMBER_WORD,                   /* a text among numbers */
    NUMBER_MONEY, NUMBER_CURRENCY /* with its code */, NUMBER_RATE, NUMBER_HOURS,
    NUMBER_PRICE, NUMBER_SMALL_PRICE,          /* with four decimals, up to six */
    NUMBER_SHARE, NUMBER_GATE /* with all decimals that it has */,
    NUMBER_BUDGET,                 /* a share, marked when it is more than all */
    NUMBER_CHANGE, NUMBER_CHANGE_SHARE,        /* with their sign */
    NUMBER_COUNT, NUMBER_TRUTH, NUMBER_DAY, NUMBER_MONTH, NUMBERS
};

enum xlsx_colour {
    XLSX_NAVY = 0x1B365D, XLSX_BLUE = 0x2F6DA8, XLSX_TEAL = 0x6DB5A6, XLSX_SAND = 0xE3B262, XLSX_INK = 0x1F2A37, XLSX_MUTED = 0x66727F,
    XLSX_LINE = 0xC9D1DA, XLSX_HEAD = 0xE4EBF3, XLSX_GROUP = 0xF1F5F9, XLSX_TILE = 0xF5F7FA, XLSX_WHITE = 0xFFFFFF,
    XLSX_GOOD = 0x1E7B4A, XLSX_GOOD_FILL = 0xE0F2E7, XLSX_BAD = 0xB3261E, XLSX_BAD_FILL = 0xFBE3E1, XLSX_AMBER = 0xB45309,
};

struct xlsx_book {
    const struct report *r;        /* borrowed */
    lxw_workbook *workbook;
    lxw_format *formats[FACES][NUMBERS];       /* made when first asked for */
    bool large;                    /* rows leave memory as they are written: every sheet is written from top to bottom, without tables */
    int hour_digits;
    int fd;                        /* of the nameless file */
    struct buf scratch;
    bool failed;
    struct err err;
};

/* -1: the book has failed; xlsx_book_close then says so. */
int xlsx_book_open(struct xlsx_book *b, const struct report *r, bool large);
/* Ends the workbook and hands its bytes on; frees everything. An error goes to the sink. */
void xlsx_book_close(struct xlsx_book *b, struct sink *out);

void xlsx_fail(struct xlsx_book *b, enum err_code code, const char *text, const char *hint);
void xlsx_try(struct xlsx_book *b, lxw_error rc);            /* what the library answered */
lxw_format *xlsx_format(struct xlsx_book *b, enum xlsx_face face, enum xlsx_number number);

/* Red for a share of more than all. */
void xlsx_more_than_one_is_bad(struct xlsx_book *b, lxw_worksheet *sheet, lxw_row_t first, lxw_row_t last, lxw_col_t column);
/* Green for zero or TRUE, red for all else. */
void xlsx_zero_is_good(struct xlsx_book *b, lxw_worksheet *sheet, lxw_row_t row, lxw_col_t column);
void xlsx_true_is_good(struct xlsx_book *b, lxw_worksheet *sheet, lxw_row_t first, lxw_row_t last, lxw_col_t column);

#endif
