/* label_choice: picks a few labels out of many.
 *
 * Prometheus allows no dot, slash or dash in a label name, so kube-state-metrics writes underscores; version 2 also turns camel case into
 * snake case. Both forms are looked for and one is kept, so that a rule need not know which version wrote the series.
 * Labels that nobody asked for are dropped here: a build number that changes with every release then starts no new period of anything. */
#include "gputab/source/label_choice.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "gputab/base/buf.h"

static bool is_upper(char c)
{
    return c >= 'A' && c <= 'Z';
}

static bool is_lower_or_digit(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9');
}

static struct label_forms forms_of(struct arena *strings, const char *prefix, const char *label)
{
    struct label_forms f;
    struct buf b = { 0 };
    size_t n;

    buf_adds(&b, prefix);
    for (const char *p = label; *p; p++)
        buf_addc(&b, is_upper(*p) || is_lower_or_digit(*p) ? *p : '_');
    n = b.n;
    f.name = arena_strndup(strings, b.p, n);
    buf_clear(&b);
    for (size_t i = 0; i < n; i++) {
        if (i > 0 && is_upper(f.name[i]) && is_lower_or_digit(f.name[i - 1]))
            buf_addc(&b, '_');
        buf_addc(&b, is_upper(f.name[i]) ? (char)(f.name[i] - 'A' + 'a') : f.name[i]);
    }
    f.snake = arena_strndup(strings, b.p, b.n);
    buf_free(&b);
    return f;
}

static int by_name(const void *a, const void *b)
{
    return strcmp(((const struct label_forms *)a)->name, ((const struct label_forms *)b)->name);
}

void label_choice_init(struct label_choice *c, const char *prefix, const char *const *labels)
{
    size_t kept = 0;

    *c = (struct label_choice){ { 0 } };
    for (; labels && *labels; labels++)
        vec_push(&c->forms, forms_of(&c->strings, prefix, *labels));
    if (c->forms.n > 0)
        qsort(c->forms.v, c->forms.n, sizeof *c->forms.v, by_name);
    for (size_t i = 0; i < c->forms.n; i++)
        if (kept == 0 || strcmp(c->forms.v[kept - 1].name, c->forms.v[i].name) != 0)
            c->forms.v[kept++] = c->forms.v[i];
    c->forms.n = kept;
}

void label_choice_free(struct label_choice *c)
{
    vec_free(&c->forms);
    arena_free(&c->strings);
}

struct span label_choice_find(const struct openmetrics_label *labels, size_t n, const char *name)
{
    for (size_t i = 0; i < n; i++)
        if (span_eq(labels[i].name, name))
            return labels[i].value;
    return (struct span){ NULL, 0 };
}

void label_choice_add(const struct label_choice *c, const struct openmetrics_label *labels, size_t n, struct buf *out)
{
    for (size_t i = 0; i < c->forms.n; i++) {
        struct span value = label_choice_find(labels, n, c->forms.v[i].name);

        if (value.n == 0)
            value = label_choice_find(labels, n, c->forms.v[i].snake);
        if (value.n == 0)
            continue;
        buf_add(out, c->forms.v[i].name, strlen(c->forms.v[i].name) + 1);
        buf_add_span(out, value);
        buf_addc(out, '\0');
    }
}
