/* unzip: the members of a zip archive one after the other, as they lie in it: stored or deflated, with sizes before or behind them, of any
 * length (zip64). Check sums and sizes are verified, and at the end the directory: what it lists is what was there.
 * Memory does not grow with members, but for 40 bytes each; there may be UNZIP_MEMBERS_MAX. */
#ifndef GPUTAB_CODEC_UNZIP_H
#define GPUTAB_CODEC_UNZIP_H

#include <stdbool.h>
#include <stddef.h>

#include "gputab/base/err.h"
#include "gputab/codec/raw_input.h"

struct unzip;
enum { UNZIP_MEMBERS_MAX = 100000 };

/* Passed over are folders, what macOS adds under __MACOSX/, and members whose name `skips` (or NULL) is true for. raw is borrowed; its next
 * bytes are the archive's first ones. */
struct unzip *unzip_new(struct raw_input *raw, bool (*skips)(const char *name));
void unzip_free(struct unzip *z);                            /* NULL allowed */

/* The next member, when the one before was read to its end: 1; 0 when there is none and the rest of the archive is right; -1 with *e set
 * (ERR_INPUT), as for members that are encrypted or packed in another way. */
int unzip_next(struct unzip *z, struct err *e) GPUTAB_MUST_CHECK;
const char *unzip_name(const struct unzip *z);               /* of the member; valid until the next one */

/* Up to n bytes of the member; 0 says nothing. *end is set with its last ones or behind them. */
int unzip_read(struct unzip *z, uint8_t *out, size_t n, bool *end, struct err *e) GPUTAB_MUST_CHECK;

#endif
