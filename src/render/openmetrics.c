/* openmetrics: the result as gauges, for a textfile of node_exporter, a Pushgateway or `promtool check metrics`: so a dashboard shows last
 * month's cost per team beside what the teams do now.
 *
 * The text is both OpenMetrics and the older format: gauges alone, no times, "# EOF" at the end. Units are Prometheus' base units (seconds
 * and byte-seconds for hours and GiB-hours). Keys are labels; a key that does not apply is none. */
#include <string.h>

#include "gputab/render/formats.h"
#include "gputab/render/om_label.h"

enum { SECONDS_PER_HOUR = 3600 };
static const money per_hour = SECONDS_PER_HOUR, per_gib_hour = (money)SECONDS_PER_HOUR << 30;

/* A column of the table as series of a family. */
static const struct series {
    const char *family, *column;
    const char *label, *value;     /* that tells columns of a family apart; NULL: none */
    const money *factor;           /* from the column's unit to the family's; NULL: money */
} series[] = {
    {"gputab_cost", "gpu_cost", "piece", "gpu", NULL},
    {"gputab_cost", "cpu_cost", "piece", "cpu", NULL},
    {"gputab_cost", "memory_cost", "piece", "memory", NULL},
    {"gputab_graded_cost", "grade.A", "grade", "A", NULL},
    {"gputab_graded_cost", "grade.B", "grade", "B", NULL},
    {"gputab_graded_cost", "grade.C", "grade", "C", NULL},
    {"gputab_graded_cost", "grade.D", "grade", "D", NULL},
    {"gputab_unheld_cost", "unheld_cost", NULL, NULL, NULL},
    {"gputab_idle_cost", "idle_cost", NULL, NULL, NULL},
    {"gputab_shared_cost", "shared_cost", NULL, NULL, NULL},
    {"gputab_lowest_cost", "min_cost", NULL, NULL, NULL},
    {"gputab_highest_cost", "max_cost", NULL, NULL, NULL},
    {"gputab_gpu_seconds", "gpu_hours", NULL, NULL, &per_hour},
    {"gputab_requested_gpu_seconds", "requested_gpu_hours", NULL, NULL, &per_hour},
    {"gputab_vram_byte_seconds", "vram_gib_hours", NULL, NULL, &per_gib_hour},
};
enum { SERIES = sizeof series / sizeof *series };

static const struct { const char *family, *help; } helps[] = {
    {"gputab_cost", "Cost of the period, rounded to the currency's minor unit."},
    {"gputab_graded_cost", "The same by how well it is known: A measured, B reported, C estimated, D unknown."},
    {"gputab_unheld_cost", "Part of the GPU cost that corresponds to no memory held."},
    {"gputab_idle_cost", "Part of the cost that an idle policy moved here."},
    {"gputab_shared_cost", "Part of the cost that is of shared costs."},
    {"gputab_lowest_cost", "What the data allow at least."},
    {"gputab_highest_cost", "What the data allow at most."},
    {"gputab_gpu_seconds", "Device time paid for, in GPUs times seconds."},
    {"gputab_requested_gpu_seconds", "GPUs requested, times seconds."},
    {"gputab_vram_byte_seconds", "GPU memory held, in bytes times seconds."},
    {"gputab_billed_cost", "What the bill's GPU nodes cost."},
    {"gputab_difference_cost", "Billed minus allocated: zero, or there is no report."},
    {"gputab_group_cost", "What the rest of the bill cost, by group."},
    {"gputab_budget_cost", "Budget of a team in the period."},
    {"gputab_budget_spent_cost", "What a team with a budget cost."},
    {"gputab_previous_cost", "What a team or bucket cost in the report compared with."},
    {"gputab_shared_group_cost", "Shared costs in what was billed, by name."},
    {"gputab_gate_ratio", "What a gate of the rule measures, as a part of 1."},
    {"gputab_gate_limit_ratio", "Its bound: at most for gates max_..., at least for others."},
    {"gputab_gate_passed", "Whether the gate was passed: 1 or 0."},
    {"gputab_coverage_ratio", "Observed part of the billed GPU time."},
    {"gputab_gpu_share_ratio", "What the split gives GPUs of the billed cost."},
    {"gputab_period_start_timestamp_seconds", "First instant of the period."},
    {"gputab_period_end_timestamp_seconds", "First instant after the period."},
    {"gputab_bill_final", "Whether the bill was final: 1, or 0 while it is estimated."},
    {"gputab_report_info", "What made the figures; 1."},
};

static void add_family(struct buf *b, const char *family)
{
    for (size_t i = 0; i < sizeof helps / sizeof *helps; i++)
        if (strcmp(helps[i].family, family) == 0)
            buf_addf(b, "# HELP %s %s\n", family, helps[i].help);
    buf_addf(b, "# TYPE %s gauge\n", family);
}

/* ---- labels ---- */

struct labels {
    struct buf *b;
    bool any;
};

static struct labels begin_labels(struct buf *b, const char *family)
{
    buf_adds(b, family);
    return (struct labels){b, false};
}

/* A value that is empty is no label. */
static void label(struct labels *l, const char *name, const char *value)
{
    if (!value || !value[0])
        return;
    buf_addc(l->b, l->any ? ',' : '{');
    om_label(l->b, name, value);
    l->any = true;
}

static void end_labels(struct labels *l)
{
    buf_adds(l->b, l->any ? "} " : " ");
}

/* ---- rows ---- */

/* Without zeros at its end: 0, 1.5. */
static void add_value(struct buf *b, money number)
{
    render_add_rate(b, number);
    buf_addc(b, '\n');
}

static void add_sample(struct buf *b, const struct report *r, const struct series *s, size_t row, size_t column)
{
    const struct table *t = &r->table;
    const struct cell *cells = table_row(t, row);
    struct labels l;

    if (cells[column].type == CELL_NULL)
        return;
    l = begin_labels(b, s->family);
    for (size_t c = 0; c < t->columns.n; c++)
        if (t->columns.v[c].kind == COLUMN_KEY || t->columns.v[c].kind == COLUMN_BUCKET)
            label(&l, t->columns.v[c].name, cells[c].type == CELL_TEXT ? cells[c].text : NULL);
    label(&l, "currency", s->factor ? NULL : r->currency);
    label(&l, s->label ? s->label : "", s->value);
    end_labels(&l);
    add_value(b, s->factor ? cells[column].number * *s->factor : cells[column].number);
}

/* A key of the rows that is also the label of the columns would be there twice. */
static bool stands_already(const struct table *t, const char *name)
{
    int c = name ? table_find(t, name) : -1;

    return c >= 0 && t->columns.v[c].kind == COLUMN_KEY;
}

static void add_rows(const struct report *r, struct sink *out)
{
    const char *last = "";

    for (int i = 0; i < SERIES; i++) {
        int column = table_find(&r->table, series[i].column);

        if (column < 0 || stands_already(&r->table, series[i].label))
            continue;
        if (strcmp(last, series[i].family) != 0)
            add_family(&out->text, series[i].family);
        last = series[i].family;
        for (size_t row = 0; row < r->table.n_rows; row++) {
            add_sample(&out->text, r, &series[i], row, (size_t)column);
            sink_relieve(out);
        }
    }
}

/* ---- the whole ---- */

static void add_one(struct buf *b, const char *family, const char *currency, money number)
{
    struct labels l;

    add_family(b, family);
    l = begin_labels(b, family);
    label(&l, "currency", currency);
    end_labels(&l);
    add_value(b, number);
}

static void add_groups(struct buf *b, const struct report *r)
{
    bool any = false;

    for (int g = 0; g < BILL_GROUPS; g++) {
        struct labels l;

        if (!render_has_group(r, g))
            continue;
        if (!any)
            add_family(b, "gputab_group_cost");
        any = true;
        l = begin_labels(b, "gputab_group_cost");
        label(&l, "group", bill_group_names[g]);
        label(&l, "currency", r->currency);
        end_labels(&l);
        add_value(b, r->groups[g]);
    }
}

/* ---- notes ---- */

/* A sample with a name, and of money with its currency. */
static void add_named(struct buf *b, const char *family, const char *key, const char *name, const char *currency, money number)
{
    struct labels l = begin_labels(b, family);

    label(&l, key, name);
    label(&l, "currency", currency);
    end_labels(&l);
    add_value(b, number);
}

static void add_budgets(struct buf *b, const struct report *r)
{
    const struct notes *n = &r->notes;

    if (!n->budgets.n)
        return;
    add_family(b, "gputab_budget_cost");
    for (size_t i = 0; i < n->budgets.n; i++)
        add_named(b, "gputab_budget_cost", "team", n->budgets.v[i].team, r->currency, n->budgets.v[i].budget);
    add_family(b, "gputab_budget_spent_cost");
    for (size_t i = 0; i < n->budgets.n; i++)
        add_named(b, "gputab_budget_spent_cost", "team", n->budgets.v[i].team, r->currency, n->budgets.v[i].cost);
}

static void add_previous(struct buf *b, const struct report *r)
{
    const struct notes *n = &r->notes;

    if (!n->previous.teams.n)
        return;
    add_family(b, "gputab_previous_cost");
    for (size_t i = 0; i < n->previous.teams.n; i++) {
        const struct change_note *c = &n->previous.teams.v[i];
        struct labels l = begin_labels(b, "gputab_previous_cost");

        label(&l, "team", c->team);
        label(&l, "bucket", c->bucket ? c->team : NULL);
        label(&l, "currency", r->currency);
        end_labels(&l);
        add_value(b, c->previous);
    }
}

static void add_shared(struct buf *b, const struct report *r)
{
    if (!r->shared.n)
        return;
    add_family(b, "gputab_shared_group_cost");
    for (size_t i = 0; i < r->shared.n; i++)
        add_named(b, "gputab_shared_group_cost", "name", r->shared.v[i].name, r->currency, r->shared.v[i].cost);
}

static void add_gates(struct buf *b, const struct notes *n)
{
    static const char *const families[] = {"gputab_gate_ratio", "gputab_gate_limit_ratio", "gputab_gate_passed"};

    for (size_t f = 0; n->gates.n && f < sizeof families / sizeof *families; f++) {
        add_family(b, families[f]);
        for (size_t i = 0; i < n->gates.n; i++) {
            const struct gate_note *g = &n->gates.v[i];
            const money values[] = {g->value, g->limit, g->passed ? MONEY_ONE : 0};

            add_named(b, families[f], "gate", g->name, NULL, values[f]);
        }
    }
}

static void add_info(struct buf *b, const struct report *r)
{
    struct labels l;

    add_family(b, "gputab_report_info");
    l = begin_labels(b, "gputab_report_info");
    label(&l, "mode", r->mode);
    label(&l, "rule", r->rule_name);
    label(&l, "rule_version", r->rule_version);
    label(&l, "split", r->split_method);
    label(&l, "run_id", r->run_id);
    label(&l, "version", r->tool_version);
    label(&l, "filtered", r->filtered ? "true" : NULL);
    label(&l, "draft", r->draft ? "true" : NULL);
    end_labels(&l);
    buf_adds(b, "1\n");
}

void render_openmetrics(const struct report *r, const struct render_cfg *cfg, struct sink *out)
{
    struct buf *b = &out->text;

    (void)cfg;
    add_rows(r, out);
    add_one(b, "gputab_billed_cost", r->currency, r->totals.billed);
    add_one(b, "gputab_difference_cost", r->currency, r->totals.difference);
    add_groups(b, r);
    add_shared(b, r);
    add_budgets(b, r);
    add_previous(b, r);
    add_gates(b, &r->notes);
    add_one(b, "gputab_coverage_ratio", NULL, r->coverage);
    add_one(b, "gputab_gpu_share_ratio", NULL, r->gpu_share);
    add_one(b, "gputab_period_start_timestamp_seconds", NULL, (money)r->period.from * MONEY_ONE / TIME_SECOND);
    add_one(b, "gputab_period_end_timestamp_seconds", NULL, (money)r->period.to * MONEY_ONE / TIME_SECOND);
    add_one(b, "gputab_bill_final", NULL, r->bill->is_final ? MONEY_ONE : 0);
    add_info(b, r);
    buf_adds(b, "# EOF\n");
}
