/* bill_fx: each amount is multiplied exactly and rounded once, half to even at the twelfth decimal, so that neither the order of rows nor
 * how they are added up shows. Nothing else of a row has a currency. */
#include "gputab/source/bill_fx.h"

#include <string.h>

#include "gputab/base/buf.h"

#define AMOUNT_MAX ((money)1000000000000000 * MONEY_ONE)

static const struct rule_rate *find_rate(const struct bill_request *req, const struct bill_row *row)
{
    for (size_t i = 0; i < req->n_rates; i++) {
        const struct rule_rate *r = &req->rates[i];

        if (r->month.from <= row->span.from && row->span.from < r->month.to && span_eq(row->currency, r->from))
            return r;
    }
    return NULL;
}

static int no_rate(const struct bill_request *req, const struct bill_row *row, struct err *e)
{
    int shown = (int)(row->currency.n < 20 ? row->currency.n : 20);
    struct buf day = {0};

    time_add_text(&day, row->span.from);
    err_set(e, ERR_INPUT, "row is in %.*s, and the rule has no rate into %s for its month", shown, row->currency.p, req->rates[0].to);
    err_hint(e, "add to fx: {month: %.7s, from: %.*s, to: %s, rate: \"...\"}", buf_str(&day), shown, row->currency.p, req->rates[0].to);
    buf_free(&day);
    return -1;
}

static int convert(money *amount, money rate, struct err *e)
{
    *amount = money_mul_div_even(*amount, (weight)rate, (weight)MONEY_ONE);
    if (*amount <= AMOUNT_MAX && *amount >= -AMOUNT_MAX)
        return 0;
    return err_set(e, ERR_INPUT, "converted amount is more than 10^15");
}

/* By month, then currency: whatever row came first. */
static int compare(const struct bill_rate *x, const struct bill_rate *y)
{
    return x->month != y->month ? (x->month < y->month ? -1 : 1) : strcmp(x->from, y->from);
}

static void note(struct bill *out, const struct rule_rate *r)
{
    struct bill_rate new = {r->from, r->month.from, r->rate, r->source};
    size_t i;

    for (i = 0; i < out->rates.n; i++)
        if (compare(&out->rates.v[i], &new) == 0)
            return;
    vec_push(&out->rates, new);
    for (; i > 0 && compare(&new, &out->rates.v[i - 1]) < 0; i--)
        out->rates.v[i] = out->rates.v[i - 1];
    out->rates.v[i] = new;
}

int bill_fx_convert(const struct bill_request *req, struct bill_row *row, struct bill *out, struct err *e)
{
    struct span target = span_of(req->rates[0].to);
    const struct rule_rate *r;

    if (span_same(row->currency, target))
        return 0;
    r = find_rate(req, row);
    if (!r)
        return no_rate(req, row, e);
    if (convert(&row->cost, r->rate, e) < 0 || convert(&row->invoiced, r->rate, e) < 0 || convert(&row->list, r->rate, e) < 0)
        return -1;
    row->currency = target;
    note(out, r);
    return 0;
}
