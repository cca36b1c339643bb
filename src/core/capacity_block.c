/* capacity_block: what a block of instances cost per instance and time, laid over the charges of those who ran in it.
 *
 * A block's fee is one row on the day on which the block starts, and its instances' own rows cost nothing. The bill does not say how many
 * instances there were and until when, so a rule does. The fee is divided by count x length: used time goes to the charges, the rest is an
 * unused commitment. It is cut to the period like any charge, so that months add up; a fee that the bill of this month has not (the block
 * started in the one before) is added to the bill's asked-for cost, as the amortised cost of any commitment is. What was invoiced stays.
 * Several blocks of a type that start on one day may be billed as one fee: what their lines do not say is divided by their sizes. */
#include "gputab/core/capacity_block.h"

#include <stdlib.h>

#include "gputab/base/span.h"

struct spread {
    struct bill *bill;
    const struct rule *rule;
    struct timespan period;
    const struct intern *names;
    struct diag *diag;
    bool *is_free;                 /* by charge: it costs nothing by itself */
};

/* ---- fees ---- */

static bool same_text(const struct spread *s, uint32_t id, const char *text)
{
    return !text || id == 0 || span_eq_fold(intern_get(s->names, id), text);
}

/* The block starts on the row's first day, or in the row's time when that is longer. */
static bool is_fee_of(const struct spread *s, const struct bill_block_fee *f, const struct rule_block *b)
{
    time_ms day = time_floor(f->span.from, TIME_DAY), end = f->span.to > day + TIME_DAY ? f->span.to : day + TIME_DAY;

    return f->type && same_text(s, f->type, b->type) && same_text(s, f->region, b->region) && day <= b->from && b->from < end;
}

/* Blocks that one row of the bill may pay for together. */
static bool share_fee(const struct rule_block *a, const struct rule_block *b)
{
    return span_eq_fold(span_of(a->type), b->type) && (!a->region || !b->region || span_eq_fold(span_of(a->region), b->region)) &&
           time_floor(a->from, TIME_DAY) == time_floor(b->from, TIME_DAY);
}

struct billed_fee {
    size_t rows;
    money cost;
};

static struct billed_fee find_fee(const struct spread *s, const struct rule_block *b)
{
    struct billed_fee found = {0, 0};

    for (size_t i = 0; i < s->bill->block_fees.n; i++)
        if (is_fee_of(s, &s->bill->block_fees.v[i], b)) {
            found.rows++;
            found.cost += s->bill->block_fees.v[i].cost;
        }
    return found;
}

static weight size_of(const struct rule_block *b)
{
    return (weight)b->count * (weight)(b->until - b->from);
}

/* The part of a billed fee that this block has: its own, or by size of what those without one leave. */
static int fee_of(const struct spread *s, size_t block, struct billed_fee billed, money *fee, struct err *e)
{
    const struct rule_block *all = s->rule->blocks.v, *b = &all[block];
    weight *w = xcalloc(s->rule->blocks.n, sizeof *w);
    money *parts = xcalloc(s->rule->blocks.n, sizeof *parts), rest = billed.cost;
    int rc = 0;

    for (size_t i = 0; i < s->rule->blocks.n; i++) {
        if (!share_fee(&all[i], b))
            continue;
        rest -= all[i].fee;
        w[i] = all[i].fee ? 0 : size_of(&all[i]);
    }
    if (billed.rows == 0) {
        err_set(e, ERR_USAGE, "the bill has no fee of a capacity block of %s that starts on that day", b->type);
        err_hint(e, "write what it cost: fee: \"12345.60\"");
        rc = -1;
    } else if (rest < 0) {
        rc = err_set(e, ERR_USAGE, "the bill's fee is less than those written for blocks of %s of that day", b->type);
    } else if (money_split(rest, w, s->rule->blocks.n, parts) < 0) {
        rc = err_set(e, ERR_INTERNAL, "a capacity block has no size");
    }
    *fee = parts[block];
    free(parts);
    free(w);
    return rc;
}

/* Fees that are all written, and say something else than the bill. */
static void compare(const struct spread *s, const struct rule_block *b, struct billed_fee billed)
{
    money rest = billed.cost;

    for (size_t i = 0; i < s->rule->blocks.n; i++) {
        if (!share_fee(&s->rule->blocks.v[i], b))
            continue;
        if (s->rule->blocks.v[i].fee == 0)
            return;
        rest -= s->rule->blocks.v[i].fee;
    }
    if (billed.rows == 0 || rest == 0)
        return;
    diag_once(s->diag, "W124", "%s: the fee of the capacity block of line %lld is not the one that the bill has for it", b->type,
              (long long)b->line);
    diag_hint(s->diag, "W124", "leave fee out of the rule: the bill's counts then");
}

/* The rows of fees that blocks stand for cost nothing as such: what they cost, and how much of it lies in the period by group. */
static money take_rows(struct spread *s)
{
    money taken = 0;

    for (size_t i = 0; i < s->bill->block_fees.n; i++) {
        const struct bill_block_fee *f = &s->bill->block_fees.v[i];
        bool is_theirs = false;

        for (size_t k = 0; k < s->rule->blocks.n && !is_theirs; k++)
            is_theirs = is_fee_of(s, f, &s->rule->blocks.v[k]);
        if (!is_theirs)
            continue;
        s->bill->groups[f->group] -= bill_part(f->cost, f->span, s->period);
        s->bill->outside -= f->cost - bill_part(f->cost, f->span, s->period);
        taken += f->cost;
    }
    return taken;
}

/* ---- charges ---- */

static bool is_of(const struct spread *s, const struct rule_block *b, size_t charge)
{
    struct charge c = charge_list_at(&s->bill->charges, charge);

    if (c.span.from >= b->until || b->from >= c.span.to || c.instance_type == 0 || !same_text(s, c.instance_type, b->type) ||
        !same_text(s, c.region, b->region))
        return false;
    if (!b->instances)
        return s->is_free[charge];
    for (const char *const *g = (const char *const *)b->instances; *g; g++)
        if (span_glob(intern_get(s->names, c.resource), *g))
            return true;
    return false;
}

static int64_t used_ns(const struct rule_block *b, const struct charge_kept *c)
{
    int64_t both = timespan_ms(timespan_cut(c->span, (struct timespan){b->from, b->until})) * TIME_NS_PER_MS;

    return c->billed_ns < both ? c->billed_ns : both;
}

static void add_to_charge(struct charge_list *charges, size_t i, money part)
{
    struct charge c = charge_list_at(charges, i);
    money own = c.cost < 0 ? -c.cost : c.cost;

    if (part > own)
        c.purchase = PURCHASE_CAPACITY_BLOCK;
    c.cost += part;
    charge_list_put(charges, i, &c);
}

/* Parts by used time; the last one is what nobody used. */
static void lay_over(struct spread *s, const struct rule_block *b, money fee, int64_t ms)
{
    size_t n = s->bill->charges.n;
    weight *w = xcalloc(n + 1, sizeof *w), whole = (weight)b->count * (weight)ms * (weight)TIME_NS_PER_MS, used = 0;
    money *parts = xcalloc(n + 1, sizeof *parts);

    for (size_t i = 0; i < n; i++) {
        w[i] = is_of(s, b, i) ? (weight)used_ns(b, &s->bill->charges.v[i]) : 0;
        used += w[i];
    }
    w[n] = used < whole ? whole - used : 0;
    if (used > whole) {
        diag_add(s->diag, "W123", "%s: more instances ran in the capacity block of line %lld than it has", b->type, (long long)b->line);
        diag_hint(s->diag, "W123", "is count too small, or is time of others free too? instances: [i-0abc, ...] names those of the block");
    }
    if (money_split(fee, w, n + 1, parts) == 0)
        for (size_t i = 0; i < n; i++)
            if (w[i])
                add_to_charge(&s->bill->charges, i, parts[i]);
    s->bill->groups[GROUP_UNUSED_COMMITMENT] += parts[n];
    free(parts);
    free(w);
}

/* ---- blocks ---- */

static int spread_block(struct spread *s, size_t block, money *all_fees, struct err *e)
{
    const struct rule_block *b = &s->rule->blocks.v[block];
    struct timespan span = {b->from, b->until}, in = timespan_cut(span, s->period);
    struct billed_fee billed = find_fee(s, b);
    bool touches = in.from < in.to;
    money fee = b->fee, part;

    if (!touches && billed.rows == 0)
        return 0;
    if (fee == 0 && fee_of(s, block, billed, &fee, e) < 0)
        return -1;
    compare(s, b, billed);
    part = touches ? bill_part(fee, span, s->period) : 0;
    if (part)
        lay_over(s, b, part, in.to - in.from);
    *all_fees += billed.rows ? fee : part;
    s->bill->outside += billed.rows ? fee - part : 0;
    return 0;
}

static int spread_all(struct spread *s, const char *rule_path, struct err *e)
{
    money fees = 0, taken;

    for (size_t i = 0; i < s->bill->charges.n; i++)
        s->is_free[i] = s->bill->charges.v[i].cost == 0
                        || charge_list_at(&s->bill->charges, i).purchase == PURCHASE_CAPACITY_BLOCK;
    for (size_t i = 0; i < s->rule->blocks.n; i++)
        if (spread_block(s, i, &fees, e) < 0)
            return err_at(e, rule_path ? rule_path : "", s->rule->blocks.v[i].line, 0);
    taken = take_rows(s);
    s->bill->file_total += fees - taken;
    return 0;
}

static bool is_amortised(enum rule_cost cost)
{
    return cost == RULE_COST_EFFECTIVE || cost == RULE_COST_NET_EFFECTIVE;
}

int capacity_blocks_spread(struct bill *b, const struct rule *rule, const char *rule_path, struct timespan period,
                           const struct intern *names, struct diag *d, struct err *e)
{
    struct spread s = {.bill = b, .rule = rule, .period = period, .names = names, .diag = d};
    int rc = 0;

    if (rule->blocks.n == 0)
        return 0;
    s.is_free = xcalloc(b->charges.n + 1, sizeof *s.is_free);
    if (is_amortised(rule->cost))
        rc = spread_all(&s, rule_path, e);
    for (size_t i = 0; i < b->charges.n && rc == 0; i++)
        charge_warn_free(&b->charges.v[i], names, d);
    free(s.is_free);
    return rc;
}
