/* spill: records that need not stay in memory. They are appended, and read in the order of their adding from any record on.
 *
 * A small spill stays in memory. What is more goes to a file without a name in $TMPDIR (/tmp without one), and where no file can be
 * made or it has no more room, the rest stays in memory too: adding cannot fail. A reader that a disk gives nothing finds records of
 * zeros: whoever has read asks spill_check before the result counts. */
#ifndef GPUTAB_BASE_SPILL_H
#define GPUTAB_BASE_SPILL_H

#include <stdbool.h>
#include <stdint.h>

#include "gputab/base/buf.h"
#include "gputab/base/err.h"
#include "gputab/base/span.h"

struct spill;

struct spill *spill_new(void);
void spill_free(struct spill *s);                            /* NULL allowed */
uint64_t spill_end(const struct spill *s);                   /* where the next record will be */
void spill_add(struct spill *s, struct span record);         /* less than 4 GiB */
int spill_check(const struct spill *s, struct err *e) GPUTAB_MUST_CHECK;     /* -1: something could not be read back. ERR_INTERNAL */

struct spill_reader {              /* of the records from `at` to before `end` */
    struct spill *spill;           /* borrowed */
    uint64_t at, end;
    struct buf ahead;              /* bytes of the spill from `at` - `used` on */
    size_t used;
};

/* A reader before the record at `at`; several may read one spill. What is added later is not seen. */
struct spill_reader spill_read(struct spill *s, uint64_t at, uint64_t end);
bool spill_next(struct spill_reader *r, struct span *record);                /* false at the end; the record is valid until the next call */
void spill_reader_free(struct spill_reader *r);

#endif
