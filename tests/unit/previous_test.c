/* previous: which reports can be compared with, and what is told of the others. */
#include "gputab/source/previous.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "unit.h"

static char path[] = "/tmp/previous_test.XXXXXX";
static struct notes notes;
static struct err e;
static const char *currency;

static const struct timespan october = {INT64_C(1790812800000), INT64_C(1793491200000)};

static void setup(void)
{
    int fd;

    memcpy(path + strlen(path) - 6, "XXXXXX", 6);
    fd = mkstemp(path);
    ck_assert_int_ge(fd, 0);
    close(fd);
    notes = (struct notes){.only = NULL};
    err_clear(&e);
}

static void teardown(void)
{
    notes_free(&notes);
    unlink(path);
}

static int read_text(const char *text)
{
    FILE *f = fopen(path, "w");

    ck_assert_ptr_nonnull(f);
    fputs(text, f);
    fclose(f);
    return previous_read(path, october, &notes, &currency, &e);
}

#define HEAD "{\"schema\":\"gputab.report/1\",\"period\":{\"from\":\"2026-09-01T00:00:00Z\",\"to\":\"2026-10-01T00:00:00Z\"},\"currency\":\"USD\","
#define BY "\"by\":[\"team\"],"
#define ROWS "\"rows\":[{\"team\":\"nlp\",\"bucket\":null,\"total_cost\":\"10.10\"},{\"team\":\"(idle)\",\"bucket\":\"(idle)\",\"total_cost\":\"-0.10\"}],"
#define TOTALS "\"totals\":{\"total_cost\":\"10.00\"},"
#define REST "\"rule\":{\"name\":\"r\",\"version\":\"1\",\"sha256\":\"aa\"},\"run_id\":\"bb\"}"

START_TEST(a_report_by_team_is_read)
{
    ck_assert_msg(read_text(HEAD BY ROWS TOTALS REST) == 0, "%s", e.text);
    ck_assert_str_eq(currency, "USD");
    ck_assert_int_eq(notes.previous.period.to, october.from);
    ck_assert_uint_eq(notes.previous.teams.n, 2);
    ck_assert_str_eq(notes.previous.teams.v[0].team, "(idle)");
    ck_assert(notes.previous.teams.v[0].bucket && notes.previous.teams.v[0].previous == -MONEY_ONE / 10);
    ck_assert_str_eq(notes.previous.teams.v[1].team, "nlp");
    ck_assert(!notes.previous.teams.v[1].bucket && notes.previous.teams.v[1].previous == 101 * (MONEY_ONE / 10));
    ck_assert_str_eq(notes.previous.rule_version, "1");
    ck_assert_str_eq(notes.previous.run_id, "bb");
}
END_TEST

#define OTHER(text) "{\"schema\":\"gputab.report/1\"," text

static const struct { const char *text, *want; } wrong[] = {
    {"", "not valid JSON"},
    {"{\"schema\":\"gputab.report/1\",}", "not valid JSON"},
    {"[]", "not a report of schema gputab.report/1"},
    {"{\"schema\":\"gputab.report/2\"}", "not a report of schema gputab.report/1"},
    {OTHER("\"draft\":true," BY ROWS TOTALS REST), "the report is a draft"},
    {OTHER("\"filtered\":true," BY ROWS TOTALS REST), "the report is filtered"},
    {OTHER("\"top\":3," BY ROWS TOTALS REST), "the report is cut by --top"},
    {OTHER("\"by\":[\"team\",\"pod\"]," ROWS TOTALS REST), "the report is not by team"},
    {OTHER("\"by\":[7]," ROWS TOTALS REST), "the report is not by team"},
    {OTHER(ROWS TOTALS REST), "the report is not by team"},
    {OTHER("\"period\":{\"from\":\"2026-09-01\"}," BY ROWS TOTALS REST), "period: not a time from an instant to a later one"},
    {OTHER("\"period\":{\"from\":\"2026-09-15\",\"to\":\"2026-10-02\"}," BY ROWS TOTALS REST), "the report is not of a time before this one"},
    {OTHER("\"period\":{\"from\":\"2026-11-01\",\"to\":\"2026-12-01\"}," BY ROWS TOTALS REST), "the report is not of a time before this one"},
    {HEAD BY TOTALS REST, "rows: not a list"},
    {HEAD BY "\"rows\":[{\"team\":\"a\",\"total_cost\":1}]," TOTALS REST, "rows[0]: total_cost is not an amount as text"},
    {HEAD BY "\"rows\":[{\"team\":null,\"total_cost\":\"1\"}]," TOTALS REST, "rows[0]: team is not a text"},
    {HEAD BY "\"rows\":[7]," TOTALS REST, "rows[0]: team is not a text"},
    {HEAD BY ROWS REST, "totals: total_cost is not an amount as text"},
    {HEAD BY ROWS "\"totals\":{\"total_cost\":\"10.01\"}," REST, "the rows do not add up"},
    {HEAD BY "\"rows\":[{\"team\":\"a\",\"total_cost\":\"4.00\"},{\"team\":\"a\",\"total_cost\":\"6.00\"}]," TOTALS REST, "team \"a\" stands twice"},
};

START_TEST(what_cannot_be_compared_with_is_refused)
{
    ck_assert_int_eq(read_text(wrong[_i].text), -1);
    ck_assert_int_eq(e.code, ERR_INPUT);
    ck_assert_msg(strstr(e.text, wrong[_i].want) != NULL, "%s", e.text);
    ck_assert_str_eq(e.file, path);
}
END_TEST

START_TEST(a_missing_file_is_an_input_error)
{
    unlink(path);
    ck_assert_int_eq(previous_read(path, october, &notes, &currency, &e), -1);
    ck_assert_int_eq(e.code, ERR_INPUT);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("previous");
    TCase *c = tcase_create("previous");

    tcase_add_checked_fixture(c, setup, teardown);
    tcase_add_test(c, a_report_by_team_is_read);
    tcase_add_loop_test(c, what_cannot_be_compared_with_is_refused, 0, (int)(sizeof wrong / sizeof *wrong));
    tcase_add_test(c, a_missing_file_is_an_input_error);
    suite_add_tcase(s, c);
    return unit_run(s);
}
