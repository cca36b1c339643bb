/* explain_queries: PromQL as it is pasted into a Prometheus. */
#include <string.h>

#include "gputab/cli/explain_queries.h"
#include "unit.h"

static const struct timespan day = {1791158400000, 1791244800000};     /* 2026-10-05 */

static const struct family *family(const char *name)
{
    for (const struct family *f = exporters_families; f->name; f++)
        if (strcmp(f->name, name) == 0)
            return f;
    ck_abort_msg("no family %s", name);
    return NULL;
}

/* DCGM's pod labels are renamed where Prometheus has labels of its own: of one series only one pair names the pod. */
START_TEST(memory_is_a_sum_over_time_in_gib_hours)
{
    struct buf b = {0};

    ck_assert(explain_query_memory(family("DCGM_FI_DEV_FB_USED"), span_of("ns"), span_of("p\"x"), day, 60000, &b));
    ck_assert_str_eq(buf_str(&b),
                     "(sum(sum_over_time(DCGM_FI_DEV_FB_USED{exported_namespace=\"ns\",exported_pod=\"p\\\"x\"}[86400s] @ "
                         "1791244799.999)) or "
                     "sum(sum_over_time(DCGM_FI_DEV_FB_USED{namespace=\"ns\",pod=\"p\\\"x\"}[86400s] @ 1791244799.999))) * 60 / 3600 / "
                         "1024");
    buf_free(&b);
}
END_TEST

START_TEST(hours_are_samples_times_the_interval)
{
    struct buf b = {0};

    ck_assert(explain_query_hours(family("xpum_memory_used_bytes"), span_of("ns"), span_of("p"), day, 15500, &b));
    ck_assert_str_eq(buf_str(&b), "(sum(count_over_time(xpum_memory_used_bytes{kube_namespace=\"ns\",kube_pod=\"p\"}[86400s] @ "
                                  "1791244799.999))) * 15.500 / 3600");
    buf_free(&b);
}
END_TEST

START_TEST(only_series_that_are_read_are_asked_for)
{
    struct buf b = {0};

    ck_assert(explain_query_memory(family("neuron_runtime_memory_used_bytes"), span_of("ns"), span_of("p"), day, 60000, &b));
    ck_assert_ptr_nonnull(strstr(buf_str(&b), ",memory_location=\"neuron_device\"}"));
    ck_assert_ptr_nonnull(strstr(buf_str(&b), " / 1073741824"));
    buf_free(&b);
}
END_TEST

START_TEST(a_family_without_pods_has_no_query)
{
    struct buf b = {0};

    ck_assert(!explain_query_memory(family("nvidia_smi_memory_used_bytes"), span_of("ns"), span_of("p"), day, 60000, &b));
    ck_assert(!explain_query_hours(family("nvidia_smi_memory_used_bytes"), span_of("ns"), span_of("p"), day, 60000, &b));
    buf_free(&b);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("explain_queries");
    TCase *t = tcase_create("explain_queries");

    tcase_add_test(t, memory_is_a_sum_over_time_in_gib_hours);
    tcase_add_test(t, hours_are_samples_times_the_interval);
    tcase_add_test(t, only_series_that_are_read_are_asked_for);
    tcase_add_test(t, a_family_without_pods_has_no_query);
    suite_add_tcase(s, t);
    return unit_run(s);
}
