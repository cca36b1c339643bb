/* zip_tail: the directory at the end of a zip archive that is a file: for what the headers before the members leave open. */
#ifndef GPUTAB_CODEC_ZIP_TAIL_H
#define GPUTAB_CODEC_ZIP_TAIL_H

#include "gputab/base/buf.h"
#include "gputab/codec/raw_input.h"
#include "gputab/codec/zip_record.h"

enum { ZIP_DIRECTORY_MAX = 64 << 20 };

struct zip_tail {
    struct buf directory;          /* empty until it is asked */
};

/* What the directory says of the member whose local header lies at an offset. ERR_INPUT when nothing is said of it or there is none.
 * raw is a regular file. */
int zip_tail_find(struct zip_tail *t, const struct raw_input *raw, uint64_t offset, struct zip_entry *out, struct err *e) GPUTAB_MUST_CHECK;
void zip_tail_free(struct zip_tail *t);

#endif
