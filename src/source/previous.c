/* previous: reads a report of schema gputab.report/1 with jansson: such a report has a row a team, not a million.
 *
 * It may have been edited or cut since it was written; what is compared with money must at least be whole: the schema, a period, rows whose
 * amounts are texts of exact decimals, and a total that they add up to. Members that are not needed here may be anything. */
#include "gputab/source/previous.h"

#include <string.h>

#include <jansson.h>

#include "gputab/base/file.h"

enum { REPORT_BYTES = 64 << 20 };

static const char schema[] = "gputab.report/1";

struct reader {
    const char *path;
    struct notes *out;
    struct err *e;
};

static int fail(struct reader *r, const char *what)
{
    err_set(r->e, ERR_INPUT, "%s", what);
    err_hint(r->e, "--previous takes a whole report by team that gputab wrote: report --by team -o FILE.json");
    return err_at(r->e, r->path, 0, 0);
}

static const char *text_of(const json_t *object, const char *name)
{
    const char *text = json_string_value(json_object_get(object, name));

    return text ? text : "";
}

/* ---- the file ---- */

static json_t *load(struct reader *r)
{
    struct buf bytes = {0};
    json_error_t error;
    json_t *root = NULL;

    json_set_alloc_funcs(xmalloc, free);
    if (file_read(r->path, REPORT_BYTES, &bytes, r->e) == 0) {
        root = json_loadb(bytes.n ? bytes.p : "", bytes.n, JSON_REJECT_DUPLICATES, &error);
        if (!root) {
            err_set(r->e, ERR_INPUT, "not valid JSON: %s", error.text);
            err_at(r->e, r->path, error.line, error.column > 0 ? error.column : 0);
        }
    }
    buf_free(&bytes);
    return root;
}

/* ---- what it is ---- */

static int check_kind(struct reader *r, const json_t *root)
{
    static const struct { const char *member, *words; } parts[] = {
        {"draft", "the report is a draft"}, {"filtered", "the report is filtered: some of its rows are missing"},
        {"top", "the report is cut by --top: some of its rows are missing"},
    };
    const json_t *by = json_object_get(root, "by");
    const char *key = json_string_value(json_array_get(by, 0));

    if (!json_is_object(root) || strcmp(text_of(root, "schema"), schema) != 0)
        return fail(r, "not a report of schema gputab.report/1");
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        if (json_object_get(root, parts[i].member))
            return fail(r, parts[i].words);
    if (json_array_size(by) != 1 || !key || strcmp(key, "team") != 0)
        return fail(r, "the report is not by team");
    return 0;
}

static int read_period(struct reader *r, const json_t *root, struct timespan now)
{
    const json_t *period = json_object_get(root, "period");
    struct timespan *p = &r->out->previous.period;

    if (time_parse(span_of(text_of(period, "from")), &p->from) < 0 || time_parse(span_of(text_of(period, "to")), &p->to) < 0
        || p->from >= p->to)
        return fail(r, "period: not a time from an instant to a later one");
    if (p->to <= now.from)
        return 0;
    err_set(r->e, ERR_INPUT, "period: the report is not of a time before this one: %s to %s", text_of(period, "from"),
            text_of(period, "to"));
    return err_at(r->e, r->path, 0, 0);
}

/* ---- rows ---- */

static int read_row(struct reader *r, const json_t *row, size_t i, money *sum)
{
    struct change_note note = {.bucket = json_is_string(json_object_get(row, "bucket"))};
    const char *team = json_string_value(json_object_get(row, "team"));

    if (!team || money_parse(span_of(text_of(row, "total_cost")), &note.previous, NULL) < 0) {
        err_set(r->e, ERR_INPUT, "rows[%zu]: %s", i, team ? "total_cost is not an amount as text" : "team is not a text");
        return err_at(r->e, r->path, 0, 0);
    }
    note.team = arena_strdup(&r->out->strings, team);
    vec_push(&r->out->previous.teams, note);
    *sum += note.previous;
    return 0;
}

static int by_name(const void *pa, const void *pb)
{
    const struct change_note *a = pa, *b = pb;
    int c = strcmp(a->team, b->team);

    return c ? c : a->bucket - b->bucket;
}

static int check_once(struct reader *r)
{
    struct change_note *v = r->out->previous.teams.v;
    size_t n = r->out->previous.teams.n;

    if (n)
        qsort(v, n, sizeof *v, by_name);
    for (size_t i = 1; i < n; i++)
        if (by_name(&v[i - 1], &v[i]) == 0) {
            err_set(r->e, ERR_INPUT, "rows: team \"%s\" stands twice", v[i].team);
            return err_at(r->e, r->path, 0, 0);
        }
    return 0;
}

/* (unbilled) rows are 0.00 and change no sum. */
static int read_rows(struct reader *r, const json_t *root)
{
    const json_t *rows = json_object_get(root, "rows");
    money sum = 0, total;

    if (!json_is_array(rows))
        return fail(r, "rows: not a list");
    for (size_t i = 0; i < json_array_size(rows); i++)
        if (read_row(r, json_array_get(rows, i), i, &sum) < 0)
            return -1;
    if (money_parse(span_of(text_of(json_object_get(root, "totals"), "total_cost")), &total, NULL) < 0)
        return fail(r, "totals: total_cost is not an amount as text");
    if (sum != total)
        return fail(r, "the rows do not add up to totals.total_cost: the report was changed since it was written");
    return check_once(r);
}

static const char *keep(struct reader *r, const json_t *object, const char *name)
{
    return arena_strdup(&r->out->strings, text_of(object, name));
}

int previous_read(const char *path, struct timespan period, struct notes *out, const char **currency, struct err *e)
{
    struct reader r = {path, out, e};
    json_t *root = load(&r), *rule = json_object_get(root, "rule");
    int rc = -1;

    if (!root)
        return -1;
    if (check_kind(&r, root) == 0 && read_period(&r, root, period) == 0 && read_rows(&r, root) == 0)
        rc = 0;
    *currency = keep(&r, root, "currency");
    out->previous.rule_name = keep(&r, rule, "name");
    out->previous.rule_version = keep(&r, rule, "version");
    out->previous.rule_sha256 = keep(&r, rule, "sha256");
    out->previous.run_id = keep(&r, root, "run_id");
    json_decref(root);
    return rc;
}
