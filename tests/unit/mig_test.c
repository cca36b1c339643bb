/* mig: slices and sizes, from the catalogue's profiles or from a profile's own name. */
#include "core_fixture.h"
#include "gputab/core/mig.h"

static struct world w;
static uint32_t node;

static void setup(void)
{
    world_init(&w);
    node = world_node(&w, "n1", "i-1", "one");
    vec_push(&w.catalogue.models, (struct gpu_model){.name = "A30", .names = world_no_names, .total_mib = 24 << 10, .compute_slices = 4,
                                                     .memory_slices = 4});
    vec_push(&w.catalogue.profiles, (struct mig_profile){"H100", "1g.20gb", 1, 2, 4});
}

static void teardown(void)
{
    world_free(&w);
}

static void slices_are(const char *model, const char *profile, int memory, int compute)
{
    uint32_t card = world_gpu(&w, "GPU-x", model, node), d = world_instance(&w, w.inv.devices.v[card].gpu, "1", profile);

    ck_assert_int_eq(mig_slices(&w.catalogue, &w.inv, d, RULE_MIG_MEMORY), memory);
    ck_assert_int_eq(mig_slices(&w.catalogue, &w.inv, d, RULE_MIG_COMPUTE), compute);
}

START_TEST(a_profile_in_the_table_has_the_tables_slices)
{
    slices_are("H100", "1g.20gb", 2, 1);
}
END_TEST

START_TEST(a_profile_that_the_table_lacks_tells_its_slices_by_name)
{
    slices_are("H100", "1g.10gb", 1, 1);
    slices_are("H100", "1g.10gb+me", 1, 1);
    slices_are("H100", "2g.20gb", 2, 2);
    slices_are("H100", "3g.40gb", 4, 3);
    slices_are("H100", "1c.3g.40gb", 4, 3);
    slices_are("H100", "4g.40gb", 4, 4);
    slices_are("H100", "7g.80gb", 8, 7);
    slices_are("A30", "2g.12gb", 2, 2);
    slices_are("A30", "4g.24gb", 4, 4);
    slices_are("Some GPU 9000", "3g.40gb", 4, 3);
}
END_TEST

START_TEST(a_profile_that_says_nothing_is_one_slice)
{
    slices_are("H100", "", 1, 1);
    slices_are("H100", "g.10gb", 1, 1);
    slices_are("H100", "0g.10gb", 1, 1);
    slices_are("H100", "99g.10gb", 8, 7);
}
END_TEST

START_TEST(a_whole_gpu_has_eight_memory_and_seven_compute_slices)
{
    world_gpu(&w, "GPU-1", "H100", node);
    world_gpu(&w, "GPU-2", "A30", node);
    world_gpu(&w, "GPU-3", "Some GPU 9000", node);
    ck_assert_int_eq(mig_base(&w.catalogue, &w.inv, 0, RULE_MIG_MEMORY), 8);
    ck_assert_int_eq(mig_base(&w.catalogue, &w.inv, 0, RULE_MIG_COMPUTE), 7);
    ck_assert_int_eq(mig_base(&w.catalogue, &w.inv, 1, RULE_MIG_MEMORY), 4);
    ck_assert_int_eq(mig_base(&w.catalogue, &w.inv, 1, RULE_MIG_COMPUTE), 4);
    ck_assert_int_eq(mig_base(&w.catalogue, &w.inv, 2, RULE_MIG_MEMORY), 8);
}
END_TEST

START_TEST(sizes_are_of_the_model_the_instance_or_the_fraction)
{
    uint32_t eighth = world_node(&w, "n2", "i-2", "eighth"), device, instance, t4;

    device = world_gpu(&w, "GPU-1", "H100", node);
    instance = world_instance(&w, 0, "1", "3g.40gb");
    t4 = world_gpu(&w, "GPU-2", "T4", eighth);
    ck_assert_uint_eq(mig_memory_bytes(&w.catalogue, &w.inv, node, 0, device, AT(0)), 80 * GIB);
    ck_assert_uint_eq(mig_memory_bytes(&w.catalogue, &w.inv, node, 0, instance, AT(0)), 40 * GIB);
    ck_assert_uint_eq(mig_memory_bytes(&w.catalogue, &w.inv, eighth, 1, t4, AT(0)), 2 * GIB);
    ck_assert_uint_eq(mig_memory_bytes(&w.catalogue, &w.inv, NONE, 1, t4, AT(0)), 16 * GIB);
    ck_assert_int_eq(mig_type_gpus(&w.catalogue, &w.inv, eighth, AT(0)), 1);
    ck_assert_int_eq(mig_type_gpus(&w.catalogue, &w.inv, NONE, AT(0)), 0);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("mig");
    TCase *c = tcase_create("mig");

    tcase_add_checked_fixture(c, setup, teardown);
    tcase_add_test(c, a_profile_in_the_table_has_the_tables_slices);
    tcase_add_test(c, a_profile_that_the_table_lacks_tells_its_slices_by_name);
    tcase_add_test(c, a_profile_that_says_nothing_is_one_slice);
    tcase_add_test(c, a_whole_gpu_has_eight_memory_and_seven_compute_slices);
    tcase_add_test(c, sizes_are_of_the_model_the_instance_or_the_fraction);
    suite_add_tcase(s, c);
    return unit_run(s);
}
