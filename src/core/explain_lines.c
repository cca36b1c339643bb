/* explain_lines: what explain has kept, as sections of lines in the order of the way: bill, split, price, what was held, amount, what a
 * policy moved, rounding; and what helps to judge it. Lists are core/explain_list's. */
#include "gputab/core/explain.h"

#include <inttypes.h>

#include "gputab/core/explain_list.h"
#include "gputab/core/explain_moves.h"
#include "gputab/core/explain_split.h"
#include "gputab/core/explain_whose.h"

static money gib_hours(weight memory_ms)
{
    return money_mul_div(MONEY_ONE, memory_ms, ((weight)1 << (30 + USAGE_MEMORY_BITS)) * (weight)TIME_HOUR);
}

/* ---- 1: the bill ---- */

static void describe_node(struct explain_list *l, const struct explain_group *g, struct buf *b)
{
    explain_list_node(l, g, b);
    if (g->key.resource != g->key.node)
        explain_list_part(b, explain_list_text(l, g->key.resource));
    explain_list_part(b, explain_list_text(l, g->key.type));
    explain_list_pool(l, g, b);
    buf_addf(b, ": %" PRId64 " charge%s", g->sums.n, g->sums.n == 1 ? "" : "s");
}

static void tell_bill(struct explain_list *l)
{
    struct explanation_section *s = explanation_section(l->out, "bill", "what the bill charged for the nodes concerned, whole", false);

    explain_list_gather(l, PART_BILL, NULL);
    explain_list_priced(l, s, describe_node, NULL);
}

/* ---- 3: prices ---- */

static void describe_price(struct explain_list *l, const struct explain_group *g, struct buf *b)
{
    explain_list_pool(l, g, b);
}

static void tell_prices(struct explain_list *l)
{
    struct explanation_section *s = explanation_section(l->out, "price", "price of a GPU-hour: GPU piece / billed GPU-hours", false);

    explain_list_gather(l, PART_PRICE, NULL);
    explain_list_priced(l, s, describe_price, NULL);
}

/* ---- 4 and 5: what was held ---- */

static const struct { enum usage_state state; enum grade grade; const char *how; } states[] = {
    {USAGE_HELD, GRADE_A, "the only pod on it pays for all of it"},
    {USAGE_HELD, GRADE_B, "the only pod seen on it pays for all of it; nothing of the node tells whether the card is shared"},
    {USAGE_SHARED, GRADE_A, "by the memory measured for each pod"},
    {USAGE_SHARED, GRADE_B, "by the memory that a sharing layer accounts for"},
    {USAGE_SHARED, GRADE_C, "by the memory of its only labelled pod, while nothing is known of requests"},
    {USAGE_EVEN, GRADE_C, "memory divided evenly among the labelled pods (W201)"},
    {USAGE_BY_REQUEST, GRADE_C, "memory divided by request (W202)"},
};

static const char *bucket_words(enum bucket bucket, enum reason reason)
{
    if (bucket == BUCKET_RESERVED)
        return "memory that the driver keeps";
    if (bucket == BUCKET_UNATTRIBUTED)
        return "memory in use by no known pod";
    return bucket == BUCKET_UNBILLED ? "seen in the metrics, not in the bill" : reason_names[reason];
}

static void describe_held(struct explain_list *l, const struct explain_group *g, struct buf *b)
{
    bool pods = g->key.bucket == BUCKET_NONE || g->key.bucket == BUCKET_UNMAPPED || g->key.bucket == BUCKET_SYSTEM;
    const char *how = NULL;

    explain_list_pool(l, g, b);
    if (g->key.bucket != BUCKET_NONE && l->x->cfg.kind != EXPLAIN_BUCKET)
        explain_list_part(b, bucket_names[g->key.bucket]);
    if (g->key.sharing < SHARINGS)
        explain_list_part(b, sharing_names[g->key.sharing]);
    for (size_t i = 0; i < sizeof states / sizeof *states && !how; i++)
        if (states[i].state == g->key.state && states[i].grade == g->key.grade)
            how = states[i].how;
    explain_list_part(b, pods ? how ? how : "" : bucket_words((enum bucket)g->key.bucket, (enum reason)g->key.reason));
    if (pods)
        buf_addf(b, ", grade %c", "ABCD"[g->key.grade]);
}

static const char *const of_memory[RULE_DENOMINATORS] = {
    [RULE_CAPACITY] = "what a card has", [RULE_USABLE] = "what a card has beyond the driver's part",
    [RULE_RESIDENTS] = "what is in use on a card",
};

/* Where the GPU-hours come from. */
static void note_held(struct explain_list *l, const struct explain_group *g, struct buf *b)
{
    const struct explain_sums *s = &g->sums;
    money memory = gib_hours(s->memory_ms);

    if (memory <= 0)
        return;
    buf_adds(b, b->n ? "; " : "");
    explanation_add_number(b, memory, 0, 6);
    buf_adds(b, " GiB-h of GPU memory held");
    if (s->quantity <= 0)
        return;
    if (g->key.state != USAGE_HELD || l->x->cfg.rule->gpu.exclusive == RULE_RESIDENT) {
        buf_adds(b, " / ");
        explanation_add_number(b, money_mul_div(memory, (weight)MONEY_ONE, (weight)s->quantity), 0, 6);
        buf_addf(b, " GiB for each GPU-h: %s, or less where time was paid for and not observed",
                 of_memory[l->x->cfg.rule->gpu.denominator]);
        return;
    }
    buf_adds(b, ": its part of the amount is ");
    explanation_add_number(b, s->used, 2, 6);
    buf_adds(b, ", what was reserved and not held ");
    explanation_add_number(b, s->cost - s->used, 2, 6);
}

static void tell_instances(struct explain_list *l)
{
    struct explanation_section *s;

    explain_list_gather(l, PART_MIG, NULL);
    if (!l->groups.n)
        return;
    s = explanation_section(l->out, "mig", "hours of MIG instances, as the metrics show them", false);
    for (size_t i = 0; i < l->groups.n; i++) {
        const struct explain_group *g = l->groups.v[i];
        money hours = money_mul_div(MONEY_ONE, g->sums.host, ((weight)1 << USAGE_SHARE_BITS) * (weight)TIME_HOUR);
        struct explanation_line line = {.unit = "h", .has_amount = true, .amount_unit = "GPU-h", .has_price = true};

        line.amount = hours;
        line.price = money_mul_div(MONEY_ONE, g->key.slices, g->key.base);
        line.quantity = money_mul_div(hours, g->key.base, g->key.slices);
        buf_addf(&l->b, "%s: %u of %u slices of the GPU", explain_list_text(l, g->key.type), g->key.slices, g->key.base);
        line.what = explanation_text(l->out, &l->b);
        vec_push(&s->lines, line);
    }
}

static void tell_held(struct explain_list *l)
{
    struct explanation_section *s = explanation_section(l->out, "gpu", "GPU: hours paid for x price", true);

    explain_list_gather(l, PART_HELD, NULL);
    explain_list_priced(l, s, describe_held, note_held);
}

/* ---- 6: CPU and memory ---- */

static const char *const basis_words[] = {
    [RULE_BASIS_REQUEST] = "by request", [RULE_BASIS_USAGE] = "by usage",
    [RULE_BASIS_MAX] = "by the larger of request and usage, per pod and hour",
    [RULE_BASIS_GPU] = "follows the GPU piece",
};

static void describe_host(struct explain_list *l, const struct explain_group *g, struct buf *b)
{
    bool pods = g->key.bucket == BUCKET_NONE || g->key.bucket == BUCKET_UNMAPPED || g->key.bucket == BUCKET_SYSTEM;

    explain_list_pool(l, g, b);
    if (g->key.bucket != BUCKET_NONE && l->x->cfg.kind != EXPLAIN_BUCKET)
        explain_list_part(b, bucket_names[g->key.bucket]);
    if (g->key.follows)
        explain_list_part(b, "follows the GPU piece");
    else
        explain_list_part(b, pods ? basis_words[l->x->cfg.rule->basis]
                          : bucket_words((enum bucket)g->key.bucket, (enum reason)g->key.reason));
    if (pods)
        buf_addf(b, ", grade %c", "ABCD"[g->key.grade]);
}

static bool is_cpu(const struct explain_list *l, const struct explain_group *g)
{
    (void)l;
    return g->key.piece == PIECE_CPU;
}

static bool is_memory(const struct explain_list *l, const struct explain_group *g)
{
    (void)l;
    return g->key.piece == PIECE_MEMORY;
}

static void describe_capacity(struct explain_list *l, const struct explain_group *g, struct buf *b)
{
    buf_adds(b, g->key.piece == PIECE_CPU ? "cores of the nodes" : "memory of the nodes");
    explain_list_pool(l, g, b);
}

static void tell_host(struct explain_list *l)
{
    struct explanation_section *s = explanation_section(l->out, "capacity", "price of a core-hour and a GiB-hour: piece / capacity", false);

    explain_list_gather(l, PART_CAPACITY, NULL);
    explain_list_priced(l, s, describe_capacity, NULL);
    s = explanation_section(l->out, "cpu", "CPU: core-hours x price", true);
    s->words = "core-hours and GiB-hours are those observed: where they stand for all of the billed time the price of one is a little "
               "higher, "
               "and where more was asked for than a node has, the piece is divided by what was asked for, and it is lower";
    explain_list_gather(l, PART_HOST, is_cpu);
    explain_list_priced(l, s, describe_host, NULL);
    s = explanation_section(l->out, "memory", "memory: GiB-hours x price", true);
    explain_list_gather(l, PART_HOST, is_memory);
    explain_list_priced(l, s, describe_host, NULL);
}

/* ---- 8: rounding; 7, what moved, is explain_moves ---- */

static void push_rounded(struct explain_list *l, struct explanation_section *s, const char *what, money exact, money shown)
{
    struct explanation_line line = {.what = what, .has_amount = true, .amount = shown};

    money_add_text(&l->b, exact, MONEY_DECIMALS);
    line.how = explanation_text(l->out, &l->b);
    vec_push(&s->lines, line);
}

static void tell_rounding(struct explain_list *l)
{
    static const char *const names[PIECES] = {[PIECE_GPU] = "GPU", [PIECE_CPU] = "CPU", [PIECE_MEMORY] = "memory"};
    static const enum piece order[PIECES] = {PIECE_GPU, PIECE_CPU, PIECE_MEMORY};
    struct explanation_section *s = explanation_section(l->out, "rounding", "from exact amounts to the row of the report", false);
    struct explanation_row sum = {0};

    s->words = "all cells of a report are rounded together so that they add up to the bill: one may be off its own rounding by a minor "
               "unit";
    for (size_t i = 0; i < l->out->rows.n; i++) {
        for (int p = 0; p < PIECES; p++)
            sum.piece[p] += l->out->rows.v[i].piece[p];
        sum.total += l->out->rows.v[i].total;
        sum.exact += l->out->rows.v[i].exact;
    }
    for (int p = 0; p < PIECES; p++)
        push_rounded(l, s, names[order[p]], l->x->piece[order[p]] + l->x->moved[order[p]], sum.piece[order[p]]);
    push_rounded(l, s, "total", sum.exact, sum.total);
}

void explain_lines(struct explain *x, const struct explain_lines_config *cfg, struct explanation *out)
{
    struct explain_list l = {.x = x, .cfg = cfg, .out = out, .nodes = intern_new()};

    tell_bill(&l);
    explain_split(&l);
    tell_prices(&l);
    tell_instances(&l);
    tell_held(&l);
    tell_host(&l);
    explain_moves(&l);
    tell_rounding(&l);
    explain_owners(&l);
    if (x->cfg.kind == EXPLAIN_BUCKET)
        explain_bucket(&l);
    explain_nodes(&l);
    intern_free(l.nodes);
    vec_free(&l.groups);
    buf_free(&l.b);
}
