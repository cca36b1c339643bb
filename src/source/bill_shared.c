/* bill_shared: selectors of shared costs against the columns of a header, by their names as they stand there: what people see in the file
 * is what they write into the rule, whatever the dialect. Which group a row is in, and whether it is a GPU node's, is bill_sum's. */
#include "gputab/source/bill_shared.h"

#include <stdlib.h>
#include <string.h>

#include "gputab/base/nearest.h"
#include "gputab/base/xalloc.h"
#include "gputab/source/bill_rows.h"

struct bill_shared {
    const struct bill_request *req;
    bool is_json;
    int *field;                    /* by shared cost: in the present text; -1: none */
    bool *found;                   /* by shared cost: in any text */
    struct intern *names;          /* of all columns, for "did you mean" */
};

struct bill_shared *bill_shared_new(const struct bill_request *req)
{
    struct bill_shared *s = xcalloc(1, sizeof *s);

    s->req = req;
    s->field = xcalloc(req->n_shared + 1, sizeof *s->field);
    s->found = xcalloc(req->n_shared + 1, sizeof *s->found);
    s->names = intern_new();
    return s;
}

void bill_shared_free(struct bill_shared *s)
{
    if (!s)
        return;
    intern_free(s->names);
    free(s->field);
    free(s->found);
    free(s);
}

static void find_columns(struct bill_shared *s, struct span name, int field)
{
    intern_span(s->names, name);
    for (size_t i = 0; i < s->req->n_shared; i++)
        if (s->field[i] < 0 && span_eq(name, s->req->shared[i].column)) {
            s->field[i] = field;
            s->found[i] = true;
        }
}

void bill_shared_head(struct bill_shared *s, const struct csv_row *head, const struct bill_dialect *d, bool is_json)
{
    s->is_json = is_json;
    for (size_t i = 0; i < s->req->n_shared; i++)
        s->field[i] = -1;
    if (s->req->n_shared == 0)
        return;
    for (int c = 0; is_json && c < d->n_columns; c++)
        find_columns(s, span_of(d->columns[c].name), c);
    for (size_t f = 0; !is_json && f < head->n; f++)
        find_columns(s, span_trim(head->fields[f]), (int)f);
}

static struct span field_of(const struct bill_shared *s, struct bill_rows *rows, const struct csv_row *row, int field)
{
    if (field < 0 || (size_t)field >= row->n)
        return (struct span){NULL, 0};
    return span_trim(s->is_json ? row->fields[field] : bill_rows_field(rows, (size_t)field));
}

uint32_t bill_shared_of(const struct bill_shared *s, struct bill_rows *rows, const struct csv_row *row)
{
    for (size_t i = 0; i < s->req->n_shared; i++) {
        const struct rule_shared_cost *cost = &s->req->shared[i];
        struct span value = field_of(s, rows, row, s->field[i]);

        if (value.n && (cost->is_glob ? span_glob(value, cost->value) : span_eq(value, cost->value)))
            return (uint32_t)i + 1;
    }
    return 0;
}

static int no_column(const struct bill_shared *s, const struct rule_shared_cost *cost, struct err *e)
{
    struct nearest near = nearest_to(cost->column);

    for (uint32_t i = 1; i < intern_count(s->names); i++)
        nearest_try(&near, intern_cstr(s->names, i));
    err_set(e, ERR_USAGE, "shared cost \"%s\" in line %lld of the rule: no file of the bill has a column \"%s\"", cost->name,
            (long long)cost->line, cost->column);
    if (near.name)
        return err_hint(e, "did you mean \"%s\"?", near.name);
    return err_hint(e, "name a column as the header of the file does");
}

int bill_shared_check(const struct bill_shared *s, const struct bill *bill, struct err *e)
{
    for (size_t i = 0; i < s->req->n_shared; i++) {
        const struct rule_shared_cost *cost = &s->req->shared[i];

        if (!s->found[i])
            return no_column(s, cost, e);
        if (bill->shared.v[i].rows > 0)
            continue;
        diag_add(s->req->diag, "W126", "shared cost \"%s\": no row in the period that is not a GPU node's has \"%s\" in \"%s\"", cost->name,
                 cost->value, cost->column);
        diag_hint(s->req->diag, "W126", "values count as they are written in the file; of several shared costs the first takes a row");
    }
    return 0;
}
