/* metrics: GPU and Kubernetes metrics of a period, from whichever transport, as an inventory and as windows of integer samples. */
#ifndef GPUTAB_SOURCE_METRICS_H
#define GPUTAB_SOURCE_METRICS_H

#include "gputab/base/diag.h"
#include "gputab/base/err.h"
#include "gputab/source/nodes.h"
#include "gputab/value/inventory.h"
#include "gputab/value/sample.h"

struct family;

struct metrics_request {
    struct timespan period;
    int64_t max_gap_ms;                    /* samples up to this far beyond both ends of the period are loaded, nothing further */
    const char *cluster_label;             /* "cluster" */
    const char *const *pod_labels;         /* label names as the rule writes them ("example.com/team"), NULL-terminated; others are dropped */
    const char *const *namespace_labels;   /* likewise */
    const struct node_file *nodes;         /* NULL: none */
    const struct family *families;         /* a user's own, before the built-in ones; ends with name NULL; NULL: none; outlives the metrics */
    bool gpus_only;                        /* of a server: nothing but GPU memory is asked for */
    struct intern *names;
    struct diag *diag;
};

struct metrics;
struct http_access;

/* Loads an OpenMetrics text file with time stamps (.gz, .zst by content; "-" is stdin) and fills *inv (initialised by the caller).
 * Labels, owners and provider ids are read from the whole file, samples from the period and max_gap around it. */
int metrics_open_file(struct metrics **out, const char *path, const struct metrics_request *req, struct inventory *inv,
                      struct err *e) GPUTAB_MUST_CHECK;

/* The same from a server's query API, at the address before /api/v1/query. Labels, owners and provider ids are looked for from a day
 * before the samples on. What the server calls incomplete is W115. */
int metrics_open_prometheus(struct metrics **out, const char *url, const struct http_access *access, const struct metrics_request *req,
                            struct inventory *inv, struct err *e) GPUTAB_MUST_CHECK;

/* Fills w for the span: runs of samples in [span.from - max_gap, span.to + max_gap], cut to what was loaded. The runs stay valid until
 * the next call. Windows are asked for in time order. */
int metrics_window(struct metrics *m, struct timespan span, struct sample_window *w, struct err *e) GPUTAB_MUST_CHECK;

const char *metrics_source_name(const struct metrics *m);    /* base name of the file, or the server's URL without user */
void metrics_free(struct metrics *m);                        /* NULL allowed */

#endif
