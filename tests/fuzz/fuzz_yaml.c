/* fuzz_yaml: the YAML reader against the text itself and against what it read written out again.
 *
 * Every plain text and every key must stand in the source where its node says; lines and columns are counted here once more. Written out
 * with brackets and quotes only, the tree must come back the same. There are no pieces: the reader takes a document as a whole. */
#include "fuzz.h"
#include "gputab/base/utf8.h"
#include "gputab/codec/yaml.h"

/* ---- places ---- */

/* The byte at a line and column of s, or NULL. Lines end with LF, CR or CRLF; columns are characters. */
static const char *find_place(struct span s, int64_t line, int64_t column)
{
    const char *p = s.p, *end = s.p + s.n;

    while (line > 1 && p < end) {
        char c = *p++;

        if (c == '\r' && p < end && *p == '\n')
            p++;
        line -= c == '\n' || c == '\r';
    }
    while (column > 1 && p < end && *p != '\n' && *p != '\r') {
        (void)utf8_next(&p, end);
        column--;
    }
    return line == 1 && column == 1 ? p : NULL;
}

/* What is not written has no place that could be wrong. */
static void check_place(struct span s, const struct yaml_node *node)
{
    const char *p = find_place(s, node->line, node->column);
    size_t n = node->kind == YAML_TEXT ? strlen(node->text) : 0;

    if (node->plain && n == 0)
        return;
    FUZZ_CHECK(p);
    if (node->kind != YAML_TEXT)
        return;
    if (!node->plain)
        FUZZ_CHECK(p < s.p + s.n && (*p == '"' || *p == '\'' || *p == '|' || *p == '>'));
    else
        FUZZ_CHECK((size_t)(s.p + s.n - p) >= n && memcmp(p, node->text, n) == 0);
}

/* ---- the tree ---- */

static void add_quoted(struct buf *b, const char *text)
{
    buf_addc(b, '"');
    for (const char *p = text; *p; p++) {
        FUZZ_CHECK((unsigned char)*p >= 0x20 && *p != 0x7f);
        if (*p == '"' || *p == '\\')
            buf_addc(b, '\\');
        buf_addc(b, *p);
    }
    buf_addc(b, '"');
}

/* Checks a node and what is below it, and writes it. Recursion ends at YAML_DEPTH. */
static void write_node(struct buf *b, const struct yaml_node *node, struct span source, int depth)
{
    size_t n = 0;

    FUZZ_CHECK(depth <= YAML_DEPTH);
    if (source.p)
        check_place(source, node);
    if (node->kind == YAML_TEXT) {
        FUZZ_CHECK(!node->child && node->n == 0);
        add_quoted(b, node->text);
        return;
    }
    buf_addc(b, node->kind == YAML_MAP ? '{' : '[');
    for (const struct yaml_node *v = node->child; v; v = v->next, n++) {
        buf_adds(b, n ? ", " : "");
        if (node->kind == YAML_MAP) {
            FUZZ_CHECK(v->key && v->key->kind == YAML_TEXT && v->key->key == node->key);
            FUZZ_CHECK(yaml_get(node, v->key->text) == v);
            write_node(b, v->key, source, depth + 1);
            buf_adds(b, ": ");
        } else {
            FUZZ_CHECK(v->key == node->key);
        }
        write_node(b, v, source, depth + 1);
    }
    FUZZ_CHECK(n == node->n);
    buf_addc(b, node->kind == YAML_MAP ? '}' : ']');
}

static void check_again(const struct buf *written)
{
    struct yaml_doc doc = {0};
    struct buf b = {0};
    struct err e = {0};
    int rc = yaml_doc_read(buf_span(written), "again.yaml", &doc, &e);

    if (rc < 0)
        fprintf(stderr, "%s\n%lld:%lld %s\n", buf_str(written), (long long)e.line, (long long)e.column, e.text);
    FUZZ_CHECK(rc == 0 && doc.root);
    write_node(&b, doc.root, (struct span){0}, 0);
    FUZZ_SAME(written, &b);
    buf_free(&b);
    yaml_doc_free(&doc);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct span s = fuzz_span(data, size);
    struct yaml_doc doc = {0};
    struct buf b = {0};
    struct err e = {0};
    int rc = yaml_doc_read(s, "fuzz.yaml", &doc, &e);

    FUZZ_CHECK((rc < 0) == (e.code != ERR_NONE));
    if (rc < 0) {
        fuzz_add_err(&b, &e);
        FUZZ_CHECK(e.code == ERR_USAGE);
        FUZZ_CHECK(e.line == 0 || size == 0 || e.line <= (int64_t)size + 1);
    } else if (doc.root) {
        if (span_starts(s, "\xef\xbb\xbf"))
            s = (struct span){ s.p + 3, s.n - 3 };
        write_node(&b, doc.root, s, 0);
        check_again(&b);
    }
    buf_free(&b);
    yaml_doc_free(&doc);
    return 0;
}
