/* table_parts: rows of one value stand together in a sorted table, but for those that are also in a bucket, which stand behind all others:
 * a part is a few runs of rows. Cells are copied as they are: parts of a rounded table add up to it. */
#include "gputab/core/table_parts.h"

#include <stdlib.h>
#include <string.h>

#include "gputab/base/xalloc.h"

static const char *text_of(const struct cell *c)
{
    return c->type == CELL_TEXT ? c->text : NULL;
}

/* The bucket of a row that is of no other value. */
static const char *bucket_alone(const char *value, const char *bucket)
{
    return bucket && (!value || strcmp(value, bucket) == 0) ? bucket : NULL;
}

static uint32_t part_of(struct table_parts *p, const char *value, const char *bucket)
{
    struct buf name = {0};
    uint32_t id;

    buf_addc(&name, bucket ? 'b' : value ? 'v' : 'n');
    buf_adds(&name, bucket ? bucket : value ? value : "");
    id = intern_put(p->names, name.p, name.n);
    buf_free(&name);
    if (id > p->v.n) {
        const char *text = intern_cstr(p->names, id) + 1;

        vec_push(&p->v, (struct table_part){.value = value ? text : NULL, .bucket = bucket ? text : NULL});
    }
    return id - 1;
}

void table_parts_find(struct table_parts *p, const struct table *t)
{
    int bucket = table_find(t, "bucket");

    p->names = intern_new();
    for (size_t row = 0; row < t->n_rows; row++) {
        const struct cell *cells = table_row(t, row);
        const char *value = text_of(&cells[0]);
        uint32_t at = part_of(p, value, bucket < 0 ? NULL : bucket_alone(value, text_of(&cells[bucket])));
        struct table_part *part = &p->v.v[at];

        if (part->runs.n && part->runs.v[part->runs.n - 1].to == row)
            part->runs.v[part->runs.n - 1].to++;
        else
            vec_push(&part->runs, (struct table_run){row, row + 1});
    }
}

const struct table_part *table_parts_get(const struct table_parts *p, const char *value)
{
    struct buf name = {0};
    uint32_t id;

    buf_addf(&name, "v%s", value);
    id = intern_find(p->names, name.p, name.n);
    buf_free(&name);
    return id ? &p->v.v[id - 1] : NULL;
}

void table_parts_free(struct table_parts *p)
{
    for (size_t i = 0; i < p->v.n; i++)
        vec_free(&p->v.v[i].runs);
    vec_free(&p->v);
    intern_free(p->names);
}

/* ---- a part as a report ---- */

struct copying {
    const struct table *t;
    size_t *from;                  /* column of each new one */
    size_t n;
    int pieces[PIECES], total, hours, bucket, grades[GRADES];      /* columns of t; -1: none */
};

static void choose_columns(struct copying *c, const char *const *by, size_t n_by, struct table *out)
{
    for (size_t i = 0; i < n_by; i++)
        c->from[c->n++] = (size_t)table_find(c->t, by[i]);
    for (size_t i = 0; i < c->t->columns.n; i++)
        if (c->t->columns.v[i].kind != COLUMN_KEY)
            c->from[c->n++] = i;
    for (size_t i = 0; i < c->n; i++) {
        const struct column *column = &c->t->columns.v[c->from[i]];

        table_add_column(out, column->name, column->kind, column->digits);
    }
}

static void find_sums(struct copying *c)
{
    static const char *const pieces[PIECES] = {[PIECE_GPU] = "gpu_cost", [PIECE_CPU] = "cpu_cost", [PIECE_MEMORY] = "memory_cost"};
    static const char *const grades[GRADES] = {"grade.A", "grade.B", "grade.C", "grade.D"};

    for (int p = 0; p < PIECES; p++)
        c->pieces[p] = table_find(c->t, pieces[p]);
    for (int g = 0; g < GRADES; g++)
        c->grades[g] = table_find(c->t, grades[g]);
    c->total = table_find(c->t, "total_cost");
    c->hours = table_find(c->t, "gpu_hours");
    c->bucket = table_find(c->t, "bucket");
}

static money number(const struct cell *row, int column)
{
    return column < 0 ? 0 : row[column].number;
}

static void add_sums(const struct copying *c, const struct cell *row, struct report *out)
{
    const char *bucket = c->bucket < 0 ? NULL : text_of(&row[c->bucket]);

    for (int p = 0; p < PIECES; p++)
        out->totals.piece_cost[p] += number(row, c->pieces[p]);
    out->totals.total_cost += number(row, c->total);
    if (!bucket || strcmp(bucket, bucket_names[BUCKET_UNBILLED]) != 0)
        out->totals.gpu_hours += number(row, c->hours);
    for (int g = 0; g < GRADES && !bucket; g++)
        out->measured[g] += number(row, c->grades[g]);
}

static void copy_rows(const struct copying *c, const struct table_run *run, struct cell *cells, struct report *out)
{
    for (size_t row = run->from; row < run->to; row++) {
        const struct cell *old = table_row(c->t, row);

        for (size_t i = 0; i < c->n; i++)
            cells[i] = old[c->from[i]];
        add_sums(c, old, out);
        table_add_row(&out->table, cells);
    }
}

void table_part_fill(const struct table *t, const struct table_part *part, const char *const *by, size_t n_by, struct report *out)
{
    struct copying c = {.t = t, .from = xcalloc(t->columns.n + n_by, sizeof *c.from)};
    struct cell *cells = xcalloc(t->columns.n + n_by, sizeof *cells);

    for (size_t i = 0; i < n_by; i++)
        vec_push(&out->by, by[i]);
    choose_columns(&c, by, n_by, &out->table);
    find_sums(&c);
    for (size_t i = 0; part && i < part->runs.n; i++)
        copy_rows(&c, &part->runs.v[i], cells, out);
    out->totals.billed = out->totals.total_cost;
    free(cells);
    free(c.from);
}
