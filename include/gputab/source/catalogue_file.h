/* catalogue_file: a user's table of GPU models, instance types or MIG profiles, laid over the catalogue: the --catalogue file. */
#ifndef GPUTAB_SOURCE_CATALOGUE_FILE_H
#define GPUTAB_SOURCE_CATALOGUE_FILE_H

#include "gputab/base/err.h"
#include "gputab/value/catalogue.h"

enum { CATALOGUE_ROWS = 10000 };   /* of one file at most */

/* Adds the rows of one CSV file, in the columns of the built-in table that its header names. A row of something known changes what it says
 * and leaves what its empty cells don't; a model goes by its name, a profile by model and name, a type by name and region. The catalogue's
 * version and hash are new afterwards. -1 with ERR_INPUT, file, line and column; the catalogue is not to be used then. */
int catalogue_add_file(struct catalogue *c, const char *path, struct err *e) GPUTAB_MUST_CHECK;

#endif
