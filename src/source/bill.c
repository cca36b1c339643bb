/* bill: bill files, from their rows to what a dialect says of them.
 *
 * A file's header chooses the dialect; from then on columns are indices. This module knows what every format shares: headers, short and
 * long rows, headers repeated by joined files, one currency, no file twice. What a row means is the dialect's, where its money goes is
 * bill_sum's. A file that is no known bill is told apart as well as can be, since the wrong file is the commonest mistake. */
#include "gputab/source/bill.h"

#include <stdlib.h>
#include <string.h>

#include "gputab/base/buf.h"
#include "gputab/base/fingerprint.h"
#include "gputab/base/nearest.h"
#include "gputab/base/xalloc.h"
#include "gputab/codec/unpack.h"
#include "gputab/source/bill_dialect.h"
#include "gputab/source/bill_entry.h"
#include "gputab/source/bill_fold.h"
#include "gputab/source/bill_fx.h"
#include "gputab/source/bill_once.h"
#include "gputab/source/bill_paths.h"
#include "gputab/source/bill_rows.h"
#include "gputab/source/bill_shared.h"
#include "gputab/source/bill_sum.h"

/* What was read, to know it again: a bill counts once. */
struct content {
    struct fingerprint print;
    char *name;
};

struct contents {
    struct fingerprint_key key;
    VEC(struct content) v;
};

static const struct bill_dialect *const dialects[] = {&focus_dialect, &cur_dialect, &azure_dialect, &gcp_dialect, &oci_dialect};
enum { DIALECTS = sizeof dialects / sizeof *dialects };

struct reader {
    const struct bill_request *req;
    struct bill *out;
    struct bill_sum *sum;
    struct bill_once *once;
    struct bill_shared *shared;
    struct contents *read;
    const char *path, *name;       /* of the text (struct bill_text) */
    struct unpack *unpack;
    struct fingerprint_stream print;                         /* of the text */
    struct bill_rows *rows;
    struct csv_row row;
    struct buf head;               /* the header's fields, each with its length: what a repeated header is compared with */
    struct buf folded;             /* what `folds` points into */
    VEC(struct span) folds;        /* the header's names in snake case */
    size_t head_fields;
    size_t last_fields;            /* of the row before */
    int64_t first_short;           /* line of the first row with too few fields; 0: none yet */
    int64_t open_line;             /* of the last row, when no line end follows; 0: one does */
    const struct bill_dialect *dialect;
    void *state;
    int index[BILL_COLUMNS_MAX];
    char *shown[BILL_COLUMNS_MAX]; /* names of columns for messages; owned */
};

static struct bill_text *text_of(const struct reader *r)
{
    return &r->out->texts.v[r->out->texts.n - 1];
}

static int at_row(const struct reader *r, struct err *e)
{
    return bill_rows_at(r->rows, CSV_WHOLE_ROW, e);
}

/* Those of the user's maps, then the built-in ones; NULL behind the last. */
static const struct bill_dialect *dialect_at(const struct reader *r, size_t i)
{
    size_t maps = 0;

    while (r->req->maps && r->req->maps[maps])
        maps++;
    if (i < maps)
        return r->req->maps[i];
    return i - maps < DIALECTS ? dialects[i - maps] : NULL;
}

/* ---- the header ---- */

static void fold_names(struct reader *r)
{
    size_t bytes = 0;

    for (size_t i = 0; i < r->row.n; i++)
        bytes += r->row.fields[i].n;
    buf_reserve(&r->folded, 2 * bytes);                      /* so that no span moves */
    for (size_t i = 0; i < r->row.n; i++) {
        size_t from = r->folded.n;

        bill_fold_name(&r->folded, r->row.fields[i]);
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
static int find_column(const struct reader *r, const struct bill_dialect *d, const struct bill_column *c, bool *again)
{
    const struct span *fields = d->folds ? r->folds.v : r->row.fields;
    const char *const names[] = {c->name, c->alias, c->other};
    int found = -1;

    *again = false;
    for (size_t k = 0; k < sizeof names / sizeof *names && found < 0; k++)
        for (size_t i = 0; i < r->row.n; i++)
            if (has_name(d, names[k], fields[i])) {
                *again |= found >= 0;
                found = found < 0 ? (int)i : found;
            }
    return found;
}

static bool is_needed(const struct reader *r, const struct bill_dialect *d, int column)
{
    return d->columns[column].needed || d->cost_columns[r->req->cost] == column;
}

/* Number of the dialect's needed columns that the header has; the others are listed in *missing, those it has in *has. */
static int needed_columns(const struct reader *r, const struct bill_dialect *d, struct buf *has, struct buf *missing, bool *marked)
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

/* What the first line of a file that is no bill says it is. */
static const struct {
    const char *start;
    const char *text, *hint;
} strangers[] = {
    {"version https://git-lfs.github.com/spec/", "is a Git LFS pointer, not the file it stands for", "fetch the file itself: git lfs pull"},
    {"[", "is JSON, not a CSV bill", NULL},
    {"<", "is HTML or XML, not a CSV bill", "was a sign-in page downloaded instead of the bill?"},
};

static int no_bill_at_all(const struct reader *r, struct err *e)
{
    struct span first = span_trim(r->row.fields[0]);

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
    if (r->row.n == 1 && (memchr(first.p, ';', first.n) || memchr(first.p, '\t', first.n))) {
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
static void hint_nearest(const struct reader *r, const struct bill_dialect *d, struct err *e)
{
    for (int i = 0; i < d->n_columns && d->context; i++) {
        struct nearest near = nearest_to(d->columns[i].name);
        struct buf name = {0};
        bool again;

        for (size_t k = 0; k < r->row.n && find_column(r, d, &d->columns[i], &again) < 0; k++) {
            char *field = shown_name(r->row.fields[k]);

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

static int count_needed(const struct reader *r, const struct bill_dialect *d)
{
    int n = 0;

    for (int i = 0; i < d->n_columns; i++)
        n += is_needed(r, d, i);
    return n;
}

/* No dialect: says which is nearest, by the part of its needed columns that is there, and what it lacks. */
static int unknown_header(const struct reader *r, struct err *e)
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

static const struct bill_dialect *recognise(const struct reader *r)
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

static int check_needed(const struct reader *r, struct err *e)
{
    struct buf has = {0}, missing = {0};
    bool marked;
    int rc = 0;

    needed_columns(r, r->dialect, &has, &missing, &marked);
    if (missing.n) {
        err_set(e, ERR_INPUT, "%s bill lacks the columns: %s", r->dialect->name, buf_str(&missing));
        rc = at_row(r, e);
    }
    buf_free(&has);
    buf_free(&missing);
    return rc;
}

static int bind_columns(struct reader *r, struct err *e)
{
    for (int i = 0; i < r->dialect->n_columns; i++) {
        const struct bill_column *c = &r->dialect->columns[i];
        bool again;

        r->index[i] = find_column(r, r->dialect, c, &again);
        r->shown[i] = r->index[i] < 0 ? xstrdup(c->name) : shown_name(r->row.fields[r->index[i]]);
        if (again && is_needed(r, r->dialect, i)) {
            err_set(e, ERR_INPUT, "column \"%s\" is there twice", r->shown[i]);
            return at_row(r, e);
        }
        if (again) {
            diag_add(r->req->diag, "W104", "%s: column \"%s\" is there twice; the first one is used", r->name, r->shown[i]);
            diag_hint(r->req->diag, "W104", "leave one of the two out of the export");
        }
    }
    return 0;
}

/* Of JSON only once all rows were read. */
static bool has_column(const struct reader *r, int column)
{
    return bill_rows_is_json(r->rows) ? bill_rows_saw(r->rows, column) : r->index[column] >= 0;
}

/* Totals are right without it, but nothing can be divided. */
static void check_resource(const struct reader *r)
{
    int column = r->dialect->resource_column;

    if (has_column(r, column))
        return;
    diag_add(r->req->diag, "W107", "%s: there is no column \"%s\": none of its rows can be joined to a node", r->name, r->shown[column]);
    diag_hint(r->req->diag, "W107", "%s", r->dialect->resource_hint);
}

/* For people who want to know what was found. */
static void note_columns(struct reader *r)
{
    struct bill_text *t = text_of(r);
    struct buf missing = {0};

    t->format = r->dialect->name;
    t->columns_known = r->dialect->n_columns;
    for (int i = 0; i < r->dialect->n_columns; i++) {
        t->columns += has_column(r, i);
        if (!has_column(r, i))
            buf_addf(&missing, "%s%s", missing.n ? ", " : "", r->shown[i]);
    }
    t->missing = missing.n ? buf_take(&missing) : NULL;
    t->resource_hint = has_column(r, r->dialect->resource_column) ? NULL : r->dialect->resource_hint;
}

static int next_row(struct reader *r, struct err *e)
{
    int rc = bill_rows_next(r->rows, &r->row, e);

    if (rc == 1)
        r->open_line = r->row.ended ? 0 : r->row.line;
    return rc;
}

/* The first object tells the dialect, but not which columns there are: later ones may have more. */
static void bind_json(struct reader *r)
{
    bill_rows_bind(r->rows, r->dialect);
    for (int i = 0; i < r->dialect->n_columns; i++) {
        r->index[i] = i;
        r->shown[i] = xstrdup(r->dialect->columns[i].name);
    }
    r->head_fields = (size_t)r->dialect->n_columns + 1;
}

static int read_head(struct reader *r, struct err *e)
{
    int rc = next_row(r, e);

    if (rc < 0)
        return -1;
    if (rc == 0) {
        err_set(e, ERR_INPUT, "is empty");
        return err_hint(e, "was the export still being written, or the download cut?");
    }
    fold_names(r);
    r->dialect = recognise(r);
    if (!r->dialect)
        return unknown_header(r, e);
    bill_shared_head(r->shared, &r->row, r->dialect, bill_rows_is_json(r->rows));
    if (bill_rows_is_json(r->rows)) {
        bind_json(r);
        return 0;
    }
    if (check_needed(r, e) < 0 || bind_columns(r, e) < 0)
        return -1;
    check_resource(r);
    r->head_fields = r->row.n;
    for (size_t i = 0; i < r->row.n; i++) {
        buf_add(&r->head, &r->row.fields[i].n, sizeof r->row.fields[i].n);
        buf_add_span(&r->head, r->row.fields[i]);
    }
    if (!r->dialect->whole_rows)
        bill_rows_select(r->rows, r->index, (size_t)r->dialect->n_columns);
    return 0;
}

/* Joined part files repeat the header in mid-stream. Most rows differ in the first column that is asked for. */
static bool is_head_again(const struct reader *r)
{
    const char *p = r->head.p;
    int probe = 0;

    if (r->row.n != r->head_fields || r->head.n == 0)        /* JSON has none */
        return false;
    while (r->index[probe] < 0)
        probe++;                                             /* some columns are needed: one is there */
    if (!span_eq(span_trim(r->row.fields[r->index[probe]]), r->shown[probe]))
        return false;
    for (size_t i = 0; i < r->row.n; i++) {
        struct span field = bill_rows_field(r->rows, i);
        size_t n;

        memcpy(&n, p, sizeof n);
        if (field.n != n || memcmp(field.p, p + sizeof n, n) != 0)
            return false;
        p += sizeof n + n;
    }
    return true;
}

/* ---- rows ---- */

/* Missing trailing fields are null, as exporters leave them out. A last line that is shorter than the others and has no end is a cut
 * file, and its last value perhaps half a number. */
static int check_fields(struct reader *r, struct err *e)
{
    size_t n = r->row.n, before = r->last_fields;

    r->last_fields = n;
    if (n > r->head_fields) {
        err_set(e, ERR_INPUT, "row has %zu fields, the header %zu", n, r->head_fields);
        err_hint(e, "does a text with a comma in it lack its quotes?");
        return at_row(r, e);
    }
    if (n == r->head_fields)
        return 0;
    if (!r->row.ended && n != before) {
        err_set(e, ERR_INPUT, "file ends in the middle of a row, at byte %lld", (long long)unpack_offset(r->unpack));
        err_hint(e, "copy the file again; nothing of it was used");
        return at_row(r, e);
    }
    if (r->first_short == 0)
        r->first_short = r->row.line;
    diag_add(r->req->diag, "W102", "%s: rows have fewer fields than the header, the first on line %lld; what is missing is taken as empty",
             r->name, (long long)r->first_short);
    diag_hint(r->req->diag, "W102", "export the bill anew if more than empty cells at the ends of rows is missing");
    return 0;
}

/* One currency over all rows of all files, once those with a rate are converted: amounts in two cannot be added. */
static int check_currency(struct reader *r, struct bill_row *row, struct err *e)
{
    uint32_t *known = &r->out->currency;
    struct span have = *known ? intern_get(r->req->names, *known) : (struct span){NULL, 0};

    if (row->currency.n == 0) {
        if (row->cost == 0 && row->invoiced == 0)
            return 0;
        err_set(e, ERR_INPUT, "row has an amount and no currency");
        return at_row(r, e);
    }
    if (r->req->n_rates && bill_fx_convert(r->req, row, r->out, e) < 0)
        return at_row(r, e);
    if (*known == 0)
        *known = intern_span(r->req->names, row->currency);
    else if (!span_same(have, row->currency)) {
        err_set(e, ERR_INPUT, "row is in %.*s, rows before it are in %.*s", (int)row->currency.n, row->currency.p, (int)have.n, have.p);
        err_hint(e, "write rates in the rule (fx), or give the bill of one currency at a time");
        return at_row(r, e);
    }
    return 0;
}

static int read_row(struct reader *r, struct err *e)
{
    struct bill_cells cells = {r->dialect, r->name, r->rows, &r->row, r->index, r->shown, r->req->diag};
    struct bill_row row = {0};

    if (check_fields(r, e) < 0 || r->dialect->row(r->state, &cells, &row, e) < 0 || check_currency(r, &row, e) < 0)
        return -1;
    row.shared = bill_shared_of(r->shared, r->rows, &r->row);
    r->out->says_final |= row.invoice != BILL_INVOICE_UNKNOWN;
    if (row.invoice == BILL_ESTIMATED && bill_inside(row.span, r->req->period))
        r->out->is_final = false;
    if (row.payer.n && bill_once_see(r->once, row.payer, row.span.from, r->row.line, e) < 0)
        return at_row(r, e);
    if (bill_sum_add(r->sum, &row, r->out->texts.n - 1, e) < 0)
        return at_row(r, e);
    text_of(r)->rows++;
    r->out->files.v[r->out->files.n - 1].rows++;
    r->out->rows++;
    return 0;
}

/* What only the whole text tells. */
static void note_end(struct reader *r)
{
    enum bill_invoice says = r->dialect->estimated ? r->dialect->estimated(r->state) : BILL_INVOICE_UNKNOWN;

    r->out->says_final |= says != BILL_INVOICE_UNKNOWN;
    if (says == BILL_ESTIMATED)
        r->out->is_final = false;
    note_columns(r);
}

static int read_rows(struct reader *r, struct err *e)
{
    int rc;

    if (read_head(r, e) < 0)
        return -1;
    r->state = r->dialect->open(r->req);
    while ((rc = next_row(r, e)) == 1)
        if (!is_head_again(r) && read_row(r, e) < 0) {
            rc = -1;
            break;
        }
    if (rc == 0 && bill_rows_is_json(r->rows))
        check_resource(r);
    if (rc == 0 && r->dialect->end)
        rc = r->dialect->end(r->state, r->path, text_of(r)->rows, e);
    if (rc == 0)
        note_end(r);
    r->dialect->close(r->state, r->name, rc == 0);
    return rc;
}

/* ---- files ---- */

/* A file cut behind a row's last field looks like one that was written without a last line end; cut behind a line end, it looks whole. */
static void check_end(const struct reader *r)
{
    struct diag *d = r->req->diag;

    if (!r->open_line)
        return;
    diag_add(d, "W100", "%s: the last line (%lld) has no line end; if the file was cut there, rows are missing", r->name,
             (long long)r->open_line);
    diag_hint(d, "W100", "compare the file's total, shown by --bridge, with the invoice");
}

/* Another month's bill, or a period nobody meant: a report of nothing looks like a month without cost. */
static void check_period(const struct bill *b, const struct bill_request *req)
{
    const struct timespan spans[] = {req->period, b->rows_span};
    struct buf text[2] = {{0}, {0}};
    int64_t inside = (int64_t)b->charges.n;

    for (int g = 0; g < BILL_GROUPS; g++)
        inside += b->group_rows[g];
    if (b->rows == 0 || inside > 0)
        return;
    for (int i = 0; i < 2; i++) {
        time_add_text(&text[i], spans[i].from);
        buf_adds(&text[i], " to ");
        time_add_text(&text[i], spans[i].to);
    }
    diag_add(req->diag, "W109", "no row of the bill lies in the period, %s", buf_str(&text[0]));
    diag_hint(req->diag, "W109", "its rows are of %s: give another period or another bill", buf_str(&text[1]));
    buf_free(&text[0]);
    buf_free(&text[1]);
}

static int counts_twice(const char *path, const char *before, const char *what, struct err *e)
{
    err_set(e, ERR_INPUT, "%s the same bytes as %s; a bill counts once", what, before);
    return err_at(e, path, 0, 0);
}

/* Equal bytes would count twice, and those of a file beside its packed twin. A file without rows counts nothing. */
static int check_new(const struct bill *b, const char *const *paths, const struct contents *read, size_t first, struct err *e)
{
    size_t last = b->files.n - 1;

    if (b->files.v[last].rows == 0)
        return 0;
    for (size_t i = 0; i < last; i++)
        if (strcmp(b->files.v[i].sha256, b->files.v[last].sha256) == 0)
            return counts_twice(paths[last], paths[i], "holds", e);
    for (size_t k = first; k < read->v.n; k++)
        for (size_t i = 0; i < k; i++)
            if (memcmp(&read->v.v[i].print, &read->v.v[k].print, sizeof read->v.v[i].print) == 0)
                return counts_twice(read->v.v[k].name, read->v.v[i].name, "unpacks to", e);
    return 0;
}

/* A comma, and what the user's maps say; NUL-terminated. */
static void add_delimiters(struct buf *b, const struct bill_request *req)
{
    buf_addc(b, ',');
    for (size_t i = 0; req->maps && req->maps[i]; i++)
        if (!strchr(buf_str(b), req->maps[i]->delimiter))
            buf_addc(b, req->maps[i]->delimiter);
}

static int fill(void *from, char *p, size_t n, struct err *e)
{
    struct reader *r = from;
    int got = unpack_read(r->unpack, p, n, e);

    if (got > 0)
        fingerprint_add(&r->print, p, (size_t)got);
    return got;
}

/* One text. Its entry in out->texts and the file's in out->files are the last ones. */
static int read_text(struct reader *r, struct err *e)
{
    struct buf delimiters = {0};
    int rc;

    bill_once_begin(r->once, r->path);
    r->print = fingerprint_begin(r->read->key);
    add_delimiters(&delimiters, r->req);
    rc = bill_rows_open(&r->rows, fill, r, r->path, buf_str(&delimiters), e) < 0 ? -1 : read_rows(r, e);
    buf_free(&delimiters);
    if (rc == 0)
        check_end(r);
    if (rc == 0 && text_of(r)->rows == 0) {
        diag_add(r->req->diag, "W103", "%s: the bill has a header and no rows", r->name);
        diag_hint(r->req->diag, "W103", "see whether the export had ended, and whether it is of this period");
    } else if (rc == 0) {
        vec_push(&r->read->v, (struct content){fingerprint_end(&r->print), xstrdup(r->path)});
    }
    bill_rows_free(r->rows);
    return rc < 0 ? err_at(e, r->path, 0, 0) : 0;
}

static const char *base_name(const char *path)
{
    return strrchr(path, '/') ? strrchr(path, '/') + 1 : path;
}

/* The next text of a file: all of it, or a file in an archive, which goes by both names. */
static int read_member(struct reader r, const char *path, struct err *e)
{
    const char *member = unpack_member(r.unpack);
    struct buf names = {0};
    char *own;
    int rc;

    if (r.out->texts.n == BILL_FILES_MAX)
        return err_set(e, ERR_INPUT, "more than %d bill files", BILL_FILES_MAX);
    buf_addf(&names, "%s%s%s", path, member ? "/" : "", member ? member : "");
    own = buf_take(&names);
    r.path = own;
    r.name = own + (base_name(path) - path);
    vec_push(&r.out->texts, (struct bill_text){.file = r.out->files.n - 1, .path = own, .name = r.name});
    rc = read_text(&r, e);
    buf_free(&r.head);
    buf_free(&r.folded);
    vec_free(&r.folds);
    for (int i = 0; i < BILL_COLUMNS_MAX; i++)
        free(r.shown[i]);
    return rc;
}

static int read_path(struct reader r, const char *path, struct err *e)
{
    struct bill *out = r.out;
    int rc;

    vec_push(&out->files, (struct bill_file){.name = xstrdup(base_name(path))});
    if (unpack_open(&r.unpack, path, UNPACK_SHA256 | UNPACK_MEMBERS, e) < 0)
        return -1;
    unpack_skip(r.unpack, bill_paths_skip);
    while ((rc = unpack_next(r.unpack, e)) == 1)
        if (read_member(r, path, e) < 0) {
            rc = -1;
            break;
        }
    if (rc == 0)
        unpack_hash(r.unpack, out->files.v[out->files.n - 1].sha256);
    unpack_close(r.unpack);
    return rc;
}

static void forget(struct contents *read)
{
    for (size_t i = 0; i < read->v.n; i++)
        free(read->v.v[i].name);
    vec_free(&read->v);
}

static int check_paths(const char *const *paths, size_t n, struct err *e)
{
    size_t inputs = 0;

    for (size_t i = 0; i < n; i++)
        inputs += strcmp(paths[i], "-") == 0;
    if (inputs > 1)
        return err_set(e, ERR_INPUT, "standard input can be read once, but \"-\" is given %zu times", inputs);
    if (n > BILL_FILES_MAX)
        return err_set(e, ERR_INPUT, "%zu bill files are more than %d", n, BILL_FILES_MAX);
    return 0;
}

int bill_read(const char *const *paths, size_t n, const struct bill_request *req, struct bill *out, struct err *e)
{
    struct contents read = {.key = fingerprint_new_key()};
    struct bill_sum *sum;
    struct bill_once *once;
    struct bill_shared *shared;
    int rc = check_paths(paths, n, e);

    if (rc < 0)
        return -1;
    out->is_final = true;
    sum = bill_sum_new(req, out);
    once = bill_once_new();
    shared = bill_shared_new(req);
    for (size_t i = 0; i < n && rc == 0; i++) {
        size_t first = read.v.n;

        rc = read_path((struct reader){.req = req, .out = out, .sum = sum, .once = once, .shared = shared, .read = &read}, paths[i], e);
        if (rc == 0)
            rc = check_new(out, paths, &read, first, e);
        if (rc == 0)
            rc = bill_once_check(once, e);
    }
    if (rc == 0)
        rc = bill_sum_end(sum, e);
    if (rc == 0)
        rc = bill_shared_check(shared, out, e);
    if (rc == 0)
        check_period(out, req);
    bill_sum_free(sum);
    bill_shared_free(shared);
    forget(&read);
    bill_once_free(once);
    return rc;
}
