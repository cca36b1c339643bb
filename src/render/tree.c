/* tree: the order and the names of a hierarchy.
 *
 * Rows come sorted by their keys, so that what belongs together stands together; of buckets, once they are sorted by bucket. How many
 * levels of its path each line shares with the one before is all that is kept; branches are sorted by what they cost, level by level, as
 * whole runs of lines. Paths are read from the table whenever they are wanted. */
#include "gputab/render/tree.h"

#include <stdlib.h>
#include <string.h>

enum { LEVELS = 32, INDENT = 2 };

/* ---- names ---- */

static const char *name_of_cost_centre(const struct report *r, const char *id)
{
    for (size_t i = 0; i < r->cost_centres.n; i++)
        if (strcmp(r->cost_centres.v[i].id, id) == 0)
            return r->cost_centres.v[i].name;
    return "";
}

void tree_add_name(struct buf *b, const struct report *r, const struct cell *row, size_t key)
{
    bool of_cost_centre = strcmp(r->table.columns.v[key].name, "cost_centre") == 0;
    const char *text = row[key].type == CELL_TEXT ? row[key].text : NULL;
    const char *name = of_cost_centre && text ? name_of_cost_centre(r, text) : "";

    buf_adds(b, text ? text : "-");
    if (name[0])
        buf_addf(b, " %s", name);
}

/* ---- paths ---- */

struct path {
    struct buf text;               /* the names, each with a NUL behind it */
    size_t begin[LEVELS], n;
};

static void add_part(struct path *p)
{
    if (p->n < LEVELS)
        p->begin[p->n++] = p->text.n;
}

static void end_part(struct path *p)
{
    buf_add(&p->text, "", 1);
}

/* Of a bucket, unless it is shown alone, the bucket stands for keys that have its name or do not apply. */
static void read_path(struct path *p, const struct figure_set *s, size_t line)
{
    const struct cell *row = table_row(&s->r->table, s->lines.v[line].row);
    const char *bucket = s->lines.v[line].part == PART_CHARGED ? NULL : row[s->bucket].text;

    buf_clear(&p->text);
    p->n = 0;
    if (bucket) {
        add_part(p);
        buf_adds(&p->text, bucket);
        end_part(p);
    }
    for (size_t key = 0; key < s->r->by.n; key++) {
        if (bucket && (row[key].type != CELL_TEXT || strcmp(row[key].text, bucket) == 0))
            continue;
        add_part(p);
        tree_add_name(&p->text, s->r, row, key);
        end_part(p);
    }
}

static const char *level_of(const struct path *p, size_t level)
{
    return level < p->n ? p->text.p + p->begin[level] : "-";
}

static size_t count_shared(const struct path *a, const struct path *b)
{
    size_t n = 0;

    while (n < a->n && n < b->n && strcmp(level_of(a, n), level_of(b, n)) == 0)
        n++;
    return n;
}

/* ---- order ---- */

static int by_bucket(const void *pa, const void *pb, void *arg)
{
    const struct figure_set *s = arg;
    const struct figure_line *a = pa, *b = pb;
    int c = 0;

    if (a->part != b->part)
        return a->part < b->part ? -1 : 1;
    if (a->part != PART_CHARGED) {
        struct buf name = {0};

        buf_adds(&name, table_cell(&s->r->table, a->row, (size_t)s->bucket)->text);
        c = strcmp(buf_str(&name), table_cell(&s->r->table, b->row, (size_t)s->bucket)->text);
        buf_free(&name);
    }
    return c ? c : a->row < b->row ? -1 : a->row > b->row;
}

/* Lines of one part stand together; the first line of a part shares nothing. */
static void note_shared(struct figure_set *s)
{
    struct path before = {.n = 0}, path = {.n = 0}, swap;

    vec_reserve(&s->shared, s->lines.n);
    for (size_t i = 0; i < s->lines.n; i++) {
        read_path(&path, s, i);
        s->shared.v[i] = (uint8_t)(i && s->lines.v[i].part == s->lines.v[i - 1].part ? count_shared(&before, &path) : 0);
        swap = before;
        before = path;
        path = swap;
    }
    s->shared.n = s->lines.n;
    buf_free(&before.text);
    buf_free(&path.text);
}

struct branch {
    size_t from, n;                /* lines */
    money total;
};

static int by_total(const void *pa, const void *pb)
{
    const struct branch *a = pa, *b = pb;

    if (a->total != b->total)
        return a->total > b->total ? -1 : 1;
    return a->from < b->from ? -1 : 1;
}

struct branches {
    struct branch *v;
    size_t n, cap;
};

/* Runs of lines that share the first level + 1 names. */
static struct branches find_branches(const struct figure_set *s, size_t from, size_t to, size_t level)
{
    struct branches found = {0};

    for (size_t i = from; i < to; i++) {
        if (i == from || s->shared.v[i] <= level)
            vec_push(&found, (struct branch){.from = i});
        found.v[found.n - 1].n++;
        found.v[found.n - 1].total += s->lines.v[i].total;
    }
    return found;
}

static void place_branches(struct figure_set *s, size_t from, size_t to, size_t level, const struct branches *b)
{
    struct figure_line *lines = xcalloc(to - from, sizeof *lines);
    uint8_t *shared = xcalloc(to - from, sizeof *shared), outside = s->shared.v[from];
    size_t n = 0;

    for (size_t i = 0; i < b->n; i++) {
        memcpy(lines + n, s->lines.v + b->v[i].from, b->v[i].n * sizeof *lines);
        memcpy(shared + n, s->shared.v + b->v[i].from, b->v[i].n);
        shared[n] = i ? (uint8_t)level : outside;
        n += b->v[i].n;
    }
    memcpy(s->lines.v + from, lines, n * sizeof *lines);
    memcpy(s->shared.v + from, shared, n);
    free(lines);
    free(shared);
}

static bool level_is_day(const struct figure_set *s, size_t from, size_t level)
{
    return s->lines.v[from].part == PART_CHARGED && level < s->r->by.n && strcmp(s->r->by.v[level], "day") == 0;
}

/* Lines from .. to - 1 share `level` names. Of buckets the first names keep their order. */
static void order_level(struct figure_set *s, size_t from, size_t to, size_t level)
{
    struct branches b = find_branches(s, from, to, level);
    bool named = level == 0 && s->lines.v[from].part != PART_CHARGED;

    if (b.n > 1 && !named && !level_is_day(s, from, level))
        qsort(b.v, b.n, sizeof *b.v, by_total);
    place_branches(s, from, to, level, &b);
    for (size_t i = 0, at = from; i < b.n; at += b.v[i++].n)
        if (b.v[i].n > 1 && level + 1 < LEVELS)
            order_level(s, at, at + b.v[i].n, level + 1);
    vec_free(&b);
}

void tree_order(struct figure_set *s)
{
    if (s->r->by.n < 2 || s->r->notes.sort || !s->lines.n)
        return;
    qsort_r(s->lines.v, s->lines.n, sizeof *s->lines.v, by_bucket, s);
    note_shared(s);
    for (size_t i = 0, part = 0; part < PARTS; i += s->count[part++])
        if (s->count[part])
            order_level(s, i, i + s->count[part], 0);
}

/* ---- labels ---- */

/* A line whose whole path others have as the beginning of theirs stands among them, as "-". */
static size_t levels_of(const struct figure_set *s, const struct path *p, size_t line)
{
    bool is_branch = s->shared.v[line] >= p->n || (line + 1 < s->lines.n && s->shared.v[line + 1] >= p->n);

    return p->n + is_branch;
}

size_t tree_levels(const struct figure_set *s, size_t line)
{
    struct path p = {.n = 0};
    size_t n;

    read_path(&p, s, line);
    n = levels_of(s, &p, line);
    buf_free(&p.text);
    return n;
}

static void add_indented(struct buf *b, const struct path *p, size_t level)
{
    buf_fill(b, ' ', INDENT * level);
    buf_adds(b, level_of(p, level));
}

void tree_add_level(struct buf *b, const struct figure_set *s, size_t line, size_t level)
{
    struct path p = {.n = 0};

    read_path(&p, s, line);
    add_indented(b, &p, level);
    buf_free(&p.text);
}

void tree_add_leaf(struct buf *b, const struct figure_set *s, size_t line)
{
    struct path p = {.n = 0};

    read_path(&p, s, line);
    add_indented(b, &p, levels_of(s, &p, line) - 1);
    buf_free(&p.text);
}

size_t tree_width(const struct figure_set *s, const struct ink *k)
{
    struct path p = {.n = 0};
    struct buf b = {0};
    size_t most = 0;

    for (size_t line = 0; line < s->lines.n; line++) {
        read_path(&p, s, line);
        for (size_t level = s->shared.v[line]; level < p.n; level++) {
            size_t width;

            buf_clear(&b);
            add_indented(&b, &p, level);
            width = ink_width(k, buf_str(&b));
            most = width > most ? width : most;
        }
    }
    buf_free(&p.text);
    buf_free(&b);
    return most;
}
