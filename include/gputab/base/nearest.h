/* nearest: the known name that a mistyped word most likely meant. ASCII letters are compared without case.
 * `struct nearest n = nearest_to(word); nearest_try(&n, name) for every name; n.name` is the best one near enough, or NULL. */
#ifndef GPUTAB_BASE_NEAREST_H
#define GPUTAB_BASE_NEAREST_H

#include <stddef.h>

#include "gputab/base/span.h"

struct nearest {
    struct span word;
    const char *name;              /* borrowed from the caller of nearest_try */
    size_t distance;               /* of name */
};

struct nearest nearest_to(const char *word);
/* Near enough: an edit distance (a swap of neighbours counts one) of at most a third of the longer of the two. First best stays. */
void nearest_try(struct nearest *n, const char *name);

#endif
