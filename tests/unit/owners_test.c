/* owners: whose a pod is, and when that changes. */
#include <stdarg.h>

#include "core_fixture.h"

static struct world w;

static void setup(void)
{
    world_init(&w);
}

static void teardown(void)
{
    world_free(&w);
}

/* "label_team", "nlp", "label_x", "1", NULL: the id of that label set. Names in byte order. */
static uint32_t label_set(const char *name, ...)
{
    struct buf b = {0};
    va_list ap;
    uint32_t id;

    va_start(ap, name);
    for (const char *s = name; s; s = va_arg(ap, const char *))
        buf_add(&b, s, strlen(s) + 1);
    va_end(ap);
    id = intern_put(w.inv.labelsets, b.p, b.n);
    buf_free(&b);
    return id;
}

static struct rule_matcher matchers[8][4];
static const char *lists[40][4];
static size_t n_lists;

/* A list of up to three; c may be NULL. */
static const char *const *list_of(const char *a, const char *b, const char *c)
{
    const char **list = lists[n_lists++ % 40];

    list[0] = a;
    list[1] = b;
    list[2] = b ? c : NULL;
    list[3] = NULL;
    return list;
}

static const char *const *only(const char *text)
{
    return text ? list_of(text, NULL, NULL) : NULL;
}

/* A line with one matcher, in force always. */
static struct rule_owner *match_line(struct rule_matcher m, const char *team)
{
    size_t n = w.rule.owners.n;

    matchers[n][0] = m;
    w.rule.has_owners = true;
    vec_push(&w.rule.owners, (struct rule_owner){.matchers = matchers[n], .n_matchers = 1, .team = team, .from = TIME_MIN,
                                                 .until = TIME_MAX, .line = (int64_t)(10 + n)});
    return &w.rule.owners.v[n];
}

static void also(struct rule_owner *line, struct rule_matcher m)
{
    matchers[line - w.rule.owners.v][line->n_matchers++] = m;
}

static struct rule_owner *line(const char *glob, const char *team)
{
    return match_line((struct rule_matcher){RULE_MATCH_NAMESPACE, NULL, only(glob)}, team);
}

static struct rule_owner *value_line(enum rule_match match, const char *label, const char *glob, const char *team)
{
    return match_line((struct rule_matcher){match, only(label), only(glob)}, team);
}

static struct rule_owner *label_line(enum rule_match match, const char *label, const char *team)
{
    return value_line(match, label, NULL, team);
}

static void build(void)
{
    owners_update(&w.owners, &w.rule, &w.inv, w.names);
}

static const struct pod_version *at(uint32_t pod, int seconds)
{
    return &w.owners.versions.v[owners_version(&w.owners, pod, AT(seconds))];
}

static void team_is(uint32_t pod, int seconds, const char *team)
{
    ck_assert_str_eq(intern_cstr(w.names, at(pod, seconds)->team), team);
    ck_assert_int_eq(at(pod, seconds)->bucket, BUCKET_NONE);
}

START_TEST(without_owner_lines_the_team_is_the_namespace)
{
    uint32_t pod = world_pod(&w, "vision", "p", "");

    build();
    team_is(pod, 0, "vision");
    ck_assert_int_eq(at(pod, 0)->owner_line, 0);
}
END_TEST

START_TEST(the_first_line_that_matches_counts)
{
    uint32_t a = world_pod(&w, "nlp-dev", "p", ""), b = world_pod(&w, "vision", "p", ""), c = world_pod(&w, "web", "p", "");

    line("nlp-*", "nlp");
    line("*v*", "second");
    build();
    team_is(a, 0, "nlp");
    team_is(b, 0, "second");
    ck_assert_int_eq(at(a, 0)->owner_line, 10);
    ck_assert_int_eq(at(b, 0)->owner_line, 11);
    ck_assert_int_eq(at(c, 0)->bucket, BUCKET_UNMAPPED);
    ck_assert_uint_eq(at(c, 0)->team, 0);
}
END_TEST

START_TEST(a_line_may_name_a_bucket)
{
    uint32_t pod = world_pod(&w, "kube-system", "p", "");

    line("kube-system", NULL)->bucket = "(system)";
    build();
    ck_assert_int_eq(at(pod, 0)->bucket, BUCKET_SYSTEM);
    ck_assert_uint_eq(at(pod, 0)->team, 0);
    ck_assert_uint_eq(at(pod, 0)->cost_centre, 0);
}
END_TEST

START_TEST(a_line_counts_from_its_first_instant_until_before_its_last)
{
    uint32_t pod = world_pod(&w, "vision", "p", "");
    struct rule_owner *l = line("vision", "early");

    l->until = AT(1830);                               /* in the middle of an hour */
    line("vision", "late")->from = AT(1900);
    build();
    team_is(pod, 1829, "early");
    ck_assert_int_eq(at(pod, 1830)->bucket, BUCKET_UNMAPPED);
    ck_assert_int_eq(at(pod, 1899)->bucket, BUCKET_UNMAPPED);
    team_is(pod, 1900, "late");
    ck_assert_uint_eq(w.owners.of_pod[pod].n, 3);
    ck_assert_int_eq(w.owners.of_pod[pod].v[1].from, AT(1830));
}
END_TEST

START_TEST(labels_are_found_by_the_name_that_the_cluster_gave_them)
{
    uint32_t pod = world_pod(&w, "a", "p", "");

    steps_push(&w.inv.pods.v[pod].labels, TIME_MIN, label_set("label_example_com_team_name", "nlp", NULL));
    label_line(RULE_MATCH_POD_LABEL, "example.com/team-name", "{value}");
    build();
    team_is(pod, 0, "nlp");
}
END_TEST

START_TEST(the_labels_value_stands_anywhere_in_the_team)
{
    uint32_t pod = world_pod(&w, "a", "p", "");

    steps_push(&w.inv.pods.v[pod].labels, TIME_MIN, label_set("label_team", "nlp", NULL));
    label_line(RULE_MATCH_POD_LABEL, "team", "ml-{value}-x");
    build();
    team_is(pod, 0, "ml-nlp-x");
}
END_TEST

START_TEST(a_label_line_matches_only_values_that_its_glob_does)
{
    uint32_t a = world_pod(&w, "a", "p", ""), b = world_pod(&w, "b", "p", ""), c = world_pod(&w, "c", "p", "");

    steps_push(&w.inv.pods.v[a].labels, TIME_MIN, label_set("label_team", "nlp-1", NULL));
    steps_push(&w.inv.pods.v[b].labels, TIME_MIN, label_set("label_team", "vision", NULL));
    value_line(RULE_MATCH_POD_LABEL, "team", "nlp-?", "{value}");
    line("*", "rest");
    build();
    team_is(a, 0, "nlp-1");
    team_is(b, 0, "rest");
    team_is(c, 0, "rest");                             /* no such label at all */
}
END_TEST

START_TEST(a_label_that_changes_makes_a_new_version_at_that_instant)
{
    uint32_t pod = world_pod(&w, "a", "p", "");
    struct steps *labels = &w.inv.pods.v[pod].labels;

    steps_push(labels, AT(0), label_set("label_team", "nlp", NULL));
    steps_push(labels, AT(600), label_set("label_other", "1", "label_team", "nlp", NULL));
    steps_push(labels, AT(1234), label_set("label_team", "vision", NULL));
    label_line(RULE_MATCH_POD_LABEL, "team", "{value}");
    build();
    ck_assert_int_eq(at(pod, -1)->bucket, BUCKET_UNMAPPED);
    team_is(pod, 0, "nlp");
    team_is(pod, 1233, "nlp");
    team_is(pod, 1234, "vision");
    ck_assert_uint_eq(w.owners.of_pod[pod].n, 3);      /* the label that no line asks for changes nothing */
}
END_TEST

START_TEST(namespace_labels_speak_for_the_pods_in_it)
{
    uint32_t a = world_pod(&w, "a", "p", ""), b = world_pod(&w, "b", "p", "");
    struct namespace ns = {.name = world_text(&w, "a")};

    steps_push(&ns.labels, TIME_MIN, label_set("label_team", "nlp", NULL));
    steps_push(&ns.labels, AT(100), label_set("label_team", "web", NULL));
    vec_push(&w.inv.namespaces, ns);
    label_line(RULE_MATCH_NAMESPACE_LABEL, "team", "{value}");
    build();
    team_is(a, 99, "nlp");
    team_is(a, 100, "web");
    ck_assert_int_eq(at(b, 0)->bucket, BUCKET_UNMAPPED);
}
END_TEST

/* Complaint 43: annotations were ignored. */
START_TEST(annotations_are_matched_apart_from_labels_and_change_hands_when_they_change)
{
    uint32_t a = world_pod(&w, "a", "p", ""), b = world_pod(&w, "b", "p", "");
    struct namespace ns = {.name = world_text(&w, "b")};

    steps_push(&w.inv.pods.v[a].annotations, TIME_MIN, label_set("annotation_example_com_owner", "nlp", NULL));
    steps_push(&w.inv.pods.v[a].annotations, AT(500), label_set("annotation_example_com_owner", "web", NULL));
    steps_push(&w.inv.pods.v[b].labels, TIME_MIN, label_set("label_example_com_owner", "not-asked-for", NULL));
    steps_push(&ns.annotations, AT(0), label_set("annotation_owner", "vision", NULL));
    vec_push(&w.inv.namespaces, ns);
    label_line(RULE_MATCH_POD_ANNOTATION, "example.com/owner", "{value}");
    label_line(RULE_MATCH_NAMESPACE_ANNOTATION, "owner", "{value}");
    build();
    team_is(a, 499, "nlp");
    team_is(a, 500, "web");
    ck_assert_int_eq(at(b, -1)->bucket, BUCKET_UNMAPPED);
    team_is(b, 0, "vision");
}
END_TEST

START_TEST(a_workload_is_matched_by_kind_and_name)
{
    uint32_t a = world_pod(&w, "a", "p", ""), b = world_pod(&w, "a", "web-0", "");

    steps_push(&w.inv.pods.v[a].workload, AT(100), world_text(&w, "Deployment/web-1"));
    steps_push(&w.inv.pods.v[a].workload, AT(200), world_text(&w, "Job/web-1"));
    match_line((struct rule_matcher){RULE_MATCH_WORKLOAD, NULL, only("Deployment/web-*")}, "deployed");
    match_line((struct rule_matcher){RULE_MATCH_WORKLOAD, NULL, list_of("CronJob/x", "*/web-?", NULL)}, "any kind");
    build();
    ck_assert_int_eq(at(a, 99)->bucket, BUCKET_UNMAPPED);            /* Pod/p */
    team_is(a, 100, "deployed");
    team_is(a, 200, "any kind");
    team_is(b, 0, "any kind");                                       /* Pod/web-0: its own workload */
}
END_TEST

static uint32_t pod_on(const char *name, uint32_t node)
{
    uint32_t pod = world_pod(&w, "a", name, "");

    steps_push(&w.inv.pods.v[pod].node, TIME_MIN, node);
    return pod;
}

START_TEST(nodes_are_matched_by_name_and_by_label)
{
    uint32_t first = world_node(&w, "ml-1", NULL, NULL), second = world_node(&w, "web-1", NULL, NULL);
    uint32_t a = pod_on("a", first), b = pod_on("b", second), c = world_pod(&w, "a", "c", "");

    steps_push(&w.inv.nodes.v[second].labels, AT(0), label_set("label_pool", "vision", NULL));
    steps_push(&w.inv.nodes.v[second].labels, AT(700), label_set("label_pool", "spare", NULL));
    match_line((struct rule_matcher){RULE_MATCH_NODE, NULL, only("ml-*")}, "nlp");
    label_line(RULE_MATCH_NODE_LABEL, "pool", "{value}");
    build();
    team_is(a, 0, "nlp");
    ck_assert_int_eq(at(b, -1)->bucket, BUCKET_UNMAPPED);
    team_is(b, 699, "vision");
    team_is(b, 700, "spare");                          /* the node's label changes, and with it whose its pods are */
    ck_assert_int_eq(at(c, 0)->bucket, BUCKET_UNMAPPED);             /* nobody knows where it is */
}
END_TEST

START_TEST(a_node_pool_is_known_by_the_label_of_whichever_cloud)
{
    static const char *const labels[][2] = {
        {"label_eks_amazonaws_com_nodegroup", "a100"}, {"label_cloud_google_com_gke_nodepool", "a100"},
        {"label_kubernetes_azure_com_agentpool", "a100"}, {"label_karpenter_sh_nodepool", "a100"}, {"label_pool", "a100"},
    };
    uint32_t pods[5];

    for (int i = 0; i < 5; i++) {
        uint32_t node = world_node(&w, "n", NULL, NULL);

        steps_push(&w.inv.nodes.v[node].labels, TIME_MIN, label_set(labels[i][0], labels[i][1], NULL));
        pods[i] = pod_on("p", node);
    }
    match_line((struct rule_matcher){RULE_MATCH_NODE_POOL, rule_pool_labels, only("a*")}, "pool {value}");
    build();
    for (int i = 0; i < 4; i++)
        team_is(pods[i], 0, "pool a100");
    ck_assert_int_eq(at(pods[4], 0)->bucket, BUCKET_UNMAPPED);       /* a label that no cloud gives */
}
END_TEST

START_TEST(a_pod_that_moves_changes_hands_with_its_node)
{
    uint32_t first = world_node(&w, "ml-1", NULL, NULL), second = world_node(&w, "web-1", NULL, NULL), pod = pod_on("a", first);

    steps_push(&w.inv.pods.v[pod].node, AT(900), second);
    match_line((struct rule_matcher){RULE_MATCH_NODE, NULL, only("ml-*")}, "nlp");
    match_line((struct rule_matcher){RULE_MATCH_NODE, NULL, only("web-*")}, "web");
    build();
    team_is(pod, 899, "nlp");
    team_is(pod, 900, "web");
}
END_TEST

START_TEST(where_kubernetes_says_nothing_the_card_tells_the_node)
{
    uint32_t first = world_node(&w, "ml-1", NULL, NULL), second = world_node(&w, "web-1", NULL, NULL);
    uint32_t a = world_pod(&w, "a", "a", ""), b = pod_on("b", second);

    world_gpu(&w, "GPU-0", "H100", second);
    world_gpu(&w, "GPU-1", "H100", first);
    w.inv.pods.v[a].on_gpu = w.inv.pods.v[b].on_gpu = 1 + 1;
    match_line((struct rule_matcher){RULE_MATCH_NODE, NULL, only("ml-*")}, "nlp");
    line("*", "rest");
    build();
    team_is(a, 0, "nlp");
    team_is(b, 0, "rest");
}
END_TEST

START_TEST(all_matchers_of_a_line_must_match)
{
    uint32_t a = world_pod(&w, "a", "p", ""), b = world_pod(&w, "b", "p", "");
    struct rule_owner *l;

    for (uint32_t i = 0; i < 2; i++)
        steps_push(&w.inv.pods.v[i].labels, TIME_MIN, label_set("label_env", "prod", "label_team", "nlp", NULL));
    l = line("a", "{value}");
    also(l, (struct rule_matcher){RULE_MATCH_POD_LABEL, only("team"), NULL});
    l = value_line(RULE_MATCH_POD_LABEL, "env", "dev", "dev");
    also(l, (struct rule_matcher){RULE_MATCH_NAMESPACE, NULL, only("b")});
    line("b", "rest");
    build();
    team_is(a, 0, "nlp");
    team_is(b, 0, "rest");                             /* of the namespace, but env is not dev */
}
END_TEST

/* Namespaces and teams in turns, by lines with and without a value, of which the first ones are for one namespace each; all labels and
 * workloads come at one instant. */
START_TEST(pods_in_turns_have_the_teams_of_their_own)
{
    static const struct { const char *ns, *label, *team; int line; } pods[] = {
        {"a", "x", "of-a", 10}, {"b", "x", "x-b", 11}, {"b", "y", "y-b", 11}, {"a", "y", "of-a", 10}, {"c", "x", "x", 12},
        {"b", "x", "x-b", 11},  {"c", "y", "y", 12},   {"c", "x", "x", 12},   {"b", "y", "y-b", 11},  {"", "x", "x", 12},
    };
    enum { N = sizeof pods / sizeof *pods };

    for (uint32_t i = 0; i < N; i++) {
        char name[] = {(char)('a' + i), '\0'};
        uint32_t pod = world_pod(&w, pods[i].ns, name, "");

        steps_push(&w.inv.pods.v[pod].labels, AT(60), label_set("label_team", pods[i].label, NULL));
        steps_push(&w.inv.pods.v[pod].workload, AT(60), world_text(&w, "Job/j"));
    }
    line("a", "of-a");
    also(line("b", "{value}-b"), (struct rule_matcher){RULE_MATCH_POD_LABEL, only("team"), NULL});
    label_line(RULE_MATCH_POD_LABEL, "team", "{value}");
    build();
    for (uint32_t i = 0; i < N; i++) {
        team_is(i, 60, pods[i].team);
        ck_assert_int_eq(at(i, 60)->owner_line, pods[i].line);
        ck_assert_uint_eq(w.owners.of_pod[i].n, 2);
        if (pods[i].line == 10)
            team_is(i, 59, "of-a");
        else
            ck_assert_int_eq(at(i, 59)->bucket, BUCKET_UNMAPPED);
    }
}
END_TEST

/* Complaint 42: several labels mean the same thing. */
START_TEST(the_first_of_several_labels_that_has_a_value_counts)
{
    uint32_t a = world_pod(&w, "a", "a", ""), b = world_pod(&w, "a", "b", ""), c = world_pod(&w, "a", "c", ""), d = world_pod(&w, "a", "d", "");

    steps_push(&w.inv.pods.v[a].labels, TIME_MIN, label_set("label_squad", "web", "label_team", "nlp", NULL));
    steps_push(&w.inv.pods.v[b].labels, TIME_MIN, label_set("label_squad", "web", NULL));
    steps_push(&w.inv.pods.v[c].labels, TIME_MIN, label_set("label_app_kubernetes_io_team", "vision", NULL));
    steps_push(&w.inv.pods.v[d].labels, TIME_MIN, label_set("label_squad", "web", "label_team", "ops", NULL));
    match_line((struct rule_matcher){RULE_MATCH_POD_LABEL, list_of("team", "app.kubernetes.io/team", "squad"), list_of("-", "*", NULL)},
               "{value}");
    build();
    team_is(a, 0, "nlp");
    team_is(b, 0, "web");
    team_is(c, 0, "vision");                           /* complaint 32: "." and "/" in the name */
    w.rule.owners.n = 0;
    match_line((struct rule_matcher){RULE_MATCH_POD_LABEL, list_of("team", "squad", NULL), list_of("nlp", "web", NULL)}, "{value}");
    build();
    team_is(a, 0, "nlp");
    team_is(d, 0, "web");                              /* the first with a value that is wanted */
}
END_TEST

/* Complaints 41 and 42: several spellings were several teams, and the totals of none were right. */
START_TEST(spellings_of_one_team_are_one_team_with_one_cost_centre)
{
    static const char *spellings[] = {"NLP", "nlp-team", "nlp_*", NULL}, *other[] = {"*-nlp", NULL}, *teams[] = {"nlp", NULL};
    static const char *const values[] = {"NLP", "nlp-team", "nlp_x", "nlp", "big-nlp", "Nlp", "nlp_own"};
    static const char *const meant[] = {"nlp", "nlp", "nlp", "nlp", "nlp_own", "Nlp", "nlp_own"};
    uint32_t pods[7];

    vec_push(&w.rule.aliases, (struct rule_alias){"nlp", spellings, 1});
    vec_push(&w.rule.aliases, (struct rule_alias){"nlp_own", other, 2});     /* a team is never a spelling of another */
    vec_push(&w.rule.cost_centres, (struct rule_cost_centre){"0042", "Research", teams});
    label_line(RULE_MATCH_POD_LABEL, "team", "{value}");
    for (int i = 0; i < 7; i++) {
        pods[i] = world_pod(&w, "a", values[i], "");
        steps_push(&w.inv.pods.v[pods[i]].labels, TIME_MIN, label_set("label_team", values[i], NULL));
    }
    build();
    for (int i = 0; i < 7; i++)
        team_is(pods[i], 0, meant[i]);
    ck_assert_str_eq(intern_cstr(w.names, at(pods[2], 0)->cost_centre), "0042");
    ck_assert_uint_eq(at(pods[4], 0)->cost_centre, 0);
}
END_TEST

START_TEST(aliases_hold_for_namespaces_that_are_teams)
{
    static const char *spellings[] = {"nlp-*", NULL};
    uint32_t pod = world_pod(&w, "nlp-dev", "p", "");

    vec_push(&w.rule.aliases, (struct rule_alias){"nlp", spellings, 1});
    build();
    team_is(pod, 0, "nlp");
}
END_TEST

START_TEST(a_bare_name_is_the_pod_that_it_means_at_the_time)
{
    uint32_t bare = world_pod(&w, "a", "db-0", ""), first = world_pod(&w, "a", "db-0", "u1"), second = world_pod(&w, "a", "db-0", "u2");

    steps_push(&w.inv.pods.v[bare].alias, AT(0), first);
    steps_push(&w.inv.pods.v[bare].alias, AT(500), second);
    steps_push(&w.inv.pods.v[first].labels, TIME_MIN, label_set("label_team", "nlp", NULL));
    steps_push(&w.inv.pods.v[second].labels, AT(700), label_set("label_team", "web", NULL));
    label_line(RULE_MATCH_POD_LABEL, "team", "{value}");
    build();
    ck_assert(world_is_pod(&w, at(bare, -1), bare));
    ck_assert(world_is_pod(&w, at(bare, 0), first));
    team_is(bare, 499, "nlp");
    ck_assert(world_is_pod(&w, at(bare, 500), second));
    ck_assert_int_eq(at(bare, 500)->bucket, BUCKET_UNMAPPED);
    team_is(bare, 700, "web");
    ck_assert_uint_eq(owners_version(&w.owners, bare, AT(700)), owners_version(&w.owners, second, AT(700)));
}
END_TEST

START_TEST(a_pod_without_an_owner_is_its_own_workload)
{
    uint32_t a = world_pod(&w, "a", "debug", ""), b = world_pod(&w, "a", "web-5f", "");

    steps_push(&w.inv.pods.v[b].workload, AT(60), world_text(&w, "Deployment/web"));
    build();
    ck_assert_uint_eq(at(a, 0)->workload, 0);
    ck_assert_uint_eq(at(b, 0)->workload, 0);
    ck_assert_str_eq(intern_cstr(w.names, at(b, 60)->workload), "Deployment/web");
}
END_TEST

START_TEST(a_cost_centre_lists_its_teams)
{
    static const char *teams[] = {"nlp", "vision", NULL};
    uint32_t a = world_pod(&w, "vision", "p", ""), b = world_pod(&w, "web", "p", "");

    vec_push(&w.rule.cost_centres, (struct rule_cost_centre){"0042", "Research", teams});
    build();
    ck_assert_str_eq(intern_cstr(w.names, at(a, 0)->cost_centre), "0042");
    ck_assert_uint_eq(at(b, 0)->cost_centre, 0);
    team_is(b, 0, "web");
}
END_TEST

/* ---- generations ---- */

static void forget_pods(void)
{
    for (size_t i = 0; i < w.inv.pods.n; i++) {
        free(w.inv.pods.v[i].alias.v);
        free(w.inv.pods.v[i].labels.v);
    }
    w.inv.pods.n = 0;
}

static uint32_t labelled_pod(const char *name, const char *uid, const char *team)
{
    uint32_t pod = world_pod(&w, "a", name, uid);

    steps_push(&w.inv.pods.v[pod].labels, TIME_MIN, label_set("label_team", team, NULL));
    return pod;
}

static uint32_t version(uint32_t pod)
{
    return owners_version(&w.owners, pod, AT(0));
}

START_TEST(a_version_is_the_same_in_every_generation_that_has_its_pod)
{
    uint32_t b, c, later;

    label_line(RULE_MATCH_POD_LABEL, "team", "{value}");
    b = labelled_pod("b", "u1", "nlp");
    c = labelled_pod("c", "u2", "web");
    build();
    b = version(b);
    c = version(c);
    forget_pods();
    world_pod(&w, "a", "a", "");
    later = labelled_pod("c", "u2", "web");
    build();
    ck_assert_uint_eq(later, 1);
    ck_assert_uint_eq(version(later), c);
    ck_assert_str_eq(intern_cstr(w.names, w.owners.versions.v[b].pod.name), "b");   /* not there today, and still known */
    ck_assert_str_eq(intern_cstr(w.names, w.owners.versions.v[b].team), "nlp");
    forget_pods();
    ck_assert_uint_eq(labelled_pod("b", "u1", "nlp"), 0);
    build();
    ck_assert_uint_eq(version(0), b);
}
END_TEST

START_TEST(versions_rank_by_name_whenever_they_came)
{
    uint32_t b, d, a, later, c;

    label_line(RULE_MATCH_POD_LABEL, "team", "{value}");
    b = labelled_pod("b", "u1", "nlp");
    d = labelled_pod("d", "u2", "nlp");
    build();
    b = version(b);
    d = version(d);
    forget_pods();
    a = labelled_pod("a", "u3", "nlp");
    later = labelled_pod("b", "u1", "web");            /* the same pod of another team */
    c = labelled_pod("c", "u4", "nlp");
    build();
    ck_assert_uint_eq(w.owners.versions.n, 5);
    ck_assert_uint_eq(w.owners.rank.v[version(a)], 0);
    ck_assert_uint_eq(w.owners.rank.v[b], 1);
    ck_assert_uint_eq(w.owners.rank.v[version(later)], 2);
    ck_assert_uint_eq(w.owners.rank.v[version(c)], 3);
    ck_assert_uint_eq(w.owners.rank.v[d], 4);
    ck_assert_int_eq(owners_compare_pods(&w.owners, b, version(later)), 0);
    ck_assert_int_ne(owners_compare_pods(&w.owners, b, d), 0);
}
END_TEST

START_TEST(a_bare_name_leads_to_the_same_version_in_every_generation)
{
    uint32_t bare = world_pod(&w, "a", "db-0", ""), pod = labelled_pod("db-0", "u1", "nlp"), version_of_pod;

    label_line(RULE_MATCH_POD_LABEL, "team", "{value}");
    steps_push(&w.inv.pods.v[bare].alias, AT(0), pod);
    build();
    version_of_pod = version(bare);
    forget_pods();
    world_pod(&w, "a", "another", "");
    bare = world_pod(&w, "a", "db-0", "");
    pod = labelled_pod("db-0", "u1", "nlp");
    steps_push(&w.inv.pods.v[bare].alias, TIME_MIN, pod);
    build();
    ck_assert_uint_eq(version(bare), version_of_pod);
    ck_assert_uint_eq(version(pod), version_of_pod);
    ck_assert_uint_eq(w.owners.versions.n, 3);         /* with the bare name of before anybody was known, and the other pod */
}
END_TEST

START_TEST(the_rule_says_which_labels_are_needed)
{
    const char **names;

    label_line(RULE_MATCH_POD_LABEL, "team", "{value}");
    label_line(RULE_MATCH_NAMESPACE_LABEL, "cost", "{value}");
    label_line(RULE_MATCH_POD_LABEL, "squad", "{value}");
    names = owners_labels(&w.rule, 1u << RULE_MATCH_POD_LABEL);
    ck_assert_str_eq(names[0], "team");
    ck_assert_str_eq(names[1], "squad");
    ck_assert_ptr_null(names[2]);
    free(names);
    build();
}
END_TEST

int main(void)
{
    Suite *s = suite_create("owners");
    TCase *c = tcase_create("owners");

    tcase_add_checked_fixture(c, setup, teardown);
    tcase_add_test(c, without_owner_lines_the_team_is_the_namespace);
    tcase_add_test(c, the_first_line_that_matches_counts);
    tcase_add_test(c, a_line_may_name_a_bucket);
    tcase_add_test(c, a_line_counts_from_its_first_instant_until_before_its_last);
    tcase_add_test(c, labels_are_found_by_the_name_that_the_cluster_gave_them);
    tcase_add_test(c, the_labels_value_stands_anywhere_in_the_team);
    tcase_add_test(c, a_label_line_matches_only_values_that_its_glob_does);
    tcase_add_test(c, a_label_that_changes_makes_a_new_version_at_that_instant);
    tcase_add_test(c, namespace_labels_speak_for_the_pods_in_it);
    tcase_add_test(c, annotations_are_matched_apart_from_labels_and_change_hands_when_they_change);
    tcase_add_test(c, a_workload_is_matched_by_kind_and_name);
    tcase_add_test(c, nodes_are_matched_by_name_and_by_label);
    tcase_add_test(c, a_node_pool_is_known_by_the_label_of_whichever_cloud);
    tcase_add_test(c, a_pod_that_moves_changes_hands_with_its_node);
    tcase_add_test(c, where_kubernetes_says_nothing_the_card_tells_the_node);
    tcase_add_test(c, all_matchers_of_a_line_must_match);
    tcase_add_test(c, pods_in_turns_have_the_teams_of_their_own);
    tcase_add_test(c, the_first_of_several_labels_that_has_a_value_counts);
    tcase_add_test(c, spellings_of_one_team_are_one_team_with_one_cost_centre);
    tcase_add_test(c, aliases_hold_for_namespaces_that_are_teams);
    tcase_add_test(c, a_bare_name_is_the_pod_that_it_means_at_the_time);
    tcase_add_test(c, a_pod_without_an_owner_is_its_own_workload);
    tcase_add_test(c, a_cost_centre_lists_its_teams);
    tcase_add_test(c, a_version_is_the_same_in_every_generation_that_has_its_pod);
    tcase_add_test(c, versions_rank_by_name_whenever_they_came);
    tcase_add_test(c, a_bare_name_leads_to_the_same_version_in_every_generation);
    tcase_add_test(c, the_rule_says_which_labels_are_needed);
    suite_add_tcase(s, c);
    return unit_run(s);
}
