#include "unit.h"

#include <string.h>

#include "gputab/value/inventory.h"

enum { BEFORE = 77 };

START_TEST(a_step_holds_from_its_instant_to_the_next)
{
    struct steps s = { 0 };

    steps_push(&s, 100, 1);
    steps_push(&s, 200, 2);
    steps_push(&s, 300, NONE);
    ck_assert_uint_eq(steps_at(&s, 99, BEFORE), BEFORE);
    ck_assert_uint_eq(steps_at(&s, 100, BEFORE), 1);
    ck_assert_uint_eq(steps_at(&s, 199, BEFORE), 1);
    ck_assert_uint_eq(steps_at(&s, 200, BEFORE), 2);
    ck_assert_uint_eq(steps_at(&s, TIME_MAX, BEFORE), NONE);
    ck_assert_int_eq(steps_next(&s, TIME_MIN), 100);
    ck_assert_int_eq(steps_next(&s, 99), 100);
    ck_assert_int_eq(steps_next(&s, 100), 200);
    ck_assert_int_eq(steps_next(&s, 300), TIME_MAX);
    free(s.v);
}
END_TEST

START_TEST(no_steps_change_nothing)
{
    struct steps s = { 0 };

    ck_assert_uint_eq(steps_at(&s, 0, BEFORE), BEFORE);
    ck_assert_int_eq(steps_next(&s, 0), TIME_MAX);
}
END_TEST

START_TEST(equal_neighbours_are_one_step)
{
    struct steps s = { 0 };

    steps_push(&s, 100, 1);
    steps_push(&s, 150, 1);
    ck_assert_uint_eq(s.n, 1);
    ck_assert_int_eq(s.v[0].from, 100);
    steps_push(&s, 200, 2);
    steps_push(&s, 200, 3);                            /* the later word for one instant counts */
    ck_assert_uint_eq(s.n, 2);
    ck_assert_uint_eq(steps_at(&s, 200, BEFORE), 3);
    steps_push(&s, 200, 1);                            /* now equal to the step before */
    ck_assert_uint_eq(s.n, 1);
    ck_assert_uint_eq(steps_at(&s, 200, BEFORE), 1);
    for (uint32_t i = 0; i < 100; i++)
        steps_push(&s, 300 + i, 10 + i);
    ck_assert_uint_eq(s.n, 101);
    ck_assert_uint_eq(steps_at(&s, 350, BEFORE), 60);
    free(s.v);
}
END_TEST

START_TEST(a_list_of_one_step_in_an_arena_can_grow)
{
    struct arena a = { 0 };
    struct steps one = steps_one(&a, 100, 1), other = steps_one(&a, 100, 7), alone = steps_one(&a, 50, 3);

    steps_push(&one, 150, 1);                          /* nothing new */
    ck_assert_uint_eq(one.n, 1);
    steps_push(&one, 200, 2);
    steps_push(&other, 100, 8);                        /* takes the place of the only one */
    ck_assert_uint_eq(one.n, 2);
    ck_assert_uint_eq(steps_at(&one, 99, BEFORE), BEFORE);
    ck_assert_uint_eq(steps_at(&one, 199, BEFORE), 1);
    ck_assert_uint_eq(steps_at(&one, 200, BEFORE), 2);
    ck_assert_uint_eq(other.n, 1);
    ck_assert_uint_eq(steps_at(&other, 100, BEFORE), 8);
    ck_assert_uint_eq(steps_at(&alone, 50, BEFORE), 3);
    steps_free(&one);
    steps_free(&other);
    steps_free(&alone);                                /* the arena's */
    ck_assert_uint_eq(alone.n, 0);
    arena_free(&a);
}
END_TEST

START_TEST(labels_are_found_by_their_whole_name)
{
    static const char set[] = "label_app\0web\0label_team\0nlp\0label_team_lead\0ann";
    struct intern *names = intern_new();
    struct inventory inv;
    uint32_t id, cut;

    inventory_init(&inv, names);
    id = intern_put(inv.labelsets, set, sizeof set);   /* with the NUL behind the last value */
    cut = intern_put(inv.labelsets, set, sizeof set - 1);
    ck_assert(span_eq(inventory_label(&inv, id, span_of("label_team")), "nlp"));
    ck_assert(span_eq(inventory_label(&inv, id, span_of("label_app")), "web"));
    ck_assert(span_eq(inventory_label(&inv, id, span_of("label_team_lead")), "ann"));
    ck_assert(span_eq(inventory_label(&inv, cut, span_of("label_team_lead")), "ann"));
    ck_assert_ptr_null(inventory_label(&inv, id, span_of("label_tea")).p);
    ck_assert_ptr_null(inventory_label(&inv, id, span_of("web")).p);           /* a value is no name */
    ck_assert_ptr_null(inventory_label(&inv, id, span_of("nlp")).p);
    ck_assert_ptr_null(inventory_label(&inv, 0, span_of("label_team")).p);     /* the empty set */
    inventory_free(&inv);
    intern_free(names);
}
END_TEST

START_TEST(a_namespace_is_found_in_its_cluster)
{
    static const char *const keys[][2] = { { "", "b" }, { "east", "a" }, { "east", "c" }, { "west", "a" }, { "west", "b" } };
    struct intern *names = intern_new();
    struct inventory inv;
    uint32_t west, east, a, b, c;

    inventory_init(&inv, names);
    c = intern_str(names, "c");                        /* ids in another order than the strings */
    west = intern_str(names, "west");
    east = intern_str(names, "east");
    b = intern_str(names, "b");
    a = intern_str(names, "a");
    for (size_t i = 0; i < 5; i++)
        vec_push(&inv.namespaces, (struct namespace){ intern_str(names, keys[i][0]), intern_str(names, keys[i][1]), { 0 } });
    ck_assert_uint_eq(inventory_namespace(&inv, 0, b), 0);
    ck_assert_uint_eq(inventory_namespace(&inv, east, a), 1);
    ck_assert_uint_eq(inventory_namespace(&inv, east, c), 2);
    ck_assert_uint_eq(inventory_namespace(&inv, west, a), 3);
    ck_assert_uint_eq(inventory_namespace(&inv, west, b), 4);
    ck_assert_uint_eq(inventory_namespace(&inv, west, c), NONE);
    ck_assert_uint_eq(inventory_namespace(&inv, 0, a), NONE);
    inventory_free(&inv);
    intern_free(names);
}
END_TEST

START_TEST(every_step_list_is_released)
{
    struct intern *names = intern_new();
    struct inventory inv;
    struct node node = { 0 };
    struct gpu gpu = { 0 };
    struct pod pod = { 0 };
    struct namespace ns = { 0 };
    struct steps *lists[] = { &node.resource, &node.type, &node.sharing, &gpu.node, &pod.alias, &pod.labels, &pod.workload, &pod.node,
                              &pod.ended, &ns.labels };

    inventory_init(&inv, names);
    ck_assert_ptr_eq(inv.names, names);
    for (size_t i = 0; i < sizeof lists / sizeof *lists; i++)
        steps_push(lists[i], 0, 1);
    vec_push(&inv.nodes, node);
    vec_push(&inv.gpus, gpu);
    vec_push(&inv.pods, pod);
    vec_push(&inv.namespaces, ns);
    inventory_free(&inv);                              /* a leak checker watches */
    intern_free(names);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("inventory");
    TCase *t = tcase_create("inventory");

    tcase_add_test(t, a_step_holds_from_its_instant_to_the_next);
    tcase_add_test(t, no_steps_change_nothing);
    tcase_add_test(t, equal_neighbours_are_one_step);
    tcase_add_test(t, a_list_of_one_step_in_an_arena_can_grow);
    tcase_add_test(t, labels_are_found_by_their_whole_name);
    tcase_add_test(t, a_namespace_is_found_in_its_cluster);
    tcase_add_test(t, every_step_list_is_released);
    suite_add_tcase(s, t);
    return unit_run(s);
}
