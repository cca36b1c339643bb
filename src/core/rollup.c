/* rollup: adds entries to rows. Which row is found by what the keys read of an entry, numbers all of it; only the first such entry of a
 * day has its texts put together. What was read of the last entry of a pod, or of a bucket, is mostly read of the next one again; and of
 * many a pod nothing else is read all day, so that the first is found without a table.
 *
 * Entries of one pot (memory divided among candidates) come one after the other: when the pot ends, every row that holds a candidate may
 * have had all of it, and has at least all of it only when it holds every candidate. */
#include "gputab/core/rollup.h"

#include <stdlib.h>
#include <string.h>

#include "gputab/core/rollup_state.h"

struct rollup *rollup_new(const struct rollup_config *cfg)
{
    struct rollup *r = xcalloc(1, sizeof *r);

    r->cfg = *cfg;
    r->context = (struct key_context){cfg->inventory, cfg->owners, cfg->by};
    r->asked_context = (struct key_context){cfg->inventory, cfg->owners, cfg->asked_by ? cfg->asked_by : cfg->by};
    for (size_t i = 0; i < cfg->by->n; i++)
        r->asked[cfg->by->v[i]] = true;
    for (size_t i = 0; i < cfg->n_filters; i++)
        r->asked[cfg->filters[i].key] = true;
    r->read = key_list_read(r->asked);
    r->rows = rows_new();
    r->known = intern_new();
    intern_mark(r->known);
    rollup_moves_init(r);
    return r;
}

/* ---- the row of an entry ---- */

static bool filter_matches(struct rollup *r, const struct key_filter *f, const struct entry *e)
{
    buf_clear(&r->text);
    key_add_value(&r->asked_context, f->key, e, &r->text);
    return r->text.n && span_glob(buf_span(&r->text), f->glob);
}

static bool matches(struct rollup *r, const struct entry *e)
{
    if (r->cfg.only != BUCKET_NONE && !key_in_bucket(&r->asked_context, e, r->cfg.only))
        return false;
    for (size_t i = 0; i < r->cfg.n_filters; i++) {
        bool any = false;

        for (size_t k = 0; k < r->cfg.n_filters && !any; k++)
            any = r->cfg.filters[k].key == r->cfg.filters[i].key && filter_matches(r, &r->cfg.filters[k], e);
        if (!any)
            return false;
    }
    return true;
}

struct row_key rollup_key(struct rollup *r, const struct entry *e, struct buf *texts)
{
    struct row_key key = {.bucket = key_bucket(&r->context, e), .matched = matches(r, e)};

    buf_clear(texts);
    for (size_t i = 0; i < r->cfg.by->n; i++) {
        buf_clear(&r->text);
        key_add_value(i == 0 && r->cfg.cut ? &r->asked_context : &r->context, r->cfg.by->v[i], e, &r->text);
        row_key_add_text(texts, buf_span(&r->text));
    }
    key.texts = buf_span(texts);
    return key;
}

static uint32_t put_row(struct rollup *r, const struct entry *e)
{
    struct row_key key = rollup_key(r, e, &r->texts);

    return rows_put(r->rows, &key);
}

/* Of the last entry with this one's pod, or of its bucket: which of known_rows it is, from 1; 0 when today had none. */
static uint32_t *known_last(struct rollup *r, const struct entry *e)
{
    size_t i = e->pod_version == NONE ? e->bucket : BUCKETS + (size_t)e->pod_version;

    while (r->known_last.n <= i)
        vec_push(&r->known_last, 0);
    return &r->known_last.v[i];
}

static bool is_known(const struct rollup *r, uint32_t place, const struct entry *e)
{
    return place && key_reads_are(&r->known_rows.v[place - 1].reads, &r->read, e);
}

/* first 0: it is that itself. */
static uint32_t put_known(struct rollup *r, const struct entry *e, uint32_t first)
{
    uint32_t place = (uint32_t)r->known_rows.n + 1;

    vec_push(&r->known_rows, (struct known_row){put_row(r, e), first ? first : place, key_reads(&r->read, e)});
    return place;
}

/* What is read of an entry tells its pod: no other pod's is the same. */
static uint32_t find_known(struct rollup *r, const struct entry *e, uint32_t last)
{
    uint32_t first = last ? r->known_rows.v[last - 1].first : 0, id;
    struct key_reads reads;

    if (is_known(r, first, e))
        return first;
    if (!first && e->pod_version != NONE)
        return put_known(r, e, 0);
    reads = key_reads(&r->read, e);
    id = intern_put(r->known, &reads, key_reads_size(&r->read));
    if (id > r->known_places.n)
        vec_push(&r->known_places, put_known(r, e, first));
    return r->known_places.v[id - 1];
}

static uint32_t row_of(struct rollup *r, const struct entry *e)
{
    uint32_t *last = known_last(r, e);

    if (!is_known(r, *last, e))
        *last = find_known(r, e, *last);
    return r->known_rows.v[*last - 1].row;
}

/* ---- entries ---- */

static void end_pot(struct rollup *r)
{
    bool all = r->pot_rows.n == 1;

    for (size_t i = 0; i < r->pot_rows.n; i++) {
        struct row_sums *row = rows_at(r->rows, r->pot_rows.v[i]);

        if (all || r->pot_cost < 0)
            row->min_cost += r->pot_cost;
        if (all || r->pot_cost > 0)
            row->max_cost += r->pot_cost;
    }
    vec_clear(&r->pot_rows);
    r->pot_cost = 0;
    r->pot = 0;
}

static void add_to_pot(struct rollup *r, uint32_t row, const struct entry *e)
{
    r->pot = e->pot;
    r->pot_cost += e->cost;
    for (size_t i = 0; i < r->pot_rows.n; i++)
        if (r->pot_rows.v[i] == row)
            return;
    vec_push(&r->pot_rows, row);
}

static void add_owned(struct row_sums *row, const struct entry *e)
{
    row->idle_cost += e->cost;
    if (e->piece == PIECE_GPU)
        row->moved_gpu += e->cost;
}

/* What stays in a bucket when an idle owner takes the money. */
static void add_memory(struct rollup *r, const struct entry *e)
{
    uint32_t row;

    if (e->memory_ms == 0)
        return;
    row = row_of(r, e);
    rows_at(r->rows, row)->memory_ms += e->memory_ms;
}

static void add_entry(void *to, const struct entry *entry)
{
    struct rollup *r = to;
    struct entry copy;
    const struct entry *e = rollup_owned(r, entry, &copy);
    uint32_t index;
    struct row_sums *row;

    if (e != entry)
        add_memory(r, entry);
    index = row_of(r, e);
    row = rows_at(r->rows, index);
    rollup_stake(r, e);
    if (r->pot && r->pot != e->pot)
        end_pot(r);
    row->cost[e->piece] += e->cost;
    row->gpu_hours += e->gpu_hours;
    row->used_cost += e->used_cost;
    row->memory_ms += e->memory_ms;
    row->grade[e->grade] += e->cost;
    row->has_pods = row->has_pods || e->pod_version != NONE || e->team;
    if (e->team)
        add_owned(row, e);
    if (e->pod_version != NONE)
        r->measured[e->grade] += e->cost;
    if (e->pot) {
        add_to_pot(r, index, e);
    } else {
        row->min_cost += e->cost;
        row->max_cost += e->cost;
    }
}

/* ---- time with memory, and requests ---- */

static struct timespan *open_time(struct rollup *r, uint32_t row)
{
    while (r->open_time.n <= row)
        vec_push(&r->open_time, (struct timespan){0, 0});
    return &r->open_time.v[row];
}

/* The time of a pod on one card goes on from span to span, and another card's begins within it: only a gap, or what lies before it, makes
 * another entry of today's list. */
static void add_time(struct rollup *r, uint32_t row, struct timespan *open, struct timespan span)
{
    if (span.from >= open->from && span.from <= open->to) {
        open->to = span.to > open->to ? span.to : open->to;
        return;
    }
    if (open->from < open->to)
        vec_push(&r->today, (struct row_time){row, *open});
    *open = span;
}

static void add_presence(void *to, const struct entry *e, const struct timespan *spans, size_t n)
{
    struct rollup *r = to;
    uint32_t row = row_of(r, e);
    struct timespan *open = open_time(r, row);

    for (size_t i = 0; i < n; i++)
        add_time(r, row, open, spans[i]);
    rows_at(r->rows, row)->has_pods = true;
}

static void add_requested(void *to, const struct entry *e, weight micro_ms)
{
    struct rollup *r = to;
    struct row_sums *row;
    uint32_t index = row_of(r, e);         /* may move the rows */

    row = rows_at(r->rows, index);
    row->requested += micro_ms;
    row->has_pods = true;
}

static int by_time(const void *pa, const void *pb)
{
    const struct timespan *a = pa, *b = pb;

    return (a->from > b->from) - (a->from < b->from);
}

/* The time that spans cover together; sorts them, unless they are already, as those of a pod on one card are. */
static uint64_t time_covered(struct timespan *spans, size_t n)
{
    time_ms done = TIME_MIN;
    uint64_t sum = 0;
    size_t sorted = 1;

    while (sorted < n && spans[sorted - 1].from <= spans[sorted].from)
        sorted++;
    if (sorted < n)
        qsort(spans, n, sizeof *spans, by_time);
    for (size_t i = 0; i < n; i++) {
        time_ms from = spans[i].from > done ? spans[i].from : done;

        if (spans[i].to <= from)
            continue;
        sum += (uint64_t)(spans[i].to - from);
        done = spans[i].to;
    }
    return sum;
}

/* The places of all spans in today's list, by row; *end: where those of each row end. Rows are numbered from 0 on, so that counting how
 * many each has says where they go. */
static uint32_t *spans_by_row(const struct rollup *r, uint32_t rows, uint32_t *end)
{
    uint32_t *places = xreallocarray(NULL, r->today.n + 1, sizeof *places), before = 0;

    for (size_t i = 0; i < r->today.n; i++)
        end[r->today.v[i].row]++;
    for (uint32_t row = 0; row < rows; row++) {
        uint32_t n = end[row];

        end[row] = before;
        before += n;
    }
    for (size_t i = 0; i < r->today.n; i++)
        places[end[r->today.v[i].row]++] = (uint32_t)i;
    return places;
}

/* A row's time with memory is a union over its devices and pods. Rows behind the last that has some are not in open_time. */
static void add_today(struct rollup *r)
{
    uint32_t rows = (uint32_t)r->open_time.n, *end = xcalloc(rows + 1, sizeof *end), *places = spans_by_row(r, rows, end), i = 0;
    VEC(struct timespan) spans = {0};

    for (uint32_t row = 0; row < rows; row++) {
        for (vec_clear(&spans); i < end[row]; i++)
            vec_push(&spans, r->today.v[places[i]].span);
        vec_push(&spans, r->open_time.v[row]);
        rows_at(r->rows, row)->resident_ms += time_covered(spans.v, spans.n);
    }
    vec_free(&spans);
    free(places);
    free(end);
    vec_clear(&r->today);
    vec_clear(&r->open_time);
}

static void forget_known(struct rollup *r)
{
    intern_release(r->known);
    vec_clear(&r->known_places);
    vec_clear(&r->known_rows);
    vec_clear(&r->known_last);
}

/* Tomorrow's entries are other ones for the most part. */
static void day_done(void *to)
{
    struct rollup *r = to;

    end_pot(r);
    add_today(r);
    rows_relieve(r->rows);
    rollup_moves_day(r);
    forget_known(r);
}

struct allocate_sink rollup_sink(struct rollup *r)
{
    return (struct allocate_sink){r, add_entry, add_presence, add_requested, day_done, NULL};
}

/* ---- the end ---- */

void rollup_end(struct rollup *r)
{
    end_pot(r);
    rollup_move(r);
    rows_rewind(r->rows);
}

money rollup_exact_total(struct rollup *r)
{
    money sum = 0;
    struct row row;

    rollup_end(r);
    while (rows_next_cost(r->rows, &row))
        for (int p = 0; p < PIECES; p++)
            sum += row.sums.cost[p];
    return sum;
}

void rollup_free(struct rollup *r)
{
    if (!r)
        return;
    rollup_moves_free(r);
    rows_free(r->rows);
    intern_free(r->known);
    vec_free(&r->known_places);
    vec_free(&r->known_rows);
    vec_free(&r->known_last);
    vec_free(&r->open_time);
    vec_free(&r->today);
    vec_free(&r->pot_rows);
    buf_free(&r->text);
    buf_free(&r->texts);
    free(r);
}
