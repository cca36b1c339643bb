/* replay: series out of a scrape's blocks.
 *
 * Not here: which blocks and which labels: all of a window (source/inventory_window), or what stays the same (source/outline); whose a
 * series is (source/replay_pod); in which order all stand (source/replay_order); what series mean together (source/inventory). */
#include "gputab/source/replay.h"

#include <stdlib.h>
#include <string.h>

#include "gputab/source/replay_order.h"
#include "gputab/source/replay_pod.h"
#include "gputab/source/samples.h"

bool replay_keeps(int kind)
{
    return kind > SAMPLE_PROCESS_USED && kind != SAMPLE_CPU && kind != SAMPLE_MEMORY;
}

void replay_init(struct replay *r, struct scrape *scrape, struct intern *names, struct intern *labelsets, struct timespan reach)
{
    *r = (struct replay){ .scrape = scrape, .names = names, .labelsets = labelsets, .reach = reach };
}

void replay_expect(struct replay *r, size_t n)
{
    vec_reserve(&r->series, n);
    fingerprint_map_reserve(&r->by_key, n);
}

void replay_free(struct replay *r)
{
    vec_free(&r->series);
    vec_free(&r->blocks);
    vec_free(&r->scratch);
    buf_free(&r->packing);
    fingerprint_map_free(&r->by_key);
    arena_free(&r->values);
    arena_free(&r->numbers);
    arena_free(&r->records);
    *r = (struct replay){ 0 };
}

/* ---- series ---- */

/* Whether the value is that of the series before. */
static bool is_last(const struct replay_value *last, struct span text)
{
    return last->id != 0 && last->text.n == text.n && bytes_same(last->text.p, text.p, text.n);
}

/* Gives ids to the values that are not those of the series before; at says where each goes. */
static void name_values(struct replay *r, const struct span *texts, const int *roles, size_t n, uint32_t *const *at)
{
    uint32_t ids[ROLES];

    intern_put_all(r->names, texts, n, ids);
    for (size_t i = 0; i < n; i++) {
        *at[i] = ids[i];
        r->last[roles[i]] = (struct replay_value){ intern_get(r->names, ids[i]), ids[i] };
    }
}

static void take_values(struct replay *r, const struct scrape_labels *labels, struct replay_series *s)
{
    struct span texts[ROLES];
    uint32_t *at[ROLES], *to;
    int roles[ROLES];
    size_t n = 0;

    to = s->values = arena_alloc(&r->values, (bits_count(s->roles) + 1) * sizeof *s->values);
    for (uint64_t rest = s->roles; rest; rest &= rest - 1, to++) {
        int role = __builtin_ctzll(rest);

        if (is_last(&r->last[role], labels->values[role])) {
            *to = r->last[role].id;
            continue;
        }
        roles[n] = role;
        texts[n] = labels->values[role];
        at[n++] = to;
    }
    name_values(r, texts, roles, n, at);
}

static struct replay_series *new_series(struct replay *r, const struct scrape_labels *labels)
{
    const struct scrape_handle *h = &labels->handle;
    struct replay_series *s;

    vec_reserve(&r->series, r->series.n + 1);
    s = &r->series.v[r->series.n];
    *s = (struct replay_series){ .family = r->scrape->family[h->family], .family_index = h->family, .kind = h->kind, .at = h->at,
                                 .order = labels->order, .cluster = labels->cluster, .target = labels->target,
                                 .sharing = labels->sharing, .number = (uint32_t)r->series.n, .first_on = TIME_MAX };
    r->series.n++;
    return s;
}

bool replay_add(struct replay *r, const struct scrape_labels *labels, struct fingerprint key, uint64_t mask, uint32_t *index)
{
    struct replay_series *s;
    bool found;
    uint32_t *number = fingerprint_map_at(&r->by_key, key, &found);

    if (found) {
        *index = *number;
        return false;
    }
    s = new_series(r, labels);
    s->key = key;
    s->roles = labels->roles & mask;
    s->labelset = intern_span(r->labelsets, labels->labelset);
    take_values(r, labels, s);
    *index = *number = s->number;
    return true;
}

void replay_give_role(struct replay *r, struct replay_series *series, enum label_role role, uint32_t value)
{
    uint64_t bit = (uint64_t)1 << role;
    size_t n = bits_count(series->roles), at = bits_count(series->roles & (bit - 1));
    uint32_t *values = arena_alloc(&r->values, (n + 1) * sizeof *values);

    memcpy(values, series->values, at * sizeof *values);
    values[at] = value;
    memcpy(values + at + 1, series->values + at, (n - at) * sizeof *values);
    series->values = values;
    series->roles |= bit;
}

int replay_check_room(const struct replay *r, struct err *e)
{
    if (r->series.n > REPLAY_SERIES)
        err_set(e, ERR_INPUT, "more than %d different series", REPLAY_SERIES);
    else if (intern_bytes(r->names) > REPLAY_NAMES)
        err_set(e, ERR_INPUT, "the names in labels are longer than %d MiB together", REPLAY_NAMES >> 20);
    else
        return 0;
    return err_hint(e, "read a shorter period, or fewer families, from a file");
}

/* ---- samples ---- */

/* Packed samples go behind those that are there: nearly all series have one block of them. */
static void keep(struct replay *r, struct replay_series *s, struct span packed, struct sample last)
{
    struct arena *arena = s->kind < SAMPLE_KINDS ? &r->numbers : &r->records;
    size_t n = s->kept.n + packed.n;

    if (n > s->kept.room) {
        size_t room = s->kept.n == 0 ? n : 2 * n;
        char *p = arena_alloc(arena, room);

        if (s->kept.n > 0)
            memcpy(p, s->kept.p, s->kept.n);
        s->kept.p = p;
        s->kept.room = room;
    }
    memcpy(s->kept.p + s->kept.n, packed.p, packed.n);
    s->kept.n = n;
    s->last_kept = last;
}

static void keep_samples(struct replay *r, struct replay_series *s, const struct sample *v, size_t n)
{
    buf_clear(&r->packing);
    sample_pack_add(&r->packing, v, n);
    keep(r, s, buf_span(&r->packing), v[n - 1]);
}

static void note_extent(struct replay_series *s, time_ms first, time_ms last, bool shuffled)
{
    s->shuffled |= shuffled || (s->any && first <= s->last);
    s->first = !s->any || first < s->first ? first : s->first;
    s->last = !s->any || last > s->last ? last : s->last;
    s->any = true;
}

static void note_first_on(struct replay_series *s, const struct sample *v, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (v[i].value > 0 && v[i].time < s->first_on) {
            s->first_on = v[i].time;
            return;
        }
}

static void pack(struct replay *r, struct replay_series *s, const struct sample *v, size_t n, bool shuffled)
{
    time_ms first = TIME_MAX, last = TIME_MIN;

    for (size_t i = 0; i < n; i++) {
        first = v[i].time < first ? v[i].time : first;
        last = v[i].time > last ? v[i].time : last;
    }
    if (n == 0)
        return;
    note_extent(s, first, last, shuffled);
    note_first_on(s, v, n);
    keep_samples(r, s, v, n);
}

static bool is_in(struct timespan reach, time_ms t)
{
    return t >= reach.from && t <= reach.to;
}

/* Of a block in the order of time, all of which is the series': it is looked into only where the first sample above zero is none of those
 * that it tells itself. */
static int note_block_on(struct replay *r, struct replay_series *s, const struct block *block, struct err *e)
{
    if (s->first_on != TIME_MAX || block->on == BLOCK_ON_NEVER)
        return 0;
    if (block->on == BLOCK_ON_FIRST) {
        s->first_on = block->first;
        return 0;
    }
    vec_clear(&r->scratch);
    if (blocks_read(r->scrape->blocks, block, &r->scratch, e) < 0)
        return -1;
    note_first_on(s, r->scratch.v, r->scratch.n);
    return 0;
}

/* A block that lies whole in the reach stays as it is packed. */
static int take_whole(struct replay *r, struct replay_series *s, const struct block *block, struct err *e)
{
    struct span packed;

    if (note_block_on(r, s, block, e) < 0 || blocks_packed(r->scrape->blocks, block, &packed, e) < 0)
        return -1;
    note_extent(s, block->first, block->last, false);
    keep(r, s, packed, (struct sample){ block->last, block->last_value });
    return 0;
}

static int take_packed(struct replay *r, struct replay_series *s, const struct block *block, struct err *e)
{
    struct samples *v = &r->scratch;
    size_t kept = 0;

    if (is_in(r->reach, block->first) && is_in(r->reach, block->last) && !block->shuffled)
        return take_whole(r, s, block, e);
    vec_clear(v);
    if (blocks_read(r->scrape->blocks, block, v, e) < 0)
        return -1;
    for (size_t i = 0; i < v->n; i++)
        if (is_in(r->reach, v->v[i].time))
            v->v[kept++] = v->v[i];
    pack(r, s, v->v, kept, block->shuffled);
    return 0;
}

int replay_take(struct replay *r, uint32_t index, const struct block *block, struct err *e)
{
    struct replay_series *s = &r->series.v[index];
    struct block listed = *block;

    if (replay_keeps(s->kind))
        return take_packed(r, s, block, e);
    note_extent(s, block->first, block->last, block->shuffled);
    listed.series = index;
    vec_push(&r->blocks, listed);
    return 0;
}

void replay_stand_in(struct replay *r, uint32_t index, uint64_t order, bool names_pod)
{
    r->series.v[index].order = order;
    r->series.v[index].stands_in = true;
    r->series.v[index].names_pod = names_pod;
}

void replay_note(struct replay *r, uint32_t index, time_ms first, time_ms last)
{
    struct replay_series *s = &r->series.v[index];

    s->first = !s->any || first < s->first ? first : s->first;
    s->last = !s->any || last > s->last ? last : s->last;
    s->any = true;
}

void replay_begin(struct replay *r, uint32_t index, struct sample before, time_ms first, time_ms first_on)
{
    struct replay_series *s = &r->series.v[index];

    s->any = true;
    s->first = first;
    s->last = before.time;
    s->first_on = first_on;
    keep_samples(r, s, &before, 1);
}

void replay_drop_records(struct replay *r)
{
    size_t kept = 0;

    for (size_t i = 0; i < r->series.n; i++)
        if (r->series.v[i].kind < SAMPLE_KINDS)
            r->series.v[kept++] = r->series.v[i];
    r->series.n = kept;
    vec_fit(&r->series);
    arena_free(&r->records);
}

/* ---- finishing ---- */

/* Whether a series is of use: it has samples, and names what they speak of. */
static bool of_use(struct replay *r, struct replay_series *s)
{
    if (!s->any)
        return false;
    if (!s->pod_known)
        replay_find_pod(r, s);
    if (replay_names_its_thing(s))
        return true;
    if (!s->stands_in)                                 /* those for which it stands are counted themselves */
        scrape_count_series(r->scrape, SCRAPE_NAMELESS, s->key, s->family_index);
    return false;
}

static void drop_useless(struct replay *r)
{
    size_t kept = 0;

    for (size_t i = 0; i < r->series.n; i++) {
        struct replay_series *s = &r->series.v[i];

        if (!of_use(r, s))
            continue;
        if (kept < i)
            r->series.v[kept] = *s;
        kept++;
    }
    r->series.n = kept;
}

/* Packed samples are put in order for good. */
static int sort_kept(struct replay *r, struct replay_series *s, struct timespan counted, struct err *e)
{
    struct span at = replay_kept(s);

    vec_clear(&r->scratch);
    while (at.n > 0)
        if (!sample_pack_read(&at, &r->scratch))
            return err_set(e, ERR_INTERNAL, "packed samples are damaged");
    r->scrape->repeated[s->family_index] += samples_sort(&r->scratch, 0, counted);
    note_first_on(s, r->scratch.v, r->scratch.n);
    s->kept.n = 0;
    keep_samples(r, s, r->scratch.v, r->scratch.n);
    return 0;
}

static int sort_all_kept(struct replay *r, struct timespan counted, struct err *e)
{
    for (size_t i = 0; i < r->series.n; i++) {
        struct replay_series *s = &r->series.v[i];

        if (!s->shuffled)
            continue;
        scrape_count_series(r->scrape, SCRAPE_SHUFFLED, s->key, s->family_index);
        if (replay_keeps(s->kind) && sort_kept(r, s, counted, e) < 0)
            return -1;
    }
    return 0;
}

/* Samples in blocks are put in order whenever they are read; here only repeated ones are counted. v: blocks of one series. */
static int count_repeated(struct replay *r, const struct replay_series *s, const struct block *v, size_t n, struct timespan counted,
                          struct err *e)
{
    vec_clear(&r->scratch);
    for (size_t i = 0; i < n; i++)
        if (blocks_read(r->scrape->blocks, &v[i], &r->scratch, e) < 0)
            return -1;
    r->scrape->repeated[s->family_index] += samples_sort(&r->scratch, 0, counted);
    return 0;
}

size_t replay_blocks_of(const struct replay *r, const struct replay_series *s, const struct block **first)
{
    size_t lo = 0, hi = r->blocks.n, n = 0;

    while (lo < hi) {
        size_t middle = lo + (hi - lo) / 2;

        if (r->blocks.v[middle].series < s->number)
            lo = middle + 1;
        else
            hi = middle;
    }
    *first = &r->blocks.v[lo];
    while (lo + n < r->blocks.n && r->blocks.v[lo + n].series == s->number)
        n++;
    return n;
}

static int count_all_repeated(struct replay *r, struct timespan counted, struct err *e)
{
    for (size_t i = 0; i < r->series.n; i++) {
        const struct replay_series *s = &r->series.v[i];
        const struct block *first;
        size_t n = s->shuffled && !replay_keeps(s->kind) ? replay_blocks_of(r, s, &first) : 0;

        if (n > 0 && count_repeated(r, s, first, n, counted, e) < 0)
            return -1;
    }
    return 0;
}

int replay_finish(struct replay *r, struct timespan counted, struct err *e)
{
    int rc;

    replay_order_blocks(r);
    drop_useless(r);
    fingerprint_map_free(&r->by_key);                /* no series comes any more */
    rc = sort_all_kept(r, counted, e);
    if (rc == 0)
        rc = count_all_repeated(r, counted, e);
    replay_order_series(r);
    return rc;
}
