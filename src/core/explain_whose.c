/* explain_whose: what helps to judge an amount: the owner lines behind it, where it is, who else is there, and of a bucket why and what to
 * do. */
#include "gputab/core/explain_whose.h"

#include <string.h>

/* A line without the comment at its end: a blank and a # outside of quotes. */
static struct span without_comment(struct span line)
{
    char quote = 0;

    for (size_t i = 0; i < line.n; i++) {
        char c = line.p[i];

        if (c == '#' && !quote && i > 0 && (line.p[i - 1] == ' ' || line.p[i - 1] == '\t'))
            return (struct span){line.p, i};
        if (quote ? c == quote : c == '"' || c == '\'')
            quote = quote ? 0 : c;
    }
    return line;
}

/* A line of the rule file, without blanks around it. */
static struct span rule_line(struct span file, uint32_t line)
{
    for (uint32_t at = 1; file.n; at++) {
        const char *end = memchr(file.p, '\n', file.n);
        size_t n = end ? (size_t)(end - file.p) : file.n;

        if (at == line)
            return span_trim(without_comment((struct span){file.p, n}));
        file.p += n + (end ? 1 : 0);
        file.n -= n + (end ? 1 : 0);
    }
    return (struct span){NULL, 0};
}

static void describe_owner(struct explain_list *l, const struct explain_group *g, struct buf *b)
{
    buf_addf(b, "namespace %s: %s", explain_list_text(l, g->key.namespace_name), g->key.bucket ? bucket_names[g->key.bucket]
             : explain_list_text(l, g->key.team));
}

static void note_owner(struct explain_list *l, const struct explain_group *g, struct buf *b)
{
    if (!g->key.owner_line) {
        buf_adds(b, l->x->cfg.rule->has_owners ? "no owner line of the rule matches"
                 : "the rule names no owners: the team is the namespace");
        return;
    }
    buf_addf(b, "%s:%u: ", l->cfg->rule_path ? l->cfg->rule_path : "rule", g->key.owner_line);
    buf_add_span(b, rule_line(l->cfg->rule_text, g->key.owner_line));
}

void explain_owners(struct explain_list *l)
{
    struct explanation_section *s;

    explain_list_gather(l, PART_OWNER, NULL);
    if (!l->groups.n)
        return;
    s = explanation_section(l->out, "owners", "whose it is, by which line of the rule", false);
    explain_list_plain(l, s, describe_owner, note_owner);
}

static void describe_where(struct explain_list *l, const struct explain_group *g, struct buf *b)
{
    explain_list_node(l, g, b);
    explain_list_part(b, explain_list_text(l, g->key.gpu));
    explain_list_part(b, reason_names[g->key.reason]);
}

static void tell_where(struct explain_list *l)
{
    struct explanation_section *s = explanation_section(l->out, "where", "where: nodes and cards, GPU, CPU and memory together", false);

    explain_list_gather(l, PART_WHERE, NULL);
    explain_list_plain(l, s, describe_where, NULL);
}

static bool on_node_of(const struct explain_list *l, const struct explain_group *g)
{
    const uint32_t node[2] = {g->key.cluster, g->key.node};

    return intern_find(l->nodes, node, sizeof node) != 0;
}

static void remember_nodes(struct explain_list *l)
{
    for (size_t i = 0; i < l->groups.n; i++) {
        const uint32_t node[2] = {l->groups.v[i]->key.cluster, l->groups.v[i]->key.node};

        intern_put(l->nodes, node, sizeof node);
    }
}

static void describe_who(struct explain_list *l, const struct explain_group *g, struct buf *b)
{
    explain_list_node(l, g, b);
    buf_addf(b, ": %s", g->key.bucket ? bucket_names[g->key.bucket] : explain_list_text(l, g->key.team));
}

static void tell_who(struct explain_list *l)
{
    struct explanation_section *s;

    remember_nodes(l);             /* those that tell_where has gathered */
    explain_list_gather(l, PART_WHO, on_node_of);
    if (!l->groups.n)
        return;
    s = explanation_section(l->out, "who", "who else is on these nodes, of their whole cost", false);
    explain_list_plain(l, s, describe_who, NULL);
}

static const struct { enum reason reason; const char *what, *todo; } advice[] = {
    {REASON_EMPTY_CARD, "cards with nobody on them", "scale the pool down, or place pods on fewer nodes"},
    {REASON_FREE_MEMORY, "free memory of shared cards", "place more pods on a card, or smaller cards; gpu.denominator: residents lets "
                                                        "residents pay for it"},
    {REASON_FREE_MIG, "parts of cards that no MIG instance covers or holds",
     "choose MIG profiles that cover the card, or remove instances nobody uses"},
    {REASON_CPU, "cores nobody asked for or used", "choose an instance type with fewer vCPUs for each GPU"},
    {REASON_MEMORY, "memory nobody asked for or used", "choose an instance type with less memory for each GPU"},
    {REASON_STARTING, "nodes that were billed and had no sample yet", "nothing, unless it is long: gpu.startup says how long a start may "
                                                                      "take"},
    {REASON_STOPPING, "nodes that were still billed behind their last sample", "nothing, unless it is long"},
    {REASON_NEVER_SEEN, "cards or nodes that no metric ever showed", "run the exporter on these nodes, and check that their provider ids "
                                                                     "or --nodes join them to the bill"},
    {REASON_GAP, "time without samples between others", "look after the exporter and the scrapes; gputab check says what is missing"},
};

/* Hours and money by reason; the reasons of a bucket that has none are the bucket itself. */
static void tell_reasons(struct explain_list *l)
{
    struct explanation_section *s = explanation_section(l->out, "reasons", "why, and what to do", false);

    for (size_t i = 0; i < sizeof advice / sizeof *advice; i++) {
        struct explanation_line line = {.what = reason_names[advice[i].reason], .has_amount = true, .unit = "GPU-h"};
        bool any = false;

        for (size_t k = 0; k < l->x->groups.n; k++) {
            const struct explain_group *g = &l->x->groups.v[k];

            if (g->key.part != PART_WHERE || g->key.reason != advice[i].reason)
                continue;
            any = true;
            line.quantity += g->sums.quantity;
            line.amount += g->sums.cost;
        }
        buf_addf(&l->b, "%s: %s", advice[i].what, advice[i].todo);
        line.note = explanation_text(l->out, &l->b);
        line.unit = line.quantity ? line.unit : NULL;
        if (any)
            vec_push(&s->lines, line);
    }
}

static const char *const bucket_todo[BUCKETS] = {
    [BUCKET_RESERVED] = "memory that the driver keeps: nobody can use it; gpu.denominator: usable leaves it out of the division",
    [BUCKET_UNATTRIBUTED] = "memory in use by no known pod, such as host processes, an MPS server or unmapped process ids: let the "
                            "exporter map "
                            "processes to pods (hostPID), or find the processes with nvidia-smi",
    [BUCKET_UNMAPPED] = "pods that no owner line matches: add a line for their namespaces to the rule",
    [BUCKET_SYSTEM] = "pods that the rule assigns to the system",
    [BUCKET_UNBILLED] = "seen in the metrics and not in the bill: compare provider ids with the bill's resource ids, or join them in a "
                        "--nodes file",
};

void explain_bucket(struct explain_list *l)
{
    struct explanation_section *s;

    if (!bucket_todo[l->x->cfg.bucket]) {
        tell_reasons(l);
        return;
    }
    s = explanation_section(l->out, "reasons", "why, and what to do", false);
    vec_push(&s->lines, (struct explanation_line){.what = bucket_names[l->x->cfg.bucket], .note = bucket_todo[l->x->cfg.bucket],
                                                  .has_amount = true, .amount = l->x->exact});
}

void explain_nodes(struct explain_list *l)
{
    tell_where(l);
    tell_who(l);
}
