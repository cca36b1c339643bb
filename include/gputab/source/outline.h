/* outline: what stays the same through a run, out of a whole scrape: nodes, GPUs, exporters and namespaces, without the pods that come and
 * go on them. Its size is that of the clusters, however long the run. */
#ifndef GPUTAB_SOURCE_OUTLINE_H
#define GPUTAB_SOURCE_OUTLINE_H

#include "gputab/source/replay.h"
#include "gputab/value/inventory.h"

/* Fills r, which is initialised with all of time as its reach, and finishes it. Series there are
 * - of nodes, namespaces and GPU records: as they are;
 * - of GPU memory: without the pods whose it is, so that many series are one, whose samples are found by outline_key alone;
 * - kube_pod_info of the pods that export GPU memory;
 * - of all else: one by kind, target and node, without samples. */
int outline_read(struct replay *r, struct err *e) GPUTAB_MUST_CHECK;

/* The key, in an outline, of what GPU series (or series of pods) have in common; *mask: the roles that it keeps. */
struct fingerprint outline_key(const struct scrape *s, const struct scrape_labels *labels, uint64_t *mask);

/* Whether the kind stands in an outline as it is. */
bool outline_keeps(int kind);

#endif
