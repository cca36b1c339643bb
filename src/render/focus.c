/* focus: allocated charges of FOCUS 1.3 as CSV: for each charge of the bill a row per pod that pays for it, and a row per bucket, which is
 * what FOCUS calls the unallocated portion: it has no allocated resource.
 *
 * Of a charge only what gputab knows of it is written: columns of the bill that it does not read are not there, nor costs that the rule
 * did not ask for. Numbers have 12 decimals, and null is an empty cell. Columns of gputab's own begin with x_, its tags with gputab/. */
#include "gputab/codec/json_out.h"
#include "gputab/render/csv_cells.h"
#include "gputab/render/formats.h"

/* Columns of the part REPORT_ORIGINS. */
enum origin { RESOURCE, FROM, TO, CORRECTION, REGION, TYPE, PURCHASE, BUCKET, REASON, UID, CLUSTER, NAMESPACE, POD, WORKLOAD, TEAM,
              COST_CENTRE, COST, INVOICED, GPU_HOURS, GPU_SHARE, CPU_SHARE, MEMORY_SHARE, ORIGINS };
static const char *const origins[ORIGINS] = {
    "resource", "from", "to", "correction", "region", "instance_type", "purchase", "bucket", "reason", "uid", "cluster", "namespace", "pod",
    "workload", "team", "cost_centre", "cost", "invoiced", "gpu_hours", "gpu_share", "cpu_share", "memory_share",
};

struct focus {
    const struct report *r;
    const struct cell *row;
    int column[ORIGINS];
    struct buf text;               /* scratch */
};

static const char *text_of(const struct focus *f, enum origin o)
{
    const struct cell *c = &f->row[f->column[o]];

    return c->type == CELL_TEXT ? c->text : "";
}

static money number_of(const struct focus *f, enum origin o)
{
    return f->row[f->column[o]].number;
}

/* A bucket that is a team's name is no team. */
static bool is_bucket(const char *name)
{
    for (int b = BUCKET_NONE + 1; b < BUCKETS; b++)
        if (span_eq(span_of(name), bucket_names[b]))
            return true;
    return false;
}

/* ---- cells, into f->text; empty: null ---- */

static void number_member(struct json_out *j, const char *key, money number)
{
    struct buf b = {0};

    render_add_rate(&b, number);
    json_out_key(j, key);
    json_out_decimal(j, buf_span(&b));
    buf_free(&b);
}

static void text_member(struct json_out *j, const char *key, const char *text)
{
    json_out_key(j, key);
    json_out_text(j, text);
}

/* One for each piece that the row has a part of, and one at least. */
static void method_details(struct focus *f)
{
    static const struct { enum origin share; const char *piece; } pieces[] = {
        {GPU_SHARE, "gpu"}, {CPU_SHARE, "cpu"}, {MEMORY_SHARE, "memory"},
    };
    bool nothing = !number_of(f, GPU_SHARE) && !number_of(f, CPU_SHARE) && !number_of(f, MEMORY_SHARE);
    struct json_out j;

    json_out_init(&j, &f->text);
    json_out_object(&j, JSON_OUT_INLINE);
    json_out_key(&j, "Elements");
    json_out_array(&j, JSON_OUT_INLINE);
    for (int i = 0; i < 3; i++) {
        money hours = pieces[i].share == GPU_SHARE ? number_of(f, GPU_HOURS) : 0;

        if (!number_of(f, pieces[i].share) && !hours && !(nothing && i == 0))
            continue;
        json_out_object(&j, JSON_OUT_INLINE);
        number_member(&j, "AllocatedRatio", number_of(f, pieces[i].share));
        if (hours) {
            text_member(&j, "UsageUnit", "GPU-Hours");
            number_member(&j, "UsageQuantity", hours);
        }
        text_member(&j, "x_Piece", pieces[i].piece);
        json_out_end(&j);
    }
    json_out_end(&j);
    json_out_end(&j);
}

static void method_id(struct focus *f)
{
    buf_addf(&f->text, "gputab/%s/%s%s%.12s", f->r->rule_name, f->r->rule_version, f->r->rule_version[0] ? "/" : "", f->r->rule_sha256);
}

static void add_in_cluster(struct focus *f, const char *first, const char *second)
{
    if (text_of(f, CLUSTER)[0])
        buf_addf(&f->text, "%s/", text_of(f, CLUSTER));
    buf_addf(&f->text, "%s%s%s", first, second[0] ? "/" : "", second);
}

/* A name may be used again, a uid is not; what has none is known by its name in its cluster. */
static void allocated_id(struct focus *f)
{
    if (text_of(f, UID)[0])
        add_in_cluster(f, text_of(f, UID), "");
    else if (text_of(f, POD)[0])
        add_in_cluster(f, text_of(f, NAMESPACE), text_of(f, POD));
}

static void allocated_name(struct focus *f)
{
    if (text_of(f, POD)[0])
        buf_addf(&f->text, "%s/%s", text_of(f, NAMESPACE), text_of(f, POD));
}

static void allocated_tags(struct focus *f)
{
    static const struct { enum origin o; const char *key; } tags[] = {
        {CLUSTER, "gputab/cluster"}, {COST_CENTRE, "gputab/cost_centre"}, {NAMESPACE, "gputab/namespace"}, {TEAM, "gputab/team"},
        {WORKLOAD, "gputab/workload"},
    };
    struct json_out j;

    if (!text_of(f, POD)[0])
        return;
    json_out_init(&j, &f->text);
    json_out_object(&j, JSON_OUT_INLINE);
    for (size_t i = 0; i < sizeof tags / sizeof *tags; i++)
        if (text_of(f, tags[i].o)[0] && !is_bucket(text_of(f, tags[i].o)))
            text_member(&j, tags[i].key, text_of(f, tags[i].o));
    json_out_end(&j);
}

static void billed_cost(struct focus *f) { money_add_text(&f->text, number_of(f, INVOICED), MONEY_DECIMALS); }
static void cost(struct focus *f) { money_add_text(&f->text, number_of(f, COST), MONEY_DECIMALS); }
static void currency(struct focus *f) { buf_adds(&f->text, f->r->currency); }
static void category(struct focus *f) { buf_adds(&f->text, "Usage"); }
static void charge_class(struct focus *f) { buf_adds(&f->text, text_of(f, CORRECTION)); }
static void period_end(struct focus *f) { buf_adds(&f->text, text_of(f, TO)); }
static void period_start(struct focus *f) { buf_adds(&f->text, text_of(f, FROM)); }
static void region(struct focus *f) { buf_adds(&f->text, text_of(f, REGION)); }
static void resource(struct focus *f) { buf_adds(&f->text, text_of(f, RESOURCE)); }
static void instance_type(struct focus *f) { buf_adds(&f->text, text_of(f, TYPE)); }
static void purchase(struct focus *f) { buf_adds(&f->text, text_of(f, PURCHASE)); }
static void reason(struct focus *f) { buf_adds(&f->text, text_of(f, REASON)); }
static void run_id(struct focus *f) { buf_adds(&f->text, f->r->run_id); }
static void draft(struct focus *f) { buf_adds(&f->text, f->r->draft ? "true" : ""); }

/* Of a pod that the rule gives to no team, too. */
static void bucket(struct focus *f)
{
    if (text_of(f, BUCKET)[0])
        buf_adds(&f->text, text_of(f, BUCKET));
    else if (is_bucket(text_of(f, TEAM)))
        buf_adds(&f->text, text_of(f, TEAM));
}

enum { EFFECTIVE = 1 << RULE_COST_EFFECTIVE | 1 << RULE_COST_NET_EFFECTIVE, LIST = 1 << RULE_COST_LIST };

/* costs: under which kinds of cost the column is there, a bit each; 0: always. */
static const struct { const char *name; void (*add)(struct focus *); unsigned costs; } columns[] = {
    {"AllocatedMethodDetails", method_details}, {"AllocatedMethodId", method_id}, {"AllocatedResourceId", allocated_id},
    {"AllocatedResourceName", allocated_name}, {"AllocatedTags", allocated_tags}, {"BilledCost", billed_cost},
    {"BillingCurrency", currency}, {"ChargeCategory", category}, {"ChargeClass", charge_class}, {"ChargePeriodEnd", period_end},
    {"ChargePeriodStart", period_start}, {"EffectiveCost", cost, EFFECTIVE}, {"ListCost", cost, LIST}, {"RegionId", region},
    {"ResourceId", resource}, {"x_Bucket", bucket}, {"x_Draft", draft}, {"x_InstanceType", instance_type},
    {"x_PurchaseOption", purchase}, {"x_Reason", reason}, {"x_RunId", run_id},
};
enum { COLUMNS = sizeof columns / sizeof *columns };

static bool is_there(const struct report *r, int column)
{
    return !columns[column].costs || columns[column].costs & 1U << r->cost;
}

static void add_row(struct focus *f, struct buf *out)
{
    for (int c = 0; c < COLUMNS; c++) {
        if (!is_there(f->r, c))
            continue;
        buf_clear(&f->text);
        columns[c].add(f);
        if (c)
            buf_addc(out, ',');
        csv_text(out, &csv_style_plain, buf_str(&f->text));
    }
    buf_addc(out, '\n');
}

void render_focus(const struct report *r, const struct render_cfg *cfg, struct sink *out)
{
    const struct table *t = &r->parts[REPORT_ORIGINS]->table;
    struct focus f = {.r = r};

    (void)cfg;
    for (int o = 0; o < ORIGINS; o++)
        f.column[o] = table_find(t, origins[o]);
    for (int c = 0; c < COLUMNS; c++)
        if (is_there(r, c))
            buf_addf(&out->text, "%s%s", c ? "," : "", columns[c].name);
    buf_addc(&out->text, '\n');
    for (size_t row = 0; row < t->n_rows; row++) {
        f.row = table_row(t, row);
        add_row(&f, &out->text);
        sink_relieve(out);
    }
    buf_free(&f.text);
}
