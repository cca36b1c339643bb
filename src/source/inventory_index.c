/* inventory_index: GPUs that their exporter knows by a number on the node, or not at all.
 *
 * Where another exporter's series say which UUID is behind the number, they are of that GPU. On a node where no exporter knows UUIDs, node
 * and number together make a name that is as stable as both: "node-1/0"; an exporter that only knows the machine as a whole shows one
 * device under the machine's name. What fits neither is left out: beside the real cards it would be one card too many.
 *
 * Not here: in which node a GPU is (source/inventory_gpu). */
#include "gputab/source/inventory_build.h"

#include <stdlib.h>

#include "gputab/base/buf.h"
#include "gputab/source/outline.h"
#include "gputab/source/scrape_series.h"

static bool is_nameless(const struct replay_series *s)
{
    return inventory_kind_is_gpu(s->kind) && !replay_role(s, ROLE_UUID);
}

static bool any_nameless(const struct replay *r)
{
    for (size_t i = 0; i < r->series.n; i++)
        if (is_nameless(&r->series.v[i]))
            return true;
    return false;
}

/* cluster, node, index: UUID */
static bool entry_of_index(const struct inventory_build *b, size_t i, uint32_t *key, uint32_t *value)
{
    const struct replay_series *s = &b->replay->series.v[i];

    key[0] = s->cluster;
    key[1] = b->places[i].node;
    key[2] = replay_role(s, ROLE_INDEX);
    *value = replay_role(s, ROLE_UUID);
    return inventory_kind_is_gpu(s->kind) && key[1] && key[2] && *value;
}

/* The machine's or the node's name, else the exporter's address; 0: none. */
static uint32_t machine_name(const struct inventory_build *b, size_t i)
{
    const struct replay_series *s = &b->replay->series.v[i];

    if (replay_role(s, ROLE_MACHINE))
        return replay_role(s, ROLE_MACHINE);
    return b->places[i].node ? b->places[i].node : replay_role(s, ROLE_INSTANCE);
}

static uint32_t name_by_index(const struct inventory_build *b, size_t i)
{
    struct buf text = { 0 };
    uint32_t machine = machine_name(b, i), index = replay_role(&b->replay->series.v[i], ROLE_INDEX), id;

    if (!machine)
        return 0;
    buf_add_span(&text, intern_get(b->names, machine));
    if (index) {
        buf_addc(&text, '/');
        buf_add_span(&text, intern_get(b->names, index));
    }
    id = intern_put(b->names, text.p, text.n);
    buf_free(&text);
    return id;
}

/* A GPU series of the outline that says no UUID. */
struct nameless {
    uint32_t node;                 /* string id: where it is */
    uint32_t name;                 /* string id that stands for the UUID; 0: left out */
};

struct cards {
    struct directory by_index;
    struct tuples nodes;           /* cluster, node: where exporters know UUIDs */
    struct fingerprint_map of;     /* by the outline's key: index */
    VEC(struct nameless) nameless;
};

static int find_cards(const struct inventory_build *b, struct cards *c, struct err *e)
{
    tuples_init(&c->nodes, b->names, 2);
    for (size_t i = 0; i < b->replay->series.n; i++) {
        const struct replay_series *s = &b->replay->series.v[i];
        uint32_t node[] = { s->cluster, b->places[i].node };

        if (inventory_kind_is_gpu(s->kind) && node[1] && replay_role(s, ROLE_UUID))
            tuples_add(&c->nodes, node);
    }
    tuples_sort(&c->nodes);
    return directory_fill(b, &c->by_index, 3, entry_of_index, e);
}

/* 0: the node's cards are known, and none of them has that index; or nothing names the node. */
static uint32_t name_of(const struct inventory_build *b, const struct cards *c, size_t i)
{
    const struct replay_series *s = &b->replay->series.v[i];
    uint32_t key[] = { s->cluster, b->places[i].node, replay_role(s, ROLE_INDEX) };
    uint32_t uuid = key[2] ? directory_look_up(&c->by_index, key, s->first) : 0;

    if (uuid)
        return uuid;
    return tuples_find(&c->nodes, key) != NONE ? 0 : name_by_index(b, i);
}

static void leave_out(const struct inventory_build *b, const struct replay_series *s)
{
    diag_add(b->scrape->req->diag, "W114", "%s: a series of GPU %s, which none of its node's UUIDs goes with, left out",
             s->family->name, replay_role(s, ROLE_INDEX) ? intern_cstr(b->names, replay_role(s, ROLE_INDEX)) : "without a number");
    diag_hint(b->scrape->req->diag, "W114", "give dcgm-exporter's series their label gpu, the GPU's number on its node");
}

static void note_nameless(struct inventory_build *b, struct cards *c, size_t i, uint32_t name)
{
    bool found;

    *fingerprint_map_at(&c->of, b->replay->series.v[i].key, &found) = (uint32_t)c->nameless.n;
    vec_push(&c->nameless, (struct nameless){ b->places[i].node, name });
}

static void name_all(struct inventory_build *b, struct cards *c)
{
    size_t kept = 0;

    for (size_t i = 0; i < b->replay->series.n; i++) {
        struct replay_series *s = &b->replay->series.v[i];
        uint32_t name = is_nameless(s) ? name_of(b, c, i) : 0;

        if (is_nameless(s))
            note_nameless(b, c, i, name);
        if (is_nameless(s) && !name) {
            leave_out(b, s);
            continue;
        }
        if (name)
            replay_give_role(b->replay, s, ROLE_UUID, name);
        b->replay->series.v[kept] = *s;
        b->places[kept++] = b->places[i];
    }
    b->replay->series.n = kept;
}

int inventory_name_gpus(struct inventory_build *b, struct err *e)
{
    if (!any_nameless(b->replay))
        return 0;
    b->cards = xcalloc(1, sizeof *b->cards);
    if (find_cards(b, b->cards, e) < 0)
        return -1;
    name_all(b, b->cards);
    return 0;
}

/* By the place that the outline found, and what was there at the time. */
static int name_series(struct inventory_build *b, struct replay_series *s, uint32_t *name, struct err *e)
{
    const struct cards *c = b->cards;
    struct scrape_labels labels;
    const uint32_t *at;
    uint32_t key[3];
    uint64_t mask;

    *name = 0;
    if (scrape_labels_at(b->scrape, s->at, &labels, e) < 0)
        return -1;
    at = c ? fingerprint_map_find(&c->of, outline_key(b->scrape, &labels, &mask)) : NULL;
    if (!at)
        return 0;
    key[0] = s->cluster;
    key[1] = c->nameless.v[*at].node;
    key[2] = replay_role(s, ROLE_INDEX);
    if (key[1] && key[2])
        *name = directory_look_up(&c->by_index, key, s->first);
    if (!*name)
        *name = c->nameless.v[*at].name;
    return 0;
}

int inventory_name_window(struct inventory_build *b, struct err *e)
{
    size_t kept = 0;

    for (size_t i = 0; i < b->replay->series.n; i++) {
        struct replay_series *s = &b->replay->series.v[i];
        uint32_t name = 0;

        if (is_nameless(s)) {
            if (name_series(b, s, &name, e) < 0)
                return -1;
            if (!name)
                continue;                              /* the outline has said so */
            replay_give_role(b->replay, s, ROLE_UUID, name);
        }
        b->replay->series.v[kept++] = *s;
    }
    b->replay->series.n = kept;
    return 0;
}

void inventory_free_cards(struct inventory_build *b)
{
    if (!b->cards)
        return;
    directory_free(&b->cards->by_index);
    tuples_free(&b->cards->nodes);
    fingerprint_map_free(&b->cards->of);
    vec_free(&b->cards->nameless);
    free(b->cards);
}
