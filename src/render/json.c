/* json: the report as one object of schema gputab.report/1, and as lines of one row each.
 * The order of keys is part of the format: diffs of two reports show what changed and nothing else. Numbers that are
 * money, hours or shares are texts with fixed decimals, because readers of JSON numbers round them. */
#include "gputab/codec/json_out.h"

#include <string.h>

#include "gputab/render/formats.h"
#include "gputab/render/json_notes.h"

static const char *schema_of(const struct report *r)
{
    return r->splits.n ? "gputab.split-comparison/1" : "gputab.report/1";
}

static void period_member(struct json_out *j, const struct report *r)
{
    struct buf hours = {0};

    render_add_hours(&hours, r->period);
    json_out_key(j, "period");
    json_out_object(j, JSON_OUT_INLINE);
    json_time_member(j, "from", r->period.from);
    json_time_member(j, "to", r->period.to);
    json_out_key(j, "hours");
    json_out_decimal(j, buf_span(&hours));
    json_out_end(j);
    buf_free(&hours);
}

/* null while no bill row said which. */
static void currency_member(struct json_out *j, const struct report *r)
{
    json_text_member(j, "currency", r->currency[0] ? r->currency : NULL);
}

static void cell_value(struct json_out *j, const struct column *column, const struct cell *cell)
{
    struct buf b = {0};

    if (cell->type == CELL_TEXT) {
        json_out_text(j, cell->text);
    } else if (cell->type == CELL_NULL) {
        json_out_null(j);
    } else {
        render_add_number(&b, column, cell);
        json_out_span(j, buf_span(&b));
    }
    buf_free(&b);
}

/* Length of "grade" in "grade.A"; 0 for a plain name. */
static size_t object_name(const char *name)
{
    const char *point = strchr(name, '.');

    return point ? (size_t)(point - name) : 0;
}

static bool same_object(const char *a, const char *b)
{
    return object_name(a) == object_name(b) && strncmp(a, b, object_name(a)) == 0;
}

/* Columns from c on that are members of one object; returns the first one behind them. */
static size_t object_member(struct json_out *j, const struct table *t, size_t row, size_t c)
{
    const char *first = t->columns.v[c].name;
    struct buf name = {0};

    buf_add(&name, first, object_name(first));
    json_out_key(j, buf_str(&name));
    json_out_object(j, JSON_OUT_INLINE);
    for (; c < t->columns.n && same_object(first, t->columns.v[c].name); c++) {
        json_out_key(j, t->columns.v[c].name + name.n + 1);
        cell_value(j, &t->columns.v[c], table_cell(t, row, c));
    }
    json_out_end(j);
    buf_free(&name);
    return c;
}

/* Whether a key of the rows has the object's name already: --by grade. An object must not have two members of one name. */
static bool name_taken(const struct table *t, const char *member)
{
    for (size_t c = 0; c < t->columns.n; c++)
        if (strlen(t->columns.v[c].name) == object_name(member) && strncmp(t->columns.v[c].name, member, object_name(member)) == 0)
            return true;
    return false;
}

static void row_members(struct json_out *j, const struct table *t, size_t row)
{
    for (size_t c = 0; c < t->columns.n;) {
        const struct column *column = &t->columns.v[c];

        if (!object_name(column->name)) {
            json_out_key(j, column->name);
            cell_value(j, column, table_cell(t, row, c++));
        } else if (name_taken(t, column->name)) {
            c++;
        } else {
            c = object_member(j, t, row, c);
        }
    }
}

static void rows_member(struct json_out *j, const struct report *r, struct sink *out)
{
    json_out_key(j, "rows");
    json_out_array(j, JSON_OUT_LINES);
    for (size_t row = 0; row < r->table.n_rows; row++) {
        json_out_object(j, JSON_OUT_INLINE);
        row_members(j, &r->table, row);
        json_out_end(j);
        sink_relieve(out);
    }
    json_out_end(j);
}

static void rule_members(struct json_out *j, const struct report *r)
{
    json_out_key(j, "rule");
    json_out_object(j, JSON_OUT_INLINE);
    json_text_member(j, "name", r->rule_name);
    json_text_member(j, "version", r->rule_version);
    json_text_member(j, "sha256", r->rule_sha256);
    json_out_end(j);
    if (r->splits.n)
        return;
    json_out_key(j, "split");
    json_out_object(j, JSON_OUT_INLINE);
    json_text_member(j, "method", r->split_method);
    json_money_member(j, "gpu_share", r->gpu_share, 4);
    json_out_end(j);
}

static void by_member(struct json_out *j, const struct report *r)
{
    json_out_key(j, "by");
    json_out_array(j, JSON_OUT_INLINE);
    for (size_t i = 0; i < r->by.n; i++)
        json_out_text(j, r->by.v[i]);
    json_out_end(j);
}

/* Of a file of --split-by. */
static void split_by_member(struct json_out *j, const struct report *r)
{
    if (!r->split_key)
        return;
    json_out_key(j, "split_by");
    json_out_object(j, JSON_OUT_INLINE);
    json_text_member(j, "key", r->split_key);
    json_text_member(j, "value", r->split_value);
    json_out_end(j);
}

static void pieces_members(struct json_out *j, const money v[PIECES], const char *const names[PIECES], int digits)
{
    for (int p = 0; p < PIECES; p++)
        json_money_member(j, names[p], v[p], digits);
}

/* The methods of a comparison, each with its own shares and totals; one that cannot be applied has its reason instead. */
static void splits_member(struct json_out *j, const struct report *r)
{
    static const char *const shares[PIECES] = {"gpu_share", "cpu_share", "memory_share"};
    static const char *const costs[PIECES] = {"gpu_cost", "cpu_cost", "memory_cost"};

    if (r->splits.n == 0)
        return;
    json_out_key(j, "splits");
    json_out_array(j, JSON_OUT_LINES);
    for (size_t i = 0; i < r->splits.n; i++) {
        const struct report_split *s = &r->splits.v[i];

        json_out_object(j, JSON_OUT_INLINE);
        json_text_member(j, "method", s->method);
        json_out_key(j, "own");
        json_out_bool(j, s->own);
        json_text_member(j, "reason", s->reason);
        if (!s->reason) {
            pieces_members(j, s->share, shares, 4);
            pieces_members(j, s->piece_cost, costs, r->digits);
            json_money_member(j, "total_cost", s->total_cost, r->digits);
        }
        json_out_end(j);
    }
    json_out_end(j);
}

/* Of a comparison what all methods have in common. */
static void totals_member(struct json_out *j, const struct report *r)
{
    const struct report_totals *t = &r->totals;

    json_out_key(j, "totals");
    json_out_object(j, JSON_OUT_INLINE);
    if (!r->splits.n) {
        json_money_member(j, "gpu_cost", t->piece_cost[PIECE_GPU], r->digits);
        json_money_member(j, "cpu_cost", t->piece_cost[PIECE_CPU], r->digits);
        json_money_member(j, "memory_cost", t->piece_cost[PIECE_MEMORY], r->digits);
        json_money_member(j, "total_cost", t->total_cost, r->digits);
    }
    json_money_member(j, "billed", t->billed, r->digits);
    json_money_member(j, "difference", t->difference, r->digits);
    if (!r->splits.n)
        json_money_member(j, "gpu_hours", t->gpu_hours, 6);
    json_out_end(j);
}

static void bill_files(struct json_out *j, const struct bill *bill)
{
    json_out_key(j, "files");
    json_out_array(j, JSON_OUT_LINES);
    for (size_t i = 0; i < bill->files.n; i++) {
        const struct bill_file *f = &bill->files.v[i];

        json_out_object(j, JSON_OUT_INLINE);
        json_text_member(j, "name", f->name);
        json_text_member(j, "sha256", f->sha256);
        json_out_key(j, "rows");
        json_out_int(j, f->rows);
        json_out_key(j, "rows_used");
        json_out_int(j, f->rows_used);
        json_out_end(j);
    }
    json_out_end(j);
}

static void bill_groups(struct json_out *j, const struct report *r)
{
    json_out_key(j, "groups");
    json_out_array(j, JSON_OUT_LINES);
    for (int g = 0; g < BILL_GROUPS; g++) {
        if (!render_has_group(r, g))
            continue;
        json_out_object(j, JSON_OUT_INLINE);
        json_text_member(j, "group", bill_group_names[g]);
        json_money_member(j, "cost", r->groups[g], r->digits);
        json_money_member(j, "invoiced", r->groups_invoiced[g], r->digits);
        json_out_end(j);
    }
    json_out_end(j);
}

/* Only where rows were converted. */
static void bill_rates(struct json_out *j, const struct report *r)
{
    struct buf text = {0};

    if (r->bill->rates.n == 0)
        return;
    json_out_key(j, "fx");
    json_out_array(j, JSON_OUT_LINES);
    for (size_t i = 0; i < r->bill->rates.n; i++) {
        const struct bill_rate *rate = &r->bill->rates.v[i];

        buf_clear(&text);
        render_add_month(&text, rate->month);
        json_out_object(j, JSON_OUT_INLINE);
        json_text_member(j, "month", buf_str(&text));
        json_text_member(j, "from", rate->from);
        json_text_member(j, "to", r->currency);
        buf_clear(&text);
        render_add_rate(&text, rate->rate);
        json_text_member(j, "rate", buf_str(&text));
        json_text_member(j, "source", rate->source);
        json_out_end(j);
    }
    json_out_end(j);
    buf_free(&text);
}

static void bridge_line(struct json_out *j, const char *key, money billed, money groups, money outside, money total, int digits)
{
    json_out_key(j, key);
    json_out_object(j, JSON_OUT_INLINE);
    json_money_member(j, "file_total", total, digits);
    json_money_member(j, "billed", billed, digits);
    json_money_member(j, "groups", groups, digits);
    json_money_member(j, "outside_period", outside, digits);
    json_out_end(j);
}

/* file_total = billed + groups + outside_period, in both currencies of truth: the cost asked for and the invoice. */
static void bridge_member(struct json_out *j, const struct report *r)
{
    json_out_key(j, "bridge");
    json_out_object(j, JSON_OUT_LINES);
    bridge_line(j, "cost", r->bridge.billed, r->bridge.groups, r->bridge.outside, r->bridge.total, r->digits);
    bridge_line(j, "invoiced", r->bridge.billed_invoiced, r->bridge.groups_invoiced, r->bridge.outside_invoiced,
                r->bridge.total_invoiced, r->digits);
    json_out_end(j);
}

static void bill_members(struct json_out *j, const struct report *r)
{
    json_out_key(j, "bill");
    json_out_object(j, JSON_OUT_LINES);
    bill_files(j, r->bill);
    bill_groups(j, r);
    bill_rates(j, r);
    json_out_key(j, "final");
    json_out_bool(j, r->bill->is_final);
    json_out_end(j);
    if (!r->split_key)
        bridge_member(j, r);
}

static void origin_members(struct json_out *j, const struct report *r)
{
    json_out_key(j, "tool");
    json_out_object(j, JSON_OUT_INLINE);
    json_text_member(j, "name", "gputab");
    json_text_member(j, "version", r->tool_version);
    json_out_end(j);
    json_out_key(j, "catalogue");
    json_out_object(j, JSON_OUT_INLINE);
    json_text_member(j, "version", r->catalogue_version);
    json_text_member(j, "sha256", r->catalogue_sha256);
    json_out_end(j);
    json_out_key(j, "metrics");
    json_out_array(j, JSON_OUT_LINES);
    for (size_t i = 0; i < r->metrics.n; i++) {
        json_out_object(j, JSON_OUT_INLINE);
        json_text_member(j, "source", r->metrics.v[i].name);
        json_text_member(j, "sha256", r->metrics.v[i].sha256);
        json_out_end(j);
    }
    json_out_end(j);
    json_text_member(j, "run_id", r->run_id);
    json_money_member(j, "coverage", r->coverage, 4);
}

static void warnings_member(struct json_out *j, const struct diag *d)
{
    json_out_key(j, "warnings");
    json_out_array(j, JSON_OUT_LINES);
    for (size_t i = 0; i < d->n; i++) {
        json_out_object(j, JSON_OUT_INLINE);
        json_text_member(j, "code", d->items[i].code);
        json_out_key(j, "count");
        json_out_int(j, d->items[i].count);
        json_text_member(j, "text", d->items[i].texts[0]);
        json_out_end(j);
    }
    json_out_end(j);
}

/* Only where the rule has some. */
static void shared_member(struct json_out *j, const struct report *r)
{
    if (r->shared.n == 0)
        return;
    json_out_key(j, "shared_costs");
    json_out_array(j, JSON_OUT_LINES);
    for (size_t i = 0; i < r->shared.n; i++) {
        json_out_object(j, JSON_OUT_INLINE);
        json_text_member(j, "name", r->shared.v[i].name);
        json_money_member(j, "cost", r->shared.v[i].cost, r->digits);
        json_money_member(j, "invoiced", r->shared.v[i].invoiced, r->digits);
        json_text_member(j, "method", r->shared.v[i].method);
        json_out_end(j);
    }
    json_out_end(j);
}

/* Only where it holds: readers test for presence. */
static void mark(struct json_out *j, const char *key, bool holds)
{
    if (!holds)
        return;
    json_out_key(j, key);
    json_out_bool(j, true);
}

void render_json(const struct report *r, const struct render_cfg *cfg, struct sink *out)
{
    struct json_out j;

    (void)cfg;
    json_out_init(&j, &out->text);
    json_out_object(&j, JSON_OUT_LINES);
    json_text_member(&j, "schema", schema_of(r));
    json_text_member(&j, "mode", r->mode);
    mark(&j, "draft", r->draft);
    period_member(&j, r);
    currency_member(&j, r);
    rule_members(&j, r);
    by_member(&j, r);
    mark(&j, "filtered", r->filtered);
    json_shape_members(&j, &r->notes);
    split_by_member(&j, r);
    splits_member(&j, r);
    rows_member(&j, r, out);
    totals_member(&j, r);
    bill_members(&j, r);
    shared_member(&j, r);
    origin_members(&j, r);
    json_note_members(&j, &r->notes, r->digits);
    warnings_member(&j, r->diag);
    json_out_end(&j);
    buf_addc(&out->text, '\n');
}

void render_jsonl(const struct report *r, const struct render_cfg *cfg, struct sink *out)
{
    (void)cfg;
    for (size_t row = 0; row < r->table.n_rows; row++) {
        struct json_out j;

        json_out_init(&j, &out->text);
        json_out_object(&j, JSON_OUT_INLINE);
        json_text_member(&j, "schema", schema_of(r));
        mark(&j, "draft", r->draft);
        period_member(&j, r);
        currency_member(&j, r);
        row_members(&j, &r->table, row);
        json_out_end(&j);
        buf_addc(&out->text, '\n');
        sink_relieve(out);
    }
}
