/* bill_meter: the words in which bills describe machines and the time they ran. Shared by the dialects. */
#ifndef GPUTAB_SOURCE_BILL_METER_H
#define GPUTAB_SOURCE_BILL_METER_H

#include <stdbool.h>
#include <stdint.h>

#include "gputab/base/span.h"
#include "gputab/source/bill_dialect.h"
#include "gputab/value/catalogue.h"

/* "Hours", "Hrs", "1 Hour", "10 Hours", "Seconds", "Instance Hours": milliseconds in one unit. False when the unit is none of time
 * ("vCPU-Hours", "GB-Months"). */
bool bill_unit_ms(struct span unit, int64_t *ms);

/* A meter, a usage type, an operation or a description speaks of something else than an instance's time: transfer, licence, storage... */
bool bill_speaks_of_other(struct span text);

/* Instance types in text. All return the empty span when there is none; results point into text or into the catalogue. */
struct span bill_type_of_meter(const struct catalogue *c, struct span meter);   /* "EUW2-BoxUsage:t3.xlarge", "NC24ads A100 v4 Spot" */
struct span bill_type_of_words(const struct catalogue *c, struct span text);    /* "$1.624 per On Demand Linux g5.4xlarge Instance Hour" */

/* "8", "30.5", "1,952 GiB" in units of 10^-6; 0 when the text begins with no such number ("NA"). A hint, never an amount of money. */
int64_t bill_micro_of_words(struct span text);

/* What a JSON cell says of the machine (SkuPriceDetails, x_SkuDetails, AdditionalInfo, product): numbers in the units of struct charge,
 * 0 unknown. */
struct bill_details {
    char type[BILL_TYPE_SIZE], region[BILL_TYPE_SIZE];       /* "" unknown */
    char machine[BILL_TYPE_SIZE];  /* Azure's VMName */
    int64_t vcpu_micro, memory_micro_gib, gpu_count_micro;
};

/* Adds what json says to *d, where d does not know it yet. Braces may be missing; Python's spelling (single quotes, None), lists of pairs
 * of key and value, and maps as SQL engines print them ("{CoreCount=16, GpuCount=1}") are read.
 * -1 when it cannot be read as any of these. */
int bill_details_add(struct bill_details *d, struct span json);

/* Adds what other knows, where d does not. */
void bill_details_merge(struct bill_details *d, const struct bill_details *other);

#endif
