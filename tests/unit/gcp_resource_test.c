/* gcp_resource: what a bill has of a machine, and the id that its node has too. */
#include "gputab/source/gcp_resource.h"
#include "unit.h"

#define PATH "//compute.googleapis.com/projects/p/zones/us-central1-a/"

static const struct { const char *name, *global, *project, *zone, *location, *want; } cases[] = {
    {"vm-1", "", "p", "us-central1-a", "", "gce://p/us-central1-a/vm-1"},
    {"vm-1", "", "p", "", "us-central1-a", "gce://p/us-central1-a/vm-1"},
    {"vm-1", "", "p", "", "us-central1", "vm-1"},            /* a region holds several machines of the name */
    {"vm-1", "", "p", "", "us", "vm-1"},
    {"vm-1", "", "", "us-central1-a", "", "vm-1"},
    {"vm-1", PATH "instance/12345", "", "", "", "gce://p/us-central1-a/vm-1"},
    {"vm-1", PATH "instances/vm-1", "q", "z", "", "gce://p/us-central1-a/vm-1"},
    {"", PATH "instances/vm-1", "", "", "", "gce://p/us-central1-a/vm-1"},
    {PATH "instances/vm-1", "", "", "", "", "gce://p/us-central1-a/vm-1"},
    {"projects/p/zones/us-central1-a/instances/vm-1", "", "", "", "", "gce://p/us-central1-a/vm-1"},
    {"vm-1", PATH "disks/vm-1", "p", "us-central1-a", "", PATH "disks/vm-1"},
    {"b", "//storage.googleapis.com/projects/_/buckets/b", "p", "", "us", "//storage.googleapis.com/projects/_/buckets/b"},
    {"", "", "p", "us-central1-a", "", ""},
    {"", PATH "instances/", "", "", "", PATH "instances/"},
};

START_TEST(parts_of_a_name_are_put_together)
{
    struct gcp_resource r = {span_of(cases[_i].name), span_of(cases[_i].global), span_of(cases[_i].project), span_of(cases[_i].zone),
                             span_of(cases[_i].location)};
    struct buf room = {0};
    struct span got = gcp_resource_id(&room, &r);

    ck_assert_msg(span_eq(got, cases[_i].want), "%.*s", (int)got.n, got.n ? got.p : "");
    buf_free(&room);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("gcp_resource");
    TCase *c = tcase_create("gcp_resource");

    tcase_add_loop_test(c, parts_of_a_name_are_put_together, 0, sizeof cases / sizeof *cases);
    suite_add_tcase(s, c);
    return unit_run(s);
}
