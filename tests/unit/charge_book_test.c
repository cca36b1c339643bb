/* charge_book: charges by node, corrections spread, GPUs on resources over time, and where facts are cut. */
#include "core_fixture.h"

static struct world w;
static struct charge_book book;

static void setup(void)
{
    world_init(&w);
    memset(&book, 0, sizeof book);
}

static void teardown(void)
{
    charge_book_free(&book);
    world_free(&w);
}

static void build(void)
{
    charge_book_build(&book, &w.bill, &w.inv);
}

static const struct book_node *find(const char *resource)
{
    return charge_book_find(&book, world_text(&w, resource));
}

static void cost_is(const char *resource, size_t i, const char *cost)
{
    const struct book_node *n = find(resource);

    ck_assert_ptr_nonnull(n);
    ck_assert_uint_lt(i, n->n_charges);
    world_is(charge_book_charge(&book, n->first_charge + i).cost, cost, 0);
}

START_TEST(charges_lie_by_node_and_in_order_of_time)
{
    world_charge(&w, "i-1", HOUR_S, 2 * HOUR_S, "2");
    world_charge(&w, "i-1", 0, HOUR_S, "1");
    world_charge(&w, "i-2", 0, HOUR_S, "3");
    build();
    ck_assert_uint_eq(find("i-1")->n_charges, 2);
    cost_is("i-1", 0, "1");
    cost_is("i-1", 1, "2");
    cost_is("i-2", 0, "3");
    ck_assert_ptr_null(find("i-3"));
    ck_assert_ptr_null(charge_book_find(&book, 0));
}
END_TEST

START_TEST(a_correction_goes_to_usage_inside_its_interval_by_billed_time)
{
    world_charge(&w, "i-1", 0, HOUR_S, "1")->billed_ns /= 3;           /* ran 20 minutes */
    world_charge(&w, "i-1", HOUR_S, 2 * HOUR_S, "1");
    world_charge(&w, "i-1", 2 * HOUR_S, 3 * HOUR_S, "1");              /* reaches beyond the correction's end */
    world_correction(&w, "i-1", 0, 2 * HOUR_S + 60, "-0.40");
    build();
    ck_assert_uint_eq(find("i-1")->n_charges, 3);
    cost_is("i-1", 0, "0.90");
    cost_is("i-1", 1, "0.70");
    cost_is("i-1", 2, "1");
}
END_TEST

static void pieces_are(size_t charge, const char *gpu, const char *cpu)
{
    struct split_billed b = charge_book_billed(&book, charge);
    money sum = 0;

    for (size_t i = 0; i < b.n_gpu; i++)
        sum += b.gpu[i].cost;
    ck_assert(b.any);
    world_is(sum, gpu, 0);
    world_is(b.cpu, cpu, 0);
}

/* -0.30 and -0.10 over 20 and 60 minutes are a quarter and three quarters of each. */
START_TEST(a_correction_takes_its_pieces_along)
{
    world_charge(&w, "i-1", 0, HOUR_S, "1")->billed_ns /= 3;
    world_part(&w, PIECE_GPU, "L4", "0.75");
    world_part(&w, PIECE_CPU, "", "0.25");
    world_charge(&w, "i-1", HOUR_S, 2 * HOUR_S, "1");
    world_part(&w, PIECE_GPU, "L4", "1");
    world_correction(&w, "i-1", 0, 2 * HOUR_S, "-0.40");
    world_part(&w, PIECE_GPU, "L4", "-0.30");
    world_part(&w, PIECE_CPU, "", "-0.10");
    build();
    cost_is("i-1", 0, "0.90");
    pieces_are(0, "0.675", "0.225");
    cost_is("i-1", 1, "0.70");
    pieces_are(1, "0.775", "-0.075");
}
END_TEST

START_TEST(a_lone_correction_keeps_its_pieces)
{
    world_correction(&w, "i-1", 0, HOUR_S, "-1");
    world_part(&w, PIECE_CPU, "", "-1");
    build();
    cost_is("i-1", 0, "-1");
    pieces_are(0, "0", "-1");
}
END_TEST

START_TEST(a_bill_with_one_price_tells_no_pieces)
{
    world_charge(&w, "i-1", 0, HOUR_S, "1");
    build();
    ck_assert(!charge_book_billed(&book, 0).any);
}
END_TEST

START_TEST(a_corrections_parts_sum_to_it)
{
    money cost = 0;

    for (int h = 0; h < 3; h++)
        world_charge(&w, "i-1", h * HOUR_S, (h + 1) * HOUR_S, "1");
    world_correction(&w, "i-1", 0, 3 * HOUR_S, "-0.10");
    build();
    for (size_t i = 0; i < 3; i++)
        cost += charge_book_charge(&book, i).cost;
    world_is(cost, "2.90", 0);
}
END_TEST

START_TEST(a_correction_without_usage_inside_stays_a_charge)
{
    world_charge(&w, "i-1", 0, HOUR_S, "1");
    world_correction(&w, "i-1", HOUR_S, 2 * HOUR_S, "-5");
    world_correction(&w, "i-2", 0, HOUR_S, "-7");
    build();
    ck_assert_uint_eq(find("i-1")->n_charges, 2);
    cost_is("i-1", 1, "-5");
    cost_is("i-2", 0, "-7");
}
END_TEST

START_TEST(a_correction_never_reaches_another_node)
{
    world_charge(&w, "i-1", 0, HOUR_S, "1");
    world_charge(&w, "i-2", 0, HOUR_S, "1");
    world_correction(&w, "i-2", 0, HOUR_S, "-0.50");
    build();
    cost_is("i-1", 0, "1");
    cost_is("i-2", 0, "0.50");
}
END_TEST

START_TEST(the_charges_that_hold_an_instant_are_found_one_by_one)
{
    const struct book_node *n;
    size_t first, second;

    world_charge(&w, "i-1", 0, DAY_S, "1");
    for (int h = 0; h < 24; h++)
        world_charge(&w, "i-1", h * HOUR_S, (h + 1) * HOUR_S, "1");
    build();
    n = find("i-1");
    first = charge_book_next(&book, n, AT(12 * HOUR_S), n->first_charge);
    second = charge_book_next(&book, n, AT(12 * HOUR_S), first + 1);
    ck_assert_int_eq(charge_book_kept(&book, first)->span.to, AT(DAY_S));
    ck_assert_int_eq(charge_book_kept(&book, second)->span.from, AT(12 * HOUR_S));
    ck_assert_uint_eq(charge_book_next(&book, n, AT(12 * HOUR_S), second + 1), SIZE_MAX);
    ck_assert_uint_eq(charge_book_next(&book, n, AT(DAY_S), n->first_charge), SIZE_MAX);
    ck_assert_uint_eq(charge_book_next(&book, n, AT(-1), n->first_charge), SIZE_MAX);
}
END_TEST

START_TEST(facts_are_cut_where_charges_and_resources_change)
{
    uint32_t node = world_node(&w, "n1", "i-1", "one");

    steps_push(&w.inv.nodes.v[node].resource, AT(5000), world_text(&w, "i-2"));
    world_charge(&w, "i-1", 0, 600, "1");
    world_charge(&w, "i-1", 600, 900, "1");
    world_charge(&w, "i-2", 5000, 9000, "1");
    build();
    ck_assert_uint_eq(book.cuts[node].n, 4);           /* without whole hours (AT(0)), where facts are cut anyway */
    ck_assert_int_eq(book.cuts[node].v[0], AT(600));
    ck_assert_int_eq(book.cuts[node].v[1], AT(900));
    ck_assert_int_eq(book.cuts[node].v[2], AT(5000));
    ck_assert_int_eq(book.cuts[node].v[3], AT(9000));
}
END_TEST

static uint32_t gpu_seen(const char *uuid, uint32_t node, int first, int last)
{
    uint32_t device = world_gpu(&w, uuid, "H100", node), gpu = w.inv.devices.v[device].gpu;

    w.inv.gpus.v[gpu].first_ms = AT(first);
    w.inv.gpus.v[gpu].last_ms = AT(last);
    return gpu;
}

START_TEST(a_gpu_is_on_the_resources_that_its_node_was_while_it_was_seen)
{
    uint32_t node = world_node(&w, "pool-1", "i-1", "one");
    uint32_t gpu;

    steps_push(&w.inv.nodes.v[node].resource, AT(HOUR_S), world_text(&w, "i-2"));
    steps_push(&w.inv.nodes.v[node].resource, AT(2 * HOUR_S), world_text(&w, "i-3"));
    gpu = gpu_seen("GPU-1", node, 600, HOUR_S + 600);
    build();
    ck_assert_uint_eq(find("i-1")->gpus.n, 1);
    ck_assert_uint_eq(find("i-1")->gpus.v[0].gpu, gpu);
    ck_assert_int_eq(find("i-1")->gpus.v[0].seen.from, AT(600));
    ck_assert_int_eq(find("i-1")->gpus.v[0].seen.to, AT(HOUR_S));
    ck_assert_uint_eq(find("i-2")->gpus.n, 1);
    ck_assert_int_eq(find("i-2")->first_ms, AT(HOUR_S));
    ck_assert_int_eq(find("i-2")->last_ms, AT(HOUR_S + 600));
    ck_assert_uint_eq(find("i-3")->gpus.n, 0);
    ck_assert_int_gt(find("i-3")->first_ms, find("i-3")->last_ms);
}
END_TEST

START_TEST(a_gpu_that_moves_is_on_each_node_in_its_time)
{
    uint32_t a = world_node(&w, "n1", "i-1", "one"), b = world_node(&w, "n2", "i-2", "one"), gpu = gpu_seen("GPU-1", a, 0, 7200);

    steps_push(&w.inv.gpus.v[gpu].node, AT(HOUR_S), b);
    build();
    ck_assert_int_eq(find("i-1")->gpus.v[0].seen.to, AT(HOUR_S));
    ck_assert_int_eq(find("i-2")->gpus.v[0].seen.from, AT(HOUR_S));
}
END_TEST

START_TEST(a_resource_may_have_had_several_node_names)
{
    uint32_t a = world_node(&w, "n1", "i-1", "one"), b = world_node(&w, "n2", "i-1", "one");

    build();
    ck_assert_uint_eq(find("i-1")->nodes.n, 2);
    ck_assert_uint_eq(find("i-1")->nodes.v[0], a);
    ck_assert_uint_eq(find("i-1")->nodes.v[1], b);
}
END_TEST

START_TEST(the_bill_names_the_type_where_the_metrics_do_not)
{
    uint32_t a = world_node(&w, "n1", "i-1", NULL), b = world_node(&w, "n2", "i-2", "one");

    world_charge(&w, "i-1", 0, HOUR_S, "1");
    WORLD_CHARGE(&w, instance_type, world_text(&w, "four"));
    world_charge(&w, "i-2", 0, HOUR_S, "1");
    WORLD_CHARGE(&w, instance_type, world_text(&w, "four"));
    charge_book_add_types(&w.bill, &w.inv);
    build();
    ck_assert_uint_eq(steps_at(&w.inv.nodes.v[a].type, AT(0), 0), world_text(&w, "four"));
    ck_assert_uint_eq(steps_at(&w.inv.nodes.v[b].type, AT(0), 0), world_text(&w, "one"));
}
END_TEST

START_TEST(a_name_that_passes_to_another_machine_has_that_machines_type)
{
    uint32_t a = world_node(&w, "n1", "i-1", NULL);
    const struct steps *type = &w.inv.nodes.v[a].type;

    steps_push(&w.inv.nodes.v[a].resource, AT(HOUR_S), world_text(&w, "i-2"));
    steps_push(&w.inv.nodes.v[a].resource, AT(2 * HOUR_S), world_text(&w, "i-3"));
    world_charge(&w, "i-1", 0, HOUR_S, "1");
    WORLD_CHARGE(&w, instance_type, world_text(&w, "four"));
    world_charge(&w, "i-2", HOUR_S, 2 * HOUR_S, "1");
    world_charge(&w, "i-3", 2 * HOUR_S, 3 * HOUR_S, "1");
    WORLD_CHARGE(&w, instance_type, world_text(&w, "one"));
    charge_book_add_types(&w.bill, &w.inv);
    ck_assert_uint_eq(steps_at(type, AT(0), 0), world_text(&w, "four"));
    ck_assert_uint_eq(steps_at(type, AT(HOUR_S), 1), 0);
    ck_assert_uint_eq(steps_at(type, AT(2 * HOUR_S), 0), world_text(&w, "one"));
}
END_TEST

int main(void)
{
    Suite *s = suite_create("charge_book");
    TCase *c = tcase_create("charge_book");

    tcase_add_checked_fixture(c, setup, teardown);
    tcase_add_test(c, charges_lie_by_node_and_in_order_of_time);
    tcase_add_test(c, a_correction_goes_to_usage_inside_its_interval_by_billed_time);
    tcase_add_test(c, a_correction_takes_its_pieces_along);
    tcase_add_test(c, a_lone_correction_keeps_its_pieces);
    tcase_add_test(c, a_bill_with_one_price_tells_no_pieces);
    tcase_add_test(c, a_corrections_parts_sum_to_it);
    tcase_add_test(c, a_correction_without_usage_inside_stays_a_charge);
    tcase_add_test(c, a_correction_never_reaches_another_node);
    tcase_add_test(c, the_charges_that_hold_an_instant_are_found_one_by_one);
    tcase_add_test(c, facts_are_cut_where_charges_and_resources_change);
    tcase_add_test(c, a_gpu_is_on_the_resources_that_its_node_was_while_it_was_seen);
    tcase_add_test(c, a_gpu_that_moves_is_on_each_node_in_its_time);
    tcase_add_test(c, a_resource_may_have_had_several_node_names);
    tcase_add_test(c, the_bill_names_the_type_where_the_metrics_do_not);
    tcase_add_test(c, a_name_that_passes_to_another_machine_has_that_machines_type);
    suite_add_tcase(s, c);
    return unit_run(s);
}
