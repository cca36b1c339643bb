/* blocks_test: samples are found by time, batch by batch, however many there are. */
#include "gputab/source/blocks.h"

#include "unit.h"

/* Every series has a sample a minute; the value tells series and minute. */
static void write_run(struct blocks *b, struct block_list *batch, uint32_t series, int from, int to)
{
    struct steadies v = { 0 };
    struct err e = { 0 };

    for (int m = from; m < to; m++)
        steadies_add(&v, m * TIME_MINUTE, series * 1000000u + (unsigned)m);
    ck_assert_int_eq(blocks_write(b, batch, series, 7, v.v, v.n, &e), 0);
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
    struct block_cursor c = { 0 };
    struct block found;
    struct samples v = { 0 };
    struct err e = { 0 };
    size_t n = 0;
    int rc;

    while ((rc = blocks_next(b, &c, (struct timespan){ from * TIME_MINUTE, to * TIME_MINUTE }, &found, &e)) > 0) {
        vec_clear(&v);
        ck_assert_uint_eq(found.kind, 7);
        ck_assert(!found.shuffled);
        ck_assert_int_eq(blocks_read(b, &found, &v, &e), 0);
        for (size_t k = 0; k < v.n; k++) {
            ck_assert_uint_eq(v.v[k].value, found.series * 1000000u + (unsigned)(v.v[k].time / TIME_MINUTE));
            n += v.v[k].time >= from * TIME_MINUTE && v.v[k].time <= to * TIME_MINUTE;
        }
    }
    ck_assert_int_eq(rc, 0);
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

/* 1000 series x 10 runs of 600 samples in three to five blocks each: several segments, on disk. */
START_TEST(many_segments_are_one_store)
{
    struct blocks *b = blocks_new();
    struct block_list batch = { 0 };

    for (int run = 0; run < 10; run++) {
        for (uint32_t series = 0; series < 1000; series++)
            write_run(b, &batch, series, run * 600, run * 600 + 600);
        commit(b, &batch);
    }
    ck_assert_uint_eq(count(b, 1234, 1243), 10000);
    ck_assert_uint_eq(count(b, 0, 599), 1000 * 600);
    ck_assert_uint_eq(count(b, 598, 601), 4000);
    ck_assert_uint_lt(blocks_bytes(b), 1000 * 6000 * 7);       /* packed, with the index: a run's values change with every sample */
    vec_free(&batch);
    blocks_free(b);
}
END_TEST

/* Two days of minutes, of which midnight is in the middle: 10 minutes, 1420 of a day in three blocks, 20 around midnight, 1420, 10. */
START_TEST(blocks_end_around_midnight)
{
    static const int begin[] = { 0, 10, 522, 1034, 1430, 1450, 1962, 2474, 2870, 2880 };
    struct timespan all = { TIME_MIN, TIME_MAX };
    struct blocks *b = blocks_new();
    struct block_list batch = { 0 };
    struct block_cursor c = { 0 };
    struct err e = { 0 };

    write_run(b, &batch, 1, 0, 2880);
    commit(b, &batch);
    for (size_t i = 0; i < 9; i++) {
        struct block found;

        ck_assert_int_eq(blocks_next(b, &c, all, &found, &e), 1);
        ck_assert_int_eq(found.first, begin[i] * TIME_MINUTE);
        ck_assert_int_eq(found.last, (begin[i + 1] - 1) * TIME_MINUTE);
    }
    vec_free(&batch);
    blocks_free(b);
}
END_TEST

/* Two days of one value, as one run: the same blocks, of which each has all its samples. */
START_TEST(a_run_is_cut_into_blocks)
{
    static const int begin[] = { 0, 10, 522, 1034, 1430, 1450, 1962, 2474, 2870, 2880 };
    struct steady run = { 0, 77, (uint32_t)TIME_MINUTE, 2880 };
    struct timespan all = { TIME_MIN, TIME_MAX };
    struct blocks *b = blocks_new();
    struct block_list batch = { 0 };
    struct block_cursor c = { 0 };
    struct samples v = { 0 };
    struct err e = { 0 };

    ck_assert_int_eq(blocks_write(b, &batch, 1, 0, &run, 1, &e), 0);
    commit(b, &batch);
    for (size_t i = 0; i < 9; i++) {
        struct block found;

        vec_clear(&v);
        ck_assert_int_eq(blocks_next(b, &c, all, &found, &e), 1);
        ck_assert_int_eq(found.first, begin[i] * TIME_MINUTE);
        ck_assert_int_eq(found.last, (begin[i + 1] - 1) * TIME_MINUTE);
        ck_assert_uint_eq(found.last_value, 77);
        ck_assert_int_eq(blocks_read(b, &found, &v, &e), 0);
        ck_assert_uint_eq(v.n, (size_t)(begin[i + 1] - begin[i]));
        for (size_t k = 0; k < v.n; k++)
            ck_assert(v.v[k].value == 77 && v.v[k].time == (begin[i] + (int)k) * TIME_MINUTE);
    }
    vec_free(&v);
    vec_free(&batch);
    blocks_free(b);
}
END_TEST

/* A time that comes twice, or before the one that came before. */
START_TEST(blocks_say_when_samples_are_not_in_order)
{
    static const struct sample runs[][3] = { { { 1, 0 }, { 2, 0 }, { 3, 0 } }, { { 4, 0 }, { 4, 1 }, { 5, 0 } }, { { 6, 0 }, { 9, 0 }, { 8, 0 } } };
    struct steadies v = { 0 };
    struct timespan all = { TIME_MIN, TIME_MAX };
    struct blocks *b = blocks_new();
    struct block_list batch = { 0 };
    struct block_cursor c = { 0 };
    struct block found;
    struct err e = { 0 };

    for (size_t i = 0; i < 3; i++) {
        vec_clear(&v);
        for (size_t k = 0; k < 3; k++)
            steadies_add(&v, runs[i][k].time, runs[i][k].value);
        ck_assert_int_eq(blocks_write(b, &batch, i, 0, v.v, v.n, &e), 0);
    }
    commit(b, &batch);
    for (size_t i = 0; i < 3; i++) {
        ck_assert_int_eq(blocks_next(b, &c, all, &found, &e), 1);
        ck_assert(found.shuffled == (i > 0));
    }
    ck_assert_int_eq(found.last, 9);
    vec_free(&v);
    vec_free(&batch);
    blocks_free(b);
}
END_TEST

START_TEST(blocks_say_whether_they_begin_above_zero)
{
    static const struct sample runs[][3] = { { { 1, 5 }, { 2, 0 }, { 3, 0 } }, { { 4, 0 }, { 5, 0 }, { 6, 1 } },
                                             { { 7, 0 }, { 8, 0 }, { 12, 0 } } };
    static const enum block_on on[] = { BLOCK_ON_FIRST, BLOCK_ON_LATER, BLOCK_ON_NEVER };
    struct steadies v = { 0 };
    struct blocks *b = blocks_new();
    struct block_list batch = { 0 };
    struct err e = { 0 };

    for (size_t i = 0; i < 3; i++) {
        vec_clear(&v);
        for (size_t k = 0; k < 3; k++)
            steadies_add(&v, runs[i][k].time, runs[i][k].value);
        ck_assert_int_eq(blocks_write(b, &batch, i, 0, v.v, v.n, &e), 0);
        ck_assert_int_eq(batch.v[i].on, on[i]);
    }
    vec_free(&v);
    vec_free(&batch);
    blocks_free(b);
}
END_TEST

START_TEST(notes_are_read_where_they_were_written)
{
    struct blocks *b = blocks_new();
    struct block_list batch = { 0 };
    uint64_t first, second;
    struct err e = { 0 };

    ck_assert_int_eq(blocks_note(b, "one", 4, &first, &e), 0);
    write_run(b, &batch, 1, 0, 100);
    ck_assert_int_eq(blocks_note(b, "two", 4, &second, &e), 0);
    ck_assert_str_eq(blocks_note_at(b, first, &e), "one");
    ck_assert_str_eq(blocks_note_at(b, second, &e), "two");
    vec_free(&batch);
    blocks_free(b);
}
END_TEST

/* 30000 notes of up to 1000 bytes, a block behind each, and one note that is larger than all that the spool keeps in memory: read in the
 * order of the index, note and block by turns. */
START_TEST(notes_and_blocks_are_read_by_turns)
{
    enum { N = 30000, LARGE = 20 << 20 };
    struct timespan all = { TIME_MIN, TIME_MAX };
    struct blocks *b = blocks_new();
    struct block_list batch = { 0 };
    struct block_cursor c = { 0 };
    struct samples v = { 0 };
    struct block found;
    struct err e = { 0 };
    char *large = malloc(LARGE), note[1000];
    uint64_t at, large_at;

    memset(large, 'x', LARGE);
    ck_assert_int_eq(blocks_note(b, large, LARGE, &large_at, &e), 0);
    for (uint32_t i = 0; i < N; i++) {
        struct steady run = { TIME_HOUR, i, (uint32_t)TIME_MINUTE, 5 };

        memset(note, (int)(i % 251), sizeof note);
        memcpy(note, &i, sizeof i);
        ck_assert_int_eq(blocks_note(b, note, sizeof i + i * 7 % 997, &at, &e), 0);
        ck_assert_int_eq(blocks_write(b, &batch, at, 0, &run, 1, &e), 0);
        if (batch.n > 100)
            commit(b, &batch);
    }
    commit(b, &batch);
    for (uint32_t i = 0; i < N; i++) {
        size_t length = sizeof i + i * 7 % 997;
        const char *p;

        ck_assert_int_eq(blocks_next(b, &c, all, &found, &e), 1);
        p = blocks_note_at(b, found.series, &e);
        memset(note, (int)(i % 251), sizeof note);
        memcpy(note, &i, sizeof i);
        ck_assert_mem_eq(p, note, length);
        vec_clear(&v);
        ck_assert_int_eq(blocks_read(b, &found, &v, &e), 0);
        ck_assert_uint_eq(v.v[0].value, i);
    }
    ck_assert_mem_eq(blocks_note_at(b, large_at, &e), large, LARGE);
    free(large);
    vec_free(&v);
    vec_free(&batch);
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
    tcase_add_test(t, blocks_end_around_midnight);
    tcase_add_test(t, a_run_is_cut_into_blocks);
    tcase_add_test(t, blocks_say_when_samples_are_not_in_order);
    tcase_add_test(t, blocks_say_whether_they_begin_above_zero);
    tcase_add_test(t, notes_are_read_where_they_were_written);
    tcase_add_test(t, notes_and_blocks_are_read_by_turns);
    suite_add_tcase(s, t);
    return unit_run(s);
}
