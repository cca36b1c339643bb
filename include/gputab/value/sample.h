/* sample: numbers in integers at instants, and the series they belong to. Nothing above source/ knows an exporter's name. */
#ifndef GPUTAB_VALUE_SAMPLE_H
#define GPUTAB_VALUE_SAMPLE_H

#include <stddef.h>
#include <stdint.h>

#include "gputab/base/span.h"
#include "gputab/base/vec.h"
#include "gputab/value/inventory.h"
#include "gputab/value/timespan.h"

/* What a series' value means. Units of the integers stand behind. */
enum sample_kind {
    /* of a device: bytes */
    SAMPLE_USED,                   /* framebuffer in use; with a pod: the pod's own value, or a copy of the device's (core decides) */
    SAMPLE_FREE, SAMPLE_TOTAL, SAMPLE_RESERVED,
    SAMPLE_PRESENT,                /* no number: the device is there, held by the pod that it names; counts while nothing tells of memory */
    SAMPLE_LAYER_USED,             /* a sharing layer's own accounting (HAMi, KAI): always with a pod */
    SAMPLE_LAYER_PROCESS,          /* likewise, per process: values of one pod and container add up */
    SAMPLE_PROCESS_USED,           /* per process: values of one pod and container add up; without a pod: a part of what the device uses */
    /* of a node */
    SAMPLE_CAPACITY_GPU,           /* 10^-6 GPUs: any GPU or MIG resource */
    SAMPLE_CAPACITY_GPU_SHARED,    /* 10^-6: nvidia_com_gpu_shared */
    /* of a pod on a node */
    SAMPLE_REQUEST_GPU,            /* 10^-6 GPUs: any GPU or MIG resource */
    SAMPLE_REQUEST_GPU_SHARED,     /* 10^-6 */
    SAMPLE_REQUEST_CPU,            /* nanocores */
    SAMPLE_REQUEST_MEMORY,         /* bytes */
    SAMPLE_CPU,                    /* counter: nanoseconds */
    SAMPLE_MEMORY,                 /* bytes */
    SAMPLE_KINDS
};

struct series {
    enum sample_kind kind;
    uint32_t target;               /* index into inventory.targets */
    uint32_t device;               /* index; NONE for node and pod kinds */
    uint32_t node;                 /* index, for node and pod kinds (NONE: use the pod's node over time); NONE for device kinds */
    uint32_t pod;                  /* index into inventory.pods; NONE: no pod labels */
    uint32_t container;            /* string id; 0 none */
    uint32_t slot;                 /* string id that tells series of one pod and container apart (vgpu, cgroup id, pid); 0 none */
};

struct sample {
    time_ms time;
    uint64_t value;
};
struct samples {                   /* `= {0}` is ready; vec_push, vec_clear and vec_free apply */
    struct sample *v;
    size_t n, cap;
};

/* Samples of one series inside a window: sorted by time, times distinct, borrowed until the next window. There are many in a window of a
 * large fleet, so that they are packed until somebody wants to see them: see sample_pack_read_run. */
struct sample_run {
    uint32_t series;               /* index into sample_window.series */
    const struct sample *v;        /* NULL: packed */
    size_t n;                      /* at least 1 */
    struct span packed;            /* blocks of sample_pack */
};

struct sample_window {
    struct timespan span;          /* what is to be integrated; the runs reach up to gpu.max_gap beyond both ends, where the source has them,
                                      and one sample further back inside the period where samples are further apart than that */
    uint32_t generation;           /* counts up when inventory.pods or series are others than in the window before; from 1 */
    int64_t interval_ms;           /* the longest interval of the window before, filled in by who asks for this one; 0: none was */
    const struct series *series;   /* all series of the generation, in canonical order */
    size_t n_series;
    VEC(struct sample_run) runs;   /* those with samples, in the order of series */
};

#endif
