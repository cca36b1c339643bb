/* exporters: the tables agree with each other, and numbers get exact integer units. */
#include <math.h>
#include <string.h>

#include "gputab/source/exporters.h"
#include "unit.h"

static const struct family *find(const char *name)
{
    for (const struct family *f = exporters_families; f->name; f++)
        if (strcmp(f->name, name) == 0)
            return f;
    ck_abort_msg("no family %s", name);
    return NULL;
}

START_TEST(no_family_is_listed_twice)
{
    for (const struct family *a = exporters_families; a->name; a++)
        for (const struct family *b = a + 1; b->name; b++)
            ck_assert_str_ne(a->name, b->name);
}
END_TEST

START_TEST(dcgm_counts_mebibytes_and_sharing_layers_count_bytes)
{
    ck_assert_int_eq(find("DCGM_FI_DEV_FB_USED")->unit, UNIT_MIB);
    ck_assert_int_eq(find("DCGM_FI_DEV_FB_RESERVED")->unit, UNIT_MIB);
    ck_assert_int_eq(find("dcgm_fb_free")->unit, UNIT_MIB);
    ck_assert_int_eq(find("hami_vgpu_memory_used_bytes")->unit, UNIT_BYTES);
    ck_assert_int_eq(find("vGPU_device_memory_usage_in_bytes")->unit, UNIT_BYTES);
    ck_assert_int_eq(find("HostGPUMemoryUsage")->unit, UNIT_BYTES);
    ck_assert_int_eq(find("gpu_fractioning_gpu_memory_used_bytes")->unit, UNIT_BYTES);
}
END_TEST

START_TEST(families_that_lie_are_refused)
{
    static const char *const names[] = { "accelerator_memory_used_bytes", "accelerator_memory_total_bytes", "DCGM_FI_DEV_MEM_COPY_UTIL" };
    struct span roles[ROLES] = { { NULL, 0 } };
    enum family_unit unit;
    int kind;

    for (size_t i = 0; i < 3; i++) {
        ck_assert(!exporters_meaning(find(names[i]), roles, &kind, &unit));
        ck_assert_ptr_nonnull(find(names[i])->why);
    }
}
END_TEST

static uint64_t value(double v, enum family_unit unit)
{
    uint64_t out = 1;

    ck_assert(exporters_value(v, unit, &out));
    return out;
}

START_TEST(values_become_exact_integers)
{
    ck_assert_uint_eq(value(20000, UNIT_MIB), UINT64_C(20971520000));
    ck_assert_uint_eq(value(81559, UNIT_MIB), UINT64_C(85520809984));
    ck_assert_uint_eq(value(0.5, UNIT_MIB), 524288);
    ck_assert_uint_eq(value(62914560, UNIT_KIB), UINT64_C(64424509440));
    ck_assert_uint_eq(value(79.25, UNIT_GIB), UINT64_C(85094039552));
    ck_assert_uint_eq(value(8589934591.0, UNIT_GIB), UINT64_C(9223372035781033984));
    ck_assert_uint_eq(value(12884901888.0, UNIT_BYTES), UINT64_C(12884901888));
    ck_assert_uint_eq(value(9007199254740992.0, UNIT_BYTES), UINT64_C(9007199254740992));
    ck_assert_uint_eq(value(1.5, UNIT_MICRO), 1500000);
    ck_assert_uint_eq(value(0, UNIT_NANO), 0);
    ck_assert_uint_eq(value(-0.0, UNIT_NANO), 0);
    ck_assert_uint_eq(value(1e-300, UNIT_NANO), 0);
}
END_TEST

/* The nearest binary64 of 0.1 is a little above a tenth, that of 12345.678901234 a little below: both round to the decimal. */
START_TEST(decimal_seconds_become_their_nanoseconds)
{
    ck_assert_uint_eq(value(0.1, UNIT_NANO), 100000000);
    ck_assert_uint_eq(value(12345.678901234, UNIT_NANO), UINT64_C(12345678901234));
    ck_assert_uint_eq(value(2592000.123456789, UNIT_NANO), UINT64_C(2592000123456789));
    ck_assert_uint_eq(value(1791158490.5, UNIT_MILLI), UINT64_C(1791158490500));
}
END_TEST

START_TEST(halves_go_to_the_even_integer)
{
    ck_assert_uint_eq(value(0.5, UNIT_BYTES), 0);
    ck_assert_uint_eq(value(1.5, UNIT_BYTES), 2);
    ck_assert_uint_eq(value(2.5, UNIT_BYTES), 2);
    ck_assert_uint_eq(value(2.75, UNIT_BYTES), 3);
    ck_assert_uint_eq(value(2.25, UNIT_BYTES), 2);
    ck_assert_uint_eq(value(ldexp(1, -21), UNIT_MIB), 0);
    ck_assert_uint_eq(value(ldexp(3, -21), UNIT_MIB), 2);
}
END_TEST

START_TEST(what_is_no_quantity_is_no_value)
{
    static const double bad[] = { NAN, -NAN, INFINITY, -INFINITY, -1, -1e-9, 1e300, 9223372036854775808.0 };
    uint64_t out;

    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        ck_assert(!exporters_value(bad[i], UNIT_BYTES, &out));
    ck_assert(!exporters_value(9223372037.0, UNIT_NANO, &out));
    ck_assert_uint_eq(value(9223372036.0, UNIT_NANO), UINT64_C(9223372036000000000));
    ck_assert(!exporters_value(8796093022208.0, UNIT_MIB, &out));
    ck_assert(!exporters_value(8589934592.0, UNIT_GIB, &out));
}
END_TEST

static void check_uuid(const char *text, const char *expected)
{
    struct buf b = { 0 };

    exporters_add_uuid(&b, span_of(text));
    ck_assert_str_eq(buf_str(&b), expected);
    buf_free(&b);
}

START_TEST(a_gpu_has_one_uuid_however_it_is_written)
{
    check_uuid("GPU-df6e7a7c-7314-46f8-abc4-b88b36dcf3aa", "GPU-df6e7a7c-7314-46f8-abc4-b88b36dcf3aa");
    check_uuid("df6e7a7c-7314-46f8-abc4-b88b36dcf3aa", "GPU-df6e7a7c-7314-46f8-abc4-b88b36dcf3aa");
    check_uuid("GPU-df6e7a7c-7314-46f8-abc4-b88b36dcf3aa::3", "GPU-df6e7a7c-7314-46f8-abc4-b88b36dcf3aa");
    check_uuid("GPU-df6e7a7c-7314-46f8-abc4-b88b36dcf3aa/vgpu2", "GPU-df6e7a7c-7314-46f8-abc4-b88b36dcf3aa");
    check_uuid("df6e7a7c-7314-46f8-abc4-b88b36dcf3aa::0", "GPU-df6e7a7c-7314-46f8-abc4-b88b36dcf3aa");
    check_uuid("GPU-DF6E7A7C-7314-46F8-ABC4-B88B36DCF3AA::1", "GPU-df6e7a7c-7314-46f8-abc4-b88b36dcf3aa");
    check_uuid("gpu-DF6e7a7c-7314-46f8-abc4-b88b36dcf3aa", "GPU-df6e7a7c-7314-46f8-abc4-b88b36dcf3aa");
    check_uuid("GPU-1", "GPU-1");
    check_uuid("MIG-df6e7a7c-7314-46f8-abc4-b88b36dcf3aa", "MIG-df6e7a7c-7314-46f8-abc4-b88b36dcf3aa");
    check_uuid("df6e7a7c-7314-46f8-abc4-b88b36dcf3zz", "df6e7a7c-7314-46f8-abc4-b88b36dcf3zz");
    check_uuid("", "");
}
END_TEST

START_TEST(an_index_is_the_number_at_the_end)
{
    static const char *const pairs[][2] = { { "0", "0" }, { "gpu12", "12" }, { "nvidia0", "0" }, { "total", "" }, { "", "" }, { "0:1", "1" } };

    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++)
        ck_assert_msg(span_eq(exporters_index(span_of(pairs[i][0])), pairs[i][1]), "%s", pairs[i][0]);
}
END_TEST

/* They come with every GPU, MIG or not: read of all, they would be as many again as the memory. */
START_TEST(what_only_shows_presence_is_read_of_mig_instances_alone)
{
    int n = 0;

    for (const struct family *f = exporters_families; f->name; f++)
        if (f->kind == SAMPLE_PRESENT) {
            ck_assert_msg(f->only.label && strcmp(f->only.label, "GPU_I_ID") == 0, "%s", f->name);
            n++;
        }
    ck_assert_int_gt(n, 0);
}
END_TEST

START_TEST(exporters_are_told_from_workloads_by_name)
{
    static const char *const exporters[] = { "nvidia-dcgm-exporter-x1k2p", "dcgm-exporter-78z52", "ack-gpu-exporter-1", "vgpu-monitor",
                                             "hami-device-plugin-q7w2z", "metricsd", "kai-metricsd-abcde", "default-metrics-exporter-5kq2x",
                                             "neuron-monitor-4xk2", "nvidia-gpu-device-plugin-x", "nvitop-exporter-1", "xpumd-2kd" };
    static const char *const workloads[] = { "train-0", "exporter", "metricsdb-0", "nvidia-smi", "nvitop", "" };

    for (size_t i = 0; i < sizeof exporters / sizeof *exporters; i++)
        ck_assert_msg(exporters_is_exporter(span_of(exporters[i])), "%s", exporters[i]);
    for (size_t i = 0; i < sizeof workloads / sizeof *workloads; i++)
        ck_assert_msg(!exporters_is_exporter(span_of(workloads[i])), "%s", workloads[i]);
}
END_TEST

static uint32_t sharing(const char *label, const char *text)
{
    return exporters_sharing(span_of(label), span_of(text));
}

START_TEST(node_labels_say_how_gpus_are_shared)
{
    ck_assert_uint_eq(sharing("label_nvidia_com_gpu_replicas", "4"), SHARING_LABELS_KNOWN | SHARING_REPLICAS);
    ck_assert_uint_eq(sharing("label_nvidia_com_gpu_replicas", "1"), SHARING_LABELS_KNOWN);
    ck_assert_uint_eq(sharing("label_nvidia_com_gpu_replicas", "0"), SHARING_LABELS_KNOWN);
    ck_assert_uint_eq(sharing("label_nvidia_com_gpu_replicas", "10"), SHARING_LABELS_KNOWN | SHARING_REPLICAS);
    ck_assert_uint_eq(sharing("label_nvidia_com_gpu_sharing_strategy", "time-slicing"), SHARING_LABELS_KNOWN | SHARING_TIME_SLICING);
    ck_assert_uint_eq(sharing("label_nvidia_com_gpu_sharing_strategy", "mps"), SHARING_LABELS_KNOWN | SHARING_MPS);
    ck_assert_uint_eq(sharing("label_nvidia_com_gpu_sharing_strategy", "none"), SHARING_LABELS_KNOWN);
    ck_assert_uint_eq(sharing("label_cloud_google_com_gke_gpu_sharing_strategy", "time-sharing"), SHARING_LABELS_KNOWN | SHARING_TIME_SLICING);
    ck_assert_uint_eq(sharing("label_cloud_google_com_gke_gpu_sharing_strategy", "mps"), SHARING_LABELS_KNOWN | SHARING_MPS);
    ck_assert_uint_eq(sharing("label_amd_com_gpu_family", "AI"), SHARING_LABELS_KNOWN);
    ck_assert_uint_eq(sharing("label_nvidia_com_gpu_count", ""), 0);
    ck_assert_uint_eq(sharing("label_node_kubernetes_io_instance_type", "g5.xlarge"), 0);
}
END_TEST

static int kind_of(const char *family, enum label_role role, const char *text, enum family_unit *unit)
{
    struct span roles[ROLES] = { { NULL, 0 } };
    int kind;

    roles[role] = span_of(text);
    return exporters_meaning(find(family), roles, &kind, unit) ? kind : -1;
}

START_TEST(the_resource_label_says_what_is_requested)
{
    static const char *const requests = "kube_pod_container_resource_requests";
    enum family_unit unit;

    ck_assert_int_eq(kind_of(requests, ROLE_RESOURCE, "nvidia_com_gpu", &unit), SAMPLE_REQUEST_GPU);
    ck_assert_int_eq(unit, UNIT_MICRO);
    ck_assert_int_eq(kind_of(requests, ROLE_RESOURCE, "nvidia_com_mig_1g_5gb", &unit), SAMPLE_REQUEST_GPU);
    ck_assert_int_eq(kind_of(requests, ROLE_RESOURCE, "amd_com_gpu", &unit), SAMPLE_REQUEST_GPU);
    ck_assert_int_eq(kind_of(requests, ROLE_RESOURCE, "nvidia_com_gpu_shared", &unit), SAMPLE_REQUEST_GPU_SHARED);
    ck_assert_int_eq(kind_of(requests, ROLE_RESOURCE, "cpu", &unit), SAMPLE_REQUEST_CPU);
    ck_assert_int_eq(unit, UNIT_NANO);
    ck_assert_int_eq(kind_of(requests, ROLE_RESOURCE, "memory", &unit), SAMPLE_REQUEST_MEMORY);
    ck_assert_int_eq(unit, UNIT_BYTES);
    ck_assert_int_eq(kind_of(requests, ROLE_RESOURCE, "nvidia_com_gpumem", &unit), -1);
    ck_assert_int_eq(kind_of(requests, ROLE_RESOURCE, "ephemeral_storage", &unit), -1);
    ck_assert_int_eq(kind_of("kube_node_status_capacity", ROLE_RESOURCE, "nvidia_com_gpu", &unit), SAMPLE_CAPACITY_GPU);
    ck_assert_int_eq(kind_of("kube_node_status_capacity", ROLE_RESOURCE, "cpu", &unit), RECORD_NODE_CPU);
    ck_assert_int_eq(kind_of("kube_pod_container_resource_requests_cpu_cores", ROLE_RESOURCE, "", &unit), SAMPLE_REQUEST_CPU);
    ck_assert_int_eq(kind_of("kube_pod_container_resource_requests_memory_bytes", ROLE_RESOURCE, "", &unit), SAMPLE_REQUEST_MEMORY);
}
END_TEST

START_TEST(only_containers_count_among_cgroups)
{
    struct span roles[ROLES] = { { NULL, 0 } };
    const struct family *f = find("container_memory_working_set_bytes");
    enum family_unit unit;
    int kind;

    ck_assert(!exporters_meaning(f, roles, &kind, &unit));
    roles[ROLE_CONTAINER] = span_of("POD");
    ck_assert(!exporters_meaning(f, roles, &kind, &unit));
    roles[ROLE_CONTAINER] = span_of("main");
    ck_assert(exporters_meaning(f, roles, &kind, &unit));
    roles[ROLE_METRICS_PATH] = span_of("/metrics/resource");
    ck_assert(!exporters_meaning(f, roles, &kind, &unit));
    roles[ROLE_METRICS_PATH] = span_of("/metrics/cadvisor");
    ck_assert(exporters_meaning(f, roles, &kind, &unit));
}
END_TEST

static int row_of(const char *name)
{
    for (int i = 0; exporters_labels[i].name; i++)
        if (strcmp(exporters_labels[i].name, name) == 0)
            return i;
    return -1;
}

START_TEST(label_names_have_roles_and_the_clearer_name_comes_first)
{
    ck_assert_int_lt(row_of("exported_node"), row_of("node"));
    ck_assert_int_lt(row_of("exported_pod_uid"), row_of("pod_uid"));
    ck_assert_int_eq(exporters_labels[row_of("deviceuuid")].role, ROLE_UUID);
    ck_assert_int_eq(exporters_labels[row_of("PodName")].role, ROLE_SPELT_POD);
    ck_assert_int_eq(row_of("DCGM_FI_DRIVER_VERSION"), -1);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("exporters");
    TCase *t = tcase_create("exporters");

    tcase_add_test(t, no_family_is_listed_twice);
    tcase_add_test(t, dcgm_counts_mebibytes_and_sharing_layers_count_bytes);
    tcase_add_test(t, families_that_lie_are_refused);
    tcase_add_test(t, values_become_exact_integers);
    tcase_add_test(t, decimal_seconds_become_their_nanoseconds);
    tcase_add_test(t, halves_go_to_the_even_integer);
    tcase_add_test(t, what_is_no_quantity_is_no_value);
    tcase_add_test(t, a_gpu_has_one_uuid_however_it_is_written);
    tcase_add_test(t, an_index_is_the_number_at_the_end);
    tcase_add_test(t, what_only_shows_presence_is_read_of_mig_instances_alone);
    tcase_add_test(t, exporters_are_told_from_workloads_by_name);
    tcase_add_test(t, node_labels_say_how_gpus_are_shared);
    tcase_add_test(t, the_resource_label_says_what_is_requested);
    tcase_add_test(t, only_containers_count_among_cgroups);
    tcase_add_test(t, label_names_have_roles_and_the_clearer_name_comes_first);
    suite_add_tcase(s, t);
    return unit_run(s);
}
