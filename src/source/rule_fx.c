/* rule_fx: fx, a list of rates by month into one currency.
 *
 * A rate belongs to the agreement: none is looked up, and a line for each month and currency says where it comes from. All lines have one
 * target, since a report has one currency. This module converts nothing: source/bill_fx does. */
#include "gputab/source/rule_fx.h"

#include <string.h>

static int read_month(struct yaml_binder *b, const struct yaml_node *value, void *target, const void *unused)
{
    (void)unused;
    if (yaml_expect(b, value, YAML_TEXT) < 0)
        return -1;
    if (timespan_parse_month(span_of(value->text), target) == 0)
        return 0;
    return yaml_fail(b, value, "month must be a month such as 2026-10, not \"%s\"", yaml_show(value->text).s);
}

static int read_currency(struct yaml_binder *b, const struct yaml_node *value, void *target, const void *unused)
{
    if (yaml_expect(b, value, YAML_TEXT) < 0)
        return -1;
    if (strlen(value->text) == 3 && strspn(value->text, "ABCDEFGHIJKLMNOPQRSTUVWXYZ") == 3)
        return rule_read_text(b, value, target, unused);
    return yaml_fail(b, value, "%s must be a currency such as USD, not \"%s\"", yaml_name(value), yaml_show(value->text).s);
}

static int read_rate(struct yaml_binder *b, const struct yaml_node *value, void *target, const void *unused)
{
    if (rule_read_price(b, value, target, unused) < 0)
        return -1;
    return *(money *)target > 0 ? 0 : yaml_fail(b, value, "rate must be more than 0");
}

static const struct yaml_key keys[] = {
    { "month", read_month, offsetof(struct rule_rate, month), NULL },
    { "from", read_currency, offsetof(struct rule_rate, from), NULL },
    { "to", read_currency, offsetof(struct rule_rate, to), NULL },
    { "rate", read_rate, offsetof(struct rule_rate, rate), NULL },
    { "source", rule_read_text, offsetof(struct rule_rate, source), NULL },
};
static const struct yaml_schema schema = YAML_SCHEMA(keys);

static int need(struct yaml_binder *b, const struct yaml_node *item)
{
    static const char *const needed[] = { "month", "from", "to", "rate" };

    for (size_t i = 0; i < sizeof needed / sizeof *needed; i++)
        if (!yaml_get(item, needed[i]))
            return yaml_fail(b, item, "an fx line needs %s", needed[i]);
    return 0;
}

static int check_against(struct yaml_binder *b, const struct yaml_node *item, const struct rule_rate *r, const struct rule_rate *before)
{
    if (strcmp(before->to, r->to) != 0) {
        yaml_fail(b, yaml_get(item, "to"), "the line before converts to %s, this one to %s", before->to, r->to);
        return err_hint(b->e, "a report has one currency: give all rates into it");
    }
    if (before->month.from != r->month.from || strcmp(before->from, r->from) != 0)
        return 0;
    return yaml_fail(b, item, "line %lld has a rate of %s for this month already", (long long)before->line, r->from);
}

static int read_line(struct yaml_binder *b, const struct yaml_node *item)
{
    struct rule *rule = &((struct rule_draft *)b->owner)->rule;
    struct rule_rate r = { .source = "", .line = item->line };

    if (yaml_bind(b, item, &schema, &r) < 0 || need(b, item) < 0)
        return -1;
    if (strcmp(r.from, r.to) == 0)
        return yaml_fail(b, item, "from and to are the same currency");
    if (rule->fx.n == RULE_RATES_MAX)
        return yaml_fail(b, item, "there are more than %d rates", RULE_RATES_MAX);
    for (size_t i = 0; i < rule->fx.n; i++)
        if (check_against(b, item, &r, &rule->fx.v[i]) < 0)
            return -1;
    vec_push(&rule->fx, r);
    return 0;
}

int rule_read_fx(struct yaml_binder *b, const struct yaml_node *value, void *target, const void *unused)
{
    (void)target;
    (void)unused;
    return yaml_read_items(b, value, read_line);
}
