/* metrics: what is loaded of a file, what is left out with a warning, and windows over it. */
#include <zlib.h>

#include "gputab/source/exporters.h"
#include "metrics_fixture.h"
#include "unit.h"

#define GPU_A "GPU-aaaaaaaa-0000-4000-8000-000000000001"
#define GPU_B "GPU-bbbbbbbb-0000-4000-8000-000000000002"

static int64_t warnings(const struct loaded *l, const char *code)
{
    const struct diag_item *d = diag_find(&l->diag, code);

    return d ? d->count : 0;
}

static const char *warning_text(const struct loaded *l, const char *code)
{
    const struct diag_item *d = diag_find(&l->diag, code);

    return d ? d->texts[0] : "";
}

START_TEST(mebibytes_become_bytes)
{
    struct loaded l;

    fixture_load(&l, "DCGM_FI_DEV_FB_USED{UUID=\"" GPU_A "\"} 5120 @60\nDCGM_FI_DEV_FB_USED{UUID=\"" GPU_A "\"} 5121 @120.5\n");
    fixture_check_samples(&l, "used gpu=" GPU_A ": 60=5368709120 120.5=5369757696\n");
    ck_assert_uint_eq(l.diag.n, 0);
    fixture_free(&l);
}
END_TEST

START_TEST(samples_farther_than_a_gap_from_the_period_are_not_loaded)
{
    struct loaded l;

    fixture_load(&l, "DCGM_FI_DEV_FB_USED{UUID=\"" GPU_A "\"} 1 @-300.001\nDCGM_FI_DEV_FB_USED{UUID=\"" GPU_A "\"} 2 @-300\n"
                     "DCGM_FI_DEV_FB_USED{UUID=\"" GPU_A "\"} 3 @86700\nDCGM_FI_DEV_FB_USED{UUID=\"" GPU_A "\"} 4 @86700.001\n");
    fixture_check_samples(&l, "used gpu=" GPU_A ": -300=2097152 86700=3145728\n");
    ck_assert_int_eq(l.inv.gpus.v[0].first_ms, AT(-300));
    ck_assert_int_eq(l.inv.gpus.v[0].last_ms, AT(86700));
    ck_assert_uint_eq(l.diag.n, 0);
    fixture_free(&l);
}
END_TEST

START_TEST(values_that_are_no_quantity_are_left_out_and_counted)
{
    struct loaded l;

    fixture_load(&l, "DCGM_FI_DEV_FB_USED{UUID=\"" GPU_A "\"} NaN @0\nDCGM_FI_DEV_FB_USED{UUID=\"" GPU_A "\"} 2 @60\n"
                     "DCGM_FI_DEV_FB_USED{UUID=\"" GPU_A "\"} -1 @120\nDCGM_FI_DEV_FB_FREE{UUID=\"" GPU_A "\"} +Inf @0\n"
                     "DCGM_FI_DEV_FB_USED{UUID=\"" GPU_A "\"} NaN @-9999\n");
    fixture_check_samples(&l, "used gpu=" GPU_A ": 60=2097152\n");
    ck_assert_int_eq(warnings(&l, "W110"), 3);
    ck_assert_ptr_nonnull(strstr(warning_text(&l, "W110"), "DCGM_FI_DEV_FB_FREE"));
    fixture_free(&l);
}
END_TEST

START_TEST(of_samples_with_one_stamp_the_first_in_the_file_counts)
{
    struct loaded l;

    fixture_load(&l, "hami_host_gpu_memory_used_bytes{device_uuid=\"" GPU_A "\"} 5 @60\n"
                     "hami_host_gpu_memory_used_bytes{device_uuid=\"" GPU_A "\"} 6 @60\n"
                     "hami_host_gpu_memory_used_bytes{device_uuid=\"" GPU_A "\"} 7 @120\n"
                     "hami_host_gpu_memory_used_bytes{device_uuid=\"" GPU_A "\"} 8 @60\n");
    fixture_check_samples(&l, "used gpu=" GPU_A ": 60=5 120=7\n");
    ck_assert_int_eq(warnings(&l, "W111"), 2);
    fixture_free(&l);
}
END_TEST

START_TEST(samples_out_of_order_are_sorted_and_said_once_per_series)
{
    struct loaded l;

    fixture_load(&l, "hami_host_gpu_memory_used_bytes{device_uuid=\"" GPU_A "\"} 3 @180\n"
                     "hami_host_gpu_memory_used_bytes{device_uuid=\"" GPU_A "\"} 1 @60\n"
                     "hami_host_gpu_memory_used_bytes{device_uuid=\"" GPU_A "\"} 5 @300\n"
                     "hami_host_gpu_memory_used_bytes{device_uuid=\"" GPU_A "\"} 4 @240\n"
                     "hami_host_gpu_memory_used_bytes{device_uuid=\"" GPU_A "\"} 2 @120\n"
                     "hami_host_gpu_memory_used_bytes{device_uuid=\"" GPU_B "\"} 9 @60\n");
    fixture_check_samples(&l, "used gpu=" GPU_A ": 60=1 120=2 180=3 240=4 300=5\nused gpu=" GPU_B ": 60=9\n");
    ck_assert_int_eq(warnings(&l, "W112"), 1);
    fixture_free(&l);
}
END_TEST

START_TEST(the_order_of_labels_makes_no_other_series)
{
    struct loaded l;

    fixture_load(&l, "DCGM_FI_DEV_FB_USED{UUID=\"" GPU_A "\",job=\"d\",pod=\"\"} 1 @0\n"
                     "DCGM_FI_DEV_FB_USED{job=\"d\",UUID=\"" GPU_A "\"} 2 @60\n"
                     "DCGM_FI_DEV_FB_USED{job=\"d\",UUID=\"" GPU_A "\",} 3 @60\n");
    fixture_check_samples(&l, "used gpu=" GPU_A ": 0=1048576 60=2097152\n");
    ck_assert_int_eq(warnings(&l, "W111"), 1);
    fixture_free(&l);
}
END_TEST

/* One family under two names, and one series whose driver label changed: where both have a sample the larger value counts. */
START_TEST(series_that_mean_the_same_are_merged)
{
    struct loaded l;

    fixture_load(&l, "DCGM_FI_DEV_FB_USED{UUID=\"" GPU_A "\",DCGM_FI_DRIVER_VERSION=\"580\"} 1 @0\n"
                     "DCGM_FI_DEV_FB_USED{UUID=\"" GPU_A "\",DCGM_FI_DRIVER_VERSION=\"580\"} 2 @60\n"
                     "DCGM_FI_DEV_FB_USED{UUID=\"" GPU_A "\",DCGM_FI_DRIVER_VERSION=\"590\"} 3 @60\n"
                     "DCGM_FI_DEV_FB_USED{UUID=\"" GPU_A "\",DCGM_FI_DRIVER_VERSION=\"590\"} 4 @120\n");
    fixture_check_samples(&l, "used gpu=" GPU_A ": 0=1048576 60=3145728 120=4194304\n");
    ck_assert_uint_eq(l.diag.n, 0);
    fixture_free(&l);
}
END_TEST

/* A family of the user's with label names of its own, and a built-in one that the user's replaces: KiB would be wrong, so bytes. */
START_TEST(a_users_families_go_before_the_built_in_ones)
{
    static const struct family_label labels[] = { { "card", ROLE_UUID }, { "workload", ROLE_SPELT_POD }, { "tenant", ROLE_SPELT_NAMESPACE },
                                                  { NULL, 0 } };
    static const struct family families[] = {
        { .name = "acme_gpu_bytes", .kind = SAMPLE_LAYER_USED, .unit = UNIT_BYTES, .pods = PODS_ALWAYS, .labels = labels },
        { .name = "DCGM_FI_DEV_FB_USED", .kind = SAMPLE_FREE, .unit = UNIT_BYTES, .pods = PODS_NO },
        { .name = "acme_gpu_bytes", .kind = SAMPLE_TOTAL, .unit = UNIT_MIB, .pods = PODS_NO },   /* the first of a name counts */
        { .name = NULL },
    };
    struct loaded l;

    fixture_init(&l);
    l.families = families;
    /* uuid is a common name of the UUID and card the family's own: the own one counts; where it is not there the common one does */
    fixture_load_with(&l, "acme_gpu_bytes{uuid=\"GPU-other\",card=\"" GPU_A "\",workload=\"p\",tenant=\"a\",pod=\"exporter\"} 5 @0\n"
                          "acme_gpu_bytes{uuid=\"" GPU_B "\",workload=\"p\",tenant=\"a\"} 6 @0\n"
                          "acme_gpu_bytes{uuid=\"" GPU_B "\",workload=\"p\",tenant=\"a\"} NaN @60\n"
                          "DCGM_FI_DEV_FB_USED{UUID=\"" GPU_A "\"} 7 @0\n"
                          "dcgm_fb_used{uuid=\"" GPU_A "\"} 1 @0\n", NULL);
    fixture_check_samples(&l, "used gpu=" GPU_A ": 0=1048576\nfree gpu=" GPU_A ": 0=7\n"
                              "layer gpu=" GPU_A " pod=a/p: 0=5\nlayer gpu=" GPU_B " pod=a/p: 0=6\n");
    ck_assert_ptr_nonnull(strstr(warning_text(&l, "W110"), "acme_gpu_bytes: values that are no number"));
    fixture_free(&l);
}
END_TEST

START_TEST(windows_reach_a_gap_beyond_their_span)
{
    struct loaded l;
    char *text;

    fixture_load(&l, "hami_host_gpu_memory_used_bytes{device_uuid=\"" GPU_A "\"} 1 @0\n"
                     "hami_host_gpu_memory_used_bytes{device_uuid=\"" GPU_A "\"} 7 @3298\n"
                     "hami_host_gpu_memory_used_bytes{device_uuid=\"" GPU_A "\"} 2 @3299\n"
                     "hami_host_gpu_memory_used_bytes{device_uuid=\"" GPU_A "\"} 3 @3300\n"
                     "hami_host_gpu_memory_used_bytes{device_uuid=\"" GPU_A "\"} 4 @7500\n"
                     "hami_host_gpu_memory_used_bytes{device_uuid=\"" GPU_A "\"} 5 @7501\n"
                     "hami_host_gpu_memory_used_bytes{device_uuid=\"" GPU_B "\"} 6 @9000\n");
    text = fixture_samples(&l, (struct timespan){ AT(3600), AT(7200) });
    ck_assert_str_eq(text, "used gpu=" GPU_A ": 3300=3 7500=4\n");
    free(text);
    text = fixture_samples(&l, (struct timespan){ AT(7200), AT(10800) });
    /* the next one of 3300 comes later than max_gap: it may stand for longer than that */
    ck_assert_str_eq(text, "used gpu=" GPU_A ": 3300=3 7500=4 7501=5\nused gpu=" GPU_B ": 9000=6\n");
    free(text);
    text = fixture_samples(&l, (struct timespan){ AT(0), AT(60) });   /* back in time is allowed */
    ck_assert_str_eq(text, "used gpu=" GPU_A ": 0=1\n");
    free(text);
    fixture_free(&l);
}
END_TEST

START_TEST(hours_of_a_long_series_are_found_one_by_one)
{
    struct loaded l;
    struct buf b = { 0 };
    struct sample_window w = { 0 };
    size_t sum = 0;

    for (int i = 0; i < 2880; i++)
        buf_addf(&b, "hami_host_gpu_memory_used_bytes{device_uuid=\"" GPU_A "\"} %d @%d\n", i, i * 30);
    fixture_load(&l, b.p);
    for (int hour = 0; hour < 24; hour++) {
        ck_assert_int_eq(metrics_window(l.metrics, (struct timespan){ AT(hour * 3600), AT((hour + 1) * 3600) }, &w, &l.err), 0);
        ck_assert_uint_eq(w.runs.n, 1);
        ck_assert_int_eq(fixture_first(&w.runs.v[0]).time, hour ? AT(hour * 3600 - 300) : AT(0));
        sum += w.runs.v[0].n;
    }
    /* 120 of its own each, 10 before (not the first hour), 11 behind (not the last hour). */
    ck_assert_uint_eq(sum, 24 * 120 + 23 * 10 + 23 * 11);
    vec_free(&w.runs);
    buf_free(&b);
    fixture_free(&l);
}
END_TEST

/* A run may end before its last window, perhaps for what was left out: that is said at once, and once. */
START_TEST(values_that_are_left_out_are_told_before_any_window)
{
    static const char used[] = "DCGM_FI_DEV_FB_USED{UUID=\"" GPU_A "\"}";
    struct loaded l;
    struct buf b = { 0 };

    buf_addf(&b, "%s NaN %" PRId64 "\n%s 1 %" PRId64 "\n%s -1 %" PRId64 "\n# EOF\n", used, BASE_S, used, BASE_S + 60, used, BASE_S + 120);
    fixture_init(&l);
    fixture_open_bytes(&l, b.p, b.n, NULL);
    ck_assert_int_eq(l.rc, 0);
    ck_assert_int_eq(diag_find(&l.diag, "W110")->count, 2);
    fixture_look(&l);
    ck_assert_int_eq(diag_find(&l.diag, "W110")->count, 2);
    buf_free(&b);
    fixture_free(&l);
}
END_TEST

START_TEST(a_file_without_gpu_memory_says_what_was_looked_for)
{
    struct loaded l;

    fixture_load(&l, "up 1 @0\naccelerator_memory_used_bytes{UUID=\"" GPU_A "\"} 55 @0\n"
                     "DCGM_FI_DEV_POWER_USAGE{UUID=\"" GPU_A "\"} 300 @0\nmemory_used{host=\"db\"} 5 @0\n");   /* not of an instance, not a card's */
    fixture_check_samples(&l, "");
    ck_assert_int_eq(warnings(&l, "W113"), 1);
    ck_assert_ptr_nonnull(strstr(warning_text(&l, "W113"), "DCGM_FI_DEV_FB_USED, dcgm_fb_used"));
    ck_assert_ptr_nonnull(strstr(diag_find(&l.diag, "W113")->hint, "accelerator_memory_used_bytes is not GPU memory"));
    ck_assert_uint_eq(l.inv.gpus.n, 0);
    fixture_free(&l);
}
END_TEST

START_TEST(a_file_of_another_period_says_so)
{
    struct loaded l;

    fixture_load(&l, "DCGM_FI_DEV_FB_USED{UUID=\"" GPU_A "\"} 1 @172800\n");
    ck_assert_str_eq(warning_text(&l, "W113"), "no GPU memory samples between 2026-10-04T23:55:00Z and 2026-10-06T00:05:00Z");
    ck_assert_ptr_nonnull(strstr(diag_find(&l.diag, "W113")->hint, "there are samples of 2026-10-07T00:00:00Z to 2026-10-07T00:00:00Z"));
    fixture_free(&l);
}
END_TEST

START_TEST(series_without_the_name_of_their_thing_are_left_out_and_counted)
{
    struct loaded l;

    fixture_load(&l, "DCGM_FI_DEV_FB_USED{gpu=\"0\"} 1 @0\nhami_vgpu_memory_used_bytes{device_uuid=\"" GPU_A "\"} 1 @0\n"
                     "kube_node_info{provider_id=\"aws:///z/i-1\"} 1 @0\nkube_pod_info{namespace=\"a\"} 1 @0\n"
                     "DCGM_FI_DEV_FB_USED{UUID=\"" GPU_A "\"} 1 @0\n");
    fixture_check_samples(&l, "used gpu=" GPU_A ": 0=1048576\n");
    ck_assert_int_eq(warnings(&l, "W114"), 4);
    fixture_free(&l);
}
END_TEST

START_TEST(errors_name_the_file_the_line_and_the_column)
{
    static const char text[] = "up 1 1\nup 1,5 2\n# EOF\n";
    struct loaded l;

    fixture_init(&l);
    fixture_load_bytes(&l, text, sizeof text - 1, NULL);
    ck_assert_int_eq(l.rc, -1);
    ck_assert_int_eq(l.err.code, ERR_INPUT);
    ck_assert_int_eq(l.err.line, 2);
    ck_assert_int_eq(l.err.column, 4);
    ck_assert_ptr_nonnull(strstr(l.err.file, "gputab-metrics-"));
    ck_assert_ptr_null(l.metrics);
    fixture_free(&l);
}
END_TEST

START_TEST(bad_labels_of_a_family_that_is_not_read_are_errors_too)
{
    static const char text[] = "up{a=\"1\" b=\"2\"} 1 1\n# EOF\n";
    struct loaded l;

    fixture_init(&l);
    fixture_load_bytes(&l, text, sizeof text - 1, NULL);
    ck_assert_int_eq(l.rc, -1);
    ck_assert_int_eq(l.err.line, 1);
    fixture_free(&l);
}
END_TEST

START_TEST(a_missing_file_is_an_error)
{
    struct loaded l;
    struct metrics_source source = { .name = "", .cluster_label = "cluster", .file = "/nonexistent/m.om" };
    struct metrics_request req;

    fixture_init(&l);
    req = fixture_request(&l, NULL);
    ck_assert_int_eq(metrics_open(&l.metrics, &source, 1, &req, &l.inv, &l.err), -1);
    ck_assert_int_eq(l.err.code, ERR_INPUT);
    fixture_free(&l);
}
END_TEST

START_TEST(packed_files_are_read_by_content)
{
    char *text = fixture_text("DCGM_FI_DEV_FB_USED{UUID=\"" GPU_A "\"} 1 @0\n");
    unsigned char packed[512];
    z_stream z = { .next_in = (unsigned char *)text, .avail_in = (unsigned)strlen(text), .next_out = packed, .avail_out = sizeof packed };
    struct loaded l;

    ck_assert_int_eq(deflateInit2(&z, 6, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY), Z_OK);
    ck_assert_int_eq(deflate(&z, Z_FINISH), Z_STREAM_END);
    fixture_init(&l);
    fixture_load_bytes(&l, packed, z.total_out, NULL);
    deflateEnd(&z);
    ck_assert_int_eq(l.rc, 0);
    fixture_check_samples(&l, "used gpu=" GPU_A ": 0=1048576\n");
    ck_assert(span_starts(span_of(metrics_opened(l.metrics, 0)->name), "gputab-metrics-"));
    fixture_free(&l);
    free(text);
}
END_TEST

START_TEST(requests_and_capacity_have_units_of_their_own)
{
    struct loaded l;

    fixture_load(&l, "kube_pod_container_resource_requests{namespace=\"a\",pod=\"p\",container=\"c\",uid=\"u\",node=\"n\",resource=\"nvidia_com_gpu\"} 2 @0\n"
                     "kube_pod_container_resource_requests{namespace=\"a\",pod=\"p\",container=\"c\",uid=\"u\",node=\"n\",resource=\"nvidia_com_mig_1g_5gb\"} 1 @0\n"
                     "kube_pod_container_resource_requests{namespace=\"a\",pod=\"p\",container=\"c\",uid=\"u\",node=\"n\",resource=\"nvidia_com_gpumem\"} 4096 @0\n"
                     "kube_pod_container_resource_requests{namespace=\"a\",pod=\"p\",container=\"c\",uid=\"u\",node=\"n\",resource=\"cpu\"} 0.25 @0\n"
                     "kube_pod_container_resource_requests_memory_bytes{namespace=\"a\",pod=\"p\",container=\"c\"} 1073741824 @0\n"
                     "kube_node_status_capacity{node=\"n\",resource=\"nvidia_com_gpu_shared\"} 8 @0\n");
    fixture_check_samples(&l, "capacity-shared node=n slot=nvidia_com_gpu_shared: 0=8000000\n"
                              "request-gpu node=n pod=a/p#u c=c slot=nvidia_com_gpu: 0=2000000\n"
                              "request-gpu node=n pod=a/p#u c=c slot=nvidia_com_mig_1g_5gb: 0=1000000\n"
                              "request-cpu node=n pod=a/p#u c=c: 0=250000000\n"
                              "request-memory pod=a/p c=c: 0=1073741824\n");
    fixture_free(&l);
}
END_TEST

START_TEST(container_series_are_told_apart_by_cgroup_and_pods_and_pauses_are_left_out)
{
    struct loaded l;

    fixture_load(&l, "container_cpu_usage_seconds_total{namespace=\"a\",pod=\"p\",container=\"c\",id=\"/1\",cpu=\"total\",metrics_path=\"/metrics/cadvisor\"} 1.5 @0\n"
                     "container_cpu_usage_seconds_total{namespace=\"a\",pod=\"p\",container=\"c\",id=\"/2\",cpu=\"total\",metrics_path=\"/metrics/cadvisor\"} 0.000000001 @60\n"
                     "container_cpu_usage_seconds_total{namespace=\"a\",pod=\"p\",container=\"c\",metrics_path=\"/metrics/resource\"} 9 @0\n"
                     "container_cpu_usage_seconds_total{namespace=\"a\",pod=\"p\",container=\"\",id=\"/0\"} 9 @0\n"
                     "container_cpu_usage_seconds_total{namespace=\"a\",pod=\"p\",container=\"POD\",id=\"/p\"} 9 @0\n"
                     "container_memory_working_set_bytes{namespace=\"a\",pod=\"p\",container=\"c\",id=\"/1\",node=\"n\"} 4096 @0\n"
                     "container_memory_working_set_bytes{id=\"/\"} 4096 @0\n");
    fixture_check_samples(&l, "cpu pod=a/p c=c slot=/1: 0=1500000000\ncpu pod=a/p c=c slot=/2: 60=1\n"
                              "memory node=n pod=a/p c=c slot=/1: 0=4096\n");
    fixture_free(&l);
}
END_TEST

/* A small cluster with everything in it; lines keep their order within a series under the permutations below. */
static const char *const lines[] = {
    "kube_node_info{node=\"n1\",provider_id=\"aws:///z/i-1\",internal_ip=\"10.0.0.1\",job=\"ksm\"} 1 @0\n",
    "kube_node_info{node=\"n1\",provider_id=\"aws:///z/i-2\",internal_ip=\"10.0.0.1\",job=\"ksm\"} 1 @7200\n",
    "kube_node_labels{node=\"n1\",label_node_kubernetes_io_instance_type=\"g5.xlarge\",label_nvidia_com_gpu_replicas=\"4\",job=\"ksm\"} 1 @0\n",
    "kube_pod_info{namespace=\"a\",pod=\"web-0\",uid=\"u1\",node=\"n1\",created_by_kind=\"ReplicaSet\",created_by_name=\"web-1\",job=\"ksm\"} 1 @0\n",
    "kube_pod_info{namespace=\"a\",pod=\"web-0\",uid=\"u2\",node=\"n1\",created_by_kind=\"ReplicaSet\",created_by_name=\"web-2\",job=\"ksm\"} 1 @7200\n",
    "kube_replicaset_owner{namespace=\"a\",replicaset=\"web-1\",owner_kind=\"Deployment\",owner_name=\"web\",job=\"ksm\"} 1 @0\n",
    "kube_pod_labels{namespace=\"a\",pod=\"web-0\",uid=\"u1\",label_app=\"x\",job=\"ksm\"} 1 @0\n",
    "kube_pod_labels{namespace=\"a\",pod=\"web-0\",uid=\"u1\",label_app=\"y\",job=\"ksm\"} 1 @600\n",
    "kube_pod_status_phase{namespace=\"a\",pod=\"web-0\",uid=\"u1\",phase=\"Succeeded\",job=\"ksm\"} 1 @5400\n",
    "kube_namespace_labels{namespace=\"a\",label_team=\"t\",job=\"ksm\"} 1 @0\n",
    "DCGM_FI_DEV_FB_USED{UUID=\"" GPU_A "\",Hostname=\"n1\",exported_pod=\"web-0\",exported_namespace=\"a\",exported_container=\"c\",pod=\"e\",namespace=\"m\",job=\"d\",modelName=\"A10G\"} 5 @0\n",
    "DCGM_FI_DEV_FB_USED{UUID=\"" GPU_A "\",Hostname=\"n1\",pod=\"e\",namespace=\"m\",job=\"d\",modelName=\"A10G\"} 5 @60\n",
    "DCGM_FI_DEV_FB_USED{UUID=\"" GPU_B "\",hostname=\"e\",instance=\"10.0.0.1:9400\",pod=\"e\",namespace=\"m\",job=\"d\"} 7 @0\n",
    "hami_vgpu_memory_used_bytes{device_uuid=\"" GPU_B "\",namespace=\"a\",pod=\"web-0\",container=\"c\",vdevice_index=\"0\",job=\"h\"} 9 @0\n",
    "vGPU_device_memory_usage_in_bytes{deviceuuid=\"" GPU_B "\",podnamespace=\"a\",podname=\"web-0\",ctrname=\"c\",vdeviceid=\"0\",job=\"h\"} 8 @0\n",
    "kube_pod_container_resource_requests{namespace=\"a\",pod=\"web-0\",uid=\"u1\",node=\"n1\",container=\"c\",resource=\"cpu\",job=\"ksm\"} 1 @0\n",
};
enum { LINES = sizeof lines / sizeof *lines };

static void add_pod(const struct loaded *l, struct buf *b, const struct pod *p)
{
    buf_addf(b, "pod %s/%s#%s alias ", fixture_name(l, p->namespace_name), fixture_name(l, p->name), fixture_name(l, p->uid));
    fixture_add_steps(l, b, &p->alias, STEPS_UID);
    buf_adds(b, " labels ");
    fixture_add_steps(l, b, &p->labels, STEPS_LABELS);
    buf_adds(b, " workload ");
    fixture_add_steps(l, b, &p->workload, STEPS_TEXT);
    buf_adds(b, " node ");
    fixture_add_steps(l, b, &p->node, STEPS_NODE);
    buf_adds(b, " ended ");
    fixture_add_steps(l, b, &p->ended, STEPS_NUMBER);
    buf_addc(b, '\n');
}

/* Everything that core could see of a file, in words. */
static char *everything(const char *text)
{
    struct buf b = { 0 };
    struct loaded l;
    char *samples;

    fixture_load(&l, text);
    for (size_t i = 0; i < l.inv.targets.n; i++)
        buf_addf(&b, "target %s\n", fixture_name(&l, l.inv.targets.v[i].text));
    for (size_t i = 0; i < l.inv.nodes.n; i++) {
        buf_addf(&b, "node %s ", fixture_name(&l, l.inv.nodes.v[i].name));
        fixture_add_steps(&l, &b, &l.inv.nodes.v[i].resource, STEPS_TEXT);
        fixture_add_steps(&l, &b, &l.inv.nodes.v[i].type, STEPS_TEXT);
        fixture_add_steps(&l, &b, &l.inv.nodes.v[i].sharing, STEPS_NUMBER);
        buf_addf(&b, " %d\n", l.inv.nodes.v[i].has_cpu_request);
    }
    for (size_t i = 0; i < l.inv.gpus.n; i++) {
        buf_addf(&b, "gpu %s %s ", fixture_name(&l, l.inv.gpus.v[i].uuid), fixture_name(&l, l.inv.gpus.v[i].model));
        fixture_add_steps(&l, &b, &l.inv.gpus.v[i].node, STEPS_NODE);
        buf_addc(&b, '\n');
    }
    for (size_t i = 0; i < l.inv.pods.n; i++)
        add_pod(&l, &b, &l.inv.pods.v[i]);
    samples = fixture_samples(&l, (struct timespan){ AT(0), AT(86400) });
    buf_adds(&b, samples);
    free(samples);
    fixture_free(&l);
    return buf_take(&b);
}

static char *joined(const int *order)
{
    struct buf b = { 0 };

    for (int i = 0; i < LINES; i++)
        buf_adds(&b, lines[order[i]]);
    return buf_take(&b);
}

START_TEST(permuting_the_lines_of_a_file_changes_nothing)
{
    int order[LINES];
    char *text, *expected, *found;
    unsigned seed = 1;

    for (int i = 0; i < LINES; i++)
        order[i] = i;
    text = joined(order);
    expected = everything(text);
    free(text);
    ck_assert_ptr_nonnull(strstr(expected, "pod a/web-0# alias -600:u1 7200:u2 "));
    ck_assert_ptr_nonnull(strstr(expected, "layer gpu=" GPU_B " pod=a/web-0 c=c slot=0: 0=9\n"));
    for (int round = 0; round < 60; round++) {
        for (int i = LINES - 1; i > 0; i--) {
            int k, swap = order[i];

            seed = seed * 1103515245u + 12345u;
            k = (int)((seed >> 16) % (unsigned)(i + 1));
            order[i] = order[k];
            order[k] = swap;
        }
        text = joined(order);
        found = everything(text);
        ck_assert_str_eq(found, expected);
        free(text);
        free(found);
    }
    free(expected);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("metrics");
    TCase *t = tcase_create("metrics");

    tcase_set_timeout(t, 60);
    tcase_add_test(t, mebibytes_become_bytes);
    tcase_add_test(t, samples_farther_than_a_gap_from_the_period_are_not_loaded);
    tcase_add_test(t, values_that_are_no_quantity_are_left_out_and_counted);
    tcase_add_test(t, of_samples_with_one_stamp_the_first_in_the_file_counts);
    tcase_add_test(t, samples_out_of_order_are_sorted_and_said_once_per_series);
    tcase_add_test(t, the_order_of_labels_makes_no_other_series);
    tcase_add_test(t, series_that_mean_the_same_are_merged);
    tcase_add_test(t, a_users_families_go_before_the_built_in_ones);
    tcase_add_test(t, windows_reach_a_gap_beyond_their_span);
    tcase_add_test(t, hours_of_a_long_series_are_found_one_by_one);
    tcase_add_test(t, values_that_are_left_out_are_told_before_any_window);
    tcase_add_test(t, a_file_without_gpu_memory_says_what_was_looked_for);
    tcase_add_test(t, a_file_of_another_period_says_so);
    tcase_add_test(t, series_without_the_name_of_their_thing_are_left_out_and_counted);
    tcase_add_test(t, errors_name_the_file_the_line_and_the_column);
    tcase_add_test(t, bad_labels_of_a_family_that_is_not_read_are_errors_too);
    tcase_add_test(t, a_missing_file_is_an_error);
    tcase_add_test(t, packed_files_are_read_by_content);
    tcase_add_test(t, requests_and_capacity_have_units_of_their_own);
    tcase_add_test(t, container_series_are_told_apart_by_cgroup_and_pods_and_pauses_are_left_out);
    tcase_add_test(t, permuting_the_lines_of_a_file_changes_nothing);
    suite_add_tcase(s, t);
    return unit_run(s);
}
