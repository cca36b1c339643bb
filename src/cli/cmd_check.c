/* cmd_check: `gputab check`: what a source of metrics offers for a period, before anybody waits for a month of it; and what a bill holds.
 * Of a server only the last hours of the period are read (all of it when they show no GPU), and how far back it reaches is found by
 * looking from its beginning on. Of a period that it no longer has the last hours until now tell what the exporters offer. */
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "gputab/cli/message.h"
#include "gputab/cli/report_args.h"
#include "gputab/cli/run_report.h"
#include "gputab/cli/screen.h"
#include "gputab/cli/settle.h"
#include "gputab/core/bill_survey.h"
#include "gputab/render/ink.h"

enum { PROBE_MS = 30 * 60 * 1000 };
#define LOOK_MS (6 * TIME_HOUR)

struct check {
    const struct report_args *args;
    time_ms now;
    bool given;                    /* the period, by an option */
    struct timespan period;        /* asked for, until now at most */
    struct timespan looked;        /* at which the survey looks */
    bool after;                    /* that is behind the period, which holds nothing */
    struct timespan reach;         /* of GPU samples; from >= to: none */
    size_t of_metrics;             /* findings; those of the bill follow */
};

/* ---- how far samples reach ---- */

static struct timespan seen_in(const struct inventory *inv)
{
    struct timespan seen = {TIME_MAX, TIME_MIN};

    for (size_t g = 0; g < inv->gpus.n; g++) {
        seen.from = inv->gpus.v[g].first_ms < seen.from ? inv->gpus.v[g].first_ms : seen.from;
        seen.to = inv->gpus.v[g].last_ms > seen.to ? inv->gpus.v[g].last_ms : seen.to;
    }
    return seen;
}

/* 1 and the first sample's instant when the server has GPU samples between t and length later, else 0. */
static int probe(const struct check *c, time_ms t, time_ms length, time_ms *first, struct err *e)
{
    struct run_report run = {.gpus_only = true};
    int rc = run_report_open(&run, c->args, (struct timespan){t, t + length}, e);

    if (rc == 0 && run.inventory.gpus.n > 0) {
        *first = seen_in(&run.inventory).from;
        rc = 1;
    }
    run_report_free(&run);
    return rc;
}

/* The oldest sample behind the period, to the hour; known is one. */
static int find_oldest_after(const struct check *c, time_ms known, time_ms *oldest, struct err *e)
{
    time_ms low = c->period.to, high = known;
    int rc = 0;

    *oldest = known;
    while (rc == 0 && high - low > TIME_HOUR) {
        time_ms middle = time_floor(low + (high - low) / 2, TIME_MINUTE);

        if ((rc = probe(c, middle, PROBE_MS, oldest, e)) > 0) {
            high = middle;
            rc = 0;
        } else {
            low = middle;
        }
    }
    return rc;
}

/* The oldest sample of the period: up to it all answers are empty, so that none costs much; a fleet that slept deceives halving. */
static int find_oldest(const struct check *c, time_ms known, time_ms *oldest, struct err *e)
{
    int rc = 0;

    *oldest = known;
    for (time_ms t = c->period.from; rc == 0 && t < known; t += LOOK_MS)
        rc = probe(c, t, known - t < LOOK_MS ? known - t : LOOK_MS, oldest, e);
    return rc < 0 ? -1 : 0;
}

/* ---- showing ---- */

static const struct { const char *word; enum ink_style style; } levels[] = {
    [SURVEY_FOUND] = {"found", INK_GOOD}, [SURVEY_PARTLY] = {"partly", INK_WARN},
    [SURVEY_MISSING] = {"missing", INK_WARN}, [SURVEY_FATAL] = {"missing!", INK_WARN},
};

static void add_span(struct buf *b, struct timespan span)
{
    time_add_text(b, time_floor(span.from, TIME_SECOND));
    buf_adds(b, " to ");
    time_add_text(b, time_floor(span.to, TIME_SECOND));
}

/* Which settings count, and why these. */
static void show_settings(struct ink *k, const struct report_args *a)
{
    struct buf text = {0};

    settings_find_add_text(&text, &a->found);
    ink_words(k, INK_DIM, buf_str(&text), 2);
    if (a->taken) {
        buf_clear(&text);
        buf_adds(&text, "taken from them: ");
        settle_add_taken(&text, a);
        ink_words(k, INK_DIM, buf_str(&text), 2);
    }
    buf_free(&text);
}

/* What was looked at: of a bill alone all of it counts unless a period is asked for. */
static void show_inputs(struct ink *k, const struct check *c, const struct run_report *run, struct buf *text)
{
    size_t sources = run->metrics ? metrics_count(run->metrics) : 0;

    if (sources || c->given) {
        add_span(text, c->period);
        ink_phrase(k, INK_TEXT, buf_str(text));
        buf_clear(text);
    }
    for (size_t i = 0; i < sources; i++)
        buf_addf(text, "%s%s", i ? ", " : "metrics from ", metrics_opened(run->metrics, i)->name);
    if (sources)
        ink_phrase(k, INK_TEXT, buf_str(text));
    buf_clear(text);
    if (run->bill.files.n)
        buf_addf(text, "bill from %s%s", run->bill.files.v[0].name, run->bill.files.n > 1 ? " and others" : "");
    if (run->bill.files.n)
        ink_phrase(k, INK_TEXT, buf_str(text));
    ink_line(k);
}

static void show_head(struct ink *k, const struct check *c, const struct run_report *run)
{
    struct buf text = {0};

    ink_add(k, INK_LABEL, "CHECK");
    show_inputs(k, c, run, &text);
    if (run->metrics && c->looked.from != c->period.from) {
        buf_clear(&text);
        buf_adds(&text, "looked at ");
        add_span(&text, c->looked);
        ink_add(k, INK_DIM, buf_str(&text));
        ink_line(k);
    }
    show_settings(k, c->args);
    ink_line(k);
    buf_free(&text);
}

static void show_finding(struct ink *k, const struct finding *f)
{
    ink_left(k, levels[f->level].style, levels[f->level].word, 10);
    ink_left(k, INK_BOLD, f->subject, 26);
    ink_words(k, INK_TEXT, f->text, 36);
    if (!f->hint)
        return;
    ink_pad(k, 10);
    ink_add(k, INK_DIM, "> ");
    ink_words(k, INK_DIM, f->hint, 12);
}

static int show(const struct check *c, const struct run_report *run, const struct survey *s)
{
    struct render_cfg cfg = {0};
    struct sink out = {.take = NULL};
    struct ink k = {.out = &out};
    int rc = 0;

    screen_fill_cfg(&cfg);
    k.width = (size_t)cfg.width;
    k.colour = cfg.colour;
    k.ascii = cfg.ascii;
    show_head(&k, c, run);
    for (size_t i = 0; i < s->findings.n; i++) {
        if (i > 0 && i == c->of_metrics)
            ink_line(&k);
        show_finding(&k, &s->findings.v[i]);
        if (s->findings.v[i].level == SURVEY_FATAL)
            rc = ERR_GATE;
    }
    fwrite(buf_str(&out.text), 1, out.text.n, stdout);
    sink_free(&out);
    return rc;
}

/* ---- the command ---- */

static int find_spans(struct check *c, struct err *e)
{
    time_ms now = c->now = (time_ms)time(NULL) * TIME_SECOND;
    bool given = c->given = c->args->month || c->args->last_month || c->args->this_month || c->args->from;

    c->period = timespan_this_month(now);
    if (given && report_args_period(c->args, now, &c->period, e) < 0)
        return -1;
    if (c->period.to > now && now > c->period.from && (!given || c->args->this_month))
        c->period.to = now;
    c->looked = c->period;
    if (report_args_asks_server(c->args) && c->looked.to - c->looked.from > LOOK_MS)
        c->looked.from = c->looked.to - LOOK_MS;
    return 0;
}

static int look_at(struct check *c, struct timespan span, struct run_report *run, struct err *e)
{
    run_report_free(run);
    *run = (struct run_report){0};
    c->looked = span;
    return run_report_open(run, c->args, span, e);
}

/* The last hours first, the whole period when they show no GPU, and the last hours until now when that shows none either. */
static int look(struct check *c, struct run_report *run, struct err *e)
{
    time_ms first;
    int rc = look_at(c, c->looked, run, e);

    if (rc == 0 && run->inventory.gpus.n == 0 && c->looked.from != c->period.from)
        rc = look_at(c, c->period, run, e);
    if (rc < 0 || run->inventory.gpus.n > 0 || !report_args_asks_server(c->args) || c->period.to >= c->now)
        return rc;
    rc = probe(c, c->now - PROBE_MS, PROBE_MS, &first, e);
    c->after = rc > 0;
    return c->after ? look_at(c, (struct timespan){c->now - LOOK_MS, c->now}, run, e) : rc;
}

static int survey(struct check *c, struct run_report *run, struct survey *s, struct err *e)
{
    struct sample_window w = {0};

    if (metrics_window(run->metrics, c->looked, &w, e) < 0)
        return -1;
    c->reach = seen_in(&run->inventory);
    if (c->looked.from > c->period.from && c->reach.from <= c->reach.to &&
        (c->after ? find_oldest_after : find_oldest)(c, c->reach.from, &c->reach.from, e) < 0)
        return -1;
    survey_build(s, &run->rule, &run->inventory, w.series, w.n_series, c->period, c->reach);
    vec_free(&w.runs);
    return 0;
}

static int check_metrics(struct check *c, struct run_report *run, struct survey *s, struct err *e)
{
    return look(c, run, e) < 0 || survey(c, run, s, e) < 0 ? -1 : 0;
}

/* Everything that a bill may hold, where no period is asked for. */
static const struct timespan always = {0, 100000 * (365 * TIME_DAY)};

static struct bill_survey_prices prices_of(const struct run_report *run)
{
    const struct price_list *l = &run->prices;
    struct bill_survey_prices p = {.name = l->name, .currency = l->currency, .lines = l->lines.n, .unbilled = l->unbilled,
                                   .priced = l->priced};

    for (size_t i = l->lines.n; i-- > 0;)
        if (!l->lines.v[i].used) {
            p.unused++;
            p.first_unused = l->lines.v[i].nodes[0];
        }
    p.without_price = l->without_price ? intern_cstr(run->names, l->without_price) : NULL;
    return p;
}

static int check_bill(struct check *c, struct run_report *run, struct survey *s, struct err *e)
{
    struct timespan period = c->given ? c->period : always;
    struct bill_survey from = {.bill = &run->bill, .catalogue = &run->catalogue, .names = run->names, .has_period = c->given,
                               .period = period, .inventory = run->metrics ? &run->inventory : NULL, .looked = c->looked};
    struct bill_survey_prices prices;

    if (run_report_bill(run, c->args, period, true, e) < 0)
        return -1;
    prices = prices_of(run);
    from.prices = c->args->price_list ? &prices : NULL;
    c->of_metrics = s->findings.n;
    bill_survey_add(s, &from);
    return 0;
}

int cmd_check(const struct report_args *a, struct err *e)
{
    struct check c = {.args = a};
    struct run_report run = {0};
    struct survey s = {0};
    int rc;

    if (report_args_check_check(a, e) < 0 || find_spans(&c, e) < 0)
        return -1;
    rc = a->sources.n ? check_metrics(&c, &run, &s, e) : run_report_begin(&run, a, e);
    if (rc == 0 && (a->billing.n || a->price_list))
        rc = check_bill(&c, &run, &s, e);
    if (rc == 0)
        rc = show(&c, &run, &s);
    if (!a->quiet)
        message_warnings(&run.diag);
    survey_free(&s);
    run_report_free(&run);
    return rc;
}
