/* http: POST requests to one or several servers over a few connections at once, answers as streams of bytes.
 *
 * Every answer has a cap that counts unpacked bytes. Redirects are never followed, other schemes than http and https never spoken.
 * No secret reaches a message: texts that a server sent go through http_add_shown before they are shown. */
#ifndef GPUTAB_CODEC_HTTP_H
#define GPUTAB_CODEC_HTTP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "gputab/base/buf.h"
#include "gputab/base/err.h"
#include "gputab/base/span.h"

enum { HTTP_TEXT = 256 };

/* How to get in, by one of basic, bearer and signature. Texts are borrowed; NULL: none. */
struct http_access {
    const char *user, *password;   /* basic */
    const char *token;             /* bearer */
    const char *aws_region;        /* AWS Signature Version 4 for managed Prometheus: letters, digits and -; for URLs without query and % */
    const char *aws_key_id, *aws_secret, *aws_session;       /* the first two are there where a region is */
    const char *ca_file;           /* PEM, instead of the system's */
    const char *cert_file, *key_file;
    const char *proxy;             /* its URL, which may hold a user and a password; NULL: what the environment says, such as https_proxy */
    const char *const *headers;    /* "Name: value", NULL-terminated */
};

/* A request. All is copied. */
struct http_request {
    const char *url;
    const char *content_type;      /* of the body */
    const char *accept;            /* NULL: anything */
    const char *const *headers;    /* further "Name: value", NULL-terminated; NULL: none */
    struct span body;              /* any bytes */
    int64_t cap_bytes;             /* of the answer */
    bool raw;                      /* the answer as it comes, whatever content coding it names: remote read names its own, snappy */
    bool fresh;                    /* on a new connection, for after a failure: the old one's rest could be taken for an answer */
};

/* "https://user@host:9090/prefix/" taken apart: what may be shown, without user and closing slash, and the user. A password, a query or a
 * fragment in it is an error (ERR_USAGE), which does not show the text. Free with http_url_free. */
struct http_url {
    char *base;
    char *user;                    /* NULL: none */
};
int http_url_read(const char *text, struct http_url *out, struct err *e) GPUTAB_MUST_CHECK;
void http_url_free(struct http_url *u);

/* Appends name=value to the body of a form, both percent-encoded. */
void http_add_form(struct buf *b, const char *name, struct span value);

/* Appends the beginning of what a server said, on one line, with every secret of the access replaced by "***", also one that breaks off
 * behind its first 12 bytes. */
void http_add_shown(struct buf *b, const struct http_access *a, struct span text);

enum http_outcome {
    HTTP_ANSWERED,                 /* a whole answer, whatever its status */
    HTTP_UNREACHABLE,              /* no connection came about, or none of HTTP */
    HTTP_BROKEN,                   /* the connection broke, or next to nothing came for too long */
    HTTP_TOO_LARGE,                /* the answer has more bytes than the cap */
    HTTP_STOPPED,                  /* the sink refused a piece */
    HTTP_FAILED                    /* anything that trying again won't mend, such as a certificate that is not trusted */
};

struct http_result {
    unsigned slot;
    enum http_outcome outcome;
    int status;                    /* 0: no answer began */
    bool html;                     /* the answer calls itself HTML */
    bool distrusted;               /* the server's certificate is not one to trust */
    bool packed;                   /* it came compressed, which nobody asked for */
    int64_t retry_after_s;         /* 0: not said */
    int64_t received_bytes;        /* unpacked */
    char content_type[HTTP_TEXT];  /* as the server says; "" none */
    char location[HTTP_TEXT];      /* of a redirect, without user; "" none */
    char text[HTTP_TEXT];          /* what went wrong, for outcomes without an answer */
};

/* Takes a piece of an answer: 0, or -1 to stop it. */
typedef int (*http_sink)(void *ctx, const char *p, size_t n);

struct http;

/* -1: libcurl does not start. */
int http_new(struct http **out, struct err *e) GPUTAB_MUST_CHECK;
/* One more connection, with access of its own, which is borrowed for the call only. *slot: its number; they count up from 0. */
int http_add_slot(struct http *h, const struct http_access *a, unsigned *slot, struct err *e) GPUTAB_MUST_CHECK;
void http_free(struct http *h);                              /* NULL allowed */

/* Begins a POST on an idle slot. */
void http_post(struct http *h, unsigned slot, const struct http_request *q, http_sink sink, void *ctx);

/* For a sink: what the answer on its way is. The content type is borrowed until the request ends, empty when the server names none. */
void http_answering(const struct http *h, unsigned slot, int *status, struct span *content_type);

/* Waits until a request has ended or the time is over: 1 with *r filled (its slot is idle again), or 0. */
int http_wait(struct http *h, int64_t timeout_ms, struct http_result *r);

/* For a caller that sees that an answer, complete for HTTP, is not: makes it one that broke off. */
void http_call_cut(struct http_result *r);

/* "503 Service Unavailable" */
void http_add_status(struct buf *b, int status);

/* When to ask again: 429, 5xx and broken connections, with growing pauses and a jitter; Retry-After where the server says so. */
enum { HTTP_ATTEMPTS = 6, HTTP_RETRY_AFTER_S = 120 };
struct http_retry {
    int attempts;                  /* that failed */
};

/* Counts a failed attempt. True: ask again after *pause_ms. An unreachable server is asked again only if it answered before. */
bool http_retry_after(struct http_retry *t, const struct http_result *r, bool answered_before, int64_t *pause_ms);

#endif
