/* catalogue (source): the built-in tables as they arrive. Values were read off the CSV files by eye. */
#include <string.h>

#include "gputab/source/catalogue.h"
#include "unit.h"

static struct catalogue c;

static void setup(void)
{
    struct err e = {0};

    memset(&c, 0, sizeof c);
    ck_assert_msg(catalogue_builtin(&c, &e) == 0, "%s:%lld: %s", e.file, (long long)e.line, e.text);
}

static void teardown(void)
{
    catalogue_free(&c);
}

START_TEST(every_line_but_the_headers_arrives)
{
    ck_assert_uint_eq(c.models.n, 25);
    ck_assert_uint_eq(c.types.n, 137);
    ck_assert_uint_eq(c.profiles.n, 54);
}
END_TEST

START_TEST(a_model_has_its_names_sizes_and_price)
{
    const struct gpu_model *m = &c.models.v[catalogue_model(&c, span_of("NVIDIA H100 80GB HBM3"))];

    ck_assert_str_eq(m->name, "NVIDIA H100 80GB");
    ck_assert_str_eq(m->names[0], "NVIDIA H100 80GB HBM3");
    ck_assert_str_eq(m->names[2], "NVIDIA H100 80GB HBM2e");
    ck_assert_ptr_eq(m->names[3], NULL);
    ck_assert_int_eq(m->total_mib, 81559);
    ck_assert_int_eq(m->reserved_mib, 1024);
    ck_assert_int_eq(m->compute_slices, 7);
    ck_assert_int_eq(m->memory_slices, 8);
    ck_assert(m->price_hour == 5036700000000);               /* 5.0367 */
}
END_TEST

START_TEST(empty_numbers_mean_unknown)
{
    const struct gpu_model *m = &c.models.v[catalogue_model(&c, span_of("Tesla M60"))];

    ck_assert_int_eq(m->total_mib, 7680);
    ck_assert_int_eq(m->reserved_mib, 0);
    ck_assert_int_eq(m->compute_slices, 0);
    ck_assert(catalogue_type(&c, span_of("a4-highgpu-8g"))->price_hour == 0);
}
END_TEST

START_TEST(an_instance_type_refers_to_its_model_and_keeps_fractions)
{
    const struct instance_type *t = catalogue_type(&c, span_of("g3s.xlarge"));

    ck_assert_int_eq(t->vcpu_micro, 4000000);
    ck_assert_int_eq(t->memory_micro_gib, 30500000);         /* 30.5 */
    ck_assert_int_eq(t->gpu_count_micro, 1000000);
    ck_assert_str_eq(c.models.v[t->model].name, "NVIDIA M60");
    ck_assert(t->price_hour == 750000000000);                /* 0.75 */
    ck_assert_str_eq(t->region, "us-east-1");
    t = catalogue_type(&c, span_of("standard_nv6ads_a10_v5"));
    ck_assert_int_eq(t->gpu_count_micro, 166700);
    ck_assert_str_eq(t->provider, "azure");
    ck_assert_int_eq(catalogue_type(&c, span_of("g6f.large"))->gpu_count_micro, 125000);
}
END_TEST

START_TEST(every_instance_type_has_a_known_model_and_gpus)
{
    for (size_t i = 0; i < c.types.n; i++) {
        ck_assert_msg(c.types.v[i].model >= 0, "%s: %s", c.types.v[i].name, c.types.v[i].model_name);
        ck_assert_int_gt(c.types.v[i].gpu_count_micro, 0);
        ck_assert_int_gt(c.types.v[i].vcpu_micro, 0);
        ck_assert_int_gt(c.types.v[i].memory_micro_gib, 0);
    }
}
END_TEST

START_TEST(a_mig_profile_has_its_slices)
{
    int model = catalogue_model(&c, span_of("NVIDIA A100-SXM4-40GB"));
    const struct mig_profile *p = catalogue_profile(&c, model, span_of("3g.20gb"));

    ck_assert_int_eq(p->compute_slices, 3);
    ck_assert_int_eq(p->memory_slices, 4);
    ck_assert_int_eq(p->max_instances, 2);
}
END_TEST

/* cat gpu_models.csv instances.csv mig_profiles.csv | sha256sum. Whoever changes a table changes the version too. */
START_TEST(version_and_hash_say_which_data_this_is)
{
    ck_assert_str_eq(c.version, "2026-07");
    ck_assert_str_eq(c.sha256, "98deaa58412793c0be92293f941e447f7ad54780227af0a4454b1949fd8d2d5a");
}
END_TEST

int main(void)
{
    Suite *s = suite_create("catalogue (source)");
    TCase *t = tcase_create("catalogue");

    tcase_add_checked_fixture(t, setup, teardown);
    tcase_add_test(t, every_line_but_the_headers_arrives);
    tcase_add_test(t, a_model_has_its_names_sizes_and_price);
    tcase_add_test(t, empty_numbers_mean_unknown);
    tcase_add_test(t, an_instance_type_refers_to_its_model_and_keeps_fractions);
    tcase_add_test(t, every_instance_type_has_a_known_model_and_gpus);
    tcase_add_test(t, a_mig_profile_has_its_slices);
    tcase_add_test(t, version_and_hash_say_which_data_this_is);
    suite_add_tcase(s, t);
    return unit_run(s);
}
