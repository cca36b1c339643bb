/* rule_show: the keys of a rule in one order, with their values or their defaults.
 *
 * It works on the document, not on what was read from it: values stay as they were written, so that nothing is lost on the way, and a key
 * that the tables below do not know is shown all the same. The tables say in which order keys come, and what holds without them. */
#include "gputab/source/rule_show.h"

#include <string.h>

#include "gputab/base/utf8.h"
#include "gputab/source/rule_draft.h"

enum { NOTE_COLUMN = 40 };

struct row {
    const char *key;
    const char *text;              /* the default, as it is shown; NULL: no text says it */
    const char *note;              /* what is said of it; NULL: that it is the default, where there is a text */
    const struct row *rows;        /* of a map; ends with key NULL; NULL: none */
};

/* Prices and shares are told, not written: some methods take none. */
static const struct row split_rows[] = {
    { "method", NULL, "as the bill has it: billed where it has amounts for GPUs, cores and memory, else reference", NULL },
    { "vcpu_hour", NULL, "0.031611, or the method's own", NULL },
    { "gib_hour", NULL, "0.004237, or the method's own", NULL },
    { "gpu_hour", NULL, "the prices of the catalogue, or the method's own", NULL },
    { "on_demand_hour", NULL, "the bill's list cost, else the catalogue's price; for residual", NULL },
    { "shares", NULL, "cpu 3%, memory 2%, gpu 95%; for shares", NULL },
    { NULL, NULL, NULL, NULL }
};
static const struct row gpu_rows[] = {
    { "exclusive", "held", NULL, NULL },
    { "denominator", "capacity", NULL, NULL },
    { "mig_weight", "memory", NULL, NULL },
    { "shared_fallback", "even", NULL, NULL },
    { "min_coverage", "\"95%\"", NULL, NULL },
    { "max_gap", "5m", NULL, NULL },
    { "interval", NULL, "from the samples", NULL },
    { "startup", "10m", NULL, NULL },
    { NULL, NULL, NULL, NULL }
};
static const struct row basis_rows[] = { { "basis", "max", NULL, NULL }, { NULL, NULL, NULL, NULL } };
static const struct row idle_rows[] = {
    { "policy", "separate", NULL, NULL }, { "scope", "pool", NULL, NULL }, { "include", "[]", NULL, NULL }, { "owners", "[]", NULL, NULL },
    { NULL, NULL, NULL, NULL }
};
static const struct row privacy_rows[] = { { "pods", "keep", NULL, NULL }, { NULL, NULL, NULL, NULL } };

static const struct row rule_rows[] = {
    { "schema", "gputab.rule/1", "needed", NULL },
    { "name", "default", NULL, NULL },
    { "version", NULL, NULL, NULL },
    { "mode", "showback", NULL, NULL },
    { "cost", "effective", NULL, NULL },
    { "credits", "commitments", NULL, NULL },
    { "attached", "separate", NULL, NULL },
    { "split", NULL, NULL, split_rows },
    { "gpu", NULL, NULL, gpu_rows },
    { "cpu_memory", NULL, NULL, basis_rows },
    { "idle", NULL, NULL, idle_rows },
    { "owners", NULL, "the team is the namespace", NULL },
    { "aliases", "{}", NULL, NULL },
    { "cost_centres", "[]", NULL, NULL },
    { "shared_costs", "[]", NULL, NULL },
    { "budgets", "[]", NULL, NULL },
    { "gates", "{}", NULL, NULL },
    { "capacity_blocks", "[]", NULL, NULL },
    { "fx", "[]", NULL, NULL },
    { "privacy", NULL, NULL, privacy_rows },
    { "tests", "[]", NULL, NULL },
    { NULL, NULL, NULL, NULL }
};

/* ---- values ---- */

/* A number and a unit: the one kind of text that begins with a digit and that no reader of YAML takes for something else. */
static bool is_duration(const char *text)
{
    static const char *const units[] = { "d", "h", "m", "s", "ms" };
    size_t digits = strspn(text, "0123456789");

    for (size_t i = 0; digits > 0 && i < sizeof units / sizeof *units; i++)
        if (strcmp(text + digits, units[i]) == 0)
            return true;
    return false;
}

/* Whether every reader of YAML takes the text without quotes for just that text. */
static bool is_plain(const char *text)
{
    static const char *const words[] = { "y", "n", "yes", "no", "on", "off", "true", "false", "null" };
    static const char letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz_";
    struct span s = span_of(text);

    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (span_eq_fold(s, words[i]))
            return false;
    if (is_duration(text))
        return true;
    return *text && strchr(letters, *text) && strspn(text, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz_0123456789-./") == s.n;
}

static void add_text(struct buf *b, const char *text)
{
    if (is_plain(text)) {
        buf_adds(b, text);
        return;
    }
    buf_addc(b, '"');
    for (; *text; text++) {
        if (*text == '"' || *text == '\\')
            buf_addc(b, '\\');
        buf_addc(b, *text);
    }
    buf_addc(b, '"');
}

/* In brackets, on one line. */
static void add_flow(struct buf *b, const struct yaml_node *value)
{
    bool map = value->kind == YAML_MAP;

    if (value->kind == YAML_TEXT) {
        add_text(b, value->text);
        return;
    }
    buf_addc(b, map ? '{' : '[');
    for (const struct yaml_node *v = value->child; v; v = v->next) {
        if (v != value->child)
            buf_adds(b, ", ");
        if (map) {
            add_text(b, v->key->text);
            buf_adds(b, ": ");
        }
        add_flow(b, v);
    }
    buf_addc(b, map ? '}' : ']');
}

/* ---- lines ---- */

static void add_note(struct buf *b, size_t from, const char *note)
{
    size_t width = utf8_length((struct span){ b->p + from, b->n - from });

    buf_fill(b, ' ', width + 1 < NOTE_COLUMN ? NOTE_COLUMN - width : 1);
    buf_addf(b, "# %s", note);
}

/* key: value, and what is to be said of it (NULL: nothing). */
static void add_line(struct buf *b, const char *indent, const char *key, const char *value, const char *note)
{
    size_t from = b->n;

    buf_adds(b, indent);
    add_text(b, key);
    buf_addf(b, ": %s", value);
    if (note)
        add_note(b, from, note);
    buf_addc(b, '\n');
}

static const char *note_of(const struct row *row)
{
    return row->note ? row->note : "default";
}

/* What is written, on one line. */
static void show_value(struct buf *b, const char *indent, const struct row *row, const struct yaml_node *value)
{
    struct buf flow = { 0 };
    bool same;

    add_flow(&flow, value);
    same = row && row->text && strcmp(buf_str(&flow), row->text) == 0;
    add_line(b, indent, value->key->text, buf_str(&flow), same ? note_of(row) : NULL);
    buf_free(&flow);
}

static void show_default(struct buf *b, const char *indent, const struct row *row)
{
    if (row->text)
        add_line(b, indent, row->key, row->text, note_of(row));
    else if (row->note)
        buf_addf(b, "%s# %s: %s\n", indent, row->key, row->note);
}

static const struct row *find_row(const struct row *rows, const char *key)
{
    for (; rows && rows->key; rows++)
        if (strcmp(rows->key, key) == 0)
            return rows;
    return NULL;
}

typedef void show_one(struct buf *b, const char *indent, const struct row *row, const struct yaml_node *value);

/* Keys of the table in its order, then those that only the file has. map NULL: nothing is written. */
static void show_map(struct buf *b, const char *indent, const struct row *rows, const struct yaml_node *map, show_one *show)
{
    for (const struct row *row = rows; row && row->key; row++) {
        const struct yaml_node *value = map ? yaml_get(map, row->key) : NULL;

        if (value || row->rows)
            show(b, indent, row, value);
        else
            show_default(b, indent, row);
    }
    for (const struct yaml_node *v = map ? map->child : NULL; v; v = v->next)
        if (!find_row(rows, v->key->text))
            show(b, indent, NULL, v);
}

static void show_items(struct buf *b, const struct yaml_node *list)
{
    add_text(b, list->key->text);
    buf_adds(b, ":\n");
    for (const struct yaml_node *v = list->child; v; v = v->next) {
        buf_adds(b, "  - ");
        add_flow(b, v);
        buf_addc(b, '\n');
    }
}

/* Whether a map has anything but remarks. */
static bool has_lines(const struct row *rows, const struct yaml_node *map)
{
    for (; rows && rows->key; rows++)
        if (rows->text)
            return true;
    return map && map->n > 0;
}

/* A key of the rule itself: maps and lists have a line for each value. */
static void show_key(struct buf *b, const char *indent, const struct row *row, const struct yaml_node *value)
{
    const struct row *rows = row ? row->rows : NULL;

    if (value && value->kind == YAML_LIST && value->n > 0) {
        show_items(b, value);
    } else if (rows || (value && value->kind == YAML_MAP && value->n > 0)) {
        add_text(b, row ? row->key : value->key->text);
        buf_adds(b, has_lines(rows, value) ? ":\n" : ": {}\n");
        show_map(b, "  ", rows, value, show_value);
    } else {
        show_value(b, indent, row, value);
    }
}

static void show_document(struct buf *b, const struct yaml_node *root)
{
    buf_adds(b, "# The rule in full. What is marked as default holds also when it is left out.\n");
    show_map(b, "", rule_rows, root, show_key);
}

int rule_show_read(const struct rule *r, struct buf *out, struct err *e)
{
    struct rule_draft d = { .diag = NULL };
    struct yaml_doc doc = { 0 };
    struct yaml_binder b = { .owner = &d, .e = e };
    int rc = r->text.p ? rule_read_document(&b, r->text, r->name, &doc) : 0;

    if (rc == 0)
        show_document(out, doc.root);
    yaml_doc_free(&doc);
    return rc;
}

int rule_show(const char *path, struct buf *out, struct diag *diag, struct err *e)
{
    struct rule_draft d = { .diag = diag };
    struct yaml_doc doc = { 0 };
    struct yaml_binder b = { .owner = &d, .e = e };
    struct buf text = { 0 };
    int rc = 0;

    rule_defaults(&d.rule);
    if (path && (rule_load(path, &text, e) < 0 || rule_read_document(&b, buf_span(&text), path, &doc) < 0 || rule_bind(&b, doc.root) < 0
                 || rule_check(&b) < 0))
        rc = -1;
    if (rc == 0)
        show_document(out, doc.root);
    yaml_doc_free(&doc);
    buf_free(&text);
    rule_free(&d.rule);
    return rc;
}
