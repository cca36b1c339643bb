/* idle, shared: what a rule moves between rows and into them, seen in the table. Published examples are in USD. */
#include <stdio.h>

#include "core_fixture.h"
#include "gputab/core/rollup.h"

static struct world w;
static struct key_list by;
static struct key_filter filters[2];
static size_t n_filters;
static struct rollup *r;
static struct report report;
static uint32_t pods[5];                               /* of namespaces a, b, c, d, e; a team each */

static void setup(void)
{
    static const char *const names[] = {"a", "b", "c", "d", "e"};

    world_init(&w);
    memset(&report, 0, sizeof report);
    n_filters = 0;
    r = NULL;
    for (int i = 0; i < 5; i++)
        pods[i] = world_pod(&w, names[i], "p", "");
    owners_update(&w.owners, &w.rule, &w.inv, w.names);
}

static void teardown(void)
{
    rollup_free(r);
    report_free(&report);
    world_free(&w);
}

static void policy(enum rule_idle_policy p, enum rule_idle_scope scope)
{
    w.rule.idle.policy = p;
    w.rule.idle.scope = scope;
}

static void share(const char *team, int percent)
{
    vec_push(&w.rule.idle.shares, (struct rule_share){team, percent * MONEY_ONE});
}

static void start(const char *keys)
{
    struct rollup_config cfg = {&w.inv, &w.owners, &by, filters, n_filters, &w.rule, &w.bill};

    ck_assert_int_eq(key_list_parse(span_of(keys), &by, &w.err), 0);
    r = rollup_new(&cfg);
}

static void where(const char *text)
{
    ck_assert_int_eq(key_filter_parse(text, &filters[n_filters++], &w.err), 0);
}

static void send(struct entry e)
{
    struct allocate_sink s = rollup_sink(r);

    s.entry(s.to, &e);
}

/* GPU money of a pool: a model, and on a node of that name. */
static struct entry entry(const char *model, const char *cost)
{
    return (struct entry){.pod_version = NONE, .piece = PIECE_GPU, .cost = world_money(cost), .sharing = SHARINGS,
                          .purchase = PURCHASE_SPOT, .day = AT(0), .gpu_model = world_text(&w, model), .node = world_text(&w, model)};
}

static void pays(int pod, const char *model, const char *cost)
{
    struct entry e = entry(model, cost);

    e.pod_version = owners_version(&w.owners, pods[pod], AT(0));
    e.gpu_hours = e.used_cost = e.cost;                /* an hour is a dollar, all of it used */
    send(e);
}

static void bucket(enum bucket b, const char *model, const char *cost)
{
    struct entry e = entry(model, cost);

    e.bucket = b;
    e.gpu_hours = e.cost > 0 ? e.cost : 0;
    e.reason = b == BUCKET_IDLE ? REASON_EMPTY_CARD : REASON_NONE;
    send(e);
}

static void idle(const char *model, const char *cost)
{
    bucket(BUCKET_IDLE, model, cost);
}

static void piece_of(int pod, enum piece piece, const char *cost)
{
    struct entry e = entry("m", cost);

    e.piece = piece;
    e.bucket = pod < 0 ? BUCKET_IDLE : BUCKET_NONE;
    if (pod >= 0)
        e.pod_version = owners_version(&w.owners, pods[pod], AT(0));
    send(e);
}

static void finish(void)
{
    ck_assert_int_eq(rollup_table(r, 2, true, NULL, &report, &w.err), 0);
}

static const struct cell *cell(size_t row, const char *column)
{
    int c = table_find(&report.table, column);

    ck_assert_msg(c >= 0, "no column %s", column);
    ck_assert_uint_lt(row, report.table.n_rows);
    return table_cell(&report.table, row, (size_t)c);
}

static void is(size_t row, const char *column, const char *expected)
{
    world_is(cell(row, column)->number, expected, 0);
}

static void about(size_t row, const char *expected)
{
    world_is(cell(row, "total_exact")->number, expected, MONEY_ONE / 2000000);
}

static void named(size_t row, const char *column, const char *expected)
{
    const struct cell *c = cell(row, column);

    if (!expected)
        ck_assert_int_eq(c->type, CELL_NULL);
    else
        ck_assert_str_eq(c->text, expected);
}

static void rows_are(size_t n)
{
    ck_assert_uint_eq(report.table.n_rows, n);
}

/* ---- scopes: six places on each of two nodes, four pods on one and one on the other; each place costs 1 (Kubecost's idle example) ---- */

static void two_nodes(void)
{
    start("team");
    for (int i = 0; i < 4; i++)
        pays(i, "n1", "1");
    idle("n1", "2");
    pays(4, "n2", "1");
    idle("n2", "5");
    finish();
}

START_TEST(separate_leaves_idle_alone)
{
    policy(RULE_IDLE_SEPARATE, RULE_SCOPE_POOL);
    two_nodes();
    rows_are(6);
    is(4, "total_cost", "1");
    named(5, "team", "(idle)");
    is(5, "total_cost", "7");
    is(5, "idle_cost", "0");
}
END_TEST

/* 1 + 2 / 4 = 1.5; 1 + 5 = 6. */
START_TEST(in_a_pool_idle_goes_to_those_who_are_there)
{
    policy(RULE_IDLE_PROPORTIONAL, RULE_SCOPE_POOL);
    two_nodes();
    rows_are(5);
    for (size_t i = 0; i < 4; i++)
        is(i, "total_exact", "1.5");
    is(4, "total_exact", "6");
    is(4, "idle_cost", "5");
    is(4, "gpu_hours", "6");
    is(4, "used_cost", "1");
    is(4, "unheld_cost", "0");
    is(4, "min_cost", "6");
    is(4, "max_cost", "6");
    is(4, "grade.A", "6");
    ck_assert(report.measured[GRADE_A] == world_money("5"));   /* of the pods themselves: what moved was not measured on them */
}
END_TEST

/* 1 + 7 / 5 = 2.4. */
START_TEST(over_all_idle_goes_to_everybody)
{
    policy(RULE_IDLE_PROPORTIONAL, RULE_SCOPE_ALL);
    two_nodes();
    rows_are(5);
    for (size_t i = 0; i < 5; i++)
        is(i, "total_exact", "2.4");
}
END_TEST

/* Cluster x has 2 + 2 of idle, cluster y 1 + 3. */
START_TEST(in_a_cluster_idle_goes_to_those_of_the_cluster)
{
    static const struct { const char *cluster, *cost; int pod; } sent[] = {{"x", "2", 0}, {"x", "2", -1}, {"y", "1", 1}, {"y", "3", -1}};

    policy(RULE_IDLE_PROPORTIONAL, RULE_SCOPE_CLUSTER);
    start("team");
    for (size_t i = 0; i < 4; i++) {
        struct entry e = entry("m", sent[i].cost);

        e.cluster = world_text(&w, sent[i].cluster);
        e.bucket = sent[i].pod < 0 ? BUCKET_IDLE : BUCKET_NONE;
        if (sent[i].pod >= 0)
            e.pod_version = owners_version(&w.owners, pods[sent[i].pod], AT(0));
        send(e);
    }
    finish();
    rows_are(2);
    is(0, "total_exact", "4");
    is(1, "total_exact", "4");
}
END_TEST

/* ---- proportional, in published numbers ---- */

/* Koku, MIG: 3 USD an hour in 7 slices; 8, 6 and 4 slice-hours of 168: 72 x 8 / 18, 72 x 6 / 18, 72 x 4 / 18. */
START_TEST(koku_slices_of_a_day)
{
    policy(RULE_IDLE_PROPORTIONAL, RULE_SCOPE_POOL);
    start("team");
    pays(0, "a100", "3.428571428571");
    pays(1, "a100", "2.571428571429");
    pays(2, "a100", "1.714285714286");
    idle("a100", "64.285714285714");
    finish();
    rows_are(3);
    about(0, "32");
    about(1, "24");
    about(2, "16");
    is(0, "idle_cost", "28.57");
    ck_assert(report.totals.total_cost == world_money("72"));
}
END_TEST

/* Koku, scenario 2: 1000 USD in 30 days. Distributed: 13.227513, 9.920635, 6.613757. */
START_TEST(koku_a_thousand_dollars_in_thirty_days)
{
    policy(RULE_IDLE_PROPORTIONAL, RULE_SCOPE_POOL);
    start("team");
    pays(0, "a100", "1.587301587302");
    pays(1, "a100", "1.190476190476");
    pays(2, "a100", "0.793650793651");
    idle("a100", "29.761904761905");
    finish();
    about(0, "14.814815");
    about(1, "11.111111");
    about(2, "7.407407");
    is(0, "idle_cost", "13.23");
    is(1, "idle_cost", "9.92");
    is(2, "idle_cost", "6.61");
}
END_TEST

/* Koku, scenario 2: 1000 USD over 8, 6 and 4 slice-hours are 444.44, 333.33 and 222.22, and one cent that the largest remainder gets:
 * 444.444444, 333.333333, 222.222222. */
START_TEST(koku_the_cent_that_is_missing)
{
    policy(RULE_IDLE_PROPORTIONAL, RULE_SCOPE_POOL);
    start("team");
    pays(0, "a100", "8");
    pays(1, "a100", "6");
    pays(2, "a100", "4");
    idle("a100", "982");
    finish();
    is(0, "total_cost", "444.45");
    is(1, "total_cost", "333.33");
    is(2, "total_cost", "222.22");
}
END_TEST

/* AWS split cost allocation, accelerated: p3.16xlarge at 10 USD. A unit is 10 / (8 x 9 + 64 x 0.9 + 488 x 0.1) = 0.056053811659; a GPU 9,
 * a vCPU 0.9, a GB 0.1 units. GPUs 1, 3, 2, 2; vCPUs 16, 18, 16, 16 of 66 (64 renormalised); GB 100, 140, 100, 100 and 48 unused, which go
 * to the pods by their memory: 0.061150, 0.085609, 0.061150, 0.061150. */
START_TEST(aws_split_cost_allocation_with_gpus)
{
    static const char *const amounts[4][PIECES] = {
        {"0.504484304933", "0.782715042805", "0.560538116592"}, {"1.513452914798", "0.880554423155", "0.784753363229"},
        {"1.008968609865", "0.782715042805", "0.560538116592"}, {"1.008968609865", "0.782715042805", "0.560538116592"},
    };

    policy(RULE_IDLE_PROPORTIONAL, RULE_SCOPE_POOL);
    start("team");
    for (int i = 0; i < 4; i++)
        for (int p = 0; p < PIECES; p++)
            piece_of(i, (enum piece)p, amounts[i][p]);
    piece_of(-1, PIECE_MEMORY, "0.269058295964");
    finish();
    rows_are(4);
    about(0, "1.908887");
    about(1, "3.264370");
    about(2, "2.413371");
    about(3, "2.413371");
    is(0, "idle_cost", "0.06");
    is(1, "idle_cost", "0.09");
    ck_assert(report.totals.total_cost == world_money("10"));
}
END_TEST

/* The same for CPU and memory alone: m5.xlarge at 1 USD. A GB is 1 / 52, a vCPU 9 / 52; vCPUs 1, 1.9, 1, 1 of 4.9 share 4; GB 4, 6, 2, 2
 * of 16. Namespace 1 has the first and the third pod: 0.414442, the other 0.585557. */
START_TEST(aws_split_cost_allocation_without_gpus)
{
    static const char *const cpu[] = {"0.141287284144", "0.268445839874", "0.141287284144", "0.141287284145"};
    static const char *const memory[] = {"0.076923076923", "0.115384615385", "0.038461538462", "0.038461538461"};

    policy(RULE_IDLE_PROPORTIONAL, RULE_SCOPE_POOL);
    start("team");
    for (int i = 0; i < 4; i++) {
        piece_of(i, PIECE_CPU, cpu[i]);
        piece_of(i, PIECE_MEMORY, memory[i]);
    }
    piece_of(-1, PIECE_MEMORY, "0.038461538462");
    finish();
    about(0, "0.229199");
    about(1, "0.400314");
    about(2, "0.185243");
    about(3, "0.185243");
    ck_assert(report.totals.total_cost == MONEY_ONE);
}
END_TEST

/* Idle CPU goes by CPU cost and not by GPU cost. */
START_TEST(each_piece_goes_by_its_own_cost)
{
    policy(RULE_IDLE_PROPORTIONAL, RULE_SCOPE_POOL);
    start("team");
    piece_of(0, PIECE_GPU, "9");
    piece_of(0, PIECE_CPU, "1");
    piece_of(1, PIECE_GPU, "1");
    piece_of(1, PIECE_CPU, "3");
    piece_of(-1, PIECE_CPU, "4");
    finish();
    rows_are(2);
    is(0, "gpu_cost", "9");
    is(0, "cpu_cost", "2");
    is(1, "cpu_cost", "6");
}
END_TEST

/* ---- even, fixed, to ---- */

/* 6 over three teams, whatever they had; what nobody's pods cost gets nothing. */
START_TEST(even_counts_teams)
{
    uint32_t system;
    struct entry e;

    policy(RULE_IDLE_EVEN, RULE_SCOPE_POOL);
    start("team");
    pays(0, "m", "10");
    pays(1, "m", "1");
    pays(2, "m", "1");
    e = entry("m", "3");
    system = owners_version(&w.owners, pods[3], AT(0));
    w.owners.versions.v[system].bucket = BUCKET_SYSTEM;
    e.pod_version = system;
    send(e);
    pays(4, "other", "1");
    idle("m", "6");
    finish();
    rows_are(5);
    is(0, "total_exact", "12");
    is(1, "total_exact", "3");
    is(2, "total_exact", "3");
    is(3, "total_exact", "1");
    named(4, "team", "(system)");
    is(4, "total_exact", "3");
}
END_TEST

/* What a team gets is divided in it by cost: 6 over two teams, and 3 in the first as 1 : 2. */
START_TEST(in_a_team_idle_goes_by_cost)
{
    struct entry e;

    policy(RULE_IDLE_EVEN, RULE_SCOPE_ALL);
    start("gpu_model,team");
    pays(0, "x", "1");
    pays(0, "y", "2");
    pays(1, "y", "5");
    e = entry("z", "6");
    e.bucket = BUCKET_IDLE;
    send(e);
    finish();
    rows_are(3);
    is(0, "total_exact", "2");
    is(1, "total_exact", "4");
    is(2, "total_exact", "8");
}
END_TEST

/* 60 % of 10 to a, whose pods are there; 40 % to z, which has none: a row of its own, where the idle time was. */
START_TEST(fixed_shares_need_no_pods)
{
    policy(RULE_IDLE_FIXED, RULE_SCOPE_POOL);
    share("a", 60);
    share("z", 40);
    start("team,gpu_model,namespace,reason");
    pays(0, "m", "1");
    pays(1, "m", "9");
    idle("m", "10");
    finish();
    rows_are(3);
    is(0, "total_exact", "7");
    is(1, "total_exact", "9");
    named(2, "team", "z");
    named(2, "gpu_model", "m");
    named(2, "namespace", NULL);
    named(2, "reason", NULL);
    named(2, "bucket", NULL);
    is(2, "total_exact", "4");
    is(2, "idle_cost", "4");
    is(2, "gpu_hours", "4");
    is(2, "used_cost", "0");
    is(2, "unheld_cost", "0");
}
END_TEST

static struct rule_cost_centre centre = {"0042", "Research", (const char *[]){"z", NULL}};

START_TEST(to_one_team_with_its_cost_centre)
{
    vec_push(&w.rule.cost_centres, centre);
    policy(RULE_IDLE_TO, RULE_SCOPE_POOL);
    share("z", 100);
    start("cost_centre,team");
    idle("m", "10");
    finish();
    rows_are(1);
    named(0, "cost_centre", "0042");
    named(0, "team", "z");
    is(0, "total_exact", "10");
}
END_TEST

/* ---- include, owners ---- */

START_TEST(other_buckets_follow_when_they_are_named)
{
    for (int named_too = 0; named_too < 2; named_too++) {
        if (named_too) {
            teardown();
            setup();
        }
        policy(RULE_IDLE_PROPORTIONAL, RULE_SCOPE_POOL);
        w.rule.idle.unattributed = named_too;
        start("team");
        pays(0, "m", "1");
        idle("m", "2");
        bucket(BUCKET_UNATTRIBUTED, "m", "3");
        bucket(BUCKET_RESERVED, "m", "4");
        bucket(BUCKET_NO_METRICS, "m", "5");
        finish();
        is(0, "total_exact", named_too ? "6" : "3");
        rows_are(named_too ? 3 : 4);
        named(1, "team", "(driver-reserved)");
        is(1, "total_exact", "4");
    }
}
END_TEST

/* The money of an owner is no weight: a has 1, and 4 of the pool; the owner's 10 stay with it. */
START_TEST(idle_owners_come_before_the_policy)
{
    static const char *ml[] = {"ml-*", NULL};

    vec_push(&w.rule.idle.owners, (struct rule_idle_owner){.nodes = ml, .team = "nlp"});
    policy(RULE_IDLE_PROPORTIONAL, RULE_SCOPE_ALL);
    start("team,node");
    pays(0, "x", "1");
    idle("x", "4");
    idle("ml-1", "10");
    finish();
    rows_are(2);
    is(0, "total_exact", "5");
    named(1, "team", "nlp");
    named(1, "node", "ml-1");
    is(1, "total_exact", "10");
    is(1, "idle_cost", "10");
    is(1, "gpu_hours", "10");
    is(1, "used_cost", "0");
}
END_TEST

static void label_from(uint32_t node, time_ms t, const char *set, size_t n)
{
    steps_push(&w.inv.nodes.v[node].labels, t, intern_put(w.inv.labelsets, set, n));
}

/* The node is of the pool nlp until it is given to the pool cv, in the middle of the second day. */
START_TEST(idle_owners_by_label_are_those_of_the_day)
{
    static const char nlp[] = "label_pool\0nlp", cv[] = "label_pool\0cv";
    uint32_t node = world_node(&w, "n1", NULL, NULL);

    label_from(node, AT(0), nlp, sizeof nlp);
    label_from(node, AT(DAY_S + 12 * HOUR_S), cv, sizeof cv);
    vec_push(&w.rule.idle.owners, (struct rule_idle_owner){.label = "pool", .value_glob = "n*", .team = "nlp"});
    vec_push(&w.rule.idle.owners, (struct rule_idle_owner){.label = "pool", .team = "rest"});
    vec_push(&w.rule.idle.owners, (struct rule_idle_owner){.label = "other", .team = "nobody"});
    start("team");
    for (int day = 0; day < 2; day++) {
        struct entry e = entry("n1", day ? "2" : "1");

        e.bucket = BUCKET_IDLE;
        e.day = AT(day * DAY_S);
        send(e);
    }
    idle("n2", "5");
    finish();
    rows_are(3);
    named(0, "team", "nlp");
    is(0, "idle_cost", "1");
    named(1, "team", "rest");
    is(1, "idle_cost", "2");
    named(2, "team", "(idle)");
    is(2, "total_cost", "5");
}
END_TEST

/* ---- shared costs ---- */

/* Of the bill's fees. */
static struct rule_shared_cost *shared(const char *name, enum rule_shared_method method, const char *amount)
{
    vec_push(&w.rule.shared_costs, (struct rule_shared_cost){.name = name, .method = method});
    vec_push(&w.bill.shared, (struct bill_shared_sum){.rows = 1});
    w.bill.shared.v[w.bill.shared.n - 1].groups[GROUP_FEE] = world_money(amount);
    return &w.rule.shared_costs.v[w.rule.shared_costs.n - 1];
}

static void share_of(struct rule_shared_cost *cost, const char *team, int percent)
{
    vec_push(&cost->shares, (struct rule_share){team, percent * MONEY_ONE});
}

/* a has 6 of GPU and 2 of CPU, b 2 of GPU and 2 of idle: 12. */
static void two_teams(void)
{
    piece_of(0, PIECE_GPU, "6");
    piece_of(0, PIECE_CPU, "2");
    piece_of(1, PIECE_GPU, "2");
    idle("m", "2");
}

/* 5 over 10 that belong to pods: a 3 + 1 by its pieces, b 1. The idle 2 are nobody's and get none. */
START_TEST(a_shared_cost_goes_by_cost_and_to_each_piece_its_part)
{
    shared("support", RULE_SHARED_PROPORTIONAL, "5");
    start("team");
    two_teams();
    ck_assert(rollup_exact_total(r) == world_money("17"));
    ck_assert(rollup_shared(r, 0)->spread);
    ck_assert_ptr_null(rollup_shared(r, 1));
    finish();
    rows_are(3);
    is(0, "gpu_cost", "9");
    is(0, "cpu_cost", "3");
    is(0, "shared_cost", "4");
    is(0, "grade.A", "12");
    is(0, "min_cost", "12");
    is(0, "unheld_cost", "6");                             /* nothing of its own GPU cost was used: 6 of 9 */
    is(1, "total_exact", "3");
    is(1, "shared_cost", "1");
    named(2, "team", "(idle)");
    is(2, "total_exact", "2");
}
END_TEST

/* Idle first: a has 6 + 1.5 and 2, b 2 + 0.5: 12. Of 6 a gets 3.75 + 1, b 1.25. */
START_TEST(a_shared_cost_goes_by_cost_after_idle)
{
    policy(RULE_IDLE_PROPORTIONAL, RULE_SCOPE_POOL);
    shared("support", RULE_SHARED_PROPORTIONAL, "6");
    start("team");
    two_teams();
    finish();
    rows_are(2);
    is(0, "idle_cost", "1.5");
    is(0, "shared_cost", "4.75");
    is(0, "gpu_cost", "11.25");
    is(0, "cpu_cost", "3");
    is(1, "shared_cost", "1.25");
}
END_TEST

/* Two costs do not weigh in each other: both go by 8 : 2. */
START_TEST(shared_costs_do_not_depend_on_their_order)
{
    shared("support", RULE_SHARED_PROPORTIONAL, "5");
    shared("network", RULE_SHARED_EVEN, "10");
    start("team");
    two_teams();
    finish();
    is(0, "shared_cost", "9");
    is(1, "shared_cost", "6");
}
END_TEST

/* A credit makes everybody's cost smaller. */
START_TEST(a_shared_credit_is_taken_off)
{
    shared("credit", RULE_SHARED_PROPORTIONAL, "-5");
    start("team");
    two_teams();
    finish();
    is(0, "total_exact", "4");
    is(1, "total_exact", "1");
    is(0, "shared_cost", "-4");
}
END_TEST

/* z has nothing of its own: its 4 are GPU and CPU as all that pods cost is, 8 : 2. No node, no day. */
START_TEST(a_team_named_by_fixed_shares_gets_the_pieces_of_the_whole)
{
    struct rule_shared_cost *cost = shared("network", RULE_SHARED_FIXED, "10");

    share_of(cost, "a", 60);
    share_of(cost, "z", 40);
    start("team,node,day");
    two_teams();
    finish();
    rows_are(4);
    is(0, "total_exact", "14");
    is(1, "total_exact", "2");
    named(2, "team", "z");
    named(2, "node", NULL);
    named(2, "day", NULL);
    is(2, "gpu_cost", "3.2");
    is(2, "cpu_cost", "0.8");
    is(2, "shared_cost", "4");
    is(2, "gpu_hours", "0");
}
END_TEST

/* Koku: unattributed costs vanished. What nothing weighs for stays where it was, and says so. */
START_TEST(a_shared_cost_without_weights_stays_in_its_group)
{
    shared("support", RULE_SHARED_PROPORTIONAL, "5");
    start("team");
    idle("m", "2");
    ck_assert(rollup_exact_total(r) == world_money("2"));
    ck_assert(!rollup_shared(r, 0)->spread);
    finish();
    rows_are(1);
    is(0, "shared_cost", "0");
}
END_TEST

START_TEST(idle_owners_pay_shared_costs)
{
    static const char *all[] = {"m", NULL};

    vec_push(&w.rule.idle.owners, (struct rule_idle_owner){.nodes = all, .team = "nlp"});
    shared("support", RULE_SHARED_EVEN, "3");
    start("team");
    two_teams();
    finish();
    rows_are(3);
    named(2, "team", "nlp");
    is(2, "idle_cost", "2");
    is(2, "shared_cost", "1");
    is(2, "total_exact", "3");
}
END_TEST

/* ---- totals and trust ---- */

/* opencost#1124: with a filter, idle was counted again. Everything is moved first, then rows are hidden. */
START_TEST(opencost_1124_a_filter_comes_last)
{
    policy(RULE_IDLE_PROPORTIONAL, RULE_SCOPE_POOL);
    where("team=b");
    start("team");
    pays(0, "m", "1");
    pays(1, "m", "3");
    idle("m", "4");
    finish();
    rows_are(1);
    is(0, "total_exact", "6");
}
END_TEST

/* opencost#883: idle that nothing weighs for disappeared. It stays, with its hours; and so does what weighs the other way. */
START_TEST(opencost_883_idle_without_weights_stays)
{
    policy(RULE_IDLE_PROPORTIONAL, RULE_SCOPE_POOL);
    start("gpu_model,team");
    idle("alone", "5");
    pays(0, "free", "0");
    idle("free", "5");
    pays(0, "other", "-2");
    idle("other", "5");
    finish();
    rows_are(5);
    for (size_t i = 2; i < 5; i++) {
        named(i, "bucket", "(idle)");
        is(i, "total_exact", "5");
        is(i, "gpu_hours", "5");
    }
}
END_TEST

/* kubecost#1965, opencost#3393: negative idle was clamped to 0, which broke the total. A negative charge is divided like a positive one. */
START_TEST(kubecost_1965_a_negative_charge_moves_like_another)
{
    policy(RULE_IDLE_PROPORTIONAL, RULE_SCOPE_POOL);
    start("team");
    pays(0, "m", "-1");
    pays(1, "m", "-3");
    idle("m", "-8");
    finish();
    rows_are(2);
    is(0, "total_exact", "-3");
    is(1, "total_exact", "-9");
}
END_TEST

/* koku#6163: on nodes of several models one counted for all. A pool is of one model. */
START_TEST(koku_6163_models_are_pools_of_their_own)
{
    policy(RULE_IDLE_PROPORTIONAL, RULE_SCOPE_POOL);
    start("team");
    pays(0, "l4", "1");
    pays(1, "h100", "1");
    idle("l4", "2");
    idle("h100", "20");
    finish();
    is(0, "total_exact", "3");
    is(1, "total_exact", "21");
}
END_TEST

/* koku#4200, #5238: part of a cost was never distributed. Whatever thirds are made of, the sum stays to the last decimal, and a team gets
 * the same in one row as in many. */
START_TEST(koku_4200_nothing_is_lost_however_rows_are_cut)
{
    static const char *const keys[] = {"team", "team,gpu_model", "gpu_model", "team,reason,node"};
    static const enum rule_idle_policy policies[] = {RULE_IDLE_PROPORTIONAL, RULE_IDLE_EVEN};
    money first[2] = {0, 0};

    for (int i = 0; i < 8; i++) {
        money sum = 0, of_a = 0;

        if (i) {
            teardown();
            setup();
        }
        policy(policies[i % 2], RULE_SCOPE_ALL);
        start(keys[i / 2]);
        pays(0, "x", "0.000000000007");
        pays(0, "y", "1.333333333333");
        pays(1, "y", "0.777777777777");
        pays(2, "z", "-0.1");
        idle("x", "10");
        idle("z", "0.000000000001");
        ck_assert(rollup_exact_total(r) == world_money("12.011111111118"));
        finish();
        for (size_t k = 0; k < report.table.n_rows; k++) {
            sum += cell(k, "total_exact")->number;
            if (table_find(&report.table, "team") == 0 && strcmp(cell(k, "team")->text, "a") == 0)
                of_a += cell(k, "total_exact")->number;
        }
        ck_assert(sum == world_money("12.011111111118"));
        if (i < 2)
            first[i] = of_a;
        else if (i / 2 != 2)
            ck_assert(of_a == first[i % 2]);
    }
}
END_TEST

/* 10^15 beside its negative leave a millionth: a part of the sum would be 10^21 times the total. */
START_TEST(what_would_not_fit_stays)
{
    policy(RULE_IDLE_PROPORTIONAL, RULE_SCOPE_POOL);
    start("team");
    for (int i = 0; i < 100; i++) {
        pays(0, "m", "1000000000000000");
        pays(1, "m", "-1000000000000000");
    }
    pays(2, "m", "0.000000000001");
    idle("m", "1000000000000000");
    finish();
    rows_are(4);
    is(3, "total_exact", "1000000000000000");
}
END_TEST

/* More rows and stakes than memory should hold: each of 7000 cards costs a pod 1 on each of three days, and 1 in all three is idle in a
 * row of its own: so each gets 1, and nothing is left of the idle rows. */
START_TEST(rows_on_disk_get_their_part)
{
    enum { CARDS = 7000 };
    char name[32];
    struct allocate_sink s;

    policy(RULE_IDLE_PROPORTIONAL, RULE_SCOPE_ALL);
    start("gpu");
    s = rollup_sink(r);
    for (int day = 0; day < 3; day++) {
        for (int i = 0; i < CARDS; i++) {
            struct entry e = entry("m", "1");

            snprintf(name, sizeof name, "gpu-%05d", i);
            e.gpu = world_text(&w, name);
            e.pod_version = owners_version(&w.owners, pods[i % 5], AT(0));
            send(e);
            e.pod_version = NONE;
            e.bucket = BUCKET_IDLE;
            e.cost = MONEY_ONE / 3 + (day == 0);               /* thirds, and what is missing of 1 */
            send(e);
        }
        s.day_done(s.to);
    }
    ck_assert(rollup_exact_total(r) == 4 * CARDS * MONEY_ONE);
    finish();
    rows_are(CARDS);
    is(0, "total_exact", "4");
    is(CARDS / 2, "total_exact", "4");
    is(CARDS - 1, "idle_cost", "1");
}
END_TEST

/* ---- keys of time and grade ---- */

/* Idle of the second day goes to who was there on the first; its own row is gone. */
START_TEST(a_policy_looks_at_the_whole_period)
{
    struct entry e;

    policy(RULE_IDLE_PROPORTIONAL, RULE_SCOPE_POOL);
    start("day");
    pays(0, "m", "1");
    e = entry("m", "2");
    e.bucket = BUCKET_IDLE;
    e.day = AT(DAY_S);
    send(e);
    finish();
    rows_are(1);
    is(0, "total_exact", "3");
}
END_TEST

/* What is known of an amount is known of it wherever it goes. */
START_TEST(moved_money_keeps_its_grade)
{
    for (int key = 0; key < 2; key++) {
        struct entry e;

        if (key) {
            teardown();
            setup();
        }
        policy(RULE_IDLE_PROPORTIONAL, RULE_SCOPE_POOL);
        w.rule.idle.unattributed = true;
        start(key ? "team,grade" : "team");
        e = entry("m", "1");
        e.pod_version = owners_version(&w.owners, pods[0], AT(0));
        e.grade = GRADE_C;
        send(e);
        idle("m", "4");
        e = entry("m", "2");
        e.bucket = BUCKET_UNATTRIBUTED;
        e.grade = GRADE_D;
        send(e);
        finish();
        rows_are(key ? 3 : 1);
        if (!key) {
            is(0, "grade.A", "4");
            is(0, "grade.C", "1");
            is(0, "grade.D", "2");
            continue;
        }
        named(0, "grade", "A");
        is(0, "total_exact", "4");
        named(2, "grade", "D");
        is(2, "total_exact", "2");
    }
}
END_TEST

/* ---- parts of a report (core/nest) ---- */

static void odd_cents(const char *keys)
{
    start(keys);
    for (int i = 0; i < 3; i++) {
        pays(i, "n1", "0.335");
        pays(i, "n2", "0.115");
        piece_of(i, PIECE_CPU, "0.005");
    }
    idle("n1", "1");
    idle("n2", "0.50");
    piece_of(-1, PIECE_CPU, "0.025");
}

static money row_of_team(const struct report *of, const char *team)
{
    int key = table_find(&of->table, "team"), cost = table_find(&of->table, "total_cost");
    money sum = 0;

    for (size_t row = 0; row < of->table.n_rows; row++)
        if (strcmp(table_cell(&of->table, row, (size_t)key)->text, team) == 0)
            sum += table_cell(&of->table, row, (size_t)cost)->number;
    return sum;
}

/* Each team has 0.455 of itself and a third of 1.525 idle: 0.963333, together 2.89. Rows of models by themselves would get their odd cents
 * otherwise; under a filter, too, the parts shown are those of the rows shown. */
START_TEST(parts_add_up_to_rows_that_a_policy_moved_money_to)
{
    static const enum rule_idle_policy policies[] = {RULE_IDLE_PROPORTIONAL, RULE_IDLE_EVEN};
    static const char *const teams[] = {"a", "b", "c"};

    for (int i = 0; i < 4; i++) {
        struct report coarse = {0};
        money shown = 0;

        policy(policies[i / 2], RULE_SCOPE_ALL);
        n_filters = 0;
        if (i % 2)
            where("team=b");
        odd_cents("team");
        ck_assert_int_eq(rollup_table(r, 2, true, NULL, &coarse, &w.err), 0);
        rollup_free(r);
        odd_cents("team,gpu_model");
        ck_assert_int_eq(rollup_table(r, 2, true, &coarse, &report, &w.err), 0);
        ck_assert(report.totals.total_cost == coarse.totals.total_cost);
        for (int t = 0; t < 3; t++) {
            ck_assert(row_of_team(&report, teams[t]) == row_of_team(&coarse, teams[t]));
            shown += row_of_team(&report, teams[t]);
        }
        world_is(shown, i % 2 ? "0.96" : "2.89", MONEY_ONE / 100);
        rollup_free(r);
        r = NULL;
        report_free(&report);
        report_free(&coarse);
        memset(&report, 0, sizeof report);
    }
}
END_TEST

int main(void)
{
    Suite *s = suite_create("idle");
    TCase *t = tcase_create("idle");

    tcase_add_checked_fixture(t, setup, teardown);
    tcase_add_test(t, separate_leaves_idle_alone);
    tcase_add_test(t, in_a_pool_idle_goes_to_those_who_are_there);
    tcase_add_test(t, over_all_idle_goes_to_everybody);
    tcase_add_test(t, in_a_cluster_idle_goes_to_those_of_the_cluster);
    tcase_add_test(t, koku_slices_of_a_day);
    tcase_add_test(t, koku_a_thousand_dollars_in_thirty_days);
    tcase_add_test(t, koku_the_cent_that_is_missing);
    tcase_add_test(t, aws_split_cost_allocation_with_gpus);
    tcase_add_test(t, aws_split_cost_allocation_without_gpus);
    tcase_add_test(t, each_piece_goes_by_its_own_cost);
    tcase_add_test(t, even_counts_teams);
    tcase_add_test(t, in_a_team_idle_goes_by_cost);
    tcase_add_test(t, fixed_shares_need_no_pods);
    tcase_add_test(t, to_one_team_with_its_cost_centre);
    tcase_add_test(t, other_buckets_follow_when_they_are_named);
    tcase_add_test(t, idle_owners_come_before_the_policy);
    tcase_add_test(t, idle_owners_by_label_are_those_of_the_day);
    tcase_add_test(t, a_shared_cost_goes_by_cost_and_to_each_piece_its_part);
    tcase_add_test(t, a_shared_cost_goes_by_cost_after_idle);
    tcase_add_test(t, shared_costs_do_not_depend_on_their_order);
    tcase_add_test(t, a_shared_credit_is_taken_off);
    tcase_add_test(t, a_team_named_by_fixed_shares_gets_the_pieces_of_the_whole);
    tcase_add_test(t, a_shared_cost_without_weights_stays_in_its_group);
    tcase_add_test(t, idle_owners_pay_shared_costs);
    tcase_add_test(t, opencost_1124_a_filter_comes_last);
    tcase_add_test(t, opencost_883_idle_without_weights_stays);
    tcase_add_test(t, kubecost_1965_a_negative_charge_moves_like_another);
    tcase_add_test(t, koku_6163_models_are_pools_of_their_own);
    tcase_add_test(t, koku_4200_nothing_is_lost_however_rows_are_cut);
    tcase_add_test(t, what_would_not_fit_stays);
    tcase_add_test(t, rows_on_disk_get_their_part);
    tcase_add_test(t, a_policy_looks_at_the_whole_period);
    tcase_add_test(t, moved_money_keeps_its_grade);
    tcase_add_test(t, parts_add_up_to_rows_that_a_policy_moved_money_to);
    suite_add_tcase(s, t);
    return unit_run(s);
}
