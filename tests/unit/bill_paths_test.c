/* What --billing names becomes a list of files. */
#include "unit.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "gputab/source/bill_paths.h"

static char folder[] = "/tmp/bill_paths_XXXXXX";

static const char *in_folder(const char *name)
{
    static char path[4][64];
    static int i;
    char *p = path[i++ % 4];

    snprintf(p, sizeof path[0], "%s/%s", folder, name);
    return p;
}

static void touch(const char *name)
{
    FILE *f = fopen(in_folder(name), "w");

    ck_assert_ptr_nonnull(f);
    fclose(f);
}

static void make_folder(void)
{
    strcpy(folder, "/tmp/bill_paths_XXXXXX");
    ck_assert_ptr_nonnull(mkdtemp(folder));
}

static void remove_folder(void)
{
    char command[64];

    snprintf(command, sizeof command, "rm -rf %s", folder);
    ck_assert_int_eq(system(command), 0);
}

START_TEST(files_stay_as_they_are_given)
{
    const char *paths[] = {"b.csv", "-", "missing", "a.csv"};
    struct bill_paths p = {0};
    struct err e = {0};

    ck_assert_int_eq(bill_paths_expand(&p, paths, 4, &e), 0);
    ck_assert_uint_eq(p.v.n, 4);
    for (int i = 0; i < 4; i++)
        ck_assert_str_eq(p.v.v[i], paths[i]);
    bill_paths_free(&p);
}
END_TEST

START_TEST(a_folder_is_its_files_by_name_without_hidden_ones_and_manifests)
{
    const char *paths[] = {"x.csv", folder};
    struct bill_paths p = {0};
    struct err e = {0};

    touch("part-2.csv");
    touch("part-10.csv.gz");
    touch(".part-3.csv.crc");
    touch("manifest.json");
    touch("_manifest.json");
    ck_assert_int_eq(bill_paths_expand(&p, paths, 2, &e), 0);
    ck_assert_uint_eq(p.v.n, 3);
    ck_assert_str_eq(p.v.v[0], "x.csv");
    ck_assert_str_eq(p.v.v[1], in_folder("part-10.csv.gz"));
    ck_assert_str_eq(p.v.v[2], in_folder("part-2.csv"));
    bill_paths_free(&p);
}
END_TEST

START_TEST(a_slash_at_the_end_is_not_doubled)
{
    const char *paths[] = {in_folder("")};
    struct bill_paths p = {0};
    struct err e = {0};

    touch("a");
    ck_assert_int_eq(bill_paths_expand(&p, paths, 1, &e), 0);
    ck_assert_str_eq(p.v.v[0], in_folder("a"));
    bill_paths_free(&p);
}
END_TEST

START_TEST(an_empty_folder_is_an_error)
{
    const char *paths[] = {folder};
    struct bill_paths p = {0};
    struct err e = {0};

    ck_assert_int_eq(bill_paths_expand(&p, paths, 1, &e), -1);
    ck_assert_int_eq(e.code, ERR_INPUT);
    ck_assert_str_eq(e.file, folder);
    bill_paths_free(&p);
}
END_TEST

START_TEST(a_folder_in_a_folder_is_an_error_that_names_it)
{
    const char *paths[] = {folder};
    struct bill_paths p = {0};
    struct err e = {0};

    touch("a.csv");
    ck_assert_int_eq(mkdir(in_folder("2026-09"), 0777), 0);
    ck_assert_int_eq(bill_paths_expand(&p, paths, 1, &e), -1);
    ck_assert_int_eq(e.code, ERR_INPUT);
    ck_assert_ptr_nonnull(strstr(e.text, "\"2026-09\""));
    ck_assert_ptr_nonnull(strstr(e.hint, in_folder("2026-09")));
    bill_paths_free(&p);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("bill_paths");
    TCase *c = tcase_create("bill_paths");

    tcase_add_checked_fixture(c, make_folder, remove_folder);
    tcase_add_test(c, files_stay_as_they_are_given);
    tcase_add_test(c, a_folder_is_its_files_by_name_without_hidden_ones_and_manifests);
    tcase_add_test(c, a_slash_at_the_end_is_not_doubled);
    tcase_add_test(c, an_empty_folder_is_an_error);
    tcase_add_test(c, a_folder_in_a_folder_is_an_error_that_names_it);
    suite_add_tcase(s, c);
    return unit_run(s);
}
