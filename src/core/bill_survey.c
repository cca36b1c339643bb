/* bill_survey: says of a bill what somebody would otherwise look for in its files.
 * Each amount is rounded on its own. What repeats money is shown and in no sum, as in reports. */
#include "gputab/core/bill_survey.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "gputab/value/resource_id.h"

enum { TYPES_SHOWN = 8 };

struct view {
    struct survey *out;
    const struct bill_survey *from;
    const struct bill *bill;
    const char *currency;
    int digits;
};

static void say(struct view *v, enum survey_level level, const char *subject, struct buf *text, const char *hint)
{
    vec_push(&v->out->findings, (struct finding){level, subject, buf_take(text), level == SURVEY_FOUND || !hint ? NULL : xstrdup(hint)});
}

static void add_amount(const struct view *v, struct buf *b, money amount)
{
    money_add_text(b, money_round(amount, v->digits), v->digits);
    buf_addf(b, "%s%s", v->currency[0] ? " " : "", v->currency);
}

static void add_count(struct buf *b, int64_t n, const char *one, const char *many)
{
    buf_addf(b, "%lld %s", (long long)n, n == 1 ? one : many);
}

static void add_span(struct buf *b, struct timespan span)
{
    time_add_text(b, time_floor(span.from, TIME_SECOND));
    buf_adds(b, " to ");
    time_add_text(b, time_floor(span.to, TIME_SECOND));
}

/* ---- files ---- */

static bool same_head(const struct bill_text *a, const struct bill_text *b)
{
    return strcmp(a->format, b->format) == 0 && (!a->missing == !b->missing) && (!a->missing || strcmp(a->missing, b->missing) == 0);
}

static bool is_first(const struct bill *b, size_t i)
{
    for (size_t k = 0; k < i; k++)
        if (same_head(&b->texts.v[k], &b->texts.v[i]))
            return false;
    return true;
}

/* Texts with one head are said together. */
static void say_head(struct view *v, size_t first)
{
    const struct bill *b = v->bill;
    const struct bill_text *f = &b->texts.v[first];
    struct buf format = {0}, columns = {0}, resources = {0};
    int64_t files = 0, rows = 0;

    for (size_t i = first; i < b->texts.n; i++)
        if (same_head(f, &b->texts.v[i])) {
            files++;
            rows += b->texts.v[i].rows;
        }
    buf_addf(&format, "%s: %s%s, ", f->format, f->name, files > 1 ? " and others" : "");
    if (files > 1) {
        add_count(&format, files, "file", "files");
        buf_adds(&format, ", ");
    }
    add_count(&format, rows, "row", "rows");
    say(v, SURVEY_FOUND, "format", &format, NULL);
    buf_addf(&columns, "%d of %d%s%s", f->columns, f->columns_known, f->missing ? "; not there: " : "", f->missing ? f->missing : "");
    say(v, SURVEY_FOUND, "columns", &columns, NULL);
    buf_adds(&resources, f->resource_hint ? "no row can be a node's" : "rows name their resources");
    say(v, f->resource_hint ? SURVEY_FATAL : SURVEY_FOUND, "resource ids", &resources, f->resource_hint);
}

static void say_files(struct view *v)
{
    for (size_t i = 0; i < v->bill->texts.n; i++)
        if (is_first(v->bill, i))
            say_head(v, i);
}

/* ---- the whole ---- */

static void say_time(struct view *v)
{
    const struct bill *b = v->bill;
    struct timespan period = v->from->period;
    struct buf text = {0};
    bool any = b->rows > 0, inside = any && b->rows_span.from < period.to && period.from < b->rows_span.to;
    bool whole = !v->from->has_period || (b->rows_span.from <= period.from && period.to <= b->rows_span.to);

    buf_adds(&text, any ? "rows of " : "there is no row");
    if (any)
        add_span(&text, b->rows_span);
    if (any && !inside)
        buf_adds(&text, ", none of the period");
    say(v, !inside ? SURVEY_FATAL : whole ? SURVEY_FOUND : SURVEY_PARTLY, "time of the bill", &text,
        inside ? "the export had not ended, or a part is missing; time without rows is not billed" : "give the bill of the period");
}

static bool is_first_rate(const struct bill *b, size_t i)
{
    for (size_t k = 0; k < i; k++)
        if (strcmp(b->rates.v[k].from, b->rates.v[i].from) == 0)
            return false;
    return true;
}

static void say_currency(struct view *v)
{
    struct buf text = {0};

    buf_adds(&text, v->currency[0] ? v->currency : "no row has an amount");
    for (size_t i = 0; i < v->bill->rates.n; i++)
        if (is_first_rate(v->bill, i))
            buf_addf(&text, "%s%s", i ? ", " : "; by the rule's rates also from ", v->bill->rates.v[i].from);
    say(v, v->currency[0] ? SURVEY_FOUND : SURVEY_MISSING, "currency", &text, "see whether the export is complete");
}

static void say_final(struct view *v)
{
    const struct bill *b = v->bill;
    const char *says = b->is_final ? "final" : "estimated: some of the period is not invoiced yet";
    struct buf text = {0};

    buf_adds(&text, b->says_final ? says : "the bill does not say whether it is final");
    say(v, !b->says_final || b->is_final ? SURVEY_FOUND : SURVEY_PARTLY, "invoice", &text,
        "amounts may still change: report again when the provider has closed the month");
}

/* ---- GPU nodes ---- */

struct type_count {
    uint32_t type;                 /* 0: unknown */
    int64_t nodes;
};
typedef VEC(struct type_count) type_counts;

static void count_type(type_counts *t, uint32_t type)
{
    for (size_t i = 0; i < t->n; i++)
        if (t->v[i].type == type) {
            t->v[i].nodes++;
            return;
        }
    vec_push(t, (struct type_count){type, 1});
}

static int by_nodes(const void *pa, const void *pb, void *names)
{
    const struct type_count *a = pa, *b = pb;

    if (a->nodes != b->nodes)
        return a->nodes > b->nodes ? -1 : 1;
    return intern_cmp(names, a->type, b->type);
}

static bool is_first_of_node(const struct bill *b, size_t i)
{
    return i == 0 || b->charges.v[i].resource != b->charges.v[i - 1].resource;
}

/* "3: 2 g5.xlarge, 1 p4d.24xlarge" */
static void add_types(const struct view *v, struct buf *text, type_counts *t)
{
    union { const struct intern *in; void *out; } names = {v->from->names};

    if (t->n)
        qsort_r(t->v, t->n, sizeof *t->v, by_nodes, names.out);
    for (size_t i = 0; i < t->n && i < TYPES_SHOWN; i++)
        buf_addf(text, "%s%lld %s", i ? ", " : ": ", (long long)t->v[i].nodes,
                 t->v[i].type ? intern_cstr(v->from->names, t->v[i].type) : "of unknown type");
    if (t->n > TYPES_SHOWN)
        buf_addf(text, ", and %zu other types", t->n - TYPES_SHOWN);
}

static void say_nodes(struct view *v)
{
    type_counts types = {0};
    struct buf text = {0};
    int64_t nodes = 0;

    for (size_t i = 0; i < v->bill->charges.n; i++)
        if (is_first_of_node(v->bill, i)) {
            nodes++;
            count_type(&types, charge_list_at(&v->bill->charges, i).instance_type);
        }
    buf_addf(&text, "%lld", (long long)nodes);
    add_types(v, &text, &types);
    say(v, nodes ? SURVEY_FOUND : SURVEY_FATAL, "GPU nodes", &text,
        "the catalogue knows no type of its machines as one with GPUs: give metrics too, which show the nodes that have some");
    vec_free(&types);
}

static void add_hours(struct buf *b, int64_t ms)
{
    int64_t tenths = (ms * 10 + TIME_HOUR / 2) / TIME_HOUR;

    buf_addf(b, "%lld.%lld hours", (long long)(tenths / 10), (long long)(tenths % 10));
}

/* Cost 0 of some of a node's hours: they were paid elsewhere. */
static void say_free(struct view *v)
{
    struct buf text = {0};
    int64_t ms = 0, nodes = 0;
    uint32_t last = 0;

    for (size_t i = 0; i < v->bill->charges.n; i++) {
        const struct charge_kept *c = &v->bill->charges.v[i];

        if (c->cost != 0 || c->billed_ns == 0)
            continue;
        ms += c->billed_ns / TIME_NS_PER_MS;
        nodes += c->resource != last;
        last = c->resource;
    }
    if (nodes == 0)
        return;
    add_count(&text, nodes, "GPU node", "GPU nodes");
    buf_adds(&text, " for ");
    add_hours(&text, ms);
    say(v, SURVEY_MISSING, "time without cost", &text,
        "a capacity block is paid by a fee: see capacity_blocks in gputab-rule(5); with cost: billed, time under a commitment costs 0");
}

/* ---- money ---- */

static void say_amounts(struct view *v, const char *subject, int64_t rows, money cost, money invoiced)
{
    struct buf text = {0};

    add_amount(v, &text, cost);
    if (rows > 0) {
        buf_adds(&text, " in ");
        add_count(&text, rows, "row", "rows");
    }
    if (invoiced != cost) {
        buf_adds(&text, "; invoiced ");
        add_amount(v, &text, invoiced);
    }
    say(v, SURVEY_FOUND, subject, &text, NULL);
}

static const char *const group_subjects[BILL_GROUPS] = {
    [GROUP_OTHER_RESOURCES] = "other resources", [GROUP_ATTACHED] = "attached", [GROUP_TAX] = "tax", [GROUP_CREDIT] = "credits",
    [GROUP_REFUND] = "refunds", [GROUP_FEE] = "fees", [GROUP_UNUSED_COMMITMENT] = "unused commitments",
    [GROUP_EXCLUDED] = "excluded, in no sum",
};

static void say_money(struct view *v)
{
    const struct bill *b = v->bill;
    money cost = 0, invoiced = 0;
    int64_t rows = 0;

    for (size_t i = 0; i < b->charges.n; i++) {
        cost += b->charges.v[i].cost;
        invoiced += b->charges.v[i].invoiced;
    }
    for (size_t i = 0; i < b->files.n; i++)
        rows += b->files.v[i].rows_used;
    say_amounts(v, "cost of GPU nodes", rows, cost, invoiced);
    for (int g = 0; g < BILL_GROUPS; g++)
        if (b->group_rows[g] || b->groups[g])
            say_amounts(v, group_subjects[g], b->group_rows[g], b->groups[g], b->groups_invoiced[g]);
    if (b->outside || b->outside_invoiced)
        say_amounts(v, "outside the period", 0, b->outside, b->outside_invoiced);
    say_amounts(v, "the whole bill", b->rows, b->file_total, b->file_invoiced);
}

/* ---- types ---- */

static size_t count_letters(struct span s)
{
    size_t n = 0;

    while (n < s.n && isalpha((unsigned char)s.p[n]))
        n++;
    return n;
}

/* "p" of "p5.48xlarge", "NC" of "Standard_NC24ads_A100_v4"; empty when the name begins with no letter. */
static struct span family_of(struct span type)
{
    static const char azure[] = "Standard_";

    if (span_starts(type, azure))
        type = (struct span){type.p + sizeof azure - 1, type.n - (sizeof azure - 1)};
    return (struct span){type.p, count_letters(type)};
}

/* What parts a name: '.' on AWS, '-' on Google Cloud, '_' on Azure. */
static char sign_of(struct span type)
{
    for (size_t i = 0; i < type.n; i++)
        if (!isalnum((unsigned char)type.p[i]))
            return type.p[i];
    return '\0';
}

/* "p5.4xlarge" where "p5.48xlarge" is known. */
static bool looks_like_gpus(const struct catalogue *c, struct span type)
{
    struct span family = family_of(type);

    for (size_t i = 0; i < c->types.n && family.n > 0; i++) {
        struct span known = span_of(c->types.v[i].name);

        if (span_same(family_of(known), family) && sign_of(known) == sign_of(type))
            return true;
    }
    return span_has_fold(type, "gpu");
}

static int by_type(const void *pa, const void *pb, void *names)
{
    return intern_cmp(names, ((const struct bill_type *)pa)->type, ((const struct bill_type *)pb)->type);
}

static struct intern *types_of_charges(const struct bill *b)
{
    struct intern *types = intern_new();

    for (size_t i = 0; i < b->charges.n; i++) {
        uint32_t type = charge_list_at(&b->charges, i).instance_type;

        intern_put(types, &type, sizeof type);
    }
    return types;
}

static void say_type(struct view *v, const struct bill_type *t, bool charged)
{
    struct buf text = {0};

    buf_addf(&text, "the catalogue does not know %s: ", intern_cstr(v->from->names, t->type));
    add_count(&text, t->rows, "row", "rows");
    buf_adds(&text, ", ");
    add_amount(v, &text, t->cost);
    say(v, SURVEY_PARTLY, "instance type", &text,
        charged ? "the GPUs of its nodes are those that metrics show" : "if it has GPUs, metrics that show them make its rows a node's");
}

static void say_types(struct view *v)
{
    const struct bill *b = v->bill;
    struct intern *charged = types_of_charges(b);
    union { const struct intern *in; void *out; } names = {v->from->names};
    struct bill_type *t = xcalloc(b->unknown_types.n + 1, sizeof *t);

    for (size_t i = 0; i < b->unknown_types.n; i++)
        t[i] = b->unknown_types.v[i];
    qsort_r(t, b->unknown_types.n, sizeof *t, by_type, names.out);
    for (size_t i = 0; i < b->unknown_types.n; i++) {
        bool is_charged = intern_find(charged, &t[i].type, sizeof t[i].type) != 0;

        if (is_charged || looks_like_gpus(v->from->catalogue, intern_get(v->from->names, t[i].type)))
            say_type(v, &t[i], is_charged);
    }
    free(t);
    intern_free(charged);
}

/* ---- beside the metrics ---- */

/* A scale set is known by its machines. */
static void know(struct intern *known, const struct intern *names, uint32_t resource)
{
    struct span set = resource_id_set_of(intern_get(names, resource));
    uint32_t id = set.n ? intern_find(names, set.p, set.n) : 0;

    intern_put(known, &resource, sizeof resource);
    if (id)
        intern_put(known, &id, sizeof id);
}

static struct intern *resources_of_nodes(const struct inventory *inv)
{
    struct intern *known = intern_new();

    for (size_t n = 0; n < inv->nodes.n; n++)
        for (uint32_t i = 0; i < inv->nodes.v[n].resource.n; i++)
            know(known, inv->names, inv->nodes.v[n].resource.v[i].value);
    return known;
}

static bool is_looked_at(const struct view *v, const struct charge_kept *c)
{
    return c->span.from < v->from->looked.to && v->from->looked.from < c->span.to;
}

static void say_joined(struct view *v)
{
    struct intern *known, *seen;
    struct buf text = {0};
    int64_t have = 0, of = 0;

    if (!v->from->inventory)
        return;
    known = resources_of_nodes(v->from->inventory);
    seen = intern_new();
    for (size_t i = 0; i < v->bill->charges.n; i++) {
        uint32_t r = v->bill->charges.v[i].resource;

        if (!is_looked_at(v, &v->bill->charges.v[i]) || intern_find(seen, &r, sizeof r))
            continue;
        intern_put(seen, &r, sizeof r);
        of++;
        have += intern_find(known, &r, sizeof r) != 0;
    }
    buf_addf(&text, "%lld of %lld GPU nodes that were billed then", (long long)have, (long long)of);
    say(v, have == of ? SURVEY_FOUND : have ? SURVEY_PARTLY : SURVEY_FATAL, "nodes in the metrics", &text,
        "the others are (no-metrics): do the metrics come from all clusters of the account, with node identities?");
    intern_free(known);
    intern_free(seen);
}

/* ---- a price list ---- */

static void say_priced(struct view *v)
{
    const struct bill_survey_prices *p = v->from->prices;
    struct buf text = {0}, hint = {0};

    if (!v->from->inventory) {
        buf_adds(&text, "not known: no metrics are given");
        say(v, SURVEY_MISSING, "nodes with a price", &text, "metrics show which nodes ran and when: that is what the list charges");
        return;
    }
    buf_addf(&text, "%zu of %zu GPU nodes that no bill has", p->priced, p->unbilled);
    buf_addf(&hint, "%s has none and is (unbilled): write a line for its name, cluster and type", p->without_price ? p->without_price : "");
    say(v, p->priced == p->unbilled ? SURVEY_FOUND : p->priced ? SURVEY_PARTLY : SURVEY_FATAL, "nodes with a price", &text, buf_str(&hint));
    buf_free(&hint);
}

static void say_prices(struct view *v)
{
    const struct bill_survey_prices *p = v->from->prices;
    struct buf text = {0}, lines = {0};

    buf_addf(&text, "%s: ", p->name);
    add_count(&text, (int64_t)p->lines, "line", "lines");
    buf_addf(&text, " in %s", p->currency);
    say(v, SURVEY_FOUND, "price list", &text, NULL);
    say_priced(v);
    if (!v->from->inventory || p->unused == 0)
        return;
    buf_addf(&lines, "%zu of %zu charge no node, the first is for \"%s\"", p->unused, p->lines, p->first_unused);
    say(v, SURVEY_PARTLY, "lines of the list", &lines,
        "its nodes are not in the metrics, have no GPU, are on a bill, or fit a line further up");
}

void bill_survey_add(struct survey *s, const struct bill_survey *from)
{
    struct view v = {.out = s, .from = from, .bill = from->bill};
    bool is_bill = from->bill->texts.n || !from->prices;     /* and not a price list alone */

    v.currency = from->bill->currency ? intern_cstr(from->names, from->bill->currency) : "";
    v.digits = money_currency_digits(span_of(v.currency));
    if (is_bill) {
        say_files(&v);
        say_time(&v);
        say_currency(&v);
        say_final(&v);
    }
    if (from->prices)
        say_prices(&v);
    if (is_bill || from->bill->charges.n) {
        say_nodes(&v);
        say_free(&v);
        say_types(&v);
        say_joined(&v);
        say_money(&v);
    }
}
