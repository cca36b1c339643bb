/* prometheus: the transport that every server of the query API offers.
 *
 * An instant query with a range selector gives the samples of a window as they were scraped: {__name__=~"A|B"}[6h] at the window's end.
 * Families of one kind go together; each group is a lane that is asked window by window in the order of time, so that the samples of a
 * series arrive in order, and two lanes are on their way at once. A window that is too much for the server is halved, and grows again.
 *
 * Windows begin and end on whole seconds, which every server reads alike, and at the same times of the day, which servers that cache like.
 * They are half-open here: a sample exactly at the beginning comes from Prometheus 2 and not from 3. Of an answer that broke off nothing
 * is kept.
 *
 * Not here: what an answer says (source/prometheus_reply), requests as such (codec/http), remote read. The scrape holds the whole period;
 * a transport that is asked window by window replaces prometheus_load and metrics_window together. */
#include "gputab/source/prometheus.h"

#include <string.h>
#include <time.h>

#include "gputab/source/history.h"
#include "gputab/source/prometheus_reply.h"

enum { WINDOW_S = 6 * 3600, SHORTEST_S = 60, GROW_AFTER = 8, ANSWER_MIB = 128, IDLE_MS = 1000 };

/* Which families share a lane, by kind; -1 ends a group. Those of no group make up the last but one, those refused the last. */
static const int groups[][8] = {
    { SAMPLE_USED, SAMPLE_FREE, SAMPLE_TOTAL, SAMPLE_RESERVED, SAMPLE_LAYER_USED, SAMPLE_LAYER_PROCESS, SAMPLE_PROCESS_USED, -1 },
    { SAMPLE_PRESENT, -1 }, { SAMPLE_CPU, -1 }, { SAMPLE_MEMORY, -1 }, { FAMILY_REQUEST, -1 },
    { RECORD_POD_PHASE, -1 }, { RECORD_POD_INFO, -1 }, { RECORD_POD_LABELS, -1 }, { RECORD_POD_OWNER, -1 },
    { RECORD_REPLICASET_OWNER, RECORD_JOB_OWNER, -1 },
};
enum { GROUP_GPUS };                                   /* the first one */
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

/* One group on its way. */
struct lane {
    bool open, busy;
    struct buf selector;           /* {__name__=~"A|B"} */
    struct timespan wanted;        /* both ends inclusive */
    time_ms at, asked_to, to;      /* loaded up to at; the end of the question, of all; whole seconds */
    int64_t window_s;              /* of the next question */
    int good;                      /* windows in a row that were answered */
    struct http_retry retry;
    int64_t due_ms;                /* no question before: on the steady clock */
    struct prometheus_reply reply;
};

struct loader {
    struct scrape *scrape;
    const struct http_url *url;
    const struct http_access *access;
    struct http *http;
    struct buf api, form;
    int next_group, end_group;
    bool answered;                 /* the server did, once */
    struct lane lanes[HTTP_SLOTS];
};

static int64_t now_ms(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return (int64_t)t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

/* ---- questions ---- */

/* Where all families of the group are read of MIG instances alone, only those are asked for: they are few among many. */
static void add_selector(const struct scrape *s, struct buf *b, int group)
{
    bool instances = true;
    int n = 0;

    for (size_t i = 0; i < s->n_families; i++)
        if (group_of(s->family[i]->kind) == group) {
            buf_addf(b, "%s%s", n++ ? "|" : "{__name__=~\"", s->family[i]->name);
            instances &= s->family[i]->only.label && strcmp(s->family[i]->only.label, "GPU_I_ID") == 0;
        }
    buf_adds(b, instances ? "\",GPU_I_ID!=\"\"}" : "\"}");
}

/* What a group is loaded for: numbers while they count, records also from before, and as far after as a thing's first record reaches back. */
static struct timespan span_of_group(const struct scrape *s, int group)
{
    struct timespan span = s->keep;
    bool numbers = group < GROUPS && (groups[group][0] < SAMPLE_KINDS || groups[group][0] == FAMILY_REQUEST);

    if (numbers || group == GROUP_REFUSED)
        return span;
    span.from -= PROMETHEUS_LOOK_BACK;
    if (span.to < s->req->period.to + HISTORY_BACK)
        span.to = s->req->period.to + HISTORY_BACK;
    return span;
}

static void open_lane(struct loader *l, struct lane *lane, int group)
{
    struct timespan span = span_of_group(l->scrape, group);

    buf_clear(&lane->selector);
    add_selector(l->scrape, &lane->selector, group);
    lane->open = true;
    lane->wanted = span;
    lane->at = time_floor(span.from - 1, TIME_SECOND);
    lane->to = time_floor(span.to + TIME_SECOND - 1, TIME_SECOND);
    lane->window_s = WINDOW_S;
    lane->good = 0;
    lane->retry.attempts = 0;
    lane->due_ms = 0;
}

static void ask(struct loader *l, unsigned slot)
{
    struct lane *lane = &l->lanes[slot];
    time_ms length = lane->window_s * TIME_SECOND, border = time_floor(lane->at, length) + length;
    time_ms to = border < lane->to ? border : lane->to;
    struct timespan wanted = { lane->wanted.from - 1, lane->wanted.to };
    struct buf text = { 0 };

    lane->asked_to = to;
    buf_add_span(&text, buf_span(&lane->selector));
    buf_addf(&text, "[%llds]", (long long)((to - lane->at) / TIME_SECOND));
    buf_clear(&l->form);
    http_add_form(&l->form, "query", buf_span(&text));
    buf_clear(&text);
    buf_addf(&text, "%lld", (long long)(to / TIME_SECOND));
    http_add_form(&l->form, "time", buf_span(&text));
    buf_free(&text);
    prometheus_reply_begin(&lane->reply, timespan_cut(wanted, (struct timespan){ lane->at, to }));
    http_post(l->http, slot, buf_str(&l->api), buf_span(&l->form), lane->retry.attempts > 0, prometheus_reply_feed, &lane->reply);
    lane->busy = true;
}

/* Puts idle slots to work. Returns how long to wait at most, or -1: all is loaded. */
static int64_t ask_all(struct loader *l)
{
    int64_t now = now_ms(), wait = IDLE_MS;
    bool any = false;

    for (unsigned i = 0; i < HTTP_SLOTS; i++) {
        struct lane *lane = &l->lanes[i];

        if (!lane->open && l->next_group < l->end_group)
            open_lane(l, lane, l->next_group++);
        any |= lane->open;
        if (!lane->open || lane->busy)
            continue;
        if (lane->due_ms <= now)
            ask(l, i);
        else if (lane->due_ms - now < wait)
            wait = lane->due_ms - now;
    }
    return any ? wait : -1;
}

/* ---- errors ---- */

/* How servers say that a question was too much at once: what their texts contain. */
static const char *const too_much[] = {
    "too many samples", "max-chunks", "max-series", "max-estimated", "number of chunks", "number of series", "samples limit",
    "series limit", "chunks limit", "bytes limit", "size limit", "maxSamplesPer",
};

static bool wants_less(const struct prometheus_reply *reply, const struct http_result *r)
{
    struct span text = buf_span(&reply->error);

    if (r->outcome == HTTP_TOO_LARGE)
        return r->status / 100 == 2 && !r->packed;
    if (r->outcome != HTTP_ANSWERED || !reply->failure || reply->cut)
        return false;
    if (span_eq(buf_span(&reply->error_type), "timeout"))
        return true;
    for (size_t i = 0; i < sizeof too_much / sizeof *too_much; i++)
        if (text.n > 0 && memmem(text.p, text.n, too_much[i], strlen(too_much[i])))
            return true;
    return false;
}

static void add_server_text(const struct loader *l, const struct prometheus_reply *reply, struct buf *b)
{
    if (!reply->failure || reply->cut || reply->error.n == 0)
        return;
    buf_adds(b, ": ");
    if (reply->error_type.n > 0) {
        http_add_shown(b, l->access, buf_span(&reply->error_type));
        buf_adds(b, ": ");
    }
    http_add_shown(b, l->access, buf_span(&reply->error));
}

/* An answer with a good status that is not what was asked for. Returns a hint, "" for none; likewise below. */
static const char *add_unreadable(const struct loader *l, const struct prometheus_reply *reply, const struct http_result *r, struct buf *b)
{
    if (reply->failure && reply->err.code == ERR_NONE) {
        buf_adds(b, "the query failed");
        add_server_text(l, reply, b);
        return "";
    }
    if (r->html) {
        buf_adds(b, "answers with HTML, not JSON");
        return "a login page or another service answers here; give the server's own address";
    }
    buf_adds(b, "the answer cannot be read: ");
    http_add_shown(b, l->access, span_of(reply->err.text));
    if (reply->err.line > 0)
        buf_addf(b, " (line %lld, column %lld)", (long long)reply->err.line, (long long)reply->err.column);
    return reply->err.hint;
}

static const char *add_status(const struct loader *l, const struct prometheus_reply *reply, const struct http_result *r, struct buf *b)
{
    static const struct { int status; const char *hint; } hints[] = {
        { 401, "credentials come from GPUTAB_PROM_TOKEN_FILE, or GPUTAB_PROM_USER and GPUTAB_PROM_PASSWORD_FILE, see gputab(1)" },
        { 403, "the credentials are good for something else; a tenant's header can stand in GPUTAB_PROM_HEADERS_FILE" },
        { 404, "--prometheus takes the part of the address before /api/v1/query" },
        { 405, "--prometheus takes the part of the address before /api/v1/query" },
    };

    if (r->status / 100 == 3) {
        buf_adds(b, "redirects");
        if (r->location[0]) {
            buf_adds(b, " to ");
            http_add_shown(b, l->access, span_of(r->location));
        }
        buf_adds(b, ", which is not followed");
        return "if that is the server you mean, give its address";
    }
    buf_adds(b, "answers ");
    http_add_status(b, r->status);
    add_server_text(l, reply, b);
    for (size_t i = 0; i < sizeof hints / sizeof *hints; i++)
        if (hints[i].status == r->status)
            return hints[i].hint;
    return "";
}

static const char *add_failure(const struct loader *l, const struct http_result *r, struct buf *b)
{
    http_add_shown(b, l->access, span_of(r->text));
    return r->distrusted ? "GPUTAB_PROM_CA_FILE names the certificates of the authorities to trust" : "";
}

static int fail(const struct loader *l, const struct lane *lane, const struct http_result *r, struct err *e)
{
    const char *hint = "";
    struct buf b = { 0 };

    if (r->outcome == HTTP_TOO_LARGE)
        buf_addf(&b, "an answer %s more than %d MiB", r->packed ? "unpacks to" : "has", ANSWER_MIB);
    else if (r->outcome != HTTP_ANSWERED && r->outcome != HTTP_STOPPED)
        hint = add_failure(l, r, &b);
    else if (r->status / 100 == 2)
        hint = add_unreadable(l, &lane->reply, r, &b);
    else
        hint = add_status(l, &lane->reply, r, &b);
    if (r->retry_after_s > HTTP_RETRY_AFTER_S)
        buf_addf(&b, ", and wants %lld s of rest", (long long)r->retry_after_s);
    if (lane->retry.attempts > 1)
        buf_addf(&b, " (%d attempts)", lane->retry.attempts);
    err_set(e, ERR_INPUT, "%s", buf_str(&b));
    buf_free(&b);
    if (hint[0])
        err_hint(e, "%s", hint);
    return err_at(e, l->url->base, 0, 0);
}

/* ---- answers ---- */

static void say_warnings(const struct loader *l, const struct prometheus_reply *reply)
{
    struct diag *d = l->scrape->req->diag;
    struct buf b = { 0 };

    for (size_t i = 0; i < reply->warnings.n; i++) {
        buf_clear(&b);
        http_add_shown(&b, l->access, span_of(reply->warnings.v[i]));
        diag_add(d, "W115", "the server calls an answer incomplete: %s", buf_str(&b));
        diag_hint(d, "W115", "samples may be missing from the report");
    }
    buf_free(&b);
}

/* The window is complete: on to the next one. */
static int keep_window(struct loader *l, struct lane *lane, struct err *e)
{
    if (prometheus_reply_keep(&lane->reply, e) < 0)
        return err_at(e, l->url->base, 0, 0);
    say_warnings(l, &lane->reply);
    lane->at = lane->asked_to;
    lane->open = lane->at < lane->to;
    lane->retry.attempts = 0;
    if (++lane->good >= GROW_AFTER && lane->window_s < WINDOW_S) {
        lane->window_s = lane->window_s * 2 < WINDOW_S ? lane->window_s * 2 : WINDOW_S;
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

static int take_result(struct loader *l, struct http_result *r, struct err *e)
{
    struct lane *lane = &l->lanes[r->slot];
    bool whole = r->outcome == HTTP_ANSWERED && prometheus_reply_end(&lane->reply) == 0;
    int64_t pause_ms;

    lane->busy = false;
    l->answered |= r->status > 0;
    if (whole && lane->reply.success && r->status / 100 == 2)
        return keep_window(l, lane, e);
    if (wants_less(&lane->reply, r) && halve(lane))
        return 0;
    if (r->outcome == HTTP_ANSWERED && r->status / 100 == 2 && lane->reply.cut)
        http_call_cut(r);                              /* it ended with the connection: only the JSON tells that something is missing */
    if (!http_retry_after(&lane->retry, r, l->answered, &pause_ms))
        return fail(l, lane, r, e);
    lane->due_ms = now_ms() + pause_ms;
    return 0;
}

static int load_groups(struct loader *l, int from, int to, struct err *e)
{
    int64_t wait_ms;

    l->next_group = from;
    l->end_group = to;
    while ((wait_ms = ask_all(l)) >= 0) {
        struct http_result r;

        if (http_wait(l->http, wait_ms, &r) > 0 && take_result(l, &r, e) < 0)
            return -1;
    }
    return 0;
}

static bool has_gpu_memory(const struct scrape *s)
{
    for (size_t i = 0; i < s->series.n; i++)
        if (s->series.v[i].kind <= SAMPLE_PROCESS_USED && s->series.v[i].n > 0)
            return true;
    return false;
}

int prometheus_load(struct scrape *s, const struct http_url *url, const struct http_access *access, struct err *e)
{
    struct loader l = { .scrape = s, .url = url, .access = access };
    int rc = -1;

    buf_addf(&l.api, "%s/api/v1/query", url->base);
    for (unsigned i = 0; i < HTTP_SLOTS; i++)
        prometheus_reply_init(&l.lanes[i].reply, s);
    if (http_new(&l.http, access, (int64_t)ANSWER_MIB << 20, e) < 0 || load_groups(&l, GROUP_GPUS, s->req->gpus_only ? GROUP_GPUS + 1 : GROUP_REFUSED, e) < 0)
        goto out;
    /* Families that only look like GPU memory are of interest when there is none. */
    rc = s->req->gpus_only || has_gpu_memory(s) ? 0 : load_groups(&l, GROUP_REFUSED, GROUPS_ALL, e);
out:
    http_free(l.http);
    for (unsigned i = 0; i < HTTP_SLOTS; i++) {
        prometheus_reply_free(&l.lanes[i].reply);
        buf_free(&l.lanes[i].selector);
    }
    buf_free(&l.api);
    buf_free(&l.form);
    return rc;
}
