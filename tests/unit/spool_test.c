/* spool_test: bytes that stay in memory while they are few and go to a nameless file when they are many. */
#include "gputab/base/spool.h"

#include <signal.h>
#include <stdio.h>
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

static void check_at(struct spool *s, uint64_t at, size_t n, struct err *e)
{
    struct span there = spool_at(s, at, n, e);
    char *wanted = malloc(n);

    fill(wanted, at, n);
    ck_assert_ptr_nonnull(there.p);
    ck_assert_uint_ge(there.n, n);
    ck_assert_mem_eq(there.p, wanted, n);
    free(wanted);
}

static void check_content(struct spool *s, struct err *e)
{
    for (uint64_t at = 0; at + 1024 <= spool_size(s); at += 4099)
        check_at(s, at, 1024, e);
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

/* 20 MiB of bytes of their own, in a file that is larger than the pool. */
static struct spool *fill_file(void)
{
    struct spool *s = spool_new();
    struct err e = { 0 };
    size_t n = 20 << 20;
    char *p = malloc(n);
    uint64_t at;

    fill(p, 0, n);
    ck_assert_int_eq(spool_add(s, p, n, &at, &e), 0);
    free(p);
    return s;
}

/* Pieces are of 64 KiB: what begins or ends at a border, reaches over one, or over many. */
START_TEST(bytes_may_lie_across_pieces)
{
    enum { PIECE = 64 << 10 };
    struct spool *s = fill_file();
    struct err e = { 0 };

    check_at(s, PIECE - 1, 2, &e);
    check_at(s, PIECE - 1000, 1000, &e);
    check_at(s, PIECE, PIECE, &e);
    check_at(s, PIECE, PIECE + 1, &e);
    check_at(s, 3 * PIECE + 77, 10 * PIECE, &e);
    check_at(s, 1, (20 << 20) - 1, &e);                /* more than the pool holds */
    check_at(s, PIECE - 1, 2, &e);
    ck_assert_uint_eq(spool_at(s, 5 * PIECE + 5, 1, &e).n, PIECE - 5);     /* what else lies there */
    check_at(s, spool_size(s), 0, &e);
    spool_free(s);
}
END_TEST

/* Places far from each other and near, in no order, each many times: the pool has room for 16 MiB of 20. */
START_TEST(places_are_found_in_any_order)
{
    struct spool *s = fill_file();
    struct err e = { 0 };
    uint32_t x = 1;

    for (int i = 0; i < 20000; i++) {
        x = x * 1664525 + 1013904223;
        check_at(s, x % (i % 3 == 0 ? 1 << 20 : (20 << 20) - 300), 300, &e);
    }
    spool_free(s);
}
END_TEST

/* The last piece of the file is read, grows, and is read again; what is not in the file yet comes along. */
START_TEST(a_piece_may_grow)
{
    struct spool *s = fill_file();
    struct err e = { 0 };
    char p[1000];
    uint64_t at;

    for (int i = 0; i < 600; i++) {
        uint64_t end = spool_size(s);

        fill(p, end, sizeof p);
        ck_assert_int_eq(spool_add(s, p, sizeof p, &at, &e), 0);
        check_at(s, end, sizeof p, &e);
        if (i % 7 == 0)
            check_at(s, end - 500, 1500, &e);          /* in the file, and beyond */
    }
    check_at(s, 20 << 20, 600000, &e);
    spool_free(s);
}
END_TEST

static int file_of(const char *begin)
{
    char link[64], path[512];

    for (int fd = 3; fd < 64; fd++) {
        ssize_t n;

        snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
        n = readlink(link, path, sizeof path - 1);
        if (n > 0 && strncmp(path, begin, strlen(begin)) == 0)
            return fd;
    }
    return -1;
}

static void check_lost(struct spool *s, uint64_t at, size_t n, struct err *e)
{
    *e = (struct err){ 0 };
    ck_assert_ptr_null(spool_at(s, at, n, e).p);
    ck_assert_int_eq(e->code, ERR_INTERNAL);
    ck_assert_str_eq(e->file, folder);
}

/* Somebody cuts the file to 6 MiB and 100 bytes: what is behind cannot be read, in one piece or several, and all before it can. */
START_TEST(what_cannot_be_read_is_an_error)
{
    enum { LEFT = (6 << 20) + 100 };
    struct spool *s = fill_file();
    struct err e = { 0 };
    int fd = file_of(folder);

    ck_assert_int_ge(fd, 0);
    ck_assert_int_eq(ftruncate(fd, LEFT), 0);
    check_lost(s, 7 << 20, 10, &e);
    ck_assert_str_eq(e.text, "cannot read a temporary file: Input/output error");
    check_lost(s, LEFT - 50, 100, &e);
    check_lost(s, (6 << 20) - 50, 1000, &e);
    check_lost(s, 7 << 20, 10, &e);
    for (uint64_t at = 0; at + 1024 <= 6 << 20; at += 4099)
        check_at(s, at, 1024, &e);
    ck_assert_int_eq(close(fd), 0);
    check_lost(s, 8 << 20, 10, &e);
    ck_assert_str_eq(e.text, "cannot read a temporary file: Bad file descriptor");
    spool_free(s);
}
END_TEST

START_TEST(few_bytes_need_no_folder)
{
    struct spool *s = spool_new();
    struct err e = { 0 };
    uint64_t at;

    setenv("TMPDIR", "/nonexistent", 1);
    ck_assert_int_eq(spool_add(s, "abc", 3, &at, &e), 0);
    ck_assert_mem_eq(spool_at(s, at, 3, &e).p, "abc", 3);
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
    tcase_add_test(t, bytes_may_lie_across_pieces);
    tcase_add_test(t, places_are_found_in_any_order);
    tcase_add_test(t, a_piece_may_grow);
    tcase_add_test(t, what_cannot_be_read_is_an_error);
    tcase_add_test(t, few_bytes_need_no_folder);
    tcase_add_test(t, without_a_folder_all_stays_in_memory);
    tcase_add_test(t, a_full_disk_is_an_error_that_says_where);
    suite_add_tcase(s, t);
    return unit_run(s);
}
