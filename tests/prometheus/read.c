/* read: one question to a server's remote read, for the tests: what gputab itself does not send.
 *
 *     read URL REGEX FROM_MS TO_MS chunks|samples
 *
 * Prints the content type, and then a line for each series and each sample inside the time: its time and the bits of its value. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "gputab/codec/http.h"
#include "gputab/codec/remote_read.h"
#include "gputab/codec/xor_chunk.h"

struct reading {
    int64_t from_ms, to_ms;
    struct http *http;
    struct remote_read *reader;
    bool begun;
    struct err err;
};

static int on_series(void *ctx, const struct openmetrics_label *labels, size_t n, struct err *e)
{
    (void)ctx;
    (void)e;
    for (size_t i = 0; i < n; i++)
        printf("%s%.*s=%.*s", i ? " " : "series ", (int)labels[i].name.n, labels[i].name.p, (int)labels[i].value.n, labels[i].value.p);
    puts("");
    return 0;
}

static void show(const struct reading *r, int64_t time_ms, uint64_t bits)
{
    if (time_ms >= r->from_ms && time_ms <= r->to_ms)
        printf("%" PRId64 " %016" PRIx64 "\n", time_ms, bits);
}

static int on_chunk(void *ctx, int64_t min_ms, int64_t max_ms, struct span bytes, struct err *e)
{
    struct xor_chunk c;
    struct xor_sample s;

    (void)min_ms;
    (void)max_ms;
    if (xor_chunk_begin(&c, bytes) < 0)
        return err_set(e, ERR_INPUT, "a damaged chunk");
    for (;;) {
        enum xor_chunk_step step = xor_chunk_next(&c, &s);

        if (step == XOR_CHUNK_END)
            return 0;
        if (step == XOR_CHUNK_BROKEN)
            return err_set(e, ERR_INPUT, "a damaged chunk");
        show(ctx, s.time_ms, s.bits);
    }
}

static int on_sample(void *ctx, int64_t time_ms, double value, struct err *e)
{
    uint64_t bits;

    (void)e;
    memcpy(&bits, &value, sizeof bits);
    show(ctx, time_ms, bits);
    return 0;
}

static int take(void *ctx, const char *p, size_t n)
{
    struct reading *r = ctx;

    if (!r->begun) {
        struct span type;
        int status;

        http_answering(r->http, 0, &status, &type);
        printf("%d %.*s\n", status, (int)type.n, type.p);
        remote_read_begin(r->reader, span_has_fold(type, "streamed") ? REMOTE_READ_STREAMED : REMOTE_READ_SAMPLES);
        r->begun = true;
    }
    return remote_read_feed(r->reader, p, n, &r->err);
}

static int read_all(struct reading *r, const char *url, struct span body)
{
    static const char *const headers[] = { "Content-Encoding: snappy", "X-Prometheus-Remote-Read-Version: 0.1.0", NULL };
    struct http_result result;
    unsigned slot;

    if (http_new(&r->http, &r->err) < 0 || http_add_slot(r->http, &(struct http_access){ .user = NULL }, &slot, &r->err) < 0)
        return -1;
    http_post(r->http, slot, &(struct http_request){ .url = url, .content_type = "application/x-protobuf", .headers = headers, .body = body,
                                                     .cap_bytes = 1 << 28, .raw = true }, take, r);
    while (!http_wait(r->http, 1000, &result))
        continue;
    if (r->err.code != ERR_NONE)
        return -1;
    if (result.outcome != HTTP_ANSWERED || result.status != 200)
        return err_set(&r->err, ERR_INPUT, "status %d: %s", result.status, result.text);
    return remote_read_end(r->reader, &r->err);
}

int main(int argc, char **argv)
{
    static const struct remote_read_events events = { on_series, on_chunk, on_sample };
    struct reading r = { .begun = false };
    struct buf body = { 0 };
    int rc;

    if (argc != 6)
        return 2;
    r.from_ms = strtoll(argv[3], NULL, 10);
    r.to_ms = strtoll(argv[4], NULL, 10);
    r.reader = remote_read_new(&events, &r);
    remote_read_add_request(&body, &(struct remote_read_question){ .name_regex = span_of(argv[2]), .time_from_ms = r.from_ms,
                                                                   .time_to_ms = r.to_ms, .samples_only = !strcmp(argv[5], "samples") });
    rc = read_all(&r, argv[1], buf_span(&body));
    if (rc < 0)
        fprintf(stderr, "%s\n", r.err.text);
    remote_read_free(r.reader);
    http_free(r.http);
    buf_free(&body);
    return rc < 0 ? 1 : 0;
}
