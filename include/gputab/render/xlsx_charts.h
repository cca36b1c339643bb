/* xlsx_charts: the two charts of the summary, and the sheet that holds what they draw: cost by team in stacked bars, and cost over time. */
#ifndef GPUTAB_RENDER_XLSX_CHARTS_H
#define GPUTAB_RENDER_XLSX_CHARTS_H

#include "gputab/render/xlsx_lines.h"
#include "gputab/render/xlsx_sheet.h"

enum { CHART_SERIES = 3 };

struct chart_bar {
    const char *name;              /* of a team or bucket */
    money v[CHART_SERIES];         /* they sum to its cost */
};

struct chart_moment {
    time_ms at;                    /* of a day or a month */
    money total, idle;
};

struct xlsx_charts {
    VEC(struct chart_bar) bars;    /* the largest teams, the others as one, the buckets */
    VEC(struct chart_moment) moments;
    bool monthly;                  /* the period has several months: a moment is one; else it is a day */
    bool moved;                    /* idle or shared money was moved to teams: parts are own use, idle, shared; else GPU, CPU + memory,
                                    * idle */
    bool below_zero, idle;         /* some moment is, has idle cost */
    struct arena strings;
};

void xlsx_charts_fill(struct xlsx_charts *c, const struct report *r, const struct xlsx_lines *l);    /* *c zeroed */
/* From a cell on; abreast: beside each other, else one below the other. */
void xlsx_charts_draw(const struct xlsx_charts *c, struct xlsx_sheet *on, lxw_row_t row, lxw_col_t column, bool abreast);
void xlsx_charts_sheet(const struct xlsx_charts *c, struct xlsx_book *b);
void xlsx_charts_free(struct xlsx_charts *c);

#endif
