/* gcp_sku: what Google Cloud's descriptions of Compute Engine SKUs say: which piece of a machine a row bills, and of which GPU model. */
#ifndef GPUTAB_SOURCE_GCP_SKU_H
#define GPUTAB_SOURCE_GCP_SKU_H

#include <stdbool.h>

#include "gputab/base/span.h"
#include "gputab/value/charge.h"

enum gcp_sku_kind {
    GCP_SKU_PIECE,                 /* a machine's GPUs, cores or memory */
    GCP_SKU_COMMITMENT,            /* the fee of a commitment */
    GCP_SKU_OTHER                  /* anything else: disks, traffic, licences */
};

struct gcp_sku {
    enum gcp_sku_kind kind;
    /* of pieces */
    enum piece piece;
    struct span gpu_model;         /* the catalogue's name; empty: none, or one that is not known */
    enum purchase purchase;        /* on demand, spot, or reserved */
    bool takes_no_gpu;             /* of a family whose machines can't have GPUs */
};

struct gcp_sku gcp_sku_of(struct span description);

#endif
