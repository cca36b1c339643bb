/* metrics: GPU and Kubernetes metrics of a period, from whichever transport, as an inventory and as windows of integer samples. */
#ifndef GPUTAB_SOURCE_METRICS_H
#define GPUTAB_SOURCE_METRICS_H

#include "gputab/base/diag.h"
#include "gputab/base/err.h"
#include "gputab/source/nodes.h"
#include "gputab/value/inventory.h"
#include "gputab/value/sample.h"

struct family;

/* How far servers have answered. */
struct metrics_progress {
    int64_t done_ms, total_ms;     /* of the time that is asked for, over all families */
    int64_t windows;               /* answered */
    int64_t samples;               /* received */
    int64_t elapsed_ms;
};

/* A cluster of the metrics under another name. */
struct cluster_name {
    const char *value;             /* of the cluster label */
    const char *name;
};

struct metrics_request {
    struct timespan period;
    int64_t max_gap_ms;                    /* samples up to this far beyond both ends of the period are loaded, nothing further */
    const char *const *pod_labels;         /* names as the rule writes them ("example.com/team"), NULL-terminated; others are dropped */
    const char *const *namespace_labels;   /* likewise */
    const char *const *node_labels;        /* likewise */
    const char *const *pod_annotations;    /* likewise; none: their series are not asked for, nor read */
    const char *const *namespace_annotations;
    const struct node_file *nodes;         /* NULL: none */
    const struct cluster_name *clusters;   /* ends with value NULL; NULL: none */
    const struct family *families;         /* a user's own, before the built-in ones; ends with name NULL, outlives them; NULL: none */
    bool gpus_only;                        /* of a server: nothing but GPUs is asked for */
    void (*progress)(void *ctx, const struct metrics_progress *p);         /* NULL: nobody looks; called while servers answer */
    void *progress_ctx;
    struct intern *names;
    struct diag *diag;
};

enum metrics_transport {           /* how a server is asked */
    METRICS_AUTO,                  /* remote read, where no further parameters are to be sent; a server that does not speak it: export, else
                                      the query API */
    METRICS_REMOTE_READ, METRICS_QUERY, METRICS_EXPORT
};
extern const char *const metrics_transports[];               /* their names, "auto" first; ends with NULL */

/* A further parameter of requests that are forms, such as dedup=true. */
struct metrics_param {
    const char *name, *value;
};

struct http_access;

/* One place where metrics are. Of file and url exactly one. Texts are borrowed for the call that opens it. */
struct metrics_source {
    const char *name;              /* the cluster of series without a cluster label; "" none */
    const char *cluster_label;     /* "cluster" */
    const char *file;              /* OpenMetrics text with time stamps (.gz, .zst by content; "-" is stdin) */
    const char *url;               /* of a server: the address before /api/v1/query */
    const struct http_access *access;      /* to the server */
    enum metrics_transport transport;
    const struct metrics_param *params;    /* ends with name NULL; NULL: none; not for remote read */
};

struct metrics;

/* Loads all sources, servers side by side, and fills *inv (initialised by the caller; borrowed until metrics_free), all but its pods. Of
 * files, labels, owners and provider ids are read from the whole file, of servers from a day before the samples on; samples from the
 * period and max_gap around it. What a server calls incomplete is W115. */
int metrics_open(struct metrics **out, const struct metrics_source *sources, size_t n, const struct metrics_request *req,
                 struct inventory *inv, struct err *e) GPUTAB_MUST_CHECK;

/* Fills w for the span: runs of samples in [span.from - max_gap, span.to + max_gap], cut to what was loaded, and of each series one
 * before, where that may still stand for a time in the span: of series that have ended by then, when it is w->interval_ms before the
 * span at most. The inventory gets the pods of the window. Both stay until the next call; strings and label sets that are new with it may
 * be released before that. Windows are asked for in the order of time, best each behind the last one; the one that reaches the end of the
 * period warns of what was dropped. */
int metrics_window(struct metrics *m, struct timespan span, struct sample_window *w, struct err *e) GPUTAB_MUST_CHECK;

/* What was opened, in the order of the sources. Texts live as long as m. */
struct metrics_opened {
    char *name;                    /* base name of the file, or the server's URL without user */
    const char *transport;         /* of a server, the one that was used in the end: "query"; NULL: a file */
    char *why;                     /* why not the first choice: "remote read: answers 404 Not Found"; NULL: it was */
};
size_t metrics_count(const struct metrics *m);
/* The families that were seen, one by one: `for (size_t at = 0; (f = metrics_seen(m, &at));)`. */
const struct family *metrics_seen(const struct metrics *m, size_t *at);
const struct metrics_opened *metrics_opened(const struct metrics *m, size_t i);
void metrics_free(struct metrics *m);                        /* NULL allowed */

#endif
