/* json_scan_test: ends of plain strings and numbers, against what a reader finds that goes byte by byte. */
#include <regex.h>
#include <stdbool.h>
#include <stdio.h>

#include "gputab/base/bytes.h"
#include "gputab/base/eight.h"
#include "gputab/base/xalloc.h"
#include "gputab/codec/json_scan.h"
#include "unit.h"

/* In a block of its own, so that reading behind it shows. */
static ptrdiff_t end_at(const char *(*scan)(const char *, const char *), const char *text, size_t n)
{
    char *copy = xstrndup(text, n), *exact = xcalloc(1, n + (n == 0));
    const char *at;
    ptrdiff_t found;

    memcpy(exact, copy, n);
    at = scan(exact, exact + n);
    found = at ? at - exact : -1;
    free(copy);
    free(exact);
    return found;
}

START_TEST(each_byte_is_plain_or_not_at_each_place)
{
    for (int c = 0; c < 256; c++)
        for (size_t n = 1; n <= 20; n++)
            for (size_t at = 0; at < n; at++) {
                bool plain = c >= 0x20 && c < 0x80 && c != '"' && c != '\\';
                char text[20];

                memset(text, '~', n);
                text[at] = (char)c;
                if (at + 1 < n)
                    text[at + 1] = ' ';        /* the lowest plain one, from which something could be borrowed */
                ck_assert_int_eq(end_at(json_plain_end, text, n), plain ? (ptrdiff_t)n : (ptrdiff_t)at);
            }
}
END_TEST

START_TEST(each_byte_is_a_digit_or_not_at_each_place)
{
    for (int c = 0; c < 256; c++)
        for (unsigned at = 0; at < 8; at++) {
            char text[8];

            memset(text, '9', sizeof text);
            text[at] = (char)c;
            ck_assert_uint_eq(eight_digits(bytes_load8(text)), c >= '0' && c <= '9' ? 8 : at);
        }
}
END_TEST

START_TEST(marks_are_eight_bits)
{
    for (unsigned bits = 0; bits < 256; bits++) {
        char text[8];

        for (unsigned i = 0; i < 8; i++)
            text[i] = (char)(bits >> i & 1 ? 0x80 + 17 * i : 0x7f - i);
        ck_assert_uint_eq(eight_mask(bytes_load8(text)), bits);
        for (unsigned i = 0; i < 8; i++)
            text[i] = (bits >> i & 1 ? ":/\xff\xb0" : "0918")[i % 4];
        ck_assert_uint_eq(eight_mask(eight_others(bytes_load8(text))), bits);
    }
}
END_TEST

START_TEST(eight_digits_are_a_number)
{
    char text[9];

    for (uint32_t n = 0; n < 100000000; n += 9973) {
        snprintf(text, sizeof text, "%08u", (unsigned)n);
        ck_assert_uint_eq(eight_number(bytes_load8(text)), n);
    }
    ck_assert_uint_eq(eight_number(bytes_load8("99999999")), 99999999);
    ck_assert_uint_eq(eight_number(bytes_load8("12345678")), 12345678);
}
END_TEST

START_TEST(few_bytes_stand_at_the_end_of_a_word)
{
    static const char text[] = "\xf1" "bcdef\xe7";

    for (size_t n = 1; n < 8; n++) {
        uint64_t word = eight_load_few(text, n);

        for (size_t i = 0; i < 8; i++)
            ck_assert_uint_eq(word >> (8 * i) & 0xff, i < 8 - n ? 0 : (unsigned char)text[i - (8 - n)]);
    }
}
END_TEST

START_TEST(a_number_ends_where_the_grammar_says)
{
    static const struct { const char *text; ptrdiff_t end; } cases[] = {
        { "0,", 1 }, { "01,", 1 }, { "-0]", 2 }, { "1791158430.520,", 14 }, { "1.5e3 ", 5 }, { "1E+07}", 5 },
        { "12345678901234567890,", 20 },
        { "1-2", 1 }, { "1.5.2", 3 }, { "", -1 }, { "1", -1 }, { "-", -1 }, { "-,", -1 }, { "1.", -1 }, { "1.,", -1 }, { "1e", -1 },
        { "1e+", -1 }, { "1e+,", -1 }, { "+1,", -1 }, { ".5,", -1 }, { "x", -1 }, { "12345678", -1 }, { "0.12345678", -1 },
        { "1791158430.520,\"46931\"]", 14 }, { "01791158430.520,\"4", 1 }, { "179115843.,\"46931\"]", -1 }, { "0.5,\"a\"],[1,\"b\"]", 3 },
        { "00,\"a\"],[1,\"b\"]  ", 1 }, { "1.5e3,\"a\"],[1,\"b\"]", 5 }, { "123456789012.345,\"", 16 }, { "12345678901234567,\"", 17 },
        { "1.2.3,\"a\"],[1,\"b\"]", 3 }, { "12345678901234.5x", 16 }, { "123456789012345..", -1 }, { ",123456789012345..", -1 },
    };

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        ck_assert_msg(end_at(json_number_end, cases[i].text, strlen(cases[i].text)) == cases[i].end, "%s", cases[i].text);
}
END_TEST

/* Its longest number, unless the text ends with it, or goes on where a number must and does not. */
START_TEST(random_texts_are_those_of_the_grammar)
{
    static const char bytes[] = "0123456789012345678900000.eE+-,";
    uint64_t r = 88172645463325252u;
    regex_t whole, part;

    ck_assert_int_eq(regcomp(&whole, "^-?(0|[1-9][0-9]*)([.][0-9]+)?([eE][-+]?[0-9]+)?", REG_EXTENDED), 0);
    ck_assert_int_eq(regcomp(&part, "^-?(0|[1-9][0-9]*)(([.][0-9]+)?[eE]|[.])", REG_EXTENDED), 0);
    for (int i = 0; i < 200000; i++) {
        char text[32] = "";
        regmatch_t m, begun;
        bool found;
        size_t n = 1 + (r >> 8) % 30;

        for (size_t k = 0; k < n; k++) {
            r = r * 6364136223846793005u + 1442695040888963407u;
            text[k] = bytes[(r >> 33) % (k < 12 ? 25 : sizeof bytes - 1)];
        }
        if (text[0] == '0')
            text[0] = (r >> 40) % 4 ? '1' : '-';
        found = regexec(&whole, text, 1, &m, 0) == 0 && (size_t)m.rm_eo < n;
        if (found && regexec(&part, text, 1, &begun, 0) == 0 && begun.rm_eo > m.rm_eo)
            found = false;
        ck_assert_msg(end_at(json_number_end, text, n) == (found ? m.rm_eo : -1), "%s", text);
    }
    regfree(&whole);
    regfree(&part);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("json_scan");
    TCase *t = tcase_create("all");

    tcase_set_timeout(t, 60);
    tcase_add_test(t, each_byte_is_plain_or_not_at_each_place);
    tcase_add_test(t, each_byte_is_a_digit_or_not_at_each_place);
    tcase_add_test(t, marks_are_eight_bits);
    tcase_add_test(t, eight_digits_are_a_number);
    tcase_add_test(t, few_bytes_stand_at_the_end_of_a_word);
    tcase_add_test(t, a_number_ends_where_the_grammar_says);
    tcase_add_test(t, random_texts_are_those_of_the_grammar);
    suite_add_tcase(s, t);
    return unit_run(s);
}
