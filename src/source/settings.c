/* settings: a settings file becomes a struct settings, or one error that says where it is wrong and what would have been right.
 *
 * The schema is the table below, with those of settings_source and settings_family. Whether formats of outputs are known is left to
 * cli, which has them. A key whose effect is not built is refused only after everything else has proved to be in order.
 * This module does not look for the file, and opens nothing that it names. */
#include "gputab/source/settings.h"

#include <string.h>

#include "gputab/base/buf.h"
#include "gputab/base/file.h"
#include "gputab/source/settings_family.h"
#include "gputab/source/settings_source.h"

static const char schema_name[] = "gputab.settings/1";

static struct settings *settings_of(struct yaml_binder *b)
{
    return ((struct settings_draft *)b->owner)->settings;
}

/* ---- clusters ---- */

static int read_cluster(struct yaml_binder *b, const struct yaml_node *item)
{
    static const struct yaml_key keys[] = {
        { "value", settings_read_text, offsetof(struct cluster_name, value), NULL },
        { "name", settings_read_text, offsetof(struct cluster_name, name), NULL },
    };
    static const struct yaml_schema schema = YAML_SCHEMA(keys);
    static const char *const needed[] = { "value", "name", NULL };
    struct settings *s = settings_of(b);
    struct cluster_name c = {0};

    if (yaml_bind(b, item, &schema, &c) < 0 || settings_need(b, item, "a cluster", needed) < 0)
        return -1;
    for (size_t i = 0; i < s->clusters.n; i++)
        if (strcmp(s->clusters.v[i].value, c.value) == 0)
            return yaml_fail(b, yaml_get(item, "value"), "the cluster \"%s\" is named twice", yaml_show(c.value).s);
    vec_push(&s->clusters, c);
    return 0;
}

static int read_clusters(struct yaml_binder *b, const struct yaml_node *value, void *target, const void *unused)
{
    struct settings *s = settings_of(b);

    (void)target;
    (void)unused;
    if (settings_check_count(b, value, SETTINGS_CLUSTERS) < 0 || yaml_read_items(b, value, read_cluster) < 0)
        return -1;
    vec_push(&s->clusters, (struct cluster_name){0});
    s->clusters.n--;
    return 0;
}

/* ---- bills, outputs ---- */

static int read_paths(struct yaml_binder *b, const struct yaml_node *value, struct settings_paths *out)
{
    if (yaml_expect(b, value, YAML_LIST) < 0 || settings_check_count(b, value, SETTINGS_FILES) < 0)
        return -1;
    for (const struct yaml_node *v = value->child; v; v = v->next) {
        const char *path;

        if (settings_read_path(b, v, &path, NULL) < 0)
            return -1;
        for (size_t i = 0; i < out->n; i++)
            if (strcmp(out->v[i], path) == 0)
                return yaml_fail(b, v, "\"%s\" stands twice in %s", yaml_show(v->text).s, yaml_name(value));
        vec_push(out, path);
    }
    return 0;
}

static int read_billing(struct yaml_binder *b, const struct yaml_node *value, void *target, const void *unused)
{
    (void)target;
    (void)unused;
    return read_paths(b, value, &settings_of(b)->billing);
}

static int read_billing_maps(struct yaml_binder *b, const struct yaml_node *value, void *target, const void *unused)
{
    (void)target;
    (void)unused;
    return read_paths(b, value, &settings_of(b)->billing_maps);
}

static int read_catalogues(struct yaml_binder *b, const struct yaml_node *value, void *target, const void *unused)
{
    (void)target;
    (void)unused;
    return read_paths(b, value, &settings_of(b)->catalogues);
}

static int read_output(struct yaml_binder *b, const struct yaml_node *item)
{
    static const struct yaml_key keys[] = {
        { "file", settings_read_path, offsetof(struct settings_output, file), NULL },
        { "format", settings_read_text, offsetof(struct settings_output, format), NULL },
    };
    static const struct yaml_schema schema = YAML_SCHEMA(keys);
    static const char *const needed[] = { "file", NULL };
    struct settings *s = settings_of(b);
    struct settings_output o = {0};
    const struct yaml_node *at;

    if (yaml_bind(b, item, &schema, &o) < 0 || settings_need(b, item, "an output", needed) < 0)
        return -1;
    for (size_t i = 0; i < s->outputs.n; i++)
        if (strcmp(s->outputs.v[i].file, o.file) == 0)
            return yaml_fail(b, yaml_get(item, "file"), "two outputs have the file \"%s\"", yaml_show(o.file).s);
    at = yaml_get(item, o.format ? "format" : "file");
    o.line = at->line;
    o.column = at->column;
    vec_push(&s->outputs, o);
    return 0;
}

static int read_outputs(struct yaml_binder *b, const struct yaml_node *value, void *target, const void *unused)
{
    (void)target;
    (void)unused;
    return settings_check_count(b, value, SETTINGS_FILES) < 0 ? -1 : yaml_read_items(b, value, read_output);
}

/* There is no store of older samples yet. */
static int read_store(struct yaml_binder *b, const struct yaml_node *value, void *target, const void *unused)
{
    struct err *note = &((struct settings_draft *)b->owner)->unbuilt;
    const char *path;

    (void)target;
    if (settings_read_path(b, value, &path, unused) < 0)
        return -1;
    err_set(note, ERR_USAGE, "store is not built yet in this version");
    err_at(note, b->doc->name, value->key->line, value->key->column);
    err_hint(note, "leave it out for now");
    return 0;
}

/* ---- the file ---- */

static const struct yaml_key settings_keys[] = {
    { "schema", yaml_read_schema, 0, schema_name },
    { "sources", settings_read_sources, 0, NULL },
    { "clusters", read_clusters, 0, NULL },
    { "families", settings_read_families, 0, NULL },
    { "store", read_store, 0, NULL },
    { "billing", read_billing, 0, NULL },
    { "billing_maps", read_billing_maps, 0, NULL },
    { "catalogue", read_catalogues, 0, NULL },
    { "price_list", settings_read_path, offsetof(struct settings, price_list), NULL },
    { "nodes", settings_read_path, offsetof(struct settings, nodes), NULL },
    { "rule", settings_read_path, offsetof(struct settings, rule), NULL },
    { "outputs", read_outputs, 0, NULL },
};
static const struct yaml_schema settings_schema = YAML_SCHEMA(settings_keys);

static int read_document(struct span text, struct settings_draft *d, struct err *e)
{
    struct yaml_doc doc = {0};
    struct yaml_binder b = { .doc = &doc, .owner = d, .e = e };
    int rc = -1;

    if (yaml_doc_read(text, d->settings->path, &doc, e) < 0 || yaml_check_schema(&b, schema_name) < 0
        || yaml_bind(&b, doc.root, &settings_schema, d->settings) < 0)
        goto out;
    if (d->unbuilt.code != ERR_NONE)
        *e = d->unbuilt;
    else
        rc = 0;
out:
    yaml_doc_free(&doc);
    return rc;
}

int settings_read(const char *path, struct settings *s, struct err *e)
{
    struct settings_draft d = { .settings = s };
    struct buf text = {0};
    int rc;

    s->path = arena_strdup(&s->texts, path);
    d.folder.p = s->path;
    d.folder.n = strlen(path) - span_after_last(span_of(path), '/').n;
    rc = file_read(path, YAML_BYTES, &text, e);
    if (rc < 0 && text.n > YAML_BYTES)
        err_hint(e, "settings have some dozen lines: is this the right file?");
    if (rc == 0)
        rc = read_document(buf_span(&text), &d, e);
    buf_free(&text);
    return rc;
}

void settings_free(struct settings *s)
{
    vec_free(&s->sources);
    vec_free(&s->clusters);
    vec_free(&s->families);
    vec_free(&s->billing);
    vec_free(&s->billing_maps);
    vec_free(&s->catalogues);
    vec_free(&s->outputs);
    arena_free(&s->texts);
    *s = (struct settings){0};
}
