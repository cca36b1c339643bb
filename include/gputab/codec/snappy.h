/* snappy: blocks of the snappy format, without the framing of its streams. */
#ifndef GPUTAB_CODEC_SNAPPY_H
#define GPUTAB_CODEC_SNAPPY_H

#include <stdbool.h>
#include <stddef.h>

#include "gputab/base/buf.h"
#include "gputab/base/err.h"
#include "gputab/base/span.h"

/* Appends what the block holds to *out. Errors (ERR_INPUT): more than max bytes in it, and everything that is no block; *cut (NULL
 * allowed) says that the block ends too early and is right as far as it goes. What *out held stays, behind it may stand some bytes. */
int snappy_decode(struct span block, size_t max, struct buf *out, bool *cut, struct err *e) GPUTAB_MUST_CHECK;

/* Appends a block that holds the bytes (below 4 GiB) as they are: valid, and not smaller. */
void snappy_add_literal(struct buf *b, struct span bytes);

#endif
