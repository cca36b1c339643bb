/* money: exact amounts in 10^-12 of a currency unit, in 128-bit integers. Never binary floating point.
 *
 * The same type carries every quantity that is divided exactly: amounts, prices per hour and (GPU-)hours. The range is about
 * 1.7e26 units. */
#ifndef GPUTAB_VALUE_MONEY_H
#define GPUTAB_VALUE_MONEY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "gputab/base/buf.h"
#include "gputab/base/err.h"
#include "gputab/base/span.h"

__extension__ typedef __int128 money;              /* 10^-12 units */
__extension__ typedef unsigned __int128 weight;    /* a share's numerator */

#define MONEY_ONE ((money)1000000000000)           /* one currency unit, or one hour */
enum { MONEY_DECIMALS = 12 };

/* Reads a decimal: optional sign, digits with an optional point, optional exponent (E notation). White space around it is allowed,
 * nothing else is: no grouping, no comma. More than 12 decimals are rounded half to even and *rounded is set (W205 counts them);
 * rounded may be NULL. Returns 0, or -1 when the text is not such a number or out of range: beyond 10^15 units, so that no sum
 * over 10^11 cells leaves the range of a money. */
int money_parse(struct span text, money *out, bool *rounded) GPUTAB_MUST_CHECK;

/* a * b / c rounded half away from zero (half to even: _even). 256 bits between; c > 0; the result must fit (asserted). */
money money_mul_div(money a, weight b, weight c);
money money_mul_div_even(money a, weight b, weight c);

/* Whether a / b is less than, equal to or more than c / d, exactly: -1, 0 or 1. b and d > 0. */
int money_compare_ratios(weight a, weight b, weight c, weight d);

/* Divides total by weights, in units of 10^-12, by the largest-remainder method: out sums to total exactly. Ties go to the lower
 * index: sort by key before. A negative total is divided like a positive one. n > 0 and the sum of the weights > 0, else -1. */
int money_split(money total, const weight *weights, size_t n, money *out) GPUTAB_MUST_CHECK;

/* The part of c that belongs to [from, to) of a length: round(c*to/length) - round(c*from/length), so that adjoining parts add up. */
money money_part(money c, int64_t from, int64_t to, int64_t length);

/* amount rounded half away from zero to `digits` decimals; the result is still in 10^-12 units. */
money money_round(money amount, int digits);

/* Rounds n cells to `digits` decimals so that they sum to the rounded total of all cells: floors (towards minus infinity), then the
 * missing units to the largest remainders, ties to the lower index. In place; results in 10^-12 units. */
void money_round_cells(money *cells, size_t n, int digits);

/* "-12.50": `digits` decimals (0..12), point, no grouping; rounds half away from zero; negative zero prints as 0. */
void money_add_text(struct buf *b, money amount, int digits);

/* Minor-unit digits of an ISO 4217 code: 0 for JPY, 3 for KWD, 2 for most and for codes that are not in the table. */
int money_currency_digits(struct span code);

#endif
