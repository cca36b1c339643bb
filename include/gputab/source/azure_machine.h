/* azure_machine: which machine of a scale set a row of an Azure bill means. */
#ifndef GPUTAB_SOURCE_AZURE_MACHINE_H
#define GPUTAB_SOURCE_AZURE_MACHINE_H

#include <stdbool.h>

#include "gputab/base/buf.h"
#include "gputab/base/span.h"

/* Puts the normal id of the resource into *id, in place of what is there. True when it is a scale set. */
bool azure_machine_in_set(struct buf *id, struct span resource);

/* Makes the id of a scale set that of its machine, .../virtualmachines/2, by the machine's name: "aks-gpu-1-vmss_2", or its computer name
 * "aks-gpu-1-vmss000002", whose last six characters are the number to the base 36. A name that says no number leaves the set's id. */
void azure_machine_add(struct buf *id, struct span name);

#endif
