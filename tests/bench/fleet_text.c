/* fleet_text: the made fleet as files.
 *
 *     fleet_text metrics NODES DAYS STEP SLICE   OpenMetrics text of 18 hours; slice 0 has the half hour before it too
 *     fleet_text bill NODES DAYS                 FOCUS: a row per node and hour, and rows of other kinds
 *     fleet_text expected NODES DAYS STEP        what the report must give, day by day: day,team,cost
 *     fleet_text count NODES DAYS STEP           samples, those of DCGM_FI_DEV_FB_USED, its series at a time, pods
 *
 * The expected costs are no output of gputab: they are the plan's milliseconds and MiB, added up in integers and divided once. A team
 * here is also a bucket. CPU and memory follow the GPUs (W210), so that a node's whole rate is divided like its cards. */
#include "fleet.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- metrics ---- */

/* Decimal digits of v at p; returns the end. */
static char *put(char *p, int64_t v)
{
    char digits[24];
    int n = 0;

    do
        digits[n++] = (char)('0' + v % 10);
    while ((v /= 10) > 0);
    while (n > 0)
        *p++ = digits[--n];
    return p;
}

static void print_series(void *ctx, const struct fleet_series *s)
{
    struct fleet_labels labels;
    char line[2400], *end = line;

    (void)ctx;
    fleet_labels(s, &labels);
    end += sprintf(end, "%s{", fleet_family_names[s->family]);
    for (unsigned i = 0; i < labels.n; i++)
        end += sprintf(end, "%s%s=\"%s\"", i ? "," : "", labels.v[i].name, labels.v[i].value);
    end += sprintf(end, "} ");
    for (int64_t i = 0; i < s->n; i++) {
        int64_t t = s->first + i * s->step;
        char *p = put(end, fleet_value(s, t));

        *p++ = ' ';
        p = put(p, t / 1000);
        *p++ = '.';
        *p++ = (char)('0' + t / 100 % 10);
        *p++ = (char)('0' + t / 10 % 10);
        *p++ = (char)('0' + t % 10);
        *p++ = '\n';
        fwrite(line, 1, (size_t)(p - line), stdout);
    }
}

static void print_metrics(const struct fleet *f, unsigned slice)
{
    int64_t from = FLEET_START + slice * FLEET_SLICE, to = from + FLEET_SLICE;

    if (slice == 0)
        from -= FLEET_KUBE_STEP;
    for (int family = 0; family < FLEET_FAMILIES; family++) {
        printf("# TYPE %s gauge\n", fleet_family_names[family]);
        fleet_each(f, (enum fleet_family)family, from, to, print_series, NULL);
    }
    puts("# EOF");
}

/* ---- the bill ---- */

struct row {
    const char *cost, *description, *resource, *service, *category, *unit, *quantity, *shape, *charge;
    unsigned hour, hours;
};

static void print_stamp(unsigned hour)
{
    unsigned day = hour / 24;                          /* from the first of October on */
    unsigned month = day < 31 ? 10 : day < 61 ? 11 : 12;

    printf("2026-%02u-%02uT%02u:00:00Z,", month, day - (month > 10 ? 31 : 0) - (month > 11 ? 30 : 0) + 1, hour % 24);
}

static void print_row(struct row r)
{
    printf("%s,000111222333,USD,2026-11-01T00:00:00Z,2026-10-01T00:00:00Z,%s,%s,Usage-Based,", r.cost, r.charge, r.description);
    print_stamp(r.hour + r.hours);
    print_stamp(r.hour);
    printf("%s,%s,%s,AWS,%s,Standard,%s,%s,AWS,AWS,us-east-1,%s,%s,%s,%s,000444555666\n", r.quantity, r.unit, r.cost, r.cost, r.quantity,
           r.unit, r.resource, r.category, r.service, r.shape);
}

/* The instance, and its traffic, which is no instance time. */
static void print_node_hour(unsigned node, unsigned hour)
{
    char id[32];
    struct row r = { .resource = id, .service = "Amazon Elastic Compute Cloud", .category = "Compute", .charge = "Usage", .hour = hour };

    fleet_resource_id(node, id, sizeof id);
    r.hours = 1;
    r.cost = fleet_rates[fleet_rate(node)];
    r.description = "p5.48xlarge instance hour";
    r.unit = "Hours";
    r.quantity = "1";
    r.shape = "\"{\"\"InstanceType\"\": \"\"p5.48xlarge\"\"}\"";
    print_row(r);
    r.cost = "0.0184";
    r.description = "data transferred out";
    r.unit = "GB";
    r.quantity = "0.92";
    r.shape = "";
    print_row(r);
}

static void print_bill(const struct fleet *f)
{
    puts("BilledCost,BillingAccountId,BillingCurrency,BillingPeriodEnd,BillingPeriodStart,ChargeCategory,ChargeDescription,"
         "ChargeFrequency,ChargePeriodEnd,ChargePeriodStart,ConsumedQuantity,ConsumedUnit,EffectiveCost,InvoiceIssuerName,ListCost,"
         "PricingCategory,PricingQuantity,PricingUnit,ProviderName,PublisherName,RegionId,ResourceId,ServiceCategory,ServiceName,"
         "SkuPriceDetails,SubAccountId");
    for (unsigned hour = 0; hour < f->days * 24; hour++) {
        for (unsigned node = 0; node < f->nodes; node++)
            print_node_hour(node, hour);
        print_row((struct row){ .cost = "0.023", .description = "storage", .resource = "arn:aws:s3:::training-data",
                                .service = "Amazon Simple Storage Service", .category = "Storage", .unit = "GB-Mo", .quantity = "1",
                                .shape = "", .charge = "Usage", .hour = hour, .hours = 1 });
    }
    print_row((struct row){ .cost = "1234.56", .description = "tax", .resource = "", .service = "Tax", .category = "Other", .unit = "",
                            .quantity = "", .shape = "", .charge = "Tax", .hours = f->days * 24 });
}

/* ---- what must come out ---- */

enum { UNATTRIBUTED = FLEET_TEAMS, IDLE, OWNERS };

/* Of one day and rate: device milliseconds, times four times the card's MiB, so that copies divided by four are whole numbers. */
typedef uint64_t sums[FLEET_RATES][OWNERS];

enum { WHOLE = 4 * FLEET_MIB };

static void add_instant(uint64_t *own, unsigned node, unsigned gpu, int64_t t, int64_t ms)
{
    uint64_t rest = WHOLE, w = (uint64_t)ms, used = (uint64_t)fleet_device_mib(node, gpu, t), known = 0;

    if (!fleet_shared(node)) {
        own[fleet_team(node, gpu, 0, fleet_pod_at(node, gpu, 0, t))] += WHOLE * w;
        return;
    }
    for (unsigned place = 0; place < FLEET_PLACES; place++) {
        uint64_t part = fleet_per_pod(node) ? 4 * (uint64_t)fleet_pod_mib(node, gpu, place, t) : used;

        own[fleet_team(node, gpu, place, fleet_pod_at(node, gpu, place, t))] += part * w;
        known += part;
    }
    own[UNATTRIBUTED] += (4 * used - known) * w;
    rest -= 4 * used;
    own[IDLE] += rest * w;
}

/* Each sample stands until the next one. */
static void add_device(const struct fleet *f, sums *days, unsigned node, unsigned gpu)
{
    int64_t step = f->step_s * INT64_C(1000), end = FLEET_START + f->days * FLEET_DAY;

    for (int64_t t = FLEET_START - step + fleet_offset(f, node); t < end; t += step) {
        int64_t from = t < FLEET_START ? FLEET_START : t, to = t + step < end ? t + step : end;

        while (from < to) {
            int64_t day = (from - FLEET_START) / FLEET_DAY, midnight = FLEET_START + (day + 1) * FLEET_DAY;
            int64_t until = to < midnight ? to : midnight;

            add_instant(days[day][fleet_rate(node)], node, gpu, t, until - from);
            from = until;
        }
    }
}

static void print_expected(const struct fleet *f)
{
    sums *days = calloc(f->days, sizeof *days);
    const long double device_hour = 3600.0L * 1000 * WHOLE * FLEET_GPUS;

    for (unsigned node = 0; days && node < f->nodes; node++)
        for (unsigned gpu = 0; gpu < FLEET_GPUS; gpu++)
            add_device(f, days, node, gpu);
    puts("day,team,cost");
    for (unsigned day = 0; days && day < f->days; day++)
        for (unsigned owner = 0; owner < OWNERS; owner++) {
            long double cost = 0;

            for (unsigned r = 0; r < FLEET_RATES; r++)
                cost += (long double)days[day][r][owner] / device_hour * strtold(fleet_rates[r], NULL);
            printf("%u,%s,%.6Lf\n", day, owner == IDLE ? "(idle)" : owner == UNATTRIBUTED ? "(unattributed)" : fleet_teams[owner], cost);
        }
    free(days);
}

/* ---- counts ---- */

struct counts {
    int64_t samples, gpu_samples, series, pods;
};

static void count_series(void *ctx, const struct fleet_series *s)
{
    struct counts *c = ctx;

    c->samples += s->n;
    c->gpu_samples += s->family == FLEET_FB_USED ? s->n : 0;
    c->pods += s->family == FLEET_POD_INFO;
}

static void count_standing(void *ctx, const struct fleet_series *s)
{
    struct counts *c = ctx;

    (void)s;
    c->series++;
}

static void print_counts(const struct fleet *f)
{
    struct counts c = { 0 };
    int64_t end = FLEET_START + f->days * FLEET_DAY, noon = FLEET_START + FLEET_DAY / 2 + 1;

    for (int family = 0; family < FLEET_FAMILIES; family++)
        fleet_each(f, (enum fleet_family)family, 0, end, count_series, &c);
    fleet_each(f, FLEET_FB_USED, noon, noon + f->step_s * INT64_C(1000), count_standing, &c);
    printf("{\"samples\": %" PRId64 ", \"gpu_samples\": %" PRId64 ", \"gpu_series\": %" PRId64 ", \"pods\": %" PRId64 "}\n", c.samples,
           c.gpu_samples, c.series, c.pods);
}

static unsigned number(int argc, char **argv, int i, unsigned otherwise)
{
    return argc > i ? (unsigned)atoi(argv[i]) : otherwise;
}

int main(int argc, char **argv)
{
    const char *what = argc > 1 ? argv[1] : "";
    struct fleet f = { number(argc, argv, 2, 0), number(argc, argv, 3, 0), number(argc, argv, 4, 60) };
    static char out[1 << 20];

    setvbuf(stdout, out, _IOFBF, sizeof out);
    if (f.nodes < 1 || f.nodes > 4000 || f.days < 1 || f.days > 90 || f.step_s < 1 || f.step_s > 300) {
        fputs("usage: fleet_text metrics|bill|expected|count NODES DAYS [STEP [SLICE]]\n", stderr);
        return 2;
    }
    if (strcmp(what, "metrics") == 0 && argc == 6)
        print_metrics(&f, number(argc, argv, 5, 0));
    else if (strcmp(what, "bill") == 0)
        print_bill(&f);
    else if (strcmp(what, "expected") == 0)
        print_expected(&f);
    else if (strcmp(what, "count") == 0)
        print_counts(&f);
    else
        return 2;
    return fflush(stdout) == 0 ? 0 : 1;
}
