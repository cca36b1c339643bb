/* vec: growing arrays as plain structs. `VEC(int) a = {0}; vec_push(&a, 7); a.v[0]; a.n; vec_free(&a);`
 * Elements move when the array grows: keep indices, not pointers. */
#ifndef GPUTAB_BASE_VEC_H
#define GPUTAB_BASE_VEC_H

#include <stdlib.h>

#include "gputab/base/xalloc.h"

#define VEC(type) struct { type *v; size_t n, cap; }

/* Room for at least `want` elements. */
#define vec_reserve(a, want)                                                            \
    do {                                                                                \
        size_t vec_want_ = (want);                                                      \
        if (vec_want_ > (a)->cap) {                                                     \
            size_t vec_cap_ = (a)->cap ? (a)->cap : 8;                                  \
            while (vec_cap_ < vec_want_)                                                \
                vec_cap_ *= 2;                                                          \
            (a)->v = xreallocarray((a)->v, vec_cap_, sizeof *(a)->v);                   \
            (a)->cap = vec_cap_;                                                        \
        }                                                                               \
    } while (0)

#define vec_push(a, ...)                                                                \
    do {                                                                                \
        vec_reserve((a), (a)->n + 1);                                                   \
        (a)->v[(a)->n++] = (__VA_ARGS__);                                               \
    } while (0)

/* Gives back what it has beyond its elements. */
#define vec_fit(a)                                                                      \
    do {                                                                                \
        if ((a)->n && (a)->n < (a)->cap) {                                              \
            (a)->v = xreallocarray((a)->v, (a)->n, sizeof *(a)->v);                     \
            (a)->cap = (a)->n;                                                          \
        }                                                                               \
    } while (0)

#define vec_clear(a) ((void)((a)->n = 0))

#define vec_free(a)                                                                     \
    do {                                                                                \
        free((a)->v);                                                                   \
        (a)->v = NULL;                                                                  \
        (a)->n = (a)->cap = 0;                                                          \
    } while (0)

#endif
