/* Folders as AWS leaves them, and the files of them that are a bill. */
#include "unit.h"

#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "gputab/base/buf.h"
#include "gputab/source/bill_export.h"

static char root[] = "/tmp/bill_export_XXXXXX";
static struct bill_paths p;
static struct diag d;
static struct err e;

static void begin(void)
{
    strcpy(root, "/tmp/bill_export_XXXXXX");
    ck_assert_ptr_nonnull(mkdtemp(root));
}

static void end(void)
{
    char command[64];

    snprintf(command, sizeof command, "rm -rf %s", root);
    ck_assert_int_eq(system(command), 0);
    bill_paths_free(&p);
    diag_free(&d);
}

static const char *below(const char *path)
{
    static char text[4][256];
    static int i;
    char *s = text[i++ % 4];

    snprintf(s, sizeof text[0], "%s/%s", root, path);
    return s;
}

static void put(const char *path, const char *content)
{
    char name[256];
    FILE *f;

    snprintf(name, sizeof name, "%s", below(path));
    for (char *slash = name + strlen(root) + 1; (slash = strchr(slash, '/')); slash++) {
        *slash = '\0';
        mkdir(name, 0777);
        *slash = '/';
    }
    f = fopen(name, "w");
    ck_assert_ptr_nonnull(f);
    fputs(content, f);
    fclose(f);
}

/* A manifest at path of assembly id, with one part. */
static void put_manifest(const char *path, const char *account, const char *report, const char *id, const char *part)
{
    struct buf b = {0};

    buf_addf(&b, "{\"assemblyId\":\"%s\",\"account\":\"%s\",\"reportName\":\"%s\",\"billingPeriod\":{\"start\":\"20261001T000000.000Z\"},"
             "\"reportKeys\":[\"prefix/%s/%s\"]}", id, account, report, report, part);
    put(path, buf_str(&b));
    buf_free(&b);
}

static int expand(const char *path)
{
    const char *paths[] = {path};

    bill_paths_free(&p);
    diag_free(&d);
    err_clear(&e);
    p = (struct bill_paths){.diag = &d};
    d = (struct diag){.items = NULL};
    return bill_paths_expand(&p, paths, 1, &e);
}

static void expect_one(const char *path, const char *want)
{
    ck_assert_msg(expand(path) == 0, "%s", e.text);
    ck_assert_uint_eq(p.v.n, 1);
    ck_assert_str_eq(p.v.v[0], below(want));
}

#define OCTOBER "gpu/20261001-20261101/"
#define OLD OCTOBER "20261015T010203Z/"
#define NEW OCTOBER "20261103T010203Z/"

START_TEST(of_two_assemblies_the_newer_one_is_read_whatever_its_place)
{
    put(OLD "gpu-1.csv.gz", "old");
    put(NEW "gpu-1.csv.gz", "new");
    put_manifest(OLD "gpu-Manifest.json", "1", "gpu", "20261015T010203Z", "20261001-20261101/20261015T010203Z/gpu-1.csv.gz");
    put_manifest(NEW "gpu-Manifest.json", "1", "gpu", "20261103T010203Z", "20261001-20261101/20261103T010203Z/gpu-1.csv.gz");
    put_manifest(OCTOBER "gpu-Manifest.json", "1", "gpu", "20261103T010203Z", "20261001-20261101/20261103T010203Z/gpu-1.csv.gz");
    expect_one(root, NEW "gpu-1.csv.gz");
    expect_one(below("gpu/"), NEW "gpu-1.csv.gz");
    expect_one(below(OCTOBER), NEW "gpu-1.csv.gz");
    ck_assert_uint_eq(d.n, 0);
    expect_one(below(OLD "gpu-Manifest.json"), OLD "gpu-1.csv.gz");
    expect_one(below(OCTOBER "gpu-Manifest.json"), NEW "gpu-1.csv.gz");
}
END_TEST

/* Ids that are no times: the manifest above the assemblies is the last one's; without it nothing decides. */
START_TEST(the_manifest_of_the_month_decides_and_without_it_nothing_does)
{
    put(OCTOBER "a1/gpu-1.csv.gz", "1");
    put(OCTOBER "b2/gpu-1.csv.gz", "2");
    put_manifest(OCTOBER "a1/gpu-Manifest.json", "1", "gpu", "a1", "20261001-20261101/a1/gpu-1.csv.gz");
    put_manifest(OCTOBER "b2/gpu-Manifest.json", "1", "gpu", "b2", "20261001-20261101/b2/gpu-1.csv.gz");
    ck_assert_int_eq(expand(root), -1);
    ck_assert_int_eq(e.code, ERR_INPUT);
    ck_assert_str_eq(e.file, below(OCTOBER "a1/gpu-Manifest.json"));
    ck_assert_ptr_nonnull(strstr(e.text, "2026-10"));
    ck_assert_ptr_nonnull(strstr(e.text, below(OCTOBER "b2/gpu-Manifest.json")));
    ck_assert_ptr_nonnull(strstr(e.hint, "--billing"));
    put_manifest(OCTOBER "gpu-Manifest.json", "1", "gpu", "a1", "20261001-20261101/a1/gpu-1.csv.gz");
    expect_one(root, OCTOBER "a1/gpu-1.csv.gz");
}
END_TEST

START_TEST(two_reports_of_one_account_are_refused_and_of_two_accounts_read)
{
    put("x/x-1.csv", "1");
    put("y/y-1.csv", "2");
    put_manifest("x/x-Manifest.json", "1", "x", "i", "x-1.csv");
    put_manifest("y/y-Manifest.json", "1", "y", "i", "y-1.csv");
    ck_assert_int_eq(expand(root), -1);
    ck_assert_ptr_nonnull(strstr(e.text, "two reports"));
    put_manifest("y/y-Manifest.json", "2", "y", "i", "y-1.csv");
    ck_assert_int_eq(expand(root), 0);
    ck_assert_uint_eq(p.v.n, 2);
}
END_TEST

START_TEST(data_exports_keep_their_manifests_apart)
{
    put("e/data/BILLING_PERIOD=2026-10/e-00001.csv.gz", "1");
    put("e/data/BILLING_PERIOD=2026-11/e-00001.csv.gz", "2");
    put("e/metadata/BILLING_PERIOD=2026-10/e-Manifest.json",
        "{\"executionId\":\"1\",\"dataFiles\":[\"s3://bucket/deep/e/data/BILLING_PERIOD=2026-10/e-00001.csv.gz\"]}");
    put("e/metadata/BILLING_PERIOD=2026-11/e-Manifest.json",
        "{\"executionId\":\"2\",\"dataFiles\":[\"s3://bucket/deep/e/data/BILLING_PERIOD=2026-11/e-00001.csv.gz\"]}");
    ck_assert_int_eq(expand(root), 0);
    ck_assert_uint_eq(p.v.n, 2);
    ck_assert_str_eq(p.v.v[0], below("e/data/BILLING_PERIOD=2026-10/e-00001.csv.gz"));
    ck_assert_str_eq(p.v.v[1], below("e/data/BILLING_PERIOD=2026-11/e-00001.csv.gz"));
    expect_one(below("e/metadata/BILLING_PERIOD=2026-11/e-Manifest.json"), "e/data/BILLING_PERIOD=2026-11/e-00001.csv.gz");
}
END_TEST

/* An older version's part of the same name does not stand in for it. */
START_TEST(a_part_that_is_not_there_is_an_error)
{
    put(OLD "gpu-1.csv.gz", "old");
    put_manifest(OCTOBER "gpu-Manifest.json", "1", "gpu", "20261103T010203Z", "20261001-20261101/20261103T010203Z/gpu-1.csv.gz");
    ck_assert_int_eq(expand(root), -1);
    ck_assert_str_eq(e.file, below(OCTOBER "gpu-Manifest.json"));
    ck_assert_ptr_nonnull(strstr(e.text, "20261103T010203Z/gpu-1.csv.gz"));
    put(OCTOBER "gpu-1.csv.gz", "beside the manifest");
    expect_one(root, OCTOBER "gpu-1.csv.gz");
    ck_assert_ptr_nonnull(diag_find(&d, "W120"));
}
END_TEST

START_TEST(other_bills_beside_an_export_are_named)
{
    put("gpu-1.csv", "1");
    put("of-another-cloud.csv", "2");
    put("create-table.sql", "no bill");
    put_manifest("gpu-Manifest.json", "1", "gpu", "i", "gpu-1.csv");
    expect_one(root, "gpu-1.csv");
    ck_assert_int_eq(diag_find(&d, "W120")->count, 1);
    ck_assert_ptr_nonnull(strstr(diag_find(&d, "W120")->texts[0], "of-another-cloud.csv"));
    ck_assert_ptr_nonnull(strstr(diag_find(&d, "W120")->texts[0], "names 1 of"));
}
END_TEST

START_TEST(files_of_two_versions_are_refused_without_a_manifest)
{
    struct bill_paths given = {.diag = &d};
    const char *paths[] = {OLD "gpu-2.csv", NEW "gpu-1.csv", OLD "gpu-1.csv"};

    ck_assert_int_eq(bill_paths_expand(&given, paths, 3, &e), -1);
    ck_assert_str_eq(e.file, NEW "gpu-1.csv");
    ck_assert_ptr_nonnull(strstr(e.text, OLD "gpu-2.csv"));
    bill_paths_free(&given);
    err_clear(&e);
    given = (struct bill_paths){.diag = &d};
    paths[1] = "gpu/20261101-20261201/20261201T010203Z/gpu-1.csv";
    ck_assert_int_eq(bill_paths_expand(&given, paths, 3, &e), 0);
    bill_paths_free(&given);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("bill_export");
    TCase *c = tcase_create("bill_export");

    tcase_add_checked_fixture(c, begin, end);
    tcase_add_test(c, of_two_assemblies_the_newer_one_is_read_whatever_its_place);
    tcase_add_test(c, the_manifest_of_the_month_decides_and_without_it_nothing_does);
    tcase_add_test(c, two_reports_of_one_account_are_refused_and_of_two_accounts_read);
    tcase_add_test(c, data_exports_keep_their_manifests_apart);
    tcase_add_test(c, a_part_that_is_not_there_is_an_error);
    tcase_add_test(c, other_bills_beside_an_export_are_named);
    tcase_add_test(c, files_of_two_versions_are_refused_without_a_manifest);
    suite_add_tcase(s, c);
    return unit_run(s);
}
