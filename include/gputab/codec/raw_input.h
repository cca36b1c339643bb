/* raw_input: the bytes of a file, of stdin or of a function, as they lie there, through one buffer; hashed in passing when wanted.
 * One thread uses it at a time; only raw_input_wake may come from another one. */
#ifndef GPUTAB_CODEC_RAW_INPUT_H
#define GPUTAB_CODEC_RAW_INPUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "gputab/base/err.h"
#include "gputab/base/sha256_aside.h"

enum {
    RAW_INPUT_BYTES = 256 * 1024,  /* of the buffer */
    RAW_INPUT_KEPT = 16            /* bytes before `at` that stay: a decoder may give back what it looked at too early */
};

/* Puts up to n bytes at p: the count, 0 at the end, -1 with *e set. */
typedef int (*raw_fill)(void *from, char *p, size_t n, struct err *e);

struct raw_input {
    uint8_t *p;
    size_t at, n;                  /* unread bytes are p[at .. n): who reads them moves `at` */
    bool eof;                      /* no byte comes behind those */
    int64_t end_offset;            /* of p[n] in the input */
    char *path;                    /* for messages; owned */
    struct sha256_aside *hash;     /* NULL: not wanted */
    /* its own */
    int fd;                        /* -1: fill */
    bool is_file;                  /* a regular one: can be looked into at any offset, and a read never waits for long */
    int wake_fd;                   /* -1, or what ends a wait */
    raw_fill fill;
    void *from;
};

/* path "-" is stdin. ERR_INPUT when it cannot be opened. *r needs raw_input_close only after 0. */
int raw_input_open(struct raw_input *r, const char *path, struct err *e) GPUTAB_MUST_CHECK;
void raw_input_over(struct raw_input *r, raw_fill fill, void *from, const char *name);
void raw_input_close(struct raw_input *r);

/* Adds bytes behind the unread ones (at most RAW_INPUT_BYTES in all), or sets eof. */
int raw_input_more(struct raw_input *r, struct err *e) GPUTAB_MUST_CHECK;
/* Sees to it that n unread bytes are there (n <= RAW_INPUT_BYTES): true in *there, unless the input ends before. */
int raw_input_need(struct raw_input *r, size_t n, bool *there, struct err *e) GPUTAB_MUST_CHECK;
/* Past the buffer, when nothing in it is unread: bytes straight to out, 0 and eof at the end. */
int raw_input_direct(struct raw_input *r, uint8_t *out, size_t n, struct err *e) GPUTAB_MUST_CHECK;
/* Of a regular file: n bytes at an offset, whatever was read before and without a trace in the hash. */
int raw_input_peek(const struct raw_input *r, int64_t offset, void *out, size_t n, struct err *e) GPUTAB_MUST_CHECK;
int64_t raw_input_size(const struct raw_input *r);           /* of a regular file */

int64_t raw_input_offset(const struct raw_input *r);         /* of the first unread byte */

/* Before another thread reads; afterwards raw_input_wake ends a read of a pipe that waits: it fails. */
void raw_input_wakeable(struct raw_input *r);
void raw_input_wake(struct raw_input *r);

#endif
