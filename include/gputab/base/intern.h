/* intern: byte strings to dense ids and back. Id 0 is always the empty string, so that 0 can mean "none" everywhere.
 * Keys may hold any bytes (structs without padding serve as keys): equal bytes, equal id. Ids count up in order of arrival:
 * never let that order reach a report; compare with intern_cmp. */
#ifndef GPUTAB_BASE_INTERN_H
#define GPUTAB_BASE_INTERN_H

#include <stddef.h>
#include <stdint.h>

#include "gputab/base/span.h"

struct intern;

struct intern *intern_new(void);
void intern_free(struct intern *t);                          /* NULL allowed */
uint32_t intern_put(struct intern *t, const void *p, size_t n);
/* Several, one after the other, in less time: a large table is not in the cache, and what each has to wait for, they wait for together. */
void intern_put_all(struct intern *t, const struct span *texts, size_t n, uint32_t *ids);
uint32_t intern_str(struct intern *t, const char *s);
uint32_t intern_span(struct intern *t, struct span s);
uint32_t intern_find(const struct intern *t, const void *p, size_t n);   /* 0 when absent (or empty) */
/* Strings that come from now on can be taken out again, all together: until intern_release, or for good after the next mark. */
void intern_mark(struct intern *t);
/* Takes out what came after the mark: those ids mean nothing then. */
void intern_release(struct intern *t);
uint32_t intern_count(const struct intern *t);               /* ids 0 .. count-1 exist */
uint64_t intern_bytes(const struct intern *t);               /* of all strings */
struct span intern_get(const struct intern *t, uint32_t id); /* stable for the life of t; NUL-terminated behind n */
const char *intern_cstr(const struct intern *t, uint32_t id);
int intern_cmp(const struct intern *t, uint32_t a, uint32_t b);          /* byte order of the strings */

#endif
