/* yaml: places, kinds and texts of a document, and every way in which one is refused, with its exact words and place.
 * Lines and columns were counted by hand. */
#include <string.h>

#include "gputab/base/buf.h"
#include "gputab/codec/yaml.h"
#include "unit.h"

static struct yaml_doc doc;
static struct err e;

static void setup(void)
{
    memset(&doc, 0, sizeof doc);
    memset(&e, 0, sizeof e);
}

static void teardown(void)
{
    yaml_doc_free(&doc);
}

static const struct yaml_node *read_root(const char *text)
{
    ck_assert_msg(yaml_doc_read(span_of(text), "t.yaml", &doc, &e) == 0, "%lld:%lld: %s", (long long)e.line,
                  (long long)e.column, e.text);
    return doc.root;
}

static void assert_error(struct span text, int64_t line, int64_t column, const char *words, const char *hint)
{
    ck_assert_int_eq(yaml_doc_read(text, "t.yaml", &doc, &e), -1);
    ck_assert_str_eq(e.text, words);
    ck_assert_str_eq(e.hint, hint);
    ck_assert_str_eq(e.file, "t.yaml");
    ck_assert_int_eq(e.line, line);
    ck_assert_int_eq(e.column, column);
    ck_assert_int_eq(e.code, ERR_USAGE);
}

static void assert_text(const struct yaml_node *n, const char *text, int64_t line, int64_t column, bool plain)
{
    ck_assert_ptr_ne(n, NULL);
    ck_assert_int_eq(n->kind, YAML_TEXT);
    ck_assert_str_eq(n->text, text);
    ck_assert_int_eq(n->line, line);
    ck_assert_int_eq(n->column, column);
    ck_assert_int_eq(n->plain, plain);
}

/* --- what is read --- */

START_TEST(every_value_knows_its_key_and_place)
{
    const struct yaml_node *root = read_root("a: x\nlist:\n  - one\n  - \"two\"\nmap: {k: 'v'}\n"), *n;

    ck_assert_int_eq(root->kind, YAML_MAP);
    ck_assert_uint_eq(root->n, 3);
    assert_text(yaml_get(root, "a"), "x", 1, 4, true);
    n = yaml_get(root, "list");
    ck_assert_int_eq(n->kind, YAML_LIST);
    ck_assert(!n->flow);
    ck_assert_uint_eq(n->n, 2);
    assert_text(n->child, "one", 3, 5, true);
    assert_text(n->child->next, "two", 4, 5, false);
    ck_assert_ptr_eq(n->child->next->next, NULL);
    ck_assert_str_eq(yaml_name(n->child->next), "list");
    n = yaml_get(root, "map");
    ck_assert(n->flow);
    ck_assert_int_eq(n->line, 5);
    ck_assert_int_eq(n->column, 6);
    assert_text(yaml_get(n, "k"), "v", 5, 10, false);
    ck_assert_int_eq(yaml_get(n, "k")->key->column, 7);
    ck_assert_ptr_eq(yaml_get(root, "b"), NULL);
}
END_TEST

START_TEST(scalars_stay_the_text_that_was_written)
{
    static const char *const texts[] = { "0042", "no", "1e3", "~", "null", "0x1F", "2026-10-16", "5m", "95%", "12:30:45", "1_000", ".inf" };

    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        struct buf text = {0};

        buf_addf(&text, "a: %s\n", texts[i]);
        setup();
        assert_text(yaml_get(read_root(buf_str(&text)), "a"), texts[i], 1, 4, true);
        teardown();
        buf_free(&text);
    }
}
END_TEST

START_TEST(columns_count_characters_and_not_bytes)
{
    const struct yaml_node *root = read_root("{\"\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80\": x, b: y}\n");

    assert_text(root->child, "x", 1, 9, true);
    assert_text(yaml_get(root, "b"), "y", 1, 15, true);
}
END_TEST

START_TEST(a_byte_order_mark_is_no_column)
{
    assert_text(yaml_get(read_root("\xef\xbb\xbf" "a: x\n"), "a"), "x", 1, 4, true);
}
END_TEST

START_TEST(all_line_ends_are_line_ends)
{
    const struct yaml_node *root = read_root("a: 1\r\nb: 2\rc: 3\n");

    assert_text(yaml_get(root, "b"), "2", 2, 4, true);
    assert_text(yaml_get(root, "c"), "3", 3, 4, true);
}
END_TEST

START_TEST(nothing_written_is_no_root)
{
    static const char *const texts[] = { "", "\n\n", "# only a comment\n", "---\n", "\xef\xbb\xbf" };

    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        setup();
        ck_assert_ptr_eq(read_root(texts[i]), NULL);
        teardown();
    }
}
END_TEST

START_TEST(a_missing_value_is_plain_and_empty_and_a_quoted_one_is_not_missing)
{
    const struct yaml_node *root = read_root("a:\nb: \"\"\n");

    assert_text(yaml_get(root, "a"), "", 1, 3, true);
    assert_text(yaml_get(root, "b"), "", 2, 4, false);
}
END_TEST

START_TEST(quoted_text_over_two_lines_is_folded)
{
    assert_text(yaml_get(read_root("a: \"one\n  two\"\n"), "a"), "one two", 1, 4, false);
}
END_TEST

START_TEST(equal_keys_in_different_maps_are_no_duplicates)
{
    read_root("a: {k: 1}\nb: {k: 1}\nk: {k: 1}\n");
}
END_TEST

START_TEST(a_nest_may_be_32_deep)
{
    struct buf text = {0};

    buf_fill(&text, '[', YAML_DEPTH);
    buf_fill(&text, ']', YAML_DEPTH);
    read_root(buf_str(&text));
    buf_free(&text);
}
END_TEST

/* --- what is refused --- */

static const struct refusal {
    const char *text;
    int64_t line, column;
    const char *words, *hint;
} refusals[] = {
    { "a: x\nb: *a\n", 2, 4, "text that begins with \"*\" must be quoted (YAML aliases are not taken)", "write \"*a\"" },
    { "a: *\n", 1, 4, "text that begins with \"*\" must be quoted (YAML aliases are not taken)", "a glob, for example: \"*\"" },
    { "a: [b, *-x*]\n", 1, 8, "text that begins with \"*\" must be quoted (YAML aliases are not taken)", "a glob, for example: \"*\"" },
    { "a: &x y\n", 1, 4, "text that begins with \"&\" must be quoted (YAML anchors are not taken)", "" },
    { "a: &x [y]\n", 1, 4, "text that begins with \"&\" must be quoted (YAML anchors are not taken)", "" },
    { "a: &x {y: z}\n", 1, 4, "text that begins with \"&\" must be quoted (YAML anchors are not taken)", "" },
    { "a: &\n", 1, 4, "text that begins with \"&\" must be quoted (YAML anchors are not taken)", "" },
    { "a: !!str y\n", 1, 4, "text that begins with \"!\" must be quoted (YAML tags are not taken)", "" },
    { "a: !x!y z\n", 1, 4, "text that begins with \"!\" must be quoted (YAML tags are not taken)", "" },
    { "a: !!seq [y]\n", 1, 4, "text that begins with \"!\" must be quoted (YAML tags are not taken)", "" },
    { "%YAML 1.1\n---\na: b\n", 1, 1, "lines that begin with \"%\" (YAML directives) are not taken", "" },
    { "%TAG ! !x\n---\na: b\n", 1, 1, "lines that begin with \"%\" (YAML directives) are not taken", "" },
    { "a: b\n---\nc: d\n", 2, 1, "a second document begins here; one is taken", "" },
    { "a: b\n...\nc: d\n", 3, 1, "a second document begins here; one is taken", "" },
    { "a: 1\nb: 2\na: 3\n", 3, 1, "duplicate key \"a\"", "it stands in line 1 already" },
    { "- {k: 1, \"k\": 2}\n", 1, 10, "duplicate key \"k\"", "it stands in line 1 already" },
    { "? [a]\n: b\n", 1, 3, "a key must be text", "" },
    { "x: y\na b\nc: d\n", 2, 1, "a \":\" is expected behind this key", "" },
    { "a: b\n  c\n", 1, 4, "text without quotes runs over more than one line",
      "is a \":\" or a closing bracket missing, or is the next line indented too far?" },
    { "a: b: c\n", 1, 5, "a \":\" is not expected here",
      "quote text that holds \": \"; else check the indentation of this line and the one before" },
    { "a: 'b\nc: d\n", 1, 4, "this quoted text has no closing quote", "" },
    { "a: \"b\n---\n", 1, 4, "this quoted text has no closing quote", "" },
    { "a: \"b\\q\"\n", 1, 6, "an escape in quoted text is not known", "between single quotes a backslash is an ordinary character" },
    { "a: \"\\u12\"\n", 1, 7, "an escape in quoted text is cut short", "" },
    { "a: [\"b\"\nc: d\n", 2, 1, "a \",\" or \"]\" is expected here", "" },
    { "a: {b: \"c\" \"d\"}\n", 1, 12, "a \",\" or \"}\" is expected here", "" },
    { "a:\n  - b\n  c: d\n", 3, 3, "a list item (\"- \") is expected here", "check the indentation of this line" },
    { "a:\n  b: c\n d: e\n", 3, 2, "a key is expected here", "check the indentation of this line, and the quotes in the one before" },
    { "a: \"{v}\" b\n", 1, 10, "a key is expected here", "check the indentation of this line, and the quotes in the one before" },
    { "a: [b,,c]\n", 1, 7, "a value is expected here", "quote text that begins with a punctuation character" },
    { "a: - b\n", 1, 4, "a list item is not expected here", "begin the list on a line of its own" },
    { "a: >b\n", 1, 4, "text that begins with \"|\" or \">\" must be quoted", "" },
    { "a: ? b\n", 1, 4, "a \"?\" is not expected here", "quote text that begins with \"?\"" },
    { "a: @b\n", 1, 4, "text that begins with \"@\" must be quoted", "" },
    { "\xc3\xa9: 1\na: `b\n", 2, 4, "text that begins with \"`\" must be quoted", "" },
    { "-\ta\n", 1, 2, "a tab where a space is expected", "" },
    { "a:\n\tb: c\n", 2, 1, "a tab in the indentation", "indent with spaces" },
    { "a:\n  \tb: c\n", 2, 3, "a tab in the indentation", "indent with spaces" },
    { "a: x\xffy\n", 1, 5, "a byte that is not UTF-8", "" },
    { "\xe2\x82\xac: \xed\xa0\x80\n", 1, 4, "a byte that is not UTF-8", "" },
    { "a: x\ay\n", 1, 5, "the control character U+0007", "" },
    { "a: x\xc2\x85y\n", 1, 5, "the control character U+0085", "" },
    { "a: x\xe2\x80\xa8y\n", 1, 5, "the control character U+2028", "" },
    { "a: \"x\\0y\"\n", 1, 4, "text must be one line without tabs and control characters", "" },
    { "a: \"x\\ny\"\n", 1, 4, "text must be one line without tabs and control characters", "" },
    { "a: x\ty\n", 1, 4, "text must be one line without tabs and control characters", "" },
    { "a: |\n  x\n", 1, 4, "text must be one line without tabs and control characters", "" },
};

START_TEST(each_of_these_is_refused_at_its_place)
{
    const struct refusal *r = refusals + _i;

    assert_error(span_of(r->text), r->line, r->column, r->words, r->hint);
}
END_TEST

START_TEST(a_zero_byte_is_a_control_character)
{
    assert_error((struct span){ "a: x\0y\n", 7 }, 1, 5, "the control character U+0000", "");
}
END_TEST

START_TEST(a_nest_deeper_than_32_is_refused_whatever_it_is_made_of)
{
    static const char *const parts[] = { "[", "- ", "{a: " };
    static const int64_t columns[] = { 33, 65, 129 };      /* of the 33rd */

    for (size_t i = 0; i < 3; i++) {
        struct buf text = {0};

        for (int k = 0; k < 100000; k++)
            buf_adds(&text, parts[i]);
        setup();
        assert_error(buf_span(&text), 1, columns[i], "lists and maps are nested deeper than 32", "");
        teardown();
        buf_free(&text);
    }
}
END_TEST

START_TEST(aliases_cannot_make_a_small_file_large)
{
    assert_error(span_of("a: &a [x, x]\nb: &b [*a, *a]\nc: &c [*b, *b]\nd: [*c, *c]\n"), 1, 4,
                 "text that begins with \"&\" must be quoted (YAML anchors are not taken)", "");
}
END_TEST

START_TEST(more_than_a_mebibyte_is_refused)
{
    struct buf text = {0};

    buf_fill(&text, '#', YAML_BYTES);
    ck_assert_ptr_eq(read_root(buf_str(&text)), NULL);
    teardown();
    setup();
    buf_addc(&text, '#');
    assert_error(buf_span(&text), 0, 0, "the text is larger than 1048576 bytes", "");
    buf_free(&text);
}
END_TEST

/* --- tables --- */

struct target {
    unsigned colour, size;
    const struct yaml_node *any;
};

static const char *const colours[] = { "red", "green", "blue", NULL };
static const struct yaml_key inner_keys[] = { { "size", yaml_read_enum, offsetof(struct target, size), colours } };
static const struct yaml_schema inner = YAML_SCHEMA(inner_keys);
static const struct yaml_key outer_keys[] = {
    { "colour", yaml_read_enum, offsetof(struct target, colour), colours },
    { "any", yaml_read_node, offsetof(struct target, any), NULL },
    { "inner", yaml_read_map, 0, &inner },
};
static const struct yaml_schema outer = YAML_SCHEMA(outer_keys);

static int bind(const char *text, struct target *t)
{
    struct yaml_binder b = { .doc = &doc, .e = &e };

    return yaml_bind(&b, read_root(text), &outer, t);
}

START_TEST(a_table_puts_values_where_they_belong)
{
    struct target t = { 9, 9, NULL };

    ck_assert_int_eq(bind("inner: {size: blue}\nany: [x]\ncolour: green\n", &t), 0);
    ck_assert_uint_eq(t.colour, 1);
    ck_assert_uint_eq(t.size, 2);
    ck_assert_int_eq(t.any->kind, YAML_LIST);
}
END_TEST

static const struct refusal misfits[] = {
    { "color: red\n", 1, 1, "unknown key \"color\"", "did you mean \"colour\"?" },
    { "COLOUR: red\n", 1, 1, "unknown key \"COLOUR\"", "did you mean \"colour\"?" },
    { "shape: red\n", 1, 1, "unknown key \"shape\"", "known here: colour, any, inner" },
    { "inner: {sizes: red}\n", 1, 9, "unknown key \"sizes\"", "did you mean \"size\"?" },
    { "colour: gren\n", 1, 9, "colour must be red, green or blue, not \"gren\"", "did you mean \"green\"?" },
    { "colour: mauve\n", 1, 9, "colour must be red, green or blue, not \"mauve\"", "" },
    { "colour: [red]\n", 1, 9, "colour must be text, not a list", "quote text that begins with \"[\"" },
    { "colour:\n  - red\n", 2, 3, "colour must be text, not a list", "" },
    { "colour: {value}\n", 1, 9, "colour must be text, not a map", "quote text that begins with \"{\"" },
    { "inner: red\n", 1, 8, "inner must be a map, not text", "" },
    { "any:\ncolour: red\n", 1, 1, "any has no value", "" },
    { "- x\n", 1, 1, "the document must be a map, not a list", "" },
};

START_TEST(what_fits_no_table_is_told_with_the_nearest_name)
{
    const struct refusal *r = misfits + _i;
    struct target t = { 0, 0, NULL };

    ck_assert_int_eq(bind(r->text, &t), -1);
    ck_assert_str_eq(e.text, r->words);
    ck_assert_str_eq(e.hint, r->hint);
    ck_assert_int_eq(e.line, r->line);
    ck_assert_int_eq(e.column, r->column);
}
END_TEST

START_TEST(long_text_is_shown_in_part_and_whole_characters)
{
    struct buf text = {0};

    buf_fill(&text, 'x', 59);
    buf_adds(&text, "\xe2\x82\xac and more");
    ck_assert_uint_eq(strlen(yaml_show(buf_str(&text)).s), 62);
    ck_assert_str_eq(yaml_show(buf_str(&text)).s + 57, "xx...");
    ck_assert_str_eq(yaml_show("short").s, "short");
    buf_free(&text);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("yaml");
    TCase *t = tcase_create("yaml");

    tcase_add_checked_fixture(t, setup, teardown);
    tcase_add_test(t, every_value_knows_its_key_and_place);
    tcase_add_test(t, scalars_stay_the_text_that_was_written);
    tcase_add_test(t, columns_count_characters_and_not_bytes);
    tcase_add_test(t, a_byte_order_mark_is_no_column);
    tcase_add_test(t, all_line_ends_are_line_ends);
    tcase_add_test(t, nothing_written_is_no_root);
    tcase_add_test(t, a_missing_value_is_plain_and_empty_and_a_quoted_one_is_not_missing);
    tcase_add_test(t, quoted_text_over_two_lines_is_folded);
    tcase_add_test(t, equal_keys_in_different_maps_are_no_duplicates);
    tcase_add_test(t, a_nest_may_be_32_deep);
    tcase_add_loop_test(t, each_of_these_is_refused_at_its_place, 0, (int)(sizeof refusals / sizeof *refusals));
    tcase_add_test(t, a_zero_byte_is_a_control_character);
    tcase_add_test(t, a_nest_deeper_than_32_is_refused_whatever_it_is_made_of);
    tcase_add_test(t, aliases_cannot_make_a_small_file_large);
    tcase_add_test(t, more_than_a_mebibyte_is_refused);
    tcase_add_test(t, a_table_puts_values_where_they_belong);
    tcase_add_loop_test(t, what_fits_no_table_is_told_with_the_nearest_name, 0, (int)(sizeof misfits / sizeof *misfits));
    tcase_add_test(t, long_text_is_shown_in_part_and_whole_characters);
    suite_add_tcase(s, t);
    return unit_run(s);
}
