/* cmd_explain: `gputab explain`: a run with a listener that keeps the way to one row, and beside it the same run under the other reading
 * of exclusive cards; or words from the glossary; or what a report file says of a row. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "gputab/base/file.h"
#include "gputab/base/nearest.h"
#include "gputab/cli/explain_args.h"
#include "gputab/cli/explain_queries.h"
#include "gputab/cli/fill_report.h"
#include "gputab/cli/message.h"
#include "gputab/cli/run_report.h"
#include "gputab/cli/screen.h"
#include "gputab/render/explained.h"
#include "gputab/value/glossary.h"

enum { LINES_SHOWN = 10, RULE_CAP = 1 << 20 };
enum { OTHER_EXCLUSIVE, OTHER_IDLE, OTHERS };      /* what another rule may say */

struct explaining {
    const struct explain_args *args;
    struct run_report run;
    struct run_view pods;          /* of the row */
    struct rollup *plain;          /* rows as they are before the rule moves anything between them */
    struct run_view other[OTHERS]; /* the same rows of other ways */
    struct rule other_rule[OTHERS];        /* each borrows all but one word from the run's */
    struct diag other_diag;
    struct explain *explain;
    struct report report;
    struct explanation out;
    enum explain_kind kind;
    int64_t interval_ms;           /* that a sample of the pod's last GPU stands for */
    struct buf filters;            /* texts of filters, NUL-terminated */
};

/* ---- the rows ---- */

static const char *cell_text(const struct table *t, size_t row, const char *column)
{
    int c = table_find(t, column);
    const struct cell *cell = c < 0 ? NULL : table_cell(t, row, (size_t)c);

    return cell && cell->type == CELL_TEXT ? cell->text : "";
}

static money cell_number(const struct table *t, size_t row, const char *column)
{
    int c = table_find(t, column);

    return c < 0 ? 0 : table_cell(t, row, (size_t)c)->number;
}

static const char *key_of(const struct explaining *x)
{
    return key_names[explain_key(x->kind)];
}

static void add_row(struct explaining *x, const struct table *t, size_t row)
{
    struct explanation_row r = {.bucket = NULL};
    const char *bucket;

    r.name = arena_strdup(&x->out.texts, cell_text(t, row, key_of(x)));
    bucket = cell_text(t, row, "bucket");
    r.bucket = bucket[0] ? arena_strdup(&x->out.texts, bucket) : NULL;
    r.piece[PIECE_GPU] = cell_number(t, row, "gpu_cost");
    r.piece[PIECE_CPU] = cell_number(t, row, "cpu_cost");
    r.piece[PIECE_MEMORY] = cell_number(t, row, "memory_cost");
    r.total = cell_number(t, row, "total_cost");
    r.exact = cell_number(t, row, "total_exact");
    r.idle = cell_number(t, row, "idle_cost");
    r.shared = cell_number(t, row, "shared_cost");
    vec_push(&x->out.rows, r);
}

static bool wanted(const struct explaining *x, const struct table *t, size_t row)
{
    return explain_has_row(x->explain, cell_text(t, row, key_of(x)), cell_text(t, row, "bucket"));
}

static int no_row(struct explaining *x, struct err *e)
{
    const struct table *t = &x->report.table;
    struct nearest near = nearest_to(x->args->subject[x->kind]);

    for (size_t row = 0; row < t->n_rows; row++)
        if (x->kind != EXPLAIN_TEAM || !cell_text(t, row, "bucket")[0])
            nearest_try(&near, arena_strdup(&x->out.texts, cell_text(t, row, key_of(x))));
    err_set(e, ERR_USAGE, "the report has no %s \"%.80s\"", explain_kind_names[x->kind], x->args->subject[x->kind]);
    if (near.name)
        return err_hint(e, "did you mean \"%s\"?", near.name);
    if (x->kind == EXPLAIN_TEAM && x->args->subject[x->kind][0] == '(')
        return err_hint(e, "write --bucket '%s'", x->args->subject[x->kind]);
    return err_hint(e, "gputab report --by %s lists them", key_of(x));
}

static int find_rows(struct explaining *x, struct err *e)
{
    const struct table *t = &x->report.table;

    for (size_t row = 0; row < t->n_rows; row++)
        if (wanted(x, t, row))
            add_row(x, t, row);
    if (table_check(t, e) < 0)
        return -1;
    if (x->out.rows.n || x->kind == EXPLAIN_BUCKET)
        return 0;
    return no_row(x, e);
}

static money exact_of(const struct explaining *x)
{
    money sum = 0;

    for (size_t i = 0; i < x->out.rows.n; i++)
        sum += x->out.rows.v[i].exact;
    return sum;
}

/* ---- more than the way ---- */

static void push_other(struct explaining *x, struct explanation_section *s, const char *what, money exact, money other)
{
    money more = money_round(other - exact, 6);              /* what rounding of the 12th decimal moves is no difference */
    struct buf b = {0};

    buf_adds(&b, more == 0 ? "the same as now" : more > 0 ? "more by " : "less by ");
    if (more != 0)
        explanation_add_number(&b, more < 0 ? -more : more, 2, 6);
    vec_push(&s->lines, (struct explanation_line){.what = what, .has_amount = true, .amount = other,
                                                  .note = explanation_text(&x->out, &b)});
    buf_free(&b);
}

/* What the rows come to in another table by the same key. */
static int sum_rows(struct explaining *x, struct rollup *rollup, money *exact, struct err *e)
{
    struct report r = {.period = x->out.period};
    int rc = rollup_table(rollup, x->out.digits, false, NULL, &r, e);

    *exact = 0;
    for (size_t row = 0; rc == 0 && row < r.table.n_rows; row++)
        if (wanted(x, &r.table, row))
            *exact += cell_number(&r.table, row, "total_exact");
    if (rc == 0)
        rc = table_check(&r.table, e);
    report_free(&r);
    return rc;
}

static const char *const other_words[OTHERS][2] = {
    [OTHER_EXCLUSIVE] = {"with gpu.exclusive: held, a whole card's pod pays for all of it",
                         "with gpu.exclusive: resident, a whole card's pod pays for what it holds"},
    [OTHER_IDLE] = {"with idle.policy: separate, idle cost is nobody's",
                    "with idle.policy: proportional, teams pay for idle cost by what they cost"},
};

static int tell_others(struct explaining *x, struct err *e)
{
    struct explanation_section *s = explanation_section(&x->out, "other_rules", "what it would cost under another rule", false);

    for (int o = 0; o < OTHERS; o++) {
        const struct rule *rule = &x->other_rule[o];
        bool second = o == OTHER_EXCLUSIVE ? rule->gpu.exclusive == RULE_RESIDENT : rule->idle.policy == RULE_IDLE_PROPORTIONAL;
        money exact;

        if (sum_rows(x, x->other[o].rollup, &exact, e) < 0)
            return -1;
        push_other(x, s, other_words[o][second], exact_of(x), exact);
    }
    return 0;
}

struct largest {
    size_t row;
    money exact;
};

static int by_exact(const void *pa, const void *pb)
{
    const struct largest *a = pa, *b = pb;
    money x = a->exact < 0 ? -a->exact : a->exact, y = b->exact < 0 ? -b->exact : b->exact;

    if (x != y)
        return x > y ? -1 : 1;
    return a->row < b->row ? -1 : a->row > b->row;
}

static void push_pod(struct explaining *x, struct explanation_section *s, const struct table *t, const struct largest *pod)
{
    struct explanation_line line = {.unit = "GPU-h", .has_amount = true, .amount = pod->exact};
    struct buf b = {0};

    line.quantity = cell_number(t, pod->row, "gpu_hours");
    line.unit = line.quantity ? line.unit : NULL;
    buf_addf(&b, "%s/", cell_text(t, pod->row, "namespace"));
    buf_adds(&b, cell_text(t, pod->row, "pod"));
    line.what = explanation_text(&x->out, &b);
    vec_push(&s->lines, line);
    buf_free(&b);
}

static void tell_pods_of(struct explaining *x, const struct table *t, struct largest *v, size_t n)
{
    struct explanation_section *s = explanation_section(&x->out, "pods", "its largest pods: GPU, CPU and memory together", false);
    struct explanation_line rest = {.has_amount = true};
    size_t shown = !x->args->all && n > LINES_SHOWN + 1 ? LINES_SHOWN : n;
    struct buf b = {0};

    qsort(v, n, sizeof *v, by_exact);
    for (size_t i = 0; i < shown; i++)
        push_pod(x, s, t, &v[i]);
    for (size_t i = shown; i < n; i++)
        rest.amount += v[i].exact;
    buf_addf(&b, "and %zu more", n - shown);
    rest.what = explanation_text(&x->out, &b);
    if (shown < n)
        vec_push(&s->lines, rest);
    buf_free(&b);
}

static int tell_pods(struct explaining *x, struct err *e)
{
    struct report r = {.period = x->out.period};
    VEC(struct largest) pods = {0};
    int rc = rollup_table(x->pods.rollup, x->out.digits, x->run.ways.v[0]->sums.requests_known, NULL, &r, e);

    for (size_t row = 0; rc == 0 && row < r.table.n_rows; row++) {
        struct largest pod = {row, cell_number(&r.table, row, "total_exact")};

        if (cell_text(&r.table, row, "pod")[0])
            vec_push(&pods, pod);
    }
    if (rc == 0 && pods.n)
        tell_pods_of(x, &r.table, pods.v, pods.n);
    if (rc == 0)
        rc = table_check(&r.table, e);
    vec_free(&pods);
    report_free(&r);
    return rc;
}

static void tell_queries(struct explaining *x)
{
    const char *name = x->out.rows.n == 1 ? x->out.rows.v[0].name : "", *slash = strchr(name, '/');

    if (x->kind == EXPLAIN_POD && slash && x->interval_ms > 0)
        explain_queries(x->run.metrics, (struct span){name, (size_t)(slash - name)}, span_of(slash + 1), x->interval_ms, &x->out);
}

/* ---- the run ---- */

static void hear_facts(void *to, const struct usage *facts)
{
    struct explaining *x = to;
    int64_t interval;

    explain_facts(x->explain, facts);
    if (explain_gpu(x->explain) == NONE)
        return;
    interval = residency_gpu_interval(x->run.residency, explain_gpu(x->explain));
    x->interval_ms = interval ? interval : x->interval_ms;
}

/* Filters that leave the row's pods: the name as it is, and behind the namespace or cluster that a key may begin with. */
static void filter_pods(struct explaining *x, const char *name)
{
    bool prefixed = x->kind == EXPLAIN_POD || x->kind == EXPLAIN_NODE;
    const char *second;

    buf_addf(&x->filters, "%s=%s", key_of(x), name);
    buf_addc(&x->filters, '\0');
    buf_addf(&x->filters, "%s=*/%s", key_of(x), name);
    second = buf_str(&x->filters) + strlen(buf_str(&x->filters)) + 1;
    vec_push(&x->pods.filters, (struct key_filter){explain_key(x->kind), buf_str(&x->filters) + strlen(key_of(x)) + 1});
    if (prefixed)
        vec_push(&x->pods.filters, (struct key_filter){explain_key(x->kind), second + strlen(key_of(x)) + 1});
}

static void make_others(struct explaining *x, struct timespan period)
{
    struct run_report *run = &x->run;

    for (int o = 0; o < OTHERS; o++) {
        struct rule *rule = &x->other_rule[o];

        *rule = run->rule;
        if (o == OTHER_EXCLUSIVE)
            rule->gpu.exclusive = rule->gpu.exclusive == RULE_HELD ? RULE_RESIDENT : RULE_HELD;
        else
            rule->idle.policy = rule->idle.policy == RULE_IDLE_SEPARATE ? RULE_IDLE_PROPORTIONAL : RULE_IDLE_SEPARATE;
        x->other[o].by = run->view.by;
        run_report_view(run, run_report_way(run, rule, period, &x->other_diag), &x->other[o]);
    }
}

static int make_ways(struct explaining *x, struct timespan period, enum bucket bucket, struct err *e)
{
    struct run_report *run = &x->run;
    struct run_way *way = run_report_way(run, &run->rule, period, &run->diag);
    const char *name = x->kind == EXPLAIN_BUCKET ? bucket_names[bucket] : x->args->subject[x->kind];

    x->explain = explain_new(&(struct explain_config){x->kind, name, bucket, &run->rule, &run->catalogue, &run->inventory, &run->owners});
    run->view.by = (struct key_list){.v = {explain_key(x->kind)}, .n = 1};
    run_report_view(run, way, &run->view);
    rollup_hear(run->view.rollup, explain_move, x->explain);
    x->plain = rollup_new(&(struct rollup_config){.inventory = &run->inventory, .owners = &run->owners, .by = &run->view.by});
    run_way_listen(way, rollup_sink(x->plain));
    filter_pods(x, name);
    if (key_list_parse(span_of("namespace,pod"), &x->pods.by, e) < 0)
        return -1;
    run_report_view(run, way, &x->pods);
    run_way_listen(way, explain_sink(x->explain));
    run->hear_facts = hear_facts;
    run->facts_to = x;
    make_others(x, period);
    return 0;
}

static int read_rule_text(const struct explaining *x, struct buf *out, struct err *e)
{
    return x->args->report.rule ? file_read(x->args->report.rule, RULE_CAP, out, e) : 0;
}

static int tell(struct explaining *x, struct err *e)
{
    struct explain_lines_config cfg = {.most = x->args->all ? 0 : LINES_SHOWN, .rule_path = x->args->report.rule};
    struct buf rule = {0};
    money plain;
    int rc = -1;

    if (sum_rows(x, x->plain, &plain, e) < 0)
        return -1;
    if (plain != explain_exact(x->explain) || exact_of(x) - plain != explain_moved(x->explain))
        return err_set(e, ERR_GATE, "conservation: the explanation does not add up to the report's row");
    if (read_rule_text(x, &rule, e) < 0)
        goto out;
    cfg.rule_text = buf_span(&rule);
    explain_lines(x->explain, &cfg, &x->out);
    if (tell_pods(x, e) < 0 || tell_others(x, e) < 0)
        goto out;
    tell_queries(x);
    rc = 0;
out:
    buf_free(&rule);
    return rc;
}

static int explain_run(struct explaining *x, struct err *e)
{
    const struct report_args *a = &x->args->report;
    enum bucket bucket = BUCKET_NONE;
    struct timespan period;

    if (report_args_check(a, e) < 0 || report_args_period(a, (time_ms)time(NULL) * TIME_SECOND, &period, e) < 0)
        return -1;
    if (x->kind == EXPLAIN_BUCKET && explain_args_bucket(x->args->subject[x->kind], &bucket, e) < 0)
        return -1;
    if (run_report_load(&x->run, a, period, e) < 0 || make_ways(x, period, bucket, e) < 0 || run_report_walk(&x->run, period, e) < 0
        || fill_report(&x->run, x->run.ways.v[0], &x->run.view, period, &x->report, e) < 0)
        return -1;
    x->out.kind = explain_kind_names[x->kind];
    x->out.name = x->kind == EXPLAIN_BUCKET ? bucket_names[bucket] : x->args->subject[x->kind];
    x->out.period = period;
    x->out.currency = x->report.currency;
    x->out.digits = x->report.digits;
    return find_rows(x, e) < 0 ? -1 : tell(x, e);
}

/* ---- words ---- */

static void show_word(struct ink *k, const char *name, const char *unit)
{
    ink_add(k, INK_BOLD, name);
    if (unit) {
        ink_pad(k, k->column + 2);
        ink_add(k, INK_DIM, unit);
    }
    ink_line(k);
}

static void show_words(struct ink *k, const char *head, const char *words)
{
    ink_pad(k, 2);
    ink_add(k, INK_DIM, head);
    ink_pad(k, 12);
    ink_words(k, INK_TEXT, words, 12);
}

static void show_column(struct ink *k, const struct glossary_column *c)
{
    show_word(k, c->name, c->unit);
    show_words(k, "meaning", c->meaning);
    show_words(k, "formula", c->formula);
    show_words(k, "example", c->example);
}

static void show_code(struct ink *k, const struct glossary_code *c)
{
    show_word(k, c->code, NULL);
    show_words(k, "meaning", c->meaning);
    show_words(k, "to do", c->todo);
}

static bool asked_for(const char *asked, const char *name)
{
    return strcmp(asked, "all") == 0 || strcmp(asked, name) == 0;
}

static int no_word(const char *what, const char *asked, const char *near, struct err *e)
{
    err_set(e, ERR_USAGE, "no %s is called \"%.60s\"", what, asked);
    return near ? err_hint(e, "did you mean \"%s\"?", near) : err_hint(e, "\"all\" explains every one");
}

/* "grade.A" of JSON is grade_A here. */
static int show_columns(struct ink *k, const char *asked, struct err *e)
{
    struct nearest near = nearest_to(asked);
    struct buf name = {0};
    size_t found = 0;

    buf_adds(&name, asked);
    for (size_t i = 0; i < name.n; i++)
        name.p[i] = name.p[i] == '.' ? '_' : name.p[i];
    for (const struct glossary_column *c = glossary_columns; c->name; c++) {
        nearest_try(&near, c->name);
        if (!asked_for(buf_str(&name), c->name))
            continue;
        if (found++)
            ink_line(k);
        show_column(k, c);
    }
    buf_free(&name);
    return found ? 0 : no_word("column", asked, near.name, e);
}

static int show_codes(struct ink *k, const char *asked, struct err *e)
{
    struct nearest near = nearest_to(asked);
    size_t found = 0;

    for (const struct glossary_code *c = glossary_codes; c->code; c++) {
        nearest_try(&near, c->code);
        if (!asked_for(asked, c->code))
            continue;
        if (found++)
            ink_line(k);
        show_code(k, c);
    }
    return found ? 0 : no_word("warning", asked, near.name, e);
}

static int explain_words(const struct explain_args *a, struct sink *out, const struct render_cfg *cfg, struct err *e)
{
    struct ink k = {.out = out, .width = (size_t)cfg->width, .colour = cfg->colour, .drawing = cfg->terminal};

    if (a->format && strcmp(a->format, "json") == 0)
        return err_set(e, ERR_USAGE, "--format json is for rows: words are text");
    return a->column ? show_columns(&k, a->column, e) : show_codes(&k, a->code, e);
}

/* ---- the command ---- */

static void show(const struct explain_args *a, const struct explanation *x, const struct render_cfg *cfg, struct sink *out)
{
    if (a->format && strcmp(a->format, "json") == 0)
        explained_json(x, out);
    else
        explained_text(x, cfg, out);
}

static int explain_rows(const struct explain_args *a, const struct render_cfg *cfg, struct sink *out, struct err *e)
{
    struct explaining x = {.args = a, .kind = explain_args_kind(a)};
    int rc = a->file ? explain_file(a, &x.out, e) : explain_run(&x, e);

    if (rc == 0)
        show(a, &x.out, cfg, out);
    if (!a->report.quiet)
        message_warnings(&x.run.diag);
    explain_free(x.explain);
    rollup_free(x.plain);
    explanation_free(&x.out);
    report_free(&x.report);
    if (x.run.names)               /* begun */
        run_report_free(&x.run);
    for (int o = 0; o < OTHERS; o++)
        run_view_free(&x.other[o]);
    run_view_free(&x.pods);
    diag_free(&x.other_diag);
    buf_free(&x.filters);
    return rc;
}

int cmd_explain(const struct explain_args *a, struct err *e)
{
    struct render_cfg cfg = {0};
    struct sink out = {.take = NULL};
    int rc;

    screen_fill_cfg(&cfg);
    if (explain_args_check(a, e) < 0)
        return -1;
    rc = a->column || a->code ? explain_words(a, &out, &cfg, e) : explain_rows(a, &cfg, &out, e);
    if (rc == 0)
        fwrite(buf_str(&out.text), 1, out.text.n, stdout);
    sink_free(&out);
    return rc;
}
