/* fuzz_json_out: the JSON writer against jansson. The input is a text, whose quoted form jansson must read back, and a program of the writer,
 * which builds the same value with jansson as it goes. */
#include <jansson.h>

#include "fuzz.h"
#include "gputab/base/utf8.h"
#include "gputab/codec/json_out.h"

/* ---- a text ---- */

/* What the writer promises: malformed bytes become U+FFFD. */
static void add_repaired(struct buf *b, struct span s)
{
    const char *p = s.p, *end = s.p + s.n;

    while (p < end) {
        const char *from = p;
        uint32_t c = utf8_next(&p, end);

        if (c == 0xfffd && p - from == 1)
            buf_adds(b, "\xef\xbf\xbd");
        else
            buf_add(b, from, (size_t)(p - from));
    }
}

static void check_text(struct span s)
{
    json_t *valid = json_stringn(s.p, s.n), *read;
    struct buf quoted = {0}, repaired = {0};

    json_out_add_quoted(&quoted, s);
    add_repaired(&repaired, s);
    FUZZ_CHECK(!valid || (repaired.n == s.n && (s.n == 0 || memcmp(repaired.p, s.p, s.n) == 0)));
    for (size_t i = 0; i < quoted.n; i++)
        FUZZ_CHECK((unsigned char)quoted.p[i] >= 0x20);
    read = json_loadb(quoted.p, quoted.n, JSON_DECODE_ANY | JSON_ALLOW_NUL, NULL);
    FUZZ_CHECK(json_is_string(read) && json_string_length(read) == repaired.n);
    FUZZ_CHECK(repaired.n == 0 || memcmp(json_string_value(read), repaired.p, repaired.n) == 0);
    json_decref(read);
    json_decref(valid);
    buf_free(&quoted);
    buf_free(&repaired);
}

/* ---- a program ---- */

struct machine {
    struct json_out out;
    struct span rest;
    json_t *open[JSON_OUT_DEPTH];  /* borrowed: each belongs to the one before, the first to run's caller */
    int depth;
    unsigned keys;
    char key[16];
};

static unsigned next_byte(struct machine *m)
{
    if (m->rest.n == 0)
        return 0;
    m->rest.n--;
    return (unsigned char)*m->rest.p++;
}

static struct span next_text(struct machine *m)
{
    size_t n = next_byte(m) % 16;
    struct span s;

    if (n > m->rest.n)
        n = m->rest.n;
    s = (struct span){ m->rest.p, n };
    m->rest.p += n;
    m->rest.n -= n;
    return s;
}

/* Every key is a new one, so that no object has one twice. */
static void add_key(struct machine *m)
{
    if (!json_is_object(m->open[m->depth - 1]))
        return;
    snprintf(m->key, sizeof m->key, "%u\"\n", m->keys++);
    json_out_key(&m->out, m->key);
}

static void hang(struct machine *m, json_t *value)
{
    json_t *top = m->open[m->depth - 1];

    FUZZ_CHECK(value);
    FUZZ_CHECK((json_is_object(top) ? json_object_set_new(top, m->key, value) : json_array_append_new(top, value)) == 0);
}

static void open_one(struct machine *m, unsigned op)
{
    enum json_out_layout layout = op & 8 ? JSON_OUT_INLINE : JSON_OUT_LINES;
    json_t *value;

    if (m->depth == JSON_OUT_DEPTH)
        return;
    add_key(m);
    value = op & 16 ? json_object() : json_array();
    hang(m, value);
    op & 16 ? json_out_object(&m->out, layout) : json_out_array(&m->out, layout);
    m->open[m->depth++] = value;
}

static void put_text(struct machine *m)
{
    struct span s = next_text(m);
    struct buf repaired = {0};

    add_key(m);
    add_repaired(&repaired, s);
    json_out_span(&m->out, s);
    hang(m, json_stringn(buf_str(&repaired), repaired.n));
    buf_free(&repaired);
}

/* Halves, so that jansson's binary numbers are exact. */
static void put_decimal(struct machine *m)
{
    int whole = (int)next_byte(m) - 128;
    char text[32];

    add_key(m);
    snprintf(text, sizeof text, "%d.5", whole);
    json_out_decimal(&m->out, span_of(text));
    hang(m, json_real(whole < 0 ? whole - 0.5 : whole + 0.5));
}

static void put_int(struct machine *m)
{
    uint64_t n = 0;

    add_key(m);
    for (int i = 0; i < 8; i++)
        n = n << 8 | next_byte(m);
    json_out_int(&m->out, (int64_t)n);
    hang(m, json_integer((json_int_t)n));
}

static void put_word(struct machine *m, unsigned op)
{
    add_key(m);
    if (op & 8)
        json_out_null(&m->out);
    else
        json_out_bool(&m->out, op & 16);
    hang(m, op & 8 ? json_null() : json_boolean(op & 16));
}

static void step(struct machine *m)
{
    unsigned op = next_byte(m);

    switch (op % 8) {
    case 0:
    case 1:
        open_one(m, op);
        break;
    case 2:
        put_text(m);
        break;
    case 3:
        put_int(m);
        break;
    case 4:
        put_decimal(m);
        break;
    case 5:
        put_word(m, op);
        break;
    default:
        if (m->depth > 1) {
            json_out_end(&m->out);
            m->depth--;
        }
    }
}

static void check_program(struct span s)
{
    struct buf text = {0};
    struct machine m = { .rest = s, .depth = 1 };
    bool object = next_byte(&m) % 2;
    json_t *root = object ? json_object() : json_array(), *read;

    json_out_init(&m.out, &text);
    object ? json_out_object(&m.out, JSON_OUT_LINES) : json_out_array(&m.out, JSON_OUT_INLINE);
    m.open[0] = root;
    while (m.rest.n)
        step(&m);
    for (; m.depth; m.depth--)
        json_out_end(&m.out);
    read = json_loadb(text.p, text.n, JSON_REJECT_DUPLICATES | JSON_ALLOW_NUL, NULL);
    if (!read || !json_equal(read, root))
        fprintf(stderr, "%s\n", buf_str(&text));
    FUZZ_CHECK(read && json_equal(read, root));
    json_decref(read);
    json_decref(root);
    buf_free(&text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct span s = fuzz_span(data, size);

    check_text(s);
    check_program(s);
    return 0;
}
