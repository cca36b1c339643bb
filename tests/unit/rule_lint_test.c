/* rule_lint: what is found in a rule, and where. Lines are counted with the schema as the first. */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "gputab/base/buf.h"
#include "gputab/source/rule_lint.h"
#include "unit.h"

#define NOW INT64_C(1792108800000)                     /* 2026-10-16: last month began on 2026-09-01 */

static char *lint(const char *text)
{
    char path[] = "/tmp/gputab-lint-XXXXXX";
    struct rule_findings found = {0};
    struct err e = {0};
    struct buf b = {0};
    FILE *f = fdopen(mkstemp(path), "w");

    ck_assert_ptr_nonnull(f);
    fprintf(f, "schema: gputab.rule/1\n%s", text);
    fclose(f);
    ck_assert_int_eq(rule_lint(path, NOW, &found, &e), 0);
    unlink(path);
    for (size_t i = 0; i < found.list.n; i++)
        buf_addf(&b, "%s%lld:%lld %s", found.list.v[i].is_error ? "E" : "", (long long)found.list.v[i].line,
                 (long long)found.list.v[i].column, found.list.v[i].text);
    rule_findings_free(&found);
    return buf_take(&b);
}

static const struct { const char *text, *found; } cases[] = {
    { "owners: [{namespace: a, team: x}]\n", "" },
    /* errors: one under each key, and no doubts beside them */
    { "cost: efective\ngpu: {startup: soon, max_gap: 0}\nowners: [{namespace: A, team: x}]\n",
      "E2:7 cost must be effective, billed, list or net_effective, not \"efective\""
      "E3:16 startup must be a duration such as 30s, 5m or 1h, not \"soon\"" },
    { "owners:\n- {namespace: \"*\", team: x}\n- {namespace: a, team: y}\n",
      "E4:3 this owner line is never reached: line 3 takes what it matches" },
    { "split: {method: shares, shares: {gpu: 90%}}\n", "E2:25 shares must sum to 100%, these sum to 90%" },
    { "mode: chargeback\n", "E2:7 mode chargeback needs gates" },
    /* teams and cost centres */
    { "owners: [{namespace: a, team: x}, {namespace: b, team: y}]\ncost_centres: [{id: 1, teams: [x]}]\n",
      "2:56 team \"y\" is in no cost centre" },
    { "owners: [{namespace: a, team: x}]\ncost_centres: [{id: 1, teams: [x, y]}]\n", "3:35 no owner line gives the team \"y\"" },
    { "owners: [{pod_label: {name: t}, team: \"{value}\"}]\ncost_centres: [{id: 1, teams: [x, y]}]\n", "" },
    { "owners: [{pod_label: {name: t}, team: \"ml-{value}\"}]\ncost_centres: [{id: 1, teams: [ml-x, ml-, y]}]\n",
      "3:38 no owner line gives the team \"ml-\"" "3:43 no owner line gives the team \"y\"" },
    { "cost_centres: [{id: 1, teams: [x]}]\n", "" },                 /* any namespace may be a team */
    { "owners: [{namespace: a, team: NLP}]\naliases: {nlp: [NLP]}\ncost_centres: [{id: 1, teams: [nlp]}]\n", "" },
    { "owners: [{namespace: a, team: nlp}]\naliases: {nlp: [NLP]}\ncost_centres: [{id: 1, teams: [nlp, NLP]}]\n",
      "4:37 team \"NLP\" differs only by case from \"nlp\" in line 2" "4:37 team \"NLP\" is a spelling of \"nlp\": write that" },
    { "owners: [{namespace: a, team: nlp}, {namespace: b, team: Nlp}]\n", "2:58 team \"Nlp\" differs only by case from \"nlp\" in line 2" },
    /* names */
    { "owners: [{namespace: [a, \"NLP-*\"], team: x}]\n", "2:26 namespace \"NLP-*\" matches nothing: no name has capitals" },
    { "owners: [{node: Gke-1, workload: \"deployment/Web\", team: x}]\n",
      "2:17 node \"Gke-1\" matches nothing: no name has capitals" "2:34 the kind \"deployment\" is written \"Deployment\""
      "2:34 workload \"deployment/Web\" matches nothing: no name has capitals" },
    { "owners: [{workload: \"Deployment/web\", team: x}]\n", "" },
    { "owners:\n- {pod_label: {name: t, value: Nlp}, team: x}\n- {pod_label: {name: u, value: nlp}, team: x}\n",
      "4:32 value of pod_label \"nlp\" differs only by case from \"Nlp\" in line 3" },
    /* dates */
    { "owners: [{namespace: a, until: 2026-09-01, team: x}]\n", "2:32 this owner line was over before last month began" },
    { "owners: [{namespace: a, until: 2026-09-02, team: x}]\n", "" },
};

START_TEST(each_doubt_is_told_at_its_place)
{
    char *found = lint(cases[_i].text);

    ck_assert_str_eq(found, cases[_i].found);
    free(found);
}
END_TEST

START_TEST(a_file_that_is_missing_is_an_error_of_its_own)
{
    struct rule_findings found = {0};
    struct err e = {0};

    ck_assert_int_eq(rule_lint("/nonexistent/rule.yaml", NOW, &found, &e), -1);
    ck_assert_int_eq(e.code, ERR_INPUT);
    rule_findings_free(&found);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("rule_lint");
    TCase *c = tcase_create("rule_lint");

    tcase_add_loop_test(c, each_doubt_is_told_at_its_place, 0, (int)(sizeof cases / sizeof *cases));
    tcase_add_test(c, a_file_that_is_missing_is_an_error_of_its_own);
    suite_add_tcase(s, c);
    return unit_run(s);
}
