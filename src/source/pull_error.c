/* pull_error: texts for people, out of what HTTP, the server and the reader of its answer say.
 *
 * What servers say is shown on one line, shortened, and without any secret of ours.
 *
 * Not here: whether to ask again (codec/http), and when to give up (source/pull). */
#include "gputab/source/pull_error.h"

#include <string.h>

/* How servers say that a question was too much at once, or took too long: what their texts contain. */
static const char *const too_much[] = {
    "too many samples", "max-chunks", "max-series", "max-estimated", "number of chunks", "number of series", "samples limit",
    "sample limit", "series limit", "chunks limit", "bytes limit", "size limit", "maxSamplesPer", "query timed out", "deadline exceeded",
    "timeout exceeded",
};

enum { GATEWAY_TIMEOUT = 504 };                        /* of what stands before a server, with a page of its own */

bool pull_error_wants_less(const struct pull_answer *a)
{
    const struct http_result *r = a->result;
    const struct reply *reply = a->reply;
    struct span text = buf_span(&reply->error);

    if (r->outcome == HTTP_TOO_LARGE || reply->too_large)
        return r->status / 100 == 2 && !r->packed;
    if (r->status == GATEWAY_TIMEOUT)
        return r->outcome == HTTP_ANSWERED || r->outcome == HTTP_STOPPED;
    if (r->outcome != HTTP_ANSWERED || !reply->failure || reply->cut)
        return false;
    if (span_eq(buf_span(&reply->error_type), "timeout"))
        return true;
    for (size_t i = 0; i < sizeof too_much / sizeof *too_much; i++)
        if (text.n > 0 && memmem(text.p, text.n, too_much[i], strlen(too_much[i])))
            return true;
    return false;
}

static struct span behind(struct span text, const char *mark)
{
    size_t n = strlen(mark);
    const char *at = text.n > 0 ? memmem(text.p, text.n, mark, n) : NULL;

    return at ? (struct span){ at + n, (size_t)(text.p + text.n - at) - n } : text;
}

/* What VictoriaMetrics says begins with the whole question, and may have it again with its times, longer than what is shown. */
static struct span reason(struct span text)
{
    struct span rest;

    if (!span_starts(text, "remoteAddr: "))
        return text;
    text = behind(behind(text, "; requestURI: "), "; ");
    while ((rest = behind(text, "]: ")).n < text.n && rest.n > 0)
        text = rest;
    return text;
}

static void add_server_text(const struct pull_answer *a, struct buf *b)
{
    const struct http_access *access = &a->server->access;
    const struct reply *reply = a->reply;

    if (!reply->failure || reply->cut || reply->error.n == 0)
        return;
    buf_adds(b, ": ");
    if (reply->error_type.n > 0) {
        http_add_shown(b, access, buf_span(&reply->error_type));
        buf_adds(b, ": ");
    }
    http_add_shown(b, access, reason(buf_span(&reply->error)));
}

/* An answer with a good status that is not what was asked for. Returns a hint, "" for none; likewise below. */
static const char *add_unreadable(const struct pull_answer *a, struct buf *b)
{
    const struct reply *reply = a->reply;

    if (reply->failure && reply->err.code == ERR_NONE) {
        buf_adds(b, "the query failed");
        add_server_text(a, b);
        return "";
    }
    if (a->result->html) {
        buf_addf(b, "answers with HTML, not %s", a->transport->form);
        return "a login page or another service answers here; give the server's own address";
    }
    if (reply->unsuited) {
        http_add_shown(b, &a->server->access, span_of(reply->err.text));
        return "--transport auto takes another one";
    }
    buf_adds(b, "the answer cannot be read: ");
    http_add_shown(b, &a->server->access, span_of(reply->err.text));
    if (reply->err.line > 0)
        buf_addf(b, " (line %lld, column %lld)", (long long)reply->err.line, (long long)reply->err.column);
    return reply->err.hint;
}

/* What servers without an endpoint answer there. */
static bool lacks_endpoint(int status)
{
    return status == 400 || status == 404 || status == 405 || status == 501;
}

static const char *add_status(const struct pull_answer *a, struct buf *b)
{
    static const struct { int status; const char *hint; } hints[] = {
        { 401, "credentials come from GPUTAB_PROM_TOKEN_FILE, or GPUTAB_PROM_USER and GPUTAB_PROM_PASSWORD_FILE, see gputab(1)" },
        { 403, "the credentials are good for something else; a tenant's header can stand in GPUTAB_PROM_HEADERS_FILE" },
        { 404, "--prometheus takes the part of the address before /api/v1/query" },
        { 405, "--prometheus takes the part of the address before /api/v1/query" },
    };
    const struct http_result *r = a->result;

    if (r->status / 100 == 3) {
        buf_adds(b, "redirects");
        if (r->location[0]) {
            buf_adds(b, " to ");
            http_add_shown(b, &a->server->access, span_of(r->location));
        }
        buf_adds(b, ", which is not followed");
        return "if that is the server you mean, give its address";
    }
    buf_adds(b, "answers ");
    http_add_status(b, r->status);
    add_server_text(a, b);
    if (a->server->wanted != METRICS_AUTO && a->transport != &transport_query && lacks_endpoint(r->status))
        return "perhaps it does not speak this transport: --transport auto finds out what it speaks";
    for (size_t i = 0; i < sizeof hints / sizeof *hints; i++)
        if (hints[i].status == r->status)
            return hints[i].hint;
    return "";
}

static const char *add_failure(const struct pull_answer *a, struct buf *b)
{
    http_add_shown(b, &a->server->access, span_of(a->result->text));
    return a->result->distrusted ? "GPUTAB_PROM_CA_FILE names the certificates of the authorities to trust" : "";
}

const char *pull_error_add(struct buf *b, const struct pull_answer *a)
{
    const struct http_result *r = a->result;

    if (r->outcome == HTTP_TOO_LARGE) {
        buf_addf(b, "an answer %s more than %lld MiB", r->packed ? "unpacks to" : "has", (long long)(a->transport->cap_bytes >> 20));
        return "";
    }
    if (r->outcome != HTTP_ANSWERED && r->outcome != HTTP_STOPPED)
        return add_failure(a, b);
    return r->status / 100 == 2 ? add_unreadable(a, b) : add_status(a, b);
}
