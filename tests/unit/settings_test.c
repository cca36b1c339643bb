/* settings: every key with the value it should give, and every mistake with its exact words and place. */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "gputab/source/settings.h"
#include "unit.h"

#define SCHEMA "schema: gputab.settings/1\n"

static struct settings s;
static struct err e;
static char folder[32], path[64];

static void setup(void)
{
    memset(&s, 0, sizeof s);
    memset(&e, 0, sizeof e);
    strcpy(folder, "/tmp/gputab-settings-XXXXXX");
    ck_assert_ptr_nonnull(mkdtemp(folder));
    snprintf(path, sizeof path, "%s/gputab.yaml", folder);
}

static void teardown(void)
{
    unlink(path);
    rmdir(folder);
    settings_free(&s);
}

/* The text begins in line 2 of the file. */
static int read_settings(const char *text)
{
    FILE *f = fopen(path, "w");

    ck_assert_ptr_nonnull(f);
    fputs(SCHEMA, f);
    fputs(text, f);
    fclose(f);
    return settings_read(path, &s, &e);
}

static void accept(const char *text)
{
    ck_assert_msg(read_settings(text) == 0, "%lld:%lld: %s", (long long)e.line, (long long)e.column, e.text);
}

/* The words, and the hint where it is not NULL. */
static void refuse(const char *text, int64_t line, int64_t column, const char *words, const char *hint)
{
    ck_assert_int_eq(read_settings(text), -1);
    ck_assert_str_eq(e.text, words);
    ck_assert_str_eq(e.hint, hint ? hint : "");
    ck_assert_str_eq(e.file, path);
    ck_assert_int_eq(e.line, line);
    ck_assert_int_eq(e.column, column);
    ck_assert_int_eq(e.code, ERR_USAGE);
    settings_free(&s);
    err_clear(&e);
}

/* "name" in the folder of the settings. */
static const char *here(const char *name)
{
    static char full[128];

    snprintf(full, sizeof full, "%s/%s", folder, name);
    return full;
}

/* ---- sources ---- */

START_TEST(a_server_has_what_is_written)
{
    const struct settings_source *x;

    accept("sources:\n  - name: prod\n    prometheus: https://prom.example/x\n    cluster_label: k8s_cluster\n    transport: remote-read\n"
           "    params: {dedup: \"true\", \"storeMatch[]\": [a, b]}\n    password_file: /run/pw\n    user: u\n    ca_file: ca.pem\n"
           "    cert_file: c.pem\n    key_file: k.pem\n    headers_file: h\n    proxy_file: p\n    tenant: t-1\n");
    ck_assert_uint_eq(s.sources.n, 1);
    x = &s.sources.v[0];
    ck_assert_str_eq(x->name, "prod");
    ck_assert_str_eq(x->prometheus, "https://prom.example/x");
    ck_assert_ptr_null(x->metrics);
    ck_assert_str_eq(x->cluster_label, "k8s_cluster");
    ck_assert_int_eq(x->transport, METRICS_REMOTE_READ);
    ck_assert_str_eq(x->params[0].name, "dedup");
    ck_assert_str_eq(x->params[0].value, "true");
    ck_assert_str_eq(x->params[1].name, "storeMatch[]");
    ck_assert_str_eq(x->params[1].value, "a");
    ck_assert_str_eq(x->params[2].name, "storeMatch[]");
    ck_assert_str_eq(x->params[2].value, "b");
    ck_assert_ptr_null(x->params[3].name);
    ck_assert_str_eq(x->access.password_file, "/run/pw");
    ck_assert_str_eq(x->access.user, "u");
    ck_assert_str_eq(x->access.ca_file, here("ca.pem"));
    ck_assert_str_eq(x->access.cert_file, here("c.pem"));
    ck_assert_str_eq(x->access.key_file, here("k.pem"));
    ck_assert_str_eq(x->access.headers_file, here("h"));
    ck_assert_ptr_null(x->access.token_file);
    ck_assert_str_eq(x->access.proxy_file, here("p"));
    ck_assert_str_eq(x->access.tenant, "t-1");
    ck_assert_ptr_null(x->access.sigv4_region);
}
END_TEST

START_TEST(what_is_not_written_is_not_there)
{
    accept("sources: []\n");
    ck_assert_uint_eq(s.sources.n, 0);
    ck_assert_ptr_null(s.clusters.v);
    ck_assert_ptr_null(s.families.v);
    ck_assert_ptr_null(s.nodes);
    ck_assert_ptr_null(s.rule);
    settings_free(&s);
    accept("sources: [{metrics: a/m.om}]\n");
    ck_assert_str_eq(s.sources.v[0].metrics, here("a/m.om"));
    ck_assert_ptr_null(s.sources.v[0].name);
    ck_assert_ptr_null(s.sources.v[0].cluster_label);
    ck_assert_int_eq(s.sources.v[0].transport, METRICS_AUTO);
    ck_assert_ptr_null(s.sources.v[0].params);
}
END_TEST

START_TEST(secrets_are_refused_without_being_shown)
{
    refuse("sources:\n  - prometheus: http://h\n    token: s3cret\n", 4, 5,
           "no secrets stand in settings, so that there is no key \"token\"",
           "write it into a file that only you can read, and name that with \"token_file\"");
    refuse("sources: [{prometheus: http://h, password: s3cret}]\n", 2, 34,
           "no secrets stand in settings, so that there is no key \"password\"",
           "write it into a file that only you can read, and name that with \"password_file\"");
    ck_assert_int_eq(read_settings("sources: [{prometheus: \"http://u:s3cret@h\"}]\n"), -1);
    ck_assert_ptr_null(strstr(e.text, "s3cret"));
    ck_assert_ptr_null(strstr(e.hint, "s3cret"));
    ck_assert_int_eq(e.line, 2);
    ck_assert_int_eq(e.column, 24);
}
END_TEST

START_TEST(sources_that_make_no_sense_are_refused)
{
    refuse("sources: [{name: a}]\n", 2, 11, "a source needs one of prometheus and metrics", NULL);
    refuse("sources: [{prometheus: http://h, metrics: f}]\n", 2, 34, "a source has one of prometheus and metrics, not both", NULL);
    refuse("sources: [{metrics: f, tenant: x}]\n", 2, 24, "tenant goes with prometheus only", NULL);
    refuse("sources: [{prometheus: http://h, token_file: a, user: b}]\n", 2, 49, "user and token_file exclude each other", NULL);
    refuse("sources: [{prometheus: http://h, sigv4_region: a, token_file: b}]\n", 2, 51, "token_file and sigv4_region exclude each other",
           NULL);
    refuse("sources: [{prometheus: http://h, key_file: b}]\n", 2, 34, "key_file goes with cert_file only", NULL);
    refuse("sources: [{name: a, prometheus: http://h}, {name: a, prometheus: http://i}]\n", 2, 51, "two sources have the name \"a\"", NULL);
    refuse("sources: [{name: a, prometheus: http://h}, {prometheus: http://i}]\n", 2, 44, "of several sources each needs a name",
           "it is the cluster of series that have no cluster label");
    refuse("sources: [{promtheus: http://h}]\n", 2, 12, "unknown key \"promtheus\"", "did you mean \"prometheus\"?");
    refuse("sources: [{prometheus: http://h, transport: remote_read}]\n", 2, 45,
           "transport must be auto, remote-read, query or export, not \"remote_read\"", "did you mean \"remote-read\"?");
    refuse("sources: [{prometheus: http://h, cluster_label: a-b}]\n", 2, 49, "\"a-b\" cannot be the name of a label",
           "letters, digits and \"_\" may stand in it, and no digit at the beginning");
    refuse("sources: [{prometheus: http://h, params: {query: up}}]\n", 2, 43, "the parameter \"query\" is gputab's own", NULL);
    refuse("sources: http://h\n", 2, 10, "sources must be a list, not text", NULL);
    refuse("sources: [http://h]\n", 2, 11, "every item of sources must be a map, not text", NULL);
}
END_TEST

/* ---- clusters ---- */

START_TEST(clusters_get_names)
{
    accept("clusters:\n  - {value: c-m-1, name: prod}\n  - {value: c-m-2, name: prod}\n");
    ck_assert_uint_eq(s.clusters.n, 2);
    ck_assert_str_eq(s.clusters.v[1].value, "c-m-2");
    ck_assert_str_eq(s.clusters.v[1].name, "prod");
    ck_assert_ptr_null(s.clusters.v[2].value);
}
END_TEST

START_TEST(clusters_that_make_no_sense_are_refused)
{
    refuse("clusters: [{value: a}]\n", 2, 12, "a cluster needs name", NULL);
    refuse("clusters: [{value: a, name: b}, {value: a, name: c}]\n", 2, 41, "the cluster \"a\" is named twice", NULL);
}
END_TEST

/* ---- families ---- */

START_TEST(a_family_becomes_a_row)
{
    const struct family *f;

    accept("families:\n  - {name: odd_used, unit: kib, meaning: used, labels: {uuid: card, namespace: tenant, pod: workload}}\n"
           "  - {name: \"odd:total\", unit: gib, meaning: total}\n  - {name: layer, unit: bytes, meaning: layer_used, "
           "labels: {pod: p, namespace: n, container: c, uid: i, slot: s}}\n  - {name: own, unit: mib, meaning: pod_used, "
           "labels: {pod: p, namespace: n, node: nn, host: h, model: m, profile: pr, gpu_instance: gi}}\n");
    ck_assert_uint_eq(s.families.n, 4);
    f = &s.families.v[0];
    ck_assert_str_eq(f->name, "odd_used");
    ck_assert_int_eq(f->kind, SAMPLE_USED);
    ck_assert_int_eq(f->unit, UNIT_KIB);
    ck_assert_int_eq(f->pods, PODS_MAYBE);
    ck_assert_str_eq(f->labels[0].name, "card");
    ck_assert_int_eq(f->labels[0].role, ROLE_UUID);
    ck_assert_str_eq(f->labels[1].name, "tenant");
    ck_assert_int_eq(f->labels[1].role, ROLE_SPELT_NAMESPACE);
    ck_assert_str_eq(f->labels[2].name, "workload");
    ck_assert_int_eq(f->labels[2].role, ROLE_SPELT_POD);
    ck_assert_ptr_null(f->labels[3].name);
    ck_assert_int_eq(f[1].kind, SAMPLE_TOTAL);
    ck_assert_int_eq(f[1].unit, UNIT_GIB);
    ck_assert_int_eq(f[1].pods, PODS_NO);
    ck_assert_int_eq(f[2].kind, SAMPLE_LAYER_USED);
    ck_assert_int_eq(f[2].unit, UNIT_BYTES);
    ck_assert_int_eq(f[2].pods, PODS_ALWAYS);
    ck_assert_int_eq(f[3].kind, SAMPLE_PROCESS_USED);
    ck_assert_int_eq(f[3].unit, UNIT_MIB);
    ck_assert_int_eq(f[3].pods, PODS_ALWAYS);
    ck_assert_ptr_null(f[4].name);
}
END_TEST

START_TEST(families_that_make_no_sense_are_refused)
{
    refuse("families: [{name: a, unit: mib}]\n", 2, 12, "a family needs meaning", NULL);
    refuse("families: [{name: a, unit: mb, meaning: used}]\n", 2, 28, "unit must be bytes, kib, mib or gib, not \"mb\"",
           "did you mean \"mib\"?");
    refuse("families: [{name: a, unit: mib, meaning: usd}]\n", 2, 42,
           "meaning must be used, free, total, reserved, pod_used or layer_used, not \"usd\"", "did you mean \"used\"?");
    refuse("families: [{name: \"a{}\", unit: mib, meaning: used}]\n", 2, 19, "\"a{}\" cannot be the name of a metric",
           "letters, digits, \":\" and \"_\" may stand in it, and no digit at the beginning");
    refuse("families: [{name: 9a, unit: mib, meaning: used}]\n", 2, 19, "\"9a\" cannot be the name of a metric",
           "letters, digits, \":\" and \"_\" may stand in it, and no digit at the beginning");
    refuse("families: [{name: accelerator_memory_used_bytes, unit: mib, meaning: used}]\n", 2, 19,
           "accelerator_memory_used_bytes is no family of GPU memory", "it is how busy the memory bus is, in percent");
    refuse("families: [{name: kube_pod_info, unit: mib, meaning: used}]\n", 2, 19, "kube_pod_info is no family of GPU memory", NULL);
    refuse("families: [{name: DCGM_FI_DEV_POWER_USAGE, unit: mib, meaning: used}]\n", 2, 19,
           "DCGM_FI_DEV_POWER_USAGE is no family of GPU memory", NULL);
    refuse("families: [{name: a, unit: mib, meaning: used}, {name: a, unit: mib, meaning: free}]\n", 2, 56,
           "two families have the name \"a\"", NULL);
    refuse("families: [{name: a, unit: mib, meaning: pod_used, labels: {uuid: u}}]\n", 2, 12,
           "a family that means pod_used needs labels with pod and namespace",
           "for example: labels: {namespace: exported_namespace, pod: exported_pod}");
    refuse("families: [{name: a, unit: mib, meaning: used, labels: {pod: p}}]\n", 2, 56, "labels with pod need namespace", NULL);
    refuse("families: [{name: a, unit: mib, meaning: used, labels: {container: p}}]\n", 2, 57, "container goes with pod only", NULL);
    refuse("families: [{name: a, unit: mib, meaning: used, labels: {uuid: p, node: p}}]\n", 2, 72,
           "the label \"p\" cannot be both uuid and node", NULL);
    refuse("families: [{name: a, unit: mib, meaning: used, labels: {uid: p, uuidd: p}}]\n", 2, 65, "unknown key \"uuidd\"",
           "did you mean \"uuid\"?");
}
END_TEST

START_TEST(there_are_at_most_as_many_as_are_read)
{
    char text[32 * 1024] = "families:\n";

    for (int i = 0; i <= SETTINGS_FAMILIES; i++)
        sprintf(text + strlen(text), "  - {name: f%d, unit: mib, meaning: used}\n", i);
    refuse(text, 2, 1, "families has more than 100 items", NULL);
}
END_TEST

/* ---- the rest ---- */

START_TEST(files_are_in_the_folder_of_the_settings)
{
    accept("rule: rules/rule.yaml\nnodes: /etc/nodes.csv\nbilling: [bills, b.csv]\n"
           "outputs: [{file: out/r.json}, {file: r.dat, format: csv}]\n");
    ck_assert_str_eq(s.path, path);
    ck_assert_str_eq(s.rule, here("rules/rule.yaml"));
    ck_assert_str_eq(s.nodes, "/etc/nodes.csv");
    ck_assert_uint_eq(s.billing.n, 2);
    ck_assert_str_eq(s.billing.v[1], here("b.csv"));
    ck_assert_uint_eq(s.outputs.n, 2);
    ck_assert_str_eq(s.outputs.v[0].file, here("out/r.json"));
    ck_assert_ptr_null(s.outputs.v[0].format);
    ck_assert_str_eq(s.outputs.v[1].format, "csv");
    ck_assert_int_eq(s.outputs.v[1].line, 5);
    ck_assert_int_eq(s.outputs.v[1].column, 53);
}
END_TEST

/* The working folder has no name to be put in front. */
START_TEST(a_file_in_the_working_folder_needs_no_folder)
{
    char *before = getcwd(NULL, 0);

    accept("rule: r.yaml\n");
    settings_free(&s);
    ck_assert_int_eq(chdir(folder), 0);
    ck_assert_int_eq(settings_read("gputab.yaml", &s, &e), 0);
    ck_assert_str_eq(s.rule, "r.yaml");
    ck_assert_int_eq(chdir(before), 0);
    free(before);
}
END_TEST

START_TEST(other_mistakes_have_their_place_too)
{
    refuse("rle: x\n", 2, 1, "unknown key \"rle\"", "did you mean \"rule\"?");
    refuse("rule: \"-\"\n", 2, 7, "rule cannot be standard input", "name a file here, or give - on the command line");
    refuse("billing: [a, a]\n", 2, 14, "\"a\" stands twice in billing", NULL);
    refuse("billing: a\n", 2, 10, "billing must be a list, not text", NULL);
    refuse("outputs: [{format: csv}]\n", 2, 11, "an output needs file", NULL);
    refuse("outputs: [{file: /a.csv}, {file: /a.csv}]\n", 2, 34, "two outputs have the file \"/a.csv\"", NULL);
    refuse("store: old.db\n", 2, 1, "store is not built yet in this version", "leave it out for now");
    refuse("store: old.db\nrulee: x\n", 3, 1, "unknown key \"rulee\"", "did you mean \"rule\"?");
}
END_TEST

START_TEST(the_schema_is_needed)
{
    FILE *f = fopen(path, "w");

    ck_assert_ptr_nonnull(f);
    fputs("rule: x\n", f);
    fclose(f);
    ck_assert_int_eq(settings_read(path, &s, &e), -1);
    ck_assert_str_eq(e.text, "the key \"schema\" is missing");
    ck_assert_str_eq(e.hint, "add the line: schema: gputab.settings/1");
}
END_TEST

START_TEST(a_file_that_is_not_there_is_no_mistake_in_it)
{
    ck_assert_int_eq(settings_read(path, &s, &e), -1);
    ck_assert_int_eq(e.code, ERR_INPUT);
    ck_assert_str_eq(e.file, path);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("settings");
    TCase *t = tcase_create("settings");

    tcase_add_checked_fixture(t, setup, teardown);
    tcase_add_test(t, a_server_has_what_is_written);
    tcase_add_test(t, what_is_not_written_is_not_there);
    tcase_add_test(t, secrets_are_refused_without_being_shown);
    tcase_add_test(t, sources_that_make_no_sense_are_refused);
    tcase_add_test(t, clusters_get_names);
    tcase_add_test(t, clusters_that_make_no_sense_are_refused);
    tcase_add_test(t, a_family_becomes_a_row);
    tcase_add_test(t, families_that_make_no_sense_are_refused);
    tcase_add_test(t, there_are_at_most_as_many_as_are_read);
    tcase_add_test(t, files_are_in_the_folder_of_the_settings);
    tcase_add_test(t, a_file_in_the_working_folder_needs_no_folder);
    tcase_add_test(t, other_mistakes_have_their_place_too);
    tcase_add_test(t, the_schema_is_needed);
    tcase_add_test(t, a_file_that_is_not_there_is_no_mistake_in_it);
    suite_add_tcase(suite, t);
    return unit_run(suite);
}
