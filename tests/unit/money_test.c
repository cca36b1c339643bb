#include "unit.h"

#include <gmp.h>
#include <stdio.h>
#include <string.h>

#include "gputab/value/money.h"

/* ---- helpers ---- */

static void assert_text(money m, int digits, const char *expected)
{
    struct buf b = { 0 };

    money_add_text(&b, m, digits);
    ck_assert_str_eq(buf_str(&b), expected);
    buf_free(&b);
}

static money read_money(const char *text)
{
    money m = 0;

    ck_assert_msg(money_parse(span_of(text), &m, NULL) == 0, "'%s' does not parse", text);
    return m;
}

static uint64_t seed;

static uint64_t random_bits(void)
{
    seed ^= seed << 13;
    seed ^= seed >> 7;
    seed ^= seed << 17;
    return seed;
}

/* Uniform in length, so that small, middle and huge values all occur. */
static weight random_weight(int most_bits)
{
    weight w = (weight)random_bits() << 64 | random_bits();
    int bits = (int)(random_bits() % (uint64_t)(most_bits + 1));

    return bits ? w >> (128 - bits) : 0;
}

static void to_mpz(mpz_t z, weight w)
{
    uint64_t words[2] = { (uint64_t)w, (uint64_t)(w >> 64) };

    mpz_import(z, 2, -1, sizeof words[0], 0, 0, words);
}

static bool same(const mpz_t z, money m)
{
    mpz_t other;
    bool equal;

    mpz_init(other);
    to_mpz(other, m < 0 ? (weight)0 - (weight)m : (weight)m);
    if (m < 0)
        mpz_neg(other, other);
    equal = mpz_cmp(z, other) == 0;
    mpz_clear(other);
    return equal;
}

/* ---- reading and writing ---- */

static const struct { const char *text, *exact; bool rounded; } numbers[] = {
    { "0", "0.000000000000", false },
    { "12.5", "12.500000000000", false },
    { "9.984E-7", "0.000000998400", false },
    { "5e-06", "0.000005000000", false },
    { "5.64902E+01", "56.490200000000", false },
    { "+1.5", "1.500000000000", false },
    { "-1.5", "-1.500000000000", false },
    { ".5", "0.500000000000", false },
    { "1.", "1.000000000000", false },
    { " \t7\n", "7.000000000000", false },
    { "007", "7.000000000000", false },
    { "14.6920000000000000000000", "14.692000000000", false },
    { "1234567890123.123456789012345", "1234567890123.123456789012", true },   /* 28 digits */
    { "0.0000000000005", "0.000000000000", true },     /* half to even */
    { "0.0000000000015", "0.000000000002", true },
    { "0.0000000000025", "0.000000000002", true },
    { "0.00000000000250000000000000000000000000000000000000000001", "0.000000000003", true },
    { "-0.0000000000015", "-0.000000000002", true },
    { "0.9999999999995", "1.000000000000", true },
    { "1e-12", "0.000000000001", false },
    { "6e-13", "0.000000000001", true },
    { "6e-14", "0.000000000000", true },
    { "1e-400", "0.000000000000", true },
    { "1e-99999999999999999999999", "0.000000000000", true },
    { "0e99999999999999999999999", "0.000000000000", false },
    { "0.000e-5", "0.000000000000", false },
    { "-0", "0.000000000000", false },
    { "0.0000000000000000000000000000000000000000000012e45", "1.200000000000", false },
    { "1200000000000000000000000000000000000000000000e-45", "1.200000000000", false },
    { "1e15", "1000000000000000.000000000000", false },
    { "-1e15", "-1000000000000000.000000000000", false },
    { "999999999999999", "999999999999999.000000000000", false },          /* 15 to 20 digits, and the places of the point */
    { "1000000000000000", "1000000000000000.000000000000", false },
    { "123456.123456789012", "123456.123456789012", false },
    { "-1234567.123456789012", "-1234567.123456789012", false },
    { "12345678.123456789012", "12345678.123456789012", false },
    { "00000000000000000007", "7.000000000000", false },
    { "-0.000000000001", "-0.000000000001", false },
    { "1.0000000000005", "1.000000000000", true },
    { "-.5", "-0.500000000000", false },
    { "-5.", "-5.000000000000", false },
};

START_TEST(decimals_are_read_exactly)
{
    bool rounded = !numbers[_i].rounded;
    money m = 1;

    ck_assert_int_eq(money_parse(span_of(numbers[_i].text), &m, &rounded), 0);
    assert_text(m, 12, numbers[_i].exact);
    ck_assert_msg(rounded == numbers[_i].rounded, "'%s'", numbers[_i].text);
}
END_TEST

static const char *const no_numbers[] = {
    "", " ", "-", "+", ".", "-.", "1,5", "1 000", "1'000", "1e", "1e+", "e5", "0x10", "NaN", "inf", "-Infinity", "--1", "+-1", "1.2.3",
    "1e5.0", "1e5e5", "$1", "1 USD", "1_000", "(1.00)", "\xe2\x88\x92.1", "1e16", "1000000000000000.000000000001", "1e400",
    "1000000000000000.00000000000050001", "-1000000000000000.0000000000009",
    "1e99999999999999999999999", "100000000000000000000000000000000000000000000000", "null",
};

START_TEST(what_is_no_decimal_or_too_large_is_refused)
{
    money m = 42;

    ck_assert_msg(money_parse(span_of(no_numbers[_i]), &m, NULL) == -1, "'%s'", no_numbers[_i]);
    ck_assert(m == 42);
}
END_TEST

/* Behind spaces an amount is too long for the quick way of reading. */
static void expect_same_both_ways(const char *text, int n)
{
    char late[48];
    money quick = 0, careful = 0;
    bool quick_rounded = false, careful_rounded = false;
    int rc, late_rc;

    memset(late, ' ', 20);
    memcpy(late + 20, text, (size_t)n);
    rc = money_parse((struct span){ text, (size_t)n }, &quick, &quick_rounded);
    late_rc = money_parse((struct span){ late, (size_t)n + 20 }, &careful, &careful_rounded);
    ck_assert_msg(rc == late_rc && quick == careful && quick_rounded == careful_rounded, "'%.*s'", n, text);
}

/* Every length up to 20, every place of a point, with a sign and without, and every byte in every place. */
START_TEST(short_amounts_are_read_like_long_ones)
{
    static const char digits[] = "73105948260182746395";

    for (int n = 1; n <= 20; n++)
        for (int point = -1; point < n; point++)
            for (int at = -1; at < n; at++)
                for (int byte = at < 0 ? 255 : 0; byte < 256; byte++) {
                    char text[21];

                    memcpy(text, digits, sizeof text);
                    if (point >= 0)
                        text[point] = '.';
                    if (at >= 0)
                        text[at] = (char)byte;
                    expect_same_both_ways(text, n);
                }
}
END_TEST

START_TEST(a_nul_byte_is_no_digit)
{
    money m;

    ck_assert_int_eq(money_parse((struct span){ "1\0", 2 }, &m, NULL), -1);
    ck_assert_int_eq(money_parse((struct span){ NULL, 0 }, &m, NULL), -1);
}
END_TEST

static const struct { const char *amount; int digits; const char *text; } texts[] = {
    { "0", 2, "0.00" }, { "0", 0, "0" }, { "-0.004", 2, "0.00" }, { "-0.005", 2, "-0.01" }, { "0.005", 2, "0.01" },
    { "0.0049999", 2, "0.00" }, { "-12.5", 2, "-12.50" }, { "-12.5", 0, "-13" }, { "12.5", 0, "13" }, { "999.995", 2, "1000.00" },
    { "0.8412", 4, "0.8412" }, { "0.05", 12, "0.050000000000" }, { "1000000000000000", 3, "1000000000000000.000" },
    { "123456789.123456", 6, "123456789.123456" }, { "0.5", 0, "1" }, { "0.4", 0, "0" }, { "-0.4", 0, "0" },
};

START_TEST(amounts_are_written_with_a_point_and_rounded_half_away)
{
    assert_text(read_money(texts[_i].amount), texts[_i].digits, texts[_i].text);
}
END_TEST

/* An amount in units of its last digit, half away from zero, by GMP; the point is put in by hand. */
static void round_by_gmp(money m, int digits, mpz_t units, mpz_t rounded)
{
    mpz_t unit;

    mpz_init(unit);
    mpz_ui_pow_ui(unit, 10, (unsigned long)(MONEY_DECIMALS - digits));
    to_mpz(units, m < 0 ? (weight)0 - (weight)m : (weight)m);
    mpz_mul_2exp(units, units, 1);
    mpz_add(units, units, unit);
    mpz_fdiv_q(units, units, unit);
    mpz_fdiv_q_2exp(units, units, 1);
    mpz_mul(rounded, units, unit);
    if (m < 0)
        mpz_neg(rounded, rounded);
    mpz_clear(unit);
}

static void same_as_by_gmp(money m, int digits)
{
    char plain[64], text[68];
    mpz_t units, rounded;
    int zeros;

    mpz_inits(units, rounded, NULL);
    round_by_gmp(m, digits, units, rounded);
    ck_assert(same(rounded, money_round(m, digits)));
    mpz_get_str(plain, 10, units);
    zeros = digits + 1 - (int)strlen(plain);           /* at least one digit before the point */
    snprintf(text, sizeof text, "%s%.*s%s", m < 0 && mpz_sgn(units) ? "-" : "", zeros > 0 ? zeros : 0, "0000000000000", plain);
    if (digits) {
        size_t n = strlen(text);

        memmove(text + n - (size_t)digits + 1, text + n - (size_t)digits, (size_t)digits + 1);
        text[n - (size_t)digits] = '.';
    }
    assert_text(m, digits, text);
    mpz_clears(units, rounded, NULL);
}

/* Of all lengths, and about where 63 and 64 bits end, and where the rounded number of units has a digit more. */
START_TEST(amounts_are_rounded_and_written_as_by_gmp)
{
    seed = 4711;
    for (int digits = 0; digits <= MONEY_DECIMALS; digits++) {
        for (int i = 0; i < 2000; i++) {
            money m = (money)random_weight(126);

            same_as_by_gmp(i % 2 ? m : -m, digits);
        }
        for (int k = -3; k <= 3; k++) {
            same_as_by_gmp(((money)1 << 63) + k, digits);
            same_as_by_gmp(((money)1 << 64) + k, digits);
            same_as_by_gmp(-((money)1 << 63) + k, digits);
            same_as_by_gmp(-((money)1 << 64) + k, digits);
            same_as_by_gmp(999995000000 + k, digits);
            same_as_by_gmp(k, digits);
        }
    }
}
END_TEST

START_TEST(the_largest_magnitudes_are_written_whole)
{
    money largest = (money)(~(weight)0 >> 1);

    assert_text(largest, 12, "170141183460469231731687303.715884105727");
    assert_text(-largest, 12, "-170141183460469231731687303.715884105727");
}
END_TEST

START_TEST(currencies_have_their_decimals)
{
    ck_assert_int_eq(money_currency_digits(span_of("USD")), 2);
    ck_assert_int_eq(money_currency_digits(span_of("JPY")), 0);
    ck_assert_int_eq(money_currency_digits(span_of("jpy")), 0);
    ck_assert_int_eq(money_currency_digits(span_of("XPF")), 0);
    ck_assert_int_eq(money_currency_digits(span_of("BIF")), 0);
    ck_assert_int_eq(money_currency_digits(span_of("KWD")), 3);
    ck_assert_int_eq(money_currency_digits(span_of("CLF")), 4);
    ck_assert_int_eq(money_currency_digits(span_of("EUR")), 2);
    ck_assert_int_eq(money_currency_digits(span_of("P C")), 2);        /* across two entries of the table */
    ck_assert_int_eq(money_currency_digits(span_of("")), 2);
    ck_assert_int_eq(money_currency_digits(span_of("YEN!")), 2);
}
END_TEST

/* ---- multiplying and dividing, against GMP ---- */

/* round(|a| * b / c) with the sign of a. */
static void oracle_mul_div(mpz_t q, money a, weight b, weight c, bool even)
{
    mpz_t x, y, r;
    int half;

    mpz_inits(x, y, r, NULL);
    to_mpz(x, a < 0 ? (weight)0 - (weight)a : (weight)a);
    to_mpz(y, b);
    mpz_mul(x, x, y);
    to_mpz(y, c);
    mpz_tdiv_qr(q, r, x, y);
    mpz_mul_2exp(r, r, 1);
    half = mpz_cmp(r, y);
    if (half > 0 || (half == 0 && (!even || mpz_odd_p(q))))
        mpz_add_ui(q, q, 1);
    if (a < 0)
        mpz_neg(q, q);
    mpz_clears(x, y, r, NULL);
}

START_TEST(products_are_divided_as_by_gmp)
{
    mpz_t q;
    int compared = 0, wide = 0;

    mpz_init(q);
    seed = UINT64_C(0x2545f4914f6cdd1d);
    for (int i = 0; i < 300000; i++) {
        money a = (money)random_weight(127);
        weight b = random_weight(128), c = random_weight(128) + 1;

        if (random_bits() & 1)
            a = -a;
        if (c == 0)
            continue;
        oracle_mul_div(q, a, b, c, false);
        if (mpz_sizeinbase(q, 2) > 127)
            continue;                                  /* outside the range promised */
        ck_assert(same(q, money_mul_div(a, b, c)));
        oracle_mul_div(q, a, b, c, true);
        ck_assert(same(q, money_mul_div_even(a, b, c)));
        compared++;
        wide += a > (money)1 << 100 && b > (weight)1 << 100;
    }
    ck_assert_int_gt(compared, 100000);
    ck_assert_int_gt(wide, 1000);
    mpz_clear(q);
}
END_TEST

/* Divisors and quotients at the edges, where a digit is guessed too high. */
START_TEST(divisions_at_the_edges_are_exact)
{
    static const int shifts[] = { 0, 1, 63, 64, 65, 96, 126, 127 };
    weight edges[64];
    size_t n = 0;
    mpz_t q;

    mpz_init(q);
    for (size_t i = 0; i < sizeof shifts / sizeof *shifts; i++) {
        weight w = (weight)1 << shifts[i];

        edges[n++] = w;
        edges[n++] = w - 1;
        edges[n++] = w + 1;
        edges[n++] = ~(weight)0 - (w - 1);
        edges[n++] = ~(weight)0 << shifts[i] >> 1;
    }
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < n; j++)
            for (size_t k = 0; k < n; k++) {
                money a = (money)(edges[i] >> 1);

                if (edges[k] == 0)
                    continue;
                oracle_mul_div(q, a, edges[j], edges[k], false);
                if (mpz_sizeinbase(q, 2) <= 127)
                    ck_assert(same(q, money_mul_div(a, edges[j], edges[k])));
            }
    mpz_clear(q);
}
END_TEST

START_TEST(halves_go_away_from_zero_or_to_even)
{
    ck_assert(money_mul_div(5, 1, 2) == 3);
    ck_assert(money_mul_div(-5, 1, 2) == -3);
    ck_assert(money_mul_div(7, 1, 2) == 4);
    ck_assert(money_mul_div(1, 1, 3) == 0);
    ck_assert(money_mul_div_even(5, 1, 2) == 2);
    ck_assert(money_mul_div_even(-5, 1, 2) == -2);
    ck_assert(money_mul_div_even(7, 1, 2) == 4);
    ck_assert(money_mul_div(0, 5, 7) == 0);
    ck_assert(money_mul_div(5, 0, 7) == 0);
}
END_TEST

START_TEST(adjoining_parts_add_up_to_the_whole)
{
    money whole = read_money("10.000000000001");
    money sum = 0;

    for (int64_t t = 0; t < 86400000; t += 12345678)
        sum += money_part(whole, t, t + 12345678 < 86400000 ? t + 12345678 : 86400000, 86400000);
    ck_assert(sum == whole);
    assert_text(money_part(read_money("24"), 0, 3600, 86400), 12, "1.000000000000");
    assert_text(money_part(read_money("-0.01"), 1, 2, 3), 12, "-0.003333333334");       /* -0.006666666667 + 0.003333333333 */
    ck_assert(money_part(whole, 5, 5, 10) == 0);
}
END_TEST

/* ---- splitting ---- */

static void split(const char *total, const weight *weights, size_t n, const char *const *expected)
{
    money out[16];

    ck_assert_int_eq(money_split(read_money(total), weights, n, out), 0);
    for (size_t i = 0; i < n; i++)
        assert_text(out[i], 12, expected[i]);
}

START_TEST(an_even_split_gives_the_rest_to_the_first)
{
    split("1", (const weight[]){ 1, 1, 1 }, 3, (const char *const[]){ "0.333333333334", "0.333333333333", "0.333333333333" });
    split("-1", (const weight[]){ 1, 1, 1 }, 3, (const char *const[]){ "-0.333333333334", "-0.333333333333", "-0.333333333333" });
    split("1", (const weight[]){ 1, 2, 0 }, 3, (const char *const[]){ "0.333333333333", "0.666666666667", "0.000000000000" });
    split("0", (const weight[]){ 5, 7 }, 2, (const char *const[]){ "0.000000000000", "0.000000000000" });
}
END_TEST

/* One unit over a sum of 2^66: what is over differs in its last three bits only, which are beyond 64. And over two: the half goes up. */
START_TEST(the_last_bit_of_a_remainder_decides)
{
    const weight large = (weight)3 << 63, rest = ((weight)1 << 64) - 3;

    split("0.000000000001", (const weight[]){ large + 1, large + 2, rest }, 3,
          (const char *const[]){ "0.000000000000", "0.000000000001", "0.000000000000" });
    split("-0.000000000001", (const weight[]){ large + 2, large + 1, rest }, 3,
          (const char *const[]){ "-0.000000000001", "0.000000000000", "0.000000000000" });
    split("0.000000000002", (const weight[]){ 1, 3 }, 2, (const char *const[]){ "0.000000000001", "0.000000000001" });
    split("-0.000000000003", (const weight[]){ 3, 3 }, 2, (const char *const[]){ "-0.000000000002", "-0.000000000001" });
    split("0.000000000003", (const weight[]){ 5, 2 }, 2, (const char *const[]){ "0.000000000002", "0.000000000001" });
    split("7", (const weight[]){ 9 }, 1, (const char *const[]){ "7.000000000000" });
}
END_TEST

START_TEST(nothing_can_be_split_by_nothing)
{
    money out[2];

    ck_assert_int_eq(money_split(MONEY_ONE, (const weight[]){ 0, 0 }, 2, out), -1);
    ck_assert_int_eq(money_split(MONEY_ONE, NULL, 0, out), -1);
}
END_TEST

enum { SPLIT_CELLS = 150 };

/* Floors, then one unit at a time to the largest remainder that has none yet, the lower index first. */
static void oracle_split(money total, const weight *weights, size_t n, mpz_t *out)
{
    mpz_t sum, rest[SPLIT_CELLS], missing, w;
    bool given[SPLIT_CELLS] = { false };

    mpz_inits(sum, missing, w, NULL);
    to_mpz(missing, total < 0 ? (weight)0 - (weight)total : (weight)total);
    for (size_t i = 0; i < n; i++) {
        to_mpz(w, weights[i]);
        mpz_add(sum, sum, w);
    }
    for (size_t i = 0; i < n; i++) {
        mpz_init(rest[i]);
        to_mpz(out[i], total < 0 ? (weight)0 - (weight)total : (weight)total);
        to_mpz(w, weights[i]);
        mpz_mul(out[i], out[i], w);
        mpz_fdiv_qr(out[i], rest[i], out[i], sum);
    }
    for (size_t i = 0; i < n; i++)
        mpz_sub(missing, missing, out[i]);
    for (; mpz_sgn(missing) > 0; mpz_sub_ui(missing, missing, 1)) {
        size_t best = n;

        for (size_t i = 0; i < n; i++)
            if (!given[i] && (best == n || mpz_cmp(rest[i], rest[best]) > 0))
                best = i;
        ck_assert_uint_lt(best, n);
        given[best] = true;
        mpz_add_ui(out[best], out[best], 1);
    }
    for (size_t i = 0; i < n; i++) {
        if (total < 0)
            mpz_neg(out[i], out[i]);
        mpz_clear(rest[i]);
    }
    mpz_clears(sum, missing, w, NULL);
}

static void compare_split(money total, const weight *weights, size_t n, mpz_t *expected)
{
    money out[SPLIT_CELLS], sum = 0;

    ck_assert_int_eq(money_split(total, weights, n, out), 0);
    oracle_split(total, weights, n, expected);
    for (size_t i = 0; i < n; i++) {
        ck_assert(same(expected[i], out[i]));
        sum += out[i];
    }
    ck_assert(sum == total);
}

/* Few cells and more than are placed without sorting, amounts and weights of all lengths, with ties. */
START_TEST(splits_are_those_of_gmp_and_sum_to_the_total)
{
    static const int amounts[] = { 10, 44, 63, 64, 65, 100 }, sizes[] = { 4, 40, 57, 63, 64, 74, 119 };
    mpz_t expected[SPLIT_CELLS];

    seed = 88172645463325252u;
    for (size_t i = 0; i < SPLIT_CELLS; i++)
        mpz_init(expected[i]);
    for (int round = 0; round < 8000; round++) {
        size_t n = 1 + random_bits() % (random_bits() % 3 ? 8 : SPLIT_CELLS);
        money total = (money)random_weight(amounts[round % 6]);
        int bits = sizes[round % 7], zeros = random_bits() % 4 ? 0 : bits * 3 / 4;        /* whole cards end in zeros */
        weight weights[SPLIT_CELLS], all = 0;

        if (random_bits() & 1)
            total = -total;
        for (size_t i = 0; i < n; i++) {
            weights[i] = i % 3 == 2 ? weights[i - 1] : random_weight(bits) >> zeros << zeros;
            all += weights[i];
        }
        if (all > 0)
            compare_split(total, weights, n, expected);
    }
    for (size_t i = 0; i < SPLIT_CELLS; i++)
        mpz_clear(expected[i]);
}
END_TEST

/* Sums and amounts beside powers of two: where a quotient is guessed too small, and where 64 bits just hold them or no longer do. */
START_TEST(splits_at_the_edges_are_those_of_gmp)
{
    static const int shifts[] = { 1, 2, 31, 32, 62, 63, 64, 65, 96, 125 };
    weight edges[64];
    mpz_t expected[SPLIT_CELLS];
    size_t n = 0;

    for (size_t i = 0; i < SPLIT_CELLS; i++)
        mpz_init(expected[i]);
    for (size_t i = 0; i < sizeof shifts / sizeof *shifts; i++)
        for (int add = -1; add <= 1; add++)
            edges[n++] = ((weight)1 << shifts[i]) + (weight)add;
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < n; j++)
            for (size_t k = 0; k < n; k++) {
                const weight weights[] = { edges[j], edges[k], 0, edges[j] };

                compare_split((money)edges[i], weights, 1, expected);
                compare_split(-(money)edges[i], weights, 2, expected);
                if (j <= k)
                    compare_split((money)edges[i], weights, 4, expected);
            }
    for (size_t i = 0; i < SPLIT_CELLS; i++)
        mpz_clear(expected[i]);
}
END_TEST

/* ---- rounding tables ---- */

struct table_case {
    const char *what;
    const char *cells[4], *printed[4];
};

/* Published worked examples whose printed cents do not add up; the cents here were worked out by hand. */
static const struct table_case tables[] = {
    { "four pods of a ten dollar node: 1.91 + 3.26 + 2.41 + 2.41 would be 9.99",
      { "1.908887", "3.264370", "2.413371", "2.413371" }, { "1.91", "3.27", "2.41", "2.41" } },
    { "four pods of a one dollar node: .23 + .40 + .19 + .19 would be 1.01; the earlier of two equal ones gets the cent",
      { "0.229199", "0.400314", "0.185243", "0.185243" }, { "0.23", "0.40", "0.19", "0.18" } },
    { "slices of 3 dollars an hour: 24/7, 18/7, 12/7",
      { "3.428571428571", "2.571428571429", "1.714285714286", NULL }, { "3.43", "2.57", "1.71" } },
    { "a negative amount beside two thirds of a dime",
      { "0.033333333334", "0.033333333333", "-0.466666666667", NULL }, { "0.04", "0.03", "-0.47" } },
    { "nothing is left to place", { "1.00", "2.00", "-3.00", NULL }, { "1.00", "2.00", "-3.00" } },
    { "zeros get nothing", { "0", "0.006", "0", NULL }, { "0.00", "0.01", "0.00" } },
    { "halves away from zero, also below it", { "-0.005", NULL }, { "-0.01" } },
    { "a sum of zero: floors are 0.00 and -0.01", { "0.004", "-0.004", NULL }, { "0.00", "0.00" } },
    { "the same from the other side", { "-0.006", "0.006", NULL }, { "-0.01", "0.01" } },
};

START_TEST(cents_of_a_table_add_up)
{
    const struct table_case *t = &tables[_i];
    money cells[4], exact = 0, rounded = 0;
    size_t n = 0;

    for (; n < 4 && t->cells[n]; n++) {
        cells[n] = read_money(t->cells[n]);
        exact += cells[n];
    }
    money_round_cells(cells, n, 2);
    for (size_t i = 0; i < n; i++) {
        assert_text(cells[i], 2, t->printed[i]);
        assert_text(cells[i] - read_money(t->printed[i]), 12, "0.000000000000");
        rounded += cells[i];
    }
    ck_assert(rounded == money_round(exact, 2));
}
END_TEST

START_TEST(a_thousand_dollars_over_eight_six_and_four)
{
    money out[3];

    ck_assert_int_eq(money_split(read_money("1000"), (const weight[]){ 8, 6, 4 }, 3, out), 0);
    money_round_cells(out, 3, 2);
    assert_text(out[0], 2, "444.45");
    assert_text(out[1], 2, "333.33");
    assert_text(out[2], 2, "222.22");
}
END_TEST

START_TEST(three_residents_of_one_card)
{
    money out[3];

    ck_assert_int_eq(money_split(read_money("6.88"), (const weight[]){ 30, 20, 10 }, 3, out), 0);
    money_round_cells(out, 3, 2);
    assert_text(out[0], 2, "3.44");
    assert_text(out[1], 2, "2.29");
    assert_text(out[2], 2, "1.15");
}
END_TEST

START_TEST(rounding_works_for_any_number_of_decimals)
{
    money yen[] = { read_money("10.4"), read_money("10.4"), read_money("10.4") };

    money_round_cells(yen, 3, 0);                      /* 31.2 is 31 */
    assert_text(yen[0], 0, "11");
    assert_text(yen[1], 0, "10");
    assert_text(yen[2], 0, "10");
    ck_assert(money_round(read_money("1.0005"), 3) == read_money("1.001"));
    ck_assert(money_round(read_money("-1.0005"), 3) == read_money("-1.001"));
    ck_assert(money_round(read_money("1.234567890123"), 12) == read_money("1.234567890123"));
    money_round_cells(NULL, 0, 2);
}
END_TEST

/* Each cell moves by less than a cent, the sum is the rounded sum, and a second time changes nothing. */
START_TEST(a_million_cells_are_rounded_together)
{
    enum { N = 1000000 };
    money *cells = malloc(N * sizeof *cells), *before = malloc(N * sizeof *before);
    money exact = 0, rounded = 0, cent = MONEY_ONE / 100;

    seed = 1234567;
    for (size_t i = 0; i < N; i++) {
        before[i] = cells[i] = (money)random_weight(50) - (money)random_weight(48);
        exact += cells[i];
    }
    money_round_cells(cells, N, 2);
    for (size_t i = 0; i < N; i++) {
        ck_assert(cells[i] % cent == 0);
        ck_assert(cells[i] - before[i] < cent && before[i] - cells[i] < cent);
        rounded += cells[i];
    }
    ck_assert(rounded == money_round(exact, 2));
    memcpy(before, cells, N * sizeof *cells);
    money_round_cells(cells, N, 2);
    ck_assert_int_eq(memcmp(before, cells, N * sizeof *cells), 0);
    free(cells);
    free(before);
}
END_TEST

/* With n = 2^127, n (n - 2) is one less than (n - 1)^2: products of 254 bits that differ in the last one. */
START_TEST(ratios_are_compared_exactly)
{
    const weight large = (weight)1 << 127;

    ck_assert_int_eq(money_compare_ratios(1, 2, 2, 4), 0);
    ck_assert_int_eq(money_compare_ratios(1, 3, 333333333333, 1000000000000), 1);
    ck_assert_int_eq(money_compare_ratios(0, 5, 1, large), -1);
    ck_assert_int_eq(money_compare_ratios(large, large - 1, large - 1, large - 2), -1);
    ck_assert_int_eq(money_compare_ratios(large - 1, large, large - 1, large), 0);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("money");
    TCase *t = tcase_create("money");

    tcase_set_timeout(t, 120);
    tcase_add_loop_test(t, decimals_are_read_exactly, 0, (int)(sizeof numbers / sizeof *numbers));
    tcase_add_loop_test(t, what_is_no_decimal_or_too_large_is_refused, 0, (int)(sizeof no_numbers / sizeof *no_numbers));
    tcase_add_test(t, short_amounts_are_read_like_long_ones);
    tcase_add_test(t, a_nul_byte_is_no_digit);
    tcase_add_loop_test(t, amounts_are_written_with_a_point_and_rounded_half_away, 0, (int)(sizeof texts / sizeof *texts));
    tcase_add_test(t, amounts_are_rounded_and_written_as_by_gmp);
    tcase_add_test(t, the_largest_magnitudes_are_written_whole);
    tcase_add_test(t, currencies_have_their_decimals);
    tcase_add_test(t, products_are_divided_as_by_gmp);
    tcase_add_test(t, divisions_at_the_edges_are_exact);
    tcase_add_test(t, halves_go_away_from_zero_or_to_even);
    tcase_add_test(t, ratios_are_compared_exactly);
    tcase_add_test(t, adjoining_parts_add_up_to_the_whole);
    tcase_add_test(t, an_even_split_gives_the_rest_to_the_first);
    tcase_add_test(t, nothing_can_be_split_by_nothing);
    tcase_add_test(t, the_last_bit_of_a_remainder_decides);
    tcase_add_test(t, splits_are_those_of_gmp_and_sum_to_the_total);
    tcase_add_test(t, splits_at_the_edges_are_those_of_gmp);
    tcase_add_loop_test(t, cents_of_a_table_add_up, 0, (int)(sizeof tables / sizeof *tables));
    tcase_add_test(t, a_thousand_dollars_over_eight_six_and_four);
    tcase_add_test(t, three_residents_of_one_card);
    tcase_add_test(t, rounding_works_for_any_number_of_decimals);
    tcase_add_test(t, a_million_cells_are_rounded_together);
    suite_add_tcase(s, t);
    return unit_run(s);
}
