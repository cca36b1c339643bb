/* report_fixture: builds a struct report by hand, for the tests of renderers. Numbers are texts, so that a test reads like the output. */
#ifndef GPUTAB_TESTS_REPORT_FIXTURE_H
#define GPUTAB_TESTS_REPORT_FIXTURE_H

#include <stdlib.h>
#include <string.h>

#include "gputab/base/xalloc.h"
#include "gputab/value/report.h"

struct fixture {
    struct report r;
    struct bill bill;
    struct diag diag;
};

static inline money fixture_number(const char *text)
{
    money m = 0;

    if (money_parse(span_of(text), &m, NULL) < 0)
        abort();
    return m;
}

static inline void fixture_columns(struct table *t, const char *const *by)
{
    static const struct { const char *name; enum column_kind kind; } columns[] = {
        {"gpu_hours", COLUMN_HOURS}, {"vram_gib_hours", COLUMN_HOURS}, {"gpu_cost", COLUMN_MONEY}, {"cpu_cost", COLUMN_MONEY},
        {"memory_cost", COLUMN_MONEY}, {"total_cost", COLUMN_MONEY}, {"requested_gpu_hours", COLUMN_HOURS},
        {"resident_hours", COLUMN_HOURS}, {"used_cost", COLUMN_MONEY}, {"unheld_cost", COLUMN_MONEY}, {"idle_cost", COLUMN_MONEY},
        {"shared_cost", COLUMN_MONEY}, {"min_cost", COLUMN_MONEY}, {"max_cost", COLUMN_MONEY}, {"total_exact", COLUMN_MONEY},
        {"grade.A", COLUMN_MONEY}, {"grade.B", COLUMN_MONEY}, {"grade.C", COLUMN_MONEY}, {"grade.D", COLUMN_MONEY},
    };

    for (; *by; by++)
        table_add_column(t, *by, COLUMN_KEY, 0);
    table_add_column(t, "bucket", COLUMN_BUCKET, 0);
    for (size_t i = 0; i < sizeof columns / sizeof columns[0]; i++)
        table_add_column(t, columns[i].name, columns[i].kind,
                         columns[i].kind == COLUMN_HOURS ? 6 : strcmp(columns[i].name, "total_exact") == 0 ? 12 : 2);
}

/* by ends with NULL. One October, two files, everything known. */
static inline void fixture_init(struct fixture *f, const char *const *by)
{
    *f = (struct fixture){0};
    f->r = (struct report){
        .mode = "showback", .period = {1790812800000, 1793491200000}, .currency = "USD", .digits = 2,     /* 2026-10 */
        .rule_name = "vram-residency", .rule_version = "1", .rule_sha256 = "11", .split_method = "reference",
        .gpu_share = 841200000000, .owners_written = true, .tool_version = "0.1.0", .catalogue_version = "2026.1",
        .catalogue_sha256 = "22", .run_id = "33", .coverage = 994100000000, .improve = "", .bill = &f->bill, .diag = &f->diag,
    };
    for (size_t i = 0; by[i]; i++)
        vec_push(&f->r.by, by[i]);
    vec_push(&f->r.metrics, (struct report_source){.name = "metrics.om", .sha256 = "44"});
    f->bill.is_final = true;
    f->bill.rows = 1000;
    vec_push(&f->bill.files, (struct bill_file){.name = xstrdup("billing.csv"), .sha256 = "55", .rows = 1000, .rows_used = 10});
    fixture_columns(&f->r.table, by);
}

static inline struct cell fixture_cell(const struct column *c, const char *text)
{
    if (!text || strcmp(text, "null") == 0)
        return (struct cell){.type = CELL_NULL};
    if (c->kind == COLUMN_KEY || c->kind == COLUMN_BUCKET)
        return (struct cell){.type = CELL_TEXT, .text = text};
    return (struct cell){.type = c->kind == COLUMN_HOURS ? CELL_HOURS : CELL_MONEY, .number = fixture_number(text)};
}

/* keys: one text per key, NULL for null; numbers: the other columns in their order, parted by single blanks. */
static inline void fixture_table_row(struct table *t, const char *const *keys, const char *bucket, const char *numbers)
{
    struct cell *row = xcalloc(t->columns.n, sizeof *row);
    char *all = xstrdup(numbers), *save = NULL, *word = strtok_r(all, " ", &save);

    for (size_t c = 0; c < t->columns.n; c++) {
        const struct column *column = &t->columns.v[c];

        if (column->kind == COLUMN_KEY) {
            row[c] = fixture_cell(column, keys[c]);
        } else if (column->kind == COLUMN_BUCKET) {
            row[c] = fixture_cell(column, bucket);
        } else {
            row[c] = fixture_cell(column, word);
            word = strtok_r(NULL, " ", &save);
        }
    }
    table_add_row(t, row);
    free(row);
    free(all);
}

static inline void fixture_row(struct fixture *f, const char *const *keys, const char *bucket, const char *numbers)
{
    fixture_table_row(&f->r.table, keys, bucket, numbers);
}

/* A part of the report, still without rows. */
static inline struct table *fixture_part(struct fixture *f, enum report_part part, const char *const *by)
{
    struct report *p = f->r.parts[part] = xcalloc(1, sizeof *p);

    *p = (struct report){.period = f->r.period, .currency = f->r.currency, .digits = f->r.digits};
    for (size_t i = 0; by[i]; i++)
        vec_push(&p->by, by[i]);
    fixture_columns(&p->table, by);
    return &p->table;
}

static inline void fixture_totals(struct fixture *f, const char *gpu, const char *cpu, const char *memory, const char *total, const char *hours)
{
    f->r.totals = (struct report_totals){
        .piece_cost = {fixture_number(gpu), fixture_number(cpu), fixture_number(memory)},
        .total_cost = fixture_number(total), .billed = fixture_number(total), .gpu_hours = fixture_number(hours),
    };
}

static inline void fixture_free(struct fixture *f)
{
    report_free(&f->r);
    bill_free(&f->bill);
    diag_free(&f->diag);
}

#endif
