/* nodes: what a --nodes file gives, and what is refused. */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "gputab/source/nodes.h"
#include "unit.h"

static char path[] = "/tmp/nodes_test.XXXXXX";

static int read_text(const char *text, struct intern *names, struct node_file *out, struct err *e)
{
    FILE *f = fopen(path, "wb");

    ck_assert_ptr_ne(f, NULL);
    fputs(text, f);
    ck_assert_int_eq(fclose(f), 0);
    return node_file_read(path, names, out, e);
}

static void refuse(const char *text, int line, int column, const char *want)
{
    struct intern *names = intern_new();
    struct node_file f = {0};
    struct err e = {0};

    ck_assert_int_eq(read_text(text, names, &f, &e), -1);
    ck_assert_int_eq(e.code, ERR_INPUT);
    ck_assert_str_eq(e.file, path);
    ck_assert_int_eq(e.line, line);
    ck_assert_int_eq(e.column, column);
    ck_assert_msg(strstr(e.text, want) != NULL, "got %s, want %s", e.text, want);
    node_file_free(&f);
    intern_free(names);
}

START_TEST(rows_join_a_node_to_a_resource_in_normal_form)
{
    struct intern *names = intern_new();
    struct node_file f = {0};
    struct err e = {0};

    ck_assert_int_eq(read_text("node,resource_id,instance_type\nnode-1,aws:///us-east-1a/i-0abc,p5.48xlarge\nnode-2,rack1-u07,\n",
                               names, &f, &e), 0);
    ck_assert_uint_eq(f.entries.n, 2);
    ck_assert_str_eq(intern_cstr(names, f.entries.v[0].node), "node-1");
    ck_assert_str_eq(intern_cstr(names, f.entries.v[0].resource), "i-0abc");
    ck_assert_str_eq(intern_cstr(names, f.entries.v[0].type), "p5.48xlarge");
    ck_assert(f.entries.v[0].from == TIME_MIN && f.entries.v[0].to == TIME_MAX);
    ck_assert_str_eq(intern_cstr(names, f.entries.v[1].resource), "rack1-u07");
    ck_assert_uint_eq(f.entries.v[1].type, 0);
    node_file_free(&f);
    intern_free(names);
}
END_TEST

/* 2026-10-05T00:00:00Z is 1791158400 s (date -u -d ... +%s), a half-open border between two machines of one name. */
START_TEST(a_node_may_change_its_resource_at_a_time)
{
    struct intern *names = intern_new();
    struct node_file f = {0};
    struct err e = {0};

    ck_assert_msg(read_text("to,from,node,instance_type,resource_id\n,2026-10-05,n,,b\n2026-10-05T00:00:00Z,,n,,a\n", names, &f, &e) == 0,
                  "%s", e.text);
    ck_assert_uint_eq(f.entries.n, 2);
    ck_assert_int_eq(f.entries.v[0].from, 1791158400000);
    ck_assert(f.entries.v[0].to == TIME_MAX);
    ck_assert_int_eq(f.entries.v[1].to, 1791158400000);
    node_file_free(&f);
    intern_free(names);
}
END_TEST

START_TEST(bad_files_are_refused_with_their_place)
{
    refuse("", 1, 0, "is empty");
    refuse("node,resource\n", 1, 0, "header lacks the columns: resource_id, instance_type");
    refuse("node,resource_id,instance_type,form\n", 1, 32, "unknown column \"form\"");
    refuse("node,resource_id,instance_type\nn,r\n", 2, 0, "row has 2 fields, expected 3 to 5");
    refuse("node,resource_id,instance_type\n,r,\n", 2, 1, "column \"node\": is empty");
    refuse("node,resource_id,instance_type\nn,,\n", 2, 3, "column \"resource_id\": is empty");
    refuse("node,resource_id,instance_type,from\nn,r,t,5.10.2026\n", 2, 7, "column \"from\": \"5.10.2026\" is not a time");
    refuse("node,resource_id,instance_type,from,to\nn,r,t,2026-10-05,2026-10-05\n", 2, 18, "\"to\" is not later than \"from\"");
}
END_TEST

START_TEST(two_rows_for_one_node_at_one_time_are_refused)
{
    refuse("node,resource_id,instance_type,from,to\nn,a,,2026-10-04,\nm,c,,,\nn,b,,2026-10-01,2026-10-05\n", 0, 0,
           "node \"n\" is on line 2 and on line 4 at the same time");
}
END_TEST

int main(void)
{
    Suite *s = suite_create("nodes");
    TCase *t = tcase_create("nodes");
    int rc, fd = mkstemp(path);

    if (fd < 0)
        return EXIT_FAILURE;
    close(fd);
    tcase_add_test(t, rows_join_a_node_to_a_resource_in_normal_form);
    tcase_add_test(t, a_node_may_change_its_resource_at_a_time);
    tcase_add_test(t, bad_files_are_refused_with_their_place);
    tcase_add_test(t, two_rows_for_one_node_at_one_time_are_refused);
    suite_add_tcase(s, t);
    rc = unit_run(s);
    unlink(path);
    return rc;
}
