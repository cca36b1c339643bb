/* charge: many charges in one list; what goes in comes out, whatever others share with it. */
#include <stdlib.h>

#include "gputab/value/charge.h"
#include "unit.h"

static struct charge_list list;

static void teardown(void)
{
    charge_list_free(&list);
}

/* The n-th of charges of which every other one has list cost, and every third one parts. Types repeat every five. */
static struct charge made(uint32_t n)
{
    struct charge c = {.resource = 7 + n / 10, .span = {(time_ms)n * TIME_HOUR, (time_ms)(n + 1) * TIME_HOUR},
                       .cost = ((money)1 << 70) + n, .invoiced = -(money)n, .list = n % 2 ? (money)n << 64 : 0,
                       .billed_ns = -5 + (int64_t)n, .correction_only = n % 7 == 3, .purchase = (enum purchase)(n % PURCHASES), .region = n % 3,
                       .instance_type = n % 5 + 1, .vcpu_micro = (int64_t)1 << 40 | n % 5, .memory_micro_gib = n % 5 * 3,
                       .gpu_count_micro = n % 5 * 1000000};

    if (n % 3 == 1) {
        c.first_part = 2 * n;
        c.n_parts = n % 2 + 1;
    }
    return c;
}

static void is(struct charge c, struct charge want)
{
    ck_assert_uint_eq(c.resource, want.resource);
    ck_assert(c.span.from == want.span.from && c.span.to == want.span.to);
    ck_assert(c.cost == want.cost && c.invoiced == want.invoiced && c.list == want.list);
    ck_assert_int_eq(c.billed_ns, want.billed_ns);
    ck_assert(c.correction_only == want.correction_only && c.purchase == want.purchase);
    ck_assert_uint_eq(c.region, want.region);
    ck_assert_uint_eq(c.instance_type, want.instance_type);
    ck_assert_int_eq(c.vcpu_micro, want.vcpu_micro);
    ck_assert_int_eq(c.memory_micro_gib, want.memory_micro_gib);
    ck_assert_int_eq(c.gpu_count_micro, want.gpu_count_micro);
    ck_assert_uint_eq(c.n_parts, want.n_parts);
    ck_assert(c.n_parts == 0 || c.first_part == want.first_part);
}

static void add(uint32_t n)
{
    for (uint32_t i = 0; i < n; i++) {
        struct charge c = made(i);

        charge_list_add(&list, &c);
    }
}

START_TEST(charges_come_out_as_they_went_in)
{
    add(1000);
    charge_list_fit(&list);
    ck_assert_uint_eq(list.n, 1000);
    for (uint32_t i = 0; i < 1000; i++)
        is(charge_list_at(&list, i), made(i));
}
END_TEST

START_TEST(what_no_charge_has_takes_no_room)
{
    struct charge c = made(0);

    for (int i = 0; i < 100; i++)
        charge_list_add(&list, &c);
    ck_assert_uint_eq(list.lists.n, 0);
    ck_assert_uint_eq(list.parts.n, 0);
    ck_assert_uint_eq(intern_count(list.terms), 2);    /* the empty text and the one set of terms */
}
END_TEST

START_TEST(a_charge_put_in_place_of_another_leaves_those_beside_it)
{
    struct charge plain = made(0), full = made(1);

    add(10);
    charge_list_put(&list, 1, &plain);                 /* had a list cost and parts */
    charge_list_put(&list, 8, &full);                  /* had neither, and is behind the last one with parts */
    for (uint32_t i = 0; i < 10; i++)
        is(charge_list_at(&list, i), i == 1 ? plain : i == 8 ? full : made(i));
}
END_TEST

static int by_name(const struct charge_kept *a, const struct charge_kept *b, const struct intern *names)
{
    return intern_cmp(names, a->resource, b->resource);
}

/* Resources 7 and 8 are called "b" and "a": the second ten come first, each ten in its order. */
START_TEST(sorting_takes_all_of_a_charge_along_and_keeps_the_order_of_equals)
{
    static const char *const texts[] = {"1", "2", "3", "4", "5", "6", "b", "a"};
    struct intern *names = intern_new();

    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        intern_str(names, texts[i]);
    add(20);
    charge_list_sort(&list, by_name, names);
    ck_assert_uint_eq(list.n, 20);
    for (uint32_t i = 0; i < 20; i++)
        is(charge_list_at(&list, i), made((i + 10) % 20));
    intern_free(names);
}
END_TEST

START_TEST(an_empty_list_can_be_sorted_and_freed)
{
    charge_list_sort(&list, by_name, NULL);
    charge_list_fit(&list);
    ck_assert_uint_eq(list.n, 0);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("charge_list");
    TCase *t = tcase_create("all");

    tcase_add_checked_fixture(t, NULL, teardown);
    tcase_add_test(t, charges_come_out_as_they_went_in);
    tcase_add_test(t, what_no_charge_has_takes_no_room);
    tcase_add_test(t, a_charge_put_in_place_of_another_leaves_those_beside_it);
    tcase_add_test(t, sorting_takes_all_of_a_charge_along_and_keeps_the_order_of_equals);
    tcase_add_test(t, an_empty_list_can_be_sorted_and_freed);
    suite_add_tcase(s, t);
    return unit_run(s);
}
