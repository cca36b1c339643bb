/* xlsx_grid: rows of a table as rows of a sheet, streamed: looked through once for what is worth a column and for the sums, then written.
 * Up to XLSX_TABLE_MOST rows they are a table of Excel's; with more the book writes in constant memory, where a filter must do. When they
 * are more than a sheet holds, keys are given up one by one: pod, workload, ... (xlsx_fold). */
#include "gputab/render/xlsx_grid.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "gputab/render/xlsx_fold.h"

enum { ROW_TOTAL = 2, ROW_HEAD = 3, KEYS_MOST = 24, NAME_BYTES = 64 };

static const struct { const char *key, *head; } key_heads[] = {
    {"cost_centre", "Cost centre"}, {"team", "Team"}, {"namespace", "Namespace"}, {"workload", "Workload"}, {"pod", "Pod"},
    {"container", "Container"}, {"cluster", "Cluster"}, {"node", "Node"}, {"gpu", "GPU UUID"}, {"gpu_model", "GPU model"},
    {"region", "Region"}, {"purchase", "Purchase"}, {"sharing", "Sharing"}, {"day", "Day"}, {"grade", "Grade"},
    {"reason", "Reason"}, {"bucket", "Bucket"},
};

/* What a column of numbers shows of a row. */
enum shows { ALWAYS, IF_BILLED, IF_UNBILLED,
             IF_ANY,               /* no column when it is 0 everywhere, no cell when it is 0 */
             IF_OTHER };           /* likewise when it is the total */

static const struct grid_amount {
    const char *head, *source;     /* $: the currency */
    enum xlsx_number number;
    enum shows shows;
} amounts[] = {
    {"GPU hours", "gpu_hours", NUMBER_HOURS, IF_BILLED},
    {"Unbilled GPU hours", "gpu_hours", NUMBER_HOURS, IF_UNBILLED},
    {"VRAM GiB-hours", "vram_gib_hours", NUMBER_HOURS, ALWAYS},
    {"Requested GPU hours", "requested_gpu_hours", NUMBER_HOURS, IF_ANY},
    {"GPU $", "gpu_cost", NUMBER_MONEY, ALWAYS},
    {"CPU $", "cpu_cost", NUMBER_MONEY, ALWAYS},
    {"Memory $", "memory_cost", NUMBER_MONEY, ALWAYS},
    {"Total $", "total_cost", NUMBER_MONEY, ALWAYS},
    {"Unheld $", "unheld_cost", NUMBER_MONEY, IF_ANY},
    {"Of it idle $", "idle_cost", NUMBER_MONEY, IF_ANY},
    {"Of it shared $", "shared_cost", NUMBER_MONEY, IF_ANY},
    {"At least $", "min_cost", NUMBER_MONEY, IF_OTHER},
    {"At most $", "max_cost", NUMBER_MONEY, IF_OTHER},
    {"Grade B $", "grade.B", NUMBER_MONEY, IF_ANY},
    {"Grade C $", "grade.C", NUMBER_MONEY, IF_ANY},
    {"Grade D $", "grade.D", NUMBER_MONEY, IF_ANY},
};
enum { N_AMOUNTS = sizeof amounts / sizeof *amounts };

struct grid_key {
    int column;                    /* of the table */
    bool used, is_day;
};

enum grid_kind { GRID_KEY, GRID_AMOUNT, GRID_SHARE };

struct grid_column {               /* of the sheet */
    enum grid_kind kind;
    size_t at;                     /* in keys or amounts */
    char head[NAME_BYTES];
};

struct grid {
    struct xlsx_sheet s;
    const struct grid_spec *spec;
    const struct table *t;
    struct fold fold;
    struct grid_key keys[KEYS_MOST];
    size_t n_keys;
    int bucket, team, total;       /* columns of the table; team -1: none, or of no matter */
    int source[N_AMOUNTS];
    bool used[N_AMOUNTS];
    money sums[N_AMOUNTS];
    size_t n_rows;                 /* that the sheet has */
    struct grid_column columns[XLSX_COLUMNS_MOST];
    size_t n;                      /* of them */
};

size_t xlsx_grid_most(void)
{
    return XLSX_ROWS_MOST - ROW_HEAD - 1;
}

/* ---- what there is ---- */

static bool is_unbilled(const struct grid *g, const struct cell *row)
{
    return row[g->bucket].type == CELL_TEXT && strcmp(row[g->bucket].text, bucket_names[BUCKET_UNBILLED]) == 0;
}

static bool is_shown(const struct grid *g, const struct cell *row)
{
    return !g->spec->buckets_only || row[g->bucket].type == CELL_TEXT;
}

size_t xlsx_grid_rows(const struct report *part, bool buckets_only)
{
    int bucket = table_find(&part->table, "bucket");
    size_t n = 0;

    for (size_t row = 0; buckets_only && row < part->table.n_rows; row++)
        n += table_row(&part->table, row)[bucket].type == CELL_TEXT;
    return buckets_only ? n : part->table.n_rows;
}

static void add_key(struct grid *g, int column)
{
    if (g->n_keys < KEYS_MOST)
        g->keys[g->n_keys++] = (struct grid_key){.column = column, .is_day = strcmp(g->t->columns.v[column].name, "day") == 0};
}

/* Of buckets the bucket comes first, of others last. */
static void find_sources(struct grid *g)
{
    g->bucket = table_find(g->t, "bucket");
    g->team = g->spec->teams_alone ? table_find(g->t, "team") : -1;
    g->total = table_find(g->t, "total_cost");
    if (g->spec->buckets_only)
        add_key(g, g->bucket);
    for (size_t c = 0; c < g->t->columns.n; c++)
        if (g->t->columns.v[c].kind == COLUMN_KEY && (g->team < 0 || strcmp(g->t->columns.v[c].name, "cost_centre") != 0))
            add_key(g, (int)c);
    if (!g->spec->buckets_only)
        add_key(g, g->bucket);
    for (size_t a = 0; a < N_AMOUNTS; a++)
        g->source[a] = table_find(g->t, amounts[a].source);
}

/* The number of a row, and whether it is worth a cell. */
static bool amount_of(const struct grid *g, const struct cell *row, size_t a, money *out)
{
    const struct cell *cell = g->source[a] < 0 ? NULL : &row[g->source[a]];

    if (!cell || cell->type == CELL_NULL)
        return false;
    *out = cell->number;
    switch (amounts[a].shows) {
    case ALWAYS: return true;
    case IF_BILLED: return !is_unbilled(g, row);
    case IF_UNBILLED: return cell->number != 0 && is_unbilled(g, row);
    case IF_ANY: return cell->number != 0;
    case IF_OTHER: return cell->number != row[g->total].number;
    }
    return false;
}

/* Without cost centres a team in none is a team like others, and no bucket. */
static const char *text_of(const struct grid *g, const struct cell *row, size_t k)
{
    const struct cell *cell = &row[g->keys[k].column];

    if (cell->type != CELL_TEXT)
        return NULL;
    if (g->keys[k].column == g->bucket && g->team >= 0 && row[g->team].type == CELL_TEXT && strcmp(row[g->team].text, cell->text) != 0)
        return NULL;
    return cell->text;
}

static void look_at(struct grid *g, const struct cell *row)
{
    money v;

    g->n_rows++;
    for (size_t k = 0; k < g->n_keys; k++)
        g->keys[k].used |= text_of(g, row, k) != NULL;
    for (size_t a = 0; a < N_AMOUNTS; a++) {
        if (!amount_of(g, row, a, &v))
            continue;
        g->used[a] = true;
        g->sums[a] += v;
    }
}

static void look_through(struct grid *g)
{
    fold_rewind(&g->fold);
    g->n_rows = 0;
    for (size_t k = 0; k < g->n_keys; k++)
        g->keys[k].used = false;
    memset(g->used, 0, sizeof g->used);
    memset(g->sums, 0, sizeof g->sums);
    for (const struct cell *row; (row = fold_next(&g->fold));)
        if (is_shown(g, row))
            look_at(g, row);
}

/* ---- too many rows ---- */

static int last_kept(const struct grid *g)
{
    for (size_t k = g->n_keys; k-- > 0;)
        if (g->keys[k].column != g->bucket && !g->fold.dropped[g->keys[k].column])
            return g->keys[k].column;
    return -1;
}

/* The key to be given up in the nth place; -1: none is left. */
static int next_dropped(const struct grid *g, size_t nth)
{
    const char *const *folds = g->spec->folds;

    for (size_t i = 0; folds && folds[i]; i++)
        if (i == nth)
            return table_find(g->t, folds[i]);
    return last_kept(g);
}

static void give_up_keys(struct grid *g)
{
    int column;

    for (size_t n = 0; g->n_rows > g->spec->most && (column = next_dropped(g, n)) >= 0; n++) {
        fold_drop(&g->fold, (size_t)column);
        look_through(g);
    }
    if (g->n_rows > g->spec->most)
        xlsx_fail(g->s.book, ERR_USAGE, "the report has more rows than a sheet", "csv and json have them all");
}

/* ---- columns ---- */

static const char *head_of(const char *key)
{
    for (size_t i = 0; i < sizeof key_heads / sizeof *key_heads; i++)
        if (strcmp(key_heads[i].key, key) == 0)
            return key_heads[i].head;
    return key;
}

static void add_column(struct grid *g, enum grid_kind kind, size_t at, const char *head)
{
    struct grid_column *c;
    struct buf b = {0};

    if (g->n == XLSX_COLUMNS_MOST)
        return;
    c = &g->columns[g->n++];
    *c = (struct grid_column){.kind = kind, .at = at};
    xlsx_add_head(&b, head, g->s.book->r->currency);
    snprintf(c->head, sizeof c->head, "%s", buf_str(&b));
    buf_free(&b);
}

static void list_columns(struct grid *g)
{
    for (size_t k = 0; k < g->n_keys; k++)
        if (g->keys[k].used)
            add_column(g, GRID_KEY, k, head_of(g->t->columns.v[g->keys[k].column].name));
    for (size_t a = 0; a < N_AMOUNTS; a++)
        if (g->used[a] || amounts[a].shows == ALWAYS || amounts[a].shows == IF_BILLED)
            add_column(g, GRID_AMOUNT, a, amounts[a].head);
    if (g->spec->share)
        add_column(g, GRID_SHARE, 0, "Share of bill");
}

/* ---- order ---- */

struct sorted {
    int bucket;
    money total;
    uint32_t row;
};

static int by_bucket(const void *a, const void *b)
{
    const struct sorted *x = a, *y = b;

    if (x->bucket != y->bucket)
        return x->bucket < y->bucket ? -1 : 1;
    if (x->total != y->total)
        return x->total > y->total ? -1 : 1;
    return x->row < y->row ? -1 : x->row > y->row;
}

static int rank_of(const char *bucket)
{
    int b = 0;

    while (b < BUCKETS && strcmp(bucket_names[b], bucket) != 0)
        b++;
    return b;
}

typedef VEC(struct sorted) order;

static void sort_rows(const struct grid *g, order *all)
{
    for (size_t row = 0; row < g->t->n_rows; row++) {
        const struct cell *cells = table_row(g->t, row);

        if (is_shown(g, cells))
            vec_push(all, (struct sorted){rank_of(cells[g->bucket].text), cells[g->total].number, (uint32_t)row});
    }
    if (all->n)
        qsort(all->v, all->n, sizeof all->v[0], by_bucket);
}

/* ---- writing ---- */

static void write_key(struct grid *g, lxw_row_t row, lxw_col_t at, enum xlsx_face face, size_t k, const char *text)
{
    time_ms day;

    if (!text)
        return;
    if (g->keys[k].is_day && time_parse(span_of(text), &day) == 0)
        xlsx_date(&g->s, row, at, face, NUMBER_DAY, day);
    else
        xlsx_text(&g->s, row, at, face, text);
}

static void write_row(struct grid *g, lxw_row_t row, const struct cell *cells)
{
    size_t bucket = g->spec->buckets_only ? 0 : g->n_keys - 1;
    enum xlsx_face face = text_of(g, cells, bucket) ? FACE_CELL_BUCKET : FACE_CELL;
    money v;

    for (size_t i = 0; i < g->n; i++) {
        const struct grid_column *c = &g->columns[i];
        lxw_col_t at = (lxw_col_t)i;

        if (c->kind == GRID_KEY)
            write_key(g, row, at, face, c->at, text_of(g, cells, c->at));
        else if (c->kind == GRID_SHARE)
            xlsx_number(&g->s, row, at, face, NUMBER_SHARE, amount_share(cells[g->total].number, g->s.book->r->totals.billed));
        else if (amount_of(g, cells, c->at, &v))
            xlsx_number(&g->s, row, at, face, amounts[c->at].number, v);
    }
}

static void write_sorted(struct grid *g)
{
    order all = {0};

    sort_rows(g, &all);
    for (size_t i = 0; i < all.n; i++)
        write_row(g, (lxw_row_t)(ROW_HEAD + 1 + i), table_row(g->t, all.v[i].row));
    vec_free(&all);
}

static void write_rows(struct grid *g)
{
    lxw_row_t row = ROW_HEAD;

    if (g->spec->buckets_only && !g->fold.folded) {
        write_sorted(g);
        return;
    }
    fold_rewind(&g->fold);
    for (const struct cell *cells; !g->s.book->failed && (cells = fold_next(&g->fold));)
        if (is_shown(g, cells))
            write_row(g, ++row, cells);
}

static void write_sum(struct grid *g, lxw_col_t at, size_t a)
{
    if (amounts[a].shows == IF_OTHER)
        xlsx_blank(&g->s, ROW_TOTAL, at, FACE_TOTAL);         /* bounds of parts are none of their sum */
    else if (g->n_rows)
        xlsx_subtotal(&g->s, ROW_TOTAL, at, FACE_TOTAL, amounts[a].number, ROW_HEAD + 1, ROW_HEAD + (lxw_row_t)g->n_rows, g->sums[a]);
    else
        xlsx_number(&g->s, ROW_TOTAL, at, FACE_TOTAL, amounts[a].number, 0);
}

static void write_totals(struct grid *g)
{
    for (size_t c = 0; c < g->n; c++) {
        lxw_col_t at = (lxw_col_t)c;

        if (c == 0)
            xlsx_text(&g->s, ROW_TOTAL, at, FACE_TOTAL, "Total");
        else if (g->columns[c].kind == GRID_AMOUNT)
            write_sum(g, at, g->columns[c].at);
        else
            xlsx_blank(&g->s, ROW_TOTAL, at, FACE_TOTAL);
    }
}

static enum xlsx_face head_face(const struct grid_column *c)
{
    return c->kind == GRID_KEY ? FACE_HEAD : FACE_HEAD_RIGHT;
}

static void write_heads(struct grid *g)
{
    xlsx_height(&g->s, ROW_HEAD, 30);
    for (size_t c = 0; c < g->n; c++)
        xlsx_text(&g->s, ROW_HEAD, (lxw_col_t)c, head_face(&g->columns[c]), g->columns[c].head);
}

/* The library writes the heads of a table itself, and wants their texts. */
static void add_table(struct grid *g)
{
    lxw_table_column heads[XLSX_COLUMNS_MOST] = {{0}}, *list[XLSX_COLUMNS_MOST + 1] = {0};
    char name[40];
    lxw_table_options o = {.name = name, .style_type = LXW_TABLE_STYLE_TYPE_LIGHT, .style_type_number = 1, .columns = list};

    snprintf(name, sizeof name, "%sRows", g->spec->name);
    for (size_t c = 0; c < g->n; c++) {
        heads[c].header = g->columns[c].head;
        heads[c].header_format = xlsx_format(g->s.book, head_face(&g->columns[c]), NUMBER_NONE);
        list[c] = &heads[c];
    }
    xlsx_try(g->s.book, worksheet_add_table(g->s.sheet, ROW_HEAD, 0, ROW_HEAD + (lxw_row_t)g->n_rows, (lxw_col_t)(g->n - 1), &o));
}

static void add_filter(struct grid *g)
{
    xlsx_try(g->s.book, worksheet_autofilter(g->s.sheet, ROW_HEAD, 0, ROW_HEAD + (lxw_row_t)g->n_rows, (lxw_col_t)(g->n - 1)));
}

/* "...; the 5 rows are more than a sheet holds, those that differ only in pod are added up; all of them are in report-detail.csv" */
static void say_dropped(const struct grid *g, struct buf *b)
{
    const char *comma = "";

    buf_addf(b, "; the %zu rows are more than a sheet holds, those that differ only in ",
             xlsx_grid_rows(g->spec->part, g->spec->buckets_only));
    for (size_t c = 0; c < g->t->columns.n; c++) {
        if (!g->fold.dropped[c])
            continue;
        buf_addf(b, "%s%s", comma, g->t->columns.v[c].name);
        comma = ", ";
    }
    buf_adds(b, " are added up");
    if (g->spec->beside)
        buf_addf(b, "; all of them are in %s", g->spec->beside);
}

static void write_title(struct grid *g)
{
    struct buf b = {0};

    buf_adds(&b, g->spec->what);
    if (g->fold.folded)
        say_dropped(g, &b);
    xlsx_title(&g->s, g->spec->title, buf_str(&b));
    buf_free(&b);
}

static struct grid_place place_of(const struct grid *g)
{
    struct grid_place p = {.name = g->spec->name, .first = ROW_HEAD + 1, .last = ROW_HEAD + (lxw_row_t)g->n_rows,
                           .cells = PIECES * g->t->n_rows};

    for (size_t c = 0; c < g->n; c++) {
        size_t a = g->columns[c].at;

        if (g->columns[c].kind == GRID_AMOUNT && g->source[a] == g->total) {
            p.total = (lxw_col_t)c;
            p.total_cost = g->sums[a];
        } else if (g->columns[c].kind == GRID_AMOUNT && amounts[a].shows == IF_BILLED) {
            p.hours = (lxw_col_t)c;
            p.gpu_hours = g->sums[a];
        }
    }
    return p;
}

struct grid_place xlsx_grid(struct xlsx_book *b, const struct grid_spec *spec)
{
    struct grid g = {.spec = spec, .t = &spec->part->table, .s = xlsx_sheet_new(b, spec->name, XLSX_TEAL)};

    fold_init(&g.fold, g.t);
    find_sources(&g);
    look_through(&g);
    give_up_keys(&g);
    list_columns(&g);
    write_title(&g);
    write_totals(&g);
    write_heads(&g);
    if (g.n_rows && b->large)
        add_filter(&g);                                      /* before the rows: in constant memory nothing goes back */
    write_rows(&g);
    if (g.n_rows && !b->large)
        add_table(&g);
    xlsx_sheet_end(&g.s, ROW_HEAD, 0);
    fold_free(&g.fold);
    return place_of(&g);
}
