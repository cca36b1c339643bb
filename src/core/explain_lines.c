/* explain_lines: what explain has kept, as sections of lines in the order of the way: bill, split, price, what was held, amount, what a
 * policy moved, rounding; and what helps to judge it: owner lines, nodes, reasons, what to do. Lists are cut to their largest lines, with
 * the rest in one, so that the amounts of a section add up whatever is shown. */
#include "gputab/core/explain.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "gputab/core/explain_state.h"

enum { RATES_SHOWN = 6 };          /* prices of one thing that are lines of their own */

struct lines {                     /* scratch of one section */
    struct explain *x;
    const struct explain_lines_config *cfg;
    struct explanation *out;
    VEC(const struct explain_group *) groups;
    struct intern *nodes;          /* of the row: cluster and name */
    struct buf b;
};

typedef void (*describe)(struct lines *l, const struct explain_group *g, struct buf *b);

/* ---- numbers ---- */

static const char *text(const struct lines *l, uint32_t id)
{
    return intern_cstr(l->x->texts, id);
}

static money gib_hours(weight memory_ms)
{
    return money_mul_div(MONEY_ONE, memory_ms, ((weight)1 << (30 + USAGE_MEMORY_BITS)) * (weight)TIME_HOUR);
}

/* Core-hours or GiB-hours. */
static money host_hours(enum piece piece, weight host)
{
    return money_mul_div(MONEY_ONE, host, piece == PIECE_CPU ? (weight)1000000000 * (weight)TIME_HOUR : ((weight)1 << 30) * (weight)TIME_HOUR);
}

static money quantity_of(const struct explain_group *g, const struct explain_sums *s)
{
    return g->key.part == PART_HOST ? host_hours((enum piece)g->key.piece, s->host) : s->quantity;
}

static const char *unit_of(const struct explain_group *g)
{
    switch (g->key.part) {
    case PART_BILL: return "h";
    case PART_CAPACITY: case PART_HOST: return g->key.piece == PIECE_CPU ? "core-h" : "GiB-h";
    default: return "GPU-h";
    }
}

static money magnitude(money m)
{
    return m < 0 ? -m : m;
}

static void set_price(struct explanation_line *line)
{
    line->has_price = line->quantity > 0;
    if (line->has_price)
        line->price = money_round(money_mul_div(line->amount, (weight)MONEY_ONE, (weight)line->quantity), 9);
}

/* ---- lists ---- */

static int by_cost(const void *pa, const void *pb)
{
    const struct explain_group *a = *(const struct explain_group *const *)pa, *b = *(const struct explain_group *const *)pb;
    money x = magnitude(a->sums.cost), y = magnitude(b->sums.cost);

    if (x != y)
        return x > y ? -1 : 1;
    if (a->sums.quantity != b->sums.quantity)
        return a->sums.quantity > b->sums.quantity ? -1 : 1;
    return a < b ? -1 : a > b;             /* the order in which they came, which is that of time and names */
}

static void gather(struct lines *l, enum explain_part part, bool (*wanted)(const struct lines *l, const struct explain_group *g))
{
    vec_clear(&l->groups);
    for (size_t i = 0; i < l->x->groups.n; i++) {
        const struct explain_group *g = &l->x->groups.v[i];

        if (g->key.part == part && (!wanted || wanted(l, g)))
            vec_push(&l->groups, g);
    }
    if (l->groups.n)
        qsort(l->groups.v, l->groups.n, sizeof *l->groups.v, by_cost);
}

static int by_quantity(const void *pa, const void *pb)
{
    const struct explain_rate *a = pa, *b = pb;

    if (a->sums.quantity != b->sums.quantity)
        return a->sums.quantity > b->sums.quantity ? -1 : 1;
    return a->rate < b->rate ? -1 : a->rate > b->rate;
}

static struct explanation_line line_of(struct lines *l, const struct explain_group *g, const struct explain_sums *s, describe what)
{
    struct explanation_line line = {.unit = unit_of(g), .quantity = quantity_of(g, s), .has_amount = true, .amount = s->cost};

    what(l, g, &l->b);
    line.what = explanation_text(l->out, &l->b);
    if (line.quantity == 0)
        line.unit = NULL;
    return line;
}

static void add_rates(struct lines *l, struct explanation_section *to, const struct explain_group *g, describe what, describe note)
{
    size_t n = g->rates.n;
    struct explain_rate *rates = xmalloc((n + 1) * sizeof *rates);

    memcpy(rates, g->rates.v, n * sizeof *rates);
    qsort(rates, n, sizeof *rates, by_quantity);
    for (size_t i = 0; i < n; i++) {
        struct explain_group one = *g;
        struct explanation_line line;

        one.sums = rates[i].sums;
        line = line_of(l, &one, &one.sums, what);
        if (rates[i].priced)
            set_price(&line);
        else if (g->key.part != PART_HOST && g->key.bucket != BUCKET_UNBILLED)
            buf_adds(&l->b, "an amount without hours: a correction");
        if (note)
            note(l, &one, &l->b);
        line.note = explanation_text(l->out, &l->b);
        vec_push(&to->lines, line);
    }
    free(rates);
}

/* One line for many prices. */
static void add_average(struct lines *l, struct explanation_section *to, const struct explain_group *g, describe what, describe note)
{
    struct explanation_line line = line_of(l, g, &g->sums, what);

    set_price(&line);
    if (g->averaged)
        buf_addf(&l->b, "the average of more than %d prices, ", EXPLAIN_RATES);
    else
        buf_addf(&l->b, "the average of %zu prices, ", g->rates.n);
    explanation_add_number(&l->b, g->least, 2, 6);
    buf_adds(&l->b, " to ");
    explanation_add_number(&l->b, g->most, 2, 6);
    if (note) {
        buf_adds(&l->b, "; ");
        note(l, g, &l->b);
    }
    line.note = explanation_text(l->out, &l->b);
    vec_push(&to->lines, line);
}

/* What is beyond the largest lines, in one. */
static void add_rest(struct lines *l, struct explanation_section *to, size_t from)
{
    struct explanation_line rest = {.has_amount = true};
    size_t n = l->groups.n - from;

    for (size_t i = from; i < l->groups.n; i++) {
        rest.quantity += quantity_of(l->groups.v[i], &l->groups.v[i]->sums);
        rest.amount += l->groups.v[i]->sums.cost;
    }
    rest.unit = rest.quantity ? unit_of(l->groups.v[from]) : NULL;
    buf_addf(&l->b, "and %zu more", n);
    rest.what = explanation_text(l->out, &l->b);
    vec_push(&to->lines, rest);
}

/* Groups that were gathered, with their prices. */
static void add_priced(struct lines *l, struct explanation_section *to, describe what, describe note)
{
    size_t shown = l->cfg->most && l->groups.n > l->cfg->most + 1 ? l->cfg->most : l->groups.n;

    for (size_t i = 0; i < shown; i++) {
        const struct explain_group *g = l->groups.v[i];

        if (g->averaged || (l->cfg->most && g->rates.n > RATES_SHOWN))
            add_average(l, to, g, what, note);
        else
            add_rates(l, to, g, what, note);
    }
    if (shown < l->groups.n)
        add_rest(l, to, shown);
}

/* Groups without prices. */
static void add_plain(struct lines *l, struct explanation_section *to, describe what, describe note)
{
    size_t shown = l->cfg->most && l->groups.n > l->cfg->most + 1 ? l->cfg->most : l->groups.n;

    for (size_t i = 0; i < shown; i++) {
        struct explanation_line line = line_of(l, l->groups.v[i], &l->groups.v[i]->sums, what);

        if (note)
            note(l, l->groups.v[i], &l->b);
        line.note = explanation_text(l->out, &l->b);
        vec_push(&to->lines, line);
    }
    if (shown < l->groups.n)
        add_rest(l, to, shown);
}

static void add_part(struct buf *b, const char *s)
{
    if (s[0])
        buf_addf(b, "%s%s", b->n ? ", " : "", s);
}

static void add_pool(struct lines *l, const struct explain_group *g, struct buf *b)
{
    add_part(b, text(l, g->key.model));
    add_part(b, text(l, g->key.region));
    if (g->key.purchase < PURCHASES)
        add_part(b, purchase_names[g->key.purchase]);
}

/* ---- 1: the bill ---- */

static void describe_node(struct lines *l, const struct explain_group *g, struct buf *b)
{
    if (g->key.cluster)
        buf_addf(b, "%s/", text(l, g->key.cluster));
    buf_adds(b, text(l, g->key.node));
    if (g->key.resource != g->key.node)
        add_part(b, text(l, g->key.resource));
    add_part(b, text(l, g->key.type));
    add_pool(l, g, b);
    buf_addf(b, ": %" PRId64 " charge%s", g->sums.n, g->sums.n == 1 ? "" : "s");
}

static void tell_bill(struct lines *l)
{
    struct explanation_section *s = explanation_section(l->out, "bill", "what the bill charged for the nodes concerned, whole", false);

    gather(l, PART_BILL, NULL);
    add_priced(l, s, describe_node, NULL);
}

/* ---- 2: the split ---- */

static void push_weight(struct lines *l, struct explanation_section *s, const char *what, int64_t micro, const char *unit, money price,
                        money *sum)
{
    struct explanation_line line = {.what = what, .unit = unit, .quantity = (money)micro * 1000000, .has_price = true, .price = price,
                                    .has_amount = true, .amount_unit = "weight"};

    line.amount = money_mul_div(price, (weight)micro, 1000000);
    *sum += line.amount;
    vec_push(&s->lines, line);
    (void)l;
}

static void push_piece(struct lines *l, struct explanation_section *s, const char *what, money cost, money amount)
{
    struct explanation_line line = {.has_amount = true, .amount = amount};

    line.what = what;
    if (cost != 0) {
        explanation_add_number(&l->b, cost, 2, 6);
        buf_adds(&l->b, " x ");
        explanation_add_number(&l->b, money_mul_div(amount * (cost < 0 ? -1 : 1), (weight)(100 * MONEY_ONE), (weight)magnitude(cost)), 2, 9);
        buf_adds(&l->b, " %");
    }
    line.how = explanation_text(l->out, &l->b);
    vec_push(&s->lines, line);
}

static const char *model_text(struct lines *l, const char *before, const struct explain_model *m)
{
    buf_addf(&l->b, "%s%s", before, text(l, m->name));
    return explanation_text(l->out, &l->b);
}

static bool by_reference(const struct lines *l, const struct explain_shape *s)
{
    money vcpu, gib;

    return s->known && !s->as_billed && split_ratio(l->x->cfg.rule, &vcpu, &gib);
}

static void tell_weights(struct lines *l, struct explanation_section *to, const struct explain_shape *s)
{
    money sum = 0, vcpu, gib;

    split_ratio(l->x->cfg.rule, &vcpu, &gib);
    push_weight(l, to, "weight of the vCPUs", s->vcpu_micro, "vCPU", vcpu, &sum);
    push_weight(l, to, "weight of the memory", s->memory_micro_gib, "GiB", gib, &sum);
    for (size_t k = 0; k < s->n_models; k++)
        push_weight(l, to, model_text(l, "weight of ", &s->models[k]), s->models[k].count_micro, "GPU", s->models[k].price_hour, &sum);
    vec_push(&to->lines, (struct explanation_line){.what = "all weights", .has_amount = true, .amount = sum, .amount_unit = "weight"});
}

/* residual: what cores or memory cost on demand, and by what that is scaled. */
static void push_residual(struct lines *l, struct explanation_section *to, const char *what, const char *unit, money hours, money price, money piece)
{
    struct explanation_line line = {.what = what, .unit = unit, .quantity = hours, .has_price = true, .price = price, .has_amount = true,
                                    .amount_unit = "on demand"};

    line.amount = money_mul_div(price, (weight)hours, (weight)MONEY_ONE);
    if (line.amount > 0) {
        buf_adds(&l->b, "its piece is that x ");
        explanation_add_number(&l->b, money_mul_div(piece, (weight)MONEY_ONE, (weight)line.amount), 2, 9);
        buf_adds(&l->b, ", the billed rate / the on-demand rate");
    }
    line.note = explanation_text(l->out, &l->b);
    vec_push(&to->lines, line);
}

static void tell_residual(struct lines *l, struct explanation_section *to, const struct explain_shape *s)
{
    money vcpu, gib;

    split_ratio(l->x->cfg.rule, &vcpu, &gib);
    push_residual(l, to, "cores", "core-h", money_mul_div(s->hours, (weight)s->vcpu_micro, 1000000), vcpu, s->cpu);
    push_residual(l, to, "memory", "GiB-h", money_mul_div(s->hours, (weight)s->memory_micro_gib, 1000000), gib, s->memory);
}

static bool is_residual(const struct lines *l, const struct explain_shape *s)
{
    return s->known && !s->as_billed && l->x->cfg.rule->split.method == RULE_SPLIT_RESIDUAL && s->hours > 0;
}

static void describe_split(struct lines *l, const struct explain_shape *s)
{
    const struct rule *rule = l->x->cfg.rule;

    if (!s->known)
        buf_adds(&l->b, "hardware unknown: all of it is (no-metrics)");
    else if (s->as_billed)
        buf_adds(&l->b, "as the bill's own rows say");
    else if (by_reference(l, s))
        buf_addf(&l->b, "by %s prices, of which only the ratio counts", split_method_name(rule, false, true));
    else if (rule->split.method == RULE_SPLIT_RESIDUAL)
        buf_adds(&l->b, "by method residual: cores and memory at their prices, scaled as the billed rate is to the on-demand rate; GPUs are the rest");
    else
        buf_addf(&l->b, "by method %s", split_method_name(rule, false, true));
}

static void tell_shape(struct lines *l, struct explanation_section *to, const struct explain_shape *s)
{
    struct explanation_line head = {.what = "cost of the nodes", .has_amount = true, .amount = s->cost};

    describe_split(l, s);
    head.note = explanation_text(l->out, &l->b);
    vec_push(&to->lines, head);
    if (!s->known)
        return;
    if (by_reference(l, s))
        tell_weights(l, to, s);
    if (is_residual(l, s))
        tell_residual(l, to, s);
    for (size_t k = 0; k < s->n_models; k++)
        push_piece(l, to, model_text(l, "GPU piece of ", &s->models[k]), s->cost, s->models[k].cost);
    push_piece(l, to, "CPU piece", s->cost, s->cpu);
    push_piece(l, to, "memory piece", s->cost, s->memory);
}

static void tell_split(struct lines *l)
{
    struct explanation_section *s = explanation_section(l->out, "split", "how that is split into GPU, CPU and memory", false);
    size_t n = l->x->shapes.n, shown = l->cfg->most && n > l->cfg->most ? l->cfg->most : n;

    for (size_t i = 0; i < shown; i++)
        tell_shape(l, s, &l->x->shapes.v[i]);
    if (shown < n) {
        buf_addf(&l->b, "and %zu more kinds of nodes", n - shown);
        vec_push(&s->lines, (struct explanation_line){.what = explanation_text(l->out, &l->b)});
    }
}

/* ---- 3: prices ---- */

static void describe_price(struct lines *l, const struct explain_group *g, struct buf *b)
{
    add_pool(l, g, b);
}

static void tell_prices(struct lines *l)
{
    struct explanation_section *s = explanation_section(l->out, "price", "price of a GPU-hour: GPU piece / billed GPU-hours", false);

    gather(l, PART_PRICE, NULL);
    add_priced(l, s, describe_price, NULL);
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

static void describe_held(struct lines *l, const struct explain_group *g, struct buf *b)
{
    bool pods = g->key.bucket == BUCKET_NONE || g->key.bucket == BUCKET_UNMAPPED || g->key.bucket == BUCKET_SYSTEM;
    const char *how = NULL;

    add_pool(l, g, b);
    if (g->key.bucket != BUCKET_NONE && l->x->cfg.kind != EXPLAIN_BUCKET)
        add_part(b, bucket_names[g->key.bucket]);
    if (g->key.sharing < SHARINGS)
        add_part(b, sharing_names[g->key.sharing]);
    for (size_t i = 0; i < sizeof states / sizeof *states && !how; i++)
        if (states[i].state == g->key.state && states[i].grade == g->key.grade)
            how = states[i].how;
    add_part(b, pods ? how ? how : "" : bucket_words((enum bucket)g->key.bucket, (enum reason)g->key.reason));
    if (pods)
        buf_addf(b, ", grade %c", "ABCD"[g->key.grade]);
}

static const char *const of_memory[RULE_DENOMINATORS] = {
    [RULE_CAPACITY] = "what a card has", [RULE_USABLE] = "what a card has beyond the driver's part", [RULE_RESIDENTS] = "what is in use on a card",
};

/* Where the GPU-hours come from. */
static void note_held(struct lines *l, const struct explain_group *g, struct buf *b)
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
        buf_addf(b, " GiB for each GPU-h: %s, or less where time was paid for and not observed", of_memory[l->x->cfg.rule->gpu.denominator]);
        return;
    }
    buf_adds(b, ": its part of the amount is ");
    explanation_add_number(b, s->used, 2, 6);
    buf_adds(b, ", what was reserved and not held ");
    explanation_add_number(b, s->cost - s->used, 2, 6);
}

static void tell_instances(struct lines *l)
{
    struct explanation_section *s;

    gather(l, PART_MIG, NULL);
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
        buf_addf(&l->b, "%s: %u of %u slices of the GPU", text(l, g->key.type), g->key.slices, g->key.base);
        line.what = explanation_text(l->out, &l->b);
        vec_push(&s->lines, line);
    }
}

static void tell_held(struct lines *l)
{
    struct explanation_section *s = explanation_section(l->out, "gpu", "GPU: hours paid for x price", true);

    gather(l, PART_HELD, NULL);
    add_priced(l, s, describe_held, note_held);
}

/* ---- 6: CPU and memory ---- */

static const char *const basis_words[] = {
    [RULE_BASIS_REQUEST] = "by request", [RULE_BASIS_USAGE] = "by usage", [RULE_BASIS_MAX] = "by the larger of request and usage, per pod and hour",
    [RULE_BASIS_GPU] = "follows the GPU piece",
};

static void describe_host(struct lines *l, const struct explain_group *g, struct buf *b)
{
    bool pods = g->key.bucket == BUCKET_NONE || g->key.bucket == BUCKET_UNMAPPED || g->key.bucket == BUCKET_SYSTEM;

    add_pool(l, g, b);
    if (g->key.bucket != BUCKET_NONE && l->x->cfg.kind != EXPLAIN_BUCKET)
        add_part(b, bucket_names[g->key.bucket]);
    if (g->key.follows)
        add_part(b, "follows the GPU piece");
    else
        add_part(b, pods ? basis_words[l->x->cfg.rule->basis] : bucket_words((enum bucket)g->key.bucket, (enum reason)g->key.reason));
    if (pods)
        buf_addf(b, ", grade %c", "ABCD"[g->key.grade]);
}

static bool is_cpu(const struct lines *l, const struct explain_group *g)
{
    (void)l;
    return g->key.piece == PIECE_CPU;
}

static bool is_memory(const struct lines *l, const struct explain_group *g)
{
    (void)l;
    return g->key.piece == PIECE_MEMORY;
}

static void describe_capacity(struct lines *l, const struct explain_group *g, struct buf *b)
{
    buf_adds(b, g->key.piece == PIECE_CPU ? "cores of the nodes" : "memory of the nodes");
    add_pool(l, g, b);
}

static void tell_host(struct lines *l)
{
    struct explanation_section *s = explanation_section(l->out, "capacity", "price of a core-hour and a GiB-hour: piece / capacity", false);

    gather(l, PART_CAPACITY, NULL);
    add_priced(l, s, describe_capacity, NULL);
    s = explanation_section(l->out, "cpu", "CPU: core-hours x price", true);
    s->words = "core-hours and GiB-hours are those observed: where they stand for all of the billed time the price of one is a little higher, "
               "and where more was asked for than a node has, the piece is divided by what was asked for, and it is lower";
    gather(l, PART_HOST, is_cpu);
    add_priced(l, s, describe_host, NULL);
    s = explanation_section(l->out, "memory", "memory: GiB-hours x price", true);
    gather(l, PART_HOST, is_memory);
    add_priced(l, s, describe_host, NULL);
}

/* ---- 7 and 8: what moved, and rounding ---- */

static void tell_moved(struct lines *l)
{
    struct explanation_section *s;
    money idle = 0, shared = 0;

    if (l->cfg->moved == 0)
        return;
    s = explanation_section(l->out, "moved", "idle and shared money that the rule moved", true);
    for (size_t i = 0; i < l->out->rows.n; i++) {
        idle += l->out->rows.v[i].idle;
        shared += l->out->rows.v[i].shared;
    }
    buf_adds(&l->b, "rounded: idle_cost ");
    explanation_add_number(&l->b, idle, 2, 12);
    buf_adds(&l->b, ", shared_cost ");
    explanation_add_number(&l->b, shared, 2, 12);
    vec_push(&s->lines, (struct explanation_line){.what = l->cfg->moved > 0 ? "moved to it" : "moved away", .has_amount = true,
                                                  .amount = l->cfg->moved, .note = explanation_text(l->out, &l->b)});
}

static void push_rounded(struct lines *l, struct explanation_section *s, const char *what, bool exact_known, money exact, money shown)
{
    struct explanation_line line = {.what = what, .has_amount = true, .amount = shown};

    if (exact_known)
        money_add_text(&l->b, exact, MONEY_DECIMALS);
    line.how = explanation_text(l->out, &l->b);
    vec_push(&s->lines, line);
}

static void tell_rounding(struct lines *l)
{
    static const char *const names[PIECES] = {[PIECE_GPU] = "GPU", [PIECE_CPU] = "CPU", [PIECE_MEMORY] = "memory"};
    static const enum piece order[PIECES] = {PIECE_GPU, PIECE_CPU, PIECE_MEMORY};
    struct explanation_section *s = explanation_section(l->out, "rounding", "from exact amounts to the row of the report", false);
    struct explanation_row sum = {0};

    s->words = "all cells of a report are rounded together so that they add up to the bill: one may be off its own rounding by a minor unit";
    for (size_t i = 0; i < l->out->rows.n; i++) {
        for (int p = 0; p < PIECES; p++)
            sum.piece[p] += l->out->rows.v[i].piece[p];
        sum.total += l->out->rows.v[i].total;
        sum.exact += l->out->rows.v[i].exact;
    }
    for (int p = 0; p < PIECES; p++)
        push_rounded(l, s, names[order[p]], l->cfg->moved == 0, l->x->piece[order[p]], sum.piece[order[p]]);
    push_rounded(l, s, "total", true, sum.exact, sum.total);
}

/* ---- whose, where, why ---- */

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

static void describe_owner(struct lines *l, const struct explain_group *g, struct buf *b)
{
    buf_addf(b, "namespace %s: %s", text(l, g->key.namespace_name), g->key.bucket ? bucket_names[g->key.bucket] : text(l, g->key.team));
}

static void note_owner(struct lines *l, const struct explain_group *g, struct buf *b)
{
    if (!g->key.owner_line) {
        buf_adds(b, l->x->cfg.rule->has_owners ? "no owner line of the rule matches" : "the rule names no owners: the team is the namespace");
        return;
    }
    buf_addf(b, "%s:%u: ", l->cfg->rule_path ? l->cfg->rule_path : "rule", g->key.owner_line);
    buf_add_span(b, rule_line(l->cfg->rule_text, g->key.owner_line));
}

static void tell_owners(struct lines *l)
{
    struct explanation_section *s;

    gather(l, PART_OWNER, NULL);
    if (!l->groups.n)
        return;
    s = explanation_section(l->out, "owners", "whose it is, by which line of the rule", false);
    add_plain(l, s, describe_owner, note_owner);
}

static void describe_where(struct lines *l, const struct explain_group *g, struct buf *b)
{
    if (g->key.cluster)
        buf_addf(b, "%s/", text(l, g->key.cluster));
    buf_adds(b, text(l, g->key.node));
    add_part(b, text(l, g->key.gpu));
    add_part(b, reason_names[g->key.reason]);
}

static void tell_where(struct lines *l)
{
    struct explanation_section *s = explanation_section(l->out, "where", "where: nodes and cards, GPU, CPU and memory together", false);

    gather(l, PART_WHERE, NULL);
    add_plain(l, s, describe_where, NULL);
}

static bool on_node_of(const struct lines *l, const struct explain_group *g)
{
    const uint32_t node[2] = {g->key.cluster, g->key.node};

    return intern_find(l->nodes, node, sizeof node) != 0;
}

static void remember_nodes(struct lines *l)
{
    for (size_t i = 0; i < l->groups.n; i++) {
        const uint32_t node[2] = {l->groups.v[i]->key.cluster, l->groups.v[i]->key.node};

        intern_put(l->nodes, node, sizeof node);
    }
}

static void describe_who(struct lines *l, const struct explain_group *g, struct buf *b)
{
    if (g->key.cluster)
        buf_addf(b, "%s/", text(l, g->key.cluster));
    buf_addf(b, "%s: %s", text(l, g->key.node), g->key.bucket ? bucket_names[g->key.bucket] : text(l, g->key.team));
}

static void tell_who(struct lines *l)
{
    struct explanation_section *s;

    remember_nodes(l);             /* those that tell_where has gathered */
    gather(l, PART_WHO, on_node_of);
    if (!l->groups.n)
        return;
    s = explanation_section(l->out, "who", "who else is on these nodes, of their whole cost", false);
    add_plain(l, s, describe_who, NULL);
}

static const struct { enum reason reason; const char *what, *todo; } advice[] = {
    {REASON_EMPTY_CARD, "cards with nobody on them", "scale the pool down, or place pods on fewer nodes"},
    {REASON_FREE_MEMORY, "free memory of shared cards", "place more pods on a card, or smaller cards; gpu.denominator: residents lets residents pay for it"},
    {REASON_FREE_MIG, "parts of cards that no MIG instance covers or holds", "choose MIG profiles that cover the card, or remove instances nobody uses"},
    {REASON_CPU, "cores nobody asked for or used", "choose an instance type with fewer vCPUs for each GPU"},
    {REASON_MEMORY, "memory nobody asked for or used", "choose an instance type with less memory for each GPU"},
    {REASON_STARTING, "nodes that were billed and had no sample yet", "nothing, unless it is long: gpu.startup says how long a start may take"},
    {REASON_STOPPING, "nodes that were still billed behind their last sample", "nothing, unless it is long"},
    {REASON_NEVER_SEEN, "cards or nodes that no metric ever showed", "run the exporter on these nodes, and check that their provider ids or --nodes join them to the bill"},
    {REASON_GAP, "time without samples between others", "look after the exporter and the scrapes; gputab check says what is missing"},
};

/* Hours and money by reason; the reasons of a bucket that has none are the bucket itself. */
static void tell_reasons(struct lines *l)
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
    [BUCKET_UNATTRIBUTED] = "memory in use by no known pod, such as host processes, an MPS server or unmapped process ids: let the exporter map "
                            "processes to pods (hostPID), or find the processes with nvidia-smi",
    [BUCKET_UNMAPPED] = "pods that no owner line matches: add a line for their namespaces to the rule",
    [BUCKET_SYSTEM] = "pods that the rule assigns to the system",
    [BUCKET_UNBILLED] = "seen in the metrics and not in the bill: compare provider ids with the bill's resource ids, or join them in a "
                        "--nodes file",
};

static void tell_bucket(struct lines *l)
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

void explain_lines(struct explain *x, const struct explain_lines_config *cfg, struct explanation *out)
{
    struct lines l = {.x = x, .cfg = cfg, .out = out, .nodes = intern_new()};

    tell_bill(&l);
    tell_split(&l);
    tell_prices(&l);
    tell_instances(&l);
    tell_held(&l);
    tell_host(&l);
    tell_moved(&l);
    tell_rounding(&l);
    tell_owners(&l);
    if (x->cfg.kind == EXPLAIN_BUCKET)
        tell_bucket(&l);
    tell_where(&l);
    tell_who(&l);
    intern_free(l.nodes);
    vec_free(&l.groups);
    buf_free(&l.b);
}
