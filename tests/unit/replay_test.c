/* replay_test: blocks of a series in the order in which its samples are to be read. */
#include "gputab/source/replay.h"

#include "gputab/source/scrape_batch.h"
#include "metrics_fixture.h"
#include "replay_all.h"
#include "unit.h"

static struct loaded l;
static struct metrics_request req;
static struct scrape scrape;
static struct scrape_handle series;
static struct replay replay;

static void setup(void)
{
    static const struct scrape_origin origin = { "cluster", "" };
    struct openmetrics_label labels[] = { { span_of("UUID"), span_of("GPU-1") }, { span_of("instance"), span_of("a") } };
    const struct family *family;

    fixture_init(&l);
    req = fixture_request(&l, NULL);
    scrape_init(&scrape, &req);
    family = scrape_family(&scrape, span_of("DCGM_FI_DEV_FB_USED"));
    ck_assert_int_eq(scrape_series(&scrape, &origin, family, labels, 2, &series, &l.err), 0);
    replay_init(&replay, &scrape, l.names, l.inv.labelsets, REPLAY_ALL);
}

static void teardown(void)
{
    replay_free(&replay);
    scrape_free(&scrape);
    inventory_free(&l.inv);
    intern_free(l.names);
    diag_free(&l.diag);
}

/* Two samples a minute apart into a batch, which is not kept yet. */
static void receive(struct scrape_batch *b, int seconds, double value)
{
    struct steady v[] = { { AT(seconds), steady_bits(value), 60000, 2 } };

    ck_assert_int_eq(scrape_batch_add(&scrape, b, series, v, 1, &l.err), 0);
}

static void keep(struct scrape_batch *b)
{
    ck_assert_int_eq(scrape_batch_commit(&scrape, b, &l.err), 0);
    scrape_batch_free(b);
}

/* The times of the series' blocks, in the order in which they are read: seconds. */
static void check_blocks(const int *wanted, size_t n)
{
    const struct block *blocks;

    ck_assert_int_eq(replay_all(&replay, &l.err), 0);
    ck_assert_int_eq(replay_finish(&replay, REPLAY_ALL, &l.err), 0);
    ck_assert_uint_eq(replay.series.n, 1);
    ck_assert_uint_eq(replay_blocks_of(&replay, &replay.series.v[0], &blocks), n);
    for (size_t i = 0; i < n; i++)
        ck_assert_int_eq(blocks[i].first, AT(wanted[i]));
}

/* Two answers arrive at a time. The later samples were written first, but the answer with the earlier ones was whole first. */
START_TEST(an_answer_that_is_overtaken_leaves_samples_in_their_order)
{
    struct scrape_batch early = { 0 }, late = { 0 };

    receive(&late, 600, 2);
    receive(&early, 0, 1);
    keep(&early);
    keep(&late);
    check_blocks((int[]){ 0, 600 }, 2);
    ck_assert(!replay.series.v[0].shuffled);
}
END_TEST

/* Of equal times the first counts: what comes out of the order of time stays in the order in which it was written. */
START_TEST(samples_out_of_order_stay_as_they_came)
{
    struct scrape_batch first = { 0 }, second = { 0 };

    receive(&first, 600, 2);
    keep(&first);
    receive(&second, 0, 1);
    keep(&second);
    check_blocks((int[]){ 600, 0 }, 2);
    ck_assert(replay.series.v[0].shuffled);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("replay");
    TCase *t = tcase_create("order");

    tcase_add_checked_fixture(t, setup, teardown);
    tcase_add_test(t, an_answer_that_is_overtaken_leaves_samples_in_their_order);
    tcase_add_test(t, samples_out_of_order_stay_as_they_came);
    suite_add_tcase(s, t);
    return unit_run(s);
}
