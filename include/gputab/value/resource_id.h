/* resource_id: one identity for what a bill calls a resource and Kubernetes calls a provider id.
 * The rules: the last token of both counts, Azure ids without case, of GCP project and zone. */
#ifndef GPUTAB_VALUE_RESOURCE_ID_H
#define GPUTAB_VALUE_RESOURCE_ID_H

#include <stdbool.h>

#include "gputab/base/buf.h"
#include "gputab/base/span.h"

/* Appends the normal form:
 *   aws:///us-east-1a/i-0abc, arn:aws:ec2:..:instance/i-0abc, i-0abc      -> i-0abc
 *   gce://p/z/name, //compute.googleapis.com/projects/p/zones/z/instances/name (also /instance/) -> p/z/name
 *   azure:///subscriptions/..., /subscriptions/... (any case)            -> /subscriptions/... lower case
 *   oci://ocid1..., ocid1...                                             -> ocid1...
 *   scheme://anything/last                                               -> last;  anything else stays as it is, trimmed
 * Empty in, nothing appended. */
void resource_id_add_normal(struct buf *b, struct span id);

/* Azure's scale sets, in normal form: machines made alike, of which a bill may name only the set.
 *   /subscriptions/../virtualmachinescalesets/x/virtualmachines/2 is in the set /subscriptions/../virtualmachinescalesets/x */
bool resource_id_is_set(struct span id);
struct span resource_id_set_of(struct span id);              /* the set of a machine, a part of id; empty when it is in none */

#endif
