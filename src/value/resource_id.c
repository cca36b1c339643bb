/* resource_id: the join between a bill's resource and a Kubernetes node.
 *
 * Each cloud writes one machine in several ways; every way is brought to the shortest form that still tells machines apart. For GCP
 * that needs project and zone, since names repeat across projects; Azure writes one id in changing letter case.
 * Whether a string names a machine at all is not asked here: what has no known form stays as it is. */
#include "gputab/value/resource_id.h"

#include <string.h>

static struct span from(struct span s, size_t n)
{
    return (struct span){ s.p + n, s.n - n };
}

static bool starts_fold(struct span s, const char *prefix)
{
    size_t n = strlen(prefix);

    return s.n >= n && span_eq_fold((struct span){ s.p, n }, prefix);
}

static struct span without_slashes(struct span s)
{
    while (s.n && s.p[s.n - 1] == '/')
        s.n--;
    return s;
}

/* The part up to the next slash; *s moves behind it. */
static struct span next_part(struct span *s)
{
    const char *slash = s->n ? memchr(s->p, '/', s->n) : NULL;
    struct span part = { s->p, slash ? (size_t)(slash - s->p) : s->n };

    *s = from(*s, slash ? part.n + 1 : part.n);
    return part;
}

static bool is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

static bool is_scheme_char(char c)
{
    return (c >= '0' && c <= '9') || c == '+' || c == '.' || c == '-';
}

/* What follows the scheme of "gce://p/z/n", or the empty span with p == NULL when there is none. */
static struct span behind_scheme(struct span s)
{
    size_t i = 0;

    while (i < s.n && (is_letter(s.p[i]) || (i > 0 && is_scheme_char(s.p[i]))))
        i++;
    return i > 0 && span_starts(from(s, i), "://") ? from(s, i + 3) : (struct span){ NULL, 0 };
}

static bool add_azure(struct buf *b, struct span id)
{
    if (starts_fold(id, "azure://"))
        id = from(id, strlen("azure://"));
    if (!starts_fold(id, "/subscriptions/"))
        return false;
    for (size_t i = 0; i < id.n; i++)
        buf_addc(b, (char)(id.p[i] >= 'A' && id.p[i] <= 'Z' ? id.p[i] + ('a' - 'A') : id.p[i]));
    return true;
}

static bool add_place(struct buf *b, struct span project, struct span zone, struct span name)
{
    if (project.n == 0 || zone.n == 0 || name.n == 0 || memchr(name.p, '/', name.n))
        return false;
    buf_add_span(b, project);
    buf_addc(b, '/');
    buf_add_span(b, zone);
    buf_addc(b, '/');
    buf_add_span(b, name);
    return true;
}

static bool add_gce(struct buf *b, struct span id)
{
    struct span project, zone;

    if (!span_starts(id, "gce://"))
        return false;
    id = from(id, strlen("gce://"));
    project = next_part(&id);
    zone = next_part(&id);
    return add_place(b, project, zone, id);
}

/* [//compute.googleapis.com/ or https://.../]projects/P/zones/Z/instances/N */
static bool add_google_path(struct buf *b, struct span id)
{
    struct span project, zone, kind;

    if (starts_fold(id, "//compute.googleapis.com/"))
        id = from(id, strlen("//compute.googleapis.com/"));
    else if (starts_fold(id, "https://"))
        while (id.n && !span_starts(id, "projects/"))
            next_part(&id);
    if (!span_starts(id, "projects/"))
        return false;
    next_part(&id);
    project = next_part(&id);
    if (!span_eq(next_part(&id), "zones"))
        return false;
    zone = next_part(&id);
    kind = next_part(&id);
    if (!span_eq(kind, "instances") && !span_eq(kind, "instance"))
        return false;
    return add_place(b, project, zone, id);
}

static bool is_instance_arn(struct span id)
{
    static const char part[] = ":instance/";

    if (!span_starts(id, "arn:"))
        return false;
    for (size_t i = 0; i + sizeof part - 1 <= id.n; i++)
        if (memcmp(id.p + i, part, sizeof part - 1) == 0)
            return true;
    return false;
}

void resource_id_add_normal(struct buf *b, struct span id)
{
    struct span rest;

    id = span_trim(id);
    rest = without_slashes(behind_scheme(id));
    if (rest.p && rest.n == 0)                         /* "kind://": a cluster that names no machine */
        return;
    id = without_slashes(id);
    if (id.n == 0 || add_azure(b, id) || add_gce(b, id) || add_google_path(b, id))
        return;
    if (rest.p || is_instance_arn(id))
        id = span_after_last(rest.p ? rest : id, '/');
    buf_add_span(b, id);
}

/* Behind "/virtualmachinescalesets/", or empty. */
static struct span in_set(struct span id)
{
    static const char part[] = "/virtualmachinescalesets/";
    size_t n = sizeof part - 1;

    for (size_t i = 0; i + n < id.n; i++)
        if (memcmp(id.p + i, part, n) == 0)
            return from(id, i + n);
    return (struct span){ NULL, 0 };
}

bool resource_id_is_set(struct span id)
{
    struct span name = in_set(id);

    return name.n > 0 && !memchr(name.p, '/', name.n);
}

struct span resource_id_set_of(struct span id)
{
    struct span rest = in_set(id), set = { NULL, 0 };

    if (rest.n)
        set = next_part(&rest);
    if (set.n == 0 || !span_starts(rest, "virtualmachines/"))
        return (struct span){ NULL, 0 };
    return (struct span){ id.p, (size_t)(set.p + set.n - id.p) };
}
