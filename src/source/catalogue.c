/* catalogue (source): the three tables that are compiled in, as a struct catalogue.
 *
 * The build turns each CSV file of src/source/catalogue/ into an array of lines (embed.awk); here they go through the CSV reader like any
 * file, so that an error in one has a line and a column. Empty numbers mean unknown and become 0, as value/catalogue.h says.
 * The version names the data, not the program: it changes when a table does. */
#include "gputab/source/catalogue.h"

#include <string.h>

#include "catalogue_data.h"
#include "gputab/base/sha256.h"
#include "gputab/codec/csv.h"
#include "gputab/codec/csv_head.h"

static const char data_version[] = "2026-07";

enum { MICRO = 1000000, COLUMNS_MAX = 10, NAMES_MAX = 64 };

struct lines {
    const char *const *next;
    size_t at;                     /* bytes of *next that are out already; its newline counts */
    struct sha256 *hash;
};

/* The lines as the bytes of a file. */
static int fill(void *from, char *p, size_t n, struct err *e)
{
    struct lines *l = from;
    size_t have = 0;

    (void)e;
    while (have < n && *l->next) {
        size_t length = strlen(*l->next);

        p[have++] = l->at < length ? (*l->next)[l->at] : '\n';
        if (l->at++ == length) {
            l->next++;
            l->at = 0;
        }
    }
    sha256_add(l->hash, p, have);
    return (int)have;
}

struct reader {
    struct catalogue *c;
    struct csv *csv;
    struct csv_row row;
    int index[COLUMNS_MAX];
};

struct table_kind {
    const char *name;
    const char *const *lines;
    const char *columns[COLUMNS_MAX];
    int (*row)(struct reader *r, struct err *e);
};

static const char *text(struct reader *r, int column)
{
    struct span s = csv_head_cell(&r->row, r->index[column]);

    return arena_strndup(&r->c->strings, s.n ? s.p : "", s.n);
}

static int amount(struct reader *r, int column, money *out, struct err *e)
{
    struct span s = csv_head_cell(&r->row, r->index[column]);

    *out = 0;
    if (s.n == 0 || money_parse(s, out, NULL) == 0)
        return 0;
    err_set(e, ERR_INTERNAL, "\"%.*s\" is not a number", (int)s.n, s.p);
    return csv_at(r->csv, r->index[column], e);
}

/* A number in units of 1/unit. */
static int count(struct reader *r, int column, int64_t unit, int64_t *out, struct err *e)
{
    money m;

    if (amount(r, column, &m, e) < 0)
        return -1;
    *out = (int64_t)(m / (MONEY_ONE / unit));
    return 0;
}

static int small(struct reader *r, int column, int *out, struct err *e)
{
    int64_t n;

    if (count(r, column, 1, &n, e) < 0)
        return -1;
    *out = (int)n;
    return 0;
}

/* "a;b" as a NULL-terminated list in the arena. */
static const char **names(struct reader *r, int column)
{
    struct span s = csv_head_cell(&r->row, r->index[column]);
    const char *found[NAMES_MAX], **list;
    size_t n = 0;

    while (s.n && n < NAMES_MAX) {
        const char *semicolon = memchr(s.p, ';', s.n);
        size_t length = semicolon ? (size_t)(semicolon - s.p) : s.n;
        struct span name = span_trim((struct span){s.p, length});

        if (name.n)
            found[n++] = arena_strndup(&r->c->strings, name.p, name.n);
        length += semicolon != NULL;
        s = (struct span){s.p + length, s.n - length};
    }
    list = arena_alloc(&r->c->strings, (n + 1) * sizeof *list);
    if (n)
        memcpy(list, found, n * sizeof *list);
    list[n] = NULL;
    return list;
}

static int model_row(struct reader *r, struct err *e)
{
    struct gpu_model m = {.name = text(r, 0), .names = names(r, 1)};

    if (count(r, 2, 1, &m.total_mib, e) < 0 || count(r, 3, 1, &m.reserved_mib, e) < 0 || small(r, 4, &m.compute_slices, e) < 0
        || small(r, 5, &m.memory_slices, e) < 0 || amount(r, 6, &m.price_hour, e) < 0)
        return -1;
    vec_push(&r->c->models, m);
    return 0;
}

static int profile_row(struct reader *r, struct err *e)
{
    struct mig_profile p = {.model = text(r, 0), .profile = text(r, 1)};

    if (small(r, 2, &p.compute_slices, e) < 0 || small(r, 3, &p.memory_slices, e) < 0 || small(r, 4, &p.max_instances, e) < 0)
        return -1;
    vec_push(&r->c->profiles, p);
    return 0;
}

static int type_row(struct reader *r, struct err *e)
{
    struct instance_type t = {.provider = text(r, 0), .name = text(r, 1), .model_name = text(r, 4), .region = text(r, 7)};

    if (count(r, 2, MICRO, &t.vcpu_micro, e) < 0 || count(r, 3, MICRO, &t.memory_micro_gib, e) < 0
        || count(r, 5, MICRO, &t.gpu_count_micro, e) < 0 || amount(r, 6, &t.price_hour, e) < 0)
        return -1;
    t.model = catalogue_model(r->c, span_of(t.model_name));
    vec_push(&r->c->types, t);
    return 0;
}

/* The order matters: an instance type refers to a model. */
static const struct table_kind tables[] = {
    {"gpu_models.csv", catalogue_gpu_models,
     {"model", "names", "total_mib", "reserved_mib", "compute_slices", "memory_slices", "reference_usd_hour"}, model_row},
    {"instances.csv", catalogue_instances,
     {"provider", "instance_type", "vcpu", "memory_gib", "gpu_model", "gpu_count", "usd_hour", "region"}, type_row},
    {"mig_profiles.csv", catalogue_mig_profiles,
     {"model", "profile", "compute_slices", "memory_slices", "max_instances"}, profile_row},
};

static int read_table(struct catalogue *c, const struct table_kind *t, struct sha256 *hash, struct err *e)
{
    struct lines lines = {t->lines, 0, hash};
    struct reader r = {.c = c, .csv = csv_new(fill, &lines, &(struct csv_config){.name = t->name})};
    size_t n = 0;
    int rc;

    while (n < COLUMNS_MAX && t->columns[n])
        n++;
    rc = csv_next(r.csv, &r.row, e);
    if (rc == 1)
        rc = csv_head_bind(r.csv, &r.row, t->columns, n, n, r.index, e);
    while (rc == 0 && (rc = csv_next(r.csv, &r.row, e)) == 1)
        rc = t->row(&r, e);
    csv_free(r.csv);
    return rc < 0 ? -1 : 0;
}

int catalogue_builtin(struct catalogue *c, struct err *e)
{
    struct sha256 *hash = sha256_new();
    int rc = 0;

    memcpy(c->version, data_version, sizeof data_version);
    for (size_t i = 0; i < sizeof tables / sizeof *tables && rc == 0; i++)
        rc = read_table(c, &tables[i], hash, e);
    sha256_end(hash, c->sha256);
    return rc;
}
