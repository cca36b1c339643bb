/* inflate: two libraries behind one step.
 *
 * libisal reads up to 8 bytes further than a bare stream goes and keeps them; they are given back at its end. In a gzip member these are
 * part of the trailer. */
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

struct inflate {
    const struct engine *engine;
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
static void isal_again(struct inflate *i)
{
    isal_inflate_reset(&i->isal);
    i->isal.crc_flag = i->kind == INFLATE_GZIP ? ISAL_GZIP : ISAL_DEFLATE;
}

static bool isal_start(struct inflate *i)
{
    isal_inflate_init(&i->isal);
    isal_again(i);
    return true;
}

static enum inflate_result isal_step(struct inflate *i, struct inflate_io *io)
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
