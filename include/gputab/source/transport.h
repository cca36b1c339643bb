/* transport: a way of asking a server for samples, as a table of what differs: the question, and the form of the answer. */
#ifndef GPUTAB_SOURCE_TRANSPORT_H
#define GPUTAB_SOURCE_TRANSPORT_H

#include "gputab/source/reply.h"

/* Samples of the families in (window.from, window.to], whole seconds. */
struct question {
    struct span families;          /* "A|B": a regular expression for the whole name */
    const char *present;           /* a label that series must have; NULL: none */
    struct timespan window;
    const struct metrics_param *params;    /* further parameters of requests that are forms; ends with name NULL; NULL: none */
};

/* What forms have in common: {__name__=~"A|B",present!=""}; name=seconds; the further parameters. */
void question_add_selector(struct buf *b, const struct question *q);
void question_add_seconds(struct buf *form, const char *name, time_ms t);
void question_add_params(struct buf *form, const struct question *q);

struct transport {
    const char *name;              /* "query" */
    const char *title, *form;      /* "the query API", "JSON" */
    const char *path;              /* behind the server's address */
    const char *content_type, *accept;     /* of the question and of its answer */
    const char *const *headers;    /* NULL: none */
    int64_t window_s;              /* of one question; a whole part of a day, or days */
    int64_t cap_bytes;             /* of one answer */
    bool raw;                      /* a content coding is part of the form */
    void (*add_body)(struct buf *b, const struct question *q);
    struct reply *(*open)(struct scrape *s, const struct scrape_origin *origin);
    void (*close)(struct reply *r);
    void (*begin)(struct reply *r, struct timespan window);  /* wanted is (from, to] */
    /* Of an answer with a good status, or any where text is read in its own way: whether its form is this transport's. */
    bool (*suits)(struct reply *r, int status, struct span content_type);
    int (*feed)(struct reply *r, const char *p, size_t n);   /* 0, or -1 with r->err set */
    int (*end)(struct reply *r);                             /* likewise: no more comes */
};

extern const struct transport transport_query;               /* the query API, everywhere */
extern const struct transport transport_remote_read;         /* Prometheus' remote read: prometheus and mimir */
extern const struct transport transport_export;              /* VictoriaMetrics' /api/v1/export */

#endif
