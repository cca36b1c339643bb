/* unpack: bytes of a file or of stdin, decompressed when their content says gzip or zstd (the name is never asked).
 * Streams: memory is bounded whatever the input unpacks to. */
#ifndef GPUTAB_CODEC_UNPACK_H
#define GPUTAB_CODEC_UNPACK_H

#include <stddef.h>
#include <stdint.h>

#include "gputab/base/err.h"
#include "gputab/base/sha256.h"

struct unpack;

enum { UNPACK_SHA256 = 1 };                                  /* flag: hash the bytes as read, that is the packed ones */

/* path "-" is stdin. A missing file, a directory and a format that is recognised but not read (zip, Parquet, UTF-16 text, ...) are
 * errors (ERR_INPUT) that name the path; the latter by the first unpack_read. */
int unpack_open(struct unpack **out, const char *path, unsigned flags, struct err *e) GPUTAB_MUST_CHECK;

/* Fills p with n bytes (n <= 1 GiB); fewer only at the end, 0 behind it, -1 with *e set. Input that ends in the middle of packed data,
 * or goes on behind it with something else, is an error with the byte offset in the file. */
int unpack_read(struct unpack *u, void *p, size_t n, struct err *e) GPUTAB_MUST_CHECK;

/* Fills p with the first bytes (n <= 64) without taking them; before any unpack_read. Otherwise as that. */
int unpack_peek(struct unpack *u, void *p, size_t n, struct err *e) GPUTAB_MUST_CHECK;

/* After unpack_read returned 0, once, and only with UNPACK_SHA256. */
void unpack_hash(struct unpack *u, char hex[SHA256_HEX]);

void unpack_close(struct unpack *u);                         /* NULL allowed */

#endif
