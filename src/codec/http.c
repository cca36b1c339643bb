/* http: libcurl's multi interface behind the few words that gputab needs of it.
 *
 * One easy handle per slot, kept with its connection. What comes of a request is sorted into a handful of outcomes; which of them deserve
 * another attempt is decided in http_retry, what an answer means by the caller.
 *
 * Answers are asked for unpacked, since compressing samples costs a server more than the wire; one that comes packed all the same is
 * unpacked, but where it is wanted raw, and the cap counts what comes out. */
#include "gputab/codec/http.h"

#include <curl/curl.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "gputab/base/clock.h"
#include "gputab/base/utf8.h"
#include "gputab/base/vec.h"
#include "gputab/base/xalloc.h"

/* Slower than SLOW_BYTES a second for SLOW_S counts as silence: an answer of a byte a second would take years. */
enum { CONNECT_MS = 15000, SLOW_S = 180, SLOW_BYTES = 100, RECEIVE_BYTES = 256 * 1024, HEAD_KIB = 256,
       GATHER_BYTES = 256 * 1024, GATHER_NS = 2000000 };

struct slot {
    CURL *easy;
    struct curl_slist *access;     /* headers of every request */
    struct curl_slist *headers;    /* of this request, those among them */
    struct buf body;
    http_sink sink;
    void *ctx;
    struct http *http;
    int64_t cap_bytes, received, head_bytes;
    curl_off_t before;             /* packed bytes of the answer before the read that libcurl hands on now */
    bool stopped, too_large, busy, raw;
    CURLMcode fault;               /* the request could not even be begun */
    char why[CURL_ERROR_SIZE];
};

struct http {
    CURLM *multi;
    VEC(struct slot *) slots;      /* libcurl keeps pointers to them */
    int64_t received;              /* bytes of answers, of all slots */
    int64_t gathered;              /* that much of it before the last pause */
};

/* A server that makes its answer while it sends it wakes a reader for every few KiB: a little later there is more to read at once. */
static void let_gather(struct http *h)
{
    if (h->received - h->gathered < GATHER_BYTES && h->received > h->gathered)
        nanosleep(&(struct timespec){ .tv_nsec = GATHER_NS }, NULL);
    h->gathered = h->received;
}

/* libcurl goes on reading while there is anything to read: what comes of one read has the same bytes before it. */
static bool is_another_read(struct slot *s)
{
    curl_off_t before = 0;
    bool another;

    curl_easy_getinfo(s->easy, CURLINFO_SIZE_DOWNLOAD_T, &before);
    another = before != s->before;
    s->before = before;
    return another;
}

static size_t receive(char *p, size_t size, size_t n, void *ctx)
{
    struct slot *s = ctx;

    n *= size;
    if (is_another_read(s))
        let_gather(s->http);
    s->received += (int64_t)n;
    s->http->received += (int64_t)n;
    s->too_large = s->received > s->cap_bytes;
    if (s->too_large)
        return CURL_WRITEFUNC_ERROR;
    s->stopped = n > 0 && s->sink(s->ctx, p, n) < 0;
    return s->stopped ? CURL_WRITEFUNC_ERROR : n;
}

/* libcurl has a limit too, but calls it a connection that broke. */
static size_t receive_head(char *p, size_t size, size_t n, void *ctx)
{
    struct slot *s = ctx;

    (void)p;
    s->head_bytes += (int64_t)(size * n);
    return s->head_bytes > HEAD_KIB * 1024 ? 0 : size * n;
}

/* All or none: a request must not go out without a header that lets it in. */
static bool add_header(struct curl_slist **list, const char *text)
{
    struct curl_slist *more = curl_slist_append(*list, text);

    if (more)
        *list = more;
    return more != NULL;
}

static bool add_headers(struct curl_slist **list, const char *const *texts)
{
    bool good = true;

    for (const char *const *p = texts; good && p && *p; p++)
        good = add_header(list, *p);
    return good;
}

static bool add_named(struct curl_slist **list, const char *name, const char *value)
{
    struct buf line = { 0 };
    bool good;

    buf_addf(&line, "%s: %s", name, value);
    good = add_header(list, buf_str(&line));
    buf_free(&line);
    return good;
}

/* Every request is signed with its body and all headers that are added here. The service is named, since libcurl would guess it from the
 * host, which a proxy or private endpoint may hide. */
static unsigned set_up_signature(CURL *c, const struct http_access *a)
{
    struct buf what = { 0 };
    unsigned faults;

    buf_addf(&what, "aws:amz:%s:aps", a->aws_region);
    faults = curl_easy_setopt(c, CURLOPT_AWS_SIGV4, buf_str(&what));
    faults |= curl_easy_setopt(c, CURLOPT_USERNAME, a->aws_key_id);
    faults |= curl_easy_setopt(c, CURLOPT_PASSWORD, a->aws_secret);
    buf_free(&what);
    return faults;
}

/* Options that let a request in, and that say whom to trust. */
static bool set_up_access(CURL *c, const struct http_access *a)
{
    unsigned faults = CURLE_OK;

    if (a->aws_region) {
        faults |= set_up_signature(c, a);
    } else if (a->user || a->password) {
        faults |= curl_easy_setopt(c, CURLOPT_HTTPAUTH, (long)CURLAUTH_BASIC);
        faults |= curl_easy_setopt(c, CURLOPT_USERNAME, a->user ? a->user : "");
        faults |= curl_easy_setopt(c, CURLOPT_PASSWORD, a->password ? a->password : "");
    } else if (a->token) {
        faults |= curl_easy_setopt(c, CURLOPT_HTTPAUTH, (long)CURLAUTH_BEARER);
        faults |= curl_easy_setopt(c, CURLOPT_XOAUTH2_BEARER, a->token);
    }
    if (a->proxy) {
        faults |= curl_easy_setopt(c, CURLOPT_PROXY, a->proxy);
        faults |= curl_easy_setopt(c, CURLOPT_NOPROXY, "");              /* the environment's exceptions are from its own proxies */
    }
    if (a->ca_file)
        faults |= curl_easy_setopt(c, CURLOPT_CAINFO, a->ca_file);
    if (a->cert_file)
        faults |= curl_easy_setopt(c, CURLOPT_SSLCERT, a->cert_file);
    if (a->key_file || a->cert_file)
        faults |= curl_easy_setopt(c, CURLOPT_SSLKEY, a->key_file ? a->key_file : a->cert_file);
    return faults == CURLE_OK;
}

/* Options that stay for all requests of a slot. None may be missing, for want of memory or of a part of libcurl. */
static bool set_up(struct slot *s, const struct http_access *a)
{
    CURL *c = s->easy;
    unsigned faults = CURLE_OK;

    faults |= curl_easy_setopt(c, CURLOPT_PROTOCOLS_STR, "http,https");
    faults |= curl_easy_setopt(c, CURLOPT_FOLLOWLOCATION, 0L);
    faults |= curl_easy_setopt(c, CURLOPT_USERAGENT, "gputab");
    faults |= curl_easy_setopt(c, CURLOPT_ACCEPT_ENCODING, "identity");
    faults |= curl_easy_setopt(c, CURLOPT_CONNECTTIMEOUT_MS, (long)CONNECT_MS);
    faults |= curl_easy_setopt(c, CURLOPT_LOW_SPEED_LIMIT, (long)SLOW_BYTES);
    faults |= curl_easy_setopt(c, CURLOPT_LOW_SPEED_TIME, (long)SLOW_S);
    faults |= curl_easy_setopt(c, CURLOPT_BUFFERSIZE, (long)RECEIVE_BYTES);
    faults |= curl_easy_setopt(c, CURLOPT_ERRORBUFFER, s->why);
    faults |= curl_easy_setopt(c, CURLOPT_HEADERFUNCTION, receive_head);
    faults |= curl_easy_setopt(c, CURLOPT_HEADERDATA, s);
    faults |= curl_easy_setopt(c, CURLOPT_WRITEFUNCTION, receive);
    faults |= curl_easy_setopt(c, CURLOPT_WRITEDATA, s);
    return faults == CURLE_OK && set_up_access(c, a);
}

int http_new(struct http **out, struct err *e)
{
    struct http *h = xcalloc(1, sizeof *h);

    *out = NULL;
    if (curl_global_init(CURL_GLOBAL_DEFAULT) != CURLE_OK || !(h->multi = curl_multi_init())) {
        free(h);
        return err_set(e, ERR_INTERNAL, "libcurl cannot be started");
    }
    *out = h;
    return 0;
}

static void free_slot(struct http *h, struct slot *s)
{
    if (s->busy)
        curl_multi_remove_handle(h->multi, s->easy);
    curl_easy_cleanup(s->easy);
    curl_slist_free_all(s->access);
    curl_slist_free_all(s->headers);
    buf_free(&s->body);
    free(s);
}

int http_add_slot(struct http *h, const struct http_access *a, unsigned *slot, struct err *e)
{
    struct slot *s = xcalloc(1, sizeof *s);
    bool good;

    s->http = h;
    good = add_headers(&s->access, a->headers) && (!a->aws_session || add_named(&s->access, "X-Amz-Security-Token", a->aws_session));

    if (!good || !(s->easy = curl_easy_init()) || !set_up(s, a)) {
        free_slot(h, s);
        return err_set(e, ERR_INTERNAL, "libcurl cannot be set up");
    }
    *slot = (unsigned)h->slots.n;
    vec_push(&h->slots, s);
    return 0;
}

void http_free(struct http *h)
{
    if (!h)
        return;
    for (size_t i = 0; i < h->slots.n; i++)
        free_slot(h, h->slots.v[i]);
    vec_free(&h->slots);
    curl_multi_cleanup(h->multi);
    curl_global_cleanup();
    free(h);
}

static bool set_headers(struct slot *s, const struct http_request *q)
{
    bool good = true;

    curl_slist_free_all(s->headers);
    s->headers = NULL;
    for (const struct curl_slist *p = s->access; good && p; p = p->next)
        good = add_header(&s->headers, p->data);
    return good && add_named(&s->headers, "Content-Type", q->content_type) &&
           (!q->accept || add_named(&s->headers, "Accept", q->accept)) && add_headers(&s->headers, q->headers) &&
           curl_easy_setopt(s->easy, CURLOPT_HTTPHEADER, s->headers) == CURLE_OK;
}

void http_post(struct http *h, unsigned slot, const struct http_request *q, http_sink sink, void *ctx)
{
    struct slot *s = h->slots.v[slot];
    unsigned faults = set_headers(s, q) ? CURLE_OK : CURLE_OUT_OF_MEMORY;

    buf_clear(&s->body);
    buf_add_span(&s->body, q->body);
    s->sink = sink;
    s->ctx = ctx;
    s->cap_bytes = q->cap_bytes;
    s->raw = q->raw;
    s->received = s->head_bytes = 0;
    s->before = 0;
    s->stopped = s->too_large = false;
    s->why[0] = '\0';
    faults |= curl_easy_setopt(s->easy, CURLOPT_URL, q->url);
    faults |= curl_easy_setopt(s->easy, CURLOPT_FRESH_CONNECT, (long)q->fresh);
    faults |= curl_easy_setopt(s->easy, CURLOPT_HTTP_CONTENT_DECODING, (long)!q->raw);
    faults |= curl_easy_setopt(s->easy, CURLOPT_POSTFIELDSIZE_LARGE, (curl_off_t)s->body.n);
    faults |= curl_easy_setopt(s->easy, CURLOPT_POSTFIELDS, buf_str(&s->body));
    s->fault = faults ? CURLM_OUT_OF_MEMORY : curl_multi_add_handle(h->multi, s->easy);
    s->busy = true;
}

void http_answering(const struct http *h, unsigned slot, int *status, struct span *content_type)
{
    CURL *easy = h->slots.v[slot]->easy;
    char *type = NULL;
    long code = 0;

    curl_easy_getinfo(easy, CURLINFO_RESPONSE_CODE, &code);
    curl_easy_getinfo(easy, CURLINFO_CONTENT_TYPE, &type);
    *status = (int)code;
    *content_type = span_of(type);
}

/* The answer names a content coding other than none. */
static bool came_packed(CURL *easy)
{
    struct curl_header *header;

    return curl_easy_header(easy, "Content-Encoding", 0, CURLH_HEADER, -1, &header) == CURLHE_OK &&
           !span_eq_fold(span_of(header->value), "identity");
}

/* A connection that never came about is told from one that fell silent. */
static enum http_outcome after_timeout(CURL *easy)
{
    curl_off_t connected = 0;

    curl_easy_getinfo(easy, CURLINFO_CONNECT_TIME_T, &connected);
    return connected > 0 ? HTTP_BROKEN : HTTP_UNREACHABLE;
}

/* The status by which a proxy refuses a tunnel to the server, or 0: libcurl calls it a connection that broke. */
static int proxy_status(CURL *easy)
{
    long status = 0;

    curl_easy_getinfo(easy, CURLINFO_HTTP_CONNECTCODE, &status);
    return status / 100 == 2 ? 0 : (int)status;
}

/* In TLS 1.3 a server refuses the client's certificate, or wants one, after the handshake: for libcurl that is a failure to read. */
static CURLcode without_late_alert(const struct slot *s, CURLcode code)
{
    bool late = (code == CURLE_RECV_ERROR || code == CURLE_SEND_ERROR) && strstr(s->why, " alert ");

    return late ? CURLE_SSL_CONNECT_ERROR : code;
}

static enum http_outcome outcome_of(const struct slot *s, CURLcode code)
{
    int refused = code != CURLE_OK ? proxy_status(s->easy) : 0;

    if (refused != 0)
        return refused / 100 == 5 || refused == 429 ? HTTP_BROKEN : HTTP_FAILED;
    switch (code) {
    case CURLE_OK:
        return HTTP_ANSWERED;
    case CURLE_WRITE_ERROR:
        return s->too_large ? HTTP_TOO_LARGE : s->stopped ? HTTP_STOPPED : HTTP_FAILED;
    case CURLE_COULDNT_RESOLVE_HOST: case CURLE_COULDNT_RESOLVE_PROXY: case CURLE_COULDNT_CONNECT: case CURLE_SSL_CONNECT_ERROR:
    case CURLE_UNSUPPORTED_PROTOCOL: case CURLE_WEIRD_SERVER_REPLY:    /* no HTTP, or what an answer longer than announced left over */
        return HTTP_UNREACHABLE;
    case CURLE_OPERATION_TIMEDOUT:
        return after_timeout(s->easy);
    case CURLE_PARTIAL_FILE: case CURLE_GOT_NOTHING: case CURLE_SEND_ERROR: case CURLE_RECV_ERROR: case CURLE_HTTP2:
    case CURLE_HTTP2_STREAM:
        return HTTP_BROKEN;
    default:
        return HTTP_FAILED;
    }
}

/* libcurl's own texts hold times and byte counts of the moment: where one of ours says as much, it is taken. */
static const struct { CURLcode code; const char *text; } reasons[] = {
    { CURLE_COULDNT_RESOLVE_HOST, "its host name is not known" },
    /* libcurl's text may hold the address with its password */
    { CURLE_COULDNT_RESOLVE_PROXY, "the proxy's host name is not known, or its address cannot be read" },
    /* so it says of a header that is too long for it */
    { CURLE_OUT_OF_MEMORY, "there is no memory left, or a header of an answer does not end" },
    { CURLE_UNSUPPORTED_PROTOCOL, "what it sends is no HTTP" },
    { CURLE_GOT_NOTHING, "the connection was closed before an answer" },
    { CURLE_SEND_ERROR, "the connection was closed before an answer" },
};

static const char *reason_of(CURLcode code)
{
    for (size_t i = 0; i < sizeof reasons / sizeof *reasons; i++)
        if (reasons[i].code == code)
            return reasons[i].text;
    return NULL;
}

static void say_connect(const struct slot *s, struct buf *b)
{
    long os = 0;

    curl_easy_getinfo(s->easy, CURLINFO_OS_ERRNO, &os);
    buf_addf(b, "cannot connect%s%s", os ? ": " : "", os ? strerror((int)os) : "");
}

/* What no fixed text says. */
static void say_more(const struct slot *s, CURLcode code, const struct http_result *r, struct buf *b)
{
    switch (code) {
    case CURLE_COULDNT_CONNECT:
        say_connect(s, b);
        break;
    case CURLE_OPERATION_TIMEDOUT:
        if (r->outcome == HTTP_UNREACHABLE)
            buf_addf(b, "cannot connect: no answer within %d s", CONNECT_MS / 1000);
        else
            buf_addf(b, "next to nothing came for %d s", SLOW_S);
        break;
    case CURLE_WRITE_ERROR:
        if (s->head_bytes > HEAD_KIB * 1024)
            buf_addf(b, "the headers of an answer have more than %d KiB", HEAD_KIB);
        break;
    case CURLE_SSL_CONNECT_ERROR:
        buf_adds(b, "no TLS connection: ");
        utf8_add_printable(b, span_of(s->why));
        break;
    case CURLE_PARTIAL_FILE: case CURLE_RECV_ERROR: case CURLE_HTTP2: case CURLE_HTTP2_STREAM:
        if (r->status == 0)
            buf_adds(b, "the connection was closed before an answer");
        break;                                         /* else it was cut */
    default:
        utf8_add_printable(b, span_of(s->why[0] ? s->why : curl_easy_strerror(code)));
    }
}

static void say_why(const struct slot *s, CURLcode code, const struct http_result *r, struct buf *b)
{
    const char *reason = reason_of(code);
    int refused = proxy_status(s->easy);

    if (refused != 0) {
        buf_adds(b, "the proxy answers ");
        http_add_status(b, refused);
    } else if (reason) {
        buf_adds(b, reason);
    } else {
        say_more(s, code, r, b);
    }
}

static void copy_text(char *to, struct span from)
{
    size_t n = from.n < HTTP_TEXT ? from.n : utf8_whole(from.p, HTTP_TEXT - 1);

    if (n > 0)
        memcpy(to, from.p, n);
    to[n] = '\0';
}

/* Where a redirect leads, without the user that may stand in it. */
static void fill_location(CURL *easy, struct http_result *r)
{
    char *where = NULL, *shown = NULL;
    CURLU *u;

    if (curl_easy_getinfo(easy, CURLINFO_REDIRECT_URL, &where) != CURLE_OK || !where)
        return;
    u = curl_url();
    if (curl_url_set(u, CURLUPART_URL, where, 0) == CURLUE_OK && curl_url_set(u, CURLUPART_USER, NULL, 0) == CURLUE_OK &&
        curl_url_set(u, CURLUPART_PASSWORD, NULL, 0) == CURLUE_OK && curl_url_get(u, CURLUPART_URL, &shown, 0) == CURLUE_OK)
        copy_text(r->location, span_of(shown));
    curl_free(shown);
    curl_url_cleanup(u);
}

static void fill_result(const struct http *h, struct http_result *r, CURLcode code)
{
    const struct slot *s = h->slots.v[r->slot];
    struct buf why = { 0 };
    struct span type;
    curl_off_t after = 0;

    http_answering(h, r->slot, &r->status, &type);
    copy_text(r->content_type, type);
    curl_easy_getinfo(s->easy, CURLINFO_RETRY_AFTER, &after);
    r->outcome = outcome_of(s, code);
    r->distrusted = code == CURLE_PEER_FAILED_VERIFICATION || code == CURLE_SSL_CACERT_BADFILE;
    r->html = span_has_fold(type, "text/html");
    r->packed = !s->raw && came_packed(s->easy);
    r->retry_after_s = (int64_t)after;
    r->received_bytes = s->received;
    fill_location(s->easy, r);
    if (r->outcome != HTTP_ANSWERED)
        say_why(s, code, r, &why);
    if (r->outcome == HTTP_BROKEN && why.n == 0)
        http_call_cut(r);
    else
        copy_text(r->text, buf_span(&why));
    buf_free(&why);
}

/* A request that has ended, if there is one. */
static bool take_ended(struct http *h, struct http_result *r)
{
    CURLMsg *m;
    int left;

    while ((m = curl_multi_info_read(h->multi, &left)))
        for (unsigned i = 0; i < h->slots.n; i++)
            if (m->msg == CURLMSG_DONE && m->easy_handle == h->slots.v[i]->easy) {
                CURLcode code = without_late_alert(h->slots.v[i], m->data.result);

                *r = (struct http_result){ .slot = i };
                fill_result(h, r, code);
                curl_multi_remove_handle(h->multi, h->slots.v[i]->easy);
                h->slots.v[i]->busy = false;
                return true;
            }
    return false;
}

/* libcurl itself is at its end, such as without memory: the requests that it holds will never end. */
static bool take_fault(struct http *h, CURLMcode all, struct http_result *r)
{
    for (unsigned i = 0; i < h->slots.n; i++) {
        struct slot *s = h->slots.v[i];
        CURLMcode fault = s->fault != CURLM_OK ? s->fault : all;

        if (!s->busy || fault == CURLM_OK)
            continue;
        *r = (struct http_result){ .slot = i, .outcome = HTTP_FAILED };
        copy_text(r->text, span_of(curl_multi_strerror(fault)));
        curl_multi_remove_handle(h->multi, s->easy);
        s->busy = false;
        return true;
    }
    return false;
}

int http_wait(struct http *h, int64_t timeout_ms, struct http_result *r)
{
    int64_t end = clock_steady_ms() + timeout_ms;

    for (;;) {
        int running;
        CURLMcode fault = curl_multi_perform(h->multi, &running);
        int64_t left;

        if (take_ended(h, r) || take_fault(h, fault, r))
            return 1;
        left = end - clock_steady_ms();
        if (left <= 0)
            return 0;
        let_gather(h);
        curl_multi_poll(h->multi, NULL, 0, (int)(left < 1000 ? left : 1000), NULL);
    }
}
