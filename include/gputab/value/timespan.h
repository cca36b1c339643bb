/* timespan: instants in milliseconds since 1970-01-01T00:00:00Z and half-open UTC intervals [from, to). */
#ifndef GPUTAB_VALUE_TIMESPAN_H
#define GPUTAB_VALUE_TIMESPAN_H

#include <stdbool.h>
#include <stdint.h>

#include "gputab/base/buf.h"
#include "gputab/base/err.h"
#include "gputab/base/span.h"

typedef int64_t time_ms;

#define TIME_NS_PER_MS ((int64_t)1000000)
#define TIME_SECOND ((time_ms)1000)
#define TIME_MINUTE ((time_ms)60000)
#define TIME_HOUR ((time_ms)3600000)
#define TIME_DAY ((time_ms)86400000)
#define TIME_MIN INT64_MIN
#define TIME_MAX INT64_MAX

struct timespan {
    time_ms from, to;
};

/* Reads 2026-10-05, 2026-10-05T10:00Z, 2026-10-05 10:00:00[.fff], with Z, " UTC", +00:00 or another offset, or no zone (UTC).
 * 0, or -1 when the text is no such time (30:00:00, month 13). */
int time_parse(struct span text, time_ms *out) GPUTAB_MUST_CHECK;

/* "2026-10" to its first and next first instant, UTC. */
int timespan_parse_month(struct span text, struct timespan *out) GPUTAB_MUST_CHECK;

/* The calendar month before the one that holds now, or the one that holds it. */
struct timespan timespan_last_month(time_ms now);
struct timespan timespan_this_month(time_ms now);

/* "5m", "30s", "1h", "90", "1h30m", "250ms", "2d": milliseconds. 0 or -1. */
int duration_parse(struct span text, int64_t *out_ms) GPUTAB_MUST_CHECK;

void time_add_text(struct buf *b, time_ms t);                /* 2026-10-05T10:00:00Z, with .fff only when needed */
void time_add_date(struct buf *b, time_ms t);                /* 2026-10-05 */
void duration_add_text(struct buf *b, int64_t ms);           /* 1h30m, 45s, 250ms */

time_ms time_floor(time_ms t, int64_t unit_ms);              /* towards minus infinity */
int64_t timespan_ms(struct timespan s);                      /* length; 0 when empty or inverted */
struct timespan timespan_cut(struct timespan a, struct timespan b);   /* intersection; to <= from when empty */

#endif
