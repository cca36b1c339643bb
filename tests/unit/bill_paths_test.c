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
    static char path[8][64];
    static int i;
    char *p = path[i++ % 8];

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

START_TEST(a_folder_is_its_files_by_name_without_hidden_ones)
{
    const char *paths[] = {"x.csv", folder};
    struct bill_paths p = {0};
    struct err e = {0};

    touch("part-2.csv");
    touch("part-10.csv.gz");
    touch(".part-3.csv.crc");
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

START_TEST(what_exports_put_beside_a_bill_is_passed_over_and_told)
{
    static const char *const beside[] = {".hidden", "_SUCCESS", "bill-RedshiftManifest.json", "part-1.csv.crc", "part-1.csv.md5"};
    const char *paths[] = {folder};
    struct bill_paths p = {0};
    struct err e = {0};

    touch("part-1.csv");
    touch("data.json");                                      /* perhaps a bill: who reads it decides */
    for (size_t i = 0; i < 5; i++)
        touch(beside[i]);
    ck_assert_int_eq(bill_paths_expand(&p, paths, 1, &e), 0);
    ck_assert_uint_eq(p.v.n, 2);
    ck_assert_str_eq(p.v.v[0], in_folder("data.json"));
    ck_assert_str_eq(p.v.v[1], in_folder("part-1.csv"));
    ck_assert_uint_eq(p.skipped.n, 5);
    for (size_t i = 0; i < 5; i++)
        ck_assert_str_eq(p.skipped.v[i], in_folder(beside[i]));
    bill_paths_free(&p);
}
END_TEST

START_TEST(a_file_that_is_named_itself_is_not_passed_over)
{
    const char *paths[] = {in_folder("_SUCCESS")};
    struct bill_paths p = {0};
    struct err e = {0};

    touch("_SUCCESS");
    ck_assert_int_eq(bill_paths_expand(&p, paths, 1, &e), 0);
    ck_assert_uint_eq(p.v.n, 1);
    bill_paths_free(&p);
}
END_TEST

START_TEST(a_folder_of_nothing_else_says_what_it_holds)
{
    const char *paths[] = {folder};
    struct bill_paths p = {0};
    struct err e = {0};

    touch("_SUCCESS");
    ck_assert_int_eq(bill_paths_expand(&p, paths, 1, &e), -1);
    ck_assert_str_eq(e.text, "is a folder without files");
    ck_assert_ptr_nonnull(strstr(e.hint, in_folder("_SUCCESS")));
    bill_paths_free(&p);
}
END_TEST

START_TEST(a_pattern_is_what_it_matches_by_name)
{
    static const char *const patterns[] = {"*.csv.gz", "[ab]?.csv.gz", "*"};
    static const size_t counts[] = {2, 2, 3};

    touch("b2.csv.gz");
    touch("a1.csv.gz");
    touch("c.csv");
    touch("manifest.json");
    for (size_t i = 0; i < 3; i++) {
        const char *paths[] = {in_folder(patterns[i])};
        struct bill_paths p = {0};
        struct err e = {0};

        ck_assert_int_eq(bill_paths_expand(&p, paths, 1, &e), 0);
        ck_assert_uint_eq(p.v.n, counts[i]);
        ck_assert_str_eq(p.v.v[0], in_folder("a1.csv.gz"));
        ck_assert_str_eq(p.v.v[1], in_folder("b2.csv.gz"));
        ck_assert_uint_eq(p.skipped.n, i == 2);
        bill_paths_free(&p);
    }
}
END_TEST

/* As if a shell had given them: bills/2026-* with a folder a month. */
START_TEST(folders_that_a_pattern_matches_are_their_files)
{
    const char *paths[] = {in_folder("2026-*")};
    struct bill_paths p = {0};
    struct err e = {0};

    ck_assert_int_eq(mkdir(in_folder("2026-10"), 0777), 0);
    ck_assert_int_eq(mkdir(in_folder("2026-09"), 0777), 0);
    touch("2026-10/1.csv");
    touch("2026-09/2.csv");
    ck_assert_int_eq(bill_paths_expand(&p, paths, 1, &e), 0);
    ck_assert_uint_eq(p.v.n, 2);
    ck_assert_str_eq(p.v.v[0], in_folder("2026-09/2.csv"));
    ck_assert_str_eq(p.v.v[1], in_folder("2026-10/1.csv"));
    bill_paths_free(&p);
}
END_TEST

START_TEST(a_file_with_the_name_of_a_pattern_is_that_file)
{
    const char *paths[] = {in_folder("a[1].csv")};
    struct bill_paths p = {0};
    struct err e = {0};

    touch("a[1].csv");
    touch("a1.csv");
    ck_assert_int_eq(bill_paths_expand(&p, paths, 1, &e), 0);
    ck_assert_uint_eq(p.v.n, 1);
    ck_assert_str_eq(p.v.v[0], in_folder("a[1].csv"));
    bill_paths_free(&p);
}
END_TEST

START_TEST(a_pattern_without_a_match_is_an_error)
{
    const char *paths[] = {in_folder("*.csv")};
    struct bill_paths p = {0};
    struct err e = {0};

    touch("part.csv.gz");
    ck_assert_int_eq(bill_paths_expand(&p, paths, 1, &e), -1);
    ck_assert_int_eq(e.code, ERR_INPUT);
    ck_assert_str_eq(e.file, paths[0]);
    ck_assert_str_eq(e.text, "is a pattern that matches no file");
    bill_paths_free(&p);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("bill_paths");
    TCase *c = tcase_create("bill_paths");

    tcase_add_checked_fixture(c, make_folder, remove_folder);
    tcase_add_test(c, files_stay_as_they_are_given);
    tcase_add_test(c, a_folder_is_its_files_by_name_without_hidden_ones);
    tcase_add_test(c, a_slash_at_the_end_is_not_doubled);
    tcase_add_test(c, an_empty_folder_is_an_error);
    tcase_add_test(c, a_folder_in_a_folder_is_an_error_that_names_it);
    tcase_add_test(c, what_exports_put_beside_a_bill_is_passed_over_and_told);
    tcase_add_test(c, a_file_that_is_named_itself_is_not_passed_over);
    tcase_add_test(c, a_folder_of_nothing_else_says_what_it_holds);
    tcase_add_test(c, a_pattern_is_what_it_matches_by_name);
    tcase_add_test(c, folders_that_a_pattern_matches_are_their_files);
    tcase_add_test(c, a_file_with_the_name_of_a_pattern_is_that_file);
    tcase_add_test(c, a_pattern_without_a_match_is_an_error);
    suite_add_tcase(s, c);
    return unit_run(s);
}
