/* rule_tests: examples in the rule file, each a pod and whose it should be. They change no figure.
 * This module resolves nothing: core/rule_trial does, with the code that reports use. */
#include "gputab/source/rule_tests.h"

#include <string.h>

#include "gputab/source/rule_owner.h"

static struct rule *rule_of(struct yaml_binder *b)
{
    return &((struct rule_draft *)b->owner)->rule;
}

/* "namespace/name" */
static int read_pod(struct yaml_binder *b, const struct yaml_node *value, void *target, const void *unused)
{
    struct rule_test *t = target;
    const char *slash;

    (void)unused;
    if (rule_check_name(b, value, "/") < 0)
        return -1;
    slash = strchr(value->text, '/');
    if (!slash || slash == value->text || !slash[1] || strchr(slash + 1, '/')) {
        yaml_fail(b, value, "pod \"%s\" is not of the form namespace/name", yaml_show(value->text).s);
        return err_hint(b->e, "for example nlp/train-1");
    }
    t->namespace_name = arena_strndup(&rule_of(b)->strings, value->text, (size_t)(slash - value->text));
    t->pod = arena_strdup(&rule_of(b)->strings, slash + 1);
    return 0;
}

/* {name: value, ...} */
static int read_pairs(struct yaml_binder *b, const struct yaml_node *value, void *target, const void *unused)
{
    struct rule_pairs *out = target;
    struct rule_pair *v;

    (void)unused;
    if (yaml_expect(b, value, YAML_MAP) < 0)
        return -1;
    v = arena_alloc(&rule_of(b)->strings, value->n * sizeof *v + 1);
    *out = (struct rule_pairs){ v, value->n };
    for (const struct yaml_node *n = value->child; n; n = n->next, v++) {
        if (rule_check_name(b, n->key, "/") < 0 || rule_read_text(b, n, &v->value, NULL) < 0)
            return -1;
        v->name = arena_strdup(&rule_of(b)->strings, n->key->text);
    }
    return 0;
}

static int read_workload(struct yaml_binder *b, const struct yaml_node *value, void *target, const void *unused)
{
    if (rule_check_name(b, value, "/") < 0 || rule_check_workload(b, value) < 0)
        return -1;
    return rule_read_text(b, value, target, unused);
}

static int read_node(struct yaml_binder *b, const struct yaml_node *value, void *target, const void *unused)
{
    return rule_check_name(b, value, "") < 0 ? -1 : rule_read_text(b, value, target, unused);
}

static int read_bucket(struct yaml_binder *b, const struct yaml_node *value, void *target, const void *unused)
{
    static const char *const buckets[] = { "(unmapped)", "(system)", NULL };
    unsigned index;

    (void)unused;
    if (yaml_read_enum(b, value, &index, buckets) < 0)
        return -1;
    *(const char **)target = buckets[index];
    return 0;
}

#define PAIRS(match) offsetof(struct rule_test, sets) + (match) * sizeof(struct rule_pairs)
static const struct yaml_key test_keys[] = {
    { "pod", read_pod, 0, NULL },
    { "labels", read_pairs, PAIRS(RULE_MATCH_POD_LABEL), NULL },
    { "annotations", read_pairs, PAIRS(RULE_MATCH_POD_ANNOTATION), NULL },
    { "namespace_labels", read_pairs, PAIRS(RULE_MATCH_NAMESPACE_LABEL), NULL },
    { "namespace_annotations", read_pairs, PAIRS(RULE_MATCH_NAMESPACE_ANNOTATION), NULL },
    { "workload", read_workload, offsetof(struct rule_test, workload), NULL },
    { "node", read_node, offsetof(struct rule_test, node), NULL },
    { "node_labels", read_pairs, PAIRS(RULE_MATCH_NODE_LABEL), NULL },
    { "at", rule_read_time, offsetof(struct rule_test, at), NULL },
    { "team", rule_read_team, offsetof(struct rule_test, team), NULL },
    { "bucket", read_bucket, offsetof(struct rule_test, bucket), NULL },
    { "cost_centre", rule_read_text, offsetof(struct rule_test, cost_centre), NULL },
};
static const struct yaml_schema test_schema = YAML_SCHEMA(test_keys);

static int read_test(struct yaml_binder *b, const struct yaml_node *item)
{
    struct rule_test t = { .at = TIME_MIN, .line = item->line };

    if (yaml_bind(b, item, &test_schema, &t) < 0)
        return -1;
    if (!t.pod)
        return yaml_fail(b, item, "a test needs a pod");
    if (!t.team == !t.bucket)
        return yaml_fail(b, item, t.team ? "a test expects a team or a bucket, not both" : "a test needs the team or bucket to expect");
    if (t.bucket && t.cost_centre)
        return yaml_fail(b, yaml_get(item, "cost_centre"), "a bucket has no cost centre");
    vec_push(&rule_of(b)->tests, t);
    return 0;
}

int rule_read_tests(struct yaml_binder *b, const struct yaml_node *list, void *target, const void *unused)
{
    (void)target;
    (void)unused;
    return yaml_read_items(b, list, read_test);
}
