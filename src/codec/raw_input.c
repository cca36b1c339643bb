/* raw_input: read() in large pieces. It is faster here than mapping the file, and a file that shrinks meanwhile is one that ends early
 * and not a signal. */
#include "gputab/codec/raw_input.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/stat.h>
#include <unistd.h>

#include "gputab/base/xalloc.h"

static void begin(struct raw_input *r, const char *path)
{
    *r = (struct raw_input){.path = xstrdup(path), .fd = -1, .wake_fd = -1};
    r->p = xmalloc(RAW_INPUT_KEPT + RAW_INPUT_BYTES);
}

int raw_input_open(struct raw_input *r, const char *path, struct err *e)
{
    int fd = strcmp(path, "-") == 0 ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC);
    struct stat st;

    if (fd < 0) {
        err_set(e, ERR_INPUT, "cannot be opened: %s", strerror(errno));
        return err_at(e, path, 0, 0);
    }
    begin(r, path);
    r->fd = fd;
    r->is_file = fd != STDIN_FILENO && fstat(fd, &st) == 0 && S_ISREG(st.st_mode);
    if (r->is_file)
        (void)posix_fadvise(fd, 0, 0, POSIX_FADV_SEQUENTIAL);
    return 0;
}

void raw_input_over(struct raw_input *r, raw_fill fill, void *from, const char *name)
{
    begin(r, name);
    r->fill = fill;
    r->from = from;
}

void raw_input_close(struct raw_input *r)
{
    if (r->fd >= 0 && r->fd != STDIN_FILENO)
        close(r->fd);
    if (r->wake_fd >= 0)
        close(r->wake_fd);
    sha256_aside_free(r->hash);
    free(r->p);
    free(r->path);
}

void raw_input_wakeable(struct raw_input *r)
{
    if (r->fd >= 0 && !r->is_file && r->wake_fd < 0)
        r->wake_fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
}

void raw_input_wake(struct raw_input *r)
{
    static const uint64_t one = 1;

    if (r->wake_fd >= 0)
        (void)!write(r->wake_fd, &one, sizeof one);
}

/* False: woken up instead. */
static bool wait_for_bytes(const struct raw_input *r)
{
    struct pollfd p[2] = {{.fd = r->fd, .events = POLLIN}, {.fd = r->wake_fd, .events = POLLIN}};

    if (r->wake_fd < 0)
        return true;
    while (poll(p, 2, -1) < 0 && errno == EINTR)
        ;
    return !p[1].revents;
}

static int failed(const struct raw_input *r, int why, struct err *e)
{
    err_set(e, ERR_INPUT, "cannot be read: %s", strerror(why));
    if (why == EISDIR)
        err_hint(e, "give the files in it");
    return err_at(e, r->path, 0, 0);
}

static int read_some(const struct raw_input *r, uint8_t *p, size_t n, struct err *e)
{
    ssize_t got;

    if (r->fd < 0)
        return r->fill(r->from, (char *)p, n, e);
    do {
        if (!wait_for_bytes(r))
            return failed(r, ECANCELED, e);
        got = read(r->fd, p, n);
    } while (got < 0 && (errno == EINTR || errno == EAGAIN));
    return got < 0 ? failed(r, errno, e) : (int)got;
}

int raw_input_direct(struct raw_input *r, uint8_t *out, size_t n, struct err *e)
{
    int got = read_some(r, out, n, e);

    if (got < 0)
        return -1;
    r->eof = got == 0;
    if (r->hash)
        sha256_aside_add(r->hash, out, (size_t)got);
    r->end_offset += got;
    return got;
}

/* Unread bytes go to the front, behind the last ones that were read. */
static void make_room(struct raw_input *r)
{
    size_t from = r->at > RAW_INPUT_KEPT ? r->at - RAW_INPUT_KEPT : 0;

    memmove(r->p, r->p + from, r->n - from);
    r->n -= from;
    r->at -= from;
}

int raw_input_more(struct raw_input *r, struct err *e)
{
    int got;

    make_room(r);
    got = raw_input_direct(r, r->p + r->n, RAW_INPUT_KEPT + RAW_INPUT_BYTES - r->n, e);
    r->n += got > 0 ? (size_t)got : 0;
    return got < 0 ? -1 : 0;
}

int raw_input_need(struct raw_input *r, size_t n, bool *there, struct err *e)
{
    assert(n <= RAW_INPUT_BYTES);
    while (r->n - r->at < n && !r->eof)
        if (raw_input_more(r, e) < 0)
            return -1;
    *there = r->n - r->at >= n;
    return 0;
}

int raw_input_peek(const struct raw_input *r, int64_t offset, void *out, size_t n, struct err *e)
{
    uint8_t *p = out;

    for (size_t have = 0; have < n;) {
        ssize_t got = pread(r->fd, p + have, n - have, (off_t)offset + (off_t)have);

        if (got == 0)
            return err_set(e, ERR_INPUT, "ends too early: it has become shorter while it was read");
        if (got < 0 && errno != EINTR)
            return failed(r, errno, e);
        have += got > 0 ? (size_t)got : 0;
    }
    return 0;
}

int64_t raw_input_size(const struct raw_input *r)
{
    struct stat st;

    return fstat(r->fd, &st) == 0 ? (int64_t)st.st_size : 0;
}

int64_t raw_input_offset(const struct raw_input *r)
{
    return r->end_offset - (int64_t)(r->n - r->at);
}
