/* cmd_report: wires the stages of `gputab report`: rule, inventory, bill, then window by window samples, facts, entries, rows.
 * Each stage is opened here and closed here; what they do stands in their own modules. */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "gputab/base/file.h"
#include "gputab/base/spill.h"
#include "gputab/base/utf8.h"
#include "gputab/cli/interrupt.h"
#include "gputab/cli/message.h"
#include "gputab/cli/report_args.h"
#include "gputab/cli/run_compare.h"
#include "gputab/cli/run_report.h"
#include "gputab/cli/screen.h"
#include "gputab/cli/settle.h"

static time_ms now_ms(void)
{
    return (time_ms)time(NULL) * TIME_SECOND;
}

/* ---- rendering ---- */

static int to_file(void *to, struct span text, struct err *e)
{
    return file_set_write(to, text, e);
}

static int to_spill(void *to, struct span text, struct err *e)
{
    (void)e;
    spill_add(to, text);
    return 0;
}

static int render_to(struct sink *out, const struct render_ops *ops, const struct report *r, const struct render_cfg *cfg, struct err *e)
{
    int rc;

    ops->run(r, cfg, out);
    rc = sink_end(out, e);
    sink_free(out);
    if (rc == 0)
        rc = table_check(&r->table, e);
    for (size_t p = 0; rc == 0 && p < REPORT_PARTS; p++)
        if (r->parts[p])
            rc = table_check(&r->parts[p]->table, e);
    return rc;
}

/* Signals wait while the set changes, not while something is rendered. */
static int begin_file(struct file_set *files, const char *path, struct err *e)
{
    int rc;

    interrupt_hold();
    rc = file_set_begin(files, path, e);
    interrupt_let();
    return rc;
}

static int add_files(struct file_set *files, const struct report_args *a, const struct report *r, const struct render_cfg *cfg, struct err *e)
{
    struct render_cfg plain = *cfg;
    int rc = 0;

    plain.terminal = plain.colour = false;
    for (size_t i = 0; rc == 0 && i < a->files.n; i++) {
        struct sink out = {.take = to_file, .to = files};

        rc = begin_file(files, a->files.v[i].path, e);
        if (rc == 0)
            rc = render_to(&out, a->files.v[i].ops, r, &plain, e);
        if (rc == 0)
            rc = file_set_end(files, e);
    }
    return rc;
}

/* ---- results ---- */

/* Some file systems tell only at a close that there was no room; closing a duplicate makes them tell. */
static int write_stdout(struct spill *text, struct err *e)
{
    struct spill_reader r = spill_read(text, 0, spill_end(text));
    bool good = true;
    struct span piece;
    int copy;

    errno = 0;
    while (good && spill_next(&r, &piece))
        good = fwrite(piece.p, 1, piece.n, stdout) == piece.n;
    spill_reader_free(&r);
    if (good && fflush(stdout) == 0 && (copy = dup(STDOUT_FILENO)) >= 0 && close(copy) == 0)
        return spill_check(text, e);
    return err_set(e, ERR_INTERNAL, "cannot write to standard output: %s", errno ? strerror(errno) : "output error");
}

/* Everything that can fail for want of room or of a reader comes before the first file appears: temporary files, devices and pipes,
 * standard output, which gets its format unless only files were asked for. */
static int stage_results(struct file_set *files, const struct report_args *a, const struct report *r, struct err *e)
{
    struct render_cfg cfg = {.csv_raw = a->csv_raw, .bridge = a->bridge};
    const struct render_ops *ops = a->format ? render_find(span_of(a->format)) : &render_formats[0];
    struct spill *text = spill_new();
    struct sink out = {.take = to_spill, .to = text};
    int rc;

    screen_fill_cfg(&cfg);
    rc = add_files(files, a, r, &cfg, e);
    if (rc == 0 && (a->format || a->files.n == 0))
        rc = render_to(&out, ops, r, &cfg, e);
    if (rc == 0)
        rc = file_set_write_in_place(files, e);
    if (rc == 0 && spill_end(text) > 0)
        rc = write_stdout(text, e);
    spill_free(text);
    return rc;
}

/* From the first rename on a run is not interrupted any more: it ends within moments, with all of its files. */
static int finish(struct file_set *files, int rc, struct err *e)
{
    interrupt_hold();
    if (rc == 0)
        rc = file_set_commit(files, e);
    interrupt_guard(NULL);
    file_set_abort(files);
    if (rc < 0)
        interrupt_let();
    return rc;
}

/* "gputab: read URL by query (remote read: answers 404 Not Found)" */
static void say_source(const struct metrics_opened *o, struct buf *b)
{
    buf_adds(b, "gputab: read ");
    utf8_add_printable(b, span_of(o->name));
    if (o->transport)
        buf_addf(b, " by %s", o->transport);
    if (o->why) {
        buf_adds(b, " (");
        utf8_add_printable(b, span_of(o->why));
        buf_addc(b, ')');
    }
}

/* With -v: what was read, a line per source. */
static void say_inputs(const struct run_report *run, const struct report_args *a)
{
    const struct inventory *inv = &run->inventory;
    size_t n_metrics = metrics_count(run->metrics);
    struct buf b = {0};

    if (a->found.path) {
        buf_adds(&b, "gputab: read ");
        utf8_add_printable(&b, span_of(a->found.path));
        buf_adds(&b, a->taken ? ": settings: " : ": settings");
        settle_add_taken(&b, a);
        buf_addc(&b, '\n');
    }
    for (size_t i = 0; i < run->bill.files.n; i++) {
        const struct bill_file *f = &run->bill.files.v[i];

        buf_adds(&b, "gputab: read ");
        utf8_add_printable(&b, span_of(f->name));
        buf_addf(&b, ": rows %" PRId64 ", of GPU nodes %" PRId64 "\n", f->rows, f->rows_used);
    }
    for (size_t i = 0; i < run->bill_paths.skipped.n; i++) {
        buf_adds(&b, "gputab: passed over ");
        utf8_add_printable(&b, span_of(run->bill_paths.skipped.v[i]));
        buf_adds(&b, ": by its name no part of a bill\n");
    }
    for (size_t i = 0; i < n_metrics; i++) {
        say_source(metrics_opened(run->metrics, i), &b);
        buf_adds(&b, n_metrics > 1 ? "\n" : "");
    }
    buf_adds(&b, n_metrics > 1 ? "gputab: all metrics" : "");      /* of each it is not known */
    buf_addf(&b, ": GPUs %zu, nodes %zu\n", inv->gpus.n, inv->nodes.n);
    message_write(&b);
    buf_free(&b);
}

int cmd_report(const struct report_args *a, struct err *e)
{
    struct run_report run = {0};
    struct file_set *files;
    struct timespan period;
    int rc;

    if (report_args_period(a, now_ms(), &period, e) < 0)
        return -1;
    files = file_set_new();
    interrupt_guard(files);
    rc = a->compare_splits ? run_compare(&run, a, period, e) : run_report(&run, a, period, e);
    if (rc == 0)
        rc = stage_results(files, a, &run.report, e);
    if (rc == 0 && a->verbose)
        say_inputs(&run, a);
    if (!a->quiet)
        message_warnings(&run.diag);
    rc = finish(files, rc, e);
    run_report_free(&run);
    return rc;
}
