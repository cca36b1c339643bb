#include "unit.h"

#include "gputab/value/resource_id.h"

#define SCALE_SET "/subscriptions/00000000-0000-0000-0000-000000000001/resourcegroups/mc_rg1/providers/microsoft.compute/" \
                  "virtualmachinescalesets/aks-gpu-12345678-vmss"

static const struct { const char *id, *normal; } ids[] = {
    { "aws:///us-west-2a/i-0abc", "i-0abc" },
    { "aws:////i-0abc", "i-0abc" },
    { "i-0abc", "i-0abc" },
    { " i-0abc\n", "i-0abc" },
    { "arn:aws:ec2:us-east-1:123456789012:instance/i-0abc", "i-0abc" },
    { "arn:aws-cn:ec2:cn-north-1:123456789012:instance/i-0abc", "i-0abc" },
    { "arn:aws:eks:us-east-1:123456789012:cluster/c1", "arn:aws:eks:us-east-1:123456789012:cluster/c1" },
    { "aws:///us-west-2a/0000/fargate-ip-10-0-0-1.internal", "fargate-ip-10-0-0-1.internal" },
    { "vol-0abc", "vol-0abc" },
    { "gce://proj-1/us-central1-a/gke-gpu-1", "proj-1/us-central1-a/gke-gpu-1" },
    { "//compute.googleapis.com/projects/proj-1/zones/us-central1-a/instances/gke-gpu-1", "proj-1/us-central1-a/gke-gpu-1" },
    { "//compute.googleapis.com/projects/proj-1/zones/us-central1-a/instance/12345", "proj-1/us-central1-a/12345" },
    { "https://www.googleapis.com/compute/v1/projects/proj-1/zones/us-central1-a/instances/gke-gpu-1", "proj-1/us-central1-a/gke-gpu-1" },
    { "projects/proj-1/zones/us-central1-a/instances/gke-gpu-1", "proj-1/us-central1-a/gke-gpu-1" },
    { "//compute.googleapis.com/projects/proj-1/zones/us-central1-a/disks/d1", "//compute.googleapis.com/projects/proj-1/zones/us-central1-a/disks/d1" },
    { "azure:///subscriptions/00000000-0000-0000-0000-000000000001/resourceGroups/MC_RG1/providers/Microsoft.Compute/"
      "virtualMachineScaleSets/aks-gpu-12345678-vmss/virtualMachines/2", SCALE_SET "/virtualmachines/2" },
    { "/SUBSCRIPTIONS/00000000-0000-0000-0000-000000000001/RESOURCEGROUPS/MC_RG1/PROVIDERS/MICROSOFT.COMPUTE/"
      "VIRTUALMACHINESCALESETS/AKS-GPU-12345678-VMSS/", SCALE_SET },
    { "oci://ocid1.instance.oc1.iad.abc", "ocid1.instance.oc1.iad.abc" },
    { "ocid1.instance.oc1.iad.abc", "ocid1.instance.oc1.iad.abc" },
    { "digitalocean://123", "123" },
    { "ibm://account///cluster/worker-1", "worker-1" },
    { "k3s://node-1", "node-1" },
    { "scaleway://instance/fr-par-1/abc/", "abc" },
    { "kind://", "" },
    { "eu-central-1.i-abc", "eu-central-1.i-abc" },    /* Alibaba has no scheme */
    { "node a/b", "node a/b" },
    { "://x", "://x" },
    { "1a://x", "1a://x" },                            /* a scheme begins with a letter */
    { "", "" },
    { "  ", "" },
    { "/", "" },
};

START_TEST(every_way_to_write_a_machine_has_one_normal_form)
{
    struct buf b = { 0 };

    resource_id_add_normal(&b, span_of(ids[_i].id));
    ck_assert_str_eq(buf_str(&b), ids[_i].normal);
    buf_free(&b);
}
END_TEST

START_TEST(a_normal_form_is_its_own_normal_form)
{
    struct buf b = { 0 };

    resource_id_add_normal(&b, span_of(ids[_i].normal));
    ck_assert_str_eq(buf_str(&b), ids[_i].normal);
    buf_free(&b);
}
END_TEST

START_TEST(what_is_in_the_buffer_stays)
{
    struct buf b = { 0 };

    buf_adds(&b, "key:");
    resource_id_add_normal(&b, span_of("aws:///z/i-1"));
    resource_id_add_normal(&b, (struct span){ NULL, 0 });
    ck_assert_str_eq(buf_str(&b), "key:i-1");
    buf_free(&b);
}
END_TEST

static const struct { const char *id, *set; bool is_set; } sets[] = {
    { "/subscriptions/s/x/virtualmachinescalesets/a/virtualmachines/2", "/subscriptions/s/x/virtualmachinescalesets/a", false },
    { "/subscriptions/s/x/virtualmachinescalesets/a", "", true },
    { "/subscriptions/s/x/virtualmachinescalesets/", "", false },
    { "/subscriptions/s/x/virtualmachinescalesets/a/extensions/e", "", false },
    { "/subscriptions/s/x/virtualmachinescalesets//virtualmachines/2", "", false },
    { "/subscriptions/s/x/virtualmachines/a", "", false },
    { "i-0a", "", false },
    { "", "", false },
};

START_TEST(a_machine_of_a_scale_set_names_it)
{
    struct span id = span_of(sets[_i].id), set = resource_id_set_of(id);

    ck_assert_msg(span_eq(set, sets[_i].set), "%s", sets[_i].id);
    ck_assert_int_eq(resource_id_is_set(id), sets[_i].is_set);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("resource_id");
    TCase *t = tcase_create("resource_id");

    tcase_add_loop_test(t, every_way_to_write_a_machine_has_one_normal_form, 0, (int)(sizeof ids / sizeof *ids));
    tcase_add_loop_test(t, a_normal_form_is_its_own_normal_form, 0, (int)(sizeof ids / sizeof *ids));
    tcase_add_test(t, what_is_in_the_buffer_stays);
    tcase_add_loop_test(t, a_machine_of_a_scale_set_names_it, 0, (int)(sizeof sets / sizeof *sets));
    suite_add_tcase(s, t);
    return unit_run(s);
}
