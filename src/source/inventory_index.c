/* inventory_index: GPUs that their exporter knows by a number on the node, or not at all.
 *
 * Where another exporter's series say which UUID is behind the number, they are of that GPU. On a node where no exporter knows UUIDs, node
 * and number together make a name that is as stable as both: "node-1/0"; an exporter that only knows the machine as a whole shows one
 * device under the machine's name. What fits neither is left out: beside the real cards it would be one card too many.
 *
 * Not here: in which node a GPU is (source/inventory_gpu). */
#include "gputab/source/inventory_build.h"

#include "gputab/base/buf.h"
#include "gputab/source/scrape_series.h"

static bool is_nameless(const struct scrape_series *s)
{
    return inventory_kind_is_gpu(s->kind) && !scrape_role(s, ROLE_UUID);
}

static bool any_nameless(const struct scrape *s)
{
    for (size_t i = 0; i < s->series.n; i++)
        if (is_nameless(&s->series.v[i]))
            return true;
    return false;
}

/* cluster, node, index: UUID */
static bool entry_of_index(const struct inventory_build *b, size_t i, uint32_t *key, uint32_t *value)
{
    const struct scrape_series *s = &b->scrape->series.v[i];

    key[0] = s->cluster;
    key[1] = b->places[i].node;
    key[2] = scrape_role(s, ROLE_INDEX);
    *value = scrape_role(s, ROLE_UUID);
    return inventory_kind_is_gpu(s->kind) && key[1] && key[2] && *value;
}

/* The machine's or the node's name, else the exporter's address; 0: none. */
static uint32_t machine_name(const struct inventory_build *b, size_t i)
{
    const struct scrape_series *s = &b->scrape->series.v[i];

    if (scrape_role(s, ROLE_MACHINE))
        return scrape_role(s, ROLE_MACHINE);
    return b->places[i].node ? b->places[i].node : scrape_role(s, ROLE_INSTANCE);
}

static uint32_t name_by_index(const struct inventory_build *b, size_t i)
{
    struct buf text = { 0 };
    uint32_t machine = machine_name(b, i), index = scrape_role(&b->scrape->series.v[i], ROLE_INDEX), id;

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

struct cards {
    struct directory by_index;
    struct tuples nodes;           /* cluster, node: where exporters know UUIDs */
};

static int find_cards(const struct inventory_build *b, struct cards *c, struct err *e)
{
    tuples_init(&c->nodes, b->names, 2);
    for (size_t i = 0; i < b->scrape->series.n; i++) {
        const struct scrape_series *s = &b->scrape->series.v[i];
        uint32_t node[] = { s->cluster, b->places[i].node };

        if (inventory_kind_is_gpu(s->kind) && node[1] && scrape_role(s, ROLE_UUID))
            tuples_add(&c->nodes, node);
    }
    tuples_sort(&c->nodes);
    return directory_fill(b, &c->by_index, 3, entry_of_index, e);
}

/* 0: the node's cards are known, and none of them has that index; or nothing names the node. */
static uint32_t name_of(const struct inventory_build *b, const struct cards *c, size_t i)
{
    const struct scrape_series *s = &b->scrape->series.v[i];
    uint32_t key[] = { s->cluster, b->places[i].node, scrape_role(s, ROLE_INDEX) };
    uint32_t uuid = key[2] ? directory_look_up(&c->by_index, key, s->first) : 0;

    if (uuid)
        return uuid;
    return tuples_find(&c->nodes, key) != NONE ? 0 : name_by_index(b, i);
}

static void leave_out(const struct inventory_build *b, struct scrape_series *s)
{
    diag_add(b->scrape->req->diag, "W114", "%s: a series of GPU %s, which none of its node's UUIDs goes with, left out",
             s->family->name, scrape_role(s, ROLE_INDEX) ? intern_cstr(b->names, scrape_role(s, ROLE_INDEX)) : "without a number");
    diag_hint(b->scrape->req->diag, "W114", "give dcgm-exporter's series their label gpu, the GPU's number on its node");
    buf_free(&s->kept);
}

static void name_all(struct inventory_build *b, const struct cards *c)
{
    size_t kept = 0;

    for (size_t i = 0; i < b->scrape->series.n; i++) {
        struct scrape_series *s = &b->scrape->series.v[i];
        uint32_t name = is_nameless(s) ? name_of(b, c, i) : 0;

        if (is_nameless(s) && !name) {
            leave_out(b, s);
            continue;
        }
        if (name)
            scrape_give_role(b->scrape, s, ROLE_UUID, name);
        b->scrape->series.v[kept] = *s;
        b->places[kept++] = b->places[i];
    }
    b->scrape->series.n = kept;
}

int inventory_name_gpus(struct inventory_build *b, struct err *e)
{
    struct cards c = { 0 };
    int rc;

    if (!any_nameless(b->scrape))
        return 0;
    rc = find_cards(b, &c, e);
    if (rc == 0)
        name_all(b, &c);
    directory_free(&c.by_index);
    tuples_free(&c.nodes);
    return rc;
}
