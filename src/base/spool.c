/* spool: a buffer that turns into an unnamed file when it is full; the file is then read through a mapping.
 *
 * Writes are gathered into pieces of the buffer's size. Reading maps the whole file at once: the kernel brings pages in as they are
 * touched, and spool_rest gives them back, so that what was read does not count as memory of the program. */
#include "gputab/base/spool.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "gputab/base/buf.h"
#include "gputab/base/file.h"
#include "gputab/base/xalloc.h"

enum { MEMORY_BYTES = 4 << 20, PIECE_BYTES = 256 << 10 };

struct spool {
    int fd;                        /* -1: all is in the buffer */
    bool in_memory;                /* no file is to be had: all stays there */
    struct buf buf;                /* what is not in the file yet */
    uint64_t written;              /* bytes in the file */
    char *map;
    size_t map_bytes;
};

struct spool *spool_new(void)
{
    struct spool *s = xcalloc(1, sizeof *s);

    s->fd = -1;
    return s;
}

static void unmap(struct spool *s)
{
    if (s->map)
        munmap(s->map, s->map_bytes);
    s->map = NULL;
    s->map_bytes = 0;
}

void spool_free(struct spool *s)
{
    if (!s)
        return;
    unmap(s);
    if (s->fd >= 0)
        close(s->fd);
    buf_free(&s->buf);
    free(s);
}

static int cannot(struct err *e, const char *what)
{
    err_set(e, ERR_INTERNAL, "cannot %s a temporary file: %m", what);
    err_hint(e, "TMPDIR names the folder for it, which needs room");
    return err_at(e, file_temp_folder(), 0, 0);
}

static int write_all(struct spool *s, const char *p, size_t n, struct err *e)
{
    while (n > 0) {
        ssize_t done = write(s->fd, p, n);

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

static int flush(struct spool *s, struct err *e)
{
    if (s->fd < 0 && (s->fd = file_nameless()) < 0) {
        s->in_memory = true;
        return 0;
    }
    if (write_all(s, buf_str(&s->buf), s->buf.n, e) < 0)
        return -1;
    if (s->buf.cap > 2 * PIECE_BYTES)
        buf_free(&s->buf);                             /* of the time before there was a file */
    buf_clear(&s->buf);
    return 0;
}

int spool_add(struct spool *s, const void *p, size_t n, uint64_t *at, struct err *e)
{
    *at = spool_size(s);
    buf_add(&s->buf, p, n);
    return !s->in_memory && s->buf.n >= (s->fd < 0 ? MEMORY_BYTES : PIECE_BYTES) ? flush(s, e) : 0;
}

uint64_t spool_size(const struct spool *s)
{
    return s->written + s->buf.n;
}

const char *spool_view(struct spool *s, struct err *e)
{
    if (s->fd < 0)
        return buf_str(&s->buf);
    if (s->buf.n > 0 && flush(s, e) < 0)
        return NULL;
    if (s->map && s->map_bytes == s->written)
        return s->map;
    unmap(s);
    s->map = mmap(NULL, (size_t)s->written, PROT_READ, MAP_SHARED, s->fd, 0);
    if (s->map == MAP_FAILED) {
        s->map = NULL;
        cannot(e, "read");
        return NULL;
    }
    s->map_bytes = (size_t)s->written;
    return s->map;
}

void spool_rest(struct spool *s)
{
    if (s->map)
        madvise(s->map, s->map_bytes, MADV_DONTNEED);
}
