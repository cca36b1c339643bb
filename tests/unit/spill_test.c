/* spill: records come back, from memory and from a file, in order and from any of them on; and what happens without a file. */
#include "unit.h"

#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>

#include "gputab/base/packed.h"
#include "gputab/base/spill.h"

enum { RECORDS = 40000 };                              /* of up to 50 bytes and more: well above what stays in memory */

static struct span record(char *text, size_t size, int i)
{
    return (struct span){ text, (size_t)snprintf(text, size, "%d:%.*s", i, i % 50, "..................................................") };
}

static void fill(struct spill *s, int from, int to, uint64_t *at)
{
    char text[80];

    for (int i = from; i < to; i++) {
        at[i] = spill_end(s);
        spill_add(s, record(text, sizeof text, i));
    }
}

static void expect(struct spill *s, int from, int to, const uint64_t *at)
{
    struct spill_reader r = spill_read(s, at[from], to < RECORDS ? at[to] : spill_end(s));
    struct span got;
    char text[80];

    for (int i = from; i < to; i++) {
        ck_assert(spill_next(&r, &got));
        ck_assert_msg(span_same(got, record(text, sizeof text, i)), "record %d is %.*s", i, (int)got.n, got.p);
    }
    ck_assert(!spill_next(&r, &got));
    spill_reader_free(&r);
}

static void records_come_back(void)
{
    struct spill *s = spill_new();
    uint64_t *at = calloc(RECORDS + 1, sizeof *at);
    struct err e = { 0 };

    fill(s, 0, 100, at);                               /* still in memory */
    at[100] = spill_end(s);
    expect(s, 0, 100, at);
    fill(s, 100, RECORDS, at);
    expect(s, 0, RECORDS, at);
    for (int i = 0; i + 10 < RECORDS; i += 997)
        expect(s, i, i + 10, at);
    ck_assert_int_eq(spill_check(s, &e), 0);
    spill_free(s);
    free(at);
}

START_TEST(records_come_back_from_any_on)
{
    records_come_back();
}
END_TEST

START_TEST(without_a_folder_for_files_records_stay_in_memory)
{
    setenv("TMPDIR", "/nonexistent/folder", 1);
    records_come_back();
}
END_TEST

/* The limit is lifted before anything is asserted: libcheck writes to a file of its own. */
START_TEST(where_a_file_takes_no_more_the_rest_stays_in_memory)
{
    struct rlimit limit, tight;
    struct spill *s = spill_new();
    uint64_t *at = calloc(RECORDS + 1, sizeof *at);
    struct err e = { 0 };

    signal(SIGXFSZ, SIG_IGN);
    getrlimit(RLIMIT_FSIZE, &limit);
    tight = limit;
    tight.rlim_cur = 600000;
    setrlimit(RLIMIT_FSIZE, &tight);
    fill(s, 0, RECORDS, at);
    setrlimit(RLIMIT_FSIZE, &limit);
    expect(s, 0, RECORDS, at);
    ck_assert_int_eq(spill_check(s, &e), 0);
    spill_free(s);
    free(at);
}
END_TEST

START_TEST(an_empty_record_and_a_large_one_are_records)
{
    struct spill *s = spill_new();
    struct buf large = { 0 };
    struct spill_reader r;
    struct span got;

    buf_fill(&large, 'x', 3000000);
    spill_add(s, (struct span){ "", 0 });
    spill_add(s, buf_span(&large));
    spill_add(s, span_of("end"));
    r = spill_read(s, 0, spill_end(s));
    ck_assert(spill_next(&r, &got) && got.n == 0);
    ck_assert(spill_next(&r, &got) && span_same(got, buf_span(&large)));
    ck_assert(spill_next(&r, &got) && span_eq(got, "end"));
    ck_assert(!spill_next(&r, &got));
    spill_reader_free(&r);
    buf_free(&large);
    spill_free(s);
}
END_TEST

/* ---- packed ---- */

/* As many as one head has room for, fewer, more, and as many as several have; with texts and lengths between them. */
START_TEST(numbers_and_texts_come_back)
{
    const packed_wide most = (packed_wide)(~(unsigned __int128)0 >> 1);
    const packed_wide numbers[] = { 0, 1, -1, 127, INT32_MAX, (packed_wide)INT32_MAX + 1, INT32_MIN, (packed_wide)INT32_MIN - 1, UINT32_MAX,
                                    INT64_MAX, (packed_wide)INT64_MAX + 1, INT64_MIN, (packed_wide)INT64_MIN - 1, UINT64_MAX, 0, most,
                                    -most, -most - 1 };
    const uint64_t lengths[] = { 0, 1, 127, 128, 16383, 16384, UINT64_MAX };
    const size_t counts[] = { 0, 1, 18, 31, 32, 33, 64, 100 };
    packed_wide in[100], out[100];
    struct buf b = { 0 };
    struct span rest;

    for (size_t i = 0; i < 100; i++)
        in[i] = numbers[i % (sizeof numbers / sizeof *numbers)];
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) {
        packed_add_numbers(&b, in + (100 - counts[i]), counts[i]);
        packed_add_text(&b, (struct span){ "a\0b", i % 4 });
        packed_add_length(&b, lengths[i % 7]);
    }
    rest = buf_span(&b);
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) {
        packed_take_numbers(&rest, out, counts[i]);
        for (size_t k = 0; k < counts[i]; k++)
            ck_assert(out[k] == in[100 - counts[i] + k]);
        ck_assert(span_same(packed_take_text(&rest), (struct span){ "a\0b", i % 4 }));
        ck_assert_uint_eq(packed_take_length(&rest), lengths[i % 7]);
    }
    ck_assert_uint_eq(rest.n, 0);
    buf_free(&b);
}
END_TEST

START_TEST(small_numbers_take_little)
{
    struct buf b = { 0 };

    packed_add_length(&b, 127);
    ck_assert_uint_eq(b.n, 1);
    packed_add_numbers(&b, (const packed_wide[]){ 0, 0, -5, 0, (packed_wide)1 << 40, 0 }, 6);
    ck_assert_uint_eq(b.n, 1 + 8 + 4 + 8);             /* widths, -5, 2^40 */
    ck_assert_int_eq(b.p[b.n], '\0');
    buf_free(&b);
}
END_TEST

START_TEST(behind_the_end_there_is_nothing)
{
    struct span rest = { "\xff\xff", 2 };
    packed_wide out[3] = { 7, 7, 7 };
    struct buf b = { 0 };

    ck_assert_uint_eq(packed_take_length(&rest), 16383);
    ck_assert_uint_eq(packed_take_length(&rest), 0);
    packed_take_numbers(&rest, out, 2);
    ck_assert(out[0] == 0 && out[1] == 0 && out[2] == 7);
    ck_assert_uint_eq(packed_take_text(&rest).n, 0);
    rest = (struct span){ "\x05" "abc", 4 };           /* a text that says it is longer than what is there */
    ck_assert_uint_eq(packed_take_text(&rest).n, 0);
    ck_assert_uint_eq(rest.n, 0);
    packed_add_numbers(&b, (const packed_wide[]){ 1, (packed_wide)1 << 40, 3 }, 3);
    rest = (struct span){ b.p, b.n - 5 };              /* half of the second one is missing: what comes behind it is not taken for it */
    packed_take_numbers(&rest, out, 3);
    ck_assert(out[0] == 1 && out[1] == 0 && out[2] == 0);
    ck_assert_uint_eq(rest.n, 0);
    buf_free(&b);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("spill");
    TCase *t = tcase_create("spill"), *p = tcase_create("packed");

    tcase_add_test(t, records_come_back_from_any_on);
    tcase_add_test(t, without_a_folder_for_files_records_stay_in_memory);
    tcase_add_test(t, where_a_file_takes_no_more_the_rest_stays_in_memory);
    tcase_add_test(t, an_empty_record_and_a_large_one_are_records);
    tcase_add_test(p, numbers_and_texts_come_back);
    tcase_add_test(p, small_numbers_take_little);
    tcase_add_test(p, behind_the_end_there_is_nothing);
    suite_add_tcase(s, t);
    suite_add_tcase(s, p);
    return unit_run(s);
}
