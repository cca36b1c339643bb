/* snappy: a block is the length of what it holds, then elements: bytes as they are, or a copy of bytes that are there already.
 *
 * The length is believed only as far as the block could hold it: its densest element makes 64 bytes of three. So memory follows what came
 * in, also where the cap is large.
 *
 * Not here: an encoder that looks for copies. What is sent is small, and a block of one literal is a block. */
#include "gputab/codec/snappy.h"

#include <stdint.h>
#include <string.h>

#include "gputab/codec/varint.h"

enum kind { LITERAL, COPY_SHORT, COPY, COPY_FAR };           /* the two low bits of an element's first byte */

enum { DENSEST_OUT = 64, DENSEST_IN = 3, LITERAL_INLINE = 60 };

struct block {
    const unsigned char *p, *end;
    char *out;                     /* where the next byte goes */
    char *start, *stop;            /* of what the block holds */
    bool cut;
    struct err *e;
};

static int broken(struct block *b, const char *what)
{
    return err_set(b->e, ERR_INPUT, "snappy block: %s", what);
}

static int cut_off(struct block *b)
{
    b->cut = true;
    return broken(b, "it ends too early");
}

/* n bytes (1 to 4), the lowest first. */
static int read_little(struct block *b, unsigned n, size_t *v)
{
    *v = 0;
    if ((size_t)(b->end - b->p) < n)
        return cut_off(b);
    for (unsigned i = 0; i < n; i++)
        *v |= (size_t)*b->p++ << 8 * i;
    return 0;
}

static int take_literal(struct block *b, unsigned tag)
{
    size_t n = tag >> 2;

    if (n >= LITERAL_INLINE && read_little(b, (unsigned)n - LITERAL_INLINE + 1, &n) < 0)
        return -1;
    if (n >= (size_t)(b->stop - b->out))               /* n is one less than the number of bytes */
        return broken(b, "it holds more than it says");
    if (n >= (size_t)(b->end - b->p))
        return cut_off(b);
    memcpy(b->out, b->p, n + 1);
    b->out += n + 1;
    b->p += n + 1;
    return 0;
}

/* A copy may reach into what it makes: then it repeats itself. */
static int copy(struct block *b, size_t offset, size_t n)
{
    const char *from;

    if (offset == 0 || offset > (size_t)(b->out - b->start))
        return broken(b, "a copy from before its start");
    if (n > (size_t)(b->stop - b->out))
        return broken(b, "it holds more than it says");
    from = b->out - offset;
    if (offset >= n)
        memcpy(b->out, from, n);
    else
        for (size_t i = 0; i < n; i++)
            b->out[i] = from[i];
    b->out += n;
    return 0;
}

static int take_element(struct block *b)
{
    unsigned tag = *b->p++;
    enum kind kind = (enum kind)(tag & 3);
    size_t offset;

    if (kind == LITERAL)
        return take_literal(b, tag);
    if (kind == COPY_SHORT)
        return read_little(b, 1, &offset) < 0 ? -1 : copy(b, offset | (size_t)(tag >> 5) << 8, (tag >> 2 & 7) + 4);
    return read_little(b, kind == COPY ? 2 : 4, &offset) < 0 ? -1 : copy(b, offset, (tag >> 2) + 1);
}

/* The length that the block says, within the caps. */
static int read_length(struct block *b, size_t max, size_t *n)
{
    uint64_t length = 0;
    int rc = varint_read(&b->p, b->end, &length);

    *n = (size_t)length;
    if (rc == 0)
        return cut_off(b);
    if (rc < 0 || length > UINT32_MAX)
        return broken(b, "no length");
    if (length > max)
        return err_set(b->e, ERR_INPUT, "snappy block: it holds %llu bytes, more than %zu", (unsigned long long)length, max);
    if (length / DENSEST_OUT > (uint64_t)(b->end - b->p) / DENSEST_IN)
        return cut_off(b);
    return 0;
}

static int decode(struct block *b, size_t max, struct buf *out)
{
    size_t n;

    if (read_length(b, max, &n) < 0)
        return -1;
    buf_reserve(out, n);
    b->out = b->start = out->p + out->n;
    b->stop = b->start + n;
    while (b->p < b->end)
        if (take_element(b) < 0)
            return -1;
    if (b->out < b->stop)
        return cut_off(b);
    out->n += n;
    out->p[out->n] = '\0';
    return 0;
}

int snappy_decode(struct span bytes, size_t max, struct buf *out, bool *cut, struct err *e)
{
    const unsigned char *p = bytes.n ? (const unsigned char *)bytes.p : (const unsigned char *)"";
    struct block b = { .p = p, .end = p + bytes.n, .e = e };
    int rc = decode(&b, max, out);

    if (cut)
        *cut = b.cut;
    return rc;
}

void snappy_add_literal(struct buf *b, struct span bytes)
{
    size_t n = bytes.n - 1, more = 0;

    varint_add(b, bytes.n);
    if (bytes.n == 0)
        return;
    if (n < LITERAL_INLINE) {
        buf_addc(b, (char)(n << 2));
    } else {
        while (more < 4 && n >> 8 * more)
            more++;
        buf_addc(b, (char)((LITERAL_INLINE - 1 + more) << 2));
        for (size_t i = 0; i < more; i++)
            buf_addc(b, (char)(n >> 8 * i));
    }
    buf_add_span(b, bytes);
}
