/* stakes: rows (core/rows) whose key is the stake's keys, one text each. The amounts without sign lie where rows have their grades. */
#include "gputab/core/stakes.h"

#include <assert.h>
#include <stdlib.h>

#include "gputab/base/xalloc.h"

static_assert((int)GRADES >= (int)PIECES, "a row has room for a magnitude of each piece");

struct stakes {
    struct rows *rows;
    struct buf key, row;           /* scratch */
};

struct stakes *stakes_new(void)
{
    struct stakes *s = xcalloc(1, sizeof *s);

    s->rows = rows_new();
    return s;
}

void stakes_free(struct stakes *s)
{
    if (!s)
        return;
    rows_free(s->rows);
    buf_free(&s->key);
    buf_free(&s->row);
    free(s);
}

static void add_letter(struct buf *key, int n)
{
    char letter = (char)('a' + n);

    row_key_add_text(key, (struct span){&letter, 1});
}

static int take_letter(struct span *key)
{
    struct span s = row_key_next(key);

    return s.n ? s.p[0] - 'a' : 0;
}

uint32_t stakes_put(struct stakes *s, const struct stake *key)
{
    struct row_key k = {.bucket = BUCKET_NONE};

    buf_clear(&s->key);
    row_key_add_text(&s->key, key->scope);
    add_letter(&s->key, (int)key->role);
    row_key_add_text(&s->key, key->owner);
    add_letter(&s->key, (int)key->grade);
    for (size_t i = 0; i < key->n_rows; i++) {
        buf_clear(&s->row);
        buf_addc(&s->row, (char)('a' + key->row[i].bucket));
        buf_add_span(&s->row, key->row[i].texts);
        buf_addc(&s->row, (char)('a' + key->row[i].matched));      /* last: a filter must not change the order of reading */
        row_key_add_text(&s->key, buf_span(&s->row));
    }
    k.texts = buf_span(&s->key);
    return rows_put(s->rows, &k);
}

void stakes_add(struct stakes *s, uint32_t stake, enum piece piece, money cost, money gpu_hours)
{
    struct row_sums *sums = rows_at(s->rows, stake);

    sums->cost[piece] += cost;
    sums->gpu_hours += gpu_hours;
    sums->grade[piece] += cost < 0 ? -cost : cost;
}

bool stakes_relieve(struct stakes *s)
{
    return rows_relieve(s->rows);
}

void stakes_rewind(struct stakes *s)
{
    rows_rewind(s->rows);
}

static struct row_key take_row(struct span *key)
{
    struct span s = row_key_next(key);
    struct row_key row = {.bucket = BUCKET_NONE};

    if (s.n < 2)                   /* a disk that did not give it back: stakes_check tells */
        return row;
    row.bucket = (enum bucket)(s.p[0] - 'a');
    row.matched = s.p[s.n - 1] != 'a';
    row.texts = (struct span){s.p + 1, s.n - 2};
    return row;
}

bool stakes_next(struct stakes *s, struct stake *out)
{
    struct row row;
    struct span key;

    if (!rows_next(s->rows, &row))
        return false;
    key = row.key.texts;
    *out = (struct stake){.scope = row_key_next(&key)};
    out->role = (enum stake_role)take_letter(&key);
    out->owner = row_key_next(&key);
    out->grade = (enum grade)take_letter(&key);
    for (; key.n && out->n_rows < GRADES; out->n_rows++)
        out->row[out->n_rows] = take_row(&key);
    out->gpu_hours = row.sums.gpu_hours;
    for (int p = 0; p < PIECES; p++) {
        out->cost[p] = row.sums.cost[p];
        out->magnitude[p] = row.sums.grade[p];
    }
    return true;
}

int stakes_check(const struct stakes *s, struct err *e)
{
    return rows_check(s->rows, e);
}
