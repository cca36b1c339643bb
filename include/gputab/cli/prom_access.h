/* prom_access: how to get into a Prometheus server, from the settings or the environment and the files that they name; never from flags. */
#ifndef GPUTAB_CLI_PROM_ACCESS_H
#define GPUTAB_CLI_PROM_ACCESS_H

#include "gputab/base/arena.h"
#include "gputab/base/vec.h"
#include "gputab/codec/http.h"
#include "gputab/source/settings.h"

/* `struct prom_access a = {0};` is ready for prom_access_free. */
struct prom_access {
    struct http_access http;       /* texts live in the arena, the settings or the environment */
    const struct settings_access *settings;    /* what they say counts; NULL: the environment does */
    struct arena texts;
    VEC(const char *) headers;     /* ends with NULL */
};

/* By the keys of the source, where it has any of struct settings_access, else by GPUTAB_PROM_*, of which an empty one counts as none: a
 * token for one server must not reach another. The tenant is one more header. The source outlives a. No error shows a secret. */
int prom_access_read(struct prom_access *a, const struct settings_source *source, struct err *e) GPUTAB_MUST_CHECK;
void prom_access_free(struct prom_access *a);

#endif
