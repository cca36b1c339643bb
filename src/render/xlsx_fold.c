/* xlsx_fold: rows lie sorted by their keys, so that rows that agree in the keys before the first dropped one are neighbours: a run. Within
 * a run, which is short, rows are merged by the keys behind (a workload's pods by model and region). Nothing but a run is held. */
#include "gputab/render/xlsx_fold.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "gputab/base/xalloc.h"

void fold_init(struct fold *f, const struct table *t)
{
    assert(t->columns.n <= FOLD_COLUMNS_MOST);
    *f = (struct fold){.t = t};
}

static void run_clear(struct fold *f)
{
    for (size_t i = 0; i < f->run.n; i++) {
        for (size_t c = 0; c < f->t->columns.n; c++) {
            union { const char *text; char *owned; } u = {f->run.v[i][c].text};

            free(u.owned);
        }
        free(f->run.v[i]);
    }
    vec_clear(&f->run);
    f->given = 0;
}

void fold_rewind(struct fold *f)
{
    run_clear(f);
    f->next = 0;
}

void fold_drop(struct fold *f, size_t column)
{
    f->prefix = f->folded && f->prefix < column ? f->prefix : column;
    f->dropped[column] = f->folded = true;
    fold_rewind(f);
}

static bool is_key(const struct fold *f, size_t column)
{
    enum column_kind kind = f->t->columns.v[column].kind;

    return kind == COLUMN_KEY || kind == COLUMN_BUCKET;
}

static bool same_text(const struct cell *a, const struct cell *b)
{
    return a->type == b->type && (a->type != CELL_TEXT || strcmp(a->text, b->text) == 0);
}

static bool agree(const struct fold *f, const struct cell *a, const struct cell *b, size_t from, size_t to)
{
    for (size_t c = from; c < to; c++)
        if (is_key(f, c) && !f->dropped[c] && !same_text(&a[c], &b[c]))
            return false;
    return true;
}

static struct cell *copy(const struct fold *f, const struct cell *row)
{
    struct cell *own = xcalloc(f->t->columns.n, sizeof *own);

    for (size_t c = 0; c < f->t->columns.n; c++) {
        if (f->dropped[c])
            continue;
        own[c] = row[c];
        own[c].text = row[c].type == CELL_TEXT ? xstrdup(row[c].text) : NULL;
    }
    return own;
}

/* What is unknown of one of them is known of the others, at least. */
static void add(const struct fold *f, struct cell *sum, const struct cell *row)
{
    for (size_t c = 0; c < f->t->columns.n; c++) {
        if (is_key(f, c) || row[c].type == CELL_NULL)
            continue;
        sum[c].type = row[c].type;
        sum[c].number += row[c].number;
    }
}

static void run_add(struct fold *f, const struct cell *row)
{
    for (size_t i = 0; i < f->run.n; i++) {
        if (agree(f, f->run.v[i], row, f->prefix, f->t->columns.n)) {
            add(f, f->run.v[i], row);
            return;
        }
    }
    vec_push(&f->run, copy(f, row));
}

static void read_run(struct fold *f)
{
    run_clear(f);
    while (f->next < f->t->n_rows) {
        const struct cell *row = table_row(f->t, f->next);

        if (f->run.n && !agree(f, f->run.v[0], row, 0, f->prefix))
            return;
        run_add(f, row);
        f->next++;
    }
}

const struct cell *fold_next(struct fold *f)
{
    if (!f->folded)
        return f->next < f->t->n_rows ? table_row(f->t, f->next++) : NULL;
    if (f->given == f->run.n)
        read_run(f);
    return f->given < f->run.n ? f->run.v[f->given++] : NULL;
}

void fold_free(struct fold *f)
{
    run_clear(f);
    vec_free(&f->run);
}
