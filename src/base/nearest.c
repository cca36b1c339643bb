/* nearest: edit distance between a word and known names, for the "did you mean" of error messages.
 *
 * The distance counts insertions, deletions, substitutions and swaps of neighbouring bytes, each one. Names are short: words
 * beyond WORD_MAX bytes have no near name, which keeps the three rows on the stack.
 * This module does not know where names come from, nor how a suggestion is worded. */
#include "gputab/base/nearest.h"

#include <string.h>

enum { WORD_MAX = 64 };

static int lower(char c)
{
    return c >= 'A' && c <= 'Z' ? c + ('a' - 'A') : c;
}

static size_t least(size_t a, size_t b)
{
    return a < b ? a : b;
}

static size_t cell(const size_t *before, const size_t *above, size_t left, const char *a, const char *b, size_t j)
{
    size_t cost = lower(a[0]) != lower(b[j]);
    size_t best = least(above[j] + cost, least(above[j + 1], left) + 1);

    if (before && j > 0 && lower(a[0]) == lower(b[j - 1]) && lower(a[-1]) == lower(b[j]))
        best = least(best, before[j - 1] + 1);
    return best;
}

static size_t distance(const char *a, size_t na, const char *b, size_t nb)
{
    size_t rows[3][WORD_MAX + 1];
    size_t *before = rows[0], *above = rows[1], *row = rows[2];

    for (size_t j = 0; j <= nb; j++)
        above[j] = j;
    for (size_t i = 0; i < na; i++) {
        size_t *spare = before;

        row[0] = i + 1;
        for (size_t j = 0; j < nb; j++)
            row[j + 1] = cell(i ? before : NULL, above, row[j], a + i, b, j);
        before = above;
        above = row;
        row = spare;
    }
    return above[nb];
}

struct nearest nearest_to(const char *word)
{
    return (struct nearest){ .word = span_of(word) };
}

void nearest_try(struct nearest *n, const char *name)
{
    size_t nw = n->word.n, nn = strlen(name), longer = nw > nn ? nw : nn, d;

    if (nw == 0 || longer > WORD_MAX)
        return;
    d = distance(n->word.p, nw, name, nn);
    if (d > longer / 3 || (n->name && d >= n->distance))
        return;
    n->name = name;
    n->distance = d;
}
