/* usage_hash: writes each fact as one line of text into the hash.
 * There are millions of them in a month: digits are written here, not by a format, and lines go into the hash some at a time. */
#include "gputab/core/usage_hash.h"

#include <string.h>

#include "gputab/base/buf.h"

enum { HASHED_AT_ONCE = 4096 };            /* bytes */
enum { NUMBER = 21, WIDE = 34 };           /* bytes at most: 20 digits and a tab; 32 hex digits, a colon, a tab */

/* Facts come sorted, so that the node and the span are mostly those of the line before: their fields are kept. */
struct writer {
    struct sha256 *hash;
    const struct inventory *inv;
    const struct owners *owners;
    struct buf text;                       /* lines not hashed yet */
    struct buf node_text;
    uint32_t node;                         /* of node_text, unless that is empty */
    struct timespan span;
    char span_text[2 * NUMBER];
    size_t span_n;                         /* 0: none yet */
};

/* Room for a field of n bytes at most, whose end then goes to end_field. */
static char *begin_field(struct writer *w, size_t n)
{
    buf_reserve(&w->text, n);
    return w->text.p + w->text.n;
}

static void end_field(struct writer *w, const char *end)
{
    w->text.n = (size_t)(end - w->text.p);
}

static void add_name_to(struct buf *b, const struct inventory *inv, uint32_t id)
{
    struct span name = intern_get(inv->names, id);

    buf_reserve(b, name.n + 1);
    memcpy(b->p + b->n, name.p, name.n);
    b->p[b->n + name.n] = '\t';
    b->n += name.n + 1;
}

static void add_name(struct writer *w, uint32_t id)
{
    add_name_to(&w->text, w->inv, id);
}

static void add_text(struct writer *w, const char *text, size_t n)
{
    char *p = begin_field(w, n);

    memcpy(p, text, n);
    end_field(w, p + n);
}

static char *put_number(char *p, uint64_t n)
{
    char text[NUMBER];
    size_t at = sizeof text;

    if (n < 10) {
        *p++ = (char)('0' + n);
        *p++ = '\t';
        return p;
    }
    text[--at] = '\t';
    do {
        text[--at] = (char)('0' + n % 10);
        n /= 10;
    } while (n > 0);
    memcpy(p, text + at, sizeof text - at);
    return p + (sizeof text - at);
}

static void add_numbers(struct writer *w, const uint64_t *v, size_t n)
{
    char *p = begin_field(w, n * NUMBER);

    for (size_t i = 0; i < n; i++)
        p = put_number(p, v[i]);
    end_field(w, p);
}

#define SIXTEEN(a) a "0" a "1" a "2" a "3" a "4" a "5" a "6" a "7" a "8" a "9" a "a" a "b" a "c" a "d" a "e" a "f"
static const char hex_pairs[] =
    SIXTEEN("0") SIXTEEN("1") SIXTEEN("2") SIXTEEN("3") SIXTEEN("4") SIXTEEN("5") SIXTEEN("6") SIXTEEN("7")
    SIXTEEN("8") SIXTEEN("9") SIXTEEN("a") SIXTEEN("b") SIXTEEN("c") SIXTEEN("d") SIXTEEN("e") SIXTEEN("f");
#undef SIXTEEN

/* The two digits of a byte of n. */
static inline void put_pair(char *p, uint64_t n, int shift)
{
    memcpy(p, hex_pairs + 2 * (n >> shift & 255), 2);
}

static inline char *put_hex(char *p, uint64_t n, char end)
{
    int digits = n ? 16 - __builtin_clzll(n) / 4 : 1;

    n <<= 64 - 4 * digits;                 /* the first one is the highest */
    for (; digits >= 8; digits -= 8, p += 8, n <<= 32) {
        put_pair(p, n, 56);
        put_pair(p + 2, n, 48);
        put_pair(p + 4, n, 40);
        put_pair(p + 6, n, 32);
    }
    for (; digits > 1; digits -= 2, p += 2, n <<= 8)
        put_pair(p, n, 56);
    *p = hex_pairs[2 * (n >> 56)];
    p += digits;
    *p++ = end;
    return p;
}

static char *put_wide(char *p, weight n)
{
    return put_hex(put_hex(p, (uint64_t)(n >> 64), ':'), (uint64_t)n, '\t');
}

static void add_wides(struct writer *w, const weight *v, size_t n)
{
    char *p = begin_field(w, n * WIDE);

    for (size_t i = 0; i < n; i++)
        p = put_wide(p, v[i]);
    end_field(w, p);
}

static void add_node(struct writer *w, uint32_t node)
{
    if (w->node_text.n == 0 || w->node != node) {
        buf_clear(&w->node_text);
        add_name_to(&w->node_text, w->inv, node == NONE ? 0 : w->inv->nodes.v[node].cluster);
        add_name_to(&w->node_text, w->inv, node == NONE ? 0 : w->inv->nodes.v[node].name);
        w->node = node;
    }
    add_text(w, w->node_text.p, w->node_text.n);
}

static void add_span(struct writer *w, struct timespan span)
{
    if (w->span_n == 0 || w->span.from != span.from || w->span.to != span.to) {
        w->span_n = (size_t)(put_number(put_number(w->span_text, (uint64_t)span.from), (uint64_t)span.to) - w->span_text);
        w->span = span;
    }
    add_text(w, w->span_text, w->span_n);
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
    sha256_add(w->hash, buf_str(&w->text), w->text.n);
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
    add_numbers(w, (uint64_t[]){f->state, f->sharing, f->claimant, f->reason, f->grade}, 5);
    add_pod(w, f->pod_version);
    add_wides(w, f->share, RULE_DENOMINATORS);
    add_wides(w, (weight[]){f->held, f->memory_ms}, 2);
    end_line(w);
}

static void add_host_fact(struct writer *w, const struct host_fact *f)
{
    add_node(w, f->node);
    add_span(w, f->span);
    add_pod(w, f->pod_version);
    add_wides(w, (weight[]){f->request_cpu, f->usage_cpu, f->request_memory, f->usage_memory, f->request_gpu}, 5);
    end_line(w);
}

static void add_host_observed(struct writer *w, const struct host_observed *o)
{
    add_node(w, o->node);
    add_span(w, o->span);
    for (int r = 0; r < 2; r++)
        add_numbers(w, (uint64_t[]){o->request_ms[r], o->usage_ms[r], o->any_ms[r]}, 3);
    end_line(w);
}

void usage_hash_add(struct sha256 *h, const struct usage *u, const struct inventory *inv, const struct owners *owners)
{
    struct writer w = {.hash = h, .inv = inv, .owners = owners};

    for (size_t i = 0; i < u->gpu.n; i++)
        add_gpu_fact(&w, &u->gpu.v[i]);
    for (size_t i = 0; i < u->host.n; i++)
        add_host_fact(&w, &u->host.v[i]);
    for (size_t i = 0; i < u->host_observed.n; i++)
        add_host_observed(&w, &u->host_observed.v[i]);
    hash_text(&w);
    buf_free(&w.text);
    buf_free(&w.node_text);
}
