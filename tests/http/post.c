/* post: one request of codec/http, for the tests: what gputab itself does not send, such as bytes that are no text.
 *
 *     post SERVER URL TYPE ACCEPT [HEADER...] <body
 *
 * SERVER is a name for cli/prom_access, "" none; an ACCEPT of "" is left out. It prints what the sink could know before the first byte of
 * the answer, what the result says, and then the answer itself. */
#include <stdio.h>
#include <string.h>

#include "gputab/base/file.h"
#include "gputab/cli/prom_access.h"

struct answer {
    struct http *http;
    struct buf head, body;
};

static int take(void *ctx, const char *p, size_t n)
{
    struct answer *a = ctx;
    struct span type;
    int status;

    http_answering(a->http, 0, &status, &type);
    if (a->head.n == 0)
        buf_addf(&a->head, "%d %.*s", status, (int)type.n, type.n ? type.p : "");
    buf_add(&a->body, p, n);
    return 0;
}

static int send_one(const struct http_access *access, const struct http_request *q, struct err *e)
{
    struct answer a = { .http = NULL };
    struct http_result r;
    struct buf shown = { 0 };
    unsigned slot;

    if (http_new(&a.http, e) < 0 || http_add_slot(a.http, access, &slot, e) < 0)
        return -1;
    http_post(a.http, slot, q, take, &a);
    while (!http_wait(a.http, 1000, &r))
        continue;
    http_add_shown(&shown, access, span_of(r.text));
    printf("%s\n%d %d %s\n%s\n", buf_str(&a.head), (int)r.outcome, r.status, r.content_type, buf_str(&shown));
    fwrite(buf_str(&a.body), 1, a.body.n, stdout);
    buf_free(&shown);
    buf_free(&a.head);
    buf_free(&a.body);
    http_free(a.http);
    return 0;
}

int main(int argc, char **argv)
{
    struct prom_access access = { .headers = { 0 } };
    struct buf body = { 0 };
    struct err e = { 0 };
    struct http_request q;
    int rc = -1;

    if (argc < 5)
        return 2;
    if (file_read("-", 1 << 24, &body, &e) == 0 && prom_access_read(&access, *argv[1] ? argv[1] : NULL, NULL, &e) == 0) {
        q = (struct http_request){ .url = argv[2], .content_type = argv[3], .accept = *argv[4] ? argv[4] : NULL,
                                   .headers = (const char *const *)(argv + 5), .body = buf_span(&body), .cap_bytes = 1 << 24 };
        rc = send_one(&access.http, &q, &e);
    }
    if (rc < 0)
        fprintf(stderr, "%s\n%s", e.text, e.hint);
    prom_access_free(&access);
    buf_free(&body);
    return rc < 0 ? (int)e.code : 0;
}
