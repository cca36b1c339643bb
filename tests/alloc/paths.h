/* paths: the ways of input through the program, each as a function that reads something and says what came of it. */
#ifndef GPUTAB_TESTS_PATHS_H
#define GPUTAB_TESTS_PATHS_H

#include "gputab/base/buf.h"
#include "gputab/base/err.h"

struct path {
    const char *name;
    /* Appends to out what was read. 0, or -1 with *e set. `argument` is a file of the tests' data, or a text. */
    int (*run)(const char *argument, struct buf *out, struct err *e);
    const char *argument;
};

extern const struct path alloc_paths[];                      /* ends with name NULL */

/* A folder of this run, for outputs and packed inputs. */
extern const char *alloc_folder;

#endif
