/* spill: the newest records in a buffer, older ones in a file that was unlinked before it got its first byte.
 *
 * A record stands behind its length. Nothing is ever rewritten, so a position is good for the spill's life. Bytes in the page cache are
 * the system's to drop, those of a process are not: that is the whole gain. It does not compress and knows nothing of what it keeps. */
#include "gputab/base/spill.h"

#include <assert.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "gputab/base/file.h"
#include "gputab/base/xalloc.h"

enum { KEPT = 256 * 1024, READ_STEP = 16 * 1024, LENGTH = sizeof(uint32_t) };

struct spill {
    int fd;                        /* -1: none (yet) */
    bool all_kept;                 /* no file to be had, or none that takes more */
    int read_errno;                /* of the first read that failed */
    uint64_t written;              /* bytes in the file */
    struct buf kept;               /* those behind them */
};

struct spill *spill_new(void)
{
    struct spill *s = xcalloc(1, sizeof *s);

    s->fd = -1;
    return s;
}

void spill_free(struct spill *s)
{
    if (!s)
        return;
    if (s->fd >= 0)
        close(s->fd);
    buf_free(&s->kept);
    free(s);
}

uint64_t spill_end(const struct spill *s)
{
    return s->written + s->kept.n;
}

static bool write_at(int fd, const char *p, size_t n, uint64_t at)
{
    while (n) {
        ssize_t k = pwrite(fd, p, n, (off_t)at);

        if (k < 0 && errno == EINTR)
            continue;
        if (k <= 0)
            return false;
        p += k;
        n -= (size_t)k;
        at += (uint64_t)k;
    }
    return true;
}

static void move_out(struct spill *s)
{
    if (s->fd < 0)
        s->fd = file_nameless();
    if (s->fd < 0 || !write_at(s->fd, s->kept.p, s->kept.n, s->written)) {
        s->all_kept = true;
        return;
    }
    s->written += s->kept.n;
    buf_clear(&s->kept);
}

void spill_add(struct spill *s, struct span record)
{
    uint32_t length = (uint32_t)record.n;

    assert(length == record.n);
    if (s->kept.n && s->kept.n + LENGTH + record.n >= KEPT && !s->all_kept)
        move_out(s);
    buf_add(&s->kept, &length, LENGTH);
    buf_add_span(&s->kept, record);
}

int spill_check(const struct spill *s, struct err *e)
{
    if (!s->read_errno)
        return 0;
    errno = s->read_errno;
    return err_set(e, ERR_INTERNAL, "cannot read back a temporary file: %m");
}

/* ---- reading ---- */

/* Up to n bytes from `at` on that lie in one place; what cannot be read is zeros. */
static size_t read_some(struct spill *s, uint64_t at, char *p, size_t n)
{
    ssize_t k;

    if (at >= s->written) {
        memcpy(p, s->kept.p + (at - s->written), n);
        return n;
    }
    if (n > s->written - at)
        n = (size_t)(s->written - at);
    while ((k = pread(s->fd, p, n, (off_t)at)) < 0 && errno == EINTR)
        ;
    if (k > 0)
        return (size_t)k;
    if (!s->read_errno)
        s->read_errno = k < 0 ? errno : EIO;           /* a file that is shorter than it was */
    memset(p, 0, n);
    return n;
}

struct spill_reader spill_read(struct spill *s, uint64_t at, uint64_t end)
{
    return (struct spill_reader){ .spill = s, .at = at, .end = end };
}

/* Has n bytes of what lies ahead in memory, and more when some have to be read at all. */
static void read_ahead(struct spill_reader *r, size_t n)
{
    size_t rest = r->ahead.n - r->used, want = n > READ_STEP ? n : READ_STEP;

    if (want > r->end - r->at)
        want = (size_t)(r->end - r->at);
    if (rest)
        memmove(r->ahead.p, r->ahead.p + r->used, rest);
    r->used = 0;
    r->ahead.n = rest;
    buf_reserve(&r->ahead, want - rest);
    while (r->ahead.n < want)
        r->ahead.n += read_some(r->spill, r->at + r->ahead.n, r->ahead.p + r->ahead.n, want - r->ahead.n);
}

/* n bytes from r->at on, which the reader moves past. Few at the end. */
static struct span take(struct spill_reader *r, size_t n)
{
    struct span s;

    if (n > r->end - r->at)
        n = (size_t)(r->end - r->at);
    if (r->ahead.n - r->used < n)
        read_ahead(r, n);
    s = (struct span){ r->ahead.p + r->used, n };
    r->used += n;
    r->at += n;
    return s;
}

bool spill_next(struct spill_reader *r, struct span *record)
{
    uint32_t length = 0;
    struct span head;

    if (r->at >= r->end)
        return false;
    head = take(r, LENGTH);
    if (head.n == LENGTH)
        memcpy(&length, head.p, LENGTH);
    *record = take(r, length);
    return true;
}

void spill_reader_free(struct spill_reader *r)
{
    buf_free(&r->ahead);
}
