/* facts: shares times milliseconds, per claimant and span, in integers. */
#include "gputab/core/facts.h"

#include "gputab/core/span_cut.h"

static bool same_key(const struct gpu_fact *f, const struct share_claim *c, uint32_t version)
{
    return f->device == c->device && f->state == c->state && f->sharing == c->sharing && f->claimant == c->claimant
        && f->reason == c->reason && f->grade == c->grade && f->pod_version == version && f->candidates == c->candidates;
}

static struct open_fact *open_fact(struct facts *f, const struct share_claim *c, uint32_t version, struct usage *out)
{
    struct gpu_fact fact = {.node = f->node, .gpu = f->gpu, .device = c->device, .span = f->span, .state = c->state,
                            .sharing = c->sharing, .claimant = c->claimant, .reason = c->reason, .grade = c->grade,
                            .pod_version = version, .candidates = c->candidates};

    for (size_t i = 0; i < f->open.n; i++)
        if (same_key(&f->open.v[i].fact, c, version))
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

static void add(struct facts *f, const struct share_claim *c, uint32_t version, struct timespan when, struct usage *out)
{
    struct open_fact *o = open_fact(f, c, version, out);
    uint64_t ms = (uint64_t)(when.to - when.from);

    for (int k = 0; k < RULE_DENOMINATORS; k++)
        o->fact.share[k] += c->share[k] * ms;
    o->fact.held += c->held * ms;
    o->fact.memory_ms += (weight)c->memory * ms;
    if (version != NONE && c->memory > 0)
        add_presence(o, when, out);
}

/* A pod's part, cut where the pod's version changes. */
static void add_pod(struct facts *f, const struct share_claim *c, struct timespan when, struct usage *out)
{
    const struct steps *versions = &f->owners->of_pod[c->pod];

    while (when.from < when.to) {
        time_ms next = steps_next(versions, when.from);
        struct timespan piece = {when.from, next < when.to ? next : when.to};

        add(f, c, steps_at(versions, piece.from, NONE), piece, out);
        when.from = piece.to;
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
        f->observed_ms += (uint64_t)(when.to - when.from);
        for (size_t i = 0; i < claims->n; i++) {
            if (claims->v[i].claimant == CLAIM_POD)
                add_pod(f, &claims->v[i], when, out);
            else
                add(f, &claims->v[i], NONE, when, out);
        }
        from = when.to;
    }
}

void facts_free(struct facts *f)
{
    vec_free(&f->open);
}
