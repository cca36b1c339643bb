/* html_bars: a chart of bars, one below the other, each under its name and cut into segments. */
#ifndef GPUTAB_RENDER_HTML_BARS_H
#define GPUTAB_RENDER_HTML_BARS_H

#include "gputab/render/html.h"

enum { BAR_SEGMENTS = 4 };

/* Bars of a rank stay together, the longest first. */
enum html_bar_rank { BAR_TEAM, BAR_OTHERS, BAR_BUCKET };

struct html_bar {
    char *name, *value;            /* texts at the left and at the right above the bar; owned */
    enum html_bar_rank rank;
    money segments[BAR_SEGMENTS];  /* what is below 0 is not drawn */
};

struct html_bars {
    const char *id, *title;        /* id: constant, unique in the page */
    const char *classes[BAR_SEGMENTS], *words[BAR_SEGMENTS];   /* NULL behind the last */
    int digits;
    VEC(struct html_bar) v;
    bool negative;                 /* some segment is below 0 */
};

/* name and value are moved out of the bufs. */
void html_bars_add(struct html_bars *bars, struct buf *name, struct buf *value, enum html_bar_rank rank, const money *segments);
void html_bars_draw(struct html *h, struct html_bars *bars);       /* with its legend */
void html_bars_free(struct html_bars *bars);

#endif
