/* sheet: layout of the terminal table.
 * A narrow terminal gets fewer columns, never fewer digits: layouts are tried from the richest to the poorest, and the first one wins in
 * which the numbers take their full width and names are still recognisable. Costs split into pieces are shown so that the pieces add
 * up to the total in every layout, or not at all. */
#include "gputab/render/sheet.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "gputab/base/span.h"
#include "gputab/base/xalloc.h"
#include "gputab/render/tree.h"

enum {
    GAP = 2,
    BAR_WIDTH = 12,
    NAME_ONE = 24, NAME_MANY = 14,         /* columns below which a name is cut only when no poorer layout is left */
    NAME_LEAST = 3,
    LABEL_WIDTH = 11                       /* "not charged" */
};

#define END FIGURES
static const enum figure layouts[][FIGURES] = {
    {FIGURE_GPU_HOURS, FIGURE_VRAM, FIGURE_RATE, FIGURE_GPU, FIGURE_CPU, FIGURE_MEMORY, FIGURE_TOTAL, FIGURE_PERCENT, FIGURE_BAR,
     FIGURE_UNHELD, FIGURE_IDLE, FIGURE_SHARED, FIGURE_LEAST, FIGURE_MOST, END},
    {FIGURE_GPU_HOURS, FIGURE_VRAM, FIGURE_RATE, FIGURE_GPU, FIGURE_CPU, FIGURE_MEMORY, FIGURE_TOTAL, FIGURE_PERCENT, FIGURE_BAR,
     FIGURE_UNHELD, FIGURE_IDLE, FIGURE_SHARED, END},
    {FIGURE_GPU_HOURS, FIGURE_VRAM, FIGURE_RATE, FIGURE_GPU, FIGURE_CPU, FIGURE_MEMORY, FIGURE_TOTAL, FIGURE_PERCENT, FIGURE_BAR, END},
    {FIGURE_GPU_HOURS, FIGURE_VRAM, FIGURE_RATE, FIGURE_GPU, FIGURE_REST, FIGURE_TOTAL, FIGURE_PERCENT, FIGURE_BAR, END},
    {FIGURE_GPU_HOURS, FIGURE_VRAM, FIGURE_RATE, FIGURE_TOTAL, FIGURE_PERCENT, FIGURE_BAR, END},
    {FIGURE_GPU_HOURS, FIGURE_RATE, FIGURE_TOTAL, FIGURE_PERCENT, FIGURE_BAR, END},
    {FIGURE_GPU_HOURS, FIGURE_TOTAL, FIGURE_PERCENT, FIGURE_BAR, END},
    {FIGURE_TOTAL, FIGURE_PERCENT, FIGURE_BAR, END},
    {FIGURE_TOTAL, FIGURE_PERCENT, END},
    {FIGURE_TOTAL, END},
};
enum { LAYOUTS = sizeof layouts / sizeof layouts[0] };

struct sheet {
    struct ink *k;
    const struct report *r;
    const struct figure_set *s;
    bool tree;                             /* one column for all keys: names below the sums of what they are part of */
    size_t n_keys;                         /* columns of names */
    size_t *natural, *key_width;           /* per key */
    const enum figure *layout;
    size_t figure_width[FIGURES];
    struct figure_walk walk;               /* of the lines that are printed */
};

static const struct { const char *key, *one, *many; } nouns[] = {
    {"team", "team", "teams"}, {"cost_centre", "cost centre", "cost centres"}, {"namespace", "namespace", "namespaces"},
    {"workload", "workload", "workloads"}, {"pod", "pod", "pods"}, {"node", "node", "nodes"}, {"gpu", "GPU", "GPUs"},
    {"cluster", "cluster", "clusters"}, {"region", "region", "regions"}, {"gpu_model", "GPU model", "GPU models"}, {"day", "day", "days"},
};

const char *sheet_noun(const struct report *r, size_t n)
{
    for (size_t i = 0; r->by.n == 1 && i < sizeof nouns / sizeof nouns[0]; i++)
        if (strcmp(nouns[i].key, r->by.v[0]) == 0)
            return n == 1 ? nouns[i].one : nouns[i].many;
    return n == 1 ? "row" : "rows";
}

/* Keys are the table's first columns. */
static size_t count_keys(const struct table *t)
{
    size_t n = 0;

    while (n < t->columns.n && t->columns.v[n].kind == COLUMN_KEY)
        n++;
    return n;
}

/* Whether a row's bucket must be told beside its first key: where no key is a team or cost centre, none has the bucket's name. */
static const char *bucket_to_add(const struct sheet *h, const struct cell *row)
{
    int c = table_find(&h->r->table, "bucket");
    const char *bucket = c < 0 || h->r->notes.only || row[c].type != CELL_TEXT ? NULL : row[c].text;

    for (size_t i = 0; bucket && i < h->n_keys; i++)
        if (row[i].type == CELL_TEXT && strcmp(row[i].text, bucket) == 0)
            return NULL;
    return bucket;
}

static void add_key(struct buf *b, const struct sheet *h, size_t row, size_t key)
{
    const struct cell *cells = table_row(&h->r->table, row);
    const char *bucket = key == 0 ? bucket_to_add(h, cells) : NULL;

    if (bucket)
        buf_addf(b, "%s%s", bucket, cells[key].type == CELL_TEXT ? " " : "");
    if (!bucket || cells[key].type == CELL_TEXT)
        tree_add_name(b, h->r, cells, key);
}

/* What stands in a column of names; of a tree by line, else by row of the table, which is read fastest from front to back. */
static void add_label(struct buf *b, const struct sheet *h, size_t index, size_t key)
{
    if (h->tree)
        tree_add_leaf(b, h->s, index);
    else
        add_key(b, h, index, key);
}

/* "COST CENTRE" */
static void add_upper(struct buf *b, const char *name)
{
    for (; *name; name++)
        buf_addc(b, *name == '_' ? ' ' : *name >= 'a' && *name <= 'z' ? (char)(*name - 'a' + 'A') : *name);
}

/* "COST CENTRE / TEAM" above a tree. */
static void add_key_head(struct buf *b, const struct sheet *h, size_t key)
{
    add_upper(b, h->r->table.columns.v[key].name);
    for (size_t i = 1; h->tree && i < h->r->by.n; i++) {
        buf_adds(b, " / ");
        add_upper(b, h->r->table.columns.v[i].name);
    }
}

static size_t max_size(size_t a, size_t b)
{
    return a > b ? a : b;
}

static void measure_keys(struct sheet *h)
{
    struct buf b = {0};

    for (size_t key = 0; key < h->n_keys; key++) {
        buf_clear(&b);
        add_key_head(&b, h, key);
        h->natural[key] = max_size(b.n, h->n_keys == 1 ? LABEL_WIDTH : 0);
        for (size_t i = 0; !h->tree && i < h->r->table.n_rows; i++) {
            buf_clear(&b);
            add_label(&b, h, i, key);
            h->natural[key] = max_size(h->natural[key], ink_width(h->k, buf_str(&b)));
        }
    }
    if (h->tree)
        h->natural[0] = max_size(h->natural[0], tree_width(h->s, h->k));
    buf_free(&b);
}

/* The text of a figure; a total of which a part was estimated is marked. */
static void add_figure(struct buf *b, const struct sheet *h, const struct figures *f, enum figure which)
{
    if (which == FIGURE_TOTAL && f->estimated)
        buf_addc(b, '~');
    figure_add_text(b, h->s, f, which);
}

static void measure(struct sheet *h, struct buf *b, const struct figures *f)
{
    for (int which = 0; which < FIGURES; which++) {
        buf_clear(b);
        add_figure(b, h, f, which);
        h->figure_width[which] = max_size(h->figure_width[which], b->n);
    }
}

static void measure_figures(struct sheet *h)
{
    struct figure_walk w = figure_walk(h->s);
    struct buf b = {0};

    for (int which = 0; which < FIGURES; which++)
        h->figure_width[which] = figure_head(which) ? strlen(figure_head(which)) : 0;
    while (figure_next(&w))
        measure(h, &b, &w.f);
    for (int p = 0; p < PARTS; p++)
        measure(h, &b, &h->s->sums[p]);
    measure(h, &b, &h->s->total);
    h->figure_width[FIGURE_BAR] = BAR_WIDTH;
    buf_free(&b);
}

static bool is_shown(const struct sheet *h, enum figure which)
{
    return h->s->wanted[which] && (which != FIGURE_BAR || h->k->bars);
}

static size_t width_of_figures(const struct sheet *h, const enum figure *layout)
{
    size_t n = 0;

    for (; *layout != END; layout++)
        if (is_shown(h, *layout))
            n += GAP + h->figure_width[*layout];
    return n;
}

static size_t width_of_keys(const struct sheet *h, const size_t *widths)
{
    size_t n = h->n_keys ? GAP * (h->n_keys - 1) : 0;

    for (size_t i = 0; i < h->n_keys; i++)
        n += widths[i];
    return n;
}

/* Takes columns from the widest key until all fit, or until none may give more. */
static void narrow_keys(struct sheet *h, size_t room)
{
    while (width_of_keys(h, h->key_width) > room) {
        size_t widest = 0;

        for (size_t i = 1; i < h->n_keys; i++)
            if (h->key_width[i] > h->key_width[widest])
                widest = i;
        if (h->key_width[widest] <= NAME_LEAST)
            return;
        h->key_width[widest]--;
    }
}

static bool names_are_cut(const struct sheet *h)
{
    size_t enough = h->n_keys == 1 ? NAME_ONE : NAME_MANY;

    for (size_t i = 0; i < h->n_keys; i++)
        if (h->key_width[i] < h->natural[i] && h->key_width[i] < enough)
            return true;
    return false;
}

struct look {                      /* hashes of a name, and of what is shown of it */
    uint64_t shown, name;
};

/* FNV-1a. Should two names ever share one, a table has a column less or more. */
static uint64_t hash(const struct buf *b)
{
    uint64_t h = UINT64_C(14695981039346656037);

    for (size_t i = 0; i < b->n; i++)
        h = (h ^ (unsigned char)b->p[i]) * UINT64_C(1099511628211);
    return h;
}

static int by_look(const void *pa, const void *pb)
{
    const struct look *a = pa, *b = pb;

    if (a->shown != b->shown)
        return a->shown < b->shown ? -1 : 1;
    return (a->name > b->name) - (a->name < b->name);
}

struct looks {
    struct look *v;
    size_t n, cap;
    struct sink shown;
    struct ink k;
    struct buf name;
};

/* What is in looks->name, when it is cut to a width. */
static void add_look(struct looks *l, size_t width)
{
    struct look look;

    buf_clear(&l->shown.text);
    l->k.column = 0;
    ink_left(&l->k, INK_TEXT, buf_str(&l->name), width);
    look = (struct look){hash(&l->shown.text), hash(&l->name)};
    if (!l->n || by_look(&l->v[l->n - 1], &look) != 0)
        vec_push(l, look);
}

/* The names in a column: of a tree those of a line and of its new branches. */
static void add_looks(struct looks *l, const struct sheet *h, size_t index, size_t key)
{
    size_t levels = h->tree ? tree_levels(h->s, index) : 1;

    for (size_t level = h->tree ? h->s->shared.v[index] : 0; level < levels; level++) {
        buf_clear(&l->name);
        if (h->tree)
            tree_add_level(&l->name, h->s, index, level);
        else
            add_label(&l->name, h, index, key);
        add_look(l, h->key_width[key]);
    }
}

/* Whether two different names of a key look the same once they are cut: node names differ in their middle only. */
static bool key_looks_alike(const struct sheet *h, size_t key)
{
    struct looks l = {.k = {.drawing = h->k->drawing, .ascii = h->k->ascii, .width = SIZE_MAX}};
    bool alike = false;

    l.k.out = &l.shown;
    for (size_t i = 0; i < h->s->lines.n; i++)
        add_looks(&l, h, i, key);
    if (l.n)
        qsort(l.v, l.n, sizeof *l.v, by_look);
    for (size_t i = 1; i < l.n && !alike; i++)
        alike = l.v[i].shown == l.v[i - 1].shown && l.v[i].name != l.v[i - 1].name;
    buf_free(&l.name);
    sink_free(&l.shown);
    vec_free(&l);
    return alike;
}

static bool names_look_alike(const struct sheet *h)
{
    for (size_t key = 0; key < h->n_keys; key++)
        if (h->key_width[key] < h->natural[key] && key_looks_alike(h, key))
            return true;
    return false;
}

/* The richest layout whose names are told apart; where none is, the poorest. */
static void choose_layout(struct sheet *h)
{
    for (int i = 0; i < LAYOUTS; i++) {
        size_t figures = width_of_figures(h, layouts[i]);
        size_t room = h->k->wide ? SIZE_MAX : h->k->width > figures ? h->k->width - figures : 0;

        h->layout = layouts[i];
        memcpy(h->key_width, h->natural, h->n_keys * sizeof h->natural[0]);
        narrow_keys(h, room);
        if (width_of_keys(h, h->key_width) <= room && !names_are_cut(h) && !names_look_alike(h))
            return;
    }
}

/* Eighths of a character: U+2588 is a full one, U+2589 seven of eight, and so on down. In ASCII a half is a full one. */
static void print_bar(struct sheet *h, const struct figures *f, enum ink_style style)
{
    int eighths = (int)(f->v[FIGURE_BAR] * BAR_WIDTH * 8 / MONEY_ONE);
    size_t start = h->k->column;
    struct buf b = {0};

    if (!h->k->drawing)
        buf_fill(&b, '#', (size_t)(eighths + 4) / 8);
    for (; h->k->drawing && eighths >= 8; eighths -= 8)
        buf_adds(&b, "\xe2\x96\x88");
    if (h->k->drawing && eighths > 0)
        buf_addf(&b, "\xe2\x96%c", (char)(0x90 - eighths));
    ink_add(h->k, style, buf_str(&b));
    ink_pad(h->k, start + BAR_WIDTH);
    buf_free(&b);
}

/* The columns behind the keys. */
static void print_figures(struct sheet *h, const struct figures *f, enum ink_style style, enum ink_style bar)
{
    struct buf b = {0};

    for (const enum figure *which = h->layout; *which != END; which++) {
        if (!is_shown(h, *which))
            continue;
        ink_pad(h->k, h->k->column + GAP);
        buf_clear(&b);
        add_figure(&b, h, f, *which);
        if (*which == FIGURE_BAR)
            print_bar(h, f, bar);
        else
            ink_right(h->k, style, buf_str(&b), h->figure_width[*which]);
    }
    ink_line(h->k);
    buf_free(&b);
}

static void print_head(struct sheet *h)
{
    struct buf b = {0};

    for (size_t key = 0; key < h->n_keys; key++) {
        buf_clear(&b);
        add_key_head(&b, h, key);
        ink_pad(h->k, h->k->column + (key ? GAP : 0));
        ink_left(h->k, INK_DIM, buf_str(&b), h->key_width[key]);
    }
    for (const enum figure *which = h->layout; *which != END; which++) {
        if (!is_shown(h, *which))
            continue;
        ink_pad(h->k, h->k->column + GAP);
        ink_right(h->k, INK_DIM, figure_head(*which), h->figure_width[*which]);
    }
    ink_line(h->k);
    buf_free(&b);
}

static void print_line(struct sheet *h, const struct figure_walk *w)
{
    struct buf b = {0};
    bool charged = w->line->part == PART_CHARGED;

    for (size_t key = 0; key < h->n_keys; key++) {
        buf_clear(&b);
        add_label(&b, h, h->tree ? (size_t)(w->line - h->s->lines.v) : w->line->row, key);
        ink_pad(h->k, h->k->column + (key ? GAP : 0));
        ink_left(h->k, charged ? INK_TEXT : INK_BUCKET, buf_str(&b), h->key_width[key]);
    }
    print_figures(h, &w->f, INK_TEXT, charged ? INK_BAR : INK_DIM);
    buf_free(&b);
}

/* The sum of the lines below one level of the next line's path. */
static struct figures sum_below(const struct figure_walk *before, size_t level)
{
    struct figure_walk ahead = *before;
    struct figures sum = {.estimated = false};

    do {
        figure_next(&ahead);
        figures_add(&sum, &ahead.f);
    } while (ahead.next < ahead.s->lines.n && ahead.s->shared.v[ahead.next] > level);
    return sum;
}

/* What the next line is part of, as far as the line before was not. */
static void print_parents(struct sheet *h)
{
    size_t line = h->walk.next, levels = tree_levels(h->s, line);
    struct buf b = {0};

    for (size_t level = h->s->shared.v[line]; level + 1 < levels; level++) {
        struct figures sum = sum_below(&h->walk, level);

        buf_clear(&b);
        tree_add_level(&b, h->s, line, level);
        ink_left(h->k, INK_BOLD, buf_str(&b), h->key_width[0]);
        print_figures(h, &sum, INK_TEXT, INK_TEXT);
    }
    buf_free(&b);
}

/* The lines of one part; the walk goes through all parts in their order. */
static void print_part(struct sheet *h, enum figure_part part)
{
    for (size_t i = 0; i < h->s->count[part]; i++) {
        if (h->tree)
            print_parents(h);
        if (!figure_next(&h->walk))
            return;
        print_line(h, &h->walk);
    }
}

static void print_sum(struct sheet *h, const char *label, const struct figures *f, enum ink_style style)
{
    ink_left(h->k, style, label, width_of_keys(h, h->key_width));
    print_figures(h, f, style, style);
}

static void print_charged(struct sheet *h)
{
    size_t n = h->r->notes.top ? h->r->notes.ordinary : h->s->count[PART_CHARGED];
    struct buf label = {0};

    print_part(h, PART_CHARGED);
    if (n > 1 && h->s->count[PART_BUCKETS]) {
        buf_addf(&label, "%zu %s", n, sheet_noun(h->r, n));
        print_sum(h, buf_str(&label), &h->s->sums[PART_CHARGED], INK_DIM);
    }
    buf_free(&label);
}

/* Buckets are what no team is responsible for; with other keys than teams, what no workload is. */
static const char *bucket_title(const struct report *r)
{
    for (size_t i = 0; i < r->by.n; i++)
        if (strcmp(r->by.v[i], "team") == 0 || strcmp(r->by.v[i], "cost_centre") == 0)
            return "not charged to a team";
    return "not charged to a workload";
}

static void print_buckets(struct sheet *h)
{
    if (!h->s->count[PART_BUCKETS])
        return;
    if (h->s->count[PART_CHARGED])
        ink_line(h->k);
    ink_words(h->k, INK_DIM, bucket_title(h->r), 0);
    print_part(h, PART_BUCKETS);
    if (h->s->count[PART_BUCKETS] > 1)
        print_sum(h, "not charged", &h->s->sums[PART_BUCKETS], INK_DIM);
}

static void print_memo(struct sheet *h)
{
    if (!h->s->count[PART_MEMO])
        return;
    ink_line(h->k);
    ink_words(h->k, INK_DIM, "seen in the metrics but not in the bill: in no sum", 0);
    print_part(h, PART_MEMO);
}

void sheet_print(struct ink *k, const struct report *r, const struct figure_set *s)
{
    struct sheet h = {.k = k, .r = r, .s = s, .tree = s->shared.n > 0, .walk = figure_walk(s)};
    size_t rule;

    h.n_keys = h.tree ? 1 : count_keys(&r->table);

    h.natural = xcalloc(h.n_keys + 1, sizeof *h.natural);
    h.key_width = xcalloc(h.n_keys + 1, sizeof *h.key_width);
    measure_keys(&h);
    measure_figures(&h);
    choose_layout(&h);
    rule = width_of_keys(&h, h.key_width) + width_of_figures(&h, h.layout);
    print_head(&h);
    ink_rule(k, rule);
    print_charged(&h);
    print_buckets(&h);
    ink_rule(k, rule);
    print_sum(&h, "TOTAL", &s->total, INK_BOLD);
    print_memo(&h);
    free(h.natural);
    free(h.key_width);
}
