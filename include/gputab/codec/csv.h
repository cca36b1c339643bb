/* csv: a pull reader for CSV (RFC 4180 and what real files do to it), one row at a time, with places.
 *
 * Fields are quoted or bare; a quote inside a bare field is a plain character; text behind a closing quote is an error. Rows end with LF,
 * CRLF or CR, mixed as they come; the last row needs no end. Empty lines are skipped. A byte order mark is dropped at the start of the
 * input and of any row (files that were joined have it there). Errors: a NUL byte, a quote that is never closed, a row over CSV_ROW_MAX
 * bytes or CSV_FIELDS_MAX fields. How the input is cut into pieces never shows. */
#ifndef GPUTAB_CODEC_CSV_H
#define GPUTAB_CODEC_CSV_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "gputab/base/err.h"
#include "gputab/base/span.h"

struct csv;
struct csv_scan;
struct unpack;

enum { CSV_BLOCK = 256 << 10, CSV_ROW_MAX = 16 << 20, CSV_FIELDS_MAX = 4096 };

/* Puts up to n bytes at p: the count, 0 at the end of the input, -1 with *e set. */
typedef int (*csv_fill)(void *from, char *p, size_t n, struct err *e);

/* Sets *p to the next bytes, before which CSV_FRONT ones may be written over: the count, 0 at the end, -1 with *e set, CSV_NOT_LENT when
 * fill has to be asked now. Valid until the next call of this or of fill. */
typedef int (*csv_lend)(void *from, char **p, struct err *e);
enum { CSV_FRONT = 32 << 10, CSV_NOT_LENT = -2 };

struct csv_config {
    const char *name;              /* of the input, for messages; copied */
    char delimiter;                /* 0: comma */
    size_t block;                  /* bytes asked of fill at a time, more for the rest of a longer row; 0: CSV_BLOCK */
    const struct csv_scan *scan;   /* how cuts are found (csv_scan); NULL: the fastest way. No result depends on it. */
};

struct csv_row {
    int64_t line;                  /* physical line (1-based) on which the row begins */
    size_t n;                      /* at least 1 */
    const struct span *fields;     /* without quotes; {NULL, 0} where not selected; valid until the next csv_next */
    bool ended;                    /* a line end follows: false only in the last row of an input without one */
};

struct csv *csv_new(csv_fill fill, void *from, const struct csv_config *config);   /* from is borrowed */
struct csv *csv_over(struct unpack *u, const struct csv_config *config);           /* reads u, which stays the caller's */
void csv_set_lend(struct csv *r, csv_lend lend);             /* of the same `from`: bytes need not be copied into the reader */
void csv_free(struct csv *r);                                                      /* NULL allowed */

/* The next row: 1, 0 at the end, -1 with *e set (ERR_INPUT with file, line and column). */
int csv_next(struct csv *r, struct csv_row *row, struct err *e) GPUTAB_MUST_CHECK;

/* From the next row on only these columns (numbers from 0, in any order, negative ones ignored) get their text. Rows are checked as ever,
 * all their fields are counted. Without a call all columns are selected. */
void csv_select(struct csv *r, const int *columns, size_t n);

/* Any field of the latest row, selected or not; {NULL, 0} where it has none. Valid until the next call of this or of csv_next. It takes
 * longer than a selected one: for what few rows are asked for. */
struct span csv_field(struct csv *r, size_t field);

/* Adds the place of a field of the latest row: its own physical line, the column in characters. Field CSV_WHOLE_ROW: the row's line
 * alone. Returns -1, like err_at. */
enum { CSV_WHOLE_ROW = -1 };
int csv_at(const struct csv *r, int field, struct err *e);

#endif
