/* rule_show: a rule in full is the same rule, and shown again the same text. */
#include <glob.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "gputab/base/file.h"
#include "gputab/codec/yaml.h"
#include "gputab/source/rule.h"
#include "gputab/source/rule_show.h"
#include "unit.h"

static struct err e;
static char path[64];

static void setup(void)
{
    int fd;

    memset(&e, 0, sizeof e);
    strcpy(path, "/tmp/gputab-show-XXXXXX");
    fd = mkstemp(path);
    ck_assert_int_ge(fd, 0);
    close(fd);
}

static void teardown(void)
{
    unlink(path);
}

static void write_file(const char *text)
{
    FILE *f = fopen(path, "w");

    ck_assert_ptr_nonnull(f);
    fputs(text, f);
    fclose(f);
}

static char *show(const char *file)
{
    struct buf out = {0};
    struct diag d = {0};

    ck_assert_msg(rule_show(file, &out, &d, &e) == 0, "%s: %lld: %s", file ? file : "none", (long long)e.line, e.text);
    diag_free(&d);
    return buf_take(&out);
}

/* What is shown of the file, shown again. */
static char *show_again(const char *shown)
{
    write_file(shown);
    return show(path);
}

static void has(const char *text, const char *line)
{
    ck_assert_msg(strstr(text, line) != NULL, "no line \"%s\" in\n%s", line, text);
}

START_TEST(without_a_file_the_defaults_are_shown_and_read_back)
{
    char *shown = show(NULL), *again = show_again(shown);
    struct rule r = {0}, defaults;

    ck_assert_str_eq(again, shown);
    has(shown, "\nname: default                           # default\n");
    has(shown, "\n  min_coverage: \"95%\"                   # default\n");
    has(shown, "\n  # interval: from the samples\n");
    has(shown, "\nsplit: {}\n  # method: ");       /* of which nothing can be written that every method takes */
    has(shown, "\n# owners: the team is the namespace\n");
    ck_assert_int_eq(rule_read(path, &r, NULL, &e), 0);
    rule_defaults(&defaults);
    ck_assert_str_eq(r.name, defaults.name);
    ck_assert_str_eq(r.version, defaults.version);
    ck_assert_int_eq(r.mode, defaults.mode);
    ck_assert_int_eq(r.cost, defaults.cost);
    ck_assert_int_eq(r.credits, defaults.credits);
    ck_assert_int_eq(memcmp(&r.split, &defaults.split, sizeof r.split), 0);
    ck_assert_int_eq(memcmp(&r.gpu, &defaults.gpu, sizeof r.gpu), 0);
    ck_assert_int_eq(r.basis, defaults.basis);
    ck_assert_int_eq(r.attached_include, defaults.attached_include);
    ck_assert(!r.has_owners);
    rule_free(&r);
    free(shown);
    free(again);
}
END_TEST

START_TEST(what_is_written_stays_as_it_is)
{
    char *shown, *again;

    write_file("tests: []\nschema: gputab.rule/1\nversion: 007\ngpu: {interval: 90, denominator: usable, max_gap: 5m}\n"
               "owners:\n- team: \"{value}\"\n  pod_label: {name: [team, x.y/z]}\n  from: 2026-10-01\n"
               "- {namespace: [\"a*\", no], bucket: (system)}\naliases: {\"q\\\"\\\\\": [yes, \"1\"]}\n");
    shown = show(path);
    has(shown, "schema: gputab.rule/1                   # needed\n");
    has(shown, "\nversion: \"007\"\n");
    has(shown, "\n  interval: \"90\"\n");
    has(shown, "\n  denominator: usable\n");
    has(shown, "\n  max_gap: 5m                           # default\n");      /* written, and as it would be anyway */
    has(shown, "\nowners:\n  - {team: \"{value}\", pod_label: {name: [team, x.y/z]}, from: \"2026-10-01\"}\n"
               "  - {namespace: [\"a*\", \"no\"], bucket: \"(system)\"}\n");
    has(shown, "\naliases:\n  \"q\\\"\\\\\": [\"yes\", \"1\"]\n");
    again = show_again(shown);
    ck_assert_str_eq(again, shown);
    free(shown);
    free(again);
}
END_TEST

START_TEST(every_rule_at_hand_is_shown_as_itself)
{
    static const char *const patterns[] = {"tests/cases/*/rule.yaml", "examples/*/rule.yaml"};
    size_t n = 0;

    for (size_t i = 0; i < sizeof patterns / sizeof *patterns; i++) {
        glob_t g;

        ck_assert_int_eq(glob(patterns[i], 0, NULL, &g), 0);
        for (size_t k = 0; k < g.gl_pathc; k++) {
            struct rule r = {0};
            char *shown, *again;

            if (rule_read(g.gl_pathv[k], &r, NULL, &e) == 0) {
                shown = show(g.gl_pathv[k]);
                again = show_again(shown);
                ck_assert_str_eq(again, shown);
                free(shown);
                free(again);
                n++;
            }
            memset(&e, 0, sizeof e);
            rule_free(&r);
        }
        globfree(&g);
    }
    ck_assert_uint_ge(n, 23);
}
END_TEST

START_TEST(what_is_refused_is_not_shown)
{
    struct buf out = {0};

    write_file("schema: gputab.rule/1\ncost: efective\n");
    ck_assert_int_eq(rule_show(path, &out, NULL, &e), -1);
    ck_assert_int_eq(e.line, 2);
    ck_assert_uint_eq(out.n, 0);
    buf_free(&out);
}
END_TEST

/* What rule_read has read is shown without its file, which may have been a pipe. */
START_TEST(a_rule_that_was_read_is_shown_without_its_file)
{
    static const char *const texts[] = {"schema: gputab.rule/1\nname: kept\ngpu: {max_gap: 7m}\n", NULL};

    for (size_t i = 0; i < 2; i++) {
        struct buf out = {0};
        struct rule r = {0};
        char *want;

        if (texts[i])
            write_file(texts[i]);
        want = show(texts[i] ? path : NULL);
        ck_assert_int_eq(rule_read(texts[i] ? path : NULL, &r, NULL, &e), 0);
        write_file("schema: another");
        ck_assert_int_eq(rule_show_read(&r, &out, &e), 0);
        ck_assert_str_eq(buf_str(&out), want);
        free(want);
        buf_free(&out);
        rule_free(&r);
    }
}
END_TEST

int main(void)
{
    Suite *s = suite_create("rule_show");
    TCase *c = tcase_create("rule_show");

    tcase_add_checked_fixture(c, setup, teardown);
    tcase_add_test(c, without_a_file_the_defaults_are_shown_and_read_back);
    tcase_add_test(c, what_is_written_stays_as_it_is);
    tcase_add_test(c, every_rule_at_hand_is_shown_as_itself);
    tcase_add_test(c, what_is_refused_is_not_shown);
    tcase_add_test(c, a_rule_that_was_read_is_shown_without_its_file);
    suite_add_tcase(s, c);
    return unit_run(s);
}
