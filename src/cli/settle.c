/* settle: the keys of the settings as a table, a function each, which takes what no option of the same purpose has said.
 *
 * Servers of the command line and sources of the settings have one form here, so that nobody after this asks where one came from.
 * This module opens no input but the settings. */
#include "gputab/cli/settle.h"

#include <string.h>

#include "gputab/base/nearest.h"

/* ---- what the options say ---- */

/* NAME=URL; an equals sign behind a slash or colon belongs to the URL. */
static struct settings_source read_server(struct report_args *a, const char *text)
{
    struct settings_source s = {.prometheus = text};
    size_t n = strcspn(text, "=:/");

    if (text[n] == '=' && n > 0) {
        s.name = arena_strndup(&a->settings.texts, text, n);
        s.prometheus = text + n + 1;
    }
    return s;
}

static void take_options(struct report_args *a)
{
    for (size_t i = 0; i < a->prometheus.n; i++)
        vec_push(&a->sources, read_server(a, a->prometheus.v[i]));
    if (a->metrics)
        vec_push(&a->sources, (struct settings_source){.metrics = a->metrics});
    for (size_t i = 0; i < a->outputs.n; i++)
        vec_push(&a->files, (struct report_file){a->outputs.v[i], render_by_path(a->outputs.v[i])});
}

/* ---- what the settings say ---- */

static int refuse_format(const struct settings *s, const struct settings_output *o, struct err *e)
{
    struct nearest near = nearest_to(o->format ? o->format : "");
    struct buf all = {0};

    for (const struct render_ops *f = render_formats; f->name; f++) {
        nearest_try(&near, f->name);
        buf_addf(&all, "%s%s", all.n ? ", " : "", f->name);
    }
    if (o->format)
        err_set(e, ERR_USAGE, "this version has no format \"%.60s\"", o->format);
    else
        err_set(e, ERR_USAGE, "\"%.200s\" has no extension of a known format", o->file);
    err_at(e, s->path, o->line, o->column);
    if (o->format && near.name)
        err_hint(e, "did you mean \"%s\"?", near.name);
    else
        err_hint(e, "%s %s", o->format ? "it has" : "add a format:", buf_str(&all));
    buf_free(&all);
    return -1;
}

/* 1: something was taken. The same holds below. */
static int take_outputs(struct report_args *a, struct err *e)
{
    if (a->outputs.n > 0 || a->format)
        return 0;
    for (size_t i = 0; i < a->settings.outputs.n; i++) {
        const struct settings_output *o = &a->settings.outputs.v[i];
        const struct render_ops *ops = o->format ? render_find(span_of(o->format)) : render_by_path(o->file);

        if (!ops)
            return refuse_format(&a->settings, o, e);
        vec_push(&a->files, (struct report_file){o->file, ops});
    }
    return a->settings.outputs.n > 0;
}

static int take_sources(struct report_args *a, struct err *e)
{
    (void)e;
    if (a->prometheus.n > 0 || a->metrics)
        return 0;
    for (size_t i = 0; i < a->settings.sources.n; i++)
        vec_push(&a->sources, a->settings.sources.v[i]);
    return a->settings.sources.n > 0;
}

static int take_billing(struct report_args *a, struct err *e)
{
    (void)e;
    if (a->billing.n > 0)
        return 0;
    for (size_t i = 0; i < a->settings.billing.n; i++)
        vec_push(&a->billing, a->settings.billing.v[i]);
    return a->settings.billing.n > 0;
}

static int take_billing_maps(struct report_args *a, struct err *e)
{
    (void)e;
    if (a->billing_maps.n > 0)
        return 0;
    for (size_t i = 0; i < a->settings.billing_maps.n; i++)
        vec_push(&a->billing_maps, a->settings.billing_maps.v[i]);
    return a->settings.billing_maps.n > 0;
}

static int take_catalogues(struct report_args *a, struct err *e)
{
    (void)e;
    if (a->catalogues.n > 0)
        return 0;
    for (size_t i = 0; i < a->settings.catalogues.n; i++)
        vec_push(&a->catalogues, a->settings.catalogues.v[i]);
    return a->settings.catalogues.n > 0;
}

static int take_text(const char **field, const char *setting)
{
    if (*field || !setting)
        return 0;
    *field = setting;
    return 1;
}

static int take_price_list(struct report_args *a, struct err *e)
{
    (void)e;
    return take_text(&a->price_list, a->settings.price_list);
}

static int take_nodes(struct report_args *a, struct err *e)
{
    (void)e;
    return take_text(&a->nodes, a->settings.nodes);
}

static int take_rule(struct report_args *a, struct err *e)
{
    (void)e;
    return take_text(&a->rule, a->settings.rule);
}

/* These have no option: whoever asks for metrics reads them from the settings. */
static int has_clusters(struct report_args *a, struct err *e)
{
    (void)e;
    return a->settings.clusters.n > 0;
}

static int has_families(struct report_args *a, struct err *e)
{
    (void)e;
    return a->settings.families.n > 0;
}

static const struct {
    const char *key;
    int commands;                  /* sum of enum settle_for */
    int (*take)(struct report_args *a, struct err *e);
} keys[] = {
    { "sources", SETTLE_REPORT | SETTLE_CHECK, take_sources },     /* --prometheus, --metrics */
    { "clusters", SETTLE_REPORT | SETTLE_CHECK, has_clusters },
    { "families", SETTLE_REPORT | SETTLE_CHECK, has_families },
    { "billing", SETTLE_REPORT, take_billing },                    /* --billing */
    { "billing_maps", SETTLE_REPORT | SETTLE_CHECK, take_billing_maps },   /* --billing-map */
    { "catalogue", SETTLE_REPORT | SETTLE_CHECK, take_catalogues },        /* --catalogue */
    { "price_list", SETTLE_REPORT, take_price_list },              /* --price-list */
    { "nodes", SETTLE_REPORT | SETTLE_CHECK, take_nodes },         /* --nodes */
    { "rule", SETTLE_REPORT | SETTLE_CHECK, take_rule },           /* --rule */
    { "outputs", SETTLE_REPORT, take_outputs },                    /* -o, --format */
};
enum { KEYS = sizeof keys / sizeof *keys };

static int take_settings(struct report_args *a, enum settle_for command, struct err *e)
{
    for (int i = 0; i < KEYS; i++) {
        int taken = keys[i].commands & command ? keys[i].take(a, e) : 0;

        if (taken < 0)
            return -1;
        if (taken > 0)
            a->taken |= 1u << i;
    }
    return 0;
}

static enum metrics_transport find_transport(const char *name)
{
    int i = 0;

    while (metrics_transports[i] && strcmp(metrics_transports[i], name) != 0)
        i++;
    return (enum metrics_transport)i;
}

int settle(struct report_args *a, enum settle_for command, struct err *e)
{
    if (settings_find(&a->found, a->config, e) < 0)
        return -1;
    if (a->found.path && settings_read(a->found.path, &a->settings, e) < 0)
        return e->code == ERR_INPUT ? err_hint(e, "this settings file is %s", a->found.why) : -1;
    take_options(a);
    if (take_settings(a, command, e) < 0)
        return -1;
    for (size_t i = 0; a->transport && i < a->sources.n; i++)
        if (a->sources.v[i].prometheus)
            a->sources.v[i].transport = find_transport(a->transport);
    return 0;
}

void settle_add_taken(struct buf *b, const struct report_args *a)
{
    const char *comma = "";

    for (int i = 0; i < KEYS; i++) {
        if (!(a->taken >> i & 1))
            continue;
        buf_addf(b, "%s%s", comma, keys[i].key);
        comma = ", ";
    }
}
