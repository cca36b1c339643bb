/* fuzz_report_file: report files that `gputab explain --report` reads. What is read is an explanation with rows, that two renderers show:
 * as text of which no line breaks off, and as JSON that is well formed. */
#include "fuzz_file.h"
#include "gputab/cli/explain_args.h"
#include "gputab/codec/json_in.h"
#include "gputab/render/explained.h"

static int ignore(void *ctx, enum json_in_kind kind, struct span text, struct err *e)
{
    (void)ctx;
    (void)kind;
    (void)text;
    (void)e;
    return 0;
}

static void check_shown(const struct explanation *x)
{
    struct render_cfg cfg = {.width = 60};
    struct sink text = {.take = NULL}, json = {.take = NULL};
    struct json_in *j = json_in_new(ignore, NULL);
    struct err e = {0};

    explained_text(x, &cfg, &text);
    FUZZ_CHECK(text.text.n > 0 && text.text.p[text.text.n - 1] == '\n');
    explained_json(x, &json);
    FUZZ_CHECK(json_in_feed(j, json.text.p, json.text.n, &e) == 0 && json_in_end(j, &e) == 0);
    json_in_free(j);
    sink_free(&text);
    sink_free(&json);
}

static void read_as(struct span bytes, enum explain_kind kind, const char *name)
{
    struct fuzz_file f = fuzz_file_open(bytes);
    struct explain_args a = {.file = f.path};
    struct explanation x = {0};
    struct err e = {0};
    int rc;

    a.subject[kind] = name;
    rc = explain_file(&a, &x, &e);
    FUZZ_CHECK((rc < 0) == (e.code != ERR_NONE));
    FUZZ_CHECK(rc < 0 || x.rows.n > 0);
    if (rc == 0)
        check_shown(&x);
    explanation_free(&x);
    fuzz_file_close(&f);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct span bytes = {(const char *)data, size};

    read_as(bytes, EXPLAIN_TEAM, "*");
    read_as(bytes, EXPLAIN_BUCKET, "(idle)");
    return 0;
}
