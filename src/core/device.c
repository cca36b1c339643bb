/* device: the six states of a device, as a pure function of one reading.
 *
 * First the mode is found (who is labelled, with what kind of value), then the device's memory, then the pods' memory, then the
 * weights of the three denominators are written down side by side, so that facts serve every rule variant.
 * It knows no time, no series and no money. */
#include "gputab/core/device.h"

#include <assert.h>

#include "gputab/value/inventory.h"
#include "gputab/value/money.h"

struct memory {                    /* of the device, 2^-10 bytes */
    uint64_t used, total, reserved;
};

/* What a pod's values come to, in a list that is sorted: a container's values add up (per process) or the largest counts; containers add
 * up. */
struct pod_sum {
    size_t next;                   /* where the next pod's begin */
    uint64_t bytes;
};

static struct pod_sum sum_containers(const struct pod_value *v, size_t n, size_t i)
{
    struct pod_sum sum = {i, 0};
    uint32_t pod = v[i].pod;

    while (sum.next < n && v[sum.next].pod == pod) {
        uint32_t container = v[sum.next].container;
        uint64_t bytes = 0;

        for (i = sum.next; i < n && v[i].pod == pod && v[i].container == container; i++) {
            if (v[i].process)
                bytes += v[i].bytes;
            else if (v[i].bytes > bytes)
                bytes = v[i].bytes;
        }
        sum.bytes += bytes;
        sum.next = i;
    }
    return sum;
}

/* Of the pod whose values begin at i. Most pods have one. */
static inline struct pod_sum sum_pod(const struct pod_value *v, size_t n, size_t i)
{
    return i + 1 < n && v[i + 1].pod == v[i].pod ? sum_containers(v, n, i) : (struct pod_sum){i + 1, v[i].bytes};
}

static size_t count_pods(const struct pod_value *v, size_t n)
{
    size_t count = 0;

    for (size_t i = 0; i < n; i++)
        count += !v[i].ended && (i == 0 || v[i].pod != v[i - 1].pod);
    return count;
}

size_t device_labelled(const struct device_reading *r)
{
    return count_pods(r->labelled.v, r->labelled.n);
}

size_t device_layered(const struct device_reading *r)
{
    return count_pods(r->layer.v, r->layer.n);
}

static uint64_t sum_pods(const struct pod_value *v, size_t n)
{
    uint64_t sum = 0;

    for (size_t i = 0; i < n;) {
        struct pod_sum pod = sum_pod(v, n, i);

        sum += pod.bytes;
        i = pod.next;
    }
    return sum;
}

/* What the labels say, besides who is there. */
struct labels {
    size_t pods;                   /* as device_labelled */
    bool per_pod;                  /* the values are the pods' own */
    uint64_t largest;              /* of the values */
};

/* Per-process values are told from copies by an unlabelled total beside them, or by unequal values. */
static struct labels read_labels(const struct device_reading *r)
{
    const struct pod_value *first = r->labelled.v, *end = first + r->labelled.n;
    struct labels l = {0, first < end && r->total_beside, 0};

    for (const struct pod_value *v = first; v < end; v++) {
        l.pods += !v->ended && (v == first || v->pod != v[-1].pod);
        l.per_pod |= v->process || v->bytes != first->bytes;
        l.largest = v->bytes > l.largest ? v->bytes : l.largest;
    }
    return l;
}

enum mode {
    MODE_NOBODY,
    MODE_HOLDER,                   /* the single labelled pod has the device */
    MODE_FLICKER,                  /* likewise, but its label is missing for a moment */
    MODE_SOLE,                     /* shared device, one resident: the device's used memory is its own */
    MODE_PER_POD,                  /* the labelled values are the pods' own */
    MODE_LAYER,                    /* the sharing layer's values */
    MODE_COPIES,
    MODE_BY_REQUEST
};

/* States 4 and 5: a shared device without per-pod memory. */
static enum mode mode_without_values(const struct device_context *c, size_t pods)
{
    if (pods > 1)
        return MODE_COPIES;
    if (c->instance || !c->requests_known || c->requests_all_labelled)
        return pods ? MODE_SOLE : MODE_NOBODY;
    if (pods == 0 && c->any_labelled)
        return MODE_NOBODY;
    return MODE_BY_REQUEST;
}

/* A label that comes back was a fault of the exporter, if the pod is there meanwhile: it requests a GPU of the node. */
static bool label_flickers(const struct device_reading *r, const struct device_context *c)
{
    for (size_t i = 0; r->flickers && i < c->n_requests; i++)
        if (c->requests[i].pod == r->flickering_pod)
            return true;
    return false;
}

static enum mode find_mode(const struct device_reading *r, const struct device_context *c, struct labels labels)
{
    size_t pods = labels.pods;
    bool shared = c->instance ? pods > 1 : c->node_shared || r->layer.n > 0 || pods > 1;

    if (!shared && pods == 1)
        return MODE_HOLDER;
    if (device_layered(r) > 0)
        return MODE_LAYER;
    if (!shared)
        return label_flickers(r, c) ? MODE_FLICKER : MODE_NOBODY;
    return pods > 0 && labels.per_pod ? MODE_PER_POD : mode_without_values(c, pods);
}

static inline uint64_t used_bytes(const struct device_reading *r, struct labels labels)
{
    if (r->known & DEVICE_USED)
        return r->used;
    if (labels.per_pod)
        return sum_pods(r->labelled.v, r->labelled.n);
    if (r->labelled.n)
        return labels.largest;
    return sum_pods(r->layer.v, r->layer.n);
}

uint64_t device_used(const struct device_reading *r)
{
    return used_bytes(r, read_labels(r));
}

static uint64_t total_bytes(const struct device_reading *r, const struct device_context *c, uint64_t used, unsigned *warnings)
{
    uint64_t sum = used + r->free + (r->known & DEVICE_RESERVED ? r->reserved : 0);

    if ((r->known & DEVICE_TOTAL) && r->total > 0)
        return r->total;
    if ((r->known & DEVICE_FREE) && sum > 0)
        return sum;
    if (c->model_total > 0)
        return c->model_total;
    *warnings |= DEVICE_W204;
    return c->largest_used > used ? c->largest_used : used;
}

/* Of a device without a number the whole is held by whoever is there; of an unknown size it is one byte. */
static struct memory unmeasured_memory(const struct device_context *c, size_t pods, unsigned *warnings)
{
    uint64_t total = (c->model_total > 0 ? c->model_total : 1) << USAGE_MEMORY_BITS;

    if (pods == 0)
        return (struct memory){0, total, 0};
    *warnings |= DEVICE_W207;
    return (struct memory){total, total, 0};
}

static struct memory device_memory(const struct device_reading *r, const struct device_context *c, uint64_t used, unsigned *warnings)
{
    uint64_t total = total_bytes(r, c, used, warnings), reserved = 0, rest;

    if (used > total) {
        total = used;
        *warnings |= DEVICE_W206;
    }
    rest = total - used;
    if (r->known & DEVICE_RESERVED)
        reserved = r->reserved;
    else if (r->known & DEVICE_FREE)
        reserved = rest > r->free ? rest - r->free : 0;
    if (reserved > rest)
        reserved = rest;
    return (struct memory){used << USAGE_MEMORY_BITS, total << USAGE_MEMORY_BITS, reserved << USAGE_MEMORY_BITS};
}

enum {
    BY_CAPACITY = 1 << RULE_CAPACITY, BY_USABLE = 1 << RULE_USABLE, BY_RESIDENTS = 1 << RULE_RESIDENTS,
    BY_ALL = BY_CAPACITY | BY_USABLE | BY_RESIDENTS,
    BUCKETS = 3                    /* at most, of one device */
};

/* device_claims has made room. */
static inline void push_pod(struct device_claims *out, uint32_t pod, uint64_t memory, enum grade grade)
{
    out->claims.v[out->claims.n++] = (struct claim){CLAIM_POD, REASON_NONE, grade, pod, BY_ALL, memory};
}

/* A sum above the device's used memory is scaled down to it. */
static void scale_down(struct device_claims *out, weight sum, uint64_t used)
{
    uint64_t given = 0, left;

    for (size_t i = 0; i < out->claims.n; i++) {
        struct claim *c = &out->claims.v[i];

        c->weight = (uint64_t)((weight)c->weight * used / sum);
        given += c->weight;
    }
    left = used - given;           /* fewer than there are pods: parts of 2^-10 bytes */
    for (size_t i = 0; i < out->claims.n && left > 0; i++, left--)
        out->claims.v[i].weight++;
}

static void claim_values(struct device_claims *out, const struct pod_value *v, size_t n, uint64_t used, enum grade grade)
{
    weight sum = 0;

    for (size_t i = 0, next; i < n; i = next) {
        struct pod_sum pod = sum_pod(v, n, i);

        next = pod.next;
        if (pod.bytes == 0 || v[i].ended)
            continue;
        push_pod(out, v[i].pod, pod.bytes << USAGE_MEMORY_BITS, grade);
        sum += pod.bytes << USAGE_MEMORY_BITS;
    }
    if (sum > used) {
        scale_down(out, sum, used);
        out->warnings |= DEVICE_W203;
    }
}

static void claim_single(struct device_claims *out, const struct device_reading *r, uint64_t used, bool own_value, enum grade grade)
{
    const struct pod_value *v = r->labelled.v;
    uint64_t memory;
    size_t i = 0;

    while (v[i].ended)
        i++;
    memory = own_value ? sum_pod(v, r->labelled.n, i).bytes << USAGE_MEMORY_BITS : used;
    push_pod(out, v[i].pod, memory < used ? memory : used, grade);
}

static void claim_even(struct device_claims *out, const struct device_reading *r, uint64_t n, uint64_t used)
{
    const struct pod_value *v = r->labelled.v;
    uint64_t each = used / n, rest = used % n;

    for (size_t i = 0; i < r->labelled.n; i++) {
        if (v[i].ended || (i > 0 && v[i].pod == v[i - 1].pod))
            continue;
        push_pod(out, v[i].pod, each + (rest > 0), GRADE_C);
        rest -= rest > 0;
    }
    out->warnings |= DEVICE_W201;
}

static void claim_by_request(struct device_claims *out, const struct device_context *c, uint64_t used)
{
    weight sum = 0;
    uint64_t given = 0;

    for (size_t i = 0; i < c->n_requests; i++)
        sum += c->requests[i].weight;
    for (size_t i = 0; i < c->n_requests; i++) {
        uint64_t memory = (uint64_t)((weight)used * c->requests[i].weight / sum);

        push_pod(out, c->requests[i].pod, memory, GRADE_C);
        given += memory;
    }
    for (size_t i = 0; given < used; i++, given++)
        out->claims.v[i].weight++;
    out->warnings |= DEVICE_W202;
}

/* A bucket's part of the device, in the columns that know it. */
static inline void push_bucket(struct device_claims *out, enum claimant who, enum reason reason, uint64_t part, unsigned columns)
{
    if (part > 0)
        out->claims.v[out->claims.n++] = (struct claim){who, reason, GRADE_A, NONE, columns, part};
}

/* All columns side by side: by capacity everything counts, by usable memory all but the reserve, by residents only what pods hold.
 * Residents without memory leave their column to the buckets; a reserve of the whole device leaves nothing usable: the reserve is paid
 * for then. */
static void weigh(struct device_claims *out, const struct memory *m, enum reason idle)
{
    uint64_t sum = 0, unattributed, rest;
    unsigned by_residents, by_usable = m->total == m->reserved && m->total > 0 ? BY_USABLE : 0;

    for (size_t i = 0; i < out->claims.n; i++)
        sum += out->claims.v[i].weight;
    by_residents = sum == 0 ? BY_RESIDENTS : 0;
    assert(sum <= m->used && m->used + m->reserved <= m->total);
    unattributed = m->used - sum;
    rest = m->total - m->used - m->reserved;
    if (m->total == 0)
        rest = 1;                  /* nothing is known of its memory: the whole card is free */
    push_bucket(out, CLAIM_RESERVED, REASON_NONE, m->reserved, BY_CAPACITY | by_usable | by_residents);
    push_bucket(out, CLAIM_UNATTRIBUTED, REASON_NONE, unattributed, BY_CAPACITY | BY_USABLE | by_residents);
    push_bucket(out, CLAIM_IDLE, idle, rest, BY_CAPACITY | BY_USABLE | by_residents);
}

/* Nobody: memory in use is unattributed, the rest (the driver's reserve too) idle, whatever the denominator. */
static void weigh_nobody(struct device_claims *out, const struct memory *m, enum reason idle)
{
    uint64_t rest = m->total - m->used;

    if (m->total == 0)
        rest = 1;
    push_bucket(out, CLAIM_UNATTRIBUTED, REASON_NONE, m->used, BY_ALL);
    push_bucket(out, CLAIM_IDLE, idle, rest, BY_ALL);
}

static enum sharing find_sharing(const struct device_reading *r, const struct device_context *c, enum mode mode)
{
    if (c->instance)
        return SHARING_MIG;
    if (r->layer.n > 0)
        return SHARING_LAYER;
    if (mode == MODE_HOLDER || mode == MODE_FLICKER || (mode == MODE_NOBODY && !c->node_shared))
        return SHARING_EXCLUSIVE;
    if (c->node_labels & SHARING_MPS)
        return SHARING_KEY_MPS;
    if (c->node_labels & (SHARING_TIME_SLICING | SHARING_REPLICAS))
        return SHARING_KEY_TIME_SLICING;
    return SHARING_UNKNOWN;
}

static const enum usage_state state_of_mode[] = {
    [MODE_NOBODY] = USAGE_NOBODY,   [MODE_HOLDER] = USAGE_HELD,  [MODE_FLICKER] = USAGE_HELD, [MODE_SOLE] = USAGE_SHARED,
    [MODE_PER_POD] = USAGE_SHARED,  [MODE_LAYER] = USAGE_SHARED, [MODE_COPIES] = USAGE_EVEN,  [MODE_BY_REQUEST] = USAGE_BY_REQUEST,
};

static void claim_pods(struct device_claims *out, const struct device_reading *r, const struct device_context *c, enum mode mode,
                       size_t pods, uint64_t used)
{
    switch (mode) {
    case MODE_HOLDER:
        claim_single(out, r, used, !r->unmeasured, c->instance || c->sharing_known ? GRADE_A : GRADE_B);
        break;
    case MODE_FLICKER:
        push_pod(out, r->flickering_pod, used, GRADE_B);
        break;
    case MODE_SOLE:
        claim_single(out, r, used, false, c->requests_known || c->instance ? GRADE_A : GRADE_C);
        break;
    case MODE_PER_POD:
        claim_values(out, r->labelled.v, r->labelled.n, used, GRADE_A);
        break;
    case MODE_LAYER:
        claim_values(out, r->layer.v, r->layer.n, used, GRADE_B);
        break;
    case MODE_COPIES:
        if (used > 0)
            claim_even(out, r, pods, used);
        break;
    case MODE_BY_REQUEST:
        if (used > 0)
            claim_by_request(out, c, used);
        break;
    case MODE_NOBODY:
        break;
    }
}

/* Neither used nor free memory: the driver gave nothing. That is no sample, and no idle card; a holder is known by its label. */
static bool is_blank(const struct device_reading *r, uint64_t used, enum mode mode)
{
    bool reserved = (r->known & DEVICE_RESERVED) && r->reserved > 0;

    return (r->known & DEVICE_FREE) && r->free == 0 && !reserved && used == 0 && state_of_mode[mode] != USAGE_HELD;
}

void device_claims(const struct device_reading *r, const struct device_context *c, struct device_claims *out)
{
    struct labels labels = read_labels(r);
    uint64_t used = used_bytes(r, labels);
    enum mode mode = find_mode(r, c, labels);
    struct memory m;

    vec_clear(&out->claims);
    vec_reserve(&out->claims, r->labelled.n + r->layer.n + c->n_requests + 1 + BUCKETS);
    out->warnings = 0;
    m = r->unmeasured ? unmeasured_memory(c, labels.pods, &out->warnings) : device_memory(r, c, used, &out->warnings);
    out->state = state_of_mode[mode];
    out->sharing = find_sharing(r, c, mode);
    if (is_blank(r, used, mode)) {
        out->warnings = DEVICE_W110;
        return;
    }
    claim_pods(out, r, c, mode, labels.pods, m.used);
    if (mode == MODE_NOBODY)
        weigh_nobody(out, &m, c->instance ? REASON_FREE_MIG : REASON_EMPTY_CARD);
    else
        weigh(out, &m, REASON_FREE_MEMORY);
}

void device_reading_clear(struct device_reading *r)
{
    vec_clear(&r->labelled);
    vec_clear(&r->layer);
    r->known = 0;
    r->used = r->free = r->total = r->reserved = 0;
    r->total_beside = r->unmeasured = r->flickers = false;
}
