/* outline_test: many pods leave few series, whatever the order in which they come. */
#include "gputab/source/outline.h"
#include "gputab/source/scrape_batch.h"
#include "gputab/source/scrape_series.h"

#include "metrics_fixture.h"
#include "unit.h"

enum { PODS = 100 };

struct world {
    struct loaded l;
    struct metrics_request req;
    struct scrape scrape;
    struct replay outline;
};

static void begin(struct world *w)
{
    fixture_init(&w->l);
    w->req = fixture_request(&w->l, NULL);
    scrape_init(&w->scrape, &w->req);
    replay_init(&w->outline, &w->scrape, w->l.names, w->l.inv.labelsets, (struct timespan){ TIME_MIN, TIME_MAX });
}

static void end(struct world *w)
{
    replay_free(&w->outline);
    scrape_free(&w->scrape);
    fixture_free(&w->l);
}

static struct openmetrics_label label(const char *name, const char *value)
{
    return (struct openmetrics_label){ span_of(name), span_of(value) };
}

/* A sample of a series with up to six labels; names and values in turn, NULL ends. */
static void add(struct world *w, const char *family, int second, const char *const *pairs)
{
    static const struct scrape_origin origin = { "cluster", "" };
    struct openmetrics_label labels[8];
    struct scrape_handle series;
    struct err e = { 0 };
    size_t n = 0;

    for (; pairs[2 * n]; n++)
        labels[n] = label(pairs[2 * n], pairs[2 * n + 1]);
    ck_assert_int_eq(scrape_series(&w->scrape, &origin, scrape_family(&w->scrape, span_of(family)), labels, n, &series, &e), 0);
    ck_assert(series.at != SCRAPE_NONE);
    ck_assert_int_eq(scrape_add(&w->scrape, scrape_number(&w->scrape, series), AT(second), 1, &e), 0);
}

static void add_pod(struct world *w, int i)
{
    char pod[16];

    snprintf(pod, sizeof pod, "p-%d", i);
    add(w, "DCGM_FI_DEV_FB_USED", 60 * i, (const char *const[]){ "UUID", i % 2 ? "GPU-1" : "GPU-2", "Hostname", "n", "instance", "a",
                                                                 "exported_pod", pod, "exported_namespace", "x", "pod", "exp", NULL });
    add(w, "container_memory_working_set_bytes", 60 * i, (const char *const[]){ "namespace", "x", "pod", pod, "container", "c", "node", "n",
                                                                                NULL });
    add(w, "kube_pod_info", 60 * i, (const char *const[]){ "namespace", "x", "pod", pod, "node", "n", NULL });
}

static void add_rest(struct world *w)
{
    add(w, "DCGM_FI_DEV_FB_USED", 60, (const char *const[]){ "UUID", "GPU-1", "Hostname", "n", "instance", "a", "pod", "exp", NULL });
    add(w, "kube_pod_info", 60, (const char *const[]){ "namespace", "gpus", "pod", "exp", "node", "n", NULL });
    add(w, "kube_node_info", 60, (const char *const[]){ "node", "n", "provider_id", "aws:///zone/i-1", NULL });
}

static size_t count(const struct world *w, const char *family, bool names_pod)
{
    size_t n = 0;

    for (size_t i = 0; i < w->outline.series.n; i++)
        n += strcmp(w->outline.series.v[i].family->name, family) == 0 && w->outline.series.v[i].names_pod == names_pod;
    return n;
}

static void read_outline(struct world *w)
{
    struct err e = { 0 };

    ck_assert_int_eq(scrape_flush(&w->scrape, &e), 0);
    ck_assert_int_eq(outline_read(&w->outline, &e), 0);
}

/* Two cards with pods and one of them also without; the node; what pods have in common; and the exporter's own pod, which has no
 * namespace in its GPU series and so is another one than that in kube_pod_info. */
START_TEST(pods_leave_no_series)
{
    struct world w;

    begin(&w);
    for (int i = 0; i < PODS; i++)
        add_pod(&w, i);
    add_rest(&w);
    read_outline(&w);
    ck_assert_uint_eq(count(&w, "DCGM_FI_DEV_FB_USED", true), 2);
    ck_assert_uint_eq(count(&w, "DCGM_FI_DEV_FB_USED", false), 1);
    ck_assert_uint_eq(count(&w, "container_memory_working_set_bytes", true), 1);
    ck_assert_uint_eq(count(&w, "kube_pod_info", true), 1);
    ck_assert_uint_eq(count(&w, "kube_node_info", false), 1);
    ck_assert_uint_eq(w.outline.series.n, 6);
    ck_assert_uint_lt(intern_count(w.l.names), 30);                    /* none of the pods' names */
    ck_assert_uint_eq(intern_find(w.l.names, "p-1", 3), 0);
    end(&w);
}
END_TEST

START_TEST(first_and_last_are_those_of_all)
{
    struct world w;

    begin(&w);
    for (int i = 0; i < PODS; i++)
        add_pod(&w, (i * 37) % PODS);
    read_outline(&w);
    for (size_t i = 0; i < w.outline.series.n; i++) {
        const struct replay_series *s = &w.outline.series.v[i];

        if (s->kind != SAMPLE_USED)
            continue;
        ck_assert_int_le(s->first, AT(60));            /* the first of odd pods, or of even ones */
        ck_assert_int_ge(s->last, AT(60 * (PODS - 2)));
        ck_assert(!s->shuffled);
    }
    end(&w);
}
END_TEST

START_TEST(the_order_of_arrival_does_not_show)
{
    struct world a, b;

    begin(&a);
    begin(&b);
    for (int i = 0; i < PODS; i++) {
        add_pod(&a, i);
        add_pod(&b, PODS - 1 - i);
    }
    read_outline(&a);
    read_outline(&b);
    ck_assert_uint_eq(a.outline.series.n, b.outline.series.n);
    for (size_t i = 0; i < a.outline.series.n; i++) {
        const struct replay_series *x = &a.outline.series.v[i], *y = &b.outline.series.v[i];

        ck_assert_uint_eq(x->order, y->order);
        ck_assert_str_eq(x->family->name, y->family->name);
        ck_assert_str_eq(intern_cstr(a.l.names, replay_role(x, ROLE_UUID)), intern_cstr(b.l.names, replay_role(y, ROLE_UUID)));
    }
    end(&a);
    end(&b);
}
END_TEST

/* The pod in which an exporter runs leads to its node. */
START_TEST(the_pods_of_exporters_stay)
{
    struct world w;

    begin(&w);
    add(&w, "DCGM_FI_DEV_FB_USED", 60, (const char *const[]){ "UUID", "GPU-1", "instance", "a", "namespace", "gpus", "pod", "dcgm-exporter-1",
                                                              NULL });
    add(&w, "kube_pod_info", 60, (const char *const[]){ "namespace", "gpus", "pod", "dcgm-exporter-1", "node", "n", NULL });
    add(&w, "kube_pod_info", 60, (const char *const[]){ "namespace", "gpus", "pod", "other", "node", "n", NULL });
    read_outline(&w);
    for (size_t i = 0, whole = 0; i < w.outline.series.n; i++) {
        const struct replay_series *s = &w.outline.series.v[i];

        whole += s->kind == RECORD_POD_INFO && !s->stands_in;
        if (s->kind == SAMPLE_USED)
            ck_assert_str_eq(intern_cstr(w.l.names, s->exporter.name), "dcgm-exporter-1");
        if (i + 1 == w.outline.series.n)
            ck_assert_uint_eq(whole, 1);
    }
    end(&w);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("outline");
    TCase *t = tcase_create("all");

    tcase_add_test(t, pods_leave_no_series);
    tcase_add_test(t, first_and_last_are_those_of_all);
    tcase_add_test(t, the_order_of_arrival_does_not_show);
    tcase_add_test(t, the_pods_of_exporters_stay);
    suite_add_tcase(s, t);
    return unit_run(s);
}
