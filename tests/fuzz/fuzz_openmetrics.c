/* fuzz_openmetrics: the reader of OpenMetrics text against itself in pieces and with guesses, and against what it read written out again.
 *
 * The guess is the series text of some sample before, as the caller of the reader makes it: never may it change what is read. Written out,
 * values have 17 digits and times lie half a millisecond further out, so that both take the slow way through strtod and still give the
 * same numbers. */
#include <inttypes.h>
#include <math.h>

#include "fuzz.h"
#include "gputab/base/vec.h"
#include "gputab/codec/openmetrics.h"

enum { GUESSES = 4 };

struct result {
    struct buf text;               /* everything read, with the error at the end */
    struct buf samples;            /* without labels and errors */
    struct buf written;
};

struct guesses {
    char *text[GUESSES];           /* exact copies, so that reading behind them is seen */
    size_t n[GUESSES];
    size_t next;
};

static ptrdiff_t take(void *ctx, char *p, size_t n, struct err *e)
{
    (void)e;
    return (ptrdiff_t)fuzz_take(ctx, p, n);
}

/* The series may point into the guess that it replaces: copied before that is let go. */
static void remember(struct guesses *g, struct span series)
{
    size_t i = g->next++ % GUESSES;
    char *copy = malloc(series.n ? series.n : 1);

    FUZZ_CHECK(copy);
    memcpy(copy, series.p, series.n);
    free(g->text[i]);
    g->text[i] = copy;
    g->n[i] = series.n;
}

static void add_value(struct buf *b, double v)
{
    uint64_t bits;

    memcpy(&bits, &v, sizeof bits);
    if (isnan(v))
        bits = 0;                  /* whichever NaN */
    buf_addf(b, "%016" PRIx64 " ", bits);
}

static void add_sample(struct buf *b, const struct openmetrics_sample *s)
{
    fuzz_add_span(b, s->series);
    fuzz_add_span(b, s->name);
    add_value(b, s->value);
    fuzz_add_number(b, s->time_ms);
    buf_addc(b, '\n');
}

static void write_sample(struct buf *b, const struct openmetrics_sample *s)
{
    static const uint64_t last_ms = UINT64_C(253402300799000);       /* nothing lies further out */
    uint64_t ms = s->time_ms < 0 ? (uint64_t)0 - (uint64_t)s->time_ms : (uint64_t)s->time_ms;

    buf_add_span(b, s->series);
    buf_addf(b, "  %.17g\t%s%" PRIu64 ".%03" PRIu64 "%s # {} 1\n", s->value, s->time_ms < 0 ? "-" : "", ms / 1000, ms % 1000,
             ms < last_ms ? "5" : "");
}

/* Labels are asked for only now and then when reading in pieces: asking must not change what follows. */
static void add_labels(struct buf *b, struct openmetrics *r)
{
    const struct openmetrics_label *labels = NULL;
    struct err e = {0};
    int n = openmetrics_labels(r, &labels, &e);

    FUZZ_CHECK(n <= OPENMETRICS_LABELS);
    for (int i = 0; i < n; i++) {
        fuzz_add_span(b, labels[i].name);
        fuzz_add_span(b, labels[i].value);
    }
    if (n < 0)
        fuzz_add_err(b, &e);
    buf_addc(b, '\n');
}

static struct result read_all(struct fuzz_feed feed, bool guess, bool labels)
{
    struct openmetrics *r = openmetrics_new(take, &feed, "fuzz.om");
    struct openmetrics_sample s;
    struct guesses g = {0};
    struct result out = {0};
    struct err e = {0};
    int rc;

    while ((rc = openmetrics_next(r, &s, &e)) == 1) {
        FUZZ_CHECK(s.series.n > 0);
        add_sample(&out.samples, &s);
        write_sample(&out.written, &s);
        if (labels)
            add_labels(&out.text, r);
        if (!guess)
            continue;
        remember(&g, s.series);
        openmetrics_expect(r, (struct span){ g.text[out.samples.n % GUESSES], g.n[out.samples.n % GUESSES] });
    }
    FUZZ_CHECK((rc < 0) == (e.code != ERR_NONE));
    if (rc < 0)
        fuzz_add_err(&out.text, &e);
    for (int i = 0; i < GUESSES; i++)
        free(g.text[i]);
    openmetrics_free(r);
    return out;
}

static void release(struct result *r)
{
    buf_free(&r->text);
    buf_free(&r->samples);
    buf_free(&r->written);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct span s = fuzz_span(data, size);
    struct result whole = read_all(fuzz_feed_whole(s), false, true), pieces = read_all(fuzz_feed_pieces(s), true, true);
    struct result bare = read_all(fuzz_feed_pieces(s), true, false), again;

    FUZZ_SAME(&whole.text, &pieces.text);
    FUZZ_SAME(&whole.samples, &pieces.samples);
    FUZZ_SAME(&whole.samples, &bare.samples);
    buf_adds(&whole.written, "# EOF\n");
    again = read_all(fuzz_feed_whole(buf_span(&whole.written)), false, false);
    FUZZ_CHECK(again.text.n == 0);
    FUZZ_SAME(&whole.samples, &again.samples);
    release(&again);
    release(&bare);
    release(&pieces);
    release(&whole);
    return 0;
}
