/* bill_overlap: exports of a month so far, or two versions of it, given together.
 *
 * They differ in bytes and may differ in amounts, so what shows them is what cannot be: a machine that ran longer than the time there is,
 * because two files say the same of it. Rows of a commitment and on demand share an hour and differ in that; a set of machines under one
 * name may well run for longer. Overlaps that touch no GPU node, or only nodes that ran for less than half of each interval, are not
 * seen. */
#include "gputab/source/bill_overlap.h"

#include "gputab/base/buf.h"
#include "gputab/value/resource_id.h"

#define MS ((money)1000000000000)                            /* one millisecond in 10^-12 ms */

int bill_overlap_order(const struct bill_key *a, const struct bill_key *b)
{
    if (a->purchase != b->purchase)
        return a->purchase < b->purchase ? -1 : 1;
    if (a->type != b->type)
        return a->type < b->type ? -1 : 1;
    if (a->region != b->region)
        return a->region < b->region ? -1 : 1;
    if (a->kind != b->kind)
        return a->kind < b->kind ? -1 : 1;
    if (a->piece != b->piece)
        return a->piece < b->piece ? -1 : 1;
    if (a->gpu_model != b->gpu_model)
        return a->gpu_model < b->gpu_model ? -1 : 1;
    return (a->text > b->text) - (a->text < b->text);
}

/* Entries are of one resource and interval. */
static bool same_meaning(const struct bill_key *a, const struct bill_key *b)
{
    return a->purchase == b->purchase && a->type == b->type && a->region == b->region && a->kind == b->kind && a->piece == b->piece &&
           a->gpu_model == b->gpu_model;
}

/* The time there is, 10^-12 ms; rows of GPUs count that of each. 0: unknown. */
static money time_there_is(const struct bill_key *k, int64_t gpu_micro)
{
    money whole = (money)timespan_ms(k->span) * MS;

    return bill_key_counts_gpus(k) ? money_mul_div(whole, (weight)gpu_micro, 1000000) : whole;
}

static bool is_twice(const struct bill_entry *a, const struct bill_entry *b, int64_t gpu_micro)
{
    money most = time_there_is(&a->key, gpu_micro);

    return same_meaning(&a->key, &b->key) && a->key.text != b->key.text && a->has_time && b->has_time && a->cost == b->cost &&
           a->time_ms == b->time_ms && most > 0 && a->time_ms + b->time_ms > most;
}

static int refuse(const struct bill_entry *a, const struct bill_entry *b, struct span id, const struct bill *bill, struct err *e)
{
    struct buf time = {0};

    time_add_text(&time, a->key.span.from);
    buf_adds(&time, " to ");
    time_add_text(&time, a->key.span.to);
    err_set(e, ERR_INPUT, "bills the time of %.*s from %s as %.180s does: together more than there is", (int)(id.n < 80 ? id.n : 80), id.p,
            buf_str(&time), bill->texts.v[a->key.text].path);
    err_hint(e, "two versions of one period, such as exports of a month so far? give the newest alone, or its manifest");
    buf_free(&time);
    return err_at(e, bill->texts.v[b->key.text].path, 0, 0);
}

int bill_overlap_check(const struct bill_entry *v, size_t n, struct span id, int64_t gpu_micro, const struct bill *b, struct err *e)
{
    if (resource_id_is_set(id))
        return 0;
    for (size_t i = 1; i < n; i++)
        if (is_twice(&v[i - 1], &v[i], gpu_micro))
            return refuse(&v[i - 1], &v[i], id, b, e);
    return 0;
}
