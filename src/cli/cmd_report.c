/* cmd_report: wires the stages of `gputab report`: rule, inventory, bill, then window by window samples, facts, entries, rows.
 * Each stage is opened here and closed here; what they do stands in their own modules. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "gputab/base/file.h"
#include "gputab/base/sha256.h"
#include "gputab/cli/message.h"
#include "gputab/cli/report_args.h"
#include "gputab/cli/run_report.h"
#include "gputab/cli/screen.h"

static time_ms now_ms(void)
{
    return (time_ms)time(NULL) * TIME_SECOND;
}

static int render_one(const struct render_ops *ops, const struct report *r, const struct render_cfg *cfg, struct buf *out, struct err *e)
{
    if (ops->run(r, cfg, out, e) < 0)
        return err_wrap(e, "format %s", ops->name);
    return 0;
}

static int add_files(struct file_set *files, const struct report_args *a, const struct report *r, const struct render_cfg *cfg, struct err *e)
{
    struct render_cfg plain = *cfg;
    int rc = 0;

    plain.terminal = plain.colour = false;
    for (size_t i = 0; rc == 0 && i < a->outputs.n; i++) {
        struct buf out = {0};

        rc = render_one(render_by_path(a->outputs.v[i]), r, &plain, &out, e);
        if (rc == 0)
            rc = file_set_add(files, a->outputs.v[i], buf_span(&out), e);
        buf_free(&out);
    }
    return rc;
}

/* All files of the run appear together; standard output gets its format unless only files were asked for. */
static int write_results(const struct report_args *a, const struct report *r, struct err *e)
{
    struct render_cfg cfg = {.csv_raw = a->csv_raw, .bridge = a->bridge};
    const struct render_ops *ops = a->format ? render_find(span_of(a->format)) : &render_formats[0];
    struct file_set *files = file_set_new();
    struct buf out = {0};
    int rc = -1;

    screen_fill_cfg(&cfg);
    if (add_files(files, a, r, &cfg, e) < 0)
        goto out;
    if ((a->format || a->outputs.n == 0) && render_one(ops, r, &cfg, &out, e) < 0)
        goto out;
    if (file_set_commit(files, e) < 0)
        goto out;
    fwrite(buf_str(&out), 1, out.n, stdout);
    file_set_free(files);
    files = NULL;
    rc = 0;
out:
    file_set_abort(files);
    buf_free(&out);
    return rc;
}

int cmd_report(const struct report_args *a, struct err *e)
{
    struct run_report run = {0};
    struct timespan period;
    int rc = -1;

    if (report_args_period(a, now_ms(), &period, e) < 0)
        return -1;
    if (run_report(&run, a, period, e) == 0 && write_results(a, &run.report, e) == 0)
        rc = 0;
    if (!a->quiet)
        message_warnings(&run.diag);
    run_report_free(&run);
    return rc;
}
