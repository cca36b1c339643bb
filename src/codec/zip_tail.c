/* zip_tail: the end record is found from the end of the file, behind it only a comment; it says where the directory lies, in archives of
 * more than 32 bits by way of a locator before it. */
#include "gputab/codec/zip_tail.h"

#include <string.h>

enum { END_ZONE = ZIP_END_BYTES + ZIP_TAIL_MAX };

struct place {
    uint64_t offset, n;
};

static int no_directory(const struct raw_input *raw, struct err *e)
{
    err_set(e, ERR_INPUT, "zip archive has no readable directory at its end");
    err_hint(e, "copy the file again; nothing of it was used");
    return err_at(e, raw->path, 0, 0);
}

/* Index of the end record in the file's last n bytes, or -1. */
static int64_t find_end(const uint8_t *p, size_t n)
{
    for (int64_t i = (int64_t)n - ZIP_END_BYTES; i >= 0; i--)
        if (zip_u32(p + i) == ZIP_END && (size_t)i + ZIP_END_BYTES + zip_u16(p + i + 20) == n)
            return i;
    return -1;
}

/* *out is replaced where the archive has records of 64 bits; end is the end record's offset. */
static int read_end_64(const struct raw_input *raw, int64_t end, struct place *out, struct err *e)
{
    uint8_t locator[ZIP_LOCATOR_64_BYTES], record[ZIP_END_64_BYTES];
    int64_t at;

    if (end < ZIP_LOCATOR_64_BYTES)
        return 0;
    if (raw_input_peek(raw, end - ZIP_LOCATOR_64_BYTES, locator, sizeof locator, e) < 0)
        return -1;
    if (zip_u32(locator) != ZIP_LOCATOR_64)
        return 0;
    at = (int64_t)zip_u64(locator + 8);
    if (at < 0 || at > end - ZIP_END_64_BYTES)
        return no_directory(raw, e);
    if (raw_input_peek(raw, at, record, sizeof record, e) < 0)
        return -1;
    if (zip_u32(record) != ZIP_END_64)
        return no_directory(raw, e);
    *out = (struct place){zip_u64(record + 48), zip_u64(record + 40)};
    return 0;
}

static int load_place(const struct raw_input *raw, struct place *out, int64_t size, struct buf *zone, struct err *e)
{
    size_t n = size < END_ZONE ? (size_t)size : END_ZONE;
    const uint8_t *record;
    int64_t i;

    buf_reserve(zone, n + 1);
    if (raw_input_peek(raw, size - (int64_t)n, zone->p, n, e) < 0)
        return -1;
    i = find_end((const uint8_t *)zone->p, n);
    if (i < 0)
        return no_directory(raw, e);
    record = (const uint8_t *)zone->p + i;
    *out = (struct place){zip_u32(record + 16), zip_u32(record + 12)};
    return read_end_64(raw, size - (int64_t)n + i, out, e);
}

static int load(struct zip_tail *t, const struct raw_input *raw, struct err *e)
{
    int64_t size = raw_input_size(raw);
    struct buf zone = {0};
    struct place place = {0};
    int rc = load_place(raw, &place, size, &zone, e);

    buf_free(&zone);
    if (rc < 0)
        return -1;
    if (place.n > ZIP_DIRECTORY_MAX || place.offset > (uint64_t)size || place.n > (uint64_t)size - place.offset)
        return no_directory(raw, e);
    buf_reserve(&t->directory, (size_t)place.n + 1);
    if (raw_input_peek(raw, (int64_t)place.offset, t->directory.p, (size_t)place.n, e) < 0)
        return -1;
    t->directory.n = (size_t)place.n;
    return 0;
}

int zip_tail_find(struct zip_tail *t, const struct raw_input *raw, uint64_t offset, struct zip_entry *out, struct err *e)
{
    const uint8_t *p;
    size_t n, length;

    if (t->directory.n == 0 && load(t, raw, e) < 0)
        return -1;
    p = (const uint8_t *)t->directory.p;
    for (n = t->directory.n; n >= ZIP_CENTRAL_BYTES && zip_u32(p) == ZIP_CENTRAL; p += length, n -= length) {
        *out = zip_central(p);
        length = ZIP_CENTRAL_BYTES + out->n_name + out->n_extra + out->n_comment;
        if (length > n)
            break;
        zip_entry_widen(out, p + ZIP_CENTRAL_BYTES + out->n_name);
        if (out->offset == offset)
            return 0;
    }
    return no_directory(raw, e);
}

void zip_tail_free(struct zip_tail *t)
{
    buf_free(&t->directory);
}
