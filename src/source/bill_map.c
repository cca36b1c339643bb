/* bill_map: the schema of a map as tables, and what must hold between its keys.
 *
 * A map says nothing that could be left out silently: whatever column it names must be there, and a key that would have no effect is an
 * error. This module opens no bill. */
#include "gputab/source/bill_map.h"

#include <string.h>

#include "gputab/base/buf.h"
#include "gputab/base/file.h"
#include "gputab/codec/yaml.h"
#include "gputab/value/time_pattern.h"
#include "gputab/value/timespan.h"

static const char schema_name[] = "gputab.billing-map/1";

static struct bill_map *map_of(struct yaml_binder *b)
{
    return b->owner;
}

/* ---- scalars ---- */

/* Such as "," or " "; the names are for those that are hard to write. */
static int read_char(struct yaml_binder *b, const struct yaml_node *value, void *target, const void *allowed)
{
    static const struct { const char *name; char c; } names[] = {
        {"comma", ','}, {"semicolon", ';'}, {"tab", '\t'}, {"point", '.'}, {"space", ' '},
    };
    char c;

    if (yaml_expect(b, value, YAML_TEXT) < 0)
        return -1;
    c = strlen(value->text) == 1 ? *value->text : '\0';
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strcmp(value->text, names[i].name) == 0)
            c = names[i].c;
    if (c && strchr(allowed, c)) {
        *(char *)target = c;
        return 0;
    }
    yaml_fail(b, value, "%s cannot be \"%s\"", yaml_name(value), yaml_show(value->text).s);
    return err_hint(b->e, "write one character, or comma, semicolon, tab, point or space, as far as it makes sense here");
}

static int read_pattern(struct yaml_binder *b, const struct yaml_node *value, void *target, const void *unused)
{
    const char *fault;

    if (yaml_read_text(b, value, target, unused) < 0)
        return -1;
    fault = time_pattern_fault(value->text);
    if (!fault)
        return 0;
    yaml_fail(b, value, "\"%s\" %s", yaml_show(value->text).s, fault);
    return err_hint(b->e, "such as \"DD.MM.YYYY hh:mm\"; the parts are YYYY, YY, MM, MON, DD, hh, mm, ss, AMPM");
}

/* "+02:00": read as the zone of a time. */
static int read_zone(struct yaml_binder *b, const struct yaml_node *value, void *target, const void *unused)
{
    struct buf text = {0};
    time_ms t = 0;
    int rc;

    (void)unused;
    if (yaml_expect(b, value, YAML_TEXT) < 0)
        return -1;
    buf_addf(&text, "2000-01-01T00:00:00%s", value->text);
    rc = time_parse(buf_span(&text), &t);
    buf_free(&text);
    if (rc < 0 || value->text[0] == '\0') {
        yaml_fail(b, value, "\"%s\" is no offset from UTC", yaml_show(value->text).s);
        return err_hint(b->e, "such as \"+02:00\" or UTC; a zone with summer time has none that holds all year");
    }
    *(int64_t *)target = INT64_C(946684800000) - t;
    return 0;
}

#define FIELD(field) offsetof(struct bill_map, field)

static const struct yaml_key group_keys[] = {
    { "other_resources", yaml_read_texts, FIELD(groups[GROUP_OTHER_RESOURCES]), NULL },
    { "tax", yaml_read_texts, FIELD(groups[GROUP_TAX]), NULL },
    { "credit", yaml_read_texts, FIELD(groups[GROUP_CREDIT]), NULL },
    { "refund", yaml_read_texts, FIELD(groups[GROUP_REFUND]), NULL },
    { "fee", yaml_read_texts, FIELD(groups[GROUP_FEE]), NULL },
    { "unused_commitment", yaml_read_texts, FIELD(groups[GROUP_UNUSED_COMMITMENT]), NULL },
    { "excluded", yaml_read_texts, FIELD(groups[GROUP_EXCLUDED]), NULL },
};
static const struct yaml_key piece_keys[] = {
    { "gpu", yaml_read_texts, FIELD(pieces[PIECE_GPU]), NULL },
    { "cpu", yaml_read_texts, FIELD(pieces[PIECE_CPU]), NULL },
    { "memory", yaml_read_texts, FIELD(pieces[PIECE_MEMORY]), NULL },
};
static const struct yaml_key purchase_keys[] = {
    { "on_demand", yaml_read_texts, FIELD(purchases[PURCHASE_ON_DEMAND]), NULL },
    { "spot", yaml_read_texts, FIELD(purchases[PURCHASE_SPOT]), NULL },
    { "reserved", yaml_read_texts, FIELD(purchases[PURCHASE_RESERVED]), NULL },
    { "savings_plan", yaml_read_texts, FIELD(purchases[PURCHASE_SAVINGS_PLAN]), NULL },
    { "capacity_block", yaml_read_texts, FIELD(purchases[PURCHASE_CAPACITY_BLOCK]), NULL },
    { "committed", yaml_read_texts, FIELD(purchases[PURCHASE_COMMITTED]), NULL },
};
static const struct yaml_schema group_schema = YAML_SCHEMA(group_keys), piece_schema = YAML_SCHEMA(piece_keys),
                                purchase_schema = YAML_SCHEMA(purchase_keys);

/* One option for all rows, or words of a column for some. */
static int read_purchase(struct yaml_binder *b, const struct yaml_node *value, void *target, const void *unused)
{
    static const char *const names[] = {"on_demand", "spot", "reserved", "savings_plan", "capacity_block", "committed", "unknown", NULL};

    (void)unused;
    if (value->kind == YAML_MAP)
        return yaml_read_map(b, value, target, &purchase_schema);
    return yaml_read_enum(b, value, &map_of(b)->purchase, names);
}

/* ---- the file ---- */

static const struct yaml_key number_keys[] = {
    { "decimal", read_char, FIELD(decimal), ".," },
    { "thousands", read_char, FIELD(thousands), ".,' _" },
    { "symbol", yaml_read_text, FIELD(symbol), NULL },
};
static const struct yaml_key column_keys[] = {
    { "resource", yaml_read_text, FIELD(columns[MAPPED_RESOURCE]), NULL },
    { "start", yaml_read_text, FIELD(columns[MAPPED_START]), NULL },
    { "end", yaml_read_text, FIELD(columns[MAPPED_END]), NULL },
    { "duration", yaml_read_text, FIELD(columns[MAPPED_DURATION]), NULL },
    { "cost", yaml_read_text, FIELD(columns[MAPPED_COST]), NULL },
    { "billed", yaml_read_text, FIELD(columns[MAPPED_BILLED]), NULL },
    { "list", yaml_read_text, FIELD(columns[MAPPED_LIST]), NULL },
    { "currency", yaml_read_text, FIELD(columns[MAPPED_CURRENCY]), NULL },
    { "quantity", yaml_read_text, FIELD(columns[MAPPED_QUANTITY]), NULL },
    { "unit", yaml_read_text, FIELD(columns[MAPPED_UNIT]), NULL },
    { "kind", yaml_read_text, FIELD(columns[MAPPED_KIND]), NULL },
    { "type", yaml_read_text, FIELD(columns[MAPPED_TYPE]), NULL },
    { "region", yaml_read_text, FIELD(columns[MAPPED_REGION]), NULL },
    { "purchase", yaml_read_text, FIELD(columns[MAPPED_PURCHASE]), NULL },
    { "gpus", yaml_read_text, FIELD(columns[MAPPED_GPUS]), NULL },
    { "vcpus", yaml_read_text, FIELD(columns[MAPPED_VCPUS]), NULL },
    { "memory_gib", yaml_read_text, FIELD(columns[MAPPED_MEMORY]), NULL },
    { "invoice", yaml_read_text, FIELD(columns[MAPPED_INVOICE]), NULL },
};
static const struct yaml_schema number_schema = YAML_SCHEMA(number_keys), column_schema = YAML_SCHEMA(column_keys);

static const char *const units[] = {"hours", "minutes", "seconds", "days", "gpu_hours", NULL};
static const char *const duration_units[] = {"hours", "minutes", "seconds", "days", NULL};
static const char *const everies[] = {"hour", "day", "month", NULL};
static const char *const ends[] = {"exclusive", "last_day", NULL};

static int read_ends(struct yaml_binder *b, const struct yaml_node *value, void *target, const void *arg)
{
    int which = 0;

    if (yaml_read_enum(b, value, &which, arg) < 0)
        return -1;
    *(bool *)target = which == 1;
    return 0;
}

static int read_every(struct yaml_binder *b, const struct yaml_node *value, void *target, const void *arg)
{
    int which = 0;

    if (yaml_read_enum(b, value, &which, arg) < 0)
        return -1;
    *(enum bill_map_every *)target = (enum bill_map_every)(which + 1);
    return 0;
}

static const struct yaml_key keys[] = {
    { "schema", yaml_read_schema, 0, schema_name },
    { "name", yaml_read_text, FIELD(name), NULL },
    { "delimiter", read_char, FIELD(delimiter), ",;\t|" },
    { "numbers", yaml_read_map, 0, &number_schema },
    { "times", read_pattern, FIELD(times), NULL },
    { "zone", read_zone, FIELD(zone_ms), NULL },
    { "currency", yaml_read_currency, FIELD(currency), NULL },
    { "columns", yaml_read_map, 0, &column_schema },
    { "unit", yaml_read_enum, FIELD(unit), units },
    { "duration_unit", yaml_read_enum, FIELD(duration_unit), duration_units },
    { "every", read_every, FIELD(every), everies },
    { "ends", read_ends, FIELD(ends_with_day), ends },
    { "instance_time", yaml_read_texts, FIELD(instance_time), NULL },
    { "groups", yaml_read_map, 0, &group_schema },
    { "pieces", yaml_read_map, 0, &piece_schema },
    { "purchase", read_purchase, 0, NULL },
};
static const struct yaml_schema schema = YAML_SCHEMA(keys);

#undef FIELD

/* ---- what goes with what ---- */

static const struct yaml_node *written(const struct yaml_node *root, const char *key)
{
    const struct yaml_node *columns = yaml_get(root, "columns");

    return span_starts(span_of(key), "columns.") ? (columns ? yaml_get(columns, key + strlen("columns.")) : NULL) : yaml_get(root, key);
}

static const struct {
    const char *key;
    const char *needs;             /* one of these, separated by '|' */
} needs[] = {
    { "schema", "columns" },       { "columns", "columns.resource" }, { "columns", "columns.start" },  { "columns", "columns.cost" },
    { "columns", "columns.end|columns.duration|every" },              { "columns", "columns.currency|currency" },
    { "unit", "columns.quantity" },                                   { "columns.unit", "columns.quantity" },
    { "columns.quantity", "columns.unit|unit" },                      { "duration_unit", "columns.duration" },
    { "ends", "columns.end" },     { "instance_time", "columns.kind" }, { "groups", "columns.kind" },  { "pieces", "columns.kind" },
    { "columns.purchase", "purchase" }, { "zone", "times" },
};

static const struct {
    const char *one, *other;
} excludes[] = {
    { "columns.end", "columns.duration" }, { "columns.end", "every" }, { "columns.duration", "every" }, { "columns.currency", "currency" },
    { "columns.unit", "unit" },            { "instance_time", "pieces" },
};

static bool has_one(const struct yaml_node *root, const char *list)
{
    struct span rest = span_of(list);

    while (rest.n) {
        const char *bar = memchr(rest.p, '|', rest.n);
        size_t n = bar ? (size_t)(bar - rest.p) : rest.n;
        char key[40] = "";

        memcpy(key, rest.p, n < sizeof key - 1 ? n : sizeof key - 1);
        if (written(root, key))
            return true;
        rest = (struct span){rest.p + n + (bar != NULL), rest.n - n - (bar != NULL)};
    }
    return false;
}

static void add_choice(struct buf *b, const char *list)
{
    for (const char *p = list; *p; p++) {
        if (*p == '|')
            buf_adds(b, " or ");
        else
            buf_addc(b, *p);
    }
}

static int check_needs(struct yaml_binder *b, const struct yaml_node *root)
{
    for (size_t i = 0; i < sizeof needs / sizeof *needs; i++) {
        const struct yaml_node *at = written(root, needs[i].key);
        struct buf text = {0};

        if (!at || has_one(root, needs[i].needs))
            continue;
        add_choice(&text, needs[i].needs);
        yaml_fail(b, at->key ? at->key : at, "%s needs %s", i == 0 ? "a map" : needs[i].key, buf_str(&text));
        buf_free(&text);
        return -1;
    }
    for (size_t i = 0; i < sizeof excludes / sizeof *excludes; i++)
        if (written(root, excludes[i].one) && written(root, excludes[i].other))
            return yaml_fail(b, written(root, excludes[i].other)->key, "%s and %s exclude each other", excludes[i].one, excludes[i].other);
    return 0;
}

static int check_map(struct yaml_binder *b, const struct yaml_node *root)
{
    const struct bill_map *m = map_of(b);
    const struct yaml_node *purchase = yaml_get(root, "purchase");

    if (check_needs(b, root) < 0)
        return -1;
    if (m->thousands == m->decimal)
        return yaml_fail(b, yaml_get(root, "numbers"), "decimal and thousands are the same character");
    if (m->unit == MAPPED_GPU_HOURS && !m->columns[MAPPED_GPUS] && !yaml_get(root, "pieces"))
        return yaml_fail(b, yaml_get(root, "unit"), "unit: gpu_hours needs columns.gpus, the number of GPUs of the machine");
    if (purchase && (purchase->kind == YAML_MAP) != (m->columns[MAPPED_PURCHASE] != NULL))
        return yaml_fail(b, purchase->key, purchase->kind == YAML_MAP ? "purchase has words, but no column: write columns.purchase"
                                                                      : "purchase is said by a column and for all rows");
    return 0;
}

static int read_document(struct span text, struct bill_map *m, struct err *e)
{
    struct yaml_doc doc = {0};
    struct yaml_binder b = { .doc = &doc, .owner = m, .texts = &m->texts, .e = e };
    int rc = -1;

    if (yaml_doc_read(text, m->path, &doc, e) == 0 && yaml_check_schema(&b, schema_name) == 0 && yaml_bind(&b, doc.root, &schema, m) == 0)
        rc = check_map(&b, doc.root);
    yaml_doc_free(&doc);
    return rc;
}

int bill_map_read(const char *path, struct bill_map *m, struct err *e)
{
    struct buf text = {0};
    int rc;

    m->path = m->name = arena_strdup(&m->texts, path);
    m->delimiter = ',';
    m->decimal = '.';
    m->purchase = PURCHASE_UNKNOWN;
    rc = file_read(path, YAML_BYTES, &text, e);
    if (rc == 0)
        rc = read_document(buf_span(&text), m, e);
    buf_free(&text);
    return rc;
}

void bill_map_free(struct bill_map *m)
{
    arena_free(&m->texts);
    *m = (struct bill_map){0};
}
