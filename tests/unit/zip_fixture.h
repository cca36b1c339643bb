/* zip_fixture: zip archives written by hand, in the forms that real programs give them. */
#ifndef GPUTAB_TESTS_ZIP_FIXTURE_H
#define GPUTAB_TESTS_ZIP_FIXTURE_H

#include <check.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>
#include <zlib.h>

#include "gputab/base/buf.h"
#include "gputab/base/vec.h"

enum zip_behind {                  /* sizes and check sum behind the data, and how */
    ZIP_BEFORE,                    /* not at all: they stand before it */
    ZIP_BEHIND_SIGNED, ZIP_BEHIND_UNSIGNED, ZIP_BEHIND_SIGNED_64, ZIP_BEHIND_UNSIGNED_64
};

struct zip_form {
    bool stored;
    bool wide;                     /* sizes in a zip64 extra field */
    enum zip_behind behind;
    unsigned flags, method;        /* to add to, and instead of the right ones, when not 0 */
};

struct zip_line {
    uint64_t offset, packed, unpacked;
    uint32_t crc;
    struct zip_form form;
    char name[64];
};

struct zip_made {
    struct buf bytes;
    VEC(struct zip_line) lines;
};

static inline void zip_put(struct buf *b, uint64_t v, int bytes)
{
    for (int i = 0; i < bytes; i++)
        buf_addc(b, (char)(v >> (8 * i) & 0xff));
}

static inline uint64_t zip_add_data(struct buf *b, const char *p, size_t n, bool stored)
{
    z_stream z = {0};
    size_t room = n + 1024;

    if (stored) {
        buf_add(b, p, n);
        return n;
    }
    ck_assert_int_eq(deflateInit2(&z, 6, Z_DEFLATED, -15, 8, Z_DEFAULT_STRATEGY), Z_OK);
    buf_reserve(b, room);
    z.next_in = (Bytef *)(uintptr_t)p;
    z.avail_in = (uInt)n;
    z.next_out = (Bytef *)(b->p + b->n);
    z.avail_out = (uInt)room;
    ck_assert_int_eq(deflate(&z, Z_FINISH), Z_STREAM_END);
    b->n += z.total_out;
    deflateEnd(&z);
    return z.total_out;
}

/* Version to flags, method, time; then check sum and sizes, and lengths of name and extra field. */
static inline void zip_put_head(struct buf *b, const struct zip_line *l, bool central)
{
    bool open = l->form.behind != ZIP_BEFORE && !central, wide = l->form.wide;
    unsigned method = l->form.method ? l->form.method : l->form.stored ? 0 : 8;

    zip_put(b, wide ? 45 : 20, 2);
    zip_put(b, (l->form.behind != ZIP_BEFORE ? 8 : 0) | l->form.flags, 2);
    zip_put(b, method, 2);
    zip_put(b, 0x5a215a21, 4);
    zip_put(b, open ? 0 : l->crc, 4);
    zip_put(b, wide ? UINT32_MAX : open ? 0 : l->packed, 4);
    zip_put(b, wide ? UINT32_MAX : open ? 0 : l->unpacked, 4);
    zip_put(b, strlen(l->name), 2);
    zip_put(b, (wide ? 20 : 0) + 5, 2);
}

/* An extra field of an unknown kind, then that of zip64. */
static inline void zip_put_extra(struct buf *b, const struct zip_line *l, bool central)
{
    bool open = l->form.behind != ZIP_BEFORE && !central;

    zip_put(b, 0x7777, 2);
    zip_put(b, 1, 2);
    zip_put(b, 0, 1);
    if (!l->form.wide)
        return;
    zip_put(b, 1, 2);
    zip_put(b, 16, 2);
    zip_put(b, open ? 0 : l->unpacked, 8);
    zip_put(b, open ? 0 : l->packed, 8);
}

static inline void zip_put_behind(struct buf *b, const struct zip_line *l)
{
    enum zip_behind form = l->form.behind;
    int size = form == ZIP_BEHIND_SIGNED_64 || form == ZIP_BEHIND_UNSIGNED_64 ? 8 : 4;

    if (form == ZIP_BEFORE)
        return;
    if (form == ZIP_BEHIND_SIGNED || form == ZIP_BEHIND_SIGNED_64)
        zip_put(b, 0x08074b50, 4);
    zip_put(b, l->crc, 4);
    zip_put(b, l->packed, size);
    zip_put(b, l->unpacked, size);
}

static inline void zip_add(struct zip_made *z, const char *name, const char *text, size_t n, struct zip_form form)
{
    struct buf data = {0};
    struct zip_line l = {.offset = z->bytes.n, .unpacked = n, .form = form};

    snprintf(l.name, sizeof l.name, "%s", name);
    l.crc = (uint32_t)crc32(0, (const Bytef *)text, (uInt)n);
    l.packed = zip_add_data(&data, text, n, form.stored);
    zip_put(&z->bytes, 0x04034b50, 4);
    zip_put_head(&z->bytes, &l, false);
    buf_adds(&z->bytes, name);
    zip_put_extra(&z->bytes, &l, false);
    buf_add(&z->bytes, buf_str(&data), data.n);
    zip_put_behind(&z->bytes, &l);
    vec_push(&z->lines, l);
    buf_free(&data);
}

/* The directory and the end, with a comment. */
static inline void zip_end(struct zip_made *z)
{
    struct buf *b = &z->bytes;
    uint64_t from = b->n;
    bool wide = false;

    for (size_t i = 0; i < z->lines.n; i++) {
        const struct zip_line *l = &z->lines.v[i];

        wide |= l->form.wide;
        zip_put(b, 0x02014b50, 4);
        zip_put(b, 0x031e, 2);
        zip_put_head(b, l, true);
        zip_put(b, 0, 8);
        zip_put(b, 0, 2);
        zip_put(b, l->offset, 4);
        buf_adds(b, l->name);
        zip_put_extra(b, l, true);
    }
    if (wide) {
        uint64_t at = b->n;

        zip_put(b, 0x06064b50, 4);
        zip_put(b, 44, 8);
        zip_put(b, 0x002d031e, 4);
        zip_put(b, 0, 8);
        zip_put(b, z->lines.n, 8);
        zip_put(b, z->lines.n, 8);
        zip_put(b, at - from, 8);
        zip_put(b, from, 8);
        zip_put(b, 0x07064b50, 4);
        zip_put(b, 0, 4);
        zip_put(b, at, 8);
        zip_put(b, 1, 4);
    }
    from = wide ? UINT32_MAX : from;
    zip_put(b, 0x06054b50, 4);
    zip_put(b, 0, 4);
    zip_put(b, wide ? 0xffff : z->lines.n, 2);
    zip_put(b, wide ? 0xffff : z->lines.n, 2);
    zip_put(b, wide ? UINT32_MAX : b->n - 12 - from, 4);
    zip_put(b, from, 4);
    zip_put(b, 3, 2);
    buf_adds(b, "end");
}

static inline void zip_free(struct zip_made *z)
{
    buf_free(&z->bytes);
    vec_free(&z->lines);
}

#endif
