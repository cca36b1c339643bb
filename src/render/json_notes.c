/* json_notes: gates, budgets, changes and namespaces without an owner as JSON. A member that has nothing to say is not there, so that a
 * report without gates looks as it did before there were any. */
#include "gputab/render/json_notes.h"

void json_money_member(struct json_out *j, const char *key, money amount, int digits)
{
    struct buf b = {0};

    money_add_text(&b, amount, digits);
    json_out_key(j, key);
    json_out_span(j, buf_span(&b));
    buf_free(&b);
}

void json_text_member(struct json_out *j, const char *key, const char *text)
{
    json_out_key(j, key);
    json_out_text(j, text);
}

void json_time_member(struct json_out *j, const char *key, time_ms t)
{
    struct buf b = {0};

    time_add_text(&b, t);
    json_out_key(j, key);
    json_out_span(j, buf_span(&b));
    buf_free(&b);
}

void json_shape_members(struct json_out *j, const struct notes *n)
{
    if (n->only)
        json_text_member(j, "only", n->only);
    if (n->sort) {
        json_out_key(j, "sort");
        json_out_object(j, JSON_OUT_INLINE);
        json_text_member(j, "column", n->sort);
        json_text_member(j, "order", n->descending ? "desc" : "asc");
        json_out_end(j);
    }
    if (n->top) {
        json_out_key(j, "top");
        json_out_int(j, (int64_t)n->top);
    }
}

static void gates_member(struct json_out *j, const struct notes *n)
{
    if (!n->gates.n)
        return;
    json_out_key(j, "gates");
    json_out_array(j, JSON_OUT_LINES);
    for (size_t i = 0; i < n->gates.n; i++) {
        const struct gate_note *g = &n->gates.v[i];

        json_out_object(j, JSON_OUT_INLINE);
        json_text_member(j, "name", g->name);
        json_money_member(j, "value", g->value, g->digits);
        json_money_member(j, "limit", g->limit, g->digits);
        json_out_key(j, "passed");
        json_out_bool(j, g->passed);
        json_out_end(j);
    }
    json_out_end(j);
}

static void budgets_member(struct json_out *j, const struct notes *n, int digits)
{
    if (!n->budgets.n)
        return;
    json_out_key(j, "budgets");
    json_out_array(j, JSON_OUT_LINES);
    for (size_t i = 0; i < n->budgets.n; i++) {
        const struct budget_note *b = &n->budgets.v[i];

        json_out_object(j, JSON_OUT_INLINE);
        json_text_member(j, "team", b->team);
        json_money_member(j, "budget", b->budget, digits);
        json_money_member(j, "cost", b->cost, digits);
        json_money_member(j, "percent", b->percent, 2);
        json_out_end(j);
    }
    json_out_end(j);
}

static void changes(struct json_out *j, const struct notes *n, int digits)
{
    json_out_key(j, "teams");
    json_out_array(j, JSON_OUT_LINES);
    for (size_t i = 0; i < n->previous.teams.n; i++) {
        const struct change_note *c = &n->previous.teams.v[i];

        json_out_object(j, JSON_OUT_INLINE);
        json_text_member(j, "team", c->team);
        json_text_member(j, "bucket", c->bucket ? c->team : NULL);
        json_money_member(j, "previous", c->previous, digits);
        json_money_member(j, "cost", c->cost, digits);
        json_money_member(j, "change", c->cost - c->previous, digits);
        json_money_member(j, "percent", c->percent, 2);
        json_out_end(j);
    }
    json_out_end(j);
}

static void previous_member(struct json_out *j, const struct notes *n, int digits)
{
    if (n->previous.period.from == n->previous.period.to)
        return;
    json_out_key(j, "previous");
    json_out_object(j, JSON_OUT_LINES);
    json_out_key(j, "period");
    json_out_object(j, JSON_OUT_INLINE);
    json_time_member(j, "from", n->previous.period.from);
    json_time_member(j, "to", n->previous.period.to);
    json_out_end(j);
    json_out_key(j, "rule");
    json_out_object(j, JSON_OUT_INLINE);
    json_text_member(j, "name", n->previous.rule_name);
    json_text_member(j, "version", n->previous.rule_version);
    json_text_member(j, "sha256", n->previous.rule_sha256);
    json_out_end(j);
    json_text_member(j, "run_id", n->previous.run_id);
    changes(j, n, digits);
    json_out_end(j);
}

static void unmapped_member(struct json_out *j, const struct notes *n, int digits)
{
    if (!n->unmapped.n)
        return;
    json_out_key(j, "unmapped");
    json_out_array(j, JSON_OUT_LINES);
    for (size_t i = 0; i < n->unmapped.n; i++) {
        json_out_object(j, JSON_OUT_INLINE);
        json_text_member(j, "namespace", n->unmapped.v[i].name);
        json_money_member(j, "cost", n->unmapped.v[i].cost, digits);
        json_out_end(j);
    }
    json_out_end(j);
}

void json_note_members(struct json_out *j, const struct notes *n, int digits)
{
    gates_member(j, n);
    budgets_member(j, n, digits);
    previous_member(j, n, digits);
    unmapped_member(j, n, digits);
}
