/* What is made ahead is what would be made when it is asked for; ends, errors and early goodbyes. */
#include "unit.h"

#include <sched.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "gputab/base/ahead.h"
#include "gputab/base/ring.h"

enum { SOME = 1000, LONG = 5 * AHEAD_INLINE + 12345 };

/* Byte i of the text is i * 7 + i / 251, of which 8 bits. */
struct maker {
    size_t at, n;                  /* n: where it ends */
    bool fails;                    /* instead of ending */
    int pipe[2];                   /* what it waits for at n, when pipe[1] is not 0 */
};

static uint8_t byte_at(size_t i)
{
    return (uint8_t)(i * 7 + i / 251);
}

static int make(void *ctx, void *p, size_t n, struct err *e)
{
    struct maker *m = ctx;
    uint8_t *out = p;
    size_t have = 0;
    char byte;

    for (; have < n && m->at < m->n; have++)
        out[have] = byte_at(m->at++);
    if (have < n && m->pipe[1]) {
        ck_assert_int_eq(read(m->pipe[0], &byte, 1), 1);
        return err_set(e, ERR_INPUT, "woken");
    }
    if (have == 0 && m->fails)
        return err_set(e, ERR_INPUT, "broken at %zu", m->at);
    return (int)have;
}

static void wake(void *ctx)
{
    struct maker *m = ctx;

    ck_assert_int_eq(write(m->pipe[1], "x", 1), 1);
}

/* Reads to the end in pieces whose lengths go round from 1 to most. The count, or -1. */
static long read_all(struct ahead *a, size_t most, size_t from, struct err *e)
{
    uint8_t *p = malloc(most);
    size_t at = from, piece = 1;
    bool same = true;
    int got;

    while ((got = ahead_read(a, p, piece, e)) > 0) {
        for (int i = 0; i < got; i++)
            same &= p[i] == byte_at(at + (size_t)i);
        at += (size_t)got;
        piece = piece * 3 % most + 1;
    }
    free(p);
    ck_assert(same);
    return got < 0 ? -1 : (long)(at - from);
}

START_TEST(every_byte_comes_once_and_in_order)
{
    static const size_t lengths[] = {0, 1, SOME, AHEAD_INLINE, AHEAD_INLINE + 1, AHEAD_INLINE + RING_BLOCK, LONG};

    for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++)
        for (size_t most = 999; most < 3u << 20; most = most * 50 + 1) {
            struct maker m = {.n = lengths[i]};
            struct ahead *a = ahead_new(&(struct ahead_config){make, NULL, &m});
            struct err e = {0};

            ck_assert_int_eq(read_all(a, most, 0, &e), (long)lengths[i]);
            ck_assert_int_eq(read_all(a, most, 0, &e), 0);
            ahead_free(a);
        }
}
END_TEST

/* Lent and copied in turns, so that loans begin inside a block too; what is in front of a loan may be written over. */
START_TEST(bytes_are_lent_where_they_lie)
{
    for (size_t piece = 1; piece < 3u << 20; piece = piece * 40 + 3) {
        struct maker m = {.n = LONG};
        struct ahead *a = ahead_new(&(struct ahead_config){make, NULL, &m});
        uint8_t *p = malloc(piece);
        struct err e = {0};
        size_t at = 0, loans = 0;
        int got = 1;
        bool same = true;

        while (got > 0) {
            char *lent = NULL;

            got = ahead_lend(a, &lent, &e);
            for (int i = 0; i < got; i++)
                same &= (uint8_t)lent[i] == byte_at(at + (size_t)i);
            if (got > 0) {
                memset(lent - RING_FRONT, 'x', RING_FRONT);
                at += (size_t)got;
                loans++;
            }
            if (got == 0)
                break;
            got = ahead_read(a, p, piece, &e);
            for (int i = 0; i < got; i++)
                same &= p[i] == byte_at(at + (size_t)i);
            at += got > 0 ? (size_t)got : 0;
        }
        ck_assert(same);
        ck_assert_uint_eq(at, LONG);
        ck_assert_uint_gt(loans, 0);
        free(p);
        ahead_free(a);
    }
}
END_TEST

START_TEST(nothing_short_is_lent)
{
    struct maker m = {.n = SOME};
    struct ahead *a = ahead_new(&(struct ahead_config){make, NULL, &m});
    struct err e = {0};
    char *p;

    ck_assert_int_eq(ahead_lend(a, &p, &e), AHEAD_NONE);
    ck_assert_int_eq(read_all(a, 999, 0, &e), SOME);
    ck_assert_int_eq(ahead_lend(a, &p, &e), AHEAD_NONE);
    ahead_free(a);
}
END_TEST

/* The test runs in a process of its own, whose cores it may give away. */
START_TEST(one_core_leaves_none_for_a_thread)
{
    cpu_set_t before, one;

    CPU_ZERO(&one);
    ck_assert_int_eq(sched_getaffinity(0, sizeof before, &before), 0);
    ck_assert_int_eq(ahead_has_core(), CPU_COUNT(&before) > 1);
    for (int i = 0; i < CPU_SETSIZE && CPU_COUNT(&one) == 0; i++)
        if (CPU_ISSET(i, &before))
            CPU_SET(i, &one);
    ck_assert_int_eq(sched_setaffinity(0, sizeof one, &one), 0);
    ck_assert(!ahead_has_core());
    ck_assert_int_eq(sched_setaffinity(0, sizeof before, &before), 0);
}
END_TEST

/* Whole blocks only: what is made in the same call as an error is lost, with and without a thread. */
START_TEST(an_error_comes_behind_what_was_made_before)
{
    static const size_t lengths[] = {0, RING_BLOCK, 2 * AHEAD_INLINE, 5 * AHEAD_INLINE};

    for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++) {
        struct maker m = {.n = lengths[i], .fails = true};
        struct ahead *a = ahead_new(&(struct ahead_config){make, NULL, &m});
        uint8_t *p = malloc(RING_BLOCK);
        struct err e = {0};
        char want[64];

        for (size_t at = 0; at < lengths[i]; at += RING_BLOCK)
            ck_assert_int_eq(ahead_read(a, p, RING_BLOCK, &e), RING_BLOCK);
        ck_assert_int_eq(ahead_read(a, p, RING_BLOCK, &e), -1);
        snprintf(want, sizeof want, "broken at %zu", lengths[i]);
        ck_assert_str_eq(e.text, want);
        free(p);
        ahead_free(a);
    }
}
END_TEST

START_TEST(another_part_follows_when_it_is_asked_for)
{
    struct maker m = {.n = LONG};
    struct ahead *a = ahead_new(&(struct ahead_config){make, NULL, &m});
    struct err e = {0};

    for (size_t part = 0; part < 3; part++) {
        ck_assert_int_eq(read_all(a, 300000, part * LONG, &e), LONG);
        m.n += LONG;
        ahead_again(a);
    }
    ahead_free(a);
}
END_TEST

START_TEST(nobody_has_to_read_to_the_end)
{
    for (size_t n = 0; n < LONG; n += AHEAD_INLINE / 2) {
        struct maker m = {.n = (size_t)1 << 40};
        struct ahead *a = ahead_new(&(struct ahead_config){make, NULL, &m});
        uint8_t *p = malloc(n + 1);
        struct err e = {0};

        if (n)
            ck_assert_int_eq(ahead_read(a, p, n, &e), (int)n);
        free(p);
        ahead_free(a);
    }
}
END_TEST

/* The thread waits for a byte that comes only when it is woken. */
START_TEST(a_maker_that_waits_is_woken_when_nobody_reads)
{
    struct maker m = {.n = 2 * AHEAD_INLINE};
    uint8_t *p = malloc(AHEAD_INLINE);
    struct err e = {0};
    struct ahead *a;

    ck_assert_int_eq(pipe(m.pipe), 0);
    a = ahead_new(&(struct ahead_config){make, wake, &m});
    for (int i = 0; i < 2; i++)
        ck_assert_int_eq(ahead_read(a, p, AHEAD_INLINE, &e), AHEAD_INLINE);
    ahead_free(a);
    free(p);
    close(m.pipe[0]);
    close(m.pipe[1]);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("ahead");
    TCase *c = tcase_create("ahead");

    tcase_add_test(c, every_byte_comes_once_and_in_order);
    tcase_add_test(c, bytes_are_lent_where_they_lie);
    tcase_add_test(c, nothing_short_is_lent);
    tcase_add_test(c, one_core_leaves_none_for_a_thread);
    tcase_add_test(c, an_error_comes_behind_what_was_made_before);
    tcase_add_test(c, another_part_follows_when_it_is_asked_for);
    tcase_add_test(c, nobody_has_to_read_to_the_end);
    tcase_add_test(c, a_maker_that_waits_is_woken_when_nobody_reads);
    tcase_set_timeout(c, 60);
    suite_add_tcase(s, c);
    return unit_run(s);
}
