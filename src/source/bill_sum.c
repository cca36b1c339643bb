/* bill_sum: where each row's money goes.
 *
 * A row is a group's at once, or a GPU node's at once, or waits: only the whole bill says whether its resource is a GPU node. What waits is
 * kept as sums: of a node's time by interval, of rows beside it by resource (by interval only when the rule lets them join the charge).
 * So memory grows with GPU nodes and with machines that might be some, never with rows. Where a row goes depends on the set of all rows,
 * not on their order: a decision made early is made by the row and the metrics alone.
 * Nothing here knows a provider. */
#include "gputab/source/bill_sum.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "gputab/base/buf.h"
#include "gputab/base/xalloc.h"
#include "gputab/source/bill_entry.h"
#include "gputab/source/bill_origins.h"
#include "gputab/source/bill_overlap.h"
#include "gputab/source/entry_store.h"
#include "gputab/source/gpu_shown.h"
#include "gputab/value/resource_id.h"

/* A resource that is or may be a node. */
struct resource {
    bool shown;                    /* metrics show it with a GPU at some time */
    bool is_node;                  /* some row of it is a GPU node's for sure */
    money beside_cost, beside_invoiced;      /* waiting rows beside the node, the parts inside the period */
    int64_t beside_rows;
};

/* Of the sums beside a resource, those that a shared cost selects. */
struct beside_shared {
    uint32_t resource, shared;
    money cost, invoiced;
    int64_t rows;
};

enum { TYPES_KEPT = 4096 };        /* of which it is known what they are; more are looked up each time */

struct bill_sum {
    const struct bill_request *req;
    struct bill *out;
    struct bill split;             /* sums of allocated rows, until it is known whether they count; no charges */
    struct bill_origins *origins;
    enum bill_origins_say split_is;
    struct gpu_shown *shown;
    struct intern *ids;            /* resources by normal id; id n is resources.v[n - 1] */
    VEC(struct resource) resources;
    struct entry_store *entries;
    struct intern *shared_keys;    /* {resource, shared}; id n is beside_shared.v[n - 1] */
    VEC(struct beside_shared) beside_shared;
    size_t waiting;                /* resources and entries that metrics don't show and no row made sure */
    struct buf written, id;        /* the row's resource, as it is written and normal */
    struct intern *type_names;     /* id n is types.v[n - 1] */
    VEC(const struct instance_type *) types;                 /* NULL: not in the catalogue */
    struct intern *unknown;        /* types; id n is out->unknown_types.v[n - 1] */
};

struct bill_sum *bill_sum_new(const struct bill_request *req, struct bill *out)
{
    struct bill_sum *s = xcalloc(1, sizeof *s);

    s->req = req;
    s->out = out;
    s->shown = gpu_shown_new(req->inventory, req->catalogue);
    s->origins = bill_origins_new(0);
    s->ids = intern_new();
    s->entries = entry_store_new();
    s->type_names = intern_new();
    s->unknown = intern_new();
    s->shared_keys = intern_new();
    for (size_t i = 0; i < req->n_shared; i++) {
        vec_push(&out->shared, (struct bill_shared_sum){.rows = 0});
        vec_push(&s->split.shared, (struct bill_shared_sum){.rows = 0});
    }
    out->rows_span = (struct timespan){TIME_MAX, TIME_MIN};
    return s;
}

void bill_sum_free(struct bill_sum *s)
{
    if (!s)
        return;
    vec_free(&s->types);
    vec_free(&s->split.shared);
    vec_free(&s->beside_shared);
    intern_free(s->shared_keys);
    intern_free(s->type_names);
    buf_free(&s->written);
    buf_free(&s->id);
    entry_store_free(s->entries);
    vec_free(&s->resources);
    intern_free(s->unknown);
    intern_free(s->ids);
    bill_origins_free(s->origins);
    gpu_shown_free(s->shown);
    free(s);
}

/* ---- groups ---- */

static void add_to_shared(struct bill *b, uint32_t shared, enum bill_group group, money cost, money invoiced, int64_t rows)
{
    struct bill_shared_sum *sum;

    if (shared == 0 || group == GROUP_EXCLUDED)
        return;
    sum = &b->shared.v[shared - 1];
    sum->groups[group] += cost;
    sum->groups_invoiced[group] += invoiced;
    sum->rows += rows;
}

static void add_to_group(const struct bill_sum *s, struct bill *b, enum bill_group group, struct timespan span, money cost, money invoiced,
                         int64_t rows, uint32_t shared)
{
    money in = bill_part(cost, span, s->req->period), in_invoiced = bill_part(invoiced, span, s->req->period);

    rows = bill_inside(span, s->req->period) ? rows : 0;
    b->groups[group] += in;
    b->groups_invoiced[group] += in_invoiced;
    b->group_rows[group] += rows;
    add_to_shared(b, shared, group, in, in_invoiced, rows);
    if (group == GROUP_EXCLUDED)
        return;
    b->outside += cost - in;
    b->outside_invoiced += invoiced - in_invoiced;
}

static struct bill *sums_of(struct bill_sum *s, const struct bill_row *row)
{
    return row->allocated ? &s->split : s->out;
}

static void row_to_group(struct bill_sum *s, enum bill_group group, const struct bill_row *row)
{
    uint32_t shared = row->block_fee && s->req->blocks ? 0 : row->shared;      /* a block's fee is its instances' */

    add_to_group(s, sums_of(s, row), group, row->span, row->cost, row->invoiced, 1, shared);
}

/* ---- resources ---- */

/* Ids that name something else than a machine. Only used where nothing else is known: to remember each bucket and volume of a large
 * account, in case it turned out to be a GPU node, would cost memory for nothing. */
static bool names_no_machine(struct span id)
{
    static const char *const prefixes[] = {"arn:", "//", "vol-", "snap-", "eni-", "nat-", "eipalloc-", "vpc-", "ami-"};

    for (size_t i = 0; i < sizeof prefixes / sizeof *prefixes; i++)
        if (span_starts(id, prefixes[i]))
            return true;
    return span_starts(id, "/subscriptions/") && !span_has_fold(id, "/virtualmachine");
}

static int too_many(const char *what, int cap, struct err *e)
{
    err_set(e, ERR_INPUT, "more than %d %s may be GPU nodes or not", cap, what);
    return err_hint(e, "give a bill with fewer resources (its GPU nodes are enough), or metrics and a nodes file that name the GPU nodes");
}

/* The number of the resource, added when new. 0 with an error. */
static uint32_t resource_number(struct bill_sum *s, struct span id, struct err *e)
{
    uint32_t n = intern_span(s->ids, id);
    struct resource r = {0};

    if (n <= s->resources.n)
        return n;
    r.shown = gpu_shown_ever(s->shown, id);
    if (!r.shown && ++s->waiting > BILL_WAITING_MAX) {
        too_many("resources", BILL_WAITING_MAX, e);
        return 0;
    }
    vec_push(&s->resources, r);
    return n;
}

static struct resource *resource_at(struct bill_sum *s, uint32_t number)
{
    return &s->resources.v[number - 1];
}

/* What stands beside a GPU node stands beside one too when a bill writes it on the scale set that the node is in. */
static int make_node(struct bill_sum *s, uint32_t number, struct err *e)
{
    struct span set = resource_id_set_of(intern_get(s->ids, number));
    uint32_t n = set.n ? resource_number(s, set, e) : number;

    resource_at(s, number)->is_node = true;
    if (n)
        resource_at(s, n)->is_node = true;
    return n ? 0 : -1;
}

/* ---- entries ---- */

static struct bill_key key_of(struct bill_sum *s, const struct bill_row *row, uint32_t resource, size_t text, bool sure)
{
    struct bill_key k = {.span = row->span, .resource = resource, .piece = PIECES, .text = (uint16_t)text, .purchase = PURCHASE_UNKNOWN};

    k.shared = (uint16_t)row->shared;
    k.kind = (sure ? ENTRY_SURE : 0) | (row->allocated ? ENTRY_ALLOCATED : 0);
    if (row->kind != BILL_TIME)
        return k;
    if (row->has_piece)
        k.piece = (uint16_t)row->piece;
    k.gpu_model = intern_span(s->req->names, row->gpu_model);
    k.kind |= ENTRY_TIME | (row->correction ? ENTRY_CORRECTION : 0) | (row->gpu_time ? ENTRY_GPU_TIME : 0);
    k.purchase = (uint8_t)row->purchase;
    k.type = intern_span(s->req->names, row->type);
    k.region = intern_span(s->req->names, row->region);
    return k;
}

static int add_entry(struct bill_sum *s, const struct bill_row *row, uint32_t resource, size_t text, bool sure, struct err *e)
{
    struct bill_key k = key_of(s, row, resource, text, sure);
    uint32_t count = entry_store_count(s->entries), n = entry_store_put(s->entries, &k);

    if (n == count) {
        if (!sure && !resource_at(s, resource)->shown && ++s->waiting > BILL_WAITING_MAX)
            return too_many("intervals of resources", BILL_WAITING_MAX, e);
        if (n == BILL_ENTRIES_MAX)
            return err_set(e, ERR_INPUT, "more than %d intervals of GPU nodes", BILL_ENTRIES_MAX);
    }
    return entry_store_add(s->entries, n, row, e);
}

/* ---- rows ---- */

/* The catalogue compares a name with all of its own. */
static const struct instance_type *find_type(struct bill_sum *s, struct span name)
{
    uint32_t id = intern_find(s->type_names, name.p, name.n);
    const struct instance_type *t;

    if (id)
        return s->types.v[id - 1];
    t = catalogue_type(s->req->catalogue, name);
    if (name.n && name.n < BILL_TYPE_SIZE && s->types.n < TYPES_KEPT) {
        intern_span(s->type_names, name);
        vec_push(&s->types, t);
    }
    return t;
}

static void note_type(struct bill_sum *s, const struct bill_row *row)
{
    uint32_t n;

    if (row->type.n == 0 || find_type(s, row->type) || intern_count(s->unknown) > BILL_TYPES_MAX)
        return;
    n = intern_span(s->unknown, row->type);
    if (n > s->out->unknown_types.n)
        vec_push(&s->out->unknown_types, (struct bill_type){.type = intern_span(s->req->names, row->type)});
    s->out->unknown_types.v[n - 1].rows++;
    s->out->unknown_types.v[n - 1].cost += row->cost;
}

static bool bills_gpus(struct bill_sum *s, const struct bill_row *row)
{
    const struct instance_type *t = find_type(s, row->type);

    return (t && t->gpu_count_micro > 0) || row->gpu_count_micro > 0 || row->gpu_time || (row->has_piece && row->piece == PIECE_GPU);
}

/* Instance time: sure when the row's own type, count or piece has GPUs, or metrics show one in its interval. A row that names another type
 * is another machine's, unless metrics know the resource: then its type may be one that only metrics show to have GPUs. */
static int add_time(struct bill_sum *s, const struct bill_row *row, size_t text, struct err *e)
{
    struct span id = buf_span(&s->id);
    bool sure = bills_gpus(s, row) || gpu_shown_in(s->shown, id, row->span);
    uint32_t n;

    if (s->req->unknown_types)
        note_type(s, row);
    if (!sure && (row->type.n || row->takes_no_gpu || names_no_machine(id)) && !gpu_shown_ever(s->shown, id)) {
        row_to_group(s, GROUP_OTHER_RESOURCES, row);
        return 0;
    }
    n = resource_number(s, id, e);
    if (n == 0 || (sure && make_node(s, n, e) < 0))
        return -1;
    return add_entry(s, row, n, text, sure, e);
}

static void add_beside_shared(struct bill_sum *s, uint32_t resource, uint32_t shared, money cost, money invoiced, int64_t rows)
{
    uint32_t n = intern_put(s->shared_keys, (uint32_t[2]){resource, shared}, 2 * sizeof(uint32_t));
    struct beside_shared *b;

    if (n > s->beside_shared.n)
        vec_push(&s->beside_shared, (struct beside_shared){.resource = resource, .shared = shared});
    b = &s->beside_shared.v[n - 1];
    b->cost += cost;
    b->invoiced += invoiced;
    b->rows += rows;
}

/* Something beside a node's time. Without `attached: include` sums by resource are enough. */
static int add_beside(struct bill_sum *s, const struct bill_row *row, size_t text, struct err *e)
{
    bool sure = gpu_shown_in(s->shown, buf_span(&s->id), row->span);
    struct resource *r;
    money in = bill_part(row->cost, row->span, s->req->period), in_invoiced = bill_part(row->invoiced, row->span, s->req->period);
    uint32_t n;

    if (names_no_machine(buf_span(&s->id)) && !gpu_shown_ever(s->shown, buf_span(&s->id))) {
        row_to_group(s, GROUP_OTHER_RESOURCES, row);
        return 0;
    }
    if (sure && !s->req->attached_include) {
        row_to_group(s, GROUP_ATTACHED, row);
        return 0;
    }
    n = resource_number(s, buf_span(&s->id), e);
    if (n == 0)
        return -1;
    if (s->req->attached_include || row->allocated)
        return add_entry(s, row, n, text, sure, e);
    if (row->shared)
        add_beside_shared(s, n, row->shared, in, in_invoiced, bill_inside(row->span, s->req->period));
    r = resource_at(s, n);
    r->beside_cost += in;
    r->beside_invoiced += in_invoiced;
    r->beside_rows += bill_inside(row->span, s->req->period);
    s->out->outside += row->cost - in;
    s->out->outside_invoiced += row->invoiced - in_invoiced;
    return 0;
}

static void count(struct bill_sum *s, const struct bill_row *row)
{
    struct bill *b = sums_of(s, row);
    struct timespan *all = &s->out->rows_span;

    if (row->span.from < all->from)
        all->from = row->span.from;
    if (row->span.to > all->to)
        all->to = row->span.to;
    if (row->origin.n)
        bill_origins_add(s->origins, row->origin, row->allocated, row->cost != 0 || row->invoiced != 0);
    if (row->kind == BILL_GROUPED && row->group == GROUP_EXCLUDED)
        return;
    b->file_total += row->cost;
    b->file_invoiced += row->invoiced;
}

static int add_block_fee(struct bill_sum *s, const struct bill_row *row, struct err *e)
{
    struct intern *names = s->req->names;

    if (s->out->block_fees.n == BILL_BLOCK_FEES_MAX)
        return err_set(e, ERR_INPUT, "more than %d fees of capacity blocks", BILL_BLOCK_FEES_MAX);
    vec_push(&s->out->block_fees, (struct bill_block_fee){intern_span(names, row->type), intern_span(names, row->region), row->group,
                                                          row->span, row->cost});
    return 0;
}

/* Rows of a resource follow one another often. */
static void make_normal(struct bill_sum *s, struct span resource)
{
    if (span_same(resource, buf_span(&s->written)))
        return;
    buf_clear(&s->written);
    buf_add_span(&s->written, resource);
    buf_clear(&s->id);
    resource_id_add_normal(&s->id, resource);
}

int bill_sum_add(struct bill_sum *s, const struct bill_row *row, size_t text, struct err *e)
{
    assert(row->kind == BILL_GROUPED ? row->span.from <= row->span.to : row->span.from < row->span.to);
    count(s, row);
    if (row->kind == BILL_GROUPED) {
        row_to_group(s, row->group, row);
        return row->block_fee ? add_block_fee(s, row, e) : 0;
    }
    if (row->span.to - row->span.from > BILL_ROW_TIME_MAX) {
        err_set(e, ERR_INPUT, "row's time is longer than a century");
        return err_hint(e, "is a year in its start or end mistyped?");
    }
    make_normal(s, row->resource);
    if (s->id.n == 0) {
        row_to_group(s, GROUP_OTHER_RESOURCES, row);
        return 0;
    }
    return row->kind == BILL_TIME ? add_time(s, row, text, e) : add_beside(s, row, text, e);
}

/* ---- the end ---- */

/* Types that rows name which are a GPU node's for sure, by resource: {resource, type} as bytes. */
static struct intern *sure_types(const struct bill_sum *s)
{
    struct intern *types = intern_new();

    for (uint32_t i = 0; i < entry_store_count(s->entries); i++) {
        struct bill_key k = entry_store_key(s->entries, i);

        if ((k.kind & ENTRY_SURE) && k.type)
            intern_put(types, (uint32_t[2]){k.resource, k.type}, 2 * sizeof(uint32_t));
    }
    return types;
}

/* A row of instance time that names no type is its resource's; one that names a type needs that type to be one with GPUs. */
static bool is_charged(struct bill_sum *s, const struct bill_key *k, const struct intern *types)
{
    if (k->kind & ENTRY_SURE)
        return true;
    if (!resource_at(s, k->resource)->is_node)
        return false;
    return k->type == 0 || intern_find(types, (uint32_t[2]){k->resource, k->type}, 2 * sizeof(uint32_t)) != 0;
}

static void settle_beside(struct bill_sum *s)
{
    for (size_t i = 0; i < s->resources.n; i++) {
        const struct resource *r = &s->resources.v[i];
        enum bill_group g = r->is_node ? GROUP_ATTACHED : GROUP_OTHER_RESOURCES;

        s->out->groups[g] += r->beside_cost;
        s->out->groups_invoiced[g] += r->beside_invoiced;
        s->out->group_rows[g] += r->beside_rows;
    }
    for (size_t i = 0; i < s->beside_shared.n; i++) {
        const struct beside_shared *b = &s->beside_shared.v[i];
        enum bill_group g = resource_at(s, b->resource)->is_node ? GROUP_ATTACHED : GROUP_OTHER_RESOURCES;

        add_to_shared(s->out, b->shared, g, b->cost, b->invoiced, b->rows);
    }
}

/* BILL_GROUPS: a charge. */
static enum bill_group group_of_entry(struct bill_sum *s, const struct bill_key *k, const struct intern *types)
{
    if ((k->kind & ENTRY_ALLOCATED) && s->split_is == ORIGINS_REPEATED)
        return GROUP_EXCLUDED;
    if (!is_charged(s, k, types))
        return GROUP_OTHER_RESOURCES;
    return (k->kind & ENTRY_TIME) || s->req->attached_include ? BILL_GROUPS : GROUP_ATTACHED;
}

/* The numbers of the entries that become charges; the others go to their group. */
static uint32_t *settle_entries(struct bill_sum *s, size_t *n)
{
    uint32_t count = entry_store_count(s->entries), *charged = xcalloc(count + 1, sizeof *charged);
    struct intern *types = sure_types(s);

    *n = 0;
    for (uint32_t i = 0; i < count; i++) {
        struct bill_entry x = entry_store_at(s->entries, i);
        enum bill_group group = group_of_entry(s, &x.key, types);

        if (group == BILL_GROUPS) {
            charged[(*n)++] = i;
            s->out->files.v[s->out->texts.v[x.key.text].file].rows_used += x.rows;
        } else
            add_to_group(s, s->out, group, x.key.span, x.cost, x.invoiced, x.rows, x.key.shared);
    }
    intern_free(types);
    return charged;
}

/* An entry on its way into order, which two numbers tell nearly always. */
struct place {
    uint32_t number;
    uint32_t rank;                 /* of its resource, by text */
    time_ms from;
};

static int by_resource_and_span(const void *pa, const void *pb, void *sum)
{
    const struct bill_sum *s = sum;
    const struct place *x = pa, *y = pb;
    struct bill_key a, b;

    if (x->rank != y->rank)
        return x->rank < y->rank ? -1 : 1;
    if (x->from != y->from)
        return x->from < y->from ? -1 : 1;
    a = entry_store_key(s->entries, x->number);
    b = entry_store_key(s->entries, y->number);
    if (a.span.to != b.span.to)
        return a.span.to < b.span.to ? -1 : 1;
    return bill_overlap_order(&a, &b);
}

static int by_text(const void *pa, const void *pb, void *ids)
{
    return intern_cmp(ids, *(const uint32_t *)pa, *(const uint32_t *)pb);
}

/* Of each resource: which one it is in the order of their texts. */
static uint32_t *rank_resources(const struct bill_sum *s)
{
    uint32_t n = intern_count(s->ids), *order = xcalloc(n + 1, sizeof *order), *rank = xcalloc(n + 1, sizeof *rank);

    for (uint32_t i = 0; i < n; i++)
        order[i] = i;
    qsort_r(order, n, sizeof *order, by_text, s->ids);
    for (uint32_t i = 0; i < n; i++)
        rank[order[i]] = i;
    free(order);
    return rank;
}

/* Of n entries. */
static void sort_entries(struct bill_sum *s, uint32_t *numbers, size_t n)
{
    struct place *order = xcalloc(n + 1, sizeof *order);
    uint32_t *rank = rank_resources(s);

    for (size_t i = 0; i < n; i++) {
        struct bill_key k = entry_store_key(s->entries, numbers[i]);

        order[i] = (struct place){numbers[i], rank[k.resource], k.span.from};
    }
    qsort_r(order, n, sizeof *order, by_resource_and_span, s);
    for (size_t i = 0; i < n; i++)
        numbers[i] = order[i].number;
    free(order);
    free(rank);
}

static bool same_charge(const struct bill_key *a, const struct bill_key *b)
{
    return a->resource == b->resource && a->span.from == b->span.from && a->span.to == b->span.to;
}

/* Cuts a charge to the period; what lies outside is kept as such. */
static void add_charge(struct bill_sum *s, struct charge c)
{
    struct timespan period = s->req->period, whole = c.span;
    money cost = bill_part(c.cost, whole, period), invoiced = bill_part(c.invoiced, whole, period);

    s->out->outside += c.cost - cost;
    s->out->outside_invoiced += c.invoiced - invoiced;
    if (!bill_inside(whole, period)) {
        s->out->parts.n -= c.n_parts;
        return;
    }
    for (size_t i = c.first_part; i < c.first_part + c.n_parts; i++)
        s->out->parts.v[i].cost = bill_part(s->out->parts.v[i].cost, whole, period);
    c.cost = cost;
    c.invoiced = invoiced;
    c.list = bill_part(c.list, whole, period);
    c.billed_ns = (int64_t)bill_part(c.billed_ns, whole, period);
    c.span = timespan_cut(whole, period);
    charge_list_add(&s->out->charges, &c);
    if (!s->req->blocks)
        charge_warn_free(&s->out->charges.v[s->out->charges.n - 1], s->req->names, s->req->diag);
}

/* GPUs of a machine, 10^-6: the larger of what its type has and what metrics show there meanwhile; 0: unknown. */
static int64_t gpus_of(struct bill_sum *s, struct span id, const struct charge *c)
{
    const struct instance_type *t = find_type(s, intern_get(s->req->names, c->instance_type));
    int64_t by_type = t ? t->gpu_count_micro : 0, shown = gpu_shown_count_micro(s->shown, id, c->span);

    if (by_type > 0 && by_type < GPU_MICRO && shown == GPU_MICRO)          /* one card, a fraction of which the machine has */
        return by_type;
    return by_type > shown ? by_type : shown;
}

struct entries {                   /* of one charge */
    struct bill_entry *v;
    size_t n, cap;
};

static int fold_one(struct bill_sum *s, const struct entries *of, struct err *e)
{
    struct span id = intern_get(s->ids, of->v[0].key.resource);
    struct charge c = bill_entries_charge(of->v, of->n, intern_span(s->req->names, id), s->req->names, &s->out->parts);
    int64_t gpus = gpus_of(s, id, &c);

    if (bill_overlap_check(of->v, of->n, id, gpus, s->out, e) < 0)
        return -1;
    c.billed_ns = c.correction_only ? 0 : bill_entries_billed_ns(of->v, of->n, gpus, resource_id_is_set(id));
    add_charge(s, c);
    return 0;
}

static int fold(struct bill_sum *s, const uint32_t *numbers, size_t n, struct err *e)
{
    struct entries of = {0};
    int rc = 0;

    for (size_t i = 0; i < n && rc == 0; i++) {
        struct bill_entry x = entry_store_at(s->entries, numbers[i]);

        if (of.n && !same_charge(&of.v[0].key, &x.key)) {
            rc = fold_one(s, &of, e);
            vec_clear(&of);
        }
        vec_push(&of, x);
    }
    if (of.n && rc == 0)
        rc = fold_one(s, &of, e);
    vec_free(&of);
    return rc;
}

/* Every row is in a charge, a group or outside. */
static int check_total(const struct bill *b, struct err *e)
{
    money total = b->outside, invoiced = b->outside_invoiced;

    for (int g = 0; g < GROUP_EXCLUDED; g++) {
        total += b->groups[g];
        invoiced += b->groups_invoiced[g];
    }
    for (size_t i = 0; i < b->charges.n; i++) {
        total += b->charges.v[i].cost;
        invoiced += b->charges.v[i].invoiced;
    }
    if (total == b->file_total && invoiced == b->file_invoiced)
        return 0;
    return err_set(e, ERR_GATE, "the bill's charges and groups do not add up to its rows");
}

/* The sums of allocated rows: with the others, or excluded from them. */
static void settle_split(struct bill_sum *s)
{
    bool repeated = s->split_is == ORIGINS_REPEATED;
    struct bill *b = s->out;

    for (int g = 0; g < BILL_GROUPS; g++) {
        int to = repeated ? GROUP_EXCLUDED : g;

        b->groups[to] += s->split.groups[g];
        b->groups_invoiced[to] += s->split.groups_invoiced[g];
        b->group_rows[to] += s->split.group_rows[g];
    }
    if (repeated)
        return;
    for (size_t i = 0; i < s->split.shared.n; i++)
        for (int g = 0; g < GROUP_EXCLUDED; g++)
            add_to_shared(b, (uint32_t)i + 1, (enum bill_group)g, s->split.shared.v[i].groups[g], s->split.shared.v[i].groups_invoiced[g],
                          g == 0 ? s->split.shared.v[i].rows : 0);
    b->outside += s->split.outside;
    b->outside_invoiced += s->split.outside_invoiced;
    b->file_total += s->split.file_total;
    b->file_invoiced += s->split.file_invoiced;
}

static int decide_split(struct bill_sum *s, struct err *e)
{
    s->split_is = bill_origins_decide(s->origins);
    if (s->split_is == ORIGINS_MIXED)
        err_set(e, ERR_INPUT, "of the rows that split cost allocation makes, some stand beside the row that they split, some instead "
                "of it");
    else if (s->split_is == ORIGINS_UNSEEN)
        err_set(e, ERR_INPUT, "rows of split cost allocation are too few among the others to tell whether they repeat money");
    else
        return 0;
    return err_hint(e, "export the bill without split cost allocation");
}

int bill_sum_end(struct bill_sum *s, struct err *e)
{
    size_t n;
    uint32_t *charged;
    int rc;

    if (decide_split(s, e) < 0)
        return -1;
    entry_store_close(s->entries);
    settle_split(s);
    charged = settle_entries(s, &n);
    settle_beside(s);
    sort_entries(s, charged, n);
    rc = fold(s, charged, n, e);
    charge_list_fit(&s->out->charges);
    vec_fit(&s->out->parts);
    free(charged);
    return rc < 0 ? -1 : check_total(s->out, e);
}
