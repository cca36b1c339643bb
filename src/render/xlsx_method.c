/* xlsx_method: how the figures came about, for who has to defend them: the rule in full, what columns (in the words of value/glossary),
 * buckets and grades mean, what was read, and the command that makes the same again. */
#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "gputab/render/figures.h"
#include "gputab/render/formats.h"
#include "gputab/render/xlsx_sheets.h"
#include "gputab/value/glossary.h"

enum { COLUMNS = 2, TEXT_WIDTH = 110, LINE_WIDTH = 125 };

static const char *const idle_words[] = {
    [RULE_IDLE_SEPARATE] = "stays in the row (idle)", [RULE_IDLE_PROPORTIONAL] = "goes to teams, in proportion to their cost",
    [RULE_IDLE_EVEN] = "goes to teams, evenly", [RULE_IDLE_FIXED] = "goes to teams, by the shares that the rule fixes",
    [RULE_IDLE_TO] = "goes to the team that the rule names",
};

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

/* How much of a line fits the page: up to a blank behind a comma, else to a blank, else all that fits. */
static size_t piece_of(const char *line, size_t n)
{
    size_t at = LINE_WIDTH;

    if (n <= LINE_WIDTH)
        return n;
    while (at > LINE_WIDTH / 2 && !(line[at] == ' ' && line[at - 1] == ','))
        at--;
    for (at = at > LINE_WIDTH / 2 ? at : LINE_WIDTH; at > LINE_WIDTH / 2 && line[at] != ' ';)
        at--;
    if (at > LINE_WIDTH / 2)
        return at;
    for (at = LINE_WIDTH; at > 0 && ((unsigned char)line[at] & 0xc0) == 0x80;)
        at--;                                                /* never within a character */
    return at ? at : n;
}

static void write_line(struct method *m, struct buf *b, const char *line, size_t n)
{
    const char *indent = "";

    do {
        size_t piece = piece_of(line, n);

        buf_clear(b);
        buf_adds(b, indent);
        buf_add(b, line, piece);
        xlsx_text(&m->s, m->row, 0, FACE_LINE, buf_str(b));
        xlsx_blank(&m->s, m->row++, 1, FACE_LINE);
        line += piece;
        n -= piece;
        indent = "     ";
    } while (n);
}

/* Line by line, as a file has them: a spreadsheet shows no more of a cell than fits the page. */
static void write_lines(struct method *m, const char *text)
{
    struct buf b = {0};

    while (*text) {
        size_t n = strcspn(text, "\n");

        write_line(m, &b, text, n);
        text += n + (text[n] == '\n');
    }
    buf_free(&b);
}

static void write_shared(struct method *m, const struct report *r)
{
    for (size_t i = 0; i < r->shared.n; i++) {
        struct buf b = {0};

        buf_addf(&b, "%s: ", r->shared.v[i].name);
        figure_add_amount(&b, r->shared.v[i].cost, r->digits);
        buf_addf(&b, "%s%s, spread over the rows by the method %s", r->currency[0] ? " " : "", r->currency, r->shared.v[i].method);
        line(m, i ? "" : "Shared costs", buf_str(&b), FACE_WRAP);
        buf_free(&b);
    }
}

static void write_rule(struct method *m, const struct report *r)
{
    struct buf b = {0};

    section(m, "The rule");
    buf_addf(&b, "%s%s%s", r->rule_name, r->rule_version[0] ? ", version " : "", r->rule_version);
    line(m, "Rule", buf_str(&b), FACE_WRAP);
    line(m, "SHA-256 of its file", r->rule_sha256, FACE_CODE);
    buf_clear(&b);
    buf_addf(&b, "%s; of what was billed for GPU nodes it gave the GPUs ", r->split_method);
    money_add_text(&b, r->gpu_share * 100, 2);
    buf_adds(&b, " %");
    line(m, "Split of a node's cost", buf_str(&b), FACE_WRAP);
    if (r->rule)
        line(m, "Idle money", idle_words[r->rule->idle.policy], FACE_WRAP);
    write_shared(m, r);
    if (r->rule_text) {
        section(m, "The rule as used, with the defaults of what its file leaves out");
        write_lines(m, r->rule_text);
    }
    buf_free(&b);
}

struct word {
    const char *name, *text;
};

/* Heads of columns and what the glossary calls them. */
static const struct word column_names[] = {
    {"GPU hours", "gpu_hours"}, {"VRAM GiB-hours", "vram_gib_hours"}, {"Requested GPU hours", "requested_gpu_hours"},
    {"GPU", "gpu_cost"}, {"CPU", "cpu_cost"}, {"Memory", "memory_cost"}, {"Total", "total_cost"}, {"Unheld", "unheld_cost"},
    {"Of it idle", "idle_cost"}, {"Of it shared", "shared_cost"}, {"At least", "min_cost"}, {"At most", "max_cost"},
    {"Grade A", "grade_A"}, {"Grade B", "grade_B"}, {"Grade C", "grade_C"}, {"Grade D", "grade_D"}, {"Purchase", "purchase"},
    {"Reason", "reason"},
};
static const struct word other_words[] = {
    {"... per GPU hour", "The exact total by the GPU hours: what an hour of a card came to, with the CPU and memory beside it."},
    {"Share of bill", "The total by what was billed, whatever rows are shown."},
    {"Budget, % of budget", "What the rule's budgets have for the period, months in proportion, and the total by it."},
    {"Change", "The total less that of the earlier report, and by it; a team that had no cost then is new."},
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

static const struct glossary_column *find_column(const char *name)
{
    const struct glossary_column *c = glossary_columns;

    while (c->name && strcmp(c->name, name) != 0)
        c++;
    return c->name ? c : NULL;
}

static void write_columns(struct method *m)
{
    struct buf b = {0}, name = {0};

    section(m, "Columns");
    for (size_t i = 0; i < sizeof column_names / sizeof *column_names; i++) {
        const struct glossary_column *c = find_column(column_names[i].text);

        buf_clear(&name);
        buf_addf(&name, "%s (%s)", column_names[i].name, c->name);
        buf_clear(&b);
        buf_addf(&b, "%s: %s", c->meaning, c->formula);
        b.p[0] = (char)toupper((unsigned char)b.p[0]);
        line(m, buf_str(&name), buf_str(&b), FACE_WRAP);
    }
    for (size_t i = 0; i < sizeof other_words / sizeof *other_words; i++)
        line(m, other_words[i].name, other_words[i].text, FACE_WRAP);
    buf_free(&name);
    buf_free(&b);
}

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
    write_columns(&m);
    write_words(&m, "Buckets: money that no team is responsible for", bucket_words, sizeof bucket_words / sizeof *bucket_words);
    write_words(&m, "Grades: how well an amount is known", grade_words, sizeof grade_words / sizeof *grade_words);
    write_inputs(&m, b->r);
    write_run(&m, b->r);
    write_warnings(&m, b->r->diag);
    xlsx_wide(&m.s, 0, 34);
    xlsx_sheet_end(&m.s, -1, 0);
    xlsx_try(b, worksheet_set_column(m.s.sheet, 1, 1, TEXT_WIDTH, NULL));
}
