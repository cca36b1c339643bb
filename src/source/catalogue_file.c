/* catalogue_file: rows of a user's table over those that are there.
 *
 * Which table it is, its columns say. What a row says of a thing that is known replaces that, cell by cell, so that a price needs no more
 * than a name and the price; anything else is added behind, where look-ups find it first. What two rows of one file would say of one thing
 * is refused: the order of rows decides nothing. Models keep their places, since types refer to these. */
#include "gputab/source/catalogue_file.h"

#include <stdlib.h>
#include <string.h>

#include "gputab/base/sha256.h"
#include "gputab/codec/csv.h"
#include "gputab/codec/csv_head.h"
#include "gputab/codec/unpack.h"

enum { MICRO = 1000000, COLUMNS_MAX = 12, NAMES_MAX = 64 };

#define SIZE_MOST ((money)1000000 * MONEY_ONE)
#define MIB_MOST ((money)1000000000 * MONEY_ONE)

struct reader;

struct table_kind {
    const char *what;
    const char *columns[COLUMNS_MAX];      /* the first `key` ones make a header this table's */
    size_t key;
    int (*row)(struct reader *r, struct err *e);
};

struct place {
    size_t index;
    int64_t line;
};

struct reader {
    struct catalogue *c;
    const struct table_kind *kind;
    struct csv *csv;
    struct csv_row row;
    size_t fields;                 /* of the header */
    int index[COLUMNS_MAX];
    VEC(struct place) places;      /* what the rows so far were about */
    struct unpack *from;
    struct sha256 *hash;
};

/* ---- cells ---- */

static struct span cell(const struct reader *r, int column)
{
    return csv_head_cell(&r->row, r->index[column]);
}

static int fail(const struct reader *r, int column, struct err *e)
{
    csv_at(r->csv, r->index[column] < 0 ? CSV_WHOLE_ROW : r->index[column], e);
    return err_wrap(e, "column \"%s\"", r->kind->columns[column]);
}

static const char *keep(struct reader *r, struct span s)
{
    return arena_strndup(&r->c->strings, s.n ? s.p : "", s.n);
}

static int need(const struct reader *r, int column, const char *whose, struct err *e)
{
    if (cell(r, column).n)
        return 0;
    err_set(e, ERR_INPUT, "is empty, and %s needs it", whose);
    return fail(r, column, e);
}

/* 1 with *out set, 0 when the cell is empty, -1. least 1: more than 0. */
static int read_amount(const struct reader *r, int column, money least, money most, money *out, struct err *e)
{
    struct span s = cell(r, column);
    money m;

    if (s.n == 0)
        return 0;
    if (money_parse(s, &m, NULL) == 0 && m >= least && m <= most) {
        *out = m;
        return 1;
    }
    err_set(e, ERR_INPUT, "\"%.*s\" is not a number %s 0 up to %lld", (int)(s.n < 80 ? s.n : 80), s.p, least > 0 ? "above" : "from",
            (long long)(most / MONEY_ONE));
    return fail(r, column, e);
}

/* In units of 1/unit. A cell that says less than one of them is an error. */
static int read_count(const struct reader *r, int column, int64_t unit, money most, int64_t *out, struct err *e)
{
    money m = 0;
    int rc = read_amount(r, column, MONEY_ONE / unit, most, &m, e);

    if (rc == 1 && unit == 1 && m % MONEY_ONE != 0) {
        err_set(e, ERR_INPUT, "\"%.*s\" is not a whole number", (int)(cell(r, column).n < 80 ? cell(r, column).n : 80), cell(r, column).p);
        return fail(r, column, e);
    }
    if (rc == 1)
        *out = (int64_t)(m / (MONEY_ONE / unit));
    return rc < 0 ? -1 : 0;
}

static int read_slices(const struct reader *r, int column, int *out, struct err *e)
{
    int64_t n = *out;

    if (read_count(r, column, 1, 64 * MONEY_ONE, &n, e) < 0)
        return -1;
    *out = (int)n;
    return 0;
}

static int read_price(const struct reader *r, int column, money *out, struct err *e)
{
    return read_amount(r, column, 1, SIZE_MOST, out, e) < 0 ? -1 : 0;
}

/* "a;b" as a NULL-terminated list in the arena. */
static int read_names(struct reader *r, int column, const char ***out, struct err *e)
{
    struct span s = cell(r, column);
    const char *found[NAMES_MAX];
    size_t n = 0;

    if (s.n == 0)
        return 0;
    while (s.n) {
        const char *semicolon = memchr(s.p, ';', s.n);
        size_t length = semicolon ? (size_t)(semicolon - s.p) : s.n;
        struct span name = span_trim((struct span){s.p, length});

        if (name.n && n == NAMES_MAX) {
            err_set(e, ERR_INPUT, "has more than %d names", NAMES_MAX);
            return fail(r, column, e);
        }
        if (name.n)
            found[n++] = keep(r, name);
        length += semicolon != NULL;
        s = (struct span){s.p + length, s.n - length};
    }
    *out = arena_alloc(&r->c->strings, (n + 1) * sizeof **out);
    memcpy(*out, found, n * sizeof **out);
    (*out)[n] = NULL;
    return 0;
}

/* ---- rows ---- */

/* Notes what the row is about; of two rows about one thing the second is refused. */
static int claim(struct reader *r, size_t index, struct err *e)
{
    for (size_t i = 0; i < r->places.n; i++) {
        if (r->places.v[i].index != index)
            continue;
        err_set(e, ERR_INPUT, "line %lld is about the same %s", (long long)r->places.v[i].line, r->kind->what);
        return csv_at(r->csv, CSV_WHOLE_ROW, e);
    }
    vec_push(&r->places, (struct place){index, r->row.line});
    return 0;
}

enum { M_MODEL, M_NAMES, M_TOTAL, M_RESERVED, M_COMPUTE, M_MEMORY, M_PRICE };

static int model_row(struct reader *r, struct err *e)
{
    static const char *none[] = {NULL};
    struct catalogue *c = r->c;
    struct gpu_model m = {.names = none};
    size_t i = 0;

    if (need(r, M_MODEL, "a model", e) < 0)
        return -1;
    while (i < c->models.n && !span_eq(cell(r, M_MODEL), c->models.v[i].name))
        i++;
    if (i < c->models.n)
        m = c->models.v[i];
    else
        m.name = keep(r, cell(r, M_MODEL));
    if (claim(r, i, e) < 0 || read_names(r, M_NAMES, &m.names, e) < 0 || read_count(r, M_TOTAL, 1, MIB_MOST, &m.total_mib, e) < 0
        || read_count(r, M_RESERVED, 1, MIB_MOST, &m.reserved_mib, e) < 0 || read_slices(r, M_COMPUTE, &m.compute_slices, e) < 0
        || read_slices(r, M_MEMORY, &m.memory_slices, e) < 0 || read_price(r, M_PRICE, &m.price_hour, e) < 0)
        return -1;
    if (!m.compute_slices != !m.memory_slices)
        return need(r, m.compute_slices ? M_MEMORY : M_COMPUTE, "a model with the other kind of slices", e);
    if (i < c->models.n)
        c->models.v[i] = m;
    else
        vec_push(&c->models, m);
    return 0;
}

enum { P_MODEL, P_PROFILE, P_COMPUTE, P_MEMORY, P_MOST };

static bool is_model(const struct catalogue *c, struct span name)
{
    for (size_t i = 0; i < c->models.n; i++)
        if (span_eq(name, c->models.v[i].name))
            return true;
    return false;
}

static int profile_row(struct reader *r, struct err *e)
{
    struct catalogue *c = r->c;
    struct mig_profile p = {0};
    size_t i = 0;

    if (need(r, P_MODEL, "a profile", e) < 0 || need(r, P_PROFILE, "a profile", e) < 0)
        return -1;
    if (!is_model(c, cell(r, P_MODEL))) {
        struct span s = cell(r, P_MODEL);

        err_set(e, ERR_INPUT, "the catalogue has no model \"%.*s\"", (int)(s.n < 80 ? s.n : 80), s.p);
        err_hint(e, "a table of models goes before one of their profiles");
        return fail(r, P_MODEL, e);
    }
    while (i < c->profiles.n
           && !(span_eq(cell(r, P_MODEL), c->profiles.v[i].model) && span_eq_fold(cell(r, P_PROFILE), c->profiles.v[i].profile)))
        i++;
    if (i < c->profiles.n)
        p = c->profiles.v[i];
    else
        p = (struct mig_profile){.model = keep(r, cell(r, P_MODEL)), .profile = keep(r, cell(r, P_PROFILE))};
    for (int column = P_COMPUTE; i == c->profiles.n && column <= P_MOST; column++)
        if (need(r, column, "a new profile", e) < 0)
            return -1;
    if (claim(r, i, e) < 0 || read_slices(r, P_COMPUTE, &p.compute_slices, e) < 0 || read_slices(r, P_MEMORY, &p.memory_slices, e) < 0
        || read_slices(r, P_MOST, &p.max_instances, e) < 0)
        return -1;
    if (i < c->profiles.n)
        c->profiles.v[i] = p;
    else
        vec_push(&c->profiles, p);
    return 0;
}

enum { T_NAME, T_PROVIDER, T_VCPU, T_MEMORY, T_MODEL, T_GPUS, T_PRICE, T_REGION };

/* The type that the row changes: of its region, or, when it names none, of any; types.n: none. */
static size_t find_type(const struct reader *r)
{
    struct span name = cell(r, T_NAME), region = cell(r, T_REGION);

    for (size_t i = r->c->types.n; i-- > 0;)
        if (span_eq_fold(name, r->c->types.v[i].name) && (region.n == 0 || span_eq_fold(region, r->c->types.v[i].region)))
            return i;
    return r->c->types.n;
}

/* What is known of the type elsewhere, but for its price there. */
static struct instance_type new_type(struct reader *r)
{
    const struct instance_type *known = catalogue_type(r->c, cell(r, T_NAME));
    struct instance_type t = {.provider = "", .name = "", .model_name = "", .region = ""};

    if (known)
        t = *known;
    else
        t.name = keep(r, cell(r, T_NAME));
    t.price_hour = 0;
    t.region = keep(r, cell(r, T_REGION));
    return t;
}

static int check_new_type(const struct reader *r, struct err *e)
{
    for (int column = T_VCPU; column <= T_GPUS; column++)
        if (need(r, column, "a new instance type", e) < 0)
            return -1;
    return 0;
}

/* Look-ups take blanks for underscores, which meters write in their place. */
static int check_name(const struct reader *r, struct err *e)
{
    struct span name = cell(r, T_NAME);

    if (need(r, T_NAME, "an instance type", e) < 0)
        return -1;
    if (name.n <= CATALOGUE_TYPE_MAX && !memchr(name.p, ' ', name.n))
        return 0;
    err_set(e, ERR_INPUT, "\"%.*s\" has blanks, or more than %d characters", (int)(name.n < 80 ? name.n : 80), name.p, CATALOGUE_TYPE_MAX);
    err_hint(e, "types are written like Standard_NC8as_T4_v3");
    return fail(r, T_NAME, e);
}

static int type_row(struct reader *r, struct err *e)
{
    struct catalogue *c = r->c;
    size_t i = find_type(r);
    struct instance_type t;

    if (check_name(r, e) < 0 || (cell(r, T_PRICE).n && need(r, T_REGION, "its price", e) < 0)
        || (!catalogue_type(c, cell(r, T_NAME)) && check_new_type(r, e) < 0) || claim(r, i, e) < 0)
        return -1;
    t = i < c->types.n ? c->types.v[i] : new_type(r);
    if (cell(r, T_PROVIDER).n)
        t.provider = keep(r, cell(r, T_PROVIDER));
    if (cell(r, T_MODEL).n)
        t.model_name = keep(r, cell(r, T_MODEL));
    if (read_count(r, T_VCPU, MICRO, SIZE_MOST, &t.vcpu_micro, e) < 0
        || read_count(r, T_MEMORY, MICRO, SIZE_MOST, &t.memory_micro_gib, e) < 0
        || read_count(r, T_GPUS, MICRO, 1024 * MONEY_ONE, &t.gpu_count_micro, e) < 0 || read_price(r, T_PRICE, &t.price_hour, e) < 0)
        return -1;
    if (i < c->types.n)
        c->types.v[i] = t;
    else
        vec_push(&c->types, t);
    return 0;
}

/* ---- the table ---- */

static const struct table_kind kinds[] = {
    {"MIG profile", {"model", "profile", "compute_slices", "memory_slices", "max_instances"}, 2, profile_row},
    {"instance type", {"instance_type", "provider", "vcpu", "memory_gib", "gpu_model", "gpu_count", "usd_hour", "region",
                       "gpu_memory_gib_each", "source"}, 1, type_row},
    {"GPU model", {"model", "names", "total_mib", "reserved_mib", "compute_slices", "memory_slices", "reference_usd_hour", "basis"},
     1, model_row},
};
enum { KINDS = sizeof kinds / sizeof *kinds };

static size_t count_columns(const struct table_kind *k)
{
    size_t n = 0;

    while (n < COLUMNS_MAX && k->columns[n])
        n++;
    return n;
}

static bool has_key(const struct csv_row *head, const struct table_kind *k)
{
    for (size_t i = 0; i < k->key; i++)
        if (csv_head_find(head, k->columns[i]) < 0)
            return false;
    return true;
}

static int check_column(const struct reader *r, size_t field, struct err *e)
{
    struct span name = span_trim(r->row.fields[field]);
    struct buf all = {0};
    int shown = (int)(name.n < 80 ? name.n : 80);

    for (size_t i = 0; i < count_columns(r->kind); i++) {
        if (span_eq_fold(name, r->kind->columns[i])) {
            buf_free(&all);
            if (r->index[i] == (int)field)
                return 0;
            err_set(e, ERR_INPUT, "the column \"%.*s\" is there twice", shown, name.p);
            return csv_at(r->csv, (int)field, e);
        }
        buf_addf(&all, "%s%s", i ? ", " : "", r->kind->columns[i]);
    }
    err_set(e, ERR_INPUT, "a table of %ss has no column \"%.*s\"", r->kind->what, shown, name.n ? name.p : "");
    err_hint(e, "the columns are %s", buf_str(&all));
    buf_free(&all);
    return csv_at(r->csv, (int)field, e);
}

static int no_table(const struct reader *r, struct err *e)
{
    err_set(e, ERR_INPUT, "the header is none of the catalogue's tables");
    err_hint(e, "GPU models have the column model, instance types instance_type, MIG profiles model and profile");
    return csv_at(r->csv, CSV_WHOLE_ROW, e);
}

static int read_head(struct reader *r, struct err *e)
{
    int rc = csv_next(r->csv, &r->row, e);

    if (rc < 0)
        return -1;
    for (size_t k = 0; rc == 1 && k < KINDS && !r->kind; k++)
        if (has_key(&r->row, &kinds[k]))
            r->kind = &kinds[k];
    if (!r->kind)
        return no_table(r, e);
    r->fields = r->row.n;
    for (size_t i = 0; i < count_columns(r->kind); i++)
        r->index[i] = csv_head_find(&r->row, r->kind->columns[i]);
    for (size_t i = 0; i < r->row.n; i++)
        if (check_column(r, i, e) < 0)
            return -1;
    return 0;
}

static int read_rows(struct reader *r, struct err *e)
{
    int rc;

    while ((rc = csv_next(r->csv, &r->row, e)) == 1) {
        if (r->row.n != r->fields) {
            err_set(e, ERR_INPUT, "row has %zu fields, the header %zu", r->row.n, r->fields);
            return csv_at(r->csv, CSV_WHOLE_ROW, e);
        }
        if (r->places.n == CATALOGUE_ROWS) {
            err_set(e, ERR_INPUT, "has more than %d rows", CATALOGUE_ROWS);
            return csv_at(r->csv, CSV_WHOLE_ROW, e);
        }
        if (r->kind->row(r, e) < 0)
            return -1;
    }
    return rc;
}

/* ---- the file ---- */

static int fill(void *from, char *p, size_t n, struct err *e)
{
    struct reader *r = from;
    int got = unpack_read(r->from, p, n, e);

    if (got > 0)
        sha256_add(r->hash, p, (size_t)got);
    return got;
}

/* A type may have been there before its model was, or a model may have taken a name over. */
static void find_models(struct catalogue *c)
{
    for (size_t i = 0; i < c->types.n; i++)
        c->types.v[i].model = catalogue_model(c, span_of(c->types.v[i].model_name));
}

static void add_version(struct catalogue *c)
{
    static const char suffix[] = "+user";
    size_t n = strlen(c->version);

    if (!strchr(c->version, '+') && n + sizeof suffix <= sizeof c->version)
        memcpy(c->version + n, suffix, sizeof suffix);
}

int catalogue_add_file(struct catalogue *c, const char *path, struct err *e)
{
    struct reader r = {.c = c};
    int rc;

    if (unpack_open(&r.from, path, 0, e) < 0)
        return -1;
    r.hash = sha256_new();
    sha256_add(r.hash, c->sha256, strlen(c->sha256));
    r.csv = csv_new(fill, &r, &(struct csv_config){.name = path});
    rc = read_head(&r, e) < 0 ? -1 : read_rows(&r, e);
    if (rc < 0)
        err_at(e, path, 0, 0);
    sha256_end(r.hash, c->sha256);
    add_version(c);
    find_models(c);
    vec_free(&r.places);
    csv_free(r.csv);
    unpack_close(r.from);
    return rc;
}
