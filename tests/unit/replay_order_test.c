/* replay_order_test: series and blocks against their orders, said directly. */
#include "gputab/source/replay_order.h"

#include <string.h>

#include "metrics_fixture.h"
#include "unit.h"

static struct loaded l;
static struct metrics_request req;
static struct scrape scrape;
static struct replay replay;

static void setup(void)
{
    fixture_init(&l);
    req = fixture_request(&l, NULL);
    scrape_init(&scrape, &req);
    replay_init(&replay, &scrape, l.names, l.inv.labelsets, (struct timespan){ TIME_MIN, TIME_MAX });
}

static void teardown(void)
{
    replay_free(&replay);
    scrape_free(&scrape);
    fixture_free(&l);
}

static void add(size_t family, uint64_t order)
{
    struct replay_series s = { .family_index = (uint16_t)family, .order = order, .number = (uint32_t)replay.series.n };

    s.family = scrape.family[family];
    vec_push(&replay.series, s);
}

/* No two stand the other way round, and each is there. */
static void check_order(size_t n)
{
    bool *seen = xcalloc(n, sizeof *seen);

    replay_order_series(&replay);
    ck_assert_uint_eq(replay.series.n, n);
    for (size_t i = 0; i < n; i++) {
        const struct replay_series *a = i > 0 ? &replay.series.v[i - 1] : NULL, *b = &replay.series.v[i];
        int names = a ? strcmp(a->family->name, b->family->name) : -1;

        ck_assert_int_le(names, 0);
        if (names == 0) {
            ck_assert_uint_le(a->order, b->order);
            if (a->order == b->order)
                ck_assert_uint_lt(a->number, b->number);
        }
        ck_assert(!seen[b->number]);
        seen[b->number] = true;
    }
    free(seen);
}

START_TEST(hashes_of_many_families)
{
    uint64_t x = 88172645463325252u;

    for (int i = 0; i < 20000; i++) {
        x ^= x << 13;
        x ^= x >> 7;
        x ^= x << 17;
        add(x % 5 * x % scrape.n_families, x);
    }
    check_order(20000);
}
END_TEST

/* Whatever a hash should be: all in one spot, some of them the same, falling, and at both ends of the numbers. */
START_TEST(orders_that_are_no_hashes)
{
    for (uint64_t i = 0; i < 3000; i++)
        add(i % 3, i % 2 ? 5000 - i : i / 7);
    for (uint64_t i = 0; i < 10; i++)
        add(7, i % 2 ? UINT64_MAX : 0);
    check_order(3010);
}
END_TEST

START_TEST(nothing_and_one)
{
    check_order(0);
    add(1, 42);
    check_order(1);
}
END_TEST

static void add_block(uint64_t series, time_ms first, uint64_t at)
{
    vec_push(&replay.blocks, (struct block){ .series = series, .first = first, .last = first, .at = at });
}

static void check_blocks(const uint64_t *at, size_t n)
{
    replay_order_blocks(&replay);
    ck_assert_uint_eq(replay.blocks.n, n);
    for (size_t i = 0; i < n; i++)
        ck_assert_uint_eq(replay.blocks.v[i].at, at[i]);
}

/* Series 1 is shuffled: its blocks stay as they were written. */
START_TEST(blocks_by_series_and_time)
{
    add(0, 1);
    add(0, 2);
    replay.series.v[1].shuffled = true;
    add_block(1, 50, 10);
    add_block(0, 70, 20);
    add_block(1, 40, 30);
    add_block(0, 60, 40);
    check_blocks((const uint64_t[]){ 40, 20, 10, 30 }, 4);
    ck_assert(!replay.blocks.v[0].shuffled && replay.blocks.v[2].shuffled);
    check_blocks((const uint64_t[]){ 40, 20, 10, 30 }, 4);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("replay_order");
    TCase *t = tcase_create("all");

    tcase_add_checked_fixture(t, setup, teardown);
    tcase_add_test(t, hashes_of_many_families);
    tcase_add_test(t, orders_that_are_no_hashes);
    tcase_add_test(t, nothing_and_one);
    tcase_add_test(t, blocks_by_series_and_time);
    suite_add_tcase(s, t);
    return unit_run(s);
}
