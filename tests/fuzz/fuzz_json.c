/* fuzz_json: the JSON tokenizer against itself in pieces, with pairs of a number and a text as a whole, and against jansson.
 *
 * Both must take and refuse the same texts and read the same values from them. Left out where they differ by rule: deep nests, integers
 * and reals beyond a double (jansson refuses them, a tokenizer has no opinion), and U+0000 in names. */
#include <jansson.h>

#include "fuzz.h"
#include "gputab/codec/json_in.h"

struct reading {
    struct buf text;               /* of tokens, and of the error at the end */
    json_t *open[JSON_IN_DEPTH];   /* borrowed: each belongs to the one before, the first to `root` */
    int depth;
    json_t *root;
    struct buf name;
    int64_t tokens, stop_at;       /* the handler refuses the token of that number; -1: none */
    bool pairs;                    /* asks for them in every array */
    struct json_in *json;
};

static void hang(struct reading *r, json_t *value)
{
    FUZZ_CHECK(value);
    if (r->depth == 0) {
        FUZZ_CHECK(!r->root);
        r->root = value;
        return;
    }
    if (json_is_array(r->open[r->depth - 1]))
        FUZZ_CHECK(json_array_append_new(r->open[r->depth - 1], value) == 0);
    else if (memchr(buf_str(&r->name), '\0', r->name.n))
        json_decref(value);
    else
        FUZZ_CHECK(json_object_setn_new(r->open[r->depth - 1], buf_str(&r->name), r->name.n, value) == 0);
}

static void open_one(struct reading *r, json_t *value)
{
    json_incref(value);            /* so that it lives even where jansson would not have it, under a name with U+0000 */
    hang(r, value);
    r->open[r->depth++] = value;
}

static json_t *number(struct span s)
{
    struct buf b = {0};
    json_t *v;
    double x;

    buf_add_span(&b, s);
    x = strtod(b.p, NULL);
    v = json_real(x < 1e308 && x > -1e308 ? x : 0);
    buf_free(&b);
    return v;
}

static void build(struct reading *r, enum json_in_kind kind, struct span text)
{
    switch (kind) {
    case JSON_IN_OBJECT: open_one(r, json_object()); break;
    case JSON_IN_ARRAY: open_one(r, json_array()); break;
    case JSON_IN_OBJECT_END:
    case JSON_IN_ARRAY_END:
        FUZZ_CHECK(r->depth > 0 && json_is_object(r->open[r->depth - 1]) == (kind == JSON_IN_OBJECT_END));
        json_decref(r->open[--r->depth]);
        break;
    case JSON_IN_NAME:
        FUZZ_CHECK(r->depth > 0 && json_is_object(r->open[r->depth - 1]));
        buf_clear(&r->name);
        buf_add_span(&r->name, text);
        break;
    case JSON_IN_STRING_VALUE: hang(r, json_stringn(text.n ? text.p : "", text.n)); break;
    case JSON_IN_NUMBER_VALUE: hang(r, number(text)); break;
    case JSON_IN_TRUE: hang(r, json_true()); break;
    case JSON_IN_FALSE: hang(r, json_false()); break;
    case JSON_IN_NULL: hang(r, json_null()); break;
    }
}

static int take(void *ctx, enum json_in_kind kind, struct span text, struct err *e);

/* As its tokens; one in which reading stops is not taken. */
static bool take_pair(void *ctx, struct span number, struct span text)
{
    struct reading *r = ctx;
    struct err e = {0};
    int rc = 0;

    if (r->stop_at >= r->tokens && r->stop_at < r->tokens + 4)
        return false;
    r->pairs = false;
    rc += take(r, JSON_IN_ARRAY, (struct span){ NULL, 0 }, &e) + take(r, JSON_IN_NUMBER_VALUE, number, &e);
    rc += take(r, JSON_IN_STRING_VALUE, text, &e) + take(r, JSON_IN_ARRAY_END, (struct span){ NULL, 0 }, &e);
    FUZZ_CHECK(rc == 0);
    r->pairs = true;
    return true;
}

static int take(void *ctx, enum json_in_kind kind, struct span text, struct err *e)
{
    struct reading *r = ctx;

    if (r->pairs && kind == JSON_IN_ARRAY)
        json_in_expect_pairs(r->json, take_pair);
    fuzz_add_number(&r->text, (int64_t)kind);
    fuzz_add_span(&r->text, text);
    build(r, kind, text);
    if (r->tokens++ == r->stop_at)
        return err_set(e, ERR_INPUT, "enough");
    return 0;
}

/* 0 or -1, as the reader says. Each piece is a block of its own, so that reading behind it is seen. */
static int read_all(struct reading *r, struct fuzz_feed feed)
{
    struct json_in *j = json_in_new(take, r);
    struct err e = {0};
    int rc = 0;

    r->json = j;
    while (rc == 0 && feed.rest.n) {
        size_t most = feed.state ? 4096 : feed.rest.n;
        char *piece = malloc(most), *exact;
        size_t n = fuzz_take(&feed, piece, most);

        exact = malloc(n);
        memcpy(exact, piece, n);
        rc = json_in_feed(j, exact, n, &e);
        free(piece);
        free(exact);
    }
    if (rc == 0)
        rc = json_in_end(j, &e);
    FUZZ_CHECK((rc < 0) == (e.code != ERR_NONE));
    if (rc < 0)
        fuzz_add_err(&r->text, &e);
    FUZZ_CHECK(rc < 0 || r->depth == 0);
    json_in_free(j);
    return rc;
}

static void release(struct reading *r)
{
    while (r->depth > 0)
        json_decref(r->open[--r->depth]);
    json_decref(r->root);
    buf_free(&r->text);
    buf_free(&r->name);
}

/* What jansson refuses and a tokenizer may take, and the other way round. */
static bool no_say(const json_error_t *e, const struct reading *r)
{
    static const char *const theirs[] = { "overflow", "too big", "NUL byte in object key", "maximum parsing depth" };

    for (size_t i = 0; i < sizeof theirs / sizeof *theirs; i++)
        if (strstr(e->text, theirs[i]))
            return true;
    return r->text.n && (strstr(r->text.p, "nested too deeply") || strstr(r->text.p, "longer than"));
}

static void ask_jansson(struct span s, const struct reading *r, int rc)
{
    json_error_t e = {0};
    json_t *root = json_loadb(s.p, s.n, JSON_DECODE_ANY | JSON_ALLOW_NUL | JSON_DECODE_INT_AS_REAL, &e);

    if (s.n && memchr(s.p, '\0', s.n)) {
        FUZZ_CHECK(rc < 0);        /* jansson takes a NUL byte for the end of the text */
    } else if (!no_say(&e, r)) {
        if ((root != NULL) != (rc == 0))
            fprintf(stderr, "jansson: %s\nours: %s\n", e.text, buf_str(&r->text));
        FUZZ_CHECK((root != NULL) == (rc == 0));
        if (root)
            FUZZ_CHECK(json_equal(root, r->root));
    }
    json_decref(root);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct span s = fuzz_span(data, size);
    struct reading whole = { .stop_at = -1 }, pieces = { .stop_at = -1, .pairs = true };
    struct reading one = { .stop_at = (int64_t)(size % 9), .pairs = true }, other = { .stop_at = one.stop_at };
    int rc = read_all(&whole, fuzz_feed_whole(s));

    FUZZ_CHECK(read_all(&pieces, fuzz_feed_pieces(s)) == rc);
    FUZZ_SAME(&whole.text, &pieces.text);
    FUZZ_CHECK(whole.tokens == pieces.tokens);
    ask_jansson(s, &whole, rc);
    FUZZ_CHECK(read_all(&one, fuzz_feed_whole(s)) == read_all(&other, fuzz_feed_pieces(s)));
    FUZZ_SAME(&one.text, &other.text);
    release(&whole);
    release(&pieces);
    release(&one);
    release(&other);
    return 0;
}
