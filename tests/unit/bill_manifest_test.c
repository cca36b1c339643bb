/* Manifests as texts: what is taken from them, and what is refused. */
#include "unit.h"

#include "gputab/source/bill_manifest.h"

static struct bill_manifest m;
static struct err e;

static int parse(const char *path, const char *json)
{
    bill_manifest_free(&m);
    m = (struct bill_manifest){.path = ""};
    err_clear(&e);
    return bill_manifest_parse(&m, span_of(json), path, &e);
}

static void done(void)
{
    bill_manifest_free(&m);
}

START_TEST(names_of_manifests)
{
    ck_assert(bill_manifest_is_name(span_of("gpu-report-Manifest.json")));
    ck_assert(bill_manifest_is_name(span_of("Manifest.json")));
    ck_assert(bill_manifest_is_name(span_of("manifest.json")));
    ck_assert(!bill_manifest_is_name(span_of("gpu-report-RedshiftManifest.json")));
    ck_assert(!bill_manifest_is_name(span_of("manifest.json.gz")));
    ck_assert(!bill_manifest_is_name(span_of("report.csv")));
}
END_TEST

START_TEST(a_cost_and_usage_report_names_its_parts_month_and_assembly)
{
    ck_assert_int_eq(parse("x/gpu-Manifest.json",
                           "{\"assemblyId\":\"20261103T081233Z\",\"account\":\"012345678901\",\"reportName\":\"gpu\","
                           "\"compression\":\"GZIP\",\"contentType\":\"text/csv\",\"columns\":[{\"category\":\"identity\",\"name\":\"assemblyId\"},"
                           "{\"category\":\"bill\",\"name\":\"account\",\"account\":\"no\"}],"
                           "\"billingPeriod\":{\"start\":\"20261001T000000.000Z\",\"end\":\"20261101T000000.000Z\"},"
                           "\"reportKeys\":[\"p/gpu/20261001-20261101/20261103T081233Z/gpu-1.csv.gz\",\"p/gpu-2.csv.gz\"],"
                           "\"additionalArtifactKeys\":[{\"artifactType\":\"x\",\"name\":\"y\"}]}"), 0);
    ck_assert_str_eq(m.id, "20261103T081233Z");
    ck_assert_str_eq(m.account, "012345678901");
    ck_assert_str_eq(m.report, "gpu");
    ck_assert_str_eq(m.month, "2026-10");
    ck_assert_str_eq(m.made, "20261103081233");
    ck_assert_uint_eq(m.parts.n, 2);
    ck_assert_str_eq(m.parts.v[1], "p/gpu-2.csv.gz");
}
END_TEST

/* The month and the time stand in the folders' names only. */
START_TEST(data_exports_name_data_files)
{
    ck_assert_int_eq(parse("e/metadata/BILLING_PERIOD=2026-10/e-Manifest.json",
                           "{\"executionId\":\"f00d\",\"dataFiles\":"
                           "[\"s3://b/p/e/data/BILLING_PERIOD=2026-09/2026-10-02T08:12:33.123Z-f00d/e-00001.csv.gz\"]}"), 0);
    ck_assert_str_eq(m.id, "f00d");
    ck_assert_str_eq(m.month, "2026-09");
    ck_assert_str_eq(m.made, "20261002081233");
    ck_assert_int_eq(parse("e/metadata/BILLING_PERIOD=2026-10/e-Manifest.json", "{\"dataFiles\": [\"e-00001.csv.gz\"]}"), 0);
    ck_assert_str_eq(m.month, "2026-10");
    ck_assert_str_eq(m.made, "");
}
END_TEST

START_TEST(azure_exports_name_blobs)
{
    ck_assert_int_eq(parse("manifest.json", "{\"manifestVersion\":\"2024-04-01\",\"dataFormat\":\"Csv\",\"blobs\":[{\"blobName\":"
                           "\"d/e/20261001-20261031/guid/part_0_0001.csv\",\"byteCount\":5},{\"blobName\":\"d/part_1_0001.csv\"}]}"), 0);
    ck_assert_uint_eq(m.parts.n, 2);
    ck_assert_str_eq(m.parts.v[0], "d/e/20261001-20261031/guid/part_0_0001.csv");
    ck_assert_str_eq(m.month, "2026-10");
}
END_TEST

/* Digits that are no time: a version's id may be made of digits too. */
START_TEST(times_are_taken_when_they_can_be_times)
{
    ck_assert_int_eq(parse("a", "{\"assemblyId\":\"20261399T081233Z\",\"reportKeys\":[\"a.csv\"]}"), 0);
    ck_assert_str_eq(m.made, "");
    ck_assert_int_eq(parse("a", "{\"assemblyId\":\"2026110\",\"reportKeys\":[\"20261301-20261401/a.csv\"]}"), 0);
    ck_assert_str_eq(m.made, "");
    ck_assert_str_eq(m.month, "");
}
END_TEST

static void expect(const char *json, const char *text, const char *hint)
{
    ck_assert_int_eq(parse("dir/x-Manifest.json", json), -1);
    ck_assert_int_eq(e.code, ERR_INPUT);
    ck_assert_str_eq(e.file, "dir/x-Manifest.json");
    ck_assert_msg(strstr(e.text, text) != NULL, "%s", e.text);
    ck_assert_msg(strstr(e.hint, hint) != NULL, "%s", e.hint);
}

START_TEST(what_is_no_list_of_parts_is_refused)
{
    expect("{\"reportKeys\":[]}", "names no part of a bill", "dataFiles");
    expect("{\"entries\":[{\"url\":\"s3://x\"}]}", "names no part of a bill", "reportKeys");
    expect("{\"reportKeys\":[\"a/../../b.csv\"]}", "no file's name", "");
    expect("{\"reportKeys\":[\"a/\"]}", "no file's name", "");
    expect("{\"reportKeys\":[\"\"]}", "no file's name", "");
    expect("{\"reportKeys\":[\"a\\u0000.csv\"]}", "no file's name", "");
    expect("{\"reportKeys\":[\"a.csv\"", "", "");
    expect("reportKeys", "", "");
}
END_TEST

START_TEST(parquet_is_refused_with_a_way_out)
{
    expect("{\"compression\":\"Parquet\",\"reportKeys\":[\"a.snappy\"]}", "Parquet", "CSV");
    expect("{\"contentType\":\"Parquet\",\"reportKeys\":[\"a\"]}", "Parquet", "duckdb");
    expect("{\"dataFiles\":[\"a/b.snappy.parquet\"]}", "Parquet", "CSV");
}
END_TEST

int main(void)
{
    Suite *s = suite_create("bill_manifest");
    TCase *c = tcase_create("bill_manifest");

    tcase_add_checked_fixture(c, NULL, done);
    tcase_add_test(c, names_of_manifests);
    tcase_add_test(c, a_cost_and_usage_report_names_its_parts_month_and_assembly);
    tcase_add_test(c, data_exports_name_data_files);
    tcase_add_test(c, azure_exports_name_blobs);
    tcase_add_test(c, times_are_taken_when_they_can_be_times);
    tcase_add_test(c, what_is_no_list_of_parts_is_refused);
    tcase_add_test(c, parquet_is_refused_with_a_way_out);
    suite_add_tcase(s, c);
    return unit_run(s);
}
