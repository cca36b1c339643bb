/* rule: a rule file becomes a struct rule, or one error that says where it is wrong and what would have been right.
 *
 * The schema is the tables below, a row a key. Reading goes through the file in its own order; the first mistake ends it. Keys
 * whose effect is not built (rule_unbuilt) are refused only after everything else has proved to be in order.
 * This module does not apply the rule: core/ does. */
#include "gputab/source/rule.h"

#include <string.h>

#include "gputab/base/file.h"
#include "gputab/base/sha256.h"
#include "gputab/source/rule_block.h"
#include "gputab/source/rule_draft.h"
#include "gputab/source/rule_fx.h"
#include "gputab/source/rule_gate.h"
#include "gputab/source/rule_owner.h"
#include "gputab/source/rule_unbuilt.h"

static const char schema_name[] = "gputab.rule/1";

/* --- split --- */

static const char *const split_methods[] = { "reference", "residual", "shares", "billed", "aws-scad", "opencost", "datadog", NULL };
static const struct rule_choices split_choices = {
    "split method", split_methods, RULE_SPLIT_REFERENCE,
    1 << (RULE_SPLIT_REFERENCE - RULE_SPLIT_REFERENCE) | 1 << (RULE_SPLIT_SHARES - RULE_SPLIT_REFERENCE)
        | 1 << (RULE_SPLIT_BILLED - RULE_SPLIT_REFERENCE),
};

static int read_gpu_hour(struct yaml_binder *b, const struct yaml_node *value, void *target, const void *unused)
{
    struct rule *r = target;

    (void)unused;
    if (yaml_expect(b, value, YAML_MAP) < 0)
        return -1;
    for (const struct yaml_node *v = value->child; v; v = v->next) {
        struct rule_price p = {0};

        if (yaml_check_text(b, v->key) < 0 || rule_read_price(b, v, &p.price_hour, NULL) < 0)
            return -1;
        if (p.price_hour == 0)                             /* a model without a price can't be split */
            return yaml_fail(b, v, "the price of %s must be more than 0", yaml_show(v->key->text).s);
        p.model = arena_strdup(&r->strings, v->key->text);
        vec_push(&r->split.gpu_hour, p);
    }
    return 0;
}

/* A share that is not written is 0 %: what is written must sum to 100 %. */
static int read_shares(struct yaml_binder *b, const struct yaml_node *value, void *target, const void *unused)
{
    static const struct yaml_key keys[] = {
        { "cpu", rule_read_percent, offsetof(struct rule, split.share_cpu), NULL },
        { "memory", rule_read_percent, offsetof(struct rule, split.share_memory), NULL },
        { "gpu", rule_read_percent, offsetof(struct rule, split.share_gpu), NULL },
    };
    static const struct yaml_schema schema = YAML_SCHEMA(keys);
    struct rule *r = target;

    (void)unused;
    r->split.share_cpu = r->split.share_memory = r->split.share_gpu = 0;
    if (yaml_bind(b, value, &schema, r) < 0)
        return -1;
    return rule_check_sum(b, value, r->split.share_cpu + r->split.share_memory + r->split.share_gpu);
}

static const struct yaml_key split_keys[] = {
    { "method", rule_read_choice, offsetof(struct rule, split.method), &split_choices },
    { "vcpu_hour", rule_read_price, offsetof(struct rule, split.vcpu_hour), NULL },
    { "gib_hour", rule_read_price, offsetof(struct rule, split.gib_hour), NULL },
    { "gpu_hour", read_gpu_hour, 0, NULL },
    { "shares", read_shares, 0, NULL },
};
static const struct yaml_schema split_schema = YAML_SCHEMA(split_keys);

/* --- gpu, cpu_memory --- */

static const char *const exclusives[] = { "held", "resident", NULL };
static const char *const denominators[] = { "capacity", "usable", "residents", NULL };
static const char *const mig_weights[] = { "memory", "compute", NULL };
static const char *const fallbacks[] = { "even", "refuse", NULL };
static const struct rule_duration longer_than_0 = { 1, RULE_DURATION_MAX_MS }, any_duration = { 0, RULE_DURATION_MAX_MS };
static const struct rule_duration up_to_a_day = { 1, TIME_DAY };

static const struct yaml_key gpu_keys[] = {
    { "exclusive", yaml_read_enum, offsetof(struct rule, gpu.exclusive), exclusives },
    { "denominator", yaml_read_enum, offsetof(struct rule, gpu.denominator), denominators },
    { "mig_weight", yaml_read_enum, offsetof(struct rule, gpu.mig_weight), mig_weights },
    { "shared_fallback", yaml_read_enum, offsetof(struct rule, gpu.shared_fallback), fallbacks },
    { "min_coverage", rule_read_percent, offsetof(struct rule, gpu.min_coverage), NULL },
    { "max_gap", rule_read_duration, offsetof(struct rule, gpu.max_gap_ms), &longer_than_0 },
    { "interval", rule_read_duration, offsetof(struct rule, gpu.interval_ms), &up_to_a_day },
    { "startup", rule_read_duration, offsetof(struct rule, gpu.startup_ms), &any_duration },
};
static const struct yaml_schema gpu_schema = YAML_SCHEMA(gpu_keys);

static const char *const bases[] = { "request", "usage", "max", "gpu", NULL };
static const struct yaml_key basis_keys[] = {
    { "basis", yaml_read_enum, offsetof(struct rule, basis), bases },
};
static const struct yaml_schema basis_schema = YAML_SCHEMA(basis_keys);

/* --- the file --- */

static const char *const modes[] = { "showback", "chargeback", NULL };
static const char *const costs[] = { "effective", "billed", "list", "net_effective", NULL };
static const char *const credits[] = { "commitments", "all", "none", NULL };
static const char *const attached[] = { "separate", "include", NULL };

static int read_attached(struct yaml_binder *b, const struct yaml_node *value, void *target, const void *names)
{
    unsigned index;

    if (yaml_read_enum(b, value, &index, names) < 0)
        return -1;
    *(bool *)target = index == 1;
    return 0;
}

static const struct yaml_key rule_keys[] = {
    { "schema", yaml_read_schema, 0, schema_name },
    { "name", rule_read_text, offsetof(struct rule, name), NULL },
    { "version", rule_read_text, offsetof(struct rule, version), NULL },
    { "mode", yaml_read_enum, offsetof(struct rule, mode), modes },
    { "cost", yaml_read_enum, offsetof(struct rule, cost), costs },
    { "credits", yaml_read_enum, offsetof(struct rule, credits), credits },
    { "split", yaml_read_map, 0, &split_schema },
    { "gpu", yaml_read_map, 0, &gpu_schema },
    { "cpu_memory", yaml_read_map, 0, &basis_schema },
    { "idle", rule_read_idle, offsetof(struct rule, idle), NULL },
    { "owners", rule_read_owners, 0, NULL },
    { "cost_centres", rule_read_cost_centres, 0, NULL },
    { "capacity_blocks", rule_read_blocks, 0, NULL },
    { "shared_costs", rule_read_shared_costs, 0, NULL },
    { "budgets", rule_read_budgets, 0, NULL },
    { "gates", rule_read_gates, offsetof(struct rule, gates), NULL },
    { "attached", read_attached, offsetof(struct rule, attached_include), attached },
    { "fx", rule_read_fx, 0, NULL },
    { "privacy", rule_read_privacy, 0, NULL },
};
static const struct yaml_schema rule_schema = YAML_SCHEMA(rule_keys);

/* Money is charged on the strength of gates only. */
static int check_mode(struct yaml_binder *b, const struct rule *r)
{
    const struct yaml_node *gates = yaml_get(b->doc->root, "gates");

    if (r->mode != RULE_CHARGEBACK || (gates && gates->n))
        return 0;
    yaml_fail(b, yaml_get(b->doc->root, "mode"), "mode chargeback needs gates");
    return err_hint(b->e, "for example: gates: {coverage: \"98%%\", max_unmapped: \"2%%\"}");
}

static int raise_unbuilt(const struct rule_draft *d, struct err *e)
{
    if (d->unbuilt.code == ERR_NONE)
        return 0;
    *e = d->unbuilt;
    return -1;
}

static int read_text(struct span text, const char *path, struct rule_draft *d, struct err *e)
{
    struct yaml_doc doc = {0};
    struct yaml_binder b = { .doc = &doc, .owner = d, .e = e };
    int rc = -1;

    if (yaml_doc_read(text, path, &doc, e) < 0 || yaml_check_schema(&b, schema_name) < 0
        || yaml_bind(&b, doc.root, &rule_schema, &d->rule) < 0 || check_mode(&b, &d->rule) < 0)
        goto out;
    rc = raise_unbuilt(d, e);
out:
    yaml_doc_free(&doc);
    return rc;
}

static void hash(struct span text, char hex[SHA256_HEX])
{
    struct sha256 *h = sha256_new();

    sha256_add(h, text.p, text.n);
    sha256_end(h, hex);
}

int rule_read(const char *path, struct rule *r, struct diag *diag, struct err *e)
{
    struct rule_draft d = { .diag = diag };
    struct buf text = {0};
    int rc = -1;

    rule_defaults(&d.rule);
    if (!path) {
        rc = 0;
        goto out;
    }
    if (file_read(path, YAML_BYTES, &text, e) < 0) {
        if (text.n > YAML_BYTES)
            err_hint(e, "a rule has some hundred lines: is this the right file?");
        goto out;
    }
    hash(buf_span(&text), d.rule.sha256);
    rc = read_text(buf_span(&text), path, &d, e);
out:
    *r = d.rule;
    buf_free(&text);
    return rc;
}
