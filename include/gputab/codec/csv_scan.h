/* csv_scan: where a CSV text may be cut, found 64 bytes at a time.
 *
 * Marks are bit masks over the text. They hold for text that keeps to RFC 4180 as far as quotes go; at the first byte where it does not,
 * or that is NUL, marking stops, and the row with that byte is for who can read it byte by byte. Every way of marking that a machine has
 * gives the same marks. */
#ifndef GPUTAB_CODEC_CSV_SCAN_H
#define GPUTAB_CODEC_CSV_SCAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { CSV_MARKS_BYTES = 64 };

/* Of a text, for each 64 bytes of it; the first one is the lowest bit. */
struct csv_marks {
    uint64_t *cut;                 /* delimiters outside of quotes */
    uint64_t *end;                 /* CR and LF outside of quotes */
    uint64_t *ended;               /* a bit for each of 64 blocks: is its end not 0? Only some ways need it, and `before` */
    uint16_t *before;              /* cuts in the blocks before, modulo 2^16 */
    size_t room;                   /* blocks */
};

void csv_marks_reserve(struct csv_marks *m, size_t n);       /* room for n bytes; what is there may be lost */
void csv_marks_free(struct csv_marks *m);

struct csv_cuts {
    size_t fields;                 /* of the row */
    size_t n;                      /* cuts that were asked for and are there */
    size_t end;                    /* where the row ends: its CR or LF */
};

/* One way of marking. */
struct csv_scan {
    const char *name;

    /* Marks p[0 .. n), which begins where a row does; out has room for it. The number of bytes that are marked: n, or that of the bytes
     * before the first odd one; bits behind them are 0. *lines is set when a CR or LF is inside quotes, else left alone. */
    size_t (*mark)(const char *p, size_t n, char delimiter, const struct csv_marks *out, bool *lines);

    /* The row that begins at byte `from` of n marked ones. Its cuts are numbered from 0, the row's end is the last one; `wanted` holds
     * the numbers of those asked for, ascending and ended by CSV_NO_CUT, and at[] receives where they are. False: it has no end here, and
     * its cuts are those up to n. */
    bool (*row)(const struct csv_marks *m, size_t n, size_t from, const uint32_t *wanted, uint32_t *at, struct csv_cuts *out);
};

#define CSV_NO_CUT UINT32_MAX

/* The fastest one that this machine has. */
const struct csv_scan *csv_scan_best(void);

/* Those that this machine has, by number from 0, the best one last; NULL behind them. The first, "bytes", marks nothing: every row is
 * read byte by byte, which is what the others are compared with. */
const struct csv_scan *csv_scan_of(size_t i);

#endif
