/* rollup_moves: what the rule moves between rows: idle cost, to whom it says; and shared costs, which come to rows from elsewhere in the
 * bill.
 *
 * Money of an idle owner becomes the team's as it comes. A policy needs all of the period: until then the stakes of rows are kept beside
 * the rows, apart from them, since a row may have stakes in several scopes and of several teams. At the end what flows is added to the
 * rows, and taken from those it came from, so that no total changes. */
#include "gputab/core/rollup_state.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "gputab/core/idle.h"
#include "gputab/core/owner_match.h"
#include "gputab/core/shared.h"

/* ---- teams ---- */

static const struct entry_team *team_named(const struct rollup *r, const char *name)
{
    for (size_t i = 0; i < r->teams.n; i++)
        if (strcmp(r->teams.v[i].name, name) == 0)
            return &r->teams.v[i];
    assert(!"a team that the rule names");
    return NULL;
}

static void add_team(struct rollup *r, const char *name)
{
    for (size_t i = 0; i < r->teams.n; i++)
        if (strcmp(r->teams.v[i].name, name) == 0)
            return;
    vec_push(&r->teams, (struct entry_team){name, rule_cost_centre(r->cfg.rule, span_of(name)), (uint32_t)r->teams.n + 1});
}

static money amount_of(const struct bill_shared_sum *s)
{
    money sum = 0;

    for (int g = 0; g < GROUP_EXCLUDED; g++)
        sum += s->groups[g];
    return sum;
}

static void add_shared(struct rollup *r)
{
    const struct rule *rule = r->cfg.rule;

    for (size_t i = 0; i < rule->shared_costs.n && r->cfg.bill; i++) {
        const struct rule_shared_cost *cost = &rule->shared_costs.v[i];

        vec_push(&r->shared, (struct rollup_shared){cost, amount_of(&r->cfg.bill->shared.v[i]), false});
        for (size_t k = 0; k < cost->shares.n; k++)
            add_team(r, cost->shares.v[k].team);
    }
}

void rollup_moves_init(struct rollup *r)
{
    const struct rule_idle *idle;

    r->known_nodes = intern_new();
    if (!r->cfg.rule)
        return;
    idle = &r->cfg.rule->idle;
    for (size_t i = 0; i < idle->owners.n; i++)
        add_team(r, idle->owners.v[i].team);
    for (size_t i = 0; i < idle->shares.n; i++)
        add_team(r, idle->shares.v[i].team);
    add_shared(r);
    if (idle->policy == RULE_IDLE_SEPARATE && r->shared.n == 0)
        return;
    r->stakes = stakes_new();
    r->known_stakes = intern_new();
}

void rollup_moves_free(struct rollup *r)
{
    stakes_free(r->stakes);
    intern_free(r->known_stakes);
    intern_free(r->known_nodes);
    vec_free(&r->nodes);
    vec_free(&r->shared);
    vec_free(&r->teams);
    vec_free(&r->first_stake);
    vec_free(&r->stake_numbers);
    for (int g = 0; g < GRADES; g++)
        buf_free(&r->stake_rows[g]);
    buf_free(&r->stake_scope);
}

/* ---- idle owners ---- */

static bool goes_as_idle(const struct rule_idle *idle, const struct entry *e)
{
    return e->bucket == BUCKET_IDLE || (e->bucket == BUCKET_RESERVED && idle->reserved)
        || (e->bucket == BUCKET_UNATTRIBUTED && idle->unattributed);
}

static bool matches_any(struct span text, const char *const *globs)
{
    for (; globs && *globs; globs++)
        if (span_glob(text, *globs))
            return true;
    return false;
}

/* The inventory's node that an entry's node is; NONE: no metrics know it. */
static uint32_t node_of(struct rollup *r, const struct entry *e)
{
    const struct inventory *inv = r->cfg.inventory;
    const uint32_t key[] = {e->cluster, e->node};
    uint32_t id = intern_put(r->known_nodes, key, sizeof key);

    if (id > r->nodes.n) {
        vec_push(&r->nodes, NONE);
        for (uint32_t i = 0; i < inv->nodes.n; i++)
            if (inv->nodes.v[i].name == e->node && inv->nodes.v[i].cluster == e->cluster)
                r->nodes.v[id - 1] = i;
    }
    return r->nodes.v[id - 1];
}

/* By what was last said of the node until the end of the day: a day's idle time has one owner. */
static bool has_label(struct rollup *r, const struct rule_idle_owner *o, const struct entry *e)
{
    struct span value;

    buf_clear(&r->text);
    owner_match_add_name(&r->text, RULE_MATCH_NODE_LABEL, o->label);
    value = inventory_node_label(r->cfg.inventory, node_of(r, e), buf_span(&r->text), e->day + TIME_DAY - 1);
    return value.n > 0 && (!o->value_glob || span_glob(value, o->value_glob));
}

static bool owns(struct rollup *r, const struct rule_idle_owner *o, const struct entry *e)
{
    return o->label ? has_label(r, o, e) : matches_any(intern_get(r->cfg.inventory->names, e->node), o->nodes);
}

/* An amount with an owner has no reason to be nobody's. */
static struct entry as_team(const struct entry *e, const struct entry_team *team)
{
    struct entry owned = *e;

    owned.bucket = BUCKET_NONE;
    owned.team = team;
    owned.reason = REASON_NONE;
    owned.used_cost = 0;           /* and memory stays with the bucket: money moves */
    owned.memory_ms = 0;
    return owned;
}

const struct entry *rollup_owned(struct rollup *r, const struct entry *e, struct entry *copy)
{
    const struct rule_idle *idle = r->cfg.rule ? &r->cfg.rule->idle : NULL;

    if (!idle || idle->owners.n == 0 || !goes_as_idle(idle, e))
        return e;
    for (size_t i = 0; i < idle->owners.n; i++)
        if (owns(r, &idle->owners.v[i], e)) {
            *copy = as_team(e, team_named(r, idle->owners.v[i].team));
            rollup_tell_owned(r, i, e, copy);
            return copy;
        }
    return e;
}

/* ---- stakes ---- */

static enum stake_role role_of(const struct rollup *r, const struct entry *e)
{
    if (e->team)
        return STAKE_OWNED;
    if (e->pod_version == NONE)
        return STAKE_SOURCE;
    return r->cfg.owners->versions.v[e->pod_version].bucket ? STAKE_BUCKET_PODS : STAKE_PODS;
}

static struct span owner_of(const struct rollup *r, const struct entry *e)
{
    const struct pod_version *v;

    if (e->team)
        return span_of(e->team->name);
    if (e->pod_version == NONE)
        return span_of(bucket_names[e->bucket]);
    v = &r->cfg.owners->versions.v[e->pod_version];
    return v->bucket ? span_of(bucket_names[v->bucket]) : intern_get(r->cfg.inventory->names, v->team);
}

static void add_scope(const struct rollup *r, const struct entry *e, struct buf *out)
{
    const struct intern *names = r->cfg.inventory->names;

    buf_clear(out);
    if (r->cfg.rule->idle.scope == RULE_SCOPE_CLUSTER)
        buf_add_span(out, intern_get(names, e->cluster));
    if (r->cfg.rule->idle.scope != RULE_SCOPE_POOL)
        return;
    buf_add_span(out, intern_get(names, e->gpu_model));
    buf_addc(out, '\n');
    buf_add_span(out, intern_get(names, e->region));
    buf_addc(out, '\n');
    if (e->purchase < PURCHASES)
        buf_adds(out, purchase_names[e->purchase]);
}

/* Money keeps its grade: where that is a key, a pod's row for each grade. */
static void put_stake(struct rollup *r, struct entry e, enum stake_role role)
{
    bool moves = role == STAKE_SOURCE || role == STAKE_FALLBACK;
    struct stake s = {.role = role, .owner = owner_of(r, &e), .grade = moves ? e.grade : GRADE_A, .n_rows = 1};

    if (r->asked[KEY_GRADE] && !moves)
        s.n_rows = GRADES;
    for (size_t g = 0; g < s.n_rows; g++) {
        if (s.n_rows > 1)
            e.grade = (enum grade)g;
        s.row[g] = rollup_key(r, &e, &r->stake_rows[g]);
    }
    add_scope(r, &e, &r->stake_scope);
    s.scope = buf_span(&r->stake_scope);
    vec_push(&r->stake_numbers, stakes_put(r->stakes, &s));
}

static void put_stakes(struct rollup *r, const struct entry *e)
{
    enum stake_role role = role_of(r, e);
    const struct rule_shares *shares = &r->cfg.rule->idle.shares;

    vec_push(&r->first_stake, (uint32_t)r->stake_numbers.n);
    put_stake(r, *e, role);
    for (size_t i = 0; i < shares->n && role == STAKE_SOURCE; i++)
        put_stake(r, as_team(e, team_named(r, shares->v[i].team)), STAKE_FALLBACK);
}

/* What tells an entry's stakes apart, as numbers, so that texts are put together once a day. */
struct stake_reads {
    struct key_reads row;
    uint32_t cluster, gpu_model, region, purchase, grade;
};

static bool has_stake(const struct rollup *r, const struct entry *e)
{
    if (e->team)
        return r->shared.n > 0;
    if (e->pod_version != NONE)
        return true;
    return r->cfg.rule->idle.policy != RULE_IDLE_SEPARATE && goes_as_idle(&r->cfg.rule->idle, e);
}

void rollup_stake(struct rollup *r, const struct entry *e)
{
    struct stake_reads reads;
    uint32_t id;

    if (!r->stakes || !has_stake(r, e))
        return;
    reads = (struct stake_reads){key_reads(&r->read, e), e->cluster, e->gpu_model, e->region, e->purchase, e->grade};
    id = intern_put(r->known_stakes, &reads, sizeof reads);
    if (id > r->first_stake.n)
        put_stakes(r, e);
    for (size_t i = r->first_stake.v[id - 1]; i < r->stake_numbers.n && (id == r->first_stake.n || i < r->first_stake.v[id]); i++)
        stakes_add(r->stakes, r->stake_numbers.v[i], e->piece, e->cost, e->gpu_hours);
}

void rollup_moves_day(struct rollup *r)
{
    if (!r->stakes)
        return;
    stakes_relieve(r->stakes);
    intern_free(r->known_stakes);
    r->known_stakes = intern_new();
    vec_clear(&r->first_stake);
    vec_clear(&r->stake_numbers);
}

/* ---- the end ---- */

/* Adds money of one grade to what changes in a row. */
static void add_flow(struct row_sums *change, const struct idle_flow *flow, int grade)
{
    for (int p = 0; p < PIECES; p++) {
        money m = flow->amount[p][grade];

        change->cost[p] += m;
        change->grade[grade] += m;
        change->min_cost += m;
        change->max_cost += m;
        change->idle_cost += m;
    }
    change->moved_gpu += flow->amount[PIECE_GPU][grade];
    change->gpu_hours += flow->amount[IDLE_HOURS][grade];
}

static bool is_change(const struct row_sums *s)
{
    return s->cost[PIECE_GPU] || s->cost[PIECE_CPU] || s->cost[PIECE_MEMORY] || s->gpu_hours;
}

static void move_stake(struct rollup *r, const struct stake *s, const struct idle_flow *flow)
{
    for (size_t i = 0; i < s->n_rows; i++) {
        struct row_sums change = {.has_pods = s->role != STAKE_SOURCE, .left = s->role == STAKE_SOURCE};
        uint32_t row;

        for (int g = 0; g < GRADES; g++)
            if (s->n_rows == 1 || (size_t)g == i)
                add_flow(&change, flow, g);
        if (change.left)
            change.idle_cost = change.moved_gpu = 0;           /* says what came, not what went */
        if (!is_change(&change))
            continue;
        row = rows_put(r->rows, &s->row[i]);
        row_sums_add(rows_at(r->rows, row), &change);
    }
}

/* ---- shared costs ---- */

static void put_shared(struct rollup *r, const struct row_key *key, const money part[PIECES])
{
    struct row_sums change = {.has_pods = true};
    uint32_t row;

    for (int p = 0; p < PIECES; p++) {
        change.cost[p] = part[p];
        change.grade[GRADE_A] += part[p];
        change.shared_cost += part[p];
    }
    change.min_cost = change.max_cost = change.shared_cost;
    change.moved_gpu = part[PIECE_GPU];
    if (!is_change(&change))
        return;
    row = rows_put(r->rows, key);
    row_sums_add(rows_at(r->rows, row), &change);
    rows_relieve(r->rows);
}

/* A named team with nothing of its own is nowhere, and at no time. */
static void put_rest(struct rollup *r, struct shared *x, const struct rollup_shared *cost)
{
    const struct rule_shares *shares = &cost->rule->shares;

    for (size_t i = 0; i < shares->n; i++) {
        struct entry e = {.pod_version = NONE, .team = team_named(r, shares->v[i].team), .sharing = SHARINGS, .purchase = PURCHASES,
                          .day = TIME_MIN};
        struct row_key key;
        money part[PIECES];

        if (!shared_rest(x, i, part))
            continue;
        key = rollup_key(r, &e, &r->texts);
        if (r->hear) {
            struct move_terms terms = shared_terms(x, NULL, NULL, i);

            rollup_tell_shared(r, (size_t)(cost - r->shared.v), span_of(e.team->name), &key, part, &terms);
        }
        put_shared(r, &key, part);
    }
}

static void spread(struct rollup *r, struct idle *idle, struct shared *x, struct rollup_shared *cost)
{
    struct stake stake;
    struct idle_flow flow;
    money part[PIECES];

    cost->spread = shared_begin(x, cost->rule, cost->amount);
    if (!cost->spread || cost->amount == 0)
        return;
    for (idle_rewind(idle); idle_next(idle, &stake, &flow);) {
        shared_next(x, &stake, &flow, part);
        if (r->hear && (part[PIECE_GPU] || part[PIECE_CPU] || part[PIECE_MEMORY])) {
            struct move_terms terms = shared_terms(x, &stake, &flow, 0);

            rollup_tell_shared(r, (size_t)(cost - r->shared.v), stake.owner, &stake.row[0], part, &terms);
        }
        put_shared(r, &stake.row[0], part);
    }
    put_rest(r, x, cost);
}

const struct rollup_shared *rollup_shared(const struct rollup *r, size_t i)
{
    return i < r->shared.n ? &r->shared.v[i] : NULL;
}

void rollup_move(struct rollup *r)
{
    struct idle *idle;
    struct shared *shared;
    struct stake stake;
    struct idle_flow flow;

    if (!r->stakes || r->moved)
        return;
    r->moved = true;
    idle = idle_new(&r->cfg.rule->idle, r->stakes);
    shared = shared_new();
    while (idle_next(idle, &stake, &flow)) {
        move_stake(r, &stake, &flow);
        rollup_tell_flow(r, idle, &stake, &flow);
        if (r->shared.n)
            shared_weigh(shared, &stake, &flow);
        rows_relieve(r->rows);
    }
    for (size_t i = 0; i < r->shared.n; i++)
        spread(r, idle, shared, &r->shared.v[i]);
    shared_free(shared);
    idle_free(idle);
}
