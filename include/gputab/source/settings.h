/* settings: reads and checks a settings file, gputab-settings(5): where metrics and bills are, what clusters are called, and metric
 * families that are not built in. Every error has file, line, column and the nearest name. No secret stands in it: only the names of
 * files that hold them. Relative file names are relative to the folder of the settings file; here they are joined to it. */
#ifndef GPUTAB_SOURCE_SETTINGS_H
#define GPUTAB_SOURCE_SETTINGS_H

#include "gputab/base/arena.h"
#include "gputab/base/err.h"
#include "gputab/base/vec.h"
#include "gputab/source/exporters.h"
#include "gputab/source/metrics.h"

enum { SETTINGS_SOURCES = 100, SETTINGS_PARAMS = 100, SETTINGS_CLUSTERS = 1000, SETTINGS_FAMILIES = 100, SETTINGS_FILES = 1000 };

/* How to get into a server; NULL: not written. */
struct settings_access {
    const char *token_file, *user, *password_file, *sigv4_region;
    const char *ca_file, *cert_file, *key_file, *proxy_file, *headers_file, *tenant;
};

/* A source of metrics. NULL: not written. */
struct settings_source {
    const char *name;              /* the cluster of series that have no cluster label */
    const char *prometheus;        /* URL; of this and the next exactly one */
    const char *metrics;           /* file */
    const char *cluster_label;
    enum metrics_transport transport;
    const struct metrics_param *params;    /* ends with name NULL */
    struct settings_access access;
};

struct settings_output {
    const char *file;
    const char *format;            /* as written; NULL: that of the file's extension */
    int64_t line, column;          /* of the format, or of the file */
};

struct settings_paths {            /* grows by vec_push */
    const char **v;
    size_t n, cap;
};

struct settings {
    struct arena texts;
    const char *path;              /* NULL: no file was read */
    VEC(struct settings_source) sources;   /* names differ; all have one where there are several */
    VEC(struct cluster_name) clusters;     /* values differ; .v, where there is one, ends with value NULL, which n does not count */
    VEC(struct family) families;   /* names differ; .v likewise ends with name NULL */
    struct settings_paths billing; /* files and folders; they differ */
    struct settings_paths billing_maps;    /* files; they differ */
    struct settings_paths catalogues;      /* files; they differ */
    const char *nodes, *rule, *price_list;
    VEC(struct settings_output) outputs;   /* files differ */
};

/* *s is zeroed by the caller and released by settings_free, also after an error. */
int settings_read(const char *path, struct settings *s, struct err *e) GPUTAB_MUST_CHECK;
void settings_free(struct settings *s);

#endif
