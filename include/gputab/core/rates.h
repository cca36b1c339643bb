/* rates: a taker of entries that adds up, per pool (gpu_model, region, purchase) and calendar month, what GPUs cost and how long they were
 * paid for. All of a pool's GPU piece counts, idle time and time without metrics included: the price is that of an hour of a card, whoever
 * held it. */
#ifndef GPUTAB_CORE_RATES_H
#define GPUTAB_CORE_RATES_H

#include "gputab/core/allocate.h"
#include "gputab/value/rates.h"

struct rates_config {
    const struct rule *rule;
    const struct catalogue *catalogue;
    const struct inventory *inventory;
    const struct bill *bill;
    struct timespan period;
    const char *model;             /* glob of models to show; NULL: all */
    money quote;                   /* a price per GPU-month to compare with; 0: none */
};

struct rates_book;

struct rates_book *rates_new(const struct rates_config *cfg);       /* what it points to is borrowed */
struct allocate_sink rates_sink(struct rates_book *b);
/* After the run: fills *out (zeroed) but for its currency. digits: of the currency; split_method: as reports print it. */
void rates_fill(struct rates_book *b, int digits, const char *split_method, struct rates *out);
void rates_book_free(struct rates_book *b);

#endif
