/* bill: what CSV bills do that CSV does not say: each line of the checklist of quirks by its name, as a small bill that has it. What comes
 * of it is worked out by hand: two rows of 1 invoiced and 2 effective are 2 and 4. Beside them, in the order of the list, stand the tests
 * that look closer: csv_test (bytes), unpack_test (packing, UTF-16), money_test, timespan_test, and those of the dialects. */
#include "bill_fixture.h"

#define MARK "\xef\xbb\xbf"
#define NAMES "BilledCost,EffectiveCost,BillingCurrency,ChargeCategory,ChargePeriodStart,ChargePeriodEnd,ResourceId"
#define ROW "1,2,USD,Usage,2026-10-05,2026-10-06,r"
#define HEAD NAMES "\n"
#define LINE ROW "\n"
#define COST(billed, effective) billed "," effective ",USD,Usage,2026-10-05,2026-10-06,r\n"
#define TIMES(from, to) "1,2,USD,Usage," from "," to ",r\n"
#define ONE "other_resources x1 cost 2 invoiced 1\n"
#define TWO "other_resources x2 cost 4 invoiced 2\n"

#define CUR "line_item_line_item_type,line_item_unblended_cost,line_item_currency_code,line_item_usage_type,line_item_usage_start_date," \
            "line_item_usage_end_date,line_item_resource_id,bill_payer_account_id"
#define CUR_ROW(payer) "Usage,1,USD,BoxUsage:g5.xlarge,2026-10-05 10:00:00,2026-10-05 11:00:00,i-0a," payer
#define CUR_NODE "i-0a 2026-10-05T10:00:00Z/2026-10-05T11:00:00Z cost 1 invoiced 1 ms 3600000 on_demand g5.xlarge"

#define AZURE "Date,MeterCategory,MeterName,Quantity,Cost,UnitOfMeasure,ResourceId,AdditionalInfo,ChargeType,PricingModel,BillingCurrency\n"
#define SET "/subscriptions/s/resourceGroups/rg/providers/Microsoft.Compute/virtualMachineScaleSets/v"
#define AZURE_ROW(info) "2026-10-05,Virtual Machines,NC24ads A100 v4,4,14.69,1 Hour," SET "," info ",Usage,OnDemand,USD\n"
#define AZURE_NODE "/subscriptions/s/resourcegroups/rg/providers/microsoft.compute/virtualmachinescalesets/v/virtualmachines/2 " \
                   "2026-10-05T00:00:00Z/2026-10-06T00:00:00Z cost 14.69 invoiced 14.69 ms 14400000 on_demand Standard_NC24ads_A100_v4"

#define GCP "service.description,sku.description,usage_start_time,usage_end_time,project.id,location.zone,export_time,cost,currency," \
            "usage.amount_in_pricing_units,usage.pricing_unit,credits,cost_type,resource.name,system_labels\n"

/* want: what dump() writes, or NULL where the bill is refused with `refused` on that line. warning: its code, or NULL. */
static const struct quirk {
    const char *name, *text, *want, *refused;
    int line;
    const char *warning;
} quirks[] = {
    {"UTF-8 BOM", MARK HEAD LINE, ONE, NULL, 0, NULL},
    {"second BOM at first data row", MARK HEAD MARK LINE, ONE, NULL, 0, NULL},
    {"CRLF", NAMES "\r\n" ROW "\r\n", ONE, NULL, 0, NULL},
    {"mixed CRLF+LF", NAMES "\r\n" ROW "\r\n" LINE, TWO, NULL, 0, NULL},
    {"no final newline", HEAD LINE ROW, TWO, NULL, 0, "W100"},
    {"quoted newline", HEAD "1,2,USD,Usage,2026-10-05,2026-10-06,\"r\nr\"\n" LINE, TWO, NULL, 0, NULL},
    {"doubled quotes, JSON in cell", AZURE
     AZURE_ROW("\"{\"\"ServiceType\"\": \"\"Standard_NC24ads_A100_v4\"\", \"\"VMName\"\": \"\"v_2\"\"}\""),
     AZURE_NODE "\n", NULL, 0, NULL},
    {"JSON without braces", AZURE AZURE_ROW("\"\"\"ServiceType\"\": \"\"Standard_NC24ads_A100_v4\"\", \"\"VMName\"\": \"\"v_2\"\"\""),
     AZURE_NODE "\n", NULL, 0, NULL},
    {"Python repr instead of JSON",
     GCP "Compute Engine,Nvidia Tesla A100 GPU running in Americas,2026-10-05 10:00:00 UTC,2026-10-05 11:00:00 UTC,p,us-central1-a,"
     "2026-11-02 08:00:00 UTC,3,USD,1,hour,\"[{'name': 'x', 'amount': -0.5, 'full_name': None, 'type': 'COMMITTED_USAGE_DISCOUNT'}]\","
     "regular,vm,\"[{'key': 'compute.googleapis.com/machine_spec', 'value': 'a2-highgpu-1g'}]\"\n",
     "p/us-central1-a/vm 2026-10-05T10:00:00Z/2026-10-05T11:00:00Z cost 2.5 invoiced 2.5 ms 3600000 committed a2-highgpu-1g"
     " | gpu NVIDIA A100 40GB  2.5\n", NULL, 0, NULL},
    {"ragged rows: short", NAMES ",Tags\n" ROW "\n" ROW "\n", TWO, NULL, 0, "W102"},
    {"ragged rows: long", HEAD LINE ROW ",more\n", NULL, "row has 8 fields, the header 7", 3, NULL},
    {"blank lines", HEAD "\n" LINE "\n\r\n" LINE "\n", TWO, NULL, 0, NULL},
    {"header only", HEAD, "", NULL, 0, "W103"},
    {"1-byte", "\n", NULL, "is empty", 0, NULL},
    {"1-byte, of text", "x", NULL, "is not a bill", 1, NULL},
    {"LFS pointer", "version https://git-lfs.github.com/spec/v1\noid sha256:0a\nsize 3\n", NULL, "is a Git LFS pointer", 1, NULL},
    {"scientific notation", HEAD COST("9.984E-7", "2.323760000E-9") COST("5e-06", "5.64902E-05"),
     "other_resources x2 cost 0.000056492524 invoiced 0.0000059984\n", NULL, 0, "W205"},
    {"very long decimals", HEAD COST("0.0000000072922557592391990000", "0.123456789012"),
     "other_resources x1 cost 0.123456789012 invoiced 0.000000007292\n", NULL, 0, "W205"},
    {"literal NULL/null/None", NAMES ",CommitmentDiscountStatus,ChargeClass,PricingCategory\n" ROW ",NULL,null,None\n", ONE, NULL, 0, NULL},
    {"empty numeric cell of a kept row", HEAD COST("1", ""), NULL, "amount is missing", 2, NULL},
    {"empty numeric cell that does not count", NAMES ",ConsumedQuantity,ListCost\n" ROW ",,\n", ONE, NULL, 0, NULL},
    {"negative zero", HEAD COST("-0.0", "-0"), "other_resources x1 cost 0 invoiced 0\n", NULL, 0, NULL},
    {"thousands separators", HEAD COST("1", "\"1,234.50\""), NULL, "is not a decimal number", 2, NULL},
    {"decimal comma", HEAD COST("1", "\"9,99\""), NULL, "is not a decimal number", 2, NULL},
    {"; delimiter", "BilledCost;EffectiveCost;BillingCurrency\n1;2;EUR\n", NULL, "separated by semicolons", 1, NULL},
    {"localised headers", "Datum (Date),Zaehlerkategorie (MeterCategory),Kosten (Cost),Menge (Quantity),Ressource (ResourceId),"
     "Waehrung (BillingCurrency)\n2026-10-05,Storage,0.5,1,/subscriptions/s/x,EUR\n", "other_resources x1 cost 0.5 invoiced 0.5\n", NULL, 0,
     NULL},
    {"glued header names", CUR ",pricing/OfferingClasspricing/PurchaseOption\n" CUR_ROW("1") ",x\n", CUR_NODE "\n", NULL, 0, NULL},
    {"duplicate names by case", NAMES ",REGIONID,RegionId\n" ROW ",a,b\n", ONE, NULL, 0, "W104"},
    {"duplicate names by case, required", NAMES ",billedcost\n" ROW ",5\n", NULL, "is there twice", 1, NULL},
    {"column order change", "ResourceId,ChargePeriodEnd,ChargePeriodStart,ChargeCategory,BillingCurrency,EffectiveCost,BilledCost\n"
     "r,2026-10-06,2026-10-05,Usage,USD,2,1\n", ONE, NULL, 0, NULL},
    {"repeated header in stream", HEAD LINE HEAD LINE, TWO, NULL, 0, NULL},
    {"mixed currencies", HEAD LINE "1,2,NOK,Usage,2026-10-05,2026-10-06,r\n", NULL, "row is in NOK, rows before it are in USD", 3, NULL},
    {"leading-zero ids", HEAD "1,2,USD,Usage,2026-10-05,2026-10-06,0099999999999\n" "1,2,USD,Usage,2026-10-05,2026-10-06,99999999999\n",
     "0099999999999 2026-10-05T00:00:00Z/2026-10-06T00:00:00Z cost 2 invoiced 1 ms 86400000 unknown\n" ONE,
     NULL, 0, NULL},
    {"NUL", NULL, NULL, "NUL byte", 2, NULL},
    {"truncated", HEAD LINE "1,2,USD,Usage,2026-10-0", NULL, "file ends in the middle of a row, at byte 162", 3, NULL},
    {"cost column rounded by an export tool", NAMES ",ProviderName\n1.624,2,USD,Usage,2026-10-05,2026-10-06,r,AWS\n"
     "0.48,0,USD,Usage,2026-10-05,2026-10-06,r,AWS\n", "other_resources x2 cost 2 invoiced 2.104\n", NULL, 0, "W101"},
    {"float drift when summing", HEAD COST("0.1", "0.1") COST("0.1", "0.1") COST("0.1", "0.1") COST("0.1", "0.1") COST("0.1", "0.1")
     COST("0.1", "0.1") COST("0.1", "0.1") COST("0.1", "0.1") COST("0.1", "0.1") COST("0.1", "0.1"),
     "other_resources x10 cost 1 invoiced 1\n", NULL, 0, NULL},
    {"end-date exclusive", HEAD TIMES("2026-10-31", "2026-11-01") TIMES("2026-11-01", "2026-11-02"), ONE " outside 2 invoiced 1", NULL, 0,
     NULL},
    {"non-ISO times", HEAD TIMES("2026-10-05T10:00Z", "2026-10-05T11:00:00.000Z")
     TIMES("2026-10-05 10:00:00+00:00", "2026-10-05 11:00:00 UTC"), TWO, NULL, 0, NULL},
    {"odd column name with \\", NAMES ",tags/DevRel\\redbull-hol.pool\n" ROW ",x\n", ONE, NULL, 0, NULL},
};

/* The row of the list that no literal can hold. */
static const char with_nul[] = HEAD "1,2,USD,Usa\0ge,2026-10-05,2026-10-06,r\n";

static int read_quirk(const struct quirk *q)
{
    return q->text ? read_bytes(q->text, strlen(q->text)) : read_bytes(with_nul, sizeof with_nul - 1);
}

START_TEST(a_quirk_is_read_or_refused_as_the_list_says)
{
    const struct quirk *q = &quirks[_i];
    int rc;

    show("0099999999999", "2026-10-05", "2026-10-06");
    rc = read_quirk(q);
    if (q->refused) {
        ck_assert_msg(rc == -1, "%s: was read", q->name);
        expect_error(q->line, q->refused);
    } else {
        char *got;

        ck_assert_msg(rc == 0, "%s: %lld: %s", q->name, (long long)w.err.line, w.err.text);
        got = dump();
        ck_assert_msg(strcmp(got, q->want) == 0, "%s: got\n%s\nwant\n%s", q->name, got, q->want);
        free(got);
    }
    ck_assert_msg(!q->warning || diag_find(&w.diag, q->warning), "%s: no %s", q->name, q->warning);
}
END_TEST

static void add_utf16(struct buf *b, const char *s, bool big)
{
    buf_adds(b, big ? "\xfe\xff" : "\xff\xfe");
    for (; *s; s++) {
        buf_addc(b, big ? '\0' : *s);
        buf_addc(b, big ? *s : '\0');
    }
}

START_TEST(utf_16_is_transcoded_whichever_half_comes_first)
{
    for (int big = 0; big < 2; big++) {
        struct buf b = {0};
        char *got;

        add_utf16(&b, HEAD LINE, big);
        ck_assert_int_eq(read_bytes(b.p, b.n), 0);
        got = dump();
        ck_assert_str_eq(got, ONE);
        free(got);
        buf_free(&b);
    }
}
END_TEST

int main(void)
{
    Suite *s = suite_create("bill, quirks");
    TCase *c = tcase_create("quirks");
    int fd = mkstemp(path), rc;

    if (fd < 0)
        return EXIT_FAILURE;
    close(fd);
    tcase_add_checked_fixture(c, setup, teardown);
    tcase_add_loop_test(c, a_quirk_is_read_or_refused_as_the_list_says, 0, sizeof quirks / sizeof *quirks);
    tcase_add_test(c, utf_16_is_transcoded_whichever_half_comes_first);
    suite_add_tcase(s, c);
    rc = unit_run(s);
    unlink(path);
    return rc;
}
