/* window: series by their blocks, then those that are carried along.
 *
 * Of the carried records only those are brought back whose pod the window shows, or whose owner one of its pods names: the others wait as
 * they are, and are few enough to be looked through.
 *
 * Not here: what the records mean together (source/inventory_pods), and the last samples of numbers (source/sample_store). */
#include "gputab/source/window.h"

#include "gputab/source/history.h"
#include "gputab/source/outline.h"
#include "gputab/source/replay_pod.h"
#include "gputab/source/scrape_series.h"

struct timespan window_reach(const struct metrics_request *req, struct timespan span)
{
    int64_t gap = req->max_gap_ms;

    return (struct timespan){ span.from - gap, span.to + (gap > HISTORY_BACK ? gap : HISTORY_BACK) };
}

void window_free(struct window *w)
{
    vec_free(&w->carried);
}

/* ---- who a record speaks of ---- */

/* A pod or an owner by its ids, which mean something in one window; no padding. */
struct person {
    uint32_t cluster, namespace_name, kind, name;
};

struct people {
    struct replay *r;
    struct buf text;
    struct intern *seen;           /* pods and owners of the window: struct person; the id is replay_series.who */
    VEC(struct fingerprint) prints;        /* by that id: what stands for them in every window */
    struct fingerprint_map known;  /* all of those */
};

/* About n will come. */
static void begin_people(struct people *p, struct replay *r, size_t n)
{
    *p = (struct people){ .r = r, .seen = intern_new() };
    vec_reserve(&p->prints, n);
    fingerprint_map_reserve(&p->known, n);
    vec_push(&p->prints, (struct fingerprint){ 0, 0 });
}

static void free_people(struct people *p)
{
    buf_free(&p->text);
    intern_free(p->seen);
    vec_free(&p->prints);
    fingerprint_map_free(&p->known);
}

static struct fingerprint print_of(struct people *p, const struct person *x)
{
    buf_clear(&p->text);
    buf_add(&p->text, &x->cluster, sizeof x->cluster);
    buf_add_span(&p->text, intern_get(p->r->names, x->namespace_name));
    buf_addc(&p->text, '\0');
    buf_add_span(&p->text, intern_get(p->r->names, x->kind));
    buf_addc(&p->text, '\0');
    buf_add_span(&p->text, intern_get(p->r->names, x->name));
    return fingerprint_of(p->r->scrape->secret, buf_span(&p->text));
}

/* Many series speak of one: it is put into words once. */
static uint32_t see(struct people *p, struct person x)
{
    uint32_t id = intern_put(p->seen, &x, sizeof x);
    bool found;

    if (id == p->prints.n) {
        struct fingerprint f = print_of(p, &x);

        vec_push(&p->prints, f);
        fingerprint_map_at(&p->known, f, &found);
    }
    return id;
}

static bool is_owned(int kind)
{
    return kind == RECORD_REPLICASET_OWNER || kind == RECORD_JOB_OWNER;
}

/* Of a series that names a pod, or a record of an owner. */
static uint32_t see_who(struct people *p, const struct replay_series *s)
{
    bool job = s->kind == RECORD_JOB_OWNER;

    if (!is_owned(s->kind))
        return see(p, (struct person){ s->cluster, s->pod.namespace_name, 0, s->pod.name });
    return see(p, (struct person){ s->cluster, s->pod.namespace_name, intern_str(p->r->names, job ? "Job" : "ReplicaSet"),
                                   replay_role(s, job ? ROLE_JOB_NAME : ROLE_REPLICASET) });
}

/* Of those with a kind only records of owners speak: where none waits for its owner nobody need be seen. */
static void see_owner(struct people *p, const struct replay_series *s, enum label_role kind, enum label_role name, bool waits)
{
    if (replay_role(s, name) && (waits || !replay_role(s, kind)))
        see(p, (struct person){ s->cluster, s->pod.namespace_name, replay_role(s, kind), replay_role(s, name) });
}

/* Those whom the series from `from` on name: they are in the order of their numbers still. */
static void see_pods(struct people *p, size_t from)
{
    for (size_t i = from; i < p->r->series.n; i++) {
        struct replay_series *s = &p->r->series.v[i];

        replay_find_pod(p->r, s);
        s->who = is_owned(s->kind) || s->pod.name ? see_who(p, s) : 0;
    }
    p->r->persons = intern_count(p->seen);
}

static void see_owners(struct people *p, bool waits)
{
    for (size_t i = 0; i < p->r->series.n; i++) {
        const struct replay_series *s = &p->r->series.v[i];

        if (s->kind == RECORD_POD_OWNER)
            see_owner(p, s, ROLE_OWNER_KIND, ROLE_OWNER_NAME, waits);
        else if (s->kind == RECORD_POD_INFO)
            see_owner(p, s, ROLE_CREATED_BY_KIND, ROLE_CREATED_BY_NAME, waits);
    }
}

/* ---- reading ---- */

struct carried_index {
    struct window *w;
    struct fingerprint_map at;     /* by key: index into carried */
};

static void begin_carried(struct replay *r, uint32_t index, struct carried *c)
{
    c->used = true;
    replay_begin(r, index, c->last, c->first, c->first_on);
}

static int add_series(struct replay *r, struct carried_index *c, uint64_t at, uint32_t *index, struct err *e)
{
    struct scrape_labels labels;
    const uint32_t *carried;

    if (scrape_labels_at(r->scrape, at, &labels, e) < 0)
        return -1;
    if (!replay_add(r, &labels, labels.handle.key, UINT64_MAX, index))
        return 0;
    carried = fingerprint_map_find(&c->at, labels.handle.key);
    if (carried)
        begin_carried(r, *index, &c->w->carried.v[*carried]);
    return replay_check_room(r, e);
}

/* Of numbers before the reach, from `from` on, no sample is wanted any more (the last one waits in the store), but their series. */
static int read_blocks(struct replay *r, struct carried_index *c, time_ms from, struct err *e)
{
    struct timespan span = { from < r->reach.from ? from : r->reach.from, r->reach.to };
    struct block_cursor cursor = { 0 };
    struct block block;
    uint64_t last_at = SCRAPE_NONE;
    uint32_t index = NONE;
    int rc;

    while ((rc = blocks_next(r->scrape->blocks, &cursor, span, &block, e)) > 0) {
        bool behind = block.last < r->reach.from;

        if (outline_keeps(block.kind) || (behind && block.kind >= SAMPLE_KINDS))
            continue;
        if (block.series != last_at && add_series(r, c, block.series, &index, e) < 0)
            return -1;
        last_at = block.series;
        if (behind)
            replay_note(r, index, block.first, block.last);
        else if (replay_take(r, index, &block, e) < 0)
            return -1;
    }
    return rc;
}

/* Brings back what is said of those who were seen. */
static int bring_back(struct people *p, struct carried_index *c, struct err *e)
{
    for (size_t i = 0; i < c->w->carried.n; i++) {
        struct carried *x = &c->w->carried.v[i];
        uint32_t index;

        if (!x->used && fingerprint_map_find(&p->known, x->who) && add_series(p->r, c, x->at, &index, e) < 0)
            return -1;
    }
    return 0;
}

static bool any_owner_waits(const struct window *w)
{
    for (size_t i = 0; i < w->carried.n; i++)
        if (w->carried.v[i].of_owner && !w->carried.v[i].used)
            return true;
    return false;
}

static int bring_all_back(struct people *p, struct carried_index *c, struct err *e)
{
    size_t n = p->r->series.n, seen;

    see_pods(p, 0);
    seen = p->prints.n;
    if (bring_back(p, c, e) < 0)
        return -1;
    see_pods(p, n);
    see_owners(p, any_owner_waits(c->w));
    if (p->prints.n == seen)
        return 0;
    n = p->r->series.n;
    if (bring_back(p, c, e) < 0)
        return -1;
    see_pods(p, n);
    return 0;
}

/* ---- carrying ---- */

static bool is_carried(const struct replay_series *s)
{
    return replay_keeps(s->kind) && !outline_keeps(s->kind);
}

/* The last packed sample before t. That of most is all that they have last: their pods are gone. */
static bool last_before(const struct replay_series *s, time_ms t, struct samples *scratch, struct sample *out)
{
    struct span at = replay_kept(s), last = { NULL, 0 };
    struct sample_pack_head head;
    bool any = false;

    if (at.n > 0 && s->last_kept.time < t) {
        *out = s->last_kept;
        return true;
    }
    for (struct span here = at; at.n > 0 && sample_pack_skip(&at, &head); here = at)
        if (head.first < t)
            last = here;
    vec_clear(scratch);
    if (last.n == 0 || !sample_pack_read(&last, scratch))
        return false;
    for (size_t i = 0; i < scratch->n && scratch->v[i].time < t; i++) {
        *out = scratch->v[i];
        any = true;
    }
    return any;
}

static void carry_series(struct window *w, struct people *p, time_ms next_reach)
{
    const struct replay *r = p->r;
    struct samples scratch = { 0 };

    for (size_t i = 0; i < r->series.n; i++) {
        const struct replay_series *s = &r->series.v[i];
        struct carried c = { .key = s->key, .at = s->at, .first = s->first, .first_on = s->first_on, .seen = w->reached };

        if (!is_carried(s) || !last_before(s, next_reach, &scratch, &c.last))
            continue;
        if (c.first_on > c.last.time)
            c.first_on = TIME_MAX;
        c.of_owner = is_owned(s->kind);
        c.who = p->prints.v[s->who];
        vec_push(&w->carried, c);
    }
    vec_free(&scratch);
}

/* What waited goes on waiting for a day. */
static void keep_waiting(struct window *w)
{
    size_t kept = 0;

    for (size_t i = 0; i < w->carried.n; i++)
        if (!w->carried.v[i].used && w->reached - w->carried.v[i].seen <= TIME_DAY)
            w->carried.v[kept++] = w->carried.v[i];
    w->carried.n = kept;
}

/* ---- a window ---- */

static void index_carried(struct window *w, struct carried_index *c)
{
    bool found;

    *c = (struct carried_index){ .w = w };
    fingerprint_map_reserve(&c->at, w->carried.n);
    for (size_t i = 0; i < w->carried.n; i++) {
        w->carried.v[i].used = false;
        *fingerprint_map_at(&c->at, w->carried.v[i].key, &found) = (uint32_t)i;
    }
}

/* Each instant once, however often it is read. */
static struct timespan counted_of(struct window *w, const struct scrape *s, struct timespan span)
{
    struct timespan counted = { w->counted, span.to >= s->req->period.to ? TIME_MAX : span.to };

    if (counted.to > w->counted)
        w->counted = counted.to;
    return counted;
}

int window_read(struct window *w, struct scrape *s, struct timespan span, struct intern *names, struct intern *labelsets, struct replay *r,
                struct err *e)
{
    struct people people;
    struct timespan reach = window_reach(s->req, span);
    struct carried_index c;
    int rc;

    if (w->reached != span.from) {
        vec_clear(&w->carried);
        reach.from = TIME_MIN;
    }
    index_carried(w, &c);
    replay_init(r, s, names, labelsets, reach);
    replay_expect(r, w->n_series);
    begin_people(&people, r, w->n_persons);
    rc = read_blocks(r, &c, span.from - w->stands_ms, e);
    if (rc == 0)
        rc = bring_all_back(&people, &c, e);
    w->n_series = r->series.n;
    w->n_persons = people.prints.n;
    if (rc == 0)
        rc = replay_finish(r, counted_of(w, s, span), e);
    w->reached = span.to;
    keep_waiting(w);
    if (rc == 0 && span.to < s->req->period.to)        /* behind the last one nobody asks */
        carry_series(w, &people, window_reach(s->req, (struct timespan){ span.to, span.to }).from);
    fingerprint_map_free(&c.at);
    free_people(&people);
    return rc;
}
