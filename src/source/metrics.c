/* metrics: the file transport, and the way from a transport's scrape to an inventory and windows.
 *
 * Series of an OpenMetrics file may stand in any order, so the file is read whole: names of series once per distinct text.
 *
 * The hot loop guesses each line's series: after a series comes the one that came after it the last time. In files written scrape by scrape
 * and in files written series by series the guess is nearly always right, and a line costs two numbers and one memory comparison. */
#include "gputab/source/metrics.h"

#include <stdlib.h>
#include <string.h>

#include "gputab/codec/openmetrics.h"
#include "gputab/codec/unpack.h"
#include "gputab/source/inventory.h"
#include "gputab/source/outline.h"
#include "gputab/source/pull.h"
#include "gputab/source/scrape.h"
#include "gputab/source/scrape_batch.h"
#include "gputab/source/scrape_series.h"
#include "gputab/source/window.h"

enum { TEXTS = 1 << 24, TEXT_GIB = 16 };
#define TEXT_BYTES ((uint64_t)TEXT_GIB << 30)

const char *const metrics_transports[] = { "auto", "remote-read", "query", "export", NULL };

struct metrics {
    struct metrics_request req;
    VEC(struct metrics_opened) opened;
    struct scrape scrape;
    struct replay outline;
    struct inventory *inventory;
    struct inventory_build *build;
    struct window window;
    struct replay replay;          /* of the window at hand */
    struct sample_store store;
};

/* Series texts of a file. */
struct loader {
    struct openmetrics *reader;
    struct scrape *scrape;
    const struct scrape_origin *origin;
    struct intern *texts;
    VEC(uint32_t) series;          /* by text: its number for samples, NONE: of no use */
    VEC(uint32_t) next;            /* by text: the text that came after it */
    uint64_t text_bytes;
    uint32_t last;                 /* text of the last line; 0: none */
};

static ptrdiff_t read_unpacked(void *ctx, char *p, size_t n, struct err *e)
{
    return unpack_read(ctx, p, n, e);
}

/* The cap on distinct label texts. Those of one series in another order, or of no use, count here and not in the scrape. */
static int check_room(struct loader *l, size_t more, struct err *e)
{
    l->text_bytes += more;
    if (l->series.n <= TEXTS && l->text_bytes <= TEXT_BYTES)
        return 0;
    err_set(e, ERR_INPUT, "more than %d different label texts, or %d GiB of them", TEXTS, TEXT_GIB);
    return err_hint(e, "read a shorter period, or fewer families, from a file");
}

/* A series text that was not seen before. *text: its id, 0 for a family that is not read. */
static int learn_text(struct loader *l, const struct openmetrics_sample *s, const struct family *f, uint32_t *text, struct err *e)
{
    const struct openmetrics_label *labels;
    struct scrape_handle series;
    int n = openmetrics_labels(l->reader, &labels, e);

    *text = 0;
    if (n < 0)
        return -1;
    if (!f)
        return 0;
    if (check_room(l, s->series.n, e) < 0 || scrape_series(l->scrape, l->origin, f, labels, (size_t)n, &series, e) < 0)
        return -1;
    *text = intern_span(l->texts, s->series);
    vec_push(&l->series, series.at == SCRAPE_NONE ? NONE : scrape_number(l->scrape, series));
    vec_push(&l->next, 0);
    return 0;
}

static int find_text(struct loader *l, const struct openmetrics_sample *s, struct span guess, uint32_t *text, struct err *e)
{
    const struct family *f;

    if (guess.n > 0 && s->series.p == guess.p) {
        *text = l->next.v[l->last];
        return 0;
    }
    f = scrape_family(l->scrape, s->name);
    *text = f ? intern_find(l->texts, s->series.p, s->series.n) : 0;
    return *text ? 0 : learn_text(l, s, f, text, e);
}

static int load(struct loader *l, struct err *e)
{
    struct openmetrics_sample s;
    int rc;

    vec_push(&l->series, NONE);
    vec_push(&l->next, 0);
    for (;;) {
        struct span guess = intern_get(l->texts, l->next.v[l->last]);
        uint32_t text;

        openmetrics_expect(l->reader, guess);
        rc = openmetrics_next(l->reader, &s, e);
        if (rc <= 0)
            return rc;
        if (find_text(l, &s, guess, &text, e) < 0)
            return -1;
        if (text == 0)
            continue;
        if (l->series.v[text] != NONE && scrape_add(l->scrape, l->series.v[text], s.time_ms, s.value, e) < 0)
            return -1;
        l->next.v[l->last] = text;
        l->last = text;
    }
}

static int load_file(const char *path, struct scrape *scrape, const struct scrape_origin *origin, struct err *e)
{
    struct loader l = { .scrape = scrape, .origin = origin, .texts = intern_new() };
    struct unpack *input = NULL;
    int rc = -1;

    if (unpack_open(&input, path, 0, e) < 0)
        goto out;
    l.reader = openmetrics_new(read_unpacked, input, path);
    rc = load(&l, e);
    if (rc < 0) {
        err_at(e, path, 0, 0);
        if (l.last == 0)                               /* nothing in it was of use: perhaps another kind of file */
            err_hint(e, "metrics are OpenMetrics text, lines like: name{label=\"value\"} value seconds-since-1970");
    }
out:
    openmetrics_free(l.reader);
    unpack_close(input);
    intern_free(l.texts);
    vec_free(&l.series);
    vec_free(&l.next);
    return rc;
}

static char *base_name(const char *path)
{
    struct span s = span_after_last(span_of(path), '/');

    return xstrdup(s.n > 0 ? s.p : path);
}

static int load_files(const struct metrics_source *sources, size_t n, struct scrape *scrape, struct err *e)
{
    int rc = 0;

    for (size_t i = 0; rc == 0 && i < n; i++) {
        struct scrape_origin origin = { sources[i].cluster_label, sources[i].name };

        if (sources[i].file)
            rc = load_file(sources[i].file, scrape, &origin, e);
    }
    return rc == 0 ? scrape_flush(scrape, e) : -1;
}

/* The user in the address counts where nothing else says who asks. */
static int read_server(const struct metrics_source *source, struct pull_server *out, struct err *e)
{
    *out = (struct pull_server){ .access = *source->access, .origin = { source->cluster_label, source->name },
                                 .wanted = source->transport, .params = source->params };
    if (http_url_read(source->url, &out->url, e) < 0)
        return -1;
    if (source->transport == METRICS_REMOTE_READ && source->params && source->params->name) {
        err_set(e, ERR_USAGE, "params cannot be sent by remote read");
        err_hint(e, "they go with the transports query and export");
        return err_at(e, out->url.base, 0, 0);
    }
    if (!out->access.user && !out->access.token && !out->access.aws_region)
        out->access.user = out->url.user;
    if (out->access.password && !out->access.user)
        return err_set(e, ERR_USAGE, "there is a password for the server but no user");
    return 0;
}

static void note_server(struct metrics_opened *opened, struct pull_server *server)
{
    opened->name = xstrdup(server->url.base);
    opened->transport = server->used->name;
    opened->why = server->why;
    server->why = NULL;
}

static int load_servers(struct metrics *m, const struct metrics_source *sources, size_t n, struct scrape *scrape, struct err *e)
{
    struct pull_server *servers = xcalloc(n + 1, sizeof *servers);
    size_t n_servers = 0, at = 0;
    int rc = 0;

    for (size_t i = 0; rc == 0 && i < n; i++)
        if (sources[i].url)
            rc = read_server(&sources[i], &servers[n_servers++], e);
    if (rc == 0 && n_servers > 0)
        rc = pull(scrape, servers, n_servers, e);
    for (size_t i = 0; rc == 0 && i < n; i++)
        if (sources[i].url)
            note_server(&m->opened.v[i], &servers[at++]);
    for (size_t i = 0; i < n_servers; i++) {
        free(servers[i].why);
        http_url_free(&servers[i].url);
    }
    free(servers);
    return rc;
}

static void begin_windows(struct metrics *m)
{
    window_free(&m->window);
    m->window = (struct window)WINDOW_NONE;
}

/* Series and pods of a window. */
static int open_window(struct metrics *m, struct timespan span, struct err *e)
{
    replay_free(&m->replay);
    if (window_read(&m->window, &m->scrape, span, m->inventory->names, m->inventory->labelsets, &m->replay, e) < 0)
        return -1;
    if (inventory_window(m->build, &m->replay, &m->store, e) < 0)
        return -1;
    replay_drop_records(&m->replay);
    return 0;
}

static void forget_window(struct metrics *m)
{
    inventory_free_pods(m->inventory);
    replay_free(&m->replay);
    intern_release(m->inventory->labelsets);
    intern_release(m->inventory->names);
}

/* Numbers of pods that do not say on which node: a first look at every day says what they show of nodes. */
static int look_for_places(struct metrics *m, struct timespan period, struct err *e)
{
    int64_t *repeated = xcalloc(m->scrape.n_families, sizeof *repeated);
    size_t bytes = m->scrape.n_families * sizeof *repeated;
    int rc = 0;

    memcpy(repeated, m->scrape.repeated, bytes);
    intern_mark(m->inventory->names);
    intern_mark(m->inventory->labelsets);
    for (time_ms t = period.from; rc == 0 && t < period.to;) {
        struct timespan day = timespan_cut((struct timespan){ t, time_floor(t, TIME_DAY) + TIME_DAY }, period);

        rc = open_window(m, day, e);
        if (rc == 0)
            inventory_show_pods(m->build);
        forget_window(m);
        t = day.to;
    }
    memcpy(m->scrape.repeated, repeated, bytes);       /* they will be met again */
    free(repeated);
    return rc;
}

static int build(struct metrics *m, struct inventory *inv, struct err *e)
{
    m->inventory = inv;
    replay_init(&m->outline, &m->scrape, inv->names, inv->labelsets, (struct timespan){ TIME_MIN, TIME_MAX });
    if (outline_read(&m->outline, e) < 0 || inventory_open(&m->build, &m->outline, inv, e) < 0)
        return -1;
    scrape_warn_early(&m->scrape);                     /* the run may end before its last window */
    begin_windows(m);
    m->store.reached = TIME_MIN;
    m->store.ends = m->req.period.to;
    if (inventory_is_placeless(m->build) && look_for_places(m, m->req.period, e) < 0)
        return -1;
    begin_windows(m);
    return 0;
}

int metrics_open(struct metrics **out, const struct metrics_source *sources, size_t n, const struct metrics_request *req,
                 struct inventory *inv, struct err *e)
{
    struct metrics *m = xcalloc(1, sizeof *m);
    int rc;

    for (size_t i = 0; i < n; i++)
        vec_push(&m->opened, (struct metrics_opened){ .name = sources[i].file ? base_name(sources[i].file) : NULL });
    m->req = *req;
    scrape_init(&m->scrape, &m->req);
    rc = load_files(sources, n, &m->scrape, e);
    if (rc == 0)
        rc = load_servers(m, sources, n, &m->scrape, e);
    if (rc == 0)
        rc = build(m, inv, e);
    if (rc < 0) {
        metrics_free(m);
        m = NULL;
    }
    *out = m;
    return rc;
}

int metrics_window(struct metrics *m, struct timespan span, struct sample_window *w, struct err *e)
{
    m->window.stands_ms = w->interval_ms;
    if (open_window(m, span, e) < 0)
        return -1;
    if (span.to >= m->req.period.to)                   /* now all has been seen: what was dropped can be said */
        scrape_warn(&m->scrape);
    return sample_store_window(&m->store, m->scrape.blocks, span, m->req.max_gap_ms, w, e);
}

size_t metrics_count(const struct metrics *m)
{
    return m->opened.n;
}

const struct family *metrics_seen(const struct metrics *m, size_t *at)
{
    while (*at < m->scrape.n_families) {
        size_t i = (*at)++;

        if (m->scrape.seen[i])
            return m->scrape.family[i];
    }
    return NULL;
}

const struct metrics_opened *metrics_opened(const struct metrics *m, size_t i)
{
    return &m->opened.v[i];
}

void metrics_free(struct metrics *m)
{
    if (!m)
        return;
    sample_store_free(&m->store);
    inventory_close(m->build);
    replay_free(&m->replay);
    window_free(&m->window);
    replay_free(&m->outline);
    scrape_free(&m->scrape);
    for (size_t i = 0; i < m->opened.n; i++) {
        free(m->opened.v[i].name);
        free(m->opened.v[i].why);
    }
    vec_free(&m->opened);
    free(m);
}
