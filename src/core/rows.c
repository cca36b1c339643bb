/* rows: rows at hand in an array, found by their packed key; when they are many, they go into a spill as a run, sorted. At the end the
 * runs are merged into one, in which each key stands once. Sums are exact, so it makes no difference where a row was cut in parts. */
#include "gputab/core/rows.h"

#include <assert.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "gputab/base/intern.h"
#include "gputab/base/packed.h"
#include "gputab/base/spill.h"
#include "gputab/base/vec.h"

enum { ROWS_KEPT = 6000 };         /* rows at hand from which on they are moved: about 3 MB */

struct run {
    uint64_t from, to;             /* in the spill */
};

struct rows {
    struct intern *keys;           /* packed: a row's number + 1 is the id of its key */
    VEC(struct row_sums) sums;     /* of the rows at hand */
    struct buf scratch;
    struct spill *parts;           /* runs of rows that were moved */
    VEC(struct run) runs;
    struct spill *merged;          /* the runs as one; NULL until reading begins */
    struct spill_reader reader;
};

struct rows *rows_new(void)
{
    struct rows *r = xcalloc(1, sizeof *r);

    r->keys = intern_new();
    r->parts = spill_new();
    return r;
}

void rows_free(struct rows *r)
{
    if (!r)
        return;
    intern_free(r->keys);
    vec_free(&r->sums);
    buf_free(&r->scratch);
    if (r->merged != r->parts)
        spill_free(r->merged);
    spill_free(r->parts);
    vec_free(&r->runs);
    spill_reader_free(&r->reader);
    free(r);
}

/* ---- keys ---- */

void row_key_add_text(struct buf *texts, struct span text)
{
    packed_add_text(texts, text);
}

struct span row_key_next(struct span *texts)
{
    return packed_take_text(texts);
}

static void pack_key(struct buf *b, const struct row_key *key)
{
    buf_addc(b, (char)key->bucket);
    buf_addc(b, (char)key->matched);
    buf_add_span(b, key->texts);
}

static struct row_key unpack_key(struct span packed)
{
    struct row_key key = {.bucket = (enum bucket)packed_take_length(&packed), .matched = packed_take_length(&packed) != 0};

    key.texts = packed;
    return key;
}

static int compare_texts(struct span a, struct span b)
{
    while (a.n && b.n) {
        struct span x = row_key_next(&a), y = row_key_next(&b);

        if (!x.n != !y.n)                          /* what does not apply comes last */
            return x.n ? -1 : 1;
        if (!span_same(x, y))
            return span_cmp(x, y);
    }
    return 0;
}

static int compare_keys(struct span packed_a, struct span packed_b)
{
    struct row_key a = unpack_key(packed_a), b = unpack_key(packed_b);
    int c;

    if ((a.bucket != BUCKET_NONE) != (b.bucket != BUCKET_NONE))
        return a.bucket != BUCKET_NONE ? 1 : -1;
    c = compare_texts(a.texts, b.texts);
    if (c)
        return c;
    if (a.bucket != b.bucket)
        return a.bucket < b.bucket ? -1 : 1;
    return b.matched - a.matched;
}

/* ---- rows at hand ---- */

uint32_t rows_put(struct rows *r, const struct row_key *key)
{
    uint32_t id;

    assert(!r->merged);
    buf_clear(&r->scratch);
    pack_key(&r->scratch, key);
    id = intern_put(r->keys, r->scratch.p, r->scratch.n);
    if (id > r->sums.n)
        vec_push(&r->sums, (struct row_sums){.has_pods = false});
    return id - 1;
}

struct row_sums *rows_at(struct rows *r, uint32_t row)
{
    return &r->sums.v[row];
}

/* A row's sums as numbers: its amounts as they lie in struct row_sums, then what is no amount. */
enum { AMOUNTS = offsetof(struct row_sums, resident_ms) / sizeof(packed_wide), RESIDENT = AMOUNTS, FLAGS, NUMBERS };
static_assert(AMOUNTS == PIECES + GRADES + 9, "amounts lie one behind the other");

enum { HAS_PODS = 1, LEFT = 2 };

static void pack_sums(struct buf *b, const struct row_sums *s)
{
    packed_wide n[NUMBERS];

    memcpy(n, s, AMOUNTS * sizeof *n);
    n[RESIDENT] = (packed_wide)s->resident_ms;
    n[FLAGS] = (s->has_pods ? HAS_PODS : 0) | (s->left ? LEFT : 0);
    packed_add_numbers(b, n, NUMBERS);
}

static void unpack_sums(struct span packed, struct row_sums *s)
{
    packed_wide n[NUMBERS];

    packed_take_numbers(&packed, n, NUMBERS);
    memcpy(s, n, AMOUNTS * sizeof *n);
    s->resident_ms = (uint64_t)n[RESIDENT];
    s->has_pods = n[FLAGS] & HAS_PODS;
    s->left = n[FLAGS] & LEFT;
}

void row_sums_add(struct row_sums *to, const struct row_sums *s)
{
    for (int p = 0; p < PIECES; p++)
        to->cost[p] += s->cost[p];
    to->gpu_hours += s->gpu_hours;
    to->used_cost += s->used_cost;
    to->min_cost += s->min_cost;
    to->max_cost += s->max_cost;
    for (int g = 0; g < GRADES; g++)
        to->grade[g] += s->grade[g];
    to->idle_cost += s->idle_cost;
    to->shared_cost += s->shared_cost;
    to->moved_gpu += s->moved_gpu;
    to->memory_ms += s->memory_ms;
    to->requested += s->requested;
    to->resident_ms += s->resident_ms;
    to->has_pods = to->has_pods || s->has_pods;
    to->left = to->left || s->left;
}

static int by_key(const void *pa, const void *pb, void *arg)
{
    const struct rows *r = arg;

    return compare_keys(intern_get(r->keys, *(const uint32_t *)pa + 1), intern_get(r->keys, *(const uint32_t *)pb + 1));
}

/* A row as a record: its key as a text, its sums. */
static void move_row(struct spill *to, struct buf *scratch, struct span key, const struct row_sums *sums)
{
    buf_clear(scratch);
    packed_add_text(scratch, key);
    pack_sums(scratch, sums);
    spill_add(to, buf_span(scratch));
}

static void move_run(struct rows *r)
{
    uint32_t n = (uint32_t)r->sums.n, *order = xreallocarray(NULL, n + 1, sizeof *order);
    struct run run = {.from = spill_end(r->parts)};

    for (uint32_t i = 0; i < n; i++)
        order[i] = i;
    if (n)
        qsort_r(order, n, sizeof *order, by_key, r);
    for (uint32_t i = 0; i < n; i++)
        move_row(r->parts, &r->scratch, intern_get(r->keys, order[i] + 1), &r->sums.v[order[i]]);
    run.to = spill_end(r->parts);
    if (n)
        vec_push(&r->runs, run);
    free(order);
    vec_free(&r->sums);
    intern_free(r->keys);
    r->keys = intern_new();
}

bool rows_relieve(struct rows *r)
{
    if (r->sums.n < ROWS_KEPT)
        return false;
    move_run(r);
    return true;
}

/* ---- merging ---- */

struct head {                      /* the first row of a run that has not been taken */
    struct spill_reader reader;
    struct span key, sums;
};

static bool head_next(struct head *h)
{
    struct span record;

    if (!spill_next(&h->reader, &record))
        return false;
    h->key = packed_take_text(&record);
    h->sums = record;
    return true;
}

/* Moves heads[i] down to its place in the heap. */
static void sink(struct head *heads, size_t n, size_t i)
{
    for (size_t child; (child = 2 * i + 1) < n; i = child) {
        struct head h;

        if (child + 1 < n && compare_keys(heads[child + 1].key, heads[child].key) < 0)
            child++;
        if (compare_keys(heads[i].key, heads[child].key) <= 0)
            return;
        h = heads[i];
        heads[i] = heads[child];
        heads[child] = h;
    }
}

/* Takes the first head's row away. */
static void advance(struct head *heads, size_t *n)
{
    if (!head_next(&heads[0])) {
        spill_reader_free(&heads[0].reader);
        heads[0] = heads[--*n];
    }
    sink(heads, *n, 0);
}

static void merge(struct rows *r)
{
    size_t n = 0;
    struct head *heads = xcalloc(r->runs.n + 1, sizeof *heads);
    struct buf key = {0};

    for (size_t i = 0; i < r->runs.n; i++) {
        heads[n].reader = spill_read(r->parts, r->runs.v[i].from, r->runs.v[i].to);
        if (head_next(&heads[n]))
            n++;
    }
    for (size_t i = n; i-- > 0;)
        sink(heads, n, i);
    while (n) {
        struct row_sums sums, more;

        unpack_sums(heads[0].sums, &sums);
        buf_clear(&key);
        buf_add_span(&key, heads[0].key);
        for (advance(heads, &n); n && span_same(heads[0].key, buf_span(&key)); advance(heads, &n)) {
            unpack_sums(heads[0].sums, &more);
            row_sums_add(&sums, &more);
        }
        move_row(r->merged, &r->scratch, buf_span(&key), &sums);
    }
    buf_free(&key);
    free(heads);
}

/* ---- reading ---- */

static void end_adding(struct rows *r)
{
    move_run(r);
    r->merged = r->runs.n > 1 ? spill_new() : r->parts;
    if (r->runs.n > 1)
        merge(r);
}

void rows_rewind(struct rows *r)
{
    if (!r->merged)
        end_adding(r);
    spill_reader_free(&r->reader);
    r->reader = spill_read(r->merged, 0, spill_end(r->merged));
}

bool rows_next(struct rows *r, struct row *out)
{
    struct span record;

    if (!spill_next(&r->reader, &record))
        return false;
    out->key = unpack_key(packed_take_text(&record));
    unpack_sums(record, &out->sums);
    return true;
}

int rows_check(const struct rows *r, struct err *e)
{
    if (spill_check(r->parts, e) < 0)
        return -1;
    return r->merged ? spill_check(r->merged, e) : 0;
}
