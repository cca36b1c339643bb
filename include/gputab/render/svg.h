/* svg: shapes of charts inside an HTML page. A chart has a fixed height in pixels and the width of its place: whatever lies along the width
 * is given in thousandths of a percent, so that one chart fits a telephone and a wide screen, and its text keeps its size on both.
 * Colours are classes of the page's style sheet. */
#ifndef GPUTAB_RENDER_SVG_H
#define GPUTAB_RENDER_SVG_H

#include "gputab/base/buf.h"
#include "gputab/value/money.h"

enum { SVG_WHOLE = 100000 };       /* 100 percent */

/* Which part of the whole that is, at least 0; 0 of nothing. */
int svg_part(money part, money whole);
/* The least of 1, 2, 5, 10, ... times a power of ten that is not below the amount: where an axis ends. 1 for amounts up to 0. */
money svg_nice(money amount);

struct svg_box {
    int x, width;                  /* thousandths of a percent */
    int y, height;                 /* pixels */
};

enum svg_anchor { SVG_START, SVG_MIDDLE, SVG_END };

/* A chart is an image to who cannot see it: title and description are read out. id: unique in the page, a constant. */
void svg_begin(struct buf *b, const char *id, int height, const char *title, const char *description);
void svg_end(struct buf *b);
/* tip: what is shown at the pointer, NULL for none. Boxes without width or height are left out. */
void svg_rect(struct buf *b, const char *class, struct svg_box box, const char *tip);
void svg_line(struct buf *b, const char *class, int y);      /* across */
/* shift: pixels from x. Text is escaped here. */
void svg_text(struct buf *b, const char *class, int x, int shift, int y, enum svg_anchor anchor, const char *text);

/* A band from the left edge of a box to the right one: from y_left to y_left + height there, likewise here; in hundredths of a pixel. */
struct svg_band {
    int x, width;                  /* thousandths of a percent */
    int left, right, height;       /* hundredths of a pixel */
};
void svg_band(struct buf *b, const char *class, struct svg_band band, int chart_height, const char *tip);

#endif
