/* fill_shared: shared costs between the bill and the report: those that are in the rows leave their groups, the others stay there and are
 * warned of. */
#include "gputab/cli/fill_shared.h"

static void take(struct fill_shared *out, const struct bill_shared_sum *sum)
{
    for (int g = 0; g < GROUP_EXCLUDED; g++) {
        out->groups[g] -= sum->groups[g];
        out->groups_invoiced[g] -= sum->groups_invoiced[g];
        out->spread += sum->groups[g];
        out->spread_invoiced += sum->groups_invoiced[g];
    }
}

static void warn(const struct rollup_shared *cost, struct diag *d)
{
    diag_add(d, "W227", "shared cost \"%s\": nothing is there to spread it over; it stays in its group", cost->rule->name);
    diag_hint(d, "W227", "it is spread by the cost of pods: are there metrics of the GPU nodes in the bill?");
}

struct fill_shared fill_shared(const struct bill *b, const struct rollup *rollup, struct diag *d)
{
    struct fill_shared out = {.spread = 0};
    const struct rollup_shared *cost;

    for (int g = 0; g < BILL_GROUPS; g++) {
        out.groups[g] = b->groups[g];
        out.groups_invoiced[g] = b->groups_invoiced[g];
    }
    for (size_t i = 0; (cost = rollup_shared(rollup, i)); i++) {
        if (cost->spread)
            take(&out, &b->shared.v[i]);
        else if (cost->amount != 0)
            warn(cost, d);
    }
    return out;
}

void fill_shared_list(const struct bill *b, const struct rollup *rollup, struct report *r)
{
    const struct rollup_shared *cost;

    for (size_t i = 0; (cost = rollup_shared(rollup, i)); i++) {
        money invoiced = 0;

        for (int g = 0; g < GROUP_EXCLUDED; g++)
            invoiced += b->shared.v[i].groups_invoiced[g];
        if (cost->spread)
            vec_push(&r->shared, (struct report_shared){cost->rule->name, rule_shared_methods[cost->rule->method],
                                                        money_round(cost->amount, r->digits), money_round(invoiced, r->digits)});
    }
}
