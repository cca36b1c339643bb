/* inventory (source): which pod, GPU and node a series speaks of, and what holds when. Label shapes are those of real exporters
 * and of the acceptance cases 05, 08, 14, 18 and 20. */
#include "metrics_fixture.h"
#include "unit.h"

#define GPU_A "GPU-aaaaaaaa-0000-4000-8000-000000000001"
#define GPU_B "GPU-bbbbbbbb-0000-4000-8000-000000000002"
#define KSM "instance=\"10.0.9.9:8080\",job=\"kube-state-metrics\""
#define DCGM(more) "{UUID=\"" GPU_A "\"" more "}"

/* Case 08: honorLabels false. */
START_TEST(exported_labels_name_the_workload_and_plain_ones_the_exporter)
{
    struct loaded l;

    fixture_load(&l, "DCGM_FI_DEV_FB_USED{DCGM_FI_DRIVER_VERSION=\"580.82.07\",Hostname=\"node-1\",UUID=\"" GPU_A "\",container=\"nvidia-dcgm-exporter\","
                     "device=\"nvidia0\",exported_container=\"main\",exported_namespace=\"svc-a\",exported_pod=\"train-0\",gpu=\"0\",instance=\"10.0.1.1:9400\","
                     "job=\"nvidia-dcgm-exporter\",modelName=\"NVIDIA A10G\",namespace=\"gpu-operator\",pod=\"nvidia-dcgm-exporter-x1k2p\","
                     "prometheus_replica=\"prom-0\"} 1 @0\n"
                     "DCGM_FI_DEV_FB_USED{Hostname=\"node-1\",UUID=\"" GPU_B "\",container=\"nvidia-dcgm-exporter\",instance=\"10.0.1.1:9400\","
                     "job=\"nvidia-dcgm-exporter\",namespace=\"gpu-operator\",pod=\"nvidia-dcgm-exporter-x1k2p\",prometheus_replica=\"prom-0\"} 2 @0\n");
    fixture_check_samples(&l, "used gpu=" GPU_A " pod=svc-a/train-0 c=main: 0=1048576\nused gpu=" GPU_B ": 0=2097152\n");
    ck_assert_uint_eq(l.inv.pods.n, 1);
    ck_assert_uint_eq(l.inv.targets.n, 1);
    ck_assert_str_eq(fixture_name(&l, l.inv.targets.v[0].text),
                     "job=\"nvidia-dcgm-exporter\",instance=\"10.0.1.1:9400\",prometheus_replica=\"prom-0\"");
    ck_assert_str_eq(fixture_name(&l, l.inv.gpus.v[0].model), "NVIDIA A10G");
    fixture_free(&l);
}
END_TEST

/* Case 18: honorLabels true, two slots of one pod, and a device total that carries the exporter's own pod. */
START_TEST(an_exporters_own_pod_is_nobody_where_labels_are_honoured)
{
    struct loaded l;

    fixture_load(&l, "DCGM_FI_DEV_FB_USED" DCGM(",container=\"main\",hostname=\"node-1\",namespace=\"svc-a\",pod=\"p1\",pod_uid=\"uid-p1\",vgpu=\"19\"") " 3 @0\n"
                     "DCGM_FI_DEV_FB_USED" DCGM(",container=\"main\",hostname=\"node-1\",namespace=\"svc-a\",pod=\"p1\",pod_uid=\"uid-p1\",vgpu=\"5\"") " 3 @0\n"
                     "DCGM_FI_DEV_FB_USED" DCGM(",container=\"nvidia-dcgm-exporter\",hostname=\"node-1\",namespace=\"gpu-operator\",pod=\"nvidia-dcgm-exporter-x1k2p\"") " 4 @0\n");
    fixture_check_samples(&l, "used gpu=" GPU_A " pod=svc-a/p1#uid-p1 c=main slot=19: 0=3145728\n"
                              "used gpu=" GPU_A " pod=svc-a/p1#uid-p1 c=main slot=5: 0=3145728\nused gpu=" GPU_A ": 0=4194304\n");
    fixture_free(&l);
}
END_TEST

START_TEST(an_exporter_of_any_name_is_known_by_the_labels_of_its_target)
{
    struct loaded l;

    fixture_load(&l, "DCGM_FI_DEV_FB_USED" DCGM(",job=\"g\",exported_namespace=\"a\",exported_pod=\"p\",namespace=\"m\",pod=\"gpu-agent-1\"") " 1 @0\n"
                     "DCGM_FI_DEV_FB_USED" DCGM(",job=\"g\",namespace=\"m\",pod=\"gpu-agent-1\"") " 2 @0\n"
                     "DCGM_FI_DEV_FB_USED" DCGM(",job=\"other\",namespace=\"b\",pod=\"q\"") " 3 @0\n");
    fixture_check_samples(&l, "used gpu=" GPU_A " pod=a/p: 0=1048576\nused gpu=" GPU_A ": 0=2097152\nused gpu=" GPU_A " pod=b/q: 0=3145728\n");
    fixture_free(&l);
}
END_TEST

START_TEST(a_label_that_the_target_does_not_carry_was_not_renamed)
{
    struct loaded l;

    fixture_load(&l, "DCGM_FI_DEV_FB_USED" DCGM(",exported_pod=\"p\",namespace=\"a\",container=\"c\",pod=\"gpu-agent-1\"") " 1 @0\n");
    fixture_check_samples(&l, "used gpu=" GPU_A " pod=a/p c=c: 0=1048576\n");
    fixture_free(&l);
}
END_TEST

START_TEST(old_exporters_write_empty_labels_and_other_names)
{
    struct loaded l;

    fixture_load(&l, "DCGM_FI_DEV_FB_USED{gpu=\"0\",UUID=\"" GPU_A "\",device=\"nvidia0\",modelName=\"NVIDIA A30\",GPU_I_PROFILE=\"2g.12gb\",GPU_I_ID=\"1\","
                     "Hostname=\"dcgm-exporter-x\",container=\"\",namespace=\"\",pod=\"\"} 1 @0\n"
                     "dcgm_fb_used{gpu=\"0\",uuid=\"" GPU_B "\",device=\"nvidia0\",container_name=\"c\",pod_name=\"p\",pod_namespace=\"a\"} 2 @0\n"
                     "dcgm_fb_free{gpu=\"0\",uuid=\"" GPU_B "\",container_name=\"\",pod_name=\"\",pod_namespace=\"\",pod=\"dcgm-exporter-1\"} 3 @0\n");
    fixture_check_samples(&l, "used gpu=" GPU_A "/1: 0=1048576\nused gpu=" GPU_B " pod=a/p c=c: 0=2097152\nfree gpu=" GPU_B ": 0=3145728\n");
    fixture_free(&l);
}
END_TEST

/* Case 14: new and legacy names of HAMi side by side, and its own device total. */
START_TEST(a_sharing_layer_under_two_names_is_one_series)
{
    struct loaded l;

    fixture_load(&l, "hami_vgpu_memory_used_bytes{container=\"vgpu-monitor\",device_uuid=\"" GPU_A "\",exported_container=\"main\",exported_namespace=\"svc-a\","
                     "exported_pod=\"infer-0\",instance=\"i\",job=\"h\",namespace=\"hami-system\",pod=\"hami-device-plugin-q7w2z\",vdevice_index=\"0\"} 12884901888 @0\n"
                     "hami_container_device_memory_bytes{container=\"vgpu-monitor\",device_uuid=\"" GPU_A "\",exported_container=\"main\",exported_namespace=\"svc-a\","
                     "exported_pod=\"infer-0\",instance=\"i\",job=\"h\",namespace=\"hami-system\",pod=\"hami-device-plugin-q7w2z\",vdevice_index=\"0\"} 12884901888 @0\n"
                     "vGPU_device_memory_usage_in_bytes{container=\"vgpu-monitor\",ctrname=\"main\",deviceuuid=\"" GPU_A "\",instance=\"i\",job=\"h\","
                     "namespace=\"hami-system\",pod=\"hami-device-plugin-q7w2z\",podname=\"infer-0\",podnamespace=\"svc-a\",vdeviceid=\"0\",zone=\"vGPU\"} 12884901888 @0\n"
                     "hami_vgpu_memory_limit_bytes{device_uuid=\"" GPU_A "\",exported_pod=\"infer-0\"} 25769803776 @0\n"
                     "hami_host_gpu_memory_used_bytes{container=\"vgpu-monitor\",device_index=\"0\",device_uuid=\"" GPU_A "\",instance=\"i\",job=\"h\","
                     "namespace=\"hami-system\",node=\"node-1\",pod=\"hami-device-plugin-q7w2z\"} 35127296000 @0\n");
    fixture_check_samples(&l, "used gpu=" GPU_A ": 0=35127296000\nlayer gpu=" GPU_A " pod=svc-a/infer-0 c=main slot=0: 0=12884901888\n");
    fixture_check_steps(&l, &l.inv.gpus.v[0].node, STEPS_NODE, "0:node-1");
    fixture_free(&l);
}
END_TEST

START_TEST(gpu_fractioning_names_pods_by_uid)
{
    struct loaded l;

    fixture_load(&l, "gpu_fractioning_gpu_memory_used_bytes{exported_namespace=\"a\",exported_pod=\"p\",pod_uuid=\"u1\",gpu_uuid=\"" GPU_A "\",gpu=\"0\","
                     "namespace=\"kai\",pod=\"metricsd-1\"} 7 @0\n");
    fixture_check_samples(&l, "layer gpu=" GPU_A " pod=a/p#u1: 0=7\n");
    fixture_free(&l);
}
END_TEST

/* Case 05: parent and instances; the parent is a device of its own, and stands there even without series. */
START_TEST(mig_instances_are_devices_beside_their_gpu)
{
    struct loaded l;

    fixture_load(&l, "DCGM_FI_DEV_FB_USED" DCGM(",GPU_I_ID=\"9\",GPU_I_PROFILE=\"1g.10gb\"") " 1 @0\n"
                     "DCGM_FI_DEV_FB_USED" DCGM(",GPU_I_ID=\"1\",GPU_I_PROFILE=\"3g.40gb\"") " 2 @0\n");
    ck_assert_uint_eq(l.inv.gpus.n, 1);
    ck_assert_uint_eq(l.inv.devices.n, 3);
    ck_assert_uint_eq(l.inv.devices.v[0].gi, 0);
    ck_assert_uint_eq(l.inv.devices.v[0].profile, 0);
    ck_assert_str_eq(fixture_name(&l, l.inv.devices.v[1].gi), "1");
    ck_assert_str_eq(fixture_name(&l, l.inv.devices.v[1].profile), "3g.40gb");
    ck_assert_str_eq(fixture_name(&l, l.inv.devices.v[2].profile), "1g.10gb");
    fixture_free(&l);
}
END_TEST

START_TEST(a_gpu_written_in_three_ways_is_one)
{
    struct loaded l;

    fixture_load(&l, "DCGM_FI_DEV_FB_USED{UUID=\"" GPU_A "\",modelName=\"Tesla T4\"} 1 @0\n"
                     "nvidia_smi_memory_total_bytes{uuid=\"aaaaaaaa-0000-4000-8000-000000000001\"} 4 @0\n"
                     "hami_vgpu_memory_used_bytes{device_uuid=\"" GPU_A "::2\",pod=\"p\",namespace=\"a\"} 3 @0\n");
    ck_assert_uint_eq(l.inv.gpus.n, 1);
    ck_assert_str_eq(fixture_name(&l, l.inv.gpus.v[0].model), "Tesla T4");
    fixture_free(&l);
}
END_TEST

static void check_place(const char *kube, const char *gpu_labels, const char *expected)
{
    struct buf text = { 0 };
    struct loaded l;

    buf_addf(&text, "%sDCGM_FI_DEV_FB_USED{UUID=\"" GPU_A "\",%s} 1 @60\n", kube, gpu_labels);
    fixture_load(&l, text.p);
    fixture_check_steps(&l, &l.inv.gpus.v[0].node, STEPS_NODE, expected);
    fixture_free(&l);
    buf_free(&text);
}

START_TEST(a_gpu_is_placed_by_the_surest_label_that_leads_to_a_known_node)
{
    static const char kube[] = "kube_node_info{node=\"n1\",internal_ip=\"10.0.0.1\"} 1 @0\nkube_node_info{node=\"n2\",internal_ip=\"fd00::2\"} 1 @0\n"
                               "kube_node_info{node=\"n3\"} 1 @0\n"
                               "kube_pod_info{namespace=\"m\",pod=\"dcgm-exporter-1\",uid=\"e1\",node=\"n3\"} 1 @0\n";

    check_place(kube, "node=\"n1\",Hostname=\"n2\"", "60:n1");
    check_place(kube, "kubernetes_node=\"n1\",Hostname=\"n2\"", "60:n1");
    check_place(kube, "node=\"strange\",Hostname=\"n2\"", "60:n2");
    check_place(kube, "hostname=\"n2\",instance=\"10.0.0.1:9400\"", "60:n2");
    check_place(kube, "Hostname=\"dcgm-exporter-1\",instance=\"10.0.0.1:9400\"", "60:n1");
    check_place(kube, "Hostname=\"localhost\",instance=\"[fd00::2]:9400\"", "60:n2");
    check_place(kube, "instance=\"n1:9400\"", "60:n1");
    check_place(kube, "Hostname=\"x\",instance=\"10.9.9.9:9400\",namespace=\"m\",pod=\"dcgm-exporter-1\"", "60:n3");
    check_place(kube, "Hostname=\"far-away\",instance=\"10.9.9.9:9400\"", "60:far-away");
    check_place(kube, "Hostname=\"localhost\",instance=\"10.9.9.9:9400\"", "");
    check_place("", "node=\"n9\",Hostname=\"dcgm-exporter-1\"", "60:n9");
    check_place("", "Hostname=\"n9\"", "60:n9");
}
END_TEST

START_TEST(a_guess_at_the_node_gives_way_to_knowledge)
{
    struct loaded l;

    fixture_load(&l, "kube_node_info{node=\"n1\"} 1 @0\nDCGM_FI_DEV_FB_USED" DCGM(",Hostname=\"exporter-pod\",job=\"a\"") " 1 @0\n"
                     "DCGM_FI_DEV_FB_USED" DCGM(",Hostname=\"n1\",job=\"b\"") " 1 @30\n");
    fixture_check_steps(&l, &l.inv.gpus.v[0].node, STEPS_NODE, "0:n1");
    ck_assert_uint_eq(l.inv.nodes.n, 1);
    fixture_free(&l);
}
END_TEST

/* Case 20: the exporter is upgraded, the label renamed, the target new. */
START_TEST(a_renamed_hostname_label_moves_no_gpu)
{
    struct loaded l;

    fixture_load(&l, "DCGM_FI_DEV_FB_USED" DCGM(",Hostname=\"node-1\",instance=\"10.0.1.1:9400\"") " 1 @0\n"
                     "DCGM_FI_DEV_FB_USED" DCGM(",hostname=\"node-1\",instance=\"10.0.1.2:9400\"") " 1 @3600\n");
    fixture_check_steps(&l, &l.inv.gpus.v[0].node, STEPS_NODE, "0:node-1");
    ck_assert_uint_eq(l.inv.targets.n, 2);
    fixture_free(&l);
}
END_TEST

START_TEST(a_card_may_turn_up_in_another_machine)
{
    struct loaded l;

    fixture_load(&l, "DCGM_FI_DEV_FB_USED" DCGM(",Hostname=\"n1\"") " 1 @0\nDCGM_FI_DEV_FB_USED" DCGM(",Hostname=\"n1\"") " 1 @60\n"
                     "DCGM_FI_DEV_FB_USED" DCGM(",Hostname=\"n2\"") " 1 @7200\n");
    fixture_check_steps(&l, &l.inv.gpus.v[0].node, STEPS_NODE, "0:n1 7200:n2");
    fixture_free(&l);
}
END_TEST

START_TEST(a_node_name_is_used_again_by_another_machine)
{
    struct loaded l;

    fixture_load(&l, "kube_node_info{node=\"n1\",provider_id=\"aws:///us-east-1a/i-1\"} 1 @0\nkube_node_info{node=\"n1\",provider_id=\"aws:///us-east-1a/i-1\"} 1 @3000\n"
                     "kube_node_info{node=\"n1\",provider_id=\"aws:///us-east-1b/i-2\"} 1 @3600\nkube_node_info{node=\"n1\",provider_id=\"\"} 1 @4000\n");
    fixture_check_steps(&l, &fixture_node(&l, "n1")->resource, STEPS_TEXT, "-600:i-1 3600:i-2");
    fixture_free(&l);
}
END_TEST

START_TEST(records_count_from_the_whole_file_and_only_while_they_are_shown)
{
    struct loaded l;

    fixture_load(&l, "kube_node_info{node=\"n1\",provider_id=\"i-1\"} 1 @-864000\nkube_node_info{node=\"n1\",provider_id=\"i-2\"} 0 @0\n"
                     "kube_node_info{node=\"n1\",provider_id=\"i-2\"} 1 @60\n");
    fixture_check_steps(&l, &fixture_node(&l, "n1")->resource, STEPS_TEXT, "-864600:i-1 60:i-2");
    fixture_free(&l);
}
END_TEST

static void add_entry(struct loaded *l, struct node_file *f, const char *node, const char *resource, const char *type, time_ms from, time_ms to)
{
    vec_push(&f->entries, (struct node_entry){ intern_str(l->names, node), intern_str(l->names, resource), intern_str(l->names, type), from, to });
}

START_TEST(the_nodes_file_fills_in_where_metrics_say_nothing)
{
    struct loaded l;
    struct node_file f = { 0 };

    fixture_init(&l);
    add_entry(&l, &f, "n1", "i-filed", "t-filed", TIME_MIN, TIME_MAX);
    add_entry(&l, &f, "n2", "i-2b", "", AT(7200), TIME_MAX);
    add_entry(&l, &f, "n2", "i-2a", "t2", AT(0), AT(3600));
    add_entry(&l, &f, "n4", "i-4a", "", TIME_MIN, AT(3600));
    add_entry(&l, &f, "n4", "i-4b", "", AT(3600), TIME_MAX);
    fixture_load_with(&l, "kube_node_info{node=\"n1\",provider_id=\"i-1\"} 1 @0\nkube_node_info{node=\"n2\"} 1 @0\nkube_node_info{node=\"n3\"} 1 @0\n"
                          "DCGM_FI_DEV_FB_USED" DCGM(",node=\"strange\",Hostname=\"n4\"") " 1 @0\n", &f);
    fixture_check_steps(&l, &fixture_node(&l, "n1")->resource, STEPS_TEXT, "-600:i-1");
    fixture_check_steps(&l, &fixture_node(&l, "n1")->type, STEPS_TEXT, "min:t-filed");
    fixture_check_steps(&l, &fixture_node(&l, "n2")->resource, STEPS_TEXT, "0:i-2a 3600:- 7200:i-2b");
    fixture_check_steps(&l, &fixture_node(&l, "n2")->type, STEPS_TEXT, "0:t2 3600:-");
    fixture_check_steps(&l, &fixture_node(&l, "n3")->resource, STEPS_TEXT, "");
    fixture_check_steps(&l, &fixture_node(&l, "n4")->resource, STEPS_TEXT, "min:i-4a 3600:i-4b");
    fixture_check_steps(&l, &l.inv.gpus.v[0].node, STEPS_NODE, "0:n4");
    fixture_free(&l);
    node_file_free(&f);
}
END_TEST

START_TEST(node_labels_tell_type_and_sharing)
{
    struct loaded l;

    fixture_load(&l, "kube_node_labels{node=\"n1\",label_node_kubernetes_io_instance_type=\"g5.xlarge\",label_beta_kubernetes_io_instance_type=\"old\","
                     "label_nvidia_com_gpu_replicas=\"4\",label_nvidia_com_gpu_sharing_strategy=\"time-slicing\",label_gfd_timestamp=\"1\"} 1 @0\n"
                     "kube_node_labels{node=\"n1\",label_node_kubernetes_io_instance_type=\"g5.xlarge\",label_nvidia_com_gpu_replicas=\"4\","
                     "label_nvidia_com_gpu_sharing_strategy=\"time-slicing\",label_gfd_timestamp=\"2\"} 1 @60\n"
                     "kube_node_labels{node=\"n2\",label_beta_kubernetes_io_instance_type=\"m5.large\"} 1 @0\n"
                     "kube_node_labels{node=\"n3\",label_nvidia_com_gpu_replicas=\"1\"} 1 @0\n"
                     "kube_node_labels{node=\"n3\",label_nvidia_com_gpu_replicas=\"2\",label_nvidia_com_gpu_sharing_strategy=\"mps\"} 1 @3600\n");
    fixture_check_steps(&l, &fixture_node(&l, "n1")->type, STEPS_TEXT, "-600:g5.xlarge");
    fixture_check_steps(&l, &fixture_node(&l, "n1")->sharing, STEPS_NUMBER, "-600:7");
    fixture_check_steps(&l, &fixture_node(&l, "n2")->type, STEPS_TEXT, "-600:m5.large");
    fixture_check_steps(&l, &fixture_node(&l, "n2")->sharing, STEPS_NUMBER, "-600:0");
    fixture_check_steps(&l, &fixture_node(&l, "n3")->sharing, STEPS_NUMBER, "-600:1 3600:11");
    fixture_free(&l);
}
END_TEST

START_TEST(capacity_is_the_largest_seen)
{
    struct loaded l;

    fixture_load(&l, "kube_node_status_capacity{node=\"n1\",resource=\"cpu\",unit=\"core\"} 32 @0\nkube_node_status_capacity{node=\"n1\",resource=\"cpu\",unit=\"core\"} 16 @60\n"
                     "kube_node_status_capacity_memory_bytes{node=\"n1\"} 137438953472 @0\n"
                     "kube_node_status_capacity{node=\"n1\",resource=\"nvidia_com_gpu\",unit=\"integer\"} 0 @0\n"
                     "kube_node_status_capacity{node=\"n2\",resource=\"amd_com_gpu\",unit=\"integer\"} 8 @0\n");
    ck_assert_int_eq(fixture_node(&l, "n1")->capacity_cpu_nano, INT64_C(32000000000));
    ck_assert_int_eq(fixture_node(&l, "n1")->capacity_memory_bytes, INT64_C(137438953472));
    ck_assert(!fixture_node(&l, "n1")->has_gpu_capacity);
    ck_assert(fixture_node(&l, "n2")->has_gpu_capacity);
    fixture_free(&l);
}
END_TEST

START_TEST(machines_that_share_a_name_keep_their_own_capacity)
{
    struct loaded l;
    const struct node *n;

    fixture_load(&l, "kube_node_info{node=\"n1\",provider_id=\"aws:///a/i-01\"} 1 @0\n"
                     "kube_node_info{node=\"n1\",provider_id=\"aws:///a/i-02\"} 1 @3600\n"
                     "kube_node_status_capacity{node=\"n1\",resource=\"cpu\",unit=\"core\"} 48 @0\n"
                     "kube_node_status_capacity{node=\"n1\",resource=\"cpu\",unit=\"core\"} 32 @3600\n"
                     "kube_node_status_capacity{node=\"n1\",resource=\"memory\",unit=\"byte\"} 1024 @3600\n");
    n = fixture_node(&l, "n1");
    ck_assert_uint_eq(n->sizes.n, 2);
    ck_assert_str_eq(intern_cstr(l.names, n->sizes.v[0].resource), "i-01");
    ck_assert_int_eq(n->sizes.v[0].cpu_nano, INT64_C(48000000000));
    ck_assert_int_eq(n->sizes.v[0].memory_bytes, 0);
    ck_assert_str_eq(intern_cstr(l.names, n->sizes.v[1].resource), "i-02");
    ck_assert_int_eq(n->sizes.v[1].cpu_nano, INT64_C(32000000000));
    ck_assert_int_eq(n->sizes.v[1].memory_bytes, 1024);
    fixture_free(&l);
}
END_TEST

START_TEST(a_node_knows_which_numbers_there_are_of_its_pods)
{
    struct loaded l;

    fixture_load(&l, "kube_pod_info{namespace=\"a\",pod=\"p\",uid=\"u1\",node=\"n1\"} 1 @0\n"
                     "kube_pod_container_resource_requests{namespace=\"a\",pod=\"q\",uid=\"u2\",node=\"n2\",resource=\"cpu\"} 1 @0\n"
                     "kube_pod_container_resource_requests{namespace=\"a\",pod=\"p\",uid=\"u1\",node=\"n1\",resource=\"nvidia_com_gpu\"} 1 @0\n"
                     "container_memory_working_set_bytes{namespace=\"a\",pod=\"p\",container=\"c\"} 1 @0\n"
                     "container_cpu_usage_seconds_total{namespace=\"a\",pod=\"q\",container=\"c\"} 1 @0\n");
    ck_assert(fixture_node(&l, "n1")->has_gpu_request && !fixture_node(&l, "n2")->has_gpu_request);
    ck_assert(fixture_node(&l, "n1")->has_memory_usage && !fixture_node(&l, "n1")->has_cpu_usage);
    ck_assert(!fixture_node(&l, "n1")->has_cpu_request && !fixture_node(&l, "n1")->has_memory_request);
    ck_assert(fixture_node(&l, "n2")->has_cpu_request && fixture_node(&l, "n2")->has_cpu_usage && !fixture_node(&l, "n2")->has_memory_usage);
    fixture_free(&l);
}
END_TEST

START_TEST(a_bare_name_leads_to_one_pod_after_another)
{
    struct loaded l;

    fixture_load(&l, "DCGM_FI_DEV_FB_USED" DCGM(",namespace=\"a\",pod=\"web-0\"") " 1 @0\n"
                     "kube_pod_info{namespace=\"a\",pod=\"web-0\",uid=\"u1\",node=\"n1\"} 1 @0\nkube_pod_info{namespace=\"a\",pod=\"web-0\",uid=\"u1\",node=\"n1\"} 1 @3600\n"
                     "kube_pod_info{namespace=\"a\",pod=\"web-0\",uid=\"u2\",node=\"n2\"} 1 @4000\n");
    fixture_check_steps(&l, &fixture_pod(&l, "a", "web-0", "")->alias, STEPS_UID, "-600:u1 4000:u2");
    fixture_check_steps(&l, &fixture_pod(&l, "a", "web-0", "u1")->node, STEPS_NODE, "-600:n1");
    fixture_check_steps(&l, &fixture_pod(&l, "a", "web-0", "u2")->node, STEPS_NODE, "3400:n2");
    fixture_free(&l);
}
END_TEST

START_TEST(where_kubernetes_knows_no_uid_the_only_one_there_is_is_meant)
{
    struct loaded l;

    fixture_load(&l, "DCGM_FI_DEV_FB_USED" DCGM(",namespace=\"a\",pod=\"p\",pod_uid=\"u1\"") " 1 @0\n"
                     "kube_pod_info{namespace=\"a\",pod=\"p\",node=\"n1\",created_by_kind=\"StatefulSet\",created_by_name=\"s\"} 1 @0\n"
                     "kube_pod_labels{namespace=\"a\",pod=\"p\",label_app=\"x\"} 1 @0\n"
                     "kube_pod_status_phase{namespace=\"a\",pod=\"p\",phase=\"Failed\"} 1 @600\n"
                     "DCGM_FI_DEV_FB_USED" DCGM(",namespace=\"a\",pod=\"q\",pod_uid=\"u2\"") " 1 @0\n"
                     "DCGM_FI_DEV_FB_USED" DCGM(",namespace=\"a\",pod=\"q\",pod_uid=\"u3\"") " 1 @0\n"
                     "DCGM_FI_DEV_FB_FREE" DCGM(",namespace=\"a\",pod=\"q\"") " 1 @0\n");
    fixture_check_steps(&l, &fixture_pod(&l, "a", "p", "")->alias, STEPS_UID, "min:u1");
    fixture_check_steps(&l, &fixture_pod(&l, "a", "p", "u1")->labels, STEPS_LABELS, "-600:label_app=x");
    fixture_check_steps(&l, &fixture_pod(&l, "a", "p", "u1")->workload, STEPS_TEXT, "-600:StatefulSet/s");
    fixture_check_steps(&l, &fixture_pod(&l, "a", "p", "u1")->node, STEPS_NODE, "-600:n1");
    fixture_check_steps(&l, &fixture_pod(&l, "a", "p", "u1")->ended, STEPS_NUMBER, "600:1");
    fixture_check_steps(&l, &fixture_pod(&l, "a", "q", "")->alias, STEPS_UID, "");
    fixture_free(&l);
}
END_TEST

START_TEST(only_labels_that_the_rule_asks_for_make_steps)
{
    struct loaded l;

    fixture_load(&l, "kube_pod_labels{namespace=\"a\",pod=\"p\",uid=\"u\",label_build=\"1\",label_example_com_team=\"nlp\"} 1 @0\n"
                     "kube_pod_labels{namespace=\"a\",pod=\"p\",uid=\"u\",label_build=\"2\",label_example_com_team=\"nlp\",label_cost_center=\"42\"} 1 @60\n"
                     "kube_pod_labels{namespace=\"a\",pod=\"p\",uid=\"u\",label_build=\"3\",label_example_com_team=\"nlp\",label_costCenter=\"42\"} 1 @120\n"
                     "kube_pod_labels{namespace=\"a\",pod=\"p\",uid=\"u\",label_build=\"4\"} 1 @180\n"
                     "kube_namespace_labels{namespace=\"a\",label_team=\"nlp\",label_x=\"1\"} 1 @0\nkube_namespace_labels{namespace=\"a\",label_team=\"nlp\",label_x=\"2\"} 1 @60\n"
                     "kube_namespace_labels{namespace=\"b\",label_other=\"1\"} 1 @0\n");
    fixture_check_steps(&l, &fixture_pod(&l, "a", "p", "u")->labels, STEPS_LABELS,
                        "-600:label_example_com_team=nlp 60:label_costCenter=42,label_example_com_team=nlp 180:-");
    ck_assert_uint_eq(l.inv.namespaces.n, 2);
    fixture_check_steps(&l, &l.inv.namespaces.v[0].labels, STEPS_LABELS, "-600:label_team=nlp");
    fixture_check_steps(&l, &l.inv.namespaces.v[1].labels, STEPS_LABELS, "-600:-");
    ck_assert_uint_eq(inventory_namespace(&l.inv, 0, intern_str(l.names, "b")), 1);
    fixture_free(&l);
}
END_TEST

START_TEST(annotations_are_read_where_the_rule_asks_for_them)
{
    static const char text[] = "kube_pod_annotations{namespace=\"a\",pod=\"p\",uid=\"u\",annotation_example_com_owner=\"nlp\",annotation_x=\"1\"} 1 @0\n"
                               "kube_pod_annotations{namespace=\"a\",pod=\"p\",uid=\"u\",annotation_example_com_owner=\"nlp\",annotation_x=\"2\"} 1 @60\n"
                               "kube_pod_annotations{namespace=\"a\",pod=\"p\",uid=\"u\",annotation_example_com_owner=\"web\"} 1 @120\n"
                               "kube_namespace_annotations{namespace=\"a\",annotation_owner=\"nlp\",label_owner=\"x\"} 1 @0\n";
    static const char *const of_pods[] = { "example.com/owner", NULL }, *const of_namespaces[] = { "owner", NULL };
    struct loaded l;

    fixture_init(&l);
    l.pod_annotations = of_pods;
    l.namespace_annotations = of_namespaces;
    fixture_load_with(&l, text, NULL);
    fixture_check_steps(&l, &fixture_pod(&l, "a", "p", "u")->annotations, STEPS_LABELS,
                        "-600:annotation_example_com_owner=nlp 120:annotation_example_com_owner=web");
    fixture_check_steps(&l, &fixture_pod(&l, "a", "p", "u")->labels, STEPS_LABELS, "");
    fixture_check_steps(&l, &l.inv.namespaces.v[0].annotations, STEPS_LABELS, "-600:annotation_owner=nlp");
    fixture_free(&l);
    fixture_load(&l, text);                            /* no line asks for any */
    ck_assert_uint_eq(l.inv.pods.n, 0);
    ck_assert_uint_eq(l.inv.namespaces.n, 0);
    fixture_free(&l);
}
END_TEST

START_TEST(a_nodes_labels_hold_until_they_change)
{
    static const char pool[] = "label_cloud_google_com_gke_nodepool";
    struct loaded l;
    struct span name = span_of(pool);

    fixture_load(&l, "kube_node_labels{node=\"n1\",label_cloud_google_com_gke_nodepool=\"a100\",label_zone=\"a\"} 1 @0\n"
                     "kube_node_labels{node=\"n1\",label_cloud_google_com_gke_nodepool=\"a100\",label_zone=\"b\"} 1 @60\n"
                     "kube_node_labels{node=\"n1\",label_cloud_google_com_gke_nodepool=\"spare\",label_nvidia_com_gpu_replicas=\"4\"} 1 @3600\n"
                     "kube_node_labels{node=\"n2\",label_zone=\"a\"} 1 @0\n");
    ck_assert_uint_eq(l.inv.nodes.n, 2);
    fixture_check_steps(&l, &l.inv.nodes.v[0].labels, STEPS_LABELS,
                        "-600:label_cloud_google_com_gke_nodepool=a100 3600:label_cloud_google_com_gke_nodepool=spare");
    fixture_check_steps(&l, &l.inv.nodes.v[0].sharing, STEPS_NUMBER, "-600:0 3600:3");     /* labels known, replicas */
    ck_assert(span_eq(inventory_node_label(&l.inv, 0, name, AT(3599)), "a100"));
    ck_assert(span_eq(inventory_node_label(&l.inv, 0, name, AT(3600)), "spare"));
    ck_assert_uint_eq(inventory_node_label(&l.inv, 0, name, AT(-601)).n, 0);               /* before anybody said so */
    ck_assert_uint_eq(inventory_node_label(&l.inv, 1, name, AT(0)).n, 0);
    ck_assert_uint_eq(inventory_node_label(&l.inv, NONE, name, AT(0)).n, 0);
    fixture_free(&l);
}
END_TEST

START_TEST(a_workload_is_the_top_owner)
{
    struct loaded l;

    fixture_load(&l, "kube_pod_owner{namespace=\"a\",pod=\"web\",uid=\"u1\",owner_kind=\"ReplicaSet\",owner_name=\"web-7f\",owner_is_controller=\"true\"} 1 @0\n"
                     "kube_replicaset_owner{namespace=\"a\",replicaset=\"web-7f\",owner_kind=\"Deployment\",owner_name=\"web\"} 1 @60\n"
                     "kube_pod_info{namespace=\"a\",pod=\"web\",uid=\"u1\",created_by_kind=\"Wrong\",created_by_name=\"w\"} 1 @0\n"
                     "kube_pod_owner{namespace=\"a\",pod=\"tick\",uid=\"u2\",owner_kind=\"Job\",owner_name=\"tick-1\"} 1 @0\n"
                     "kube_job_owner{namespace=\"a\",job_name=\"tick-1\",owner_kind=\"CronJob\",owner_name=\"tick\"} 1 @0\n"
                     "kube_pod_owner{namespace=\"a\",pod=\"once\",uid=\"u3\",owner_kind=\"Job\",owner_name=\"once\"} 1 @0\n"
                     "kube_job_owner{namespace=\"a\",job_name=\"once\",owner_kind=\"<none>\",owner_name=\"<none>\"} 1 @0\n"
                     "kube_pod_info{namespace=\"a\",pod=\"db-0\",uid=\"u4\",created_by_kind=\"StatefulSet\",created_by_name=\"db\"} 1 @0\n"
                     "kube_pod_owner{namespace=\"a\",pod=\"lone\",uid=\"u5\",owner_kind=\"<none>\",owner_name=\"<none>\"} 1 @0\n"
                     "kube_pod_owner{namespace=\"b\",pod=\"set\",uid=\"u6\",owner_kind=\"ReplicaSet\",owner_name=\"web-7f\"} 1 @0\n"
                     "kube_pod_owner{namespace=\"b\",pod=\"two\",uid=\"u7\",owner_kind=\"Zoo\",owner_name=\"z\",owner_is_controller=\"false\"} 1 @0\n"
                     "kube_pod_owner{namespace=\"b\",pod=\"two\",uid=\"u7\",owner_kind=\"Ape\",owner_name=\"a\",owner_is_controller=\"true\"} 1 @0\n");
    fixture_check_steps(&l, &fixture_pod(&l, "a", "web", "u1")->workload, STEPS_TEXT, "-600:Deployment/web");
    fixture_check_steps(&l, &fixture_pod(&l, "a", "tick", "u2")->workload, STEPS_TEXT, "-600:CronJob/tick");
    fixture_check_steps(&l, &fixture_pod(&l, "a", "once", "u3")->workload, STEPS_TEXT, "-600:Job/once");
    fixture_check_steps(&l, &fixture_pod(&l, "a", "db-0", "u4")->workload, STEPS_TEXT, "-600:StatefulSet/db");
    fixture_check_steps(&l, &fixture_pod(&l, "a", "lone", "u5")->workload, STEPS_TEXT, "-600:-");
    fixture_check_steps(&l, &fixture_pod(&l, "b", "set", "u6")->workload, STEPS_TEXT, "-600:ReplicaSet/web-7f");
    fixture_check_steps(&l, &fixture_pod(&l, "b", "two", "u7")->workload, STEPS_TEXT, "-600:Ape/a");
    fixture_free(&l);
}
END_TEST

START_TEST(a_pod_has_ended_while_its_phase_says_so)
{
    struct loaded l;

    fixture_load(&l, "kube_pod_status_phase{namespace=\"a\",pod=\"p\",uid=\"u\",phase=\"Running\"} 1 @0\nkube_pod_status_phase{namespace=\"a\",pod=\"p\",uid=\"u\",phase=\"Succeeded\"} 0 @0\n"
                     "kube_pod_status_phase{namespace=\"a\",pod=\"p\",uid=\"u\",phase=\"Failed\"} 0 @0\n"
                     "kube_pod_status_phase{namespace=\"a\",pod=\"p\",uid=\"u\",phase=\"Running\"} 0 @60\nkube_pod_status_phase{namespace=\"a\",pod=\"p\",uid=\"u\",phase=\"Succeeded\"} 1 @60\n"
                     "kube_pod_status_phase{namespace=\"a\",pod=\"p\",uid=\"u\",phase=\"Failed\"} 0 @60\n"
                     "kube_pod_status_phase{namespace=\"a\",pod=\"q\",uid=\"v\",phase=\"Failed\"} 1 @0\nkube_pod_status_phase{namespace=\"a\",pod=\"q\",uid=\"v\",phase=\"Running\"} 1 @120\n");
    fixture_check_steps(&l, &fixture_pod(&l, "a", "p", "u")->ended, STEPS_NUMBER, "0:0 60:1");
    fixture_check_steps(&l, &fixture_pod(&l, "a", "q", "v")->ended, STEPS_NUMBER, "0:1 120:0");
    fixture_free(&l);
}
END_TEST

#define POD_OF(uid) "{namespace=\"a\",pod=\"p\",uid=\"" uid "\""
#define PHASE(uid, phase, when) "kube_pod_status_phase" POD_OF(uid) ",phase=\"" phase "\"} 1 @" when "\n"
#define COMPLETED(uid, at, when) "kube_pod_completion_time" POD_OF(uid) "} " at " @" when "\n"
#define DELETED(uid, at, when) "kube_pod_deletion_timestamp" POD_OF(uid) "} " at " @" when "\n"

/* Times in values are seconds of the epoch: BASE_S + 90 is 1791158490. */
START_TEST(a_finished_pod_has_been_so_since_its_last_container_ended)
{
    struct loaded l;

    fixture_load(&l, PHASE("u", "Running", "0") PHASE("u", "Running", "60") PHASE("u", "Failed", "600")
                     COMPLETED("u", "1791158470", "60") COMPLETED("u", "1791158490.5", "600")  /* one container at 70 s, another at 90.5 */
                     PHASE("v", "Succeeded", "600") COMPLETED("v", "1.791158520e+09", "600")   /* never seen running */
                     PHASE("w", "Running", "0") PHASE("w", "Running", "600") COMPLETED("w", "1791158490", "600")
                     PHASE("x", "Running", "0") PHASE("x", "Succeeded", "60") COMPLETED("x", "1791158490", "60")   /* a clock is wrong */
                     COMPLETED("y", "1791158490", "60"));
    fixture_check_steps(&l, &fixture_pod(&l, "a", "p", "u")->ended, STEPS_NUMBER, "0:0 90.5:1");
    fixture_check_steps(&l, &fixture_pod(&l, "a", "p", "v")->ended, STEPS_NUMBER, "120:1");
    fixture_check_steps(&l, &fixture_pod(&l, "a", "p", "w")->ended, STEPS_NUMBER, "0:0");
    fixture_check_steps(&l, &fixture_pod(&l, "a", "p", "x")->ended, STEPS_NUMBER, "0:0 60:1");
    fixture_check_steps(&l, &fixture_pod(&l, "a", "p", "y")->ended, STEPS_NUMBER, "");
    fixture_free(&l);
}
END_TEST

START_TEST(a_pod_has_ended_when_its_deletion_is_due_or_it_was_shown_last)
{
    struct loaded l;

    fixture_load(&l, PHASE("u", "Running", "0") PHASE("u", "Running", "60") DELETED("u", "1791158490", "60")
                     PHASE("v", "Running", "0") PHASE("v", "Running", "600")
                     DELETED("v", "1791158490", "60") DELETED("v", "1791158490", "600")
                     COMPLETED("v", "1791158450", "600")               /* one container of two: no end of the pod */
                     DELETED("w", "1791158500", "60") DELETED("w", "1791158480", "90")    /* somebody lost patience */
                     PHASE("x", "Succeeded", "60") DELETED("x", "1791158490", "60"));
    fixture_check_steps(&l, &fixture_pod(&l, "a", "p", "u")->ended, STEPS_NUMBER, "0:0 90:2");
    fixture_check_steps(&l, &fixture_pod(&l, "a", "p", "v")->ended, STEPS_NUMBER, "0:0 600.001:2");
    fixture_check_steps(&l, &fixture_pod(&l, "a", "p", "w")->ended, STEPS_NUMBER, "90.001:2");
    fixture_check_steps(&l, &fixture_pod(&l, "a", "p", "x")->ended, STEPS_NUMBER, "60:1 90:2");
    fixture_free(&l);
}
END_TEST

START_TEST(a_name_without_uid_is_not_deleted_and_bad_times_are_counted)
{
    struct loaded l;

    fixture_load(&l, "kube_pod_deletion_timestamp{namespace=\"a\",pod=\"p\"} 1791158490 @60\n"
                     "kube_pod_deletion_timestamp{namespace=\"a\",pod=\"q\",uid=\"u\"} 0 @60\n"
                     "kube_pod_completion_time{namespace=\"a\",pod=\"q\",uid=\"u\"} -1 @60\n"
                     "kube_pod_completion_time{namespace=\"a\",pod=\"q\",uid=\"u\"} 1e17 @120\n");
    fixture_check_steps(&l, &fixture_pod(&l, "a", "p", "")->ended, STEPS_NUMBER, "");
    fixture_check_steps(&l, &fixture_pod(&l, "a", "q", "u")->ended, STEPS_NUMBER, "");
    ck_assert_uint_eq(diag_find(&l.diag, "W110")->count, 2);
    fixture_free(&l);
}
END_TEST

START_TEST(two_replicas_of_a_scraper_make_no_steps)
{
    struct loaded l;
    struct buf b = { 0 };

    for (int i = 0; i < 10; i++)
        for (int r = 0; r < 2; r++)
            buf_addf(&b, "kube_pod_labels{" KSM ",prometheus_replica=\"p%d\",namespace=\"a\",pod=\"p\",uid=\"u\",label_app=\"%s\"} 1 @%d\n", r,
                     i < 5 ? "x" : "y", i * 60 + r * 15);
    fixture_load(&l, b.p);
    fixture_check_steps(&l, &fixture_pod(&l, "a", "p", "u")->labels, STEPS_LABELS, "-600:label_app=x 300:label_app=y");
    buf_free(&b);
    fixture_free(&l);
}
END_TEST

START_TEST(of_two_records_at_one_instant_the_younger_counts)
{
    struct loaded l;

    fixture_load(&l, "kube_pod_labels{namespace=\"a\",pod=\"p\",uid=\"u\",label_app=\"z\"} 1 @0\nkube_pod_labels{namespace=\"a\",pod=\"p\",uid=\"u\",label_app=\"z\"} 1 @60\n"
                     "kube_pod_labels{namespace=\"a\",pod=\"p\",uid=\"u\",label_app=\"b\"} 1 @60\n");
    fixture_check_steps(&l, &fixture_pod(&l, "a", "p", "u")->labels, STEPS_LABELS, "-600:label_app=z 60:label_app=b");
    fixture_free(&l);
}
END_TEST

START_TEST(kubernetes_series_behind_renamed_labels_are_read_too)
{
    struct loaded l;

    fixture_load(&l, "kube_pod_info{exported_namespace=\"a\",exported_pod=\"p\",uid=\"u\",exported_node=\"n1\",node=\"n9\",namespace=\"mon\",pod=\"ksm-1\"} 1 @0\n"
                     "kube_namespace_labels{exported_namespace=\"a\",namespace=\"mon\",label_team=\"t\"} 1 @0\n"
                     "container_memory_working_set_bytes{namespace=\"a\",pod=\"dcgm-exporter-1\",container=\"dcgm-exporter\"} 5 @0\n");
    fixture_check_steps(&l, &fixture_pod(&l, "a", "p", "u")->node, STEPS_NODE, "-600:n1");
    ck_assert_str_eq(fixture_name(&l, l.inv.namespaces.v[0].name), "a");
    fixture_check_samples(&l, "memory pod=a/dcgm-exporter-1 c=dcgm-exporter: 0=5\n");
    fixture_free(&l);
}
END_TEST

/* Tencent's gpu-manager beside dcgm-exporter; and a card of its own number, which dcgm-exporter does not show. */
START_TEST(a_gpu_known_by_number_is_the_one_whose_uuid_another_exporter_shows)
{
    struct loaded l;

    fixture_load(&l, "DCGM_FI_DEV_FB_USED" DCGM(",gpu=\"0\",Hostname=\"node-1\"") " 1 @0\n"
                     "DCGM_FI_DEV_FB_USED{UUID=\"" GPU_B "\",gpu=\"1\",Hostname=\"node-1\"} 2 @0\n"
                     "DCGM_FI_DEV_FB_USED{UUID=\"" GPU_B "\",gpu=\"0\",Hostname=\"node-2\"} 2 @-9\n"
                     "container_gpu_memory_total{gpu_memory=\"gpu0\",node=\"node-1\",namespace=\"a\",pod_name=\"p\",container_name=\"c\"} 3 @0\n"
                     "container_gpu_memory_total{gpu_memory=\"gpu1\",node=\"node-1\",namespace=\"a\",pod_name=\"p\",container_name=\"c\"} 4 @0\n"
                     "container_gpu_memory_total{gpu_memory=\"total\",node=\"node-1\",namespace=\"a\",pod_name=\"p\",container_name=\"c\"} 7 @0\n"
                     "container_gpu_memory_total{gpu_memory=\"gpu7\",node=\"node-1\",namespace=\"a\",pod_name=\"p\",container_name=\"c\"} 5 @0\n");
    fixture_check_samples(&l, "used gpu=" GPU_A ": 0=1048576\nused gpu=" GPU_B ": -9=2097152 0=2097152\n"
                              "layer gpu=" GPU_A " pod=a/p c=c: 0=3145728\nlayer gpu=" GPU_B " pod=a/p c=c: 0=4194304\n");
    ck_assert_uint_eq(l.inv.gpus.n, 2);
    ck_assert_ptr_nonnull(diag_find(&l.diag, "W114"));
    ck_assert_int_eq(diag_find(&l.diag, "W114")->count, 1);
    ck_assert_ptr_nonnull(strstr(diag_find(&l.diag, "W114")->texts[0], "a series of GPU 7, which"));
    fixture_free(&l);
}
END_TEST

/* AMD's cards: by number on the node, in parts; a host that calls itself localhost goes by its address. */
START_TEST(where_no_uuid_is_shown_node_and_number_make_a_name)
{
    struct loaded l;

    fixture_load(&l, "gpu_used_vram{gpu_id=\"1\",gpu_partition_id=\"0\",hostname=\"node-1\",card_model=\"AMD X\"} 1 @0\n"
                     "gpu_used_vram{gpu_id=\"1\",gpu_partition_id=\"2\",hostname=\"node-1\"} 2 @0\n"
                     "gpu_used_vram{gpu_id=\"0\",hostname=\"localhost\",instance=\"10.0.0.9:5000\"} 3 @0\n"
                     "gpu_used_vram{gpu_id=\"0\",gpu_partition_id=\"1\",gpu_uuid=\"" GPU_A "\",hostname=\"node-2\"} 4 @0\n");
    fixture_check_samples(&l, "used gpu=" GPU_A "/1: 0=4194304\nused gpu=node-1/1: 0=1048576\nused gpu=node-1/1/2: 0=2097152\n"
                              "used gpu=10.0.0.9:5000/0: 0=3145728\n");
    ck_assert_str_eq(fixture_name(&l, l.inv.gpus.v[3].model), "AMD X");  /* the part has the card's */
    ck_assert_uint_eq(l.diag.n, 0);
    fixture_free(&l);
}
END_TEST

/* AWS Neuron: the series say the machine, with or without Kubernetes. */
START_TEST(an_exporter_that_knows_its_machine_needs_no_provider_id)
{
    struct loaded l;

    fixture_load(&l, "neuron_runtime_memory_used_bytes{instance_id=\"i-1\",instance_type=\"trn1.2xlarge\",memory_location=\"neuron_device\",runtime_tag=\"7\"} 0 @3600\n"
                     "neuron_runtime_memory_used_bytes{instance_id=\"i-1\",instance_type=\"trn1.2xlarge\",memory_location=\"host\",runtime_tag=\"7\"} 9 @3600\n"
                     "neuron_runtime_memory_used_bytes{instance_id=\"i-2\",memory_location=\"neuron_device\",runtime_tag=\"8\"} 5 @3600\n"
                     "kube_node_info{node=\"node-2\",provider_id=\"aws:///us-east-1a/i-2\"} 1 @0\n");
    fixture_check_samples(&l, "process gpu=i-1 slot=7: 3600=0\nprocess gpu=i-2 slot=8: 3600=5\n");
    fixture_check_steps(&l, &fixture_node(&l, "i-1")->resource, STEPS_TEXT, "3000:i-1");
    fixture_check_steps(&l, &fixture_node(&l, "i-1")->type, STEPS_TEXT, "3000:trn1.2xlarge");
    fixture_check_steps(&l, &l.inv.gpus.v[1].node, STEPS_NODE, "3600:node-2");
    ck_assert_uint_eq(l.inv.nodes.n, 2);
    fixture_free(&l);
}
END_TEST

START_TEST(a_workload_managers_job_stands_for_a_pod_where_there_is_none)
{
    struct loaded l;

    fixture_load(&l, "DCGM_FI_DEV_FB_USED" DCGM(",hpc_job=\"12\"") " 1 @0\n"
                     "DCGM_FI_DEV_FB_USED" DCGM(",hpc_job=\"13\",namespace=\"a\",pod=\"p\"") " 2 @0\n"
                     "gpu_used_vram{gpu_uuid=\"" GPU_B "\",job_id=\"14\",job_user=\"ada\",pod=\"\"} 3 @0\n");
    fixture_check_samples(&l, "used gpu=" GPU_A " pod=a/p: 0=2097152\nused gpu=" GPU_A " pod=hpc_job/12: 0=1048576\n"
                              "used gpu=" GPU_B " pod=ada/14: 0=3145728\n");
    fixture_free(&l);
}
END_TEST

/* nvidia_gpu_exporter: names of models and profiles in families of their own, which show no GPU by themselves. */
START_TEST(models_and_profiles_may_stand_in_families_of_their_own)
{
    struct loaded l;

    fixture_load(&l, "nvidia_smi_gpu_info{uuid=\"aaaaaaaa-0000-4000-8000-000000000001\",name=\"NVIDIA A30\",node=\"elsewhere\"} 1 @0\n"
                     "nvidia_smi_gpu_info{uuid=\"bbbbbbbb-0000-4000-8000-000000000002\",name=\"NVIDIA L4\"} 1 @0\n"
                     "nvidia_smi_mig_info{uuid=\"aaaaaaaa-0000-4000-8000-000000000001\",gpu_instance_id=\"3\",profile=\"1g.6gb\"} 1 @0\n"
                     "nvidia_smi_mig_memory_used_bytes{uuid=\"aaaaaaaa-0000-4000-8000-000000000001\",gpu_instance_id=\"3\"} 5 @0\n");
    fixture_check_samples(&l, "used gpu=" GPU_A "/3: 0=5\n");
    ck_assert_uint_eq(l.inv.gpus.n, 1);
    ck_assert_uint_eq(l.inv.nodes.n, 0);
    ck_assert_str_eq(fixture_name(&l, l.inv.gpus.v[0].model), "NVIDIA A30");
    ck_assert_str_eq(fixture_name(&l, l.inv.devices.v[1].profile), "1g.6gb");
    fixture_free(&l);
}
END_TEST

START_TEST(nothing_is_joined_across_clusters)
{
    struct loaded l;

    fixture_load(&l, "kube_node_info{cluster=\"c1\",node=\"n\",provider_id=\"i-1\"} 1 @0\nkube_node_info{cluster=\"c2\",node=\"n\",provider_id=\"i-2\"} 1 @0\n"
                     "kube_pod_info{cluster=\"c1\",namespace=\"a\",pod=\"p\",uid=\"u\",node=\"n\"} 1 @0\n"
                     "DCGM_FI_DEV_FB_USED" DCGM(",cluster=\"c2\",namespace=\"a\",pod=\"p\",Hostname=\"n\"") " 1 @0\n"
                     "DCGM_FI_DEV_FB_USED" DCGM(",cluster=\"c1\",namespace=\"a\",pod=\"p\",Hostname=\"n\"") " 1 @0\n");
    ck_assert_uint_eq(l.inv.clusters, 2);
    ck_assert_uint_eq(l.inv.nodes.n, 2);
    fixture_check_steps(&l, &l.inv.nodes.v[0].resource, STEPS_TEXT, "-600:i-1");
    fixture_check_steps(&l, &l.inv.nodes.v[1].resource, STEPS_TEXT, "-600:i-2");
    ck_assert_uint_eq(l.inv.gpus.n, 2);
    ck_assert_uint_eq(l.inv.gpus.v[1].node.v[0].value, 1);
    ck_assert_uint_eq(l.inv.pods.n, 3);
    ck_assert_str_eq(fixture_name(&l, l.inv.pods.v[2].cluster), "c2");
    ck_assert_uint_eq(l.inv.pods.v[2].alias.n, 0);
    fixture_free(&l);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("inventory_source");
    TCase *t = tcase_create("inventory_source");

    tcase_add_test(t, exported_labels_name_the_workload_and_plain_ones_the_exporter);
    tcase_add_test(t, an_exporters_own_pod_is_nobody_where_labels_are_honoured);
    tcase_add_test(t, an_exporter_of_any_name_is_known_by_the_labels_of_its_target);
    tcase_add_test(t, a_label_that_the_target_does_not_carry_was_not_renamed);
    tcase_add_test(t, old_exporters_write_empty_labels_and_other_names);
    tcase_add_test(t, a_sharing_layer_under_two_names_is_one_series);
    tcase_add_test(t, gpu_fractioning_names_pods_by_uid);
    tcase_add_test(t, mig_instances_are_devices_beside_their_gpu);
    tcase_add_test(t, a_gpu_written_in_three_ways_is_one);
    tcase_add_test(t, a_gpu_is_placed_by_the_surest_label_that_leads_to_a_known_node);
    tcase_add_test(t, a_guess_at_the_node_gives_way_to_knowledge);
    tcase_add_test(t, a_renamed_hostname_label_moves_no_gpu);
    tcase_add_test(t, a_card_may_turn_up_in_another_machine);
    tcase_add_test(t, a_node_name_is_used_again_by_another_machine);
    tcase_add_test(t, records_count_from_the_whole_file_and_only_while_they_are_shown);
    tcase_add_test(t, the_nodes_file_fills_in_where_metrics_say_nothing);
    tcase_add_test(t, node_labels_tell_type_and_sharing);
    tcase_add_test(t, capacity_is_the_largest_seen);
    tcase_add_test(t, machines_that_share_a_name_keep_their_own_capacity);
    tcase_add_test(t, a_node_knows_which_numbers_there_are_of_its_pods);
    tcase_add_test(t, a_bare_name_leads_to_one_pod_after_another);
    tcase_add_test(t, where_kubernetes_knows_no_uid_the_only_one_there_is_is_meant);
    tcase_add_test(t, only_labels_that_the_rule_asks_for_make_steps);
    tcase_add_test(t, annotations_are_read_where_the_rule_asks_for_them);
    tcase_add_test(t, a_nodes_labels_hold_until_they_change);
    tcase_add_test(t, a_workload_is_the_top_owner);
    tcase_add_test(t, a_pod_has_ended_while_its_phase_says_so);
    tcase_add_test(t, a_finished_pod_has_been_so_since_its_last_container_ended);
    tcase_add_test(t, a_pod_has_ended_when_its_deletion_is_due_or_it_was_shown_last);
    tcase_add_test(t, a_name_without_uid_is_not_deleted_and_bad_times_are_counted);
    tcase_add_test(t, two_replicas_of_a_scraper_make_no_steps);
    tcase_add_test(t, of_two_records_at_one_instant_the_younger_counts);
    tcase_add_test(t, kubernetes_series_behind_renamed_labels_are_read_too);
    tcase_add_test(t, a_gpu_known_by_number_is_the_one_whose_uuid_another_exporter_shows);
    tcase_add_test(t, where_no_uuid_is_shown_node_and_number_make_a_name);
    tcase_add_test(t, an_exporter_that_knows_its_machine_needs_no_provider_id);
    tcase_add_test(t, a_workload_managers_job_stands_for_a_pod_where_there_is_none);
    tcase_add_test(t, models_and_profiles_may_stand_in_families_of_their_own);
    tcase_add_test(t, nothing_is_joined_across_clusters);
    suite_add_tcase(s, t);
    return unit_run(s);
}
