/* diag: warnings, counted per code, with the first few texts kept. Codes are "W201"; their meanings stand in gputab(1).
 * A diag never prints: cli/ shows it on stderr and the renderers put it into the report. */
#ifndef GPUTAB_BASE_DIAG_H
#define GPUTAB_BASE_DIAG_H

#include <stddef.h>
#include <stdint.h>

#include "gputab/base/err.h"
#include "gputab/base/intern.h"

enum { DIAG_TEXTS = 3 };

struct diag_item {
    char code[8];
    int64_t count;
    char *texts[DIAG_TEXTS];      /* the first ones, the smallest in byte order, sorted; owned */
    char *hint;                   /* next step, or NULL; owned */
};

struct diag {
    struct diag_item *items;      /* sorted by code */
    size_t n, cap;
    struct intern *said;          /* texts that diag_once has counted; owned */
};

/* Counts one warning. The smallest DIAG_TEXTS distinct texts (byte order) are kept, so that order of arrival never shows. */
void diag_add(struct diag *d, const char *code, const char *fmt, ...) GPUTAB_PRINTF(3, 4);
/* Likewise, but a text counts only the first time: for what is true of a thing, not of each of its hours. */
void diag_once(struct diag *d, const char *code, const char *fmt, ...) GPUTAB_PRINTF(3, 4);
void diag_hint(struct diag *d, const char *code, const char *fmt, ...) GPUTAB_PRINTF(3, 4);   /* first one stays */
const struct diag_item *diag_find(const struct diag *d, const char *code);
void diag_free(struct diag *d);

#endif
