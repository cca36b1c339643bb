/* paths: inputs of tests/cases read as the program reads them, from their bytes to values, each with everything released at the end. */
#include "paths.h"

#include <string.h>
#include <zlib.h>
#include <zstd.h>

#include "gputab/base/file.h"
#include "gputab/base/xalloc.h"
#include "gputab/cli/cmd.h"
#include "gputab/cli/interrupt.h"
#include "gputab/codec/csv.h"
#include "gputab/codec/unpack.h"
#include "gputab/source/bill.h"
#include "gputab/source/catalogue.h"
#include "gputab/source/metrics.h"
#include "gputab/source/nodes.h"
#include "gputab/source/prometheus_reply.h"
#include "gputab/source/rule.h"
#include "gputab/source/settings.h"
#include "gputab/value/sample_pack.h"

#define CASES "tests/cases/"
#define FOCUS CASES "15-negative-charge-and-cents/billing.csv"
#define LONGER CASES "03-exclusive-held-unheld-cost/billing.csv"
#define AZURE CASES "13-azure-vmss-daily-rows/billing.csv"
#define CUR CASES "09-aws-cur-all-row-types/billing.csv"
#define METRICS CASES "16-owners-dates-labels-cost-centres/metrics.om"
#define OCTOBER { INT64_C(1790812800000), INT64_C(1793491200000) }       /* 2026 */

const char *alloc_folder;

static void add_money(struct buf *b, money m)
{
    money_add_text(b, m, MONEY_DECIMALS);
    buf_addc(b, ' ');
}

static void add_diag(struct buf *b, const struct diag *d)
{
    for (size_t i = 0; i < d->n; i++)
        buf_addf(b, "%s x%lld %s (%s)\n", d->items[i].code, (long long)d->items[i].count, d->items[i].texts[0],
                 d->items[i].hint ? d->items[i].hint : "");
}

/* ---- csv, packed and not ---- */

static int read_csv(const char *path, struct buf *out, struct err *e)
{
    struct unpack *u;
    struct csv *r;
    struct csv_row row;
    int rc;

    if (unpack_open(&u, path, UNPACK_SHA256, e) < 0)
        return -1;
    r = csv_over(u, &(struct csv_config){ .name = path, .block = 4096 });
    while ((rc = csv_next(r, &row, e)) == 1)
        for (size_t i = 0; i < row.n; i++) {
            buf_add_span(out, row.fields[i]);
            buf_addc(out, i + 1 < row.n ? '|' : '\n');
        }
    csv_free(r);
    unpack_close(u);
    return rc;
}

static int write_file(const char *path, struct span s, struct err *e)
{
    struct file_set *files = file_set_new();
    int rc = file_set_add(files, path, s, e) < 0 ? -1 : file_set_commit(files, e);

    file_set_abort(files);
    return rc;
}

static int with_packed(const char *source, const char *name, int (*pack)(struct span, struct buf *), struct buf *out, struct err *e)
{
    struct buf path = {0}, text = {0}, packed = {0};
    int rc = -1;

    buf_addf(&path, "%s/%s", alloc_folder, name);
    if (file_read(path.p, 1 << 24, &packed, e) < 0) {        /* the first run makes it */
        err_clear(e);
        if (file_read(source, 1 << 24, &text, e) < 0 || pack(buf_span(&text), &packed) < 0
            || write_file(path.p, buf_span(&packed), e) < 0)
            goto out;
    }
    rc = read_csv(path.p, out, e);
out:
    buf_free(&path);
    buf_free(&text);
    buf_free(&packed);
    return rc;
}

static int pack_gzip(struct span s, struct buf *out)
{
    z_stream z = {0};

    buf_reserve(out, s.n + 4096);
    if (deflateInit2(&z, 6, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY) != Z_OK)
        return -1;
    z.next_in = (unsigned char *)xstrndup(s.p, s.n);
    z.avail_in = (uInt)s.n;
    z.next_out = (unsigned char *)out->p;
    z.avail_out = (uInt)(s.n + 4096);
    deflate(&z, Z_FINISH);
    free(z.next_in - z.total_in);
    out->n = z.total_out;
    deflateEnd(&z);
    return 0;
}

static int pack_zstd(struct span s, struct buf *out)
{
    size_t n;

    buf_reserve(out, ZSTD_compressBound(s.n));
    n = ZSTD_compress(out->p, ZSTD_compressBound(s.n), s.p, s.n, 3);
    out->n = ZSTD_isError(n) ? 0 : n;
    return ZSTD_isError(n) ? -1 : 0;
}

static int read_csv_gzip(const char *source, struct buf *out, struct err *e)
{
    return with_packed(source, "bill.csv.gz", pack_gzip, out, e);
}

static int read_csv_zstd(const char *source, struct buf *out, struct err *e)
{
    return with_packed(source, "bill.csv.zst", pack_zstd, out, e);
}

/* ---- bill ---- */

static const struct catalogue *catalogue(struct err *e)
{
    static struct catalogue c;

    return c.models.n || catalogue_builtin(&c, e) == 0 ? &c : NULL;
}

static void add_bill(struct buf *b, const struct bill *bill, const struct intern *names)
{
    for (size_t i = 0; i < bill->charges.n; i++) {
        struct charge c = charge_list_at(&bill->charges, i);

        buf_addf(b, "%s %lld %lld %lld %d %s %s ", intern_cstr(names, c.resource), (long long)c.span.from, (long long)c.span.to,
                 (long long)c.billed_ns, (int)c.purchase, intern_cstr(names, c.region), intern_cstr(names, c.instance_type));
        add_money(b, c.cost);
        add_money(b, c.invoiced);
        buf_addf(b, "%lld %lld %lld\n", (long long)c.vcpu_micro, (long long)c.memory_micro_gib, (long long)c.gpu_count_micro);
    }
    for (int g = 0; g < BILL_GROUPS; g++) {
        add_money(b, bill->groups[g]);
        add_money(b, bill->groups_invoiced[g]);
    }
    add_money(b, bill->outside);
    add_money(b, bill->file_total);
    buf_addf(b, "%lld %d\n", (long long)bill->rows, bill->is_final);
}

static int read_bill(const char *path, struct buf *out, struct err *e)
{
    struct inventory inventory;
    struct diag diag = {0};
    struct bill bill = {0};
    struct bill_request req = { .period = OCTOBER, .catalogue = catalogue(e), .inventory = &inventory, .diag = &diag };
    int rc;

    if (!req.catalogue)
        return -1;
    req.names = intern_new();
    inventory_init(&inventory, req.names);
    rc = bill_read(&path, 1, &req, &bill, e);
    if (rc == 0)
        add_bill(out, &bill, req.names);
    if (rc == 0)
        add_diag(out, &diag);
    bill_free(&bill);
    diag_free(&diag);
    inventory_free(&inventory);
    intern_free(req.names);
    return rc;
}

/* ---- metrics ---- */

static void add_inventory(struct buf *b, const struct inventory *inv, const struct sample_window *w)
{
    const size_t counts[] = { inv->targets.n, inv->nodes.n, inv->gpus.n, inv->devices.n, inv->pods.n, inv->namespaces.n,
                              intern_count(inv->labelsets), intern_count(inv->names), w->n_series, w->runs.n };

    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++)
        buf_addf(b, "%zu ", counts[i]);
    for (size_t i = 0; i < inv->pods.n; i++)
        buf_addf(b, "%s %s %u %u\n", intern_cstr(inv->names, inv->pods.v[i].name), intern_cstr(inv->names, inv->pods.v[i].uid),
                 inv->pods.v[i].labels.n, inv->pods.v[i].node.n);
    for (size_t i = 0; i < w->runs.n; i++) {
        struct samples samples = { 0 };

        sample_pack_read_run(&w->runs.v[i], &samples);
        buf_addf(b, "%u:", w->runs.v[i].series);
        for (size_t k = 0; k < samples.n; k += 50)
            buf_addf(b, " %lld=%lld", (long long)samples.v[k].time, (long long)samples.v[k].value);
        vec_free(&samples);
    }
}

static int read_metrics(const char *path, struct buf *out, struct err *e)
{
    static const char *const pod_labels[] = { "example.com/team", NULL }, *const namespace_labels[] = { "team", NULL };
    struct intern *names = intern_new();
    struct inventory inv;
    struct diag diag = {0};
    struct metrics *m = NULL;
    struct sample_window w = {0};
    struct metrics_source source = { .name = "", .cluster_label = "cluster", .file = path };
    struct metrics_request req = { .period = OCTOBER, .max_gap_ms = 300000, .pod_labels = pod_labels,
                                   .namespace_labels = namespace_labels, .names = names, .diag = &diag };
    int rc;

    inventory_init(&inv, names);
    rc = metrics_open(&m, &source, 1, &req, &inv, e);
    if (rc == 0)
        rc = metrics_window(m, req.period, &w, e);
    if (rc == 0) {
        add_inventory(out, &inv, &w);
        add_diag(out, &diag);
    }
    vec_free(&w.runs);
    metrics_free(m);
    inventory_free(&inv);
    diag_free(&diag);
    intern_free(names);
    return rc;
}

static int read_reply(const char *path, struct buf *out, struct err *e)
{
    static const char *const labels[] = { "app", NULL };
    struct buf text = {0};
    struct intern *names = intern_new();
    struct diag diag = {0};
    struct metrics_request req = { .period = OCTOBER, .pod_labels = labels, .namespace_labels = labels,
                                   .names = names, .diag = &diag };
    struct scrape_origin origin = { "cluster", "" };
    struct scrape scrape;
    struct prometheus_reply r;
    int rc = file_read(path, 1 << 20, &text, e);

    scrape_init(&scrape, &req);
    prometheus_reply_init(&r, &scrape, &origin);
    prometheus_reply_begin(&r, req.period);
    for (size_t i = 0; i < text.n && rc == 0; i += 7)
        rc = prometheus_reply_feed(&r, text.p + i, text.n - i < 7 ? text.n - i : 7);
    if (rc == 0)
        rc = prometheus_reply_end(&r);
    if (rc == 0)
        rc = reply_keep(&r.base, e);
    if (rc < 0 && e->code == ERR_NONE)
        *e = r.base.err;
    buf_addf(out, "%zu %lld\n", scrape.targets.n, (long long)scrape.n_samples);
    prometheus_reply_free(&r);
    scrape_free(&scrape);
    diag_free(&diag);
    intern_free(names);
    buf_free(&text);
    return rc;
}

/* ---- rule, settings and nodes ---- */

static int read_rule(const char *path, struct buf *out, struct err *e)
{
    struct rule r = {0};
    struct diag d = {0};
    int rc = rule_read(path, &r, &d, e);

    if (rc == 0) {
        buf_addf(out, "%s %s %s %d ", r.name, r.version, r.sha256, (int)r.split.method);
        add_money(out, r.split.share_gpu);
        for (size_t i = 0; i < r.owners.n; i++)
            buf_addf(out, "%s %s %lld\n", r.owners.v[i].team, r.owners.v[i].bucket ? r.owners.v[i].bucket : "",
                     (long long)r.owners.v[i].from);
        for (size_t i = 0; i < r.cost_centres.n; i++)
            buf_addf(out, "%s %s\n", r.cost_centres.v[i].id, r.cost_centres.v[i].name);
        add_diag(out, &d);
    }
    rule_free(&r);
    diag_free(&d);
    return rc;
}

static int read_settings(const char *path, struct buf *out, struct err *e)
{
    struct settings s = {0};
    int rc = settings_read(path, &s, e);

    for (size_t i = 0; rc == 0 && i < s.sources.n; i++)
        buf_addf(out, "%s %s\n", s.sources.v[i].name, s.sources.v[i].prometheus ? s.sources.v[i].prometheus : s.sources.v[i].metrics);
    for (size_t i = 0; rc == 0 && i < s.families.n; i++)
        buf_addf(out, "%s %s\n", s.families.v[i].name, s.families.v[i].labels[0].name);
    for (size_t i = 0; rc == 0 && i < s.clusters.n; i++)
        buf_addf(out, "%s %s\n", s.clusters.v[i].value, s.clusters.v[i].name);
    settings_free(&s);
    return rc;
}

/* A text as a file: for what no case of the tests holds. */
static int with_text(const char *text, const char *name, int (*read)(const char *, struct buf *, struct err *), struct buf *out,
                     struct err *e)
{
    struct buf path = {0}, old = {0};
    int rc = 0;

    buf_addf(&path, "%s/%s", alloc_folder, name);
    if (file_read(path.p, 1 << 20, &old, e) < 0 || strcmp(buf_str(&old), text) != 0) {
        err_clear(e);
        rc = write_file(path.p, span_of(text), e);
    }
    if (rc == 0)
        rc = read(path.p, out, e);
    buf_free(&path);
    buf_free(&old);
    return rc;
}

static int read_rule_text(const char *text, struct buf *out, struct err *e)
{
    return with_text(text, "rule.yaml", read_rule, out, e);
}

static int read_settings_text(const char *text, struct buf *out, struct err *e)
{
    return with_text(text, "gputab.yaml", read_settings, out, e);
}

static int read_bill_text(const char *text, struct buf *out, struct err *e)
{
    return with_text(text, "bill.csv", read_bill, out, e);
}

static int read_nodes(const char *path, struct buf *out, struct err *e)
{
    struct intern *names = intern_new();
    struct node_file f = {0};
    int rc = node_file_read(path, names, &f, e);

    for (size_t i = 0; rc == 0 && i < f.entries.n; i++)
        buf_addf(out, "%s %s %s\n", intern_cstr(names, f.entries.v[i].node), intern_cstr(names, f.entries.v[i].resource),
                 intern_cstr(names, f.entries.v[i].type));
    node_file_free(&f);
    intern_free(names);
    return rc;
}

/* ---- a whole run ---- */

/* The report goes to two files; the driver looks at what is there afterwards. */
static int report(const char *folder, struct buf *out, struct err *e)
{
    struct buf p[5] = {{0}};
    static const char *const names[] = { "billing.csv", "metrics.om", "rule.yaml" };
    const struct cmd *c = cmd_find("report", e);
    int rc = -1;

    (void)out;
    interrupt_install();
    for (int i = 0; i < 3; i++)
        buf_addf(&p[i], "%s/%s", folder, names[i]);
    buf_addf(&p[3], "%s/out/a.json", alloc_folder);
    buf_addf(&p[4], "%s/out/b.csv", alloc_folder);
    if (c) {
        const char *argv[] = { "--from", "2026-10-15T23:00:00Z", "--to", "2026-10-16T01:00:00Z", "--by", "cost_centre,team", "--quiet",
                               "--billing", p[0].p, "--metrics", p[1].p, "--rule", p[2].p, "-o", p[3].p, "-o", p[4].p, NULL };

        rc = c->run(sizeof argv / sizeof *argv - 1, argv, e);
    }
    for (int i = 0; i < 5; i++)
        buf_free(&p[i]);
    return rc;
}

const struct path alloc_paths[] = {
    { "csv", read_csv, LONGER },
    { "csv in gzip", read_csv_gzip, LONGER },
    { "csv in zstd", read_csv_zstd, LONGER },
    { "FOCUS bill", read_bill, FOCUS },
    { "AWS bill", read_bill, CUR },
    { "bill of objects", read_bill, "tests/fuzz/corpus/bill/seed-gcp-kinds.jsonl" },
    { "Azure bill", read_bill, AZURE },
    { "bill with details", read_bill_text,
      "BilledCost,EffectiveCost,BillingCurrency,ChargeCategory,ChargePeriodStart,ChargePeriodEnd,ResourceId,ServiceCategory,ProviderName,"
      "SkuPriceDetails\n"
      "1,1,USD,Usage,2026-10-05T10:00:00Z,2026-10-05T11:00:00Z,i-0a,Compute,AWS,"
      "\"{\"\"Note\"\": \"\"it's \\u00e4\"\", \"\"InstanceType\"\": \"\"p5.4xlarge\"\", \"\"List\"\": [1, {}]}\"\n" },
    { "metrics", read_metrics, METRICS },
    { "answer of the query API", read_reply, "tests/fuzz/corpus/reply/seed-two" },
    { "rule", read_rule, CASES "16-owners-dates-labels-cost-centres/rule.yaml" },
    { "rule of every key", read_rule, "tests/fuzz/corpus/rule/seed-every-key.yaml" },
    { "rule with a typing error", read_rule_text, "schema: gputab.rule/1\ngpu: {denominater: capacity}\n" },
    { "rule that is no YAML", read_rule_text, "schema: gputab.rule/1\ngpu: {a: [b, c}\n" },
    { "settings of every key", read_settings, "examples/settings/fleet.yaml" },
    { "settings with a secret", read_settings_text, "schema: gputab.settings/1\nsources: [{prometheus: \"http://h\", token: x}]\n" },
    { "nodes", read_nodes, CASES "10-two-gpu-models/nodes.csv" },
    { "report", report, CASES "16-owners-dates-labels-cost-centres" },
    { NULL, NULL, NULL },
};
