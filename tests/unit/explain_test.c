/* explain: the way to an amount in lines, with figures worked out by hand. A charge of 8 USD of type "one" (1 vCPU, 1 GiB, 1 H100 at
 * 6 USD, all prices 1, 1 and 6) is 6 GPU, 1 CPU, 1 memory. */
#include <stdio.h>

#include "core_fixture.h"
#include "gputab/core/explain.h"

static struct world w;
static struct explain *x;
static struct explanation out;
static uint32_t target, node, device;

static void hear(void *to, const struct usage *u)
{
    explain_facts(to, u);
}

static void setup(void)
{
    world_init(&w);
    memset(&out, 0, sizeof out);
    target = world_target(&w, "t");
    node = world_node(&w, "n1", "i-1", "one");
    device = world_gpu(&w, "GPU-1", "H100", node);
    steps_push(&w.inv.nodes.v[node].sharing, TIME_MIN, SHARING_LABELS_KNOWN);
    out.currency = "USD";
    out.digits = 2;
}

static void teardown(void)
{
    explain_free(x);
    x = NULL;
    explanation_free(&out);
    world_free(&w);
}

static void share_the_node(void)
{
    steps_push(&w.inv.nodes.v[node].sharing, TIME_MIN, SHARING_LABELS_KNOWN | SHARING_REPLICAS);
}

static void explain(enum explain_kind kind, const char *name, enum bucket bucket)
{
    struct explain_lines_config cfg = {.most = 10};

    x = explain_new(&(struct explain_config){kind, name, bucket, &w.rule, &w.catalogue, &w.inv, &w.owners});
    w.also = explain_sink(x);
    w.also_facts = hear;
    ck_assert_msg(world_run(&w) == 0, "%s", w.err.text);
    explain_lines(x, &cfg, &out);
}

static const struct explanation_section *section(const char *name)
{
    for (size_t i = 0; i < out.sections.n; i++)
        if (strcmp(out.sections.v[i].name, name) == 0)
            return &out.sections.v[i];
    ck_abort_msg("no section %s", name);
    return NULL;
}

static const struct explanation_line *line(const char *name, size_t i)
{
    const struct explanation_section *s = section(name);

    ck_assert_uint_lt(i, s->lines.n);
    return &s->lines.v[i];
}

static void line_is(const char *name, size_t i, const char *quantity, const char *price, const char *amount)
{
    const struct explanation_line *l = line(name, i);

    world_is(l->quantity, quantity, 2);
    ck_assert(l->has_price);
    world_is(l->price, price, 2);
    world_is(l->amount, amount, 2);
}

static money added(void)
{
    money sum = 0;

    for (size_t i = 0; i < out.sections.n; i++)
        for (size_t k = 0; out.sections.v[i].adds && k < out.sections.v[i].lines.n; k++)
            sum += out.sections.v[i].lines.v[k].amount;
    return sum;
}

/* 30, 20 and 10 of 80 GiB, 1 reserved, for an hour at 6.88: 2.58, 1.72, 0.86, 0.086, 1.634. */
START_TEST(a_shared_card_is_memory_by_what_a_card_has)
{
    static const struct { const char *ns; uint64_t gib; } pods[] = {{"a", 30}, {"b", 20}, {"c", 10}};

    share_the_node();
    w.rule.split.vcpu_hour = w.rule.split.gib_hour = 0;
    for (int i = 0; i < 3; i++) {
        uint32_t pod = world_pod(&w, pods[i].ns, "p", "");

        world_samples(&w, world_device_series(&w, SAMPLE_PROCESS_USED, target, device, pod), 0, HOUR_S, pods[i].gib * GIB);
    }
    world_uses(&w, target, device, NONE, 0, HOUR_S, 60);
    world_samples(&w, world_device_series(&w, SAMPLE_FREE, target, device, NONE), 0, HOUR_S, 19 * GIB);
    world_samples(&w, world_device_series(&w, SAMPLE_TOTAL, target, device, NONE), 0, HOUR_S, 80 * GIB);
    world_samples(&w, world_device_series(&w, SAMPLE_RESERVED, target, device, NONE), 0, HOUR_S, GIB);
    world_charge(&w, "i-1", 0, HOUR_S, "6.88");
    explain(EXPLAIN_TEAM, "a", BUCKET_NONE);
    line_is("bill", 0, "1", "6.88", "6.88");
    line_is("price", 0, "1", "6.88", "6.88");
    line_is("gpu", 0, "0.375", "6.88", "2.58");
    ck_assert_str_eq(line("gpu", 0)->note, "30 GiB-h of GPU memory held / 80 GiB for each GPU-h: what a card has, or less where time was "
                                           "paid "
                                           "for and not observed");
    world_is(added(), "2.58", 2);
    ck_assert(explain_exact(x) == added());
}
END_TEST

/* 8 of 80 GiB, 1 reserved, for 24 h at 6.88: 165.12; its memory makes up 165.12 x 8/79 = 16.721012658228, the rest is 148.398987341772. */
START_TEST(a_whole_card_says_what_was_not_held)
{
    uint32_t pod = world_pod(&w, "a", "p", "");

    w.rule.split.vcpu_hour = w.rule.split.gib_hour = 0;
    world_uses(&w, target, device, pod, 0, DAY_S, 8);
    world_samples(&w, world_device_series(&w, SAMPLE_FREE, target, device, NONE), 0, DAY_S, 71 * GIB);
    world_samples(&w, world_device_series(&w, SAMPLE_RESERVED, target, device, NONE), 0, DAY_S, GIB);
    for (int h = 0; h < 24; h++)
        world_charge(&w, "i-1", h * HOUR_S, (h + 1) * HOUR_S, "6.88");
    explain(EXPLAIN_TEAM, "a", BUCKET_NONE);
    line_is("bill", 0, "24", "6.88", "165.12");
    ck_assert_str_eq(line("bill", 0)->what, "n1, i-1, on_demand: 24 charges");
    line_is("gpu", 0, "24", "6.88", "165.12");
    ck_assert_str_eq(line("gpu", 0)->note, "192 GiB-h of GPU memory held: its part of the amount is 16.721013, what was reserved and not "
                                           "held "
                                           "148.398987");
}
END_TEST

/* 2g.20gb of an H100 has 2 of 8 slices: 730 h x 2/8 = 182.5 GPU-h, x 6.88 = 1255.60. */
START_TEST(an_instance_is_a_part_of_its_gpu)
{
    uint32_t pod = world_pod(&w, "a", "p", ""), instance = world_instance(&w, 0, "1", "2g.20gb");

    vec_push(&w.catalogue.profiles, (struct mig_profile){"H100", "2g.20gb", 2, 2, 3});
    w.rule.split.vcpu_hour = w.rule.split.gib_hour = 0;
    w.period.to = AT(730 * HOUR_S);
    world_uses(&w, target, instance, pod, 0, 730 * HOUR_S, 5);
    for (int h = 0; h < 730; h++)
        world_charge(&w, "i-1", h * HOUR_S, (h + 1) * HOUR_S, "6.88");
    explain(EXPLAIN_POD, "a/p", BUCKET_NONE);
    line_is("mig", 0, "730", "0.25", "182.5");
    ck_assert_str_eq(line("mig", 0)->what, "2g.20gb: 2 of 8 slices of the GPU");
    line_is("gpu", 0, "182.5", "6.88", "1255.60");
    world_is(added(), "1255.60", 2);
}
END_TEST

/* 8 USD: weights 1 x 1, 1 x 1 and 1 x 6, together 8: 75 %, 12.5 % and 12.5 %. */
START_TEST(the_split_shows_its_weights)
{
    uint32_t pod = world_pod(&w, "a", "p", "");

    world_uses(&w, target, device, pod, 0, HOUR_S, 8);
    world_charge(&w, "i-1", 0, HOUR_S, "8");
    explain(EXPLAIN_TEAM, "a", BUCKET_NONE);
    world_is(line("split", 1)->amount, "1", 0);
    world_is(line("split", 2)->amount, "1", 0);
    ck_assert_str_eq(line("split", 3)->what, "weight of H100");
    world_is(line("split", 3)->amount, "6", 0);
    world_is(line("split", 4)->amount, "8", 0);
    ck_assert_str_eq(line("split", 5)->how, "8.00 x 75.00 %");
    world_is(line("split", 5)->amount, "6", 0);
    ck_assert_str_eq(line("split", 6)->how, "8.00 x 12.50 %");
    world_is(added(), "8", 0);
}
END_TEST

/* One node at two prices: 2 h at 8 and 1 h at 4 are lines of their own. */
START_TEST(prices_that_vary_are_apart)
{
    uint32_t pod = world_pod(&w, "a", "p", "");

    world_uses(&w, target, device, pod, 0, 3 * HOUR_S, 8);
    world_charge(&w, "i-1", 0, HOUR_S, "8");
    world_charge(&w, "i-1", HOUR_S, 2 * HOUR_S, "4");
    world_charge(&w, "i-1", 2 * HOUR_S, 3 * HOUR_S, "8");
    explain(EXPLAIN_TEAM, "a", BUCKET_NONE);
    ck_assert_uint_eq(section("bill")->lines.n, 2);
    line_is("bill", 0, "2", "8", "16");
    line_is("bill", 1, "1", "4", "4");
    line_is("gpu", 0, "2", "6", "12");
    line_is("gpu", 1, "1", "3", "3");
    world_is(added(), "20", 0);
}
END_TEST

/* Twelve hours at 8.00, 8.01, ... 8.11: together 96.66, an average of 8.055. */
START_TEST(many_prices_are_an_average_that_says_so)
{
    uint32_t pod = world_pod(&w, "a", "p", "");
    char cost[8];

    world_uses(&w, target, device, pod, 0, 12 * HOUR_S, 8);
    for (int h = 0; h < 12; h++) {
        snprintf(cost, sizeof cost, "8.%02d", h);
        world_charge(&w, "i-1", h * HOUR_S, (h + 1) * HOUR_S, cost);
    }
    explain(EXPLAIN_TEAM, "a", BUCKET_NONE);
    ck_assert_uint_eq(section("bill")->lines.n, 1);
    line_is("bill", 0, "12", "8.055", "96.66");
    ck_assert_str_eq(line("bill", 0)->note, "the average of 12 prices, 8.00 to 8.11");
    world_is(added(), "96.66", 0);
}
END_TEST

/* A correction of -2 for the hour has no hours of its own: the hour costs 6 then. */
START_TEST(corrections_are_in_the_price_of_their_hour)
{
    uint32_t pod = world_pod(&w, "a", "p", "");

    world_uses(&w, target, device, pod, 0, HOUR_S, 8);
    world_charge(&w, "i-1", 0, HOUR_S, "8");
    world_correction(&w, "i-1", 0, HOUR_S, "-2");
    explain(EXPLAIN_TEAM, "a", BUCKET_NONE);
    line_is("bill", 0, "1", "6", "6");
    world_is(added(), "6", 0);
}
END_TEST

/* More than ten nodes: ten lines and the rest in one, which still adds up. */
START_TEST(long_lists_end_in_one_line)
{
    static const char *const ids[] = {"i-00", "i-01", "i-02", "i-03", "i-04", "i-05", "i-06", "i-07", "i-08", "i-09", "i-10", "i-11",
                                      "i-12"};
    uint32_t pod = world_pod(&w, "a", "p", "");

    for (int i = 0; i < 13; i++) {
        uint32_t n = world_node(&w, ids[i], ids[i], "one");

        steps_push(&w.inv.nodes.v[n].sharing, TIME_MIN, SHARING_LABELS_KNOWN);
        world_uses(&w, target, world_gpu(&w, ids[i], "H100", n), pod, 0, HOUR_S, 8);
        world_charge(&w, ids[i], 0, HOUR_S, "8");
    }
    explain(EXPLAIN_TEAM, "a", BUCKET_NONE);
    ck_assert_uint_eq(section("bill")->lines.n, 11);
    ck_assert_str_eq(line("bill", 10)->what, "and 3 more");
    world_is(line("bill", 10)->quantity, "3", 0);
    world_is(line("bill", 10)->amount, "24", 0);
    world_is(added(), "104", 0);
}
END_TEST

/* The card is empty for half an hour: 3 of its 6, and what follows. */
START_TEST(a_bucket_says_why_where_and_whose)
{
    uint32_t pod = world_pod(&w, "a", "p", "");

    world_uses(&w, target, device, pod, 0, HOUR_S / 2, 8);
    world_uses(&w, target, device, NONE, HOUR_S / 2, HOUR_S, 0);
    world_samples(&w, world_device_series(&w, SAMPLE_TOTAL, target, device, NONE), 0, HOUR_S, 80 * GIB);
    world_charge(&w, "i-1", 0, HOUR_S, "8");
    explain(EXPLAIN_BUCKET, "(idle)", BUCKET_IDLE);
    ck_assert_str_eq(line("reasons", 0)->what, "empty-card");
    world_is(line("reasons", 0)->amount, "3", 2);
    world_is(line("reasons", 0)->quantity, "0.5", 2);
    ck_assert_str_eq(line("where", 0)->what, "n1, GPU-1, empty-card");
    ck_assert_str_eq(line("who", 0)->what[0] == 'n' ? "n1" : "", "n1");
    ck_assert_uint_eq(section("who")->lines.n, 2);
    world_is(line("who", 0)->amount + line("who", 1)->amount, "8", 0);
    world_is(added(), "4", 2);
}
END_TEST

START_TEST(owner_lines_are_shown_as_they_are_written)
{
    static const char *const globs[] = {"a*", NULL};
    const struct rule_matcher matcher = {RULE_MATCH_NAMESPACE, NULL, globs};
    uint32_t pod = world_pod(&w, "abc", "p", "");
    struct explain_lines_config cfg = {.rule_path = "rule.yaml", .rule_text = span_of("schema: x\nowners:\n  - {namespace: \"a#*\"}   # "
                                                                                      "all\n")};

    w.rule.has_owners = true;
    vec_push(&w.rule.owners, (struct rule_owner){.matchers = &matcher, .n_matchers = 1, .team = "t", .from = TIME_MIN,
                                                 .until = TIME_MAX, .line = 3});
    world_uses(&w, target, device, pod, 0, HOUR_S, 8);
    world_charge(&w, "i-1", 0, HOUR_S, "8");
    explain(EXPLAIN_TEAM, "t", BUCKET_NONE);
    explanation_free(&out);
    memset(&out, 0, sizeof out);
    explain_lines(x, &cfg, &out);
    ck_assert_str_eq(line("owners", 0)->what, "namespace abc: t");
    ck_assert_str_eq(line("owners", 0)->note, "rule.yaml:3: - {namespace: \"a#*\"}");
}
END_TEST

START_TEST(numbers_lose_zeros_at_their_end)
{
    static const struct { const char *of; int least, most; const char *is; } numbers[] = {
        {"6.88", 2, 9, "6.88"}, {"6.8", 2, 9, "6.80"}, {"5", 2, 6, "5.00"}, {"5", 0, 6, "5"}, {"0.0000004", 0, 6, "0"},
        {"1.123456789", 2, 6, "1.123457"}, {"-0.5", 0, 2, "-0.5"}, {"100", 0, 0, "100"},
    };

    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        struct buf b = {0};

        explanation_add_number(&b, world_money(numbers[i].of), numbers[i].least, numbers[i].most);
        ck_assert_str_eq(buf_str(&b), numbers[i].is);
        buf_free(&b);
    }
}
END_TEST

int main(void)
{
    Suite *s = suite_create("explain");
    TCase *t = tcase_create("explain");

    tcase_add_checked_fixture(t, setup, teardown);
    tcase_add_test(t, a_shared_card_is_memory_by_what_a_card_has);
    tcase_add_test(t, a_whole_card_says_what_was_not_held);
    tcase_add_test(t, an_instance_is_a_part_of_its_gpu);
    tcase_add_test(t, the_split_shows_its_weights);
    tcase_add_test(t, prices_that_vary_are_apart);
    tcase_add_test(t, many_prices_are_an_average_that_says_so);
    tcase_add_test(t, corrections_are_in_the_price_of_their_hour);
    tcase_add_test(t, long_lists_end_in_one_line);
    tcase_add_test(t, a_bucket_says_why_where_and_whose);
    tcase_add_test(t, owner_lines_are_shown_as_they_are_written);
    tcase_add_test(t, numbers_lose_zeros_at_their_end);
    suite_add_tcase(s, t);
    return unit_run(s);
}
