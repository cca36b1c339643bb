/* owner_match: what a pod is at an instant, held against owner lines.
 *
 * There are many pods and few lines: names of labels are spelled as metrics spell them once, and only what some line asks for is looked up
 * of a pod. Pods of a namespace follow one another: lines of other namespaces are left out for all of them. A pod whose node is not known
 * has neither a node nor its labels: lines that ask for them pass it over.
 *
 * Not here: when a pod changes hands, teams and cost centres (core/owners). */
#include "gputab/core/owner_match.h"

#define BIT(match) (1u << (match))
#define NAMESPACE_BITS (BIT(RULE_MATCH_NAMESPACE_LABEL) | BIT(RULE_MATCH_NAMESPACE_ANNOTATION))
#define NODE_BITS (BIT(RULE_MATCH_NODE) | BIT(RULE_MATCH_NODE_LABEL) | BIT(RULE_MATCH_NODE_POOL))

void owner_match_add_name(struct buf *b, enum rule_match match, const char *name)
{
    bool annotation = match == RULE_MATCH_POD_ANNOTATION || match == RULE_MATCH_NAMESPACE_ANNOTATION;

    buf_adds(b, annotation ? "annotation_" : "label_");
    for (const char *p = name; *p; p++) {
        bool keep = (*p >= 'a' && *p <= 'z') || (*p >= 'A' && *p <= 'Z') || (*p >= '0' && *p <= '9') || *p == '_';

        buf_addc(b, keep ? *p : '_');
    }
}

/* ---- lines ---- */

static struct span *spell_names(struct owner_match *m, const struct rule_matcher *matcher)
{
    struct span *names;
    struct buf b = { 0 };
    size_t n = 0;

    while (matcher->names[n])
        n++;
    names = arena_alloc(&m->strings, (n + 1) * sizeof *names);
    names[n] = (struct span){ NULL, 0 };
    for (size_t i = 0; i < n; i++) {
        buf_clear(&b);
        owner_match_add_name(&b, matcher->match, matcher->names[i]);
        names[i] = (struct span){ arena_strndup(&m->strings, b.p, b.n), b.n };
    }
    buf_free(&b);
    return names;
}

void owner_match_init(struct owner_match *m, const struct rule *rule, const struct inventory *inv)
{
    *m = (struct owner_match){ .inv = inv };
    for (size_t i = 0; i < rule->owners.n; i++) {
        const struct rule_owner *o = &rule->owners.v[i];
        struct owner_line line = { o, arena_alloc(&m->strings, o->n_matchers * sizeof *line.names) };

        for (size_t k = 0; k < o->n_matchers; k++) {
            line.names[k] = o->matchers[k].names ? spell_names(m, &o->matchers[k]) : NULL;
            m->asks |= BIT(o->matchers[k].match);
        }
        vec_push(&m->lines, line);
    }
}

void owner_match_free(struct owner_match *m)
{
    vec_free(&m->lines);
    vec_free(&m->open);
    buf_free(&m->workload);
    arena_free(&m->strings);
}

/* ---- a pod ---- */

/* A pod without an owner is its own workload. */
static struct span workload_of(struct owner_match *m, const struct pod *pod, time_ms t)
{
    uint32_t id = steps_at(&pod->workload, t, 0);

    if (id)
        return intern_get(m->inv->names, id);
    buf_clear(&m->workload);
    buf_adds(&m->workload, "Pod/");
    buf_add_span(&m->workload, intern_get(m->inv->names, pod->name));
    return buf_span(&m->workload);
}

static void look_at_namespace(struct owner_match *m, const struct pod *pod, time_ms t)
{
    uint32_t i = inventory_namespace(m->inv, pod->cluster, pod->namespace_name);
    const struct namespace *ns = i == NONE ? NULL : &m->inv->namespaces.v[i];

    m->sets[RULE_MATCH_NAMESPACE_LABEL] = ns ? steps_at(&ns->labels, t, 0) : 0;
    m->sets[RULE_MATCH_NAMESPACE_ANNOTATION] = ns ? steps_at(&ns->annotations, t, 0) : 0;
}

/* By what Kubernetes says of it, else by its card. */
static const struct steps *nodes_of(const struct owner_match *m, const struct pod *pod)
{
    return pod->node.n == 0 && pod->on_gpu ? &m->inv->gpus.v[pod->on_gpu - 1].node : &pod->node;
}

static void look_at_node(struct owner_match *m, const struct pod *pod, time_ms t)
{
    uint32_t i = steps_at(nodes_of(m, pod), t, NONE);
    const struct node *node = i == NONE ? NULL : &m->inv->nodes.v[i];

    m->texts[RULE_MATCH_NODE] = node ? intern_get(m->inv->names, node->name) : (struct span){ NULL, 0 };
    m->sets[RULE_MATCH_NODE_LABEL] = m->sets[RULE_MATCH_NODE_POOL] = node ? steps_at(&node->labels, t, 0) : 0;
}

static void look_at(struct owner_match *m, const struct pod *pod, time_ms t)
{
    m->texts[RULE_MATCH_NAMESPACE] = intern_get(m->inv->names, pod->namespace_name);
    m->sets[RULE_MATCH_POD_LABEL] = steps_at(&pod->labels, t, 0);
    m->sets[RULE_MATCH_POD_ANNOTATION] = steps_at(&pod->annotations, t, 0);
    if (m->asks & BIT(RULE_MATCH_WORKLOAD))
        m->texts[RULE_MATCH_WORKLOAD] = workload_of(m, pod, t);
    if (m->asks & NAMESPACE_BITS)
        look_at_namespace(m, pod, t);
    if (m->asks & NODE_BITS)
        look_at_node(m, pod, t);
}

/* ---- matching ---- */

static bool glob_any(struct span text, const char *const *globs)
{
    for (; *globs; globs++)
        if (span_glob(text, *globs))
            return true;
    return false;
}

/* The first of the labels that has a value which is wanted. */
static struct span wanted_value(const struct owner_match *m, const struct rule_matcher *matcher, const struct span *names)
{
    for (; names->n; names++) {
        struct span value = inventory_label(m->inv, m->sets[matcher->match], *names);

        if (value.n > 0 && (!matcher->globs || glob_any(value, matcher->globs)))
            return value;
    }
    return (struct span){ NULL, 0 };
}

static bool text_matches(const struct owner_match *m, const struct rule_matcher *matcher)
{
    return m->texts[matcher->match].n > 0 && glob_any(m->texts[matcher->match], matcher->globs);
}

static bool takes_namespace(const struct owner_match *m, const struct rule_owner *o)
{
    for (size_t i = 0; i < o->n_matchers; i++)
        if (o->matchers[i].match == RULE_MATCH_NAMESPACE && !text_matches(m, &o->matchers[i]))
            return false;
    return true;
}

/* The lines that take the namespace of the pod at hand, whatever else they ask for. */
static void open_namespace(struct owner_match *m, uint32_t name)
{
    if (m->opened && m->namespace_name == name)
        return;
    m->opened = true;
    m->namespace_name = name;
    vec_clear(&m->open);
    for (size_t i = 0; i < m->lines.n; i++)
        if (takes_namespace(m, m->lines.v[i].rule))
            vec_push(&m->open, &m->lines.v[i]);
}

/* Whether a line that takes the pod's namespace takes the pod. */
static bool line_matches(const struct owner_match *m, const struct owner_line *line, struct span *value)
{
    *value = (struct span){ NULL, 0 };
    for (size_t i = 0; i < line->rule->n_matchers; i++) {
        const struct rule_matcher *matcher = &line->rule->matchers[i];
        struct span found;

        if (matcher->match == RULE_MATCH_NAMESPACE)
            continue;
        if (!matcher->names) {
            if (!text_matches(m, matcher))
                return false;
            continue;
        }
        found = wanted_value(m, matcher, line->names[i]);
        if (found.n == 0)
            return false;
        *value = value->n ? *value : found;
    }
    return true;
}

const struct rule_owner *owner_match_find(struct owner_match *m, const struct pod *pod, time_ms t, struct span *value)
{
    look_at(m, pod, t);
    open_namespace(m, pod->namespace_name);
    for (size_t i = 0; i < m->open.n; i++) {
        const struct rule_owner *o = m->open.v[i]->rule;

        if (t >= o->from && t < o->until && line_matches(m, m->open.v[i], value))
            return o;
    }
    return NULL;
}

/* ---- changes ---- */

static void add_steps(struct time_list *out, const struct steps *s)
{
    for (uint32_t i = 0; i < s->n; i++)
        vec_push(out, s->v[i].from);
}

static void add_namespace_changes(const struct owner_match *m, const struct pod *pod, struct time_list *out)
{
    uint32_t i = inventory_namespace(m->inv, pod->cluster, pod->namespace_name);

    if (i == NONE)
        return;
    add_steps(out, &m->inv->namespaces.v[i].labels);
    add_steps(out, &m->inv->namespaces.v[i].annotations);
}

static void add_node_changes(const struct owner_match *m, const struct pod *pod, struct time_list *out)
{
    const struct steps *nodes = nodes_of(m, pod);

    add_steps(out, nodes);
    for (uint32_t i = 0; i < nodes->n; i++)
        if (nodes->v[i].value != NONE)
            add_steps(out, &m->inv->nodes.v[nodes->v[i].value].labels);
}

void owner_match_add_changes(const struct owner_match *m, const struct pod *pod, struct time_list *out)
{
    if (m->asks & BIT(RULE_MATCH_POD_LABEL))
        add_steps(out, &pod->labels);
    if (m->asks & BIT(RULE_MATCH_POD_ANNOTATION))
        add_steps(out, &pod->annotations);
    if (m->asks & BIT(RULE_MATCH_WORKLOAD))
        add_steps(out, &pod->workload);
    if (m->asks & NAMESPACE_BITS)
        add_namespace_changes(m, pod, out);
    if (m->asks & NODE_BITS)
        add_node_changes(m, pod, out);
}
