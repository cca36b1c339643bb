/* svg: no library draws here: a few shapes, in integers, so that a report has the same bytes everywhere.
 *
 * There is no viewBox: it would scale text with the chart. Bands are curves, which know no percentages; each has a small picture of its own
 * that is stretched along the width alone. */
#include "gputab/render/svg.h"

#include "gputab/render/markup.h"

int svg_part(money part, money whole)
{
    if (part <= 0 || whole <= 0)
        return 0;
    if (part >= whole)
        return SVG_WHOLE;
    return (int)money_mul_div(part, SVG_WHOLE, (weight)whole);
}

money svg_nice(money amount)
{
    money unit = 1;

    if (amount <= 0)
        return MONEY_ONE;
    while (unit * 10 < amount)
        unit *= 10;
    return amount <= unit ? unit : amount <= 2 * unit ? 2 * unit : amount <= 5 * unit ? 5 * unit : 10 * unit;
}

/* Thousandths as a number without zeros at its end: 12.5 */
static void add_thousandths(struct buf *b, int n, int digits)
{
    static const int units[] = {1, 10, 100, 1000};
    int rest = n % units[digits];

    buf_addf(b, "%s%d", n < 0 ? "-" : "", n < 0 ? -(n / units[digits]) : n / units[digits]);
    rest = rest < 0 ? -rest : rest;
    if (!rest)
        return;
    buf_addf(b, ".%0*d", digits, rest);
    while (b->p[b->n - 1] == '0')
        b->p[--b->n] = '\0';
}

static void add_percent(struct buf *b, const char *name, int n)
{
    buf_addf(b, " %s=\"", name);
    add_thousandths(b, n, 3);
    buf_adds(b, "%\"");
}

static void add_tip(struct buf *b, const char *tip)
{
    buf_adds(b, "<title>");
    markup_text(b, tip);
    buf_adds(b, "</title>");
}

void svg_begin(struct buf *b, const char *id, int height, const char *title, const char *description)
{
    buf_addf(b, "<svg class=\"chart\" role=\"img\" aria-labelledby=\"%s-t %s-d\" width=\"100%%\" height=\"%d\">", id, id, height);
    buf_addf(b, "<title id=\"%s-t\">", id);
    markup_text(b, title);
    buf_addf(b, "</title><desc id=\"%s-d\">", id);
    markup_text(b, description);
    buf_adds(b, "</desc>\n");
}

void svg_end(struct buf *b)
{
    buf_adds(b, "</svg>\n");
}

/* Closes an element that is open up to its last attribute. */
static void close_with(struct buf *b, const char *element, const char *tip)
{
    if (!tip) {
        buf_adds(b, "/>");
        return;
    }
    buf_addc(b, '>');
    add_tip(b, tip);
    buf_addf(b, "</%s>", element);
}

void svg_rect(struct buf *b, const char *class, struct svg_box box, const char *tip)
{
    if (box.width <= 0 || box.height <= 0)
        return;
    buf_addf(b, "<rect class=\"%s\"", class);
    add_percent(b, "x", box.x);
    buf_addf(b, " y=\"%d\"", box.y);
    add_percent(b, "width", box.width);
    buf_addf(b, " height=\"%d\"", box.height);
    close_with(b, "rect", tip);
}

void svg_line(struct buf *b, const char *class, int y)
{
    buf_addf(b, "<line class=\"%s\" x1=\"0\" x2=\"100%%\" y1=\"%d.5\" y2=\"%d.5\"/>", class, y, y);
}

void svg_text(struct buf *b, const char *class, int x, int shift, int y, enum svg_anchor anchor, const char *text)
{
    static const char *const anchors[] = {"", " text-anchor=\"middle\"", " text-anchor=\"end\""};

    buf_addf(b, "<text class=\"%s\"", class);
    add_percent(b, "x", x);
    if (shift)
        buf_addf(b, " dx=\"%d\"", shift);
    buf_addf(b, " y=\"%d\"%s>", y, anchors[anchor]);
    markup_text(b, text);
    buf_adds(b, "</text>");
}

static void add_point(struct buf *b, char letter, int x, int y)
{
    buf_addf(b, "%c%d ", letter, x);
    add_thousandths(b, y, 2);
}

void svg_band(struct buf *b, const char *class, struct svg_band band, int chart_height, const char *tip)
{
    if (band.height <= 0)
        return;
    buf_adds(b, "<svg");
    add_percent(b, "x", band.x);
    add_percent(b, "width", band.width);
    buf_addf(b, " height=\"%d\" viewBox=\"0 0 100 %d\" preserveAspectRatio=\"none\">", chart_height, chart_height);
    buf_addf(b, "<path class=\"%s\" d=\"", class);
    add_point(b, 'M', 0, band.left);
    add_point(b, 'C', 50, band.left);
    add_point(b, ' ', 50, band.right);
    add_point(b, ' ', 100, band.right);
    add_point(b, 'L', 100, band.right + band.height);
    add_point(b, 'C', 50, band.right + band.height);
    add_point(b, ' ', 50, band.left + band.height);
    add_point(b, ' ', 0, band.left + band.height);
    buf_adds(b, "Z\"");
    close_with(b, "path", tip);
    buf_adds(b, "</svg>");
}
