/* bill_head: names of columns against the dialects' tables.
 *
 * Those of the user's maps go first, then the built-in ones: the first dialect all of whose marks are there is the file's. A file that is
 * no known bill is told apart as well as can be, since the wrong file is the commonest mistake.
 * Of JSON the first object stands for the header: it tells the dialect, but not which columns there are, since later ones may have more. */
#include "gputab/source/bill_head.h"

#include <stdlib.h>
#include <string.h>

#include "gputab/base/nearest.h"
#include "gputab/base/vec.h"
#include "gputab/base/xalloc.h"
#include "gputab/source/bill_fold.h"

static const struct bill_dialect *const dialects[] = {&focus_dialect, &cur_dialect, &azure_dialect, &gcp_dialect, &oci_dialect};
enum { DIALECTS = sizeof dialects / sizeof *dialects };

/* The first row, while it is read. */
struct header {
    const struct bill_request *req;
    struct bill_rows *rows;
    const struct csv_row *row;
    struct buf folded;             /* what `folds` points into */
    VEC(struct span) folds;        /* the names in snake case */
};

static int at_row(const struct header *r, struct err *e)
{
    return bill_rows_at(r->rows, CSV_WHOLE_ROW, e);
}

/* ---- names ---- */

/* Those of the user's maps, then the built-in ones; NULL behind the last. */
static const struct bill_dialect *dialect_at(const struct header *r, size_t i)
{
    size_t maps = 0;

    while (r->req->maps && r->req->maps[maps])
        maps++;
    if (i < maps)
        return r->req->maps[i];
    return i - maps < DIALECTS ? dialects[i - maps] : NULL;
}

static void fold_names(struct header *r)
{
    size_t bytes = 0;

    for (size_t i = 0; i < r->row->n; i++)
        bytes += r->row->fields[i].n;
    buf_reserve(&r->folded, 2 * bytes);                      /* so that no span moves */
    for (size_t i = 0; i < r->row->n; i++) {
        size_t from = r->folded.n;

        bill_fold_name(&r->folded, r->row->fields[i]);
        vec_push(&r->folds, (struct span){r->folded.p + from, r->folded.n - from});
    }
}

static bool has_name(const struct bill_dialect *d, const char *name, struct span field)
{
    if (!name)
        return false;
    return d->translated ? bill_fold_same(field, name) : span_eq_fold(span_trim(field), name);
}

/* Field of a column: its own name before others. The first of equal names counts; *again is set when there are more. */
static int find_column(const struct header *r, const struct bill_dialect *d, const struct bill_column *c, bool *again)
{
    const struct span *fields = d->folds ? r->folds.v : r->row->fields;
    const char *const names[] = {c->name, c->alias, c->other};
    int found = -1;

    *again = false;
    for (size_t k = 0; k < sizeof names / sizeof *names && found < 0; k++)
        for (size_t i = 0; i < r->row->n; i++)
            if (has_name(d, names[k], fields[i])) {
                *again |= found >= 0;
                found = found < 0 ? (int)i : found;
            }
    return found;
}

static bool is_needed(const struct header *r, const struct bill_dialect *d, int column)
{
    return d->columns[column].needed || d->cost_columns[r->req->cost] == column;
}

/* Number of the dialect's needed columns that the header has; the others are listed in *missing, those it has in *has. */
static int needed_columns(const struct header *r, const struct bill_dialect *d, struct buf *has, struct buf *missing, bool *marked)
{
    int n = 0;

    *marked = true;
    for (int i = 0; i < d->n_columns; i++) {
        bool again, there = find_column(r, d, &d->columns[i], &again) >= 0;
        struct buf *list = there ? has : missing;

        *marked &= there || !d->columns[i].mark;
        if (!is_needed(r, d, i))
            continue;
        buf_addf(list, "%s%s", list->n ? ", " : "", d->columns[i].name);
        n += there;
    }
    return n;
}

/* ---- files of no known bill ---- */

/* What the first line of a file that is no bill says it is. */
static const struct {
    const char *start;
    const char *text, *hint;
} strangers[] = {
    {"version https://git-lfs.github.com/spec/", "is a Git LFS pointer, not the file it stands for", "fetch the file itself: git lfs pull"},
    {"[", "is JSON, not a CSV bill", NULL},
    {"<", "is HTML or XML, not a CSV bill", "was a sign-in page downloaded instead of the bill?"},
};

static int no_bill_at_all(const struct header *r, struct err *e)
{
    struct span first = span_trim(r->row->fields[0]);

    if (bill_rows_is_json(r->rows)) {
        err_set(e, ERR_INPUT, "is JSON (a manifest?), and its first object has no member of any known bill");
        err_hint(e, "give the files that the manifest names");
        return at_row(r, e);
    }
    for (size_t i = 0; i < sizeof strangers / sizeof *strangers; i++)
        if (span_starts(first, strangers[i].start)) {
            err_set(e, ERR_INPUT, "%s", strangers[i].text);
            if (strangers[i].hint)
                err_hint(e, "%s", strangers[i].hint);
            return at_row(r, e);
        }
    if (r->row->n == 1 && (memchr(first.p, ';', first.n) || memchr(first.p, '\t', first.n))) {
        err_set(e, ERR_INPUT, "fields are separated by semicolons or tabs, not by commas");
        err_hint(e, "save the file with commas, and numbers with a decimal point");
        return at_row(r, e);
    }
    err_set(e, ERR_INPUT, "is not a bill: its first line names no column of any known format");
    err_hint(e, "known formats: FOCUS (1.0 to 1.3), AWS Cost and Usage Report (legacy, Athena, 2.0), Azure cost export, Google Cloud "
                "(detailed export), Oracle (cost report)");
    return at_row(r, e);
}

static char *shown_name(struct span field)
{
    field = span_trim(field);
    return xstrndup(field.n ? field.p : "", field.n);
}

/* A column of the user's map that is not there may be there under a name much like it. */
static void hint_nearest(const struct header *r, const struct bill_dialect *d, struct err *e)
{
    for (int i = 0; i < d->n_columns && d->context; i++) {
        struct nearest near = nearest_to(d->columns[i].name);
        struct buf name = {0};
        bool again;

        for (size_t k = 0; k < r->row->n && find_column(r, d, &d->columns[i], &again) < 0; k++) {
            char *field = shown_name(r->row->fields[k]);

            nearest_try(&near, field);
            if (near.name == field) {
                buf_clear(&name);
                buf_adds(&name, field);
                near.name = buf_str(&name);
            }
            free(field);
        }
        if (near.name)
            err_hint(e, "for \"%s\" did you mean \"%s\"?", d->columns[i].name, near.name);
        buf_free(&name);
        if (near.name)
            return;
    }
}

static int count_needed(const struct header *r, const struct bill_dialect *d)
{
    int n = 0;

    for (int i = 0; i < d->n_columns; i++)
        n += is_needed(r, d, i);
    return n;
}

/* No dialect: says which is nearest, by the part of its needed columns that is there, and what it lacks. */
static int unknown_header(const struct header *r, struct err *e)
{
    const struct bill_dialect *best = NULL, *d;
    int most = 0;
    struct buf has = {0}, missing = {0};
    bool marked;

    for (size_t i = 0; (d = dialect_at(r, i)); i++) {
        int n = 1000 * needed_columns(r, d, &has, &missing, &marked) / count_needed(r, d);

        if (n > most) {
            most = n;
            best = d;
        }
    }
    if (best) {
        buf_clear(&has);
        buf_clear(&missing);
        needed_columns(r, best, &has, &missing, &marked);
        err_set(e, ERR_INPUT, "header is of no known bill; nearest is %s: it has %s, it lacks %s", best->name, buf_str(&has),
                buf_str(&missing));
        at_row(r, e);
        hint_nearest(r, best, e);
    }
    buf_free(&has);
    buf_free(&missing);
    return best ? -1 : no_bill_at_all(r, e);
}

/* ---- the dialect ---- */

static const struct bill_dialect *recognise(const struct header *r)
{
    const struct bill_dialect *found = NULL, *d;

    for (size_t i = 0; !found && (d = dialect_at(r, i)); i++) {
        struct buf has = {0}, missing = {0};
        bool marked;

        needed_columns(r, d, &has, &missing, &marked);
        if (marked)
            found = d;
        buf_free(&has);
        buf_free(&missing);
    }
    return found;
}

static int check_needed(const struct header *r, const struct bill_dialect *d, struct err *e)
{
    struct buf has = {0}, missing = {0};
    bool marked;
    int rc = 0;

    needed_columns(r, d, &has, &missing, &marked);
    if (missing.n) {
        err_set(e, ERR_INPUT, "%s bill lacks the columns: %s", d->name, buf_str(&missing));
        rc = at_row(r, e);
    }
    buf_free(&has);
    buf_free(&missing);
    return rc;
}

static int bind_columns(const struct header *r, struct bill_head *h, const char *name, struct err *e)
{
    for (int i = 0; i < h->dialect->n_columns; i++) {
        const struct bill_column *c = &h->dialect->columns[i];
        bool again;

        h->index[i] = find_column(r, h->dialect, c, &again);
        h->shown[i] = h->index[i] < 0 ? xstrdup(c->name) : shown_name(r->row->fields[h->index[i]]);
        if (again && is_needed(r, h->dialect, i)) {
            err_set(e, ERR_INPUT, "column \"%s\" is there twice", h->shown[i]);
            return at_row(r, e);
        }
        if (again) {
            diag_add(r->req->diag, "W104", "%s: column \"%s\" is there twice; the first one is used", name, h->shown[i]);
            diag_hint(r->req->diag, "W104", "leave one of the two out of the export");
        }
    }
    return 0;
}

static void bind_json(const struct header *r, struct bill_head *h)
{
    bill_rows_bind(r->rows, h->dialect);
    for (int i = 0; i < h->dialect->n_columns; i++) {
        h->index[i] = i;
        h->shown[i] = xstrdup(h->dialect->columns[i].name);
    }
    h->fields = (size_t)h->dialect->n_columns + 1;
}

static int bind_csv(const struct header *r, struct bill_head *h, const char *name, struct err *e)
{
    if (check_needed(r, h->dialect, e) < 0 || bind_columns(r, h, name, e) < 0)
        return -1;
    h->fields = r->row->n;
    for (size_t i = 0; i < r->row->n; i++) {
        buf_add(&h->names, &r->row->fields[i].n, sizeof r->row->fields[i].n);
        buf_add_span(&h->names, r->row->fields[i]);
    }
    if (!h->dialect->whole_rows)
        bill_rows_select(r->rows, h->index, (size_t)h->dialect->n_columns);
    return 0;
}

static int read_header(struct header *r, struct bill_head *h, const char *name, struct err *e)
{
    fold_names(r);
    h->dialect = recognise(r);
    if (!h->dialect)
        return unknown_header(r, e);
    if (!bill_rows_is_json(r->rows))
        return bind_csv(r, h, name, e);
    bind_json(r, h);
    return 0;
}

int bill_head_read(struct bill_head *h, const struct bill_request *req, const char *name, struct bill_rows *rows,
                   const struct csv_row *row, struct err *e)
{
    struct header r = {.req = req, .rows = rows, .row = row};
    int rc = read_header(&r, h, name, e);

    buf_free(&r.folded);
    vec_free(&r.folds);
    return rc;
}

void bill_head_release(struct bill_head *h)
{
    buf_free(&h->names);
    for (int i = 0; i < BILL_COLUMNS_MAX; i++)
        free(h->shown[i]);
}

/* Most rows differ in the first column that is asked for. */
bool bill_head_is_again(const struct bill_head *h, struct bill_rows *rows, const struct csv_row *row)
{
    const char *p = h->names.p;
    int probe = 0;

    if (row->n != h->fields || h->names.n == 0)
        return false;
    while (h->index[probe] < 0)
        probe++;                                             /* some columns are needed: one is there */
    if (!span_eq(span_trim(row->fields[h->index[probe]]), h->shown[probe]))
        return false;
    for (size_t i = 0; i < row->n; i++) {
        struct span field = bill_rows_field(rows, i);
        size_t n;

        memcpy(&n, p, sizeof n);
        if (field.n != n || memcmp(field.p, p + sizeof n, n) != 0)
            return false;
        p += sizeof n + n;
    }
    return true;
}
