/* azure_day: dates by one form per file.
 *
 * With slashes Azure writes the month first, wherever the account is. A spreadsheet may have turned that around, and then most dates still
 * look right; so one number above 12 in the month's place, in the date or at the end of the billing period, is proof enough to refuse the
 * file. Years of two digits are not guessed. */
#include "gputab/source/azure_day.h"

#include <stdio.h>
#include <string.h>

enum { SHOWN_MAX = 80 };

/* A number of 1 to max digits and the slash behind it, if there is one: *s moves behind both. -1: no number. */
static int next_number(struct span *s, size_t max)
{
    int value = 0;
    size_t n = 0;

    for (; n < s->n && n < max && s->p[n] >= '0' && s->p[n] <= '9'; n++)
        value = value * 10 + (s->p[n] - '0');
    if (n == 0 || (n < s->n && s->p[n] != '/'))
        return -1;
    n += n < s->n;
    *s = (struct span){s->p + n, s->n - n};
    return value;
}

static bool has_slash(struct span s)
{
    return s.n && memchr(s.p, '/', s.n);
}

static int refuse(const struct bill_cells *c, int column, struct span s, const char *why, struct err *e)
{
    err_set(e, ERR_INPUT, "\"%.*s\" %s", (int)(s.n < SHOWN_MAX ? s.n : SHOWN_MAX), s.n ? s.p : "", why);
    err_hint(e, "Azure writes 2026-10-05 or, with the month first, 10/05/2026; did a spreadsheet rewrite the dates? Use the file as it "
             "came");
    return bill_cell_at(c, column, e);
}

static bool has_day_first(struct span s)
{
    return has_slash(s) && next_number(&s, 2) > 12;
}

static int read_us(const struct bill_cells *c, int column, struct span s, time_ms *out, struct err *e)
{
    struct span rest = s;
    int month = next_number(&rest, 2), day = month < 0 ? -1 : next_number(&rest, 2);
    bool has_year = rest.n == 4;
    int year = day < 0 || !has_year ? -1 : next_number(&rest, 4);
    char iso[48];

    if (month > 12)
        return refuse(c, column, s, "has no month in front", e);
    if (year < 0 || rest.n)
        return refuse(c, column, s, "is no date", e);
    snprintf(iso, sizeof iso, "%04d-%02d-%02d", year, month, day);
    return time_parse(span_of(iso), out) < 0 ? refuse(c, column, s, "is no date", e) : 0;
}

static int check_form(struct azure_days *d, const struct bill_cells *c, int column, struct span s, struct err *e)
{
    enum azure_day_form form = has_slash(s) ? AZURE_DAY_US : AZURE_DAY_ISO;

    if (d->form == AZURE_DAY_UNKNOWN)
        d->form = form;
    return d->form == form ? 0 : refuse(c, column, s, "is written unlike the dates before it", e);
}

static bool is_first_of_month(time_ms day)
{
    struct buf text = {0};
    bool first;

    time_add_date(&text, day);
    first = span_ends(buf_span(&text), "-01");
    buf_free(&text);
    return first;
}

int azure_day_read(struct azure_days *d, const struct bill_cells *c, int date, int period_end, struct timespan *out, struct err *e)
{
    struct span s = bill_cell(c, date), end = bill_cell(c, period_end);
    time_ms t;

    if (s.n && check_form(d, c, date, s, e) < 0)
        return -1;
    if (has_slash(s) && has_day_first(end))
        return refuse(c, period_end, end, "has no month in front", e);
    if ((has_slash(s) ? read_us(c, date, s, &t, e) : bill_cell_time(c, date, &t, e)) < 0)
        return -1;
    out->from = time_floor(t, TIME_DAY);
    out->to = out->from + TIME_DAY;
    d->others = d->others || !is_first_of_month(out->from);
    return 0;
}
