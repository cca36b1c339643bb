/* rule (source): every key of a rule file with the value it should give, and every mistake with its exact words and place.
 * Money and milliseconds were worked out by hand; the digests are those of other tools. */
#include <glob.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "gputab/base/buf.h"
#include "gputab/source/rule.h"
#include "unit.h"

#define MICRO (MONEY_ONE / 1000000)

static struct rule r;
static struct err e;
static struct diag d;
static char path[64];

static void setup(void)
{
    int fd;

    memset(&r, 0, sizeof r);
    memset(&e, 0, sizeof e);
    memset(&d, 0, sizeof d);
    strcpy(path, "/tmp/gputab-rule-XXXXXX");
    fd = mkstemp(path);
    ck_assert_int_ge(fd, 0);
    close(fd);
}

static void teardown(void)
{
    unlink(path);
    rule_free(&r);
    diag_free(&d);
}

static void write_rule(const char *head, const char *text)
{
    FILE *f = fopen(path, "w");

    ck_assert_ptr_ne(f, NULL);
    fputs(head, f);
    fputs(text, f);
    fclose(f);
}

/* Reads a rule of the line `schema: gputab.rule/1` and text, which then begins in line 2. */
static int read_rule(const char *text)
{
    write_rule("schema: gputab.rule/1\n", text);
    return rule_read(path, &r, &d, &e);
}

static void accept(const char *text)
{
    ck_assert_msg(read_rule(text) == 0, "%lld:%lld: %s", (long long)e.line, (long long)e.column, e.text);
}

static void assert_money(money got, int64_t micro)
{
    ck_assert_msg(got == micro * MICRO, "%lld micro, not %lld", (long long)(got / MICRO), (long long)micro);
}

/* --- whole files --- */

static void assert_defaults(void)
{
    ck_assert_str_eq(r.name, "default");
    ck_assert_str_eq(r.version, "");
    ck_assert_int_eq(r.mode, RULE_SHOWBACK);
    ck_assert_int_eq(r.cost, RULE_COST_EFFECTIVE);
    ck_assert_int_eq(r.split.method, RULE_SPLIT_DEFAULT);
    assert_money(r.split.vcpu_hour, 31611);
    assert_money(r.split.gib_hour, 4237);
    ck_assert_uint_eq(r.split.gpu_hour.n, 0);
    ck_assert_int_eq(r.gpu.exclusive, RULE_HELD);
    ck_assert_int_eq(r.gpu.denominator, RULE_CAPACITY);
    ck_assert_int_eq(r.gpu.mig_weight, RULE_MIG_MEMORY);
    ck_assert_int_eq(r.gpu.shared_fallback, RULE_EVEN);
    assert_money(r.gpu.min_coverage, 95000000);
    ck_assert_int_eq(r.gpu.max_gap_ms, 300000);
    ck_assert_int_eq(r.gpu.interval_ms, 0);
    ck_assert_int_eq(r.gpu.startup_ms, 600000);
    ck_assert_int_eq(r.basis, RULE_BASIS_MAX);
    ck_assert_int_eq(r.idle.policy, RULE_IDLE_SEPARATE);
    ck_assert(!r.has_owners);
    ck_assert(!r.attached_include);
}

START_TEST(without_a_file_the_defaults_hold_and_the_digest_is_that_of_nothing)
{
    ck_assert_int_eq(rule_read(NULL, &r, &d, &e), 0);
    assert_defaults();
    ck_assert_str_eq(r.sha256, "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
}
END_TEST

START_TEST(a_file_with_nothing_but_its_schema_gives_the_defaults_and_its_own_digest)
{
    accept("");
    assert_defaults();
    ck_assert_str_eq(r.sha256, "944acc4a083ae5bb8f8f0e726b5cb4f74ec0c4b90532e8772b1cbd67cb41649d");
}
END_TEST

/* A rule with every part that is built. */
static const char example[] =
    "name: vram-residency\n"
    "version: \"1\"\n"
    "mode: showback                 # showback | chargeback\n"
    "cost: effective\n"
    "credits: commitments\n"
    "split:\n"
    "  method: reference\n"
    "  vcpu_hour: \"0.031611\"\n"
    "  gib_hour: \"0.004237\"\n"
    "  gpu_hour: {\"NVIDIA H100 80GB HBM3\": \"9.80\"}\n"
    "  shares: {cpu: \"3%\", memory: \"2%\", gpu: \"95%\"}\n"
    "gpu:\n"
    "  exclusive: held\n"
    "  denominator: capacity\n"
    "  mig_weight: memory\n"
    "  shared_fallback: even\n"
    "  min_coverage: \"95%\"\n"
    "  max_gap: 5m\n"
    "  interval: 30s\n"
    "  startup: 10m\n"
    "cpu_memory: {basis: max}\n"
    "idle: {policy: separate, scope: pool, include: [], owners: []}\n"
    "owners:                        # first match wins\n"
    "  - {namespace: \"nlp-*\", team: nlp}\n"
    "  - {namespace: vision, until: 2026-10-16, team: vision}\n"
    "  - {pod_label: {name: \"example.com/team\"}, team: \"{value}\"}\n"
    "  - {namespace_label: {name: team}, team: \"{value}\"}\n"
    "  - {namespace: [kube-system, gpu-operator], bucket: \"(system)\"}\n"
    "cost_centres:\n"
    "  - {id: \"0042\", name: Research, teams: [nlp, vision]}\n"
    "attached: separate\n"
    "privacy: {pods: keep}\n";

START_TEST(the_example_gives_its_names_and_prices)
{
    accept(example);
    ck_assert_str_eq(r.name, "vram-residency");
    ck_assert_str_eq(r.version, "1");
    ck_assert_int_eq(r.split.method, RULE_SPLIT_REFERENCE);
    assert_money(r.split.vcpu_hour, 31611);
    assert_money(r.split.gib_hour, 4237);
    ck_assert_uint_eq(r.split.gpu_hour.n, 1);
    ck_assert_str_eq(r.split.gpu_hour.v[0].model, "NVIDIA H100 80GB HBM3");
    assert_money(r.split.gpu_hour.v[0].price_hour, 9800000);
    assert_money(r.split.share_cpu, 3000000);
    assert_money(r.split.share_memory, 2000000);
    assert_money(r.split.share_gpu, 95000000);
    ck_assert_int_eq(r.gpu.interval_ms, 30000);
    ck_assert_uint_eq(d.n, 0);
}
END_TEST

START_TEST(the_example_gives_its_owners_in_order)
{
    const struct rule_owner *o;

    accept(example);
    ck_assert(r.has_owners);
    ck_assert_uint_eq(r.owners.n, 5);
    o = r.owners.v;
    ck_assert_uint_eq(o[0].n_matchers, 1);
    ck_assert_int_eq(o[0].matchers->match, RULE_MATCH_NAMESPACE);
    ck_assert_str_eq(o[0].matchers->globs[0], "nlp-*");
    ck_assert_ptr_eq(o[0].matchers->globs[1], NULL);
    ck_assert_str_eq(o[0].team, "nlp");
    ck_assert_ptr_eq(o[0].bucket, NULL);
    ck_assert_int_eq(o[0].from, TIME_MIN);
    ck_assert_int_eq(o[0].until, TIME_MAX);
    ck_assert_int_eq(o[0].line, 25);
    ck_assert_int_eq(o[1].until, INT64_C(1792108800000));    /* 2026-10-16T00:00:00Z */
    ck_assert_int_eq(o[1].from, TIME_MIN);
    ck_assert_int_eq(o[2].matchers->match, RULE_MATCH_POD_LABEL);
    ck_assert_str_eq(o[2].matchers->names[0], "example.com/team");
    ck_assert_ptr_eq(o[2].matchers->names[1], NULL);
    ck_assert_ptr_eq(o[2].matchers->globs, NULL);
    ck_assert_str_eq(o[2].team, "{value}");
    ck_assert_int_eq(o[3].matchers->match, RULE_MATCH_NAMESPACE_LABEL);
    ck_assert_str_eq(o[3].matchers->names[0], "team");
    ck_assert_str_eq(o[4].matchers->globs[0], "kube-system");
    ck_assert_str_eq(o[4].matchers->globs[1], "gpu-operator");
    ck_assert_ptr_eq(o[4].matchers->globs[2], NULL);
    ck_assert_str_eq(o[4].bucket, "(system)");
    ck_assert_ptr_eq(o[4].team, NULL);
}
END_TEST

START_TEST(the_example_gives_its_cost_centres_as_text)
{
    accept(example);
    ck_assert_uint_eq(r.cost_centres.n, 1);
    ck_assert_str_eq(r.cost_centres.v[0].id, "0042");
    ck_assert_str_eq(r.cost_centres.v[0].name, "Research");
    ck_assert_str_eq(r.cost_centres.v[0].teams[0], "nlp");
    ck_assert_str_eq(r.cost_centres.v[0].teams[1], "vision");
    ck_assert_ptr_eq(r.cost_centres.v[0].teams[2], NULL);
}
END_TEST

START_TEST(every_acceptance_case_has_a_rule_that_loads)
{
    glob_t g;
    size_t refused = 0;

    ck_assert_int_eq(glob("tests/cases/*/rule.yaml", 0, NULL, &g), 0);
    ck_assert_uint_ge(g.gl_pathc, 23);
    for (size_t i = 0; i < g.gl_pathc; i++) {
        struct rule one = {0};
        struct err why = {0};

        if (rule_read(g.gl_pathv[i], &one, NULL, &why) < 0) {
            ck_assert_msg(strstr(g.gl_pathv[i], "/17-") && strstr(why.text, "not built yet"), "%s: %s", g.gl_pathv[i], why.text);
            refused++;
        }
        rule_free(&one);
    }
    ck_assert_uint_le(refused, 1);
    globfree(&g);
}
END_TEST

/* --- single keys --- */

START_TEST(text_is_typed_by_the_schema)
{
    accept("name: no\nversion: 1e3\nowners:\n- {namespace: 0042, team: ~}\ncost_centres:\n- {id: 0042, teams: [~]}\n");
    ck_assert_str_eq(r.name, "no");
    ck_assert_str_eq(r.version, "1e3");
    ck_assert_str_eq(r.owners.v[0].matchers->globs[0], "0042");
    ck_assert_str_eq(r.owners.v[0].team, "~");
    ck_assert_str_eq(r.cost_centres.v[0].id, "0042");
    ck_assert_str_eq(r.cost_centres.v[0].name, "");
}
END_TEST

static const struct { const char *text; size_t offset; unsigned value; } names[] = {
    { "mode: showback\n", offsetof(struct rule, mode), RULE_SHOWBACK },
    { "cost: effective\n", offsetof(struct rule, cost), RULE_COST_EFFECTIVE },
    { "cost: billed\n", offsetof(struct rule, cost), RULE_COST_BILLED },
    { "cost: list\n", offsetof(struct rule, cost), RULE_COST_LIST },
    { "cost: net_effective\n", offsetof(struct rule, cost), RULE_COST_NET_EFFECTIVE },
    { "credits: commitments\n", offsetof(struct rule, credits), RULE_CREDITS_COMMITMENTS },
    { "credits: all\n", offsetof(struct rule, credits), RULE_CREDITS_ALL },
    { "credits: none\n", offsetof(struct rule, credits), RULE_CREDITS_NONE },
    { "split: {method: reference}\n", offsetof(struct rule, split.method), RULE_SPLIT_REFERENCE },
    { "split: {method: shares}\n", offsetof(struct rule, split.method), RULE_SPLIT_SHARES },
    { "split: {method: billed}\n", offsetof(struct rule, split.method), RULE_SPLIT_BILLED },
    { "split: {method: residual}\n", offsetof(struct rule, split.method), RULE_SPLIT_RESIDUAL },
    { "split: {method: aws-scad, shares: {gpu: 100%}}\n", offsetof(struct rule, split.method), RULE_SPLIT_AWS_SCAD },
    { "split: {method: opencost}\n", offsetof(struct rule, split.method), RULE_SPLIT_OPENCOST },
    { "split: {method: datadog, gpu_hour: {a: 1}}\n", offsetof(struct rule, split.method), RULE_SPLIT_DATADOG },
    { "gpu: {exclusive: held}\n", offsetof(struct rule, gpu.exclusive), RULE_HELD },
    { "gpu: {exclusive: resident}\n", offsetof(struct rule, gpu.exclusive), RULE_RESIDENT },
    { "gpu: {denominator: capacity}\n", offsetof(struct rule, gpu.denominator), RULE_CAPACITY },
    { "gpu: {denominator: usable}\n", offsetof(struct rule, gpu.denominator), RULE_USABLE },
    { "gpu: {denominator: residents}\n", offsetof(struct rule, gpu.denominator), RULE_RESIDENTS },
    { "gpu: {mig_weight: memory}\n", offsetof(struct rule, gpu.mig_weight), RULE_MIG_MEMORY },
    { "gpu: {mig_weight: compute}\n", offsetof(struct rule, gpu.mig_weight), RULE_MIG_COMPUTE },
    { "gpu: {shared_fallback: even}\n", offsetof(struct rule, gpu.shared_fallback), RULE_EVEN },
    { "gpu: {shared_fallback: refuse}\n", offsetof(struct rule, gpu.shared_fallback), RULE_REFUSE },
    { "cpu_memory: {basis: request}\n", offsetof(struct rule, basis), RULE_BASIS_REQUEST },
    { "cpu_memory: {basis: usage}\n", offsetof(struct rule, basis), RULE_BASIS_USAGE },
    { "cpu_memory: {basis: max}\n", offsetof(struct rule, basis), RULE_BASIS_MAX },
    { "cpu_memory: {basis: gpu}\n", offsetof(struct rule, basis), RULE_BASIS_GPU },
    { "idle: {policy: separate}\n", offsetof(struct rule, idle.policy), RULE_IDLE_SEPARATE },
};

START_TEST(each_name_has_its_meaning)
{
    unsigned got;

    accept(names[_i].text);
    memcpy(&got, (const char *)&r + names[_i].offset, sizeof got);
    ck_assert_msg(got == names[_i].value, "%s gave %u", names[_i].text, got);
}
END_TEST

START_TEST(attached_is_kept_apart_or_included)
{
    accept("attached: separate\n");
    ck_assert(!r.attached_include);
    rule_free(&r);
    accept("attached: include\n");
    ck_assert(r.attached_include);
}
END_TEST

START_TEST(prices_are_exact_with_or_without_quotes)
{
    accept("split: {vcpu_hour: 0.1, gib_hour: \"0\", gpu_hour: {A: 9.80, \"B 40GB\": 1e-3, C: '1000000'}}\n");
    assert_money(r.split.vcpu_hour, 100000);
    assert_money(r.split.gib_hour, 0);
    ck_assert_uint_eq(r.split.gpu_hour.n, 3);
    assert_money(r.split.gpu_hour.v[0].price_hour, 9800000);
    ck_assert_str_eq(r.split.gpu_hour.v[1].model, "B 40GB");
    assert_money(r.split.gpu_hour.v[1].price_hour, 1000);
    ck_assert(r.split.gpu_hour.v[2].price_hour == 1000000 * MONEY_ONE);
    ck_assert_uint_eq(d.n, 0);
}
END_TEST

START_TEST(a_price_with_more_than_12_decimals_is_rounded_and_counted)
{
    accept("split: {vcpu_hour: 0.0000000000015}\n");
    ck_assert(r.split.vcpu_hour == 2);
    ck_assert_int_eq(diag_find(&d, "W205")->count, 1);
    ck_assert_ptr_ne(strstr(diag_find(&d, "W205")->texts[0], ":2:20: vcpu_hour has more than 12 decimals; it is rounded"), NULL);
}
END_TEST

START_TEST(on_demand_prices_are_by_type_and_region)
{
    accept("split:\n  method: residual\n  vcpu_hour: 1\n  on_demand_hour:\n"
           "  - {instance_type: p5.48xlarge, region: us-east-1, price: \"98.32\"}\n"
           "  - {instance_type: p5.48xlarge, price: 100}\n");
    ck_assert_uint_eq(r.split.on_demand.n, 2);
    ck_assert_str_eq(r.split.on_demand.v[0].type, "p5.48xlarge");
    ck_assert_str_eq(r.split.on_demand.v[0].region, "us-east-1");
    assert_money(r.split.on_demand.v[0].price_hour, 98320000);
    ck_assert_int_eq(r.split.on_demand.v[0].line, 6);
    ck_assert_ptr_eq(r.split.on_demand.v[1].region, NULL);
    ck_assert(r.split.vcpu_written && !r.split.gib_written && !r.split.shares_written);
}
END_TEST

START_TEST(shares_may_leave_out_what_is_nothing)
{
    accept("split: {method: shares, shares: {gpu: 99.5%, memory: \"0.5 %\"}}\n");
    assert_money(r.split.share_cpu, 0);
    assert_money(r.split.share_memory, 500000);
    assert_money(r.split.share_gpu, 99500000);
}
END_TEST

START_TEST(durations_are_milliseconds)
{
    accept("gpu: {max_gap: 1h, interval: 90, startup: 0s, min_coverage: 0%}\n");
    ck_assert_int_eq(r.gpu.max_gap_ms, 3600000);
    ck_assert_int_eq(r.gpu.interval_ms, 90000);
    ck_assert_int_eq(r.gpu.startup_ms, 0);
    assert_money(r.gpu.min_coverage, 0);
}
END_TEST

START_TEST(dates_are_utc_and_a_date_alone_is_its_first_instant)
{
    accept("owners:\n"
           "- {namespace: a, from: 2026-10-16, until: 2026-10-16T10:00Z, team: x}\n"
           "- {namespace: a, from: \"2026-10-16T12:00:00+02:00\", team: y}\n");
    ck_assert_int_eq(r.owners.v[0].from, INT64_C(1792108800000));
    ck_assert_int_eq(r.owners.v[0].until, INT64_C(1792144800000));
    ck_assert_int_eq(r.owners.v[1].from, INT64_C(1792144800000));
    ck_assert_int_eq(r.owners.v[1].until, TIME_MAX);
}
END_TEST

START_TEST(rates_are_exact_and_by_month)
{
    accept("fx:\n- {month: 2026-10, from: EUR, to: USD, rate: \"1.0850\", source: \"central bank monthly average\"}\n"
           "- {month: 2026-11, from: EUR, to: USD, rate: 1.1}\n");
    ck_assert_uint_eq(r.fx.n, 2);
    ck_assert_str_eq(r.fx.v[0].from, "EUR");
    ck_assert_str_eq(r.fx.v[0].to, "USD");
    ck_assert_str_eq(r.fx.v[0].source, "central bank monthly average");
    ck_assert(r.fx.v[0].rate == 1085 * (MONEY_ONE / 1000));
    ck_assert_int_eq(r.fx.v[0].month.to - r.fx.v[0].month.from, 31 * TIME_DAY);
    ck_assert_str_eq(r.fx.v[1].source, "");
}
END_TEST

START_TEST(capacity_blocks_are_read_in_order)
{
    accept("capacity_blocks:\n"
           "- {instance_type: p5.48xlarge, count: 4, from: 2026-10-05T11:30Z, until: 2026-10-06T11:30Z, fee: 3015.5, region: us-east-2}\n"
           "- {instance_type: p5.48xlarge, count: 1, from: 2026-10-06T11:30Z, until: 2026-10-07T11:30Z, instances: [i-0a, i-0b*]}\n"
           "- {instance_type: p5.48xlarge, count: 1, from: 2026-10-06T11:30Z, until: 2026-10-07T11:30Z, instances: i-0c}\n");
    ck_assert_uint_eq(r.blocks.n, 3);
    ck_assert_str_eq(r.blocks.v[0].type, "p5.48xlarge");
    ck_assert_str_eq(r.blocks.v[0].region, "us-east-2");
    ck_assert_int_eq(r.blocks.v[0].count, 4);
    ck_assert_int_eq(r.blocks.v[0].until - r.blocks.v[0].from, TIME_DAY);
    ck_assert(r.blocks.v[0].fee == 3015 * MONEY_ONE + MONEY_ONE / 2);
    ck_assert_ptr_null(r.blocks.v[0].instances);
    ck_assert_int_eq(r.blocks.v[0].line, 3);
    ck_assert_str_eq(r.blocks.v[1].instances[1], "i-0b*");
    ck_assert(r.blocks.v[1].fee == 0);
    ck_assert_str_eq(r.blocks.v[2].instances[0], "i-0c");
}
END_TEST

START_TEST(a_label_line_may_ask_for_a_value)
{
    accept("owners:\n"
           "- {pod_label: {name: app, value: \"train-?\"}, team: \"ml-{value}\"}\n"
           "- {namespace_label: {name: x}, bucket: (system)}\n");
    ck_assert_str_eq(r.owners.v[0].matchers->globs[0], "train-?");
    ck_assert_str_eq(r.owners.v[0].team, "ml-{value}");
    ck_assert_str_eq(r.owners.v[1].bucket, "(system)");
}
END_TEST

START_TEST(a_line_may_ask_for_several_things_in_any_order)
{
    const struct rule_owner *o;

    accept("owners:\n"
           "- {node_label: {name: [pool, \"example.com/pool\"], value: [a, \"b*\"]}, namespace: x, workload: [web, \"Job/*\"], team: t}\n"
           "- {node_pool: gpu-a100, pod_annotation: {name: owner}, node: \"gke-*\", namespace_annotation: {name: o}, team: \"{value}\"}\n");
    o = &r.owners.v[0];
    ck_assert_uint_eq(o->n_matchers, 3);
    ck_assert_int_eq(o->matchers[0].match, RULE_MATCH_NODE_LABEL);
    ck_assert_str_eq(o->matchers[0].names[1], "example.com/pool");
    ck_assert_ptr_null(o->matchers[0].names[2]);
    ck_assert_str_eq(o->matchers[0].globs[1], "b*");
    ck_assert_int_eq(o->matchers[1].match, RULE_MATCH_NAMESPACE);
    ck_assert_int_eq(o->matchers[2].match, RULE_MATCH_WORKLOAD);
    ck_assert_str_eq(o->matchers[2].globs[0], "*/web");              /* of any kind */
    ck_assert_str_eq(o->matchers[2].globs[1], "Job/*");
    o++;
    ck_assert_uint_eq(o->n_matchers, 4);
    ck_assert_int_eq(o->matchers[0].match, RULE_MATCH_NODE_POOL);
    ck_assert_ptr_eq(o->matchers[0].names, rule_pool_labels);
    ck_assert_str_eq(o->matchers[0].globs[0], "gpu-a100");
    ck_assert_int_eq(o->matchers[1].match, RULE_MATCH_POD_ANNOTATION);
    ck_assert_int_eq(o->matchers[2].match, RULE_MATCH_NODE);
    ck_assert_int_eq(o->matchers[3].match, RULE_MATCH_NAMESPACE_ANNOTATION);
}
END_TEST

START_TEST(aliases_list_the_spellings_of_a_team)
{
    accept("aliases:\n  nlp: [NLP, \"nlp_*\"]\n  \"cv\": vision\n");
    ck_assert_uint_eq(r.aliases.n, 2);
    ck_assert_str_eq(r.aliases.v[0].team, "nlp");
    ck_assert_str_eq(r.aliases.v[0].globs[0], "NLP");
    ck_assert_str_eq(r.aliases.v[0].globs[1], "nlp_*");
    ck_assert_ptr_null(r.aliases.v[0].globs[2]);
    ck_assert_int_eq(r.aliases.v[0].line, 3);
    ck_assert_str_eq(r.aliases.v[1].globs[0], "vision");
}
END_TEST

START_TEST(tests_say_what_they_expect)
{
    const struct rule_test *t;

    accept("tests:\n"
           "- {pod: nlp/train-1, labels: {example.com/team: nlp}, at: 2026-10-16, workload: Job/train, node: n1, team: nlp, cost_centre: 0042}\n"
           "- {pod: a/b, namespace_annotations: {x: y}, node_labels: {p: q}, bucket: (unmapped)}\n");
    ck_assert_uint_eq(r.tests.n, 2);
    t = r.tests.v;
    ck_assert_str_eq(t->namespace_name, "nlp");
    ck_assert_str_eq(t->pod, "train-1");
    ck_assert_str_eq(t->sets[RULE_MATCH_POD_LABEL].v[0].name, "example.com/team");
    ck_assert_str_eq(t->sets[RULE_MATCH_POD_LABEL].v[0].value, "nlp");
    ck_assert_int_eq(t->at, INT64_C(1792108800000));
    ck_assert_str_eq(t->workload, "Job/train");
    ck_assert_str_eq(t->node, "n1");
    ck_assert_str_eq(t->team, "nlp");
    ck_assert_str_eq(t->cost_centre, "0042");
    ck_assert_int_eq(t[1].at, TIME_MIN);
    ck_assert_str_eq(t[1].bucket, "(unmapped)");
    ck_assert_uint_eq(t[1].sets[RULE_MATCH_NAMESPACE_ANNOTATION].n, 1);
    ck_assert_str_eq(t[1].sets[RULE_MATCH_NODE_LABEL].v[0].value, "q");
    ck_assert_int_eq(t[1].line, 4);
}
END_TEST

/* --- mistakes --- */

struct mistake {
    const char *text;              /* begins in line 2 */
    int64_t line, column;
    const char *words, *hint;
};

static void assert_mistake(const struct mistake *m)
{
    ck_assert_int_eq(read_rule(m->text), -1);
    ck_assert_str_eq(e.text, m->words);
    ck_assert_str_eq(e.hint, m->hint);
    ck_assert_int_eq(e.line, m->line);
    ck_assert_int_eq(e.column, m->column);
    ck_assert_str_eq(e.file, path);
    ck_assert_int_eq(e.code, ERR_USAGE);
}

#define OWNER(line) "owners:\n  - {" line "}\n"    /* the line begins at 3:5, its first key at 3:6 */
#define BUCKET_HINT "names in parentheses are kept for buckets"
#define GLOB_HINT "letters, digits, \"-\", \"_\", \".\" and the wildcards * and ? may stand here"
#define LABEL_HINT "the name of a label is no glob; letters, digits, \"-\", \"_\", \".\" and \"/\" may stand in it"
#define REACH_HINT "put the narrower line first, or remove this one"
#define WORKLOAD_HINT "for example Deployment/web-1; the pod's namespace goes with the key namespace"
#define VALUE_HINT "it goes with the labels and annotations of pods, namespaces and nodes, and with node_pool"
#define DATE_HINT "write 2026-10-16, or 2026-10-16T10:00Z"

static const struct mistake mistakes[] = {
    /* keys and kinds */
    { "gpu:\n  denominater: usable\n", 3, 3, "unknown key \"denominater\"", "did you mean \"denominator\"?" },
    { "cost_centers: []\n", 2, 1, "unknown key \"cost_centers\"", "did you mean \"cost_centres\"?" },
    { "name: a\nname: b\n", 3, 1, "duplicate key \"name\"", "it stands in line 2 already" },
    { "schema: gputab.rule/1\n", 2, 1, "duplicate key \"schema\"", "it stands in line 1 already" },
    { "name: [a]\n", 2, 7, "name must be text, not a list", "quote text that begins with \"[\"" },
    { "name:\n", 2, 1, "name has no value", "" },
    { "name: \"\"\n", 2, 7, "name must not be empty", "" },
    { "name: \" a\"\n", 2, 7, "name must not begin or end with white space", "" },
    { "gpu: held\n", 2, 6, "gpu must be a map, not text", "" },
    { "cost: efective\n", 2, 7, "cost must be effective, billed, list or net_effective, not \"efective\"", "did you mean \"effective\"?" },
    { "attached: yes\n", 2, 11, "attached must be separate or include, not \"yes\"", "" },
    { "gpu: {denominator: useable}\n", 2, 20, "denominator must be capacity, usable or residents, not \"useable\"",
      "did you mean \"usable\"?" },
    { "mode: chargeback\n", 2, 7, "mode chargeback needs gates", "for example: gates: {coverage: \"98%\", max_unmapped: \"2%\"}" },
    { "mode: chargeback\ngates: {}\n", 2, 7, "mode chargeback needs gates",
      "for example: gates: {coverage: \"98%\", max_unmapped: \"2%\"}" },
    /* numbers */
    { "split: {vcpu_hour: -0.1}\n", 2, 20, "vcpu_hour must not be negative", "" },
    { "split: {gib_hour: \"0,03\"}\n", 2, 19, "gib_hour must be a decimal number such as \"0.25\", not \"0,03\"", "" },
    { "split: {gib_hour: 1000000.01}\n", 2, 19, "gib_hour must not be more than 1000000", "" },
    { "split: {gpu_hour: {A100: free}}\n", 2, 26, "A100 must be a decimal number such as \"0.25\", not \"free\"", "" },
    { "split: {gpu_hour: {A100: -1}}\n", 2, 26, "A100 must not be negative", "" },
    { "split: {gpu_hour: {A100: }}\n", 2, 20, "A100 has no value", "" },
    { "split: {gpu_hour: [1]}\n", 2, 19, "gpu_hour must be a map, not a list", "" },
    { "split: {gpu_hour: {\"\": 1}}\n", 2, 20, "gpu_hour must not be empty", "" },
    { "gpu: {min_coverage: 0.95}\n", 2, 21, "min_coverage must be a percentage such as \"95%\", not \"0.95\"", "" },
    { "gpu: {min_coverage: \"%\"}\n", 2, 21, "min_coverage must be a percentage such as \"95%\", not \"%\"", "" },
    { "gpu: {min_coverage: 100.1%}\n", 2, 21, "min_coverage must be between 0% and 100%, not 100.1%", "" },
    { "gpu: {min_coverage: -1%}\n", 2, 21, "min_coverage must be between 0% and 100%, not -1%", "" },
    { "split: {method: shares, shares: {cpu: 3%, memory: 2%, gpu: 90.5%}}\n", 2, 25,
      "shares must sum to 100%, these sum to 95.5%", "" },
    { "split:\n  shares: {gpu: 90%, cpu: 10%, memory: 10%}\n", 3, 3, "shares must sum to 100%, these sum to 110%", "" },
    { "split: {method: aws-scad, vcpu_hour: 1}\n", 2, 27, "vcpu_hour contradicts the method aws-scad, which has prices of its own",
      "leave one of them out; prices of a rule are for the method reference" },
    { "split:\n  gpu_hour: {a: 1}\n  method: opencost\n", 3, 3, "gpu_hour contradicts the method opencost, which has prices of its own",
      "leave one of them out; prices of a rule are for the method reference" },
    { "split: {method: datadog, shares: {gpu: 100%}}\n", 2, 26, "shares contradicts the method datadog, which has percentages of its own",
      "leave one of them out; percentages of a rule are for the method shares" },
    { "split: {on_demand_hour: [{price: 1}]}\n", 2, 26, "an on-demand price needs instance_type", "" },
    { "split: {on_demand_hour: [{instance_type: p5.48xlarge}]}\n", 2, 26, "an on-demand price needs price", "" },
    { "split: {on_demand_hour: [{instance_type: p5.48xlarge, price: 0}]}\n", 2, 62, "price must be more than 0", "" },
    { "split: {on_demand_hour: [{instance_type: p5.48xlarge, price: \"\"}]}\n", 2, 62,
      "price must be a decimal number such as \"0.25\", not \"\"", "" },
    { "split:\n  on_demand_hour:\n  - {instance_type: a, price: 1}\n  - {instance_type: a, region: b, price: 1}\n"
      "  - {instance_type: A, region: B, price: 2}\n", 6, 5, "line 5 has the price of this type already", "" },
    { "split: {gpu_hour: {\"NVIDIA L4\": \"\"}}\n", 2, 33,                      /* opencost#1726: not a price of 0 */
      "NVIDIA L4 must be a decimal number such as \"0.25\", not \"\"", "" },
    { "split: {shares: {gpus: 100%}}\n", 2, 18, "unknown key \"gpus\"", "did you mean \"gpu\"?" },
    /* durations */
    { "gpu: {max_gap: 0s}\n", 2, 16, "max_gap must be longer than 0", "" },
    { "gpu: {interval: 0}\n", 2, 17, "interval must be longer than 0", "" },
    { "gpu: {interval: -5m}\n", 2, 17, "interval must be a duration such as 30s, 5m or 1h, not \"-5m\"", "" },
    { "gpu: {startup: soon}\n", 2, 16, "startup must be a duration such as 30s, 5m or 1h, not \"soon\"", "" },
    { "gpu: {max_gap: 32d}\n", 2, 16, "max_gap must not be longer than 31d", "" },
    { "gpu: {interval: 25h}\n", 2, 17, "interval must not be longer than 1d", "" },
    /* owner lines */
    { "owners: {namespace: a}\n", 2, 9, "owners must be a list, not a map", "" },
    { "owners: []\n", 2, 9, "owners must not be an empty list", "without the key owners the team is the namespace" },
    { "owners: [nlp]\n", 2, 10, "every item of owners must be a map, not text", "" },
    { OWNER("team: x"), 3, 5, "an owner line needs something to match",
      "namespace, pod_label, namespace_label, pod_annotation, namespace_annotation, workload, node, node_label or node_pool" },
    { OWNER("namespace: a"), 3, 5, "an owner line needs a team or a bucket", "" },
    { OWNER("node_lable: {name: x}, team: y"), 3, 6, "unknown key \"node_lable\"", "did you mean \"node_label\"?" },
    { OWNER("pod_anotation: {name: x}, team: y"), 3, 6, "unknown key \"pod_anotation\"", "did you mean \"pod_annotation\"?" },
    { OWNER("workloads: x, team: y"), 3, 6, "unknown key \"workloads\"", "did you mean \"workload\"?" },
    { OWNER("nodepool: x, team: y"), 3, 6, "unknown key \"nodepool\"", "did you mean \"node_pool\"?" },
    { OWNER("pod_label: {nam: x}, team: y"), 3, 18, "unknown key \"nam\"", "did you mean \"name\"?" },
    { OWNER("pod_label: {name: []}, team: y"), 3, 24, "name must not be an empty list", "" },
    { OWNER("pod_label: {name: [a, 'b*']}, team: y"), 3, 28, "name \"b*\" cannot hold \"*\"", LABEL_HINT },
    { OWNER("node_label: {name: a, value: []}, team: y"), 3, 35, "value must not be an empty list", "" },
    { OWNER("workload: a/b/c, team: y"), 3, 16, "workload \"a/b/c\" is not of the form Kind/name", WORKLOAD_HINT },
    { OWNER("workload: /web, team: y"), 3, 16, "workload \"/web\" is not of the form Kind/name", WORKLOAD_HINT },
    { OWNER("workload: [Job/], team: y"), 3, 17, "workload \"Job/\" is not of the form Kind/name", WORKLOAD_HINT },
    { OWNER("workload: a b, team: y"), 3, 16, "workload \"a b\" cannot hold \" \"",
      "letters, digits, \"-\", \"_\", \".\", one \"/\" and the wildcards * and ? may stand here" },
    { OWNER("node: a/b, team: y"), 3, 12, "node \"a/b\" cannot hold \"/\"", GLOB_HINT },
    { OWNER("node_pool: {name: a}, team: y"), 3, 17, "node_pool must be text, not a map", "quote text that begins with \"{\"" },
    { OWNER("namespace: a, team: x, bucket: (system)"), 3, 29, "an owner line has a team or a bucket, not both", "" },
    { OWNER("namespace: a, bucket: (idle)"), 3, 28, "bucket must be \"(system)\", not \"(idle)\"",
      "the other buckets are filled by what the bill and the metrics show" },
    { OWNER("namespace: a, team: \"\""), 3, 26, "team must not be empty", "" },
    { OWNER("namespace: a, team: (idle)"), 3, 26, "\"(idle)\" looks like a bucket", BUCKET_HINT },
    { OWNER("namespace: a, team: {value}"), 3, 26, "team must be text, not a map", "quote text that begins with \"{\"" },
    { OWNER("namespace: a, team: [x]"), 3, 26, "team must be text, not a list", "quote text that begins with \"[\"" },
    { OWNER("namespace: a, team: '{value}'"), 3, 26,
      "\"{value}\" is the value of a label, and this line asks for none", VALUE_HINT },
    { OWNER("namespace: a, workload: b, node: c, team: '{value}'"), 3, 48,
      "\"{value}\" is the value of a label, and this line asks for none", VALUE_HINT },
    { OWNER("pod_label: {name: a}, team: '{name}'"), 3, 34, "team \"{name}\" holds braces other than one \"{value}\"",
      "\"{value}\" stands for the value of the label that the line matches" },
    { OWNER("pod_label: {name: a}, team: '{value}-{value}'"), 3, 34,
      "team \"{value}-{value}\" holds braces other than one \"{value}\"",
      "\"{value}\" stands for the value of the label that the line matches" },
    { OWNER("pod_label: {name: a}, team: 'a}{value}'"), 3, 34, "team \"a}{value}\" holds braces other than one \"{value}\"",
      "\"{value}\" stands for the value of the label that the line matches" },
    { OWNER("namespace: *, team: x"), 3, 17, "text that begins with \"*\" must be quoted (YAML aliases are not taken)",
      "a glob, for example: \"*\"" },
    { OWNER("namespace: [], team: x"), 3, 17, "namespace must not be an empty list", "" },
    { OWNER("namespace: [a, ], team: \"\""), 3, 30, "team must not be empty", "" },
    { OWNER("namespace: 'a,b', team: x"), 3, 17, "namespace \"a,b\" cannot hold \",\"", "several are written as a list: [\"a-*\", b]" },
    { OWNER("namespace: [a, 'x[0-9]'], team: x"), 3, 21, "namespace \"x[0-9]\" cannot hold \"[\"", GLOB_HINT },
    { OWNER("namespace: caf\xc3\xa9, team: x"), 3, 17, "namespace \"caf\xc3\xa9\" cannot hold \"\xc3\xa9\"", GLOB_HINT },
    { OWNER("pod_label: team, team: x"), 3, 17, "pod_label must be a map, not text", "write {name: \"team\"}" },
    { OWNER("pod_label: {value: a}, team: x"), 3, 17, "pod_label needs a name", "" },
    { OWNER("pod_label: {name: 'team*'}, team: x"), 3, 24, "name \"team*\" cannot hold \"*\"", LABEL_HINT },
    { OWNER("pod_label: {name: a, value: b c}, team: x"), 3, 34, "value \"b c\" cannot hold \" \"", GLOB_HINT },
    { OWNER("namespace: a, team: x, until: 2026-13-01"), 3, 36, "until \"2026-13-01\" is not a date", DATE_HINT },
    { OWNER("namespace: a, team: x, from: 30:00:00"), 3, 35, "from \"30:00:00\" is not a date", DATE_HINT },
    { OWNER("namespace: a, team: x, from: 2026-10-16, until: 2026-10-16"), 3, 54, "until must be later than from",
      "from is inclusive, until is exclusive" },
    { OWNER("namespace: a, team: x, untill: 2026-10-16"), 3, 29, "unknown key \"untill\"", "did you mean \"until\"?" },
    /* aliases */
    { "alias: {a: b}\n", 2, 1, "unknown key \"alias\"", "did you mean \"aliases\"?" },
    { "aliases: [a]\n", 2, 10, "aliases must be a map, not a list", "" },
    { "aliases: {a: []}\n", 2, 14, "a must not be an empty list", "" },
    { "aliases: {a: [{b: c}]}\n", 2, 15, "a must be text, not a map", "quote text that begins with \"{\"" },
    { "aliases: {a: [(idle)]}\n", 2, 15, "\"(idle)\" looks like a bucket", BUCKET_HINT },
    { "aliases: {(idle): [a]}\n", 2, 11, "\"(idle)\" looks like a bucket", BUCKET_HINT },
    { "aliases:\n  a: [b]\n  b: [c]\n", 3, 7, "\"b\" is a team in line 4: it cannot be another spelling as well", "" },
    { "aliases:\n  a: [x, \"b*\"]\n  c: [y, bd]\n", 4, 10, "\"bd\" is taken by the spellings of line 3 already", "" },
    { "aliases:\n  a: [x]\n  c: [x]\n", 4, 7, "\"x\" is taken by the spellings of line 3 already", "" },
    /* tests */
    { "test: []\n", 2, 1, "unknown key \"test\"", "did you mean \"tests\"?" },
    { "tests: [{team: a}]\n", 2, 9, "a test needs a pod", "" },
    { "tests: [{pod: a/b}]\n", 2, 9, "a test needs the team or bucket to expect", "" },
    { "tests: [{pod: a/b, team: x, bucket: (system)}]\n", 2, 9, "a test expects a team or a bucket, not both", "" },
    { "tests: [{pod: a, team: x}]\n", 2, 15, "pod \"a\" is not of the form namespace/name", "for example nlp/train-1" },
    { "tests: [{pod: a/b/c, team: x}]\n", 2, 15, "pod \"a/b/c\" is not of the form namespace/name", "for example nlp/train-1" },
    { "tests: [{pod: a/b, bucket: (idle)}]\n", 2, 28, "bucket must be (unmapped) or (system), not \"(idle)\"", "" },
    { "tests: [{pod: a/b, bucket: (system), cost_centre: 1}]\n", 2, 51, "a bucket has no cost centre", "" },
    { "tests: [{pod: a/b, team: x, label: {a: b}}]\n", 2, 29, "unknown key \"label\"", "did you mean \"labels\"?" },
    { "tests: [{pod: a/b, team: x, labels: {\"a b\": c}}]\n", 2, 38, "labels \"a b\" cannot hold \" \"", "" },
    { "tests: [{pod: a/b, team: x, labels: {a: \"\"}}]\n", 2, 41, "a must not be empty", "" },
    { "tests: [{pod: a/b, team: x, workload: web}]\n", 2, 39, "workload \"web\" is not of the form Kind/name", WORKLOAD_HINT },
    { "tests: [{pod: a/b, team: x, at: soon}]\n", 2, 33, "at \"soon\" is not a date", DATE_HINT },
    /* cost centres */
    { "cost_centres:\n- {name: a, teams: [x]}\n", 3, 3, "a cost centre needs an id", "" },
    { "cost_centres:\n- {id: a}\n", 3, 3, "cost centre \"a\" needs teams", "" },
    { "cost_centres:\n- {id: a, teams: []}\n", 3, 3, "cost centre \"a\" needs teams", "" },
    { "cost_centres:\n- {id: a, teams: x}\n", 3, 18, "teams must be a list, not text", "" },
    { "cost_centres:\n- {id: a, teams: [(idle)]}\n", 3, 19, "\"(idle)\" looks like a bucket", BUCKET_HINT },
    { "cost_centres:\n- {id: (x), teams: [a]}\n", 3, 8, "\"(x)\" looks like a bucket", BUCKET_HINT },
    { "cost_centres:\n- {id: a, teams: [x, y]}\n- {id: b, teams: [z, x]}\n", 4, 22, "team \"x\" has a cost centre in line 3 already", "" },
    { "cost_centres:\n- {id: a, teams: [x, x]}\n", 3, 22, "team \"x\" has a cost centre in line 3 already", "" },
    { "cost_centres:\n- {id: a, teams: [x]}\n- {id: a, teams: [y]}\n", 4, 8, "cost centre \"a\" stands in line 3 already", "" },
    /* keys without effect are checked like any others */
    { "credits: some\n", 2, 10, "credits must be commitments, all or none, not \"some\"", "" },
    { "idle: {policy: fixed}\n", 2, 16, "the policy fixed needs the key shares", "" },
    { "idle: {policy: to, team: NLP}\naliases: {nlp: [NLP, n*]}\n", 2, 26, "\"NLP\" is another spelling of a team",
      "by aliases it means \"nlp\": write that" },
    { "aliases: {nlp: NLP}\nidle: {policy: fixed, shares: {nlp: 50%, NLP: 50%}}\n", 3, 42, "\"NLP\" is another spelling of a team",
      "by aliases it means \"nlp\": write that" },
    { "aliases: {nlp: NLP}\nidle: {owners: [{node: a, team: NLP}]}\n", 3, 33, "\"NLP\" is another spelling of a team",
      "by aliases it means \"nlp\": write that" },
    { "aliases: {nlp: NLP}\nshared_costs: [{name: a, select: {column: b, glob: c}, method: fixed, shares: {NLP: 100%}}]\n", 3, 80,
      "\"NLP\" is another spelling of a team", "by aliases it means \"nlp\": write that" },
    { "idle: {policy: to}\n", 2, 16, "the policy to needs the key team", "" },
    { "idle: {team: x}\n", 2, 8, "team goes with the policy to only", "" },
    { "idle: {policy: even, shares: {a: 100%}}\n", 2, 22, "shares goes with the policy fixed only", "" },
    { "idle: {policy: fixed, shares: {a: 60%, b: 39%}}\n", 2, 23, "shares must sum to 100%, these sum to 99%", "" },
    { "idle: {include: [(idle)]}\n", 2, 18, "include must be (driver-reserved) or (unattributed), not \"(idle)\"", "" },
    { "idle: {owners: [{node: a}]}\n", 2, 17, "an idle owner needs a team", "" },
    { "idle: {owners: [{team: a}]}\n", 2, 17, "an idle owner needs one of node and node_label", "" },
    { "shared_costs: [{name: a}]\n", 2, 16, "a shared cost needs select", "" },
    { "shared_costs: [{name: a, select: {column: b}}]\n", 2, 34, "select needs one of equals and glob", "" },
    { "shared_costs: [{name: a, select: {column: b, equals: c, glob: d}}]\n", 2, 34, "select needs one of equals and glob", "" },
    { "shared_costs: [{select: {column: b, equals: c}}]\n", 2, 16, "a shared cost needs name", "" },
    { "shared_costs: [{name: a, select: {equals: c}}]\n", 2, 34, "select needs column", "" },
    { "shared_costs: [{name: a, select: {column: b, equals: c}, method: fixed}]\n", 2, 66, "the method fixed needs the key shares", "" },
    { "shared_costs: [{name: a, select: {column: b, equals: c}, shares: {x: 100%}}]\n", 2, 58,
      "shares goes with the method fixed only", "" },
    { "shared_costs: [{name: a, select: {column: b, equals: c}, method: fixed, shares: {x: 99%}}]\n", 2, 73,
      "shares must sum to 100%, these sum to 99%", "" },
    { "shared_costs:\n- {name: a, select: {column: b, equals: c}}\n- {name: a, select: {column: b, equals: d}}\n", 4, 10,
      "shared cost \"a\" stands in line 3 already", "" },
    { "budgets: [{team: a}]\n", 2, 11, "a budget needs month", "" },
    { "budgets: [{team: a, month: lots}]\n", 2, 28, "month must be a decimal number such as \"0.25\", not \"lots\"", "" },
    { "gates: {coverage: 98}\n", 2, 19, "coverage must be a percentage such as \"95%\", not \"98\"", "" },
    { "gates: {max_unmaped: 2%}\n", 2, 9, "unknown key \"max_unmaped\"", "did you mean \"max_unmapped\"?" },
    { "fx: [{month: 2026-13, from: EUR, to: USD, rate: 1}]\n", 2, 14, "month must be a month such as 2026-10, not \"2026-13\"", "" },
    { "fx: [{month: 2026-10, from: eur, to: USD, rate: 1}]\n", 2, 29, "from must be a currency such as USD, not \"eur\"", "" },
    { "fx: [{month: 2026-10, from: EUR, to: USD, rate: 0}]\n", 2, 49, "rate must be more than 0", "" },
    { "fx: [{month: 2026-10, from: EUR, to: USD}]\n", 2, 6, "an fx line needs rate", "" },
    { "capacity_blocks: [{instance_type: a, count: 1, from: 2026-10-05}]\n", 2, 19, "a capacity block needs until", "" },
    { "capacity_blocks: [{count: 0}]\n", 2, 27, "count must be a number from 1 to 10000, not \"0\"", "" },
    { "capacity_blocks: [{count: 2.5}]\n", 2, 27, "count must be a number from 1 to 10000, not \"2.5\"", "" },
    { "capacity_blocks: [{count: 99999999999999999999}]\n", 2, 27, "count must be a number from 1 to 10000, not \"99999999999999999999\"",
      "" },
    { "capacity_blocks: [{fee: 0}]\n", 2, 25, "fee must be an amount of more than 0 such as \"12345.60\", not \"0\"", "" },
    { "capacity_blocks: [{instance_type: a, count: 1, from: 2026-10-05, until: 2026-10-05}]\n", 2, 19,
      "the block ends no later than it starts", "" },
    { "capacity_blocks:\n- {instance_type: a, count: 1, from: 2026-10-05, until: 2026-10-07}\n"
      "- {instance_type: A, count: 1, from: 2026-10-06, until: 2026-10-08, instances: i-1}\n", 4, 3,
      "the block of line 3 has the same type and a part of the same time",
      "instances: [i-0abc, ...] in both says which of them each has paid for" },
    { "fx: [{month: 2026-10, from: EUR, to: EUR, rate: 1}]\n", 2, 6, "from and to are the same currency", "" },
    { "fx:\n- {month: 2026-10, from: EUR, to: USD, rate: 1}\n- {month: 2026-10, from: GBP, to: CHF, rate: 1}\n", 4, 35,
      "the line before converts to USD, this one to CHF", "a report has one currency: give all rates into it" },
    { "fx:\n- {month: 2026-10, from: EUR, to: USD, rate: 1}\n- {month: 2026-10, from: EUR, to: USD, rate: 2}\n", 4, 3,
      "line 3 has a rate of EUR for this month already", "" },
    { "privacy: {pods: hide}\n", 2, 17, "pods must be keep, hash or drop, not \"hide\"", "" },
};

START_TEST(each_mistake_is_told_at_its_place)
{
    assert_mistake(mistakes + _i);
}
END_TEST

START_TEST(idle_goes_where_the_rule_says)
{
    accept("idle: {policy: fixed, scope: all, include: [(unattributed)], shares: {nlp: 60%, cv: 40%},\n"
           "       owners: [{node: \"ml-*\", team: nlp}, {node: [a, b], team: cv},\n"
           "                {node_label: {name: example.com/pool, value: \"nlp-*\"}, team: nlp}]}\n");
    ck_assert_int_eq(r.idle.policy, RULE_IDLE_FIXED);
    ck_assert_int_eq(r.idle.scope, RULE_SCOPE_ALL);
    ck_assert(r.idle.unattributed && !r.idle.reserved);
    ck_assert_uint_eq(r.idle.shares.n, 2);                   /* by name */
    ck_assert_str_eq(r.idle.shares.v[0].team, "cv");
    assert_money(r.idle.shares.v[0].percent, 40000000);
    ck_assert_uint_eq(r.idle.owners.n, 3);
    ck_assert_str_eq(r.idle.owners.v[0].nodes[0], "ml-*");
    ck_assert_str_eq(r.idle.owners.v[1].nodes[1], "b");
    ck_assert_str_eq(r.idle.owners.v[1].team, "cv");
    ck_assert_int_eq(r.idle.owners.v[1].line, 3);
    ck_assert_ptr_eq(r.idle.owners.v[2].nodes, NULL);
    ck_assert_str_eq(r.idle.owners.v[2].label, "example.com/pool");
    ck_assert_str_eq(r.idle.owners.v[2].value_glob, "nlp-*");
}
END_TEST

START_TEST(idle_to_one_team_is_all_of_it)
{
    accept("idle: {policy: to, team: platform}\n");
    ck_assert_int_eq(r.idle.policy, RULE_IDLE_TO);
    ck_assert_int_eq(r.idle.scope, RULE_SCOPE_POOL);
    ck_assert_uint_eq(r.idle.shares.n, 1);
    ck_assert_str_eq(r.idle.shares.v[0].team, "platform");
    assert_money(r.idle.shares.v[0].percent, 100000000);
}
END_TEST

START_TEST(shared_costs_say_which_rows_and_how)
{
    accept("shared_costs:\n- {name: support, select: {column: ServiceName, equals: AWS Support}}\n"
           "- {name: net, select: {column: a/b, glob: \"NAT*\"}, method: fixed, shares: {b: 50%, a: 50%}}\n");
    ck_assert_uint_eq(r.shared_costs.n, 2);
    ck_assert_str_eq(r.shared_costs.v[0].column, "ServiceName");
    ck_assert_str_eq(r.shared_costs.v[0].value, "AWS Support");
    ck_assert(!r.shared_costs.v[0].is_glob && r.shared_costs.v[1].is_glob);
    ck_assert_int_eq(r.shared_costs.v[0].method, RULE_SHARED_PROPORTIONAL);
    ck_assert_int_eq(r.shared_costs.v[1].method, RULE_SHARED_FIXED);
    ck_assert_str_eq(r.shared_costs.v[1].shares.v[0].team, "a");
}
END_TEST

/* --- what is not built --- */

static const struct mistake unbuilt[] = {
    { "mode: chargeback\ngates: {coverage: 98%}\n", 2, 7, "mode chargeback", "in this version: showback" },
    { "budgets:\n- {team: nlp, month: \"40000.00\"}\n", 2, 1, "budgets", "leave it out for now" },
    { "gates: {coverage: \"98%\", max_unmapped: \"2%\", max_no_metrics: \"1%\", min_grade_a: \"80%\"}\n", 2, 1, "gates",
      "leave it out for now" },
    { "privacy: {pods: hash}\n", 2, 17, "privacy of pods: hash", "in this version: keep" },
    { "privacy: {pods: drop}\n", 2, 17, "privacy of pods: drop", "in this version: keep" },
};

START_TEST(each_key_without_effect_is_refused_by_name)
{
    struct mistake m = unbuilt[_i];
    struct buf words = {0};

    buf_addf(&words, "%s is not built yet in this version", m.words);
    m.words = buf_str(&words);
    assert_mistake(&m);
    buf_free(&words);
}
END_TEST

START_TEST(a_mistake_further_down_is_told_before_what_is_not_built)
{
    static const struct mistake m = { "privacy: {pods: drop}\nfx: []\nname: \"\"\n", 4, 7, "name must not be empty", "" };

    assert_mistake(&m);
}
END_TEST

START_TEST(written_defaults_and_empty_lists_of_what_is_not_built_are_fine)
{
    accept("credits: commitments\nidle: {scope: pool, include: [], owners: []}\nshared_costs: []\nbudgets: []\ngates: {}\nfx: []\n"
           "privacy: {pods: keep}\n");
}
END_TEST

/* --- lines that are never reached --- */

static const struct { const char *text; int64_t by; /* the line that takes all; 0: it is reached */ } reaches[] = {
    { "namespace: a, team: x}\n  - {namespace: a, team: y", 3 },
    { "namespace: \"nlp-*\", team: x}\n  - {namespace: nlp-a, team: y", 3 },
    { "namespace: \"nlp-*\", team: x}\n  - {namespace: nlp, team: y", 0 },
    { "namespace: \"nlp-*\", team: x}\n  - {namespace: \"nlp-?\", team: y", 3 },
    { "namespace: \"nlp-?\", team: x}\n  - {namespace: \"nlp-*\", team: y", 0 },
    { "namespace: \"*-dev\", team: x}\n  - {namespace: \"a*-dev\", team: y", 3 },
    { "namespace: \"a*b\", team: x}\n  - {namespace: \"a*\", team: y", 0 },
    { "namespace: \"a*b*c\", team: x}\n  - {namespace: \"aXb?b*cc\", team: y", 3 },
    { "namespace: \"*\", team: x}\n  - {namespace: \"?*\", team: y", 3 },
    { "namespace: \"?*\", team: x}\n  - {namespace: \"a\", team: y", 3 },
    { "namespace: \"*\", team: x}\n  - {pod_label: {name: t}, team: y", 3 },
    { "namespace: \"a*\", team: x}\n  - {pod_label: {name: t}, team: y", 0 },
    { "namespace: [a, \"b*\"], team: x}\n  - {namespace: [bc, a], team: y", 3 },
    { "namespace: [a, \"b*\"], team: x}\n  - {namespace: [bc, c], team: y", 0 },
    { "pod_label: {name: t}, team: x}\n  - {pod_label: {name: t, value: v}, team: y", 3 },
    { "pod_label: {name: t, value: v}, team: x}\n  - {pod_label: {name: t}, team: y", 0 },
    { "pod_label: {name: t, value: \"*\"}, team: x}\n  - {pod_label: {name: t}, team: y", 3 },
    { "pod_label: {name: t}, team: x}\n  - {pod_label: {name: u}, team: y", 0 },
    { "pod_label: {name: t}, team: x}\n  - {namespace_label: {name: t}, team: y", 0 },
    { "pod_label: {name: t}, team: x}\n  - {namespace: \"*\", team: y", 0 },
    /* several labels */
    { "pod_label: {name: [t, u]}, team: x}\n  - {pod_label: {name: u}, team: y", 3 },
    { "pod_label: {name: [t, u]}, team: x}\n  - {pod_label: {name: [u, t], value: [a, b]}, team: y", 3 },
    { "pod_label: {name: [t, u]}, team: x}\n  - {pod_label: {name: [u, v]}, team: y", 0 },
    { "pod_label: {name: t, value: [a, \"b*\"]}, team: x}\n  - {pod_label: {name: t, value: [bc, a]}, team: y", 3 },
    { "pod_label: {name: t, value: [a, \"b*\"]}, team: x}\n  - {pod_label: {name: t, value: [bc, c]}, team: y", 0 },
    /* the other matchers */
    { "pod_annotation: {name: t}, team: x}\n  - {pod_label: {name: t}, team: y", 0 },
    { "workload: web, team: x}\n  - {workload: \"Deployment/web\", team: y", 3 },
    { "workload: \"Deployment/web\", team: x}\n  - {workload: web, team: y", 0 },
    { "workload: \"*\", team: x}\n  - {namespace: a, team: y", 3 },
    { "workload: \"Deployment/*\", team: x}\n  - {namespace: a, team: y", 0 },
    { "node: \"*\", team: x}\n  - {namespace: a, team: y", 0 },                    /* not every pod's node is known */
    { "node: \"gke-*\", team: x}\n  - {node: gke-1, team: y", 3 },
    { "node_pool: \"*\", team: x}\n  - {node_pool: a, team: y", 3 },
    { "node_pool: a, team: x}\n  - {node_pool: \"*\", team: y", 0 },
    { "node_label: {name: p}, team: x}\n  - {node_label: {name: p, value: v}, team: y", 3 },
    /* several matchers: the more, the less is matched */
    { "namespace: a, team: x}\n  - {namespace: a, pod_label: {name: t}, team: y", 3 },
    { "namespace: a, pod_label: {name: t}, team: x}\n  - {namespace: a, team: y", 0 },
    { "namespace: \"a*\", pod_label: {name: t}, team: x}\n  - {pod_label: {name: t, value: v}, namespace: ab, node: n, team: y", 3 },
    { "namespace: \"a*\", pod_label: {name: t}, team: x}\n  - {pod_label: {name: u}, namespace: ab, team: y", 0 },
    { "namespace: \"*\", pod_label: {name: t}, team: x}\n  - {pod_label: {name: t}, team: y", 3 },
    { "namespace: [a, b], node: n, team: x}\n  - {namespace: [b, a], node: n, team: y", 3 },
    { "namespace: [a, b], node: n, team: x}\n  - {namespace: [b, a], node: m, team: y", 0 },
    /* dates */
    { "namespace: a, team: x, until: 2026-10-16}\n  - {namespace: a, team: y", 0 },
    { "namespace: a, team: x}\n  - {namespace: a, team: y, from: 2026-10-16", 3 },
    { "namespace: a, team: x, from: 2026-10-01}\n  - {namespace: a, team: y, from: 2026-10-16, until: 2026-11-01", 3 },
    { "namespace: a, team: x, from: 2026-10-16}\n  - {namespace: a, team: y, from: 2026-10-01", 0 },
};

START_TEST(a_line_that_earlier_ones_leave_nothing_to_is_an_error)
{
    struct buf text = {0};
    int rc;

    buf_addf(&text, OWNER("%s"), reaches[_i].text);
    rc = read_rule(buf_str(&text));
    buf_free(&text);
    if (reaches[_i].by == 0) {
        ck_assert_msg(rc == 0, "%s", e.text);
        return;
    }
    ck_assert_int_eq(rc, -1);
    ck_assert_str_eq(e.text, "this owner line is never reached: line 3 takes what it matches");
    ck_assert_str_eq(e.hint, REACH_HINT);
    ck_assert_int_eq(e.line, 4);
    ck_assert_int_eq(e.column, 5);
}
END_TEST

START_TEST(a_list_may_be_taken_by_several_lines_together)
{
    ck_assert_int_eq(read_rule("owners:\n- {namespace: a, team: x}\n- {namespace: b, team: y}\n- {namespace: [b, a], team: z}\n"), -1);
    ck_assert_str_eq(e.text, "this owner line is never reached: line 4 takes what it matches");
    ck_assert_int_eq(e.line, 5);
}
END_TEST

START_TEST(too_many_owner_patterns_are_refused)
{
    struct buf text = {0};

    buf_adds(&text, "owners:\n- {team: x, namespace: [n0");
    for (int i = 1; i < 10000; i++)
        buf_addf(&text, ", n%d", i);
    buf_adds(&text, "]}\n");
    accept(buf_str(&text));
    rule_free(&r);
    buf_adds(&text, "- {team: x, namespace: m}\n");
    ck_assert_int_eq(read_rule(buf_str(&text)), -1);
    ck_assert_str_eq(e.text, "the owner lines hold more than 10000 patterns");
    ck_assert_int_eq(e.line, 4);
    buf_free(&text);
}
END_TEST

/* --- files that are no rules --- */

static const struct mistake no_rules[] = {
    { "", 1, 1, "the key \"schema\" is missing", "add the line: schema: gputab.rule/1" },
    { "# nothing\n", 1, 1, "the key \"schema\" is missing", "add the line: schema: gputab.rule/1" },
    { "# no schema\nname: x\nnonsense: y\n", 2, 1, "the key \"schema\" is missing", "add the line: schema: gputab.rule/1" },
    { "nonsense: x\nschema: gputab.rule/2\n", 2, 9, "schema \"gputab.rule/2\" is not known", "this version reads gputab.rule/1" },
    { "schema: [1]\n", 1, 9, "schema must be text, not a list", "quote text that begins with \"[\"" },
    { "- schema\n", 1, 1, "the document must be a map, not a list", "" },
    { "just text\n", 1, 1, "the document must be a map, not text", "" },
    { "\tschema: x\n", 1, 1, "a tab in the indentation", "indent with spaces" },
};

START_TEST(a_file_that_is_no_rule_is_told_so)
{
    const struct mistake *m = no_rules + _i;

    write_rule("", m->text);
    ck_assert_int_eq(rule_read(path, &r, &d, &e), -1);
    ck_assert_str_eq(e.text, m->words);
    ck_assert_str_eq(e.hint, m->hint);
    ck_assert_int_eq(e.line, m->line);
    ck_assert_int_eq(e.column, m->column);
}
END_TEST

START_TEST(a_file_that_is_missing_or_too_large_is_an_input_error)
{
    struct buf text = {0};

    ck_assert_int_eq(rule_read("/nonexistent/rule.yaml", &r, &d, &e), -1);
    ck_assert_int_eq(e.code, ERR_INPUT);
    ck_assert_str_eq(e.file, "/nonexistent/rule.yaml");
    rule_free(&r);
    memset(&e, 0, sizeof e);
    buf_fill(&text, '#', 1024 * 1024);
    ck_assert_int_eq(read_rule(buf_str(&text)), -1);
    ck_assert_int_eq(e.code, ERR_INPUT);
    buf_free(&text);
}
END_TEST

static Suite *suite(void)
{
    Suite *s = suite_create("rule_source");
    TCase *t = tcase_create("rule_source");

    suite_add_tcase(s, t);
    tcase_add_checked_fixture(t, setup, teardown);
    tcase_add_test(t, without_a_file_the_defaults_hold_and_the_digest_is_that_of_nothing);
    tcase_add_test(t, a_file_with_nothing_but_its_schema_gives_the_defaults_and_its_own_digest);
    tcase_add_test(t, the_example_gives_its_names_and_prices);
    tcase_add_test(t, the_example_gives_its_owners_in_order);
    tcase_add_test(t, the_example_gives_its_cost_centres_as_text);
    tcase_add_test(t, every_acceptance_case_has_a_rule_that_loads);
    tcase_add_test(t, text_is_typed_by_the_schema);
    tcase_add_loop_test(t, each_name_has_its_meaning, 0, (int)(sizeof names / sizeof *names));
    tcase_add_test(t, attached_is_kept_apart_or_included);
    tcase_add_test(t, prices_are_exact_with_or_without_quotes);
    tcase_add_test(t, a_price_with_more_than_12_decimals_is_rounded_and_counted);
    tcase_add_test(t, on_demand_prices_are_by_type_and_region);
    tcase_add_test(t, shares_may_leave_out_what_is_nothing);
    tcase_add_test(t, durations_are_milliseconds);
    tcase_add_test(t, dates_are_utc_and_a_date_alone_is_its_first_instant);
    tcase_add_test(t, rates_are_exact_and_by_month);
    tcase_add_test(t, capacity_blocks_are_read_in_order);
    tcase_add_test(t, a_label_line_may_ask_for_a_value);
    tcase_add_test(t, a_line_may_ask_for_several_things_in_any_order);
    tcase_add_test(t, aliases_list_the_spellings_of_a_team);
    tcase_add_test(t, tests_say_what_they_expect);
    tcase_add_loop_test(t, each_mistake_is_told_at_its_place, 0, (int)(sizeof mistakes / sizeof *mistakes));
    tcase_add_test(t, idle_goes_where_the_rule_says);
    tcase_add_test(t, shared_costs_say_which_rows_and_how);
    tcase_add_test(t, idle_to_one_team_is_all_of_it);
    tcase_add_loop_test(t, each_key_without_effect_is_refused_by_name, 0, (int)(sizeof unbuilt / sizeof *unbuilt));
    tcase_add_test(t, a_mistake_further_down_is_told_before_what_is_not_built);
    tcase_add_test(t, written_defaults_and_empty_lists_of_what_is_not_built_are_fine);
    tcase_add_loop_test(t, a_line_that_earlier_ones_leave_nothing_to_is_an_error, 0, (int)(sizeof reaches / sizeof *reaches));
    tcase_add_test(t, a_list_may_be_taken_by_several_lines_together);
    tcase_add_test(t, too_many_owner_patterns_are_refused);
    tcase_add_loop_test(t, a_file_that_is_no_rule_is_told_so, 0, (int)(sizeof no_rules / sizeof *no_rules));
    tcase_add_test(t, a_file_that_is_missing_or_too_large_is_an_input_error);
    return s;
}

int main(void)
{
    return unit_run(suite());
}
