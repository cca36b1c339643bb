/* rule_trial: a world of one pod, and whose it is there.
 *
 * What a test says of its pod becomes an inventory, as metrics would have given it, and core/owners does the rest. A test without a time
 * holds at any: each state that the pod is ever in must be as expected. */
#include "gputab/core/rule_trial.h"

#include <stdlib.h>
#include <string.h>

#include "gputab/core/owner_match.h"
#include "gputab/core/owners.h"

/* ---- the world ---- */

struct label {
    struct span name, value;
};

static int by_name(const void *a, const void *b)
{
    return span_cmp(((const struct label *)a)->name, ((const struct label *)b)->name);
}

/* The label set's id, its names as metrics spell them. */
static uint32_t label_set(struct inventory *inv, enum rule_match match, const struct rule_pairs *pairs)
{
    struct label *labels = xcalloc(pairs->n + 1, sizeof *labels);
    struct buf names = {0}, text = {0};
    uint32_t id;

    for (size_t i = 0; i < pairs->n; i++) {
        size_t from = names.n;

        owner_match_add_name(&names, match, pairs->v[i].name);
        labels[i] = (struct label){{NULL, names.n - from}, span_of(pairs->v[i].value)};
    }
    for (size_t i = 0, at = 0; i < pairs->n; at += labels[i++].name.n)
        labels[i].name.p = names.p + at;
    qsort(labels, pairs->n, sizeof *labels, by_name);
    for (size_t i = 0; i < pairs->n; i++) {
        buf_add_span(&text, labels[i].name);
        buf_addc(&text, '\0');
        buf_add_span(&text, labels[i].value);
        buf_addc(&text, '\0');
    }
    id = intern_put(inv->labelsets, text.p, text.n);
    buf_free(&names);
    buf_free(&text);
    free(labels);
    return id;
}

static void set(struct inventory *inv, struct steps *steps, enum rule_match match, const struct rule_test *t)
{
    steps_push(steps, TIME_MIN, label_set(inv, match, &t->sets[match]));
}

static void make_world(struct inventory *inv, const struct rule_test *t)
{
    struct namespace ns = {.name = intern_str(inv->names, t->namespace_name)};
    struct pod pod = {.namespace_name = ns.name, .name = intern_str(inv->names, t->pod)};
    struct node node = {.name = t->node ? intern_str(inv->names, t->node) : 0};

    set(inv, &ns.labels, RULE_MATCH_NAMESPACE_LABEL, t);
    set(inv, &ns.annotations, RULE_MATCH_NAMESPACE_ANNOTATION, t);
    set(inv, &pod.labels, RULE_MATCH_POD_LABEL, t);
    set(inv, &pod.annotations, RULE_MATCH_POD_ANNOTATION, t);
    set(inv, &node.labels, RULE_MATCH_NODE_LABEL, t);
    if (t->workload)
        steps_push(&pod.workload, TIME_MIN, intern_str(inv->names, t->workload));
    steps_push(&pod.node, TIME_MIN, 0);
    vec_push(&inv->namespaces, ns);
    vec_push(&inv->nodes, node);
    vec_push(&inv->pods, pod);
}

/* ---- the outcome ---- */

static bool is_expected(const struct rule_test *t, const struct rule_trial *got)
{
    if (strcmp(got->team, t->team ? t->team : t->bucket) != 0)
        return false;
    return !t->cost_centre || strcmp(got->cost_centre ? got->cost_centre : bucket_names[BUCKET_UNMAPPED], t->cost_centre) == 0;
}

static void judge(const struct owners *o, const struct step *step, const struct intern *names, struct rule_trial *out)
{
    const struct pod_version *v = &o->versions.v[step->value];

    out->team = v->bucket ? bucket_names[v->bucket] : intern_cstr(names, v->team);
    out->cost_centre = v->cost_centre ? intern_cstr(names, v->cost_centre) : NULL;
    out->line = v->owner_line;
    out->from = step->from;
    out->passed = is_expected(out->test, out);
}

static void judge_all(const struct owners *o, const struct intern *names, struct rule_trial *out)
{
    const struct steps *s = &o->of_pod[0];

    for (uint32_t i = 0; i < s->n; i++) {
        bool holds = s->v[i].from <= out->test->at && (i + 1 == s->n || s->v[i + 1].from > out->test->at);

        if (out->test->at != TIME_MIN && !holds)
            continue;
        judge(o, &s->v[i], names, out);
        if (!out->passed)
            return;
    }
}

void rule_trial_run(const struct rule *rule, size_t i, struct intern *names, struct rule_trial *out)
{
    struct inventory inv;
    struct owners owners = {0};

    *out = (struct rule_trial){.test = &rule->tests.v[i]};
    inventory_init(&inv, names);
    make_world(&inv, out->test);
    owners_update(&owners, rule, &inv, names);
    judge_all(&owners, names, out);
    owners_free(&owners);
    inventory_free(&inv);
}
