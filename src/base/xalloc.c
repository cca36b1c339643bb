/* xalloc: malloc and its kin for a program whose inputs are capped before they reach memory.
 *
 * A NULL here means that the machine has no memory left. Carrying that through every function would add paths that nobody
 * can test, so it ends the process in this one place. */
#include "gputab/base/xalloc.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static _Noreturn void out_of_memory(void)
{
    static const char text[] = "gputab: out of memory\n";
    ssize_t n = write(STDERR_FILENO, text, sizeof text - 1);

    (void)n;                                           /* nowhere left to complain */
    abort();
}

void *xmalloc(size_t size)
{
    void *p = malloc(size ? size : 1);

    if (!p)
        out_of_memory();
    return p;
}

void *xcalloc(size_t count, size_t size)
{
    void *p = count && size ? calloc(count, size) : calloc(1, 1);

    if (!p)
        out_of_memory();
    return p;
}

void *xrealloc(void *p, size_t size)
{
    p = realloc(p, size ? size : 1);
    if (!p)
        out_of_memory();
    return p;
}

void *xreallocarray(void *p, size_t count, size_t size)
{
    if (size && count > SIZE_MAX / size)
        out_of_memory();
    return xrealloc(p, count * size);
}

char *xstrndup(const char *s, size_t n)
{
    char *p;

    if (n == SIZE_MAX)
        out_of_memory();
    p = xmalloc(n + 1);
    if (n)
        memcpy(p, s, n);
    p[n] = '\0';
    return p;
}

char *xstrdup(const char *s)
{
    return xstrndup(s, strlen(s));
}
