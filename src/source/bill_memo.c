/* bill_memo: cells that were read before.
 *
 * Parsing JSON or looking for a score of words takes longer than all else that is done with a row, and most rows repeat a product. The
 * first few thousand texts are kept: they are nearly all there are, and memory has a bound. What a cell says does not depend on others, so
 * remembering changes nothing. */
#include "gputab/source/bill_memo.h"

#include <stdlib.h>

#include "gputab/base/intern.h"
#include "gputab/base/vec.h"
#include "gputab/base/xalloc.h"

struct seen {
    struct bill_details details;
    bool is_json;
};

struct unit {
    int64_t ms;
    bool is_time;
};

struct bill_memo {
    struct intern *texts;          /* id n is cells.v[n - 1] */
    VEC(struct seen) cells;
    struct intern *meters;         /* id n is others.v[n - 1] */
    VEC(bool) others;              /* it speaks of something else than an instance's time */
    struct intern *unit_texts;     /* id n is units.v[n - 1] */
    VEC(struct unit) units;
};

struct bill_memo *bill_memo_new(void)
{
    struct bill_memo *m = xcalloc(1, sizeof *m);

    m->texts = intern_new();
    m->meters = intern_new();
    m->unit_texts = intern_new();
    return m;
}

void bill_memo_free(struct bill_memo *m)
{
    if (!m)
        return;
    vec_free(&m->units);
    intern_free(m->unit_texts);
    vec_free(&m->others);
    intern_free(m->meters);
    vec_free(&m->cells);
    intern_free(m->texts);
    free(m);
}

/* NULL when there is no room. Valid until the next call. */
static const struct seen *recall(struct bill_memo *m, struct span json)
{
    uint32_t id = intern_find(m->texts, json.p, json.n);
    struct seen s = {.details = {.type = ""}};

    if (id)
        return &m->cells.v[id - 1];
    if (m->cells.n == BILL_MEMO_CELLS || json.n > BILL_MEMO_BYTES)
        return NULL;
    s.is_json = bill_details_add(&s.details, json) == 0;
    intern_span(m->texts, json);
    vec_push(&m->cells, s);
    return &m->cells.v[m->cells.n - 1];
}

int bill_memo_details(struct bill_memo *m, struct bill_details *d, struct span json)
{
    const struct seen *s;

    if (json.n == 0)
        return 0;
    s = recall(m, json);
    if (!s)
        return bill_details_add(d, json);
    bill_details_merge(d, &s->details);
    return s->is_json ? 0 : -1;
}

bool bill_memo_speaks_of_other(struct bill_memo *m, struct span text)
{
    uint32_t id = intern_find(m->meters, text.p, text.n);
    bool other;

    if (text.n == 0)                                   /* most bills lack most of the columns that could say it */
        return false;
    if (id)
        return m->others.v[id - 1];
    other = bill_speaks_of_other(text);
    if (text.n <= BILL_MEMO_BYTES && m->others.n < BILL_MEMO_CELLS) {
        intern_span(m->meters, text);
        vec_push(&m->others, other);
    }
    return other;
}

bool bill_memo_unit_ms(struct bill_memo *m, struct span text, int64_t *ms)
{
    uint32_t id = intern_find(m->unit_texts, text.p, text.n);
    struct unit u = {0};

    if (id) {
        u = m->units.v[id - 1];
    } else {
        u.is_time = bill_unit_ms(text, &u.ms);
        if (text.n > 0 && text.n <= BILL_MEMO_BYTES && m->units.n < BILL_MEMO_CELLS) {
            intern_span(m->unit_texts, text);
            vec_push(&m->units, u);
        }
    }
    if (u.is_time)
        *ms = u.ms;
    return u.is_time;
}
