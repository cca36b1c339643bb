/* Families and names of clusters that a request brings with it, beside those that are built in. Bytes were worked out by hand. */
#include "gputab/source/exporters.h"
#include "metrics_fixture.h"
#include "unit.h"

#define GPU_A "GPU-aaaaaaaa-0000-4000-8000-000000000001"

static const struct family_label odd_labels[] = {
    { "card", ROLE_UUID }, { "tenant", ROLE_SPELT_NAMESPACE }, { "workload", ROLE_SPELT_POD }, { "part", ROLE_SPELT_CONTAINER }, { 0 }
};
static const struct family odd_families[] = {
    { "odd_used_kib", SAMPLE_USED, UNIT_KIB, PODS_MAYBE, NULL, NULL, odd_labels },
    { "odd_total_gib", SAMPLE_TOTAL, UNIT_GIB, PODS_NO, NULL, NULL, odd_labels },
    { "DCGM_FI_DEV_FB_USED", SAMPLE_USED, UNIT_BYTES, PODS_MAYBE },
    { 0 }
};
static const struct cluster_name clusters[] = { { "c-m-1", "prod" }, { "c-m-2", "prod" }, { 0 } };

static void load(struct loaded *l, const char *text)
{
    char *full = fixture_text(text), path[] = "/tmp/gputab-metrics-XXXXXX";
    int fd = mkstemp(path);
    struct metrics_request req;

    fixture_init(l);
    req = fixture_request(l, NULL);
    req.families = odd_families;
    req.clusters = clusters;
    ck_assert_int_ge(fd, 0);
    ck_assert_int_eq(write(fd, full, strlen(full)), (ssize_t)strlen(full));
    close(fd);
    l->rc = metrics_open(&l->metrics, &(struct metrics_source){ .name = "here", .cluster_label = "cluster", .file = path }, 1, &req,
                         &l->inv, &l->err);
    unlink(path);
    free(full);
    if (l->rc == 0)
        fixture_look(l);
    ck_assert_msg(l->rc == 0, "%s", l->err.text);
}

START_TEST(names_units_and_labels_are_those_of_the_family)
{
    struct loaded l;

    load(&l, "odd_used_kib{card=\"" GPU_A "\",tenant=\"a\",workload=\"w-0\",part=\"main\"} 3 @60\n"
             "odd_total_gib{card=\"" GPU_A "\"} 80 @60\n");
    fixture_check_samples(&l, "used gpu=" GPU_A " pod=a/w-0 c=main: 60=3072\ntotal gpu=" GPU_A ": 60=85899345920\n");
    ck_assert_uint_eq(l.diag.n, 0);
    fixture_free(&l);
}
END_TEST

/* The target's own labels stand beside those of the workload, and alone on a card that nobody holds. */
START_TEST(where_a_family_names_its_workload_other_labels_do_not)
{
    struct loaded l;

    load(&l, "odd_used_kib{card=\"" GPU_A "\",tenant=\"a\",workload=\"w-0\",namespace=\"mon\",pod=\"odd-x1\",exported_pod=\"y\"} 3 @60\n"
             "odd_used_kib{card=\"" GPU_A "\",namespace=\"mon\",pod=\"odd-x1\",exported_pod=\"y\",exported_namespace=\"z\"} 4 @60\n");
    fixture_check_samples(&l, "used gpu=" GPU_A " pod=a/w-0: 60=3072\nused gpu=" GPU_A ": 60=4096\n");
    fixture_free(&l);
}
END_TEST

/* What is general for others: UUID and card are both there, and the family's own name counts. */
START_TEST(a_label_of_the_family_comes_before_the_general_one)
{
    struct loaded l;

    load(&l, "odd_total_gib{UUID=\"GPU-other\",card=\"" GPU_A "\"} 1 @60\n");
    fixture_check_samples(&l, "total gpu=" GPU_A ": 60=1073741824\n");
    fixture_free(&l);
}
END_TEST

START_TEST(a_family_of_a_built_in_name_takes_its_place)
{
    struct loaded l;

    load(&l, "DCGM_FI_DEV_FB_USED{UUID=\"" GPU_A "\"} 7 @60\nDCGM_FI_DEV_FB_FREE{UUID=\"" GPU_A "\"} 7 @60\n");
    fixture_check_samples(&l, "used gpu=" GPU_A ": 60=7\nfree gpu=" GPU_A ": 60=7340032\n");
    fixture_free(&l);
}
END_TEST

START_TEST(a_series_without_its_family_s_labels_is_left_out_and_counted)
{
    struct loaded l;
    const struct diag_item *d;

    load(&l, "odd_used_kib{tenant=\"a\",workload=\"w-0\"} 3 @60\n");
    d = diag_find(&l.diag, "W114");
    ck_assert_ptr_nonnull(d);
    ck_assert_str_eq(d->texts[0], "odd_used_kib: series that do not say which GPU they are of, left out: 1");
    fixture_free(&l);
}
END_TEST

START_TEST(a_file_without_gpus_says_that_they_were_looked_for)
{
    struct loaded l;
    const struct diag_item *d;

    load(&l, "up{job=\"x\"} 1 @60\n");
    d = diag_find(&l.diag, "W113");
    ck_assert_ptr_nonnull(d);
    ck_assert_ptr_nonnull(strstr(d->texts[0], "looked for odd_used_kib, DCGM_FI_DEV_FB_USED, dcgm_fb_used and "));
    fixture_free(&l);
}
END_TEST

/* Two values of one name are one cluster: their node is one. Without a label it is the source's. */
START_TEST(clusters_have_the_names_that_they_are_given)
{
    struct loaded l;

    load(&l, "kube_node_info{cluster=\"c-m-1\",node=\"n\"} 1 @60\nkube_node_info{cluster=\"c-m-2\",node=\"n\"} 1 @120\n"
             "kube_node_info{cluster=\"c-m-3\",node=\"n\"} 1 @60\nkube_node_info{node=\"n\"} 1 @60\n");
    ck_assert_uint_eq(l.inv.nodes.n, 3);
    ck_assert_str_eq(fixture_name(&l, l.inv.nodes.v[0].cluster), "c-m-3");
    ck_assert_str_eq(fixture_name(&l, l.inv.nodes.v[1].cluster), "here");
    ck_assert_str_eq(fixture_name(&l, l.inv.nodes.v[2].cluster), "prod");
    fixture_free(&l);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("own_families");
    TCase *t = tcase_create("own_families");

    tcase_add_test(t, names_units_and_labels_are_those_of_the_family);
    tcase_add_test(t, where_a_family_names_its_workload_other_labels_do_not);
    tcase_add_test(t, a_label_of_the_family_comes_before_the_general_one);
    tcase_add_test(t, a_family_of_a_built_in_name_takes_its_place);
    tcase_add_test(t, a_series_without_its_family_s_labels_is_left_out_and_counted);
    tcase_add_test(t, a_file_without_gpus_says_that_they_were_looked_for);
    tcase_add_test(t, clusters_have_the_names_that_they_are_given);
    suite_add_tcase(s, t);
    return unit_run(s);
}
