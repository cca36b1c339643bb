/* explanation: keeps sections and lines, and owns their texts. What they mean is said by who fills them. */
#include "gputab/value/explanation.h"

struct explanation_section *explanation_section(struct explanation *x, const char *name, const char *title, bool adds)
{
    vec_push(&x->sections, (struct explanation_section){.name = name, .title = title, .adds = adds});
    return &x->sections.v[x->sections.n - 1];
}

const char *explanation_text(struct explanation *x, struct buf *b)
{
    const char *text = b->n ? arena_strndup(&x->texts, b->p, b->n) : NULL;

    buf_clear(b);
    return text;
}

void explanation_free(struct explanation *x)
{
    for (size_t i = 0; i < x->sections.n; i++)
        vec_free(&x->sections.v[i].lines);
    vec_free(&x->sections);
    vec_free(&x->rows);
    arena_free(&x->texts);
}

void explanation_add_number(struct buf *b, money m, int least, int most)
{
    size_t keep;

    money_add_text(b, m, most);
    if (most == 0)
        return;
    keep = b->n - (size_t)(most - least);
    while (b->n > keep && b->p[b->n - 1] == '0')
        b->p[--b->n] = '\0';
    if (b->n && b->p[b->n - 1] == '.')
        b->p[--b->n] = '\0';
}
