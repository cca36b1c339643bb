/* steady: samples with one value at one distance, which most scraped series are made of: one entry where there are hundreds of samples. A
 * sample alone is one, too. What the 64 bits of a value are, an integer or a double, those know who hand it on. */
#ifndef GPUTAB_BASE_STEADY_H
#define GPUTAB_BASE_STEADY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "gputab/base/vec.h"

struct steady {
    int64_t first;
    uint64_t value;
    uint32_t spacing;              /* ms from each to the next, above 0; of one alone: 0 */
    uint32_t n;                    /* at least 1 */
};
struct steadies {                  /* `= {0}` is ready; vec_push, vec_clear and vec_free apply */
    struct steady *v;
    size_t n, cap;
};

static inline struct steady steady_one(int64_t time, uint64_t value)
{
    return (struct steady){ time, value, 0, 1 };
}

static inline int64_t steady_time(const struct steady *s, uint32_t i)
{
    return (int64_t)((uint64_t)s->first + (uint64_t)i * s->spacing);
}

static inline int64_t steady_last(const struct steady *s)
{
    return steady_time(s, s->n - 1);
}

/* Whether it goes on with that sample: then it is one more. Times within it rise. */
static inline bool steady_extend(struct steady *s, int64_t time, uint64_t value)
{
    int64_t last = steady_last(s);
    uint64_t step = (uint64_t)time - (uint64_t)last;

    if (value != s->value || time <= last || step > UINT32_MAX || (s->n > 1 && step != s->spacing) || s->n == UINT32_MAX)
        return false;
    s->spacing = (uint32_t)step;
    s->n++;
    return true;
}

static inline void steadies_add(struct steadies *s, int64_t time, uint64_t value)
{
    if (s->n == 0 || !steady_extend(&s->v[s->n - 1], time, value))
        vec_push(s, steady_one(time, value));
}

/* How many of its samples are earlier than t. */
uint32_t steady_before(const struct steady *s, int64_t t);

/* Its samples from `from` to `to`, both inclusive, stay. False: there are none, and *s is as it was. */
bool steady_cut_off(struct steady *s, int64_t from, int64_t to);
static inline bool steady_cut(struct steady *s, int64_t from, int64_t to)
{
    return (s->first >= from && steady_last(s) <= to) || steady_cut_off(s, from, to);
}

/* Whether all times rise from one to the next. */
bool steady_in_order(const struct steady *v, size_t n);

static inline uint64_t steady_bits(double value)
{
    uint64_t bits;

    memcpy(&bits, &value, sizeof bits);
    return bits;
}

static inline double steady_number(uint64_t bits)
{
    double value;

    memcpy(&value, &bits, sizeof value);
    return value;
}

#endif
