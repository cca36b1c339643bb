/* zip_record: the records of a zip archive as numbers (PKWARE's APPNOTE 6.3, sections 4.3 to 4.5). Pure functions over bytes. */
#ifndef GPUTAB_CODEC_ZIP_RECORD_H
#define GPUTAB_CODEC_ZIP_RECORD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum zip_signature {
    ZIP_LOCAL = 0x04034b50,
    ZIP_CENTRAL = 0x02014b50,
    ZIP_END = 0x06054b50,
    ZIP_END_64 = 0x06064b50,
    ZIP_LOCATOR_64 = 0x07064b50,
    ZIP_DESCRIPTOR = 0x08074b50,
    ZIP_DIGEST = 0x05054b50
};

enum {
    ZIP_LOCAL_BYTES = 30, ZIP_CENTRAL_BYTES = 46, ZIP_END_BYTES = 22, ZIP_END_64_BYTES = 56, ZIP_LOCATOR_64_BYTES = 20,
    ZIP_DESCRIPTOR_MAX = 24,
    ZIP_TAIL_MAX = 0xffff          /* bytes of a name, an extra field or a comment */
};

enum { ZIP_STORED = 0, ZIP_DEFLATED = 8 };                   /* methods */
enum { ZIP_ENCRYPTED = 1, ZIP_DESCRIBED = 8 };               /* flags: a descriptor with sizes and check sum follows the data */

/* A member, as its local header or its line in the directory says. */
struct zip_entry {
    unsigned flags, method;
    uint32_t crc;
    uint64_t packed, unpacked;     /* bytes */
    uint64_t offset;               /* of the local header; only in the directory */
    size_t n_name, n_extra, n_comment;                       /* bytes that follow, in this order; no comment in a local header */
};

uint16_t zip_u16(const uint8_t *p);
uint32_t zip_u32(const uint8_t *p);
uint64_t zip_u64(const uint8_t *p);

struct zip_entry zip_local(const uint8_t p[ZIP_LOCAL_BYTES]);
struct zip_entry zip_central(const uint8_t p[ZIP_CENTRAL_BYTES]);
/* Sizes and offset of more than 32 bits stand in the extra field; entry's numbers are replaced where they say so. */
void zip_entry_widen(struct zip_entry *entry, const uint8_t *extra);

/* Length of the descriptor at p (n bytes, at least 12) that says crc, packed and unpacked; 0: none of its four forms does. Numbers of 32
 * bits are what is left of larger ones, as some writers have it. */
size_t zip_descriptor(const uint8_t *p, size_t n, uint32_t crc, uint64_t packed, uint64_t unpacked);

const char *zip_method_name(unsigned method);                /* NULL: not a common one */

#endif
