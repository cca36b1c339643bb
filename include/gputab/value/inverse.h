/* inverse: many numbers divided by one. What the division of 128 bits by 64 costs is paid once; a quotient is then two products, put right
 * by one or two, and exact (Moeller and Granlund, "Improved division by invariant integers", algorithm 4). */
#ifndef GPUTAB_VALUE_INVERSE_H
#define GPUTAB_VALUE_INVERSE_H

#include <stdint.h>

#include "gputab/value/money.h"

struct inverse {
    uint64_t divisor;              /* its top bit is set */
    uint64_t inverse;              /* floor((2^128 - 1) / divisor) - 2^64 */
};

/* The top bit of the divisor must be set: a smaller one is moved up, and so is what it divides; then the remainder is moved as well. */
static inline struct inverse inverse_of(uint64_t divisor)
{
    return (struct inverse){divisor, (uint64_t)(~(weight)0 / divisor)};        /* without the bit of 2^64 */
}

/* p / divisor, for p of less than divisor << 64. */
static inline uint64_t inverse_divide(const struct inverse *by, weight p, uint64_t *rest)
{
    weight guess = (weight)by->inverse * (uint64_t)(p >> 64) + p;
    uint64_t quotient = (uint64_t)(guess >> 64) + 1, left = (uint64_t)p - quotient * by->divisor;

    if (left > (uint64_t)guess) {
        quotient--;
        left += by->divisor;
    }
    if (left >= by->divisor) {
        quotient++;
        left -= by->divisor;
    }
    *rest = left;
    return quotient;
}

#endif
