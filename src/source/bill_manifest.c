/* bill_manifest: manifests of three kinds, read by one table of places in the document.
 *
 * AWS writes one for its Cost and Usage Report (reportKeys) and one for Data Exports (dataFiles), Azure one for exports (blobs). A place is
 * the names on the way to a value; lists add nothing to it. What the table does not know is passed over: the columns, above all.
 * Month and time of making stand in names as often as in the document, so both are looked for there too. No file is opened here. */
#include "gputab/source/bill_manifest.h"

#include <string.h>

#include "gputab/base/buf.h"
#include "gputab/codec/json_in.h"

struct reader {
    struct bill_manifest *m;
    struct buf place;              /* ".billingPeriod.start" */
    size_t outer[JSON_IN_DEPTH + 1];         /* length of the place of each open container */
    size_t depth;
    struct buf start;              /* of the billing period */
    bool parquet;
};

/* ---- values ---- */

static int take_text(struct reader *r, struct span text, size_t offset, struct err *e)
{
    (void)e;
    *(const char **)(void *)((char *)r->m + offset) = arena_strndup(&r->m->arena, text.n ? text.p : "", text.n);
    return 0;
}

static int take_start(struct reader *r, struct span text, size_t unused, struct err *e)
{
    (void)unused;
    (void)e;
    buf_clear(&r->start);
    buf_add_span(&r->start, text);
    return 0;
}

static int take_format(struct reader *r, struct span text, size_t unused, struct err *e)
{
    (void)unused;
    (void)e;
    r->parquet |= span_has_fold(text, "parquet");
    return 0;
}

/* A key names a file below some folder of ours, and none elsewhere. */
static bool is_key(struct span key)
{
    for (size_t i = 0, n; i < key.n; i += n + 1) {
        const char *slash = memchr(key.p + i, '/', key.n - i);

        n = slash ? (size_t)(slash - key.p) - i : key.n - i;
        if (n == 2 && memcmp(key.p + i, "..", 2) == 0)
            return false;
    }
    return key.n > 0 && key.p[key.n - 1] != '/' && !memchr(key.p, '\0', key.n);
}

static int take_part(struct reader *r, struct span key, size_t unused, struct err *e)
{
    (void)unused;
    if (!is_key(key))
        return err_set(e, ERR_INPUT, "a part is named \"%.*s\", which is no file's name", (int)(key.n < 80 ? key.n : 80),
                       key.n ? key.p : "");
    if (r->m->parts.n == BILL_MANIFEST_PARTS)
        return err_set(e, ERR_INPUT, "names more than %d parts", BILL_MANIFEST_PARTS);
    r->parquet |= span_ends(key, ".parquet");
    vec_push(&r->m->parts, arena_strndup(&r->m->arena, key.p, key.n));
    return 0;
}

#define TEXT(place, field) {place, take_text, offsetof(struct bill_manifest, field)}

static const struct place {
    const char *name;
    int (*take)(struct reader *r, struct span text, size_t offset, struct err *e);
    size_t offset;
} places[] = {
    TEXT(".assemblyId", id), TEXT(".executionId", id),
    TEXT(".account", account), TEXT(".accountId", account),
    TEXT(".reportName", report), TEXT(".exportArn", report), TEXT(".exportName", report),
    {".billingPeriod.start", take_start, 0}, {".billingPeriod", take_start, 0},
    {".contentType", take_format, 0}, {".compression", take_format, 0}, {".format", take_format, 0}, {".dataFormat", take_format, 0},
    {".reportKeys", take_part, 0}, {".dataFiles", take_part, 0}, {".blobs.blobName", take_part, 0},
};

/* ---- the document ---- */

static void open_container(struct reader *r)
{
    r->outer[r->depth++] = r->place.n;
}

static void back_to(struct reader *r, size_t n)
{
    r->place.n = n;
    if (r->place.p)
        r->place.p[n] = '\0';
}

/* A member's name takes the place of the one before it in the object. */
static void enter(struct reader *r, struct span name)
{
    back_to(r, r->outer[r->depth - 1]);
    buf_addc(&r->place, '.');
    buf_add_span(&r->place, name);
}

static int take(struct reader *r, struct span text, struct err *e)
{
    for (size_t i = 0; i < sizeof places / sizeof *places; i++)
        if (span_eq(buf_span(&r->place), places[i].name))
            return places[i].take(r, text, places[i].offset, e);
    return 0;
}

static int on_token(void *ctx, enum json_in_kind kind, struct span text, struct err *e)
{
    struct reader *r = ctx;

    switch (kind) {
    case JSON_IN_OBJECT:
    case JSON_IN_ARRAY:
        open_container(r);
        return 0;
    case JSON_IN_OBJECT_END:
    case JSON_IN_ARRAY_END:
        back_to(r, r->outer[--r->depth]);
        return 0;
    case JSON_IN_NAME:
        enter(r, text);
        return 0;
    case JSON_IN_STRING_VALUE:
    case JSON_IN_NUMBER_VALUE:
        return take(r, text, e);
    default:
        return 0;
    }
}

static int read_document(struct reader *r, struct span json, struct err *e)
{
    struct json_in *j = json_in_new(on_token, r);
    int rc = json_in_feed(j, json.p, json.n, e);

    if (rc == 0)
        rc = json_in_end(j, e);
    json_in_free(j);
    return rc;
}

/* ---- what names tell ---- */

/* The leading digits of s up to max, over signs that stand in times; how many there are. */
static size_t leading_digits(struct span s, size_t max, char *out)
{
    size_t n = 0;

    for (size_t i = 0; i < s.n && n < max; i++) {
        if (s.p[i] >= '0' && s.p[i] <= '9')
            out[n++] = s.p[i];
        else if (!memchr("-:T._", s.p[i], 5))
            break;
    }
    out[n] = '\0';
    return n;
}

static bool is_between(const char *digits, size_t n, int low, int high)
{
    int v = 0;

    for (size_t i = 0; i < n; i++)
        v = 10 * v + (digits[i] - '0');
    return low <= v && v <= high;
}

static bool is_month(const char *digits)
{
    return is_between(digits, 4, 2000, 2199) && is_between(digits + 4, 2, 1, 12);
}

static bool read_month(struct span s, char month[8])
{
    char digits[7];

    if (leading_digits(s, 6, digits) < 6 || !is_month(digits))
        return false;
    memcpy(month, digits, 4);
    month[4] = '-';
    memcpy(month + 5, digits + 4, 3);
    return true;
}

/* "20261103T081233Z", "2026-11-03T08:12:33.123Z-<id>": to the second. */
static bool read_made(struct span s, char made[15])
{
    char digits[15];

    if (leading_digits(s, 14, digits) < 14 || !is_month(digits) || !is_between(digits + 6, 2, 1, 31) || !is_between(digits + 8, 2, 0, 23) ||
        !is_between(digits + 10, 2, 0, 59) || !is_between(digits + 12, 2, 0, 60))
        return false;
    memcpy(made, digits, 15);
    return true;
}

/* "20261001-20261101" and "BILLING_PERIOD=2026-10" in a path. */
static bool is_range(struct span s)
{
    char digits[17];

    return s.n == 17 && s.p[8] == '-' && leading_digits(s, 16, digits) == 16;
}

bool bill_manifest_is_period(struct span name, char month[8])
{
    static const char partition[] = "BILLING_PERIOD=";
    size_t skip = sizeof partition - 1;

    if (is_range(name))
        return read_month(name, month);
    return span_starts(name, partition) && read_month((struct span){name.p + skip, name.n - skip}, month);
}

static bool read_month_of_path(struct span path, char month[8])
{
    for (size_t i = 0, n; i < path.n; i += n + 1) {
        const char *slash = memchr(path.p + i, '/', path.n - i);

        n = slash ? (size_t)(slash - path.p) - i : path.n - i;
        if (bill_manifest_is_period((struct span){path.p + i, n}, month))
            return true;
    }
    return false;
}

static struct span folder_of(const char *path)
{
    const char *slash = strrchr(path, '/');

    return span_after_last((struct span){path, slash ? (size_t)(slash - path) : 0}, '/');
}

static void read_names(struct bill_manifest *m, struct span start)
{
    const char *part = m->parts.v[0];

    if (!read_month(start, m->month) && !read_month_of_path(span_of(part), m->month))
        read_month_of_path(span_of(m->path), m->month);
    if (!read_made(span_of(m->id), m->made) && !read_made(folder_of(part), m->made))
        read_made(folder_of(m->path), m->made);
}

/* ---- the manifest ---- */

static int check(const struct reader *r, struct err *e)
{
    if (r->parquet) {
        err_set(e, ERR_INPUT, "names Parquet files, which are not read here");
        return err_hint(e, "have the report written as CSV, or turn the files into CSV on standard input: duckdb -csv -c \"FROM "
                           "'*.parquet'\" | gputab report --billing -");
    }
    if (r->m->parts.n > 0)
        return 0;
    err_set(e, ERR_INPUT, "names no part of a bill");
    return err_hint(e, "manifests have reportKeys (AWS Cost and Usage Report), dataFiles (AWS Data Exports) or blobs (Azure exports)");
}

int bill_manifest_parse(struct bill_manifest *m, struct span json, const char *path, struct err *e)
{
    struct reader r = {.m = m};
    int rc;

    m->path = path;
    m->id = m->account = m->report = "";
    rc = read_document(&r, json, e);
    if (rc == 0)
        rc = check(&r, e);
    if (rc == 0)
        read_names(m, buf_span(&r.start));
    buf_free(&r.place);
    buf_free(&r.start);
    return rc < 0 ? err_at(e, path, 0, 0) : 0;
}

void bill_manifest_free(struct bill_manifest *m)
{
    vec_free(&m->parts);
    arena_free(&m->arena);
}

bool bill_manifest_is_name(struct span name)
{
    static const char tail[] = "manifest.json";
    size_t n = sizeof tail - 1;

    return name.n >= n && span_eq_fold((struct span){name.p + name.n - n, n}, tail) && !span_has_fold(name, "redshift");
}

bool bill_manifest_same_parts(const struct bill_manifest *a, const struct bill_manifest *b)
{
    if (a->parts.n != b->parts.n)
        return false;
    for (size_t i = 0; i < a->parts.n; i++)
        if (strcmp(a->parts.v[i], b->parts.v[i]) != 0)
            return false;
    return true;
}
