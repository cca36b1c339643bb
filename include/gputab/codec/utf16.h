/* utf16: UTF-16 text as UTF-8, in pieces cut anywhere. */
#ifndef GPUTAB_CODEC_UTF16_H
#define GPUTAB_CODEC_UTF16_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "gputab/base/err.h"

enum { UTF16_UTF8_MAX = 3 };       /* bytes of UTF-8 for every two of UTF-16, at most */

struct utf16 {
    bool big;                      /* the higher byte comes first */
    int64_t offset;                /* of the next byte in the text: counts the byte order mark when it begins with 2 */
    /* its own */
    bool has_byte;
    uint8_t byte;                  /* the first one of a unit */
    uint16_t high;                 /* the first half of a pair, or 0 */
};

/* Adds what n bytes make to out, which has room for UTF16_UTF8_MAX times (n + 1) / 2: the count, or -1 with *e set (ERR_INPUT) for half a
 * pair; the place is the caller's. */
int utf16_add(struct utf16 *u, const uint8_t *p, size_t n, uint8_t *out, struct err *e) GPUTAB_MUST_CHECK;
/* At the end of the text, which may not be in the middle of a character. */
int utf16_end(const struct utf16 *u, struct err *e) GPUTAB_MUST_CHECK;

#endif
