/* packed: numbers and texts in as few bytes as they need, one behind the other; read back in the same order. */
#ifndef GPUTAB_BASE_PACKED_H
#define GPUTAB_BASE_PACKED_H

#include <stdint.h>

#include "gputab/base/buf.h"
#include "gputab/base/span.h"

__extension__ typedef __int128 packed_signed;
__extension__ typedef unsigned __int128 packed_number;

void packed_add_number(struct buf *b, packed_number n);      /* a byte for each 7 bits, at least one */
void packed_add_signed(struct buf *b, packed_signed n);
void packed_add_text(struct buf *b, struct span s);          /* any bytes */

/* Take what was added from the front of *rest. Behind the end (of bytes that a disk did not give back) there are zeros and empty texts. */
packed_number packed_take_number(struct span *rest);
packed_signed packed_take_signed(struct span *rest);
struct span packed_take_text(struct span *rest);             /* borrowed; NUL-terminated behind n */

#endif
