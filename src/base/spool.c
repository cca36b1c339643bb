/* spool: a buffer that turns into an unnamed file when it is full; the file is then read through a pool of its pieces.
 *
 * A mapping would need no pool, but costs a page fault for every few pages, each time that they are looked at: more than a system call that
 * fills memory which is there already. The pool is of one size however large the file is. What is read lies in one piece nearly always;
 * where it does not, its parts are put together.
 *
 * Not here: reading ahead. The system does it. */
#include "gputab/base/spool.h"

#include <assert.h>
#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "gputab/base/buf.h"
#include "gputab/base/file.h"
#include "gputab/base/vec.h"
#include "gputab/base/xalloc.h"

enum { MEMORY_BYTES = 4 << 20, WRITE_BYTES = 128 << 10 };
enum { PIECE_BYTES = 64 << 10, SLOTS = 256, HUGE_PAGE = 2 << 20 };   /* a pool of 16 MiB: a day of 800 GPUs */

/* A place in the pool. */
struct slot {
    uint64_t piece;                /* of the file, by number */
    uint32_t filled;               /* bytes of it that are there */
    bool asked_for;                /* since the hand was here */
};

struct spool {
    int fd;                        /* -1: all is in the buffer */
    bool in_memory;                /* no file is to be had: all stays there */
    struct buf buf;                /* what is not in the file yet */
    uint64_t written;              /* bytes in the file */
    void *map;                     /* NULL: nothing was read from the file */
    char *pool;                    /* in the map: SLOTS pieces */
    struct slot slots[SLOTS];
    VEC(uint16_t) slot_of;         /* by piece: slot + 1; 0: it is not in the pool */
    unsigned hand;                 /* the slot that is looked at next when a place is wanted */
    struct buf across;             /* bytes of several pieces */
};

struct spool *spool_new(void)
{
    struct spool *s = xcalloc(1, sizeof *s);

    s->fd = -1;
    return s;
}

enum { MAP_BYTES = SLOTS * PIECE_BYTES + HUGE_PAGE };

void spool_free(struct spool *s)
{
    if (!s)
        return;
    if (s->map)
        munmap(s->map, MAP_BYTES);
    if (s->fd >= 0)
        close(s->fd);
    buf_free(&s->buf);
    buf_free(&s->across);
    vec_free(&s->slot_of);
    free(s);
}

static int cannot(struct err *e, const char *what)
{
    err_set(e, ERR_INTERNAL, "cannot %s a temporary file: %m", what);
    err_hint(e, "TMPDIR names the folder for it, which needs room");
    return err_at(e, file_temp_folder(), 0, 0);
}

/* ---- writing ---- */

/* Each write ends where a multiple of its size does: the system then keeps it in one stretch of memory, which is read faster. Larger such
 * stretches are dear to find. */
static int write_all(struct spool *s, const char *p, size_t n, struct err *e)
{
    while (n > 0) {
        size_t room = WRITE_BYTES - (size_t)(s->written % WRITE_BYTES);
        ssize_t done = write(s->fd, p, n < room ? n : room);

        if (done < 0 && errno == EINTR)
            continue;
        if (done < 0)
            return cannot(e, "write to");
        p += done;
        n -= (size_t)done;
        s->written += (uint64_t)done;
    }
    return 0;
}

/* The first n bytes of the buffer go, and the room that it had before there was a file. */
static void keep_rest(struct spool *s, size_t n)
{
    struct buf rest = { 0 };

    if (s->buf.cap > 4 * WRITE_BYTES) {
        buf_add(&rest, s->buf.p + n, s->buf.n - n);
        buf_free(&s->buf);
        s->buf = rest;
        return;
    }
    memmove(s->buf.p, s->buf.p + n, s->buf.n - n + 1);
    s->buf.n -= n;
}

/* Writes all, or all whole pieces. */
static int flush(struct spool *s, bool all, struct err *e)
{
    size_t n = s->buf.n;

    if (s->fd < 0 && (s->fd = file_nameless()) < 0) {
        s->in_memory = true;
        return 0;
    }
    if (!all)
        n -= (size_t)((s->written + n) % WRITE_BYTES);
    if (write_all(s, buf_str(&s->buf), n, e) < 0)
        return -1;
    keep_rest(s, n);
    return 0;
}

int spool_add(struct spool *s, const void *p, size_t n, uint64_t *at, struct err *e)
{
    *at = spool_size(s);
    buf_add(&s->buf, p, n);
    return !s->in_memory && s->buf.n >= (s->fd < 0 ? MEMORY_BYTES : WRITE_BYTES) ? flush(s, false, e) : 0;
}

uint64_t spool_size(const struct spool *s)
{
    return s->written + s->buf.n;
}

/* ---- reading ---- */

/* Huge pages where the system has them: a fault for each of the others would cost as much as all that is read into it. */
static int make_pool(struct spool *s, struct err *e)
{
    void *map = mmap(NULL, MAP_BYTES, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

    if (map == MAP_FAILED)
        return cannot(e, "read");
    s->map = map;
    s->pool = (char *)map + (HUGE_PAGE - (uintptr_t)map % HUGE_PAGE) % HUGE_PAGE;
    (void)madvise(s->pool, SLOTS * PIECE_BYTES, MADV_HUGEPAGE);
    return 0;
}

/* The first slot that was not asked for since the hand came by; the piece that had it loses it. */
static struct slot *give_slot(struct spool *s, uint64_t piece)
{
    struct slot *slot;

    while (s->slots[s->hand].asked_for) {
        s->slots[s->hand].asked_for = false;
        s->hand = (s->hand + 1) % SLOTS;
    }
    slot = &s->slots[s->hand];
    while (s->slot_of.n <= piece)
        vec_push(&s->slot_of, 0);
    if (s->slot_of.v[slot->piece] == s->hand + 1)
        s->slot_of.v[slot->piece] = 0;
    s->slot_of.v[piece] = (uint16_t)(s->hand + 1);
    *slot = (struct slot){ .piece = piece };
    return slot;
}

/* Reads what the file has of a piece beyond what is there: it may have grown. */
static int fill(struct spool *s, struct slot *slot, struct err *e)
{
    uint64_t at = slot->piece * PIECE_BYTES, most = s->written - at;
    uint32_t wanted = most < PIECE_BYTES ? (uint32_t)most : PIECE_BYTES;
    char *to = s->pool + (size_t)(slot - s->slots) * PIECE_BYTES;

    while (slot->filled < wanted) {
        ssize_t n = pread(s->fd, to + slot->filled, wanted - slot->filled, (off_t)(at + slot->filled));

        if (n < 0 && errno == EINTR)
            continue;
        if (n == 0)
            errno = EIO;                               /* the file is shorter than it was */
        if (n <= 0)
            return cannot(e, "read");
        slot->filled += (uint32_t)n;
    }
    return 0;
}

/* What is there of a piece from `at` on. */
static struct span rest_of(const struct spool *s, const struct slot *slot, size_t from)
{
    return (struct span){ s->pool + (size_t)(slot - s->slots) * PIECE_BYTES + from, slot->filled - from };
}

/* The same when some of it has to be read first. */
static struct span bring(struct spool *s, uint64_t piece, size_t from, struct err *e)
{
    struct slot *slot;

    if (!s->map && make_pool(s, e) < 0)
        return (struct span){ NULL, 0 };
    slot = piece < s->slot_of.n && s->slot_of.v[piece] > 0 ? &s->slots[s->slot_of.v[piece] - 1] : give_slot(s, piece);
    slot->asked_for = true;
    return fill(s, slot, e) == 0 ? rest_of(s, slot, from) : (struct span){ NULL, 0 };
}

static struct span put_together(struct spool *s, uint64_t at, size_t n, struct err *e)
{
    buf_clear(&s->across);
    buf_reserve(&s->across, n);
    while (s->across.n < n) {
        size_t left = n - s->across.n;
        struct span part = bring(s, at / PIECE_BYTES, at % PIECE_BYTES, e);

        if (!part.p)
            return part;
        buf_add(&s->across, part.p, part.n < left ? part.n : left);
        at += part.n;
    }
    return buf_span(&s->across);
}

/* What was not there at once. */
static struct span read_at(struct spool *s, uint64_t at, size_t least, struct err *e)
{
    assert(at + least <= spool_size(s));
    if (at >= s->written)
        return (struct span){ buf_str(&s->buf) + (at - s->written), s->buf.n - (size_t)(at - s->written) };
    if (at + least > s->written && flush(s, true, e) < 0)
        return (struct span){ NULL, 0 };
    if (at % PIECE_BYTES + least > PIECE_BYTES)
        return put_together(s, at, least, e);
    return bring(s, at / PIECE_BYTES, at % PIECE_BYTES, e);
}

struct span spool_at(struct spool *s, uint64_t at, size_t least, struct err *e)
{
    uint64_t piece = at / PIECE_BYTES;
    size_t from = at % PIECE_BYTES;

    if (piece < s->slot_of.n && s->slot_of.v[piece] > 0) {
        struct slot *slot = &s->slots[s->slot_of.v[piece] - 1];

        if (from + least <= slot->filled) {
            slot->asked_for = true;
            return rest_of(s, slot, from);
        }
    }
    return read_at(s, at, least, e);
}
