/* err: one error, with its place, as a value that the caller owns.
 *
 * A function that can fail takes `struct err *e` last and returns 0 (or a count) on success, -1 on failure with *e set.
 * The first error wins: setting an error that is already set changes nothing. Nothing below cli/ prints or exits.
 * Texts are cut at the size of their arrays; control bytes are replaced when the error is printed. */
#ifndef GPUTAB_BASE_ERR_H
#define GPUTAB_BASE_ERR_H

#include <stdarg.h>
#include <stdint.h>

/* The values are the exit codes of gputab(1). */
enum err_code {
    ERR_NONE = 0,
    ERR_INTERNAL = 1,     /* a fault of the program, or output that could not be written (disk full) */
    ERR_USAGE = 2,        /* usage, configuration or rule */
    ERR_INPUT = 3,        /* an input is missing, malformed, refused or unreachable */
    ERR_GATE = 4,         /* a quality gate or the conservation check failed */
    ERR_THRESHOLD = 5,    /* a threshold of --fail-on was hit; outputs are written */
    ERR_NOT_READY = 6     /* the period is not ready to be charged */
};

struct err {
    enum err_code code;
    int64_t line;          /* 1-based; 0: none */
    int64_t column;        /* 1-based, in characters; 0: none */
    char file[256];        /* "" : none; a long name keeps its tail */
    char text[512];        /* what is wrong, without newline */
    char hint[384];        /* next step; "" : none */
};

#define GPUTAB_PRINTF(a, b) __attribute__((format(printf, a, b)))
#define GPUTAB_MUST_CHECK __attribute__((warn_unused_result))

/* Sets code and text unless an error is already set. Always returns -1, so that `return err_set(...)` reads well. */
int err_set(struct err *e, enum err_code code, const char *fmt, ...) GPUTAB_PRINTF(3, 4);

/* Adds the place, only where none is set yet. line and column 0 mean unknown. Returns -1. */
int err_at(struct err *e, const char *file, int64_t line, int64_t column);

/* Sets the hint unless one is set. Returns -1. */
int err_hint(struct err *e, const char *fmt, ...) GPUTAB_PRINTF(2, 3);

/* "text" becomes "prefix: text". Returns -1. */
int err_wrap(struct err *e, const char *fmt, ...) GPUTAB_PRINTF(2, 3);

void err_clear(struct err *e);

#endif
