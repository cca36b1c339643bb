/* xalloc: allocation that cannot return NULL.
 *
 * Every size that input can drive has a cap with an error of its own (buf, csv, yaml, ...), so running out of memory here is
 * the machine's state, not the input's: xalloc writes one line to stderr and aborts. It is the only place below cli/ that
 * writes; elsewhere abort() marks what cannot happen. */
#ifndef GPUTAB_BASE_XALLOC_H
#define GPUTAB_BASE_XALLOC_H

#include <stddef.h>

void *xmalloc(size_t size) __attribute__((malloc, returns_nonnull));
void *xcalloc(size_t count, size_t size) __attribute__((malloc, returns_nonnull));      /* zeroed; overflow aborts */
void *xrealloc(void *p, size_t size) __attribute__((returns_nonnull));
void *xreallocarray(void *p, size_t count, size_t size) __attribute__((returns_nonnull));
char *xstrdup(const char *s) __attribute__((malloc, returns_nonnull));
char *xstrndup(const char *s, size_t n) __attribute__((malloc, returns_nonnull));

#endif
