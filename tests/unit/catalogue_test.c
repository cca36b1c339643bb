#include "unit.h"

#include "gputab/value/catalogue.h"

/* A few rows of the built-in tables; alias lists end in NULL. */
static const char *h100[] = { "NVIDIA H100 80GB HBM3", "NVIDIA H100 PCIe", NULL };
static const char *h100_nvl[] = { "NVIDIA H100 NVL", NULL };
static const char *a100_80[] = { "NVIDIA A100-SXM4-80GB", "NVIDIA A100 80GB PCIe", "A100-SXM4-80GB", NULL };
static const char *a100_40[] = { "NVIDIA A100-SXM4-40GB", "NVIDIA A100-PCIE-40GB", "A100-SXM4-40GB", NULL };
static const char *a10g[] = { "NVIDIA A10G", NULL };
static const char *a10[] = { "NVIDIA A10", NULL };
static const char *t4[] = { "Tesla T4", "NVIDIA T4", NULL };
static const char *rtx[] = { "NVIDIA RTX PRO 6000 Blackwell Server Edition", "NVIDIA RTX PRO Server 6000", NULL };
static const char *mi300x[] = { "AMD Instinct MI300X", NULL };

enum { H100, H100_NVL, A100_80, A100_40, A10G, A10, T4, RTX, MI300X, MODELS };

static struct catalogue c;

static void fill(void)
{
    static const struct { const char *name, **names; } models[MODELS] = {
        { "NVIDIA H100 80GB", h100 }, { "NVIDIA H100 NVL", h100_nvl }, { "NVIDIA A100 80GB", a100_80 }, { "NVIDIA A100 40GB", a100_40 },
        { "NVIDIA A10G", a10g }, { "NVIDIA A10", a10 }, { "NVIDIA T4", t4 }, { "NVIDIA RTX PRO 6000", rtx }, { "AMD Instinct MI300X", mi300x },
    };

    c = (struct catalogue){ 0 };
    for (int i = 0; i < MODELS; i++)
        vec_push(&c.models, (struct gpu_model){ .name = models[i].name, .names = models[i].names });
    vec_push(&c.profiles, (struct mig_profile){ "NVIDIA H100 80GB", "3g.40gb", 3, 4, 2 });
    vec_push(&c.profiles, (struct mig_profile){ "NVIDIA H100 80GB", "1g.10gb", 1, 1, 7 });
    vec_push(&c.profiles, (struct mig_profile){ "NVIDIA A100 40GB", "1g.10gb", 1, 2, 4 });
    vec_push(&c.types, (struct instance_type){ .provider = "aws", .name = "p5.48xlarge", .model = H100 });
    vec_push(&c.types, (struct instance_type){ .provider = "azure", .name = "Standard_NC24ads_A100_v4", .model = A100_80 });
}

static void drop(void)
{
    catalogue_free(&c);
    ck_assert_uint_eq(c.models.n, 0);
}

static const struct { const char *name; int model; } names[] = {
    { "NVIDIA H100 80GB HBM3", H100 },
    { "NVIDIA-H100-80GB-HBM3", H100 },                 /* the label of a node */
    { "nvidia h100 80gb hbm3", H100 },
    { "NVIDIA H100 80GB", H100 },
    { "nvidia-h100-80gb", H100 },
    { " NVIDIA H100 PCIe ", H100 },
    { "NVIDIA H100 NVL", H100_NVL },
    { "NVIDIA H100", -1 },                             /* which one? */
    { "NVIDIA A100-SXM4-40GB", A100_40 },
    { "NVIDIA-A100-SXM4-40GB", A100_40 },
    { "A100-SXM4-40GB", A100_40 },
    { "NVIDIA A100-SXM4-80GB", A100_80 },
    { "NVIDIA-A100-80GB-PCIe", A100_80 },
    { "NVIDIA A100-SXM4-64GB", -1 },
    { "NVIDIA A10", A10 },
    { "NVIDIA A10G", A10G },
    { "A10", A10 },
    { "NVIDIA-A10G", A10G },
    { "NVIDIA A1", -1 },
    { "NVIDIA A10GG", -1 },
    { "Tesla T4", T4 },
    { "Tesla-T4", T4 },
    { "nvidia-tesla-t4", T4 },
    { "NVIDIA T4G", -1 },
    { "NVIDIA RTX PRO 6000 Blackwell Server Edition", RTX },
    { "NVIDIA-RTX-PRO-6000-Blackwell-Server-Edition", RTX },
    { "AMD_Instinct_MI300X", MI300X },
    { "NVIDIA", -1 },
    { "NVIDIA Tesla", -1 },
    { "", -1 },
    { "NVIDIA GeForce RTX 4090", -1 },
    { "NVIDIA H100 80GB HBM3 NVIDIA NVIDIA NVIDIA NVIDIA NVIDIA NVIDIA NVIDIA NVIDIA NVIDIA NVIDIA NVIDIA NVIDIA NVIDIA NVIDIA NVIDIA NVIDIA", -1 },
};

START_TEST(a_card_is_found_by_every_spelling_and_no_other_card_is)
{
    ck_assert_msg(catalogue_model(&c, span_of(names[_i].name)) == names[_i].model, "'%s'", names[_i].name);
}
END_TEST

START_TEST(an_exact_name_goes_before_a_folded_one)
{
    static const char *odd[] = { "nvidia-a10", NULL };

    vec_push(&c.models, (struct gpu_model){ .name = "Odd", .names = odd });
    ck_assert_int_eq(catalogue_model(&c, span_of("nvidia-a10")), MODELS);
    ck_assert_int_eq(catalogue_model(&c, span_of("NVIDIA A10")), A10);
    ck_assert_int_eq(catalogue_model(&c, span_of("NVIDIA-A10")), MODELS);       /* both folded: the one that was added later */
}
END_TEST

START_TEST(instance_types_are_found_without_case)
{
    ck_assert_str_eq(catalogue_type(&c, span_of("p5.48xlarge"))->provider, "aws");
    ck_assert_int_eq(catalogue_type(&c, span_of("STANDARD_nc24ads_a100_v4"))->model, A100_80);
    ck_assert_int_eq(catalogue_type(&c, span_of("Standard NC24ads A100 v4"))->model, A100_80);
    ck_assert_ptr_null(catalogue_type(&c, span_of("p5.48xlarg")));
    ck_assert_ptr_null(catalogue_type(&c, span_of("")));
}
END_TEST

START_TEST(a_profile_belongs_to_its_model)
{
    ck_assert_int_eq(catalogue_profile(&c, H100, span_of("1g.10gb"))->memory_slices, 1);
    ck_assert_int_eq(catalogue_profile(&c, A100_40, span_of("1g.10gb"))->memory_slices, 2);
    ck_assert_int_eq(catalogue_profile(&c, H100, span_of("3G.40GB"))->compute_slices, 3);
    ck_assert_int_eq(catalogue_profile(&c, H100, span_of("1g.10gb+me"))->max_instances, 7);
    ck_assert_int_eq(catalogue_profile(&c, H100, span_of("1g.10gb.me"))->max_instances, 7);
    ck_assert_ptr_null(catalogue_profile(&c, A10, span_of("1g.10gb")));
    ck_assert_ptr_null(catalogue_profile(&c, H100, span_of("1g.5gb")));
    ck_assert_ptr_null(catalogue_profile(&c, H100, span_of("")));
    ck_assert_ptr_null(catalogue_profile(&c, -1, span_of("1g.10gb")));
    ck_assert_ptr_null(catalogue_profile(&c, 1000, span_of("1g.10gb")));
}
END_TEST

int main(void)
{
    Suite *s = suite_create("catalogue");
    TCase *t = tcase_create("catalogue");

    tcase_add_checked_fixture(t, fill, drop);
    tcase_add_loop_test(t, a_card_is_found_by_every_spelling_and_no_other_card_is, 0, (int)(sizeof names / sizeof *names));
    tcase_add_test(t, an_exact_name_goes_before_a_folded_one);
    tcase_add_test(t, instance_types_are_found_without_case);
    tcase_add_test(t, a_profile_belongs_to_its_model);
    suite_add_tcase(s, t);
    return unit_run(s);
}
