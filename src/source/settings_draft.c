/* settings_draft: the scalars of a settings file: texts, files, names of labels and metrics.
 *
 * A file name is joined to the folder of the settings file here, once, so that nobody after this has to know where that file is.
 * This module knows no key of the settings. */
#include "gputab/source/settings_draft.h"

#include <string.h>

#include "gputab/base/buf.h"

#define LETTERS "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz_"
#define DIGITS "0123456789"

static struct settings_draft *draft_of(struct yaml_binder *b)
{
    return b->owner;
}

int settings_read_text(struct yaml_binder *b, const struct yaml_node *value, void *target, const void *unused)
{
    (void)unused;
    if (yaml_expect(b, value, YAML_TEXT) < 0 || yaml_check_text(b, value) < 0)
        return -1;
    *(const char **)target = arena_strdup(&draft_of(b)->settings->texts, value->text);
    return 0;
}

int settings_read_path(struct yaml_binder *b, const struct yaml_node *value, void *target, const void *unused)
{
    struct settings_draft *d = draft_of(b);
    struct buf path = {0};

    (void)unused;
    if (yaml_expect(b, value, YAML_TEXT) < 0 || yaml_check_text(b, value) < 0)
        return -1;
    if (strcmp(value->text, "-") == 0) {
        yaml_fail(b, value, "%s cannot be standard input", yaml_name(value));
        return err_hint(b->e, "name a file here, or give - on the command line");
    }
    if (value->text[0] != '/')
        buf_add_span(&path, d->folder);
    buf_adds(&path, value->text);
    *(const char **)target = arena_strdup(&d->settings->texts, buf_str(&path));
    buf_free(&path);
    return 0;
}

static int check_name(const struct yaml_binder *b, const struct yaml_node *text, const char *what, const char *first, const char *more)
{
    const char *s = text->text;

    if (yaml_check_text(b, text) < 0)
        return -1;
    if (strchr(first, *s) && s[strspn(s, more)] == '\0')
        return 0;
    yaml_fail(b, text, "\"%s\" cannot be the name of a %s", yaml_show(s).s, what);
    return err_hint(b->e, "letters, digits%s and \"_\" may stand in it, and no digit at the beginning", strchr(more, ':') ? ", \":\"" : "");
}

int settings_check_label(const struct yaml_binder *b, const struct yaml_node *text)
{
    return check_name(b, text, "label", LETTERS, LETTERS DIGITS);
}

int settings_check_metric(const struct yaml_binder *b, const struct yaml_node *text)
{
    return check_name(b, text, "metric", LETTERS ":", LETTERS DIGITS ":");
}

int settings_read_label(struct yaml_binder *b, const struct yaml_node *value, void *target, const void *unused)
{
    (void)unused;
    if (yaml_expect(b, value, YAML_TEXT) < 0 || settings_check_label(b, value) < 0)
        return -1;
    *(const char **)target = arena_strdup(&draft_of(b)->settings->texts, value->text);
    return 0;
}

int settings_check_count(const struct yaml_binder *b, const struct yaml_node *list, size_t most)
{
    if (list->n <= most)
        return 0;
    return yaml_fail(b, list->key, "%s has more than %zu items", yaml_name(list), most);
}

int settings_need(const struct yaml_binder *b, const struct yaml_node *map, const char *what, const char *const *keys)
{
    for (; *keys; keys++)
        if (!yaml_get(map, *keys))
            return yaml_fail(b, map, "%s needs %s", what, *keys);
    return 0;
}
