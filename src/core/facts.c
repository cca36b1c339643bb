/* facts: shares times milliseconds, per claimant and span, in integers. */
#include "gputab/core/facts.h"

#include "gputab/core/span_cut.h"

struct whose {                     /* a claim's pod, at the time */
    uint32_t version;              /* NONE for buckets */
    uint32_t candidates;           /* set of versions */
};

static bool same_key(const struct gpu_fact *f, const struct share_claim *c, struct whose who)
{
    return f->device == c->device && f->state == c->state && f->sharing == c->sharing && f->claimant == c->claimant
        && f->reason == c->reason && f->grade == c->grade && f->pod_version == who.version && f->candidates == who.candidates;
}

static struct open_fact *open_fact(struct facts *f, const struct share_claim *c, struct whose who, struct usage *out)
{
    struct gpu_fact fact = {.node = f->node, .gpu = f->gpu, .device = c->device, .span = f->span, .state = c->state,
                            .sharing = c->sharing, .claimant = c->claimant, .reason = c->reason, .grade = c->grade,
                            .pod_version = who.version, .candidates = who.candidates};

    for (size_t i = 0; i < f->open.n; i++)
        if (same_key(&f->open.v[i].fact, c, who))
            return &f->open.v[i];
    fact.id = out->next_id++;
    vec_push(&f->open, (struct open_fact){.fact = fact});
    return &f->open.v[f->open.n - 1];
}

static void add_presence(struct open_fact *o, struct timespan when, struct usage *out)
{
    if (o->presence && out->presence.v[o->presence - 1].span.to == when.from) {
        out->presence.v[o->presence - 1].span.to = when.to;
        return;
    }
    vec_push(&out->presence, (struct presence){o->fact.id, when});
    o->presence = out->presence.n;
}

static void add(struct facts *f, const struct share_claim *c, struct whose who, struct timespan when, struct usage *out)
{
    struct open_fact *o = open_fact(f, c, who, out);
    uint64_t ms = (uint64_t)(when.to - when.from);

    for (int k = 0; k < RULE_DENOMINATORS; k++)
        o->fact.share[k] += (weight)c->share[k] * ms;
    o->fact.held += (weight)c->held * ms;
    o->fact.memory_ms += (weight)c->memory * ms;
    if (who.version != NONE && c->memory > 0)
        add_presence(o, when, out);
}

/* The versions of all pods that share a claim's candidate set. */
static uint32_t version_set(struct facts *f, const struct share_claims *claims, uint32_t candidates, time_ms t)
{
    VEC(uint32_t) versions = {0};
    uint32_t id;

    for (size_t i = 0; i < claims->n; i++)
        if (claims->v[i].candidates == candidates)
            vec_push(&versions, owners_version(f->owners, claims->v[i].pod, t));
    id = intern_put(f->sets, versions.v, versions.n * sizeof *versions.v);
    vec_free(&versions);
    return id;
}

/* To when all pods of the claims keep their versions. */
static time_ms versions_until(const struct facts *f, const struct share_claims *claims, struct timespan when)
{
    for (size_t i = 0; i < claims->n; i++) {
        time_ms next = claims->v[i].claimant == CLAIM_POD ? steps_next(&f->owners->of_pod[claims->v[i].pod], when.from) : TIME_MAX;

        if (next < when.to)
            when.to = next;
    }
    return when.to;
}

static void add_claims(struct facts *f, const struct share_claims *claims, struct timespan when, struct usage *out)
{
    uint32_t pods = 0, versions = 0;           /* the set at hand: the claims of one device stand together */

    for (size_t i = 0; i < claims->n; i++) {
        const struct share_claim *c = &claims->v[i];
        struct whose who = {NONE, 0};

        if (c->claimant == CLAIM_POD)
            who.version = owners_version(f->owners, c->pod, when.from);
        if (c->candidates && c->candidates != pods) {
            pods = c->candidates;
            versions = version_set(f, claims, pods, when.from);
        }
        who.candidates = c->candidates ? versions : 0;
        add(f, c, who, when, out);
    }
}

void facts_close(struct facts *f, struct usage *out)
{
    if (f->observed_ms > 0)
        vec_push(&out->observed, (struct gpu_observed){f->node, f->gpu, f->span, f->observed_ms});
    for (size_t i = 0; i < f->open.n; i++)
        vec_push(&out->gpu, f->open.v[i].fact);
    vec_clear(&f->open);
    f->observed_ms = 0;
}

void facts_add(struct facts *f, const struct share_claims *claims, time_ms from, time_ms to, struct usage *out)
{
    while (from < to) {
        struct timespan when = {from, to};

        if (from >= f->span.to || f->span.to == 0) {
            facts_close(f, out);
            f->span = span_cut_at(f->cuts, from, &f->cut_cursor);
        }
        when = timespan_cut(when, f->span);
        when.to = versions_until(f, claims, when);
        f->observed_ms += (uint64_t)(when.to - when.from);
        add_claims(f, claims, when, out);
        from = when.to;
    }
}

void facts_free(struct facts *f)
{
    vec_free(&f->open);
}
