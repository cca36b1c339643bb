/* sweep: walks the GPUs of one node through one window, from change to change, and integrates their claims into facts.
 *
 * At each change the devices are read through the targets that stand (one target per kind of information: device memory, pod labels, a
 * sharing layer's pods, presence where nothing else stands; one with pod labels at all first, then label order), the node's context is
 * worked out (shared? who requests?), and the claims of each GPU are put together: a whole card, or its MIG instances weighted by slices
 * with the rest idle. Shares are rounded once, when the claims change, and then only multiplied by time: no cut of time shows in a sum. */
#ifndef GPUTAB_CORE_SWEEP_H
#define GPUTAB_CORE_SWEEP_H

#include "gputab/core/host.h"
#include "gputab/core/residency.h"
#include "gputab/core/timeline.h"
#include "gputab/value/sample_pack.h"

struct feed {                      /* one series of a line */
    const struct series *series;
    const struct sample_run *run;  /* in this window */
    struct sample_reader reader;
    struct stretch ahead;          /* samples behind the value at hand, as far as they are read; n 0: there are none */
    time_ms last;                  /* of the sample before them; TIME_MIN: none */
    size_t instant;                /* cursor: where theirs is looked for */
    bool has;                      /* a sample at the line's instant */
    uint64_t value;
    time_ms until;                 /* has and value hold until then */
    const struct feed *lead;       /* the one before it whose samples it repeats, as far as twin says; NULL: none */
    struct sample_twin twin;
};

enum line_shows { LINE_MEMORY = 1, LINE_LABELS = 2, LINE_LAYER = 4, LINE_PRESENT = 8, LINE_PRESENT_LABELS = 16 };

/* One target's view of one device, or of a node's capacity or GPU requests. That a device is present at all is a line of its own. */
struct line {
    uint32_t device, target;       /* device: NONE for the views of a node */
    unsigned shows;                /* of a device, bits of enum line_shows: of any of its series so far */
    VEC(uint32_t) series;          /* indices */
    VEC(struct feed) feeds;        /* those that have samples in this window, while its node is swept */
    VEC(uint32_t) speaking;        /* those that have one at the instant: indices of feeds */
    const struct timeline *timeline;       /* `own`, or for the views of a node the target's */
    struct timeline own;
    int64_t day_interval;          /* of the last day seen; 0: none yet */
    size_t first, cursor;          /* the first and last instant of those at hand, which follow each other without a gap */
    bool standing;
    unsigned taken;                /* bits of enum line_shows: what the device's reading has from this line */
    time_ms silent;                /* no other feed speaks until then */
    time_ms until;                 /* standing holds until then */
    time_ms next;                  /* the line changes then, not before; TIME_MAX: never */
};
struct lines {
    struct line *v;
    size_t n, cap;
};
struct line_range {                /* of lines, or of devices */
    size_t first, n;
};

struct node_view {
    uint32_t node;                 /* inventory index; NONE: GPUs whose node is unknown */
    VEC(uint32_t) gpus;            /* inventory indices of GPUs ever placed there */
    struct lines request_lines;    /* by target; requests of CPU and memory say that requests of the node are known */
    struct lines capacity_lines;   /* by target */
    struct host_node host;
};

struct sweep_window {
    const struct residency_config *cfg;
    struct timespan span;
    const struct series *series;   /* all of the generation */
    const struct sample_run *const *run_of_series;             /* or NULL; packed or not */
    const struct timeline *of_target;
    struct line *lines;
    const struct line_range *of_gpu;       /* per inventory gpu: its lines, sorted by device and target */
    const struct line_range *devices_of;   /* per inventory gpu: its inventory devices, whether they have lines or not */
    struct intern *candidate_sets; /* pod versions as bytes -> id of the set, for the whole run */
    struct usage *out;
};

void sweep_node(const struct sweep_window *w, struct node_view *view);
void line_free(struct line *line);
void node_view_free(struct node_view *view);

#endif
