/* survey: what is said of a small world, line by line. */
#include "core_fixture.h"

#include "gputab/core/survey.h"

static struct world w;
static struct survey s;

static void setup(void)
{
    world_init(&w);
    memset(&s, 0, sizeof s);
}

static void teardown(void)
{
    survey_free(&s);
    world_free(&w);
}

static void series(enum sample_kind kind, uint32_t device, uint32_t node, uint32_t pod)
{
    vec_push(&w.series, (struct series){.kind = kind, .device = device, .node = node, .pod = pod});
}

static void look(struct timespan reach)
{
    survey_build(&s, &w.rule, &w.inv, w.series.v, w.series.n, w.period, reach);
}

static const struct finding *about(const char *subject)
{
    for (size_t i = 0; i < s.findings.n; i++)
        if (strcmp(s.findings.v[i].subject, subject) == 0)
            return &s.findings.v[i];
    return NULL;
}

static void says(const char *subject, enum survey_level level, const char *text)
{
    const struct finding *f = about(subject);

    ck_assert_msg(f != NULL, "nothing is said about %s", subject);
    ck_assert_str_eq(f->text, text);
    ck_assert_int_eq(f->level, level);
    ck_assert_int_eq(f->hint != NULL, level != SURVEY_FOUND);
}

START_TEST(nothing_at_all_is_fatal_where_no_report_makes_sense)
{
    look((struct timespan){TIME_MAX, TIME_MIN});
    says("time", SURVEY_FATAL, "no GPU sample in the period");
    says("GPU memory", SURVEY_FATAL, "no GPUs");
    says("node identity", SURVEY_FATAL, "no GPU nodes");
    says("instance type", SURVEY_MISSING, "no GPU nodes");
    ck_assert_ptr_null(about("per-pod memory"));
}
END_TEST

START_TEST(a_whole_world_has_nothing_to_mend)
{
    uint32_t node = world_node(&w, "n1", "i-1", "one"), device = world_gpu(&w, "GPU-1", "H100", node);

    steps_push(&w.inv.nodes.v[node].sharing, TIME_MIN, SHARING_LABELS_KNOWN);
    w.inv.nodes.v[node].has_cpu_request = w.inv.nodes.v[node].has_memory_request = true;
    w.inv.nodes.v[node].has_cpu_usage = w.inv.nodes.v[node].has_memory_usage = true;
    vec_push(&w.inv.pods, (struct pod){.name = world_text(&w, "p")});
    steps_push(&w.inv.pods.v[0].workload, TIME_MIN, world_text(&w, "Job/p"));
    series(SAMPLE_USED, device, NONE, 0);
    series(SAMPLE_FREE, device, NONE, 0);
    series(SAMPLE_RESERVED, device, NONE, 0);
    series(SAMPLE_REQUEST_GPU, NONE, node, 0);
    look((struct timespan){AT(0), AT(DAY_S - 60)});
    for (size_t i = 0; i < s.findings.n; i++)
        ck_assert_msg(s.findings.v[i].level == SURVEY_FOUND, "%s: %s", s.findings.v[i].subject, s.findings.v[i].text);
    ck_assert_ptr_null(about("per-pod memory"));               /* nothing is shared */
}
END_TEST

START_TEST(per_pod_memory_wants_a_total_beside_or_a_layer)
{
    uint32_t node = world_node(&w, "n1", "i-1", "four"), copies, own, layer, alone;

    copies = world_gpu(&w, "GPU-1", "H100", node);
    own = world_gpu(&w, "GPU-2", "H100", node);
    layer = world_gpu(&w, "GPU-3", "H100", node);
    alone = world_gpu(&w, "GPU-4", "H100", world_node(&w, "n2", "i-2", "one"));
    steps_push(&w.inv.nodes.v[node].sharing, TIME_MIN, SHARING_LABELS_KNOWN | SHARING_REPLICAS);
    vec_push(&w.inv.pods, (struct pod){.name = world_text(&w, "p")});
    series(SAMPLE_USED, copies, NONE, 0);
    series(SAMPLE_USED, own, NONE, 0);
    series(SAMPLE_USED, own, NONE, NONE);
    series(SAMPLE_LAYER_USED, layer, NONE, 0);
    series(SAMPLE_USED, alone, NONE, NONE);
    look((struct timespan){AT(0), AT(DAY_S)});
    says("per-pod memory", SURVEY_PARTLY, "2 of 3 GPUs on shared nodes");
    says("pods on GPUs", SURVEY_PARTLY, "3 of 4 GPUs");
    says("card size", SURVEY_MISSING, "0 of 4 GPUs");
    says("sharing labels", SURVEY_PARTLY, "1 of 2 GPU nodes");
}
END_TEST

START_TEST(a_gpu_of_which_only_the_presence_is_known_lacks_memory_and_spoils_nothing)
{
    uint32_t node = world_node(&w, "n1", "i-1", "four"), seen = world_gpu(&w, "GPU-1", "H100", node), known = world_gpu(&w, "GPU-2", "H100", node);

    vec_push(&w.inv.pods, (struct pod){.name = world_text(&w, "p")});
    series(SAMPLE_PRESENT, seen, NONE, 0);
    series(SAMPLE_PRESENT, known, NONE, 0);
    look((struct timespan){AT(0), AT(DAY_S)});
    says("GPU memory", SURVEY_MISSING, "0 of 2 GPUs");
    says("pods on GPUs", SURVEY_FOUND, "2 GPUs");
    survey_free(&s);
    memset(&s, 0, sizeof s);
    series(SAMPLE_USED, known, NONE, 0);
    look((struct timespan){AT(0), AT(DAY_S)});
    says("GPU memory", SURVEY_PARTLY, "1 of 2 GPUs");
}
END_TEST

START_TEST(a_label_of_the_rule_is_looked_for_under_its_metric_name)
{
    static const char *const one[] = {"example.com/team", NULL}, *const two[] = {"team", "squad", NULL}, *const globs[] = {"*", NULL};
    const struct rule_matcher of_labels[] = {{RULE_MATCH_POD_LABEL, one, NULL}, {RULE_MATCH_NAMESPACE_LABEL, two, NULL}};
    const struct rule_matcher of_others[] = {{RULE_MATCH_POD_ANNOTATION, one, NULL}, {RULE_MATCH_NODE_POOL, rule_pool_labels, globs}};
    uint32_t set = intern_put(w.inv.labelsets, "label_example_com_team\0nlp\0", sizeof "label_example_com_team\0nlp\0" - 1);

    vec_push(&w.rule.owners, (struct rule_owner){.matchers = of_labels, .n_matchers = 2});
    vec_push(&w.rule.owners, (struct rule_owner){.matchers = of_others, .n_matchers = 2});
    vec_push(&w.inv.pods, (struct pod){.name = world_text(&w, "p")});
    vec_push(&w.inv.pods, (struct pod){.name = world_text(&w, "q")});
    steps_push(&w.inv.pods.v[1].labels, TIME_MIN, set);
    look((struct timespan){AT(0), AT(DAY_S)});
    says("pod label", SURVEY_FOUND, "example.com/team: on 1 pod");
    says("namespace label", SURVEY_MISSING, "team or squad: on 0 namespaces");
    ck_assert_str_eq(about("namespace label")->hint, "kube-state-metrics: --metric-labels-allowlist=namespaces=[team,squad]");
    says("pod annotation", SURVEY_MISSING, "example.com/team: on 0 pods");
    ck_assert_str_eq(about("pod annotation")->hint, "kube-state-metrics: --metric-annotations-allowlist=pods=[example.com/team]");
    says("node pool", SURVEY_MISSING, "a label of the cloud's: on 0 nodes");
}
END_TEST

START_TEST(samples_that_begin_an_hour_late_are_part_of_the_period)
{
    world_gpu(&w, "GPU-1", "H100", world_node(&w, "n1", "i-1", "one"));
    look((struct timespan){AT(2 * HOUR_S), AT(DAY_S)});
    ck_assert_int_eq(about("time")->level, SURVEY_PARTLY);
    survey_free(&s);
    look((struct timespan){AT(HOUR_S), AT(DAY_S - HOUR_S)});
    ck_assert_int_eq(about("time")->level, SURVEY_FOUND);
}
END_TEST

START_TEST(a_period_that_is_no_longer_kept_is_told_the_oldest_sample)
{
    world_gpu(&w, "GPU-1", "H100", world_node(&w, "n1", "i-1", "one"));
    look((struct timespan){AT(DAY_S), AT(2 * DAY_S)});
    says("time", SURVEY_FATAL, "no GPU sample in the period: the oldest is of 2024-10-05T00:00:00Z");
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("survey");
    TCase *t = tcase_create("survey");

    tcase_add_checked_fixture(t, setup, teardown);
    tcase_add_test(t, nothing_at_all_is_fatal_where_no_report_makes_sense);
    tcase_add_test(t, a_whole_world_has_nothing_to_mend);
    tcase_add_test(t, per_pod_memory_wants_a_total_beside_or_a_layer);
    tcase_add_test(t, a_gpu_of_which_only_the_presence_is_known_lacks_memory_and_spoils_nothing);
    tcase_add_test(t, a_label_of_the_rule_is_looked_for_under_its_metric_name);
    tcase_add_test(t, samples_that_begin_an_hour_late_are_part_of_the_period);
    tcase_add_test(t, a_period_that_is_no_longer_kept_is_told_the_oldest_sample);
    suite_add_tcase(suite, t);
    return unit_run(suite);
}
