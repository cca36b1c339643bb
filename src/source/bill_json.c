/* bill_json: objects become rows by the paths of their members.
 *
 * The names on the way to a member, joined by dots, are looked up once among the dialect's columns and kept: a row's tokens then go to
 * cells by number. What a column takes as a whole, and every list, is written again as JSON. What no column takes goes into a field of
 * its own, so that rows can be told apart by all that they hold.
 * An exporter leaves members out that are null: a header from the first object tells the dialect, but nothing of what later ones lack. */
#include "gputab/source/bill_json.h"

#include <stdlib.h>
#include <string.h>

#include "gputab/base/buf.h"
#include "gputab/base/intern.h"
#include "gputab/base/vec.h"
#include "gputab/base/xalloc.h"
#include "gputab/codec/json_in.h"
#include "gputab/codec/json_out.h"
#include "gputab/source/bill_dialect.h"
#include "gputab/source/bill_fold.h"

enum { BLOCK = 256 * 1024, NO_COLUMN = -1 };

/* Which column a path is, by its own name or by an earlier one. */
struct destination {
    int column;                    /* NO_COLUMN: none */
    bool by_alias;
};

struct cell {
    size_t at, n;                  /* in `text` */
    bool set, by_alias;
};

struct bill_json {
    csv_fill fill;
    void *from;
    char *name;
    int64_t bytes;                 /* that fill gave */
    /* lines */
    char *w;
    size_t start, end, cap;        /* unread bytes are w[start .. end) */
    bool eof;
    int64_t lines, line;           /* that were read; of the latest row */
    struct span object;            /* its text */
    bool ended;                    /* a line end follows */
    bool again;                    /* it is to be read as a row, too */
    /* tokens */
    struct json_in *json;
    int depth;                     /* open containers */
    struct buf path;
    size_t base[JSON_IN_DEPTH + 1];        /* by depth: bytes of the path to the object */
    int whole;                     /* depth outside of the value that is taken as a whole; 0: none is */
    struct destination into;            /* of that value */
    bool comma;                    /* one is due before its next token */
    struct buf value;
    /* columns */
    const struct bill_dialect *dialect;    /* NULL: names are looked for */
    struct intern *paths;          /* id n is destinations.v[n - 1] */
    VEC(struct destination) destinations;
    struct buf folded;
    VEC(struct cell) cells;
    VEC(bool) saw;
    struct buf text, rest;
    VEC(struct span) fields;
};

/* ---- columns ---- */

static bool is_named(struct span path, const char *name)
{
    return name && span_eq_fold(path, name);
}

static struct destination find_column(struct bill_json *j, struct span path)
{
    const struct bill_dialect *d = j->dialect;

    if (d->folds) {
        buf_clear(&j->folded);
        bill_fold_name(&j->folded, path);
        path = buf_span(&j->folded);
    }
    for (int i = 0; i < d->n_columns; i++)
        if (is_named(path, d->columns[i].name))
            return (struct destination){i, false};
    for (int i = 0; i < d->n_columns; i++)
        if (is_named(path, d->columns[i].alias))
            return (struct destination){i, true};
    return (struct destination){NO_COLUMN, false};
}

/* Where the value at the path goes; before the columns are known each path is noted as a name. */
static int destination_of(struct bill_json *j, struct destination *out, struct err *e)
{
    uint32_t id = intern_span(j->paths, buf_span(&j->path));

    *out = (struct destination){NO_COLUMN, false};
    if (id == 0)                                             /* a member whose name is empty */
        return 0;
    if (id > BILL_JSON_NAMES_MAX)
        return err_set(e, ERR_INPUT, "more than %d different names", BILL_JSON_NAMES_MAX);
    if (!j->dialect)
        return 0;
    while (j->destinations.n < id) {
        struct destination d = find_column(j, intern_get(j->paths, (uint32_t)j->destinations.n + 1));

        vec_push(&j->destinations, d);
    }
    *out = j->destinations.v[id - 1];
    return 0;
}

static int set_cell(struct bill_json *j, struct destination t, struct span value, struct err *e)
{
    struct cell *c;

    if (t.column == NO_COLUMN) {
        buf_add(&j->rest, &j->path.n, sizeof j->path.n);
        buf_add_span(&j->rest, buf_span(&j->path));
        buf_add(&j->rest, &value.n, sizeof value.n);
        buf_add_span(&j->rest, value);
        return 0;
    }
    c = &j->cells.v[t.column];
    if (c->set && c->by_alias == t.by_alias)
        return err_set(e, ERR_INPUT, "\"%.*s\" is there twice in one object", (int)(j->path.n < 80 ? j->path.n : 80), buf_str(&j->path));
    if (c->set && t.by_alias)
        return 0;
    *c = (struct cell){j->text.n, value.n, true, t.by_alias};
    buf_add_span(&j->text, value);
    j->saw.v[t.column] = true;
    return 0;
}

/* ---- values that are taken as a whole ---- */

static void write_token(struct bill_json *j, enum json_in_kind kind, struct span text)
{
    static const char *const words[] = {
        [JSON_IN_OBJECT] = "{", [JSON_IN_OBJECT_END] = "}", [JSON_IN_ARRAY] = "[", [JSON_IN_ARRAY_END] = "]",
        [JSON_IN_TRUE] = "true", [JSON_IN_FALSE] = "false", [JSON_IN_NULL] = "null",
    };
    bool ends = kind == JSON_IN_OBJECT_END || kind == JSON_IN_ARRAY_END;

    if (j->comma && !ends)
        buf_addc(&j->value, ',');
    if (kind == JSON_IN_NAME || kind == JSON_IN_STRING_VALUE)
        json_out_add_quoted(&j->value, text);
    else if (kind == JSON_IN_NUMBER_VALUE)
        buf_add_span(&j->value, text);
    else
        buf_adds(&j->value, words[kind]);
    if (kind == JSON_IN_NAME)
        buf_addc(&j->value, ':');
    j->comma = kind != JSON_IN_NAME && kind != JSON_IN_OBJECT && kind != JSON_IN_ARRAY;
}

static int take_whole(struct bill_json *j, enum json_in_kind kind, struct span text, struct err *e)
{
    j->depth += (kind == JSON_IN_OBJECT || kind == JSON_IN_ARRAY) - (kind == JSON_IN_OBJECT_END || kind == JSON_IN_ARRAY_END);
    write_token(j, kind, text);
    if (j->depth > j->whole)
        return 0;
    j->whole = 0;
    return set_cell(j, j->into, buf_span(&j->value), e);
}

static int begin_whole(struct bill_json *j, enum json_in_kind kind, struct destination t, struct err *e)
{
    j->whole = j->depth;
    j->into = t;
    j->comma = false;
    buf_clear(&j->value);
    return take_whole(j, kind, (struct span){NULL, 0}, e);
}

/* ---- tokens ---- */

static void take_name(struct bill_json *j, struct span text)
{
    j->path.n = j->base[j->depth];
    if (j->path.n)
        buf_addc(&j->path, '.');
    buf_add_span(&j->path, text);
}

static int open_object(struct bill_json *j, struct err *e)
{
    struct destination t = {NO_COLUMN, false};

    if (j->depth > 0 && destination_of(j, &t, e) < 0)
        return -1;
    if (t.column != NO_COLUMN)
        return begin_whole(j, JSON_IN_OBJECT, t, e);
    j->base[++j->depth] = j->path.n;
    return 0;
}

static int take_scalar(struct bill_json *j, enum json_in_kind kind, struct span text, struct err *e)
{
    static const struct span true_text = {"true", 4}, false_text = {"false", 5};
    struct destination t;

    if (destination_of(j, &t, e) < 0 || kind == JSON_IN_NULL)
        return e->code ? -1 : 0;
    return set_cell(j, t, kind == JSON_IN_TRUE ? true_text : kind == JSON_IN_FALSE ? false_text : text, e);
}

static int take(void *ctx, enum json_in_kind kind, struct span text, struct err *e)
{
    struct bill_json *j = ctx;
    struct destination t;

    if (j->whole)
        return take_whole(j, kind, text, e);
    if (j->depth == 0 && kind != JSON_IN_OBJECT)
        return err_set(e, ERR_INPUT, "line is no JSON object");
    switch (kind) {
    case JSON_IN_OBJECT:
        return open_object(j, e);
    case JSON_IN_ARRAY:
        return destination_of(j, &t, e) < 0 ? -1 : begin_whole(j, kind, t, e);
    case JSON_IN_OBJECT_END:
        j->depth--;
        return 0;
    case JSON_IN_NAME:
        take_name(j, text);
        return 0;
    default:
        return take_scalar(j, kind, text, e);
    }
}

/* ---- lines ---- */

static int refill(struct bill_json *j, struct err *e)
{
    size_t kept = j->end - j->start;
    int got;

    memmove(j->w, j->w + j->start, kept);
    j->start = 0;
    j->end = kept;
    if (j->cap < kept + BLOCK) {
        j->cap = 2 * kept + BLOCK;
        j->w = xrealloc(j->w, j->cap);
    }
    got = j->fill(j->from, j->w + kept, BLOCK, e);
    if (got < 0)
        return -1;
    j->eof = got == 0;
    j->end += (size_t)got;
    j->bytes += got;
    return 0;
}

/* The next line into j->object: 1, 0 at the end, -1. */
static int next_line(struct bill_json *j, struct err *e)
{
    size_t seen = 0;

    for (;;) {
        size_t n = j->end - j->start;
        char *p = j->w + j->start, *nl = n > seen ? memchr(p + seen, '\n', n - seen) : NULL;

        if (nl || (j->eof && n)) {
            j->ended = nl != NULL;
            j->object = (struct span){p, nl ? (size_t)(nl - p) : n};
            j->start += j->object.n + j->ended;
            j->line = ++j->lines;
            return 1;
        }
        if (j->eof)
            return 0;
        if (n > CSV_ROW_MAX) {
            j->line = j->lines + 1;
            err_set(e, ERR_INPUT, "line is longer than %d bytes", (int)CSV_ROW_MAX);
            return bill_json_at(j, e);
        }
        seen = n;
        if (refill(j, e) < 0)
            return -1;
    }
}

static struct span without_mark(struct span s)
{
    return span_starts(s, "\xef\xbb\xbf") ? (struct span){s.p + 3, s.n - 3} : s;
}

static int next_object(struct bill_json *j, struct err *e)
{
    int rc;

    if (j->again) {
        j->again = false;
        return 1;
    }
    while ((rc = next_line(j, e)) == 1) {
        j->object = without_mark(j->object);
        if (span_trim(j->object).n)
            return 1;
    }
    return rc;
}

/* An object that goes on behind the line's end is one that was written over several lines, or cut with the file. */
static int goes_on(const struct bill_json *j, struct err *e)
{
    if (j->ended)
        err_set(e, ERR_INPUT, "JSON object goes on behind the end of the line");
    else
        err_set(e, ERR_INPUT, "file ends in the middle of a row, at byte %lld", (long long)j->bytes);
    bill_json_at(j, e);
    return err_hint(e, j->ended ? "a bill is one object a line (jq -c . makes it so); a manifest is none, but names its files"
                                : "copy the file again; nothing of it was used");
}

static int read_object(struct bill_json *j, struct err *e)
{
    struct err why = {0};
    int rc;

    json_in_reset(j->json);
    j->depth = j->whole = 0;
    buf_clear(&j->path);
    rc = json_in_feed(j->json, j->object.p, j->object.n, &why);
    if (rc == 0 && (rc = json_in_end(j->json, &why)) < 0 && j->depth > 0)
        return goes_on(j, e);
    if (rc == 0)
        return 0;
    err_set(e, why.code, "%s", why.text);
    err_at(e, j->name, j->line, why.column);
    return why.hint[0] ? err_hint(e, "%s", why.hint) : -1;
}

/* ---- rows ---- */

static void hand_out_names(struct bill_json *j, struct csv_row *row)
{
    vec_clear(&j->fields);
    for (uint32_t i = 1; i < intern_count(j->paths); i++)
        vec_push(&j->fields, intern_get(j->paths, i));
    if (j->fields.n == 0)
        vec_push(&j->fields, (struct span){"", 0});
    *row = (struct csv_row){j->line, j->fields.n, j->fields.v, j->ended};
}

static void hand_out_cells(struct bill_json *j, struct csv_row *row)
{
    vec_clear(&j->fields);
    for (size_t i = 0; i < j->cells.n; i++)
        vec_push(&j->fields, (struct span){buf_str(&j->text) + j->cells.v[i].at, j->cells.v[i].n});
    vec_push(&j->fields, buf_span(&j->rest));
    *row = (struct csv_row){j->line, j->fields.n, j->fields.v, j->ended};
}

int bill_json_next(struct bill_json *j, struct csv_row *row, struct err *e)
{
    int rc = next_object(j, e);

    if (rc <= 0)
        return rc;
    buf_clear(&j->text);
    buf_clear(&j->rest);
    if (j->cells.n)
        memset(j->cells.v, 0, j->cells.n * sizeof *j->cells.v);
    if (read_object(j, e) < 0)
        return -1;
    if (j->dialect)
        hand_out_cells(j, row);
    else
        hand_out_names(j, row);
    return 1;
}

void bill_json_bind(struct bill_json *j, const struct bill_dialect *d)
{
    j->dialect = d;
    j->again = true;
    for (int i = 0; i < d->n_columns; i++) {
        vec_push(&j->cells, (struct cell){.set = false});
        vec_push(&j->saw, false);
    }
}

bool bill_json_saw(const struct bill_json *j, int column)
{
    return j->saw.v[column];
}

int bill_json_at(const struct bill_json *j, struct err *e)
{
    return err_at(e, j->name, j->line, 0);
}

struct bill_json *bill_json_new(csv_fill fill, void *from, const char *name)
{
    struct bill_json *j = xcalloc(1, sizeof *j);

    j->fill = fill;
    j->from = from;
    j->name = xstrdup(name);
    j->cap = BLOCK;
    j->w = xmalloc(j->cap);
    j->json = json_in_new(take, j);
    j->paths = intern_new();
    return j;
}

void bill_json_free(struct bill_json *j)
{
    if (!j)
        return;
    json_in_free(j->json);
    intern_free(j->paths);
    buf_free(&j->path);
    buf_free(&j->value);
    buf_free(&j->folded);
    buf_free(&j->text);
    buf_free(&j->rest);
    vec_free(&j->destinations);
    vec_free(&j->cells);
    vec_free(&j->saw);
    vec_free(&j->fields);
    free(j->name);
    free(j->w);
    free(j);
}
