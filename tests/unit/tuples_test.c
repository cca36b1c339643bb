/* tuples_test: places of tuples against a plain comparison of their strings, part by part. */
#include "gputab/source/tuples.h"

#include <string.h>

#include "gputab/value/inventory.h"
#include "unit.h"

enum { N = 500 };

static uint32_t random_below(uint32_t n)
{
    static uint64_t x = 88172645463325252u;

    x ^= x << 13;
    x ^= x >> 7;
    x ^= x << 17;
    return (uint32_t)(x % n);
}

/* Long beginnings in common, ends around eight bytes, bytes of 0 and above 127. */
static uint32_t random_name(struct intern *names)
{
    static const char start[] = "train-job-of-a-team-with-a-long-name";
    char text[64];
    size_t n = random_below(3) ? random_below(sizeof start) : 16;

    memcpy(text, start, n);
    for (uint32_t more = random_below(12); more > 0; more--)
        text[n++] = "\0\0a-\xff"[random_below(5)];
    return intern_put(names, text, n);
}

static int compare(const struct intern *names, const uint32_t *a, const uint32_t *b, uint32_t width)
{
    int c = 0;

    for (uint32_t i = 0; i < width && c == 0; i++)
        c = intern_cmp(names, a[i], b[i]);
    return c;
}

static void check(uint32_t width, uint32_t distinct)
{
    struct intern *names = intern_new();
    uint32_t ids[N][TUPLES_WIDTH], added[N], pool[N];
    struct tuples t;

    tuples_init(&t, names, width);
    for (uint32_t i = 0; i < distinct; i++)
        pool[i] = random_name(names);
    for (int i = 0; i < N; i++) {
        for (uint32_t k = 0; k < width; k++)
            ids[i][k] = pool[random_below(k == 0 ? 3 : distinct)];
        added[i] = tuples_add(&t, ids[i]);
    }
    tuples_sort(&t);
    for (uint32_t i = 0; i < t.n; i++) {
        uint32_t a[TUPLES_WIDTH], b[TUPLES_WIDTH];

        tuples_get(&t, i, b);
        ck_assert_uint_eq(tuples_find(&t, b), i);
        if (i > 0) {
            tuples_get(&t, i - 1, a);
            ck_assert_int_lt(compare(names, a, b, width), 0);
        }
    }
    for (int i = 0; i < N; i++)
        ck_assert_uint_eq(tuples_place(&t, added[i]), tuples_find(&t, ids[i]));
    tuples_free(&t);
    intern_free(names);
}

START_TEST(places_are_in_the_order_of_the_strings)
{
    for (uint32_t width = 1; width <= TUPLES_WIDTH; width++) {
        check(width, 3);
        check(width, 40);
        check(width, N);
    }
}
END_TEST

START_TEST(nothing_and_what_is_not_there)
{
    struct intern *names = intern_new();
    uint32_t ids[2] = { intern_str(names, "a"), 0 }, other[2] = { 0, ids[0] };
    struct tuples t;

    tuples_init(&t, names, 2);
    tuples_sort(&t);
    ck_assert_uint_eq(t.n, 0);
    ck_assert_uint_eq(tuples_find(&t, ids), NONE);
    tuples_free(&t);
    tuples_init(&t, names, 2);
    tuples_add(&t, ids);
    tuples_add(&t, ids);
    tuples_sort(&t);
    ck_assert_uint_eq(t.n, 1);
    ck_assert_uint_eq(tuples_find(&t, ids), 0);
    ck_assert_uint_eq(tuples_find(&t, other), NONE);
    tuples_free(&t);
    intern_free(names);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("tuples");
    TCase *t = tcase_create("all");

    tcase_add_test(t, places_are_in_the_order_of_the_strings);
    tcase_add_test(t, nothing_and_what_is_not_there);
    suite_add_tcase(s, t);
    return unit_run(s);
}
