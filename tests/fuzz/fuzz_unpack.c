/* fuzz_unpack: packed input as a pipe that gives everything at once, as one that gives a few bytes at a time, and as a file: the same
 * texts, or an error in all. Only a file may have more: a zip archive whose members can be read with the directory alone. And libisal
 * against zlib on the same bytes, as far as both take them for a whole stream. */
#include <unistd.h>
#include <sys/mman.h>

#include "fuzz.h"
#include "gputab/codec/inflate.h"
#include "gputab/codec/unpack.h"

enum { TEXT_MAX = 3 << 20, PIECE = 70001 };

static int fill(void *from, char *p, size_t n, struct err *e)
{
    (void)e;
    return (int)fuzz_take(from, p, n);
}

static bool skips(const char *name)
{
    return name[0] == 'x';
}

/* Reads all texts, or until there are TEXT_MAX bytes: then the rest is left, as when who reads meets an error. */
static int read_texts(struct unpack *u, struct buf *out)
{
    struct err e = {0};
    int rc;

    unpack_skip(u, skips);
    while (out->n < TEXT_MAX && (rc = unpack_next(u, &e)) == 1) {
        size_t from = out->n;

        if (unpack_member(u))
            fuzz_add_span(out, span_of(unpack_member(u)));
        do {
            buf_reserve(out, PIECE);
            rc = unpack_read(u, out->p + out->n, PIECE, &e);
            out->n += rc > 0 ? (size_t)rc : 0;
        } while (rc > 0 && out->n < TEXT_MAX);
        if (rc < 0)
            break;
        FUZZ_CHECK(out->n >= from);
    }
    if (out->n >= TEXT_MAX)
        rc = 1;
    FUZZ_CHECK((rc < 0) == (e.code != ERR_NONE));
    if (rc < 0) {
        struct buf text = {0};

        fuzz_add_err(&text, &e);
        FUZZ_CHECK(e.code == ERR_INPUT && e.file[0]);
        buf_free(&text);
    }
    if (rc == 0) {
        char hex[SHA256_HEX];

        unpack_hash(u, hex);
        buf_adds(out, hex);
    }
    unpack_close(u);
    return rc;
}

static int read_pipe(struct fuzz_feed feed, struct buf *out)
{
    return read_texts(unpack_over(fill, &feed, "fuzz", UNPACK_MEMBERS | UNPACK_SHA256), out);
}

static int read_file(struct span s, struct buf *out)
{
    int fd = memfd_create("fuzz", 0);
    struct unpack *u;
    struct err e = {0};
    char path[32];

    FUZZ_CHECK(fd >= 0 && write(fd, s.p, s.n) == (ssize_t)s.n);
    snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
    FUZZ_CHECK(unpack_open(&u, path, UNPACK_MEMBERS | UNPACK_SHA256, &e) == 0);
    close(fd);
    return read_texts(u, out);
}

/* Bytes that were used, and true when the stream is whole; room ends it, too. */
static bool inflate_all(struct inflate *i, struct span s, struct buf *out, size_t *used)
{
    struct inflate_io io = {(const uint8_t *)s.p, s.n, NULL, 0};
    enum inflate_result rc = INFLATE_MORE;
    size_t before = 1;

    while (rc == INFLATE_MORE && out->n < TEXT_MAX && (before || io.n_in)) {
        buf_reserve(out, PIECE);
        io.out = (uint8_t *)out->p + out->n;
        io.n_out = PIECE;
        rc = inflate_step(i, &io);
        before = PIECE - io.n_out;
        out->n += before;
    }
    *used = s.n - io.n_in;
    inflate_free(i);
    return rc == INFLATE_END;
}

static void compare_engines(struct span s)
{
    for (int kind = INFLATE_GZIP; kind <= INFLATE_BARE; kind++) {
        struct buf a = {0}, b = {0};
        size_t used[2];
        bool fast = inflate_all(inflate_new(kind), s, &a, &used[0]), plain = inflate_all(inflate_new_zlib(kind), s, &b, &used[1]);

        if (fast && plain) {
            FUZZ_SAME(&a, &b);
            FUZZ_CHECK(used[0] == used[1]);
        }
        buf_free(&a);
        buf_free(&b);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct span s = fuzz_span(data, size);
    struct buf whole = {0}, pieces = {0}, file = {0};
    int rc = read_pipe(fuzz_feed_whole(s), &whole);

    FUZZ_CHECK(read_pipe(fuzz_feed_pieces(s), &pieces) == rc);
    if (rc == 0)
        FUZZ_SAME(&whole, &pieces);
    if (read_file(s, &file) != rc)
        FUZZ_CHECK(rc < 0);
    if (rc == 0)
        FUZZ_SAME(&whole, &file);
    compare_engines(s);
    buf_free(&whole);
    buf_free(&pieces);
    buf_free(&file);
    return 0;
}
