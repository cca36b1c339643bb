/* split_by: a view of the run has the key in front of the keys that were asked for; its table is cut by the key's values. It is rounded
 * under the table by the key alone: so a file comes to what a report by the key says, the files add up to the index, and the index to the
 * bill.
 *
 * A file is for people who may not see what others cost: its report is put together anew from what concerns its rows, and nothing is
 * copied of which that is not known. Bill, groups, warnings and rule stay out; what is billed is the sum of its rows. */
#include "gputab/cli/split_by.h"

#include <stdlib.h>
#include <string.h>

#include "gputab/base/xalloc.h"
#include "gputab/cli/path_pattern.h"
#include "gputab/core/table_parts.h"
#include "gputab/render/csv_cells.h"

enum { FILES_MOST = 10000 };

/* ---- what was asked for ---- */

static bool is_index(const struct split_by *s, const struct report_file *f, struct err *e)
{
    struct path_words words = {.key = key_names[s->key], .period = s->period};

    return path_pattern_check(f->path, &words, e) == 0;
}

static int refuse_without_key(const struct split_by *s, const struct report_file *f, struct err *e)
{
    err_set(e, ERR_USAGE, "--output \"%s\": --split-by %s writes a file for each %s, and {%s} stands for it", f->path, key_names[s->key],
            key_names[s->key], key_names[s->key]);
    return err_hint(e, "one output without it, in CSV, is the index");
}

static int check_outputs(const struct split_by *s, const struct report_args *a, struct err *e)
{
    struct path_words words = {.key = key_names[s->key], .period = s->period};
    size_t indexes = 0;

    for (size_t i = 0; i < a->files.n; i++)
        if (a->files.v[i].ops->parts & 1U << REPORT_ORIGINS)
            return err_set(e, ERR_USAGE, "--split-by has no format %s: parts of charges do not sum to them", a->files.v[i].ops->name);
    for (size_t i = 0; i < a->files.n; i++) {
        int has_key = path_pattern_check(a->files.v[i].path, &words, e);

        if (has_key < 0)
            return -1;
        if (!has_key && (strcmp(a->files.v[i].ops->name, "csv") != 0 || indexes++ > 0))
            return refuse_without_key(s, &a->files.v[i], e);
    }
    if (a->files.n > indexes)
        return 0;
    err_set(e, ERR_USAGE, "--split-by %s has no files to write", key_names[s->key]);
    return err_hint(e, "such as -o '{from}-{%s}.json'", key_names[s->key]);
}

/* What would show others, or leave the files without what the index has. */
static int check_others(const struct report_args *a, struct err *e)
{
    const struct { const char *name; bool given; } options[] = {
        {"--where", a->where.n > 0}, {"--only", a->only}, {"--sort", a->sort}, {"--top", a->top}, {"--bridge", a->bridge}, {"--compare-splits", a->compare_splits},
    };

    for (size_t i = 0; i < sizeof options / sizeof *options; i++)
        if (options[i].given)
            return err_set(e, ERR_USAGE, "--split-by and %s exclude each other", options[i].name);
    return 0;
}

static void put_in_front(enum key key, const struct key_list *keys, struct key_list *out)
{
    out->n = 0;
    out->v[out->n++] = key;
    for (size_t i = 0; i < keys->n; i++)
        if (keys->v[i] != key)
            out->v[out->n++] = keys->v[i];
}

static unsigned wanted_parts(const struct report_args *a)
{
    unsigned parts = 0;

    for (size_t i = 0; i < a->files.n; i++)
        parts |= a->files.v[i].ops->parts;
    return parts;
}

static int read_parts(struct split_by *s, const struct report_args *a, const struct run_view *main, struct err *e)
{
    for (size_t p = 0; p < REPORT_PARTS; p++) {
        if (!(wanted_parts(a) & 1U << p))
            continue;
        if (run_view_part(&s->parts[p], (enum report_part)p, main, e) < 0)
            return -1;
        s->part_by[p] = s->parts[p].by;
        put_in_front(s->key, &s->part_by[p], &s->parts[p].by);
        s->parts[p].asked_by = &s->view.by;
        s->parts[p].cut = true;
    }
    return 0;
}

int split_by_read(struct split_by *s, const struct report_args *a, const struct run_view *main, struct timespan period, struct err *e)
{
    if (!a->split_by)
        return 0;
    s->on = true;
    s->period = period;
    if (key_parse(span_of(a->split_by), &s->key, e) < 0)
        return err_wrap(e, "--split-by");
    if (check_outputs(s, a, e) < 0 || check_others(a, e) < 0)
        return -1;
    s->by = main->by;
    put_in_front(s->key, &s->by, &s->view.by);
    s->alone.by.v[s->alone.by.n++] = s->key;
    s->alone.asked_by = &s->view.by;
    s->alone.cut = true;
    return read_parts(s, a, main, e);
}

void split_by_free(struct split_by *s)
{
    run_view_free(&s->view);
    run_view_free(&s->alone);
    for (size_t p = 0; p < REPORT_PARTS; p++)
        run_view_free(&s->parts[p]);
}

struct run_view *split_by_view(struct split_by *s, size_t i)
{
    if (!s->on)
        return NULL;
    if (i-- == 0)
        return &s->view;
    if (i-- == 0)
        return &s->alone;
    for (size_t p = 0; p < REPORT_PARTS; p++)
        if (s->parts[p].by.n > 0 && i-- == 0)
            return &s->parts[p];
    return NULL;
}

/* ---- tables ---- */

struct sheet {                     /* a view's table, cut */
    struct report all;
    struct table_parts parts;
};

struct writing {
    struct split_by *s;
    const struct report_args *a;
    const struct report *whole;
    const struct split_out *out;
    struct sheet alone;            /* by the key alone: what the others add up to */
    struct sheet main, part[REPORT_PARTS];
    char **names;                  /* for files, of each part of the main table; NULL: no file is written of it */
    struct intern *paths;          /* of files so far */
    struct bill bill;              /* what files know of it: shares what it points to with the whole one */
    struct diag diag;              /* empty */
};

/* Rows are rounded under those of `coarse`, so that a file comes to what a report by the key says. */
static int cut_view(struct sheet *sheet, const struct run_view *view, const struct report *whole, const struct report *coarse,
                    bool requests_known, struct err *e)
{
    if (rollup_table(view->rollup, whole->digits, requests_known, coarse, &sheet->all, e) < 0)
        return -1;
    if (sheet->all.totals.total_cost != whole->totals.billed)
        return err_set(e, ERR_GATE, "conservation: the files do not add up to what was billed");
    table_parts_find(&sheet->parts, &sheet->all.table);
    return table_check(&sheet->all.table, e);
}

/* Teams add up to the file's rows, all other parts to the teams: with a namespace beside it a pod is told by its own name alone, so that
 * two tables with pods need not have the same texts for them. */
static const struct report *coarse_of(const struct writing *w, size_t part)
{
    return part != REPORT_TEAMS && w->s->parts[REPORT_TEAMS].rollup ? &w->part[REPORT_TEAMS].all : &w->main.all;
}

static int cut_views(struct writing *w, bool requests_known, struct err *e)
{
    if (cut_view(&w->alone, &w->s->alone, w->whole, NULL, requests_known, e) < 0
        || cut_view(&w->main, &w->s->view, w->whole, &w->alone.all, requests_known, e) < 0)
        return -1;
    for (size_t p = 0; p < REPORT_PARTS; p++)
        if (w->s->parts[p].rollup && cut_view(&w->part[p], &w->s->parts[p], w->whole, coarse_of(w, p), requests_known, e) < 0)
            return -1;
    return 0;
}

static void free_sheet(struct sheet *sheet)
{
    table_parts_free(&sheet->parts);
    report_free(&sheet->all);
}

/* ---- the report of one value ---- */

static void fill_rows(const struct sheet *sheet, const struct table_part *part, const struct key_list *by, struct report *out)
{
    const char *names[KEYS];

    for (size_t i = 0; i < by->n; i++)
        names[i] = key_names[by->v[i]];
    table_part_fill(&sheet->all.table, part, names, by->n, out);
}

static bool has_cost_centre(const struct table *t, const char *id)
{
    int column = table_find(t, "cost_centre");

    for (size_t row = 0; column >= 0 && row < t->n_rows; row++) {
        const struct cell *c = table_cell(t, row, (size_t)column);

        if (c->type == CELL_TEXT && strcmp(c->text, id) == 0)
            return true;
    }
    return false;
}

/* Names of those cost centres that the rows show, without the other teams in them. */
static void fill_cost_centres(const struct writing *w, struct report *r)
{
    static const char *none[] = {NULL};

    for (size_t i = 0; i < w->whole->cost_centres.n; i++) {
        const struct rule_cost_centre *c = &w->whole->cost_centres.v[i];
        bool shown = has_cost_centre(&r->table, c->id);

        for (size_t p = 0; p < REPORT_PARTS && !shown; p++)
            shown = r->parts[p] && has_cost_centre(&r->parts[p]->table, c->id);
        if (shown)
            vec_push(&r->cost_centres, (struct rule_cost_centre){c->id, c->name, none});
    }
}

static money share(money part, money whole)
{
    return whole > 0 && part > 0 ? money_round(money_mul_div(MONEY_ONE, (weight)part, (weight)whole), 4) : 0;
}

static void fill_head(const struct writing *w, const struct table_part *part, struct report *r)
{
    const struct report *whole = w->whole;

    *r = (struct report){
        .mode = whole->mode, .period = whole->period, .currency = whole->currency, .digits = whole->digits, .rule_name = whole->rule_name,
        .rule_version = whole->rule_version, .split_method = whole->split_method, .owners_written = whole->owners_written,
        .tool_version = whole->tool_version, .catalogue_version = whole->catalogue_version, .coverage = whole->coverage, .improve = "",
        .draft = whole->draft, .bill = &w->bill, .diag = &w->diag, .split_key = key_names[w->s->key], .split_value = part->value,
    };
    memcpy(r->rule_sha256, whole->rule_sha256, sizeof r->rule_sha256);
    memcpy(r->catalogue_sha256, whole->catalogue_sha256, sizeof r->catalogue_sha256);
    memcpy(r->run_id, whole->run_id, sizeof r->run_id);
}

/* A team's own budget, and what it cost before. */
static void fill_notes(const struct writing *w, const struct table_part *part, struct notes *out)
{
    const struct notes *whole = &w->whole->notes;

    if (w->s->key != KEY_TEAM)
        return;
    for (size_t i = 0; i < whole->budgets.n; i++)
        if (strcmp(whole->budgets.v[i].team, part->value) == 0)
            vec_push(&out->budgets, whole->budgets.v[i]);
    for (size_t i = 0; i < whole->previous.teams.n; i++)
        if (!whole->previous.teams.v[i].bucket && strcmp(whole->previous.teams.v[i].team, part->value) == 0)
            vec_push(&out->previous.teams, whole->previous.teams.v[i]);
    if (!out->previous.teams.n)
        return;
    out->previous.period = whole->previous.period;
    out->previous.rule_name = whole->previous.rule_name;
    out->previous.rule_version = whole->previous.rule_version;
    out->previous.rule_sha256 = whole->previous.rule_sha256;
    out->previous.run_id = whole->previous.run_id;
}

static void fill_one(const struct writing *w, const struct table_part *part, struct report *r)
{
    fill_head(w, part, r);
    fill_rows(&w->main, part, &w->s->by, r);
    fill_notes(w, part, &r->notes);
    r->gpu_share = share(r->totals.piece_cost[PIECE_GPU], r->totals.total_cost);
    r->bridge.billed = r->totals.billed;
    for (size_t p = 0; p < REPORT_PARTS; p++) {
        if (!w->part[p].parts.names)
            continue;
        r->parts[p] = xcalloc(1, sizeof *r->parts[p]);
        *r->parts[p] = (struct report){.period = r->period, .currency = r->currency, .digits = r->digits};
        fill_rows(&w->part[p], table_parts_get(&w->part[p].parts, part->value), &w->s->part_by[p], r->parts[p]);
    }
    fill_cost_centres(w, r);
}

/* ---- files ---- */

/* The index takes its name before the values do. */
static int choose_names(struct writing *w, struct err *e)
{
    struct intern *taken = intern_new();
    struct buf name = {0};
    size_t n = 0;

    path_own_name(&name, "index", taken);
    w->names = xcalloc(w->main.parts.v.n + 1, sizeof *w->names);
    for (size_t i = 0; i < w->main.parts.v.n; i++) {
        const struct table_part *part = &w->main.parts.v.v[i];

        buf_clear(&name);
        if (!part->value || part->bucket)
            continue;
        path_own_name(&name, part->value, taken);
        w->names[i] = xstrdup(buf_str(&name));
        n++;
    }
    intern_free(taken);
    buf_free(&name);
    if (n <= FILES_MOST)
        return 0;
    err_set(e, ERR_USAGE, "--split-by %s would write %zu files, more than %d", key_names[w->s->key], n, FILES_MOST);
    return err_hint(e, "split by a key with fewer values, and let --by tell the rest");
}

static void add_path(const struct writing *w, struct buf *b, const struct report_file *f, const char *name)
{
    struct path_words words = {.key = key_names[w->s->key], .value = name, .period = w->s->period};

    buf_clear(b);
    path_pattern_add(b, f->path, &words);
}

/* "out/2026-10-index.csv" of 'out/{month}-{team}.xlsx', unless an output without the key is the index. */
static void add_index_path(const struct writing *w, struct buf *b, const struct report_file *f)
{
    struct err ignored = {.code = ERR_NONE};

    for (size_t i = 0; i < w->a->files.n; i++)
        if (is_index(w->s, &w->a->files.v[i], &ignored)) {
            add_path(w, b, &w->a->files.v[i], "");
            return;
        }
    add_path(w, b, f, "index");
    b->n -= strlen(f->ops->extension);
    b->p[b->n] = '\0';
    buf_adds(b, "csv");
}

static int take_path(struct writing *w, const char *path, struct err *e)
{
    if (intern_find(w->paths, path, strlen(path)))
        return err_set(e, ERR_USAGE, "two outputs would be the file \"%s\"", path);
    intern_str(w->paths, path);
    return 0;
}

static int write_one(struct writing *w, size_t i, struct err *e)
{
    struct report r;
    struct buf path = {0};
    struct err ignored = {.code = ERR_NONE};
    int rc = 0;

    fill_one(w, &w->main.parts.v.v[i], &r);
    for (size_t k = 0; rc == 0 && k < w->a->files.n; k++) {
        struct report_file f = w->a->files.v[k];

        if (is_index(w->s, &f, &ignored))
            continue;
        add_path(w, &path, &f, w->names[i]);
        f.path = buf_str(&path);
        rc = take_path(w, f.path, e);
        if (rc == 0)
            rc = w->out->report(w->out->to, &f, &r, e);
    }
    buf_free(&path);
    report_free(&r);
    return rc;
}

/* ---- the index ---- */

static struct span folder_of(const char *path)
{
    const char *slash = strrchr(path, '/');

    return (struct span){path, slash ? (size_t)(slash - path + 1) : 0};
}

/* As seen from the index: by its name alone where it lies beside it. */
static void add_file_names(struct writing *w, struct buf *b, const char *index, const char *name)
{
    struct buf path = {0}, own = {0};
    size_t start = b->n;

    for (size_t k = 0; k < w->a->files.n; k++) {
        struct err ignored = {.code = ERR_NONE};

        if (is_index(w->s, &w->a->files.v[k], &ignored))
            continue;
        add_index_path(w, &own, &w->a->files.v[k]);
        if (strcmp(buf_str(&own), index) != 0)
            continue;
        add_path(w, &path, &w->a->files.v[k], name);
        buf_adds(b, b->n > start ? " " : "");
        buf_adds(b, buf_str(&path) + (span_same(folder_of(buf_str(&path)), folder_of(index)) ? folder_of(index).n : 0));
    }
    buf_free(&path);
    buf_free(&own);
}

static void index_head(const struct writing *w, const struct csv_style *style, struct buf *b)
{
    static const char *const columns[] = {"bucket", "files", "gpu_hours", "gpu_cost", "cpu_cost", "memory_cost", "total_cost", "currency",
                                          "from", "to", "run_id"};

    csv_begin(b, style);
    buf_adds(b, key_names[w->s->key]);
    for (size_t i = 0; i < sizeof columns / sizeof *columns; i++)
        buf_addf(b, "%c%s", style->delimiter, columns[i]);
    if (w->whole->draft)
        buf_addf(b, "%cdraft", style->delimiter);
    buf_addc(b, '\n');
}

static void index_texts(const struct csv_style *style, struct buf *b, const char *const *texts, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        if (i)
            buf_addc(b, style->delimiter);
        csv_text(b, style, texts[i] ? texts[i] : "");
    }
}

static void index_line(struct writing *w, const struct csv_style *style, const char *index, size_t i, struct buf *b)
{
    const struct table_part *part = &w->main.parts.v.v[i];
    const struct report *whole = w->whole;
    const enum piece pieces[] = {PIECE_GPU, PIECE_CPU, PIECE_MEMORY};
    struct report sums = {.mode = NULL};
    struct buf files = {0}, from = {0}, to = {0};

    table_part_fill(&w->main.all.table, part, NULL, 0, &sums);
    if (w->names[i])
        add_file_names(w, &files, index, w->names[i]);
    index_texts(style, b, (const char *const[]){part->value, part->bucket, buf_str(&files)}, 3);
    buf_addc(b, style->delimiter);
    csv_money(b, style, sums.totals.gpu_hours, 6);
    for (int p = 0; p < PIECES; p++) {
        buf_addc(b, style->delimiter);
        csv_money(b, style, sums.totals.piece_cost[pieces[p]], whole->digits);
    }
    buf_addc(b, style->delimiter);
    csv_money(b, style, sums.totals.total_cost, whole->digits);
    buf_addc(b, style->delimiter);
    time_add_text(&from, whole->period.from);
    time_add_text(&to, whole->period.to);
    index_texts(style, b, (const char *const[]){whole->currency, buf_str(&from), buf_str(&to), whole->run_id, "DRAFT"},
                whole->draft ? 5 : 4);
    buf_addc(b, '\n');
    buf_free(&files);
    buf_free(&from);
    buf_free(&to);
    report_free(&sums);
}

static int write_index(struct writing *w, const struct csv_style *style, const char *path, struct err *e)
{
    struct buf text = {0};
    int rc;

    index_head(w, style, &text);
    for (size_t i = 0; i < w->main.parts.v.n; i++)
        index_line(w, style, path, i, &text);
    rc = take_path(w, path, e);
    if (rc == 0)
        rc = w->out->text(w->out->to, path, buf_span(&text), e);
    buf_free(&text);
    return rc;
}

/* One for all patterns in a folder that would have the same. */
static int write_indexes(struct writing *w, const struct csv_style *style, struct err *e)
{
    struct intern *done = intern_new();
    struct err ignored = {.code = ERR_NONE};
    struct buf path = {0};
    int rc = 0;

    for (size_t k = 0; rc == 0 && k < w->a->files.n; k++) {
        if (is_index(w->s, &w->a->files.v[k], &ignored))
            continue;
        add_index_path(w, &path, &w->a->files.v[k]);
        if (intern_find(done, path.p, path.n))
            continue;
        intern_put(done, path.p, path.n);
        rc = write_index(w, style, buf_str(&path), e);
    }
    buf_free(&path);
    intern_free(done);
    return rc;
}

static int write_all(struct writing *w, const struct render_cfg *cfg, struct err *e)
{
    const struct csv_style style = csv_style_of(cfg);

    if (choose_names(w, e) < 0)
        return -1;
    for (size_t i = 0; i < w->main.parts.v.n; i++)
        if (w->names[i] && write_one(w, i, e) < 0)
            return -1;
    return write_indexes(w, &style, e);
}

int split_by_write(struct split_by *s, const struct report_args *a, const struct report *whole, bool requests_known,
                   const struct render_cfg *cfg, const struct split_out *out, struct err *e)
{
    struct writing w = {.s = s, .a = a, .whole = whole, .out = out, .paths = intern_new()};
    int rc;

    w.bill = (struct bill){.is_final = whole->bill->is_final, .says_final = whole->bill->says_final, .rows = whole->bill->rows};
    w.bill.rates.v = whole->bill->rates.v;
    w.bill.rates.n = whole->bill->rates.n;
    rc = cut_views(&w, requests_known, e);
    if (rc == 0)
        rc = write_all(&w, cfg, e);
    for (size_t i = 0; w.names && i < w.main.parts.v.n; i++)
        free(w.names[i]);
    free(w.names);
    free_sheet(&w.alone);
    free_sheet(&w.main);
    for (size_t p = 0; p < REPORT_PARTS; p++)
        free_sheet(&w.part[p]);
    intern_free(w.paths);
    return rc;
}
