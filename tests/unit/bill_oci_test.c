/* bill: Oracle's cost reports, and its rows in FOCUS. Small bills are compared as text; sums of the public report are those of Python's
 * decimal, each row rounded half to even to twelve decimals. */
#include "gputab/source/oci_sku.h"
#include "bill_fixture.h"

/* ---- products ---- */

static const struct {
    const char *description, *unit;
    struct oci_sku want;           /* gpu_model apart */
    const char *model;
} products[] = {
    {"GPU - A10", "GPU Hours", {.kind = OCI_SKU_GPUS, .unit_ms = TIME_HOUR}, "NVIDIA A10"},
    {"OCI - Compute - GPU - H100", "1 NONE HOURS GPUS", {.kind = OCI_SKU_GPUS, .unit_ms = TIME_HOUR}, "NVIDIA H100 80GB"},
    {"Compute - GPU - A100 - v2", "GPU Per Hour", {.kind = OCI_SKU_GPUS, .unit_ms = TIME_HOUR}, "NVIDIA A100 80GB"},
    {"OCI - Compute - GPU - E4", "GPU Hours", {.kind = OCI_SKU_GPUS, .unit_ms = TIME_HOUR}, "NVIDIA A100 40GB"},
    {"Compute - GPU Standard - V2", "GPU Hours", {.kind = OCI_SKU_GPUS, .unit_ms = TIME_HOUR}, "NVIDIA P100 16GB"},
    {"GPU - X9000", "GPU Hours", {.kind = OCI_SKU_GPUS, .unit_ms = TIME_HOUR}, ""},
    {"GPU - L40S", "1 NONE HOURS INSTANCE", {.kind = OCI_SKU_MACHINE, .unit_ms = TIME_HOUR}, ""},
    {"Standard - E4", "1 NONE HOURS OCPUS", {.kind = OCI_SKU_PIECE, .piece = PIECE_CPU, .unit_ms = TIME_HOUR, .takes_no_gpu = true}, ""},
    {"Standard - E4 - Memory", "1 GiB HOURS MEMORY",
     {.kind = OCI_SKU_PIECE, .piece = PIECE_MEMORY, .unit_ms = TIME_HOUR, .takes_no_gpu = true}, ""},
    {"Standard - E3 - Memory", "GB Hours", {.kind = OCI_SKU_PIECE, .piece = PIECE_MEMORY, .unit_ms = TIME_HOUR, .takes_no_gpu = true}, ""},
    {"OCI - NVIDIA AI Enterprise - H100", "GPU Hours", {.kind = OCI_SKU_OTHER, .unit_ms = TIME_HOUR}, ""},
    {"Windows OS", "1 NONE HOURS OCPUS", {.kind = OCI_SKU_OTHER, .unit_ms = TIME_HOUR}, ""},
    {"Outbound Data Transfer Zone 1", "GB Months", {.kind = OCI_SKU_OTHER}, ""},
    {"Oracle APEX Application Development", "10 NONE HOURS ADVANCED",
     {.kind = OCI_SKU_OTHER, .unit_ms = 10 * TIME_HOUR, .takes_no_gpu = true}, ""},
};

START_TEST(a_product_says_what_of_a_machine_it_bills)
{
    struct oci_sku got = oci_sku_of(span_of(products[_i].description), span_of(products[_i].unit));
    const struct oci_sku *want = &products[_i].want;

    ck_assert_int_eq(got.kind, want->kind);
    ck_assert_int_eq(got.piece, want->piece);
    ck_assert_int_eq(got.unit_ms, want->unit_ms);
    ck_assert_int_eq(got.takes_no_gpu, want->takes_no_gpu);
    ck_assert_msg(span_eq(got.gpu_model, products[_i].model), "%s", products[_i].description);
}
END_TEST

/* ---- reports ---- */

#define HEAD "lineItem/intervalUsageStart,lineItem/intervalUsageEnd,product/service,product/region,product/resourceId," \
             "usage/billedQuantity,product/Description,cost/myCost,cost/currencyCode,cost/billingUnitReadable,lineItem/isCorrection\r\n"
#define ROW(service, id, quantity, text, cost, unit, correction) \
    "2026-10-05T10:00Z,2026-10-05T11:00Z," service ",eu-frankfurt-1," id "," quantity "," text "," cost ",USD," unit "," correction "\r\n"
#define GPU_1 "ocid1.instance.oc1.eu-frankfurt-1.aaaa1"
#define AT_10 " 2026-10-05T10:00:00Z/2026-10-05T11:00:00Z "

static void expect(const char *text, const char *want)
{
    char *got;

    ck_assert_msg(read_bytes(text, strlen(text)) == 0, "%lld:%lld: %s", (long long)w.err.line, (long long)w.err.column, w.err.text);
    got = dump();
    ck_assert_msg(strcmp(got, want) == 0, "got\n%s\nwant\n%s", got, want);
    free(got);
}

/* 2 GPU hours in an hour are two GPUs for all of it; one known GPU and half an hour of it is half an hour. A GPU's price has the machine in
 * it, so nothing is said of pieces. */
START_TEST(a_gpu_shape_is_a_machine_by_the_hours_of_its_gpus)
{
    expect(HEAD ROW("COMPUTE", GPU_1, "2", "GPU - A10", "4", "1 NONE HOURS GPUS", "false")
           ROW("COMPUTE", GPU_1, "64", "Windows OS", "1", "1 NONE HOURS OCPUS", "false")
           ROW("BLOCK_STORAGE", "ocid1.bootvolume.oc1.x.y", "2", "Block Volume - Storage", "0.5", "1 GiB MONTHS STORAGE_SIZE", "false"),
           GPU_1 AT_10 "cost 4 invoiced 4 ms 3600000 unknown eu-frankfurt-1\nother_resources x1 cost 0.5 invoiced 0.5\n"
           "attached x1 cost 1 invoiced 1\n");
    show(GPU_1, "2026-10-05T10:10:00Z", "2026-10-05T10:50:00Z");
    expect(HEAD ROW("COMPUTE", GPU_1, "0.5", "GPU - A10", "1", "1 NONE HOURS GPUS", "false"),
           GPU_1 AT_10 "cost 1 invoiced 1 ms 1800000 unknown eu-frankfurt-1\n");
}
END_TEST

START_TEST(cores_and_memory_of_their_own_are_pieces)
{
    expect(HEAD ROW("COMPUTE", GPU_1, "1", "GPU - A10", "4", "1 NONE HOURS GPUS", "false")
           ROW("COMPUTE", GPU_1, "15", "GPU - Standard", "0.75", "1 NONE HOURS OCPUS", "false")
           ROW("COMPUTE", GPU_1, "240", "GPU - Standard - Memory", "0.25", "1 GiB HOURS MEMORY", "false"),
           GPU_1 AT_10 "cost 5 invoiced 5 ms 3600000 unknown eu-frankfurt-1 | gpu NVIDIA A10  4 | cpu  0.75 | memory  0.25\n");
}
END_TEST

START_TEST(a_correction_has_cost_and_no_hours)
{
    expect(HEAD ROW("COMPUTE", GPU_1, "1", "GPU - A10", "4", "1 NONE HOURS GPUS", "false")
           ROW("COMPUTE", GPU_1, "-0.5", "GPU - A10", "-2", "1 NONE HOURS GPUS", "true"),
           GPU_1 AT_10 "cost 2 invoiced 2 ms 3600000 unknown eu-frankfurt-1\n");
}
END_TEST

static int read_two(const char *first, const char *second)
{
    char other[sizeof path + 2];
    const char *paths[] = {path, other};
    int rc;

    renew();
    snprintf(other, sizeof other, "%s.2", path);
    write_to(path, first, strlen(first));
    write_to(other, second, strlen(second));
    rc = bill_read(paths, 2, &w.req, &w.bill, &w.err);
    unlink(other);
    return rc;
}

static void show_second_gpu(void)
{
    struct gpu g = w.inventory.gpus.v[0];

    g.node = (struct steps){0};
    steps_push(&g.node, at("2026-10-01"), 0);
    vec_push(&w.inventory.gpus, g);
}

/* Two GPUs have two hours an hour: one and one are these, two and two were told twice. */
START_TEST(hours_of_gpus_in_two_files_are_counted_by_gpu)
{
    show(GPU_1, "2026-10-05T10:10:00Z", "2026-10-05T10:50:00Z");
    show_second_gpu();
    ck_assert_int_eq(read_two(HEAD ROW("COMPUTE", GPU_1, "1", "GPU - A10", "4", "1 NONE HOURS GPUS", "false"),
                              HEAD ROW("COMPUTE", GPU_1, "1.0", "GPU - A10", "4", "1 NONE HOURS GPUS", "false")), 0);
    ck_assert_uint_eq(w.bill.charges.n, 1);
    ck_assert_int_eq(w.bill.charges.v[0].billed_ns, TIME_HOUR * TIME_NS_PER_MS);
    ck_assert_int_eq(read_two(HEAD ROW("COMPUTE", GPU_1, "2", "GPU - A10", "4", "1 NONE HOURS GPUS", "false"),
                              HEAD ROW("COMPUTE", GPU_1, "2.0", "GPU - A10", "4", "1 NONE HOURS GPUS", "false")), -1);
    ck_assert_ptr_ne(strstr(w.err.text, "together more than there is"), NULL);
}
END_TEST

START_TEST(what_a_report_does_not_have_is_an_error)
{
    const char *text = HEAD ROW("COMPUTE", GPU_1, "1", "GPU - A10", "", "1 NONE HOURS GPUS", "false");

    ck_assert_int_eq(read_bytes(text, strlen(text)), -1);
    expect_error(2, "amount is missing");
    w.req.cost = RULE_COST_LIST;
    text = HEAD ROW("COMPUTE", GPU_1, "1", "GPU - A10", "4", "1 NONE HOURS GPUS", "false");
    ck_assert_int_eq(read_bytes(text, strlen(text)), -1);
    expect_error(2, "no public price");
}
END_TEST

/* The same machine in FOCUS, by unit and description: PricingUnit and ConsumedUnit are Oracle's words. */
START_TEST(rows_of_oracle_in_focus_are_read_likewise)
{
#define FOCUS_HEAD "BilledCost,EffectiveCost,BillingCurrency,ChargeCategory,ChargePeriodStart,ChargePeriodEnd,ResourceId,ServiceCategory," \
                   "ServiceName,ProviderName,PublisherName,PricingCategory,ChargeDescription,ConsumedQuantity,ConsumedUnit,RegionId\n"
#define FOCUS_ROW(cost, text, quantity, unit) \
    cost "," cost ",USD,Usage,2026-10-05 10:00:00,2026-10-05 11:00:00," GPU_1 ",Compute,COMPUTE,Oracle,Oracle,Standard," text "," \
    quantity "," unit ",eu-frankfurt-1\n"
    expect(FOCUS_HEAD FOCUS_ROW("4", "GPU - A10", "1", "GPU Hours"), GPU_1 AT_10 "cost 4 invoiced 4 ms 3600000 on_demand eu-frankfurt-1\n");
    expect(FOCUS_HEAD FOCUS_ROW("4", "GPU - A10", "1", "GPU Hours") FOCUS_ROW("0.75", "GPU - Standard", "15", "OCPU Hours")
           FOCUS_ROW("0.25", "GPU - Standard - Memory", "240", "GB Hours"),
           GPU_1 AT_10 "cost 5 invoiced 5 ms 3600000 on_demand eu-frankfurt-1 | gpu NVIDIA A10  4 | cpu  0.75 | memory  0.25\n");
}
END_TEST

/* ---- the public report ---- */

static void read_report(void)
{
    struct buf file = {0};
    const char *p;

    buf_adds(&file, __FILE__);
    while (file.n && file.p[file.n - 1] != '/')
        file.n--;
    buf_adds(&file, "../data/oci/reports_cost-csv.csv.gz");
    p = buf_str(&file);
    renew();
    ck_assert_int_eq(timespan_parse_month(span_of("2023-11"), &w.req.period), 0);
    ck_assert_msg(bill_read(&p, 1, &w.req, &w.bill, &w.err) == 0, "%lld: %s", (long long)w.err.line, w.err.text);
    buf_free(&file);
}

/* 506 rows, 2.523589325430. Its only machine, in 48 rows, costs 0.07641378 and has no GPU, until metrics show one: then it is seven hours'
 * charges, 0.04375362 for cores and 0.03266016 for memory. */
START_TEST(the_public_report_adds_up)
{
    static const char machine[] = "ocid1.instance.oc1.us-sanjose-1.anzwuljr33abj3qcn6ugox3wetdefjnrjositn7hexayzgxipdxejwitp7aq";
    money cost = 0, of[PIECES] = {0};

    read_report();
    free(dump());
    ck_assert_int_eq(w.bill.rows, 506);
    ck_assert(w.bill.file_total == (money)2523589325430 && w.bill.groups[GROUP_OTHER_RESOURCES] == w.bill.file_total);
    show(machine, "2023-11-13T00:00:00Z", "2023-11-14T00:00:00Z");
    w.inventory.nodes.v[0].resource.v[0].from = w.inventory.gpus.v[0].node.v[0].from = at("2023-11-01");
    read_report();
    free(dump());
    ck_assert_uint_eq(w.bill.charges.n, 7);
    ck_assert_int_eq(w.bill.files.v[0].rows_used, 48);
    for (size_t i = 0; i < w.bill.charges.n; i++)
        cost += w.bill.charges.v[i].cost;
    for (size_t i = 0; i < w.bill.parts.n; i++)
        of[w.bill.parts.v[i].piece] += w.bill.parts.v[i].cost;
    ck_assert(cost == (money)76413780000 && of[PIECE_GPU] == 0);
    ck_assert(of[PIECE_CPU] == (money)43753620000 && of[PIECE_MEMORY] == (money)32660160000);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("bill, Oracle");
    TCase *t = tcase_create("oci");
    int fd = mkstemp(path), rc;

    if (fd < 0)
        return EXIT_FAILURE;
    close(fd);
    tcase_add_checked_fixture(t, setup, teardown);
    tcase_add_loop_test(t, a_product_says_what_of_a_machine_it_bills, 0, sizeof products / sizeof *products);
    tcase_add_test(t, a_gpu_shape_is_a_machine_by_the_hours_of_its_gpus);
    tcase_add_test(t, cores_and_memory_of_their_own_are_pieces);
    tcase_add_test(t, a_correction_has_cost_and_no_hours);
    tcase_add_test(t, hours_of_gpus_in_two_files_are_counted_by_gpu);
    tcase_add_test(t, what_a_report_does_not_have_is_an_error);
    tcase_add_test(t, rows_of_oracle_in_focus_are_read_likewise);
    tcase_add_test(t, the_public_report_adds_up);
    suite_add_tcase(s, t);
    rc = unit_run(s);
    unlink(path);
    return rc;
}
