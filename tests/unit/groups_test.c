/* groups_test: lines under their first keys, the costliest first, and sums that hold what is not shown. */
#include "unit.h"

#include "gputab/render/groups.h"
#include "report_fixture.h"

#define KEYS(...) ((const char *const[]){__VA_ARGS__, NULL})

static struct fixture f;
static struct figure_set set;
static struct groups g;

/* A row of one GPU hour whose GPU piece is its whole cost. */
static void add(const char *team, const char *pod, const char *bucket, const char *cost)
{
    struct buf numbers = {0};

    buf_addf(&numbers, "1 0 %s 0 0 %s null null %s 0 0 0 %s %s %s %s 0 0 0", cost, cost, cost, cost, cost, cost, cost);
    fixture_row(&f, KEYS(team, pod), bucket, buf_str(&numbers));
    buf_free(&numbers);
}

/* nlp: 60, vision: 70, idle: 40; of 170. */
static void setup(void)
{
    fixture_init(&f, KEYS("team", "pod"));
    add("nlp", "a", NULL, "10.00");
    add("nlp", "b", NULL, "30.00");
    add("nlp", "c", NULL, "20.00");
    add("vision", "d", NULL, "70.00");
    add("(idle)", NULL, "(idle)", "40.00");
    fixture_totals(&f, "170.00", "0", "0", "170.00", "5");
    set = (struct figure_set){0};
    g = (struct groups){0};
    figure_set_fill(&set, &f.r);
}

static void teardown(void)
{
    groups_free(&g);
    figure_set_free(&set);
    fixture_free(&f);
}

static const char *name_of(int group, int key)
{
    const struct cell *c = table_cell(&f.r.table, g.v.v[group].row, (size_t)key);

    return c->type == CELL_TEXT ? c->text : "";
}

static bool costs(const struct group_sum *x, const char *amount)
{
    return x->f.v[FIGURE_TOTAL] == fixture_number(amount);
}

START_TEST(groups_stand_by_cost_and_buckets_behind)
{
    int at;

    groups_fill(&g, &set, &(struct groups_config){.keys = {1}, .lines_of_group = 10, .lines = 10});
    at = g.first;
    ck_assert_str_eq(name_of(at, 0), "vision");
    ck_assert(costs(&g.v.v[at].sum, "70"));
    at = g.v.v[at].next;
    ck_assert_str_eq(name_of(at, 0), "nlp");
    ck_assert(costs(&g.v.v[at].sum, "60"));
    at = g.v.v[at].next;
    ck_assert_str_eq(name_of(at, 0), "(idle)");
    ck_assert_int_eq(g.v.v[at].part, PART_BUCKETS);
    ck_assert_int_eq(g.v.v[at].next, GROUP_NONE);
}
END_TEST

START_TEST(lines_of_a_group_stand_by_cost_and_the_rest_is_a_sum)
{
    struct group_sum rest;
    const struct group *nlp;

    groups_fill(&g, &set, &(struct groups_config){.keys = {1}, .lines_of_group = 2, .lines = 10});
    nlp = &g.v.v[g.v.v[g.first].next];
    ck_assert_uint_eq(nlp->lines.n, 2);
    ck_assert(costs(&nlp->lines.v[0].s, "30"));
    ck_assert(costs(&nlp->lines.v[1].s, "20"));
    ck_assert_uint_eq(group_rest(nlp, &rest), 1);
    ck_assert(costs(&rest, "10"));
    ck_assert(rest.f.v[FIGURE_GPU_HOURS] == MONEY_ONE);
    ck_assert(rest.f.v[FIGURE_RATE] == fixture_number("10"));  /* 10 for one hour */
    ck_assert_uint_eq(g.shown, 4);
    ck_assert_uint_eq(g.total, 5);
}
END_TEST

START_TEST(room_for_few_lines_goes_to_the_costliest_of_all)
{
    groups_fill(&g, &set, &(struct groups_config){.keys = {1}, .lines_of_group = 10, .lines = 2});     /* 70, 30 */
    ck_assert_uint_eq(g.v.v[g.first].lines.n, 1);
    ck_assert_uint_eq(g.v.v[g.v.v[g.first].next].lines.n, 1);
    ck_assert(costs(&g.v.v[g.v.v[g.first].next].lines.v[0].s, "30"));
    ck_assert(costs(&g.v.v[g.v.v[g.first].next].sum, "60"));
}
END_TEST

START_TEST(no_keys_make_one_group_of_each_part)
{
    groups_fill(&g, &set, &(struct groups_config){.lines_of_group = 10, .lines = 10});
    ck_assert_uint_eq(g.v.n, 2);
    ck_assert(costs(&g.v.v[g.first].sum, "130"));
    ck_assert_uint_eq(g.v.v[g.first].lines.n, 4);
}
END_TEST

START_TEST(inner_groups_lie_in_outer_ones)
{
    const struct group *nlp;

    groups_fill(&g, &set, &(struct groups_config){.keys = {1, 2}, .lines_of_group = 10, .lines = 10});
    nlp = &g.v.v[g.v.v[g.first].next];
    ck_assert_uint_eq(nlp->n_groups, 3);
    ck_assert_str_eq(name_of(nlp->first, 1), "b");
    ck_assert_uint_eq(nlp->lines.n, 0);                      /* they are of the inner ones */
    ck_assert_uint_eq(g.v.v[nlp->first].lines.n, 1);
}
END_TEST

START_TEST(earlier_parts_can_be_left_out)
{
    groups_fill(&g, &set, &(struct groups_config){.keys = {1}, .from = PART_BUCKETS, .lines_of_group = 10, .lines = 10});
    ck_assert_uint_eq(g.v.n, 1);
    ck_assert_str_eq(name_of(g.first, 0), "(idle)");
}
END_TEST

int main(void)
{
    Suite *s = suite_create("groups");
    TCase *t = tcase_create("groups");

    tcase_add_checked_fixture(t, setup, teardown);
    tcase_add_test(t, groups_stand_by_cost_and_buckets_behind);
    tcase_add_test(t, lines_of_a_group_stand_by_cost_and_the_rest_is_a_sum);
    tcase_add_test(t, room_for_few_lines_goes_to_the_costliest_of_all);
    tcase_add_test(t, no_keys_make_one_group_of_each_part);
    tcase_add_test(t, inner_groups_lie_in_outer_ones);
    tcase_add_test(t, earlier_parts_can_be_left_out);
    suite_add_tcase(s, t);
    return unit_run(s);
}
