/* rates_words: what a budget has to know of a price besides the price; for core/rates. */
#ifndef GPUTAB_CORE_RATES_WORDS_H
#define GPUTAB_CORE_RATES_WORDS_H

#include "gputab/base/buf.h"
#include "gputab/value/catalogue.h"
#include "gputab/value/charge.h"
#include "gputab/value/rates.h"
#include "gputab/value/rule.h"

/* Which columns of the bill, or what instead of them, say the purchase option. *b is empty before. */
void rates_add_purchase_source(const struct bill *bill, enum purchase purchase, struct buf *b);
/* How long is committed to: "none", "rule: 2026-10-01 to 2026-10-15", "not stated". */
void rates_add_term(const struct rule *rule, const char *region, enum purchase purchase, struct buf *b);
void rates_fill_answers(const struct rule *rule, const char *split_method, struct rates *out);
/* Prices by which nodes of the pools in *out are split. */
void rates_fill_sources(const struct rule *rule, const struct catalogue *c, struct rates *out);

#endif
