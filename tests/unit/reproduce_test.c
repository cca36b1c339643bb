/* reproduce_test: the command in a report, as a shell would read it. */
#include "unit.h"

#include <string.h>

#include "gputab/cli/reproduce.h"

static struct report_args args;
static struct buf out;
static const struct timespan october = {1790812800000, 1793491200000};       /* 2026-10 */

static void setup(void)
{
    args = (struct report_args){0};
    out = (struct buf){0};
}

static void teardown(void)
{
    report_args_free(&args);
    buf_free(&out);
}

#define OCTOBER "gputab report --from 2026-10-01T00:00:00Z --to 2026-11-01T00:00:00Z"

static void command_is(const char *rest)
{
    struct buf want = {0};

    buf_clear(&out);
    reproduce_add(&out, &args, october);
    buf_addf(&want, OCTOBER "%s", rest);
    ck_assert_str_eq(buf_str(&out), buf_str(&want));
    buf_free(&want);
}

START_TEST(options_stand_in_the_order_of_the_help)
{
    vec_push(&args.billing, "a.csv");
    vec_push(&args.billing, "b.csv.gz");
    args.metrics = "m.om";
    args.rule = "rule.yaml";
    args.by = "team,gpu_model";
    args.bridge = true;
    command_is(" --billing a.csv --billing b.csv.gz --metrics m.om --rule rule.yaml --by team,gpu_model --bridge");
}
END_TEST

START_TEST(where_it_goes_and_how_loud_it_is_is_left_out)
{
    args.last_month = args.quiet = args.verbose = true;
    args.format = "json";
    args.config = "none.yaml";
    vec_push(&args.outputs, "/home/me/x.xlsx");
    command_is("");
}
END_TEST

START_TEST(words_are_quoted_for_a_shell)
{
    vec_push(&args.billing, "bills/*.csv");
    vec_push(&args.billing, "it's.csv");
    vec_push(&args.where, "team=a b");
    vec_push(&args.where, "pod=$(x)");
    command_is(" --billing 'bills/*.csv' --billing 'it'\\''s.csv' --where 'team=a b' --where 'pod=$(x)'");
}
END_TEST

START_TEST(no_user_of_a_server_is_shown)
{
    vec_push(&args.prometheus, "https://me:secret@host:9090/prefix");
    vec_push(&args.prometheus, "eu=http://host/a@b");
    command_is(" --prometheus https://host:9090/prefix --prometheus eu=http://host/a@b");
}
END_TEST

START_TEST(settings_that_were_found_are_named)
{
    args.found.path = strdup("gputab.yaml");
    command_is(" --config gputab.yaml");
}
END_TEST

int main(void)
{
    Suite *s = suite_create("reproduce");
    TCase *t = tcase_create("command");

    tcase_add_checked_fixture(t, setup, teardown);
    tcase_add_test(t, options_stand_in_the_order_of_the_help);
    tcase_add_test(t, where_it_goes_and_how_loud_it_is_is_left_out);
    tcase_add_test(t, words_are_quoted_for_a_shell);
    tcase_add_test(t, no_user_of_a_server_is_shown);
    tcase_add_test(t, settings_that_were_found_are_named);
    suite_add_tcase(s, t);
    return unit_run(s);
}
