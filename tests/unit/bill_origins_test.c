/* bill_origins: what is decided of few keys, and that keys of which half are forgotten still tell. */
#include <stdio.h>

#include "gputab/source/bill_origins.h"
#include "unit.h"

static enum bill_origins_say say(size_t most, int keys, int split, int with_origin)
{
    struct bill_origins *o = bill_origins_new(most);
    enum bill_origins_say out;

    for (int i = 0; i < keys; i++) {
        char key[32];
        struct span s = {key, (size_t)snprintf(key, sizeof key, "key-%d", i)};

        if (i < split)
            bill_origins_add(o, s, true, true);
        bill_origins_add(o, s, false, i >= split || i < with_origin);
    }
    out = bill_origins_decide(o);
    bill_origins_free(o);
    return out;
}

START_TEST(few_keys_are_seen_whole)
{
    ck_assert_int_eq(say(0, 10, 0, 0), ORIGINS_NOT_SPLIT);
    ck_assert_int_eq(say(0, 10, 5, 0), ORIGINS_REPLACED);
    ck_assert_int_eq(say(0, 10, 5, 5), ORIGINS_REPEATED);
    ck_assert_int_eq(say(0, 10, 5, 1), ORIGINS_MIXED);
}
END_TEST

/* 2000 of 20000 keys are split; 64 at most are kept, about one in 512: 3 or 4 of the split ones. With none nothing is claimed. */
START_TEST(many_keys_are_seen_in_part_and_say_the_same)
{
    enum bill_origins_say replaced = say(64, 20000, 2000, 0), repeated = say(64, 20000, 2000, 2000);

    ck_assert(replaced == ORIGINS_REPLACED || replaced == ORIGINS_UNSEEN);
    ck_assert(repeated == ORIGINS_REPEATED || repeated == ORIGINS_UNSEEN);
    ck_assert_int_eq(say(64, 20000, 20000, 0), ORIGINS_REPLACED);
    ck_assert_int_eq(say(64, 20000, 20000, 20000), ORIGINS_REPEATED);
    ck_assert_int_eq(say(64, 20000, 0, 0), ORIGINS_NOT_SPLIT);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("bill_origins");
    TCase *c = tcase_create("bill_origins");

    tcase_add_test(c, few_keys_are_seen_whole);
    tcase_add_test(c, many_keys_are_seen_in_part_and_say_the_same);
    suite_add_tcase(s, c);
    return unit_run(s);
}
