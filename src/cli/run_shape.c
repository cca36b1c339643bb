/* run_shape: from the words of --sort and --top to what value/table_order does. Amounts stand the largest first and names in their order,
 * unless :asc or :desc says otherwise: who sorts by cost looks for what is large. */
#include "gputab/cli/run_shape.h"

#include <string.h>

#include "gputab/base/nearest.h"
#include "gputab/value/table_order.h"

/* Columns of numbers by which rows can be sorted: name, and column of the table. */
static const struct { const char *name, *column; } numbers[] = {
    {"cost", "total_cost"}, {"total_cost", "total_cost"}, {"gpu_hours", "gpu_hours"}, {"vram_gib_hours", "vram_gib_hours"},
    {"gpu_cost", "gpu_cost"}, {"cpu_cost", "cpu_cost"}, {"memory_cost", "memory_cost"}, {"requested_gpu_hours", "requested_gpu_hours"},
    {"resident_hours", "resident_hours"}, {"used_cost", "used_cost"}, {"unheld_cost", "unheld_cost"}, {"idle_cost", "idle_cost"},
    {"shared_cost", "shared_cost"}, {"min_cost", "min_cost"}, {"max_cost", "max_cost"}, {"total_exact", "total_exact"},
};
enum { NUMBERS = sizeof numbers / sizeof *numbers };

static int refuse_column(const char *name, const struct key_list *by, struct err *e)
{
    struct nearest near = nearest_to(name);

    for (int k = 0; k < KEYS; k++)
        if (strcmp(name, key_names[k]) == 0) {
            err_set(e, ERR_USAGE, "--sort: \"%s\" is no column of this table", name);
            return err_hint(e, "add it to --by to sort by it");
        }
    for (size_t i = 0; i < by->n; i++)
        nearest_try(&near, key_names[by->v[i]]);
    for (int i = 0; i < NUMBERS; i++)
        nearest_try(&near, numbers[i].name);
    err_set(e, ERR_USAGE, "--sort: unknown column \"%s\"", name);
    if (near.name)
        return err_hint(e, "did you mean \"%s\"?", near.name);
    return err_hint(e, "columns: the keys of --by, cost, gpu_hours, vram_gib_hours and the others of gputab(1)");
}

static int find_column(struct run_shape *s, const char *name, const struct key_list *by, struct err *e)
{
    for (size_t i = 0; i < by->n; i++)
        if (strcmp(name, key_names[by->v[i]]) == 0) {
            s->column = key_names[by->v[i]];
            return 0;
        }
    for (int i = 0; i < NUMBERS; i++)
        if (strcmp(name, numbers[i].name) == 0) {
            s->column = numbers[i].column;
            s->descending = true;
            return 0;
        }
    return refuse_column(name, by, e);
}

static int read_sort(struct run_shape *s, const char *text, const struct key_list *by, struct err *e)
{
    const char *colon = strchr(text, ':'), *way = colon ? colon + 1 : "";
    struct buf name = {0};
    int rc;

    buf_add(&name, text, colon ? (size_t)(colon - text) : strlen(text));
    rc = find_column(s, buf_str(&name), by, e);
    buf_free(&name);
    if (rc < 0 || !colon)
        return rc;
    if (strcmp(way, "asc") != 0 && strcmp(way, "desc") != 0) {
        err_set(e, ERR_USAGE, "--sort: \"%s\" is no order", way);
        return err_hint(e, "write asc or desc behind the colon");
    }
    s->descending = strcmp(way, "desc") == 0;
    return 0;
}

static int read_top(struct run_shape *s, const char *text, struct err *e)
{
    enum { MOST = 1000000000 };

    for (const char *p = text; *p; p++) {
        if (*p < '0' || *p > '9' || s->top > MOST) {
            s->top = 0;
            break;
        }
        s->top = s->top * 10 + (size_t)(*p - '0');
    }
    if (s->top == 0 || s->top > MOST)
        return err_set(e, ERR_USAGE, "--top \"%s\" is not a number of rows from 1 on", text);
    if (!s->column) {
        s->column = "total_cost";
        s->descending = true;
    }
    return 0;
}

int run_shape_read(struct run_shape *s, const struct report_args *a, const struct key_list *by, struct err *e)
{
    if (a->sort && read_sort(s, a->sort, by, e) < 0)
        return -1;
    return a->top ? read_top(s, a->top, e) : 0;
}

int run_shape_apply(const struct run_shape *s, struct report *r, struct err *e)
{
    struct table_order o = {.descending = s->descending, .top = s->top};

    if (!s->column)
        return 0;
    o.column = table_find(&r->table, s->column);
    o.no_sum = table_find(&r->table, "resident_hours");
    r->notes.sort = s->column;
    r->notes.descending = s->descending;
    r->notes.top = s->top;
    return table_order(&r->table, &o, &r->notes.ordinary, e);
}
