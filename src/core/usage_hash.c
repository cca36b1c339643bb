/* usage_hash: writes each fact as one line of text into the hash.
 * There are millions of them in a month: digits are written here, not by a format, and lines go into the hash some at a time. */
#include "gputab/core/usage_hash.h"

#include "gputab/base/buf.h"

enum { HASHED_AT_ONCE = 4096 };            /* bytes */

struct writer {
    struct sha256 *hash;
    const struct inventory *inv;
    const struct owners *owners;
    struct buf text;                       /* lines not hashed yet */
};

static void add_name(struct writer *w, uint32_t id)
{
    buf_add_span(&w->text, intern_get(w->inv->names, id));
    buf_addc(&w->text, '\t');
}

static void add_number(struct writer *w, uint64_t n)
{
    char text[21];                         /* 20 digits of 2^64 - 1, and the tab */
    size_t at = sizeof text;

    text[--at] = '\t';
    do {
        text[--at] = (char)('0' + n % 10);
        n /= 10;
    } while (n > 0);
    buf_add(&w->text, text + at, sizeof text - at);
}

static void add_hex(struct writer *w, uint64_t n, char end)
{
    char text[17];
    size_t at = sizeof text;

    text[--at] = end;
    do {
        text[--at] = "0123456789abcdef"[n & 15];
        n >>= 4;
    } while (n > 0);
    buf_add(&w->text, text + at, sizeof text - at);
}

static void add_wide(struct writer *w, weight n)
{
    add_hex(w, (uint64_t)(n >> 64), ':');
    add_hex(w, (uint64_t)n, '\t');
}

static void add_node(struct writer *w, uint32_t node)
{
    add_name(w, node == NONE ? 0 : w->inv->nodes.v[node].cluster);
    add_name(w, node == NONE ? 0 : w->inv->nodes.v[node].name);
}

static void add_span(struct writer *w, struct timespan span)
{
    add_number(w, (uint64_t)span.from);
    add_number(w, (uint64_t)span.to);
}

static void add_pod(struct writer *w, uint32_t version)
{
    const struct pod_id *pod;

    if (version == NONE)
        return;
    pod = &w->owners->versions.v[version].pod;
    add_name(w, pod->namespace_name);
    add_name(w, pod->name);
    add_name(w, pod->uid);
}

static void hash_text(struct writer *w)
{
    sha256_add(w->hash, w->text.p, w->text.n);
    buf_clear(&w->text);
}

static void end_line(struct writer *w)
{
    buf_addc(&w->text, '\n');
    if (w->text.n >= HASHED_AT_ONCE)
        hash_text(w);
}

static void add_gpu_fact(struct writer *w, const struct gpu_fact *f)
{
    add_node(w, f->node);
    add_name(w, w->inv->gpus.v[f->gpu].uuid);
    add_name(w, f->device == NONE ? 0 : w->inv->devices.v[f->device].gi);
    add_span(w, f->span);
    add_number(w, f->state);
    add_number(w, f->sharing);
    add_number(w, f->claimant);
    add_number(w, f->reason);
    add_number(w, f->grade);
    add_pod(w, f->pod_version);
    for (int k = 0; k < RULE_DENOMINATORS; k++)
        add_wide(w, f->share[k]);
    add_wide(w, f->held);
    add_wide(w, f->memory_ms);
    end_line(w);
}

static void add_host_fact(struct writer *w, const struct host_fact *f)
{
    add_node(w, f->node);
    add_span(w, f->span);
    add_pod(w, f->pod_version);
    add_wide(w, f->request_cpu);
    add_wide(w, f->usage_cpu);
    add_wide(w, f->request_memory);
    add_wide(w, f->usage_memory);
    add_wide(w, f->request_gpu);
    end_line(w);
}

static void add_host_observed(struct writer *w, const struct host_observed *o)
{
    add_node(w, o->node);
    add_span(w, o->span);
    for (int r = 0; r < 2; r++) {
        add_number(w, o->request_ms[r]);
        add_number(w, o->usage_ms[r]);
        add_number(w, o->any_ms[r]);
    }
    end_line(w);
}

void usage_hash_add(struct sha256 *h, const struct usage *u, const struct inventory *inv, const struct owners *owners)
{
    struct writer w = {h, inv, owners, {0}};

    for (size_t i = 0; i < u->gpu.n; i++)
        add_gpu_fact(&w, &u->gpu.v[i]);
    for (size_t i = 0; i < u->host.n; i++)
        add_host_fact(&w, &u->host.v[i]);
    for (size_t i = 0; i < u->host_observed.n; i++)
        add_host_observed(&w, &u->host_observed.v[i]);
    hash_text(&w);
    buf_free(&w.text);
}
