/* unpack: one reader for plain, gzip and zstd bytes.
 *
 * The first bytes choose a row of `formats`; each format is a start, a step and a stop over one raw buffer that `refill` keeps filled.
 * A step turns raw bytes into output and stops at either end of both buffers, so nothing here grows with the input.
 * Offsets in messages count raw bytes: that is where somebody looks with a hex viewer, and what tells a cut download from a damaged one.
 * Archives with several members (zip, tar) are not opened: which member would be meant is a guess. */
#include "gputab/codec/unpack.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zlib.h>
#include <zstd.h>
#include <zstd_errors.h>

#include "gputab/base/xalloc.h"

enum { RAW_BYTES = 256 * 1024, MAGIC_MAX = 8, PEEK_MAX = 64 };

struct format;

struct unpack {
    int fd;
    char *path;
    struct sha256 *hash;           /* NULL: not wanted */
    const struct format *format;   /* NULL until the first bytes are there */
    uint8_t *raw;
    size_t at, n;                  /* unread raw bytes are raw[at .. n) */
    int64_t end_offset;            /* of raw[n] in the file */
    bool eof;
    bool inside;                   /* in the middle of a gzip member or a zstd frame */
    bool padded;                   /* zero bytes were seen behind a gzip member */
    z_stream z;
    ZSTD_DStream *zstd;
    uint8_t ahead[PEEK_MAX];       /* output that was peeked at: ahead[ahead_at .. ahead_n) is not handed on yet */
    size_t ahead_at, ahead_n;
};

struct format {
    const char *name;
    uint8_t magic[MAGIC_MAX];
    uint8_t magic_n;
    int (*start)(struct unpack *u, struct err *e);           /* NULL: recognised, but not read */
    int (*step)(struct unpack *u, uint8_t *out, size_t n, struct err *e);    /* bytes written; 0 may mean "more raw bytes" */
    void (*stop)(struct unpack *u);
    const char *hint;
};

static int64_t offset(const struct unpack *u)
{
    return u->end_offset - (int64_t)(u->n - u->at);
}

static int broken(struct unpack *u, const char *what, struct err *e)
{
    err_set(e, ERR_INPUT, "%s data %s at byte %lld", u->format->name, what, (long long)offset(u));
    err_at(e, u->path, 0, 0);
    return err_hint(e, "copy the file again; nothing of it was used");
}

/* The machine's state, not the file's: nobody should copy it again for that. */
static int no_memory(struct unpack *u, const char *name, struct err *e)
{
    err_set(e, ERR_INTERNAL, "no memory for unpacking %s data", name);
    return err_at(e, u->path, 0, 0);
}

/* Adds raw bytes behind those unread. At the end of the file sets eof. */
static int refill(struct unpack *u, struct err *e)
{
    ssize_t got;

    if (u->at > 0) {
        memmove(u->raw, u->raw + u->at, u->n - u->at);
        u->n -= u->at;
        u->at = 0;
    }
    do
        got = read(u->fd, u->raw + u->n, RAW_BYTES - u->n);
    while (got < 0 && errno == EINTR);
    if (got < 0) {
        bool is_folder = errno == EISDIR;

        err_set(e, ERR_INPUT, "cannot be read: %s", strerror(errno));
        if (is_folder)
            err_hint(e, "give the files in it");
        return err_at(e, u->path, 0, 0);
    }
    if (got == 0)
        u->eof = true;
    if (u->hash)
        sha256_add(u->hash, u->raw + u->n, (size_t)got);
    u->n += (size_t)got;
    u->end_offset += got;
    return 0;
}

static int plain_start(struct unpack *u, struct err *e)
{
    (void)u, (void)e;
    return 0;
}

static int plain_step(struct unpack *u, uint8_t *out, size_t n, struct err *e)
{
    size_t take = u->n - u->at < n ? u->n - u->at : n;

    (void)e;
    memcpy(out, u->raw + u->at, take);
    u->at += take;
    return (int)take;
}

static void plain_stop(struct unpack *u)
{
    (void)u;
}

static int gzip_start(struct unpack *u, struct err *e)
{
    return inflateInit2(&u->z, 15 + 16) == Z_OK ? 0 : no_memory(u, "gzip", e);   /* 15: any window; 16: gzip and nothing else */
}

/* Between members: zero bytes pad a tape's block, another member may follow (pigz, cat), anything else is an error. */
static int gzip_between(struct unpack *u, struct err *e)
{
    while (u->at < u->n && u->raw[u->at] == 0) {
        u->at++;
        u->padded = true;
    }
    if (u->at == u->n)
        return 0;
    if (u->padded || u->raw[u->at] != 0x1f)
        return broken(u, "is followed by something else", e);
    inflateReset(&u->z);
    u->inside = true;
    return 0;
}

static int gzip_step(struct unpack *u, uint8_t *out, size_t n, struct err *e)
{
    int rc;

    if (!u->inside && gzip_between(u, e) < 0)
        return -1;
    if (!u->inside)
        return 0;
    u->z.next_in = u->raw + u->at;
    u->z.avail_in = (uInt)(u->n - u->at);
    u->z.next_out = out;
    u->z.avail_out = (uInt)n;
    rc = inflate(&u->z, Z_NO_FLUSH);
    u->at = u->n - u->z.avail_in;
    if (rc == Z_MEM_ERROR)
        return no_memory(u, "gzip", e);
    if (rc == Z_STREAM_END)
        u->inside = false;
    else if (rc != Z_OK && rc != Z_BUF_ERROR)
        return broken(u, "is damaged", e);
    return (int)(n - u->z.avail_out);
}

static void gzip_stop(struct unpack *u)
{
    inflateEnd(&u->z);
}

static int zstd_start(struct unpack *u, struct err *e)
{
    u->zstd = ZSTD_createDStream();
    return u->zstd ? 0 : no_memory(u, "zstd", e);
}

static int zstd_step(struct unpack *u, uint8_t *out, size_t n, struct err *e)
{
    ZSTD_inBuffer in = {u->raw, u->n, u->at};
    ZSTD_outBuffer to = {out, n, 0};
    size_t rc;

    if (!u->inside && in.pos == in.size)
        return 0;
    rc = ZSTD_decompressStream(u->zstd, &to, &in);
    u->at = in.pos;
    if (ZSTD_getErrorCode(rc) == ZSTD_error_memory_allocation)
        return no_memory(u, "zstd", e);
    if (ZSTD_isError(rc)) {
        broken(u, "is damaged", e);
        return err_wrap(e, "%s", ZSTD_getErrorName(rc));
    }
    u->inside = rc != 0;
    return (int)to.pos;
}

static void zstd_stop(struct unpack *u)
{
    ZSTD_freeDStream(u->zstd);
}

#define UNPACK_FIRST "unpack it and give the file inside"
#define AS_UTF8 "save it as UTF-8"

/* The last row matches everything. zstd's second row is a skippable frame, which some writers put first. */
static const struct format formats[] = {
    {"gzip", {0x1f, 0x8b}, 2, gzip_start, gzip_step, gzip_stop, NULL},
    {"zstd", {0x28, 0xb5, 0x2f, 0xfd}, 4, zstd_start, zstd_step, zstd_stop, NULL},
    {"zstd", {0x50, 0x2a, 0x4d, 0x18}, 4, zstd_start, zstd_step, zstd_stop, NULL},
    {"a zip archive", {'P', 'K', 3, 4}, 4, NULL, NULL, NULL, UNPACK_FIRST},
    {"bzip2 data", {'B', 'Z', 'h'}, 3, NULL, NULL, NULL, UNPACK_FIRST},
    {"xz data", {0xfd, '7', 'z', 'X', 'Z', 0}, 6, NULL, NULL, NULL, UNPACK_FIRST},
    {"a Parquet file", {'P', 'A', 'R', '1'}, 4, NULL, NULL, NULL, "convert it to CSV"},
    {"UTF-16 text", {0xff, 0xfe}, 2, NULL, NULL, NULL, AS_UTF8},
    {"UTF-16 text", {0xfe, 0xff}, 2, NULL, NULL, NULL, AS_UTF8},
    {"plain", {0}, 0, plain_start, plain_step, plain_stop, NULL},
};

static int recognise(struct unpack *u, struct err *e)
{
    const struct format *f = formats;

    while (u->n - u->at < MAGIC_MAX && !u->eof)
        if (refill(u, e) < 0)
            return -1;
    while (u->n - u->at < f->magic_n || memcmp(u->raw + u->at, f->magic, f->magic_n) != 0)
        f++;
    if (!f->start) {
        err_set(e, ERR_INPUT, "is %s, which is not read here", f->name);
        err_hint(e, "%s", f->hint);
        return err_at(e, u->path, 0, 0);
    }
    if (f->start(u, e) < 0)
        return -1;
    u->format = f;
    return 0;
}

int unpack_open(struct unpack **out, const char *path, unsigned flags, struct err *e)
{
    int fd = strcmp(path, "-") == 0 ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC);
    struct unpack *u;

    *out = NULL;
    if (fd < 0) {
        err_set(e, ERR_INPUT, "cannot be opened: %s", strerror(errno));
        return err_at(e, path, 0, 0);
    }
    u = xcalloc(1, sizeof *u);
    u->fd = fd;
    u->path = xstrdup(path);
    u->raw = xmalloc(RAW_BYTES);
    if (flags & UNPACK_SHA256)
        u->hash = sha256_new();
    *out = u;
    return 0;
}

/* One step that may give nothing. Sets *end when nothing can follow. */
static int advance(struct unpack *u, uint8_t *out, size_t n, bool *end, struct err *e)
{
    int got;

    if (u->at == u->n && !u->eof && refill(u, e) < 0)
        return -1;
    got = u->format->step(u, out, n, e);
    if (got != 0 || u->at < u->n || !u->eof)
        return got;
    if (u->inside)
        return broken(u, "ends too early", e);
    *end = true;
    return 0;
}

static int fill(struct unpack *u, uint8_t *out, size_t n, struct err *e)
{
    size_t have = 0;
    bool end = false;

    if (!u->format && recognise(u, e) < 0)
        return -1;
    while (have < n && !end) {
        int got = advance(u, out + have, n - have, &end, e);

        if (got < 0)
            return -1;
        have += (size_t)got;
    }
    return (int)have;
}

int unpack_read(struct unpack *u, void *p, size_t n, struct err *e)
{
    size_t ahead = u->ahead_n - u->ahead_at < n ? u->ahead_n - u->ahead_at : n;
    int got = 0;

    assert(n <= (size_t)1 << 30);
    memcpy(p, u->ahead + u->ahead_at, ahead);
    u->ahead_at += ahead;
    if (ahead < n)
        got = fill(u, (uint8_t *)p + ahead, n - ahead, e);
    return got < 0 ? -1 : (int)ahead + got;
}

int unpack_peek(struct unpack *u, void *p, size_t n, struct err *e)
{
    size_t left;

    assert(n <= PEEK_MAX);
    if (u->ahead_n == 0) {
        int got = fill(u, u->ahead, PEEK_MAX, e);

        if (got < 0)
            return -1;
        u->ahead_n = (size_t)got;
    }
    left = u->ahead_n - u->ahead_at < n ? u->ahead_n - u->ahead_at : n;
    memcpy(p, u->ahead + u->ahead_at, left);
    return (int)left;
}

void unpack_hash(struct unpack *u, char hex[SHA256_HEX])
{
    assert(u->hash);
    sha256_end(u->hash, hex);
    u->hash = NULL;
}

void unpack_close(struct unpack *u)
{
    if (!u)
        return;
    if (u->format)
        u->format->stop(u);
    if (u->fd != STDIN_FILENO)
        close(u->fd);
    sha256_free(u->hash);
    free(u->raw);
    free(u->path);
    free(u);
}
