/* fuzz_decimal: numbers as bills write them against GMP, times and durations against their own texts, and the wide arithmetic of money
 * with operands made of the input's bytes. */
#include <gmp.h>

#include "fuzz.h"
#include "gputab/value/money.h"
#include "gputab/value/timespan.h"

/* ---- GMP's side ---- */

static void set_weight(mpz_t z, weight w)
{
    mpz_set_ui(z, (uint64_t)(w >> 64));
    mpz_mul_2exp(z, z, 64);
    mpz_add_ui(z, z, (uint64_t)w);
}

static void set_money(mpz_t z, money m)
{
    set_weight(z, m < 0 ? (weight)0 - (weight)m : (weight)m);
    if (m < 0)
        mpz_neg(z, z);
}

/* z / d rounded to nearest, ties to even or away from zero; d > 0. */
static void divide_round(mpz_t z, const mpz_t d, bool even)
{
    mpz_t q, r;
    int half;

    mpz_inits(q, r, NULL);
    mpz_tdiv_qr(q, r, z, d);
    mpz_mul_2exp(r, r, 1);
    half = mpz_cmpabs(r, d);
    if (half > 0 || (half == 0 && (!even || mpz_odd_p(q))))
        mpz_sgn(z) < 0 ? mpz_sub_ui(q, q, 1) : mpz_add_ui(q, q, 1);
    mpz_set(z, q);
    mpz_clears(q, r, NULL);
}

/* ---- reading a decimal ---- */

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

struct parts {
    bool negative;
    struct buf digits;             /* whole and fraction, without the point */
    long long scale;               /* digits of the fraction minus the exponent */
};

/* The grammar, character by character: [+-] digits [. digits] [eE [+-] digits], a digit somewhere before the e. */
static bool take_apart(const char *p, const char *end, struct parts *out)
{
    bool down = false;
    long long exponent = 0;

    while (p < end && strchr(" \t\n\v\f\r", *p) && *p)
        p++;
    while (end > p && strchr(" \t\n\v\f\r", end[-1]) && end[-1])
        end--;
    if (p < end && (*p == '+' || *p == '-'))
        out->negative = *p++ == '-';
    for (; p < end && is_digit(*p); p++)
        buf_addc(&out->digits, *p);
    if (p < end && *p == '.')
        for (p++; p < end && is_digit(*p); p++, out->scale++)
            buf_addc(&out->digits, *p);
    if (out->digits.n == 0)
        return false;
    if (p < end && (*p == 'e' || *p == 'E')) {
        p++;
        if (p < end && (*p == '+' || *p == '-'))
            down = *p++ == '-';
        if (p == end)
            return false;
        for (; p < end && is_digit(*p); p++)
            exponent = exponent > 100000000 ? exponent : exponent * 10 + (*p - '0');
        out->scale -= down ? -exponent : exponent;
    }
    return p == end;
}

/* The number in 10^-12 units into z, rounded half to even: 1, or 0 when it lies beyond 10^15 units; *exact: nothing was rounded. */
static int evaluate(const struct parts *d, mpz_t z, bool *exact)
{
    long long shift = MONEY_DECIMALS - d->scale;
    mpz_t power, rest;
    int fits;

    *exact = true;
    FUZZ_CHECK(mpz_set_str(z, d->digits.p, 10) == 0);
    if (mpz_sgn(z) == 0)
        return 1;
    if (shift > 40)
        return 0;
    if (shift < -(long long)d->digits.n - 2) {
        mpz_set_ui(z, 0);
        *exact = false;
        return 1;
    }
    mpz_inits(power, rest, NULL);
    mpz_ui_pow_ui(power, 10, (unsigned long)(shift < 0 ? -shift : shift));
    if (shift >= 0) {
        mpz_mul(z, z, power);
    } else {
        mpz_mod(rest, z, power);
        *exact = mpz_sgn(rest) == 0;
        divide_round(z, power, true);
    }
    mpz_ui_pow_ui(power, 10, 15 + MONEY_DECIMALS);
    fits = mpz_cmp(z, power) <= 0;
    if (d->negative)
        mpz_neg(z, z);
    mpz_clears(power, rest, NULL);
    return fits;
}

static void check_parse(struct span s)
{
    struct parts d = {0};
    money got = 1;
    bool rounded = false, exact = true;
    int rc = money_parse(s, &got, &rounded);
    bool good = take_apart(s.p, s.p + s.n, &d);
    mpz_t want, have;

    mpz_inits(want, have, NULL);
    if (good && !evaluate(&d, want, &exact))
        good = false;
    FUZZ_CHECK((rc == 0) == good);
    if (good) {
        set_money(have, got);
        FUZZ_CHECK(mpz_cmp(have, want) == 0);
        FUZZ_CHECK(rounded == !exact);
    }
    mpz_clears(want, have, NULL);
    buf_free(&d.digits);
}

/* What is written is read back, with all decimals exactly and with fewer rounded as money_round does it. */
static void check_text(struct span s)
{
    money m, again;
    bool rounded;

    if (money_parse(s, &m, NULL) < 0)
        return;
    for (int digits = 0; digits <= MONEY_DECIMALS; digits += 4) {
        struct buf b = {0};

        money_add_text(&b, m, digits);
        FUZZ_CHECK(money_parse(buf_span(&b), &again, &rounded) == 0 && !rounded);
        FUZZ_CHECK(again == money_round(m, digits));
        FUZZ_CHECK(digits < MONEY_DECIMALS || again == m);
        buf_free(&b);
    }
}

/* ---- arithmetic ---- */

static weight take_weight(struct span *s)
{
    weight w = 0;
    size_t n = s->n < sizeof w ? s->n : sizeof w;

    if (n)
        memcpy(&w, s->p, n);
    s->p += n;
    s->n -= n;
    return w;
}

static bool fits_money(const mpz_t z)
{
    return mpz_sizeinbase(z, 2) <= 126;
}

static void check_mul_div(money a, weight b, weight c, bool even)
{
    mpz_t x, y, d;

    mpz_inits(x, y, d, NULL);
    set_money(x, a);
    set_weight(y, b);
    set_weight(d, c);
    mpz_mul(x, x, y);
    divide_round(x, d, even);
    if (fits_money(x)) {
        set_money(y, even ? money_mul_div_even(a, b, c) : money_mul_div(a, b, c));
        FUZZ_CHECK(mpz_cmp(x, y) == 0);
    }
    mpz_clears(x, y, d, NULL);
}

static weight distance(money a, money b)
{
    return a > b ? (weight)a - (weight)b : (weight)b - (weight)a;
}

/* A split sums to its total, keeps the sign, and no part is a whole unit off its exact share. */
static void check_split(money total, struct span s)
{
    enum { PARTS = 6 };
    weight weights[PARTS], sum = 0;
    money parts[PARTS], all = 0;
    size_t n = 1 + s.n % PARTS;

    for (size_t i = 0; i < n; i++) {
        weights[i] = take_weight(&s) >> 4;
        sum += weights[i];
    }
    if (sum == 0) {
        FUZZ_CHECK(money_split(total, weights, n, parts) < 0);
        return;
    }
    FUZZ_CHECK(money_split(total, weights, n, parts) == 0);
    for (size_t i = 0; i < n; i++) {
        all += parts[i];
        FUZZ_CHECK(parts[i] == 0 || (parts[i] < 0) == (total < 0));
        FUZZ_CHECK(distance(parts[i], money_mul_div(total, weights[i], sum)) <= 1);
    }
    FUZZ_CHECK(all == total);
}

static void check_arithmetic(struct span s)
{
    weight first = take_weight(&s);
    money a = (money)(first >> 2) * (first & 1 ? -1 : 1);
    weight b = take_weight(&s), c = take_weight(&s);

    if (c == 0)
        c = 1;
    check_mul_div(a, b, c, false);
    check_mul_div(a, b, c, true);
    check_split(a, s);
}

/* ---- times ---- */

static void check_times(struct span s)
{
    time_ms t, again;
    int64_t ms, back;
    struct timespan month;
    struct buf b = {0};

    if (time_parse(s, &t) == 0) {
        time_add_text(&b, t);
        FUZZ_CHECK(time_parse(buf_span(&b), &again) == 0 || t < 0 || t > INT64_C(253402300799999));
        FUZZ_CHECK(t < 0 || t > INT64_C(253402300799999) || again == t);
    }
    buf_clear(&b);
    if (duration_parse(s, &ms) == 0) {
        FUZZ_CHECK(ms >= 0);
        duration_add_text(&b, ms);
        FUZZ_CHECK(duration_parse(buf_span(&b), &back) == 0 && back == ms);
    }
    if (timespan_parse_month(s, &month) == 0)
        FUZZ_CHECK(month.to - month.from >= 28 * TIME_DAY && month.to - month.from <= 31 * TIME_DAY && month.from % TIME_DAY == 0);
    buf_free(&b);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct span s = fuzz_span(data, size);

    check_parse(s);
    check_text(s);
    check_arithmetic(s);
    check_times(s);
    return 0;
}
