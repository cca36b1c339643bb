/* settings_source: servers and files of metrics, a map each.
 *
 * A secret in a file that is copied about and kept in repositories is no secret for long, so a key that would hold one is refused, by a
 * message that names the right key and shows no value. What goes with what is a table.
 * This module opens nothing: whether a server answers or a file is there shows when it is read. */
#include "gputab/source/settings_source.h"

#include <string.h>

#include "gputab/codec/http.h"

static struct settings *settings_of(struct yaml_binder *b)
{
    return ((struct settings_draft *)b->owner)->settings;
}

/* ---- single keys ---- */

/* The place is this file's; the error's own words show no password. */
static int read_url(struct yaml_binder *b, const struct yaml_node *value, void *target, const void *unused)
{
    struct http_url url;

    if (settings_read_text(b, value, target, unused) < 0)
        return -1;
    if (http_url_read(value->text, &url, b->e) < 0)
        return err_at(b->e, b->doc->name, value->line, value->column);
    http_url_free(&url);
    return 0;
}

static size_t count_params(const struct yaml_node *map)
{
    size_t n = 0;

    for (const struct yaml_node *v = map->child; v; v = v->next)
        n += v->kind == YAML_LIST ? v->n : 1;
    return n;
}

/* A list is a parameter that is sent several times, such as storeMatch[]. */
static int read_param(struct yaml_binder *b, const struct yaml_node *value, struct metrics_param **next)
{
    const struct yaml_node *v = value->kind == YAML_LIST ? value->child : value;
    size_t n = value->kind == YAML_LIST ? value->n : 1;

    if (yaml_check_text(b, value->key) < 0)
        return -1;
    for (; n-- > 0; v = v->next, (*next)++) {
        (*next)->name = arena_strdup(&settings_of(b)->texts, value->key->text);
        if (settings_read_text(b, v, &(*next)->value, NULL) < 0)
            return -1;
    }
    return 0;
}

/* What the questions themselves say cannot be said twice. */
static int read_params(struct yaml_binder *b, const struct yaml_node *value, void *target, const void *unused)
{
    static const char *const own[] = { "query", "time", "start", "end", "step", "match[]", NULL };
    struct metrics_param *params, *next;
    size_t n;

    (void)unused;
    if (yaml_expect(b, value, YAML_MAP) < 0)
        return -1;
    n = count_params(value);
    if (n > SETTINGS_PARAMS)
        return yaml_fail(b, value->key, "%s has more than %d parameters", yaml_name(value), SETTINGS_PARAMS);
    for (const char *const *p = own; *p; p++)
        if (yaml_get(value, *p))
            return yaml_fail(b, yaml_get(value, *p)->key, "the parameter \"%s\" is gputab's own", *p);
    params = next = arena_alloc(&settings_of(b)->texts, (n + 1) * sizeof *params);
    for (const struct yaml_node *v = value->child; v; v = v->next)
        if (read_param(b, v, &next) < 0)
            return -1;
    *next = (struct metrics_param){0};
    *(const struct metrics_param **)target = params;
    return 0;
}

/* ---- one source ---- */

#define FIELD(field) offsetof(struct settings_source, field)

static const struct yaml_key source_keys[] = {
    { "name", settings_read_text, FIELD(name), NULL },
    { "prometheus", read_url, FIELD(prometheus), NULL },
    { "metrics", settings_read_path, FIELD(metrics), NULL },
    { "cluster_label", settings_read_label, FIELD(cluster_label), NULL },
    { "transport", yaml_read_enum, FIELD(transport), metrics_transports },
    { "params", read_params, FIELD(params), NULL },
    { "token_file", settings_read_path, FIELD(access.token_file), NULL },
    { "user", settings_read_text, FIELD(access.user), NULL },
    { "password_file", settings_read_path, FIELD(access.password_file), NULL },
    { "ca_file", settings_read_path, FIELD(access.ca_file), NULL },
    { "cert_file", settings_read_path, FIELD(access.cert_file), NULL },
    { "key_file", settings_read_path, FIELD(access.key_file), NULL },
    { "proxy_file", settings_read_path, FIELD(access.proxy_file), NULL },
    { "headers_file", settings_read_path, FIELD(access.headers_file), NULL },
    { "tenant", settings_read_text, FIELD(access.tenant), NULL },
    { "sigv4_region", settings_read_text, FIELD(access.sigv4_region), NULL },
};
static const struct yaml_schema source_schema = YAML_SCHEMA(source_keys);

#undef FIELD

/* Keys that would hold a secret, and those that name a file with it. */
static int refuse_secrets(const struct yaml_binder *b, const struct yaml_node *item)
{
    static const struct { const char *secret, *key; } secrets[] = {
        { "token", "token_file" }, { "bearer_token", "token_file" }, { "password", "password_file" }, { "headers", "headers_file" },
        { "proxy", "proxy_file" },
    };

    for (size_t i = 0; i < sizeof secrets / sizeof *secrets; i++) {
        const struct yaml_node *v = yaml_get(item, secrets[i].secret);

        if (!v)
            continue;
        yaml_fail(b, v->key, "no secrets stand in settings, so that there is no key \"%s\"", secrets[i].secret);
        return err_hint(b->e, "write it into a file that only you can read, and name that with \"%s\"", secrets[i].key);
    }
    return 0;
}

static int check_kind(const struct yaml_binder *b, const struct yaml_node *item, const struct settings_source *s)
{
    static const char *const of_both[] = { "name", "metrics", "cluster_label", NULL };

    if (!s->prometheus && !s->metrics)
        return yaml_fail(b, item, "a source needs one of prometheus and metrics");
    if (s->prometheus && s->metrics)
        return yaml_fail(b, yaml_get(item, "metrics")->key, "a source has one of prometheus and metrics, not both");
    for (const struct yaml_node *v = s->metrics ? item->child : NULL; v; v = v->next) {
        const char *const *k = of_both;

        while (*k && strcmp(*k, v->key->text) != 0)
            k++;
        if (!*k)
            return yaml_fail(b, v->key, "%s goes with prometheus only", yaml_name(v));
    }
    return 0;
}

static int check_ways(const struct yaml_binder *b, const struct yaml_node *item)
{
    static const struct { const char *key, *other; bool needs; } pairs[] = {
        { "user", "token_file", false }, { "password_file", "token_file", false }, { "token_file", "sigv4_region", false },
        { "user", "sigv4_region", false }, { "password_file", "sigv4_region", false }, { "key_file", "cert_file", true },
    };

    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
        const struct yaml_node *v = yaml_get(item, pairs[i].key), *other = yaml_get(item, pairs[i].other);

        if (v && !other == pairs[i].needs)
            return yaml_fail(b, v->key, pairs[i].needs ? "%s goes with %s only" : "%s and %s exclude each other", pairs[i].key,
                             pairs[i].other);
    }
    return 0;
}

static int check_name(struct yaml_binder *b, const struct yaml_node *item, const struct settings_source *s)
{
    const struct settings *all = settings_of(b);

    for (size_t i = 0; s->name && i < all->sources.n; i++)
        if (all->sources.v[i].name && strcmp(all->sources.v[i].name, s->name) == 0)
            return yaml_fail(b, yaml_get(item, "name"), "two sources have the name \"%s\"", yaml_show(s->name).s);
    return 0;
}

static int read_source(struct yaml_binder *b, const struct yaml_node *item)
{
    struct settings_source s = {0};

    if (refuse_secrets(b, item) < 0 || yaml_bind(b, item, &source_schema, &s) < 0 || check_kind(b, item, &s) < 0
        || check_ways(b, item) < 0 || check_name(b, item, &s) < 0)
        return -1;
    vec_push(&settings_of(b)->sources, s);
    return 0;
}

int settings_read_sources(struct yaml_binder *b, const struct yaml_node *value, void *target, const void *unused)
{
    (void)target;
    (void)unused;
    if (settings_check_count(b, value, SETTINGS_SOURCES) < 0 || yaml_read_items(b, value, read_source) < 0)
        return -1;
    for (const struct yaml_node *v = value->child; v && value->n > 1; v = v->next) {
        if (yaml_get(v, "name"))
            continue;
        yaml_fail(b, v, "of several sources each needs a name");
        return err_hint(b->e, "it is the cluster of series that have no cluster label");
    }
    return 0;
}
