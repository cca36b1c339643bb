/* explain_file: a row of a report file, explained as far as the file goes: for people who have no access to bill and metrics. Amounts are
 * texts in the file and stay exact. What only the inputs could tell is said. */
#include <jansson.h>
#include <string.h>

#include "gputab/base/file.h"
#include "gputab/base/nearest.h"
#include "gputab/cli/explain_args.h"
#include "gputab/value/glossary.h"

enum { FILE_CAP = 256 << 20, LARGEST = 10 };

struct reading {
    const struct explain_args *args;
    struct explanation *out;
    json_t *root;
    const char *key;               /* of the rows */
    enum bucket bucket;            /* that is asked for; BUCKET_NONE: none */
    struct buf b;
};

static int no_report(const struct reading *r, const char *what, struct err *e)
{
    err_set(e, ERR_INPUT, "%s", what);
    err_hint(e, "gputab report --format json writes such a file");
    return err_at(e, r->args->file, 0, 0);
}

static const char *text_of(const json_t *object, const char *name)
{
    const char *text = json_string_value(json_object_get(object, name));

    return text ? text : "";
}

static const char *kept(struct reading *r, const char *text)
{
    return arena_strdup(&r->out->texts, text);
}

/* A missing or null number is none; one that is no number is an error. */
static int number_of(struct reading *r, const json_t *object, const char *name, bool *known, money *out, struct err *e)
{
    const json_t *v = json_object_get(object, name);

    *known = json_is_string(v);
    *out = 0;
    if (!v || json_is_null(v) || (*known && money_parse(span_of(json_string_value(v)), out, NULL) == 0))
        return 0;
    buf_clear(&r->b);
    buf_addf(&r->b, "\"%s\" of a row is no number in quotes", name);
    return no_report(r, buf_str(&r->b), e);
}

/* ---- the file ---- */

static int parse(struct reading *r, struct err *e)
{
    struct buf text = {0};
    json_error_t at;

    if (file_read(r->args->file, FILE_CAP, &text, e) < 0) {
        buf_free(&text);
        return -1;
    }
    r->root = json_loadb(buf_str(&text), text.n, JSON_REJECT_DUPLICATES, &at);
    buf_free(&text);
    if (!r->root) {
        err_set(e, ERR_INPUT, "no JSON: %.200s", at.text);
        return err_at(e, r->args->file, at.line > 0 ? at.line : 0, at.column > 0 ? at.column : 0);
    }
    if (strcmp(text_of(r->root, "schema"), "gputab.report/1") != 0)
        return no_report(r, "this is no report of schema gputab.report/1", e);
    return json_is_array(json_object_get(r->root, "rows")) ? 0 : no_report(r, "the report has no rows", e);
}

static int read_head(struct reading *r, struct err *e)
{
    const json_t *period = json_object_get(r->root, "period");
    struct explanation *x = r->out;

    x->source = r->args->file;
    x->currency = kept(r, text_of(r->root, "currency"));
    x->digits = money_currency_digits(span_of(x->currency));
    if (time_parse(span_of(text_of(period, "from")), &x->period.from) < 0 || time_parse(span_of(text_of(period, "to")), &x->period.to) < 0)
        return no_report(r, "the report has no period", e);
    return 0;
}

static bool has_key(const struct reading *r)
{
    const json_t *by = json_object_get(r->root, "by"), *v;
    size_t i;

    json_array_foreach(by, i, v)
        if (json_is_string(v) && strcmp(json_string_value(v), r->key) == 0)
            return true;
    return false;
}

/* ---- rows ---- */

static bool matches(const struct reading *r, const json_t *row)
{
    const char *bucket = text_of(row, "bucket"), *name = text_of(row, r->key);
    enum explain_kind kind = explain_args_kind(r->args);

    if (r->bucket)
        return strcmp(bucket, bucket_names[r->bucket]) == 0;
    if (kind == EXPLAIN_TEAM && bucket[0])
        return false;
    return name[0] && span_glob(span_of(name), r->args->subject[kind]);
}

static int read_row(struct reading *r, const json_t *row, struct explanation_row *out, struct err *e)
{
    const struct { const char *name; money *to; } numbers[] = {
        {"gpu_cost", &out->piece[PIECE_GPU]}, {"cpu_cost", &out->piece[PIECE_CPU]}, {"memory_cost", &out->piece[PIECE_MEMORY]},
        {"total_cost", &out->total}, {"total_exact", &out->exact}, {"idle_cost", &out->idle}, {"shared_cost", &out->shared},
    };

    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        bool known;

        if (number_of(r, row, numbers[i].name, &known, numbers[i].to, e) < 0)
            return -1;
    }
    return 0;
}

/* What tells the row from others of the same name. */
static const char *row_name(struct reading *r, const json_t *row)
{
    const json_t *by = json_object_get(r->root, "by"), *v;
    size_t i;

    buf_clear(&r->b);
    json_array_foreach(by, i, v) {
        const char *key = json_is_string(v) ? json_string_value(v) : "", *value = text_of(row, key);

        if (value[0])
            buf_addf(&r->b, "%s%s", r->b.n ? ", " : "", value);
    }
    if (!r->b.n)
        buf_adds(&r->b, text_of(row, "bucket"));
    return explanation_text(r->out, &r->b);
}

static int read_rows(struct reading *r, struct err *e)
{
    const json_t *rows = json_object_get(r->root, "rows"), *row;
    size_t i;

    json_array_foreach(rows, i, row) {
        struct explanation_row one = {.bucket = NULL};

        if (!matches(r, row))
            continue;
        if (read_row(r, row, &one, e) < 0)
            return -1;
        one.name = row_name(r, row);
        one.bucket = text_of(row, "bucket")[0] ? kept(r, text_of(row, "bucket")) : NULL;
        vec_push(&r->out->rows, one);
    }
    return 0;
}

static int no_row(const struct reading *r, struct err *e)
{
    const char *asked = r->args->subject[explain_args_kind(r->args)];
    const json_t *rows = json_object_get(r->root, "rows"), *row;
    struct nearest near = nearest_to(asked);
    size_t i;

    json_array_foreach(rows, i, row)
        nearest_try(&near, text_of(row, r->key));
    err_set(e, ERR_USAGE, "the report has no %s \"%.80s\"", explain_kind_names[explain_args_kind(r->args)], asked);
    if (near.name)
        err_hint(e, "did you mean \"%s\"?", near.name);
    return err_at(e, r->args->file, 0, 0);
}

/* ---- what it says ---- */

static void push(struct explanation_section *s, const char *what, money amount, const char *unit, const char *note)
{
    vec_push(&s->lines, (struct explanation_line){.what = what, .has_amount = true, .amount = amount, .amount_unit = unit, .note = note});
}

static void tell_amounts(struct reading *r)
{
    static const char *const names[PIECES] = {[PIECE_GPU] = "GPU", [PIECE_CPU] = "CPU", [PIECE_MEMORY] = "memory"};
    static const enum piece order[PIECES] = {PIECE_GPU, PIECE_CPU, PIECE_MEMORY};
    struct explanation_section *s = explanation_section(r->out, "amounts", "its pieces, rounded as in the report", true);
    struct explanation_row sum = {0};

    for (size_t i = 0; i < r->out->rows.n; i++) {
        for (int p = 0; p < PIECES; p++)
            sum.piece[p] += r->out->rows.v[i].piece[p];
        sum.exact += r->out->rows.v[i].exact;
        sum.idle += r->out->rows.v[i].idle;
        sum.shared += r->out->rows.v[i].shared;
    }
    for (int p = 0; p < PIECES; p++)
        push(s, names[order[p]], sum.piece[order[p]], NULL, NULL);
    s = explanation_section(r->out, "of_it", "of that", false);
    push(s, "before rounding", sum.exact, r->out->currency, NULL);
    if (sum.idle)
        push(s, "idle money that the rule moved to it", sum.idle, NULL, NULL);
    if (sum.shared)
        push(s, "shared costs that the rule spread to it", sum.shared, NULL, NULL);
}

/* Columns of the rows that add up, with what they mean. */
static int tell_columns(struct reading *r, struct err *e)
{
    static const struct { const char *name, *unit; } columns[] = {
        {"gpu_hours", "GPU-h"}, {"vram_gib_hours", "GiB-h"}, {"requested_gpu_hours", "GPU-h"}, {"used_cost", NULL}, {"unheld_cost", NULL},
        {"min_cost", NULL}, {"max_cost", NULL},
    };
    struct explanation_section *s = explanation_section(r->out, "columns", "what else the report says of it", false);
    const json_t *rows = json_object_get(r->root, "rows"), *row;
    size_t i;

    for (size_t c = 0; c < sizeof columns / sizeof *columns; c++) {
        const struct glossary_column *g = glossary_columns;
        money sum = 0, one;
        bool any = false, known;

        json_array_foreach(rows, i, row) {
            if (!matches(r, row))
                continue;
            if (number_of(r, row, columns[c].name, &known, &one, e) < 0)
                return -1;
            sum += one;
            any |= known;
        }
        while (g->name && strcmp(g->name, columns[c].name) != 0)
            g++;
        if (any)
            push(s, columns[c].name, sum, columns[c].unit, g->meaning);
    }
    return 0;
}

static int tell_price(struct reading *r, struct err *e)
{
    const json_t *rows = json_object_get(r->root, "rows"), *row;
    struct explanation_section *s;
    struct explanation_line line = {.what = "GPU piece / GPU-hours", .unit = "GPU-h", .has_price = true, .has_amount = true};
    bool known;
    size_t i;

    json_array_foreach(rows, i, row) {
        money hours, cost;

        if (!matches(r, row))
            continue;
        if (number_of(r, row, "gpu_hours", &known, &hours, e) < 0 || number_of(r, row, "gpu_cost", &known, &cost, e) < 0)
            return -1;
        line.quantity += hours;
        line.amount += cost;
    }
    if (line.quantity <= 0)
        return 0;
    line.price = money_round(money_mul_div(line.amount, (weight)MONEY_ONE, (weight)line.quantity), 6);
    line.note = "of rounded amounts; the price of each pool is in gputab rates";
    s = explanation_section(r->out, "price", "price of a GPU-hour", false);
    vec_push(&s->lines, line);
    return 0;
}

static int tell_grades(struct reading *r, struct err *e)
{
    static const char *const words[GRADES] = {"A: measured", "B: reported, not verified", "C: estimated", "D: unknown"};
    const json_t *rows = json_object_get(r->root, "rows"), *row;
    struct explanation_section *s = explanation_section(r->out, "grades", "how well it is known", true);
    money sum[GRADES] = {0};
    size_t i;

    json_array_foreach(rows, i, row) {
        for (int g = 0; g < GRADES && matches(r, row); g++) {
            const char name[2] = {"ABCD"[g], '\0'};
            money one;
            bool known;

            if (number_of(r, json_object_get(row, "grade"), name, &known, &one, e) < 0)
                return -1;
            sum[g] += one;
        }
    }
    for (int g = 0; g < GRADES; g++)
        if (sum[g])
            push(s, words[g], sum[g], NULL, NULL);
    return 0;
}

static void push_words(struct reading *r, struct explanation_section *s, const char *what, const char *words)
{
    vec_push(&s->lines, (struct explanation_line){.what = what, .note = words && words[0] ? kept(r, words) : NULL});
}

static void tell_run(struct reading *r)
{
    const json_t *rule = json_object_get(r->root, "rule"), *split = json_object_get(r->root, "split");
    struct explanation_section *s = explanation_section(r->out, "run", "under which rule and on what data", false);

    buf_clear(&r->b);
    buf_addf(&r->b, "%s%s%s, sha256 %s", text_of(rule, "name"), text_of(rule, "version")[0] ? " " : "", text_of(rule, "version"),
             text_of(rule, "sha256"));
    push_words(r, s, "rule", buf_str(&r->b));
    buf_clear(&r->b);
    buf_addf(&r->b, "method %s, which gave GPUs the share %s of all that was billed", text_of(split, "method"),
             text_of(split, "gpu_share"));
    push_words(r, s, "split", buf_str(&r->b));
    buf_clear(&r->b);
    buf_addf(&r->b, "the share %s of billed GPU time was observed", text_of(r->root, "coverage"));
    push_words(r, s, "coverage", buf_str(&r->b));
    buf_clear(&r->b);
}

static const char *meaning_of(const char *code)
{
    for (const struct glossary_code *c = glossary_codes; c->code; c++)
        if (strcmp(c->code, code) == 0)
            return c->meaning;
    return NULL;
}

static void tell_warnings(struct reading *r)
{
    const json_t *warnings = json_object_get(r->root, "warnings"), *w;
    struct explanation_section *s = explanation_section(r->out, "warnings", "warnings of the run, which may concern it", false);
    size_t i;

    json_array_foreach(warnings, i, w) {
        const char *code = text_of(w, "code"), *meaning = meaning_of(code);

        buf_clear(&r->b);
        buf_addf(&r->b, "%s%s%s", meaning ? meaning : "", meaning ? ": " : "", text_of(w, "text"));
        vec_push(&s->lines, (struct explanation_line){.what = kept(r, code), .note = explanation_text(r->out, &r->b)});
    }
}

static void tell_limits(struct reading *r)
{
    struct explanation_section *s = explanation_section(r->out, "beyond", "what only bill, metrics and rule can tell", false);

    push_words(r, s, "what the bill charged for each node, and at which price", "gputab explain with --billing, --metrics and --rule");
    push_words(r, s, "which line of the rule made the pods this team's", "likewise");
    push_words(r, s, "what it would cost under another rule", "likewise");
    if (!json_is_null(json_object_get(r->root, "by")) && !has_key(&(struct reading){.root = r->root, .key = "pod"}))
        push_words(r, s, "which pods it was", "likewise, or a report --by team,namespace,pod");
}

static int tell(struct reading *r, struct err *e)
{
    tell_amounts(r);
    if (tell_columns(r, e) < 0 || tell_price(r, e) < 0 || tell_grades(r, e) < 0)
        return -1;
    tell_run(r);
    tell_warnings(r);
    tell_limits(r);
    return 0;
}

static int read_report(struct reading *r, struct err *e)
{
    enum explain_kind kind = explain_args_kind(r->args);

    if (parse(r, e) < 0 || read_head(r, e) < 0)
        return -1;
    if (kind == EXPLAIN_BUCKET && explain_args_bucket(r->args->subject[kind], &r->bucket, e) < 0)
        return -1;
    if (!r->bucket && !has_key(r)) {
        err_set(e, ERR_USAGE, "the report has no column \"%s\"", r->key);
        err_hint(e, "gputab report --by %s --format json writes one that has", r->key);
        return err_at(e, r->args->file, 0, 0);
    }
    r->out->kind = explain_kind_names[kind];
    r->out->name = r->bucket ? bucket_names[r->bucket] : r->args->subject[kind];
    if (read_rows(r, e) < 0)
        return -1;
    return r->out->rows.n ? tell(r, e) : no_row(r, e);
}

int explain_file(const struct explain_args *a, struct explanation *out, struct err *e)
{
    struct reading r = {.args = a, .out = out, .key = key_names[explain_key(explain_args_kind(a))]};
    int rc = read_report(&r, e);

    json_decref(r.root);
    buf_free(&r.b);
    return rc;
}
