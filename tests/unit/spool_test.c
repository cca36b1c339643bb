/* spool_test: bytes that stay in memory while they are few and go to a nameless file when they are many. */
#include "gputab/base/spool.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "unit.h"

static char folder[] = "/tmp/gputab-spool-XXXXXX";

static void setup(void)
{
    ck_assert_ptr_nonnull(mkdtemp(folder));
    setenv("TMPDIR", folder, 1);
}

static void teardown(void)
{
    rmdir(folder);
}

/* Byte i of the whole is i x 7 mod 251: no two pieces look alike. */
static void fill(char *p, uint64_t at, size_t n)
{
    for (size_t i = 0; i < n; i++)
        p[i] = (char)((at + i) * 7 % 251);
}

static void check_content(struct spool *s, struct err *e)
{
    const char *p = spool_view(s, e);
    char wanted[1024];

    ck_assert_ptr_nonnull(p);
    for (uint64_t at = 0; at + sizeof wanted <= spool_size(s); at += 4099) {
        fill(wanted, at, sizeof wanted);
        ck_assert_mem_eq(p + at, wanted, sizeof wanted);
    }
    spool_rest(s);
}

static void add_and_read(uint64_t wanted)
{
    static const size_t sizes[] = { 1, 1000, 70000, 3, 300000 };
    struct spool *s = spool_new();
    struct err e = { 0 };
    char *p = malloc(300000);
    uint64_t total = 0, at;

    for (int i = 0; total < wanted; i++) {
        size_t n = sizes[i % 5];

        fill(p, total, n);
        ck_assert_int_eq(spool_add(s, p, n, &at, &e), 0);
        ck_assert_uint_eq(at, total);
        total += n;
        if (i % 50 == 0)
            check_content(s, &e);                      /* reading and writing may take turns */
    }
    ck_assert_uint_eq(spool_size(s), total);
    check_content(s, &e);
    ck_assert_int_eq(rmdir(folder), 0);                /* no name stands in it */
    spool_free(s);
    free(p);
}

START_TEST(few_bytes_are_read_again)
{
    add_and_read(2 << 20);
}
END_TEST

START_TEST(many_bytes_are_read_again)
{
    add_and_read(20 << 20);
}
END_TEST

START_TEST(few_bytes_need_no_folder)
{
    struct spool *s = spool_new();
    struct err e = { 0 };
    uint64_t at;

    setenv("TMPDIR", "/nonexistent", 1);
    ck_assert_int_eq(spool_add(s, "abc", 3, &at, &e), 0);
    ck_assert_mem_eq(spool_view(s, &e), "abc", 3);
    spool_free(s);
}
END_TEST

START_TEST(without_a_folder_all_stays_in_memory)
{
    setenv("TMPDIR", "/nonexistent", 1);
    add_and_read(20 << 20);
}
END_TEST

/* A file may have 8 MiB here. */
START_TEST(a_full_disk_is_an_error_that_says_where)
{
    struct rlimit most = { 8 << 20, 8 << 20 };
    struct spool *s = spool_new();
    struct err e = { 0 };
    char *p = calloc(1, 5 << 20);
    uint64_t at;

    signal(SIGXFSZ, SIG_IGN);
    ck_assert_int_eq(setrlimit(RLIMIT_FSIZE, &most), 0);
    ck_assert_int_eq(spool_add(s, p, 5 << 20, &at, &e), 0);
    ck_assert_int_eq(spool_add(s, p, 5 << 20, &at, &e), -1);
    ck_assert_int_eq(e.code, ERR_INTERNAL);
    ck_assert_str_eq(e.file, folder);
    ck_assert_str_eq(e.text, "cannot write to a temporary file: File too large");
    ck_assert_str_eq(e.hint, "TMPDIR names the folder for it, which needs room");
    spool_free(s);
    free(p);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("spool");
    TCase *t = tcase_create("all");

    tcase_add_checked_fixture(t, setup, teardown);
    tcase_add_test(t, few_bytes_are_read_again);
    tcase_add_test(t, many_bytes_are_read_again);
    tcase_add_test(t, few_bytes_need_no_folder);
    tcase_add_test(t, without_a_folder_all_stays_in_memory);
    tcase_add_test(t, a_full_disk_is_an_error_that_says_where);
    suite_add_tcase(s, t);
    return unit_run(s);
}
