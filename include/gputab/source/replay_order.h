/* replay_order: the orders in which the series and blocks of a replay stand when it is finished. */
#ifndef GPUTAB_SOURCE_REPLAY_ORDER_H
#define GPUTAB_SOURCE_REPLAY_ORDER_H

#include "gputab/source/replay.h"

/* By number; those of a series in the order of time, or as they were written when it is shuffled. What is said of a block is then said of
 * its series. While series still stand at their numbers. */
void replay_order_blocks(struct replay *r);

/* By the name of the family, in it by the order that is written at the series; of equal ones as they stood. */
void replay_order_series(struct replay *r);

#endif
