/* residency: samples become usage facts, one window (a UTC day or a part of one) at a time.
 *
 * It sweeps each node through the window from change to change, reads every device there (core/device), and integrates the claims into
 * facts; core/host does the same for CPU and memory. State between windows: the interval of each timeline's last day, and what each
 * target has shown so far. Pods and series may be others in every window (its generation says so); the rest of the inventory stays. */
#ifndef GPUTAB_CORE_RESIDENCY_H
#define GPUTAB_CORE_RESIDENCY_H

#include <stdbool.h>

#include "gputab/base/diag.h"
#include "gputab/core/owners.h"
#include "gputab/value/catalogue.h"
#include "gputab/value/inventory.h"
#include "gputab/value/rule.h"
#include "gputab/value/sample.h"
#include "gputab/value/usage.h"

/* Sorted instants at which facts of a node are cut, besides the hours. */
struct cuts {
    time_ms *v;
    size_t n;
};

struct residency_config {
    const struct rule *rule;
    const struct catalogue *catalogue;
    const struct inventory *inventory;
    const struct owners *owners;
    const struct cuts *cuts;       /* per inventory node */
    struct diag *diag;
};

struct residency;

/* Everything in the config is borrowed until residency_free. */
struct residency *residency_new(const struct residency_config *cfg);
/* Takes a window, borrowed until its last node is done. Windows come in time order. The inventory's pods and the owners must be those of
 * the window's generation; its series are borrowed until the next one's. */
void residency_begin(struct residency *r, const struct sample_window *w);
/* Adds the facts of the window's next node to *out: node by node, so that a large fleet's need not be there all at once. False: that was
 * the last one, and nothing was added. */
bool residency_next(struct residency *r, struct usage *out);
/* The longest interval of the window that a sample stands for when the next one is far: samples may stand so far into the next window. */
int64_t residency_interval(const struct residency *r);
/* That of a GPU's own samples on the day of the window; 0: it has none. */
int64_t residency_gpu_interval(const struct residency *r, uint32_t gpu);
/* Facts of windows before are gone, and with them the sets that they name. */
void residency_forget(struct residency *r);
void residency_free(struct residency *r);

#endif
