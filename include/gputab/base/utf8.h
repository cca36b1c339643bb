/* utf8: validity and display width, independent of the locale of the process. */
#ifndef GPUTAB_BASE_UTF8_H
#define GPUTAB_BASE_UTF8_H

#include <stddef.h>
#include <stdint.h>

#include "gputab/base/buf.h"
#include "gputab/base/span.h"

/* Next code point at *p (moved on); malformed bytes give U+FFFD and move one byte. p < end. */
uint32_t utf8_next(const char **p, const char *end);
size_t utf8_length(struct span s);                           /* code points */
size_t utf8_width(struct span s);                            /* terminal columns: glibc wcwidth under C.UTF-8; unprintable counts 1 */
/* The largest length up to n that does not end inside a character: where to cut a text of which n bytes are shown. */
size_t utf8_whole(const char *s, size_t n);
/* Appends s for a terminal or a message: control characters, those that turn the direction of text, and malformed bytes become U+FFFD. */
void utf8_add_printable(struct buf *b, struct span s);

#endif
