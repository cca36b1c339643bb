/* gcp_resource: which machine a row of a Google Cloud bill names. */
#ifndef GPUTAB_SOURCE_GCP_RESOURCE_H
#define GPUTAB_SOURCE_GCP_RESOURCE_H

#include "gputab/base/buf.h"
#include "gputab/base/span.h"

/* Whatever the bill has of it; all may be empty. */
struct gcp_resource {
    struct span name;              /* as the console shows it; a global name in its place is seen to be one */
    struct span global_name;       /* //compute.googleapis.com/projects/P/zones/Z/instances/N, where N may be a number that no node knows */
    struct span project, zone;
    struct span location;          /* a zone or something larger */
};

/* The id to join: a provider id (gce://P/Z/N) as far as project, zone and name are known, else the name alone; the global name of what is
 * no machine. Empty: none. Points into room or into r. */
struct span gcp_resource_id(struct buf *room, const struct gcp_resource *r);

#endif
