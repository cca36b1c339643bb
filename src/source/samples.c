/* samples: a stable merge sort, since of samples with one time stamp the first counts. */
#include "gputab/source/samples.h"

#include <stdlib.h>
#include <string.h>

/* Merges the sorted runs [from, middle) and [middle, to) of a into b; equal times keep their order. */
static void merge(const struct sample *a, struct sample *b, size_t from, size_t middle, size_t to)
{
    size_t left = from, right = middle;

    for (size_t k = from; k < to; k++)
        b[k] = left < middle && (right >= to || a[left].time <= a[right].time) ? a[left++] : a[right++];
}

/* Stable, bottom up. */
static void sort(struct sample *v, size_t n)
{
    struct sample *a = v, *b = xreallocarray(NULL, n, sizeof *b), *spare = b;

    for (size_t width = 1; width < n; width *= 2) {
        struct sample *swap = a;

        for (size_t from = 0; from < n; from += 2 * width) {
            size_t middle = from + width < n ? from + width : n, to = from + 2 * width < n ? from + 2 * width : n;

            merge(a, b, from, middle, to);
        }
        a = b;
        b = swap;
    }
    if (a != v)
        memcpy(v, a, n * sizeof *v);
    free(spare);
}

int64_t samples_sort(struct samples *s, size_t from, struct timespan counted)
{
    size_t kept = from, n = s->n;
    int64_t gone = 0;

    if (n - from > 1)
        sort(s->v + from, n - from);
    for (size_t i = from; i < n; i++) {
        if (kept == from || s->v[kept - 1].time != s->v[i].time)
            s->v[kept++] = s->v[i];
        else
            gone += s->v[i].time >= counted.from && s->v[i].time < counted.to;
    }
    s->n = kept;
    return gone;
}
