/* scrape_series_test: what the labels of a series say is the same whether or not series with the same names came before, in whatever order
 * the labels stand. */
#include "gputab/source/scrape_series.h"

#include "metrics_fixture.h"
#include "unit.h"

static const struct scrape_origin origin = { "cluster", "home" };

struct world {
    struct loaded l;
    struct metrics_request req;
    struct scrape scrape;
};

static void begin(struct world *w)
{
    *w = (struct world){ 0 };
    fixture_init(&w->l);
    w->req = fixture_request(&w->l, NULL);
    scrape_init(&w->scrape, &w->req);
}

static void end(struct world *w)
{
    scrape_free(&w->scrape);
    inventory_free(&w->l.inv);
    intern_free(w->l.names);
    diag_free(&w->l.diag);
}

/* The series as a text: kind, unit, roles with their values, cluster, target, order; "-" when it is of no use. */
static void tell(struct world *w, const char *family, const struct openmetrics_label *labels, size_t n, struct fingerprint *key, struct buf *out)
{
    const struct family *f = scrape_family(&w->scrape, span_of(family));
    struct scrape_handle h;
    struct scrape_labels read;
    struct err e = { 0 };

    ck_assert_int_eq(scrape_series(&w->scrape, &origin, f, labels, n, &h, &e), 0);
    *key = h.key;
    buf_clear(out);
    if (h.at == SCRAPE_NONE) {
        buf_adds(out, "-");
        return;
    }
    ck_assert_int_eq(scrape_labels_at(&w->scrape, h.at, &read, &e), 0);
    buf_addf(out, "%d %d %s %s %016" PRIx64 " %x", read.handle.kind, read.handle.unit, intern_cstr(w->l.names, read.cluster),
             intern_cstr(w->l.names, w->scrape.targets.v[read.target].text), read.order, read.sharing);
    for (int role = 0; role < ROLES; role++)
        if (read.roles >> role & 1)
            buf_addf(out, " %d=%.*s", role, (int)read.values[role].n, read.values[role].p);
    for (size_t i = 0; i < read.labelset.n; i++)
        buf_addc(out, read.labelset.p[i] ? read.labelset.p[i] : ';');
}

/* By hand: the first row of a role counts (UUID before uuid), 40 hex digits in groups are a UUID in any case, "nvidia3" is number 3; a label
 * without a value is none. */
START_TEST(labels_are_read_by_role)
{
    struct openmetrics_label labels[] = {
        { span_of("UUID"), span_of("GPU-1") }, { span_of("device"), span_of("ignored") }, { span_of("gpu"), span_of("nvidia3") },
        { span_of("instance"), span_of("a") }, { span_of("job"), span_of("j") }, { span_of("pod"), span_of("") },
        { span_of("uuid"), span_of("GPU-2") },
    };
    struct fingerprint key;
    struct buf out = { 0 }, wanted = { 0 };
    struct world w;
    uint64_t order;

    begin(&w);
    for (int again = 0; again < 3; again++) {
        tell(&w, "DCGM_FI_DEV_FB_USED", labels, 7, &key, &out);
        ck_assert_int_eq(sscanf(out.p + strlen("0 6 home job=\"j\",instance=\"a\" "), "%" SCNx64, &order), 1);
        buf_clear(&wanted);
        buf_addf(&wanted, "%d %d home job=\"j\",instance=\"a\" %016" PRIx64 " 0 %d=GPU-1 %d=3 %d=a", SAMPLE_USED, UNIT_MIB, order, ROLE_UUID,
                 ROLE_INDEX, ROLE_INSTANCE);
        ck_assert_str_eq(buf_str(&out), buf_str(&wanted));
    }
    buf_free(&out);
    buf_free(&wanted);
    end(&w);
}
END_TEST

START_TEST(a_plan_is_for_labels_with_values_under_names_that_came_before)
{
    struct openmetrics_label labels[] = { { span_of("UUID"), span_of("GPU-1") }, { span_of("gpu"), span_of("3") }, { span_of("job"), span_of("j") } };
    struct openmetrics_label swapped[] = { labels[1], labels[0], labels[2] };
    static const struct scrape_origin elsewhere = { "site", "home" };
    const struct family *f, *other;
    struct scrape_handle h;
    struct world w;
    struct err e = { 0 };

    begin(&w);
    f = scrape_family(&w.scrape, span_of("DCGM_FI_DEV_FB_USED"));
    other = scrape_family(&w.scrape, span_of("DCGM_FI_DEV_FB_FREE"));
    ck_assert_ptr_null(scrape_plan(&w.scrape, &origin, f, labels, 3));
    ck_assert_int_eq(scrape_series(&w.scrape, &origin, f, swapped, 3, &h, &e), 0);
    ck_assert_ptr_nonnull(scrape_plan(&w.scrape, &origin, f, labels, 3));
    ck_assert_ptr_null(scrape_plan(&w.scrape, &origin, f, swapped, 3));
    ck_assert_ptr_null(scrape_plan(&w.scrape, &origin, f, labels, 2));
    ck_assert_ptr_null(scrape_plan(&w.scrape, &elsewhere, f, labels, 3));
    ck_assert_ptr_null(scrape_plan(&w.scrape, &origin, other, labels, 3));
    labels[1].value = span_of("");
    ck_assert_ptr_null(scrape_plan(&w.scrape, &origin, f, labels, 3));
    labels[1] = (struct openmetrics_label){ span_of("gqu"), span_of("3") };
    ck_assert_ptr_null(scrape_plan(&w.scrape, &origin, f, labels, 3));
    end(&w);
}
END_TEST

/* In an answer "__name__" is the metric; a file may have a label of that name. An answer with two must not pass for such a file's series. */
START_TEST(a_file_with_the_label_of_the_name_leaves_no_plan)
{
    struct openmetrics_label labels[] = { { span_of("UUID"), span_of("GPU-1") }, { span_of("__name__"), span_of("x") } };
    const struct family *f;
    struct scrape_handle h;
    struct world w;
    struct err e = { 0 };

    begin(&w);
    f = scrape_family(&w.scrape, span_of("DCGM_FI_DEV_FB_USED"));
    ck_assert_int_eq(scrape_series(&w.scrape, &origin, f, labels, 2, &h, &e), 0);
    ck_assert_ptr_null(scrape_plan(&w.scrape, &origin, f, labels, 2));
    end(&w);
}
END_TEST

static uint64_t next(uint64_t *state)
{
    *state = *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return *state >> 33;
}

/* Some of the names, each with one of a few values, now and then none or in another order. */
static size_t invent(uint64_t *state, struct openmetrics_label *labels)
{
    static const char *const names[] = { "UUID", "accelerator_id", "cluster", "container", "cpu", "device_index", "exported_pod", "gpu", "gpu_memory",
                                         "instance", "job", "label_app", "label_cost_center", "label_nvidia_com_gpu_sharing_strategy", "model",
                                         "namespace", "node", "pod", "resource", "uuid" };
    static const char *const values[] = { "a", "b", "gpu2", "nvidia_com_gpu", "cpu", "GPU-0a1B2c3D-1111-2222-3333-444455556666", "time-slicing",
                                          "a value that is longer than thirty-two bytes are", "\"quoted\"" };
    uint64_t chosen = next(state);
    size_t n = 0;

    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        if (chosen >> i & 1)
            continue;
        labels[n].name = span_of(names[i]);
        labels[n++].value = span_of(next(state) % 40 == 0 ? "" : values[next(state) % 9]);
    }
    for (size_t i = 1; i < n && next(state) % 8 == 0; i++) {
        struct openmetrics_label l = labels[i];

        labels[i] = labels[i - 1];
        labels[i - 1] = l;
    }
    return n;
}

/* Ten sets of names come again and again with other values: each series is what it is in a scrape that has seen no other. */
START_TEST(what_came_before_makes_no_difference)
{
    static const char *const families[] = { "DCGM_FI_DEV_FB_USED", "kube_pod_labels", "kube_node_labels", "memory_used", "hw_memory_usage_bytes",
                                            "kube_pod_container_resource_requests", "container_cpu_usage_seconds_total", "container_gpu_memory_total" };
    uint64_t state = (uint64_t)_i + 1, sets = state * 1000;
    struct buf seen = { 0 }, alone = { 0 };
    struct world w;

    begin(&w);
    for (int i = 0; i < 60; i++) {
        const char *family = families[next(&state) % 8];
        struct openmetrics_label labels[20];
        struct fingerprint key, fresh_key;
        uint64_t set = sets + next(&state) % 10;
        struct world fresh;
        size_t n = invent(&set, labels);

        for (size_t k = 0; k < n; k++)
            if (next(&state) % 3 == 0 && labels[k].value.n > 0)
                labels[k].value = span_of(next(&state) % 2 ? "other" : "nvidia_com_gpu");
        begin(&fresh);
        fresh.scrape.secret = w.scrape.secret;
        tell(&w, family, labels, n, &key, &seen);
        tell(&fresh, family, labels, n, &fresh_key, &alone);
        ck_assert_str_eq(buf_str(&seen), buf_str(&alone));
        ck_assert(key.low == fresh_key.low && key.high == fresh_key.high);
        end(&fresh);
    }
    buf_free(&seen);
    buf_free(&alone);
    end(&w);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("scrape_series");
    TCase *t = tcase_create("all");

    tcase_add_test(t, labels_are_read_by_role);
    tcase_add_test(t, a_plan_is_for_labels_with_values_under_names_that_came_before);
    tcase_add_test(t, a_file_with_the_label_of_the_name_leaves_no_plan);
    tcase_add_loop_test(t, what_came_before_makes_no_difference, 0, 30);
    suite_add_tcase(s, t);
    return unit_run(s);
}
