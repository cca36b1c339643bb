/* json_in_test: tokens, places and caps, however the input is cut; jansson as the judge of random documents. */
#include <jansson.h>
#include <stdio.h>
#include <string.h>

#include "gputab/base/buf.h"
#include "gputab/base/xalloc.h"
#include "gputab/codec/json_in.h"
#include "unit.h"

/* {name:"a" ["b" 1 true]} in one line. */
static int tell(void *ctx, enum json_in_kind kind, struct span text, struct err *e)
{
    static const char *const marks[] = { "{", "}", "[", "]", "name:", "text:", "number:", "true", "false", "null" };
    struct buf *b = ctx;

    if (span_eq(text, "refused"))
        return err_set(e, ERR_INPUT, "refused");
    buf_adds(b, b->n ? " " : "");
    buf_adds(b, marks[kind]);
    buf_add_span(b, text);
    return 0;
}

/* Tokens of the text, cut behind the bytes i and k; behind them the error, if there is one. */
static void read_cut(struct span text, size_t i, size_t k, struct buf *out)
{
    struct json_in *j = json_in_new(tell, out);
    struct span parts[3] = { { text.p, i }, { text.p + i, k - i }, { text.p + k, text.n - k } };
    struct err e = { 0 };
    int rc = 0;

    for (int p = 0; rc == 0 && p < 3; p++) {
        char *copy = xstrndup(parts[p].p, parts[p].n);  /* of its own, so that reading beyond it shows */

        rc = json_in_feed(j, copy, parts[p].n, &e);
        free(copy);
    }
    if (rc == 0)
        rc = json_in_end(j, &e);
    if (rc < 0)
        buf_addf(out, "%s! %lld:%lld %s", out->n ? " " : "", (long long)e.line, (long long)e.column, e.text);
    json_in_free(j);
}

/* The same for every way to cut it in three. */
static void check_text(const char *p, size_t n, const char *wanted)
{
    struct span text = { p, n };

    for (size_t i = 0; i <= n; i++)
        for (size_t k = i; k <= n; k++) {
            struct buf out = { 0 };

            read_cut(text, i, k, &out);
            ck_assert_msg(strcmp(buf_str(&out), wanted) == 0, "%.*s cut at %zu and %zu\n  got    %s\n  wanted %s", (int)n, p, i, k,
                          buf_str(&out), wanted);
            buf_free(&out);
        }
}

static void check(const char *text, const char *wanted)
{
    check_text(text, strlen(text), wanted);
}

START_TEST(tokens_come_in_the_order_of_the_text)
{
    check("{\"a\": [1, \"b\", true, false, null, {}, []], \"c\": {\"d\": -0.5e+10}}",
          "{ name:a [ number:1 text:b true false null { } [ ] ] name:c { name:d number:-0.5e+10 } }");
    check(" \t\r\n[ ]\n", "[ ]");
    check("0", "number:0");
    check("12.50", "number:12.50");
    check("\"\"", "text:");
    check("null", "null");
    check("[-0,1E5,1e-5,0.0]", "[ number:-0 number:1E5 number:1e-5 number:0.0 ]");
}
END_TEST

START_TEST(escapes_are_undone)
{
    check("\"\\\"\\\\\\/\\b\\f\\n\\r\\t\"", "text:\"\\/\b\f\n\r\t");
    check("\"\\u0041\\u00e4\\u20AC\\ud83d\\ude00!\"", "text:A\xc3\xa4\xe2\x82\xac\xf0\x9f\x98\x80!");
    check("{\"a\\u0062\":\"x\\ny\"}", "{ name:ab text:x\ny }");
    check("\"\xc3\xa4\xe2\x82\xac\xf0\x9f\x98\x80\"", "text:\xc3\xa4\xe2\x82\xac\xf0\x9f\x98\x80");
}
END_TEST

static int count_bytes(void *ctx, enum json_in_kind kind, struct span text, struct err *e)
{
    (void)e;
    if (kind == JSON_IN_STRING_VALUE)
        *(size_t *)ctx = text.n;
    return 0;
}

START_TEST(a_nul_character_is_a_character)
{
    size_t n = 0;
    struct json_in *j = json_in_new(count_bytes, &n);
    struct err e = { 0 };

    ck_assert_int_eq(json_in_feed(j, "\"a\\u0000b\"", 10, &e), 0);
    ck_assert_int_eq(json_in_end(j, &e), 0);
    ck_assert_uint_eq(n, 3);
    json_in_free(j);
}
END_TEST

START_TEST(what_is_no_json_is_an_error_at_its_place)
{
    static const struct { const char *text, *wanted; } cases[] = {
        { "", "! 1:1 nothing is there" },
        { "  ", "! 1:3 it ends in the middle" },
        { "[1", "[ ! 1:3 it ends in the middle" },
        { "\"a", "! 1:3 it ends in the middle" },
        { "tru", "! 1:4 it ends in the middle" },
        { "-", "! 1:2 it ends in the middle" },
        { "<html>", "! 1:1 '<' where a value should be" },
        { "\xef\xbb\xbf[]", "! 1:1 byte 0xef where a value should be" },
        { "[1,]", "[ number:1 ! 1:4 ']' where a value should be" },
        { "[1 2]", "[ number:1 ! 1:4 '2' where a comma or ] should be" },
        { "[1}", "[ number:1 ! 1:3 '}' where a comma or ] should be" },
        { "[,1]", "[ ! 1:2 ',' where a value or ] should be" },
        { "{1:2}", "{ ! 1:2 '1' where a name or } should be" },
        { "{\"a\" 1}", "{ name:a ! 1:6 '1' where a colon should be" },
        { "{\"a\":1,}", "{ name:a number:1 ! 1:8 '}' where a name should be" },
        { "{\"a\":}", "{ name:a ! 1:6 '}' where a value should be" },
        { "[] []", "[ ] ! 1:4 '[' where the end should be" },
        { "01", "number:0 ! 1:2 '1' where the end should be" },
        { "[1.]", "[ ! 1:4 number is not complete" },
        { "[1e]", "[ ! 1:4 number is not complete" },
        { "[.5]", "[ ! 1:2 '.' where a value or ] should be" },
        { "[+1]", "[ ! 1:2 '+' where a value or ] should be" },
        { "[- 1]", "[ ! 1:3 number is not complete" },
        { "[NaN]", "[ ! 1:2 'N' where a value or ] should be" },
        { "[nul]", "[ ! 1:2 word is none of true, false and null" },
        { "[truely]", "[ true ! 1:6 'l' where a comma or ] should be" },
        { "[\"a\tb\"]", "[ ! 1:4 control character in a string" },
        { "[\"\\x\"]", "[ ! 1:4 unknown escape in a string" },
        { "[\"\\u12g4\"]", "[ ! 1:7 \\u needs four hexadecimal digits" },
        { "[\"\\ud800\"]", "[ ! 1:9 half of a surrogate pair in a string" },
        { "[\"\\ud800\\n\"]", "[ ! 1:10 half of a surrogate pair in a string" },
        { "[\"\\ud800\\ud800\"]", "[ ! 1:14 half of a surrogate pair in a string" },
        { "[\"\\udc00\"]", "[ ! 1:8 half of a surrogate pair in a string" },
        { "[\"\xc0\xaf\"]", "[ ! 1:3 string is not UTF-8" },
        { "[\"\xe0\x9f\xbf\"]", "[ ! 1:4 string is not UTF-8" },
        { "[\"\xed\xa0\x80\"]", "[ ! 1:4 string is not UTF-8" },
        { "[\"\xf4\x90\x80\x80\"]", "[ ! 1:4 string is not UTF-8" },
        { "[\"\xe2\x82\"]", "[ ! 1:4 string is not UTF-8" },
        { "[\n 1,\n \"\xc3\xa4\xe2\x82\xac\", x]", "[ number:1 text:\xc3\xa4\xe2\x82\xac ! 3:8 'x' where a value should be" },
        { "[1,\n \"refused\"]", "[ number:1 ! 2:2 refused" },
    };

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        check(cases[i].text, cases[i].wanted);
}
END_TEST

/* n bytes c between before and after, fed in pieces. */
static int feed_long(const char *before, char c, size_t n, const char *after, size_t piece, struct err *e)
{
    size_t got = 0;
    struct json_in *j = json_in_new(count_bytes, &got);
    struct buf b = { 0 };
    int rc = 0;

    buf_adds(&b, before);
    buf_fill(&b, c, n);
    buf_adds(&b, after);
    for (size_t at = 0; rc == 0 && at < b.n; at += piece)
        rc = json_in_feed(j, b.p + at, b.n - at < piece ? b.n - at : piece, e);
    if (rc == 0)
        rc = json_in_end(j, e);
    json_in_free(j);
    buf_free(&b);
    return rc;
}

START_TEST(nests_strings_and_numbers_have_caps)
{
    static const size_t pieces[] = { 1, 1000, 1 << 22 };

    for (size_t i = 0; i < 3; i++) {
        struct err e = { 0 };

        ck_assert_int_eq(feed_long("[\"", 'x', JSON_IN_STRING, "\"]", pieces[i], &e), 0);
        ck_assert_int_eq(feed_long("[\"", 'x', JSON_IN_STRING + 1, "\"]", pieces[i], &e), -1);
        ck_assert_str_eq(e.text, "string is longer than 1 MiB");
        ck_assert_int_eq(e.column, 2);
        err_clear(&e);
        ck_assert_int_eq(feed_long("[", '7', JSON_IN_NUMBER, "]", pieces[i], &e), 0);
        ck_assert_int_eq(feed_long("[", '7', JSON_IN_NUMBER + 1, "]", pieces[i], &e), -1);
        ck_assert_str_eq(e.text, "number is longer than 1024 bytes");
        err_clear(&e);
        ck_assert_int_eq(feed_long("", '[', JSON_IN_DEPTH + 1, "", pieces[i], &e), -1);
        ck_assert_str_eq(e.text, "nested too deeply");
        ck_assert_int_eq(e.column, JSON_IN_DEPTH + 1);
    }
}
END_TEST

START_TEST(the_deepest_nest_is_read)
{
    struct buf b = { 0 }, out = { 0 };

    buf_fill(&b, '[', JSON_IN_DEPTH);
    buf_fill(&b, ']', JSON_IN_DEPTH);
    read_cut(buf_span(&b), 3, 100, &out);
    ck_assert_uint_eq(out.n, 4 * JSON_IN_DEPTH - 1);
    buf_free(&b);
    buf_free(&out);
}
END_TEST

START_TEST(after_a_reset_another_document_is_read)
{
    struct buf out = { 0 };
    struct json_in *j = json_in_new(tell, &out);
    struct err e = { 0 };

    ck_assert_int_eq(json_in_feed(j, "[[\"a\\", 5, &e), 0);
    json_in_reset(j);
    ck_assert_int_eq(json_in_feed(j, "{}", 2, &e), 0);
    ck_assert_int_eq(json_in_end(j, &e), 0);
    ck_assert_str_eq(buf_str(&out), "[ [ { }");
    json_in_free(j);
    buf_free(&out);
}
END_TEST

/* Says at the end of the first document that a second may follow; ctx is {j, out}. */
struct pair {
    struct json_in *j;
    struct buf out;
    int documents;
};

static int tell_pair(void *ctx, enum json_in_kind kind, struct span text, struct err *e)
{
    struct pair *p = ctx;

    if (kind == JSON_IN_OBJECT_END && p->documents++ == 0)
        json_in_expect_another(p->j);
    return tell(&p->out, kind, text, e);
}

START_TEST(another_document_is_read_where_it_is_expected)
{
    static const struct { const char *text, *wanted; } cases[] = {
        { "{}", "{ }" }, { "{}{\"a\":1}", "{ } { name:a number:1 }" }, { "{} \n [ ", "{ } [! it ends in the middle" },
        { "{}{}{}", "{ } { }! '{' where the end should be" }, { "{}]", "{ }! ']' where the end should be" },
    };

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        for (size_t cut = 0; cut <= strlen(cases[i].text); cut++) {
            struct pair p = { 0 };
            struct err e = { 0 };

            p.j = json_in_new(tell_pair, &p);
            if (json_in_feed(p.j, cases[i].text, cut, &e) < 0 ||
                json_in_feed(p.j, cases[i].text + cut, strlen(cases[i].text) - cut, &e) < 0 || json_in_end(p.j, &e) < 0)
                buf_addf(&p.out, "! %s", e.text);
            ck_assert_str_eq(buf_str(&p.out), cases[i].wanted);
            json_in_free(p.j);
            buf_free(&p.out);
        }
}
END_TEST

/* ---- against jansson ---- */

static uint64_t next_random(uint64_t *state)
{
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    return *state;
}

static json_t *random_text(uint64_t *r)
{
    static const char *const parts[] = { "a", "\"", "\\", "\n", "\x01", "\xc3\xa4", "\xe2\x82\xac", "\xf0\x9f\x98\x80", "/", " ", "\x7f" };
    struct buf b = { 0 };
    json_t *s;

    for (uint64_t n = next_random(r) % 6; n > 0; n--)
        buf_adds(&b, parts[next_random(r) % (sizeof parts / sizeof *parts)]);
    s = json_string(buf_str(&b));
    buf_free(&b);
    return s;
}

static json_t *random_value(uint64_t *r, int depth)
{
    uint64_t n = next_random(r) % 4;
    json_t *v;

    switch (next_random(r) % (depth > 0 ? 8 : 6)) {
    case 0: return json_null();
    case 1: return json_true();
    case 2: return json_false();
    case 3: return json_integer((json_int_t)(next_random(r) % 2000000) - 1000000);
    case 4: return json_real((double)(int64_t)(next_random(r) % 1000000) / 64 * (next_random(r) % 2 ? 1 : -1e9));
    case 5: return random_text(r);
    case 6:
        for (v = json_array(); n > 0; n--)
            json_array_append_new(v, random_value(r, depth - 1));
        return v;
    default:
        for (v = json_object(); n > 0; n--) {
            json_t *name = random_text(r);

            json_object_set_new(v, json_string_value(name), random_value(r, depth - 1));
            json_decref(name);
        }
        return v;
    }
}

/* Builds jansson's tree from the tokens. */
struct builder {
    json_t *open[JSON_IN_DEPTH + 1];
    int depth;
    struct buf name;
    json_t *root;
};

static void put(struct builder *b, json_t *v)
{
    if (b->depth == 0)
        b->root = v;
    else if (json_is_array(b->open[b->depth - 1]))
        json_array_append_new(b->open[b->depth - 1], v);
    else
        json_object_setn_new_nocheck(b->open[b->depth - 1], buf_str(&b->name), b->name.n, v);
}

static json_t *number(struct span text)
{
    char *s = xstrndup(text.p, text.n);
    json_t *v = strpbrk(s, ".eE") ? json_real(strtod(s, NULL)) : json_integer(strtoll(s, NULL, 10));

    free(s);
    return v;
}

static int build(void *ctx, enum json_in_kind kind, struct span text, struct err *e)
{
    struct builder *b = ctx;
    json_t *v = NULL;

    (void)e;
    switch (kind) {
    case JSON_IN_OBJECT: case JSON_IN_ARRAY:
        put(b, v = kind == JSON_IN_OBJECT ? json_object() : json_array());
        b->open[b->depth++] = v;
        return 0;
    case JSON_IN_OBJECT_END: case JSON_IN_ARRAY_END: b->depth--; return 0;
    case JSON_IN_NAME: buf_clear(&b->name); buf_add_span(&b->name, text); return 0;
    case JSON_IN_STRING_VALUE: v = json_stringn_nocheck(text.n ? text.p : "", text.n); break;
    case JSON_IN_NUMBER_VALUE: v = number(text); break;
    case JSON_IN_TRUE: v = json_true(); break;
    case JSON_IN_FALSE: v = json_false(); break;
    case JSON_IN_NULL: v = json_null(); break;
    }
    put(b, v);
    return 0;
}

/* NULL: no JSON. */
static json_t *read_ours(const char *text, size_t n, size_t piece)
{
    struct builder b = { .depth = 0 };
    struct json_in *j = json_in_new(build, &b);
    struct err e = { 0 };
    int rc = 0;

    for (size_t at = 0; rc == 0 && at < n; at += piece)
        rc = json_in_feed(j, text + at, n - at < piece ? n - at : piece, &e);
    if (rc == 0)
        rc = json_in_end(j, &e);
    json_in_free(j);
    buf_free(&b.name);
    if (rc == 0)
        return b.root;
    json_decref(b.root);
    return NULL;
}

/* Whether it is beyond what jansson holds, though JSON. */
static bool beyond_jansson(const json_error_t *error)
{
    return strstr(error->text, "overflow") || strstr(error->text, "too big") || strstr(error->text, "NUL byte in object key");
}

static void compare(const char *text, size_t n, size_t piece)
{
    json_error_t error;
    json_t *theirs = json_loadb(text, n, JSON_DECODE_ANY | JSON_ALLOW_NUL, &error), *ours = read_ours(text, n, piece);

    if (theirs || !beyond_jansson(&error)) {
        ck_assert_msg(!theirs == !ours, "%s says jansson alone: %.*s", theirs ? "yes" : "no", (int)n, text);
        ck_assert_msg(!theirs || json_equal(theirs, ours), "read otherwise: %.*s", (int)n, text);
    }
    json_decref(theirs);
    json_decref(ours);
}

START_TEST(random_documents_are_read_as_jansson_reads_them)
{
    uint64_t r = 88172645463325252u;

    for (int i = 0; i < 3000; i++) {
        json_t *v = random_value(&r, 5);
        char *text = json_dumps(v, JSON_ENCODE_ANY | (next_random(&r) % 2 ? JSON_ENSURE_ASCII : 0) | JSON_INDENT(next_random(&r) % 3));

        compare(text, strlen(text), 1 + next_random(&r) % 9);
        free(text);
        json_decref(v);
    }
}
END_TEST

START_TEST(damaged_documents_are_refused_where_jansson_refuses_them)
{
    static const char bytes[] = "{}[],:\"\\ntfu0123456789+-.eE \n\t\x01\xc3\xa4\xed\xff";
    uint64_t r = 362436069362436069u;

    for (int i = 0; i < 6000; i++) {
        json_t *v = random_value(&r, 3);
        char *text = json_dumps(v, JSON_ENCODE_ANY);
        size_t n = strlen(text);

        for (uint64_t k = 1 + next_random(&r) % 2; k > 0 && n > 0; k--)
            text[next_random(&r) % n] = bytes[next_random(&r) % (sizeof bytes - 1)];
        compare(text, n, 1 + next_random(&r) % 9);
        compare(text, n - next_random(&r) % n, 100);
        free(text);
        json_decref(v);
    }
}
END_TEST

/* ---- pairs ---- */

/* Tells tokens, and pairs as the tokens that they are, however they come. */
struct pairs {
    struct json_in *j;
    struct buf out;
    size_t every;                  /* of so many arrays the first one is asked to have pairs; 0: none */
    size_t taken, arrays;
};

static int refuse_long(struct span text, struct err *e)
{
    return text.n > 6 ? err_set(e, ERR_INPUT, "too long") : 0;
}

/* Some are not taken: those that a token of theirs would be refused for, and others for no reason. */
static bool take_pair(void *ctx, struct span number, struct span text)
{
    struct pairs *p = ctx;
    struct err e = { 0 };

    if (number.p[0] == '3' || refuse_long(number, &e) < 0 || refuse_long(text, &e) < 0)
        return false;
    ck_assert_int_eq(tell(&p->out, JSON_IN_ARRAY, (struct span){ NULL, 0 }, &e), 0);
    ck_assert_int_eq(tell(&p->out, JSON_IN_NUMBER_VALUE, number, &e), 0);
    ck_assert_int_eq(tell(&p->out, JSON_IN_STRING_VALUE, text, &e), 0);
    ck_assert_int_eq(tell(&p->out, JSON_IN_ARRAY_END, (struct span){ NULL, 0 }, &e), 0);
    p->taken++;
    return true;
}

static int tell_pairs(void *ctx, enum json_in_kind kind, struct span text, struct err *e)
{
    struct pairs *p = ctx;

    if (kind == JSON_IN_ARRAY && p->every > 0 && p->arrays++ % p->every == 0)
        json_in_expect_pairs(p->j, take_pair);
    return refuse_long(text, e) < 0 ? -1 : tell(&p->out, kind, text, e);
}

/* Cut behind byte i. */
static char *read_pairs(struct span text, size_t i, struct pairs p, size_t *taken)
{
    struct err e = { 0 };
    char *first = xstrndup(text.p, i), *second = xstrndup(text.p + i, text.n - i);

    p.j = json_in_new(tell_pairs, &p);
    if (json_in_feed(p.j, first, i, &e) < 0 || json_in_feed(p.j, second, text.n - i, &e) < 0 || json_in_end(p.j, &e) < 0)
        buf_addf(&p.out, "! %lld:%lld %s", (long long)e.line, (long long)e.column, e.text);
    json_in_free(p.j);
    free(first);
    free(second);
    *taken += p.taken;
    buf_adds(&p.out, "");
    return buf_take(&p.out);
}

static size_t check_pairs(const char *text)
{
    struct span s = { text, strlen(text) };
    size_t taken = 0;
    char *wanted = read_pairs(s, 0, (struct pairs){ .every = 0 }, &taken);

    ck_assert_uint_eq(taken, 0);
    for (size_t i = 0; i <= s.n; i++)
        for (size_t every = 1; every <= 3; every++) {
            char *got = read_pairs(s, i, (struct pairs){ .every = every }, &taken);

            ck_assert_msg(strcmp(got, wanted) == 0, "%s cut at %zu\n  got    %s\n  wanted %s", text, i, got, wanted);
            free(got);
        }
    free(wanted);
    return taken;
}

START_TEST(pairs_are_taken_whole_or_told_as_tokens)
{
    static const struct { const char *text; size_t pairs; } cases[] = {
        { "[[1,\"a\"],[2.5,\"\"],[-4e1,\"b c\"]]", 3 }, { "[ [1,\"a\"] , [2,\"b\"] ]", 2 }, { "[[3,\"a\"],[1,\"b\"]]", 1 },
        { "[[1, \"a\"],[1,\"\\n\"],[1,\"\xc3\xa4\"],[1,2],[\"1\",\"a\"],[1],[1,\"a\",2],{\"a\":[1,\"b\"]},[1,\"x\"]]", 1 },
        { "[[1,\"a\"][1,\"b\"]]", 1 }, { "[[1,\"a\"],]", 1 }, { "[[1,\"a\"]}", 1 }, { "[[1,\"a\"]", 1 }, { "[[1,\"a\"],", 1 },
        { "[[01,\"a\"]]", 0 },
        { "[[1.,\"a\"]]", 0 }, { "[[1,\"a\tb\"]]", 0 }, { "[[1,\"too long\"],[1,\"a\"]]", 0 },
        { "[[2,\"a\"],[1.345678,\"a\"]]", 1 }, { "[1,\"a\"]", 0 },
        { "[[1,\"a\"],\n[1,\"refused\"]]", 1 }, { "[]", 0 }, { "{\"a\":[[1,\"a\"]],\"b\":[1,\"a\"]}", 1 },
    };

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        size_t taken = 0;
        struct span text = span_of(cases[i].text);

        free(read_pairs(text, 0, (struct pairs){ .every = 100 }, &taken));
        ck_assert_msg(taken == cases[i].pairs, "%s: %zu", cases[i].text, taken);
        check_pairs(cases[i].text);
    }
}
END_TEST

START_TEST(in_the_deepest_array_a_pair_is_too_deep)
{
    for (size_t depth = JSON_IN_DEPTH - 2; depth <= JSON_IN_DEPTH; depth++) {
        struct buf b = { 0 };

        buf_fill(&b, '[', depth);
        buf_adds(&b, "[1,\"a\"]");
        buf_fill(&b, ']', depth);
        ck_assert_int_eq(check_pairs(buf_str(&b)) > 0, depth < JSON_IN_DEPTH);
        buf_free(&b);
    }
}
END_TEST

static void add_random(struct buf *b, uint64_t *r, int depth)
{
    static const char *const scalars[] = { "1", "-2.5", "3", "4e5", "1234567",
                                           "\"a\"", "\"\"", "\"\\u00e4\"", "\"\xc3\xa4\"", "\"abcdefgh\"", "true", "null" };
    static const char *const pairs[] = { "[1,\"a\"]", "[2.25,\"\"]", "[3,\"b\"]", "[1 ,\"a\"]",
                                         "[-7,\"{}\"]", "[12,\"\\t\"]", "[0,\"1e5\"]" };
    bool object = next_random(r) % 4 == 0;

    if (depth == 0 || next_random(r) % 3 == 0) {
        buf_adds(b, next_random(r) % 4 ? pairs[next_random(r) % 7] : scalars[next_random(r) % 12]);
        return;
    }
    buf_addc(b, object ? '{' : '[');
    for (uint64_t i = 0, n = next_random(r) % 5; i < n; i++) {
        buf_adds(b, i == 0 ? "" : next_random(r) % 5 ? "," : " ,\n");
        buf_adds(b, object ? "\"n\":" : "");
        add_random(b, r, depth - 1);
    }
    buf_addc(b, object ? '}' : ']');
}

START_TEST(random_documents_say_the_same_with_pairs)
{
    static const char bytes[] = "{}[],:\"\\t01.e \n";
    uint64_t r = 88172645463325252u;
    size_t taken = 0;

    for (int i = 0; i < 1500; i++) {
        struct buf b = { 0 };

        buf_addc(&b, '[');
        for (int k = 0; k < 3; k++) {
            buf_adds(&b, k > 0 ? "," : "");
            add_random(&b, &r, 3);
        }
        buf_addc(&b, ']');
        if (i % 2)                                     /* damaged */
            b.p[next_random(&r) % b.n] = bytes[next_random(&r) % (sizeof bytes - 1)];
        taken += check_pairs(buf_str(&b));
        buf_free(&b);
    }
    ck_assert_uint_gt(taken, 10000);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("json_in");
    TCase *t = tcase_create("all");

    tcase_set_timeout(t, 120);
    tcase_add_test(t, tokens_come_in_the_order_of_the_text);
    tcase_add_test(t, escapes_are_undone);
    tcase_add_test(t, a_nul_character_is_a_character);
    tcase_add_test(t, what_is_no_json_is_an_error_at_its_place);
    tcase_add_test(t, nests_strings_and_numbers_have_caps);
    tcase_add_test(t, the_deepest_nest_is_read);
    tcase_add_test(t, after_a_reset_another_document_is_read);
    tcase_add_test(t, another_document_is_read_where_it_is_expected);
    tcase_add_test(t, random_documents_are_read_as_jansson_reads_them);
    tcase_add_test(t, damaged_documents_are_refused_where_jansson_refuses_them);
    tcase_add_test(t, pairs_are_taken_whole_or_told_as_tokens);
    tcase_add_test(t, in_the_deepest_array_a_pair_is_too_deep);
    tcase_add_test(t, random_documents_say_the_same_with_pairs);
    suite_add_tcase(s, t);
    return unit_run(s);
}
