/* timespan: instants, intervals and durations: reading what bills, rules and command lines write, and writing ISO 8601.
 *
 * All calendars are UTC and Gregorian, computed here: the C library's would bring in the process' time zone. A time without a zone
 * is UTC. Digits below a millisecond are cut off. Time zones by name and day borders in them are not known here. */
#include "gputab/value/timespan.h"

#include <string.h>

enum { DAYS_PER_ERA = 146097, YEARS_PER_ERA = 400 };   /* the Gregorian calendar repeats */

/* ---- calendar ---- */

static bool is_leap(int64_t year)
{
    return year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
}

static int days_in_month(int64_t year, int month)
{
    static const signed char days[] = { 31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31 };

    return days[month - 1] + (month == 2 && is_leap(year));
}

/* Days from 1970-01-01 to the first of January of the year >= 1. */
static int64_t days_before_year(int64_t year)
{
    int64_t past = year - 1;                           /* whole years since the first of January of year 1 */

    return past * 365 + past / 4 - past / 100 + past / 400 - 719162;
}

static int64_t days_from_date(int64_t year, int month, int day)
{
    static const int16_t before_month[] = { 0, 31, 59, 90, 120, 151, 181, 212, 243, 273, 304, 334 };
    bool leap_day = month > 2 && days_in_month(year, 2) == 29;

    return days_before_year(year) + before_month[month - 1] + leap_day + day - 1;
}

struct date {
    int64_t year;
    int month, day;
};

static struct date date_from_days(int64_t days)
{
    int64_t era = days / DAYS_PER_ERA - (days % DAYS_PER_ERA < 0);
    struct date d = { 1970, 1, 1 };

    days -= era * DAYS_PER_ERA;                        /* now within the 400 years from 1970 */
    d.year = 1970 + days / 366;                        /* never too late, and at most one year too early */
    while (days >= days_before_year(d.year + 1))
        d.year++;
    days -= days_before_year(d.year);
    for (; days >= days_in_month(d.year, d.month); d.month++)
        days -= days_in_month(d.year, d.month);
    d.day = (int)days + 1;
    d.year += era * YEARS_PER_ERA;
    return d;
}

/* ---- reading ---- */

/* Exactly n digits; *s moves on. */
static int take_number(struct span *s, size_t n, int *out)
{
    int v = 0;

    if (s->n < n)
        return -1;
    for (size_t i = 0; i < n; i++) {
        if (s->p[i] < '0' || s->p[i] > '9')
            return -1;
        v = v * 10 + (s->p[i] - '0');
    }
    s->p += n;
    s->n -= n;
    *out = v;
    return 0;
}

static bool take_char(struct span *s, char c)
{
    if (s->n == 0 || *s->p != c)
        return false;
    s->p++;
    s->n--;
    return true;
}

static int take_year_month(struct span *s, int *year, int *month)
{
    if (take_number(s, 4, year) < 0 || !take_char(s, '-') || take_number(s, 2, month) < 0)
        return -1;
    return *year >= 1970 && *month >= 1 && *month <= 12 ? 0 : -1;
}

static int take_date(struct span *s, time_ms *out)
{
    int year, month, day;

    if (take_year_month(s, &year, &month) < 0 || !take_char(s, '-') || take_number(s, 2, &day) < 0)
        return -1;
    if (day < 1 || day > days_in_month(year, month))
        return -1;
    *out = days_from_date(year, month, day) * TIME_DAY;
    return 0;
}

/* ".25" is 250 ms; a point without a digit is an error. */
static int take_fraction(struct span *s, int *ms)
{
    int scale = 100, digit;

    *ms = 0;
    if (!take_char(s, '.'))
        return 0;
    if (take_number(s, 1, &digit) < 0)
        return -1;
    do {
        *ms += digit * scale;
        scale /= 10;
    } while (take_number(s, 1, &digit) == 0);
    return 0;
}

static int take_clock(struct span *s, time_ms *t)
{
    int hour, minute, second = 0, ms = 0;

    if (take_number(s, 2, &hour) < 0 || !take_char(s, ':') || take_number(s, 2, &minute) < 0)
        return -1;
    if (take_char(s, ':') && (take_number(s, 2, &second) < 0 || take_fraction(s, &ms) < 0))
        return -1;
    if (hour > 23 || minute > 59 || second > 59)
        return -1;
    *t += hour * TIME_HOUR + minute * TIME_MINUTE + second * TIME_SECOND + ms;
    return 0;
}

/* Nothing, Z, UTC, or an offset (+02:00, +0200, +02), with a blank before it or without. */
static int take_zone(struct span *s, time_ms *t)
{
    int hour, minute = 0, sign;

    *s = span_trim(*s);
    if (s->n == 0 || span_eq_fold(*s, "z") || span_eq_fold(*s, "utc")) {
        s->n = 0;
        return 0;
    }
    sign = *s->p == '-' ? -1 : *s->p == '+' ? 1 : 0;
    s->p++;
    s->n--;
    if (!sign || take_number(s, 2, &hour) < 0)
        return -1;
    if (s->n) {
        take_char(s, ':');
        if (take_number(s, 2, &minute) < 0)
            return -1;
    }
    if (hour > 23 || minute > 59)
        return -1;
    *t -= sign * (hour * TIME_HOUR + minute * TIME_MINUTE);
    return 0;
}

int time_parse(struct span text, time_ms *out)
{
    struct span s = span_trim(text);
    time_ms t;

    if (take_date(&s, &t) < 0)
        return -1;
    if (s.n) {
        if (!take_char(&s, 'T') && !take_char(&s, 't') && !take_char(&s, ' '))
            return -1;
        if (take_clock(&s, &t) < 0 || take_zone(&s, &t) < 0)
            return -1;
    }
    if (s.n)
        return -1;
    *out = t;
    return 0;
}

static struct timespan month_span(int64_t year, int month)
{
    time_ms start = days_from_date(year, month, 1) * TIME_DAY;

    return (struct timespan){ start, start + days_in_month(year, month) * TIME_DAY };
}

int timespan_parse_month(struct span text, struct timespan *out)
{
    struct span s = span_trim(text);
    int year, month;

    if (take_year_month(&s, &year, &month) < 0 || s.n)
        return -1;
    *out = month_span(year, month);
    return 0;
}

struct timespan timespan_this_month(time_ms now)
{
    struct date d = date_from_days(time_floor(now, TIME_DAY) / TIME_DAY);

    return month_span(d.year, d.month);
}

struct timespan timespan_last_month(time_ms now)
{
    return timespan_this_month(timespan_this_month(now).from - 1);
}

/* ---- durations ---- */

struct unit {
    const char *name;
    int64_t ms;
};

static const struct unit units[] = {                   /* larger first, as they are written */
    { "d", 24 * 3600000 }, { "h", 3600000 }, { "m", 60000 }, { "s", 1000 }, { "ms", 1 },
};
enum { UNITS = sizeof units / sizeof *units };

static const int64_t longest_ms = INT64_C(100) * 366 * 24 * 3600000;   /* a century: sums with an instant can't overflow */

static int take_count(struct span *s, int64_t *out)
{
    int digit;

    if (take_number(s, 1, &digit) < 0)
        return -1;
    *out = 0;
    do {
        *out = *out * 10 + digit;
        if (*out > longest_ms)
            return -1;
    } while (take_number(s, 1, &digit) == 0);
    return 0;
}

/* Index of the unit, searched from `first` on: units come in falling order, each once. -1: none. */
static int take_unit(struct span *s, int first)
{
    struct span name = { s->p, 0 };

    while (name.n < s->n && s->p[name.n] >= 'a' && s->p[name.n] <= 'z')
        name.n++;
    for (int i = first; i < UNITS; i++) {
        if (!span_eq(name, units[i].name))
            continue;
        s->p += name.n;
        s->n -= name.n;
        return i;
    }
    return -1;
}

int duration_parse(struct span text, int64_t *out_ms)
{
    struct span s = span_trim(text);
    int64_t total = 0, count;
    int unit = -1;

    do {
        if (take_count(&s, &count) < 0)
            return -1;
        if (s.n == 0 && unit < 0) {                    /* a bare number: seconds */
            total = count > longest_ms / TIME_SECOND ? -1 : count * TIME_SECOND;
            break;
        }
        unit = take_unit(&s, unit + 1);
        if (unit < 0 || count > (longest_ms - total) / units[unit].ms)
            return -1;
        total += count * units[unit].ms;
    } while (s.n);
    if (total < 0)
        return -1;
    *out_ms = total;
    return 0;
}

/* ---- writing ---- */

#define DIGIT(n) (char)('0' + (n) % 10)

/* Every row of a report by days has a date. */
void time_add_date(struct buf *b, time_ms t)
{
    struct date d = date_from_days(time_floor(t, TIME_DAY) / TIME_DAY);

    if (d.year >= 0 && d.year <= 9999)
        buf_add(b, (const char[]){ DIGIT(d.year / 1000), DIGIT(d.year / 100), DIGIT(d.year / 10), DIGIT(d.year), '-',
                                   DIGIT(d.month / 10), DIGIT(d.month), '-', DIGIT(d.day / 10), DIGIT(d.day) }, 10);
    else
        buf_addf(b, "%04lld-%02d-%02d", (long long)d.year, d.month, d.day);
}

void time_add_text(struct buf *b, time_ms t)
{
    int ms = (int)(t - time_floor(t, TIME_DAY));

    time_add_date(b, t);
    buf_addf(b, "T%02d:%02d:%02d", ms / 3600000, ms / 60000 % 60, ms / 1000 % 60);
    if (ms % 1000)
        buf_addf(b, ".%03d", ms % 1000);
    buf_addc(b, 'Z');
}

/* Hours are the largest unit written: bills count in hours. */
void duration_add_text(struct buf *b, int64_t ms)
{
    uint64_t rest = ms < 0 ? 0 - (uint64_t)ms : (uint64_t)ms;

    if (ms < 0)
        buf_addc(b, '-');
    if (rest == 0)
        buf_adds(b, "0s");
    for (int i = 1; i < UNITS; i++) {
        uint64_t unit = (uint64_t)units[i].ms;

        if (rest >= unit)
            buf_addf(b, "%llu%s", (unsigned long long)(rest / unit), units[i].name);
        rest %= unit;
    }
}

/* ---- arithmetic ---- */

time_ms time_floor(time_ms t, int64_t unit_ms)
{
    int64_t rest = t % unit_ms;

    if (rest < 0)
        rest += unit_ms;
    return t < TIME_MIN + rest ? TIME_MIN : t - rest;
}

int64_t timespan_ms(struct timespan s)
{
    int64_t n;

    if (s.to <= s.from)
        return 0;
    return __builtin_sub_overflow(s.to, s.from, &n) ? INT64_MAX : n;
}

struct timespan timespan_cut(struct timespan a, struct timespan b)
{
    return (struct timespan){ a.from > b.from ? a.from : b.from, a.to < b.to ? a.to : b.to };
}
