/* settings_family: a user's own metric families become rows like the built-in ones.
 *
 * Only what a row needs can be said: the name, the unit, what the numbers mean and which labels say of whom. A pod's own label names must
 * be said where a family speaks of pods: the plain ones are as often those of the exporter's own pod, and a guess would charge that.
 * This module does not read metrics: source/scrape does, with these rows. */
#include "gputab/source/settings_family.h"

#include <string.h>

static struct settings *settings_of(struct yaml_binder *b)
{
    return ((struct settings_draft *)b->owner)->settings;
}

/* Labels by role, as nodes: their places are needed for messages. */
struct labels {
    const struct yaml_node *at[ROLES];
};

struct draft {
    const char *name;
    unsigned unit, meaning;
    struct labels labels;
};

/* ---- labels ---- */

#define LABEL(role) yaml_read_node, offsetof(struct labels, at[role]), NULL

static const struct yaml_key label_keys[] = {
    { "uuid", LABEL(ROLE_UUID) },
    { "gpu_instance", LABEL(ROLE_GPU_INSTANCE) },
    { "profile", LABEL(ROLE_PROFILE) },
    { "model", LABEL(ROLE_MODEL) },
    { "namespace", LABEL(ROLE_SPELT_NAMESPACE) },
    { "pod", LABEL(ROLE_SPELT_POD) },
    { "container", LABEL(ROLE_SPELT_CONTAINER) },
    { "uid", LABEL(ROLE_UID) },
    { "slot", LABEL(ROLE_SLOT) },
    { "node", LABEL(ROLE_NODE) },
    { "host", LABEL(ROLE_HOSTNAME) },
};
static const struct yaml_schema label_schema = YAML_SCHEMA(label_keys);

#undef LABEL

static int check_twice(const struct yaml_binder *b, const struct labels *labels, int role)
{
    for (int i = 0; i < role; i++)
        if (labels->at[i] && strcmp(labels->at[i]->text, labels->at[role]->text) == 0)
            return yaml_fail(b, labels->at[role], "the label \"%s\" cannot be both %s and %s", yaml_show(labels->at[i]->text).s,
                             yaml_name(labels->at[i]), yaml_name(labels->at[role]));
    return 0;
}

/* A pod is known by namespace and name, and what else is said of it goes with them. */
static int check_pod(const struct yaml_binder *b, const struct yaml_node *map, const struct labels *labels)
{
    static const enum label_role parts[] = { ROLE_SPELT_NAMESPACE, ROLE_SPELT_CONTAINER, ROLE_UID };

    if (labels->at[ROLE_SPELT_POD] && !labels->at[ROLE_SPELT_NAMESPACE])
        return yaml_fail(b, map, "labels with pod need namespace");
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        if (labels->at[parts[i]] && !labels->at[ROLE_SPELT_POD])
            return yaml_fail(b, labels->at[parts[i]]->key, "%s goes with pod only", yaml_name(labels->at[parts[i]]));
    return 0;
}

static int read_labels(struct yaml_binder *b, const struct yaml_node *value, void *target, const void *unused)
{
    struct labels *labels = target;

    (void)unused;
    if (yaml_bind(b, value, &label_schema, labels) < 0)
        return -1;
    for (int i = 0; i < ROLES; i++)
        if (labels->at[i] && (yaml_expect(b, labels->at[i], YAML_TEXT) < 0 || settings_check_label(b, labels->at[i]) < 0
                              || check_twice(b, labels, i) < 0))
            return -1;
    return check_pod(b, value, labels);
}

static const struct family_label *make_labels(struct yaml_binder *b, const struct labels *labels)
{
    struct arena *texts = &settings_of(b)->texts;
    struct family_label *out = arena_alloc(texts, (ROLES + 1) * sizeof *out), *next = out;

    for (int i = 0; i < ROLES; i++)
        if (labels->at[i])
            *next++ = (struct family_label){ arena_strdup(texts, labels->at[i]->text), (enum label_role)i };
    *next = (struct family_label){0};
    return out;
}

/* ---- one family ---- */

static const char *const units[] = { "bytes", "kib", "mib", "gib", NULL };
static const enum family_unit unit_of[] = { UNIT_BYTES, UNIT_KIB, UNIT_MIB, UNIT_GIB };

static const char *const meanings[] = { "used", "free", "total", "reserved", "pod_used", "layer_used", NULL };
static const struct { int kind; bool pods; } meaning_of[] = {
    { SAMPLE_USED, false }, { SAMPLE_FREE, false }, { SAMPLE_TOTAL, false }, { SAMPLE_RESERVED, false }, { SAMPLE_PROCESS_USED, true },
    { SAMPLE_LAYER_USED, true },
};

/* A built-in name may be taken, so that a later version's new rows disturb nobody; but not one that is no GPU memory. */
static int check_built_in(const struct yaml_binder *b, const struct yaml_node *name)
{
    for (const struct family *f = exporters_families; f->name; f++) {
        if (strcmp(f->name, name->text) != 0 || (f->kind <= SAMPLE_PROCESS_USED && f->kind != SAMPLE_PRESENT))
            continue;
        yaml_fail(b, name, "%s is no family of GPU memory", f->name);
        return f->why ? err_hint(b->e, "it is %s", f->why) : -1;
    }
    return 0;
}

static int read_name(struct yaml_binder *b, const struct yaml_node *value, void *target, const void *unused)
{
    const struct settings *s = settings_of(b);

    (void)unused;
    if (yaml_expect(b, value, YAML_TEXT) < 0 || settings_check_metric(b, value) < 0 || check_built_in(b, value) < 0)
        return -1;
    for (size_t i = 0; i < s->families.n; i++)
        if (strcmp(s->families.v[i].name, value->text) == 0)
            return yaml_fail(b, value, "two families have the name \"%s\"", yaml_show(value->text).s);
    *(const char **)target = arena_strdup(&settings_of(b)->texts, value->text);
    return 0;
}

static int read_family(struct yaml_binder *b, const struct yaml_node *item)
{
    static const struct yaml_key keys[] = {
        { "name", read_name, offsetof(struct draft, name), NULL },
        { "unit", yaml_read_enum, offsetof(struct draft, unit), units },
        { "meaning", yaml_read_enum, offsetof(struct draft, meaning), meanings },
        { "labels", read_labels, offsetof(struct draft, labels), NULL },
    };
    static const struct yaml_schema schema = YAML_SCHEMA(keys);
    static const char *const needed[] = { "name", "unit", "meaning", NULL };
    struct draft d = {0};
    bool has_pod;

    if (yaml_bind(b, item, &schema, &d) < 0 || settings_need(b, item, "a family", needed) < 0)
        return -1;
    has_pod = d.labels.at[ROLE_SPELT_POD] != NULL;
    if (meaning_of[d.meaning].pods && !has_pod) {
        yaml_fail(b, item, "a family that means %s needs labels with pod and namespace", meanings[d.meaning]);
        return err_hint(b->e, "for example: labels: {namespace: exported_namespace, pod: exported_pod}");
    }
    vec_push(&settings_of(b)->families, (struct family){
        .name = d.name, .kind = meaning_of[d.meaning].kind, .unit = unit_of[d.unit],
        .pods = meaning_of[d.meaning].pods ? PODS_ALWAYS : has_pod ? PODS_MAYBE : PODS_NO, .labels = make_labels(b, &d.labels) });
    return 0;
}

int settings_read_families(struct yaml_binder *b, const struct yaml_node *value, void *target, const void *unused)
{
    struct settings *s = settings_of(b);

    (void)target;
    (void)unused;
    if (settings_check_count(b, value, SETTINGS_FAMILIES) < 0 || yaml_read_items(b, value, read_family) < 0)
        return -1;
    vec_push(&s->families, (struct family){0});
    s->families.n--;
    return 0;
}
