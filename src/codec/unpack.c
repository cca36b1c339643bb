/* unpack: one reader for plain, gzip, zstd and zip bytes, and for UTF-16 in any of them.
 *
 * The first bytes choose a row of `formats`; each format is a start, a step and a stop over the raw input. A step turns raw bytes into
 * output and stops at either end of both buffers, so nothing here grows with the input. What steps give is text, behind an optional
 * transcoder; `ahead` asks for it on a thread of its own, of plain bytes only where there is a core for it.
 * Offsets in messages count raw bytes: that is where somebody looks with a hex viewer, and what tells a cut download from a damaged one.
 * Only those of UTF-16 text count the text's own bytes.
 * Not here: what a zip archive's members mean, and which of them are wanted. */
#include "gputab/codec/unpack.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>
#include <zstd.h>
#include <zstd_errors.h>

#include "gputab/base/ahead.h"
#include "gputab/base/xalloc.h"
#include "gputab/codec/inflate.h"
#include "gputab/codec/unzip.h"
#include "gputab/codec/utf16.h"

enum { MAGIC_MAX = 8, MARK_BYTES = 2, WIDE_BYTES = 64 * 1024, ZSTD_WINDOW_LOG = 27 };

struct format;

/* UTF-16 on its way. */
struct wide {
    struct utf16 utf16;
    uint8_t in[WIDE_BYTES], out[UTF16_UTF8_MAX * (WIDE_BYTES + 1) / 2];
    size_t at, n;                  /* what is ready: out[at .. n) */
    bool ended;
};

struct unpack {
    struct raw_input raw;
    unsigned flags;
    bool (*skips)(const char *name);
    const struct format *format;   /* NULL until the first bytes are there */
    struct ahead *ahead;
    bool spare_core;               /* a thread has one of its own */
    int64_t offset;                /* bytes of the text that the reader has */
    bool looked;                   /* the text's first bytes are known */
    bool ended;                    /* no text follows */
    bool finished;                 /* nor does another one */
    uint8_t mark[MARK_BYTES];      /* the first bytes, when they are none, until they are read */
    size_t n_mark;
    struct wide *wide;             /* NULL: not UTF-16 */
    bool inside;                   /* in the middle of a gzip member or a zstd frame */
    bool padded;                   /* zero bytes were seen behind a gzip member */
    struct inflate *gzip;
    ZSTD_DStream *zstd;
    struct unzip *zip;
};

struct format {
    const char *name;
    uint8_t magic[MAGIC_MAX];
    uint8_t magic_n;
    bool direct;                   /* steps ask for raw bytes themselves */
    int (*start)(struct unpack *u, struct err *e);           /* NULL: recognised, but not read */
    int (*step)(struct unpack *u, uint8_t *out, size_t n, struct err *e);    /* bytes written; 0 may mean "more raw bytes" */
    void (*stop)(struct unpack *u);
    const char *hint;
};

static int broken(struct unpack *u, const char *what, struct err *e)
{
    err_set(e, ERR_INPUT, "%s data %s at byte %lld", u->format->name, what, (long long)raw_input_offset(&u->raw));
    err_at(e, u->raw.path, 0, 0);
    return err_hint(e, "copy the file again; nothing of it was used");
}

/* The machine's state, not the file's: nobody should copy it again for that. */
static int no_memory(struct unpack *u, const char *name, struct err *e)
{
    err_set(e, ERR_INTERNAL, "no memory for unpacking %s data", name);
    return err_at(e, u->raw.path, 0, 0);
}

/* ---- plain ---- */

static int plain_start(struct unpack *u, struct err *e)
{
    (void)u, (void)e;
    return 0;
}

static int plain_step(struct unpack *u, uint8_t *out, size_t n, struct err *e)
{
    struct raw_input *r = &u->raw;
    size_t take = r->n - r->at < n ? r->n - r->at : n;

    if (take == 0)
        return r->eof ? 0 : raw_input_direct(r, out, n, e);
    memcpy(out, r->p + r->at, take);
    r->at += take;
    return (int)take;
}

static void plain_stop(struct unpack *u)
{
    (void)u;
}

/* ---- gzip ---- */

static int gzip_start(struct unpack *u, struct err *e)
{
    u->gzip = inflate_new(INFLATE_GZIP);
    return u->gzip ? 0 : no_memory(u, "gzip", e);
}

/* Between members: zero bytes pad a tape's block, another member may follow (pigz, cat), anything else is an error. */
static int gzip_between(struct unpack *u, struct err *e)
{
    struct raw_input *r = &u->raw;

    while (r->at < r->n && r->p[r->at] == 0) {
        r->at++;
        u->padded = true;
    }
    if (r->at == r->n)
        return 0;
    if (u->padded || r->p[r->at] != 0x1f)
        return broken(u, "is followed by something else", e);
    inflate_again(u->gzip);
    u->inside = true;
    return 0;
}

static int gzip_step(struct unpack *u, uint8_t *out, size_t n, struct err *e)
{
    struct raw_input *r = &u->raw;
    struct inflate_io io;
    enum inflate_result rc;

    if (!u->inside && gzip_between(u, e) < 0)
        return -1;
    if (!u->inside)
        return 0;
    io = (struct inflate_io){r->p + r->at, r->n - r->at, out, n};
    rc = inflate_step(u->gzip, &io);
    r->at = r->n - io.n_in;
    if (rc == INFLATE_NO_MEMORY)
        return no_memory(u, "gzip", e);
    if (rc == INFLATE_DAMAGED)
        return broken(u, "is damaged", e);
    u->inside = rc == INFLATE_MORE;
    return (int)(n - io.n_out);
}

static void gzip_stop(struct unpack *u)
{
    inflate_free(u->gzip);
}

/* ---- zstd ---- */

static int zstd_start(struct unpack *u, struct err *e)
{
    u->zstd = ZSTD_createDStream();
    if (!u->zstd)
        return no_memory(u, "zstd", e);
    (void)ZSTD_DCtx_setParameter(u->zstd, ZSTD_d_windowLogMax, ZSTD_WINDOW_LOG);   /* its default, said */
    return 0;
}

static int zstd_failed(struct unpack *u, size_t rc, struct err *e)
{
    switch (ZSTD_getErrorCode(rc)) {
    case ZSTD_error_memory_allocation:
        return no_memory(u, "zstd", e);
    case ZSTD_error_frameParameter_windowTooLarge:
        err_set(e, ERR_INPUT, "zstd data looks back further than %d MiB, which is not read here", 1 << (ZSTD_WINDOW_LOG - 20));
        err_hint(e, "pack it without --long or --ultra");
        return err_at(e, u->raw.path, 0, 0);
    default:
        broken(u, "is damaged", e);
        return err_wrap(e, "%s", ZSTD_getErrorName(rc));
    }
}

static int zstd_step(struct unpack *u, uint8_t *out, size_t n, struct err *e)
{
    struct raw_input *r = &u->raw;
    ZSTD_inBuffer in = {r->p, r->n, r->at};
    ZSTD_outBuffer to = {out, n, 0};
    size_t rc;

    if (!u->inside && in.pos == in.size)
        return 0;
    rc = ZSTD_decompressStream(u->zstd, &to, &in);
    r->at = in.pos;
    if (ZSTD_isError(rc))
        return zstd_failed(u, rc, e);
    u->inside = rc != 0;
    return (int)to.pos;
}

static void zstd_stop(struct unpack *u)
{
    ZSTD_freeDStream(u->zstd);
}

/* ---- zip ---- */

static int zip_first(struct unpack *u, struct err *e)
{
    int rc = unzip_next(u->zip, e);

    if (rc != 0)
        return rc < 0 ? -1 : 0;
    err_set(e, ERR_INPUT, "zip archive holds no file that could be read");
    return err_at(e, u->raw.path, 0, 0);
}

static int zip_start(struct unpack *u, struct err *e)
{
    u->zip = unzip_new(&u->raw, u->skips);
    if (zip_first(u, e) == 0)
        return 0;
    unzip_free(u->zip);
    u->zip = NULL;
    return -1;
}

/* For who reads one text, another one would be lost. */
static int zip_last(struct unpack *u, struct err *e)
{
    char first[200];
    int rc;

    if (u->flags & UNPACK_MEMBERS)
        return 0;
    strncpy(first, unzip_name(u->zip), sizeof first - 1);
    first[sizeof first - 1] = '\0';
    rc = unzip_next(u->zip, e);
    u->finished = rc == 0;
    if (rc != 1)
        return rc;
    err_set(e, ERR_INPUT, "zip archive holds several files, \"%s\" and \"%.200s\" among them", first, unzip_name(u->zip));
    err_at(e, u->raw.path, 0, 0);
    return err_hint(e, "unpack it and give the one that is meant");
}

static int zip_step(struct unpack *u, uint8_t *out, size_t n, struct err *e)
{
    bool end;
    int got = unzip_read(u->zip, out, n, &end, e);

    if (got < 0 || !end)
        return got;
    u->ended = true;
    return zip_last(u, e) < 0 ? -1 : got;
}

static void zip_stop(struct unpack *u)
{
    unzip_free(u->zip);
}

/* ---- the formats ---- */

#define UNPACK_FIRST "unpack it and give the file inside"
#define MAGIC(...) {__VA_ARGS__}, sizeof (uint8_t[]){__VA_ARGS__}

/* The last row matches everything. zstd's second row is a skippable frame, which some writers put first; zip's second one an archive
 * without members. */
static const struct format formats[] = {
    {"gzip", MAGIC(0x1f, 0x8b), false, gzip_start, gzip_step, gzip_stop, NULL},
    {"zstd", MAGIC(0x28, 0xb5, 0x2f, 0xfd), false, zstd_start, zstd_step, zstd_stop, NULL},
    {"zstd", MAGIC(0x50, 0x2a, 0x4d, 0x18), false, zstd_start, zstd_step, zstd_stop, NULL},
    {"zip", MAGIC('P', 'K', 3, 4), true, zip_start, zip_step, zip_stop, NULL},
    {"zip", MAGIC('P', 'K', 5, 6), true, zip_start, zip_step, zip_stop, NULL},
    {"a part of a split zip archive", MAGIC('P', 'K', 7, 8), false, NULL, NULL, NULL, UNPACK_FIRST},
    {"bzip2 data", MAGIC('B', 'Z', 'h'), false, NULL, NULL, NULL, UNPACK_FIRST},
    {"xz data", MAGIC(0xfd, '7', 'z', 'X', 'Z', 0), false, NULL, NULL, NULL, UNPACK_FIRST},
    {"a 7z archive", MAGIC('7', 'z', 0xbc, 0xaf, 0x27, 0x1c), false, NULL, NULL, NULL, UNPACK_FIRST},
    {"a Parquet file", MAGIC('P', 'A', 'R', '1'), false, NULL, NULL, NULL, "convert it to CSV"},
    {"plain", {0}, 0, true, plain_start, plain_step, plain_stop, NULL},
};

static int recognise(struct unpack *u, struct err *e)
{
    struct raw_input *r = &u->raw;
    const struct format *f = formats;
    bool there;

    if (raw_input_need(r, MAGIC_MAX, &there, e) < 0)
        return -1;
    while (r->n - r->at < f->magic_n || memcmp(r->p + r->at, f->magic, f->magic_n) != 0)
        f++;
    if (!f->start) {
        err_set(e, ERR_INPUT, "is %s, which is not read here", f->name);
        err_hint(e, "%s", f->hint);
        return err_at(e, r->path, 0, 0);
    }
    if (f->start(u, e) < 0)
        return -1;
    u->format = f;
    return 0;
}

/* ---- text ---- */

/* One step that may give nothing. Sets u->ended when nothing can follow. */
static int advance(struct unpack *u, uint8_t *out, size_t n, struct err *e)
{
    struct raw_input *r = &u->raw;
    int got;

    if (r->at == r->n && !r->eof && !u->format->direct && raw_input_more(r, e) < 0)
        return -1;
    got = u->format->step(u, out, n, e);
    if (got != 0 || r->at < r->n || !r->eof || u->ended)
        return got;
    if (u->inside)
        return broken(u, "ends too early", e);
    u->ended = true;
    return 0;
}

/* n bytes as they are unpacked; fewer only at the end. */
static int fill_narrow(struct unpack *u, uint8_t *out, size_t n, struct err *e)
{
    size_t have = 0;

    while (have < n && !u->ended) {
        int got = advance(u, out + have, n - have, e);

        if (got < 0)
            return -1;
        have += (size_t)got;
    }
    return (int)have;
}

/* More UTF-8 in w->out, or w->ended. */
static int widen_more(struct unpack *u, struct wide *w, struct err *e)
{
    int got = fill_narrow(u, w->in, WIDE_BYTES, e), n;

    if (got < 0)
        return -1;
    n = utf16_add(&w->utf16, w->in, (size_t)got, w->out, e);
    w->ended = got < WIDE_BYTES;
    if (n < 0 || (w->ended && utf16_end(&w->utf16, e) < 0))
        return err_at(e, u->raw.path, 0, 0);
    w->at = 0;
    w->n = (size_t)n;
    return 0;
}

static int fill_wide(struct unpack *u, uint8_t *out, size_t n, struct err *e)
{
    struct wide *w = u->wide;
    size_t have = 0;

    while (have < n && (w->at < w->n || !w->ended)) {
        size_t take = w->n - w->at < n - have ? w->n - w->at : n - have;

        memcpy(out + have, w->out + w->at, take);
        w->at += take;
        have += take;
        if (have < n && !w->ended && widen_more(u, w, e) < 0)
            return -1;
    }
    return (int)have;
}

/* n bytes of text; fewer only at the end: what `ahead` asks for. */
static int fill(void *ctx, void *p, size_t n, struct err *e)
{
    struct unpack *u = ctx;
    size_t first = u->n_mark < n ? u->n_mark : n;
    int got;

    if (u->wide)
        return fill_wide(u, p, n, e);
    memcpy(p, u->mark, first);
    memmove(u->mark, u->mark + first, u->n_mark - first);
    u->n_mark -= first;
    got = fill_narrow(u, (uint8_t *)p + first, n - first, e);
    return got < 0 ? -1 : (int)first + got;
}

/* Reads a text's first bytes: perhaps a mark that says UTF-16. */
static int look(struct unpack *u, struct err *e)
{
    static const uint8_t marks[2][MARK_BYTES] = {{0xff, 0xfe}, {0xfe, 0xff}};
    int got;

    if (u->looked)
        return 0;
    if (!u->format && recognise(u, e) < 0)
        return -1;
    got = fill_narrow(u, u->mark, MARK_BYTES, e);
    if (got < 0)
        return -1;
    u->looked = true;
    u->n_mark = (size_t)got;
    for (int big = 0; big < 2 && got == MARK_BYTES; big++)
        if (memcmp(u->mark, marks[big], MARK_BYTES) == 0) {
            u->wide = xcalloc(1, sizeof *u->wide);
            u->wide->utf16 = (struct utf16){.big = big, .offset = MARK_BYTES};
            u->n_mark = 0;
        }
    return 0;
}

/* ---- the reader's side ---- */

static void wake(void *ctx)
{
    raw_input_wake(&((struct unpack *)ctx)->raw);
}

static struct unpack *new_unpack(unsigned flags)
{
    struct unpack *u = xcalloc(1, sizeof *u);

    u->flags = flags;
    u->ahead = ahead_new(&(struct ahead_config){fill, wake, u});
    u->spare_core = ahead_has_core();
    return u;
}

static void begin(struct unpack *u)
{
    if (u->flags & UNPACK_SHA256)
        u->raw.hash = sha256_aside_new();
}

int unpack_open(struct unpack **out, const char *path, unsigned flags, struct err *e)
{
    struct unpack *u = new_unpack(flags);

    *out = NULL;
    if (raw_input_open(&u->raw, path, e) < 0) {
        ahead_free(u->ahead);
        free(u);
        return -1;
    }
    raw_input_wakeable(&u->raw);
    begin(u);
    *out = u;
    return 0;
}

struct unpack *unpack_over(raw_fill from_fill, void *from, const char *name, unsigned flags)
{
    struct unpack *u = new_unpack(flags);

    raw_input_over(&u->raw, from_fill, from, name);
    begin(u);
    return u;
}

void unpack_skip(struct unpack *u, bool (*skips)(const char *name))
{
    u->skips = skips;
}

static void forget_text(struct unpack *u)
{
    ahead_again(u->ahead);
    free(u->wide);
    u->wide = NULL;
    u->looked = u->ended = false;
    u->offset = 0;
}

int unpack_next(struct unpack *u, struct err *e)
{
    int rc;

    if (!u->looked)
        return look(u, e) < 0 ? -1 : 1;
    if (!u->zip || u->finished)
        return 0;
    forget_text(u);
    rc = unzip_next(u->zip, e);
    u->finished = rc == 0;
    if (rc == 1)
        return look(u, e) < 0 ? -1 : 1;
    u->looked = u->ended = true;
    return rc;
}

const char *unpack_member(const struct unpack *u)
{
    return u->zip ? unzip_name(u->zip) : NULL;
}

/* Unpacking always is: a decoder and a parser that take turns on one core lose nothing. Bytes that lie there as they are wanted only have
 * to be fetched, which another core can do meanwhile; on the same one it would be a copy more. */
static bool is_worth_a_thread(const struct unpack *u)
{
    return u->spare_core || u->wide || u->format->step != plain_step;
}

int unpack_read(struct unpack *u, void *p, size_t n, struct err *e)
{
    int got;

    assert(n <= (size_t)1 << 30);
    if (look(u, e) < 0)
        return -1;
    got = is_worth_a_thread(u) ? ahead_read(u->ahead, p, n, e) : fill(u, p, n, e);
    u->offset += got > 0 ? got : 0;
    return got;
}

int unpack_lend(struct unpack *u, char **p, struct err *e)
{
    int got;

    if (look(u, e) < 0)
        return -1;
    got = is_worth_a_thread(u) ? ahead_lend(u->ahead, p, e) : AHEAD_NONE;
    u->offset += got > 0 ? got : 0;
    return got;
}

int64_t unpack_offset(const struct unpack *u)
{
    return u->offset;
}

void unpack_hash(struct unpack *u, char hex[SHA256_HEX])
{
    assert(u->raw.hash);
    sha256_aside_end(u->raw.hash, hex);
    u->raw.hash = NULL;
}

void unpack_close(struct unpack *u)
{
    if (!u)
        return;
    ahead_free(u->ahead);
    if (u->format)
        u->format->stop(u);
    raw_input_close(&u->raw);
    free(u->wide);
    free(u);
}
