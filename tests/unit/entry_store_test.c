/* entry_store: entries of many keys, and their sums. */
#include <stdlib.h>
#include <string.h>

#include "gputab/source/entry_store.h"
#include "unit.h"

static struct entry_store *store;
static struct err err;

static void setup(void)
{
    store = entry_store_new();
}

static void teardown(void)
{
    entry_store_free(store);
}

static void add(uint32_t number, struct bill_row row)
{
    ck_assert_int_eq(entry_store_add(store, number, &row, &err), 0);
}

static bool same_key(const struct bill_key *a, const struct bill_key *b)
{
    return a->span.from == b->span.from && a->span.to == b->span.to && a->resource == b->resource && a->type == b->type
           && a->region == b->region && a->gpu_model == b->gpu_model && a->piece == b->piece && a->shared == b->shared
           && a->text == b->text && a->purchase == b->purchase && a->kind == b->kind;
}

/* Keys that differ in one member each, the first one from all others. */
START_TEST(each_part_of_a_key_tells_entries_apart)
{
    const struct bill_key plain = {.span = {10, 20}, .resource = 1, .type = 2, .region = 3, .gpu_model = 4, .piece = 1, .shared = 5,
                                   .text = 6, .purchase = 1, .kind = ENTRY_TIME};
    struct bill_key keys[12];

    for (int i = 0; i < 12; i++)
        keys[i] = plain;
    keys[1].span.from = 9;
    keys[2].span.to = 21;
    keys[3].resource = 2;
    keys[4].type = 3;
    keys[5].region = 4;
    keys[6].gpu_model = 5;
    keys[7].piece = 2;
    keys[8].shared = 6;
    keys[9].text = 7;
    keys[10].purchase = 2;
    keys[11].kind = ENTRY_TIME | ENTRY_SURE;
    for (int round = 0; round < 2; round++)
        for (uint32_t i = 0; i < 12; i++)
            ck_assert_uint_eq(entry_store_put(store, &keys[i]), i);
    ck_assert_uint_eq(entry_store_count(store), 12);
    entry_store_close(store);
    for (uint32_t i = 0; i < 12; i++) {
        struct bill_key k = entry_store_key(store, i);

        ck_assert(same_key(&k, &keys[i]));
    }
}
END_TEST

static struct bill_key hour(uint32_t n)
{
    return (struct bill_key){.span = {(time_ms)(n % 720) * TIME_HOUR, (time_ms)(n % 720 + 1) * TIME_HOUR}, .resource = n / 720 + 1,
                             .type = n % 3 + 1, .piece = PIECES};
}

START_TEST(many_entries_are_found_again)
{
    enum { MANY = 50000 };

    for (uint32_t i = 0; i < MANY; i++) {
        struct bill_key k = hour(i);

        ck_assert_uint_eq(entry_store_put(store, &k), i);
        add(i, (struct bill_row){.kind = BILL_TIME, .cost = i});
    }
    for (uint32_t i = MANY; i-- > 0;) {
        struct bill_key k = hour(i);

        ck_assert_uint_eq(entry_store_put(store, &k), i);
        ck_assert(entry_store_at(store, i).cost == i);
    }
}
END_TEST

static uint32_t one(uint32_t resource)
{
    struct bill_key k = {.resource = resource};

    return entry_store_put(store, &k);
}

START_TEST(rows_of_time_are_added_up)
{
    const money large = (money)1 << 80;
    uint32_t n = one(1);
    struct bill_entry x;

    add(n, (struct bill_row){.kind = BILL_TIME, .cost = large, .invoiced = 2, .has_list = true, .list = 5, .has_time = true, .time_ms = 7,
                             .vcpu_micro = 4, .memory_micro_gib = 16, .gpu_count_micro = 1});
    add(n, (struct bill_row){.kind = BILL_TIME, .cost = -1, .invoiced = 3, .has_list = true, .list = 6, .has_time = true, .time_ms = 8,
                             .vcpu_micro = 2, .memory_micro_gib = 32, .gpu_count_micro = 1});
    x = entry_store_at(store, n);
    ck_assert(x.cost == large - 1 && x.invoiced == 5 && x.list == 11 && x.time_ms == 15 && x.rows == 2);
    ck_assert(x.has_time && !x.no_list);
    ck_assert(x.vcpu_micro == 4 && x.memory_micro_gib == 32 && x.gpu_count_micro == 1);        /* the larger of each */
}
END_TEST

START_TEST(a_correction_has_cost_and_sizes_but_no_time)
{
    uint32_t n = one(1);
    struct bill_entry x;

    add(n, (struct bill_row){.kind = BILL_TIME, .correction = true, .cost = -3, .has_list = true, .list = 5, .has_time = true, .time_ms = 7,
                             .vcpu_micro = 4});
    x = entry_store_at(store, n);
    ck_assert(x.cost == -3 && x.list == 0 && x.time_ms == 0 && !x.has_time && !x.no_list && x.vcpu_micro == 4);
}
END_TEST

START_TEST(what_lies_beside_has_cost_alone)
{
    uint32_t n = one(1);
    struct bill_entry x;

    add(n, (struct bill_row){.kind = BILL_BESIDE, .cost = 3, .invoiced = 4, .has_list = true, .list = 5, .has_time = true, .time_ms = 7,
                             .vcpu_micro = 4});
    x = entry_store_at(store, n);
    ck_assert(x.cost == 3 && x.invoiced == 4 && x.rows == 1 && x.list == 0 && x.time_ms == 0 && !x.has_time && x.vcpu_micro == 0);
}
END_TEST

/* Neither those before an entry with list cost nor those behind it have any. */
START_TEST(list_cost_is_its_entrys_alone)
{
    for (uint32_t i = 0; i < 5; i++)
        ck_assert_uint_eq(one(i + 1), i);
    add(3, (struct bill_row){.kind = BILL_TIME, .has_list = true, .list = 9});
    add(3, (struct bill_row){.kind = BILL_TIME, .has_list = true, .list = -2});
    add(1, (struct bill_row){.kind = BILL_TIME, .cost = 1});
    for (uint32_t i = 0; i < 5; i++)
        ck_assert(entry_store_at(store, i).list == (i == 3 ? 7 : 0));
    ck_assert(entry_store_at(store, 1).no_list && !entry_store_at(store, 3).no_list);
}
END_TEST

START_TEST(free_time_has_no_list_cost_when_it_says_0)
{
    uint32_t n = one(1);

    add(n, (struct bill_row){.kind = BILL_TIME, .has_list = true, .list = 0, .has_time = true, .time_ms = 1});
    ck_assert(entry_store_at(store, n).no_list);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("entry_store");
    TCase *t = tcase_create("all");

    tcase_add_checked_fixture(t, setup, teardown);
    tcase_add_test(t, each_part_of_a_key_tells_entries_apart);
    tcase_add_test(t, many_entries_are_found_again);
    tcase_add_test(t, rows_of_time_are_added_up);
    tcase_add_test(t, a_correction_has_cost_and_sizes_but_no_time);
    tcase_add_test(t, what_lies_beside_has_cost_alone);
    tcase_add_test(t, list_cost_is_its_entrys_alone);
    tcase_add_test(t, free_time_has_no_list_cost_when_it_says_0);
    suite_add_tcase(s, t);
    return unit_run(s);
}
