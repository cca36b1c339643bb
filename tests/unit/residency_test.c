/* residency: samples become facts. Whatever happens on a card, its facts make up the time it was observed, under every denominator. */
#include "core_fixture.h"
#include "gputab/core/mig.h"
#include "gputab/core/usage_hash.h"

#define WHOLE ((weight)1 << USAGE_SHARE_BITS)

static struct world w;
static struct usage facts;
static struct cuts cuts[8];
static uint32_t exporter, node, device;

static void setup(void)
{
    world_init(&w);
    memset(&facts, 0, sizeof facts);
    memset(cuts, 0, sizeof cuts);
    exporter = world_target(&w, "a");
    node = world_node(&w, "n1", "i-1", "one");
    device = world_gpu(&w, "GPU-1", "H100", node);
}

static void teardown(void)
{
    usage_free(&facts);
    world_free(&w);
}

/* Sums over all windows, per day, GPU and pod (the last place: buckets). */
enum { DAYS = 4, GPUS = 2, PODS = 4 };
struct sums {
    weight share[DAYS][GPUS][PODS + 1][RULE_DENOMINATORS], memory[DAYS][GPUS][PODS + 1];
    uint64_t observed[DAYS][GPUS];
};

static void add_facts(struct sums *s)
{
    for (size_t i = 0; i < facts.observed.n; i++)
        s->observed[(facts.observed.v[i].span.from - DAY0) / TIME_DAY][facts.observed.v[i].gpu] += facts.observed.v[i].observed_ms;
    for (size_t i = 0; i < facts.gpu.n; i++) {
        const struct gpu_fact *f = &facts.gpu.v[i];
        size_t day = (size_t)((f->span.from - DAY0) / TIME_DAY);
        size_t who = 0;

        while (who < PODS && (f->pod_version == NONE || !world_is_pod(&w, &w.owners.versions.v[f->pod_version], (uint32_t)who)))
            who++;
        for (int k = 0; k < RULE_DENOMINATORS; k++)
            s->share[day][f->gpu][who][k] += f->share[k];
        s->memory[day][f->gpu][who] += f->memory_ms;
    }
}

/* Facts of each GPU and span make up its observed time. */
static void check_whole(void)
{
    for (size_t i = 0; i < facts.observed.n; i++) {
        const struct gpu_observed *o = &facts.observed.v[i];
        weight sum[RULE_DENOMINATORS] = {0};

        for (size_t k = 0; k < facts.gpu.n; k++)
            if (facts.gpu.v[k].gpu == o->gpu && facts.gpu.v[k].node == o->node && facts.gpu.v[k].span.from == o->span.from)
                for (int d = 0; d < RULE_DENOMINATORS; d++)
                    sum[d] += facts.gpu.v[k].share[d];
        for (int d = 0; d < RULE_DENOMINATORS; d++)
            ck_assert(sum[d] == WHOLE * o->observed_ms);
    }
}

/* Runs the days [from, to) in one go, with no more samples than a run over them loads; h NULL: no hash. */
static void hash_days(int from, int to, struct sums *s, struct usage_hash *h)
{
    struct residency *r = residency_new(&(struct residency_config){&w.rule, &w.catalogue, &w.inv, &w.owners, cuts, &w.diag});
    struct sample_window window = {0};

    for (int day = from; day < to; day++) {
        world_window(&w, (struct timespan){AT(day * DAY_S), AT((day + 1) * DAY_S)}, &window);
        window_facts(r, &window, &facts);
        check_whole();
        if (s)
            add_facts(s);
        if (h)
            usage_hash_add(h, &facts, &w.inv, &w.owners);
    }
    world_end_windows(&w);
    vec_free(&window.runs);
    residency_free(r);
}

static void run_days(int from, int to, struct sums *s)
{
    hash_days(from, to, s, NULL);
}

static void build(void)
{
    owners_update(&w.owners, &w.rule, &w.inv, w.names);
}

START_TEST(facts_are_cut_at_hours_and_at_the_nodes_cuts)
{
    time_ms borders[] = {AT(5400)};
    uint32_t pod = world_pod(&w, "a", "a", "");

    cuts[node] = (struct cuts){borders, 1};
    world_uses(&w, exporter, device, pod, 0, 2 * HOUR_S, 20);
    build();
    run_days(0, 1, NULL);
    ck_assert_uint_eq(facts.observed.n, 3);
    ck_assert_int_eq(facts.observed.v[1].span.from, AT(3600));
    ck_assert_int_eq(facts.observed.v[1].span.to, AT(5400));
    ck_assert_uint_eq(facts.observed.v[2].observed_ms, 1800000);
    ck_assert_int_eq(facts.gpu.v[0].state, USAGE_HELD);
    ck_assert(facts.gpu.v[0].held == WHOLE * (weight)TIME_HOUR);
}
END_TEST

START_TEST(facts_are_cut_where_the_owner_changes)
{
    static const char *const globs[] = {"*", NULL};
    const struct rule_matcher all = {RULE_MATCH_NAMESPACE, NULL, globs};
    uint32_t pod = world_pod(&w, "a", "a", "");
    uint64_t of_team[2] = {0};

    w.rule.has_owners = true;
    vec_push(&w.rule.owners, (struct rule_owner){.matchers = &all, .n_matchers = 1, .team = "x", .from = TIME_MIN, .until = AT(1234)});
    vec_push(&w.rule.owners, (struct rule_owner){.matchers = &all, .n_matchers = 1, .team = "y", .from = AT(1234), .until = TIME_MAX});
    world_uses(&w, exporter, device, pod, 0, HOUR_S, 20);
    build();
    run_days(0, 1, NULL);
    for (size_t i = 0; i < facts.gpu.n; i++)
        if (facts.gpu.v[i].pod_version != NONE)
            of_team[w.owners.versions.v[facts.gpu.v[i].pod_version].team == world_text(&w, "y")] +=
                (uint64_t)(facts.gpu.v[i].held >> USAGE_SHARE_BITS);
    ck_assert_uint_eq(of_team[0], 1234000);
    ck_assert_uint_eq(of_team[1], 3600000 - 1234000);
}
END_TEST

START_TEST(the_day_before_stands_over_midnight_for_its_own_interval)
{
    uint32_t pod = world_pod(&w, "a", "a", ""), s = world_device_series(&w, SAMPLE_USED, exporter, device, pod);
    struct sums sums = {0};

    for (int t = DAY_S - 7180; t < DAY_S; t += 30)                     /* the last one is 23:59:50 */
        vec_push(&w.samples.v[s].list, (struct sample){AT(t), 20 * GIB});
    world_samples(&w, s, DAY_S + 3600, DAY_S + 7200, 20 * GIB);
    build();
    run_days(0, 2, &sums);
    ck_assert_uint_eq(sums.observed[0][0], 7180000);
    ck_assert_uint_eq(sums.observed[1][0], 20000 + 3600000);           /* to 00:00:20, not 00:00:50 */
}
END_TEST

/* Of the device every one and a half minutes, then every two, of the pod's memory every minute; without samples there is none. */
START_TEST(the_longest_interval_of_a_window_is_told)
{
    struct residency *r = residency_new(&(struct residency_config){&w.rule, &w.catalogue, &w.inv, &w.owners, cuts, &w.diag});
    uint32_t pod = world_pod(&w, "a", "a", ""), s = world_device_series(&w, SAMPLE_USED, exporter, device, pod);
    static const int64_t longest[] = {90000, 120000, 0};
    uint32_t kubelet = world_target(&w, "k");
    struct sample_window window = {0};

    for (int t = 0; t < HOUR_S; t += 90)
        vec_push(&w.samples.v[s].list, (struct sample){AT(t), 20 * GIB});
    for (int t = DAY_S + HOUR_S; t < DAY_S + 2 * HOUR_S; t += 120)
        vec_push(&w.samples.v[s].list, (struct sample){AT(t), 20 * GIB});
    world_samples(&w, world_series(&w, SAMPLE_MEMORY, kubelet, NONE, node, pod), 0, HOUR_S, GIB);
    build();
    for (int day = 0; day < 3; day++) {
        world_window(&w, (struct timespan){AT(day * DAY_S), AT((day + 1) * DAY_S)}, &window);
        window_facts(r, &window, &facts);
        ck_assert_int_eq(residency_interval(r), longest[day]);
    }
    world_end_windows(&w);
    vec_free(&window.runs);
    residency_free(r);
}
END_TEST

START_TEST(samples_further_apart_than_max_gap_leave_no_hole_at_midnight)
{
    uint32_t pod = world_pod(&w, "a", "a", ""), s = world_device_series(&w, SAMPLE_USED, exporter, device, pod);
    struct sums sums = {0};

    for (int t = 120; t < 2 * DAY_S; t += 900)                         /* 23:47, 00:02: the first stands for two minutes of the day */
        vec_push(&w.samples.v[s].list, (struct sample){AT(t), 20 * GIB});
    build();
    run_days(0, 2, &sums);
    ck_assert_uint_eq(sums.observed[0][0], (DAY_S - 120) * UINT64_C(1000));
    ck_assert_uint_eq(sums.observed[1][0], DAY_S * UINT64_C(1000));
}
END_TEST

START_TEST(a_gpu_of_no_known_node_has_facts_without_one)
{
    uint32_t pod = world_pod(&w, "a", "a", ""), lost = world_gpu(&w, "GPU-2", "H100", NONE);

    world_uses(&w, exporter, lost, pod, 0, 600, 20);
    build();
    run_days(0, 1, NULL);
    ck_assert_uint_eq(facts.observed.n, 1);
    ck_assert_uint_eq(facts.observed.v[0].node, NONE);
    ck_assert_uint_eq(facts.observed.v[0].observed_ms, 600000);
}
END_TEST

START_TEST(a_gpu_that_moves_is_observed_on_one_node_at_a_time)
{
    uint32_t other = world_node(&w, "n2", "i-2", "one"), pod = world_pod(&w, "a", "a", "");

    steps_push(&w.inv.gpus.v[0].node, AT(1830), other);
    world_uses(&w, exporter, device, pod, 0, HOUR_S, 20);
    build();
    run_days(0, 1, NULL);
    ck_assert_uint_eq(facts.observed.n, 2);
    ck_assert_uint_eq(facts.observed.v[0].node, node);
    ck_assert_uint_eq(facts.observed.v[0].observed_ms, 1830000);
    ck_assert_uint_eq(facts.observed.v[1].node, other);
    ck_assert_uint_eq(facts.observed.v[1].observed_ms, 1770000);
}
END_TEST

START_TEST(instances_that_stand_at_different_times_observe_their_union)
{
    uint32_t one = world_instance(&w, 0, "1", "3g.40gb"), two = world_instance(&w, 0, "2", "1g.10gb");

    world_uses(&w, exporter, one, NONE, 0, 1200, 5);
    world_uses(&w, world_target(&w, "b"), two, NONE, 600, 1800, 5);
    build();
    run_days(0, 1, NULL);
    ck_assert_uint_eq(facts.observed.n, 1);
    ck_assert_uint_eq(facts.observed.v[0].observed_ms, 1800000);
}
END_TEST

static weight held_memory(void)
{
    weight sum = 0;

    for (size_t i = 0; i < facts.gpu.n; i++)
        if (facts.gpu.v[i].claimant == CLAIM_POD)
            sum += facts.gpu.v[i].memory_ms;
    return sum;
}

/* One target shows an instance's memory for ten minutes and, for twenty, that it is there: the number counts while there is one. */
START_TEST(that_an_instance_is_there_counts_while_nothing_tells_of_its_memory)
{
    uint32_t one = world_instance(&w, 0, "1", "1g.10gb"), pod = world_pod(&w, "a", "a", "");
    uint64_t profile;

    world_uses(&w, exporter, one, pod, 0, 600, 4);
    world_samples(&w, world_device_series(&w, SAMPLE_PRESENT, exporter, one, pod), 0, 1200, 0);
    build();
    run_days(0, 1, NULL);
    profile = mig_memory_bytes(&w.catalogue, &w.inv, node, 0, one, AT(0));
    ck_assert_uint_gt(profile, 4 * GIB);
    ck_assert_uint_eq(facts.observed.v[0].observed_ms, 1200000);
    ck_assert(held_memory() == ((weight)(4 * GIB + profile) * 600000) << USAGE_MEMORY_BITS);
}
END_TEST

/* 10 and 20 GiB of a pod's and 5 of nobody's processes: without a total of the card 35 are used; with one, that. */
START_TEST(processes_without_a_pod_are_a_part_of_what_the_card_uses)
{
    uint32_t pod = world_pod(&w, "a", "a", "");
    uint64_t capacity = 0, total;

    w.inv.nodes.v[node].sharing.n = 0;
    steps_push(&w.inv.nodes.v[node].sharing, TIME_MIN, SHARING_LABELS_KNOWN | SHARING_REPLICAS);
    for (int i = 0; i < 3; i++)
        world_samples(&w, world_device_series(&w, SAMPLE_PROCESS_USED, exporter, device, i < 2 ? pod : NONE), 0, 600,
                      (uint64_t[]){10, 20, 5}[i] * GIB);
    build();
    run_days(0, 1, NULL);
    total = mig_memory_bytes(&w.catalogue, &w.inv, node, 0, device, AT(0));
    ck_assert(held_memory() == ((weight)(30 * GIB) * 600000) << USAGE_MEMORY_BITS);
    for (size_t i = 0; i < facts.gpu.n; i++)
        if (facts.gpu.v[i].claimant == CLAIM_UNATTRIBUTED)
            capacity = (uint64_t)((facts.gpu.v[i].share[RULE_CAPACITY] * (weight)(total >> 20) >> USAGE_SHARE_BITS) / 600000);
    ck_assert_uint_le(capacity, 5 << 10);              /* MiB, a share rounded */
    ck_assert_uint_ge(capacity, (5 << 10) - 1);
}
END_TEST

/* ---- random worlds ---- */

static uint32_t state;

static uint32_t below(uint32_t n)
{
    state = state * 1664525u + 1013904223u;
    return (state >> 8) % n;
}

/* A sample a minute, but for gaps; nothing at all in some of the days' hours. */
static void random_samples(uint32_t s, int days)
{
    int t = (int)below(60);

    while (t < days * DAY_S) {
        int until = t + 60 * (int)(1 + below(400));
        uint64_t value = (uint64_t)below(30) * GIB + below(1000);

        for (; t < until && t < days * DAY_S; t += 60)
            vec_push(&w.samples.v[s].list, (struct sample){AT(t), value});
        t += 60 * (int)below(30);
    }
}

static void random_world(uint32_t seed, int days)
{
    static const enum sample_kind kinds[] = {SAMPLE_USED, SAMPLE_USED, SAMPLE_LAYER_USED, SAMPLE_LAYER_PROCESS, SAMPLE_PROCESS_USED,
                                             SAMPLE_PRESENT, SAMPLE_FREE};
    uint32_t other = world_target(&w, "b"), second = world_gpu(&w, "GPU-2", "H100", node);

    state = seed;
    for (uint32_t p = 0; p < PODS; p++) {
        world_pod(&w, "a", (const char *[]){"p0", "p1", "p2", "p3"}[p], "");
        if (below(2))
            steps_push(&w.inv.pods.v[p].ended, AT(below((uint32_t)days * DAY_S)), 1);
    }
    for (int i = 0; i < 9; i++) {
        uint32_t on = below(2) ? device : second;
        enum sample_kind kind = kinds[below(sizeof kinds / sizeof *kinds)];
        bool layer = kind == SAMPLE_LAYER_USED || kind == SAMPLE_LAYER_PROCESS;
        uint32_t pod = kind != SAMPLE_FREE && (layer || below(3)) ? below(PODS) : NONE;

        random_samples(world_device_series(&w, kind, below(2) ? exporter : other, on, pod), days);
    }
    random_samples(world_device_series(&w, SAMPLE_FREE, exporter, device, NONE), days);
    for (uint32_t p = 0; p < PODS; p++)                /* so that pods whose labels are missing for a while are there meanwhile */
        if (below(2))
            random_samples(world_series(&w, SAMPLE_REQUEST_GPU, other, NONE, node, p), days);
    build();
}

START_TEST(shares_make_up_the_observed_time_whatever_the_samples)
{
    random_world((uint32_t)_i, 1);
    run_days(0, 1, NULL);                              /* checks every span */
}
END_TEST

START_TEST(a_period_gives_what_its_days_give)
{
    static struct sums together, alone;

    memset(&together, 0, sizeof together);
    memset(&alone, 0, sizeof alone);
    random_world(1000 + (uint32_t)_i, 3);
    run_days(0, 3, &together);
    for (int day = 0; day < 3; day++)
        run_days(day, day + 1, &alone);
    ck_assert_mem_eq(&together, &alone, sizeof together);
}
END_TEST

/* ---- pods and series that change from day to day ---- */

/* Half of the names are bare ones of pods that requests know by uid; each passes from one pod to another in the second day. */
static void pods_of_generations(void)
{
    static const char *names[] = {"p0", "p0", "p0", "p1", "p1", "p1", "p2", "p3"};
    static const char *uids[] = {"", "u1", "u2", "", "u3", "u4", "", ""};

    for (size_t i = 0; i < 8; i++) {
        uint32_t pod = world_pod(&w, "a", names[i], uids[i]);

        if (uids[i][0])
            steps_push(&w.inv.pods.v[pod].workload, AT((int)i * 7000), world_text(&w, i % 2 ? "Deployment/x" : "Deployment/y"));
        steps_push(&w.inv.pods.v[pod].node, TIME_MIN, node);
    }
    for (uint32_t bare = 0; bare < 6; bare += 3) {
        steps_push(&w.inv.pods.v[bare].alias, AT(1000), bare + 1);
        steps_push(&w.inv.pods.v[bare].alias, AT(DAY_S + 5000), bare + 2);
    }
}

static void random_series(enum sample_kind kind, uint32_t target, uint32_t on, uint32_t pod, int day)
{
    uint32_t s = world_series(&w, kind, target, on, on == NONE && kind < SAMPLE_REQUEST_GPU ? node : NONE, pod);
    int t = day * DAY_S + (int)below(20000), end = t + 3600 + (int)below(100000);

    for (; t < end; t += below(50) ? 60 : 900)
        vec_push(&w.samples.v[s].list, (struct sample){AT(t), (uint64_t)(1 + below(3)) * (on == NONE ? 400000 : 9 * GIB)});
}

/* Pods come and go, and one of the cards may come a day later; what a target shows of a card at all, it shows from its first day on. */
static void world_of_generations(uint32_t seed)
{
    static const enum sample_kind of_device[] = {SAMPLE_USED, SAMPLE_FREE, SAMPLE_LAYER_USED, SAMPLE_PROCESS_USED, SAMPLE_PRESENT};
    static const enum sample_kind of_node[] = {SAMPLE_CAPACITY_GPU, SAMPLE_REQUEST_GPU, SAMPLE_REQUEST_CPU, SAMPLE_CPU, SAMPLE_MEMORY};
    uint32_t targets[] = {exporter, world_target(&w, "b")}, cards[] = {device, world_gpu(&w, "GPU-2", "H100", node)};
    int first[] = {seed % 3 == 1, seed % 3 == 2};

    state = seed;
    pods_of_generations();
    for (int day = 0; day < 4; day++) {
        for (size_t k = 0; k < 20; k++)
            if (day == first[k / 10] || (day > first[k / 10] && below(3) == 0))
                random_series(of_device[k % 5], targets[k / 5 % 2], cards[k / 10], k % 5 == 1 ? NONE : below(4) * 2, day);
        for (size_t k = 0; k < 10; k++)
            if (day == 0 || below(2))
                random_series(of_node[k % 5], targets[k / 5], NONE, k % 5 == 0 ? NONE : below(8), day);
    }
}

static void facts_of(bool by_day, char hex[SHA256_HEX])
{
    struct usage_hash *h = usage_hash_new();

    w.by_day = by_day;
    hash_days(0, 5, NULL, h);
    usage_hash_end(h, hex);
    owners_free(&w.owners);
}

START_TEST(pods_and_series_of_a_day_give_the_facts_that_those_of_all_days_give)
{
    char of_all[SHA256_HEX], of_days[SHA256_HEX];

    world_of_generations(2000 + (uint32_t)_i);
    facts_of(false, of_all);
    facts_of(true, of_days);
    ck_assert_str_eq(of_all, of_days);
}
END_TEST

/* The day before had a sample every 30 s for the most part; its last one, 23:59:50, stands to 00:00:20, though the series has another
 * index now. The hour of the pod that is gone has its last sample at 00:59:00, which stands 30 s too. */
START_TEST(a_days_interval_outlives_its_pods_and_series)
{
    uint32_t gone = world_pod(&w, "a", "a", ""), pod = world_pod(&w, "a", "b", "");
    struct sums sums = {0};
    uint32_t s;

    world_uses(&w, exporter, device, gone, 0, HOUR_S, 20);
    s = world_device_series(&w, SAMPLE_USED, exporter, device, pod);
    for (int t = DAY_S - 7180; t < DAY_S; t += 30)
        vec_push(&w.samples.v[s].list, (struct sample){AT(t), 20 * GIB});
    world_samples(&w, s, DAY_S + HOUR_S, DAY_S + 2 * HOUR_S, 20 * GIB);
    w.by_day = true;
    run_days(0, 2, &sums);
    ck_assert_uint_eq(sums.observed[0][0], 3570000 + 7180000);
    ck_assert_uint_eq(sums.observed[1][0], 20000 + 3600000);
}
END_TEST

/* A whole card, and one of two instances that is silent on the first and the third day: the three GPUs that the node offers are not
 * shared then either. */
START_TEST(cards_and_instances_without_series_on_a_day_are_still_the_nodes)
{
    uint32_t second = world_gpu(&w, "GPU-2", "H100", node), pod = world_pod(&w, "a", "a", "");
    uint32_t one = world_instance(&w, w.inv.devices.v[second].gpu, "1", "3g.40gb");
    uint32_t two = world_instance(&w, w.inv.devices.v[second].gpu, "2", "3g.40gb");

    world_samples(&w, world_series(&w, SAMPLE_CAPACITY_GPU, exporter, NONE, node, NONE), 0, 3 * DAY_S, 3000000);
    world_uses(&w, exporter, device, pod, 0, HOUR_S, 20);
    world_uses(&w, exporter, one, pod, DAY_S + HOUR_S, DAY_S + 2 * HOUR_S, 20);
    world_uses(&w, exporter, two, pod, DAY_S + HOUR_S, DAY_S + 2 * HOUR_S, 20);
    world_uses(&w, exporter, device, pod, 2 * DAY_S + HOUR_S, 2 * DAY_S + 2 * HOUR_S, 20);
    w.by_day = true;
    for (int days = 1; days <= 3; days += 2) {
        run_days(0, days, NULL);
        ck_assert_uint_gt(facts.gpu.n, 0);
        for (size_t i = 0; i < facts.gpu.n; i++)
            ck_assert_int_eq(facts.gpu.v[i].sharing, SHARING_EXCLUSIVE);
    }
}
END_TEST

int main(void)
{
    Suite *s = suite_create("residency");
    TCase *c = tcase_create("residency");

    tcase_add_checked_fixture(c, setup, teardown);
    tcase_set_timeout(c, 60);
    tcase_add_test(c, facts_are_cut_at_hours_and_at_the_nodes_cuts);
    tcase_add_test(c, facts_are_cut_where_the_owner_changes);
    tcase_add_test(c, the_day_before_stands_over_midnight_for_its_own_interval);
    tcase_add_test(c, the_longest_interval_of_a_window_is_told);
    tcase_add_test(c, samples_further_apart_than_max_gap_leave_no_hole_at_midnight);
    tcase_add_test(c, a_gpu_of_no_known_node_has_facts_without_one);
    tcase_add_test(c, a_gpu_that_moves_is_observed_on_one_node_at_a_time);
    tcase_add_test(c, instances_that_stand_at_different_times_observe_their_union);
    tcase_add_test(c, that_an_instance_is_there_counts_while_nothing_tells_of_its_memory);
    tcase_add_test(c, processes_without_a_pod_are_a_part_of_what_the_card_uses);
    tcase_add_loop_test(c, shares_make_up_the_observed_time_whatever_the_samples, 0, 40);
    tcase_add_loop_test(c, a_period_gives_what_its_days_give, 0, 20);
    tcase_add_loop_test(c, pods_and_series_of_a_day_give_the_facts_that_those_of_all_days_give, 0, 40);
    tcase_add_test(c, a_days_interval_outlives_its_pods_and_series);
    tcase_add_test(c, cards_and_instances_without_series_on_a_day_are_still_the_nodes);
    suite_add_tcase(s, c);
    return unit_run(s);
}
