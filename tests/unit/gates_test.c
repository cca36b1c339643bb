/* tally and gates: what bounds are measured by, worked out from entries of round amounts. */
#include "core_fixture.h"
#include "gputab/core/gates.h"
#include "gputab/core/tally.h"

static struct world w;
static struct tally *t;
static struct notes notes;
static struct allocate_sums sums;
static uint32_t versions[4];           /* of pods in namespaces nlp, cv (teams), web, db (no owner) */

static void setup(void)
{
    static const char *const names[] = {"nlp", "cv", "web", "db"};
    static const char *const globs[][2] = {{"nlp", NULL}, {"cv", NULL}};
    static const struct rule_matcher matchers[] = {{RULE_MATCH_NAMESPACE, NULL, globs[0]}, {RULE_MATCH_NAMESPACE, NULL, globs[1]}};

    world_init(&w);
    notes = (struct notes){.only = NULL};
    sums = (struct allocate_sums){.billed = 0};
    w.rule.has_owners = true;
    for (int i = 0; i < 2; i++)
        vec_push(&w.rule.owners, (struct rule_owner){.matchers = &matchers[i], .n_matchers = 1,
                                                     .team = names[i], .from = TIME_MIN, .until = TIME_MAX, .line = i + 1});
    for (int i = 0; i < 4; i++)
        world_pod(&w, names[i], "p", "");
    owners_update(&w.owners, &w.rule, &w.inv, w.names);
    for (uint32_t i = 0; i < 4; i++)
        versions[i] = owners_version(&w.owners, i, AT(0));
    t = tally_new(&w.inv, &w.owners);
}

static void teardown(void)
{
    tally_free(t);
    notes_free(&notes);
    world_free(&w);
}

static void add(struct entry e)
{
    struct allocate_sink s = tally_sink(t);

    sums.billed += e.cost;
    s.entry(s.to, &e);
}

static void pod(int which, enum grade grade, const char *cost)
{
    add((struct entry){.pod_version = versions[which], .grade = grade, .cost = world_money(cost)});
}

static void bucket(enum bucket b, enum reason reason, enum grade grade, const char *node, const char *cost)
{
    add((struct entry){.pod_version = NONE, .bucket = b, .reason = reason, .grade = grade, .node = world_text(&w, node),
                       .cost = world_money(cost)});
}

/* 100.00 billed: teams 40 + 20, of which 5 are estimated; without owner 2 + 1; idle 20; no metrics 6, of which 4 are starting; refused 11. */
static void add_hundred(void)
{
    pod(0, GRADE_A, "40");
    pod(1, GRADE_A, "15");
    pod(1, GRADE_C, "5");
    pod(2, GRADE_A, "2");
    pod(3, GRADE_A, "1");
    bucket(BUCKET_IDLE, REASON_EMPTY_CARD, GRADE_A, "n1", "20");
    bucket(BUCKET_NO_METRICS, REASON_STARTING, GRADE_D, "n1", "4");
    bucket(BUCKET_NO_METRICS, REASON_GAP, GRADE_D, "n2", "1.5");
    bucket(BUCKET_NO_METRICS, REASON_NEVER_SEEN, GRADE_D, "n3", "0.5");
    bucket(BUCKET_UNATTRIBUTED, REASON_NONE, GRADE_D, "n1", "11");
}

START_TEST(sums_are_by_bucket_reason_and_grade)
{
    const struct tally_sums *s = tally_sums(t);

    add_hundred();
    ck_assert(s->bucket[BUCKET_NONE] == 60 * MONEY_ONE);
    ck_assert(s->bucket[BUCKET_UNMAPPED] == 3 * MONEY_ONE);
    ck_assert(s->bucket[BUCKET_IDLE] == 20 * MONEY_ONE);
    ck_assert(s->bucket[BUCKET_NO_METRICS] == 6 * MONEY_ONE);
    ck_assert(s->reason[REASON_STARTING] == 4 * MONEY_ONE);
    ck_assert(s->grade[GRADE_A] == 58 * MONEY_ONE);
    ck_assert(s->grade[GRADE_C] == 5 * MONEY_ONE);
    ck_assert(s->refused == 11 * MONEY_ONE);
}
END_TEST

static void parts(enum tally_list list, const char *want)
{
    struct tally_parts p = tally_parts(t, list);
    struct buf b = {0};

    for (size_t i = 0; i < p.n; i++) {
        buf_addf(&b, "%s%s ", i ? ", " : "", p.v[i].name);
        money_add_text(&b, p.v[i].cost, 2);
    }
    ck_assert_str_eq(buf_str(&b), want);
    buf_free(&b);
    free(p.v);
}

/* A number of a string may stand for another one tomorrow. */
START_TEST(names_of_a_day_that_is_done_keep_their_amounts)
{
    struct allocate_sink s = tally_sink(t);
    uint32_t first, second;

    intern_mark(w.names);
    first = world_text(&w, "monday");
    bucket(BUCKET_NO_METRICS, REASON_GAP, GRADE_D, "monday", "1");
    bucket(BUCKET_NO_METRICS, REASON_GAP, GRADE_D, "monday", "2");
    s.day_done(s.to);
    intern_release(w.names);
    second = world_text(&w, "tuesday");
    ck_assert_uint_eq(first, second);
    bucket(BUCKET_NO_METRICS, REASON_GAP, GRADE_D, "tuesday", "5");
    parts(TALLY_UNSEEN, "tuesday 5.00, monday 3.00");
}
END_TEST

START_TEST(the_first_that_is_not_measured_may_be_a_bucket)
{
    pod(2, GRADE_C, "2");
    bucket(BUCKET_UNATTRIBUTED, REASON_NONE, GRADE_D, "n1", "3");
    parts(TALLY_UNMEASURED, "(unattributed) 3.00, (unmapped) 2.00");
}
END_TEST

/* More names than are remembered, in turns: 100 nodes have 1 each from every round. */
START_TEST(many_names_in_turns_keep_their_amounts)
{
    struct tally_parts p;
    struct buf name = {0};

    for (int round = 0; round < 3; round++)
        for (int i = 0; i < 100; i++) {
            buf_clear(&name);
            buf_addf(&name, "n%02d", i);
            bucket(BUCKET_NO_METRICS, REASON_GAP, GRADE_D, buf_str(&name), "1");
        }
    p = tally_parts(t, TALLY_UNSEEN);
    ck_assert_uint_eq(p.n, 100);
    for (size_t i = 0; i < p.n; i++)
        ck_assert(p.v[i].cost == 3 * MONEY_ONE);
    ck_assert_str_eq(p.v[0].name, "n00");
    ck_assert_str_eq(p.v[99].name, "n99");
    free(p.v);
    buf_free(&name);
}
END_TEST

/* Equal amounts stand by name. */
START_TEST(the_largest_parts_come_first)
{
    add_hundred();
    pod(2, GRADE_A, "-1");
    parts(TALLY_UNMAPPED, "db 1.00, web 1.00");
    parts(TALLY_UNSEEN, "n2 1.50, n3 0.50");
    parts(TALLY_UNMEASURED, "(unattributed) 11.00, cv 5.00");
}
END_TEST

static const struct gate_note *check(enum rule_gate gate, const char *percent)
{
    memset(w.rule.gates, 0, sizeof w.rule.gates);
    vec_clear(&notes.gates);
    w.rule.gates[gate] = (struct rule_limit){.written = true, .percent = world_money(percent)};
    gates_check(&w.rule, &sums, t, &notes);
    ck_assert_uint_eq(notes.gates.n, 1);
    ck_assert_str_eq(notes.gates.v[0].name, rule_gate_names[gate]);
    ck_assert_int_eq(gate_of(&notes.gates.v[0]), gate);
    return &notes.gates.v[0];
}

/* 3 of 100 have no owner; 2 of 100 are unseen without the 4 of a start; 58 of 63 + 11 are of grade A: 78.378...% */
static const struct { enum rule_gate gate; const char *percent; bool passed; const char *value; int digits; } bounds[] = {
    {GATE_UNMAPPED, "3", true, "0.0300", 4},
    {GATE_UNMAPPED, "2.999999999999", false, "0.030000000000", 12},
    {GATE_UNMAPPED, "2", false, "0.0300", 4},
    {GATE_NO_METRICS, "2", true, "0.0200", 4},
    {GATE_NO_METRICS, "1.99", false, "0.0200", 4},
    {GATE_GRADE_A, "78", true, "0.7838", 4},
    {GATE_GRADE_A, "78.38", false, "0.78378", 5},      /* rounded to 4 decimals it would look like enough */
    {GATE_GRADE_A, "79", false, "0.7838", 4},
};

START_TEST(bounds_are_compared_exactly)
{
    const struct gate_note *n;
    struct buf b = {0};

    add_hundred();
    n = check(bounds[_i].gate, bounds[_i].percent);
    ck_assert_int_eq(n->passed, bounds[_i].passed);
    money_add_text(&b, n->value, n->digits);
    ck_assert_int_eq(n->digits, bounds[_i].digits);
    ck_assert_str_eq(buf_str(&b), bounds[_i].value);
    buf_free(&b);
}
END_TEST

/* 90 of 100 hours observed and 5 starting: 95 %. As large as a year of ten thousand cards, and still compared exactly. */
START_TEST(starting_counts_as_covered)
{
    const weight hour = (weight)TIME_HOUR * 1000000 * 1000000;

    sums.hours = 100 * hour * 1000000;
    sums.observed = 90 * hour * 1000000;
    sums.starting = 5 * hour * 1000000;
    ck_assert(check(GATE_COVERAGE, "95")->passed);
    sums.starting -= 1;
    ck_assert(!check(GATE_COVERAGE, "95")->passed);
}
END_TEST

START_TEST(of_nothing_every_bound_is_kept)
{
    ck_assert(check(GATE_COVERAGE, "100")->passed);
    ck_assert(check(GATE_COVERAGE, "100")->value == MONEY_ONE);
    ck_assert(check(GATE_UNMAPPED, "0")->passed);
    ck_assert(check(GATE_NO_METRICS, "0")->passed);
    ck_assert(check(GATE_GRADE_A, "100")->passed);
}
END_TEST

/* A credit month: all amounts have the other sign, all ratios the same. */
START_TEST(a_negative_bill_is_measured_like_a_positive_one)
{
    pod(0, GRADE_A, "-97");
    pod(2, GRADE_A, "-3");
    ck_assert(check(GATE_UNMAPPED, "3")->passed);
    ck_assert(!check(GATE_UNMAPPED, "2")->passed);
    ck_assert(check(GATE_GRADE_A, "100")->passed);
}
END_TEST

/* A part of the other sign is below any bound. */
START_TEST(a_negative_part_is_below_0_percent)
{
    pod(0, GRADE_A, "103");
    pod(2, GRADE_A, "-3");
    ck_assert(check(GATE_UNMAPPED, "0")->passed);
    ck_assert(check(GATE_UNMAPPED, "0")->value < 0);
}
END_TEST

START_TEST(gates_that_are_not_written_are_off)
{
    add_hundred();
    gates_check(&w.rule, &sums, t, &notes);
    ck_assert_uint_eq(notes.gates.n, 0);
}
END_TEST

START_TEST(a_failure_says_how_far_and_whose)
{
    const struct gate_note *n;
    struct buf text = {0}, hint = {0};

    add_hundred();
    n = check(GATE_UNMAPPED, "2.5");
    gate_add_failure(&text, &hint, n, t, 2);
    ck_assert_str_eq(buf_str(&text), "3.00 % of what was billed is (unmapped); at most 2.5 % is asked for");
    ck_assert_str_eq(buf_str(&hint), "namespaces that no owner line matches: web 2.00, db 1.00");
    buf_free(&text);
    buf_free(&hint);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("gates");
    TCase *c = tcase_create("gates");

    tcase_add_checked_fixture(c, setup, teardown);
    tcase_add_test(c, sums_are_by_bucket_reason_and_grade);
    tcase_add_test(c, the_largest_parts_come_first);
    tcase_add_test(c, names_of_a_day_that_is_done_keep_their_amounts);
    tcase_add_test(c, the_first_that_is_not_measured_may_be_a_bucket);
    tcase_add_test(c, many_names_in_turns_keep_their_amounts);
    tcase_add_loop_test(c, bounds_are_compared_exactly, 0, (int)(sizeof bounds / sizeof *bounds));
    tcase_add_test(c, starting_counts_as_covered);
    tcase_add_test(c, of_nothing_every_bound_is_kept);
    tcase_add_test(c, a_negative_bill_is_measured_like_a_positive_one);
    tcase_add_test(c, a_negative_part_is_below_0_percent);
    tcase_add_test(c, gates_that_are_not_written_are_off);
    tcase_add_test(c, a_failure_says_how_far_and_whose);
    suite_add_tcase(s, c);
    return unit_run(s);
}
