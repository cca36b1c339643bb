/* yaml_text: texts that outlive their document. */
#include <string.h>

#include "gputab/codec/yaml.h"

int yaml_read_text(struct yaml_binder *b, const struct yaml_node *value, void *target, const void *unused)
{
    (void)unused;
    if (yaml_expect(b, value, YAML_TEXT) < 0 || yaml_check_text(b, value) < 0)
        return -1;
    *(const char **)target = arena_strdup(b->texts, value->text);
    return 0;
}

int yaml_read_texts(struct yaml_binder *b, const struct yaml_node *value, void *target, const void *unused)
{
    const struct yaml_node *v = value->kind == YAML_LIST ? value->child : value;
    size_t n = value->kind == YAML_LIST ? value->n : 1;
    const char **texts;

    if (n == 0 || n > YAML_TEXTS_MAX)
        return yaml_fail(b, value->key ? value->key : value, "%s must have 1 to %d words", yaml_name(value), YAML_TEXTS_MAX);
    texts = arena_alloc(b->texts, (n + 1) * sizeof *texts);
    for (size_t i = 0; i < n; i++, v = v->next)
        if (yaml_read_text(b, v, &texts[i], unused) < 0)
            return -1;
    texts[n] = NULL;
    *(const char *const **)target = texts;
    return 0;
}

int yaml_read_currency(struct yaml_binder *b, const struct yaml_node *value, void *target, const void *unused)
{
    if (yaml_read_text(b, value, target, unused) < 0)
        return -1;
    if (strlen(value->text) == 3 && strspn(value->text, "ABCDEFGHIJKLMNOPQRSTUVWXYZ") == 3)
        return 0;
    return yaml_fail(b, value, "\"%s\" is no code of a currency such as EUR", yaml_show(value->text).s);
}
