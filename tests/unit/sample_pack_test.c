/* sample_pack_test: blocks of samples, byte by byte where the form says so, and any samples there and back. */
#include "gputab/value/sample_pack.h"
#include "unit.h"

static void check_bytes(const struct buf *b, const unsigned char *wanted, size_t n)
{
    ck_assert_uint_eq(b->n, n);
    ck_assert_mem_eq(b->p, wanted, n);
}

/* 4 samples from 100 ms on, 60 ms apart, all 5: head 4, zigzag 200 (two bytes: 0xc8 0x01), 180 (0xb4 0x01), shift 0 + 64, 4 bytes:
 * value 5; spacing +60 is zigzag 120, token 120 << 2 | 2 = 482 = 0xe2 0x03; then 2 << 2 | 0 = 8. */
START_TEST(a_regular_run_is_a_handful_of_bytes)
{
    static const unsigned char wanted[] = { 4, 0xc8, 1, 0xb4, 1, 64, 4, 5, 0xe2, 3, 8 };
    struct sample v[] = { { 100, 5 }, { 160, 5 }, { 220, 5 }, { 280, 5 } };
    struct steady run = { 100, 5, 60, 4 };
    struct buf b = { 0 };

    sample_pack_add(&b, v, 4);
    check_bytes(&b, wanted, sizeof wanted);
    buf_clear(&b);
    sample_pack_add_steady(&b, &run, 1);
    check_bytes(&b, wanted, sizeof wanted);
    buf_free(&b);
}
END_TEST

/* 3 MiB, 5 MiB, 4 MiB at 0, 10, 20: all end in 20 zero bits: shift 20 + 64, value 3; spacing +10 and value +2: zigzag 20 << 2 | 3 = 83, zigzag
 * 4; same spacing, value -1: zigzag 1 << 2 | 1 = 5. */
START_TEST(common_zero_bits_are_not_written)
{
    static const unsigned char wanted[] = { 3, 0, 20, 84, 4, 3, 83, 4, 5 };
    struct sample v[] = { { 0, 3 << 20 }, { 10, 5 << 20 }, { 20, 4 << 20 } };
    struct buf b = { 0 };

    sample_pack_add(&b, v, 3);
    check_bytes(&b, wanted, sizeof wanted);
    buf_free(&b);
}
END_TEST

/* As runs they are the same bytes. */
static void check_runs(const struct sample *v, size_t n, const struct buf *wanted)
{
    struct steadies runs = { 0 };
    struct buf b = { 0 };

    for (size_t i = 0; i < n; i++)
        steadies_add(&runs, v[i].time, v[i].value);
    sample_pack_add_steady(&b, runs.v, runs.n);
    check_bytes(&b, (const unsigned char *)wanted->p, wanted->n);
    vec_free(&runs);
    buf_free(&b);
}

static void check_round(const struct sample *v, size_t n)
{
    struct buf b = { 0 };
    struct samples out = { 0 };
    struct sample_pack_head head;
    struct span at, skipped;

    sample_pack_add(&b, v, n);
    check_runs(v, n, &b);
    at = skipped = buf_span(&b);
    ck_assert(sample_pack_skip(&skipped, &head));
    ck_assert(sample_pack_read(&at, &out));
    ck_assert_uint_eq(at.n, 0);
    ck_assert_uint_eq(skipped.n, 0);
    ck_assert_uint_eq(head.n, n);
    ck_assert_int_eq(head.first, v[0].time);
    ck_assert_int_eq(head.last, v[n - 1].time);
    ck_assert_uint_eq(out.n, n);
    for (size_t i = 0; i < n; i++) {
        ck_assert_int_eq(out.v[i].time, v[i].time);
        ck_assert_uint_eq(out.v[i].value, v[i].value);
    }
    vec_free(&out);
    buf_free(&b);
}

static uint64_t next(uint64_t *state)
{
    *state = *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return *state >> 33 | *state << 31;
}

/* Any bits at all, mixed with what exporters give: small steps, long stretches, whole MiB. */
START_TEST(any_samples_come_back_as_they_were)
{
    uint64_t state = (uint64_t)_i + 1;
    struct sample v[300];
    size_t n = 1 + next(&state) % 300;

    for (size_t i = 0; i < n; i++) {
        struct sample before = i ? v[i - 1] : (struct sample){ 0, 0 };
        uint64_t how = next(&state) % 8;

        v[i] = (struct sample){ (time_ms)((uint64_t)before.time + 60000), before.value };
        if (how == 0)
            v[i].time = (time_ms)next(&state);
        if (how == 1)
            v[i].value = next(&state);
        if (how == 2)
            v[i].value = next(&state) % 81920 << 20;
        if (how == 3)
            v[i].time += (time_ms)(next(&state) % 5);
    }
    check_round(v, n);
}
END_TEST

START_TEST(the_ends_of_the_integers_come_back_too)
{
    struct sample v[] = { { INT64_MIN, UINT64_MAX }, { INT64_MAX, 0 }, { INT64_MIN, 1 }, { 0, UINT64_MAX }, { INT64_MAX, UINT64_C(1) << 63 } };

    for (size_t n = 1; n <= 5; n++)
        check_round(v, n);
}
END_TEST

/* The samples of stretches; of paces their times. */
static void check_reader(const struct sample_run *run, const struct sample *v, size_t n)
{
    struct sample_reader r;
    struct stretch s;
    size_t i = 0;

    sample_reader_begin(&r, run);
    while (sample_reader_next(&r, &s))
        for (uint64_t time = (uint64_t)s.from; s.n > 0; s.n--, i++, time += (uint64_t)s.spacing) {
            ck_assert_uint_lt(i, n);
            ck_assert_int_eq((time_ms)time, v[i].time);
            ck_assert_uint_eq(s.value, v[i].value);
        }
    ck_assert_uint_eq(i, n);
    sample_reader_begin(&r, run);
    for (i = 0; sample_reader_next_pace(&r, &s);)
        for (uint64_t time = (uint64_t)s.from; s.n > 0; s.n--, i++, time += (uint64_t)s.spacing) {
            ck_assert_uint_lt(i, n);
            ck_assert_int_eq((time_ms)time, v[i].time);
        }
    ck_assert_uint_eq(i, n);
    ck_assert_int_eq(sample_run_first(run), v[0].time);
}

START_TEST(stretches_and_paces_have_all_samples)
{
    uint64_t state = (uint64_t)_i + 1;
    struct sample v[300];
    struct buf b = { 0 };
    struct sample_run run = { .n = 1 + next(&state) % 300 };

    v[0] = (struct sample){ (time_ms)(next(&state) % 1000000), next(&state) % 100 };
    for (size_t i = 1; i < run.n; i++) {
        uint64_t how = next(&state) % 16;

        v[i] = (struct sample){ v[i - 1].time + 60000, v[i - 1].value };
        if (how < 3)
            v[i].value = next(&state) % 81920 << 20;
        if (how == 2 || how == 3)
            v[i].time += (time_ms)(next(&state) % 100000);
        if (how == 4)
            v[i].value = next(&state);
    }
    run.v = v;
    check_reader(&run, v, run.n);
    for (size_t i = 0, end; i < run.n; i = end) {      /* packed, in several blocks */
        end = i + 1 + next(&state) % (run.n - i);
        sample_pack_add(&b, v + i, end - i);
    }
    run.v = NULL;
    run.packed = buf_span(&b);
    check_reader(&run, v, run.n);
    buf_free(&b);
}
END_TEST

/* 5 5 5 a minute apart, 7, 7 two minutes later, 7 a minute later. */
START_TEST(a_stretch_is_equal_values_at_equal_distances)
{
    struct sample v[] = { { 0, 5 }, { 60, 5 }, { 120, 5 }, { 180, 7 }, { 300, 7 }, { 360, 7 } };
    struct buf b = { 0 };
    struct sample_run run = { .n = 6 };
    struct sample_reader r;
    struct stretch s;

    sample_pack_add(&b, v, 6);
    run.packed = buf_span(&b);
    sample_reader_begin(&r, &run);
    ck_assert(sample_reader_next(&r, &s) && s.from == 0 && s.spacing == 60 && s.n == 3 && s.value == 5);
    ck_assert(sample_reader_next(&r, &s) && s.from == 180 && s.spacing == 120 && s.n == 2 && s.value == 7);
    ck_assert(sample_reader_next(&r, &s) && s.from == 360 && s.n == 1 && s.value == 7);
    ck_assert(!sample_reader_next(&r, &s));
    sample_reader_begin(&r, &run);
    ck_assert(sample_reader_next_pace(&r, &s) && s.from == 0 && s.spacing == 60 && s.n == 4);
    ck_assert(sample_reader_next_pace(&r, &s) && s.from == 300 && s.spacing == 60 && s.n == 2);
    ck_assert(!sample_reader_next_pace(&r, &s));
    buf_free(&b);
}
END_TEST

/* Two of 100 minutes with one value each, the second without the first minute. */
START_TEST(a_twin_is_where_the_other_has_come)
{
    struct sample v[100];
    struct buf b[2] = { { 0 }, { 0 } };
    struct sample_run run[2] = { { .n = 100 }, { .n = 99 } };
    struct sample_reader r[2];
    struct sample_twin twin;
    struct stretch s;

    for (size_t i = 0; i < 100; i++)
        v[i] = (struct sample){ (time_ms)i * 60, i * i % 37 * 3 };
    for (size_t k = 0; k < 2; k++) {
        sample_pack_add(&b[k], v + k, 100 - k);
        run[k].packed = buf_span(&b[k]);
        sample_reader_begin(&r[k], &run[k]);
    }
    ck_assert(sample_reader_next(&r[0], &s) && sample_reader_next(&r[1], &s) && s.from == 60);
    ck_assert(!sample_twin_find(&twin, &r[0], &r[1]));         /* they stand at other samples */
    ck_assert(sample_reader_next(&r[0], &s) && sample_reader_next(&r[0], &s) && sample_reader_next(&r[1], &s));
    ck_assert(sample_twin_find(&twin, &r[0], &r[1]));
    for (int i = 0; i < 50; i++)
        ck_assert(sample_reader_next(&r[0], &s));
    ck_assert(sample_twin_follow(&twin, &r[0], &r[1]));
    for (int64_t next = s.from + (time_ms)s.n * 60; next < 6000; next = s.from + (time_ms)s.n * 60) {
        ck_assert(sample_reader_next(&r[1], &s));
        ck_assert_int_eq(s.from, next);
        ck_assert_uint_eq(s.value, v[next / 60].value);
    }
    ck_assert(!sample_reader_next(&r[1], &s));
    while (sample_reader_next(&r[0], &s))
        ;
    ck_assert(!sample_twin_follow(&twin, &r[0], &r[1]));       /* behind the end nothing is alike */
    buf_free(&b[0]);
    buf_free(&b[1]);
}
END_TEST

/* Whatever the bytes are: no more samples than the head says, nothing read behind them (sanitizers watch). */
START_TEST(damaged_bytes_are_refused_or_read_within_their_bounds)
{
    struct sample v[] = { { 100, 5 }, { 160, 7 << 10 }, { 220, 7 << 10 }, { 281, 5 } };
    struct buf b = { 0 };
    struct samples out = { 0 };

    sample_pack_add(&b, v, 4);
    for (size_t n = 0; n < b.n; n++) {
        char *cut = malloc(n + 1);
        struct span at = { cut, n };

        memcpy(cut, b.p, n);
        ck_assert(!sample_pack_read(&at, &out));
        free(cut);
    }
    for (size_t i = 0; i < b.n * 8; i++) {
        struct span at = buf_span(&b);
        struct sample_pack_head head = { 0 };

        b.p[i / 8] ^= (char)(1 << i % 8);
        vec_clear(&out);
        if (sample_pack_skip(&at, &head) && head.n < 100000) {
            at = buf_span(&b);
            if (sample_pack_read(&at, &out))
                ck_assert_uint_eq(out.n, head.n);
        }
        b.p[i / 8] ^= (char)(1 << i % 8);
    }
    vec_free(&out);
    buf_free(&b);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("sample_pack");
    TCase *t = tcase_create("all");

    tcase_add_test(t, a_regular_run_is_a_handful_of_bytes);
    tcase_add_test(t, common_zero_bits_are_not_written);
    tcase_add_loop_test(t, any_samples_come_back_as_they_were, 0, 50);
    tcase_add_test(t, the_ends_of_the_integers_come_back_too);
    tcase_add_test(t, a_stretch_is_equal_values_at_equal_distances);
    tcase_add_test(t, a_twin_is_where_the_other_has_come);
    tcase_add_loop_test(t, stretches_and_paces_have_all_samples, 0, 200);
    tcase_add_test(t, damaged_bytes_are_refused_or_read_within_their_bounds);
    suite_add_tcase(s, t);
    return unit_run(s);
}
