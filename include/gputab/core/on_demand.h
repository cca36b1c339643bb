/* on_demand: what the machine of a charge costs on demand, for split: {method: residual}. */
#ifndef GPUTAB_CORE_ON_DEMAND_H
#define GPUTAB_CORE_ON_DEMAND_H

#include "gputab/core/allocate.h"
#include "gputab/core/split.h"

/* The rule's price of the type and region, a line with the region before one without; else the list cost of the charge's own rows for the
 * time that they bill; else, in a bill in USD, the catalogue's price of the type in that very region. type: the catalogue's, or NULL. */
struct split_rate on_demand_find(const struct allocate_config *cfg, const struct charge *c, const struct instance_type *type);

#endif
