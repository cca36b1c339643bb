/* progress: the line that passes the time while servers answer.
 *
 * Parts have a place of usual size each, so that the line does not jump while numbers grow; the bar gets what is left. The cursor stays
 * behind the line, with room for the ^C that a terminal echoes: what is erased is one row, whatever was typed. How wide the terminal is,
 * and whether the program is in its foreground, is asked each time.
 * Not here: how often it is drawn (source/pull), what a signal does (interrupt), a line that was wrapped when its terminal got narrower. */
#include "gputab/cli/progress.h"

#include <inttypes.h>

#include "gputab/cli/interrupt.h"
#include "gputab/cli/message.h"
#include "gputab/cli/screen.h"

enum { GAP = 2, MARGIN = 3, BAR_LEAST = 10, BAR_MOST = 42 };
enum { FIRST_MS = 300, SURE_MS = 1000, SURE_PART = 50, SMOOTHING = 2, LEFT_MOST_MS = 100 * 3600 * 1000 };

__extension__ typedef __int128 wide;                         /* a product of two times */

/* In the order of the line, and in which order they leave it for want of room. */
enum part { PART_TITLE, PART_BAR, PART_PERCENT, PART_WINDOWS, PART_RATE, PART_LEFT, PARTS };
static const enum part leaving[] = {PART_WINDOWS, PART_RATE, PART_BAR, PART_LEFT, PART_PERCENT, PART_TITLE};

/* "metrics", "100 %", "999 windows", "999 M samples/s", "59:59 left": more is rare, and takes from the bar. */
static const size_t usual[PARTS] = {7, BAR_LEAST, 5, 11, 15, 10};

struct line {
    struct buf text[PARTS];
    size_t width[PARTS];           /* 0: not shown */
};

/* ---- the time left ---- */

/* A new estimate is made only when something was done; in between the last one is counted down, and one that has run out was wrong. The
 * first windows tell little: they may be short ones. */
int64_t progress_left(struct progress_clock *c, const struct metrics_progress *m)
{
    int64_t counted = c->left_ms - (m->elapsed_ms - c->at_ms);

    if (m->done_ms <= 0 || m->done_ms < m->total_ms / SURE_PART || m->done_ms >= m->total_ms || m->elapsed_ms < SURE_MS)
        return -1;
    if (m->done_ms != c->done_ms) {
        int64_t fresh = (int64_t)((wide)m->elapsed_ms * (m->total_ms - m->done_ms) / m->done_ms);

        if (c->done_ms > 0 && counted > 0)
            fresh = counted + (fresh - counted) / SMOOTHING;
        *c = (struct progress_clock){m->done_ms, m->elapsed_ms, fresh};
        counted = fresh;
    }
    return counted > 0 && counted < LEFT_MOST_MS ? counted : -1;
}

/* ---- texts ---- */

/* Of n as many as there are of done in total; never all of them before the end. */
static size_t part_of(size_t n, const struct metrics_progress *m)
{
    if (m->total_ms <= 0 || m->done_ms <= 0)
        return 0;
    return m->done_ms < m->total_ms ? (size_t)((wide)m->done_ms * (wide)n / m->total_ms) : n;
}

/* Two or three digits, cut: "999", "1.0 k", "12 k". */
static void add_si(struct buf *b, int64_t n)
{
    static const char steps[] = " kMGTPE";
    int64_t unit = 1;
    size_t step = 0;

    for (; n / unit >= 1000; step++)
        unit *= 1000;
    buf_addf(b, "%" PRId64, n / unit);
    if (step > 0 && n / unit < 10)
        buf_addf(b, ".%" PRId64, n % unit / (unit / 10));
    if (step > 0)
        buf_addf(b, " %c", steps[step]);
}

/* Whole seconds, rounded up: "0:12", "1:00:00". */
static void add_time(struct buf *b, int64_t ms)
{
    int64_t s = (ms + 999) / 1000;

    if (s >= 3600)
        buf_addf(b, "%" PRId64 ":%02" PRId64 ":%02" PRId64, s / 3600, s / 60 % 60, s % 60);
    else
        buf_addf(b, "%" PRId64 ":%02" PRId64, s / 60, s % 60);
}

static void fill_texts(struct line *l, const struct metrics_progress *m, int64_t left_ms)
{
    buf_adds(&l->text[PART_TITLE], "metrics");
    buf_addf(&l->text[PART_PERCENT], "%zu %%", part_of(100, m));
    buf_addf(&l->text[PART_WINDOWS], "%" PRId64 " window%s", m->windows, m->windows == 1 ? "" : "s");
    add_si(&l->text[PART_RATE], m->elapsed_ms > 0 ? (int64_t)((wide)m->samples * 1000 / m->elapsed_ms) : 0);
    buf_adds(&l->text[PART_RATE], " samples/s");
    if (left_ms < 0)
        return;
    add_time(&l->text[PART_LEFT], left_ms);
    buf_adds(&l->text[PART_LEFT], " left");
}

/* ---- the line ---- */

static size_t width_of(const struct line *l)
{
    size_t sum = 0;

    for (int i = 0; i < PARTS; i++)
        if (l->width[i])
            sum += l->width[i] + (sum ? GAP : 0);
    return sum;
}

static void fit(struct line *l, size_t room)
{
    size_t more;

    for (int i = 0; i < PARTS; i++)
        l->width[i] = l->text[i].n > usual[i] ? l->text[i].n : usual[i];
    for (size_t i = 0; width_of(l) > room; i++)
        l->width[leaving[i]] = 0;
    if (!l->width[PART_BAR])
        return;
    more = room - width_of(l);
    l->width[PART_BAR] += more < BAR_MOST - BAR_LEAST ? more : BAR_MOST - BAR_LEAST;
}

static void add_cells(struct ink *k, enum ink_style style, const char *cell, size_t n)
{
    struct buf b = {0};

    while (n-- > 0)
        buf_adds(&b, cell);
    ink_add(k, style, buf_str(&b));
    buf_free(&b);
}

static void add_bar(struct ink *k, const struct metrics_progress *m, size_t width)
{
    size_t cells = k->drawing ? width : width - 2, done = part_of(cells, m);

    ink_add(k, INK_TEXT, k->drawing ? "" : "[");
    add_cells(k, INK_BAR, k->drawing ? "\xe2\x94\x81" : "#", done);
    add_cells(k, INK_DIM, k->drawing ? "\xe2\x94\x80" : ".", cells - done);
    ink_add(k, INK_TEXT, k->drawing ? "" : "]");
}

void progress_add(struct ink *k, const struct metrics_progress *m, int64_t left_ms)
{
    struct line l = {0};

    fill_texts(&l, m, left_ms);
    fit(&l, k->width > MARGIN ? k->width - MARGIN : 0);
    for (int i = 0; i < PARTS; i++) {
        if (l.width[i] && (i == PART_BAR || l.text[i].n)) {
            ink_pad(k, k->column ? k->column + GAP : 0);
            if (i == PART_BAR)
                add_bar(k, m, l.width[i]);
            else
                ink_right(k, INK_TEXT, buf_str(&l.text[i]), l.width[i]);
        }
        buf_free(&l.text[i]);
    }
}

void progress_show(void *ctx, const struct metrics_progress *m)
{
    struct progress *p = ctx;
    int64_t left_ms = progress_left(&p->clock, m);
    struct sink out = {.take = NULL};
    struct ink k = {.out = &out};

    if (!p->on || m->elapsed_ms < FIRST_MS || !screen_can_redraw(&k))
        return;
    buf_adds(&out.text, "\r");
    progress_add(&k, m, left_ms);
    buf_adds(&out.text, "\033[K");
    p->shown = true;
    interrupt_line(true);
    message_write(&out.text);
    sink_free(&out);
}

void progress_end(struct progress *p)
{
    struct buf b = {0};
    struct ink k = {0};

    if (p->shown && screen_can_redraw(&k)) {
        buf_adds(&b, "\r\033[K");
        message_write(&b);
        buf_free(&b);
    }
    p->shown = false;
    interrupt_line(false);
}
