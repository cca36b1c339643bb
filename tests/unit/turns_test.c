/* turns: what changes on a node in a window besides samples. One day; steps outside of it, and at its borders, are no turns. */
#include "core_fixture.h"
#include "gputab/core/line.h"
#include "gputab/core/turns.h"

static struct world w;
static struct residency_config cfg;
static struct sweep_window window;
static struct node_view view;
static struct line lines[2];
static struct line_range of_gpu[2];
static struct series series[3];
static struct turns turns;
static uint32_t bare, named, requesting;

/* Two GPUs; the first shows a pod by its bare name, which is `named` from 100 s on, the second shows `named`. `requesting` requests. */
static void setup(void)
{
    world_init(&w);
    view = (struct node_view){.node = world_node(&w, "n1", "i-1", NULL)};
    world_gpu(&w, "GPU-1", "H100", view.node);
    world_gpu(&w, "GPU-2", "H100", view.node);
    bare = world_pod(&w, "a", "p", "");
    named = world_pod(&w, "a", "p", "u1");
    requesting = world_pod(&w, "a", "q", "u2");
    steps_push(&w.inv.pods.v[bare].alias, AT(100), named);
    memset(lines, 0, sizeof lines);
    for (uint32_t i = 0; i < 2; i++) {
        series[i] = (struct series){.kind = SAMPLE_USED, .device = i, .pod = i == 0 ? bare : named};
        lines[i].device = i;
        lines[i].timeline = &lines[i].own;
        vec_push(&lines[i].feeds, (struct feed){.series = &series[i]});
        of_gpu[i] = (struct line_range){i, 1};
        vec_push(&view.gpus, i);
    }
    series[2] = (struct series){.kind = SAMPLE_REQUEST_GPU, .device = NONE, .pod = requesting};
    vec_push(&view.request_lines, (struct line){.device = NONE});
    vec_push(&view.request_lines.v[0].feeds, (struct feed){.series = &series[2]});
    cfg = (struct residency_config){.inventory = &w.inv};
    window = (struct sweep_window){.cfg = &cfg, .span = {AT(0), AT(DAY_S)}, .lines = lines, .of_gpu = of_gpu};
    memset(&turns, 0, sizeof turns);
}

static void teardown(void)
{
    vec_free(&turns.v);
    line_free(&lines[0]);
    line_free(&lines[1]);
    node_view_free(&view);
    world_free(&w);
}

static void turn_is(int until, int at, uint32_t gpu)
{
    const struct turn *turn;

    ck_assert_int_eq(turns_next(&turns), AT(at));
    turn = turns_take(&turns, AT(until));
    ck_assert_ptr_nonnull(turn);
    ck_assert_int_eq(turn->at, AT(at));
    ck_assert_uint_eq(turn->gpu, gpu);
}

static void no_more(void)
{
    ck_assert_ptr_null(turns_take(&turns, AT(DAY_S)));
    ck_assert_int_eq(turns_next(&turns), TIME_MAX);
}

START_TEST(a_name_that_passes_to_another_pod_concerns_the_gpu_that_shows_it)
{
    turns_find(&turns, &window, &view);
    turn_is(0, 0, TURN_ALL_GPUS);                      /* a window begins with everything */
    ck_assert_ptr_null(turns_take(&turns, AT(99)));
    turn_is(100, 100, 0);
    no_more();
}
END_TEST

START_TEST(what_becomes_of_a_requesting_pod_concerns_no_gpu)
{
    steps_push(&w.inv.pods.v[requesting].ended, AT(300), 1);
    steps_push(&w.inv.pods.v[requesting].node, AT(50), view.node);
    steps_push(&w.inv.pods.v[named].ended, AT(200), 1);        /* requests nothing, and no sample follows */
    turns_find(&turns, &window, &view);
    turn_is(0, 0, TURN_ALL_GPUS);
    turn_is(400, 50, TURN_NO_GPU);
    turn_is(400, 100, 0);
    turn_is(400, 300, TURN_NO_GPU);
    no_more();
}
END_TEST

START_TEST(a_requesting_pod_known_by_its_name_may_be_another_one)
{
    steps_push(&w.inv.pods.v[named].ended, AT(200), 1);
    series[2].pod = bare;
    turns_find(&turns, &window, &view);
    turn_is(0, 0, TURN_ALL_GPUS);
    turns_take(&turns, AT(100));                       /* of the first GPU, and of the requests */
    turn_is(100, 100, turns.v.v[1].gpu == 0 ? TURN_NO_GPU : 0);
    turn_is(200, 200, TURN_NO_GPU);
    no_more();
}
END_TEST

static void stamps(uint32_t line, int first)
{
    for (int t = first; t < 400; t += 60)
        vec_push(&lines[line].own.instants, (struct instant){AT(t), AT(t + 60)});
}

START_TEST(the_end_of_a_pod_concerns_the_gpus_that_show_it_at_their_next_samples)
{
    steps_push(&w.inv.pods.v[named].ended, AT(200), POD_FINISHED);
    steps_push(&w.inv.pods.v[named].ended, AT(DAY_S / 2), 0);          /* behind the last sample */
    stamps(0, 20);                                     /* 200 is one of them */
    stamps(1, 0);
    turns_find(&turns, &window, &view);
    turn_is(0, 0, TURN_ALL_GPUS);
    turn_is(100, 100, 0);
    turn_is(400, 200, 0);                              /* by the name */
    turn_is(400, 240, 1);
    no_more();
}
END_TEST

START_TEST(places_labels_and_types_concern_all_gpus)
{
    steps_push(&w.inv.gpus.v[1].node, AT(500), NONE);
    steps_push(&w.inv.nodes.v[view.node].sharing, AT(40), SHARING_LABELS_KNOWN);
    steps_push(&w.inv.nodes.v[view.node].type, AT(60), world_text(&w, "two"));
    turns_find(&turns, &window, &view);
    turn_is(0, 0, TURN_ALL_GPUS);
    turn_is(40, 40, TURN_ALL_GPUS);
    turn_is(60, 60, TURN_ALL_GPUS);
    turn_is(100, 100, 0);
    turn_is(500, 500, TURN_ALL_GPUS);
    no_more();
}
END_TEST

START_TEST(steps_outside_the_window_are_no_turns)
{
    steps_push(&w.inv.nodes.v[view.node].sharing, AT(-5), 0);
    steps_push(&w.inv.nodes.v[view.node].sharing, AT(0), SHARING_LABELS_KNOWN);
    steps_push(&w.inv.nodes.v[view.node].sharing, AT(DAY_S), 0);
    turns_find(&turns, &window, &view);
    turn_is(0, 0, TURN_ALL_GPUS);
    turn_is(100, 100, 0);
    no_more();
}
END_TEST

int main(void)
{
    Suite *s = suite_create("turns");
    TCase *c = tcase_create("turns");

    tcase_add_checked_fixture(c, setup, teardown);
    tcase_add_test(c, a_name_that_passes_to_another_pod_concerns_the_gpu_that_shows_it);
    tcase_add_test(c, what_becomes_of_a_requesting_pod_concerns_no_gpu);
    tcase_add_test(c, a_requesting_pod_known_by_its_name_may_be_another_one);
    tcase_add_test(c, the_end_of_a_pod_concerns_the_gpus_that_show_it_at_their_next_samples);
    tcase_add_test(c, places_labels_and_types_concern_all_gpus);
    tcase_add_test(c, steps_outside_the_window_are_no_turns);
    suite_add_tcase(s, c);
    return unit_run(s);
}
