/* oci_sku: what Oracle's descriptions and units of compute products say: what of a machine a row bills. */
#ifndef GPUTAB_SOURCE_OCI_SKU_H
#define GPUTAB_SOURCE_OCI_SKU_H

#include <stdbool.h>
#include <stdint.h>

#include "gputab/base/span.h"
#include "gputab/value/charge.h"

enum oci_sku_kind {
    OCI_SKU_OTHER,                 /* disks, traffic, licences, software */
    OCI_SKU_MACHINE,               /* a machine by its hours */
    OCI_SKU_GPUS,                  /* a machine by the hours of its GPUs: cores and memory are in their price where they have no rows */
    OCI_SKU_PIECE                  /* cores or memory of a flexible shape */
};

struct oci_sku {
    enum oci_sku_kind kind;
    enum piece piece;              /* of PIECE: CPU or memory */
    struct span gpu_model;         /* of GPUS: the catalogue's name; empty: unknown */
    int64_t unit_ms;               /* of MACHINE and GPUS: the time of one unit; 0: the unit is none of time */
    bool takes_no_gpu;             /* the shape has none */
};

/* description: "GPU - A100 - v2", "Standard - E4 - Memory"; unit: "OCPU Hours" or "1 NONE HOURS OCPUS". */
struct oci_sku oci_sku_of(struct span description, struct span unit);

/* ocid1.instance.oc1...: of all that Oracle gives ids to, these are machines. */
bool oci_is_machine(struct span id);

#endif
