/* blocks_test: samples are found by time, batch by batch, however many there are. */
#include "gputab/source/blocks.h"

#include "unit.h"

/* Every series has a sample a minute; the value tells series and minute. */
static void write_run(struct blocks *b, struct block_list *batch, uint32_t series, int from, int to)
{
    struct samples v = { 0 };
    struct err e = { 0 };

    for (int m = from; m < to; m++)
        vec_push(&v, (struct sample){ m * TIME_MINUTE, series * 1000000u + (unsigned)m });
    ck_assert_int_eq(blocks_write(b, batch, series, v.v, v.n, &e), 0);
    vec_free(&v);
}

static void commit(struct blocks *b, struct block_list *batch)
{
    struct err e = { 0 };

    ck_assert_int_eq(blocks_commit(b, batch, &e), 0);
    vec_clear(batch);
}

/* Samples in [from, to] minutes that the blocks of the span hold; each must be its series' own. */
static size_t count(struct blocks *b, int from, int to)
{
    struct block_list found = { 0 };
    struct samples v = { 0 };
    struct err e = { 0 };
    size_t n = 0;

    ck_assert_int_eq(blocks_find(b, (struct timespan){ from * TIME_MINUTE, to * TIME_MINUTE }, &found, &e), 0);
    for (size_t i = 0; i < found.n; i++) {
        vec_clear(&v);
        ck_assert_int_eq(blocks_read(b, &found.v[i], &v, &e), 0);
        for (size_t k = 0; k < v.n; k++) {
            ck_assert_uint_eq(v.v[k].value, found.v[i].series * 1000000u + (unsigned)(v.v[k].time / TIME_MINUTE));
            n += v.v[k].time >= from * TIME_MINUTE && v.v[k].time <= to * TIME_MINUTE;
        }
    }
    blocks_rest(b);
    vec_free(&found);
    vec_free(&v);
    return n;
}

START_TEST(only_what_was_committed_is_found)
{
    struct blocks *b = blocks_new();
    struct block_list batch = { 0 };

    write_run(b, &batch, 1, 0, 100);
    ck_assert_uint_eq(count(b, 0, 1000), 0);
    vec_clear(&batch);                                 /* given up */
    write_run(b, &batch, 2, 0, 100);
    commit(b, &batch);
    ck_assert_uint_eq(count(b, 0, 1000), 100);
    ck_assert_uint_eq(count(b, 99, 99), 1);            /* both ends count */
    ck_assert_uint_eq(count(b, 100, 1000), 0);
    vec_free(&batch);
    blocks_free(b);
}
END_TEST

/* 3000 series x 10 runs of 600 samples: 60,000 blocks in eight segments, on disk. */
START_TEST(many_segments_are_one_store)
{
    struct blocks *b = blocks_new();
    struct block_list batch = { 0 };

    for (int run = 0; run < 10; run++) {
        for (uint32_t series = 0; series < 3000; series++)
            write_run(b, &batch, series, run * 600, run * 600 + 600);
        commit(b, &batch);
    }
    ck_assert_uint_eq(count(b, 1234, 1243), 30000);
    ck_assert_uint_eq(count(b, 0, 599), 3000 * 600);
    ck_assert_uint_eq(count(b, 598, 601), 12000);
    ck_assert_uint_lt(blocks_bytes(b), 60000 * (2048 + 40));       /* packed: a run's values change with every sample */
    vec_free(&batch);
    blocks_free(b);
}
END_TEST

/* Series 3 and 1 are wanted, in this order: two runs of 600 samples are two blocks each, of 512 and 88. */
START_TEST(blocks_of_some_series_come_in_the_order_of_places)
{
    static const uint32_t place[] = { NONE, 1, NONE, 0 };
    static const int begin[] = { 0, 512, 600, 1112 };
    struct blocks *b = blocks_new();
    struct block_list batch = { 0 }, found = { 0 };
    struct err e = { 0 };

    for (int run = 0; run < 2; run++) {
        for (uint32_t series = 0; series < 6; series++)        /* 4 and 5 are beyond the places */
            write_run(b, &batch, series, run * 600, run * 600 + 600);
        commit(b, &batch);
    }
    ck_assert_int_eq(blocks_find_of(b, (struct timespan){ 0, 1199 * TIME_MINUTE }, place, 4, &found, &e), 0);
    ck_assert_uint_eq(found.n, 8);
    for (size_t i = 0; i < 8; i++) {
        struct samples v = { 0 };

        ck_assert_uint_eq(found.v[i].series, i / 4);
        ck_assert_int_eq(found.v[i].first, begin[i % 4] * TIME_MINUTE);
        ck_assert_int_eq(blocks_read(b, &found.v[i], &v, &e), 0);
        ck_assert_uint_eq(v.v[0].value / 1000000, i / 4 == 0 ? 3 : 1);
        vec_free(&v);
    }
    ck_assert_int_eq(blocks_find_of(b, (struct timespan){ 0, 0 }, place, 4, &found, &e), 0);      /* appends: the first block of each */
    ck_assert_uint_eq(found.n, 10);
    ck_assert_uint_eq(found.v[9].series, 1);
    vec_free(&batch);
    vec_free(&found);
    blocks_free(b);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("blocks");
    TCase *t = tcase_create("all");

    tcase_set_timeout(t, 60);
    tcase_add_test(t, only_what_was_committed_is_found);
    tcase_add_test(t, many_segments_are_one_store);
    tcase_add_test(t, blocks_of_some_series_come_in_the_order_of_places);
    suite_add_tcase(s, t);
    return unit_run(s);
}
