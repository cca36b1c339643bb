/* time_pattern: a table of parts. What they hold is spelt anew in the usual form, whose reader says whether there is such a time. */
#include "gputab/value/time_pattern.h"

#include <stdio.h>
#include <string.h>

enum part { YEAR, SHORT_YEAR, MONTH_NAME, MONTH, DAY, HOUR, MINUTE, SECOND, HALF, PARTS };

static const struct {
    const char *name;
    int least, most;               /* digits */
} parts[PARTS] = {
    [YEAR] = {"YYYY", 4, 4}, [SHORT_YEAR] = {"YY", 2, 2}, [MONTH_NAME] = {"MON", 0, 0}, [MONTH] = {"MM", 1, 2}, [DAY] = {"DD", 1, 2},
    [HOUR] = {"hh", 1, 2},   [MINUTE] = {"mm", 2, 2},     [SECOND] = {"ss", 2, 2},      [HALF] = {"AMPM", 0, 0},
};

static const char *const months[] = {"jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"};

/* The part that stands at p, PARTS: none. */
static enum part part_at(const char *p)
{
    int i = 0;

    while (i < PARTS && strncmp(p, parts[i].name, strlen(parts[i].name)) != 0)
        i++;
    return (enum part)i;
}

const char *time_pattern_fault(const char *pattern)
{
    int n[PARTS + 1] = {0};

    for (const char *p = pattern; *p;) {
        enum part part = part_at(p);

        if (n[part]++ && part != PARTS)
            return "has a part twice";
        p += part == PARTS ? 1 : strlen(parts[part].name);
    }
    if (n[YEAR] + n[SHORT_YEAR] != 1)
        return "needs YYYY or YY";
    if (n[MONTH] + n[MONTH_NAME] != 1)
        return "needs MM or MON";
    if (!n[DAY])
        return "needs DD";
    if ((n[MINUTE] || n[HALF]) && !n[HOUR])
        return "has a part of a time without the larger one";
    return n[SECOND] && !n[MINUTE] ? "has a part of a time without the larger one" : NULL;
}

static struct span behind(struct span s, size_t n)
{
    return (struct span){s.p + n, s.n - n};
}

static int take_word(struct span *s, const char *const *words, int n)
{
    for (int i = 0; i < n; i++) {
        size_t length = strlen(words[i]);

        if (s->n >= length && span_eq_fold((struct span){s->p, length}, words[i])) {
            *s = behind(*s, length);
            return i;
        }
    }
    return -1;
}

static int take_digits(struct span *s, int least, int most)
{
    int value = 0, n = 0;

    while (n < most && (size_t)n < s->n && s->p[n] >= '0' && s->p[n] <= '9')
        value = value * 10 + (s->p[n++] - '0');
    *s = behind(*s, (size_t)n);
    return n < least ? -1 : value;
}

static int take(struct span *s, enum part part)
{
    static const char *const halves[] = {"am", "pm"};
    int month;

    if (part == HALF)
        return take_word(s, halves, 2);
    if (part != MONTH_NAME)
        return take_digits(s, parts[part].least, parts[part].most);
    month = take_word(s, months, 12);
    return month < 0 ? -1 : month + 1;
}

/* Twelve is the first hour of each half. */
static int hour_of(int hour, int half)
{
    if (half < 0)
        return hour;
    return hour < 1 || hour > 12 ? -1 : hour % 12 + 12 * half;
}

int time_pattern_parse(const char *pattern, struct span text, time_ms *out)
{
    int v[PARTS] = {[YEAR] = -1, [MONTH_NAME] = -1, [HALF] = -1}, hour;
    struct span s = span_trim(text);
    char usual[40];

    while (*pattern) {
        enum part part = part_at(pattern);

        if (part == PARTS) {
            if (s.n == 0 || *s.p != *pattern)
                return -1;
            s = behind(s, 1);
            pattern++;
            continue;
        }
        v[part] = take(&s, part);
        if (v[part] < 0)
            return -1;
        pattern += strlen(parts[part].name);
    }
    hour = hour_of(v[HOUR], v[HALF]);
    if (s.n || hour < 0)
        return -1;
    snprintf(usual, sizeof usual, "%04d-%02d-%02dT%02d:%02d:%02dZ", v[YEAR] < 0 ? 2000 + v[SHORT_YEAR] : v[YEAR],
             v[MONTH_NAME] < 0 ? v[MONTH] : v[MONTH_NAME], v[DAY], hour, v[MINUTE], v[SECOND]);
    return time_parse(span_of(usual), out);
}
