/* glossary: it has every column that a report has, and no other. Codes are held to the manual by tests/man. */
#include "core_fixture.h"
#include "gputab/core/rollup.h"
#include "gputab/value/glossary.h"

static struct world w;

static void setup(void)
{
    world_init(&w);
}

static void teardown(void)
{
    world_free(&w);
}

static bool has(const char *name)
{
    for (const struct glossary_column *c = glossary_columns; c->name; c++)
        if (strcmp(c->name, name) == 0)
            return true;
    return false;
}

/* opencost#2153, #2352: nobody knew what idle means, or why a node's cost is not the sum of its pods. */
START_TEST(every_column_of_a_report_is_defined)
{
    struct key_list by = {.n = KEYS};
    struct rollup *r;
    struct report report = {0};
    size_t n = 0;

    for (int k = 0; k < KEYS; k++)
        by.v[k] = (enum key)k;
    r = rollup_new(&(struct rollup_config){.inventory = &w.inv, .owners = &w.owners, .by = &by});
    ck_assert_int_eq(rollup_table(r, 2, true, NULL, &report, &w.err), 0);
    for (size_t c = 0; c < report.table.columns.n; c++) {
        char name[64];

        ck_assert_uint_lt(strlen(report.table.columns.v[c].name), sizeof name);
        strcpy(name, report.table.columns.v[c].name);
        if (strchr(name, '.'))
            *strchr(name, '.') = '_';
        ck_assert_msg(has(name), "%s is not in the glossary", name);
    }
    while (glossary_columns[n].name)
        n++;
    ck_assert_uint_eq(n, report.table.columns.n);
    report_free(&report);
    rollup_free(r);
}
END_TEST

START_TEST(every_word_is_explained)
{
    for (const struct glossary_column *c = glossary_columns; c->name; c++)
        ck_assert_msg(c->unit[0] && c->meaning[0] && c->formula[0] && c->example[0], "%s", c->name);
    for (const struct glossary_code *c = glossary_codes; c->code; c++)
        ck_assert_msg(c->meaning[0] && c->todo[0] && (!c[1].code || strcmp(c->code, c[1].code) < 0), "%s", c->code);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("glossary");
    TCase *t = tcase_create("glossary");

    tcase_add_checked_fixture(t, setup, teardown);
    tcase_add_test(t, every_column_of_a_report_is_defined);
    tcase_add_test(t, every_word_is_explained);
    suite_add_tcase(s, t);
    return unit_run(s);
}
