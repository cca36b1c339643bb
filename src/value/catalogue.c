/* catalogue: finding models, instance types and MIG profiles by the names that metrics and bills use.
 *
 * One card has many spellings: with blanks (driver), with dashes (node labels), with and without the maker. A name is compared
 * as it stands first, then folded; what tells cards apart (memory, form factor) survives the folding, so an A10 is never an A10G.
 * Reading the tables is source/catalogue's part. What was added later goes before. Lookups are linear: the tables are short and callers keep what they found. */
#include "gputab/value/catalogue.h"

#include <string.h>

enum { FOLDED_SIZE = 128 };

static bool is_separator(char c)
{
    return c == ' ' || c == '-' || c == '_' || c == '\t';
}

static bool is_maker(struct span word)
{
    return span_eq_fold(word, "nvidia") || span_eq_fold(word, "tesla");
}

static struct span next_word(struct span *s)
{
    struct span word;

    while (s->n && is_separator(*s->p)) {
        s->p++;
        s->n--;
    }
    word = (struct span){ s->p, 0 };
    while (word.n < s->n && !is_separator(s->p[word.n]))
        word.n++;
    s->p += word.n;
    s->n -= word.n;
    return word;
}

/* "NVIDIA A100-SXM4-40GB" becomes "a100sxm440gb". The empty span: nothing is left, or the name is too long for any card. */
static struct span fold_name(struct span name, char folded[FOLDED_SIZE])
{
    size_t n = 0;

    if (name.n > FOLDED_SIZE)
        return (struct span){ NULL, 0 };
    while (name.n) {
        struct span word = next_word(&name);

        if (is_maker(word))
            continue;
        for (size_t i = 0; i < word.n; i++)
            folded[n++] = (char)(word.p[i] >= 'A' && word.p[i] <= 'Z' ? word.p[i] + ('a' - 'A') : word.p[i]);
    }
    return (struct span){ folded, n };
}

static bool same_name(struct span a, struct span b)
{
    return span_same(a, b);
}

/* a is folded already. */
static bool same_folded(struct span a, struct span b)
{
    char folded[FOLDED_SIZE];

    return span_same(a, fold_name(b, folded));
}

static int find_model(const struct catalogue *c, struct span name, bool (*same)(struct span, struct span))
{
    for (size_t i = c->models.n; i-- > 0;) {
        const struct gpu_model *m = &c->models.v[i];

        if (same(name, span_of(m->name)))
            return (int)i;
        for (const char **alias = m->names; alias && *alias; alias++)
            if (same(name, span_of(*alias)))
                return (int)i;
    }
    return -1;
}

int catalogue_model(const struct catalogue *c, struct span name)
{
    char buffer[FOLDED_SIZE];
    struct span folded;
    int i;

    name = span_trim(name);
    if (name.n == 0)
        return -1;
    i = find_model(c, name, same_name);
    if (i >= 0)
        return i;
    folded = fold_name(name, buffer);
    return folded.n ? find_model(c, folded, same_folded) : -1;
}

/* Azure's meters write blanks where its types have underscores. */
static struct span joined(struct span name, char text[CATALOGUE_TYPE_MAX])
{
    name = span_trim(name);
    if (name.n > CATALOGUE_TYPE_MAX)
        return (struct span){ NULL, 0 };
    for (size_t i = 0; i < name.n; i++)
        text[i] = (char)(name.p[i] == ' ' ? '_' : name.p[i]);
    return (struct span){text, name.n};
}

const struct instance_type *catalogue_type(const struct catalogue *c, struct span name)
{
    char text[CATALOGUE_TYPE_MAX];

    name = joined(name, text);
    for (size_t i = c->types.n; i-- > 0;)
        if (span_eq_fold(name, c->types.v[i].name))
            return &c->types.v[i];
    return NULL;
}

money catalogue_on_demand(const struct catalogue *c, struct span name, struct span region)
{
    char text[CATALOGUE_TYPE_MAX];

    name = joined(name, text);
    for (size_t i = c->types.n; region.n > 0 && i-- > 0;)
        if (span_eq_fold(name, c->types.v[i].name) && span_eq_fold(region, c->types.v[i].region))
            return c->types.v[i].price_hour;
    return 0;
}

static const struct mig_profile *find_profile(const struct catalogue *c, const char *model, struct span profile)
{
    for (size_t i = 0; i < c->profiles.n; i++)
        if (strcmp(c->profiles.v[i].model, model) == 0 && span_eq_fold(profile, c->profiles.v[i].profile))
            return &c->profiles.v[i];
    return NULL;
}

/* "1g.10gb+me" and "1g.10gb.me" are as large as 1g.10gb: the media engines are no part of what is divided. */
static struct span without_attribute(struct span profile)
{
    const char *plus = profile.n ? memchr(profile.p, '+', profile.n) : NULL;

    if (plus)
        return (struct span){ profile.p, (size_t)(plus - profile.p) };
    if (span_ends(profile, ".me"))
        profile.n -= strlen(".me");
    return profile;
}

const struct mig_profile *catalogue_profile(const struct catalogue *c, int model, struct span profile)
{
    const struct mig_profile *found;

    if (model < 0 || (size_t)model >= c->models.n)
        return NULL;
    profile = span_trim(profile);
    found = find_profile(c, c->models.v[model].name, profile);
    return found ? found : find_profile(c, c->models.v[model].name, without_attribute(profile));
}

void catalogue_free(struct catalogue *c)
{
    vec_free(&c->models);
    vec_free(&c->profiles);
    vec_free(&c->types);
    arena_free(&c->strings);
}
