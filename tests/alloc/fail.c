/* fail: the wrappers. They count, and hand on to the real functions or give NULL with errno as malloc sets it.
 * Blocks that come from functions of libc that allocate themselves (realpath, open_memstream) are freed here but were not counted: who
 * compares fail_live must compare like with like. */
#include "fail.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

void *__real_malloc(size_t n);
void *__real_calloc(size_t n, size_t size);
void *__real_realloc(void *p, size_t n);
void __real_free(void *p);
void *__wrap_malloc(size_t n);
void *__wrap_calloc(size_t n, size_t size);
void *__wrap_realloc(void *p, size_t n);
char *__wrap_strdup(const char *s);
char *__wrap_strndup(const char *s, size_t n);
void __wrap_free(void *p);

static struct {
    long nth, seen, live;
    bool all;
} state;

void fail_at(long n, bool all)
{
    state.nth = n;
    state.all = all;
    state.seen = 0;
}

long fail_seen(void)
{
    return state.seen;
}

long fail_live(void)
{
    return state.live;
}

static bool fails(void)
{
    state.seen++;
    if (state.nth == 0 || (state.all ? state.seen < state.nth : state.seen != state.nth))
        return false;
    errno = ENOMEM;
    return true;
}

static void *counted(void *p)
{
    state.live += p != NULL;
    return p;
}

void *__wrap_malloc(size_t n)
{
    return fails() ? NULL : counted(__real_malloc(n));
}

void *__wrap_calloc(size_t n, size_t size)
{
    return fails() ? NULL : counted(__real_calloc(n, size));
}

void *__wrap_realloc(void *p, size_t n)
{
    if (fails())
        return NULL;
    return p ? __real_realloc(p, n) : counted(__real_malloc(n));
}

char *__wrap_strndup(const char *s, size_t n)
{
    size_t length = strnlen(s, n);
    char *copy = __wrap_malloc(length + 1);

    if (!copy)
        return NULL;
    memcpy(copy, s, length);
    copy[length] = '\0';
    return copy;
}

char *__wrap_strdup(const char *s)
{
    return __wrap_strndup(s, strlen(s));
}

void __wrap_free(void *p)
{
    state.live -= p != NULL;
    __real_free(p);
}
