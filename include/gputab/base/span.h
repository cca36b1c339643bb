/* span: a borrowed run of bytes, not NUL-terminated. Valid as long as what it points into. {NULL, 0} is the empty span. */
#ifndef GPUTAB_BASE_SPAN_H
#define GPUTAB_BASE_SPAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

struct span {
    const char *p;
    size_t n;
};

struct span span_of(const char *s);                          /* s NUL-terminated or NULL */
bool span_eq(struct span a, const char *s);
bool span_eq_fold(struct span a, const char *s);             /* ASCII letters compared without case */
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

/* The rest is called for every label of every series, and most texts are short: no call for those. */

/* Whether n bytes are the same, 16 at most. */
static inline bool span_same_few(const char *a, const char *b, size_t n)
{
    uint64_t first[2], last[2];
    uint32_t begin[2], end[2];

    if (n >= 8) {
        memcpy(&first[0], a, 8);
        memcpy(&first[1], b, 8);
        memcpy(&last[0], a + n - 8, 8);
        memcpy(&last[1], b + n - 8, 8);
        return ((first[0] ^ first[1]) | (last[0] ^ last[1])) == 0;
    }
    if (n >= 4) {
        memcpy(&begin[0], a, 4);
        memcpy(&begin[1], b, 4);
        memcpy(&end[0], a + n - 4, 4);
        memcpy(&end[1], b + n - 4, 4);
        return ((begin[0] ^ begin[1]) | (end[0] ^ end[1])) == 0;
    }
    return n == 0 || (a[0] == b[0] && a[n / 2] == b[n / 2] && a[n - 1] == b[n - 1]);
}

static inline bool span_same(struct span a, struct span b)
{
    return a.n == b.n && (a.n <= 16 ? span_same_few(a.p, b.p, a.n) : memcmp(a.p, b.p, a.n) == 0);
}

/* Copies the bytes to p, where there is room for them. Returns their end. */
static inline char *span_copy(char *p, struct span s)
{
    if (s.n > 32) {
        memcpy(p, s.p, s.n);
    } else if (s.n >= 16) {
        memcpy(p, s.p, 16);
        memcpy(p + s.n - 16, s.p + s.n - 16, 16);
    } else if (s.n >= 8) {
        memcpy(p, s.p, 8);
        memcpy(p + s.n - 8, s.p + s.n - 8, 8);
    } else if (s.n >= 4) {
        memcpy(p, s.p, 4);
        memcpy(p + s.n - 4, s.p + s.n - 4, 4);
    } else {
        for (size_t i = 0; i < s.n; i++)
            p[i] = s.p[i];
    }
    return p + s.n;
}

#endif
