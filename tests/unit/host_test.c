/* host: CPU and memory of pods as requests and as usage, from samples to money. The node has 1 vCPU and 1 GiB; a charge of 8 USD has 1 for
 * each, so that a pod's amount is its part of the node. */
#include "core_fixture.h"

static struct world w;
static uint32_t node, kube, kubelet, a, b;

static const money bit = 100;

enum { MILLICORE = 1000000 };                          /* nanocores */

static void setup(void)
{
    uint32_t exporter;

    world_init(&w);
    exporter = world_target(&w, "dcgm");
    kube = world_target(&w, "kube-1");
    kubelet = world_target(&w, "kubelet");
    node = world_node(&w, "n1", "i-1", "one");
    a = world_pod(&w, "a", "a", "");
    b = world_pod(&w, "b", "b", "");
    world_uses(&w, exporter, world_gpu(&w, "GPU-1", "H100", node), NONE, 0, 3 * HOUR_S, 0);
    w.inv.nodes.v[node].has_cpu_request = w.inv.nodes.v[node].has_memory_request = true;
    w.inv.nodes.v[node].has_cpu_usage = w.inv.nodes.v[node].has_memory_usage = true;
    w.rule.basis = RULE_BASIS_MAX;
}

static void teardown(void)
{
    world_free(&w);
}

static uint32_t requests(uint32_t target, uint32_t pod, int from, int to, uint64_t millicores)
{
    uint32_t s = world_series(&w, SAMPLE_REQUEST_CPU, target, NONE, node, pod);

    world_samples(&w, s, from, to, millicores * MILLICORE);
    return s;
}

/* A counter that grows by so many millicores from `from` on; first value `start` core-seconds. */
static uint32_t uses_cpu(uint32_t pod, int from, int to, uint64_t start, uint64_t millicores)
{
    uint32_t s = world_series(&w, SAMPLE_CPU, kubelet, NONE, node, pod);

    for (int t = from; t < to; t += 60)
        vec_push(&w.samples.v[s].list,
                 (struct sample){AT(t), start * 1000000000 + (uint64_t)(t - from) * millicores * MILLICORE});
    return s;
}

static uint32_t uses_memory(uint32_t pod, uint32_t container, int from, int to, uint64_t mib)
{
    uint32_t s = world_series(&w, SAMPLE_MEMORY, kubelet, NONE, node, pod);

    w.series.v[s].container = container;
    world_samples(&w, s, from, to, mib << 20);
    return s;
}

static void run(void)
{
    ck_assert_msg(world_run(&w) == 0, "%s", w.err.text);
}

static void pays(enum piece piece, uint32_t pod, const char *amount)
{
    world_is(world_cost(&w, piece, pod, BUCKET_NONE), amount, bit);
}

START_TEST(a_request_weighs_its_part_of_the_nodes_capacity)
{
    w.rule.basis = RULE_BASIS_REQUEST;
    requests(kube, a, 0, HOUR_S, 250);
    requests(kube, b, 1800, HOUR_S, 500);              /* half of the hour */
    world_charge(&w, "i-1", 0, HOUR_S, "8");
    run();
    pays(PIECE_CPU, a, "0.25");
    pays(PIECE_CPU, b, "0.25");
    world_is(world_reason_cost(&w, PIECE_CPU, REASON_CPU), "0.5", bit);
}
END_TEST

START_TEST(a_pod_is_absent_where_its_series_has_no_sample)
{
    w.rule.basis = RULE_BASIS_REQUEST;
    requests(kube, a, 0, HOUR_S, 100);                 /* keeps the target's timeline going */
    requests(kube, b, 0, 900, 400);
    world_charge(&w, "i-1", 0, HOUR_S, "8");
    run();
    pays(PIECE_CPU, b, "0.1");
}
END_TEST

START_TEST(requests_of_a_finished_pod_do_not_count)
{
    w.rule.basis = RULE_BASIS_REQUEST;
    requests(kube, a, 0, HOUR_S, 400);
    steps_push(&w.inv.pods.v[a].ended, AT(900), 1);
    world_charge(&w, "i-1", 0, HOUR_S, "8");
    run();
    pays(PIECE_CPU, a, "0.1");
    world_is(world_cost(&w, PIECE_CPU, NONE, BUCKET_NO_METRICS), "0", 0);
}
END_TEST

START_TEST(a_bare_name_ends_with_the_pod_that_it_means)
{
    uint32_t named = world_pod(&w, "b", "b", "u1");

    w.rule.basis = RULE_BASIS_REQUEST;
    requests(kube, b, 0, HOUR_S, 400);
    steps_push(&w.inv.pods.v[b].alias, TIME_MIN, named);
    steps_push(&w.inv.pods.v[named].ended, AT(900), 1);
    world_charge(&w, "i-1", 0, HOUR_S, "8");
    run();
    pays(PIECE_CPU, named, "0.1");
}
END_TEST

START_TEST(a_counter_is_differenced_and_a_drop_is_a_reset)
{
    uint32_t s;

    w.rule.basis = RULE_BASIS_USAGE;
    s = uses_cpu(a, 0, HOUR_S + 60, 1000, 300);        /* 1080 core-seconds in the hour */
    for (size_t i = 30; i < w.samples.v[s].list.n; i++)
        w.samples.v[s].list.v[i].value -= UINT64_C(1540) * 1000000000;         /* was 1540 there: begins at 0 again */
    world_charge(&w, "i-1", 0, HOUR_S, "8");
    run();
    pays(PIECE_CPU, a, "0.295");                       /* 18 core-seconds of the minute of the reset are unknown */
}
END_TEST

START_TEST(an_increase_across_a_charges_border_is_divided_by_time)
{
    w.rule.basis = RULE_BASIS_USAGE;
    uses_cpu(a, 0, HOUR_S + 60, 0, 400);
    world_charge(&w, "i-1", 0, 1830, "8");             /* in the middle of a minute */
    world_charge(&w, "i-1", 1830, HOUR_S, "80");
    run();
    pays(PIECE_CPU, a, "4.4");                         /* 0.4 of both */
}
END_TEST

START_TEST(the_larger_of_request_and_usage_counts_per_pod_and_hour)
{
    requests(kube, a, 0, 2 * HOUR_S, 300);
    uses_cpu(a, 0, HOUR_S + 60, 0, 500);               /* more in the first hour, nothing in the second */
    requests(kube, b, 0, 2 * HOUR_S, 200);
    uses_cpu(b, 0, 2 * HOUR_S + 60, 0, 100);
    world_charge(&w, "i-1", 0, 2 * HOUR_S, "16");
    run();
    pays(PIECE_CPU, a, "0.8");                         /* of 2: 0.5 + 0.3 */
    pays(PIECE_CPU, b, "0.4");
}
END_TEST

START_TEST(working_sets_of_containers_add_up_and_those_of_one_container_do_not)
{
    w.rule.basis = RULE_BASIS_USAGE;
    uses_memory(a, world_text(&w, "main"), 0, HOUR_S, 256);
    uses_memory(a, world_text(&w, "main"), 0, HOUR_S, 200);            /* its cgroup before the restart */
    uses_memory(a, world_text(&w, "side"), 0, HOUR_S, 128);
    world_charge(&w, "i-1", 0, HOUR_S, "8");
    run();
    pays(PIECE_MEMORY, a, "0.375");
}
END_TEST

START_TEST(two_targets_of_one_node_count_once)
{
    uint32_t twin = world_target(&w, "kube-2");

    w.rule.basis = RULE_BASIS_REQUEST;
    requests(kube, a, 0, 1200, 250);
    requests(twin, a, 0, HOUR_S, 250);
    world_charge(&w, "i-1", 0, HOUR_S, "8");
    run();
    pays(PIECE_CPU, a, "0.25");
}
END_TEST

START_TEST(time_without_series_of_the_node_is_without_metrics)
{
    w.rule.basis = RULE_BASIS_REQUEST;
    requests(kube, a, 0, 1800, 500);
    world_charge(&w, "i-1", 0, HOUR_S, "8");
    run();
    pays(PIECE_CPU, a, "0.25");
    world_is(world_cost(&w, PIECE_CPU, NONE, BUCKET_NO_METRICS), "0.5", bit);
    world_is(world_cost(&w, PIECE_CPU, NONE, BUCKET_IDLE), "0.25", bit);
}
END_TEST

START_TEST(a_pod_that_comes_to_the_node_between_two_samples_shows_it_from_then_on)
{
    uint32_t s = world_series(&w, SAMPLE_REQUEST_CPU, kube, NONE, NONE, a);

    w.rule.basis = RULE_BASIS_REQUEST;
    w.rule.gpu.max_gap_ms = TIME_HOUR;
    steps_push(&w.inv.pods.v[a].node, AT(1200), node);
    for (int t = 0; t <= HOUR_S; t += 1800)
        vec_push(&w.samples.v[s].list, (struct sample){AT(t), 500 * MILLICORE});
    world_charge(&w, "i-1", 0, HOUR_S, "8");
    run();
    pays(PIECE_CPU, a, "0.333333333333");                              /* half of the core for 40 minutes */
    world_is(world_cost(&w, PIECE_CPU, NONE, BUCKET_NO_METRICS), "0.333333333333", bit);       /* the 20 minutes before */
    world_is(world_cost(&w, PIECE_CPU, NONE, BUCKET_IDLE), "0.333333333333", bit);
}
END_TEST

START_TEST(a_pod_pays_as_who_it_was_at_the_time)
{
    static const char *const names[] = {"a", NULL};
    const struct rule_matcher all = {RULE_MATCH_NAMESPACE, NULL, names};

    w.rule.basis = RULE_BASIS_REQUEST;
    w.rule.has_owners = true;
    vec_push(&w.rule.owners, (struct rule_owner){.matchers = &all, .n_matchers = 1, .team = "x", .from = TIME_MIN, .until = AT(900)});
    vec_push(&w.rule.owners, (struct rule_owner){.matchers = &all, .n_matchers = 1, .team = "y", .from = AT(900), .until = TIME_MAX});
    requests(kube, a, 0, HOUR_S, 400);
    world_charge(&w, "i-1", 0, HOUR_S, "8");
    run();
    pays(PIECE_CPU, a, "0.4");
    for (size_t i = 0; i < w.entries.n; i++) {
        const struct entry *e = &w.entries.v[i];

        if (e->piece == PIECE_CPU && e->pod_version != NONE)
            world_is(e->cost, w.owners.versions.v[e->pod_version].team == world_text(&w, "x") ? "0.1" : "0.3", bit);
    }
}
END_TEST

START_TEST(a_window_border_changes_nothing)
{
    w.rule.basis = RULE_BASIS_USAGE;
    w.period.to = AT(2 * DAY_S);
    uses_cpu(a, DAY_S - 1830, DAY_S + 1890, 0, 400);                   /* a sample 30 s before midnight, the next 30 s after it */
    world_charge(&w, "i-1", DAY_S - 1800, DAY_S + 1800, "8");
    w.inv.gpus.v[0].last_ms = AT(DAY_S);
    run();
    pays(PIECE_CPU, a, "0.4");
}
END_TEST

int main(void)
{
    Suite *s = suite_create("host");
    TCase *c = tcase_create("host");

    tcase_add_checked_fixture(c, setup, teardown);
    tcase_add_test(c, a_request_weighs_its_part_of_the_nodes_capacity);
    tcase_add_test(c, a_pod_is_absent_where_its_series_has_no_sample);
    tcase_add_test(c, requests_of_a_finished_pod_do_not_count);
    tcase_add_test(c, a_bare_name_ends_with_the_pod_that_it_means);
    tcase_add_test(c, a_counter_is_differenced_and_a_drop_is_a_reset);
    tcase_add_test(c, an_increase_across_a_charges_border_is_divided_by_time);
    tcase_add_test(c, the_larger_of_request_and_usage_counts_per_pod_and_hour);
    tcase_add_test(c, working_sets_of_containers_add_up_and_those_of_one_container_do_not);
    tcase_add_test(c, two_targets_of_one_node_count_once);
    tcase_add_test(c, time_without_series_of_the_node_is_without_metrics);
    tcase_add_test(c, a_pod_that_comes_to_the_node_between_two_samples_shows_it_from_then_on);
    tcase_add_test(c, a_pod_pays_as_who_it_was_at_the_time);
    tcase_add_test(c, a_window_border_changes_nothing);
    suite_add_tcase(s, c);
    return unit_run(s);
}
