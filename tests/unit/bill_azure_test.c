/* bill: Azure's cost exports as charges and groups: headers, dates, kinds of rows, machines of scale sets, which export it is, and every
 * public sample with totals that were worked out by other means. */
#include "bill_fixture.h"

#include <sys/stat.h>

#define SET "/subscriptions/s-1/resourceGroups/MC_rg/providers/Microsoft.Compute/virtualMachineScaleSets/aks-gpu-1-vmss"
#define SET_ID "/subscriptions/s-1/resourcegroups/mc_rg/providers/microsoft.compute/virtualmachinescalesets/aks-gpu-1-vmss"
#define A100 "Standard_NC24ads_A100_v4"
#define DAY5 " 2026-10-05T00:00:00Z/2026-10-06T00:00:00Z "
#define COUNT(a) (sizeof(a) / sizeof *(a))

/* ---- exports ---- */

struct row {
    const char *date, *type, *model, *category, *meter, *unit, *quantity, *cost, *resource, *info, *reservation, *publisher, *subscription;
};

static const struct column {
    const char *name;
    size_t at;
    const char *usual;
} columns[] = {
    {"SubscriptionId", offsetof(struct row, subscription), "s-1"},
    {"Date", offsetof(struct row, date), "2026-10-05"},
    {"MeterCategory", offsetof(struct row, category), "Virtual Machines"},
    {"MeterName", offsetof(struct row, meter), "NC24ads A100 v4"},
    {"Quantity", offsetof(struct row, quantity), "24"},
    {"Cost", offsetof(struct row, cost), "1"},
    {"UnitOfMeasure", offsetof(struct row, unit), "1 Hour"},
    {"ResourceId", offsetof(struct row, resource), SET},
    {"AdditionalInfo", offsetof(struct row, info), ""},
    {"ReservationId", offsetof(struct row, reservation), ""},
    {"ChargeType", offsetof(struct row, type), "Usage"},
    {"PricingModel", offsetof(struct row, model), "OnDemand"},
    {"PublisherType", offsetof(struct row, publisher), "Azure"},
};

static void add_cell(struct buf *b, const char *s)
{
    buf_addc(b, '"');
    for (; *s; s++) {
        buf_addc(b, *s);
        if (*s == '"')
            buf_addc(b, '"');
    }
    buf_adds(b, "\",");
}

static void add_rows(struct buf *b, const struct row *rows, size_t n)
{
    for (size_t i = 0; i < COUNT(columns); i++)
        buf_addf(b, "%s,", columns[i].name);
    buf_adds(b, "BillingCurrency,ResourceLocation\n");
    for (size_t i = 0; i < n; i++) {
        for (size_t k = 0; k < COUNT(columns); k++) {
            const char *s = *(const char *const *)(const void *)((const char *)&rows[i] + columns[k].at);

            add_cell(b, s ? s : columns[k].usual);
        }
        buf_adds(b, "USD,EastUS\n");
    }
}

static int read_rows(const struct row *rows, size_t n)
{
    struct buf b = {0};
    int rc;

    add_rows(&b, rows, n);
    rc = read_bytes(b.p, b.n);
    buf_free(&b);
    return rc;
}

#define READ(...) read_rows((const struct row[]){__VA_ARGS__}, COUNT(((const struct row[]){__VA_ARGS__})))

static void is(const char *want)
{
    char *got;

    ck_assert_msg(w.err.code == ERR_NONE, "%s:%lld: %s", w.err.file, (long long)w.err.line, w.err.text);
    got = dump();
    ck_assert_str_eq(got, want);
    free(got);
}

static int read_text(const char *text)
{
    return read_bytes(text, strlen(text));
}

/* ---- machines of scale sets ---- */

#define VM(name) "{\"ServiceType\": \"" A100 "\", \"VMName\": \"" name "\", \"VCPUs\": 24}"
#define CHARGE(n, rest) SET_ID "/virtualmachines/" n DAY5 rest

START_TEST(a_row_is_a_day_of_the_machine_that_additional_info_names)
{
    ck_assert_int_eq(READ({.info = VM("aks-gpu-1-vmss_2"), .quantity = "4", .cost = "14.692"}), 0);
    is(CHARGE("2", "cost 14.692 invoiced 14.692 ms 14400000 on_demand eastus " A100 " 24000000/0/0\n"));
}
END_TEST

/* 2 x 36^0 = 2; "00000a" is 10; "0000zz" is 35 x 36 + 35 = 1295. */
START_TEST(a_computer_name_ends_in_the_number_to_the_base_36)
{
    static const char *const names[][2] = {
        {"aks-gpu-1-vmss_2", "2"},      {"aks-gpu-1-vmss_0", "0"},        {"aks-gpu-1-vmss_0017", "17"}, {"AKS-GPU-1-VMSS_3", "3"},
        {"aks-gpu-1-vmss000002", "2"},  {"aks-gpu-1-vmss00000a", "10"},   {"AKS-GPU-1-vmss0000ZZ", "1295"},
        {"other_name_5", "5"},
    };

    for (size_t i = 0; i < COUNT(names); i++) {
        struct buf info = {0}, want = {0};

        buf_addf(&info, "\"ServiceType\": \"" A100 "\", \"VmName\": \"%s\"", names[i][0]);       /* braces are missing */
        buf_addf(&want, CHARGE("%s", "cost 1 invoiced 1 ms 86400000 on_demand eastus " A100 "\n"), names[i][1]);
        ck_assert_int_eq(READ({.info = buf_str(&info)}), 0);
        is(buf_str(&want));
        buf_free(&info);
        buf_free(&want);
    }
}
END_TEST

START_TEST(a_row_that_names_no_machine_stays_the_sets_with_all_its_hours)
{
    static const char *const infos[] = {"", "{\"VMName\": \"vm\"}", "{\"VMName\": \"aks-gpu-1-vmss_x1\"}",
                                        "{\"VMName\": \"aks-gpu-1-vmss\"}", "{\"VMName\": \"aks-gpu-1-vmss_1234567890\"}"};

    for (size_t i = 0; i < COUNT(infos); i++) {
        ck_assert_int_eq(READ({.info = infos[i], .quantity = "60", .cost = "220.38"}), 0);
        is(SET_ID DAY5 "cost 220.38 invoiced 220.38 ms 216000000 on_demand eastus " A100 "\n");
    }
}
END_TEST

START_TEST(a_machine_of_no_set_is_known_by_its_resource)
{
    ck_assert_int_eq(READ({.info = VM("gpu_2"),
                           .resource = "/subscriptions/S-1/resourceGroups/rg/providers/Microsoft.Compute/virtualMachines/GPU_2"}), 0);
    is("/subscriptions/s-1/resourcegroups/rg/providers/microsoft.compute/virtualmachines/gpu_2" DAY5
       "cost 1 invoiced 1 ms 86400000 on_demand eastus " A100 " 24000000/0/0\n");
}
END_TEST

/* 24 hours are 24 hours although the unit is ten of them. */
START_TEST(quantities_are_hours_whatever_the_block_of_the_unit)
{
    ck_assert_int_eq(READ({.info = VM("a_0"), .unit = "10 Hours", .quantity = "22"}), 0);
    is(CHARGE("0", "cost 1 invoiced 1 ms 79200000 on_demand eastus " A100 " 24000000/0/0\n"));
}
END_TEST

START_TEST(a_day_covered_in_part_is_the_sum_of_its_rows)
{
    ck_assert_int_eq(READ({.info = VM("a_0"), .quantity = "10", .cost = "20", .model = "Reservation"},
                          {.info = VM("a_0"), .quantity = "14", .cost = "51.422", .model = "On Demand"}), 0);
    is(CHARGE("0", "cost 71.422 invoiced 51.422 ms 86400000 on_demand eastus " A100 " 24000000/0/0\n"));
}
END_TEST

START_TEST(pricing_models_are_purchase_options)
{
    static const char *const models[][3] = {{"Spot", "", "spot"}, {"Reservation", "", "reserved"}, {"SavingsPlan", "", "savings_plan"},
                                            {"Savings Plan", "", "savings_plan"}, {"on demand", "", "on_demand"},
                                            {"", "r-1", "reserved"}, {"", "", "unknown"}};

    for (size_t i = 0; i < COUNT(models); i++) {
        ck_assert_int_eq(READ({.info = VM("a_0"), .model = models[i][0], .reservation = models[i][1]}), 0);
        ck_assert_str_eq(purchase_names[charge_list_at(&w.bill.charges, 0).purchase], models[i][2]);
    }
    ck_assert_int_eq(READ({.info = VM("a_0"), .model = "", .meter = "NC24ads A100 v4 Spot"}), 0);
    ck_assert_int_eq(charge_list_at(&w.bill.charges, 0).purchase, PURCHASE_SPOT);
}
END_TEST

/* ---- groups ---- */

START_TEST(what_is_no_machines_time_is_attached_to_it_or_another_resource)
{
    show(SET_ID "/virtualmachines/0", "2026-10-05T08:00:00Z", "2026-10-05T20:00:00Z");
    ck_assert_int_eq(READ({.info = VM("a_0")}, {.category = "Storage", .unit = "1/Month", .cost = "2"},
                          {.category = "Virtual Machines Licenses", .info = VM("a_0"), .cost = "4"},
                          {.category = "Bandwidth", .unit = "1 GB", .info = VM("a_0"), .cost = "8"},
                          {.publisher = "Marketplace", .info = VM("a_0"), .cost = "16"},
                          {.category = "Storage", .resource = "/subscriptions/s-1/resourceGroups/rg/providers/x/disks/d", .cost = "32"},
                          {.category = "Storage", .resource = "", .cost = "64"}), 0);
    is(CHARGE("0", "cost 1 invoiced 1 ms 86400000 on_demand eastus " A100 " 24000000/0/0\n")
       "other_resources x2 cost 96 invoiced 96\nattached x4 cost 30 invoiced 30\n");
}
END_TEST

/* By its type alone, without metrics. The disk of another set stays another resource. */
START_TEST(what_is_billed_on_the_set_of_a_gpu_node_is_attached)
{
    ck_assert_int_eq(READ({.category = "Storage", .unit = "1/Month", .cost = "2"}, {.info = VM("a_0")},
                          {.category = "Storage", .unit = "1/Month", .cost = "4", .resource = SET "2"}), 0);
    is(CHARGE("0", "cost 1 invoiced 1 ms 86400000 on_demand eastus " A100 " 24000000/0/0\n")
       "other_resources x1 cost 4 invoiced 4\nattached x1 cost 2 invoiced 2\n");
}
END_TEST

START_TEST(charge_types_that_are_no_usage_are_groups)
{
    ck_assert_int_eq(READ({.type = "UnusedReservation", .cost = "1", .model = "Reservation"},
                          {.type = "UnusedSavingsPlan", .cost = "2", .model = "SavingsPlan"},
                          {.type = "Purchase", .cost = "4", .publisher = "Marketplace", .category = "SaaS"},
                          {.type = "Refund", .cost = "-8"}, {.type = "RoundingAdjustment", .cost = "0.01"},
                          {.type = "RoundingAdjustment", .cost = "-0.02"}, {.type = "Tax", .cost = "16"},
                          {.type = "Credit", .cost = "-32"}), 0);
    is("tax x1 cost 16 invoiced 16\ncredit x1 cost -32 invoiced -32\nrefund x2 cost -8.02 invoiced -8.02\n"
       "fee x2 cost 4.01 invoiced 4.01\nunused_commitment x2 cost 3 invoiced 0\n");
}
END_TEST

START_TEST(an_unknown_charge_type_is_kept_and_said)
{
    ck_assert_int_eq(READ({.type = "Surprise", .cost = "3"}), 0);
    is("fee x1 cost 3 invoiced 3\n");
    ck_assert_ptr_nonnull(diag_find(&w.diag, "W108"));
}
END_TEST

START_TEST(reserved_capacity_in_which_nothing_ran_is_an_unused_commitment)
{
    ck_assert_int_eq(READ({.info = "{\"UsageType\": \"ComputeCR\", \"ServiceType\": \"" A100 "\"}",
                           .resource = "/subscriptions/s-1/resourceGroups/rg/providers/Microsoft.Compute/capacityReservationGroups/g/"
                                       "capacityReservations/c"}), 0);
    is("unused_commitment x1 cost 1 invoiced 1\n");
}
END_TEST

/* ---- headers ---- */

START_TEST(names_are_those_of_every_kind_of_contract_in_any_spelling)
{
    static const char *const heads[] = {
        "UsageDateTime,MeterCategory,UsageQuantity,PreTaxCost,InstanceId,Currency,AdditionalInfo",
        "date,meterCategory,quantity,costInBillingCurrency,ResourceId,billingCurrency,additionalInfo",
        "DATE,METERCATEGORY,QUANTITY,COST,INSTANCENAME,BILLINGCURRENCYCODE,ADDITIONALINFO",
        "Usage Date Time, Meter Category ,Usage Quantity,Pre Tax Cost,Instance Id,Currency,Additional Info",
        "\xef\xbb\xbf" "Datum (Date),Kategorie (MeterCategory),Menge (Quantity),Kosten (CostInBillingCurrency),Id (ResourceId),"
        "W\xc3\xa4hrung (Abrechnung) (BillingCurrency),Zus\xc3\xa4tzliches (AdditionalInfo)",
    };

    for (size_t i = 0; i < COUNT(heads); i++) {
        struct buf b = {0};

        buf_addf(&b, "%s\r\n10/05/2026,virtual machines,4,2.5," SET ",USD,\"\"\"ServiceType\"\": \"\"" A100
                 "\"\", \"\"VMName\"\": \"\"x_0\"\"\"\r\n", heads[i]);
        ck_assert_int_eq(read_bytes(b.p, b.n), 0);
        is(CHARGE("0", "cost 2.5 invoiced 2.5 ms 14400000 unknown " A100 "\n"));
        buf_free(&b);
    }
}
END_TEST

START_TEST(of_several_costs_that_in_the_billing_currency_counts)
{
    ck_assert_int_eq(read_text("Cost,PreTaxCost,CostInBillingCurrency,costInUsd,date,MeterCategory,Currency\n"
                               "1,2,4,8,2026-10-05,Storage,EUR\n"), 0);
    is("other_resources x1 cost 4 invoiced 4\n");
}
END_TEST

/* ---- dates ---- */

START_TEST(dates_are_written_year_first_or_month_first)
{
    static const char *const dates[] = {"2026-10-05", "2026-10-05T00:00:00Z", "2026-10-05 00:00:00", "10/05/2026", "10/5/2026"};

    for (size_t i = 0; i < COUNT(dates); i++) {
        ck_assert_int_eq(READ({.date = dates[i], .info = VM("a_0")}), 0);
        is(CHARGE("0", "cost 1 invoiced 1 ms 86400000 on_demand eastus " A100 " 24000000/0/0\n"));
    }
}
END_TEST

START_TEST(a_day_before_the_month_is_refused_with_the_reason)
{
    ck_assert_int_eq(READ({.date = "10/05/2026"}, {.date = "13/10/2026"}), -1);
    expect_error(3, "\"13/10/2026\" has no month in front");
    ck_assert_ptr_nonnull(strstr(w.err.hint, "spreadsheet"));
    ck_assert_int_eq(read_text("Date,BillingPeriodEndDate,MeterCategory,Cost,Currency\n05/10/2026,31/10/2026,Storage,1,USD\n"), -1);
    expect_error(2, "\"31/10/2026\" has no month in front");
}
END_TEST

START_TEST(what_is_no_date_is_refused)
{
    static const char *const dates[] = {"02/30/2026", "10/05/26", "10/05/2026 1:00", "10/5", "//2026", "10/0/2026", "0/10/2026", "", "2026",
                                        "10/05/02026", "NULL"};

    for (size_t i = 0; i < COUNT(dates); i++) {
        ck_assert_msg(READ({.date = dates[i]}) == -1, "%s", dates[i]);
        ck_assert_int_eq(w.err.line, 2);
    }
}
END_TEST

START_TEST(one_file_has_one_form_of_dates)
{
    ck_assert_int_eq(READ({.date = "2026-10-05"}, {.date = "10/05/2026"}), -1);
    expect_error(3, "\"10/05/2026\" is written unlike the dates before it");
}
END_TEST

/* ---- which export it is ---- */

START_TEST(an_actual_export_with_commitments_is_refused_when_the_effective_cost_is_asked)
{
    ck_assert_int_eq(READ({.info = VM("a_0")}, {.info = VM("a_1"), .model = "Reservation", .cost = "0"},
                          {.type = "Purchase", .model = "Reservation", .cost = "720",
                           .resource = "/providers/Microsoft.Capacity/reservationOrders/r-1/reservations/x"}), -1);
    expect_error(3, "actual-cost export: hours that a commitment covers cost 0");
    ck_assert_ptr_nonnull(strstr(w.err.hint, "cost: billed"));
    ck_assert_int_eq(READ({.info = VM("a_0")}, {.type = "Purchase", .model = "SavingsPlan", .cost = "720"}), -1);
    expect_error(3, "the purchase of a commitment is a row of its own");
}
END_TEST

START_TEST(an_actual_export_tells_what_was_billed)
{
    w.req.cost = RULE_COST_BILLED;
    ck_assert_int_eq(READ({.info = VM("a_1"), .model = "Reservation", .cost = "0"},
                          {.type = "Purchase", .model = "Reservation", .cost = "720"}), 0);
    is(CHARGE("1", "cost 0 invoiced 0 ms 86400000 reserved eastus " A100 " 24000000/0/0\n") "fee x1 cost 720 invoiced 720\n");
}
END_TEST

START_TEST(an_amortised_export_does_not_tell_what_was_billed)
{
    w.req.cost = RULE_COST_BILLED;
    ck_assert_int_eq(READ({.info = VM("a_0")}, {.info = VM("a_1"), .model = "Reservation", .cost = "30"}), -1);
    expect_error(3, "amortised export");
    ck_assert_int_eq(READ({.type = "UnusedReservation", .model = "Reservation"}), -1);
    expect_error(2, "amortised export");
}
END_TEST

START_TEST(without_commitments_the_two_exports_are_alike)
{
    for (int cost = RULE_COST_EFFECTIVE; cost <= RULE_COST_BILLED; cost++) {
        w.req.cost = (enum rule_cost)cost;
        ck_assert_int_eq(READ({.info = VM("a_0")}, {.type = "Purchase", .publisher = "Marketplace", .model = "OnDemand"}), 0);
    }
}
END_TEST

START_TEST(a_free_hour_in_an_amortised_export_proves_nothing)
{
    ck_assert_int_eq(READ({.info = VM("a_0"), .model = "Reservation", .cost = "0"}, {.info = VM("a_1"), .model = "Reservation"}), 0);
}
END_TEST

START_TEST(both_exports_joined_in_one_file_are_refused)
{
    ck_assert_int_eq(READ({.info = VM("a_1"), .model = "Reservation", .cost = "30"},
                          {.type = "Purchase", .model = "Reservation", .cost = "720"}), -1);
    expect_error(3, "they count twice");
}
END_TEST

START_TEST(a_month_in_a_row_is_refused)
{
    ck_assert_int_eq(READ({.info = VM("a_0"), .date = "2026-10-01", .quantity = "744"}), -1);
    expect_error(2, "not a daily export");
    ck_assert_int_eq(READ({.info = VM("a_0"), .date = "2026-10-02", .quantity = "25"}), 0);
    is(SET_ID "/virtualmachines/0 2026-10-02T00:00:00Z/2026-10-03T00:00:00Z cost 1 invoiced 1 ms 86400000 on_demand eastus " A100
       " 24000000/0/0\n");
}
END_TEST

/* ---- amounts ---- */

START_TEST(long_decimals_and_exponents_are_read)
{
    ck_assert_int_eq(READ({.info = VM("a_0"), .cost = "5.64902E-05"}, {.info = VM("a_0"), .cost = "0.0000000072922557592391990000"}), 0);
    is(CHARGE("0", "cost 0.000056497492 invoiced 0.000056497492 ms 86400000 on_demand eastus " A100 " 24000000/0/0\n"));
    ck_assert_ptr_nonnull(diag_find(&w.diag, "W205"));
}
END_TEST

START_TEST(a_missing_amount_is_never_a_zero)
{
    ck_assert_int_eq(READ({.cost = ""}), -1);
    expect_error(2, "amount is missing");
    w.req.cost = RULE_COST_LIST;
    ck_assert_int_eq(READ({.cost = "1"}), -1);
    expect_error(1, "lacks the columns: PaygCostInBillingCurrency");
}
END_TEST

START_TEST(the_list_cost_is_the_pay_as_you_go_cost)
{
    w.req.cost = RULE_COST_LIST;
    ck_assert_int_eq(read_text("date,meterCategory,costInBillingCurrency,paygCostInBillingCurrency,costInUsd,billingCurrency,chargeType\n"
                               "10/05/2026,Storage,4,5,4.4,EUR,Usage\n10/05/2026,Storage,2,,2.2,EUR,Purchase\n"), 0);
    ck_assert(w.bill.file_total == 5 * MONEY_ONE && w.bill.file_invoiced == 6 * MONEY_ONE);
}
END_TEST

START_TEST(a_cost_in_another_currency_is_never_taken)
{
    ck_assert_int_eq(read_text("date,meterCategory,costInUsd,costInPricingCurrency,billingCurrency\n10/05/2026,Storage,4,5,EUR\n"), -1);
    expect_error(1, "Azure cost export bill lacks the columns: CostInBillingCurrency");
}
END_TEST

/* ---- several files ---- */

static int read_two(const char *a, const char *b, const char *first, const char *second)
{
    char folder[] = "/tmp/bill_azure.XXXXXX";
    struct buf paths[2] = {{0}, {0}};
    const char *names[2], *texts[] = {first, second};
    int rc;

    ck_assert_ptr_nonnull(mkdtemp(folder));
    renew();
    for (int i = 0; i < 2; i++) {
        buf_addf(&paths[i], "%s/%s", folder, i == 0 ? a : b);
        names[i] = buf_str(&paths[i]);
        write_to(names[i], texts[i], strlen(texts[i]));
    }
    rc = bill_read(names, 2, &w.req, &w.bill, &w.err);
    for (int i = 0; i < 2; i++) {
        unlink(names[i]);
        buf_free(&paths[i]);
    }
    rmdir(folder);
    return rc;
}

#define HEAD "SubscriptionId,Date,MeterCategory,Cost,BillingCurrency\n"

START_TEST(exports_of_a_month_so_far_are_refused_together)
{
    ck_assert_int_eq(read_two("oct_1.csv", "oct_2.csv", HEAD "s-1,10/01/2026,Storage,1,USD\n",
                              HEAD "s-1,10/02/2026,Storage,1,USD\ns-1,10/01/2026,Storage,1,USD\n"), -1);
    ck_assert_int_eq(w.err.line, 3);
    ck_assert_ptr_nonnull(strstr(w.err.text, "oct_1.csv tells of 2026-10-01 of s-1 too"));
}
END_TEST

/* Equal bytes are said to be that, though their days are the same too. */
START_TEST(the_same_export_given_twice_is_told_by_its_bytes)
{
    ck_assert_int_eq(read_two("a.csv", "b.csv", HEAD "s-1,10/01/2026,Storage,1,USD\n", HEAD "s-1,10/01/2026,Storage,1,USD\n"), -1);
    ck_assert_ptr_nonnull(strstr(w.err.text, "the same bytes as"));
}
END_TEST

START_TEST(other_days_and_other_subscriptions_may_come_together)
{
    ck_assert_int_eq(read_two("a.csv", "b.csv", HEAD "s-1,10/01/2026,Storage,1,USD\n", HEAD "s-2,10/01/2026,Storage,1,USD\n"), 0);
    ck_assert_int_eq(read_two("a.csv", "b.csv", HEAD "s-1,10/01/2026,Storage,1,USD\n", HEAD "s-1,10/02/2026,Storage,1,USD\n"), 0);
}
END_TEST

START_TEST(parts_of_one_export_may_come_together)
{
    ck_assert_int_eq(read_two("part_0_0001.csv", "part_1_0001.csv", HEAD "s-1,10/01/2026,Storage,1,USD\n",
                              HEAD "s-1,10/01/2026,Storage,2,USD\n"), 0);
    ck_assert_int_eq(w.bill.rows, 2);
}
END_TEST

/* ---- the manifest beside ---- */

static int read_beside(const char *bill, const char *manifest_name, const char *manifest)
{
    char folder[] = "/tmp/bill_azure.XXXXXX";
    struct buf paths[2] = {{0}, {0}};
    const char *name;
    int rc;

    ck_assert_ptr_nonnull(mkdtemp(folder));
    renew();
    buf_addf(&paths[0], "%s/%s", folder, bill);
    buf_addf(&paths[1], "%s/%s", folder, manifest_name);
    name = buf_str(&paths[0]);
    write_to(name, HEAD "s-1,10/01/2026,Storage,1,USD\n", strlen(HEAD "s-1,10/01/2026,Storage,1,USD\n"));
    write_to(buf_str(&paths[1]), manifest, strlen(manifest));
    rc = bill_read(&name, 1, &w.req, &w.bill, &w.err);
    for (int i = 0; i < 2; i++) {
        unlink(buf_str(&paths[i]));
        buf_free(&paths[i]);
    }
    rmdir(folder);
    return rc;
}

#define BLOB(name, rows) "{\"blobName\": \"exports/x/20261001-20261031/guid/" name "\", \"byteCount\": 9, \"dataRowCount\": " rows "}"
#define MANIFEST(blobs) "{\"manifestVersion\": \"2024-04-01\", \"blobCount\": 1, \"dataRowCount\": 1, \"blobs\": [" blobs "]}"

START_TEST(rows_are_counted_against_the_manifest_beside)
{
    static const char *const names[] = {"manifest.json", "_manifest.json"};

    for (size_t i = 0; i < COUNT(names); i++) {
        ck_assert_int_eq(read_beside("part_0_0001.csv", names[i], MANIFEST(BLOB("part_0_0001.csv", "1"))), 0);
        ck_assert_int_eq(read_beside("part_0_0001.csv", names[i], MANIFEST(BLOB("part_0_0001.csv", "2"))), -1);
        ck_assert_ptr_nonnull(strstr(w.err.text, "has 1 rows, but"));
        ck_assert_ptr_nonnull(strstr(w.err.text, "manifest.json beside it counts 2"));
    }
}
END_TEST

START_TEST(a_part_that_the_manifest_names_and_is_not_there_is_missed)
{
    ck_assert_int_eq(read_beside("part_0_0001.csv", "manifest.json",
                                 MANIFEST(BLOB("part_0_0001.csv", "1") "," BLOB("part_0_0002.csv", "7"))), -1);
    ck_assert_ptr_nonnull(strstr(w.err.text, "names part_0_0002.csv, which is not there"));
}
END_TEST

START_TEST(a_manifest_that_does_not_speak_of_the_file_says_nothing)
{
    static const char *const others[] = {MANIFEST(BLOB("other.csv", "2")), "not JSON", "", "[]", "{\"blobs\": 1}", "{\"blobs\": [1, {}]}",
                                         MANIFEST("{\"blobName\": \"part_0_0001.csv\"}")};

    for (size_t i = 0; i < COUNT(others); i++)
        ck_assert_msg(read_beside("part_0_0001.csv", "manifest.json", others[i]) == 0, "%s", others[i]);
}
END_TEST

/* ---- public samples ---- */

static int read_sample(const char *name)
{
    struct buf file = {0};
    const char *at_path;
    int rc;

    buf_adds(&file, __FILE__);
    while (file.n && file.p[file.n - 1] != '/')
        file.n--;
    buf_addf(&file, "../data/azure/%s", name);
    at_path = buf_str(&file);
    renew();
    w.req.period = (struct timespan){at("2020-01-01"), at("2030-01-01")};
    rc = bill_read(&at_path, 1, &w.req, &w.bill, &w.err);
    buf_free(&file);
    return rc;
}

/* Rows, currency and totals: python3's csv.DictReader and Decimal, each amount rounded to 12 decimals, over the first of
 * costinbillingcurrency, pretaxcost, cost that the header has (names in small letters, those in parentheses alone). Instance time:
 * the rows with MeterCategory Virtual Machines that are usage on no capacity reservation: 0 of the types has a GPU. */
START_TEST(every_public_sample_adds_up)
{
    static const struct {
        const char *name;
        int64_t rows;
        const char *currency, *total;
        enum rule_cost cost;
    } samples[] = {
        {"finops-toolkit/EA_AmortizedCost_Small.csv.gz", 28, "USD", "16.296932136637"},
        {"finops-toolkit/EA_NoRows.csv", 0, "", "0"},
        {"focus_converters/sample-anonymous-ea-export-dataset.csv.gz", 27, "CAD", "1.261369265057"},
        {"opencost/BOM.csv", 1, "", "0"},
        {"opencost/Enterprise.csv", 1, "CAD", "0", RULE_COST_BILLED},             /* reserved hours, free as in an actual export */
        {"opencost/EnterpriseCamel.csv", 1, "USD", "0.012"},
        {"opencost/German.csv", 1, "USD", "0.075"},
        {"opencost/PayAsYouGo.csv", 1, "USD", "0.075"},
        {"opencost/YA.csv", 1, "USD", "0.075"},
        {"opencost/MissingBrackets.csv", 1, "XXX", "4"},
        {"opencost/VirtualMachine.csv", 1, "XXX", "4"},
        {"opencost/Template.csv.gz", 87, "XXX", "16.393506212225"},
        {"spruce/native-iso-dates.csv", 2, "XXX", "2.258747"},
        {"spruce/native-us-dates.csv", 2, "XXX", "2.258747"},
    };

    for (size_t i = 0; i < COUNT(samples); i++) {
        money total;

        w.req.cost = samples[i].cost;
        ck_assert_msg(read_sample(samples[i].name) == 0, "%s:%lld: %s", w.err.file, (long long)w.err.line, w.err.text);
        free(dump());
        ck_assert_int_eq(money_parse(span_of(samples[i].total), &total, NULL), 0);
        ck_assert_msg(w.bill.file_total == total, "%s", samples[i].name);
        ck_assert_int_eq(w.bill.rows, samples[i].rows);
        ck_assert_str_eq(intern_cstr(w.names, w.bill.currency), samples[i].currency);
        ck_assert_uint_eq(w.bill.charges.n, 0);
    }
}
END_TEST

/* Of the rows two are reserved hours (0.493152 and 0.006000000468, which nobody invoiced) and one, of 2.64, is reserved capacity in which
 * nothing ran. */
START_TEST(the_public_amortised_export_has_its_groups)
{
    ck_assert_int_eq(read_sample("finops-toolkit/EA_AmortizedCost_Small.csv.gz"), 0);
    is("other_resources x27 cost 13.656932136637 invoiced 13.157780136169\nunused_commitment x1 cost 2.64 invoiced 2.64\n");
    w.req.cost = RULE_COST_BILLED;
    ck_assert_int_eq(read_sample("finops-toolkit/EA_AmortizedCost_Small.csv.gz"), -1);
    ck_assert_ptr_nonnull(strstr(w.err.text, "amortised export"));
}
END_TEST

/* A purchase of 3.25, capacity of 2.64 in which nothing ran, and 2.655007786742 of other things. */
START_TEST(the_public_actual_export_tells_what_was_billed_and_no_more)
{
    ck_assert_int_eq(read_sample("finops-toolkit/EA_ActualCost_Small.csv.gz"), -1);
    ck_assert_int_eq(w.err.line, 2);
    ck_assert_ptr_nonnull(strstr(w.err.text, "actual-cost export"));
    w.req.cost = RULE_COST_BILLED;
    ck_assert_int_eq(read_sample("finops-toolkit/EA_ActualCost_Small.csv.gz"), 0);
    is("other_resources x9 cost 2.655007786742 invoiced 2.655007786742\nfee x1 cost 3.25 invoiced 3.25\n"
       "unused_commitment x1 cost 2.64 invoiced 2.64\n");
}
END_TEST

static void add_tests(TCase *t)
{
    tcase_add_test(t, a_row_is_a_day_of_the_machine_that_additional_info_names);
    tcase_add_test(t, a_computer_name_ends_in_the_number_to_the_base_36);
    tcase_add_test(t, a_row_that_names_no_machine_stays_the_sets_with_all_its_hours);
    tcase_add_test(t, a_machine_of_no_set_is_known_by_its_resource);
    tcase_add_test(t, quantities_are_hours_whatever_the_block_of_the_unit);
    tcase_add_test(t, a_day_covered_in_part_is_the_sum_of_its_rows);
    tcase_add_test(t, pricing_models_are_purchase_options);
    tcase_add_test(t, what_is_no_machines_time_is_attached_to_it_or_another_resource);
    tcase_add_test(t, what_is_billed_on_the_set_of_a_gpu_node_is_attached);
    tcase_add_test(t, charge_types_that_are_no_usage_are_groups);
    tcase_add_test(t, an_unknown_charge_type_is_kept_and_said);
    tcase_add_test(t, reserved_capacity_in_which_nothing_ran_is_an_unused_commitment);
    tcase_add_test(t, names_are_those_of_every_kind_of_contract_in_any_spelling);
    tcase_add_test(t, of_several_costs_that_in_the_billing_currency_counts);
    tcase_add_test(t, dates_are_written_year_first_or_month_first);
    tcase_add_test(t, a_day_before_the_month_is_refused_with_the_reason);
    tcase_add_test(t, what_is_no_date_is_refused);
    tcase_add_test(t, one_file_has_one_form_of_dates);
    tcase_add_test(t, an_actual_export_with_commitments_is_refused_when_the_effective_cost_is_asked);
    tcase_add_test(t, an_actual_export_tells_what_was_billed);
    tcase_add_test(t, an_amortised_export_does_not_tell_what_was_billed);
    tcase_add_test(t, without_commitments_the_two_exports_are_alike);
    tcase_add_test(t, a_free_hour_in_an_amortised_export_proves_nothing);
    tcase_add_test(t, both_exports_joined_in_one_file_are_refused);
    tcase_add_test(t, a_month_in_a_row_is_refused);
    tcase_add_test(t, long_decimals_and_exponents_are_read);
    tcase_add_test(t, a_missing_amount_is_never_a_zero);
    tcase_add_test(t, the_list_cost_is_the_pay_as_you_go_cost);
    tcase_add_test(t, a_cost_in_another_currency_is_never_taken);
    tcase_add_test(t, exports_of_a_month_so_far_are_refused_together);
    tcase_add_test(t, the_same_export_given_twice_is_told_by_its_bytes);
    tcase_add_test(t, other_days_and_other_subscriptions_may_come_together);
    tcase_add_test(t, parts_of_one_export_may_come_together);
    tcase_add_test(t, rows_are_counted_against_the_manifest_beside);
    tcase_add_test(t, a_part_that_the_manifest_names_and_is_not_there_is_missed);
    tcase_add_test(t, a_manifest_that_does_not_speak_of_the_file_says_nothing);
    tcase_add_test(t, every_public_sample_adds_up);
    tcase_add_test(t, the_public_amortised_export_has_its_groups);
    tcase_add_test(t, the_public_actual_export_tells_what_was_billed_and_no_more);
}

int main(void)
{
    Suite *s = suite_create("bill, Azure");
    TCase *t = tcase_create("bill");
    int rc, fd = mkstemp(path);

    if (fd < 0)
        return EXIT_FAILURE;
    close(fd);
    tcase_add_checked_fixture(t, setup, teardown);
    add_tests(t);
    suite_add_tcase(s, t);
    rc = unit_run(s);
    unlink(path);
    return rc;
}
