/* catalogue_file: a user's rows over the built-in tables, and what is refused. Built-in values were read off the CSV files by eye. */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "gputab/source/catalogue.h"
#include "gputab/source/catalogue_file.h"
#include "unit.h"

static char path[] = "/tmp/catalogue_file_test.XXXXXX";
static struct catalogue c;
static struct err e;

static void setup(void)
{
    memset(&c, 0, sizeof c);
    err_clear(&e);
    ck_assert_int_eq(catalogue_builtin(&c, &e), 0);
}

static void teardown(void)
{
    catalogue_free(&c);
}

static int add(const char *text)
{
    FILE *f = fopen(path, "wb");

    ck_assert_ptr_ne(f, NULL);
    fputs(text, f);
    ck_assert_int_eq(fclose(f), 0);
    return catalogue_add_file(&c, path, &e);
}

static void accept(const char *text)
{
    ck_assert_msg(add(text) == 0, "%lld:%lld: %s", (long long)e.line, (long long)e.column, e.text);
}

static const struct gpu_model *model(const char *name)
{
    int i = catalogue_model(&c, span_of(name));

    ck_assert_int_ge(i, 0);
    return &c.models.v[i];
}

static bool is(money m, const char *text)
{
    money want = 0;

    ck_assert_int_eq(money_parse(span_of(text), &want, NULL), 0);
    return m == want;
}

START_TEST(a_price_leaves_all_else_of_a_model)
{
    accept("model,reference_usd_hour\nNVIDIA H100 80GB,7.5\n");
    ck_assert_uint_eq(c.models.n, 25);
    ck_assert(is(model("NVIDIA H100 80GB HBM3")->price_hour, "7.5"));
    ck_assert_int_eq(model("NVIDIA H100 80GB HBM3")->total_mib, 81559);
    ck_assert_int_eq(model("NVIDIA H100 80GB HBM3")->memory_slices, 8);
}
END_TEST

START_TEST(a_new_model_is_found_by_its_names)
{
    accept("model,names,total_mib,reserved_mib,compute_slices,memory_slices,reference_usd_hour,basis\n"
           "Acme A1,Acme Accelerator One;ACME-A1-64G,65536,512,,,1.25,quoted\n");
    ck_assert_str_eq(model("ACME-A1-64G")->name, "Acme A1");
    ck_assert_int_eq(model("Acme Accelerator One")->total_mib, 65536);
    ck_assert_int_eq(model("Acme Accelerator One")->reserved_mib, 512);
    ck_assert(is(model("acme a1")->price_hour, "1.25"));
}
END_TEST

/* The PCIe card is an H100 80GB to the built-in table; its types stay with that model. */
START_TEST(a_new_model_takes_a_name_over)
{
    accept("model,names,reference_usd_hour\nH100 PCIe,NVIDIA H100 PCIe,3\n");
    ck_assert_str_eq(model("NVIDIA H100 PCIe")->name, "H100 PCIe");
    ck_assert_str_eq(model("NVIDIA H100 80GB HBM3")->name, "NVIDIA H100 80GB");
    ck_assert_str_eq(c.models.v[catalogue_type(&c, span_of("p5.48xlarge"))->model].name, "NVIDIA H100 80GB");
}
END_TEST

START_TEST(a_new_type_has_its_shape_and_model)
{
    accept("provider,instance_type,vcpu,memory_gib,gpu_model,gpu_count,gpu_memory_gib_each,usd_hour,region,source\n"
           "acme,acme.8,64,512.5,Acme A1,8,64,12.5,north,price list\nacme,acme.half,8,32,Acme A1,0.5,64,,,\n");
    accept("model,reference_usd_hour\nAcme A1,1\n");         /* in any order */
    ck_assert_int_eq(catalogue_type(&c, span_of("ACME.8"))->vcpu_micro, 64000000);
    ck_assert_int_eq(catalogue_type(&c, span_of("acme.8"))->memory_micro_gib, 512500000);
    ck_assert_str_eq(c.models.v[catalogue_type(&c, span_of("acme.8"))->model].name, "Acme A1");
    ck_assert_int_eq(catalogue_type(&c, span_of("acme.half"))->gpu_count_micro, 500000);
    ck_assert(is(catalogue_on_demand(&c, span_of("acme.8"), span_of("North")), "12.5"));
    ck_assert(catalogue_on_demand(&c, span_of("acme.half"), span_of("")) == 0);
}
END_TEST

START_TEST(a_type_has_a_price_in_each_region)
{
    accept("instance_type,usd_hour,region\np5.48xlarge,60,us-east-1\np5.48xlarge,75,eu-west-1\n");
    ck_assert(is(catalogue_on_demand(&c, span_of("p5.48xlarge"), span_of("us-east-1")), "60"));
    ck_assert(is(catalogue_on_demand(&c, span_of("p5.48xlarge"), span_of("eu-west-1")), "75"));
    ck_assert(catalogue_on_demand(&c, span_of("p5.48xlarge"), span_of("eu-north-1")) == 0);
    ck_assert_int_eq(catalogue_type(&c, span_of("p5.48xlarge"))->vcpu_micro, 192000000);
    ck_assert_int_eq(catalogue_type(&c, span_of("p5.48xlarge"))->gpu_count_micro, 8000000);
}
END_TEST

START_TEST(profiles_of_new_and_known_models)
{
    accept("model,compute_slices,memory_slices\nAcme A1,4,4\n");
    accept("model,profile,compute_slices,memory_slices,max_instances\nAcme A1,1g.16gb,1,1,4\nNVIDIA A30,1g.6gb,,2,\n");
    ck_assert_int_eq(catalogue_profile(&c, catalogue_model(&c, span_of("Acme A1")), span_of("1g.16gb"))->max_instances, 4);
    ck_assert_int_eq(catalogue_profile(&c, catalogue_model(&c, span_of("NVIDIA A30")), span_of("1g.6gb"))->memory_slices, 2);
    ck_assert_int_eq(catalogue_profile(&c, catalogue_model(&c, span_of("NVIDIA A30")), span_of("1g.6gb"))->compute_slices, 1);
}
END_TEST

/* { cat gpu_models.csv instances.csv mig_profiles.csv | sha256sum | cut -c1-64 | tr -d '\n'; cat FILE; } | sha256sum */
START_TEST(version_and_hash_say_that_there_is_more)
{
    accept("model,reference_usd_hour\nNVIDIA L4,1\n");
    ck_assert_str_eq(c.version, "2026-07+user");
    ck_assert_str_eq(c.sha256, "d044f52a5b5307fd210dec66cb7ea18944a65c36d5cc2bccfa9a751061efdeaa");
    accept("model,reference_usd_hour\nNVIDIA L4,2\n");
    ck_assert_str_eq(c.version, "2026-07+user");
}
END_TEST

#define MODELS "model,names,total_mib,compute_slices,memory_slices,reference_usd_hour\n"
#define TYPES "instance_type,vcpu,memory_gib,gpu_model,gpu_count,usd_hour,region\n"
#define PROFILES "model,profile,compute_slices,memory_slices,max_instances\n"

static const struct {
    const char *text;
    int line, column;
    const char *want;
} mistakes[] = {
    {"", 1, 0, "the header is none of the catalogue's tables"},
    {"name,price\n", 1, 0, "the header is none of the catalogue's tables"},
    {"model,price\n", 1, 7, "a table of GPU models has no column \"price\""},
    {"model,names,Model\n", 1, 13, "the column \"Model\" is there twice"},
    {MODELS "a,b\n", 2, 0, "row has 2 fields, the header 6"},
    {MODELS ",b,,,,1\n", 2, 1, "column \"model\": is empty, and a model needs it"},
    {MODELS "a,b,,,,0\n", 2, 8, "column \"reference_usd_hour\": \"0\" is not a number above 0 up to 1000000"},
    {MODELS "a,b,,,,1 USD\n", 2, 8, "\"1 USD\" is not a number"},
    {MODELS "a,b,1.5,,,1\n", 2, 5, "column \"total_mib\": \"1.5\" is not a whole number"},
    {MODELS "a,b,-1,,,1\n", 2, 5, "\"-1\" is not a number"},
    {MODELS "a,b,,7,,1\n", 2, 8, "column \"memory_slices\": is empty, and a model with the other kind of slices needs it"},
    {MODELS "a,b,,,,1\nc,,,,,\na,,,,,2\n", 4, 0, "line 2 is about the same GPU model"},
    {TYPES "x,4,16,,1,,\n", 2, 8, "column \"gpu_model\": is empty, and a new instance type needs it"},
    {TYPES "x,4,16,a,0,,\n", 2, 10, "\"0\" is not a number above 0 up to 1024"},
    {TYPES "NC8as T4 v3,8,56,NVIDIA T4,1,,\n", 2, 1, "\"NC8as T4 v3\" has blanks, or more than 64 characters"},
    {TYPES "p5.48xlarge,,,,,60,\n", 2, 20, "column \"region\": is empty, and its price needs it"},
    {TYPES "P5.48xlarge,,,,,60,us-east-1\np5.48xlarge,,,,,61,US-EAST-1\n", 3, 0, "line 2 is about the same instance type"},
    {"instance_type,usd_hour\nx,1\n", 2, 0, "column \"region\": is empty"},
    {PROFILES "nobody's,1g,1,1,1\n", 2, 1, "the catalogue has no model \"nobody's\""},
    {PROFILES "NVIDIA A30,9g.99gb,1,,1\n", 2, 22, "column \"memory_slices\": is empty, and a new profile needs it"},
    {MODELS "\"a\n", 2, 1, "quote"},
};

START_TEST(each_mistake_is_told_at_its_place)
{
    ck_assert_int_eq(add(mistakes[_i].text), -1);
    ck_assert_int_eq(e.code, ERR_INPUT);
    ck_assert_str_eq(e.file, path);
    ck_assert_msg(strstr(e.text, mistakes[_i].want) != NULL, "%s", e.text);
    ck_assert_int_eq(e.line, mistakes[_i].line);
    ck_assert_int_eq(e.column, mistakes[_i].column);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("catalogue_file");
    TCase *t = tcase_create("catalogue_file");
    int fd = mkstemp(path), failed;

    if (fd < 0)
        return 1;
    close(fd);
    tcase_add_checked_fixture(t, setup, teardown);
    tcase_add_test(t, a_price_leaves_all_else_of_a_model);
    tcase_add_test(t, a_new_model_is_found_by_its_names);
    tcase_add_test(t, a_new_model_takes_a_name_over);
    tcase_add_test(t, a_new_type_has_its_shape_and_model);
    tcase_add_test(t, a_type_has_a_price_in_each_region);
    tcase_add_test(t, profiles_of_new_and_known_models);
    tcase_add_test(t, version_and_hash_say_that_there_is_more);
    tcase_add_loop_test(t, each_mistake_is_told_at_its_place, 0, sizeof mistakes / sizeof *mistakes);
    suite_add_tcase(s, t);
    failed = unit_run(s);
    unlink(path);
    return failed;
}
