/* inflate: deflate data unpacked in steps: gzip members with their check sums, or bare as in zip archives.
 * By libisal where gputab was built with it (GPUTAB_ISAL), which is some three times faster, else by zlib. */
#ifndef GPUTAB_CODEC_INFLATE_H
#define GPUTAB_CODEC_INFLATE_H

#include <stddef.h>
#include <stdint.h>

struct inflate;

enum inflate_kind { INFLATE_GZIP, INFLATE_BARE };

/* Both ends of a step: what is left to read and to fill. in may step back behind where it began, by up to 8 bytes that an earlier step
 * took from the bytes right before it: these must still be there. */
struct inflate_io {
    const uint8_t *in;
    size_t n_in;
    uint8_t *out;
    size_t n_out;
};

enum inflate_result {
    INFLATE_MORE,                  /* goes on: with more input when n_in is 0, with more room when n_out is 0 */
    INFLATE_END,                   /* the member or stream has ended, its check sum is right */
    INFLATE_DAMAGED,
    INFLATE_NO_MEMORY
};

struct inflate *inflate_new(enum inflate_kind kind);         /* NULL: no memory */
struct inflate *inflate_new_zlib(enum inflate_kind kind);    /* the reference that the other one must agree with */
void inflate_free(struct inflate *i);                        /* NULL allowed */
void inflate_again(struct inflate *i);                       /* for another member or stream */
enum inflate_result inflate_step(struct inflate *i, struct inflate_io *io);

/* CRC-32 as in gzip and zip: of bytes behind those that gave crc (0: of none). */
uint32_t inflate_crc(uint32_t crc, const void *p, size_t n);

#endif
