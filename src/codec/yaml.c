/* yaml: a document as a tree of nodes with places, built straight from libyaml's events.
 *
 * The tree is built without recursion on a stack of YAML_DEPTH frames, and without aliases, so its size is bounded by the size of
 * the text. Bytes are checked before libyaml sees them, since its own messages carry no column for those. What libyaml then
 * finds wrong is told in our words, by a table: libyaml's speak of tokens and contexts, which nobody who edits a rule knows.
 * This module does not type scalars and does not resolve aliases or tags. */
#include "gputab/codec/yaml.h"

#include <assert.h>
#include <string.h>
#include <yaml.h>

#include "gputab/base/intern.h"
#include "gputab/base/utf8.h"
#include "gputab/base/vec.h"

struct frame {                     /* a list or map that is still open */
    struct yaml_node *node;
    struct yaml_node **tail;       /* where its next child is hung */
    const struct yaml_node *key;   /* a map: the key that waits for its value */
};

struct builder {
    struct yaml_doc *doc;
    struct span text;
    struct err *e;
    yaml_parser_t parser;
    struct frame stack[YAML_DEPTH];
    size_t depth;
    struct intern *keys;           /* (map, key) seen so far */
    VEC(int64_t) key_lines;        /* by id of keys */
};

static const char alias_text[] = "text that begins with \"*\" must be quoted (YAML aliases are not taken)";
static const char anchor_text[] = "text that begins with \"&\" must be quoted (YAML anchors are not taken)";
static const char tag_text[] = "text that begins with \"!\" must be quoted (YAML tags are not taken)";
static const char document_text[] = "a second document begins here; one is taken";
static const char directive_text[] = "lines that begin with \"%\" (YAML directives) are not taken";

/* What libyaml finds wrong: a part of its problem and of its context, and how it is told. First match wins. */
static const struct trouble {
    const char *problem, *context; /* context NULL: any */
    bool at_context;               /* the place is where the thing began, not where it broke */
    const char *text, *hint;       /* hint NULL: none */
} troubles[] = {
    { "mapping values are not allowed", NULL, false, "a \":\" is not expected here",
      "quote text that holds \": \"; else check the indentation of this line and the one before" },
    { "mapping keys are not allowed", NULL, false, "a \"?\" is not expected here", "quote text that begins with \"?\"" },
    { "", "block scalar", true, "text that begins with \"|\" or \">\" must be quoted", NULL },
    { "expected ':'", NULL, true, "a \":\" is expected behind this key", NULL },
    { "alphabetic or numeric", "alias", true, alias_text, "a glob, for example: \"*\"" },
    { "alphabetic or numeric", "anchor", true, anchor_text, NULL },
    { "end of stream", "quoted", true, "this quoted text has no closing quote", NULL },
    { "document indicator", "quoted", true, "this quoted text has no closing quote", NULL },
    { "escape", "quoted", false, "an escape in quoted text is not known",
      "between single quotes a backslash is an ordinary character" },
    { "hexdecimal", "quoted", false, "an escape in quoted text is cut short", NULL },
    { "',' or ']'", NULL, false, "a \",\" or \"]\" is expected here", NULL },
    { "',' or '}'", NULL, false, "a \",\" or \"}\" is expected here", NULL },
    { "'-' indicator", NULL, false, "a list item (\"- \") is expected here", "check the indentation of this line" },
    { "expected key", NULL, false, "a key is expected here", "check the indentation of this line, and the quotes in the one before" },
    { "node content", NULL, false, "a value is expected here", "quote text that begins with a punctuation character" },
    { "block sequence entries", NULL, false, "a list item is not expected here", "begin the list on a line of its own" },
    { "<document start>", NULL, false, document_text, NULL },
    { "directive", NULL, false, directive_text, NULL },
    { "", "directive", true, directive_text, NULL },
    { "incompatible YAML", NULL, false, directive_text, NULL },
    { "tag", NULL, false, tag_text, NULL },
    { "", "tag", true, tag_text, NULL },
};

/* --- bytes --- */

static int fail_at(struct builder *b, int64_t line, int64_t column, const char *text)
{
    err_set(b->e, ERR_USAGE, "%s", text);
    return err_at(b->e, b->doc->name, line, column);
}

static int fail_mark(struct builder *b, yaml_mark_t mark, const char *text)
{
    return fail_at(b, (int64_t)mark.line + 1, (int64_t)mark.column + 1, text);
}

/* Line separators beyond LF and CR are refused too: editors do not count them as lines, libyaml does. */
static bool is_control(uint32_t c)
{
    return (c < 0x20 && c != '\t' && c != '\n' && c != '\r') || (c >= 0x7f && c < 0xa0) || c == 0x2028 || c == 0x2029
           || c == 0xfeff || c == 0xfffe || c == 0xffff;
}

static int check_bytes(struct builder *b)
{
    const char *p = b->text.p, *end = p + b->text.n;
    int64_t line = 1, column = 1;
    bool indent = true;            /* only white space so far in this line */

    while (p < end) {
        const char *from = p;
        uint32_t c = utf8_next(&p, end);

        if (c == 0xfffd && p - from == 1)
            return fail_at(b, line, column, "a byte that is not UTF-8");
        if (is_control(c)) {
            err_set(b->e, ERR_USAGE, "the control character U+%04X", (unsigned)c);
            return err_at(b->e, b->doc->name, line, column);
        }
        if (c == '\t' && indent) {
            fail_at(b, line, column, "a tab in the indentation");
            return err_hint(b->e, "indent with spaces");
        }
        indent = (indent && c == ' ') || c == '\n' || c == '\r';
        column++;
        if (c == '\n' || (c == '\r' && !(p < end && *p == '\n'))) {
            line++;
            column = 1;
        }
    }
    return 0;
}

/* --- libyaml's errors --- */

/* The character that no value can begin with, by its index in characters. */
static int fail_start(struct builder *b, yaml_mark_t mark)
{
    const char *p = b->text.p, *end = p + b->text.n, *from = p;

    for (size_t i = 0; i <= mark.index && p < end; i++) {
        from = p;
        utf8_next(&p, end);
    }
    if (*from == '\t')
        return fail_mark(b, mark, "a tab where a space is expected");
    err_set(b->e, ERR_USAGE, "text that begins with \"%.*s\" must be quoted", (int)(p - from), from);
    return err_at(b->e, b->doc->name, (int64_t)mark.line + 1, (int64_t)mark.column + 1);
}

static int fail_memory(struct builder *b)
{
    err_set(b->e, ERR_INTERNAL, "no memory for reading YAML");
    return err_at(b->e, b->doc->name, 0, 0);
}

static bool has(const char *text, const char *part)
{
    return text && strstr(text, part);
}

static int fail_parse(struct builder *b)
{
    const yaml_parser_t *p = &b->parser;

    if (p->error == YAML_MEMORY_ERROR)
        return fail_memory(b);
    if (has(p->problem, "cannot start any token"))
        return fail_start(b, p->problem_mark);
    for (size_t i = 0; i < sizeof troubles / sizeof *troubles; i++) {
        const struct trouble *t = troubles + i;

        if (!has(p->problem, t->problem) || (t->context && !has(p->context, t->context)))
            continue;
        fail_mark(b, t->at_context ? p->context_mark : p->problem_mark, t->text);
        return t->hint ? err_hint(b->e, "%s", t->hint) : -1;
    }
    err_set(b->e, ERR_USAGE, "not valid YAML: %s", p->problem ? p->problem : "it cannot be read");
    return err_at(b->e, b->doc->name, (int64_t)p->problem_mark.line + 1, (int64_t)p->problem_mark.column + 1);
}

/* --- events to nodes --- */

static struct yaml_node *node_new(struct builder *b, enum yaml_kind kind, yaml_mark_t mark)
{
    struct yaml_node *node = arena_alloc(&b->doc->nodes, sizeof *node);

    *node = (struct yaml_node){ .kind = kind, .line = (int64_t)mark.line + 1, .column = (int64_t)mark.column + 1 };
    return node;
}

static struct frame *top(struct builder *b)
{
    return b->depth ? &b->stack[b->depth - 1] : NULL;
}

/* Whether a text that comes now is a key. */
static bool wants_key(struct builder *b)
{
    const struct frame *f = top(b);

    return f && f->node->kind == YAML_MAP && !f->key;
}

/* A second key of the same name in one map. Maps are told apart by their address: it lives as long as the interned keys. */
static int check_key(struct builder *b, const struct yaml_node *map, const struct yaml_node *key)
{
    uint32_t before = intern_count(b->keys), id;
    struct buf name = {0};

    buf_add(&name, &map, sizeof map);
    buf_adds(&name, key->text);
    id = intern_put(b->keys, name.p, name.n);
    buf_free(&name);
    if (id < before) {
        err_set(b->e, ERR_USAGE, "duplicate key \"%s\"", yaml_show(key->text).s);
        err_at(b->e, b->doc->name, key->line, key->column);
        return err_hint(b->e, "it stands in line %lld already", (long long)b->key_lines.v[id]);
    }
    while (b->key_lines.n <= id)
        vec_push(&b->key_lines, key->line);
    return 0;
}

/* Hangs a complete or opening value into the open list or map. */
static void hang(struct builder *b, struct yaml_node *node)
{
    struct frame *f = top(b);

    if (!f) {
        b->doc->root = node;
        return;
    }
    node->key = f->node->kind == YAML_MAP ? f->key : f->node->key;
    f->key = NULL;
    *f->tail = node;
    f->tail = &node->next;
    f->node->n++;
}

static int open_nest(struct builder *b, enum yaml_kind kind, const yaml_event_t *ev, bool flow)
{
    struct yaml_node *node;

    if (wants_key(b))
        return fail_mark(b, ev->start_mark, "a key must be text");
    if (b->depth == YAML_DEPTH) {
        err_set(b->e, ERR_USAGE, "lists and maps are nested deeper than %d", YAML_DEPTH);
        return err_at(b->e, b->doc->name, (int64_t)ev->start_mark.line + 1, (int64_t)ev->start_mark.column + 1);
    }
    node = node_new(b, kind, ev->start_mark);
    node->flow = flow;
    hang(b, node);
    b->stack[b->depth++] = (struct frame){ .node = node, .tail = &node->child };
    return 0;
}

static int check_text(struct builder *b, const yaml_event_t *ev, bool plain)
{
    const char *p = (const char *)ev->data.scalar.value, *end = p + ev->data.scalar.length;

    if (plain && ev->start_mark.line != ev->end_mark.line) {
        fail_mark(b, ev->start_mark, "text without quotes runs over more than one line");
        return err_hint(b->e, "is a \":\" or a closing bracket missing, or is the next line indented too far?");
    }
    while (p < end) {
        uint32_t c = utf8_next(&p, end);

        if (c == '\t' || c == '\n' || c == '\r' || is_control(c))
            return fail_mark(b, ev->start_mark, "text must be one line without tabs and control characters");
    }
    return 0;
}

static int add_text(struct builder *b, const yaml_event_t *ev)
{
    bool plain = ev->data.scalar.style == YAML_PLAIN_SCALAR_STYLE;
    struct yaml_node *node;

    if (check_text(b, ev, plain) < 0)
        return -1;
    node = node_new(b, YAML_TEXT, ev->start_mark);
    node->plain = plain;
    node->text = arena_strndup(&b->doc->nodes, (const char *)ev->data.scalar.value, ev->data.scalar.length);
    if (wants_key(b)) {
        node->key = top(b)->node->key;
        top(b)->key = node;
        return check_key(b, top(b)->node, node);
    }
    hang(b, node);
    return 0;
}

static int fail_alias(struct builder *b, const yaml_event_t *ev)
{
    fail_mark(b, ev->start_mark, alias_text);
    return err_hint(b->e, "write \"*%s\"", yaml_show((const char *)ev->data.alias.anchor).s);
}

/* Anchors and tags may stand before any value. */
static int check_dress(struct builder *b, const yaml_event_t *ev, const yaml_char_t *anchor, const yaml_char_t *tag)
{
    if (anchor)
        return fail_mark(b, ev->start_mark, anchor_text);
    return tag ? fail_mark(b, ev->start_mark, tag_text) : 0;
}

static int take_start(struct builder *b, const yaml_event_t *ev)
{
    if (ev->data.document_start.version_directive || ev->data.document_start.tag_directives.start
                                                         != ev->data.document_start.tag_directives.end)
        return fail_mark(b, ev->start_mark, directive_text);
    return b->doc->root ? fail_mark(b, ev->start_mark, document_text) : 0;
}

static int take_event(struct builder *b, const yaml_event_t *ev)
{
    switch (ev->type) {
    case YAML_DOCUMENT_START_EVENT:
        return take_start(b, ev);
    case YAML_ALIAS_EVENT:
        return fail_alias(b, ev);
    case YAML_SCALAR_EVENT:
        if (check_dress(b, ev, ev->data.scalar.anchor, ev->data.scalar.tag) < 0)
            return -1;
        return add_text(b, ev);
    case YAML_SEQUENCE_START_EVENT:
        if (check_dress(b, ev, ev->data.sequence_start.anchor, ev->data.sequence_start.tag) < 0)
            return -1;
        return open_nest(b, YAML_LIST, ev, ev->data.sequence_start.style == YAML_FLOW_SEQUENCE_STYLE);
    case YAML_MAPPING_START_EVENT:
        if (check_dress(b, ev, ev->data.mapping_start.anchor, ev->data.mapping_start.tag) < 0)
            return -1;
        return open_nest(b, YAML_MAP, ev, ev->data.mapping_start.style == YAML_FLOW_MAPPING_STYLE);
    case YAML_SEQUENCE_END_EVENT:
    case YAML_MAPPING_END_EVENT:
        assert(b->depth > 0);
        b->depth--;
        return 0;
    default:
        return 0;
    }
}

static int build(struct builder *b)
{
    bool end = false;
    int rc = 0;

    while (!end && rc == 0) {
        yaml_event_t ev;

        if (!yaml_parser_parse(&b->parser, &ev))
            return fail_parse(b);
        rc = take_event(b, &ev);
        end = ev.type == YAML_STREAM_END_EVENT;
        yaml_event_delete(&ev);
    }
    return rc;
}

static struct span without_bom(struct span s)
{
    return span_starts(s, "\xef\xbb\xbf") ? (struct span){ s.p + 3, s.n - 3 } : s;
}

int yaml_doc_read(struct span text, const char *name, struct yaml_doc *doc, struct err *e)
{
    struct builder b = { .doc = doc, .text = without_bom(text), .e = e };
    int rc = -1;

    doc->name = name;
    if (text.n > YAML_BYTES) {
        err_set(e, ERR_USAGE, "the text is larger than %d bytes", YAML_BYTES);
        return err_at(e, name, 0, 0);
    }
    if (b.text.n == 0)
        return 0;
    if (check_bytes(&b) < 0)
        return -1;
    if (!yaml_parser_initialize(&b.parser))
        return fail_memory(&b);
    yaml_parser_set_encoding(&b.parser, YAML_UTF8_ENCODING);
    yaml_parser_set_input_string(&b.parser, (const unsigned char *)b.text.p, b.text.n);
    b.keys = intern_new();
    rc = build(&b);
    if (rc == 0 && doc->root && doc->root->kind == YAML_TEXT && doc->root->plain && !*doc->root->text)
        doc->root = NULL;
    vec_free(&b.key_lines);
    intern_free(b.keys);
    yaml_parser_delete(&b.parser);
    return rc;
}

void yaml_doc_free(struct yaml_doc *doc)
{
    arena_free(&doc->nodes);
    *doc = (struct yaml_doc){0};
}
