/* exporters: every metric family that gputab reads, as data: its name, its unit, what its values mean and label names of its own; and the
 * label names by which exporters say which GPU, pod or node they speak of. Support for another exporter is rows here and a test, not code.
 * Facts come from the reference on metrics, sections 1 to 3. */
#ifndef GPUTAB_SOURCE_EXPORTERS_H
#define GPUTAB_SOURCE_EXPORTERS_H

#include <stdbool.h>
#include <stdint.h>

#include "gputab/base/buf.h"
#include "gputab/base/span.h"
#include "gputab/value/sample.h"

/* What a family's samples are: an enum sample_kind, or a record: facts in labels that hold until the next different ones. */
enum family_kind {
    FAMILY_REQUEST = SAMPLE_KINDS, /* which kind: the resource label says */
    FAMILY_CAPACITY,               /* likewise */
    RECORD_NODE_CPU, RECORD_NODE_MEMORY,
    RECORD_NODE_INFO, RECORD_NODE_LABELS,
    RECORD_POD_INFO, RECORD_POD_LABELS, RECORD_POD_OWNER, RECORD_POD_PHASE,
    RECORD_POD_COMPLETION, RECORD_POD_DELETION,                /* their values are times */
    RECORD_REPLICASET_OWNER, RECORD_JOB_OWNER,
    RECORD_NAMESPACE_LABELS,
    RECORD_GPU_INFO,               /* model or MIG profile of a GPU that other series show */
    FAMILY_REFUSED                 /* looks like GPU memory and is not: never read */
};

enum family_unit { UNIT_ONE, UNIT_MILLI, UNIT_MICRO, UNIT_NANO, UNIT_BYTES, UNIT_KIB, UNIT_MIB, UNIT_GIB };

enum family_pods { PODS_NO, PODS_MAYBE, PODS_ALWAYS };     /* may a series belong to a pod? */

/* What a label's value stands for. A set of three tells a pod: `exported` ones were renamed by Prometheus because the exporter's target
 * has a label of that name; `spelt` ones can only be a workload's; plain ones are a workload's or the exporter's own. */
enum label_role {
    ROLE_UUID, ROLE_INDEX, ROLE_PARTITION, ROLE_GPU_INSTANCE, ROLE_PROFILE, ROLE_MODEL, ROLE_SLOT,
    ROLE_HPC_JOB, ROLE_HPC_USER,   /* of a workload manager: stand for pod and namespace where there is no pod */
    ROLE_MACHINE,                  /* the provider's resource id, said by the exporter itself */
    ROLE_EXPORTED_NAMESPACE, ROLE_EXPORTED_POD, ROLE_EXPORTED_CONTAINER,
    ROLE_SPELT_NAMESPACE, ROLE_SPELT_POD, ROLE_SPELT_CONTAINER,
    ROLE_NAMESPACE, ROLE_POD, ROLE_CONTAINER,
    ROLE_UID,
    ROLE_NODE, ROLE_HOSTNAME, ROLE_INSTANCE, ROLE_INSTANCE_TYPE, ROLE_PROVIDER_ID, ROLE_INTERNAL_IP,
    ROLE_RESOURCE, ROLE_METRICS_PATH, ROLE_CPU,
    ROLE_OWNER_KIND, ROLE_OWNER_NAME, ROLE_OWNER_IS_CONTROLLER, ROLE_CREATED_BY_KIND, ROLE_CREATED_BY_NAME,
    ROLE_REPLICASET, ROLE_JOB_NAME, ROLE_PHASE,
    ROLES
};

/* A label name of one family. One that is ROLE_SPELT_POD says that no other label of the family names its workload. */
struct family_label {
    const char *name;
    enum label_role role;
};

struct family {
    const char *name;              /* as Prometheus writes metric names: nothing in it needs quoting */
    int kind;                      /* enum sample_kind or enum family_kind */
    enum family_unit unit;
    enum family_pods pods;
    const char *resource;          /* of families that name the resource in their own name; else NULL */
    const char *why;               /* FAMILY_REFUSED: what it really is */
    const struct family_label *labels;     /* of this family alone; they go before the common ones; ends with name NULL; NULL: none */
    struct {
        const char *label, *glob;  /* only series whose label matches are read, the others silently passed over; NULL: all */
    } only;
};

extern const struct family exporters_families[];           /* ends with name NULL; names differ */

/* Label names that every family may have; ends with name NULL; names differ. Of two labels with one role, that of the lower row counts. */
extern const struct family_label exporters_labels[];

/* The labels that tell one exporter target from another, in the order in which targets are compared; ends with NULL. */
extern const char *const exporters_target_labels[];

/* Kind and unit of a series of the family with these labels (indexed by role, empty: absent). False: the series is of no use, such as a
 * pod's cgroup, a second endpoint with the same numbers, or a resource that is neither GPU, CPU nor memory. */
bool exporters_meaning(const struct family *f, const struct span *roles, int *kind, enum family_unit *unit);

/* The number in integer units, exactly, rounded half to even. False: not a number, infinite, negative or beyond 2^63. Nearly all numbers
 * are whole and small: the others are exporters_round's. */
extern const uint32_t exporters_scale[];                   /* by unit: a unit's integer units */
bool exporters_round(double value, enum family_unit unit, uint64_t *out);
static inline bool exporters_value(double value, enum family_unit unit, uint64_t *out)
{
    if (value >= 0 && value < 8589934592.0 && (double)(int64_t)value == value) {       /* below 2^33, times at most 2^30 */
        *out = (uint64_t)(int64_t)value * exporters_scale[unit];
        return true;
    }
    return exporters_round(value, unit, out);
}

/* Appends a GPU's UUID in one form: what has the shape of one in lower case with "GPU-" in front, and without the suffix of a shared slot
 * ("::3", "/vgpu3"). */
void exporters_add_uuid(struct buf *b, struct span uuid);

/* The number at the end of a GPU's index, "0" of "nvidia0"; empty: none. */
struct span exporters_index(struct span text);

/* Whether a pod or container of that name is an exporter rather than a workload. */
bool exporters_is_exporter(struct span name);

/* Bits of enum node_sharing that a label of a node says; 0: none. */
uint32_t exporters_sharing(struct span label, struct span value);

#endif
