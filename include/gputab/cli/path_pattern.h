/* path_pattern: paths of files of which there is one for each value of a key: 'out/{month}-{team}.xlsx'. */
#ifndef GPUTAB_CLI_PATH_PATTERN_H
#define GPUTAB_CLI_PATH_PATTERN_H

#include <stdbool.h>

#include "gputab/base/buf.h"
#include "gputab/base/err.h"
#include "gputab/base/intern.h"
#include "gputab/value/timespan.h"

struct path_words {
    const char *key;               /* the name of a placeholder: "team", */
    const char *value;             /* and what it stands for, a name for files */
    struct timespan period;        /* {month}, {from}, {to} */
};

/* Whether the pattern has the key's placeholder: 1 or 0. -1: it has one that means nothing, or {month} where the period is no month. value
 * is not looked at. ERR_USAGE. */
int path_pattern_check(const char *pattern, const struct path_words *words, struct err *e) GPUTAB_MUST_CHECK;
/* A pattern without faults. */
void path_pattern_add(struct buf *b, const char *pattern, const struct path_words *words);

/* A value as a part of a file's name on any system: no separators, control characters or blanks, no name with a meaning, not too long. */
void path_safe_name(struct buf *b, const char *value);

/* The same, but no name that `taken` has, in capitals or small letters; it is added. */
void path_own_name(struct buf *b, const char *value, struct intern *taken);

#endif
