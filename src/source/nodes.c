/* nodes: reading the --nodes file.
 *
 * The file decides whose money a node is, so it is read strictly: unknown columns, a row without node or resource, an inverted time and
 * two rows that claim one node at one time are errors. Resources are brought to the normal form in which bills and metrics meet.
 * Whether a node or resource of the file exists anywhere is not asked here. */
#include "gputab/source/nodes.h"

#include <stdlib.h>

#include "gputab/base/buf.h"
#include "gputab/codec/csv.h"
#include "gputab/codec/csv_head.h"
#include "gputab/codec/unpack.h"
#include "gputab/value/resource_id.h"

enum { NODES_MAX = 1000000 };

enum column { NODE, RESOURCE, TYPE, FROM, TO, COLUMNS };
static const char *const columns[COLUMNS] = {"node", "resource_id", "instance_type", "from", "to"};
enum { NEEDED = TYPE + 1 };

struct reader {
    struct csv *csv;
    struct csv_row row;
    int index[COLUMNS];
    struct intern *names;
    struct node_file *out;
    VEC(int64_t) lines;            /* of each entry */
    struct buf id;
};

static int fail(const struct reader *r, enum column c, struct err *e)
{
    csv_at(r->csv, r->index[c], e);
    return err_wrap(e, "column \"%s\"", columns[c]);
}

static bool is_column(struct span name)
{
    for (size_t i = 0; i < COLUMNS; i++)
        if (span_eq_fold(span_trim(name), columns[i]))
            return true;
    return false;
}

static int read_head(struct reader *r, struct err *e)
{
    int rc = csv_next(r->csv, &r->row, e);

    if (rc < 0)
        return -1;
    if (rc == 0) {
        err_set(e, ERR_INPUT, "is empty; a nodes file begins with the line node,resource_id,instance_type[,from,to]");
        return csv_at(r->csv, CSV_WHOLE_ROW, e);
    }
    if (csv_head_bind(r->csv, &r->row, columns, COLUMNS, NEEDED, r->index, e) < 0)
        return -1;
    for (size_t i = 0; i < r->row.n; i++)
        if (!is_column(r->row.fields[i])) {
            err_set(e, ERR_INPUT, "unknown column \"%.*s\"", (int)r->row.fields[i].n, r->row.fields[i].p);
            err_hint(e, "the columns are node, resource_id, instance_type, from and to");
            return csv_at(r->csv, (int)i, e);
        }
    return 0;
}

static int read_time(const struct reader *r, enum column c, time_ms empty, time_ms *out, struct err *e)
{
    struct span s = csv_head_cell(&r->row, r->index[c]);

    *out = empty;
    if (s.n == 0 || time_parse(s, out) == 0)
        return 0;
    err_set(e, ERR_INPUT, "\"%.*s\" is not a time", (int)s.n, s.p);
    err_hint(e, "write 2026-10-05 or 2026-10-05T10:00:00Z");
    return fail(r, c, e);
}

/* Node and resource must be there: a row without one joins nothing. */
static int read_text(const struct reader *r, enum column c, uint32_t *out, struct err *e)
{
    *out = intern_span(r->names, csv_head_cell(&r->row, r->index[c]));
    if (*out != 0)
        return 0;
    err_set(e, ERR_INPUT, "is empty");
    return fail(r, c, e);
}

static int read_row(struct reader *r, struct err *e)
{
    struct node_entry n = {0};

    if (r->row.n > COLUMNS || r->row.n < NEEDED) {
        err_set(e, ERR_INPUT, "row has %zu fields, expected %d to %d", r->row.n, NEEDED, COLUMNS);
        return csv_at(r->csv, CSV_WHOLE_ROW, e);
    }
    if (read_text(r, NODE, &n.node, e) < 0 || read_text(r, RESOURCE, &n.resource, e) < 0 || read_time(r, FROM, TIME_MIN, &n.from, e) < 0
        || read_time(r, TO, TIME_MAX, &n.to, e) < 0)
        return -1;
    if (n.from >= n.to) {
        err_set(e, ERR_INPUT, "\"to\" is not later than \"from\"");
        return fail(r, TO, e);
    }
    buf_clear(&r->id);
    resource_id_add_normal(&r->id, intern_get(r->names, n.resource));
    n.resource = intern_span(r->names, buf_span(&r->id));
    n.type = intern_span(r->names, csv_head_cell(&r->row, r->index[TYPE]));
    vec_push(&r->out->entries, n);
    vec_push(&r->lines, r->row.line);
    return 0;
}

struct claim {
    const struct node_entry *entry;
    int64_t line;
};

static int compare_claims(const void *pa, const void *pb)
{
    const struct claim *a = pa, *b = pb;

    if (a->entry->node != b->entry->node)
        return a->entry->node < b->entry->node ? -1 : 1;
    if (a->entry->from != b->entry->from)
        return a->entry->from < b->entry->from ? -1 : 1;
    return (a->line > b->line) - (a->line < b->line);
}

/* One node is one machine at a time. Sorted by node and time, an overlap shows between neighbours. */
static int check_overlaps(const struct reader *r, struct err *e)
{
    size_t n = r->out->entries.n;
    struct claim *claims = xcalloc(n + 1, sizeof *claims);
    int rc = 0;

    for (size_t i = 0; i < n; i++)
        claims[i] = (struct claim){&r->out->entries.v[i], r->lines.v[i]};
    qsort(claims, n, sizeof *claims, compare_claims);
    for (size_t i = 1; i < n && rc == 0; i++) {
        const struct claim *a = &claims[i - 1], *b = &claims[i];

        if (a->entry->node != b->entry->node || a->entry->to <= b->entry->from)
            continue;
        err_set(e, ERR_INPUT, "node \"%s\" is on line %lld and on line %lld at the same time", intern_cstr(r->names, a->entry->node),
                (long long)(a->line < b->line ? a->line : b->line), (long long)(a->line < b->line ? b->line : a->line));
        rc = err_hint(e, "give from and to, so that one ends before the next begins");
    }
    free(claims);
    return rc;
}

static int read_rows(struct reader *r, struct err *e)
{
    int rc;

    if (read_head(r, e) < 0)
        return -1;
    while ((rc = csv_next(r->csv, &r->row, e)) == 1) {
        if (r->out->entries.n == NODES_MAX) {
            err_set(e, ERR_INPUT, "has more than %d rows", NODES_MAX);
            return csv_at(r->csv, CSV_WHOLE_ROW, e);
        }
        if (read_row(r, e) < 0)
            return -1;
    }
    return rc < 0 ? -1 : check_overlaps(r, e);
}

int node_file_read(const char *path, struct intern *names, struct node_file *out, struct err *e)
{
    struct reader r = {.names = names, .out = out};
    struct unpack *u;
    int rc;

    if (unpack_open(&u, path, 0, e) < 0)
        return -1;
    r.csv = csv_over(u, &(struct csv_config){.name = path});
    rc = read_rows(&r, e);
    if (rc < 0)
        err_at(e, path, 0, 0);
    buf_free(&r.id);
    vec_free(&r.lines);
    csv_free(r.csv);
    unpack_close(u);
    return rc;
}

void node_file_free(struct node_file *f)
{
    vec_free(&f->entries);
}
