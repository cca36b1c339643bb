/* tokenizer: how fast an answer of the query API is read, without network and without what follows.
 *
 *     tokenizer ANSWER FROM_S TO_S      a file with one answer, and the window that was asked for
 *
 * prints JSON: bytes, samples, and MB (10^6 bytes) a second of CPU time, of codec/json_in alone with a handler that does nothing, and of
 * source/prometheus_reply, which also makes samples of the tokens. Pieces are as large as libcurl's. Of many passes the median counts. */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "gputab/base/diag.h"
#include "gputab/base/file.h"
#include "gputab/base/intern.h"
#include "gputab/source/prometheus_reply.h"

enum { PIECE = 16384, PASSES = 15 };

struct world {
    struct intern *names;
    struct diag diag;
    struct metrics_request request;
    struct scrape scrape;
    struct prometheus_reply reply;
    struct timespan window;
    struct json_in *json;
    size_t tokens;
};

static const char *const no_labels[] = { NULL };
static const struct scrape_origin origin = { "cluster", "" };

static void begin(struct world *w, struct timespan window)
{
    *w = (struct world){ .names = intern_new(), .window = window };
    w->request = (struct metrics_request){ .period = window, .max_gap_ms = 300000, .pod_labels = no_labels,
                                           .namespace_labels = no_labels, .names = w->names, .diag = &w->diag };
    scrape_init(&w->scrape, &w->request);
    prometheus_reply_init(&w->reply, &w->scrape, &origin);
}

static void release(struct world *w)
{
    prometheus_reply_free(&w->reply);
    scrape_free(&w->scrape);
    diag_free(&w->diag);
    intern_free(w->names);
    json_in_free(w->json);
}

static int count_token(void *ctx, enum json_in_kind kind, struct span text, struct err *e)
{
    struct world *w = ctx;

    (void)kind;
    (void)text;
    (void)e;
    w->tokens++;
    return 0;
}

typedef int (*pass)(struct world *w, struct span answer);

static int pass_json(struct world *w, struct span answer)
{
    struct err e = { 0 };

    if (!w->json)
        w->json = json_in_new(count_token, w);
    json_in_reset(w->json);
    for (size_t at = 0; at < answer.n; at += PIECE)
        if (json_in_feed(w->json, answer.p + at, answer.n - at < PIECE ? answer.n - at : PIECE, &e) < 0)
            return -1;
    return json_in_end(w->json, &e);
}

static int pass_reply(struct world *w, struct span answer)
{
    prometheus_reply_begin(&w->reply, w->window);
    for (size_t at = 0; at < answer.n; at += PIECE)
        if (prometheus_reply_feed(&w->reply, answer.p + at, answer.n - at < PIECE ? answer.n - at : PIECE) < 0)
            return -1;
    return prometheus_reply_end(&w->reply);
}

static double cpu_s(void)
{
    struct timespec t;

    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static int by_value(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;

    return (x > y) - (x < y);
}

/* MB/s, or 0: the answer is not read. */
static double rate(struct world *w, struct span answer, pass run)
{
    double spent[PASSES];

    for (int i = -1; i < PASSES; i++) {                /* one to warm up */
        double start = cpu_s();

        if (run(w, answer) < 0)
            return 0;
        if (i >= 0)
            spent[i] = cpu_s() - start;
    }
    qsort(spent, PASSES, sizeof *spent, by_value);
    return (double)answer.n / 1e6 / spent[PASSES / 2];
}

int main(int argc, char **argv)
{
    struct buf text = { 0 };
    struct err e = { 0 };
    struct world w;
    double json, reply;
    int64_t samples;

    if (argc != 4 || file_read(argv[1], (size_t)1 << 30, &text, &e) < 0) {
        fprintf(stderr, "usage: tokenizer ANSWER FROM_S TO_S\n");
        return 2;
    }
    begin(&w, (struct timespan){ atoll(argv[2]) * TIME_SECOND, atoll(argv[3]) * TIME_SECOND });
    json = rate(&w, buf_span(&text), pass_json);
    reply = rate(&w, buf_span(&text), pass_reply);
    samples = w.reply.base.batch.n_samples;
    printf("{\"bytes\": %zu, \"tokens\": %zu, \"samples\": %zu, \"json_mb_s\": %.1f, \"reply_mb_s\": %.1f}\n", text.n,
           w.tokens / (PASSES + 1), (size_t)samples, json, reply);
    release(&w);
    buf_free(&text);
    return json > 0 && reply > 0 ? 0 : 1;
}
