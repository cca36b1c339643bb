/* rounding: largest remainder over more cells than memory should hold.
 *
 * All that a cell must know is whether its remainder is above the smallest one that gets a unit; of those equal to it the first ones do.
 * That threshold is found from its highest bits down: each pass counts the remainders that still may be it, by their next bits. */
#include "gputab/value/rounding.h"

#include <assert.h>
#include <stdlib.h>

#include "gputab/base/xalloc.h"

enum { BITS = 17 };                                    /* told apart in a pass */

static void begin(struct rounding *r)
{
    r->unit = MONEY_ONE;
    for (int i = 0; i < r->digits; i++)
        r->unit /= 10;
    r->shift = r->unit > 1 ? 64 - __builtin_clzll((uint64_t)r->unit - 1) : 0;
}

/* Dividing in 64 bits where it will do is ten times as fast. */
static uint64_t remainder_of(const struct rounding *r, money cell)
{
    int64_t unit = (int64_t)r->unit, small = (int64_t)cell, rest = small == cell ? small % unit : (int64_t)(cell % unit);

    return (uint64_t)(rest < 0 ? rest + unit : rest);
}

static int next_shift(int shift)
{
    return shift > BITS ? shift - BITS : 0;
}

/* From the counts of a pass: which of the counted prefixes the threshold has, and how many units are left for it. */
static void settle(struct rounding *r)
{
    uint64_t at = (UINT64_C(1) << (r->shift - next_shift(r->shift))) - 1;

    if (r->pass == 1)
        r->left = (uint64_t)((money_round(r->total, r->digits) - r->floors) / r->unit);
    for (; at > 0 && r->counts[at] <= r->left; at--)
        r->left -= r->counts[at];
    r->prefix = r->prefix << (r->shift - next_shift(r->shift)) | at;
    r->shift = next_shift(r->shift);
}

bool rounding_pass(struct rounding *r)
{
    if (r->pass && !r->counts)
        return false;
    if (r->pass == 0)
        begin(r);
    else
        settle(r);
    free(r->counts);
    r->counts = NULL;
    if (r->pass++ > 0 && (r->shift == 0 || r->left == 0))
        return false;
    r->counts = xcalloc((size_t)1 << BITS, sizeof *r->counts);
    return true;
}

void rounding_see(struct rounding *r, money cell)
{
    uint64_t rest = remainder_of(r, cell);
    int shift = next_shift(r->shift);

    if (r->pass == 1) {
        bool overflow = __builtin_add_overflow(r->total, cell, &r->total);

        assert(!overflow);
        (void)overflow;
        r->floors += cell - (money)rest;
    } else if (rest >> r->shift != r->prefix) {
        return;
    }
    r->counts[(rest >> shift) & ((UINT64_C(1) << (r->shift - shift)) - 1)]++;
}

money rounding_next(struct rounding *r, money cell)
{
    uint64_t rest = remainder_of(r, cell), prefix = rest >> r->shift;
    money low = cell - (money)rest;

    if (prefix < r->prefix || (prefix == r->prefix && r->left == 0))
        return low;
    if (prefix == r->prefix)
        r->left--;
    return low + r->unit;
}

void rounding_free(struct rounding *r)
{
    free(r->counts);
    r->counts = NULL;
}
