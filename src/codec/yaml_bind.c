/* yaml_bind: maps read by tables, a row a key: its name, the function that reads the value, and where to put it.
 *
 * The tables are all that a reader of settings writes; unknown keys, keys without a value, wrong kinds and unknown names are
 * told here, each at its place and with the name that was probably meant.
 * This module knows no key: what a value means is the read function's business. */
#include <assert.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "gputab/base/buf.h"
#include "gputab/base/nearest.h"
#include "gputab/base/utf8.h"
#include "gputab/codec/yaml.h"

int yaml_fail(const struct yaml_binder *b, const struct yaml_node *at, const char *fmt, ...)
{
    char text[sizeof b->e->text];
    va_list args;

    va_start(args, fmt);
    vsnprintf(text, sizeof text, fmt, args);
    va_end(args);
    text[utf8_whole(text, strlen(text))] = '\0';
    err_set(b->e, ERR_USAGE, "%s", text);
    return err_at(b->e, b->doc->name, at ? at->line : 1, at ? at->column : 1);
}

struct yaml_shown yaml_show(const char *text)
{
    enum { SHOWN = 60 };
    struct yaml_shown out = {0};
    size_t n = strlen(text);

    if (n <= SHOWN) {
        memcpy(out.s, text, n);
        return out;
    }
    n = utf8_whole(text, SHOWN);
    memcpy(out.s, text, n);
    memcpy(out.s + n, "...", 3);
    return out;
}

const char *yaml_name(const struct yaml_node *value)
{
    return value->key ? value->key->text : "the document";
}

const struct yaml_node *yaml_get(const struct yaml_node *map, const char *key)
{
    assert(map->kind == YAML_MAP);
    for (const struct yaml_node *v = map->child; v; v = v->next)
        if (strcmp(v->key->text, key) == 0)
            return v;
    return NULL;
}

static bool is_missing(const struct yaml_node *value)
{
    return value->kind == YAML_TEXT && value->plain && !*value->text;
}

int yaml_expect(const struct yaml_binder *b, const struct yaml_node *value, enum yaml_kind kind)
{
    static const char *const kinds[] = { "text", "a list", "a map" };

    if (is_missing(value))
        return yaml_fail(b, value->key ? value->key : value, "%s has no value", yaml_show(yaml_name(value)).s);
    if (value->kind == kind)
        return 0;
    yaml_fail(b, value, "%s must be %s, not %s", yaml_show(yaml_name(value)).s, kinds[kind], kinds[value->kind]);
    if (kind == YAML_TEXT && value->flow)
        err_hint(b->e, "quote text that begins with \"%c\"", value->kind == YAML_MAP ? '{' : '[');
    return -1;
}

int yaml_check_text(const struct yaml_binder *b, const struct yaml_node *text)
{
    struct span s = span_of(text->text);
    const char *name = yaml_name(text);

    if (s.n == 0)
        return yaml_fail(b, text, "%s must not be empty", name);
    if (span_trim(s).n != s.n)
        return yaml_fail(b, text, "%s must not begin or end with white space", name);
    if (utf8_length(s) > YAML_TEXT_MAX)
        return yaml_fail(b, text, "%s must not be longer than %d characters", name, YAML_TEXT_MAX);
    return 0;
}

int yaml_read_items(struct yaml_binder *b, const struct yaml_node *list, yaml_read_item *item)
{
    if (yaml_expect(b, list, YAML_LIST) < 0)
        return -1;
    for (const struct yaml_node *v = list->child; v; v = v->next) {
        if (v->kind != YAML_MAP)
            return yaml_fail(b, v, "every item of %s must be a map, not %s", yaml_name(list), v->kind == YAML_LIST ? "a list" : "text");
        if (item(b, v) < 0)
            return -1;
    }
    return 0;
}

/* Name i of n: "effective, billed or list", with last = " or ". */
static void add_names(struct buf *out, size_t i, size_t n, const char *name, const char *last)
{
    if (i > 0)
        buf_adds(out, i + 1 == n ? last : ", ");
    buf_adds(out, name);
}

static int fail_unknown(struct yaml_binder *b, const struct yaml_node *key, const struct yaml_schema *schema)
{
    struct nearest near = nearest_to(key->text);
    struct buf names = {0};

    for (size_t i = 0; i < schema->n; i++) {
        nearest_try(&near, schema->keys[i].name);
        add_names(&names, i, schema->n, schema->keys[i].name, ", ");
    }
    yaml_fail(b, key, "unknown key \"%s\"", yaml_show(key->text).s);
    if (near.name)
        err_hint(b->e, "did you mean \"%s\"?", near.name);
    else
        err_hint(b->e, "known here: %s", buf_str(&names));
    buf_free(&names);
    return -1;
}

static const struct yaml_key *find_key(const struct yaml_schema *schema, const char *name)
{
    for (size_t i = 0; i < schema->n; i++)
        if (strcmp(schema->keys[i].name, name) == 0)
            return schema->keys + i;
    return NULL;
}

int yaml_bind(struct yaml_binder *b, const struct yaml_node *map, const struct yaml_schema *schema, void *target)
{
    if (yaml_expect(b, map, YAML_MAP) < 0)
        return -1;
    for (const struct yaml_node *v = map->child; v; v = v->next) {
        const struct yaml_key *k = find_key(schema, v->key->text);

        if (!k)
            return fail_unknown(b, v->key, schema);
        if (is_missing(v))
            return yaml_expect(b, v, YAML_TEXT);
        if (k->read(b, v, (char *)target + k->offset, k->arg) < 0)
            return -1;
    }
    return 0;
}

int yaml_read_map(struct yaml_binder *b, const struct yaml_node *value, void *target, const void *schema)
{
    return yaml_bind(b, value, schema, target);
}

int yaml_read_node(struct yaml_binder *b, const struct yaml_node *value, void *target, const void *unused)
{
    (void)b;
    (void)unused;
    *(const struct yaml_node **)target = value;
    return 0;
}

int yaml_read_schema(struct yaml_binder *b, const struct yaml_node *value, void *target, const void *arg)
{
    const char *name = arg;

    (void)target;
    if (yaml_expect(b, value, YAML_TEXT) < 0)
        return -1;
    if (strcmp(value->text, name) == 0)
        return 0;
    yaml_fail(b, value, "schema \"%s\" is not known", yaml_show(value->text).s);
    return err_hint(b->e, "this version reads %s", name);
}

int yaml_check_schema(struct yaml_binder *b, const char *name)
{
    const struct yaml_node *root = b->doc->root, *schema;

    if (root && yaml_expect(b, root, YAML_MAP) < 0)
        return -1;
    schema = root ? yaml_get(root, "schema") : NULL;
    if (schema)
        return yaml_read_schema(b, schema, NULL, name);
    yaml_fail(b, root, "the key \"schema\" is missing");
    return err_hint(b->e, "add the line: schema: %s", name);
}

static int fail_name(struct yaml_binder *b, const struct yaml_node *value, const char *const *names)
{
    struct nearest near = nearest_to(value->text);
    struct buf list = {0};
    size_t n = 0;

    while (names[n])
        n++;
    for (size_t i = 0; i < n; i++) {
        nearest_try(&near, names[i]);
        add_names(&list, i, n, names[i], " or ");
    }
    yaml_fail(b, value, "%s must be %s, not \"%s\"", yaml_name(value), buf_str(&list), yaml_show(value->text).s);
    if (near.name)
        err_hint(b->e, "did you mean \"%s\"?", near.name);
    buf_free(&list);
    return -1;
}

int yaml_read_enum(struct yaml_binder *b, const struct yaml_node *value, void *target, const void *arg)
{
    const char *const *names = arg;

    if (yaml_expect(b, value, YAML_TEXT) < 0)
        return -1;
    for (unsigned i = 0; names[i]; i++) {
        if (strcmp(names[i], value->text) == 0) {
            memcpy(target, &i, sizeof i);
            return 0;
        }
    }
    return fail_name(b, value, names);
}
