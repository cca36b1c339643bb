/* sha256: SHA-256 by libcrypto, as lower-case hex. */
#ifndef GPUTAB_BASE_SHA256_H
#define GPUTAB_BASE_SHA256_H

#include <stddef.h>

struct sha256;
enum { SHA256_HEX = 65 };                                    /* with the NUL */

struct sha256 *sha256_new(void);
void sha256_add(struct sha256 *h, const void *p, size_t n);
void sha256_end(struct sha256 *h, char hex[SHA256_HEX]);     /* frees h */
void sha256_free(struct sha256 *h);                          /* without an end; NULL allowed */

#endif
