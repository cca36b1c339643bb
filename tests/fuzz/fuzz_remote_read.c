/* fuzz_remote_read: an answer of remote read, whole and in pieces; how it is cut must not show, neither in events nor in errors.
 *
 * The first byte says what the others are: '0' a streamed answer, '1' one in samples; '2' messages, each behind two bytes of length (lowest
 * first), which are made frames with right checksums here; '3' a message that is made a block here. */
#include "fuzz_frames.h"
#include "gputab/codec/remote_read.h"
#include "gputab/codec/snappy.h"

static int on_series(void *ctx, const struct openmetrics_label *labels, size_t n, struct err *e)
{
    struct buf *b = ctx;

    (void)e;
    FUZZ_CHECK(n <= REMOTE_READ_LABELS);
    buf_addc(b, '{');
    for (size_t i = 0; i < n; i++) {
        fuzz_add_span(b, labels[i].name);
        fuzz_add_span(b, labels[i].value);
    }
    buf_adds(b, "}\n");
    return 0;
}

static int on_chunk(void *ctx, int64_t min_ms, int64_t max_ms, struct span bytes, struct err *e)
{
    if (span_starts(bytes, "refused"))
        return err_set(e, ERR_INPUT, "refused");
    fuzz_add_number(ctx, min_ms);
    fuzz_add_number(ctx, max_ms);
    fuzz_add_span(ctx, bytes);
    return 0;
}

static int on_sample(void *ctx, int64_t time_ms, double value, struct err *e)
{
    int64_t bits;

    if (time_ms == 4711)
        return err_set(e, ERR_INPUT, "refused");
    memcpy(&bits, &value, sizeof bits);
    fuzz_add_number(ctx, time_ms);
    fuzz_add_number(ctx, bits);
    return 0;
}

static void read_answer(struct remote_read *r, enum remote_read_form form, struct fuzz_feed f, struct buf *out)
{
    struct err e = {0};
    int rc = 0;

    remote_read_begin(r, form);
    while (rc == 0 && f.rest.n) {
        size_t most = f.state ? 4096 : f.rest.n, n;
        char *piece = malloc(most), *exact;

        FUZZ_CHECK(piece);
        n = fuzz_take(&f, piece, most);
        exact = malloc(n);
        FUZZ_CHECK(exact);
        memcpy(exact, piece, n);
        rc = remote_read_feed(r, exact, n, &e);
        free(exact);
        free(piece);
    }
    if (rc == 0)
        rc = remote_read_end(r, &e);
    FUZZ_CHECK(rc < 0 || (!remote_read_cut(r) && !remote_read_unknown_encoding(r)));
    if (rc < 0)
        fuzz_add_err(out, &e);
    buf_addf(out, "%d %d %d\n", rc, remote_read_cut(r), remote_read_unknown_encoding(r));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const struct remote_read_events events = { on_series, on_chunk, on_sample };
    struct buf whole = {0}, pieces = {0}, answer = {0};
    struct span rest = fuzz_span(data, size);
    struct remote_read *r;
    int kind;

    if (size == 0)
        return 0;
    kind = *rest.p & 3;
    rest = (struct span){ rest.p + 1, rest.n - 1 };
    if (kind < 2)
        buf_add_span(&answer, rest);
    else if (kind == 2)
        fuzz_add_frames(&answer, rest);
    else
        snappy_add_literal(&answer, rest);
    r = remote_read_new(&events, &whole);
    read_answer(r, kind & 1 ? REMOTE_READ_SAMPLES : REMOTE_READ_STREAMED, fuzz_feed_whole(buf_span(&answer)), &whole);
    remote_read_free(r);
    r = remote_read_new(&events, &pieces);
    read_answer(r, kind & 1 ? REMOTE_READ_SAMPLES : REMOTE_READ_STREAMED, fuzz_feed_pieces(buf_span(&answer)), &pieces);
    remote_read_free(r);
    FUZZ_SAME(&whole, &pieces);
    buf_free(&whole);
    buf_free(&pieces);
    buf_free(&answer);
    return 0;
}
