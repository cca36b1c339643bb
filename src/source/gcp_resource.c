/* gcp_resource: names of machines, made one from the several columns that hold their parts.
 *
 * Names repeat across projects and zones, so all three tell a machine. The name column goes before the global name's last part, which may
 * be the machine's number; the global name goes before the columns where it tells project and zone, and it alone tells a machine from a
 * disk of the same name. */
#include "gputab/source/gcp_resource.h"

#include <string.h>

struct place {
    struct span project, zone, kind, name;                   /* empty: unknown */
};

static struct span next_part(struct span *s)
{
    const char *slash = s->n ? memchr(s->p, '/', s->n) : NULL;
    struct span part = {s->p, slash ? (size_t)(slash - s->p) : s->n};
    size_t taken = slash ? part.n + 1 : part.n;

    *s = (struct span){s->p + taken, s->n - taken};
    return part;
}

/* //compute.googleapis.com/projects/P/zones/Z/instances/N: names of collections and what is meant of them, in turn. */
static struct place place_of(struct span path)
{
    struct place p = {.project = {NULL, 0}};
    struct span part = {NULL, 0};

    while (path.n) {
        struct span before = part;

        part = next_part(&path);
        if (span_eq(before, "projects"))
            p.project = part;
        else if (span_eq(before, "zones"))
            p.zone = part;
        if (path.n == 0) {
            p.kind = before;
            p.name = part;
        }
    }
    return p;
}

static bool is_instance(struct span kind)
{
    return span_eq(kind, "instances") || span_eq(kind, "instance");
}

static struct span first_of(struct span a, struct span b)
{
    return a.n ? a : b;
}

/* "us-central1-a", but not "us-central1" or "us". */
static struct span zone_of(struct span location)
{
    struct span last = span_after_last(location, '-');

    return last.n == 1 && location.n > 2 ? location : (struct span){NULL, 0};
}

struct span gcp_resource_id(struct buf *room, const struct gcp_resource *r)
{
    bool is_path = r->name.n && memchr(r->name.p, '/', r->name.n);
    struct span global = r->global_name.n || !is_path ? r->global_name : r->name;
    struct place place = place_of(global);
    struct span name = r->name.n && !is_path ? r->name : place.name;

    if (global.n && !is_instance(place.kind))
        return global;
    place.project = first_of(place.project, r->project);
    place.zone = first_of(place.zone, first_of(r->zone, zone_of(r->location)));
    if (place.project.n == 0 || place.zone.n == 0 || name.n == 0)
        return name;
    buf_clear(room);
    buf_adds(room, "gce://");
    buf_add_span(room, place.project);
    buf_addc(room, '/');
    buf_add_span(room, place.zone);
    buf_addc(room, '/');
    buf_add_span(room, name);
    return buf_span(room);
}
