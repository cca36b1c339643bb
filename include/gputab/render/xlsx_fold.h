/* xlsx_fold: the rows of a table with some keys given up: rows that differ in nothing else come as one, added up. */
#ifndef GPUTAB_RENDER_XLSX_FOLD_H
#define GPUTAB_RENDER_XLSX_FOLD_H

#include <stdbool.h>

#include "gputab/base/vec.h"
#include "gputab/value/table.h"

enum { FOLD_COLUMNS_MOST = 64 };

struct fold {
    const struct table *t;         /* borrowed */
    bool dropped[FOLD_COLUMNS_MOST];           /* keys that were given up */
    bool folded;                   /* any */
    size_t prefix;                 /* columns before the first of them */
    size_t next;                   /* row of the table */
    VEC(struct cell *) run;        /* rows that are alike up to `prefix`, complete; owned with their texts */
    size_t given;                  /* of them */
};

void fold_init(struct fold *f, const struct table *t);
void fold_drop(struct fold *f, size_t column);               /* a key; goes back to the first row */
void fold_rewind(struct fold *f);
/* The next row, by the columns of the table: texts of dropped keys are null, numbers sums. Valid until the next call; NULL at the end. */
const struct cell *fold_next(struct fold *f);
void fold_free(struct fold *f);

#endif
