/* svg_test: parts of a width in integers, axes that end at round numbers, and shapes that say what they are. */
#include "unit.h"

#include "gputab/render/svg.h"

static struct buf b;

START_TEST(a_part_is_in_thousandths_of_a_percent)
{
    ck_assert_int_eq(svg_part(1, 4), 25000);
    ck_assert_int_eq(svg_part(1, 3), 33333);                 /* 33.3333 %, rounded */
    ck_assert_int_eq(svg_part(2, 3), 66667);
    ck_assert_int_eq(svg_part(MONEY_ONE * 1000000000, MONEY_ONE * 2000000000), 50000);
}
END_TEST

START_TEST(a_part_is_never_below_nothing_or_above_the_whole)
{
    ck_assert_int_eq(svg_part(-5, 10), 0);
    ck_assert_int_eq(svg_part(11, 10), SVG_WHOLE);
    ck_assert_int_eq(svg_part(5, 0), 0);
    ck_assert_int_eq(svg_part(5, -1), 0);
}
END_TEST

START_TEST(an_axis_ends_at_1_2_or_5_times_a_power_of_ten)
{
    ck_assert(svg_nice(192 * MONEY_ONE) == 200 * MONEY_ONE);
    ck_assert(svg_nice(200 * MONEY_ONE) == 200 * MONEY_ONE);
    ck_assert(svg_nice(201 * MONEY_ONE) == 500 * MONEY_ONE);
    ck_assert(svg_nice(501 * MONEY_ONE) == 1000 * MONEY_ONE);
    ck_assert(svg_nice(MONEY_ONE / 5) == MONEY_ONE / 5);
    ck_assert(svg_nice(0) == MONEY_ONE);
}
END_TEST

START_TEST(a_box_has_its_place_in_percent_along_and_in_pixels_down)
{
    svg_rect(&b, "gpu", (struct svg_box){12500, 25001, 20, 12}, NULL);
    ck_assert_str_eq(buf_str(&b), "<rect class=\"gpu\" x=\"12.5%\" y=\"20\" width=\"25.001%\" height=\"12\"/>");
}
END_TEST

START_TEST(a_tip_is_escaped)
{
    svg_rect(&b, "gpu", (struct svg_box){0, 100, 0, 1}, "<b>&");
    ck_assert_str_eq(buf_str(&b), "<rect class=\"gpu\" x=\"0%\" y=\"0\" width=\"0.1%\" height=\"1\"><title>&lt;b&gt;&amp;</title></rect>");
}
END_TEST

START_TEST(a_box_without_extent_is_left_out)
{
    svg_rect(&b, "gpu", (struct svg_box){0, 0, 0, 12}, NULL);
    svg_rect(&b, "gpu", (struct svg_box){0, 10, 0, 0}, NULL);
    svg_rect(&b, "gpu", (struct svg_box){0, 10, 0, -1}, NULL);
    ck_assert_str_eq(buf_str(&b), "");
}
END_TEST

START_TEST(a_chart_has_a_name_and_a_description_that_are_read_out)
{
    svg_begin(&b, "c", 40, "A \"title\"", "a < b");
    svg_end(&b);
    ck_assert_str_eq(buf_str(&b), "<svg class=\"chart\" role=\"img\" aria-labelledby=\"c-t c-d\" width=\"100%\" height=\"40\">"
                                  "<title id=\"c-t\">A &quot;title&quot;</title><desc id=\"c-d\">a &lt; b</desc>\n</svg>\n");
}
END_TEST

START_TEST(a_band_leads_from_one_height_to_another)
{
    svg_band(&b, "gpu", (struct svg_band){0, 34000, 1050, 2000, 500}, 100, NULL);
    ck_assert_str_eq(buf_str(&b), "<svg x=\"0%\" width=\"34%\" height=\"100\" viewBox=\"0 0 100 100\" preserveAspectRatio=\"none\">"
                                  "<path class=\"gpu\" d=\"M0 10.5C50 10.5 50 20 100 20L100 25C50 25 50 15.5 0 15.5Z\"/></svg>");
}
END_TEST

START_TEST(text_stands_where_its_anchor_says)
{
    svg_text(&b, "value", SVG_WHOLE, -3, 14, SVG_END, "1 & 2");
    ck_assert_str_eq(buf_str(&b), "<text class=\"value\" x=\"100%\" dx=\"-3\" y=\"14\" text-anchor=\"end\">1 &amp; 2</text>");
}
END_TEST

static void teardown(void)
{
    buf_free(&b);
}

int main(void)
{
    Suite *s = suite_create("svg");
    TCase *t = tcase_create("svg");

    tcase_add_checked_fixture(t, NULL, teardown);
    tcase_add_test(t, a_part_is_in_thousandths_of_a_percent);
    tcase_add_test(t, a_part_is_never_below_nothing_or_above_the_whole);
    tcase_add_test(t, an_axis_ends_at_1_2_or_5_times_a_power_of_ten);
    tcase_add_test(t, a_box_has_its_place_in_percent_along_and_in_pixels_down);
    tcase_add_test(t, a_tip_is_escaped);
    tcase_add_test(t, a_box_without_extent_is_left_out);
    tcase_add_test(t, a_chart_has_a_name_and_a_description_that_are_read_out);
    tcase_add_test(t, a_band_leads_from_one_height_to_another);
    tcase_add_test(t, text_stands_where_its_anchor_says);
    suite_add_tcase(s, t);
    return unit_run(s);
}
