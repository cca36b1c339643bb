/* rates_words: what stands beside prices of GPU-hours, in words: which column of the bill says how time was bought, committed terms, the
 * answers that a budget needs, and where the prices of the split come from. */
#include "gputab/core/rates_words.h"

#include <string.h>

#include "gputab/core/split.h"

/* Which column of the bill says how time was bought, by the format. */
static const struct { const char *format, *columns; } purchase_columns[] = {
    {"FOCUS", "PricingCategory, CommitmentDiscountCategory and -Type"},
    {"AWS Cost and Usage Report", "line_item_line_item_type, line_item_usage_type, savings_plan and reservation ARN"},
    {"Google Cloud detailed export", "sku.description, consumption_model, credits"},
    {"Azure cost export", "PricingModel, meter name, reservation id"},
    {"Oracle cost report", "product/Description"},
};

void rates_add_purchase_source(const struct bill *bill, enum purchase purchase, struct buf *b)
{
    for (size_t f = 0; f < sizeof purchase_columns / sizeof *purchase_columns; f++)
        for (size_t i = 0; i < bill->texts.n; i++) {
            if (!bill->texts.v[i].format || strcmp(bill->texts.v[i].format, purchase_columns[f].format) != 0)
                continue;
            buf_addf(b, "%s%s: %s", b->n ? "; " : "", purchase_columns[f].format, purchase_columns[f].columns);
            break;
        }
    if (purchase == PURCHASE_UNKNOWN && b->n)
        buf_adds(b, " (they do not tell)");
    if (!b->n)
        buf_adds(b, bill->texts.n ? "the billing map's purchase" : "no bill: the price list has no purchase options");
}

/* Committed terms stand in no bill; of capacity blocks the rule says them. */
void rates_add_term(const struct rule *rule, const char *region, enum purchase purchase, struct buf *b)
{
    if (purchase == PURCHASE_ON_DEMAND || purchase == PURCHASE_SPOT)
        buf_adds(b, "none");
    for (size_t i = 0; i < rule->blocks.n; i++) {
        const struct rule_block *block = &rule->blocks.v[i];

        if (purchase != PURCHASE_CAPACITY_BLOCK || (block->region && strcmp(block->region, region) != 0))
            continue;
        buf_adds(b, b->n ? "; " : "rule: ");
        time_add_date(b, block->from);
        buf_adds(b, " to ");
        time_add_date(b, block->until);
    }
    if (!b->n)
        buf_adds(b, "not stated");
}

/* ---- what a budget has to know ---- */

static const char *const cost_words[] = {
    [RULE_COST_EFFECTIVE] = "effective cost (commitments amortised)", [RULE_COST_BILLED] = "billed cost", [RULE_COST_LIST] = "list price",
    [RULE_COST_NET_EFFECTIVE] = "net effective cost (commitments amortised, discounts taken off)",
};

static void answer(struct rates *out, const char *name, const char *question, struct buf *text)
{
    vec_push(&out->answers, (struct rates_answer){name, question, arena_strdup(&out->texts, buf_str(text))});
    buf_clear(text);
}

static void answer_includes(const struct rule *rule, const char *split_method, struct buf *b, struct rates *out)
{
    buf_addf(b, "%s of the GPU piece of each node, split by %s; node_gpu_hour is the whole node's for each of its GPUs. Idle time is in: "
                "the "
                "cost is divided by all billed GPU-hours. Rows attached to nodes (disks, licences) are %s. Tax, support, fees and unused "
                "commitments are not in; which credits are, the rule's cost and credits say.",
             cost_words[rule->cost], split_method, rule->attached_include ? "in" : "not in");
    answer(out, "includes", "what the figure includes", b);
}

static const char *const idle_words[] = {
    [RULE_IDLE_SEPARATE] = "nobody: idle time stays in the row (idle), and a price per GPU-hour held by pods is held_gpu_hour",
    [RULE_IDLE_PROPORTIONAL] = "teams, in proportion to their cost", [RULE_IDLE_EVEN] = "teams, evenly",
    [RULE_IDLE_FIXED] = "teams, by the shares that the rule fixes", [RULE_IDLE_TO] = "the team that the rule names",
};

static void answer_rest(const struct rule *rule, struct buf *b, struct rates *out)
{
    buf_adds(b, "as the bill says; the column that says it stands with each pool");
    answer(out, "purchase", "purchase option, and where it comes from", b);
    buf_adds(b, "bills have none: capacity blocks from the rule, none for on demand and spot, else not stated");
    answer(out, "term", "committed term", b);
    buf_addf(b, "%s%s", idle_words[rule->idle.policy], rule->idle.owners.n ? "; of the nodes of idle.owners, their teams" : "");
    answer(out, "idle", "who absorbs idle time", b);
    buf_adds(b, "least, most and mean of the months in the period, each a month's GPU piece by its GPU-hours; one month has none to show");
    answer(out, "variance", "variance over the months at hand", b);
}

/* ---- where split prices come from ---- */

static bool in_rule(const struct rule *rule, const struct catalogue *c, const char *model)
{
    int index = catalogue_model(c, span_of(model));

    for (size_t i = 0; i < rule->split.gpu_hour.n; i++) {
        const char *name = rule->split.gpu_hour.v[i].model;

        if (strcmp(name, model) == 0 || (index >= 0 && catalogue_model(c, span_of(name)) == index))
            return true;
    }
    return false;
}

void rates_fill_sources(const struct rule *rule, const struct catalogue *c, struct rates *out)
{
    bool preset = rule->split.method == RULE_SPLIT_AWS_SCAD || rule->split.method == RULE_SPLIT_OPENCOST;
    const char *last = "";
    money vcpu, gib;

    split_ratio(rule, &vcpu, &gib);
    vec_push(&out->sources, (struct rates_source){"vCPU", vcpu, preset ? "preset" : rule->split.vcpu_written ? "rule" : "default"});
    vec_push(&out->sources, (struct rates_source){"GiB", gib, preset ? "preset" : rule->split.gib_written ? "rule" : "default"});
    for (size_t i = 0; i < out->pools.n_rows; i++) {
        const char *model = table_cell(&out->pools, i, 0)->text;
        money price;

        if (!model || strcmp(model, last) == 0)
            continue;
        last = arena_strdup(&out->texts, model);
        price = split_price(rule, c, last, catalogue_model(c, span_of(last)));
        vec_push(&out->sources, (struct rates_source){last, price, preset ? "preset" : price <= 0 ? "unknown"
                                                                      : in_rule(rule, c, last) ? "rule" : "catalogue"});
    }
}

void rates_fill_answers(const struct rule *rule, const char *split_method, struct rates *out)
{
    struct buf b = {0};

    answer_includes(rule, split_method, &b, out);
    answer_rest(rule, &b, out);
    buf_free(&b);
}
