/* pull: asks servers for the samples of all families, in windows of bounded size, a few at a time.
 *
 * Families of one kind go together; each group is a lane that is asked window by window in the order of time, so that the samples of a
 * series arrive in order, and each server has a few lanes on their way at once. A window that is too much for the server is halved, and
 * grows again. Which transport a server speaks is found by asking: what it refuses falls back to the next one, and stays there.
 *
 * Windows begin and end on whole seconds, which every server reads alike, and at the same times of the day, which servers that cache like.
 * They are half-open here: a sample exactly at the beginning comes from some servers and not from others. Of an answer that broke off
 * nothing is kept.
 *
 * Not here: questions and the forms of answers (source/transport), requests as such (codec/http), texts of errors (source/pull_error). */
#include "gputab/source/pull.h"

#include <stdlib.h>
#include <string.h>

#include "gputab/base/clock.h"
#include "gputab/source/history.h"
#include "gputab/source/pull_error.h"

enum { LANES = 2, SHORTEST_S = 60, GROW_AFTER = 8, IDLE_MS = 1000, PROGRESS_MS = 100 };

/* Which families share a lane, by kind; -1 ends a group. Those of no group make up the last but one, those refused the last. */
static const int groups[][8] = {
    { SAMPLE_USED, SAMPLE_FREE, SAMPLE_TOTAL, SAMPLE_RESERVED, SAMPLE_LAYER_USED, SAMPLE_LAYER_PROCESS, SAMPLE_PROCESS_USED, -1 },
    { SAMPLE_PRESENT, -1 }, { SAMPLE_CPU, -1 }, { SAMPLE_MEMORY, -1 }, { FAMILY_REQUEST, -1 },
    { RECORD_POD_PHASE, -1 }, { RECORD_POD_INFO, -1 }, { RECORD_POD_LABELS, RECORD_POD_ANNOTATIONS, -1 }, { RECORD_POD_OWNER, -1 },
    { RECORD_REPLICASET_OWNER, RECORD_JOB_OWNER, -1 },
};
enum { GROUP_GPUS, GROUP_BESIDE_GPUS = 2 };            /* the first two are of GPUs */
enum { GROUPS = sizeof groups / sizeof *groups, GROUP_REST = GROUPS, GROUP_REFUSED, GROUPS_ALL };

static int group_of(int kind)
{
    if (kind == FAMILY_REFUSED)
        return GROUP_REFUSED;
    for (int g = 0; g < GROUPS; g++)
        for (const int *k = groups[g]; *k >= 0; k++)
            if (*k == kind)
                return g;
    return GROUP_REST;
}

/* What is tried in turn; ends with NULL. */
static const struct transport *const choices[][4] = {
    [METRICS_AUTO] = { &transport_remote_read, &transport_export, &transport_query },
    [METRICS_REMOTE_READ] = { &transport_remote_read }, [METRICS_QUERY] = { &transport_query }, [METRICS_EXPORT] = { &transport_export },
};

/* A server on the way. */
struct server {
    struct pull_server *shown;
    const struct transport *const *choice;     /* the one in use */
    bool answered;                 /* it did, once */
    bool proven;                   /* the choice brought a good answer, once */
    int next_group;
};

/* One group of a server on its way. */
struct lane {
    struct puller *puller;
    struct server *server;
    unsigned slot;
    bool open, busy, begun;        /* begun: something of the answer has come */
    struct buf families;           /* "A|B" */
    const char *present;           /* label that they must have; NULL: none */
    struct timespan wanted;        /* both ends inclusive */
    time_ms at, asked_to, to;      /* loaded up to at; the end of the question, of all; whole seconds */
    int64_t window_s;              /* of the next question */
    int good;                      /* windows in a row that were answered */
    struct http_retry retry;
    int64_t due_ms;                /* no question before: on the steady clock */
    const struct transport *transport;
    struct reply *reply;           /* of that transport; NULL: none yet */
};

struct puller {
    struct scrape *scrape;
    struct http *http;
    struct server *servers;
    size_t n_servers;
    struct lane *lanes;
    size_t n_lanes;
    int end_group;
    struct buf url, body;
    struct metrics_progress progress;
    int64_t began_ms, shown_ms;
};

/* ---- questions ---- */

static void add_families(const struct scrape *s, struct buf *b, int group)
{
    int n = 0;

    for (size_t i = 0; i < s->n_families; i++)
        if (group_of(s->family[i]->kind) == group)
            buf_addf(b, "%s%s", n++ ? "|" : "", s->family[i]->name);
}

/* Where all families of the group are read of MIG instances alone, only those are asked for: they are few among many. */
static const char *label_of_group(const struct scrape *s, int group)
{
    static const char instance[] = "GPU_I_ID";
    const char *present = NULL;

    for (size_t i = 0; i < s->n_families; i++) {
        const struct family *f = s->family[i];

        if (group_of(f->kind) != group)
            continue;
        if (!f->only.label || strcmp(f->only.label, instance) != 0)
            return NULL;
        present = instance;
    }
    return present;
}

/* What a group is loaded for: numbers while they count, records also from before, and as far after as a thing's first one reaches back. */
static struct timespan span_of_group(const struct scrape *s, int group)
{
    struct timespan span = s->keep;
    bool numbers = group < GROUPS && (groups[group][0] < SAMPLE_KINDS || groups[group][0] == FAMILY_REQUEST);

    if (numbers || group == GROUP_REFUSED)
        return span;
    span.from -= PULL_LOOK_BACK;
    if (span.to < s->req->period.to + HISTORY_BACK)
        span.to = s->req->period.to + HISTORY_BACK;
    return span;
}

static void set_transport(struct lane *lane)
{
    const struct transport *t = *lane->server->choice;

    if (lane->transport == t)
        return;
    if (lane->reply)
        lane->transport->close(lane->reply);
    lane->transport = t;
    lane->reply = t->open(lane->puller->scrape, &lane->server->shown->origin);
    lane->window_s = t->window_s;
}

static void open_lane(struct lane *lane, int group)
{
    struct timespan span = span_of_group(lane->puller->scrape, group);

    buf_clear(&lane->families);
    add_families(lane->puller->scrape, &lane->families, group);
    lane->present = label_of_group(lane->puller->scrape, group);
    set_transport(lane);
    lane->open = true;
    lane->wanted = span;
    lane->at = time_floor(span.from - 1, TIME_SECOND);
    lane->to = time_floor(span.to + TIME_SECOND - 1, TIME_SECOND);
    lane->window_s = lane->transport->window_s;
    lane->good = 0;
    lane->retry.attempts = 0;
    lane->due_ms = 0;
}

/* The first piece of an answer says whether it is one of this transport. */
static int receive(void *ctx, const char *p, size_t n)
{
    struct lane *lane = ctx;

    if (!lane->begun) {
        struct span type;
        int status;

        http_answering(lane->puller->http, lane->slot, &status, &type);
        lane->begun = true;
        if (!lane->transport->suits(lane->reply, status, type))
            return -1;
    }
    return lane->transport->feed(lane->reply, p, n);
}

static void ask(struct puller *p, struct lane *lane)
{
    time_ms length = lane->window_s * TIME_SECOND, border = time_floor(lane->at, length) + length;
    time_ms to = border < lane->to ? border : lane->to;
    struct timespan wanted = { lane->wanted.from - 1, lane->wanted.to };
    struct question q = { buf_span(&lane->families), lane->present, { lane->at, to }, lane->server->shown->params };
    const struct transport *t = lane->transport;

    lane->asked_to = to;
    lane->begun = false;
    buf_clear(&p->url);
    buf_addf(&p->url, "%s%s", lane->server->shown->url.base, t->path);
    buf_clear(&p->body);
    t->add_body(&p->body, &q);
    t->begin(lane->reply, timespan_cut(wanted, q.window));
    http_post(p->http, lane->slot,
              &(struct http_request){ .url = buf_str(&p->url), .content_type = t->content_type, .accept = t->accept, .headers = t->headers,
                                      .body = buf_span(&p->body), .cap_bytes = t->cap_bytes, .raw = t->raw,
                                      .fresh = lane->retry.attempts > 0 },
              receive, lane);
    lane->busy = true;
}

/* Puts idle lanes to work. Returns how long to wait at most, or -1: all is loaded. */
static int64_t ask_all(struct puller *p)
{
    int64_t now = clock_steady_ms(), wait = IDLE_MS;
    bool any = false;

    for (size_t i = 0; i < p->n_lanes; i++) {
        struct lane *lane = &p->lanes[i];

        if (!lane->open && lane->server->next_group < p->end_group)
            open_lane(lane, lane->server->next_group++);
        any |= lane->open;
        if (!lane->open || lane->busy)
            continue;
        if (lane->due_ms <= now)
            ask(p, lane);
        else if (lane->due_ms - now < wait)
            wait = lane->due_ms - now;
    }
    return any ? wait : -1;
}

/* ---- answers ---- */

static int fail(const struct lane *lane, const struct pull_answer *a, struct err *e)
{
    struct buf b = { 0 };
    const char *hint = pull_error_add(&b, a);

    if (a->result->retry_after_s > HTTP_RETRY_AFTER_S)
        buf_addf(&b, ", and wants %lld s of rest", (long long)a->result->retry_after_s);
    if (lane->retry.attempts > 1)
        buf_addf(&b, " (%d attempts)", lane->retry.attempts);
    if (lane->reply->err.code == ERR_INTERNAL)
        *e = lane->reply->err;                         /* not the server's fault, such as a full disk */
    else
        err_set(e, ERR_INPUT, "%s", buf_str(&b));
    buf_free(&b);
    if (hint[0])
        err_hint(e, "%s", hint);
    return err_at(e, a->server->url.base, 0, 0);
}

static void say_warnings(const struct lane *lane)
{
    struct diag *d = lane->puller->scrape->req->diag;
    struct buf b = { 0 };

    for (size_t i = 0; i < lane->reply->warnings.n; i++) {
        buf_clear(&b);
        http_add_shown(&b, &lane->server->shown->access, span_of(lane->reply->warnings.v[i]));
        diag_add(d, "W115", "the server calls an answer incomplete: %s", buf_str(&b));
        diag_hint(d, "W115", "samples may be missing from the report");
    }
    buf_free(&b);
}

/* The window is complete: on to the next one. */
static int keep_window(struct lane *lane, struct err *e)
{
    struct puller *p = lane->puller;

    if (reply_keep(lane->reply, e) < 0)
        return err_at(e, lane->server->shown->url.base, 0, 0);
    say_warnings(lane);
    p->progress.done_ms += lane->asked_to - lane->at;
    p->progress.windows++;
    lane->server->proven |= lane->transport == *lane->server->choice;
    lane->at = lane->asked_to;
    lane->open = lane->at < lane->to;
    lane->retry.attempts = 0;
    if (++lane->good >= GROW_AFTER && lane->window_s < lane->transport->window_s) {
        lane->window_s = lane->window_s * 2 < lane->transport->window_s ? lane->window_s * 2 : lane->transport->window_s;
        lane->good = 0;
    }
    return 0;
}

static bool halve(struct lane *lane)
{
    int64_t asked_s = (lane->asked_to - lane->at) / TIME_SECOND;

    if (asked_s / 2 < SHORTEST_S)
        return false;
    lane->window_s = asked_s / 2;
    lane->good = 0;
    lane->retry.attempts = 0;
    return true;
}

/* How servers say that there is nothing at an address that a transport needs, or nothing for us. */
static bool refuses(const struct pull_answer *a)
{
    static const int statuses[] = { 400, 403, 404, 405, 406, 415, 501 };

    for (size_t i = 0; i < sizeof statuses / sizeof *statuses; i++)
        if (a->result->outcome == HTTP_ANSWERED && a->result->status == statuses[i])
            return true;
    return false;
}

/* On to the next transport, if there is one. Another lane may have gone there already, and proven it. */
static bool fall_back(struct lane *lane, const struct pull_answer *a)
{
    struct server *s = lane->server;
    bool first = *s->choice == lane->transport;
    struct buf b = { 0 };

    if (!a->reply->unsuited && ((first && s->proven) || !refuses(a)))
        return false;
    if (first) {
        if (!s->choice[1])
            return false;
        pull_error_add(&b, a);
        if (!s->shown->why) {
            struct buf why = { 0 };

            buf_addf(&why, "%s: %s", lane->transport->title, buf_str(&b));
            s->shown->why = buf_take(&why);
        }
        s->choice++;
        s->proven = false;
    }
    buf_free(&b);
    set_transport(lane);
    lane->retry.attempts = 0;
    return true;
}

/* Whether the answer is whole and good. */
static bool is_whole(struct lane *lane, const struct http_result *r)
{
    if (r->outcome != HTTP_ANSWERED)
        return false;
    if (!lane->begun && !lane->transport->suits(lane->reply, r->status, span_of(r->content_type)))
        return false;
    return lane->transport->end(lane->reply) == 0 && lane->reply->success && r->status / 100 == 2;
}

static int take_result(struct puller *p, struct http_result *r, struct err *e)
{
    struct lane *lane = NULL;
    struct pull_answer a;
    int64_t pause_ms;

    for (size_t i = 0; i < p->n_lanes; i++)
        if (p->lanes[i].slot == r->slot)
            lane = &p->lanes[i];
    a = (struct pull_answer){ lane->server->shown, lane->transport, lane->reply, r };
    lane->busy = false;
    lane->server->answered |= r->status > 0;
    if (is_whole(lane, r))
        return keep_window(lane, e);
    if ((pull_error_wants_less(&a) && halve(lane)) || fall_back(lane, &a))
        return 0;
    if (r->outcome == HTTP_ANSWERED && r->status / 100 == 2 && lane->reply->cut)
        http_call_cut(r);                              /* it ended with the connection: only its form tells that something is missing */
    if (!http_retry_after(&lane->retry, r, lane->server->answered, &pause_ms))
        return fail(lane, &a, e);
    lane->due_ms = clock_steady_ms() + pause_ms;
    return 0;
}

/* ---- all of it ---- */

static void show_progress(struct puller *p)
{
    const struct metrics_request *req = p->scrape->req;
    int64_t now = clock_steady_ms();

    if (!req->progress || now - p->shown_ms < PROGRESS_MS)
        return;
    p->shown_ms = now;
    p->progress.elapsed_ms = now - p->began_ms;
    p->progress.samples = p->scrape->n_samples;
    req->progress(req->progress_ctx, &p->progress);
}

static int pull_groups(struct puller *p, int from, int to, struct err *e)
{
    int64_t wait_ms;

    for (size_t i = 0; i < p->n_servers; i++)
        p->servers[i].next_group = from;
    p->end_group = to;
    for (int g = from; g < to; g++) {
        struct timespan span = span_of_group(p->scrape, g);

        p->progress.total_ms += (span.to - span.from) * (int64_t)p->n_servers;
    }
    while ((wait_ms = ask_all(p)) >= 0) {
        struct http_result r;

        if (http_wait(p->http, wait_ms, &r) > 0 && take_result(p, &r, e) < 0)
            return -1;
        show_progress(p);
    }
    return 0;
}

/* Further parameters stand in forms, which remote read has none of: what they ask for must not be left out unnoticed. */
static const struct transport *const *first_choice(const struct pull_server *s)
{
    bool skips = s->wanted == METRICS_AUTO && s->params && s->params->name;

    return &choices[s->wanted][skips ? 1 : 0];
}

static int set_up(struct puller *p, struct pull_server *servers, struct err *e)
{
    if (http_new(&p->http, e) < 0)
        return -1;
    for (size_t i = 0; i < p->n_servers; i++)
        p->servers[i] = (struct server){ .shown = &servers[i], .choice = first_choice(&servers[i]) };
    for (size_t i = 0; i < p->n_lanes; i++) {
        struct lane *lane = &p->lanes[i];

        *lane = (struct lane){ .puller = p, .server = &p->servers[i / LANES] };
        if (http_add_slot(p->http, &lane->server->shown->access, &lane->slot, e) < 0)
            return -1;
    }
    return 0;
}

static void clean_up(struct puller *p)
{
    http_free(p->http);
    for (size_t i = 0; i < p->n_lanes; i++) {
        if (p->lanes[i].reply)
            p->lanes[i].transport->close(p->lanes[i].reply);
        buf_free(&p->lanes[i].families);
    }
    for (size_t i = 0; i < p->n_servers; i++)
        if (p->servers[i].shown)
            p->servers[i].shown->used = *p->servers[i].choice;
    free(p->lanes);
    free(p->servers);
    buf_free(&p->url);
    buf_free(&p->body);
}

int pull(struct scrape *s, struct pull_server *servers, size_t n, struct err *e)
{
    struct puller p = { .scrape = s, .n_servers = n, .n_lanes = n * LANES, .began_ms = clock_steady_ms() };
    int rc;

    p.servers = xcalloc(n + 1, sizeof *p.servers);
    p.lanes = xcalloc(p.n_lanes + 1, sizeof *p.lanes);
    rc = set_up(&p, servers, e);
    if (rc == 0)
        rc = pull_groups(&p, GROUP_GPUS, s->req->gpus_only ? GROUP_BESIDE_GPUS : GROUP_REFUSED, e);
    /* Families that only look like GPU memory are of interest when there is none. */
    if (rc == 0 && !s->req->gpus_only && !s->gpu_memory)
        rc = pull_groups(&p, GROUP_REFUSED, GROUPS_ALL, e);
    clean_up(&p);
    return rc;
}
