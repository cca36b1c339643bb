/* rows: rows at hand in an array, found by their packed key; when they are many, they go into a spill as a run, sorted. At the end the
 * runs are merged into one, in which each key stands once. Sums are exact, so it makes no difference where a row was cut in parts.
 *
 * Rows are compared, moved and read back far more often than they are added to one another: keys are compared as they are packed, and the
 * record of a row that stands in one run alone is moved as it is. */
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
    intern_mark(r->keys);
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

enum { KEY_BUCKET, KEY_MATCHED, KEY_TEXTS };           /* a packed key: a byte, a byte, the rest */
static_assert(BUCKET_NONE == 0, "compare_keys takes it for false");

static void pack_key(struct buf *b, const struct row_key *key)
{
    buf_addc(b, (char)key->bucket);
    buf_addc(b, (char)key->matched);
    buf_add_span(b, key->texts);
}

static struct span texts_of(struct span packed)
{
    return (struct span){packed.p + KEY_TEXTS, packed.n - KEY_TEXTS};
}

static struct row_key unpack_key(struct span packed)
{
    if (packed.n < KEY_TEXTS)      /* a disk that did not give it back: rows_check tells */
        return (struct row_key){.bucket = BUCKET_NONE, .texts = {"", 0}};
    return (struct row_key){(enum bucket)packed.p[KEY_BUCKET], packed.p[KEY_MATCHED] != 0, texts_of(packed)};
}

static int compare_texts(struct span a, struct span b)
{
    while (a.n && b.n) {
        struct span x = packed_take_text(&a), y = packed_take_text(&b);
        int c;

        if (!x.n != !y.n)                          /* what does not apply comes last */
            return x.n ? -1 : 1;
        c = span_cmp(x, y);
        if (c)
            return c;
    }
    return 0;
}

static int compare_keys(struct span a, struct span b)
{
    int c;

    if (a.n < KEY_TEXTS || b.n < KEY_TEXTS)
        return (a.n > b.n) - (a.n < b.n);
    if (!a.p[KEY_BUCKET] != !b.p[KEY_BUCKET])
        return a.p[KEY_BUCKET] ? 1 : -1;
    c = compare_texts(texts_of(a), texts_of(b));
    if (c)
        return c;
    if (a.p[KEY_BUCKET] != b.p[KEY_BUCKET])
        return a.p[KEY_BUCKET] < b.p[KEY_BUCKET] ? -1 : 1;
    return b.p[KEY_MATCHED] - a.p[KEY_MATCHED];
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

uint32_t rows_count(const struct rows *r)
{
    return (uint32_t)r->sums.n;
}

/* A row's sums as numbers: its amounts as they lie in struct row_sums, then what is no amount. */
enum { AMOUNTS = offsetof(struct row_sums, resident_ms) / sizeof(packed_wide), RESIDENT = AMOUNTS, FLAGS, NUMBERS,
       COST_NUMBERS = PIECES + 1 };                    /* the first of them: cost, gpu_hours */
static_assert(AMOUNTS == PIECES + GRADES + 9, "amounts lie one behind the other");
static_assert(offsetof(struct row_sums, gpu_hours) == PIECES * sizeof(packed_wide), "cost and hours come first");

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

/* A row at hand on its way into order. Nearly always the first texts of two rows tell which one comes first: they are found once. */
struct place {
    struct span first;
    uint32_t row;
    bool behind;                   /* a bucket's, or the first text does not apply: its order is that of compare_keys */
};

static struct place place_of(const struct rows *r, uint32_t row)
{
    struct row_key key = unpack_key(intern_get(r->keys, row + 1));
    struct span first = row_key_next(&key.texts);

    return (struct place){first, row, key.bucket != BUCKET_NONE || first.n == 0};
}

static int by_key(const void *pa, const void *pb, void *arg)
{
    const struct place *a = pa, *b = pb;
    const struct rows *r = arg;
    int c;

    if (a->behind != b->behind)
        return a->behind ? 1 : -1;
    c = a->behind ? 0 : span_cmp(a->first, b->first);
    return c ? c : compare_keys(intern_get(r->keys, a->row + 1), intern_get(r->keys, b->row + 1));
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
    uint32_t n = (uint32_t)r->sums.n;
    struct place *order = xreallocarray(NULL, n + 1, sizeof *order);
    struct run run = {.from = spill_end(r->parts)};

    for (uint32_t i = 0; i < n; i++)
        order[i] = place_of(r, i);
    if (n)
        qsort_r(order, n, sizeof *order, by_key, r);
    for (uint32_t i = 0; i < n; i++)
        move_row(r->parts, &r->scratch, intern_get(r->keys, order[i].row + 1), &r->sums.v[order[i].row]);
    run.to = spill_end(r->parts);
    if (n)
        vec_push(&r->runs, run);
    free(order);
    vec_clear(&r->sums);
    intern_release(r->keys);
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
    struct span record, key, sums;
    bool done;                     /* there is none */
};

/* A tournament: at node i of a tree (1 is its root, i's children are 2 i and 2 i + 1, those from n on are the heads) waits who lost
 * there. A row that is taken is followed by its successor, which has to win only the matches on its way to the root. */
struct tournament {
    struct head *heads;
    size_t *losers, n;
    size_t winner;
};

static void head_next(struct head *h)
{
    h->done = !spill_next(&h->reader, &h->record);
    if (h->done)
        return;
    h->sums = h->record;
    h->key = packed_take_text(&h->sums);
}

static bool comes_first(const struct tournament *t, size_t a, size_t b)
{
    if (t->heads[a].done || t->heads[b].done)
        return !t->heads[a].done;
    return compare_keys(t->heads[a].key, t->heads[b].key) < 0;
}

/* Who wins at a node, when all matches below are held. */
static size_t hold_all(struct tournament *t, size_t node)
{
    size_t a, b;

    if (node >= t->n)
        return node - t->n;
    a = hold_all(t, 2 * node);
    b = hold_all(t, 2 * node + 1);
    t->losers[node] = comes_first(t, a, b) ? b : a;
    return t->losers[node] == a ? b : a;
}

/* The first head's next row takes its place. */
static void advance(struct tournament *t)
{
    size_t winner = t->winner;

    head_next(&t->heads[winner]);
    for (size_t node = (t->n + winner) / 2; node > 0; node /= 2) {
        size_t other = t->losers[node];

        if (comes_first(t, other, winner)) {
            t->losers[node] = winner;
            winner = other;
        }
    }
    t->winner = winner;
}

static bool is_next(const struct tournament *t, struct span key)
{
    const struct head *h = &t->heads[t->winner];

    return !h->done && span_same(h->key, key);
}

/* Takes the first row, with what all runs have of it. */
static void merge_row(struct rows *r, struct tournament *t, struct buf *record)
{
    struct row_sums sums, more;
    struct span rest, key;

    buf_clear(record);
    buf_add_span(record, t->heads[t->winner].record);
    rest = buf_span(record);
    key = packed_take_text(&rest);
    advance(t);
    if (!is_next(t, key)) {
        spill_add(r->merged, buf_span(record));
        return;
    }
    unpack_sums(rest, &sums);
    for (; is_next(t, key); advance(t)) {
        unpack_sums(t->heads[t->winner].sums, &more);
        row_sums_add(&sums, &more);
    }
    move_row(r->merged, &r->scratch, key, &sums);
}

static void merge(struct rows *r)
{
    size_t n = r->runs.n;
    struct tournament t = {.heads = xcalloc(n, sizeof *t.heads), .losers = xcalloc(n, sizeof *t.losers), .n = n};
    struct buf record = {0};

    for (size_t i = 0; i < n; i++) {
        t.heads[i].reader = spill_read(r->parts, r->runs.v[i].from, r->runs.v[i].to);
        head_next(&t.heads[i]);
    }
    t.winner = hold_all(&t, 1);
    while (!t.heads[t.winner].done)
        merge_row(r, &t, &record);
    for (size_t i = 0; i < n; i++)
        spill_reader_free(&t.heads[i].reader);
    buf_free(&record);
    free(t.losers);
    free(t.heads);
}

/* ---- reading ---- */

static void end_adding(struct rows *r)
{
    move_run(r);
    vec_free(&r->sums);
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

bool rows_next_cost(struct rows *r, struct row *out)
{
    packed_wide n[COST_NUMBERS];
    struct span record;

    if (!spill_next(&r->reader, &record))
        return false;
    out->key = unpack_key(packed_take_text(&record));
    packed_take_numbers(&record, n, COST_NUMBERS);
    memcpy(out->sums.cost, n, sizeof out->sums.cost);
    out->sums.gpu_hours = n[PIECES];
    return true;
}

int rows_check(const struct rows *r, struct err *e)
{
    if (spill_check(r->parts, e) < 0)
        return -1;
    return r->merged ? spill_check(r->merged, e) : 0;
}
