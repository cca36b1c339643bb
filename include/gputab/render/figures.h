/* figures: the numbers of a report as people read them: a line per row, in reading order, with rates, percents, subtotals, and hours in
 * as many decimals as their size deserves. Rounded so that every column still adds up to its total. */
#ifndef GPUTAB_RENDER_FIGURES_H
#define GPUTAB_RENDER_FIGURES_H

#include <stdbool.h>
#include <stddef.h>

#include "gputab/base/buf.h"
#include "gputab/base/vec.h"
#include "gputab/value/report.h"
#include "gputab/value/rounding.h"

enum figure {
    FIGURE_GPU_HOURS, FIGURE_VRAM, FIGURE_RATE, FIGURE_GPU, FIGURE_CPU, FIGURE_MEMORY,
    FIGURE_REST,                   /* CPU and memory together */
    FIGURE_TOTAL, FIGURE_PERCENT,
    FIGURE_BAR,                    /* the total as a share of the largest line's */
    FIGURE_UNHELD, FIGURE_IDLE, FIGURE_SHARED, FIGURE_LEAST, FIGURE_MOST,
    FIGURE_EXACT,                  /* for rates, never shown */
    FIGURES
};

struct figures {
    money v[FIGURES];
    bool known[FIGURES];
    bool estimated;                /* a part of it */
};

enum figure_part {
    PART_CHARGED,                  /* rows of teams, or whatever the first key is; by cost, the largest first, unless by day */
    PART_BUCKETS,                  /* in the table's order */
    PART_MEMO,                     /* (unbilled): in no sum */
    PARTS
};

struct figure_line {               /* what it takes to find a line and to sort it: lines may be many */
    money total;
    uint32_t row;                  /* of the table */
    enum figure_part part;
};

enum { FIGURES_ROUNDED = 3 };      /* hours, memory and percents: rounded so that they add up */

struct figure_set {
    const struct report *r;        /* borrowed */
    VEC(struct figure_line) lines;             /* by part */
    size_t count[PARTS];
    struct figures sums[PARTS], total;
    bool wanted[FIGURES];                      /* false: the column would say nothing */
    bool estimated;                            /* a part of any line */
    bool open;                                 /* any line may have cost more or less */
    int digits[FIGURES];
    money most;                                /* the largest line's total */
    struct rounding rounding[FIGURES_ROUNDED];
    int column[FIGURES], bucket, grade_c;      /* of the table; -1: none */
};

void figure_set_fill(struct figure_set *s, const struct report *r);   /* *s zeroed by the caller */
void figure_set_free(struct figure_set *s);

/* The lines in their order, with their figures: `struct figure_walk w = figure_walk(s); while (figure_next(&w)) ... w.line, w.f` */
struct figure_walk {
    const struct figure_set *s;
    size_t next;
    const struct figure_line *line;
    struct figures f;
    struct rounding rounding[FIGURES_ROUNDED];
};
struct figure_walk figure_walk(const struct figure_set *s);
bool figure_next(struct figure_walk *w);
/* Adds a line to a sum of lines; its rate is that of the sum. */
void figures_add(struct figures *sum, const struct figures *f);

const char *figure_head(enum figure f);        /* of the column */
/* As text with thousands grouped by commas, "-" when unknown; not for FIGURE_BAR. */
void figure_add_text(struct buf *b, const struct figure_set *s, const struct figures *f, enum figure which);
/* An amount likewise. */
void figure_add_amount(struct buf *b, money amount, int digits);

#endif
