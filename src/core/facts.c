/* facts: shares times milliseconds, per claimant and span, in integers. */
#include "gputab/core/facts.h"

#include "gputab/core/span_cut.h"

struct whose {                     /* a claim's pod, at the time */
    uint32_t version;              /* NONE for buckets */
    uint32_t candidates;           /* set of versions */
};

static bool same_device(const struct gpu_fact *f, const struct share_claim *c)
{
    return f->device == c->device && f->state == c->state && f->sharing == c->sharing && f->claimant == c->claimant
        && f->reason == c->reason && f->grade == c->grade;
}

static uint32_t open_fact(struct facts *f, const struct share_claim *c, struct whose who, struct usage *out)
{
    for (size_t i = f->closed; i < f->all.n; i++) {
        const struct gpu_fact *o = &f->all.v[i].fact;

        if (same_device(o, c) && o->pod_version == who.version && o->candidates == who.candidates)
            return (uint32_t)i;
    }
    vec_push(&f->all, (struct open_fact){.fact = {.node = f->node, .gpu = f->gpu, .device = c->device, .span = f->span,
                                                  .state = c->state, .sharing = c->sharing, .claimant = c->claimant,
                                                  .reason = c->reason, .grade = c->grade, .pod_version = who.version,
                                                  .candidates = who.candidates, .id = out->next_id++}});
    return (uint32_t)f->all.n - 1;
}

static void add_presence(struct open_fact *o, struct timespan when, struct usage *out)
{
    struct presence *last = o->presence ? &out->presence.v[o->presence - 1] : NULL;

    if (last && last->span.to == when.from) {
        last->span.to = when.to;
        return;
    }
    vec_push(&out->presence, (struct presence){o->fact.id, when});
    o->presence = out->presence.n;
}

static inline void add(struct open_fact *o, const struct share_claim *c, struct timespan when, struct usage *out)
{
    uint64_t ms = (uint64_t)(when.to - when.from);

    o->fact.share[RULE_CAPACITY] += (weight)c->share[RULE_CAPACITY] * ms;
    o->fact.share[RULE_USABLE] += (weight)c->share[RULE_USABLE] * ms;
    o->fact.share[RULE_RESIDENTS] += (weight)c->share[RULE_RESIDENTS] * ms;
    o->fact.held += (weight)c->held * ms;
    o->fact.memory_ms += (weight)c->memory * ms;
    if (c->memory > 0 && o->fact.pod_version != NONE)
        add_presence(o, when, out);
}

static void add_claims(struct facts *f, const struct share_claims *claims, struct timespan when, struct usage *out)
{
    const uint32_t *of_claim = f->of_claim.v;
    struct open_fact *all = f->all.v;

    for (const struct share_claim *c = claims->v, *end = c + claims->n; c < end; c++)
        add(&all[*of_claim++], c, when, out);
}

/* Memory was divided, not measured: the pods of the device are candidates for it. */
static bool is_candidate(const struct share_claim *c)
{
    return c->claimant == CLAIM_POD && (c->state == USAGE_EVEN || c->state == USAGE_BY_REQUEST);
}

/* The versions of a device's candidates, as a set; its first claim is at `first`. */
static uint32_t version_set(struct facts *f, const struct share_claims *claims, size_t first, time_ms t)
{
    VEC(uint32_t) versions = {0};
    uint32_t id;

    for (size_t i = first; i < claims->n && claims->v[i].device == claims->v[first].device; i++)
        if (is_candidate(&claims->v[i]))
            vec_push(&versions, owners_version(f->owners, claims->v[i].pod, t));
    id = versions.n ? intern_put(f->sets, versions.v, versions.n * sizeof *versions.v) : 0;
    vec_free(&versions);
    return id;
}

/* To when all pods of the claims keep their versions, at most to the span's end. */
static time_ms versions_until(const struct facts *f, const struct share_claims *claims, time_ms t)
{
    time_ms until = f->span.to;

    for (size_t i = 0; i < claims->n; i++) {
        time_ms next = claims->v[i].claimant == CLAIM_POD ? steps_next(&f->owners->of_pod[claims->v[i].pod], t) : TIME_MAX;

        if (next < until)
            until = next;
    }
    return until;
}

static void find_facts(struct facts *f, const struct share_claims *claims, time_ms t, struct usage *out)
{
    uint32_t set = 0;                          /* of the device at hand */

    vec_clear(&f->of_claim);
    for (size_t i = 0; i < claims->n; i++) {
        const struct share_claim *c = &claims->v[i];
        struct whose who = {NONE, 0};

        if (i == 0 || c->device != claims->v[i - 1].device)
            set = version_set(f, claims, i, t);
        if (c->claimant == CLAIM_POD)
            who.version = owners_version(f->owners, c->pod, t);
        if (is_candidate(c))
            who.candidates = set;
        vec_push(&f->of_claim, open_fact(f, c, who, out));
    }
    f->found = claims->edition;
    f->found_until = versions_until(f, claims, t);
}

/* The usual case: the same claims as before, with other amounts. */
static bool found(const struct facts *f, const struct share_claims *claims, time_ms t)
{
    return t < f->found_until && claims->edition == f->found && claims->n == f->of_claim.n;
}

void facts_close(struct facts *f, struct usage *out)
{
    if (f->observed_ms > 0)
        vec_push(&out->observed, (struct gpu_observed){f->node, f->gpu, f->span, f->observed_ms});
    f->closed = f->all.n;
    vec_clear(&f->of_claim);
    f->observed_ms = 0;
}

time_ms facts_hand_over(struct facts *f, time_ms from, struct usage *out)
{
    for (; f->handed < f->closed; f->handed++) {
        const struct gpu_fact *fact = &f->all.v[f->handed].fact;

        if (fact->span.from > from)
            return fact->span.from;
        vec_push(&out->gpu, *fact);
    }
    return TIME_MAX;
}

void facts_add(struct facts *f, const struct share_claims *claims, time_ms from, time_ms to, struct usage *out)
{
    while (from < to) {
        struct timespan when = {from, to};

        if (from >= f->span.to || f->span.to == 0) {
            facts_close(f, out);
            f->span = span_cut_at(f->cuts, from, &f->cut_cursor);
        }
        if (!found(f, claims, from))
            find_facts(f, claims, from, out);
        if (when.to > f->found_until)
            when.to = f->found_until;
        f->observed_ms += (uint64_t)(when.to - when.from);
        add_claims(f, claims, when, out);
        from = when.to;
    }
}

void facts_free(struct facts *f)
{
    vec_free(&f->all);
    vec_free(&f->of_claim);
}
