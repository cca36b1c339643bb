/* fuzz_reply: an answer of Prometheus' query API, whole and in pieces. Of an answer that is not whole nothing may count; how it is cut
 * must not show, neither in samples nor in errors. */
#include <inttypes.h>

#include "fuzz.h"
#include "gputab/source/prometheus_reply.h"
#include "gputab/source/scrape_batch.h"
#include "../unit/replay_all.h"

static const struct scrape_origin origin = { "cluster", "" };

struct world {
    struct intern *names, *labelsets;
    struct diag diag;
    struct metrics_request req;
    struct scrape scrape;
    struct prometheus_reply reply;
};

static const struct timespan window = { INT64_C(1791158400000), INT64_C(1791244800000) };  /* 2026-10-05 */

static void begin(struct world *w)
{
    static const char *const labels[] = { "app", NULL };

    *w = (struct world){ .names = intern_new(), .labelsets = intern_new() };
    w->req = (struct metrics_request){ .period = window, .max_gap_ms = 300000, .pod_labels = labels,
                                       .namespace_labels = labels, .pod_annotations = labels, .names = w->names, .diag = &w->diag };
    scrape_init(&w->scrape, &w->req);
    prometheus_reply_init(&w->reply, &w->scrape, &origin);
    prometheus_reply_begin(&w->reply, window);
}

static void release(struct world *w)
{
    prometheus_reply_free(&w->reply);
    scrape_free(&w->scrape);
    diag_free(&w->diag);
    intern_free(w->labelsets);
    intern_free(w->names);
}

static int feed(struct world *w, struct fuzz_feed f)
{
    int rc = 0;

    while (rc == 0 && f.rest.n) {
        size_t most = f.state ? 4096 : f.rest.n;
        char *piece = malloc(most), *exact;
        size_t n;

        FUZZ_CHECK(piece);
        n = fuzz_take(&f, piece, most);
        exact = malloc(n);
        FUZZ_CHECK(exact);
        memcpy(exact, piece, n);
        rc = prometheus_reply_feed(&w->reply, exact, n);
        free(exact);
        free(piece);
    }
    return rc < 0 ? -1 : prometheus_reply_end(&w->reply);
}

static void add_series(struct buf *b, struct world *w)
{
    struct samples v = {0};
    struct err e = {0};
    struct replay r;

    replay_init(&r, &w->scrape, w->names, w->labelsets, REPLAY_ALL);
    FUZZ_CHECK(replay_all(&r, &e) == 0 && replay_finish(&r, REPLAY_ALL, &e) == 0);
    for (size_t i = 0; i < r.series.n; i++) {
        const struct replay_series *s = &r.series.v[i];

        buf_addf(b, "%s %" PRIx64 " ", s->family->name, s->order);
        FUZZ_CHECK(replay_samples(&r, s, &v, &e) == 0);
        for (size_t k = 0; k < v.n; k++) {
            FUZZ_CHECK(v.v[k].time > window.from && v.v[k].time <= window.to);
            FUZZ_CHECK(k == 0 || v.v[k].time > v.v[k - 1].time);
            buf_addf(b, "%lld=%" PRIu64 " ", (long long)v.v[k].time, v.v[k].value);
        }
        buf_addc(b, '\n');
    }
    replay_free(&r);
    vec_free(&v);
}

static void add_all(struct buf *b, struct world *w, int rc)
{
    const struct reply *r = &w->reply.base;
    struct err e = {0};

    FUZZ_CHECK((rc < 0) == (r->err.code != ERR_NONE));
    FUZZ_CHECK(w->scrape.n_samples == 0);
    buf_addf(b, "%d %d %d %d ", rc, r->success, r->failure, r->cut);
    fuzz_add_span(b, buf_span(&r->error_type));
    fuzz_add_span(b, buf_span(&r->error));
    for (size_t i = 0; i < r->warnings.n; i++)
        buf_addf(b, "[%s] ", r->warnings.v[i]);
    if (rc < 0) {
        fuzz_add_err(b, &r->err);
        return;
    }
    FUZZ_CHECK(reply_keep(&w->reply.base, &e) == 0);
    add_series(b, w);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct span s = fuzz_span(data, size);
    struct buf one = {0}, other = {0};
    struct world w;

    begin(&w);
    add_all(&one, &w, feed(&w, fuzz_feed_whole(s)));
    release(&w);
    begin(&w);
    add_all(&other, &w, feed(&w, fuzz_feed_pieces(s)));
    FUZZ_SAME(&one, &other);
    release(&w);
    buf_free(&one);
    buf_free(&other);
    return 0;
}
