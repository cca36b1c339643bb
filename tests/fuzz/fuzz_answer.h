/* fuzz_answer: an answer to a transport, whole and in pieces. Of an answer that is not whole nothing may count; how it is cut must not
 * show, neither in samples nor in errors; and what counts lies in the window, in the order of time. */
#ifndef GPUTAB_TESTS_FUZZ_ANSWER_H
#define GPUTAB_TESTS_FUZZ_ANSWER_H

#include <inttypes.h>

#include "fuzz.h"
#include "gputab/source/transport.h"
#include "gputab/source/scrape_batch.h"
#include "../unit/replay_all.h"

struct fuzz_world {
    struct intern *names, *labelsets;
    struct diag diag;
    struct metrics_request req;
    struct scrape scrape;
    struct reply *reply;
};

static const struct timespan fuzz_window = { INT64_C(1791158400000), INT64_C(1791244800000) };     /* 2026-10-05 */

static inline void fuzz_begin(struct fuzz_world *w, const struct transport *t)
{
    static const struct scrape_origin origin = { "cluster", "" };
    static const char *const labels[] = { "app", NULL };

    *w = (struct fuzz_world){ .names = intern_new(), .labelsets = intern_new() };
    w->req = (struct metrics_request){ .period = fuzz_window, .max_gap_ms = 300000, .pod_labels = labels,
                                       .namespace_labels = labels, .pod_annotations = labels, .names = w->names, .diag = &w->diag };
    scrape_init(&w->scrape, &w->req);
    w->reply = t->open(&w->scrape, &origin);
    t->begin(w->reply, fuzz_window);
}

static inline void fuzz_end(struct fuzz_world *w, const struct transport *t)
{
    t->close(w->reply);
    scrape_free(&w->scrape);
    diag_free(&w->diag);
    intern_free(w->labelsets);
    intern_free(w->names);
}

static inline int fuzz_feed_answer(struct fuzz_world *w, const struct transport *t, int status, const char *type, struct fuzz_feed f)
{
    int rc = t->suits(w->reply, status, span_of(type)) ? 0 : -1;

    while (rc == 0 && f.rest.n) {
        size_t most = f.state ? 4096 : f.rest.n;
        char *piece = malloc(most), *exact;
        size_t n;

        FUZZ_CHECK(piece);
        n = fuzz_take(&f, piece, most);
        exact = malloc(n);
        FUZZ_CHECK(exact);
        memcpy(exact, piece, n);
        rc = t->feed(w->reply, exact, n);
        free(exact);
        free(piece);
    }
    return rc < 0 ? -1 : t->end(w->reply);
}

static inline void fuzz_add_series(struct buf *b, struct fuzz_world *w)
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
            FUZZ_CHECK(v.v[k].time > fuzz_window.from && v.v[k].time <= fuzz_window.to);
            FUZZ_CHECK(k == 0 || v.v[k].time > v.v[k - 1].time);
            buf_addf(b, "%lld=%" PRIu64 " ", (long long)v.v[k].time, v.v[k].value);
        }
        buf_addc(b, '\n');
    }
    replay_free(&r);
    vec_free(&v);
}

static inline void fuzz_add_answer(struct buf *b, struct fuzz_world *w, int rc)
{
    const struct reply *r = w->reply;
    struct err e = {0};

    FUZZ_CHECK((rc < 0) == (r->err.code != ERR_NONE));
    FUZZ_CHECK(rc == 0 || !r->success);
    FUZZ_CHECK(!(r->success && r->failure));
    FUZZ_CHECK(w->scrape.n_samples == 0);
    buf_addf(b, "%d %d %d %d %d ", rc, r->success, r->failure, r->cut, r->unsuited);
    fuzz_add_span(b, buf_span(&r->error));
    if (rc < 0) {
        fuzz_add_err(b, &r->err);
        return;
    }
    FUZZ_CHECK(reply_keep(w->reply, &e) == 0);
    fuzz_add_series(b, w);
}

static inline void fuzz_answer(const struct transport *t, int status, const char *type, struct span answer)
{
    struct buf one = {0}, other = {0};
    struct fuzz_world w;

    fuzz_begin(&w, t);
    fuzz_add_answer(&one, &w, fuzz_feed_answer(&w, t, status, type, fuzz_feed_whole(answer)));
    fuzz_end(&w, t);
    fuzz_begin(&w, t);
    fuzz_add_answer(&other, &w, fuzz_feed_answer(&w, t, status, type, fuzz_feed_pieces(answer)));
    fuzz_end(&w, t);
    FUZZ_SAME(&one, &other);
    buf_free(&one);
    buf_free(&other);
}

#endif
