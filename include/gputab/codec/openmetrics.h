/* openmetrics: a stream of OpenMetrics text (or Prometheus text) as samples. Knows the grammar and no metric.
 *
 * The text is read in pieces of any size. Comments, blank lines and exemplars are skipped; every sample must carry a time stamp, and the
 * text must end with a "# EOF" line, since nothing else tells a complete file from a cut one. A line may have 1 MiB, a sample 256 labels.
 *
 * Values are the nearest binary64 of their text and time stamps are that number of seconds times 1000 cut towards zero: exactly what
 * Prometheus stores when it is loaded with the same text, so that both ways give the same numbers. */
#ifndef GPUTAB_CODEC_OPENMETRICS_H
#define GPUTAB_CODEC_OPENMETRICS_H

#include <stddef.h>
#include <stdint.h>

#include "gputab/base/err.h"
#include "gputab/base/span.h"

enum { OPENMETRICS_LINE_BYTES = 1 << 20, OPENMETRICS_LABELS = 256 };

/* Puts up to n bytes into p. Returns how many, 0 at the end of the input, -1 with *e set. */
typedef ptrdiff_t (*openmetrics_read)(void *ctx, char *p, size_t n, struct err *e);

struct openmetrics_sample {
    struct span series;            /* the line's text before the value: name{labels}; equal text, equal series */
    struct span name;              /* metric name */
    double value;                  /* may be NaN or infinite */
    int64_t time_ms;               /* since 1970 */
};

struct openmetrics_label {
    struct span name, value;       /* escapes undone */
};

struct openmetrics;

/* file: the name for errors, copied. */
struct openmetrics *openmetrics_new(openmetrics_read read, void *ctx, const char *file);
void openmetrics_free(struct openmetrics *r);                /* NULL allowed */

/* A guess at the series text of the next line. A right one saves looking for the end of the labels and lets *s point into the guess, so
 * that equal pointers mean equal series; a wrong one costs nothing. Must live until the next call. */
void openmetrics_expect(struct openmetrics *r, struct span series);

/* The next sample, spans valid until the next call. 1; 0 after "# EOF"; -1 with *e set (ERR_INPUT, line and column). */
int openmetrics_next(struct openmetrics *r, struct openmetrics_sample *s, struct err *e) GPUTAB_MUST_CHECK;

/* The labels of the sample that openmetrics_next gave last, in the order of the text: their number, or -1 with *e set for a label block
 * that is no such block or names a label twice. Valid until the next call of either. openmetrics_next alone checks no label. */
int openmetrics_labels(struct openmetrics *r, const struct openmetrics_label **labels, struct err *e) GPUTAB_MUST_CHECK;

#endif
