/* unpack: text out of a file or of stdin, unpacked when its content says gzip, zstd or zip (the name is never asked), and as UTF-8 when
 * a byte order mark says UTF-16. Streams: memory is bounded whatever the input unpacks to.
 *
 * What is packed and long is unpacked on a thread of its own, ahead of who reads; what is plain and long is read on one where the process
 * may use a second core. Long input is hashed on another one. */
#ifndef GPUTAB_CODEC_UNPACK_H
#define GPUTAB_CODEC_UNPACK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "gputab/base/err.h"
#include "gputab/base/sha256.h"
#include "gputab/codec/raw_input.h"

struct unpack;

enum {
    UNPACK_SHA256 = 1,             /* flag: hash the bytes as read, that is the packed ones */
    UNPACK_MEMBERS = 2             /* flag: all files of a zip archive, by unpack_next; else one with several is an error */
};

/* path "-" is stdin. A missing file, a directory and a format that is recognised but not read (Parquet, xz, ...) are errors (ERR_INPUT)
 * that name the path; the latter by the first unpack_read. */
int unpack_open(struct unpack **out, const char *path, unsigned flags, struct err *e) GPUTAB_MUST_CHECK;
struct unpack *unpack_over(raw_fill fill, void *from, const char *name, unsigned flags);       /* out of a function, as from a pipe */

/* Before anything is read: files of a zip archive whose name `skips` is true for are passed over. Its folders always are, and what macOS
 * adds under __MACOSX/. */
void unpack_skip(struct unpack *u, bool (*skips)(const char *name));

/* The first or next text, when the one before was read to its end: 1, 0 behind the last one, -1 with *e set. Only a zip archive has more
 * than one. Without UNPACK_MEMBERS nobody needs to call it. */
int unpack_next(struct unpack *u, struct err *e) GPUTAB_MUST_CHECK;
const char *unpack_member(const struct unpack *u);           /* name in the archive, NULL outside of one; valid until unpack_next */

/* Fills p with n bytes (n <= 1 GiB); fewer only at the end of a text, 0 behind it, -1 with *e set. Input that ends in the middle of packed
 * data, or goes on behind it with something else, is an error with the byte offset in the file. */
int unpack_read(struct unpack *u, void *p, size_t n, struct err *e) GPUTAB_MUST_CHECK;
/* The same without a copy, of more than a MiB: see ahead_lend. */
int unpack_lend(struct unpack *u, char **p, struct err *e) GPUTAB_MUST_CHECK;
int64_t unpack_offset(const struct unpack *u);               /* bytes of the text that were read */

/* When all was read, once, and only with UNPACK_SHA256. */
void unpack_hash(struct unpack *u, char hex[SHA256_HEX]);

void unpack_close(struct unpack *u);                         /* at any time; NULL allowed */

#endif
