/* settings_find: which settings file is taken, and why. The first one wins: that of --config; that of $GPUTAB_CONFIG (set and empty:
 * none at all); gputab.yaml in the working folder; gputab/gputab.yaml in $XDG_CONFIG_HOME, or in ~/.config where that is not set;
 * /etc/gputab/gputab.yaml. One that is named must be there; of the others the first that exists is taken, whatever is in it. */
#ifndef GPUTAB_CLI_SETTINGS_FIND_H
#define GPUTAB_CLI_SETTINGS_FIND_H

#include "gputab/base/buf.h"
#include "gputab/base/err.h"
#include "gputab/base/vec.h"

/* `struct settings_find f = {0};` is ready for settings_find_free. */
struct settings_find {
    char *path;                    /* NULL: none is taken */
    const char *why;               /* "in this folder"; NULL: none is taken because none was found */
    VEC(char *) missed;            /* where it was looked for before, in that order */
};

/* config: the value of --config, or NULL. */
int settings_find(struct settings_find *f, const char *config, struct err *e) GPUTAB_MUST_CHECK;
void settings_find_free(struct settings_find *f);

/* "settings from gputab.yaml: in this folder" or "no settings; looked for A, B, C" */
void settings_find_add_text(struct buf *b, const struct settings_find *f);

#endif
