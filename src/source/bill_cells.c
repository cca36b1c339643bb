/* bill_cells: cells of a bill's row as values, or as errors that say where.
 *
 * Null is decided here, once: no such column, an empty cell, or the word NULL, which exports write for it. A cell that is there but cannot
 * be read is always an error; what a null means is for the dialect. Amounts end at 10^15 units (money_parse): 10^10 rows stay within money. */
#include "gputab/source/bill_dialect.h"

#include <string.h>

enum { SHOWN_MAX = 80 };           /* bytes of a bad value in a message */

static bool is_null(const struct bill_dialect *d, struct span s)
{
    static const char *const words[] = {"null", "none", "<na>", "\\N"};

    if (s.n > 4)
        return false;
    for (size_t i = 0; i < (d->more_nulls ? sizeof words / sizeof *words : 1); i++)
        if (span_eq_fold(s, words[i]))
            return true;
    return s.n == 0;
}

static struct span null_or(const struct bill_dialect *d, struct span s)
{
    static const struct span null = {NULL, 0};

    s = span_trim(s);
    return is_null(d, s) ? null : s;
}

static bool is_edge_blank(struct span s)
{
    return (unsigned char)s.p[0] <= ' ' || (unsigned char)s.p[s.n - 1] <= ' ';
}

/* Called many times a row: most cells have neither blanks around them nor the length of a word. */
struct span bill_cell(const struct bill_cells *c, int column)
{
    int i = c->index[column];
    struct span s;

    if (i < 0 || (size_t)i >= c->row->n)
        return (struct span){NULL, 0};
    s = c->row->fields[i];
    return s.n == 0 || s.n == 2 || s.n == 4 || is_edge_blank(s) ? null_or(c->dialect, s) : s;
}

int bill_cell_at(const struct bill_cells *c, int column, struct err *e)
{
    bill_rows_at(c->rows, c->index[column], e);
    return err_wrap(e, "column \"%s\"", c->shown[column]);
}

static int not_a(const struct bill_cells *c, int column, struct span s, const char *what, struct err *e)
{
    err_set(e, ERR_INPUT, "\"%.*s\" is not %s", (int)(s.n < SHOWN_MAX ? s.n : SHOWN_MAX), s.n ? s.p : "", what);
    return bill_cell_at(c, column, e);
}

static int read_number(const struct bill_cells *c, int column, money *out, bool *rounded, struct err *e)
{
    struct span s = bill_cell(c, column);

    if (s.n == 0)
        return 0;
    if (money_parse(s, out, rounded) < 0) {
        not_a(c, column, s, "a decimal number", e);
        return err_hint(e, "numbers are written like 1234.56 or 1.5e-3, up to 10^15, without signs of currency or grouping; did a "
                           "spreadsheet rewrite them?");
    }
    return 1;
}

int bill_cell_list(const struct bill_cells *c, const struct bill_request *req, int column, struct bill_row *out, struct err *e)
{
    int rc = req->list && !out->correction ? bill_cell_money(c, column, &out->list, e) : 0;

    out->has_list = rc == 1;
    return rc < 0 ? -1 : 0;
}

void bill_cells_warn_rounded(const struct bill_cells *c, int column)
{
    diag_add(c->diag, "W205", "%s: amounts with more than 12 decimals were rounded half to even (column \"%s\")", c->name,
             c->shown[column]);
    diag_hint(c->diag, "W205", "nothing is to be done: what was rounded is below a billionth of a cent each");
}

int bill_cell_money(const struct bill_cells *c, int column, money *out, struct err *e)
{
    bool rounded = false;
    int rc = read_number(c, column, out, &rounded, e);

    if (rc == 1 && rounded)
        bill_cells_warn_rounded(c, column);
    return rc;
}

void bill_cells_warn_details(const struct bill_cells *c, int column)
{
    diag_add(c->diag, "W106", "%s: cells of column \"%s\" are no JSON object; instance types in them are not seen", c->name,
             c->shown[column]);
    diag_hint(c->diag, "W106", "the node label node.kubernetes.io/instance-type names them too: kube-state-metrics --metric-labels-allowlist=nodes=[*]");
}

/* 10^27 in units of 10^-12 ms is 30 000 years: more is no quantity, and sums stay within money. */
#define DURATION_MAX ((money)1000000000000000 * MONEY_ONE)

int bill_cell_duration(const struct bill_cells *c, int column, int64_t unit_ms, money *out, struct err *e)
{
    money quantity;
    int rc = read_number(c, column, &quantity, NULL, e);

    if (rc <= 0)
        return rc;
    if (quantity > DURATION_MAX / unit_ms || quantity < -DURATION_MAX / unit_ms) {
        err_set(e, ERR_INPUT, "quantity is no credible time");
        return bill_cell_at(c, column, e);
    }
    *out = quantity * unit_ms;
    return 1;
}

int bill_cell_time(const struct bill_cells *c, int column, time_ms *out, struct err *e)
{
    struct span s = bill_cell(c, column);

    if (time_parse(s, out) == 0)
        return 0;
    if (s.n == 0) {
        err_set(e, ERR_INPUT, "is empty");
        return bill_cell_at(c, column, e);
    }
    not_a(c, column, s, "a time", e);
    return err_hint(e, "times are written like 2026-10-05T10:00:00Z; did a spreadsheet rewrite them?");
}
