/* bill: Google Cloud's detailed export as charges and groups. Every small bill is written flattened with each of three spellings of its
 * header, and as objects, one a line; all four must give the same text. Amounts are chosen so that a row in the wrong place shows. */
#include "bill_fixture.h"

/* ---- exports ---- */

struct row {
    const char *sku, *cost, *from, *to, *credits, *name, *global, *labels, *type, *amount, *unit, *priced, *priced_unit, *service, *project,
        *zone, *currency, *list, *month, *exported, *adjustment, *model;
};

struct column {
    const char *path;              /* "usage.amount" */
    size_t at;
    const char *usual;
    bool is_json;
};

#define COLUMN(field, usual, path) {path, offsetof(struct row, field), usual, false}
#define JSON(field, usual, path) {path, offsetof(struct row, field), usual, true}

static const struct column columns[] = {
    COLUMN(service, "Compute Engine", "service.description"),
    COLUMN(sku, "Nvidia Tesla A100 GPU running in Americas", "sku.description"),
    COLUMN(from, "10", "usage_start_time"),
    COLUMN(to, "11", "usage_end_time"),
    COLUMN(project, "p", "project.id"),
    COLUMN(zone, "us-central1-a", "location.zone"),
    COLUMN(exported, "2026-11-02 08:00:00 UTC", "export_time"),
    COLUMN(cost, "1", "cost"),
    COLUMN(currency, "USD", "currency"),
    COLUMN(list, "", "cost_at_list"),
    COLUMN(amount, "", "usage.amount"),
    COLUMN(unit, "", "usage.unit"),
    COLUMN(priced, "", "usage.amount_in_pricing_units"),
    COLUMN(priced_unit, "", "usage.pricing_unit"),
    JSON(credits, "[]", "credits"),
    COLUMN(month, "202610", "invoice.month"),
    COLUMN(type, "regular", "cost_type"),
    COLUMN(name, "vm-1", "resource.name"),
    COLUMN(global, "", "resource.global_name"),
    JSON(labels, "[{\"key\": \"compute.googleapis.com/machine_spec\", \"value\": \"a2-highgpu-1g\"}]", "system_labels"),
    COLUMN(adjustment, "", "adjustment_info.type"),
    COLUMN(model, "", "consumption_model.description"),
};
enum { COLUMNS = sizeof columns / sizeof *columns };

enum style { DOTS, UNDERSCORES, DOUBLE_UNDERSCORES, OBJECTS, STYLES };
static const char *const separators[] = {".", "_", "__"};

static const char *text_of(const struct row *r, const struct column *c)
{
    const char *s = *(const char *const *)(const void *)((const char *)r + c->at);

    return s ? s : c->usual;
}

/* Times of two digits are hours of the fifth of October. */
static void add_value(struct buf *b, const struct column *c, const char *s)
{
    if (c->at == offsetof(struct row, from) || c->at == offsetof(struct row, to))
        buf_addf(b, strlen(s) == 2 ? "2026-10-05 %s:00:00+00:00" : "%s", s);
    else
        buf_adds(b, s);
}

static void add_head(struct buf *b, enum style style)
{
    for (int i = 0; i < COLUMNS; i++) {
        buf_adds(b, i ? "," : "");
        for (const char *p = columns[i].path; *p; p++)
            if (*p == '.')
                buf_adds(b, separators[style]);
            else
                buf_addc(b, *p);
    }
    buf_addc(b, '\n');
}

static void add_cells(struct buf *b, const struct row *r)
{
    for (int i = 0; i < COLUMNS; i++) {
        struct buf value = {0};

        add_value(&value, &columns[i], text_of(r, &columns[i]));
        buf_adds(b, i ? ",\"" : "\"");
        for (size_t k = 0; k < value.n; k++)
            buf_adds(b, value.p[k] == '"' ? "\"\"" : (char[]){value.p[k], '\0'});
        buf_addc(b, '"');
        buf_free(&value);
    }
    buf_addc(b, '\n');
}

/* Members with one parent are not brought together: "usage" may come twice in an object, and means what it would mean as one. */
static void add_object(struct buf *b, const struct row *r)
{
    const char *comma = "{";

    for (int i = 0; i < COLUMNS; i++) {
        const char *s = text_of(r, &columns[i]), *dot = strchr(columns[i].path, '.');

        if (!*s)
            continue;
        buf_adds(b, comma);
        comma = ", ";
        if (dot)
            buf_addf(b, "\"%.*s\": {\"%s\": ", (int)(dot - columns[i].path), columns[i].path, dot + 1);
        else
            buf_addf(b, "\"%s\": ", columns[i].path);
        buf_adds(b, columns[i].is_json ? "" : "\"");
        add_value(b, &columns[i], s);
        buf_adds(b, columns[i].is_json ? "" : "\"");
        buf_adds(b, dot ? "}" : "");
    }
    buf_adds(b, "}\n");
}

static int read_rows(const struct row *rows, size_t n, enum style style)
{
    struct buf b = {0};
    int rc;

    if (style != OBJECTS)
        add_head(&b, style);
    for (size_t i = 0; i < n; i++)
        (style == OBJECTS ? add_object : add_cells)(&b, &rows[i]);
    rc = read_bytes(b.p, b.n);
    buf_free(&b);
    return rc;
}

#define ROWS(...) (const struct row[]){__VA_ARGS__}, sizeof((const struct row[]){__VA_ARGS__}) / sizeof(struct row)

static void expect(const struct row *rows, size_t n, const char *want)
{
    for (int style = 0; style < STYLES; style++) {
        char *got;

        ck_assert_msg(read_rows(rows, n, (enum style)style) == 0, "style %d: %s:%lld:%lld: %s", style, w.err.file, (long long)w.err.line,
                      (long long)w.err.column, w.err.text);
        got = dump();
        ck_assert_msg(strcmp(got, want) == 0, "style %d: got\n%s\nwant\n%s", style, got, want);
        free(got);
    }
}

#define VM "p/us-central1-a/vm-1 2026-10-05T10:00:00Z/2026-10-05T11:00:00Z "
#define A100 " a2-highgpu-1g"
#define CORE "A2 Instance Core running in Americas"
#define RAM "A2 Instance Ram running in Americas"
#define SPEC(spec) "[{\"key\": \"compute.googleapis.com/machine_spec\", \"value\": \"" spec "\"}]"
#define T4 "Nvidia Tesla T4 GPU running in Americas"
#define CREDIT(type, amount) "{\"name\": \"x\", \"amount\": " amount ", \"full_name\": null, \"id\": \"1\", \"type\": \"" type "\"}"

static void expect_warning(const char *code, int64_t count, const char *text)
{
    const struct diag_item *d = diag_find(&w.diag, code);

    ck_assert_msg(d != NULL, "no %s", code);
    ck_assert_int_eq(d->count, count);
    ck_assert_msg(strstr(d->texts[0], text) != NULL, "%s", d->texts[0]);
}

/* ---- machines ---- */

START_TEST(a_machine_is_the_sum_of_its_rows)
{
    expect(ROWS({.cost = "2.9", .amount = "3600", .unit = "seconds"}, {.sku = CORE, .cost = "0.375", .amount = "43200", .unit = "seconds"},
                {.sku = RAM, .cost = "0.25", .amount = "328564998144000", .unit = "byte-seconds"}),
           VM "cost 3.525 invoiced 3.525 ms 3600000 on_demand" A100 " | gpu NVIDIA A100 40GB  2.9 | cpu  0.375 | memory  0.25\n");
    ck_assert_int_eq(w.bill.files.v[0].rows_used, 3);
}
END_TEST

/* 8 cards for half an hour are 4 GPU hours: 30 minutes of the machine. */
START_TEST(gpu_time_is_divided_by_the_number_of_gpus)
{
    expect(ROWS({.amount = "14400", .unit = "seconds", .labels = SPEC("a2-highgpu-8g")}),
           VM "cost 1 invoiced 1 ms 1800000 on_demand a2-highgpu-8g | gpu NVIDIA A100 40GB  1\n");
    expect(ROWS({.priced = "4", .priced_unit = "hour", .labels = SPEC("a2-highgpu-8g")}),
           VM "cost 1 invoiced 1 ms 1800000 on_demand a2-highgpu-8g | gpu NVIDIA A100 40GB  1\n");
}
END_TEST

/* Time of cores says nothing of a machine whose number of cores is not known. */
START_TEST(without_gpu_time_it_is_the_interval)
{
    expect(ROWS({.sku = CORE, .amount = "60", .unit = "seconds"}), VM "cost 1 invoiced 1 ms 3600000 on_demand" A100 " | cpu  1\n");
    expect(ROWS({.amount = "7", .unit = "gibibyte"}), VM "cost 1 invoiced 1 ms 3600000 on_demand" A100 " | gpu NVIDIA A100 40GB  1\n");
}
END_TEST

/* N1 has no GPUs by its type: metrics count them; else there are at least as many as have had the time. */
START_TEST(cards_of_a_machine_of_n1_are_counted_by_metrics)
{
    const struct row rows[] = {{.sku = T4, .amount = "7200", .unit = "seconds", .labels = SPEC("n1-standard-4")},
                               {.sku = "N1 Predefined Instance Core running in Americas", .cost = "0.5", .labels = SPEC("n1-standard-4")}};

    expect(rows, 2, VM "cost 1.5 invoiced 1.5 ms 3600000 on_demand | gpu NVIDIA T4  1 | cpu  0.5\n");
    for (int i = 0; i < 4; i++)
        show("p/us-central1-a/vm-1", "2026-10-05T10:00:00Z", "2026-10-05T10:59:00Z");
    expect(rows, 2, VM "cost 1.5 invoiced 1.5 ms 1800000 on_demand | gpu NVIDIA T4  1 | cpu  0.5\n");
}
END_TEST

START_TEST(rows_that_allocate_a_machine_to_namespaces_add_up)
{
    expect(ROWS({.cost = "1", .amount = "900", .unit = "seconds"}, {.cost = "2", .amount = "1800", .unit = "seconds"},
                {.cost = "0.5", .amount = "450", .unit = "seconds"}),
           VM "cost 3.5 invoiced 3.5 ms 3150000 on_demand" A100 " | gpu NVIDIA A100 40GB  3.5\n");
}
END_TEST

START_TEST(two_models_are_two_parts)
{
    expect(ROWS({.cost = "1"}, {.cost = "2", .sku = "Nvidia Tesla A100 80GB GPU running in Americas"},
                {.cost = "4", .sku = "Nvidia X9 GPU"}),
           VM "cost 7 invoiced 7 ms 3600000 on_demand" A100 " | gpu  4 | gpu NVIDIA A100 40GB  1 | gpu NVIDIA A100 80GB  2\n");
}
END_TEST

START_TEST(labels_tell_the_size_of_what_no_catalogue_knows)
{
    expect(ROWS({.sku = T4, .amount = "3600", .unit = "seconds",
                 .labels = "[{\"key\": \"compute.googleapis.com/machine_spec\", \"value\": \"custom-6-15360\"},"
                           "{\"key\": \"compute.googleapis.com/cores\", \"value\": \"6\"},"
                           "{\"key\": \"compute.googleapis.com/memory\", \"value\": \"15360\"}]"}),
           VM "cost 1 invoiced 1 ms 3600000 on_demand 6000000/15000000/0 | gpu NVIDIA T4  1\n");
}
END_TEST

START_TEST(purchase_options_come_from_words_and_credits)
{
    expect(ROWS({.sku = "Nvidia Tesla A100 GPU attached to Spot Preemptible VMs running in Americas"}),
           VM "cost 1 invoiced 1 ms 3600000 spot" A100 " | gpu NVIDIA A100 40GB  1\n");
    expect(ROWS({.sku = "Reserved Nvidia Tesla A100 GPU in Americas"}),
           VM "cost 1 invoiced 1 ms 3600000 reserved" A100 " | gpu NVIDIA A100 40GB  1\n");
    expect(ROWS({.credits = "[" CREDIT("COMMITTED_USAGE_DISCOUNT", "-0.25") "]"}),
           VM "cost 0.75 invoiced 0.75 ms 3600000 committed" A100 " | gpu NVIDIA A100 40GB  0.75\n");
    expect(ROWS({.model = "Compute Flexible Committed Use Discounts 1 Year"}),
           VM "cost 1 invoiced 1 ms 3600000 committed" A100 " | gpu NVIDIA A100 40GB  1\n");
    expect(ROWS({.model = "Default"}), VM "cost 1 invoiced 1 ms 3600000 on_demand" A100 " | gpu NVIDIA A100 40GB  1\n");
}
END_TEST

/* ---- which machine ---- */

#define PATH "//compute.googleapis.com/projects/p/zones/us-central1-a/"

START_TEST(a_name_goes_before_a_number)
{
    expect(ROWS({.global = PATH "instance/12345"}), VM "cost 1 invoiced 1 ms 3600000 on_demand" A100 " | gpu NVIDIA A100 40GB  1\n");
    expect(ROWS({.name = "", .global = PATH "instances/vm-1", .project = "", .zone = ""}),
           VM "cost 1 invoiced 1 ms 3600000 on_demand" A100 " | gpu NVIDIA A100 40GB  1\n");
    expect(ROWS({.name = "vm-1", .zone = "us-central1-b"}),
           "p/us-central1-b/vm-1 2026-10-05T10:00:00Z/2026-10-05T11:00:00Z cost 1 invoiced 1 ms 3600000 on_demand" A100
           " | gpu NVIDIA A100 40GB  1\n");
}
END_TEST

START_TEST(equal_names_in_two_projects_are_two_machines)
{
    expect(ROWS({.cost = "1"}, {.cost = "2", .project = "q"}),
           VM "cost 1 invoiced 1 ms 3600000 on_demand" A100 " | gpu NVIDIA A100 40GB  1\n"
           "q/us-central1-a/vm-1 2026-10-05T10:00:00Z/2026-10-05T11:00:00Z cost 2 invoiced 2 ms 3600000 on_demand" A100
           " | gpu NVIDIA A100 40GB  2\n");
}
END_TEST

START_TEST(a_disk_of_a_machines_name_is_not_the_machine)
{
    expect(ROWS({.cost = "1"}, {.sku = "Storage PD Capacity", .cost = "2", .global = PATH "disks/vm-1"},
                {.sku = "Storage PD Capacity", .cost = "4", .global = PATH "instances/vm-1"}),
           VM "cost 1 invoiced 1 ms 3600000 on_demand" A100 " | gpu NVIDIA A100 40GB  1\n"
           "other_resources x1 cost 2 invoiced 2\nattached x1 cost 4 invoiced 4\n");
}
END_TEST

START_TEST(attached_rows_join_the_machine_as_none_of_its_pieces)
{
    w.req.attached_include = true;
    expect(ROWS({.cost = "1"}, {.sku = "SSD backed Local Storage attached to A2 VMs", .cost = "0.5"},
                {.sku = "Network Internet Egress from Americas to EMEA", .cost = "0.25"}),
           VM "cost 1.75 invoiced 1.75 ms 3600000 on_demand" A100 " | gpu NVIDIA A100 40GB  1\n");
}
END_TEST

START_TEST(machines_without_gpus_are_other_resources)
{
    expect(ROWS({.sku = "N2 Instance Core running in Americas", .labels = "[]"}, {.sku = "E2 Instance Core", .labels = SPEC("e2-small")},
                {.sku = "N1 Predefined Instance Core running in Americas", .cost = "2", .labels = SPEC("n1-standard-4")},
                {.sku = "Cloud Run", .service = "Cloud Run", .name = "", .cost = "4"}),
           "other_resources x4 cost 8 invoiced 8\n");
}
END_TEST

/* ---- credits ---- */

#define ALL_CREDITS "[" CREDIT("COMMITTED_USAGE_DISCOUNT", "-1") "," CREDIT("COMMITTED_USAGE_DISCOUNT_DOLLAR_BASE", "-2") "," \
    CREDIT("SUSTAINED_USAGE_DISCOUNT", "-4") "," CREDIT("DISCOUNT", "-8") "," CREDIT("SUBSCRIPTION_BENEFIT", "-16") "," \
    CREDIT("FEE_UTILIZATION_OFFSET", "-32") "," CREDIT("PROMOTION", "-64") "," CREDIT("FREE_TIER", "-128") "," \
    CREDIT("RESELLER_MARGIN", "-256") "]"

static const struct { enum rule_cost cost; enum rule_credits credits; const char *want; } credit_rules[] = {
    {RULE_COST_EFFECTIVE, RULE_CREDITS_COMMITMENTS, VM "cost 937 invoiced 489 ms"},          /* 1000 - 63; - 511 */
    {RULE_COST_EFFECTIVE, RULE_CREDITS_ALL, VM "cost 489 invoiced 489 ms"},
    {RULE_COST_EFFECTIVE, RULE_CREDITS_NONE, VM "cost 1000 invoiced 489 ms"},
    {RULE_COST_NET_EFFECTIVE, RULE_CREDITS_COMMITMENTS, VM "cost 937 invoiced 489 ms"},
    {RULE_COST_BILLED, RULE_CREDITS_COMMITMENTS, VM "cost 489 invoiced 489 ms"},
    {RULE_COST_LIST, RULE_CREDITS_COMMITMENTS, VM "cost 1500 invoiced 489 ms"},
};

START_TEST(the_rule_says_which_credits_count)
{
    w.req.cost = credit_rules[_i].cost;
    w.req.credits = credit_rules[_i].credits;
    for (int style = 0; style < STYLES; style++) {
        char *got;

        ck_assert_int_eq(read_rows(ROWS({.cost = "1000", .list = "1500", .credits = ALL_CREDITS}), (enum style)style), 0);
        got = dump();
        ck_assert_msg(strncmp(got, credit_rules[_i].want, strlen(credit_rules[_i].want)) == 0, "%s", got);
        free(got);
    }
}
END_TEST

START_TEST(credits_of_unknown_types_are_left_out_and_said)
{
    expect(ROWS({.credits = "[" CREDIT("GOODWILL", "-0.5") "]"}),
           VM "cost 1 invoiced 0.5 ms 3600000 on_demand" A100 " | gpu NVIDIA A100 40GB  1\n");
    expect_warning("W117", 1, "credits of the unknown type \"GOODWILL\" are left out");
}
END_TEST

/* As scripts in Python leave them in CSV. */
START_TEST(credits_and_labels_may_be_pythons)
{
    char *got;

    ck_assert_int_eq(read_rows(ROWS({.credits = "[{'name': 'x', 'amount': -2.5e-1, 'type': 'DISCOUNT', 'id': None}]",
                                     .labels = "[{'key': 'compute.googleapis.com/machine_spec', 'value': 'a2-highgpu-1g'}]"}), DOTS), 0);
    got = dump();
    ck_assert_str_eq(got, VM "cost 0.75 invoiced 0.75 ms 3600000 on_demand" A100 " | gpu NVIDIA A100 40GB  0.75\n");
    free(got);
    ck_assert_uint_eq(w.diag.n, 0);
}
END_TEST

static const struct { const char *credits, *want; } broken_credits[] = {
    {"[{\"amount\": -1", "column \"credits\": "},
    {"[1]", "column \"credits\": a value stands where a record should"},
    {"[[]]", "column \"credits\": a list stands where a record should"},
    {"[{\"amount\": \"1,5\"}]", "column \"credits\": amount \"1,5\" is not a decimal number"},
};

START_TEST(credits_that_cannot_be_read_are_an_error)
{
    ck_assert_int_eq(read_rows(ROWS({.cost = "1"}, {.credits = broken_credits[_i].credits}), DOTS), -1);
    expect_error(3, broken_credits[_i].want);
}
END_TEST

/* ---- rows joined with their credits ---- */

static const char joined_head[] = "sku.description,usage_start_time,usage_end_time,project.id,location.zone,cost,currency,usage.amount,"
                                  "usage.unit,resource.name,credits.type,credits.amount\n";

static void add_joined(struct buf *b, const char *cost, const char *type, const char *amount)
{
    buf_addf(b, "%s,2026-10-05 10:00:00 UTC,2026-10-05 11:00:00 UTC,p,us-central1-a,%s,USD,900,seconds,vm-1,%s,%s\n",
             "Nvidia Tesla A100 GPU running in Americas", cost, type, amount);
}

static void expect_joined(struct buf *b, const char *want, int64_t repeats)
{
    char *got;

    ck_assert_msg(read_bytes(b->p, b->n) == 0, "%s", w.err.text);
    got = dump();
    ck_assert_str_eq(got, want);
    free(got);
    if (repeats)
        expect_warning("W116", repeats, "rows stand there once for each of their credits");
    else
        ck_assert_ptr_eq(diag_find(&w.diag, "W116"), NULL);
    buf_free(b);
}

/* One row of 8 with two credits, one of 16 with none, one of 32 with one: 56 - 1 - 2 - 4. The first one's time counts once, too. */
START_TEST(a_row_that_is_there_once_for_each_credit_costs_once)
{
    struct buf b = {0};

    buf_adds(&b, joined_head);
    add_joined(&b, "8", "DISCOUNT", "-1");
    add_joined(&b, "16", "", "");
    add_joined(&b, "32", "SUSTAINED_USAGE_DISCOUNT", "-4");
    add_joined(&b, "8", "COMMITTED_USAGE_DISCOUNT", "-2");
    expect_joined(&b, VM "cost 49 invoiced 49 ms 2700000 on_demand | gpu NVIDIA A100 40GB  49\n", 1);
}
END_TEST

/* Two rows of 8 that only their tags tell apart, in a column that means nothing here: 16 - 1 - 2. */
START_TEST(rows_that_differ_in_any_column_are_two)
{
    struct buf b = {0};

    buf_add(&b, joined_head, strlen(joined_head) - 1);
    buf_adds(&b, ",tags\n");
    add_joined(&b, "8", "DISCOUNT", "-1");
    b.n--;
    buf_adds(&b, ",x\n");
    add_joined(&b, "8", "COMMITTED_USAGE_DISCOUNT", "-2");
    b.n--;
    buf_adds(&b, ",y\n");
    expect_joined(&b, VM "cost 13 invoiced 13 ms 1800000 on_demand | gpu NVIDIA A100 40GB  13\n", 0);
}
END_TEST

/* Two rows that are the same in all, each with two credits: four lines, in whatever order. */
START_TEST(equal_rows_with_equal_credits_are_as_many_as_their_copies)
{
    static const char *const orders[] = {"aabb", "abab", "abba", "baab"};

    for (size_t i = 0; i < sizeof orders / sizeof *orders; i++) {
        struct buf b = {0};

        buf_adds(&b, joined_head);
        for (const char *p = orders[i]; *p; p++)
            add_joined(&b, "8", "DISCOUNT", *p == 'a' ? "-1" : "-2");
        expect_joined(&b, VM "cost 10 invoiced 10 ms 1800000 on_demand | gpu NVIDIA A100 40GB  10\n", 2);
    }
}
END_TEST

/* Without credits equal rows are two. */
START_TEST(equal_rows_without_credits_are_two)
{
    struct buf b = {0};

    buf_adds(&b, joined_head);
    add_joined(&b, "8", "", "");
    add_joined(&b, "8", "", "");
    expect_joined(&b, VM "cost 16 invoiced 16 ms 1800000 on_demand | gpu NVIDIA A100 40GB  16\n", 0);
}
END_TEST

/* Objects of such a query: what differs in a member that no column takes is another row. */
static const struct { const char *credit, *want; } joined_objects[] = {
    {"\"credits\": {\"type\": \"DISCOUNT\", \"amount\": -1}", "cost 13 invoiced 13"},
    {"\"credit\": {\"type\": \"DISCOUNT\", \"amount\": -2}", "cost 10 invoiced 10"},
};

START_TEST(objects_joined_with_their_credits_cost_once)
{
    static const char *const others[] = {"1", "1", "2"};
    struct buf b = {0}, want = {0};

    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        buf_adds(&b, "{\"sku\": {\"description\": \"Nvidia Tesla A100 GPU\"}, \"cost\": 8, \"currency\": \"USD\", ");
        buf_adds(&b, "\"usage_start_time\": \"2026-10-05 10:00:00 UTC\", \"usage_end_time\": \"2026-10-05 11:00:00 UTC\", ");
        buf_adds(&b, "\"project\": {\"id\": \"p\"}, \"location\": {\"zone\": \"us-central1-a\"}, \"resource\": {\"name\": \"vm-1\"}, ");
        buf_addf(&b, "\"tags\": [{\"n\": %s}], %s%s}\n", others[i], joined_objects[_i].credit, i == 1 ? ", \"credit_id\": 2" : "");
    }
    buf_addf(&want, VM "%s ms 3600000 on_demand | gpu NVIDIA A100 40GB  %.2s\n", joined_objects[_i].want, joined_objects[_i].want + 5);
    expect_joined(&b, buf_str(&want), 1);
    buf_free(&want);
}
END_TEST

/* ---- groups, corrections, the invoice ---- */

START_TEST(what_no_machine_pays_is_a_group)
{
    expect(ROWS({.cost = "1", .type = "tax", .name = "", .sku = "Tax"},
                {.cost = "2", .sku = "Commitment v1: A100 in Americas for 1 Year", .name = ""},
                {.cost = "4", .labels = "[{\"key\": \"compute.googleapis.com/is_unused_reservation\", \"value\": \"true\"}]"},
                {.cost = "-8", .type = "adjustment", .name = "", .sku = "Billing correction"},
                {.cost = "16", .type = "adjustment", .name = "", .sku = "Billing correction"},
                {.cost = "0.000001", .type = "rounding_error", .name = "", .sku = "Rounding error"},
                {.cost = "32", .name = "", .sku = "Support", .service = "Support"}),
           "other_resources x1 cost 32 invoiced 32\ntax x1 cost 1 invoiced 1\nrefund x1 cost -8 invoiced -8\n"
           "fee x3 cost 18.000001 invoiced 18.000001\nunused_commitment x1 cost 4 invoiced 4\n");
    expect(ROWS({.cost = "1", .type = "surprise"}), "fee x1 cost 1 invoiced 1\n");
    expect_warning("W108", 1, "rows of the unknown cost type \"surprise\" count as fees");
}
END_TEST

/* What was billed wrongly is taken back and billed anew in a later month's invoice, at the time of its use. */
START_TEST(corrections_cost_and_have_no_time)
{
    expect(ROWS({.cost = "3", .amount = "1800", .unit = "seconds"},
                {.cost = "-3", .amount = "-1800", .unit = "seconds", .adjustment = "PRICE_CORRECTION", .month = "202611"},
                {.cost = "2", .amount = "1800", .unit = "seconds", .adjustment = "PRICE_CORRECTION", .month = "202611"}),
           VM "cost 2 invoiced 2 ms 1800000 on_demand" A100 " | gpu NVIDIA A100 40GB  2\n");
    expect(ROWS({.cost = "-3", .amount = "1800", .unit = "seconds", .type = "adjustment", .sku = CORE}),
           VM "cost -3 invoiced -3 ms 0 correction on_demand" A100 " | cpu  -3\n");
}
END_TEST

/* Usage of the last of September that is on October's invoice is September's. */
START_TEST(usage_counts_when_it_was_and_not_when_it_was_invoiced)
{
    expect(ROWS({.cost = "1", .from = "2026-09-30 23:00:00 UTC", .to = "2026-10-01 00:00:00 UTC"}, {.cost = "2", .month = "202611"}),
           VM "cost 2 invoiced 2 ms 3600000 on_demand" A100 " | gpu NVIDIA A100 40GB  2\n outside 1 invoiced 1");
}
END_TEST

/* A row over a border of the period: its parts are cut like its cost, and those of two periods add up. 1/3 of 1 is 0.333333333333. */
START_TEST(pieces_are_cut_at_the_period_like_the_charge)
{
    const struct row rows[] = {{.cost = "1", .from = "10", .to = "13"}, {.cost = "2", .sku = CORE, .from = "10", .to = "13"}};

    w.req.period = (struct timespan){at("2026-10-05T11:00:00Z"), at("2026-10-05T12:00:00Z")};
    expect(rows, 2, "p/us-central1-a/vm-1 2026-10-05T11:00:00Z/2026-10-05T12:00:00Z cost 1 invoiced 1 ms 3600000 on_demand" A100
                    " | gpu NVIDIA A100 40GB  0.333333333334 | cpu  0.666666666666\n outside 2 invoiced 2");
    w.req.period = (struct timespan){at("2026-10-05T12:00:00Z"), at("2026-10-06")};
    expect(rows, 2, "p/us-central1-a/vm-1 2026-10-05T12:00:00Z/2026-10-05T13:00:00Z cost 1 invoiced 1 ms 3600000 on_demand" A100
                    " | gpu NVIDIA A100 40GB  0.333333333333 | cpu  0.666666666667\n outside 2 invoiced 2");
    w.req.period = (struct timespan){at("2026-10-06"), at("2026-10-07")};
    expect(rows, 2, " outside 3 invoiced 3");
    ck_assert_uint_eq(w.bill.parts.n, 0);
}
END_TEST

static const struct { const char *month, *exported; bool is_final; } invoices[] = {
    {"202610", "2026-10-06 04:11:12.066000+00:00", false},
    {"202610", "2026-11-01 07:59:59 UTC", false},            /* Pacific time: the month ends eight hours later */
    {"202610", "2026-11-01 08:00:00 UTC", true},
    {"202612", "2026-12-31 23:00:00 UTC", false},
    {"", "2026-10-06 04:11:12 UTC", true},                   /* nothing says that it is not */
};

START_TEST(a_bill_of_a_month_that_runs_is_estimated)
{
    ck_assert_int_eq(read_rows(ROWS({.month = invoices[_i].month, .exported = invoices[_i].exported}), DOTS), 0);
    ck_assert(w.bill.is_final == invoices[_i].is_final);
}
END_TEST

/* ---- what is missing ---- */

START_TEST(missing_columns_are_named)
{
    static const char head[] = "usage_start_time,usage_end_time,sku.description,cost\n";

    ck_assert_int_eq(read_bytes(head, strlen(head)), -1);
    expect_error(1, "Google Cloud detailed export bill lacks the columns: currency");
    w.req.cost = RULE_COST_LIST;
    ck_assert_int_eq(read_bytes(head, strlen(head)), -1);
    expect_error(1, "lacks the columns: currency, cost_at_list");
}
END_TEST

START_TEST(the_standard_export_has_no_resources)
{
    static const char text[] = "usage_start_time,usage_end_time,sku.description,cost,currency\n"
                               "2026-10-05 10:00:00 UTC,2026-10-05 11:00:00 UTC,Nvidia L4 GPU,1,USD\n";
    static const char object[] = "{\"usage_start_time\": \"2026-10-05 10:00:00 UTC\", \"usage_end_time\": \"2026-10-05 11:00:00 UTC\", "
                                 "\"sku\": {\"description\": \"Nvidia L4 GPU\"}, \"cost\": 1, \"currency\": \"USD\"}\n";

    for (int i = 0; i < 2; i++) {
        ck_assert_int_eq(read_bytes(i ? object : text, strlen(i ? object : text)), 0);
        expect_warning("W107", 1, "there is no column \"resource_name\": none of its rows can be joined to a node");
        ck_assert(w.bill.groups[GROUP_OTHER_RESOURCES] == MONEY_ONE);
    }
}
END_TEST

START_TEST(a_missing_amount_is_no_zero)
{
    for (int style = 0; style < STYLES; style++) {
        ck_assert_int_eq(read_rows(ROWS({.cost = "1"}, {.cost = ""}), (enum style)style), -1);
        expect_error(style == OBJECTS ? 2 : 3, "column \"cost\": amount is missing");
    }
    w.req.cost = RULE_COST_LIST;
    ck_assert_int_eq(read_rows(ROWS({.cost = "1"}), DOTS), -1);
    expect_error(2, "column \"cost_at_list\": amount is missing");
    ck_assert_int_eq(read_rows(ROWS({.cost = "1", .type = "tax"}), DOTS), 0);
}
END_TEST

START_TEST(usage_that_ends_before_it_starts_is_refused)
{
    ck_assert_int_eq(read_rows(ROWS({.from = "11", .to = "10"}), DOTS), -1);
    expect_error(2, "column \"usage_end_time\": usage ends before it starts");
}
END_TEST

/* One of 13 decimals rounds half to even, in the cost and in a credit. */
START_TEST(decimals_beyond_the_twelfth_are_counted)
{
    ck_assert_int_eq(read_rows(ROWS({.cost = "0.0000000000025", .credits = "[" CREDIT("DISCOUNT", "-0.0000000000015") "]"}), DOTS), 0);
    ck_assert(w.bill.file_total == 0);
    ck_assert_int_eq(diag_find(&w.diag, "W205")->count, 2);
}
END_TEST

static void add_tests(TCase *t)
{
    tcase_add_test(t, a_machine_is_the_sum_of_its_rows);
    tcase_add_test(t, gpu_time_is_divided_by_the_number_of_gpus);
    tcase_add_test(t, without_gpu_time_it_is_the_interval);
    tcase_add_test(t, cards_of_a_machine_of_n1_are_counted_by_metrics);
    tcase_add_test(t, rows_that_allocate_a_machine_to_namespaces_add_up);
    tcase_add_test(t, two_models_are_two_parts);
    tcase_add_test(t, labels_tell_the_size_of_what_no_catalogue_knows);
    tcase_add_test(t, purchase_options_come_from_words_and_credits);
    tcase_add_test(t, a_name_goes_before_a_number);
    tcase_add_test(t, equal_names_in_two_projects_are_two_machines);
    tcase_add_test(t, a_disk_of_a_machines_name_is_not_the_machine);
    tcase_add_test(t, attached_rows_join_the_machine_as_none_of_its_pieces);
    tcase_add_test(t, machines_without_gpus_are_other_resources);
    tcase_add_loop_test(t, the_rule_says_which_credits_count, 0, sizeof credit_rules / sizeof *credit_rules);
    tcase_add_test(t, credits_of_unknown_types_are_left_out_and_said);
    tcase_add_test(t, credits_and_labels_may_be_pythons);
    tcase_add_loop_test(t, credits_that_cannot_be_read_are_an_error, 0, sizeof broken_credits / sizeof *broken_credits);
    tcase_add_test(t, a_row_that_is_there_once_for_each_credit_costs_once);
    tcase_add_test(t, rows_that_differ_in_any_column_are_two);
    tcase_add_test(t, equal_rows_with_equal_credits_are_as_many_as_their_copies);
    tcase_add_test(t, equal_rows_without_credits_are_two);
    tcase_add_loop_test(t, objects_joined_with_their_credits_cost_once, 0, sizeof joined_objects / sizeof *joined_objects);
    tcase_add_test(t, what_no_machine_pays_is_a_group);
    tcase_add_test(t, corrections_cost_and_have_no_time);
    tcase_add_test(t, usage_counts_when_it_was_and_not_when_it_was_invoiced);
    tcase_add_test(t, pieces_are_cut_at_the_period_like_the_charge);
    tcase_add_loop_test(t, a_bill_of_a_month_that_runs_is_estimated, 0, sizeof invoices / sizeof *invoices);
    tcase_add_test(t, missing_columns_are_named);
    tcase_add_test(t, the_standard_export_has_no_resources);
    tcase_add_test(t, a_missing_amount_is_no_zero);
    tcase_add_test(t, usage_that_ends_before_it_starts_is_refused);
    tcase_add_test(t, decimals_beyond_the_twelfth_are_counted);
}

/* ---- two files, two currencies ---- */

static int read_two(const struct row *first, const struct row *second)
{
    char other[sizeof path + 2];
    const char *paths[] = {path, other};
    const struct row *rows[] = {first, second};
    int rc;

    renew();
    snprintf(other, sizeof other, "%s.2", path);
    for (int i = 0; i < 2; i++) {
        struct buf b = {0};

        add_head(&b, DOTS);
        add_cells(&b, rows[i]);
        write_to(paths[i], b.p, b.n);
        buf_free(&b);
    }
    rc = bill_read(paths, 2, &w.req, &w.bill, &w.err);
    unlink(other);
    return rc;
}

/* 8 cards have 28800 seconds an hour. Twice that is one hour told twice; two halves are an hour; and who knows how many cards a machine of
 * unknown type has. Exports differ in when they were written. */
START_TEST(the_same_hour_of_all_cards_in_two_files_is_refused)
{
    struct row x = {.labels = SPEC("a2-highgpu-8g"), .amount = "28800", .unit = "seconds"}, y = x;

    y.exported = "2026-11-03 08:00:00 UTC";
    ck_assert_int_eq(read_two(&x, &y), -1);
    ck_assert_ptr_nonnull(strstr(w.err.file, ".2"));
    ck_assert_ptr_nonnull(strstr(w.err.text, "bills the time of p/us-central1-a/vm-1"));
    x.amount = y.amount = "14400";
    ck_assert_int_eq(read_two(&x, &y), 0);
    x.amount = y.amount = "28800";
    x.labels = y.labels = "[]";
    ck_assert_int_eq(read_two(&x, &y), 0);
}
END_TEST

/* At 1.5: 0.000000000001 becomes 0.0000000000015, half to even 0.000000000002; the machine costs what its pieces do, 3 + twice that. */
START_TEST(pieces_are_converted_like_the_machine)
{
    static struct rule_rate rate = {.from = "EUR", .to = "USD", .rate = 3 * MONEY_ONE / 2, .source = ""};

    ck_assert_int_eq(timespan_parse_month(span_of("2026-10"), &rate.month), 0);
    w.req.rates = &rate;
    w.req.n_rates = 1;
    expect(ROWS({.cost = "2", .currency = "EUR"}, {.sku = CORE, .cost = "0.000000000001", .currency = "EUR"},
                {.sku = RAM, .cost = "0.000000000001", .currency = "EUR"}),
           VM "cost 3.000000000004 invoiced 3.000000000004 ms 3600000 on_demand a2-highgpu-1g | gpu NVIDIA A100 40GB  3"
              " | cpu  0.000000000002 | memory  0.000000000002\n");
}
END_TEST

int main(void)
{
    Suite *s = suite_create("bill, Google Cloud");
    TCase *t = tcase_create("gcp");
    int fd = mkstemp(path), rc;

    if (fd < 0)
        return EXIT_FAILURE;
    close(fd);
    tcase_add_checked_fixture(t, setup, teardown);
    add_tests(t);
    tcase_add_test(t, the_same_hour_of_all_cards_in_two_files_is_refused);
    tcase_add_test(t, pieces_are_converted_like_the_machine);
    suite_add_tcase(s, t);
    rc = unit_run(s);
    unlink(path);
    return rc;
}
