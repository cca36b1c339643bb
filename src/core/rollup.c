/* rollup: adds entries to rows. Entries of one pot (memory divided among candidates) come one after the other: when the pot ends, every
 * row that holds a candidate may have had all of it, and has at least all of it only when it holds every candidate. */
#include "gputab/core/rollup.h"

#include <stdlib.h>
#include <string.h>

#include "gputab/core/row.h"

struct rollup *rollup_new(const struct rollup_config *cfg)
{
    struct rollup *r = xcalloc(1, sizeof *r);

    r->cfg = *cfg;
    r->context = (struct key_context){cfg->inventory, cfg->owners, cfg->names, cfg->by};
    r->by_key = intern_new();
    return r;
}

static bool filter_matches(const struct rollup *r, const struct key_filter *f, const struct entry *e)
{
    uint32_t value = key_value(&r->context, f->key, e);

    return value && span_glob(intern_get(r->cfg.names, value), f->glob);
}

static bool matches(const struct rollup *r, const struct entry *e)
{
    for (size_t i = 0; i < r->cfg.n_filters; i++) {
        bool any = false;

        for (size_t k = 0; k < r->cfg.n_filters && !any; k++)
            any = r->cfg.filters[k].key == r->cfg.filters[i].key && filter_matches(r, &r->cfg.filters[k], e);
        if (!any)
            return false;
    }
    return true;
}

static size_t row_of(struct rollup *r, const struct entry *e)
{
    struct { uint32_t keys[KEYS], bucket, matched; } key;
    struct row row = {0};
    uint32_t id;

    memset(&key, 0, sizeof key);
    for (size_t i = 0; i < r->cfg.by->n; i++)
        key.keys[i] = key_value(&r->context, r->cfg.by->v[i], e);
    key.bucket = key_bucket(&r->context, e);
    key.matched = matches(r, e);
    id = intern_put(r->by_key, &key, sizeof key);
    if (id > r->rows.n) {
        memcpy(row.keys, key.keys, sizeof row.keys);
        row.bucket = (enum bucket)key.bucket;
        row.matched = key.matched;
        vec_push(&r->rows, row);
    }
    return id - 1;
}

void rollup_end_pot(struct rollup *r)
{
    bool all = r->pot_rows.n == 1;

    for (size_t i = 0; i < r->pot_rows.n; i++) {
        struct row *row = &r->rows.v[r->pot_rows.v[i]];

        if (all || r->pot_cost < 0)
            row->min_cost += r->pot_cost;
        if (all || r->pot_cost > 0)
            row->max_cost += r->pot_cost;
    }
    vec_clear(&r->pot_rows);
    r->pot_cost = 0;
    r->pot = 0;
}

static void add_to_pot(struct rollup *r, size_t row, const struct entry *e)
{
    r->pot = e->pot;
    r->pot_cost += e->cost;
    for (size_t i = 0; i < r->pot_rows.n; i++)
        if (r->pot_rows.v[i] == row)
            return;
    vec_push(&r->pot_rows, row);
}

static void add_entry(void *to, const struct entry *e)
{
    struct rollup *r = to;
    size_t index = row_of(r, e);
    struct row *row = &r->rows.v[index];

    if (r->pot && r->pot != e->pot)
        rollup_end_pot(r);
    row->cost[e->piece] += e->cost;
    row->gpu_hours += e->gpu_hours;
    row->used_cost += e->used_cost;
    row->memory_ms += e->memory_ms;
    row->grade[e->grade] += e->cost;
    row->has_pods = row->has_pods || e->pod_version != NONE;
    if (e->pot) {
        add_to_pot(r, index, e);
    } else {
        row->min_cost += e->cost;
        row->max_cost += e->cost;
    }
}

static void add_presence(void *to, const struct entry *e, const struct timespan *spans, size_t n)
{
    struct rollup *r = to;
    size_t index = row_of(r, e);
    struct row *row = &r->rows.v[index];

    if (row->today.n == 0)
        vec_push(&r->with_today, index);
    for (size_t i = 0; i < n; i++)
        vec_push(&row->today, spans[i]);
    row->has_pods = true;
}

static void add_requested(void *to, const struct entry *e, weight micro_ms)
{
    struct rollup *r = to;
    size_t index = row_of(r, e);           /* may move the rows */

    r->rows.v[index].requested += micro_ms;
    r->rows.v[index].has_pods = true;
}

static int by_from(const void *pa, const void *pb)
{
    const struct timespan *a = pa, *b = pb;

    return (a->from > b->from) - (a->from < b->from);
}

static uint64_t union_ms(struct timespan *v, size_t n)
{
    time_ms done = TIME_MIN;
    uint64_t sum = 0;

    qsort(v, n, sizeof *v, by_from);
    for (size_t i = 0; i < n; i++) {
        time_ms from = v[i].from > done ? v[i].from : done;

        if (v[i].to <= from)
            continue;
        sum += (uint64_t)(v[i].to - from);
        done = v[i].to;
    }
    return sum;
}

static void day_done(void *to)
{
    struct rollup *r = to;

    for (size_t i = 0; i < r->with_today.n; i++) {
        struct row *row = &r->rows.v[r->with_today.v[i]];

        row->resident_ms += union_ms(row->today.v, row->today.n);
        vec_free(&row->today);
    }
    vec_clear(&r->with_today);
}

struct allocate_sink rollup_sink(struct rollup *r)
{
    return (struct allocate_sink){r, add_entry, add_presence, add_requested, day_done};
}

money rollup_exact_total(const struct rollup *r)
{
    money sum = 0;

    for (size_t i = 0; i < r->rows.n; i++)
        for (int p = 0; p < PIECES; p++)
            sum += r->rows.v[i].cost[p];
    return sum;
}

void rollup_free(struct rollup *r)
{
    if (!r)
        return;
    for (size_t i = 0; i < r->rows.n; i++)
        vec_free(&r->rows.v[i].today);
    vec_free(&r->rows);
    vec_free(&r->with_today);
    vec_free(&r->pot_rows);
    intern_free(r->by_key);
    free(r);
}
