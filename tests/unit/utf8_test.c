#include "unit.h"

#include <locale.h>
#include <string.h>

#include "gputab/base/utf8.h"

enum { BAD = 0xfffd };

/* What each text decodes to, by the table of well-formed sequences in the Unicode Standard, section 3.9. */
static const struct { const char *text; uint32_t points[8]; size_t n; } decodings[] = {
    { "aZ~", { 'a', 'Z', '~' }, 3 },
    { "\xc2\x80\xdf\xbf", { 0x80, 0x7ff }, 2 },
    { "\xe0\xa0\x80\xef\xbf\xbf", { 0x800, 0xffff }, 2 },
    { "\xf0\x90\x80\x80\xf4\x8f\xbf\xbf", { 0x10000, 0x10ffff }, 2 },
    { "\xed\x9f\xbf\xee\x80\x80", { 0xd7ff, 0xe000 }, 2 },
    { "\xed\xa0\x80", { BAD, BAD, BAD }, 3 },          /* a surrogate */
    { "\xc0\xaf", { BAD, BAD }, 2 },                   /* longer than it need be */
    { "\xe0\x80\xaf", { BAD, BAD, BAD }, 3 },
    { "\xf0\x80\x80\xaf", { BAD, BAD, BAD, BAD }, 4 },
    { "\xf4\x90\x80\x80", { BAD, BAD, BAD, BAD }, 4 }, /* beyond the last code point */
    { "\xff\x80", { BAD, BAD }, 2 },
    { "\xe6\x97", { BAD, BAD }, 2 },                   /* cut off */
    { "\xe6\x97" "a", { BAD, BAD, 'a' }, 3 },
    { "\x80" "b", { BAD, 'b' }, 2 },
};

START_TEST(text_decodes_and_broken_bytes_stand_for_themselves)
{
    const char *p = decodings[_i].text, *end = p + strlen(p);

    for (size_t i = 0; i < decodings[_i].n; i++) {
        ck_assert_ptr_ne(p, end);
        ck_assert_uint_eq(utf8_next(&p, end), decodings[_i].points[i]);
    }
    ck_assert_ptr_eq(p, end);
    ck_assert_uint_eq(utf8_length(span_of(decodings[_i].text)), decodings[_i].n);
}
END_TEST

static const struct { const char *text; size_t width; } widths[] = {
    { "", 0 },
    { "plain", 5 },
    { "Gr\xc3\xb6\xc3\x9f" "e", 5 },
    { "\xe6\x97\xa5\xe6\x9c\xac", 4 },                 /* two wide characters */
    { "e\xcc\x81", 1 },                                /* with a combining accent */
    { "\xf0\x9f\x98\x80", 2 },                         /* an emoji */
    { "a\tb", 3 },                                     /* unprintable counts one */
    { "\xff", 1 },
    { "\xff\xe6\x97\xa5", 3 },
    { "\xce\xb1\xce\xb2", 2 },                         /* Greek */
};

START_TEST(width_is_counted_in_terminal_columns)
{
    ck_assert_uint_eq(utf8_width(span_of(widths[_i].text)), widths[_i].width);
}
END_TEST

START_TEST(the_locale_of_the_process_neither_matters_nor_changes)
{
    locale_t before = uselocale((locale_t)0);

    ck_assert_ptr_nonnull(setlocale(LC_ALL, "C"));
    ck_assert_uint_eq(utf8_width(span_of("\xe6\x97\xa5")), 2);
    ck_assert_str_eq(setlocale(LC_ALL, NULL), "C");
    ck_assert(uselocale((locale_t)0) == before);
}
END_TEST

START_TEST(controls_and_broken_bytes_are_replaced)
{
    struct buf b = { 0 };

    utf8_add_printable(&b, span_of("a\x1b[31m\x7f\xc2\x9b\xc3\xa9\xff\n"));
    ck_assert_str_eq(buf_str(&b), "a\xef\xbf\xbd[31m\xef\xbf\xbd\xef\xbf\xbd\xc3\xa9\xef\xbf\xbd\xef\xbf\xbd");
    buf_clear(&b);
    utf8_add_printable(&b, span_of("a\xe2\x80\xae" "b\xe2\x81\xa6" "c\xe2\x80\xa8" "d\xe2\x80\xa7"));
    /* U+202E, U+2066 and U+2028; U+2027 is a dot */
    ck_assert_str_eq(buf_str(&b), "a\xef\xbf\xbd" "b\xef\xbf\xbd" "c\xef\xbf\xbd" "d\xe2\x80\xa7");
    buf_clear(&b);
    utf8_add_printable(&b, (struct span){ "x\0y", 3 });
    ck_assert_str_eq(buf_str(&b), "x\xef\xbf\xbdy");
    buf_free(&b);
}
END_TEST

START_TEST(a_cut_never_ends_inside_a_character)
{
    const char *s = "a\xc3\xa9\xe6\x97\xa5\xf0\x9f\x98\x80z";      /* 1 + 2 + 3 + 4 + 1 bytes */
    static const size_t whole[] = { 0, 1, 1, 3, 3, 3, 6, 6, 6, 6, 10, 11 };

    for (size_t n = 0; n < sizeof whole / sizeof *whole; n++)
        ck_assert_uint_eq(utf8_whole(s, n), whole[n]);
    ck_assert_uint_eq(utf8_whole("\x80\x80\x80\x80\x80", 5), 5);       /* nothing to keep whole */
}
END_TEST

int main(void)
{
    Suite *s = suite_create("utf8");
    TCase *t = tcase_create("utf8");

    tcase_add_loop_test(t, text_decodes_and_broken_bytes_stand_for_themselves, 0, (int)(sizeof decodings / sizeof *decodings));
    tcase_add_loop_test(t, width_is_counted_in_terminal_columns, 0, (int)(sizeof widths / sizeof *widths));
    tcase_add_test(t, the_locale_of_the_process_neither_matters_nor_changes);
    tcase_add_test(t, controls_and_broken_bytes_are_replaced);
    tcase_add_test(t, a_cut_never_ends_inside_a_character);
    suite_add_tcase(s, t);
    return unit_run(s);
}
