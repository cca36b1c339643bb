/* bill_origins: whether rows of split cost allocation stand for the row that they split, or beside it. */
#ifndef GPUTAB_SOURCE_BILL_ORIGINS_H
#define GPUTAB_SOURCE_BILL_ORIGINS_H

#include <stdbool.h>
#include <stddef.h>

#include "gputab/base/span.h"

enum bill_origins_say {
    ORIGINS_NOT_SPLIT,             /* no row is allocated */
    ORIGINS_REPLACED,              /* allocated rows alone have the money, as FOCUS 1.3 has it */
    ORIGINS_REPEATED,              /* it stands in the origins too */
    ORIGINS_MIXED,                 /* some of both: no answer is right for all */
    ORIGINS_UNSEEN                 /* allocated rows so few among so many others that none was kept */
};

struct bill_origins;

/* most: keys that are kept, a power of two; 0: the usual number. */
struct bill_origins *bill_origins_new(size_t most);
void bill_origins_free(struct bill_origins *o);              /* NULL allowed */

/* A row's key: what an origin and the rows that it is split into have in common. has_money: an amount is not 0. */
void bill_origins_add(struct bill_origins *o, struct span key, bool allocated, bool has_money);

enum bill_origins_say bill_origins_decide(const struct bill_origins *o);

#endif
