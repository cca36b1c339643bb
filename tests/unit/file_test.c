#include "unit.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "gputab/base/file.h"

static char folder[64];

static void make_folder(void)
{
    strcpy(folder, "/tmp/gputab-file-XXXXXX");
    ck_assert_ptr_nonnull(mkdtemp(folder));
    umask(022);
}

/* Removes what is in the folder (no folders inside are expected but the one a test names). */
static void remove_folder(void)
{
    DIR *d = opendir(folder);
    struct dirent *entry;

    while ((entry = readdir(d)) != NULL) {
        if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0)
            continue;
        if (unlinkat(dirfd(d), entry->d_name, 0) < 0)
            unlinkat(dirfd(d), entry->d_name, AT_REMOVEDIR);
    }
    closedir(d);
    rmdir(folder);
}

static int entries(void)
{
    DIR *d = opendir(folder);
    int n = 0;

    while (readdir(d))
        n++;
    closedir(d);
    return n - 2;
}

static const char *in_folder(const char *name)
{
    static char paths[4][128];
    static int next;
    char *path = paths[next++ % 4];

    snprintf(path, sizeof paths[0], "%s/%s", folder, name);
    return path;
}

static void write_text(const char *path, const char *text)
{
    FILE *f = fopen(path, "w");

    ck_assert_ptr_nonnull(f);
    fputs(text, f);
    fclose(f);
}

static void assert_text(const char *path, const char *text)
{
    struct buf b = { 0 };
    struct err e = { 0 };

    ck_assert_msg(file_read(path, 1000, &b, &e) == 0, "%s: %s", e.file, e.text);
    ck_assert_str_eq(buf_str(&b), text);
    buf_free(&b);
}

START_TEST(a_file_is_read_whole_and_appended)
{
    struct buf b = { 0 };
    struct err e = { 0 };

    write_text(in_folder("in"), "12345");
    buf_adds(&b, "0");
    ck_assert_int_eq(file_read(in_folder("in"), 5, &b, &e), 0);
    ck_assert_str_eq(buf_str(&b), "012345");
    buf_free(&b);
}
END_TEST

START_TEST(a_file_over_the_cap_is_an_error_that_names_the_cap)
{
    struct buf b = { 0 };
    struct err e = { 0 };

    write_text(in_folder("in"), "12345");
    ck_assert_int_eq(file_read(in_folder("in"), 4, &b, &e), -1);
    ck_assert_int_eq(e.code, ERR_INPUT);
    ck_assert_str_eq(e.file, in_folder("in"));
    ck_assert_ptr_nonnull(strstr(e.text, "4 bytes"));
    buf_free(&b);
}
END_TEST

START_TEST(a_file_that_cannot_be_read_names_the_reason)
{
    struct buf b = { 0 };
    struct err e = { 0 };

    ck_assert_int_eq(file_read(in_folder("absent"), 10, &b, &e), -1);
    ck_assert_int_eq(e.code, ERR_INPUT);
    ck_assert_ptr_nonnull(strstr(e.text, "No such file or directory"));
    err_clear(&e);
    ck_assert_int_eq(file_read(folder, 10, &b, &e), -1);
    ck_assert_ptr_nonnull(strstr(e.text, "Is a directory"));
    buf_free(&b);
}
END_TEST

START_TEST(nothing_appears_before_the_commit_and_all_with_it)
{
    struct file_set *s = file_set_new();
    struct err e = { 0 };
    struct stat st;

    write_text(in_folder("old"), "before");
    ck_assert_int_eq(file_set_add(s, in_folder("new"), span_of("fresh"), &e), 0);
    ck_assert_int_eq(file_set_add(s, in_folder("old"), span_of("after"), &e), 0);
    ck_assert_int_ne(access(in_folder("new"), F_OK), 0);
    assert_text(in_folder("old"), "before");
    ck_assert_int_eq(file_set_commit(s, &e), 0);
    file_set_abort(s);
    assert_text(in_folder("new"), "fresh");
    assert_text(in_folder("old"), "after");
    ck_assert_int_eq(entries(), 2);
    ck_assert_int_eq(stat(in_folder("new"), &st), 0);
    ck_assert_uint_eq(st.st_mode & 0777, 0644);
}
END_TEST

START_TEST(an_aborted_set_leaves_nothing)
{
    struct file_set *s = file_set_new();
    struct err e = { 0 };

    ck_assert_int_eq(file_set_add(s, in_folder("a"), span_of("1"), &e), 0);
    ck_assert_int_eq(file_set_add(s, in_folder("b"), span_of(""), &e), 0);
    ck_assert_int_eq(entries(), 2);                    /* the temporary files */
    file_set_abort(s);
    ck_assert_int_eq(entries(), 0);
    file_set_abort(NULL);
}
END_TEST

START_TEST(files_are_written_in_pieces)
{
    struct file_set *s = file_set_new();
    struct err e = { 0 };
    char text[16] = "";
    int fd;

    ck_assert_int_eq(mkfifo(in_folder("pipe"), 0600), 0);
    fd = open(in_folder("pipe"), O_RDWR | O_NONBLOCK);
    ck_assert_int_eq(file_set_begin(s, in_folder("a"), &e), 0);
    ck_assert_int_eq(file_set_write(s, span_of("one "), &e), 0);
    ck_assert_int_eq(file_set_write(s, span_of("two"), &e), 0);
    ck_assert_int_eq(file_set_end(s, &e), 0);
    ck_assert_int_eq(file_set_begin(s, in_folder("pipe"), &e), 0);
    ck_assert_int_eq(file_set_write(s, span_of("three "), &e), 0);
    ck_assert_int_eq(file_set_write(s, span_of("four"), &e), 0);
    ck_assert_int_eq(file_set_end(s, &e), 0);
    ck_assert_int_ne(access(in_folder("a"), F_OK), 0);
    ck_assert_int_eq(read(fd, text, sizeof text), -1);
    ck_assert_int_eq(file_set_commit(s, &e), 0);
    ck_assert_int_eq(read(fd, text, sizeof text - 1), 10);
    ck_assert_str_eq(text, "three four");
    assert_text(in_folder("a"), "one two");
    file_set_abort(s);
    close(fd);
}
END_TEST

START_TEST(a_set_aborted_within_a_file_leaves_nothing)
{
    struct file_set *s = file_set_new();
    struct err e = { 0 };

    ck_assert_int_eq(file_set_begin(s, in_folder("a"), &e), 0);
    ck_assert_int_eq(file_set_write(s, span_of("half"), &e), 0);
    file_set_abort(s);
    ck_assert_int_eq(entries(), 0);
}
END_TEST

START_TEST(a_full_device_leaves_no_file_behind)
{
    struct file_set *s = file_set_new();
    struct err e = { 0 };

    ck_assert_int_eq(file_set_add(s, in_folder("a"), span_of("1"), &e), 0);
    ck_assert_int_eq(file_set_add(s, "/dev/full", span_of("2"), &e), 0);
    ck_assert_int_eq(file_set_commit(s, &e), -1);
    ck_assert_int_eq(e.code, ERR_INTERNAL);
    ck_assert_str_eq(e.file, "/dev/full");
    ck_assert_ptr_nonnull(strstr(e.text, "No space left on device"));
    file_set_abort(s);
    ck_assert_int_eq(entries(), 0);
}
END_TEST

START_TEST(a_pipe_is_written_and_stays_a_pipe)
{
    struct file_set *s = file_set_new();
    struct err e = { 0 };
    struct stat st;
    char text[8] = "";
    int fd;

    ck_assert_int_eq(mkfifo(in_folder("pipe"), 0600), 0);
    fd = open(in_folder("pipe"), O_RDWR | O_NONBLOCK);
    ck_assert_int_eq(file_set_add(s, in_folder("pipe"), span_of("bytes"), &e), 0);
    ck_assert_int_eq(read(fd, text, sizeof text), -1);
    ck_assert_int_eq(file_set_commit(s, &e), 0);
    ck_assert_int_eq(read(fd, text, sizeof text - 1), 5);
    ck_assert_str_eq(text, "bytes");
    file_set_abort(s);
    close(fd);
    ck_assert_int_eq(stat(in_folder("pipe"), &st), 0);
    ck_assert(S_ISFIFO(st.st_mode));
}
END_TEST

START_TEST(what_is_written_in_place_early_is_not_written_again)
{
    const char *pipe_path = in_folder("p.csv"), *file_path = in_folder("a.csv");
    struct file_set *s = file_set_new();
    struct err e = { 0 };
    char text[16] = "";
    int fd;

    ck_assert_int_eq(mkfifo(pipe_path, 0600), 0);
    fd = open(pipe_path, O_RDONLY | O_NONBLOCK);
    ck_assert_int_eq(file_set_add(s, pipe_path, span_of("once"), &e), 0);
    ck_assert_int_eq(file_set_add(s, file_path, span_of("file"), &e), 0);
    ck_assert_int_eq(file_set_write_in_place(s, &e), 0);
    ck_assert_int_ne(access(file_path, F_OK), 0);
    ck_assert_int_eq(file_set_commit(s, &e), 0);
    ck_assert_int_eq(read(fd, text, sizeof text - 1), 4);
    ck_assert_str_eq(text, "once");
    assert_text(file_path, "file");
    close(fd);
    file_set_abort(s);
}
END_TEST

START_TEST(a_handler_can_remove_the_temporaries_at_any_time)
{
    struct file_set *s = file_set_new();
    struct err e = { 0 };

    file_set_unlink_temps(s);
    ck_assert_int_eq(file_set_add(s, in_folder("a.csv"), span_of("a"), &e), 0);
    ck_assert_int_eq(file_set_add(s, in_folder("b.csv"), span_of("b"), &e), 0);
    ck_assert_int_eq(entries(), 2);
    file_set_unlink_temps(s);
    ck_assert_int_eq(entries(), 0);
    file_set_abort(s);
}
END_TEST

START_TEST(a_missing_folder_is_an_error_with_a_hint)
{
    struct file_set *s = file_set_new();
    struct err e = { 0 };

    ck_assert_int_eq(file_set_add(s, in_folder("no/such/file"), span_of("1"), &e), -1);
    ck_assert_int_eq(e.code, ERR_INTERNAL);
    ck_assert_str_eq(e.file, in_folder("no/such/file"));
    ck_assert_ptr_nonnull(strstr(e.text, "No such file or directory"));
    ck_assert_str_ne(e.hint, "");
    err_clear(&e);
    write_text(in_folder("plain"), "");
    ck_assert_int_eq(file_set_add(s, in_folder("plain/file"), span_of("1"), &e), -1);
    ck_assert_ptr_nonnull(strstr(e.text, "Not a directory"));
    err_clear(&e);
    ck_assert_int_eq(file_set_add(s, folder, span_of("1"), &e), -1);
    ck_assert_ptr_nonnull(strstr(e.text, "Is a directory"));
    err_clear(&e);
    ck_assert_int_eq(file_set_add(s, "", span_of("1"), &e), -1);
    file_set_abort(s);
}
END_TEST

START_TEST(one_file_named_twice_is_refused)
{
    struct file_set *s = file_set_new();
    struct err e = { 0 };

    ck_assert_int_eq(file_set_add(s, in_folder("a"), span_of("1"), &e), 0);
    ck_assert_int_eq(file_set_add(s, in_folder("./a"), span_of("2"), &e), -1);
    ck_assert_int_eq(e.code, ERR_USAGE);
    file_set_abort(s);
    ck_assert_int_eq(entries(), 0);
}
END_TEST

START_TEST(a_symbolic_link_stays_and_its_target_is_replaced)
{
    struct file_set *s = file_set_new();
    struct err e = { 0 };
    struct stat st;

    write_text(in_folder("real"), "before");
    ck_assert_int_eq(symlink("real", in_folder("link")), 0);
    ck_assert_int_eq(file_set_add(s, in_folder("link"), span_of("after"), &e), 0);
    ck_assert_int_eq(file_set_commit(s, &e), 0);
    file_set_abort(s);
    ck_assert_int_eq(lstat(in_folder("link"), &st), 0);
    ck_assert(S_ISLNK(st.st_mode));
    assert_text(in_folder("real"), "after");
}
END_TEST

START_TEST(a_rename_that_fails_takes_new_files_back)
{
    struct file_set *s = file_set_new();
    struct err e = { 0 };

    ck_assert_int_eq(file_set_add(s, in_folder("a"), span_of("1"), &e), 0);
    ck_assert_int_eq(file_set_add(s, in_folder("b"), span_of("2"), &e), 0);
    ck_assert_int_eq(mkdir(in_folder("b"), 0700), 0);  /* somebody was faster */
    ck_assert_int_eq(file_set_commit(s, &e), -1);
    ck_assert_str_eq(e.file, in_folder("b"));
    file_set_abort(s);
    ck_assert_int_eq(entries(), 1);
}
END_TEST

START_TEST(a_rename_that_fails_brings_older_files_back)
{
    struct file_set *s = file_set_new();
    struct err e = { 0 };

    write_text(in_folder("a"), "older");
    ck_assert_int_eq(file_set_add(s, in_folder("a"), span_of("1"), &e), 0);
    ck_assert_int_eq(file_set_add(s, in_folder("b"), span_of("2"), &e), 0);
    ck_assert_int_eq(mkdir(in_folder("b"), 0700), 0);
    ck_assert_int_eq(file_set_commit(s, &e), -1);
    file_set_abort(s);
    assert_text(in_folder("a"), "older");
    ck_assert_int_eq(entries(), 2);
}
END_TEST

START_TEST(files_that_were_there_before_are_replaced_and_gone)
{
    struct file_set *s = file_set_new();
    struct err e = { 0 };

    write_text(in_folder("a"), "older");
    write_text(in_folder("b"), "older");
    ck_assert_int_eq(file_set_add(s, in_folder("a"), span_of("1"), &e), 0);
    ck_assert_int_eq(file_set_add(s, in_folder("b"), span_of("2"), &e), 0);
    ck_assert_int_eq(file_set_commit(s, &e), 0);
    file_set_abort(s);
    assert_text(in_folder("a"), "1");
    assert_text(in_folder("b"), "2");
    ck_assert_int_eq(entries(), 2);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("file");
    TCase *t = tcase_create("file");

    tcase_add_checked_fixture(t, make_folder, remove_folder);
    tcase_add_test(t, a_file_is_read_whole_and_appended);
    tcase_add_test(t, a_file_over_the_cap_is_an_error_that_names_the_cap);
    tcase_add_test(t, a_file_that_cannot_be_read_names_the_reason);
    tcase_add_test(t, nothing_appears_before_the_commit_and_all_with_it);
    tcase_add_test(t, an_aborted_set_leaves_nothing);
    tcase_add_test(t, a_full_device_leaves_no_file_behind);
    tcase_add_test(t, a_pipe_is_written_and_stays_a_pipe);
    tcase_add_test(t, what_is_written_in_place_early_is_not_written_again);
    tcase_add_test(t, a_handler_can_remove_the_temporaries_at_any_time);
    tcase_add_test(t, a_missing_folder_is_an_error_with_a_hint);
    tcase_add_test(t, one_file_named_twice_is_refused);
    tcase_add_test(t, files_are_written_in_pieces);
    tcase_add_test(t, a_set_aborted_within_a_file_leaves_nothing);
    tcase_add_test(t, a_symbolic_link_stays_and_its_target_is_replaced);
    tcase_add_test(t, a_rename_that_fails_takes_new_files_back);
    tcase_add_test(t, a_rename_that_fails_brings_older_files_back);
    tcase_add_test(t, files_that_were_there_before_are_replaced_and_gone);
    suite_add_tcase(s, t);
    return unit_run(s);
}
