/* price_list: the schema of a list as tables, and prices per hour out of what people know of their machines.
 *
 * A month of a machine's life has 730.5 hours, so that 48 months are four years of 365.25 days. Interest and residual values are not
 * computed: who wants them writes them into the price. Charges are made in price_list_charge.c. */
#include "gputab/source/price_list.h"

#include <string.h>

#include "gputab/base/buf.h"
#include "gputab/base/file.h"
#include "gputab/codec/yaml.h"

static const char schema_name[] = "gputab.price-list/1";

enum { MONTH_TENTHS = 7305 };  /* of hours in a month */

#define PRICE_MAX (1000000000 * MONEY_ONE)

/* A line as it is written. */
struct draft {
    const char *const *nodes;
    const char *cluster, *type, *region;
    money hour, purchase, life_months, watts, kwh, pue;
};

static int read_number(struct yaml_binder *b, const struct yaml_node *value, void *target, const void *unused)
{
    money *out = target;

    (void)unused;
    if (yaml_expect(b, value, YAML_TEXT) < 0)
        return -1;
    if (money_parse(span_of(value->text), out, NULL) == 0 && *out >= 0 && *out <= PRICE_MAX)
        return 0;
    return yaml_fail(b, value, "%s must be a number from 0 to 1000000000 such as \"0.25\", not \"%s\"", yaml_name(value),
                     yaml_show(value->text).s);
}

#define FIELD(field) offsetof(struct draft, field)

static const struct yaml_key line_keys[] = {
    { "node", yaml_read_texts, FIELD(nodes), NULL },
    { "cluster", yaml_read_text, FIELD(cluster), NULL },
    { "type", yaml_read_text, FIELD(type), NULL },
    { "region", yaml_read_text, FIELD(region), NULL },
    { "hour", read_number, FIELD(hour), NULL },
    { "purchase", read_number, FIELD(purchase), NULL },
    { "life_months", read_number, FIELD(life_months), NULL },
    { "watts", read_number, FIELD(watts), NULL },
    { "kwh", read_number, FIELD(kwh), NULL },
    { "pue", read_number, FIELD(pue), NULL },
};
static const struct yaml_schema line_schema = YAML_SCHEMA(line_keys);

#undef FIELD

/* Keys that say nothing without each other. */
static const struct { const char *key, *needs; } pairs[] = {
    { "purchase", "life_months" }, { "life_months", "purchase" }, { "watts", "kwh" }, { "kwh", "watts" }, { "pue", "watts" },
};

static int check_line(struct yaml_binder *b, const struct yaml_node *item, const struct draft *d)
{
    if (!d->nodes)
        return yaml_fail(b, item, "a line needs node, the names of its nodes (\"*\" for all)");
    if (!yaml_get(item, "hour") && !yaml_get(item, "purchase") && !yaml_get(item, "watts"))
        return yaml_fail(b, item, "a line needs a price: hour, or purchase and life_months, or watts and kwh");
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++)
        if (yaml_get(item, pairs[i].key) && !yaml_get(item, pairs[i].needs))
            return yaml_fail(b, yaml_get(item, pairs[i].key)->key, "%s needs %s", pairs[i].key, pairs[i].needs);
    if (yaml_get(item, "life_months") && d->life_months < MONEY_ONE)
        return yaml_fail(b, yaml_get(item, "life_months"), "life_months must be 1 or more");
    if (yaml_get(item, "pue") && d->pue < MONEY_ONE)
        return yaml_fail(b, yaml_get(item, "pue"), "pue must be 1 or more");
    return 0;
}

/* Numbers are at most 10^9 each; their products fit, and a price that is too high for a sum is refused by the caller. */
static money price_of(const struct draft *d)
{
    money power = money_mul_div(money_mul_div(d->watts, (weight)d->pue, (weight)MONEY_ONE), 1, 1000), hour = d->hour;

    if (d->life_months > 0)
        hour += money_mul_div(d->purchase, (weight)MONEY_ONE * 10, (weight)d->life_months * MONTH_TENTHS);
    return hour + money_mul_div(power, (weight)d->kwh, (weight)MONEY_ONE);
}

static int read_line(struct yaml_binder *b, const struct yaml_node *item)
{
    struct price_list *l = b->owner;
    struct draft d = { .pue = MONEY_ONE };
    money hour;

    if (yaml_bind(b, item, &line_schema, &d) < 0 || check_line(b, item, &d) < 0)
        return -1;
    hour = price_of(&d);
    if (hour > PRICE_MAX)
        return yaml_fail(b, item, "a price of more than 1000000000 an hour");
    vec_push(&l->lines, (struct price_line){d.nodes, d.cluster, d.type, d.region, hour});
    return 0;
}

static int read_lines(struct yaml_binder *b, const struct yaml_node *value, void *target, const void *unused)
{
    (void)target;
    (void)unused;
    if (value->kind == YAML_LIST && value->n > PRICE_LINES_MAX)
        return yaml_fail(b, value->key, "nodes has more than %d lines", PRICE_LINES_MAX);
    return yaml_read_items(b, value, read_line);
}

static const struct yaml_key keys[] = {
    { "schema", yaml_read_schema, 0, schema_name },
    { "name", yaml_read_text, offsetof(struct price_list, name), NULL },
    { "currency", yaml_read_currency, offsetof(struct price_list, currency), NULL },
    { "nodes", read_lines, 0, NULL },
};
static const struct yaml_schema schema = YAML_SCHEMA(keys);

static int check_list(struct yaml_binder *b, const struct price_list *l)
{
    if (!l->currency)
        return yaml_fail(b, b->doc->root, "a price list needs a currency");
    return l->lines.n ? 0 : yaml_fail(b, b->doc->root, "a price list needs nodes");
}

static int read_document(struct span text, struct price_list *l, struct err *e)
{
    struct yaml_doc doc = {0};
    struct yaml_binder b = { .doc = &doc, .owner = l, .texts = &l->texts, .e = e };
    int rc = -1;

    if (yaml_doc_read(text, l->path, &doc, e) == 0 && yaml_check_schema(&b, schema_name) == 0 && yaml_bind(&b, doc.root, &schema, l) == 0)
        rc = check_list(&b, l);
    yaml_doc_free(&doc);
    return rc;
}

static void hash(struct span text, char hex[SHA256_HEX])
{
    struct sha256 *h = sha256_new();

    sha256_add(h, text.p, text.n);
    sha256_end(h, hex);
}

int price_list_read(const char *path, struct price_list *l, struct err *e)
{
    struct buf text = {0};
    int rc;

    l->path = arena_strdup(&l->texts, path);
    l->name = arena_strdup(&l->texts, span_after_last(span_of(path), '/').p);
    rc = file_read(path, YAML_BYTES, &text, e);
    if (rc == 0) {
        hash(buf_span(&text), l->sha256);
        rc = read_document(buf_span(&text), l, e);
    }
    buf_free(&text);
    return rc;
}

void price_list_free(struct price_list *l)
{
    vec_free(&l->lines);
    arena_free(&l->texts);
    *l = (struct price_list){0};
}
