/* scrape_batch_test: a series that comes as runs of equal samples leaves what it leaves sample by sample. */
#include "gputab/source/scrape_batch.h"

#include "gputab/source/scrape_series.h"
#include "metrics_fixture.h"
#include "unit.h"

/* A scrape with one series of MiB, and a batch. */
struct world {
    struct loaded l;
    struct metrics_request req;
    struct scrape scrape;
    struct scrape_handle series;
    struct scrape_batch batch;
};

static void begin(struct world *w)
{
    static const struct scrape_origin origin = { "cluster", "" };
    struct openmetrics_label labels[] = { { span_of("UUID"), span_of("GPU-1") }, { span_of("instance"), span_of("a") } };
    const struct family *f;

    *w = (struct world){ 0 };
    fixture_init(&w->l);
    w->req = fixture_request(&w->l, NULL);
    scrape_init(&w->scrape, &w->req);
    f = scrape_family(&w->scrape, span_of("DCGM_FI_DEV_FB_USED"));
    ck_assert_int_eq(scrape_series(&w->scrape, &origin, f, labels, 2, &w->series, &w->l.err), 0);
}

static void end(struct world *w)
{
    scrape_batch_free(&w->batch);
    scrape_free(&w->scrape);
    inventory_free(&w->l.inv);
    intern_free(w->l.names);
    diag_free(&w->l.diag);
}

static void give(struct world *w, const struct steady *v, size_t n)
{
    ck_assert_int_eq(scrape_batch_add(&w->scrape, &w->batch, w->series, v, n, &w->l.err), 0);
}

static void read_back(struct world *w, struct samples *out)
{
    for (size_t i = 0; i < w->batch.blocks.n; i++)
        ck_assert_int_eq(blocks_read(w->scrape.blocks, &w->batch.blocks.v[i], out, &w->l.err), 0);
}

/* The period and a gap to each side are kept: of 1000 samples a minute apart around its beginning those from there on, and the others say
 * from when to when they were. 40960 MiB are 42949672960 bytes. */
START_TEST(what_is_before_the_period_is_passed_over)
{
    struct world w;
    struct samples out = { 0 };
    struct steady run;
    time_ms keep;

    begin(&w);
    keep = w.scrape.keep.from;
    run = (struct steady){ keep - 400 * TIME_MINUTE, steady_bits(40960), (uint32_t)TIME_MINUTE, 1000 };
    give(&w, &run, 1);
    read_back(&w, &out);
    ck_assert_uint_eq(out.n, 600);
    ck_assert_int_eq(out.v[0].time, keep);
    ck_assert_int_eq(out.v[599].time, keep + 599 * TIME_MINUTE);
    ck_assert_uint_eq(out.v[0].value, UINT64_C(42949672960));
    ck_assert_int_eq(w.batch.n_samples, 600);
    ck_assert_int_eq(w.scrape.beyond.from, keep - 400 * TIME_MINUTE);
    ck_assert_int_eq(w.scrape.beyond.to, keep - TIME_MINUTE);
    vec_free(&out);
    end(&w);
}
END_TEST

static uint64_t next(uint64_t *state)
{
    *state = *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return *state >> 33;
}

/* Mostly regular, with gaps, steps back, repetitions, and values that do not count; over both ends of what is kept. */
static size_t invent(uint64_t *state, struct timespan keep, struct steady *v, size_t cap)
{
    static const double values[] = { 0, 1, 40960, 0.3, 1e300, -1 };
    time_ms t = (next(state) % 2 ? keep.from : keep.to) - (time_ms)(next(state) % 60) * TIME_MINUTE;
    uint64_t value = steady_bits(1);
    size_t n = 1 + next(state) % cap;

    for (size_t i = 0; i < n; i++) {
        uint64_t how = next(state) % 24;

        t += how == 0 ? -2 * TIME_MINUTE : how == 1 ? 0 : how == 2 ? TIME_HOUR : how == 3 ? 61000 : TIME_MINUTE;
        if (how >= 4 && how <= 6)
            value = steady_bits(values[next(state) % 6]);
        v[i] = steady_one(t, value);
    }
    return n;
}

static void check_same(struct world *a, struct world *b)
{
    struct samples left = { 0 }, right = { 0 };

    read_back(a, &left);
    read_back(b, &right);
    ck_assert_uint_eq(left.n, right.n);
    ck_assert(left.n == 0 || memcmp(left.v, right.v, left.n * sizeof *left.v) == 0);
    ck_assert_uint_eq(a->batch.blocks.n, b->batch.blocks.n);
    for (size_t i = 0; i < a->batch.blocks.n; i++) {
        const struct block *x = &a->batch.blocks.v[i], *y = &b->batch.blocks.v[i];

        ck_assert(x->first == y->first && x->last == y->last && x->last_value == y->last_value && x->shuffled == y->shuffled);
    }
    ck_assert_uint_eq(a->batch.counts.n, b->batch.counts.n);
    for (size_t i = 0; i < a->batch.counts.n; i++) {
        ck_assert_int_eq(a->batch.counts.v[i].bad, b->batch.counts.v[i].bad);
        ck_assert_int_eq(a->batch.counts.v[i].repeated, b->batch.counts.v[i].repeated);
    }
    ck_assert_int_eq(a->batch.n_samples, b->batch.n_samples);
    ck_assert_int_eq(a->batch.gpu_memory, b->batch.gpu_memory);
    ck_assert_int_eq(a->scrape.beyond.from, b->scrape.beyond.from);
    ck_assert_int_eq(a->scrape.beyond.to, b->scrape.beyond.to);
    vec_free(&left);
    vec_free(&right);
}

START_TEST(runs_leave_what_their_samples_leave)
{
    uint64_t state = (uint64_t)_i + 1;
    struct steadies runs = { 0 };
    struct steady alone[400];
    struct world a, b;
    size_t n;

    begin(&a);
    begin(&b);
    n = invent(&state, a.scrape.keep, alone, 400);
    for (size_t i = 0; i < n; i++)
        steadies_add(&runs, alone[i].first, alone[i].value);
    give(&a, runs.v, runs.n);
    give(&b, alone, n);
    check_same(&a, &b);
    vec_free(&runs);
    end(&a);
    end(&b);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("scrape_batch");
    TCase *t = tcase_create("all");

    tcase_add_test(t, what_is_before_the_period_is_passed_over);
    tcase_add_loop_test(t, runs_leave_what_their_samples_leave, 0, 60);
    suite_add_tcase(s, t);
    return unit_run(s);
}
