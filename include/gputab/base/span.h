/* span: a borrowed run of bytes, not NUL-terminated. Valid as long as what it points into. {NULL, 0} is the empty span. */
#ifndef GPUTAB_BASE_SPAN_H
#define GPUTAB_BASE_SPAN_H

#include <stdbool.h>
#include <stddef.h>

struct span {
    const char *p;
    size_t n;
};

struct span span_of(const char *s);                          /* s NUL-terminated or NULL */
bool span_eq(struct span a, const char *s);
bool span_eq_fold(struct span a, const char *s);             /* ASCII letters compared without case */
bool span_same(struct span a, struct span b);
int span_cmp(struct span a, struct span b);                  /* byte order, shorter first: the order of every report */
bool span_starts(struct span a, const char *prefix);
bool span_ends(struct span a, const char *suffix);
bool span_has_fold(struct span a, const char *needle);       /* needle lower case ASCII; search without case */
bool span_has_words(struct span a, const char *phrase);      /* between the ends of words, which are letters and digits; without case */
bool span_is_word_char(char c);                              /* ASCII letters and digits */
struct span span_trim(struct span a);                        /* without ASCII white space at both ends */
struct span span_after_last(struct span a, char c);          /* the part behind the last c, or all of a */

/* Glob with `*` (any run) and `?` (one character, UTF-8) over the whole text. Linear in practice: one backtrack point. */
bool span_glob(struct span text, const char *pattern);

#endif
