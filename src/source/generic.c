/* generic: any CSV bill, by a map of the user.
 *
 * The map says which columns there are; those that it names must all be in the header, and make the file the map's. A row is of a group
 * by the word of its kind, else it bills instance time, or a piece of the machine, or something beside it. Nothing is guessed: a number or
 * a time that is not written as the map says is an error with its place. */
#include "gputab/source/generic.h"

#include <stdlib.h>
#include <string.h>

#include "gputab/base/buf.h"
#include "gputab/base/xalloc.h"
#include "gputab/source/bill_meter.h"
#include "gputab/value/time_pattern.h"

struct generic {
    const struct bill_map *map;
    struct bill_dialect dialect;
    struct bill_column columns[MAPPED_COLUMNS];
    int at[MAPPED_COLUMNS];           /* number of the dialect's column; -1: the map names none */
    struct buf name;
};

/* ---- numbers ---- */

enum { NUMBER_MAX = 128 };

static struct span behind(struct span s, size_t n)
{
    return (struct span){s.p + n, s.n - n};
}

static struct span without_symbol(struct span s, const char *symbol)
{
    size_t n = symbol ? strlen(symbol) : 0;

    if (n && span_starts(s, symbol))
        return span_trim(behind(s, n));
    if (n && span_ends(s, symbol))
        return span_trim((struct span){s.p, s.n - n});
    return s;
}

/* Bytes of a separator of thousands at the beginning of s. A blank may be one that does not break. */
static size_t separator(const struct bill_map *m, struct span s)
{
    if (m->thousands == ' ' && span_starts(s, "\xc2\xa0"))
        return 2;
    if (m->thousands == ' ' && span_starts(s, "\xe2\x80\xaf"))
        return 3;
    return m->thousands && s.n && *s.p == m->thousands;
}

/* Up to `most` digits go to out; how many there were. */
static size_t copy_digits(struct span *s, char *out, size_t *n, size_t most)
{
    size_t from = *n;

    while (s->n && *s->p >= '0' && *s->p <= '9' && *n < NUMBER_MAX && *n - from < most) {
        out[(*n)++] = *s->p;
        *s = behind(*s, 1);
    }
    return *n - from;
}

/* "1.234.567": one to three digits, then groups of three; or digits without any separator. */
static bool copy_whole(const struct bill_map *m, struct span *s, char *out, size_t *n)
{
    size_t first = copy_digits(s, out, n, NUMBER_MAX), skip;

    if ((skip = separator(m, *s)) && (first < 1 || first > 3))
        return false;
    for (; (skip = separator(m, *s)); ) {
        *s = behind(*s, skip);
        if (copy_digits(s, out, n, 4) != 3)
            return false;
    }
    return true;
}

/* As all other bills write it. 0: it is not written as the map says. */
static size_t to_usual(const struct bill_map *m, struct span s, char out[NUMBER_MAX + 2])
{
    size_t n = 0;

    s = without_symbol(span_trim(s), m->symbol);
    if (s.n && *s.p == '-') {
        out[n++] = '-';
        s = without_symbol(span_trim(behind(s, 1)), m->symbol);
    }
    if (!copy_whole(m, &s, out, &n) || n >= NUMBER_MAX)
        return 0;
    if (s.n && *s.p == m->decimal) {
        out[n++] = '.';
        s = behind(s, 1);
        copy_digits(&s, out, &n, NUMBER_MAX);
    }
    if (s.n > NUMBER_MAX - n || (s.n && *s.p != 'e' && *s.p != 'E') || (s.n && memchr(s.p, '.', s.n)))
        return 0;
    memcpy(out + n, s.n ? s.p : "", s.n);
    return n + s.n;
}

int generic_number(const struct bill_map *map, struct span text, money *out, bool *rounded)
{
    char usual[NUMBER_MAX + 2];
    size_t n = to_usual(map, text, usual);

    return n ? money_parse((struct span){usual, n}, out, rounded) : -1;
}

/* ---- cells ---- */

/* One row, seen through the map. */
struct view {
    const struct generic *g;
    const struct bill_map *map;
    const struct bill_cells *cells;
    enum rule_cost cost;
};

static struct span cell(const struct view *v, enum bill_map_column column)
{
    return v->g->at[column] < 0 ? (struct span){NULL, 0} : bill_cell(v->cells, v->g->at[column]);
}

static int at_cell(const struct view *v, enum bill_map_column column, struct err *e)
{
    return bill_cell_at(v->cells, v->g->at[column], e);
}

static int not_a(const struct view *v, enum bill_map_column column, const char *what, struct err *e)
{
    struct span s = cell(v, column);

    err_set(e, ERR_INPUT, "\"%.*s\" is not %s", (int)(s.n < 80 ? s.n : 80), s.n ? s.p : "", what);
    return at_cell(v, column, e);
}

/* 1 with *out set, 0 when the cell is null, -1. */
static int read_number(const struct view *v, enum bill_map_column column, money *out, bool *rounded, struct err *e)
{
    struct span s = cell(v, column);

    if (s.n == 0)
        return 0;
    if (generic_number(v->map, s, out, rounded) == 0)
        return 1;
    not_a(v, column, "a number as the map says", e);
    if (v->map->thousands)
        return err_hint(e, "decimals stand behind \"%c\", thousands before \"%c\" (numbers in %s)", v->map->decimal, v->map->thousands,
                        v->map->path);
    return err_hint(e, "decimals stand behind \"%c\", and thousands are not set apart (numbers in %s)", v->map->decimal, v->map->path);
}

static int read_amount(const struct view *v, enum bill_map_column column, money *out, struct err *e)
{
    bool rounded = false;
    int rc = read_number(v, column, out, &rounded, e);

    if (rc == 0) {
        err_set(e, ERR_INPUT, "amount is missing");
        err_hint(e, "a missing amount is never taken for zero: export the bill again");
        return at_cell(v, column, e);
    }
    if (rounded)
        bill_cells_warn_rounded(v->cells, v->g->at[column]);
    return rc < 0 ? -1 : 0;
}

static int read_amounts(const struct view *v, struct bill_row *out, struct err *e)
{
    enum bill_map_column billed = v->map->columns[MAPPED_BILLED] ? MAPPED_BILLED : MAPPED_COST;
    enum bill_map_column asked = MAPPED_COST;

    if (v->cost == RULE_COST_LIST)
        asked = MAPPED_LIST;
    else if (v->cost == RULE_COST_BILLED)
        asked = billed;
    if (v->g->at[asked] < 0) {
        err_set(e, ERR_INPUT, "%s names no column of list prices, which the rule asks for", v->map->path);
        return err_hint(e, "write columns: list in the map, or another cost in the rule");
    }
    return read_amount(v, asked, &out->cost, e) < 0 || read_amount(v, billed, &out->invoiced, e) < 0 ? -1 : 0;
}

/* Of instance time; a map need not name such a column. */
static int read_list(const struct view *v, struct bill_row *out, struct err *e)
{
    bool rounded = false;
    int rc = v->g->at[MAPPED_LIST] >= 0 ? read_number(v, MAPPED_LIST, &out->list, &rounded, e) : 0;

    if (rounded)
        bill_cells_warn_rounded(v->cells, v->g->at[MAPPED_LIST]);
    out->has_list = rc == 1;
    return rc < 0 ? -1 : 0;
}

static int read_time(const struct view *v, enum bill_map_column column, time_ms *out, struct err *e)
{
    if (!v->map->times)
        return bill_cell_time(v->cells, v->g->at[column], out, e);
    if (time_pattern_parse(v->map->times, cell(v, column), out) < 0) {
        not_a(v, column, "a time as the map says", e);
        return err_hint(e, "times are written like \"%s\" (times in %s)", v->map->times, v->map->path);
    }
    *out -= v->map->zone_ms;
    return 0;
}

/* ---- the row's time ---- */

static int64_t unit_ms(enum bill_map_unit unit)
{
    static const int64_t ms[] = {
        [MAPPED_HOURS] = TIME_HOUR, [MAPPED_MINUTES] = TIME_MINUTE, [MAPPED_SECONDS] = TIME_SECOND, [MAPPED_DAYS] = TIME_DAY,
        [MAPPED_GPU_HOURS] = TIME_HOUR,
    };

    return ms[unit];
}

enum { UNITS_MAX = 1000000000 };   /* of time in a row: more is a typing error */

static int read_units(const struct view *v, enum bill_map_column column, int64_t ms, money *out, struct err *e)
{
    int rc = read_number(v, column, out, NULL, e);

    if (rc == 1 && (*out > UNITS_MAX * MONEY_ONE || *out < -UNITS_MAX * MONEY_ONE))
        return not_a(v, column, "a credible time", e);
    *out = rc == 1 ? *out * ms : 0;
    return rc;
}

/* The hour, day or month of the bill's zone in which t lies. */
static struct timespan whole(const struct bill_map *m, time_ms t)
{
    time_ms local = t + m->zone_ms;
    struct timespan s = timespan_this_month(local);
    int64_t length = m->every == MAPPED_EVERY_HOUR ? TIME_HOUR : TIME_DAY;

    if (m->every != MAPPED_EVERY_MONTH)
        s = (struct timespan){time_floor(local, length), time_floor(local, length) + length};
    return (struct timespan){s.from - m->zone_ms, s.to - m->zone_ms};
}

static int read_duration(const struct view *v, struct timespan *out, struct err *e)
{
    money length;
    int rc = read_units(v, MAPPED_DURATION, unit_ms(v->map->duration_unit), &length, e);

    if (rc <= 0 || length < 0)
        return rc < 0 ? -1 : not_a(v, MAPPED_DURATION, "a duration", e);
    out->to = out->from + (time_ms)(money_round(length, 0) / MONEY_ONE);
    return 0;
}

static int read_span(const struct view *v, struct timespan *out, struct err *e)
{
    if (read_time(v, MAPPED_START, &out->from, e) < 0)
        return -1;
    if (v->map->every != MAPPED_NOT_EVERY) {
        *out = whole(v->map, out->from);
        return 0;
    }
    if (v->map->columns[MAPPED_DURATION])
        return read_duration(v, out, e);
    if (read_time(v, MAPPED_END, &out->to, e) < 0)
        return -1;
    if (v->map->ends_with_day)
        out->to += TIME_DAY;
    return 0;
}

static int check_span(const struct view *v, const struct bill_row *row, struct err *e)
{
    enum bill_map_column end = v->map->columns[MAPPED_DURATION] ? MAPPED_DURATION : v->map->columns[MAPPED_END] ? MAPPED_END : MAPPED_START;

    if (row->span.from < row->span.to || (row->span.from == row->span.to && row->kind == BILL_GROUPED))
        return 0;
    err_set(e, ERR_INPUT, "row ends no later than it starts");
    return at_cell(v, end, e);
}

/* ---- what a row is ---- */

static bool is_one_of(struct span text, bill_map_words words)
{
    for (size_t i = 0; words && words[i]; i++)
        if (span_glob(text, words[i]))
            return true;
    return false;
}

static int find(struct span text, const bill_map_words *lists, int n)
{
    int i = 0;

    while (i < n && !is_one_of(text, lists[i]))
        i++;
    return i;
}

static bool has_pieces(const struct bill_map *m)
{
    return m->pieces[PIECE_GPU] || m->pieces[PIECE_CPU] || m->pieces[PIECE_MEMORY];
}

static void read_kind(const struct view *v, struct bill_row *out)
{
    struct span kind = cell(v, MAPPED_KIND);
    int piece = find(kind, v->map->pieces, PIECES);

    out->group = (enum bill_group)find(kind, v->map->groups, BILL_GROUPS);
    out->has_piece = piece < PIECES;
    out->piece = out->has_piece ? (enum piece)piece : PIECE_GPU;
    if (out->group != BILL_GROUPS)
        out->kind = BILL_GROUPED;
    else if (has_pieces(v->map))
        out->kind = out->has_piece ? BILL_TIME : BILL_BESIDE;
    else
        out->kind = !v->map->instance_time || is_one_of(kind, v->map->instance_time) ? BILL_TIME : BILL_BESIDE;
}

/* ---- instance time ---- */

/* Time of GPUs is divided by their number, but in rows that bill GPUs alone: whoever adds those up knows it. */
static int read_quantity(const struct view *v, struct bill_row *out, struct err *e)
{
    int64_t ms = unit_ms(v->map->unit);
    int rc;

    if (out->has_piece && out->piece != PIECE_GPU)
        return 0;
    if (v->map->columns[MAPPED_UNIT] && !bill_unit_ms(cell(v, MAPPED_UNIT), &ms))
        return 0;
    rc = v->map->columns[MAPPED_QUANTITY] ? read_units(v, MAPPED_QUANTITY, ms, &out->time_ms, e) : 0;
    out->has_time = rc == 1;
    if (rc <= 0 || v->map->unit != MAPPED_GPU_HOURS || out->has_piece)
        return rc < 0 ? -1 : 0;
    if (out->gpu_count_micro == 0)
        return not_a(v, MAPPED_GPUS, "a number of GPUs, by which GPU hours are divided", e);
    out->time_ms = money_mul_div(out->time_ms, 1000000, (weight)out->gpu_count_micro);
    return 0;
}

static int read_machine(const struct view *v, struct bill_row *out, struct err *e)
{
    int purchase = find(cell(v, MAPPED_PURCHASE), v->map->purchases, PURCHASES);

    out->type = cell(v, MAPPED_TYPE);
    out->region = cell(v, MAPPED_REGION);
    out->purchase = purchase < PURCHASES ? (enum purchase)purchase : v->map->purchase;
    out->gpu_count_micro = bill_micro_of_words(cell(v, MAPPED_GPUS));
    out->vcpu_micro = bill_micro_of_words(cell(v, MAPPED_VCPUS));
    out->memory_micro_gib = bill_micro_of_words(cell(v, MAPPED_MEMORY));
    return read_quantity(v, out, e);
}

static int generic_row(void *state, const struct bill_cells *c, struct bill_row *out, struct err *e)
{
    const struct bill_request *req = state;
    const struct generic *g = c->dialect->context;
    const struct view v = {g, g->map, c, req->cost};

    if (read_span(&v, &out->span, e) < 0 || read_amounts(&v, out, e) < 0)
        return -1;
    out->currency = g->map->currency ? span_of(g->map->currency) : cell(&v, MAPPED_CURRENCY);
    out->resource = cell(&v, MAPPED_RESOURCE);
    if (g->map->columns[MAPPED_INVOICE])
        out->invoice = cell(&v, MAPPED_INVOICE).n ? BILL_INVOICED : BILL_ESTIMATED;
    read_kind(&v, out);
    if (check_span(&v, out, e) < 0)
        return -1;
    if (out->kind == BILL_TIME && req->list && read_list(&v, out, e) < 0)
        return -1;
    return out->kind == BILL_TIME ? read_machine(&v, out, e) : 0;
}

/* ---- the dialect ---- */

static void *generic_open(const struct bill_request *req)
{
    struct bill_request *r = xcalloc(1, sizeof *r);

    *r = *req;
    return r;
}

static void generic_close(void *state, const char *name, bool complete)
{
    (void)name;
    (void)complete;
    free(state);
}

struct generic *generic_new(const struct bill_map *map)
{
    struct generic *g = xcalloc(1, sizeof *g);
    int n = 0;

    g->map = map;
    for (int i = 0; i < MAPPED_COLUMNS; i++) {
        g->at[i] = map->columns[i] ? n : -1;
        if (map->columns[i])
            g->columns[n++] = (struct bill_column){map->columns[i], NULL, true, true};
    }
    buf_addf(&g->name, "%s (map %s)", map->name, map->path);
    g->dialect = (struct bill_dialect){
        .name = buf_str(&g->name), .context = g, .delimiter = map->delimiter, .columns = g->columns, .n_columns = n,
        .resource_column = g->at[MAPPED_RESOURCE], .resource_hint = "the map's columns: resource names the machine",
        .open = generic_open, .row = generic_row, .close = generic_close,
    };
    for (int i = 0; i <= RULE_COST_NET_EFFECTIVE; i++)
        g->dialect.cost_columns[i] = -1;                     /* those of the map are all needed */
    return g;
}

void generic_free(struct generic *g)
{
    if (!g)
        return;
    buf_free(&g->name);
    free(g);
}

const struct bill_dialect *generic_dialect(const struct generic *g)
{
    return &g->dialect;
}
