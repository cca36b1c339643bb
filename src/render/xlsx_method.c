/* xlsx_method: how the figures came about, for who has to defend them: the rule with its defaults, what columns, buckets and grades mean,
 * what was read, and the command that makes the same again. */
#include <stdio.h>
#include <string.h>

#include "gputab/render/formats.h"
#include "gputab/render/xlsx_rule.h"
#include "gputab/render/xlsx_sheets.h"

enum { COLUMNS = 2, TEXT_WIDTH = 110 };

struct method {
    struct xlsx_sheet s;
    lxw_row_t row;
};

static void section(struct method *m, const char *title)
{
    m->row++;
    xlsx_height(&m->s, m->row, 20);
    xlsx_text(&m->s, m->row, 0, FACE_SECTION, title);
    xlsx_blank(&m->s, m->row++, 1, FACE_SECTION);
}

/* Rows without a height of their own become as high as their texts when they are opened. */
static void line(struct method *m, const char *name, const char *text, enum xlsx_face face)
{
    xlsx_text(&m->s, m->row, 0, FACE_WRAP, name);
    xlsx_text(&m->s, m->row++, 1, face, text);
}

static void say(void *to, const char *name, const char *text)
{
    line(to, name, text, FACE_WRAP);
}

static void write_rule(struct method *m, const struct report *r)
{
    struct buf b = {0};

    section(m, "The rule as used");
    buf_addf(&b, "%s%s%s", r->rule_name, r->rule_version[0] ? ", version " : "", r->rule_version);
    line(m, "Rule", buf_str(&b), FACE_WRAP);
    line(m, "SHA-256 of its file", r->rule_sha256, FACE_CODE);
    buf_clear(&b);
    buf_addf(&b, "%s; of what was billed for GPU nodes it gave the GPUs ", r->split_method);
    money_add_text(&b, r->gpu_share * 100, 2);
    buf_adds(&b, " %");
    line(m, "Split of a node's cost", buf_str(&b), FACE_WRAP);
    if (r->rule)
        xlsx_rule_tell(r->rule, say, m);
    buf_free(&b);
}

struct word {
    const char *name, *text;
};

static const struct word column_words[] = {
    {"GPU hours", "Hours of a device times the share of it that was paid for. The column adds up to the billed GPU hours."},
    {"VRAM GiB-hours", "GPU memory held, in GiB, integrated over the time observed."},
    {"Requested GPU hours", "Requests of GPU resources over time; without a figure where requests are not known."},
    {"GPU, CPU, Memory", "The three pieces of what the provider billed for the node, by the split of the rule."},
    {"Total", "GPU + CPU + memory. Rounded once, with all cells of a table together, so that they add up to the bill; pieces of two tables "
              "may differ in the last digit."},
    {"Unheld", "The part of the GPU piece of a reservation that its holder paid for without holding memory: GPU cost x (1 - memory held / "
               "memory that can be held)."},
    {"Of it idle, of it shared",
     "Parts of the total that a policy of the rule moved to the row from (idle), or spread over it as shared costs."},
    {"At least, at most", "What the data allow, where memory had to be estimated; in Detail only where it differs from the total."},
    {"Measured", "Share of the pods' cost that is of grade A."},
};
static const struct word bucket_words[] = {
    {"(idle)", "Billed and observed, but nobody was there, or memory was free."},
    {"(driver-reserved)", "GPU memory that the driver keeps."},
    {"(unattributed)", "GPU memory in use by no known pod."},
    {"(no-metrics)", "Billed time without samples."},
    {"(unmapped)", "Known pods that no line of the rule gives to a team or cost centre. Only in sheets by team."},
    {"(system)", "Pods that the rule assigns to it."},
    {"(unbilled)", "Seen in metrics, not in the bill: hours without an amount, in no sum."},
};
static const struct word grade_words[] = {
    {"A", "Measured."},
    {"B", "Reported, but not verified: a sharing layer's own accounting, or a holder on a node of which nothing else is known."},
    {"C", "Estimated: used memory divided evenly, or by request."},
    {"D", "Unknown."},
};

static void write_words(struct method *m, const char *title, const struct word *words, size_t n)
{
    section(m, title);
    for (size_t i = 0; i < n; i++)
        line(m, words[i].name, words[i].text, FACE_WRAP);
}

static void write_inputs(struct method *m, const struct report *r)
{
    struct buf b = {0};

    section(m, "What was read (SHA-256)");
    for (size_t i = 0; i < r->bill->files.n; i++)
        line(m, r->bill->files.v[i].name, r->bill->files.v[i].sha256, FACE_CODE);
    for (size_t i = 0; i < r->metrics.n; i++) {
        buf_clear(&b);
        buf_addf(&b, "%s (usage drawn from all sources)", r->metrics.v[i].sha256);
        line(m, r->metrics.v[i].name, buf_str(&b), FACE_CODE);
    }
    buf_clear(&b);
    buf_addf(&b, "catalogue %s", r->catalogue_version);
    line(m, buf_str(&b), r->catalogue_sha256, FACE_CODE);
    buf_free(&b);
}

static void write_run(struct method *m, const struct report *r)
{
    struct buf b = {0};

    section(m, "The run");
    buf_addf(&b, "gputab %s", r->tool_version);
    line(m, "Program", buf_str(&b), FACE_WRAP);
    line(m, "Run id", r->run_id, FACE_CODE);
    buf_clear(&b);
    buf_addf(&b, "%s -o report.xlsx", r->command ? r->command : "");
    if (r->command && r->command[0])
        line(m, "Command", buf_str(&b), FACE_CODE);
    buf_clear(&b);
    time_add_text(&b, r->period.from);
    buf_adds(&b, " to ");
    time_add_text(&b, r->period.to);
    buf_adds(&b, ", half-open");
    line(m, "Period", buf_str(&b), FACE_WRAP);
    buf_clear(&b);
    money_add_text(&b, r->coverage * 100, 2);
    buf_adds(&b, " % of the billed GPU time");
    line(m, "Observed", buf_str(&b), FACE_WRAP);
    buf_free(&b);
}

static void write_warnings(struct method *m, const struct diag *d)
{
    if (d->n == 0)
        return;
    section(m, "Warnings (their codes are explained in the manual)");
    for (size_t i = 0; i < d->n; i++) {
        const struct diag_item *item = &d->items[i];
        struct buf b = {0};
        char name[40];

        snprintf(name, sizeof name, "%s, %lld x", item->code, (long long)item->count);
        for (int t = 0; t < DIAG_TEXTS && item->texts[t]; t++)
            buf_addf(&b, "%s%s", t ? "; " : "", item->texts[t]);
        if (item->hint)
            buf_addf(&b, ". Next step: %s", item->hint);
        line(m, name, buf_str(&b), FACE_WRAP);
        buf_free(&b);
    }
}

void xlsx_method(struct xlsx_book *b)
{
    struct method m = {.s = xlsx_sheet_new(b, "Method", XLSX_MUTED), .row = 1};

    xlsx_title(&m.s, "Method", "How these figures came about, what their words mean, and how to make them again");
    write_rule(&m, b->r);
    write_words(&m, "Columns", column_words, sizeof column_words / sizeof *column_words);
    write_words(&m, "Buckets: money that no team is responsible for", bucket_words, sizeof bucket_words / sizeof *bucket_words);
    write_words(&m, "Grades: how well an amount is known", grade_words, sizeof grade_words / sizeof *grade_words);
    write_inputs(&m, b->r);
    write_run(&m, b->r);
    write_warnings(&m, b->r->diag);
    xlsx_wide(&m.s, 0, 30);
    xlsx_sheet_end(&m.s, -1, 0);
    xlsx_try(b, worksheet_set_column(m.s.sheet, 1, 1, TEXT_WIDTH, NULL));
}
