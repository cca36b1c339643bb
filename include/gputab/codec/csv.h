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
struct unpack;

enum { CSV_BLOCK = 1 << 20, CSV_ROW_MAX = 16 << 20, CSV_FIELDS_MAX = 4096 };

/* Puts up to n bytes at p: the count, 0 at the end of the input, -1 with *e set. */
typedef int (*csv_fill)(void *from, char *p, size_t n, struct err *e);

struct csv_config {
    const char *name;              /* of the input, for messages; copied */
    char delimiter;                /* 0: comma */
    size_t block;                  /* bytes asked of fill at a time; 0: CSV_BLOCK */
};

struct csv_row {
    int64_t line;                  /* physical line (1-based) on which the row begins */
    size_t n;                      /* at least 1 */
    const struct span *fields;     /* without quotes; valid until the next csv_next */
    bool ended;                    /* a line end follows: false only in the last row of an input without one */
};

struct csv *csv_new(csv_fill fill, void *from, const struct csv_config *config);   /* from is borrowed */
struct csv *csv_over(struct unpack *u, const struct csv_config *config);           /* reads u, which stays the caller's */
void csv_free(struct csv *r);                                                      /* NULL allowed */

/* The next row: 1, 0 at the end, -1 with *e set (ERR_INPUT with file, line and column). */
int csv_next(struct csv *r, struct csv_row *row, struct err *e) GPUTAB_MUST_CHECK;

/* Adds the place of a field of the latest row: its own physical line, the column in characters. Field CSV_WHOLE_ROW: the row's line
 * alone. Returns -1, like err_at. */
enum { CSV_WHOLE_ROW = -1 };
int csv_at(const struct csv *r, int field, struct err *e);

/* The seam for faster scanners: the index of the first byte of p[0 .. n) whose class in `stop` is not 0, else n. csv_scan_scalar is the
 * reference that any other one must agree with. */
typedef size_t (*csv_scan)(const uint8_t stop[256], const char *p, size_t n);
size_t csv_scan_scalar(const uint8_t stop[256], const char *p, size_t n);

#endif
