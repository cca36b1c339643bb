/* bill_memo: remembered cells say what they said when they were read. */
#include <stdio.h>
#include <string.h>

#include "gputab/source/bill_memo.h"
#include "unit.h"

START_TEST(a_cell_says_the_same_the_second_time)
{
    struct bill_memo *m = bill_memo_new();

    for (int i = 0; i < 3; i++) {
        struct bill_details d = {.type = ""};

        ck_assert_int_eq(bill_memo_details(m, &d, span_of("{\"instance_type\": \"p5.48xlarge\", \"vcpu\": \"192\", \"gpu\": \"8\", "
                                                          "\"VMName\": \"vmss_2\"}")), 0);
        ck_assert_str_eq(d.type, "p5.48xlarge");
        ck_assert_str_eq(d.machine, "vmss_2");
        ck_assert_int_eq(d.vcpu_micro, 192000000);
        ck_assert_int_eq(d.gpu_count_micro, 8000000);
        ck_assert_int_eq(d.memory_micro_gib, 0);
    }
    bill_memo_free(m);
}
END_TEST

START_TEST(what_is_known_already_is_kept)
{
    struct bill_memo *m = bill_memo_new();

    for (int i = 0; i < 2; i++) {
        struct bill_details d = {.type = "t3.large", .vcpu_micro = 2000000};

        ck_assert_int_eq(bill_memo_details(m, &d, span_of("{\"InstanceType\": \"m5.large\", \"vcpu\": 4, \"region\": \"eu-west-1\"}")), 0);
        ck_assert_str_eq(d.type, "t3.large");
        ck_assert_str_eq(d.region, "eu-west-1");
        ck_assert_int_eq(d.vcpu_micro, 2000000);
    }
    bill_memo_free(m);
}
END_TEST

START_TEST(a_cell_that_is_no_json_is_told_each_time)
{
    struct bill_memo *m = bill_memo_new();
    struct bill_details d = {.type = ""};

    ck_assert_int_eq(bill_memo_details(m, &d, span_of("{\"a\": ")), -1);
    ck_assert_int_eq(bill_memo_details(m, &d, span_of("{\"a\": ")), -1);
    ck_assert_int_eq(bill_memo_details(m, &d, span_of("")), 0);
    ck_assert_str_eq(d.type, "");
    bill_memo_free(m);
}
END_TEST

static void expect_vcpus(struct bill_memo *m, const char *json, int vcpus)
{
    struct bill_details d = {.type = ""};

    ck_assert_int_eq(bill_memo_details(m, &d, span_of(json)), 0);
    ck_assert_int_eq(d.vcpu_micro, vcpus * INT64_C(1000000));
}

START_TEST(more_cells_than_are_remembered_are_read_all_the_same)
{
    struct bill_memo *m = bill_memo_new();
    char json[2 * BILL_MEMO_BYTES];

    for (int round = 0; round < 2; round++)
        for (int i = 1; i <= BILL_MEMO_CELLS + 10; i++) {
            snprintf(json, sizeof json, "{\"vcpu\": %d}", i);
            expect_vcpus(m, json, i);
        }
    snprintf(json, sizeof json, "{\"vcpu\": 3, \"x\": \"%0*d\"}", BILL_MEMO_BYTES, 0);
    expect_vcpus(m, json, 3);
    bill_memo_free(m);
}
END_TEST

START_TEST(meters_speak_of_the_same_the_second_time)
{
    struct bill_memo *m = bill_memo_new();
    char text[2 * BILL_MEMO_BYTES];

    for (int round = 0; round < 2; round++) {
        ck_assert(bill_memo_speaks_of_other(m, span_of("USE1-DataTransfer-Out-Bytes")));
        ck_assert(!bill_memo_speaks_of_other(m, span_of("USE1-BoxUsage:p5.48xlarge")));
        ck_assert(!bill_memo_speaks_of_other(m, span_of("")));
        for (int i = 0; i < BILL_MEMO_CELLS + 10; i++) {
            snprintf(text, sizeof text, i % 2 ? "storage %d" : "hours %d", i);
            ck_assert_int_eq(bill_memo_speaks_of_other(m, span_of(text)), i % 2);
        }
    }
    snprintf(text, sizeof text, "%0*d storage", BILL_MEMO_BYTES, 0);
    ck_assert(bill_memo_speaks_of_other(m, span_of(text)));
    bill_memo_free(m);
}
END_TEST

START_TEST(units_are_the_same_time_the_second_time)
{
    struct bill_memo *m = bill_memo_new();
    char text[2 * BILL_MEMO_BYTES];
    int64_t ms = 7;

    for (int round = 0; round < 2; round++) {
        ck_assert(!bill_memo_unit_ms(m, span_of("GB"), &ms));
        ck_assert(!bill_memo_unit_ms(m, span_of(""), &ms));
        ck_assert_int_eq(ms, round ? 60000 : 7);       /* what is no time leaves it alone */
        ck_assert(bill_memo_unit_ms(m, span_of("Hours"), &ms));
        ck_assert_int_eq(ms, 3600000);
        for (int i = 1; i <= BILL_MEMO_CELLS + 10; i++) {
            snprintf(text, sizeof text, "%d seconds", i);
            ck_assert(bill_memo_unit_ms(m, span_of(text), &ms));
            ck_assert_int_eq(ms, i * 1000);
        }
        ck_assert(bill_memo_unit_ms(m, span_of("VM-Minutes"), &ms));
        ck_assert_int_eq(ms, 60000);
    }
    bill_memo_free(m);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("bill_memo");
    TCase *t = tcase_create("bill_memo");

    tcase_add_test(t, a_cell_says_the_same_the_second_time);
    tcase_add_test(t, what_is_known_already_is_kept);
    tcase_add_test(t, a_cell_that_is_no_json_is_told_each_time);
    tcase_add_test(t, meters_speak_of_the_same_the_second_time);
    tcase_add_test(t, units_are_the_same_time_the_second_time);
    tcase_add_test(t, more_cells_than_are_remembered_are_read_all_the_same);
    suite_add_tcase(s, t);
    return unit_run(s);
}
