/* python_repr: Python's spelling of lists, dicts and scalars, as JSON. Scripts that write such values into a CSV cell leave them in it. */
#ifndef GPUTAB_CODEC_PYTHON_REPR_H
#define GPUTAB_CODEC_PYTHON_REPR_H

#include <stdbool.h>

#include "gputab/base/buf.h"
#include "gputab/base/span.h"

/* The first quote is a single one, as in no JSON. */
bool python_repr_looks(struct span text);

/* Appends the text with JSON's quotes and words. What is no such value comes out as no JSON, which its reader will say. */
void python_repr_add_json(struct buf *b, struct span text);

#endif
