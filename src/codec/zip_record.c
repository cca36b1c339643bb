/* zip_record: little-endian numbers at fixed places, and the extra field of zip64. */
#include "gputab/codec/zip_record.h"

enum { EXTRA_64 = 1 };

uint16_t zip_u16(const uint8_t *p)
{
    return (uint16_t)(p[0] | p[1] << 8);
}

uint32_t zip_u32(const uint8_t *p)
{
    return zip_u16(p) | (uint32_t)zip_u16(p + 2) << 16;
}

uint64_t zip_u64(const uint8_t *p)
{
    return zip_u32(p) | (uint64_t)zip_u32(p + 4) << 32;
}

/* Method, check sum and sizes lie alike in both headers. */
static struct zip_entry common(const uint8_t *flags)
{
    return (struct zip_entry){.flags = zip_u16(flags), .method = zip_u16(flags + 2), .crc = zip_u32(flags + 8),
                              .packed = zip_u32(flags + 12), .unpacked = zip_u32(flags + 16), .n_name = zip_u16(flags + 20),
                              .n_extra = zip_u16(flags + 22)};
}

struct zip_entry zip_local(const uint8_t p[ZIP_LOCAL_BYTES])
{
    return common(p + 6);
}

struct zip_entry zip_central(const uint8_t p[ZIP_CENTRAL_BYTES])
{
    struct zip_entry out = common(p + 8);

    out.n_comment = zip_u16(p + 32);
    out.offset = zip_u32(p + 42);
    return out;
}

/* The part of an extra field with an id, of *n bytes; NULL: there is none. */
static const uint8_t *find_extra(const uint8_t *p, size_t n_extra, unsigned id, size_t *n)
{
    while (n_extra >= 4) {
        *n = zip_u16(p + 2);
        if (*n > n_extra - 4)
            return NULL;
        if (zip_u16(p) == id)
            return p + 4;
        p += 4 + *n;
        n_extra -= 4 + *n;
    }
    return NULL;
}

void zip_entry_widen(struct zip_entry *entry, const uint8_t *extra)
{
    uint64_t *fields[] = {&entry->unpacked, &entry->packed, &entry->offset};
    size_t n = 0;
    const uint8_t *p = find_extra(extra, entry->n_extra, EXTRA_64, &n);

    for (int i = 0; p && i < 3; i++)
        if (*fields[i] == UINT32_MAX && n >= 8) {
            *fields[i] = zip_u64(p);
            p += 8;
            n -= 8;
        }
}

/* With a signature or without, sizes of 8 bytes or of 4. The longer ones first: a short one never looks like them, since a record with a
 * signature comes next. */
size_t zip_descriptor(const uint8_t *p, size_t n, uint32_t crc, uint64_t packed, uint64_t unpacked)
{
    static const struct { size_t before, size; } forms[] = {{4, 8}, {0, 8}, {4, 4}, {0, 4}};

    for (int i = 0; i < 4; i++) {
        size_t before = forms[i].before, size = forms[i].size, length = before + 4 + 2 * size;
        const uint8_t *at = p + before, *sizes = at + 4;

        if (n < length || (before && zip_u32(p) != ZIP_DESCRIPTOR) || zip_u32(at) != crc)
            continue;
        if (size == 8 ? zip_u64(sizes) == packed && zip_u64(sizes + 8) == unpacked
                      : zip_u32(sizes) == (uint32_t)packed && zip_u32(sizes + 4) == (uint32_t)unpacked)
            return length;
    }
    return 0;
}

const char *zip_method_name(unsigned method)
{
    static const struct { unsigned method; const char *name; } names[] = {
        {1, "Shrink"}, {6, "Implode"}, {9, "Deflate64"}, {12, "bzip2"}, {14, "LZMA"}, {20, "zstd"}, {93, "zstd"}, {95, "xz"},
        {98, "PPMd"}, {99, "AES encryption"},
    };

    for (unsigned i = 0; i < sizeof names / sizeof *names; i++)
        if (names[i].method == method)
            return names[i].name;
    return NULL;
}
