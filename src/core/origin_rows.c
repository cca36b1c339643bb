/* origin_rows: the entries of a charge come one after the other; they are added up by pod or bucket, and written when the next charge
 * begins or the day is done: no more than one charge is held, and names are told while they are known.
 *
 * A charge of the book may be of several charges of the bill (its own, and parts of corrections and of scale sets): each is divided in the
 * proportion of the entries. What the first cells get of an amount is amount x their sum / all, rounded, and a cell the difference to what
 * the cells before it got: so the parts sum to the amount, whatever the signs, and where there is one origin they are the entries. */
#include "gputab/core/origin_rows.h"

#include <stdlib.h>

#include "gputab/base/xalloc.h"
#include "gputab/core/keys.h"

struct origin_key {                /* without padding */
    uint32_t pod_version, bucket, reason;
};

struct origin_part {               /* whose it is, and how much */
    struct entry first;
    money cost[PIECES], hours;
};

struct origin_rows {
    struct key_context context;
    struct key_list by;            /* that there is a namespace beside the pod */
    struct table table;
    const struct charge_book *book;        /* NULL: no charge is open */
    size_t charge;
    struct intern *keys;           /* of the open charge: struct origin_key -> place in parts + 1 */
    VEC(struct origin_part) parts;
    struct buf texts[ORIGIN_COST];
};

static const struct { const char *name; enum column_kind kind; } columns[ORIGIN_COLUMNS] = {
    [ORIGIN_RESOURCE] = {"resource", COLUMN_KEY},     [ORIGIN_FROM] = {"from", COLUMN_KEY},           [ORIGIN_TO] = {"to", COLUMN_KEY},
    [ORIGIN_CORRECTION] = {"correction", COLUMN_KEY}, [ORIGIN_REGION] = {"region", COLUMN_KEY},
    [ORIGIN_TYPE] = {"instance_type", COLUMN_KEY},    [ORIGIN_PURCHASE] = {"purchase", COLUMN_KEY},
    [ORIGIN_BUCKET] = {"bucket", COLUMN_BUCKET},      [ORIGIN_REASON] = {"reason", COLUMN_KEY},       [ORIGIN_UID] = {"uid", COLUMN_KEY},
    [ORIGIN_CLUSTER] = {"cluster", COLUMN_KEY},       [ORIGIN_NAMESPACE] = {"namespace", COLUMN_KEY}, [ORIGIN_POD] = {"pod", COLUMN_KEY},
    [ORIGIN_WORKLOAD] = {"workload", COLUMN_KEY},     [ORIGIN_TEAM] = {"team", COLUMN_KEY},
    [ORIGIN_COST_CENTRE] = {"cost_centre", COLUMN_KEY},
    [ORIGIN_COST] = {"cost", COLUMN_MONEY},           [ORIGIN_INVOICED] = {"invoiced", COLUMN_MONEY},
    [ORIGIN_GPU_HOURS] = {"gpu_hours", COLUMN_HOURS}, [ORIGIN_GPU_SHARE] = {"gpu_share", COLUMN_MONEY},
    [ORIGIN_CPU_SHARE] = {"cpu_share", COLUMN_MONEY}, [ORIGIN_MEMORY_SHARE] = {"memory_share", COLUMN_MONEY},
};

struct origin_rows *origin_rows_new(const struct inventory *inventory, const struct owners *owners)
{
    struct origin_rows *r = xcalloc(1, sizeof *r);

    r->by = (struct key_list){{KEY_NAMESPACE}, 1};
    r->context = (struct key_context){inventory, owners, &r->by};
    r->keys = intern_new();
    intern_mark(r->keys);
    for (int c = 0; c < ORIGIN_COLUMNS; c++)
        table_add_column(&r->table, columns[c].name, columns[c].kind, MONEY_DECIMALS);
    return r;
}

/* ---- dividing ---- */

static weight magnitude(money m)
{
    return (weight)(m < 0 ? -m : m);
}

/* amount x part / whole. */
static money in_proportion(money amount, money part, money whole)
{
    money m = money_mul_div(amount, magnitude(part), magnitude(whole));

    return (part < 0) != (whole < 0) ? -m : m;
}

/* How far the cells so far reach. */
struct reach {
    money done, whole;             /* of the weights */
};

struct origin_cells {
    money cost, invoiced, share[PIECES];
};

/* The next cell, of weight w, of an origin. */
static void add_cell(const struct book_origin *o, struct reach *at, money w, int piece, struct origin_cells *out)
{
    money before = at->done, after = at->done += w;

    out->cost += in_proportion(o->cost, after, at->whole) - in_proportion(o->cost, before, at->whole);
    out->invoiced += in_proportion(o->invoiced, after, at->whole) - in_proportion(o->invoiced, before, at->whole);
    out->share[piece] += in_proportion(o->share, after, at->whole) - in_proportion(o->share, before, at->whole);
}

static money sum_of(const struct origin_rows *r, bool hours)
{
    money sum = 0;

    for (size_t i = 0; i < r->parts.n; i++) {
        sum += hours ? r->parts.v[i].hours : 0;
        for (int p = 0; p < PIECES && !hours; p++)
            sum += r->parts.v[i].cost[p];
    }
    return sum;
}

/* A charge of nothing is divided by its hours; without these it is the first part's. */
enum weighing { BY_COST, BY_HOURS, BY_PLACE };

static money weight_of(const struct origin_rows *r, enum weighing by, size_t part, int piece)
{
    if (by == BY_COST)
        return r->parts.v[part].cost[piece];
    if (by == BY_HOURS)
        return piece == PIECE_GPU ? r->parts.v[part].hours : 0;
    return part == 0 && piece == PIECE_GPU;
}

/* ---- rows ---- */

static void add_text(struct origin_rows *r, enum origin_column c, const char *text)
{
    buf_adds(&r->texts[c], text);
}

static void charge_texts(struct origin_rows *r, uint32_t charge)
{
    const struct charge c = charge_list_at(&r->book->bill->charges, charge);
    const struct intern *names = r->context.inventory->names;

    add_text(r, ORIGIN_RESOURCE, intern_cstr(names, c.resource));
    time_add_text(&r->texts[ORIGIN_FROM], c.span.from);
    time_add_text(&r->texts[ORIGIN_TO], c.span.to);
    add_text(r, ORIGIN_CORRECTION, c.correction_only ? "Correction" : "");
    add_text(r, ORIGIN_REGION, intern_cstr(names, c.region));
    add_text(r, ORIGIN_TYPE, intern_cstr(names, c.instance_type));
    add_text(r, ORIGIN_PURCHASE, purchase_names[c.purchase]);
}

static void pod_texts(struct origin_rows *r, const struct entry *e)
{
    static const struct { enum origin_column column; enum key key; } keys[] = {
        {ORIGIN_CLUSTER, KEY_CLUSTER}, {ORIGIN_NAMESPACE, KEY_NAMESPACE}, {ORIGIN_POD, KEY_POD}, {ORIGIN_WORKLOAD, KEY_WORKLOAD},
        {ORIGIN_TEAM, KEY_TEAM}, {ORIGIN_COST_CENTRE, KEY_COST_CENTRE},
    };

    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
        key_add_value(&r->context, keys[i].key, e, &r->texts[keys[i].column]);
    add_text(r, ORIGIN_UID, intern_cstr(r->context.inventory->names, r->context.owners->versions.v[e->pod_version].pod.uid));
}

static void part_texts(struct origin_rows *r, const struct entry *e)
{
    if (e->pod_version != NONE) {
        pod_texts(r, e);
        return;
    }
    add_text(r, ORIGIN_BUCKET, bucket_names[e->bucket]);
    key_add_value(&r->context, KEY_REASON, e, &r->texts[ORIGIN_REASON]);
}

static void add_row(struct origin_rows *r, const struct origin_cells *cells, money hours)
{
    const money numbers[] = {cells->cost, cells->invoiced, hours, cells->share[PIECE_GPU], cells->share[PIECE_CPU],
                             cells->share[PIECE_MEMORY]};
    struct cell row[ORIGIN_COLUMNS];

    for (int c = 0; c < ORIGIN_COLUMNS; c++) {
        if (c >= ORIGIN_COST)
            row[c] = (struct cell){.type = columns[c].kind == COLUMN_HOURS ? CELL_HOURS : CELL_MONEY, .number = numbers[c - ORIGIN_COST]};
        else
            row[c] = (struct cell){.type = r->texts[c].n ? CELL_TEXT : CELL_NULL, .text = buf_str(&r->texts[c])};
    }
    table_add_row(&r->table, row);
}

static bool is_nothing(const struct origin_cells *c, money hours)
{
    return !c->cost && !c->invoiced && !hours && !c->share[PIECE_GPU] && !c->share[PIECE_CPU] && !c->share[PIECE_MEMORY];
}

/* Hours are the usage's: what corrects it has none. */
static void write_origin(struct origin_rows *r, const struct book_origin *o, enum weighing by, money whole)
{
    struct reach at = {0, whole};
    bool correction = r->book->bill->charges.v[o->charge].correction_only;

    for (size_t i = 0; i < r->parts.n; i++) {
        money hours = correction ? 0 : r->parts.v[i].hours;
        struct origin_cells cells = {0};

        for (int p = 0; p < PIECES; p++)
            add_cell(o, &at, weight_of(r, by, i, p), p, &cells);
        if (is_nothing(&cells, hours))
            continue;
        for (int c = 0; c < ORIGIN_COST; c++)
            buf_clear(&r->texts[c]);
        charge_texts(r, o->charge);
        part_texts(r, &r->parts.v[i].first);
        add_row(r, &cells, hours);
    }
}

static void end_charge(struct origin_rows *r)
{
    money cost = sum_of(r, false), hours = sum_of(r, true);
    enum weighing by = cost ? BY_COST : hours ? BY_HOURS : BY_PLACE;

    for (size_t k = 0; r->book && k < charge_book_origins(r->book, r->charge); k++) {
        struct book_origin o = charge_book_origin(r->book, r->charge, k);

        write_origin(r, &o, by, by == BY_COST ? cost : by == BY_HOURS ? hours : 1);
    }
    vec_clear(&r->parts);
    intern_release(r->keys);
    r->book = NULL;
}

/* ---- the stream ---- */

static void take_charge(void *to, const struct allocate_charge *c)
{
    struct origin_rows *r = to;

    end_charge(r);
    r->book = c->book;
    r->charge = c->at;
}

static void take_entry(void *to, const struct entry *e)
{
    struct origin_rows *r = to;
    struct origin_key key = {e->pod_version, e->pod_version == NONE ? e->bucket : 0, e->pod_version == NONE ? e->reason : 0};
    uint32_t id;

    if (e->bucket == BUCKET_UNBILLED || !r->book)
        return;
    id = intern_put(r->keys, &key, sizeof key);
    if (id > r->parts.n)
        vec_push(&r->parts, (struct origin_part){.first = *e});
    r->parts.v[id - 1].cost[e->piece] += e->cost;
    r->parts.v[id - 1].hours += e->gpu_hours;
}

static void take_day(void *to)
{
    end_charge(to);
}

struct allocate_sink origin_rows_sink(struct origin_rows *r)
{
    return (struct allocate_sink){.to = r, .entry = take_entry, .day_done = take_day, .charge = take_charge};
}

void origin_rows_end(struct origin_rows *r, struct table *out)
{
    end_charge(r);
    *out = r->table;
    r->table = (struct table){.n_rows = 0};
}

void origin_rows_free(struct origin_rows *r)
{
    if (!r)
        return;
    for (int c = 0; c < ORIGIN_COST; c++)
        buf_free(&r->texts[c]);
    vec_free(&r->parts);
    intern_free(r->keys);
    table_free(&r->table);
    free(r);
}
