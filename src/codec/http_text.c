/* http_text: the words around requests: addresses, forms, status lines, what may be shown of an answer, and when to ask again.
 *
 * A secret can come back in a server's own words, such as an error page that repeats the request; so everything a server said passes
 * http_add_shown on its way to a message. */
#include "gputab/codec/http.h"

#include <curl/curl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>

#include "gputab/base/utf8.h"
#include "gputab/base/xalloc.h"

enum { SHOWN_BYTES = 200, SECRET_HEADER_BYTES = 6, SECRET_HEAD_BYTES = 12, FIRST_PAUSE_MS = 500 };

static bool has_part(CURLU *u, CURLUPart part)
{
    char *text = NULL;
    bool there = curl_url_get(u, part, &text, 0) == CURLUE_OK;

    curl_free(text);
    return there;
}

/* A URL that cannot be read is shown only where no password can stand in it. */
static int no_url(const char *text, struct err *e)
{
    if (strchr(text, '@'))
        err_set(e, ERR_USAGE, "the address of the server is no URL of http or https");
    else
        err_set(e, ERR_USAGE, "\"%s\" is no URL of http or https", text);
    return err_hint(e, "such as http://prometheus.example:9090");
}

static int check_parts(CURLU *u, const char *text, struct err *e)
{
    char *scheme = NULL;
    bool known = curl_url_get(u, CURLUPART_SCHEME, &scheme, 0) == CURLUE_OK &&
                 (strcmp(scheme, "http") == 0 || strcmp(scheme, "https") == 0);

    curl_free(scheme);
    if (!known)
        return no_url(text, e);
    if (has_part(u, CURLUPART_PASSWORD)) {
        err_set(e, ERR_USAGE, "there is a password in the URL, where other users of the machine can see it");
        return err_hint(e, "a password comes from the environment or a file, see gputab(1)");
    }
    if (has_part(u, CURLUPART_QUERY) || has_part(u, CURLUPART_FRAGMENT))
        return err_set(e, ERR_USAGE, "the URL has a query or fragment; it must be that of the server alone");
    return 0;
}

static char *take_part(CURLU *u, CURLUPart part, unsigned flags)
{
    char *text = NULL, *copy = NULL;

    if (curl_url_get(u, part, &text, flags) == CURLUE_OK)
        copy = xstrdup(text);
    curl_free(text);
    return copy;
}

int http_url_read(const char *text, struct http_url *out, struct err *e)
{
    CURLU *u = curl_url();
    int rc = -1;

    *out = (struct http_url){ NULL, NULL };
    if (curl_url_set(u, CURLUPART_URL, text, 0) != CURLUE_OK) {
        no_url(text, e);
        goto out;
    }
    if (check_parts(u, text, e) < 0)
        goto out;
    out->user = take_part(u, CURLUPART_USER, CURLU_URLDECODE);
    curl_url_set(u, CURLUPART_USER, NULL, 0);
    out->base = take_part(u, CURLUPART_URL, 0);
    if (!out->base) {
        no_url(text, e);
        goto out;
    }
    for (size_t n = strlen(out->base); n > 0 && out->base[n - 1] == '/'; n--)
        out->base[n - 1] = '\0';
    rc = 0;
out:
    curl_url_cleanup(u);
    return rc;
}

void http_url_free(struct http_url *u)
{
    free(u->base);
    free(u->user);
    *u = (struct http_url){ NULL, NULL };
}

static void add_percent_encoded(struct buf *b, struct span text)
{
    static const char plain[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~";

    for (size_t i = 0; i < text.n; i++) {
        if (text.p[i] && strchr(plain, text.p[i]))
            buf_addc(b, text.p[i]);
        else
            buf_addf(b, "%%%02X", (unsigned char)text.p[i]);
    }
}

void http_add_form(struct buf *b, const char *name, struct span value)
{
    if (b->n > 0)
        buf_addc(b, '&');
    add_percent_encoded(b, span_of(name));
    buf_addc(b, '=');
    add_percent_encoded(b, value);
}

/* How much of the secret stands at p. */
static size_t common(const char *p, size_t n, struct span secret)
{
    size_t i = 0;

    while (i < n && i < secret.n && p[i] == secret.p[i])
        i++;
    return i;
}

/* A long secret also where it was cut, by the server or because of an answer only the beginning is kept. */
static void hide(struct buf *b, struct span secret)
{
    size_t head = secret.n < SECRET_HEAD_BYTES ? secret.n : SECRET_HEAD_BYTES;
    struct buf out = { 0 };
    struct span rest = buf_span(b);
    const char *at;

    while (head > 0 && (at = memmem(rest.p, rest.n, secret.p, head))) {
        const char *end = at + common(at, (size_t)(rest.p + rest.n - at), secret);

        buf_add(&out, rest.p, (size_t)(at - rest.p));
        buf_adds(&out, "***");
        rest.n -= (size_t)(end - rest.p);
        rest.p = end;
    }
    buf_add_span(&out, rest);
    buf_free(b);
    *b = out;
}

/* A password, alone and as basic authentication sends it with the user, without the padding that may be dropped. */
static void hide_password(struct buf *b, const char *user, const char *password)
{
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    struct buf pair = { 0 }, code = { 0 };
    unsigned bits = 0, n = 0;

    buf_addf(&pair, "%s:%s", user ? user : "", password);
    for (size_t i = 0; i < pair.n; i++) {
        bits = (bits << 8 | (unsigned char)pair.p[i]) & 0xffff;
        for (n += 8; n >= 6; n -= 6)
            buf_addc(&code, digits[bits >> (n - 6) & 63]);
    }
    if (n > 0)
        buf_addc(&code, digits[bits << (6 - n) & 63]);
    hide(b, buf_span(&code));
    hide(b, span_of(password));
    buf_free(&pair);
    buf_free(&code);
}

/* What is no URL is hidden whole. */
static void hide_proxy(struct buf *b, const char *text)
{
    CURLU *u = curl_url();
    char *user, *password, *written;

    if (text && curl_url_set(u, CURLUPART_URL, text, CURLU_GUESS_SCHEME | CURLU_NON_SUPPORT_SCHEME) != CURLUE_OK)
        hide(b, span_of(text));
    user = take_part(u, CURLUPART_USER, CURLU_URLDECODE);
    password = take_part(u, CURLUPART_PASSWORD, CURLU_URLDECODE);
    written = take_part(u, CURLUPART_PASSWORD, 0);
    if (password)
        hide_password(b, user, password);
    hide(b, span_of(written));
    free(user);
    free(password);
    free(written);
    curl_url_cleanup(u);
}

static void hide_secrets(struct buf *b, const struct http_access *a)
{
    static const char *const proxies[] = { "http_proxy", "https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY" };
    const char *const texts[] = { a->token, a->aws_session, a->aws_secret, a->aws_key_id };

    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        hide(b, span_of(texts[i]));
    if (a->password)
        hide_password(b, a->user, a->password);
    hide_proxy(b, a->proxy);
    for (size_t i = 0; i < sizeof proxies / sizeof *proxies; i++)
        hide_proxy(b, getenv(proxies[i]));
    for (const char *const *p = a->headers; p && *p; p++) {
        const char *colon = strchr(*p, ':');
        struct span value = span_trim(span_of(colon ? colon + 1 : NULL));

        if (value.n >= SECRET_HEADER_BYTES)            /* less is a tenant's number rather than a key */
            hide(b, value);
    }
}

void http_add_shown(struct buf *b, const struct http_access *a, struct span text)
{
    struct buf all = { 0 };
    size_t shown;

    buf_add_span(&all, span_trim(text));
    if (all.n > 0)
        hide_secrets(&all, a);
    for (size_t i = 0; i < all.n; i++)
        if (all.p[i] == '\n' || all.p[i] == '\r' || all.p[i] == '\t')
            all.p[i] = ' ';
    shown = all.n > SHOWN_BYTES ? utf8_whole(all.p, SHOWN_BYTES) : all.n;
    utf8_add_printable(b, (struct span){ all.p, shown });
    if (shown < all.n)
        buf_adds(b, "...");
    buf_free(&all);
}

void http_add_status(struct buf *b, int status)
{
    static const struct { int status; const char *text; } names[] = {
        { 400, "Bad Request" }, { 401, "Unauthorized" }, { 403, "Forbidden" }, { 404, "Not Found" }, { 405, "Method Not Allowed" },
        { 407, "Proxy Authentication Required" }, { 413, "Content Too Large" }, { 422, "Unprocessable Content" },
        { 429, "Too Many Requests" },
        { 500, "Internal Server Error" }, { 501, "Not Implemented" }, { 502, "Bad Gateway" }, { 503, "Service Unavailable" },
        { 504, "Gateway Timeout" },
    };

    buf_addf(b, "%d", status);
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (names[i].status == status)
            buf_addf(b, " %s", names[i].text);
}

void http_call_cut(struct http_result *r)
{
    r->outcome = HTTP_BROKEN;
    snprintf(r->text, sizeof r->text, "the answer breaks off after %lld bytes", (long long)r->received_bytes);
}

/* Between half and all of it: requests that failed together should not come back together. */
static int64_t with_jitter(int64_t pause_ms)
{
    uint16_t random = 0;

    if (getrandom(&random, sizeof random, GRND_NONBLOCK) != (ssize_t)sizeof random)
        random = 0;
    return pause_ms - pause_ms / 2 * random / UINT16_MAX;
}

/* Servers and what stands before them have more statuses of 5xx than the standard names; two of these mean never. */
static bool is_for_now(int status)
{
    return status == 429 || (status / 100 == 5 && status != 501 && status != 505);
}

static bool may_mend(const struct http_result *r, bool answered_before)
{
    if (r->outcome == HTTP_BROKEN)
        return true;
    if (r->outcome == HTTP_UNREACHABLE)
        return answered_before;
    return is_for_now(r->status);
}

bool http_retry_after(struct http_retry *t, const struct http_result *r, bool answered_before, int64_t *pause_ms)
{
    if (++t->attempts >= HTTP_ATTEMPTS || !may_mend(r, answered_before) || r->retry_after_s > HTTP_RETRY_AFTER_S)
        return false;
    *pause_ms = with_jitter((INT64_C(1) << (t->attempts - 1)) * FIRST_PAUSE_MS);
    if (r->retry_after_s > 0)
        *pause_ms = r->retry_after_s * 1000 + *pause_ms / 10;
    return true;
}
