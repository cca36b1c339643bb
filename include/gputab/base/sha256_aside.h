/* sha256_aside: SHA-256 of bytes in passing, on a thread of its own when they are many: hashing is slower than reading.
 * One thread adds at a time. */
#ifndef GPUTAB_BASE_SHA256_ASIDE_H
#define GPUTAB_BASE_SHA256_ASIDE_H

#include <stddef.h>

#include "gputab/base/sha256.h"

struct sha256_aside;
enum { SHA256_ASIDE_INLINE = 1 << 20 };                      /* bytes that are hashed at once, without a thread */

struct sha256_aside *sha256_aside_new(void);
void sha256_aside_add(struct sha256_aside *h, const void *p, size_t n);            /* p is free afterwards */
void sha256_aside_end(struct sha256_aside *h, char hex[SHA256_HEX]);               /* waits for the thread; frees h */
void sha256_aside_free(struct sha256_aside *h);                                    /* without an end; NULL allowed */

#endif
