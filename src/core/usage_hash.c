/* usage_hash: writes each fact as the few bytes that the header tells of, and those into the hash.
 * There are millions of facts in a month: what a fact has in common with the one before, and names that were said, cost next to nothing. */
#include "gputab/core/usage_hash.h"

#include "gputab/base/buf.h"
#include "gputab/base/bytes.h"
#include "gputab/base/xalloc.h"

enum { HASHED_AT_ONCE = 4096 };            /* bytes */
enum { UNSAID = NONE - 1 };                /* instead of an index, or of a name's id: as nothing is */

enum says { GPU_FACT = 1, HOST_FACT = 2, HOST_OBSERVED = 3, SAYS_NODE = 4, SAYS_SPAN = 8, SAYS_GPU = 16, SAYS_DEVICE = 32, SAYS_POD = 64 };
enum { WITHOUT_DEVICE = 16 };              /* beside the reason */
enum { SIZE_BITS = 4, SIZE_MAX_PLAIN = 13, SIZE_AS_BEFORE = 14, SIZE_WHOLE = 15, WHOLE_BYTES = 16 };
enum { KIND_BYTES = 3, SIZES_BYTES = 3 };

_Static_assert(USAGE_NOBODY < 16 && SHARINGS <= 16 && CLAIM_UNATTRIBUTED < 16 && GRADES <= 16 && REASONS <= 16,
               "half a byte each");

/* Things of one kind, counted as they are said. */
struct numbered {
    VEC(uint32_t) number;                  /* per index, from 1 on; 0: not said */
    VEC(uint32_t) said;                    /* indices: the numbers to be taken back */
};

struct last {                              /* as last said */
    uint32_t node, gpu, gi, pod;
    struct timespan span;
};

struct usage_hash {
    struct sha256 *sha;
    struct buf text;                       /* bytes not hashed yet */
    const struct inventory *inv;           /* of the facts at hand */
    const struct owners *owners;
    struct numbered gpus, pods;
    struct last last;
};

struct usage_hash *usage_hash_new(void)
{
    struct usage_hash *h = xcalloc(1, sizeof *h);

    h->sha = sha256_new();
    return h;
}

/* ---- bytes ---- */

/* Room for n bytes, which end_bytes takes as written. */
static inline char *begin_bytes(struct usage_hash *h, size_t n)
{
    buf_reserve(&h->text, n);
    return h->text.p + h->text.n;
}

static inline void end_bytes(struct usage_hash *h, const char *end)
{
    h->text.n = (size_t)(end - h->text.p);
}

static inline void add_eight(struct usage_hash *h, uint64_t n)
{
    char *p = begin_bytes(h, 8);

    bytes_store8(p, n);
    end_bytes(h, p + 8);
}

static inline void add_four(struct usage_hash *h, uint32_t n)
{
    char *p = begin_bytes(h, 8);

    bytes_store8(p, n);
    end_bytes(h, p + 4);
}

static void add_name(struct usage_hash *h, uint32_t id)
{
    struct span name = intern_get(h->inv->names, id);

    add_four(h, (uint32_t)name.n);
    buf_add_span(&h->text, name);
}

static inline unsigned size_of(uint64_t n)
{
    return n ? (71 - (unsigned)__builtin_clzll(n)) / 8 : 0;
}

/* Returns the numbers' sizes, as many bits as there are, the first number's lowest. */
static inline uint32_t add_numbers(struct usage_hash *h, const weight *v, size_t n)
{
    char *p = begin_bytes(h, n * WHOLE_BYTES);
    weight before = 0;
    uint32_t sizes = 0;

    for (size_t i = 0; i < n; before = v[i++]) {
        uint64_t high = (uint64_t)(v[i] >> 64), low = (uint64_t)v[i];
        unsigned size = high ? 8 + size_of(high) : size_of(low);

        if (v[i] == before && v[i] != 0) {
            sizes |= (uint32_t)SIZE_AS_BEFORE << SIZE_BITS * i;
            continue;
        }
        bytes_store8(p, low);
        bytes_store8(p + 8, high);
        p += size <= SIZE_MAX_PLAIN ? size : WHOLE_BYTES;
        sizes |= (size <= SIZE_MAX_PLAIN ? size : SIZE_WHOLE) << SIZE_BITS * i;
    }
    end_bytes(h, p);
    return sizes;
}

static void hash_bytes(struct usage_hash *h)
{
    sha256_add(h->sha, h->text.p, h->text.n);
    buf_clear(&h->text);
}

/* ---- what is said once ---- */

/* The thing's number; *first: it has just got it. */
static inline uint32_t number_of(struct numbered *t, uint32_t index, bool *first)
{
    while (t->number.n <= index)
        vec_push(&t->number, 0);
    *first = t->number.v[index] == 0;
    if (*first) {
        vec_push(&t->said, index);
        t->number.v[index] = (uint32_t)t->said.n;
    }
    return t->number.v[index];
}

static void forget_numbers(struct numbered *t)
{
    for (size_t i = 0; i < t->said.n; i++)
        t->number.v[t->said.v[i]] = 0;
    vec_clear(&t->said);
}

static void forget(struct usage_hash *h)
{
    forget_numbers(&h->gpus);
    forget_numbers(&h->pods);
    h->last = (struct last){.node = UNSAID, .gpu = UNSAID, .gi = UNSAID, .pod = UNSAID, .span = {0, -1}};
}

static unsigned say_node(struct usage_hash *h, uint32_t node)
{
    if (node == h->last.node)
        return 0;
    forget(h);
    h->last.node = node;
    add_name(h, node == NONE ? 0 : h->inv->nodes.v[node].cluster);
    add_name(h, node == NONE ? 0 : h->inv->nodes.v[node].name);
    return SAYS_NODE;
}

static unsigned say_span(struct usage_hash *h, struct timespan span)
{
    if (span.from == h->last.span.from && span.to == h->last.span.to)
        return 0;
    h->last.span = span;
    add_eight(h, (uint64_t)span.from);
    add_eight(h, (uint64_t)span.to);
    return SAYS_SPAN;
}

static unsigned say_gpu(struct usage_hash *h, uint32_t gpu)
{
    bool first;

    if (gpu == h->last.gpu)
        return 0;
    h->last.gpu = gpu;
    add_four(h, number_of(&h->gpus, gpu, &first));
    if (first) {
        add_name(h, h->inv->gpus.v[gpu].cluster);
        add_name(h, h->inv->gpus.v[gpu].uuid);
    }
    return SAYS_GPU;
}

static unsigned say_device(struct usage_hash *h, uint32_t device)
{
    uint32_t gi = device == NONE ? 0 : h->inv->devices.v[device].gi;

    if (gi == h->last.gi)
        return 0;
    h->last.gi = gi;
    add_name(h, gi);
    return SAYS_DEVICE;
}

static void add_pod(struct usage_hash *h, const struct pod_id *pod)
{
    add_name(h, pod->cluster);
    add_name(h, pod->namespace_name);
    add_name(h, pod->name);
    add_name(h, pod->uid);
}

static unsigned say_pod(struct usage_hash *h, uint32_t version)
{
    bool first = false;

    if (version == h->last.pod)
        return 0;
    h->last.pod = version;
    add_four(h, version == NONE ? 0 : number_of(&h->pods, version, &first));
    if (first)
        add_pod(h, &h->owners->versions.v[version].pod);
    return SAYS_POD;
}

/* ---- facts ---- */

/* Leaves room for what stands before all else of a fact, but is known last. */
static inline size_t begin_fact(struct usage_hash *h, size_t head)
{
    size_t at = h->text.n;

    end_bytes(h, begin_bytes(h, head) + head);
    return at;
}

static inline void end_fact(struct usage_hash *h)
{
    if (h->text.n >= HASHED_AT_ONCE)
        hash_bytes(h);
}

static inline void put_three(char *p, uint32_t n)
{
    p[0] = (char)(n & 255);
    p[1] = (char)(n >> 8 & 255);
    p[2] = (char)(n >> 16);
}

static uint32_t kind_of(const struct gpu_fact *f)
{
    return (uint32_t)f->state | (uint32_t)f->sharing << 4 | (uint32_t)f->claimant << 8 | (uint32_t)f->grade << 12
        | (uint32_t)f->reason << 16 | (f->device == NONE ? WITHOUT_DEVICE << 16 : 0);
}

static void add_gpu_fact(struct usage_hash *h, const struct gpu_fact *f)
{
    size_t at = begin_fact(h, 1 + KIND_BYTES + SIZES_BYTES);
    unsigned says = GPU_FACT;
    uint32_t sizes;

    says |= say_node(h, f->node);
    says |= say_span(h, f->span);
    says |= say_gpu(h, f->gpu);
    says |= say_device(h, f->device);
    says |= say_pod(h, f->pod_version);
    sizes = add_numbers(h, (weight[]){f->share[RULE_CAPACITY], f->share[RULE_USABLE], f->share[RULE_RESIDENTS], f->held, f->memory_ms}, 5);
    h->text.p[at] = (char)says;
    put_three(h->text.p + at + 1, kind_of(f));
    put_three(h->text.p + at + 1 + KIND_BYTES, sizes);
    end_fact(h);
}

/* The host's facts, whose numbers follow node, span and pod. */
static void end_host(struct usage_hash *h, size_t at, unsigned says, const weight *v, size_t n)
{
    uint32_t sizes = add_numbers(h, v, n);

    h->text.p[at] = (char)says;
    put_three(h->text.p + at + 1, sizes);
    end_fact(h);
}

static void add_host_fact(struct usage_hash *h, const struct host_fact *f)
{
    size_t at = begin_fact(h, 1 + SIZES_BYTES);
    unsigned says = HOST_FACT;

    says |= say_node(h, f->node);
    says |= say_span(h, f->span);
    says |= say_pod(h, f->pod_version);
    end_host(h, at, says, (weight[]){f->request_cpu, f->usage_cpu, f->request_memory, f->usage_memory, f->request_gpu}, 5);
}

static void add_host_observed(struct usage_hash *h, const struct host_observed *o)
{
    size_t at = begin_fact(h, 1 + SIZES_BYTES);
    unsigned says = HOST_OBSERVED;

    says |= say_node(h, o->node);
    says |= say_span(h, o->span);
    end_host(h, at, says, (weight[]){o->request_ms[0], o->usage_ms[0], o->any_ms[0], o->request_ms[1], o->usage_ms[1], o->any_ms[1]}, 6);
}

void usage_hash_add(struct usage_hash *h, const struct usage *u, const struct inventory *inv, const struct owners *owners)
{
    forget(h);
    h->inv = inv;
    h->owners = owners;
    for (size_t i = 0; i < u->gpu.n; i++)
        add_gpu_fact(h, &u->gpu.v[i]);
    for (size_t i = 0; i < u->host.n; i++)
        add_host_fact(h, &u->host.v[i]);
    for (size_t i = 0; i < u->host_observed.n; i++)
        add_host_observed(h, &u->host_observed.v[i]);
}

void usage_hash_end(struct usage_hash *h, char hex[SHA256_HEX])
{
    hash_bytes(h);
    sha256_end(h->sha, hex);
    h->sha = NULL;
    usage_hash_free(h);
}

void usage_hash_free(struct usage_hash *h)
{
    if (!h)
        return;
    sha256_free(h->sha);
    buf_free(&h->text);
    vec_free(&h->gpus.number);
    vec_free(&h->gpus.said);
    vec_free(&h->pods.number);
    vec_free(&h->pods.said);
    free(h);
}
