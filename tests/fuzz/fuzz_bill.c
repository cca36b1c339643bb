/* fuzz_bill: a bill read as it is, packed in pieces, and with its rows in the opposite order.
 *
 * How bytes come must change nothing. The order of rows must change neither charges nor sums: where a row's money goes depends on the
 * set of all rows. And whatever is read, charges, groups and what lies outside the period sum to the file. */
#include <zlib.h>
#include <zstd.h>

#include "fuzz_file.h"
#include "gputab/codec/csv.h"
#include "gputab/source/bill.h"
#include "gputab/source/catalogue.h"
#include "gputab/value/resource_id.h"

enum { ROWS_TURNED = 200 };

struct world {
    struct intern *names;
    struct inventory inventory;
    struct diag diag;
    struct bill bill;
    struct err err;
    int rc;
};

static const struct catalogue *catalogue(void)
{
    static struct catalogue c;
    struct err e = {0};

    if (c.models.n == 0)
        FUZZ_CHECK(catalogue_builtin(&c, &e) == 0);
    return &c;
}

/* Resources that metrics show with a GPU on 2026-10-05; the seeds speak of them. */
static void show_gpus(struct world *w)
{
    static const char *const resources[] = { "i-0aaa0000000000001", "i-0bbb0000000000001", "proj-demo/us-central1-a/gke-gpu-1", "gpu" };
    static const time_ms day = INT64_C(1791158400000);

    for (size_t i = 0; i < sizeof resources / sizeof *resources; i++) {
        struct node n = {0};
        struct gpu g = { .first_ms = day + 10 * TIME_HOUR, .last_ms = day + 12 * TIME_HOUR };

        steps_push(&n.resource, day, intern_str(w->names, resources[i]));
        steps_push(&g.node, day, (uint32_t)w->inventory.nodes.n);
        vec_push(&w->inventory.nodes, n);
        vec_push(&w->inventory.gpus, g);
    }
}

static struct world read_bill(struct span bytes, enum rule_cost cost, bool attached)
{
    struct world w = { .names = intern_new() };
    struct fuzz_file f = fuzz_file_open(bytes);
    const char *path = f.path;
    struct bill_request req = { .cost = cost, .attached_include = attached, .catalogue = catalogue(), .inventory = &w.inventory,
                                .names = w.names };

    inventory_init(&w.inventory, w.names);
    show_gpus(&w);
    FUZZ_CHECK(timespan_parse_month(span_of("2026-10"), &req.period) == 0);
    req.diag = &w.diag;
    w.rc = bill_read(&path, 1, &req, &w.bill, &w.err);
    FUZZ_CHECK((w.rc < 0) == (w.err.code != ERR_NONE));
    FUZZ_CHECK(w.rc == 0 || w.err.code == ERR_INPUT);        /* never the conservation gate, never a fault of our own */
    fuzz_file_close(&f);
    return w;
}

static void release(struct world *w)
{
    bill_free(&w->bill);
    diag_free(&w->diag);
    inventory_free(&w->inventory);
    intern_free(w->names);
}

/* ---- what came of it ---- */

static void add_money(struct buf *b, money m)
{
    money_add_text(b, m, MONEY_DECIMALS);
    buf_addc(b, ' ');
}

static void add_charge(struct buf *b, const struct world *w, const struct charge *c)
{
    const int64_t numbers[] = { c->span.from, c->span.to, c->billed_ns, c->correction_only, c->purchase, c->vcpu_micro,
                                c->memory_micro_gib, c->gpu_count_micro };

    buf_addf(b, "%s %s %s ", intern_cstr(w->names, c->resource), intern_cstr(w->names, c->region),
             intern_cstr(w->names, c->instance_type));
    add_money(b, c->cost);
    add_money(b, c->invoiced);
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        fuzz_add_number(b, numbers[i]);
    for (size_t i = c->first_part; i < c->first_part + c->n_parts; i++) {
        buf_addf(b, "%d %s ", (int)w->bill.parts.v[i].piece, intern_cstr(w->names, w->bill.parts.v[i].gpu_model));
        add_money(b, w->bill.parts.v[i].cost);
    }
    buf_addc(b, '\n');
}

static void add_sums(struct buf *b, const struct world *w)
{
    const struct bill *bill = &w->bill;

    for (size_t i = 0; i < bill->charges.n; i++) {
        struct charge c = charge_list_at(&bill->charges, i);

        add_charge(b, w, &c);
    }
    for (int g = 0; g < BILL_GROUPS; g++) {
        fuzz_add_number(b, bill->group_rows[g]);
        add_money(b, bill->groups[g]);
        add_money(b, bill->groups_invoiced[g]);
    }
    add_money(b, bill->outside);
    add_money(b, bill->outside_invoiced);
    add_money(b, bill->file_total);
    add_money(b, bill->file_invoiced);
    buf_addf(b, "%s %d %lld\n", intern_cstr(w->names, bill->currency), bill->is_final, (long long)bill->rows);
}

static void add_diag(struct buf *b, const struct diag *d)
{
    for (size_t i = 0; i < d->n; i++) {
        buf_addf(b, "%s x%lld", d->items[i].code, (long long)d->items[i].count);
        for (int t = 0; t < DIAG_TEXTS && d->items[i].texts[t]; t++)
            buf_addf(b, " [%s]", d->items[i].texts[t]);
        buf_addf(b, " (%s)\n", d->items[i].hint ? d->items[i].hint : "");
    }
}

static void add_all(struct buf *b, const struct world *w)
{
    if (w->rc < 0)
        fuzz_add_err(b, &w->err);
    else
        add_sums(b, w);
    add_diag(b, &w->diag);
}

static void check_sums(const struct bill *b, const struct intern *names)
{
    money cost = b->outside, invoiced = b->outside_invoiced;
    int64_t used = 0, rows = 0;

    for (size_t i = 0; i < b->charges.n; i++) {
        const struct charge_kept *c = &b->charges.v[i];

        cost += c->cost;
        invoiced += c->invoiced;
        FUZZ_CHECK(c->resource && c->span.from < c->span.to && c->billed_ns >= 0);
        FUZZ_CHECK(c->billed_ns <= (c->span.to - c->span.from) * TIME_NS_PER_MS
                   || resource_id_is_set(intern_get(names, c->resource)));
    }
    for (int g = 0; g < BILL_GROUPS; g++) {
        cost += g == GROUP_EXCLUDED ? 0 : b->groups[g];
        invoiced += g == GROUP_EXCLUDED ? 0 : b->groups_invoiced[g];
    }
    FUZZ_CHECK(cost == b->file_total && invoiced == b->file_invoiced);
    for (size_t i = 0; i < b->files.n; i++) {
        rows += b->files.v[i].rows;
        used += b->files.v[i].rows_used;
    }
    FUZZ_CHECK(rows == b->rows && used <= rows);
}

/* ---- packed ---- */

static void pack_gzip(struct span s, struct buf *out)
{
    z_stream z = {0};
    struct fuzz_feed feed = fuzz_feed_pieces(s);
    char piece[4096];

    FUZZ_CHECK(deflateInit2(&z, 1, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY) == Z_OK);
    buf_reserve(out, 4096 + 2 * s.n + 16 * s.n);             /* a piece may be a byte, and a flush costs some */
    z.next_out = (unsigned char *)out->p;
    z.avail_out = (uInt)(4096 + 18 * s.n);
    do {
        z.next_in = (unsigned char *)piece;
        z.avail_in = (uInt)fuzz_take(&feed, piece, sizeof piece);
        FUZZ_CHECK(deflate(&z, feed.rest.n ? Z_FULL_FLUSH : Z_FINISH) != Z_STREAM_ERROR);
    } while (feed.rest.n);
    out->n = z.total_out;
    deflateEnd(&z);
}

static void pack_zstd(struct span s, struct buf *out)
{
    size_t room = ZSTD_compressBound(s.n), n;

    buf_reserve(out, 2 * room);
    n = ZSTD_compress(out->p, room, s.p, s.n / 2, 1);
    FUZZ_CHECK(!ZSTD_isError(n));
    out->n = n;
    n = ZSTD_compress(out->p + out->n, room, s.p + s.n / 2, s.n - s.n / 2, 1);
    FUZZ_CHECK(!ZSTD_isError(n));
    out->n += n;
}

static bool is_plain(struct span s)
{
    static const char *const packed[] = { "\x1f\x8b", "\x28\xb5\x2f\xfd", "\x50\x2a\x4d\x18", "PK\3\4", "PK\5\6", "PK\7\10", "BZh",
                                          "\xfd\x37zXZ", "7z\xbc\xaf\x27\x1c", "PAR1", "\xff\xfe", "\xfe\xff" };

    for (size_t i = 0; i < sizeof packed / sizeof *packed; i++)
        if (span_starts(s, packed[i]))
            return false;
    return s.n > 0;
}

/* ---- turned ---- */

static int fill(void *from, char *p, size_t n, struct err *e)
{
    (void)e;
    return (int)fuzz_take(from, p, n);
}

static void add_row(struct buf *b, const struct csv_row *row)
{
    for (size_t i = 0; i < row->n; i++) {
        buf_adds(b, i ? ",\"" : "\"");
        for (size_t k = 0; k < row->fields[i].n; k++) {
            if (row->fields[i].p[k] == '"')
                buf_addc(b, '"');
            buf_addc(b, row->fields[i].p[k]);
        }
        buf_addc(b, '"');
    }
    buf_addc(b, '\n');
}

/* The first object, which tells the format, and behind it the others from the last to the first. */
static int turn_lines(struct span s, struct buf *out)
{
    struct span lines[ROWS_TURNED];
    size_t n = 0;

    while (s.n) {
        const char *nl = memchr(s.p, '\n', s.n);
        struct span line = { s.p, nl ? (size_t)(nl - s.p) : s.n };

        s = (struct span){ s.p + line.n + (nl != NULL), s.n - line.n - (nl != NULL) };
        if (n == ROWS_TURNED)
            return -1;
        if (span_trim(line).n)
            lines[n++] = line;
    }
    for (size_t i = 0; i < n; i++) {
        buf_add_span(out, lines[i ? n - i : 0]);
        buf_addc(out, '\n');
    }
    return 0;
}

static bool is_json(struct span s)
{
    if (span_starts(s, "\xef\xbb\xbf"))
        s = (struct span){ s.p + 3, s.n - 3 };
    return span_starts(span_trim((struct span){ s.p, s.n < 64 ? s.n : 64 }), "{");
}

/* The header and behind it the rows from the last to the first. 0, or -1 when there are too many. */
static int turn_rows(struct span s, struct buf *out)
{
    struct fuzz_feed feed = fuzz_feed_whole(s);
    struct csv *r = csv_new(fill, &feed, &(struct csv_config){ .name = "bill.csv", .block = s.n + 1 });
    struct buf rows[ROWS_TURNED] = {{0}};
    struct csv_row row;
    struct err e = {0};
    size_t n = 0;
    bool more;

    while ((more = csv_next(r, &row, &e) == 1) && n < ROWS_TURNED)
        add_row(&rows[n++], &row);
    FUZZ_CHECK(e.code == ERR_NONE);
    csv_free(r);
    for (size_t i = 0; i < n; i++)
        buf_add_span(out, buf_span(&rows[i ? n - i : 0]));
    for (size_t i = 0; i < n; i++)
        buf_free(&rows[i]);
    return more ? -1 : 0;
}

static void check_turned(struct span s, enum rule_cost cost, bool attached, const struct world *first)
{
    struct buf bytes = {0}, one = {0}, other = {0};
    struct world w;

    if ((is_json(s) ? turn_lines : turn_rows)(s, &bytes) == 0) {
        w = read_bill(buf_span(&bytes), cost, attached);
        if (w.rc < 0)
            fprintf(stderr, "%s\n", w.err.text);
        FUZZ_CHECK(w.rc == 0);
        add_sums(&one, first);
        add_sums(&other, &w);
        FUZZ_SAME(&one, &other);
        release(&w);
    }
    buf_free(&bytes);
    buf_free(&one);
    buf_free(&other);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct span s = fuzz_span(data, size);
    enum rule_cost cost = size / 2 % 8 < 5 ? RULE_COST_EFFECTIVE : (enum rule_cost)(size / 2 % 8 - 4);
    bool attached = size % 2;
    struct world w = read_bill(s, cost, attached), again;
    struct buf one = {0}, other = {0}, packed = {0};

    add_all(&one, &w);
    if (is_plain(s)) {
        size % 3 ? pack_zstd(s, &packed) : pack_gzip(s, &packed);
        again = read_bill(buf_span(&packed), cost, attached);
        add_all(&other, &again);
        FUZZ_SAME(&one, &other);
        release(&again);
    }
    if (w.rc == 0) {
        check_sums(&w.bill, w.names);
        if (is_plain(s))
            check_turned(s, cost, attached, &w);
    }
    release(&w);
    buf_free(&one);
    buf_free(&other);
    buf_free(&packed);
    return 0;
}
