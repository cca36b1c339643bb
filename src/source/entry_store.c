/* entry_store: entries in an array, found by a table of their numbers.
 *
 * What most entries of a bill have in common, from the type of the machine to its sizes, is kept once, under a number. A slot of the table
 * is that of the entry alone: its key is compared where it stands. */
#include "gputab/source/entry_store.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "gputab/base/vec.h"
#include "gputab/base/xalloc.h"

enum { SLOTS_FIRST = 64 };                                   /* a power of two */

struct entry_terms {               /* the rest of a key; hashed as bytes */
    uint32_t type, region, gpu_model;
    uint16_t piece, shared, text;
    uint8_t purchase, kind;
};

struct entry_sizes {               /* hashed as bytes */
    int64_t vcpu_micro, memory_micro_gib, gpu_count_micro;
};

struct entry_kept {
    struct timespan span;
    uint32_t resource, terms;
    uint32_t sizes;
    uint32_t rows : 30;
    uint32_t has_time : 1, no_list : 1;
    money cost, invoiced, time_ms;
};

static_assert(sizeof(struct entry_terms) == 5 * sizeof(uint32_t), "entry_terms has padding");
static_assert(sizeof(struct entry_kept) == 80, "entries are kept in 80 bytes");

struct entry_store {
    VEC(struct entry_kept) entries;
    VEC(money) lists;              /* by entry, as far as one that has any */
    struct intern *terms, *sizes;  /* as bytes */
    uint32_t *slots;               /* numbers + 1; 0: free. At most two thirds are in use */
    size_t mask;                   /* slots - 1 */
};

struct entry_store *entry_store_new(void)
{
    struct entry_store *s = xcalloc(1, sizeof *s);

    s->terms = intern_new();
    s->sizes = intern_new();
    s->slots = xcalloc(SLOTS_FIRST, sizeof *s->slots);
    s->mask = SLOTS_FIRST - 1;
    return s;
}

void entry_store_free(struct entry_store *s)
{
    if (!s)
        return;
    vec_free(&s->entries);
    vec_free(&s->lists);
    intern_free(s->terms);
    intern_free(s->sizes);
    free(s->slots);
    free(s);
}

uint32_t entry_store_count(const struct entry_store *s)
{
    return (uint32_t)s->entries.n;
}

/* ---- keys ---- */

static uint32_t terms_of(struct entry_store *s, const struct bill_key *k)
{
    struct entry_terms t = {.type = k->type, .region = k->region, .gpu_model = k->gpu_model, .piece = k->piece, .shared = k->shared,
                            .text = k->text, .purchase = k->purchase, .kind = k->kind};

    return intern_put(s->terms, &t, sizeof t);
}

/* Every bit of a and b reaches every bit of the result. */
static uint64_t mix(uint64_t a, uint64_t b)
{
    a = (a ^ b) * UINT64_C(0x9e3779b97f4a7c15);
    return a ^ a >> 32;
}

static uint64_t hash_of(const struct entry_kept *x)
{
    return mix(mix(mix(mix(x->terms, x->resource), (uint64_t)x->span.from), (uint64_t)x->span.to), 0);
}

static bool same_key(const struct entry_kept *a, const struct entry_kept *b)
{
    return a->span.from == b->span.from && a->span.to == b->span.to && a->resource == b->resource && a->terms == b->terms;
}

/* The slot of the key, or the free one where it would go. */
static uint32_t *find_slot(const struct entry_store *s, const struct entry_kept *key)
{
    size_t i = hash_of(key) & s->mask;

    while (s->slots[i] && !same_key(&s->entries.v[s->slots[i] - 1], key))
        i = (i + 1) & s->mask;
    return &s->slots[i];
}

static void grow_slots(struct entry_store *s)
{
    free(s->slots);
    s->mask = 2 * s->mask + 1;
    s->slots = xcalloc(s->mask + 1, sizeof *s->slots);
    for (size_t i = 0; i < s->entries.n; i++)
        *find_slot(s, &s->entries.v[i]) = (uint32_t)i + 1;
}

uint32_t entry_store_put(struct entry_store *s, const struct bill_key *key)
{
    struct entry_kept x = {.span = key->span, .resource = key->resource, .terms = terms_of(s, key)};
    uint32_t *slot = find_slot(s, &x);

    if (*slot)
        return *slot - 1;
    if (s->entries.n >= (s->mask + 1) / 3 * 2) {
        grow_slots(s);
        slot = find_slot(s, &x);
    }
    vec_push(&s->entries, x);
    *slot = (uint32_t)s->entries.n;
    return *slot - 1;
}

void entry_store_close(struct entry_store *s)
{
    free(s->slots);
    s->slots = NULL;
}

struct bill_key entry_store_key(const struct entry_store *s, uint32_t number)
{
    const struct entry_kept *x = &s->entries.v[number];
    struct entry_terms t;

    memcpy(&t, intern_get(s->terms, x->terms).p, sizeof t);
    return (struct bill_key){.span = x->span, .resource = x->resource, .type = t.type, .region = t.region, .gpu_model = t.gpu_model,
                             .piece = t.piece, .shared = t.shared, .text = t.text, .purchase = t.purchase, .kind = t.kind};
}

/* ---- sums ---- */

static struct entry_sizes sizes_of(const struct entry_store *s, const struct entry_kept *x)
{
    struct entry_sizes z = {0, 0, 0};

    if (x->sizes)
        memcpy(&z, intern_get(s->sizes, x->sizes).p, sizeof z);
    return z;
}

static int64_t larger(int64_t a, int64_t b)
{
    return a > b ? a : b;
}

static int add_sizes(struct entry_store *s, struct entry_kept *x, const struct bill_row *row, struct err *e)
{
    struct entry_sizes have = sizes_of(s, x), z = {larger(have.vcpu_micro, row->vcpu_micro),
                                                   larger(have.memory_micro_gib, row->memory_micro_gib),
                                                   larger(have.gpu_count_micro, row->gpu_count_micro)};

    if (memcmp(&have, &z, sizeof z) == 0)
        return 0;
    x->sizes = intern_put(s->sizes, &z, sizeof z);
    if (x->sizes <= ENTRY_SIZES_MAX)
        return 0;
    return err_set(e, ERR_INPUT, "more than %d different sizes of machines", ENTRY_SIZES_MAX);
}

static void add_list(struct entry_store *s, uint32_t number, money list)
{
    while (list && s->lists.n <= number)
        vec_push(&s->lists, 0);
    if (list)
        s->lists.v[number] += list;
}

int entry_store_add(struct entry_store *s, uint32_t number, const struct bill_row *row, struct err *e)
{
    struct entry_kept *x = &s->entries.v[number];

    if (x->rows == ENTRY_ROWS_MAX)
        return err_set(e, ERR_INPUT, "more than %d rows bill one interval of a resource", ENTRY_ROWS_MAX);
    x->cost += row->cost;
    x->invoiced += row->invoiced;
    x->rows++;
    if (row->kind != BILL_TIME)
        return 0;
    if (!row->correction) {
        add_list(s, number, row->has_list ? row->list : 0);
        x->no_list |= !row->has_list || (row->list == 0 && row->time_ms > 0);
    }
    if (row->has_time && !row->correction) {
        x->time_ms += row->time_ms;
        x->has_time = true;
    }
    return add_sizes(s, x, row, e);
}

struct bill_entry entry_store_at(const struct entry_store *s, uint32_t number)
{
    const struct entry_kept *x = &s->entries.v[number];
    struct entry_sizes z = sizes_of(s, x);

    return (struct bill_entry){.key = entry_store_key(s, number), .cost = x->cost, .invoiced = x->invoiced,
                               .list = number < s->lists.n ? s->lists.v[number] : 0, .time_ms = x->time_ms, .rows = x->rows,
                               .has_time = x->has_time, .no_list = x->no_list, .vcpu_micro = z.vcpu_micro,
                               .memory_micro_gib = z.memory_micro_gib, .gpu_count_micro = z.gpu_count_micro};
}
