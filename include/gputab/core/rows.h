/* rows: exact sums under keys, more of them than memory should hold.
 *
 * Rows are added to by number until rows_relieve, which may move them to disk; a row of the same key begins again at zero, and the parts
 * of a row are added up when all rows are read, in the order of reports. */
#ifndef GPUTAB_CORE_ROWS_H
#define GPUTAB_CORE_ROWS_H

#include <stdbool.h>

#include "gputab/base/buf.h"
#include "gputab/base/err.h"
#include "gputab/value/entry.h"

struct row_sums {
    money cost[PIECES];
    money gpu_hours, used_cost, min_cost, max_cost;
    money grade[GRADES];
    money idle_cost, shared_cost;  /* parts of the cost that the rule moved here */
    money moved_gpu;               /* what of them is in the GPU piece */
    weight memory_ms, requested;
    uint64_t resident_ms;          /* of the days that are done */
    bool has_pods;                 /* or a team has amounts without pods */
    bool left;                     /* the rule moved something away */
};

/* What tells rows apart. Texts in the order of --by; an empty one: the key does not apply. */
struct row_key {
    enum bucket bucket;
    bool matched;                  /* by the filters */
    struct span texts;             /* packed: row_key_add_text, row_key_next */
};
void row_key_add_text(struct buf *texts, struct span text);
struct span row_key_next(struct span *texts);                /* NUL-terminated; takes from the front */

struct row {                       /* as it is read */
    struct row_key key;            /* borrowed, valid until the next row */
    struct row_sums sums;
};

struct rows;

struct rows *rows_new(void);
void rows_free(struct rows *r);                              /* NULL allowed */

/* The number of the row with that key, made when new. Numbers and pointers hold until rows_relieve, pointers until the next rows_put. */
uint32_t rows_put(struct rows *r, const struct row_key *key);
struct row_sums *rows_at(struct rows *r, uint32_t row);
uint32_t rows_count(const struct rows *r);                   /* rows at hand: they have the numbers 0 to count - 1 */
void row_sums_add(struct row_sums *to, const struct row_sums *s);
/* Moves the rows to disk when they are many: true, and all numbers are void. */
bool rows_relieve(struct rows *r);

/* Ends adding, and begins reading, also again: by keys (what does not apply last, buckets behind all others). */
void rows_rewind(struct rows *r);
bool rows_next(struct rows *r, struct row *out);             /* false at the end */
bool rows_next_cost(struct rows *r, struct row *out);        /* the same in less time: of its sums only cost and gpu_hours are set */
int rows_check(const struct rows *r, struct err *e) GPUTAB_MUST_CHECK;       /* after reading, as spill_check */

#endif
