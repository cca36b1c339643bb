/* stub: a loopback server that answers Prometheus' remote read with chunks of the made fleet, generated as they are sent: a fleet that no
 * Prometheus here could hold.
 *
 *     stub NODES DAYS STEP        prints its port; serves until standard input ends
 *
 * POST /api/v1/read and GET /-/ready; everything else is 404. A thread a connection, kept alive; a request that says no length is refused.
 *
 * Not here: what an answer holds (stub_read), and any of the manners of a server that meets strangers. */
#include <arpa/inet.h>
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/socket.h>
#include <unistd.h>

#include "gputab/base/buf.h"

#include "fleet.h"
#include "stub_read.h"

enum { HEAD_BYTES = 1 << 16, BODY_BYTES = 1 << 20, SEND_BYTES = 1 << 16 };

static struct fleet fleet;         /* set before the first thread */

struct connection {
    int fd;
    struct buf in, out;
};

static int send_all(int fd, const char *p, size_t n)
{
    while (n > 0) {
        ssize_t sent = send(fd, p, n, MSG_NOSIGNAL);

        if (sent < 0 && errno == EINTR)
            continue;
        if (sent <= 0)
            return -1;
        p += sent;
        n -= (size_t)sent;
    }
    return 0;
}

/* What has gathered, as one chunk of HTTP. */
static int send_gathered(struct connection *c)
{
    char head[24];
    int n = snprintf(head, sizeof head, "%zx\r\n", c->out.n), rc = 0;

    if (c->out.n > 0) {
        buf_adds(&c->out, "\r\n");
        rc = send_all(c->fd, head, (size_t)n) < 0 || send_all(c->fd, c->out.p, c->out.n) < 0 ? -1 : 0;
    }
    buf_clear(&c->out);
    return rc;
}

static int gather(void *connection, struct span bytes)
{
    struct connection *c = connection;

    buf_add_span(&c->out, bytes);
    return c->out.n < SEND_BYTES ? 0 : send_gathered(c);
}

static int say(struct connection *c, const char *status, const char *text)
{
    struct buf b = { 0 };
    int rc;

    buf_addf(&b, "HTTP/1.1 %s\r\nContent-Type: text/plain\r\nContent-Length: %zu\r\n\r\n%s", status, strlen(text), text);
    rc = send_all(c->fd, b.p, b.n);
    buf_free(&b);
    return rc;
}

static int answer_read(struct connection *c, struct span body)
{
    static const char head[] = "HTTP/1.1 200 OK\r\nContent-Type: application/x-streamed-protobuf; proto=prometheus.ChunkedReadResponse\r\n"
                               "Transfer-Encoding: chunked\r\n\r\n";
    struct stub_query *queries;
    const char *why = stub_read_parse(body, &queries);
    int rc = why ? say(c, "400 Bad Request", why) : send_all(c->fd, head, sizeof head - 1);

    if (rc == 0 && !why) {
        stub_read_answer(&fleet, queries, gather, c);
        rc = send_gathered(c) < 0 ? -1 : send_all(c->fd, "0\r\n\r\n", 5);
    }
    stub_read_free(queries);
    return rc;
}

/* Until `want` bytes are there. */
static int receive(struct connection *c, size_t want)
{
    while (c->in.n < want) {
        ssize_t n;

        buf_reserve(&c->in, 1 << 16);
        n = recv(c->fd, c->in.p + c->in.n, 1 << 16, 0);
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            return -1;
        c->in.n += (size_t)n;
    }
    return 0;
}

/* Where the head ends, or 0. */
static size_t receive_head(struct connection *c)
{
    while (c->in.n < HEAD_BYTES) {
        const char *end = c->in.n ? memmem(c->in.p, c->in.n, "\r\n\r\n", 4) : NULL;

        if (end)
            return (size_t)(end - c->in.p) + 4;
        if (receive(c, c->in.n + 1) < 0)
            return 0;
    }
    return 0;
}

static size_t body_length(const char *head)
{
    const char *line = strcasestr(head, "\r\ncontent-length:");

    return line ? strtoul(line + 17, NULL, 10) : 0;
}

static int serve_request(struct connection *c)
{
    size_t head_n = receive_head(c), body_n;
    bool expects;
    int rc;

    if (head_n == 0)
        return -1;
    c->in.p[head_n - 1] = '\0';
    body_n = body_length(c->in.p);
    expects = strcasestr(c->in.p, "\r\nexpect: 100-continue") != NULL;
    if (body_n > BODY_BYTES || (expects && send_all(c->fd, "HTTP/1.1 100 Continue\r\n\r\n", 25) < 0) || receive(c, head_n + body_n) < 0)
        return -1;
    if (strncmp(c->in.p, "POST /api/v1/read ", 18) == 0)
        rc = answer_read(c, (struct span){ c->in.p + head_n, body_n });
    else if (strncmp(c->in.p, "GET /-/ready ", 13) == 0)
        rc = say(c, "200 OK", "ready\n");
    else
        rc = say(c, "404 Not Found", "404 page not found\n");
    memmove(c->in.p, c->in.p + head_n + body_n, c->in.n - head_n - body_n);
    c->in.n -= head_n + body_n;
    return rc;
}

static void *serve(void *fd)
{
    struct connection c = { .fd = (int)(intptr_t)fd };

    while (serve_request(&c) == 0)
        ;
    close(c.fd);
    buf_free(&c.in);
    buf_free(&c.out);
    return NULL;
}

static void *accept_all(void *fd)
{
    for (;;) {
        int got = accept((int)(intptr_t)fd, NULL, NULL);
        pthread_t thread;

        if (got >= 0 && pthread_create(&thread, NULL, serve, (void *)(intptr_t)got) == 0)
            pthread_detach(thread);
        else if (got >= 0)
            close(got);
    }
    return NULL;
}

int main(int argc, char **argv)
{
    struct sockaddr_in at = { .sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
    socklen_t size = sizeof at;
    int fd = socket(AF_INET, SOCK_STREAM, 0);
    pthread_t thread;

    if (argc != 4) {
        fputs("usage: stub NODES DAYS STEP\n", stderr);
        return 2;
    }
    fleet = (struct fleet){ (unsigned)atoi(argv[1]), (unsigned)atoi(argv[2]), (unsigned)atoi(argv[3]) };
    stub_read_init();
    if (fd < 0 || bind(fd, (struct sockaddr *)&at, sizeof at) < 0 || listen(fd, 16) < 0 ||
        getsockname(fd, (struct sockaddr *)&at, &size) < 0 || pthread_create(&thread, NULL, accept_all, (void *)(intptr_t)fd) != 0) {
        perror("stub");
        return 1;
    }
    printf("%d\n", ntohs(at.sin_port));
    fflush(stdout);
    while (getchar() != EOF)
        ;
    return 0;
}
