/* prom_access_test: which variables count for which server, and which do not go together. What they do on the wire: tests/http. */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "gputab/cli/prom_access.h"
#include "unit.h"

/* The environment of one test, "NAME=value" each, NULL-terminated. What is read may be borrowed from it until the next one. */
static int read_with_keys(const char *const *variables, const char *server, const struct settings_access *keys, struct prom_access *a,
                          struct err *e)
{
    clearenv();
    for (; *variables; variables++) {
        const char *value = strchr(*variables, '=') + 1;
        char *name = strndup(*variables, (size_t)(value - *variables) - 1);

        ck_assert_int_eq(setenv(name, value, 1), 0);
        free(name);
    }
    return prom_access_read(a, server, keys, e);
}

static int read_with(const char *const *variables, const char *server, struct prom_access *a, struct err *e)
{
    return read_with_keys(variables, server, NULL, a, e);
}

static void check_refused(const char *const *variables, const char *server, const char *text)
{
    struct prom_access a = {0};
    struct err e = {0};

    ck_assert_int_eq(read_with(variables, server, &a, &e), -1);
    ck_assert_int_eq(e.code, ERR_USAGE);
    ck_assert_str_eq(e.text, text);
    ck_assert_ptr_null(strstr(e.hint, "s3cret"));
    prom_access_free(&a);
}

START_TEST(nothing_is_set_by_an_empty_environment)
{
    struct prom_access a = {0};
    struct err e = {0};
    static const char *const none[] = {"GPUTAB_PROM_TOKEN=", "AWS_ACCESS_KEY_ID=id", "AWS_SECRET_ACCESS_KEY=s3cret", NULL};

    ck_assert_int_eq(read_with(none, "eu", &a, &e), 0);
    ck_assert(!a.http.token && !a.http.user && !a.http.password && !a.http.aws_region && !a.http.aws_key_id && !a.http.aws_secret);
    ck_assert_ptr_null(a.http.headers[0]);
    prom_access_free(&a);
}
END_TEST

START_TEST(a_server_has_its_own_before_what_is_for_all)
{
    static const struct { const char *server, *token, *user, *password, *tenant; } cases[] = {
        {NULL, "all", NULL, NULL, "X-Scope-OrgID: 1"},
        {"asia", "all", NULL, NULL, "X-Scope-OrgID: 1"},
        {"eu", "eu", NULL, NULL, "X-Scope-OrgID: 1"},
        {"EU", "eu", NULL, NULL, "X-Scope-OrgID: 1"},
        {"us-east.1", NULL, "tina", NULL, "X-Scope-OrgID: 1"},       /* a user and no password: that for all is of another login */
        {"m\xc3\xbcnchen", "all", NULL, NULL, "X-Scope-OrgID: 2"},   /* one character, one _ */
    };
    static const char *const variables[] = {"GPUTAB_PROM_TOKEN=all", "GPUTAB_PROM_TENANT=1", "GPUTAB_PROM_EU_TOKEN=eu",
                                            "GPUTAB_PROM_US_EAST_1_USER=tina", "GPUTAB_PROM_M_NCHEN_TENANT=2", NULL};

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct prom_access a = {0};
        struct err e = {0};

        ck_assert_msg(read_with(variables, cases[i].server, &a, &e) == 0, "case %zu: %s", i, e.text);
        ck_assert_pstr_eq(a.http.token, cases[i].token);
        ck_assert_pstr_eq(a.http.user, cases[i].user);
        ck_assert_pstr_eq(a.http.password, cases[i].password);
        ck_assert_str_eq(a.http.headers[0], cases[i].tenant);
        ck_assert_ptr_null(a.http.headers[1]);
        prom_access_free(&a);
    }
}
END_TEST

/* Group by group: the keys of the settings, the server's own variables, the variables for all. */
START_TEST(keys_stand_before_variables_of_the_server_and_those_for_all)
{
    static const struct { const char *server; struct settings_access keys; const char *token, *user, *tenant, *region; } cases[] = {
        {NULL, {0}, "all", NULL, "X-Scope-OrgID: 1", NULL},
        {NULL, {.user = "kim"}, NULL, "kim", "X-Scope-OrgID: 1", NULL},
        {"asia", {.user = "kim", .tenant = "3"}, NULL, "kim", "X-Scope-OrgID: 3", NULL},
        {"asia", {.tenant = "3"}, "all", NULL, "X-Scope-OrgID: 3", NULL},
        {"eu", {.user = "kim", .tenant = "3"}, NULL, "kim", "X-Scope-OrgID: 3", NULL},
        {"eu", {.tenant = "3"}, "eu", NULL, "X-Scope-OrgID: 3", NULL},
        {"asia", {.sigv4_region = "eu-west-1"}, NULL, NULL, "X-Scope-OrgID: 1", "eu-west-1"},
    };
    static const char *const variables[] = {"GPUTAB_PROM_TOKEN=all", "GPUTAB_PROM_TENANT=1", "GPUTAB_PROM_EU_TOKEN=eu",
                                            "AWS_ACCESS_KEY_ID=aws-id", "AWS_SECRET_ACCESS_KEY=aws-secret", NULL};

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct prom_access a = {0};
        struct err e = {0};

        ck_assert_msg(read_with_keys(variables, cases[i].server, &cases[i].keys, &a, &e) == 0, "case %zu: %s", i, e.text);
        ck_assert_pstr_eq(a.http.token, cases[i].token);
        ck_assert_pstr_eq(a.http.user, cases[i].user);
        ck_assert_pstr_eq(a.http.aws_region, cases[i].region);
        ck_assert_pstr_eq(a.http.aws_key_id, cases[i].region ? "aws-id" : NULL);
        ck_assert_str_eq(a.http.headers[0], cases[i].tenant);
        prom_access_free(&a);
    }
}
END_TEST

START_TEST(files_of_keys_are_read_and_named)
{
    static const char *const none[] = {NULL};
    struct prom_access a = {0};
    struct err e = {0};
    char path[] = "/tmp/gputab-access-XXXXXX";
    int fd = mkstemp(path);

    ck_assert_int_eq(write(fd, "s3cret\r\n", 8), 8);
    close(fd);
    ck_assert_int_eq(read_with_keys(none, "eu", &(struct settings_access){.token_file = path}, &a, &e), 0);
    ck_assert_str_eq(a.http.token, "s3cret");
    prom_access_free(&a);
    unlink(path);
    ck_assert_int_eq(read_with_keys(none, "eu", &(struct settings_access){.token_file = path}, &a, &e), -1);
    ck_assert_str_eq(e.text, "token_file: cannot open: No such file or directory");
    prom_access_free(&a);
    err_clear(&e);
    ck_assert_int_eq(read_with_keys(none, "eu", &(struct settings_access){.ca_file = "/none"}, &a, &e), -1);
    ck_assert_str_eq(e.text, "ca_file: \"/none\" cannot be read: No such file or directory");
    prom_access_free(&a);
    err_clear(&e);
    ck_assert_int_eq(read_with_keys(none, NULL, &(struct settings_access){.sigv4_region = "eu-west-1"}, &a, &e), -1);
    ck_assert_str_eq(e.text, "sigv4_region is set, but no access key");
    prom_access_free(&a);
}
END_TEST

START_TEST(the_key_of_a_signature_comes_from_one_place)
{
    static const struct { const char *server, *region, *key_id, *secret, *session; } cases[] = {
        {NULL, "eu-central-1", "aws-id", "aws-secret", "aws-session"},
        {"b", "us-east-1", "b-id", "b-secret", NULL},                /* AWS's session is of AWS's key */
    };
    static const char *const variables[] = {"GPUTAB_PROM_SIGV4_REGION=eu-central-1", "AWS_ACCESS_KEY_ID=aws-id",
                                            "AWS_SECRET_ACCESS_KEY=aws-secret", "AWS_SESSION_TOKEN=aws-session",
                                            "GPUTAB_PROM_B_SIGV4_REGION=us-east-1", "GPUTAB_PROM_B_SIGV4_KEY_ID=b-id",
                                            "GPUTAB_PROM_B_SIGV4_SECRET=b-secret", NULL};

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct prom_access a = {0};
        struct err e = {0};

        ck_assert_msg(read_with(variables, cases[i].server, &a, &e) == 0, "case %zu: %s", i, e.text);
        ck_assert_str_eq(a.http.aws_region, cases[i].region);
        ck_assert_str_eq(a.http.aws_key_id, cases[i].key_id);
        ck_assert_str_eq(a.http.aws_secret, cases[i].secret);
        ck_assert_pstr_eq(a.http.aws_session, cases[i].session);
        prom_access_free(&a);
    }
}
END_TEST

START_TEST(what_does_not_go_together_is_named)
{
    static const struct { const char *variables[4]; const char *server, *text; } cases[] = {
        {{"GPUTAB_PROM_TOKEN=s3cret", "GPUTAB_PROM_SIGV4_REGION=r"}, NULL,
         "both GPUTAB_PROM_TOKEN and GPUTAB_PROM_SIGV4_REGION are set: which one counts?"},
        {{"GPUTAB_PROM_PASSWORD=s3cret", "GPUTAB_PROM_SIGV4_SECRET=s3cret"}, NULL,
         "both GPUTAB_PROM_PASSWORD and GPUTAB_PROM_SIGV4_SECRET are set: which one counts?"},
        {{"GPUTAB_PROM_A_TOKEN=s3cret", "GPUTAB_PROM_A_USER=u", "GPUTAB_PROM_SIGV4_REGION=r"}, "a",
         "both GPUTAB_PROM_A_TOKEN and GPUTAB_PROM_A_USER are set: which one counts?"},
        {{"GPUTAB_PROM_A_TOKEN=s3cret", "GPUTAB_PROM_A_TOKEN_FILE=/dev/null"}, "a",
         "both GPUTAB_PROM_A_TOKEN and GPUTAB_PROM_A_TOKEN_FILE are set"},
        {{"GPUTAB_PROM_A_SIGV4_KEY_ID=id"}, "a", "GPUTAB_PROM_A_SIGV4_KEY_ID is set without GPUTAB_PROM_A_SIGV4_REGION"},
        {{"GPUTAB_PROM_SIGV4_REGION=r"}, NULL, "GPUTAB_PROM_SIGV4_REGION is set, but no access key"},
        {{"GPUTAB_PROM_SIGV4_REGION=r", "AWS_ACCESS_KEY_ID=id"}, NULL, "GPUTAB_PROM_SIGV4_REGION is set, but no secret of the access key"},
        {{"GPUTAB_PROM_SIGV4_REGION=r", "GPUTAB_PROM_SIGV4_KEY_ID=id", "AWS_SECRET_ACCESS_KEY=s3cret"}, NULL,
         "GPUTAB_PROM_SIGV4_REGION is set, but no secret of the access key"},
        {{"GPUTAB_PROM_SIGV4_REGION=eu:s3"}, NULL, "GPUTAB_PROM_SIGV4_REGION is no name of a region"},
        {{"GPUTAB_PROM_A_KEY_FILE=/dev/null", "GPUTAB_PROM_CERT_FILE=/dev/null"}, "a",
         "GPUTAB_PROM_A_KEY_FILE is set without GPUTAB_PROM_A_CERT_FILE"},
        {{"GPUTAB_PROM_PROXY=http://p:s3cret@p", "GPUTAB_PROM_PROXY_FILE=/dev/null"}, NULL,
         "both GPUTAB_PROM_PROXY and GPUTAB_PROM_PROXY_FILE are set"},
        {{"GPUTAB_PROM_TENANT=1\nX-Other: 2"}, NULL, "GPUTAB_PROM_TENANT holds a line end or another control character"},
    };

    check_refused(cases[_i].variables, cases[_i].server, cases[_i].text);
}
END_TEST

START_TEST(headers_are_looked_through)
{
    static const struct { const char *header, *variable, *text; } cases[] = {
        {"authorization: Bearer s3cret", "GPUTAB_PROM_TOKEN=s3cret",
         "both GPUTAB_PROM_TOKEN and Authorization in GPUTAB_PROM_HEADERS_FILE are set: which one counts?"},
        {"x-scope-orgid: 1", "GPUTAB_PROM_TENANT=2",
         "both GPUTAB_PROM_TENANT and X-Scope-OrgID among the headers are set: which one counts?"},
        {"CONTENT-TYPE: text/plain", NULL, "GPUTAB_PROM_HEADERS_FILE: CONTENT-TYPE is not for others to say"},
        {"X: a\vb", NULL, "GPUTAB_PROM_HEADERS_FILE: this line is not of the form Name: value"},
        {"X Y: a", NULL, "GPUTAB_PROM_HEADERS_FILE: this line is not of the form Name: value"},
        {"X:", NULL, "GPUTAB_PROM_HEADERS_FILE: this line is not of the form Name: value"},
        {":a", NULL, "GPUTAB_PROM_HEADERS_FILE: this line is not of the form Name: value"},
    };
    char path[] = "/tmp/prom_access_test.XXXXXX", variable[128];
    const char *variables[] = {variable, cases[_i].variable, NULL};
    int fd = mkstemp(path);

    ck_assert_int_ge(fd, 0);
    ck_assert_int_gt(dprintf(fd, "%s\n", cases[_i].header), 0);
    close(fd);
    snprintf(variable, sizeof variable, "GPUTAB_PROM_HEADERS_FILE=%s", path);
    check_refused(variables, NULL, cases[_i].text);
    unlink(path);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("prom_access");
    TCase *t = tcase_create("all");

    tcase_add_test(t, nothing_is_set_by_an_empty_environment);
    tcase_add_test(t, a_server_has_its_own_before_what_is_for_all);
    tcase_add_test(t, keys_stand_before_variables_of_the_server_and_those_for_all);
    tcase_add_test(t, files_of_keys_are_read_and_named);
    tcase_add_test(t, the_key_of_a_signature_comes_from_one_place);
    tcase_add_loop_test(t, what_does_not_go_together_is_named, 0, 12);
    tcase_add_loop_test(t, headers_are_looked_through, 0, 7);
    suite_add_tcase(s, t);
    return unit_run(s);
}
