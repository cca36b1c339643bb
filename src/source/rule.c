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
#include "gputab/source/rule_idle.h"
#include "gputab/source/rule_owner.h"
#include "gputab/source/rule_split.h"
#include "gputab/source/rule_team.h"
#include "gputab/source/rule_tests.h"
#include "gputab/source/rule_shared.h"
#include "gputab/source/rule_unbuilt.h"

static const char schema_name[] = "gputab.rule/1";

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
    { "split", rule_read_split, 0, NULL },
    { "gpu", yaml_read_map, 0, &gpu_schema },
    { "cpu_memory", yaml_read_map, 0, &basis_schema },
    { "idle", rule_read_idle, 0, NULL },
    { "owners", rule_read_owners, 0, NULL },
    { "aliases", rule_read_aliases, 0, NULL },
    { "cost_centres", rule_read_cost_centres, 0, NULL },
    { "capacity_blocks", rule_read_blocks, 0, NULL },
    { "shared_costs", rule_read_shared_costs, 0, NULL },
    { "budgets", rule_read_budgets, 0, NULL },
    { "gates", rule_read_gates, offsetof(struct rule, gates), NULL },
    { "attached", read_attached, offsetof(struct rule, attached_include), attached },
    { "fx", rule_read_fx, 0, NULL },
    { "privacy", rule_read_privacy, 0, NULL },
    { "tests", rule_read_tests, 0, NULL },
};
static const struct yaml_schema rule_schema = YAML_SCHEMA(rule_keys);

int rule_bind(struct yaml_binder *b, const struct yaml_node *map)
{
    struct rule_draft *d = b->owner;

    return yaml_bind(b, map, &rule_schema, &d->rule);
}

/* Money is charged on the strength of gates only. */
static int check_mode(struct yaml_binder *b, const struct rule *r)
{
    const struct yaml_node *gates = yaml_get(b->doc->root, "gates");

    if (r->mode != RULE_CHARGEBACK || (gates && gates->n))
        return 0;
    yaml_fail(b, yaml_get(b->doc->root, "mode"), "mode chargeback needs gates");
    return err_hint(b->e, "for example: gates: {coverage: \"98%%\", max_unmapped: \"2%%\"}");
}

int rule_check(struct yaml_binder *b)
{
    const struct rule_draft *d = b->owner;

    if (check_mode(b, &d->rule) < 0 || rule_check_payers(b) < 0)
        return -1;
    if (d->unbuilt.code == ERR_NONE)
        return 0;
    *b->e = d->unbuilt;
    return -1;
}

int rule_read_document(struct yaml_binder *b, struct span text, const char *path, struct yaml_doc *doc)
{
    b->doc = doc;
    return yaml_doc_read(text, path, doc, b->e) < 0 ? -1 : yaml_check_schema(b, schema_name);
}

static int read_text(struct span text, const char *path, struct rule_draft *d, struct err *e)
{
    struct yaml_doc doc = {0};
    struct yaml_binder b = { .owner = d, .e = e };
    int rc = rule_read_document(&b, text, path, &doc);

    if (rc == 0)
        rc = rule_bind(&b, doc.root);
    if (rc == 0)
        rc = rule_check(&b);
    yaml_doc_free(&doc);
    return rc;
}

static void hash(struct span text, char hex[SHA256_HEX])
{
    struct sha256 *h = sha256_new();

    sha256_add(h, text.p, text.n);
    sha256_end(h, hex);
}

int rule_load(const char *path, struct buf *text, struct err *e)
{
    if (file_read(path, YAML_BYTES, text, e) == 0)
        return 0;
    if (text->n > YAML_BYTES)
        err_hint(e, "a rule has some hundred lines: is this the right file?");
    return -1;
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
    if (rule_load(path, &text, e) < 0)
        goto out;
    hash(buf_span(&text), d.rule.sha256);
    d.rule.text = (struct span){arena_strndup(&d.rule.strings, text.p ? text.p : "", text.n), text.n};
    rc = read_text(buf_span(&text), path, &d, e);
out:
    *r = d.rule;
    buf_free(&text);
    return rc;
}
