/* prom_access: how to get into a Prometheus server, from the environment, the settings and the files that they
 * name; never from flags. */
#ifndef GPUTAB_CLI_PROM_ACCESS_H
#define GPUTAB_CLI_PROM_ACCESS_H

#include "gputab/base/arena.h"
#include "gputab/base/vec.h"
#include "gputab/codec/http.h"
#include "gputab/source/settings.h"

/* `struct prom_access a = {0};` is ready for prom_access_free. */
struct prom_access {
    struct http_access http;       /* texts live in the arena, the settings or the environment */
    struct arena texts;
    VEC(const char *) headers;     /* ends with NULL */
};

/* Reads GPUTAB_PROM_*, for a server with a name (NULL: it has none) GPUTAB_PROM_NAME_* before them, and the keys of the settings before
 * both (NULL: none). Each group of them, such as user and password, comes from one place as a whole. Small letters of the name stand
 * for capitals, and what is neither letter nor digit for a _. An empty variable counts as none. keys outlives a. No error shows a
 * secret. */
int prom_access_read(struct prom_access *a, const char *server, const struct settings_access *keys, struct err *e) GPUTAB_MUST_CHECK;
void prom_access_free(struct prom_access *a);

#endif
