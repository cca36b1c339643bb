/* money: exact arithmetic in 10^-12 units. Nothing here is ever a double.
 *
 * Two ideas carry the module. A product is divided at its full 256 bits and rounded once, so that no amount depends on the order of
 * factors. And what a division leaves over is placed by the largest-remainder method, so that parts sum to their whole.
 * Currencies are only known by the number of their decimals; nothing is converted here. */
#include "gputab/value/money.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "gputab/base/bytes.h"
#include "gputab/base/xalloc.h"
#include "gputab/value/inverse.h"

#define MONEY_LIMIT (((weight)1 << 127) - 1)           /* the largest magnitude */
#define PARSE_LIMIT ((weight)1000000000000000 * (weight)MONEY_ONE)     /* the largest that is read: 10^15 units */

static const int64_t units[MONEY_DECIMALS + 1] = {     /* of a number's last digit, by its decimals */
    1000000000000, 100000000000, 10000000000, 1000000000, 100000000, 10000000, 1000000, 100000, 10000, 1000, 100, 10, 1,
};

static weight magnitude(money a)
{
    return a < 0 ? (weight)0 - (weight)a : (weight)a;
}

static money with_sign(weight m, bool negative)
{
    assert(m <= MONEY_LIMIT);
    return negative ? -(money)m : (money)m;
}

/* ---- reading ---- */

struct decimal {
    bool negative;
    struct span whole, fraction;   /* digits */
    int64_t exponent;
};

enum { EXPONENT_LIMIT = 1000000000 };                  /* beyond: only its sign matters; far from overflow */

static struct span take_digits(struct span *s)
{
    struct span digits = { s->p, 0 };

    while (digits.n < s->n && s->p[digits.n] >= '0' && s->p[digits.n] <= '9')
        digits.n++;
    s->p += digits.n;
    s->n -= digits.n;
    return digits;
}

static bool take_char(struct span *s, char a, char b)
{
    if (s->n == 0 || (*s->p != a && *s->p != b))
        return false;
    s->p++;
    s->n--;
    return true;
}

static bool take_sign(struct span *s)
{
    if (take_char(s, '-', '-'))
        return true;
    take_char(s, '+', '+');
    return false;
}

static int scan_exponent(struct span *s, int64_t *out)
{
    bool negative = take_sign(s);
    struct span digits = take_digits(s);
    int64_t v = 0;

    for (size_t i = 0; i < digits.n; i++)
        v = v > EXPONENT_LIMIT ? v : v * 10 + (digits.p[i] - '0');
    *out = negative ? -v : v;
    return digits.n ? 0 : -1;
}

static int scan(struct span s, struct decimal *d)
{
    s = span_trim(s);
    if (s.n == 0)
        return -1;
    d->negative = take_sign(&s);
    d->whole = take_digits(&s);
    d->fraction = (struct span){ NULL, 0 };
    d->exponent = 0;
    if (take_char(&s, '.', '.'))
        d->fraction = take_digits(&s);
    if (d->whole.n + d->fraction.n == 0)
        return -1;
    if (take_char(&s, 'e', 'E') && scan_exponent(&s, &d->exponent) < 0)
        return -1;
    return s.n == 0 ? 0 : -1;
}

static unsigned digit_at(const struct decimal *d, size_t i)
{
    return (unsigned)((i < d->whole.n ? d->whole.p[i] : d->fraction.p[i - d->whole.n]) - '0');
}

static int push_digit(weight *m, unsigned digit)
{
    if (*m > (PARSE_LIMIT - digit) / 10)
        return -1;
    *m = *m * 10 + digit;
    return 0;
}

/* The part from digit i on, which stands for less than one unit of 10^-12, compared with a half: -1, 0, 1. *zero: it is 0. */
static int compare_half(const struct decimal *d, size_t i, bool *zero)
{
    size_t n = d->whole.n + d->fraction.n;
    unsigned first = i < n ? digit_at(d, i) : 0;
    bool more = false;

    for (i++; i < n && !more; i++)
        more = digit_at(d, i) != 0;
    *zero = first == 0 && !more;
    if (first != 5)
        return first < 5 ? -1 : 1;
    return more ? 1 : 0;
}

static bool all_zero(const struct decimal *d)
{
    bool zero = true;

    for (size_t i = 0; zero && i < d->whole.n + d->fraction.n; i++)
        zero = digit_at(d, i) == 0;
    return zero;
}

/* The digits in front of the last unit, with zeros behind when the text ends earlier. */
static int take_kept(const struct decimal *d, int64_t n, int64_t keep, weight *m)
{
    static const uint64_t room = UINT64_C(1000000000000000000);      /* below: ten times it fits 64 bits, which is faster */
    uint64_t head = 0;
    int64_t i = 0;

    for (; i < keep && i < n && head < room; i++)
        head = head * 10 + digit_at(d, (size_t)i);
    *m = head;
    for (; i < keep; i++)
        if (push_digit(m, i < n ? digit_at(d, (size_t)i) : 0) < 0)
            return -1;
    return *m > PARSE_LIMIT ? -1 : 0;
}

static int to_units(const struct decimal *d, weight *m, bool *rounded)
{
    int64_t n = (int64_t)(d->whole.n + d->fraction.n);
    int64_t keep = (int64_t)d->whole.n + d->exponent + MONEY_DECIMALS;
    bool zero;
    int half;

    *m = 0;
    if (all_zero(d))
        return 0;
    if (keep < 0) {                                    /* below a tenth of the last unit */
        *rounded = true;
        return 0;
    }
    if (take_kept(d, n, keep, m) < 0)
        return -1;
    if (keep >= n)
        return 0;
    half = compare_half(d, (size_t)keep, &zero);
    *rounded = !zero;
    *m += half > 0 || (half == 0 && *m % 2 == 1);
    return *m > PARSE_LIMIT ? -1 : 0;                  /* the limit itself may have been rounded up */
}

#define EVERY_BYTE (~(uint64_t)0 / 255)                /* 0x0101... */
#define ZEROS ((uint64_t)'0' * EVERY_BYTE)

/* 16 characters less '0' (without carry), the first one in the lowest byte of head. */
struct chars {
    uint64_t head, tail;
};

/* Up to 16 characters, behind zeros. The first and the last eight of them may overlap. */
static struct chars load_chars(struct span s)
{
    struct chars c = { 0, 0 };
    size_t shift = 4 * (16 - s.n);                     /* half of it: all of it may be the whole word */

    if (s.n >= 8)
        return (struct chars){ (ZEROS ^ bytes_load8(s.p)) << shift << shift, ZEROS ^ bytes_load8(s.p + s.n - 8) };
    for (size_t i = 0; i < s.n; i++)
        c.tail = c.tail >> 8 | (uint64_t)(uint8_t)(s.p[i] ^ '0') << 56;
    return c;
}

/* The lowest bit set is the highest one of the first byte that is a point. */
static uint64_t point_in(uint64_t word)
{
    uint64_t x = word ^ (uint64_t)('.' ^ '0') * EVERY_BYTE;

    return (x - EVERY_BYTE) & ~x & EVERY_BYTE << 7;
}

/* The word without the byte of its point: what is in front moves up. */
static uint64_t close_up(uint64_t word, uint64_t point)
{
    uint64_t upto = point ^ (point - 1);

    return (word & ~upto) | (word & upto >> 8) << 8;
}

/* Takes a point out; the number of characters behind it. A second one stays where it is, and is no digit. */
static size_t take_point(struct chars *c, bool *there)
{
    uint64_t head = point_in(c->head), tail = point_in(c->tail);

    *there = (head | tail) != 0;
    if (head) {
        c->head = close_up(c->head, head);
        return 15 - (size_t)__builtin_ctzll(head) / 8;
    }
    if (!tail)
        return 0;
    c->tail = close_up(c->tail, tail) | c->head >> 56;
    c->head <<= 8;
    return 7 - (size_t)__builtin_ctzll(tail) / 8;
}

static bool all_digits(struct chars c)
{
    uint64_t most = EVERY_BYTE * (0x7f - 9);

    return ((c.head | (c.head + most) | c.tail | (c.tail + most)) & EVERY_BYTE << 7) == 0;
}

/* Eight digits: by pairs, the pairs by fours, those together. */
static uint64_t eight_digits(uint64_t word)
{
    uint64_t fours = UINT64_C(0x000000ff000000ff);

    word = word * 10 + (word >> 8);
    return ((word & fours) * UINT64_C(0x000f424000000064) + (word >> 16 & fours) * UINT64_C(0x0000271000000001)) >> 32;
}

/* What nearly all amounts are: digits with a point or without, 16 characters at most. All of them are looked at together, without a branch
 * that depends on how many there are. False: to be read with more care. */
static bool parse_short(struct span s, money *out)
{
    bool negative = s.n > 0 && *s.p == '-', point;
    struct chars c;
    size_t decimals, digits;
    int64_t v;

    if (s.n <= negative || s.n - negative > 16)
        return false;
    s = (struct span){ s.p + negative, s.n - negative };
    c = load_chars(s);
    decimals = take_point(&c, &point);
    digits = s.n - point;
    if (!all_digits(c) || digits == 0 || decimals > MONEY_DECIMALS || digits - decimals > 15)
        return false;
    v = (int64_t)(eight_digits(c.head) * 100000000 + eight_digits(c.tail));
    *out = (money)(negative ? -v : v) * units[decimals];
    return true;
}

static __attribute__((noinline)) int parse_any(struct span text, money *out, bool *rounded)
{
    struct decimal d;
    bool cut = false;
    weight m;

    if (scan(text, &d) < 0 || to_units(&d, &m, &cut) < 0)
        return -1;
    *out = with_sign(m, d.negative);
    if (rounded)
        *rounded = cut;
    return 0;
}

int money_parse(struct span text, money *out, bool *rounded)
{
    if (!parse_short(text, out))
        return parse_any(text, out, rounded);
    if (rounded)
        *rounded = false;
    return 0;
}

/* ---- multiplying and dividing ---- */

struct wide {
    weight hi, lo;
};

static struct wide multiply(weight a, weight b)
{
    weight a1 = a >> 64, a0 = (uint64_t)a, b1 = b >> 64, b0 = (uint64_t)b;
    weight low = a0 * b0;
    weight mid = a1 * b0 + (low >> 64);                /* (2^64 - 1)^2 + 2^64 - 1 < 2^128 */
    weight mid2 = a0 * b1 + (uint64_t)mid;

    return (struct wide){ a1 * b1 + (mid >> 64) + (mid2 >> 64), mid2 << 64 | (uint64_t)low };
}

static int leading_zeros(weight c)
{
    uint64_t top = (uint64_t)(c >> 64);

    return top ? __builtin_clzll(top) : 64 + __builtin_clzll((uint64_t)c);
}

/* One digit to the base 2^64 of (rest : next) / c, where rest < c and c has its top bit set; *rest moves on.
 * Guessing by c's upper half is at most two too high (Knuth, The Art of Computer Programming, volume 2, section 4.3.1). */
static uint64_t next_digit(weight *rest, uint64_t next, weight c)
{
    weight upper = c >> 64, lower = (uint64_t)c;
    weight q = *rest / upper, r = *rest % upper;

    while (r >> 64 == 0 && (q >> 64 || q * lower > (r << 64 | next))) {
        q--;
        r += upper;
    }
    *rest = (*rest << 64 | next) - q * c;
    return (uint64_t)q;
}

/* p / c, p.hi < c. */
static weight divide(struct wide p, weight c, weight *rest)
{
    int shift = leading_zeros(c);
    weight r = shift ? p.hi << shift | p.lo >> (128 - shift) : p.hi;
    weight low = p.lo << shift;
    uint64_t q1, q0;

    c <<= shift;
    q1 = next_digit(&r, (uint64_t)(low >> 64), c);
    q0 = next_digit(&r, (uint64_t)low, c);
    *rest = r >> shift;
    return (weight)q1 << 64 | q0;
}

/* a * b / c towards zero, and the rest. */
static weight mul_div(weight a, weight b, weight c, weight *rest)
{
    weight product, q;

    assert(c > 0);
    if (__builtin_mul_overflow(a, b, &product)) {
        struct wide p = multiply(a, b);

        assert(p.hi < c);
        return divide(p, c, rest);
    }
    if (product >> 64 == 0 && c >> 64 == 0) {          /* most amounts: one machine division */
        *rest = (uint64_t)product % (uint64_t)c;
        return (uint64_t)product / (uint64_t)c;
    }
    q = product / c;
    *rest = product - q * c;
    return q;
}

money money_mul_div(money a, weight b, weight c)
{
    weight rest, q = mul_div(magnitude(a), b, c, &rest);

    return with_sign(q + (rest >= c - rest), a < 0);
}

money money_mul_div_even(money a, weight b, weight c)
{
    weight rest, q = mul_div(magnitude(a), b, c, &rest);
    bool up = rest > c - rest || (rest == c - rest && q % 2 == 1);

    return with_sign(q + up, a < 0);
}

int money_compare_ratios(weight a, weight b, weight c, weight d)
{
    struct wide left = multiply(a, d), right = multiply(c, b);

    assert(b > 0 && d > 0);
    if (left.hi != right.hi)
        return left.hi < right.hi ? -1 : 1;
    return (left.lo > right.lo) - (left.lo < right.lo);
}

money money_part(money c, int64_t from, int64_t to, int64_t length)
{
    assert(length > 0 && from >= 0 && to >= from);
    return money_mul_div(c, (weight)to, (weight)length) - money_mul_div(c, (weight)from, (weight)length);
}

/* ---- placing what is left over ---- */

enum { FEW = 128 };                                    /* so many remainders need no heap, and no sorting */

struct remainder {
    weight rest;
    size_t index;
};

static bool is_larger(const struct remainder *x, const struct remainder *y)
{
    return x->rest != y->rest ? x->rest > y->rest : x->index < y->index;
}

static int larger_first(const void *a, const void *b)
{
    return is_larger(a, b) ? -1 : 1;                   /* indices differ */
}

static void swap(struct remainder *a, struct remainder *b)
{
    struct remainder x = *a;

    *a = *b;
    *b = x;
}

/* Few remainders, which is nearly always: the `wanted` largest move to the front, in any order. The larger ones than some remainder go
 * before it; then the same on the side where the border is. (With many, pivots of bad luck could take far longer than sorting.) */
static void select_few(struct remainder *r, size_t n, size_t wanted)
{
    size_t low = 0, high = n - 1;

    while (low < high) {
        size_t place = low;

        swap(&r[low + (high - low) / 2], &r[high]);
        for (size_t i = low; i < high; i++)
            if (is_larger(&r[i], &r[high]))
                swap(&r[i], &r[place++]);
        swap(&r[place], &r[high]);
        if (wanted < place)
            high = place - 1;
        else if (wanted > place + 1)
            low = place + 1;
        else
            return;
    }
}

/* Adds `unit` to the cells of the `missing` largest remainders. */
static void place(struct remainder *r, size_t n, weight missing, money unit, money *cells)
{
    assert(missing <= n);
    if (missing == 0)
        return;
    if (missing < n && n <= FEW)
        select_few(r, n, (size_t)missing);
    else if (missing < n)
        qsort(r, n, sizeof *r, larger_first);
    for (size_t i = 0; i < (size_t)missing; i++)
        cells[r[i].index] += unit;
}

static struct remainder *remainders_new(size_t n, struct remainder few[FEW])
{
    return n <= FEW ? few : xreallocarray(NULL, n, sizeof *few);
}

static void remainders_free(struct remainder *r, const struct remainder *few)
{
    if (r != few)
        free(r);
}

/* Products with one factor in common, divided by one number: what can be reckoned beforehand. Shares of time end in many zeros, so that
 * nearly all that is split is narrow. */
struct divider {
    weight factor, divisor;
    bool narrow;                   /* 64 bits hold the factor, and the divisor without its last zeros; 128 the products */
    int up, down;                  /* by how much the divisor is moved to fill 64 bits */
    struct inverse by;             /* of that */
};

static int trailing_zeros(weight c)
{
    return (uint64_t)c ? __builtin_ctzll((uint64_t)c) : 64 + __builtin_ctzll((uint64_t)(c >> 64));
}

static struct divider divider_of(weight factor, weight divisor)
{
    struct divider d = { .factor = factor, .divisor = divisor };
    int zeros = leading_zeros(divisor);
    weight product;

    d.up = zeros > 64 ? zeros - 64 : 0;
    d.down = zeros < 64 ? 64 - zeros : 0;
    d.narrow = factor >> 64 == 0 && trailing_zeros(divisor) >= d.down && !__builtin_mul_overflow(factor, divisor, &product);
    if (d.narrow)
        d.by = inverse_of((uint64_t)(divisor >> d.down << d.up));
    return d;
}

/* factor * w / divisor of a narrow one, towards zero; *rest: the upper 64 bits of the remainder, all of them where `down` is 0.
 * w <= divisor, so that 64 bits hold the quotient when they do the factor. */
static inline uint64_t divider_word(const struct divider *d, weight w, uint64_t *rest)
{
    if (d->down == 0)
        return inverse_divide(&d->by, (weight)(uint64_t)d->factor * (uint64_t)(w << d->up), rest);
    return inverse_divide(&d->by, (uint64_t)d->factor * w >> d->down, rest);
}

/* factor * w / divisor towards zero, and the rest. */
static weight divider_take(const struct divider *d, weight w, weight *rest)
{
    uint64_t q, r;

    if (!d->narrow)
        return mul_div(d->factor, w, d->divisor, rest);
    q = divider_word(d, w, &r);
    *rest = d->down == 0 ? r >> d->up : (weight)r << d->down | ((uint64_t)d->factor * w & (((weight)1 << d->down) - 1));
    return q;
}

/* The `wanted` largest of n numbers move to the front, in any order; the smallest of these. In few steps, whatever the numbers: every one
 * is moved, with no branch that depends on it. */
static uint64_t select_words(uint64_t *v, size_t n, size_t wanted)
{
    size_t low = 0, high = n - 1, at = wanted - 1;

    while (low < high) {
        size_t mid = low + (high - low) / 2, place = low;
        uint64_t pivot = v[mid];

        v[mid] = v[high];
        for (size_t i = low; i < high; i++) {
            uint64_t x = v[i];

            v[i] = v[place];
            v[place] = x;
            place += x > pivot;
        }
        v[high] = v[place];
        v[place] = pivot;
        if (place == at)
            return pivot;
        if (place > at)
            high = place - 1;
        else
            low = place + 1;
    }
    return v[at];
}

/* The same as `place` by the upper 64 bits of the remainders, few of them. False, and no cell has changed: it depends on more bits. */
static bool place_words(const uint64_t *rest, size_t n, size_t missing, bool all_bits, money unit, money *cells)
{
    uint64_t words[FEW], least;
    size_t same = missing, like = 0;

    if (missing == 0)
        return true;
    memcpy(words, rest, n * sizeof *words);
    least = select_words(words, n, missing);
    for (size_t i = 0; i < n; i++) {
        same -= rest[i] > least;
        like += rest[i] == least;
    }
    if (like > same && !all_bits)
        return false;
    for (size_t i = 0; i < n; i++) {
        bool chosen = rest[i] > least || (rest[i] == least && same > 0);

        same -= chosen && rest[i] == least;
        cells[i] += chosen ? unit : 0;
    }
    return true;
}

/* What nearly all splits are: few cells, narrow. False: to be split with more care. */
static bool split_few(const struct divider *d, const weight *weights, size_t n, bool negative, money *out)
{
    uint64_t rest[FEW], missing = (uint64_t)d->factor;

    if (!d->narrow || n > FEW)
        return false;
    for (size_t i = 0; i < n; i++) {
        uint64_t q = divider_word(d, weights[i], &rest[i]);

        missing -= q;
        out[i] = negative ? -(money)q : (money)q;
    }
    assert(missing <= n);
    return place_words(rest, n, (size_t)missing, d->down == 0, negative ? -1 : 1, out);
}

static void split_any(const struct divider *d, const weight *weights, size_t n, bool negative, money *out)
{
    struct remainder few[FEW], *r = remainders_new(n, few);
    weight missing = d->factor;

    for (size_t i = 0; i < n; i++) {
        weight q = divider_take(d, weights[i], &r[i].rest);

        r[i].index = i;
        missing -= q;
        out[i] = with_sign(q, negative);
    }
    place(r, n, missing, negative ? -1 : 1, out);
    remainders_free(r, few);
}

/* All to one; or to the first of two what is its part, rounded: of two remainders that make up the divisor the larger one is that of at
 * least a half. */
static void split_two(money total, const weight *weights, weight sum, size_t n, money *out)
{
    money first = n == 1 ? total : money_mul_div(total, weights[0], sum);

    out[n - 1] = total - first;
    out[0] = first;
}

int money_split(money total, const weight *weights, size_t n, money *out)
{
    weight sum = 0;
    struct divider d;

    for (size_t i = 0; i < n; i++) {
        assert(weights[i] <= MONEY_LIMIT);
        sum += weights[i];
        assert(sum <= MONEY_LIMIT);                    /* two of them stay within 128 bits */
    }
    if (sum == 0)
        return -1;
    if (n <= 2) {
        split_two(total, weights, sum, n, out);
        return 0;
    }
    d = divider_of(magnitude(total), sum);
    if (!split_few(&d, weights, n, total < 0, out))
        split_any(&d, weights, n, total < 0, out);
    return 0;
}

static int64_t unit_of(int digits)
{
    assert(digits >= 0 && digits <= MONEY_DECIMALS);
    return units[digits];
}

/* What is over whole units. Dividing in 64 bits where it will do is ten times as fast. */
static uint64_t rest_of(weight m, uint64_t unit)
{
    return m >> 64 ? (uint64_t)(m % unit) : (uint64_t)m % unit;
}

money money_round(money amount, int digits)
{
    uint64_t unit = (uint64_t)unit_of(digits), rest = rest_of(magnitude(amount), unit);

    return with_sign(magnitude(amount) - rest + (rest >= unit - rest ? unit : 0), amount < 0);
}

static money floor_to(money amount, uint64_t unit)
{
    uint64_t rest = rest_of(magnitude(amount), unit);

    if (amount >= 0 || rest == 0)
        return amount - (money)rest;
    return amount - (money)(unit - rest);
}

void money_round_cells(money *cells, size_t n, int digits)
{
    struct remainder few[FEW], *r = remainders_new(n, few);
    int64_t unit = unit_of(digits);
    money total = 0, floors = 0;

    for (size_t i = 0; i < n; i++) {
        money low = floor_to(cells[i], (uint64_t)unit);
        bool overflow = __builtin_add_overflow(total, cells[i], &total);

        assert(!overflow);
        (void)overflow;
        r[i] = (struct remainder){ (weight)(cells[i] - low), i };
        floors += low;
        cells[i] = low;
    }
    total = money_round(total, digits) - floors;
    place(r, n, (weight)(total ? total / unit : 0), unit, cells);
    remainders_free(r, few);
}

/* ---- writing ---- */

enum { TEXT_SIZE = 48 };                               /* 39 digits, a point, a sign */

/* A number of units with a point before the last digits, if any. Digit by digit, dividing in 128 bits. */
static char *write_any(char *end, weight v, int digits)
{
    for (int i = 0; v || i <= digits; i++, v /= 10) {
        if (i && i == digits)
            *--end = '.';
        *--end = (char)('0' + (int)(v % 10));
    }
    return end;
}

static char *write_pair(char *end, uint64_t n)
{
    static const char pairs[] = "0001020304050607080910111213141516171819202122232425262728293031323334353637383940414243444546474849"
                                "5051525354555657585960616263646566676869707172737475767778798081828384858687888990919293949596979899";

    return memcpy(end - 2, pairs + 2 * n, 2);
}

/* The same in 64 bits, where dividing by a constant is multiplying, and two digits at a time, which halves that. */
static char *write_short(char *end, uint64_t v, int digits)
{
    for (int n = digits; n >= 2; n -= 2, v /= 100)
        end = write_pair(end, v % 100);
    if (digits % 2) {
        *--end = (char)('0' + v % 10);
        v /= 10;
    }
    if (digits)
        *--end = '.';
    for (; v >= 100; v /= 100)
        end = write_pair(end, v % 100);
    if (v >= 10)
        return write_pair(end, v);
    *--end = (char)('0' + v);
    return end;
}

/* How many units of so many digits the amount is, rounded; without its sign. */
static weight count_units(money amount, int digits)
{
    uint64_t unit = (uint64_t)unit_of(digits), small, rest;
    int64_t narrow = (int64_t)amount;

    if (narrow != amount)
        return magnitude(money_round(amount, digits)) / unit;
    small = narrow < 0 ? 0 - (uint64_t)narrow : (uint64_t)narrow;
    rest = small % unit;
    return small / unit + (rest >= unit - rest);
}

void money_add_text(struct buf *b, money amount, int digits)
{
    static const char nothing[] = "0.000000000000";
    char text[TEXT_SIZE], *end = text + sizeof text, *p;
    weight m;

    if (amount == 0) {                                 /* as many cells of a report are */
        buf_add(b, nothing, (size_t)(digits ? digits + 2 : 1));
        return;
    }
    m = count_units(amount, digits);
    p = m >> 64 ? write_any(end, m, digits) : write_short(end, (uint64_t)m, digits);
    if (amount < 0 && m)
        *--p = '-';
    buf_add(b, p, (size_t)(end - p));
}

int money_currency_digits(struct span code)
{
    static const struct { const char *codes; int digits; } table[] = {
        { "BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF", 0 },
        { "BHD IQD JOD KWD LYD OMR TND", 3 },
        { "CLF UYW", 4 },
    };

    if (code.n != 3)
        return 2;
    for (size_t i = 0; i < sizeof table / sizeof *table; i++)
        for (const char *p = table[i].codes; p[0]; p += p[3] ? 4 : 3)
            if (span_eq_fold(code, (const char[]){ p[0], p[1], p[2], '\0' }))
                return table[i].digits;
    return 2;
}
