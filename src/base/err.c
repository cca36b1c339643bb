/* err: the one error of a call chain, carried by value.
 *
 * The first error wins, because the innermost place knows best what went wrong; the callers on the way up only add what it
 * could not know: the place, a prefix, a hint. Nothing is allocated, so an error can be told when nothing else works.
 * This module does not print and does not clean texts: cli/ does both. */
#include "gputab/base/err.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

#include "gputab/base/utf8.h"

/* vsnprintf that never leaves half a character at the end. */
static void GPUTAB_PRINTF(3, 0) format(char *to, size_t size, const char *fmt, va_list args)
{
    int n = vsnprintf(to, size, fmt, args);

    if (n < 0)
        to[0] = '\0';
    else if ((size_t)n >= size)
        to[utf8_whole(to, size - 1)] = '\0';
}

int err_set(struct err *e, enum err_code code, const char *fmt, ...)
{
    va_list args;

    assert(code != ERR_NONE);
    if (e->code != ERR_NONE)
        return -1;
    err_clear(e);
    e->code = code;
    va_start(args, fmt);
    format(e->text, sizeof e->text, fmt, args);
    va_end(args);
    return -1;
}

/* The end of a path tells more than its beginning. */
static void keep_tail(char *to, size_t size, const char *name)
{
    static const char mark[] = "...";
    size_t n = strlen(name), room = size - sizeof mark;

    if (n < size) {
        memcpy(to, name, n + 1);
        return;
    }
    name += n - room;
    while (((unsigned char)*name & 0xc0) == 0x80)      /* not inside a character */
        name++;
    snprintf(to, size, "%s%s", mark, name);
}

int err_at(struct err *e, const char *file, int64_t line, int64_t column)
{
    char name[sizeof e->file] = "";

    if (file)
        keep_tail(name, sizeof name, file);
    /* A line belongs to its file: one that was reported for another file says nothing about this one. */
    if (e->line == 0 && (e->file[0] == '\0' || strcmp(e->file, name) == 0)) {
        e->line = line;
        e->column = column;
    }
    if (e->file[0] == '\0')
        memcpy(e->file, name, sizeof name);
    return -1;
}

int err_hint(struct err *e, const char *fmt, ...)
{
    va_list args;

    if (e->hint[0] != '\0')
        return -1;
    va_start(args, fmt);
    format(e->hint, sizeof e->hint, fmt, args);
    va_end(args);
    return -1;
}

int err_wrap(struct err *e, const char *fmt, ...)
{
    char text[sizeof e->text];
    size_t n;
    va_list args;

    va_start(args, fmt);
    format(text, sizeof text, fmt, args);
    va_end(args);
    n = strlen(text);
    if (n + 2 < sizeof text) {
        size_t room = sizeof text - n - 3, len = strlen(e->text);

        if (len > room)
            len = utf8_whole(e->text, room);
        memcpy(text + n, ": ", 2);
        memcpy(text + n + 2, e->text, len);
        text[n + 2 + len] = '\0';
    }
    memcpy(e->text, text, sizeof text);
    return -1;
}

void err_clear(struct err *e)
{
    memset(e, 0, sizeof *e);
}
