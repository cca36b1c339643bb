/* html_bars: names stand above their bars, so that both have the whole width, on a telephone, too. The longest bar takes all of it. */
#include "gputab/render/html_bars.h"

#include <string.h>

enum { ROW = 40, BAR_Y = 20, BAR_HEIGHT = 12, TEXT_Y = 14, DESCRIBED = 8, NAME_WIDTH = 32 };

void html_bars_add(struct html_bars *bars, struct buf *name, struct buf *value, enum html_bar_rank rank, const money *segments)
{
    struct html_bar bar = {.rank = rank};

    for (int i = 0; i < BAR_SEGMENTS && bars->classes[i]; i++) {
        bar.segments[i] = segments[i] > 0 ? segments[i] : 0;
        bars->negative |= segments[i] < 0;
    }
    buf_adds(name, "");
    buf_adds(value, "");
    bar.name = buf_take(name);
    bar.value = buf_take(value);
    vec_push(&bars->v, bar);
}

void html_bars_free(struct html_bars *bars)
{
    for (size_t i = 0; i < bars->v.n; i++) {
        free(bars->v.v[i].name);
        free(bars->v.v[i].value);
    }
    vec_free(&bars->v);
}

static money length_of(const struct html_bar *bar)
{
    money sum = 0;

    for (int i = 0; i < BAR_SEGMENTS; i++)
        sum += bar->segments[i];
    return sum;
}

static money longest(const struct html_bars *bars)
{
    money most = 0;

    for (size_t i = 0; i < bars->v.n; i++)
        if (length_of(&bars->v.v[i]) > most)
            most = length_of(&bars->v.v[i]);
    return most;
}

static int by_rank(const void *a, const void *b)
{
    const struct html_bar *x = a, *y = b;
    money p = length_of(x), q = length_of(y);

    return x->rank != y->rank ? (x->rank < y->rank ? -1 : 1) : p != q ? (p > q ? -1 : 1) : strcmp(x->name, y->name);
}

static void add_description(struct buf *b, const struct html_bars *bars)
{
    for (size_t i = 0; i < bars->v.n && i < DESCRIBED; i++)
        buf_addf(b, "%s%s: %s", i ? "; " : "", bars->v.v[i].name, bars->v.v[i].value);
    if (bars->v.n > DESCRIBED)
        buf_addf(b, "; and %zu more, in the tables", bars->v.n - DESCRIBED);
}

static void add_name(struct html *h, const struct html_bar *bar, int y)
{
    struct buf cut = {0};

    markup_add_cut(&cut, bar->name, NAME_WIDTH);
    buf_addf(h->b, "<text class=\"name%s\" x=\"0\" y=\"%d\">%s<title>", bar->rank == BAR_TEAM ? "" : " muted", y, buf_str(&cut));
    markup_text(h->b, bar->name);
    buf_adds(h->b, "</title></text>");
    buf_free(&cut);
}

static void add_bar(struct html *h, const struct html_bars *bars, const struct html_bar *bar, money most, int y)
{
    struct svg_box box = {.y = y + BAR_Y, .height = BAR_HEIGHT};
    struct buf tip = {0};
    money sum = 0;

    add_name(h, bar, y + TEXT_Y);
    svg_text(h->b, "value", SVG_WHOLE, 0, y + TEXT_Y, SVG_END, bar->value);
    svg_rect(h->b, "track", (struct svg_box){0, SVG_WHOLE, y + BAR_Y, BAR_HEIGHT}, NULL);
    for (int i = 0; i < BAR_SEGMENTS && bars->classes[i]; i++) {
        sum += bar->segments[i];
        box.width = svg_part(sum, most) - box.x;             /* up to the sum's end: no gap by rounding */
        buf_clear(&tip);
        buf_addf(&tip, "%s, %s ", bar->name, bars->words[i]);
        figure_add_amount(&tip, bar->segments[i], bars->digits);
        svg_rect(h->b, bars->classes[i], box, buf_str(&tip));
        box.x += box.width;
    }
    buf_addc(h->b, '\n');
    buf_free(&tip);
}

static void add_legend(struct html *h, const struct html_bars *bars)
{
    const char *list[2 * BAR_SEGMENTS + 1] = {NULL};

    for (int i = 0; i < BAR_SEGMENTS && bars->classes[i]; i++) {
        list[2 * i] = bars->classes[i];
        list[2 * i + 1] = bars->words[i];
    }
    html_legend(h, list);
}

void html_bars_draw(struct html *h, struct html_bars *bars)
{
    struct buf description = {0};
    money most = longest(bars);

    if (bars->v.n)
        qsort(bars->v.v, bars->v.n, sizeof bars->v.v[0], by_rank);
    add_description(&description, bars);
    add_legend(h, bars);
    svg_begin(h->b, bars->id, (int)bars->v.n * ROW, bars->title, buf_str(&description));
    for (size_t i = 0; i < bars->v.n; i++)
        add_bar(h, bars, &bars->v.v[i], most, (int)i * ROW);
    svg_end(h->b);
    if (bars->negative)
        buf_adds(h->b, "<p class=\"note\">Amounts below zero are in the tables and in no bar.</p>\n");
    buf_free(&description);
}
