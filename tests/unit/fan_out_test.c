/* fan_out: every taker gets every call that it has a use for. */
#include "unit.h"

#include "gputab/core/fan_out.h"

struct heard {
    money cost, charged;
    size_t entries, spans, days;
    weight requested;
};

static void hear_entry(void *to, const struct entry *e)
{
    struct heard *h = to;

    h->cost += e->cost;
    h->entries++;
}

static void hear_presence(void *to, const struct entry *e, const struct timespan *spans, size_t n)
{
    (void)e;
    (void)spans;
    ((struct heard *)to)->spans += n;
}

static void hear_requested(void *to, const struct entry *e, weight micro_ms)
{
    (void)e;
    ((struct heard *)to)->requested += micro_ms;
}

static void hear_day(void *to)
{
    ((struct heard *)to)->days++;
}

static void hear_charge(void *to, const struct allocate_charge *c)
{
    ((struct heard *)to)->charged += c->hours;
}

START_TEST(all_takers_hear_what_they_asked_for)
{
    struct heard all = {0}, costs = {0};
    struct fan_out f = {0};
    struct entry e = {.cost = 7};
    const struct timespan spans[2] = {{0, 1}, {2, 3}};
    struct allocate_sink sink;

    fan_out_add(&f, (struct allocate_sink){&all, hear_entry, hear_presence, hear_requested, hear_day, hear_charge});
    fan_out_add(&f, (struct allocate_sink){.to = &costs, .entry = hear_entry});
    sink = fan_out_sink(&f);
    sink.entry(sink.to, &e);
    sink.entry(sink.to, &e);
    sink.presence(sink.to, &e, spans, 2);
    sink.requested(sink.to, &e, 5);
    sink.day_done(sink.to);
    sink.charge(sink.to, &(struct allocate_charge){.hours = 3});
    ck_assert_int_eq(all.cost, 14);
    ck_assert_int_eq(all.charged, 3);
    ck_assert_uint_eq(all.entries, 2);
    ck_assert_uint_eq(all.spans, 2);
    ck_assert_uint_eq(all.requested, 5);
    ck_assert_uint_eq(all.days, 1);
    ck_assert_int_eq(costs.cost, 14);
    ck_assert_uint_eq(costs.spans + costs.days, 0);
    fan_out_free(&f);
}
END_TEST

START_TEST(nobody_may_listen)
{
    struct fan_out f = {0};
    struct allocate_sink sink = fan_out_sink(&f);

    sink.entry(sink.to, &(struct entry){.cost = 1});
    sink.day_done(sink.to);
    fan_out_free(&f);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("fan_out");
    TCase *c = tcase_create("fan_out");

    tcase_add_test(c, all_takers_hear_what_they_asked_for);
    tcase_add_test(c, nobody_may_listen);
    suite_add_tcase(s, c);
    return unit_run(s);
}
