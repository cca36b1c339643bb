/* xlsx_rule: keys and their values as text. Enumerations are tables of the words that the rule file has for them. */
#include "gputab/render/xlsx_rule.h"

#include <string.h>

#include "gputab/base/buf.h"

struct teller {
    void (*tell)(void *to, const char *key, const char *text);
    void *to;
    struct buf text;
};

static void tell(struct teller *t, const char *key)
{
    t->tell(t->to, key, buf_str(&t->text));
    buf_clear(&t->text);
}

/* What a choice is called; words end with NULL. */
static void tell_choice(struct teller *t, const char *key, const char *const *words, int value)
{
    for (int i = 0; words[i]; i++)
        if (i == value)
            buf_adds(&t->text, words[i]);
    tell(t, key);
}

static void add_number(struct buf *b, money m)
{
    money_add_text(b, m, MONEY_DECIMALS);
    while (b->p[b->n - 1] == '0')
        b->p[--b->n] = '\0';
    if (b->p[b->n - 1] == '.')
        b->p[--b->n] = '\0';
}

static void tell_number(struct teller *t, const char *key, money m, const char *unit)
{
    add_number(&t->text, m);
    buf_adds(&t->text, unit);
    tell(t, key);
}

static void tell_duration(struct teller *t, const char *key, int64_t ms, const char *of_zero)
{
    if (ms || !of_zero)
        duration_add_text(&t->text, ms);
    else
        buf_adds(&t->text, of_zero);
    tell(t, key);
}

static void tell_split(struct teller *t, const struct rule *r)
{
    tell_number(t, "split.vcpu_hour", r->split.vcpu_hour, "");
    tell_number(t, "split.gib_hour", r->split.gib_hour, "");
    for (size_t i = 0; i < r->split.gpu_hour.n; i++) {
        buf_addf(&t->text, "%s: ", r->split.gpu_hour.v[i].model);
        add_number(&t->text, r->split.gpu_hour.v[i].price_hour);
        tell(t, "split.gpu_hour");
    }
    if (r->split.method == RULE_SPLIT_SHARES) {
        tell_number(t, "split.shares.cpu", r->split.share_cpu, " %");
        tell_number(t, "split.shares.memory", r->split.share_memory, " %");
        tell_number(t, "split.shares.gpu", r->split.share_gpu, " %");
    }
}

static void tell_gpu(struct teller *t, const struct rule *r)
{
    static const char *const exclusives[] = {
        "held: the holder pays for the whole device", "resident: the holder pays for the memory it holds", NULL,
    };
    static const char *const denominators[] = {"capacity: memory held of all memory", "usable: of what the driver leaves",
                                               "residents: of what is held", NULL};
    static const char *const mig_weights[] = {
        "memory: an instance is its memory slices", "compute: an instance is its compute slices", NULL,
    };
    static const char *const fallbacks[] = {
        "even: used memory of unknown holders is divided evenly", "refuse: it goes to (unattributed)", NULL,
    };

    tell_choice(t, "gpu.exclusive", exclusives, (int)r->gpu.exclusive);
    tell_choice(t, "gpu.denominator", denominators, (int)r->gpu.denominator);
    tell_choice(t, "gpu.mig_weight", mig_weights, (int)r->gpu.mig_weight);
    tell_choice(t, "gpu.shared_fallback", fallbacks, (int)r->gpu.shared_fallback);
    tell_number(t, "gpu.min_coverage", r->gpu.min_coverage, " %");
    tell_duration(t, "gpu.max_gap", r->gpu.max_gap_ms, NULL);
    tell_duration(t, "gpu.interval", r->gpu.interval_ms, "from the samples");
    tell_duration(t, "gpu.startup", r->gpu.startup_ms, NULL);
}

static void tell_owners(struct teller *t, const struct rule *r)
{
    if (!r->has_owners)
        buf_adds(&t->text, "none: the team is the namespace");
    else
        buf_addf(&t->text, "%zu line%s in the rule file, the first that matches a pod decides", r->owners.n, r->owners.n == 1 ? "" : "s");
    tell(t, "owners");
    for (size_t i = 0; i < r->cost_centres.n; i++) {
        const struct rule_cost_centre *c = &r->cost_centres.v[i];

        buf_addf(&t->text, "%s%s%s:", c->id, c->name ? " " : "", c->name ? c->name : "");
        for (size_t k = 0; c->teams && c->teams[k]; k++)
            buf_addf(&t->text, "%s%s", k ? ", " : " ", c->teams[k]);
        tell(t, "cost_centres");
    }
}

void xlsx_rule_tell(const struct rule *rule, void (*say)(void *to, const char *key, const char *text), void *to)
{
    static const char *const modes[] = {"showback", "chargeback", NULL};
    static const char *const costs[] = {"effective: amortised", "billed", "list", "net_effective", NULL};
    static const char *const credits[] = {"commitments", "all", "none", NULL};
    static const char *const bases[] = {
        "request", "usage", "max: the larger of request and usage, per pod and hour", "gpu: as the node's GPU piece", NULL,
    };
    static const char *const attached[] = {
        "separate: other rows of a node's resource are a group of their own", "include: other rows of a node's resource belong to the node",
        NULL,
    };
    static const char *const idle[] = {"separate: idle money stays in (idle)", "proportional", "even", "fixed", "to", NULL};
    struct teller t = {.tell = say, .to = to};

    tell_choice(&t, "mode", modes, (int)rule->mode);
    tell_choice(&t, "cost", costs, (int)rule->cost);
    tell_choice(&t, "credits", credits, (int)rule->credits);
    tell_choice(&t, "attached", attached, rule->attached_include);
    tell_split(&t, rule);
    tell_gpu(&t, rule);
    tell_choice(&t, "cpu_memory.basis", bases, (int)rule->basis);
    tell_choice(&t, "idle.policy", idle, (int)rule->idle.policy);
    tell_owners(&t, rule);
    buf_free(&t.text);
}
