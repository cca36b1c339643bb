/* inflate: two libraries behind one step.
 *
 * libisal reads up to 8 bytes further than a bare stream goes and keeps them; they are given back at its end. In a gzip member these are
 * part of the trailer. A member's head is read here: libisal 2.30 forgets what it says when it comes in two pieces. */
#include "gputab/codec/inflate.h"

#include <stdbool.h>
#include <stdlib.h>
#include <zlib.h>
#ifdef GPUTAB_ISAL
#include <isa-l.h>
#endif

struct engine {
    bool (*start)(struct inflate *i);
    void (*again)(struct inflate *i);
    enum inflate_result (*step)(struct inflate *i, struct inflate_io *io);
    void (*stop)(struct inflate *i);
};

/* The head of a gzip member (RFC 1952, 2.3), byte by byte. */
struct gzip_head {
    enum { HEAD_FIXED, HEAD_EXTRA_LENGTH, HEAD_EXTRA, HEAD_NAME, HEAD_COMMENT, HEAD_CRC, HEAD_DONE } part;
    unsigned flags;
    unsigned n;                    /* bytes of the part so far */
    unsigned length;               /* of the extra field */
    uint32_t crc;                  /* of the bytes so far */
};

struct inflate {
    const struct engine *engine;
    struct gzip_head head;         /* of libisal's */
    enum inflate_kind kind;
    union {
        z_stream z;
#ifdef GPUTAB_ISAL
        struct inflate_state isal;
#endif
    };
};

/* ---- zlib ---- */

static bool zlib_start(struct inflate *i)
{
    static const int bits[] = {[INFLATE_GZIP] = 15 + 16, [INFLATE_BARE] = -15};    /* 15: any window; 16: gzip and nothing else */

    return inflateInit2(&i->z, bits[i->kind]) == Z_OK;
}

static void zlib_again(struct inflate *i)
{
    inflateReset(&i->z);
}

static unsigned at_most_int(size_t n)
{
    return n < (size_t)1 << 30 ? (unsigned)n : 1u << 30;
}

static enum inflate_result zlib_step(struct inflate *i, struct inflate_io *io)
{
    unsigned n_in = at_most_int(io->n_in), n_out = at_most_int(io->n_out);
    int rc;

    i->z.next_in = (Bytef *)(uintptr_t)io->in;
    i->z.avail_in = n_in;
    i->z.next_out = io->out;
    i->z.avail_out = n_out;
    rc = inflate(&i->z, Z_NO_FLUSH);
    *io = (struct inflate_io){i->z.next_in, io->n_in - (n_in - i->z.avail_in), i->z.next_out, io->n_out - (n_out - i->z.avail_out)};
    if (rc == Z_STREAM_END)
        return INFLATE_END;
    if (rc == Z_MEM_ERROR)
        return INFLATE_NO_MEMORY;
    return rc == Z_OK || rc == Z_BUF_ERROR ? INFLATE_MORE : INFLATE_DAMAGED;
}

static void zlib_stop(struct inflate *i)
{
    inflateEnd(&i->z);
}

static const struct engine zlib_engine = {zlib_start, zlib_again, zlib_step, zlib_stop};

/* ---- libisal ---- */

#ifdef GPUTAB_ISAL
static bool has_part(const struct gzip_head *h, int part)
{
    static const unsigned flags[] = {[HEAD_EXTRA_LENGTH] = 4, [HEAD_EXTRA] = 4, [HEAD_NAME] = 8, [HEAD_COMMENT] = 16, [HEAD_CRC] = 2};

    if (part == HEAD_EXTRA && h->length == 0)
        return false;
    return part == HEAD_DONE || (h->flags & flags[part]);
}

static void next_part(struct gzip_head *h)
{
    do
        h->part++;
    while (!has_part(h, (int)h->part));
    h->n = 0;
}

/* Of the ten fixed bytes: what must be there. */
static bool is_fixed_right(struct gzip_head *h, uint8_t byte)
{
    static const uint8_t start[] = {0x1f, 0x8b, 8};

    if (h->n < sizeof start)
        return byte == start[h->n];
    if (h->n == 3)
        h->flags = byte;
    return !(h->flags & 0xe0);
}

/* False: this cannot be. */
static bool take_head(struct gzip_head *h, uint8_t byte)
{
    unsigned shift = 8 * (h->n & 1);
    bool right = true, last = false;

    switch (h->part) {
    case HEAD_FIXED:
        right = is_fixed_right(h, byte);
        last = h->n == 9;
        break;
    case HEAD_EXTRA_LENGTH:
        h->length |= (unsigned)byte << shift;
        last = h->n == 1;
        break;
    case HEAD_EXTRA:
        last = h->n + 1 == h->length;
        break;
    case HEAD_CRC:
        right = (h->crc >> shift & 0xff) == byte;
        last = h->n == 1;
        break;
    default:
        last = byte == 0;
    }
    if (h->part != HEAD_CRC)
        h->crc = inflate_crc(h->crc, &byte, 1);
    h->n++;
    if (last)
        next_part(h);
    return right;
}

static void isal_again(struct inflate *i)
{
    isal_inflate_reset(&i->isal);
    i->isal.crc_flag = i->kind == INFLATE_GZIP ? ISAL_GZIP_NO_HDR_VER : ISAL_DEFLATE;
    i->head = (struct gzip_head){.part = i->kind == INFLATE_GZIP ? HEAD_FIXED : HEAD_DONE};
}

static bool isal_start(struct inflate *i)
{
    isal_inflate_init(&i->isal);
    isal_again(i);
    return true;
}

static enum inflate_result isal_data(struct inflate *i, struct inflate_io *io)
{
    unsigned n_in = at_most_int(io->n_in), n_out = at_most_int(io->n_out), ahead;
    int rc;

    i->isal.next_in = (uint8_t *)(uintptr_t)io->in;
    i->isal.avail_in = n_in;
    i->isal.next_out = io->out;
    i->isal.avail_out = n_out;
    rc = isal_inflate(&i->isal);
    *io = (struct inflate_io){i->isal.next_in, io->n_in - (n_in - i->isal.avail_in), i->isal.next_out,
                              io->n_out - (n_out - i->isal.avail_out)};
    if (rc < 0 || rc == ISAL_NEED_DICT)
        return INFLATE_DAMAGED;
    if (i->isal.block_state != ISAL_BLOCK_FINISH)
        return INFLATE_MORE;
    ahead = i->kind == INFLATE_BARE ? (unsigned)i->isal.read_in_length / 8 : 0;
    i->isal.read_in_length = 0;
    io->in -= ahead;
    io->n_in += ahead;
    return INFLATE_END;
}

static enum inflate_result isal_step(struct inflate *i, struct inflate_io *io)
{
    for (; i->head.part != HEAD_DONE && io->n_in > 0; io->in++, io->n_in--)
        if (!take_head(&i->head, *io->in))
            return INFLATE_DAMAGED;
    return i->head.part == HEAD_DONE ? isal_data(i, io) : INFLATE_MORE;
}

static void isal_stop(struct inflate *i)
{
    (void)i;
}

static const struct engine isal_engine = {isal_start, isal_again, isal_step, isal_stop};
#define BEST isal_engine
#else
#define BEST zlib_engine
#endif

/* ---- either ---- */

static struct inflate *new_with(const struct engine *engine, enum inflate_kind kind)
{
    struct inflate *i = calloc(1, sizeof *i);

    if (!i)
        return NULL;
    i->engine = engine;
    i->kind = kind;
    if (engine->start(i))
        return i;
    free(i);
    return NULL;
}

struct inflate *inflate_new(enum inflate_kind kind)
{
    return new_with(&BEST, kind);
}

struct inflate *inflate_new_zlib(enum inflate_kind kind)
{
    return new_with(&zlib_engine, kind);
}

void inflate_free(struct inflate *i)
{
    if (!i)
        return;
    i->engine->stop(i);
    free(i);
}

void inflate_again(struct inflate *i)
{
    i->engine->again(i);
}

enum inflate_result inflate_step(struct inflate *i, struct inflate_io *io)
{
    return i->engine->step(i, io);
}

uint32_t inflate_crc(uint32_t crc, const void *p, size_t n)
{
#ifdef GPUTAB_ISAL
    return crc32_gzip_refl(crc, p, n);
#else
    return (uint32_t)crc32_z(crc, p, n);
#endif
}
