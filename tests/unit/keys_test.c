/* keys: what --by and --where take, and what an entry answers. */
#include "core_fixture.h"
#include "gputab/core/keys.h"

static struct world w;
static struct key_list by;
static struct key_context context;

static void setup(void)
{
    world_init(&w);
    by = (struct key_list){.n = 0};
    context = (struct key_context){&w.inv, &w.owners, &by};
}

static void teardown(void)
{
    world_free(&w);
}

static int list(const char *text)
{
    err_clear(&w.err);
    return key_list_parse(span_of(text), &by, &w.err);
}

START_TEST(a_list_of_keys_keeps_its_order)
{
    ck_assert_int_eq(list("team, gpu_model,day"), 0);
    ck_assert_uint_eq(by.n, 3);
    ck_assert_int_eq(by.v[0], KEY_TEAM);
    ck_assert_int_eq(by.v[1], KEY_GPU_MODEL);
    ck_assert_int_eq(by.v[2], KEY_DAY);
    ck_assert(key_list_has(&by, KEY_DAY));
    ck_assert(!key_list_has(&by, KEY_POD));
}
END_TEST

START_TEST(a_bucket_is_named_with_or_without_its_parentheses)
{
    enum bucket b = BUCKET_NONE;

    ck_assert_int_eq(key_bucket_parse("unmapped", &b, &w.err), 0);
    ck_assert_int_eq(b, BUCKET_UNMAPPED);
    ck_assert_int_eq(key_bucket_parse("(no-metrics)", &b, &w.err), 0);
    ck_assert_int_eq(b, BUCKET_NO_METRICS);
    ck_assert_int_eq(key_bucket_parse("unmaped", &b, &w.err), -1);
    ck_assert_int_eq(w.err.code, ERR_USAGE);
    ck_assert_ptr_nonnull(strstr(w.err.hint, "\"unmapped\""));
    err_clear(&w.err);
    ck_assert_int_eq(key_bucket_parse("", &b, &w.err), -1);
}
END_TEST

START_TEST(every_key_can_stand_in_one_list)
{
    struct buf b = {0};

    for (int k = 0; k < KEYS; k++)
        buf_addf(&b, "%s%s", k ? "," : "", key_names[k]);
    ck_assert_int_eq(list(buf_str(&b)), 0);
    ck_assert_uint_eq(by.n, KEYS);
    buf_addf(&b, ",team");                             /* one more than there is room for is one that stands twice */
    ck_assert_int_eq(list(buf_str(&b)), -1);
    buf_free(&b);
}
END_TEST

START_TEST(mistakes_in_a_list_are_usage_errors_with_a_way_out)
{
    ck_assert_int_eq(list("teem"), -1);
    ck_assert_int_eq(w.err.code, ERR_USAGE);
    ck_assert_ptr_nonnull(strstr(w.err.text, "teem"));
    ck_assert_ptr_nonnull(strstr(w.err.hint, "\"team\""));
    ck_assert_int_eq(list("team,team"), -1);
    ck_assert_ptr_nonnull(strstr(w.err.text, "twice"));
    ck_assert_int_eq(list("container"), -1);
    ck_assert_int_eq(w.err.code, ERR_USAGE);
    ck_assert_int_eq(list(""), -1);
    ck_assert_int_eq(list("team,"), -1);
}
END_TEST

START_TEST(a_filter_is_a_key_and_a_glob)
{
    struct key_filter f;

    ck_assert_int_eq(key_filter_parse("namespace=ml-*=x", &f, &w.err), 0);
    ck_assert_int_eq(f.key, KEY_NAMESPACE);
    ck_assert_str_eq(f.glob, "ml-*=x");
    ck_assert_int_eq(key_filter_parse("namespace", &f, &w.err), -1);
    ck_assert_int_eq(w.err.code, ERR_USAGE);
    err_clear(&w.err);
    ck_assert_int_eq(key_filter_parse("nmaespace=x", &f, &w.err), -1);
    ck_assert_ptr_nonnull(strstr(w.err.hint, "\"namespace\""));
}
END_TEST

static const char *value(enum key key, const struct entry *e)
{
    static struct buf text;

    buf_clear(&text);
    key_add_value(&context, key, e, &text);
    return buf_str(&text);
}

static struct entry of_pod(uint32_t pod)
{
    struct entry e = {.pod_version = owners_version(&w.owners, pod, AT(0)), .node = world_text(&w, "n1"), .gpu = world_text(&w, "GPU-1"),
                      .gpu_model = world_text(&w, "H100"), .region = world_text(&w, "eu-west-1"), .purchase = PURCHASE_SPOT,
                      .sharing = SHARING_MIG, .day = AT(0), .grade = GRADE_B};

    return e;
}

static struct entry of_bucket(enum bucket bucket, enum reason reason)
{
    return (struct entry){.bucket = bucket, .pod_version = NONE, .reason = reason, .sharing = SHARINGS, .purchase = PURCHASES,
                          .day = AT(0)};
}

START_TEST(a_pods_entry_answers_every_key)
{
    uint32_t pod = world_pod(&w, "nlp", "p", "");
    struct entry e;

    owners_update(&w.owners, &w.rule, &w.inv, w.names);
    e = of_pod(pod);
    ck_assert_str_eq(value(KEY_TEAM, &e), "nlp");
    ck_assert_str_eq(value(KEY_COST_CENTRE, &e), "(unmapped)");        /* a team in no cost centre */
    ck_assert_str_eq(value(KEY_NAMESPACE, &e), "nlp");
    ck_assert_str_eq(value(KEY_POD, &e), "nlp/p");
    ck_assert_str_eq(value(KEY_WORKLOAD, &e), "nlp/Pod/p");
    ck_assert_str_eq(value(KEY_NODE, &e), "n1");
    ck_assert_str_eq(value(KEY_GPU, &e), "GPU-1");
    ck_assert_str_eq(value(KEY_GPU_MODEL, &e), "H100");
    ck_assert_str_eq(value(KEY_REGION, &e), "eu-west-1");
    ck_assert_str_eq(value(KEY_PURCHASE, &e), "spot");
    ck_assert_str_eq(value(KEY_SHARING, &e), "mig");
    ck_assert_str_eq(value(KEY_DAY, &e), "2024-10-04");                /* day 20000 since 1970 */
    ck_assert_str_eq(value(KEY_GRADE, &e), "B");
    ck_assert_str_eq(value(KEY_REASON, &e), "");
}
END_TEST

START_TEST(with_the_namespace_as_a_key_names_stand_alone)
{
    uint32_t pod = world_pod(&w, "nlp", "p", "");
    struct entry e;

    owners_update(&w.owners, &w.rule, &w.inv, w.names);
    ck_assert_int_eq(list("namespace,pod,workload"), 0);
    e = of_pod(pod);
    ck_assert_str_eq(value(KEY_POD, &e), "p");
    ck_assert_str_eq(value(KEY_WORKLOAD, &e), "Pod/p");
}
END_TEST

START_TEST(nodes_of_several_clusters_carry_the_clusters_name)
{
    struct entry e = of_bucket(BUCKET_IDLE, REASON_EMPTY_CARD);

    e.node = world_text(&w, "n1");
    e.cluster = world_text(&w, "prod");
    ck_assert_str_eq(value(KEY_NODE, &e), "n1");
    w.inv.clusters = 2;
    ck_assert_str_eq(value(KEY_NODE, &e), "prod/n1");
    e.cluster = 0;                                     /* a node that no metrics mention */
    ck_assert_str_eq(value(KEY_NODE, &e), "n1");
}
END_TEST

START_TEST(a_bucket_is_its_own_team_and_has_no_pod)
{
    struct entry e = of_bucket(BUCKET_NO_METRICS, REASON_GAP);

    ck_assert_str_eq(value(KEY_TEAM, &e), "(no-metrics)");
    ck_assert_str_eq(value(KEY_COST_CENTRE, &e), "(no-metrics)");
    ck_assert_str_eq(value(KEY_REASON, &e), "gap");
    ck_assert_str_eq(value(KEY_POD, &e), "");
    ck_assert_str_eq(value(KEY_NAMESPACE, &e), "");
    ck_assert_str_eq(value(KEY_WORKLOAD, &e), "");
    ck_assert_str_eq(value(KEY_SHARING, &e), "");
    ck_assert_str_eq(value(KEY_PURCHASE, &e), "");
    ck_assert_int_eq(key_bucket(&context, &e), BUCKET_NO_METRICS);
}
END_TEST

START_TEST(an_unmapped_pod_is_a_bucket_only_where_teams_are_asked_for)
{
    uint32_t pod = world_pod(&w, "nlp", "p", "");
    struct entry e;

    w.rule.has_owners = true;                          /* and no line */
    owners_update(&w.owners, &w.rule, &w.inv, w.names);
    e = of_pod(pod);
    ck_assert_int_eq(list("team"), 0);
    ck_assert_int_eq(key_bucket(&context, &e), BUCKET_UNMAPPED);
    ck_assert_str_eq(value(KEY_TEAM, &e), "(unmapped)");
    ck_assert_int_eq(list("cost_centre"), 0);
    ck_assert_int_eq(key_bucket(&context, &e), BUCKET_UNMAPPED);
    ck_assert_int_eq(list("namespace"), 0);
    ck_assert_int_eq(key_bucket(&context, &e), BUCKET_NONE);
}
END_TEST

START_TEST(a_team_in_no_cost_centre_is_unmapped_there_and_keeps_its_name)
{
    uint32_t pod = world_pod(&w, "nlp", "p", "");
    struct entry e;

    owners_update(&w.owners, &w.rule, &w.inv, w.names);
    e = of_pod(pod);
    ck_assert_int_eq(list("cost_centre,team"), 0);
    ck_assert_int_eq(key_bucket(&context, &e), BUCKET_UNMAPPED);
    ck_assert_str_eq(value(KEY_COST_CENTRE, &e), "(unmapped)");
    ck_assert_str_eq(value(KEY_TEAM, &e), "nlp");
    ck_assert_int_eq(list("team"), 0);
    ck_assert_int_eq(key_bucket(&context, &e), BUCKET_NONE);
}
END_TEST

/* Entries that differ in one field each, by turns: whenever a key tells two of them apart, what it reads of them differs. */
START_TEST(what_keys_read_tells_apart_what_keys_tell_apart)
{
    uint32_t pod = world_pod(&w, "nlp", "p", ""), other = world_pod(&w, "vision", "q", "");
    struct entry e[14];
    size_t n = 0;

    owners_update(&w.owners, &w.rule, &w.inv, w.names);
    w.inv.clusters = 2;
    for (; n < 14; n++)
        e[n] = of_pod(pod);
    e[1].pod_version = owners_version(&w.owners, other, AT(0));
    e[2].cluster = world_text(&w, "c2");
    e[3].node = world_text(&w, "n2");
    e[4].gpu = world_text(&w, "GPU-2");
    e[5].gpu_model = world_text(&w, "A100");
    e[6].region = world_text(&w, "eu-west-2");
    e[7].purchase = PURCHASE_RESERVED;
    e[8].sharing = SHARING_EXCLUSIVE;
    e[9].day = AT(DAY_S);
    e[10].grade = GRADE_C;
    e[11].reason = REASON_CPU;
    e[12] = of_bucket(BUCKET_IDLE, REASON_NONE);
    e[13] = of_bucket(BUCKET_NO_METRICS, REASON_NONE);
    for (int k = 0; k < KEYS; k++) {
        bool asked[KEYS] = {false};
        struct key_list read;

        asked[k] = true;
        read = key_list_read(asked);
        by = (struct key_list){{(enum key)k}, 1};
        for (size_t i = 0; i < n * n; i++) {
            struct key_reads x = key_reads(&read, &e[i / n]), y = key_reads(&read, &e[i % n]);
            char *first = xstrdup(value((enum key)k, &e[i / n]));
            bool differ = strcmp(first, value((enum key)k, &e[i % n])) != 0
                          || key_bucket(&context, &e[i / n]) != key_bucket(&context, &e[i % n]);

            ck_assert_msg(!differ || memcmp(&x, &y, sizeof x) != 0, "%s: entries %zu and %zu", key_names[k], i / n, i % n);
            ck_assert(key_reads_are(&x, &read, &e[i % n]) == (memcmp(&x, &y, sizeof x) == 0));
            ck_assert((memcmp(&x, &y, key_reads_size(&read)) == 0) == (memcmp(&x, &y, sizeof x) == 0));
            free(first);
        }
    }
}
END_TEST

START_TEST(what_is_read_for_several_keys_stands_in_their_order)
{
    const struct key_list read = key_list_read((const bool[KEYS]){[KEY_POD] = true, [KEY_GRADE] = true, [KEY_DAY] = true});
    struct entry e = of_bucket(BUCKET_IDLE, REASON_CPU);
    struct key_reads x;

    e.day = 20000 * TIME_DAY;
    e.grade = GRADE_C;
    x = key_reads(&read, &e);
    ck_assert_uint_eq(key_reads_size(&read), 5 * sizeof(uint32_t));
    ck_assert_uint_eq(x.of[0], 20000);
    ck_assert_uint_eq(x.of[1], GRADE_C);
    for (size_t i = 2; i < KEYS; i++)
        ck_assert_uint_eq(x.of[i], 0);
    ck_assert(key_reads_are(&x, &read, &e));
    e.grade = GRADE_B;
    ck_assert(!key_reads_are(&x, &read, &e));
}
END_TEST

START_TEST(what_no_key_asks_for_is_not_read)
{
    const struct key_list read = key_list_read((const bool[KEYS]){[KEY_TEAM] = true});
    struct entry a = of_bucket(BUCKET_IDLE, REASON_CPU), b = of_bucket(BUCKET_IDLE, REASON_MEMORY);
    struct key_reads x, y;

    b.day = AT(DAY_S);
    b.node = world_text(&w, "n1");
    b.grade = GRADE_D;
    x = key_reads(&read, &a);
    y = key_reads(&read, &b);
    ck_assert_int_eq(memcmp(&x, &y, sizeof x), 0);
    ck_assert(key_reads_are(&x, &read, &b));
}
END_TEST

int main(void)
{
    Suite *s = suite_create("keys");
    TCase *c = tcase_create("keys");

    tcase_add_checked_fixture(c, setup, teardown);
    tcase_add_test(c, a_list_of_keys_keeps_its_order);
    tcase_add_test(c, a_bucket_is_named_with_or_without_its_parentheses);
    tcase_add_test(c, every_key_can_stand_in_one_list);
    tcase_add_test(c, mistakes_in_a_list_are_usage_errors_with_a_way_out);
    tcase_add_test(c, a_filter_is_a_key_and_a_glob);
    tcase_add_test(c, a_pods_entry_answers_every_key);
    tcase_add_test(c, with_the_namespace_as_a_key_names_stand_alone);
    tcase_add_test(c, nodes_of_several_clusters_carry_the_clusters_name);
    tcase_add_test(c, a_bucket_is_its_own_team_and_has_no_pod);
    tcase_add_test(c, an_unmapped_pod_is_a_bucket_only_where_teams_are_asked_for);
    tcase_add_test(c, a_team_in_no_cost_centre_is_unmapped_there_and_keeps_its_name);
    tcase_add_test(c, what_keys_read_tells_apart_what_keys_tell_apart);
    tcase_add_test(c, what_is_read_for_several_keys_stands_in_their_order);
    tcase_add_test(c, what_no_key_asks_for_is_not_read);
    suite_add_tcase(s, c);
    return unit_run(s);
}
