/* splits: a comparison of split methods as people read it: a line per method, and a column per method. */
#ifndef GPUTAB_RENDER_SPLITS_H
#define GPUTAB_RENDER_SPLITS_H

#include "gputab/render/ink.h"
#include "gputab/value/report.h"

void splits_print(struct ink *k, const struct report *r);

#endif
