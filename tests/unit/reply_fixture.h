/* reply_fixture: answers to a transport, in pieces of any size, and what came of them as a short text. */
#ifndef GPUTAB_TESTS_REPLY_FIXTURE_H
#define GPUTAB_TESTS_REPLY_FIXTURE_H

#include "gputab/source/transport.h"
#include "gputab/source/scrape_batch.h"
#include "metrics_fixture.h"
#include "replay_all.h"

struct asked {
    struct loaded l;
    struct metrics_request req;
    struct scrape scrape;
    const struct transport *transport;
    struct reply *reply;
};

/* Samples count in (0 s, 3600 s] after BASE_S. */
static inline void ask(struct asked *a, const struct transport *t)
{
    static const struct scrape_origin origin = { "cluster", "" };

    fixture_init(&a->l);
    a->req = fixture_request(&a->l, NULL);
    scrape_init(&a->scrape, &a->req);
    a->transport = t;
    a->reply = t->open(&a->scrape, &origin);
    t->begin(a->reply, (struct timespan){ AT(0), AT(3600) });
}

static inline void release(struct asked *a)
{
    a->transport->close(a->reply);
    scrape_free(&a->scrape);
    inventory_free(&a->l.inv);
    intern_free(a->l.names);
    diag_free(&a->l.diag);
}

/* 0, or -1: not suited, or unreadable. */
static inline int answer(struct asked *a, int status, const char *type, struct span text, size_t piece)
{
    if (!a->transport->suits(a->reply, status, span_of(type)))
        return -1;
    for (size_t at = 0; at < text.n; at += piece)
        if (a->transport->feed(a->reply, text.p + at, text.n - at < piece ? text.n - at : piece) < 0)
            return -1;
    return a->transport->end(a->reply);
}

/* "GPU-1 60000=5 120500=7 | ...": a series per part, in the order of arrival: ms after BASE_S and values. */
static inline char *tell(struct asked *a)
{
    struct buf b = { 0 };
    struct samples v = { 0 };
    struct err e = { 0 };
    struct replay r;

    replay_init(&r, &a->scrape, a->l.names, a->l.inv.labelsets, REPLAY_ALL);
    ck_assert_int_eq(replay_all(&r, &e), 0);
    for (size_t i = 0; i < r.series.n; i++) {
        const struct replay_series *s = &r.series.v[i];

        ck_assert_int_eq(replay_samples(&r, s, &v, &e), 0);
        buf_addf(&b, "%s%s", i ? " | " : "", intern_cstr(a->l.names, replay_role(s, ROLE_UUID)));
        for (size_t k = 0; k < v.n; k++)
            buf_addf(&b, " %lld=%llu", (long long)(v.v[k].time - AT(0)), (unsigned long long)v.v[k].value);
    }
    replay_free(&r);
    vec_free(&v);
    return buf_take(&b);
}

/* However the answer is cut into pieces, it gives these samples, and none before it is kept. */
static inline void check_answer(const struct transport *t, const char *type, struct span text, const char *wanted)
{
    static const size_t pieces[] = { 1, 2, 7, 64, 1 << 20 };

    for (size_t i = 0; i < sizeof pieces / sizeof *pieces; i++) {
        struct asked a;
        struct err e = { 0 };
        char *told;

        ask(&a, t);
        ck_assert_msg(answer(&a, 200, type, text, pieces[i]) == 0, "%s", a.reply->err.text);
        ck_assert(a.reply->success && !a.reply->failure);
        ck_assert_int_eq(a.scrape.n_samples, 0);
        ck_assert_int_eq(reply_keep(a.reply, &e), 0);
        told = tell(&a);
        ck_assert_str_eq(told, wanted);
        free(told);
        release(&a);
    }
}

static inline void check_refused(const struct transport *t, const char *type, struct span text, const char *wanted)
{
    for (size_t piece = 1; piece < 100000; piece *= 9) {
        struct asked a;

        ask(&a, t);
        ck_assert_int_eq(answer(&a, 200, type, text, piece), -1);
        ck_assert_str_eq(a.reply->err.text, wanted);
        ck_assert(!a.reply->success);
        release(&a);
    }
}

#endif
