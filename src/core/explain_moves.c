/* explain_moves: hears what the rule moves, adds up what came to the rows explained (or left them) by way, scope, piece and owner, and
 * tells each sum as what moves x the owner's share x what the rows weigh. Lists are cut to their largest lines. */
#include "gputab/core/explain_moves.h"

#include <stdlib.h>

#include "gputab/core/explain.h"

/* ---- hearing ---- */

static void add_key(struct buf *b, const struct rollup_move *m)
{
    const uint32_t numbers[] = {(uint32_t)m->way, (uint32_t)m->number, (uint32_t)m->piece, m->out};

    buf_clear(b);
    buf_add(b, numbers, sizeof numbers);
    buf_add_span(b, m->owner);
    buf_addc(b, '\0');
    buf_add_span(b, m->where);
}

void explain_move(void *to, const struct rollup_move *m)
{
    struct explain *x = to;
    struct explain_moved *sum;
    uint32_t id;

    if (!explain_has_row(x, m->key, m->bucket))
        return;
    add_key(&x->text, m);
    id = intern_span(x->known_moves, buf_span(&x->text));
    if (id > x->moves.n) {
        struct explain_moved new = {m->way, m->number, intern_span(x->texts, m->where), intern_span(x->texts, m->owner), m->piece, m->out,
                                    0, m->terms};

        new.terms.part = 0;
        vec_push(&x->moves, new);
    }
    sum = &x->moves.v[id - 1];
    for (int p = 0; p < PIECES; p++) {
        sum->amount += m->cost[p];
        x->moved[p] += m->cost[p];
    }
    sum->terms.part += m->terms.part;
}

money explain_moved(const struct explain *x)
{
    return x->moved[PIECE_GPU] + x->moved[PIECE_CPU] + x->moved[PIECE_MEMORY];
}

/* ---- words ---- */

static const char *const piece_words[PIECES] = {[PIECE_GPU] = "GPU", [PIECE_CPU] = "CPU", [PIECE_MEMORY] = "memory"};

static void add_number(struct buf *b, money m)
{
    explanation_add_number(b, m, 2, 6);
}

/* Texts parted by newlines, those that are empty left out. */
static void add_where(struct buf *b, const char *where, const char *none)
{
    size_t before = b->n;

    while (*where) {
        const char *end = where;

        while (*end && *end != '\n')
            end++;
        if (end > where) {
            buf_adds(b, b->n > before ? ", " : "");
            buf_add(b, where, (size_t)(end - where));
        }
        where = *end ? end + 1 : end;
    }
    if (b->n == before)
        buf_adds(b, none);
}

static void describe(struct explain_list *l, const struct explain_moved *m)
{
    const struct rule *rule = l->x->cfg.rule;

    switch (m->way) {
    case ROLLUP_IDLE_OWNER:
        buf_addf(&l->b, "idle %s of node %s, by idle.owners team %s's", piece_words[m->piece], explain_list_text(l, m->where),
                 rule->idle.owners.v[m->number].team);
        break;
    case ROLLUP_IDLE_POLICY:
        buf_addf(&l->b, "idle %s of ", piece_words[m->piece]);
        add_where(&l->b, explain_list_text(l, m->where), rule->idle.scope == RULE_SCOPE_ALL ? "all nodes" : "what has no name");
        break;
    default:
        buf_addf(&l->b, "shared cost %s, %s", rule->shared_costs.v[m->number].name,
                 rule_shared_methods[rule->shared_costs.v[m->number].method]);
    }
    if (m->owner && m->way != ROLLUP_IDLE_OWNER)
        buf_addf(&l->b, ", share of team %s", explain_list_text(l, m->owner));
    if (m->out)
        buf_adds(&l->b, ": moved away");
}

/* "of x share / shares x part / parts", without what is 1. */
static void add_operation(struct buf *b, const struct explain_moved *m)
{
    const struct move_terms *t = &m->terms;

    if (m->way == ROLLUP_IDLE_OWNER || m->out)
        return;
    add_number(b, t->of);
    if (t->shares == 100 * MONEY_ONE) {
        buf_adds(b, " x ");
        explanation_add_number(b, t->share, 0, 12);
        buf_adds(b, " %");
    } else if (t->shares != t->share) {
        buf_addf(b, " / %lld teams", (long long)t->shares);
    }
    if (t->part == t->parts)
        return;
    buf_adds(b, " x ");
    add_number(b, t->part);
    buf_adds(b, " / ");
    add_number(b, t->parts);
}

static const char *const policy_words[] = {
    [RULE_IDLE_SEPARATE] = "idle.policy separate: idle cost stays where it is",
    [RULE_IDLE_PROPORTIONAL] = "idle.policy proportional: idle cost x what its pods cost of that piece there / what all pods do",
    [RULE_IDLE_EVEN] = "idle.policy even: idle cost / teams with pods there; of a part of a team: x what it costs / what the team does",
    [RULE_IDLE_FIXED] = "idle.policy fixed: idle cost x the team's percentage; of a part of a team: x what it costs / what the team does",
    [RULE_IDLE_TO] = "idle.policy to: idle cost is one team's; of a part of it: x what it costs / what the team does",
};

static const char *words_of(struct explain_list *l)
{
    const struct rule *rule = l->x->cfg.rule;

    buf_adds(&l->b, policy_words[rule->idle.policy]);
    if (rule->idle.reserved || rule->idle.unattributed)
        buf_addf(&l->b, "; %s%s%s counts as idle", rule->idle.reserved ? bucket_names[BUCKET_RESERVED] : "",
                 rule->idle.reserved && rule->idle.unattributed ? " and " : "",
                 rule->idle.unattributed ? bucket_names[BUCKET_UNATTRIBUTED] : "");
    if (rule->idle.owners.n)
        buf_adds(&l->b, "; idle.owners come first, and take all of what is idle on their nodes");
    if (rule->shared_costs.n)
        buf_adds(&l->b, "; shared costs come last: by what rows cost then, buckets without pods left out");
    return explanation_text(l->out, &l->b);
}

/* ---- lines ---- */

static int by_amount(const void *pa, const void *pb)
{
    const struct explain_moved *a = *(const struct explain_moved *const *)pa, *b = *(const struct explain_moved *const *)pb;
    money x = explain_list_magnitude(a->amount), y = explain_list_magnitude(b->amount);

    if (a->way != b->way)
        return a->way < b->way ? -1 : 1;
    if (x != y)
        return x > y ? -1 : 1;
    return a < b ? -1 : a > b;     /* the order in which they came */
}

static void push_line(struct explain_list *l, struct explanation_section *s, const struct explain_moved *m)
{
    struct explanation_line line = {.has_amount = true, .amount = m->amount};

    describe(l, m);
    line.what = explanation_text(l->out, &l->b);
    add_operation(&l->b, m);
    line.how = explanation_text(l->out, &l->b);
    vec_push(&s->lines, line);
}

static void push_rest(struct explain_list *l, struct explanation_section *s, const struct explain_moved *const *v, size_t n)
{
    struct explanation_line rest = {.has_amount = true};

    for (size_t i = 0; i < n; i++)
        rest.amount += v[i]->amount;
    buf_addf(&l->b, "and %zu more", n);
    rest.what = explanation_text(l->out, &l->b);
    vec_push(&s->lines, rest);
}

void explain_moves(struct explain_list *l)
{
    size_t n = l->x->moves.n, shown = l->cfg->most && n > l->cfg->most + 1 ? l->cfg->most : n;
    const struct explain_moved **v = xmalloc((n + 1) * sizeof *v);
    struct explanation_section *s;

    for (size_t i = 0; i < n; i++)
        v[i] = &l->x->moves.v[i];
    if (n) {
        qsort(v, n, sizeof *v, by_amount);
        s = explanation_section(l->out, "moved", "idle and shared money that the rule moved", true);
        s->words = words_of(l);
        for (size_t i = 0; i < shown; i++)
            push_line(l, s, v[i]);
        if (shown < n)
            push_rest(l, s, v + shown, n - shown);
    }
    free(v);
}
